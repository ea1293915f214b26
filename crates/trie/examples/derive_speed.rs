//! The cost of an unsuccessful search for a refutation by several cores: `cargo run --release -p
//! evergreen-trie --example derive_speed`.
//!
//! Cores as paths of programs have them: bounds of inputs, which are in every query, and a
//! few conditions out of many.

use evergreen_structures::Random;
use evergreen_trie::{Atom, Budget, Index, LTrie, PrefixKey};
use std::time::Instant;

/// Inputs with bounds.
const INPUTS: u64 = 6;
const QUERIES: u64 = 2_000;

fn key(number: u64) -> PrefixKey {
    let mut random = Random::new(number);
    PrefixKey((u128::from(random.next()) << 64) | u128::from(random.next()))
}

/// Bounds of inputs, and `count` conditions of those from `first` on.
fn set(random: &mut Random, inputs: u64, count: u64, first: u64, conditions: u64) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = (0..inputs).map(|input| Atom::ge(key(input), 0)).collect();
    atoms.extend((0..inputs).map(|input| Atom::le(key(input), 9)));
    for _ in 0..count {
        let prefix = key(INPUTS + first + random.next() % conditions);
        let constant = (random.next() % 3) as i64;
        atoms.push(match random.next() % 4 {
            0 => Atom::le(prefix, constant),
            1 => Atom::ge(prefix, constant),
            2 => Atom::eq(prefix, constant),
            _ => Atom::ne(prefix, constant),
        });
    }
    atoms.sort_unstable();
    atoms.dedup_by_key(|atom| atom.prefix.0 ^ atom.op as u128);
    atoms
}

fn main() {
    println!("{:>9} {:>9} {:>9} {:>9} {:>9}", "cores", "refuted", "steps", "µs", "find, µs");
    for cores in [100u64, 1_000, 10_000, 100_000] {
        let mut random = Random::new(cores);
        let mut trie = LTrie::new();
        // As many conditions as a program of that size has: a core has neighbours, but not thousands.
        let conditions = (cores / 3).max(20);
        for _ in 0..cores {
            let near = random.next() % conditions;
            let core = set(&mut random, 2, 4, near, 12);
            trie.insert_unsat(&core, [].as_slice().into());
        }
        let near: Vec<u64> = (0..QUERIES).map(|_| random.next() % conditions).collect();
        let queries: Vec<Vec<Atom>> =
            near.iter().map(|&near| set(&mut random, INPUTS, 6, near, 12)).collect();
        let start = Instant::now();
        let found = queries.iter().filter(|query| trie.find_unsat(query, Budget::default()).hit.is_some());
        let _ = found.count();
        let find = start.elapsed();
        let start = Instant::now();
        let (mut refuted, mut steps) = (0, 0);
        for query in &queries {
            let said = trie.refute(query, Budget(512));
            refuted += u64::from(said.used.is_some());
            steps += u64::from(said.steps);
        }
        let each = |time: std::time::Duration| time.as_nanos() as f64 / 1e3 / QUERIES as f64;
        let refute = each(start.elapsed());
        let steps = steps as f64 / QUERIES as f64;
        println!("{cores:>9} {refuted:>9} {steps:>9.1} {refute:>9.2} {:>9.2}", each(find));
    }
}
