//! Formulas mean the same when they are evaluated and when they are clauses; and a text outside of the
//! language is refused with its place.

use evergreen_heap::enumerate::structures;
use evergreen_heap::eval::{Truth, holds, in_range, reason};
use evergreen_heap::implied;
use evergreen_heap::{
    ClassId, Fields, Heap, Invariant, Lazy, Object, Partial, Scope, Stop, Technique, Value, explore, parse,
};
use std::collections::BTreeSet;

const SHAPE: &str = "
root class Box { first: Node, last: Node, count: int 0..3, open: bool }
class Node { next: Node, back owner: Box, rank: int -1..1, tint: enum { red, green } }
let nodes = this.first.*next
";

/// Reads all fields of all objects.
fn read_all(
    invariant: &Invariant,
    fields: &mut dyn Fields,
    class: &dyn Fn(Object) -> ClassId,
) -> Result<bool, Stop> {
    let shape = &invariant.shape;
    let mut order = vec![Object(0)];
    let mut at = 0;
    while let Some(object) = order.get(at).copied() {
        at += 1;
        for field in shape.forward(class(object)) {
            if let Some(to) = fields.follow(object, field)?
                && !order.contains(&to)
            {
                order.push(to);
            }
        }
    }
    for object in order {
        for field in shape.fields_of(class(object)) {
            fields.read(object, *field)?;
        }
    }
    Ok(true)
}

/// All heaps of the scope for which the evaluator returns true.
fn evaluated(invariant: &Invariant, mut lazy: Lazy<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let method = |fields: &mut dyn Fields| {
        let class = |o: Object| if o.0 == 0 { ClassId(0) } else { ClassId(1) };
        read_all(invariant, fields, &class)
    };
    explore(&mut lazy, Partial::new(invariant), method, |partial| {
        let truth = holds(invariant, &partial.heap);
        assert_ne!(truth, Truth::Unknown);
        if truth == Truth::True {
            found.insert(partial.heap.display(&invariant.shape).to_string());
        }
        true
    });
    found
}

fn check(formula: &str) -> usize {
    // With a function that recurs along "next" no heap may have a cycle there.
    let function = "fun depth(n: Node): 0..9 = if no n then 0 else 1 + depth(n.next)";
    let function = if formula.contains("depth") { function } else { "" };
    let text = format!("{SHAPE}\n{function}\ninvariant it: {formula}");
    let invariant = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let scope = Scope::each(&invariant, 2);
    let mut unpruned = Lazy::new(&invariant, &scope, Technique::Li).unwrap();
    unpruned.set_precondition(Box::new(|_| true));
    let expected = evaluated(&invariant, unpruned);
    // Pruning, by evaluation of the known fields or by the solver, loses no structure.
    for technique in [Technique::Li, Technique::Bliss] {
        let lazy = Lazy::new(&invariant, &scope, technique).unwrap();
        assert_eq!(evaluated(&invariant, lazy), expected, "{technique:?}: {formula}");
    }
    let (models, all) = structures(&invariant, &scope, 200_000).unwrap();
    assert!(all);
    let solved: BTreeSet<String> = models.iter().map(|h| h.display(&invariant.shape).to_string()).collect();
    assert_eq!(solved.len(), models.len(), "a structure came twice: {formula}");
    let missing: Vec<&String> = expected.difference(&solved).take(1).collect();
    let extra: Vec<&String> = solved.difference(&expected).take(1).collect();
    assert!(missing.is_empty() && extra.is_empty(), "{formula}\nmissing: {missing:?}\nextra: {extra:?}");
    for heap in &models {
        assert!(in_range(&invariant, heap, 2));
    }
    expected.len()
}

/// Every construct, on every heap of up to two nodes. The other fields are fixed, to keep the heaps few.
#[test]
fn clauses_mean_what_evaluation_means() {
    let quiet = "&& all n in Node: n.rank = 0 && n.tint = red && no n.owner";
    let plain = "this.count = 0 && !this.open";
    for formula in [
        "true",
        "some nodes",
        "no this.first.^next & this.last",
        "nodes = Node",
        "this.last in nodes",
        "!(this.last in nodes)",
        "this.first != this.last",
        "lone nodes",
        "one nodes",
        "!(lone nodes)",
        "!(one nodes)",
        "all n in Node: n !in n.^next",
        "some n in Node: n in n.^next",
        "!(all n in nodes: n in n.^next)",
        "no n in Node: n.next = n",
        "all n in Node: lone n.~next",
        "!(some x, y in nodes: x != y && y in x.^next)",
        "this.first - this.last = none",
        "some (this.first + this.last) - nodes",
        "all n in this.first.*(next - ~next): some n.next",
        "this.first.*(next + ~next) = Node <=> some this.last",
        "this.first.*(next & ~next) in nodes => no this.last",
        "depth(this.first) = 2",
        "depth(this.first) + depth(this.last) < 3",
        "#nodes = 2 || #Node * 2 > 2",
        "#(this.first + this.last) % 2 = 1",
        "max(#nodes, 1) = min(#Node, 2)",
        "(if some this.last then #nodes else 0 - 1) >= 0",
        "(if this.last in this.first.^next then 1 else 2) = 1",
        "(sum n in nodes: depth(n.next)) = 1",
    ] {
        let count = check(&format!("({formula}) && {plain} {quiet}"));
        assert!(count > 0, "{formula} is never true");
    }
}

