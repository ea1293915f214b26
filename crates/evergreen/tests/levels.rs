//! Every level of reuse gives the same answers, and each level asks a solver no more often than the one
//! before it.

use evergreen::{CanonMode, Evergreen, Fun, Question, Reuse, Rung, SortId, TermId, Verdict};
use evergreen_testing::random::Random;

/// How a library is set up for a study.
#[derive(Clone, Copy, Debug)]
struct Level {
    reuse: Reuse,
    canon: CanonMode,
    native: bool,
}

const LEVELS: [Level; 6] = [
    Level { reuse: Reuse::None, canon: CanonMode::Full, native: false },
    Level { reuse: Reuse::Exact, canon: CanonMode::Green, native: false },
    Level { reuse: Reuse::Subset, canon: CanonMode::Full, native: false },
    Level { reuse: Reuse::Logical, canon: CanonMode::Full, native: false },
    Level { reuse: Reuse::Full, canon: CanonMode::Full, native: false },
    Level { reuse: Reuse::Full, canon: CanonMode::Full, native: true },
];

fn library(level: Level) -> Evergreen {
    evergreen_testing::tools::put_on_path();
    Evergreen::builder()
        .store("memory:")
        .solver("yices-smt2")
        .reuse(level.reuse)
        .canon(level.canon)
        .native(level.native)
        .regulate(false)
        .build()
        .expect("yices-smt2 is there")
}

/// A random comparison of one to three of four variables.
fn comparison(e: &mut Evergreen, random: &mut Random) -> TermId {
    let count = 1 + random.below(3);
    let mut sum: Vec<TermId> = Vec::new();
    for _ in 0..count {
        let name = ["a", "b", "c", "d"][random.below(4)];
        let x = e.constant(name, SortId::INT);
        let c = e.terms().int([1, 1, 1, -1, 2, -3][random.below(6)]);
        sum.push(e.app(Fun::Mul, &[c, x]).unwrap());
    }
    let left = if let [only] = sum[..] { only } else { e.app(Fun::Add, &sum).unwrap() };
    let right = e.terms().int(random.between(-6, 6));
    let fun = [Fun::Le, Fun::Lt, Fun::Ge, Fun::Eq, Fun::Distinct][random.below(5)];
    e.app(fun, &[left, right]).unwrap()
}

/// Explores a random program depth first: at each branch both arms are asked about, feasible ones are
/// followed.
fn explore(e: &mut Evergreen, random: &mut Random, depth: usize, verdicts: &mut Vec<bool>) {
    if depth == 0 {
        return;
    }
    let condition = comparison(e, random);
    let negated = e.app(Fun::Not, &[condition]).unwrap();
    let seed = random.next();
    for constraint in [condition, negated] {
        let answer = e.branch(constraint, Question::Sat).unwrap();
        assert!(!matches!(answer.verdict, Verdict::Unknown(_)));
        verdicts.push(answer.verdict == Verdict::Sat);
        if answer.verdict == Verdict::Sat {
            e.push(constraint).unwrap();
            // Both arms run on into the same code: what follows is the same, under other constraints.
            explore(e, &mut Random::for_index(seed, 0), depth - 1, verdicts);
            e.pop();
        }
    }
}

/// Of each seed: queries, those of them that are unsatisfiable, and calls of the solver at each of
/// [`LEVELS`].
const EXPECTED: [(usize, usize, [u64; LEVELS.len()]); 12] = [
    (32, 5, [32, 10, 10, 3, 3, 0]),
    (104, 9, [104, 56, 50, 42, 26, 0]),
    (124, 7, [124, 124, 122, 122, 63, 0]),
    (124, 11, [124, 124, 118, 118, 65, 0]),
    (78, 12, [78, 62, 60, 60, 30, 0]),
    (94, 8, [94, 68, 66, 63, 48, 0]),
    (114, 18, [114, 114, 99, 80, 44, 0]),
    (114, 14, [114, 54, 50, 48, 28, 0]),
    (70, 8, [70, 62, 59, 58, 31, 0]),
    (84, 15, [84, 56, 56, 56, 30, 0]),
    (62, 8, [62, 20, 20, 18, 11, 0]),
    (88, 25, [88, 30, 28, 20, 11, 0]),
];

