//! The checker accepts proofs and nothing else: each rule by hand, and random attacks on satisfiable queries.

use crate::harness::rows::{eq, le, ne};
use evergreen_lia::{Certificate, Flaw, Part, Row, Step, Why, check};
use evergreen_term::Int;

fn sum(parts: &[(u32, i64)]) -> Vec<Part> {
    parts.iter().map(|&(line, times)| Part { line, times: Int::from(times) }).collect()
}

fn close(parts: &[(u32, i64)]) -> Step {
    Step::Close(sum(parts))
}

fn cut(parts: &[(u32, i64)], divisor: i64) -> Step {
    Step::Cut { sum: sum(parts), divisor: Int::from(divisor) }
}

fn split(terms: &[(u32, i64)], at: i64) -> Step {
    Step::Split { terms: terms.iter().map(|&(var, c)| (var, Int::from(c))).collect(), at: Int::from(at) }
}

fn apart_step(line: u32) -> Step {
    Step::Apart { line }
}

fn verdict(rows: &[Row], steps: Vec<Step>) -> Result<(), Flaw> {
    check(rows, &Certificate { steps })
}

#[track_caller]
fn accepted(rows: &[Row], steps: Vec<Step>) {
    assert_eq!(verdict(rows, steps), Ok(()));
}

#[track_caller]
fn refused(rows: &[Row], steps: Vec<Step>, step: usize, why: Why) {
    assert_eq!(verdict(rows, steps), Err(Flaw { step, why }));
}

/// x + y <= 3, x >= 2, y >= 2
fn farkas() -> [Row; 3] {
    [le(&[(0, 1), (1, 1)], -3), le(&[(0, -1)], 2), le(&[(1, -1)], 2)]
}

#[test]
fn a_sum_of_inequalities() {
    accepted(&farkas(), vec![close(&[(0, 1), (1, 1), (2, 1)])]);
    accepted(&farkas(), vec![close(&[(2, 7), (0, 7), (1, 3), (1, 4)])]);
    refused(&farkas(), vec![close(&[(0, 1), (1, 1), (2, 2)])], 0, Why::Variable(1));
    refused(&farkas(), vec![close(&[(0, 1), (1, 1)])], 0, Why::Variable(1));
    refused(&farkas(), vec![close(&[(0, -1), (1, -1), (2, -1)])], 0, Why::Multiplier(0));
    refused(&farkas(), vec![close(&[(0, 1), (1, 1), (2, 0)])], 0, Why::Multiplier(2));
    refused(&farkas(), vec![close(&[(0, 1), (1, 1), (3, 1)])], 0, Why::NoLine(3));
    refused(&farkas(), vec![close(&[(0, 1), (u32::MAX, 1)])], 0, Why::NoLine(u32::MAX));
    refused(&farkas(), vec![close(&[])], 0, Why::True);
    // x + y <= 4 is satisfiable with them: the sum says 0 <= 0.
    let [mut first, second, third] = farkas();
    first.constant = -4;
    refused(&[first, second, third], vec![close(&[(0, 1), (1, 1), (2, 1)])], 0, Why::True);
}

#[test]
fn a_sum_of_equalities() {
    // x + y = 1, x + y = 3; of equalities the sum may be negative, and so may the multipliers.
    let rows = [eq(&[(0, 1), (1, 1)], -1), eq(&[(0, 1), (1, 1)], -3)];
    accepted(&rows, vec![close(&[(0, 1), (1, -1)])]);
    accepted(&rows, vec![close(&[(0, -1), (1, 1)])]);
    refused(&rows, vec![close(&[(0, 0)])], 0, Why::True);
    // With an inequality in the sum only a positive constant is false.
    let rows = [eq(&[(0, 1)], -1), le(&[(0, 1)], -3)];
    refused(&rows, vec![close(&[(0, -1), (1, 1)])], 0, Why::True);
    let rows = [eq(&[(0, 1)], -3), le(&[(0, 1)], -1)];
    accepted(&rows, vec![close(&[(0, -1), (1, 1)])]);
    accepted(&[eq(&[], -5)], vec![close(&[(0, 1)])]);
    accepted(&[le(&[], 5)], vec![close(&[(0, 1)])]);
    refused(&[le(&[], -5)], vec![close(&[(0, 1)])], 0, Why::True);
}

