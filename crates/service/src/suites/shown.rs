//! What the tests of a function show: the arms that their paths take, and how these end.

use crate::{Beyond, How, Language, PathEnd, Severity};
use evergreen_explore::Place;
use evergreen_suite::{Decision, Explored, Offered, Standing, Test, select};
use rustc_hash::FxHashMap;

/// The arm that stands for all from there on, where arms are numbers of elements.
const MANY: u32 = 2;

/// Something that a test can show.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Fact {
    /// The function is called at all.
    Called,
    /// An arm that inputs decide.
    Arm(Decision),
    /// An arm, as the machine records them.
    Branch(u64),
    /// A failure, as findings tell them apart.
    Failed(String, Option<Place>, Severity),
    /// A status of the process.
    Exited(i32),
}

/// A decision as a suite tells it from others. An array that is made or looked at decides its length or an
/// index, with an arm for each value: none of them is a branch of the program, so 0, 1 and more are enough.
fn coarse(decision: &Decision) -> Decision {
    let is_of_arrays = matches!(decision.kind, Some('a' | 'o'));
    let arm = if is_of_arrays { decision.arm.min(MANY) } else { decision.arm };
    Decision { arm, ..decision.clone() }
}

/// What the paths of a function show, in the order in which they were reached.
#[derive(Default)]
pub(super) struct Shown {
    numbers: FxHashMap<Fact, u32>,
    paths: Vec<Offered>,
}

impl Shown {
    /// The next path, and the test that keeps it.
    pub(super) fn add<L: Language>(&mut self, end: &PathEnd<L>, old: Option<&Test<L>>) {
        let mut facts = vec![Fact::Called];
        facts.extend(end.decisions.iter().map(coarse).map(Fact::Arm));
        facts.extend(end.beyond.branches().into_iter().map(Fact::Branch));
        match &end.how {
            How::Threw { class, place, severity, .. } => {
                facts.push(Fact::Failed(class.clone(), place.clone(), *severity));
            }
            How::Exited(status) => facts.push(Fact::Exited(*status)),
            _ => {}
        }
        let mut shows: Vec<u32> = facts.into_iter().map(|fact| self.number(fact)).collect();
        shows.sort_unstable();
        shows.dedup();
        let standing = match old {
            Some(test) if !test.comments.is_empty() => Standing::Wanted,
            Some(_) => Standing::Old,
            None => Standing::New,
        };
        self.paths.push(Offered { standing, shows });
    }

    fn number(&mut self, fact: Fact) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(fact).or_insert(next)
    }

    /// The paths that need no test, of those that can have one.
    pub(super) fn spare<L: Language>(self, explored: &Explored<L>, is_in: &[bool]) -> Vec<usize> {
        // In the order of the tree of paths, which does not depend on who explored.
        let mut order: Vec<usize> = (0..self.paths.len()).filter(|at| is_in[*at]).collect();
        order.sort_by(|a, b| explored.reached[*a].position.cmp(&explored.reached[*b].position));
        let offered: Vec<Offered> = order.iter().map(|at| self.paths[*at].clone()).collect();
        let chosen = select(&offered);
        order.into_iter().zip(chosen).filter(|(_, is_chosen)| !is_chosen).map(|(at, _)| at).collect()
    }
}
