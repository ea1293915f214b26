//! Programs of the toy language, and what they do by plain arithmetic.

use crate::toy::{Code, Function, ToyFrontend, ToyMachine, ToyProgram};
use evergreen::Evergreen;
use evergreen::store::{Memory, Store};
use evergreen_service::Exploration;
use evergreen_symbolic::{Exprs, Ints};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The range of inputs.
pub(crate) const RANGE: (i64, i64) = (-4, 9);

/// Counts down: a loop whose rounds depend on an input, and a failure at the end of one way.
pub(crate) fn count(limit: &'static str) -> ToyProgram {
    let code = vec![
        Code::If("n", "1", 5),
        Code::If("m", "n", 4),
        Code::Subtract("n", "n", "1"),
        Code::If("0", "1", 0),
        Code::Return("m"),
        Code::If("m", limit, 7),
        Code::Return("n"),
        Code::Fail("small"),
    ];
    ToyProgram(vec![Function { name: "count", parameters: vec!["n", "m"], code }])
}

/// A program, ready to be explored on a store.
pub(crate) fn explore(program: &ToyProgram, store: &Arc<dyn Store>) -> Exploration<ToyFrontend> {
    explore_on(Rc::new(RefCell::new(Exprs::new(Ints::Wrapped))), program, store)
}

/// The same, on the expressions of another version of it.
pub(crate) fn explore_on(
    exprs: Rc<RefCell<Exprs>>,
    program: &ToyProgram,
    store: &Arc<dyn Store>,
) -> Exploration<ToyFrontend> {
    let store = store.clone();
    let machine = ToyMachine { exprs: exprs.clone(), code: Vec::new() };
    let make = Box::new(move || Evergreen::builder().with_store(store.clone()).build());
    Exploration::new(ToyFrontend { program: program.clone(), machine }, exprs, make)
}

/// A store of its own.
pub(crate) fn store() -> Arc<dyn Store> {
    Arc::new(Memory::new(16 << 20))
}

/// What a function does, by plain arithmetic: the instructions on the way, and the end.
pub(crate) fn run(function: &Function, inputs: &[(&'static str, i64)]) -> (Vec<usize>, String) {
    let mut names: BTreeMap<&str, i32> = inputs.iter().map(|(name, n)| (*name, *n as i32)).collect();
    let (mut at, mut way) = (0, Vec::new());
    loop {
        way.push(at);
        let value = |text: &str| names.get(text).copied().unwrap_or_else(|| text.parse().expect("a number"));
        at = match function.code[at] {
            Code::If(a, b, to) if value(a) < value(b) => to,
            Code::If(..) => at + 1,
            Code::Subtract(to, a, b) => {
                let difference = value(a).wrapping_sub(value(b));
                names.insert(to, difference);
                at + 1
            }
            Code::Return(a) => return (way, format!("returns {}", value(a))),
            Code::Fail(why) => return (way, format!("fails {why}")),
        };
    }
}

/// All inputs of the range, and what happens.
pub(crate) fn all(function: &Function) -> Vec<(Vec<usize>, String)> {
    let numbers = || RANGE.0..=RANGE.1;
    let pairs = numbers().flat_map(|n| numbers().map(move |m| [("n", n), ("m", m)]));
    pairs.map(|inputs| run(function, &inputs)).collect()
}

/// How many paths there are.
pub(crate) fn ways(function: &Function) -> usize {
    all(function).into_iter().map(|(way, _)| way).collect::<BTreeSet<_>>().len()
}
