//! Random scripts over every theory, cold and warm, in many dresses, under each configuration: z3's verdicts,
//! always.
//!
//! A shorter, deterministic version of the fuzz target `pipeline`. To look further: `EVERGREEN_ATTACKS=5000`
//! makes more scripts, `EVERGREEN_SEED=7` other ones.

use crate::common::duel::{Bare, PATIENCE, WITH_CORES, cores_hold, duel, tell};
use crate::common::{CONFIGURATIONS, memory, options};
use evergreen::{Rung, Session};
use evergreen_testing::attack::{Attack, Choices};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{name}: \"{v}\" is no number")))
}

#[test]
fn no_verdict_differs() {
    let (count, seed) = (number("EVERGREEN_ATTACKS", 100), number("EVERGREEN_SEED", 1));
    let mut bare = Bare::start();
    // Two sessions per configuration share a store: what one records, the other finds in a fresh arena.
    let stores: Vec<_> = CONFIGURATIONS.iter().map(|_| memory()).collect();
    let open = || -> Vec<(String, Session)> {
        let both = CONFIGURATIONS.iter().zip(&stores);
        both.map(|(&(name, canon, slice), store)| {
            let mut options = options(Some(store.clone()), canon, slice);
            options.solver.args = vec![PATIENCE.into()];
            (name.to_string(), Session::new(options))
        })
        .collect()
    };
    let (mut first, mut second) = (open(), open());
    // What the others recorded without cores, and what this one records with them.
    let mut with_cores: Vec<(String, Session)> =
        open().into_iter().take(1).chain(open().into_iter().take(2)).collect();
    for (_, session) in &mut with_cores {
        tell(session, WITH_CORES);
    }
    let mut reused = 0;
    for i in 0..count {
        let mut choices = Choices::seeded(seed.wrapping_mul(1_000_003).wrapping_add(i));
        let attack = Attack::new(&mut choices);
        for sessions in [&mut first, &mut second] {
            if let Err(difference) = duel(&attack, 2, &mut choices, &mut bare, sessions) {
                panic!("EVERGREEN_SEED={seed}, script {i}: {difference}");
            }
        }
        for (name, session) in &mut with_cores {
            if let Err(wrong) = cores_hold(&attack, session, &mut bare) {
                panic!("EVERGREEN_SEED={seed}, script {i}, {name}: {wrong}");
            }
        }
        reused = first.iter().chain(&second).map(|(_, s)| s.stats().engine.hits(Rung::Exact)).sum();
    }
    assert!(reused > count, "only {reused} answers were reused: nothing was tested");
}
