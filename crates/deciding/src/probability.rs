//! How likely paths and outcomes are.
//!
//! The inputs of a method are independent and uniform in their ranges, or as a profile says ([`Profile`]). A
//! path's probability is the number of solutions of its condition over the number of inputs, both exact
//! [Geldenhuys ISSTA'12; Visser FSE'12, 3]. Inputs that a condition does not mention cancel out, so that also
//! drivers, which draw inputs on their way, have a well-defined space: all inputs that they could draw. The
//! caller asks [`Masses`]; `tree.rs` keeps what is known of the beginnings of paths, `part.rs` counts what is
//! not, `mass.rs` is the number itself: exact, or bounds that hold and are reported as bounds.

mod begin;
mod distribution;
mod leak;
mod mass;
mod part;
mod printed;
mod profile;
mod shown;
mod tree;
mod watched;

pub use distribution::{Class, Distribution, Likelihood};
pub use leak::{Bits, Leak, Publics};
pub use mass::Mass;
pub use profile::{Profile, ProfileError, Region};
pub use shown::{Printed, ShowInteger, Shown};
pub use tree::{MassCounts, Masses};
pub use watched::{Along, Measure, Shows, Watched};
