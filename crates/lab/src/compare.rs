//! `evergreen-lab compare`: whether two pages of a study have the same counts. Times are left out.
//!
//! A page is the Markdown that `study … --out` writes. Headings that have figures and all tables are compared
//! cell by cell; prose is not. What is a time is seen from the page: a table below a heading or a line that
//! names seconds, milliseconds or time; a column whose header does, or in which a cell has a unit of time;
//! and the columns to the right of such a column whose headers repeat earlier ones (`time saved of all | of
//! cold`).

use crate::flags::Compare;
use crate::say::{say, warn};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// Where a figure stands: heading, number of the table below it, row, column.
type Place = (String, usize, String, String);

/// The figures of a page that are no times.
type Figures = BTreeMap<Place, String>;

/// Runs it.
pub(crate) fn task(flags: &Compare) -> Result<ExitCode, String> {
    let read = |file: &Path| std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()));
    let (old, new) = (figures(&read(&flags.old)?), figures(&read(&flags.new)?));
    let found = differences(&old, &new, if flags.part { Extent::Part } else { Extent::Whole });
    if found.compared == 0 {
        return Err(format!("{}: no figure to compare with", flags.new.display()));
    }
    found.lines.iter().for_each(|line| say(line));
    let (name, many) = (flags.old.display(), found.lines.len());
    say(&format!("{name}: {} counts compared, {many} differ", found.compared));
    if many > 0 {
        warn(&format!("{name}: counts differ"));
        return Ok(ExitCode::from(1));
    }
    Ok(ExitCode::SUCCESS)
}

/// How much of the old page the new one has to have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Everything.
    Whole,
    /// A part: cells that only one of them has are not compared, nor are rows of sums (`all`).
    Part,
}

/// What comparing two pages gave.
struct Found {
    /// Figures that both have.
    compared: usize,
    /// One line for each that differs or is missing.
    lines: Vec<String>,
}

fn differences(old: &Figures, new: &Figures, extent: Extent) -> Found {
    let mut found = Found { compared: 0, lines: Vec::new() };
    let shown = |(heading, table, row, column): &Place| match (row.is_empty(), *table) {
        (true, _) => heading.clone(),
        (false, 0) => format!("{heading} | {row} | {column}"),
        (false, table) => format!("{heading}, table {} | {row} | {column}", table + 1),
    };
    let places = old.keys().chain(new.keys().filter(|place| !old.contains_key(*place)));
    let places = places.filter(|(_, _, row, _)| extent == Extent::Whole || !row.starts_with("all"));
    for place in places {
        match (old.get(place), new.get(place)) {
            (Some(was), Some(is)) => {
                found.compared += 1;
                if was != is {
                    found.lines.push(format!("{}: was \"{was}\", is \"{is}\"", shown(place)));
                }
            }
            _ if extent == Extent::Part => {}
            (Some(was), None) => found.lines.push(format!("{}: was \"{was}\", is missing", shown(place))),
            (None, is) => {
                let is = is.map_or("", |is| is);
                found.lines.push(format!("{}: is new, \"{is}\"", shown(place)));
            }
        }
    }
    found
}

/// The figures of a page.
fn figures(page: &str) -> Figures {
    let mut all = Figures::new();
    let (mut heading, mut table) = (String::new(), 0);
    let (mut is_timed_part, mut is_timed_table) = (false, false);
    let lines: Vec<&str> = page.lines().collect();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some(title) = line.strip_prefix('#') {
            let title = title.trim_start_matches('#').trim();
            heading = title.split(':').next().unwrap_or(title).to_string();
            table = 0;
            is_timed_part = names_time(title);
            is_timed_table = false;
            if title.contains(|c: char| c.is_ascii_digit()) {
                all.insert((heading.clone(), 0, String::new(), String::new()), title.to_string());
            }
        } else if line.starts_with('|') {
            let rows: Vec<Vec<&str>> =
                lines[at..].iter().take_while(|line| line.starts_with('|')).map(|line| cells(line)).collect();
            at += rows.len();
            if !is_timed_part && !is_timed_table {
                add_table(&mut all, (&heading, table), &rows);
            }
            table += 1;
            continue;
        } else if !line.trim().is_empty() {
            is_timed_table = names_time(line);
        }
        at += 1;
    }
    all
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*')).collect()
}

/// Adds the cells of a table: a head, a rule, rows. A row is known by its leading cells that are no numbers.
fn add_table(all: &mut Figures, (heading, table): (&str, usize), rows: &[Vec<&str>]) {
    let [head, _, rows @ ..] = rows else { return };
    if head.first().is_some_and(|first| names_time(first)) {
        return;
    }
    let columns = columns(head, rows);
    let mut seen = BTreeMap::<String, usize>::new();
    for row in rows {
        let named = row.iter().take_while(|cell| !is_figure(cell)).count().clamp(1, row.len());
        let mut name = row[..named].join(" ");
        // `BinTree | 3`: the number is a part of the name where the name alone occurs again.
        let is_repeated =
            rows.iter().filter(|other| other.first() == row.first()).count() > 1 && named < row.len();
        let named = if is_repeated && named == 1 { 2 } else { named };
        if is_repeated {
            name = row[..named].join(" ");
        }
        let times = seen.entry(name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            name = format!("{name} ({times})");
        }
        for (column, cell) in columns.iter().zip(row).skip(named) {
            // `> 9384` was cut by the clock.
            if let Some(column) = column
                && !cell.is_empty()
                && !cell.starts_with('>')
            {
                all.insert((heading.into(), table, name.clone(), column.clone()), (*cell).to_string());
            }
        }
    }
}

