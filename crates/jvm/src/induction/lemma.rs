//! Lemmas: what the result of a recursive method has to do with its arguments, where a guard holds.
//!
//! They are guessed from a few shapes with the constants of the program in them, as Daikon does [Ernst
//! TSE'01]: bounds of one argument imply that the result equals a term of the arguments, or is at least one.
//! A guess is only kept for a proof if it is inductive; what is here makes none of them true.

use std::fmt;

use evergreen_symbolic::{Binary, Cond, Const, Expr, Exprs, Kind, Rel};

/// Constants of the program that lemmas are made with.
const MOST_CONSTANTS: usize = 8;

/// `argument rel constant`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    argument: usize,
    rel: Rel,
    constant: i64,
}

/// A term of the arguments, in the arithmetic of their kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    Constant(i64),
    /// An argument and a constant.
    Moved(usize, i64),
    Sum(usize, usize),
    Difference(usize, usize),
    Product(usize, usize),
    /// `a % 2`
    Parity(usize),
    /// `1 - a % 2`
    OtherParity(usize),
}

/// If all bounds of the guard hold, the result stands in a relation to a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    guard: Vec<Bound>,
    rel: Rel,
    term: Term,
}

impl Term {
    fn value(self, args: &[i64], kind: Kind) -> i64 {
        let value = match self {
            Term::Constant(constant) => constant,
            Term::Moved(a, by) => args[a].wrapping_add(by),
            Term::Sum(a, b) => args[a].wrapping_add(args[b]),
            Term::Difference(a, b) => args[a].wrapping_sub(args[b]),
            Term::Product(a, b) => args[a].wrapping_mul(args[b]),
            Term::Parity(a) => args[a] % 2,
            Term::OtherParity(a) => 1 - args[a] % 2,
        };
        // Wrapping once is enough: cutting off bits is a homomorphism of rings.
        if kind == Kind::I32 { i64::from(value as i32) } else { value }
    }

    fn expr(self, exprs: &mut Exprs, args: &[Expr], kind: Kind) -> Expr {
        match self {
            Term::Constant(value) => number(exprs, kind, value),
            Term::Moved(a, by) => {
                let by = number(exprs, kind, by);
                exprs.binary(Binary::Add, args[a], by)
            }
            Term::Sum(a, b) => exprs.binary(Binary::Add, args[a], args[b]),
            Term::Difference(a, b) => exprs.binary(Binary::Sub, args[a], args[b]),
            Term::Product(a, b) => exprs.binary(Binary::Mul, args[a], args[b]),
            Term::Parity(a) => {
                let two = number(exprs, kind, 2);
                exprs.binary(Binary::Rem, args[a], two)
            }
            Term::OtherParity(a) => {
                let (one, parity) = (number(exprs, kind, 1), Term::Parity(a).expr(exprs, args, kind));
                exprs.binary(Binary::Sub, one, parity)
            }
        }
    }
}

impl Lemma {
    /// Whether its guard holds for these arguments.
    pub(crate) fn applies(&self, args: &[i64]) -> bool {
        self.guard.iter().all(|bound| bound.rel.holds(args[bound.argument], bound.constant))
    }

    /// Whether it is true of a call.
    pub fn holds(&self, args: &[i64], result: i64, kind: Kind) -> bool {
        !self.applies(args) || self.rel.holds(result, self.term.value(args, kind))
    }

    /// Whether it says what the result is, where its guard holds.
    pub(crate) fn is_equation(&self) -> bool {
        self.rel == Rel::Eq
    }

    /// The condition that its guard is.
    pub(crate) fn guard(&self, exprs: &mut Exprs, args: &[Expr], kind: Kind) -> Cond {
        let mut all = Cond::TRUE;
        for bound in &self.guard {
            let constant = number(exprs, kind, bound.constant);
            let holds = exprs.relate(bound.rel, args[bound.argument], constant);
            all = exprs.and(all, holds);
        }
        all
    }

    /// The term.
    pub(crate) fn term(&self, exprs: &mut Exprs, args: &[Expr], kind: Kind) -> Expr {
        self.term.expr(exprs, args, kind)
    }

    /// The condition that it is, of a call with these arguments and this result.
    pub fn cond(&self, exprs: &mut Exprs, args: &[Expr], result: Expr, kind: Kind) -> Cond {
        let guard = self.guard(exprs, args, kind);
        let term = self.term(exprs, args, kind);
        let says = exprs.relate(self.rel, result, term);
        exprs.or(guard.negated(), says)
    }

    /// Whether the other one has the same relation under a guard that is no weaker.
    pub fn covers(&self, other: &Lemma) -> bool {
        let is_known = |bound: &Bound| other.guard.contains(bound);
        self.rel == other.rel && self.term == other.term && self.guard.iter().all(is_known)
    }

