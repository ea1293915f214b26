//! The tables of `evergreen-lab study incremental`: for a terminal, for a document, for machines.

use super::{AIM, BOTH, COLD, CORES, NONE, Outcome, RUNS, SMALL};
use crate::flags::IncrementalStudy;
use crate::say::say;
use crate::study::explored::{Core, Counted};
use crate::study::table::{Row, markdown};
use serde_json::{Value, json};

/// What a column shows of a run.
type Shown = fn(&Counted) -> u64;

/// Prints the outcome as the flags ask for it.
pub(super) fn print(flags: &IncrementalStudy, outcomes: &[Outcome]) -> Result<(), String> {
    if flags.json {
        say(&to_json(outcomes).to_string());
    } else {
        say(body(outcomes).trim_end());
    }
    for outcome in outcomes {
        for fault in &outcome.faults {
            crate::say::warn(&format!("{} {}: {fault}", outcome.subject, outcome.version));
        }
    }
    match &flags.out {
        Some(path) => crate::study::file::write(path, document(flags, outcomes).as_bytes()),
        None => Ok(()),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// The share that is saved, if there was something to save.
fn saved(cold: u64, left: u64) -> Option<f64> {
    (cold > 0).then(|| 1.0 - left as f64 / cold as f64)
}

fn saved_text(cold: u64, left: u64) -> String {
    saved(cold, left).map_or("-".into(), percent)
}

fn row(cells: impl IntoIterator<Item = impl ToString>) -> Row {
    cells.into_iter().map(|cell| cell.to_string()).collect()
}

/// One table: a number of each run, who decides being the same.
fn table(outcomes: &[&Outcome], core: usize, shown: Shown) -> String {
    let head =
        ["version", "touched", "paths", "queries"].into_iter().chain(RUNS).chain(["saved of all", "of cold"]);
    let mut rows = vec![row(head)];
    let mut sums = [0; 5];
    let mut both_sums = (0, 0);
    for outcome in outcomes {
        let runs = &outcome.by_core[core];
        let numbers = runs.each_ref().map(shown);
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        both_sums.0 += runs[COLD].paths;
        both_sums.1 += runs[COLD].queries;
        let name = format!("{} {}", outcome.subject, outcome.version);
        let mut cells = vec![name, percent(outcome.touched.share())];
        cells.extend([runs[COLD].paths.to_string(), runs[COLD].queries.to_string()]);
        cells.extend(numbers.map(|number| number.to_string()));
        cells.extend([NONE, COLD].map(|from| saved_text(numbers[from], numbers[BOTH])));
        rows.push(cells);
    }
    let mut last = vec!["all".to_string(), String::new(), both_sums.0.to_string(), both_sums.1.to_string()];
    last.extend(sums.map(|sum| sum.to_string()));
    last.extend([NONE, COLD].map(|from| saved_text(sums[from], sums[BOTH])));
    rows.push(last);
    markdown(&rows)
}

/// Sums by kind of change.
fn summary(outcomes: &[Outcome]) -> String {
    let head = ["versions", "number"].into_iter().chain(RUNS);
    let mut rows =
        vec![row(head.chain(["saved of all", "least", "of cold", "least", "time saved of all", "of cold"]))];
    let mut add = |name: &str, of: &dyn Fn(&Outcome) -> bool| {
        let chosen: Vec<&Outcome> = outcomes.iter().filter(|outcome| of(outcome)).collect();
        for (core, who) in [(1, "solver"), (0, "native")] {
            rows.push(sum(&format!("{name}, {who}"), &chosen, core));
        }
    };
    add("unchanged", &|o| o.is_unchanged());
    add("small changes", &|o| o.is_small());
    for kind in super::subjects::KINDS {
        add(kind, &|o| o.version == kind);
    }
    add("all changes", &|o| !o.is_unchanged());
    markdown(&rows)
}

/// A row of sums: solver calls without a native core, what is decided afresh with it.
fn sum(name: &str, chosen: &[&Outcome], core: usize) -> Row {
    let mut runs: [Counted; 5] = Default::default();
    for outcome in chosen {
        runs.iter_mut().zip(&outcome.by_core[core]).for_each(|(sum, run)| sum.add(run));
    }
    let shown: Shown = if CORES[core] == Core::Solver { |run| run.calls } else { Counted::afresh };
    let numbers = runs.each_ref().map(shown);
    let mut cells = vec![name.to_string(), chosen.len().to_string()];
    cells.extend(numbers.map(|number| number.to_string()));
    for from in [NONE, COLD] {
        let each = chosen.iter().filter_map(|outcome| {
            let runs = &outcome.by_core[core];
            saved(shown(&runs[from]), shown(&runs[BOTH]))
        });
        let least = each.fold(None, |least: Option<f64>, share| Some(least.map_or(share, |l| l.min(share))));
        cells.push(saved_text(numbers[from], numbers[BOTH]));
        cells.push(least.map_or("-".into(), percent));
    }
    for from in [NONE, COLD] {
        let (before, after) = (runs[from].time.as_secs_f64(), runs[BOTH].time.as_secs_f64());
        cells.push(if before > 0.0 { percent(1.0 - after / before) } else { "-".into() });
    }
    cells
}

/// How many small changes save as much as is aimed at.
fn aim(outcomes: &[Outcome]) -> String {
    let small: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.is_small()).collect();
    let met = |core: usize, from: usize, shown: Shown| {
        let reached = |outcome: &&&Outcome| {
            let runs = &outcome.by_core[core];
            saved(shown(&runs[from]), shown(&runs[BOTH])).is_none_or(|share| share >= AIM)
        };
        small.iter().filter(reached).count()
    };
    let subjects: std::collections::BTreeSet<&str> = small.iter().map(|outcome| outcome.subject).collect();
    format!(
        "{} changes, of {} subjects, touch under {} of the paths. Without a native core {} of them save at \
         least {} of the solver \
         calls of an exploration without reuse, and {} as much of a cold one's. With the native core {} \
         save as much of a cold one's solver calls, and {} of what it decides afresh.\n",
        small.len(),
        subjects.len(),
        percent(SMALL),
        met(1, NONE, |run| run.calls),
        percent(AIM),
        met(1, COLD, |run| run.calls),
        met(0, COLD, |run| run.calls),
        met(0, COLD, Counted::afresh),
    )
}

/// Where answers come from when suite and store are known.
fn sources(outcomes: &[&Outcome], core: usize) -> String {
    let head = [
        "version", "queries", "by model", "by tests", "asked", "trivial", "by store", "native", "solver",
        "settling",
    ];
    let mut rows = vec![row(head)];
    for outcome in outcomes {
        let run = &outcome.by_core[core][BOTH];
        let numbers = [
            run.queries,
            run.by_model,
            run.by_tests,
            run.asked,
            run.trivial,
            run.by_store,
            run.native,
            run.calls,
            run.settling,
        ];
        let mut cells = vec![format!("{} {}", outcome.subject, outcome.version)];
        cells.extend(numbers.map(|number| number.to_string()));
        rows.push(cells);
    }
    markdown(&rows)
}

fn times(outcomes: &[&Outcome]) -> String {
    let by = |who: &str| RUNS.map(|run| format!("{run}, {who}"));
    let head = std::iter::once("version".to_string()).chain(by("solver")).chain(by("native"));
    let mut rows = vec![head.collect::<Row>()];
    for outcome in outcomes {
        let mut cells = vec![format!("{} {}", outcome.subject, outcome.version)];
        for core in [1, 0] {
            cells.extend(outcome.by_core[core].iter().map(|run| format!("{:.2}", run.time.as_secs_f64())));
        }
        rows.push(cells);
    }
    markdown(&rows)
}

fn body(outcomes: &[Outcome]) -> String {
    let all: Vec<&Outcome> = outcomes.iter().collect();
    format!(
        "## Summary\n\n{}\n{}\n\
         ## Solver calls without a native core\n\n{}\n\
         ## Decided afresh with the native core\n\n{}\n\
         ## Solver calls with the native core\n\n{}\n\
         ## Where answers come from with suite and store, without a native core\n\n{}\n\
         ## Where answers come from with suite and store, with the native core\n\n{}\n\
         ## Seconds\n\n{}",
        summary(outcomes),
        aim(outcomes),
        table(&all, 1, |run| run.calls),
        table(&all, 0, Counted::afresh),
        table(&all, 0, |run| run.calls),
        sources(&all, 1),
        sources(&all, 0),
        times(&all),
    )
}

fn document(flags: &IncrementalStudy, outcomes: &[Outcome]) -> String {
    let only: String = flags.only.iter().map(|o| format!(" --only '{o}'")).collect();
    let solver = if flags.solver == "z3" { String::new() } else { format!(" --solver '{}'", flags.solver) };
    format!(
        "# What a change costs\n\n\
         Made by `evergreen-lab study incremental{solver}{only}`. Counts are the same on each run; times \
         are one machine's, which had other\n\
         things to do.\n\n\
         Each version of a subject (subjects/README.md) is explored five times: without any reuse, where \
         every question is decided; from\n\
         nothing (cold), where answers are reused within the run; with the store that exploring v0 has \
         filled; with the tests of v0 as\n\
         seeds and an empty store (suite); and with both. All find the same paths in the same order, or the \
         study fails. `v0` is the program\n\
         unchanged: with suite and store it may not make a solver call, if no bound cuts it (Euclid's loop \
         does not end; what is cut has no\n\
         test, and arms that lead only there are asked about again).\n\n\
         - *touched*: the share of paths of v0 that the version has no more, or of its paths that v0 has \
         not, whichever is greater. A path\n\
           is the same if its conditions are (parameters by number) and the old test ends as before.\n\
         - *queries*: arms of branches that depend on inputs.\n\
         - *solver calls*: independent parts of queries that a solver process was given, those that it \
         could not decide included. An\n\
           answer of canonizing, of the native core, of a test (as it is, or with a few of its inputs \
           moved) or of the store (one record,\n\
           or several that refute a part together) is none.\n\
         - *settling*: calls beside these, which settle the inputs of a path that is found (docs/jobs.md). \
         Where conditions are linear\n\
           there are none, also without a native core: it is questions that are not answered natively then.\n\
         - *decided afresh*: solver calls and answers of the native core: the work that reuse did not save. \
         The native core comes before\n\
           the store, for it is faster than a look-up.\n\
         - *saved of all*: 1 - (suite + store) / (no reuse); *of cold*: 1 - (suite + store) / cold.\n\n\
         The paper reports 67% fewer queries, 80% less solver time and 73% less time [Makhdoom \
         ASE'14].\n\n{}",
        body(outcomes)
    )
}

fn to_json(outcomes: &[Outcome]) -> Value {
    let run = |(name, run): (&str, &Counted)| {
        json!({
            "run": name, "paths": run.paths, "queries": run.queries, "by_model": run.by_model,
            "by_tests": run.by_tests,
            "asked": run.asked, "trivial": run.trivial, "native": run.native, "by_store": run.by_store,
            "calls": run.calls, "settling": run.settling,
            "afresh": run.afresh(), "time_ms": run.time.as_secs_f64() * 1e3,
        })
    };
    let runs = |runs: &[Counted; 5]| RUNS.into_iter().zip(runs).map(run).collect::<Vec<Value>>();
    let version = |outcome: &Outcome| {
        json!({
            "subject": outcome.subject, "version": outcome.version, "touched": outcome.touched.share(),
            "gone": outcome.touched.old.1, "of_old": outcome.touched.old.0,
            "new": outcome.touched.new.1, "of_new": outcome.touched.new.0,
            "native": runs(&outcome.by_core[0]), "solver": runs(&outcome.by_core[1]),
            "faults": outcome.faults,
        })
    };
    json!({ "versions": outcomes.iter().map(version).collect::<Vec<Value>>() })
}
