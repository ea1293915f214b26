//! Test cases as JUnit source, compiled and run on the real JVM; what the JVM did, and what it covered.

mod case;
mod divergence;
mod error;
mod javac;
mod junit;
mod layout;
mod literal;
mod names;
mod process;
mod replay;
mod suite;
mod value;
mod wire;

pub use case::{Arm, Ending, Message, Receiver, Target, TestCase, Way};
pub use error::ReplayError;
pub use junit::{Junit, JunitOptions, junit};
pub use replay::{CaseResult, Observed, ReplayOptions, Replayed, replay};
pub use suite::{Fate, JunitJars, JunitTest, Suite, run_junit};
pub use value::JavaValue;
