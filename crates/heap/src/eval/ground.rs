//! An invariant on a heap whose references are known, as a formula about the plain fields of its objects.
//!
//! Sets and relations are about references only, so on such a heap quantifiers, closures and functions are
//! evaluated away, and the remaining formula compares integers made of plain fields. A machine whose plain
//! fields are symbols asks its own solver for values: path condition and ground formula together are the
//! inputs of a path that are valid.
//!
//! Where references are unknown too, every part of the formula has an upper and a lower approximation (an
//! unknown part counts as true, or as false), and the result is the upper one of the whole: a condition of
//! all valid heaps that extend this one. Without unknown references both are the same. Cost: quantifiers are
//! unrolled, so up to n^d comparisons for quantifiers nested d deep.

use super::{Eval, Members, Scratch, Truth, many_of, members};
use crate::heap::{Heap, Object};
use crate::invariant::{FieldId, Formula, FunId, Int, Invariant, Kind, Order, Set, Var};
use std::collections::HashMap;

/// A formula about plain fields.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// True or false.
    Constant(bool),
    /// Not.
    Not(Box<Ground>),
    /// All of them.
    And(Vec<Ground>),
    /// One of them at least.
    Or(Vec<Ground>),
    /// A comparison.
    Compare(Order, Number, Number),
}

/// An integer made of plain fields.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// A number.
    Constant(i64),
    /// A plain field of an object.
    Field(Object, FieldId),
    /// A sum.
    Add(Box<Number>, Box<Number>),
    /// A difference.
    Sub(Box<Number>, Box<Number>),
    /// A product.
    Mul(Box<Number>, Box<Number>),
    /// The remainder by a power of two, never negative.
    Mod(Box<Number>, i64),
    /// The greater one.
    Max(Box<Number>, Box<Number>),
    /// The smaller one.
    Min(Box<Number>, Box<Number>),
    /// One if the formula holds, else the other.
    If(Box<Ground>, Box<Number>, Box<Number>),
}

/// The condition on the plain fields under which the invariant holds; if references are
/// unknown, a necessary condition.
pub fn ground(invariant: &Invariant, heap: &Heap) -> Ground {
    let mut scratch = Scratch::default();
    let mut grounding =
        Grounding { eval: Eval::new(invariant, heap, &mut scratch), calls: HashMap::default() };
    if grounding.eval.reached() == Truth::False || grounding.eval.well_founded() == Truth::False {
        return Ground::Constant(false);
    }
    let parts = invariant.parts.iter().filter(|part| !part.implied);
    let parts = parts.map(|part| grounding.formula(&part.formula, Side::Upper));
    Ground::and(parts)
}

/// The declared ranges of the plain fields, under a scope of so many objects besides the root.
pub fn ranges(invariant: &Invariant, heap: &Heap, objects: usize) -> Ground {
    let shape = &invariant.shape;
    let mut all = Vec::new();
    for object in heap.objects() {
        for field in shape.fields_of(heap.class(object)) {
            if let Some((low, high)) = shape.range(*field, objects) {
                let value = || Number::Field(object, *field);
                all.push(Ground::compare(Order::AtMost, Number::Constant(low), value()));
                all.push(Ground::compare(Order::AtMost, value(), Number::Constant(high)));
            }
        }
    }
    Ground::and(all)
}

