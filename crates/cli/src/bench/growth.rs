//! `evergreen bench growth`: what a look-up costs and what a stored set takes, as the index of answered sets grows.

use super::growth_plot::{Curve, Panel, Plot};
use super::samples::{Samples, show};
use crate::flags::{GrowthBench, GrowthIndex};
use evergreen::trie::workload::{Program, Workload};
use evergreen::trie::{Atom, Budget, Found, Index, LTrie, Payload, UbTree};
use serde_json::{Value, json};
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
struct Cost {
    samples: Samples,
    hits: usize,
    cut_off: usize,
}

/// The index at one size.
struct Stage {
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

/// Measures, prints, draws.
pub fn run(flags: &GrowthBench, json: bool) -> Result<ExitCode, String> {
    let mut index: Box<dyn Index> = match flags.index {
        GrowthIndex::Ltrie => Box::new(LTrie::new()),
        GrowthIndex::Ubtree => Box::new(UbTree::new()),
    };
    let before = heap_bytes();
    let mut asked = Asked { workload: Workload { seed: flags.seed, ..Workload::default() }, programs: 0 };
    let mut atoms = 0;
    let mut stages = Vec::new();
    for stored in sizes(flags.most) {
        while index.sizes().sat + index.sizes().unsat < stored {
            atoms += store(index.as_mut(), &asked.workload.program(asked.programs));
            asked.programs += 1;
        }
        let sizes = index.sizes();
        let held = sizes.sat + sizes.unsat;
        let bytes =
            heap_bytes().zip(before).map(|(now, before)| now.saturating_sub(before) as f64 / held as f64);
        eprintln!("{stored} stored sets");
        let costs = KINDS.iter().map(|kind| measure(index.as_mut(), &asked, kind, flags.queries)).collect();
        let atoms_per_set = atoms as f64 / held as f64;
        stages.push(Stage { stored, atoms_per_set, bytes_per_set: bytes, costs });
    }
    if let Some(file) = &flags.svg {
        std::fs::write(file, plot(flags, &stages)).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    if json {
        println!("{}", to_json(&stages));
    } else {
        print(&stages);
    }
    Ok(ExitCode::SUCCESS)
}

/// 1,000, 3,000, 10,000, … and the last one.
fn sizes(most: usize) -> Vec<usize> {
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

fn measure(index: &mut dyn Index, asked: &Asked, kind: &Kind, queries: u64) -> Cost {
    let queries: Vec<Vec<Atom>> = (0..queries).map(|number| (kind.make)(asked, number)).collect();
    let mut cost = Cost { samples: Samples::default(), hits: 0, cut_off: 0 };
    for query in &queries {
        let found = cost.samples.time(|| (kind.look_up)(index, query));
        cost.hits += usize::from(found.hit.is_some());
        cost.cut_off += usize::from(found.cut_off);
    }
    cost
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

/// What the process has allocated, allocator's overhead included, where the C library tells.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn heap_bytes() -> Option<usize> {
    // SAFETY: takes no arguments and returns a plain structure by value.
    let info = unsafe { libc::mallinfo2() };
    Some(info.uordblks + info.hblkhd)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn heap_bytes() -> Option<usize> {
    None
}

fn print(stages: &[Stage]) {
    println!("{:>10}{:>12}{:>12}", "stored", "atoms/set", "bytes/set");
    for stage in stages {
        let bytes = stage.bytes_per_set.map_or("?".into(), |bytes| format!("{bytes:.0}"));
        println!("{:>10}{:>12.1}{bytes:>12}", stage.stored, stage.atoms_per_set);
    }
    for (place, kind) in KINDS.iter().enumerate() {
        println!("\n{}: {}", kind.name, kind.help);
        println!("{:>10}{:>10}{:>10}{:>10}{:>8}{:>9}", "stored", "best", "median", "p95", "hits", "cut off");
        for stage in stages {
            let Cost { samples, hits, cut_off } = &stage.costs[place];
            let share = |count: usize| format!("{:.0}%", count as f64 * 100.0 / samples.len().max(1) as f64);
            let times = [samples.best(), samples.median(), samples.percentile(95)].map(show);
            let [best, median, p95] = times;
            println!(
                "{:>10}{best:>10}{median:>10}{p95:>10}{:>8}{:>9}",
                stage.stored,
                share(*hits),
                share(*cut_off)
            );
        }
    }
}

fn to_json(stages: &[Stage]) -> Value {
    let stage = |stage: &Stage| {
        let cost = |(kind, cost): (&Kind, &Cost)| {
            let value =
                json!({ "look_up": cost.samples.to_json(), "hits": cost.hits, "cut_off": cost.cut_off });
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
    let bytes = curve("bytes per stored set".into(), false, 0, &|stage| stage.bytes_per_set);
    let index = match flags.index {
        GrowthIndex::Ltrie => "the L-Trie",
        GrowthIndex::Ubtree => "the UBTree",
    };
    Plot {
        title: format!("Look-ups in {index} as it grows (evergreen bench growth, seed {})", flags.seed),
        x_label: "stored sets of constraints".into(),
        panels: vec![
            Panel { y_label: "µs per look-up".into(), logarithmic: true, curves: times },
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
        let flags = GrowthBench { svg: None, most: 1_500, queries: 150, seed: 3, index: GrowthIndex::Ltrie };
        let mut index = LTrie::new();
        let mut asked = Asked { workload: Workload { seed: flags.seed, ..Workload::default() }, programs: 0 };
        for _ in 0..40 {
            store(&mut index, &asked.workload.program(asked.programs));
            asked.programs += 1;
        }
        for kind in &KINDS[..2] {
            assert_eq!(measure(&mut index, &asked, kind, flags.queries).hits, 150, "{}", kind.name);
        }
        assert_eq!(measure(&mut index, &asked, &KINDS[4], flags.queries).samples.len(), 150);
    }
}
