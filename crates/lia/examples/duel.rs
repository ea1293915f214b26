//! Random conjunctions and walks, answered by this crate and by another solver: `duel --count N
//! --seed S --solver yices|z3`.
//!
//! Every model is evaluated, every certificate checked, every verdict compared. Ends with 1 if anything was
//! wrong, and shows a smallest case of it.
//!
//! - `--second N` asks the other of the two solvers about every N-th game too;
//! - `--from N` begins with that game, `--show N` writes it as a script;
//! - `--life N` keeps one solver for that many games;
//! - `--pivots N` and `--splits N` bound the effort;
//! - `--every V,R,N` asks about all conjunctions of up to R rows over V (2 or 3) variables
//!   with numbers up to N instead.

#[path = "../tests/harness/mod.rs"]
mod harness;

use evergreen_lia::Effort;
use harness::duel::Duel;
use harness::every::Every;
use harness::moves::{Game, Script};
use harness::oracle::Oracle;
use std::process::ExitCode;
use std::time::{Duration, Instant};

struct Flags {
    count: usize,
    seed: u64,
    first: &'static str,
    second: u64,
    from: u64,
    show: bool,
    effort: Effort,
    life: u64,
    every: Option<Every>,
}

fn flags() -> Option<Flags> {
    let mut flags = Flags {
        count: 100_000,
        seed: 1,
        first: "yices-smt2",
        second: 0,
        from: 0,
        show: false,
        effort: Effort::default(),
        life: 64,
        every: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(flag) = args.next() {
        let value = args.next()?;
        match flag.as_str() {
            "--count" => flags.count = value.parse().ok()?,
            "--seed" => flags.seed = value.parse().ok()?,
            "--from" => flags.from = value.parse().ok()?,
            "--show" => (flags.from, flags.show) = (value.parse().ok()?, true),
            "--life" => flags.life = value.parse::<u64>().ok()?.max(1),
            "--pivots" => flags.effort.pivots = value.parse().ok()?,
            "--splits" => flags.effort.splits = value.parse().ok()?,
            "--every" => {
                let numbers = value.split(',').map(|number| number.parse::<u8>().ok());
                let [vars @ 2..=3, rows, reach] = numbers.collect::<Option<Vec<u8>>>()?[..] else {
                    return None;
                };
                let (vars, rows, reach) = (usize::from(vars), usize::from(rows), i64::from(reach));
                flags.every = Some(Every { vars, rows, reach, certify: 20 });
            }
            "--second" => flags.second = value.parse().ok()?,
            "--solver" if value == "yices" => flags.first = "yices-smt2",
            "--solver" if value == "z3" => flags.first = "z3",
            _ => return None,
        }
    }
    Some(flags)
}

fn main() -> ExitCode {
    let Some(flags) = flags() else {
        eprintln!(
            "usage: duel [--count QUERIES] [--seed SEED] [--solver yices|z3] [--second EVERY] [--from GAME] \
             [--show GAME] [--every VARS,ROWS,REACH]"
        );
        return ExitCode::from(2);
    };
    if flags.show {
        print!("{}", Script(&Game::new(flags.seed, flags.from).moves));
        return ExitCode::SUCCESS;
    }
    if let Some(every) = flags.every {
        let start = Instant::now();
        let answers = every.ask();
        println!("{answers:?}\n{:.1} s", start.elapsed().as_secs_f64());
        return ExitCode::from(u8::from(answers.is_err()));
    }
    let other = if flags.first == "z3" { "yices-smt2" } else { "z3" };
    let second = (flags.second > 0).then(|| (Oracle::start(other), flags.second));
    let mut duel = Duel::new(flags.seed, flags.effort, Oracle::start(flags.first), second);
    duel.life = flags.life;
    let start = Instant::now();
    let (mut shown, mut slowest) = (Instant::now(), (Duration::ZERO, 0)); // of the solver under test
    let mut games = flags.from;
    while duel.tally.total().queries < flags.count && duel.faults.len() < 10 {
        let before = duel.spent;
        duel.play(games);
        slowest = slowest.max((duel.spent - before, games));
        games += 1;
        if shown.elapsed() > Duration::from_secs(2) {
            shown = Instant::now();
            let total = duel.tally.total();
            let (queries, unknown, faults) = (total.queries, total.unknown, duel.faults.len());
            eprintln!("{queries} queries, {games} games, {unknown} unknown, {faults} disagreements");
        }
    }
    for fault in &duel.faults {
        println!("{fault}\n");
    }
    println!("{}", duel.tally);
    println!("given up first in games {:?}", duel.given_up);
    println!(
        "seed {}, {games} games against {} in {:.1} s, of which ours {:.1} s, slowest {:.0} ms (game {}), \
         disagreements {}",
        flags.seed,
        flags.first,
        start.elapsed().as_secs_f64(),
        duel.spent.as_secs_f64(),
        slowest.0.as_secs_f64() * 1e3,
        slowest.1,
        duel.faults.len()
    );
    ExitCode::from(u8::from(!duel.faults.is_empty()))
}
