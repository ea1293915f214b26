//! Terms as formulas over rows: linear integer arithmetic and truth values, with everything that a variable
//! can be defined for.
//!
//! `div` and `mod` by a constant, `abs` and `ite` of numbers become variables of their own, each with
//! constraints that give it exactly one value for every value of the others: the number of solutions stays
//! what it was. A declared constant of sort Bool is a variable with the values 0 and 1. What does not fit is
//! refused, with the term to point at.

use super::Uncountable;
use super::formula::{Formula, Sum};
use evergreen_count::{Domain, Relation, Var};
use evergreen_term::{Fun, Int, Op, SortId, SymbolKind, TermId, Terms, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// So deep may terms be nested: the stack has an end.
const DEPTH: usize = 1000;

/// So large may a formula become: `xor` and `ite` double what is below them.
const NODES: usize = 200_000;

type Read<T> = Result<T, Uncountable>;

pub(crate) struct Reader<'t> {
    terms: &'t Terms,
    /// Of declared constants and of those that were made.
    pub domains: Vec<Domain>,
    /// What made variables are defined by.
    pub definitions: Vec<Rc<Formula>>,
    vars: FxHashMap<TermId, Var>,
    sums: FxHashMap<TermId, Rc<Sum>>,
    depth: usize,
    nodes: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(terms: &'t Terms) -> Reader<'t> {
        Reader {
            terms,
            domains: Vec::new(),
            definitions: Vec::new(),
            vars: FxHashMap::default(),
            sums: FxHashMap::default(),
            depth: 0,
            nodes: 0,
        }
    }

    /// The variable of a declared constant.
    pub(super) fn variable(&mut self, term: TermId) -> Read<Var> {
        if let Some(&var) = self.vars.get(&term) {
            return Ok(var);
        }
        let domain = match (self.terms.op(term), self.terms.sort_of(term)) {
            (Op::Apply(s), sort) if self.terms.args(term).is_empty() => {
                match (&self.terms.symbol_of(s).kind, sort) {
                    (SymbolKind::Free, SortId::INT) => Domain::ALL,
                    (SymbolKind::Free, SortId::BOOL) => Domain::new(0, 1),
                    _ => return self.refuse(term, "a variable that is counted is of sort Int or Bool"),
                }
            }
            _ => return self.refuse(term, "not a declared constant"),
        };
        let var = self.made(domain);
        self.vars.insert(term, var);
        Ok(var)
    }

    fn made(&mut self, domain: Domain) -> Var {
        self.domains.push(domain);
        (self.domains.len() - 1) as Var
    }

    fn refuse<T>(&self, term: TermId, why: &'static str) -> Read<T> {
        Err(Uncountable { term, why })
    }

    fn enter(&mut self, term: TermId) -> Read<()> {
        self.depth += 1;
        self.nodes += 1;
        match (self.depth > DEPTH, self.nodes > NODES) {
            (true, _) => self.refuse(term, "nested too deeply to be counted"),
            (_, true) => self.refuse(term, "too large to be counted: it doubles with every xor and ite"),
            _ => Ok(()),
        }
    }

    /// A constraint, or its negation.
    pub(super) fn formula(&mut self, term: TermId, sign: bool) -> Read<Formula> {
        self.enter(term)?;
        let read = self.connective(term, sign);
        self.depth -= 1;
        read
    }

    fn connective(&mut self, term: TermId, sign: bool) -> Read<Formula> {
        let terms = self.terms;
        let args = terms.args(term);
        match terms.op(term) {
            Op::Literal(id) => match terms.literal_value(id) {
                Value::Bool(value) => Ok(Formula::truth(*value == sign)),
                _ => self.refuse(term, "not a constraint"),
            },
            Op::Fun(Fun::Not) => self.formula(args[0], !sign),
            Op::Fun(Fun::And) => Ok(joined(sign, self.formulas(args, sign)?)),
            Op::Fun(Fun::Or) => Ok(joined(!sign, self.formulas(args, sign)?)),
            Op::Fun(Fun::Implies) => {
                let Some((last, premises)) = args.split_last() else {
                    return self.refuse(term, "not a constraint");
                };
                let mut parts = self.formulas(premises, !sign)?;
                parts.push(Rc::new(self.formula(*last, sign)?));
                Ok(joined(!sign, parts))
            }
            Op::Fun(Fun::Xor) => self.xor(args, sign),
            Op::Fun(Fun::Ite) => {
                let [c, a, b] = *args else { return self.refuse(term, "not a constraint") };
                let yes = vec![Rc::new(self.formula(c, true)?), Rc::new(self.formula(a, sign)?)];
                let no = vec![Rc::new(self.formula(c, false)?), Rc::new(self.formula(b, sign)?)];
                Ok(Formula::OneOf(vec![Rc::new(Formula::All(yes)), Rc::new(Formula::All(no))]))
            }
            Op::Fun(Fun::Eq) => {
                let pairs = args.windows(2).map(|w| (w[0], w[1])).collect();
                self.equalities(term, pairs, sign, true)
            }
            Op::Fun(Fun::Distinct) => {
                let after = |at: usize| args[at + 1..].iter().map(move |b| (args[at], *b));
                let pairs = (0..args.len()).flat_map(after).collect();
                self.equalities(term, pairs, sign, false)
            }
            Op::Fun(fun @ (Fun::Le | Fun::Lt | Fun::Ge | Fun::Gt)) => self.comparisons(fun, args, sign),
            Op::Apply(_) if terms.sort_of(term) == SortId::BOOL => {
                let var = Sum::variable(self.variable(term)?);
                // Values are 0 and 1: it is at most 0, or it is more.
                Ok(if sign { var.times(&Int::from(-1)).negative() } else { var.compared(Relation::Le) })
            }
            _ => self.refuse(term, "not linear integer arithmetic"),
        }
    }

    fn formulas(&mut self, args: &[TermId], sign: bool) -> Read<Vec<Rc<Formula>>> {
        args.iter().map(|&a| Ok(Rc::new(self.formula(a, sign)?))).collect()
    }

    fn xor(&mut self, args: &[TermId], sign: bool) -> Read<Formula> {
        let Some((&last, rest)) = args.split_last() else { return Ok(Formula::truth(!sign)) };
        if rest.is_empty() {
            return self.formula(last, sign);
        }
        self.enter(last)?;
        let mut ways = Vec::with_capacity(2);
        for way in [true, false] {
            let both = vec![Rc::new(self.xor(rest, way)?), Rc::new(self.formula(last, way != sign)?)];
            ways.push(Rc::new(Formula::All(both)));
        }
        self.depth -= 1;
        Ok(Formula::OneOf(ways))
    }

    /// All pairs equal (`equal`) or all different, or not so.
    fn equalities(
        &mut self,
        term: TermId,
        pairs: Vec<(TermId, TermId)>,
        sign: bool,
        equal: bool,
    ) -> Read<Formula> {
        let mut parts = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            self.enter(term)?;
            self.depth -= 1;
            let wanted = equal == sign;
            parts.push(Rc::new(match self.terms.sort_of(a) {
                SortId::BOOL => self.xor(&[a, b], !wanted)?,
                SortId::INT => {
                    let difference = self.sum(a)?.plus(&*self.sum(b)?, &Int::from(-1));
                    difference.compared(if wanted { Relation::Eq } else { Relation::Ne })
                }
                _ => return self.refuse(term, "compares what is neither of sort Int nor of sort Bool"),
            }));
        }
        Ok(joined(sign, parts))
    }

    fn comparisons(&mut self, fun: Fun, args: &[TermId], sign: bool) -> Read<Formula> {
        let mut parts = Vec::with_capacity(args.len());
        for pair in args.windows(2) {
            let difference = self.sum(pair[0])?.plus(&*self.sum(pair[1])?, &Int::from(-1));
            let opposite = || difference.times(&Int::from(-1));
            parts.push(Rc::new(match (fun, sign) {
                (Fun::Le, true) | (Fun::Gt, false) => difference.compared(Relation::Le),
                (Fun::Lt, true) | (Fun::Ge, false) => difference.negative(),
                (Fun::Ge, true) | (Fun::Lt, false) => opposite().compared(Relation::Le),
                _ => opposite().negative(),
            }));
        }
        Ok(joined(sign, parts))
    }

    /// A term of sort Int.
    fn sum(&mut self, term: TermId) -> Read<Rc<Sum>> {
        if let Some(sum) = self.sums.get(&term) {
            return Ok(sum.clone());
        }
        self.enter(term)?;
        let sum = Rc::new(self.arithmetic(term)?);
        self.depth -= 1;
        self.sums.insert(term, sum.clone());
        Ok(sum)
    }

    fn arithmetic(&mut self, term: TermId) -> Read<Sum> {
        let terms = self.terms;
        let args = terms.args(term);
        let minus = Int::from(-1);
        match terms.op(term) {
            Op::Literal(id) => match terms.literal_value(id) {
                Value::Int(value) => Ok(Sum::constant(value.clone())),
                _ => self.refuse(term, "not an integer"),
            },
            Op::Apply(_) if terms.sort_of(term) == SortId::INT => Ok(Sum::variable(self.variable(term)?)),
            Op::Fun(Fun::Neg) => Ok(self.sum(args[0])?.times(&minus)),
            Op::Fun(Fun::Add | Fun::Sub) => {
                let times = if terms.op(term) == Op::Fun(Fun::Add) { Int::ONE } else { minus };
                let mut sum = (*self.sum(args[0])?).clone();
                for &arg in &args[1..] {
                    sum = sum.plus(&*self.sum(arg)?, &times);
                }
                Ok(sum)
            }
            Op::Fun(Fun::Mul) => {
                let mut product = Sum::constant(Int::ONE);
                for &arg in args {
                    let factor = self.sum(arg)?;
                    product = match (product.terms.is_empty(), factor.terms.is_empty()) {
                        (true, _) => factor.times(&product.constant),
                        (_, true) => product.times(&factor.constant),
                        _ => return self.refuse(term, "a product of variables is not linear"),
                    };
                }
                Ok(product)
            }
            Op::Fun(fun @ (Fun::IntDiv | Fun::Mod)) if args.len() == 2 => self.division(term, fun),
            Op::Fun(Fun::Abs) => {
                let value = self.sum(args[0])?;
                let absolute = self.made(Domain { lo: Some(Int::ZERO), hi: None });
                let negative = Rc::new((*value).clone().negative());
                let way = |condition: Rc<Formula>, times: i64| {
                    let same = Sum::variable(absolute).plus(&value, &Int::from(-times));
                    let same = same.compared(Relation::Eq);
                    Rc::new(Formula::All(vec![condition, Rc::new(same)]))
                };
                let ways = vec![way(negative.clone(), -1), way(Rc::new(negative.negated()), 1)];
                self.definitions.push(Rc::new(Formula::OneOf(ways)));
                Ok(Sum::variable(absolute))
            }
            Op::Fun(Fun::Ite) => {
                let [c, a, b] = *args else { return self.refuse(term, "not a number") };
                let chosen = self.made(Domain::ALL);
                let mut ways = Vec::with_capacity(2);
                for (sign, value) in [(true, a), (false, b)] {
                    let condition = Rc::new(self.formula(c, sign)?);
                    let same = Sum::variable(chosen).plus(&*self.sum(value)?, &minus);
                    let same = Rc::new(same.compared(Relation::Eq));
                    ways.push(Rc::new(Formula::All(vec![condition, same])));
                }
                self.definitions.push(Rc::new(Formula::OneOf(ways)));
                Ok(Sum::variable(chosen))
            }
            _ => self.refuse(term, "not linear integer arithmetic"),
        }
    }

    /// `a = k q + r` with `0 <= r < |k|`: there is one such q for every a.
    fn division(&mut self, term: TermId, fun: Fun) -> Read<Sum> {
        let args = self.terms.args(term);
        let (dividend, divisor) = (self.sum(args[0])?, self.sum(args[1])?);
        if !divisor.terms.is_empty() {
            return self.refuse(term, "a division by a variable is not linear");
        }
        let divisor = &divisor.constant;
        if divisor.is_zero() {
            return self.refuse(term, "a division by zero may be anything");
        }
        let quotient = Sum::variable(self.made(Domain::ALL));
        let rest = dividend.plus(&quotient, &divisor.neg());
        let not_less = rest.times(&Int::from(-1)).compared(Relation::Le);
        let less = rest.plus(&Sum::constant(divisor.abs()), &Int::from(-1)).negative();
        self.definitions.extend([Rc::new(not_less), Rc::new(less)]);
        Ok(if fun == Fun::Mod { rest } else { quotient })
    }
}

fn joined(all: bool, mut parts: Vec<Rc<Formula>>) -> Formula {
    if let [_] = parts[..]
        && let Some(only) = parts.pop()
    {
        return Rc::try_unwrap(only).unwrap_or_else(|shared| Formula::All(vec![shared]));
    }
    if all { Formula::All(parts) } else { Formula::Any(parts) }
}
