//! The exhibits of the comparative study of incremental constraint solving [Liu HVC'14].
//!
//! Programs come from [`generator`], in the manner of RUGRAT; [`ssa`], [`linear`] and [`cse`] are the static
//! steps; [`explorer`] runs a program with one of the techniques of [`solving`] within a budget.

mod claims;
mod clock;
mod cse;
mod explorer;
mod figure3;
mod figure4;
mod figure5;
mod figure6;
mod figure7;
mod generator;
mod linear;
mod measured;
mod program;
mod record;
mod solving;
mod ssa;

#[cfg(test)]
mod tests;

use super::{Exhibit, Kind, Paper};

/// In the order of the paper.
pub(super) const EXHIBITS: &[Exhibit] = &[
    Exhibit {
        paper: Paper::Comparative,
        kind: Kind::Figure,
        number: "3",
        title: "cost of a constraint, and questions answered",
        seconds: (120.0, 450_000.0),
        run: figure3::figure,
    },
    Exhibit {
        paper: Paper::Comparative,
        kind: Kind::Figure,
        number: "4",
        title: "complete paths over time",
        seconds: (1.0, 1.0),
        run: figure4::figure,
    },
    Exhibit {
        paper: Paper::Comparative,
        kind: Kind::Figure,
        number: "5",
        title: "the stack against caches on questions of C programs",
        seconds: (60.0, 6_000.0),
        run: figure5::figure,
    },
    Exhibit {
        paper: Paper::Comparative,
        kind: Kind::Figure,
        number: "6",
        title: "time by phase",
        seconds: (1.0, 1.0),
        run: figure6::figure,
    },
    Exhibit {
        paper: Paper::Comparative,
        kind: Kind::Figure,
        number: "7",
        title: "cost of the static steps",
        seconds: (30.0, 30.0),
        run: figure7::figure,
    },
];
