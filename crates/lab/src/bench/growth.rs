//! `evergreen-lab bench growth`: what a look-up costs and what a stored set takes, as the index of answered
//! sets grows.
//!
//! An index of each size is filled first; then all are asked in turns, so that whatever else the machine does
//! falls on all sizes alike. Steps are counted too: they depend on nothing but the sets and the queries.

use super::growth_fit::{Fit, fit};
use super::growth_plot::{Curve, Panel, Plot};
use super::growth_queries;
use super::samples::{Samples, show};
use super::workload::{Program, Workload};
use crate::flags::{GrowthBench, GrowthIndex};
use evergreen::trie::{Atom, Budget, Found, Index, LTrie, Payload, UbTree};
use serde_json::{Value, json};
use std::ops::Range;
use std::process::ExitCode;

/// One kind of query: its name, what it is, and how it looks up.
struct Kind {
    name: &'static str,
    help: &'static str,
    make: fn(&Asked, u64) -> Vec<Atom>,
    look_up: fn(&mut dyn Index, &[Atom]) -> Found,
}

/// What queries are made from: the programs whose sets are stored, and others.
struct Asked {
    workload: Workload,
    programs: u64,
}

/// What one kind of query cost at one size.
#[derive(Default)]
struct Cost {
    samples: Samples,
    steps: Vec<u32>,
    hits: usize,
    cut_off: usize,
}

impl Cost {
    /// The middle one of the counts.
    fn median_steps(&self) -> u32 {
        let mut steps = self.steps.clone();
        steps.sort_unstable();
        steps.get(steps.len() / 2).copied().unwrap_or(0)
    }

    fn mean_steps(&self) -> f64 {
        self.steps.iter().map(|&steps| f64::from(steps)).sum::<f64>() / self.steps.len().max(1) as f64
    }
}

/// The index at one size.
struct Stage {
    index: Box<dyn Index>,
    asked: Asked,
    stored: usize,
    atoms_per_set: f64,
    bytes_per_set: Option<f64>,
    costs: Vec<Cost>,
}

const KINDS: [Kind; 6] = [
    Kind { name: "implied sat", help: "part of a stored path, weaker", make: implied_sat, look_up: find_sat },
    Kind { name: "implied unsat", help: "a stored core, stronger", make: implied_unsat, look_up: find_unsat },
    Kind { name: "near sat", help: "a stored path with a third of another", make: near, look_up: find_sat },
    Kind { name: "near unsat", help: "the same among the unsatisfiable", make: near, look_up: find_unsat },
    Kind { name: "new sat", help: "a path of a program never seen", make: new, look_up: find_sat },
    Kind { name: "new unsat", help: "the same among the unsatisfiable", make: new, look_up: find_unsat },
];

/// So many queries of each kind are asked of one index before the next has its turn.
const TURN: u64 = 100;

