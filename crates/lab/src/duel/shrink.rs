//! Makes a difference small: fewer scripts, fewer checks, fewer assertions, as long as something still differs.
//!
//! What other processes had recorded is gone: every try starts with an empty store. If the lane alone does not differ any more, the
//! other lanes of its job are run before it.

use super::job::{Ground, text_for};
use super::judge::{Difference, Judge, Seen, batches};
use super::lane::Lane;
use super::script::{Ending, Group, Script, Step};
use std::time::{Duration, Instant};

/// How long shrinking may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is left of a difference.
pub struct Shrunk {
    /// The lanes that are run one after the other on one store; the last one differs.
    pub lanes: Vec<Lane>,
    /// The scripts that each of them is sent.
    pub scripts: Vec<Script>,
    /// How it differs.
    pub difference: Difference,
    /// All that the last lane was sent.
    pub text: String,
}

struct Shrinker<'g> {
    ground: &'g Ground,
    lanes: Vec<Lane>,
    until: Instant,
    tries: usize,
}

/// Shrinks what the last of these lanes said about scripts; `None` when it cannot be reproduced on an empty store.
pub fn shrink(lane: &Lane, others: &[Lane], scripts: &[Script], ground: &Ground) -> Option<Shrunk> {
    let until = Instant::now() + PATIENCE;
    let mut shrinker = Shrinker { ground, lanes: vec![lane.clone()], until, tries: 0 };
    let mut kept: Vec<Script> = scripts[scripts.len() - 1..].to_vec();
    if shrinker.differs(&kept).is_none() {
        kept = scripts.to_vec();
        if shrinker.differs(&kept).is_none() {
            shrinker.lanes = others.iter().cloned().chain([lane.clone()]).collect();
            shrinker.differs(&kept)?;
        }
    }
    kept = shrinker.without(kept, |all| all);
    let groups: Vec<(usize, Group)> = kept
        .iter()
        .enumerate()
        .flat_map(|(s, script)| script.groups.iter().map(move |g| (s, g.clone())))
        .collect();
    let build = |groups: Vec<(usize, Group)>| with_groups(&kept, &groups);
    let groups = shrinker.without(groups, build);
    kept = with_groups(&kept, &groups);
    // The first round takes requests from checks, the second takes the checks.
    for _ in 0..2 {
        kept = shrinker.without_steps(kept);
    }
    let (difference, text) = shrinker.differs(&kept)?;
    Some(Shrunk { lanes: shrinker.lanes, scripts: kept, difference, text })
}

fn with_groups(scripts: &[Script], groups: &[(usize, Group)]) -> Vec<Script> {
    let mut all = Vec::new();
    for (number, script) in scripts.iter().enumerate() {
        let own: Vec<Group> = groups.iter().filter(|g| g.0 == number).map(|g| g.1.clone()).collect();
        if !own.is_empty() {
            all.push(Script { groups: own, ..script.clone() });
        }
    }
    all
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
    Script { groups, ..script.clone() }
}

impl Shrinker<'_> {
    /// Drops halves, quarters and so on down to single items, while something differs [Zeller TSE'02].
    fn without<T: Clone>(&mut self, items: Vec<T>, build: impl Fn(Vec<T>) -> Vec<Script>) -> Vec<T> {
        let mut kept = items;
        let mut size = kept.len().div_ceil(2);
        while size > 0 && Instant::now() < self.until {
            let mut at = 0;
            while at < kept.len() && kept.len() > 1 {
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
    fn without_steps(&mut self, scripts: Vec<Script>) -> Vec<Script> {
        let mut kept = scripts;
        let places: Vec<(usize, usize, usize)> = kept
            .iter()
            .enumerate()
            .flat_map(|(s, script)| {
                let steps = script.groups.iter().enumerate();
                steps.flat_map(move |(g, group)| (0..group.0.len()).map(move |i| (s, g, i)))
            })
            .collect();
        // From the end, so that places stay what they are.
        for (s, g, i) in places.into_iter().rev() {
            if Instant::now() >= self.until {
                break;
            }
            let mut fewer = kept.clone();
            match &mut fewer[s].groups[g].0[i] {
                Step::Assert { .. } => drop(fewer[s].groups[g].0.remove(i)),
                Step::Check { ask, .. } => {
                    let asked = (!ask.values.is_empty(), ask.model);
                    if asked == (false, false) {
                        fewer[s].groups[g].0.remove(i);
                    } else {
                        ask.values.clear();
                        ask.model = false;
                    }
                }
                _ => continue,
            }
            if self.differs(&fewer).is_some() {
                kept = fewer;
            }
        }
        let tidied: Vec<Script> = kept.iter().map(tidy).collect();
        if self.differs(&tidied).is_some() {
            kept = tidied;
        }
        let popped: Vec<Script> = kept.iter().map(|s| Script { ending: Ending::Pop, ..s.clone() }).collect();
        if self.differs(&popped).is_some() { popped } else { kept }
    }

    /// Runs scripts on an empty store; the first difference of the last lane, and what it was sent.
    fn differs(&mut self, scripts: &[Script]) -> Option<(Difference, String)> {
        self.tries += 1;
        let folder = self.ground.folder.join(format!("shrink-{}", self.tries));
        std::fs::create_dir_all(&folder).ok()?;
        let found = self.replay(scripts, &folder);
        let _ = std::fs::remove_dir_all(&folder);
        found
    }

    fn replay(&self, scripts: &[Script], folder: &std::path::Path) -> Option<(Difference, String)> {
        let last = self.lanes.last()?;
        let mut judge = Judge::start(last.solver, folder).ok()?;
        let judged = judge.decide(scripts).ok()?;
        let mut said = String::new();
        let mut sent = String::new();
        for lane in &self.lanes {
            (said, sent) = (String::new(), lane.header());
            let store = folder.join("store");
            let started =
                lane.start(&self.ground.product, &store, &folder.join("log"), &folder.join("stats"));
            let mut pipe = started.ok()?;
            let mut done = 0;
            let texts: Vec<String> =
                judged.iter().map(|one| text_for(lane, std::slice::from_ref(one))).collect();
            for batch in batches(&texts) {
                let text = texts[done..done + batch].concat();
                said.push_str(&pipe.ask(&text).ok()?);
                sent.push_str(&text);
                done += batch;
            }
            pipe.finish().ok()?;
        }
        let differences = judge.compare(&judged, last, &said, &mut Seen::default()).ok()?;
        differences.into_iter().next().map(|difference| (difference, sent))
    }
}
