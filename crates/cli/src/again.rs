//! The command that shows something again, made from the arguments that were given.
//!
//! It goes over all arguments that the parser knows, so a new flag is repeated without a change here.
//! Arguments that are not repeated are listed with the reason ([`Kept`]). The environment and the
//! configuration file are not part of it.

use crate::flags::choice::one_of;
use crate::flags::{Cli, ColorFlag, Solve, Task, c};
use crate::help;
use crate::shell::quoted;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches, Parser};
use evergreen_service::{Entry, Language};
use std::ffi::OsString;

/// An argument that was given.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Argument {
    /// The field that it sets.
    id: String,
    /// `--name`; none if it goes by its place.
    name: Option<String>,
    /// Those of each time that it was given; none for a switch.
    values: Vec<Vec<OsString>>,
}

/// The arguments of a task that were given, as they were given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Given {
    task: String,
    all: Vec<Argument>,
    /// Everything that could be given, without values.
    known: Vec<Argument>,
}

/// Why an argument is not repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    /// It writes files or changes what is printed; the whole run's would be overwritten by those of one path.
    Output,
    /// A suite is brought up to date by what is explored: one path would retire all other tests.
    Suite,
    /// Who explores, threads or workers, finds the same and writes the same files.
    Team,
    /// It only measures, and what it says of ranges the inputs say.
    Measure,
    /// Its URL may have a password in it, and answers do not depend on where they are kept.
    Store,
    /// One path asks other questions than the whole run: they need not be in a store that only answers.
    Mode,
}

/// What the command that shows a finding again does not repeat.
pub(crate) const OF_FINDING: [(&str, Kept); 26] = [
    ("quiet", Kept::Output),
    ("color", Kept::Output),
    ("json", Kept::Output),
    ("out", Kept::Output),
    ("draw", Kept::Output),
    ("draw_most", Kept::Output),
    ("report", Kept::Output),
    ("sarif", Kept::Output),
    ("markdown", Kept::Output),
    ("stats", Kept::Output),
    ("ktest", Kept::Output),
    ("suite", Kept::Suite),
    ("suite_size", Kept::Suite),
    ("trust_old_infeasible", Kept::Suite),
    ("between", Kept::Suite),
    ("concolic", Kept::Team),
    ("tests", Kept::Suite),
    ("generations", Kept::Team),
    ("jobs", Kept::Team),
    ("queue", Kept::Team),
    ("queue_timeout", Kept::Team),
    ("probability", Kept::Measure),
    ("profile", Kept::Measure),
    ("secret", Kept::Measure),
    ("store", Kept::Store),
    ("mode", Kept::Mode),
];

/// What the command that shows a difference again does not repeat.
pub(crate) const OF_DIFFERENCE: [(&str, Kept); 10] = [
    ("quiet", Kept::Output),
    ("color", Kept::Output),
    ("json", Kept::Output),
    ("markdown", Kept::Output),
    ("sarif", Kept::Output),
    ("out", Kept::Output),
    ("changes_only", Kept::Output),
    ("suite", Kept::Suite),
    ("store", Kept::Store),
    ("mode", Kept::Mode),
];

/// Parses the arguments of the program; ends it if they are wrong, as [`clap::Parser::parse`] does.
pub(crate) fn parse() -> (Cli, ArgMatches) {
    if let Some(cli) = SolveOnly::read(std::env::args_os()) {
        return (cli, ArgMatches::default());
    }
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let mut command = help::parsed(&args);
    let matches = command.get_matches_mut();
    let cli = Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut command));
    (cli.unwrap_or_else(|e| e.exit()), matches)
}

/// The flags of `evergreen solve`. Making those of all tasks takes as long as twenty warm queries, and many
/// scripts are no longer.
#[derive(Parser)]
struct SolveOnly {
    #[command(flatten)]
    solve: Solve,
    #[arg(long, short = 'q')]
    quiet: bool,
    #[arg(long, value_parser = one_of::<ColorFlag>())]
    color: Option<ColorFlag>,
}

impl SolveOnly {
    /// The command line of that task, if nothing is wrong with it: all messages and all help are those of the
    /// whole parser.
    fn read(words: impl Iterator<Item = OsString>) -> Option<Cli> {
        let mut words = words.skip(1).peekable();
        words.peek().filter(|task| *task == "solve")?;
        let SolveOnly { solve, quiet, color } = SolveOnly::try_parse_from(words).ok()?;
        Some(Cli { task: Task::Solve(solve), quiet, color })
    }
}