impl Ground {
    fn and(all: impl IntoIterator<Item = Ground>) -> Ground {
        let mut kept: Vec<Ground> = Vec::new();
        for each in all {
            match each {
                Ground::Constant(true) => {}
                Ground::Constant(false) => return each,
                Ground::And(more) => kept.extend(more),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Ground::Constant(true),
            1 => kept.remove(0),
            _ => Ground::And(kept),
        }
    }

    fn or(any: impl IntoIterator<Item = Ground>) -> Ground {
        let mut kept: Vec<Ground> = Vec::new();
        for each in any {
            match each {
                Ground::Constant(false) => {}
                Ground::Constant(true) => return each,
                Ground::Or(more) => kept.extend(more),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Ground::Constant(false),
            1 => kept.remove(0),
            _ => Ground::Or(kept),
        }
    }

    fn not(self) -> Ground {
        match self {
            Ground::Constant(b) => Ground::Constant(!b),
            Ground::Not(inner) => *inner,
            other => Ground::Not(Box::new(other)),
        }
    }

    fn compare(order: Order, a: Number, b: Number) -> Ground {
        match (&a, &b) {
            (Number::Constant(a), Number::Constant(b)) => Ground::Constant(order.holds(*a, *b)),
            _ => Ground::Compare(order, a, b),
        }
    }

    /// Whether it holds of these values.
    pub fn holds(&self, plain: &impl Fn(Object, FieldId) -> i64) -> bool {
        match self {
            Ground::Constant(b) => *b,
            Ground::Not(inner) => !inner.holds(plain),
            Ground::And(all) => all.iter().all(|each| each.holds(plain)),
            Ground::Or(any) => any.iter().any(|each| each.holds(plain)),
            Ground::Compare(order, a, b) => order.holds(a.value(plain), b.value(plain)),
        }
    }
}

impl Number {
    /// Its value under these values.
    pub fn value(&self, plain: &impl Fn(Object, FieldId) -> i64) -> i64 {
        match self {
            Number::Constant(n) => *n,
            Number::Field(object, field) => plain(*object, *field),
            Number::Add(a, b) => a.value(plain).wrapping_add(b.value(plain)),
            Number::Sub(a, b) => a.value(plain).wrapping_sub(b.value(plain)),
            Number::Mul(a, b) => a.value(plain).wrapping_mul(b.value(plain)),
            Number::Mod(a, n) => a.value(plain).rem_euclid(*n),
            Number::Max(a, b) => a.value(plain).max(b.value(plain)),
            Number::Min(a, b) => a.value(plain).min(b.value(plain)),
            Number::If(condition, a, b) => {
                if condition.holds(plain) {
                    a.value(plain)
                } else {
                    b.value(plain)
                }
            }
        }
    }
}

/// Which approximation of a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The formula implies it.
    Upper,
    /// It implies the formula.
    Lower,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Upper => Side::Lower,
            Side::Lower => Side::Upper,
        }
    }

    /// The formula that stands for an unknown part.
    fn unknown(self) -> Ground {
        Ground::Constant(self == Side::Upper)
    }

    fn of(self, truth: Truth) -> Ground {
        match truth {
            Truth::True => Ground::Constant(true),
            Truth::False => Ground::Constant(false),
            Truth::Unknown => self.unknown(),
        }
    }
}

/// An integer, and when it is defined.
#[derive(Clone)]
struct Partly {
    value: Number,
    defined: Ground,
}

impl Partly {
    fn total(value: Number) -> Partly {
        Partly { value, defined: Ground::Constant(true) }
    }

    fn undefined() -> Partly {
        Partly { value: Number::Constant(0), defined: Ground::Constant(false) }
    }
}

struct Grounding<'a> {
    eval: Eval<'a>,
    /// Values of functions, by argument; functions whose value for none is being
    /// computed are part of the key.
    calls: HashMap<(u8, u64, u64), Option<Partly>>,
}

