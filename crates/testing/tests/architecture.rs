//! ARCHITECTURE.md is true: its map, its absences, the functions of its walks and its dependencies are those
//! of the code.

use evergreen_testing::manual::{blocks, read};
use evergreen_testing::tools::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The page stays readable in one sitting.
const MOST_LINES: usize = 275;

fn document() -> String {
    read(Path::new("ARCHITECTURE.md"))
}

/// The text below a heading of the second level.
fn section(heading: &str) -> String {
    let text = document();
    let start = text.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no section {heading}"));
    let rest = &text[start + heading.len() + 5..];
    rest[..rest.find("\n## ").unwrap_or(rest.len())].to_string()
}

/// The words between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The folders of the crates of this workspace, with the name by which manifests depend on each.
fn packages() -> BTreeMap<String, String> {
    let root = read(Path::new("Cargo.toml"));
    let name_of = |folder: &str| {
        let path = format!("path = \"crates/{folder}\"");
        let line = root.lines().find(|line| line.contains(&path));
        line.and_then(|line| line.split_once(" = ")).map_or(folder.to_string(), |(name, _)| name.to_string())
    };
    let folders = std::fs::read_dir(repository().join("crates")).expect("the folder of crates");
    let named = |folder: std::io::Result<std::fs::DirEntry>| {
        let folder = folder.expect("an entry").file_name().into_string().expect("a name");
        let name = name_of(&folder);
        (folder, name)
    };
    folders.map(named).collect()
}

fn manifest(folder: &str) -> String {
    read(&Path::new("crates").join(folder).join("Cargo.toml"))
}

/// The names of what a crate depends on, outside of its tests.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let text = manifest(folder);
    let after = text.split("[dependencies]\n").nth(1).unwrap_or_default();
    let lines = after.lines().take_while(|line| !line.starts_with('['));
    let name = |line: &str| line.split([' ', '=', '.']).next().unwrap_or_default().to_string();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(name).collect()
}

/// The folders of the crates of this workspace that a crate depends on.
fn known(folder: &str, packages: &BTreeMap<String, String>) -> BTreeSet<String> {
    let all = dependencies(folder);
    packages.iter().filter(|(_, package)| all.contains(*package)).map(|(own, _)| own.clone()).collect()
}

#[test]
fn the_page_is_short() {
    let lines = document().lines().count();
    assert!(lines < MOST_LINES, "{lines} lines: move longer stories into the manual");
}

#[test]
fn the_map_has_every_crate_above_what_it_needs() {
    let packages = packages();
    let (pictures, _) = blocks(&section("The map"));
    // Layers stand in a column before the crates.
    let mut order: Vec<&str> = Vec::new();
    for line in &pictures[0].lines {
        let own = line.get(14..).and_then(|rest| rest.split_whitespace().next());
        order.extend(own);
    }
    let listed: BTreeSet<&str> = order.iter().copied().collect();
    assert_eq!(listed.len(), order.len(), "a crate is on the map twice: {order:?}");
    assert_eq!(listed, packages.keys().map(String::as_str).collect::<BTreeSet<_>>());
    for (at, own) in order.iter().enumerate() {
        for needed in known(own, &packages) {
            assert!(order[at..].contains(&needed.as_str()), "{own} depends on {needed}, which is not below");
        }
    }
}

/// Sentences such as "`a`, `b` know only `c`" are exact: no other edge exists, and each of these does.
#[test]
fn the_absences_are_true() {
    let packages = packages();
    let text = section("The absences");
    let mut said = BTreeSet::new();
    for bullet in text.split("\n- ").skip(1) {
        let Some((who, rest)) = ["know none of the others", "knows only", "know only"]
            .iter()
            .find_map(|verb| bullet.split_once(verb))
        else {
            continue;
        };
        let end = rest.find([':', '.']).unwrap_or(rest.len());
        let what: BTreeSet<String> = quoted(&rest[..end]).map(String::from).collect();
        for own in quoted(who) {
            assert_eq!(known(own, &packages), what, "what {own} knows is not what ARCHITECTURE.md says");
            assert!(said.insert(own.to_string()), "{own} has two sentences");
        }
    }
    assert_eq!(said, packages.into_keys().collect(), "each crate has a sentence");
}

