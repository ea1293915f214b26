//! How hard to try, counted in steps: the same query gives up at the same place on every machine.

/// The most steps that one check may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Exchanges of a row and a column in a simplex tableau; in a tableau of more than 32,768 cells one
    /// counts as several, and so it does in one of more than 512 cells of any size, or with long numbers.
    pub pivots: u32,
    /// Case splits, for fractions and for `!=`.
    pub splits: u32,
}

impl Default for Effort {
    /// Enough for path conditions; a hard knapsack is given up after some tens of milliseconds.
    fn default() -> Effort {
        Effort { pivots: 10_000, splits: 300 }
    }
}

impl Effort {
    /// The smaller of two efforts, step by step.
    pub(crate) fn min(self, other: Effort) -> Effort {
        Effort { pivots: self.pivots.min(other.pivots), splits: self.splits.min(other.splits) }
    }
}

/// The rest of an effort.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: Effort,
}

impl Budget {
    pub(crate) fn new(effort: Effort) -> Budget {
        Budget { left: effort }
    }

    /// How many pivots and splits were taken since it was `start`.
    pub(crate) fn spent(&self, start: Effort) -> Effort {
        Effort { pivots: start.pivots - self.left.pivots, splits: start.splits - self.left.splits }
    }

    /// At most so much of the rest; to be given back with [`Budget::charge`].
    pub(crate) fn share(&self, most: Effort) -> Budget {
        let left =
            Effort { pivots: self.left.pivots.min(most.pivots), splits: self.left.splits.min(most.splits) };
        Budget { left }
    }

    /// Subtracts the used part of a share.
    pub(crate) fn charge(&mut self, before: &Budget, after: &Budget) {
        let spent = after.spent(before.left);
        self.left.pivots -= spent.pivots;
        self.left.splits -= spent.splits;
    }

    /// Takes pivots; false when there are none left.
    pub(crate) fn pivots(&mut self, many: u32) -> bool {
        take(&mut self.left.pivots, many)
    }

    /// Takes one split; false when there are none left.
    pub(crate) fn split(&mut self) -> bool {
        take(&mut self.left.splits, 1)
    }
}

fn take(left: &mut u32, many: u32) -> bool {
    let any = *left > 0;
    *left = left.saturating_sub(many);
    any
}
