//! Relations that the paper reports, and whether ours are the same: the marks of the exhibits.

use crate::papers::show::{Block, Mark};

/// The relations of an exhibit.
#[derive(Default)]
pub(super) struct Claims {
    rows: Vec<(String, String, String, bool)>,
}

impl Claims {
    /// A relation, the paper's numbers, ours, and whether it holds in ours.
    pub(super) fn add(
        &mut self,
        claim: &str,
        paper: impl Into<String>,
        ours: impl Into<String>,
        holds: bool,
    ) {
        self.rows.push((claim.to_string(), paper.into(), ours.into(), holds));
    }

    /// As a table.
    pub(super) fn block(&self) -> Block {
        let mut rows = vec![["relation", "paper", "ours", "holds"].map(str::to_string).to_vec()];
        for (claim, paper, ours, holds) in &self.rows {
            let holds = if *holds { "yes" } else { "no" };
            rows.push(vec![claim.clone(), paper.clone(), ours.clone(), holds.into()]);
        }
        Block::Table { caption: "What the paper observes, and whether it holds here.".into(), rows }
    }

    /// The same shape if all hold.
    pub(super) fn mark(&self) -> Mark {
        if self.rows.iter().all(|row| row.3) { Mark::SameShape } else { Mark::Differs }
    }

    /// How many hold, and which do not.
    pub(super) fn words(&self) -> String {
        let failed: Vec<String> =
            self.rows.iter().filter(|row| !row.3).map(|row| format!("\"{}\"", row.0)).collect();
        let all = self.rows.len();
        match failed.len() {
            0 => format!("all {all} relations hold."),
            count => format!("{} of {all} relations hold; not {}.", all - count, failed.join(", ")),
        }
    }
}

/// The average; 0 of nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// `1.5x`.
pub(super) fn times(ratio: f64) -> String {
    if ratio >= 20.0 { format!("{ratio:.0}x") } else { format!("{ratio:.2}x") }
}

/// Several ratios in one cell.
pub(super) fn all_times(ratios: &[f64]) -> String {
    ratios.iter().map(|ratio| times(*ratio)).collect::<Vec<_>>().join(" / ")
}
