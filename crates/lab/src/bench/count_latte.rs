//! LattE beside the counters of `bench count`: its program `count`, a process for each polytope.
//!
//! LattE [De Loera, Hemmecke, Tauzer, Yoshida JSC'04] is what Green counted with. It has no other way in than
//! a file, and writes into the folder that it runs in, so each run gets a folder of its own, and a time
//! limit. What is timed is the CPU time of the process and of those that it starts; starting is most of that
//! for small polytopes, so it is measured alone as well, on an interval.
//!
//! It knows no disequalities: `a != b` is counted as `a < b` plus `a > b`, two polytopes, a few in all.

use evergreen::Domain;
use evergreen::counters::{latte_answer, polytopes};
use evergreen::counting::Problem;
use evergreen::solver::find_program;
use num_bigint::BigUint;
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// So long it may think about one polytope.
const PATIENCE: Duration = Duration::from_secs(10);

/// The program, and what starting it costs.
pub(super) struct Latte {
    program: PathBuf,
    /// As it calls itself.
    pub version: String,
    /// Microseconds of CPU time for an interval.
    pub start_us: f64,
}

/// What it said to a problem.
pub(super) struct Counted {
    pub number: BigUint,
    /// Microseconds of CPU time, of all polytopes together.
    pub all_us: f64,
    /// The same without what starting costs.
    pub less_start_us: f64,
}

impl Latte {
    /// The program that was given, else `latte-count` or `count` where programs are looked for. Others are
    /// called `count` too: what does not say that it is LattE is an error if it was given, and passed over if
    /// not.
    pub(super) fn find(given: Option<&Path>) -> Result<Option<Latte>, String> {
        let candidates: Vec<PathBuf> = match given {
            Some(given) => vec![given.to_path_buf()],
            None => ["latte-count", "count"].into_iter().filter_map(find_program).collect(),
        };
        let found = candidates.into_iter().find_map(|program| Some((version(&program)?, program)));
        let Some((version, program)) = found else {
            let refused = |given: &Path| format!("{}: not LattE's program 'count'", given.display());
            return given.map_or(Ok(None), |given| Err(refused(given)));
        };
        let mut latte = Latte { program, version, start_us: 0.0 };
        let interval = Problem { domains: vec![Domain::new(0, 6)], rows: Vec::new() };
        let runs = (0..5).map_while(|_| latte.count(&interval, 0));
        let least = runs.filter(|c| c.number == BigUint::from(7u32)).map(|c| c.all_us).reduce(f64::min);
        latte.start_us = least.ok_or_else(|| {
            format!(
                "{}: does not count 0..6\nhelp: it needs cddlib's scdd_gmp in its folder",
                latte.program.display()
            )
        })?;
        Ok(Some(latte))
    }

    /// The number of solutions, and the least time of the runs within so many milliseconds; `None` if LattE
    /// took too long, failed, or cannot be asked that.
    pub(super) fn count(&self, problem: &Problem, runs_ms: u64) -> Option<Counted> {
        let polytopes = polytopes(problem)?;
        let mut counted = Counted { number: BigUint::ZERO, all_us: 0.0, less_start_us: 0.0 };
        for polytope in polytopes {
            let begin = Instant::now();
            let (number, mut least) = self.run(&polytope)?;
            while begin.elapsed() < Duration::from_millis(runs_ms) {
                least = least.min(self.run(&polytope)?.1);
            }
            counted.number += number;
            counted.all_us += least;
            counted.less_start_us += (least - self.start_us).max(0.0);
        }
        Some(counted)
    }

    fn run(&self, polytope: &str) -> Option<(BigUint, f64)> {
        let folder = tempfile::tempdir().ok()?;
        fs::write(folder.path().join("polytope"), polytope).ok()?;
        let (status, micros) = process(&self.program, "polytope", folder.path())?;
        let said = fs::read(folder.path().join("said")).ok()?;
        let number = fs::read_to_string(folder.path().join("numOfLatticePoints")).ok()?;
        // What a signal ended has no code, and no answer.
        let code = status.code().unwrap_or(-1);
        Some((latte_answer(code, &String::from_utf8_lossy(&said), &number)?, micros))
    }
}

/// What a program calls itself, if it is LattE.
fn version(program: &Path) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    process(program, "--help", folder.path())?;
    let said = fs::read(folder.path().join("said")).ok()?;
    let said = String::from_utf8_lossy(&said);
    let name = said.lines().find_map(|line| line.strip_prefix("This is LattE"))?;
    Some(format!("LattE{}", name.chars().filter(|c| !c.is_control()).take(60).collect::<String>()))
}

