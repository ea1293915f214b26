//! Named keys and atoms: the same formula under the same names, whatever else the arena holds.

use evergreen_canon::{Canonizer, Compare, Leaf, Mode, Relation};
use evergreen_term::{Fun, SortId, TermId, Terms};

fn linear(terms: &mut Terms, sum: &[(i64, &str)], fun: Fun, right: i64) -> TermId {
    let products: Vec<TermId> = sum
        .iter()
        .map(|&(c, name)| {
            let (c, v) = (terms.int(c), terms.constant(name, SortId::INT));
            terms.app(Fun::Mul, &[c, v]).unwrap()
        })
        .collect();
    let left = if let [only] = products[..] { only } else { terms.app(Fun::Add, &products).unwrap() };
    let right = terms.int(right);
    terms.app(fun, &[left, right]).unwrap()
}

/// `(x or y < 3) and x = b`, with arguments in either order, in an arena that holds other things before.
fn formula(noise: usize, mirrored: bool, names: [&str; 3]) -> u128 {
    let mut terms = Terms::new();
    let mut canonizer = Canonizer::new(Mode::Full);
    for i in 0..noise {
        let other = linear(&mut terms, &[(1, &format!("n{i}")), (2, names[1])], Fun::Le, i as i64);
        canonizer.canonize(&terms, &[other]);
    }
    let [p, y, b] = names;
    if noise % 2 == 1 {
        terms.constant(b, SortId::BOOL);
    }
    let (p, b) = (terms.constant(p, SortId::BOOL), terms.constant(b, SortId::BOOL));
    let less = linear(&mut terms, &[(1, y)], Fun::Lt, 3);
    let or = terms.app(Fun::Or, &if mirrored { [less, p] } else { [p, less] }).unwrap();
    let eq = terms.app(Fun::Eq, &if mirrored { [b, p] } else { [p, b] }).unwrap();
    let both = terms.app(Fun::And, &if mirrored { [eq, or] } else { [or, eq] }).unwrap();
    canonizer.named_key(&terms, both)
}

#[test]
fn neither_the_arena_nor_argument_order_matters() {
    let key = formula(0, false, ["p", "y", "b"]);
    for noise in 0..6 {
        assert_eq!(formula(noise, false, ["p", "y", "b"]), key);
        assert_eq!(formula(noise, true, ["p", "y", "b"]), key);
    }
}

