//! The command `evergreen`: flags, files, exit codes. What it does is in the library.
//!
//! Started under the name of a solver (through a link called `z3`, `cvc5`, …) it behaves as that solver: see
//! [`shim`].

mod again;
mod audit;
mod bounds;
mod config;
mod count;
mod diff;
mod explore;
mod flags;
mod help;
mod language;
mod moved;
mod progress;
mod run;
mod shell;
mod shim;
mod stats;
mod store;
mod tally;
mod work;

use again::Given;
use evergreen_host::{interrupt, markdown, say, scratch};
use flags::{ColorFlag, JvmVerb, Task};
use std::process::ExitCode;

/// Exit code for "could not run", and for a query that only reuse was allowed for and that was not in the
/// store.
pub const COULD_NOT_RUN: u8 = 2;
/// Exit code for "nothing found", where the workers of a queue have not explored everything.
pub const NOT_EXPLORED: u8 = 3;

fn main() -> ExitCode {
    let mut args = std::env::args_os();
    let program = args.next().unwrap_or_default();
    if let Some(name) = shim::solver_name(&program) {
        return audit::exit_code(shim::main(&name, args.collect()));
    }
    if let Some(message) = moved::to_lab(args) {
        say::warn(&message);
        return ExitCode::from(COULD_NOT_RUN);
    }
    let (cli, matches) = again::parse();
    say::set_color(match cli.color {
        Some(ColorFlag::Always) => say::Color::Always,
        Some(ColorFlag::Never) => say::Color::Never,
        Some(ColorFlag::Auto) | None => say::Color::Auto,
    });
    if cli.quiet {
        say::set_quiet();
    }
    // Tasks that answer scripts, count and look at stores make no temporary files, and start fast.
    let makes_files = matches!(cli.task, Task::Explore(_) | Task::Diff(_) | Task::Work(_) | Task::Bounds(_));
    let scratch = makes_files.then(scratch::Scratch::begin);
    let done = match cli.task {
        Task::Solve(solve) => run::solve(solve),
        Task::Shim(task) => shim::task(&task),
        Task::Store(task) => store::task(&task),
        Task::Count(task) => count::task(&task),
        Task::Explore(task) => explore::task(&task, &Given::of(&matches)),
        Task::Diff(task) => diff::task(&task, &Given::of(&matches)),
        Task::Work(task) => work::task(&task),
        Task::Bounds(task) => bounds::task(&task),
        Task::Jvm { verb: JvmVerb::Stop } => explore::stop_jvm(),
        Task::Completions { shell } => help::completions(shell),
        Task::Man { out } => help::man(out.as_deref()),
    };
    interrupt::yield_to_signal();
    drop(scratch);
    match done {
        Ok(code) => audit::exit_code(code),
        Err(message) => {
            say::warn(&message);
            audit::exit_code(ExitCode::from(COULD_NOT_RUN))
        }
    }
}
