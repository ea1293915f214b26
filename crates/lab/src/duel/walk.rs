//! Walks: the library's path interface, asked both arms of every branch, as an exploration does.
//!
//! Rungs that need a path, or old values that lead along it, fire here and nowhere else.

use super::judge::{Claim, Difference, Judge, Kind, Seen};
use super::lane::{Place, Solver};
use super::program::{Constraint, Program};
use super::script::{Ask, Case, Verdict};
use evergreen::smtlib::{
    Command, Context, print_function, print_sort, print_symbol, print_term, print_value,
};
use evergreen::store::{Memory, Store};
use evergreen::{Answer, Evergreen, Model, Question, Reuse, Stats, SymbolId, TermId, Terms, Value};
use evergreen_testing::random::Random;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A configuration of the library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Front {
    /// The solver behind it.
    pub solver: Solver,
    /// The level of reuse, by its name in flags.
    pub level: &'static str,
    /// Where it keeps answers.
    pub place: Place,
    /// Whether linear constraints are decided natively.
    pub native: bool,
    /// Whether old models are tried.
    pub models: bool,
}

impl fmt::Display for Front {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store = if self.place == Place::Shared { "STORE" } else { "memory:" };
        let native = if self.native { "" } else { ", native off" };
        let models = if self.models { "" } else { ", models off" };
        write!(
            f,
            "library, solver {}, reuse {}, store {store}{native}{models}",
            self.solver.name(),
            self.level
        )
    }
}

/// The level of that name.
pub fn reuse(level: &str) -> Reuse {
    match level {
        "none" => Reuse::None,
        "exact" => Reuse::Exact,
        "subset" => Reuse::Subset,
        "logical" => Reuse::Logical,
        _ => Reuse::Full,
    }
}

/// A question that was asked, to be judged.
struct Asked {
    case: Case,
    verdict: Verdict,
    model: Option<String>,
    core: Option<Vec<String>>,
    said: String,
}

/// One instance of the library on walks through a program.
pub struct Walker<'p> {
    evergreen: Evergreen,
    context: Context,
    program: &'p mut Program,
    random: &'p mut Random,
    declarations: Vec<String>,
    /// The path, as text.
    path: Vec<String>,
    /// Integers of models that were found on earlier paths, by name.
    old: HashMap<String, i64>,
    asked: Vec<Asked>,
}

impl<'p> Walker<'p> {
    /// An instance that has read the program's declarations.
    pub fn new(
        front: &Front,
        shared: &Arc<dyn Store>,
        program: &'p mut Program,
        random: &'p mut Random,
    ) -> Result<Walker<'p>, String> {
        let store = match front.place {
            Place::Shared => shared.clone(),
            Place::Memory => Arc::new(Memory::new(64 << 20)) as Arc<dyn Store>,
        };
        let builder = Evergreen::builder().with_store(store).solver(&front.solver.command_line()?);
        let builder = builder
            .reuse(reuse(front.level))
            .native(front.native)
            .models(front.models)
            .regulate(random.one_in(4));
        let mut evergreen = builder.build().map_err(|e| e.to_string())?;
        let mut context = Context::new(evergreen.terms());
        let declarations = program.vocabulary.declarations();
        for declaration in &declarations {
            let read = context.read(evergreen.terms(), declaration.as_bytes());
            read.map_err(|e| format!("{declaration}: {}", e.message))?;
        }
        let (path, old, asked) = (Vec::new(), HashMap::new(), Vec::new());
        Ok(Walker { evergreen, context, program, random, declarations, path, old, asked })
    }

    fn term(&mut self, text: &str) -> Result<TermId, String> {
        let command = format!("(assert {text})");
        match self.context.read(self.evergreen.terms(), command.as_bytes()) {
            Ok(Command::Assert { term, .. }) => Ok(term),
            Ok(other) => Err(format!("{text}: {other:?}")),
            Err(e) => Err(format!("{text}: {}", e.message)),
        }
    }

    /// Walks until so many questions were asked; then they are judged.
    pub fn walk(
        &mut self,
        questions: usize,
        judge: &mut Judge,
        seen: &mut Seen,
    ) -> Result<Vec<Difference>, String> {
        let mut branches: Vec<Constraint> = Vec::new();
        while self.asked.len() < questions {
            if branches.is_empty() {
                self.leave();
                branches = self.program.next_query(self.random);
            }
            // What no other path has asked: there old values and their moves have a chance.
            let branch =
                if self.random.one_in(4) { self.program.fresh(self.random) } else { branches.remove(0) };
            let mut feasible = Vec::new();
            for arm in [branch.clone(), branch.other()] {
                if self.asked.len() < questions && self.ask(&arm)? == Verdict::Sat {
                    feasible.push(arm);
                }
            }
            match feasible.first() {
                Some(arm) => {
                    let term = self.term(&arm.write())?;
                    self.evergreen.push_feasible(&[term]).map_err(|e| e.to_string())?;
                    self.path.push(arm.write());
                }
                None => branches.clear(),
            }
            // Another arm further up: what was pushed since then is gone.
            if self.random.one_in(6) && !self.path.is_empty() {
                self.evergreen.pop();
                self.path.pop();
            }
        }
        let asked = std::mem::take(&mut self.asked);
        judged(judge, asked, seen)
    }

    fn leave(&mut self) {
        for _ in self.path.drain(..) {
            self.evergreen.pop();
        }
    }

    fn ask(&mut self, arm: &Constraint) -> Result<Verdict, String> {
        let text = arm.write();
        let new = self.term(&text)?;
        let questions = [Question::Sat, Question::Model, Question::Core, Question::Extension];
        let question = *self.random.choose(&questions);
        let old = &self.old;
        let near = |terms: &Terms, symbol: SymbolId| old.get(terms.symbol_text(symbol)).copied();
        let whole = self.random.one_in(6);
        let answer = if whole {
            let mut all = Vec::with_capacity(self.path.len() + 1);
            for text in self.path.clone() {
                all.push(self.term(&text)?);
            }
            all.push(new);
            self.evergreen.check(&all, question)
        } else if self.random.below(4) > 0 {
            self.evergreen.branch_beside(&[new], question, Some(&near))
        } else {
            self.evergreen.branch(new, question)
        };
        let answer = answer.map_err(|e| e.to_string())?;
        let verdict = match answer.verdict {
            evergreen::Verdict::Sat => Verdict::Sat,
            evergreen::Verdict::Unsat => Verdict::Unsat,
            evergreen::Verdict::Unknown(_) => Verdict::Unknown,
        };
        self.keep(text, question, verdict, &answer)?;
        Ok(verdict)
    }

    fn keep(
        &mut self,
        text: String,
        question: Question,
        verdict: Verdict,
        answer: &Answer,
    ) -> Result<(), String> {
        let assertions = self.path.iter().chain([&text]).map(|t| (None, t.clone())).collect();
        let declarations = self.declarations.clone();
        let case = Case { declarations, assertions, assuming: Vec::new(), ask: Ask::default() };
        let terms = self.evergreen.terms();
        let model = answer.model.as_ref().map(|m| print_model(terms, m));
        let core = answer.core.as_ref().map(|c| c.iter().map(|&t| print_term(terms, t)).collect());
        if let Some(model) = &answer.model {
            for (symbol, value) in model.iter() {
                if let Value::Int(value) = value
                    && let Some(value) = value.to_i64()
                {
                    self.old.insert(terms.symbol_text(symbol).to_string(), value);
                }
            }
        }
        let said = format!("{question:?}: {:?}, model {model:?}, core {core:?}", answer.verdict);
        self.asked.push(Asked { case, verdict, model, core, said });
        Ok(())
    }

    /// Counters of the instance.
    pub fn stats(&self) -> &Stats {
        self.evergreen.stats()
    }
}

