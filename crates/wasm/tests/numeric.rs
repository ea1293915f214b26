//! Every instruction with operands and a result, against the engine: on numbers and on expressions.
//!
//! On expressions the instruction runs once with inputs, and what it made of them (conditions of traps, the
//! result) is evaluated under assignments. A rewriting that is wrong for some operands shows there. Operands
//! are inputs, inputs in a small range, sums and masks of inputs, or the other operand is a constant:
//! rewritings look at forms and intervals.

use crate::common::{Random, bits, finish, taken, wat_machine, ways};
use evergreen_engine::{Instruction, Reference, TrapKind, ValType};
use evergreen_explore::Machine;
use evergreen_symbolic::{Assignment, Const, Expr, InputKind};
use evergreen_wasm::{Ended, FailureKind, Outcome, Slot, Trap, WasmMachine, World};

/// Operands at the edges of the types.
const CORNERS: [u64; 16] = [
    0,
    1,
    2,
    7,
    31,
    32,
    63,
    64,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
];
const CORNERS_64: [i64; 12] = [
    -1,
    -2,
    -128,
    -129,
    -32768,
    -32769,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    -0x8000_0000,
    -0x8000_0001,
];
const FLOATS: [f64; 26] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    0.499_999_999_999_999_94,
    4_503_599_627_370_497.5,
    127.9,
    -1.0,
    -0.999_999_999,
    2_147_483_647.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    -2_147_483_649.0,
    4_294_967_295.0,
    4_294_967_296.0,
    9_223_372_036_854_775_807.0,
    -9_223_372_036_854_777_856.0,
    18_446_744_073_709_551_615.0,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    f64::EPSILON,
];

/// A random operand; one of three at an edge of the type.
fn operand(random: &mut Random, ty: ValType) -> u64 {
    let any = random.next();
    match (ty, random.below(6)) {
        (ValType::I32 | ValType::I64, 0) => *random.one_of(&CORNERS),
        (ValType::I32 | ValType::I64, 1) => *random.one_of(&CORNERS_64) as u64,
        (ValType::I32 | ValType::I64, 2) => any >> random.below(64),
        (ValType::F32, 0) => u64::from((*random.one_of(&FLOATS) as f32).to_bits()),
        (ValType::F64, 0) => random.one_of(&FLOATS).to_bits(),
        // Subnormals, infinities and NaNs with payloads: the exponent is the least or the greatest.
        (ValType::F32, 1) => any & 0x807f_ffff | if any >> 32 & 1 == 0 { 0 } else { 0x7f80_0000 },
        (ValType::F64, 1) => any & !(0x7ff << 52) | if any & 1 == 0 { 0 } else { 0x7ff << 52 },
        // Halves and integers of moderate size.
        (ValType::F32, 2) => u64::from(((any as i32 >> random.below(31)) as f32 / 2.0).to_bits()),
        (ValType::F64, 2) => ((any as i64 >> random.below(63)) as f64 / 2.0).to_bits(),
        _ => any,
    }
}

/// The bits of an operand as a register of its type has them.
fn fit(ty: ValType, bits: u64) -> u64 {
    if ty.size() == 4 { bits & 0xffff_ffff } else { bits }
}

/// A function `f` that applies an instruction to its parameters.
fn module(instruction: &Instruction) -> String {
    let (name, params) = (&instruction.name, &instruction.params);
    let types: String = params.iter().map(|ty| format!(" {ty}")).collect();
    let body = if name.contains(".load") {
        format!("(i64.store (i32.const 8) (local.get 0)) ({name} (i32.const 8))")
    } else if name.contains(".store") {
        format!(
            "(i64.store (i32.const 8) (local.get 0)) ({name} (i32.const 8) (local.get 1)) \
             (i64.load (i32.const 8))"
        )
    } else {
        let gets: String = (0..params.len()).map(|n| format!(" (local.get {n})")).collect();
        format!("({name}{gets})")
    };
    let result = instruction.result;
    format!("(module (memory 1) (func (export \"f\") (param{types}) (result {result}) {body}))")
}

