//! Sort inference for interpreted functions: the signatures of the SMT-LIB theories.

use crate::sort::{Sort, SortId};
use crate::terms::{SymbolId, TermId, Terms};
use crate::{Fun, Indexed};
use std::fmt;

/// Arguments that do not fit their function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError(String);

impl SortError {
    pub(crate) fn new(message: impl Into<String>) -> SortError {
        SortError(message.into())
    }
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SortError {}

type Inferred = Result<SortId, SortError>;

/// The widest bit vector that is made; wider results of `repeat` and the like are
/// refused rather than attempted.
const MAX_WIDTH: u64 = 1 << 24;

struct Check<'a> {
    terms: &'a mut Terms,
    name: &'static str,
    args: &'a [TermId],
}

impl Check<'_> {
    fn sort(&self, i: usize) -> SortId {
        self.terms.sort_of(self.args[i])
    }

    fn fail(&self, wants: &str) -> SortError {
        SortError(format!("\"{}\" wants {wants}", self.name))
    }

    fn count(&self, n: usize) -> Result<(), SortError> {
        if self.args.len() == n {
            return Ok(());
        }
        let s = if n == 1 { "" } else { "s" };
        Err(self.fail(&format!("{n} argument{s}, not {}", self.args.len())))
    }

    fn at_least(&self, n: usize) -> Result<(), SortError> {
        let s = if n == 1 { "" } else { "s" };
        if self.args.len() >= n { Ok(()) } else { Err(self.fail(&format!("at least {n} argument{s}"))) }
    }

    fn all(&self, sort: SortId, wants: &str) -> Result<(), SortError> {
        if (0..self.args.len()).all(|i| self.sort(i) == sort) { Ok(()) } else { Err(self.fail(wants)) }
    }

    fn same(&self) -> Result<SortId, SortError> {
        let first = self.sort(0);
        if (1..self.args.len()).all(|i| self.sort(i) == first) {
            Ok(first)
        } else {
            Err(self.fail("arguments of one sort"))
        }
    }

    fn signature(&self, params: &[SortId], result: SortId) -> Inferred {
        self.count(params.len())?;
        if params.iter().enumerate().all(|(i, p)| self.sort(i) == *p) {
            Ok(result)
        } else {
            Err(self.fail("other sorts of arguments"))
        }
    }

    fn numeric(&self) -> Inferred {
        let sort = self.same()?;
        if sort == SortId::INT || sort == SortId::REAL { Ok(sort) } else { Err(self.fail("numbers")) }
    }

    fn width(&self, i: usize) -> Result<u32, SortError> {
        match self.terms.sort_kind(self.sort(i)) {
            Sort::BitVec(w) => Ok(*w),
            _ => Err(self.fail("bit vectors")),
        }
    }

    fn bitvec(&mut self, width: u64) -> Inferred {
        match u32::try_from(width) {
            Ok(w) if w > 0 && width <= MAX_WIDTH => Ok(self.terms.bitvec_sort(w)),
            _ => Err(self.fail(&format!("a result of 1 to {MAX_WIDTH} bits, not {width}"))),
        }
    }

    fn float(&self, i: usize) -> Result<SortId, SortError> {
        match self.terms.sort_kind(self.sort(i)) {
            Sort::Float(..) => Ok(self.sort(i)),
            _ => Err(self.fail("floating-point numbers")),
        }
    }

    /// `n` floats of one sort after `skip` arguments.
    fn floats(&self, skip: usize, n: usize) -> Inferred {
        self.count(skip + n)?;
        if skip == 1 && self.sort(0) != SortId::ROUNDING_MODE {
            return Err(self.fail("a rounding mode first"));
        }
        let sort = self.float(skip)?;
        if (skip..skip + n).all(|i| self.sort(i) == sort) {
            Ok(sort)
        } else {
            Err(self.fail("floats of one sort"))
        }
    }

    fn sequence(&self, i: usize) -> Result<SortId, SortError> {
        match self.terms.sort_kind(self.sort(i)) {
            Sort::Seq(element) => Ok(*element),
            _ => Err(self.fail("sequences")),
        }
    }
}

