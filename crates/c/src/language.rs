//! C as a language of the service and of suites: entries, tests as lines of text, words of reports.

use crate::case::{Case, Drawn, Ending, Target};
use crate::counts::Counts;
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
    pub parameters: Vec<String>,
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
        self.parameters.iter().map(String::as_str).collect()
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
const WORDS: [&str; 8] = ["arg", "env", "stdin", "file", "draw", "prints", "exits", "fails"];

fn bytes_written(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.iter().map(|b| u16::from(*b)).collect();
    line::quoted(&units, '"')
}

fn bytes_read(line: &mut Line<'_>) -> Result<Vec<u8>, Flaw> {
    let units = line.quoted('"')?;
    let byte = |unit: &u16| u8::try_from(*unit).map_err(|_| line.flaw("a character that is no byte"));
    units.iter().map(byte).collect()
}

fn drawn_written(drawn: &Drawn) -> String {
    let name = line::quoted(&drawn.name.encode_utf16().collect::<Vec<_>>(), '"');
    let form =
        if drawn.float { format!("float{}", 8 * drawn.width) } else { format!("int{}", 8 * drawn.width) };
    format!("draw {name} {form} {}", bytes_written(&drawn.bytes))
}

fn drawn_read(line: &mut Line<'_>) -> Result<Drawn, Flaw> {
    let name = String::from_utf16_lossy(&line.quoted('"')?);
    let float = line.takes("float");
    if !float {
        line.need("int")?;
    }
    let width: u8 = line.integer("a width in bits")?;
    let bytes = bytes_read(line)?;
    match width {
        8 | 16 | 32 | 64 => Ok(Drawn { name, bytes, width: width / 8, float }),
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
        let draws = case.draws.iter().map(drawn_written);
        args.chain(env).chain(stdin).chain(files).chain(draws).collect()
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
        } else if line.takes_word("prints") {
            case.stdout = bytes_read(line)?;
        } else if line.takes_word("exits") {
            case.end = Ending::Exits(line.integer("a status")?);
            *ended = true;
        } else if line.takes_word("fails") {
            case.end = Ending::Fails(text(line)?, String::new());
            *ended = true;
        } else {
            return Err(line.expected("arg, env, stdin, file, draw, prints, exits or fails"));
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
