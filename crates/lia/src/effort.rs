//! How hard to try, counted in steps: the same query gives up at the same place on every machine.

/// The most steps that one check may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Exchanges of a row and a column in a simplex tableau.
    pub pivots: u32,
    /// Case splits, for fractions and for `!=`.
    pub splits: u32,
}

impl Default for Effort {
    /// Enough for path conditions; a hard knapsack is given up within about a second.
    fn default() -> Effort {
        Effort { pivots: 20_000, splits: 1_000 }
    }
}

/// What is left of an effort.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: Effort,
}

impl Budget {
    pub fn new(effort: Effort) -> Budget {
        Budget { left: effort }
    }

    /// Takes one pivot; false when there are none left.
    pub fn pivot(&mut self) -> bool {
        take(&mut self.left.pivots)
    }

    /// Takes one split; false when there are none left.
    pub fn split(&mut self) -> bool {
        take(&mut self.left.splits)
    }
}

fn take(left: &mut u32) -> bool {
    let any = *left > 0;
    *left = left.saturating_sub(1);
    any
}
