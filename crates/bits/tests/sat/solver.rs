//! Verdicts, models, cores and budgets.

use super::cnf::{cnf, has_model, holds, lit, pigeons, random_3cnf, random_cnf, random_lit};
use evergreen_bits::lrat::{Cnf, check, check_within};
use evergreen_bits::sat::{Budget, Lit, Logging, Outcome, Solver, Var};
use evergreen_structures::Random;

fn feed(solver: &mut Solver, cnf: &Cnf) {
    for clause in cnf.iter() {
        solver.add_clause(clause);
    }
}

/// The model as bits; variables that no clause has may be anything.
fn model(solver: &Solver) -> u32 {
    (0..solver.vars() as u32).map(|var| u32::from(solver.value(Var(var)) == Some(true)) << var).sum()
}

/// Checks an answer against brute force: the model, or the core and the proof.
fn confirm(solver: &Solver, outcome: Outcome, cnf: &Cnf, assumptions: &[Lit]) {
    match outcome {
        Outcome::Sat => {
            let model = model(solver);
            assert!(cnf.iter().all(|clause| holds(clause, model)), "{cnf:?}: {model:b}");
            assert!(assumptions.iter().all(|&lit| holds(&[lit], model)), "{cnf:?}: {model:b}");
        }
        Outcome::Unsat => {
            assert!(solver.core().iter().all(|lit| assumptions.contains(lit)), "{:?}", solver.core());
            assert!(!has_model(cnf, solver.core()), "{cnf:?} with {:?}", solver.core());
            if solver.core().is_empty() {
                assert_eq!(check(cnf, &solver.proof().expect("a proof")), Ok(()), "{cnf:?}");
            }
        }
        Outcome::Spent => panic!("no budget was given"),
    }
}

#[test]
fn random_clauses_are_decided_as_by_brute_force() {
    let mut solver = Solver::new(Logging::Lrat);
    let (mut sat, mut conflicts) = (0, 0);
    for index in 0..6000 {
        let cnf = random_cnf(&mut Random::for_index(1, index));
        solver.clear();
        feed(&mut solver, &cnf);
        let outcome = solver.solve(&[], &mut { Budget::UNBOUNDED });
        confirm(&solver, outcome, &cnf, &[]);
        sat += usize::from(outcome == Outcome::Sat);
        conflicts += solver.conflicts();
    }
    // Both answers, and with some search.
    assert!((1500..4500).contains(&sat), "{sat}");
    assert!(conflicts > 6000, "{conflicts}");
}

#[test]
fn clauses_and_assumptions_come_and_go() {
    let (mut cores, mut longest) = (0, 0);
    for index in 0..1500 {
        let mut random = Random::for_index(2, index);
        let all = random_cnf(&mut random);
        let vars = all.vars().max(1);
        let mut solver = Solver::new(Logging::Lrat);
        let mut so_far = Cnf::new();
        for (at, clause) in all.iter().enumerate() {
            solver.add_clause(clause);
            so_far.push(clause);
            if at + 1 == all.len() || random.one_in(6) {
                let assumptions: Vec<Lit> =
                    (0..random.below(5)).map(|_| random_lit(&mut random, vars + 1)).collect();
                let outcome = solver.solve(&assumptions, &mut { Budget::UNBOUNDED });
                confirm(&solver, outcome, &so_far, &assumptions);
                if outcome == Outcome::Unsat && !solver.core().is_empty() {
                    cores += 1;
                    longest = longest.max(solver.core().len());
                }
            }
        }
    }
    assert!(cores > 500 && longest > 3, "{cores} cores, up to {longest}");
}

#[test]
fn a_core_names_only_what_contradicts() {
    let mut solver = Solver::new(Logging::Off);
    feed(&mut solver, &cnf(&[&[-1, 2], &[-2, 3], &[-4, 5]]));
    let assumptions = [lit(4), lit(1), lit(5), lit(-3)];
    assert_eq!(solver.solve(&assumptions, &mut Budget::default()), Outcome::Unsat);
    let mut core = solver.core().to_vec();
    core.sort();
    assert_eq!(core, [lit(1), lit(-3)]);
    assert_eq!(solver.solve(&[lit(1), lit(4)], &mut Budget::default()), Outcome::Sat);
    assert_eq!(solver.value(Var(2)), Some(true));
    // An assumption and its negation.
    assert_eq!(solver.solve(&[lit(7), lit(-7)], &mut Budget::default()), Outcome::Unsat);
    assert_eq!(solver.core().len(), 2);
}

#[test]
fn a_suggested_value_is_tried_first() {
    for value in [false, true] {
        let mut solver = Solver::new(Logging::Off);
        feed(&mut solver, &cnf(&[&[1, 2, 3]]));
        solver.suggest(Var(1), value);
        assert_eq!(solver.solve(&[], &mut Budget::default()), Outcome::Sat);
        assert_eq!(solver.value(Var(1)), Some(value));
        assert_eq!(solver.value(Var(3)), None);
        // Also against the value of the last model.
        solver.suggest(Var(1), !value);
        assert_eq!(solver.solve(&[], &mut Budget::default()), Outcome::Sat);
        assert_eq!(solver.value(Var(1)), Some(!value));
    }
}

