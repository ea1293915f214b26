//! Explorations on many machines, for programs of every language.
//!
//! A submitter puts a job into a queue: what to explore, and an item for each entry ([`submit`]). Workers
//! claim items, explore them, and split what takes long ([`work()`]). The submitter gathers results and
//! retraces every path before it uses it ([`evergreen_service::Elsewhere`]): what workers send can only save
//! work.

mod gather;
mod item;
mod work;

pub use gather::{Gathering, Limits, Submission, submit};
pub use item::{Batch, Counts, Garbled, Item, limited};
pub use work::{Manners, Ready, Worked, work};
