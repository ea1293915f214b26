//! What runs programs of a language: the seam between languages and exploration.

use crate::seeds::TestGuide;
use crate::{Cases, Detail, Entry, EntryKey, Language, Leftovers, PathEnd, ProgramError};
use evergreen_deciding::BranchOracle;
use evergreen_deciding::probability::Shown;
use evergreen_explore::{Arm, Found, Machine, Path, Site};
use evergreen_suite::{Decision, Format};
use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, Input, InputKind};
use std::sync::Arc;

/// The state of a front end's machine.
pub type StateOf<F> = <<F as Frontend>::Machine as Machine>::State;
/// The outcome of a path.
pub type OutcomeOf<F> = <<F as Frontend>::Machine as Machine>::Outcome;
/// The end of a path, as the explorer has it.
pub type FoundOf<F> = Found<<F as Frontend>::Machine, Assignment>;
type EntryOf<F> = <<F as Frontend>::Language as Language>::Entry;
type InputsOf<F> = <<F as Frontend>::Language as Language>::Inputs;
type CaseOf<F> = <<F as Frontend>::Language as Format>::Case;
type TargetOf<F> = <<F as Frontend>::Language as Format>::Target;
type CountsOf<F> = <<F as Frontend>::Language as Language>::Counts;

/// Where the exploration of an entry begins.
pub struct Begun<S> {
    /// The state of the machine.
    pub start: S,
    /// What is assumed of the inputs.
    pub conditions: Vec<Cond>,
    /// The assumptions of the user, in their own words, for messages.
    pub assumptions: String,
    /// What to add to the message if no input satisfies them: a bound on inputs that may be why.
    pub within: String,
}

/// An outcome, sorted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sorted {
    /// The program ended: it returned or ended its process.
    Ended,
    /// The program failed: what was thrown, and where; failures of one kind at one place are one finding.
    Failed(Arc<str>, String),
    /// An assumption of the driver does not hold: this is no path.
    Assumed,
    /// The program refuses to make such an input, as by a constructor that throws: this is no path.
    Refused,
    /// No valid input leads here: this is no path.
    Invalid,
    /// The machine cannot follow: why.
    Unsupported(String),
    /// A bound of the machine cut the path: its name.
    Cut(&'static str),
}

impl Sorted {
    /// Whether the program itself ended the path.
    pub fn is_path(&self) -> bool {
        matches!(self, Sorted::Ended | Sorted::Failed(..))
    }
}

/// What is being explored.
pub struct Subject<'s, L: Language> {
    /// The entry.
    pub entry: &'s L::Entry,
    /// The user's settings of its inputs.
    pub inputs: &'s L::Inputs,
    /// What its tests call.
    pub target: &'s Arc<L::Target>,
    /// The memory of paths that are no longer needed.
    pub leftovers: &'s Leftovers<L>,
    /// When tests are made.
    pub cases: Cases,
}

/// The input of a path, made whole.
pub struct Whole<'w, S> {
    /// The state that has the input, if it is another than that of the end.
    pub input: Option<&'w S>,
    /// The conditions of path and input.
    pub path: &'w Path<Cond>,
    /// Whether public calls are looked for that make the objects of its test.
    pub calls: bool,
}

/// A name of a site: unit, function, signature, instruction.
pub type SiteName = (Arc<str>, Arc<str>, Arc<str>, Option<u32>);

/// Names the decision at a site by the arm that was taken; `None` where the site is not the program's own.
pub type NameDecision<M> = Box<dyn FnMut(&M, Site, u32) -> Option<Decision>>;

/// The end of a path, described.
pub struct Described<L: Language> {
    /// The path.
    pub path: Box<PathEnd<L>>,
    /// Whether its test is called with objects.
    pub is_graph: bool,
    /// Whether public calls make these.
    pub is_built: bool,
}

/// What completing the input of a path came to.
pub enum Completion<S> {
    /// A valid input that takes the path: the state that has it, the conditions of both, a model.
    Valid {
        /// The state.
        state: Box<S>,
        /// The conditions.
        path: Path<Cond>,
        /// The model.
        model: Assignment,
    },
    /// No valid input takes the path.
    Invalid,
    /// Two descriptions of valid inputs disagree on this one.
    Disagreement(String),
    /// It could not be decided.
    Unknown,
}

