//! Figure 3: every mutant of a program in turn, over a store that begins empty and grows.

use super::super::plot::{self, Scale};
use super::super::show::{Block, Mark, Shown};
use super::super::technique::{Technique, empty_store};
use super::super::work::Work;
use super::programs::{
    BINOMIAL_HEAP, Explored, Subject, TCAS, TRITYP, WORDS, explore_all, logging, open, ratio, reuse,
};
use crate::mutate::{self, Made};
use crate::study::mutants::{copy_missing, spread};
use evergreen_java::classfile::Operator;
use evergreen_java::{Bounds, Maker, Program};
use std::path::PathBuf;

/// The programs, with the classes' methods that no run calls.
const SUBJECTS: [(Subject, &[&str]); 3] =
    [(TCAS, &[]), (BINOMIAL_HEAP.with(3), &["isEmpty", "size"]), (TRITYP, &[])];

/// Least T_S and greatest R_S that the paper's charts show, with the number of mutants.
const PAPER: [(usize, f64, f64); 3] = [(160, 0.1, 1.0), (22, 0.4, 1.0), (85, 0.117, 1.0)];

/// Instructions of a path, many more than the originals have: mutants may not end.
const STEPS: u64 = 20_000;
/// Paths of one exploration.
const PATHS: u64 = 1_000;
/// Mutants that are also explored without reuse, for T_S; all of them with `--full`.
const TIMED: usize = 12;

/// Queries, calls and seconds of a mutant with green.
type Point = (u64, u64, f64);

/// A program with its mutants on disk.
struct Mutants {
    subject: Subject,
    base: Program,
    made: Vec<Made>,
    scratch: tempfile::TempDir,
    bounds: Bounds,
}

impl Mutants {
    fn of(work: &Work, subject: &Subject, idle: &[&str]) -> Result<Mutants, String> {
        let mut base = open(&work.subjects, subject)?;
        let places = base.places.clone();
        let is_own = |original: &mutate::Original| !original.class.ends_with("Driver");
        let originals: Vec<_> = mutate::originals(&mut base)?.into_iter().filter(is_own).collect();
        let mut made = mutate::make(&originals, None, &[Operator::Relation, Operator::Arithmetic])?;
        made.retain(|made| !idle.iter().any(|name| made.method.starts_with(&format!("{name}("))));
        let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder: {e}"))?;
        mutate::write(&scratch.path().join("all"), &originals, &made)?;
        let store = empty_store();
        let make = logging(Technique::Green, &work.solver, &store);
        let whole = explore_all(&places, subject, &Bounds::default(), make)?;
        let bounds = Bounds {
            depth: Some(2 * whole.deepest + 10),
            steps: Some(STEPS),
            paths: Some(PATHS),
            ..Bounds::default()
        };
        Ok(Mutants { subject: *subject, base, made, scratch, bounds })
    }

    /// The classes of a mutant.
    fn places(&self, made: &Made) -> Result<Vec<PathBuf>, String> {
        let folder = mutate::folder(&self.scratch.path().join("all"), made);
        for place in &self.base.places {
            copy_missing(place, &folder)?;
        }
        Ok(vec![folder])
    }

    fn explore(&self, made: &Made, make: Maker) -> Result<Explored, String> {
        explore_all(&self.places(made)?, &self.subject, &self.bounds, make)
    }
}

/// All mutants over one store: one step, since the store is lost when a run ends.
fn with_store(work: &mut Work, mutants: &Mutants) -> Result<Vec<Point>, String> {
    let solver = work.solver.clone();
    work.step(&format!("{}, all mutants", mutants.subject.name), || {
        let store = empty_store();
        let one = |made: &Made| {
            let explored = mutants.explore(made, logging(Technique::Green, &solver, &store))?;
            Ok((explored.ran.queries, explored.ran.calls, explored.ran.seconds))
        };
        mutants.made.iter().map(one).collect()
    })
}

