//! Random ground terms over constants whose values a model gives.

use evergreen_term::{
    ArrayValue, BitVec, Entries, Float, Fun, Indexed, Int, Model, Op, Rational, RoundingMode, Sort, SortId,
    SymbolId, TermId, Terms, Value,
};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A stream of numbers, as generators of terms ask for them.
pub(crate) struct Random(evergreen_structures::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(evergreen_structures::Random::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next()
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        *self.0.choose(of)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

pub(crate) struct Generator {
    pub random: Random,
    pub terms: Terms,
    pub model: Model,
    /// The sorts that equalities and the like range over.
    pub sorts: Vec<SortId>,
    constants: BTreeMap<SortId, Vec<TermId>>,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Generator {
        let model = Model::new();
        let (random, terms) = (Random::new(seed), Terms::new());
        Generator { random, terms, model, sorts: Vec::new(), constants: BTreeMap::new() }
    }

    /// Adds sorts, each with two constants that have values.
    pub(crate) fn with(mut self, sorts: impl FnOnce(&mut Terms) -> Vec<SortId>) -> Generator {
        for sort in sorts(&mut self.terms) {
            self.sorts.push(sort);
            for _ in 0..2 {
                let term = self.terms.constant(&format!("c{}", self.terms.symbol_count()), sort);
                let value = self.value(sort, 2);
                let Op::Apply(symbol) = self.terms.op(term) else { unreachable!() };
                self.model.set(symbol, value);
                self.constants.entry(sort).or_default().push(term);
            }
        }
        self
    }

    fn int(&mut self) -> Int {
        match self.random.below(10) {
            0 => Int::from(self.random.next() as i64),
            1 => Int::from((i128::from(self.random.next()) << 40) - (1i128 << 103)),
            _ => Int::from(self.random.below(21) as i64 - 10),
        }
    }

    fn bits(&mut self, width: u32) -> BitVec {
        match self.random.below(8) {
            0 => BitVec::new(width, 0),
            1 => BitVec::ones(width),
            2 => BitVec::from_biguint(width, BigUint::from(1u32) << (width - 1)),
            3 | 4 => BitVec::new(width, u128::from(self.random.below(u64::from(width) + 2))),
            _ => {
                let words: Vec<u32> = (0..width.div_ceil(32)).map(|_| self.random.next() as u32).collect();
                BitVec::from_biguint(width, BigUint::new(words))
            }
        }
    }

    /// A random value of a sort; `depth` bounds datatypes.
    pub(crate) fn value(&mut self, sort: SortId, depth: u32) -> Value {
        match self.terms.sort_kind(sort).clone() {
            Sort::Bool => Value::Bool(self.random.chance(50)),
            Sort::Int => Value::Int(self.int()),
            Sort::Real => {
                let den = Int::from(self.random.below(6) as i64 + 1);
                Value::Real(Rational::new(self.int(), den).unwrap())
            }
            Sort::String => {
                let length = self.random.below(5);
                let alphabet = [0x61, 0x62, 0x61, 0x62, 0x30, 0x39, 0x22, 0x5c, 0x2FFFF, 0];
                Value::String((0..length).map(|_| self.random.pick(&alphabet)).collect())
            }
            Sort::RoundingMode => Value::RoundingMode(self.random.pick(&RoundingMode::ALL)),
            Sort::BitVec(width) => Value::BitVec(self.bits(width)),
            Sort::Float(exponent, significand) => Value::Float(Box::new(self.float(exponent, significand))),
            Sort::Array(index, element) => {
                let default = self.value(element, depth);
                let mut array = ArrayValue { sort, default, entries: Entries::new() };
                for _ in 0..self.random.below(5) {
                    array.set(self.value(index, depth), self.value(element, depth));
                }
                Value::Array(Box::new(array))
            }
            Sort::Datatype(data) => {
                let constructors = self.terms.datatype(data).constructors.clone();
                let n = if depth == 0 { 1 } else { constructors.len() as u64 };
                let symbol = constructors[self.random.below(n) as usize].symbol;
                let params = self.terms.symbol_of(symbol).params.clone();
                let fields = params.iter().map(|p| self.value(*p, depth.saturating_sub(1))).collect();
                Value::Data(symbol, fields)
            }
            other => panic!("no values of {other:?}"),
        }
    }

    /// Favours the places where rounding goes wrong: small exponents, few bits, all ones.
    fn float(&mut self, exponent: u32, significand: u32) -> Float {
        let width = exponent + significand;
        let mut bits = self.bits(width).to_biguint();
        if self.random.chance(50) {
            // Near one, so that sums and quotients have something to round.
            let fraction = self.bits(significand - 1).to_biguint();
            let bias = (1u64 << (exponent - 1)) - 1;
            let near = (bias + self.random.below(5)).saturating_sub(2);
            bits = (BigUint::from(near) << (significand - 1)) + fraction;
            if self.random.chance(50) {
                bits += BigUint::from(1u32) << (width - 1);
            }
        }
        Float::from_bits(exponent, significand, BitVec::from_biguint(width, bits)).unwrap()
    }

    /// A term that stands for a value.
    pub(crate) fn value_term(&mut self, value: &Value) -> TermId {
        match value {
            Value::Array(array) => {
                let default = self.value_term(&array.default);
                let mut term = self.terms.const_array(array.sort, default).unwrap();
                for (index, element) in &array.entries {
                    let args = [term, self.value_term(index), self.value_term(element)];
                    term = self.terms.app(Fun::Store, &args).unwrap();
                }
                term
            }
            Value::Data(constructor, fields) => {
                let args: Vec<TermId> = fields.iter().map(|field| self.value_term(field)).collect();
                self.terms.apply(*constructor, &args).unwrap()
            }
            scalar => self.terms.literal(scalar.clone()),
        }
    }

    fn app(&mut self, fun: Fun, sorts: &[SortId], depth: u32) -> TermId {
        let args: Vec<TermId> = sorts.iter().map(|sort| self.term(*sort, depth)).collect();
        self.terms.app(fun, &args).unwrap_or_else(|e| panic!("{fun:?}: {e}"))
    }

    fn indexed(&mut self, fun: Indexed, i: u32, j: u32, sorts: &[SortId], depth: u32) -> TermId {
        let args: Vec<TermId> = sorts.iter().map(|sort| self.term(*sort, depth)).collect();
        self.terms.indexed(fun, i, j, &args).unwrap_or_else(|e| panic!("{fun:?}: {e}"))
    }

    fn symbol(&mut self, symbol: SymbolId, depth: u32) -> TermId {
        let params = self.terms.symbol_of(symbol).params.clone();
        let args: Vec<TermId> = params.iter().map(|sort| self.term(*sort, depth)).collect();
        self.terms.apply(symbol, &args).unwrap()
    }

    fn many(&mut self, fun: Fun, sort: SortId, depth: u32) -> TermId {
        let n = self.random.below(3) as usize + 2;
        self.app(fun, &vec![sort; n], depth)
    }

    /// A random term of a sort.
    pub(crate) fn term(&mut self, sort: SortId, depth: u32) -> TermId {
        if depth == 0 || self.random.chance(8) {
            if sort == SortId::REGLAN {
                return self.regex(0);
            }
            if let Some(constants) = self.constants.get(&sort)
                && self.random.below(3) == 0
            {
                return self.random.pick(constants);
            }
            let value = self.value(sort, 2);
            return self.value_term(&value);
        }
        let d = depth - 1;
        if self.random.chance(6) {
            return self.app(Fun::Ite, &[SortId::BOOL, sort, sort], d);
        }
        if self.random.chance(6)
            && let Some(term) = self.part_of_compound(sort, d)
        {
            return term;
        }
        match self.terms.sort_kind(sort).clone() {
            Sort::Bool => self.boolean(d),
            Sort::Int => self.integer(d),
            Sort::Real => self.real(d),
            Sort::String => self.string(d),
            Sort::RegLan => self.regex(d),
            Sort::RoundingMode => {
                let fun = self.random.pick(&RoundingMode::ALL).fun();
                self.app(fun, &[], d)
            }
            Sort::BitVec(width) => self.bitvec(width, sort, d),
            Sort::Float(exponent, significand) => self.floating(exponent, significand, sort, d),
            Sort::Array(index, element) => {
                if self.random.chance(20) {
                    let element = self.term(element, d);
                    return self.terms.const_array(sort, element).unwrap();
                }
                self.app(Fun::Store, &[sort, index, element], d)
            }
            Sort::Datatype(data) => {
                let constructors = self.terms.datatype(data).constructors.clone();
                let constructor = &constructors[self.random.below(constructors.len() as u64) as usize];
                if self.random.chance(30) && !constructor.selectors.is_empty() {
                    let selector = self.random.pick(&constructor.selectors);
                    let field = self.terms.symbol_of(selector).result;
                    let (value, field) = (self.term(sort, d), self.term(field, d));
                    return self.terms.update(selector, value, field).unwrap();
                }
                self.symbol(constructor.symbol, d)
            }
            other => panic!("no terms of {other:?}"),
        }
    }

    /// A selection from an array or a field of a datatype.
    fn part_of_compound(&mut self, sort: SortId, d: u32) -> Option<TermId> {
        for compound in self.sorts.clone() {
            match self.terms.sort_kind(compound).clone() {
                Sort::Array(index, element) if element == sort => {
                    return Some(self.app(Fun::Select, &[compound, index], d));
                }
                Sort::Datatype(data) => {
                    let constructors = self.terms.datatype(data).constructors.clone();
                    for selector in constructors.iter().flat_map(|c| &c.selectors) {
                        if self.terms.symbol_of(*selector).result == sort && self.random.chance(50) {
                            return Some(self.symbol(*selector, d));
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn boolean(&mut self, d: u32) -> TermId {
        const B: SortId = SortId::BOOL;
        if self.random.chance(35) {
            return match self.random.below(6) {
                0 => self.app(Fun::Not, &[B], d),
                1 => self.many(Fun::And, B, d),
                2 => self.many(Fun::Or, B, d),
                3 => self.app(Fun::Xor, &[B, B], d),
                4 => self.many(Fun::Implies, B, d),
                _ => self.many(Fun::Eq, B, d),
            };
        }
        let sort = self.random.pick(&self.sorts.clone());
        if self.random.chance(30) {
            let fun = if self.random.chance(50) { Fun::Eq } else { Fun::Distinct };
            return self.many(fun, sort, d);
        }
        match self.terms.sort_kind(sort).clone() {
            Sort::Int if self.random.chance(15) => {
                let by = self.random.below(6) as u32 + 1;
                self.indexed(Indexed::Divisible, by, 0, &[sort], d)
            }
            Sort::Real if self.random.chance(15) => self.app(Fun::IsInt, &[sort], d),
            Sort::Int | Sort::Real => {
                let fun = self.random.pick(&[Fun::Le, Fun::Lt, Fun::Ge, Fun::Gt]);
                self.many(fun, sort, d)
            }
            Sort::BitVec(_) => {
                let funs: Vec<Fun> =
                    Fun::ALL.iter().copied().filter(|f| matches!(f.code(), 60..=67 | 69..=76)).collect();
                let fun = self.random.pick(&funs);
                if fun == Fun::BvNego { self.app(fun, &[sort], d) } else { self.app(fun, &[sort, sort], d) }
            }
            Sort::String => {
                const S: SortId = SortId::STRING;
                let fun = self.random.pick(&[
                    Fun::StrLt,
                    Fun::StrLe,
                    Fun::StrPrefixOf,
                    Fun::StrSuffixOf,
                    Fun::StrContains,
                    Fun::StrIsDigit,
                    Fun::StrInRe,
                    Fun::StrInRe,
                    Fun::StrInRe,
                ]);
                match fun {
                    Fun::StrIsDigit => self.app(fun, &[S], d),
                    Fun::StrInRe => self.app(fun, &[S, SortId::REGLAN], d),
                    _ => self.app(fun, &[S, S], d),
                }
            }
            Sort::Float(..) => {
                let code = self.random.below(12) as u8 + Fun::FpLeq.code();
                let fun = Fun::from_code(code).unwrap();
                let n = if code <= Fun::FpEq.code() { self.random.below(2) as usize + 2 } else { 1 };
                self.app(fun, &vec![sort; n], d)
            }
            Sort::Datatype(data) => {
                let constructors = self.terms.datatype(data).constructors.clone();
                let n = self.random.below(constructors.len() as u64) as usize;
                let value = self.term(sort, d);
                self.terms.is(constructors[n].symbol, value).unwrap()
            }
            _ => self.app(Fun::Eq, &[sort, sort], d),
        }
    }

    fn integer(&mut self, d: u32) -> TermId {
        const I: SortId = SortId::INT;
        const S: SortId = SortId::STRING;
        if self.sorts.contains(&S) && self.random.chance(70) {
            return match self.random.below(4) {
                0 => self.app(Fun::StrLen, &[S], d),
                1 => self.app(Fun::StrToCode, &[S], d),
                2 => self.app(Fun::StrToInt, &[S], d),
                _ => self.app(Fun::StrIndexOf, &[S, S, I], d),
            };
        }
        let vectors: Vec<SortId> = self
            .sorts
            .iter()
            .copied()
            .filter(|s| matches!(self.terms.sort_kind(*s), Sort::BitVec(_)))
            .collect();
        if !vectors.is_empty() && self.random.chance(50) {
            let fun = if self.random.chance(50) { Fun::UbvToInt } else { Fun::SbvToInt };
            let sort = self.random.pick(&vectors);
            return self.app(fun, &[sort], d);
        }
        match self.random.below(9) {
            0 => self.app(Fun::Neg, &[I], d),
            1 | 2 => self.many(Fun::Add, I, d),
            3 => self.many(Fun::Sub, I, d),
            4 => self.many(Fun::Mul, I, d),
            5 => self.many(Fun::IntDiv, I, d),
            6 => self.app(Fun::Mod, &[I, I], d),
            7 => self.app(Fun::Abs, &[I], d),
            _ if self.sorts.contains(&SortId::REAL) => self.app(Fun::ToInt, &[SortId::REAL], d),
            _ => self.app(Fun::Sub, &[I, I], d),
        }
    }

    fn real(&mut self, d: u32) -> TermId {
        const R: SortId = SortId::REAL;
        let floats: Vec<SortId> = self
            .sorts
            .iter()
            .copied()
            .filter(|s| matches!(self.terms.sort_kind(*s), Sort::Float(..)))
            .collect();
        if !floats.is_empty() && self.random.chance(50) {
            let sort = self.random.pick(&floats);
            return self.app(Fun::FpToReal, &[sort], d);
        }
        match self.random.below(6) {
            0 => self.app(Fun::Neg, &[R], d),
            1 => self.many(Fun::Add, R, d),
            2 => self.many(Fun::Sub, R, d),
            3 => self.many(Fun::Mul, R, d),
            4 => self.app(Fun::RealDiv, &[R, R], d),
            _ => self.app(Fun::ToReal, &[SortId::INT], d),
        }
    }

    fn bitvec(&mut self, width: u32, sort: SortId, d: u32) -> TermId {
        let by = self.random.below(u64::from(width) * 2 + 1) as u32;
        match self.random.below(12) {
            0 if width > 1 => {
                let high = self.random.below(u64::from(width) - 1) as u32 + 1;
                let parts = [self.terms.bitvec_sort(high), self.terms.bitvec_sort(width - high)];
                self.app(Fun::Concat, &parts, d)
            }
            1 => {
                let (above, below) = (self.random.below(9) as u32, self.random.below(70) as u32);
                let from = self.terms.bitvec_sort(above + width + below);
                self.indexed(Indexed::Extract, below + width - 1, below, &[from], d)
            }
            2 if width > 1 => {
                let from = self.random.below(u64::from(width) - 1) as u32 + 1;
                let fun = self.random.pick(&[Indexed::ZeroExtend, Indexed::SignExtend]);
                let part = self.terms.bitvec_sort(from);
                self.indexed(fun, width - from, 0, &[part], d)
            }
            3 => {
                let fun = self.random.pick(&[Indexed::RotateLeft, Indexed::RotateRight]);
                self.indexed(fun, by, 0, &[sort], d)
            }
            4 => {
                let divisors: Vec<u32> = (1..=width).filter(|n| width.is_multiple_of(*n)).collect();
                let times = self.random.pick(&divisors);
                let part = self.terms.bitvec_sort(width / times);
                self.indexed(Indexed::Repeat, times, 0, &[part], d)
            }
            5 if self.sorts.contains(&SortId::INT) => {
                self.indexed(Indexed::IntToBv, width, 0, &[SortId::INT], d)
            }
            6 if width == 1 => self.app(Fun::BvComp, &[sort, sort], d),
            6 => {
                let fun = self.random.pick(&[Fun::BvNot, Fun::BvNeg]);
                self.app(fun, &[sort], d)
            }
            7 => {
                let fun = self.random.pick(&[Fun::BvAnd, Fun::BvOr, Fun::BvXor, Fun::BvAdd, Fun::BvMul]);
                self.many(fun, sort, d)
            }
            _ => {
                let funs: Vec<Fun> =
                    Fun::ALL.iter().copied().filter(|f| matches!(f.code(), 42..=47 | 49..=59)).collect();
                let fun = self.random.pick(&funs);
                self.app(fun, &[sort, sort], d)
            }
        }
    }

    fn floating(&mut self, exponent: u32, significand: u32, sort: SortId, d: u32) -> TermId {
        const M: SortId = SortId::ROUNDING_MODE;
        let width = exponent + significand;
        match self.random.below(18) {
            0 => self.app(Fun::FpAbs, &[sort], d),
            1 => self.app(Fun::FpNeg, &[sort], d),
            2 | 3 => self.app(Fun::FpAdd, &[M, sort, sort], d),
            4 => self.app(Fun::FpSub, &[M, sort, sort], d),
            5 | 6 => self.app(Fun::FpMul, &[M, sort, sort], d),
            7 => self.app(Fun::FpDiv, &[M, sort, sort], d),
            8 => self.app(Fun::FpFma, &[M, sort, sort, sort], d),
            9 => self.app(Fun::FpSqrt, &[M, sort], d),
            10 => self.app(Fun::FpRoundToIntegral, &[M, sort], d),
            11 => self.app(Fun::FpRem, &[sort, sort], d),
            12 => {
                let fun = self.random.pick(&[Fun::FpMin, Fun::FpMax]);
                self.app(fun, &[sort, sort], d)
            }
            13 => {
                let other = self.random.pick(&self.sorts.clone());
                let real = self.random.chance(30) || !matches!(self.terms.sort_kind(other), Sort::Float(..));
                let from = if real { SortId::REAL } else { other };
                self.indexed(Indexed::ToFp, exponent, significand, &[M, from], d)
            }
            14 => {
                let bits = self.terms.bitvec_sort(width);
                self.indexed(Indexed::ToFp, exponent, significand, &[bits], d)
            }
            15 => {
                let width = self.random.pick(&[1, 8, 40]);
                let bits = self.terms.bitvec_sort(width);
                let fun = self.random.pick(&[Indexed::ToFp, Indexed::ToFpUnsigned]);
                self.indexed(fun, exponent, significand, &[M, bits], d)
            }
            16 => {
                // Through an integer and back.
                let fun = self.random.pick(&[Indexed::FpToUbv, Indexed::FpToSbv]);
                let width = self.random.pick(&[1, 4, 8, 33]);
                let bits = self.indexed(fun, width, 0, &[M, sort], d);
                let mode = self.term(M, 0);
                let back = if fun == Indexed::FpToUbv { Indexed::ToFpUnsigned } else { Indexed::ToFp };
                self.terms.indexed(back, exponent, significand, &[mode, bits]).unwrap()
            }
            _ => {
                let special = [
                    Indexed::PlusInfinity,
                    Indexed::MinusInfinity,
                    Indexed::PlusZero,
                    Indexed::MinusZero,
                    Indexed::NotANumber,
                ];
                let fun = self.random.pick(&special);
                self.indexed(fun, exponent, significand, &[], d)
            }
        }
    }

    fn string(&mut self, d: u32) -> TermId {
        const S: SortId = SortId::STRING;
        const I: SortId = SortId::INT;
        match self.random.below(9) {
            0 | 1 => self.many(Fun::StrConcat, S, d),
            2 => self.app(Fun::StrAt, &[S, I], d),
            3 | 4 => self.app(Fun::StrSubstr, &[S, I, I], d),
            5 => self.app(Fun::StrReplace, &[S, S, S], d),
            6 => self.app(Fun::StrReplaceAll, &[S, S, S], d),
            7 => self.app(Fun::StrFromCode, &[I], d),
            _ => self.app(Fun::StrFromInt, &[I], d),
        }
    }

    fn regex(&mut self, d: u32) -> TermId {
        const S: SortId = SortId::STRING;
        const R: SortId = SortId::REGLAN;
        let leaf = d == 0;
        let small = self.random.below(4) as u32;
        match if leaf { self.random.below(6) } else { self.random.below(16) } {
            0 => self.app(Fun::ReNone, &[], d),
            1 => self.app(Fun::ReAll, &[], d),
            2 => self.app(Fun::ReAllChar, &[], d),
            3 => {
                let ends = [0x61, 0x62, 0x39].map(|c| self.terms.literal(Value::String(Box::new([c]))));
                let (low, high) = (self.random.pick(&ends), self.random.pick(&ends));
                self.terms.app(Fun::ReRange, &[low, high]).unwrap()
            }
            4 | 5 => self.app(Fun::StrToRe, &[S], 0),
            6 | 7 => self.many(Fun::ReConcat, R, d - 1),
            8 | 9 => self.many(Fun::ReUnion, R, d - 1),
            10 => self.app(Fun::ReInter, &[R, R], d - 1),
            11 => self.app(Fun::ReStar, &[R], d - 1),
            12 => self.app(Fun::ReComp, &[R], d - 1),
            13 => self.app(Fun::ReDiff, &[R, R], d - 1),
            14 => {
                let fun = self.random.pick(&[Fun::RePlus, Fun::ReOpt]);
                self.app(fun, &[R], d - 1)
            }
            _ if self.random.chance(50) => self.indexed(Indexed::RePower, small, 0, &[R], d - 1),
            _ => {
                let high = self.random.below(5) as u32;
                self.indexed(Indexed::ReLoop, small, high, &[R], d - 1)
            }
        }
    }
}
