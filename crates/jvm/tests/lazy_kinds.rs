//! Lazy objects of several classes, arrays of references, receivers of abstract classes, and reads
//! that go past the bytecode.

use std::collections::BTreeMap;

use crate::common::Program;
use evergreen_explore::{Machine, Pause};
use evergreen_jvm::{Ending, InputBound, InputValue, LazyOptions, Outcome, Value};
use evergreen_symbolic::Assignment;

/// All paths of a method; at branches only the arms that hold for some of the models that were taken so far
/// are followed: every arm, since inputs are independent here.
fn paths(program: &mut Program, method: &str, descriptor: &str, scope: u32) -> Vec<Outcome> {
    program.jvm.options.lazy = Some(LazyOptions { scope, ..LazyOptions::default() });
    program.jvm.lazy_counts = Default::default();
    let method = program.method(method, descriptor);
    let mut open = vec![program.jvm.start(&program.base, method, Vec::new())];
    let (mut arms, mut ended) = (Vec::new(), Vec::new());
    while let Some(mut state) = open.pop() {
        match program.jvm.run(&mut state, 1_000_000, &mut arms) {
            Pause::Ended(outcome) => ended.push(outcome),
            Pause::OutOfSteps | Pause::Met => panic!("out of steps"),
            Pause::Branch | Pause::Choice => {
                for arm in (0..arms.len()).rev() {
                    let mut next = state.clone();
                    program.jvm.take(&mut next, arm);
                    open.push(next);
                }
            }
        }
    }
    ended
}

/// How many paths returned each number; anything else fails.
fn said(outcomes: &[Outcome]) -> BTreeMap<i32, usize> {
    let mut all = BTreeMap::new();
    for outcome in outcomes {
        let Ending::Returned(Some(Value::Int(n))) = outcome.ending else { panic!("{:?}", outcome.ending) };
        *all.entry(n).or_insert(0) += 1;
    }
    all
}

const SHAPES: &str = r#"
class Shapes {
    interface Shape { int sides(); default int twice() { return 2 * sides(); } }
    static abstract class Polygon implements Shape {
        Shape next;
        int described() { return sides(); }
    }
    static class Triangle extends Polygon { public int sides() { return 3; } }
    static class Square extends Polygon { public int sides() { return 4; } int described() { return -1; } }
    static final class Circle implements Shape { public int sides() { return 0; } }
    Shape shape;
    Square square;
    Circle circle;
    int sides() { return shape == null ? -1 : shape.sides(); }
    int squares() { return square == null ? 0 : square.sides(); }
    int circles() { return circle == null ? 0 : circle == shape ? 1 : 2; }
    static int two(Polygon a, Shape b) { return a == null || b == null ? -1 : a == b ? 0 : 10 * a.sides() + b.sides(); }
    int chain() {
        int all = 0;
        Shape at = shape;
        for (int i = 0; i < 2 && at instanceof Polygon polygon; i++) {
            all = 10 * all + at.sides();
            at = polygon.next;
        }
        return at == null ? all : -1;
    }
}
"#;

#[test]
fn a_reference_holds_objects_of_every_class_that_fits() {
    let mut program = Program::new("Shapes", SHAPES);
    let outcomes = paths(&mut program, "sides", "()I", 3);
    assert_eq!(said(&outcomes), BTreeMap::from([(-1, 1), (0, 1), (3, 1), (4, 1)]));
    assert!(outcomes.iter().all(|outcome| !outcome.narrowed.has(InputBound::References)));
    // Of a final class, and of one that nothing extends, there is one kind.
    assert_eq!(said(&paths(&mut program, "squares", "()I", 3)), BTreeMap::from([(0, 1), (4, 1)]));
    // With a circle the shape is it, null, or a new one of three kinds.
    assert_eq!(said(&paths(&mut program, "circles", "()I", 3)), BTreeMap::from([(0, 1), (1, 1), (2, 4)]));
}

#[test]
fn parameters_may_be_the_same_object_of_any_class() {
    let mut program = Program::new("Shapes", SHAPES);
    let outcomes = paths(&mut program, "two", "(LShapes$Polygon;LShapes$Shape;)I", 2);
    let expected = [(-1, 1 + 3 + 2), (0, 2), (30, 1), (33, 1), (34, 1), (40, 1), (43, 1), (44, 1)];
    assert_eq!(said(&outcomes), BTreeMap::from(expected));
    // In a scope of one the second polygon of a class is missing, and the outcome reports it.
    let outcomes = paths(&mut program, "two", "(LShapes$Polygon;LShapes$Shape;)I", 1);
    let expected = [(-1, 1 + 3 + 2), (0, 2), (30, 1), (34, 1), (40, 1), (43, 1)];
    assert_eq!(said(&outcomes), BTreeMap::from(expected));
    assert!(program.jvm.lazy_counts.scoped > 0);
}

#[test]
fn chains_go_through_classes() {
    let mut program = Program::new("Shapes", SHAPES);
    let counted = said(&paths(&mut program, "chain", "()I", 2));
    let found: Vec<i32> = counted.keys().copied().collect();
    assert_eq!(found, [-1, 0, 3, 4, 33, 34, 43, 44]);
}

#[test]
fn a_receiver_of_an_abstract_class_is_of_one_that_inherits_the_method() {
    let mut program = Program::new("Shapes", SHAPES);
    program.of_class("Shapes$Polygon");
    assert_eq!(said(&paths(&mut program, "described", "()I", 2)), BTreeMap::from([(3, 1)]));
    program.of_class("Shapes$Shape");
    assert_eq!(said(&paths(&mut program, "twice", "()I", 2)), BTreeMap::from([(0, 1), (6, 1), (8, 1)]));
}