#[test]
fn names_and_sorts_matter() {
    let key = formula(0, false, ["p", "y", "b"]);
    assert_ne!(formula(0, false, ["p", "z", "b"]), key);
    assert_ne!(formula(0, false, ["b", "y", "p"]), key, "which name stands where");
    let mut keys = Vec::new();
    for sort in [SortId::INT, SortId::REAL] {
        let mut terms = Terms::new();
        let (x, y) = (terms.constant("x", sort), terms.constant("y", sort));
        let less = terms.app(Fun::Lt, &[x, y]).unwrap();
        keys.push(Canonizer::new(Mode::Full).named_key(&terms, less));
    }
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn every_way_of_writing_an_atom_gives_one() {
    let mut terms = Terms::new();
    let mut canonizer = Canonizer::new(Mode::Full);
    let mut atom = |terms: &mut Terms, sum: &[(i64, &str)], fun, right| {
        let constraint = linear(terms, sum, fun, right);
        let atoms = canonizer.atoms(terms, constraint);
        assert_eq!(atoms.len(), 1);
        atoms[0].clone()
    };
    // x + y + 4 = 0: the prefix has the value -4, not 4.
    let a = atom(&mut terms, &[(1, "x"), (1, "y")], Fun::Eq, -4);
    assert_eq!(a.relation, Relation::Eq);
    let b = atom(&mut terms, &[(-2, "y"), (-2, "x")], Fun::Eq, 8);
    assert_eq!((a.prefix, a.constant.abs()), (b.prefix, 4));
    assert_eq!(a.constant, b.constant, "one sign for both");
    // Opposite bounds of one prefix.
    let low = atom(&mut terms, &[(1, "x"), (-1, "y")], Fun::Ge, 3);
    let high = atom(&mut terms, &[(1, "x"), (-1, "y")], Fun::Le, 7);
    assert_eq!(low.prefix, high.prefix);
    let mut relations = [(low.relation, low.constant), (high.relation, high.constant)];
    relations.sort_unstable();
    let as_written = [(Relation::Le, 7), (Relation::Ge, 3)];
    let negated = [(Relation::Le, -3), (Relation::Ge, -7)];
    assert!(relations == as_written || relations == negated, "{relations:?}");
    // Rounded: 2x <= 5 is x <= 2.
    let x = atom(&mut terms, &[(2, "x")], Fun::Le, 5);
    assert_eq!((x.relation, x.constant, x.terms[0].1), (Relation::Le, 2, 1));
}

#[test]
fn what_is_not_linear_is_opaque() {
    let mut terms = Terms::new();
    let mut canonizer = Canonizer::new(Mode::Full);
    let (x, y, three) = (terms.constant("x", SortId::INT), terms.constant("y", SortId::INT), terms.int(3));
    let product = terms.app(Fun::Mul, &[x, y]).unwrap();
    let bounded = terms.app(Fun::Le, &[product, three]).unwrap();
    let atoms = canonizer.atoms(&terms, bounded);
    assert_eq!(atoms[0].relation, Relation::Le, "a product is something to add up");
    assert!(canonizer.linear(&terms, bounded).is_none(), "but no variable");
    let plain = linear(&mut terms, &[(1, "x"), (2, "y")], Fun::Le, 2);
    assert_eq!(canonizer.linear(&terms, plain).unwrap()[0].constant, -2);
    let p = terms.constant("p", SortId::BOOL);
    let either = terms.app(Fun::Or, &[p, bounded]).unwrap();
    assert_eq!(canonizer.atoms(&terms, either)[0].relation, Relation::Holds);
    assert!(canonizer.renumbered(&terms, &[bounded]).is_none());
}

#[test]
fn rows_follow_the_canonical_numbers() {
    let mut terms = Terms::new();
    let mut canonizer = Canonizer::new(Mode::Full);
    let a = linear(&mut terms, &[(3, "x"), (-5, "y")], Fun::Le, 2);
    let b = linear(&mut terms, &[(1, "x")], Fun::Distinct, 9);
    let canonical = canonizer.canonize(&terms, &[a, b]);
    let rows = canonizer.rows(&terms, &canonical).unwrap();
    assert_eq!(rows.len(), 2);
    for (row, &from) in rows.iter().zip(&canonical.constraints) {
        let named = |&(v, c): &(u32, i64)| {
            let Leaf::Symbol(s) = canonical.leaves[v as usize] else { panic!("a symbol") };
            (terms.symbol_text(s).to_string(), c)
        };
        let mut sum: Vec<(String, i64)> = row.terms.iter().map(named).collect();
        sum.sort();
        if from == 0 {
            assert_eq!((row.compare, row.constant), (Compare::Le, -2));
            assert_eq!(sum, [("x".to_string(), 3), ("y".to_string(), -5)]);
        } else {
            assert_eq!(row.compare, Compare::Ne);
            assert_eq!(row.constant * row.terms[0].1, -9);
        }
    }
}

#[test]
fn renaming_keeps_renumbered_atoms_when_it_keeps_the_order_of_names() {
    let mut prefixes = Vec::new();
    for names in [["a", "b"], ["x", "y"]] {
        let mut terms = Terms::new();
        let mut canonizer = Canonizer::new(Mode::Full);
        let first = linear(&mut terms, &[(1, names[0]), (2, names[1])], Fun::Le, 2);
        let second = linear(&mut terms, &[(1, names[0])], Fun::Ge, 0);
        let r = canonizer.renumbered(&terms, &[first, second]).unwrap();
        let shown: Vec<(u128, Relation, i64)> =
            r.atoms.iter().map(|(a, _)| (a.prefix, a.relation, a.constant)).collect();
        prefixes.push(shown);
        assert_eq!(r.leaves.len(), 2);
    }
    assert_eq!(prefixes[0], prefixes[1]);
}

/// The bytes of a definition continue where those of a formula end: the formula and its continuation
/// still have different keys.
#[test]
fn a_formula_and_what_a_definition_makes_of_it_differ() {
    for (x, y) in [("s", "t"), ("t", "s"), ("a", "b"), ("b", "a"), ("m", "k"), ("k", "m")] {
        let mut terms = Terms::new();
        let name = terms.name("p");
        let p = terms.declare_recursive(name, &[], SortId::BOOL);
        let call = terms.apply(p, &[]).unwrap();
        let (x, y) = (terms.constant(x, SortId::BOOL), terms.constant(y, SortId::BOOL));
        let part = terms.app(Fun::Eq, &[call, x]).unwrap();
        let body = terms.app(Fun::Or, &[part, y]).unwrap();
        terms.define_recursive(p, body);
        let mut canonizer = Canonizer::new(Mode::Full);
        let keys = [call, part, body].map(|t| canonizer.named_key(&terms, t));
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2], "{keys:?}");
    }
}