/// The same for formulas about plain fields.
#[test]
fn clauses_about_plain_fields_mean_what_evaluation_means() {
    let quiet = "&& no this.last && all n in Node: no n.owner || n.owner = this && no n.next.next";
    for formula in [
        "this.count = #nodes && this.open",
        "this.open <=> some this.first",
        "this.open = this.open",
        "all n in Node: n.rank < n.next.rank",
        "all n in Node: some n.next => n.rank != n.next.rank",
        "this.first.rank - this.first.next.rank = 2",
        "this.first.rank * this.count = 0 - 3",
        "this.count % 2 = 1",
        "all n in Node: n.tint = green => n.owner = this",
        "(sum n in Node: n.rank) = this.count",
        "!(this.first.tint = red)",
        "this.first.tint != red",
        "some n in Node: n.rank > 0 && n.owner.open",
    ] {
        let count = check(&format!("({formula}) {quiet}"));
        assert!(count > 0, "{formula} is never true");
    }
}

#[test]
fn subclasses_are_candidates_and_scopes_are_per_class() {
    let invariant = parse(
        "root class Tree { top: Shape }
         class Shape { next: Shape }
         class Circle extends Shape { round: bool }
         invariant chain: all s in Shape: s !in s.^next && lone s.~next
         invariant circles: all c in Circle: c.round",
    )
    .unwrap();
    let circle = invariant.shape.class("Circle").unwrap();
    let shape = invariant.shape.class("Shape").unwrap();
    let scope = Scope::each(&invariant, 0).with(circle, 1).with(shape, 2);
    let (models, all) = structures(&invariant, &scope, 1000).unwrap();
    assert!(all);
    // Chains of at most two plain shapes and at most one circle: 1 + 2 + 3 + 3.
    assert_eq!(models.len(), 9);
    let found = evaluated_of(&invariant, &scope);
    assert_eq!(found, models.iter().map(|h| h.display(&invariant.shape).to_string()).collect());
    for heap in &models {
        assert_eq!(holds(&invariant, heap), Truth::True);
        assert!(heap.objects().filter(|o| heap.class(*o) == circle).count() <= 1);
    }
}

fn evaluated_of(invariant: &Invariant, scope: &Scope) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut lazy = Lazy::new(invariant, scope, Technique::Bliss).unwrap();
    let next = invariant.shape.field("next").unwrap();
    let top = invariant.shape.field("top").unwrap();
    let method = |fields: &mut dyn Fields| {
        let mut here = fields.follow(Object(0), top)?;
        while let Some(object) = here {
            here = fields.follow(object, next)?;
        }
        Ok(true)
    };
    explore(&mut lazy, Partial::new(invariant), method, |partial| {
        let mut heap = partial.heap.clone();
        let round = invariant.shape.field("round").unwrap();
        let circle = invariant.shape.class("Circle").unwrap();
        for object in heap.objects().filter(|o| partial.heap.class(*o) == circle) {
            heap.set(object, round, Value::Int(1));
        }
        assert!(heap.is_complete(&invariant.shape));
        found.insert(heap.display(&invariant.shape).to_string());
        true
    });
    found
}

#[test]
fn every_object_is_reached_without_back_fields() {
    let invariant = parse("root class L { first: N }  class N { next: N, back previous: N }").unwrap();
    let (first, next, previous) = (
        invariant.shape.field("first").unwrap(),
        invariant.shape.field("next").unwrap(),
        invariant.shape.field("previous").unwrap(),
    );
    let mut heap = Heap::new(&invariant.shape);
    let (a, b) = (heap.add(ClassId(1)), heap.add(ClassId(1)));
    heap.set(Object(0), first, Value::Object(a));
    heap.set(a, previous, Value::Object(b));
    assert_eq!(holds(&invariant, &heap), Truth::Unknown);
    heap.set(a, next, Value::Null);
    assert_eq!(holds(&invariant, &heap), Truth::False);
    assert_eq!(reason(&invariant, &heap).unwrap().to_string(), "\"reached without back fields\" fails");
    heap.set(a, next, Value::Object(b));
    assert_eq!(holds(&invariant, &heap), Truth::True);
}

