//! Figure 6: programs of one release and the next, explored with and without the old suite.
//!
//! Two sets of programs: those of `subjects/c` in their last two versions, compiled here; and modules that
//! the user brings (`--modules`), for the paper's own subjects, the utilities of GNU Coreutils. Each new
//! version is explored from nothing, with the old suite, with the old suite by the paper's rule, and with the
//! old suite and the old store. The bound is a number of paths, so that counts do not depend on time.

use super::c::{Known, Measured, explore, inputs};
use crate::papers::plot::{self, Scale};
use crate::papers::show::{Block, Mark, Shown};
use crate::papers::technique::empty_store;
use crate::papers::work::Work;
use crate::plan::{Plan, Planned};
use crate::study::explored::copy_of;
use evergreen_c::{CProgram, Compiling, Inputs, Opened, is_source};
use evergreen_java::Old;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The most paths of an exploration of our own programs: by default, and with `--full`.
const OWN_PATHS: (u64, u64) = (100, 1000);
/// The same of a utility.
const PATHS: (u64, u64) = (400, 4000);

/// What the paper saved of queries, solver time and time.
const PAPER: [f64; 3] = [0.67, 0.80, 0.73];

/// Shares that are saved.
struct Shares {
    /// Of queries about arms.
    asked: f64,
    /// Of those that had to be solved, with those for inputs of tests.
    solved: f64,
    /// Of the time of solving.
    solver: f64,
    /// Of all time.
    time: f64,
}

impl Shares {
    fn texts(&self) -> [String; 4] {
        [self.asked, self.solved, self.solver, self.time].map(|share| format!("{:.0}%", 100.0 * share))
    }

    fn words(&self) -> String {
        let [asked, solved, solver, time] = self.texts();
        format!(
            "{asked} of the queries ({solved} of those that are solved), {solver} of the solver's time and \
             {time} of all time"
        )
    }
}

/// A program in two versions.
struct Pair {
    name: String,
    old: Opened,
    new: Opened,
    /// Whether both versions are the same module.
    is_same: bool,
    inputs: Inputs,
}

/// What its explorations cost.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Compared {
    name: String,
    /// Whether both versions are the same module.
    is_same: bool,
    /// The old version, from nothing.
    base: Measured,
    /// The old version again, with its own suite and store.
    again: Measured,
    /// The new version from nothing.
    cold: Measured,
    /// With the old suite.
    suite: Measured,
    /// With the old suite by the paper's rule.
    trusting: Measured,
    /// With the old suite and the old store.
    both: Measured,
}

impl Compared {
    /// Paths that the paper's rule misses; none if either exploration left paths.
    fn missed(&self) -> Option<u64> {
        (!self.cold.is_partial).then(|| self.missed_at_least()).flatten()
    }

    /// The same, or fewer where the exploration from nothing left paths; none if the other did.
    fn missed_at_least(&self) -> Option<u64> {
        (!self.trusting.is_partial).then(|| self.cold.paths.saturating_sub(self.trusting.paths))
    }

    fn add(&mut self, other: &Compared) {
        self.base.add(&other.base);
        self.again.add(&other.again);
        self.cold.add(&other.cold);
        self.suite.add(&other.suite);
        self.trusting.add(&other.trusting);
        self.both.add(&other.both);
    }
}

fn compare(pair: &Pair, most: u64) -> Result<Compared, String> {
    let nothing = Known::nothing();
    let store = nothing.store.clone();
    let (base, tests) = explore(&pair.old, &pair.inputs, most, nothing)?;
    let before = copy_of(&store)?;
    let known = |store, old| Known { store, tests: Some(&tests), old };
    let run =
        |opened: &Opened, known| explore(opened, &pair.inputs, most, known).map(|(measured, _)| measured);
    Ok(Compared {
        name: pair.name.clone(),
        is_same: pair.is_same,
        base,
        again: run(&pair.old, known(copy_of(&before)?, Old::TrustNothing))?,
        cold: run(&pair.new, Known::nothing())?,
        suite: run(&pair.new, known(empty_store(), Old::TrustNothing))?,
        trusting: run(&pair.new, known(empty_store(), Old::TrustInfeasible))?,
        both: run(&pair.new, known(before, Old::TrustNothing))?,
    })
}

/// A program in two versions, each a file.
fn pair(
    planned: &Planned,
    files: [PathBuf; 2],
    compiling: &Compiling,
    words: &[String],
) -> Result<Pair, String> {
    let open = |file: PathBuf| CProgram::open(&[file], compiling).map_err(|e| e.to_string());
    let [old, new] = files;
    let (old, new) = (open(old)?, open(new)?);
    Ok(Pair {
        name: planned.name.clone(),
        is_same: old.bytes() == new.bytes(),
        old: old.opened(),
        new: new.opened(),
        inputs: inputs(words)?,
    })
}

