//! Test cases as JUnit source, compiled and run on the real JVM; the divergences and the coverage.
//!
//! A [`TestCase`] is a call with its inputs and its expected ending. [`replay`] runs any number of them on a
//! JVM, by a runner of our own that needs no JUnit (`java/runner`), and reports the ending of each and its
//! divergence from the expectation. With [`Probes`] planted in the classes it also knows every arm that was
//! taken, and [`Coverage`]. [`junit`] writes the same cases as Java for people and their build tools;
//! [`run_junit`] compiles and runs that.
//!
//! ```no_run
//! use evergreen_classfile::find_jdk;
//! use evergreen_replay::*;
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let target = Target {
//!     class: "Mid".into(),
//!     method: "mid".into(),
//!     descriptor: "(III)I".into(),
//!     receiver: Receiver::Static,
//!     hidden: false,
//!     parameters: vec![],
//!     exceptions: vec![],
//! };
//! let case = TestCase {
//!     target: Arc::new(target),
//!     objects: vec![],
//!     build: None,
//!     receiver: None,
//!     arguments: [3, 1, 2].map(JavaValue::Int).to_vec(),
//!     draws: vec![],
//!     ending: Ending::Returned(Some(JavaValue::Int(2))),
//!     output: Some(String::new()),
//!     title: "returns 2 at line 10".into(),
//!     arms: None,
//! };
//! let (jdk, path) = (find_jdk()?, ["classes".into()]);
//! let probes = Probes::plant(&jdk, &path, &Probed::All)?;
//! let replayed = replay(&jdk, &path, Some(&probes), &[case], &ReplayOptions::default())?;
//! println!("{} divergences\n{}", replayed.divergences(), Coverage::of(&probes, &replayed.hits));
//! # Ok(())
//! # }
//! ```

mod case;
mod child;
mod clean;
mod coverage;
mod divergence;
mod error;
mod graph;
mod javac;
mod junit;
mod lambda;
mod layout;
mod literal;
mod names;
mod probes;
mod process;
mod replay;
pub mod sources;
mod stored;
mod suite;
mod value;
mod warm;
mod wire;

pub use case::{Ending, Message, Receiver, Target, TestCase, printed};
pub use child::end_with_us;
pub use coverage::{ClassCoverage, Coverage, Hits, Share};
pub use error::ReplayError;
pub use graph::{Build, BuildCall, Built, GraphBody, GraphField, GraphObject};
pub use junit::{Junit, JunitOptions, junit, junit_named, junit_suites, junit_suites_by};
pub use names::{RESERVED_NAMES, is_misread, is_test_name, test_name};
pub use probes::{ProbePlace, Probed, Probes};
pub use replay::{CaseResult, Observed, ReplayOptions, Replayed, Replaying, is_compiled, replay};
pub use suite::{Fate, JunitJars, JunitTest, Suite, run_junit};
pub use value::{Answer, Function, JavaValue, Made};
pub use warm::stop_warm;
