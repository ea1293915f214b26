//! Problems answered by long-lived solver processes: push, declare, assert, check, pop.
//!
//! Why push and pop on a process that stays: starting z3 takes 44 ms and resetting it 2 ms, where a small
//! linear query takes 0.1 ms. All declarations are made inside the push, so that the pop forgets them and the
//! next problem may use their names with other sorts.
//!
//! A process is kept per *profile* (logic, options, cores wanted or not), the four used last. These can only
//! be set at the start of a process; a change of logic would cost a start each time (z3 44 ms), while naming
//! the logic saves z3 15 % to 80 % of a query (`Kind::logic_to_name` has the figures). With cores z3 takes
//! about 1.4 times as long, so they have processes of their own.
//!
//! With [`PipeSolver::keeping_stack`] the constraints stay on the stack until the next problem, which pops
//! only to the common prefix (`kept_stack.rs`): for problems along a path.
//!
//! A failure on a process that has answered problems before, limits excepted, is retried once on a fresh
//! process. So the reported error is about the problem and not about the process's past.

use std::time::{Duration, Instant};

use crate::answer;
use crate::command::Command;
use crate::error::SolverError;
use crate::kept_stack::KeptStack;
use crate::limits::Limits;
use crate::problem::{Outcome, Problem, Solver, Verdict};
use crate::process::{Mode, Process};

/// How long a solver may take to start; the time limit is for answers.
const START_LIMIT: Duration = Duration::from_secs(20);
/// The most processes kept at once.
const SEATS: usize = 4;
/// A process is replaced after this many checks: names and caches of popped problems add up. For z3 the start
/// then costs about 2 µs per check.
const CHECKS_PER_PROCESS: u64 = 20_000;
/// How often the size of the process is looked at.
const CHECKS_PER_LOOK: u64 = 256;
/// A process is replaced when it has grown past this, or past half of its memory limit.
const RESIDENT_LIMIT_MB: u64 = 1024;
/// The start of the names given to constraints when a core is wanted.
const CORE_NAME: &str = "evergreen!constraint!";
/// Options that would change the shape of answers or the scope of declarations.
const IGNORED_OPTIONS: [&str; 4] =
    [":print-success", ":global-declarations", ":regular-output-channel", ":diagnostic-output-channel"];

/// Settings that are possible only when a process starts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Profile {
    logic: Option<String>,
    options: Vec<String>,
    cores: bool,
}

/// A running process and its past.
#[derive(Debug)]
struct Seat {
    profile: Profile,
    process: Process,
    checks: u64,
    /// The constraints kept on the assertion stack, if any.
    stack: Option<KeptStack>,
}

/// A solver program behind pipes; processes are started when first needed.
#[derive(Debug)]
pub struct PipeSolver {
    command: Command,
    limits: Limits,
    /// The one used last is at the end.
    seats: Vec<Seat>,
    /// A process that is reset before each problem.
    apart: Option<Seat>,
    starts: u64,
    keeps_stack: bool,
}

impl PipeSolver {
    /// A solver that starts `command` when it is first asked. The time limit holds for each check.
    pub fn new(command: Command, limits: Limits) -> PipeSolver {
        PipeSolver { command, limits, seats: Vec::new(), apart: None, starts: 0, keeps_stack: false }
    }

    /// Leaves the constraints of each problem on the solver's stack, for a next one
    /// that begins in the same way.
    pub fn keeping_stack(mut self) -> PipeSolver {
        self.keeps_stack = true;
        self
    }

    /// The ids of the processes that are running now.
    pub fn pids(&self) -> Vec<u32> {
        self.seats.iter().chain(&self.apart).map(|seat| seat.process.pid()).collect()
    }

