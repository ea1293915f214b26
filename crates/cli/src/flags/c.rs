//! Flags for programs in C and WebAssembly: what a whole program is called with, how it is compiled, and what
//! is checked.
//!
//! Files are read when flags are: a job carries their contents to workers, which have no such files.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How C programs are called, compiled and checked.
#[derive(Args, Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CFlags {
    #[command(flatten)]
    pub argv: Argv,
    /// Make up to LEN bytes of standard input symbolic: --sym-stdin 6
    #[arg(long, value_name = "LEN", conflicts_with = "stdin")]
    pub sym_stdin: Option<u32>,
    /// Give the program this standard input, or the contents of a file: --stdin 'a b', --stdin @input.txt
    /// (@@ is one @)
    #[arg(long, value_name = "TEXT|@FILE", value_parser = text_or_file, allow_hyphen_values = true)]
    pub stdin: Option<Bytes>,
    /// Let the program find a file with up to LEN symbolic bytes; several times for several: --sym-file A:8
    #[arg(long, value_name = "NAME:LEN", value_parser = symbolic)]
    pub sym_file: Vec<(String, u32)>,
    /// Let the program find a file, with the contents of PATH: --file data.txt, --file data.txt=tests/1.txt
    #[arg(long, value_name = "NAME[=PATH]", value_parser = file)]
    pub file: Vec<(String, Bytes)>,
    /// Make a variable of the environment up to LEN symbolic bytes: --sym-env HOME:4
    #[arg(long, value_name = "NAME:LEN", value_parser = symbolic)]
    pub sym_env: Vec<(String, u32)>,
    /// Set a variable of the environment, which is empty otherwise: --env LANG=C
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// The compiler, which has to know --target=wasm32-wasi: --cc clang-19 [default: clang]
    #[arg(long, value_name = "PROGRAM")]
    // A job carries the module.
    #[serde(skip)]
    pub cc: Option<String>,
    /// Give the compiler one more argument; several times for several: --cc-arg -DSTRICT
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    #[serde(skip)]
    pub cc_arg: Vec<String>,
    /// Where the compiler finds headers; several times for several: -I include
    #[arg(long, short = 'I', value_name = "DIR")]
    #[serde(skip)]
    pub include: Vec<String>,
    /// Report undefined behaviour, too: signed overflow, shifts, null and misaligned pointers
    #[arg(long)]
    pub ub: bool,
    /// Run the code of memcpy, strlen and the like; without this they are done at once. For the path counts
    /// of KLEE
    #[arg(long)]
    pub no_libc_models: bool,
    /// Do not check bounds and lifetimes of objects: no red zones around them
    #[arg(long)]
    pub no_memory_checks: bool,
    /// Report memory that is not freed when the program ends
    #[arg(long)]
    pub leaks: bool,
    /// Where an arm cannot be decided, go on with symbols. Without this the inputs that the branch depends on
    /// are fixed there, and the path is marked as sampled
    #[arg(long)]
    pub no_sampling: bool,
}

/// The flags that only C programs have, by their fields. A Java program has arguments, too, and is sampled.
pub(crate) fn ids() -> Vec<String> {
    let command = CFlags::augment_args(Command::new("c"));
    let own = command.get_arguments().map(|arg| arg.get_id().to_string());
    let is_shared = |id: &String| ["arg", "no_sampling"].contains(&id.as_str());
    own.filter(|id| !is_shared(id)).chain(["ktest".into()]).collect()
}

/// The flags whose order among each other matters, by their fields.
pub(crate) fn ordered() -> Vec<String> {
    let command = Argv::augment_args(Command::new("argv"));
    command.get_arguments().map(|arg| arg.get_id().to_string()).collect()
}

/// An argument of a whole program.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProgramArgument {
    /// This text.
    Text(String),
    /// Up to so many symbolic bytes.
    Symbolic(u32),
    /// From so many to so many arguments of up to so many symbolic bytes each.
    Several {
        /// At least.
        min: u32,
        /// At most.
        max: u32,
        /// Bytes of each.
        len: u32,
    },
}

/// The arguments of a whole program, in the order of the command line.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Argv(pub Vec<ProgramArgument>);

impl Args for Argv {
    fn augment_args(command: Command) -> Command {
        let number = clap::value_parser!(u32);
        let flag = |id: &'static str, long: &'static str| Arg::new(id).long(long).action(ArgAction::Append);
        let one = flag("sym_arg", "sym-arg").value_name("LEN").value_parser(number);
        let one = one.help(
            "Call the program with one more argument of up to LEN symbolic bytes; its place among --arg \
             and --sym-args is its place in argv: --sym-arg 3",
        );
        let several = flag("sym_args", "sym-args").value_names(["MIN", "MAX", "LEN"]).num_args(3);
        let several = several
            .value_parser(clap::value_parser!(u32))
            .help("MIN to MAX such arguments in a row: --sym-args 0 2 4");
        let text = flag("arg", "arg").value_name("TEXT").allow_hyphen_values(true);
        let text = text.help("Call it with this argument: --arg -n");
        command.arg(one).arg(several).arg(text)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Argv::augment_args(command)
    }
}

