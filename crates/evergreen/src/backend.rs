//! Parts of queries, solved by a long-lived solver process.

use crate::founded::{defined_in, is_axiom_among};
use crate::needs::Need;
use crate::verbatim::{Speaker, Text};
use evergreen_reuse::{Backend, Core, Grain, Question, Solved, Task, Verdict};
use evergreen_smtlib::{Context, print_declarations, print_symbol, print_term};
use evergreen_solver::{Problem, Solver, SolverError, Verdict as Said};
use evergreen_store::Store;
use evergreen_term::{
    Completion, Evaluator, Fun, Model, Op, SortId, SymbolId, SymbolKind, TermId, Terms, Traits, Value,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Prints parts and has a solver check them.
pub(crate) struct PartsBackend {
    name: String,
    solver: Box<dyn Solver>,
    /// The command behind it, if there is one.
    speaker: Option<Speaker>,
    /// Reads values; knows only the theories' names.
    context: Option<Context>,
    /// The solver was needed and is not installed.
    not_found: Option<SolverError>,
}

impl PartsBackend {
    /// `store`: where digests of files are remembered.
    pub(crate) fn new(solver: Box<dyn Solver>, store: Option<Arc<dyn Store>>) -> PartsBackend {
        let speaker = solver.command().map(|command| Speaker::new(command, store));
        PartsBackend { name: solver.describe(), solver, speaker, context: None, not_found: None }
    }

    /// Whether the solver gives queries the standard's meaning.
    pub(crate) fn is_standard(&self) -> bool {
        self.speaker.as_ref().is_none_or(|speaker| speaker.dialect().is_standard())
    }

    /// Whether there is no solver program behind it.
    fn has_no_program(&self) -> bool {
        self.solver.command().is_some_and(|command| command.is_none())
    }

    /// Forgets the arena.
    pub(crate) fn renew(&mut self) {
        self.context = None;
    }

    /// Why the last question has no answer, if that is because the solver is not installed.
    pub(crate) fn take_not_found(&mut self) -> Option<SolverError> {
        self.not_found.take()
    }

    pub(crate) fn starts(&self) -> u64 {
        self.solver.starts()
    }
}

impl Backend for PartsBackend {
    fn name(&self) -> &str {
        &self.name
    }

    fn grain(&self) -> Grain {
        Grain::Parts
    }

    fn is_absent(&self) -> bool {
        self.has_no_program()
    }

    fn is_verbatim(&self, terms: &Terms, constraints: &[TermId]) -> bool {
        // Recursive functions count as quantified.
        let quantified = |c: &TermId| terms.traits(*c).has(Traits::QUANTIFIED);
        let mut recursive = constraints.iter().copied().filter(quantified).peekable();
        !self.is_standard()
            || recursive.peek().is_some()
                && is_axiom_among(terms, defined_in(terms, &recursive.collect::<Vec<_>>()))
    }

    fn verbatim(&mut self, terms: &mut Terms, constraints: &[TermId]) -> Option<Vec<u8>> {
        if !self.is_verbatim(terms, constraints) {
            return None;
        }
        let mut text = match &self.speaker {
            Some(speaker) => speaker.introduction(),
            None => Text::of(&self.name),
        };
        // What cannot be printed is not solved either.
        text.add(print_declarations(terms, constraints).unwrap_or_default().as_bytes());
        constraints.iter().for_each(|&c| text.add(print_term(terms, c).as_bytes()));
        Some(text.bytes())
    }

    fn solve(&mut self, terms: &mut Terms, task: Task<'_>) -> Solved {
        let start = Instant::now();
        if self.has_no_program() {
            let mut why = Need::of(terms, task.constraints).to_string();
            if cfg!(not(feature = "processes")) {
                why = format!("{why}; {}", SolverError::NotBuilt);
            }
            return unknown(why, start.elapsed());
        }
        let declarations = match print_declarations(terms, task.constraints) {
            Ok(declarations) => declarations,
            Err(why) => return unknown(why, start.elapsed()),
        };
        let recursive = declarations.contains("(define-fun");
        let symbols = free_symbols(terms, task.constraints);
        // Functions and values of declared sorts are not asked for one by one: such parts are kept without a
        // model.
        let plain = symbols.iter().all(|&s| {
            let symbol = terms.symbol_of(s);
            symbol.params.is_empty() && !terms.is_declared_sort(symbol.result)
        });
        let quantified = task.constraints.iter().any(|&c| terms.traits(c).has(Traits::QUANTIFIED));
        let wanted: &[SymbolId] = if plain && !quantified { &symbols } else { &[] };
        let problem = Problem {
            declarations,
            constraints: task.constraints.iter().map(|&c| print_term(terms, c)).collect(),
            values: wanted.iter().map(|&s| print_symbol(terms.symbol_text(s))).collect(),
            want_core: task.want_core || task.question == Question::Core,
            ..Problem::default()
        };
        let outcome = match self.solver.check(&problem) {
            Ok(outcome) => outcome,
            Err(failure) => {
                let why = failure.to_string();
                if matches!(failure, SolverError::NotFound { .. }) {
                    self.not_found = Some(failure);
                }
                return unknown(why, start.elapsed());
            }
        };
        // What a core leaves out may mention a function whose definition it needs: see `Stack::is_recursive`.
        let core = outcome.core.filter(|_| !recursive);
        let core = core.and_then(|core| Core::new(core.into_iter().map(|i| task.constraints[i]).collect()));
        let verdict = match outcome.verdict {
            Said::Sat => Verdict::Sat,
            Said::Unsat => Verdict::Unsat,
            Said::Unknown(why) => Verdict::Unknown(why),
        };
        let mut model = None;
        if verdict == Verdict::Sat
            && plain
            && !quantified
            && let Some(values) = outcome.values
        {
            model = self.model(terms, &symbols, &values);
        }
        Solved { verdict, model, core, elapsed: outcome.elapsed, recordable: true }
    }
}

impl PartsBackend {
    /// The solver's name and arguments.
    pub(crate) fn solver_name(&self) -> &str {
        &self.name
    }

    /// The values of a problem that is solved from a clean state, if it is satisfiable.
    pub(crate) fn values_apart(&mut self, problem: &Problem) -> Option<Vec<String>> {
        if self.has_no_program() {
            return None;
        }
        let outcome = self.solver.check_apart(problem).ok()?;
        outcome.values.filter(|_| outcome.verdict == Said::Sat)
    }

    pub(crate) fn model(
        &mut self,
        terms: &mut Terms,
        symbols: &[SymbolId],
        values: &[String],
    ) -> Option<Model> {
        let context = self.context.get_or_insert_with(|| Context::new(terms));
        let empty = Model::new();
        let mut model = Model::new();
        for (&symbol, text) in symbols.iter().zip(values) {
            let mut term = context.read_term(terms, text.as_bytes()).ok()?;
            let sort = terms.symbol_of(symbol).result;
            if sort == SortId::REAL && terms.sort_of(term) == SortId::INT {
                term = terms.app(Fun::ToReal, &[term]).ok()?;
            }
            let value: Value =
                Evaluator::new(terms, &empty).completing(Completion::None).evaluate(term).ok()?.clone();
            if !value.fits(terms, sort) {
                return None;
            }
            model.set(symbol, value);
        }
        Some(model)
    }
}

fn unknown(why: String, elapsed: Duration) -> Solved {
    Solved { verdict: Verdict::Unknown(why), model: None, core: None, elapsed, recordable: false }
}

/// The free symbols of constraints, in the order of their declaration.
pub(crate) fn free_symbols(terms: &Terms, constraints: &[TermId]) -> Vec<SymbolId> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut found: FxHashSet<SymbolId> = FxHashSet::default();
    let mut stack = constraints.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Apply(s) | Op::Function(s) = terms.op(term)
            && matches!(terms.symbol_of(s).kind, SymbolKind::Free)
        {
            found.insert(s);
        }
        stack.extend(terms.args(term));
    }
    let mut symbols: Vec<SymbolId> = found.into_iter().collect();
    symbols.sort_unstable();
    symbols
}