#[test]
fn the_reason_names_the_part_and_the_object() {
    let invariant = parse(
        "root class L { first: N }  class N { next: N }
         invariant ends: all n in this.first.*next: n !in n.^next",
    )
    .unwrap();
    let mut heap = Heap::new(&invariant.shape);
    let (first, next) = (invariant.shape.field("first").unwrap(), invariant.shape.field("next").unwrap());
    let (a, b) = (heap.add(ClassId(1)), heap.add(ClassId(1)));
    heap.set(Object(0), first, Value::Object(a));
    heap.set(a, next, Value::Object(b));
    assert_eq!(holds(&invariant, &heap), Truth::Unknown);
    heap.set(b, next, Value::Object(b));
    assert_eq!(holds(&invariant, &heap), Truth::False);
    assert_eq!(reason(&invariant, &heap).unwrap().to_string(), "\"ends\" fails for object 2");
    heap.set(b, next, Value::Null);
    assert_eq!(holds(&invariant, &heap), Truth::True);
    assert_eq!(reason(&invariant, &heap), None);
}

/// Where a set is not known, how many members it has at least and at most is.
#[test]
fn counts_of_sets_that_are_partly_known_are_ranges() {
    let text = |part: &str| {
        format!(
            "root class L {{ first: N second: N }}\nclass N {{ next: N }}\n\
             let a = #(this.first.*next)\nlet b = #(this.second.*next)\ninvariant it: {part}"
        )
    };
    // The first list has two nodes and an unknown rest; the second has one node and ends.
    let truth = |part: &str| {
        let invariant = parse(&text(part)).unwrap_or_else(|e| panic!("{part}: {e}"));
        let field = |name: &str| invariant.shape.field(name).unwrap();
        let mut heap = Heap::new(&invariant.shape);
        let [a, b, c] = [(); 3].map(|()| heap.add(ClassId(1)));
        heap.set(Object(0), field("first"), Value::Object(a));
        heap.set(a, field("next"), Value::Object(b));
        heap.set(Object(0), field("second"), Value::Object(c));
        heap.set(c, field("next"), Value::Null);
        holds(&invariant, &heap)
    };
    for part in ["a = b", "a <= b", "a < b", "b > a", "a < 2", "a <= 1", "a = 0", "2 > a"] {
        assert_eq!(truth(part), Truth::False, "{part}");
    }
    for part in ["a = 2", "a <= 2", "a != b", "a > b", "a % 2 = 0", "a % 2 = 1", "a - 2 = b", "a + b = 1"] {
        assert_eq!(truth(part), Truth::Unknown, "{part}");
    }
    for part in ["sum n in this.second.*next: a = 1", "!(a = 3)", "max(a, b) = 1"] {
        assert_eq!(truth(part), Truth::Unknown, "{part}");
    }
    assert_eq!(truth("!(a = b)"), Truth::True);
    assert_eq!(truth("b = 1"), Truth::True);
}

#[test]
fn what_is_said_to_be_implied_is_doubted() {
    let lists = "root class L { first: N }\nclass N { next: N }\ninvariant ends: all n in N: n !in n.^next\n";
    let check = |part: &str| {
        let text = format!("{lists}{part}");
        implied::check(&parse(&text).unwrap(), &text).map_err(|e| e.to_string())
    };
    assert_eq!(check("implied apart: all n in N: n.next != n"), Ok(()));
    assert_eq!(
        check("implied single: all n in N: no n.next"),
        Err("4:9: \"single\" is not implied by the other parts\n  implied single: all n in N: no \
             n.next\n          ^\n\
             help: the other parts hold of 0: L { first=@1 }; 1: N { next=@2 }; 2: N { next=null }"
            .to_string())
    );
    // One that claims it does not help another one.
    assert!(check("implied few: lone N\nimplied single: all n in N: no n.next").is_err());
    // The counterexample has as many objects as the explored scope: of the root class too, and
    // more than four of another.
    let under = |text: &str, scope: &dyn Fn(&Invariant) -> Scope| {
        let invariant = parse(text).unwrap();
        let quick = implied::check(&invariant, text).is_ok();
        (quick, implied::check_under(&invariant, text, &scope(&invariant)).is_ok())
    };
    let chain =
        "root class N { next: N }\ninvariant ends: all n in N: n !in n.^next\nimplied single: no this.next";
    assert_eq!(under(chain, &|i| Scope::each(i, 1).with(ClassId(0), 2)), (true, false));
    let short = format!("{lists}implied short: no this.first.next.next.next.next.next");
    for (n, holds) in [(3, true), (5, true), (6, false), (60, false)] {
        assert_eq!(under(&short, &|i| Scope::each(i, n)), (true, holds), "{n}");
    }
    // It is no clause, and evaluation knows it.
    let wrong = parse(&format!("{lists}implied single: all n in N: no n.next")).unwrap();
    let scope = Scope::each(&wrong, 3);
    let (all, whole) = structures(&wrong, &scope, 9).unwrap();
    let truths = all.iter().filter(|heap| holds(&wrong, heap) == Truth::True);
    assert_eq!((all.len(), truths.count(), whole), (4, 2, true));
    for (class, text) in evergreen_testing::heap_subjects::INVARIANTS {
        let invariant = parse(text).unwrap();
        let found = implied::counterexample(&invariant, &Scope::each(&invariant, 8)).unwrap();
        assert!(found.is_none(), "{class}: {found:?}");
    }
}

