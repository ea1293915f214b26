//! Old tests with objects as seeds: choices by what they have, checked by evaluation.

use crate::exploring::seeding::{Subject, check_replayed};
use evergreen_java::How;
use evergreen_java::heap::Technique;
use evergreen_java::jvm::{ClassInvariant, LazyOptions};
use evergreen_java::replay::{GraphBody, JavaValue, TestCase};

const BAG: &str = "public class Bag {
    static class Cell { int value; Cell next; }
    Cell first;
    int size;
    boolean repOK() {
        int n = 0;
        for (Cell c = first; c != null; c = c.next) if (++n > 3) return false;
        return n == size;
    }
    public int count(int v) {
        int n = 0;
        for (Cell c = first; c != null; c = c.next) if (c.value == v) n++;
        return n;
    }
    public static int both(Bag a, Bag b) {
        if (a == null) return 0;
        if (a == b) return 1;
        return a.first == null ? 2 : a.first.value > 7 ? 3 : 4;
    }
}";

const INVARIANT: &str = "root class Bag { first: Cell
 size: int 0..scope }
class Cell { next: Cell
 value: int }
invariant ends: all c in Cell: c !in c.^next
invariant unheld: no this.first.~next
invariant unshared: all c in Cell: lone c.~next
invariant counted: this.size = #Cell
";

fn heaps(technique: Technique) -> Subject {
    let stated = ClassInvariant { class: "Bag".into(), text: INVARIANT.into(), origin: "here".into() };
    let invariants = if technique == Technique::Li { vec![] } else { vec![stated] };
    let mut subject = Subject::new();
    subject.lazy = Some(LazyOptions { technique, invariants, ..LazyOptions::default() });
    subject.bounds.depth = Some(60);
    subject
}

#[test]
fn objects_of_old_tests_take_their_paths() {
    for technique in [Technique::Li, Technique::Bliss] {
        let subject = heaps(technique);
        let count = subject.check_unchanged(BAG, "count");
        assert_eq!(count.tests().len(), 15, "{technique:?}: lists of up to three cells, each equal or not");
        let both = subject.check_unchanged(BAG, "both");
        assert!(
            both.paths.iter().any(|path| path.how == How::Returned(Some(JavaValue::Int(1)))),
            "{technique:?}"
        );
        // Another comparison: the shapes stay, cells that are equal may not.
        let other = BAG.replace("c.value == v", "c.value > v");
        let fresh = subject.fresh(&other, "count");
        let run = subject.update(&other, "count", count.tests());
        assert_eq!(run.positions(), fresh.positions());
        let kept = run.paths.iter().filter(|path| !path.seeds.is_empty()).count();
        assert!(kept >= 4, "{technique:?}: {kept}, {:?}", run.retired);
        assert_eq!(run.retired.iter().filter(|(_, why)| !why.starts_with("takes the same path")).count(), 0);
    }
}

/// Tests whose objects public calls make leave out what the path has not read; they are kept all the same.
#[test]
fn tests_that_make_their_objects_by_calls_are_kept() {
    let calls = "    int changes;
    public Bag() {}
    public void add(int v) {
        Cell c = new Cell(); c.value = v; c.next = first; first = c; size++; changes += 10;
    }
    public static int both";
    let built = BAG
        .replace("    public static int both", calls)
        .replace("n == size;", "n == size && changes >= 5 * n;");
    let subject = heaps(Technique::Li);
    let run = subject.check_unchanged(&built, "count");
    assert!(run.tests().iter().all(|case| case.build.is_some()));
    let says = |case: &TestCase, wanted: &str| {
        case.objects.iter().any(|object| match &object.body {
            GraphBody::Fields(fields) => fields.iter().any(|field| field.name == wanted),
            GraphBody::Elements { .. } => false,
        })
    };
    assert!(run.tests().iter().any(|case| !says(case, "changes")), "what is made differently is not said");
    // What they do have still counts, even if the check first reads what they leave out.
    let stricter = built.replace("n == size && changes >= 5 * n", "changes >= 6 * n && n + 1 == size");
    let run = subject.update(&stricter, "count", run.tests());
    assert_eq!(run.positions(), subject.fresh(&stricter, "count").positions());
    assert!(run.paths.iter().all(|path| path.seeds.is_empty()), "{:?}", run.retired);
}

/// Kept tests take their paths on the real JVM, and end as reported.
#[test]
fn the_jvm_agrees_with_objects_that_are_kept() {
    for technique in [Technique::Li, Technique::Bliss] {
        check_replayed(&heaps(technique), BAG, &BAG.replace("c.value == v", "c.value >= v"), "count", 4);
    }
}

#[test]
fn objects_that_are_no_longer_valid_are_retired() {
    let subject = heaps(Technique::Li);
    let tests = subject.fresh(BAG, "count").tests();
    // Sizes are twice what they were: only the empty bag is as it was.
    let stricter = BAG.replace("n == size", "2 * n == size");
    let fresh = subject.fresh(&stricter, "count");
    let run = subject.update(&stricter, "count", tests.clone());
    assert_eq!(run.positions(), fresh.positions());
    assert_eq!(run.paths.iter().filter(|path| !path.seeds.is_empty()).count(), 1);
    assert_eq!(run.retired.len(), tests.len() - 1);
    assert!(
        run.retired.iter().all(|(_, why)| why == "its objects are not valid any more"),
        "{:?}",
        run.retired
    );
    // A smaller scope.
    let mut small = heaps(Technique::Li);
    small.lazy = Some(LazyOptions { scope: 1, ..LazyOptions::default() });
    let run = small.update(BAG, "count", tests.clone());
    assert_eq!(run.positions(), small.fresh(BAG, "count").positions());
    assert_eq!(run.paths.iter().filter(|path| !path.seeds.is_empty()).count(), 3, "{:?}", run.retired);
    assert!(
        run.retired.iter().all(|(_, why)| why == "the path has next = null, it has an object"),
        "{:?}",
        run.retired
    );
    // Without objects as inputs they are of no use.
    let run = Subject::new().update(BAG, "count", tests[..2].to_vec());
    assert!(run.retired.iter().all(|(_, why)| why.contains("--heap")), "{:?}", run.retired);
}

/// Where only one candidate is left, the machine chooses it without asking the oracle; a test that has
/// something else there must not be taken for one of the path.
#[test]
fn a_test_that_differs_where_nothing_is_chosen_is_not_kept() {
    let subject = heaps(Technique::Li);
    let tests = subject.fresh(BAG, "count").tests();
    // No bag has cells any more, and the field is read without a choice.
    let empty = BAG.replace("return n == size;", "return first == null && size == 0;");
    let run = subject.update(&empty, "count", tests.clone());
    assert_eq!(run.positions(), subject.fresh(&empty, "count").positions());
    let kept: usize = run.paths.iter().map(|path| path.seeds.len()).sum();
    assert_eq!((run.paths.len(), kept, run.retired.len()), (1, 1, tests.len() - 1), "{:?}", run.retired);
}
