//! The judge: a bare solver that decides every check for itself, and whether values, models and cores hold.

use super::bare::{Bare, Text};
use super::lane::{Lane, Solver};
use super::pipe::{inside, items};
use super::script::{Case, CoreAsking, Script, Verdict};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Counts of what a judge saw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Checks of the product that were compared.
    pub checks: u64,
    /// Both said sat.
    pub sat: u64,
    /// Both said unsat.
    pub unsat: u64,
    /// The bare solver did not know.
    pub bare_unknown: u64,
    /// The product did not know, where the bare solver did.
    pub unknown: u64,
    /// Answers to `get-value` that hold.
    pub values: u64,
    /// Models that hold.
    pub models: u64,
    /// Cores that the bare solver finds unsatisfiable, too.
    pub cores: u64,
    /// Values, models and cores that the bare solver did not decide.
    pub undecided: u64,
    /// The time of the jobs in milliseconds; only where whole jobs are counted.
    pub millis: u64,
    /// Requests that the product answered with an error: the first texts, and how often.
    pub refused: BTreeMap<String, u64>,
}

impl Seen {
    /// Adds others.
    pub fn add(&mut self, other: &Seen) {
        self.checks += other.checks;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.bare_unknown += other.bare_unknown;
        self.unknown += other.unknown;
        self.values += other.values;
        self.models += other.models;
        self.cores += other.cores;
        self.undecided += other.undecided;
        self.millis += other.millis;
        for (text, count) in &other.refused {
            *self.refused.entry(text.clone()).or_default() += count;
        }
    }

    /// How many requests were refused.
    pub fn refusals(&self) -> u64 {
        self.refused.values().sum()
    }
}

/// How the product and the bare solver differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One said sat, the other unsat.
    Verdict,
    /// A value contradicts the constraints.
    Value,
    /// A model does not satisfy the constraints.
    Model,
    /// A core, or the assumptions used, are satisfiable, or none of the script's.
    Core,
    /// The answers are not as many as the questions, or the process ended.
    Protocol,
}

impl Kind {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Verdict => "the verdicts differ",
            Kind::Value => "a value contradicts the constraints",
            Kind::Model => "a model does not satisfy the constraints",
            Kind::Core => "a core is satisfiable",
            Kind::Protocol => "the answers do not fit the questions",
        }
    }
}

/// A difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What kind.
    pub kind: Kind,
    /// Which script of those that were judged.
    pub script: usize,
    /// Which check of the script.
    pub check: usize,
    /// The check by itself, and both answers.
    pub detail: String,
}

/// A claim of the product that the bare solver has to decide: satisfiable unless it is a core.
pub(super) struct Claim {
    pub(super) kind: Kind,
    pub(super) script: usize,
    pub(super) check: usize,
    /// A script of one check, in a level of its own.
    pub(super) text: String,
    /// What the product said.
    pub(super) said: String,
}

/// A script with the bare solver's verdicts.
pub struct Judged<'s> {
    /// The script.
    pub script: &'s Script,
    /// The verdicts of the bare solver, one for each check.
    pub verdicts: Vec<Verdict>,
    cases: Vec<Case>,
}

/// A bare solver, and what it has decided.
pub struct Judge {
    bare: Bare,
    folder: PathBuf,
    /// z3, where the solver does not read values: yices has no constant arrays, cvc5 (1.0.3) none with
    /// negative elements.
    second: Option<Bare>,
    /// Claims that were decided in this job already; lanes often say the same.
    decided: HashMap<String, Verdict>,
}

impl Judge {
    /// Starts a bare solver; its complaints go to a file in the folder.
    pub fn start(solver: Solver, folder: &Path) -> Result<Judge, String> {
        let bare = Bare::start(solver, &folder.join("bare.log"))?;
        Ok(Judge { bare, folder: folder.to_path_buf(), second: None, decided: HashMap::new() })
    }

