//! Test cases as JUnit source, compiled and run on the real JVM; what the JVM did, and what it covered.

mod case;
mod junit;
mod layout;
mod literal;
mod names;
mod value;

pub use case::{Arm, Ending, Message, Receiver, Target, TestCase, Way};
pub use junit::{Junit, JunitOptions, junit};
pub use value::JavaValue;
