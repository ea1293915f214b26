//! Where the ways from a node of a flow graph meet again.

use std::collections::HashMap;

/// Where all ways from a node to an exit meet next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// At this node.
    Node(u32),
    /// Only behind the exits.
    Exit,
    /// No way leads to an exit.
    Never,
}

/// For each node of a flow graph the nearest other node that all its ways to an exit pass: its immediate
/// postdominator. Ways that lead to no exit do not count.
///
/// Two passes over the graph in most cases [Cooper, Harvey, Kennedy, 2001].
///
/// ```
/// use evergreen_structures::{Meeting, meetings};
///
/// // 0 branches to 1 and 2, which both lead to 3; 1 may also end in 4, where nothing goes on.
/// let ways = [vec![1, 2], vec![3, 4], vec![3], vec![], vec![]];
/// let met = meetings(&ways, &[3]);
/// assert_eq!(met[..4], [Meeting::Node(3), Meeting::Node(3), Meeting::Node(3), Meeting::Exit]);
/// assert_eq!(met[4], Meeting::Never);
/// ```
pub fn meetings(successors: &[Vec<u32>], exits: &[u32]) -> Vec<Meeting> {
    let exit = successors.len();
    let mut before = vec![Vec::new(); exit + 1];
    for (node, next) in successors.iter().enumerate() {
        next.iter().for_each(|next| before[*next as usize].push(node));
    }
    exits.iter().for_each(|node| before[exit].push(*node as usize));
    let order = backwards(&before, exit);
    // A node's place in the order: larger is nearer to the exit.
    let mut place = vec![usize::MAX; exit + 1];
    order.iter().enumerate().for_each(|(at, node)| place[*node] = at);
    let mut is_exit = vec![false; exit];
    exits.iter().for_each(|node| is_exit[*node as usize] = true);
    let mut next = vec![usize::MAX; exit + 1];
    next[exit] = exit;
    loop {
        let mut changed = false;
        for &node in order.iter().rev().filter(|node| **node != exit) {
            let ways = successors[node].iter().map(|next| *next as usize);
            let known = ways.chain(is_exit[node].then_some(exit)).filter(|way| next[*way] != usize::MAX);
            let meeting = known.reduce(|a, b| common(&next, &place, a, b));
            if let Some(meeting) = meeting
                && next[node] != meeting
            {
                next[node] = meeting;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let meeting = |node: usize| match next[node] {
        usize::MAX => Meeting::Never,
        next if next == exit => Meeting::Exit,
        next => Meeting::Node(next as u32),
    };
    (0..exit).map(meeting).collect()
}

/// The regions of a flow graph: what lies between a branch and the place where its ways meet.
pub struct Regions {
    successors: Vec<Vec<u32>>,
    meetings: Vec<Meeting>,
    /// The ends that were asked for.
    ends: HashMap<u32, Option<Meeting>>,
}

impl Regions {
    /// Of the graph with these successors of each node, and these exits.
    pub fn new(successors: Vec<Vec<u32>>, exits: &[u32]) -> Regions {
        let meetings = meetings(&successors, exits);
        Regions { successors, meetings, ends: HashMap::new() }
    }

    /// The nodes that follow a node.
    pub fn successors(&self, node: u32) -> &[u32] {
        &self.successors[node as usize]
    }

    /// Where the ways from a branch meet, unless the branch is on one of them: a loop that may go round.
    pub fn end(&mut self, branch: u32) -> Option<Meeting> {
        if let Some(known) = self.ends.get(&branch) {
            return *known;
        }
        let meeting = self.meetings[branch as usize];
        let end = (meeting != Meeting::Never && !self.goes_round(branch, meeting)).then_some(meeting);
        self.ends.insert(branch, end);
        end
    }

    fn goes_round(&self, branch: u32, end: Meeting) -> bool {
        let mut seen = vec![false; self.successors.len()];
        let mut open = self.successors(branch).to_vec();
        while let Some(node) = open.pop() {
            if node == branch {
                return true;
            }
            if Meeting::Node(node) == end || std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            open.extend(self.successors(node));
        }
        false
    }
}

/// The nodes from which the exit can be reached, each behind all that it was found from: the exit is last.
fn backwards(before: &[Vec<usize>], exit: usize) -> Vec<usize> {
    let mut seen = vec![false; before.len()];
    let mut order = Vec::new();
    let mut open = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((node, at)) = open.last_mut() {
        match before[*node].get(*at) {
            Some(&next) => {
                *at += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    open.push((next, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order
}

/// The nearest node that both lead to.
fn common(next: &[usize], place: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while place[a] < place[b] {
            a = next[a];
        }
        while place[b] < place[a] {
            b = next[b];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// All nodes other than `node` that every way from it to an exit passes, by removing each in turn.
    fn passed(successors: &[Vec<u32>], exits: &[u32], node: usize) -> Option<Vec<usize>> {
        let reaches = |without: Option<usize>| {
            let mut seen = vec![false; successors.len()];
            let mut open = vec![node];
            while let Some(at) = open.pop() {
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                if exits.contains(&(at as u32)) {
                    return true;
                }
                open.extend(successors[at].iter().map(|n| *n as usize).filter(|n| Some(*n) != without));
            }
            false
        };
        let others = (0..successors.len()).filter(|other| *other != node);
        reaches(None).then(|| others.filter(|other| !reaches(Some(*other))).collect())
    }

    #[test]
    fn a_loop_has_no_region() {
        // 0 branches to 1 and 2, both lead to 3; 3 goes back to 0 or on to 4.
        let mut regions = Regions::new(vec![vec![1, 2], vec![3], vec![3], vec![0, 4], vec![]], &[4]);
        assert_eq!(regions.end(0), Some(Meeting::Node(3)));
        assert_eq!(regions.end(3), None, "one of its ways leads back to it");
        assert_eq!(regions.end(4), Some(Meeting::Exit));
    }

    #[test]
    fn meetings_are_on_every_way() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let count = 1 + random.below(12);
            let successors: Vec<Vec<u32>> = (0..count)
                .map(|_| (0..random.below(3)).map(|_| random.below(count) as u32).collect())
                .collect();
            let exits: Vec<u32> = (0..count as u32).filter(|_| random.below(4) == 0).collect();
            let found = meetings(&successors, &exits);
            for (node, meeting) in found.iter().enumerate() {
                let expected = match passed(&successors, &exits, node) {
                    None => Meeting::Never,
                    // The nearest one is passed by all others that are passed.
                    Some(all) => all
                        .iter()
                        .find(|one| {
                            let behind = passed(&successors, &exits, **one).unwrap_or_default();
                            all.iter().all(|other| other == *one || behind.contains(other))
                        })
                        .map_or(Meeting::Exit, |one| Meeting::Node(*one as u32)),
                };
                assert_eq!(*meeting, expected, "node {node} of {successors:?}, exits {exits:?}");
            }
        }
    }
}
