//! The job as its workers read it: which program, and how it is explored ([`Exploring`]). JSON, in
//! `docs/distributed.md`.
//!
//! Solver, stores and trust are the worker's own and never taken from a job: write access to the queue can
//! make workers spend time, and nothing else.

use crate::explore::programs::Known;
use crate::flags::Exploring;
use crate::language::Written;
use serde::{Deserialize, Serialize};

/// The form of specs, items and results.
pub(crate) const FORMAT: u32 = 4;
/// The first form that is still read: it has no language, and `platform` is called `jdk`.
const OLDEST: u32 = 3;

/// What a job is.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spec {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of Evergreen: another one may branch elsewhere.
    pub evergreen: String,
    /// The language of the program.
    #[serde(default)]
    pub language: Written,
    /// What every path depends on beside the program, and workers have themselves: of Java the version of the
    /// JDK, whose classes are part of every path; of C nothing.
    #[serde(alias = "jdk")]
    pub platform: String,
    /// The digest of the packed program.
    pub program: String,
    /// How the program is explored.
    pub exploring: Exploring,
    /// Class, text and origin of each invariant.
    pub invariants: Known,
    /// Milliseconds for one answer of a solver; 0 is no limit.
    pub timeout_ms: u64,
}

/// The version of this Evergreen.
pub(crate) fn version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}

impl Spec {
    /// As bytes.
    pub(crate) fn write(&self) -> Result<Vec<u8>, String> {
        serde_json::to_vec(self).map_err(|e| e.to_string())
    }

    /// Reads a spec; returns why this worker cannot take the job, if so.
    pub(crate) fn read(bytes: &[u8]) -> Result<Spec, String> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
            evergreen: String,
        }
        let head: Head = serde_json::from_slice(bytes).map_err(|e| format!("not understood: {e}"))?;
        if !(OLDEST..=FORMAT).contains(&head.format) {
            return Err(format!("its format is {}, this worker's {FORMAT}", head.format));
        }
        if head.evergreen != version() {
            return Err(format!("it is for Evergreen {}, this is {}", head.evergreen, version()));
        }
        serde_json::from_slice(bytes).map_err(|e| format!("not understood: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::exploring::tests::{ALL, given};
    use crate::flags::{BoundFlags, CFlags, Cli, Explore, MergeFlag, OrderFlag, Task};
    use clap::Parser;

    fn flags(arguments: &[&str]) -> Explore {
        let all = ["evergreen", "explore", "X.java"].iter().chain(arguments);
        let Task::Explore(flags) = Cli::try_parse_from(all).unwrap().task else { unreachable!() };
        *flags
    }

    fn spec(arguments: &[&str]) -> Spec {
        Spec {
            format: FORMAT,
            evergreen: version(),
            language: Written::Java,
            platform: "17.0.1".into(),
            program: "ab".into(),
            exploring: flags(arguments).exploring,
            invariants: Known::new(),
            timeout_ms: 5,
        }
    }

    #[test]
    fn every_setting_reaches_the_worker_or_is_its_own() {
        let all: Vec<&str> = ALL.split_whitespace().collect();
        let sent = spec(&all);
        assert!(given(&sent.exploring).iter().all(|(_, is_given)| *is_given), "{:?}", given(&sent.exploring));
        let mut received = Spec::read(&sent.write().unwrap()).unwrap().exploring;
        // The submitter counts paths and time, orders parts, finds invariants and replays tests; memory is
        // the worker's.
        let own = received.clone();
        assert_eq!((own.inputs.bounds.paths, own.inputs.bounds.time.as_secs(), own.no_replay), (0, 0, true));
        assert_eq!((own.order, own.merge, own.inputs.invariant.len()), (OrderFlag::Dfs, MergeFlag::Off, 0));
        assert_eq!(own.inputs.bounds.memory, Exploring::default().inputs.bounds.memory);
        // Without these, what arrives is what was sent.
        let Exploring { inputs, order, seed, merge, replay, no_replay, .. } = sent.exploring.clone();
        (received.order, received.seed, received.merge) = (order, seed, merge);
        (received.replay, received.no_replay) = (replay, no_replay);
        received.inputs.invariant = inputs.invariant;
        // A job carries the module that was compiled.
        let CFlags { cc, cc_arg, include, .. } = inputs.c;
        received.inputs.c = CFlags { cc, cc_arg, include, ..received.inputs.c };
        let BoundFlags { paths, time, memory, .. } = inputs.bounds;
        received.inputs.bounds = BoundFlags { paths, time, memory, ..received.inputs.bounds };
        assert_eq!(received, sent.exploring);
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
        assert!(Spec::read(added.as_bytes()).unwrap_err().contains("solver"));
    }

    #[test]
    fn jobs_of_the_format_before_are_javas() {
        let sent = spec(&["--range", "n=0..6"]);
        let mut old: serde_json::Value = serde_json::from_slice(&sent.write().unwrap()).unwrap();
        old["format"] = 3.into();
        old["jdk"] = old["platform"].take();
        let fields = old.as_object_mut().unwrap();
        assert_eq!(fields.remove("language"), Some("java".into()));
        assert!(fields.remove("platform").is_some());
        assert!(old["exploring"]["inputs"].as_object_mut().unwrap().remove("c").is_some());
        let read = Spec::read(old.to_string().as_bytes()).unwrap();
        assert_eq!(read.language, Written::Java);
        assert_eq!(
            (read.platform, read.exploring.inputs.range),
            (sent.platform, sent.exploring.inputs.range)
        );
    }

    #[test]
    fn other_versions_are_left_to_others() {
        let sent = spec(&[]);
        let other = Spec { evergreen: "9.9.9".into(), ..sent.clone() };
        let why = Spec::read(&other.write().unwrap()).unwrap_err();
        assert_eq!(why, format!("it is for Evergreen 9.9.9, this is {}", version()));
        let newer = Spec { format: 9, ..sent };
        assert_eq!(Spec::read(&newer.write().unwrap()).unwrap_err(), "its format is 9, this worker's 4");
    }
}
