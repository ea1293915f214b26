//! The numbers of a run, as HTML: findings, what was not explored and why, questions, coverage of the tests.

use super::super::junit::Divergence;
use super::super::totals::{Explored, Totals};
use super::{clipped, escape, inputs};
use crate::within::Within;
use evergreen_java::jvm::InputBound;
use evergreen_java::replay::Share;
use evergreen_java::{Summary, Tally};
use std::fmt::Write;

fn plural(n: u64, word: &str) -> String {
    let ending = match (n, word) {
        (1, _) => "",
        (_, "branch") => "es",
        _ => "s",
    };
    format!("{} {word}{ending}", grouped(n))
}

/// A number with commas.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// What cut, and how often.
fn cut(bound: &str, count: u64) -> String {
    match bound {
        "scope" => format!("the scope kept new objects from being made at {}", plural(count, "read")),
        "interrupt" => format!("an interrupt cut {}", grouped(count)),
        "depth" | "loops" | "steps" | "paths" | "time" | "memory" => {
            format!("--{bound} cut {}", grouped(count))
        }
        other => format!("{} cut {}", other.replace('_', " "), grouped(count)),
    }
}

/// One sentence on everything, and one for each reason why paths are missing.
pub fn verdict(totals: &Totals) -> String {
    let findings = plural(totals.findings, "finding");
    let class = if totals.findings > 0 { "bad" } else { "good" };
    let all = if totals.explored() == Explored::All { "good" } else { "warn" };
    let whole = format!("<span class=\"{all}\">{}</span>", escape(&totals.whole()));
    let mut out = format!(
        "<p class=\"verdict\"><span class=\"{class}\">{findings}</span> on {} of {}, {whole}, {:.2} s</p>\n",
        plural(totals.paths, "path"),
        plural(totals.methods, "method"),
        totals.elapsed.as_secs_f64()
    );
    let missing = missing(totals);
    if !missing.is_empty() {
        out += "<ul class=\"missing\">\n";
        for line in missing {
            let _ = writeln!(out, "<li>{}</li>", escape(&clipped(&line)));
        }
        out += "</ul>\n";
    }
    out
}

/// Why paths are missing.
fn missing(totals: &Totals) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(totals.cut.iter().map(|(bound, count)| cut(bound, *count)));
    if totals.undecided > 0 {
        let why = totals.reasons.join("; ");
        lines.push(format!("{} undecided: {why}", plural(totals.undecided, "arm")));
    }
    let counts = [
        (totals.unsupported, "path", "that the machine could not follow (see the methods below)"),
        (totals.failed, "method", "that could not be explored"),
        (totals.not_begun, "method", "that was not begun"),
        (totals.empty, "method", "without a path: no input fits (see the methods below)"),
        (totals.doubtful, "path", "for which it is undecided whether a valid object takes them"),
        (
            totals.disagrees,
            "path",
            "on which the invariant and the class's own check disagree (see the methods below)",
        ),
        (totals.stuck, "branch", "without a feasible arm: a bug of Evergreen's, please report it"),
        (
            totals.wrong_models.len() as u64,
            "model",
            "that did not hold: a bug of Evergreen's, please report it",
        ),
    ];
    for (count, word, what) in counts {
        if count > 0 {
            lines.push(format!("{} {what}", plural(count, word)));
        }
    }
    lines.extend(totals.within.left_out());
    lines.extend(totals.error.clone());
    lines
}

/// Tests that the JVM took differently.
pub fn divergences(all: &[Divergence]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut out =
        String::from("<h2>Divergences from the JVM (bugs of Evergreen's, please report them)</h2>\n<ul>\n");
    for divergence in all.iter().take(50) {
        let _ = writeln!(
            out,
            "<li><code>{}</code> {}: {}</li>",
            escape(&divergence.test),
            inputs(&divergence.inputs),
            escape(&clipped(&divergence.what))
        );
    }
    out += "</ul>\n";
    if all.len() > 50 {
        let _ = writeln!(out, "<p class=\"note\">and {} more</p>", all.len() - 50);
    }
    out
}

/// Cards and tables.
pub fn numbers(totals: &Totals) -> String {
    let mut out = String::from("<h2 id=\"numbers\">Numbers</h2>\n<div class=\"cards\">\n");
    let mut card = |value: String, name: &str| {
        let _ =
            writeln!(out, "<div class=\"card\"><b>{}</b><span>{}</span></div>", escape(&value), escape(name));
    };
    card(grouped(totals.paths), "paths");
    card(grouped(totals.findings), "findings");
    card(grouped(totals.queries), "arms at branches");
    card(grouped(totals.asked.total()), "questions asked");
    card(grouped(totals.asked.without_solver()), "answered without a solver");
    card(grouped(totals.asked.solved()), "answered by a solver");
    if totals.replayed > 0 {
        card(grouped(totals.replayed), "tests replayed on the JVM");
        card(grouped(totals.divergences), "divergences");
    }
    if let Some(coverage) = &totals.coverage {
        card(coverage.lines().to_string(), "lines covered");
        card(coverage.branches().to_string(), "branches covered");
    }
    if totals.machine.lazy.considered > 0 {
        card(grouped(totals.machine.lazy.considered), "values of references considered");
        card(grouped(totals.machine.lazy.pruned), "of them pruned");
        card(grouped(totals.invalid), "paths that no valid object takes");
    }
    out += "</div>\n<div class=\"columns\">\n";
    out += &reuse(totals);
    out += &coverage(totals);
    out += &heap(totals);
    out += "</div>\n";
    out
}

