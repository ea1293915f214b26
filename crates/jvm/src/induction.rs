//! Recursive methods without effects, replaced by what is assumed of their results.
//!
//! A *head* is a static method of ints (or longs) that depends on its arguments only and calls itself, alone
//! or through others like it. While an [`Induction`] is in use, a call of a head from outside runs its code,
//! and a call from within its own code is not followed: its result is a new symbol of which the head's lemmas
//! are assumed, the same symbol for the same arguments. Exploring the code of a head that way is the step of
//! an induction over the height of calls: a lemma that holds at every return, if it is assumed of every inner
//! call, holds for every call that returns. A call that does not return has no result, and an assertion
//! behind it does not fail.
//!
//! On the real machine a call may also end with StackOverflowError. Nobody may catch it, or the path would
//! have an end that is not explored: where a method on the stack has handlers, a call of a head is
//! unsupported. What the machine finds is more than the program can do, so ends of paths with such symbols
//! are no findings.

mod lemma;
mod recursive;

use std::collections::BTreeMap;
use std::rc::Rc;

use evergreen_symbolic::{Assignment, Cond, Const, Expr, InputKind, Kind as Bits, Rel};
use rustc_hash::{FxHashMap, FxHashSet};

pub use lemma::Lemma;
use recursive::Recursive;

use crate::classes::{Method, MethodBody, MethodId};
use crate::machine::Jvm;
use crate::native::{Call, Done, Trap};
use crate::outcome::Ending;
use crate::state::State;
use crate::step::symbolic::from_const;
use crate::value::{Kind, Value};

/// Instructions of one call that is computed, its inner calls being known.
const STEPS: u64 = 20_000;
/// Calls that are computed in all, and of these the ones that test guesses.
const MOST_COMPUTED: usize = 200_000;
const MOST_TESTED: usize = 60_000;
/// Calls within calls that wait for their results.
const MOST_OPEN: usize = 5_000;
/// Calls that are computed to test guesses.
const MOST_SAMPLES: usize = 1_500;
/// Guesses about one method that are checked.
const MOST_LEMMAS: usize = 96;

/// A head, and what is assumed of it.
#[derive(Clone, Debug)]
struct Head {
    /// The method that has its code.
    code: MethodId,
    kind: Bits,
    arity: usize,
    lemmas: Vec<Lemma>,
    /// Results that were computed, and that matter.
    points: BTreeMap<Vec<i64>, i64>,
}

/// What is assumed of recursive methods.
pub(crate) struct Induction {
    heads: FxHashMap<MethodId, Rc<Head>>,
    order: Vec<MethodId>,
    constants: Vec<i64>,
    /// The state in which calls are computed.
    base: State,
    /// Results of calls that were computed.
    known: FxHashMap<(MethodId, Vec<i64>), i64>,
    /// Calls that do not end soon.
    hopeless: FxHashSet<(MethodId, Vec<i64>)>,
    computed: usize,
    /// Whether a call is computed, and the inner call whose result it lacks.
    is_computing: bool,
    lacking: Option<(MethodId, Vec<i64>)>,
    /// The symbols of calls that are not followed.
    results: FxHashMap<(MethodId, Vec<Expr>), Expr>,
}

impl Jvm {
    /// Has recursive methods that an entry can reach be assumed instead of followed, with nothing assumed so
    /// far. The heads; none if there are none, and then nothing has changed.
    pub fn begin_induction(&mut self, entry: MethodId, base: &State) -> Vec<MethodId> {
        let Recursive { heads: order, constants } = Recursive::find(self, entry);
        let mut heads = FxHashMap::default();
        for id in &order {
            let method = self.method(*id).clone();
            let code = MethodId(self.methods.len() as u32);
            self.methods.push(Rc::new(copy(&method, code, method.body.clone())));
            self.methods[id.0 as usize] = Rc::new(copy(&method, *id, MethodBody::Native(call_head)));
            let kind = if method.result == Some(Kind::Long) { Bits::I64 } else { Bits::I32 };
            let (lemmas, points) = (Vec::new(), BTreeMap::new());
            let head = Head { code, kind, arity: method.arguments.len(), lemmas, points };
            heads.insert(*id, Rc::new(head));
        }
        if !order.is_empty() {
            self.induction = Some(Box::new(Induction {
                heads,
                order: order.clone(),
                constants,
                base: base.clone(),
                known: FxHashMap::default(),
                hopeless: FxHashSet::default(),
                computed: 0,
                is_computing: false,
                lacking: None,
                results: FxHashMap::default(),
            }));
        }
        order
    }

