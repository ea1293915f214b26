//! *caching* and *caching-opt*: independent parts of a query, and a cache of their answers by text [Liu
//! HVC'14, 3].
//!
//! *caching* cuts the whole path into parts at every question. *caching-opt* keeps the parts of each prefix
//! of the path: a new constraint joins the parts that it shares a symbol with, and the others stay what they
//! were, their answers included. Both print a part's constraints as they are, so that only the very same text
//! is found again, and both send what is missing to a solver alone, in a new context, as the paper does.

use super::link::{Fresh, Link};
use super::path_text::PathText;
use super::technique::{Counts, Models, Said, Technique, Verdict};
use evergreen::solver::Command;
use evergreen::{Model, SymbolId, TermId, Terms};
use evergreen_structures::UnionFind;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What is known of a part: unsat, or sat with its share of the model.
type Known = Option<Rc<Model>>;

/// The cache, and the solver behind it.
struct Cache {
    command: Command,
    models: Models,
    fresh: Fresh,
    link: Option<Link>,
    known: HashMap<String, Known>,
    hits: u64,
}

impl Cache {
    fn new(command: &Command, models: Models) -> Cache {
        let (command, fresh) = (command.clone(), Fresh::default());
        Cache { command, models, fresh, link: None, known: HashMap::new(), hits: 0 }
    }

    /// Starts the solver.
    fn begin(&mut self, path: &PathText, logic: Option<&str>) -> Result<(), String> {
        let mut link = Link::start(&self.command, logic)?;
        if self.fresh == Fresh::Assertions {
            link.tell(path.all_declarations())?;
        }
        self.link = Some(link);
        Ok(())
    }

    /// The answer to a part, from the cache or from the solver; `None` when the solver does not know.
    fn answer(&mut self, path: &mut PathText, levels: &[u32]) -> Result<Option<Known>, String> {
        let text: String = levels.iter().map(|&l| path.assertion(l as usize)).collect();
        if let Some(known) = self.known.get(&text) {
            self.hits += 1;
            return Ok(Some(known.clone()));
        }
        let link = self.link.as_mut().ok_or("not begun")?;
        let (declarations, wanted) = path.question_of(levels);
        let mut question = link.fresh(self.fresh, &declarations) + &text;
        let known = match link.check(&mut question, &wanted, self.models)? {
            (Verdict::Unknown, _) => return Ok(None),
            (Verdict::Unsat, _) => None,
            (Verdict::Sat, None) => Some(Rc::new(Model::new())),
            (Verdict::Sat, Some(values)) => Some(Rc::new(path.model(&wanted, &values)?)),
        };
        self.known.insert(text, known.clone());
        Ok(Some(known))
    }

    fn counts(&self) -> Counts {
        let calls = self.link.as_ref().map_or(0, |l| l.calls);
        Counts { calls, native: 0, reused: vec![("exact", self.hits)] }
    }

    /// Puts the parts' answers together.
    fn said(&self, parts: Vec<Option<Known>>) -> Said {
        let unsat = parts.iter().any(|p| matches!(p, Some(None)));
        let unknown = parts.iter().any(Option::is_none);
        let verdict = match (unsat, unknown) {
            (true, _) => Verdict::Unsat,
            (_, true) => Verdict::Unknown,
            _ => Verdict::Sat,
        };
        let read = verdict == Verdict::Sat && self.models == Models::Read;
        let model = read.then(|| {
            let mut model = Model::new();
            for (symbol, value) in parts.iter().flatten().flatten().flat_map(|m| m.iter()) {
                model.set(symbol, value.clone());
            }
            model
        });
        Said { verdict, model }
    }
}

/// What constraints can have in common: a symbol, or being coupled in another way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Tie {
    Symbol(SymbolId),
    Coupled,
}

fn ties(path: &PathText, level: usize) -> impl Iterator<Item = Tie> {
    let mentions = path.mentions(level);
    mentions.symbols.iter().map(|&s| Tie::Symbol(s)).chain(mentions.coupled.then_some(Tie::Coupled))
}

/// Parts recomputed at every question.
pub(crate) struct Caching {
    path: PathText,
    cache: Cache,
}

impl Caching {
    /// With a solver.
    pub(crate) fn new(command: &Command, models: Models) -> Caching {
        Caching { path: PathText::new(command.kind), cache: Cache::new(command, models) }
    }

    /// With another kind of context.
    pub(crate) fn with_context(mut self, fresh: Fresh) -> Caching {
        self.cache.fresh = fresh;
        self
    }

