//! Which recursive definitions are definitions, and which are axioms that could be false.
//!
//! `(define-fun-rec f ((x Int)) Int (+ 1 (f x)))` says that f(x) = 1 + f(x): no function does that, so every
//! script with it is unsatisfiable, whether something uses f or not. z3 does not look at what is not used,
//! cvc5 does. A definition by *well-founded* recursion is another matter: exactly one function fits it, in
//! every model, so that solvers mean the same and one that is not used can be left out.
//!
//! Whether recursion is well-founded is undecidable. Evident here are: no recursion; an argument that is a
//! part of the parameter, taken out by selectors of constructors that the parameter is known to have; an
//! integer that goes down (or up) by a number in every call, where a condition around the call says that it
//! is above (below) a number, or above a parameter that stays the same. Functions that call each other do so
//! in one place of their parameters. Everything else is treated as an axiom, which costs reuse and never an
//! answer.

use evergreen_term::{Fun, Int, Op, SymbolId, SymbolKind, TermId, Terms, Value};
use rustc_hash::FxHashSet;

/// Terms that are looked at before a definition is called not evident: conditions depend on the way to a
/// term, so shared terms are visited once for every way.
const STEPS: usize = 20_000;

/// Whether one of these functions, or one that they call, is not evidently well-founded.
pub(crate) fn is_axiom_among(terms: &Terms, symbols: impl IntoIterator<Item = SymbolId>) -> bool {
    let mut open: Vec<SymbolId> = symbols.into_iter().collect();
    let mut seen: FxHashSet<SymbolId> = open.iter().copied().collect();
    while let Some(symbol) = open.pop() {
        if !is_founded(terms, symbol) {
            return true;
        }
        open.extend(calls(terms, symbol).into_iter().filter(|called| seen.insert(*called)));
    }
    false
}

/// The recursive functions in constraints.
pub(crate) fn defined_in(terms: &Terms, roots: &[TermId]) -> FxHashSet<SymbolId> {
    let mut found = FxHashSet::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Apply(symbol) = terms.op(term)
            && matches!(terms.symbol_of(symbol).kind, SymbolKind::Defined(_))
        {
            found.insert(symbol);
        }
        stack.extend(terms.args(term));
    }
    found
}

fn calls(terms: &Terms, symbol: SymbolId) -> FxHashSet<SymbolId> {
    terms.definition(symbol).map(|definition| defined_in(terms, &[definition.body])).unwrap_or_default()
}

/// Everything that a function calls, at once or through others.
fn reached(terms: &Terms, symbol: SymbolId) -> FxHashSet<SymbolId> {
    let mut open: Vec<SymbolId> = calls(terms, symbol).into_iter().collect();
    let mut seen: FxHashSet<SymbolId> = open.iter().copied().collect();
    while let Some(next) = open.pop() {
        open.extend(calls(terms, next).into_iter().filter(|called| seen.insert(*called)));
    }
    seen
}

fn is_founded(terms: &Terms, symbol: SymbolId) -> bool {
    // Those that call each other.
    let mut group = reached(terms, symbol);
    group.retain(|other| reached(terms, *other).contains(&symbol));
    if group.is_empty() {
        return true;
    }
    let arity = group.iter().map(|s| terms.symbol_of(*s).params.len()).min().unwrap_or(0);
    let fixed = fixed(terms, &group);
    (0..arity).any(|place| {
        [Measure::Part, Measure::Down, Measure::Up].into_iter().any(|measure| {
            let mut walk = Walk { terms, group: &group, fixed: &fixed, place, measure, steps: STEPS };
            group.iter().all(|caller| {
                let definition = terms.definition(*caller);
                definition.is_some_and(|d| walk.decreases(d.body, &mut Vec::new()))
            })
        })
    })
}

/// The parameters of a function that calls itself which stay the same in every call: bounds for the others.
/// Of functions that call each other, none.
fn fixed(terms: &Terms, group: &FxHashSet<SymbolId>) -> Vec<u32> {
    let [symbol] = group.iter().copied().collect::<Vec<_>>()[..] else { return Vec::new() };
    let mut fixed: Vec<u32> = (0..terms.symbol_of(symbol).params.len() as u32).collect();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack: Vec<TermId> = terms.definition(symbol).map(|d| d.body).into_iter().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = terms.args(term);
        if terms.op(term) == Op::Apply(symbol) {
            fixed.retain(|&level| terms.op(args[level as usize]) == Op::Bound(level));
        }
        stack.extend(args);
    }
    fixed
}

