//! Where invariants are found, and the errors for those that do not fit.

use evergreen::Evergreen;
use evergreen_classfile::find_jdk;
use evergreen_java::heap::Technique;
use evergreen_java::jvm::{LazyOptions, Options as JvmOptions, Unread};
use evergreen_java::symbolic::Ints;
use evergreen_java::{Inputs, JavaFrontend, Options, Program, check_scopes, invariants, next_collected};
use std::path::{Path, PathBuf};

const QUEUE: &str = "
import java.util.*;
public class Queue {
    static class Cell { Cell next; }
    Cell first;
    public int size() { int n = 0; for (Cell at = first; at != null; at = at.next) n++; return n; }
    public static int given(Queue queue, TreeMap<Integer, Integer> map) { return queue == null ? 0 : 1; }
}
";

const INVARIANT: &str = "root class Queue { first: Cell }
class Cell { next: Cell }
invariant ends: all c in Cell: c !in c.^next
";

/// A folder with files, and the program of its source.
fn program(files: &[(&str, &str)]) -> (tempfile::TempDir, Program) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    let source: PathBuf = folder.path().join(files[0].0);
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(&[source], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    (folder, program)
}

/// An error without the folder's name.
fn said(folder: &Path, error: impl std::fmt::Display) -> String {
    error.to_string().replace(&format!("{}/", folder.display()), "")
}

fn begin(program: Program, method: &str, options: LazyOptions) -> Result<u64, String> {
    let methods = program.methods(Some(method)).map_err(|e| e.to_string())?;
    let options = JvmOptions { lazy: Some(options), ..JvmOptions::default() };
    let make = || Evergreen::builder().solver("z3").build();
    let mut exploration =
        JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make)).map_err(|e| e.to_string())?;
    let run = exploration.entry(&methods[0], &Inputs::default(), Options::default());
    let mut run = run.map_err(|e| e.to_string())?;
    let mut structures = 0;
    while let Some(path) = next_collected(&mut run) {
        structures += u64::from(path.is_structure());
    }
    Ok(structures)
}

#[test]
fn a_side_file_is_found_and_one_that_is_named_comes_first() {
    let (folder, program) = program(&[("Queue.java", QUEUE), ("Queue.inv", INVARIANT)]);
    let found = invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((&*found[0].class, &*found[0].text), ("Queue", INVARIANT));
    let other = folder.path().join("other.inv");
    std::fs::write(&other, "root class Queue { first: Cell }\nclass Cell { next: Cell }").unwrap();
    let named = invariants(&program, &[other]).unwrap_or_else(|e| panic!("{e}"));
    assert!(named[0].origin.ends_with("other.inv") && named[0].class == "Queue");
    assert_eq!(named.iter().filter(|known| known.class == "Queue").count(), 1);
    // Lists of up to three cells; the empty one returns 0 and is not counted.
    let options =
        LazyOptions { technique: Technique::Bliss, invariants: found.clone(), ..LazyOptions::default() };
    assert_eq!(begin(program, "size", options), Ok(3));
}

#[test]
fn an_invariant_of_no_class_is_refused() {
    let (folder, program) = program(&[("Queue.java", QUEUE)]);
    let file = folder.path().join("Kew.inv");
    std::fs::write(&file, "// A misspelt class.\nroot class Quue { first: Cell }\nclass Cell { next: Cell }")
        .unwrap();
    let error = invariants(&program, &[file]).expect_err("there is no such class");
    assert_eq!(
        said(folder.path(), error),
        [
            "Kew.inv:2:12: no class \"Quue\" among the targets",
            "  root class Quue { first: Cell }",
            "             ^",
            "help: did you mean Queue?",
        ]
        .join("\n")
    );
}

#[test]
fn what_claims_to_be_implied_is_doubted_in_the_scope_that_is_explored() {
    let source = "public class Chain { Chain next; public boolean last() { return next == null; } }";
    let wrong = "root class Chain { next: Chain }
invariant ends: all c in Chain: c !in c.^next
implied single: no this.next
";
    let begun = |scope: u32| {
        let (folder, program) = program(&[("Chain.java", source), ("Chain.inv", wrong)]);
        let invariants = invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}"));
        let options = LazyOptions { scope, invariants, ..LazyOptions::default() };
        begin(program, "last", options).map_err(|e| said(folder.path(), e))
    };
    // Of one object it is true.
    assert_eq!(begun(1), Ok(1));
    let refused = begun(2).expect_err("a chain of two");
    assert!(refused.starts_with("Chain.inv:3:9: \"single\" is not implied by the other parts"), "{refused}");
}

#[test]
fn techniques_beyond_li_need_an_invariant() {
    let known = |program: &Program| invariants(program, &[]).unwrap_or_else(|e| panic!("{e}"));
    let (_folder, first) = program(&[("Queue.java", QUEUE)]);
    let options =
        LazyOptions { technique: Technique::Rbli, invariants: known(&first), ..LazyOptions::default() };
    assert_eq!(
        begin(first, "size", options),
        Err("no invariant of Queue, which --heap rbli needs\n\
             help: write it into Queue.inv beside the source, or give it with --invariant FILE; \
             --heap li and --heap search need none"
            .into())
    );
    // One object with an invariant is enough.
    let (_folder, second) = program(&[("Queue.java", QUEUE)]);
    let options =
        LazyOptions { technique: Technique::Rbli, invariants: known(&second), ..LazyOptions::default() };
    assert_eq!(begin(second, "given", options), Ok(2));
    let (_folder, third) = program(&[("Queue.java", QUEUE), ("Queue.inv", INVARIANT)]);
    let options = LazyOptions { unread: Unread::Search, invariants: known(&third), ..LazyOptions::default() };
    // No invariant requires that a queue has an end: without repOK some have none, and the bound on branches
    // cuts them.
    let begun = begin(third, "given", options);
    assert!(begun.is_ok(), "{begun:?}");
}

#[test]
fn collections_of_the_jdk_are_taken_to_hold_integers_where_nothing_says_otherwise() {
    let of = |declared: &str| {
        let source = format!("import java.util.*; public class Use {{ {declared} }}");
        let (_folder, program) = program(&[("Use.java", &source)]);
        let found = invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}"));
        found.into_iter().any(|known| known.class == "java.util.TreeMap")
    };
    assert!(of("public void use(TreeMap<Integer, Integer> map) {}"));
    assert!(of("public void use(TreeMap map, TreeSet<String> other) {}"));
    assert!(of("public void use(TreeMap<?, Integer> map) {}"));
    assert!(!of("public void use(TreeMap<String, Integer> map) {}"));
    assert!(!of("TreeMap<Integer, List<Integer>> map;"));
    assert!(!of("List<TreeMap<Integer, Object>> maps;"));
}

#[test]
fn scopes_are_of_classes_that_there_are() {
    let (_folder, program) = program(&[("Queue.java", QUEUE), ("Queue.inv", INVARIANT)]);
    let known = invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}"));
    let check = |class: &str| check_scopes(&program, &known, [class].into_iter()).map_err(|e| e.to_string());
    for class in ["Cell", "Queue$Cell", "Queue", "Entry", "java.util.TreeMap$Entry"] {
        assert_eq!(check(class), Ok(()), "{class}");
    }
    assert_eq!(check("Cel"), Err("--scope Cel: no class \"Cel\"\nhelp: did you mean Cell?".into()));
}
