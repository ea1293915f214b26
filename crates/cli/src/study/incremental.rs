//! `evergreen study incremental`: what a version of a program costs when the one before it was explored.

mod subjects;

use super::explored::{Core, Counted, Explored, Setting, compile, empty_store, explore};
use crate::flags::IncrementalStudy;
use std::collections::BTreeSet;
use std::process::ExitCode;
use subjects::{BASE, SUBJECTS, Subject};

/// Runs.
pub fn run(flags: &IncrementalStudy) -> Result<ExitCode, String> {
    for subject in SUBJECTS.iter().filter(|s| flags.only.is_empty() || flags.only.iter().any(|o| s.folder.starts_with(o.as_str()))) {
        let folder = flags.subjects.join(subject.folder);
        let base = compile(&folder.join(BASE))?;
        for core in [Core::Native, Core::Solver] {
        let setting = Setting { solver: &flags.solver, method: subject.method, loops: subject.loops, core };
        let store = empty_store();
        let old = explore(&setting, &base.places, &store)?;
        println!("{} {:?}", subject.folder, old.counted);
        for version in subject.versions() {
            let program = compile(&folder.join(version))?;
            let cold = explore(&setting, &program.places, &empty_store())?;
            let keys = |e: &Explored| e.paths.iter().map(|p| p.key.clone()).collect::<BTreeSet<_>>();
            let (a, b) = (keys(&old), keys(&cold));
            let gone = a.difference(&b).count();
            let fresh = b.difference(&a).count();
            let touched = f64::max(gone as f64 / a.len() as f64, fresh as f64 / b.len() as f64);
            println!("  {version:14} touched {:.3} gone {gone} fresh {fresh} of {} / {}: calls {} native {} store {} q {} {:?}", touched, a.len(), cold.paths.len(), cold.counted.calls, cold.counted.native, cold.counted.by_store, cold.counted.queries, cold.counted.time);
        }
        }
    }
    let _ = (Counted::default(), &SUBJECTS as &[Subject]);
    Ok(ExitCode::SUCCESS)
}
