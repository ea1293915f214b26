//! Language-neutral exploration: a machine runs states and offers arms, an oracle
//! decides which arms are feasible.
//!
//! Nothing in here knows a programming language or a solver. [`Explorer::next`] is the whole loop; everything
//! that limits it ([`Bounds`]), orders it ([`Order`]) or counts it ([`Summary`]) has a file of its own.

mod bounds;
mod coverage;
mod explorer;
mod frontier;
mod machine;
mod merging;
mod options;
mod oracle;
mod path;
mod place;
mod range;
mod seed;
mod share;
mod summary;

pub use bounds::{Bound, Bounds, Gauge};
pub use coverage::Coverage;
pub use evergreen_structures::Random;
pub use explorer::{Advance, End, Explorer, Found};
pub use frontier::Order;
pub use machine::{Arm, Fixing, Hint, Machine, Nearby, Pause, Site, Standing};
pub use merging::Merging;
pub use options::{Asking, Options, Sampling, Shortcuts};
pub use oracle::{Answerer, Feasibility, ModelOf, Oracle};
pub use path::{Path, Step, Trail};
pub use place::Place;
pub use range::{Limit, Range, RangeError};
pub use seed::{NoChoices, Old, Retired, SeedGuide, Seeds};
pub use share::{Astray, Passenger, Reached, Share, Turn, Way, follow};
pub use summary::{Answers, Cut, Decided, Summary};
