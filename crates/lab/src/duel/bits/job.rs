//! One job: a ground, its path of queries, and everything that is wrong with the answers.

use super::make::{Family, Ground};
use super::plain::plain;
use super::report::Tally;
use super::rival::{Bench, Rival, Said, text};
use super::shrink::shrink;
use evergreen::{CanonMode, Canonizer, Completion, Evaluator, Model, Op, Sort, TermId, Terms, Value};
use evergreen_bits::proof::{self, Attempt};
use evergreen_bits::{Beyond, Bits, Decision, Effort, Layer};
use evergreen_testing::random::Random;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

/// One satisfiable answer in so many goes to a solver, too.
const SAT_SAMPLE: usize = 100;
/// One core in so many goes to a second solver.
const CORE_SAMPLE: usize = 100;
/// Cores over so many bits are tried under all assignments.
const MOST_BITS: u32 = 9;

/// What is wrong with an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A model under which a constraint does not hold.
    Model,
    /// A core that has a model.
    Core,
    /// Positions of a core that are not positions.
    Positions,
    /// The core of bit vectors panicked.
    Panic,
    /// A solver says unsat where a model holds: the evaluator, or the solver.
    Evaluator,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Model => "a model that does not hold",
            Kind::Core => "unsat, but there is a model",
            Kind::Positions => "a core with wrong positions",
            Kind::Panic => "a panic",
            Kind::Evaluator => "a model holds, but a solver says unsat",
        }
    }
}

/// A query with whether it was given the last model.
#[derive(Clone)]
struct Step {
    constraints: Vec<TermId>,
    hinted: bool,
}

/// A difference, with what leads to it.
pub struct Found {
    /// What is wrong.
    pub kind: Kind,
    number: u64,
    ground: Ground,
    effort: Effort,
    /// The queries of the job up to the one that differs.
    steps: Vec<Step>,
}

/// A thread's core, solvers and counts.
pub(super) struct Worker {
    seed: u64,
    bits: Bits,
    yices: Bench,
    z3: Bench,
    bitwuzla: Bench,
    /// Everything that was counted.
    pub tally: Tally,
    /// Queries of the last job.
    pub asked_by_last: u64,
}

/// Something that a solver is to confirm.
struct Claim {
    step: usize,
    text: String,
    expected: Said,
}

/// Whether constraints hold under a model.
fn holds(terms: &Terms, model: &Model, constraints: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
    constraints.iter().all(|&c| evaluator.holds(c) == Ok(true))
}

/// Asks a core; `None` when it panics, after which it is not used again.
fn ask(
    bits: &mut Bits,
    terms: &Terms,
    constraints: &[TermId],
    old: Option<&Model>,
    effort: Effort,
) -> Option<Decision> {
    let old: Vec<&Model> = old.into_iter().collect();
    catch_unwind(AssertUnwindSafe(|| bits.decide(terms, constraints, &old, effort))).ok()
}

/// A model, with the values of another one for symbols that it leaves open.
fn completed(model: &Model, other: &Model) -> Model {
    let mut completed = model.clone();
    for (symbol, value) in other.iter().filter(|(symbol, _)| model.get(*symbol).is_none()) {
        completed.set(symbol, value.clone());
    }
    completed
}

/// What is wrong with an answer by itself. A model holds whatever the symbols are that it leaves open: zero,
/// or what they are in the last model.
fn fault(
    terms: &Terms,
    constraints: &[TermId],
    decision: Option<&Decision>,
    last: Option<&Model>,
) -> Option<Kind> {
    match decision {
        None => Some(Kind::Panic),
        Some(Decision::Sat(model)) => {
            let models = [model.clone()].into_iter().chain(last.map(|last| completed(model, last)));
            let all_hold = models.into_iter().all(|model| holds(terms, &model, constraints));
            (!all_hold).then_some(Kind::Model)
        }
        Some(Decision::Unsat(core)) => {
            let ascending = core.windows(2).all(|pair| pair[0] < pair[1]);
            let inside = core.iter().all(|&at| (at as usize) < constraints.len());
            (!ascending || !inside || core.is_empty()).then_some(Kind::Positions)
        }
        Some(Decision::Unknown(_)) => None,
    }
}

/// What certificates say about a core: its form is proved to have no model, and the checker accepts that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certified {
    /// There is a certificate, or canonizing leaves `false`.
    Yes,
    /// There is none within the effort of a record.
    No,
    /// The core has a model.
    Contradicted,
}