/// A function that applies an instruction to one parameter and a constant, on the right or on the left.
fn module_with_constant(instruction: &Instruction, constant: u64, left: bool) -> String {
    let (name, result) = (&instruction.name, instruction.result);
    let (ty, other) = match left {
        true => (instruction.params[0], instruction.params[1]),
        false => (instruction.params[1], instruction.params[0]),
    };
    let constant = match ty {
        ValType::I32 => format!("(i32.const {})", constant as i32),
        ValType::I64 => format!("(i64.const {})", constant as i64),
        ValType::F32 => format!("(f32.reinterpret_i32 (i32.const {}))", constant as i32),
        ValType::F64 => format!("(f64.reinterpret_i64 (i64.const {}))", constant as i64),
    };
    let operands =
        if left { format!("{constant} (local.get 0)") } else { format!("(local.get 0) {constant}") };
    format!("(module (func (export \"f\") (param {other}) (result {result}) ({name} {operands})))")
}

pub(crate) fn trap_kind(trap: Trap) -> TrapKind {
    match trap {
        Trap::Unreachable => TrapKind::Unreachable,
        Trap::DivisionByZero => TrapKind::DivisionByZero,
        Trap::Overflow => TrapKind::IntegerOverflow,
        Trap::InvalidConversion => TrapKind::BadConversion,
        Trap::OutOfMemory => TrapKind::MemoryOutOfBounds,
        Trap::OutOfTable => TrapKind::TableOutOfBounds,
        Trap::UninitializedElement => TrapKind::NullElement,
        Trap::BadSignature => TrapKind::BadSignature,
        Trap::StackOverflow => TrapKind::StackExhausted,
    }
}

