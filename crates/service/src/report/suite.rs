//! What changed in the suites, for people and as JSON.

use super::plural;
use crate::suites::SPARE;
use crate::{Language, Totals, Within};
use evergreen_suite::{Affected, Moved, Retired, Update};
use serde_json::{Value, json};
use std::path::Path;

/// Tests that are listed one by one unless all are asked for.
const MOST: usize = 20;

/// How many of the changes are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// Every one.
    All,
    /// The first of them; with how the others are shown.
    First(&'static str),
}

/// As JSON.
pub fn json<L: Language>(update: &Update, totals: &Totals<L>) -> Value {
    let Update { kept, moved, retired, new, unreached, affected } = update;
    let moved = moved.iter().map(|moved| {
        let outcome = moved.outcome.as_ref().map(|(was, is)| json!({ "was": was, "is": is }));
        json!({ "test": moved.name, "path": moved.path, "outcome": outcome, "build": moved.build })
    });
    let retired = retired.iter().map(|retired| json!({ "test": retired.name, "reason": retired.reason }));
    let affected = affected.iter().map(|affected| {
        let Affected { method, after, before, tests } = affected;
        json!({ "method": method, "after": after, "before": before, "tests": tests })
    });
    json!({
        "kept": kept.len(),
        "moved": moved.collect::<Vec<Value>>(),
        "retired": retired.collect::<Vec<Value>>(),
        "new": new,
        "unreached": unreached,
        "affected": affected.collect::<Vec<Value>>(),
        "queries": totals.queries,
        "by_tests": totals.by_seed,
        "by_store": totals.asked.without_solver(),
        "trusted": totals.trusted,
        "solver_calls": totals.stats.solved + totals.shrinking.solved,
        "settling_calls": totals.settling().solver,
        "within": totals.within.words(),
    })
}

/// In words.
pub fn lines<L: Language>(update: &Update, totals: &Totals<L>, place: &Path, listed: Listed) -> Vec<String> {
    let all = listed == Listed::All;
    let Update { kept, moved, retired, new, unreached, affected } = update;
    let mut lines = vec![format!(
        "suite {}: kept {}, moved {}, retired {}, new {}{}{}",
        place.display(),
        kept.len(),
        moved.len(),
        retired.len(),
        new.len(),
        if unreached.is_empty() { String::new() } else { format!(", not reached {}", unreached.len()) },
        totals.within.tail("; ")
    )];
    let some = |n: u64, what: &str| if n == 0 { String::new() } else { format!(", {n} {what}") };
    let trusted = some(totals.trusted, "taken for infeasible because no test takes them");
    let outside = some(totals.out_of_range, "outside the range");
    let open = some(totals.asked.open(), "undecided");
    let settling = match totals.settling().solver {
        0 => String::new(),
        n => format!(", {n} more to settle inputs"),
    };
    lines.push(format!(
        "{}: {} needed no question, {} answered by tests, {} by reuse, \
             {} by a solver{open}{trusted}{outside}; {}{settling}",
        plural(totals.queries, "query"),
        totals.by_model + totals.by_complement,
        totals.by_seed,
        totals.asked.without_solver(),
        totals.asked.solved(),
        plural(totals.stats.solved + totals.shrinking.solved, "solver call")
    ));
    // A test that goes for a reason of its own is always listed; spare ones may be thousands.
    let (spare, others): (Vec<&Retired>, Vec<&Retired>) =
        retired.iter().partition(|retired| retired.reason == SPARE);
    let listed_spare = if all { spare.len() } else { spare.len().min(MOST) };
    let gone = others.into_iter().chain(spare.iter().take(listed_spare).copied());
    lines.extend(gone.map(|retired| format!("  retired  {}: {}", retired.name, retired.reason)));
    if spare.len() > listed_spare {
        lines.push(format!("  retired  {} more: {SPARE}", spare.len() - listed_spare));
    }
    let one_by_one = moved.iter().map(|moved| format!("  moved    {}: {}", moved.name, what(moved)));
    // The first run makes them all.
    let is_first = kept.is_empty() && moved.is_empty() && retired.is_empty() && unreached.is_empty();
    let names = new.iter().filter(|_| all || !is_first);
    let ranges = affected.iter().filter(|_| !is_first).map(range);
    let rest: Vec<String> =
        one_by_one.chain(names.map(|name| format!("  new      {name}"))).chain(ranges).collect();
    let shown = if all { rest.len() } else { rest.len().min(MOST) };
    let left_out = rest.len() - shown;
    lines.extend(rest.into_iter().take(shown));
    if let (Listed::First(how), 1..) = (listed, left_out) {
        lines.push(format!("  and {left_out} more ({how})"));
    }
    lines
}

/// What is different.
fn what(moved: &Moved) -> String {
    let mut all = Vec::new();
    if let Some((was, is)) = &moved.outcome {
        all.push(format!("{is}, before {was}"));
    }
    if moved.path {
        all.push("another path".into());
    }
    if moved.build {
        all.push("other calls make its objects".into());
    }
    all.join("; ")
}

/// A range of paths.
fn range(affected: &Affected) -> String {
    let count = match affected.tests.len() {
        1 => "1 path".to_string(),
        n => format!("{n} paths"),
    };
    let after = affected.after.as_ref().map_or("from the first path".into(), |test| format!("after {test}"));
    let before = affected.before.as_ref().map_or("to the last path".into(), |test| format!("before {test}"));
    format!("  affected {}: {count} {after}, {before}", affected.method)
}
