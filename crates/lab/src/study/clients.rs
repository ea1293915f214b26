//! `evergreen-lab study clients`: real clients of solvers, bare and through the command in the solver's
//! place: cold, warm, and over the store of before when their input was edited.
//!
//! `tests/clients/run.sh` runs a client and prints its result without times, paths and values that a solver
//! may choose freely; what it prints must be the same in all runs of one input. Each program of a solver is
//! behind a script that measures it: the processor time is that of solvers, with the command where it stands
//! in for one, and without the client. The counts are the command's own statistics.

mod meter;

use self::meter::{Place, Ran};
use super::table::{Row, aligned, markdown};
use crate::flags::ClientsStudy;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// A client, and its edited input, by their names in `tests/clients/run.sh`.
struct Client {
    name: &'static str,
    edited: Option<&'static str>,
}

const CLIENTS: &[Client] = &[
    Client { name: "pysmt", edited: None },
    Client { name: "pysmt-suite", edited: None },
    Client { name: "yosys", edited: Some("yosys-more") },
    Client { name: "sby", edited: Some("sby-more") },
    Client { name: "boogie", edited: Some("boogie-more") },
    Client { name: "dafny", edited: Some("dafny-more") },
    Client { name: "cbmc", edited: Some("cbmc-more") },
    Client { name: "cbmc-incremental", edited: Some("cbmc-incremental-more") },
    Client { name: "cbmc-bitwuzla", edited: Some("cbmc-bitwuzla-more") },
    Client { name: "solc-bmc", edited: Some("solc-bmc-more") },
    Client { name: "solc-chc", edited: Some("solc-chc-more") },
    Client { name: "frama-c", edited: Some("frama-c-more") },
    Client { name: "why3", edited: Some("why3-more") },
    Client { name: "halmos", edited: Some("halmos-more") },
    Client { name: "crosshair", edited: Some("crosshair-more") },
];

/// The runs over an edited input.
#[derive(Debug)]
struct Edited {
    bare: Ran,
    after: Ran,
}

/// What the runs of a client came to.
#[derive(Debug)]
struct Outcome {
    name: &'static str,
    version: String,
    bare: Ran,
    cold: Ran,
    warm: Ran,
    edited: Option<Edited>,
}

impl Outcome {
    /// The runs whose result is not that of the bare solver.
    fn differing(&self) -> Vec<&'static str> {
        let mut differing = Vec::new();
        let mut compare = |name, own: &Ran, bare: &Ran| {
            if own.result != bare.result {
                differing.push(name);
            }
        };
        compare("cold", &self.cold, &self.bare);
        compare("warm", &self.warm, &self.bare);
        if let Some(edited) = &self.edited {
            compare("after the edit", &edited.after, &edited.bare);
        }
        differing
    }

    fn to_json(&self) -> Value {
        let run = |ran: &Ran| {
            json!({ "seconds": ran.seconds, "processes": ran.processes, "queries": ran.queries,
                    "solved": ran.solved, "starts": ran.starts })
        };
        json!({
            "client": self.name, "version": self.version, "differing": self.differing(),
            "bare": run(&self.bare), "cold": run(&self.cold), "warm": run(&self.warm),
            "edited_bare": self.edited.as_ref().map(|e| run(&e.bare)),
            "after": self.edited.as_ref().map(|e| run(&e.after)),
        })
    }
}

/// Runs and prints; exit code 1 where a result differs.
pub(super) fn run(flags: &ClientsStudy) -> Result<ExitCode, String> {
    let wanted = |client: &&Client| flags.names.is_empty() || flags.names.iter().any(|n| n == client.name);
    if let Some(unknown) = flags.names.iter().find(|name| !CLIENTS.iter().any(|c| c.name == **name)) {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        return Err(format!("no client is called \"{unknown}\"\nhelp: {}", names.join(", ")));
    }
    let product = crate::product::find(flags.product.clone())?;
    let mut outcomes = Vec::new();
    for client in CLIENTS.iter().filter(wanted) {
        outcomes.push(study(&flags.clients, &product, client)?);
    }
    if flags.json {
        outcomes.iter().for_each(|outcome| crate::say::say_json(&outcome.to_json()));
    } else {
        crate::say::say(aligned(&rows(&outcomes)).trim_end());
    }
    for outcome in &outcomes {
        for name in outcome.differing() {
            crate::say::warn(&format!("{}, {name}: another result than with the bare solver", outcome.name));
        }
    }
    if let Some(file) = &flags.page {
        super::file::write(file, page(&outcomes).as_bytes())?;
    }
    Ok(ExitCode::from(u8::from(outcomes.iter().any(|outcome| !outcome.differing().is_empty()))))
}

