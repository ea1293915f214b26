//! Prints nanoseconds per stage on path-shaped linear queries, and on a highly symmetric one.

use evergreen_canon::{Canonizer, Mode, Path};
use evergreen_term::{Fun, SortId, TermId, Terms};
use evergreen_testing::random::Random;
use std::time::Instant;

fn main() {
    let mut random = Random::new(7);
    let mut terms = Terms::new();
    let mut queries: Vec<(Vec<TermId>, TermId)> = Vec::new();
    for q in 0..2000 {
        let vars: Vec<TermId> =
            (0..4).map(|i| terms.constant(&format!("q{}v{i}", q % 50), SortId::INT)).collect();
        let n = 2 + random.below(9);
        let mut path: Vec<TermId> = (0..n)
            .map(|_| {
                let (a, b) = (*random.choose(&vars), *random.choose(&vars));
                let c = random.between(-20, 20);
                let c = terms.int(c);
                let left = terms.app(Fun::Add, &[a, c]).unwrap();
                let fun = *random.choose(&[Fun::Le, Fun::Lt, Fun::Eq, Fun::Ge]);
                terms.app(fun, &[left, b]).unwrap()
            })
            .collect();
        let focus = path.pop().unwrap();
        queries.push((path, focus));
    }
    let mut canonizer = Canonizer::new(Mode::Full);
    for round in 0..3 {
        let start = Instant::now();
        for (path, _) in &queries {
            let mut p = Path::new();
            for &c in path {
                canonizer.extend(&terms, &mut p, c);
            }
        }
        let extend = start.elapsed();
        let start = Instant::now();
        let mut n = 0;
        for (path, focus) in &queries {
            n += canonizer.canonize(&terms, &[&path[..], &[*focus]].concat()).form.len();
        }
        let canonize = start.elapsed();
        println!(
            "round {round}: extend {:?}/query, canonize+key {:?}/query, form {} bytes",
            extend / 2000,
            canonize / 2000,
            n / 2000
        );
    }
    let vars: Vec<TermId> = (0..24).map(|i| terms.constant(&format!("d{i}"), SortId::INT)).collect();
    let mut all = Vec::new();
    for i in 0..24 {
        for j in 0..i {
            all.push(terms.app(Fun::Distinct, &[vars[i], vars[j]]).unwrap());
        }
    }
    let start = Instant::now();
    let c = canonizer.canonize(&terms, &all);
    println!("24 all-different: {:?}, complete {}", start.elapsed(), c.complete);
}