#[test]
fn a_cut() {
    // 1 <= 3x - 3y <= 2
    let rows = [le(&[(0, 3), (1, -3)], -2), le(&[(0, -3), (1, 3)], 1)];
    let proof = |divisor| vec![cut(&[(0, 1)], divisor), cut(&[(1, 1)], divisor), close(&[(2, 1), (3, 1)])];
    accepted(&rows, proof(3));
    refused(&rows, proof(2), 0, Why::Divisor);
    refused(&rows, proof(0), 0, Why::Divisor);
    refused(&rows, proof(-3), 0, Why::Divisor);
    refused(&rows, proof(1), 2, Why::True);
    // Without the rounding there is nothing false: 3x - 3y between 0 and 3.
    let loose = [le(&[(0, 3), (1, -3)], -3), le(&[(0, -3), (1, 3)], 1)];
    refused(&loose, proof(3), 2, Why::True);
    // 2x + 4y = 1: an even number is not one.
    let rows = [eq(&[(0, 2), (1, 4)], -1)];
    accepted(&rows, vec![cut(&[(0, 1)], 2), cut(&[(0, -1)], 2), close(&[(1, 1), (2, 1)])]);
    // A derived line is an inequality, also where it comes from an equality.
    refused(&rows, vec![cut(&[(0, 1)], 2), close(&[(1, -1)])], 1, Why::Multiplier(1));
}

#[test]
fn rounding_goes_up() {
    // x <= -1/2 is x <= -1, that is x + 1 <= 0; x <= 1/2 is x <= 0.
    for (constant, rounded) in [(1, 1), (2, 1), (3, 2), (-1, 0), (-2, -1), (-3, -1), (0, 0)] {
        let rows = [le(&[(0, 2)], constant), le(&[(0, -1)], 1 - rounded)];
        accepted(&rows, vec![cut(&[(0, 1)], 2), close(&[(2, 1), (1, 1)])]);
        let rows = [le(&[(0, 2)], constant), le(&[(0, -1)], -rounded)];
        refused(&rows, vec![cut(&[(0, 1)], 2), close(&[(2, 1), (1, 1)])], 1, Why::True);
    }
}

/// 2x = 3y, 1 <= x <= 2
fn thirds() -> [Row; 3] {
    [eq(&[(0, 2), (1, -3)], 0), le(&[(0, 1)], -2), le(&[(0, -1)], 1)]
}

/// y <= 0, y = 1 and y >= 2 in turn.
fn thirds_proof() -> Vec<Step> {
    vec![
        split(&[(1, 1)], 0),
        close(&[(0, 1), (3, 3), (2, 2)]), // y <= 0: 2x <= 0
        split(&[(1, 1)], 1),
        cut(&[(0, 1), (4, 3)], 2),  // y <= 1: 2x <= 3, x <= 1
        cut(&[(0, -1), (3, 3)], 2), // y >= 1: 2x >= 3, x >= 2
        close(&[(5, 1), (6, 1)]),
        close(&[(0, -1), (4, 3), (1, 2)]), // y >= 2: 2x >= 6
    ]
}

/// The proof with one step replaced.
fn thirds_but(number: usize, step: Step) -> Vec<Step> {
    let mut steps = thirds_proof();
    steps[number] = step;
    steps
}