/// A line of a walk: a crate, how it is entered, and its functions with their files.
struct Line {
    own: String,
    entered: Entered,
    hops: Vec<(String, String)>,
}

enum Entered {
    Down,
    Through(String),
    Again,
}

/// A line, if it is one: "1. `crate` through `Trait`: `function` (`file.rs`); why".
fn line(text: &str) -> Line {
    let (head, rest) = text.split_once(": ").unwrap_or_else(|| panic!("{text}: no functions"));
    let names: Vec<&str> = quoted(head).collect();
    let entered = match (names.len(), head.contains(" again")) {
        (1, false) => Entered::Down,
        (1, true) => {
            assert!(rest.contains("because"), "{text}: entered again without a reason");
            Entered::Again
        }
        _ => Entered::Through(names[1].to_string()),
    };
    let (mut hops, mut waiting) = (Vec::new(), Vec::new());
    for word in quoted(rest.split(';').next().unwrap_or_default()) {
        if word.ends_with(".rs") {
            hops.extend(waiting.drain(..).map(|function| (function, word.to_string())));
        } else {
            waiting.push(word.to_string());
        }
    }
    assert!(waiting.is_empty() && !hops.is_empty(), "{text}: {waiting:?} have no file");
    Line { own: names[0].to_string(), entered, hops }
}

/// The walks: the heading of each, and its lines.
fn walks() -> Vec<(String, Vec<Line>)> {
    let section = section("The walks");
    let of_walk = |text: &str| {
        let (heading, body) = text.split_once('\n').expect("a heading");
        // Lines that go on are indented.
        let body = body.replace("\n   ", " ");
        let is_item = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
        (heading.to_string(), body.lines().filter(is_item).map(line).collect())
    };
    section.split("\n### ").skip(1).map(of_walk).collect()
}

fn source(own: &str, file: &str) -> PathBuf {
    Path::new("crates").join(own).join("src").join(file)
}

/// The functions exist where the walks say so, and the headings count them.
#[test]
fn the_walks_name_functions_of_the_code() {
    let walks = walks();
    assert_eq!(walks.len(), 5);
    for (heading, lines) in walks {
        for Line { own, hops, .. } in &lines {
            for (function, file) in hops {
                let text = read(&source(own, file));
                let defined = [format!("fn {function}("), format!("fn {function}<")];
                assert!(
                    defined.iter().any(|definition| text.contains(definition)),
                    "{heading}: crates/{own}/src/{file} has no function {function}"
                );
            }
        }
        let hops: usize = lines.iter().map(|line| line.hops.len()).sum();
        let crates: BTreeSet<&str> = lines.iter().map(|line| line.own.as_str()).collect();
        let counted = format!("({hops} hops, {} crates)", crates.len());
        assert!(heading.ends_with(&counted), "{heading}: it is {counted}");
    }
}

/// On the way down a crate is entered once, from a crate that knows it. A crate that is entered otherwise is
/// called back through a trait of a crate further up in the list, or has a reason beside it.
#[test]
fn each_crate_of_a_walk_is_entered_once_on_the_way_down() {
    let packages = packages();
    for (heading, lines) in walks() {
        let mut down: BTreeSet<&str> = BTreeSet::new();
        let mut seen: Vec<&str> = Vec::new();
        for Line { own, entered, .. } in &lines {
            match entered {
                Entered::Down => {
                    assert!(down.insert(own), "{heading}: {own} is entered twice on the way down");
                    let callers = seen.iter().any(|caller| may_call(caller, own, &packages));
                    assert!(seen.is_empty() || callers, "{heading}: no crate before it knows {own}");
                }
                Entered::Again => assert!(down.contains(own.as_str()), "{heading}: {own} for the first time"),
                Entered::Through(name) => {
                    let owner = seen.iter().find(|owner| defines_trait(owner, name));
                    assert!(owner.is_some(), "{heading}: no crate before {own} has the trait {name}");
                }
            }
            seen.push(own);
        }
    }
}

