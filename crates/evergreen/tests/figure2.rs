//! Green's Figure 2, counted by the event log.

#[allow(dead_code)]
#[path = "../examples/figure2.rs"]
mod example;

use evergreen::store::{OpenOptions, open};
use evergreen::{CanonMode, Event, Rung};
use example::{Cost, explore};

fn solved(events: &[Event]) -> usize {
    events.iter().filter(|e| matches!(e, Event::Solved { .. })).count()
}

fn reused(events: &[Event]) -> usize {
    events.iter().filter(|e| matches!(e, Event::Reused { rung: Rung::Exact, .. })).count()
}

#[test]
fn greens_own_form_needs_the_papers_solver_calls() {
    evergreen_testing::tools::put_on_path();
    let store = open("memory:", &OpenOptions::default()).unwrap();
    let (cold, events) = explore(&store, CanonMode::Green, 9).unwrap();
    assert_eq!(cold, Cost { queries: 22, solved: 6, paths: 12 });
    assert_eq!((solved(&events), reused(&events)), (6, 16));
    let (warm, events) = explore(&store, CanonMode::Green, 9).unwrap();
    assert_eq!(warm, Cost { queries: 22, solved: 0, paths: 12 });
    assert_eq!((solved(&events), reused(&events)), (0, 22));
    let (changed, events) = explore(&store, CanonMode::Green, 10).unwrap();
    assert_eq!(changed, Cost { queries: 22, solved: 4, paths: 12 });
    assert_eq!((solved(&events), reused(&events)), (4, 18));
}

#[test]
fn our_form_needs_no_more() {
    evergreen_testing::tools::put_on_path();
    let store = open("memory:", &OpenOptions::default()).unwrap();
    let costs = [9, 9, 10].map(|limit| explore(&store, CanonMode::Full, limit).unwrap().0);
    let cost = |solved| Cost { queries: 22, solved, paths: 12 };
    assert_eq!(costs, [cost(6), cost(0), cost(4)]);
}
