//! What a query needs that is not built in, and which solvers know it.
//!
//! Without a solver program the cores for linear integers and for bits answer. What they leave open is
//! `unknown`, with a reason that names the theory and the programs to install. The reason goes to clients and
//! to people; it is never recorded.

use evergreen_term::{Fun, Op, Sort, SortId, SymbolKind, TermId, Terms};
use rustc_hash::FxHashSet;
use std::fmt;

/// Bit vectors up to this width are built in.
const WIDEST: u32 = 64;

/// Something that is not built in. The first that applies is named: the later ones are less of an obstacle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Need {
    #[cfg_attr(not(feature = "processes"), allow(dead_code))] // only scripts have objectives
    Optimization,
    /// A theory that one solver has added to the standard's.
    Opaque,
    Quantifiers,
    Recursion,
    FloatingPoint,
    Strings,
    Sequences,
    Datatypes,
    Reals,
    Conversions,
    Products,
    Functions,
    OtherArrays,
    WideBits,
    /// Integers that are not a conjunction of linear constraints.
    Cases,
    /// All of it is built in, and takes more steps than are spent on a query.
    Steps,
}

impl Need {
    /// What a conjunction needs.
    pub(crate) fn of(terms: &Terms, constraints: &[TermId]) -> Need {
        let mut walk = Walk { terms, seen: FxHashSet::default(), sorts: FxHashSet::default(), needs: None };
        let mut open = constraints.to_vec();
        let mut integers = false;
        while let Some(term) = open.pop() {
            if walk.seen.insert(term) {
                walk.term(term);
                integers |= terms.sort_of(term) == SortId::INT;
                open.extend(terms.args(term));
            }
        }
        walk.needs.unwrap_or(if integers { Need::Cases } else { Need::Steps })
    }

    /// Its name, after "needs".
    fn name(self) -> &'static str {
        match self {
            Need::Optimization => "optimization",
            Need::Opaque => "a theory beyond the standard",
            Need::Quantifiers => "quantifiers",
            Need::Recursion => "recursive functions",
            Need::FloatingPoint => "floating point",
            Need::Strings => "strings",
            Need::Sequences => "sequences",
            Need::Datatypes => "datatypes",
            Need::Reals => "real numbers",
            Need::Conversions => "integers of bit vectors",
            Need::Products => "products of integers",
            Need::Functions => "uninterpreted functions or sorts",
            Need::OtherArrays => "arrays of other things than bits",
            Need::WideBits => "bit vectors of more than 64 bits",
            Need::Cases => "integers in more than a conjunction of linear constraints",
            Need::Steps => "more steps than the built-in cores spend on a query",
        }
    }

    /// The solvers that know it.
    fn known_to(self) -> &'static str {
        match self {
            Need::Optimization => "z3",
            Need::FloatingPoint => "z3, cvc5 or bitwuzla",
            Need::Opaque
            | Need::Quantifiers
            | Need::Recursion
            | Need::Strings
            | Need::Sequences
            | Need::Datatypes
            | Need::Conversions => "z3 or cvc5",
            Need::Reals | Need::Products | Need::Cases | Need::OtherArrays => "z3, cvc5 or yices",
            Need::Functions | Need::WideBits | Need::Steps => "z3, cvc5, bitwuzla or yices",
        }
    }
}

impl fmt::Display for Need {
    /// As the reason of an `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "incomplete: needs {}; install {}", self.name(), self.known_to())
    }
}

struct Walk<'t> {
    terms: &'t Terms,
    seen: FxHashSet<TermId>,
    sorts: FxHashSet<SortId>,
    needs: Option<Need>,
}

