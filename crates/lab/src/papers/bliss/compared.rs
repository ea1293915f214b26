//! Counts and words that all exhibits of the paper share.

use evergreen_java::heap::Technique;

/// What is run, in words.
pub(super) fn technique(full: bool) -> String {
    let until = if full {
        "a cell has ten minutes of the processor's time"
    } else {
        "a row ends where its next cell would take about a second, computed from the choices and questions \
        of this one; `--full` goes on"
    };
    format!(
        "LI, BLI, RBLI, BLISS and BLISSDB (Algorithms 1 to 7) in the machine for bytecode, with tight field \
        bounds; seconds are the processor's, without field bounds, as in the paper; {until}."
    )
}

/// The subjects, in words.
pub(super) const SUBJECTS: &str = "Our own classes (`subjects/heap`, `subjects/bliss`) after the paper's \
    descriptions. Traversals, `repOK`, `contains` and those of lists are counted by paths, methods that \
    change the structure by distinct shapes of what their paths have read. `TreeSet.add` is run by a driver \
    that checks `repOK` first (Figure 14); `TreeSet.remove` and `AvlTree.insert` are written as textbooks \
    have them, smaller keys first.";

/// As the paper names it.
pub(super) fn name(technique: Technique) -> &'static str {
    match technique {
        Technique::Li => "LI",
        Technique::Bli => "BLI",
        Technique::Rbli => "RBLI",
        Technique::Bliss => "BLISS",
        Technique::BlissDb => "BLISSDB",
    }
}

/// How many cells were compared, and how many are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Equal ones.
    pub equal: usize,
    /// All.
    pub compared: usize,
}

impl Tally {
    /// Adds a comparison.
    pub(super) fn add(&mut self, equal: bool) {
        self.equal += usize::from(equal);
        self.compared += 1;
    }

    /// Whether all are equal, and there are some.
    pub(super) fn is_all(self) -> bool {
        self.compared > 0 && self.equal == self.compared
    }

    /// Whether at least two thirds are equal.
    pub(super) fn is_most(self) -> bool {
        self.compared > 0 && 3 * self.equal >= 2 * self.compared
    }
}

/// Digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many percent fewer than LI a technique collects.
pub(super) fn reduction(li: u64, other: u64) -> f64 {
    if li == 0 { 0.0 } else { 100.0 * (1.0 - other as f64 / li as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_are_the_papers() {
        // TreeSet.dfs at scopes 3 and 11, BinomialHeap.insert at 8.
        let percent = |li, other| format!("{:.1}", reduction(li, other));
        assert_eq!(
            (percent(8, 4), percent(82_499, 407), percent(224, 184)),
            ("50.0".into(), "99.5".into(), "17.9".into())
        );
        assert_eq!(grouped(1_033_411), "1,033,411");
        assert!(!Tally::default().is_all());
    }
}
