//! Two versions of an entry, path against path: is there an input on which they differ?
//!
//! Tests of both versions show differences that some path of one version makes. They miss those where both
//! versions take the paths that they took before and only the results differ on other inputs (`x + 1` and
//! `x * 2` agree on 1). Therefore the new version is explored *under the condition of each path of the old
//! one*: both share an arena of expressions, so the same parameter is the same input. That finds exactly the
//! pairs of paths that share inputs, about as many as there are paths when little changed. For each pair the
//! two results are compared: the same expression is the same result, and of others the oracle is asked for an
//! input where they differ [after the differential summaries of Person FSE'08]. If every pair is the same and
//! nothing was cut, no input makes a difference.
//!
//! What is compared, a language says ([`Compares`]): it keeps what it needs of an end, and says of two ends
//! whether they are the same, differ, or depend on values. Only values of integers are compared by the
//! oracle; what a language leaves unknown is compared by the test of the pair.

use crate::exploration::{EntryOf, InputsOf};
use crate::frontend::{FoundOf, Frontend, OutcomeOf, Sorted, StateOf, Subject, Whole};
use crate::{Cases, Completion, Detail, Exploration, Leftovers, PathEnd, ProgramError, Run};
use evergreen_deciding::{BranchOracle, shrink};
use evergreen_explore::{Bound, End, Explorer, Feasibility, Found, Machine, Options, Oracle, Path, Summary};
use evergreen_symbolic::{Assignment, Cond, Expr, Rel};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Of the pairs that differ, so many get small inputs.
const SHRUNK: u64 = 8;
/// The most questions that are asked to make the input of one pair small.
const SHRINK_QUESTIONS: usize = 200;

/// Ends of two versions, side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ends {
    /// They are the same for all inputs.
    Same,
    /// They differ for all inputs.
    Differ,
    /// They are the same where these values are, each of the old version with one of the new version.
    Values(Vec<(Expr, Expr)>),
    /// Only a test compares them, and why.
    Unknown(String),
}

/// A front end whose programs are compared over versions.
pub trait Compares: Frontend {
    /// The end of a path, as far as versions are compared.
    type KeptEnd: Clone;

    /// What is kept of an outcome that the program itself made; `None` of others.
    fn kept_end(&mut self, outcome: &OutcomeOf<Self>) -> Option<Self::KeptEnd>;

    /// Compares two ends.
    fn ends(old: &Self::KeptEnd, new: &Self::KeptEnd) -> Ends;
}

/// A path that was found, kept for comparing.
pub struct Kept<F: Compares> {
    path: Path<Cond>,
    model: Assignment,
    end: F::KeptEnd,
}

impl<F: Compares> Clone for Kept<F> {
    fn clone(&self) -> Kept<F> {
        Kept { path: self.path.clone(), model: self.model.clone(), end: self.end.clone() }
    }
}

/// Whether the versions agree on all inputs that take a pair of paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// On all of them.
    Same,
    /// Not on the input of the pair.
    Differs,
    /// Undecided, and why.
    Unknown(String),
}

/// A path of the old version and one of the new version that share inputs.
pub struct Pair<F: Frontend> {
    /// Whether they agree.
    pub agreement: Agreement,
    /// The path of the new version, with an input that takes both: where they differ, one that shows it.
    pub end: PathEnd<F::Language>,
}

/// What became of pairs so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairCounts {
    /// Pairs of paths that share inputs.
    pub pairs: u64,
    /// Of these, pairs that agree on all their inputs.
    pub same: u64,
    /// Pairs that do not.
    pub differ: u64,
    /// Undecided pairs.
    pub unknown: u64,
    /// Paths of the old version under which the new one was not explored completely.
    pub cut: u64,
}

impl PairCounts {
    /// Whether every input of the old version's paths makes no difference.
    pub fn all_same(&self) -> bool {
        self.same == self.pairs && self.cut == 0
    }
}

/// The end of an old path, and the exploration of the new version under its condition.
type Under<F> = (<F as Compares>::KeptEnd, Explorer<<F as Frontend>::Machine, BranchOracle>);

/// Compares the kept paths of an old version with those of a new one.
pub struct Pairs<'e, F: Compares> {
    exploration: &'e mut Exploration<F>,
    entry: EntryOf<F>,
    inputs: InputsOf<F>,
    options: Options,
    start: StateOf<F>,
    old: std::vec::IntoIter<Kept<F>>,
    now: Option<Under<F>>,
    until: Option<Instant>,
    counts: PairCounts,
}

