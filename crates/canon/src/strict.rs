//! The canonical form of [Visser FSE'12, 3.2], exactly, for the strict techniques.
//!
//! Our own forms start from it and go further; this one stops where the paper stops:
//! 1. *Pre-heuristic*: a comparison of two single variables has the lexicographically smaller name on the
//!    left (`y < x` becomes `x > y`). Expressions are not reordered: `x + y > z` and `z < x + y` stay two.
//! 2. *Normal form*: everything moves to the left, `ax + by + ... + k op 0` with op one of =, !=, <=. `>` and
//!    `>=` are multiplied by -1, and `<` becomes `<=` by adding 1. Variables stay in the order in which they
//!    occur; the constant is last. No division by a common divisor, and no sign for equations.
//! 3. *Post-heuristic*: the constraints are sorted as strings, then variables are renamed `v0`, `v1`, ...
//!    from left to right.
//!
//! A comparison without variables is evaluated ("all simple arithmetic operations over constants are
//! performed"). A path condition is a set, so a constraint that occurs twice counts once.
//!
//! A constraint that is no linear comparison is one of these strings as it is written, and takes part in
//! sorting and renaming: the paper says of the linear ones alone what becomes of them.
//!
//! The form starts from terms and not from the lowered graph, which has divided and oriented everything
//! already.

use crate::atom::{Compare, Relation};
use crate::node::Leaf;
use evergreen_term::{Fun, Op, Sort, SortId, SymbolId, SymbolKind, TermId, Terms};
use std::fmt::Write;

/// A conjunction in the form of the paper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrictForm {
    /// The symbol behind each variable `v0`, `v1`, ...
    pub leaves: Vec<Leaf>,
    /// The constraints, sorted; none is constant.
    pub lines: Vec<StrictLine>,
    /// The position of a given constraint that is false whatever the variables are.
    pub is_false: Option<u32>,
}

/// A constraint of the form: `sum of coefficient * variable + constant`, compared to zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrictLine {
    /// Variables by number with their coefficients, in the order in which they occur; none is zero.
    pub terms: Vec<(u32, i64)>,
    /// The constant summand.
    pub constant: i64,
    /// The comparison with zero.
    pub compare: Compare,
    /// A constraint that is no linear comparison, written with the numbers of its variables; then all but the
    /// position means nothing.
    pub other: Option<String>,
    /// The position of the given constraint that it came from.
    pub from: u32,
}

impl StrictLine {
    /// The constraint as the paper writes it, such as `-v0+v1-9<=0`.
    pub fn text(&self) -> String {
        if let Some(other) = &self.other {
            return other.clone();
        }
        let mut text = sum(self.terms.iter().map(|&(v, c)| (format!("v{v}"), c)));
        put_constant(&mut text, self.constant);
        text + operator(self.compare)
    }

    /// The constraint in the normal form of [Jia ISSTA'15, 2]: the non-constant prefix with a positive first
    /// coefficient, the constant beside it, and how their sum relates to zero. `None` when a number cannot be
    /// negated, or it is no linear comparison.
    pub fn oriented(&self) -> Option<(String, i64, Relation)> {
        let flip = self.terms.first()?.1 < 0;
        let sign = |c: i64| if flip { c.checked_neg() } else { Some(c) };
        let mut terms = Vec::with_capacity(self.terms.len());
        for &(v, c) in &self.terms {
            terms.push((format!("v{v}"), sign(c)?));
        }
        let relation = match (self.compare, flip) {
            (Compare::Le, false) => Relation::Le,
            (Compare::Le, true) => Relation::Ge,
            (Compare::Eq, _) => Relation::Eq,
            (Compare::Ne, _) => Relation::Ne,
        };
        Some((sum(terms.into_iter()), sign(self.constant)?, relation))
    }
}

fn operator(compare: Compare) -> &'static str {
    match compare {
        Compare::Le => "<=0",
        Compare::Eq => "=0",
        Compare::Ne => "!=0",
    }
}

fn sum(terms: impl Iterator<Item = (String, i64)>) -> String {
    let mut text = String::new();
    for (name, c) in terms {
        let plus = if text.is_empty() || c < 0 { "" } else { "+" };
        let _ = match c {
            1 => write!(text, "{plus}{name}"),
            -1 => write!(text, "-{name}"),
            _ => write!(text, "{plus}{c}{name}"),
        };
    }
    text
}

fn put_constant(text: &mut String, constant: i64) {
    if constant != 0 {
        let _ = write!(text, "{constant:+}");
    }
}

/// A linear expression: variables in the order of their first occurrence.
#[derive(Default)]
struct Sum {
    terms: Vec<(SymbolId, i64)>,
    constant: i64,
}

/// A comparison as it was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Eq,
    Ne,
    Le,
    Lt,
    Ge,
    Gt,
}

impl Written {
    fn of(fun: Fun) -> Option<Written> {
        Some(match fun {
            Fun::Eq => Written::Eq,
            Fun::Distinct => Written::Ne,
            Fun::Le => Written::Le,
            Fun::Lt => Written::Lt,
            Fun::Ge => Written::Ge,
            Fun::Gt => Written::Gt,
            _ => return None,
        })
    }

