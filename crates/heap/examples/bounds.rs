//! Computes field bounds scope by scope and prints questions and times: `bounds FILE UP_TO`.

use evergreen_heap::{Scope, bounds, parse};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, up_to] = arguments.as_slice() else { return Err("usage: bounds FILE UP_TO".into()) };
    let invariant = parse(&std::fs::read_to_string(file)?)?;
    let mut previous = None;
    for n in 1..=up_to.parse::<usize>()? {
        let start = Instant::now();
        let found = bounds(&invariant, &Scope::each(&invariant, n), previous.as_ref())?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "scope {n}: {} pairs, {} questions ({} sat), {seconds:.2} s",
            found.pairs(&invariant).0,
            found.calls,
            found.sat
        );
        previous = Some(found);
    }
    Ok(())
}
