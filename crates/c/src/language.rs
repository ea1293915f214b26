//! C as a language of the service and of suites: entries, tests as lines of text, words of reports.

use crate::case::{Case, Drawn, Ending, Object, Target};
use crate::counts::Counts;
use crate::harness::Parameter;
use crate::inputs::Inputs;
use crate::value::CValue;
use crate::within::Within;
use evergreen_service::report::More;
use evergreen_service::{Beyond, Entry, EntryKey, Language, Totals};
use evergreen_suite::line::{self, Line};
use evergreen_suite::{Flaw, Format};
use evergreen_wasm::Arms;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct C;

/// A program that is explored from its beginning: of a function, through a harness that calls it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The program.
    pub unit: String,
    /// `main`, or the function that the harness calls.
    pub name: String,
    /// The parameters of the function; none of `main`.
    pub parameters: Vec<Parameter>,
    /// Whether the program draws inputs itself.
    pub draws: bool,
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.unit, self.name)
    }
}

impl Entry for Function {
    fn key(&self) -> EntryKey {
        (self.unit.clone(), self.name.clone(), String::new())
    }

    fn parameter_names(&self) -> Vec<&str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
    }
}

/// What a path of a C program has beyond its inputs: the branches that it took, and what it left on standard
/// error.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CPath {
    /// A digest of all branches, and how many.
    pub arms: Option<Arms>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Beyond for CPath {
    fn is_empty(&self) -> bool {
        self.arms.is_none()
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn weight(&self) -> usize {
        self.stderr.len()
    }
}

/// Words that begin the lines of a test.
const WORDS: [&str; 10] =
    ["arg", "env", "stdin", "file", "draw", "object", "field", "prints", "exits", "fails"];

fn bytes_written(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.iter().map(|b| u16::from(*b)).collect();
    line::quoted(&units, '"')
}

fn bytes_read(line: &mut Line<'_>) -> Result<Vec<u8>, Flaw> {
    let units = line.quoted('"')?;
    let byte = |unit: &u16| u8::try_from(*unit).map_err(|_| line.flaw("a character that is no byte"));
    units.iter().map(byte).collect()
}

fn text_written(text: &str) -> String {
    line::quoted(&text.encode_utf16().collect::<Vec<_>>(), '"')
}

/// A draw as its lines: one, and of a struct one for each field. `word` begins the first.
fn drawn_written(word: &str, drawn: &Drawn) -> Vec<String> {
    let fields =
        drawn.fields.iter().flat_map(|(offset, field)| drawn_written(&format!("field {offset}"), field));
    std::iter::once(drawn_line(word, drawn)).chain(fields).collect()
}

/// An object as its lines.
fn object_written(object: &Object) -> Vec<String> {
    let Object { name, type_name, number, room, size, count, fields } = object;
    let (name, type_name) = (text_written(name), text_written(type_name));
    let first = format!("object {name} {type_name} {number} {room} {size} {count}");
    let fields = fields.iter().flat_map(|(offset, field)| drawn_written(&format!("field {offset}"), field));
    std::iter::once(first).chain(fields).collect()
}

fn object_read(line: &mut Line<'_>) -> Result<Object, Flaw> {
    let text = |line: &mut Line<'_>| Ok(String::from_utf16_lossy(&line.quoted('"')?));
    let (name, type_name) = (text(line)?, text(line)?);
    let (number, room) = (line.integer("the number of an object")?, line.integer("a room in bytes")?);
    let (size, count) = (line.integer("a size in bytes")?, line.integer("a number of elements")?);
    let most: u32 = 1 << 24;
    if size > most || room > most {
        return Err(line.flaw("the object is too large"));
    }
    Ok(Object { name, type_name, number, room, size, count, fields: Vec::new() })
}

fn drawn_line(word: &str, drawn: &Drawn) -> String {
    let name = text_written(&drawn.name);
    if let Some(number) = drawn.points {
        return format!("{word} {name} points {number}");
    }
    let form =
        if drawn.float { format!("float{}", 8 * drawn.width) } else { format!("int{}", 8 * drawn.width) };
    format!("{word} {name} {form} {}", bytes_written(&drawn.bytes))
}

fn drawn_read(line: &mut Line<'_>) -> Result<Drawn, Flaw> {
    let name = String::from_utf16_lossy(&line.quoted('"')?);
    if line.takes_word("points") {
        let points = Some(line.integer("the number of an object")?);
        return Ok(Drawn { name, bytes: Vec::new(), width: 1, float: false, points, fields: Vec::new() });
    }
    let float = line.takes("float");
    if !float {
        line.need("int")?;
    }
    let width: u8 = line.integer("a width in bits")?;
    let bytes = bytes_read(line)?;
    match width {
        8 | 16 | 32 | 64 => {
            Ok(Drawn { name, bytes, width: width / 8, float, points: None, fields: Vec::new() })
        }
        _ => Err(line.flaw("the width is none of 8, 16, 32, 64")),
    }
}

impl Format for C {
    type Target = Target;
    type Case = Case;
    type Body = (Case, bool);
    type SourceOptions = ();

    const UNIT: &'static str = "program";
    const WORDS: &'static [&'static str] = &WORDS;

    fn unit(target: &Target) -> &str {
        &target.unit
    }

    fn name(target: &Target) -> &str {
        &target.name
    }

    fn shown(target: &Target) -> String {
        target.to_string()
    }

    fn read_heading(unit: &str, line: &mut Line<'_>) -> Result<Target, Flaw> {
        Ok(Target { unit: unit.to_string(), name: line.name("the name of a function")? })
    }

    fn target(case: &Case) -> &Arc<Target> {
        &case.target
    }

    fn inputs(case: &Case, _: &Target) -> Vec<String> {
        let args = case.args.iter().map(|arg| format!("arg {}", bytes_written(arg)));
        let named = |word: &'static str| {
            move |(name, bytes): &(String, Vec<u8>)| {
                let name = line::quoted(&name.encode_utf16().collect::<Vec<_>>(), '"');
                format!("{word} {name} {}", bytes_written(bytes))
            }
        };
        let env = case.env.iter().map(named("env"));
        let stdin = case.stdin.iter().map(|bytes| format!("stdin {}", bytes_written(bytes)));
        let files = case.files.iter().map(named("file"));
        let draws = case.draws.iter().flat_map(|drawn| drawn_written("draw", drawn));
        let objects = case.objects.iter().flat_map(object_written);
        args.chain(env).chain(stdin).chain(files).chain(draws).chain(objects).collect()
    }

    fn outcome(case: &Case) -> Vec<String> {
        let end = match &case.end {
            Ending::Exits(status) => format!("exits {status}"),
            Ending::Fails(kind, _) => format!("fails {}", bytes_written(kind.as_bytes())),
        };
        let prints = (!case.stdout.is_empty()).then(|| format!("prints {}", bytes_written(&case.stdout)));
        prints.into_iter().chain([end]).collect()
    }

    fn outcome_shown(case: &Case) -> String {
        case.end.to_string()
    }

    /// The message of a failure is not written.
    fn kept(mut case: Case) -> Case {
        if let Ending::Fails(_, message) = &mut case.end {
            message.clear();
        }
        case
    }

    fn body(section: &Arc<Target>) -> (Case, bool) {
        (Case::new(section.clone()), false)
    }

    fn read_line((case, ended): &mut (Case, bool), line: &mut Line<'_>) -> Result<(), Flaw> {
        let text = |line: &mut Line<'_>| Ok(String::from_utf16_lossy(&line.quoted('"')?));
        if line.takes_word("arg") {
            case.args.push(bytes_read(line)?);
        } else if line.takes_word("env") {
            case.env.push((text(line)?, bytes_read(line)?));
        } else if line.takes_word("stdin") {
            case.stdin = Some(bytes_read(line)?);
        } else if line.takes_word("file") {
            case.files.push((text(line)?, bytes_read(line)?));
        } else if line.takes_word("draw") {
            case.draws.push(drawn_read(line)?);
        } else if line.takes_word("object") {
            case.objects.push(object_read(line)?);
        } else if line.takes_word("field") {
            let (offset, drawn) = (line.integer("an offset")?, drawn_read(line)?);
            let fields = match (case.objects.last_mut(), case.draws.last_mut()) {
                (Some(object), _) => &mut object.fields,
                (None, Some(drawn)) => &mut drawn.fields,
                (None, None) => return Err(line.flaw("a field of nothing")),
            };
            fields.push((offset, drawn));
        } else if line.takes_word("prints") {
            case.stdout = bytes_read(line)?;
        } else if line.takes_word("exits") {
            case.end = Ending::Exits(line.integer("a status")?);
            *ended = true;
        } else if line.takes_word("fails") {
            case.end = Ending::Fails(text(line)?, String::new());
            *ended = true;
        } else {
            return Err(line.expected("arg, env, stdin, file, draw, object, field, prints, exits or fails"));
        }
        Ok(())
    }

    fn end((case, ended): (Case, bool)) -> Result<Case, String> {
        if ended { Ok(case) } else { Err("no outcome: exits or fails".into()) }
    }

    fn test_name(case: &Case) -> String {
        let end = match &case.end {
            Ending::Exits(status) => format!("exits_{status}").replace('-', "minus_"),
            Ending::Fails(kind, _) => kind.replace(|c: char| !c.is_ascii_alphanumeric(), "_"),
        };
        format!("{}_{end}", case.target.name)
    }
}

