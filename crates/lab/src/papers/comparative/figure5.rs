//! Figure 5: the stack against caches on the questions of C programs.

use super::claims::{Claims, mean, times};
use super::clock::{Clock, Phase};
use super::measured::side_by_side;
use super::record::{Utility, bounded};
use crate::papers::plot::{Scale, boxes, curves};
use crate::papers::show::{Block, Shown};
use crate::papers::work::Work;
use crate::plan::Plan;
use crate::study::baseline::{Baseline, Stack};
use crate::study::caching::{Caching, CachingOpt};
use crate::study::link::Fresh;
use crate::study::stream::{Step, Stream};
use crate::study::technique::{Models, Technique, Verdict};
use evergreen::TermId;
use evergreen::solver::Command;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is run, in the order of the columns.
const TECHNIQUES: [&str; 4] = ["baseline", "caching", "cachingOpt", "stack"];
/// Streams with fewer questions are listed, but not compared.
const FEWEST: usize = 10;
/// The paper's speedups of *stack* over *cachingOpt*: least, median, average, largest.
const PAPER: [f64; 4] = [1.0, 5.0, 4.8, 9.0];
/// What modules without a plan are given, as KLEE's users do.
const MODULE_WORDS: [&str; 6] = ["--sym-args", "0", "2", "3", "--sym-stdin", "6"];

/// Where a stream comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Origin {
    /// Our programs in C.
    Subject,
    /// A module of the user's folder.
    Module,
    /// A log that KLEE wrote.
    Klee,
}

/// What the techniques did with a stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Replayed {
    name: String,
    origin: Origin,
    /// Why there is no stream.
    trouble: Option<String>,
    queries: usize,
    /// Seconds of each technique.
    seconds: [f64; 4],
}

impl Replayed {
    /// Of *stack* over *cachingOpt*, the paper's second best.
    fn speedup(&self) -> f64 {
        self.seconds[2] / self.seconds[3].max(f64::MIN_POSITIVE)
    }

    fn ms(&self, technique: usize) -> f64 {
        1e3 * self.seconds[technique] / self.queries.max(1) as f64
    }
}

/// A stream that is to come.
enum Source {
    Program(Box<Utility>, Origin),
    Log(PathBuf),
}

impl Source {
    fn name(&self) -> String {
        match self {
            Source::Program(utility, _) => utility.name.clone(),
            Source::Log(file) => {
                let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
                let name = name.unwrap_or_default();
                format!("{} (KLEE)", name.split('.').next().unwrap_or_default())
            }
        }
    }

    fn origin(&self) -> Origin {
        match self {
            Source::Program(_, origin) => *origin,
            Source::Log(_) => Origin::Klee,
        }
    }
}

