//! Circuits over small words, decided as by enumeration: constraints are assumptions, so an unsatisfiable
//! query has a core, and the core alone has a proof.

use super::circuits::{Circuit, SHAPES, query};
use evergreen_bits::lrat::{Proof, check, check_within};
use evergreen_bits::sat::{Budget, Lit, Logging, Outcome, Solver};
use evergreen_structures::Random;

const WIDTH: usize = 4;
const MASK: u64 = (1 << WIDTH) - 1;

/// A constraint on words by their numbers.
#[derive(Clone, Copy, Debug)]
enum Atom {
    Less(usize, usize),
    Sum(usize, usize, u64),
    Product(usize, usize, u64),
    SumLess(usize, usize, usize),
}

fn random_atom(random: &mut Random, words: usize) -> Atom {
    let (a, b, c) = (random.below(words), random.below(words), random.below(words));
    let value = random.next() & MASK;
    match random.below(4) {
        0 => Atom::Less(a, b),
        1 => Atom::Sum(a, b, value),
        2 => Atom::Product(a, b, value),
        _ => Atom::SumLess(a, b, c),
    }
}

fn holds(atom: Atom, values: &[u64]) -> bool {
    match atom {
        Atom::Less(a, b) => values[a] < values[b],
        Atom::Sum(a, b, value) => (values[a] + values[b]) & MASK == value,
        Atom::Product(a, b, value) => (values[a] * values[b]) & MASK == value,
        Atom::SumLess(a, b, c) => (values[a] + values[b]) & MASK < values[c],
    }
}

/// The literal that says that the constraint holds.
fn write(circuit: &mut Circuit, atom: Atom, words: &[Vec<Lit>]) -> Lit {
    let (word, value) = match atom {
        Atom::Less(a, b) => return circuit.less(&words[a], &words[b]),
        Atom::SumLess(a, b, c) => {
            let sum = circuit.add(&words[a], &words[b]);
            return circuit.less(&sum, &words[c]);
        }
        Atom::Sum(a, b, value) => (circuit.add(&words[a], &words[b]), value),
        Atom::Product(a, b, value) => (circuit.multiply(&words[a], &words[b]), value),
    };
    let bits = word.iter().enumerate().map(|(at, &lit)| if value >> at & 1 == 1 { lit } else { !lit });
    bits.collect::<Vec<_>>().into_iter().reduce(|a, b| circuit.and(a, b)).expect("a bit")
}

fn is_satisfiable(atoms: &[Atom], words: usize) -> bool {
    (0..1u64 << (words * WIDTH)).any(|bits| {
        let values: Vec<u64> = (0..words).map(|at| bits >> (at * WIDTH) & MASK).collect();
        atoms.iter().all(|&atom| holds(atom, &values))
    })
}

#[test]
fn circuits_are_decided_as_by_enumeration() {
    let (mut sat, mut unsat, mut conflicts) = (0, 0, 0);
    for index in 0..400 {
        let mut random = Random::for_index(10, index);
        let count = 2 + random.below(2);
        let atoms: Vec<Atom> = (0..2 + random.below(4)).map(|_| random_atom(&mut random, count)).collect();
        let mut circuit = Circuit::default();
        let words: Vec<Vec<Lit>> = (0..count).map(|_| circuit.word(WIDTH)).collect();
        let outputs: Vec<Lit> = atoms.iter().map(|&atom| write(&mut circuit, atom, &words)).collect();
        let mut solver = Solver::new(Logging::Lrat);
        for clause in circuit.cnf.iter() {
            solver.add_clause(clause);
        }
        let outcome = solver.solve(&outputs, &mut { Budget::UNBOUNDED });
        assert_eq!(outcome == Outcome::Sat, is_satisfiable(&atoms, count), "{atoms:?}");
        if outcome == Outcome::Sat {
            let bit = |lit: &Lit| u64::from(solver.value(lit.var()) == Some(true));
            let value = |word: &Vec<Lit>| word.iter().rev().fold(0, |value, lit| value << 1 | bit(lit));
            let values: Vec<u64> = words.iter().map(value).collect();
            assert!(atoms.iter().all(|&atom| holds(atom, &values)), "{atoms:?}: {values:?}");
            sat += 1;
            continue;
        }
        // The core is enough, by enumeration and by proof.
        let core = solver.core().to_vec();
        let chosen = atoms.iter().zip(&outputs).filter(|(_, output)| core.contains(output));
        let chosen: Vec<Atom> = chosen.map(|(&atom, _)| atom).collect();
        assert!(!is_satisfiable(&chosen, count), "{atoms:?}: {chosen:?}");
        for &lit in &core {
            circuit.assert(lit);
            solver.add_clause(&[lit]);
        }
        assert_eq!(solver.solve(&[], &mut { Budget::UNBOUNDED }), Outcome::Unsat);
        assert_eq!(check(&circuit.cnf, &solver.proof().expect("a proof")), Ok(()));
        unsat += 1;
        conflicts += solver.conflicts();
    }
    assert!(sat > 50 && unsat > 100 && conflicts > unsat, "{sat} sat, {unsat} unsat, {conflicts} conflicts");
}

/// The clauses of `examples/sat_speed.rs`: thousands of variables, hundreds of conflicts.
#[test]
fn large_circuits_have_models_or_proofs() {
    let mut solver = Solver::new(Logging::Lrat);
    let mut unsat = 0;
    for shape in SHAPES {
        for index in 0..6 {
            let cnf = query(shape, &mut Random::for_index(11, index));
            solver.clear();
            for clause in cnf.iter() {
                solver.add_clause(clause);
            }
            if solver.solve(&[], &mut { Budget::UNBOUNDED }) == Outcome::Sat {
                let is_true = |lit: &Lit| solver.value(lit.var()) == Some(!lit.is_negative());
                assert!(cnf.iter().all(|clause| clause.iter().any(is_true)), "{shape:?} {index}");
                continue;
            }
            let proof = solver.proof().expect("a proof");
            assert_eq!(check_within(&cnf, &proof, usize::MAX), Ok(()), "{shape:?} {index}");
            if let Some(bytes) = proof.encode() {
                assert_eq!(Proof::decode(&bytes), Ok(proof), "{shape:?} {index}");
                unsat += 1;
            }
        }
    }
    assert!(unsat > 8, "{unsat} proofs");
}

/// A core of one activation literal for each constraint, from a solver that is kept over a path.
#[test]
fn a_path_keeps_its_solver() {
    for index in 0..60 {
        let mut random = Random::for_index(12, index);
        let mut circuit = Circuit::default();
        let words: Vec<Vec<Lit>> = (0..3).map(|_| circuit.word(WIDTH)).collect();
        let mut solver = Solver::new(Logging::Off);
        let (mut fed, mut path, mut outputs) = (0, Vec::new(), Vec::new());
        for _ in 0..12 {
            let atom = random_atom(&mut random, 3);
            path.push(atom);
            outputs.push(write(&mut circuit, atom, &words));
            for clause in circuit.cnf.iter().skip(fed) {
                solver.add_clause(clause);
            }
            fed = circuit.cnf.len();
            let outcome = solver.solve(&outputs, &mut { Budget::UNBOUNDED });
            assert_eq!(outcome == Outcome::Sat, is_satisfiable(&path, 3), "{path:?}");
            if outcome == Outcome::Unsat {
                // The other arm: what is gone from the path stays in the solver.
                path.pop();
                outputs.pop();
            }
        }
    }
}
