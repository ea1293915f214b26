//! How help is arranged: the usual flags in `-h`, all of them in groups in `--help`; completions and the
//! manual page.
//!
//! Flags say what they do where they are declared ([`crate::flags`]). Which group a flag belongs to, and
//! whether it is a usual one, is written here, so that groups read the same in every task. Tests see to it
//! that every flag is in a group.

use crate::config::keys::{KEYS, Key};
use crate::flags::Cli;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Arg, ArgAction, ColorChoice, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::path::Path;
use std::process::ExitCode;

/// Groups of flags, in the order of the help.
const GROUPS: [(&str, &[&str]); 12] = [
    (
        "Program",
        &["class_path", "old_class_path", "source", "method", "main", "sym_main", "changes_only", "no_pairs"],
    ),
    (
        "Inputs",
        &[
            "concrete",
            "range",
            "assume",
            "non_null",
            "array_length",
            "input_length",
            "nesting",
            "answers",
            "chars",
            "heap",
            "scope",
            "invariant",
            "rep_ok",
            "ints",
            "domain",
        ],
    ),
    (
        "C and WebAssembly programs",
        &[
            "sym_arg",
            "sym_args",
            "arg",
            "sym_stdin",
            "stdin",
            "sym_file",
            "file",
            "sym_env",
            "env",
            "cc",
            "cc_arg",
            "include",
            "ub",
            "no_libc_models",
            "no_memory_checks",
            "leaks",
            "no_sampling",
            "ktest",
        ],
    ),
    (
        "Limits",
        &["depth", "loops", "paths", "steps", "time", "memory", "timeout_ms", "memory_mb", "bounds", "log2"],
    ),
    (
        "Search",
        &[
            "order",
            "seed",
            "concolic",
            "generations",
            "jobs",
            "merge",
            "no_shortcuts",
            "walks",
            "no_shrink",
            "queue",
            "queue_timeout",
            "once",
            "list",
            "cancel",
            "split_after",
        ],
    ),
    ("Findings", &["fail_on", "property", "induction", "stop_at_first", "require_complete"]),
    ("Probabilities", &["probability", "profile", "secret"]),
    (
        "Tests",
        &[
            "suite",
            "suite_size",
            "trust_old_infeasible",
            "between",
            "tests",
            "replay",
            "no_replay",
            "no_calls",
            "junit",
            "out",
        ],
    ),
    ("Solver and stores", &["solver", "store", "mode", "trust", "namespace", "reuse", "audit", "cores"]),
    (
        "Stages, for studies",
        &["no_slice", "no_propagate", "no_native", "no_models", "no_regulate", "no_check", "canon", "strict"],
    ),
    (
        "Output",
        &["json", "report", "draw", "draw_most", "sarif", "markdown", "stats", "log", "summary", "verbose"],
    ),
    ("General", &["quiet", "color", "help", "version"]),
];

/// The flags that `-h` shows, of the tasks that have many.
const USUAL: [(&str, &[&str]); 6] = [
    ("solve", &["solver", "store", "mode", "timeout_ms", "reuse", "stats", "summary"]),
    ("count", &["domain", "log2", "bounds", "steps", "store", "json"]),
    (
        "explore",
        &[
            "class_path",
            "method",
            "range",
            "assume",
            "heap",
            "scope",
            "sym_args",
            "sym_stdin",
            "time",
            "jobs",
            "suite",
            "out",
        ],
    ),
    (
        "diff",
        &["source", "class_path", "method", "range", "heap", "scope", "time", "suite", "markdown", "out"],
    ),
    ("work", &["queue", "once", "list", "cancel", "verbose", "solver", "store"]),
    ("bounds", &["scope", "json", "store"]),
];

/// The command line as it is parsed. Arranging it takes as long as a look-up in the store, so that is done
/// only for those who ask for help.
pub(crate) fn parsed(args: &[String]) -> Command {
    let asks = args.iter().any(|arg| matches!(arg.as_str(), "-h" | "--help" | "help"));
    let command = if asks { command() } else { Cli::command().styles(styles()) };
    command.color(color(args))
}

/// The command line, arranged for help.
pub(crate) fn command() -> Command {
    let command = Cli::command().styles(styles());
    let usual = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut command = command.after_long_help(format!("{usual}\n\n{}", settings()));
    for (name, usual) in USUAL {
        command = command.mut_subcommand(name, |task| task.mut_args(|arg| arranged(arg, usual)));
    }
    command = command.mut_subcommands(with_help_flag);
    let version = Arg::new("version").long("version").short('V').action(ArgAction::Version);
    let version = version.help("Print the version").help_heading("General");
    let command = command.disable_help_flag(true).disable_version_flag(true).arg(help_flag()).arg(version);
    command.mut_args(|arg| arg.help_heading("General")).mut_arg("color", |arg| arg.hide_short_help(true))
}

