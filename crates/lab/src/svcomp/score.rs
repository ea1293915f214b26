//! Verdicts, points and tables.

use super::task::Task;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is said of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    True,
    False,
    Unknown,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Unknown => "unknown",
        }
    }
}

/// A task that was run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Done {
    pub name: String,
    pub expected: bool,
    pub verdict: Verdict,
    /// Why there is no verdict.
    pub reason: String,
    pub seconds: f64,
    pub paths: u64,
}

impl Done {
    pub(super) fn new(task: &Task, verdict: Verdict, reason: String, seconds: f64, paths: u64) -> Done {
        // As the file of results has them.
        let seconds = (seconds * 1000.0).round() / 1000.0;
        Done { name: task.name.clone(), expected: task.expected, verdict, reason, seconds, paths }
    }

    /// As the file of results has it.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "task": self.name, "expected": self.expected, "verdict": self.verdict.name(),
            "reason": self.reason, "cpu_s": self.seconds, "paths": self.paths,
            "points": self.points(),
        })
    }

    /// Reads a line of that file.
    pub(super) fn of_json(value: &Value) -> Option<Done> {
        let verdict = match value["verdict"].as_str()? {
            "true" => Verdict::True,
            "false" => Verdict::False,
            _ => Verdict::Unknown,
        };
        Some(Done {
            name: value["task"].as_str()?.into(),
            expected: value["expected"].as_bool()?,
            verdict,
            reason: value["reason"].as_str()?.into(),
            seconds: value["cpu_s"].as_f64()?,
            paths: value["paths"].as_u64()?,
        })
    }

    /// As the competition counts.
    pub(super) fn points(&self) -> i64 {
        match (self.verdict, self.expected) {
            (Verdict::True, true) => 2,
            (Verdict::False, false) => 1,
            (Verdict::True, false) => -32,
            (Verdict::False, true) => -16,
            (Verdict::Unknown, _) => 0,
        }
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.points() < 0
    }
}

/// Sums over tasks.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(super) struct Sums {
    tasks: u64,
    true_tasks: u64,
    right_true: u64,
    right_false: u64,
    wrong: u64,
    unknown: u64,
    points: i64,
    seconds: f64,
}

impl Sums {
    fn add(&mut self, done: &Done) {
        self.tasks += 1;
        self.true_tasks += u64::from(done.expected);
        self.right_true += u64::from(done.verdict == Verdict::True && done.expected);
        self.right_false += u64::from(done.verdict == Verdict::False && !done.expected);
        self.wrong += u64::from(done.is_wrong());
        self.unknown += u64::from(done.verdict == Verdict::Unknown);
        self.points += done.points();
        self.seconds += done.seconds;
    }

    /// The points of a tool that makes no mistake.
    fn most(&self) -> u64 {
        self.tasks + self.true_tasks
    }

    fn cells(&self, name: &str) -> [String; 8] {
        let of = |right: u64, all: u64| format!("{right}/{all}");
        [
            name.to_string(),
            self.tasks.to_string(),
            of(self.right_true, self.true_tasks),
            of(self.right_false, self.tasks - self.true_tasks),
            self.wrong.to_string(),
            self.unknown.to_string(),
            format!("{}/{}", self.points, self.most()),
            format!("{:.0}", self.seconds),
        ]
    }
}

const HEAD: [&str; 8] = ["category", "tasks", "true", "false", "wrong", "unknown", "points", "CPU s"];

/// The sums of each category, then of all.
pub(super) fn categories(all: &[Done]) -> (BTreeMap<String, Sums>, Sums) {
    let (mut by_name, mut sum): (BTreeMap<String, Sums>, Sums) = Default::default();
    for done in all {
        let category = done.name.split('/').next().unwrap_or(&done.name);
        by_name.entry(category.to_string()).or_default().add(done);
        sum.add(done);
    }
    (by_name, sum)
}

