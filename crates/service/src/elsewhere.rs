//! Methods whose paths workers have explored: checked, then told as if they had been found here.
//!
//! All paths of a method are retraced before the first is told. If one of them is none, or some may be missing, nothing of what was heard is
//! used: the method is explored here. So the result does not depend on who worked, only the time does.

use crate::exploration::{EntryOf, InputsOf};
use crate::parallel::begin;
use crate::{
    Entry, EntryKey, Exploration, Finished, Frontend, OldTests, PathEnd, Paths, ProgramError, RemoteEnd,
    RemotePath, Retrace, Telling, Untold,
};
use evergreen::Stats;
use evergreen_deciding::Trouble;
use evergreen_explore::{Answers, Bound, Options, Range, Summary};
use std::collections::BTreeMap;

/// What was heard of the paths of one method.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The paths.
    pub paths: Vec<RemotePath>,
    /// What it took those who have explored them.
    pub effort: Effort,
    /// The bound of the submitter's own that ended the work, and how many items were open then.
    pub cut: Option<(Bound, u64)>,
    /// Why it is not used, whatever the paths are.
    pub doubt: Option<String>,
}

/// What workers have counted: shown, and never asked whether all paths were found. What decides that is counted while paths are retraced.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Arms that the model of a path takes.
    pub by_model: u64,
    /// Arms that are feasible because all others of their branch are not.
    pub by_complement: u64,
    /// Arms that an oracle was asked about, by who answered.
    pub answers: Answers,
    /// Instructions.
    pub instructions: u64,
}

impl Effort {
    fn add_to(&self, summary: &mut Summary) {
        let Effort { by_model, by_complement, answers, instructions } = *self;
        summary.instructions = instructions;
        // Who decided the arms is shown as workers say if it is about as many arms as there are.
        let told =
            [by_complement, answers.total()].iter().fold(by_model, |sum, more| sum.saturating_add(*more));
        if told == summary.answers.total() {
            *summary = Summary { by_model, by_complement, answers, ..std::mem::take(summary) };
        }
    }
}

/// Is told of methods that are explored here after all, and why.
type Doubt<F> = Box<dyn FnMut(&EntryOf<F>, &str)>;

/// Others, who have told what they found.
pub struct Elsewhere<F: Frontend> {
    exploration: Box<Exploration<F>>,
    heard: BTreeMap<EntryKey, Heard>,
    counted: (Stats, u64),
    trouble: Trouble,
    doubt: Doubt<F>,
}

impl<F: Frontend> Elsewhere<F> {
    /// With a machine that goes the paths again. `doubt` is told which methods it explores itself, and why.
    pub fn new(exploration: Exploration<F>, doubt: impl FnMut(&EntryOf<F>, &str) + 'static) -> Elsewhere<F> {
        let (heard, counted, trouble) = (BTreeMap::new(), (Stats::default(), 0), Trouble::default());
        let exploration = Box::new(exploration);
        Elsewhere { exploration, heard, counted, trouble, doubt: Box::new(doubt) }
    }

    /// The machine that goes the paths again.
    pub fn exploration(&mut self) -> &mut Exploration<F> {
        &mut self.exploration
    }

    /// Adds what was heard of a method.
    pub fn hear(&mut self, entry: &EntryOf<F>, heard: Heard) {
        self.heard.insert(entry.key(), heard);
    }

    /// Adds counters of the others' reuse layers and solver processes, and what was wrong with their answers.
    pub fn count(&mut self, stats: &Stats, solver_starts: u64, trouble: &Trouble) {
        self.counted.0.add_all(stats);
        self.counted.1 = self.counted.1.saturating_add(solver_starts);
        self.trouble.wrong_models.extend(trouble.wrong_models.iter().cloned());
        self.trouble.unknown.extend(trouble.unknown.iter().cloned());
    }