    /// Decides every check of scripts.
    pub fn decide<'s>(&mut self, scripts: &'s [Script]) -> Result<Vec<Judged<'s>>, String> {
        let texts: Vec<Text> = scripts.iter().map(|s| (s.write_bare(), s.checks())).collect();
        let verdicts = self.bare.decide(&texts)?;
        let judged = scripts.iter().zip(verdicts);
        Ok(judged.map(|(script, verdicts)| Judged { script, verdicts, cases: script.cases() }).collect())
    }

    /// Compares what a lane said about scripts; differences in order.
    pub fn compare(
        &mut self,
        judged: &[Judged<'_>],
        lane: &Lane,
        said: &str,
        seen: &mut Seen,
    ) -> Result<Vec<Difference>, String> {
        let mut differences = Vec::new();
        let mut claims = Vec::new();
        let answers = items(said);
        let mut answers = answers.into_iter();
        for (number, one) in judged.iter().enumerate() {
            for (check, case) in one.cases.iter().enumerate() {
                let expected = one.verdicts[check];
                let Some(verdict) = answers.next() else {
                    differences.push(protocol(number, check, said));
                    return Ok(differences);
                };
                let place = (number, check);
                if !is_verdict(verdict) {
                    differences.push(protocol(number, check, said));
                    return Ok(differences);
                }
                let got = Verdict::of(verdict);
                seen.checks += 1;
                match (expected, got) {
                    (Verdict::Unknown, _) => seen.bare_unknown += 1,
                    (_, Verdict::Unknown) => seen.unknown += 1,
                    (Verdict::Sat, Verdict::Sat) => seen.sat += 1,
                    (Verdict::Unsat, Verdict::Unsat) => seen.unsat += 1,
                    _ => {
                        let detail = format!("{}; bare: {expected:?}, evergreen: {verdict}\n", case.write());
                        differences.push(Difference { kind: Kind::Verdict, script: number, check, detail });
                    }
                }
                let replies = take_replies(&mut answers, case, expected, lane.cores);
                if got == expected {
                    claim(case, expected, &replies, place, &mut claims, seen, &mut differences);
                }
            }
        }
        if let Some(more) = answers.next() {
            let script = judged.len().saturating_sub(1);
            let detail = format!("one answer too many: {more}\n--- all\n{said}");
            differences.push(Difference { kind: Kind::Protocol, script, check: 0, detail });
        }
        differences.extend(self.decide_claims(claims, seen)?);
        Ok(differences)
    }

    /// Has claims decided.
    pub(super) fn decide_claims(
        &mut self,
        claims: Vec<Claim>,
        seen: &mut Seen,
    ) -> Result<Vec<Difference>, String> {
        let mut fresh: Vec<String> = Vec::new();
        for claim in &claims {
            if !self.decided.contains_key(&claim.text) && !fresh.contains(&claim.text) {
                fresh.push(claim.text.clone());
            }
        }
        let is_foreign = |text: &String| self.bare.solver() != Solver::Z3 && text.contains("(as const");
        let (foreign, own): (Vec<String>, Vec<String>) = fresh.into_iter().partition(is_foreign);
        let verdicts = self.verdicts(&own)?;
        self.decided.extend(own.into_iter().zip(verdicts));
        if !foreign.is_empty() {
            let second = match self.second.take() {
                Some(second) => second,
                None => Bare::start(Solver::Z3, &self.folder.join("second.log"))?,
            };
            let verdicts = single(self.second.insert(second), &foreign)?;
            self.decided.extend(foreign.into_iter().zip(verdicts));
        }
        let mut differences = Vec::new();
        for claim in claims {
            let holds = match (self.decided[&claim.text], claim.kind) {
                (Verdict::Unknown, _) => {
                    seen.undecided += 1;
                    continue;
                }
                (verdict, Kind::Core) => verdict == Verdict::Unsat,
                (verdict, _) => verdict == Verdict::Sat,
            };
            if !holds {
                let detail = format!("{}; evergreen said: {}\n", claim.text, claim.said);
                let Claim { kind, script, check, .. } = claim;
                differences.push(Difference { kind, script, check, detail });
                continue;
            }
            match claim.kind {
                Kind::Core => seen.cores += 1,
                Kind::Model => seen.models += 1,
                _ => seen.values += 1,
            }
        }
        Ok(differences)
    }

    /// Decides scripts of one check each.
    pub(super) fn verdicts(&mut self, texts: &[String]) -> Result<Vec<Verdict>, String> {
        single(&mut self.bare, texts)
    }
}

