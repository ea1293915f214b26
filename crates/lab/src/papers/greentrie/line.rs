//! Rows of the tables: the paper's figures above ours, with the ratios of both.

use crate::papers::technique::{Ran, Technique};

/// The techniques of the columns: n0 to n3, then ours.
pub(super) const TECHNIQUES: [Technique; 6] = [
    Technique::None,
    Technique::Green,
    Technique::Klee,
    Technique::GreenTrie,
    Technique::Ladder,
    Technique::Evergreen,
];

/// Calls of a solver and milliseconds, from no reuse to GreenTrie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// n0 to n3.
    pub calls: [u64; 4],
    /// t0 to t3; the paper does not have all of them.
    pub ms: [Option<f64>; 4],
}

/// What the paper prints: calls, and milliseconds.
pub(super) const fn printed(calls: [u64; 4], ms: [Option<f64>; 4]) -> Line {
    Line { calls, ms }
}

/// A row of a table.
pub(super) struct Entry {
    /// Its name.
    pub name: String,
    /// The paper's.
    pub paper: Line,
    /// Ours, by [`TECHNIQUES`].
    pub ours: Vec<Ran>,
}

impl Entry {
    /// Ours, as the paper has them.
    pub(super) fn line(&self) -> Line {
        let of = |i: usize| &self.ours[i];
        Line { calls: [0, 1, 2, 3].map(|i| of(i).calls), ms: [0, 1, 2, 3].map(|i| Some(of(i).seconds * 1e3)) }
    }

    /// Whether each technique of the paper calls the solver no more often than the one before it.
    pub(super) fn is_ordered(&self) -> bool {
        self.ours[..4].windows(2).all(|pair| pair[1].calls <= pair[0].calls)
    }

    /// Whether our ladder calls the solver more often than GreenTrie.
    pub(super) fn ladder_asks_more(&self) -> bool {
        self.ours[4].calls > self.ours[3].calls
    }

    /// Whether all techniques that ask the same questions have the same paths.
    pub(super) fn agrees(&self) -> bool {
        self.ours[..5].windows(2).all(|pair| pair[0].paths == pair[1].paths)
    }
}

/// What is saved of `of` when there are `left`.
pub(super) fn saved(of: f64, left: f64) -> Option<f64> {
    (of > 0.0).then(|| (of - left) / of)
}

/// As the paper prints ratios.
pub(super) fn percent(ratio: Option<f64>) -> String {
    ratio.map_or("0/0".into(), |ratio| format!("{:.1}%", 100.0 * ratio))
}

impl Line {
    /// R' and R''.
    pub(super) fn reuse(&self) -> [Option<f64>; 2] {
        [1, 2].map(|i| saved(self.calls[i] as f64, self.calls[3] as f64))
    }

    /// T' and T''.
    pub(super) fn time(&self) -> [Option<f64>; 2] {
        [1, 2].map(|i| saved(self.ms[i]?, self.ms[3]?))
    }

    fn add(&mut self, other: &Line) {
        for i in 0..4 {
            self.calls[i] += other.calls[i];
            self.ms[i] = self.ms[i].zip(other.ms[i]).map(|(sum, more)| sum + more);
        }
    }

    fn cells(&self) -> Vec<String> {
        let ms = |ms: Option<f64>| ms.map_or("/".into(), |ms| format!("{ms:.0}"));
        let mut cells: Vec<String> = self.calls.iter().map(u64::to_string).collect();
        cells.extend(self.reuse().map(percent));
        cells.extend(self.ms.map(ms));
        cells.extend(self.time().map(percent));
        cells
    }
}

/// The sums of the paper's rows and of ours.
pub(super) fn totals(entries: &[Entry]) -> (Line, Line) {
    let none = Line { calls: [0; 4], ms: [Some(0.0); 4] };
    let mut sums = (none, none);
    for entry in entries {
        sums.0.add(&entry.paper);
        sums.1.add(&entry.line());
    }
    sums
}

/// The table; two rows for each entry, and two for the sums.
pub(super) fn rows(first: &str, entries: &[Entry]) -> Vec<Vec<String>> {
    let head = [
        first,
        "of",
        "n0",
        "n1",
        "n2",
        "n3",
        "R'",
        "R''",
        "t0 ms",
        "t1 ms",
        "t2 ms",
        "t3 ms",
        "T'",
        "T''",
        "ladder",
        "evergreen",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    let mut push = |name: &str, of: &str, line: &Line, extra: [String; 2]| {
        let mut row = vec![name.to_string(), of.to_string()];
        row.extend(line.cells());
        row.extend(extra);
        rows.push(row);
    };
    let none = || [String::new(), String::new()];
    let mut ours = [0, 0];
    for entry in entries {
        let extra = [4, 5].map(|i| entry.ours[i].calls);
        ours = [ours[0] + extra[0], ours[1] + extra[1]];
        push(&entry.name, "paper", &entry.paper, none());
        push("", "ours", &entry.line(), extra.map(|calls| calls.to_string()));
    }
    let (paper, line) = totals(entries);
    push("all", "paper", &paper, none());
    push("", "ours", &line, ours.map(|calls| calls.to_string()));
    rows
}

/// What the columns are, for captions.
pub(super) const CAPTION: &str = "Calls of a solver and milliseconds: without reuse (n0, t0), by Green (n1, \
    t1), by KLEE's caches (n2, t2), by GreenTrie (n3, t3). R' and T' are GreenTrie's savings of Green's \
    calls and time, R'' and T'' of KLEE's. Calls of our whole ladder and of the product with its defaults \
    stand last.";

/// How the techniques are run, for all of these tables.
pub(super) const TECHNIQUE: &str = "both arms of every branch are asked, integers are unbounded, a solver \
    process decides what is not reused; *evergreen* alone has Java's integers, all shortcuts and the native \
    core";

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(calls: u64) -> Ran {
        Ran { calls, paths: 3, seconds: calls as f64 / 1000.0, ..Ran::default() }
    }

    #[test]
    fn ratios_are_those_that_the_paper_prints() {
        let tcas = printed([680, 41, 20, 14], [Some(12742.0), Some(3356.0), Some(2182.0), Some(2165.0)]);
        assert_eq!(tcas.reuse().map(percent), ["65.9%", "30.0%"]);
        assert_eq!(tcas.time().map(percent), ["35.5%", "0.8%"]);
        assert_eq!(percent(saved(0.0, 0.0)), "0/0");
    }

    #[test]
    fn an_entry_knows_its_order() {
        let entry = |calls: [u64; 6]| Entry {
            name: "x".into(),
            paper: Line::default(),
            ours: calls.map(ran).to_vec(),
        };
        assert!(entry([5, 4, 3, 3, 1, 0]).is_ordered());
        assert!(!entry([5, 4, 3, 4, 1, 0]).is_ordered());
        assert_eq!(rows("a", &[entry([5, 4, 3, 2, 1, 0])]).len(), 5);
    }
}
