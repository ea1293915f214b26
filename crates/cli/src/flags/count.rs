//! Flags of `count`.

use super::{Rungs, Stores};
use clap::Args;
use evergreen::{Domain, Int};
use std::path::PathBuf;

/// Flags of `count`.
#[derive(Args)]
#[command(after_help = "\
Counts the values of all declared variables of sort Int or Bool under the assertions of the last \
(check-sat). Assertions are linear integer arithmetic with any Boolean structure; bounds among them count as \
domains do. The last line is the exact number; `unbounded` if there are infinitely many; `unknown` with exit \
code 3 if --steps did not suffice, or LO..HI (both included) with --bounds. Counting needs no solver, so \
--mode require-hit never fails.

Examples:
  evergreen count query.smt2 --domain x:0..999 --domain y:0..9
  evergreen count query.smt2 --domain '*:i32'            each variable of sort Int has 32 bits
  evergreen count query.smt2 --log2                      the number of bits instead
  evergreen count query.smt2 --steps 10000 --bounds      a number or LO..HI
  evergreen count --store redis://cache.example.org --trust all query.smt2

Exit codes: 0 counted, 2 could not run, 3 no exact number was found (with --bounds: nor bounds).")]
pub(crate) struct Count {
    /// The script; standard input when absent or `-`
    pub file: Option<PathBuf>,
    /// Keep a variable within a range, both ends included; NAME:i32, u8 and so on for words; `*` for all
    /// variables. Given twice for one variable, both hold
    #[arg(long, value_name = "NAME:LO..HI", value_parser = domain)]
    pub domain: Vec<(String, Domain)>,
    /// Print the logarithm to base 2
    #[arg(long)]
    pub log2: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// The most steps of work; a step takes about a microsecond
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub steps: u64,
    /// Accept bounds, LO..HI, in place of a number
    #[arg(long)]
    pub bounds: bool,
    #[command(flatten)]
    pub stores: Stores,
    /// Which rungs of the reuse ladder are used: for counts there are none and exact
    #[arg(long, value_name = "LEVEL", value_parser = super::choice::one_of::<Rungs>())]
    pub reuse: Option<Rungs>,
    /// Append one JSON object about the run to a file; `-` is standard error
    #[arg(long, value_name = "FILE")]
    pub stats: Option<String>,
    /// Print a summary of the run to standard error
    #[arg(long)]
    pub summary: bool,
}

/// `x:0..999`, `x:..5`, `x:7`, `x:i32`.
fn domain(text: &str) -> Result<(String, Domain), String> {
    let Some((name, range)) = text.rsplit_once(':') else {
        return Err(format!("\"{text}\" is not NAME:LO..HI"));
    };
    let name = name.strip_prefix('|').and_then(|n| n.strip_suffix('|')).unwrap_or(name);
    if name.is_empty() {
        return Err(format!("\"{text}\" names no variable"));
    }
    let end = |text: &str| match text.trim() {
        "" => Ok(None),
        text => Int::parse(text).map(Some).ok_or_else(|| format!("\"{text}\" is no integer")),
    };
    let domain = match (word(range), range.split_once("..")) {
        (Some(domain), _) => domain,
        (_, Some((lo, hi))) => Domain { lo: end(lo)?, hi: end(hi)? },
        _ => match end(range)? {
            None => return Err(format!("\"{text}\" is not NAME:LO..HI")),
            only => Domain { lo: only.clone(), hi: only },
        },
    };
    Ok((name.to_string(), domain))
}

/// `i8` to `i64`, `u8` to `u64`.
fn word(text: &str) -> Option<Domain> {
    let bits: u32 = text.get(1..)?.parse().ok().filter(|bits| (1..=1024).contains(bits))?;
    match text.as_bytes()[0] {
        b'i' => Some(Domain::signed(bits)),
        b'u' => Some(Domain::unsigned(bits)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains() {
        let shown = |text: &str| {
            domain(text).map(|(name, d)| {
                let end = |e: Option<Int>| e.map_or(String::new(), |e| e.to_string());
                format!("{name} {}..{}", end(d.lo), end(d.hi))
            })
        };
        assert_eq!(shown("x:0..999").as_deref(), Ok("x 0..999"));
        assert_eq!(shown("x:-5..-1").as_deref(), Ok("x -5..-1"));
        assert_eq!(shown("a:b:..7").as_deref(), Ok("a:b ..7"));
        assert_eq!(shown("|a b|:7").as_deref(), Ok("a b 7..7"));
        assert_eq!(shown("x:i8").as_deref(), Ok("x -128..127"));
        assert_eq!(shown("*:u16").as_deref(), Ok("* 0..65535"));
        for wrong in ["x", "x:", ":1..2", "x:1..b", "x:1.5", "x:i0", "x:0...9"] {
            assert!(domain(wrong).is_err(), "{wrong}");
        }
    }
}