    fn negated(self) -> Written {
        match self {
            Written::Eq => Written::Ne,
            Written::Ne => Written::Eq,
            Written::Le => Written::Gt,
            Written::Lt => Written::Ge,
            Written::Ge => Written::Lt,
            Written::Gt => Written::Le,
        }
    }

    /// With the sides exchanged.
    fn mirrored(self) -> Written {
        match self {
            Written::Eq | Written::Ne => self,
            Written::Le => Written::Ge,
            Written::Lt => Written::Gt,
            Written::Ge => Written::Le,
            Written::Gt => Written::Lt,
        }
    }
}

/// A constraint in normal form, under its own names.
struct Normal {
    terms: Vec<(SymbolId, i64)>,
    constant: i64,
    compare: Compare,
    /// What is no linear comparison, as it is written.
    other: Option<Vec<Token>>,
}

/// A piece of a constraint that is no linear comparison.
enum Token {
    Text(String),
    Symbol(SymbolId),
}

/// A constraint with more terms has no form here: terms share, and texts do not.
const MOST_TOKENS: usize = 4_000;

/// Writes a constraint that is no linear comparison; `None` if it has something else than free constants of
/// the basic sorts, literals and functions of SMT-LIB.
fn write_other(terms: &Terms, term: TermId, into: &mut Vec<Token>) -> Option<()> {
    if into.len() > MOST_TOKENS {
        return None;
    }
    if let Some(value) = terms.literal_of(term) {
        into.push(Token::Text(format!(" {value:?}")));
        return Some(());
    }
    let head = match terms.op(term) {
        Op::Apply(symbol) => {
            let s = terms.symbol_of(symbol);
            let sort = match terms.sort_kind(s.result) {
                sort @ (Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_)) => sort,
                _ => return None,
            };
            if !matches!(s.kind, SymbolKind::Free) || !s.params.is_empty() {
                return None;
            }
            into.push(Token::Text(format!(" {sort:?} ")));
            into.push(Token::Symbol(symbol));
            return Some(());
        }
        Op::Fun(fun) => format!(" ({fun:?}"),
        Op::Indexed(fun, i, j) => format!(" ({fun:?} {i} {j}"),
        _ => return None,
    };
    into.push(Token::Text(head));
    for &arg in terms.args(term) {
        write_other(terms, arg, into)?;
    }
    into.push(Token::Text(")".into()));
    Some(())
}

fn joined(tokens: &[Token], mut name: impl FnMut(SymbolId) -> String) -> String {
    let text = |token: &Token| match token {
        Token::Text(text) => text.clone(),
        Token::Symbol(symbol) => name(*symbol),
    };
    tokens.iter().map(text).collect()
}

/// The symbol that a term is, if it is a free integer.
fn variable(terms: &Terms, term: TermId) -> Option<SymbolId> {
    let Op::Apply(symbol) = terms.op(term) else { return None };
    let s = terms.symbol_of(symbol);
    let free = matches!(s.kind, SymbolKind::Free) && s.params.is_empty() && s.result == SortId::INT;
    free.then_some(symbol)
}

fn number(terms: &Terms, term: TermId) -> Option<i64> {
    match terms.literal_of(term)? {
        evergreen_term::Value::Int(value) => value.to_i64(),
        _ => None,
    }
}

impl Sum {
    fn add(&mut self, terms: &Terms, term: TermId, factor: i64) -> Option<()> {
        if let Some(value) = number(terms, term) {
            self.constant = self.constant.checked_add(value.checked_mul(factor)?)?;
            return Some(());
        }
        if let Some(symbol) = variable(terms, term) {
            match self.terms.iter_mut().find(|(other, _)| *other == symbol) {
                Some((_, c)) => *c = c.checked_add(factor)?,
                None => self.terms.push((symbol, factor)),
            }
            return Some(());
        }
        let (Op::Fun(fun), args) = (terms.op(term), terms.args(term)) else { return None };
        match (fun, args) {
            (Fun::Add, _) => args.iter().try_for_each(|&arg| self.add(terms, arg, factor)),
            (Fun::Neg, &[only]) => self.add(terms, only, factor.checked_neg()?),
            (Fun::Sub, [first, rest @ ..]) => {
                self.add(terms, *first, factor)?;
                let negated = factor.checked_neg()?;
                rest.iter().try_for_each(|&arg| self.add(terms, arg, negated))
            }
            (Fun::Mul, &[a, b]) => match (number(terms, a), number(terms, b)) {
                (Some(c), _) => self.add(terms, b, factor.checked_mul(c)?),
                (_, Some(c)) => self.add(terms, a, factor.checked_mul(c)?),
                (None, None) => None,
            },
            _ => None,
        }
    }
}

