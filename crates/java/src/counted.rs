//! What reports of Java show beyond those of other languages: what lazy heaps cost, what tests cover.

use crate::Totals;
use evergreen_replay::{ClassCoverage, Coverage, Share};
use evergreen_service::report::html::grouped;
use evergreen_service::report::{Cell, More, Table};
use serde_json::{Map, Value, json};

/// What lazy heaps cost.
pub(crate) fn counted(totals: &Totals) -> More {
    let lazy = &totals.machine.lazy;
    let heap = json!({
        "considered": lazy.considered,
        "pruned": lazy.pruned,
        "checks": lazy.checks,
        "given_up": lazy.given_up,
        "known": lazy.known,
        "scoped": lazy.scoped,
        "by_bounds": lazy.by_bounds,
        "by_labels": lazy.by_labels,
        "by_precondition": lazy.by_precondition,
        "by_feasibility": lazy.by_feasibility,
        "sat_calls": lazy.sat_calls,
        "tests": totals.graphs.0,
        "built_by_calls": totals.graphs.1,
    });
    let fields = Map::from_iter([("heap".to_string(), heap)]);
    if lazy.considered == 0 {
        return More { fields, ..More::default() };
    }
    let cards = vec![
        (grouped(lazy.considered), "values of references considered"),
        (grouped(lazy.pruned), "of them pruned"),
        (grouped(totals.invalid), "paths that no valid object takes"),
    ];
    let by_checks = lazy.pruned
        - (lazy.by_bounds + lazy.by_labels + lazy.by_precondition + lazy.by_feasibility).min(lazy.pruned);
    let rows = [
        ("considered", lazy.considered),
        ("pruned by field bounds", lazy.by_bounds),
        ("pruned by labels", lazy.by_labels),
        ("pruned by the invariant on what is known", lazy.by_precondition),
        ("pruned because nothing valid has them", lazy.by_feasibility),
        ("pruned by the class's own check", by_checks),
        ("runs of the class's own check", lazy.checks),
        ("questions to the SAT solver", lazy.sat_calls),
        ("reads at which the scope kept a new object away", lazy.scoped),
    ];
    let rows = rows.into_iter().filter(|(_, count)| *count > 0);
    let rows = rows.map(|(name, count)| vec![Cell::Words(name.into()), Cell::Number(count)]).collect();
    let tables = vec![Table { head: vec!["values of references", "times"], rows }];
    More { fields, cards, tables, ..More::default() }
}

/// What reports show of coverage, in all and class by class; of none, that there is none.
pub fn covered(coverage: Option<&Coverage>) -> More {
    let fields = Map::from_iter([("coverage".to_string(), json!(coverage.map(coverage_json)))]);
    let Some(coverage) = coverage else { return More { fields, ..More::default() } };
    let (lines, branches) = (coverage.lines(), coverage.branches());
    let row = |class: &ClassCoverage| {
        let note = match ranges(&class.missed_lines) {
            none if none.is_empty() => none,
            missed => format!("not covered: {missed}"),
        };
        let share = |share: Share| Cell::Share(share.covered as u64, share.total as u64);
        vec![Cell::Code(class.class.clone(), note), share(class.lines), share(class.branches)]
    };
    let rows = coverage.classes.iter().map(row).collect();
    More {
        fields,
        cards: vec![(lines.to_string(), "lines covered"), (branches.to_string(), "branches covered")],
        tables: vec![Table { head: vec!["class", "lines", "branches"], rows }],
        facts: vec![format!("they cover {lines} of the lines and {branches} of the branches")],
        ..More::default()
    }
}

fn coverage_json(all: &Coverage) -> Value {
    let share = |share: Share| json!({ "covered": share.covered, "total": share.total });
    let class = |class: &ClassCoverage| {
        let (lines, branches) = (share(class.lines), share(class.branches));
        json!({
            "class": class.class,
            "lines": lines,
            "branches": branches,
            "missed_lines": class.missed_lines,
        })
    };
    let classes: Vec<Value> = all.classes.iter().map(class).collect();
    json!({ "lines": share(all.lines()), "branches": share(all.branches()), "classes": classes })
}

/// Lines in a few words: `3–5, 9`.
fn ranges(lines: &[u16]) -> String {
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(line) => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let more = if ranges.len() > 30 { ", …" } else { "" };
    let shown = ranges
        .iter()
        .take(30)
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}–{last}") });
    shown.collect::<Vec<_>>().join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_ranges() {
        assert_eq!([ranges(&[3, 4, 5, 9, 65_535]), ranges(&[])], ["3–5, 9, 65535", ""]);
        assert!(ranges(&(0..200).map(|n| n * 2).collect::<Vec<_>>()).ends_with("58, …"));
    }
}
