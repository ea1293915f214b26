//! The options of an exploration.

use crate::{Bounds, Order};

/// The options of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which open state is next.
    pub order: Order,
    /// Limits.
    pub bounds: Bounds,
    /// Which arms need no question.
    pub shortcuts: Shortcuts,
    /// What becomes of a path at a branch with an arm that the oracle cannot decide.
    pub sampling: Sampling,
    /// When the oracle is asked.
    pub asking: Asking,
    /// From how many paths on states are merged where the arms of a branch meet again, see
    /// [`crate::Merging`]; never without a number. A state that was merged is returned as one of its paths.
    pub merging: Option<u64>,
    /// States that were merged are returned as they are, with conditional values, and arms that only they
    /// took get no path of their own: the paths are then a partition of the inputs.
    pub as_merged: bool,
}

/// What becomes of a path at a branch with an arm that the oracle cannot decide. The arm itself is reported
/// as undecided and not explored.
///
/// The other arms are conditions of the same kind: with one of them on the path, the oracle can decide little
/// of what follows. A sampled path goes on with numbers in place of the inputs that the branch depends on, as
/// in dynamic symbolic execution, and the oracle can decide everything else. It is one of many paths that may
/// be there, so an exploration with a sampled path is not complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sampling {
    /// The condition of the arm that is taken joins the path.
    #[default]
    Never,
    /// An arm that the model of the path takes is *sampled*: the inputs that the branch depends on are fixed
    /// to their values in the model ([`crate::Oracle::fix`]).
    Undecided,
    /// The same, and a path that the machine cannot follow with symbols ([`crate::Machine::blocked`]) goes on
    /// with the values of its model, and with a few others.
    Everywhere,
}

/// Which arms need no question. Studies of other systems leave some out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shortcuts {
    /// The arm that the model of the path takes, and an arm whose siblings are all infeasible.
    #[default]
    All,
    /// Only an arm whose siblings are all infeasible.
    Complement,
    /// None: the oracle decides every arm, and every arm taken makes the path condition longer.
    None,
}

/// When the oracle is asked about the arms of a branch that no inputs at hand take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Asking {
    /// At the branch, before a state goes on.
    #[default]
    AtBranches,
    /// After the run: inputs are followed to the end of their path, as in dynamic symbolic execution. The
    /// arms that they left wait in the order of the exploration, and each is asked about with the conditions
    /// before it when its turn comes; the inputs that the answer has are followed next [Visser FSE'12, 4.4;
    /// Godefroid NDSS'08]. States are not merged.
    Later,
}