pub(crate) fn fun(terms: &mut Terms, fun: Fun, args: &[TermId]) -> Inferred {
    let mut c = Check { terms, name: fun.name(), args };
    match fun.code() {
        1..=8 => core(&c, fun),
        16..=30 => arithmetic(&c, fun),
        40..=78 => bitvector(&mut c, fun),
        90..=91 => array(&c, fun),
        100..=125 => float(&mut c, fun),
        140..=172 => string(&c, fun),
        180..=191 => sequence(&mut c, fun),
        _ => {
            c.count(0)?;
            Ok(SortId::ROUNDING_MODE)
        }
    }
}

fn core(c: &Check<'_>, fun: Fun) -> Inferred {
    match fun {
        Fun::Not => {
            c.count(1)?;
            c.all(SortId::BOOL, "a Bool")?;
        }
        Fun::And | Fun::Or | Fun::Xor | Fun::Implies => {
            c.at_least(1)?;
            c.all(SortId::BOOL, "arguments of sort Bool")?;
        }
        Fun::Ite => {
            c.count(3)?;
            if c.sort(0) != SortId::BOOL || c.sort(1) != c.sort(2) {
                return Err(c.fail("a Bool and two arguments of one sort"));
            }
            return Ok(c.sort(1));
        }
        _ => {
            c.at_least(2)?;
            c.same()?;
        }
    }
    Ok(SortId::BOOL)
}

fn arithmetic(c: &Check<'_>, fun: Fun) -> Inferred {
    use SortId as S;
    match fun {
        Fun::Neg => {
            c.count(1)?;
            c.numeric()
        }
        Fun::Add | Fun::Mul => {
            c.at_least(1)?;
            c.numeric()
        }
        Fun::Sub => {
            c.at_least(2)?;
            c.numeric()
        }
        Fun::Le | Fun::Lt | Fun::Ge | Fun::Gt => {
            c.at_least(2)?;
            c.numeric()?;
            Ok(S::BOOL)
        }
        Fun::IntDiv | Fun::Mod => {
            if fun == Fun::Mod {
                c.count(2)?
            } else {
                c.at_least(2)?
            }
            c.all(S::INT, "integers")?;
            Ok(S::INT)
        }
        Fun::Abs => {
            c.count(1)?;
            c.numeric()
        }
        Fun::RealDiv => {
            c.at_least(2)?;
            c.all(S::REAL, "reals")?;
            Ok(S::REAL)
        }
        Fun::ToReal => c.signature(&[S::INT], S::REAL),
        Fun::ToInt => c.signature(&[S::REAL], S::INT),
        _ => c.signature(&[S::REAL], S::BOOL),
    }
}

fn bitvector(c: &mut Check<'_>, fun: Fun) -> Inferred {
    match fun {
        Fun::Concat => {
            c.at_least(2)?;
            let mut width = 0u64;
            for i in 0..c.args.len() {
                width += u64::from(c.width(i)?);
            }
            c.bitvec(width)
        }
        Fun::BvNot | Fun::BvNeg => {
            c.count(1)?;
            c.width(0)?;
            Ok(c.sort(0))
        }
        Fun::BvAnd | Fun::BvOr | Fun::BvXor | Fun::BvAdd | Fun::BvMul => {
            c.at_least(1)?;
            c.width(0)?;
            c.same()
        }
        Fun::BvComp => {
            c.count(2)?;
            c.width(0)?;
            c.same()?;
            c.bitvec(1)
        }
        Fun::BvNego => {
            c.count(1)?;
            c.width(0)?;
            Ok(SortId::BOOL)
        }
        Fun::UbvToInt | Fun::SbvToInt => {
            c.count(1)?;
            c.width(0)?;
            Ok(SortId::INT)
        }
        _ => {
            c.count(2)?;
            c.width(0)?;
            let sort = c.same()?;
            let predicate = matches!(fun.code(), 60..=67 | 70..=76);
            Ok(if predicate { SortId::BOOL } else { sort })
        }
    }
}

fn array(c: &Check<'_>, fun: Fun) -> Inferred {
    c.count(if fun == Fun::Select { 2 } else { 3 })?;
    let Sort::Array(index, element) = *c.terms.sort_kind(c.sort(0)) else {
        return Err(c.fail("an array first"));
    };
    if c.sort(1) != index {
        return Err(c.fail("an index of the array's index sort"));
    }
    if fun == Fun::Select {
        return Ok(element);
    }
    if c.sort(2) != element {
        return Err(c.fail("an element of the array's element sort"));
    }
    Ok(c.sort(0))
}

