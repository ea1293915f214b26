//! `evergreen-lab duel`: the runs that its flags ask for, and what is printed of them.

use crate::flags::Duel;
use crate::say::{note, say, say_json, warn};
use evergreen_lab::duel::bits;
use evergreen_lab::duel::job::Choice;
use evergreen_lab::duel::lane::{LEVELS, Solver};
use evergreen_lab::duel::theory::Theory;
use evergreen_lab::duel::{Limit, Options, Progress, run};
use evergreen_lab::interrupt;
use std::process::ExitCode;
use std::time::Duration;

fn or_all<T: Clone>(given: &[T], all: &[T]) -> Vec<T> {
    if given.is_empty() { all.to_vec() } else { given.to_vec() }
}

impl Duel {
    /// The runs that the flags ask for: what is said of each, its limit, its theories.
    fn rounds(&self) -> Vec<(&'static str, Limit, Vec<Theory>)> {
        if self.long {
            let bits = vec![Theory::Bits, Theory::Arrays, Theory::Bytes];
            return vec![
                ("linear", Limit::Checks(1_000_000), vec![Theory::Linear]),
                ("bit vectors and arrays", Limit::Checks(200_000), bits),
                ("everything", Limit::Checks(100_000), Theory::ALL.to_vec()),
            ];
        }
        let limit = match (self.checks, self.seconds) {
            (Some(checks), _) => Limit::Checks(checks),
            (None, seconds) => Limit::Time(Duration::from_secs(seconds.unwrap_or(60))),
        };
        vec![("", limit, or_all(&self.theory, &Theory::ALL))]
    }

    /// Runs the duel of the core of bit vectors.
    fn fight_bits(&self, threads: usize) -> Result<ExitCode, String> {
        let (_, limit, _) = self.rounds().remove(0);
        let options = bits::Options { seed: self.seed, limit, threads, keep: self.keep.clone() };
        let report = bits::run(&options)?;
        if self.json {
            say_json(&report.json());
        } else if self.markdown {
            say(&report.markdown());
        } else {
            say(&report.text());
        }
        for difference in &report.differences {
            note(&format!("\n{difference}"));
        }
        Ok(ExitCode::from(u8::from(!report.differences.is_empty())))
    }

    /// Runs the duel.
    pub(crate) fn fight(self) -> Result<ExitCode, String> {
        interrupt::listen();
        let threads =
            self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, |n| n.get()));
        if self.bits {
            return self.fight_bits(threads);
        }
        let product = crate::product::find(self.evergreen.clone())?;
        let mut failed = false;
        for (title, limit, theories) in self.rounds() {
            let is_whole =
                theories.len() == Theory::ALL.len() && self.solver.is_empty() && self.level.is_empty();
            let choice = Choice {
                theories,
                solvers: or_all(&self.solver, &Solver::ALL),
                levels: or_all(&self.level, &LEVELS),
            };
            let options = Options {
                seed: self.seed,
                limit,
                choice,
                product: product.clone(),
                threads,
                era: self.era,
                keep: self.keep.clone(),
                progress: Progress::Shown,
            };
            let report = run(&options)?;
            if self.json {
                say_json(&report.json());
            } else if self.markdown {
                let head = if title.is_empty() { String::new() } else { format!("### {title}\n") };
                say(&format!("{head}{}", report.markdown()));
            } else {
                say(&report.text());
            }
            for difference in &report.differences {
                note(&format!("\n{difference}"));
            }
            let silent = report.tally.silent();
            if is_whole && !silent.is_empty() && !report.interrupted {
                warn(&format!("rungs that never answered: {}", silent.join(", ")));
                failed = true;
            }
            failed |= !report.differences.is_empty() || !report.tally.broken_off.is_empty();
            if failed || report.interrupted {
                break;
            }
        }
        Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}