/// Files in a folder and the folders in it whose names end so, in order.
fn files(folder: &Path, ends: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, ends));
        } else if ends.iter().any(|end| path.to_string_lossy().ends_with(end)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The most modules without `--full`: hard questions take minutes.
const MOST_MODULES: usize = 44;

/// The programs of the plan in their newest versions and in their first, the modules, and the logs.
fn sources(work: &Work) -> Result<Vec<Source>, String> {
    let plan = Plan::read(&work.subjects.join("c/plan.txt"), &[])?;
    let mut all = Vec::new();
    for planned in &plan.programs {
        let Some(file) = planned.words.first() else { continue };
        let first = file.split('/').enumerate().map(|(at, part)| if at == 1 { "v0" } else { part });
        let first = first.collect::<Vec<_>>().join("/");
        let version = file.split('/').nth(1).unwrap_or_default();
        for (version, file) in [(version, file.clone()), ("v0", first)] {
            if !plan.folder.join(&file).is_file() {
                continue;
            }
            let mut words = planned.words.clone();
            words[0] = file;
            let name = format!("{} {version}", planned.name);
            let utility = Utility::of_words(&name, &plan.folder, &words)?;
            all.push(Source::Program(Box::new(utility), Origin::Subject));
        }
    }
    let modules = files(&work.modules.join("new"), &[".wasm"]);
    let most = if work.full { modules.len() } else { MOST_MODULES };
    for module in modules.into_iter().take(most) {
        let stem = module.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let folder =
            module.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let name = format!("{stem} ({})", folder.unwrap_or_default());
        let words: Vec<String> = std::iter::once(module.to_string_lossy().into_owned())
            .chain(MODULE_WORDS.map(str::to_string))
            .collect();
        let utility = Utility::of_words(&name, Path::new("."), &words)?;
        all.push(Source::Program(Box::new(utility), Origin::Module));
    }
    let own = work.subjects.join("../crates/lab/tests/data/streams");
    let logs = [Some(own), work.logs.clone()];
    let ends = [".smt2", ".smt2.gz"];
    all.extend(logs.iter().flatten().flat_map(|folder| files(folder, &ends)).map(Source::Log));
    Ok(all)
}

/// How many questions of each stream, and how long a program is explored for them.
fn extent(full: bool) -> (usize, Duration) {
    if full { (5_000, Duration::from_secs(30)) } else { (100, Duration::from_secs(6)) }
}

fn replayed(source: &Source, solver: &str, full: bool) -> Result<Replayed, String> {
    let (name, origin) = (source.name(), source.origin());
    let none = |trouble: String| Replayed {
        name: name.clone(),
        origin,
        trouble: Some(trouble.lines().next().unwrap_or_default().to_string()),
        queries: 0,
        seconds: [0.0; 4],
    };
    let (most, time) = extent(full);
    let stream = match source {
        Source::Log(file) => Stream::read(file, Some(most))?,
        Source::Program(utility, _) => match utility.record(solver, most, time) {
            Ok(log) if log.queries == 0 => return Ok(none("nothing is asked".into())),
            Ok(log) => Stream::of_text(&log.text),
            // A user's module may not run; our own programs have to.
            Err(trouble) if origin == Origin::Module => return Ok(none(trouble)),
            Err(trouble) => return Err(format!("{name}: {trouble}")),
        },
    };
    let command = bounded(Command::parse(solver).map_err(|e| e.to_string())?);
    let (fresh, models) = (Fresh::cheapest(command.kind), Models::Off);
    let all: [Box<dyn Technique>; 4] = [
        Box::new(Baseline::new(&command, models).with_context(fresh)),
        Box::new(Caching::new(&command, models).with_context(fresh)),
        Box::new(CachingOpt::new(&command, models).with_context(fresh)),
        Box::new(Stack::new(&command, models)),
    ];
    let mut seconds = [0.0; 4];
    let mut verdicts: Vec<Verdict> = Vec::new();
    let mut most = usize::MAX;
    for (at, mut technique) in all.into_iter().enumerate() {
        // The first one has the most to do; where it is stopped, the others are.
        let until = (at == 0).then(|| Instant::now() + time);
        let (spent, said) = replay(technique.as_mut(), &stream, most, until)?;
        most = said.len();
        seconds[at] = spent;
        let differ = |(new, old): (&Verdict, &Verdict)| {
            new != old && *new != Verdict::Unknown && *old != Verdict::Unknown
        };
        if said.iter().zip(&verdicts).any(differ) {
            return Err(format!("{name}: {} has other verdicts than {}", TECHNIQUES[at], TECHNIQUES[at - 1]));
        }
        verdicts = said;
    }
    Ok(Replayed { name, origin, trouble: None, queries: verdicts.len(), seconds })
}

/// The processor seconds of a technique and its solver for so many questions of a stream, or as many as it
/// has answered by then; and its verdicts.
fn replay(
    technique: &mut dyn Technique,
    stream: &Stream,
    most: usize,
    until: Option<Instant>,
) -> Result<(f64, Vec<Verdict>), String> {
    let trace = stream.load(technique.terms())?;
    let extended = |step: &Step| match step {
        Step::Extend(constraint) => Some(*constraint),
        _ => None,
    };
    let constraints: Vec<TermId> = trace.steps.iter().filter_map(extended).collect();
    technique.begin(trace.logic.as_deref(), &constraints)?;
    let mut clock = Clock::start();
    if let Some(pid) = technique.solver_pid() {
        clock.watch(pid);
    }
    let mut verdicts = Vec::new();
    for step in &trace.steps {
        if verdicts.len() >= most || until.is_some_and(|until| Instant::now() > until) {
            break;
        }
        match *step {
            Step::Extend(constraint) => technique.extend(constraint),
            Step::Retract(count) => technique.retract(count),
            Step::Check => verdicts.push(technique.check()?.verdict),
        }
    }
    clock.lap(Phase::Solving);
    Ok((clock.spent.total(), verdicts))
}

/// Least, median, average, largest.
fn spread(speedups: &[f64]) -> [f64; 4] {
    let mut sorted = speedups.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let median = match sorted.len() {
        0 => 0.0,
        length if length % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    };
    let (first, last) = (sorted.first().copied(), sorted.last().copied());
    [first.unwrap_or(0.0), median, mean(sorted.iter().copied()), last.unwrap_or(0.0)]
}

/// The streams that are compared, of some origins.
fn compared<'r>(all: &'r [Replayed], of: &[Origin]) -> Vec<&'r Replayed> {
    all.iter().filter(|r| r.queries >= FEWEST && of.contains(&r.origin)).collect()
}

