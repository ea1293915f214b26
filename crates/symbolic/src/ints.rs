//! Conditions over integers: everything is linear, and every bit operation is a floor division by a constant.
//!
//! A value is a linear form over Int symbols. Where machine arithmetic leaves the integers, one new symbol is the
//! quotient `q = floor(form / m)`, defined by `0 <= form - m * q <= m - 1`, and the value stays linear in `q`:
//!
//! | expression | value |
//! |---|---|
//! | `f` wrapped to w bits | `f - 2^w * floor((f + 2^(w-1)) / 2^w)` |
//! | `x & (2^k - 1)`, `(char) x` | `x - 2^k * floor(x / 2^k)` |
//! | `x >> k` | `floor(x / 2^k)` |
//! | `x >>> k` | `floor(x / 2^k) - 2^(w-k) * s` with `s = floor(x / 2^(w-1))`, which is -1 or 0: the sign |
//! | `x / c` towards zero | `floor((x - (c - 1) * s) / c)` |
//! | `x % c` | `x - c * (x / c)` |
//!
//! The definition of a quotient has exactly one solution for every value of the form, so it can be asserted with anything.
//! The only thing that is not said is that a long has 64 bits: unsat is unsat all the same, and [`crate::Writer::read`]
//! says of a model whether it fits.
//!
//! All of it stays a conjunction of linear comparisons, which the native core decides.

use crate::exprs::Exprs;
use crate::node::{Cond, Expr, Input, Node};
use crate::op::{Binary, Cast, Ints, Kind};
use crate::writer::Written;
use evergreen_term::{Fun, SortId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A linear form over terms of sort Int, sorted by term; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct Lin {
    terms: Vec<(TermId, i128)>,
    constant: i128,
}

impl Lin {
    fn constant(constant: i128) -> Lin {
        Lin { terms: Vec::new(), constant }
    }

    fn term(term: TermId) -> Lin {
        Lin { terms: vec![(term, 1)], constant: 0 }
    }

    /// `self + factor * other`. Nothing overflows: [`Write::form`] keeps products below [`LIMIT`].
    fn plus(&self, factor: i128, other: &Lin) -> Lin {
        let mut terms = self.terms.clone();
        for &(term, coefficient) in &other.terms {
            let more = factor * coefficient;
            match terms.binary_search_by_key(&term, |t| t.0) {
                Ok(at) => {
                    terms[at].1 += more;
                }
                Err(at) => terms.insert(at, (term, more)),
            }
        }
        terms.retain(|t| t.1 != 0);
        Lin { terms, constant: self.constant + factor * other.constant }
    }

    fn shifted(&self, by: i128) -> Lin {
        Lin { terms: self.terms.clone(), constant: self.constant + by }
    }

    /// The size of the largest coefficient, or of the constant.
    fn magnitude(&self) -> u128 {
        self.terms.iter().fold(self.constant.unsigned_abs(), |most, t| most.max(t.1.unsigned_abs()))
    }
}

/// A value that would get larger coefficients than this is given a name instead.
const LIMIT: u128 = 1 << 96;

/// What has been written over integers.
#[derive(Default)]
pub(crate) struct Integers {
    /// The symbols of the inputs.
    pub(crate) inputs: Vec<(Input, TermId)>,
    values: FxHashMap<u32, Lin>,
    conds: FxHashMap<u32, TermId>,
    /// The definitions that a node itself needs, beyond those of its children.
    definitions: FxHashMap<u32, Vec<TermId>>,
    /// Symbols that stand for the values of nodes.
    named: FxHashMap<u32, (TermId, TermId)>,
    quotients: FxHashMap<(Lin, i128), (TermId, [TermId; 2])>,
    names: FxHashSet<String>,
    /// A number for each term that depends on its structure and names only: new symbols are named after what they
    /// mean, and so are the same in the next run and the next version.
    digests: FxHashMap<TermId, u64>,
}

fn digest(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

impl Integers {
    /// The condition with what it needs.
    pub(crate) fn write(&mut self, exprs: &Exprs, terms: &mut Terms, cond: Cond) -> Written {
        let order = self.order(exprs, cond.index());
        let mut write = Write { to: self, exprs, terms };
        for &node in &order {
            write.node(node);
        }
        let condition = write.literal(cond);
        Written::collect(exprs, &order, &self.definitions, condition)
    }

    /// The nodes whose values a condition needs, children first.
    fn order(&self, exprs: &Exprs, root: u32) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = [root].into_iter().collect();
        let mut open = vec![root];
        while let Some(index) = open.pop() {
            let mut visit = |child: u32| {
                if seen.insert(child) {
                    open.push(child);
                }
            };
            match exprs.nodes[index as usize].node {
                // Used without wrapping: only the atoms are needed.
                Node::Eq(a, b) if unwrapped_zero(exprs, a, b).is_some() => {
                    exprs.children(exprs.node(a), visit);
                }
                Node::Binary(_, a, _) | Node::Cast(_, a) if is_unwrapped(exprs, Expr(index)) => {
                    exprs.children(exprs.node(a), visit);
                }
                node => exprs.children(node, &mut visit),
            }
        }
        let mut order: Vec<u32> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }
}

/// For a form that may wrap and is compared with zero: the only multiple of 2^bits that it can be, if there is but one.
fn unwrapped_zero(exprs: &Exprs, a: Expr, b: Expr) -> Option<i128> {
    if exprs.is_exact(a) || exprs.as_raw(b) != Some(0) {
        return None;
    }
    match exprs.multiples(exprs.kind(a), &exprs.as_sum(a)) {
        (1, multiple) => Some(multiple),
        _ => None,
    }
}

/// Whether an operation takes the low bits of a form that may wrap: wrapping does not change those.
fn is_unwrapped(exprs: &Exprs, expr: Expr) -> bool {
    match exprs.node(expr) {
        Node::Binary(Binary::And, a, _) => !exprs.is_exact(a),
        Node::Cast(Cast::I2B | Cast::I2S | Cast::I2C | Cast::L2I, a) => !exprs.is_exact(a),
        _ => false,
    }
}

struct Write<'a> {
    to: &'a mut Integers,
    exprs: &'a Exprs,
    terms: &'a mut Terms,
}