/// A task and its verbs with our help flag: leaving clap's out at the top leaves it out everywhere.
fn with_help_flag(task: Command) -> Command {
    task.disable_help_flag(true).arg(help_flag()).mut_subcommands(with_help_flag)
}

/// clap's own would stand in a group of its own.
fn help_flag() -> Arg {
    let flag = Arg::new("help").long("help").short('h').action(ArgAction::Help);
    flag.help("Print help; -h the usual flags, --help all").help_heading("General")
}

/// A flag in its group; those that are not usual are for `--help`.
fn arranged(arg: Arg, usual: &[&str]) -> Arg {
    if arg.is_positional() {
        return arg;
    }
    let id = arg.get_id().as_str().to_string();
    let group = GROUPS.iter().find(|(_, ids)| ids.contains(&id.as_str())).map(|(group, _)| *group);
    arg.help_heading(group).hide_short_help(!usual.contains(&id.as_str()))
}

fn styles() -> Styles {
    Styles::styled()
        .header(AnsiColor::Green.on_default().bold())
        .usage(AnsiColor::Green.on_default().bold())
        .literal(AnsiColor::Cyan.on_default().bold())
        .placeholder(AnsiColor::Cyan.on_default())
}

/// Everything that can be set, as a table.
fn settings() -> String {
    let mut lines =
        vec!["Settings, by key of ~/.config/evergreen/config.toml (or EVERGREEN_CONFIG):".to_string()];
    let line = |key: &Key| format!("  {:<16} {:<26} {}", key.name, key.variable.unwrap_or("-"), key.about);
    lines.extend(KEYS.iter().map(line));
    lines.push("Flags win over the environment, the environment over the file (docs/settings.md).".into());
    lines.join("\n")
}

/// What `--color` will say, before the command line is read: errors and help are coloured, too.
fn color(args: &[String]) -> ColorChoice {
    let args = args.split(|arg| arg == "--").next().unwrap_or_default();
    let next = args.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1].as_str());
    let joined = args.iter().filter_map(|arg| arg.strip_prefix("--color="));
    match next.chain(joined).last().map(str::to_lowercase).as_deref() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// `evergreen completions`.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<ExitCode, String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "evergreen", &mut script);
    print(&script)
}

/// Prints text of ours for another program to read.
fn print(text: &[u8]) -> Result<ExitCode, String> {
    let text = String::from_utf8_lossy(text);
    crate::say::verbatim(&mut std::io::stdout(), &text).map_err(|e| format!("standard output: {e}"))?;
    Ok(ExitCode::SUCCESS)
}

