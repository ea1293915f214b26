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
    /// Of a pointer: the number of the object that it points to, 0 for null.
    pub points: Option<u32>,
    /// Of a struct: its fields, by offset.
    pub fields: Vec<(u32, Drawn)>,
}

/// An object that inputs point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The way to it: `list->next`.
    pub name: String,
    /// The name of its type.
    pub type_name: String,
    /// Its number among the objects of its type; 1 if only one pointer can lead to it.
    pub number: u32,
    /// Bytes that are kept for it.
    pub room: u32,
    /// Its size in bytes.
    pub size: u32,
    /// Its elements; of a text, without the zero behind it.
    pub count: u32,
    /// Its values, by offset.
    pub fields: Vec<(u32, Drawn)>,
}

impl Drawn {
    /// The bytes in memory, if objects are at these addresses.
    pub(crate) fn placed(&self, addresses: &[u32]) -> Vec<u8> {
        if let Some(number) = self.points {
            let at = (number as usize).checked_sub(1).and_then(|at| addresses.get(at));
            return at.copied().unwrap_or(0).to_le_bytes().to_vec();
        }
        let mut bytes = self.bytes.clone();
        lay_out(&mut bytes, &self.fields, addresses);
        bytes
    }

    /// The integer or the bits of an element.
    fn element(&self, bytes: &[u8]) -> i64 {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let shift = 64 - 8 * bytes.len() as u32;
        (i64::from_le_bytes(wide) << shift) >> shift
    }

    /// As reports show it where it is a buffer: also one element is in a row.
    fn elements(&self) -> CValue {
        match self.value() {
            CValue::Int(_) if self.width == 1 => CValue::Bytes(self.bytes.clone()),
            CValue::Int(n) => CValue::Ints(vec![n]),
            other => other,
        }
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

/// Writes fields to their places.
fn lay_out(bytes: &mut [u8], fields: &[(u32, Drawn)], addresses: &[u32]) {
    for (offset, drawn) in fields {
        let own = drawn.placed(addresses);
        if let Some(to) = bytes.get_mut(*offset as usize..).and_then(|rest| rest.get_mut(..own.len())) {
            to.copy_from_slice(&own);
        }
    }
}

impl Object {
    /// The bytes in memory, if objects are at these addresses.
    pub(crate) fn placed(&self, addresses: &[u32]) -> Vec<u8> {
        let mut bytes = vec![0; self.size as usize];
        lay_out(&mut bytes, &self.fields, addresses);
        bytes
    }
}

/// Shows values: an object where it is first met, later by the way to it.
struct Shown<'c> {
    objects: &'c [Object],
    /// The way on which each object was met first.
    ways: Vec<Option<String>>,
}

impl Shown<'_> {
    /// A draw that is met on a way.
    fn drawn(&mut self, drawn: &Drawn, way: &str) -> CValue {
        if !drawn.fields.is_empty() {
            return CValue::Record(self.fields(&drawn.fields, &drawn.name, way));
        }
        match drawn.points {
            None => drawn.value(),
            Some(0) => CValue::Null,
            Some(number) => self.object(number as usize - 1, way),
        }
    }

    fn object(&mut self, at: usize, way: &str) -> CValue {
        let Some(object) = self.objects.get(at) else { return CValue::Null };
        if let Some(known) = &self.ways[at] {
            return CValue::Way(known.clone());
        }
        self.ways[at] = Some(way.to_string());
        // A text or a buffer is one value.
        if let [(0, only)] = &object.fields[..]
            && only.name == object.name
            && only.points.is_none()
        {
            return match object.count {
                0 if object.type_name == "char" => CValue::Bytes(Vec::new()),
                0 => CValue::Ints(Vec::new()),
                _ => only.elements(),
            };
        }
        let each = object.size / object.count.max(1);
        let mut all = Vec::new();
        for index in 0..object.count {
            let from = object.fields.partition_point(|(offset, _)| *offset < index * each);
            let to = object.fields.partition_point(|(offset, _)| *offset < (index + 1) * each);
            let fields = &object.fields[from..to];
            let element = format!("[{index}]");
            all.push(match fields {
                [(_, only)] if only.name.strip_prefix(&object.name) == Some(&element) => {
                    self.drawn(only, &format!("{way}{element}"))
                }
                _ => CValue::Record(self.fields(fields, &object.name, way)),
            });
        }
        match (all.len(), &all[..]) {
            (1, [CValue::Record(_)]) => all.remove(0),
            _ => CValue::List(all),
        }
    }

    /// Fields of the object `base` under the names that they have in their struct.
    fn fields(&mut self, fields: &[(u32, Drawn)], base: &str, way: &str) -> Vec<(String, CValue)> {
        let mut all = Vec::new();
        for (_, drawn) in fields {
            let rest = drawn.name.strip_prefix(base).unwrap_or(&drawn.name);
            let short = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                Some((_, rest)) => rest,
                None => rest,
            };
            let short = short.trim_start_matches("->").trim_start_matches('.').to_string();
            all.push((short, self.drawn(drawn, &format!("{way}{rest}"))));
        }
        all
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
    /// Objects that draws point to; the first has number 1.
    pub objects: Vec<Object>,
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
            objects: Vec::new(),
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
        let mut shown = Shown { objects: &self.objects, ways: vec![None; self.objects.len()] };
        let draws: Vec<_> =
            self.draws.iter().map(|drawn| (drawn.name.clone(), shown.drawn(drawn, &drawn.name))).collect();
        args.chain(env).chain(stdin).chain(files).chain(draws).collect()
    }

    /// A text that is the same for tests with the same inputs.
    pub fn identity(&self) -> String {
        let Case { args, env, stdin, files, draws, objects, .. } = self;
        format!("{args:?} {env:?} {stdin:?} {files:?} {draws:?} {objects:?}")
    }

    /// What it prints, in words.
    pub fn printed(&self) -> String {
        literal(&self.stdout)
    }
}
