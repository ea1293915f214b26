//! Counts the paths of a module: `cargo run --release --example paths -- prog.wasm [--stdin N] [--no-models]`.
use evergreen::Evergreen;
use evergreen_deciding::BranchOracle;
use evergreen_explore::{End, Explorer, Options as ExploreOptions};
use evergreen_symbolic::{Exprs, InputKind, Ints};
use evergreen_wasm::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let began = std::time::Instant::now();
    let bytes = std::fs::read(&args[0]).expect("a file");
    let module = Rc::new(Module::read(&bytes).expect("a module"));
    let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let mut options = Options::default();
    options.models = !args.contains(&"--no-models".to_string());
    let mut machine = WasmMachine::new(module.clone(), exprs.clone(), options);
    let mut oracle = BranchOracle::new(exprs.clone(), Box::new(|| Evergreen::builder().build()));
    let mut world = World::default();
    world.args = vec![text(b"prog")];
    if let Some(at) = args.iter().position(|a| a == "--stdin") {
        let n: usize = args[at + 1].parse().unwrap();
        let mut e = exprs.borrow_mut();
        let bytes = (0..n)
            .map(|i| OutByte::Symbolic(e.input(&format!("stdin[{i}]"), InputKind::Octet, None)))
            .collect();
        world.stdin = File::new("stdin", bytes);
        world.stdin.length = Some(e.input("stdin.length", InputKind::Octet, Some((0, n as i64))));
    }
    let start = module.function("_start").expect("_start");
    let state = machine.begin(start, &[], world).expect("begins");
    let loaded = began.elapsed();
    let mut explorer = Explorer::new(&mut oracle, state, ExploreOptions::default());
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    while let Some(found) = explorer.next(&mut machine, &mut oracle) {
        let how = match &found.end {
            End::Outcome(Ended { how: Outcome::Failed(f), .. }) => {
                let names: Vec<String> = f.stack.iter().map(|(n, _)| module.name(*n)).collect();
                format!("{:?} {} in {}", f.kind, f.message, names.join(" < "))
            }
            End::Outcome(Ended { how: Outcome::Exited(s), .. }) => format!("exited {s:?}"),
            End::Outcome(o) => format!("{:?}", o.how),
            End::Cut(b) => format!("cut {b:?}"),
            End::Undecided(_) => "undecided".into(),
            End::Stuck => "stuck".into(),
        };
        *ends.entry(how).or_default() += 1;
    }
    let s = explorer.summary();
    for (end, n) in ends {
        println!("{n:8} {end}");
    }
    println!(
        "paths {} branches {} instructions {} asked {:?} in {:?} (loaded {loaded:?})",
        s.paths,
        s.branches,
        s.instructions,
        oracle.stats().answered,
        began.elapsed()
    );
    println!("trouble {:?}", oracle.trouble());
}
