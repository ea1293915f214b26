//! Counters that are programs: LattE and barvinok, behind [`Counter`].
//!
//! LattE [De Loera, Hemmecke, Tauzer, Yoshida JSC'04] is what Green counted with [Visser FSE'12]. It has no
//! other way in than a file, and writes into the folder that it runs in, so each run gets a folder of its
//! own. It knows no disequalities: `a != b` is counted as `a < b` plus `a > b`, two polytopes.
//!
//! barvinok [Verdoolaege, Seghir, Beyls, Loechner, Bruynooghe, Algorithmica'07] gets a set in isl's notation
//! on a line and prints the number: `scripts/launch/barvinok.py` does that with PyPI's islpy-barvinok.
//!
//! A program that fails, takes too long or prints something else has given up; nothing is recorded then.

use evergreen_count::{Budget, Count, Counter, Domain, Problem, Relation, Row};
use evergreen_solver::{Batch, Command, Limits, find_program};
use evergreen_term::Int;
use num_bigint::BigUint;
use std::path::Path;

/// So long a program may think about one polytope, in milliseconds, unless a caller says otherwise.
const PATIENCE_MS: u64 = 10_000;

/// Disequalities make at most so many polytopes of a problem.
const MOST: usize = 8;

/// A number with more digits is an error.
const DIGITS: usize = 100_000;

fn limits() -> Limits {
    Limits { time_ms: Some(PATIENCE_MS), ..Limits::default() }
}

fn number(text: &str) -> Option<BigUint> {
    let digits = text.trim();
    let is_number =
        !digits.is_empty() && digits.len() <= DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// LattE's program `count`, a process for each polytope.
pub struct Latte {
    command: Command,
    limits: Limits,
}

impl Latte {
    /// `latte-count` where programs are looked for.
    pub fn find() -> Option<Latte> {
        find_program("latte-count").map(|program| Latte::new(&program))
    }

    /// A given program.
    pub fn new(program: &Path) -> Latte {
        Latte { command: Command::new(program), limits: limits() }
    }

    /// What one polytope may take.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Latte {
        self.limits = limits;
        self
    }

    fn run(&self, polytope: &str) -> Option<BigUint> {
        let folder = tempfile::tempdir().ok()?;
        std::fs::write(folder.path().join("polytope"), polytope).ok()?;
        let batch = Batch::run_in(&self.command, folder.path(), "polytope", &self.limits).ok()?;
        let written = std::fs::read_to_string(folder.path().join("numOfLatticePoints")).ok()?;
        latte_answer(batch.code, &batch.stderr, &written)
    }
}

/// The number in LattE's file `numOfLatticePoints`, if its exit code and what it said fit to it. An empty
/// polytope ends with an error.
pub fn latte_answer(code: i32, said: &str, written: &str) -> Option<BigUint> {
    let number = number(written)?;
    let is_empty = number == BigUint::ZERO && code == 1 && said.contains("Empty polytope");
    (code == 0 || is_empty).then_some(number)
}

impl Counter for Latte {
    fn name(&self) -> &str {
        "LattE"
    }

    fn count(&mut self, problem: &Problem, _: Budget) -> Count {
        let Some(polytopes) = polytopes(problem) else {
            return Count::GaveUp("a variable without an end, or too many disequalities for LattE".into());
        };
        let mut sum = BigUint::ZERO;
        for polytope in polytopes {
            match self.run(&polytope) {
                Some(number) => sum += number,
                None => return Count::GaveUp("LattE has no answer".into()),
            }
        }
        Count::Exact(sum)
    }
}

/// barvinok, a process for each question.
pub struct Barvinok {
    command: Command,
    limits: Limits,
}

impl Barvinok {
    /// `barvinok` where programs are looked for.
    pub fn find() -> Option<Barvinok> {
        find_program("barvinok").map(|program| Barvinok::new(&program))
    }

    /// A given program.
    pub fn new(program: &Path) -> Barvinok {
        // Once, not over and over for a time to compare.
        let command = Command { args: vec!["0".into()], ..Command::new(program) };
        Barvinok { command, limits: limits() }
    }

    /// What one question may take.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Barvinok {
        self.limits = limits;
        self
    }
}

impl Counter for Barvinok {
    fn name(&self) -> &str {
        "barvinok"
    }