    /// In the words of Java, with these names of the arguments.
    pub fn shown(&self, names: &[String], result: &str) -> String {
        let rel = |rel: Rel| match rel {
            Rel::Eq => "==",
            Rel::Ne => "!=",
            Rel::Lt => "<",
            Rel::Ge => ">=",
            Rel::Gt => ">",
            Rel::Le => "<=",
        };
        let bound = |b: &Bound| format!("{} {} {}", names[b.argument], rel(b.rel), b.constant);
        let guard: Vec<String> = self.guard.iter().map(bound).collect();
        let term = match self.term {
            Term::Constant(value) => value.to_string(),
            Term::Moved(a, 0) => names[a].clone(),
            Term::Moved(a, by) if by < 0 => format!("{} - {}", names[a], -by),
            Term::Moved(a, by) => format!("{} + {by}", names[a]),
            Term::Sum(a, b) => format!("{} + {}", names[a], names[b]),
            Term::Difference(a, b) => format!("{} - {}", names[a], names[b]),
            Term::Product(a, b) => format!("{} * {}", names[a], names[b]),
            Term::Parity(a) => format!("{} % 2", names[a]),
            Term::OtherParity(a) => format!("1 - {} % 2", names[a]),
        };
        let says = format!("{result} {} {term}", rel(self.rel));
        if guard.is_empty() { says } else { format!("{says} if {}", guard.join(" && ")) }
    }
}

impl fmt::Display for Lemma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = (0..8).map(|n| format!("p{n}")).collect();
        f.write_str(&self.shown(&names, "result"))
    }
}

pub(crate) fn number(exprs: &mut Exprs, kind: Kind, value: i64) -> Expr {
    exprs.constant(match kind {
        Kind::I64 => Const::I64(value),
        _ => Const::I32(value as i32),
    })
}

/// The values that are interesting as arguments.
pub(crate) fn samples(constants: &[i64]) -> Vec<i64> {
    let mut all: Vec<i64> = (-3..=8).collect();
    for constant in constants.iter().take(MOST_CONSTANTS) {
        all.extend([constant - 1, *constant, constant + 1, constant + 7]);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Everything that could be a lemma about a method with so many arguments, the widest guards first.
pub(crate) fn candidates(arity: usize, constants: &[i64]) -> Vec<Lemma> {
    let constants = &constants[..constants.len().min(MOST_CONSTANTS)];
    let bound = |argument, rel, constant| Bound { argument, rel, constant };
    let mut guards: Vec<Vec<Bound>> = vec![Vec::new()];
    for rel in [Rel::Ge, Rel::Gt] {
        guards.extend((0..arity).map(|a| vec![bound(a, rel, 0)]));
    }
    if arity > 1 {
        for rel in [Rel::Ge, Rel::Gt] {
            guards.push((0..arity).map(|a| bound(a, rel, 0)).collect());
        }
    }
    let (mut rising, mut falling) = (constants.to_vec(), constants.to_vec());
    rising.sort_unstable();
    falling.sort_unstable_by(|a, b| b.cmp(a));
    for a in 0..arity {
        guards.extend(falling.iter().map(|c| vec![bound(a, Rel::Le, *c)]));
        guards.extend(rising.iter().map(|c| vec![bound(a, Rel::Gt, *c)]));
    }
    let mut says: Vec<(Rel, Term)> = Vec::new();
    for (a, b) in (0..arity).flat_map(|a| (0..arity).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        says.push((Rel::Eq, Term::Difference(a, b)));
        if a < b {
            says.extend([(Rel::Eq, Term::Sum(a, b)), (Rel::Eq, Term::Product(a, b))]);
        }
    }
    for a in 0..arity {
        says.push((Rel::Eq, Term::Moved(a, 0)));
        for by in constants.iter().filter(|by| **by != 0 && **by != i64::MIN) {
            says.extend([(Rel::Eq, Term::Moved(a, *by)), (Rel::Eq, Term::Moved(a, -by))]);
        }
        says.extend([(Rel::Eq, Term::Parity(a)), (Rel::Eq, Term::OtherParity(a))]);
    }
    let plain = [0, 1].into_iter().chain(constants.iter().copied().filter(|c| !(0..=1).contains(c)));
    says.extend(plain.map(|c| (Rel::Eq, Term::Constant(c))));
    says.extend([(Rel::Ge, Term::Constant(1)), (Rel::Ge, Term::Constant(0))]);
    for a in 0..arity {
        says.extend([(Rel::Ge, Term::Moved(a, 0)), (Rel::Ge, Term::Moved(a, -1))]);
    }
    let with = |guard: &Vec<Bound>| {
        let guard = guard.clone();
        says.iter().map(move |(rel, term)| Lemma { guard: guard.clone(), rel: *rel, term: *term })
    };
    guards.iter().flat_map(with).collect()
}

/// Those that no call contradicts and that several calls support. A lemma whose guard is too weak to be
/// inductive is supported where calls beyond the guard do not return: those that it covers are kept, too.
pub(crate) fn supported(all: Vec<Lemma>, calls: &[(Vec<i64>, i64)], kind: Kind, most: usize) -> Vec<Lemma> {
    let mut kept: Vec<Lemma> = Vec::new();
    for lemma in all {
        let support = calls.iter().filter(|(args, _)| lemma.applies(args)).count();
        let is_true = || calls.iter().all(|(args, result)| lemma.holds(args, *result, kind));
        if support >= 3 && kept.len() < most && is_true() {
            kept.push(lemma);
        }
    }
    kept
}
