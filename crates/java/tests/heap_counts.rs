//! The counts of [Rosner TSE'15], Tables IX and X, of the Java subjects in the machine, at scopes that a test
//! can afford. `evergreen-lab study bliss` has the rest.

use evergreen::Evergreen;
use evergreen::store::{Memory, Store};
use evergreen_classfile::find_jdk;
use evergreen_heap::Technique;
use evergreen_java::jvm::{Ending, LazyOptions, Options as JvmOptions, Value};
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Collected, Exploration, Inputs, JavaFrontend, Options, Program, invariants, next_collected,
};
use evergreen_testing::tools::{find, repository};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A subject, compiled, with a machine and its invariant.
struct Subject {
    class: &'static str,
    exploration: Exploration,
    options: LazyOptions,
}

impl Subject {
    fn open(class: &'static str) -> Subject {
        let jdk = find_jdk().expect("these tests need a JDK");
        let source = repository().join(format!("subjects/heap/{class}.java"));
        let program = Program::open(&[source], None, jdk).unwrap_or_else(|e| panic!("{e}"));
        let options = LazyOptions {
            invariants: invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}")),
            ..LazyOptions::default()
        };
        let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 20));
        let _ = find("z3");
        let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").build();
        let exploration =
            JavaFrontend::explore(program, Ints::Wrapped, JvmOptions::default(), Box::new(make))
                .unwrap_or_else(|e| panic!("{e}"));
        Subject { class, exploration, options }
    }

    /// How every path of a method ends.
    fn each(&mut self, method: &str, technique: Technique, scope: u32, mut see: impl FnMut(&Collected)) {
        let options = LazyOptions { technique, scope, ..self.options.clone() };
        self.exploration.front.set_lazy(Some(options)).unwrap_or_else(|e| panic!("{e}"));
        let methods = self.exploration.front.program().methods(None).unwrap_or_else(|e| panic!("{e}"));
        let own = methods.iter().find(|m| &*m.name == method && !m.is_static);
        let own = own.expect("a method of the subject");
        let run = self.exploration.entry(own, &Inputs::default(), Options::default());
        let mut run = run.unwrap_or_else(|e| panic!("{e}"));
        while let Some(end) = next_collected(&mut run) {
            see(&end);
        }
        assert_eq!(run.tally().doubtful, 0);
    }

    /// How many structures a method collects: of walks those with nodes, or all where there may be none; of
    /// questions those of which the answer is yes.
    fn collect(&mut self, method: &str, technique: Technique, scope: u32) -> u64 {
        let may_be_empty = self.class == "BinomialHeap";
        let mut found = 0;
        self.each(method, technique, scope, |end| {
            let Some(Ending::Returned(said)) = end.ending else { return };
            let yes = method != "contains" && method != "repOK" || said == Some(Value::Int(1));
            found += u64::from(yes && (end.objects > 1 || may_be_empty));
        });
        found
    }

    fn check(
        &mut self,
        method: &str,
        techniques: &[Technique],
        scopes: RangeInclusive<u32>,
        expected: &[u64],
    ) {
        for technique in techniques {
            let found: Vec<u64> = scopes.clone().map(|n| self.collect(method, *technique, n)).collect();
            assert_eq!(found, expected, "{}.{method} {technique:?} at {scopes:?}", self.class);
        }
    }
}

const ALL: &[Technique] = &Technique::ALL;
const BOUNDED: &[Technique] = &[Technique::Bli, Technique::Rbli, Technique::Bliss, Technique::BlissDb];
const SOLVED: &[Technique] = &[Technique::Bliss, Technique::BlissDb];

#[test]
fn binary_trees() {
    let mut subject = Subject::open("BinTree");
    for method in ["bfs", "dfs", "repOK", "count"] {
        subject.check(method, ALL, 6..=7, &[196, 625]);
    }
}

#[test]
fn red_black_trees() {
    let mut subject = Subject::open("TreeSet");
    subject.check("dfs", &[Technique::Li], 3..=8, &[8, 22, 64, 196, 625, 2055]);
    subject.check("dfs", &[Technique::Bli], 3..=8, &[4, 14, 20, 92, 385, 1511]);
    subject.check("dfs", &[Technique::Rbli], 3..=8, &[4, 8, 14, 42, 151, 555]);
    subject.check("dfs", SOLVED, 3..=8, &[4, 8, 14, 26, 55, 95]);
    subject.check("bfs", &[Technique::Li], 7..=8, &[625, 2055]);
    subject.check("bfs", SOLVED, 9..=11, &[141, 217, 407]);
    subject.check("contains", &[Technique::Li], 9..=10, &[511, 1023]);
    subject.check("contains", BOUNDED, 12..=12, &[511]);
    subject.check("repOK", ALL, 7..=7, &[66]);
    subject.check("repOK", SOLVED, 8..=9, &[122, 212]);
}

#[test]
fn avl_trees() {
    let mut subject = Subject::open("AvlTree");
    subject.check("bfs", &[Technique::Li], 7..=8, &[625, 2055]);
    subject.check("bfs", SOLVED, 11..=12, &[241, 425]);
    subject.check("dfs", SOLVED, 9..=10, &[111, 171]);
    subject.check("contains", BOUNDED, 15..=15, &[511]);
    subject.check("repOK", ALL, 6..=7, &[18, 35]);
    subject.check("repOK", SOLVED, 8..=8, &[67]);
}

#[test]
fn binomial_heaps_and_lists() {
    let mut heap = Subject::open("BinomialHeap");
    heap.check("bfs", &[Technique::Li], 13..=14, &[2372, 4240]);
    heap.check("bfs", &[Technique::Rbli], 14..=16, &[123, 174, 184]);
    heap.check("bfs", SOLVED, 14..=14, &[15]);
    heap.check("dfs", SOLVED, 10..=10, &[11]);
    heap.check("repOK", ALL, 7..=8, &[8, 9]);
    heap.check("repOK", SOLVED, 12..=12, &[13]);
    let mut list = Subject::open("LinkedList");
    list.check("repOK", ALL, 20..=20, &[20]);
    list.check("add", ALL, 20..=20, &[2]);
}

/// Heaps of thirteen nodes lose trees if their least key is at the root of degree 2 or 3; orders of the other
/// keys make ten paths of that.
#[test]
fn a_bug_that_needs_thirteen_nodes() {
    let mut subject = Subject::open("BinomialHeap");
    for (scope, failures) in [(12, 0), (13, 10)] {
        let mut failed = 0;
        subject.each("extractMinBug", Technique::Bliss, scope, |end| {
            let Some(Ending::Threw { class, .. }) = &end.ending else { return };
            failed += u64::from(&**class == "java/lang/IllegalStateException");
        });
        assert_eq!(failed, failures, "at {scope}");
    }
    // Without the bug there is none.
    subject.each("extractMinKeeps", Technique::Bliss, 13, |end| {
        // Invalid: what was read so far is part of no valid heap.
        let fine = matches!(end.ending, Some(Ending::Returned(_) | Ending::Invalid));
        assert!(fine, "{:?}", end.ending);
    });
}
