//! The explorer's side of seeds and ranges: which seeds travel with a state, and
//! which arms the range excludes.

use super::{End, Explorer, FoundOf, Open, OpenOf, Options, found};
use crate::range::Ways;
use crate::seed::{Company, Seeding, Split, numbers};
use crate::{Arm, Bound, Machine, Oracle, Path, Range, RangeError, Retired, Seeds};
use std::rc::Rc;

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// The same with seeds, in a range of the paths. Seeds that do not satisfy the conditions are retired at
    /// once. If such a seed bounds the range, the result is an error.
    pub fn seeded(
        oracle: &mut O,
        start: M::State,
        path: Path<M::Constraint>,
        model: O::Model,
        seeds: Seeds<M, O::Model>,
        range: Range,
        options: Options,
    ) -> Result<Explorer<M, O>, RangeError> {
        let mut explorer = Explorer::empty(options);
        let (seeding, company) = Seeding::begin(oracle, &path.constraints(), seeds);
        let present = numbers(&company);
        if let Some(seed) = range.seeds().find(|number| !present.contains(number)) {
            return Err(RangeError { seed });
        }
        explorer.seeding = Some(seeding);
        if !range.is_everything() {
            // A range is about single paths.
            explorer.options.merging = None;
        }
        match range.start() {
            Some(edges) => {
                let model = company.as_ref().and_then(|all| all.first()).map_or(model, |s| s.model.clone());
                explorer.begin(Open { seeds: company, edges, ..Open::at(start, path, model) });
            }
            None => explorer.retire(&company, &Retired::OutOfRange),
        }
        explorer.range = range;
        Ok(explorer)
    }

    /// The seeds retired so far, each with its reason. Seeds that lead to a path are reported with the path;
    /// a seed in neither place was not reached.
    pub fn retired(&self) -> &[(usize, Retired)] {
        self.seeding.as_ref().map_or(&[], |seeding| &seeding.retired)
    }

    pub(super) fn retire(&mut self, company: &Company<O::Model>, why: &Retired) {
        if let (Some(seeding), Some(_)) = (&mut self.seeding, company) {
            seeding.retire(numbers(company), why);
        }
    }

    /// Whether a path that has ended belongs to the range; its seeds are retired if not.
    pub(super) fn has(&mut self, open: &OpenOf<M, O>) -> bool {
        let has = self.range.has_end(open.edges);
        if !has {
            self.retire(&open.seeds, &Retired::OutOfRange);
        }
        has
    }

    pub(super) fn cut(&mut self, bound: Bound, open: OpenOf<M, O>) -> FoundOf<M, O> {
        self.summary.cut.add(bound, 1);
        self.retire(&open.seeds, &Retired::Cut(bound));
        found(End::Cut(bound), open)
    }

    /// Which seeds take which arms.
    pub(super) fn split_branch(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        open: &OpenOf<M, O>,
    ) -> Split<O::Model> {
        match (&mut self.seeding, &open.seeds) {
            (Some(seeding), Some(seeds)) => {
                seeding.split_branch(machine, oracle, seeds, &open.trail, &self.arms)
            }
            _ => Split::NONE,
        }
    }

    pub(super) fn split_choice(&mut self, machine: &mut M, open: &OpenOf<M, O>) -> Split<O::Model> {
        match (&mut self.seeding, &open.seeds) {
            (Some(seeding), Some(seeds)) => {
                seeding.split_choice(machine, &open.state, seeds, &open.trail, &self.arms)
            }
            _ => Split::NONE,
        }
    }

    /// Which arms the range admits.
    pub(super) fn ways(&self, open: &OpenOf<M, O>, split: &Split<O::Model>) -> Ways {
        if !open.edges.any() {
            return Ways::FREE;
        }
        self.range.ways(open.edges, open.trail.depth(), |number| split.arm_of(number))
    }

    /// Gives the seeds of a stopped state values for the inputs that the state has met. The state's model
    /// is that of the first seed.
    pub(super) fn meet(&mut self, machine: &mut M, open: &mut OpenOf<M, O>, arms: &[Arm<M::Constraint>]) {
        if let (Some(seeding), Some(seeds)) = (&mut self.seeding, &mut open.seeds) {
            let seeds = Rc::make_mut(seeds);
            seeding.meet(machine, &open.state, arms, seeds);
            match seeds.first() {
                Some(first) => open.model = first.model.clone(),
                None => open.seeds = None,
            }
        }
    }
}
