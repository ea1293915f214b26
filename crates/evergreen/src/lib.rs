//! Answers constraint queries from everything that was ever solved, and solves only the rest.
//!
//! A query is cut into independent parts, each part is brought into a canonical form that does not depend on
//! names or order, and the form's key is looked up: in memory, on disk, in a shared Redis. Only what was
//! never solved before reaches a solver, and its answer is recorded for the next query. Every model is
//! evaluated before it is given out.
//!
//! ```
//! # #[cfg(not(feature = "processes"))]
//! # fn main() {}
//! use evergreen::{Evergreen, Fun, Question, Reuse, Rung, SortId, Verdict};
//!
//! # #[cfg(feature = "processes")]
//! # fn main() -> Result<(), evergreen::Error> {
//! # let Some(_) = evergreen::solver::find_program("z3") else {
//! #     panic!("this example needs z3: run scripts/setup.sh and put .tools/bin on PATH");
//! # };
//! // Memory only; `store(path)` or a redis:// address would persist. Only answers to the same question are
//! // reused here, to show them: by default the native core decides all of this.
//! let builder = Evergreen::builder().store("memory:").solver("z3").reuse(Reuse::Exact).native(false);
//! let mut evergreen = builder.log_events().build()?;
//!
//! // The path of a symbolic execution: x < 0, then y < 0.
//! let (x, y) = (evergreen.constant("x", SortId::INT), evergreen.constant("y", SortId::INT));
//! let zero = evergreen.terms().int(0);
//! let x_negative = evergreen.app(Fun::Lt, &[x, zero])?;
//! let y_negative = evergreen.app(Fun::Lt, &[y, zero])?;
//!
//! // The first branch is solved.
//! assert_eq!(evergreen.branch(x_negative, Question::Sat)?.verdict, Verdict::Sat);
//! evergreen.push(x_negative)?;
//! // The second is the same query about another variable: it is reused.
//! assert_eq!(evergreen.branch(y_negative, Question::Sat)?.verdict, Verdict::Sat);
//! assert_eq!(evergreen.stats().solved, 1);
//! assert_eq!(evergreen.stats().hits(Rung::Exact), 1);
//! for event in evergreen.take_events() {
//!     println!("{event:?}");
//! }
//!
//! // A model of the whole path, and a contradiction with its core.
//! evergreen.push(y_negative)?;
//! let sum = evergreen.app(Fun::Add, &[x, y])?;
//! let positive = evergreen.app(Fun::Gt, &[sum, zero])?;
//! assert_eq!(evergreen.branch(positive, Question::Core)?.verdict, Verdict::Unsat);
//! # Ok(())
//! # }
//! ```
//!
//! Scripts are run by a [`Session`], which behaves as the solver that it stands in for.
//!
//! # Features
//! All but `cloud` are on by default. Without any (`default-features = false`) there are terms, a store in
//! memory and the native cores: linear integer constraints are decided and counted, everything is reused, and
//! about a dozen small crates are compiled.
//!
//! | feature | adds | without it |
//! |---|---|---|
//! | `disk` | stores in directories, for many processes | a path is refused; the default store is in memory |
//! | `redis` | stores on a Redis or Valkey server, shared by machines | `redis://` is refused |
//! | `tls` | `rediss://` addresses; includes `redis` | `rediss://` is refused |
//! | `cloud` | stores in object storage: S3, WebDAV, Google, Azure, GitHub | `s3://` and others are refused |
//! | `processes` | solver programs, [`Session`], [`run_script`] | see below |
//!
//! Without `processes`, what no native core decides is [`Verdict::Unknown`] with the reason;
//! [`Builder::with_solver`] takes a solver of the caller's own.

mod arms;
mod backend;
mod count;
#[cfg(feature = "processes")]
pub mod counters;
#[cfg(feature = "processes")]
mod elements;
mod error;
mod evidence;
mod explain;
mod founded;
pub mod identity;
mod library;
#[cfg(feature = "processes")]
mod live;
mod named;
mod needs;
mod program;
#[cfg(feature = "processes")]
mod script;
#[cfg(feature = "processes")]
mod session;
mod settled;
#[cfg(feature = "processes")]
mod spelled;
#[cfg_attr(not(feature = "processes"), allow(dead_code))] // sessions use all of it, counting a part
mod stack;
#[cfg(feature = "processes")]
mod values;
#[cfg_attr(not(feature = "processes"), allow(dead_code))] // only scripts set options
mod verbatim;

