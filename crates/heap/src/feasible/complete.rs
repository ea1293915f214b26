//! Completes a partial heap to a valid one that agrees with all that is known, in whatever order it was read.
//!
//! Past the first unknown field of the breadth-first order an object's label is not known; so variables say which label each object of the
//! partial heap has, one for each pair, and what is known becomes clauses about labels: n² for each known reference. They
//! hold under one literal, which is given up afterwards. This is exact, unlike the check of prefixes, and costs more: it
//! is for the ends of paths.

use super::Feasibility;
use crate::circuit::Lit;
use crate::heap::{Heap, Object, Value};
use crate::invariant::{FieldId, Kind};

/// A partial heap that is being completed: each answer is another shape, smaller ones first.
#[derive(Debug)]
pub struct Completing {
    active: Lit,
    /// For each object of the partial heap and each label whether it has it.
    labels: Vec<Vec<Lit>>,
    /// No shape with fewer objects is left.
    least: usize,
}

/// What is known about one more completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completed {
    /// A valid heap, and for each object of the partial heap the one that it has become. Keys are ranks.
    Heap(Heap, Vec<Object>),
    /// There is none.
    None,
    /// The solver failed.
    Unknown,
}

impl Feasibility {
    /// A valid heap within the scope that extends a partial one, and for each object of the partial heap the one that it has become. None
    /// if there is none, or the solver failed.
    pub fn complete(&mut self, heap: &Heap) -> Option<(Heap, Vec<Object>)> {
        let mut completing = self.begin(heap)?;
        // Whichever comes first: nobody asked for the smallest.
        completing.least = self.encoding.n;
        let found = self.next(&mut completing);
        self.end(completing);
        match found {
            Completed::Heap(heap, places) => Some((heap, places)),
            Completed::None | Completed::Unknown => None,
        }
    }

    /// Begins to complete a partial heap; none if it has more objects than the scope.
    pub fn begin(&mut self, heap: &Heap) -> Option<Completing> {
        let n = self.encoding.n;
        if heap.len() > n {
            return None;
        }
        let active = self.fresh();
        let mut labels: Vec<Vec<Lit>> = Vec::new();
        for object in heap.objects() {
            let row: Vec<Lit> = (0..n).map(|_| self.fresh()).collect();
            let mut some = vec![!active];
            some.extend(&row);
            self.solver.clause(&some);
            for (label, lit) in row.iter().enumerate() {
                for other in &row[label + 1..] {
                    self.solver.clause(&[!active, !*lit, !*other]);
                }
                for earlier in &labels {
                    self.solver.clause(&[!active, !*lit, !earlier[label]]);
                }
                if let Some(class) = self.encoding.class_literal(label, heap.class(object)) {
                    self.solver.clause(&[!active, !*lit, class]);
                }
                let living = self.encoding.lives(label);
                self.solver.clause(&[!active, !*lit, living]);
            }
            labels.push(row);
        }
        // The root object is where it is.
        self.solver.clause(&[!active, labels[0][0]]);
        let invariant = self.encoding.invariant.clone();
        for object in heap.objects() {
            for field in invariant.shape.fields_of(heap.class(object)) {
                self.agree(active, &labels, heap, object, *field);
            }
        }
        Some(Completing { active, labels, least: heap.len() })
    }

    /// The next completion; one of its shape (classes and references) does not come again.
    pub fn next(&mut self, completing: &mut Completing) -> Completed {
        let active = completing.active;
        loop {
            self.counters.sat_calls += 1;
            let said = if completing.least < self.encoding.n {
                let fewer = !self.encoding.lives(completing.least);
                self.solver.solve(&[active, fewer])
            } else {
                self.solver.solve(&[active])
            };
            match said {
                Some(true) => break,
                Some(false) if completing.least < self.encoding.n => completing.least += 1,
                Some(false) => return Completed::None,
                None => return Completed::Unknown,
            }
        }
        self.counters.sat += 1;
        let solver = &self.solver;
        let place = |row: &Vec<Lit>| row.iter().position(|l| solver.value(*l)).unwrap_or(0);
        let places = completing.labels.iter().map(|row| Object(place(row) as u8)).collect();
        let heap = self.encoding.decode(|l| solver.value(l));
        let shape = self.encoding.shape_literals().chain(completing.labels.iter().flatten().copied());
        let mut other = vec![!active];
        other.extend(shape.filter(|l| solver.value(*l)).map(|l| !l));
        self.solver.clause(&other);
        Completed::Heap(heap, places)
    }

    /// Gives up what was asked of the solver for this completion alone.
    pub fn end(&mut self, completing: Completing) {
        self.solver.clause(&[!completing.active]);
    }

    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit((self.variables - 1) << 1)
    }

    /// Requires that a field has its known value, if it has one.
    fn agree(&mut self, active: Lit, labels: &[Vec<Lit>], heap: &Heap, object: Object, field: FieldId) {
        let row = &labels[usize::from(object.0)];
        match heap.get(object, field) {
            Value::Unknown => {}
            Value::Null => {
                for (label, lit) in row.iter().enumerate() {
                    self.solver.clause(&[!active, !*lit, self.encoding.holds(label, field, None)]);
                }
            }
            Value::Object(to) => {
                for (label, lit) in row.iter().enumerate() {
                    for (target, other) in labels[usize::from(to.0)].iter().enumerate() {
                        let holds = self.encoding.holds(label, field, Some(target));
                        self.solver.clause(&[!active, !*lit, !*other, holds]);
                    }
                }
            }
            Value::Int(n) if *self.encoding.invariant.shape.kind(field) == Kind::Key => {
                self.agree_keys(active, labels, heap, object, field, n);
            }
            Value::Int(n) => {
                for (label, lit) in row.iter().enumerate() {
                    match self.encoding.equals(label, field, i64::from(n)) {
                        Some(bits) => bits.iter().for_each(|b| self.solver.clause(&[!active, !*lit, *b])),
                        None => self.solver.clause(&[!active, !*lit]),
                    }
                }
            }
        }
    }

    /// Known keys are in their order.
    fn agree_keys(
        &mut self,
        active: Lit,
        labels: &[Vec<Lit>],
        heap: &Heap,
        object: Object,
        field: FieldId,
        key: i32,
    ) {
        for other in heap.objects().filter(|o| *o != object) {
            let Value::Int(other_key) = heap.get(other, field) else { continue };
            for (a, at_a) in labels[usize::from(object.0)].iter().enumerate() {
                for (b, at_b) in labels[usize::from(other.0)].iter().enumerate().filter(|b| b.0 != a) {
                    let at_most = self.encoding.key_at_most(field, a, b);
                    let wanted = if key <= other_key { at_most } else { !at_most };
                    self.solver.clause(&[!active, !*at_a, !*at_b, wanted]);
                }
            }
        }
    }
}