/// What gets smaller with every call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// A value of a datatype: it becomes a part of itself.
    Part,
    /// An integer with a lower bound.
    Down,
    /// An integer with an upper bound.
    Up,
}

/// A condition that holds where a term matters, or one that does not.
type Facts = Vec<(TermId, bool)>;

struct Walk<'t> {
    terms: &'t Terms,
    group: &'t FxHashSet<SymbolId>,
    /// Parameters that stay the same.
    fixed: &'t [u32],
    /// The parameter that gets smaller, in all functions of the group.
    place: usize,
    measure: Measure,
    steps: usize,
}

impl Walk<'_> {
    /// Whether every call of the group in a term has a smaller argument.
    fn decreases(&mut self, term: TermId, facts: &mut Facts) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Apply(symbol) if self.group.contains(&symbol) => {
                self.is_smaller(args, facts) && args.iter().all(|&arg| self.decreases(arg, facts))
            }
            Op::Fun(Fun::Ite) => {
                self.decreases(args[0], facts)
                    && self.decreases_under(args[1], &[(args[0], true)], facts)
                    && self.decreases_under(args[2], &[(args[0], false)], facts)
            }
            // What one argument is does not matter where another decides.
            Op::Fun(fun @ (Fun::And | Fun::Or)) => (0..args.len()).all(|i| {
                let others = args.iter().enumerate().filter(|(j, _)| *j != i);
                let others: Facts = others.map(|(_, &arg)| (arg, fun == Fun::And)).collect();
                self.decreases_under(args[i], &others, facts)
            }),
            _ => args.iter().all(|&arg| self.decreases(arg, facts)),
        }
    }

    fn decreases_under(&mut self, term: TermId, more: &[(TermId, bool)], facts: &mut Facts) -> bool {
        let before = facts.len();
        for &(fact, holds) in more {
            self.learn(fact, holds, facts);
        }
        let decreases = self.decreases(term, facts);
        facts.truncate(before);
        decreases
    }

    /// Adds a fact, taken apart.
    fn learn(&self, fact: TermId, holds: bool, facts: &mut Facts) {
        let args = self.terms.args(fact);
        match (self.terms.op(fact), holds) {
            (Op::Fun(Fun::Not), _) => self.learn(args[0], !holds, facts),
            (Op::Fun(Fun::And), true) | (Op::Fun(Fun::Or), false) => {
                args.iter().for_each(|&arg| self.learn(arg, holds, facts));
            }
            _ => facts.push((fact, holds)),
        }
    }

    fn is_smaller(&self, args: &[TermId], facts: &Facts) -> bool {
        let Some(&arg) = args.get(self.place) else { return false };
        match self.measure {
            Measure::Part => self.is_part(arg, facts),
            Measure::Down | Measure::Up => self.is_step(arg) && self.is_bounded(facts),
        }
    }

    fn is_parameter(&self, term: TermId) -> bool {
        self.terms.op(term) == Op::Bound(self.place as u32)
    }

    /// Whether a term is a proper part of the parameter: selectors of constructors that are known to be
    /// there. A selector of another constructor gives any value, which need not be smaller.
    fn is_part(&self, term: TermId, facts: &Facts) -> bool {
        let Op::Apply(selector) = self.terms.op(term) else { return false };
        let SymbolKind::Selector(data, constructor, _) = self.terms.symbol_of(selector).kind else {
            return false;
        };
        let whole = self.terms.args(term)[0];
        let constructors = &self.terms.datatype(data).constructors;
        let is = |number: usize, fact: TermId| {
            self.terms.op(fact) == Op::Is(constructors[number].symbol) && self.terms.args(fact) == [whole]
        };
        let is_known = facts.iter().any(|&(fact, holds)| holds && is(constructor as usize, fact));
        let is_excluded = |number: usize| {
            facts.iter().any(|&(fact, holds)| {
                !holds && (is(number, fact) || self.is_value(fact, whole, constructors[number].symbol))
            })
        };
        let others_excluded = (0..constructors.len()).filter(|&n| n != constructor as usize).all(is_excluded);
        (is_known || others_excluded) && (self.is_parameter(whole) || self.is_part(whole, facts))
    }

    /// Whether a fact says that a term is a constructor without fields.
    fn is_value(&self, fact: TermId, whole: TermId, constructor: SymbolId) -> bool {
        let is_constructor =
            |term: TermId| self.terms.op(term) == Op::Apply(constructor) && self.terms.args(term).is_empty();
        match (self.terms.op(fact), self.terms.args(fact)) {
            (Op::Fun(Fun::Eq), &[a, b]) => a == whole && is_constructor(b) || b == whole && is_constructor(a),
            _ => false,
        }
    }

    /// An integer that is written down.
    fn number(&self, term: TermId) -> Option<Int> {
        match (self.terms.literal_of(term), self.terms.op(term), self.terms.args(term)) {
            (Some(Value::Int(value)), ..) => Some(value.clone()),
            (_, Op::Fun(Fun::Neg), &[inner]) => self.number(inner).map(|value| value.neg()),
            _ => None,
        }
    }

    /// Whether an argument is the parameter and a step towards the bound: `n - 1`, `n + (-1)`, `(-1) + n`.
    fn is_step(&self, arg: TermId) -> bool {
        let number = |term| self.number(term).filter(|value| !value.is_zero()).map(|v| v < Int::from(0));
        // Whether the value goes down.
        let down = match (self.terms.op(arg), self.terms.args(arg)) {
            (Op::Fun(Fun::Sub), &[a, b]) if self.is_parameter(a) => number(b).map(|negative| !negative),
            (Op::Fun(Fun::Add), &[a, b]) if self.is_parameter(a) => number(b),
            (Op::Fun(Fun::Add), &[a, b]) if self.is_parameter(b) => number(a),
            _ => None,
        };
        down == Some(self.measure == Measure::Down)
    }

    /// Whether the conditions around a call bound the parameter on the side that it goes to.
    fn is_bounded(&self, facts: &Facts) -> bool {
        let is_fixed = |term: TermId| match self.terms.op(term) {
            Op::Bound(level) => self.fixed.contains(&level),
            _ => self.number(term).is_some(),
        };
        facts.iter().any(|&(fact, holds)| {
            let Op::Fun(fun) = self.terms.op(fact) else { return false };
            let &[a, b] = self.terms.args(fact) else { return false };
            let (parameter_first, other) = match (self.is_parameter(a), self.is_parameter(b)) {
                (true, false) => (true, b),
                (false, true) => (false, a),
                _ => return false,
            };
            // Whether it says that the parameter is the larger one.
            let above = match fun {
                Fun::Gt | Fun::Ge => parameter_first == holds,
                Fun::Lt | Fun::Le => parameter_first != holds,
                _ => return false,
            };
            above == (self.measure == Measure::Down) && is_fixed(other)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_smtlib::{Command, Context};

    /// Whether the last definition of a script is evidently well-founded.
    fn founded(script: &str) -> bool {
        let mut terms = Terms::new();
        let mut context = Context::new(&mut terms);
        let read = context.read_script(&mut terms, script.as_bytes()).expect("a script");
        let mut last = Vec::new();
        for located in read {
            assert!(located.complaint.is_none(), "{script}");
            if let Command::DefineFunsRec(symbols) = located.command {
                last = symbols;
            }
        }
        assert!(!last.is_empty(), "{script}");
        !is_axiom_among(&terms, last)
    }

    #[test]
    fn integers() {
        for (body, expected) in [
            ("5", true),
            ("(+ n m)", true),
            ("(+ 1 (f n m))", false),
            ("(ite (<= n 0) 0 (f (- n 1) m))", true),
            ("(ite (not (<= n 0)) (f (- n 1) m) 0)", true),
            ("(ite (> n 0) (f (+ n (- 1)) m) 0)", true),
            ("(ite (< 0 n) (f (+ (- 2) n) m) 0)", true),
            ("(ite (and (> m 3) (>= n 1)) (f (- n 1) m) 0)", true),
            ("(ite (or (> m 3) (< n 1)) 0 (f (- n 1) m))", true),
            // Not for negative numbers; some function does it, but which one is not said.
            ("(ite (= n 0) 0 (f (- n 1) m))", false),
            ("(ite (<= n 0) (f (- n 1) m) 0)", false),
            ("(ite (<= n 0) 0 (f (+ n 1) m))", false),
            ("(ite (<= n 0) 0 (f (- n 0) m))", false),
            ("(ite (<= n 0) 0 (f n (- m 1)))", false),
            ("(ite (<= m 0) 0 (f n (- m 1)))", true),
            ("(ite (<= n 0) 0 (f (f (- n 1) m) m))", false),
            ("(ite (<= n 0) 0 (f (- n 1) (f (- n 2) m)))", true),
            ("(+ (ite (<= n 0) 0 (f (- n 1) m)) (f n m))", false),
            // Up to a bound that stays.
            ("(ite (>= n m) 0 (f (+ n 1) m))", true),
            ("(ite (>= n m) 0 (f (+ n 1) (+ m 1)))", false),
            ("(ite (>= n 10) 0 (f (+ n 1) (+ m 1)))", true),
            ("(ite (>= n m) (ite (>= n 10) 0 (f (+ n 1) (+ m 1))) (f (+ n 1) m))", false),
            ("(ite (<= n 0) 0 (ite (= m 0) (f (- n 1) m) (f (+ n 1) m)))", false),
        ] {
            let script = format!("(define-fun-rec f ((n Int) (m Int)) Int {body})");
            assert_eq!(founded(&script), expected, "{body}");
        }
        let reals = "(define-fun-rec f ((x Real)) Real (ite (<= x 0.0) 0.0 (f (- x 1.0))))";
        assert!(!founded(reals), "not looked at");
        assert!(founded("(define-fun-rec p ((n Int)) Bool (and (> n 0) (p (- n 1))))"));
        assert!(!founded("(define-fun-rec p ((n Int)) Bool (and (< n 0) (p (- n 1))))"));
        assert!(!founded("(define-fun-rec p ((n Int)) Bool (not (p n)))"));
    }

    #[test]
    fn several_functions() {
        let pair = |even: &str, odd: &str| {
            founded(&format!("(define-funs-rec ((e ((n Int)) Bool) (o ((n Int)) Bool)) ({even} {odd}))"))
        };
        assert!(pair("(ite (<= n 0) true (o (- n 1)))", "(ite (<= n 0) false (e (- n 1)))"));
        assert!(!pair("(ite (= n 0) true (o (- n 1)))", "(ite (= n 0) false (e (- n 1)))"));
        assert!(!pair("(ite (<= n 0) true (o (- n 1)))", "(ite (>= n 9) false (e (+ n 1)))"));
        assert!(!pair("(o n)", "(e n)"));
        assert!(pair("(o n)", "(> n 3)"), "no circle");
        // Calls one that is an axiom, or one that is not.
        let calls = |body: &str| {
            founded(&format!(
                "(define-fun-rec f ((n Int)) Int {body}) (define-fun-rec g ((n Int)) Int (ite (<= n 0) (f \
                 n) (g (- n 1))))"
            ))
        };
        assert!(calls("(ite (> n 3) (f (- n 1)) 0)"));
        assert!(!calls("(+ 1 (f n))"));
        assert!(founded("(define-funs-rec ((p () Bool) (q () Bool)) (q true))"));
        assert!(!founded("(define-funs-rec ((p () Bool) (q () Bool)) (q (not p)))"));
    }

    #[test]
    fn datatypes() {
        let list = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))";
        for (body, expected) in [
            ("(ite ((_ is cons) l) (+ 1 (f (tl l))) 0)", true),
            ("(ite ((_ is nil) l) 0 (+ 1 (f (tl l))))", true),
            ("(ite (= l nil) 0 (+ 1 (f (tl l))))", true),
            ("(ite (= nil l) 0 (+ 1 (f (tl l))))", true),
            ("(match l ((nil 0) ((cons h t) (+ h (f t)))))", true),
            // What the tail of nil is, is left open: it may be nil.
            ("(+ 1 (f (tl l)))", false),
            ("(ite ((_ is nil) l) (f (tl l)) 0)", false),
            ("(ite ((_ is cons) l) (+ 1 (f l)) 0)", false),
            ("(ite ((_ is cons) l) (+ 1 (f (cons 1 (tl l)))) 0)", false),
            ("(ite ((_ is cons) l) (+ 1 (f (tl (tl l)))) 0)", false),
            ("(ite (and ((_ is cons) l) ((_ is cons) (tl l))) (+ 1 (f (tl (tl l)))) 0)", true),
            ("(ite (= l (cons 1 nil)) 0 (+ 1 (f (tl l))))", false),
        ] {
            assert_eq!(founded(&format!("{list}(define-fun-rec f ((l L)) Int {body})")), expected, "{body}");
        }
        let tree = "(declare-datatypes ((T 0) (F 0)) (((node (v Int) (kids F))) ((none) (some (first T) \
            (rest F)))))";
        assert!(founded(&format!(
            "{tree}(define-funs-rec ((t ((x T)) Int) (f ((x F)) Int)) \
             ((+ (v x) (f (kids x))) (ite ((_ is some) x) (+ (t (first x)) (f (rest x))) 0)))"
        )));
    }
}
