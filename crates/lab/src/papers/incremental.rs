//! Incremental symbolic execution's figures [Makhdoom ASE'14]: the program `mid` in two versions, and
//! utilities in two releases.

mod c;
mod example;
mod utilities;

use super::{Exhibit, Kind, Paper};

/// In the order of the paper.
pub(super) const EXHIBITS: &[Exhibit] = &[
    Exhibit {
        paper: Paper::Incremental,
        kind: Kind::Figure,
        number: "1-5",
        title: "both versions of mid, the tests that are kept, and the affected range",
        seconds: (2.0, 2.0),
        run: example::run,
    },
    Exhibit {
        paper: Paper::Incremental,
        kind: Kind::Figure,
        number: "6",
        title: "utilities of one release and the next, with and without the old suite",
        seconds: (100.0, 900.0),
        run: utilities::run,
    },
];
