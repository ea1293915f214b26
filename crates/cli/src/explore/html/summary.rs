//! The numbers of a run, as HTML: what was found, what was not explored and why, what was asked, what the tests cover.

use super::super::tests_run::Divergence;
use super::super::totals::Totals;
use super::{clipped, escape, inputs};
use evergreen::Rung;
use evergreen::explore::replay::Share;
use evergreen::explore::{Bound, Summary, Tally};
use std::fmt::Write;

fn plural(n: u64, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// One sentence on everything, and one for each reason why paths are missing.
pub fn verdict(totals: &Totals) -> String {
    let findings = plural(totals.findings, "finding");
    let class = if totals.findings > 0 { "bad" } else { "good" };
    let whole = if totals.is_complete() {
        "<span class=\"good\">all paths explored</span>"
    } else {
        "<span class=\"warn\">not all paths explored</span>"
    };
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
    for (bound, count) in &totals.cut {
        lines.push(match *bound {
            "scope" => format!("the scope kept new objects from being made at {}", plural(*count, "read")),
            bound => format!("{} cut {count}", bound.replace('_', " ")),
        });
    }
    if totals.undecided > 0 {
        let why = totals.reasons.join("; ");
        lines.push(format!("{} undecided: {why}", plural(totals.undecided, "arm")));
    }
    let counts = [
        (totals.unsupported, "path", "that the machine could not follow (see the methods below)"),
        (totals.failed, "method", "that could not be explored"),
        (totals.doubtful, "path", "of which nobody could say whether a valid object takes them"),
        (totals.stuck, "branch", "without a feasible arm: a bug of Evergreen's, please report it"),
        (totals.wrong_models.len() as u64, "model", "that did not hold: a bug of Evergreen's, please report it"),
    ];
    for (count, word, what) in counts {
        if count > 0 {
            lines.push(format!("{} {what}", plural(count, word)));
        }
    }
    if totals.partial {
        lines.push("some object parameters were only null (see --heap)".into());
    }
    lines.extend(totals.error.clone());
    lines
}

/// Tests that the JVM took differently.
pub fn divergences(all: &[Divergence]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut out = String::from("<h2>Divergences from the JVM (bugs of Evergreen's, please report them)</h2>\n<ul>\n");
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
        let _ = writeln!(out, "<div class=\"card\"><b>{}</b><span>{}</span></div>", escape(&value), escape(name));
    };
    card(totals.paths.to_string(), "paths");
    card(totals.findings.to_string(), "findings");
    card(totals.queries.to_string(), "arms at branches");
    card(totals.asked.to_string(), "questions asked");
    card(totals.stats.reused().to_string(), "answered without a solver");
    card(totals.stats.solved.to_string(), "solved by a solver");
    if totals.replayed > 0 {
        card(totals.replayed.to_string(), "tests replayed on the JVM");
        card(totals.divergences.to_string(), "divergences");
    }
    if let Some(coverage) = &totals.coverage {
        card(coverage.lines().to_string(), "lines covered");
        card(coverage.branches().to_string(), "branches covered");
    }
    if totals.lazy.considered > 0 {
        card(totals.lazy.considered.to_string(), "values of references considered");
        card(totals.lazy.pruned.to_string(), "of them pruned");
        card(totals.invalid.to_string(), "paths that no valid object takes");
    }
    out += "</div>\n<div class=\"columns\">\n";
    out += &reuse(totals);
    out += &coverage(totals);
    out += "</div>\n";
    out
}

/// Who answered.
fn reuse(totals: &Totals) -> String {
    let mut out = String::from("<table><thead><tr><th>arms decided by</th><th class=\"n\">times</th></tr></thead><tbody>\n");
    let mut row = |name: &str, count: u64| {
        let _ = writeln!(out, "<tr><td>{}</td><td class=\"n\">{count}</td></tr>", escape(name));
    };
    row("the model of the path", totals.by_model);
    row("the other arms being infeasible", totals.by_complement);
    for rung in Rung::ALL {
        if totals.stats.hits(rung) > 0 {
            row(&format!("parts of questions: {}", rung.name()), totals.stats.hits(rung));
        }
    }
    row("parts of questions: the solver", totals.stats.solved);
    if totals.shrinking.queries > 0 {
        row("questions to make inputs of findings small", totals.shrinking.queries);
        row("of these, solved", totals.shrinking.solved);
    }
    row("solver processes", totals.solver_starts);
    row("arms that are infeasible", totals.infeasible);
    row("arms that nobody could decide", totals.undecided);
    out += "</tbody></table>\n";
    out
}

/// What the tests cover, class by class.
fn coverage(totals: &Totals) -> String {
    let Some(coverage) = &totals.coverage else { return String::new() };
    let bar = |share: Share| {
        let part = if share.total == 0 { 100.0 } else { 100.0 * share.covered as f64 / share.total as f64 };
        format!("<span class=\"bar\"><i style=\"width:{part:.0}%\"></i></span> {}/{}", share.covered, share.total)
    };
    let mut out =
        String::from("<table><thead><tr><th>class</th><th>lines</th><th>branches</th></tr></thead><tbody>\n");
    for class in &coverage.classes {
        let missed: Vec<String> = class.missed_lines.iter().take(40).map(u16::to_string).collect();
        let more = if class.missed_lines.len() > 40 { " …" } else { "" };
        let missed = if missed.is_empty() {
            String::new()
        } else {
            format!("<div class=\"note\">not covered: {}{more}</div>", missed.join(" "))
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

/// A method's paths and what cut them.
pub fn method_line(summary: &Summary, tally: &Tally) -> String {
    let mut line = plural(tally.paths, "path");
    for (bound, count) in summary.cut.iter() {
        let name = if bound == Bound::Interrupt { "an interrupt" } else { bound.name() };
        line += &format!("; {name} cut {count}");
    }
    for (bound, count) in &tally.cut {
        line += &format!("; {} cut {count}", bound.replace('_', " "));
    }
    let counts = [
        (summary.undecided, "undecided"),
        (tally.unsupported, "unsupported"),
        (tally.invalid, "that no valid object takes"),
        (tally.doubtful, "doubtful"),
    ];
    for (count, what) in counts {
        if count > 0 {
            line += &format!("; {count} {what}");
        }
    }
    if tally.partial {
        line += "; object parameters only null";
    }
    line
}