#[test]
fn the_empty_clause_needs_no_search() {
    let mut solver = Solver::new(Logging::Lrat);
    let cnf = cnf(&[&[1, 2], &[], &[3]]);
    feed(&mut solver, &cnf);
    assert_eq!(solver.solve(&[lit(1)], &mut Budget { conflicts: 0, steps: 0 }), Outcome::Unsat);
    let proof = solver.proof().expect("a proof");
    assert_eq!((proof.len(), proof.originals()), (1, vec![1]));
    assert_eq!(check(&cnf, &proof), Ok(()));
}

#[test]
fn pigeons_do_not_fit() {
    for holes in 1..=6 {
        let cnf = pigeons(holes);
        let mut solver = Solver::new(Logging::Lrat);
        feed(&mut solver, &cnf);
        assert_eq!(solver.solve(&[], &mut { Budget::UNBOUNDED }), Outcome::Unsat);
        assert_eq!(check(&cnf, &solver.proof().expect("a proof")), Ok(()), "{holes} holes");
    }
}

/// Long enough for several reductions of learned clauses.
#[test]
fn forgetting_clauses_loses_no_proof() {
    let cnf = random_3cnf(&mut Random::new(3), 180, 830);
    let mut solver = Solver::new(Logging::Lrat);
    feed(&mut solver, &cnf);
    assert_eq!(solver.solve(&[], &mut { Budget::UNBOUNDED }), Outcome::Unsat);
    assert!(solver.conflicts() > 7000, "{} conflicts", solver.conflicts());
    assert_eq!(check_within(&cnf, &solver.proof().expect("a proof"), usize::MAX), Ok(()));
}

/// Reductions happen above the levels of assumptions, which have literals with reasons.
#[test]
fn forgetting_clauses_under_assumptions_keeps_reasons() {
    let mut random = Random::new(4);
    let cnf = random_3cnf(&mut random, 200, 840);
    let mut solver = Solver::new(Logging::Off);
    feed(&mut solver, &cnf);
    let mut rounds = 0;
    while solver.conflicts() < 12_000 {
        let assumptions: Vec<Lit> = (0..3).map(|_| random_lit(&mut random, 200)).collect();
        if solver.solve(&assumptions, &mut Budget { conflicts: 5000, steps: u64::MAX }) == Outcome::Sat {
            let is_true = |lit: &Lit| solver.value(lit.var()) == Some(!lit.is_negative());
            assert!(cnf.iter().all(|clause| clause.iter().any(is_true)));
            assert!(assumptions.iter().all(is_true));
        }
        rounds += 1;
        assert!(rounds < 200, "{} conflicts", solver.conflicts());
    }
}

#[test]
fn a_spent_budget_says_so_and_the_search_goes_on() {
    let cnf = pigeons(6);
    let mut solver = Solver::new(Logging::Lrat);
    feed(&mut solver, &cnf);
    let mut rounds = 0;
    loop {
        let mut budget = Budget { conflicts: 20, steps: u64::MAX };
        let before = solver.conflicts();
        let outcome = solver.solve(&[], &mut budget);
        assert_eq!(solver.conflicts() - before + budget.conflicts, 20);
        if outcome == Outcome::Unsat {
            break;
        }
        assert_eq!((outcome, budget.conflicts), (Outcome::Spent, 0));
        assert_eq!(solver.proof(), None);
        rounds += 1;
        assert!(rounds < 1000, "the search starts anew each time");
    }
    assert!(rounds > 3, "{rounds}");
    assert_eq!(check(&cnf, &solver.proof().expect("a proof")), Ok(()));
}

#[test]
fn steps_are_bounded_too() {
    let cnf = pigeons(6);
    let mut solver = Solver::new(Logging::Off);
    feed(&mut solver, &cnf);
    let mut budget = Budget { conflicts: u64::MAX, steps: 5000 };
    assert_eq!(solver.solve(&[], &mut budget), Outcome::Spent);
    assert_eq!(budget.steps, 0);
    // One propagation more than allowed, at most: no list is longer than the clauses.
    assert!(solver.steps() < 5000 + 3 * cnf.len() as u64, "{}", solver.steps());
    assert_eq!(solver.solve(&[], &mut { Budget::UNBOUNDED }), Outcome::Unsat);
}

#[test]
fn spent_budgets_change_no_verdict() {
    for index in 0..300 {
        let mut random = Random::for_index(3, index);
        let cnf = random_cnf(&mut random);
        let assumptions: Vec<Lit> =
            (0..random.below(3)).map(|_| random_lit(&mut random, cnf.vars().max(1))).collect();
        let mut solver = Solver::new(Logging::Lrat);
        feed(&mut solver, &cnf);
        let outcome = loop {
            let mut budget = Budget { conflicts: random.below(3) as u64 + 1, steps: 1000 };
            let outcome = solver.solve(&assumptions, &mut budget);
            if outcome != Outcome::Spent {
                break outcome;
            }
        };
        confirm(&solver, outcome, &cnf, &assumptions);
    }
}