/// Runs programs of a language.
///
/// A front end provides what only the language knows; threads, remote work, seeds, ranges, probabilities,
/// suites and reports are the same for all languages. The required methods are few: a machine, how an entry
/// begins, how an outcome is sorted and described. The others have defaults for languages whose inputs are
/// plain values.
pub trait Frontend: Sized + 'static {
    /// Its values.
    type Language: Language;
    /// Its machine.
    type Machine: Machine<Constraint = Cond, Outcome: Clone>;
    /// An old test as a source of values, in a form that is quick to look things up in.
    type Seed;

    /// The machine.
    fn machine(&mut self) -> &mut Self::Machine;

    /// The same machine, shared.
    fn as_machine(&self) -> &Self::Machine;

    /// Where the paths of an entry begin.
    ///
    /// # Errors
    /// There is no such entry, or its inputs cannot be made.
    fn begin(
        &mut self,
        entry: &EntryOf<Self>,
        inputs: &InputsOf<Self>,
    ) -> Result<Begun<StateOf<Self>>, ProgramError>;

    /// The entry of this name, if the program has it.
    fn find(&self, key: &EntryKey) -> Option<EntryOf<Self>>;

    /// What the tests of an entry call.
    fn target(&self, entry: &EntryOf<Self>) -> TargetOf<Self>;

    /// What an outcome is.
    fn sort(&self, outcome: &OutcomeOf<Self>) -> Sorted;

    /// Whether the program itself ended a path.
    fn is_path(&self, outcome: &OutcomeOf<Self>) -> bool {
        self.sort(outcome).is_path()
    }

    /// Describes the end of a path.
    fn describe(
        &mut self,
        subject: &Subject<'_, Self::Language>,
        found: FoundOf<Self>,
        whole: &Whole<'_, StateOf<Self>>,
        number: u64,
        detail: Detail,
    ) -> Described<Self::Language>;

    /// A name of a site that is the same in every process: unit, function, signature, instruction. Unless
    /// this is given, machines number their sites alike.
    fn site_name(&self, site: Site) -> Option<SiteName> {
        Some(("".into(), "".into(), "".into(), Some(site.0)))
    }

    /// Names decisions at places that outlive edits elsewhere; none where a site is not the program's own.
    fn decisions(&self) -> NameDecision<Self::Machine>;

    /// What a path has fixed where its machine could not go on with symbols, and why.
    fn fixed_because(&self, _state: &StateOf<Self>) -> Vec<String> {
        Vec::new()
    }

    // Random walks.

    /// The arms in the own code of an entry, as numbers; none if its tests cannot be told apart by arms.
    fn arms(&self, _entry: &EntryOf<Self>) -> Vec<u64> {
        Vec::new()
    }

    /// Those of them that a path takes.
    fn arms_of_path(&self, _entry: &EntryOf<Self>, _path: &PathEnd<Self::Language>) -> Vec<u64> {
        Vec::new()
    }

    /// Those that a random walk takes; none if it makes no test.
    fn arms_of_walk(&self, _entry: &EntryOf<Self>, _found: &FoundOf<Self>) -> Vec<u64> {
        Vec::new()
    }

    /// Inputs are made beyond the bounds until [`Frontend::narrow`]: for random walks.
    fn widen(&mut self) {}

    /// Inputs are made within the bounds again.
    fn narrow(&mut self) {}

    // What machines count.

    /// Begins to count anew.
    fn reset_counts(&mut self) {}

    /// Copies the machine's counters.
    fn count(&self, _into: &mut CountsOf<Self>) {}

    /// Counts the bounds that the inputs of a path have met.
    fn count_path(&self, _state: &StateOf<Self>, _into: &mut CountsOf<Self>) {}

    /// Notes the bounds that the machine itself has met.
    fn count_bounds(&self, _into: &mut CountsOf<Self>) {}

    /// Puts counters back that a replay must not change.
    fn restore_counts(&mut self, _from: &CountsOf<Self>) {}

    // Inputs that are made step by step.

    /// Whether the input of a path is partial: it has objects of which the path has read only some fields.
    fn is_partial(&self, _state: &StateOf<Self>) -> bool {
        false
    }

    /// Completes a partial input.
    fn complete(&mut self, _oracle: &mut BranchOracle, _found: &FoundOf<Self>) -> Completion<StateOf<Self>> {
        Completion::Unknown
    }

    /// Completes a partial input as an old test has it.
    ///
    /// # Errors
    /// The test has no such input, and why.
    fn follow(
        &mut self,
        _oracle: &mut BranchOracle,
        _found: &FoundOf<Self>,
        _guide: &mut TestGuide<Self>,
        _seed: usize,
    ) -> Result<(Box<StateOf<Self>>, Assignment), String> {
        Err("its inputs are not completed".into())
    }

    // Probabilities.

    /// Whether probabilities can be counted; if not, why.
    ///
    /// # Errors
    /// The inputs have no distribution.
    fn can_measure(&mut self) -> Result<(), ProgramError> {
        Ok(())
    }

    /// What an outcome shows to an observer.
    fn shown(&self, entry: &EntryOf<Self>, outcome: &OutcomeOf<Self>) -> Option<Shown>;

    /// The inputs that a path drew, by name.
    fn drawn(&self, _outcome: &OutcomeOf<Self>) -> Vec<(Arc<str>, Option<Input>)> {
        Vec::new()
    }

    /// An input of an entry, by its name.
    fn input(
        &self,
        exprs: &mut Exprs,
        _entry: &EntryOf<Self>,
        _inputs: &InputsOf<Self>,
        name: &str,
    ) -> Option<Expr> {
        exprs.named(name).first().map(|&input| exprs.expr_of(input))
    }

    // Old tests as seeds.

    /// Why a test does not fit an entry; `None` if it fits.
    fn misfit(&self, _entry: &EntryOf<Self>, _case: &CaseOf<Self>) -> Option<String> {
        None
    }

    /// A test as a source of values.
    fn seed(&self, entry: &EntryOf<Self>, case: &CaseOf<Self>) -> Self::Seed;

    /// The value that a test has for an input; `None` if the test has none.
    ///
    /// # Errors
    /// The test has something there that is no such value.
    fn seed_value(
        machine: &mut Self::Machine,
        seed: &Self::Seed,
        name: &str,
        kind: InputKind,
    ) -> Result<Option<Const>, String>;

    /// The way that a test takes at a free choice.
    ///
    /// # Errors
    /// It takes none.
    fn seed_choice(
        _machine: &mut Self::Machine,
        _state: &StateOf<Self>,
        _arms: &[Arm<Cond>],
        _seed: &Self::Seed,
    ) -> Result<usize, String> {
        Err("the language has no free choices".into())
    }

    /// Whether a test left something open since the last call.
    fn left_open(_seed: &Self::Seed) -> bool {
        false
    }

    /// The name of an input as a test knows it.
    fn input_name(_machine: &Self::Machine, _state: &StateOf<Self>, asked: &str) -> String {
        asked.to_string()
    }

    /// The names of all inputs that a path which has ended may have.
    fn input_names(_machine: &Self::Machine, entry: &EntryOf<Self>, _state: &StateOf<Self>) -> Vec<String> {
        entry.parameter_names().into_iter().map(String::from).collect()
    }

    /// Checks that the input of a path under a model is that of a test, where values alone do not show it.
    ///
    /// # Errors
    /// Where they differ.
    fn arrives(
        &self,
        _subject: &Subject<'_, Self::Language>,
        _case: &CaseOf<Self>,
        _found: &FoundOf<Self>,
        _model: &Assignment,
    ) -> Result<(), String> {
        Ok(())
    }

    /// Checks how the objects of a kept test are made: by the calls of the old test where these still make
    /// them, else by others where `by_calls` says so.
    fn rebuild(&mut self, _old: &CaseOf<Self>, _case: &mut CaseOf<Self>, _by_calls: bool) {}

    /// Keeps an old test on a path: the path's test gets what the old one has, where inputs are more than
    /// values. `read` is the state in which the path ended, `input` the one that has its whole input.
    ///
    /// # Errors
    /// They differ, or the path has no test.
    fn keep(
        &self,
        _case: &CaseOf<Self>,
        _read: &StateOf<Self>,
        _input: &StateOf<Self>,
        _path: &mut PathEnd<Self::Language>,
    ) -> Result<(), String> {
        Ok(())
    }
}
