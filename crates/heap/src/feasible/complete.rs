//! Completes a partial heap to a valid one that agrees with all known fields, in
//! whatever order they were read.
//!
//! Past the first unknown field of the breadth-first order an object's label is not known; so variables
//! encode which label each object of the partial heap has, one for each pair, and known fields become
//! clauses about labels: n² for each known reference. Each such piece of knowledge has a literal that
//! implies it and is assumed where it holds. So the pieces are shared by all heaps that are ever completed,
//! and the solver does not grow with their number. This is exact, unlike the check of prefixes, and costs
//! more: it is for the ends of paths.

use super::Feasibility;
use crate::circuit::Lit;
use crate::heap::{Heap, Object, Value};
use crate::invariant::{ClassId, FieldId, Kind};

/// A piece of knowledge about objects of partial heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fact {
    Class(Object, ClassId),
    Null(Object, FieldId),
    Holds(Object, FieldId, Object),
    Number(Object, FieldId, i32),
    /// The key of the first is at most that of the second.
    AtMost(Object, FieldId, Object),
    /// The key of the first is greater.
    Greater(Object, FieldId, Object),
}

/// A partial heap that is being completed: each answer is another shape, smaller ones first.
#[derive(Debug)]
pub struct Completing {
    facts: Vec<Lit>,
    objects: usize,
    /// No shape with fewer objects is left; none before the first question.
    least: Option<usize>,
    /// The clauses that forbid found shapes hold under this literal.
    active: Option<Lit>,
    /// The shape that was found last.
    last: Vec<Lit>,
}

/// A completion: the heap, where the objects of the partial one are in it, and its shape.
type Shaped = (Heap, Vec<Object>, Vec<Lit>);