fn float(c: &mut Check<'_>, fun: Fun) -> Inferred {
    match fun {
        Fun::Fp => {
            c.count(3)?;
            let (sign, exponent, significand) = (c.width(0)?, c.width(1)?, c.width(2)?);
            if sign != 1 || exponent < 2 || significand < 1 {
                return Err(c.fail("one sign bit, an exponent and a significand"));
            }
            Ok(c.terms.sort(Sort::Float(exponent, significand + 1)))
        }
        Fun::FpAbs | Fun::FpNeg => c.floats(0, 1),
        Fun::FpAdd | Fun::FpSub | Fun::FpMul | Fun::FpDiv => c.floats(1, 2),
        Fun::FpFma => c.floats(1, 3),
        Fun::FpSqrt | Fun::FpRoundToIntegral => c.floats(1, 1),
        Fun::FpRem | Fun::FpMin | Fun::FpMax => c.floats(0, 2),
        Fun::FpLeq | Fun::FpLt | Fun::FpGeq | Fun::FpGt | Fun::FpEq => {
            c.at_least(2)?;
            c.floats(0, c.args.len())?;
            Ok(SortId::BOOL)
        }
        Fun::FpToReal => {
            c.floats(0, 1)?;
            Ok(SortId::REAL)
        }
        _ => {
            c.floats(0, 1)?;
            Ok(SortId::BOOL)
        }
    }
}

fn string(c: &Check<'_>, fun: Fun) -> Inferred {
    const B: SortId = SortId::BOOL;
    const I: SortId = SortId::INT;
    const S: SortId = SortId::STRING;
    const R: SortId = SortId::REGLAN;
    match fun {
        Fun::StrConcat => {
            c.at_least(1)?;
            c.all(S, "strings")?;
            Ok(S)
        }
        Fun::StrLt | Fun::StrLe => {
            c.at_least(2)?;
            c.all(S, "strings")?;
            Ok(B)
        }
        Fun::StrLen | Fun::StrToCode | Fun::StrToInt => c.signature(&[S], I),
        Fun::StrAt => c.signature(&[S, I], S),
        Fun::StrSubstr => c.signature(&[S, I, I], S),
        Fun::StrPrefixOf | Fun::StrSuffixOf | Fun::StrContains => c.signature(&[S, S], B),
        Fun::StrIndexOf => c.signature(&[S, S, I], I),
        Fun::StrReplace | Fun::StrReplaceAll => c.signature(&[S, S, S], S),
        Fun::StrReplaceRe | Fun::StrReplaceReAll => c.signature(&[S, R, S], S),
        Fun::StrIsDigit => c.signature(&[S], B),
        Fun::StrFromCode | Fun::StrFromInt => c.signature(&[I], S),
        Fun::StrToRe => c.signature(&[S], R),
        Fun::StrInRe => c.signature(&[S, R], B),
        Fun::ReNone | Fun::ReAll | Fun::ReAllChar => c.signature(&[], R),
        Fun::ReStar | Fun::ReComp | Fun::RePlus | Fun::ReOpt => c.signature(&[R], R),
        Fun::ReRange => c.signature(&[S, S], R),
        _ => {
            c.at_least(1)?;
            c.all(R, "regular languages")?;
            Ok(R)
        }
    }
}

fn sequence(c: &mut Check<'_>, fun: Fun) -> Inferred {
    const I: SortId = SortId::INT;
    c.at_least(1)?;
    if fun == Fun::SeqUnit {
        c.count(1)?;
        let element = c.sort(0);
        return Ok(c.terms.sort(Sort::Seq(element)));
    }
    let element = c.sequence(0)?;
    let q = c.sort(0);
    match fun {
        Fun::SeqConcat => c.same(),
        Fun::SeqLen => c.signature(&[q], I),
        Fun::SeqExtract => c.signature(&[q, I, I], q),
        Fun::SeqUpdate => c.signature(&[q, I, q], q),
        Fun::SeqAt => c.signature(&[q, I], q),
        Fun::SeqContains | Fun::SeqPrefixOf | Fun::SeqSuffixOf => c.signature(&[q, q], SortId::BOOL),
        Fun::SeqIndexOf => c.signature(&[q, q, I], I),
        Fun::SeqReplace => c.signature(&[q, q, q], q),
        _ => c.signature(&[q, I], element),
    }
}