const GROUPS: [(&str, &[Origin]); 4] = [
    ("our programs", &[Origin::Subject]),
    ("modules", &[Origin::Module]),
    ("KLEE's logs", &[Origin::Klee]),
    ("all", &[Origin::Subject, Origin::Module, Origin::Klee]),
];

fn summary(all: &[Replayed]) -> Block {
    let head = ["streams", "number", "least", "median", "average", "largest"];
    let mut rows = vec![head.map(str::to_string).to_vec()];
    let mut row = |name: &str, number: usize, spread: [f64; 4]| {
        let mut row = vec![name.to_string(), number.to_string()];
        row.extend(spread.map(times));
        rows.push(row);
    };
    row("paper, KLEE's Coreutils", 96, PAPER);
    for (name, origins) in GROUPS {
        let streams = compared(all, origins);
        if !streams.is_empty() {
            let speedups: Vec<f64> = streams.iter().map(|r| r.speedup()).collect();
            row(name, streams.len(), spread(&speedups));
        }
    }
    Block::Table { caption: "Speedup of stack over cachingOpt.".into(), rows }
}

fn pictures(all: &[Replayed]) -> Vec<Block> {
    let streams = compared(all, GROUPS[3].1);
    let line = |(name, origins): (&str, &[Origin])| {
        let mut speedups: Vec<f64> = compared(all, origins).iter().map(|r| r.speedup()).collect();
        speedups.sort_by(f64::total_cmp);
        let points = speedups.into_iter().enumerate().map(|(at, s)| (at as f64 + 1.0, s)).collect();
        (name.to_string(), points)
    };
    let lines: Vec<(String, Vec<(f64, f64)>)> = GROUPS[..3]
        .iter()
        .map(|group| line(*group))
        .filter(|(_, points): &(_, Vec<_>)| !points.is_empty())
        .collect();
    let title = "Speedup of stack over cachingOpt, programs in the order of their speedups";
    let axes = ("program", "speedup");
    let svg = curves(title, axes, (Scale::Linear, Scale::Log), &lines);
    let columns: Vec<(String, Vec<f64>)> = (TECHNIQUES.iter().enumerate())
        .map(|(at, name)| ((*name).to_string(), streams.iter().map(|r| r.ms(at)).collect()))
        .collect();
    let costs = "Time per constraint by technique";
    let boxes = boxes(costs, "ms", Scale::Log, &columns);
    vec![Block::Picture { caption: title.into(), svg }, Block::Picture { caption: costs.into(), svg: boxes }]
}

fn table(all: &[Replayed]) -> Block {
    let mut rows = vec![vec!["program".to_string(), "questions".to_string()]];
    rows[0].extend(TECHNIQUES.map(|name| format!("{name}, ms")));
    rows[0].push("stack over cachingOpt".into());
    for replayed in all {
        let mut row = vec![replayed.name.clone(), replayed.queries.to_string()];
        match &replayed.trouble {
            Some(_) => row.extend(std::iter::repeat_n(String::new(), 5)),
            None => {
                row.extend((0..4).map(|at| format!("{:.3}", replayed.ms(at))));
                row.push(times(replayed.speedup()));
            }
        }
        rows.push(row);
    }
    let caption = "Milliseconds for each question. The paper's table of these is a part of the picture.";
    Block::Table { caption: caption.into(), rows }
}

