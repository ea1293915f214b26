//! A job: one program, one solver, a few lanes that are sent the same scripts at once, or an instance of the
//! library on walks.

use super::bare::batches;
use super::judge::{Difference, Judge, Judged, Seen};
use super::lane::{LEVELS, Lane, Place, Solver};
use super::pipe::Pipe;
use super::program::{Language, Program};
use super::report::{Row, Tally, Way};
use super::script::{CoreAsking, Script, Writer};
use super::theory::Theory;
use super::walk::{Front, Walker};
use evergreen::Rung;
use evergreen::store::Store;
use evergreen_testing::random::Random;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// What a duel is about.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Theories to choose from.
    pub theories: Vec<Theory>,
    /// Solvers to choose from.
    pub solvers: Vec<Solver>,
    /// Levels to choose from.
    pub levels: Vec<&'static str>,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { theories: Theory::ALL.to_vec(), solvers: Solver::ALL.to_vec(), levels: LEVELS.to_vec() }
    }
}

/// Scripts of a job.
const SCRIPTS: usize = 20;
/// Questions of a job on walks.
const QUESTIONS: usize = 360;
/// Questions after which walks are judged.
const AT_ONCE: usize = 60;
/// Programs of a theory, under one seed.
const PROGRAMS: usize = 6;

/// Who is asked.
#[derive(Clone, Debug)]
pub enum Fighters {
    /// Processes, all sent the same scripts.
    Lanes {
        /// Their configurations.
        lanes: Vec<Lane>,
        /// What they are sent.
        scripts: Vec<Script>,
    },
    /// The library.
    Library {
        /// Its configuration.
        front: Front,
        /// Where its choices come from.
        random: Random,
    },
}

/// A job, all of which its seed and its number determine.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its number.
    pub number: u64,
    /// The theory.
    pub theory: Theory,
    /// The solver, also of the judge.
    pub solver: Solver,
    /// The number of the program.
    pub about: u64,
    /// The program.
    pub program: Program,
    /// Who is asked.
    pub fighters: Fighters,
}

/// How many times smaller the jobs of a theory are, so that the hard ones do not take all the time.
fn slowness(theory: Theory) -> usize {
    match theory {
        Theory::Strings => 6,
        Theory::Nonlinear | Theory::Quantified => 2,
        _ => 1,
    }
}

/// Whether a solver takes a theory.
fn takes(solver: Solver, theory: Theory) -> bool {
    use Theory::*;
    solver != Solver::Yices || matches!(theory, Linear | Real | Bits | Arrays | Bytes | Functions)
}

impl Job {
    /// The job of that number; `None` when no chosen solver takes a chosen theory.
    pub fn new(seed: u64, number: u64, choice: &Choice) -> Option<Job> {
        let mut random = Random::for_index(seed, number);
        let theory = choice.theories[number as usize % choice.theories.len()];
        let solvers: Vec<Solver> = choice.solvers.iter().copied().filter(|&s| takes(s, theory)).collect();
        if solvers.is_empty() {
            return None;
        }
        // z3 is asked half of the time: it takes the most.
        let z3 = solvers.contains(&Solver::Z3) && random.one_in(2);
        let solver = if z3 { Solver::Z3 } else { *random.choose(&solvers) };
        let language = match solver {
            Solver::Z3 => Language::Whole,
            Solver::Cvc5 => Language::NoConstantArrays,
            Solver::Yices => Language::Plain,
        };
        let about = random.below(PROGRAMS) as u64;
        let mut program = Program::new(theory, seed, about, language);
        // Every fourth job of each theory.
        let theories = choice.theories.len() as u64;
        let is_walk = (number % theories + number / theories) % 4 == 3;
        let fighters = if is_walk {
            let front = front(solver, choice, &mut random);
            Fighters::Library { front, random: random.clone() }
        } else {
            let lanes = lanes(solver, choice, &mut random);
            let mut writer = Writer::new(&mut program, &mut random);
            if solver == Solver::Yices {
                writer = writer.plainly();
            }
            let scripts = (0..SCRIPTS / slowness(theory)).map(|_| writer.script()).collect();
            Fighters::Lanes { lanes, scripts }
        };
        Some(Job { number, theory, solver, about, program, fighters })
    }

