//! What a language brings to its suites: how its functions, inputs and outcomes are written and read.
//!
//! The rest of this crate knows no language. It owns the frame of the text (first line, unit, sections,
//! tests, comments, paths), the life of a suite over edits and its files; what is inside the frame, a
//! [`Format`] says. A small language needs the functions without a body here and little else: the tests of
//! this crate have one of integers (`tests/tiny.rs`).
//!
//! ```text
//! evergreen suite 1
//! class Mid                                UNIT, unit
//!
//! method static int mid(int x, int y)      FUNCTION, heading
//!
//! test mid_returns1                        test_name
//!   x = 1                                  inputs
//!   y = 2
//!   path 0+ 1-                             of this crate
//!   returns 1                              outcome
//! ```

use crate::line::Line;
use crate::{Flaw, Suite};
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

/// How the suites of a language are written. Implemented by a type without values of its own, one for each
/// language.
pub trait Format: Clone + Copy + PartialEq + Debug + Default + Send + Sync + 'static {
    /// What a test calls: a method, a function.
    type Target: Clone + PartialEq + Debug + Send + Sync;
    /// The inputs of a test and its outcome. Knows what it calls.
    type Case: Clone + PartialEq + Debug + Send + Sync;
    /// What was read of a test so far.
    type Body;
    /// What the sources made from a suite depend on; `()` if there are none.
    type SourceOptions;

    /// The word before the name of a unit, which a suite is of: `class`.
    const UNIT: &'static str = "unit";
    /// The word before the heading of a section, which is of a function: `method`.
    const FUNCTION: &'static str = "function";
    /// Words that mean something in the lines of a test: names that are the same are written in quotes.
    const WORDS: &'static [&'static str] = &["returns"];
    /// Names that new tests do not get.
    const RESERVED: &'static [&'static str] = &[];
    /// What stands for a function in a path, for messages.
    const PLACE: &'static str = "a function as in less";

    /// The unit of a function, as decisions name it: a class, a module, a file.
    fn unit(target: &Self::Target) -> &str;

    /// The name of a function. It has no point in it: in paths, a point is between unit and function.
    fn name(target: &Self::Target) -> &str;

    /// What tells functions of one name from each other; empty where none share a name.
    fn signature(_target: &Self::Target) -> &str {
        ""
    }

    /// The function, as decisions name it.
    fn function(target: &Self::Target) -> String {
        format!("{}{}", Self::name(target), Self::signature(target))
    }

    /// The function in messages: `mid(int, int)`.
    fn shown(target: &Self::Target) -> String {
        Self::name(target).to_string()
    }

    /// Whether a text can be a function in a path.
    fn is_function(text: &str) -> bool {
        !text.is_empty()
    }

    /// The heading of a function's tests, behind [`Format::FUNCTION`].
    fn heading(target: &Self::Target) -> String {
        Self::name(target).to_string()
    }

    /// The function of a heading.
    fn read_heading(unit: &str, line: &mut Line<'_>) -> Result<Self::Target, Flaw>;

    /// A function without what its heading does not say and differs from test to test.
    fn section(target: &Self::Target) -> Self::Target {
        target.clone()
    }

    /// What a test calls.
    fn target(case: &Self::Case) -> &Arc<Self::Target>;

    /// The lines of a test's inputs. The names of parameters are those of its section's heading.
    fn inputs(case: &Self::Case, section: &Self::Target) -> Vec<String>;

    /// The lines of a test's outcome. Two outcomes are the same if their lines are, so these show every bit.
    fn outcome(case: &Self::Case) -> Vec<String>;

    /// The outcome in a message.
    fn outcome_shown(case: &Self::Case) -> String {
        Self::outcome(case).join(", ")
    }

    /// Whether the inputs of two cases, which are the same, are made in the same way: by the same calls.
    fn is_built_alike(_old: &Self::Case, _new: &Self::Case) -> bool {
        true
    }

    /// A case as a suite keeps it: without what the text does not say.
    fn kept(case: Self::Case) -> Self::Case {
        case
    }

    /// A test of the section of this function, before its first line.
    fn body(section: &Arc<Self::Target>) -> Self::Body;

    /// Reads one more line of a test, other than its path; what the line has left is a flaw.
    fn read_line(body: &mut Self::Body, line: &mut Line<'_>) -> Result<(), Flaw>;

    /// The test, or what it lacks.
    fn end(body: Self::Body) -> Result<Self::Case, String>;

    /// A name for a test that says what it shows. Where another test has it, a number is put behind it.
    fn test_name(case: &Self::Case) -> String;

    /// Why a test cannot have this name.
    fn name_flaw(_name: &str) -> Option<String> {
        None
    }

    /// The folders and the file of a unit's suite, as names that need not be those of files yet.
    fn file_parts(unit: &str) -> Vec<&str> {
        unit.split('/').collect()
    }

    /// The file of the source with this number, from 0, of a unit's tests; `None` if there are no sources.
    fn source_file(_unit: &str, _number: usize) -> Option<PathBuf> {
        None
    }

    /// The sources that are made from a suite, in the order of their numbers. They contain [`SOURCE_MARK`],
    /// by which a later run knows the files as its own.
    ///
    /// [`SOURCE_MARK`]: crate::SOURCE_MARK
    fn sources(_suite: &Suite<Self>, _options: &Self::SourceOptions) -> Vec<String> {
        Vec::new()
    }
}
