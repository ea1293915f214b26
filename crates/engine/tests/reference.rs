//! Single instructions: results that are known, and those of Rust on many operands.

use evergreen_engine::{Reference, TrapKind};

/// Operands at the edges of types, and numbers that look random.
fn operands(count: usize) -> Vec<u64> {
    let edges = [
        0,
        1,
        2,
        u64::MAX,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        1 << 63,
        i64::MAX as u64,
        f64::NAN.to_bits(),
        f64::INFINITY.to_bits(),
        (-0.0f64).to_bits(),
        u64::from(f32::NAN.to_bits()) | 1,
        1.5f64.to_bits(),
        u64::from(1.5f32.to_bits()),
    ];
    let mut state = 1u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = state ^ state >> 29;
            if bits.is_multiple_of(3) { edges[(bits >> 20) as usize % edges.len()] } else { bits }
        })
        .collect()
}

#[test]
fn all_instructions_are_there() {
    let mut reference = Reference::new();
    let all: Vec<_> = reference.instructions().cloned().collect();
    assert_eq!(all.len(), 128 + 8 + 14 + 9 + 1);
    for instruction in &all {
        let operands = operands(instruction.params.len() * 10);
        assert_eq!(reference.apply_all(&instruction.name, &operands).len(), 10, "{}", instruction.name);
    }
}

/// Compares an instruction of two operands with a function of Rust.
fn check2(name: &str, expected: impl Fn(u64, u64) -> Result<u64, TrapKind>) {
    let operands = operands(100_000);
    let results = Reference::new().apply_all(name, &operands);
    for (pair, result) in operands.chunks_exact(2).zip(results) {
        assert_eq!(result, expected(pair[0], pair[1]), "{name} {:#x} {:#x}", pair[0], pair[1]);
    }
}

/// Compares an instruction of one operand with a function of Rust.
fn check1(name: &str, expected: impl Fn(u64) -> Result<u64, TrapKind>) {
    let operands = operands(100_000);
    let results = Reference::new().apply_all(name, &operands);
    for (operand, result) in operands.into_iter().zip(results) {
        assert_eq!(result, expected(operand), "{name} {operand:#x}");
    }
}

#[test]
fn integers_are_those_of_rust() {
    check2("i32.add", |a, b| Ok(u64::from((a as u32).wrapping_add(b as u32))));
    check2("i64.rotl", |a, b| Ok(a.rotate_left((b % 64) as u32)));
    check2("i32.shr_s", |a, b| Ok(u64::from((a as i32).wrapping_shr(b as u32) as u32)));
    check2("i64.lt_s", |a, b| Ok(u64::from((a as i64) < b as i64)));
    check2("i32.div_s", |a, b| match (a as i32, b as i32) {
        (_, 0) => Err(TrapKind::DivisionByZero),
        (i32::MIN, -1) => Err(TrapKind::IntegerOverflow),
        (a, b) => Ok(u64::from((a / b) as u32)),
    });
    check2("i64.rem_s", |a, b| match (a as i64, b as i64) {
        (_, 0) => Err(TrapKind::DivisionByZero),
        (a, b) => Ok(a.wrapping_rem(b) as u64),
    });
    check1("i32.extend8_s", |a| Ok(u64::from(a as i8 as i32 as u32)));
    check1("i64.popcnt", |a| Ok(u64::from(a.count_ones())));
    check1("i64.eqz", |a| Ok(u64::from(a == 0)));
}

/// The bits of a float, with the one NaN that instructions compute.
fn canonical(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}

#[test]
fn floats_are_those_of_rust_with_one_nan() {
    check2("f64.add", |a, b| Ok(canonical(f64::from_bits(a) + f64::from_bits(b))));
    check2("f64.copysign", |a, b| Ok(a & !(1 << 63) | b & 1 << 63));
    check1("f64.sqrt", |a| Ok(canonical(f64::from_bits(a).sqrt())));
    check1("f64.nearest", |a| Ok(canonical(f64::from_bits(a).round_ties_even())));
    check1("f64.promote_f32", |a| Ok(canonical(f64::from(f32::from_bits(a as u32)))));
    check1("f64.neg", |a| Ok(a ^ 1 << 63));
    check1("f64.convert_i64_u", |a| Ok((a as f64).to_bits()));
    check1("i32.trunc_sat_f64_s", |a| Ok(u64::from(f64::from_bits(a) as i32 as u32)));
    check1("i64.trunc_f64_u", |a| match f64::from_bits(a) {
        value if value.is_nan() => Err(TrapKind::BadConversion),
        value if value <= -1.0 || value >= 18_446_744_073_709_551_616.0 => Err(TrapKind::IntegerOverflow),
        value => Ok(value as u64),
    });
    check1("i32.reinterpret_f32", |a| Ok(a & 0xffff_ffff));
}

#[test]
fn loads_stores_and_select() {
    check1("i32.load16_s", |a| Ok(u64::from(a as i16 as i32 as u32)));
    check1("i64.load32_u", |a| Ok(a & 0xffff_ffff));
    check2("i64.store16", |a, b| Ok(a & !0xffff | b & 0xffff));
    check2("f32.store", |a, b| Ok(a & !0xffff_ffff | b & 0xffff_ffff));
    let mut reference = Reference::new();
    assert_eq!(reference.apply("select", &[7, 8, 2]), Ok(7));
    assert_eq!(reference.apply("select", &[7, 8, 1 << 32]), Ok(8));
}

#[test]
fn bulk_instructions_on_a_page() {
    let mut reference = Reference::new();
    let pattern: Vec<u8> = (0..65_536usize).map(|at| (at.wrapping_mul(7) + 3) as u8).collect();
    let windows = |page: &[u8]| [&page[..256], &page[65_280..]].concat();
    let mut page = pattern.clone();
    page[10..15].fill(9);
    assert_eq!(reference.apply_bulk("memory.fill", [10, 0x109, 5]), Ok(windows(&page)));
    let mut page = pattern.clone();
    page.copy_within(5..105, 3);
    assert_eq!(reference.apply_bulk("memory.copy", [3, 5, 100]), Ok(windows(&page)));
    let mut page = pattern.clone();
    page[65_500..65_536].copy_from_slice(&pattern[220..256]);
    assert_eq!(reference.apply_bulk("memory.init", [65_500, 220, 36]), Ok(windows(&page)));
    assert_eq!(reference.apply_bulk("memory.init", [0, 221, 36]), Err(TrapKind::MemoryOutOfBounds));
    assert_eq!(reference.apply_bulk("memory.fill", [65_530, 0, 7]), Err(TrapKind::MemoryOutOfBounds));
    assert_eq!(reference.apply_bulk("memory.fill", [65_536, 0, 0]), Ok(windows(&pattern)));
    assert_eq!(reference.apply_bulk("memory.copy", [65_537, 0, 0]), Err(TrapKind::MemoryOutOfBounds));
}
