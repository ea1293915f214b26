//! Trivial: slicing and canonizing know the answer.

use crate::answer::Core;
use crate::engine::{Engine, Known, Part};
use crate::event::Event;
use crate::ladder::{Fetched, Rung};
use crate::translate;
use evergreen_canon::unit_value;
use evergreen_term::{Model, TermId, Terms};

impl Engine {
    /// A part that is one constraint which fixes one symbol needs no key.
    pub(super) fn unit(&mut self, terms: &mut Terms, part: &[TermId], model: &mut Model) -> Option<Known> {
        if !self.options.slice {
            return None;
        }
        let [only] = *part else { return None };
        match self.canonizer.table(terms, only) {
            Some(_) if self.is_modelless => {}
            Some(table) => translate::assign_table(terms, model, &table)?,
            None => {
                let unit = self.propagator.unit(terms, only);
                let of_literal = |(target, literal)| Some((target, terms.literal_of(literal)?));
                let (target, value) = unit.and_then(of_literal).or_else(|| unit_value(terms, only))?;
                if !self.is_modelless {
                    translate::assign(terms, model, target, value.clone())?;
                }
            }
        }
        self.hit(Rung::Trivial);
        Some(Known::Sat { model: true })
    }

    /// A form that is `true` or `false`.
    pub(super) fn trivial(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        _: &mut Option<Fetched>,
        _: &mut Model,
    ) -> Option<Known> {
        let sat = part.canonical.verdict?;
        let key = part.canonical.key;
        self.hit(Rung::Trivial);
        self.log(|| Event::Reused { rung: Rung::Trivial, key, sat });
        if sat {
            return Some(Known::Sat { model: true });
        }
        let core = part.canonical.constraints.iter().map(|&i| part.constraints[i as usize]).collect();
        Some(Known::Unsat(Core::new(core).and_then(|core| self.core_of_query(terms, core))))
    }
}