/// `evergreen man`: the page of the command on standard output, or one for each task in a folder.
pub(crate) fn man(folder: Option<&Path>) -> Result<ExitCode, String> {
    let mut command = command().disable_help_subcommand(true);
    // A page describes flags that `-h` does not show.
    let shown = |arg: Arg| arg.hide_short_help(false);
    for (name, _) in USUAL {
        command = command.mut_subcommand(name, |task| task.mut_args(shown));
    }
    command = command.mut_args(shown);
    // Global flags and full names reach the tasks.
    command.build();
    match folder {
        None => print(&page(&command).map_err(|e| e.to_string())?),
        Some(folder) => {
            let trouble = |e: std::io::Error| format!("{}: {e}", folder.display());
            std::fs::create_dir_all(folder).map_err(trouble)?;
            std::fs::write(folder.join("evergreen.1"), page(&command).map_err(trouble)?).map_err(trouble)?;
            for task in command.get_subcommands().filter(|task| !task.is_hide_set()) {
                let mut page = Vec::new();
                Man::new(task.clone()).render(&mut page).map_err(trouble)?;
                let file = folder.join(format!("evergreen-{}.1", task.get_name()));
                std::fs::write(file, page).map_err(trouble)?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The manual page of the command.
fn page(command: &Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(command.clone().after_long_help(""));
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    man.render_subcommands_section(&mut page)?;
    let mut roff = Roff::new();
    roff.control("SH", ["SETTINGS"]);
    roff.text([roman(
        "Keys of the configuration file, with the variable of the environment and the flag that win over it.",
    )]);
    for key in &KEYS {
        roff.control("TP", []);
        let also: Vec<&str> = [key.variable, key.flag].into_iter().flatten().collect();
        let also = if also.is_empty() { String::new() } else { format!(" ({})", also.join(", ")) };
        roff.text([bold(key.name), roman(also)]);
        roff.text([roman(key.about)]);
    }
    roff.to_writer(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Task;
    use clap::FromArgMatches;

    fn help(task: &str, flag: &str) -> String {
        let error = command().try_get_matches_from(["evergreen", task, flag]).expect_err("help");
        error.to_string()
    }

    /// The lines of a help that begin with a flag.
    fn flags(help: &str) -> Vec<String> {
        let is_flag = |line: &&str| line.trim_start().starts_with('-') && line.starts_with("  ");
        let words = help.lines().filter(is_flag).map(|line| line.split_whitespace());
        let long = words.filter_map(|mut words| words.find(|word| word.starts_with("--")));
        long.map(|word| word.trim_end_matches([',', '.']).split("[=").next().unwrap_or(word).to_string())
            .collect()
    }

    #[test]
    fn every_flag_has_a_group_and_every_group_its_flags() {
        let mut known = Vec::new();
        let mut command = command();
        command.build();
        for task in
            command.get_subcommands().filter(|task| USUAL.iter().any(|(name, _)| *name == task.get_name()))
        {
            for arg in task.get_arguments().filter(|arg| !arg.is_positional()) {
                let id = arg.get_id().as_str().to_string();
                let groups = GROUPS.iter().filter(|(_, ids)| ids.contains(&id.as_str())).count();
                assert_eq!(groups, 1, "--{id} of {} is in {groups} groups", task.get_name());
                known.push(id);
            }
        }
        for id in GROUPS.iter().flat_map(|(_, ids)| *ids).filter(|id| **id != "version") {
            assert!(known.iter().any(|one| one == id), "no task has {id}");
        }
        for (name, usual) in USUAL {
            let task = command.find_subcommand(name).expect("a task");
            let has = |id: &&&str| task.get_arguments().any(|arg| arg.get_id().as_str() == **id);
            assert_eq!(usual.iter().find(|id| !has(id)), None, "{name}");
        }
    }

    #[test]
    fn the_short_help_is_short_and_the_long_one_whole() {
        let short = help("explore", "-h");
        let shown = flags(&short);
        assert_eq!(shown.len(), 14, "twelve flags, --quiet and --help: {shown:?}");
        assert!(short.lines().count() < 50, "{} lines:\n{short}", short.lines().count());
        assert!(!short.contains("--no-shortcuts") && short.contains("--help"), "{short}");
        let mut arranged = command();
        arranged.build();
        for (name, _) in USUAL {
            let task = arranged.find_subcommand(name).expect("a task");
            let long = help(name, "--help");
            for arg in task.get_arguments().filter(|arg| !arg.is_positional()) {
                let flag = format!("--{}", arg.get_long().expect("a name"));
                assert!(flags(&long).contains(&flag), "{name} --help lacks {flag}:\n{long}");
            }
            assert!(!long.contains("\nOptions:"), "{name}: flags without a group\n{long}");
        }
        let long = help("explore", "--help");
        let groups = GROUPS.iter().filter(|(group, _)| long.contains(&format!("\n{group}:")));
        assert_eq!(groups.count(), GROUPS.len(), "{long}");
    }

    #[test]
    fn arranging_changes_no_meaning() {
        let line =
            ["evergreen", "explore", "--reuse", "exact", "-q", "--order", "BFS", "X.java"].map(String::from);
        let read = |command: Command| {
            let matches = command.try_get_matches_from(&line).expect("flags");
            let cli = Cli::from_arg_matches(&matches).expect("flags");
            let Task::Explore(flags) = cli.task else { panic!("{line:?}") };
            assert!(cli.quiet);
            flags
        };
        assert_eq!(read(command()), read(parsed(&line)));
        let asks = |line: &str| parsed(&line.split(' ').map(String::from).collect::<Vec<_>>());
        let has_group = |command: &Command| {
            let explore = command.find_subcommand("explore").expect("a task");
            explore.get_arguments().any(|arg| arg.get_help_heading() == Some("Inputs"))
        };
        assert!(has_group(&asks("explore -h")) && has_group(&asks("help explore")));
        assert!(!has_group(&asks("explore X.java")), "no help was asked for");
    }

    #[test]
    fn settings_are_listed() {
        let long = command().render_long_help().to_string();
        for key in &KEYS {
            assert!(
                long.lines().any(|line| line.starts_with(&format!("  {} ", key.name))),
                "{}\n{long}",
                key.name
            );
        }
        for line in long.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn pages_and_completions_name_every_task() {
        let page = String::from_utf8(page(&command()).expect("a page")).expect("text");
        for task in ["solve", "count", "shim", "store", "explore", "diff", "work", "bounds"] {
            assert!(page.contains(&format!("evergreen\\-{task}(1)")), "{task}: {page}");
        }
        assert!(page.contains(".SH SETTINGS") && page.contains("EVERGREEN_REUSE"), "{page}");
        assert!(!page.contains("evergreen\\-study"), "{page}");
        for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "evergreen", &mut script);
            let script = String::from_utf8(script).expect("text");
            assert!(script.contains("--no-shortcuts") || script.contains("no-shortcuts"), "{shell}");
        }
    }

    #[test]
    fn the_color_is_known_before_the_rest() {
        let of = |line: &str| color(&line.split(' ').map(String::from).collect::<Vec<_>>());
        assert_eq!(of("solve --color never x"), ColorChoice::Never);
        assert_eq!(of("--color=always solve --color=NEVER"), ColorChoice::Never);
        assert_eq!(of("solve -- --color never"), ColorChoice::Auto);
        assert_eq!(of("solve --color"), ColorChoice::Auto);
    }
}
