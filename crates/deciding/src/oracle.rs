//! The oracle of an exploration: every question about an arm goes through the reuse layer.
//!
//! Conditions have two exact writings, integers and bit vectors. Linear integers are answered natively or by
//! implication; conditions that integers express badly (general bit operations, products, floats) are *hard*.
//! An arm is asked about in integers unless a hard condition is in its slice: then the slice is asked about
//! in bit vectors as a whole. Each writing has an [`Evergreen`] of its own, made when it is first needed.
//!
//! Where nothing has an answer, values are tried (`settle.rs`). If none fits either, the explorer may have
//! the inputs of the branch fixed ([`Oracle::fix`]). Conditions that depend on fixed inputs alone are
//! evaluated from then on, and the path is not hard because of them.
//!
//! The answer's values are laid over the model of the path, and every condition that they touch is evaluated
//! under the result. A model that does not hold is a bug of ours; the oracle reports it as such and never
//! uses the model.

use crate::excluded::Excluded;
use crate::probability::Masses;
use crate::ranges::Ranges;
use crate::search::search;
use crate::sets::{Sets, Thoroughness};
use crate::settle::{enumerated, moved, slice_of};
use crate::side::{Said, Side};
use crate::tries;
use evergreen::{Answer, Answered, AnsweredBy, Error, Event, Evergreen, Stats, Verdict};
use evergreen_explore::{Answerer, Feasibility, Hint, ModelOf, Oracle, Path, Summary};
use evergreen_symbolic::{Assignment, Cast, Cond, Const, Exprs, Input, Ints, Rel, Theory};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// Makes an [`Evergreen`] for one of the writings; both should share a store.
pub type Maker = Box<dyn FnMut() -> Result<Evergreen, Error>>;

/// Answers whether arms are feasible, reusing everything that was ever solved.
pub struct BranchOracle {
    exprs: Rc<RefCell<Exprs>>,
    make: Maker,
    ints: Option<Side>,
    bits: Option<Side>,
    /// Computes how likely paths are, if the caller wants probabilities.
    masses: Option<Masses>,
    track: Track,
    /// The values that a path leaves its octets, unless they are left out.
    sets: Option<Sets>,
    /// Intervals of inputs, where sets are used.
    ranges: Ranges,
    trouble: Trouble,
    /// Arms that are already known to be infeasible.
    pub excluded: Excluded,
    /// Numbers of the name of each input, as far as random walks have met it.
    pub(crate) digests: Vec<(u64, u64)>,
    /// All questions, by source of the answer: those of an exploration about arms, and the others.
    answered: Answered,
    /// Models that depend on the source of the answer.
    unsettled: u64,
    /// Models that were settled by values that are often right.
    tried: u64,
    /// Whether the model of the path that is asked about is an old test.
    beside_tests: bool,
    /// Whether values are tried where there is no answer.
    tries: bool,
    /// Whether random values are tried there, too, whatever the arm is about.
    draws: bool,
    /// Whether a solver has given up on a huge condition.
    gave_up: bool,
    /// Kept for its memory.
    all: Vec<Cond>,
}

/// What went wrong while arms were decided. Each of these arms is also reported as unknown.
#[derive(Clone, Debug, Default)]
pub struct Trouble {
    /// Models that did not hold when they were evaluated: bugs, each with the conditions that it should have
    /// satisfied.
    pub wrong_models: Vec<String>,
    /// Why arms could not be decided, each reason once.
    pub unknown: Vec<String>,
    /// The error that ended a question, if one did: for example, a store that must have the answer lacks it.
    pub error: Option<String>,
}

impl Trouble {
    /// Adds the trouble of another oracle.
    pub fn add(&mut self, other: &Trouble) {
        other.wrong_models.iter().for_each(|text| keep(&mut self.wrong_models, text.clone()));
        other.unknown.iter().for_each(|text| keep(&mut self.unknown, text.clone()));
        if self.error.is_none() {
            self.error.clone_from(&other.error);
        }
    }
}