fn certify(terms: &Terms, core: &[TermId]) -> Certified {
    let canonical = Canonizer::new(CanonMode::Full).canonize(terms, core);
    if let Some(verdict) = canonical.verdict {
        return if verdict { Certified::Contradicted } else { Certified::Yes };
    }
    let all: Vec<u32> = (0..canonical.constraints.len() as u32).collect();
    match proof::prove(&canonical.form, &all, proof::Effort::default()) {
        Attempt::Proved(proved) => {
            let checked = proof::check(&canonical.form, Some(&proved.core), &proved.certificate);
            if checked.is_ok() { Certified::Yes } else { Certified::Contradicted }
        }
        Attempt::Satisfiable => Certified::Contradicted,
        Attempt::Nothing => Certified::No,
    }
}

/// The constraints of a core.
fn blamed(constraints: &[TermId], core: &[u32]) -> Vec<TermId> {
    core.iter().map(|&at| constraints[at as usize]).collect()
}

impl Worker {
    /// A core and its judges.
    pub(super) fn new(seed: u64, folder: &Path) -> Result<Worker, String> {
        Ok(Worker {
            seed,
            bits: Bits::new(),
            yices: Bench::start(Rival::Yices, folder)?,
            z3: Bench::start(Rival::Z3, folder)?,
            bitwuzla: Bench::start(Rival::Bitwuzla, folder)?,
            tally: Tally::default(),
            asked_by_last: 0,
        })
    }

    /// Runs one job.
    pub(super) fn job(&mut self, number: u64) -> Result<Option<Found>, String> {
        let mut ground = Ground::new(self.seed, number);
        let mut random = Random::for_index(!self.seed, number);
        // Without guesses more queries reach the clauses.
        let guesses = if random.one_in(4) { 0 } else { Effort::default().guesses };
        let effort = Effort { guesses, ..Effort::default() };
        if random.one_in(2) {
            self.bits = Bits::new();
        } else {
            self.bits.forget();
        }
        let (mut steps, mut last, mut was_sat) = (Vec::<Step>::new(), None::<Model>, true);
        let mut claims: [Vec<Claim>; 3] = Default::default();
        let count = 40 + random.below(80);
        self.asked_by_last = count as u64;
        for _ in 0..count {
            let constraints = ground.next_query(was_sat);
            let hinted = last.is_some() && !random.one_in(8);
            if random.one_in(50) {
                self.bits.forget();
            }
            steps.push(Step { constraints: constraints.clone(), hinted });
            let old = last.as_ref().filter(|_| hinted);
            let start = Instant::now();
            let decision = ask(&mut self.bits, &ground.terms, &constraints, old, effort);
            let micros = start.elapsed().as_micros() as u64;
            let wrong = fault(&ground.terms, &constraints, decision.as_ref(), last.as_ref());
            let (Some(decision), None) = (decision, wrong) else {
                self.bits = Bits::new();
                let kind = wrong.unwrap_or(Kind::Panic);
                return Ok(Some(Found { kind, number, ground, effort, steps }));
            };
            self.count(&ground, &constraints, &decision, micros);
            was_sat = matches!(decision, Decision::Sat(_));
            let at = steps.len() - 1;
            match decision {
                Decision::Sat(model) => {
                    if random.one_in(SAT_SAMPLE) {
                        let (text, expected) = (text(&ground.terms, &constraints)?, Said::Sat);
                        claims[1 + at % 2].push(Claim { step: at, text, expected });
                    }
                    last = Some(model);
                }
                Decision::Unsat(core) => {
                    let core = blamed(&constraints, &core);
                    if self.refuted(&mut ground, &core, at, &mut random, &mut claims)? {
                        return Ok(Some(Found { kind: Kind::Core, number, ground, effort, steps }));
                    }
                }
                Decision::Unknown(_) => {}
            }
        }
        let wrong = self.confirm(claims)?;
        Ok(wrong.map(|(step, kind)| {
            steps.truncate(step + 1);
            Found { kind, number, ground, effort, steps }
        }))
    }

    /// Judges a core: at once where all assignments can be tried, else a solver will. Whether it is wrong.
    fn refuted(
        &mut self,
        ground: &mut Ground,
        core: &[TermId],
        step: usize,
        random: &mut Random,
        claims: &mut [Vec<Claim>; 3],
    ) -> Result<bool, String> {
        let expected = Said::Unsat;
        match certify(&ground.terms, core) {
            Certified::Yes => self.tally.certified += 1,
            Certified::No => self.tally.uncertified += 1,
            Certified::Contradicted => return Ok(true),
        }
        if random.one_in(CORE_SAMPLE) {
            let text = text(&ground.terms, core)?;
            claims[1 + step % 2].push(Claim { step, text, expected });
        }
        if ground.family == Family::Small
            && let Some(found) = enumerate(&mut ground.terms, core)
        {
            self.tally.enumerated += 1;
            return Ok(found);
        }
        let plainly: Option<Vec<TermId>> = core.iter().map(|&c| plain(&mut ground.terms, c)).collect();
        let (rival, constraints) = match &plainly {
            Some(constraints) => (0, &constraints[..]),
            None => (2, core),
        };
        let text = text(&ground.terms, constraints)?;
        claims[rival].push(Claim { step, text, expected });
        Ok(false)
    }

