//! Methods whose paths others have explored: checked, then told as if they had been found here.
//!
//! All paths of a method are retraced before the first is told. If one of them is none, or some are missing, nothing of what was heard is
//! used: the method is explored here. So the result does not depend on who worked, only the time does.

use super::exploration::Exploration;
use super::inputs::Inputs;
use super::oracle::Trouble;
use super::parallel::{Finished, Paths, Telling, begin};
use super::program::{MethodRef, ProgramError};
use super::{OldTests, PathEnd, RemoteEnd, RemotePath, Retrace, Untold};
use crate::Stats;
use evergreen_explore::{Bound, Options, Range, Summary};
use std::collections::BTreeMap;

/// What was heard of the paths of one method.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The paths.
    pub paths: Vec<RemotePath>,
    /// What those counted who have explored them.
    pub summary: Summary,
    /// Why it is not believed, whatever the paths are.
    pub doubt: Option<String>,
}

/// Class, name and descriptor of a method.
type Name = (String, String, String);

/// Is told of methods that are explored here after all, and why.
type Doubt = Box<dyn FnMut(&MethodRef, &str)>;

/// Others, who have told what they found.
pub struct Elsewhere {
    exploration: Box<Exploration>,
    heard: BTreeMap<Name, Heard>,
    untold: Untold,
    counted: (Stats, u64),
    trouble: Trouble,
    doubt: Doubt,
}

impl Elsewhere {
    /// With a machine that goes the paths again. `doubt` is told which methods it explores itself, and why.
    pub fn new(
        exploration: Exploration,
        untold: Untold,
        doubt: impl FnMut(&MethodRef, &str) + 'static,
    ) -> Elsewhere {
        let (heard, counted, trouble) = (BTreeMap::new(), (Stats::default(), 0), Trouble::default());
        let exploration = Box::new(exploration);
        Elsewhere { exploration, heard, untold, counted, trouble, doubt: Box::new(doubt) }
    }

    /// The machine that goes the paths again.
    pub fn exploration(&mut self) -> &mut Exploration {
        &mut self.exploration
    }

    /// Adds what was heard of a method.
    pub fn hear(&mut self, method: &MethodRef, heard: Heard) {
        self.heard.insert(name(method), heard);
    }

    /// Adds counters of the others' reuse layers and solver processes, and what was wrong with their answers.
    pub fn count(&mut self, stats: &Stats, solver_starts: u64, trouble: &Trouble) {
        self.counted.0.add_all(stats);
        self.counted.1 = self.counted.1.saturating_add(solver_starts);
        self.trouble.wrong_models.extend(trouble.wrong_models.iter().cloned());
        self.trouble.unknown.extend(trouble.unknown.iter().cloned());
    }

    pub(super) fn method(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
        options: Options,
        old: Option<OldTests>,
        telling: Telling,
    ) -> Result<Paths<'_>, ProgramError> {
        self.exploration.forget_excluded();
        let mut heard = self.heard.remove(&name(method)).unwrap_or_default();
        let untold = heard.untold(self.untold);
        let is_first = |old: &OldTests| old.tests.is_empty() && old.range == Range::default();
        let is_seeded = old.as_ref().is_some_and(|old| !is_first(old));
        let believed = match heard.doubt.take() {
            Some(why) => Err(why),
            None => {
                let run = begin(&mut self.exploration, method, inputs, options.clone(), None, telling)?;
                heard.check(run.retrace(untold), is_seeded)
            }
        };
        if let Err(why) = &believed {
            (self.doubt)(method, why);
        }
        let run = begin(&mut self.exploration, method, inputs, options, old, telling)?;
        Ok(match believed {
            // Others know nothing of older tests: an exploration that does has at least their infeasible arms.
            _ if is_seeded => Paths::Alone(Box::new(run)),
            Err(_) => Paths::Alone(Box::new(run)),
            Ok(()) => {
                let (paths, summary) = (heard.paths.into_iter(), heard.summary);
                Paths::Retraced(Box::new(Retraced { retrace: run.retrace(untold), paths, summary }))
            }
        })
    }

    pub(super) fn trouble(&self) -> Trouble {
        let mut all = self.exploration.oracle().trouble().clone();
        all.wrong_models.extend(self.trouble.wrong_models.iter().cloned());
        all.unknown.extend(self.trouble.unknown.iter().cloned());
        all
    }

    pub(super) fn stats(&self) -> (Stats, u64) {
        let mut sum = self.exploration.oracle().stats();
        sum.add_all(&self.counted.0);
        (sum, self.counted.1.saturating_add(self.exploration.oracle().solver_starts()))
    }
}

fn name(method: &MethodRef) -> Name {
    (method.class.to_string(), method.name.to_string(), method.descriptor.to_string())
}

impl Heard {
    /// What can be found out about untold paths: nothing, if a bound has cut some.
    fn untold(&self, wanted: Untold) -> Untold {
        let cuts = [Bound::Paths, Bound::Time, Bound::Memory, Bound::Interrupt];
        if cuts.iter().any(|bound| self.summary.cut.by(*bound) > 0) { Untold::Ignored } else { wanted }
    }

    /// Puts paths in their order and retraces them; says what is wrong, if something is. If they are to, arms without paths
    /// are not asked about from then on.
    fn check(&mut self, mut retrace: Retrace<'_>, excludes: bool) -> Result<(), String> {
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
pub struct Retraced<'e> {
    retrace: Retrace<'e>,
    paths: std::vec::IntoIter<RemotePath>,
    summary: Summary,
}

impl Retraced<'_> {
    /// The end of the next path.
    pub fn next_path(&mut self) -> Option<PathEnd> {
        loop {
            let told = self.paths.next()?;
            // It was gone before, so it can be gone again.
            if let Ok(Some(path)) = self.retrace.path(&told) {
                return Some(path);
            }
        }
    }

    /// What there is to say after the last one.
    pub fn finish(self) -> Finished {
        Finished::of(&self.retrace.end(&self.summary))
    }
}
