//! Plays games on the solver and judges every answer: models are evaluated, certificates
//! checked, verdicts compared.

use super::moves::{Game, Move, Script};
use super::oracle::{Oracle, Said, VARS};
use super::rows::{holds, width};
use super::shrink::shrink;
use super::tally::Tally;
use evergreen_lia::{Answer, Certificate, Effort, Op, Row, Solver, Verdict, check, solve};
use evergreen_term::Int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The answer of one check.
pub(crate) struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// The rows of the core, of an unsat one.
    pub core: Vec<Row>,
    /// The certificate, of an unsat one, if it was made.
    pub certificate: Option<Certificate>,
}

/// The solver under test against solvers of another make.
pub(crate) struct Duel {
    seed: u64,
    effort: Effort,
    /// How many games one solver plays before it is replaced.
    pub life: u64,
    solver: Solver,
    /// Asked about everything.
    first: Oracle,
    /// Asked about one game in so many.
    second: Option<(Oracle, u64)>,
    /// How long the solver under test took, its certificates and their checks included.
    pub spent: Duration,
    /// The counters of the games.
    pub tally: Tally,
    /// The first games in which the solver gave up.
    pub given_up: Vec<u64>,
    /// A fault, with a script that shows it.
    pub faults: Vec<String>,
}

