//! Long paths whose conditions bound single inputs: loops of many rounds.
//!
//! A loop `while (i < n)` adds a condition on `n` each round, and all of them are in the slice of the next
//! one: a question costs the length of the path, and a thousand rounds a million comparisons. Here a path
//! keeps an interval for each input, and how many of its conditions say more about the input than such a
//! bound. An arm that bounds an input of which nothing else is said is decided by one comparison.
//!
//! Only long paths are decided so: the numbers of questions that are published for Java count the others.

use evergreen_explore::{Feasibility, Path};
use evergreen_symbolic::{Assignment, Cond, Const, Exprs, Input, Kind};

/// Conditions of a path that is long.
const LONG: usize = 256;

/// What is known of an input on the path.
#[derive(Clone, Copy)]
struct Known {
    interval: (i64, i64),
    /// Conditions that say more about it.
    more: u32,
}

enum Undo {
    Interval(Input, (i64, i64)),
    More(Cond),
}

/// The intervals of the path that was asked about last.
#[derive(Default)]
pub(crate) struct Ranges {
    path: Vec<Path<Cond>>,
    /// How long the trail was before each condition of the path.
    marks: Vec<usize>,
    trail: Vec<Undo>,
    inputs: Vec<Option<Known>>,
}

impl Ranges {
    /// Whether an arm is feasible, if the path is long and intervals decide that.
    pub(crate) fn decide(
        &mut self,
        exprs: &Exprs,
        path: &Path<Cond>,
        parent: &Assignment,
        arm: Cond,
    ) -> Option<Feasibility<Assignment>> {
        if path.depth() < LONG {
            return None;
        }
        let (input, (low, high)) = exprs.plain_bound(arm)?;
        self.sync(exprs, path);
        let known = *self.known(exprs, input);
        let (low, high) = (low.max(known.interval.0), high.min(known.interval.1));
        if low > high {
            return Some(Feasibility::Infeasible);
        }
        if known.more > 0 {
            return None;
        }
        let value = parent.integer(exprs, input).clamp(low, high);
        let mut model = parent.clone();
        let value = match exprs.kind(exprs.expr_of(input)) {
            Kind::I32 => Const::I32(i32::try_from(value).ok()?),
            Kind::I64 => Const::I64(value),
            _ => return None,
        };
        model.set(exprs, input, value);
        Some(Feasibility::Feasible(model))
    }

    fn known(&mut self, exprs: &Exprs, input: Input) -> &mut Known {
        if self.inputs.len() <= input.index() {
            self.inputs.resize(input.index() + 1, None);
        }
        let interval = exprs.interval(exprs.expr_of(input));
        self.inputs[input.index()].get_or_insert(Known { interval, more: 0 })
    }

    /// Goes over to another path: costs the part that it does not share with the last one.
    fn sync(&mut self, exprs: &Exprs, path: &Path<Cond>) {
        let mut rest = Vec::new();
        let shared = path.leaving(&self.path, &mut rest);
        self.path.truncate(shared);
        let mark = self.marks.get(shared).copied().unwrap_or(self.trail.len());
        self.marks.truncate(shared);
        while self.trail.len() > mark
            && let Some(undo) = self.trail.pop()
        {
            match undo {
                Undo::Interval(input, old) => self.known(exprs, input).interval = old,
                Undo::More(cond) => {
                    exprs.inputs_of(cond).iter().for_each(|input| self.known(exprs, *input).more -= 1);
                }
            }
        }
        for beginning in rest {
            let Some((condition, _)) = beginning.last() else { continue };
            self.marks.push(self.trail.len());
            self.path.push(beginning.clone());
            match exprs.plain_bound(condition) {
                Some((input, (low, high))) => {
                    let known = self.known(exprs, input);
                    let old = known.interval;
                    known.interval = (old.0.max(low), old.1.min(high));
                    self.trail.push(Undo::Interval(input, old));
                }
                None => {
                    exprs.inputs_of(condition).iter().for_each(|input| self.known(exprs, *input).more += 1);
                    self.trail.push(Undo::More(condition));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_explore::Random;
    use evergreen_symbolic::{Binary, Expr, InputKind, Ints, Rel};

    /// Random bounds of two inputs, of which one is related to the other now and then: what is decided is
    /// what trying all values of a small range says.
    #[test]
    fn intervals_decide_as_trying_all_values_does() {
        let mut random = Random::new(5);
        let mut decided = [0; 2];
        for _ in 0..60 {
            let mut exprs = Exprs::new(Ints::Wrapped);
            let inputs = ["x", "y"].map(|name| exprs.input(name, InputKind::Int, Some((-40, 40))));
            let mut ranges = Ranges::default();
            let mut path = Path::new();
            let relations = [Rel::Lt, Rel::Le, Rel::Gt, Rel::Ge, Rel::Eq, Rel::Ne];
            // Most bounds leave 0 and what is near it.
            let compared = |exprs: &mut Exprs, random: &mut Random, far: i32| {
                let by = exprs.constant(Const::I32(random.below(9) as i32 - 4));
                let left = exprs.binary(Binary::Add, inputs[random.below(2)], by);
                let amount = far + random.below(45 - far as usize) as i32;
                let right: Expr = match random.below(300) {
                    0 => inputs[random.below(2)],
                    other => exprs.constant(Const::I32(if other % 2 == 0 { amount } else { -amount })),
                };
                let relation = if random.below(300) == 0 { 4 + random.below(2) } else { random.below(4) };
                exprs.relate(relations[relation], left, right)
            };
            let model = Assignment::new();
            while path.depth() < LONG + 20 {
                let far = if path.depth() < LONG { 20 } else { 0 };
                let arm = compared(&mut exprs, &mut random, far);
                if path.depth() >= LONG
                    && let Some(said) = ranges.decide(&exprs, &path, &model, arm)
                {
                    let all = path.constraints();
                    let holds = |model: &Assignment| {
                        all.iter().chain([&arm]).all(|condition| exprs.holds(*condition, model))
                    };
                    let pairs = (-40..=40).flat_map(|x| (-40..=40).map(move |y| (x, y)));
                    let is_feasible = pairs.map(|(x, y)| assigned(&exprs, inputs, x, y)).any(|m| holds(&m));
                    match said {
                        Feasibility::Feasible(model) => assert!(holds(&model)),
                        Feasibility::Infeasible => assert!(!is_feasible),
                        Feasibility::Unknown => panic!("unknown"),
                    }
                    decided[usize::from(is_feasible)] += 1;
                }
                // The path goes on with what its model does, and now and then begins anew at its half.
                let taken = if exprs.holds(arm, &model) { arm } else { arm.negated() };
                path = path.with(taken);
                if random.below(200) == 0 {
                    while path.depth() > LONG / 2
                        && let Some((_, before)) = path.last()
                    {
                        path = before.clone();
                    }
                }
            }
        }
        assert!(decided.iter().all(|count| *count > 50), "{decided:?}");
    }

    fn assigned(exprs: &Exprs, inputs: [Expr; 2], x: i32, y: i32) -> Assignment {
        let mut model = Assignment::new();
        for (input, value) in inputs.into_iter().zip([x, y]) {
            model.set(exprs, exprs.as_input(input).expect("an input"), Const::I32(value));
        }
        model
    }
}
