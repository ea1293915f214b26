//! Suites on disk, of a language without sources: whole files, below the folder, written if they changed.

use crate::tiny::{Tiny, case, decisions, mid};
use evergreen_suite::{Folder, MethodTests, Suite, Test};

fn suite(unit: &str) -> Suite<Tiny> {
    let target = mid();
    let path = Some(decisions(&target, &[(0, 0)]));
    let tests = vec![Test::new("first".into(), case(&target, [0, 1], 1), path)];
    let methods = vec![MethodTests { target, tests, comments: vec![] }];
    Suite { methods, ..Suite::of_class(unit) }
}

#[test]
fn a_suite_comes_back_and_has_one_file() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    assert!(folder.read("list.c").unwrap().is_none());
    let suite = suite("list.c");
    assert!(folder.write(&suite, &()).unwrap());
    assert_eq!(folder.read("list.c").unwrap(), Some(suite.clone()));
    assert!(!folder.write(&suite, &()).unwrap(), "nothing changed");
    let files = || -> Vec<_> {
        std::fs::read_dir(place.path()).unwrap().map(|file| file.unwrap().file_name()).collect()
    };
    assert_eq!(files(), ["list%2Ec.suite"]);
    assert!(folder.write(&Suite::of_class("list.c"), &()).unwrap());
    assert!(files().is_empty());
    assert!(!folder.write(&Suite::of_class("list.c"), &()).unwrap());
}

#[test]
fn every_unit_has_a_file_of_its_own_below_the_folder() {
    let place = tempfile::tempdir().unwrap();
    let folder: Folder<Tiny> = Folder::new(place.path());
    let file = |unit: &str| {
        let file = folder.file(unit);
        file.strip_prefix(place.path()).unwrap().to_str().unwrap().to_string()
    };
    assert_eq!(file("src/list.c"), "src/list%2Ec.suite");
    assert_eq!(file("../../etc/passwd"), "%2E%2E/%2E%2E/etc/passwd.suite");
    assert_eq!(
        (file("/etc/passwd"), file("etc/passwd")),
        ("%/etc/passwd.suite".into(), "etc/passwd.suite".into())
    );
    assert_eq!(file("größe-1_$"), "größe-1_$.suite");
    assert_eq!(file("50%"), "50%25.suite");
    let (long, longer) = (file(&"a".repeat(500)), file(&"a".repeat(501)));
    assert!(long != longer && long.len() < 210 && longer.len() < 210, "{long}\n{longer}");
}

#[test]
fn what_is_wrong_is_told_with_file_and_line() {
    let place = tempfile::tempdir().unwrap();
    let folder: Folder<Tiny> = Folder::new(place.path());
    let file = folder.file("list");
    let told = |text: &[u8]| {
        std::fs::write(&file, text).unwrap();
        let told = folder.read("list").unwrap_err().to_string();
        told.strip_prefix(&format!("{}:", file.display())).unwrap_or(&told).to_string()
    };
    assert_eq!(
        told(b"evergreen suite 1\nunit other\n"),
        "2: the unit \"other\" in the file of the unit \"list\""
    );
    assert_eq!(told(b"evergreen suite 1\n\xff\n"), "2: this is no UTF-8 text");
    assert_eq!(told(b"evergreen suite 1\nclass list\n"), "2: expected \"unit NAME\", found \"class list\"");
}
