//! Evaluation: the value of a term under a model, exactly as SMT-LIB defines it.
//!
//! A term that SMT-LIB leaves open (division by zero, a selector on the wrong constructor) has no value here:
//! it is [`Unevaluable::Unspecified`], never a guess, because an answer is checked by evaluating it. `and`,
//! `or`, `=>` and `ite` are lazy: a part that cannot be evaluated does not matter when the others decide.
//!
//! The machine below keeps its own stack, so the depth of a term does not matter. One frame stands for one
//! term whose arguments are being evaluated; results are operands, which refer to literals, to the model or
//! to computed slots and are never copied. Every inner term is evaluated once per scope. A scope is the body
//! of a function or of a quantifier under one assignment of its variables; terms without bound variables are
//! remembered across all of them. Comparisons of small linear integer terms take a shortcut (`quick.rs`) that
//! touches neither stack nor memo.
//!
//! Invariants: every operand is a *settled* value (`array.rs`), so that derived equality is the equality of
//! the sort; values are bounded in size and nesting, so that cloning and dropping them is safe.

mod arith;
mod array;
mod bitvec;
mod cardinality;
mod core;
mod data;
mod default;
mod float;
mod quick;
mod regex;
mod scope;
mod string;

pub use default::default_value;

use crate::{Fun, Model, Op, Quantifier, Sort, SortId, SymbolId, SymbolKind, TermId, Terms, Traits, Value};
use regex::Regexes;
use rustc_hash::FxHashMap;
use scope::Scope;
use std::fmt;

/// Why a term has no value under a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unevaluable {
    /// The model has no value for the symbol.
    Missing(SymbolId),
    /// SMT-LIB leaves the value open.
    Unspecified,
    /// This evaluator cannot do it.
    Unsupported,
    /// A bound on calls or on the size of values was reached.
    Exhausted,
    /// The model gives a symbol a value of another sort.
    IllSorted,
}

impl fmt::Display for Unevaluable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unevaluable::Missing(_) => "a symbol has no value in the model",
            Unevaluable::Unspecified => "SMT-LIB leaves the value open",
            Unevaluable::Unsupported => "evaluation does not cover this",
            Unevaluable::Exhausted => "a bound on evaluation was reached",
            Unevaluable::IllSorted => "the model holds a value of the wrong sort",
        })
    }
}

impl std::error::Error for Unevaluable {}

/// The value of a symbol that the model lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// [`default_value`] of its sort; a function gives the default of its result sort everywhere.
    Default,
    /// Nothing: [`Unevaluable::Missing`].
    None,
}

type Outcome = Result<Value, Unevaluable>;

/// How many function calls and quantifier instances one evaluation may make.
const FUEL: u32 = 100_000;
/// How many nodes a value may have.
const MAX_VALUE_SIZE: usize = 1 << 20;
/// How deeply values may nest.
const MAX_VALUE_DEPTH: usize = 1_000;

static TRUE: Value = Value::Bool(true);
static FALSE: Value = Value::Bool(false);

fn truth(value: bool) -> &'static Value {
    if value { &TRUE } else { &FALSE }
}

/// The value of a term under a model that must name every symbol that matters.
pub fn evaluate(terms: &Terms, model: &Model, term: TermId) -> Result<Value, Unevaluable> {
    Evaluator::new(terms, model).evaluate(term).cloned()
}

/// Where the value of a term is.
#[derive(Clone, Copy)]
enum Operand<'a> {
    /// A literal, a value of the model or a truth value.
    Ref(&'a Value),
    /// Computed, and valid in every scope.
    Global(u32),
    /// Computed in the current scope.
    Local(u32),
    /// There is none.
    Failed(Unevaluable),
}

/// A term whose arguments are being evaluated.
struct Frame {
    term: TermId,
    /// The number of arguments asked for so far; what it counts differs for
    /// quantifiers and chains of `store`.
    next: u32,
    /// Where its operands begin.
    base: u32,
    /// Where its part of `Evaluator::chain` begins.
    chain: u32,
    /// Whether the body of the function has been entered.
    called: bool,
}

/// The request of the topmost frame.
enum Step<'a> {
    /// The value of an argument or body.
    Need(TermId),
    /// It has computed its value.
    Done(Outcome),
    /// Its value is that of an operand.
    Same(Operand<'a>),
}

/// The operands of one application.
struct Args<'e, 'a> {
    operands: &'e [Operand<'a>],
    global: &'e [Value],
    local: &'e [Value],
}

