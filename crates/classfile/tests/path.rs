//! Class paths over real folders, jars and JDKs.

use crate::support::Assembler;
use evergreen_classfile::{ClassPath, Found, Jdk, Origin, find_jdk, installed_jdks, read};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for one test, emptied first.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(program: &str, folder: &Path, arguments: &[&str]) {
    let file = find_jdk().unwrap().program(program).unwrap_or_else(|| panic!("the JDK has no {program}"));
    let done = Command::new(file).args(arguments).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Writes a class `p/A` whose method `v` returns `n`, and a class `p/A$B`, into `folder/out`.
fn compile(folder: &Path, out: &str, n: u8) {
    let package = folder.join(out).join("p");
    std::fs::create_dir_all(&package).unwrap();
    for class in ["A", "A$B"] {
        let mut assembler = Assembler::new((52, 0));
        assembler.method("v", "()I", &[16, n, 172], &[]);
        std::fs::write(package.join(format!("{class}.class")), assembler.finish(&format!("p/{class}")))
            .unwrap();
    }
}

/// Which `n` the found class `p/A` returns.
fn version(found: &Found) -> i32 {
    let class = read(&found.bytes).unwrap();
    let code = class.method("v", "()I").unwrap().code.as_ref().unwrap();
    match code.instructions[0] {
        evergreen_classfile::Instruction::Int(n) => n,
        other => panic!("{other:?}"),
    }
}

#[test]
fn folders_and_jars_are_asked_in_order_after_the_jdk() {
    let base = folder("order");
    compile(&base, "one", 1);
    compile(&base, "two", 2);
    run("jar", &base, &["--create", "--file", "two.jar", "-C", "two", "."]);
    let mut path = ClassPath::new();
    path.add_dir(&base.join("one")).unwrap();
    path.add_jar(&base.join("two.jar")).unwrap();
    let found = path.find("p/A").unwrap().unwrap();
    assert_eq!((version(&found), &found.origin), (1, &Origin::Path(0)));
    assert_eq!(path.classes().unwrap(), ["p/A", "p/A$B"]);
    assert_eq!(path.find("java/lang/Object").unwrap(), None);

    let mut path = ClassPath::new();
    path.add_all(&format!("{0}/none:{0}/*:{0}/one", base.display())).unwrap();
    path.set_jdk(find_jdk().unwrap());
    let found = path.find("p/A").unwrap().unwrap();
    assert_eq!((version(&found), &found.origin), (2, &Origin::Path(0)));
    assert_eq!(path.find("java/lang/Object").unwrap().unwrap().origin, Origin::Jdk("java.base".into()));
    assert_eq!(path.find("java/sql/Driver").unwrap().unwrap().origin, Origin::Jdk("java.sql".into()));
    assert_eq!(path.package("p").unwrap(), ["p/A", "p/A$B"]);
    assert!(path.package("java/util").unwrap().contains(&"java/util/TreeMap".to_owned()));
}

#[test]
fn what_is_no_class_is_not_found() {
    let base = folder("names");
    compile(&base, "out", 1);
    let mut path = ClassPath::new();
    path.add_dir(&base.join("out")).unwrap();
    path.set_jdk(find_jdk().unwrap());
    for name in
        ["", "/", "p", "p/", "p//A", "../out/p/A", "p/./A", "p/A.class", "p.A", "[I", "p/C", "java/lang/No"]
    {
        assert_eq!(path.find(name).unwrap(), None, "{name}");
    }
    assert!(path.find("p/A").unwrap().is_some());
}

#[test]
fn a_multi_release_jar_gives_what_fits_the_jdk() {
    let base = folder("versions");
    compile(&base, "base", 8);
    compile(&base, "eleven", 11);
    compile(&base, "nineteen", 19);
    let arguments =
        ["--create", "--file", "m.jar", "-C", "base", ".", "--release", "11", "-C", "eleven", "."];
    run("jar", &base, &[&arguments[..], &["--release", "19", "-C", "nineteen", "."]].concat());
    run("jar", &base, &["--create", "--file", "plain.jar", "-C", "base", "."]);
    let find = |jar: &str, jdk: Option<Jdk>| {
        let mut path = ClassPath::new();
        path.add_jar(&base.join(jar)).unwrap();
        if let Some(jdk) = jdk {
            path.set_jdk(jdk);
        }
        version(&path.find("p/A").unwrap().unwrap())
    };
    for jdk in installed_jdks() {
        let expected = if jdk.feature >= 19 { 19 } else { 11 };
        assert_eq!(find("m.jar", Some(jdk)), expected);
    }
    assert_eq!(find("m.jar", None), 19);
    assert_eq!(find("plain.jar", None), 8);
}

#[test]
fn a_jdk_without_image_is_read_from_its_jmods() {
    let jdk = installed_jdks().into_iter().find(|jdk| jdk.home.join("jmods/java.base.jmod").is_file());
    let jdk = jdk.expect("a JDK with jmods (before 24 all have them)");
    let base = folder("jmods");
    std::fs::create_dir_all(base.join("jmods")).unwrap();
    for file in ["release", "jmods/java.base.jmod", "jmods/java.logging.jmod"] {
        std::fs::copy(jdk.home.join(file), base.join(file)).unwrap();
    }
    let bare = Jdk::open(&base).unwrap();
    assert_eq!(bare.version, jdk.version);
    for name in ["java/lang/String", "java/util/logging/Logger", "java/lang/NoSuch"] {
        let (a, b) = (bare.find(name).unwrap(), jdk.find(name).unwrap());
        assert_eq!(a.as_ref().map(|f| &f.origin), b.as_ref().map(|f| &f.origin));
        // The image's classes went through the linker's plug-ins; their members are the same.
        let members = |found: Option<Found>| found.map(|f| read(&f.bytes).unwrap().methods.len());
        assert_eq!(members(a), members(b), "{name}");
    }
    assert!(bare.classes().unwrap().len() > 5_000);
}

#[test]
fn bad_places_are_named() {
    let base = folder("bad");
    std::fs::write(base.join("bad.jar"), b"no archive").unwrap();
    let mut path = ClassPath::new();
    let text = |result: Result<(), evergreen_classfile::PathError>| result.unwrap_err().to_string();
    assert!(text(path.add_jar(&base.join("bad.jar"))).ends_with("bad.jar: not a zip archive"));
    assert!(text(path.add_jar(&base)).ends_with("is a folder, not a file"));
    assert!(text(path.add_dir(&base.join("none"))).ends_with("none: no such folder"));
    assert!(text(path.add_jdk(&base)).contains("no JDK 9 or later"));
    std::fs::create_dir_all(base.join("lib")).unwrap();
    std::fs::write(base.join("lib/modules"), [0; 40]).unwrap();
    assert!(text(path.add_jdk(&base)).ends_with("modules: not a module image"));
}

#[test]
fn resources_of_the_jdk_are_found_by_module_and_path() {
    let jdk = find_jdk().unwrap();
    let words = jdk.resource("/java.base/sun/text/resources/WordBreakIteratorData").unwrap();
    assert!(words.is_some_and(|bytes| bytes.starts_with(b"BIdata\0")));
    assert_eq!(jdk.resource("/java.base/sun/text/resources/Missing").unwrap(), None);
    assert_eq!(jdk.resource("/missing.module/sun/text/resources/WordBreakIteratorData").unwrap(), None);
}
