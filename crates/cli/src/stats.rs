//! One JSON object per run, for people who want to see whether it works.

use evergreen::{AnsweredBy, Rung, SessionStats, Stage, Stats};
use evergreen_java::report::plural;
use serde_json::json;
use std::fs::OpenOptions;
use std::io::Write;
use std::time::Duration;

/// A file to append to; `-` is standard error.
pub(crate) fn sink(place: &str) -> Result<Box<dyn Write>, String> {
    if place == "-" || place == "stderr" {
        return Ok(Box::new(std::io::stderr()));
    }
    let file = OpenOptions::new().create(true).append(true).open(place);
    file.map(|f| Box::new(f) as Box<dyn Write>).map_err(|e| format!("{place}: {e}"))
}

/// Appends the object of a run.
pub(crate) fn append(place: &str, stats: &SessionStats, elapsed: Duration, file: &str) -> Result<(), String> {
    let e = &stats.engine;
    let mut stages = serde_json::Map::new();
    for stage in Stage::ALL {
        stages.insert(format!("{}_us", stage.name()), json!(e.stage(stage).as_micros() as u64));
    }
    let mut reused = serde_json::Map::new();
    let mut rungs = serde_json::Map::new();
    for rung in Rung::ALL {
        let r = e.rung(rung);
        reused.insert(rung.name().into(), json!(r.hits));
        let shown =
            json!({ "tried": r.tried, "hits": r.hits, "passed": r.passed, "us": r.time.as_micros() as u64 });
        rungs.insert(rung.name().into(), shown);
    }
    let mut answered: serde_json::Map<String, serde_json::Value> =
        e.answered.iter().map(|(by, count)| (by.name().into(), json!(count))).collect();
    answered.insert("passed_through".into(), json!(stats.passed_through));
    let object = json!({
        "file": file,
        "queries": stats.queries(),
        "answered": answered,
        "slices": e.slices,
        "reused": reused,
        "rungs": rungs,
        "solved": e.solved + stats.passed_through,
        "unknown": e.unknown,
        "recorded": e.recorded,
        "recorded_cores": e.cores,
        "rejected": e.rejected,
        "distrusted": e.distrusted,
        "contradicted": e.contradicted,
        "looks": e.looks,
        "audits": {
            "asked": e.audits.asked, "undecided": e.audits.undecided, "contradicted": e.audits.contradicted,
        },
        "counts": counts(e),
        "passed_through": stats.passed_through,
        "opaque_commands": stats.opaque_commands,
        "solver_starts": stats.solver_starts,
        "time_saved_ms": e.saved.as_secs_f64() * 1e3,
        "time_ms": elapsed.as_secs_f64() * 1e3,
        "stages": stages,
    });
    // One write, so that objects of processes that end together do not mix.
    let line = format!("{}\n", crate::say::shown_json(&object.to_string()));
    sink(place)?.write_all(line.as_bytes()).map_err(|e| format!("{place}: {e}"))
}

fn counts(stats: &Stats) -> serde_json::Value {
    let c = &stats.counts;
    json!({
        "queries": c.queries, "cases": c.cases, "components": c.components, "reused": c.reused,
        "sub_counts": c.sub_counts, "sub_reused": c.sub_reused, "steps": c.steps,
    })
}

/// A few words about a run that counted; none with `--quiet`.
pub(crate) fn count_summary(stats: &Stats, elapsed: Duration) {
    if crate::say::is_quiet() {
        return;
    }
    let c = &stats.counts;
    crate::say::warn(&format!(
        "{} cases: {} components, {} reused; {} sub-counts, {} reused; {:.3} ms, saved {:.3} ms",
        c.cases,
        c.components,
        c.reused,
        c.sub_counts,
        c.sub_reused,
        elapsed.as_secs_f64() * 1e3,
        stats.saved.as_secs_f64() * 1e3,
    ));
}

/// A few words about the run; none with `--quiet`.
pub(crate) fn summary(stats: &SessionStats, elapsed: Duration) {
    if crate::say::is_quiet() {
        return;
    }
    let e = &stats.engine;
    let missing = match e.answered.by(AnsweredBy::Missing) {
        0 => String::new(),
        n => format!(", {n} not in the store"),
    };
    crate::say::warn(&format!(
        "{}: {} answered without a solver, {} solved, {} unknown{missing}; {}, {}, {}; {:.1} ms, of which \
         solving {:.1} ms; saved {:.1} ms",
        plural(stats.queries(), "query"),
        e.answered.without_solver(),
        stats.solved(),
        e.answered.by(AnsweredBy::Unknown),
        plural(e.slices, "part"),
        plural(e.solved + stats.passed_through, "solver call"),
        plural(stats.solver_starts, "solver process"),
        elapsed.as_secs_f64() * 1e3,
        e.stage(Stage::Solve).as_secs_f64() * 1e3,
        e.saved.as_secs_f64() * 1e3,
    ));
    if e.audits.asked > 0 {
        crate::say::warn(&format!(
            "  audited {} reused answers: {} contradicted, {} undecided",
            e.audits.asked, e.audits.contradicted, e.audits.undecided,
        ));
    }
    for rung in Rung::ALL.into_iter().filter(|&r| e.rung(r).tried + e.hits(r) > 0) {
        let r = e.rung(rung);
        crate::say::warn(&format!(
            "  {:<10} {} in {}, {:.3} ms{}",
            rung.name(),
            plural(r.hits, "hit"),
            plural(r.tried.max(r.hits), "try"),
            r.time.as_secs_f64() * 1e3,
            if r.passed > 0 {
                format!("; passed by {}, it did not pay", plural(r.passed, "time"))
            } else {
                String::new()
            },
        ));
    }
}