    /// Has all methods be followed again.
    pub fn end_induction(&mut self) {
        let Some(induction) = self.induction.take() else { return };
        for (id, head) in &induction.heads {
            let body = self.method(head.code).body.clone();
            self.methods[id.0 as usize] = Rc::new(copy(self.method(*id), *id, body));
        }
    }

    /// Guesses lemmas about a head from calls that are computed.
    pub fn guess_lemmas(&mut self, head: MethodId) -> Vec<Lemma> {
        let Some(induction) = &self.induction else { return Vec::new() };
        let (arity, kind) = (induction.heads[&head].arity, induction.heads[&head].kind);
        let (values, all) =
            (lemma::samples(&induction.constants), lemma::candidates(arity, &induction.constants));
        let mut rows: Vec<Vec<i64>> = vec![Vec::new()];
        for _ in 0..arity {
            let longer = |row: &Vec<i64>| {
                let row = row.clone();
                values.iter().map(move |value| [&row[..], &[*value]].concat())
            };
            rows = rows.iter().flat_map(longer).take(8 * MOST_SAMPLES).collect();
        }
        // Evenly, if there are too many.
        let each = rows.len().div_ceil(MOST_SAMPLES).max(1);
        let mut calls = Vec::new();
        for row in rows.into_iter().step_by(each) {
            if self.induction.as_ref().is_none_or(|induction| induction.computed > MOST_TESTED) {
                break;
            }
            if let Some(result) = self.compute(head, &row) {
                calls.push((row, result));
            }
        }
        lemma::supported(all, &calls, kind, MOST_LEMMAS)
    }

    /// Assumes lemmas of a head, instead of those before.
    pub fn assume_lemmas(&mut self, head: MethodId, lemmas: Vec<Lemma>) {
        if let Some(head) = self.induction.as_mut().and_then(|induction| induction.heads.get_mut(&head)) {
            Rc::make_mut(head).lemmas = lemmas;
        }
    }

    /// The heads whose inner calls are not followed.
    pub fn heads(&self) -> &[MethodId] {
        self.induction.as_ref().map_or(&[], |induction| &induction.order)
    }

    /// The kind of a head's arguments and result.
    pub fn kind_of_head(&self, head: MethodId) -> Option<Bits> {
        self.induction.as_ref()?.heads.get(&head).map(|head| head.kind)
    }

    /// How many results of a head were computed because they matter.
    pub fn points_of_head(&self, head: MethodId) -> usize {
        let head = self.induction.as_ref().and_then(|induction| induction.heads.get(&head));
        head.map_or(0, |head| head.points.len())
    }

    /// Computes the calls that the symbols in some conditions stand for, with the inputs of a model: whether
    /// one of them has another result than the model. It is known from then on.
    pub fn refine_heads(&mut self, conditions: &[Cond], model: &Assignment) -> bool {
        let Some(induction) = &self.induction else { return false };
        let (mut inner, mut outer) = (Vec::new(), Vec::new());
        {
            let exprs = self.exprs.borrow();
            let inputs: FxHashSet<_> = conditions.iter().flat_map(|c| exprs.inputs_of(*c)).collect();
            let symbols: FxHashSet<_> =
                induction.results.values().filter_map(|r| exprs.as_input(*r)).collect();
            for ((head, args), result) in &induction.results {
                if exprs.as_input(*result).is_some_and(|input| inputs.contains(&input)) {
                    let mut given = args.iter().flat_map(|arg| exprs.inputs_of_expr(*arg));
                    let is_outer = given.any(|input| symbols.contains(input));
                    let args: Vec<i64> = args.iter().map(|a| whole(exprs.eval(*a, model))).collect();
                    let calls = if is_outer { &mut outer } else { &mut inner };
                    calls.push((*head, args, whole(exprs.eval(*result, model))));
                }
            }
        }
        // An argument that is a wrong result makes a call that nobody needs.
        self.correct(inner) || self.correct(outer)
    }

