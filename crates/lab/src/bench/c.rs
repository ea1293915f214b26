//! `evergreen-lab bench c`: C programs explored exhaustively, beside KLEE.
//!
//! A program is compiled once, and its module is explored by the command as a user would: the time is that of
//! the whole process, with reading the module and making tests, without replays; compiling is measured apart.
//! KLEE, where it is on PATH, gets bitcode of the same source at plain `-O0`, depth first, with its default
//! caches, and writes its tests. It takes the programs that draw their inputs themselves; inputs of a whole
//! program would need its POSIX runtime. Both count paths; counts differ where one of them takes a branch for
//! what the other computes at once (`docs/from-klee.md`). Seconds are processor time, with the system's
//! share: KLEE writes each test to a file, which is a part of making it. The ratio of the time in the
//! processes' own code alone is shown beside it.

use crate::flags::CBench;
use crate::plan::{self, Plan, Planned};
use crate::run::{Used, measured, within};
use evergreen_c::{Clang, Sources, is_source};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// One program.
struct Row {
    name: String,
    paths: u64,
    complete: bool,
    findings: u64,
    /// Questions that no rung answered: those that a solver program would get.
    undecided: u64,
    unsupported: u64,
    /// Of the fastest exploration, and of compiling.
    explored: Used,
    compiled: Used,
    klee: Option<Klee>,
}

/// What KLEE came to.
#[derive(Clone, Copy)]
struct Klee {
    /// With those that it ends at an error, which it calls partially completed.
    paths: u64,
    /// Whether its time was enough.
    complete: bool,
    used: Used,
}

/// A program of the plan, as files and flags.
#[derive(Default)]
struct Taken {
    sources: Sources,
    /// What is left for `explore`.
    words: Vec<String>,
}

/// Runs, prints, and fails if an exploration is not complete.
pub(super) fn run(flags: &CBench, as_json: bool) -> Result<ExitCode, String> {
    let product = crate::product::find(flags.product.clone())?;
    let clang = Clang::find(None).map_err(|e| e.to_string())?;
    let plan = Plan::read(&flags.plan, &flags.programs)?;
    let klee = evergreen::solver::find_program("klee").filter(|_| !flags.no_klee);
    let mut rows = Vec::new();
    for planned in &plan.programs {
        crate::say::note(&planned.name);
        let taken = take(&plan.folder, planned)?;
        let mut row = explore(flags, &product, &clang, (&planned.name, &taken))?;
        if let Some(klee) = &klee
            && taken.words.is_empty()
        {
            row.klee = explore_by_klee(flags, klee, &taken.sources)?;
        }
        rows.push(row);
    }
    if as_json {
        crate::say::say_json(&to_json(&rows));
    } else {
        print_table(&rows);
    }
    Ok(if rows.iter().all(|row| row.complete) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Tells what is compiled from what is explored.
fn take(folder: &Path, planned: &Planned) -> Result<Taken, String> {
    let mut taken = Taken::default();
    let mut words = planned.words.iter();
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or_else(|| format!("{}: nothing behind {word}", planned.name));
        match word.as_str() {
            "-I" => taken.sources.include.push(folder.join(next()?)),
            "--cc-arg" => taken.sources.args.push(next()?.into()),
            file if is_source(Path::new(file)) && taken.words.is_empty() => {
                taken.sources.files.push(folder.join(file));
            }
            other => taken.words.push(other.to_string()),
        }
    }
    if taken.sources.files.is_empty() {
        return Err(format!("{}: no source\nhelp: sources stand before the flags", planned.name));
    }
    Ok(taken)
}

fn explore(flags: &CBench, product: &Path, clang: &Clang, of: (&str, &Taken)) -> Result<Row, String> {
    let (name, taken) = of;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (module, compiled) = measured(|| clang.compile(&taken.sources));
    let module = module.map_err(|e| format!("{name}: {e}"))?.module;
    let file = folder.path().join("program.wasm");
    std::fs::write(&file, module).map_err(|e| format!("{}: {e}", file.display()))?;
    let stats = folder.path().join("stats");
    let (mut explored, mut last): (Option<Used>, _) = (None, Value::Null);
    for _ in 0..flags.rounds.max(1) {
        let _ = std::fs::remove_file(&stats);
        let mut command = Command::new(product);
        command.args(["explore", "--no-replay", "--store", "memory:", "--solver", "none", "--paths", "0"]);
        command.arg("--time").arg(format!("{}ms", flags.time.as_millis())).arg("--stats").arg(&stats);
        command.arg(&file).args(&taken.words).env("EVERGREEN_CONFIG", "/dev/null");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let (status, used) = measured(|| within(&mut command, flags.time * 2 + Duration::from_secs(60)));
        let Some(status) = status? else { return Err(format!("{name}: does not end")) };
        if explored.is_none_or(|best| used.user < best.user) {
            explored = Some(used);
        }
        let text = std::fs::read_to_string(&stats)
            .map_err(|e| format!("{name}: no statistics ({e}); the command ended with {status}"))?;
        last =
            serde_json::from_str(text.lines().next_back().unwrap_or_default()).map_err(|e| e.to_string())?;
    }
    let number = |name: &str| last[name].as_u64().unwrap_or(0);
    Ok(Row {
        name: name.to_string(),
        paths: number("paths"),
        complete: last["explored"].as_str().is_some_and(|explored| explored != "in part"),
        findings: number("findings"),
        undecided: number("undecided"),
        unsupported: number("unsupported"),
        explored: explored.unwrap_or_default(),
        compiled,
        klee: None,
    })
}

/// KLEE's paths and processor seconds; `None` if it does not take the program.
fn explore_by_klee(flags: &CBench, klee: &Path, sources: &Sources) -> Result<Option<Klee>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let Some(bitcode) = bitcode(flags, sources, folder.path())? else { return Ok(None) };
    let said = folder.path().join("said");
    let mut command = Command::new(klee);
    command.args(["--search=dfs", &format!("--max-time={}s", flags.time.as_secs().max(1))]);
    match flags.klee_arg.is_empty() {
        true => command.arg("--libc=klee"),
        false => command.args(&flags.klee_arg),
    };
    for extra in &bitcode[1..] {
        command.arg("--link-llvm-lib").arg(extra);
    }
    command.arg("--output-dir").arg(folder.path().join("out")).arg(&bitcode[0]);
    let output = std::fs::File::create(&said).map_err(|e| e.to_string())?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(output);
    let (status, used) = measured(|| within(&mut command, flags.time * 2 + Duration::from_secs(60)));
    status?;
    let text = String::from_utf8_lossy(&std::fs::read(&said).unwrap_or_default()).into_owned();
    let count = |name: &str| {
        text.lines().find_map(|line| line.split_once(name)?.1.trim_matches([' ', '=']).parse::<u64>().ok())
    };
    let Some(paths) = count("completed paths") else {
        crate::say::warn(&format!("klee: {}", text.lines().next_back().unwrap_or("says nothing")));
        return Ok(None);
    };
    let complete = !text.contains("HaltTimer");
    let failed = count("partially completed paths").filter(|_| complete).unwrap_or(0);
    Ok(Some(Klee { paths: paths + failed, complete, used }))
}