/// At most so many of a kind are kept.
const MOST_TROUBLES: usize = 20;

/// Conditions of more nodes, as trees, are tried with random values before a solver is asked.
const HUGE: u32 = 100_000;

/// Why an answer is none: its values of longs have more than 64 bits.
const MISFIT: &str = "satisfiable, but no values are known that fit the inputs";

fn keep(list: &mut Vec<String>, text: String) {
    if list.len() < MOST_TROUBLES && !list.contains(&text) {
        list.push(text);
    }
}

impl BranchOracle {
    /// An oracle for conditions of an arena; `make` makes an [`Evergreen`] whenever a writing is first
    /// needed.
    pub fn new(exprs: Rc<RefCell<Exprs>>, make: Maker) -> BranchOracle {
        BranchOracle {
            exprs,
            make,
            ints: None,
            bits: None,
            masses: None,
            track: Track::default(),
            sets: Some(Sets::default()),
            ranges: Ranges::default(),
            trouble: Trouble::default(),
            excluded: Excluded::default(),
            digests: Vec::new(),
            answered: Answered::default(),
            unsettled: 0,
            tried: 0,
            beside_tests: false,
            tries: false,
            draws: false,
            gave_up: false,
            all: Vec::new(),
        }
    }

    /// The same oracle without sets of values: every question goes to the reuse layer. For comparisons.
    #[must_use]
    pub fn without_sets(mut self) -> BranchOracle {
        self.sets = None;
        self
    }

    /// Has random values tried for arms that nothing decides, or not, from now on.
    pub fn draw(&mut self, draws: bool) {
        (self.draws, self.gave_up) = (draws, false);
    }

    /// The arena of the conditions.
    pub fn exprs(&self) -> Rc<RefCell<Exprs>> {
        self.exprs.clone()
    }

    /// The counters of both writings together. Questions are those of the oracle: one that is asked in both
    /// writings is one, and so is one that needs neither.
    pub fn stats(&self) -> Stats {
        let mut sum = Stats::default();
        for side in self.sides() {
            sum.add_all(side.evergreen().stats());
        }
        sum.settling.tried += self.tried;
        (sum.queries, sum.answered) = (self.answered.total(), self.answered);
        sum
    }

    /// Solver processes started so far.
    pub fn solver_starts(&self) -> u64 {
        self.sides().map(|side| side.evergreen().solver_starts()).sum()
    }

