//! What both versions do with the same inputs, for real.

use super::versions::{Values, Verdict, Versions};
use crate::explore::programs::{CaseOf, LanguageOf};
use evergreen_service::size;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// Cases that run at once.
const BATCH: usize = 4_000;

/// A difference: inputs for which the old version does one thing and the new one another.
pub(super) struct Difference<F: Versions> {
    /// Which of the compared methods.
    pub method: usize,
    /// What the old version does, in words.
    pub old: String,
    /// What the new version does.
    pub new: String,
    /// The smallest of the inputs, by names.
    pub inputs: Values<F>,
    /// How many inputs were tried that show it.
    pub count: u64,
    /// The test of the smallest; it expects what the old version does.
    pub case: CaseOf<F>,
}

/// An input that is to run on both versions.
pub(super) struct Input<F: Versions> {
    /// Which of the compared methods.
    pub method: usize,
    /// The test of a suite that has it.
    pub test: Option<String>,
    /// The input.
    pub case: CaseOf<F>,
}

/// What became of a test of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// Both versions do the same.
    Same,
    /// They do not: what, in words.
    Differs {
        /// The old version.
        old: String,
        /// The new one.
        new: String,
    },
    /// One version does not take it.
    Unfit,
    /// A version behaves differently each time.
    Unstable,
}

/// What came of running inputs.
pub(super) struct Behaviour<F: Versions> {
    /// The differences, each once: by method, then smallest input first.
    pub differences: Vec<Difference<F>>,
    /// Inputs that ran on both versions, by method.
    pub compared: BTreeMap<usize, u64>,
    /// Inputs that one version does not take (other objects, other draws, an assumption of a driver), by
    /// method.
    pub unfit: BTreeMap<usize, u64>,
    /// Inputs that behaved differently each time they ran, by method.
    pub unstable: BTreeMap<usize, u64>,
    /// What became of the tests of a suite, by name.
    pub tests: BTreeMap<String, Fate>,
}

impl<F: Versions> Default for Behaviour<F> {
    fn default() -> Behaviour<F> {
        Behaviour {
            differences: Vec::new(),
            compared: BTreeMap::new(),
            unfit: BTreeMap::new(),
            unstable: BTreeMap::new(),
            tests: BTreeMap::new(),
        }
    }
}

/// Runs every input, given with the number of its method, on both versions.
pub(super) fn compare<F: Versions>(
    (old, new): (&F::Platform, &F::Platform),
    inputs: Vec<Input<F>>,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize),
) -> Result<Behaviour<F>, String> {
    let mut behaviour = Behaviour::default();
    let inputs = each_once(inputs);
    let mut done = 0;
    for batch in inputs.chunks(BATCH) {
        // The results so far are reported; ending the running ones is cheap.
        if done > 0 && stop.load(Ordering::Relaxed) {
            break;
        }
        let cases: Vec<CaseOf<F>> = batch.iter().map(|input| input.case.clone()).collect();
        let (before, after) = (F::run(old, &cases)?, F::run(new, &cases)?);
        let mut differing: Vec<usize> = Vec::new();
        for (at, input) in batch.iter().enumerate() {
            let (counter, fate) = match F::verdict(&before[at], &after[at]) {
                Verdict::Unfit => (&mut behaviour.unfit, Fate::Unfit),
                Verdict::Same => (&mut behaviour.compared, Fate::Same),
                Verdict::Differs => {
                    differing.push(at);
                    continue;
                }
            };
            *counter.entry(input.method).or_insert(0) += 1;
            behaviour.tests.extend(input.test.clone().map(|test| (test, fate)));
        }
        // What a version does not do twice (addresses, clocks) is no difference to the other version.
        let again: Vec<CaseOf<F>> = differing.iter().map(|at| cases[*at].clone()).collect();
        let twice = if again.is_empty() { None } else { Some((F::run(old, &again)?, F::run(new, &again)?)) };
        for (nth, at) in differing.into_iter().enumerate() {
            let input = &batch[at];
            let stable = twice.as_ref().is_some_and(|(old, new)| {
                F::verdict(&before[at], &old[nth]) == Verdict::Same
                    && F::verdict(&after[at], &new[nth]) == Verdict::Same
            });
            let fate = if stable {
                *behaviour.compared.entry(input.method).or_insert(0) += 1;
                let (old, new) = F::told(&before[at], &after[at]);
                behaviour.add(input.method, &input.case, &before[at], (old.clone(), new.clone()));
                Fate::Differs { old, new }
            } else {
                *behaviour.unstable.entry(input.method).or_insert(0) += 1;
                Fate::Unstable
            };
            behaviour.tests.extend(input.test.clone().map(|test| (test, fate)));
        }
        done += batch.len();
        progress(done);
    }
    behaviour.differences.sort_by_key(|one| (one.method, size::<LanguageOf<F>>(&one.inputs)));
    Ok(behaviour)
}

/// Leaves inputs out that are there already; tests of a suite stay.
fn each_once<F: Versions>(inputs: Vec<Input<F>>) -> Vec<Input<F>> {
    let mut seen = BTreeSet::new();
    let mut kept = inputs;
    kept.retain(|input| {
        let new = seen.insert((input.method, F::identity(&input.case)));
        new || input.test.is_some()
    });
    kept
}

impl<F: Versions> Behaviour<F> {
    fn add(&mut self, method: usize, case: &CaseOf<F>, old: &F::Ran, (was, is): (String, String)) {
        let case = F::expecting(case, old, &was);
        let inputs = F::values(&case);
        let size = size::<LanguageOf<F>>;
        match self.differences.iter_mut().find(|one| (one.method, &one.old, &one.new) == (method, &was, &is))
        {
            Some(known) => {
                known.count += 1;
                if size(&inputs) < size(&known.inputs) {
                    (known.inputs, known.case) = (inputs, case);
                }
            }
            None => self.differences.push(Difference { method, old: was, new: is, inputs, count: 1, case }),
        }
    }
}
