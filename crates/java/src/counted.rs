//! What reports of Java show beyond those of other languages: what lazy heaps cost, what tests cover.

use crate::{Totals, source_of};
use evergreen_replay::{ClassCoverage, Coverage, Share};
use evergreen_service::report::html::grouped;
use evergreen_service::report::{ArmMark, BranchMark, Cell, LineMark, More, Source, Table};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

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

/// Classes that the summary lists, and lines of each that it lists as missed. The page has all.
const LISTED: (usize, usize) = (100, 50);

/// What reports show of coverage, in all, class by class and in the sources; of none, that there is none.
/// `targets` are what the user named to be explored: sources are looked for there.
pub fn covered(coverage: Option<&Coverage>, targets: &[PathBuf]) -> More {
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
        sources: sources(coverage, targets),
    }
}

/// The sources of the classes, each with what was covered in all classes that it has.
fn sources(coverage: &Coverage, targets: &[PathBuf]) -> Vec<Source> {
    let mut all: BTreeMap<PathBuf, (Share, BTreeMap<u32, LineMark>)> = BTreeMap::new();
    for class in &coverage.classes {
        let Some(file) = &class.source else { continue };
        let path = source_of(targets, &class.class.replace('.', "/"), file);
        let (branches, marks) = all.entry(path).or_default();
        branches.covered += class.branches.covered;
        branches.total += class.branches.total;
        for (line, reached) in &class.reached {
            marks.entry(u32::from(*line)).or_default().executed |= reached;
        }
        for (line, arms) in &class.arms {
            let arms = arms.iter().map(|taken| ArmMark { taken: *taken, to: None }).collect();
            marks.entry(u32::from(*line)).or_default().branches.push(BranchMark { column: 0, arms });
        }
    }
    let shown = |(path, (branches, lines)): (PathBuf, (Share, BTreeMap<u32, LineMark>))| {
        let covered = lines.values().filter(|mark| mark.executed).count();
        let about = format!("lines {}, branches {branches}", Share { covered, total: lines.len() });
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Source { name, path, about, lines }
    };
    all.into_iter().map(shown).collect()
}

fn coverage_json(all: &Coverage) -> Value {
    let share = |share: Share| json!({ "covered": share.covered, "total": share.total });
    let class = |class: &ClassCoverage| {
        let (lines, branches) = (share(class.lines), share(class.branches));
        json!({
            "class": class.class,
            "lines": lines,
            "branches": branches,
            "missed": class.missed_lines.len(),
            "missed_lines": class.missed_lines.iter().take(LISTED.1).collect::<Vec<_>>(),
        })
    };
    let classes: Vec<Value> = all.classes.iter().take(LISTED.0).map(class).collect();
    let left_out = all.classes.len() - classes.len();
    json!({
        "lines": share(all.lines()),
        "branches": share(all.branches()),
        "methods": { "branches": share(all.methods) },
        "classes": classes,
        "classes_left_out": left_out,
    })
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

    fn class(name: &str, lines: u16) -> ClassCoverage {
        let reached: BTreeMap<u16, bool> = (1..=lines).map(|line| (line, line == 1)).collect();
        ClassCoverage {
            class: name.into(),
            source: Some("Cart.java".into()),
            lines: Share { covered: 1, total: lines.into() },
            branches: Share { covered: 1, total: 2 },
            missed_lines: (2..=lines).collect(),
            arms: vec![(1, vec![true, false])],
            reached,
            missed_arms: vec![1],
            unprobed: vec![],
        }
    }

    #[test]
    fn the_summary_is_bounded_and_says_what_it_leaves_out() {
        let classes = (0..105).map(|n| class(&format!("shop.C{n}"), 300)).collect();
        let all = coverage_json(&Coverage { classes, methods: Share::default() });
        assert_eq!(all["classes"].as_array().map(Vec::len), Some(100));
        assert_eq!(all["classes_left_out"], 5);
        assert_eq!(all["lines"], json!({ "covered": 105, "total": 105 * 300 }));
        let first = &all["classes"][0];
        assert_eq!(
            (&first["missed"], first["missed_lines"].as_array().map(Vec::len)),
            (&json!(299), Some(50))
        );
    }

    #[test]
    fn classes_of_a_source_are_shown_in_it() {
        let classes = vec![class("shop.Cart", 3), class("shop.Cart$Item", 4)];
        let more = covered(Some(&Coverage { classes, methods: Share::default() }), &[]);
        assert_eq!(more.sources.len(), 1);
        let source = &more.sources[0];
        assert_eq!(source.path, PathBuf::from("shop/Cart.java"));
        assert_eq!(source.about, "lines 1/4  25%, branches 2/4  50%");
        let executed: Vec<bool> = source.lines.values().map(|mark| mark.executed).collect();
        assert_eq!(executed, [true, false, false, false]);
        assert_eq!(source.lines[&1].branches.iter().map(BranchMark::taken).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn lines_are_in_ranges() {
        assert_eq!([ranges(&[3, 4, 5, 9, 65_535]), ranges(&[])], ["3–5, 9, 65535", ""]);
        assert!(ranges(&(0..200).map(|n| n * 2).collect::<Vec<_>>()).ends_with("58, …"));
    }
}