    fn parts(&self) -> Vec<Vec<u32>> {
        let mut sets = UnionFind::new(self.path.len());
        let mut owner: HashMap<Tie, usize> = HashMap::new();
        for level in 0..self.path.len() {
            for tie in ties(&self.path, level) {
                let first = *owner.entry(tie).or_insert(level);
                sets.union(first as u32, level as u32);
            }
        }
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); self.path.len()];
        for level in 0..self.path.len() {
            parts[sets.find(level as u32) as usize].push(level as u32);
        }
        parts.retain(|p| !p.is_empty());
        parts
    }
}

impl Technique for Caching {
    fn terms(&mut self) -> &mut Terms {
        &mut self.path.terms
    }

    fn begin(&mut self, logic: Option<&str>, constraints: &[TermId]) -> Result<(), String> {
        self.path.begin(constraints)?;
        self.cache.begin(&self.path, logic)
    }

    fn extend(&mut self, constraint: TermId) {
        self.path.extend(constraint);
    }

    fn retract(&mut self, count: usize) {
        (0..count).for_each(|_| self.path.retract());
    }

    fn check(&mut self) -> Result<Said, String> {
        let mut answers = Vec::new();
        for part in self.parts() {
            let answer = self.cache.answer(&mut self.path, &part)?;
            let unsat = matches!(answer, Some(None));
            answers.push(answer);
            if unsat {
                break;
            }
        }
        Ok(self.cache.said(answers))
    }

    fn counts(&self) -> Counts {
        self.cache.counts()
    }

    fn solver_pid(&self) -> Option<u32> {
        self.cache.link.as_ref().map(Link::pid)
    }
}

/// A part of a prefix of the path.
struct Part {
    levels: Vec<u32>,
    ties: Vec<Tie>,
    known: OnceCell<Known>,
}

/// Parts kept along the path.
pub(crate) struct CachingOpt {
    path: PathText,
    cache: Cache,
    /// The parts of each prefix; the last are those of the whole path.
    prefixes: Vec<Vec<Rc<Part>>>,
}

impl CachingOpt {
    /// With a solver.
    pub(crate) fn new(command: &Command, models: Models) -> CachingOpt {
        let path = PathText::new(command.kind);
        CachingOpt { path, cache: Cache::new(command, models), prefixes: vec![Vec::new()] }
    }

    /// With another kind of context.
    pub(crate) fn with_context(mut self, fresh: Fresh) -> CachingOpt {
        self.cache.fresh = fresh;
        self
    }
}

impl Technique for CachingOpt {
    fn terms(&mut self) -> &mut Terms {
        &mut self.path.terms
    }

    fn begin(&mut self, logic: Option<&str>, constraints: &[TermId]) -> Result<(), String> {
        self.path.begin(constraints)?;
        self.cache.begin(&self.path, logic)
    }

    fn extend(&mut self, constraint: TermId) {
        let level = self.path.len();
        self.path.extend(constraint);
        let mut joined =
            Part { levels: Vec::new(), ties: ties(&self.path, level).collect(), known: OnceCell::new() };
        let own = joined.ties.clone();
        let mut parts: Vec<Rc<Part>> = Vec::new();
        for part in self.prefixes.last().into_iter().flatten() {
            if part.ties.iter().any(|t| own.contains(t)) {
                joined.levels.extend(&part.levels);
                joined.ties.extend(part.ties.iter().filter(|t| !own.contains(t)));
            } else {
                parts.push(part.clone());
            }
        }
        joined.levels.push(level as u32);
        joined.levels.sort_unstable();
        parts.push(Rc::new(joined));
        self.prefixes.push(parts);
    }

    fn retract(&mut self, count: usize) {
        for _ in 0..count {
            self.path.retract();
            if self.prefixes.len() > 1 {
                self.prefixes.pop();
            }
        }
    }

    fn check(&mut self) -> Result<Said, String> {
        let parts = self.prefixes.last().cloned().unwrap_or_default();
        let mut answers = Vec::new();
        // The newest part is the likeliest to be unsatisfiable.
        for part in parts.iter().rev() {
            let answer = match part.known.get() {
                Some(known) => Some(known.clone()),
                None => self.cache.answer(&mut self.path, &part.levels)?,
            };
            if let Some(known) = &answer {
                part.known.get_or_init(|| known.clone());
            }
            let unsat = matches!(answer, Some(None));
            answers.push(answer);
            if unsat {
                break;
            }
        }
        Ok(self.cache.said(answers))
    }

    fn counts(&self) -> Counts {
        self.cache.counts()
    }

    fn solver_pid(&self) -> Option<u32> {
        self.cache.link.as_ref().map(Link::pid)
    }
}
