//! The paths of a Java method, from Rust: `cargo run -p evergreen-smt-java --example explore -- File.java
//! [method]`.

use evergreen::Evergreen;
use evergreen_java::classfile::find_jdk;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Inputs, JavaFrontend, Options, Program, jvm};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("explore FILE [METHOD]")?;
    let method = words.next();
    let program = Program::open(&[file.into()], None, find_jdk()?)?;
    let methods = program.methods(method.as_deref())?;
    // One store for both writings of conditions, integers and bit vectors: here the user's own.
    let make = || Evergreen::builder().build();
    let mut exploration =
        JavaFrontend::explore(program, Ints::Wrapped, jvm::Options::default(), Box::new(make))?;
    for method in &methods {
        let mut run = exploration.entry(method, &Inputs::default(), Options::default())?;
        println!("{method}");
        for path in &mut run {
            println!("  {:?} <- {:?} when {}", path.how, path.inputs, path.conditions.join(" && "));
        }
        let summary = run.summary();
        println!("  {} paths, {} queries, {} asked", run.tally().paths, summary.queries(), summary.asked());
    }
    println!("{} questions were solved", exploration.oracle().stats().solved);
    Ok(())
}