impl Given {
    /// What was given to the task of a command line.
    pub(crate) fn of(matches: &ArgMatches) -> Given {
        let mut command = Cli::command();
        command.build();
        let Some((task, matches)) = matches.subcommand() else { return Given::default() };
        let Some(command) = command.find_subcommand(task) else { return Given::default() };
        let known =
            |arg: &clap::Arg| Argument { id: arg.get_id().to_string(), name: name(arg), values: Vec::new() };
        let known = command.get_arguments().map(known).collect();
        Given { task: task.to_string(), all: arguments(command, matches), known }
    }

    /// The command again: with other arguments `instead` of those with the same fields, and without those
    /// that are `kept` back.
    pub(crate) fn again(&self, instead: &[(&str, Vec<String>)], kept: &[(&str, Kept)]) -> String {
        let is_other = |id: &str| instead.iter().any(|(other, _)| *other == id);
        let is_kept = |id: &str| kept.iter().any(|(other, _)| *other == id);
        let given = self.all.iter().filter(|one| !is_other(&one.id) && !is_kept(&one.id)).cloned();
        let others = instead.iter().filter(|(_, values)| !values.is_empty()).map(|(id, values)| Argument {
            id: id.to_string(),
            name: self.known.iter().find(|known| known.id == *id).and_then(|known| known.name.clone()),
            values: values.iter().map(|value| vec![OsString::from(value)]).collect(),
        });
        let (named, placed): (Vec<Argument>, Vec<Argument>) =
            given.chain(others).partition(|one| one.name.is_some());
        let mut words = vec!["evergreen".to_string(), self.task.clone()];
        // A place of its own has what begins with a dash only after all that has a name.
        let placed: Vec<&OsString> = placed.iter().flat_map(|one| one.values.iter().flatten()).collect();
        let is_dashed = placed.iter().any(|value| value.as_encoded_bytes().starts_with(b"-"));
        let places = placed.into_iter().map(quoted);
        if is_dashed {
            words.extend(named.iter().flat_map(Argument::words));
            words.push("--".into());
            words.extend(places);
        } else {
            words.extend(places);
            words.extend(named.iter().flat_map(Argument::words));
        }
        words.join(" ")
    }

    /// The values of an argument, as far as they are text.
    pub(crate) fn values(&self, id: &str) -> Vec<String> {
        let of = self.all.iter().filter(|one| one.id == id).flat_map(|one| one.values.iter().flatten());
        of.filter_map(|value| value.to_str().map(String::from)).collect()
    }

    /// The first argument that was given of these, by its name.
    pub(crate) fn first_of(&self, ids: &[String]) -> Option<&str> {
        self.all.iter().find(|one| ids.contains(&one.id)).and_then(|one| one.name.as_deref())
    }
}

fn name(arg: &clap::Arg) -> Option<String> {
    arg.get_long().map(|long| format!("--{long}"))
}

fn arguments(command: &Command, matches: &ArgMatches) -> Vec<Argument> {
    let given = |arg: &&clap::Arg| {
        // `help` and `version` are no fields.
        matches.try_contains_id(arg.get_id().as_str()).is_ok()
            && matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    let argument = |arg: &clap::Arg| {
        let id = arg.get_id().to_string();
        let values = match arg.get_action().takes_values() {
            true => occurrences(&id, matches).into_iter().map(|(_, values)| values).collect(),
            false => Vec::new(),
        };
        Argument { id, name: name(arg), values }
    };
    let ordered = c::ordered();
    let (first, others): (Vec<&clap::Arg>, Vec<&clap::Arg>) =
        command.get_arguments().filter(given).partition(|arg| ordered.iter().any(|id| arg.get_id() == id));
    let mut all: Vec<Argument> = others.into_iter().map(argument).collect();
    all.extend(in_order(&first, matches));
    all
}

/// What was given for an argument, one list for each time, with the place of its first value.
fn occurrences(id: &str, matches: &ArgMatches) -> Vec<(usize, Vec<OsString>)> {
    let mut places = matches.indices_of(id).into_iter().flatten();
    let values = matches.get_raw_occurrences(id).into_iter().flatten();
    let values = values.map(|values| values.map(OsString::from).collect::<Vec<OsString>>());
    let placed = |values: Vec<OsString>| {
        let place = places.next().unwrap_or_default();
        places.by_ref().take(values.len().saturating_sub(1)).for_each(drop);
        (place, values)
    };
    values.map(placed).collect()
}

/// Arguments whose order among each other matters, one for each time that one was given.
fn in_order(args: &[&clap::Arg], matches: &ArgMatches) -> Vec<Argument> {
    let once = |arg: &&clap::Arg| {
        let (id, name) = (arg.get_id().to_string(), name(arg));
        let all = occurrences(&id, matches).into_iter();
        let of =
            |(place, values)| (place, Argument { id: id.clone(), name: name.clone(), values: vec![values] });
        all.map(of).collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, Argument)> = args.iter().flat_map(once).collect();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, argument)| argument).collect()
}