/// A program of `subjects/c` in its last two versions: what the plan gives the last one.
fn own(folder: &Path, planned: &Planned) -> Result<Pair, String> {
    let (mut compiling, mut rest, mut source) = (Compiling::default(), Vec::new(), None);
    let mut words = planned.words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--cc-arg" => compiling.args.extend(words.next().map(Into::into)),
            file if is_source(Path::new(file)) => source = Some(file),
            _ => rest.push(word.clone()),
        }
    }
    let source = source.ok_or_else(|| format!("{}: no source", planned.name))?;
    let version = |back: u32| {
        let last = source.split('/').find_map(|part| part.strip_prefix('v')?.parse::<u32>().ok())?;
        Some(folder.join(source.replace(&format!("/v{last}/"), &format!("/v{}/", last.checked_sub(back)?))))
    };
    let file = |back| version(back).ok_or_else(|| format!("{}: no version", planned.name));
    pair(planned, [file(1)?, file(0)?], &compiling, &rest)
}

/// A pair of modules.
fn brought(modules: &Path, planned: &Planned) -> Result<Pair, String> {
    let module = |version: &str| modules.join(version).join(format!("{}.wasm", planned.name));
    pair(planned, [module("old"), module("new")], &Compiling::default(), &planned.words)
}

fn table(all: &[Compared]) -> Vec<Vec<String>> {
    let mut head: Vec<String> = ["program", "paths", "kept"].map(String::from).to_vec();
    for what in ["queries", "solved", "solver ms", "ms"] {
        head.extend(["", ": suite", ": rule", ": + store"].map(|how| format!("{what}{how}")));
    }
    head.push("missed by the rule".into());
    let mut rows = vec![head];
    let mut sum = Compared { name: "all".into(), ..Compared::default() };
    let row = |of: &Compared, missed: String| {
        let runs = [&of.cold, &of.suite, &of.trusting, &of.both];
        let ms = |seconds: f64| format!("{:.0}", seconds * 1e3);
        let plus = if of.cold.is_partial && of.name != "all" { "+" } else { "" };
        let mut cells = vec![of.name.clone(), format!("{}{plus}", of.cold.paths), of.suite.kept.to_string()];
        cells.extend(runs.map(|m| m.asked.to_string()));
        cells.extend(runs.map(|m| m.calls.to_string()));
        cells.extend(runs.map(|m| ms(m.solver_seconds)));
        cells.extend(runs.map(|m| ms(m.seconds)));
        cells.push(missed);
        cells
    };
    for compared in all {
        sum.add(compared);
        rows.push(row(compared, compared.missed().map_or("?".into(), |missed| missed.to_string())));
    }
    let missed: u64 = all.iter().filter_map(Compared::missed).sum();
    rows.push(row(&sum, missed.to_string()));
    rows
}

/// What is saved of explorations from nothing.
fn shares(all: &[Compared], of: impl Fn(&Compared) -> &Measured) -> Shares {
    let mut sums = (Measured::default(), Measured::default());
    for compared in all {
        sums.0.add(&compared.cold);
        sums.1.add(of(compared));
    }
    let (cold, with) = sums;
    let share = |cold: f64, with: f64| if cold > 0.0 { (cold - with) / cold } else { 0.0 };
    Shares {
        asked: share(cold.asked as f64, with.asked as f64),
        solved: share(cold.calls as f64, with.calls as f64),
        solver: share(cold.solver_seconds, with.solver_seconds),
        time: share(cold.seconds, with.seconds),
    }
}

fn summary(all: &[Compared]) -> Vec<Vec<String>> {
    let row = |name: &str, shares: Shares| {
        std::iter::once(name.to_string()).chain(shares.texts()).collect::<Vec<_>>()
    };
    let [asked, solver, time] = PAPER;
    vec![
        ["saved", "queries", "solved", "solver time", "time"].map(String::from).to_vec(),
        row("paper", Shares { asked, solved: asked, solver, time }),
        row("ours: old suite", shares(all, |c| &c.suite)),
        row("ours: old suite, the paper's rule", shares(all, |c| &c.trusting)),
        row("ours: old suite and store", shares(all, |c| &c.both)),
        row("unchanged: old suite and store", unchanged(all)),
    ]
}

