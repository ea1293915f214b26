//! Any bytes are a module: nothing may panic, and what is read can be run on inputs for some steps, on any
//! arms.
#![no_main]

use evergreen_explore::{Machine, Pause};
use evergreen_symbolic::{Exprs, InputKind, Ints};
use evergreen_wasm::{ExportKind, Module, Options, Slot, Type, WasmMachine, World};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::rc::Rc;

fuzz_target!(|data: &[u8]| {
    let Ok(module) = Module::read(data) else { return };
    // What runs before the entry has no bound but a large one.
    let named = |name: &str| module.function(name).is_some();
    if module.start.is_some() || named("_initialize") || named("__wasm_call_ctors") {
        return;
    }
    let module = Rc::new(module);
    let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let entries = module.exports.iter().filter(|export| export.kind == ExportKind::Function);
    for (number, entry) in entries.take(4).enumerate() {
        let options = Options { models: number % 2 == 0, most_calls: 100, ..Options::default() };
        let mut machine = WasmMachine::new(module.clone(), exprs.clone(), options);
        let input = |(at, t): (usize, &Type)| {
            let kind = match t {
                Type::I32 => InputKind::Int,
                Type::I64 => InputKind::Long,
                Type::F32 => InputKind::Float,
                Type::F64 => InputKind::Double,
                Type::Reference => return Slot::Number(u64::MAX),
            };
            Slot::Symbolic(exprs.borrow_mut().input(&format!("x{at}"), kind, None))
        };
        let params = module.signature(entry.index).params.iter();
        let arguments: Vec<Slot> = params.enumerate().map(input).collect();
        let Ok(mut state) = machine.begin(entry.index, &arguments, World::default()) else { continue };
        // The bytes themselves choose the arms.
        for choice in data.iter().rev().take(40) {
            let mut arms = Vec::new();
            match machine.run(&mut state, 500, &mut arms) {
                Pause::Branch | Pause::Choice if !arms.is_empty() => {
                    machine.take(&mut state, usize::from(*choice) % arms.len());
                }
                Pause::OutOfSteps => {}
                _ => break,
            }
        }
    }
});
