//! *stack-opt*: the solver's stack, with shared sub-expressions named [Liu HVC'14, 3.2].
//!
//! A sub-expression that several others of the stream use gets a name, by `define-fun`, in the frame where
//! the path needs it first; the frame takes the name with it when it is popped. The paper names the variables
//! of a program in single-assignment form, by a transformation before exploration; a stream has no variables,
//! but its terms are hash-consed, so that what is shared is a term with two parents. Who has two parents is
//! counted when the stream has been read, as the paper transforms before it explores; naming itself is timed.

use super::link::Link;
use super::technique::{Counts, Models, Said, Technique, Verdict};
use super::wanted::{Survey, ValueReader, Wanted};
use evergreen::smtlib::{print_declarations, print_sort, write_term};
use evergreen::solver::Command;
use evergreen::{Model, SortId, TermId, Terms, Traits};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A constraint in terms of names.
struct Named {
    /// What has to be defined first, in this order: the terms.
    needs: Vec<TermId>,
    /// The constraint over names.
    constraint: TermId,
}

/// The technique.
pub(crate) struct StackOpt {
    command: Command,
    models: Models,
    terms: Terms,
    link: Option<Link>,
    survey: Survey,
    wanted: Wanted,
    values: ValueReader,
    /// Terms that get a name.
    shared: HashSet<TermId>,
    /// Each term with the names of shared ones in it.
    rewritten: HashMap<TermId, TermId>,
    /// The text of each definition.
    definitions: HashMap<TermId, Rc<str>>,
    known: HashMap<TermId, Rc<Named>>,
    /// Names that the path has, and how many each constraint brought.
    live: HashSet<TermId>,
    order: Vec<TermId>,
    marks: Vec<usize>,
    /// The text of each constraint that the solver does not have yet.
    unsent: Vec<String>,
    to_pop: usize,
}

impl StackOpt {
    /// With a solver.
    pub(crate) fn new(command: &Command, models: Models) -> StackOpt {
        StackOpt {
            command: command.clone(),
            models,
            terms: Terms::new(),
            link: None,
            survey: Survey::default(),
            wanted: Wanted::default(),
            values: ValueReader::default(),
            shared: HashSet::new(),
            rewritten: HashMap::new(),
            definitions: HashMap::new(),
            known: HashMap::new(),
            live: HashSet::new(),
            order: Vec::new(),
            marks: Vec::new(),
            unsent: Vec::new(),
            to_pop: 0,
        }
    }

    /// Whether a term may have a name: it is built from others, has a value, and means the same everywhere.
    fn is_nameable(&self, term: TermId) -> bool {
        !self.terms.args(term).is_empty()
            && self.terms.sort_of(term) != SortId::BOOL
            && !self.terms.traits(term).has(Traits::BOUND)
    }

    fn find_shared(&mut self, constraints: &[TermId]) {
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut used: HashSet<TermId> = HashSet::new();
        let mut stack = constraints.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            for &arg in self.terms.args(term) {
                if !used.insert(arg) && self.is_nameable(arg) {
                    self.shared.insert(arg);
                }
                stack.push(arg);
            }
        }
    }

    /// A constraint in terms of names, made once.
    fn named(&mut self, constraint: TermId) -> Rc<Named> {
        if let Some(known) = self.known.get(&constraint) {
            return known.clone();
        }
        let mut needs = Vec::new();
        let mut seen = HashSet::new();
        // Twice on the stack: before its arguments, and after.
        let mut stack = vec![(constraint, false)];
        while let Some((term, done)) = stack.pop() {
            if done {
                self.rewrite(term);
                if self.shared.contains(&term) {
                    needs.push(term);
                }
            } else if seen.insert(term) && !self.terms.args(term).is_empty() {
                stack.push((term, true));
                stack.extend(self.terms.args(term).iter().rev().map(|&a| (a, false)));
            }
        }
        let constraint_named = self.rewritten.get(&constraint).copied().unwrap_or(constraint);
        let named = Rc::new(Named { needs, constraint: constraint_named });
        self.known.insert(constraint, named.clone());
        named
    }

    /// Puts names for the shared arguments of a term; a shared term becomes its name and a definition.
    fn rewrite(&mut self, term: TermId) {
        if self.rewritten.contains_key(&term) {
            return;
        }
        let args: Vec<TermId> =
            self.terms.args(term).iter().map(|a| self.rewritten.get(a).copied().unwrap_or(*a)).collect();
        let mut over_names = self.terms.with_args(term, &args);
        if self.shared.contains(&term) {
            let name = format!("shared!{}", term.index());
            let sort = self.terms.sort_of(term);
            let mut text = format!("(define-fun {name} () {} ", print_sort(&self.terms, sort));
            write_term(&self.terms, over_names, &mut text);
            text.push_str(")\n");
            self.definitions.insert(term, text.into());
            over_names = self.terms.constant(&name, sort);
        }
        self.rewritten.insert(term, over_names);
    }
}

impl Technique for StackOpt {
    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn begin(&mut self, logic: Option<&str>, constraints: &[TermId]) -> Result<(), String> {
        self.find_shared(constraints);
        let mut link = Link::start(&self.command, logic)?;
        link.tell(&print_declarations(&self.terms, constraints)?)?;
        self.link = Some(link);
        Ok(())
    }

    fn extend(&mut self, constraint: TermId) {
        let mentions = self.survey.of(&self.terms, constraint);
        self.wanted.extend(&self.terms, &mentions, self.command.kind);
        self.marks.push(self.order.len());
        let named = self.named(constraint);
        let mut text = String::from("(push 1)\n");
        for &term in &named.needs {
            if self.live.insert(term) {
                self.order.push(term);
                text.push_str(&self.definitions[&term]);
            }
        }
        text.push_str("(assert ");
        write_term(&self.terms, named.constraint, &mut text);
        text.push_str(")\n");
        self.unsent.push(text);
    }

    fn retract(&mut self, count: usize) {
        for _ in 0..count {
            self.wanted.retract();
            let Some(mark) = self.marks.pop() else { return };
            for term in self.order.drain(mark..) {
                self.live.remove(&term);
            }
            if self.unsent.pop().is_none() {
                self.to_pop += 1;
            }
        }
    }

    fn check(&mut self) -> Result<Said, String> {
        let link = self.link.as_mut().ok_or("not begun")?;
        let mut text = String::new();
        if self.to_pop > 0 {
            text = format!("(pop {})\n", std::mem::take(&mut self.to_pop));
        }
        self.unsent.drain(..).for_each(|t| text.push_str(&t));
        let (verdict, values) = link.check(&mut text, &self.wanted, self.models)?;
        let model = match values {
            Some(values) => Some(self.values.read(&mut self.terms, &self.wanted, &values)?),
            None => (verdict == Verdict::Sat && self.models == Models::Read).then(Model::new),
        };
        Ok(Said { verdict, model })
    }

    fn counts(&self) -> Counts {
        Counts { calls: self.link.as_ref().map_or(0, |l| l.calls), ..Counts::default() }
    }
}
