//! Formulas and integers as clauses, quantifiers unrolled. Sets and relations are in `encode/relation.rs`.
//!
//! Where a formula only needs a closure from above (`n !in n.^next`, the domain of `all`), any relation that
//! contains it and is closed suffices, since the solver is free to take the least one: n² variables and n³
//! clauses without a gate. Elsewhere the exact closure is built by squaring, ⌈log n⌉ times n³ gates. A
//! literal for a formula that is required may be stronger than the formula, one for a formula that is
//! forbidden may be weaker ([Plaisted JSC'86]); `Side` says which.

use super::Encoding;
use crate::circuit::{Bits, Circuit, Lit};
use crate::invariant::{FieldId, Formula, FunId, Int, Invariant, Kind, Many, Order, RelId, Set};
use rustc_hash::FxHashMap;

/// How exactly a set or relation must be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// It may be larger than the exact closure.
    Above,
    Exact,
}

pub(super) struct Translation<'e, 'a> {
    pub(super) encoding: &'e mut Encoding,
    invariant: &'a Invariant,
    pub(super) relations: FxHashMap<(RelId, Side), Vec<Vec<Lit>>>,
    /// Transitive closures by what they close.
    pub(super) closures: FxHashMap<(RelId, Side), Vec<Vec<Lit>>>,
    /// The value of each function for each object, and for none last.
    functions: Vec<Vec<Bits>>,
    /// Values that were selected already, with their selectors.
    selected: FxHashMap<(usize, Vec<Lit>), Bits>,
    pub(super) env: Vec<Vec<Lit>>,
}

/// Adds the clauses of all parts that others do not imply.
pub(super) fn require_all(encoding: &mut Encoding) {
    let invariant = &*encoding.invariant.clone();
    let mut translation = Translation {
        encoding,
        invariant,
        relations: FxHashMap::default(),
        closures: FxHashMap::default(),
        functions: Vec::new(),
        selected: FxHashMap::default(),
        env: Vec::new(),
    };
    for fun in 0..invariant.functions.len() {
        translation.function(FunId(fun as u8));
    }
    for part in invariant.parts.iter().filter(|part| !part.implied) {
        translation.require(&mut Vec::new(), &part.formula);
    }
}