    /// The events of the questions so far, in each writing, if an [`Evergreen`] that keeps them was made.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.ints.iter_mut().chain(&mut self.bits).flat_map(Side::take_events).collect()
    }

    /// What went wrong so far.
    pub fn trouble(&self) -> &Trouble {
        &self.trouble
    }

    /// Has probabilities counted from now on.
    pub fn measure(&mut self) -> Result<&mut Masses, Error> {
        match &mut self.masses {
            Some(masses) => Ok(masses),
            none => Ok(none.insert(Masses::new((self.make)()?))),
        }
    }

    /// The counter of probabilities, if there is one.
    pub fn masses(&self) -> Option<&Masses> {
        self.masses.as_ref()
    }

    /// The same, to count with.
    pub fn masses_mut(&mut self) -> Option<&mut Masses> {
        self.masses.as_mut()
    }

    /// Models so far that may differ in another run: no values were found that depend on the path alone.
    pub fn unsettled(&self) -> u64 {
        self.unsettled
    }

    /// Makes everything recorded so far durable.
    pub fn flush(&self) -> Result<(), Error> {
        self.masses.iter().try_for_each(Masses::flush)?;
        self.sides().try_for_each(|side| side.evergreen().flush())
    }

    fn sides(&self) -> impl Iterator<Item = &Side> {
        self.ints.iter().chain(&self.bits)
    }

    fn side(&mut self, theory: Theory) -> Result<&mut Side, Error> {
        let side = match theory {
            Theory::Ints => &mut self.ints,
            Theory::Bits => &mut self.bits,
        };
        match side {
            Some(side) => Ok(side),
            None => Ok(side.insert(Side::new((self.make)()?, theory))),
        }
    }

    /// Asks in one writing.
    fn ask_in(
        &mut self,
        theory: Theory,
        exprs: &Exprs,
        path: &Path<Cond>,
        parent: &Assignment,
        arm: Cond,
    ) -> Result<Decided, String> {
        let of = if self.beside_tests { ModelOf::Seed } else { ModelOf::Path };
        let said = self.side(theory).and_then(|side| side.ask(exprs, path, arm, (parent, of)));
        let answer = match said.map_err(|e| self.fail(&e))? {
            Said::Known => return Ok((Feasibility::Feasible(parent.clone()), AnsweredBy::Path)),
            Said::Nothing => return Err(format!("no solver can be asked about \"{}\"", exprs.show(arm))),
            Said::Answer(answer) => answer,
        };
        let feasibility = match &answer.verdict {
            Verdict::Unsat => Feasibility::Infeasible,
            Verdict::Unknown(why) => return Err(why.clone()),
            Verdict::Sat => return self.extend_within(theory, exprs, (parent, arm), answer),
        };
        Ok((feasibility, answer.by))
    }

    /// The same as [`BranchOracle::extend`]. Values that do not fit into a long are asked for again, now with
    /// its range, which no condition has.
    fn extend_within(
        &mut self,
        theory: Theory,
        exprs: &Exprs,
        (parent, arm): (&Assignment, Cond),
        mut answer: Answer,
    ) -> Result<Decided, String> {
        loop {
            let extended = self.extend(theory, exprs, parent, arm, &answer);
            let is_misfit = extended.as_ref().is_err_and(|why| why == MISFIT);
            let again = match is_misfit {
                true => self.side(theory).and_then(|side| side.ask_within(exprs, &answer)),
                false => Ok(None),
            };
            match again.map_err(|e| self.fail(&e))? {
                None => return Ok((extended?, answer.by)),
                Some(within) => match within.verdict {
                    Verdict::Unsat => return Ok((Feasibility::Infeasible, within.by)),
                    Verdict::Unknown(why) => return Err(why),
                    Verdict::Sat => answer = within,
                },
            }
        }
    }

    /// The model of a path, extended by the values of an answer, if it holds.
    fn extend(
        &mut self,
        theory: Theory,
        exprs: &Exprs,
        parent: &Assignment,
        arm: Cond,
        answer: &Answer,
    ) -> Result<Feasibility<Assignment>, String> {
        if let Some(settled) = self.settled(theory, exprs, parent, arm) {
            return Ok(Feasibility::Feasible(settled));
        }
        let mut model = parent.clone();
        let side = self.side(theory).map_err(|e| e.to_string())?;
        if !side.read(exprs, answer, &mut model) {
            return Err(MISFIT.into());
        }
        self.unsettled += 1;
        match self.track.violated(exprs, parent, &model, arm) {
            None => Ok(Feasibility::Feasible(model)),
            // The solver did not know of it.
            Some(condition) if !exprs.is_expressible(condition) => {
                Err(format!("no solver can be asked about \"{}\"", exprs.show(condition)))
            }
            Some(condition) => {
                let path: Vec<String> = self.track.conditions().map(|c| exprs.show(c)).collect();
                let (arm, broken) = (exprs.show(arm), exprs.show(condition));
                let broken_model =
                    format!("\"{broken}\" does not hold; path: {}; arm: {arm}", path.join(" && "));
                keep(&mut self.trouble.wrong_models, broken_model);
                Err("a model did not hold when it was evaluated (please report this)".into())
            }
        }
    }

    /// The model of a path, changed so that it takes an arm in a way that depends on nothing but path and
    /// arm.
    fn settled(
        &mut self,
        theory: Theory,
        exprs: &Exprs,
        parent: &Assignment,
        arm: Cond,
    ) -> Option<Assignment> {
        if theory == Theory::Bits {
            self.all.clear();
            self.all.extend(self.track.conditions());
            if let Some(moved) = moved(exprs, &self.all, parent, arm) {
                self.tried += 1;
                return Some(moved);
            }
        }
        let mut model = parent.clone();
        let found = self.side(theory).ok()?.settle(exprs, &mut model);
        (found && self.track.violated(exprs, parent, &model, arm).is_none()).then_some(model)
    }

    fn fail(&mut self, error: &Error) -> String {
        let text = error.to_string();
        self.trouble.error.get_or_insert_with(|| text.clone());
        text
    }
}

