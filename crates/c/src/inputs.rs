//! What a program is given: arguments, environment, standard input and files, each fixed or symbolic.
//!
//! Every byte is an input of its own (`stdin[0]`, `arg1[2]`, `file.A[0]`, `env.HOME[1]`). The length of
//! standard input and of a file is an input too (`stdin.length`), chosen when the program first looks at it.
//! An argument and a variable of the environment end at their first zero byte, as in KLEE.

use crate::case::Case;
use evergreen_symbolic::{Assignment, Exprs, InputKind};
use evergreen_wasm::{File, OutByte, Text, World, text};

/// Bytes that a program is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// These.
    Fixed(Vec<u8>),
    /// Up to so many symbolic ones.
    Symbolic(u32),
}

/// An argument, or several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// One.
    One(Given),
    /// From so many to so many of up to so many symbolic bytes.
    Several {
        /// At least.
        min: u32,
        /// At most.
        max: u32,
        /// Bytes of each.
        length: u32,
    },
}

/// What a user sets for a whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Arguments behind the program's name.
    pub args: Vec<Argument>,
    /// The environment.
    pub env: Vec<(String, Given)>,
    /// Standard input.
    pub stdin: Option<Given>,
    /// Files.
    pub files: Vec<(String, Given)>,
    /// Ranges of inputs by name.
    pub ranges: Vec<(String, (i64, i64))>,
}

fn octets(exprs: &mut Exprs, name: &str, count: u32) -> Vec<OutByte> {
    (0..count)
        .map(|i| OutByte::Symbolic(exprs.input(&format!("{name}[{i}]"), InputKind::Octet, None)))
        .collect()
}

fn file(exprs: &mut Exprs, path: &str, name: &str, given: &Given) -> File {
    match given {
        Given::Fixed(bytes) => File::new(path, text(bytes).to_vec()),
        Given::Symbolic(most) => {
            let mut file = File::new(path, octets(exprs, name, *most));
            let range = Some((0, i64::from(*most)));
            file.length = Some(exprs.input(&format!("{name}.length"), InputKind::Octet, range));
            file
        }
    }
}

/// The value of an input under a model; `None` if there is no such input.
fn value(exprs: &Exprs, model: &Assignment, name: &str) -> Option<i64> {
    exprs.named(name).first().map(|input| model.integer(exprs, *input))
}

fn bytes(exprs: &Exprs, model: &Assignment, name: &str, count: u32) -> Vec<u8> {
    (0..count).map(|i| value(exprs, model, &format!("{name}[{i}]")).unwrap_or(0) as u8).collect()
}

/// Up to the first zero.
fn until_zero(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    bytes.truncate(end);
    bytes
}

impl Inputs {
    /// The longest symbolic length that one input may have, for messages.
    pub const MOST: u32 = 255;

    /// The arguments one by one: whether they are there at all may be an input.
    fn arguments(&self) -> (Vec<Given>, u32, u32) {
        let (mut all, mut least, mut most) = (Vec::new(), 0, 0);
        for argument in &self.args {
            match argument {
                Argument::One(given) => {
                    all.push(given.clone());
                    least += 1;
                    most += 1;
                }
                Argument::Several { min, max, length } => {
                    all.extend((0..*max).map(|_| Given::Symbolic(*length)));
                    least += min;
                    most += max;
                }
            }
        }
        (all, least, most)
    }

    /// The world that a program called `name` sees.
    pub(crate) fn world(&self, exprs: &mut Exprs, name: &str) -> World {
        let (given, least, most) = self.arguments();
        let mut args: Vec<Text> = vec![text(name.as_bytes())];
        for (number, given) in (1..).zip(&given) {
            args.push(match given {
                Given::Fixed(bytes) => text(bytes),
                Given::Symbolic(length) => octets(exprs, &format!("arg{number}"), *length).into(),
            });
        }
        let range = Some((0, i64::from(most - least)));
        let argc =
            (least < most).then(|| (1 + least as usize, exprs.input("argc.more", InputKind::Octet, range)));
        let variable = |exprs: &mut Exprs, name: &str, given: &Given| -> Text {
            let start = format!("{name}=");
            let value = match given {
                Given::Fixed(bytes) => text(bytes).to_vec(),
                Given::Symbolic(length) => octets(exprs, &format!("env.{name}"), *length),
            };
            text(start.as_bytes()).iter().copied().chain(value).collect()
        };
        let env = self.env.iter().map(|(name, given)| variable(exprs, name, given)).collect();
        let stdin = self.stdin.clone().unwrap_or(Given::Fixed(Vec::new()));
        let stdin = file(exprs, "stdin", "stdin", &stdin);
        let files = self.files.iter();
        let files =
            files.map(|(name, given)| Some(file(exprs, name, &format!("file.{name}"), given))).collect();
        let mut world = World::default();
        (world.args, world.argc, world.env) = (args, argc, env);
        (world.stdin, world.files) = (stdin, files);
        world
    }