pub(crate) fn indexed(terms: &mut Terms, fun: Indexed, i: u32, j: u32, args: &[TermId]) -> Inferred {
    let mut c = Check { terms, name: fun.name(), args };
    match fun {
        Indexed::Extract => {
            c.count(1)?;
            let width = c.width(0)?;
            if i < j || i >= width {
                return Err(c.fail(&format!("indices {width} > i >= j, not {i} and {j}")));
            }
            c.bitvec(u64::from(i - j) + 1)
        }
        Indexed::Repeat | Indexed::ZeroExtend | Indexed::SignExtend => {
            c.count(1)?;
            let width = u64::from(c.width(0)?);
            let by = u64::from(i);
            c.bitvec(if fun == Indexed::Repeat { width * by } else { width + by })
        }
        Indexed::RotateLeft | Indexed::RotateRight => {
            c.count(1)?;
            c.width(0)?;
            Ok(c.sort(0))
        }
        Indexed::IntToBv => {
            c.signature(&[SortId::INT], SortId::INT)?;
            c.bitvec(u64::from(i))
        }
        Indexed::Divisible => {
            if i == 0 {
                return Err(c.fail("a positive index"));
            }
            c.signature(&[SortId::INT], SortId::BOOL)
        }
        Indexed::ToFp => to_fp(&mut c, i, j),
        Indexed::ToFpUnsigned => {
            c.count(2)?;
            c.width(1)?;
            rounded(&mut c, i, j)
        }
        Indexed::FpToUbv | Indexed::FpToSbv => {
            c.floats(1, 1)?;
            c.bitvec(u64::from(i))
        }
        Indexed::PlusInfinity
        | Indexed::MinusInfinity
        | Indexed::PlusZero
        | Indexed::MinusZero
        | Indexed::NotANumber => {
            c.count(0)?;
            float_sort(&mut c, i, j)
        }
        Indexed::RePower | Indexed::ReLoop => c.signature(&[SortId::REGLAN], SortId::REGLAN),
    }
}

fn float_sort(c: &mut Check<'_>, exponent: u32, significand: u32) -> Inferred {
    if exponent < 2 || significand < 2 {
        return Err(c.fail("at least two bits of exponent and of significand"));
    }
    Ok(c.terms.sort(Sort::Float(exponent, significand)))
}

fn rounded(c: &mut Check<'_>, exponent: u32, significand: u32) -> Inferred {
    if c.sort(0) != SortId::ROUNDING_MODE {
        return Err(c.fail("a rounding mode first"));
    }
    float_sort(c, exponent, significand)
}

fn to_fp(c: &mut Check<'_>, exponent: u32, significand: u32) -> Inferred {
    if c.args.len() == 1 {
        if u64::from(c.width(0)?) != u64::from(exponent) + u64::from(significand) {
            return Err(c.fail("as many bits as exponent and significand have together"));
        }
        return float_sort(c, exponent, significand);
    }
    c.count(2)?;
    let from = c.sort(1);
    let fits = from == SortId::REAL || matches!(c.terms.sort_kind(from), Sort::Float(..) | Sort::BitVec(_));
    if !fits {
        return Err(c.fail("a float, a real or a bit vector"));
    }
    rounded(c, exponent, significand)
}

pub(crate) fn apply(terms: &Terms, symbol: SymbolId, args: &[TermId]) -> Inferred {
    let s = terms.symbol_of(symbol);
    let fits =
        s.params.len() == args.len() && s.params.iter().zip(args).all(|(p, a)| *p == terms.sort_of(*a));
    if fits {
        return Ok(s.result);
    }
    let text = terms.text(s.name);
    Err(SortError(format!(
        "\"{text}\" wants {} arguments of its declared sorts, got {}",
        s.params.len(),
        args.len()
    )))
}
