//! What a program is given: arguments, environment, standard input and files, each fixed or symbolic.
//!
//! Every byte is an input of its own (`stdin[0]`, `arg1[2]`, `file.A[0]`, `env.HOME[1]`). The length of
//! standard input and of a file is an input too (`stdin.length`), chosen when the program first looks at it.
//! An argument and a variable of the environment end at their first zero byte, as in KLEE.

use crate::case::Case;
use crate::fixed;
use crate::language::Function;
use evergreen_symbolic::{Assignment, Expr, Exprs, InputKind};
use evergreen_wasm::{File, Fixed, Limits, OutByte, Text, World, text};

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
    /// Values of inputs by name.
    pub fixed: Vec<(String, Fixed)>,
    /// Conditions that hold.
    pub assumptions: Vec<String>,
    /// The names for which a user set a range or a value.
    pub named: Vec<String>,
}

/// Makes inputs of what a program is given.
struct Making<'m> {
    exprs: &'m mut Exprs,
    limits: &'m mut Limits,
}

impl Making<'_> {
    fn octet(&mut self, name: &str, range: Option<(i64, i64)>) -> Expr {
        let range = self.limits.range(name, InputKind::Octet).or(range);
        self.exprs.input(name, InputKind::Octet, range)
    }
}

fn octets(exprs: &mut Making<'_>, name: &str, count: u32) -> Vec<OutByte> {
    (0..count).map(|i| OutByte::Symbolic(exprs.octet(&format!("{name}[{i}]"), None))).collect()
}

fn file(exprs: &mut Making<'_>, path: &str, name: &str, given: &Given) -> File {
    match given {
        Given::Fixed(bytes) => File::new(path, text(bytes).to_vec()),
        Given::Symbolic(most) => {
            let mut file = File::new(path, octets(exprs, name, *most));
            let range = Some((0, i64::from(*most)));
            file.length = Some(exprs.octet(&format!("{name}.length"), range));
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

    /// Reads `name=value`: a value as reports show it.
    ///
    /// # Errors
    /// It is no value.
    pub fn fix(&mut self, text: &str) -> Result<(), String> {
        let wrong = || format!("\"{text}\" is not of the form name=value");
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let name = name.trim();
        if name.is_empty() {
            return Err(wrong());
        }
        self.fixed.extend(fixed::read(name, value).map_err(|e| format!("{text}: {e}"))?);
        self.named.push(name.to_string());
        Ok(())
    }

    /// Reads `name=low..high`, both ends included.
    ///
    /// # Errors
    /// It is no range.
    pub fn bound(&mut self, text: &str) -> Result<(), String> {
        let wrong = || format!("\"{text}\" is not of the form name=low..high");
        let (name, range) = text.split_once('=').ok_or_else(wrong)?;
        let (low, high) = range.split_once("..").ok_or_else(wrong)?;
        let number = |part: &str| part.trim().trim_start_matches('=').replace('_', "").parse::<i64>();
        let (Ok(low), Ok(high)) = (number(low), number(high)) else { return Err(wrong()) };
        let name = name.trim();
        if name.is_empty() {
            return Err(wrong());
        }
        if low > high {
            return Err(format!("\"{text}\": the range is empty"));
        }
        self.ranges.push((name.to_string(), (low, high)));
        self.named.push(name.to_string());
        Ok(())
    }

    /// What the machine is told of inputs.
    pub(crate) fn limits(&self) -> Limits {
        Limits::new(self.ranges.iter().cloned(), self.fixed.iter().cloned())
    }

    /// Fails if a range or a value is set for a name that is no input of these functions.
    ///
    /// # Errors
    /// The first such name.
    pub fn check_names(&self, functions: &[Function]) -> Result<(), String> {
        let Some(function) = functions.first() else { return Ok(()) };
        for name in &self.named {
            let root = name.split(['.', '[', '-', '#']).next().unwrap_or(name);
            let is_parameter = function.parameters.iter().any(|parameter| parameter.name == root);
            // A harness has inputs of its own, which are met while it runs.
            let is_given = ["stdin", "file", "env", "argc"].contains(&root) || root.starts_with("arg");
            if !is_parameter && !is_given && (function.name != "main" || !function.draws) {
                let help = crate::assume::known(function);
                return Err(format!("no input is called \"{name}\"\nhelp: {help}"));
            }
        }
        Ok(())
    }

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

    /// Arguments that are always there.
    pub(crate) fn least(&self) -> u32 {
        self.arguments().1
    }

    /// The world that a program called `name` sees.
    pub(crate) fn world(&self, exprs: &mut Exprs, limits: &mut Limits, name: &str) -> World {
        let exprs = &mut Making { exprs, limits };
        let (given, least, most) = self.arguments();
        let mut args: Vec<Text> = vec![text(name.as_bytes())];
        for (number, given) in (1..).zip(&given) {
            args.push(match given {
                Given::Fixed(bytes) => text(bytes),
                Given::Symbolic(length) => octets(exprs, &format!("arg{number}"), *length).into(),
            });
        }
        let range = Some((0, i64::from(most - least)));
        let argc = (least < most).then(|| (1 + least as usize, exprs.octet("argc.more", range)));
        let variable = |exprs: &mut Making<'_>, name: &str, given: &Given| -> Text {
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
///
/// `least` arguments are always there; a test with fewer has a value outside of the range.
pub(crate) fn seed(case: &Case, least: u32, name: &str) -> Option<i64> {
    if name == "argc.more" {
        return Some(case.args.len() as i64 - i64::from(least));
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