fn refused(text: &str, expected: &str) {
    let error = parse(text).expect_err(text).to_string();
    assert_eq!(error, expected);
}

#[test]
fn errors_point_at_the_place() {
    refused(
        "root class L {\n  first: M\n}",
        "2:10: no class is called \"M\"\n    first: M\n           ^\nhelp: declare it with \"class\"",
    );
    refused(
        "root class L {\n  first: static PRESENT\n}",
        "3:1: expected \".\" and the static field, found \"}\"\n  }\n  ^",
    );
    refused(
        "root class L { a: null, a: static p.C.D }",
        "1:25: field \"a\" is declared twice\n  root class L \
         { a: null, a: static p.C.D }\n                          ^",
    );
    let shape = "root class L { first: N }\nclass N { next: N, key: int, size: int 0..5 }\n";
    let wrong = |line: &str, expected: &str| refused(&format!("{shape}{line}"), expected);
    wrong(
        "invariant a: some this.frist",
        "3:24: no field is called \"frist\"\n  invariant a: some this.frist\n                         ^\n\
         help: the reference fields are: first, next",
    );
    wrong(
        "invariant a: this.first",
        "3:14: expected a formula, found a set of objects\n  invariant a: this.first\n               ^\n\
         help: write \"some\" or \"no\" before a set, or compare it",
    );
    wrong(
        "invariant a: all n in N: n.key < 3",
        "3:32: an integer without a range is compared with something else\n  invariant a: all n in N: n.key \
         < 3\n                                 ^\nhelp: give the field a range, such as int 0..9, to \
         calculate with it",
    );
    wrong(
        "invariant a: this.first.*next.size = 1",
        "3:31: field \"size\" of a set that may have several members\n  invariant a: this.first.*next.size = \
         1\n                                ^\nhelp: take it of a variable: all n in E: ... n.field ...",
    );
    wrong(
        "invariant a: some x",
        "3:19: \"x\" is not declared\n  invariant a: some x\n                    ^\n\
         help: declare it before its use",
    );
    wrong(
        "fun f(n: N): 0..9 = f(n) + 1",
        "3:21: \"f\" calls itself on something other\n  fun f(n: N): 0..9 = f(n) + 1\n                      \
         ^\nhelp: call it as f(n.field)",
    );
    let large = "invariant a: all n in N: n.size * 900000000 * n.size * 2 > 0";
    wrong(
        large,
        &format!(
            "3:26: a calculation with numbers beyond 1,000,000,000\n  {large}\n  {}^\n\
             help: give fields smaller ranges",
            " ".repeat(25)
        ),
    );
    wrong(
        "invariant a: (some N",
        "3:21: expected \")\", found the end of the text\n  invariant a: (some N\n                      ^",
    );
}

/// Cut and mixed texts are refused or read, but never end the process.
#[test]
fn garbage_is_refused_calmly() {
    for (_, text) in evergreen_testing::heap_subjects::INVARIANTS {
        for end in (0..text.len()).filter(|e| text.is_char_boundary(*e)) {
            let _ = parse(&text[..end]);
            let _ = parse(&format!("{}{}", &text[end..], &text[..end]));
        }
    }
    let _ = parse(&format!("root class A {{ f: A }} invariant a: {}true", "!".repeat(100_000)));
    let _ = parse(&format!("root class A {{ f: A }} invariant a: {}true", "(".repeat(100_000)));
    let _ = parse(&format!("root class A {{ f: A }} invariant a: some this.{}f", "~".repeat(100_000)));
    let _ = parse(&format!("root class A {{ f: A }} invariant a: {}true", "true => ".repeat(100_000)));
    let _ = parse("class é { é: é } root class ☃");
}