    /// The seat for a profile: the running one, else a fresh one.
    fn take_seat(&mut self, profile: &Profile) -> Result<Seat, SolverError> {
        if let Some(index) = self.seats.iter().position(|seat| seat.profile == *profile) {
            let seat = self.seats.remove(index);
            if !seat.is_worn(&self.limits) {
                return Ok(seat);
            }
        }
        let mut seat = self.start(profile)?;
        seat.stack = self.keeps_stack.then(KeptStack::default);
        Ok(seat)
    }

    /// Starts a process and counts it: a program that is not found is none.
    fn start(&mut self, profile: &Profile) -> Result<Seat, SolverError> {
        let seat = Seat::start(&self.command, &self.limits, profile);
        self.starts += u64::from(!matches!(seat, Err(SolverError::NotFound { .. })));
        seat
    }

    fn keep_seat(&mut self, seat: Seat) {
        if self.seats.len() >= SEATS {
            self.seats.remove(0);
        }
        self.seats.push(seat);
    }
}

impl Solver for PipeSolver {
    fn describe(&self) -> String {
        self.command.to_string()
    }

    fn check(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        let constraints = plain_terms(problem)?;
        let profile = Profile::of(problem, &self.command);
        loop {
            let mut seat = match self.take_seat(&profile) {
                Ok(seat) => seat,
                Err(SolverError::TimedOut { .. }) => return Ok(gave_up("timeout", START_LIMIT)),
                Err(SolverError::OutOfMemory { .. }) => {
                    return Ok(gave_up("memout", Duration::ZERO));
                }
                Err(error) => return Err(error),
            };
            let started = Instant::now();
            let answer = seat.check(problem, &constraints, self.limits.time());
            let elapsed = started.elapsed();
            match answer {
                Ok(Answer { verdict, values, core, reusable }) => {
                    if reusable {
                        self.keep_seat(seat);
                    }
                    return Ok(Outcome { verdict, values, core, elapsed });
                }
                Err(SolverError::TimedOut { .. }) => return Ok(gave_up("timeout", elapsed)),
                Err(SolverError::OutOfMemory { .. }) => return Ok(gave_up("memout", elapsed)),
                Err(SolverError::Refused { message }) if message.contains("out of memory") => {
                    return Ok(gave_up("memout", elapsed));
                }
                Err(_) if seat.checks > 1 => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn check_apart(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        let constraints = plain_terms(problem)?;
        let profile = Profile::of(problem, &self.command);
        let kept = self.apart.take().filter(|seat| seat.profile == profile && !seat.is_worn(&self.limits));
        let mut seat = match kept.and_then(|seat| seat.reset().ok()) {
            Some(seat) => seat,
            None => self.start(&profile)?,
        };
        let started = Instant::now();
        let answer = seat.check(problem, &constraints, self.limits.time());
        let elapsed = started.elapsed();
        match answer {
            Ok(Answer { verdict, values, core, reusable }) => {
                self.apart = reusable.then_some(seat);
                Ok(Outcome { verdict, values, core, elapsed })
            }
            Err(SolverError::TimedOut { .. }) => Ok(gave_up("timeout", elapsed)),
            Err(SolverError::OutOfMemory { .. }) => Ok(gave_up("memout", elapsed)),
            Err(error) => Err(error),
        }
    }

    fn command(&self) -> Option<&Command> {
        Some(&self.command)
    }

    fn starts(&self) -> u64 {
        self.starts
    }
}

fn gave_up(reason: &str, elapsed: Duration) -> Outcome {
    Outcome { verdict: Verdict::Unknown(reason.into()), values: None, core: None, elapsed }
}

impl Profile {
    fn of(problem: &Problem, command: &Command) -> Profile {
        let is_kept = |option: &&String| {
            let keyword = option.split_whitespace().next().unwrap_or("");
            !IGNORED_OPTIONS.contains(&keyword)
        };
        Profile {
            logic: command.kind.logic_to_name(problem.logic.as_deref()).map(str::to_string),
            options: problem.options.iter().filter(is_kept).cloned().collect(),
            cores: problem.want_core,
        }
    }

    /// The commands that set a fresh process up.
    fn setup(&self) -> String {
        let mut text = String::new();
        for option in &self.options {
            text.push_str(&format!("(set-option {option})\n"));
        }
        text.push_str("(set-option :produce-models true)\n");
        if self.cores {
            text.push_str("(set-option :produce-unsat-cores true)\n");
        }
        text
    }
}

/// The outcome of one check, and whether the process can be reused.
struct Answer {
    verdict: Verdict,
    values: Option<Vec<String>>,
    core: Option<Vec<usize>>,
    reusable: bool,
}

impl Seat {
    fn start(command: &Command, limits: &Limits, profile: &Profile) -> Result<Seat, SolverError> {
        let mut process = Process::start(command, Mode::Interactive, limits)?;
        // The reply is not an answer: solvers say "unsupported" or give an error for
        // options of other solvers.
        process.ask(&profile.setup(), Some(START_LIMIT))?;
        if let Some(logic) = &profile.logic {
            process.tell(&format!("(set-logic {logic})\n"))?;
        }
        Ok(Seat { profile: profile.clone(), process, checks: 0, stack: None })
    }

    /// The process as it was when it started, as far as its answers go.
    fn reset(mut self) -> Result<Seat, SolverError> {
        self.process.tell("(reset)\n")?;
        self.process.ask(&self.profile.setup(), Some(START_LIMIT))?;
        if let Some(logic) = &self.profile.logic {
            self.process.tell(&format!("(set-logic {logic})\n"))?;
        }
        Ok(self)
    }

    /// Whether the process should be replaced before its next problem.
    fn is_worn(&self, limits: &Limits) -> bool {
        let limit_mb = limits.memory_mb.map_or(RESIDENT_LIMIT_MB, |mb| RESIDENT_LIMIT_MB.min(mb / 2));
        let due = self.checks > 0 && self.checks.is_multiple_of(CHECKS_PER_LOOK);
        self.checks >= CHECKS_PER_PROCESS || due && resident_mb(self.process.pid()) > limit_mb
    }

    /// The commands of one problem, up to the check.
    fn question(&mut self, problem: &Problem, constraints: &[&str]) -> String {
        let write = |text: &mut String, index: usize, term: &str| {
            if problem.want_core {
                text.push_str(&format!("(assert (! {term} :named {CORE_NAME}{index}))\n"));
            } else {
                text.push_str("(assert ");
                text.push_str(term);
                text.push_str(")\n");
            }
        };
        let mut text = match &mut self.stack {
            // Declarations are made with constraints.
            Some(stack) if constraints.is_empty() => stack.sync(&problem.declarations, &["true"], write),
            Some(stack) => stack.sync(&problem.declarations, constraints, write),
            None => {
                let length: usize = constraints.iter().map(|constraint| constraint.len() + 48).sum();
                let mut text = String::with_capacity(problem.declarations.len() + length + 64);
                text.push_str("(push 1)\n");
                text.push_str(&problem.declarations);
                text.push('\n');
                constraints.iter().enumerate().for_each(|(index, term)| write(&mut text, index, term));
                text
            }
        };
        text.push_str("(check-sat)");
        text
    }

    /// Answers one problem, whose constraints have been read by [`plain_terms`].
    fn check(
        &mut self,
        problem: &Problem,
        constraints: &[&str],
        limit: Option<Duration>,
    ) -> Result<Answer, SolverError> {
        self.checks += 1;
        let text = self.question(problem, constraints);
        let deadline = limit.map(|limit| Instant::now() + limit);
        // A short time remains for the questions after the verdict: they are quick or not worth the wait.
        let left =
            || deadline.map(|d| d.saturating_duration_since(Instant::now()).max(Duration::from_millis(100)));
        let reply = match self.process.ask(&text, limit) {
            Err(error) => return last_words(error),
            Ok(reply) => reply,
        };
        let mut answer =
            Answer { verdict: answer::parse_verdict(&reply)?, values: None, core: None, reusable: true };
        match &mut answer.verdict {
            Verdict::Sat if !problem.values.is_empty() => {
                let question = format!("(get-value ({}))", problem.values.join(" "));
                let reply = self.process.ask(&question, left());
                answer.values =
                    reply.as_deref().ok().and_then(|reply| read_values(reply, problem.values.len()));
                answer.reusable = reply.is_ok();
            }
            Verdict::Sat => answer.values = Some(Vec::new()),
            Verdict::Unsat if problem.want_core => {
                let reply = self.process.ask("(get-unsat-core)", left());
                answer.core =
                    reply.as_deref().ok().and_then(|reply| read_core(reply, problem.constraints.len()));
                answer.reusable = reply.is_ok();
            }
            Verdict::Unsat => {}
            Verdict::Unknown(reason) => {
                let reply = self.process.ask("(get-info :reason-unknown)", left());
                if reason.is_empty() {
                    *reason = reply.as_deref().ok().and_then(answer::parse_reason).unwrap_or_default();
                }
                answer.reusable = reply.is_ok();
            }
        }
        if answer.reusable && self.stack.is_none() {
            // The solver pops while we continue; an error message would precede the next verdict and void it.
            answer.reusable = self.process.tell("(pop 1)\n").is_ok() && self.process.flush().is_ok();
        }
        Ok(answer)
    }
}

/// The outcome for a process that ended instead of answering: z3's own hard limit (`-T:`) prints `timeout`
/// and exits, and the others exit after an error message.
fn last_words(error: SolverError) -> Result<Answer, SolverError> {
    let SolverError::Died(death) = &error else {
        return Err(error);
    };
    match answer::parse_verdict(&death.output) {
        Ok(verdict @ Verdict::Unknown(_)) => {
            Ok(Answer { verdict, values: None, core: None, reusable: false })
        }
        Err(SolverError::Refused { message }) => Err(SolverError::Refused { message }),
        _ => Err(error),
    }
}

/// The constraints of a problem. Each constraint and value must be one term: text that closes the assertion
/// and goes on would ask something else.
fn plain_terms(problem: &Problem) -> Result<Vec<&str>, SolverError> {
    let one_term = |text: &'_ str| -> Result<std::ops::Range<usize>, SolverError> {
        match answer::expressions(text).as_deref() {
            Some([term]) => {
                let start = term.as_ptr() as usize - text.as_ptr() as usize;
                Ok(start..start + term.len())
            }
            _ => Err(SolverError::Incomplete { text: crate::error::excerpt(text) }),
        }
    };
    if answer::expressions(&problem.declarations).is_none() {
        return Err(SolverError::Incomplete { text: crate::error::excerpt(&problem.declarations) });
    }
    for value in &problem.values {
        one_term(value)?;
    }
    problem.constraints.iter().map(|constraint| Ok(&constraint[one_term(constraint)?])).collect()
}

/// The values of a reply, if it has as many as were asked for.
fn read_values(reply: &str, count: usize) -> Option<Vec<String>> {
    let values = answer::parse_values(reply).ok()?;
    (values.len() == count).then(|| values.into_iter().map(|(_, value)| value.to_string()).collect())
}

/// The constraints of a core. An empty core would claim that the empty conjunction is
/// unsatisfiable: it is rejected.
fn read_core(reply: &str, count: usize) -> Option<Vec<usize>> {
    let index =
        |name: &str| name.strip_prefix(CORE_NAME)?.parse().ok().filter(|&index: &usize| index < count);
    let mut core = answer::parse_names(reply).ok()?.into_iter().map(index).collect::<Option<Vec<usize>>>()?;
    core.sort_unstable();
    core.dedup();
    (!core.is_empty()).then_some(core)
}

/// The memory that a process holds; 0 when that cannot be known.
fn resident_mb(pid: u32) -> u64 {
    let read = || -> Option<u64> {
        let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
        Some(pages * 4096 / (1024 * 1024))
    };
    read().unwrap_or(0)
}
