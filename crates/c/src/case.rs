//! A test of a C program: what it is given, what the harness draws, and what has to happen.

use crate::value::{CValue, literal};
use std::fmt;
use std::sync::Arc;

/// What a test calls: a program, or a function of one through a harness.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Target {
    /// The program.
    pub unit: String,
    /// `main`, or the function.
    pub name: String,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.unit, self.name)
    }
}

/// Values that a harness draws at once: `klee_make_symbolic`, `evergreen_int`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The name that the harness gives.
    pub name: String,
    /// The bytes, the lowest first.
    pub bytes: Vec<u8>,
    /// Bytes of an element: how they are shown.
    pub width: u8,
    /// Whether elements are floats.
    pub float: bool,
}

impl Drawn {
    /// The integer or the bits of an element.
    fn element(&self, bytes: &[u8]) -> i64 {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let shift = 64 - 8 * bytes.len() as u32;
        (i64::from_le_bytes(wide) << shift) >> shift
    }

    /// As reports show it.
    pub fn value(&self) -> CValue {
        let width = usize::from(self.width.max(1));
        let elements: Vec<i64> = self.bytes.chunks(width).map(|chunk| self.element(chunk)).collect();
        match elements[..] {
            [bits] if self.float && self.width == 4 => {
                CValue::Double(f64::from(f32::from_bits(bits as u32)).to_bits())
            }
            [bits] if self.float => CValue::Double(bits as u64),
            [n] if self.width > 1 || self.bytes.len() == 1 => CValue::Int(n),
            _ if self.width > 1 && !self.float => CValue::Ints(elements),
            _ => CValue::Bytes(self.bytes.clone()),
        }
    }
}

/// How a test has to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The process ends with this status.
    Exits(i32),
    /// It fails in this way, and why.
    Fails(String, String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exits(status) => write!(f, "exits {status}"),
            Ending::Fails(kind, message) if message.is_empty() => write!(f, "fails {kind}"),
            Ending::Fails(kind, message) => write!(f, "fails {kind}: {message}"),
        }
    }
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// What it calls.
    pub target: Arc<Target>,
    /// Arguments behind the program's name.
    pub args: Vec<Vec<u8>>,
    /// The environment.
    pub env: Vec<(String, Vec<u8>)>,
    /// Standard input, if it is given.
    pub stdin: Option<Vec<u8>>,
    /// Files.
    pub files: Vec<(String, Vec<u8>)>,
    /// What the harness draws, in order.
    pub draws: Vec<Drawn>,
    /// How it ends.
    pub end: Ending,
    /// What it prints on standard output, up to its end.
    pub stdout: Vec<u8>,
}

impl Case {
    /// A test that is given nothing.
    pub fn new(target: Arc<Target>) -> Case {
        Case {
            target,
            args: Vec::new(),
            env: Vec::new(),
            stdin: None,
            files: Vec::new(),
            draws: Vec::new(),
            end: Ending::Exits(0),
            stdout: Vec::new(),
        }
    }

    /// Names and values of its inputs.
    pub fn inputs(&self) -> Vec<(String, CValue)> {
        let bytes = |bytes: &Vec<u8>| CValue::Bytes(bytes.clone());
        let args = (1..).zip(&self.args).map(|(n, arg)| (format!("arg{n}"), bytes(arg)));
        let env = self.env.iter().map(|(name, value)| (format!("env.{name}"), bytes(value)));
        let stdin = self.stdin.iter().map(|text| ("stdin".to_string(), bytes(text)));
        let files = self.files.iter().map(|(name, text)| (format!("file.{name}"), bytes(text)));
        let draws = self.draws.iter().map(|drawn| (drawn.name.clone(), drawn.value()));
        args.chain(env).chain(stdin).chain(files).chain(draws).collect()
    }

    /// A text that is the same for tests with the same inputs.
    pub fn identity(&self) -> String {
        let Case { args, env, stdin, files, draws, .. } = self;
        format!("{args:?} {env:?} {stdin:?} {files:?} {draws:?}")
    }

    /// What it prints, in words.
    pub fn printed(&self) -> String {
        literal(&self.stdout)
    }
}