impl FromArgMatches for Argv {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Argv, Error> {
        let mut all: Vec<(usize, ProgramArgument)> = Vec::new();
        let places = |id: &str| matches.indices_of(id).into_iter().flatten();
        let texts = matches.get_many::<String>("arg").into_iter().flatten();
        all.extend(places("arg").zip(texts.cloned().map(ProgramArgument::Text)));
        let lengths = matches.get_many::<u32>("sym_arg").into_iter().flatten();
        all.extend(places("sym_arg").zip(lengths.map(|&len| ProgramArgument::Symbolic(len))));
        let numbers: Vec<u32> = matches.get_many("sym_args").into_iter().flatten().copied().collect();
        for (place, three) in places("sym_args").step_by(3).zip(numbers.chunks_exact(3)) {
            let &[min, max, len] = three else { continue };
            if min > max {
                let why = format!("--sym-args {min} {max} {len}: MIN is more than MAX\n");
                return Err(Error::raw(ErrorKind::ValueValidation, why));
            }
            all.push((place, ProgramArgument::Several { min, max, len }));
        }
        all.sort_by_key(|(place, _)| *place);
        Ok(Argv(all.into_iter().map(|(_, argument)| argument).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Argv::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Bytes as they are; in JSON a text with a character for each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.iter().map(|&byte| char::from(byte)).collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = text.chars().map(|c| u8::try_from(c).map_err(serde::de::Error::custom));
        Ok(Bytes(bytes.collect::<Result<_, _>>()?))
    }
}

/// A text, or with `@` before it the contents of a file.
fn text_or_file(text: &str) -> Result<Bytes, String> {
    match text.strip_prefix('@') {
        Some(rest) if !rest.starts_with('@') => contents(rest),
        rest => Ok(Bytes(rest.unwrap_or(text).into())),
    }
}

/// `NAME` or `NAME=PATH`: a file, and its contents.
fn file(text: &str) -> Result<(String, Bytes), String> {
    let (name, path) = text.split_once('=').unwrap_or((text, text));
    match name.is_empty() {
        true => Err(format!("\"{text}\" names no file; write data.txt or data.txt=path")),
        false => Ok((name.into(), contents(path)?)),
    }
}

fn contents(path: &str) -> Result<Bytes, String> {
    std::fs::read(path).map(Bytes).map_err(|e| format!("{path}: {e}"))
}

/// `NAME:LEN`.
fn symbolic(text: &str) -> Result<(String, u32), String> {
    let wrong = || format!("\"{text}\" is not of the form NAME:LEN");
    let (name, length) = text.rsplit_once(':').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
    Ok((name.into(), length.parse().map_err(|_| wrong())?))
}

/// `NAME=VALUE`.
fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err(format!("\"{text}\" is not of the form NAME=VALUE")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<CFlags, Error> {
        let command = CFlags::augment_args(Command::new("c").no_binary_name(true));
        CFlags::from_arg_matches(&command.try_get_matches_from(words)?)
    }

    #[test]
    fn arguments_keep_the_order_of_the_command_line() {
        let flags = read(&[
            "--sym-arg",
            "3",
            "--arg",
            "-n",
            "--sym-args",
            "0",
            "2",
            "4",
            "--sym-arg",
            "1",
            "--arg",
            "x y",
        ]);
        let text = |text: &str| ProgramArgument::Text(text.into());
        let several = ProgramArgument::Several { min: 0, max: 2, len: 4 };
        let all =
            [ProgramArgument::Symbolic(3), text("-n"), several, ProgramArgument::Symbolic(1), text("x y")];
        assert_eq!(flags.expect("flags").argv.0, all);
        assert!(read(&["--sym-args", "0", "2"]).is_err() && read(&["--sym-args", "3", "2", "1"]).is_err());
    }

    #[test]
    fn files_are_read_with_the_flags_and_travel() {
        let flags =
            read(&["--stdin", "@@é", "--file", "a=Cargo.toml", "--sym-file", "b:c:8"]).expect("flags");
        assert_eq!(flags.stdin, Some(Bytes("@é".into())));
        assert_eq!(flags.sym_file, [("b:c".to_string(), 8)]);
        assert!(flags.file[0].1.0.starts_with(b"[package]"));
        let text = serde_json::to_string(&flags).expect("JSON");
        assert_eq!(serde_json::from_str::<CFlags>(&text).expect("flags"), flags);
        assert_eq!(serde_json::from_str::<CFlags>("{}").expect("flags"), CFlags::default());
        let why = read(&["--stdin", "@no/such/file"]).unwrap_err().to_string();
        assert!(why.contains("no/such/file: No such file"), "{why}");
        assert!(read(&["--stdin", "x", "--sym-stdin", "3"]).is_err());
    }
}
