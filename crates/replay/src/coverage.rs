//! The coverage of a suite, as measured by probes on the JVM: source lines and arms of branches.

use crate::Probes;
use evergreen_classfile::Arm;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Which probes were hit, by one case or by many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits(Vec<u64>);

impl Hits {
    /// Adds one.
    pub fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    /// Adds those of another batch.
    pub fn merge(&mut self, other: &Hits) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// Whether it was hit.
    pub fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & 1 << (number % 64) != 0)
    }
}

/// A number hit out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many were covered.
    pub covered: usize,
    /// How many there are.
    pub total: usize,
}

impl Share {
    fn add(&mut self, other: Share) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

impl fmt::Display for Share {
    /// `3/4 75%`; the percentage is cut, not rounded: 100% means all.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = (self.covered * 100).checked_div(self.total);
        let text = match percent {
            Some(percent) => format!("{}/{} {percent:>3}%", self.covered, self.total),
            None => "-".into(),
        };
        f.pad(&text)
    }
}

/// The coverage of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCoverage {
    /// The class, as `Class.getName` has it.
    pub class: String,
    /// Its source file, if the class file names it.
    pub source: Option<String>,
    /// Source lines with code.
    pub lines: Share,
    /// Arms of branches.
    pub branches: Share,
    /// Whether a case reached it, for each source line with code.
    pub reached: BTreeMap<u16, bool>,
    /// The branches that have a line, in the order of the code: the line, and which of the arms were taken.
    pub arms: Vec<(u16, Vec<bool>)>,
    /// The lines that no case reached.
    pub missed_lines: Vec<u16>,
    /// The probes of arms that no case took.
    pub missed_arms: Vec<u32>,
    /// Methods without probes, with the reason: their coverage is not known.
    pub unprobed: Vec<(String, String)>,
}

/// The coverage of all probed classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// One for each class that has lines or branches, in order of the names.
    pub classes: Vec<ClassCoverage>,
    /// Arms of branches of the methods that were tested: of their own code, not of what they call.
    pub methods: Share,
}

impl Coverage {
    /// Counts the hit probes.
    pub fn of(probes: &Probes, hits: &Hits) -> Coverage {
        let mut classes = Vec::new();
        for class in &probes.classes {
            let mut lines: BTreeMap<u16, bool> = BTreeMap::new();
            let mut branches = Share::default();
            let mut missed_arms = Vec::new();
            let mut arms: Vec<(u16, Vec<bool>)> = Vec::new();
            let mut last = None;
            for (number, probe) in (class.first..).zip(&class.probes) {
                let hit = hits.contains(number);
                match probe.arm {
                    Arm::Line => {
                        // Several methods, or several pieces of one, may share a line.
                        if let Some(line) = probe.line {
                            *lines.entry(line).or_default() |= hit;
                        }
                    }
                    _ => {
                        branches.total += 1;
                        branches.covered += hit as usize;
                        if !hit {
                            missed_arms.push(number);
                        }
                        let here = Some((probe.method, probe.offset));
                        match (arms.last_mut(), probe.line) {
                            (Some((_, taken)), Some(_)) if last == here => taken.push(hit),
                            (_, Some(line)) => arms.push((line, vec![hit])),
                            (_, None) => {}
                        }
                        last = here;
                    }
                }
            }
            let missed_lines: Vec<u16> =
                lines.iter().filter(|(_, hit)| !**hit).map(|(line, _)| *line).collect();
            let reached = lines;
            let lines = Share { covered: reached.len() - missed_lines.len(), total: reached.len() };
            if lines.total > 0 || branches.total > 0 || !class.left.is_empty() {
                classes.push(ClassCoverage {
                    class: class.name.clone(),
                    source: class.source.clone(),
                    lines,
                    branches,
                    reached,
                    arms,
                    missed_lines,
                    missed_arms,
                    unprobed: class.left.clone(),
                });
            }
        }
        classes.sort_by(|a, b| a.class.cmp(&b.class));
        Coverage { classes, methods: Share::default() }
    }