/// Runs a program in a folder, what it complains about in the file `said` there: how it ended, and the CPU
/// time of it and its children in microseconds. `None` if it does not start, or took too long and was ended.
fn process(program: &Path, argument: &str, folder: &Path) -> Option<(ExitStatus, f64)> {
    let said = File::create(folder.join("said")).ok()?;
    let program = fs::canonicalize(program).ok()?;
    let mut command = Command::new(program);
    command.arg(argument).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
    // A group of its own, so that its children end with it.
    let child = command.process_group(0).spawn().ok()?;
    let pid = libc::pid_t::try_from(child.id()).ok()?;
    let begin = Instant::now();
    let mut in_time = true;
    loop {
        let mut status = 0;
        // SAFETY: all zeros is a value of that struct.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the call writes one number and one struct; no other code waits for this child.
        let ended = unsafe { libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) };
        if ended == pid {
            let micros = |time: libc::timeval| time.tv_sec as f64 * 1e6 + time.tv_usec as f64;
            let all = micros(usage.ru_utime) + micros(usage.ru_stime);
            return in_time.then(|| (ExitStatus::from_raw(status), all));
        }
        if ended < 0 {
            return None;
        }
        if in_time && begin.elapsed() > PATIENCE {
            in_time = false;
            // SAFETY: ends the group of a child that was not waited for yet, so its number is not another's.
            unsafe { libc::kill(-pid, libc::SIGKILL) };
        }
        std::thread::sleep(Duration::from_micros(300));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen::counting::Relation;

    #[test]
    fn disequalities_become_two_polytopes() {
        let mut problem = Problem::new();
        let (x, y) = (problem.variable(Domain::new(-1, 5)), problem.variable(Domain::new(0, 7)));
        problem.row(&[(x, 2), (y, 3)], -7, Relation::Eq);
        problem.row(&[(x, 1), (y, -1)], 4, Relation::Ne);
        problem.row(&[(x, 1), (y, 1), (x, 1)], -9, Relation::Le);
        let common = "6 3\n1 1 0\n5 -1 0\n0 0 1\n7 0 -1\n7 -2 -3\n".replace("6 3", "7 3");
        let last = "9 -2 -1\nlinearity 1 5\n";
        assert_eq!(
            polytopes(&problem),
            Some(vec![format!("{common}-5 -1 1\n{last}"), format!("{common}3 1 -1\n{last}")])
        );
        for _ in 0..3 {
            problem.row(&[(x, 1)], 0, Relation::Ne);
        }
        assert_eq!(polytopes(&problem), None);
        problem = Problem { domains: vec![Domain::ALL], rows: Vec::new() };
        assert_eq!(polytopes(&problem), None);
    }

    /// Terms, constant, relation.
    type Line<'a> = (&'a [(u32, i64)], i64, Relation);

    #[test]
    fn the_real_program() {
        let program = evergreen_testing::tools::find("latte-count");
        let latte = Latte::find(Some(&program)).expect("LattE").expect("LattE");
        let check = |domains: &[i64], rows: &[Line], expected: &str| {
            let mut problem = Problem::new();
            domains.iter().for_each(|top| _ = problem.variable(Domain::new(0, *top)));
            rows.iter().for_each(|(terms, constant, relation)| problem.row(terms, *constant, *relation));
            let number = latte.count(&problem, 0).map(|c| c.number.to_string());
            assert_eq!(number.as_deref(), Some(expected), "{problem:?}");
        };
        let top = (1 << 31) - 2;
        // A big number, a point, an equality, one without an integer solution, and nothing at all.
        check(
            &[top; 3],
            &[(&[(0, 1), (1, 1), (2, 1)], -4_000_000_001, Relation::Le)],
            "7487918268652959309498035174",
        );
        check(&[0, 0], &[], "1");
        check(&[10, 10], &[(&[(0, 2), (1, 3)], -30, Relation::Eq)], "4");
        check(&[10, 10], &[(&[(0, 2), (1, 4)], -7, Relation::Eq)], "0");
        check(&[10, 10], &[(&[(0, -1), (1, -1)], 21, Relation::Le)], "0");
        check(&[9, 9], &[(&[(0, 1), (1, -1)], 0, Relation::Ne), (&[(0, 1)], -4, Relation::Ne)], "81");
    }

    #[test]
    fn only_what_fits_is_an_answer() {
        let (good, bad, killed) = (0, 1, -1);
        let empty = "Empty polytope or unbounded polytope!";
        let check = |status, said, number, expected: Option<u32>| {
            assert_eq!(
                latte_answer(status, said, number),
                expected.map(BigUint::from),
                "{status} {said:?} {number:?}"
            );
        };
        check(good, "", "121\n", Some(121));
        check(bad, empty, "0\n", Some(0));
        check(bad, "", "0\n", None);
        check(bad, empty, "5\n", None);
        check(killed, "", "5\n", None);
        for garbage in ["", "\n", "-3", "+3", "1 2", "12x", "0x10", "1e5"] {
            check(good, "", garbage, None);
        }
    }
}