fn claims(all: &[Replayed]) -> Claims {
    let mut claims = Claims::default();
    let streams = compared(all, GROUPS[3].1);
    let [least, median, _, _] = spread(&streams.iter().map(|r| r.speedup()).collect::<Vec<_>>());
    let faster = streams.iter().filter(|r| (0..3).all(|other| r.seconds[3] < r.seconds[other])).count();
    let shown = format!("{faster} of {}", streams.len());
    claims.add("stack is the fastest technique", "96 of 96", shown, faster == streams.len());
    let costs: Vec<f64> =
        (0..4).map(|at| spread(&streams.iter().map(|r| r.ms(at)).collect::<Vec<_>>())[1]).collect();
    let shown: Vec<String> =
        costs.iter().zip(TECHNIQUES).map(|(ms, name)| format!("{name} {ms:.2} ms")).collect();
    let holds = costs[2] <= costs[0] && costs[2] <= costs[1];
    claims.add("cachingOpt is the second best (medians)", "yes", shown.join(", "), holds);
    let holds = (PAPER[1] / 2.0..=2.0 * PAPER[1]).contains(&median);
    claims.add("the median speedup is about 5x (2.5x to 10x)", times(PAPER[1]), times(median), holds);
    claims.add("no program loses by it", times(PAPER[0]), times(least), least >= 1.0);
    claims
}

/// The figure.
pub(super) fn figure(work: &mut Work) -> Result<Shown, String> {
    let sources = sources(work)?;
    let (solver, full) = (work.solver.clone(), work.full);
    let mut all: Vec<Replayed> = Vec::new();
    for chunk in sources.chunks(if full { 2 } else { 8 }) {
        let names: Vec<String> = chunk.iter().map(Source::name).collect();
        let step = names.join(", ");
        all.extend(work.step(&step, || side_by_side(chunk, |source| replayed(source, &solver, full)))?);
    }
    let claims = claims(&all);
    let mut blocks = vec![summary(&all)];
    blocks.extend(pictures(&all));
    blocks.extend([claims.block(), table(&all)]);
    let few = all.iter().filter(|r| r.queries < FEWEST).count();
    let count = |origin: Origin| all.iter().filter(|r| r.origin == origin).count();
    let (most, _) = extent(full);
    let subjects = format!(
        "{} versions of our programs in `subjects/c` (the first and the newest of each), {} modules of a \
         user's folder (`--modules`, the first {MOST_MODULES} by name without `--full`), {} logs of KLEE \
         (cuts in the repository, and `--logs`); the paper has 96 programs of Coreutils under KLEE. The \
         first {most} questions of each. {few} streams with fewer than {FEWEST} questions are not compared.",
        count(Origin::Subject),
        count(Origin::Module),
        count(Origin::Klee),
    );
    let kind = Command::parse(&solver).map(|command| command.kind);
    let technique = format!(
        "Questions of our own C front end (depth first, both arms of each branch, bit vectors, no shortcuts \
         and no reuse) are recorded, then replayed through each technique with {solver}; a new context is \
         `{}`. The paper records KLEE's for 30 s. Processor time of the technique and \
         its solver, with printing and reading. Questions that z3 does not decide within a bound on its own \
         work are not recorded.",
        kind.map_or("", |kind| Fresh::cheapest(kind).name())
    );
    let losing: Vec<&str> = compared(&all, GROUPS[3].1)
        .into_iter()
        .filter(|r| r.speedup() < 1.0)
        .map(|r| r.name.as_str())
        .collect();
    let losing = match losing.is_empty() {
        true => String::new(),
        false => format!(
            " The stack loses on {}: probably because Z3 does without its preprocessing on a stack, \
             which simplifies long chains of bit operations.",
            losing.join(", ")
        ),
    };
    let because = format!(
        "{} KLEE's questions are long conjunctions over arrays; those of our programs are shorter: so the \
         factors of its logs are reported on their own.{losing}",
        claims.words()
    );
    Ok(Shown { technique, subjects, blocks, mark: claims.mark(), because })
}
