//! How explorations are run, for programs of every language.
//!
//! [`evergreen_explore`] has the loop, [`evergreen_deciding`] decides arms. This crate makes an exploration
//! useful: paths as values ([`PathEnd`]), threads that find the same paths in the same order
//! ([`with_workers`]), parts that other machines explore ([`Part`], [`Retrace`]), tests of an older version
//! as seeds ([`OldTests`]), probabilities. [`Campaign`] is a whole run: it keeps suites ([`Suites`]), replays
//! tests, collects findings and totals, and shows all of it to [`Sink`]s; [`report`] has those that write
//! text, JSON, HTML, SARIF and Markdown.
//!
//! A language comes in two traits. [`Language`] names the values that travel between threads and machines:
//! entries, inputs, test cases. [`Frontend`] is what runs: a machine, how an entry begins, how an outcome is
//! described, how a test guides a path. What the rest of this crate knows of a language, it knows through
//! them.

mod campaign;
mod changes;
mod elsewhere;
mod exploration;
mod findings;
mod frontend;
mod language;
mod leftovers;
mod line;
mod pairs;
mod parallel;
mod part;
mod path;
mod remote;
mod replay;
pub mod report;
mod run;
mod seeds;
mod severity;
mod suites;
mod tally;
mod totals;
mod walks;

pub use campaign::{Campaign, EntryEnd, ShowProgress, Sink, Stops};
pub use changes::{Affected, Changes};
pub use elsewhere::{Effort, Elsewhere, Heard, Retraced};
pub use exploration::Exploration;
pub use findings::{Finding, Findings, size};
pub use frontend::{
    Begun, Completion, Described, FoundOf, Frontend, NameDecision, OutcomeOf, SiteName, Sorted, StateOf,
    Subject, Whole,
};
pub use language::{Beyond, Counts, Entry, EntryKey, Language, Packed, Within};
pub use leftovers::{Leftovers, Rewritten};
pub use line::{PathLine, PathLines};
pub use pairs::{Agreement, Compares, Ends, Kept, KeptEnds, Pair, PairCounts, Pairs};
pub use parallel::{Finished, Paths, Team, Telling, Together, Workers, with_workers};
pub use part::{Part, Unresumed};
pub use path::{Cases, Detail, How, PathEnd, ProgramError, Stop};
pub use remote::{Forward, RemoteEnd, RemotePath, Retrace, Untold, Untrue};
pub use replay::{Choice, Difference, Divergence, Ran, Replayer, TestId, Tests};
pub use run::Run;
pub use seeds::{Followed, OldTests, Retirement, TestGuide};
pub use severity::{BySeverity, Severities, Severity};
pub use suites::{Keeping, Program, SuiteOptions, SuiteSize, Suites, read_inputs};
pub use tally::Tally;
pub use totals::{Explored, Totals};

// What whoever runs explorations needs of the layers below.
pub use evergreen_deciding::Maker;
pub use evergreen_deciding::probability::{Measure, Profile};
pub use evergreen_explore::{Asking, Bounds, Old, Options, Order, Sampling, Shortcuts, Summary};
pub use evergreen_suite::{Folder as SuiteFolder, Format};