impl<'a> Translation<'_, 'a> {
    pub(super) fn circuit(&mut self) -> &mut Circuit {
        &mut self.encoding.circuit
    }

    pub(super) fn objects(&self) -> usize {
        self.encoding.n
    }

    /// Requires the formula, unless one of the literals of `unless` holds.
    fn require(&mut self, unless: &mut Vec<Lit>, formula: &'a Formula) {
        if unless.contains(&Lit::TRUE) {
            return;
        }
        match formula {
            Formula::And(all) => all.iter().for_each(|f| self.require(unless, f)),
            Formula::Or(any) => {
                let length = unless.len();
                // A compound part goes last, as clauses.
                let last = any.iter().rposition(|f| matches!(f, Formula::And(_) | Formula::All(..)));
                let last = last.unwrap_or(any.len() - 1);
                for (i, f) in any.iter().enumerate().filter(|(i, _)| *i != last) {
                    debug_assert!(i != last);
                    let lit = self.formula(f, true);
                    unless.push(lit);
                }
                self.require(unless, &any[last]);
                unless.truncate(length);
            }
            Formula::All(var, domain, body) => {
                let members = self.set(domain, Side::Above);
                for (object, member) in members.into_iter().enumerate().filter(|m| m.1 != Lit::FALSE) {
                    self.bind(usize::from(var.0), object);
                    unless.push(!member);
                    self.require(unless, body);
                    unless.pop();
                }
            }
            Formula::Not(f) => match &**f {
                Formula::Or(any) => {
                    for f in any {
                        let lit = self.formula(f, false);
                        unless.push(!lit);
                        self.circuit().clause(unless);
                        unless.pop();
                    }
                }
                _ => {
                    let lit = self.formula(formula, true);
                    unless.push(lit);
                    self.circuit().clause(unless);
                    unless.pop();
                }
            },
            _ => {
                let lit = self.formula(formula, true);
                unless.push(lit);
                self.circuit().clause(unless);
                unless.pop();
            }
        }
    }

    fn bind(&mut self, var: usize, object: usize) {
        self.env.truncate(var);
        self.env.resize(var, Vec::new());
        let mut one = vec![Lit::FALSE; self.objects()];
        one[object] = Lit::TRUE;
        self.env.push(one);
    }

    /// A literal that implies the formula if it is `required`, and that it implies if not.
    fn formula(&mut self, formula: &'a Formula, required: bool) -> Lit {
        let (minus, plus) = if required { (Side::Above, Side::Exact) } else { (Side::Exact, Side::Above) };
        match formula {
            Formula::Constant(b) => Lit::constant(*b),
            Formula::Not(f) => !self.formula(f, !required),
            Formula::And(all) => {
                let all: Vec<Lit> = all.iter().map(|f| self.formula(f, required)).collect();
                self.circuit().and(&all)
            }
            Formula::Or(any) => {
                let any: Vec<Lit> = any.iter().map(|f| self.formula(f, required)).collect();
                self.circuit().or(&any)
            }
            Formula::All(var, domain, body) => {
                let mut all = Vec::new();
                for (object, member) in self.set(domain, minus).into_iter().enumerate() {
                    if member != Lit::FALSE {
                        self.bind(usize::from(var.0), object);
                        let lit = self.formula(body, required);
                        all.push(self.circuit().or(&[!member, lit]));
                    }
                }
                self.circuit().and(&all)
            }
            Formula::Exists(var, domain, body) => {
                let mut any = Vec::new();
                for (object, member) in self.set(domain, plus).into_iter().enumerate() {
                    if member != Lit::FALSE {
                        self.bind(usize::from(var.0), object);
                        let lit = self.formula(body, required);
                        any.push(self.circuit().and(&[member, lit]));
                    }
                }
                self.circuit().or(&any)
            }
            Formula::Many(many, set) => {
                let side = match many {
                    Many::No | Many::Lone => minus,
                    Many::Some => plus,
                    Many::One => Side::Exact,
                };
                let members = self.set(set, side);
                self.many(*many, &members)
            }
            Formula::In(a, b) => {
                let (a, b) = (self.set(a, minus), self.set(b, plus));
                let each: Vec<Lit> = a.iter().zip(&b).map(|(a, b)| self.circuit().or(&[!*a, *b])).collect();
                self.circuit().and(&each)
            }
            Formula::Equal(a, b) => {
                let (a, b) = (self.set(a, Side::Exact), self.set(b, Side::Exact));
                let each: Vec<Lit> = a.iter().zip(&b).map(|(a, b)| !self.circuit().xor(*a, *b)).collect();
                self.circuit().and(&each)
            }
            Formula::Compare(order, a, b) => self.compare(*order, a, b),
            Formula::Flag(set, field) => {
                let bits = self.field(set, *field);
                let flag = bits.lits.first().copied().unwrap_or(Lit::FALSE);
                self.circuit().and(&[bits.defined, flag])
            }
        }
    }

    fn many(&mut self, many: Many, members: &[Lit]) -> Lit {
        let some = self.circuit().or(members);
        match many {
            Many::No => return !some,
            Many::Some => return some,
            Many::Lone | Many::One => {}
        }
        let mut before = Lit::FALSE;
        let mut twice = Vec::new();
        for member in members.iter().filter(|m| **m != Lit::FALSE) {
            twice.push(self.circuit().and(&[before, *member]));
            before = self.circuit().or(&[before, *member]);
        }
        let lone = !self.circuit().or(&twice);
        if many == Many::Lone { lone } else { self.circuit().and(&[lone, some]) }
    }

    fn compare(&mut self, order: Order, a: &'a Int, b: &'a Int) -> Lit {
        if let (Int::Field(x, f), Int::Field(y, _)) = (a, b)
            && *self.encoding.invariant.shape.kind(*f) == Kind::Key
        {
            return self.compare_keys(order, *f, x, y);
        }
        let (a, b) = (self.int(a), self.int(b));
        let circuit = self.circuit();
        let truth = match order {
            Order::Less => circuit.less(&a, &b),
            Order::AtMost => !circuit.less(&b, &a),
            Order::Equal => circuit.equal(&a, &b),
            Order::Unequal => !circuit.equal(&a, &b),
        };
        circuit.and(&[truth, a.defined, b.defined])
    }

    fn compare_keys(&mut self, order: Order, field: FieldId, x: &'a Set, y: &'a Set) -> Lit {
        let (x, y) = (self.set(x, Side::Exact), self.set(y, Side::Exact));
        let n = self.objects();
        let owner = self.encoding.invariant.shape.fields[usize::from(field.0)].owner;
        let mut any = Vec::new();
        for i in (0..n).filter(|i| x[*i] != Lit::FALSE) {
            for j in (0..n).filter(|j| y[*j] != Lit::FALSE) {
                let rows = &self.encoding.at_most[usize::from(field.0)];
                let (ij, ji) = (rows[i * n + j], rows[j * n + i]);
                let truth = match order {
                    Order::Less => !ji,
                    Order::AtMost => ij,
                    Order::Equal => self.circuit().and(&[ij, ji]),
                    Order::Unequal => !self.circuit().and(&[ij, ji]),
                };
                let (has_i, has_j) = (self.encoding.is(i, owner), self.encoding.is(j, owner));
                any.push(self.circuit().and(&[x[i], y[j], truth, has_i, has_j]));
            }
        }
        self.circuit().or(&any)
    }

    /// The value of the function for every object and for none.
    fn function(&mut self, fun: FunId) {
        let function = &self.invariant.functions[usize::from(fun.0)];
        let (low, high) = (function.low, function.high.value(self.encoding.others()).max(function.low));
        let n = self.objects();
        if let Some(along) = function.along {
            // Recursion must end.
            for (i, row) in self.closure(along, Side::Above).into_iter().enumerate() {
                self.circuit().clause(&[!row[i]]);
            }
        }
        let mut values = Vec::new();
        for object in 0..n {
            let of_class = self.encoding.is(object, function.class);
            values.push(if of_class == Lit::FALSE {
                Bits::undefined()
            } else {
                let mut bits = self.circuit().number(low, high);
                bits.defined = self.circuit().fresh();
                bits
            });
        }
        // The value for none must not depend on itself.
        values.push(Bits::undefined());
        self.functions.push(values.clone());
        self.env = vec![vec![Lit::FALSE; n]];
        let of_none = self.int(&function.body);
        let of_none = self.limited(of_none, low, high);
        self.functions[usize::from(fun.0)][n] = of_none;
        for (object, value) in values.iter().enumerate().take(n).filter(|v| v.1.defined != Lit::FALSE) {
            self.bind(0, object);
            let body = self.int(&function.body);
            let body = self.limited(body, low, high);
            let circuit = self.circuit();
            let same = circuit.equal(value, &body);
            circuit.clause(&[!value.defined, same]);
            circuit.clause(&[!value.defined, body.defined]);
            circuit.clause(&[value.defined, !body.defined]);
        }
        self.env.clear();
    }

    /// Undefined outside of the range.
    fn limited(&mut self, mut bits: Bits, low: i64, high: i64) -> Bits {
        let circuit = self.circuit();
        let below = circuit.less(&bits, &Bits::number(low));
        let above = circuit.less(&Bits::number(high), &bits);
        bits.defined = circuit.and(&[bits.defined, !below, !above]);
        bits
    }

    fn int(&mut self, int: &'a Int) -> Bits {
        match int {
            Int::Number(n) => Bits::number(*n),
            Int::Field(set, field) => self.field(set, *field),
            Int::Count(set) => {
                let mut members = self.set(set, Side::Exact);
                members.retain(|l| *l != Lit::FALSE);
                self.circuit().count(&members)
            }
            Int::Add(a, b) => self.both(a, b, Circuit::add),
            Int::Sub(a, b) => self.both(a, b, Circuit::sub),
            Int::Mul(a, b) => self.both(a, b, Circuit::mul),
            Int::Max(a, b) => self.both(a, b, |circuit, a, b| {
                let defined = circuit.and(&[a.defined, b.defined]);
                let less = circuit.less(a, b);
                Bits { defined, ..circuit.choose_bits(less, b, a) }
            }),
            Int::Min(a, b) => self.both(a, b, |circuit, a, b| {
                let defined = circuit.and(&[a.defined, b.defined]);
                let less = circuit.less(a, b);
                Bits { defined, ..circuit.choose_bits(less, a, b) }
            }),
            Int::Mod(a, n) => {
                let a = self.int(a);
                self.circuit().low_bits(&a, *n)
            }
            Int::If(condition, a, b) => {
                let condition = self.exact(condition);
                if condition == Lit::TRUE {
                    return self.int(a);
                }
                if condition == Lit::FALSE {
                    return self.int(b);
                }
                self.both(a, b, |circuit, a, b| circuit.choose_bits(condition, a, b))
            }
            Int::Sum(var, domain, body) => {
                let mut sum = Bits::number(0);
                for (object, member) in self.set(domain, Side::Exact).into_iter().enumerate() {
                    if member != Lit::FALSE {
                        self.bind(usize::from(var.0), object);
                        let value = self.int(body);
                        let circuit = self.circuit();
                        let value = circuit.choose_bits(member, &value, &Bits::number(0));
                        sum = circuit.add(&sum, &value);
                    }
                }
                sum
            }
            Int::Call(fun, set) => {
                let selectors = self.selectors(set);
                let index = usize::from(fun.0);
                let key = (index, selectors);
                if let Some(bits) = self.selected.get(&key) {
                    return bits.clone();
                }
                let values = &self.functions[index];
                let choices: Vec<(Lit, &Bits)> = key.1.iter().copied().zip(values).collect();
                let bits = self.encoding.circuit.select(&choices);
                // While the value for none is being made, nothing may remember it.
                if key.1.iter().take(self.encoding.n).any(|l| *l != Lit::FALSE) {
                    self.selected.insert(key, bits.clone());
                }
                bits
            }
        }
    }

    /// A literal that is equivalent to the formula.
    fn exact(&mut self, formula: &'a Formula) -> Lit {
        let above = self.formula(formula, false);
        let below = self.formula(formula, true);
        if above == below {
            return above;
        }
        // Required and forbidden forms differ only through closures from above; both must agree.
        let circuit = self.circuit();
        circuit.clause(&[!above, below]);
        circuit.clause(&[above, !below]);
        below
    }

    fn both(&mut self, a: &'a Int, b: &'a Int, f: impl Fn(&mut Circuit, &Bits, &Bits) -> Bits) -> Bits {
        let (a, b) = (self.int(a), self.int(b));
        f(self.circuit(), &a, &b)
    }

    /// Whether the set is each object, and none last.
    fn selectors(&mut self, set: &'a Set) -> Vec<Lit> {
        let mut members = self.set(set, Side::Exact);
        let some = self.circuit().or(&members);
        members.push(!some);
        members
    }

    fn field(&mut self, set: &'a Set, field: FieldId) -> Bits {
        let selectors = self.selectors(set);
        let key = (256 + usize::from(field.0), selectors);
        if let Some(bits) = self.selected.get(&key) {
            return bits.clone();
        }
        let n = self.objects();
        let none = Bits::undefined();
        let encoding = &mut *self.encoding;
        let values: Vec<&Bits> = (0..n)
            .map(|object| {
                encoding.numbers[object * encoding.invariant.shape.fields.len() + usize::from(field.0)]
                    .as_ref()
            })
            .map(|bits| bits.unwrap_or(&none))
            .chain([&none])
            .collect();
        let choices: Vec<(Lit, &Bits)> = key.1.iter().copied().zip(values).collect();
        let bits = encoding.circuit.select(&choices);
        self.selected.insert(key, bits.clone());
        bits
    }
}
