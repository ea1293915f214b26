//! Two versions of a method, path against path: is there an input on which they differ?
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
//! What is compared: which way a path ends, results of primitive types, classes of exceptions, what is
//! printed. Results that are objects, and floats that are computed otherwise, are compared only by the test
//! of the pair.

use crate::case::target;
use crate::complete::complete;
use crate::ending::describe;
use crate::frontend::JavaFrontend;
use crate::{Detail, Exploration, Inputs, MethodRef, PathEnd, ProgramError, Run};
use evergreen_deciding::{BranchOracle, shrink};
use evergreen_explore::{Bound, End, Explorer, Feasibility, Found, Options, Oracle, Path, Summary};
use evergreen_jvm::{Ending, Jvm, Outcome, Piece, State, Stream, Value};
use evergreen_service::{Cases, Completion, Leftovers, Subject};
use evergreen_symbolic::{Assignment, Cond, Expr, Rel};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Of the pairs that differ, so many get small inputs.
const SHRUNK: u64 = 8;
/// The most questions that are asked to make the input of one pair small.
const SHRINK_QUESTIONS: usize = 200;

/// How a path ended, as far as versions are compared.
#[derive(Clone, PartialEq, Debug)]
enum Ended {
    /// It returned nothing.
    Void,
    /// It returned a number.
    Number(Expr),
    /// It returned null.
    Null,
    /// It returned an object.
    Object,
    /// It threw.
    Threw(Arc<str>),
    /// It ended the JVM.
    Exited(i32),
}

/// The end of a path, kept for comparing.
#[derive(Clone, Debug)]
pub(crate) struct KeptEnd {
    ended: Ended,
    output: Vec<Piece>,
    /// Names and values of what a driver drew.
    draws: Vec<(Arc<str>, Value)>,
}

/// A path that was found, kept for comparing.
#[derive(Clone)]
pub struct Kept {
    pub(crate) path: Path<Cond>,
    pub(crate) model: Assignment,
    pub(crate) end: KeptEnd,
}

impl KeptEnd {
    /// What is kept of an outcome that the program itself made.
    pub(crate) fn of(jvm: &mut Jvm, outcome: &Outcome) -> Option<KeptEnd> {
        let ended = match &outcome.ending {
            Ending::Returned(None) => Ended::Void,
            Ending::Returned(Some(Value::Null)) => Ended::Null,
            Ending::Returned(Some(Value::Ref(_))) => Ended::Object,
            Ending::Returned(Some(value)) => Ended::Number(jvm.expr(*value)),
            Ending::Threw { class, .. } => Ended::Threw(class.clone()),
            Ending::Exited(status) => Ended::Exited(*status),
            _ => return None,
        };
        let draws = outcome.draws.iter().map(|draw| (draw.name.clone(), draw.value)).collect();
        Some(KeptEnd { ended, output: outcome.output.clone(), draws })
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
#[derive(Clone, Debug)]
pub struct Pair {
    /// Whether they agree.
    pub agreement: Agreement,
    /// The path of the new version, with an input that takes both: where they differ, one that shows it.
    pub end: PathEnd,
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

/// Compares the kept paths of an old version with those of a new one.
pub struct Pairs<'e> {
    exploration: &'e mut Exploration,
    method: MethodRef,
    inputs: Inputs,
    options: Options,
    start: State,
    old: std::vec::IntoIter<Kept>,
    now: Option<(KeptEnd, Explorer<Jvm, BranchOracle>)>,
    until: Option<Instant>,
    counts: PairCounts,
}

impl<'e> Pairs<'e> {
    /// Begins to compare: `exploration` is the new version, made by [`JavaFrontend::beside`] the old one,
    /// whose paths are given. The parameters of `method` have the names that they have in the old version.
    ///
    /// # Errors
    /// The method cannot be explored.
    pub fn begin(
        exploration: &'e mut Exploration,
        method: &MethodRef,
        inputs: &Inputs,
        options: Options,
        old: Vec<Kept>,
    ) -> Result<Pairs<'e>, ProgramError> {
        let (start, ..) = exploration.begin(method, inputs)?;
        let until = options.bounds.time.map(|time| Instant::now() + time);
        Ok(Pairs {
            exploration,
            method: method.clone(),
            inputs: inputs.clone(),
            options,
            start,
            old: old.into_iter(),
            now: None,
            until,
            counts: PairCounts::default(),
        })
    }
}

/// Describes the end of a path of a pair.
fn describe_pair(
    front: &JavaFrontend,
    method: &MethodRef,
    inputs: &Inputs,
    found: Found<Jvm, Assignment>,
    input: Option<&State>,
) -> PathEnd {
    let target = Arc::new(target(front.program(), method));
    let subject = Subject {
        entry: method,
        inputs,
        target: &target,
        leftovers: &Leftovers::default(),
        cases: Cases::Now,
    };
    describe(&front.jvm, front.program(), &subject, found, input, (0, Detail::Brief))
}

impl Pairs<'_> {
    /// The next pair of interest: one that differs, or is undecided. Those that agree are only counted.
    pub fn next_pair(&mut self) -> Option<Pair> {
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
            let Some((kept, explorer)) = &mut self.now else { return None };
            let (JavaFrontend { jvm, .. }, oracle) = self.exploration.parts();
            let Some(mut found) = explorer.next(jvm, oracle) else {
                self.counts.cut += u64::from(is_cut(&explorer.summary()));
                self.now = None;
                continue;
            };
            if oracle.trouble().error.is_some() {
                self.counts.cut += 1;
                return None;
            }
            let new = match &found.end {
                End::Outcome(outcome) if matches!(outcome.ending, Ending::Assumed) => {
                    continue;
                }
                End::Outcome(outcome) => KeptEnd::of(jvm, outcome),
                _ => None,
            };
            self.counts.pairs += 1;
            let mut agreement = match new {
                None => Agreement::Unknown("a path of the new version has no end".into()),
                Some(_) if explorer.summary().choices > 0 => {
                    Agreement::Unknown("references of objects are compared by tests only".into())
                }
                Some(new) => agree(kept, &new, oracle, &mut found),
            };
            let mut input = None;
            if agreement != Agreement::Same && !found.state.lazy().objects().is_empty() {
                match complete(jvm, oracle, &found) {
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
                    continue;
                }
                Agreement::Differs => self.counts.differ += 1,
                Agreement::Unknown(_) => self.counts.unknown += 1,
            }
            if agreement == Agreement::Differs && self.counts.differ <= SHRUNK {
                found.model = small(oracle, &found);
            }
            let front = &self.exploration.front;
            let end = describe_pair(front, &self.method, &self.inputs, found, input.as_deref());
            return Some(Pair { agreement, end });
        }
    }

    /// What became of pairs so far.
    pub fn counts(&self) -> PairCounts {
        self.counts
    }
}

