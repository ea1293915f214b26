//! An invariant under a scope as clauses.
//!
//! Objects are numbered 0 (the root object) to n-1. One variable says that field `f` of object `i` holds
//! object `j`, one that it holds null; exactly one of them is true. An object *lives* if some forward field
//! holds it. Labels follow the breadth-first order (TACO's symmetry breaking [Galeotti TSE'13]): with the
//! slots (object, field) in lexicographic order, object j+1 is first held by a later slot than object j, and
//! by an object with a smaller label. So each structure has exactly one labelling, living objects are a
//! prefix of the labels, and all of them can be reached from the root.
//!
//! Cost: f·n² variables for fields and as many for the order, 3·f·n² clauses for it. The formulas are in
//! `encode/formula.rs` and `encode/relation.rs`.

mod formula;
mod relation;

use crate::circuit::{Bits, Circuit, Lit};
use crate::heap::{Heap, MOST_OBJECTS, Object, Value};
use crate::invariant::{ClassId, FieldId, Invariant, Kind};
use std::rc::Rc;

/// The most objects of each class, in the order of the classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope(Vec<usize>);

impl Scope {
    /// A scope of one root object and `n` objects of each other class. Classes that no
    /// field can hold have none.
    pub fn each(invariant: &Invariant, n: usize) -> Self {
        let shape = &invariant.shape;
        let held = |class: ClassId| {
            (0..shape.fields.len())
                .any(|f| shape.target(FieldId(f as u8)).is_some_and(|t| shape.is(class, t)))
        };
        let most = (0..shape.classes.len() as u8).map(ClassId).map(|class| match class {
            ClassId(0) => 1,
            class if held(class) => n,
            _ => 0,
        });
        Scope(most.collect())
    }

    /// The same with another number of objects of one class.
    #[must_use]
    pub fn with(mut self, class: ClassId, n: usize) -> Self {
        self.0[usize::from(class.0)] = n.max(usize::from(class.0 == 0));
        self
    }

    /// The most objects of a class.
    pub fn of(&self, class: ClassId) -> usize {
        self.0[usize::from(class.0)]
    }

    /// All objects together, the root object included.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// Whether every heap in this scope is in the other, too.
    pub fn within(&self, other: &Scope) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a <= b)
    }
}

/// A scope that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The objects asked for.
    pub objects: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a scope of \"{}\" objects\nhelp: at most {MOST_OBJECTS} are supported", self.objects)
    }
}

impl std::error::Error for TooLarge {}

/// The clauses of an invariant, and which variable means what.
pub(crate) struct Encoding {
    pub invariant: Rc<Invariant>,
    pub scope: Scope,
    pub circuit: Circuit,
    /// All objects.
    pub n: usize,
    /// For each object and field: whether it holds object j; whether it holds null
    /// last. Empty for plain fields.
    references: Vec<Vec<Lit>>,
    /// For each object and field the integer; for keys and references nothing.
    numbers: Vec<Option<Bits>>,
    /// For each key field whether key i is at most key j.
    at_most: Vec<Vec<Lit>>,
    live: Vec<Lit>,
    /// For each object and class whether it is of exactly that class.
    class: Vec<Vec<Lit>>,
    /// The variables of classes and fields come before this one.
    pub field_variables: u32,
}

impl Encoding {
    /// Encodes an invariant under a scope.
    pub(crate) fn new(invariant: Rc<Invariant>, scope: &Scope) -> Result<Self, TooLarge> {
        let n = scope.total();
        if n > MOST_OBJECTS {
            return Err(TooLarge { objects: n });
        }
        let mut encoding = Encoding {
            invariant,
            scope: scope.clone(),
            circuit: Circuit::new(),
            n,
            references: Vec::new(),
            numbers: Vec::new(),
            at_most: Vec::new(),
            live: Vec::new(),
            class: Vec::new(),
            field_variables: 0,
        };
        encoding.classes();
        encoding.fields();
        encoding.field_variables = encoding.circuit.variables();
        encoding.keys();
        encoding.life();
        encoding.order();
        encoding.class_scopes();
        formula::require_all(&mut encoding);
        Ok(encoding)
    }