impl<'a> Grounding<'a> {
    fn formula(&mut self, formula: &Formula, side: Side) -> Ground {
        match formula {
            Formula::Constant(b) => Ground::Constant(*b),
            Formula::Not(inner) => self.formula(inner, side.other()).not(),
            Formula::And(all) => Ground::and(all.iter().map(|each| self.formula(each, side))),
            Formula::Or(any) => Ground::or(any.iter().map(|each| self.formula(each, side))),
            Formula::All(var, domain, body) => self.all(*var, domain, body, side),
            Formula::Exists(var, domain, body) => self.some(*var, domain, body, side),
            Formula::Many(many, set) => {
                let set = self.eval.set(set);
                side.of(many_of(*many, set, self.eval.fresh))
            }
            // These are about references only.
            Formula::In(..) | Formula::Equal(..) => side.of(self.eval.formula(formula)),
            Formula::Compare(order, a, b) => match (self.int(a), self.int(b)) {
                (Some(a), Some(b)) => {
                    let said = Ground::compare(*order, a.value, b.value);
                    Ground::and([a.defined, b.defined, said])
                }
                (Some(Partly { defined: Ground::Constant(false), .. }), _)
                | (_, Some(Partly { defined: Ground::Constant(false), .. })) => Ground::Constant(false),
                _ => side.unknown(),
            },
            Formula::Flag(set, field) => match self.read(set, *field) {
                Some(flag) => {
                    let said = Ground::compare(Order::Unequal, flag.value, Number::Constant(0));
                    Ground::and([flag.defined, said])
                }
                None => side.unknown(),
            },
        }
    }

    fn all(&mut self, var: Var, domain: &Set, body: &Formula, side: Side) -> Ground {
        let domain = self.eval.set(domain);
        if side == Side::Lower && domain.may & self.eval.fresh != 0 {
            return Ground::Constant(false);
        }
        let of = if side == Side::Upper { domain.must } else { domain.may };
        let each = self.each(var, of, body, side);
        Ground::and(each)
    }

    fn some(&mut self, var: Var, domain: &Set, body: &Formula, side: Side) -> Ground {
        let domain = self.eval.set(domain);
        if side == Side::Upper && domain.may & self.eval.fresh != 0 {
            return Ground::Constant(true);
        }
        let of = if side == Side::Upper { domain.may } else { domain.must };
        let each = self.each(var, of, body, side);
        Ground::or(each)
    }

    fn each(&mut self, var: Var, of: u64, body: &Formula, side: Side) -> Vec<Ground> {
        let of = of & !self.eval.fresh;
        let each = members(of).map(|object| {
            self.eval.bind(var, object);
            self.formula(body, side)
        });
        each.collect()
    }

    /// Whether a set is known, as far as it has members.
    fn known(&mut self, set: &Set) -> Option<u64> {
        let Members { must, may } = self.eval.set(set);
        (must == may && may & self.eval.fresh == 0).then_some(may)
    }

    /// A plain field of the only member of a set; none if the set is not known.
    fn read(&mut self, set: &Set, field: FieldId) -> Option<Partly> {
        let set = self.known(set)?;
        if set == 0 {
            return Some(Partly::undefined());
        }
        if set.count_ones() != 1 {
            return None;
        }
        let object = Object(set.trailing_zeros() as u8);
        let shape = &self.eval.invariant.shape;
        if !shape.fields_of(self.eval.heap.class(object)).contains(&field) {
            return Some(Partly::undefined());
        }
        debug_assert!(!matches!(shape.kind(field), Kind::Reference { .. }));
        Some(Partly::total(Number::Field(object, field)))
    }

    fn int(&mut self, int: &Int) -> Option<Partly> {
        match int {
            Int::Number(n) => Some(Partly::total(Number::Constant(*n))),
            Int::Field(set, field) => self.read(set, *field),
            Int::Count(set) => {
                let count = self.known(set)?.count_ones();
                Some(Partly::total(Number::Constant(i64::from(count))))
            }
            Int::Add(a, b) => self.both(a, b, Number::Add, i64::wrapping_add),
            Int::Sub(a, b) => self.both(a, b, Number::Sub, i64::wrapping_sub),
            Int::Mul(a, b) => self.both(a, b, Number::Mul, i64::wrapping_mul),
            Int::Max(a, b) => self.both(a, b, Number::Max, i64::max),
            Int::Min(a, b) => self.both(a, b, Number::Min, i64::min),
            Int::Mod(a, n) => {
                let Partly { value, defined } = self.int(a)?;
                let value = match value {
                    Number::Constant(a) => Number::Constant(a.rem_euclid(*n)),
                    other => Number::Mod(Box::new(other), *n),
                };
                Some(Partly { value, defined })
            }
            Int::If(condition, a, b) => self.choice(condition, a, b),
            Int::Sum(var, domain, body) => {
                let domain = self.known(domain)?;
                let (mut value, mut defined) = (Number::Constant(0), Vec::new());
                for object in members(domain) {
                    self.eval.bind(*var, object);
                    let each = self.int(body)?;
                    value = combine(value, each.value, Number::Add, i64::wrapping_add);
                    defined.push(each.defined);
                }
                Some(Partly { value, defined: Ground::and(defined) })
            }
            Int::Call(fun, set) => {
                let argument = self.known(set)?;
                self.call(*fun, argument)
            }
        }
    }

