//! Whole scripts at once.

use crate::session::{Next, Session, SessionOptions, SessionStats};

/// What came out of a script.
#[derive(Clone, Debug)]
pub struct ScriptRun {
    /// What the solver would have printed.
    pub output: String,
    /// The exit code.
    pub exit: i32,
    /// Counters.
    pub stats: SessionStats,
}

/// Runs a script from beginning to end.
pub fn run_script(text: &[u8], options: SessionOptions) -> ScriptRun {
    let mut session = Session::new(options);
    session.feed(text);
    session.end_of_input();
    let mut output = String::new();
    let mut exit = None;
    while let Some(next) = session.step(&mut output) {
        if let Next::Exit(code) = next {
            exit = Some(code);
            break;
        }
    }
    let exit = exit.unwrap_or_else(|| session.finish());
    ScriptRun { output, exit, stats: session.stats() }
}
