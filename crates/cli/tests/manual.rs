//! What README.md and the manual show is true: `console` blocks run and print what stands there, and every
//! command has the subcommands and flags that it is shown with.

use crate::common::{Folder, find, isolated, run, stdout};
use evergreen_testing::manual::{Helps, Step, blocks, commands, is_shown, pages, read, steps};
use evergreen_testing::tools::repository;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A shell in a folder with the repository's examples and subjects, the built command first on PATH, and a
/// home of its own.
fn shell(folder: &Folder) -> Command {
    let mut command = isolated(Path::new("bash"), folder);
    let own = Path::new(env!("CARGO_BIN_EXE_evergreen")).parent().expect("a folder").to_path_buf();
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [own, tools].into_iter().chain(std::env::split_paths(&path));
    // The cache has what the machine knows of the JDK, which all tests share; the store is the page's own.
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", std::env::join_paths(path).expect("a path")).current_dir(folder.path("clone"));
    command.env("XDG_CACHE_HOME", cache).env("EVERGREEN_STORE", folder.path("store"));
    command
}

/// Runs a step. Exit code 0 is success, and so is 1 where a run has found something.
fn check(page: &Path, step: &Step, folder: &Folder) -> Result<(), String> {
    let mut command = shell(folder);
    let output = run(command.arg("-c").arg(format!("exec 2>&1\n{}", step.command)), "");
    let printed = stdout(&output);
    let found = ["FOUND", "DIFFERS"].iter().any(|word| printed.contains(word));
    let place = format!("{}:{}: {}", page.display(), step.line, step.command);
    match output.status.code() {
        Some(0) => {}
        Some(1) if found => {}
        Some(2) if step.command.ends_with("# exit code 2") => {}
        code => return Err(format!("{place}: exit code {code:?}\n{printed}")),
    }
    let lines: Vec<&str> = printed.lines().collect();
    if step.output.is_empty() || is_shown(&step.output, &lines) {
        return Ok(());
    }
    Err(format!("{place}: shown is\n{}\nprinted was\n{printed}", step.output.join("\n")))
}

/// Runs all `console` blocks of a page, in order and in one folder. The number of commands.
fn run_page(page: &str) -> usize {
    let folder = Folder::new();
    let clone = folder.path("clone");
    std::fs::create_dir_all(&clone).expect("a folder");
    for part in ["examples", "subjects", "streams"] {
        let from = repository().join(part);
        let copied = Command::new("cp").arg("-r").arg(from).arg(&clone).status().expect("cp starts");
        assert!(copied.success(), "{part} is not copied");
    }
    let page = PathBuf::from(page);
    let (blocks, _) = blocks(&read(&page));
    let steps: Vec<Step> =
        blocks.iter().filter(|block| block.language == "console").flat_map(steps).collect();
    let wrong: Vec<String> = steps.iter().filter_map(|step| check(&page, step, &folder).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    steps.len()
}

#[test]
fn readme_runs() {
    assert!(run_page("README.md") >= 7);
    // Long or with a network: these are not run, but what they name is there.
    let (blocks, _) = blocks(&read(Path::new("README.md")));
    let lines = blocks.iter().filter(|block| block.language == "sh").flat_map(|block| &block.lines);
    let mut seen = 0;
    for line in lines {
        let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        match words[..] {
            ["bash", script] | ["bash", script, "explore" | "z3"] => {
                assert!(repository().join(script).is_file(), "{line}");
                assert!(
                    Command::new("bash").arg("-n").arg(repository().join(script)).status().unwrap().success()
                );
            }
            ["cargo", "install", "--path", folder] => {
                let manifest =
                    std::fs::read_to_string(repository().join(folder).join("Cargo.toml")).expect(line);
                assert!(manifest.contains("[[bin]]\nname = \"evergreen\""), "{line}");
            }
            _ => panic!("README.md has a command that no test runs: {line}"),
        }
        seen += 1;
    }
    assert!(seen >= 3, "where are the scripts?");
}

#[test]
fn start_runs() {
    run_page("docs/start.md");
}

#[test]
fn solver_runs() {
    run_page("docs/solver.md");
}

#[test]
fn sharing_runs() {
    run_page("docs/sharing.md");
}

#[test]
fn java_runs() {
    run_page("docs/java.md");
}

#[test]
fn c_runs() {
    run_page("docs/c.md");
}

#[test]
fn objects_runs() {
    run_page("docs/objects.md");
}

#[test]
fn concolic_runs() {
    run_page("docs/concolic.md");
}

#[test]
fn suites_runs() {
    run_page("docs/suites.md");
}

#[test]
fn diff_runs() {
    run_page("docs/diff.md");
}

#[test]
fn counting_runs() {
    run_page("docs/counting.md");
}

/// A page with `console` blocks has a test above.
#[test]
fn no_page_is_forgotten() {
    let run =
        ["start", "solver", "sharing", "java", "c", "objects", "concolic", "suites", "diff", "counting"];
    for page in pages() {
        let (blocks, _) = blocks(&read(&page));
        let has_steps = blocks.iter().any(|block| block.language == "console");
        let name = page.file_stem().and_then(|name| name.to_str()).expect("a name");
        let is_run = run.contains(&name) && page.parent() == Some(Path::new("docs"));
        assert_eq!(has_steps, is_run, "{}", page.display());
    }
}

/// Subcommands and flags that the documents show exist.
#[test]
fn commands_shown_exist() {
    let mut helps = Helps::new(Path::new(env!("CARGO_BIN_EXE_evergreen")));
    let (mut wrong, mut seen) = (Vec::new(), 0);
    let outside = ["README.md", "CHANGELOG.md", "subjects/README.md", "streams/README.md"].map(PathBuf::from);
    for page in outside.into_iter().chain(pages()) {
        for shown in commands(&read(&page), "evergreen") {
            seen += 1;
            if let Err(why) = helps.accept(&shown.words) {
                wrong.push(format!("{}:{}: {why}", page.display(), shown.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 100, "only {seen} commands are found");
}