pub use count::CountScript;
pub use error::Error;
pub use evidence::has_evidence;
pub use explain::{describe_contradiction, describe_query};
pub use library::{Builder, Evergreen};
pub use named::NamedModel;
#[cfg(feature = "processes")]
pub use script::{ScriptRun, run_script};
#[cfg(feature = "processes")]
pub use session::{Next, Remark, Session, SessionOptions, SessionStats, asks_once};
pub use settled::is_settled;

pub use evergreen_canon::{Aside, Canonizer, FORM_VERSION, KeyBytes, Mode as CanonMode, digest, split};
pub use evergreen_count::{Budget, Confidence, Count, Domain, Rank};
pub use evergreen_reuse::{
    Answer, Answered, AnsweredBy, AuditStats, Backend, Contradiction, Core, CoreIndex, Cores, CountStats,
    Counted, Engine, Event, Grain, OldValues, Options as EngineOptions, Query, Question, Record,
    RecordedVerdict, Reuse, Rung, RungStats, SettlingStats, Solved, Source, Stage, Stats, StoredCore, Task,
    Technique, Trust, Uncountable, Verdict, check_bytes as check_record, check_core_bytes as check_core,
    ladder_table,
};
pub use evergreen_term::{
    Completion, Evaluator, Fun, Indexed, Int, Model, Sort, SortId, SymbolId, TermId, Terms, Unevaluable,
    Value,
};

// For those who look inside of terms.
pub use evergreen_term::{Op, SymbolKind, Traits, default_value};

/// Solver processes.
pub mod solver {
    #[cfg(feature = "processes")]
    pub use evergreen_solver::{ByTheory, Mode, PipeSolver, Process, interrupt_waited, interruptions};
    pub use evergreen_solver::{
        Circle, Command, Dialect, Kind, Limits, Outcome, Problem, Solver, SolverError, Verdict, answer,
        find_program, mark,
    };
}

/// Stores.
pub mod store {
    #[cfg(feature = "cloud")]
    pub use evergreen_store::Cloud;
    pub use evergreen_store::{
        Accept, Bucket, Bytes, Choice, Key, Layered, Memory, Merged, Mode, OldEntries, OnTrouble,
        OpenOptions, Origin, PackReader, PruneLimits, Pruned, ReadOnly, SafeStores, Spread, Store,
        StoreError, StoreStats, Taking, Usage, Verified, Visit, expand, export, import, merge, open,
        open_layers, prune, verify,
    };
    #[cfg(feature = "disk")]
    pub use evergreen_store::{Disk, default_path};
    #[cfg(feature = "redis")]
    pub use evergreen_store::{Redis, RedisConnection};
}

/// SMT-LIB text.
pub mod smtlib {
    pub use evergreen_smtlib::{
        Command, Context, Diagnostic, Position, Splitter, Tape, print_declaration, print_declarations,
        print_function, print_sort, print_symbol, print_term, print_value, write_term,
    };
}

/// Counting solutions of linear integer constraints.
pub mod counting {
    pub use evergreen_count::{
        Arms, Budget, Confidence, Count, Counter, Domain, Memo, Path, Problem, Rank, Ratio, Relation, Row,
        Statistics, Var, count, count_by, count_with,
    };
}

/// Components that anybody can replace by their own, as in Green [Visser FSE'12, 3.4]: what decides and finds
/// models ([`Solver`], which is Green's decision procedure and its constraint solver), what counts,
/// canonizes, slices and stores.
///
/// | component | trait | given by | what it must guarantee | what is checked |
/// |---|---|---|---|---|
/// | solver | [`Solver`] | [`Builder::with_solver`] | verdicts | models are evaluated |
/// | counter | [`Counter`] | [`Builder::with_counter`] | exact counts, true bounds | keys have its name |
/// | canonizer | [`Canonize`] | [`Builder::with_canonizer`] | equal forms, equal questions | models |
/// | slicer | [`Slice`] | [`Builder::with_slicer`] | nothing | what shares symbols stays together |
/// | store | [`Store`] | [`Builder::with_store`] | bytes as they were put | models; origins, see [`Trust`] |
///
/// `crates/evergreen/examples/components.rs` has one of each.
pub mod components {
    pub use evergreen_canon::{Canonize, Form, Slice};
    pub use evergreen_count::Counter;
    pub use evergreen_solver::Solver;
    pub use evergreen_store::Store;

    #[allow(unused_imports)] // for the links above
    use crate::{Builder, Trust};
}

/// Answered sets of constraints, found by implication.
pub mod trie {
    pub use evergreen_trie::{Atom, Budget, Found, Index, LTrie, Op, Payload, PrefixKey, UbTree};
}