/// What a second exploration of the old version saves of the first.
fn unchanged(all: &[Compared]) -> Shares {
    let turned =
        |c: &Compared| Compared { cold: c.base.clone(), both: c.again.clone(), ..Compared::default() };
    shares(&all.iter().map(turned).collect::<Vec<_>>(), |c| &c.both)
}

/// What old versions solve when they are explored again. Where paths are left, a run with tests leaves other
/// arms than the first one, and may ask about some that the first one never reached.
fn again(all: &[Compared]) -> String {
    let (partial, complete): (Vec<&Compared>, Vec<&Compared>) = all.iter().partition(|c| c.base.is_partial);
    let solved = |of: &[&Compared]| of.iter().map(|c| c.again.calls).sum::<u64>();
    let named: Vec<String> = complete
        .iter()
        .filter(|c| c.again.calls > 0)
        .map(|c| format!("{} {}", c.name, c.again.calls))
        .collect();
    let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    format!(
        "The old versions explored again with their suites and stores solve {} queries{named} in the {} that \
         are explored completely, and {} in the {} where the bound on paths or something that is not \
         supported ends paths without a test: a run with tests leaves other arms there than the first one \
         did.",
        solved(&complete),
        complete.len(),
        solved(&partial),
        partial.len()
    )
}

/// Times of programs, the longest last.
fn picture(title: &str, all: &[Compared]) -> String {
    let mut sorted: Vec<&Compared> = all.iter().collect();
    sorted.sort_by(|a, b| a.cold.seconds.total_cmp(&b.cold.seconds));
    let line = |name: &str, of: fn(&Compared) -> f64| {
        let points = sorted.iter().enumerate().map(|(i, c)| (i as f64 + 1.0, of(c).max(1e-4)));
        (name.to_string(), points.collect::<Vec<_>>())
    };
    let lines = [
        line("without", |c| c.cold.seconds),
        line("old suite", |c| c.suite.seconds),
        line("the paper's rule", |c| c.trusting.seconds),
        line("suite and store", |c| c.both.seconds),
    ];
    plot::curves(title, ("program", "seconds"), (Scale::Linear, Scale::Log), &lines)
}

fn blocks(what: &str, all: &[Compared]) -> Vec<Block> {
    let same = all.iter().filter(|c| c.is_same).count();
    vec![
        Block::Table {
            caption: format!("{what}: what is saved of an exploration from nothing."),
            rows: summary(all),
        },
        Block::Text(format!("{} programs, {same} of them unchanged modules. {}", all.len(), again(all))),
        Block::Table {
            caption: format!(
                "{what}: queries about arms, those that were solved, milliseconds of solving and in all; \
                 from nothing, with the old suite, by the paper's rule, with the old store too. `+`: \
                 paths are left, since the bound on their number cut the exploration or some met something \
                 that is not supported; then missed paths are not known."
            ),
            rows: table(all),
        },
        Block::Picture { caption: format!("{what}: time of each program"), svg: picture(what, all) },
    ]
}

/// The programs of a plan, each a step.
fn run_all(
    work: &mut Work,
    plan: &Plan,
    most: (u64, u64),
    pair: impl Fn(&Planned) -> Result<Pair, String>,
) -> Result<Vec<Compared>, String> {
    let most = if work.full { most.1 } else { most.0 };
    let mut all = Vec::new();
    for planned in &plan.programs {
        let step = format!("{}, {}", plan.folder.display(), planned.name);
        all.push(work.step(&step, || compare(&pair(planned)?, most))?);
    }
    Ok(all)
}

/// The utilities that are there in both versions.
fn utilities(work: &mut Work) -> Result<Vec<Compared>, String> {
    let modules = work.modules.clone();
    let mut plan = Plan::read(&work.subjects.join("papers/coreutils.txt"), &[])?;
    let is_there = |planned: &Planned| {
        ["old", "new"]
            .iter()
            .all(|version| modules.join(version).join(format!("{}.wasm", planned.name)).is_file())
    };
    plan.programs.retain(is_there);
    plan.folder = PathBuf::from("modules");
    run_all(work, &plan, PATHS, |planned| brought(&modules, planned))
}

/// Which releases the modules are of, as far as their folder says it.
fn releases(modules: &Path) -> String {
    let text = std::fs::read_to_string(modules.join("RELEASES")).unwrap_or_default();
    text.lines().next().map(|line| format!(" {}", line.trim())).unwrap_or_default()
}

