//! The judge: a bare solver that decides every check for itself, and whether values, models and cores hold.

use super::atom::symbols;
use super::lane::{Lane, Solver};
use super::pipe::{MOST_AT_ONCE, Pipe, inside, items};
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

/// A bare solver.
pub struct Judge {
    pipe: Pipe,
    solver: Solver,
    folder: PathBuf,
    /// z3, where the solver does not read values: yices has no constant arrays, cvc5 (1.0.3) none with negative elements.
    second: Option<Pipe>,
    /// Claims that were decided in this job already; lanes often say the same.
    decided: HashMap<String, Verdict>,
}

impl Judge {
    /// Starts a bare solver; its complaints go to a file in the folder.
    pub fn start(solver: Solver, folder: &Path) -> Result<Judge, String> {
        let pipe = solver.start(&folder.join("bare.log"))?;
        let folder = folder.to_path_buf();
        Ok(Judge { pipe, solver, folder, second: None, decided: HashMap::new() })
    }

    /// Decides every check of scripts. An error is the generator's fault or the solver's: the run cannot go on.
    pub fn decide<'s>(&mut self, scripts: &'s [Script]) -> Result<Vec<Judged<'s>>, String> {
        let mut judged = Vec::with_capacity(scripts.len());
        let texts: Vec<String> = scripts.iter().map(Script::write_bare).collect();
        let mut done = 0;
        for batch in batches(&texts) {
            let text: String = texts[done..done + batch].concat();
            let said = self.pipe.ask(&text).map_err(|e| format!("the bare solver: {e}"))?;
            let mut answers = items(&said).into_iter();
            for script in &scripts[done..done + batch] {
                let cases = script.cases();
                let verdicts: Vec<&str> = answers.by_ref().take(cases.len()).collect();
                if verdicts.len() < cases.len() || verdicts.iter().any(|v| v.starts_with('(')) {
                    return Err(refused(&text, &said));
                }
                let verdicts = verdicts.into_iter().map(Verdict::of).collect();
                judged.push(Judged { script, verdicts, cases });
            }
            done += batch;
        }
        Ok(judged)
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
        differences.extend(self.settle(claims, seen)?);
        Ok(differences)
    }

    /// Has claims decided.
    pub(super) fn settle(&mut self, claims: Vec<Claim>, seen: &mut Seen) -> Result<Vec<Difference>, String> {
        let mut fresh: Vec<String> = Vec::new();
        for claim in &claims {
            if !self.decided.contains_key(&claim.text) && !fresh.contains(&claim.text) {
                fresh.push(claim.text.clone());
            }
        }
        let is_foreign = |text: &String| self.solver != Solver::Z3 && text.contains("(as const");
        let (foreign, own): (Vec<String>, Vec<String>) = fresh.into_iter().partition(is_foreign);
        let verdicts = verdicts(&mut self.pipe, &own)?;
        self.decided.extend(own.into_iter().zip(verdicts));
        if !foreign.is_empty() {
            if self.second.is_none() {
                self.second = Some(Solver::Z3.start(&self.folder.join("second.log"))?);
            }
            let second = self.second.as_mut().ok_or("no second judge")?;
            let verdicts = self::verdicts(second, &foreign)?;
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
        verdicts(&mut self.pipe, texts)
    }
}

fn verdicts(pipe: &mut Pipe, texts: &[String]) -> Result<Vec<Verdict>, String> {
    let mut verdicts = Vec::with_capacity(texts.len());
    let mut done = 0;
    for batch in batches(texts) {
        let text = texts[done..done + batch].concat();
        let said = pipe.ask(&text).map_err(|e| format!("the bare solver: {e}"))?;
        let answers = items(&said);
        if answers.len() != batch || answers.iter().any(|a| a.starts_with('(')) {
            return Err(refused(&text, &said));
        }
        verdicts.extend(answers.into_iter().map(Verdict::of));
        done += batch;
    }
    Ok(verdicts)
}

fn refused(text: &str, said: &str) -> String {
    let first = said.lines().find(|line| line.starts_with("(error")).unwrap_or("answers are missing");
    format!("the bare solver does not take a script: {first}\n{text}")
}

fn protocol(script: usize, check: usize, said: &str) -> Difference {
    Difference { kind: Kind::Protocol, script, check, detail: format!("it says:\n{said}\n") }
}

fn is_verdict(text: &str) -> bool {
    ["sat", "unsat", "unknown", "timeout"].contains(&text)
}