    fn slot(&self, object: usize, field: FieldId) -> usize {
        object * self.invariant.shape.fields.len() + usize::from(field.0)
    }

    /// Objects in the scope besides the root.
    pub(crate) fn others(&self) -> usize {
        self.n - 1
    }

    /// The literal for "this field holds this object" or, without an object, null.
    pub(crate) fn holds(&self, object: usize, field: FieldId, to: Option<usize>) -> Lit {
        let row = &self.references[self.slot(object, field)];
        row.get(to.unwrap_or(self.n)).copied().unwrap_or(Lit::FALSE)
    }

    /// The literal for "this object is of exactly this class", unless it is no question.
    pub(crate) fn class_literal(&self, object: usize, class: ClassId) -> Option<Lit> {
        let lit = self.class[object][usize::from(class.0)];
        (lit != Lit::TRUE).then_some(lit)
    }

    /// The literal for "this object is in the heap".
    pub(crate) fn lives(&self, object: usize) -> Lit {
        self.live[object]
    }

    /// The literal for "the key of one object is at most that of another".
    pub(crate) fn key_at_most(&self, field: FieldId, a: usize, b: usize) -> Lit {
        self.at_most[usize::from(field.0)][a * self.n + b]
    }

    fn may_be(&self, object: usize, class: ClassId) -> bool {
        self.class[object][usize::from(class.0)] != Lit::FALSE
    }

    /// Whether an object is of a class or one that extends it.
    fn is(&mut self, object: usize, class: ClassId) -> Lit {
        let exact: Vec<Lit> =
            self.invariant.shape.subclasses(class).map(|c| self.class[object][usize::from(c.0)]).collect();
        self.circuit.or(&exact)
    }

    /// One class for each object: fixed where only one is possible.
    fn classes(&mut self) {
        let count = self.invariant.shape.classes.len();
        let more_roots = self.scope.of(ClassId(0)) > 1;
        let others: Vec<usize> = (0..count)
            .filter(|c| if *c == 0 { more_roots } else { self.scope.of(ClassId(*c as u8)) > 0 })
            .collect();
        for object in 0..self.n {
            let mut row = vec![Lit::FALSE; count];
            match others.as_slice() {
                _ if object == 0 => row[0] = Lit::TRUE,
                [only] => row[*only] = Lit::TRUE,
                several => {
                    for class in several {
                        row[*class] = self.circuit.fresh();
                    }
                    exactly_one(&mut self.circuit, &row);
                }
            }
            self.class.push(row);
        }
    }

    fn fields(&mut self) {
        let invariant = self.invariant.clone();
        let shape = &invariant.shape;
        for object in 0..self.n {
            for f in 0..shape.fields.len() {
                let field = FieldId(f as u8);
                let owner = shape.fields[f].owner;
                let owned = self.is(object, owner);
                let mut row = Vec::new();
                let mut number = None;
                if let Some(target) = shape.target(field) {
                    for to in 0..self.n {
                        let fits = self.is(to, target);
                        if owned == Lit::FALSE || fits == Lit::FALSE {
                            row.push(Lit::FALSE);
                            continue;
                        }
                        let holds = self.circuit.fresh();
                        self.circuit.clause(&[!holds, owned]);
                        self.circuit.clause(&[!holds, fits]);
                        row.push(holds);
                    }
                    let null = if owned == Lit::FALSE { Lit::TRUE } else { self.circuit.fresh() };
                    row.push(null);
                    exactly_one(&mut self.circuit, &row);
                } else if let Some((low, high)) = shape.range(field, self.n - 1)
                    && owned != Lit::FALSE
                {
                    let mut bits = self.circuit.number(low, high.max(low));
                    // An object of a class without the field has one value there, so that different models
                    // are different structures.
                    let least = Bits::number(bits.low);
                    let fixed = self.circuit.equal(&bits, &least);
                    self.circuit.clause(&[owned, fixed]);
                    bits.defined = owned;
                    number = Some(bits);
                }
                self.references.push(row);
                self.numbers.push(number);
            }
        }
    }