/// Seconds of some mutants without reuse, by their places.
fn without(work: &mut Work, mutants: &Mutants) -> Result<Vec<(usize, f64)>, String> {
    let solver = work.solver.clone();
    let most = if work.full { mutants.made.len() } else { TIMED };
    let mut all = Vec::new();
    for chunk in spread(mutants.made.len(), most).chunks(TIMED) {
        let name = format!("{}, mutants from {} without reuse", mutants.subject.name, chunk[0]);
        let part: Vec<(usize, f64)> = work.step(&name, || {
            let one = |at: &usize| {
                let make = logging(Technique::None, &solver, &empty_store());
                Ok((*at, mutants.explore(&mutants.made[*at], make)?.ran.seconds))
            };
            chunk.iter().map(one).collect()
        })?;
        all.extend(part);
    }
    Ok(all)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Charts and a row of the table for each program.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let head = [
        "program",
        "mutants",
        "paper",
        "queries",
        "calls",
        "R_S, first",
        "first tenth",
        "last tenth",
        "least",
        "greatest",
        "T_S, first",
        "least",
        "paper's least",
    ];
    let mut rows = vec![head.map(str::to_string).to_vec()];
    let (mut blocks, mut grows) = (Vec::new(), true);
    for ((subject, idle), (paper_mutants, paper_time, _)) in SUBJECTS.iter().zip(PAPER) {
        let mutants = Mutants::of(work, subject, idle)?;
        let points = with_store(work, &mutants)?;
        let times = without(work, &mutants)?;
        let share = |(queries, calls, _): &Point| {
            reuse(&super::super::technique::Ran { queries: *queries, calls: *calls, ..Default::default() })
        };
        let ratios: Vec<f64> = points.iter().map(share).collect();
        let timed: Vec<(f64, f64)> =
            times.iter().map(|(at, seconds)| (*at as f64 + 1.0, points[*at].2 / seconds)).collect();
        let tenth = (ratios.len() / 10).max(1);
        let (begin, end) = (mean(&ratios[..tenth]), mean(&ratios[ratios.len() - tenth..]));
        grows &= begin < end && ratios[0] < end;
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        rows.push(vec![
            subject.name.into(),
            points.len().to_string(),
            format!("about {paper_mutants}"),
            points.iter().map(|point| point.0).sum::<u64>().to_string(),
            points.iter().map(|point| point.1).sum::<u64>().to_string(),
            ratio(ratios[0]),
            ratio(begin),
            ratio(end),
            ratio(least(&mut ratios.iter().copied())),
            ratio(ratios.iter().copied().fold(0.0, f64::max)),
            ratio(timed[0].1),
            ratio(least(&mut timed.iter().map(|point| point.1))),
            ratio(paper_time),
        ]);
        let numbered: Vec<(f64, f64)> =
            (1..).zip(&ratios).map(|(at, share)| (f64::from(at), *share)).collect();
        for (name, points) in [("T_S", timed), ("R_S", numbered)] {
            let title = format!("{}: {name} by mutant", subject.name);
            let lines = [(name.to_string(), points)];
            let svg = plot::curves(&title, ("mutant", name), (Scale::Linear, Scale::Linear), &lines);
            blocks.push(Block::Picture { caption: title, svg });
        }
    }
    blocks.insert(0, Block::Table { caption: String::new(), rows });
    Ok(Shown {
        technique: format!(
            "green over one store for all mutants of a program, empty before the first; T_S against none \
             for {}; {}",
            if work.full { "all of them".into() } else { format!("{TIMED} of them, evenly spread") },
            work.solver
        ),
        subjects: format!(
            "{WORDS}. BinomialHeap has 3 operations. Mutants are ours: each comparison becomes every other \
             one, `+` and `-` change places (`evergreen-lab mutate`); the paper's are Jumble's. Paths end \
             after {STEPS} instructions, since mutants may not."
        ),
        blocks,
        mark: if grows { Mark::SameShape } else { Mark::Differs },
        because: format!(
            "R_S {} from the first mutants of each program to the last, as in the paper, where it rises to \
             practically 1. Other subjects' mutants have other numbers; the paper prints charts alone.",
            if grows { "grows" } else { "does not grow" }
        ),
    })
}
