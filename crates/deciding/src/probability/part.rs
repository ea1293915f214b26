//! The probability of a part: constraints over a few inputs that are independent of all others.
//!
//! Linear parts are counted ([`Evergreen::count`], with everything that the store knows). In other parts
//! every value is tried, if there are few: of all inputs, or of those in the nonlinear constraints while the
//! rest is counted for each. Otherwise there are bounds: no more than without these constraints.

use super::mass::Mass;
use super::tree::MassCounts;
use evergreen::{Budget, Confidence, Count, Domain, Event, Evergreen, SortId, TermId};
use evergreen_count::Ratio;
use evergreen_symbolic::{Assignment, Bounds, Cond, Const, Exprs, Input, InputKind, Kind, Theory, Writer};
use num_bigint::BigUint;

/// So few values are tried sooner than counted.
const FEW: u32 = 256;
/// Steps of a count that is tried first, and where values cannot be tried.
const STEPS: [u64; 2] = [20_000, 500_000];
/// Values of all inputs of a part that are tried.
const TRIES: u32 = 1 << 18;
/// Values of the inputs of hard constraints for which the rest of a part is counted.
const COUNTED_TRIES: u32 = 1 << 10;
/// Tries of one method: then there are bounds.
const ALL_TRIES: u64 = 1 << 25;

pub(crate) struct Counter {
    evergreen: Evergreen,
    writer: Writer,
    tries: u64,
}

/// The least and the greatest value of an input: the range that was given, or that of its type.
pub(crate) fn range(exprs: &Exprs, input: Input) -> (i64, i64) {
    let info = exprs.input_of(input);
    info.range.unwrap_or_else(|| info.kind.range())
}

/// How many values inputs have together.
pub(crate) fn size(exprs: &Exprs, inputs: &[Input]) -> BigUint {
    inputs.iter().fold(BigUint::from(1u32), |product, &input| {
        let (lo, hi) = range(exprs, input);
        product * BigUint::from((i128::from(hi) - i128::from(lo) + 1).unsigned_abs())
    })
}

fn is_float(exprs: &Exprs, input: Input) -> bool {
    matches!(exprs.input_of(input).kind, InputKind::Float | InputKind::Double)
}

impl Counter {
    pub(crate) fn new(evergreen: Evergreen) -> Counter {
        Counter { evergreen, writer: Writer::new(Theory::Ints), tries: ALL_TRIES }
    }