    fn both(
        &mut self,
        a: &Int,
        b: &Int,
        make: fn(Box<Number>, Box<Number>) -> Number,
        fold: fn(i64, i64) -> i64,
    ) -> Option<Partly> {
        let (a, b) = (self.int(a), self.int(b));
        let undefined = |p: &Option<Partly>| p.as_ref().is_some_and(|p| p.defined == Ground::Constant(false));
        if undefined(&a) || undefined(&b) {
            return Some(Partly::undefined());
        }
        let (a, b) = (a?, b?);
        Some(Partly {
            value: combine(a.value, b.value, make, fold),
            defined: Ground::and([a.defined, b.defined]),
        })
    }

    fn choice(&mut self, condition: &Formula, a: &Int, b: &Int) -> Option<Partly> {
        let upper = self.formula(condition, Side::Upper);
        if self.formula(condition, Side::Lower) != upper {
            return None;
        }
        if let Ground::Constant(known) = upper {
            return self.int(if known { a } else { b });
        }
        let (a, b) = (self.int(a)?, self.int(b)?);
        let defined = if a.defined == b.defined {
            a.defined
        } else {
            Ground::or([
                Ground::and([upper.clone(), a.defined]),
                Ground::and([upper.clone().not(), b.defined]),
            ])
        };
        let value = Number::If(Box::new(upper), Box::new(a.value), Box::new(b.value));
        Some(Partly { value, defined })
    }

    /// As [`Eval::call`]; recursion ends because a cycle was looked for first, unless references are unknown:
    /// then an unknown set ends it.
    fn call(&mut self, fun: FunId, argument: u64) -> Option<Partly> {
        if argument == 0 && self.eval.of_none & (1 << fun.0) != 0 {
            return Some(Partly::undefined());
        }
        let key = (fun.0, argument, self.eval.of_none);
        if let Some(known) = self.calls.get(&key) {
            return known.clone();
        }
        let function = &self.eval.invariant.functions[usize::from(fun.0)];
        let outer = self.eval.of_none;
        if argument == 0 {
            self.eval.of_none |= 1 << fun.0;
        }
        let saved = std::mem::replace(&mut self.eval.scratch.env, vec![argument]);
        let value = self.int(&function.body);
        self.eval.scratch.env = saved;
        self.eval.of_none = outer;
        let high = function.high.value(super::number::MAX_SCOPE);
        let value = value.map(|Partly { value, defined }| {
            let above = Ground::compare(Order::AtMost, Number::Constant(function.low), value.clone());
            let below = Ground::compare(Order::AtMost, value.clone(), Number::Constant(high));
            Partly { value, defined: Ground::and([defined, above, below]) }
        });
        self.calls.insert(key, value.clone());
        value
    }
}

fn combine(
    a: Number,
    b: Number,
    make: fn(Box<Number>, Box<Number>) -> Number,
    fold: fn(i64, i64) -> i64,
) -> Number {
    match (&a, &b) {
        (Number::Constant(a), Number::Constant(b)) => Number::Constant(fold(*a, *b)),
        _ => make(Box::new(a), Box::new(b)),
    }
}