/// Measures, prints, draws.
pub(super) fn run(flags: &GrowthBench, json: bool) -> Result<ExitCode, String> {
    let mut stages: Vec<Stage> = sizes(flags.most).into_iter().map(|stored| fill(flags, stored)).collect();
    for from in (0..flags.queries).step_by(TURN as usize) {
        for stage in &mut stages {
            for (place, kind) in KINDS.iter().enumerate() {
                let numbers = from..flags.queries.min(from + TURN);
                measure(stage.index.as_mut(), &stage.asked, kind, numbers, &mut stage.costs[place]);
            }
        }
    }
    if let Some(file) = &flags.svg {
        std::fs::write(file, plot(flags, &stages)).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    if !json {
        print(&stages);
    }
    let index = to_json(&stages);
    drop(stages);
    let queries = growth_queries::run(flags, json)?;
    if json {
        crate::say::say_json(&json!({ "index": index, "queries": queries }));
    }
    Ok(ExitCode::SUCCESS)
}

/// An index with so many sets.
fn fill(flags: &GrowthBench, stored: usize) -> Stage {
    let before = heap_bytes();
    let mut index: Box<dyn Index> = match flags.index {
        GrowthIndex::Ltrie => Box::new(LTrie::new()),
        GrowthIndex::Ubtree => Box::new(UbTree::new()),
    };
    let mut asked = Asked { workload: Workload { seed: flags.seed, ..Workload::default() }, programs: 0 };
    let mut atoms = 0;
    while index.sizes().sat + index.sizes().unsat < stored {
        atoms += store(index.as_mut(), &asked.workload.program(asked.programs));
        asked.programs += 1;
    }
    let held = (index.sizes().sat + index.sizes().unsat) as f64;
    let bytes = heap_bytes().zip(before).map(|(now, before)| now.saturating_sub(before) as f64 / held);
    crate::say::note(&format!("{stored} stored sets"));
    let costs = KINDS.iter().map(|_| Cost::default()).collect();
    Stage { index, asked, stored, atoms_per_set: atoms as f64 / held, bytes_per_set: bytes, costs }
}

/// 1,000, 3,000, 10,000, … and the last one.
pub(super) fn sizes(most: usize) -> Vec<usize> {
    let steps = (0..).map(|step: u32| [1, 3][step as usize % 2] * 10_usize.pow(3 + step / 2));
    let mut sizes: Vec<usize> = steps.take_while(|&size| size < most).collect();
    sizes.push(most);
    sizes
}

/// Stores what one program leaves; the number of its atoms.
fn store(index: &mut dyn Index, program: &Program) -> usize {
    for (prefix, terms) in &program.definitions {
        index.define(*prefix, terms);
    }
    // A model of four small values, as the engine writes it, is about this long.
    let model = [7_u8; 24];
    let sat = program.sat.iter().filter(|set| index.insert_sat(set, Payload::from(&model[..])).changed());
    let atoms: usize = sat.map(Vec::len).sum();
    let nothing = Payload::from(&[][..]);
    let unsat = program.unsat.iter().filter(|core| index.insert_unsat(core, nothing.clone()).changed());
    atoms + unsat.map(Vec::len).sum::<usize>()
}

fn measure(index: &mut dyn Index, asked: &Asked, kind: &Kind, numbers: Range<u64>, cost: &mut Cost) {
    let queries: Vec<Vec<Atom>> = numbers.map(|number| (kind.make)(asked, number)).collect();
    for query in &queries {
        let found = cost.samples.time(|| (kind.look_up)(index, query));
        cost.steps.push(found.steps);
        cost.hits += usize::from(found.hit.is_some());
        cost.cut_off += usize::from(found.cut_off);
    }
}

impl Asked {
    /// A stored program that left something of both kinds.
    fn stored(&self, number: u64) -> Program {
        let first = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        // All of them in turn: some left something of both kinds, or there would be nothing to measure.
        let mut programs =
            (0..self.programs).map(|more| self.workload.program((first + more) % self.programs));
        programs.find(|program| !program.sat.is_empty() && !program.unsat.is_empty()).unwrap_or_default()
    }
}

fn one(sets: &[Vec<Atom>], number: u64) -> &[Atom] {
    sets.get(number as usize % sets.len().max(1)).map_or(&[], Vec::as_slice)
}

fn implied_sat(asked: &Asked, number: u64) -> Vec<Atom> {
    asked.workload.sat_hit(one(&asked.stored(number).sat, number), number)
}

fn implied_unsat(asked: &Asked, number: u64) -> Vec<Atom> {
    let program = asked.stored(number);
    asked.workload.unsat_hit(one(&program.unsat, number), one(&program.sat, number), number)
}

fn near(asked: &Asked, number: u64) -> Vec<Atom> {
    let program = asked.stored(number);
    asked.workload.near(one(&program.sat, number), one(&program.sat, number + 5), number)
}

fn new(asked: &Asked, number: u64) -> Vec<Atom> {
    let unseen = (asked.programs + number..).step_by(1_000_003).map(|index| asked.workload.program(index));
    let left = unseen.take(100).find(|program| !program.sat.is_empty()).unwrap_or_default();
    one(&left.sat, number).to_vec()
}

fn find_sat(index: &mut dyn Index, query: &[Atom]) -> Found {
    index.find_sat(query, Budget::default())
}

fn find_unsat(index: &mut dyn Index, query: &[Atom]) -> Found {
    index.find_unsat(query, Budget::default())
}

/// What the process has allocated, allocator's overhead included, where the C library reports it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn heap_bytes() -> Option<usize> {
    // SAFETY: takes no arguments and returns a plain structure by value.
    let info = unsafe { libc::mallinfo2() };
    Some(info.uordblks + info.hblkhd)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn heap_bytes() -> Option<usize> {
    None
}

fn print(stages: &[Stage]) {
    crate::say::say(&format!("{:>10}{:>12}{:>12}", "stored", "atoms/set", "bytes/set"));
    for stage in stages {
        let bytes = stage.bytes_per_set.map_or("?".into(), |bytes| format!("{bytes:.0}"));
        crate::say::say(&format!("{:>10}{:>12.1}{bytes:>12}", stage.stored, stage.atoms_per_set));
    }
    for (place, kind) in KINDS.iter().enumerate() {
        crate::say::say(&format!("\n{}: {}", kind.name, kind.help));
        crate::say::say(&format!(
            "{:>10}{:>10}{:>10}{:>10}{:>8}{:>8}{:>8}{:>9}",
            "stored", "best", "median", "p95", "steps", "mean", "hits", "cut off"
        ));
        for stage in stages {
            let cost = &stage.costs[place];
            let [best, median, p95] = [0, 50, 95].map(|share| show(cost.samples.percentile(share)));
            crate::say::say(&format!(
                "{:>10}{best:>10}{median:>10}{p95:>10}{:>8}{:>8.1}{:>8}{:>9}",
                stage.stored,
                cost.median_steps(),
                cost.mean_steps(),
                cost.hits,
                cost.cut_off
            ));
        }
    }
    crate::say::say(
        "\na + b log2 n; ratio of the largest size to the smallest; last factor of ten to the one before",
    );
    crate::say::say(&format!("{:<28}{}", "", Fit::HEAD));
    for (place, kind) in KINDS.iter().enumerate() {
        let points = |value: &dyn Fn(&Cost) -> f64| -> Vec<(f64, f64)> {
            stages.iter().map(|stage| (stage.stored as f64, value(&stage.costs[place]))).collect()
        };
        let rows = [
            ("µs median", points(&|cost| cost.samples.median() as f64 / 1e3)),
            ("steps median", points(&|cost| f64::from(cost.median_steps()))),
            ("steps mean", points(&Cost::mean_steps)),
        ];
        for (what, points) in rows {
            let row = fit(&points).map_or(String::new(), |fit| fit.row());
            crate::say::say(&format!("{:<28}{row}", format!("{}, {what}", kind.name)));
        }
    }
}

fn to_json(stages: &[Stage]) -> Value {
    let stage = |stage: &Stage| {
        let cost = |(kind, cost): (&Kind, &Cost)| {
            let value = json!({ "look_up": cost.samples.to_json(), "steps_median": cost.median_steps(),
                "steps_mean": cost.mean_steps(), "hits": cost.hits, "cut_off": cost.cut_off });
            (kind.name.replace(' ', "_"), value)
        };
        let costs: serde_json::Map<String, Value> = KINDS.iter().zip(&stage.costs).map(cost).collect();
        json!({
            "stored": stage.stored,
            "atoms_per_set": stage.atoms_per_set,
            "bytes_per_set": stage.bytes_per_set,
            "costs": costs,
        })
    };
    Value::Array(stages.iter().map(stage).collect())
}

fn plot(flags: &GrowthBench, stages: &[Stage]) -> String {
    let micros = |nanos: u64| nanos as f64 / 1e3;
    let curve = |name: String, dashed: bool, place: usize, value: &dyn Fn(&Stage) -> Option<f64>| Curve {
        name,
        dashed,
        colour: place,
        points: stages.iter().filter_map(|stage| Some((stage.stored as f64, value(stage)?))).collect(),
    };
    let mut times = Vec::new();
    for (place, kind) in KINDS.iter().enumerate() {
        let at =
            |share: usize| move |stage: &Stage| Some(micros(stage.costs[place].samples.percentile(share)));
        times.push(curve(format!("{}, median", kind.name), false, place, &at(50)));
        times.push(curve(format!("{}, p95", kind.name), true, place, &at(95)));
    }
    let mut steps = Vec::new();
    for (place, kind) in KINDS.iter().enumerate() {
        let median = move |stage: &Stage| Some(f64::from(stage.costs[place].median_steps()));
        let mean = move |stage: &Stage| Some(stage.costs[place].mean_steps());
        steps.push(curve(format!("{}, median", kind.name), false, place, &median));
        steps.push(curve(format!("{}, mean", kind.name), true, place, &mean));
    }
    let bytes = curve("bytes per stored set".into(), false, 0, &|stage| stage.bytes_per_set);
    let index = match flags.index {
        GrowthIndex::Ltrie => "the L-Trie",
        GrowthIndex::Ubtree => "the UBTree",
    };
    Plot {
        title: format!("Look-ups in {index} as it grows (evergreen-lab bench growth, seed {})", flags.seed),
        x_label: "stored sets of constraints".into(),
        panels: vec![
            Panel { y_label: "µs per look-up".into(), logarithmic: false, curves: times },
            Panel { y_label: "steps per look-up".into(), logarithmic: false, curves: steps },
            Panel { y_label: "bytes per stored set".into(), logarithmic: false, curves: vec![bytes] },
        ],
    }
    .to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_by_half_decades() {
        assert_eq!(sizes(1_000), [1_000]);
        assert_eq!(sizes(30_000), [1_000, 3_000, 10_000, 30_000]);
        assert_eq!(sizes(20_000), [1_000, 3_000, 10_000, 20_000]);
    }

    /// What is implied is found, whatever the size, and what is measured is there.
    #[test]
    fn implied_queries_are_hits() {
        let flags = GrowthBench {
            svg: None,
            most: 1_500,
            answers: 0,
            setting: Vec::new(),
            queries: 150,
            seed: 3,
            index: GrowthIndex::Ltrie,
        };
        let mut stage = fill(&flags, flags.most);
        for (place, kind) in KINDS.iter().enumerate() {
            measure(stage.index.as_mut(), &stage.asked, kind, 0..flags.queries, &mut stage.costs[place]);
        }
        assert_eq!([stage.costs[0].hits, stage.costs[1].hits], [150, 150]);
        assert!(stage.costs.iter().all(|cost| cost.samples.len() == 150 && cost.steps.len() == 150));
    }
}
