//! The canonical form of the paper on Green, exactly: its examples, and what it does not do.

use evergreen_canon::{Canonizer, Mode, StrictLine, strict_form};
use evergreen_term::{Fun, SortId, TermId, Terms};

/// A comparison of two sums; `2x` is a coefficient and a name, a number is a constant.
fn compare(terms: &mut Terms, left: &[&str], fun: Fun, right: &[&str]) -> TermId {
    let (left, right) = (sum(terms, left), sum(terms, right));
    terms.app(fun, &[left, right]).unwrap()
}

fn sum(terms: &mut Terms, items: &[&str]) -> TermId {
    let parts: Vec<TermId> = items.iter().map(|item| summand(terms, item)).collect();
    if let [only] = parts[..] { only } else { terms.app(Fun::Add, &parts).unwrap() }
}

fn summand(terms: &mut Terms, item: &str) -> TermId {
    let name = item.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    let number = &item[..item.len() - name.len()];
    if name.is_empty() {
        return terms.int(number.parse::<i64>().unwrap());
    }
    let x = terms.constant(name, SortId::INT);
    if number.is_empty() {
        return x;
    }
    let c = terms.int(number.parse::<i64>().unwrap());
    terms.app(Fun::Mul, &[c, x]).unwrap()
}

fn texts(terms: &Terms, constraints: &[TermId]) -> Vec<String> {
    strict_form(terms, constraints).unwrap().lines.iter().map(StrictLine::text).collect()
}

#[test]
fn the_example_of_the_paper() {
    // x + y < z, x = z, x + 10 > y
    let mut terms = Terms::new();
    let a = compare(&mut terms, &["x", "y"], Fun::Lt, &["z"]);
    let b = compare(&mut terms, &["x"], Fun::Eq, &["z"]);
    let c = compare(&mut terms, &["x", "10"], Fun::Gt, &["y"]);
    let expected = ["-v0+v1-9<=0", "v0+v1-v2+1<=0", "v0-v2=0"];
    assert_eq!(texts(&terms, &[a, b, c]), expected);
    assert_eq!(texts(&terms, &[c, a, b]), expected);
}

/// Whether two constraints have one key.
fn same(left: (&[&str], Fun, &[&str]), right: (&[&str], Fun, &[&str])) -> bool {
    let mut terms = Terms::new();
    let [a, b] = [left, right].map(|(l, fun, r)| compare(&mut terms, l, fun, r));
    let mut canonizer = Canonizer::new(Mode::Strict);
    let [a, b] = [a, b].map(|c| canonizer.canonize(&terms, &[c]));
    assert_eq!((a.verdict, b.verdict), (None, None));
    a.key == b.key
}

#[test]
fn what_the_paper_unites_and_what_it_does_not() {
    // Names do not matter, directions of comparisons of two variables neither.
    assert!(same((&["x"], Fun::Lt, &["9"]), (&["y"], Fun::Lt, &["9"])));
    assert!(same((&["x"], Fun::Gt, &["y"]), (&["y"], Fun::Lt, &["x"])));
    assert!(same((&["x"], Fun::Eq, &["y"]), (&["y"], Fun::Eq, &["x"])));
    assert!(same((&["x"], Fun::Lt, &["9"]), (&["x"], Fun::Le, &["8"])));
    assert!(same((&["x", "3"], Fun::Le, &["9", "1"]), (&["x"], Fun::Le, &["7"])));
    // "We don't attempt to reorder expressions, such as x+y > z versus z < x+y."
    assert!(!same((&["x", "y"], Fun::Gt, &["z"]), (&["z"], Fun::Lt, &["x", "y"])));
    // No division, no sign of equations, no rounding.
    assert!(!same((&["2x", "4"], Fun::Le, &["0"]), (&["x", "2"], Fun::Le, &["0"])));
    assert!(!same((&["2x", "3"], Fun::Le, &["0"]), (&["2x", "4"], Fun::Le, &["0"])));
    assert!(!same((&["x", "-5"], Fun::Eq, &["0"]), (&["5", "-1x"], Fun::Eq, &["0"])));
}

#[test]
fn negations_and_conjunctions_are_comparisons() {
    let mut terms = Terms::new();
    let less = compare(&mut terms, &["x"], Fun::Lt, &["y"]);
    let not = terms.app(Fun::Not, &[less]).unwrap();
    let equal = compare(&mut terms, &["x"], Fun::Eq, &["3"]);
    let unequal = terms.app(Fun::Not, &[equal]).unwrap();
    let both = terms.app(Fun::And, &[not, unequal]).unwrap();
    assert_eq!(texts(&terms, &[both]), ["-v0+v1<=0", "v0-3!=0"]);
    assert_eq!(texts(&terms, &[both, not]), texts(&terms, &[both]), "a set");
}

#[test]
fn only_constants_are_decided() {
    let mut terms = Terms::new();
    let mut canonizer = Canonizer::new(Mode::Strict);
    let odd = compare(&mut terms, &["2x", "1"], Fun::Eq, &["0"]);
    assert_eq!(canonizer.canonize(&terms, &[odd]).verdict, None, "no rule of divisors");
    let (low, high) =
        (compare(&mut terms, &["x"], Fun::Lt, &["0"]), compare(&mut terms, &["x"], Fun::Gt, &["1"]));
    assert_eq!(canonizer.canonize(&terms, &[low, high]).verdict, None);
    let wrong = compare(&mut terms, &["x", "1"], Fun::Le, &["x"]);
    assert_eq!(canonizer.canonize(&terms, &[low, wrong]).verdict, Some(false));
    let right = compare(&mut terms, &["x"], Fun::Le, &["x"]);
    assert_eq!(canonizer.canonize(&terms, &[right]).verdict, Some(true));
    // A constraint that lowering decides still depends on its variable.
    assert_eq!(canonizer.parts(&terms, &[odd, low]).len(), 1);
}

#[test]
fn what_is_not_linear_is_renamed_and_otherwise_as_it_is_written() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.constant(name, SortId::INT));
    let nine = terms.int(9);
    let mut canonizer = Canonizer::new(Mode::Strict);
    let mut key = |a: TermId, b: TermId, fun: Fun| {
        let product = terms.app(Fun::Mul, &[a, b]).unwrap();
        let odd = terms.app(fun, &[product, nine]).unwrap();
        let less = terms.app(Fun::Lt, &[a, nine]).unwrap();
        canonizer.canonize(&terms, &[odd, less]).key
    };
    assert_eq!(key(x, y, Fun::Lt), key(y, x, Fun::Lt));
    assert_ne!(key(x, y, Fun::Lt), key(x, x, Fun::Lt));
    assert_ne!(key(x, y, Fun::Lt), key(x, y, Fun::Le));
    // A function has no text here: names stay.
    let name = terms.name("f");
    let f = terms.declare(name, &[SortId::INT], SortId::INT);
    let mut key = |a: TermId| {
        let applied = terms.apply(f, &[a]).unwrap();
        let less = terms.app(Fun::Lt, &[applied, nine]).unwrap();
        canonizer.canonize(&terms, &[less]).key
    };
    assert_ne!(key(x), key(y));
}