    fn bench(&mut self, rival: Rival) -> &mut Bench {
        match rival {
            Rival::Yices => &mut self.yices,
            Rival::Z3 => &mut self.z3,
            Rival::Bitwuzla => &mut self.bitwuzla,
        }
    }

    /// Asks the solvers. The first step that is contradicted.
    fn confirm(&mut self, claims: [Vec<Claim>; 3]) -> Result<Option<(usize, Kind)>, String> {
        let mut wrong: Option<(usize, Kind)> = None;
        // What yices gives up goes to bitwuzla.
        let mut rest = Vec::new();
        for (rival, mut claims) in Rival::ALL.into_iter().zip(claims) {
            if rival == Rival::Bitwuzla {
                claims.append(&mut rest);
            }
            let texts: Vec<String> = claims.iter().map(|c| c.text.clone()).collect();
            let said = self.bench(rival).decide(&texts)?;
            for (claim, said) in claims.into_iter().zip(said) {
                let counted = self.tally.rivals.entry(rival).or_default();
                counted.asked += 1;
                if said == claim.expected {
                    counted.agreed += 1;
                } else if said == Said::Unknown {
                    counted.gave_up += 1;
                    if rival == Rival::Yices {
                        rest.push(claim);
                    }
                } else if self.is_overruled(rival, &claim)? {
                    self.tally.rivals.entry(rival).or_default().overruled += 1;
                    self.tally.overruled.push(format!("; {} says {said:?}\n{}", rival.name(), claim.text));
                } else if wrong.is_none_or(|w| claim.step < w.0) {
                    let kind = if claim.expected == Said::Unsat { Kind::Core } else { Kind::Evaluator };
                    wrong = Some((claim.step, kind));
                }
            }
        }
        Ok(wrong)
    }