impl<'e, F: Compares> Pairs<'e, F> {
    /// Begins to compare: `exploration` is the new version, on the expressions of the old one, whose paths
    /// are given. The parameters of `entry` have the names that they have in the old version.
    ///
    /// # Errors
    /// The entry cannot be explored.
    pub fn begin(
        exploration: &'e mut Exploration<F>,
        entry: &EntryOf<F>,
        inputs: &InputsOf<F>,
        options: Options,
        old: Vec<Kept<F>>,
    ) -> Result<Pairs<'e, F>, ProgramError> {
        let (start, ..) = exploration.begin(entry, inputs)?;
        let until = options.bounds.time.map(|time| Instant::now() + time);
        Ok(Pairs {
            exploration,
            entry: entry.clone(),
            inputs: inputs.clone(),
            options,
            start,
            old: old.into_iter(),
            now: None,
            until,
            counts: PairCounts::default(),
        })
    }

    /// The next pair of interest: one that differs, or is undecided. Those that agree are only counted.
    pub fn next_pair(&mut self) -> Option<Pair<F>> {
        loop {
            if self.now.is_none() {
                let Kept { path, model, end } = self.old.next()?;
                let mut options = self.options.clone();
                options.bounds.time = match self.until.map(|until| until.duration_since(Instant::now())) {
                    Some(Duration::ZERO) => {
                        self.counts.cut += 1;
                        continue;
                    }
                    left => left,
                };
                self.now = Some((end, Explorer::under(self.start.clone(), path, model, options)));
            }
            let Some((_, explorer)) = &mut self.now else { return None };
            let (front, oracle) = self.exploration.parts();
            let Some(found) = explorer.next(front.machine(), oracle) else {
                self.counts.cut += u64::from(is_cut(&explorer.summary()));
                self.now = None;
                continue;
            };
            if oracle.trouble().error.is_some() {
                self.counts.cut += 1;
                return None;
            }
            let is_none = |outcome| matches!(front.sort(outcome), Sorted::Assumed | Sorted::Refused);
            if matches!(&found.end, End::Outcome(outcome) if is_none(outcome)) {
                continue;
            }
            if let Some(pair) = self.compared(found) {
                return Some(pair);
            }
        }
    }

    /// Compares the ends of a pair, and counts it; `None` if they agree.
    fn compared(&mut self, mut found: FoundOf<F>) -> Option<Pair<F>> {
        let (kept, explorer) = self.now.as_ref()?;
        let (front, oracle) = self.exploration.parts();
        let new = match &found.end {
            End::Outcome(outcome) => front.kept_end(outcome),
            _ => None,
        };
        self.counts.pairs += 1;
        let mut agreement = match new {
            None => Agreement::Unknown("a path of the new version has no end".into()),
            Some(_) if explorer.summary().choices > 0 => {
                Agreement::Unknown("references of objects are compared by tests only".into())
            }
            Some(new) => agree(F::ends(kept, &new), oracle, &mut found),
        };
        let mut input = None;
        if agreement != Agreement::Same && front.is_partial(&found.state) {
            match front.complete(oracle, &found) {
                Completion::Valid { state, path, model } => {
                    (found.path, found.model) = (path, model);
                    input = Some(state);
                }
                // No valid object shows what was to be shown.
                Completion::Invalid => agreement = Agreement::Same,
                Completion::Disagreement(_) | Completion::Unknown => {}
            }
        }
        match agreement {
            Agreement::Same => {
                self.counts.same += 1;
                return None;
            }
            Agreement::Differs => self.counts.differ += 1,
            Agreement::Unknown(_) => self.counts.unknown += 1,
        }
        if agreement == Agreement::Differs && self.counts.differ <= SHRUNK {
            found.model = small::<F>(oracle, &found);
        }
        Some(Pair { agreement, end: self.described(found, input.as_deref()) })
    }

    /// Describes the end of a path of a pair.
    fn described(&mut self, found: FoundOf<F>, input: Option<&StateOf<F>>) -> PathEnd<F::Language> {
        let front = &mut self.exploration.front;
        let target = Arc::new(front.target(&self.entry));
        let subject = Subject {
            entry: &self.entry,
            inputs: &self.inputs,
            target: &target,
            leftovers: &Leftovers::default(),
            cases: Cases::Now,
        };
        let path = found.path.clone();
        let whole = Whole { input, path: &path, calls: false };
        *front.describe(&subject, found, &whole, 0, Detail::Brief).path
    }

    /// What became of pairs so far.
    pub fn counts(&self) -> PairCounts {
        self.counts
    }
}

