//! Reduction: the paper's example, its corners, and equivalence with the input.

use crate::common::{WarmZ3, World, key};
use evergreen_testing::random::Random;
use evergreen_trie::{Atom, Definitions, Op, PrefixKey, Reduced, Reduction, reduce};

const P: PrefixKey = PrefixKey(17);

fn reduced(atoms: &[Atom]) -> Reduced {
    match reduce(atoms, &Definitions::default()) {
        Reduction::Reduced(reduced) => reduced,
        Reduction::Conflict(places) => panic!("conflict of {places:?}"),
    }
}

fn conflict(atoms: &[Atom]) -> Vec<u32> {
    match reduce(atoms, &Definitions::default()) {
        Reduction::Conflict(places) => places,
        Reduction::Reduced(reduced) => panic!("no conflict: {:?}", reduced.atoms()),
    }
}

#[test]
fn the_worked_example_of_the_paper() {
    // x+y+3>=0, x+y+5>=0, x+y-4<=0, x+y!=0, x+y+6!=0, x+y-4!=0  ->  x+y+3>=0, x+y-3<=0, x+y!=0
    let given =
        [Atom::ge(P, -3), Atom::ge(P, -5), Atom::le(P, 4), Atom::ne(P, 0), Atom::ne(P, -6), Atom::ne(P, 4)];
    let reduced = reduced(&given);
    assert_eq!(reduced.atoms(), [Atom::le(P, 3), Atom::ge(P, -3), Atom::ne(P, 0)]);
    assert_eq!([reduced.sources(0), reduced.sources(1), reduced.sources(2)], [&[2, 5][..], &[0], &[3]]);
}

#[test]
fn the_interval_of_an_equation() {
    // x+y+4 = 0 is x+y = -4: it conflicts with x+y >= 0 (the paper's [4,4] would not).
    assert_eq!(conflict(&[Atom::eq(P, -4), Atom::ge(P, 0)]), [0, 1]);
    assert_eq!(reduced(&[Atom::eq(P, -4), Atom::le(P, 0), Atom::ne(P, 4)]).atoms(), [Atom::eq(P, -4)]);
}

#[test]
fn ends_move_until_they_rest() {
    let given =
        [Atom::ge(P, 0), Atom::ne(P, 1), Atom::ne(P, 0), Atom::ne(P, 2), Atom::ne(P, 4), Atom::le(P, 5)];
    assert_eq!(reduced(&given).atoms(), [Atom::le(P, 5), Atom::ge(P, 3), Atom::ne(P, 4)]);
    assert_eq!(reduced(&given).sources(1), [0, 2, 1, 3]);
    let given = [Atom::le(P, 5), Atom::ne(P, 4), Atom::ne(P, 5), Atom::ne(P, 2)];
    assert_eq!(reduced(&given).atoms(), [Atom::le(P, 3), Atom::ne(P, 2)]);
    assert_eq!(reduced(&given).sources(0), [0, 2, 1]);
    // One value left is an equation.
    let given = [Atom::ge(P, 0), Atom::ne(P, 0), Atom::le(P, 2), Atom::ne(P, 2)];
    let one = reduced(&given);
    assert_eq!((one.atoms(), one.sources(0)), (&[Atom::eq(P, 1)][..], &[0, 1, 2, 3][..]));
    // None left is a conflict, and names no more than it needs.
    assert_eq!(conflict(&[Atom::ne(P, 3), Atom::eq(P, 3), Atom::le(P, 9), Atom::ne(P, 4)]), [0, 1]);
    assert_eq!(conflict(&[Atom::ge(P, 1), Atom::le(P, 2), Atom::ne(P, 2), Atom::ne(P, 1)]), [0, 1, 2, 3]);
    assert_eq!(conflict(&[Atom::eq(P, 1), Atom::eq(P, 2), Atom::eq(P, 3)]), [0, 2]);
}