    /// Whether both other solvers contradict one that contradicts the core: solvers have errors of their own.
    fn is_overruled(&mut self, rival: Rival, claim: &Claim) -> Result<bool, String> {
        for other in Rival::ALL.into_iter().filter(|other| *other != rival) {
            if self.bench(other).decide(std::slice::from_ref(&claim.text))?[0] != claim.expected {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn count(&mut self, ground: &Ground, constraints: &[TermId], decision: &Decision, micros: u64) {
        let row = self.tally.rows.entry(ground.family).or_default();
        row.queries += 1;
        row.slowest_us = row.slowest_us.max(micros);
        let layer = self.bits.layer().map_or("undecided", Layer::name);
        let verdict = match decision {
            Decision::Sat(_) => {
                row.sat += 1;
                "sat"
            }
            Decision::Unsat(_) => {
                row.unsat += 1;
                "unsat"
            }
            Decision::Unknown(Beyond::Effort) => {
                row.effort += 1;
                "unknown"
            }
            Decision::Unknown(beyond) => {
                row.outside += 1;
                *self.tally.outside.entry(beyond.to_string()).or_default() += 1;
                "unknown"
            }
        };
        *self.tally.layers.entry((layer, verdict)).or_default() += 1;
        let gave_up = *decision == Decision::Unknown(Beyond::Effort);
        for name in heads(&ground.terms, constraints) {
            let counted = self.tally.operators.entry(name).or_default();
            counted.0 += 1;
            counted.1 += u64::from(gave_up);
        }
    }

    /// Whether a conjunction alone, in a new core, has the same fault.
    fn has(&mut self, kind: Kind, terms: &Terms, constraints: &[TermId], effort: Effort) -> bool {
        let decision = ask(&mut Bits::new(), terms, constraints, None, effort);
        self.is_wrong(kind, terms, constraints, decision.as_ref())
    }

    fn is_wrong(
        &mut self,
        kind: Kind,
        terms: &Terms,
        constraints: &[TermId],
        decision: Option<&Decision>,
    ) -> bool {
        if let Some(fault) = fault(terms, constraints, decision, None) {
            return fault == kind;
        }
        let (expected, asked) = match decision {
            Some(Decision::Unsat(core)) if kind == Kind::Core => (Said::Sat, blamed(constraints, core)),
            Some(Decision::Sat(_)) if kind == Kind::Evaluator => (Said::Unsat, constraints.to_vec()),
            _ => return false,
        };
        let said = text(terms, &asked).and_then(|text| self.bitwuzla.decide(&[text]));
        said.is_ok_and(|said| said[0] == expected)
    }

    /// Shrinks a difference, writes it to a file and says what it is.
    pub(super) fn describe(&mut self, found: Found, keep: Option<&Path>) -> Result<String, String> {
        let Found { kind, number, mut ground, effort, steps } = found;
        let mut out = format!(
            "{}: seed {}, job {number}, query {}, family {}\n",
            kind.words(),
            self.seed,
            steps.len(),
            ground.family.name()
        );
        let whole = steps.last().expect("a query").constraints.clone();
        let shown: Vec<Vec<TermId>> = if self.has(kind, &ground.terms, &whole, effort) {
            let terms = &mut ground.terms;
            vec![shrink(terms, &whole, |terms, smaller| self.has(kind, terms, smaller, effort))]
        } else {
            out.push_str("only after other queries in the same core:\n");
            let fewer = self.fewest(kind, &ground.terms, &steps, effort);
            fewer.into_iter().map(|step| step.constraints).collect()
        };
        let mut script = String::from("(set-logic QF_ABV)\n");
        for constraints in &shown {
            script.push_str(&text(&ground.terms, constraints)?);
        }
        let _ = writeln!(out, "guesses {}\n{script}", effort.guesses);
        let default = || std::env::temp_dir().join(format!("evergreen-duel-{}", std::process::id()));
        let folder = keep.map_or_else(default, Path::to_path_buf);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let file = folder.join(format!("bits-seed-{}-job-{number}.smt2", self.seed));
        std::fs::write(&file, script).map_err(|e| format!("{}: {e}", file.display()))?;
        let _ = writeln!(out, "kept in {}", file.display());
        Ok(out)
    }

    /// The fewest of the earlier queries that lead to the fault of the last.
    fn fewest(&mut self, kind: Kind, terms: &Terms, steps: &[Step], effort: Effort) -> Vec<Step> {
        let mut kept = steps.to_vec();
        let mut at = 0;
        while at + 1 < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            if self.leads(kind, terms, &fewer, effort) {
                kept = fewer;
            } else {
                at += 1;
            }
        }
        kept
    }

    fn leads(&mut self, kind: Kind, terms: &Terms, steps: &[Step], effort: Effort) -> bool {
        let mut bits = Bits::new();
        let mut last: Option<Model> = None;
        for (i, step) in steps.iter().enumerate() {
            let old = last.as_ref().filter(|_| step.hinted);
            let decision = ask(&mut bits, terms, &step.constraints, old, effort);
            if i + 1 == steps.len() {
                return self.is_wrong(kind, terms, &step.constraints, decision.as_ref());
            }
            match decision {
                Some(Decision::Sat(model)) => last = Some(model),
                Some(_) => {}
                None => return false,
            }
        }
        false
    }
}

/// The names of the functions of a conjunction.
fn heads(terms: &Terms, constraints: &[TermId]) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack = constraints.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.op(term) {
            Op::Fun(fun) => {
                names.insert(fun.name());
            }
            Op::Indexed(fun, ..) => {
                names.insert(fun.name());
            }
            Op::ConstArray => {
                names.insert("const");
            }
            _ => {}
        }
        stack.extend(terms.args(term));
    }
    names
}

/// Whether some assignment satisfies all constraints; `None` when there are too many, or arrays.
fn enumerate(terms: &mut Terms, constraints: &[TermId]) -> Option<bool> {
    let mut symbols = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack = constraints.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        stack.extend(terms.args(term));
        if let Op::Apply(symbol) = terms.op(term) {
            let width = match *terms.sort_kind(terms.sort_of(term)) {
                Sort::Bool => 0,
                Sort::BitVec(width) => width,
                _ => return None,
            };
            symbols.push((symbol, width));
        }
    }
    let bits: u32 = symbols.iter().map(|s| s.1.max(1)).sum();
    if bits > MOST_BITS {
        return None;
    }
    for number in 0..1u64 << bits {
        let mut rest = number;
        let mut model = Model::new();
        for &(symbol, width) in &symbols {
            let own = rest & ((1 << width.max(1)) - 1);
            rest >>= width.max(1);
            let literal = match width {
                0 => terms.bool(own == 1),
                _ => terms.bv(width, u128::from(own)),
            };
            let value: Value = terms.literal_of(literal).expect("a literal").clone();
            model.set(symbol, value);
        }
        if holds(terms, &model, constraints) {
            return Some(true);
        }
    }
    Some(false)
}