    /// Computes calls whose results a model has guessed: whether one of them is another one.
    fn correct(&mut self, mut calls: Vec<(MethodId, Vec<i64>, i64)>) -> bool {
        calls.sort();
        calls.dedup();
        let mut is_refined = false;
        for (id, args, said) in calls {
            let Some(result) = self.compute(id, &args).filter(|result| *result != said) else { continue };
            if let Some(head) = self.induction.as_mut().and_then(|induction| induction.heads.get_mut(&id)) {
                is_refined |= Rc::make_mut(head).points.insert(args, result).is_none();
            }
        }
        is_refined
    }

    /// The result of a call with these arguments, its inner calls computed first; `None` if it does not end
    /// soon.
    pub fn compute(&mut self, head: MethodId, args: &[i64]) -> Option<i64> {
        let mut open = vec![(head, args.to_vec())];
        let result = self.compute_all(&mut open);
        if result.is_none()
            && let Some(induction) = self.induction.as_mut()
        {
            induction.is_computing = false;
            induction.hopeless.extend(open);
        }
        result
    }

    /// Computes the last call and what it needs, then those before it; those that are left have no result.
    fn compute_all(&mut self, open: &mut Vec<(MethodId, Vec<i64>)>) -> Option<i64> {
        let mut is_open: FxHashSet<(MethodId, Vec<i64>)> = open.iter().cloned().collect();
        let mut last = None;
        while let Some(call) = open.last().cloned() {
            let induction = self.induction.as_mut()?;
            if let Some(result) = induction.known.get(&call) {
                last = Some(*result);
                is_open.remove(&call);
                open.pop();
                continue;
            }
            let is_too_much = induction.computed >= MOST_COMPUTED || open.len() > MOST_OPEN;
            if is_too_much || induction.hopeless.contains(&call) {
                return None;
            }
            induction.computed += 1;
            (induction.is_computing, induction.lacking) = (true, None);
            let kind = induction.heads.get(&call.0)?.kind;
            let mut state = induction.base.clone();
            let values: Vec<Value> = call.1.iter().map(|arg| value(kind, *arg)).collect();
            let ending = self.call_now(&mut state, call.0, &values, STEPS);
            let induction = self.induction.as_mut()?;
            induction.is_computing = false;
            let result = match (induction.lacking.take(), ending) {
                // A call that needs its own result does not return.
                (Some(inner), _) if !is_open.insert(inner.clone()) => return None,
                (Some(inner), _) => {
                    open.push(inner);
                    continue;
                }
                (None, Some(Ending::Returned(Some(Value::Int(result))))) => i64::from(result),
                (None, Some(Ending::Returned(Some(Value::Long(result))))) => result,
                _ => return None,
            };
            induction.known.insert(call, result);
        }
        last
    }
}

fn copy(method: &Method, id: MethodId, body: MethodBody) -> Method {
    Method {
        id,
        class: method.class,
        class_name: method.class_name.clone(),
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
        signature: method.signature,
        access: method.access,
        arguments: method.arguments.clone(),
        argument_slots: method.argument_slots,
        result: method.result,
        body,
        vtable_index: method.vtable_index,
        data: method.data,
        pool: method.pool.clone(),
        user: method.user,
    }
}

fn value(kind: Bits, of: i64) -> Value {
    if kind == Bits::I64 { Value::Long(of) } else { Value::Int(of as i32) }
}

fn whole(value: Const) -> i64 {
    match value {
        Const::I32(value) => i64::from(value),
        Const::I64(value) => value,
        Const::F32(_) | Const::F64(_) => 0,
    }
}

