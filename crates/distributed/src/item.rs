//! Items and results as bytes: JSON, drawn in `docs/distributed.md`.
//!
//! The submitter trusts nothing that it reads here. A malformed way, value or name is an error; retracing
//! shows whether a path exists. Counters are for statistics; no counter decides what was left out.

use evergreen::{AnsweredBy, SettlingStats, Stats};
use evergreen_explore::{Answerer, Answers, Bound, Share, Summary};
use evergreen_service::{Effort, Entry, EntryKey, Part, RemoteEnd, RemotePath};
use evergreen_symbolic::Given;
use serde::{Deserialize, Serialize};

/// Parts of a method's paths.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Of which method.
    pub method: EntryKey,
    /// Which parts.
    pub parts: Vec<Part>,
}

/// What a worker has found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Batch {
    /// Of which method.
    pub method: EntryKey,
    /// The worker that sent it.
    pub worker: String,
    /// Ends of paths.
    pub paths: Vec<RemotePath>,
    /// What it took.
    pub counts: Counts,
    /// Why the item could not be explored.
    pub failed: Option<String>,
}

/// Counters, added up over all batches.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct Counts {
    by_model: u64,
    by_complement: u64,
    /// Questions about arms that were answered, by source of the answer.
    answers: Vec<u64>,
    instructions: u64,
    /// All questions, by source of the answer.
    questions: Vec<u64>,
    solved: u64,
    unknown: u64,
    /// How values were settled: moved, natively, tried, stored, by a solver.
    settled: [u64; 5],
    /// Hits of each rung.
    hits: Vec<u64>,
    /// Solver processes.
    pub solver_starts: u64,
    /// Models that did not hold: bugs of ours.
    pub wrong_models: Vec<String>,
    /// Why arms are undecided.
    pub reasons: Vec<String>,
}

impl Counts {
    /// What happened since `before`.
    pub fn between(before: &(Summary, Stats), after: &(Summary, Stats)) -> Counts {
        let ((one, old), (two, new)) = (before, after);
        let rungs = new.rungs.iter().zip(&old.rungs);
        Counts {
            by_model: two.by_model - one.by_model,
            by_complement: two.by_complement - one.by_complement,
            answers: answers(&two.answers).zip(answers(&one.answers)).map(|(new, old)| new - old).collect(),
            instructions: two.instructions - one.instructions,
            questions: new.answered.since(&old.answered).iter().map(|(_, count)| count).collect(),
            solved: new.solved - old.solved,
            unknown: new.unknown - old.unknown,
            settled: settled(&new.settling.since(&old.settling)),
            hits: rungs.map(|(new, old)| new.hits - old.hits).collect(),
            ..Counts::default()
        }
    }

    /// Adds these counters to those of an exploration. They come from a network: no sum of theirs may
    /// overflow, here or later.
    pub fn add_to(&self, effort: &mut Effort, stats: &mut Stats) {
        let sums = [
            (&mut effort.by_model, self.by_model),
            (&mut effort.by_complement, self.by_complement),
            (&mut effort.instructions, self.instructions),
            (&mut stats.solved, self.solved),
            (&mut stats.unknown, self.unknown),
        ];
        let SettlingStats { moved, native, tried, stored, solver } = &mut stats.settling;
        let settled = [moved, native, tried, stored, solver].into_iter().zip(self.settled);
        let hits = stats.rungs.iter_mut().map(|rung| &mut rung.hits).zip(self.hits.iter().copied());
        for (sum, more) in sums.into_iter().chain(hits).chain(settled) {
            *sum = limited(*sum, more);
        }
        for (by, count) in AnsweredBy::ALL.into_iter().zip(&self.questions) {
            stats.answered.add(by, (*count).min(MOST));
        }
        stats.queries = stats.answered.total();
        for (number, count) in self.answers.iter().take(Answerer::MOST).enumerate() {
            effort.answers.add(Answerer::new(number), (*count).min(MOST));
        }
    }
}

/// Questions that were answered, by the answerers' numbers.
fn answers(all: &Answers) -> impl Iterator<Item = u64> {
    (0..Answerer::MOST).map(|number| all.by(Answerer::new(number)))
}

/// The largest value accepted for a counter of a worker. Sums of such counters over all methods fit easily,
/// and no real run counts that far.
const MOST: u64 = 1 << 48;

/// A sum of counters that come from a network.
pub fn limited(sum: u64, more: u64) -> u64 {
    sum.saturating_add(more).min(MOST)
}

fn settled(stats: &SettlingStats) -> [u64; 5] {
    [stats.moved, stats.native, stats.tried, stats.stored, stats.solver]
}

/// A path: its way, its end and its inputs.
type PathText = (String, String, Vec<String>);

#[derive(Serialize, Deserialize)]
struct ItemText {
    method: EntryKey,
    parts: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct BatchText {
    method: EntryKey,
    worker: String,
    paths: Vec<PathText>,
    counts: Counts,
    failed: Option<String>,
}

/// Why a result cannot be read, and the method that it names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Garbled {
    /// If that much is understood.
    pub method: Option<EntryKey>,
    /// Why.
    pub why: String,
}