    pub(crate) fn entry(
        &mut self,
        method: &EntryOf<F>,
        inputs: &InputsOf<F>,
        options: Options,
        old: Option<OldTests<F::Language>>,
        telling: Telling<F::Language>,
    ) -> Result<Paths<'_, F>, ProgramError> {
        self.exploration.forget_excluded();
        let mut heard = self.heard.remove(&method.key()).unwrap_or_default();
        let untold = heard.untold(&options);
        let is_first = |old: &OldTests<F::Language>| old.tests.is_empty() && old.range == Range::default();
        let is_seeded = old.as_ref().is_some_and(|old| !is_first(old));
        let checked = match heard.doubt.take() {
            Some(why) => Err(why),
            None => {
                let run = begin(&mut self.exploration, method, inputs, options.clone(), None, telling)?;
                heard.check(run.retrace(untold), is_seeded)
            }
        };
        if let Err(why) = &checked {
            (self.doubt)(method, why);
        }
        let run = begin(&mut self.exploration, method, inputs, options, old, telling)?;
        Ok(match checked {
            // Workers know nothing of older tests: an exploration that does has at least the infeasible arms.
            Ok(mut summary) if !is_seeded => {
                heard.effort.add_to(&mut summary);
                if let (Untold::Left, Some((bound, items))) = (untold, heard.cut) {
                    summary.cut.add(bound, items);
                }
                let paths = heard.paths.into_iter();
                Paths::Retraced(Box::new(Retraced { retrace: run.retrace(untold), paths, summary }))
            }
            _ => Paths::Alone(Box::new(run)),
        })
    }

    pub(crate) fn trouble(&self) -> Trouble {
        let mut all = self.exploration.oracle().trouble().clone();
        all.wrong_models.extend(self.trouble.wrong_models.iter().cloned());
        all.unknown.extend(self.trouble.unknown.iter().cloned());
        all
    }

    pub(crate) fn stats(&self) -> (Stats, u64) {
        let mut sum = self.exploration.oracle().stats();
        sum.add_all(&self.counted.0);
        (sum, self.counted.1.saturating_add(self.exploration.oracle().solver_starts()))
    }
}

impl Heard {
    /// What becomes of arms without paths. A bound of the submitter's own leaves them; of `--paths` that is so if there are as many paths as it
    /// allows: whether they are some is found out, too.
    fn untold(&self, options: &Options) -> Untold {
        let ended = self.paths.iter().filter(|told| told.end == RemoteEnd::Outcome).count() as u64;
        match self.cut {
            Some((Bound::Paths, _)) if options.bounds.paths.is_none_or(|most| ended < most) => Untold::Asked,
            Some(_) => Untold::Left,
            None => Untold::Asked,
        }
    }

    /// Puts paths in their order and retraces them; says what is wrong, if something is. If it is to, an exploration here does not ask again
    /// about arms that are infeasible.
    fn check<F: Frontend>(&mut self, mut retrace: Retrace<'_, F>, excludes: bool) -> Result<Summary, String> {
        // An arm that nobody could decide is told before what lies beyond its branch, as in an exploration of one's own.
        let arm = |end| if let RemoteEnd::Undecided(arm) = end { arm } else { 0 };
        self.paths.sort_by_cached_key(|told| (told.way.position(), arm(told.end)));
        let same = |pair: &[RemotePath]| pair[0].way == pair[1].way && pair[0].end == pair[1].end;
        if let Some(pair) = self.paths.windows(2).find(|pair| same(pair)) {
            return Err(format!("the path \"{}\" was told twice", pair[0].way));
        }
        let done = if excludes { retrace.exclude(&self.paths) } else { retrace.check(&self.paths) };
        done.map_err(|why| why.to_string())
    }
}

/// The paths of a method that were found elsewhere, one after the other.
pub struct Retraced<'e, F: Frontend> {
    retrace: Retrace<'e, F>,
    paths: std::vec::IntoIter<RemotePath>,
    summary: Summary,
}

impl<F: Frontend> Retraced<'_, F> {
    /// The end of the next path.
    pub fn next_path(&mut self) -> Option<PathEnd<F::Language>> {
        loop {
            let told = self.paths.next()?;
            match self.retrace.path(&told) {
                Ok(Some(path)) => return Some(path),
                Ok(None) => {}
                // It was gone before, so it can be gone again; if it cannot, that is a fault, and not all paths were told.
                Err(_) => self.summary.stuck += 1,
            }
        }
    }

    /// What there is to say after the last one.
    pub fn finish(self) -> Finished<F::Language> {
        Finished::of(&self.retrace.end(&self.summary))
    }
}
