//! Scripts that the fuzzer chooses, answered by z3 and by sessions that share a store: no verdict may differ,
//! and every value that is given out must satisfy the script.
//!
//! Sessions live for many inputs, as names that are declared and popped again are part of the attack; so an
//! input alone may not repeat a finding, and the panic's message carries the whole script.
#![no_main]

#[path = "../../crates/evergreen/tests/common/mod.rs"]
mod common;

use common::duel::{Bare, PATIENCE, WITH_CORES, cores_hold, duel, tell};
use common::{CONFIGURATIONS, memory, options};
use evergreen::Session;
use evergreen::store::Store;
use evergreen_testing::attack::{Attack, Choices};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::sync::Arc;

struct Arena {
    bare: Bare,
    stores: Vec<Arc<dyn Store>>,
    sessions: Vec<(String, Session)>,
    with_cores: Vec<(String, Session)>,
    inputs: usize,
}

impl Arena {
    fn new() -> Arena {
        let stores: Vec<Arc<dyn Store>> = CONFIGURATIONS.iter().map(|_| memory()).collect();
        let (sessions, with_cores) = (Vec::new(), Vec::new());
        let mut arena = Arena { bare: Bare::start(), stores, sessions, with_cores, inputs: 0 };
        arena.renew();
        arena
    }

    /// Fresh sessions on the old stores.
    fn renew(&mut self) {
        self.sessions = self.open();
        self.with_cores = self.open();
        for (_, session) in &mut self.with_cores {
            tell(session, WITH_CORES);
        }
        self.bare = Bare::start();
    }

    fn open(&self) -> Vec<(String, Session)> {
        let both = CONFIGURATIONS.iter().zip(&self.stores);
        both.map(|(&(name, canon, slice), store)| {
            let mut options = options(Some(store.clone()), canon, slice);
            options.solver.args = vec![PATIENCE.into()];
            (name.to_string(), Session::new(options))
        })
        .collect()
    }
}

thread_local! {
    static ARENA: RefCell<Option<Arena>> = const { RefCell::new(None) };
}

fuzz_target!(|data: &[u8]| {
    ARENA.with_borrow_mut(|arena| {
        let arena = arena.get_or_insert_with(Arena::new);
        arena.inputs += 1;
        if arena.inputs.is_multiple_of(200) {
            arena.renew();
        }
        let mut choices = Choices::Bytes(data);
        let attack = Attack::new(&mut choices);
        if let Err(difference) = duel(&attack, 1, &mut choices, &mut arena.bare, &mut arena.sessions) {
            panic!("{difference}");
        }
        for (name, session) in &mut arena.with_cores {
            if let Err(wrong) = cores_hold(&attack, session, &mut arena.bare) {
                panic!("{name}: {wrong}");
            }
        }
    });
});
