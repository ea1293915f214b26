//! Green's running example [Visser FSE'12, Figure 2]: 22 path queries, 6 solver calls; 0 the second time; 4
//! after a change.
//!
//! ```text
//! int m(int x, int y) {
//!     if (x < 0) x = -x;
//!     if (y < 0) y = -y;
//!     if (x < 10) return 1; else if (9 < y) return -1; else return 0;   // changed later: 10 < y
//! }
//! ```
//!
//! Run it with `cargo run --release -p evergreen-smt --example figure2 [green|full]`.

#![allow(unreachable_pub, reason = "a test has this file as a module")]

use evergreen::store::{OpenOptions, Store, open};
use evergreen::{CanonMode, Error, Event, Evergreen, Fun, Question, Reuse, SortId, TermId, Verdict};
use std::sync::Arc;

/// What exploring the program cost.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Path queries.
    pub queries: u64,
    /// Of these, solver calls.
    pub solved: u64,
    /// Paths found.
    pub paths: u64,
}

/// Explores the program over a store; `limit` is the 9 of `9 < y`.
pub fn explore(store: &Arc<dyn Store>, canon: CanonMode, limit: i64) -> Result<(Cost, Vec<Event>), Error> {
    let builder = Evergreen::builder().with_store(store.clone()).canon(canon);
    let mut e = builder.reuse(Reuse::Exact).native(false).log_events().build()?;
    let (x, y) = (e.constant("x", SortId::INT), e.constant("y", SortId::INT));
    let zero = e.terms().int(0);
    let mut cost = Cost::default();
    let x_negative = e.app(Fun::Lt, &[x, zero])?;
    for (x_path, x_now) in arms(&mut e, &mut cost, x_negative, x)? {
        e.push(x_path)?;
        let y_negative = e.app(Fun::Lt, &[y, zero])?;
        for (y_path, y_now) in arms(&mut e, &mut cost, y_negative, y)? {
            e.push(y_path)?;
            let ten = e.terms().int(10);
            let small = e.app(Fun::Lt, &[x_now, ten])?;
            let not_small = e.app(Fun::Not, &[small])?;
            if feasible(&mut e, &mut cost, small)? {
                cost.paths += 1;
            }
            if feasible(&mut e, &mut cost, not_small)? {
                e.push(not_small)?;
                let limit = e.terms().int(limit);
                let large = e.app(Fun::Lt, &[limit, y_now])?;
                let not_large = e.app(Fun::Not, &[large])?;
                for arm in [large, not_large] {
                    cost.paths += u64::from(feasible(&mut e, &mut cost, arm)?);
                }
                e.pop();
            }
            e.pop();
        }
        e.pop();
    }
    cost.solved = e.stats().solved;
    Ok((cost, e.take_events()))
}

/// Both arms of `if (v < 0) v = -v;` with what `v` is then.
fn arms(
    e: &mut Evergreen,
    cost: &mut Cost,
    negative: TermId,
    v: TermId,
) -> Result<Vec<(TermId, TermId)>, Error> {
    let (not_negative, negated) = (e.app(Fun::Not, &[negative])?, e.app(Fun::Neg, &[v])?);
    let mut found = Vec::new();
    for arm in [(negative, negated), (not_negative, v)] {
        if feasible(e, cost, arm.0)? {
            found.push(arm);
        }
    }
    Ok(found)
}

fn feasible(e: &mut Evergreen, cost: &mut Cost, arm: TermId) -> Result<bool, Error> {
    cost.queries += 1;
    Ok(e.branch(arm, Question::Sat)?.verdict == Verdict::Sat)
}

fn main() -> Result<(), Error> {
    let canon = match std::env::args().nth(1).as_deref() {
        None | Some("green") => CanonMode::Green,
        _ => CanonMode::Full,
    };
    let store = open("memory:", &OpenOptions::default())?;
    for (what, limit) in [("cold", 9), ("again", 9), ("after 9 < y became 10 < y", 10)] {
        let (cost, events) = explore(&store, canon, limit)?;
        println!("{what}: {} paths, {} queries, {} solver calls", cost.paths, cost.queries, cost.solved);
        for event in events.iter().filter(|e| matches!(e, Event::Solved { .. })) {
            println!("  {event:?}");
        }
    }
    Ok(())
}
