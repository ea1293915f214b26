//! The command `evergreen-lab`: studies, benchmarks, mutants and the duel, comparisons of their pages.
//!
//! It links the library and the Java front end, not the command: where an experiment needs the command, it
//! starts the program `evergreen` as a user does ([`product`]).

mod bench;
mod compare;
mod fight;
mod flags;
mod meter;
mod mutate;
mod papers;
mod plan;
mod product;
mod run;
mod study;
mod svcomp;

use clap::Parser;
use evergreen_host::{interrupt, say, scratch};
use flags::{Cli, Task};
use std::process::ExitCode;

fn main() -> ExitCode {
    say::set_program("evergreen-lab");
    let task = Cli::parse().task;
    // These have signal handling of their own.
    let is_jars = matches!(&task, Task::Study(study) if matches!(study.verb, flags::StudyVerb::Jars(_)));
    let own = is_jars || matches!(task, Task::Duel(_) | Task::Svcomp(_));
    let scratch = (!own).then(scratch::Scratch::begin);
    let done = match task {
        Task::Study(task) => study::task(&task),
        Task::Bench(task) => bench::task(&task),
        Task::Mutate(task) => mutate::task(&task),
        Task::Compare(task) => compare::task(&task),
        Task::Svcomp(task) => svcomp::task(&task),
        Task::Papers(task) => papers::task(&task),
        Task::Duel(duel) => duel.fight(),
    };
    interrupt::yield_to_signal();
    drop(scratch);
    done.unwrap_or_else(|trouble| {
        say::warn(&trouble);
        ExitCode::from(2)
    })
}
