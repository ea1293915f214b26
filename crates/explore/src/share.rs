//! A part of an exploration as data: an explorer on another thread or machine resumes it.
//!
//! An open state is the root of an unexplored subtree. To reach it again, an explorer needs the arm that the
//! path took at each branch and the steps at which its condition grew; the machine retraces the path without
//! a question. States themselves cannot be handed over: they share memory with all other states of their
//! explorer. Replaying costs the instructions of one path, so an explorer gives away the *shallowest* open
//! state: it is the cheapest to reach and has the largest subtree. Depth first it is also the last in the
//! order of paths. So the paths that an explorer keeps come before all that it gave away, and a later share
//! comes before an earlier one.
//!
//! The text form of a way is a line: `3+ 0 1+` went the fourth way, and the condition grew; then the first,
//! where it did not; then the second, where it did. `2~` is sampled: the condition grew by the values of the
//! inputs that the branch depends on. A way has no values; they are those of its model, since the model of a
//! path has the values that the path has fixed.

use crate::{Arm, Machine, Path, Pause, Step, Trail};
use std::fmt;
use std::str::FromStr;

/// Instructions between two checks that the retrace is still on its path.
const STRETCH: u64 = 1 << 20;

/// One step of a way: which of the offered ways, and whether the path condition grew by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// Which way among those that the machine offers there, in its order.
    pub at: u32,
    /// Whether the condition grew.
    pub grew: bool,
    /// Whether it grew by values of inputs: see [`crate::Sampling`].
    pub sampled: bool,
}

/// The way to an open state.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Way(pub Vec<Turn>);

impl Way {
    /// Where it leads in the tree of all paths.
    pub fn position(&self) -> Vec<u32> {
        self.0.iter().map(|turn| turn.at).collect()
    }
}

impl From<&Trail> for Way {
    fn from(trail: &Trail) -> Way {
        let turn = |step: &Step| Turn { at: step.at, grew: step.grew, sampled: step.sampled };
        Way(trail.constraints().iter().map(turn).collect())
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, turn) in self.0.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            let grew = match (turn.sampled, turn.grew) {
                (true, _) => "~",
                (false, true) => "+",
                (false, false) => "",
            };
            write!(f, "{space}{}{grew}", turn.at)?;
        }
        Ok(())
    }
}

impl FromStr for Way {
    type Err = String;

    fn from_str(text: &str) -> Result<Way, String> {
        let turn = |word: &str| {
            let number = word.strip_suffix(['+', '~']).unwrap_or(word);
            let (grew, sampled) = (number != word, word.ends_with('~'));
            // Only what Display writes: one way has one text.
            let canonical = number == "0" || number.starts_with(|first: char| ('1'..='9').contains(&first));
            let at = number.parse().ok().filter(|_| canonical);
            at.map(|at| Turn { at, grew, sampled }).ok_or_else(|| format!("\"{word}\" is no turn of a path"))
        };
        if text.is_empty() {
            return Ok(Way::default());
        }
        text.split(' ').map(turn).collect::<Result<_, _>>().map(Way)
    }
}

/// An open state, as data: a subtree of the paths and a model of the path to its root.
///
/// Seeds have the numbers, and the range has the ends, of the exploration that gave it; the explorer that
/// resumes it must have the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share<Model> {
    /// The way to its root.
    pub way: Way,
    /// Inputs that go there.
    pub model: Model,
    /// Seeds that go there.
    pub seeds: Vec<Passenger<Model>>,
    /// Whether its root is on the path of the range's lower end, and of its upper end.
    pub edges: (bool, bool),
}

/// A seed on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passenger<Model> {
    /// Its number.
    pub number: usize,
    /// Its values.
    pub model: Model,
    /// Whether it has left the path that it took on the older version.
    pub strayed: bool,
}

impl<Model> Share<Model> {
    /// The whole tree of a program without seeds, given a model of its start.
    pub fn whole(model: Model) -> Share<Model> {
        Share { way: Way::default(), model, seeds: Vec::new(), edges: (false, false) }
    }

    /// The same with its models written in another way.
    pub fn try_map<Other, E>(
        self,
        mut model: impl FnMut(Model) -> Result<Other, E>,
    ) -> Result<Share<Other>, E> {
        let mut seeds = Vec::with_capacity(self.seeds.len());
        for Passenger { number, model: values, strayed } in self.seeds {
            seeds.push(Passenger { number, model: model(values)?, strayed });
        }
        Ok(Share { way: self.way, model: model(self.model)?, seeds, edges: self.edges })
    }
}

