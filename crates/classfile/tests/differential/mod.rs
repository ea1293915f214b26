//! Our reader against two others, over every class of the installed JDKs.

mod cafebabe;
mod ristretto;

use evergreen_classfile::{Jdk, installed_jdks, read};

/// Known defects of the others: cafebabe refuses dynamic constants as bootstrap arguments.
const REFUSED: [&str; 1] = ["jdk/jpackage/internal/PackageBuilder"];

/// The installed JDKs that we promise to work with, the oldest first; there must be one.
fn jdks() -> Vec<Jdk> {
    let mut jdks: Vec<Jdk> = installed_jdks().into_iter().filter(|jdk| jdk.feature >= 17).collect();
    jdks.sort_by_key(|jdk| jdk.feature);
    assert!(!jdks.is_empty(), "no JDK of version 17 or later is installed\nhelp: run scripts/setup.sh java");
    jdks
}

/// Compares all classes of a JDK.
fn compare_all(jdk: &Jdk, least: usize) {
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
    assert!(classes > least && instructions > 2_000_000, "{classes} classes, {instructions} instructions");
}

#[test]
fn every_class_of_the_oldest_jdk_reads_the_same() {
    compare_all(jdks().first().unwrap(), 6_000);
}

#[test]
fn every_class_of_the_newest_jdk_reads_the_same() {
    compare_all(jdks().last().unwrap(), 6_000);
}
