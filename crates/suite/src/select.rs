//! Which tests a small suite has: as few as possible that together show everything that all tests show.
//!
//! What a test shows are numbers: outcomes of branches, failures, statuses. The smallest such set is a set
//! cover, which is hard; the greedy choice is at most a logarithm larger [Chvatal MOR'79]. Tests that are
//! there stay as long as they add something, so a suite changes little from one version to the next. In the
//! end no test is left whose numbers all have another test: without that, the next update would find some to
//! remove, although nothing changed. Cost: each test is looked at once for each time that it comes first in
//! the queue, which for suites is a few times.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Why a test is offered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// Its path has no test yet.
    New,
    /// It is in the suite.
    Old,
    /// It has a comment: it stays.
    Wanted,
}

/// A test, as far as its choice is concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offered {
    /// Why it is offered.
    pub standing: Standing,
    /// What it shows, each number once.
    pub shows: Vec<u32>,
}

/// Which of the tests are chosen. Of tests that add equally much the first is.
pub fn select(offered: &[Offered]) -> Vec<bool> {
    let numbers = offered.iter().flat_map(|one| &one.shows).max().map_or(0, |most| *most as usize + 1);
    let mut choice = Choice { offered, chosen: vec![false; offered.len()], times: vec![0; numbers] };
    for at in (0..offered.len()).filter(|at| offered[*at].standing == Standing::Wanted) {
        choice.put(at);
    }
    // New tests show what is then missing.
    choice.fill(Standing::Old);
    choice.fill(Standing::New);
    choice.thin(Standing::New);
    choice.thin(Standing::Old);
    choice.chosen
}

struct Choice<'o> {
    offered: &'o [Offered],
    chosen: Vec<bool>,
    /// How many of the chosen tests show each number.
    times: Vec<u32>,
}

impl Choice<'_> {
    fn put(&mut self, at: usize) {
        self.chosen[at] = true;
        self.offered[at].shows.iter().for_each(|number| self.times[*number as usize] += 1);
    }

    /// What a test would add.
    fn gain(&self, at: usize) -> usize {
        self.offered[at].shows.iter().filter(|number| self.times[**number as usize] == 0).count()
    }

    /// Adds the test that adds most until all is shown that such tests show. What a test adds only becomes
    /// less, so the first of the queue is the best one if its number is still right.
    fn fill(&mut self, standing: Standing) {
        let open = (0..self.offered.len()).filter(|at| self.offered[*at].standing == standing);
        let mut queue: BinaryHeap<(usize, Reverse<usize>)> =
            open.map(|at| (self.gain(at), Reverse(at))).collect();
        while let Some((known, Reverse(at))) = queue.pop() {
            match self.gain(at) {
                0 => {}
                gain if gain == known => self.put(at),
                gain => queue.push((gain, Reverse(at))),
            }
        }
    }

    /// Takes tests out that show nothing alone, the last first.
    fn thin(&mut self, standing: Standing) {
        for at in (0..self.offered.len()).rev() {
            let one = &self.offered[at];
            let is_spare = one.shows.iter().all(|number| self.times[*number as usize] > 1);
            if self.chosen[at] && one.standing == standing && is_spare {
                self.chosen[at] = false;
                one.shows.iter().for_each(|number| self.times[*number as usize] -= 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(offered: &[(Standing, &[u32])]) -> Vec<usize> {
        let offered: Vec<Offered> = offered
            .iter()
            .map(|(standing, shows)| Offered { standing: *standing, shows: shows.to_vec() })
            .collect();
        let chosen = select(&offered);
        (0..chosen.len()).filter(|at| chosen[*at]).collect()
    }

    #[test]
    fn few_tests_show_all() {
        use Standing::New;
        assert_eq!(chosen(&[(New, &[0]), (New, &[0, 1, 2]), (New, &[2, 3]), (New, &[3])]), [1, 2]);
        assert_eq!(chosen(&[(New, &[0, 1]), (New, &[0, 1])]), [0], "the first of equals");
        assert_eq!(chosen(&[]), [0; 0]);
        // Greedy takes the middle one first, and does not need it in the end.
        assert_eq!(chosen(&[(New, &[0, 1, 4]), (New, &[1, 2, 4, 5]), (New, &[2, 3, 5])]), [0, 2]);
    }

    #[test]
    fn tests_that_are_there_stay_while_they_add_something() {
        use Standing::{New, Old, Wanted};
        // A new one alone would do.
        assert_eq!(chosen(&[(Old, &[0, 1]), (Old, &[1, 2]), (New, &[0, 1, 2])]), [0, 1]);
        // What they lack is added, and what is spare then goes.
        assert_eq!(chosen(&[(Old, &[0, 1]), (Old, &[1, 2]), (New, &[0, 1, 2, 3])]), [2]);
        assert_eq!(chosen(&[(Old, &[0]), (Old, &[0]), (Wanted, &[0]), (Wanted, &[0])]), [2, 3]);
    }

    #[test]
    fn what_was_chosen_is_chosen_again() {
        let mut random = 7_u64;
        let mut next = |most: u64| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) % most
        };
        for _ in 0..300 {
            let mut offered: Vec<Offered> = (0..next(30))
                .map(|_| {
                    let mut shows: Vec<u32> = (0..1 + next(6)).map(|_| next(20) as u32).collect();
                    shows.sort_unstable();
                    shows.dedup();
                    let standing = if next(4) == 0 { Standing::Old } else { Standing::New };
                    Offered { standing, shows }
                })
                .collect();
            let first = select(&offered);
            for (one, chosen) in offered.iter_mut().zip(&first) {
                one.standing = if *chosen { Standing::Old } else { Standing::New };
            }
            assert_eq!(select(&offered), first);
            let shown = |all: &mut dyn Iterator<Item = &Offered>| {
                all.flat_map(|one| one.shows.clone()).collect::<std::collections::BTreeSet<u32>>()
            };
            let kept = &mut offered.iter().filter(|one| one.standing == Standing::Old);
            assert_eq!(shown(kept), shown(&mut offered.iter()));
        }
    }
}
