//! The second half of `evergreen-lab bench growth`: what a whole query costs as recorded answers grow.
//!
//! Programs are drawn from a seed: integers with hidden values, comparisons of sums of them that the values
//! satisfy (so that every beginning of a path is satisfiable, with a model that is known), and three
//! comparisons that contradict each other. What is asked goes through everything (slice, canonize, all rungs,
//! store); the program itself plays the solver, at no cost.

use super::samples::Samples;
use evergreen::store::{OpenOptions, Store, open};
use evergreen::{
    Backend, Core, Engine, EngineOptions, Fun, Grain, Model, Question, Reuse, Solved, SortId, Task, TermId,
    Terms, Value, Verdict,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A level of reuse over a store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub name: &'static str,
    pub reuse: Reuse,
    pub disk: bool,
}

/// What is measured.
pub(super) const SETTINGS: [Setting; 4] = [
    Setting { name: "full, memory", reuse: Reuse::Full, disk: false },
    Setting { name: "logical, memory", reuse: Reuse::Logical, disk: false },
    Setting { name: "full, disk", reuse: Reuse::Full, disk: true },
    Setting { name: "logical, disk", reuse: Reuse::Logical, disk: true },
];

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// A recorded query again.
    Same,
    /// A recorded satisfiable one with weaker constants.
    Weaker,
    /// A recorded contradiction with stronger constants, on another path.
    Stronger,
    /// A path of a program never seen; its answer is not known.
    New,
}

/// All of them, with their names.
pub(super) const ASKED: [(Asked, &str); 4] =
    [(Asked::Same, "same"), (Asked::Weaker, "weaker"), (Asked::Stronger, "stronger"), (Asked::New, "new")];

/// How many variables there are, and how many of them one program has.
const NAMES: u64 = 64;
const OWN: usize = 6;
/// The most comparisons of a path.
const DEEPEST: usize = 9;

/// `sum <= constant` or `sum >= constant`.
#[derive(Clone, Debug)]
struct Comparison {
    sum: Vec<(usize, i64)>,
    upper: bool,
    constant: i64,
}

/// A program: its variables with their values, a path, and a contradiction.
struct Program {
    values: Vec<(u64, i64)>,
    path: Vec<Comparison>,
    core: Vec<Comparison>,
}

/// Numbers as programs have them.
struct Random(evergreen_structures::Random);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next() % bound
    }

    /// Coefficients of one to three of the program's variables; the first is given, so that a path hangs
    /// together.
    fn sum(&mut self, first: usize, most: u64) -> Vec<(usize, i64)> {
        let mut sum = vec![(first, [1, 1, 2, -1, -3][self.below(5) as usize])];
        for _ in 0..1 + self.below(most) {
            let variable = self.below(OWN as u64) as usize;
            if sum.iter().all(|(other, _)| *other != variable) {
                sum.push((variable, [1, -1, 1, 2, -2][self.below(5) as usize]));
            }
        }
        sum
    }
}

impl Program {
    fn new(seed: u64, number: u64) -> Program {
        let mut random = Random(evergreen_structures::Random::new(
            seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number.wrapping_mul(0xd134_2543_de82_ef95),
        ));
        let mut values: Vec<(u64, i64)> = Vec::with_capacity(OWN);
        while values.len() < OWN {
            let name = random.below(NAMES);
            if values.iter().all(|(other, _)| *other != name) {
                values.push((name, random.below(201) as i64 - 100));
            }
        }
        let value = |sum: &[(usize, i64)]| sum.iter().map(|(v, a)| a * values[*v].1).sum::<i64>();
        let path = (0..DEEPEST).map(|step| {
            let sum = random.sum(step % OWN, 2);
            let (upper, far) = (random.below(2) == 0, random.below(50) as i64);
            let constant = value(&sum) + if upper { far } else { -far };
            Comparison { sum, upper, constant }
        });
        let path = path.collect();
        // part <= a, rest <= b, part + rest >= a + b + far.
        let part = vec![(0, 1), (1, [1, -1, 2][random.below(3) as usize])];
        let rest = vec![(2 + random.below(OWN as u64 - 2) as usize, 1)];
        let (a, b) = (random.below(201) as i64 - 100, random.below(201) as i64 - 100);
        let whole = part.iter().chain(&rest).copied().collect();
        let far = 1 + random.below(20) as i64;
        let core = vec![
            Comparison { sum: part, upper: true, constant: a },
            Comparison { sum: rest, upper: true, constant: b },
            Comparison { sum: whole, upper: false, constant: a + b + far },
        ];
        Program { values, path, core }
    }

