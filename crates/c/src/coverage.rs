//! Lines and branches of a program's own sources: which of them the explored paths have covered.
//!
//! The machine notes each instruction that it executes and each arm that a conditional instruction takes, on
//! all paths together: also on those that a bound cut or that end as unsupported, up to there. Every such
//! path is a beginning of a feasible one. So coverage is that of the explored paths, whether their tests are
//! replayed or not; a replay that took other branches would be a divergence.
//!
//! A line is covered if one of its instructions was executed. A branch is a conditional instruction, and
//! counts by its arms: `a && b` has two branches of two arms, a `switch` an arm for each target. The checks
//! of undefined behaviour are no branches of the source. Code of the C library and of harnesses is left out,
//! and so is code without a line.

use evergreen_service::report::{ArmMark, BranchMark, Cell, LineMark, More, Source, Table};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A place in one of the sources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct At {
    pub(crate) file: usize,
    pub(crate) line: u32,
    /// From 1; 0 if it is not known.
    pub(crate) column: u32,
}

/// A conditional instruction in one of the sources.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) at: At,
    /// The place of its first arm among the flags of the machine.
    pub(crate) first: usize,
    /// Where each arm leads, if that is known.
    pub(crate) arms: Vec<Option<At>>,
}

/// Which of a program's instructions and branches belong to which line of its sources.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// The files, as the compiler named them.
    pub(crate) files: Vec<String>,
    /// By instruction: file and line.
    pub(crate) lines: Vec<Option<(usize, u32)>>,
    pub(crate) branches: Vec<Branch>,
}

/// What was covered of how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Share {
    covered: u64,
    total: u64,
}

impl Share {
    fn count(&mut self, covered: bool) {
        self.covered += u64::from(covered);
        self.total += 1;
    }

    fn add(self, other: Share) -> Share {
        Share { covered: self.covered + other.covered, total: self.total + other.total }
    }

    fn json(self) -> Value {
        json!({ "covered": self.covered, "total": self.total })
    }
}

impl std::fmt::Display for Share {
    /// `3/4 75%`; the percentage is cut, not rounded: 100% means all.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.covered * 100).checked_div(self.total) {
            Some(percent) => write!(f, "{}/{} {percent}%", self.covered, self.total),
            None => f.write_str("0/0"),
        }
    }
}

/// The coverage of one file.
#[derive(Default)]
struct FileCoverage {
    /// Lines with code.
    lines: BTreeMap<u32, LineMark>,
    executed: Share,
    arms: Share,
}

impl FileCoverage {
    fn missed_lines(&self) -> Vec<u32> {
        self.lines.iter().filter(|(_, mark)| !mark.executed).map(|(line, _)| *line).collect()
    }

    /// Branches with an arm that was not taken, by line and column.
    fn missed_branches(&self) -> Vec<Value> {
        let mut all = Vec::new();
        for (line, mark) in &self.lines {
            for branch in mark.branches.iter().filter(|branch| branch.taken() < branch.arms.len()) {
                let missed = branch.arms.iter().filter(|arm| !arm.taken);
                let missed: Vec<Option<u32>> = missed.map(|arm| arm.to.map(|to| to.0)).collect();
                let (taken, arms) = (branch.taken(), branch.arms.len());
                let column = branch.column;
                all.push(json!({
                    "line": line, "column": column, "taken": taken, "arms": arms, "not_to_lines": missed
                }));
            }
        }
        all
    }
}

impl Sources {
    /// The coverage of each file, given what was executed and taken.
    fn covered(&self, executed: &[bool], taken: &[bool]) -> Vec<FileCoverage> {
        let flag = |flags: &[bool], at: usize| flags.get(at).copied().unwrap_or(false);
        let mut files: Vec<FileCoverage> = self.files.iter().map(|_| FileCoverage::default()).collect();
        for (at, place) in self.lines.iter().enumerate() {
            let Some((file, line)) = place else { continue };
            files[*file].lines.entry(*line).or_default().executed |= flag(executed, at);
        }
        for branch in &self.branches {
            let file = &mut files[branch.at.file];
            let mut arms = Vec::with_capacity(branch.arms.len());
            for (number, to) in branch.arms.iter().enumerate() {
                let taken = flag(taken, branch.first + number);
                file.arms.count(taken);
                let to = to.filter(|to| to.file == branch.at.file).map(|to| (to.line, to.column));
                arms.push(ArmMark { taken, to });
            }
            let mark = file.lines.entry(branch.at.line).or_default();
            mark.branches.push(BranchMark { column: branch.at.column, arms });
        }
        for file in &mut files {
            for mark in file.lines.values_mut() {
                file.executed.count(mark.executed);
                mark.branches.sort_by_key(|branch| branch.column);
            }
        }
        files
    }