    pub(crate) fn evergreen(&self) -> &Evergreen {
        &self.evergreen
    }

    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        self.evergreen.take_events()
    }

    /// A new method may try as much as the one before.
    pub(crate) fn refill(&mut self) {
        self.tries = ALL_TRIES;
    }

    /// The probability that conditions hold; they have no other inputs, and `whole` is the probability
    /// without the last of them.
    pub(crate) fn mass(
        &mut self,
        exprs: &Exprs,
        conditions: &[Cond],
        inputs: &[Input],
        whole: &Mass,
        did: &mut MassCounts,
    ) -> Mass {
        let all = size(exprs, inputs);
        let share = |n: BigUint| Ratio::new(n, all.clone()).unwrap_or_else(Ratio::zero);
        let few = all <= BigUint::from(FEW);
        let mut found = if few { None } else { self.linear(exprs, conditions, inputs, &[], STEPS[0]) };
        if !matches!(found, Some(Count::Exact(_)))
            && let Some(n) = self.tried(exprs, conditions, inputs)
        {
            did.tried += 1;
            return Mass::exact(share(n));
        }
        if found.as_ref().is_some_and(|found| !matches!(found, Count::Exact(_))) {
            found = self.linear(exprs, conditions, inputs, &[], STEPS[1]);
        }
        if let Some(Count::Exact(n)) = found {
            did.counted += 1;
            return Mass::exact(share(n));
        }
        did.bounded += 1;
        if let Some(Count::Bounds { lo, hi, confidence: Confidence::Certain }) = found {
            return Mass { least: share(lo), most: share(hi) }.meet(&Mass::up_to(whole.most.clone()));
        }
        let linear: Vec<Cond> = conditions.iter().copied().filter(|&c| !exprs.is_hard(c)).collect();
        let floats = inputs.iter().any(|&input| is_float(exprs, input));
        match self.linear(exprs, &linear, inputs, &[], STEPS[1]) {
            Some(Count::Exact(n) | Count::Bounds { hi: n, confidence: Confidence::Certain, .. })
                if linear.len() < conditions.len() && !floats =>
            {
                Mass::up_to(share(n).min(whole.most.clone()))
            }
            _ => Mass::up_to(whole.most.clone()),
        }
    }

    /// How many values of the inputs satisfy linear integer conditions, with some inputs at single values.
    fn linear(
        &mut self,
        exprs: &Exprs,
        conditions: &[Cond],
        inputs: &[Input],
        fixed: &[(Input, i64)],
        steps: u64,
    ) -> Option<Count> {
        if inputs.iter().any(|&input| is_float(exprs, input)) {
            return None;
        }
        let mut terms: Vec<TermId> = Vec::new();
        let mut bounds = Bounds::new();
        for &condition in conditions {
            let written = self.writer.write_under(exprs, self.evergreen.terms(), condition, &bounds)?;
            for &term in written {
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
            bounds.learn(exprs, condition);
        }
        let mut domains: Vec<(TermId, Domain)> = Vec::with_capacity(inputs.len());
        for &input in inputs {
            let value = fixed.iter().find(|(of, _)| *of == input).map(|(_, value)| (*value, *value));
            let (lo, hi) = value.unwrap_or_else(|| range(exprs, input));
            let symbol = self.evergreen.constant(&exprs.input_of(input).name, SortId::INT);
            domains.push((symbol, Domain::new(lo, hi)));
        }
        let counted = self.evergreen.count(&terms, &domains, Budget { steps }).ok()?;
        Some(counted.count)
    }

    /// The same by trying values.
    fn tried(&mut self, exprs: &Exprs, conditions: &[Cond], inputs: &[Input]) -> Option<BigUint> {
        if let Some(tries) = self.may_try(exprs, inputs, TRIES) {
            self.tries -= tries;
            let mut n = 0u64;
            each_value(exprs, inputs, &mut |values| {
                n += u64::from(conditions.iter().all(|&condition| exprs.holds(condition, values)));
            });
            return Some(n.into());
        }
        let (hard, linear): (Vec<Cond>, Vec<Cond>) = conditions.iter().partition(|&&c| exprs.is_hard(c));
        let mut own: Vec<Input> = hard.iter().flat_map(|&c| exprs.inputs_of(c)).copied().collect();
        own.sort_unstable();
        own.dedup();
        if own.is_empty() {
            return None;
        }
        let tries = self.may_try(exprs, &own, COUNTED_TRIES)?;
        // Each of them is a count.
        self.tries = self.tries.saturating_sub(tries << 8);
        let mut fixed: Vec<Vec<(Input, i64)>> = Vec::new();
        each_value(exprs, &own, &mut |values| {
            if hard.iter().all(|&condition| exprs.holds(condition, values)) {
                fixed.push(own.iter().map(|&input| (input, values.integer(exprs, input))).collect());
            }
        });
        let mut sum = BigUint::ZERO;
        for fixed in fixed {
            match self.linear(exprs, &linear, inputs, &fixed, STEPS[0])? {
                Count::Exact(n) => sum += n,
                _ => return None,
            }
        }
        Some(sum)
    }

    /// How many values there are, if these may be tried.
    fn may_try(&self, exprs: &Exprs, inputs: &[Input], most: u32) -> Option<u64> {
        if inputs.iter().any(|&input| is_float(exprs, input)) {
            return None;
        }
        let tries = size(exprs, inputs);
        let tries = (tries <= BigUint::from(most)).then(|| tries.iter_u64_digits().next().unwrap_or(0))?;
        (tries <= self.tries).then_some(tries)
    }
}

/// Calls with every value of some inputs.
pub(crate) fn each_value(exprs: &Exprs, inputs: &[Input], visit: &mut dyn FnMut(&Assignment)) {
    let ranges: Vec<(i64, i64)> = inputs.iter().map(|&input| range(exprs, input)).collect();
    let mut at: Vec<i64> = ranges.iter().map(|range| range.0).collect();
    let mut values = Assignment::new();
    let set = |values: &mut Assignment, place: usize, value: i64| {
        let input = inputs[place];
        let value = match exprs.input_of(input).kind.kind() {
            Kind::I64 => Const::I64(value),
            _ => Const::I32(value as i32),
        };
        values.set(exprs, input, value);
    };
    (0..inputs.len()).for_each(|place| set(&mut values, place, at[place]));
    loop {
        visit(&values);
        let Some(place) = (0..inputs.len()).rev().find(|&place| at[place] < ranges[place].1) else { return };
        at[place] += 1;
        set(&mut values, place, at[place]);
        for later in place + 1..inputs.len() {
            at[later] = ranges[later].0;
            set(&mut values, later, at[later]);
        }
    }
}