/// A call of a head.
fn call_head(call: &mut Call<'_>) -> Result<Done, Trap> {
    let id = call.method.id;
    let found = call.jvm.induction.as_ref().and_then(|induction| induction.heads.get(&id));
    let Some(head) = found.cloned() else {
        return Err(Trap::unsupported(format!("{} without its code", call.method.full_name()), ""));
    };
    let is_within = call.state.frames.iter().any(|frame| frame.method.id == head.code);
    let numbers: Option<Vec<i64>> = call.args.iter().map(|arg| number(*arg)).collect();
    if let Some(result) = numbers.as_ref().and_then(|numbers| {
        call.jvm.induction.as_ref().and_then(|induction| induction.known.get(&(id, numbers.clone())).copied())
    }) {
        return Ok(Done::Value(value(head.kind, result)));
    }
    if !is_within {
        return Ok(Done::Tail { method: head.code, args: call.args.to_vec() });
    }
    if let Some(induction) = call.jvm.induction.as_mut().filter(|induction| induction.is_computing) {
        induction.lacking = numbers.map(|numbers| (id, numbers));
        return Err(Trap::unsupported("a call whose result is computed first", ""));
    }
    let handles = |code: &evergreen_classfile::Code| !code.handlers.is_empty();
    if call.state.frames.iter().any(|frame| frame.method.code().is_none_or(|code| handles(code))) {
        let what = format!("a handler around the recursion of {}", call.method.full_name());
        return Err(Trap::unsupported(what, ""));
    }
    if let Some(result) = numbers.as_ref().and_then(|numbers| call.jvm.compute(id, numbers)) {
        return Ok(Done::Value(value(head.kind, result)));
    }
    assumed(call, id, &head)
}

/// The result of an inner call: what lemmas say it is, or a symbol.
fn assumed(call: &mut Call<'_>, id: MethodId, head: &Head) -> Result<Done, Trap> {
    let args: Vec<Expr> = call.args.iter().map(|arg| call.as_expr(*arg)).collect();
    for (point, result) in &head.points {
        let is_there = {
            let mut exprs = call.exprs();
            let mut all = Cond::TRUE;
            for (arg, value) in args.iter().zip(point) {
                let value = lemma::number(&mut exprs, head.kind, *value);
                let same = exprs.relate(Rel::Eq, *arg, value);
                all = exprs.and(all, same);
            }
            all
        };
        if is_there != Cond::FALSE && call.jvm.choose_whether(call.state, is_there)? {
            return Ok(Done::Value(value(head.kind, *result)));
        }
    }
    for lemma in head.lemmas.iter().filter(|lemma| lemma.is_equation()) {
        let guard = lemma.guard(&mut call.exprs(), &args, head.kind);
        if guard != Cond::FALSE && call.jvm.choose_whether(call.state, guard)? {
            let mut exprs = call.exprs();
            let term = lemma.term(&mut exprs, &args, head.kind);
            return Ok(Done::Value(exprs.as_const(term).map_or(Value::Sym(term), from_const)));
        }
    }
    let result = call.jvm.result_of(id, &args, head.kind);
    let mut all = Cond::TRUE;
    for lemma in head.lemmas.iter().filter(|lemma| !lemma.is_equation()) {
        let mut exprs = call.exprs();
        let holds = lemma.cond(&mut exprs, &args, result, head.kind);
        all = exprs.and(all, holds);
    }
    match call.jvm.choose_whether(call.state, all)? {
        true => Ok(Done::Value(Value::Sym(result))),
        false => Err(Trap::End(Box::new(Ending::Assumed))),
    }
}

impl Jvm {
    /// The symbol of a call that is not followed.
    fn result_of(&mut self, id: MethodId, args: &[Expr], kind: Bits) -> Expr {
        let method = self.method(id).full_name();
        let Some(induction) = self.induction.as_mut() else {
            return lemma::number(&mut self.exprs.borrow_mut(), kind, 0);
        };
        let next = induction.results.len();
        let mut exprs = self.exprs.borrow_mut();
        *induction.results.entry((id, args.to_vec())).or_insert_with(|| {
            let input = if kind == Bits::I64 { InputKind::Long } else { InputKind::Int };
            exprs.input(&format!("{method}#{next}"), input, None)
        })
    }
}

fn number(value: Value) -> Option<i64> {
    match value {
        Value::Int(value) => Some(i64::from(value)),
        Value::Long(value) => Some(value),
        _ => None,
    }
}