/// What a path gives under an assignment.
fn result(machine: &WasmMachine, ended: &Ended, ty: ValType, under: &Assignment) -> Result<u64, TrapKind> {
    match &ended.how {
        Outcome::Returned(values) => Ok(fit(ty, bits(&machine.exprs().borrow(), values[0], under))),
        Outcome::Failed(failure) => match failure.kind {
            FailureKind::Trap(trap) => Err(trap_kind(trap)),
            kind => panic!("{kind:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn all() -> Vec<Instruction> {
    Reference::new().instructions().cloned().collect()
}

/// Applies an instruction to random operands in both; returns how many trapped.
fn on_numbers(instruction: &Instruction, count: usize, seed: u64) -> usize {
    let mut random = Random(seed);
    let params = &instruction.params;
    let mut operands = Vec::with_capacity(count * params.len());
    for _ in 0..count {
        operands.extend(params.iter().map(|ty| fit(*ty, operand(&mut random, *ty))));
    }
    let expected = Reference::new().apply_all(&instruction.name, &operands);
    let mut machine = wat_machine(&module(instruction));
    let f = machine.module().function("f").unwrap();
    let zeros = vec![Slot::Number(0); params.len()];
    let mut state = machine.begin(f, &zeros, World::default()).unwrap();
    let none = Assignment::new();
    let mut traps = 0;
    for (operands, expected) in operands.chunks_exact(params.len()).zip(expected) {
        let slots: Vec<Slot> = operands.iter().map(|bits| Slot::Number(*bits)).collect();
        machine.enter(&mut state, f, &slots);
        let ended = finish(&mut machine, &mut state, 100).expect("ends");
        let ours = result(&machine, &ended, instruction.result, &none);
        assert_eq!(ours, expected, "{} {operands:x?}", instruction.name);
        traps += usize::from(expected.is_err());
    }
    traps
}

#[test]
fn numbers() {
    let all = all();
    assert_eq!(all.len(), 160);
    let traps: usize = (1..).zip(&all).map(|(seed, instruction)| on_numbers(instruction, 20_000, seed)).sum();
    assert!(traps > 50_000, "{traps} traps");
}

/// A million operands each.
#[test]
#[ignore = "takes minutes"]
fn numbers_by_the_million() {
    for (seed, instruction) in (1000..).zip(&all()) {
        on_numbers(instruction, 1_000_000, seed);
    }
}

/// How an operand depends on an input.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// A number.
    Constant(u64),
    /// An input of the whole type.
    Whole(u8),
    /// The integer of a float's bits.
    Bits(u8),
    /// An input of a shorter type, or in a range.
    Short(u8, InputKind),
    Range(u8, i64, i64),
    /// A whole input times a factor plus a constant.
    Linear(u8, i64, i64),
    /// A whole input with a mask.
    Masked(u8, i64),
}

fn form(random: &mut Random, ty: ValType, number: u8) -> Form {
    let own = if random.one_in(8) { 0 } else { number };
    let any = operand(random, ty) as i64;
    match (ty, random.below(8)) {
        (_, 0) => Form::Constant(fit(ty, any as u64)),
        (ValType::F32 | ValType::F64, n) if n < 4 => Form::Bits(own),
        (ValType::F32 | ValType::F64, _) => Form::Whole(own),
        (ValType::I32, 1) => {
            let kinds = [InputKind::Octet, InputKind::Byte, InputKind::Char, InputKind::Short];
            Form::Short(own, *random.one_of(&kinds))
        }
        (_, 2) => {
            let low = if ty == ValType::I32 { i64::from(any as i32) } else { any };
            Form::Range(own, low, low.saturating_add(random.below(300) as i64))
        }
        (_, 3) => Form::Range(own, -(random.below(5) as i64), random.below(70) as i64),
        (_, 4) => Form::Linear(own, 1 << random.below(8), any),
        (_, 5) => Form::Linear(own, -1, random.below(9) as i64 - 4),
        (_, 6) => Form::Masked(own, any),
        _ => Form::Whole(own),
    }
}

/// The operand of a form: its expression, and the input with the values that it may have.
fn made(machine: &WasmMachine, ty: ValType, form: Form) -> Slot {
    use evergreen_symbolic::Binary;
    let mut exprs = machine.exprs().borrow_mut();
    let wide = ty.size() == 8;
    let whole = |number: u8| (format!("x{number}"), if wide { InputKind::Long } else { InputKind::Int });
    let constant = |v: i64| if wide { Const::I64(v) } else { Const::I32(v as i32) };
    let e: Expr = match form {
        Form::Constant(bits) => return Slot::Number(bits),
        Form::Whole(number) => match ty {
            ValType::F32 => exprs.input(&format!("f{number}"), InputKind::Float, None),
            ValType::F64 => exprs.input(&format!("d{number}"), InputKind::Double, None),
            _ => exprs.input(&whole(number).0, whole(number).1, None),
        },
        Form::Bits(number) => exprs.input(&whole(number).0, whole(number).1, None),
        Form::Short(number, kind) => exprs.input(&format!("s{number}"), kind, None),
        Form::Range(number, low, high) => {
            exprs.input(&format!("r{number}"), whole(number).1, Some((low, high)))
        }
        Form::Linear(number, factor, offset) => {
            let x = exprs.input(&whole(number).0, whole(number).1, None);
            let (factor, offset) = (exprs.constant(constant(factor)), exprs.constant(constant(offset)));
            let product = exprs.binary(Binary::Mul, x, factor);
            exprs.binary(Binary::Add, product, offset)
        }
        Form::Masked(number, mask) => {
            let x = exprs.input(&whole(number).0, whole(number).1, None);
            let mask = exprs.constant(constant(mask));
            exprs.binary(Binary::And, x, mask)
        }
    };
    Slot::Symbolic(e)
}

/// Random values for all inputs, within their types and ranges.
fn assignment(machine: &WasmMachine, random: &mut Random) -> Assignment {
    let exprs = machine.exprs().borrow();
    let mut under = Assignment::new();
    for (input, info) in exprs.inputs() {
        let value = match info.kind {
            InputKind::Float => Const::f32(f32::from_bits(operand(random, ValType::F32) as u32)),
            InputKind::Double => Const::f64(f64::from_bits(operand(random, ValType::F64))),
            InputKind::Long => Const::I64(match info.range {
                Some((low, high)) => low + (random.next() % (high - low + 1) as u64) as i64,
                None => operand(random, ValType::I64) as i64,
            }),
            kind => {
                let (low, high) = info.range.unwrap_or(kind.range());
                let any = i64::from(operand(random, ValType::I32) as i32);
                Const::I32(if (low..=high).contains(&any) {
                    any
                } else {
                    low + any.rem_euclid(high - low + 1)
                } as i32)
            }
        };
        under.set(&exprs, input, value);
    }
    under
}

/// Runs an instruction on expressions of random forms and compares under random assignments.
fn on_expressions(instruction: &Instruction, forms: usize, assignments: usize, seed: u64) {
    let mut random = Random(seed);
    let mut reference = Reference::new();
    let text = module(instruction);
    for _ in 0..forms {
        let mut machine = wat_machine(&text);
        let f = machine.module().function("f").unwrap();
        let mut slots = Vec::new();
        let mut used = Vec::new();
        for (number, ty) in (0..).zip(&instruction.params) {
            let form = form(&mut random, *ty, number);
            used.push(form);
            slots.push(made(&machine, *ty, form));
        }
        let state = machine.begin(f, &slots, World::default()).unwrap();
        let ways = ways(&mut machine, state);
        let (mut operands, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..assignments {
            let under = assignment(&machine, &mut random);
            let exprs = machine.exprs().borrow();
            for (slot, ty) in slots.iter().zip(&instruction.params) {
                operands.push(fit(*ty, bits(&exprs, *slot, &under)));
            }
            let ended = taken(&exprs, &ways, &under);
            ours.push(result(&machine, ended, instruction.result, &under));
        }
        let expected = reference.apply_all(&instruction.name, &operands);
        let each = instruction.params.len();
        for (at, (ours, expected)) in ours.iter().zip(&expected).enumerate() {
            let operands = &operands[at * each..(at + 1) * each];
            assert_eq!(ours, expected, "{} of {used:?} at {operands:x?}", instruction.name);
        }
    }
}

#[test]
fn expressions() {
    for (seed, instruction) in (1..).zip(&all()) {
        on_expressions(instruction, 60, 50, seed);
    }
}

/// Two thousand forms with 500 assignments each.
#[test]
#[ignore = "takes minutes"]
fn expressions_by_the_million() {
    for (seed, instruction) in (1000..).zip(&all()) {
        on_expressions(instruction, 2_000, 500, seed);
    }
}

/// Constants of the code take another way through lowering than those in registers.
#[test]
fn constants_in_the_code() {
    let mut reference = Reference::new();
    for (seed, instruction) in (1..).zip(all().iter().filter(|i| i.params.len() == 2)) {
        if instruction.name.contains(".store") {
            continue;
        }
        let mut random = Random(seed);
        for round in 0..12 {
            let left = round % 2 == 0;
            let (constant_at, other_at) = if left { (0, 1) } else { (1, 0) };
            let constant_type = instruction.params[constant_at];
            let constant = fit(constant_type, operand(&mut random, constant_type));
            let mut machine = wat_machine(&module_with_constant(instruction, constant, left));
            let f = machine.module().function("f").unwrap();
            let ty = instruction.params[other_at];
            let input = made(&machine, ty, form(&mut random, ty, 0));
            let state = machine.begin(f, &[input], World::default()).unwrap();
            let ways = ways(&mut machine, state.clone());
            let mut numbers = state;
            for _ in 0..20 {
                let under = assignment(&machine, &mut random);
                let other = fit(ty, bits(&machine.exprs().borrow(), input, &under));
                let operands = if left { [constant, other] } else { [other, constant] };
                let expected = reference.apply(&instruction.name, &operands);
                let ended = taken(&machine.exprs().borrow(), &ways, &under).clone();
                let symbolic = result(&machine, &ended, instruction.result, &under);
                assert_eq!(symbolic, expected, "{} {operands:x?}", instruction.name);
                machine.enter(&mut numbers, f, &[Slot::Number(other)]);
                let ended = finish(&mut machine, &mut numbers, 100).expect("ends");
                assert_eq!(result(&machine, &ended, instruction.result, &under), expected);
            }
        }
    }
}

#[test]
fn instructions_are_counted() {
    let mut machine =
        wat_machine("(module (func (export \"f\") (result i32) (i32.add (i32.const 1) (i32.const 2))))");
    let f = machine.module().function("f").unwrap();
    let mut state = machine.begin(f, &[], World::default()).unwrap();
    finish(&mut machine, &mut state, 100).unwrap();
    assert!(machine.steps(&state) > 0);
}
