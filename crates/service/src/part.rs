//! Parts of the exploration of a method: given away as data, resumed elsewhere, and explored branch by
//! branch.
//!
//! The text of a part is what it takes to resume it, line by line: the way to its root, which ends of the
//! range are there, the values of its model, and the old tests that lead there, each with its own values. No
//! value is trusted: the worker that resumes a part evaluates the conditions on the way under its models.
//!
//! ```text
//! way 3+ 0 1+
//! int * -5 x
//! seed 4
//! int * 7 x
//! ```

use crate::run::{ReadyEnd, Small};
use crate::{Exploration, Frontend, Language, Run};
use evergreen_explore::{Advance, Astray, Passenger, Share, Way};
use evergreen_symbolic::{Assignment, Exprs, Given};
use std::fmt;
use std::str::FromStr;

/// A part of the paths of a method, as data: the models by the names of inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part(pub Share<Vec<Given>>);

/// What a run came to.
pub(crate) enum Advanced<L: Language> {
    /// A path ended.
    Path(ReadyEnd<L>),
    /// Something ended that is no path: an assumption does not hold, or no valid input leads there.
    NoPath,
    /// Nothing yet.
    Open,
    /// Nothing is left, or a bound of the whole exploration is reached.
    Done,
}

/// Why a part cannot be resumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unresumed {
    /// Its way is none of this program's.
    Astray(Astray),
    /// Its model, or that of a test, does not take its way.
    Model,
}

impl fmt::Display for Unresumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unresumed::Astray(astray) => astray.fmt(f),
            Unresumed::Model => f.write_str("the values of the part do not take its path"),
        }
    }
}

impl std::error::Error for Unresumed {}

impl<F: Frontend> Run<'_, F> {
    /// Explores until the next path ends or the next branch is decided.
    pub(crate) fn advance(&mut self, small: Small) -> Advanced<F::Language> {
        let Exploration { front, oracle, .. } = &mut *self.exploration;
        let found = match self.explorer.advance(front.machine(), oracle) {
            Advance::Found(found) => found,
            Advance::Open => return Advanced::Open,
            Advance::Done => {
                front.count(&mut self.tally.machine);
                return Advanced::Done;
            }
        };
        // Without an answer that must be in the store the exploration cannot continue.
        if self.exploration.oracle.trouble().error.is_some() {
            return Advanced::Done;
        }
        let is_outcome = matches!(found.end, evergreen_explore::End::Outcome(_));
        match self.describe(*found, small) {
            Some(ready) => Advanced::Path(ready),
            None if is_outcome => Advanced::NoPath,
            None => Advanced::Open,
        }
    }

    /// How many states are open.
    pub fn open_states(&self) -> usize {
        self.explorer.open_states()
    }

    /// Gives the shallowest open subtree away, unless it is the only one: the last one in the order of paths.
    pub fn give(&mut self) -> Option<Part> {
        let share = self.explorer.give()?;
        Some(part(&self.exploration.exprs.borrow(), share))
    }

    /// The same, also if it is the only one.
    pub fn give_any(&mut self) -> Option<Part> {
        let share = self.explorer.give_any()?;
        Some(part(&self.exploration.exprs.borrow(), share))
    }

    /// Resumes a part that another exploration of the same method, inputs, tests and range gave away. The
    /// replay on the way there is not counted.
    pub fn resume(&mut self, part: &Part) -> Result<(), Unresumed> {
        let share = {
            let exprs = &mut *self.exploration.exprs.borrow_mut();
            let read = |values: Vec<Given>| Ok::<_, Unresumed>(exprs.assigned(&values));
            part.0.clone().try_map(read)?
        };
        let (model, seeds) = (share.model.clone(), share.seeds.clone());
        let Exploration { front, oracle, .. } = &mut *self.exploration;
        let mut counts = Default::default();
        front.count(&mut counts);
        let path = self.explorer.resume(front.machine(), oracle, share);
        front.restore_counts(&counts);
        let conditions = path.map_err(Unresumed::Astray)?.constraints();
        let holds = {
            let exprs = self.exploration.exprs.borrow();
            let holds = |model: &Assignment| conditions.iter().all(|&c| exprs.holds(c, model));
            holds(&model) && seeds.iter().all(|seed| holds(&seed.model))
        };
        if !holds {
            self.explorer.give_any();
            return Err(Unresumed::Model);
        }
        if let Some(seeding) = &self.seeding {
            seeds.iter().for_each(|seed| seeding.remember(seed.number, &seed.model));
        }
        Ok(())
    }
}

fn part(exprs: &Exprs, share: Share<Assignment>) -> Part {
    let Share { way, model, seeds, edges } = share;
    let passenger = |Passenger { number, model, strayed }: Passenger<Assignment>| Passenger {
        number,
        model: exprs.given(&model),
        strayed,
    };
    Part(Share { way, model: exprs.given(&model), seeds: seeds.into_iter().map(passenger).collect(), edges })
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Share { way, model, seeds, edges } = &self.0;
        writeln!(f, "way {way}")?;
        for (is_on, name) in [(edges.0, "low"), (edges.1, "high")] {
            if is_on {
                writeln!(f, "edge {name}")?;
            }
        }
        model.iter().try_for_each(|given| writeln!(f, "{given}"))?;
        for seed in seeds {
            writeln!(f, "seed {}{}", seed.number, if seed.strayed { " strayed" } else { "" })?;
            seed.model.iter().try_for_each(|given| writeln!(f, "{given}"))?;
        }
        Ok(())
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let mut lines = text.lines();
        let way =
            lines.next().and_then(|line| line.strip_prefix("way ")).ok_or("a part begins with its way")?;
        let mut share: Share<Vec<Given>> = Share { way: way.parse::<Way>()?, ..Share::whole(Vec::new()) };
        for line in lines {
            match line.split_once(' ') {
                Some(("edge", "low")) => share.edges.0 = true,
                Some(("edge", "high")) => share.edges.1 = true,
                Some(("seed", words)) => {
                    let (number, strayed) =
                        words.strip_suffix(" strayed").map_or((words, false), |number| (number, true));
                    let number = number.parse().map_err(|_| format!("\"{line}\" is no seed of a part"))?;
                    share.seeds.push(Passenger { number, model: Vec::new(), strayed });
                }
                _ => {
                    let model = share.seeds.last_mut().map_or(&mut share.model, |seed| &mut seed.model);
                    model.push(line.parse()?);
                }
            }
        }
        Ok(Part(share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_a_text() {
        let texts = [
            "way \n",
            "way 3+ 0 1+\nedge high\nint * -5 x\nseed 4\nint * 7 x\nseed 6 strayed\nlong 0..9 3 n\n",
        ];
        for text in texts {
            let part: Part = text.parse().expect("its own text");
            assert_eq!(part.to_string(), text);
        }
        for wrong in ["", "int * 1 x", "way x", "way 1\nedge up", "way 1\nseed x", "way 1\nfoo"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