/// The sources of answers.
fn reuse(totals: &Totals) -> String {
    let mut out = String::from(
        "<table><thead><tr><th>arms decided by</th><th class=\"n\">times</th></tr></thead><tbody>\n",
    );
    let mut row = |name: &str, count: u64| {
        let _ = writeln!(out, "<tr><td>{}</td><td class=\"n\">{}</td></tr>", escape(name), grouped(count));
    };
    row("the model of the path", totals.by_model);
    row("the other arms being infeasible", totals.by_complement);
    if totals.by_seed > 0 {
        row("old tests", totals.by_seed);
    }
    if totals.left_out() > 0 {
        row("left out: outside the range, or trusted to be infeasible", totals.left_out());
    }
    for (by, count) in totals.asked.iter().filter(|(by, count)| by.is_answer() && *count > 0) {
        row(&format!("a question: {}", by.name()), count);
    }
    row("none: undecided", totals.asked.open());
    row("all", totals.queries);
    out += "</tbody></table>\n";
    out += "<table><thead><tr><th>what it took</th><th class=\"n\">times</th></tr></thead><tbody>\n";
    let mut row = |name: &str, count: u64| {
        let _ = writeln!(out, "<tr><td>{}</td><td class=\"n\">{}</td></tr>", escape(name), grouped(count));
    };
    row("calls of the solver for arms and objects", totals.stats.solved);
    if totals.settling().solver > 0 {
        row("calls of the solver to settle inputs", totals.settling().solver);
    }
    if totals.shrinking.queries > 0 {
        row("questions to make inputs of findings small", totals.shrinking.queries);
        row("of these, solved", totals.shrinking.answered.solved());
    }
    row("solver processes", totals.solver_starts);
    row("arms that are infeasible", totals.infeasible);
    out += "</tbody></table>\n";
    out
}

/// What lazy objects cost.
fn heap(totals: &Totals) -> String {
    let lazy = &totals.machine.lazy;
    if lazy.considered == 0 {
        return String::new();
    }
    let mut out = String::from(
        "<table><thead><tr><th>values of references</th><th class=\"n\">times</th></tr></thead><tbody>\n",
    );
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
    for (name, count) in rows.into_iter().filter(|(_, count)| *count > 0) {
        let _ = writeln!(out, "<tr><td>{name}</td><td class=\"n\">{}</td></tr>", grouped(count));
    }
    out += "</tbody></table>\n";
    out
}

/// What the tests cover, class by class.
fn coverage(totals: &Totals) -> String {
    let Some(coverage) = &totals.coverage else { return String::new() };
    let bar = |share: Share| {
        let part = if share.total == 0 { 100.0 } else { 100.0 * share.covered as f64 / share.total as f64 };
        format!(
            "<span class=\"bar\"><i style=\"width:{part:.0}%\"></i></span> {}/{}",
            share.covered, share.total
        )
    };
    let mut out =
        String::from("<table><thead><tr><th>class</th><th>lines</th><th>branches</th></tr></thead><tbody>\n");
    for class in &coverage.classes {
        let missed = match ranges(&class.missed_lines) {
            none if none.is_empty() => none,
            missed => format!("<div class=\"note\">not covered: {missed}</div>"),
        };
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code>{missed}</td><td>{}</td><td>{}</td></tr>",
            escape(&class.class),
            bar(class.lines),
            bar(class.branches)
        );
    }
    out += "</tbody></table>\n";
    out
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

/// A method's paths and what cut them.
pub fn method_line(summary: &Summary, tally: &Tally, within: &Within) -> String {
    let mut line = plural(tally.paths, "path");
    let own = summary.cut.iter().map(|(bound, count)| (bound.name(), count));
    for (bound, count) in own.chain(tally.cut.iter().map(|(bound, count)| (*bound, *count))) {
        line += &format!("; {}", cut(bound, count));
    }
    let counts = [
        (summary.undecided, "undecided"),
        (tally.unsupported, "unsupported"),
        (tally.invalid, "that no valid object takes"),
        (tally.doubtful, "doubtful"),
        (tally.disagrees, "on which invariant and check disagree"),
    ];
    for (count, what) in counts {
        if count > 0 {
            line += &format!("; {count} {what}");
        }
    }
    if within.by(InputBound::References) > 0 {
        line += "; some references only null";
    }
    line + &within.tail("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([grouped(0), grouped(999), grouped(1_234_567)], ["0", "999", "1,234,567"]);
        assert_eq!([plural(1, "branch"), plural(2_000, "branch")], ["1 branch", "2,000 branches"]);
        assert_eq!([ranges(&[3, 4, 5, 9, 65_535]), ranges(&[])], ["3–5, 9, 65535", ""]);
        assert!(ranges(&(0..200).map(|n| n * 2).collect::<Vec<_>>()).ends_with("58, …"));
        assert_eq!(cut("depth", 3_000), "--depth cut 3,000");
        assert_eq!(cut("array_length", 1), "array length cut 1");
    }
}
