//! Our reader against two others, over the classes of the installed JDKs. Every seventh class here; all of them with
//! `cargo run --release -p evergreen-classfile --example differential`.

mod cafebabe;
mod ristretto;

use evergreen_classfile::{find_jdk, read};

#[test]
fn every_seventh_class_of_the_jdk_reads_the_same() {
    let jdk = find_jdk().expect("a JDK");
    let (mut classes, mut instructions) = (0, 0);
    for listed in jdk.classes().unwrap().iter().step_by(7) {
        let Some(found) = jdk.find(&listed.name).unwrap() else {
            assert_eq!(&*listed.name, "module-info");
            continue;
        };
        let class = read(&found.bytes).unwrap_or_else(|e| panic!("{}: {e}", listed.name));
        let one = cafebabe::compare(&found.bytes, &class).unwrap_or_else(|e| panic!("{}: {e}", listed.name));
        let two = ristretto::compare(&found.bytes, &class).unwrap_or_else(|e| panic!("{}: {e}", listed.name));
        assert_eq!(one, two);
        classes += 1;
        instructions += one;
    }
    assert!(classes > 3_000 && instructions > 1_000_000, "{classes} classes, {instructions} instructions");
}
