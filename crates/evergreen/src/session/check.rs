//! Checks: through the engine where the script is understood, past it where it is not.

use super::cores::{By, Checked, Decided, Finder};
use super::surrendered::{Looked, Script};
use super::thrift::Thrift;
use super::whole::{Rest, Whole, may_be_ours, rest_for_check};
use super::{Last, Next, Remark, Session};
use crate::backend::PartsBackend;
use crate::explain::describe_contradiction;
use crate::live::{Extras, Live, Manner};
use crate::needs::Need;
use crate::stack::Stack;
use crate::values::read_model;
use evergreen_canon::split;
use evergreen_reuse::{Backend, Core, Engine, Grain, Query, Question, Solved, Source, Task, Verdict};
use evergreen_smtlib::{Context, print_term};
use evergreen_solver::{PipeSolver, SolverError, answer};
use evergreen_store::Store;
use evergreen_term::{SymbolId, TermId, Terms, Traits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What solving one part by itself may take.
const SIDE_LIMIT_MS: u64 = 1_000;
/// Why a check is unknown that was interrupted, as z3 says it.
const INTERRUPTED: &str = "interrupted from keyboard";

impl Session {
    pub(super) fn check(&mut self, assumptions: Vec<(TermId, String)>, text: &str, out: &mut String) -> Next {
        self.check += 1;
        self.thrift.is_left_out = false;
        self.begin_check();
        self.is_waiting = false;
        self.has_checked = true;
        self.check_text.clear();
        self.check_text.push_str(text);
        self.assumptions = assumptions;
        if self.is_mixed || (self.stack.is_opaque() && self.is_entangled) {
            return self.pass_through(text, out);
        }
        let constraints = self.constraints();
        let asides = self.stack.asides();
        let question = if self.produce_cores { Question::Core } else { Question::Model };
        let followed = if asides.is_empty() { self.follow(&constraints) } else { None };
        let mut is_deferred = !self.produce_models && !self.asks_values && asides.is_empty();
        let starts = (self.live.starts, self.finder.starts());
        let start = Instant::now();
        // What is asked about borrows the trail while the rest of the session answers.
        let trail = std::mem::take(&mut self.trail);
        let mut query = match followed {
            Some(common) => trail.query(&constraints[common..]),
            None => Query::new(&constraints, question).with_asides(&asides),
        };
        if !self.produce_cores && self.assumptions.is_empty() {
            query = query.without_core();
        }
        if is_deferred {
            query = query.without_model();
        }
        let (terms, engine, mut backend) = self.backend();
        let answer = engine.answer(terms, &query, &mut backend);
        let (printed, failure, unsat) = (backend.printed, backend.failure, backend.unsat);
        let (rest, by, is_unread) = (backend.rest, backend.by, backend.is_unread);
        let mut looked = backend.looked;
        self.trail = trail;
        self.forget_told(is_unread);
        self.elements = None;
        let mut answer = match answer {
            Ok(answer) => answer,
            Err(miss) => return self.missed(&miss, out),
        };
        match followed {
            Some(common) => {
                // Values of the slice say nothing of the others.
                self.note_new(&constraints[common..], &answer.verdict, answer.model.take());
                is_deferred = true;
            }
            None => self.note_stack(&constraints, &answer.verdict, answer.model.as_ref()),
        }
        for found in self.engine.take_contradictions() {
            let report = describe_contradiction(&self.terms, &found);
            self.remark(Remark::Contradicted(report));
        }
        self.note_finder_start(starts.1);
        if self.live.starts > starts.0 {
            self.note_start();
        }
        if let Some(rest) = looked.take_rest() {
            return self.end_with(rest, out);
        }
        if let Some(rest) = rest.filter(|_| answer.source != Source::Reused) {
            // The solver has run the whole file.
            self.expect_core(unsat, None, By::Client);
            // Where the verdict is kept nothing else is looked for.
            if !rest.is_clean || matches!(answer.verdict, Verdict::Unknown(_)) {
                self.script().note_rest(&rest);
            }
            return self.end_with(rest, out);
        }
        out.push_str(&printed);
        if let Some(failure) = failure {
            return self.failed(&failure, true, out);
        }
        match answer.verdict {
            Verdict::Sat => {
                out.push_str("sat\n");
                let reused = answer.source == Source::Reused;
                let model = answer.model.filter(|_| reused);
                let is_deferred = is_deferred && reused && model.is_none();
                self.last = Last::Sat { model, is_deferred, given: None, reused };
            }
            Verdict::Unsat => {
                out.push_str("unsat\n");
                // An audit solves what was reused; the reused core is no news.
                let fresh = unsat.filter(|_| answer.source == Source::Solved);
                self.expect_core(fresh, answer.core.as_ref(), by);
                self.last = Last::Unsat { core: answer.core, reused: answer.source == Source::Reused };
            }
            Verdict::Unknown(reason) => {
                if self.is_unaided() {
                    self.remark(Remark::Undecided(reason.clone()));
                }
                // What the solver said in place of a verdict was printed already.
                if looked.is_known() {
                    out.push_str("unknown\n");
                }
                self.surrender(reason, looked, start.elapsed());
            }
        }
        Next::Continue
    }

    /// Puts the values of the last check together, if that was left for later: a client that reads values
    /// without `:produce-models` is expected to read them again. A model that was left out is fetched now.
    pub(super) fn recall_model(&mut self) {
        self.thrift.asked();
        let is_fresh = matches!(self.last, Last::Sat { reused: false, .. });
        // What has a meaning of the solver's own is kept under no key of the standard's.
        let is_standard = !self.is_mixed && !self.is_verbatim() && !self.stack.is_opaque();
        let is_left_out = std::mem::take(&mut self.thrift.is_left_out) && is_standard;
        if is_left_out && is_fresh && self.live.checked == Some(self.check) {
            self.learn_from_solver(Verdict::Sat);
        }
        if !matches!(self.last, Last::Sat { is_deferred: true, .. }) {
            return;
        }
        self.asks_values = true;
        let found = self.recall_trail().or_else(|| {
            let constraints = self.constraints();
            let query = Query::new(&constraints, Question::Model).without_core();
            let (terms, engine, mut backend) = self.backend();
            engine.recall(terms, &query, &mut backend)
        });
        if let Last::Sat { model, is_deferred, .. } = &mut self.last {
            *is_deferred = false;
            *model = found;
        }
    }

    /// Whether the last check means what only its text says: an option is in force that is not known to leave
    /// the meaning alone, or a definition that is an axiom of everything.
    pub(super) fn is_verbatim(&self) -> bool {
        let dialect = self.speaker.dialect();
        !dialect.is_standard() || self.stack.is_axiomatic() || !dialect.is_neutral_check(&self.check_text)
    }

    /// The last check with everything that its meaning depends on, if that takes its text.
    fn verbatim(&self) -> Option<Vec<u8>> {
        if !self.is_verbatim() && !self.stack.is_opaque() {
            return None;
        }
        let mut text = self.speaker.introduction();
        self.stack.write(&mut text);
        text.add(self.check_text.as_bytes());
        Some(text.bytes())
    }

    /// Everything that the last check is about.
    pub(super) fn constraints(&self) -> Vec<TermId> {
        let assertions = self.stack.assertions().map(|a| a.term);
        assertions.chain(self.assumptions.iter().map(|a| a.0)).collect()
    }

    /// Whether the solver names the assumptions that the last check needed for its unsat: it refuses to if
    /// the client has not asked for that.
    fn gives_assumptions(&self) -> bool {
        !self.assumptions.is_empty() && self.says("unsat-assumptions")
    }

    /// The live stack as something that can be solved.
    fn backend(&mut self) -> (&mut Terms, &mut Engine, StackBackend<'_>) {
        let (is_sole, own_manner) = (self.is_sole_check(), self.own_manner());
        let asks_first = self.asks_for_core_first();
        let gives_assumptions = self.gives_assumptions();
        let script = Script {
            options: &self.options,
            transcript: &self.transcript,
            speaker: &self.speaker,
            introduction: &self.stack.unscoped,
            whole: self.whole.as_ref(),
        };
        let backend = StackBackend {
            name: &self.solver_name,
            verbatim: self.verbatim(),
            live: &mut self.live,
            stack: &self.stack,
            context: &mut self.context,
            check: self.check,
            check_text: &self.check_text,
            assumptions: &self.assumptions,
            produce_cores: self.produce_cores,
            gives_assumptions,
            printed: String::new(),
            failure: None,
            unsat: None,
            by: By::Client,
            finder: asks_first.then_some(&mut self.finder),
            side: &mut self.side,
            store: &self.options.store,
            whole: self.whole.as_ref(),
            is_sole,
            own_manner,
            rest: None,
            is_unread: false,
            thrift: &mut self.thrift,
            script,
            looked: Looked::default(),
        };
        (&mut self.terms, &mut self.engine, backend)
    }

    /// Records what the solver, which has just answered the last check, can add to a verdict that was reused.
    pub(super) fn learn_from_solver(&mut self, verdict: Verdict) {
        let constraints = self.constraints();
        let start = Instant::now();
        let (terms, engine, mut backend) = self.backend();
        if constraints.iter().any(|&c| terms.traits(c).has(Traits::QUANTIFIED)) && verdict == Verdict::Sat {
            return;
        }
        let mut solved =
            Solved { verdict, model: None, core: None, elapsed: Duration::ZERO, recordable: true };
        match solved.verdict {
            Verdict::Sat => solved.model = backend.model(terms),
            _ if backend.produce_cores => solved.core = backend.core(terms),
            _ if backend.gives_assumptions => solved.core = backend.assumption_core(terms),
            _ => {}
        }
        if solved.model.is_none() && solved.core.is_none() {
            return;
        }
        solved.elapsed = start.elapsed();
        engine.learn(terms, &constraints, &[], &solved, &mut backend);
    }

    /// Only reuse was allowed, and it did not suffice: say what was missing, for CI logs.
    fn missed(&mut self, miss: &evergreen_reuse::Miss, out: &mut String) -> Next {
        let key: String = miss.key.iter().take(8).map(|b| format!("{b:02x}")).collect();
        let query: Vec<String> = miss.constraints.iter().map(|&c| print_term(&self.terms, c)).collect();
        self.remark(Remark::Missed(format!(
            "not in the store: key {key}…, query:\n  {}\nhelp: run once without require-hit to record it",
            query.join("\n  ")
        )));
        self.error("not in the store, and only reuse is allowed (require-hit)", out);
        Next::Exit(2)
    }

    /// The solver failed: `unknown` where a verdict was asked for. A solver that ends after an error of the
    /// script ends the session, as it would by itself.
    pub(super) fn failed(&mut self, failure: &SolverError, verdict: bool, out: &mut String) -> Next {
        if let SolverError::Died(death) = failure
            && death.output.trim().is_empty()
        {
            // A client that ignores the verdict sees the exit code.
            self.death = Some(death.status.and_then(|s| s.code()).filter(|&code| code != 0).unwrap_or(1));
            self.remark(Remark::Died(failure.to_string()));
        } else {
            self.remark(Remark::Trouble(failure.to_string()));
        }
        if let SolverError::Died(death) = failure
            && answer::error_message(death.output.trim()).is_some()
        {
            out.push_str(self.in_place(death.output.clone()).trim_end());
            out.push('\n');
            self.errors = true;
            let code = death.status.and_then(|s| s.code()).unwrap_or(1);
            return Next::Exit(code);
        }
        if matches!(
            failure,
            SolverError::NotFound { .. } | SolverError::Start { .. } | SolverError::Circle { .. }
        ) {
            self.error(&failure.to_string(), out);
            return Next::Exit(2);
        }
        if verdict {
            out.push_str("unknown\n");
            let reason = match failure {
                SolverError::TimedOut { .. } => "timeout".to_string(),
                SolverError::OutOfMemory { .. } => "memout".to_string(),
                other => other.to_string(),
            };
            self.last = Last::Unknown { reason, reply: None };
        } else {
            self.error(&failure.to_string(), out);
        }
        Next::Continue
    }

    /// Something in the script means more than we know: the solver alone answers, and nothing is recorded.
    fn pass_through(&mut self, text: &str, out: &mut String) -> Next {
        self.passed_through += 1;
        self.last = Last::None;
        let starts = self.live.starts;
        if self.is_sole_check()
            && let Some(rest) = self.rest_of_file("")
        {
            return self.end_with(rest, out);
        }
        let mut asked = self.live.sync(&self.stack).and_then(|_| self.live.ask(text));
        let is_less = match &asked {
            Ok(reply) => reply.trim() == "unknown" || answer::error_message(reply.trim()).is_some(),
            Err(failure) => may_be_ours(failure),
        };
        if is_less && let Some(manner) = self.own_manner() {
            if let Some(rest) = self.rest_of_file("") {
                return self.end_with(rest, out);
            }
            self.live.set_manner(manner);
            let again = self.live.sync(&self.stack).and_then(|_| self.live.ask(text));
            if again.is_ok() || asked.is_err() {
                asked = again;
            }
        }
        if self.live.starts > starts {
            self.note_start();
        }
        match asked {
            Ok(reply) => {
                out.push_str(&reply);
                self.live.checked = Some(self.check);
                Next::Continue
            }
            Err(failure) => self.failed(&failure, true, out),
        }
    }
}

/// The live stack, solved by the solver that the session stands in for.
struct StackBackend<'a> {
    name: &'a str,
    /// The query and what it depends on, where only its text stands for it.
    verbatim: Option<Vec<u8>>,
    live: &'a mut Live,
    stack: &'a Stack,
    context: &'a mut Context,
    check: u64,
    check_text: &'a str,
    assumptions: &'a [(TermId, String)],
    produce_cores: bool,
    /// Whether the solver names the assumptions that an unsat needs.
    gives_assumptions: bool,
    /// What the solver printed besides verdicts.
    printed: String,
    failure: Option<SolverError>,
    /// How long the solver took to find the stack unsatisfiable, if it did and that may be recorded.
    unsat: Option<Duration>,
    /// Who found the stack unsatisfiable.
    by: By,
    /// Another process of the same solver that is asked first, where it is.
    finder: Option<&'a mut Finder>,
    /// Another process of the same solver, for parts by themselves: the live stack cannot be taken apart.
    side: &'a mut Option<PartsBackend>,
    store: &'a Option<Arc<dyn Store>>,
    whole: Option<&'a Whole>,
    /// The check is the only thing that the file asks: the solver may be run on it.
    is_sole: bool,
    /// The client's own manner of running the solver, where it is another one.
    own_manner: Option<Manner>,
    /// What the solver printed, where it ran the whole file.
    rest: Option<Rest>,
    /// The solver has decided, and no model or core of it was read that can be kept.
    is_unread: bool,
    thrift: &'a mut Thrift,
    script: Script<'a>,
    /// What the store has of what the solver says.
    looked: Looked,
}