/// All runs of a client, with a store of its own.
fn study(clients: &Path, product: &Path, client: &'static Client) -> Result<Outcome, String> {
    let version = meter::version(clients, client.name)?;
    let place = Place::new(clients, product)?;
    let pass = |name: &str, what: &str, is_bare: bool| -> Result<Ran, String> {
        crate::say::note(&format!("{}, {what}", client.name));
        if is_bare { place.bare(name) } else { place.through(name) }
    };
    let bare = pass(client.name, "bare", true)?;
    let cold = pass(client.name, "cold", false)?;
    let warm = pass(client.name, "warm", false)?;
    let edited = match client.edited {
        None => None,
        Some(edited) => {
            Some(Edited { bare: pass(edited, "edited, bare", true)?, after: pass(edited, "edited", false)? })
        }
    };
    Ok(Outcome { name: client.name, version, bare, cold, warm, edited })
}

fn rows(outcomes: &[Outcome]) -> Vec<Row> {
    let head = [
        "client",
        "version",
        "checks",
        "result",
        "bare s",
        "cold s",
        "warm s",
        "edited bare s",
        "after s",
        "processes bare",
        "starts cold",
        "warm",
        "after",
        "solved cold",
        "warm",
        "after",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    for outcome in outcomes {
        let edited = outcome.edited.as_ref();
        let of_edit = |shown: &dyn Fn(&Edited) -> String| edited.map_or("–".to_string(), shown);
        let seconds = |ran: &Ran| format!("{:.2}", ran.seconds);
        let result = match outcome.differing()[..] {
            [] => "equal",
            _ => "DIFFERS",
        };
        rows.push(vec![
            outcome.name.into(),
            outcome.version.clone(),
            outcome.cold.queries.to_string(),
            result.into(),
            seconds(&outcome.bare),
            seconds(&outcome.cold),
            seconds(&outcome.warm),
            of_edit(&|e| seconds(&e.bare)),
            of_edit(&|e| seconds(&e.after)),
            outcome.bare.processes.to_string(),
            outcome.cold.starts.to_string(),
            outcome.warm.starts.to_string(),
            of_edit(&|e| e.after.starts.to_string()),
            outcome.cold.solved.to_string(),
            outcome.warm.solved.to_string(),
            of_edit(&|e| e.after.solved.to_string()),
        ]);
    }
    rows
}

const INTRODUCTION: &str = "\
# Clients

What do real clients of solvers get? `evergreen-lab study clients` runs each of them on a small input of
ours (`tests/clients`) with the bare solver, then with `evergreen` in its place: cold over an empty store,
warm, and once more when the input was edited. The client's result, without times and values that a solver
may choose, must be the same each time; the command ends with 1 if one is not. `scripts/setup.sh clients`
installs the clients, and [clients](../clients.md) says how each is pointed at the shim.

*Checks* are those of the cold run. Seconds are processor time of the solvers, with `evergreen` where it
stands in for them and without the client. *Edited bare* is the bare solver on the edited input. *Starts* are
solver processes that `evergreen` has started, *solved* are its calls of a solver: parts of a check may be
solved one by one, and a core is found by a process of its own. Counts are the same on each run unless a
client has a clock; times are those of one run.
";

const DEVELOPMENT: &str = "\
The times below are those of a development build, in which our own share is about twice that of a release.
";

fn page(outcomes: &[Outcome]) -> String {
    let development = if cfg!(debug_assertions) { DEVELOPMENT } else { "" };
    format!("{INTRODUCTION}{development}\n{}", markdown(&rows(outcomes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(result: &str) -> Ran {
        Ran { result: result.into(), ..Ran::default() }
    }

    #[test]
    fn every_run_is_compared_with_the_bare_one_of_its_input() {
        let outcome = |cold: &str, warm: &str, after: &str| Outcome {
            name: "client",
            version: String::new(),
            bare: ran("right"),
            cold: ran(cold),
            warm: ran(warm),
            edited: Some(Edited { bare: ran("more"), after: ran(after) }),
        };
        assert!(outcome("right", "right", "more").differing().is_empty());
        assert_eq!(outcome("wrong", "right", "more").differing(), ["cold"]);
        assert_eq!(outcome("right", "wrong", "right").differing(), ["warm", "after the edit"]);
        assert_eq!(rows(&[outcome("right", "wrong", "more")])[1][3], "DIFFERS");
    }
}
