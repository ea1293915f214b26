//! Tables I to VII: times by technique and scope, beside the paper's, with the structures collected.
//!
//! The paper's times are of another machine and another tool, so what is compared is the speedup over LI.

use super::super::show::{Block, Mark, Shown};
use super::super::work::Work;
use super::compared::{SUBJECTS, Tally, grouped, name, technique};
use super::rows::{Got, Row, row, subjects};
use crate::study::bliss::paper::{self, Took};
use evergreen_java::heap::Technique;

/// From this factor on a technique is faster than LI.
const FASTER: f64 = 1.5;
/// Below this time of LI nothing is said of speed.
const LEAST_SECONDS: f64 = 0.005;

/// A speedup over LI at a scope, ours and the paper's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speedup {
    /// The scope.
    pub scope: usize,
    /// The fastest of ours.
    pub best: Technique,
    /// LI's time divided by that of the fastest of the others, ours.
    pub ours: f64,
    /// The same of the paper.
    pub paper: f64,
}

/// The times of the paper as seconds; its 00:00 is taken for half a second.
fn paper_seconds(subject: &str, technique: Technique, scope: usize) -> Option<f64> {
    match paper::time(subject, technique, scope)? {
        Took::Seconds(s) => Some(s.max(0.5)),
        Took::Failed(_) => None,
    }
}

/// The speedup at the largest scope that both finish with LI.
pub(super) fn speedup(rows: &[Row]) -> Option<Speedup> {
    let li = rows.iter().find(|row| row.technique == Technique::Li)?;
    li.cells.iter().rev().find_map(|cell| {
        let paper_li = paper_seconds(li.subject, Technique::Li, cell.scope)?;
        let others = || rows.iter().filter(|row| row.technique != Technique::Li);
        let ours = others().filter_map(|row| Some((row.at(cell.scope)?.seconds, row.technique)));
        let (fastest, best) = ours.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let paper = others().filter_map(|row| paper_seconds(li.subject, row.technique, cell.scope));
        let paper_fastest = paper.min_by(f64::total_cmp)?;
        cell.done.then(|| Speedup {
            scope: cell.scope,
            best,
            ours: cell.seconds.max(1e-4) / fastest.max(1e-4),
            paper: paper_li / paper_fastest,
        })
    })
}

/// Runs the methods of some classes and shows them.
pub(super) fn show(work: &mut Work, classes: &[&str], takes: fn(&str) -> bool) -> Result<Shown, String> {
    let mut blocks = Vec::new();
    let (mut counts, mut speeds, mut told) = (Tally::default(), Tally::default(), Vec::new());
    for subject in subjects(classes, takes) {
        let rows = Technique::ALL.into_iter().map(|technique| row(work, subject, technique));
        let rows = rows.collect::<Result<Vec<Row>, String>>()?;
        let seconds = format!("`{subject}`: our seconds, and the paper's minutes:seconds");
        blocks.push(grid(&rows, seconds, time_cell));
        let structures = format!("`{subject}`: structures; the paper's count where it is another one");
        blocks.push(grid(&rows, structures, |row, got| count_cell(row, got, &mut counts)));
        let Some(speedup) = speedup(&rows) else { continue };
        let li = rows.iter().find(|row| row.technique == Technique::Li).and_then(|row| row.at(speedup.scope));
        if li.is_some_and(|got| got.seconds >= LEAST_SECONDS) {
            speeds.add((speedup.ours >= FASTER) == (speedup.paper >= FASTER));
            told.push(format!(
                "{subject} {:.1}X (paper {:.0}X) at {}",
                speedup.ours, speedup.paper, speedup.scope
            ));
        }
    }
    // Times are never equal, so this exhibit cannot be.
    let mark = if speeds.is_most() || speeds.compared == 0 { Mark::SameShape } else { Mark::Differs };
    let because = format!(
        "Whether something is faster than LI by half or more, at the largest scope that both finish, is as \
        in the paper for {} of {} methods: {}. Methods for which LI takes less than 5 ms are left out. Of \
        the counts of structures that Tables IX and X have, {} of {} at these scopes are equal.",
        speeds.equal,
        speeds.compared,
        if told.is_empty() { "none is that slow".into() } else { told.join(", ") },
        counts.equal,
        counts.compared
    );
    let technique = technique(work.full);
    Ok(Shown { technique, subjects: SUBJECTS.into(), blocks, mark, because })
}

fn grid(
    rows: &[Row],
    caption: String,
    mut write: impl FnMut(&Row, Option<(usize, &Got)>) -> String,
) -> Block {
    let (first, _) = rows.first().and_then(|row| paper::scopes(row.subject)).unwrap_or((1, 1));
    let of_paper =
        |row: &Row| (first..).take_while(|s| paper::time(row.subject, row.technique, *s).is_some()).last();
    let of_ours = |row: &Row| row.cells.last().map(|got| got.scope);
    let last = rows.iter().filter_map(|row| of_ours(row).max(of_paper(row))).max().unwrap_or(first);
    let mut table = vec![vec!["technique".to_string()]];
    table[0].extend((first..=last).map(|scope| scope.to_string()));
    for row in rows {
        let mut line = vec![name(row.technique).to_string()];
        for scope in first..=last {
            let got = row.cells.iter().find(|got| got.scope == scope);
            line.push(match got {
                Some(got) => write(row, Some((scope, got))),
                None => write(&Row { cells: vec![empty(scope)], ..row.clone() }, None),
            });
        }
        table.push(line);
    }
    Block::Table { caption, rows: table }
}

/// A cell that was not run.
fn empty(scope: usize) -> Got {
    Got { scope, structures: 0, paths: 0, seconds: 0.0, bug: false, done: false, effort: 0 }
}

fn time_cell(row: &Row, got: Option<(usize, &Got)>) -> String {
    let scope = got.map_or(row.cells[0].scope, |(scope, _)| scope);
    let ours = match got {
        Some((_, got)) if got.done => format!("{:.2}", got.seconds),
        Some((_, got)) => format!("> {:.0}", got.seconds),
        None => "–".into(),
    };
    let paper = match paper::time(row.subject, row.technique, scope) {
        Some(Took::Seconds(s)) => format!("{:02}:{:02}", s as u64 / 60, s as u64 % 60),
        Some(Took::Failed(how)) => how.to_string(),
        None => return if got.is_some() { ours } else { String::new() },
    };
    format!("{ours} · {paper}")
}

fn count_cell(row: &Row, got: Option<(usize, &Got)>, counts: &mut Tally) -> String {
    let scope = got.map_or(row.cells[0].scope, |(scope, _)| scope);
    let paper = paper::count(row.subject, row.technique, scope).map(|count| count.structures);
    match (got.filter(|(_, got)| got.done), paper) {
        (Some((_, got)), paper) => {
            let bug = if got.bug { ", bug" } else { "" };
            match paper {
                Some(count) => {
                    counts.add(count == got.structures);
                    let other = format!("{} (paper {}{bug})", grouped(got.structures), grouped(count));
                    if count == got.structures { format!("**{}**{bug}", grouped(count)) } else { other }
                }
                None => format!("{}{bug}", grouped(got.structures)),
            }
        }
        (None, Some(count)) => format!("– (paper {})", grouped(count)),
        (None, None) => String::new(),
    }
}
