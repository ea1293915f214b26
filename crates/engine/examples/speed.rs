//! What a test costs: `cargo run --release -p evergreen-smt-engine --example speed [module.wasm] [tests]`.

use evergreen_engine::{Entry, Limits, Natives, Probed, Reference, Test, Val, World};
use std::time::Instant;

const LOOP: &str = r#"(module (func (export "count") (param i32) (result i32) (local i32)
  (block (loop
    (br_if 1 (i32.eqz (local.get 0)))
    (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
    (local.set 1 (i32.add (i32.mul (local.get 1) (i32.const 7)) (local.get 0)))
    (br 0)))
  (local.get 1)))"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let limits = Limits { fuel: u64::MAX / 2, ..Limits::default() };
    let module = wat::parse_str(LOOP)?;
    let plain = Probed::without_probes(&module, &Natives::default())?;
    let probed = Probed::plant(&module, &Natives::default())?;
    let count = 10_000_000;
    for (what, module, trace) in [("no", &plain, 0), ("counted", &probed, 0), ("recorded", &probed, u32::MAX)]
    {
        let entry = Entry::Export("count".to_string());
        let test = Test { entry, args: vec![Val::I32(count)], trace, ..Test::default() };
        let start = Instant::now();
        let ran = module.run(&test, &limits)?;
        let nanoseconds = start.elapsed().as_nanos() as f64 / f64::from(count);
        println!("loop with {what} decisions: {nanoseconds:.1} ns a turn, fuel {}", ran.fuel);
    }
    let mut reference = Reference::new();
    let operands: Vec<u64> = (0..2_000_000u64).map(|k| k.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    for name in ["i32.add", "i64.div_u", "f64.sqrt", "i32.trunc_f64_s"] {
        reference.apply_all(name, &operands[..2]);
        let start = Instant::now();
        let results = reference.apply_all(name, &operands);
        let traps = results.iter().filter(|result| result.is_err()).count();
        let million = results.len() as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!("{name}: {million:.1} million applications a second, {traps} traps of {}", results.len());
    }
    let start = Instant::now();
    for pair in operands.chunks_exact(2).take(200_000) {
        let _ = reference.apply("i32.add", pair);
    }
    println!("one at a time: {:.2} million a second", 0.2 / start.elapsed().as_secs_f64());
    let Some(file) = arguments.next() else { return Ok(()) };
    let tests: u32 = arguments.next().map_or(Ok(10_000), |text| text.parse())?;
    let module = std::fs::read(file)?;
    let start = Instant::now();
    let probed = Probed::plant(&module, &Natives::default())?;
    println!("planted {} bytes, now {}, in {:?}", module.len(), probed.size(), start.elapsed());
    let world = World { args: vec![b"p".to_vec()], stdin: b"a few words\n".to_vec(), ..World::default() };
    let test = Test { world, ..Test::default() };
    let start = Instant::now();
    let mut ran = probed.run(&test, &limits)?;
    println!(
        "first run {:?}: {:?}, {} decisions, fuel {}",
        start.elapsed(),
        ran.end,
        ran.arms.count,
        ran.fuel
    );
    let start = Instant::now();
    for _ in 0..tests {
        ran = probed.run(&test, &limits)?;
    }
    let each = start.elapsed() / tests;
    println!(
        "{tests} runs: {each:?} each, {:.0} a second, {} bytes out",
        1.0 / each.as_secs_f64(),
        ran.stdout.len()
    );
    Ok(())
}
