//! GreenTrie's tables [Jia ISSTA'15]: reuse within a run, across versions, and across programs.
//!
//! The paper counts calls of a solver: without reuse (n0), by Green (n1), by KLEE's caches (n2) and by
//! GreenTrie (n3). R' = (n1 - n3) / n1 and R'' = (n2 - n3) / n2 say what GreenTrie saves of the others'
//! calls, T' and T'' the same of their times.

mod across;
mod line;
mod programs;
mod single;
mod versions;

use super::{Exhibit, Kind, Paper};

const fn table(
    number: &'static str,
    title: &'static str,
    seconds: (f64, f64),
    run: fn(&mut super::work::Work) -> Result<super::show::Shown, String>,
) -> Exhibit {
    Exhibit { paper: Paper::Greentrie, kind: Kind::Table, number, title, seconds, run }
}

/// In the order of the paper.
pub(super) const EXHIBITS: &[Exhibit] = &[
    table("1", "reuse in a single run, 13 programs", (50.0, 60.0), single::run),
    table("2", "reuse across versions of Euclid", (8.0, 8.0), versions::euclid),
    table("3", "reuse across versions of TCAS", (8.0, 8.0), versions::tcas),
    table("4", "reuse across versions of BinTree", (60.0, 90.0), versions::bintree),
    table("5", "reuse across programs, 7 by 7", (50.0, 300.0), across::run),
];