    /// Keys as a total preorder: any integers are possible, and only their order matters.
    fn keys(&mut self) {
        for f in 0..self.invariant.shape.fields.len() {
            let mut rows = Vec::new();
            if self.invariant.shape.fields[f].kind == Kind::Key {
                let owner = self.invariant.shape.fields[f].owner;
                let subclasses: Vec<ClassId> = self.invariant.shape.subclasses(owner).collect();
                let having: Vec<usize> =
                    (0..self.n).filter(|o| subclasses.iter().any(|c| self.may_be(*o, *c))).collect();
                rows = vec![Lit::FALSE; self.n * self.n];
                for i in &having {
                    for j in &having {
                        rows[i * self.n + j] = if i == j { Lit::TRUE } else { self.circuit.fresh() };
                    }
                }
                for i in &having {
                    for j in &having {
                        let ij = rows[i * self.n + j];
                        self.circuit.clause(&[ij, rows[j * self.n + i]]);
                        for k in having.iter().filter(|k| *k != i && *k != j && i != j) {
                            self.circuit.clause(&[!ij, !rows[j * self.n + k], rows[i * self.n + k]]);
                        }
                    }
                }
            }
            self.at_most.push(rows);
        }
    }

    /// The forward fields of an object of unknown class, in declared order.
    fn forward(&self, object: usize) -> Vec<FieldId> {
        let invariant = self.invariant.clone();
        let shape = &invariant.shape;
        let all = (0..shape.fields.len() as u8).map(FieldId);
        let forward = all.filter(|f| matches!(shape.kind(*f), Kind::Reference { back: false, .. }));
        forward.filter(|f| self.references[self.slot(object, *f)].iter().any(|l| l.0 > 1)).collect()
    }

    fn life(&mut self) {
        self.live.push(Lit::TRUE);
        for to in 1..self.n {
            let mut holders = Vec::new();
            for object in 0..self.n {
                for field in self.forward(object) {
                    holders.push(self.holds(object, field, Some(to)));
                }
            }
            let live = self.circuit.or(&holders);
            self.live.push(live);
        }
        let invariant = self.invariant.clone();
        let shape = &invariant.shape;
        for object in 1..self.n {
            if let Some(first) = self.class[object].iter().copied().find(|c| *c != Lit::FALSE) {
                self.circuit.clause(&[self.live[object], first]);
            }
            for f in 0..shape.fields.len() {
                let field = FieldId(f as u8);
                let slot = self.slot(object, field);
                let live = self.live[object];
                if shape.target(field).is_some() {
                    // An object that does not live holds no object, and no object holds
                    // it (back fields included).
                    let null = self.holds(object, field, None);
                    self.circuit.clause(&[live, null]);
                    for from in 0..self.n {
                        let back = self.holds(from, field, Some(object));
                        self.circuit.clause(&[!back, live]);
                    }
                } else if let Some(bits) = self.numbers[slot].clone() {
                    let least = Bits::number(bits.low);
                    let fixed = self.circuit.equal(&bits, &least);
                    self.circuit.clause(&[live, fixed]);
                }
            }
        }
    }

    /// Labels in breadth-first order.
    fn order(&mut self) {
        let mut slots: Vec<(usize, FieldId)> = Vec::new();
        for object in 0..self.n {
            slots.extend(self.forward(object).into_iter().map(|field| (object, field)));
        }
        // earlier[t]: the object before this one is held by one of the slots before t.
        let mut earlier: Vec<Lit> = vec![Lit::TRUE; slots.len() + 1];
        for to in 1..self.n {
            let mut seen = vec![Lit::FALSE; slots.len() + 1];
            let mut last = Lit::FALSE;
            for (t, (object, field)) in slots.iter().enumerate() {
                if *object < to {
                    let here = self.holds(*object, *field, Some(to));
                    self.circuit.clause(&[!here, earlier[t]]);
                    last = self.circuit.or(&[last, here]);
                    self.circuit.clause(&[!last, earlier[t]]);
                }
                seen[t + 1] = last;
            }
            let live = self.live[to];
            self.circuit.clause(&[!live, last]);
            earlier = seen;
        }
    }

