//! Games: the moves played on an incremental solver, one conjunction at once or a
//! walk through a tree of paths.

use super::queries::{FAMILIES, any, negation};
use evergreen_lia::Row;
use evergreen_testing::random::Random;
use std::fmt;

/// One move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Move {
    /// Open a level.
    Push,
    /// Close it.
    Pop,
    /// Add a row.
    Assert(Row),
    /// Ask.
    Check,
}

/// Moves that leave the stack as deep as they found it or deeper.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// Where its rows come from.
    pub family: usize,
    /// Whether it is a walk and not a single conjunction.
    pub walk: bool,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Game {
    /// The game number `index` of a seed.
    pub(crate) fn new(seed: u64, index: u64) -> Game {
        let random = &mut Random::for_index(seed, index);
        let family = any(random);
        let deep = FAMILIES[family].name == "deep";
        let walk = random.one_in(if deep { 2 } else { 8 });
        let rows = FAMILIES[family].rows(random);
        let moves = if walk {
            steps(rows, family, random)
        } else {
            rows.into_iter().map(Move::Assert).chain([Move::Check]).collect()
        };
        Game { family, walk, moves }
    }

    /// How many checks there are.
    pub(crate) fn checks(&self) -> usize {
        self.moves.iter().filter(|step| **step == Move::Check).count()
    }
}

/// A walk: most steps go one row deeper; at times it goes back and takes the other arm.
fn steps(mut pool: Vec<Row>, family: usize, random: &mut Random) -> Vec<Move> {
    if random.one_in(3) {
        pool.extend(FAMILIES[family].rows(random));
    }
    let mut moves = Vec::new();
    // The row that each open level began with.
    let mut open: Vec<Row> = Vec::new();
    let mut next = 0;
    let length = if pool.len() > 25 { 100 } else { 14 };
    for _ in 0..4 + random.below(length) {
        match random.below(10) {
            0..5 => {
                let row = pool[next % pool.len()].clone();
                next += 1;
                let row = if random.one_in(5) { negation(&row, random) } else { row };
                moves.extend([Move::Push, Move::Assert(row.clone()), Move::Check]);
                open.push(row);
            }
            5 => {
                // Several rows at once.
                for _ in 0..1 + random.below(4) {
                    moves.push(Move::Assert(pool[next % pool.len()].clone()));
                    next += 1;
                }
                moves.push(Move::Check);
            }
            6 => moves.push(Move::Check),
            _ => {
                let mut last = None;
                for _ in 0..1 + random.below(3) {
                    if let Some(row) = open.pop() {
                        moves.push(Move::Pop);
                        last = Some(row);
                    }
                }
                if let Some(row) = last {
                    let other = negation(&row, random);
                    moves.extend([Move::Push, Move::Assert(other.clone()), Move::Check]);
                    open.push(other);
                }
            }
        }
    }
    moves.push(Move::Check);
    moves
}

/// Shows moves as SMT-LIB commands that any solver takes.
pub(crate) struct Script<'a>(pub &'a [Move]);

impl fmt::Display for Script<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.0.iter().filter_map(|step| match step {
            Move::Assert(row) => Some(row.clone()),
            _ => None,
        });
        let rows: Vec<Row> = rows.collect();
        writeln!(f, "(set-logic QF_LIA)")?;
        for var in 0..super::rows::width(&rows) {
            writeln!(f, "(declare-const x{var} Int)")?;
        }
        for step in self.0 {
            match step {
                Move::Push => writeln!(f, "(push 1)")?,
                Move::Pop => writeln!(f, "(pop 1)")?,
                Move::Check => writeln!(f, "(check-sat)")?,
                Move::Assert(row) => writeln!(f, "(assert {})", super::rows::text(row))?,
            }
        }
        Ok(())
    }
}