    fn term(&self, terms: &mut Terms, comparison: &Comparison) -> Option<TermId> {
        let mut parts = Vec::with_capacity(comparison.sum.len());
        for (variable, coefficient) in &comparison.sum {
            let variable = terms.constant(&format!("x{}", self.values[*variable].0), SortId::INT);
            let coefficient = terms.int(*coefficient);
            parts.push(terms.app(Fun::Mul, &[coefficient, variable]).ok()?);
        }
        let sum = if parts.len() == 1 { parts[0] } else { terms.app(Fun::Add, &parts).ok()? };
        let constant = terms.int(comparison.constant);
        terms.app(if comparison.upper { Fun::Le } else { Fun::Ge }, &[sum, constant]).ok()
    }

    fn model(&self, terms: &mut Terms) -> Model {
        let mut model = Model::new();
        for (name, value) in &self.values {
            let name = terms.name(&format!("x{name}"));
            model.set(terms.declare(name, &[], SortId::INT), Value::Int((*value).into()));
        }
        model
    }
}

/// A query, and what is known of it.
struct Query {
    program: Program,
    constraints: Vec<Comparison>,
    answer: Verdict,
}

impl Query {
    /// The path of a program up to some depth.
    fn path(program: Program, depth: usize) -> Query {
        let constraints = program.path[..depth].to_vec();
        Query { program, constraints, answer: Verdict::Sat }
    }

    /// The beginning of a path with the program's contradiction.
    fn contradiction(program: Program, depth: usize) -> Query {
        let constraints = program.path[..depth].iter().chain(&program.core).cloned().collect();
        Query { program, constraints, answer: Verdict::Unsat }
    }

    /// Every constant a little weaker, or stronger.
    fn moved(mut self, weaker: bool, seed: u64) -> Query {
        let mut random = Random(evergreen_structures::Random::new(seed));
        for comparison in &mut self.constraints {
            let far = random.below(8) as i64;
            comparison.constant += if comparison.upper == weaker { far } else { -far };
        }
        self
    }
}

/// Says what is known of a query.
struct Oracle {
    answer: Verdict,
    model: Option<Model>,
    core: Vec<TermId>,
}

impl Backend for Oracle {
    fn name(&self) -> &str {
        "known"
    }

    fn grain(&self) -> Grain {
        Grain::Parts
    }

    fn solve(&mut self, _: &mut Terms, task: Task<'_>) -> Solved {
        // A part beside the contradiction: not asked about again.
        let whole = self.core.iter().all(|member| task.constraints.contains(member));
        let unknown = || Verdict::Unknown("not asked about".into());
        let verdict = if self.answer == Verdict::Unsat && !whole { unknown() } else { self.answer.clone() };
        Solved {
            verdict,
            model: self.model.clone(),
            core: Core::new(self.core.clone()).filter(|_| self.answer == Verdict::Unsat),
            elapsed: Duration::from_micros(40),
            recordable: true,
        }
    }
}

/// An engine with recorded answers.
pub(super) struct Recorded {
    engine: Engine,
    store: Arc<dyn Store>,
    seed: u64,
    programs: u64,
}

/// Queries of one kind: times, how many were answered without solving, and steps.
#[derive(Default, Clone)]
pub(super) struct Cost {
    pub samples: Samples,
    pub hits: usize,
    /// Places of the index that each query looked at.
    pub steps: Vec<u64>,
}

impl Cost {
    /// The middle one of the counts.
    pub(super) fn median_steps(&self) -> u64 {
        let mut steps = self.steps.clone();
        steps.sort_unstable();
        steps.get(steps.len() / 2).copied().unwrap_or(0)
    }
}

impl Recorded {
    /// An engine that records into memory, or into a new store in `folder`.
    pub(super) fn new(setting: Setting, folder: &Path, seed: u64) -> Result<Recorded, String> {
        // All is kept: what is measured is looking up, not forgetting.
        let options = OpenOptions { memory_bytes: 64 << 30, ..OpenOptions::default() };
        let spec = if setting.disk { folder.display().to_string() } else { "memory:".into() };
        let store = open(&spec, &options).map_err(|e| e.to_string())?;
        // Rungs that do not pay would be passed by at the level full: here all are tried, always. At the
        // others what is measured is what users get, not the papers' endless search.
        let options = EngineOptions {
            reuse: setting.reuse,
            native: false,
            regulate: setting.reuse != Reuse::Full,
            ..EngineOptions::default()
        };
        Ok(Recorded { engine: Engine::new(Some(store.clone()), options), store, seed, programs: 0 })
    }

    /// Asks the queries of further programs until so many answers are recorded: solved or found by another
    /// rung, each is recorded under its key and put into the index.
    pub(super) fn grow(&mut self, answers: u64) -> Result<(), String> {
        while self.engine.stats().recorded < answers {
            let number = self.programs;
            self.programs += 1;
            for depth in 3..=DEEPEST {
                self.ask(&Query::path(Program::new(self.seed, number), depth), true)?;
            }
            for depth in [2, 4] {
                self.ask(&Query::contradiction(Program::new(self.seed, number), depth), true)?;
            }
        }
        self.store.flush().map_err(|e| e.to_string())
    }

