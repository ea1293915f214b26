//! Makes a difference small: fewer processes, fewer scripts, fewer checks, fewer assertions, as long as
//! something still differs [Zeller TSE'02].
//!
//! Every try starts with an empty store and runs processes one after the other. At first only the one that
//! differs, with the last script; if that does not differ any more, with all its scripts; then after the
//! other lanes of its job; then after the lanes of the earlier jobs about the same program.

use super::bare::batches;
use super::job::{Ground, text_for};
use super::judge::{Difference, Judge, Seen};
use super::lane::Lane;
use super::script::{Ending, Group, Script, Step};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long shrinking may take.
const PATIENCE: Duration = Duration::from_secs(90);

/// A process and what it is sent.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its configuration.
    pub lane: Lane,
    /// What it is sent.
    pub scripts: Vec<Script>,
}

/// What is left of a difference.
pub struct Shrunk {
    /// Processes that are run one after the other on one store; the last one differs.
    pub runs: Vec<Run>,
    /// How it differs.
    pub difference: Difference,
    /// What each of them was sent.
    pub texts: Vec<String>,
}

struct Shrinker<'g> {
    ground: &'g Ground,
    until: Instant,
    tries: usize,
}

/// Shrinks what a process said; `before` are those that may have recorded what it needs, the nearest ones
/// first. `None` when nothing differs on an empty store.
pub fn shrink(run: &Run, before: &[Vec<Run>], ground: &Ground) -> Option<Shrunk> {
    let mut shrinker = Shrinker { ground, until: Instant::now() + PATIENCE, tries: 0 };
    let last = Run { scripts: run.scripts[run.scripts.len() - 1..].to_vec(), ..run.clone() };
    let mut candidates = vec![vec![last], vec![run.clone()]];
    let mut earlier: Vec<Run> = Vec::new();
    for runs in before {
        earlier = runs.iter().cloned().chain(earlier).collect();
        candidates.push(earlier.iter().cloned().chain([run.clone()]).collect());
    }
    let mut kept = candidates.into_iter().find(|runs| shrinker.differs(runs).is_some())?;
    kept = shrinker.without(kept, |runs| runs);
    let scripts: Vec<(usize, Script)> = tagged(&kept, |run| run.scripts.clone());
    let lanes: Vec<Lane> = kept.iter().map(|run| run.lane.clone()).collect();
    let of_scripts = |scripts: Vec<(usize, Script)>| {
        let run = |(i, lane): (usize, &Lane)| Run { lane: lane.clone(), scripts: own(&scripts, i) };
        lanes.iter().enumerate().map(run).collect::<Vec<Run>>()
    };
    let scripts = shrinker.without(scripts, of_scripts);
    let groups: Vec<(usize, Group)> = tagged(&scripts, |script| script.1.groups.clone());
    let of_groups = |groups: Vec<(usize, Group)>| {
        let all = scripts.iter().enumerate();
        let smaller =
            all.map(|(i, (run, script))| (*run, Script { groups: own(&groups, i), ..script.clone() }));
        of_scripts(smaller.filter(|s| !s.1.groups.is_empty()).collect())
    };
    let groups = shrinker.without(groups, of_groups);
    kept = of_groups(groups);
    // The first round takes requests from checks, the second takes the checks.
    for _ in 0..2 {
        kept = shrinker.without_steps(kept);
    }
    kept.retain(|run| !run.scripts.is_empty());
    let (difference, texts) = shrinker.differs(&kept)?;
    Some(Shrunk { runs: kept, difference, texts })
}

/// All parts of things, with the number of the thing.
fn tagged<T, P>(things: &[T], parts: impl Fn(&T) -> Vec<P>) -> Vec<(usize, P)> {
    things.iter().enumerate().flat_map(|(i, thing)| parts(thing).into_iter().map(move |p| (i, p))).collect()
}

fn own<P: Clone>(tagged: &[(usize, P)], number: usize) -> Vec<P> {
    tagged.iter().filter(|t| t.0 == number).map(|t| t.1.clone()).collect()
}

