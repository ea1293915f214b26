//! All heaps of a scope: the valid ones by the solver, a model, a clause that forbids it, the next model; or
//! every one, by trying all values of all fields: the reference for tests of solver and invariant.
//!
//! Breadth-first labels make every structure come once; keys are left out of the clause, so structures that
//! differ only in keys count once.

use crate::circuit::Lit;
use crate::encode::{Encoding, Scope, TooLarge};
use crate::heap::{Heap, Object, Value};
use crate::invariant::{Invariant, Kind};
use crate::solver::Solver;

/// The valid structures of a scope, at most `limit`, and whether these are all of them.
///
/// # Errors
/// If the scope has too many objects.
pub fn structures(invariant: &Invariant, scope: &Scope, limit: usize) -> Result<(Vec<Heap>, bool), TooLarge> {
    let encoding = Encoding::new(invariant.into(), scope)?;
    let mut solver = Solver::new(&encoding.circuit);
    let mut found = Vec::new();
    while found.len() < limit {
        match solver.solve(&[]) {
            Some(true) => {}
            Some(false) => return Ok((found, true)),
            None => return Ok((found, false)),
        }
        found.push(encoding.decode(|l| solver.value(l)));
        let differs: Vec<Lit> = encoding
            .field_literals()
            .map(|l| if solver.value(l) { !l } else { l })
            .filter(|l| *l != Lit::FALSE)
            .collect();
        solver.clause(&differs);
    }
    Ok((found, false))
}

/// Every heap of a scope, valid or not: each reference null or any object that fits, each plain field any
/// value of its range, each key one of `keys` values. All objects are reached from the root by some field,
/// and heaps that differ only in the numbers of their objects come once. Exponential in everything.
pub fn heaps(invariant: &Invariant, scope: &Scope, keys: u32, see: &mut dyn FnMut(&Heap)) {
    let mut heap = Heap::new(&invariant.shape);
    fill(&Filling { invariant, scope, keys }, &mut heap, Object(0), 0, see);
}

struct Filling<'a> {
    invariant: &'a Invariant,
    scope: &'a Scope,
    keys: u32,
}

/// Fills a field of an object and the fields behind it; those before it have their values.
fn fill(of: &Filling<'_>, heap: &mut Heap, object: Object, field: usize, see: &mut dyn FnMut(&Heap)) {
    let shape = &of.invariant.shape;
    let Some(id) = shape.fields_of(heap.class(object)).get(field).copied() else {
        // Objects come in the order in which they were met.
        if usize::from(object.0) + 1 < heap.len() {
            fill(of, heap, Object(object.0 + 1), 0, see);
        } else {
            see(heap);
        }
        return;
    };
    let mut go_on = |heap: &mut Heap, value: Value| {
        heap.set(object, id, value);
        fill(of, heap, object, field + 1, see);
    };
    if let Some(target) = shape.target(id) {
        go_on(heap, Value::Null);
        let fitting: Vec<Object> = heap.objects().filter(|o| shape.is(heap.class(*o), target)).collect();
        for there in fitting {
            go_on(heap, Value::Object(there));
        }
        for class in shape.subclasses(target) {
            if heap.objects().filter(|o| heap.class(*o) == class).count() < of.scope.of(class) {
                let new = heap.add(class);
                go_on(heap, Value::Object(new));
                heap.remove_last();
            }
        }
    } else {
        let (low, high) = match shape.kind(id) {
            Kind::Key => (0, i64::from(of.keys) - 1),
            _ => shape.range(id, of.scope.total() - 1).unwrap_or((0, 0)),
        };
        (low..=high).for_each(|n| go_on(heap, Value::Int(n as i32)));
    }
    heap.set(object, id, Value::Unknown);
}
