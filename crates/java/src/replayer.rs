//! Tests on the real JVM, whose branches and outcomes must be those of their paths.

use crate::{Java, JavaPath, Program};
use evergreen_classfile::{Arm, Jdk};
use evergreen_jvm::{TakenArm, Way};
use evergreen_replay::{Coverage, Hits, Probed, Probes, ReplayOptions, TestCase, replay};
use evergreen_service::Replayer;
use std::path::PathBuf;

/// Runs tests of a program on the JVM.
pub struct JvmReplayer {
    jdk_home: PathBuf,
    places: Vec<PathBuf>,
    /// Planted when they are first needed.
    probes: Option<Probes>,
    hits: Hits,
}

impl JvmReplayer {
    /// For the tests of a program.
    pub fn new(program: &Program) -> JvmReplayer {
        let (jdk_home, places) = (program.jdk_home.clone(), program.places.clone());
        JvmReplayer { jdk_home, places, probes: None, hits: Hits::default() }
    }

    /// What the tests so far cover, as the JVM saw it.
    pub fn coverage(&self) -> Option<Coverage> {
        self.probes.as_ref().map(|probes| Coverage::of(probes, &self.hits))
    }
}

impl Replayer<Java> for JvmReplayer {
    fn replay(&mut self, tests: Vec<(TestCase, JavaPath)>) -> Result<Vec<Option<String>>, String> {
        let jdk = Jdk::open(&self.jdk_home).map_err(|e| e.to_string())?;
        let probes = match self.probes.take() {
            Some(probes) => probes,
            None => Probes::plant(&jdk, &self.places, &Probed::All).map_err(|e| e.to_string())?,
        };
        let expecting = |(mut case, path): (TestCase, JavaPath)| {
            case.arms = path.taken.map(|taken| taken.iter().filter_map(|arm| number(&probes, arm)).collect());
            case
        };
        let cases: Vec<TestCase> = tests.into_iter().map(expecting).collect();
        let replayed = replay(&jdk, &self.places, Some(&probes), &cases, &ReplayOptions::default());
        self.probes = Some(probes);
        let replayed = replayed.map_err(|e| e.to_string())?;
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