impl Argument {
    fn words(&self) -> Vec<String> {
        let Some(name) = &self.name else { return self.values.iter().flatten().map(quoted).collect() };
        if self.values.is_empty() {
            return vec![name.clone()];
        }
        let once = |values: &Vec<OsString>| match &values[..] {
            [value] if value.as_encoded_bytes().starts_with(b"-") => format!("{name}={}", quoted(value)),
            values => {
                let words = values.iter().map(quoted);
                std::iter::once(name.clone()).chain(words).collect::<Vec<_>>().join(" ")
            }
        };
        self.values.iter().map(once).collect()
    }
}

/// What the command says of the inputs.
pub(crate) enum Reproduced<'i, L: Language> {
    /// They have these values; what is an object is made as it was.
    Values(&'i [(String, L::Value)]),
    /// What was said before.
    AsGiven,
}

/// The command that runs one function again, by the name that `--method` takes; `written` is a value as
/// `--concrete` takes it.
pub(crate) fn of_function<L: Language>(
    given: &Given,
    (entry, name): (&L::Entry, String),
    inputs: Reproduced<'_, L>,
    written: impl Fn(&L::Value) -> String,
    kept: &[(&str, Kept)],
) -> String {
    // Functions without parameters are drivers, which name inputs as they like. Of others a name that is none
    // of theirs is an error.
    let parameters = entry.parameter_names();
    let is_own = |text: &String| parameters.contains(&base(text)) || parameters.is_empty();
    let own = |id: &str| given.values(id).into_iter().filter(is_own).collect::<Vec<String>>();
    let concrete = match inputs {
        Reproduced::AsGiven => own("concrete"),
        Reproduced::Values(all) => {
            let plain = all.iter().filter(|(_, value)| !L::is_object(value));
            let given = |(name, value): &(String, L::Value)| {
                L::given_in_parts(name, value).unwrap_or_else(|| vec![(name.clone(), written(value))])
            };
            plain.flat_map(given).map(|(name, value)| format!("{name}={value}")).collect()
        }
    };
    given.again(&[("method", vec![name]), ("range", own("range")), ("concrete", concrete)], kept)
}