#[test]
fn a_split() {
    accepted(&thirds(), thirds_proof());
    // Another value leaves a gap or a case that the rest does not fit.
    refused(&thirds(), thirds_but(0, split(&[(1, 1)], 1)), 1, Why::True);
    refused(&thirds(), thirds_but(2, split(&[(1, 1)], 2)), 5, Why::True);
    refused(&thirds(), thirds_but(2, split(&[(1, 2)], 1)), 3, Why::Divisor);
    refused(&thirds(), thirds_but(2, split(&[(0, 1)], 1)), 3, Why::Divisor);
    // Terms may repeat and cancel; a split over nothing makes a case 0 <= at and a case at + 1 <= 0.
    accepted(&thirds(), thirds_but(0, split(&[(1, 3), (0, 5), (1, -2), (0, -5)], 0)));
    accepted(&[le(&[], 1)], vec![split(&[], 0), close(&[(0, 1)]), close(&[(1, 1)])]);
    refused(&[le(&[], 1)], vec![split(&[], 0), close(&[(1, 1)]), close(&[(0, 1)])], 1, Why::True);
}

#[test]
fn lines_belong_to_their_branch() {
    // The last case knows its own split only, neither the cuts of its sibling nor the
    // first case of any split.
    refused(&thirds(), thirds_but(6, close(&[(5, 1), (6, 1)])), 6, Why::NoLine(5));
    refused(&thirds(), thirds_but(6, close(&[(0, 1), (3, 3), (2, 2)])), 6, Why::Variable(1));
    refused(&thirds(), thirds_but(1, close(&[(4, 1)])), 1, Why::NoLine(4));
    // A line is not known before it is made.
    refused(&thirds(), thirds_but(3, cut(&[(0, 1), (5, 3)], 2)), 3, Why::NoLine(5));
}

#[test]
fn every_case_is_closed_exactly_once() {
    for kept in 0..thirds_proof().len() {
        let steps = thirds_proof()[..kept].to_vec();
        refused(&thirds(), steps, kept, Why::Unfinished);
    }
    for extra in [close(&[(0, -1), (4, 3), (1, 2)]), cut(&[(0, 1)], 1), split(&[(0, 1)], 0), apart_step(0)] {
        let steps = [thirds_proof(), vec![extra]].concat();
        refused(&thirds(), steps, 7, Why::Trailing);
    }
    let mut steps = thirds_proof();
    steps.remove(1); // the proof of the second case stands where that of the first is due
    assert!(verdict(&thirds(), steps).is_err());
}

#[test]
fn apart() {
    // x != 1, 1 <= x <= 1
    let rows = [ne(&[(0, 1)], -1), le(&[(0, 1)], -1), le(&[(0, -1)], 1)];
    let below = close(&[(3, 1), (2, 1)]);
    let above = close(&[(3, 1), (1, 1)]);
    accepted(&rows, vec![apart_step(0), below.clone(), above.clone()]);
    refused(&rows, vec![apart_step(0), above.clone(), below.clone()], 1, Why::Variable(0));
    refused(&rows, vec![apart_step(0), below.clone()], 2, Why::Unfinished);
    refused(&rows, vec![apart_step(1), below.clone(), above.clone()], 0, Why::NotApart(1));
    refused(&rows, vec![apart_step(3), below.clone(), above.clone()], 0, Why::NotApart(3));
    // Only rows can be split apart, not derived lines.
    refused(&rows, vec![apart_step(0), apart_step(3)], 1, Why::NotApart(3));
    refused(&rows, vec![close(&[(0, 1), (2, 1)])], 0, Why::Disequality(0));
    refused(&rows, vec![cut(&[(0, 1)], 1)], 0, Why::Disequality(0));
    accepted(&[ne(&[], 0)], vec![apart_step(0), close(&[(1, 1)]), close(&[(1, 1)])]);
    refused(&[ne(&[], 1)], vec![apart_step(0), close(&[(1, 1)]), close(&[(1, 1)])], 2, Why::True);
    refused(&[ne(&[], -1)], vec![apart_step(0), close(&[(1, 1)]), close(&[(1, 1)])], 1, Why::True);
}

#[test]
fn a_certificate_of_another_query() {
    assert!(verdict(&farkas(), thirds_proof()).is_err());
    assert!(verdict(&[], thirds_proof()).is_err());
    assert!(verdict(&[], vec![]).is_err());
    // The same rows in another order are another query.
    let [first, second, third] = thirds();
    assert!(verdict(&[second.clone(), first.clone(), third.clone()], thirds_proof()).is_err());
    // More rows: the numbers of derived lines change.
    assert!(verdict(&[first, second, third.clone(), third], thirds_proof()).is_err());
}

