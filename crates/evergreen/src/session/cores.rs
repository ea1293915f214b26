//! Finds out which assertions an unsat needs, so that it answers later scripts that have others besides.
//!
//! The client's own solver is not asked: names and cores would change how it works, and so its answers.
//! Another process of the same solver reads the same stack with every assertion named, in sync as lazily as
//! the first ([`crate::live::Telling::Named`]), after the client has its answer: [`Session::find_last_core`].
//! It gets little more time than the first took, and a session in which it keeps failing asks it ever more
//! rarely. What it costs at most is therefore about twice the time of each unsat that is not reused, and the
//! memory of a second process; on Dafny's verification conditions it takes about as long as the first.

use super::check::{bare, pieces};
use super::{Remark, Session, SessionOptions};
use crate::live::{Live, Telling, assertion_name, conjunct};
use evergreen_reuse::{Core, Cores};
use evergreen_smtlib::print_symbol;
use evergreen_solver::{SolverError, answer};
use evergreen_term::TermId;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// What the second process may take beyond twice the time of the first.
const SLACK: Duration = Duration::from_millis(250);
/// The most that it may take, however long the first took: the client may be waiting with its next command.
const MOST: Duration = Duration::from_secs(30);
/// What it may take beyond that to read what the first has read already.
const TELLING_SLACK: Duration = Duration::from_secs(2);
/// The most unsat answers in a row for which no core is looked for, however often that failed.
const MOST_PASSED: u32 = 64;

/// Scripts with fewer assertions are not searched unless that is asked for: they are solved in less time than
/// a process takes to start, and most of their constraints are needed.
const FEW: usize = 16;

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
}

impl Finder {
    pub(super) fn new(options: &SessionOptions) -> Finder {
        let live = Live::new(options.solver.clone(), options.limits.clone(), Telling::Named);
        Finder { live, pending: None, failures: 0, passing: 0 }
    }

    pub(super) fn starts(&self) -> u64 {
        self.live.starts
    }

    pub(super) fn stop(&mut self) {
        self.live.stop();
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
}

impl Session {
    /// Notes that the last check was found unsatisfiable by the client's solver, in that time, so that its
    /// core is wanted.
    pub(super) fn expect_core(&mut self, unsat: Option<Duration>, core: Option<&Core>) {
        let wanted = self.engine.finds_cores()
            && !self.stack.is_recursive()
            && !self.is_verbatim()
            && !self.stack.is_opaque();
        let Some(took) = unsat.filter(|_| wanted) else { return };
        // A tactic decides what it pleases, and may not make cores.
        if self.check_text.contains("check-sat-using") {
            return;
        }
        // The client's own core has all assertions without a name in it.
        let all_named = self.stack.assertions().all(|a| a.label.is_some());
        let known = core.filter(|_| self.produce_cores && all_named && self.assumptions.is_empty());
        let assertions = self.stack.assertions().count() + self.assumptions.len();
        if known.is_none() && assertions < FEW && self.engine.options().cores != Cores::Always {
            return;
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
                if self.finder.starts() > starts {
                    self.remark(Remark::Started(format!("{} (for cores)", self.live.command())));
                }
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

    /// Asks the second process for the core of the last check. `None` when it does not come to the same
    /// verdict.
    fn find_core(&mut self, took: Duration) -> Result<Option<Core>, SolverError> {
        let finder = &mut self.finder;
        finder.set_patience(took * 2 + TELLING_SLACK);
        let complaints = finder.live.sync(&self.stack)?;
        if !complaints.errors.trim().is_empty() {
            finder.live.stop();
            return Ok(None);
        }
        let mut named: FxHashMap<String, TermId> = FxHashMap::default();
        for frame in &self.stack.frames {
            for a in &frame.assertions {
                let name = match a.label {
                    Some(label) => self.terms.text(label).to_string(),
                    None => assertion_name(frame.id, a.command),
                };
                named.insert(name, a.term);
            }
        }
        let mut assumed = String::new();
        for (i, (term, source)) in self.assumptions.iter().enumerate() {
            let name = format!("evergreen!assumed!{i}");
            assumed.push_str(&format!("(assert (! {source} :named {}))\n", print_symbol(&name)));
            named.insert(name, *term);
        }
        finder.set_patience(took * 2 + SLACK);
        if !assumed.is_empty() {
            finder.live.pin(&assumed)?;
        }
        if finder.live.ask("(check-sat)")?.trim() != "unsat" {
            return Ok(None);
        }
        let reply = finder.live.ask("(get-unsat-core)")?;
        let Ok(names) = answer::parse_names(&reply) else { return Ok(None) };
        let terms = &self.terms;
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
        Ok(members.and_then(|m| Core::new(pieces(&mut self.terms, &m))))
    }
}
