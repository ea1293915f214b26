//! Counts structures as the tables of [Rosner TSE'15] do: `bliss SUBJECT TECHNIQUE FROM TO`.

use evergreen_heap::{Scope, Technique, bounds};
use evergreen_testing::heap_subjects::{Subject, invariant, run};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, technique, from, to] = arguments.as_slice() else {
        return Err("usage: bliss SUBJECT li|bli|rbli|bliss|blissdb FROM TO".into());
    };
    let subject = Subject::find(name).ok_or_else(|| format!("no subject is called {name:?}"))?;
    let invariant = invariant(subject.class()).ok_or("no invariant")??;
    let technique =
        Technique::named(technique).ok_or_else(|| format!("no technique is called {technique:?}"))?;
    let mut known = None;
    for n in from.parse::<usize>()?..=to.parse()? {
        let start = Instant::now();
        if technique != Technique::Li {
            known = Some(bounds(&invariant, &Scope::each(&invariant, n), known.as_ref())?);
        }
        let bounded = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let report = run(subject, &invariant, technique, n, known.as_ref())?;
        println!(
            "{name} {technique:?} {n}: {} structures, {:.3} s (bounds {bounded:.3} s), {:?}, {:?}",
            report.structures,
            start.elapsed().as_secs_f64(),
            report.counters,
            report.pruned,
        );
    }
    Ok(())
}