    /// Counts the arms of these methods, too: classes as `Class.getName` has them, names with descriptors.
    pub fn of_methods(
        mut self,
        probes: &Probes,
        hits: &Hits,
        methods: &BTreeSet<(String, String)>,
    ) -> Coverage {
        self.methods = Share::default();
        for class in &probes.classes {
            let is_tested = |name: &String| methods.contains(&(class.name.clone(), name.clone()));
            let tested: Vec<bool> = class.methods.iter().map(is_tested).collect();
            for (number, probe) in (class.first..).zip(&class.probes) {
                if probe.arm != Arm::Line && tested.get(probe.method as usize) == Some(&true) {
                    self.methods.total += 1;
                    self.methods.covered += usize::from(hits.contains(number));
                }
            }
        }
        self
    }

    /// Lines of all classes.
    pub fn lines(&self) -> Share {
        self.total(|class| class.lines)
    }

    /// Branches of all classes.
    pub fn branches(&self) -> Share {
        self.total(|class| class.branches)
    }

    fn total(&self, of: impl Fn(&ClassCoverage) -> Share) -> Share {
        let mut sum = Share::default();
        self.classes.iter().for_each(|class| sum.add(of(class)));
        sum
    }
}

impl fmt::Display for Coverage {
    /// A table with a line per class, and one for all if there are several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.classes.iter().map(|class| class.class.len()).max().unwrap_or(0).max(5);
        writeln!(f, "{:width$}  {:>14}  {:>14}  missed lines", "class", "lines", "branches")?;
        for class in &self.classes {
            let row = format!(
                "{:width$}  {:>14}  {:>14}  {}",
                class.class,
                class.lines,
                class.branches,
                ranges(&class.missed_lines)
            );
            writeln!(f, "{}", row.trim_end())?;
        }
        if self.classes.len() > 1 {
            writeln!(f, "{:width$}  {:>14}  {:>14}", "all", self.lines(), self.branches())?;
        }
        Ok(())
    }
}

/// `3-5, 9`; a long list is cut.
fn ranges(lines: &[u16]) -> String {
    let mut parts: Vec<(u16, u16)> = Vec::new();
    for line in lines {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => parts.push((*line, *line)),
        }
    }
    let texts: Vec<String> = parts
        .iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    match texts.len() {
        0..=9 => texts.join(", "),
        _ => format!("{}, ... ({} lines)", texts[..8].join(", "), lines.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_a_set() {
        let mut hits = Hits::default();
        hits.insert(3);
        let mut other = Hits::default();
        other.insert(200);
        hits.merge(&other);
        other.merge(&hits);
        assert_eq!(hits, other);
        let found: Vec<u32> = (0..500).filter(|number| hits.contains(*number)).collect();
        assert_eq!(found, [3, 200]);
    }

    #[test]
    fn lines_are_told_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3, 7, 9-10");
        let odd: Vec<u16> = (0..20).map(|i| 2 * i + 1).collect();
        assert_eq!(ranges(&odd), "1, 3, 5, 7, 9, 11, 13, 15, ... (20 lines)");
    }

    #[test]
    fn the_table_is_aligned_and_says_what_is_missing() {
        let class = |name: &str, covered, missed_lines: Vec<u16>| ClassCoverage {
            class: name.into(),
            source: None,
            lines: Share { covered, total: 200 },
            branches: Share::default(),
            reached: BTreeMap::new(),
            arms: vec![],
            missed_lines,
            missed_arms: vec![],
            unprobed: vec![],
        };
        let coverage = Coverage {
            classes: vec![class("shop.Cart", 199, vec![3, 4, 5, 9]), class("shop.Receipt", 200, vec![])],
            methods: Share::default(),
        };
        assert_eq!(
            coverage.to_string(),
            "class                  lines        branches  missed lines\n\
             shop.Cart       199/200  99%               -  3-5, 9\n\
             shop.Receipt    200/200 100%               -\n\
             all             399/400  99%               -\n"
        );
    }
}