fn print_model(terms: &Terms, model: &Model) -> String {
    let mut text = String::from("(");
    for (symbol, value) in model.iter() {
        let s = terms.symbol_of(symbol);
        let (name, sort) = (print_symbol(terms.text(s.name)), print_sort(terms, s.result));
        let (params, body) = match value {
            Value::Function(f) => print_function(terms, &f.params, f.body),
            _ => ("()".into(), print_value(terms, value)),
        };
        text.push_str(&format!("(define-fun {name} {params} {sort} {body})\n"));
    }
    text.push(')');
    text
}

/// Compares what was asked with the judge.
fn judged(judge: &mut Judge, asked: Vec<Asked>, seen: &mut Seen) -> Result<Vec<Difference>, String> {
    let texts: Vec<String> = asked.iter().map(|a| a.case.write()).collect();
    let expected = judge.verdicts(&texts)?;
    let mut differences = Vec::new();
    let mut claims = Vec::new();
    for (check, (asked, expected)) in asked.into_iter().zip(expected).enumerate() {
        seen.checks += 1;
        match (expected, asked.verdict) {
            (Verdict::Unknown, _) => seen.bare_unknown += 1,
            (_, Verdict::Unknown) => seen.unknown += 1,
            (Verdict::Sat, Verdict::Sat) => seen.sat += 1,
            (Verdict::Unsat, Verdict::Unsat) => seen.unsat += 1,
            _ => {
                let detail =
                    format!("{}; bare: {expected:?}, evergreen: {}\n", asked.case.write(), asked.said);
                differences.push(Difference { kind: Kind::Verdict, script: 0, check, detail });
                continue;
            }
        }
        let said = asked.said;
        let is_element = |m: &&String| m.contains("!val!");
        if let Some(model) = asked.model.as_ref().filter(|m| !is_element(m))
            && let Some(text) = asked.case.write_under_model(model, &[])
        {
            claims.push(Claim { kind: Kind::Model, script: 0, check, text, said: said.clone() });
        }
        if let Some(core) = asked.core {
            let assertions = core.into_iter().map(|c| (None, c)).collect();
            let text = Case { assertions, ..asked.case }.write();
            claims.push(Claim { kind: Kind::Core, script: 0, check, text, said });
        }
    }
    differences.extend(judge.decide_claims(claims, seen)?);
    Ok(differences)
}
