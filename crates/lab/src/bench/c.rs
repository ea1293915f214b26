//! `evergreen-lab bench c`: C programs explored exhaustively, beside KLEE.
//!
//! A program is compiled once, and its module is explored by the command as a user would: the time is that of
//! the whole process, with reading the module and making tests, without replays. KLEE, where it is on PATH,
//! gets bitcode of the same source at plain `-O0`, depth first, with its default caches. Both count paths;
//! counts differ where one of them takes a branch for what the other computes at once (`docs/from-klee.md`).

use super::reading::processor_seconds;
use crate::flags::CBench;
use evergreen_c::{Clang, Sources};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// One program.
struct Row {
    name: String,
    paths: u64,
    complete: bool,
    findings: u64,
    /// Questions that no rung answered: those that a solver program would get.
    undecided: u64,
    /// Processor seconds of the fastest exploration, and of compiling.
    explored: f64,
    compiled: f64,
    /// KLEE's paths and processor seconds.
    klee: Option<(u64, f64)>,
}

/// Runs, prints, and fails if an exploration is not complete.
pub(super) fn run(flags: &CBench, as_json: bool) -> Result<ExitCode, String> {
    let product = crate::product::find(flags.product.clone())?;
    let clang = Clang::find(None).map_err(|e| e.to_string())?;
    let klee = Command::new("klee").arg("--version").output().is_ok();
    let mut rows = Vec::new();
    for (name, source) in sources(flags)? {
        crate::say::note(&name);
        let mut row = explore(flags, &product, &clang, (&name, &source))?;
        if klee {
            row.klee = explore_by_klee(flags, &source)?;
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

/// The sources of the programs, each of one version.
fn sources(flags: &CBench) -> Result<Vec<(String, PathBuf)>, String> {
    let folder = &flags.folder;
    let trouble = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut names = flags.programs.clone();
    if names.is_empty() {
        for entry in std::fs::read_dir(folder).map_err(trouble)? {
            names.push(entry.map_err(trouble)?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
    }
    let mut all = Vec::new();
    for name in names {
        let mut versions: Vec<PathBuf> = (std::fs::read_dir(folder.join(&name)).map_err(trouble)?)
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.is_dir())
            .collect();
        versions.sort();
        let wanted = |path: &&PathBuf| match &flags.version {
            Some(version) => path.file_name().is_some_and(|name| *name == **version),
            None => true,
        };
        let Some(version) = versions.iter().rfind(wanted) else { continue };
        let source = version.join(format!("{name}.c"));
        let text = std::fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
        // Utilities over arguments and standard input need flags of their own.
        if text.contains("klee_make_symbolic") {
            let version = version.file_name().unwrap_or_default().to_string_lossy().into_owned();
            all.push((format!("{name} {version}"), source));
        }
    }
    Ok(all)
}

fn explore(flags: &CBench, product: &Path, clang: &Clang, of: (&str, &Path)) -> Result<Row, String> {
    let (name, source) = of;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let before = processor_seconds(libc::RUSAGE_CHILDREN);
    let sources = Sources { files: vec![source.to_path_buf()], ..Sources::default() };
    let module = clang.compile(&sources).map_err(|e| e.to_string())?.module;
    let compiled = processor_seconds(libc::RUSAGE_CHILDREN) - before;
    let file = folder.path().join("program.wasm");
    std::fs::write(&file, module).map_err(|e| format!("{}: {e}", file.display()))?;
    let stats = folder.path().join("stats");
    let (mut explored, mut last) = (f64::INFINITY, Value::Null);
    for _ in 0..flags.rounds.max(1) {
        let _ = std::fs::remove_file(&stats);
        let before = processor_seconds(libc::RUSAGE_CHILDREN);
        let status = Command::new(product)
            .args([
                "explore",
                "--no-replay",
                "--store",
                "memory:",
                "--solver",
                "none",
                "--paths",
                "0",
                "--time",
            ])
            .arg(&flags.time)
            .arg("--stats")
            .arg(&stats)
            .arg(&file)
            .env("EVERGREEN_CONFIG", "/dev/null")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|e| format!("{}: {e}", product.display()))?;
        explored = explored.min(processor_seconds(libc::RUSAGE_CHILDREN) - before);
        let text = std::fs::read_to_string(&stats)
            .map_err(|e| format!("{name}: no statistics ({e}); the command ended with {status}"))?;
        last =
            serde_json::from_str(text.lines().next_back().unwrap_or_default()).map_err(|e| e.to_string())?;
    }
    let number = |name: &str| last[name].as_u64().unwrap_or(0);
    Ok(Row {
        name: name.to_string(),
        paths: number("paths"),
        complete: last["complete"].as_bool().unwrap_or(false),
        findings: number("findings"),
        undecided: number("undecided"),
        explored,
        compiled,
        klee: None,
    })
}

/// KLEE's paths and processor seconds; `None` if it does not take the program.
fn explore_by_klee(flags: &CBench, source: &Path) -> Result<Option<(u64, f64)>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let bitcode = folder.path().join("program.bc");
    let compiled = Command::new("clang")
        .args(["-emit-llvm", "-c", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-o"])
        .arg(&bitcode)
        .arg(source)
        .status()
        .map_err(|e| format!("clang: {e}"))?;
    if !compiled.success() {
        return Ok(None);
    }
    let before = processor_seconds(libc::RUSAGE_CHILDREN);
    let output = Command::new("klee")
        .args(["--search=dfs", "--libc=uclibc", &format!("--max-time={}", flags.time), "--output-dir"])
        .arg(folder.path().join("out"))
        .arg(&bitcode)
        .output()
        .map_err(|e| format!("klee: {e}"))?;
    let took = processor_seconds(libc::RUSAGE_CHILDREN) - before;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let paths = text.lines().find_map(|line| line.split("completed paths = ").nth(1)?.trim().parse().ok());
    Ok(paths.map(|paths| (paths, took)))
}

fn print_table(rows: &[Row]) {
    crate::say::say(&format!(
        "{:<18}{:>10}{:>10}{:>11}{:>10}{:>10}{:>12}{:>10}{:>9}",
        "program", "paths", "findings", "undecided", "CPU s", "µs/path", "KLEE paths", "KLEE s", "ratio"
    ));
    for row in rows {
        let klee = row.klee.map_or_else(String::new, |(paths, seconds)| {
            format!("{paths:>12}{seconds:>10.2}{:>8.0}x", seconds / row.explored)
        });
        let micros = row.explored * 1e6 / row.paths.max(1) as f64;
        let more = if row.complete { "" } else { "+" };
        crate::say::say(&format!(
            "{:<18}{:>10}{:>10}{:>11}{:>10.2}{micros:>10.1}{klee}",
            row.name,
            format!("{}{more}", row.paths),
            row.findings,
            row.undecided,
            row.explored
        ));
    }
    let compiled: f64 = rows.iter().map(|row| row.compiled).sum();
    crate::say::say(&format!("compiling all: {compiled:.2} s of processor time; + is not complete"));
}

fn to_json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        json!({
            "program": row.name, "paths": row.paths, "complete": row.complete, "findings": row.findings,
            "undecided": row.undecided, "explored_s": row.explored, "compiled_s": row.compiled,
            "klee_paths": row.klee.map(|klee| klee.0), "klee_s": row.klee.map(|klee| klee.1),
        })
    };
    json!({ "programs": rows.iter().map(row).collect::<Vec<_>>() })
}
