//! The job as its workers read it: which program, and all flags that decide which paths there are. JSON, in
//! `docs/distributed.md`.
//!
//! What a worker runs and where it keeps things is its own affair: solver, stores and trust are never taken
//! from a job. So a process that can write to the queue can make workers spend time, and nothing else.

use crate::flags::{BoundFlags, Cli, Explore, HeapFlag, InputFlags, IntsFlag, Task};
use clap::{Parser, ValueEnum};
use evergreen_java::jvm::ClassInvariant;
use serde::{Deserialize, Serialize};

/// The form of specs, items and results.
pub const FORMAT: u32 = 2;

/// What a job is.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of Evergreen: another one may branch elsewhere.
    pub evergreen: String,
    /// The version of the JDK, whose classes are part of every path.
    pub jdk: String,
    /// The digest of the packed program.
    pub program: String,
    concrete: Vec<String>,
    range: Vec<String>,
    assume: Vec<String>,
    ints: String,
    input_length: u32,
    chars: (u16, u16),
    heap: Option<String>,
    scope: Vec<(String, u32)>,
    /// Class, text and origin of each invariant.
    invariants: Vec<(String, String, String)>,
    rep_ok: String,
    no_shortcuts: bool,
    depth: usize,
    loops: u32,
    steps: u64,
    timeout_ms: u64,
}

/// The version of this Evergreen.
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}

impl Spec {
    /// Of these flags.
    pub fn new(
        flags: &Explore,
        program: String,
        jdk: &str,
        invariants: &[ClassInvariant],
        timeout_ms: u64,
    ) -> Spec {
        let triple = |known: &ClassInvariant| (known.class.clone(), known.text.clone(), known.origin.clone());
        Spec {
            format: FORMAT,
            evergreen: version(),
            jdk: jdk.to_string(),
            program,
            concrete: flags.inputs.concrete.clone(),
            range: flags.inputs.range.clone(),
            assume: flags.inputs.assume.clone(),
            ints: name(&flags.ints),
            input_length: flags.inputs.input_length,
            chars: flags.inputs.chars,
            heap: flags.inputs.heap.as_ref().map(name),
            scope: flags.inputs.scope.clone(),
            invariants: invariants.iter().map(triple).collect(),
            rep_ok: flags.rep_ok.clone(),
            no_shortcuts: flags.no_shortcuts,
            depth: flags.inputs.bounds.depth,
            loops: flags.inputs.bounds.loops,
            steps: flags.inputs.bounds.steps,
            timeout_ms,
        }
    }

    /// As bytes.
    pub fn write(&self) -> Result<Vec<u8>, String> {
        serde_json::to_vec(self).map_err(|e| e.to_string())
    }

    /// Reads a spec; returns why this worker cannot take the job, if so.
    pub fn read(bytes: &[u8], jdk: &str) -> Result<Spec, String> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
            evergreen: String,
        }
        let head: Head = serde_json::from_slice(bytes).map_err(|e| format!("not understood: {e}"))?;
        if head.format != FORMAT {
            return Err(format!("its format is {}, this worker's {FORMAT}", head.format));
        }
        if head.evergreen != version() {
            return Err(format!("it is for Evergreen {}, this is {}", head.evergreen, version()));
        }
        let spec: Spec = serde_json::from_slice(bytes).map_err(|e| format!("not understood: {e}"))?;
        if spec.jdk != jdk {
            return Err(format!("it is for JDK {}, the one here is {jdk}", spec.jdk));
        }
        Ok(spec)
    }

    /// The invariants that the submitter has found.
    pub fn invariants(&self) -> Vec<ClassInvariant> {
        let known = |(class, text, origin): &(String, String, String)| ClassInvariant {
            class: class.clone(),
            text: text.clone(),
            origin: origin.clone(),
        };
        self.invariants.iter().map(known).collect()
    }

    /// The flags that a worker explores with: those of the job, and defaults for all that a job does not say.
    pub fn flags(&self) -> Result<Explore, String> {
        let defaults = Cli::try_parse_from(["evergreen", "explore", "."]).map_err(|e| e.to_string())?;
        let Task::Explore(defaults) = defaults.task else { return Err("no flags".into()) };
        let bounds = BoundFlags {
            depth: self.depth,
            loops: self.loops,
            steps: self.steps,
            // The submitter counts paths and time.
            paths: 0,
            time: std::time::Duration::ZERO,
            memory: defaults.inputs.bounds.memory,
        };
        let inputs = InputFlags {
            concrete: self.concrete.clone(),
            range: self.range.clone(),
            assume: self.assume.clone(),
            bounds,
            input_length: self.input_length,
            chars: self.chars,
            heap: self.heap.as_ref().map(|heap| value::<HeapFlag>("heap", heap)).transpose()?,
            scope: self.scope.clone(),
            invariant: Vec::new(),
        };
        Ok(Explore {
            inputs,
            ints: value::<IntsFlag>("ints", &self.ints)?,
            rep_ok: self.rep_ok.clone(),
            no_shortcuts: self.no_shortcuts,
            timeout_ms: Some(self.timeout_ms),
            no_replay: true,
            no_calls: true,
            ..*defaults
        })
    }
}