/// Why a share cannot be resumed: it is not one of this program and these bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Astray {
    /// How many turns could be taken.
    pub turns: usize,
    /// The reason why the next step is wrong.
    pub why: String,
}

impl fmt::Display for Astray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the way ends after {} turns: {}", self.turns, self.why)
    }
}

impl std::error::Error for Astray {}

/// A state at the end of a way.
pub struct Reached<M: Machine> {
    /// The state, before it runs on.
    pub state: M::State,
    /// Its conditions.
    pub path: Path<M::Constraint>,
    /// The arms that it took.
    pub trail: Trail,
}

/// Retraces a way from a start, without a question to the oracle; the way is trusted only
/// for which arms are taken.
///
/// The conditions that hold at the start are `path`; a way of more than `steps` instructions is refused.
/// `fix` makes the conditions that fix the inputs on which the arms of a sampled turn depend.
pub fn follow<M: Machine>(
    machine: &mut M,
    mut state: M::State,
    mut path: Path<M::Constraint>,
    way: &Way,
    steps: Option<u64>,
    mut fix: impl FnMut(&[M::Constraint]) -> Option<Vec<M::Constraint>>,
) -> Result<Reached<M>, Astray> {
    let mut trail = Trail::new();
    let mut arms: Vec<Arm<M::Constraint>> = Vec::new();
    for (turns, turn) in way.0.iter().enumerate() {
        let astray = |why: String| Astray { turns, why };
        let pause = loop {
            arms.clear();
            match machine.run(&mut state, STRETCH, &mut arms) {
                Pause::OutOfSteps if steps.is_none_or(|most| machine.steps(&state) < most) => {}
                pause => break pause,
            }
        };
        match pause {
            Pause::Branch | Pause::Choice => {}
            Pause::Ended(outcome) => {
                let blocked = if turn.sampled { machine.blocked(&state, &outcome) } else { None };
                let Some(arm) = blocked else { return Err(astray("the path is over".into())) };
                let Some(fixed) = fix(&[arm.constraint]) else {
                    return Err(astray("its inputs cannot be fixed".into()));
                };
                machine.fix(&mut state, &fixed);
                path = fixed.into_iter().fold(path, |path, condition| path.with(condition));
                let (times, Turn { at, grew, sampled }) = (trail.times(arm.site) + 1, *turn);
                trail = trail.with(Step { site: arm.site, index: arm.index, times, at, grew, sampled });
                continue;
            }
            Pause::OutOfSteps | Pause::Met => return Err(astray("it takes too many instructions".into())),
        }
        let Some(&Arm { constraint, site, index }) = arms.get(turn.at as usize) else {
            return Err(astray(format!("way {} of {}", turn.at, arms.len())));
        };
        if turn.grew && matches!(pause, Pause::Choice) {
            return Err(astray("a condition at a free choice".into()));
        }
        machine.take(&mut state, turn.at as usize);
        if turn.sampled {
            let all: Vec<M::Constraint> = arms.iter().map(|arm| arm.constraint).collect();
            let Some(fixed) = fix(&all) else { return Err(astray("its inputs cannot be fixed".into())) };
            path = fixed.into_iter().fold(path, |path, condition| path.with(condition));
        } else if turn.grew {
            path = path.with(constraint);
        }
        let times = trail.times(site) + 1;
        let Turn { at, grew, sampled } = *turn;
        trail = trail.with(Step { site, index, times, at, grew, sampled });
    }
    Ok(Reached { state, path, trail })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_has_one_text() {
        let turn = |at, grew, sampled| Turn { at, grew, sampled };
        let way = Way(vec![turn(3, true, false), turn(0, false, false), turn(12, true, true)]);
        assert_eq!(way.to_string(), "3+ 0 12~");
        assert_eq!("3+ 0 12~".parse(), Ok(way));
        assert_eq!("".parse(), Ok(Way::default()));
        for wrong in
            ["+", "~", "1+~", "1~~", "1++", "01", "-1", " 1", "1  2", "1 ", "4294967296", "1+2", "+1"]
        {
            assert!(wrong.parse::<Way>().is_err(), "{wrong}");
        }
    }
}