    fn count(&mut self, problem: &Problem, _: Budget) -> Count {
        let is_finite = |domain: &Domain| domain.lo.is_some() && domain.hi.is_some();
        if !problem.domains.iter().all(is_finite) {
            return Count::GaveUp("a variable without an end".into());
        }
        let batch = Batch::run_on(&self.command, &(isl(problem) + "\n"), &self.limits);
        let said = batch.ok().filter(|batch| batch.code == 0).map(|batch| batch.output);
        let found = said.and_then(|said| number(said.split('\t').next().unwrap_or_default()));
        found.map_or_else(|| Count::GaveUp("barvinok has no answer".into()), Count::Exact)
    }
}

/// A problem as polytopes that share no points, in LattE's notation: rows `b -A` for `b - A x >= 0`. `None`
/// if a variable has no end, or if there are too many.
pub fn polytopes(problem: &Problem) -> Option<Vec<String>> {
    let n = problem.domains.len();
    let mut base: Vec<Vec<Int>> = Vec::new();
    for (v, domain) in problem.domains.iter().enumerate() {
        let unit = |a: i64| (0..n).map(move |j| Int::from(if j == v { a } else { 0 }));
        base.push([domain.lo.as_ref()?.neg()].into_iter().chain(unit(1)).collect());
        base.push([domain.hi.clone()?].into_iter().chain(unit(-1)).collect());
    }
    let mut equalities = Vec::new();
    let mut all = vec![base];
    for row in &problem.rows {
        match row.relation {
            Relation::Ne => {
                let (below, above) = (side(row, n, true, 1)?, side(row, n, false, 1)?);
                let with = |more: &Vec<Int>| {
                    all.iter()
                        .map(|rows| [rows.as_slice(), std::slice::from_ref(more)].concat())
                        .collect::<Vec<_>>()
                };
                all = [with(&below), with(&above)].concat();
                if all.len() > MOST {
                    return None;
                }
            }
            Relation::Le | Relation::Eq => {
                if row.relation == Relation::Eq {
                    equalities.push(all[0].len() + 1);
                }
                let most = side(row, n, true, 0)?;
                all.iter_mut().for_each(|rows| rows.push(most.clone()));
            }
        }
    }
    Some(all.iter().map(|rows| text(rows, n, &equalities)).collect())
}

/// `row <= -gap` or `row >= gap`, as `b -A`.
fn side(row: &Row, n: usize, below: bool, gap: i64) -> Option<Vec<Int>> {
    let sign = |a: &Int| if below { a.neg() } else { a.clone() };
    let mut numbers = vec![Int::ZERO; n + 1];
    numbers[0] = sign(&row.constant).sub(&Int::from(gap));
    for (v, a) in &row.terms {
        let place = numbers.get_mut(*v as usize + 1)?;
        *place = place.add(&sign(a));
    }
    Some(numbers)
}

fn text(rows: &[Vec<Int>], n: usize, equalities: &[usize]) -> String {
    let mut text = format!("{} {}\n", rows.len(), n + 1);
    for row in rows {
        let numbers: Vec<String> = row.iter().map(Int::to_string).collect();
        text += &(numbers.join(" ") + "\n");
    }
    if !equalities.is_empty() {
        let places: Vec<String> = equalities.iter().map(usize::to_string).collect();
        text += &format!("linearity {} {}\n", places.len(), places.join(" "));
    }
    text
}

/// A problem in isl's notation.
pub fn isl(problem: &Problem) -> String {
    let names: Vec<String> = (0..problem.domains.len()).map(|v| format!("x{v}")).collect();
    let mut parts: Vec<String> = Vec::new();
    for (name, domain) in names.iter().zip(&problem.domains) {
        if let (Some(lo), Some(hi)) = (&domain.lo, &domain.hi) {
            parts.push(format!("{lo} <= {name} <= {hi}"));
        }
    }
    for row in &problem.rows {
        let mut terms: Vec<String> = row.terms.iter().map(|(v, a)| format!("{a}*x{v}")).collect();
        terms.push(row.constant.to_string());
        let relation = match row.relation {
            Relation::Eq => "=",
            Relation::Ne => "!=",
            Relation::Le => "<=",
        };
        parts.push(format!("{} {relation} 0", terms.join(" + ")));
    }
    format!("{{ [{}] : {} }}", names.join(","), parts.join(" and "))
}