#[test]
fn answers_are_the_same_and_solver_calls_go_down() {
    let mut found = Vec::new();
    for seed in 0..EXPECTED.len() as u64 {
        let walk = |level: Level| {
            let mut e = library(level);
            let mut verdicts = Vec::new();
            explore(&mut e, &mut Random::new(seed), 6, &mut verdicts);
            (verdicts, e.stats().solved)
        };
        let all = LEVELS.map(walk);
        let verdicts = &all[0].0;
        for (level, (others, _)) in LEVELS.iter().zip(&all) {
            assert_eq!(others, verdicts, "seed {seed}: {level:?}");
        }
        let unsat = verdicts.iter().filter(|sat| !**sat).count();
        found.push((verdicts.len(), unsat, all.each_ref().map(|(_, solved)| *solved)));
    }
    assert_eq!(found, EXPECTED);
    for (queries, unsat, solved) in found {
        // Without reuse everything is solved, and a linear path needs no solver process.
        assert_eq!((solved[0], solved[5]), (queries as u64, 0));
        assert!(unsat > 0 && solved.is_sorted_by(|less, more| less >= more), "{solved:?}");
    }
}

#[test]
fn an_implied_model_is_carried_back_through_the_renaming() {
    for reuse in [Reuse::Logical, Reuse::Full] {
        let mut e = library(Level { reuse, canon: CanonMode::Full, native: false });
        // v0 >= 3 and v0 + v1 <= 7 are satisfiable ...
        let mut set = |names: [&str; 2], low: i64, high: Option<i64>| {
            let (x, y) = (e.constant(names[0], SortId::INT), e.constant(names[1], SortId::INT));
            let (low, sum) = (e.terms().int(low), e.app(Fun::Add, &[x, y]).unwrap());
            let mut set = vec![e.app(Fun::Ge, &[x, low]).unwrap()];
            if let Some(high) = high {
                let high = e.terms().int(high);
                set.push(e.app(Fun::Le, &[sum, high]).unwrap());
            }
            let answer = e.check(&set, Question::Model).unwrap();
            assert_eq!(answer.verdict, Verdict::Sat);
            let model = answer.model.expect("a model was asked for");
            let related = e.stats().hits(Rung::Implied) + e.stats().hits(Rung::Satisfied);
            (model.len(), e.stats().solved, related)
        };
        assert_eq!(set(["p", "q"], 3, Some(7)), (2, 1, 0));
        // ... so weaker ones about other variables are, and the model is one of theirs.
        assert_eq!(set(["r", "s"], 2, Some(9)), (2, 1, 1), "{reuse:?}");
    }
}

/// What one process found out, the next one finds related things by, although it never asked them.
#[test]
fn sets_outlive_the_process() {
    let folder = std::env::temp_dir().join(format!("evergreen-levels-{}", std::process::id()));
    let builder = || {
        evergreen_testing::tools::put_on_path();
        let builder = Evergreen::builder().store(folder.to_str().unwrap()).solver("yices-smt2");
        builder.reuse(Reuse::Logical).native(false).build().expect("yices-smt2 is there")
    };
    let ask = |e: &mut Evergreen, low: i64, high: i64| {
        let (x, y) = (e.constant("x", SortId::INT), e.constant("y", SortId::INT));
        let (low, high) = (e.terms().int(low), e.terms().int(high));
        let (three, five) = (e.terms().int(3), e.terms().int(5));
        let (a, b) = (e.app(Fun::Mul, &[three, x]).unwrap(), e.app(Fun::Mul, &[five, y]).unwrap());
        let sum = e.app(Fun::Add, &[a, b]).unwrap();
        let difference = e.app(Fun::Sub, &[x, y]).unwrap();
        let set = [
            e.app(Fun::Ge, &[sum, low]).unwrap(),
            e.app(Fun::Le, &[difference, high]).unwrap(),
            e.app(Fun::Ge, &[difference, high]).unwrap(),
        ];
        e.check(&set, Question::Sat).unwrap().verdict
    };
    let mut first = builder();
    assert_eq!(ask(&mut first, 40, 3), Verdict::Sat);
    assert_eq!(first.stats().solved, 1);
    drop(first);
    let mut second = builder();
    assert_eq!(ask(&mut second, 7, 3), Verdict::Sat, "3x + 5y >= 40 implies 3x + 5y >= 7");
    assert_eq!((second.stats().solved, second.stats().hits(Rung::Implied)), (0, 1));
    drop(second);
    std::fs::remove_dir_all(&folder).unwrap();
}