/// The names of the columns, each its own; none for those that have times.
fn columns(head: &[&str], rows: &[Vec<&str>]) -> Vec<Option<String>> {
    let mut is_after_time = false;
    let mut names = Vec::new();
    for (at, name) in head.iter().enumerate() {
        let has_units = rows.iter().any(|row| row.get(at).is_some_and(|cell| has_unit(cell)));
        let repeats = head[..at].iter().filter(|earlier| *earlier == name).count();
        let is_time = names_time(name) || has_units || is_after_time && repeats > 0;
        is_after_time |= is_time;
        names.push((!is_time).then(|| match repeats {
            0 => (*name).to_string(),
            more => format!("{name} ({})", more + 1),
        }));
    }
    names
}

/// Whether a text is about times: in words, in a unit, or as a ratio of times.
fn names_time(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '#' || c == 'µ'));
    let units = ["time", "times", "second", "seconds", "milliseconds", "ms", "µs", "t#"];
    words.any(|word| units.contains(&word.to_lowercase().as_str())) || text == "of stack"
}

/// `0.5 s`, `12 ms`.
fn has_unit(cell: &str) -> bool {
    cell.rsplit_once(' ').is_some_and(|(number, unit)| {
        ["s", "ms", "µs", "min"].contains(&unit) && number.parse::<f64>().is_ok()
    })
}

/// Whether a cell is a figure, not a name.
fn is_figure(cell: &str) -> bool {
    cell.is_empty() || cell == "-" || cell.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# Calls of 2 subjects

Prose with 17 in it.

## Calls

| subject | calls | cold | store | time, cold | store | kept |
|---|--:|--:|--:|--:|--:|--:|
| a | 10 | 5 | **1** | 0.5 s | 0.1 s | 3 |
| b | 20 | 6 | 2 | 0.7 s | 0.2 s | 4 |

## tree: 40 queries

Seconds:

| scope | 3 | 4 |
|---|--:|--:|
| li | 0.1 | 0.2 |

Structures:

| scope | 3 | 4 |
|---|--:|--:|
| li | 8 | 22 |

| container | n | R# | T# |
|---|--:|--:|--:|
| x | 2 | 0.3 | 0.7 |
| x | 3 | 0.5 | 0.8 |

## Time in ms

| solver | a |
|---|--:|
| z3 | 12 |
";

    fn lines(new: &str, extent: Extent) -> (usize, Vec<String>) {
        let found = differences(&figures(PAGE), &figures(new), extent);
        (found.compared, found.lines)
    }

    #[test]
    fn times_may_differ_and_counts_may_not() {
        // The title, the heading with a count, 8 cells of calls, 2 structures, 2 ratios of counts.
        assert_eq!(lines(PAGE, Extent::Whole), (14, vec![]));
        for (was, is) in
            [("0.5 s", "0.6 s"), ("| 0.1 |", "| 0.3 |"), ("| 0.7 |", "| 0.9 |"), ("| 12 |", "| 13 |")]
        {
            assert!(PAGE.contains(was), "{was}");
            assert_eq!(lines(&PAGE.replace(was, is), Extent::Whole), (14, vec![]), "{was}");
        }
        for (was, is, line) in [
            ("| 10 |", "| 11 |", "Calls | a | calls: was \"10\", is \"11\""),
            ("**1**", "7", "Calls | a | store: was \"1\", is \"7\""),
            ("| 4 |\n\n", "| 5 |\n\n", "Calls | b | kept: was \"4\", is \"5\""),
            ("| 22 |", "| 23 |", "tree, table 2 | li | 4: was \"22\", is \"23\""),
            ("40 queries", "41 queries", "tree: was \"tree: 40 queries\", is \"tree: 41 queries\""),
            ("| 3 | 0.5 |", "| 3 | 0.6 |", "tree, table 3 | x 3 | R#: was \"0.5\", is \"0.6\""),
        ] {
            assert_eq!(lines(&PAGE.replace(was, is), Extent::Whole), (14, vec![line.to_string()]));
        }
    }

    #[test]
    fn what_is_missing_is_a_difference_unless_a_part_was_asked_for() {
        let less = PAGE.replace("| b | 20 | 6 | 2 | 0.7 s | 0.2 s | 4 |\n", "");
        assert_eq!(lines(&less, Extent::Part), (10, vec![]));
        let (compared, missing) = lines(&less, Extent::Whole);
        assert_eq!((compared, missing.len()), (10, 4), "{missing:?}");
        assert_eq!(missing[0], "Calls | b | calls: was \"20\", is missing");
        let sums = |count: u32| PAGE.replace("## tree", &format!("| all | {count} |\n\n## tree"));
        let sums = |count: u32| sums(count).replace("0.2 s | 4 |\n\n| all", "0.2 s | 4 |\n| all");
        let (old, new) = (figures(&sums(30)), figures(&sums(10)));
        assert_eq!(differences(&old, &new, Extent::Part).lines, [""; 0]);
        assert_eq!(differences(&old, &new, Extent::Whole).lines.len(), 1);
        let cut = PAGE.replace("| li | 8 | 22 |", "| li | 8 | > 20 |");
        assert_eq!(lines(&cut, Extent::Part), (13, vec![]));
        assert_eq!(lines(&cut, Extent::Whole).1, ["tree, table 2 | li | 4: was \"22\", is missing"]);
        let more = PAGE.replace("| li | 8 | 22 |", "| li | 8 | 22 |\n| bli | 4 | 14 |");
        assert_eq!(lines(&more, Extent::Part), (14, vec![]));
        assert_eq!(lines(&more, Extent::Whole).1[0], "tree, table 2 | bli | 3: is new, \"4\"");
    }
}