const TABLE: &str = r#"
import java.util.Arrays;
class Table {
    static class Cell { Cell[] cells; int[][] rows; Table owner; }
    Cell[] cells;
    Object[] anything;
    int filled() {
        if (cells == null) return -1;
        int count = 0;
        for (Cell cell : cells) if (cell != null) count++;
        return count;
    }
    int same() { return cells == null || cells.length < 2 || cells[1] == null ? 0 : cells[0] == cells[1] ? 1 : 2; }
    int copied() {
        if (cells == null) return -1;
        Cell[] copy = Arrays.copyOf(cells, 1);
        return copy[0] == null ? 0 : copy[0] == cells[0] ? 1 : 2;
    }
    int cloned() {
        if (cells == null || cells.length != 1) return -1;
        Cell[] copy = cells.clone();
        cells[0] = null;
        return copy[0] == null ? 0 : 1;
    }
    int written() {
        if (cells == null || cells.length == 0) return -1;
        cells[0] = null;
        return cells[0] == null ? 0 : 1;
    }
    int objects() { return anything == null ? -1 : anything.length == 0 ? 0 : anything[0] == null ? 1 : 2; }
    static int given(Cell[] cells) { return cells == null ? -1 : cells.length > 1 && cells[1] != null ? 1 : 0; }
    static int rows(Cell cell) {
        if (cell == null || cell.rows == null || cell.rows.length != 1 || cell.rows[0] == null) return -1;
        return cell.rows[0].length;
    }
    int at(int index) { return cells == null || cells.length != 2 ? -1 : cells[index] == null ? 0 : 1; }
}
"#;

#[test]
fn arrays_of_references_are_made_as_they_are_read() {
    let mut program = Program::new("Table", TABLE);
    program.jvm.options.input_length = 2;
    // Null; no cell; one that is null or not; of two the second may be the first.
    let outcomes = paths(&mut program, "filled", "()I", 3);
    assert_eq!(said(&outcomes), BTreeMap::from([(-1, 1), (0, 1 + 1 + 1), (1, 1 + 2), (2, 2)]));
    let last = outcomes.last().map(|outcome| program.jvm.input_objects(&outcome.state, &Assignment::new()));
    let objects = last.unwrap_or_default();
    assert_eq!(
        objects.iter().map(|o| &*o.name).collect::<Vec<_>>(),
        ["this", "this.cells", "this.cells[0]", "this.cells[1]"]
    );
    assert_eq!((&*objects[1].class, objects[1].fields.len()), ("[LTable$Cell;", 2));
    assert_eq!(objects[1].fields[1].2, InputValue::Object(3));
    assert_eq!(said(&paths(&mut program, "same", "()I", 3))[&1], 1);
    // A field that was written before its first read is no choice.
    assert_eq!(said(&paths(&mut program, "written", "()I", 3)), BTreeMap::from([(-1, 2), (0, 2)]));
    // Parameters are arrays, too; elements that no code reads are not made.
    assert_eq!(
        said(&paths(&mut program, "given", "([LTable$Cell;)I", 3)),
        BTreeMap::from([(-1, 1), (0, 3), (1, 1)])
    );
    assert_eq!(said(&paths(&mut program, "rows", "(LTable$Cell;)I", 3))[&2], 1);
}

#[test]
fn elements_of_any_class_are_null_and_that_is_said() {
    let mut program = Program::new("Table", TABLE);
    program.jvm.options.input_length = 1;
    let outcomes = paths(&mut program, "objects", "()I", 3);
    assert_eq!(said(&outcomes), BTreeMap::from([(-1, 1), (0, 1), (1, 1)]));
    let is_partial = |outcome: &&Outcome| outcome.narrowed.has(InputBound::References);
    assert_eq!(outcomes.iter().filter(is_partial).count(), 1);
}

#[test]
fn a_symbolic_index_reads_an_element_for_the_first_time() {
    let mut program = Program::new("Table", TABLE);
    program.jvm.options.input_length = 2;
    let outcomes = paths(&mut program, "at", "(I)I", 3);
    let threw = outcomes.iter().filter(|outcome| matches!(outcome.ending, Ending::Threw { .. })).count();
    let returned = |wanted: i32| {
        let is = |o: &&Outcome| matches!(o.ending, Ending::Returned(Some(Value::Int(n))) if n == wanted);
        outcomes.iter().filter(is).count()
    };
    // Too small, too large; each index with null or a cell.
    assert_eq!((threw, returned(0), returned(1), returned(-1)), (2, 2, 2, 3));
}

#[test]
fn copies_read_what_they_copy() {
    let mut program = Program::new("Table", TABLE);
    program.jvm.options.input_length = 2;
    assert_eq!(said(&paths(&mut program, "copied", "()I", 3)), BTreeMap::from([(-1, 1), (0, 3), (1, 2)]));
    assert_eq!(said(&paths(&mut program, "cloned", "()I", 3)), BTreeMap::from([(-1, 3), (0, 1), (1, 1)]));
}

const COPIES: &str = r#"
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
class Copies implements Cloneable {
    static class Node { Node next; int value; }
    Node first;
    int size;
    int cloned() throws CloneNotSupportedException {
        Copies copy = (Copies) clone();
        first = null;
        return copy.first == null ? 0 : copy.size == size ? 1 : 2;
    }
}
"#;

#[test]
fn a_copy_of_an_object_has_what_the_object_has() {
    let mut program = Program::new("Copies", COPIES);
    assert_eq!(said(&paths(&mut program, "cloned", "()I", 3)), BTreeMap::from([(0, 1), (1, 1)]));
}