impl Write<'_> {
    fn node(&mut self, index: u32) {
        if self.to.values.contains_key(&index) || self.to.conds.contains_key(&index) {
            return;
        }
        let data = &self.exprs.nodes[index as usize];
        match data.node {
            Node::True | Node::Eq(..) | Node::Lt(..) | Node::And(..) => {
                let mut definitions = Vec::new();
                let term = self.positive(index, &mut definitions);
                self.to.conds.insert(index, term);
                self.to.definitions.insert(index, definitions);
            }
            // Not reached: conditions on floats are hard, and hard conditions are not written here.
            Node::FloatEq(..) | Node::FloatLt(..) | Node::FloatLe(..) => {}
            _ => {
                let mut definitions = Vec::new();
                let value = self.value(index, &mut definitions);
                self.to.values.insert(index, value);
                self.to.definitions.insert(index, definitions);
            }
        }
    }

    fn of(&self, expr: Expr) -> Lin {
        self.to.values.get(&expr.0).cloned().unwrap_or_default()
    }

    fn value(&mut self, index: u32, definitions: &mut Vec<TermId>) -> Lin {
        let data = &self.exprs.nodes[index as usize];
        let (kind, node) = (data.kind, data.node);
        match node {
            Node::Const(raw) => Lin::constant(i128::from(raw)),
            Node::Input(input) => Lin::term(self.input(input, (data.lo, data.hi), definitions)),
            Node::Linear(_) => {
                let form = self.form(Expr(index), definitions);
                if self.exprs.is_exact(Expr(index)) {
                    form
                } else {
                    self.wrapped(&form, kind.bits(), definitions)
                }
            }
            Node::Binary(op, a, b) => {
                let x = self.low_part(index, a, definitions);
                self.binary(op, kind, (a, x), b, definitions)
            }
            Node::Cast(cast, a) => {
                let value = self.low_part(index, a, definitions);
                match cast {
                    Cast::I2L => value,
                    _ if self.exprs.interval(a) == (data.lo, data.hi) => value,
                    Cast::I2B => self.wrapped(&value, 8, definitions),
                    Cast::I2S => self.wrapped(&value, 16, definitions),
                    Cast::I2C => self.modulo(&value, 1 << 16, definitions),
                    _ => self.wrapped(&value, 32, definitions),
                }
            }
            Node::Compare(_, a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let (a, b) = (self.term_of(&a), self.term_of(&b));
                let (less, same) = (self.app(Fun::Lt, &[a, b]), self.app(Fun::Eq, &[a, b]));
                let [minus, zero, one] = [-1, 0, 1].map(|v| self.int(v));
                let rest = self.app(Fun::Ite, &[same, zero, one]);
                Lin::term(self.app(Fun::Ite, &[less, minus, rest]))
            }
            Node::Ite(cond, a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let (cond, a, b) = (self.literal(cond), self.term_of(&a), self.term_of(&b));
                Lin::term(self.app(Fun::Ite, &[cond, a, b]))
            }
            _ => Lin::default(),
        }
    }

    /// A form over the values of its atoms, not wrapped.
    fn form(&mut self, expr: Expr, definitions: &mut Vec<TermId>) -> Lin {
        let sum = self.exprs.as_sum(expr);
        let mut all = Lin::constant(i128::from(sum.constant));
        for (atom, factor) in sum.terms {
            let mut value = self.of(atom);
            let small = value.magnitude().checked_mul(u128::from(factor.unsigned_abs()));
            if small.is_none_or(|size| size > LIMIT) {
                value = self.named(atom, &value, definitions);
            }
            all = all.plus(i128::from(factor), &value);
        }
        all
    }

    /// A symbol that is equal to a value.
    fn named(&mut self, expr: Expr, value: &Lin, definitions: &mut Vec<TermId>) -> Lin {
        let (symbol, defined) = match self.to.named.get(&expr.0) {
            Some(&known) => known,
            None => {
                let symbol = self.symbol(value, 0);
                let value = self.term_of(value);
                let defined = self.app(Fun::Eq, &[symbol, value]);
                self.to.named.insert(expr.0, (symbol, defined));
                (symbol, defined)
            }
        };
        definitions.push(defined);
        Lin::term(symbol)
    }

    fn input(&mut self, input: Input, (lo, hi): (i64, i64), definitions: &mut Vec<TermId>) -> TermId {
        let name = &self.exprs.input_of(input).name;
        let term = self.terms.constant(name, SortId::INT);
        self.to.digests.insert(term, digest(name.as_bytes()));
        self.to.inputs.push((input, term));
        // The range of a long is left out: its numbers are too large for the native core, and whoever reads a model
        // notices a value of more than 64 bits.
        if (lo, hi) != (i64::MIN, i64::MAX) {
            let (least, greatest) = (self.int(i128::from(lo)), self.int(i128::from(hi)));
            definitions.push(self.app(Fun::Le, &[least, term]));
            definitions.push(self.app(Fun::Le, &[term, greatest]));
        }
        term
    }

    /// The argument of a node that may only need what it is modulo a power of two.
    fn low_part(&mut self, index: u32, argument: Expr, definitions: &mut Vec<TermId>) -> Lin {
        if is_unwrapped(self.exprs, Expr(index)) {
            self.form(argument, definitions)
        } else {
            self.of(argument)
        }
    }

    fn binary(
        &mut self,
        op: Binary,
        kind: Kind,
        (a, x): (Expr, Lin),
        b: Expr,
        definitions: &mut Vec<TermId>,
    ) -> Lin {
        let y = self.of(b);
        let constant = self.exprs.as_raw(b);
        let bits = kind.bits();
        match (op, constant) {
            (Binary::And, Some(mask)) => self.modulo(&x, i128::from(mask) + 1, definitions),
            (Binary::Shr, Some(count)) => self.quotient(&x, 1 << count, definitions),
            (Binary::Ushr, Some(count)) => {
                let low = self.quotient(&x, 1 << count, definitions);
                let sign = self.quotient(&x, 1 << (bits - 1), definitions);
                low.plus(-(1i128 << (i64::from(bits) - count)), &sign)
            }
            (Binary::Div | Binary::Rem, Some(0)) => Lin::default(),
            (Binary::Div, Some(divisor)) => {
                let quotient = self.truncated(&x, a, i128::from(divisor).abs(), definitions);
                Lin::default().plus(i128::from(divisor.signum()), &quotient)
            }
            (Binary::Rem, Some(divisor)) => {
                let divisor = i128::from(divisor).abs();
                let quotient = self.truncated(&x, a, divisor, definitions);
                x.plus(-divisor, &quotient)
            }
            // What follows is only written with unbounded integers.
            (Binary::Div, None) => self.truncated_by_cases(Fun::IntDiv, &x, &y),
            (Binary::Rem, None) => self.truncated_by_cases(Fun::Mod, &x, &y),
            _ => {
                let (x, y) = (self.term_of(&x), self.term_of(&y));
                Lin::term(self.app(Fun::Mul, &[x, y]))
            }
        }
    }

    /// `x / divisor` towards zero, for a positive divisor.
    fn truncated(&mut self, x: &Lin, expr: Expr, divisor: i128, definitions: &mut Vec<TermId>) -> Lin {
        let (lo, hi) = self.exprs.interval(expr);
        if lo >= 0 {
            return self.quotient(x, divisor, definitions);
        }
        if hi <= 0 {
            let negative = Lin::default().plus(-1, x);
            let quotient = self.quotient(&negative, divisor, definitions);
            return Lin::default().plus(-1, &quotient);
        }
        if self.exprs.ints == Ints::Math && (lo == i64::MIN || hi == i64::MAX) {
            return self.truncated_by_cases(Fun::IntDiv, x, &Lin::constant(divisor));
        }
        // The sign is floor(x / m) for any m that is larger than x and not smaller than -x.
        let mut modulus = 1i128;
        while modulus <= i128::from(hi) || -modulus > i128::from(lo) {
            modulus *= 2;
        }
        let sign = self.quotient(x, modulus, definitions);
        let raised = x.plus(-(divisor - 1), &sign);
        self.quotient(&raised, divisor, definitions)
    }

    /// `div` or `mod`, which round so that the remainder is not negative, with the sign of Java: on absolute values.
    fn truncated_by_cases(&mut self, fun: Fun, x: &Lin, y: &Lin) -> Lin {
        let minus = Lin::default().plus(-1, x);
        let (x, minus, y) = (self.term_of(x), self.term_of(&minus), self.term_of(y));
        let zero = self.int(0);
        let not_negative = self.app(Fun::Le, &[zero, x]);
        let plain = self.app(fun, &[x, y]);
        let mirrored = self.app(fun, &[minus, y]);
        let mirrored = self.app(Fun::Neg, &[mirrored]);
        Lin::term(self.app(Fun::Ite, &[not_negative, plain, mirrored]))
    }

    /// The value of a form modulo 2^bits, between -2^(bits-1) and 2^(bits-1) - 1.
    fn wrapped(&mut self, form: &Lin, bits: u32, definitions: &mut Vec<TermId>) -> Lin {
        let quotient = self.quotient(&form.shifted(1 << (bits - 1)), 1 << bits, definitions);
        form.plus(-(1i128 << bits), &quotient)
    }

    /// The remainder of a floor division.
    fn modulo(&mut self, form: &Lin, modulus: i128, definitions: &mut Vec<TermId>) -> Lin {
        let quotient = self.quotient(form, modulus, definitions);
        form.plus(-modulus, &quotient)
    }

    /// `floor(form / modulus)`.
    fn quotient(&mut self, form: &Lin, modulus: i128, definitions: &mut Vec<TermId>) -> Lin {
        if modulus == 1 {
            return form.clone();
        }
        if form.terms.is_empty() {
            return Lin::constant(form.constant.div_euclid(modulus));
        }
        let key = (form.clone(), modulus);
        if let Some((symbol, defined)) = self.to.quotients.get(&key) {
            definitions.extend(defined);
            return Lin::term(*symbol);
        }
        let symbol = self.symbol(form, modulus);
        let rest = form.plus(-modulus, &Lin::term(symbol));
        let (zero, rest, most) = (self.int(0), self.term_of(&rest), self.int(modulus - 1));
        let defined = [self.app(Fun::Le, &[zero, rest]), self.app(Fun::Le, &[rest, most])];
        definitions.extend(defined);
        self.to.quotients.insert(key, (symbol, defined));
        Lin::term(symbol)
    }

    /// A new symbol that is named after what it stands for.
    fn symbol(&mut self, form: &Lin, modulus: i128) -> TermId {
        let mut parts: Vec<(u64, i128)> =
            form.terms.iter().map(|(term, factor)| (self.digest_of(*term), *factor)).collect();
        parts.sort_unstable();
        let number = digest((parts, form.constant, modulus));
        let mut name = format!("q!{number:016x}");
        while !self.to.names.insert(name.clone()) {
            name.push('\'');
        }
        let term = self.terms.constant(&name, SortId::INT);
        self.to.digests.insert(term, digest(name.as_bytes()));
        term
    }

    fn digest_of(&self, term: TermId) -> u64 {
        self.to.digests.get(&term).copied().unwrap_or(0)
    }

    /// The condition or its opposite.
    fn literal(&mut self, cond: Cond) -> TermId {
        let index = cond.index();
        // The node has been written before, so that its definitions are known already.
        let mut known = Vec::new();
        if !cond.is_negated() {
            return self.positive(index, &mut known);
        }
        match self.exprs.nodes[index as usize].node {
            Node::True => self.terms.bool(false),
            Node::Eq(a, b) => {
                if let Some(sides) = self.beyond_end(a, b) {
                    return self.app(Fun::Le, &sides);
                }
                let sides = self.equal_sides(a, b, &mut known);
                self.app(Fun::Distinct, &sides)
            }
            Node::Lt(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let sides = [self.term_of(&b), self.term_of(&a)];
                self.app(Fun::Le, &sides)
            }
            _ => {
                let positive = self.positive(index, &mut known);
                self.app(Fun::Not, &[positive])
            }
        }
    }

    fn positive(&mut self, index: u32, definitions: &mut Vec<TermId>) -> TermId {
        if let Some(&term) = self.to.conds.get(&index) {
            return term;
        }
        match self.exprs.nodes[index as usize].node {
            Node::Eq(a, b) => {
                let sides = self.equal_sides(a, b, definitions);
                self.app(Fun::Eq, &sides)
            }
            Node::Lt(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let sides = [self.term_of(&a), self.term_of(&b)];
                self.app(Fun::Lt, &sides)
            }
            Node::And(a, b) => {
                let parts = [self.literal(a), self.literal(b)];
                self.app(Fun::And, &parts)
            }
            _ => self.terms.bool(true),
        }
    }

    /// The sides of the `<=` that says that a value is not the constant at one end of its interval.
    fn beyond_end(&mut self, a: Expr, b: Expr) -> Option<[TermId; 2]> {
        let end = self.exprs.as_raw(b).filter(|_| self.exprs.is_exact(a))?;
        let (lo, hi) = self.exprs.interval(a);
        if self.exprs.ints == Ints::Math && (end == i64::MIN || end == i64::MAX) {
            return None;
        }
        let value = self.of(a);
        let value = self.term_of(&value);
        match end {
            _ if end == lo => Some([self.int(i128::from(end) + 1), value]),
            _ if end == hi => Some([value, self.int(i128::from(end) - 1)]),
            _ => None,
        }
    }

    fn equal_sides(&mut self, a: Expr, b: Expr, definitions: &mut Vec<TermId>) -> [TermId; 2] {
        let (left, right) = match unwrapped_zero(self.exprs, a, b) {
            Some(multiple) => (self.form(a, definitions), Lin::constant(multiple)),
            None => (self.of(a), self.of(b)),
        };
        [self.term_of(&left), self.term_of(&right)]
    }

    fn int(&mut self, value: i128) -> TermId {
        let term = self.terms.int(value);
        self.to.digests.entry(term).or_insert_with(|| digest(value));
        term
    }

    fn term_of(&mut self, form: &Lin) -> TermId {
        let mut parts = Vec::with_capacity(form.terms.len() + 1);
        for &(term, factor) in &form.terms {
            parts.push(match factor {
                1 => term,
                _ => {
                    let factor = self.int(factor);
                    self.app(Fun::Mul, &[factor, term])
                }
            });
        }
        if form.constant != 0 || parts.is_empty() {
            parts.push(self.int(form.constant));
        }
        match parts.as_slice() {
            [only] => *only,
            _ => self.app(Fun::Add, &parts),
        }
    }

    /// # Panics
    /// If the sorts do not fit, which is a bug of this file.
    fn app(&mut self, fun: Fun, args: &[TermId]) -> TermId {
        let term = self.terms.app(fun, args).expect("integer terms are well sorted");
        if !self.to.digests.contains_key(&term) {
            let parts: Vec<u64> = args.iter().map(|arg| self.digest_of(*arg)).collect();
            self.to.digests.insert(term, digest((fun.code(), parts)));
        }
        term
    }
}