/// Without levels in which nothing happens.
fn tidy(script: &Script) -> Script {
    let mut groups = Vec::new();
    for group in &script.groups {
        let mut steps: Vec<Step> = Vec::new();
        for step in &group.0 {
            if *step == Step::Pop && steps.last() == Some(&Step::Push) {
                steps.pop();
            } else {
                steps.push(step.clone());
            }
        }
        groups.extend((!steps.is_empty()).then_some(Group(steps)));
    }
    Script { groups, ending: Ending::Pop, ..script.clone() }
}

impl Shrinker<'_> {
    /// Drops halves, quarters and so on down to single items, while something differs.
    fn without<T: Clone>(&mut self, items: Vec<T>, build: impl Fn(Vec<T>) -> Vec<Run>) -> Vec<T> {
        let mut kept = items;
        let mut size = kept.len().div_ceil(2);
        while size > 0 && Instant::now() < self.until {
            let mut at = 0;
            while at < kept.len() && kept.len() > 1 && Instant::now() < self.until {
                let mut fewer = kept.clone();
                fewer.drain(at..(at + size).min(kept.len()));
                if !fewer.is_empty() && self.differs(&build(fewer.clone())).is_some() {
                    kept = fewer;
                } else {
                    at += size;
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        kept
    }

    /// Drops single assertions, checks and requests.
    fn without_steps(&mut self, runs: Vec<Run>) -> Vec<Run> {
        let mut kept = runs;
        let mut places: Vec<[usize; 4]> = Vec::new();
        for (r, run) in kept.iter().enumerate() {
            for (s, script) in run.scripts.iter().enumerate() {
                for (g, group) in script.groups.iter().enumerate() {
                    places.extend((0..group.0.len()).map(|i| [r, s, g, i]));
                }
            }
        }
        // From the end, so that places stay what they are.
        for [r, s, g, i] in places.into_iter().rev() {
            if Instant::now() >= self.until {
                return kept;
            }
            let mut fewer = kept.clone();
            let steps = &mut fewer[r].scripts[s].groups[g].0;
            match &mut steps[i] {
                Step::Check { ask, .. } if ask.model || !ask.values.is_empty() => {
                    ask.values.clear();
                    ask.model = false;
                }
                Step::Assert { .. } | Step::Check { .. } => drop(steps.remove(i)),
                _ => continue,
            }
            if self.differs(&fewer).is_some() {
                kept = fewer;
            }
        }
        let tidied: Vec<Run> = kept
            .iter()
            .map(|run| Run { scripts: run.scripts.iter().map(tidy).collect(), ..run.clone() })
            .collect();
        if self.differs(&tidied).is_some() { tidied } else { kept }
    }

    /// Runs processes on an empty store; the first difference of the last one, and what all were sent.
    fn differs(&mut self, runs: &[Run]) -> Option<(Difference, Vec<String>)> {
        self.tries += 1;
        let folder = self.ground.folder.join(format!("shrink-{}", self.tries));
        std::fs::create_dir_all(&folder).ok()?;
        let found = self.replay(runs, &folder);
        let _ = std::fs::remove_dir_all(&folder);
        found
    }

    fn replay(&self, runs: &[Run], folder: &Path) -> Option<(Difference, Vec<String>)> {
        let mut texts = Vec::new();
        let mut first = None;
        for (number, Run { lane, scripts }) in runs.iter().enumerate() {
            let mut judge = Judge::start(lane.solver, folder).ok()?;
            let judged = judge.decide(scripts).ok()?;
            let store = folder.join("store");
            let started =
                lane.start(&self.ground.product, &store, &folder.join("log"), &folder.join("stats"));
            let mut pipe = started.ok()?;
            let own: Vec<String> =
                judged.iter().map(|one| text_for(lane, std::slice::from_ref(one))).collect();
            let (mut said, mut done) = (String::new(), 0);
            for batch in batches(&own.iter().map(String::len).collect::<Vec<_>>()) {
                pipe.write(&own[done..done + batch].concat()).ok()?;
                done += batch;
                match pipe.read_all() {
                    Ok(more) => said.push_str(&more),
                    Err(ended) => {
                        said.push_str(&ended.said);
                        break;
                    }
                }
            }
            let _ = pipe.finish();
            texts.push(format!("{}{}", lane.header(), own.concat()));
            if number + 1 == runs.len() {
                first = judge.compare(&judged, lane, &said, &mut Seen::default()).ok()?.into_iter().next();
            }
        }
        Some((first?, texts))
    }
}
