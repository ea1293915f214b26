//! `evergreen-lab study generate`: the stream of questions that exploring a program asks.
//!
//! The verdicts are needed while the stream is made, because exploration follows satisfiable arms only. They
//! come from one warm solver process; since only verdicts are used, the stream does not depend on which
//! solver that is.

use super::file;
use super::language;
use super::machine::{Bounds, Explored, Guide, explore};
use super::programs;
use super::random_program::{Shape, random_program};
use crate::flags::{GenerateStudy, Size};
use evergreen::solver::{Command, Limits, Mode, Process, Verdict, answer};
use std::process::ExitCode;

/// Makes a stream and writes it.
pub(super) fn run(flags: &GenerateStudy) -> Result<ExitCode, String> {
    let (origin, program, bounds) = program_of(flags)?;
    if let Some(path) = &flags.source {
        file::write(path, program.as_bytes())?;
    }
    let explored = explore_with(&origin, &program, bounds, &flags.solver)?;
    let head = format!(
        "; a stream of path queries, see docs/stream-format.md\n; made by: evergreen-lab study generate \
         {origin}\n"
    );
    file::write(&flags.out, format!("{head}{}", explored.text).as_bytes())?;
    crate::say::note(&format!(
        "{}: {} queries ({} sat), {} paths to the end, {} cut, at most {} constraints",
        flags.out.display(),
        explored.queries,
        explored.sat,
        explored.paths,
        explored.cut,
        explored.deepest
    ));
    Ok(ExitCode::SUCCESS)
}

/// Where a program comes from (in flags), its text, and how far it is explored.
fn program_of(flags: &GenerateStudy) -> Result<(String, String, Bounds), String> {
    let (shape, mut bounds) = shape_of(flags.size);
    bounds.depth = flags.depth.unwrap_or(bounds.depth);
    bounds.queries = flags.queries.unwrap_or(bounds.queries);
    let limits = format!("--depth {} --queries {}", bounds.depth, bounds.queries);
    if let Some(path) = &flags.file {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        return Ok((format!("--file {} {limits}", path.display()), text, bounds));
    }
    if let Some(name) = &flags.program {
        let text = programs::program(name, flags.keys).ok_or_else(|| {
            format!("no program is called \"{name}\"\nhelp: there are {}", programs::NAMES.join(", "))
        })?;
        let keys = if text.contains("k0") { format!(" --keys {}", flags.keys) } else { String::new() };
        return Ok((format!("--program {name}{keys} {limits}"), text, bounds));
    }
    let origin = format!("--seed {} --size {} {limits}", flags.seed, flags.size.name());
    Ok((origin, random_program(flags.seed, shape), bounds))
}

fn shape_of(size: Size) -> (Shape, Bounds) {
    match size {
        Size::Small => (
            Shape { methods: 3, entries: 2, inputs: 5, sections: 5, statements: 6 },
            Bounds { depth: 30, queries: 300 },
        ),
        Size::Medium => (
            Shape { methods: 6, entries: 4, inputs: 7, sections: 7, statements: 7 },
            Bounds { depth: 70, queries: 2_000 },
        ),
        Size::Large => (
            Shape { methods: 12, entries: 8, inputs: 12, sections: 16, statements: 8 },
            Bounds { depth: 150, queries: 12_000 },
        ),
    }
}

/// Explores a program with a solver.
pub(super) fn explore_with(
    file: &str,
    program: &str,
    bounds: Bounds,
    solver: &str,
) -> Result<Explored, String> {
    let code = language::read(file, program)?;
    let command = Command::parse(solver).map_err(|e| e.to_string())?;
    let process =
        Process::start(&command, Mode::Interactive, &Limits::default()).map_err(|e| e.to_string())?;
    let mut guide = Warm { process };
    let mut inputs: Vec<&str> =
        code.methods.iter().filter(|m| m.entry).flat_map(|m| m.params.iter().map(String::as_str)).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let declarations: String = inputs.iter().map(|i| format!("(declare-const {i} Int)\n")).collect();
    guide.tell(&format!("(set-logic QF_LIA)\n{declarations}"))?;
    explore(&code, bounds, &mut guide)
}

/// A warm solver process that has the path on its stack.
struct Warm {
    process: Process,
}

impl Warm {
    fn tell(&mut self, text: &str) -> Result<(), String> {
        self.process.tell(text).map_err(|e| e.to_string())
    }
}

impl Guide for Warm {
    fn enter(&mut self, constraint: &str) -> Result<bool, String> {
        let text = format!("(push 1)\n(assert {constraint})\n(check-sat)");
        let reply = self.process.ask(&text, None).map_err(|e| e.to_string())?;
        match answer::parse_verdict(&reply).map_err(|e| e.to_string())? {
            Verdict::Sat => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown(why) => Err(format!("the solver does not know about \"{constraint}\": {why}")),
        }
    }

    fn leave(&mut self) -> Result<(), String> {
        self.tell("(pop 1)")
    }
}