/// The outcome of a request for one more completion.
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
    /// A valid heap within the scope that extends a partial one, and for each object of the partial heap the
    /// one that it has become. None if there is none, or the solver failed.
    pub fn complete(&mut self, heap: &Heap) -> Option<(Heap, Vec<Object>)> {
        let completing = self.begin(heap)?;
        match self.solve_for(&completing, None) {
            Completed::Heap(heap, places) => Some((heap, places)),
            Completed::None | Completed::Unknown => None,
        }
    }

    /// Begins to complete a partial heap; none if it has more objects than the scope.
    pub fn begin(&mut self, heap: &Heap) -> Option<Completing> {
        if heap.len() > self.encoding.n {
            return None;
        }
        let mut facts = Vec::new();
        for object in heap.objects() {
            facts.push(self.exists(object));
            facts.push(self.fact(Fact::Class(object, heap.class(object))));
        }
        let invariant = self.encoding.invariant.clone();
        for object in heap.objects() {
            for field in invariant.shape.fields_of(heap.class(object)) {
                match heap.get(object, *field) {
                    Value::Unknown => {}
                    Value::Null => facts.push(self.fact(Fact::Null(object, *field))),
                    Value::Object(to) => facts.push(self.fact(Fact::Holds(object, *field, to))),
                    Value::Int(n) if *invariant.shape.kind(*field) != Kind::Key => {
                        facts.push(self.fact(Fact::Number(object, *field, n)));
                    }
                    Value::Int(key) => {
                        for other in heap.objects().filter(|o| *o != object) {
                            let Value::Int(other_key) = heap.get(other, *field) else { continue };
                            let order = if key <= other_key { Fact::AtMost } else { Fact::Greater };
                            facts.push(self.fact(order(object, *field, other)));
                        }
                    }
                }
            }
        }
        let objects = heap.len();
        Some(Completing { facts, objects, least: None, active: None, last: Vec::new() })
    }

    /// The next completion; one of its shape (classes and references) does not come again.
    pub fn next(&mut self, completing: &mut Completing) -> Completed {
        self.forbid_last(completing);
        let (mut least, mut smallest) = match completing.least {
            Some(least) => (least, None),
            None => match self.solve_for(completing, None) {
                Completed::Heap(heap, places) => {
                    let shape = self.shape_now(completing);
                    (completing.objects, Some((heap, places, shape)))
                }
                other => return other,
            },
        };
        let most = smallest.as_ref().map_or(self.encoding.n, |(heap, ..)| heap.len());
        while least < most {
            match self.solve_for(completing, Some(least)) {
                Completed::Heap(heap, places) => {
                    let shape = self.shape_now(completing);
                    smallest = Some((heap, places, shape));
                    break;
                }
                Completed::None => least += 1,
                Completed::Unknown => return Completed::Unknown,
            }
        }
        completing.least = Some(least);
        let found = match smallest {
            Some(found) => found,
            None => match self.solve_for(completing, None) {
                Completed::Heap(heap, places) => {
                    let shape = self.shape_now(completing);
                    (heap, places, shape)
                }
                other => return other,
            },
        };
        let found = self.first_of(completing, least, found);
        completing.last = found.2;
        Completed::Heap(found.0, found.1)
    }

    /// Of the completions with so many objects the first in an order of shapes, given one of them: the
    /// solver's choice depends on all earlier questions, and a test must not. Each reference that is not null
    /// costs a question at most.
    fn first_of(&mut self, completing: &Completing, most: usize, found: Shaped) -> Shaped {
        let labels = self.labels[..completing.objects].iter().flatten().copied();
        let mut literals: Vec<Lit> = self.encoding.shape_literals().chain(labels).collect();
        literals.reverse();
        let mut assumed = self.assumptions(completing, Some(most));
        let mut first = found;
        for literal in literals {
            if first.2.contains(&literal) {
                assumed.push(!literal);
                match self.solve(completing, &assumed) {
                    Completed::Heap(heap, places) => first = (heap, places, self.shape_now(completing)),
                    Completed::None => {
                        assumed.pop();
                        assumed.push(literal);
                    }
                    Completed::Unknown => return first,
                }
            } else {
                assumed.push(!literal);
            }
        }
        first
    }

    /// Retracts the clauses for this completion alone.
    pub fn end(&mut self, completing: Completing) {
        if let Some(active) = completing.active {
            self.solver.clause(&[!active]);
        }
    }

    /// A completion with at most so many objects.
    fn solve_for(&mut self, completing: &Completing, most: Option<usize>) -> Completed {
        let assumed = self.assumptions(completing, most);
        self.solve(completing, &assumed)
    }

    /// The literals of completions with at most so many objects.
    fn assumptions(&self, completing: &Completing, most: Option<usize>) -> Vec<Lit> {
        let mut assumed = completing.facts.clone();
        assumed.extend(completing.active);
        if let Some(most) = most.filter(|most| *most < self.encoding.n) {
            assumed.push(!self.encoding.lives(most));
        }
        assumed
    }

    fn solve(&mut self, completing: &Completing, assumed: &[Lit]) -> Completed {
        self.counters.sat_calls += 1;
        match self.solver.solve(assumed) {
            Some(true) => {}
            Some(false) => return Completed::None,
            None => return Completed::Unknown,
        }
        self.counters.sat += 1;
        let solver = &self.solver;
        let place = |row: &Vec<Lit>| row.iter().position(|l| solver.value(*l)).unwrap_or(0);
        let places = self.labels[..completing.objects].iter().map(|row| Object(place(row) as u8)).collect();
        Completed::Heap(self.encoding.decode(|l| solver.value(l)), places)
    }

    /// The shape of the last model: classes, references, and the places of the known objects.
    fn shape_now(&self, completing: &Completing) -> Vec<Lit> {
        let labels = self.labels[..completing.objects].iter().flatten().copied();
        self.encoding.shape_literals().chain(labels).filter(|l| self.solver.value(*l)).collect()
    }

    fn forbid_last(&mut self, completing: &mut Completing) {
        if completing.last.is_empty() {
            return;
        }
        let active = match completing.active {
            Some(active) => active,
            None => self.fresh(),
        };
        completing.active = Some(active);
        let mut other = vec![!active];
        other.extend(completing.last.drain(..).map(|l| !l));
        self.solver.clause(&other);
    }

    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit((self.variables - 1) << 1)
    }

    /// The literal under which an object has a label; no two objects have the same.
    fn exists(&mut self, object: Object) -> Lit {
        while self.labels.len() <= usize::from(object.0) {
            let exists = self.fresh();
            let row: Vec<Lit> = (0..self.encoding.n).map(|_| self.fresh()).collect();
            let mut some = vec![!exists];
            some.extend(&row);
            self.solver.clause(&some);
            for (label, lit) in row.iter().enumerate() {
                row[label + 1..].iter().for_each(|other| self.solver.clause(&[!*lit, !*other]));
                self.labels.iter().for_each(|earlier| self.solver.clause(&[!*lit, !earlier[label]]));
                let living = self.encoding.lives(label);
                self.solver.clause(&[!*lit, living]);
            }
            // The root object is where it is.
            if self.labels.is_empty() {
                self.solver.clause(&[row[0]]);
            }
            self.labels.push(row);
            self.existing.push(exists);
        }
        self.existing[usize::from(object.0)]
    }

    /// The literal that implies a piece of knowledge.
    fn fact(&mut self, fact: Fact) -> Lit {
        if let Some(known) = self.facts.get(&fact) {
            return *known;
        }
        let lit = self.fresh();
        self.facts.insert(fact, lit);
        let row = |object: Object| self.labels[usize::from(object.0)].clone();
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        match fact {
            Fact::Class(object, class) => {
                for (label, at) in row(object).into_iter().enumerate() {
                    if let Some(class) = self.encoding.class_literal(label, class) {
                        clauses.push(vec![!at, class]);
                    }
                }
            }
            Fact::Null(object, field) => {
                for (label, at) in row(object).into_iter().enumerate() {
                    clauses.push(vec![!at, self.encoding.holds(label, field, None)]);
                }
            }
            Fact::Holds(object, field, to) => {
                for (label, at) in row(object).into_iter().enumerate() {
                    for (target, there) in row(to).into_iter().enumerate() {
                        clauses.push(vec![!at, !there, self.encoding.holds(label, field, Some(target))]);
                    }
                }
            }
            Fact::Number(object, field, n) => {
                for (label, at) in row(object).into_iter().enumerate() {
                    match self.encoding.equals(label, field, i64::from(n)) {
                        Some(bits) => clauses.extend(bits.iter().map(|bit| vec![!at, *bit])),
                        None => clauses.push(vec![!at]),
                    }
                }
            }
            Fact::AtMost(object, field, other) | Fact::Greater(object, field, other) => {
                for (a, at_a) in row(object).into_iter().enumerate() {
                    for (b, at_b) in row(other).into_iter().enumerate().filter(|b| b.0 != a) {
                        let at_most = self.encoding.key_at_most(field, a, b);
                        let is_wanted = matches!(fact, Fact::AtMost(..));
                        clauses.push(vec![!at_a, !at_b, if is_wanted { at_most } else { !at_most }]);
                    }
                }
            }
        }
        for mut clause in clauses {
            clause.push(!lit);
            self.solver.clause(&clause);
        }
        lit
    }
}
