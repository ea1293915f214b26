//! Proofs that no assertion fails, by induction over recursive methods.
//!
//! Unrolling a recursion of unbounded depth never ends. Here the inner calls of recursive methods that
//! depend on their arguments only are not followed: what is assumed of their results are lemmas. They are
//! guessed from calls that are computed, and those that are not inductive are dropped until all that are left
//! hold together [Houdini, Flanagan FME'01]. With these the entry is explored. If an assertion fails there,
//! the calls on that path are computed with its inputs: a result that the lemmas allow and the method does
//! not have is excluded, and the entry is explored again [Clarke CAV'00].
//!
//! What is explored includes everything that the program can do, so a proof needs all of its paths. A
//! violation is never reported from here. [`evergreen_jvm`] says what a recursive method must not do.

use crate::{Exploration, Inputs, MethodRef, ProgramError};
use evergreen_deciding::BranchOracle;
use evergreen_explore::{Bounds, End, Explorer, Feasibility, Options, Oracle, Path};
use evergreen_jvm::{Ending, Jvm, Lemma, MethodId, Narrowed, State, Value};
use evergreen_symbolic::{Assignment, Cond, Const, Expr};
use std::time::{Duration, Instant};

/// Paths of one exploration.
const MOST_PATHS: u64 = 4_000;
/// Branches on one path.
const MOST_BRANCHES: usize = 2_000;
/// How often results are excluded.
const MOST_ROUNDS: usize = 200;
/// Wall time of an attempt.
const LIMIT: Duration = Duration::from_secs(20);

/// A proof that no path of an entry ends with an exception.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The recursive methods, each with what was proved of its results.
    pub lemmas: Vec<(String, Vec<String>)>,
    /// Results of inner calls that were computed for it.
    pub computed: usize,
    /// Paths of the entry, with inner calls that were not followed.
    pub paths: u64,
}

/// Tries to prove that an entry ends with no exception. `None` if there is nothing to be proved by induction,
/// or if it could not be proved.
///
/// # Errors
/// The entry cannot begin.
pub fn prove(
    exploration: &mut Exploration,
    entry: &MethodRef,
    inputs: &Inputs,
) -> Result<Option<Proof>, ProgramError> {
    // A setting of an input is meant for the entry, not for an argument of the same name.
    if !(inputs.concrete.is_empty() && inputs.ranges.is_empty() && inputs.assumptions.is_empty()) {
        return Ok(None);
    }
    let beginning = exploration.begin(entry, inputs)?;
    let (front, oracle) = exploration.parts();
    let Ok(Some(id)) = front.jvm.find(&entry.class, &entry.name, &entry.descriptor) else { return Ok(None) };
    let base = front.base.clone();
    let heads = front.jvm.begin_induction(id, &base);
    let proof = match heads.is_empty() {
        true => None,
        false => prove_with(&mut front.jvm, oracle, &base, &heads, &beginning),
    };
    front.jvm.end_induction();
    Ok(proof)
}

/// Finds lemmas about the heads, and explores the entry with them.
fn prove_with(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    base: &State,
    heads: &[MethodId],
    (start, path, model): &(State, Path<Cond>, Assignment),
) -> Option<Proof> {
    let begin = Instant::now();
    let lemmas = inductive(jvm, oracle, base, heads, begin);
    for _ in 0..MOST_ROUNDS {
        let mut explorer = Explorer::under(start.clone(), path.clone(), model.clone(), options(begin));
        jvm.narrowed_steps = Narrowed::default();
        let mut is_refined = None;
        let mut is_whole = true;
        while let Some(found) = explorer.next(jvm, oracle) {
            let End::Outcome(outcome) = &found.end else { return None };
            is_whole &= outcome.narrowed.is_empty();
            match outcome.ending {
                Ending::Returned(_) | Ending::Exited(_) | Ending::Assumed => {}
                Ending::Threw { .. } => {
                    is_refined = Some(jvm.refine_heads(&found.path.constraints(), &found.model));
                    break;
                }
                _ => return None,
            }
        }
        match is_refined {
            Some(true) if begin.elapsed() < LIMIT => {}
            Some(_) => return None,
            None => {
                let summary = explorer.summary();
                let is_proved = is_whole && summary.is_complete() && jvm.narrowed_steps.is_empty();
                let shown = |(head, lemmas): (&MethodId, &Vec<Lemma>)| shown(jvm, *head, lemmas);
                return is_proved.then(|| Proof {
                    lemmas: heads.iter().zip(&lemmas).map(shown).collect(),
                    computed: heads.iter().map(|head| jvm.points_of_head(*head)).sum(),
                    paths: summary.paths,
                });
            }
        }
    }
    None
}