impl<'e> Args<'e, '_> {
    fn len(&self) -> usize {
        self.operands.len()
    }

    fn get(&self, i: usize) -> &'e Value {
        match self.operands[i] {
            Operand::Ref(value) => value,
            Operand::Global(slot) => &self.global[slot as usize],
            Operand::Local(slot) => &self.local[slot as usize],
            Operand::Failed(_) => unreachable!("failed operands are dealt with before"),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &'e Value> {
        (0..self.len()).map(|i| self.get(i))
    }

    fn pair(&self) -> (&'e Value, &'e Value) {
        (self.get(0), self.get(1))
    }
}

/// Evaluates many terms under one model; shared terms are evaluated once.
///
/// ```
/// use evergreen_term::{Evaluator, Fun, Int, Model, Op, SortId, Terms, Unevaluable, Value};
///
/// let mut terms = Terms::new();
/// let (x, two) = (terms.constant("x", SortId::INT), terms.int(2));
/// let even = terms.app(Fun::Mod, &[x, two]).unwrap();
/// let open = terms.app(Fun::IntDiv, &[two, even]).unwrap();
/// let Op::Apply(name) = terms.op(x) else { unreachable!() };
/// let model: Model = [(name, Value::Int(Int::from(4)))].into_iter().collect();
///
/// let mut evaluator = Evaluator::new(&terms, &model);
/// assert_eq!(evaluator.evaluate(even), Ok(&Value::Int(Int::ZERO)));
/// assert_eq!(evaluator.evaluate(open), Err(Unevaluable::Unspecified));
/// ```
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    completion: Completion,
    frames: Vec<Frame>,
    operands: Vec<Operand<'a>>,
    chain: Vec<TermId>,
    global: Vec<Value>,
    local: Vec<Value>,
    memo: FxHashMap<TermId, Operand<'a>>,
    scopes: Vec<Scope<'a>>,
    regexes: Regexes,
    fuel: u32,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows the symbols of the model only.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluator<'a> {
        Evaluator {
            terms,
            model,
            completion: Completion::None,
            frames: Vec::new(),
            operands: Vec::new(),
            chain: Vec::new(),
            global: Vec::new(),
            local: Vec::new(),
            memo: FxHashMap::default(),
            scopes: Vec::new(),
            regexes: Regexes::default(),
            fuel: FUEL,
        }
    }

    /// Says what missing symbols stand for.
    pub fn completing(mut self, completion: Completion) -> Evaluator<'a> {
        self.completion = completion;
        self
    }

    /// Forgets everything and continues under another model; memory is kept.
    pub fn restart(&mut self, model: &'a Model) {
        self.model = model;
        self.global.clear();
        self.local.clear();
        self.memo.clear();
        self.scopes.clear();
        self.regexes = Regexes::default();
    }

    /// The value of a term.
    pub fn evaluate(&mut self, term: TermId) -> Result<&Value, Unevaluable> {
        if self.terms.sort_of(term) == SortId::REGLAN {
            return Err(Unevaluable::Unsupported);
        }
        match self.run(term) {
            Operand::Ref(value) => Ok(value),
            Operand::Global(slot) => Ok(&self.global[slot as usize]),
            Operand::Local(slot) => Ok(&self.local[slot as usize]),
            Operand::Failed(why) => Err(why),
        }
    }

    /// Whether a constraint is true.
    pub fn holds(&mut self, constraint: TermId) -> Result<bool, Unevaluable> {
        match self.evaluate(constraint)? {
            Value::Bool(value) => Ok(*value),
            _ => Err(Unevaluable::IllSorted),
        }
    }

    fn run(&mut self, term: TermId) -> Operand<'a> {
        self.fuel = FUEL;
        self.scopes.truncate(1);
        if self.scopes.is_empty() && self.terms.traits(term).has(Traits::BOUND) {
            self.scopes.push(Scope::outermost());
        }
        if let Some(operand) = self.ready(term) {
            return operand;
        }
        self.begin(term);
        while let Some(top) = self.frames.len().checked_sub(1) {
            let operand = match self.step(top) {
                Step::Need(term) => {
                    match self.ready(term) {
                        Some(operand) => self.operands.push(operand),
                        None => self.begin(term),
                    }
                    continue;
                }
                Step::Same(operand) => operand,
                Step::Done(outcome) => self.keep(self.frames[top].term, outcome),
            };
            self.finish(operand);
        }
        self.operands.pop().unwrap_or(Operand::Failed(Unevaluable::Unsupported))
    }

    /// The value of a term that needs no frame: a leaf, a remembered term or a small comparison.
    fn ready(&mut self, term: TermId) -> Option<Operand<'a>> {
        match self.terms.op(term) {
            Op::Literal(id) => Some(Operand::Ref(self.terms.literal_value(id))),
            Op::Apply(symbol) if self.terms.args(term).is_empty() => self.constant(term, symbol),
            Op::Bound(level) => Some(self.bound(level)),
            op => {
                if let Some(value) = quick::compare(self.terms, self.model, op, term) {
                    return Some(Operand::Ref(truth(value)));
                }
                self.recall(term)
            }
        }
    }

    fn recall(&self, term: TermId) -> Option<Operand<'a>> {
        if self.terms.traits(term).has(Traits::BOUND) {
            return self.scopes.last().and_then(|scope| scope.memo.get(&term).copied());
        }
        self.memo.get(&term).copied()
    }

    fn remember(&mut self, term: TermId, operand: Operand<'a>) {
        if self.terms.traits(term).has(Traits::BOUND) {
            if let Some(scope) = self.scopes.last_mut() {
                scope.memo.insert(term, operand);
            }
        } else {
            self.memo.insert(term, operand);
        }
    }

    /// The value of a declared constant. A defined constant or a nullary constructor needs a frame.
    fn constant(&mut self, term: TermId, symbol: SymbolId) -> Option<Operand<'a>> {
        let terms = self.terms;
        let sort = terms.sort_of(term);
        if terms.symbol_of(symbol).kind != SymbolKind::Free {
            return self.recall(term);
        }
        let compound = matches!(terms.sort_kind(sort), Sort::Array(..) | Sort::Datatype(_));
        match self.model.get(symbol) {
            Some(value) if !compound && value.fits(terms, sort) => return Some(Operand::Ref(value)),
            Some(_) if !compound => return Some(Operand::Failed(Unevaluable::IllSorted)),
            _ => {}
        }
        if let Some(operand) = self.memo.get(&term) {
            return Some(*operand);
        }
        let operand = match self.model.get(symbol) {
            Some(value) => match array::settle(terms, value, sort) {
                Ok(None) => Operand::Ref(value),
                Ok(Some(settled)) => self.keep(term, Ok(settled)),
                Err(why) => Operand::Failed(why),
            },
            None => {
                let outcome = self.completed(symbol);
                self.keep(term, outcome)
            }
        };
        self.memo.insert(term, operand);
        Some(operand)
    }

    /// The value of a symbol that the model lacks; of a function, its result.
    fn completed(&self, symbol: SymbolId) -> Outcome {
        let default = match self.completion {
            Completion::Default => default_value(self.terms, self.terms.symbol_of(symbol).result),
            Completion::None => None,
        };
        default.ok_or(Unevaluable::Missing(symbol))
    }

    fn begin(&mut self, term: TermId) {
        let chain = self.chain.len() as u32;
        if self.terms.op(term) == Op::Fun(Fun::Store) {
            self.collect_chain(term);
        }
        self.frames.push(Frame { term, next: 0, base: self.operands.len() as u32, chain, called: false });
    }

    /// Puts a computed value where operands can refer to it.
    fn keep(&mut self, term: TermId, outcome: Outcome) -> Operand<'a> {
        match outcome {
            Err(why) => Operand::Failed(why),
            Ok(Value::Bool(value)) => Operand::Ref(truth(value)),
            Ok(value) if self.terms.traits(term).has(Traits::BOUND) => {
                self.local.push(value);
                Operand::Local(self.local.len() as u32 - 1)
            }
            Ok(value) => {
                self.global.push(value);
                Operand::Global(self.global.len() as u32 - 1)
            }
        }
    }

    fn finish(&mut self, operand: Operand<'a>) {
        let Some(frame) = self.frames.pop() else { return };
        self.operands.truncate(frame.base as usize);
        self.chain.truncate(frame.chain as usize);
        self.remember(frame.term, operand);
        self.operands.push(operand);
    }

    fn step(&mut self, top: usize) -> Step<'a> {
        let terms = self.terms;
        let term = self.frames[top].term;
        match terms.op(term) {
            Op::Fun(fun @ (Fun::And | Fun::Or | Fun::Implies)) => self.step_junction(top, fun),
            Op::Fun(Fun::Ite) => self.step_ite(top),
            Op::Fun(Fun::Store) => self.step_store(top),
            Op::Quantifier(Quantifier::Lambda, _) | Op::Opaque(_) | Op::Function(_) => {
                Step::Done(Err(Unevaluable::Unsupported))
            }
            Op::Quantifier(quantifier, binder) => {
                self.step_quantifier(top, quantifier == Quantifier::Forall, binder)
            }
            op => {
                if let Some(step) = self.strict_argument(top) {
                    return step;
                }
                match op {
                    Op::Apply(symbol) => self.step_apply(top, symbol),
                    op => Step::Done(self.interpreted(top, op)),
                }
            }
        }
    }

    /// The next argument of a function that needs them all; nothing when they are there.
    fn strict_argument(&mut self, top: usize) -> Option<Step<'a>> {
        let terms = self.terms;
        let args = terms.args(self.frames[top].term);
        let base = self.frames[top].base as usize;
        loop {
            if self.operands.len() > base
                && let Some(Operand::Failed(why)) = self.operands.last()
            {
                return Some(Step::Done(Err(*why)));
            }
            let next = self.frames[top].next as usize;
            let arg = *args.get(next)?;
            self.frames[top].next += 1;
            match self.ready(arg) {
                Some(operand) => self.operands.push(operand),
                None => return Some(Step::Need(arg)),
            }
        }
    }

    /// An interpreted function applied to the operands of a frame.
    fn interpreted(&mut self, top: usize, op: Op) -> Outcome {
        let frame = &self.frames[top];
        let sort = self.terms.sort_of(frame.term);
        let args = Args {
            operands: &self.operands[frame.base as usize..],
            global: &self.global,
            local: &self.local,
        };
        match op {
            Op::Fun(fun) => match fun.code() {
                1..=8 => core::apply(self.terms, fun, self.terms.args(frame.term), &args),
                16..=30 => arith::apply(fun, &args),
                40..=78 => bitvec::apply(fun, &args),
                90 => array::select(self.terms, &args),
                100..=125 => float::apply(fun, &args),
                140..=172 => string::apply(&mut self.regexes, fun, &args),
                200..=204 => float::rounding_mode(fun),
                _ => Err(Unevaluable::Unsupported),
            },
            Op::Indexed(fun, i, j) => match fun.code() {
                1..=8 => bitvec::indexed(fun, i, j, &args),
                16..=24 => float::indexed(fun, i, j, &args),
                _ => string::indexed(&mut self.regexes, fun, i, j, &args),
            },
            Op::ConstArray => array::constant(self.terms, sort, &args),
            Op::Is(constructor) => data::is(constructor, &args),
            Op::Update(selector) => data::update(self.terms, selector, &args),
            _ => Err(Unevaluable::Unsupported),
        }
    }

    /// The operands that a frame has so far.
    fn operands_of(&self, top: usize) -> &[Operand<'a>] {
        &self.operands[self.frames[top].base as usize..]
    }

    fn value(&self, operand: Operand<'a>) -> Result<&Value, Unevaluable> {
        match operand {
            Operand::Ref(value) => Ok(value),
            Operand::Global(slot) => Ok(&self.global[slot as usize]),
            Operand::Local(slot) => Ok(&self.local[slot as usize]),
            Operand::Failed(why) => Err(why),
        }
    }

    fn boolean(&self, operand: Operand<'a>) -> Result<bool, Unevaluable> {
        match self.value(operand)? {
            Value::Bool(value) => Ok(*value),
            _ => Err(Unevaluable::IllSorted),
        }
    }
}

/// The number of nodes of a value and how deeply they nest.
fn measure(value: &Value) -> (usize, usize) {
    let join = |(size, depth): (usize, usize), part: &Value| {
        let (s, d) = measure(part);
        (size + s, depth.max(d + 1))
    };
    match value {
        Value::Data(_, fields) => fields.iter().fold((1, 1), join),
        Value::Array(array) => {
            array.entries.iter().fold(join((1, 1), &array.default), |sum, (i, e)| join(join(sum, i), e))
        }
        Value::String(text) => (1 + text.len(), 1),
        _ => (1, 1),
    }
}

/// Whether values may become parts of a new one.
fn bounded<'v>(parts: impl Iterator<Item = &'v Value>) -> Result<(), Unevaluable> {
    let mut size = 1;
    for part in parts {
        let (s, d) = measure(part);
        size += s;
        if d >= MAX_VALUE_DEPTH || size > MAX_VALUE_SIZE {
            return Err(Unevaluable::Exhausted);
        }
    }
    Ok(())
}