impl Language for C {
    type Entry = Function;
    type Inputs = Inputs;
    type Value = CValue;
    type Beyond = CPath;
    type Counts = Counts;
    type Within = Within;

    const REPLAYED: &'static str = "replayed on a WebAssembly engine";
    const PLATFORM: &'static str = "the WebAssembly engine";

    fn show(value: &CValue) -> String {
        value.show()
    }

    fn json(value: &CValue) -> Value {
        value.json()
    }

    fn case_of_json(
        function: &Function,
        target: &Arc<Target>,
        inputs: &serde_json::Map<String, Value>,
    ) -> Result<Case, String> {
        crate::given::case(function, target, inputs)
    }

    fn kind(class: &str) -> &'static str {
        match class {
            "assertion" => "assertion",
            "abort" => "abort",
            "memory leak" => "leak",
            "undefined behaviour" => "undefined",
            "heap buffer overflow"
            | "stack buffer overflow"
            | "global buffer overflow"
            | "use after free"
            | "use after scope"
            | "use after return"
            | "double free"
            | "invalid free"
            | "null dereference"
            | "wild memory access" => "memory",
            _ => "trap",
        }
    }

    fn about(class: &str) -> String {
        format!("a program ends with {class} for some input")
    }

    fn called_with(case: &Case) -> Vec<(String, CValue)> {
        case.inputs()
    }

    fn counted(totals: &Totals<C>) -> More {
        totals.machine.more()
    }

    fn size(value: &CValue) -> (usize, u128) {
        value.size()
    }
}
