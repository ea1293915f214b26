//! Green: reducing, reusing and recycling constraints [Visser FSE'12], sections 2 and 4.

mod figure2;
mod figure3;
mod figure4;
mod figure5;
mod programs;
mod table1;
mod table2;
mod table3;
mod table4;
mod table5;

use super::{Exhibit, Kind, Paper};

const fn exhibit(
    kind: Kind,
    number: &'static str,
    title: &'static str,
    seconds: (f64, f64),
    run: fn(&mut super::Work) -> Result<super::Shown, String>,
) -> Exhibit {
    Exhibit { paper: Paper::Green, kind, number, title, seconds, run }
}

/// In the order of the paper.
pub(super) const EXHIBITS: &[Exhibit] = &[
    exhibit(Kind::Figure, "2", "the running example and its modification", (1.0, 1.0), figure2::run),
    exhibit(Kind::Figure, "3", "mutants over one growing store", (60.0, 200.0), figure3::run),
    exhibit(Kind::Table, "1", "scaling: operations on containers", (20.0, 100.0), table1::run),
    exhibit(
        Kind::Table,
        "2",
        "a larger regression: BinTree before and after a repair",
        (5.0, 30.0),
        table2::run,
    ),
    exhibit(Kind::Figure, "4", "keys that three containers share", (10.0, 30.0), figure4::run),
    exhibit(Kind::Table, "3", "reuse from one program to another", (15.0, 15.0), table3::run),
    exhibit(Kind::Figure, "5", "reuse along orders of six programs", (10.0, 10.0), figure5::run),
    exhibit(
        Kind::Table,
        "4",
        "dynamic symbolic execution and symbolic execution over one store",
        (3.0, 3.0),
        table4::run,
    ),
    exhibit(Kind::Table, "5", "slicing, canonizing and the store", (15.0, 90.0), table5::run),
];