impl Backend for StackBackend<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn grain(&self) -> Grain {
        Grain::Whole
    }

    fn is_absent(&self) -> bool {
        self.live.command().is_none()
    }

    fn surrenders(&mut self) -> Option<String> {
        self.looked.look(&self.script)
    }

    fn is_verbatim(&self, _terms: &Terms, _constraints: &[TermId]) -> bool {
        self.verbatim.is_some()
    }

    fn verbatim(&mut self, _terms: &mut Terms, _constraints: &[TermId]) -> Option<Vec<u8>> {
        self.verbatim.clone()
    }

    fn solve(&mut self, terms: &mut Terms, task: Task<'_>) -> Solved {
        let start = Instant::now();
        if self.is_absent() {
            self.printed.push_str("unknown\n");
            let need = match task.asides {
                [] => Need::of(terms, task.constraints),
                _ => Need::Optimization,
            };
            return unknown(need.to_string(), start.elapsed());
        }
        if self.is_sole {
            match rest_for_check(self.whole, self.live, "") {
                Ok(Some(rest)) => return self.take_rest(rest, start),
                Ok(None) => {}
                Err(failure) => {
                    let solved = unknown(failure.to_string(), start.elapsed());
                    self.failure = Some(failure);
                    return solved;
                }
            }
        }
        let interruptions = evergreen_solver::interruptions();
        if let Some(solved) = self.ask_finder(terms, task, start) {
            return solved;
        }
        if evergreen_solver::interruptions() != interruptions {
            self.printed.push_str("unknown\n");
            return unknown(INTERRUPTED.into(), start.elapsed());
        }
        let printed = self.printed.len();
        let was_asked = self.live.extras == Extras::Asked;
        let mut tried = self.try_solve(terms, task, start);
        // A question after one check can make a solver fail in the next one: cvc5 1.0 does, over arrays. By
        // itself it would have answered.
        if was_asked && matches!(tried, Err(SolverError::Died(_))) {
            self.live.extras = Extras::Forbidden;
            self.printed.truncate(printed);
            tried = self.try_solve(terms, task, start);
        }
        let is_less = match &tried {
            Ok(solved) => matches!(solved.verdict, Verdict::Unknown(_)),
            Err(failure) => may_be_ours(failure),
        };
        if is_less && let Some(manner) = self.own_manner {
            match self.ask_as_client(terms, task, start, manner, printed) {
                Again::Rest(rest) => return self.take_rest(rest, start),
                Again::Solved(solved) => tried = Ok(solved),
                Again::Failed(failure) if tried.is_err() => tried = Err(failure),
                Again::Failed(_) => {}
            }
        }
        match tried {
            Ok(solved) => solved,
            Err(failure) => {
                let solved = unknown(failure.to_string(), start.elapsed());
                self.failure = Some(failure);
                solved
            }
        }
    }

    fn solve_part(&mut self, terms: &mut Terms, constraints: &[TermId]) -> Option<Solved> {
        if self.is_absent() {
            return None;
        }
        let (live, store) = (&self.live, self.store);
        let side = self.side.get_or_insert_with(|| {
            // Knowing which part it was is worth something to later queries, but not any price.
            let mut limits = live.limits().clone();
            limits.time_ms = Some(limits.time_ms.unwrap_or(u64::MAX).min(SIDE_LIMIT_MS));
            PartsBackend::new(Box::new(PipeSolver::new(live.command().clone(), limits)), store.clone())
        });
        let question = Question::Model;
        Some(side.solve(terms, Task { constraints, asides: &[], question, want_core: false }))
    }
}