impl Oracle<Cond> for BranchOracle {
    type Model = Assignment;

    fn rank(&mut self, path: &Path<Cond>) -> u64 {
        let shared = self.exprs.clone();
        self.masses.as_mut().map_or(0, |masses| masses.rank(&shared.borrow(), path))
    }

    fn start(&mut self) -> Assignment {
        Assignment::new()
    }

    fn holds(&mut self, constraint: Cond, model: &Assignment) -> bool {
        let exprs = self.exprs.borrow();
        let known = self.sets.as_ref().and_then(|sets| sets.holds(&exprs, constraint, model));
        known.unwrap_or_else(|| exprs.holds(constraint, model))
    }

    fn answer(
        &mut self,
        path: &Path<Cond>,
        (model, of): (&Assignment, ModelOf),
        arm: Cond,
    ) -> (Feasibility<Assignment>, Answerer) {
        self.beside_tests = of == ModelOf::Seed;
        self.tries = true;
        let (said, by) = self.counted(path, model, arm);
        (self.beside_tests, self.tries) = (false, false);
        (said, answerer(by))
    }

    fn ask(&mut self, path: &Path<Cond>, parent: &Assignment, arm: Cond) -> Feasibility<Assignment> {
        self.counted(path, parent, arm).0
    }

    fn others(
        &mut self,
        path: &Path<Cond>,
        constraint: Cond,
        model: &Assignment,
        most: usize,
    ) -> Vec<Assignment> {
        self.other_models(path, constraint, model, most)
    }

    fn width(&mut self, constraint: Cond) -> usize {
        self.exprs.borrow().inputs_of(constraint).len()
    }

    fn moved(
        &mut self,
        path: &Path<Cond>,
        constraint: Cond,
        model: &Assignment,
        input: usize,
        by: f64,
    ) -> Option<Assignment> {
        self.moved_model(path, constraint, model, (input, by))
    }

    fn hinted(
        &mut self,
        path: &Path<Cond>,
        constraint: Cond,
        model: &Assignment,
        hint: &Hint,
    ) -> Vec<Assignment> {
        self.hinted_models(path, constraint, model, hint)
    }

    fn drawn(
        &mut self,
        path: &Path<Cond>,
        constraint: Cond,
        model: &Assignment,
        number: u32,
    ) -> Option<Assignment> {
        self.drawn_model(path, constraint, model, number)
    }

    fn scatter(&mut self, model: &mut Assignment, path: &Path<Cond>, from: usize, number: u32) -> usize {
        self.scattered(model, path, from, number)
    }

    fn fix(&mut self, constraints: &[Cond], model: &Assignment) -> Option<Vec<Cond>> {
        let shared = self.exprs.clone();
        let mut exprs = shared.borrow_mut();
        let mut inputs: Vec<Input> = constraints.iter().flat_map(|c| exprs.inputs_of(*c)).copied().collect();
        inputs.sort_by_key(|input| input.index());
        inputs.dedup();
        exprs.sort_by_name(&mut inputs);
        let mut all = Vec::with_capacity(inputs.len());
        for input in inputs {
            let fixed = fixed(&mut exprs, input, model)?;
            if fixed != Cond::TRUE {
                self.track.fixing.insert(fixed, input);
                all.push(fixed);
            }
        }
        (!all.is_empty()).then_some(all)
    }
}

