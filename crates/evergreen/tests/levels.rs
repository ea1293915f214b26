//! Every level of reuse gives the same answers, and each level asks a solver no more often than the one before it.

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

/// Explores a random program depth first: at each branch both arms are asked about, feasible ones are followed.
fn explore(e: &mut Evergreen, random: &mut Random, depth: usize, verdicts: &mut Vec<bool>) {
    if depth == 0 {
        return;
    }
    let condition = comparison(e, random);
    let negated = e.app(Fun::Not, &[condition]).unwrap();
    let seed = random.next();
    for (arm, constraint) in [condition, negated].into_iter().enumerate() {
        let answer = e.branch(constraint, Question::Sat).unwrap();
        assert!(!matches!(answer.verdict, Verdict::Unknown(_)));
        verdicts.push(answer.verdict == Verdict::Sat);
        if answer.verdict == Verdict::Sat {
            e.push(constraint).unwrap();
            // Both arms run on into the same code: what follows is the same, under other constraints.
            explore(e, &mut Random::for_index(seed, arm as u64 / 2), depth - 1, verdicts);
            e.pop();
        }
    }
}

#[test]
fn answers_are_the_same_and_solver_calls_go_down() {
    for seed in 0..12 {
        let mut before: Option<(Vec<bool>, u64)> = None;
        for level in LEVELS {
            let mut e = library(level);
            let mut verdicts = Vec::new();
            explore(&mut e, &mut Random::new(seed), 6, &mut verdicts);
            let solved = e.stats().solved;
            assert!(verdicts.contains(&false) || seed > 0);
            if let Some((expected, most)) = &before {
                assert_eq!(&verdicts, expected, "seed {seed}: {level:?}");
                assert!(
                    solved <= *most,
                    "seed {seed}: {level:?} solves {solved}, the level before it {most}"
                );
            }
            if level.native {
                assert_eq!(solved, 0, "seed {seed}: a linear path needs no solver process");
            }
            println!("seed {seed} {level:?}: {} queries, {solved} solved", verdicts.len());
            before = Some((verdicts, solved));
        }
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
