//! The library's front: what is asked of it, and how often a solver is.

use evergreen::{Error, Event, Evergreen, Fun, Question, Reuse, Rung, Sort, SortId, TermId, Trust, Verdict};
use evergreen_testing::redis::RedisServer;

fn library(store: &str) -> Evergreen {
    evergreen_testing::tools::put_on_path();
    let builder = Evergreen::builder().store(store).reuse(Reuse::Exact).native(false);
    builder.log_events().build().expect("z3 is there")
}

/// `name + 1 > limit`
fn above(e: &mut Evergreen, name: &str, limit: i64) -> TermId {
    let x = e.constant(name, SortId::INT);
    let (one, limit) = (e.terms().int(1), e.terms().int(limit));
    let sum = e.app(Fun::Add, &[x, one]).unwrap();
    e.app(Fun::Gt, &[sum, limit]).unwrap()
}

#[test]
fn the_same_question_twice_in_one_query_is_solved_once() {
    let mut e = library("memory:");
    let (a, b) = (above(&mut e, "a", 5), above(&mut e, "b", 5));
    let answer = e.check(&[a, b], Question::Model).unwrap();
    assert_eq!(answer.verdict, Verdict::Sat);
    assert_eq!((e.stats().slices, e.stats().solved, e.stats().hits(Rung::Exact)), (2, 1, 1));
    // Both symbols have a value all the same.
    assert_eq!(answer.model.expect("a model was asked for").len(), 2);
}

#[test]
fn a_model_of_a_path_covers_all_of_it() {
    let mut e = library("memory:");
    for (name, limit) in [("a", 5), ("b", 7), ("c", 9)] {
        let constraint = above(&mut e, name, limit);
        assert_eq!(e.branch(constraint, Question::Sat).unwrap().verdict, Verdict::Sat);
        e.push(constraint).unwrap();
    }
    assert_eq!(e.depth(), 3);
    let last = above(&mut e, "d", 11);
    let model = e.branch(last, Question::Model).unwrap().model.expect("a model was asked for");
    assert_eq!(model.len(), 4);
    // The path's parts were known: only the new constraint was solved.
    assert_eq!(e.stats().solved, 4);
    e.pop();
    assert_eq!(e.depth(), 2);
}

#[test]
fn a_core_names_constraints_of_the_query() {
    let mut e = library("memory:");
    let (high, other) = (above(&mut e, "x", 5), above(&mut e, "y", 5));
    let x = e.constant("x", SortId::INT);
    let three = e.terms().int(3);
    let low = e.app(Fun::Lt, &[x, three]).unwrap();
    for round in ["solved", "reused"] {
        let answer = e.check(&[high, other, low], Question::Core).unwrap();
        assert_eq!(answer.verdict, Verdict::Unsat, "{round}");
        let mut core = answer.core.unwrap_or_else(|| panic!("{round}: no core")).into_constraints();
        core.sort_unstable();
        let mut expected = vec![high, low];
        expected.sort_unstable();
        assert_eq!(core, expected, "{round}");
    }
}

#[test]
fn require_hit_says_what_is_missing() {
    evergreen_testing::tools::put_on_path();
    let mut e = Evergreen::builder().store("memory:").native(false).require_hit().build().unwrap();
    let constraint = above(&mut e, "x", 5);
    match e.check(&[constraint], Question::Sat) {
        Err(Error::Miss(query)) => assert!(query.contains("(declare-fun x () Int)"), "{query}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_one_process_solved_another_reuses_through_redis() {
    let server = RedisServer::start();
    let mut first = library(&server.url());
    let constraints: Vec<TermId> = (0..6).map(|i| above(&mut first, &format!("v{i}"), i)).collect();
    assert_eq!(first.check(&constraints, Question::Model).unwrap().verdict, Verdict::Sat);
    assert_eq!(first.stats().solved, 6);
    first.flush().unwrap();
    let mut second = library(&server.url());
    let constraints: Vec<TermId> = (0..6).rev().map(|i| above(&mut second, &format!("w{i}"), i)).collect();
    assert_eq!(second.check(&constraints, Question::Model).unwrap().verdict, Verdict::Sat);
    assert_eq!((second.stats().solved, second.stats().hits(Rung::Exact)), (0, 6));
}

#[test]
fn what_redis_says_has_to_be_proved_unless_it_is_trusted() {
    evergreen_testing::tools::put_on_path();
    let server = RedisServer::start();
    let open = |trust: Trust| {
        let url = server.url();
        let builder = Evergreen::builder().store(&url).reuse(Reuse::Exact).native(false);
        builder.trust(trust).log_events().build().expect("z3 is there")
    };
    // 2a = 2b + 1 has a certificate, as have vectors of 16 bits; vectors of 100 bits have none.
    let ask = |e: &mut Evergreen| {
        let (a, b) = (e.constant("a", SortId::INT), e.constant("b", SortId::INT));
        let (one, two) = (e.terms().int(1), e.terms().int(2));
        let (left, right) = (e.app(Fun::Mul, &[two, a]).unwrap(), e.app(Fun::Mul, &[two, b]).unwrap());
        let odd = e.app(Fun::Add, &[right, one]).unwrap();
        let (both, lower) = (e.app(Fun::Ge, &[left, odd]).unwrap(), e.app(Fun::Le, &[left, odd]).unwrap());
        assert_eq!(e.check(&[both, lower], Question::Sat).unwrap().verdict, Verdict::Unsat);
        for (width, names) in [(16, ["c", "d"]), (100, ["v", "w"])] {
            let word = e.terms().sort(Sort::BitVec(width));
            let [c, d] = names.map(|name| e.constant(name, word));
            let below = e.app(Fun::BvUlt, &[c, d]).unwrap();
            let above = e.app(Fun::BvUlt, &[d, c]).unwrap();
            assert_eq!(e.check(&[below, above], Question::Sat).unwrap().verdict, Verdict::Unsat);
        }
        e.flush().unwrap();
    };
    let counted = |trust: Trust| {
        let mut e = open(trust);
        ask(&mut e);
        let events = e.take_events();
        let distrusted =
            events.iter().filter(|event| matches!(event, Event::Distrusted { .. })).count() as u64;
        assert_eq!(distrusted, e.stats().distrusted);
        // Asked again, this process knows what it has solved or checked itself.
        ask(&mut e);
        (e.stats().solved, e.stats().hits(Rung::Exact), e.stats().distrusted, e.stats().rejected)
    };
    assert_eq!(counted(Trust::Local), (3, 3, 0, 0), "nothing is there yet");
    assert_eq!(counted(Trust::Local), (1, 5, 1, 0), "two were proved");
    assert_eq!(counted(Trust::All), (0, 6, 0, 0));
}
