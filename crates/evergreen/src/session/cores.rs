//! Finds out which assertions an unsat needs, so that it answers later scripts that have others besides.
//!
//! Names and cores change how a solver goes about its work, and so its answers. So it is another process of
//! the same solver that reads the stack with every assertion named ([`crate::live::Telling::Named`]), in sync
//! as lazily as the client's own. There are two times to ask it:
//!
//! - **First** ([`Finder::decide`]), in place of the client's own solver: for what is quantified and has
//!   many assertions or is a goal in a frame of its own, as verification conditions are. z3 takes 1.15 to
//!   1.4 times as long with names on Dafny's conditions, and its unsat is all that the client wants to
//!   know; a second process that starts, reads and solves once more took 3 times as long as z3 alone.
//!   Its `sat` is an answer as well: the names and constants that it has more than the client's own process
//!   say nothing about the rest. A client that then asks for the model has it from its own process. After
//!   anything else the client's own solver decides. It gets twice the time of the slowest answer so far, and
//!   a session in which it keeps finding no core asks it ever more rarely.
//! - **Afterwards** ([`Session::find_last_core`]), when the client has its answer, for everything else with
//!   many assertions: without quantifiers a solver simplifies much that it cannot when it has to give cores.
//!   It gets little more time than the first took. What it costs at most is therefore about twice the time of
//!   each unsat that is not reused, and the memory of a second process. Of a file the client awaits the end
//!   (CBMC, solc, Why3), and so the search: there it gets a quarter of that time. Without that CBMC's checks
//!   of several seconds took 2.5 times as long as with z3 alone, and most of their assertions are needed
//!   anyway. A file without quantifiers is not searched at all where that quarter is less than a process
//!   takes to start and to read it: 20 of a thousand scripts of cvc5's regressions took 2 to 4 times as long.

use super::check::{bare, pieces};
use super::{Remark, Session, SessionOptions};
use crate::live::{Live, Telling, assertion_name, conjunct};
use crate::stack::Stack;
use evergreen_reuse::{Core, Cores};
use evergreen_smtlib::print_symbol;
use evergreen_solver::{Kind, SolverError, answer};
use evergreen_term::{TermId, Terms, Traits};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// What the second process may take beyond twice the time of the first.
const SLACK: Duration = Duration::from_millis(250);
/// The most that it may take, however long the first took: the client may be waiting with its next command.
const MOST: Duration = Duration::from_secs(30);
/// Where the client waits for the end of a file, that part of what the first took is the most.
const AWAITED: u32 = 4;
/// What it may take beyond that to read what the first has read already.
const TELLING_SLACK: Duration = Duration::from_secs(2);
/// What it may take at least where it is asked first, before anything is known of the time that checks take.
const FIRST: Duration = Duration::from_secs(1);
/// The same for a file. One script of z3's regressions takes 24 ms, and 650 ms with cores.
const FIRST_OF_FILE: Duration = Duration::from_millis(100);
/// The most unsat answers in a row for which no core is looked for, however often that failed.
const MOST_PASSED: u32 = 64;

/// Scripts with fewer assertions are not searched unless that is asked for: they are solved in less time than
/// a process takes to start, and most of their constraints are needed.
const FEW: usize = 16;
/// In a client's frame, where the process stays for the next goal, that many suffice.
const FEW_IN_FRAME: usize = 3;

/// An unsat whose core is not known yet.
struct Pending {
    took: Duration,
    /// The core that the client's solver gave, in constraints split at their surface.
    known: Option<Core>,
}

/// A second process of the client's solver.
pub(super) struct Finder {
    live: Live,
    pending: Option<Pending>,
    /// Failures since the last core.
    failures: u32,
    /// Unsat answers to be passed by before the next try.
    passing: u32,
    /// The slowest answer so far, of either process.
    slowest: Duration,
    /// It was asked first about the last check, and had too little time to say anything.
    was_hurried: bool,
    /// The client awaits the end of a file.
    pub(super) is_awaited: bool,
}

impl Finder {
    pub(super) fn new(options: &SessionOptions) -> Finder {
        let live = Live::new(options.solver.clone(), options.limits.clone(), Telling::Named);
        Finder {
            live,
            pending: None,
            failures: 0,
            passing: 0,
            slowest: Duration::ZERO,
            was_hurried: false,
            is_awaited: false,
        }
    }

    pub(super) fn starts(&self) -> u64 {
        self.live.starts
    }

    pub(super) fn stop(&mut self) {
        self.live.stop();
    }

    /// The process, if it is running.
    pub(super) fn process(&mut self) -> Option<&mut Live> {
        Some(&mut self.live).filter(|live| live.is_running())
    }

    pub(super) fn reset(&mut self) {
        self.live.reset();
    }

