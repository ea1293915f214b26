//! Sources with what was covered of them: a row for each line, coloured, and marks for its branches.

use super::super::{ArmMark, BranchMark, LineMark, Source};
use super::{clipped, escape};
use std::fmt::Write;

/// Lines of one source that are shown.
const LINES: usize = 20_000;
/// Bytes of one source that are read.
const BYTES: u64 = 4 << 20;
/// Sources that are open when the page opens.
const OPEN: usize = 3;

/// The sources of a program; nothing if none is known.
pub(super) fn sources<'s>(all: impl Iterator<Item = &'s Source>) -> String {
    let all: Vec<&Source> = all.collect();
    if all.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<h2 id=\"sources\">Sources</h2>\n<p class=\"note\">Covered by the explored paths: \
         <span class=\"key hit\">executed</span> <span class=\"key part\">executed, an arm of a branch not \
         taken</span> <span class=\"key miss\">not executed</span>. A mark is a branch: how many of its arms \
         were taken, and the lines to which no path went.</p>\n",
    );
    for source in &all {
        out += &one(source, all.len() <= OPEN);
    }
    out
}

fn one(source: &Source, is_open: bool) -> String {
    let open = if is_open { " open" } else { "" };
    let mut out = format!(
        "<details class=\"method\"{open}><summary><h3><code>{}</code></h3> <span>{}</span></summary>\n",
        escape(&source.name),
        escape(&source.about)
    );
    let text = read(source);
    if text.is_none() {
        out += "<p class=\"note\">The source cannot be read; its lines with code are shown.</p>\n";
    }
    out += "<table class=\"source\"><tbody>\n";
    let last = source.lines.last_key_value().map_or(0, |(line, _)| *line as usize);
    match text {
        Some(text) => {
            let lines: Vec<&str> = text.lines().collect();
            for number in 1..=lines.len().max(last).min(LINES) {
                let words = lines.get(number - 1).copied().unwrap_or_default();
                row(&mut out, number as u32, words, source.lines.get(&(number as u32)));
            }
            if lines.len() > LINES {
                let _ = writeln!(out, "<tr><td></td><td></td><td>… {} more</td></tr>", lines.len() - LINES);
            }
        }
        None => {
            for (number, mark) in source.lines.iter().take(LINES) {
                row(&mut out, *number, "", Some(mark));
            }
        }
    }
    out += "</tbody></table></details>\n";
    out
}

/// The text of a source, unless it is missing or far too long to be one.
fn read(source: &Source) -> Option<String> {
    let about = std::fs::metadata(&source.path).ok()?;
    if !about.is_file() || about.len() > BYTES {
        return None;
    }
    std::fs::read(&source.path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn row(out: &mut String, number: u32, words: &str, mark: Option<&LineMark>) {
    let class = match mark {
        None => "",
        Some(mark) if !mark.executed => " class=\"miss\"",
        Some(mark) if mark.branches.iter().any(|branch| branch.taken() < branch.arms.len()) => {
            " class=\"part\""
        }
        Some(_) => " class=\"hit\"",
    };
    let branches = mark.map_or(&[][..], |mark| &mark.branches);
    let marks: Vec<String> = branches.iter().map(|branch| mark_of(branch, number)).collect();
    let _ = writeln!(
        out,
        "<tr{class}><td class=\"n\">{number}</td><td class=\"marks\">{}</td><td><code>{}</code></td></tr>",
        marks.join(" "),
        escape(&clipped(words))
    );
}

/// `1/2 not to 17`
fn mark_of(branch: &BranchMark, line: u32) -> String {
    let (taken, arms) = (branch.taken(), branch.arms.len());
    let class = match taken {
        0 => "miss",
        _ if taken < arms => "part",
        _ => "hit",
    };
    let to = |arm: &ArmMark| match arm.to {
        Some((to, column)) if to == line => format!("{to}:{column}"),
        Some((to, _)) => to.to_string(),
        None => "?".to_string(),
    };
    // Where nothing is known of any arm, a question mark says nothing.
    let is_known = branch.arms.iter().any(|arm| arm.to.is_some());
    let mut missed: Vec<String> = branch.arms.iter().filter(|arm| is_known && !arm.taken).map(to).collect();
    missed.dedup();
    let missed = if taken == 0 || missed.is_empty() {
        String::new()
    } else {
        format!(" not to {}", missed.join(", "))
    };
    let column = if branch.column > 0 { format!("column {}: ", branch.column) } else { String::new() };
    let missed = escape(&missed);
    let about = format!("{column}{taken} of {arms} arms taken{missed}");
    format!("<span class=\"key {class}\" title=\"{about}\">{taken}/{arms}{missed}</span>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(taken: bool, to: u32) -> ArmMark {
        ArmMark { taken, to: Some((to, 3)) }
    }

    #[test]
    fn a_mark_says_where_no_path_went() {
        let branch = |arms| BranchMark { column: 7, arms };
        let half = mark_of(&branch(vec![arm(true, 4), arm(false, 9)]), 4);
        assert!(half.contains(">1/2 not to 9<") && half.contains("part"), "{half}");
        let within = mark_of(&branch(vec![arm(false, 4), arm(true, 9)]), 4);
        assert!(within.contains(">1/2 not to 4:3<"), "{within}");
        assert!(mark_of(&branch(vec![arm(true, 4), arm(true, 9)]), 4).contains(">2/2<"));
        let unknown = |taken| ArmMark { taken, to: None };
        let half = mark_of(&branch(vec![unknown(true), unknown(false)]), 4);
        assert!(half.contains(">1/2<") && half.contains("1 of 2 arms taken"), "{half}");
        assert!(mark_of(&branch(vec![arm(false, 4), arm(false, 9)]), 4).contains(">0/2<"));
    }

    #[test]
    fn lines_are_coloured_and_escaped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.c");
        std::fs::write(&path, "int f(int x) {\n  if (x < 3)\n    return 1;\n}\n").expect("written");
        let mark = |executed, branches| LineMark { executed, branches };
        let branch = BranchMark { column: 9, arms: vec![arm(true, 4), arm(false, 3)] };
        let lines = [(2, mark(true, vec![branch])), (3, mark(false, vec![])), (4, mark(true, vec![]))];
        let source = Source {
            name: "a.c".into(),
            path,
            about: "lines 2/3 66%".into(),
            lines: lines.into_iter().collect(),
        };
        let page = sources([&source].into_iter());
        let row = |number: u32| {
            let sign = format!("<td class=\"n\">{number}</td>");
            page.lines().find(|line| line.contains(&sign)).expect("a row").to_string()
        };
        assert!(row(1).starts_with("<tr><td"), "{}", row(1));
        assert!(row(2).starts_with("<tr class=\"part\">") && row(2).contains("if (x &lt; 3)"), "{}", row(2));
        assert!(row(3).starts_with("<tr class=\"miss\">") && row(4).starts_with("<tr class=\"hit\">"));
        let missing = Source { path: folder.path().join("b.c"), ..source };
        let page = sources([&missing].into_iter());
        assert!(page.contains("cannot be read") && page.contains("<td class=\"n\">3</td>"));
    }
}