/// Whether a crate depends on another. Libraries re-export those below them, so the edge may have two parts.
fn may_call(caller: &str, own: &str, packages: &BTreeMap<String, String>) -> bool {
    let direct = known(caller, packages);
    direct.contains(own) || direct.iter().any(|between| known(between, packages).contains(own))
}

fn defines_trait(owner: &str, name: &str) -> bool {
    let mut open = vec![repository().join("crates").join(owner).join("src")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()),
            );
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let starts = |end: &str| text.contains(&format!("pub trait {name}{end}"));
        if [" {", "<", ":"].iter().any(|end| starts(end)) {
            return true;
        }
    }
    false
}

/// The table has every dependency on crates of others, with the crates that need it.
#[test]
fn the_dependencies_are_those_of_the_manifests() {
    let packages = packages();
    let mut needed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for own in packages.keys() {
        let foreign =
            dependencies(own).into_iter().filter(|name| !packages.values().any(|package| package == name));
        for name in foreign {
            needed.entry(name).or_default().insert(own.clone());
        }
    }
    let mut said = BTreeSet::new();
    for row in section("Dependencies").lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let names: Vec<&str> = cells[0].split(", ").collect();
        let users: BTreeSet<String> = cells[2].split(", ").map(String::from).collect();
        let real = names.iter().flat_map(|name| needed.get(*name).cloned().unwrap_or_default());
        assert_eq!(users, real.collect(), "the crates that need {}", cells[0]);
        said.extend(names.into_iter().map(String::from));
    }
    assert_eq!(said, needed.into_keys().collect());
}

/// The methods of a trait that a front end has to write.
fn required(file: &str, name: &str) -> Vec<String> {
    let text = read(Path::new(file));
    let start = text.find(&format!("pub trait {name}")).unwrap_or_else(|| panic!("{file}: no trait {name}"));
    let body = &text[start..start + text[start..].find("\n}\n").expect("its end")];
    let signatures = body.split("\n    fn ").skip(1);
    let is_required = |signature: &&str| match (signature.find(";\n"), signature.find("{\n")) {
        (Some(end), Some(start)) => end < start,
        (end, _) => end.is_some() || signature.ends_with(';'),
    };
    let name = |signature: &str| signature.split(['(', '<']).next().unwrap_or_default().to_string();
    signatures.filter(is_required).map(name).collect()
}

/// The page for authors of front ends says what each method is for that they have to write, and names the
/// tests of the toy language.
#[test]
fn the_page_on_front_ends_has_every_required_method() {
    let page = read(Path::new("docs/inside/front-end.md"));
    let words: BTreeSet<&str> = quoted(&page).flat_map(|code| code.split("::")).collect();
    let traits = [
        ("crates/explore/src/machine.rs", "Machine", 3),
        ("crates/service/src/language.rs", "Entry", 2),
        ("crates/suite/src/format.rs", "Format", 10),
        ("crates/service/src/frontend.rs", "Frontend", 11),
        ("crates/service/src/replay.rs", "Replayer", 1),
        ("crates/service/src/suites.rs", "Program", 3),
    ];
    for (file, name, least) in traits {
        let methods = required(file, name);
        assert!(methods.len() >= least, "{file}: of {name} only {methods:?} were found");
        let silent: Vec<&String> = methods.iter().filter(|method| !words.contains(method.as_str())).collect();
        assert!(silent.is_empty(), "docs/inside/front-end.md does not say what {silent:?} of {name} are for");
    }
    let tests =
        ["service/tests/explorations.rs", "service/tests/reports.rs", "distributed/tests/two_workers.rs"]
            .map(|file| format!("crates/{file}"));
    let tests: String = tests.iter().map(|file| read(Path::new(file))).collect();
    for test in tests.split("#[test]\nfn ").skip(1).filter_map(|test| test.split('(').next()) {
        assert!(words.contains(test), "docs/inside/front-end.md does not name the test {test}");
    }
}