#[test]
fn nothing_overflows() {
    let (least, greatest) = (i64::MIN, i64::MAX);
    // Integers go on beyond 64 bits: no conflict.
    let given = [Atom::ge(P, greatest), Atom::ne(P, greatest)];
    assert_eq!(reduced(&given).atoms(), given);
    let given = [Atom::le(P, least), Atom::ne(P, least)];
    assert_eq!(reduced(&given).atoms(), given);
    assert_eq!(conflict(&[Atom::le(P, least), Atom::ge(P, greatest)]), [0, 1]);
    assert_eq!(conflict(&[Atom::eq(P, greatest), Atom::ne(P, greatest - 1), Atom::le(P, least)]), [0, 2]);
}

#[test]
fn opaque_constraints_are_kept_once() {
    let given = [Atom::holds(P), Atom::holds(PrefixKey(3)), Atom::holds(P)];
    let reduced = reduced(&given);
    assert_eq!(reduced.atoms(), [Atom::holds(PrefixKey(3)), Atom::holds(P)]);
    assert_eq!((reduced.sources(0), reduced.sources(1)), (&[1][..], &[0][..]));
}

#[test]
fn bounds_of_a_sum_that_contradict_its_variables() {
    let definitions = World::new().definitions();
    // x <= 1, y <= 1, x + y >= 3; x - y <= -1 with x >= 1, y <= 1.
    let given = [Atom::le(key(0), 1), Atom::ge(key(1), 0), Atom::ge(key(4), 3), Atom::le(key(1), 1)];
    assert_eq!(reduce(&given, &definitions), Reduction::Conflict(vec![0, 2, 3]));
    let given = [Atom::le(key(5), -1), Atom::ge(key(0), 1), Atom::le(key(1), 1)];
    assert_eq!(reduce(&given, &definitions), Reduction::Conflict(vec![0, 1, 2]));
    let given = [Atom::le(key(5), 0), Atom::ge(key(0), 1), Atom::le(key(1), 1)];
    assert!(matches!(reduce(&given, &definitions), Reduction::Reduced(_)));
}

/// Against z3: conflicts are unsatisfiable, the reduced set is equivalent, each reduced atom
/// follows from its sources.
#[test]
fn reduction_keeps_the_meaning() {
    let world = World::new();
    let definitions = world.definitions();
    let mut z3 = WarmZ3::start(&world.declarations());
    let mut random = Random::new(11);
    let (mut conflicts, mut shrunk) = (0, 0);
    for _ in 0..800 {
        let focus = random.below(3);
        let count = 1 + random.below(10);
        let mut atoms: Vec<Atom> = (0..count).map(|_| world.atom(&mut random, 3)).collect();
        for atom in &mut atoms {
            if focus > 0 && atom.op != Op::Holds {
                atom.prefix = key(random.below(2) * focus * 2);
            }
        }
        let smt = |atoms: &[Atom]| atoms.iter().map(|atom| world.smt(atom)).collect::<Vec<_>>();
        match reduce(&atoms, &definitions) {
            Reduction::Conflict(places) => {
                let core: Vec<Atom> = places.iter().map(|&place| atoms[place as usize]).collect();
                assert!(!z3.is_sat(&smt(&core)), "{core:?}");
                conflicts += 1;
            }
            Reduction::Reduced(reduced) => {
                assert!(reduced.atoms().is_sorted());
                shrunk += usize::from(reduced.atoms().len() < atoms.len());
                let both = [smt(&atoms).join(" "), smt(reduced.atoms()).join(" ")];
                let differ = format!("(distinct (and true {}) (and true {}))", both[0], both[1]);
                assert!(!z3.is_sat(&[differ]), "{atoms:?} {:?}", reduced.atoms());
                for (index, atom) in reduced.atoms().iter().enumerate() {
                    let sources: Vec<Atom> =
                        reduced.sources(index).iter().map(|&p| atoms[p as usize]).collect();
                    let mut formula = smt(&sources);
                    formula.push(format!("(not {})", world.smt(atom)));
                    assert!(!z3.is_sat(&formula), "{sources:?} does not imply {atom:?}");
                }
            }
        }
    }
    assert!(conflicts > 100 && shrunk > 100, "{conflicts} {shrunk}");
}