    /// How many checks will be compared.
    pub fn checks(&self) -> u64 {
        match &self.fighters {
            Fighters::Lanes { lanes, scripts } => {
                (scripts.iter().map(Script::checks).sum::<usize>() * lanes.len()) as u64
            }
            Fighters::Library { .. } => (QUESTIONS / slowness(self.theory)) as u64,
        }
    }
}

fn flags(random: &mut Random) -> Vec<&'static str> {
    // Old models answer most satisfiable queries before an index with a wrong set in it is asked: often
    // without them.
    let choices: [&[&str]; 11] = [
        &[],
        &["--no-regulate"],
        &["--no-regulate", "--no-native"],
        &["--no-native", "--cores", "always", "--no-regulate"],
        &["--cores", "always", "--no-regulate"],
        &["--no-models", "--no-regulate"],
        &["--no-models", "--no-regulate", "--no-native"],
        &["--no-models", "--no-regulate", "--no-native", "--cores", "always"],
        &["--no-models", "--no-regulate", "--cores", "always"],
        &["--no-propagate", "--no-regulate"],
        &["--no-slice", "--no-regulate"],
    ];
    random.choose(&choices).to_vec()
}

fn lanes(solver: Solver, choice: &Choice, random: &mut Random) -> Vec<Lane> {
    let full = if choice.levels.contains(&"full") { "full" } else { choice.levels[0] };
    let any = *random.choose(&choice.levels);
    let lane = |level, place, cores, flags| Lane { solver, level, place, cores, flags };
    let last = if random.one_in(2) { full } else { *random.choose(&choice.levels) };
    // Yices makes cores without push and pop only.
    let cores = if solver == Solver::Yices { CoreAsking::Off } else { CoreAsking::On };
    vec![
        lane(full, Place::Shared, CoreAsking::Off, flags(random)),
        lane(any, Place::Shared, if random.one_in(2) { cores } else { CoreAsking::Off }, flags(random)),
        lane(last, Place::Memory, cores, flags(random)),
    ]
}

fn front(solver: Solver, choice: &Choice, random: &mut Random) -> Front {
    let full = choice.levels.contains(&"full") && random.below(3) > 0;
    let level = if full { "full" } else { *random.choose(&choice.levels) };
    let place = if random.one_in(3) { Place::Memory } else { Place::Shared };
    Front { solver, level, place, native: random.one_in(3), models: random.below(4) > 0 }
}

/// Where a job finds and leaves things.
#[derive(Clone)]
pub struct Ground {
    /// The program `evergreen`.
    pub product: PathBuf,
    /// The directory of the shared store.
    pub store: PathBuf,
    /// The same, opened for the library.
    pub opened: Arc<dyn Store>,
    /// A folder for logs and statistics of this job's processes.
    pub folder: PathBuf,
}

/// A difference with what is needed to ask again.
#[derive(Clone, Debug)]
pub struct Found {
    /// The difference; its script counts from the job's first.
    pub difference: Difference,
    /// Which lane; none for the library.
    pub lane: Option<usize>,
}

/// Runs a job.
pub fn run(job: &Job, ground: &Ground) -> Result<(Tally, Vec<Found>), String> {
    let start = Instant::now();
    let mut judge = Judge::start(job.solver, &ground.folder)?;
    let (mut tally, found) = match &job.fighters {
        Fighters::Lanes { lanes, scripts } => fight(job, lanes, scripts, &mut judge, ground),
        Fighters::Library { front, random } => walk(job, front, random.clone(), &mut judge, ground),
    }?;
    // Lanes run beside each other: each has its share of the time.
    let (rows, millis) = (tally.rows.len().max(1) as u64, start.elapsed().as_millis() as u64);
    tally.rows.values_mut().for_each(|seen| seen.millis += millis / rows);
    Ok((tally, found))
}

