//! Tests on the real JVM, whose branches and outcomes must be those of their paths.

use crate::{Java, JavaPath, MethodRef, Program};
use evergreen_classfile::{Arm, Jdk};
use evergreen_jvm::{TakenArm, Way};
use evergreen_replay::{Coverage, Hits, Probed, Probes, ReplayOptions, Replaying, TestCase, is_compiled};
use evergreen_service::{Ran, Replayer};
use std::path::PathBuf;
use std::time::Duration;

/// Runs tests of a program on the JVM.
pub struct JvmReplayer {
    jdk_home: PathBuf,
    places: Vec<PathBuf>,
    /// The classes that are explored, by internal names.
    classes: Vec<String>,
    options: ReplayOptions,
    /// Started when it is first needed.
    running: Option<(Probes, Replaying)>,
    hits: Hits,
}

impl JvmReplayer {
    /// For the tests of a program.
    pub fn new(program: &Program) -> JvmReplayer {
        let (jdk_home, places) = (program.jdk_home.clone(), program.places.clone());
        let classes = program.opened().names().to_vec();
        let options = ReplayOptions::default();
        JvmReplayer { jdk_home, places, classes, options, running: None, hits: Hits::default() }
    }

    /// Only these methods are tested.
    pub fn of(mut self, methods: &[MethodRef]) -> JvmReplayer {
        self.classes = methods.iter().map(|method| method.class.to_string()).collect();
        self.classes.sort();
        self.classes.dedup();
        self
    }

    /// Uses a JVM that stays in the background for later runs of the user, until none came for so long. Only
    /// programs do that leave a JVM as they found it.
    pub fn warm(mut self, idle: Option<Duration>) -> JvmReplayer {
        self.options.warm = idle;
        self
    }

    /// What the tests so far cover, as the JVM saw it.
    pub fn coverage(&self) -> Option<Coverage> {
        self.running.as_ref().map(|(probes, _)| Coverage::of(probes, &self.hits))
    }

    fn start(&self) -> Result<(Probes, Replaying), String> {
        let jdk = Jdk::open(&self.jdk_home).map_err(|e| e.to_string())?;
        let probes = Probes::plant(&jdk, &self.places, &Probed::All).map_err(|e| e.to_string())?;
        let mut replaying =
            Replaying::new(&jdk, &self.places, Some(&probes), &self.options).map_err(|e| e.to_string())?;
        let classes = self.classes.iter().map(String::as_str);
        replaying.prepare(classes, Some(&probes)).map_err(|e| e.to_string())?;
        Ok((probes, replaying))
    }
}

impl Replayer<Java> for JvmReplayer {
    fn replay(&mut self, tests: Vec<(TestCase, JavaPath)>) -> Result<Vec<Option<String>>, String> {
        self.begin(tests)?;
        self.end()
    }

    fn prepare(&mut self) {
        // What fails is reported with the first tests; a program without tests does not want to know. Nor
        // should the first run of all wait for the compiler before it explores.
        if self.running.is_none() && is_compiled(&self.options) {
            self.running = self.start().ok();
        }
    }

    fn begin(&mut self, tests: Vec<(TestCase, JavaPath)>) -> Result<Ran, String> {
        let (probes, mut replaying) = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let expecting = |(mut case, path): (TestCase, JavaPath)| {
            case.arms = path.taken.map(|taken| taken.iter().filter_map(|arm| number(&probes, arm)).collect());
            case
        };
        let cases: Vec<TestCase> = tests.into_iter().map(expecting).collect();
        let begun = replaying.begin(cases, Some(&probes));
        self.running = Some((probes, replaying));
        begun.map(|()| None).map_err(|e| e.to_string())
    }

    fn end(&mut self) -> Result<Vec<Option<String>>, String> {
        let Some((probes, replaying)) = &mut self.running else { return Ok(Vec::new()) };
        let replayed = replaying.end(Some(probes)).map_err(|e| e.to_string())?;
        self.hits.merge(&replayed.hits);
        Ok(replayed.cases.into_iter().map(|result| result.divergence).collect())
    }
}

/// The probe of a branch that was taken; branches without probes are not compared.
fn number(probes: &Probes, taken: &TakenArm) -> Option<u32> {
    let way = match taken.way {
        Way::Taken => Arm::Taken,
        Way::Fallthrough => Arm::Fallthrough,
        Way::Case(index) => Arm::Case(index),
        Way::Default => Arm::Default,
    };
    let class = taken.class.replace('/', ".");
    let method = format!("{}{}", taken.method, taken.descriptor);
    probes.arms(&class, &method, taken.offset).iter().find(|(arm, _)| *arm == way).map(|(_, number)| *number)
}
