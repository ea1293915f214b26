//! `evergreen-lab svcomp`: the verification community's Java tasks, scored as its competition does.

mod attempt;
mod score;
mod task;

use crate::flags::Svcomp;
use attempt::Bench;
use evergreen_java::classfile::find_jdk;
use evergreen_lab::interrupt;
use score::{Done, Verdict, reasons, sums_json, table};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use task::Task;

/// Reasons that a page lists.
const MOST_REASONS: usize = 40;

/// What others have published, as far as the numbers are comparable.
const PUBLISHED: &str = "JBMC 2019: 139 true and 192 false of 368 tasks, the tasks of that year";

/// Expected verdicts that the community has corrected since the copy was made, with the reason.
const CORRECTED: [(&str, bool, &str); 1] = [(
    "float-nonlinear-calculation/coral79",
    false,
    "The JVM fails the assertion: with `a = 5e-324` both squares underflow to 0. A later copy of the \
     tasks\n  (repository `Abdu-trhabat/sv-test`, `java/float-nonlinear-calculation/coral79.yml`) expects \
     false, too.",
)];

/// Runs what is left to be run, and prints everything.
pub(crate) fn task(flags: &Svcomp) -> Result<ExitCode, String> {
    let product = crate::product::find(flags.evergreen.clone())?;
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let javac = jdk.program("javac").ok_or("the JDK has no javac")?;
    let mut tasks = task::all(&flags.folder)?;
    let corrected = tasks.iter_mut().map(correct).filter(|is_corrected| *is_corrected).count();
    if corrected > 0 {
        crate::say::note(&format!("{corrected} expected verdicts are those of a later copy"));
    }
    tasks.retain(|task| flags.only.is_empty() || flags.only.iter().any(|part| task.name.contains(part)));
    if tasks.is_empty() {
        return Err(format!("{}: no tasks with the property assert_java in it", flags.folder.display()));
    }
    std::fs::create_dir_all(&flags.work).map_err(|e| format!("{}: {e}", flags.work.display()))?;
    let file = flags.work.join(format!("results-{}s.jsonl", flags.limit.as_secs()));
    let mut done = read(&file);
    let is_due = |task: &&Task| match done.get(&task.name) {
        None => true,
        Some(done) => flags.again || (flags.again_unknown && done.verdict == Verdict::Unknown),
    };
    let due: Vec<&Task> = tasks.iter().filter(is_due).collect();
    interrupt::listen();
    let bench = Bench {
        javac: &javac,
        evergreen: &product,
        work: &flags.work,
        limit: flags.limit,
        more: &flags.more,
    };
    for one in run(&bench, &due, &file, flags.jobs.max(1))? {
        done.insert(one.name.clone(), one);
    }
    // The expected verdict is that of today, also of a result that was kept.
    let known = tasks.iter().filter_map(|task| {
        let done = done.remove(&task.name)?;
        Some(Done { expected: task.expected, ..done })
    });
    let known: Vec<Done> = known.collect();
    report(flags, &known)?;
    let is_interrupted = interrupt::is_interrupted();
    if is_interrupted {
        let left = tasks.len() - known.len();
        crate::say::warn(&format!("interrupted with {left} tasks left\nhelp: the same command continues"));
    }
    let is_wrong = known.iter().any(Done::is_wrong);
    Ok(if is_wrong || is_interrupted { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Gives a task the verdict that was corrected, if its own is another one.
fn correct(task: &mut Task) -> bool {
    let found = CORRECTED.iter().find(|(name, expected, _)| *name == task.name && *expected != task.expected);
    if let Some((_, expected, _)) = found {
        task.expected = *expected;
    }
    found.is_some()
}

/// The results of earlier runs; the last line of a task counts.
fn read(file: &Path) -> BTreeMap<String, Done> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|value| Done::of_json(&value)).map(|done| (done.name.clone(), done)).collect()
}

/// Runs tasks, as many at once as `jobs` says; each result is written to the file at once.
fn run(bench: &Bench<'_>, due: &[&Task], file: &Path, jobs: usize) -> Result<Vec<Done>, String> {
    let mut options = std::fs::OpenOptions::new();
    let results = options.create(true).append(true).open(file);
    let results = results.map_err(|e| format!("{}: {e}", file.display()))?;
    let shared = Mutex::new((due.iter(), results, Vec::new(), None));
    let lock = || shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let work = || loop {
        let next = lock().0.next().copied();
        let Some(task) = next.filter(|_| !interrupt::is_interrupted()) else { return };
        let attempted = bench.attempt(task);
        let (_, results, all, trouble) = &mut *lock();
        match attempted {
            Ok(None) => return,
            Ok(Some(done)) => {
                if let Err(e) = writeln!(results, "{}", done.to_json()) {
                    *trouble = Some(format!("{}: {e}", file.display()));
                }
                all.push(done);
                crate::say::note(&progress(all, due.len()));
            }
            Err(e) => *trouble = Some(e),
        }
        if trouble.is_some() {
            return;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
    let (_, _, all, trouble) = shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    trouble.map_or(Ok(all), Err)
}

fn progress(all: &[Done], due: usize) -> String {
    let Some(last) = all.last() else { return String::new() };
    let points: i64 = all.iter().map(Done::points).sum();
    let wrong = if last.is_wrong() { ", WRONG" } else { "" };
    let verdict = match last.verdict {
        Verdict::True => "true".to_string(),
        Verdict::False => "false".to_string(),
        Verdict::Unknown => format!("unknown: {}", last.reason),
    };
    format!("{}/{due}  {points} points  {:.1} s  {}: {verdict}{wrong}", all.len(), last.seconds, last.name)
}

fn report(flags: &Svcomp, all: &[Done]) -> Result<(), String> {
    if flags.json {
        all.iter().for_each(|done| crate::say::say_json(&done.to_json()));
        crate::say::say_json(&sums_json(all));
    } else {
        crate::say::say(table(all).trim_end());
        crate::say::say(&format!("{PUBLISHED}\n\nunknown by reason:"));
        for (reason, count) in reasons(all).iter().take(MOST_REASONS) {
            crate::say::say(&format!("{count:>5}  {reason}"));
        }
        for done in all.iter().filter(|done| done.is_wrong()) {
            crate::say::say(&format!("WRONG {}", done.name));
        }
    }
    match &flags.page {
        Some(file) => std::fs::write(file, page(flags, all)).map_err(|e| format!("{}: {e}", file.display())),
        None => Ok(()),
    }
}

/// Wrong verdicts, and expected ones that were corrected.
fn wrong(all: &[Done]) -> String {
    let mut text = String::new();
    for done in all.iter().filter(|done| done.is_wrong()) {
        if text.is_empty() {
            text += "\n## Wrong verdicts\n\n";
        }
        let said = if done.verdict == Verdict::True { "true" } else { "false" };
        let _ = writeln!(text, "- `{}`: {said}, and {} is expected.", done.name, done.expected);
    }
    let corrected = CORRECTED.iter().filter(|(name, ..)| all.iter().any(|done| done.name == *name));
    for (at, (name, expected, why)) in corrected.enumerate() {
        if at == 0 {
            text += "\n## Expected verdicts that were corrected\n\n";
        }
        let _ = writeln!(text, "- `{name}`: {expected} is expected, and DIR says {}.\n  {why}", !expected);
    }
    text
}

/// The page of the study.
fn page(flags: &Svcomp, all: &[Done]) -> String {
    let mut text = format!(
        "# Verification tasks of the community\n\n\
         Made by `evergreen-lab svcomp DIR --limit {}s --page docs/studies/svcomp.md`; DIR is a copy of the \
         community's\nJava tasks (the public copy in the repository `sohah/JQF-AFL`, folder \
         `afl-sv-comp/java-sv-benchmarks`).\n\n\
         A task asks whether an assertion of a program can fail. Its processor time, {} s, includes \
         compiling, solvers and the\nJVM. `false` is a violation that the JVM repeats, `true` that all \
         paths were explored; what was cut, sampled or bounded\nis unknown. Points: 2 for a right true, 1 \
         for a right false, -32 for a wrong true, -16 for a wrong false.\nDrawn strings have \
         up to 12 characters, and where only a length is in the way of a verdict,\nup to 160 in a second \
         attempt within the same time.\n\n",
        flags.limit.as_secs(),
        flags.limit.as_secs()
    );
    text += &table(all);
    text += &wrong(all);
    let _ =
        write!(text, "\nPublished: {PUBLISHED}.\n\n## Unknown by reason\n\n| tasks | reason |\n|--:|---|\n");
    for (reason, count) in reasons(all).iter().take(MOST_REASONS) {
        let _ = writeln!(text, "| {count} | {} |", reason.replace('|', "\\|"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrected_verdict_is_expected_once() {
        let (name, expected, _) = CORRECTED[0];
        let mut task = Task { name: name.into(), sources: Vec::new(), expected: !expected };
        assert!(correct(&mut task) && task.expected == expected);
        assert!(!correct(&mut task), "it was corrected already");
        let mut other = Task { name: format!("{name}1"), ..task };
        assert!(!correct(&mut other));
        let done = Done::new(&other, Verdict::False, String::new(), 1.0, 1);
        assert_eq!(wrong(&[done]), "", "nothing is said of tasks that are not there");
    }
}
