//! Constraints that say the same in other words, and symbols that cancel out: cores and models stay right.

use evergreen::{
    CanonMode, Completion, Core, Evaluator, Evergreen, Fun, Question, Reuse, SortId, TermId, Verdict,
};

const LEVELS: [Reuse; 4] = [Reuse::Exact, Reuse::Subset, Reuse::Logical, Reuse::Full];

fn library(reuse: Reuse) -> Evergreen {
    evergreen_testing::tools::put_on_path();
    let builder =
        Evergreen::builder().store("memory:").solver("yices-smt2").reuse(reuse).canon(CanonMode::Full);
    builder.native(false).regulate(false).build().expect("yices-smt2 is there")
}

/// `x op y + z`.
fn compare(e: &mut Evergreen, fun: Fun, [x, y, z]: [&str; 3]) -> TermId {
    let [x, y, z] = [x, y, z].map(|name| e.constant(name, SortId::INT));
    let sum = e.app(Fun::Add, &[y, z]).unwrap();
    e.app(fun, &[x, sum]).unwrap()
}

/// The form has one of two constraints that say the same. A core may name the other, and is not the rest of
/// it.
#[test]
fn a_core_in_other_words_is_not_cut_down() {
    for reuse in LEVELS {
        let mut e = library(reuse);
        let more = compare(&mut e, Fun::Gt, ["x", "y", "z"]);
        let again = compare(&mut e, Fun::Gt, ["x", "z", "y"]);
        let less = compare(&mut e, Fun::Le, ["x", "z", "y"]);
        for query in [[more, again, less], [again, more, less], [less, again, more]] {
            for _ in 0..2 {
                let answer = e.check(&query, Question::Core).unwrap();
                assert_eq!(answer.verdict, Verdict::Unsat);
                let core = answer.core.map_or_else(|| query.to_vec(), Core::into_constraints);
                assert!(
                    core.contains(&less) && (core.contains(&more) || core.contains(&again)),
                    "{reuse:?}: {core:?}"
                );
            }
        }
        assert_eq!(e.check(&[less], Question::Sat).unwrap().verdict, Verdict::Sat, "{reuse:?}");
        assert_eq!(e.check(&[more, again], Question::Sat).unwrap().verdict, Verdict::Sat, "{reuse:?}");
    }
}

/// `x < x + y` is about y alone; the solver that is asked about it also gives a value to x, which is another
/// part's.
#[test]
fn a_symbol_that_cancels_out_keeps_its_value() {
    for reuse in LEVELS {
        let mut e = library(reuse);
        let (x, low) = (e.constant("x", SortId::INT), e.terms().int(5));
        let far = e.app(Fun::Gt, &[x, low]).unwrap();
        assert_eq!(e.branch(far, Question::Model).unwrap().verdict, Verdict::Sat);
        e.push(far).unwrap();
        let cancels = compare(&mut e, Fun::Lt, ["x", "x", "y"]);
        for _ in 0..2 {
            let answer = e.branch(cancels, Question::Model).unwrap();
            assert_eq!(answer.verdict, Verdict::Sat);
            let model = answer.model.expect("a model was asked for");
            let mut evaluator = Evaluator::new(e.terms(), &model).completing(Completion::Default);
            for constraint in [far, cancels] {
                assert_eq!(evaluator.holds(constraint), Ok(true), "{reuse:?}: {model:?}");
            }
        }
    }
}
