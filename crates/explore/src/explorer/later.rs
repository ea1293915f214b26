//! Dynamic symbolic execution: arms that wait until the run that met them is over.
//!
//! A run is a state that follows its inputs. At each branch the arm that they take is known, so no
//! question is asked; the other arms are put off, each with a copy of the state before the branch. With
//! the conditions c1 … ck of the run these are the questions ¬c1, c1 ∧ ¬c2, …, as a concolic executor
//! asks them [Visser FSE'12, 4.4], and they go through the same oracle. Inputs of an answer are of the
//! next generation [Godefroid NDSS'08]; they are followed from the branch on, since the run before it is
//! that of the inputs they were made from.
//!
//! An arm waits once: another run with the same beginning goes along arms that were decided. So when nothing
//! waits any more, every arm of the tree has been followed or refuted, and the exploration is as complete as
//! one that asks at branches. Costs a copy of a state for each arm that waits.

use super::{Advance, Explorer, Growth, Open, OpenOf};
use crate::{Arm, Bound, Decided, Feasibility, Machine, ModelOf, Oracle, Step};

/// An arm that waits for its turn.
pub(super) struct Later<Open, C> {
    /// The state that stopped before the branch.
    pub(super) open: Open,
    pub(super) arm: Arm<C>,
    /// Which of the machine's arms it is.
    pub(super) at: usize,
    /// Whether its constraint joins the path, and is asked about: not at a free choice.
    pub(super) growth: Growth,
}

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// Has an arm wait for its turn, unless its inputs would be of a generation too many.
    pub(super) fn put_off(&mut self, oracle: &mut O, later: Later<OpenOf<M, O>, M::Constraint>) {
        if self.options.bounds.generations.is_some_and(|most| later.open.generation >= most) {
            if self.range.has_end(later.open.edges) {
                self.summary.cut.add(Bound::Generations, 1);
            }
            return;
        }
        self.later.add(
            &mut vec![later],
            |later| (later.arm.site, later.arm.index),
            |later| oracle.rank(&later.open.path),
        );
    }

    /// It is the turn of an arm: if inputs take it, they are followed.
    pub(super) fn turn(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        later: Later<OpenOf<M, O>, M::Constraint>,
    ) -> Advance<M, O::Model> {
        if let Some(bound) = self.reached() {
            return self.end(bound);
        }
        let Later { mut open, arm, at, growth } = later;
        let of = if open.seeds.take().is_some() { ModelOf::Seed } else { ModelOf::Path };
        if growth == Growth::Arm {
            self.watch.asked();
            match oracle.answer(&open.path, (&open.model, of), arm.constraint) {
                (Feasibility::Feasible(model), by) => {
                    self.summary.count(Decided::Feasible(by));
                    open.model = model;
                    open.path = open.path.with(arm.constraint);
                }
                (Feasibility::Infeasible, by) => {
                    self.summary.count(Decided::Infeasible(by));
                    return Advance::Open;
                }
                (Feasibility::Unknown, _) => {
                    self.summary.count(Decided::Undecided);
                    self.leave_undecided(arm, open);
                    return Advance::Open;
                }
            }
        }
        machine.take(&mut open.state, at);
        self.summary.forks += 1;
        let Arm { site, index, .. } = arm;
        let grew = growth == Growth::Arm;
        let is_counted = self.options.bounds.loops.is_some();
        let times = if is_counted { open.trail.times(site) + 1 } else { 0 };
        let step = Step { site, index, times, at: at as u32, grew, sampled: false };
        self.open(Open { trail: open.trail.with(step), generation: open.generation + 1, ..open });
        Advance::Open
    }
}
