//! The corpus: SMT-LIB scripts that every solver, store and configuration has to answer alike.
//!
//! Two sources. The folder `corpus/` of the repository holds small scripts written by hand, one idea each,
//! named by what they test. [`generated`] makes as many more as a test wants, from a seed. Each script says
//! which solvers can run it (some speak of sorts or commands that one solver does not know), and those on
//! disk say which verdicts they have:
//!
//! ```text
//! ; solvers: z3 cvc5
//! ; expect: sat unsat
//! ; what it is about
//! ```

use std::fs;
use std::path::Path;

use crate::random::Random;

mod arithmetic;
mod formula;
mod sessions;
mod theories;

/// One script and the solvers that can run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Folder and file name without ending, as in `lia/two-bounds-sat`, or `generated/0007-bv`.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Which of `z3` and `cvc5` run it without an error (those of `errors/`: with the stated verdicts).
    pub solvers: &'static [&'static str],
}

impl Script {
    /// The verdicts in order, if the script states them in its head.
    pub fn expected(&self) -> Option<Vec<&str>> {
        Some(head(&self.text, "expect")?.split_whitespace().collect())
    }

    /// May the script make a solver report an error?
    pub fn has_errors(&self) -> bool {
        self.name.starts_with("errors/")
    }
}

/// Runs on both reference solvers.
const BOTH: &[&str] = &["z3", "cvc5"];
/// Needs z3.
const Z3: &[&str] = &["z3"];
/// Needs cvc5.
const CVC5: &[&str] = &["cvc5"];

/// Every script below `root` (usually the repository's `corpus/`), in the order of their names.
///
/// # Panics
/// If `root` cannot be read or a script names an unknown solver: a corpus that
/// shrinks silently tests nothing.
pub fn on_disk(root: &Path) -> Vec<Script> {
    let mut scripts = Vec::new();
    collect(root, root, &mut scripts);
    scripts.sort_by(|a, b| a.name.cmp(&b.name));
    scripts
}

fn collect(root: &Path, folder: &Path, scripts: &mut Vec<Script>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        if path.is_dir() {
            collect(root, &path, scripts);
        } else if path.extension().is_some_and(|ending| ending == "smt2") {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let inside = path.strip_prefix(root).unwrap_or(&path).with_extension("");
            let name = inside.to_string_lossy().replace('\\', "/");
            let solvers = solvers(&text).unwrap_or_else(|| panic!("{name}: no valid '; solvers:' line"));
            scripts.push(Script { name, text, solvers });
        }
    }
}

fn solvers(text: &str) -> Option<&'static [&'static str]> {
    match head(text, "solvers")?.split_whitespace().collect::<Vec<_>>()[..] {
        ["z3", "cvc5"] => Some(BOTH),
        ["z3"] => Some(Z3),
        ["cvc5"] => Some(CVC5),
        _ => None,
    }
}

/// The rest of the line `; KEY: …` in the comment that opens a script.
fn head<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .map_while(|line| line.strip_prefix("; "))
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
        .map(str::trim)
}

/// A generator: its name, the solvers that run its scripts, and the function that makes one.
struct Family {
    name: &'static str,
    solvers: &'static [&'static str],
    make: fn(&mut Random) -> String,
}

const fn family(
    name: &'static str,
    solvers: &'static [&'static str],
    make: fn(&mut Random) -> String,
) -> Family {
    Family { name, solvers, make }
}

const FAMILIES: &[Family] = &[
    family("lia", BOTH, arithmetic::lia),
    family("bv", BOTH, theories::bv),
    family("pushpop", BOTH, sessions::push_pop),
    family("abv", BOTH, theories::abv),
    family("cores", BOTH, sessions::cores),
    family("lra", BOTH, arithmetic::lra),
    family("assumptions", BOTH, sessions::assumptions),
    family("uf", BOTH, theories::uf),
    family("models", BOTH, sessions::models),
    family("uflia", BOTH, theories::uflia),
    family("paths", BOTH, sessions::paths),
    family("datatypes", BOTH, theories::datatypes),
    family("macros", BOTH, sessions::macros),
    family("nia", BOTH, arithmetic::nia),
    family("lets", BOTH, theories::lets),
    family("strings", BOTH, theories::strings),
    family("fp", BOTH, theories::fp),
    family("quantifiers", BOTH, theories::quantifiers),
    family("values", BOTH, sessions::values),
    family("named", BOTH, sessions::named),
];

/// The first `count` scripts of `seed`, the families in turn. The same seed gives the same texts everywhere,
/// and a larger count only adds to them.
pub fn generated(seed: u64, count: usize) -> Vec<Script> {
    (0..count)
        .map(|index| {
            let family = &FAMILIES[index % FAMILIES.len()];
            let mut random = Random::for_index(seed, index as u64);
            Script {
                name: format!("generated/{index:04}-{}", family.name),
                text: (family.make)(&mut random),
                solvers: family.solvers,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_head_is_read() {
        let script = Script {
            name: "x".to_string(),
            text: "; solvers: z3 cvc5\n; expect: sat unsat\n(check-sat)\n; expect: nothing".to_string(),
            solvers: BOTH,
        };
        assert_eq!(solvers(&script.text), Some(BOTH));
        assert_eq!(script.expected(), Some(vec!["sat", "unsat"]));
        assert_eq!(solvers("; solvers: yices\n"), None);
        assert_eq!(head("(check-sat)\n; expect: sat", "expect"), None);
    }

    #[test]
    fn the_generator_is_deterministic_and_varied() {
        let scripts = generated(1, 200);
        assert_eq!(scripts[..50], generated(1, 50)[..]);
        assert_ne!(scripts[0].text, generated(2, 1)[0].text);
        let texts: HashSet<&str> = scripts.iter().map(|script| script.text.as_str()).collect();
        assert_eq!(texts.len(), 200, "some generated scripts are equal");
        assert!(scripts.iter().all(|script| script.text.len() < 4096));
    }

    #[test]
    fn the_folder_has_every_group() {
        let scripts = on_disk(&crate::tools::repository().join("corpus"));
        assert!(scripts.len() >= 150, "only {} scripts", scripts.len());
        let groups: HashSet<&str> =
            scripts.iter().filter_map(|script| script.name.split('/').next()).collect();
        for group in
            "lia lra nia bv abv uf uflia datatypes strings fp quantifiers pushpop assumptions cores models \
                      values options macros lets named errors"
                .split_whitespace()
        {
            assert!(groups.contains(group), "no script in corpus/{group}");
        }
        assert!(scripts.iter().all(|script| script.expected().is_some() && script.text.len() < 4096));
    }
}