#[test]
fn numbers_have_no_bounds() {
    // MAX x + MIN y = 0 and x = 2^40, y = 2^40: both products leave 64 bits.
    let rows = [eq(&[(0, i64::MAX), (1, i64::MIN)], 0), eq(&[(0, 1)], -1 << 40), eq(&[(1, 1)], -1 << 40)];
    let times = |line, times: i128| Part { line, times: Int::from(times) };
    let max = i128::from(i64::MAX);
    let min = i128::from(i64::MIN);
    let steps = vec![Step::Close(vec![times(0, 1), times(1, -max), times(2, -min)])];
    accepted(&rows, steps.clone());
    let rows = [eq(&[(0, i64::MAX), (1, i64::MIN)], 0), eq(&[(0, 1)], 0), eq(&[(1, 1)], 0)];
    refused(&rows, steps, 0, Why::True);
    let scale = Int::parse(&"9".repeat(80)).unwrap();
    let steps = vec![
        Step::Cut { sum: vec![Part { line: 0, times: scale.clone() }], divisor: scale.clone() },
        close(&[(3, 1), (1, 1), (2, 1)]),
    ];
    accepted(&farkas(), steps);
    let steps = vec![Step::Cut { sum: vec![Part { line: 0, times: scale.add(&Int::ONE) }], divisor: scale }];
    refused(&farkas(), steps, 0, Why::Divisor);
}

#[test]
fn work_is_bounded() {
    // A number that doubles its length in every step, lines that grow, and a great many small steps.
    let huge = Int::parse(&"7".repeat(20_000)).unwrap();
    let grow = |line| Step::Cut { sum: vec![Part { line, times: huge.clone() }], divisor: Int::ONE };
    let flaw = verdict(&farkas(), (2..2_000).map(grow).collect()).unwrap_err();
    assert_eq!(flaw.why, Why::Work);
    let wide = split(&(0..3_000).map(|var| (var, 1)).collect::<Vec<_>>(), 0);
    let copies = (3..3_000).map(|line| cut(&[(line, 1)], 1));
    assert_eq!(verdict(&farkas(), [wide].into_iter().chain(copies).collect()).unwrap_err().why, Why::Work);
    let mut one_big_sum = vec![Part { line: 0, times: huge.clone() }];
    one_big_sum.extend(sum(&[(0, 1); 20_000]));
    assert_eq!(
        verdict(&farkas(), vec![Step::Close(one_big_sum)]).unwrap_err(),
        Flaw { step: 0, why: Why::Work }
    );
    let many = vec![split(&[], 0); 3_000_000];
    assert_eq!(verdict(&farkas(), many).unwrap_err().why, Why::Work);
}

#[test]
fn numbers_in_the_wrong_form_do_no_harm() {
    // A big integer that holds a small number breaks a promise of `Int`; the checker does not rely on it.
    let zero = || Int::Big(Box::new(num_bigint::BigInt::from(0)));
    let steps = vec![Step::Cut { sum: sum(&[(0, 1)]), divisor: zero() }];
    refused(&farkas(), steps, 0, Why::Divisor);
    let parts = [sum(&[(0, 1)]), vec![Part { line: 1, times: zero() }]].concat();
    refused(&farkas(), vec![Step::Close(parts)], 0, Why::Variable(0));
    refused(&farkas(), vec![Step::Close(vec![Part { line: 1, times: zero() }])], 0, Why::True);
}

#[test]
fn flaws_are_readable() {
    let flaw = verdict(&thirds(), thirds_but(6, close(&[(5, 1), (6, 1)]))).unwrap_err();
    assert_eq!(flaw.to_string(), "step 6: there is no line 5 here");
    let flaw = verdict(&thirds(), thirds_but(3, cut(&[(0, 1), (4, 3)], 4))).unwrap_err();
    assert_eq!(flaw.to_string(), "step 3: the divisor does not divide all coefficients, or is not positive");
}
