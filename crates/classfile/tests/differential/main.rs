//! Our reader against two others, over every class of the installed JDKs.

mod cafebabe;
mod ristretto;

use evergreen_classfile::{installed_jdks, read};

/// What the others are known to get wrong: cafebabe refuses dynamic constants as bootstrap arguments.
const REFUSED: [&str; 1] = ["jdk/jpackage/internal/PackageBuilder"];

/// Compares all classes of the JDK of this version; it must be installed.
fn compare_all(feature: u16, least: usize) {
    let jdk = installed_jdks().into_iter().find(|jdk| jdk.feature == feature);
    let jdk = jdk
        .unwrap_or_else(|| panic!("JDK {feature} is not installed\nhelp: it is looked for in /usr/lib/jvm"));
    let (mut classes, mut instructions) = (0, 0);
    for listed in jdk.classes().unwrap() {
        let Some(found) = jdk.find(&listed.name).unwrap() else {
            assert_eq!(&*listed.name, "module-info", "listed but not found");
            continue;
        };
        let fail = |e: String| -> usize { panic!("{}: {e}", listed.name) };
        let class = read(&found.bytes).unwrap_or_else(|e| panic!("{}: {e}", listed.name));
        let two = ristretto::compare(&found.bytes, &class).unwrap_or_else(fail);
        match cafebabe::compare(&found.bytes, &class) {
            Err(e) if REFUSED.contains(&&*listed.name) => assert!(e.contains("cafebabe refuses"), "{e}"),
            one => assert_eq!(one.unwrap_or_else(fail), two),
        }
        classes += 1;
        instructions += two;
    }
    assert!(classes > least && instructions > 10_000_000, "{classes} classes, {instructions} instructions");
}

#[test]
fn every_class_of_jdk_17_reads_the_same() {
    compare_all(17, 26_000);
}

#[test]
fn every_class_of_jdk_25_reads_the_same() {
    compare_all(25, 26_000);
}
