//! Suites on disk: whole files, only where something changed, and sources with the names of the suite.

use super::random::{case, decisions, mid};
use evergreen_java::replay::Junit;
use evergreen_java::suite::{Folder, JunitSources, MethodTests, Suite, Test};
use std::path::Path;

fn suite(tests: &[(&str, i32)]) -> Suite {
    let target = mid();
    let test = |(name, returns): &(&str, i32)| {
        Test::new(
            name.to_string(),
            case(&target, [0, *returns], *returns),
            Some(decisions(&target, &[(0, 0)])),
        )
    };
    let mut suite = Suite::of_class("Mid");
    let tests = tests.iter().map(test).collect();
    suite.methods.push(MethodTests { target, tests, comments: vec![] });
    suite
}

fn sources(version: Junit) -> JunitSources {
    JunitSources { version, misread: Vec::new() }
}

fn written(file: &Path) -> std::time::SystemTime {
    std::fs::metadata(file).unwrap().modified().unwrap()
}

#[test]
fn a_suite_comes_back_and_is_not_touched_without_need() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    assert!(folder.read("Mid").unwrap().is_none());
    let suite = suite(&[("mid_returns1", 1), ("anything", 2)]);
    assert!(folder.write(&suite, &sources(Junit::Five)).unwrap());
    assert_eq!(folder.read("Mid").unwrap(), Some(suite.clone()));
    let before = written(&folder.file("Mid"));
    assert!(!folder.write(&folder.read("Mid").unwrap().unwrap(), &sources(Junit::Five)).unwrap());
    assert_eq!(written(&folder.file("Mid")), before);
    let source = std::fs::read_to_string(place.path().join("tests/MidTest.java")).unwrap();
    assert!(
        source.contains("void mid_returns1()")
            && source.contains("// returns 2\n    @Test\n    void anything()"),
        "{source}"
    );
    assert!(!source.contains("2 paths"), "{source}");
    let left: Vec<_> =
        std::fs::read_dir(place.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_suite_without_tests_has_no_files() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let many: Vec<(String, i32)> = (0..1500).map(|n| (format!("t{n}"), n)).collect();
    let many: Vec<(&str, i32)> = many.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    folder.write(&suite(&many), &sources(Junit::Four)).unwrap();
    let tests = place.path().join("tests");
    assert!(tests.join("MidTest.java").exists() && tests.join("MidTest2.java").exists());
    folder.write(&suite(&many[..10]), &sources(Junit::Four)).unwrap();
    assert!(tests.join("MidTest.java").exists() && !tests.join("MidTest2.java").exists());
    // Files of other authors are left alone.
    std::fs::write(tests.join("MidTest2.java"), "class MidTest2 {}").unwrap();
    folder.write(&Suite::of_class("Mid"), &sources(Junit::Four)).unwrap();
    assert!(!tests.join("MidTest.java").exists() && tests.join("MidTest2.java").exists());
    assert!(!folder.file("Mid").exists());
    std::fs::write(tests.join("MidTest.java"), "class MidTest {}").unwrap();
    let error = folder.write(&suite(&many[..10]), &sources(Junit::Four)).unwrap_err().to_string();
    assert!(error.contains("MidTest.java: somebody else wrote this file"), "{error}");
    assert_eq!(std::fs::read_to_string(tests.join("MidTest.java")).unwrap(), "class MidTest {}");
    assert!(folder.file("Mid").exists(), "the suite itself is not lost");
}

#[test]
fn errors_name_file_and_line() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let file = folder.file("shop.Cart$Item");
    assert!(file.ends_with("shop/Cart$Item.suite"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let error = |text: &[u8]| {
        std::fs::write(&file, text).unwrap();
        let error = folder.read("shop.Cart$Item").unwrap_err().to_string();
        error.strip_prefix(&format!("{}:", file.display())).unwrap_or(&error).to_string()
    };
    assert_eq!(
        error(b"evergreen suite 1\nclass Other\n"),
        "2: the class \"Other\" in the file of the class \"shop.Cart$Item\""
    );
    assert_eq!(error(b"evergreen suite 1\n\xff\n"), "2: this is no UTF-8 text");
    assert_eq!(error(b"evergreen suite 1\nklass\n"), "2: expected \"class NAME\", found \"klass\"");
}