fn unknown(reason: String, elapsed: Duration) -> Solved {
    Solved { verdict: Verdict::Unknown(reason), model: None, core: None, elapsed, recordable: false }
}

/// What came of asking again.
enum Again {
    /// The solver has run the whole file.
    Rest(Rest),
    Solved(Solved),
    Failed(SolverError),
}

impl StackBackend<'_> {
    /// Asks the process that gives cores, where that is asked first.
    fn ask_finder(&mut self, terms: &mut Terms, task: Task<'_>, start: Instant) -> Option<Solved> {
        if task.question == Question::Sat || !task.asides.is_empty() {
            return None;
        }
        let checked = Checked { stack: self.stack, assumptions: self.assumptions };
        let decided = self.finder.as_mut()?.decide(terms, &checked)?;
        let elapsed = start.elapsed();
        let (verdict, core) = match decided {
            Decided::Sat => (Verdict::Sat, None),
            Decided::Unsat(core) => {
                (self.unsat, self.by) = (Some(elapsed), By::Finder);
                (Verdict::Unsat, Some(core))
            }
        };
        Some(Solved { verdict, model: None, core, elapsed, recordable: true })
    }

    /// Asks once more, exactly as the client would have: nothing that we add may cost an answer.
    fn ask_as_client(
        &mut self,
        terms: &mut Terms,
        task: Task<'_>,
        start: Instant,
        manner: Manner,
        printed: usize,
    ) -> Again {
        if let Ok(Some(rest)) = rest_for_check(self.whole, self.live, "") {
            return Again::Rest(rest);
        }
        let before = self.printed.split_off(printed);
        self.live.set_manner(manner);
        self.live.extras = Extras::Forbidden;
        match self.try_solve(terms, task, start) {
            Ok(solved) => Again::Solved(solved),
            Err(failure) => {
                self.printed.truncate(printed);
                self.printed.push_str(&before);
                Again::Failed(failure)
            }
        }
    }

    /// The answer of a solver that has run the whole file.
    fn take_rest(&mut self, rest: Rest, start: Instant) -> Solved {
        let elapsed = start.elapsed();
        let verdict = match rest.verdict() {
            "sat" => Verdict::Sat,
            "unsat" => Verdict::Unsat,
            other => {
                let solved = unknown(other.to_string(), elapsed);
                self.rest = Some(rest);
                return solved;
            }
        };
        let recordable = rest.is_clean;
        self.unsat = (verdict == Verdict::Unsat && recordable).then_some(elapsed);
        self.rest = Some(rest);
        Solved { verdict, model: None, core: None, elapsed, recordable }
    }

    fn try_solve(
        &mut self,
        terms: &mut Terms,
        task: Task<'_>,
        start: Instant,
    ) -> Result<Solved, SolverError> {
        let complaints = self.live.sync(self.stack)?;
        // An assertion that the solver refused is not part of what it answers.
        let recordable = complaints.errors.trim().is_empty();
        self.printed.push_str(&complaints.errors);
        let reply = self.live.ask(self.check_text)?;
        self.live.checked = Some(self.check);
        let elapsed = start.elapsed();
        let verdict = match reply.trim() {
            "sat" => Verdict::Sat,
            "unsat" => Verdict::Unsat,
            other => {
                self.printed.push_str(&reply);
                return Ok(unknown(other.to_string(), elapsed));
            }
        };
        self.unsat = (verdict == Verdict::Unsat && recordable).then_some(elapsed);
        let quantified = task.constraints.iter().any(|&c| terms.traits(c).has(Traits::QUANTIFIED));
        let mut solved = Solved { verdict, model: None, core: None, elapsed, recordable };
        match solved.verdict {
            // What it says beyond the verdict is not kept: the client asks the solver itself.
            _ if self.verbatim.is_some() || task.question == Question::Sat => {}
            Verdict::Sat if quantified || !task.asides.is_empty() => {}
            Verdict::Sat if self.thrift.takes_model() => solved.model = self.model(terms),
            Verdict::Unsat if self.produce_cores => solved.core = self.core(terms),
            Verdict::Unsat if self.gives_assumptions => solved.core = self.assumption_core(terms),
            _ => {}
        }
        // A question about one more branch is not asked for values: its model is that of its slice.
        self.is_unread = task.question != Question::Sat && solved.model.is_none() && solved.core.is_none();
        self.is_unread &= !self.thrift.is_left_out;
        Ok(solved)
    }

    /// Asks for what is kept with the verdict; a refusal is no reason to lose the verdict.
    fn extra(&mut self, command: &str) -> Option<String> {
        if self.live.extras == Extras::Forbidden {
            return None;
        }
        self.live.extras = Extras::Asked;
        let reply = self.live.ask(command).ok()?;
        let is_refused = answer::error_message(reply.trim()).is_some();
        self.live.is_refused |= is_refused;
        (!is_refused).then_some(reply)
    }

    fn model(&mut self, terms: &mut Terms) -> Option<evergreen_term::Model> {
        // Boogie wants z3's old layout for itself.
        let command = match self.stack.has_old_models() {
            true => "(set-option :model.v2 false)\n(get-model)\n(set-option :model.v2 true)",
            false => "(get-model)",
        };
        let reply = self.extra(command)?;
        self.thrift.fetched(self.stack.text_length());
        let symbols: FxHashMap<Vec<u8>, SymbolId> =
            self.stack.symbols().map(|s| (terms.symbol_text(s).as_bytes().to_vec(), s)).collect();
        let read = read_model(terms, self.context, &symbols, &reply)?;
        read.complete.then_some(read.model)
    }

    /// The named assertions that the solver gives, and all unnamed ones, which it never gives.
    fn core(&mut self, terms: &mut Terms) -> Option<Core> {
        if self.stack.is_recursive() {
            return None;
        }
        let reply = self.extra("(get-unsat-core)")?;
        let names: FxHashSet<&str> = answer::parse_names(&reply).ok()?.into_iter().map(bare).collect();
        // A name that we do not know stands for something that would be missing from the core.
        let labels: FxHashSet<&str> =
            self.stack.assertions().filter_map(|a| a.label).map(|l| terms.text(l)).collect();
        if !names.is_subset(&labels) {
            return None;
        }
        let mut core = Vec::new();
        for a in self.stack.assertions() {
            if a.label.is_none_or(|label| names.contains(terms.text(label))) {
                core.push(a.term);
            }
        }
        core.extend(self.assumptions.iter().map(|a| a.0));
        Core::new(pieces(terms, &core))
    }

    /// All assertions and the assumptions that the solver gives.
    fn assumption_core(&mut self, terms: &mut Terms) -> Option<Core> {
        if self.stack.is_recursive() {
            return None;
        }
        let reply = self.extra("(get-unsat-assumptions)")?;
        let used = answer::expressions(reply.trim())?;
        let [list] = used[..] else { return None };
        let used: FxHashSet<String> = answer::items(list)?.into_iter().map(squeezed).collect();
        let asked: FxHashSet<String> = self.assumptions.iter().map(|a| squeezed(&a.1)).collect();
        // What the solver writes in another way than the client would be missing from the core.
        if !used.is_subset(&asked) {
            return None;
        }
        let mut core: Vec<TermId> = self.stack.assertions().map(|a| a.term).collect();
        core.extend(self.assumptions.iter().filter(|a| used.contains(&squeezed(&a.1))).map(|a| a.0));
        Core::new(pieces(terms, &core))
    }
}

/// A symbol without its bars.
pub(super) fn bare(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|s| s.strip_suffix('|')).unwrap_or(symbol)
}

/// A literal with its white space and bars made uniform, to compare what a solver prints with what the client
/// wrote.
fn squeezed(text: &str) -> String {
    text.split_ascii_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("( ", "(")
        .replace(" )", ")")
        .replace('|', "")
}

/// The constraints that terms are split into: cores are kept in these.
pub(super) fn pieces(terms: &mut Terms, constraints: &[TermId]) -> Vec<TermId> {
    constraints.iter().flat_map(|&c| split(terms, c)).collect()
}
