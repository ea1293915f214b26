//! Nearby: old values that lead along the path, of a test say, are moved until they satisfy the new
//! constraints.
//!
//! A change that adds a condition to a path leaves tests that reach it and take only one of its arms; often
//! one input has to be another. (Answers come from similar solutions also in [Aquino ICSE'17]; there they are
//! tried as they are.) The moves are those of `crates/reuse/src/engine/settle.rs`; evaluation accepts them.

use crate::OldValues;
use crate::engine::{Engine, Found, Part};
use crate::ladder::{Index, New};
use evergreen_term::Terms;

impl Engine {
    /// Values near the old ones that satisfy a slice of the path.
    pub(super) fn nearby(&mut self, terms: &mut Terms, part: &Part, old: OldValues<'_>) -> Option<New> {
        let near = |symbol| old(terms, symbol);
        let moved = self.moved(terms, &part.constraints, &near)?;
        let holds = self.evaluate(terms, &moved, &part.constraints) == Some(true);
        holds.then_some(New { found: Found::Sat(moved), index: Index::All })
    }
}
