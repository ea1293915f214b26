//! The invariants of the JDK's own collections accept exactly the structures that calls of add and remove
//! lead to, on every JDK that is there.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use evergreen_classfile::{Jdk, installed_jdks};
use evergreen_heap::enumerate::structures;
use evergreen_heap::invariant::Kind;
use evergreen_heap::{ClassId, FieldId, Heap, Invariant, Scope, Value, parse};

const INVARIANTS: [(&str, &str); 3] = [
    ("TreeMap", include_str!("../../java/invariants/java.util.TreeMap.inv")),
    ("TreeSet", include_str!("../../java/invariants/java.util.TreeSet.inv")),
    ("LinkedList", include_str!("../../java/invariants/java.util.LinkedList.inv")),
];

fn jdks() -> Vec<Jdk> {
    let mut found = installed_jdks();
    found.retain(|jdk| jdk.feature >= 17 && jdk.program("javac").is_some());
    found.sort_by_key(|jdk| jdk.feature);
    found.dedup_by_key(|jdk| jdk.feature);
    assert!(!found.is_empty(), "there is no JDK of 17 or later\nhelp: run scripts/setup.sh java");
    found
}

/// The fields that lead on, then all others but keys: as the Java side prints them.
fn printed(invariant: &Invariant, class: ClassId) -> (Vec<FieldId>, Vec<FieldId>) {
    let shape = &invariant.shape;
    let ahead: Vec<FieldId> = shape.forward(class).collect();
    let others = shape.fields_of(class).iter().copied();
    let others = others.filter(|f| !ahead.contains(f) && *shape.kind(*f) != Kind::Key).collect();
    (ahead, others)
}

fn look(invariant: &Invariant, heap: &Heap) -> String {
    let mut text = String::new();
    for object in heap.objects() {
        let (ahead, others) = printed(invariant, heap.class(object));
        for field in ahead.into_iter().chain(others) {
            let shown = match heap.get(object, field) {
                Value::Null => "null".to_owned(),
                Value::Object(to) => format!("@{}", to.0),
                Value::Int(n) => n.to_string(),
                Value::Unknown => "?".to_owned(),
            };
            text += &format!("{}={shown} ", invariant.shape.fields[usize::from(field.0)].name);
        }
        text += "; ";
    }
    text.trim().to_owned()
}

/// `java.util.TreeMap=root/size/comparator,values`
fn class_argument(invariant: &Invariant, at: usize) -> String {
    let class = &invariant.shape.classes[at];
    let (ahead, others) = printed(invariant, ClassId(at as u8));
    let names = |fields: Vec<FieldId>| {
        let names: Vec<&str> =
            fields.iter().map(|f| &*invariant.shape.fields[usize::from(f.0)].name).collect();
        names.join(",")
    };
    let nulls: Vec<&str> = class.nulls.iter().map(|(name, _)| &**name).collect();
    let name = class.program_name.as_ref().expect("classes of the JDK have their whole names");
    format!("{name}={}/{}/{}", names(ahead), names(others), nulls.join(","))
}

fn reached(jdk: &Jdk, folder: &Path, class: &str, invariant: &Invariant, n: usize) -> BTreeSet<String> {
    let mut java = Command::new(jdk.program("java").expect("a JDK has java"));
    java.args(["--add-opens", "java.base/java.util=ALL-UNNAMED", "-Xshare:auto", "-cp"]).arg(folder);
    // Some colourings only come from a larger tree that lost an entry.
    java.args(["Reach", class, &(n + 3).to_string(), &n.to_string()]);
    java.args((0..invariant.shape.classes.len()).map(|at| class_argument(invariant, at)));
    let done = java.output().expect("java starts");
    assert!(done.status.success(), "java: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn the_invariant_accepts_what_calls_lead_to() {
    for jdk in jdks() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("Reach.java");
        std::fs::write(&file, include_str!("heap/Reach.java")).expect("the temporary folder can be written");
        let javac = Command::new(jdk.program("javac").expect("checked above")).arg(&file).output();
        let javac = javac.expect("javac starts");
        assert!(javac.status.success(), "javac: {}", String::from_utf8_lossy(&javac.stderr));
        // Trees of up to seven entries, with their colours; one list of every length.
        for (class, n, count) in [("TreeMap", 7, 67), ("TreeSet", 7, 67), ("LinkedList", 7, 8)] {
            let text = INVARIANTS.iter().find(|(name, _)| *name == class).expect("one of the three").1;
            let invariant = parse(text).unwrap_or_else(|e| panic!("{class}: {e}"));
            let (valid, all) =
                structures(&invariant, &Scope::each(&invariant, n), 10_000).expect("a small scope");
            assert!(all);
            let accepted: BTreeSet<String> = valid.iter().map(|heap| look(&invariant, heap)).collect();
            assert_eq!(accepted.len(), valid.len(), "{class}");
            let reached = reached(&jdk, folder.path(), class, &invariant, n);
            let missing: Vec<&String> = reached.difference(&accepted).collect();
            assert!(
                missing.is_empty(),
                "JDK {}: {class} has what the invariant refuses: {missing:#?}",
                jdk.feature
            );
            let invented: Vec<&String> = accepted.difference(&reached).collect();
            assert!(invented.is_empty(), "JDK {}: no calls lead to {invented:#?} of {class}", jdk.feature);
            assert_eq!(reached.len(), count, "{class}");
        }
    }
}
