//! Replays test cases on the real JVM and reports divergences.

use crate::divergence;
use crate::javac;
use crate::javac::Runtime;
use crate::process::{self, Session, Setting};
use crate::warm;
use crate::wire::Sequence;
use crate::{Ending, Hits, Probes, ReplayError, TestCase};
use evergreen_classfile::Jdk;
use std::collections::BTreeSet;
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
    /// How long a JVM stays for later runs of the same user after the last one, in the background; `None`:
    /// it ends with the run.
    pub warm: Option<Duration>,
}

impl Default for ReplayOptions {
    fn default() -> ReplayOptions {
        ReplayOptions {
            case_limit: Duration::from_secs(5),
            assertions: true,
            heap_mb: 512,
            cache: None,
            warm: None,
        }
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
    let mut replaying = Replaying::new(jdk, class_path, probes, options)?;
    replaying.begin(cases.to_vec(), probes)?;
    replaying.end(probes)
}

/// Whether the runner need not be compiled first, as at the first replay of a user.
pub fn is_compiled(options: &ReplayOptions) -> bool {
    javac::is_compiled(options.cache.as_deref())
}

/// Cases that run while others are made. The probes are the same in all calls.
pub struct Replaying {
    session: Session,
    /// Those that were begun.
    cases: Vec<TestCase>,
    stays: bool,
    _runtime: Runtime,
}

impl Replaying {
    /// Nothing runs yet.
    pub fn new(
        jdk: &Jdk,
        class_path: &[PathBuf],
        probes: Option<&Probes>,
        options: &ReplayOptions,
    ) -> Result<Replaying, ReplayError> {
        let runtime = javac::runtime(&jdk.home, options.cache.as_deref())?;
        let probed = probes.map(|probes| probes.archive());
        let class_path = probed.into_iter().chain(class_path.iter().cloned());
        let stays = options.warm.zip(runtime.cache.clone()).map(|(idle, cache)| (cache, idle));
        let setting = Setting {
            home: jdk.home.clone(),
            runtime: runtime.classes.clone(),
            // A JVM that stays has another working folder.
            class_path: class_path.map(|entry| std::path::absolute(&entry).unwrap_or(entry)).collect(),
            assertions: options.assertions,
            heap_mb: options.heap_mb,
            case_limit: options.case_limit,
            grace: process::GRACE,
            has_probes: probes.is_some(),
            stays: stays.filter(|_| probes.is_some() && warm::is_possible(&jdk.version)),
        };
        let stays = setting.stays.is_some();
        Ok(Replaying { session: Session::new(setting), cases: Vec::new(), stays, _runtime: runtime })
    }

    /// Starts the JVM before there are cases. They will be of these classes, among others.
    pub fn prepare<'n>(
        &mut self,
        classes: impl IntoIterator<Item = &'n str>,
        probes: Option<&Probes>,
    ) -> Result<(), ReplayError> {
        self.check(classes, probes);
        self.session.prepare()
    }

    /// Uses a JVM of other runs only if classes leave nothing for those after them.
    fn check<'n>(&mut self, classes: impl IntoIterator<Item = &'n str>, probes: Option<&Probes>) {
        if self.stays && !probes.is_some_and(|probes| probes.are_clean(classes)) {
            self.stays = false;
            self.session.leave_warm();
        }
    }

    /// Has cases run, without waiting for them.
    pub fn begin(&mut self, cases: Vec<TestCase>, probes: Option<&Probes>) -> Result<(), ReplayError> {
        if self.stays {
            let classes: BTreeSet<String> = cases.iter().flat_map(TestCase::classes).collect();
            self.check(classes.iter().map(String::as_str), probes);
        }
        self.session.begin(cases.clone())?;
        self.cases.extend(cases);
        Ok(())
    }

    /// The results of all cases that were begun since the last call.
    pub fn end(&mut self, probes: Option<&Probes>) -> Result<Replayed, ReplayError> {
        let mut hits = Hits::default();
        let cases = std::mem::take(&mut self.cases);
        let mut results = Vec::with_capacity(cases.len());
        for (case, ran) in cases.iter().zip(self.session.end()?) {
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
}