impl Item {
    /// All paths of a method.
    pub fn whole(entry: &impl Entry) -> Item {
        Item { method: entry.key(), parts: vec![Part(Share::whole(Vec::new()))] }
    }

    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let parts = self.parts.iter().map(Part::to_string).collect();
        // Strings can always be written.
        serde_json::to_vec(&ItemText { method: self.method.clone(), parts }).unwrap_or_default()
    }

    /// Reads what [`Item::write`] writes.
    pub fn read(bytes: &[u8]) -> Result<Item, String> {
        let ItemText { method, parts } = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        Ok(Item { method, parts: parts.iter().map(|part| part.parse()).collect::<Result<_, String>>()? })
    }
}

impl Batch {
    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let text = |path: &RemotePath| (path.way.to_string(), write_end(path.end), values(&path.model));
        let text = BatchText {
            method: self.method.clone(),
            worker: self.worker.clone(),
            paths: self.paths.iter().map(text).collect(),
            counts: self.counts.clone(),
            failed: self.failed.clone(),
        };
        serde_json::to_vec(&text).unwrap_or_default()
    }

    /// Reads what [`Batch::write`] writes.
    pub fn read(bytes: &[u8]) -> Result<Batch, Garbled> {
        let BatchText { method, worker, paths, counts, failed } = serde_json::from_slice(bytes)
            .map_err(|e| Garbled { method: None, why: format!("a result is not understood: {e}") })?;
        let read_path = |(way, end, model): &PathText| {
            Ok(RemotePath { way: way.parse()?, end: read_end(end)?, model: read_values(model)? })
        };
        let paths: Result<_, String> = paths.iter().map(read_path).collect();
        match paths {
            Ok(paths) => Ok(Batch { method, worker, paths, counts, failed }),
            Err(why) => Err(Garbled { method: Some(method), why: format!("{worker}: {why}") }),
        }
    }
}

fn values(given: &[Given]) -> Vec<String> {
    given.iter().map(Given::to_string).collect()
}

fn read_values(texts: &[String]) -> Result<Vec<Given>, String> {
    texts.iter().map(|text| text.parse()).collect()
}

fn write_end(end: RemoteEnd) -> String {
    match end {
        RemoteEnd::Outcome => "end".into(),
        RemoteEnd::Cut(bound) => format!("cut {}", bound.name()),
        RemoteEnd::Undecided(arm) => format!("undecided {arm}"),
    }
}

fn read_end(text: &str) -> Result<RemoteEnd, String> {
    let wrong = || format!("\"{text}\" is no end of a path");
    Ok(match text.split_once(' ') {
        None if text == "end" => RemoteEnd::Outcome,
        Some(("cut", name)) => {
            let bound = Bound::ALL.into_iter().find(|bound| bound.name() == name);
            RemoteEnd::Cut(bound.ok_or_else(wrong)?)
        }
        Some(("undecided", arm)) => RemoteEnd::Undecided(arm.parse().map_err(|_| wrong())?),
        _ => return Err(wrong()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_symbolic::InputKind;

    fn given(name: &str, raw: i64) -> Given {
        Given { name: name.into(), kind: InputKind::Int, range: Some((-9, 9)), raw }
    }

    #[test]
    fn items_and_batches_are_read_as_they_were_written() {
        let method: EntryKey = ("a/B".into(), "m".into(), "(I)V".into());
        let part =
            |way: &str| Part(Share { way: way.parse().unwrap(), ..Share::whole(vec![given("x\n\"y", 3)]) });
        let item = Item { method: method.clone(), parts: vec![part("0+ 3"), part("")] };
        assert_eq!(Item::read(&item.write()), Ok(item));
        let ends = [RemoteEnd::Outcome, RemoteEnd::Undecided(7)].into_iter();
        let ends = ends.chain(Bound::ALL.into_iter().map(RemoteEnd::Cut));
        let remote = |end| RemotePath { way: "1+ 0+ 12".parse().unwrap(), end, model: vec![given("x", -3)] };
        let counts = Counts {
            answers: vec![4],
            hits: vec![1, 2],
            reasons: vec!["timeout".into()],
            ..Counts::default()
        };
        let (paths, worker) = (ends.map(remote).collect(), "w".to_string());
        let batch = Batch { method, worker, paths, counts, failed: Some("why".into()) };
        assert_eq!(Batch::read(&batch.write()), Ok(batch));
    }

    #[test]
    fn what_is_none_is_refused() {
        let item = r#"{"method":["A","m","()V"],"parts":["way 0+\nint * 3 x\n"]}"#;
        assert!(Item::read(item.as_bytes()).is_ok());
        for (from, to) in [("0+", "0-"), ("int *", "word *"), ("\"parts\"", "\"other\""), ("()V\"", "()V")] {
            assert!(Item::read(item.replace(from, to).as_bytes()).is_err(), "{to}");
        }
        for end in
            ["", "ends", "stuck", "cut", "cut short", "undecided", "undecided -1", "undecided x", "end "]
        {
            assert!(read_end(end).is_err(), "{end}");
        }
    }
}
