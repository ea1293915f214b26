//! Test cases as JUnit source, compiled and run on the real JVM; what the JVM did, and what it covered.

mod case;
mod coverage;
mod divergence;
mod error;
mod javac;
mod junit;
mod layout;
mod literal;
mod names;
mod probes;
mod process;
mod replay;
mod suite;
mod value;
mod wire;

pub use case::{Ending, Message, Receiver, Target, TestCase};
pub use coverage::{ClassCoverage, Coverage, Hits, Share};
pub use error::ReplayError;
pub use junit::{Junit, JunitOptions, junit, junit_suites};
pub use probes::{ProbePlace, Probed, Probes};
pub use replay::{CaseResult, Observed, ReplayOptions, Replayed, replay};
pub use suite::{Fate, JunitJars, JunitTest, Suite, run_junit};
pub use value::JavaValue;