    /// The time limit for a step that may take this long by itself.
    fn set_patience(&mut self, patience: Duration) {
        let own = self.live.limits().time_ms.map(Duration::from_millis);
        let patience = patience.min(MOST);
        self.live.patience = Some(own.map_or(patience, |own| own.min(patience)));
    }

    /// Whether it is worth another try.
    fn is_due(&mut self) -> bool {
        let due = self.passing == 0;
        self.passing = self.passing.saturating_sub(1);
        due
    }

    fn failed(&mut self) {
        self.failures += 1;
        self.passing = (1 << self.failures.min(30)).min(MOST_PASSED);
    }

    /// Asks about the last check before the client's own solver is asked. `None` if that is to decide.
    pub(super) fn decide(&mut self, terms: &mut Terms, checked: &Checked<'_>) -> Option<Decided> {
        if !self.is_due() {
            return None;
        }
        let first = if self.is_awaited { FIRST_OF_FILE } else { FIRST };
        let patience = (2 * self.slowest).clamp(first, MOST);
        self.set_patience(patience + TELLING_SLACK);
        let found = self.tell(terms, checked).and_then(|named| {
            let Some(named) = named else { return Ok(None) };
            self.set_patience(patience);
            match self.check()?.trim() {
                "sat" => Ok(Some(Decided::Sat)),
                "unsat" => Ok(self.core(terms, &named)?.map(Decided::Unsat)),
                _ => Ok(None),
            }
        });
        match &found {
            Ok(Some(Decided::Unsat(_))) => self.failures = 0,
            // Few files ask for the model, which would be found a second time.
            Ok(Some(Decided::Sat)) if self.is_awaited => {}
            Err(SolverError::TimedOut { .. }) => {
                self.was_hurried = true;
                self.failed();
            }
            _ => self.failed(),
        }
        found.ok().flatten()
    }

    /// Brings the process to the state of a check: its assertions by their names, or `None` if it refused
    /// one.
    fn tell(&mut self, terms: &Terms, checked: &Checked<'_>) -> Result<Option<Named>, SolverError> {
        let complaints = self.live.sync(checked.stack)?;
        if !complaints.errors.trim().is_empty() {
            self.live.stop();
            return Ok(None);
        }
        let mut named = Named::default();
        for frame in &checked.stack.frames {
            for a in &frame.assertions {
                let name = match a.label {
                    Some(label) => terms.text(label).to_string(),
                    None => assertion_name(frame.id, a.command),
                };
                named.insert(name, a.term);
            }
        }
        let mut assumed = String::new();
        for (i, (term, source)) in checked.assumptions.iter().enumerate() {
            let name = format!("evergreen!assumed!{i}");
            assumed.push_str(&format!("(assert (! {source} :named {}))\n", print_symbol(&name)));
            named.insert(name, *term);
        }
        if !assumed.is_empty() {
            self.live.pin(&assumed)?;
        }
        Ok(Some(named))
    }

    /// Checks what the process was told.
    fn check(&mut self) -> Result<String, SolverError> {
        let check = self.live.named_check();
        self.live.ask(&check)
    }

    /// Asks for the core of what was found unsatisfiable.
    fn core(&mut self, terms: &mut Terms, named: &Named) -> Result<Option<Core>, SolverError> {
        let reply = self.live.ask("(get-unsat-core)")?;
        let Ok(names) = answer::parse_names(&reply) else { return Ok(None) };
        let member = |name: &str| match named.get(name) {
            Some(&term) => Some(term),
            None => {
                // The name of an assertion has two marks; what follows the third leads to a conjunct.
                let path = name.match_indices('!').nth(2)?.0;
                conjunct(terms, *named.get(&name[..path])?, &name[path..])
            }
        };
        let members: Option<Vec<TermId>> = names.into_iter().map(|name| member(bare(name))).collect();
        // An empty core would say that nothing at all cannot hold: it is none.
        Ok(members.and_then(|m| Core::new(pieces(terms, &m))))
    }
}

/// What the second process has found out in place of the client's own.
pub(super) enum Decided {
    Sat,
    Unsat(Core),
}

/// Assertions by the names that the second process knows them by.
type Named = FxHashMap<String, TermId>;

/// What a check is about.
pub(super) struct Checked<'a> {
    pub(super) stack: &'a Stack,
    pub(super) assumptions: &'a [(TermId, String)],
}

impl Session {
    /// Whether a core of the last check can be found and recorded.
    fn can_find_core(&self) -> bool {
        self.engine.finds_cores()
            && !self.stack.is_recursive()
            && !self.is_verbatim()
            && !self.stack.is_opaque()
            // A tactic decides what it pleases, and may not make cores; z3's engine for Horn clauses makes
            // none.
            && !self.check_text.contains("check-sat-using")
            && !self.stack.logics.iter().any(|logic| logic == "HORN")
    }