fn single(bare: &mut Bare, texts: &[String]) -> Result<Vec<Verdict>, String> {
    let texts: Vec<Text> = texts.iter().map(|text| (text.clone(), 1)).collect();
    Ok(bare.decide(&texts)?.concat())
}

fn protocol(script: usize, check: usize, said: &str) -> Difference {
    Difference { kind: Kind::Protocol, script, check, detail: format!("it says:\n{said}\n") }
}

fn is_verdict(text: &str) -> bool {
    ["sat", "unsat", "unknown", "timeout"].contains(&text)
}

/// The replies to what was asked after a check, in the order in which [`Script::write`] asks.
#[derive(Default)]
struct Replies<'t> {
    values: Option<&'t str>,
    model: Option<&'t str>,
    core: Option<&'t str>,
}

fn take_replies<'t>(
    answers: &mut impl Iterator<Item = &'t str>,
    case: &Case,
    verdict: Verdict,
    cores: CoreAsking,
) -> Replies<'t> {
    let mut replies = Replies::default();
    match verdict {
        Verdict::Sat => {
            if !case.ask.values.is_empty() {
                replies.values = answers.next();
            }
            if case.ask.model {
                replies.model = answers.next();
            }
        }
        Verdict::Unsat if case.ask.core && cores == CoreAsking::On => replies.core = answers.next(),
        _ => {}
    }
    replies
}

/// Turns replies into claims.
fn claim(
    case: &Case,
    verdict: Verdict,
    replies: &Replies<'_>,
    (script, check): (usize, usize),
    claims: &mut Vec<Claim>,
    seen: &mut Seen,
    differences: &mut Vec<Difference>,
) {
    let mut refuse = |reply: &str| {
        let is_error = reply.starts_with("(error");
        if is_error {
            *seen.refused.entry(reply.chars().take(120).collect()).or_default() += 1;
        }
        is_error
    };
    let mut odd = |said: &str| differences.push(protocol(script, check, said));
    let mut equalities = Vec::new();
    if let Some(reply) = replies.values.filter(|r| !refuse(r)) {
        match values(reply, &case.ask.values) {
            Some(pairs) => {
                equalities = pairs;
                let text = case.write_with(&equalities);
                claims.push(Claim { kind: Kind::Value, script, check, text, said: reply.into() });
            }
            None => odd(reply),
        }
    }
    if let Some(reply) = replies.model.filter(|r| !refuse(r)) {
        match case.write_under_model(reply, &equalities) {
            Some(text) => claims.push(Claim { kind: Kind::Model, script, check, text, said: reply.into() }),
            None => odd(reply),
        }
    }
    if let Some(reply) = replies.core.filter(|r| !refuse(r)) {
        debug_assert_eq!(verdict, Verdict::Unsat, "cores are asked after unsat");
        match case.write_core(reply) {
            Some(text) => claims.push(Claim { kind: Kind::Core, script, check, text, said: reply.into() }),
            None => {
                let detail = format!("{}; the core is none of the script's: {reply}\n", case.write());
                differences.push(Difference { kind: Kind::Core, script, check, detail });
            }
        }
    }
}

/// Terms with their values, as equalities.
fn values(reply: &str, asked: &[String]) -> Option<Vec<String>> {
    let pairs = inside(reply)?;
    if pairs.len() != asked.len() {
        return None;
    }
    let value = |pair: &&str| inside(pair).filter(|p| p.len() == 2).map(|p| p[1].to_string());
    let values: Option<Vec<String>> = pairs.iter().map(value).collect();
    Some(values?.iter().zip(asked).map(|(value, term)| format!("(assert (= {term} {value}))\n")).collect())
}