/// The condition that an input has the value that a model gives it; of floats the same bits.
fn fixed(exprs: &mut Exprs, input: Input, model: &Assignment) -> Option<Cond> {
    let (value, expr) = (model.get(exprs, input), exprs.expr_of(input));
    let (expr, value) = match value {
        Const::F32(bits) => (exprs.cast(Cast::FloatToBits, expr), Const::I32(bits as i32)),
        Const::F64(bits) => (exprs.cast(Cast::DoubleToBits, expr), Const::I64(bits as i64)),
        whole => (expr, whole),
    };
    let value = exprs.constant(value);
    let fixed = exprs.relate(Rel::Eq, expr, value);
    // An input that can have one value only needs no condition.
    (exprs.inputs_of(fixed) == [input] || fixed == Cond::TRUE).then_some(fixed)
}

/// Whether an arm is feasible, and the source of the answer.
type Decided = (Feasibility<Assignment>, AnsweredBy);

// Found out when this is built, not by the first exploration after a rung was added.
const _: () = assert!(AnsweredBy::ALL.len() <= Answerer::MOST);

/// The number under which an exploration counts this source of answers.
pub fn answerer(by: AnsweredBy) -> Answerer {
    Answerer::new(by.index())
}

/// The questions that an exploration asked about arms, by source of the answer: as many as [`Summary::asked`]
/// counts.
pub fn answered(summary: &Summary) -> Answered {
    let mut all = Answered::default();
    for by in AnsweredBy::ALL {
        all.add(by, summary.answers.by(answerer(by)));
    }
    all.add(AnsweredBy::Unknown, summary.undecided);
    all
}

impl BranchOracle {
    /// Answers a question and counts it, once.
    fn counted(&mut self, path: &Path<Cond>, parent: &Assignment, arm: Cond) -> Decided {
        let decided = self.decided(path, parent, arm);
        let (said, by) = decided.unwrap_or_else(|why| match self.tried(parent, arm) {
            Some(said) => (said, AnsweredBy::Tried),
            None => {
                keep(&mut self.trouble.unknown, why);
                (Feasibility::Unknown, AnsweredBy::Unknown)
            }
        });
        self.answered.count(by);
        (said, by)
    }

    /// Tries values for the arm that was asked about last, if an exploration wants that.
    fn tried(&mut self, parent: &Assignment, arm: Cond) -> Option<Feasibility<Assignment>> {
        let shared = self.exprs.clone();
        let exprs = shared.borrow();
        self.all.clear();
        self.all.extend(self.track.conditions());
        // The numbers that are published for Java count undecided arms of integers as such.
        let (slice, inputs) = slice_of(&exprs, &self.all, arm);
        let is_float = |input: &Input| !exprs.input_of(*input).kind.kind().is_int();
        let is_beyond = slice.iter().any(|cond| !exprs.is_expressible(*cond));
        let searches = is_beyond || inputs.iter().any(is_float);
        if !self.tries || self.trouble.error.is_some() {
            return None;
        }
        // Huge conditions were tried before.
        let draws = self.draws && exprs.size_of(arm) <= HUGE;
        let draw = || if draws { tries::draw(&exprs, &slice, &inputs, parent) } else { None };
        if !(exprs.has_bytes() || searches) {
            return draw().map(Feasibility::Feasible);
        }
        match enumerated(&exprs, &self.all, parent, arm) {
            Some(Some(model)) => return Some(Feasibility::Feasible(model)),
            Some(None) => return Some(Feasibility::Infeasible),
            None => {}
        }
        let found = moved(&exprs, &self.all, parent, arm);
        let searched = || if searches { search(&exprs, &slice, &inputs, parent) } else { None };
        found.or_else(searched).or_else(draw).map(Feasibility::Feasible)
    }