/// A file of bitcode for each source; `None` if clang refuses one.
fn bitcode(flags: &CBench, sources: &Sources, folder: &Path) -> Result<Option<Vec<PathBuf>>, String> {
    let compiler = plan::split(&flags.klee_cc)?;
    let Some((program, args)) = compiler.split_first() else { return Err("--klee-cc: no program".into()) };
    let mut all = Vec::new();
    for (number, source) in sources.files.iter().enumerate() {
        let file = folder.join(format!("{number}.bc"));
        let mut command = Command::new(program);
        command.args(args).args(["-emit-llvm", "-c", "-g", "-O0"]).args(&sources.args);
        sources.include.iter().for_each(|folder| {
            command.arg("-I").arg(folder);
        });
        let compiled =
            command.arg("-o").arg(&file).arg(source).status().map_err(|e| format!("{program}: {e}"))?;
        if !compiled.success() {
            return Ok(None);
        }
        all.push(file);
    }
    Ok(Some(all))
}

/// How many times the seconds of the one are in those of the other, as far as clocks tell.
fn ratio(klee: f64, ours: f64) -> f64 {
    klee / ours.max(0.001)
}

fn print_table(rows: &[Row]) {
    let with_klee = rows.iter().any(|row| row.klee.is_some());
    let mut head = format!(
        "{:<14}{:>10}{:>10}{:>11}{:>10}{:>9}{:>9}",
        "program", "paths", "findings", "undecided", "CPU s", "compile", "µs/path"
    );
    if with_klee {
        let columns = ["KLEE paths", "KLEE s", "ratio", "user", "with compile"];
        head += &format!(
            "{:>12}{:>10}{:>9}{:>9}{:>14}",
            columns[0], columns[1], columns[2], columns[3], columns[4]
        );
    }
    crate::say::say(&head);
    for row in rows {
        let (ours, compiled) = (row.explored.all(), row.compiled.all());
        let mut line = format!(
            "{:<14}{:>10}{:>10}{:>11}{ours:>10.3}{compiled:>9.3}{:>9.1}",
            row.name,
            format!("{}{}", row.paths, if row.complete { "" } else { "+" }),
            row.findings,
            row.undecided,
            ours * 1e6 / row.paths.max(1) as f64,
        );
        if let Some(klee) = row.klee {
            let seconds = klee.used.all();
            line += &format!(
                "{:>12}{seconds:>10.2}{:>8.0}x{:>8.0}x{:>13.0}x",
                format!("{}{}", klee.paths, if klee.complete { "" } else { "+" }),
                ratio(seconds, ours),
                ratio(klee.used.user, row.explored.user),
                ratio(seconds, ours + compiled)
            );
        }
        crate::say::say(&line);
    }
    crate::say::say(
        "user s is the exploration with its tests, without compiling and replays; + is not complete",
    );
}

fn to_json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let klee = row.klee.map(|klee| {
            json!({
                "paths": klee.paths, "complete": klee.complete,
                "user_s": klee.used.user, "system_s": klee.used.system,
                "ratio": ratio(klee.used.all(), row.explored.all()),
                "ratio_user": ratio(klee.used.user, row.explored.user),
                "ratio_with_compile": ratio(klee.used.all(), row.explored.all() + row.compiled.all()),
            })
        });
        json!({
            "program": row.name, "paths": row.paths, "complete": row.complete, "findings": row.findings,
            "undecided": row.undecided, "unsupported": row.unsupported,
            "user_s": row.explored.user, "system_s": row.explored.system,
            "compile_user_s": row.compiled.user, "compile_system_s": row.compiled.system, "klee": klee,
        })
    };
    json!({ "programs": rows.iter().map(row).collect::<Vec<_>>() })
}
