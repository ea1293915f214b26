//! The numbers of a run, as HTML: findings, what was not explored and why, questions, coverage of the tests.

use super::super::{Cell, RunEnd, Table, noun};
use super::{clipped, escape, inputs};
use crate::{Divergence, Explored, Language, Tally, Totals, Within};
use evergreen_explore::Summary;
use std::fmt::Write;

fn plural(n: u64, word: &str) -> String {
    format!("{} {}", grouped(n), noun(n, word))
}

/// A number with commas.
pub fn grouped(n: u64) -> String {
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
pub(super) fn verdict<L: Language>(totals: &Totals<L>) -> String {
    let findings = plural(totals.findings, "finding");
    let class = if totals.findings > 0 { "bad" } else { "good" };
    let all = if totals.explored() == Explored::All { "good" } else { "warn" };
    let whole = format!("<span class=\"{all}\">{}</span>", escape(&totals.whole()));
    let mut out = format!(
        "<p class=\"verdict\"><span class=\"{class}\">{findings}</span> on {} of {}, {whole}, {:.2} s</p>\n",
        plural(totals.paths, "path"),
        plural(totals.methods, L::FUNCTION),
        totals.elapsed.as_secs_f64()
    );
    if let Some(noted) = super::super::noted_in_all(totals) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(&noted));
    }
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
fn missing<L: Language>(totals: &Totals<L>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(totals.cut.iter().map(|(bound, count)| cut(bound, *count)));
    if totals.undecided > 0 {
        let why = totals.reasons.join("; ");
        lines.push(format!("{} undecided: {why}", plural(totals.undecided, "arm")));
    }
    lines.extend(super::super::sampled(totals));
    let (function, below) = (L::FUNCTION, format!("(see the {}s below)", L::FUNCTION));
    let unsupported = format!("that the machine could not follow {below}");
    let empty = format!("without a path: no input fits {below}");
    let disagrees = format!("on which the invariant and the {}'s own check disagree {below}", L::UNIT);
    let counts = [
        (totals.unsupported, "path", &*unsupported),
        (totals.failed, function, "that could not be explored"),
        (totals.not_begun, function, "that was not begun"),
        (totals.empty, function, &empty),
        (totals.doubtful, "path", "for which it is undecided whether a valid object takes them"),
        (totals.disagrees, "path", &disagrees),
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

/// Tests that did not do what their paths did.
pub(super) fn divergences<L: Language>(all: &[Divergence<L>]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<h2>Divergences from {} (bugs of Evergreen's, please report them)</h2>\n<ul>\n",
        escape(L::PLATFORM)
    );
    for divergence in all.iter().take(50) {
        let _ = writeln!(
            out,
            "<li><code>{}</code> {}: {}</li>",
            escape(&L::called(&divergence.case)),
            inputs::<L>(&L::called_with(&divergence.case)),
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
pub(super) fn numbers<L: Language>(end: &RunEnd<'_, L>) -> String {
    let (totals, own) = (end.totals, L::counted(end.totals));
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
        card(grouped(totals.replayed), &format!("tests {}", L::REPLAYED));
        card(grouped(totals.divergences), "divergences");
    }
    for (value, name) in end.more.cards.iter().chain(&own.cards) {
        card(value.clone(), name);
    }
    out += "</div>\n<div class=\"columns\">\n";
    out += &reuse(totals);
    end.more.tables.iter().chain(&own.tables).for_each(|more| out += &table(more));
    out += "</div>\n";
    out
}

/// The sources of answers.
fn reuse<L: Language>(totals: &Totals<L>) -> String {
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

/// A table that a language or a program adds. Numbers are on the right.
fn table(table: &Table) -> String {
    let is_number =
        |at: usize| table.rows.first().is_some_and(|row| matches!(row.get(at), Some(Cell::Number(_))));
    let mut out = String::from("<table><thead><tr>");
    for (at, word) in table.head.iter().enumerate() {
        let class = if is_number(at) { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th{class}>{}</th>", escape(word));
    }
    out += "</tr></thead><tbody>\n";
    for row in &table.rows {
        out += "<tr>";
        row.iter().for_each(|one| out += &cell(one));
        out += "</tr>\n";
    }
    out += "</tbody></table>\n";
    out
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Words(text) => format!("<td>{}</td>", escape(text)),
        Cell::Code(text, note) => {
            let note = match note.as_str() {
                "" => String::new(),
                note => format!("<div class=\"note\">{}</div>", escape(note)),
            };
            format!("<td><code>{}</code>{note}</td>", escape(text))
        }
        Cell::Number(n) => format!("<td class=\"n\">{}</td>", grouped(*n)),
        Cell::Share(part, whole) => {
            let percent = if *whole == 0 { 100.0 } else { 100.0 * *part as f64 / *whole as f64 };
            format!(
                "<td><span class=\"bar\"><i style=\"width:{percent:.0}%\"></i></span> {part}/{whole}</td>"
            )
        }
    }
}

/// An entry's paths and what cut them.
pub(super) fn entry_line<L: Language>(summary: &Summary, tally: &Tally<L>, within: &L::Within) -> String {
    let mut line = plural(tally.paths, "path");
    let own = summary.cut.iter().map(|(bound, count)| (bound.name(), count));
    for (bound, count) in own.chain(tally.cut.iter().map(|(bound, count)| (*bound, *count))) {
        line += &format!("; {}", cut(bound, count));
    }
    let counts = [
        (summary.undecided, "undecided"),
        (tally.sampled, "sampled"),
        (tally.unsupported, "unsupported"),
        (tally.refused, "refused by constructors"),
        (tally.invalid, "that no valid object takes"),
        (tally.doubtful, "doubtful"),
        (tally.disagrees, "on which invariant and check disagree"),
    ];
    for (count, what) in counts {
        if count > 0 {
            line += &format!("; {count} {what}");
        }
    }
    if let Some(missing) = within.missing_in_short() {
        line += &format!("; {missing}");
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
        assert_eq!(cut("depth", 3_000), "--depth cut 3,000");
        assert_eq!(cut("array_length", 1), "array length cut 1");
    }
}
