//! Replays test cases on the real JVM and reports divergences.

use crate::divergence;
use crate::javac;
use crate::process::{self, Setting};
use crate::wire::Sequence;
use crate::{Ending, Hits, Probes, ReplayError, TestCase};
use evergreen_classfile::Jdk;
use std::path::PathBuf;
use std::time::Duration;

/// How test cases are replayed. The default locale is `en_US`, the default charset UTF-8 and the time
/// zone UTC, wherever that is.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// How long a single case may take.
    pub case_limit: Duration,
    /// Whether `assert` statements of the class path are checked, as with `java -ea`.
    pub assertions: bool,
    /// Most memory of the JVM.
    pub heap_mb: u32,
    /// Where the compiled runner is kept; `None` is the user's cache folder.
    pub cache: Option<PathBuf>,
}

impl Default for ReplayOptions {
    fn default() -> ReplayOptions {
        ReplayOptions { case_limit: Duration::from_secs(5), assertions: true, heap_mb: 512, cache: None }
    }
}

/// The ending of a case on the JVM.
#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    /// It ran to its end.
    Ended(Ending),
    /// It took longer than it may.
    TimedOut,
    /// It ended the JVM without a status, by a crash; the text is the JVM's last output.
    Died(String),
    /// It could not be called: there is no such method, or an argument cannot be made.
    Refused(String),
}

/// The result of one case.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The ending.
    pub observed: Observed,
    /// The output on `System.out`.
    pub output: String,
    /// The arms that were taken, in order, if there are probes; only the first of them if `cut`.
    pub arms: Vec<u32>,
    /// Whether it took more arms than are kept (some four million).
    pub cut: bool,
    /// How that differs from what the case expects; `None` if it does not.
    pub divergence: Option<String>,
}

/// The results of all cases.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// In the order of the cases.
    pub cases: Vec<CaseResult>,
    /// The probes that were hit, arms and lines.
    pub hits: Hits,
}

impl Replayed {
    /// How many cases the JVM took differently.
    pub fn divergences(&self) -> usize {
        self.cases.iter().filter(|case| case.divergence.is_some()).count()
    }
}

/// Runs all cases on the JVM of `jdk`; with probes, if arms and coverage are wanted.
pub fn replay(
    jdk: &Jdk,
    class_path: &[PathBuf],
    probes: Option<&Probes>,
    cases: &[TestCase],
    options: &ReplayOptions,
) -> Result<Replayed, ReplayError> {
    let runtime = javac::runtime(&jdk.home, options.cache.as_deref())?;
    let probed = probes.map(|probes| probes.folder().to_path_buf());
    let setting = Setting {
        home: jdk.home.clone(),
        runtime: runtime.classes.clone(),
        class_path: probed.into_iter().chain(class_path.iter().cloned()).collect(),
        assertions: options.assertions,
        heap_mb: options.heap_mb,
        case_limit: options.case_limit,
        grace: process::GRACE,
        has_probes: probes.is_some(),
    };
    let mut hits = Hits::default();
    let mut results = Vec::with_capacity(cases.len());
    for (case, ran) in cases.iter().zip(process::run_all(&setting, cases)?) {
        let Sequence { probes: mut arms, late } = ran.hits;
        arms.iter().chain(late.iter().flatten()).for_each(|number| hits.insert(*number));
        arms.retain(|number| probes.is_some_and(|probes| probes.is_arm(*number)));
        let cut = late.is_some();
        let observed = divergence::without_loader_hash(ran.observed);
        let output = divergence::without_hash(&String::from_utf8_lossy(&ran.output));
        let divergence = divergence::compare(case, &observed, &output)
            .or_else(|| divergence::compare_arms(case.arms.as_deref()?, &arms, cut, probes?));
        results.push(CaseResult { observed, output, arms, cut, divergence });
    }
    Ok(Replayed { cases: results, hits })
}
