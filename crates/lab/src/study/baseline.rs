//! *baseline* and *stack*: the two ways to have a solver answer everything [Liu HVC'14, 3].
//!
//! *baseline* sends the whole query each time, in a new context ([`Fresh`]): nothing that the solver learned
//! is used again. *stack* gives each constraint a frame of the solver's assertion stack, so that the solver
//! keeps what it learned about the path. Frames that are left are popped when the next question comes, in the
//! same message.

use super::link::{Fresh, Link};
use super::path_text::PathText;
use super::technique::{Counts, Models, Said, Technique};
use evergreen::solver::Command;
use evergreen::{TermId, Terms};

/// Each query alone.
pub(crate) struct Baseline {
    command: Command,
    models: Models,
    fresh: Fresh,
    path: PathText,
    link: Option<Link>,
}

impl Baseline {
    /// With a solver.
    pub(crate) fn new(command: &Command, models: Models) -> Baseline {
        let path = PathText::new(command.kind);
        Baseline { command: command.clone(), models, fresh: Fresh::default(), path, link: None }
    }

    /// With another kind of context.
    pub(crate) fn with_context(mut self, fresh: Fresh) -> Baseline {
        self.fresh = fresh;
        self
    }
}

impl Technique for Baseline {
    fn terms(&mut self) -> &mut Terms {
        &mut self.path.terms
    }

    fn begin(&mut self, logic: Option<&str>, constraints: &[TermId]) -> Result<(), String> {
        self.path.begin(constraints)?;
        let mut link = Link::start(&self.command, logic)?;
        if self.fresh == Fresh::Assertions {
            link.tell(self.path.all_declarations())?;
        }
        self.link = Some(link);
        Ok(())
    }

    fn extend(&mut self, constraint: TermId) {
        self.path.extend(constraint);
    }

    fn retract(&mut self, count: usize) {
        (0..count).for_each(|_| self.path.retract());
    }

    fn check(&mut self) -> Result<Said, String> {
        let link = self.link.as_mut().ok_or("not begun")?;
        let (declarations, assertions) = (self.path.declarations(), self.path.assertions());
        let mut text = link.fresh(self.fresh, declarations) + assertions;
        let reply = link.check(&mut text, &self.path.wanted, self.models)?;
        self.path.said(reply, self.models)
    }

    fn counts(&self) -> Counts {
        Counts { calls: self.link.as_ref().map_or(0, |l| l.calls), ..Counts::default() }
    }

    fn solver_pid(&self) -> Option<u32> {
        self.link.as_ref().map(Link::pid)
    }
}

/// The path on the solver's stack.
pub(crate) struct Stack {
    command: Command,
    models: Models,
    path: PathText,
    link: Option<Link>,
    /// Frames that the solver has and the path has not.
    to_pop: usize,
    /// Of the path's constraints, how many the solver has.
    sent: usize,
}

impl Stack {
    /// With a solver.
    pub(crate) fn new(command: &Command, models: Models) -> Stack {
        let path = PathText::new(command.kind);
        Stack { command: command.clone(), models, path, link: None, to_pop: 0, sent: 0 }
    }
}

impl Technique for Stack {
    fn terms(&mut self) -> &mut Terms {
        &mut self.path.terms
    }

    fn begin(&mut self, logic: Option<&str>, constraints: &[TermId]) -> Result<(), String> {
        self.path.begin(constraints)?;
        let mut link = Link::start(&self.command, logic)?;
        link.tell(self.path.all_declarations())?;
        self.link = Some(link);
        Ok(())
    }

    fn extend(&mut self, constraint: TermId) {
        self.path.extend(constraint);
    }

    fn retract(&mut self, count: usize) {
        (0..count).for_each(|_| self.path.retract());
        let known = self.sent.saturating_sub(self.path.len());
        self.to_pop += known;
        self.sent -= known;
    }

    fn check(&mut self) -> Result<Said, String> {
        let link = self.link.as_mut().ok_or("not begun")?;
        let mut text = String::new();
        if self.to_pop > 0 {
            text = format!("(pop {})\n", std::mem::take(&mut self.to_pop));
        }
        for level in self.sent..self.path.len() {
            text.push_str("(push 1)\n");
            text.push_str(self.path.assertion(level));
        }
        self.sent = self.path.len();
        let reply = link.check(&mut text, &self.path.wanted, self.models)?;
        self.path.said(reply, self.models)
    }

    fn counts(&self) -> Counts {
        Counts { calls: self.link.as_ref().map_or(0, |l| l.calls), ..Counts::default() }
    }

    fn solver_pid(&self) -> Option<u32> {
        self.link.as_ref().map(Link::pid)
    }
}
