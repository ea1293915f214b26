//! Flags of all that explores: which inputs, and how far.

use super::choice::{by_name, one_of};
use super::{CFlags, bytes, time};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Inputs, and limits.
#[derive(Args, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct InputFlags {
    /// Give an input one value; several times for several: n=5, text="ab"
    #[arg(long, value_name = "NAME=VALUE")]
    pub concrete: Vec<String>,
    /// Keep an input within a range, both ends included
    #[arg(long, value_name = "NAME=LOW..HIGH")]
    pub range: Vec<String>,
    /// Explore only inputs for which this holds: x < 2 * y, n <= len(a)
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub assume: Vec<String>,
    #[command(flatten)]
    pub bounds: BoundFlags,
    /// Reference parameters of Java methods are never null
    #[arg(long)]
    #[serde(default)]
    pub non_null: bool,
    /// Call main(String[]) as a program is called: with the arguments of --arg, without any if none is given
    #[arg(long)]
    #[serde(default)]
    pub main: bool,
    /// Call main(String[]) with any arguments: up to --input-length of them, of that length, none of them
    /// null
    #[arg(long)]
    #[serde(default)]
    pub sym_main: bool,
    /// The longest array that a Java program makes with a symbolic length; longer ones cut the path
    #[arg(long, value_name = "N", default_value_t = 64)]
    #[serde(default = "array_length")]
    pub array_length: u32,
    /// The longest array, string or buffer that is made for a parameter
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub input_length: u32,
    /// How deep the calls that make objects of a Java program are nested: new A(new B(3)) is 2; 0 makes none
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[serde(default = "nesting")]
    pub nesting: u32,
    /// The most answers of a function that is an input of a Java method, for different arguments
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[serde(default = "answers")]
    pub answers: u32,
    /// The characters of strings as inputs, both ends included: 32..126 or a..z
    #[arg(long, value_name = "LOW..HIGH", default_value = "0..65535", value_parser = chars)]
    pub chars: (u16, u16),
    /// Make objects as inputs lazily, field by field; without this constructors and factories make them
    #[arg(long, value_name = "TECHNIQUE", value_parser = one_of::<HeapFlag>())]
    pub heap: Option<HeapFlag>,
    /// The most objects of a class or a struct of C among the inputs: N for each, or Name=N [default: 3]
    #[arg(long, value_name = "N", value_parser = scope)]
    pub scope: Vec<(String, u32)>,
    /// A file with the invariant of a class [default: Class.inv beside its source, or @Invariant]
    #[arg(long, value_name = "FILE")]
    // A job carries the texts that the submitter has found.
    #[serde(skip)]
    pub invariant: Vec<PathBuf>,
    #[command(flatten)]
    #[serde(default)]
    pub c: CFlags,
}

/// Limits on exploration.
#[derive(Args, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoundFlags {
    /// Branches on one path; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub depth: usize,
    /// Times that one place may branch on one path; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub loops: u32,
    /// Finished paths of one method; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    // The submitter counts paths and time.
    #[serde(skip)]
    pub paths: u64,
    /// Instructions on one path; 0 is no limit. Sixteen of initializers of Java classes count as one
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub steps: u64,
    /// Time for one method: 500ms, 30s, 5m; 0 is no limit
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    #[serde(skip)]
    pub time: Duration,
    /// Memory of the process: 500M, 4G; 0 is no limit
    #[arg(long, value_name = "BYTES", default_value = "4G", value_parser = bytes)]
    // A worker's memory is its own.
    #[serde(skip, default = "memory")]
    pub memory: u64,
}

/// The nesting of a job that names none.
fn nesting() -> u32 {
    super::Exploring::default().inputs.nesting
}

/// The answers of a job that names none.
fn answers() -> u32 {
    super::Exploring::default().inputs.answers
}

/// The memory that an exploration may use unless a flag names another amount.
fn memory() -> u64 {
    super::Exploring::default().inputs.bounds.memory
}

/// Jobs of an older submitter have no such field.
fn array_length() -> u32 {
    super::Exploring::default().inputs.array_length
}

by_name!(HeapFlag);

/// How objects as inputs are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HeapFlag {
    /// Lazy initialization: null, an existing object, or a new one, unless the invariant excludes it. Without
    /// an invariant the class's own repOK runs, up to the first field that was not read yet
    Li,
    /// With field bounds; this and the next ones need an invariant
    Bli,
    /// With field bounds that are refined along the breadth-first order
    Rbli,
    /// A SAT solver decides whether the fields that were read can be completed to a valid structure
    Bliss,
    /// The same, with verdicts kept
    Blissdb,
    /// Without an invariant: repOK tries every value of what was not read yet
    Search,
}

/// Characters between two, both included: `32..126`, `0x20..0x7e`, `a..z`.
pub(crate) fn chars(text: &str) -> Result<(u16, u16), String> {
    let wrong = || format!("\"{text}\" is no range of characters; write 32..126 or a..z");
    let unit = |part: &str| {
        let mut units = part.encode_utf16();
        match (units.next(), units.next()) {
            // A digit alone is a number too, and then that is what it is.
            (Some(unit), None) if !part.starts_with(|c: char| c.is_ascii_digit()) => Some(unit),
            _ => match part.strip_prefix("0x") {
                Some(hex) => u16::from_str_radix(hex, 16).ok(),
                None => part.parse().ok(),
            },
        }
    };
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let (Some(low), Some(high)) = (unit(low), unit(high)) else { return Err(wrong()) };
    if low > high {
        return Err(format!("\"{text}\": the range is empty"));
    }
    Ok((low, high))
}

/// A scope: for one class, or for each (no name).
pub(crate) fn scope(text: &str) -> Result<(String, u32), String> {
    let (class, number) = text.split_once('=').unwrap_or(("", text));
    match number.trim().parse() {
        Ok(number) => Ok((class.trim().into(), number)),
        Err(_) => Err(format!("\"{text}\" is no scope; write 5 or Node=5")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_numbers_or_themselves() {
        assert_eq!(chars("32..126"), Ok((32, 126)));
        assert_eq!(chars("0x20..0xFFFF"), Ok((32, u16::MAX)));
        assert_eq!(chars("a..\u{20ac}"), Ok((97, 0x20ac)));
        assert_eq!(chars("0..9"), Ok((0, 9)));
        for wrong in ["", "3", "..", "1..", "z..a", "0..65536", "-1..5", "ab..c", "0x..1"] {
            assert!(chars(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn scopes_are_for_a_class_or_for_each() {
        assert_eq!(scope("5"), Ok((String::new(), 5)));
        assert_eq!(scope("List$Node=7"), Ok(("List$Node".into(), 7)));
        assert!(scope("Node=").is_err() && scope("-1").is_err());
    }
}