fn options(begin: Instant) -> Options {
    let time = Some(LIMIT.saturating_sub(begin.elapsed()));
    let bounds = Bounds { paths: Some(MOST_PATHS), depth: Some(MOST_BRANCHES), time, ..Bounds::default() };
    Options { bounds, ..Options::default() }
}

/// The lemmas about each head that hold if all of them are assumed.
fn inductive(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    base: &State,
    heads: &[MethodId],
    begin: Instant,
) -> Vec<Vec<Lemma>> {
    let mut lemmas: Vec<Vec<Lemma>> = heads.iter().map(|head| jvm.guess_lemmas(*head)).collect();
    loop {
        heads.iter().zip(&lemmas).for_each(|(head, lemmas)| jvm.assume_lemmas(*head, lemmas.clone()));
        let mut is_changed = false;
        for (head, lemmas) in heads.iter().zip(&mut lemmas).filter(|(_, lemmas)| !lemmas.is_empty()) {
            let before = lemmas.len();
            keep_inductive(jvm, oracle, base, (*head, lemmas), begin);
            is_changed |= lemmas.len() < before;
        }
        if !is_changed {
            break;
        }
    }
    for (head, lemmas) in heads.iter().zip(&mut lemmas) {
        let mut kept: Vec<Lemma> = Vec::new();
        for lemma in lemmas.drain(..) {
            if !kept.iter().any(|other| other.covers(&lemma)) {
                kept.push(lemma);
            }
        }
        *lemmas = kept;
        jvm.assume_lemmas(*head, lemmas.clone());
    }
    lemmas
}

/// Drops the lemmas about a head that do not hold at some return of its code. If not all returns are known,
/// none of them is kept.
fn keep_inductive(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    base: &State,
    (head, lemmas): (MethodId, &mut Vec<Lemma>),
    begin: Instant,
) {
    let Some(kind) = jvm.kind_of_head(head) else { return lemmas.clear() };
    // Names that no input of the program has.
    let name = jvm.method(head).full_name();
    let names = (0..jvm.method(head).arguments.len()).map(|at| format!("{name}@{at}").into()).collect();
    let start = jvm.start_named(base, head, Vec::new(), names);
    let mut explorer = Explorer::new(oracle, start, options(begin));
    while let Some(found) = explorer.next(jvm, oracle) {
        let End::Outcome(outcome) = &found.end else { return lemmas.clear() };
        let result = match &outcome.ending {
            Ending::Returned(Some(result)) => expr(jvm, *result),
            Ending::Assumed => continue,
            _ => return lemmas.clear(),
        };
        let args: Option<Vec<Expr>> = outcome.parameters.iter().map(|p| expr(jvm, p.value)).collect();
        let (Some(result), Some(args)) = (result, args) else { return lemmas.clear() };
        lemmas.retain(|lemma| {
            let fails = lemma.cond(&mut jvm.exprs.borrow_mut(), &args, result, kind).negated();
            match fails.as_bool() {
                Some(fails) => !fails,
                None if oracle.holds(fails, &found.model) => false,
                None => matches!(oracle.ask(&found.path, &found.model, fails), Feasibility::Infeasible),
            }
        });
        if lemmas.is_empty() {
            return;
        }
    }
    if !explorer.summary().is_complete() {
        lemmas.clear();
    }
}

fn expr(jvm: &Jvm, value: Value) -> Option<Expr> {
    let constant = match value {
        Value::Sym(expr) => return Some(expr),
        Value::Int(value) => Const::I32(value),
        Value::Long(value) => Const::I64(value),
        _ => return None,
    };
    Some(jvm.exprs.borrow_mut().constant(constant))
}

/// A head and its lemmas in words.
fn shown(jvm: &Jvm, head: MethodId, lemmas: &[Lemma]) -> (String, Vec<String>) {
    let method = jvm.method(head);
    // The copy that calls go to has no code, and so no names.
    let names: Vec<String> = (0..method.arguments.len()).map(|at| format!("p{at}")).collect();
    let name = format!("{}.{}", method.class_name.replace('/', "."), method.name);
    let call = format!("{}({})", method.name, names.join(", "));
    (name, lemmas.iter().map(|lemma| lemma.shown(&names, &call)).collect())
}