/// How many texts fit into a pipe at once, batch after batch.
pub fn batches(texts: &[String]) -> Vec<usize> {
    let mut all = Vec::new();
    let (mut count, mut bytes) = (0, 0);
    for text in texts {
        if count > 0 && bytes + text.len() > MOST_AT_ONCE {
            all.push(count);
            (count, bytes) = (0, 0);
        }
        count += 1;
        bytes += text.len();
    }
    if count > 0 {
        all.push(count);
    }
    all
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

/// Whether a script's assertion or definition may have this name.
fn is_label(name: &str) -> bool {
    let number = name.strip_prefix('n').or_else(|| name.strip_prefix('d'));
    number.is_some_and(|n| n.parse::<u32>().is_ok())
}

/// Definitions in an order in which none mentions a later one; the text that defines a name has it once.
fn in_order<'d>(mut left: Vec<(&'d str, &'d str)>) -> Vec<&'d str> {
    left.sort_unstable();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|d| d.0).collect();
        let is_ready = |text: &str| symbols(text).filter(|word| names.contains(word)).count() == 1;
        let ready: Vec<bool> = left.iter().map(|d| is_ready(d.1)).collect();
        // Definitions in a circle would be refused, and that would be seen.
        let none = !ready.contains(&true);
        let mut flags = ready.into_iter();
        left.retain(|d| {
            let take = none || flags.next().unwrap_or(true);
            ordered.extend(take.then_some(d.1));
            !take
        });
    }
    ordered
}

impl Case {
    fn asserted(&self) -> String {
        let asserted = self.assertions.iter().map(|a| format!("(assert {})\n", a.1));
        asserted.chain(self.assuming.iter().map(|a| format!("(assert {a})\n"))).collect()
    }

    /// A script of its own.
    pub fn write(&self) -> String {
        self.write_with(&[])
    }

    fn write_with(&self, more: &[String]) -> String {
        let declared: String = self.declarations.iter().map(|d| format!("{d}\n")).collect();
        format!("(push 1)\n{declared}{}{}(check-sat)\n(pop 1)\n", self.asserted(), more.concat())
    }

    /// The constraints with a model's definitions in place of the declarations.
    pub(super) fn write_under_model(&self, model: &str, more: &[String]) -> Option<String> {
        let mut defined: HashMap<&str, &str> = HashMap::new();
        let definitions = inside(model)?;
        for definition in definitions.into_iter().filter(|d| d.starts_with("(define-fun ")) {
            let name = *inside(definition)?.get(1)?;
            // z3 lists the names of assertions, and what it takes a division by zero to be.
            if !is_label(name) && !["div0", "mod0", "rem0", "/0"].contains(&name) {
                defined.insert(name, definition);
            }
        }
        let mut text = String::new();
        let mut left: Vec<(&str, &str)> = Vec::new();
        for declaration in &self.declarations {
            let words = inside(declaration)?;
            let is_declared = matches!(words[0], "declare-const" | "declare-fun");
            match is_declared.then(|| defined.remove(words[1])).flatten() {
                Some(definition) => left.push((words[1], definition)),
                None if words[0] == "define-fun" => left.push((words[1], declaration)),
                None => text.push_str(&format!("{declaration}\n")),
            }
        }
        // What is left are the solver's own, which the others mention.
        left.extend(defined);
        for definition in in_order(left) {
            text.push_str(&format!("{definition}\n"));
        }
        Some(format!("(push 1)\n{text}{}{}(check-sat)\n(pop 1)\n", self.asserted(), more.concat()))
    }

    /// The constraints that a core has: those that it names, and all without a name. After assumptions: all assertions, and the
    /// assumptions that it names.
    fn write_core(&self, core: &str) -> Option<String> {
        let names = inside(core)?;
        let mut kept = self.clone();
        if self.assuming.is_empty() {
            let all = self.assertions.iter().filter_map(|a| a.0.as_deref()).collect::<Vec<_>>();
            if !names.iter().all(|n| all.contains(n)) {
                return None;
            }
            kept.assertions.retain(|a| a.0.as_deref().is_none_or(|name| names.contains(&name)));
        } else {
            // Solvers print assumptions in words of their own (`(/ 7.0 2.0)` for 3.5), so they are taken as they are.
            if names.len() > self.assuming.len() {
                return None;
            }
            kept.assuming = names.into_iter().map(String::from).collect();
        }
        Some(kept.write())
    }
}