/// A small input for a pair. Where solvers have to work on bits every question may take long, and the input
/// stays as it is.
fn small<F: Frontend>(oracle: &mut BranchOracle, found: &FoundOf<F>) -> Assignment {
    let exprs = oracle.exprs();
    if found.path.constraints().iter().any(|&cond| exprs.borrow().is_hard(cond)) {
        return found.model.clone();
    }
    shrink(oracle, &exprs, &found.path, &found.model, SHRINK_QUESTIONS)
}

/// Whether a part below a path of the old version was not explored.
fn is_cut(summary: &Summary) -> bool {
    summary.undecided + summary.stuck > 0 || summary.cut.iter().any(|(_, count): (Bound, u64)| count > 0)
}

/// Whether two ends agree on all inputs of a path. If not, the path and its model become those of an input
/// that shows it.
fn agree<M: Machine<Constraint = Cond>>(
    ends: Ends,
    oracle: &mut BranchOracle,
    found: &mut Found<M, Assignment>,
) -> Agreement {
    let values = match ends {
        Ends::Same => return Agreement::Same,
        Ends::Differ => return Agreement::Differs,
        Ends::Unknown(why) => return Agreement::Unknown(why),
        Ends::Values(values) => values,
    };
    let mut agreement = Agreement::Same;
    for (old, new) in values.into_iter().filter(|(old, new)| old != new) {
        match differ(old, new, oracle, &found.path, &found.model) {
            Differ::Nowhere => {}
            Differ::On(condition, model) => {
                found.model = model;
                found.path = found.path.with(condition);
                return Agreement::Differs;
            }
            Differ::Unknown(why) => agreement = Agreement::Unknown(why.into()),
        }
    }
    agreement
}

/// Whether two values differ on some input of a path.
enum Differ {
    /// On none.
    Nowhere,
    /// Where this condition holds: on this input, say.
    On(Cond, Assignment),
    /// Undecided, and why.
    Unknown(&'static str),
}

fn differ(a: Expr, b: Expr, oracle: &mut BranchOracle, path: &Path<Cond>, model: &Assignment) -> Differ {
    let exprs = oracle.exprs();
    if exprs.borrow().kind(a) != exprs.borrow().kind(b) || !exprs.borrow().kind(a).is_int() {
        // NaN equals NaN as a result, and 0.0 differs from -0.0: no comparison of floats expresses that.
        return Differ::Unknown("floats that are computed otherwise are compared by tests only");
    }
    let differ = exprs.borrow_mut().relate(Rel::Ne, a, b);
    let said = match differ {
        Cond::FALSE => Feasibility::Infeasible,
        differ if oracle.holds(differ, model) => Feasibility::Feasible(model.clone()),
        differ => oracle.ask(path, model, differ),
    };
    match said {
        Feasibility::Infeasible => Differ::Nowhere,
        Feasibility::Feasible(model) => Differ::On(differ, model),
        Feasibility::Unknown => Differ::Unknown("no solver could decide"),
    }
}

/// The ends of paths of a run, kept for [`Pairs::begin`].
pub struct KeptEnds<F: Compares>(Rc<RefCell<Vec<Kept<F>>>>);

impl<F: Compares> Default for KeptEnds<F> {
    fn default() -> KeptEnds<F> {
        KeptEnds(Rc::default())
    }
}

impl<F: Compares> KeptEnds<F> {
    /// Has a run keep its ends here.
    pub fn of<'e>(&self, run: Run<'e, F>) -> Run<'e, F> {
        let ends = self.0.clone();
        run.watching(move |front, found| {
            if let End::Outcome(outcome) = &found.end
                && let Some(end) = front.kept_end(outcome)
            {
                ends.borrow_mut().push(Kept { path: found.path.clone(), model: found.model.clone(), end });
            }
        })
    }

    /// The ends that were kept; `None` if they cannot be compared, because objects were chosen as inputs.
    pub fn take(&self, run: &Run<'_, F>) -> Option<Vec<Kept<F>>> {
        (run.summary().choices == 0).then(|| self.0.take())
    }
}