/// A small input for a pair. Where solvers have to work on bits every question may take long, and the input
/// stays as it is.
fn small(oracle: &mut BranchOracle, found: &Found<Jvm, Assignment>) -> Assignment {
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
fn agree(
    old: &KeptEnd,
    new: &KeptEnd,
    oracle: &mut BranchOracle,
    found: &mut Found<Jvm, Assignment>,
) -> Agreement {
    if old.draws != new.draws {
        return Agreement::Unknown("the versions draw other inputs".into());
    }
    let is_text = |output: &[Piece]| output.iter().all(|piece| matches!(piece, Piece::Text(..)));
    if old.output != new.output {
        // Text that is printed in other pieces may be the same.
        let texts = is_text(&old.output) && is_text(&new.output);
        return match texts && texts_of(&old.output) != texts_of(&new.output) {
            true => Agreement::Differs,
            false => Agreement::Unknown("what is printed depends on the inputs".into()),
        };
    }
    match (&old.ended, &new.ended) {
        (Ended::Number(a), Ended::Number(b)) if a != b => differ(*a, *b, oracle, found),
        (Ended::Object, Ended::Object) => {
            Agreement::Unknown("results that are objects are compared by tests only".into())
        }
        (old, new) if old == new => Agreement::Same,
        _ => Agreement::Differs,
    }
}

/// Whether two results can differ on a path.
fn differ(a: Expr, b: Expr, oracle: &mut BranchOracle, found: &mut Found<Jvm, Assignment>) -> Agreement {
    let exprs = oracle.exprs();
    if exprs.borrow().kind(a) != exprs.borrow().kind(b) || !exprs.borrow().kind(a).is_int() {
        // NaN equals NaN as a result, and 0.0 differs from -0.0: no comparison of floats expresses that.
        return Agreement::Unknown("floats that are computed otherwise are compared by tests only".into());
    }
    let differ = exprs.borrow_mut().relate(Rel::Ne, a, b);
    let said = match differ {
        Cond::FALSE => Feasibility::Infeasible,
        differ if oracle.holds(differ, &found.model) => Feasibility::Feasible(found.model.clone()),
        differ => oracle.ask(&found.path, &found.model, differ),
    };
    match said {
        Feasibility::Infeasible => Agreement::Same,
        Feasibility::Feasible(model) => {
            found.model = model;
            found.path = found.path.with(differ);
            Agreement::Differs
        }
        Feasibility::Unknown => Agreement::Unknown("no solver could decide".into()),
    }
}

fn texts_of(output: &[Piece]) -> Vec<(bool, u16)> {
    let units = |piece: &Piece| match piece {
        Piece::Text(stream, units) => {
            let out = *stream == Stream::Out;
            units.iter().map(|unit| (out, *unit)).collect::<Vec<_>>()
        }
        Piece::Symbolic(..) => Vec::new(),
    };
    output.iter().flat_map(units).collect()
}

/// The ends of paths of a run, kept for [`Pairs::begin`].
#[derive(Clone, Default)]
pub struct KeptEnds(Rc<RefCell<Vec<Kept>>>);

impl KeptEnds {
    /// Has a run keep its ends here.
    pub fn of<'e>(&self, run: Run<'e>) -> Run<'e> {
        let ends = self.0.clone();
        run.watching(move |front, found| {
            if let End::Outcome(outcome) = &found.end
                && let Some(end) = KeptEnd::of(&mut front.jvm, outcome)
            {
                ends.borrow_mut().push(Kept { path: found.path.clone(), model: found.model.clone(), end });
            }
        })
    }

    /// The ends that were kept; `None` if they cannot be compared, because objects were chosen as inputs.
    pub fn take(&self, run: &Run<'_>) -> Option<Vec<Kept>> {
        (run.summary().choices == 0).then(|| self.0.take())
    }
}