    /// What a test is given under a model.
    pub(crate) fn given(&self, exprs: &Exprs, model: &Assignment, into: &mut Case) {
        let (given, least, most) = self.arguments();
        let more = if least < most { value(exprs, model, "argc.more").unwrap_or(0) as usize } else { 0 };
        let count = (least as usize + more).min(given.len());
        for (number, given) in (1..).zip(&given[..count]) {
            into.args.push(match given {
                Given::Fixed(bytes) => bytes.clone(),
                Given::Symbolic(n) => until_zero(bytes(exprs, model, &format!("arg{number}"), *n)),
            });
        }
        for (name, given) in &self.env {
            let value = match given {
                Given::Fixed(bytes) => bytes.clone(),
                Given::Symbolic(n) => until_zero(bytes(exprs, model, &format!("env.{name}"), *n)),
            };
            into.env.push((name.clone(), value));
        }
        let content = |name: &str, given: &Given| match given {
            Given::Fixed(bytes) => bytes.clone(),
            Given::Symbolic(most) => {
                let length = value(exprs, model, &format!("{name}.length")).unwrap_or(0);
                bytes(exprs, model, name, (length as u32).min(*most))
            }
        };
        into.stdin = self.stdin.as_ref().map(|given| content("stdin", given));
        for (name, given) in &self.files {
            into.files.push((name.clone(), content(&format!("file.{name}"), given)));
        }
    }

    /// Whether anything is symbolic.
    pub fn is_symbolic(&self) -> bool {
        let symbolic = |given: &Given| matches!(given, Given::Symbolic(_));
        let several = |argument: &Argument| match argument {
            Argument::One(given) => symbolic(given),
            Argument::Several { .. } => true,
        };
        self.args.iter().any(several)
            || self.env.iter().chain(&self.files).any(|(_, given)| symbolic(given))
            || self.stdin.as_ref().is_some_and(symbolic)
    }
}

/// The value that a test has for an input of the world, by the input's name.
pub(crate) fn seed(case: &Case, inputs_least: Option<u32>, name: &str) -> Option<i64> {
    if name == "argc.more" {
        return Some((case.args.len() as i64 - i64::from(inputs_least.unwrap_or(0))).max(0));
    }
    let (whole, index) = match name.strip_suffix(".length") {
        Some(whole) => (whole, None),
        None => {
            let (whole, index) = name.strip_suffix(']')?.rsplit_once('[')?;
            (whole, Some(index.parse::<usize>().ok()?))
        }
    };
    let argument = |number: &str| case.args.get(number.parse::<usize>().ok()?.checked_sub(1)?);
    let bytes: &[u8] = if whole == "stdin" {
        case.stdin.as_deref().unwrap_or_default()
    } else if let Some(number) = whole.strip_prefix("arg") {
        argument(number).map(Vec::as_slice).unwrap_or_default()
    } else if let Some(name) = whole.strip_prefix("file.") {
        case.files.iter().find(|(own, _)| own == name).map_or(&[][..], |(_, bytes)| bytes)
    } else if let Some(name) = whole.strip_prefix("env.") {
        case.env.iter().find(|(own, _)| own == name).map_or(&[][..], |(_, bytes)| bytes)
    } else {
        return None;
    };
    Some(match index {
        None => bytes.len() as i64,
        Some(index) => bytes.get(index).copied().unwrap_or(0).into(),
    })
}
