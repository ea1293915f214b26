//! Counts random small problems and enumerates all their points: `cargo run --release -p
//! evergreen-count --example brute [n]`.

#[path = "../tests/common/mod.rs"]
#[allow(dead_code)] // the tests need more of it
mod common;

use evergreen_count::{Budget, Count, Statistics, count_with};
use num_bigint::BigUint;

fn main() {
    let n: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let (mut wrong, mut some) = (0, 0);
    let mut all = Statistics::default();
    for index in 0..n {
        let problem = common::random_problem(2012, index);
        let (found, did) = count_with(&problem, Budget::default(), None);
        some += u32::from(found != Count::Exact(BigUint::ZERO));
        all.parts += did.parts;
        all.polygons += did.polygons;
        all.decomposed += did.decomposed;
        all.summed += did.summed;
        all.repeated += did.repeated;
        if found != Count::Exact(BigUint::from(common::brute_force(&problem))) {
            wrong += 1;
            eprintln!("problem {index}: {found:?}\n{problem:?}");
        }
    }
    println!(
        "{n} problems, {some} with solutions, {wrong} wrong; {} parts, {} polygons, {} polytopes, {} sums, \
         {} repeated",
        all.parts, all.polygons, all.decomposed, all.summed, all.repeated
    );
    if wrong > 0 {
        std::process::exit(1);
    }
}