fn compared(own: &[Compared], utilities: &[Compared], modules: &Path) -> (Mark, String) {
    let paper = "the paper: 67% of the queries, 80% of the solver's time, 73% of all time";
    if utilities.is_empty() {
        return (
            Mark::Differs,
            format!(
                "Not run on the paper's subjects: there are no modules in {}. On our own programs the old \
                 suite saves {} ({paper}). help: compile two releases of GNU Coreutils for wasm32-wasi, for \
                 example from Debian's source packages, and name their folder with --modules; \
                 docs/studies/c.md says how they were compiled.",
                modules.display(),
                shares(own, |c| &c.suite).words(),
            ),
        );
    }
    let rule = shares(utilities, |c| &c.trusting);
    let missed: u64 = utilities.iter().filter_map(Compared::missed).sum();
    let least: u64 = utilities.iter().filter_map(Compared::missed_at_least).sum();
    let whole: Vec<&Compared> = utilities.iter().filter(|c| c.missed().is_some()).collect();
    let of: u64 = whole.iter().map(|c| c.cold.paths).sum();
    let is_same = rule.asked > 0.5 && rule.time > 0.25 && utilities.len() >= 40;
    (
        if is_same { Mark::SameShape } else { Mark::Differs },
        format!(
            "Over {} utilities the paper's rule saves {} ({paper}). Of the {of} paths of the {} utilities \
             that were explored completely it misses {missed}; over all that it ended by itself it misses \
             at least {least}. The rule is sound for suites of complete explorations only, and `evergreen \
             explore` refuses it for others; here a number of paths is the bound, so most suites are \
             incomplete, as the paper's were after an hour. Our default asks about each arm without an old \
             test and misses none: it saves {}, and with the old store {}. The paper ran KLEE for an hour \
             on each of 85 utilities of Coreutils 7.1 and 7.2; both releases here are much newer. Without \
             reuse we ask less than KLEE does: one arm of each branch is known from the model of the path.",
            utilities.len(),
            rule.words(),
            whole.len(),
            shares(utilities, |c| &c.suite).words(),
            shares(utilities, |c| &c.both).words(),
        ),
    )
}

/// Runs it.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let plan = Plan::read(&work.subjects.join("c/plan.txt"), &[])?;
    let folder = plan.folder.clone();
    let own = run_all(work, &plan, OWN_PATHS, |planned| own(&folder, planned))?;
    let utilities = utilities(work)?;
    let (mark, because) = compared(&own, &utilities, &work.modules);
    let mut shown = Vec::new();
    if !utilities.is_empty() {
        shown.extend(blocks("Utilities of GNU Coreutils", &utilities));
    }
    shown.extend(blocks("Programs of subjects/c", &own));
    Ok(Shown {
        technique: format!(
            "depth first, at most {} paths of a utility and {} of our own programs; a query is an arm that \
             no old test decides; KLEE's caches answer some, and our core for bit vectors solves the rest \
             and finds the inputs of tests",
            if work.full { PATHS.1 } else { PATHS.0 },
            if work.full { OWN_PATHS.1 } else { OWN_PATHS.0 }
        ),
        subjects: format!(
            "{} utilities of GNU Coreutils{} as modules that the user brings, arguments and standard input \
             of a few symbolic bytes (`subjects/papers/coreutils.txt`); {} programs of `subjects/c`, the \
             last version after the one before it",
            utilities.len(),
            releases(&work.modules),
            own.len()
        ),
        blocks: shown,
        mark,
        because,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_testing::tools::repository;

    fn compared_pair(name: &str) -> Compared {
        let plan =
            Plan::read(&repository().join("subjects/c/plan.txt"), &[name.to_string()]).expect("a plan");
        let pair = own(&plan.folder, &plan.programs[0]).expect("compiled");
        compare(&pair, 200).expect("explored")
    }

    #[test]
    fn an_unchanged_program_asks_nothing() {
        let search = compared_pair("search");
        assert_eq!((search.again.calls, search.again.kept), (0, search.base.paths));
        assert!(search.suite.calls <= search.cold.calls, "{search:?}");
        assert_eq!(search.suite.paths, search.cold.paths, "old tests change no path");
        assert!(search.both.calls <= search.suite.calls, "{search:?}");
    }

    #[test]
    fn a_missed_path_is_only_counted_where_nothing_was_cut() {
        let measured = |paths, is_partial| Measured { paths, is_partial, ..Measured::default() };
        let of = |cold, trusting| Compared { cold, trusting, ..Compared::default() };
        assert_eq!(of(measured(5, false), measured(3, false)).missed(), Some(2));
        assert_eq!(of(measured(5, true), measured(5, false)).missed(), None);
    }
}