    /// Asks queries of one kind, the `from`-th and so on; fresh answers are not recorded.
    pub(super) fn measure(
        &mut self,
        asked: Asked,
        from: u64,
        count: u64,
        cost: &mut Cost,
    ) -> Result<(), String> {
        for number in from..from + count {
            let known = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            let known = || Program::new(self.seed, known % self.programs.max(1));
            let depth = 3 + number as usize % (DEEPEST - 2);
            let query = match asked {
                Asked::Same => Query::path(known(), depth),
                Asked::Weaker => Query::path(known(), depth).moved(true, number),
                Asked::Stronger => {
                    Query::contradiction(known(), 2 + number as usize % 3).moved(false, number)
                }
                Asked::New => Query::path(Program::new(self.seed, u64::MAX / 2 + number), depth),
            };
            let (solved, steps) = (self.engine.stats().solved, self.engine.stats().steps);
            cost.samples.add(self.ask(&query, false)?);
            cost.hits += usize::from(self.engine.stats().solved == solved);
            cost.steps.push(self.engine.stats().steps - steps);
        }
        Ok(())
    }

    /// Asks; how long it took. With `tell` the solver gives the answer, which is recorded.
    fn ask(&mut self, query: &Query, tell: bool) -> Result<Duration, String> {
        // As when a program is explored: terms are built before, and each is new to the engine.
        let mut terms = Terms::new();
        self.engine.renew();
        let mut build = |list: &[Comparison]| -> Option<Vec<TermId>> {
            list.iter().map(|comparison| query.program.term(&mut terms, comparison)).collect()
        };
        let constraints = build(&query.constraints).ok_or("a term")?;
        let core = if query.answer == Verdict::Unsat { &constraints[constraints.len() - 3..] } else { &[] };
        let model = (tell && query.answer == Verdict::Sat).then(|| query.program.model(&mut terms));
        let answer = if tell { query.answer.clone() } else { Verdict::Unknown("not told".into()) };
        let mut oracle = Oracle { answer, model, core: core.to_vec() };
        let start = std::time::Instant::now();
        let asked = evergreen::Query::new(&constraints, Question::Sat);
        let found = self.engine.answer(&mut terms, &asked, &mut oracle);
        let elapsed = start.elapsed();
        let found = found.map_err(|_| "a miss where solving is allowed")?.verdict;
        let right = found == query.answer || matches!(found, Verdict::Unknown(_));
        if right { Ok(elapsed) } else { Err(format!("{found:?} where {:?} is known", query.answer)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hits and steps of thirty queries of each kind.
    fn ask_all(recorded: &mut Recorded) -> Vec<(usize, Vec<u64>)> {
        let cost = |(asked, _): &(Asked, &str)| {
            let mut cost = Cost::default();
            recorded.measure(*asked, 0, 30, &mut cost).expect("right answers");
            (cost.hits, cost.steps)
        };
        ASKED.iter().map(cost).collect()
    }

    /// The same is known in memory, on disk, and to an engine that has recorded nothing itself and only has
    /// the store.
    #[test]
    fn what_is_recorded_is_known_wherever_the_store_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let [memory, disk] = [SETTINGS[0], SETTINGS[2]].map(|setting| {
            let mut recorded = Recorded::new(setting, folder.path(), 7).expect("a store");
            recorded.grow(400).expect("right answers");
            recorded
        });
        let programs = disk.programs;
        assert_eq!(memory.programs, programs);
        drop(disk);
        let mut later = Recorded::new(SETTINGS[2], folder.path(), 7).expect("a store");
        later.programs = programs;
        // One constraint of a path: the set with it lies under another prefix, and is found by reference.
        let one = |number: u64| {
            let mut query = Query::path(Program::new(7, number % programs), 6).moved(true, number);
            query.constraints.drain(..5);
            query
        };
        for number in 0..30 {
            later.ask(&one(number), false).expect("a right answer");
        }
        assert_eq!(later.engine.stats().solved, 0);
        let fresh = ask_all(&mut later);
        assert_eq!([fresh[0].0, fresh[1].0, fresh[2].0], [30, 30, 30], "{fresh:?}");
        let mut disk = Recorded::new(SETTINGS[2], &folder.path().join("again"), 7).expect("a store");
        disk.grow(400).expect("right answers");
        let (mut memory, hits) = (memory, |all: &[(usize, Vec<u64>)]| [all[0].0, all[1].0, all[2].0]);
        let (in_memory, on_disk) = (ask_all(&mut memory), ask_all(&mut disk));
        assert_eq!(hits(&in_memory), [30, 30, 30]);
        assert_eq!(in_memory, on_disk);
    }
}
