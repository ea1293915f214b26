//! Instructions and forks per second: `cargo run --release -p evergreen-smt-jvm --example speed -- FOLDER
//! CLASS METHOD DESCRIPTOR ARG...`
//!
//! With arguments (ints) the method runs concretely; without, every arm of every branch is
//! followed up to a million forks.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use evergreen_classfile::{ClassPath, find_jdk};
use evergreen_explore::{Machine, Pause};
use evergreen_jvm::{Argument, Jvm, Options, State, Value};
use evergreen_symbolic::{Exprs, Ints};

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, class, method, descriptor, rest @ ..] = &args[..] else {
        return Err("speed FOLDER CLASS METHOD DESCRIPTOR ARG...".to_owned());
    };
    let mut path = ClassPath::new();
    path.set_jdk(find_jdk().map_err(|error| error.to_string())?);
    path.add_dir(Path::new(folder)).map_err(|error| error.to_string())?;
    let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let mut jvm = Jvm::new(path, exprs, Options::default()).map_err(|trap| format!("{trap:?}"))?;
    let found = jvm.find(class, method, descriptor).map_err(|trap| format!("{trap:?}"))?;
    let method = found.ok_or("no such method")?;
    let fixed = rest.iter().filter_map(|arg| arg.parse().ok()).map(|arg| Argument::Fixed(Value::Int(arg)));
    let start = jvm.start(&State::new(), method, fixed.collect());
    let clock = Instant::now();
    let (mut steps, mut forks, mut paths) = (0u64, 0u64, 0u64);
    let mut open = vec![start];
    let mut arms = Vec::new();
    while let Some(mut state) = open.pop() {
        let before = state.steps;
        let pause = jvm.run(&mut state, u64::MAX, &mut arms);
        steps += state.steps - before;
        match pause {
            Pause::Branch if forks < 1_000_000 => {
                for arm in (1..arms.len()).rev() {
                    let mut other = state.clone();
                    jvm.take(&mut other, arm);
                    open.push(other);
                    forks += 1;
                }
                jvm.take(&mut state, 0);
                open.push(state);
            }
            Pause::Ended(outcome) => {
                if paths == 0 {
                    println!("first path: {:?}", outcome.ending);
                }
                paths += 1;
            }
            _ => {}
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "{steps} instructions ({:.1} M/s), {forks} forks ({:.0}/s), {paths} paths, {seconds:.2} s",
        steps as f64 / seconds / 1e6,
        forks as f64 / seconds
    );
    Ok(())
}
