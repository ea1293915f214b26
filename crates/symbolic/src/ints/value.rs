//! Values of expressions as linear forms, and the quotients that they need.

use super::lin::Lin;
use super::{Cache, Integers, digest};
use crate::bounds::View;
use crate::interval;
use crate::node::{Expr, Input, Node};
use crate::op::{Binary, Cast, Ints, Kind};
use evergreen_term::{Fun, SortId, TermId, Terms};

/// A value that would get larger coefficients than this is given a name instead.
const LIMIT: u128 = 1 << 96;

pub(super) struct Write<'a> {
    pub(super) to: &'a mut Integers,
    pub(super) view: View<'a>,
    pub(super) cache: &'a mut Cache,
    pub(super) terms: &'a mut Terms,
}

impl Write<'_> {
    pub(super) fn node(&mut self, index: u32) {
        if self.cache.values.contains_key(&index) || self.cache.conds.contains_key(&index) {
            return;
        }
        let data = &self.view.exprs.nodes[index as usize];
        match data.node {
            Node::True | Node::Eq(..) | Node::Lt(..) | Node::Below(..) | Node::And(..) => {
                let mut definitions = Vec::new();
                let term = self.positive(index, &mut definitions);
                self.cache.conds.insert(index, term);
                self.cache.definitions.insert(index, definitions);
            }
            // Not reached: conditions on floats are hard, and hard conditions are not written here.
            Node::FloatEq(..) | Node::FloatLt(..) | Node::FloatLe(..) => {}
            _ => {
                let mut definitions = Vec::new();
                let value = self.value(index, &mut definitions);
                self.cache.values.insert(index, value);
                self.cache.definitions.insert(index, definitions);
            }
        }
    }

    pub(super) fn of(&self, expr: Expr) -> Lin {
        self.cache.values.get(&expr.0).cloned().unwrap_or_default()
    }

    fn value(&mut self, index: u32, definitions: &mut Vec<TermId>) -> Lin {
        let data = &self.view.exprs.nodes[index as usize];
        let (kind, node) = (data.kind, data.node);
        let (lo, hi) = self.view.interval(Expr(index));
        if lo == hi && !matches!(node, Node::Input(_)) {
            return Lin::constant(i128::from(lo));
        }
        match node {
            Node::Const(raw) => Lin::constant(i128::from(raw)),
            Node::Input(input) => Lin::term(self.input(input, (data.lo, data.hi), definitions)),
            Node::Linear(_) => {
                let form = self.form(Expr(index), definitions);
                if self.view.is_exact(Expr(index)) {
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
                    _ if interval::cast(cast, self.view.interval(a)) == self.view.interval(a) => value,
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
    pub(super) fn form(&mut self, expr: Expr, definitions: &mut Vec<TermId>) -> Lin {
        let sum = self.view.exprs.as_sum(expr);
        let mut all = Lin::constant(i128::from(sum.constant));
        for (atom, factor) in sum.terms {
            let mut value = self.of(atom);
            let small = value.magnitude().checked_mul(u128::from(factor.unsigned_abs()));
            if small.is_none_or(|size| size > LIMIT) {
                value = self.named(&value, definitions);
            }
            all = all.plus(i128::from(factor), &value);
        }
        all
    }

    /// A symbol that is equal to a value.
    fn named(&mut self, value: &Lin, definitions: &mut Vec<TermId>) -> Lin {
        let (symbol, defined) = match self.to.named.get(value) {
            Some(&known) => known,
            None => {
                let symbol = self.symbol(value, 0);
                let term = self.term_of(value);
                let defined = self.app(Fun::Eq, &[symbol, term]);
                self.to.named.insert(value.clone(), (symbol, defined));
                (symbol, defined)
            }
        };
        definitions.push(defined);
        Lin::term(symbol)
    }

    fn input(&mut self, input: Input, (lo, hi): (i64, i64), definitions: &mut Vec<TermId>) -> TermId {
        let name = &self.view.exprs.input_of(input).name;
        let term = self.terms.constant(name, SortId::INT);
        self.to.digests.insert(term, digest(name.as_bytes()));
        if self.to.known_inputs.insert(input) {
            self.to.inputs.push((input, term));
        }
        // The range of a long is left out: its numbers are too large for the native core, and the reader of a
        // model detects a value of more than 64 bits.
        if (lo, hi) != (i64::MIN, i64::MAX) {
            let (least, greatest) = (self.int(i128::from(lo)), self.int(i128::from(hi)));
            definitions.push(self.app(Fun::Le, &[least, term]));
            definitions.push(self.app(Fun::Le, &[term, greatest]));
        }
        term
    }

    /// The argument of a node that may only need its value modulo a power of two.
    fn low_part(&mut self, index: u32, argument: Expr, definitions: &mut Vec<TermId>) -> Lin {
        if self.view.is_unwrapped(Expr(index)) { self.form(argument, definitions) } else { self.of(argument) }
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
        let constant = self.view.exprs.as_raw(b);
        let bits = kind.bits();
        let (lo, hi) = self.view.interval(a);
        match (op, constant) {
            (Binary::And, Some(mask)) if lo >= 0 && hi <= mask => x,
            (Binary::And, Some(mask)) => self.modulo(&x, i128::from(mask) + 1, definitions),
            (Binary::Shr, Some(count)) => self.quotient(&x, 1 << count, definitions),
            (Binary::Ushr, Some(count)) => {
                let low = self.quotient(&x, 1 << count, definitions);
                if lo >= 0 {
                    return low;
                }
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
            // The rest is only written with unbounded integers.
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
        let (lo, hi) = self.view.interval(expr);
        if lo >= 0 {
            return self.quotient(x, divisor, definitions);
        }
        if hi <= 0 {
            let negative = Lin::default().plus(-1, x);
            let quotient = self.quotient(&negative, divisor, definitions);
            return Lin::default().plus(-1, &quotient);
        }
        if self.view.exprs.ints == Ints::Math && (lo == i64::MIN || hi == i64::MAX) {
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

    /// `div` or `mod`, which round so that the remainder is not negative, with the sign of
    /// Java: on absolute values.
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
    pub(super) fn modulo(&mut self, form: &Lin, modulus: i128, definitions: &mut Vec<TermId>) -> Lin {
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

    pub(super) fn digest_of(&self, term: TermId) -> u64 {
        self.to.digests.get(&term).copied().unwrap_or(0)
    }
}