    /// At most so many objects of a class, where objects can be of several.
    fn class_scopes(&mut self) {
        for class in 0..self.invariant.shape.classes.len() {
            let most = self.scope.of(ClassId(class as u8));
            let mut members = Vec::new();
            for object in 0..self.n {
                let of_class = self.class[object][class];
                members.push(self.circuit.and(&[of_class, self.live[object]]));
            }
            members.retain(|m| *m != Lit::FALSE);
            if members.len() > most {
                let count = self.circuit.count(&members);
                let over = self.circuit.less(&Bits::number(most as i64), &count);
                self.circuit.clause(&[!over]);
            }
        }
    }

    /// The heap that a model describes: its living objects, under their labels.
    pub(crate) fn decode(&self, value: impl Fn(Lit) -> bool) -> Heap {
        let invariant = self.invariant.clone();
        let shape = &invariant.shape;
        let mut heap = Heap::new(shape);
        let live = (0..self.n).take_while(|o| value(self.live[*o])).count();
        for object in 1..live {
            let class = self.class[object].iter().position(|c| value(*c)).unwrap_or(0);
            heap.add(ClassId(class as u8));
        }
        for object in 0..live {
            let id = Object(object as u8);
            for field in shape.fields_of(heap.class(id)) {
                let slot = self.slot(object, *field);
                let found = match shape.kind(*field) {
                    Kind::Reference { .. } => {
                        let row = &self.references[slot];
                        match row.iter().position(|l| value(*l)) {
                            Some(to) if to < live => Value::Object(Object(to as u8)),
                            _ => Value::Null,
                        }
                    }
                    Kind::Key => {
                        let order = &self.at_most[usize::from(field.0)];
                        let smaller = (0..live).filter(|j| *j != object && self.has(&heap, *j, *field));
                        let rank = smaller.filter(|j| !value(order[object * self.n + j])).count();
                        Value::Int(rank as i32)
                    }
                    _ => Value::Int(self.numbers[slot].as_ref().map_or(0, |bits| number(bits, &value))),
                };
                heap.set(id, *field, found);
            }
        }
        heap
    }

    fn has(&self, heap: &Heap, object: usize, field: FieldId) -> bool {
        self.invariant.shape.fields_of(heap.class(Object(object as u8))).contains(&field)
    }

    /// The literals of references and classes.
    pub(crate) fn shape_literals(&self) -> impl Iterator<Item = Lit> + '_ {
        let classes = self.class.iter().flatten().copied();
        self.references.iter().flatten().copied().chain(classes).filter(|l| l.0 > 1)
    }

    /// The literals of references, plain fields except keys, and classes: they distinguish structures.
    pub(crate) fn field_literals(&self) -> impl Iterator<Item = Lit> + '_ {
        let references = self.references.iter().flatten().copied();
        let numbers = self.numbers.iter().flatten().flat_map(|b| b.lits.iter().copied());
        let classes = self.class.iter().flatten().copied();
        references.chain(numbers).chain(classes).filter(|l| l.0 > 1)
    }

    /// The literals that say that a plain field has a value; none if the range excludes it.
    pub(crate) fn equals(&self, object: usize, field: FieldId, value: i64) -> Option<Vec<Lit>> {
        let bits = self.numbers[self.slot(object, field)].as_ref()?;
        if value < bits.low || value > bits.high {
            return None;
        }
        let each = bits.lits.iter().enumerate();
        Some(each.map(|(i, l)| if value >> i & 1 == 1 { *l } else { !*l }).collect())
    }
}

fn number(bits: &Bits, value: &impl Fn(Lit) -> bool) -> i32 {
    let sign = bits.lits.len() - 1;
    let bit = |i: usize| i64::from(value(bits.lits[i]));
    ((0..sign).map(|i| bit(i) << i).sum::<i64>() - (bit(sign) << sign)) as i32
}

/// Pairwise: the rows are short, and binary clauses propagate at once.
fn exactly_one(circuit: &mut Circuit, lits: &[Lit]) {
    circuit.clause(lits);
    for (i, a) in lits.iter().enumerate() {
        for b in &lits[i + 1..] {
            if *a != Lit::FALSE && *b != Lit::FALSE {
                circuit.clause(&[!*a, !*b]);
            }
        }
    }
}
