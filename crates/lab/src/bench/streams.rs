//! `evergreen-lab bench streams`: recorded query streams of real programs, replayed through one store.
//!
//! Every query is a script of its own, read into an arena of its own. The streams pass one after another
//! (cold), then all of them once more (warm). Every verdict is compared with the bare solver's, and every
//! model is evaluated on the whole query, as it was read, by the general evaluator.

use super::bare::{self, Bare};
use super::stream::Stream;
use crate::flags::StreamsBench;
use evergreen::smtlib::{Command as Said, Context};
use evergreen::solver::{Command, Limits, Outcome, PipeSolver, Problem, Solver, SolverError};
use evergreen::store::Memory;
use evergreen::{
    Completion, Evaluator, Event, Evergreen, KeyBytes, Question, Reuse, Rung, RungStats, TermId, Verdict,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Room for every record: eviction would make a warm pass solve.
const STORE_BYTES: usize = 1 << 30;

/// What one pass over one stream did.
#[derive(Default, Clone)]
struct Pass {
    queries: u64,
    parts: u64,
    /// Parts decided by canonizing alone.
    trivial: u64,
    /// Parts that a record of this stream or of an earlier one answered.
    reused: u64,
    /// Of these, by a record of another program.
    reused_from_others: u64,
    /// What each rung of the ladder cost and gave, in the order of [`Rung::ALL`].
    rungs: [RungStats; Rung::ALL.len()],
    /// Parts that reached the solver.
    solved: u64,
    /// Queries of which some part reached the solver.
    queries_solved: u64,
    sat: u64,
    unsat: u64,
    models_checked: u64,
    values_answered: u64,
    /// Microseconds, by query.
    micros: Vec<u64>,
}

/// One stream and everything that is known of it.
struct Report {
    name: String,
    bare: Bare,
    cold: Pass,
    warm: Pass,
    /// Keys that its cold pass looked up.
    asked: HashSet<KeyBytes>,
    /// Of these, how many other programs looked up too, before or after.
    shared: usize,
}

/// Answers that must not be.
#[derive(Default)]
struct Faults(Vec<String>);

struct Replay {
    evergreen: Evergreen,
    /// The stream that recorded each key.
    recorded_by: HashMap<KeyBytes, usize>,
    faults: Faults,
}

/// Replays, prints, and fails when an answer is wrong.
pub(super) fn run(flags: &StreamsBench, as_json: bool) -> Result<ExitCode, String> {
    let first = flags.first.unwrap_or(usize::MAX);
    let streams: Vec<Stream> =
        flags.files.iter().map(|f| Stream::read(f, first)).collect::<Result<_, _>>()?;
    let command = Command::parse(&flags.solver).map_err(|e| e.to_string())?;
    let mut solver: Box<dyn Solver> = Box::new(PipeSolver::new(command.clone(), Limits::default()));
    if let Some(path) = &flags.misses {
        let file = File::create(path).map_err(|e| format!("{}: {e}", path.display()))?;
        solver = Box::new(Overheard { solver, file });
    }
    let evergreen = Evergreen::builder()
        .with_store(Arc::new(Memory::new(STORE_BYTES)))
        .with_solver(solver)
        .reuse(flags.reuse.map_or(Reuse::Full, Reuse::from))
        .native(!flags.no_native)
        .models(!flags.no_models)
        .log_events()
        .build()
        .map_err(|e| e.to_string())?;
    let mut replay = Replay { evergreen, recorded_by: HashMap::new(), faults: Faults::default() };
    let mut reports: Vec<Report> = Vec::new();
    for (i, stream) in streams.iter().enumerate() {
        crate::say::note(&format!("{}: {} queries, bare", stream.name, stream.queries.len()));
        let bare = bare::ask(stream, &command, flags.bare_cache.as_deref())?;
        crate::say::note(&format!("{}: cold", stream.name));
        let mut asked = HashSet::new();
        let cold = replay.pass(i, stream, &bare, Some(&mut asked));
        let (name, warm) = (stream.name.clone(), Pass::default());
        reports.push(Report { name, bare, cold, warm, asked, shared: 0 });
    }
    crate::say::note("all: warm");
    for (i, (stream, report)) in streams.iter().zip(&mut reports).enumerate() {
        report.warm = replay.pass(i, stream, &report.bare, None);
    }
    count_shared(&mut reports);
    if as_json {
        crate::say::say_json(&to_json(&reports, &replay.faults));
    } else {
        print_table(&reports, &replay.faults);
    }
    Ok(ExitCode::from(u8::from(!replay.faults.0.is_empty())))
}

fn count_shared(reports: &mut [Report]) {
    let mut programs: HashMap<KeyBytes, u32> = HashMap::new();
    for report in reports.iter() {
        report.asked.iter().for_each(|key| *programs.entry(*key).or_default() += 1);
    }
    for report in reports {
        report.shared = report.asked.iter().filter(|key| programs[*key] > 1).count();
    }
}

impl Replay {
    fn pass(
        &mut self,
        number: usize,
        stream: &Stream,
        bare: &Bare,
        mut asked: Option<&mut HashSet<KeyBytes>>,
    ) -> Pass {
        let before = self.evergreen.stats().clone();
        let mut pass = Pass::default();
        for (n, (query, expected)) in stream.queries.iter().zip(&bare.verdicts).enumerate() {
            let place = format!("{} query {n}", stream.name);
            let solved_before = self.evergreen.stats().solved;
            let start = Instant::now();
            let answered = self.answer(query, &mut pass);
            pass.micros.push(start.elapsed().as_micros() as u64);
            pass.queries_solved += u64::from(self.evergreen.stats().solved > solved_before);
            match answered {
                Ok(said) if said.verdict == *expected => self.check_model(&said, &place, &mut pass),
                Ok(said) => {
                    self.faults.0.push(format!("{place}: {}, the bare solver says {expected}", said.verdict))
                }
                Err(why) => self.faults.0.push(format!("{place}: {why}")),
            }
            for event in self.evergreen.take_events() {
                match event {
                    Event::Reused { rung: Rung::Exact, key, .. } => {
                        let other = self.recorded_by.get(&key).is_some_and(|by| *by != number);
                        pass.reused_from_others += u64::from(other);
                        asked.as_mut().map(|asked| asked.insert(key));
                    }
                    Event::Missed { key } => {
                        asked.as_mut().map(|asked| asked.insert(key));
                    }
                    Event::Recorded { key, .. } => {
                        self.recorded_by.entry(key).or_insert(number);
                    }
                    _ => {}
                }
            }
        }
        let after = self.evergreen.stats();
        pass.queries = after.queries - before.queries;
        pass.parts = after.slices - before.slices;
        pass.trivial = after.hits(Rung::Trivial) - before.hits(Rung::Trivial);
        pass.reused = after.hits(Rung::Exact) - before.hits(Rung::Exact);
        pass.solved = after.solved - before.solved;
        for (rung, (now, then)) in pass.rungs.iter_mut().zip(after.rungs.iter().zip(&before.rungs)) {
            rung.tried = now.tried - then.tried;
            rung.hits = now.hits - then.hits;
            rung.passed = now.passed - then.passed;
            rung.time = now.time - then.time;
        }
        pass
    }

    /// Reads a query into an arena of its own and answers it, with the values it asks for.
    fn answer(&mut self, query: &str, pass: &mut Pass) -> Result<Answered, String> {
        self.evergreen.renew();
        let terms = self.evergreen.terms();
        let mut context = Context::new(terms);
        let script = context.read_script(terms, query.as_bytes()).map_err(|d| d.message.clone())?;
        let mut constraints: Vec<TermId> = Vec::new();
        let mut wanted: Vec<TermId> = Vec::new();
        for located in script {
            match located.command {
                Said::Assert { term, .. } => constraints.push(term),
                Said::GetValue(terms) => wanted.extend(terms.iter().map(|t| t.term)),
                Said::Opaque => {
                    let why =
                        located.complaint.map_or("a command that is not understood".into(), |c| c.message);
                    return Err(why);
                }
                _ => {}
            }
        }
        let answer = self.evergreen.check(&constraints, Question::Model).map_err(|e| e.to_string())?;
        let verdict = match &answer.verdict {
            Verdict::Sat => "sat".to_string(),
            Verdict::Unsat => "unsat".to_string(),
            Verdict::Unknown(why) => format!("unknown ({why})"),
        };
        if let Some(model) = &answer.model {
            let terms = self.evergreen.terms();
            let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
            for term in wanted {
                evaluator.evaluate(term).map_err(|e| format!("no value: {e}"))?;
                pass.values_answered += 1;
            }
        }
        Ok(Answered { verdict, model: answer.model, constraints })
    }

    fn check_model(&mut self, said: &Answered, place: &str, pass: &mut Pass) {
        if said.verdict != "sat" {
            pass.unsat += u64::from(said.verdict == "unsat");
            return;
        }
        pass.sat += 1;
        let Some(model) = &said.model else {
            self.faults.0.push(format!("{place}: sat without a model"));
            return;
        };
        let terms = self.evergreen.terms();
        let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
        match said.constraints.iter().try_fold(true, |all, &c| Ok(all & evaluator.holds(c)?)) {
            Ok(true) => pass.models_checked += 1,
            Ok(false) => self.faults.0.push(format!("{place}: the model does not satisfy the query")),
            Err::<_, evergreen::Unevaluable>(e) => self.faults.0.push(format!("{place}: {e}")),
        }
    }
}

struct Answered {
    verdict: String,
    model: Option<evergreen::Model>,
    constraints: Vec<TermId>,
}

/// A solver whose problems are written to a file.
struct Overheard {
    solver: Box<dyn Solver>,
    file: File,
}

impl Solver for Overheard {
    fn describe(&self) -> String {
        self.solver.describe()
    }

    fn check(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        let asserts: String = problem.constraints.iter().map(|c| format!("(assert {c})\n")).collect();
        let text = format!("; Query\n{}\n{asserts}(check-sat)\n", problem.declarations);
        self.file.write_all(text.as_bytes()).map_err(SolverError::Io)?;
        self.solver.check(problem)
    }

    fn command(&self) -> Option<&Command> {
        self.solver.command()
    }

    fn starts(&self) -> u64 {
        self.solver.starts()
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn total(passes: impl Iterator<Item = Pass>) -> Pass {
    passes.fold(Pass::default(), |mut sum, p| {
        for (to, from) in [
            (&mut sum.queries, p.queries),
            (&mut sum.parts, p.parts),
            (&mut sum.trivial, p.trivial),
            (&mut sum.reused, p.reused),
            (&mut sum.reused_from_others, p.reused_from_others),
            (&mut sum.solved, p.solved),
            (&mut sum.queries_solved, p.queries_solved),
            (&mut sum.sat, p.sat),
            (&mut sum.unsat, p.unsat),
            (&mut sum.models_checked, p.models_checked),
            (&mut sum.values_answered, p.values_answered),
        ] {
            *to += from;
        }
        for (to, from) in sum.rungs.iter_mut().zip(p.rungs) {
            to.tried += from.tried;
            to.hits += from.hits;
            to.passed += from.passed;
            to.time += from.time;
        }
        sum.micros.extend(p.micros);
        sum
    })
}

fn mean(micros: &[u64]) -> f64 {
    micros.iter().sum::<u64>() as f64 / micros.len().max(1) as f64
}

fn print_row(name: &str, cold: &Pass, warm: &Pass, shared: (usize, usize), bare: f64) {
    crate::say::say(&format!(
        "{name:<12}{:>8}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8.1}%{:>8.1}%{:>7}{:>9.1}%{:>9.0}{:>8.0}{:>9.0}",
        cold.queries,
        cold.parts,
        cold.trivial,
        cold.reused,
        cold.reused_from_others,
        cold.solved,
        share(cold.queries_solved, cold.queries),
        share(cold.solved, cold.parts),
        warm.solved,
        share(shared.0 as u64, shared.1 as u64),
        mean(&cold.micros),
        mean(&warm.micros),
        bare,
    ));
}

fn print_table(reports: &[Report], faults: &Faults) {
    crate::say::say(&format!(
        "{:<12}{:>8}{:>9}{:>9}{:>8}{:>8}{:>8}{:>9}{:>9}{:>7}{:>10}{:>9}{:>8}{:>9}",
        "",
        "",
        "",
        "trivial",
        "reused:",
        "of them",
        "solved",
        "queries",
        "parts",
        "solved",
        "keys also",
        "µs cold",
        "µs warm",
        "µs bare"
    ));
    crate::say::say(&format!(
        "{:<12}{:>8}{:>9}{:>9}{:>8}{:>8}{:>8}{:>9}{:>9}{:>7}{:>10}{:>9}{:>8}{:>9}",
        "stream",
        "queries",
        "parts",
        "parts",
        "parts",
        "others'",
        "cold",
        "solved",
        "solved",
        "warm",
        "elsewhere",
        "a query",
        "a query",
        "a query"
    ));
    for r in reports {
        print_row(&r.name, &r.cold, &r.warm, (r.shared, r.asked.len()), mean(&r.bare.micros));
    }
    let cold = total(reports.iter().map(|r| r.cold.clone()));
    let warm = total(reports.iter().map(|r| r.warm.clone()));
    let keys = reports.iter().fold((0, 0), |sum, r| (sum.0 + r.shared, sum.1 + r.asked.len()));
    let bare: Vec<u64> = reports.iter().flat_map(|r| r.bare.micros.iter().copied()).collect();
    print_row("all", &cold, &warm, keys, mean(&bare));
    let time = |micros: &[u64]| Duration::from_micros(micros.iter().sum()).as_secs_f64();
    let when = if reports.iter().all(|r| r.bare.fresh) { "" } else { " (some of it in an earlier run)" };
    crate::say::say(&format!(
        "\n{} sat and {} unsat, as the bare solver says; {} models hold, {} values given; in all cold {:.1} \
         s, warm {:.1} s, \
         bare {:.1} s{when}",
        cold.sat,
        cold.unsat,
        cold.models_checked + warm.models_checked,
        cold.values_answered + warm.values_answered,
        time(&cold.micros),
        time(&warm.micros),
        time(&bare),
    ));
    print_rungs(&cold);
    for fault in &faults.0 {
        crate::say::say(&format!("WRONG {fault}"));
    }
}

/// What each rung cost and gave in the cold pass, beside what a solved part cost.
fn print_rungs(cold: &Pass) {
    crate::say::say(&format!(
        "\n{:<12}{:>9}{:>9}{:>11}{:>10}",
        "rung, cold", "tried", "hits", "passed by", "ms in all"
    ));
    for (rung, r) in Rung::ALL.into_iter().zip(&cold.rungs).filter(|(_, r)| r.tried + r.hits > 0) {
        let time = r.time.as_secs_f64() * 1e3;
        crate::say::say(&format!(
            "{:<12}{:>9}{:>9}{:>11}{time:>10.1}",
            rung.name(),
            r.tried,
            r.hits,
            r.passed
        ));
    }
}

fn pass_json(pass: &Pass) -> Value {
    json!({
        "queries": pass.queries, "parts": pass.parts, "trivial": pass.trivial, "reused": pass.reused,
        "reused_from_others": pass.reused_from_others, "solved": pass.solved,
        "rungs": Rung::ALL.map(|r| (r.name(),
        pass.rungs[r as usize].hits)).into_iter().collect::<BTreeMap<_, _>>(),
        "queries_solved": pass.queries_solved, "sat": pass.sat, "unsat": pass.unsat,
        "models_checked": pass.models_checked, "values_answered": pass.values_answered,
        "mean_us": mean(&pass.micros),
    })
}

fn to_json(reports: &[Report], faults: &Faults) -> Value {
    let streams: Vec<Value> = reports
        .iter()
        .map(|r| {
            json!({
                "stream": r.name, "cold": pass_json(&r.cold), "warm": pass_json(&r.warm),
                "keys": r.asked.len(), "keys_elsewhere": r.shared, "bare_mean_us": mean(&r.bare.micros),
            })
        })
        .collect();
    json!({
        "streams": streams,
        "cold": pass_json(&total(reports.iter().map(|r| r.cold.clone()))),
        "warm": pass_json(&total(reports.iter().map(|r| r.warm.clone()))),
        "faults": faults.0,
    })
}