/// What an input is called by itself: `a` of `a[0]` and `a.length=3`.
fn base(text: &str) -> &str {
    text.split(['=', '.', '[']).next().unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::exploring::{self, tests::ALL};
    use crate::flags::{Diff, Explore, Task};
    use crate::shell;
    use clap::error::ErrorKind;

    /// The flags of one of the tasks that have such a command.
    #[derive(PartialEq, Debug)]
    enum Flags {
        Explore(Box<Explore>),
        Diff(Box<Diff>),
    }

    fn parsed(words: &[OsString]) -> Result<(Flags, Given), clap::Error> {
        let matches = Cli::command().try_get_matches_from(words)?;
        let flags = match Cli::from_arg_matches(&matches)?.task {
            Task::Explore(flags) => Flags::Explore(flags),
            Task::Diff(flags) => Flags::Diff(flags),
            _ => panic!("{words:?}"),
        };
        Ok((flags, Given::of(&matches)))
    }

    fn words(all: &[&str]) -> Vec<OsString> {
        all.iter().map(OsString::from).collect()
    }

    /// The same after a shell has read the line.
    fn read(line: &str) -> (Flags, Given) {
        use std::os::unix::ffi::OsStringExt;
        let words: Vec<OsString> =
            shell::tests::words("sh", line).into_iter().map(OsString::from_vec).collect();
        parsed(&words).unwrap_or_else(|e| panic!("{line}: {e}"))
    }

    /// Values that some argument takes, and that are no defaults.
    const VALUES: [&str; 12] = [
        "it's \"$HOME\" `id` \u{1b}\u{202e}",
        "-x < 'y'",
        "7",
        "7s",
        "a=1..2",
        "97..122",
        "0.5",
        "some=7",
        "a,b",
        "redis://h",
        "A:8",
        "Cargo.toml",
    ];
    /// What an argument may need besides.
    const NEEDED: [&[&str]; 7] = [
        &[],
        &["--concolic"],
        &["--property", "assertions"],
        &["--suite", "s"],
        &["--draw", "d"],
        &["--queue", "redis://h"],
        &["--out", "o"],
    ];

    /// Command lines that give one argument a value that is not its default: each that the parser takes.
    fn given_once(task: &[&str], arg: &clap::Arg) -> Vec<(Flags, Given)> {
        let long = arg.get_long().map(|long| format!("--{long}"));
        let values: Vec<String> = match arg.get_action().takes_values() {
            false => vec![String::new()],
            true if arg.get_possible_values().is_empty() => VALUES.map(String::from).to_vec(),
            true => arg.get_possible_values().iter().map(|value| value.get_name().to_string()).collect(),
        };
        let several = arg.get_num_args().map_or(1, |range| range.min_values());
        let (plain, _) = parsed(&words(task)).expect("a task");
        let mut all = Vec::new();
        for value in &values {
            for needed in NEEDED {
                let mut line = words(&[task, needed].concat());
                match &long {
                    Some(long) if value.is_empty() => line.push(long.into()),
                    Some(long) if several > 1 => {
                        line.push(long.into());
                        line.extend(std::iter::repeat_n(OsString::from(value), several));
                    }
                    Some(long) => line.push(format!("{long}={value}").into()),
                    None => line.extend(words(&["--", value])),
                }
                match parsed(&line) {
                    Ok((flags, given)) if flags != plain => all.push((flags, given)),
                    Err(e) if e.kind() == ErrorKind::MissingRequiredArgument => continue,
                    _ => {}
                }
                break;
            }
        }
        all
    }

    /// Every argument that the parser knows is repeated, and means the same again; but for those that are
    /// kept back.
    fn check(task: &[&str], kept: &[(&str, Kept)]) {
        let mut command = Cli::command();
        command.build();
        let known = command.find_subcommand(task[1]).expect("a task");
        let mut seen = Vec::new();
        for arg in known.get_arguments().filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version")) {
            let id = arg.get_id().to_string();
            seen.push(id.clone());
            if matches!(&*id, "quiet" | "color") {
                // They are no fields of the task.
                assert!(kept.iter().any(|(other, why)| *other == id && *why == Kept::Output), "{id}");
                continue;
            }
            let mut repeated = false;
            let all = given_once(task, arg);
            assert!(!all.is_empty(), "no value of {id} was found: extend VALUES or NEEDED");
            for (flags, given) in all {
                assert!(given.all.iter().any(|one| one.id == id), "{id}: {given:?}");
                let line = given.again(&[], kept);
                let (back, given_back) = read(&line);
                let is_kept = |one: &Argument| kept.iter().any(|(other, _)| *other == one.id);
                assert!(given.all.iter().filter(|one| !is_kept(one)).eq(&given_back.all), "{line}");
                if !given.all.iter().any(is_kept) {
                    assert_eq!(back, flags, "{line}");
                }
                repeated |= given_back.all.iter().any(|one| one.id == id);
            }
            assert_eq!(repeated, !kept.iter().any(|(other, _)| *other == id), "{id}");
        }
        // Nothing is kept back that is no argument any more.
        assert!(kept.iter().all(|(id, _)| seen.iter().any(|known| known == id)), "{seen:?}");
        assert!(seen.len() > 25, "{seen:?}");
    }

    #[test]
    fn solve_by_itself_has_the_flags_of_the_task() {
        let mut whole = Cli::command();
        whole.build();
        let known = |command: &Command| {
            let arg = |arg: &clap::Arg| {
                let values = arg.get_possible_values().iter().map(|v| v.get_name().to_string()).collect();
                let values: Vec<String> = values;
                let name = (arg.get_id().to_string(), arg.get_long().map(String::from), arg.get_short());
                (name, format!("{:?}", arg.get_action()), values)
            };
            let mut all: Vec<_> = command.get_arguments().map(arg).collect();
            all.retain(|((id, ..), ..)| !matches!(id.as_str(), "help" | "version"));
            all.sort();
            all
        };
        let task = known(whole.find_subcommand("solve").expect("a task"));
        let mut alone = SolveOnly::command();
        alone.build();
        assert_eq!(known(&alone), task);
        assert!(task.len() > 10, "{task:?}");
        let read = |line: &[&str]| SolveOnly::read(words(line).into_iter());
        let Some(Cli { task: Task::Solve(solve), quiet: true, color: Some(ColorFlag::Never) }) =
            read(&["evergreen", "solve", "-q", "--color", "never", "--summary", "a.smt2"])
        else {
            panic!("a command line that is right")
        };
        assert_eq!((solve.file, solve.summary), (Some("a.smt2".into()), true));
        for other in
            [&["evergreen"][..], &["evergreen", "solve", "--help"], &["evergreen", "solve", "--sumary"]]
        {
            assert!(read(other).is_none(), "{other:?}");
        }
        assert!(read(&["evergreen", "-q", "solve", "a.smt2"]).is_none());
    }

    #[test]
    fn every_flag_of_explore_is_in_the_command() {
        check(&["evergreen", "explore", "A.java"], &OF_FINDING);
    }

    #[test]
    fn every_flag_of_diff_is_in_the_command() {
        check(&["evergreen", "diff", "old.jar"], &OF_DIFFERENCE);
    }

    #[test]
    fn every_setting_of_an_exploration_comes_back_from_its_command() {
        let all: Vec<&str> =
            ["evergreen", "explore", "A.java"].into_iter().chain(ALL.split_whitespace()).collect();
        let (Flags::Explore(flags), given) = parsed(&words(&all)).expect("flags") else { panic!("{all:?}") };
        let fields = exploring::tests::given(&flags.exploring);
        assert!(fields.iter().all(|(_, is_given)| *is_given), "{fields:?}");
        let line = given.again(&[], &OF_FINDING);
        let (Flags::Explore(back), _) = read(&line) else { panic!("{line}") };
        assert_eq!(back.exploring, flags.exploring, "{line}");
    }

    #[test]
    fn arguments_by_place_and_values_with_dashes() {
        let task =
            ["evergreen", "explore", "--ints=math", "--method=-m", "--time", "5s", "--", "-A.java", "b c"];
        let (flags, given) = parsed(&words(&task)).expect("flags");
        let line = given.again(&[], &[]);
        assert_eq!(line, "evergreen explore --method=-m --time 5s --ints math -- -A.java 'b c'");
        assert_eq!(read(&line), (flags, given.clone()));
        let instead =
            [("method", vec!["f(I)V".to_string()]), ("concrete", vec!["x=-1".into(), "s=\"'\"".into()])];
        let line = given.again(&instead, &[("time", Kept::Output)]);
        let concrete = r#"--concrete x=-1 --concrete 's="'\''"'"#;
        assert_eq!(
            line,
            format!("evergreen explore --ints math --method 'f(I)V' {concrete} -- -A.java 'b c'")
        );
    }

    #[test]
    fn arguments_of_programs_keep_their_order() {
        let task =
            "evergreen explore wc.c --sym-stdin 4 --arg=-l --sym-args 0 2 4 --arg x --sym-arg 3 --arg=--";
        let (flags, given) = parsed(&words(&task.split(' ').collect::<Vec<_>>())).expect("flags");
        let line = given.again(&[], &[]);
        assert_eq!(line, task);
        assert_eq!(read(&line), (flags, given.clone()));
        // A test has arguments of its own in place of symbolic ones.
        let none = Vec::new;
        let values = vec!["-l".to_string(), "a b".into()];
        let instead = [("sym_arg", none()), ("sym_args", none()), ("arg", values), ("sym_stdin", none())];
        assert_eq!(given.again(&instead, &[]), "evergreen explore wc.c --arg=-l --arg 'a b'");
    }

    #[test]
    fn inputs_of_other_methods_are_left_out() {
        assert_eq!((base("a[0]=3"), base("s.length=2"), base(" n =1..2")), ("a", "s", "n"));
    }
}