    /// What reports show: the sums, a table, and the sources with their marks.
    pub(crate) fn more(&self, executed: &[bool], taken: &[bool]) -> More {
        let names = names(&self.files);
        let mut files: Vec<(&str, &str, FileCoverage)> = Vec::new();
        for ((path, name), file) in self.files.iter().zip(&names).zip(self.covered(executed, taken)) {
            if file.executed.total > 0 {
                files.push((path, name, file));
            }
        }
        files.sort_by(|a, b| (a.1, a.0).cmp(&(b.1, b.0)));
        if files.is_empty() {
            let fields = [("coverage".to_string(), Value::Null)].into_iter().collect();
            return More { fields, ..More::default() };
        }
        let lines = files.iter().fold(Share::default(), |sum, (_, _, file)| sum.add(file.executed));
        let branches = files.iter().fold(Share::default(), |sum, (_, _, file)| sum.add(file.arms));
        let mut more = More::default();
        let listed: Vec<Value> = files
            .iter()
            .map(|(_, name, file)| {
                json!({
                    "file": name, "lines": file.executed.json(), "branches": file.arms.json(),
                    "missed_lines": file.missed_lines(), "missed_branches": file.missed_branches(),
                })
            })
            .collect();
        let all = json!({
            "of": "explored paths", "lines": lines.json(), "branches": branches.json(), "files": listed
        });
        more.fields.insert("coverage".into(), all);
        more.cards.push((lines.to_string(), "lines covered"));
        more.cards.push((branches.to_string(), "branches covered"));
        let share = |share: Share| Cell::Share(share.covered, share.total);
        let row = |(_, name, file): &(&str, &str, FileCoverage)| {
            vec![Cell::Code(name.to_string(), String::new()), share(file.executed), share(file.arms)]
        };
        let rows = files.iter().map(row).collect();
        more.tables.push(Table { head: vec!["source", "lines", "branches"], rows });
        more.facts
            .push(format!("the explored paths cover {lines} of the lines and {branches} of the branches"));
        more.sources = files.into_iter().map(|(path, name, file)| shown(path, name, file)).collect();
        more
    }
}

fn shown(path: &str, name: &str, file: FileCoverage) -> Source {
    let missed = format!("lines {}, branches {}", file.executed, file.arms);
    Source { name: name.into(), path: PathBuf::from(path), about: missed, lines: file.lines }
}

/// Files by as few of their last parts as tell them apart.
fn names(paths: &[String]) -> Vec<String> {
    let end = |path: &str, parts: usize| {
        let all: Vec<&str> = path.split('/').collect();
        all[all.len().saturating_sub(parts)..].join("/")
    };
    let deepest = paths.iter().map(|path| path.split('/').count()).max().unwrap_or(1);
    let one = |path: &String| {
        let is_alone = |parts: &usize| {
            let name = end(path, *parts);
            paths.iter().filter(|other| end(other, *parts) == name).count() == 1
        };
        end(path, (1..=deepest).find(is_alone).unwrap_or(deepest))
    };
    paths.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_are_told_apart() {
        let paths = ["/p/a/util.c", "/p/b/util.c", "/p/main.c"].map(String::from);
        assert_eq!(names(&paths), ["a/util.c", "b/util.c", "main.c"]);
    }

    #[test]
    fn lines_and_arms_are_counted_apart() {
        let at = |line, column| At { file: 0, line, column };
        let sources = Sources {
            files: vec!["/p/a.c".into()],
            lines: vec![Some((0, 1)), Some((0, 1)), None, Some((0, 3))],
            branches: vec![Branch { at: at(1, 9), first: 1, arms: vec![Some(at(2, 1)), Some(at(3, 1))] }],
        };
        let more = sources.more(&[false, true, true, false], &[true, false, true]);
        let coverage = &more.fields["coverage"];
        assert_eq!(coverage["lines"], json!({ "covered": 1, "total": 2 }));
        assert_eq!(coverage["branches"], json!({ "covered": 1, "total": 2 }));
        let file = &coverage["files"][0];
        assert_eq!(file["missed_lines"], json!([3]));
        assert_eq!(
            file["missed_branches"],
            json!([{ "line": 1, "column": 9, "taken": 1, "arms": 2, "not_to_lines": [2] }])
        );
        assert_eq!(more.facts, ["the explored paths cover 1/2 50% of the lines and 1/2 50% of the branches"]);
    }
}
