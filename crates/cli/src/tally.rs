//! What each rung of the ladder has cost and given over all runs with a store on disk: one small file beside
//! the store.
//!
//! It is no entry of the store: equal stores export to equal files, whatever was asked of them.

use evergreen::{Rung, Stats};
use evergreen_java::report::plural;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long another process's turn is waited for.
const PATIENCE: Duration = Duration::from_millis(500);

/// The file, for a store that is a folder.
pub(crate) fn file_of(spec: &str) -> Option<PathBuf> {
    let path = Path::new(spec);
    path.is_dir().then(|| path.join("rungs.json"))
}

/// Adds a run. Nothing depends on it, so trouble is passed over.
pub(crate) fn add(spec: &str, stats: &Stats) {
    if stats.queries == 0 {
        return;
    }
    let Some(path) = file_of(spec) else { return };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600).custom_flags(libc::O_NOFOLLOW);
    let opened = options.open(path);
    let Some(mut file) = opened.ok().filter(lock) else { return };
    let mut all = read(&mut file);
    bump(&mut all, "runs", 1);
    bump(&mut all, "queries", stats.queries);
    bump(&mut all, "parts", stats.slices);
    bump(&mut all, "solved", stats.solved);
    for rung in Rung::ALL {
        let r = stats.rung(rung);
        let mut of = all.get(rung.name()).and_then(Value::as_object).cloned().unwrap_or_default();
        bump(&mut of, "tried", r.tried);
        bump(&mut of, "hits", r.hits);
        bump(&mut of, "passed", r.passed);
        bump(&mut of, "us", r.time.as_micros() as u64);
        all.insert(rung.name().into(), Value::Object(of));
    }
    let text = format!("{}\n", Value::Object(all));
    let _ = file.rewind();
    let _ = file.write_all(text.as_bytes());
    let _ = file.set_len(text.len() as u64);
}

/// Processes take turns; the lock goes with the file's handle. A process that does not let go of it is not
/// waited for: a run that is not counted is no loss, one that does not end is.
fn lock(file: &File) -> bool {
    let deadline = Instant::now() + PATIENCE;
    loop {
        // SAFETY: the descriptor is open for as long as `file` lives.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
            return true;
        }
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What the file says; a damaged one starts over.
fn read(file: &mut File) -> Map<String, Value> {
    let mut text = String::new();
    let _ = file.read_to_string(&mut text);
    let all = serde_json::from_str::<Value>(&text).ok().and_then(|v| v.as_object().cloned());
    renamed(all.unwrap_or_default())
}

/// Counters that were written under the former name of a rung, under its name.
fn renamed(mut all: Map<String, Value>) -> Map<String, Value> {
    for rung in Rung::ALL {
        let Some(former) = rung.former_name().and_then(|name| all.remove(name)) else { continue };
        let mut of = all.get(rung.name()).and_then(Value::as_object).cloned().unwrap_or_default();
        for (name, count) in former.as_object().into_iter().flatten() {
            bump(&mut of, name, count.as_u64().unwrap_or(0));
        }
        all.insert(rung.name().into(), Value::Object(of));
    }
    all
}

fn bump(map: &mut Map<String, Value>, name: &str, by: u64) {
    let before = map.get(name).and_then(Value::as_u64).unwrap_or(0);
    map.insert(name.into(), json!(before.saturating_add(by)));
}

/// The tally of a store, if it has one.
pub(crate) fn load(spec: &str) -> Option<Map<String, Value>> {
    let mut file = File::open(file_of(spec)?).ok()?;
    Some(read(&mut file)).filter(|all| !all.is_empty())
}

/// A table of it.
pub(crate) fn table(all: &Map<String, Value>) -> String {
    let number = |map: &Map<String, Value>, name: &str| map.get(name).and_then(Value::as_u64).unwrap_or(0);
    let mut text = format!(
        "  {} asked {} in {}, with {}\n  \
         {:<12}{:>10}{:>10}{:>9}{:>12}{:>12}\n",
        plural(number(all, "runs"), "run"),
        plural(number(all, "queries"), "query"),
        plural(number(all, "parts"), "part"),
        plural(number(all, "solved"), "solver call"),
        "rung",
        "tried",
        "hits",
        "yield",
        "µs a try",
        "passed by"
    );
    for rung in Rung::ALL {
        let Some(of) = all.get(rung.name()).and_then(Value::as_object) else { continue };
        let (tried, hits) = (number(of, "tried"), number(of, "hits"));
        let each = |n: u64| if tried == 0 { "-".into() } else { format!("{:.1}", n as f64 / tried as f64) };
        let yields =
            if tried == 0 { "-".into() } else { format!("{:.0}%", 100.0 * hits as f64 / tried as f64) };
        text += &format!(
            "  {:<12}{tried:>10}{hits:>10}{yields:>9}{:>12}{:>12}\n",
            rung.name(),
            each(number(of, "us")),
            number(of, "passed")
        );
    }
    text.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_names_of_rungs_are_read_and_written_under_the_new_ones() {
        let old = json!({ "runs": 2, "tried": { "tried": 5, "hits": 3 }, "varied": { "hits": 1 } });
        let all = renamed(old.as_object().unwrap().clone());
        assert_eq!(
            Value::Object(all.clone()),
            json!({
                "runs": 2,
                "enumerated": { "tried": 5, "hits": 3 },
                "nearby": { "hits": 1 },
            })
        );
        // A file that two versions have written has both.
        let mut both = all;
        both.insert("tried".into(), json!({ "tried": 1, "hits": 1 }));
        assert_eq!(renamed(both)["enumerated"], json!({ "tried": 6, "hits": 4 }));
    }

    #[test]
    fn runs_add_up_and_damage_starts_over() {
        let folder = std::env::temp_dir().join(format!("evergreen-tally-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let spec = folder.to_str().unwrap();
        let mut stats = Stats { queries: 3, slices: 5, solved: 1, ..Stats::default() };
        stats.rungs[Rung::Exact as usize].tried = 4;
        stats.rungs[Rung::Exact as usize].hits = 2;
        add(spec, &stats);
        add(spec, &stats);
        let all = load(spec).unwrap();
        assert_eq!((&all["runs"], &all["queries"], &all["exact"]["hits"]), (&json!(2), &json!(6), &json!(4)));
        assert!(table(&all).contains("50%"), "{}", table(&all));
        std::fs::write(file_of(spec).unwrap(), "nonsense").unwrap();
        add(spec, &stats);
        assert_eq!(load(spec).unwrap()["runs"], json!(1));
        // A run that asked nothing is no run; a store without a folder has no tally.
        add(spec, &Stats::default());
        assert_eq!(load(spec).unwrap()["runs"], json!(1));
        assert_eq!(file_of("memory:"), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