impl Duel {
    /// Starts the other solvers.
    pub(crate) fn new(seed: u64, effort: Effort, first: Oracle, second: Option<(Oracle, u64)>) -> Duel {
        let solver = Solver::with_effort(effort);
        Duel {
            seed,
            effort,
            life: 64,
            solver,
            first,
            second,
            spent: Duration::ZERO,
            tally: Tally::default(),
            given_up: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Plays game number `index` and judges it.
    pub(crate) fn play(&mut self, index: u64) {
        if index.is_multiple_of(self.life) {
            self.solver = Solver::with_effort(self.effort);
        }
        let game = Game::new(self.seed, index);
        let start = Instant::now();
        let findings = run(&mut self.solver, self.effort, &game);
        self.spent += start.elapsed();
        let findings = match findings {
            Ok(findings) => findings,
            Err(fault) => return self.fault(index, &game, &fault),
        };
        let said = self.first.play(&game.moves);
        self.tally.count(&game, &findings, &said);
        if self.given_up.len() < 20 && findings.iter().any(|finding| finding.verdict == Verdict::Unknown) {
            self.given_up.push(index);
        }
        if let Err(fault) = compare(&findings, &said) {
            return self.fault(index, &game, &fault);
        }
        // Cores are asked now and then: the certificate speaks for them already.
        for finding in findings.iter().filter(|finding| finding.verdict == Verdict::Unsat) {
            if finding.certificate.is_none() || index.is_multiple_of(4) {
                self.tally.cores += 1;
                if let Err(fault) = ask_core(&mut self.first, finding) {
                    return self.fault(index, &game, &fault);
                }
            }
        }
        if let Some((second, every)) = &mut self.second
            && index.is_multiple_of(*every)
        {
            let said = second.play(&game.moves);
            self.tally.second += said.len();
            self.tally.second_unknown += said.iter().filter(|said| **said == Said::Unknown).count();
            if let Err(fault) = compare(&findings, &said) {
                self.fault(index, &game, &format!("the second solver disagrees: {fault}"));
            }
        }
    }

    /// Writes a fault down, as small as a fresh solver still has it.
    fn fault(&mut self, index: u64, game: &Game, what: &str) {
        self.solver = Solver::with_effort(self.effort);
        let (effort, first) = (self.effort, &mut self.first);
        let mut wrong = |moves: &[Move]| {
            let game = Game { family: game.family, walk: game.walk, moves: moves.to_vec() };
            let found = run(&mut Solver::with_effort(effort), effort, &game);
            let judged = found.and_then(|findings| {
                compare(&findings, &first.play(moves))?;
                findings.iter().try_for_each(|finding| ask_core(first, finding))
            });
            judged.err()
        };
        let alone = wrong(&game.moves);
        let (moves, note) = match alone {
            Some(_) => (shrink(&game.moves, |moves| wrong(moves).is_some()), ""),
            None => (game.moves.clone(), " (a fresh solver has no such fault: it needs the games before)"),
        };
        let small = wrong(&moves).unwrap_or_default();
        let place = format!("seed {} game {index}", self.seed);
        self.faults.push(format!("{place}: {what}{note}\nsmallest: {small}\n{moves:?}\n{}", Script(&moves)));
    }
}

/// Whether both agree wherever both decided.
fn compare(findings: &[Finding], said: &[Said]) -> Result<(), String> {
    for (number, (finding, said)) in findings.iter().zip(said).enumerate() {
        if matches!((finding.verdict, said), (Verdict::Sat, Said::Unsat) | (Verdict::Unsat, Said::Sat)) {
            return Err(format!("check {number}: we say {:?}, the other says {said:?}", finding.verdict));
        }
    }
    Ok(())
}

/// Whether the core is unsat for the other solver too.
fn ask_core(oracle: &mut Oracle, finding: &Finding) -> Result<(), String> {
    if finding.verdict == Verdict::Unsat && oracle.ask(&finding.core) == Said::Sat {
        return Err(format!("a core has a solution: {:?}", finding.core));
    }
    Ok(())
}

/// Plays a game, on a level of its own; checks its findings as far as that is
/// possible without another solver.
pub(crate) fn run(solver: &mut Solver, effort: Effort, game: &Game) -> Result<Vec<Finding>, String> {
    let played = catch_unwind(AssertUnwindSafe(|| {
        if game.walk { walk(solver, effort, &game.moves) } else { Ok(vec![at_once(effort, &game.moves)?]) }
    }));
    played.unwrap_or_else(|_| Err("it panicked".to_string()))
}

/// A single conjunction, by the function for that.
fn at_once(effort: Effort, moves: &[Move]) -> Result<Finding, String> {
    let rows = moves.iter().filter_map(|step| match step {
        Move::Assert(row) => Some(row.clone()),
        _ => None,
    });
    let rows: Vec<Row> = rows.collect();
    match solve(&rows, effort) {
        Answer::Sat(model) => {
            let value =
                |var| model.iter().find(|(v, _)| *v == var).map_or(Int::ZERO, |(_, value)| value.clone());
            is_model(&rows, value)?;
            Ok(Finding { verdict: Verdict::Sat, core: Vec::new(), certificate: None })
        }
        Answer::Unsat { core, certificate } => refuted(&rows, &core, certificate),
        Answer::Unknown => Ok(Finding { verdict: Verdict::Unknown, core: Vec::new(), certificate: None }),
    }
}

fn walk(solver: &mut Solver, effort: Effort, moves: &[Move]) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    let (mut live, mut levels) = (Vec::new(), Vec::new());
    let mut model: Option<Vec<Int>> = None;
    solver.push();
    for step in moves {
        match step {
            Move::Push => {
                solver.push();
                levels.push(live.len());
            }
            Move::Pop => {
                solver.pop();
                live.truncate(levels.pop().unwrap_or(0));
            }
            Move::Assert(row) => {
                solver.assert(row);
                live.push(row.clone());
            }
            Move::Check => {
                let finding = ask(solver, &live)?;
                if finding.verdict == Verdict::Sat {
                    model = Some((0..VARS).map(|var| solver.value(var)).collect());
                }
                findings.push(finding);
            }
        }
        // The last model stays unchanged, whatever is asserted, popped or refuted since.
        if let Some(model) = &model
            && let Some(var) = (0..VARS).find(|&var| solver.value(var) != model[var as usize])
        {
            return Err(format!("x{var} was {} and is {}", model[var as usize], solver.value(var)));
        }
    }
    (0..=levels.len()).for_each(|_| solver.pop());
    // Now and then the same as one conjunction: both ways may give up, but not contradict each other.
    if let (Some(last), true) = (findings.last(), moves.len().is_multiple_of(3)) {
        let moves: Vec<Move> = live.iter().cloned().map(Move::Assert).collect();
        let again = at_once(effort, &moves)?;
        let (one, other) = (last.verdict, again.verdict);
        if one != other && one != Verdict::Unknown && other != Verdict::Unknown {
            return Err(format!("incrementally it is {one:?}, at once {other:?}"));
        }
    }
    Ok(findings)
}

fn ask(solver: &mut Solver, live: &[Row]) -> Result<Finding, String> {
    let verdict = solver.check();
    match verdict {
        Verdict::Sat => {
            is_model(live, |var| solver.value(var))?;
            // The solver's own evaluation, of what holds and of what may not.
            for row in live.iter().take(4) {
                for op in [Op::Le, Op::Eq, Op::Ne] {
                    let row = Row { op, ..row.clone() };
                    if solver.holds(&row) != Some(holds(&row, |var| solver.value(var))) {
                        return Err(format!("holds({row:?}) is {:?}", solver.holds(&row)));
                    }
                }
            }
            Ok(Finding { verdict, core: Vec::new(), certificate: None })
        }
        Verdict::Unsat => {
            let finding = refuted(live, solver.core(), solver.certificate())?;
            if live.len() % 8 != 7 {
                return Ok(finding);
            }
            let before = solver.core().to_vec();
            solver.minimize();
            match solver.core().iter().find(|number| !before.contains(number)) {
                Some(number) => Err(format!("minimizing {before:?} added {number}")),
                None => refuted(live, solver.core(), solver.certificate()),
            }
        }
        Verdict::Unknown => Ok(Finding { verdict, core: Vec::new(), certificate: None }),
    }
}

fn is_model(rows: &[Row], value: impl Fn(u32) -> Int) -> Result<(), String> {
    match rows.iter().find(|row| !holds(row, &value)) {
        Some(row) => {
            let model: Vec<Int> = (0..width(rows)).map(value).collect();
            Err(format!("the model {model:?} does not satisfy {row:?}"))
        }
        None => Ok(()),
    }
}

/// The core is rows of the query, and the certificate refutes them, also after a way through bytes.
fn refuted(rows: &[Row], core: &[u32], certificate: Option<Certificate>) -> Result<Finding, String> {
    if !core.is_sorted_by(|a, b| a < b) {
        return Err(format!("the core {core:?} is not ascending"));
    }
    let picked = core.iter().map(|&number| rows.get(number as usize).cloned());
    let picked =
        picked.collect::<Option<Vec<Row>>>().ok_or_else(|| format!("the core {core:?} has too many"))?;
    if let Some(certificate) = &certificate {
        check(&picked, certificate).map_err(|flaw| format!("{flaw}: {certificate:?} of {picked:?}"))?;
        if Certificate::decode(&certificate.encode()).as_ref() != Some(certificate) {
            return Err(format!("other bytes: {certificate:?}"));
        }
    }
    Ok(Finding { verdict: Verdict::Unsat, core: picked, certificate })
}