/// Reads a constraint as [`read`] does, and what is no comparison as it is written.
fn read_any(terms: &Terms, term: TermId, into: &mut Vec<Normal>) -> Option<()> {
    if let (Op::Fun(Fun::And), args) = (terms.op(term), terms.args(term)) {
        return args.iter().try_for_each(|&arg| read_any(terms, arg, into));
    }
    let before = into.len();
    if read(terms, term, false, into).is_some() {
        return Some(());
    }
    into.truncate(before);
    let mut tokens = Vec::new();
    write_other(terms, term, &mut tokens)?;
    into.push(Normal { terms: Vec::new(), constant: 0, compare: Compare::Eq, other: Some(tokens) });
    Some(())
}

/// Reads a constraint: a comparison, a negation of one, or a conjunction of such.
fn read(terms: &Terms, term: TermId, negated: bool, into: &mut Vec<Normal>) -> Option<()> {
    let Op::Fun(fun) = terms.op(term) else { return None };
    match (fun, terms.args(term)) {
        (Fun::Not, &[inner]) => read(terms, inner, !negated, into),
        (Fun::And, args) if !negated => args.iter().try_for_each(|&arg| read(terms, arg, false, into)),
        (_, &[a, b]) if terms.sort_of(a) == SortId::INT => {
            let written = Written::of(fun)?;
            let written = if negated { written.negated() } else { written };
            into.push(normal(terms, written, a, b)?);
            Some(())
        }
        _ => None,
    }
}

/// Pre-heuristic and normal form of one comparison.
fn normal(terms: &Terms, written: Written, a: TermId, b: TermId) -> Option<Normal> {
    let is_late = |a, b| terms.symbol_text(a) > terms.symbol_text(b);
    let (written, a, b) = match (variable(terms, a), variable(terms, b)) {
        (Some(x), Some(y)) if is_late(x, y) => (written.mirrored(), b, a),
        _ => (written, a, b),
    };
    let mut sum = Sum::default();
    sum.add(terms, a, 1)?;
    sum.add(terms, b, -1)?;
    if matches!(written, Written::Ge | Written::Gt) {
        for (_, c) in &mut sum.terms {
            *c = c.checked_neg()?;
        }
        sum.constant = sum.constant.checked_neg()?;
    }
    if matches!(written, Written::Lt | Written::Gt) {
        sum.constant = sum.constant.checked_add(1)?;
    }
    let compare = match written {
        Written::Eq => Compare::Eq,
        Written::Ne => Compare::Ne,
        Written::Le | Written::Lt | Written::Ge | Written::Gt => Compare::Le,
    };
    sum.terms.retain(|&(_, c)| c != 0);
    Some(Normal { terms: sum.terms, constant: sum.constant, compare, other: None })
}

/// The variables of a constraint, as it is written; `None` unless it is linear.
pub(crate) fn symbols(terms: &Terms, constraint: TermId) -> Option<Vec<SymbolId>> {
    let mut read_here = Vec::new();
    read(terms, constraint, false, &mut read_here)?;
    let mut symbols: Vec<SymbolId> = read_here.iter().flat_map(|n| n.terms.iter().map(|t| t.0)).collect();
    symbols.sort_unstable();
    symbols.dedup();
    Some(symbols)
}

/// The form of a conjunction; `None` if a constraint has quantifiers, functions or sorts that have no text
/// here.
pub fn strict_form(terms: &Terms, constraints: &[TermId]) -> Option<StrictForm> {
    let mut lines: Vec<(String, Normal, u32)> = Vec::with_capacity(constraints.len());
    let mut is_false = None;
    let mut here = Vec::new();
    for (i, &constraint) in constraints.iter().enumerate() {
        read_any(terms, constraint, &mut here)?;
        for line in here.drain(..) {
            if line.terms.is_empty() && line.other.is_none() {
                let holds = match line.compare {
                    Compare::Le => line.constant <= 0,
                    Compare::Eq => line.constant == 0,
                    Compare::Ne => line.constant != 0,
                };
                is_false = is_false.or((!holds).then_some(i as u32));
                continue;
            }
            let name = |s: SymbolId| terms.symbol_text(s).to_string();
            let text = match &line.other {
                Some(tokens) => joined(tokens, name),
                None => {
                    let mut text = sum(line.terms.iter().map(|&(s, c)| (name(s), c)));
                    put_constant(&mut text, line.constant);
                    text + operator(line.compare)
                }
            };
            lines.push((text, line, i as u32));
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    let mut form = StrictForm { leaves: Vec::new(), lines: Vec::with_capacity(lines.len()), is_false };
    for (_, line, from) in lines {
        let mut number = |symbol: SymbolId| {
            let leaf = Leaf::Symbol(symbol);
            form.leaves.iter().position(|l| *l == leaf).unwrap_or_else(|| {
                form.leaves.push(leaf);
                form.leaves.len() - 1
            })
        };
        let terms: Vec<(u32, i64)> = line.terms.iter().map(|&(s, c)| (number(s) as u32, c)).collect();
        let other = line.other.map(|tokens| joined(&tokens, |symbol| format!("v{}", number(symbol))));
        let new = StrictLine { terms, constant: line.constant, compare: line.compare, other, from };
        let same = |old: &StrictLine| StrictLine { from, ..old.clone() } == new;
        if !form.lines.iter().any(same) {
            form.lines.push(new);
        }
    }
    Some(form)
}
