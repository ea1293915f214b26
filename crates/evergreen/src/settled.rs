//! Values that depend on nothing but the constraints: from the core of bit vectors, or from a solver that is
//! asked from a clean state.
//!
//! The core numbers what it meets by the arena, and an arena shows what was met first. So the problem is read
//! into an arena of its own, as text that is sorted. That takes tens of microseconds, a solver milliseconds:
//! what the core finds is not kept in the store, a solver's values are.
//!
//! Declarations and constraints are sorted as text, so that the same set of constraints is the same problem,
//! whatever was met first. The key is the digest of that text and of the solver's name (another solver gives
//! other values); the record has the values as the solver wrote them, in the order of the names:
//!
//! | bytes | what |
//! |---|---|
//! | `0xa1`, version | no record of an answer begins so |
//! | text | one value a line |
//!
//! A record that someone else wrote can only be a model or none: the caller evaluates the constraints under
//! the values.

use crate::backend::{PartsBackend, free_symbols};
use evergreen_reuse::model_of_bits;
use evergreen_smtlib::{Command, Context, print_declarations, print_symbol, print_term, print_value};
use evergreen_solver::Problem;
use evergreen_store::{Key, Store};
use evergreen_term::{Completion, Evaluator, Model, SymbolId, TermId, Terms};

const MARK: u8 = 0xa1;
const VERSION: u8 = 1;

/// Whether a stored entry has settled values; for `store stats` and `store verify`.
pub fn is_settled(bytes: &[u8]) -> bool {
    matches!(bytes, [MARK, VERSION, text @ ..] if std::str::from_utf8(text).is_ok())
}

/// Values for constraints of bit vectors, arrays of them and truth values; `None` if there is something else
/// in them, or if it takes too many steps.
pub(crate) fn settle_by_bits(
    terms: &mut Terms,
    backend: &mut PartsBackend,
    constraints: &[TermId],
) -> Option<Model> {
    let (problem, symbols) = problem(terms, constraints)?;
    let mut own = Terms::new();
    let mut context = Context::new(&mut own);
    let mut text = problem.declarations;
    problem.constraints.iter().for_each(|c| text.push_str(&format!("\n(assert {c})")));
    let mut asserted: Vec<TermId> = Vec::with_capacity(problem.constraints.len());
    for located in context.read_script(&mut own, text.as_bytes()).ok()? {
        match located.command {
            Command::Assert { term, .. } => asserted.push(term),
            Command::DeclareFun(_) => {}
            _ => return None,
        }
    }
    let model = model_of_bits(&own, &asserted)?;
    let mut values: Vec<String> = Vec::with_capacity(symbols.len());
    for name in &problem.values {
        let term = context.read_term(&mut own, name.as_bytes()).ok()?;
        let mut evaluator = Evaluator::new(&own, &model).completing(Completion::Default);
        values.push(print_value(&own, evaluator.evaluate(term).ok()?));
    }
    backend.model(terms, &symbols, &values)
}

/// What was asked for values, with or without success.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    Nothing,
    Store,
    Solver,
}

/// Values for constraints that are not all linear, and what was asked for them; `solves` says whether a
/// solver may be.
pub(crate) fn settle_by_solver(
    terms: &mut Terms,
    backend: &mut PartsBackend,
    store: &dyn Store,
    solves: bool,
    constraints: &[TermId],
) -> (Option<Model>, Asked) {
    let Some((problem, symbols)) = problem(terms, constraints) else { return (None, Asked::Nothing) };
    let key = key(backend, &problem);
    if let Ok(Some((bytes, _))) = store.get_from(&key)
        && let [MARK, VERSION, text @ ..] = bytes.as_ref()
        && let Ok(text) = std::str::from_utf8(text)
    {
        let values: Vec<String> = text.lines().map(String::from).collect();
        if values.len() == symbols.len()
            && let Some(model) = backend.model(terms, &symbols, &values)
        {
            return (Some(model), Asked::Store);
        }
    }
    if !solves {
        return (None, Asked::Nothing);
    }
    let Some(values) = backend.values_apart(&problem) else { return (None, Asked::Solver) };
    let model = backend.model(terms, &symbols, &values);
    if model.is_some() && values.iter().all(|value| !value.contains(['\n', '\r'])) {
        let mut bytes = vec![MARK, VERSION];
        bytes.extend(values.join("\n").as_bytes());
        // A store that fails is a miss next time.
        let _ = store.put(&key, &bytes);
    }
    (model, Asked::Solver)
}

/// The constraints as a problem that does not show what was met first, and the symbols whose values are asked
/// for.
fn problem(terms: &Terms, constraints: &[TermId]) -> Option<(Problem, Vec<SymbolId>)> {
    let declarations = print_declarations(terms, constraints).ok()?;
    if declarations.contains("(define-fun") || declarations.contains("(declare-sort") {
        return None;
    }
    let mut declarations: Vec<&str> = declarations.lines().collect();
    declarations.sort_unstable();
    let mut texts: Vec<String> = constraints.iter().map(|&c| print_term(terms, c)).collect();
    texts.sort_unstable();
    texts.dedup();
    let mut symbols: Vec<(String, SymbolId)> = free_symbols(terms, constraints)
        .into_iter()
        .map(|symbol| (print_symbol(terms.symbol_text(symbol)), symbol))
        .collect();
    symbols.sort_unstable();
    let problem = Problem {
        declarations: declarations.join("\n"),
        constraints: texts,
        values: symbols.iter().map(|(text, _)| text.clone()).collect(),
        ..Problem::default()
    };
    Some((problem, symbols.into_iter().map(|(_, symbol)| symbol).collect()))
}

fn key(backend: &PartsBackend, problem: &Problem) -> Key {
    let mut text = b"evergreen settled".to_vec();
    text.push(VERSION);
    let name = backend.solver_name().to_string();
    for part in [&name, &problem.declarations].into_iter().chain(&problem.constraints) {
        text.extend((part.len() as u64).to_le_bytes());
        text.extend(part.as_bytes());
    }
    Key(crate::digest(&text))
}
