//! Methods whose paths remote workers have explored: checked, then reported as if they had been found here.
//!
//! The local machine retraces all paths of a method before it reports the first. If one path cannot be
//! retraced, or some may be missing, it discards everything that it received and explores the method itself.
//! So the result does not depend on which process worked; only the time does.

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

/// What workers reported of the paths of one method.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The paths.
    pub paths: Vec<RemotePath>,
    /// What the exploration cost the workers.
    pub effort: Effort,
    /// The bound of the submitter's own that ended the work, and how many items were open then.
    pub cut: Option<(Bound, u64)>,
    /// Why it is not used, whatever the paths are.
    pub doubt: Option<String>,
}

/// What workers have counted. The report shows it, but it never decides whether all paths were found: the
/// retracing counts what decides that.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Arms that the model of a path takes.
    pub by_model: u64,
    /// Arms that are feasible because all others of their branch are not.
    pub by_complement: u64,
    /// Arms that an oracle was asked about, by source of the answer.
    pub answers: Answers,
    /// Instructions.
    pub instructions: u64,
}

impl Effort {
    fn add_to(&self, summary: &mut Summary) {
        let Effort { by_model, by_complement, answers, instructions } = *self;
        summary.instructions = instructions;
        // The workers' counts of who decided the arms are shown only if they add up to about as many arms as
        // there are.
        let counted =
            [by_complement, answers.total()].iter().fold(by_model, |sum, more| sum.saturating_add(*more));
        if counted == summary.answers.total() {
            *summary = Summary { by_model, by_complement, answers, ..std::mem::take(summary) };
        }
    }
}

/// Called for methods that are explored here after all, with the reason.
type Doubt<F> = Box<dyn FnMut(&EntryOf<F>, &str)>;

/// Remote workers that have reported what they found.
pub struct Elsewhere<F: Frontend> {
    exploration: Box<Exploration<F>>,
    heard: BTreeMap<EntryKey, Heard>,
    counted: (Stats, u64),
    trouble: Trouble,
    doubt: Doubt<F>,
}

impl<F: Frontend> Elsewhere<F> {
    /// Sets up the machine that retraces the paths. `doubt` is called for each method that it explores
    /// itself, with the reason.
    pub fn new(exploration: Exploration<F>, doubt: impl FnMut(&EntryOf<F>, &str) + 'static) -> Elsewhere<F> {
        let (heard, counted, trouble) = (BTreeMap::new(), (Stats::default(), 0), Trouble::default());
        let exploration = Box::new(exploration);
        Elsewhere { exploration, heard, counted, trouble, doubt: Box::new(doubt) }
    }

    /// The machine that retraces the paths.
    pub fn exploration(&mut self) -> &mut Exploration<F> {
        &mut self.exploration
    }

    /// Adds what workers reported of a method.
    pub fn hear(&mut self, entry: &EntryOf<F>, heard: Heard) {
        self.heard.insert(entry.key(), heard);
    }

    /// Adds counters of the workers' reuse layers and solver processes, and what was wrong with their
    /// answers.
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
            // Workers know nothing of older tests: a seeded exploration still gets the infeasible arms.
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
    /// What happens to arms without paths. A bound of the submitter's own leaves them open. `--paths` does so
    /// if there are as many paths as it allows; the retracing also checks whether they are paths.
    fn untold(&self, options: &Options) -> Untold {
        let ended = self.paths.iter().filter(|path| path.end == RemoteEnd::Outcome).count() as u64;
        match self.cut {
            Some((Bound::Paths, _)) if options.bounds.paths.is_none_or(|most| ended < most) => Untold::Asked,
            Some(_) => Untold::Left,
            None => Untold::Asked,
        }
    }

    /// Puts paths in their order and retraces them; returns what is wrong, if anything. With `excludes`, a
    /// later exploration here does not ask again about infeasible arms.
    fn check<F: Frontend>(&mut self, mut retrace: Retrace<'_, F>, excludes: bool) -> Result<Summary, String> {
        // An undecided arm is reported before what lies beyond its branch, as in a local exploration.
        let arm = |end| if let RemoteEnd::Undecided(arm) = end { arm } else { 0 };
        self.paths.sort_by_cached_key(|path| (path.way.position(), arm(path.end)));
        let same = |pair: &[RemotePath]| pair[0].way == pair[1].way && pair[0].end == pair[1].end;
        if let Some(pair) = self.paths.windows(2).find(|pair| same(pair)) {
            return Err(format!("the path \"{}\" was told twice", pair[0].way));
        }
        let done = if excludes { retrace.exclude(&self.paths) } else { retrace.check(&self.paths) };
        done.map_err(|why| why.to_string())
    }
}

/// The paths of a method that workers found, one after the other.
pub struct Retraced<'e, F: Frontend> {
    retrace: Retrace<'e, F>,
    paths: std::vec::IntoIter<RemotePath>,
    summary: Summary,
}

impl<F: Frontend> Retraced<'_, F> {
    /// The end of the next path.
    pub fn next_path(&mut self) -> Option<PathEnd<F::Language>> {
        loop {
            let path = self.paths.next()?;
            match self.retrace.path(&path) {
                Ok(Some(path)) => return Some(path),
                Ok(None) => {}
                // The check has retraced this path, so it can be retraced again; if it cannot, that is a
                // fault, and not all paths were reported.
                Err(_) => self.summary.stuck += 1,
            }
        }
    }

    /// The summary after the last path.
    pub fn finish(self) -> Finished<F::Language> {
        Finished::of(&self.retrace.end(&self.summary))
    }
}
