//! The exhibits of BLISS [Rosner TSE'15]: lazy initialization with field bounds, refinement and SAT.
//!
//! Cells are those of `evergreen-lab study bliss`. An exhibit takes the rows that an earlier one has run.

mod best;
mod compared;
mod reductions;
mod rows;
mod times;

use super::show::Shown;
use super::work::Work;
use super::{Exhibit, Kind, Paper};

const fn table(
    number: &'static str,
    title: &'static str,
    seconds: (f64, f64),
    run: fn(&mut Work) -> Result<Shown, String>,
) -> Exhibit {
    Exhibit { paper: Paper::Bliss, kind: Kind::Table, number, title, seconds, run }
}

/// In the order of the paper.
pub(super) const EXHIBITS: &[Exhibit] = &[
    table("I", "Times and structures of TreeSet", (20.0, 3600.0), |w| times::show(w, &["TreeSet"], |_| true)),
    table("II", "Times and structures of TreeMap", (10.0, 3600.0), |w| {
        times::show(w, &["TreeMap"], |_| true)
    }),
    table("III", "Times and structures of AvlTree", (20.0, 3600.0), |w| {
        times::show(w, &["AvlTree"], |_| true)
    }),
    table("IV", "Times and structures of BinomialHeap: traversals and the bug", (20.0, 3600.0), |w| {
        times::show(w, &["BinomialHeap"], rows::is_in_table_iv)
    }),
    table("V", "Times and structures of BinomialHeap: the other methods", (40.0, 3600.0), |w| {
        times::show(w, &["BinomialHeap"], |name| !rows::is_in_table_iv(name))
    }),
    table("VI", "Times and structures of BinTree", (15.0, 3600.0), |w| {
        times::show(w, &["BinTree"], |_| true)
    }),
    table("VII", "Times and structures of LinkedList", (5.0, 60.0), |w| {
        times::show(w, &["LinkedList"], |_| true)
    }),
    table("VIII", "The best technique of each method, and its speedup over LI", (1.0, 1.0), best::show),
    table("IX", "Structures collected by each technique, and the reduction", (10.0, 1200.0), reductions::ix),
    table("X", "Reductions of test suites at the largest scope of LI", (60.0, 1200.0), reductions::x),
];