    fn has_many_assertions(&self) -> bool {
        let assertions = self.stack.assertions().count() + self.assumptions.len();
        assertions >= FEW || self.engine.options().cores == Cores::Always
    }

    /// Whether some assertion is quantified.
    fn is_quantified(&self) -> bool {
        self.stack.assertions().any(|a| self.terms.traits(a.term).has(Traits::QUANTIFIED))
    }

    /// Whether this is a file whose part of the time is too short for another process.
    fn is_quick_file(&self, took: Duration) -> bool {
        let is_asked_for = self.engine.options().cores == Cores::Always;
        self.is_file && !is_asked_for && took / AWAITED < SLACK && !self.is_quantified()
    }

    /// Whether the second process is asked about the last check before the client's own solver. That is
    /// measured for z3 and what is quantified.
    pub(super) fn asks_for_core_first(&self) -> bool {
        // What is asked first takes the place of the client's own process, and a goal in a frame of its own
        // is one of several: a program with few axioms has conditions of ten assertions.
        let is_goal = || self.stack.frames.len() > 1 && self.stack.assertions().count() >= FEW_IN_FRAME;
        self.options.solver.kind == Kind::Z3
            && self.can_find_core()
            && (self.has_many_assertions() || is_goal())
            && self.is_quantified()
    }

    /// Notes that the last check was found unsatisfiable by the client's solver, in that time, so that its
    /// core is wanted; or that the second process found both.
    pub(super) fn expect_core(&mut self, unsat: Option<Duration>, core: Option<&Core>, by: By) {
        let was_hurried = std::mem::take(&mut self.finder.was_hurried);
        self.finder.slowest = self.finder.slowest.max(unsat.unwrap_or_default());
        let Some(took) = unsat.filter(|_| self.can_find_core()) else { return };
        if was_hurried && self.is_file && self.engine.options().cores != Cores::Always {
            // It had its time, and the client awaits the end.
            return;
        }
        // The client's own core has all assertions without a name in it.
        let all_named = || self.stack.assertions().all(|a| a.label.is_some());
        let is_client_s = || self.produce_cores && self.assumptions.is_empty() && all_named();
        let known = core.filter(|_| by == By::Finder || is_client_s());
        if known.is_none() && (!self.has_many_assertions() || self.is_quick_file(took)) {
            return;
        }
        if was_hurried {
            // The client's own solver took long, too.
            self.finder.passing = 0;
        }
        self.finder.pending = Some(Pending { took, known: known.cloned() });
    }

    /// Does what can be done after the client has its answer: finds the core of the last unsat. A caller
    /// may call this when the answer is written; else the next command does.
    pub fn find_last_core(&mut self) {
        let Some(pending) = self.finder.pending.take() else { return };
        let core = match pending.known {
            Some(core) => Some(core),
            None if !self.finder.is_due() => None,
            None => {
                let starts = self.finder.starts();
                let found = self.find_core(pending.took);
                self.note_finder_start(starts);
                match found {
                    Ok(Some(_)) => self.finder.failures = 0,
                    Ok(None) => self.finder.failed(),
                    Err(_) => self.finder.failed(),
                }
                found.ok().flatten()
            }
        };
        let Some(core) = core else { return };
        let constraints = self.constraints();
        let by = self.solver_name.clone();
        self.engine.learn_core(&mut self.terms, &constraints, &core, pending.took, &by);
    }

    /// Says that the second process was started, if it was since then.
    pub(super) fn note_finder_start(&mut self, starts: u64) {
        if self.finder.starts() > starts {
            self.remark(Remark::Started(format!("{} (for cores)", self.live.command())));
        }
    }

    /// Asks the second process for the core of the last check. `None` when it does not come to the same
    /// verdict.
    fn find_core(&mut self, took: Duration) -> Result<Option<Core>, SolverError> {
        let checked = Checked { stack: &self.stack, assumptions: &self.assumptions };
        let is_wanted = self.engine.options().cores == Cores::Always;
        let most = if self.is_file && !is_wanted { took / AWAITED } else { took * 2 };
        self.finder.set_patience(most + TELLING_SLACK);
        let Some(named) = self.finder.tell(&self.terms, &checked)? else { return Ok(None) };
        self.finder.set_patience(most + SLACK);
        if self.finder.check()?.trim() != "unsat" {
            return Ok(None);
        }
        self.finder.core(&mut self.terms, &named)
    }
}

/// Who found a check unsatisfiable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// The client's own solver.
    Client,
    /// The process that was asked first, with a core.
    Finder,
}
