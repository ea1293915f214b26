//! Every implication rule is proved: by enumeration over small ranges, and by z3 for all integers.

use crate::common::{WarmZ3, World, key, numeral, pair_implies, set_implies};
use evergreen_testing::random::Random;
use evergreen_trie::{Atom, Interval, Op, Premises, Rule, implies, rule, sum_interval};
use std::collections::BTreeMap;

const OPS: [Op; 4] = [Op::Le, Op::Ge, Op::Eq, Op::Ne];

fn pairs() -> impl Iterator<Item = (Atom, Atom)> {
    let atoms =
        || OPS.into_iter().flat_map(|op| (-6..=6).map(move |constant| Atom { prefix: key(0), op, constant }));
    atoms().flat_map(move |premise| atoms().map(move |conclusion| (premise, conclusion)))
}

#[test]
fn the_rules_are_sound_and_complete_for_pairs() {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for (premise, conclusion) in pairs() {
        let by = rule(&premise, &conclusion);
        assert_eq!(by.is_some(), pair_implies(&premise, &conclusion), "{premise:?} {conclusion:?}");
        assert_eq!(by.is_some(), implies(&premise, &conclusion));
        if let Some(by) = by {
            *uses.entry(format!("{by:?}")).or_default() += 1;
        }
    }
    // 13 constants: 4*13 equal pairs; 13*12 of R2; 13*14/2 of R3 and R4; 13*12/2 of the others.
    let expected =
        [("R1", 52), ("R2", 156), ("R3", 91), ("R4", 91), ("R5", 78), ("R6", 78), ("R7", 78), ("R8", 78)];
    assert_eq!(uses, expected.map(|(name, count)| (name.to_string(), count)).into());
}

/// The rules as the paper's table has them, with the side condition as a formula; z3
/// proves each for all integers.
#[test]
fn z3_proves_the_rule_table() {
    let table = [
        (Rule::R2, "=", "distinct", "(distinct c d)"),
        (Rule::R3, "=", "<=", "(<= c d)"),
        (Rule::R4, "=", ">=", "(>= c d)"),
        (Rule::R5, "<=", "distinct", "(> d c)"),
        (Rule::R6, "<=", "<=", "(< c d)"),
        (Rule::R7, ">=", "distinct", "(< d c)"),
        (Rule::R8, ">=", ">=", "(> c d)"),
    ];
    let mut z3 = WarmZ3::start("(declare-const p Int)(declare-const c Int)(declare-const d Int)");
    for (name, from, to, side) in table {
        let broken = [side.to_string(), format!("({from} p c)"), format!("(not ({to} p d))")];
        assert!(!z3.is_sat(&broken), "{name:?} is unsound");
        // Without the side condition it must break, or the proof above proves nothing.
        assert!(z3.is_sat(&broken[1..]), "{name:?} needs no side condition");
    }
    // And the code is the table: every pair that a rule accepts is proved with its own constants.
    for (premise, conclusion) in
        pairs().filter(|(premise, conclusion)| implies(premise, conclusion)).step_by(7)
    {
        let (p, q) = (comparison("p", &premise), comparison("p", &conclusion));
        assert!(!z3.is_sat(&[p, format!("(not {q})")]), "{premise:?} {conclusion:?}");
    }
}

fn comparison(left: &str, atom: &Atom) -> String {
    let c = numeral(atom.constant);
    match atom.op {
        Op::Le => format!("(<= {left} {c})"),
        Op::Ge => format!("(>= {left} {c})"),
        Op::Eq => format!("(= {left} {c})"),
        Op::Ne => format!("(distinct {left} {c})"),
        Op::Holds => unreachable!("comparisons only"),
    }
}

#[test]
fn opaque_constraints_imply_only_themselves() {
    let (a, b) = (Atom::holds(key(1)), Atom::holds(key(2)));
    assert_eq!(rule(&a, &a), Some(Rule::R1));
    assert!(!implies(&a, &b));
    assert!(!implies(&a, &Atom::le(key(1), 0)) && !implies(&Atom::eq(key(1), 0), &a));
}

#[test]
fn rules_hold_at_the_ends_of_64_bits() {
    let p = key(0);
    let (least, greatest) = (i64::MIN, i64::MAX);
    assert!(implies(&Atom::le(p, least), &Atom::ne(p, greatest)));
    assert!(implies(&Atom::eq(p, greatest), &Atom::ge(p, least)));
    assert!(!implies(&Atom::le(p, greatest), &Atom::ge(p, least)));
    // A sum of the largest products stays exact; a sum that leaves 128 bits has no bound.
    let terms = [(key(0), greatest), (key(1), greatest)];
    let point = Interval { low: Some(i128::from(greatest)), high: Some(i128::from(greatest)) };
    let sum = sum_interval(terms, |_| point);
    assert_eq!(sum.low, Some(2 * i128::from(greatest) * i128::from(greatest)));
    let many: Vec<_> = (0..4).map(|number| (key(number), least)).collect();
    assert_eq!(sum_interval(many, |_| Interval { low: Some(i128::from(least)), high: None }).high, None);
}

#[test]
fn sums_of_bounds_agree_with_enumeration() {
    // x <= 1, y <= 1 => x + y <= 2.
    let world = World::new();
    let definitions = world.definitions();
    let mut set = vec![Atom::le(key(0), 1), Atom::le(key(1), 1)];
    set.sort();
    assert!(Premises::new(&set).imply(&Atom::le(key(4), 2), &definitions));
    assert!(!Premises::new(&set).imply(&Atom::le(key(4), 1), &definitions));
    let mut random = Random::new(5);
    let mut implied = 0;
    for _ in 0..20_000 {
        let set = world.set(&mut random, 8, 4);
        let conclusion = world.atom(&mut random, 12);
        let ours = Premises::new(&set).imply(&conclusion, &definitions);
        assert_eq!(ours, set_implies(&set, &conclusion, Some(&world)), "{set:?} {conclusion:?}");
        implied += usize::from(ours);
    }
    assert!(implied > 2_000, "{implied}");
}

#[test]
fn z3_proves_what_sums_imply() {
    let world = World::new();
    let definitions = world.definitions();
    let mut z3 = WarmZ3::start(&world.declarations());
    let mut random = Random::new(6);
    let mut proved = 0;
    while proved < 1_500 {
        let set = world.set(&mut random, 8, 4);
        let conclusion = world.atom(&mut random, 12);
        if conclusion.op == Op::Holds || !Premises::new(&set).imply(&conclusion, &definitions) {
            continue;
        }
        let mut formula: Vec<String> = set.iter().map(|atom| world.smt(atom)).collect();
        formula.push(format!("(not {})", world.smt(&conclusion)));
        assert!(!z3.is_sat(&formula), "{set:?} does not imply {conclusion:?}");
        proved += 1;
    }
}
