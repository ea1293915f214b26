//! Values that are settled: what they depend on, and what it costs to find them.

use evergreen::solver::{Command, Limits, Outcome, PipeSolver, Problem, Solver, SolverError};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Fun, Question, SettlingStats, SortId, Stats, TermId, Value, Verdict};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Inputs, JavaFrontend, Options, Program};
use evergreen_testing::random::Random;
use evergreen_testing::tools::{find, put_on_path, repository};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const NAMES: [&str; 5] = ["e", "b", "a", "d", "c"];

/// `sum of factors * values + constant`, compared to 0.
#[derive(Clone, Debug)]
struct Linear {
    factors: [i64; 5],
    constant: i64,
    fun: Fun,
}

impl Linear {
    fn random(random: &mut Random) -> Linear {
        let mut factors = [0; 5];
        for _ in 0..=random.below(2) {
            factors[random.below(5)] = [-2, -1, -1, 1, 1, 3][random.below(6)];
        }
        let constant = random.below(9) as i64 - 4;
        let fun = [Fun::Le, Fun::Le, Fun::Lt, Fun::Eq, Fun::Distinct][random.below(5)];
        Linear { factors, constant, fun }
    }

    fn holds(&self, values: &[i64; 5]) -> bool {
        let sum: i64 = self.factors.iter().zip(values).map(|(f, v)| f * v).sum::<i64>() + self.constant;
        match self.fun {
            Fun::Le => sum <= 0,
            Fun::Lt => sum < 0,
            Fun::Eq => sum == 0,
            _ => sum != 0,
        }
    }

    fn term(&self, e: &mut Evergreen) -> TermId {
        let mut sum = e.terms().int(self.constant);
        for (name, factor) in NAMES.iter().zip(self.factors) {
            if factor != 0 {
                let (x, factor) = (e.constant(name, SortId::INT), e.terms().int(factor));
                let product = e.app(Fun::Mul, &[factor, x]).expect("integers");
                sum = e.app(Fun::Add, &[sum, product]).expect("integers");
            }
        }
        let zero = e.terms().int(0);
        e.app(self.fun, &[sum, zero]).expect("integers")
    }
}

/// A library, as one that has answered other questions before.
struct Path {
    library: Evergreen,
    values: [i64; 5],
}

impl Path {
    fn new(order: impl Iterator<Item = usize>) -> Path {
        put_on_path();
        let mut library = Evergreen::builder().store("memory:").build().expect("z3 is there");
        // Numbers of variables, and the last model of the native core, reveal what came first.
        for at in order {
            let x = library.constant(NAMES[at], SortId::INT);
            let far = library.terms().int(100 + at as i64);
            let above = library.app(Fun::Gt, &[x, far]).expect("integers");
            assert_eq!(library.branch(above, Question::Sat).expect("an answer").verdict, Verdict::Sat);
        }
        Path { library, values: [0; 5] }
    }

    /// Continues under a constraint if that is possible.
    fn extend(&mut self, constraint: &Linear) -> bool {
        let term = constraint.term(&mut self.library);
        if !constraint.holds(&self.values) {
            if self.library.branch(term, Question::Sat).expect("an answer").verdict != Verdict::Sat {
                return false;
            }
            let old = self.values;
            let near = |terms: &evergreen::Terms, symbol| {
                NAMES.iter().position(|name| *name == terms.symbol_text(symbol)).map(|at| old[at])
            };
            let settled = self.library.settle(&[term], &near).expect("linear");
            for (at, name) in NAMES.iter().enumerate() {
                let symbol = self.library.constant(name, SortId::INT);
                let evergreen::Op::Apply(symbol) = self.library.terms().op(symbol) else {
                    panic!("a constant")
                };
                if let Some(Value::Int(value)) = settled.get(symbol) {
                    self.values[at] = value.to_i64().expect("small");
                }
            }
        }
        self.library.push(term).unwrap();
        true
    }
}

#[test]
fn settled_values_hold_and_do_not_reveal_what_came_first() {
    let mut random = Random::new(11);
    let mut sum = SettlingStats::default();
    for round in 0..150 {
        let mut one = Path::new(0..5);
        let mut other = Path::new((0..5).rev());
        let mut path: Vec<Linear> = Vec::new();
        for _ in 0..14 {
            let next = Linear::random(&mut random);
            let goes = one.extend(&next);
            assert_eq!(goes, other.extend(&next), "round {round}");
            if goes {
                path.push(next);
            }
            assert!(
                path.iter().all(|c| c.holds(&one.values)),
                "round {round}: {path:?} under {:?}",
                one.values
            );
            assert_eq!(one.values, other.values, "round {round}: {path:?}");
        }
        assert_eq!(one.library.stats().settling, other.library.stats().settling);
        sum.add(&one.library.stats().settling);
    }
    assert!(sum.moved > 10 * sum.native.max(1), "moves are what makes it cheap: {sum:?}");
    assert!(sum.native > 0, "and there is a way without them: {sum:?}");
    assert_eq!((sum.tried, sum.stored, sum.solver), (0, 0, 0));
}

/// Counts how often it is asked from a clean state.
struct Counting(PipeSolver, Arc<AtomicU64>);

impl Solver for Counting {
    fn describe(&self) -> String {
        self.0.describe()
    }
    fn check(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        self.0.check(problem)
    }
    fn check_apart(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.check_apart(problem)
    }
    fn starts(&self) -> u64 {
        self.0.starts()
    }
}

/// Explores a method with floating point, which no core in here reads; the counters, and how often the solver
/// was asked from a clean state.
fn explored(store: &Arc<dyn Store>) -> (Stats, u64) {
    let calls = Arc::new(AtomicU64::new(0));
    let targets =
        ["crates/java/tests/java/parallel", "crates/replay/java/sym"].map(|folder| repository().join(folder));
    let program = Program::open(&targets, None, find_jdk().expect("a JDK")).unwrap_or_else(|e| panic!("{e}"));
    let method = program.methods(Some("Products.nearer")).unwrap_or_else(|e| panic!("{e}")).remove(0);
    let (store, counter) = (store.clone(), calls.clone());
    let make = move || {
        let command = Command::parse(&find("z3").to_string_lossy()).expect("a command");
        let process = PipeSolver::new(command, Limits::default()).keeping_stack();
        let solver = Box::new(Counting(process, counter.clone()));
        Evergreen::builder().with_store(store.clone()).with_solver(solver).build()
    };
    let mut exploration =
        JavaFrontend::explore(program, Ints::Wrapped, JvmOptions::default(), Box::new(make))
            .expect("a machine");
    let mut run = exploration
        .entry(&method, &Inputs::default(), Options::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .without_shrinking();
    while run.next_path().is_some() {}
    (run.oracle().stats(), calls.load(Ordering::SeqCst))
}

#[test]
fn calls_that_settle_inputs_are_counted_apart() {
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let (cold, calls) = explored(&store);
    assert_eq!(cold.settling.solver, calls);
    assert_eq!(cold.settling.stored, 0);
    assert!(calls > 0 && cold.settling.tried > 0 && cold.settling.moved > 0, "{:?}", cold.settling);
    assert!(cold.solved > 0);
    // The second run asks no solver.
    let (warm, calls) = explored(&store);
    assert_eq!((calls, warm.solved), (0, 0));
    assert_eq!(warm.settling, SettlingStats { solver: 0, stored: cold.settling.solver, ..cold.settling });
}
