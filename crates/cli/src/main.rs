//! The command `evergreen`: flags, files, exit codes. What it does is in the library.
//!
//! Started under the name of a solver (through a link called `z3`, `cvc5`, …) it behaves as that solver: see [`shim`].

mod again;
mod audit;
mod bounds;
mod config;
mod count;
mod diff;
mod explore;
mod flags;
mod progress;
mod run;
mod sarif;
mod shell;
mod shim;
mod stats;
mod store;
mod tally;
mod within;
mod work;

use again::Given;
use evergreen_host::{interrupt, markdown, say, scratch};
use flags::Task;
use std::process::ExitCode;

/// Exit code for "could not run", and for a query that only reuse was allowed for and that was not in the store.
pub const COULD_NOT_RUN: u8 = 2;
/// Exit code for "nothing found", where workers of a queue have not explored everything and nobody else has.
pub const NOT_EXPLORED: u8 = 3;

fn main() -> ExitCode {
    let mut args = std::env::args_os();
    let program = args.next().unwrap_or_default();
    if let Some(name) = shim::solver_name(&program) {
        return audit::exit_code(shim::main(&name, args.collect()));
    }
    let (cli, matches) = again::parse();
    // What answers scripts, counts and looks at stores makes no temporary files, and starts fast.
    let quick = matches!(cli.task, Task::Solve(_) | Task::Count(_) | Task::Shim(_) | Task::Store(_));
    let scratch = (!quick).then(scratch::Scratch::begin);
    let done = match cli.task {
        Task::Solve(solve) => run::solve(solve),
        Task::Shim(task) => shim::task(&task),
        Task::Store(task) => store::task(&task),
        Task::Count(task) => count::task(&task),
        Task::Explore(task) => explore::task(&task, &Given::of(&matches)),
        Task::Diff(task) => diff::task(&task, &Given::of(&matches)),
        Task::Work(task) => work::task(&task),
        Task::Bounds(task) => bounds::task(&task),
        Task::Study(moved) => Err(moved_to_lab("study", &moved)),
        Task::Bench(moved) => Err(moved_to_lab("bench", &moved)),
        Task::Mutate(moved) => Err(moved_to_lab("mutate", &moved)),
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

/// Where experiments went. They were tasks of this command in releases before 0.2.
fn moved_to_lab(task: &str, moved: &flags::Moved) -> String {
    let words = moved.args.iter().map(shell::quoted);
    let line: Vec<String> = ["evergreen-lab".into(), task.into()].into_iter().chain(words).collect();
    format!("{task}: this is a task of the program evergreen-lab\nhelp: {}", line.join(" "))
}