    fn decided(&mut self, path: &Path<Cond>, parent: &Assignment, arm: Cond) -> Result<Decided, String> {
        let shared = self.exprs.clone();
        let exprs: Ref<'_, Exprs> = shared.borrow();
        if self.excluded.has(path, arm) {
            return Ok((Feasibility::Infeasible, AnsweredBy::Elsewhere));
        }
        if !self.track.fixing.is_empty() {
            self.track.sync(&exprs, path);
            if self.track.is_fixed(&exprs, arm) {
                let holds = exprs.holds(arm, parent);
                let said =
                    if holds { Feasibility::Feasible(parent.clone()) } else { Feasibility::Infeasible };
                return Ok((said, AnsweredBy::Path));
            }
        }
        if let Some(said) = self.by_sets(&exprs, path, parent, arm, Thoroughness::Quick) {
            return Ok(said);
        }
        if self.sets.is_some()
            && let Some(said) = self.ranges.decide(&exprs, path, parent, arm)
        {
            return Ok((said, AnsweredBy::Sets));
        }
        self.track.sync(&exprs, path);
        // A solver takes all of its time for a digest, and random values take milliseconds.
        let is_huge = self.draws && self.tries && exprs.size_of(arm) > HUGE;
        if is_huge {
            self.all.clear();
            self.all.extend(self.track.conditions());
            let (slice, inputs) = slice_of(&exprs, &self.all, arm);
            if let Some(model) = tries::draw(&exprs, &slice, &inputs, parent) {
                return Ok((Feasibility::Feasible(model), AnsweredBy::Tried));
            }
            // One limit of time is enough for a digest: its other bytes are no easier.
            if self.gave_up {
                return Err("a solver gave up on a condition like it".into());
            }
        }
        let can_change = exprs.ints() == Ints::Wrapped;
        let first = if can_change && self.track.is_hard(&exprs, arm) { Theory::Bits } else { Theory::Ints };
        let mut said = self.ask_in(first, &exprs, path, parent, arm);
        // Bit vectors can express everything: what is too much for integers may be easy there.
        if said.is_err() && first == Theory::Ints && can_change && self.trouble.error.is_none() {
            said = self.ask_in(Theory::Bits, &exprs, path, parent, arm);
        }
        self.gave_up |= is_huge && said.is_err();
        match said {
            Err(why) if self.trouble.error.is_none() => {
                self.by_sets(&exprs, path, parent, arm, Thoroughness::Thorough).ok_or(why)
            }
            said => said,
        }
    }

    /// What the values that a path leaves its octets say about an arm.
    fn by_sets(
        &mut self,
        exprs: &Exprs,
        path: &Path<Cond>,
        parent: &Assignment,
        arm: Cond,
        how: Thoroughness,
    ) -> Option<Decided> {
        let sets = self.sets.as_mut().filter(|_| exprs.has_octets())?;
        sets.decide(exprs, path, parent, arm, how).map(|said| (said, AnsweredBy::Sets))
    }
}

/// A set of inputs: exact for the first 64, an upper approximation beyond.
type Inputs = u64;

struct Tracked {
    condition: Cond,
    inputs: Inputs,
    is_hard: bool,
}

/// The conditions of the path that is asked about, and which inputs they have.
#[derive(Default)]
struct Track {
    path: Vec<Path<Cond>>,
    conditions: Vec<Tracked>,
    hard: usize,
    /// Conditions that fix an input; most explorations have none.
    fixing: FxHashMap<Cond, Input>,
    /// Inputs that conditions of this path fix.
    fixed: FxHashSet<Input>,
}

fn inputs_of(exprs: &Exprs, condition: Cond) -> Inputs {
    exprs.inputs_of(condition).iter().fold(0, |all, input| all | 1 << (input.index() % 64))
}

