//! The path of a query: slice, canonize, climb the ladder, solve, check, record.
//!
//! [`Engine::answer`] is the whole of it on one screen; the ladder is one list
//! (`crates/reuse/src/ladder.rs`). This crate knows terms and bytes; it knows no text, no solver process and
//! no flags: the solver is behind the trait [`Backend`].

mod answer;
mod answered;
mod backend;
mod cores;
mod count;
mod engine;
mod event;
mod ladder;
mod logic;
mod marking;
mod native;
mod origins;
mod purify;
mod query;
mod record;
mod regulate;
mod stats;
mod strict;
mod translate;
mod trust;
mod witness;

pub use answer::{Answer, Core, Question, Source, Verdict};
pub use answered::{Answered, AnsweredBy};
pub use backend::{Backend, Grain, Solved, Task};
pub use cores::{
    Chosen, Constraints, CoreIndex, FoundCore, FoundNameless, Member, NamelessIndex, StoredCore,
    StoredNameless, check_core_bytes,
};
pub use count::{Counted, Uncountable};
pub use engine::{Components, Contradiction, Cores, Engine, Miss, Options, Reuse};
pub use event::Event;
pub use ladder::{Cost, Rung, model_of_bits, table as ladder_table};
pub use marking::marking;
pub use query::{OldValues, Query};
pub use record::{RECORD_VERSION, Record, RecordedVerdict, check_bytes};
pub use stats::{AuditStats, CountStats, RungStats, SettlingStats, Stage, Stats};
pub use strict::{Technique, is_strict_model};
pub use trust::Trust;