/// A table of text: as a terminal shows it, and as Markdown has it.
pub(super) fn table(all: &[Done]) -> String {
    let (by_name, sum) = categories(all);
    let mut rows = vec![HEAD.map(str::to_string)];
    rows.extend(by_name.iter().map(|(name, sums)| sums.cells(name)));
    rows.push(sum.cells("all"));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        let cell = |(column, cell): (usize, &String)| match column {
            0 => format!("{cell:<width$}", width = widths[0]),
            _ => format!("{cell:>width$}", width = widths[column]),
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
        if at == 0 {
            let rule = |(column, width): (usize, &usize)| match column {
                0 => "-".repeat(width + 2),
                _ => format!("{}:", "-".repeat(width + 1)),
            };
            let rules: Vec<String> = widths.iter().enumerate().map(rule).collect();
            let _ = writeln!(text, "|{}|", rules.join("|"));
        }
    }
    text
}

/// Why tasks have no verdict, the most frequent reason first. Numbers in reasons are left out.
pub(super) fn reasons(all: &[Done]) -> Vec<(String, u64)> {
    let mut counted: BTreeMap<String, u64> = BTreeMap::new();
    for done in all.iter().filter(|done| done.verdict == Verdict::Unknown) {
        let mut reason = String::new();
        for c in done.reason.chars().take(90) {
            match c.is_ascii_digit() {
                true if reason.ends_with('N') => {}
                true => reason.push('N'),
                false => reason.push(c),
            }
        }
        *counted.entry(reason).or_insert(0) += 1;
    }
    let mut sorted: Vec<(String, u64)> = counted.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sorted
}

/// The sums as JSON.
pub(super) fn sums_json(all: &[Done]) -> Value {
    let one = |sums: &Sums| {
        json!({
            "tasks": sums.tasks, "true_tasks": sums.true_tasks, "right_true": sums.right_true,
            "right_false": sums.right_false, "wrong": sums.wrong, "unknown": sums.unknown,
            "points": sums.points, "most_points": sums.most(), "cpu_s": sums.seconds,
        })
    };
    let (by_name, sum) = categories(all);
    let categories: serde_json::Map<String, Value> =
        by_name.iter().map(|(name, sums)| (name.clone(), one(sums))).collect();
    let reasons: serde_json::Map<String, Value> =
        reasons(all).into_iter().map(|(reason, count)| (reason, count.into())).collect();
    json!({ "event": "sums", "all": one(&sum), "categories": categories, "unknown": reasons })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(name: &str, expected: bool, verdict: Verdict, reason: &str) -> Done {
        Done { name: name.into(), expected, verdict, reason: reason.into(), seconds: 1.5, paths: 3 }
    }

    #[test]
    fn points_are_those_of_the_competition() {
        let points = |expected, verdict| done("a/b", expected, verdict, "").points();
        assert_eq!([points(true, Verdict::True), points(false, Verdict::False)], [2, 1]);
        assert_eq!([points(false, Verdict::True), points(true, Verdict::False)], [-32, -16]);
        assert_eq!([points(false, Verdict::Unknown), points(true, Verdict::Unknown)], [0, 0]);
    }

    #[test]
    fn tables_have_a_row_for_each_category_and_a_sum() {
        let all = [
            done("a/1", true, Verdict::True, ""),
            done("a/2", false, Verdict::True, ""),
            done("b/1", false, Verdict::Unknown, "an index into an array of 5856"),
            done("b/2", true, Verdict::Unknown, "an index into an array of 300"),
        ];
        assert_eq!(
            table(&all),
            "\
| category | tasks | true | false | wrong | unknown | points | CPU s |
|----------|------:|-----:|------:|------:|--------:|-------:|------:|
| a        |     2 |  1/1 |   0/1 |     1 |       0 |  -30/3 |     3 |
| b        |     2 |  0/1 |   0/1 |     0 |       2 |    0/3 |     3 |
| all      |     4 |  1/2 |   0/2 |     1 |       2 |  -30/6 |     6 |
"
        );
        assert_eq!(reasons(&all), [("an index into an array of N".to_string(), 2)]);
        assert_eq!(Done::of_json(&all[2].to_json()), Some(all[2].clone()));
    }
}