/// Whether a condition is asked about in bits: it is hard, or has cases or masks and is about bytes or words
/// of memory, or about merged values. The native core of integers takes conjunctions only, and a solver takes
/// five times as long as the native core of bits.
fn needs_bits(exprs: &Exprs, condition: Cond) -> bool {
    let expects_cases = exprs.has_octets() || exprs.has_merged();
    exprs.is_hard(condition) || (expects_cases && exprs.is_of_bits(condition))
}

impl Track {
    fn sync(&mut self, exprs: &Exprs, path: &Path<Cond>) {
        let mut rest = Vec::new();
        let shared = path.leaving(&self.path, &mut rest);
        self.path.truncate(shared);
        for dropped in self.conditions.drain(shared..) {
            self.hard -= usize::from(dropped.is_hard);
            if let Some(input) = self.fixing.get(&dropped.condition) {
                self.fixed.remove(input);
            }
        }
        for beginning in rest {
            let Some((condition, _)) = beginning.last() else { continue };
            let fixes = self.fixing.get(&condition);
            let is_hard = fixes.is_none() && needs_bits(exprs, condition);
            self.hard += usize::from(is_hard);
            self.fixed.extend(fixes);
            self.path.push(beginning.clone());
            self.conditions.push(Tracked { condition, inputs: inputs_of(exprs, condition), is_hard });
        }
    }

    /// Whether a condition depends on inputs alone that the path has fixed.
    fn is_fixed(&self, exprs: &Exprs, condition: Cond) -> bool {
        let is_single = |input: Input| {
            let (low, high) = exprs.interval(exprs.expr_of(input));
            exprs.input_of(input).kind.kind().is_int() && low == high
        };
        !self.fixed.is_empty()
            && exprs.inputs_of(condition).iter().all(|&input| self.fixed.contains(&input) || is_single(input))
    }

    fn conditions(&self) -> impl Iterator<Item = Cond> {
        self.conditions.iter().map(|tracked| tracked.condition)
    }

    /// Whether a hard condition is in the slice of an arm.
    fn is_hard(&self, exprs: &Exprs, arm: Cond) -> bool {
        let is_hard = needs_bits(exprs, arm);
        if self.hard == 0 || is_hard {
            return is_hard;
        }
        let mut mask = inputs_of(exprs, arm);
        let mut reached: FxHashSet<Input> = exprs.inputs_of(arm).iter().copied().collect();
        // What depends on fixed inputs alone says nothing of others.
        let says = |tracked: &&Tracked| !tracked.is_hard || !self.is_fixed(exprs, tracked.condition);
        let mut left: Vec<&Tracked> = self.conditions.iter().filter(says).collect();
        loop {
            let before = left.len();
            let mut is_hard = false;
            left.retain(|tracked| {
                let inputs = exprs.inputs_of(tracked.condition);
                let touched = tracked.inputs & mask != 0 && inputs.iter().any(|i| reached.contains(i));
                if touched {
                    mask |= tracked.inputs;
                    reached.extend(inputs);
                    is_hard |= tracked.is_hard;
                }
                !touched
            });
            if is_hard || left.len() == before {
                return is_hard;
            }
        }
    }

    /// A condition that holds under the model of the path and not under the new one; the arm, if an input is
    /// out of its range.
    fn violated(&self, exprs: &Exprs, old: &Assignment, new: &Assignment, arm: Cond) -> Option<Cond> {
        let mut changed: Inputs = 0;
        for (input, _) in exprs.inputs() {
            if old.get(exprs, input) != new.get(exprs, input) {
                changed |= 1 << (input.index() % 64);
                if !exprs.in_range(&[input], new) {
                    return Some(arm);
                }
            }
        }
        let touched = self.conditions.iter().filter(|tracked| tracked.inputs & changed != 0);
        let mut all = touched.map(|tracked| tracked.condition).chain([arm]);
        all.find(|&condition| !exprs.holds(condition, new))
    }
}