fn name<T: ValueEnum>(of: &T) -> String {
    of.to_possible_value().map(|possible| possible.get_name().to_string()).unwrap_or_default()
}

fn value<T: ValueEnum>(what: &str, text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| format!("not understood: {what} '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(arguments: &[&str]) -> Spec {
        let all = ["evergreen", "explore", "X.java"].iter().chain(arguments);
        let Task::Explore(flags) = Cli::try_parse_from(all).unwrap().task else { unreachable!() };
        Spec::new(&flags, "ab".into(), "17.0.1", &[], 5)
    }

    #[test]
    fn a_worker_explores_with_the_flags_of_the_job() {
        let arguments = [
            "--range",
            "n=0..6",
            "--assume",
            "a < b",
            "--concrete",
            "x=3",
            "--ints",
            "math",
            "--input-length",
            "5",
            "--chars",
            "32..126",
            "--heap",
            "bliss",
            "--scope",
            "4",
            "--scope",
            "Node=6",
            "--rep-ok",
            "valid",
            "--no-shortcuts",
            "--depth",
            "7",
            "--loops",
            "8",
            "--steps",
            "9",
        ];
        let sent = spec(&arguments);
        let read = Spec::read(&sent.write().unwrap(), "17.0.1").unwrap();
        assert_eq!(read, sent);
        let flags = read.flags().unwrap();
        // What is made of the worker's flags is what was made of the submitter's.
        assert_eq!(Spec::new(&flags, "ab".into(), "17.0.1", &[], 5), sent);
        assert_eq!(
            (flags.inputs.range, flags.inputs.scope[1].clone()),
            (vec!["n=0..6".to_string()], ("Node".to_string(), 6))
        );
    }

    #[test]
    fn a_job_says_nothing_of_solvers_and_stores() {
        let sent = spec(&[
            "--solver",
            "rm -rf /",
            "--store",
            "redis://elsewhere",
            "--out",
            "nowhere",
            "--trust",
            "all",
        ]);
        let text = String::from_utf8(sent.write().unwrap()).unwrap();
        for word in ["rm -rf", "elsewhere", "trust", "nowhere"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        let added = text.replacen('{', r#"{"solver":"rm -rf /","#, 1);
        assert!(Spec::read(added.as_bytes(), "17.0.1").unwrap_err().contains("solver"));
    }

    #[test]
    fn other_versions_are_left_to_others() {
        let sent = spec(&[]);
        let why = Spec::read(&sent.write().unwrap(), "21").unwrap_err();
        assert_eq!(why, "it is for JDK 17.0.1, the one here is 21");
        let other = Spec { evergreen: "9.9.9".into(), ..sent.clone() };
        let why = Spec::read(&other.write().unwrap(), "17.0.1").unwrap_err();
        assert_eq!(why, format!("it is for Evergreen 9.9.9, this is {}", version()));
        let newer = Spec { format: 9, ..sent };
        assert_eq!(
            Spec::read(&newer.write().unwrap(), "17.0.1").unwrap_err(),
            "its format is 9, this worker's 2"
        );
    }
}
