//! Flags of `mutate`.

use clap::{Args, ValueEnum};
use evergreen_java::classfile::Operator;
use std::path::PathBuf;

/// Flags of `mutate`.
#[derive(Args)]
#[command(after_help = "\
Each mutant differs from its class in one instruction, and the JVM's verifier accepts it. DIR gets a folder \
for each mutant (001, 002, ...) with the class that differs, the folder `original` with all classes as they \
are, and mutants.jsonl, which says of each mutant what was changed and where.

Examples:
  evergreen-lab mutate subjects/trityp/v0 --list
  evergreen-lab mutate Tcas.java --out target/mutants --operators relation,arithmetic
  evergreen explore target/mutants/001 --class-path target/mutants/original --method Tcas.advise")]
pub(crate) struct Mutate {
    /// Sources, class files, jars, or folders of them
    #[arg(required = true, value_name = "TARGET")]
    pub targets: Vec<PathBuf>,
    /// Where other classes are found, as `java -cp` has it
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<String>,
    /// Only mutants of this method: [Class.]name
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Kinds of changes [default: all]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KIND")]
    pub operators: Vec<OperatorFlag>,
    /// The folder to make; it must not exist, or be empty
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    pub out: Option<PathBuf>,
    /// Print what would be changed, and write nothing
    #[arg(long, conflicts_with = "out")]
    pub list: bool,
    /// Print JSON: the lines of the manifest
    #[arg(long)]
    pub json: bool,
}

/// Kinds of changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OperatorFlag {
    /// Comparisons
    Relation,
    /// Sums, products, signs, counting up and down
    Arithmetic,
    /// Shifts and operations on bits
    Bits,
    /// Constants, one more and one less
    Constant,
}

impl From<OperatorFlag> for Operator {
    fn from(flag: OperatorFlag) -> Operator {
        match flag {
            OperatorFlag::Relation => Operator::Relation,
            OperatorFlag::Arithmetic => Operator::Arithmetic,
            OperatorFlag::Bits => Operator::Bits,
            OperatorFlag::Constant => Operator::Constant,
        }
    }
}

/// The kinds that flags name; all of them if they name none.
pub(crate) fn operators(flags: &[OperatorFlag]) -> Vec<Operator> {
    if flags.is_empty() { Operator::ALL.to_vec() } else { flags.iter().map(|flag| (*flag).into()).collect() }
}