impl Walk<'_> {
    fn note(&mut self, need: Need) {
        self.needs = Some(self.needs.map_or(need, |other| other.min(need)));
    }

    fn term(&mut self, term: TermId) {
        self.sort(self.terms.sort_of(term));
        match self.terms.op(term) {
            Op::Opaque(_) | Op::Function(_) => self.note(Need::Opaque),
            Op::Quantifier(..) => self.note(Need::Quantifiers),
            Op::Is(_) | Op::Update(_) => self.note(Need::Datatypes),
            Op::Apply(symbol) => {
                let symbol = self.terms.symbol_of(symbol);
                match symbol.kind {
                    SymbolKind::Free if symbol.params.is_empty() => {}
                    SymbolKind::Free => self.note(Need::Functions),
                    SymbolKind::Defined(_) => self.note(Need::Recursion),
                    _ => self.note(Need::Datatypes),
                }
            }
            Op::Fun(Fun::UbvToInt | Fun::SbvToInt) => self.note(Need::Conversions),
            Op::Fun(Fun::Mul) => {
                let open = self.terms.args(term).iter().filter(|&&a| self.terms.literal_of(a).is_none());
                if open.count() > 1 {
                    self.note(Need::Products);
                }
            }
            Op::Fun(Fun::IntDiv | Fun::Mod) => {
                let mut divisors = self.terms.args(term).iter().skip(1);
                let open = divisors.any(|&divisor| self.terms.literal_of(divisor).is_none());
                if open {
                    self.note(Need::Products);
                }
            }
            _ => {}
        }
    }

    fn sort(&mut self, sort: SortId) {
        if !self.sorts.insert(sort) {
            return;
        }
        match self.terms.sort_kind(sort).clone() {
            Sort::Bool | Sort::Int => {}
            Sort::Real => self.note(Need::Reals),
            Sort::String | Sort::RegLan => self.note(Need::Strings),
            Sort::RoundingMode | Sort::Float(..) => self.note(Need::FloatingPoint),
            Sort::BitVec(width) if width > WIDEST => self.note(Need::WideBits),
            Sort::BitVec(_) => {}
            Sort::Array(index, element) => {
                let is_bits = |s: SortId| matches!(self.terms.sort_kind(s), Sort::BitVec(_) | Sort::Bool);
                if !is_bits(index) || !is_bits(element) {
                    self.note(Need::OtherArrays);
                }
                self.sort(index);
                self.sort(element);
            }
            Sort::Seq(_) => self.note(Need::Sequences),
            Sort::Opaque(..) => self.note(Need::Opaque),
            Sort::Uninterpreted(..) => self.note(Need::Functions),
            Sort::Datatype(_) => self.note(Need::Datatypes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_smtlib::{Command, Context};

    fn check(script: &str, expected: &str) {
        let mut terms = Terms::new();
        let mut context = Context::new(&mut terms);
        let read = context.read_script(&mut terms, script.as_bytes()).expect("a script");
        let asserted = |located: &evergreen_smtlib::Located| match located.command {
            Command::Assert { term, .. } => Some(term),
            _ => None,
        };
        let constraints: Vec<TermId> = read.iter().filter_map(asserted).collect();
        assert!(!constraints.is_empty(), "{script}");
        assert_eq!(Need::of(&terms, &constraints).to_string(), format!("incomplete: needs {expected}"));
    }

    #[test]
    fn the_theory_is_named_with_the_solvers_that_know_it() {
        check(
            "(declare-const f Float32) (assert (fp.isNaN f))",
            "floating point; install z3, cvc5 or bitwuzla",
        );
        check("(declare-const r Real) (assert (< r 0.5))", "real numbers; install z3, cvc5 or yices");
        check("(declare-const s String) (assert (= s \"a\"))", "strings; install z3 or cvc5");
        check("(declare-const s (Seq Int)) (assert (= (seq.len s) 2))", "sequences; install z3 or cvc5");
        check(
            "(declare-const x Int) (declare-const y Int) (assert (= (* x y) 6))",
            "products of integers; install z3, cvc5 or yices",
        );
        check(
            "(declare-const b (_ BitVec 8)) (assert (= (ubv_to_int b) 6))",
            "integers of bit vectors; install z3 or cvc5",
        );
        check(
            "(declare-fun f (Int) Int) (assert (= (f 1) 2))",
            "uninterpreted functions or sorts; install z3, cvc5, bitwuzla or yices",
        );
        check(
            "(declare-const b (_ BitVec 65)) (assert (= b (bvneg b)))",
            "bit vectors of more than 64 bits; install z3, cvc5, bitwuzla or yices",
        );
        check(
            "(declare-const a (Array Int Int)) (assert (= (select a 0) 2))",
            "arrays of other things than bits; install z3, cvc5 or yices",
        );
        check("(assert (forall ((x Int)) (< x (+ x 1))))", "quantifiers; install z3 or cvc5");
        check(
            "(declare-datatype T ((A) (B))) (declare-const t T) (assert (= t A))",
            "datatypes; install z3 or cvc5",
        );
    }

    #[test]
    fn of_several_theories_the_rarest_is_named() {
        let both = "(declare-const r Real) (declare-const f Float32)
            (assert (and (< r 1.0) (fp.isZero f)))";
        check(both, "floating point; install z3, cvc5 or bitwuzla");
    }

    #[test]
    fn what_is_built_in_takes_too_many_cases_or_steps() {
        check(
            "(declare-const x Int) (assert (or (< x 0) (> x 9)))",
            "integers in more than a conjunction of linear constraints; install z3, cvc5 or yices",
        );
        check(
            "(declare-const b (_ BitVec 64)) (assert (= b (bvmul b b)))",
            "more steps than the built-in cores spend on a query; install z3, cvc5, bitwuzla or yices",
        );
    }
}