fn fight(
    job: &Job,
    lanes: &[Lane],
    scripts: &[Script],
    judge: &mut Judge,
    ground: &Ground,
) -> Result<(Tally, Vec<Found>), String> {
    let mut tally = Tally::default();
    let mut found = Vec::new();
    let judged = judge.decide(scripts)?;
    let mut running = Vec::new();
    for (number, lane) in lanes.iter().enumerate() {
        let stats = ground.folder.join(format!("stats-{number}"));
        let log = ground.folder.join(format!("lane-{number}.log"));
        running.push((lane, start(lane, ground, &log, &stats)?, stats));
    }
    // Half of what fits: values and cores are asked for, too.
    let lengths: Vec<usize> = scripts.iter().map(|s| 2 * s.write_bare().len()).collect();
    let mut done = 0;
    for batch in batches(&lengths) {
        let part = &judged[done..done + batch];
        for (lane, pipe, _) in &mut running {
            pipe.write(&text_for(lane, part))?;
        }
        for (number, (lane, pipe, _)) in running.iter_mut().enumerate() {
            let row: Row = (job.theory, Way::Script, lane.solver, lane.level);
            let seen = tally.rows.entry(row).or_default();
            let differences = match pipe.read_all() {
                Ok(said) => judge.compare(part, lane, &said, seen)?,
                // What it said before it ended may show why.
                Err(ended) => {
                    let mut differences = judge.compare(part, lane, &ended.said, seen)?;
                    if let Some(last) = differences.last_mut() {
                        last.detail.push_str(&ended.why);
                    }
                    differences
                }
            };
            for mut difference in differences {
                difference.script += done;
                found.push(Found { difference, lane: Some(number) });
            }
        }
        if !found.is_empty() {
            break;
        }
        done += batch;
    }
    for (lane, pipe, stats) in running {
        pipe.finish()?;
        tally.processes += 1;
        read_stats(&stats, lane, &mut tally);
    }
    Ok((tally, found))
}

fn start(lane: &Lane, ground: &Ground, log: &Path, stats: &Path) -> Result<Pipe, String> {
    let _ = std::fs::remove_file(stats);
    lane.start(&ground.product, &ground.store, log, stats)
}

/// What a lane is sent.
pub fn text_for(lane: &Lane, part: &[Judged<'_>]) -> String {
    let header = lane.header();
    part.iter().map(|one| one.script.write(&header, &one.verdicts, lane.cores)).collect()
}

/// Adds the hits that a process counted.
fn read_stats(file: &Path, lane: &Lane, tally: &mut Tally) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let sums = tally.rungs.entry((Way::Script, lane.level)).or_default();
    for line in text.lines() {
        let Ok(object) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        for rung in Rung::ALL {
            sums[rung as usize] += object["reused"][rung.name()].as_u64().unwrap_or(0);
        }
        tally.solved += object["solved"].as_u64().unwrap_or(0);
    }
}

fn walk(
    job: &Job,
    front: &Front,
    mut random: Random,
    judge: &mut Judge,
    ground: &Ground,
) -> Result<(Tally, Vec<Found>), String> {
    let mut tally = Tally::default();
    let mut program = job.program.clone();
    let mut walker = Walker::new(front, &ground.opened, &mut program, &mut random)?;
    let mut seen = Seen::default();
    let mut found = Vec::new();
    for _ in 0..QUESTIONS / slowness(job.theory) / AT_ONCE {
        let differences = walker.walk(AT_ONCE, judge, &mut seen)?;
        found.extend(differences.into_iter().map(|difference| Found { difference, lane: None }));
        if !found.is_empty() {
            break;
        }
    }
    let stats = walker.stats();
    let sums = tally.rungs.entry((Way::Path, front.level)).or_default();
    for rung in Rung::ALL {
        sums[rung as usize] += stats.hits(rung);
    }
    tally.solved += stats.solved;
    tally.rows.insert((job.theory, Way::Path, front.solver, front.level), seen);
    Ok((tally, found))
}
