//! The instructions by opcode. Opcodes of numeric instructions are contiguous, in groups of equal types.

use super::{Instruction, load};
use crate::value::ValType;
use wasm_encoder::Function;

/// How an instruction is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// One byte, or two behind the prefix 0xFC: applied to all operands.
    Plain(u8),
    Saturating(u8),
    /// Loads from the address of the operands.
    Load(u8),
    /// Stores the second operand at the address of the first.
    Store(u8),
    Select,
}

/// Groups of numeric instructions: the first opcode, the type before the dot, names, types as letters.
const GROUPS: [(u8, &str, &str, &str); 21] = [
    (0x45, "i32", "eqz", "i:i"),
    (0x46, "i32", "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u", "ii:i"),
    (0x50, "i64", "eqz", "I:i"),
    (0x51, "i64", "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u", "II:i"),
    (0x5B, "f32", "eq ne lt gt le ge", "ff:i"),
    (0x61, "f64", "eq ne lt gt le ge", "FF:i"),
    (0x67, "i32", "clz ctz popcnt", "i:i"),
    (0x6A, "i32", "add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr", "ii:i"),
    (0x79, "i64", "clz ctz popcnt", "I:I"),
    (0x7C, "i64", "add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr", "II:I"),
    (0x8B, "f32", "abs neg ceil floor trunc nearest sqrt", "f:f"),
    (0x92, "f32", "add sub mul div min max copysign", "ff:f"),
    (0x99, "f64", "abs neg ceil floor trunc nearest sqrt", "F:F"),
    (0xA0, "f64", "add sub mul div min max copysign", "FF:F"),
    (0xA7, "i32", "wrap_i64 trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u", "?:i"),
    (0xAC, "i64", "extend_i32_s extend_i32_u trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u", "?:I"),
    (0xB2, "f32", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u demote_f64", "?:f"),
    (0xB7, "f64", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u promote_f32", "?:F"),
    (0xBC, "", "i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64", "?:?"),
    (0xC0, "i32", "extend8_s extend16_s", "i:i"),
    (0xC2, "i64", "extend8_s extend16_s extend32_s", "I:I"),
];

/// Saturating truncations, behind the prefix, from 0 on.
const SATURATING: &str = "i32.trunc_sat_f32_s i32.trunc_sat_f32_u i32.trunc_sat_f64_s i32.trunc_sat_f64_u \
                          i64.trunc_sat_f32_s i64.trunc_sat_f32_u i64.trunc_sat_f64_s i64.trunc_sat_f64_u";

/// Loads from 0x28 on.
const LOADS: &str = "i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u \
                     i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u";

/// Stores from 0x36 on.
const STORES: &str = "i32.store i64.store f32.store f64.store i32.store8 i32.store16 \
                      i64.store8 i64.store16 i64.store32";

/// All instructions.
pub(super) fn all() -> Vec<Instruction> {
    let mut found = Vec::new();
    for (first, prefix, names, letters) in GROUPS {
        for (opcode, short) in (first..).zip(names.split(' ')) {
            let name = if prefix.is_empty() { short.to_string() } else { format!("{prefix}.{short}") };
            let (params, result) = letters.split_once(':').unwrap_or_default();
            let params =
                if params == "?" { vec![source(&name)] } else { params.chars().filter_map(letter).collect() };
            let result = result.chars().find_map(letter).unwrap_or_else(|| target(&name));
            found.push(Instruction { name, params, result, code: Code::Plain(opcode) });
        }
    }
    for (opcode, name) in (0..).zip(SATURATING.split(' ')) {
        let (params, result) = (vec![source(name)], target(name));
        found.push(Instruction { name: name.to_string(), params, result, code: Code::Saturating(opcode) });
    }
    for (opcode, name) in (0x28..).zip(LOADS.split(' ')) {
        let (params, result) = (vec![ValType::I64], target(name));
        found.push(Instruction { name: name.to_string(), params, result, code: Code::Load(opcode) });
    }
    for (opcode, name) in (0x36..).zip(STORES.split(' ')) {
        let params = vec![ValType::I64, target(name)];
        found.push(Instruction {
            name: name.to_string(),
            params,
            result: ValType::I64,
            code: Code::Store(opcode),
        });
    }
    let params = vec![ValType::I64, ValType::I64, ValType::I32];
    found.push(Instruction { name: "select".to_string(), params, result: ValType::I64, code: Code::Select });
    found
}

fn letter(letter: char) -> Option<ValType> {
    [ValType::I32, ValType::I64, ValType::F32, ValType::F64].into_iter().find(|ty| ty.letter() == letter)
}

/// The type that a text begins with.
fn begins(text: &str) -> Option<ValType> {
    let all = [ValType::I32, ValType::I64, ValType::F32, ValType::F64];
    all.into_iter().find(|ty| text.starts_with(&ty.to_string()))
}

/// The type before the dot.
fn target(name: &str) -> ValType {
    begins(name).unwrap_or(ValType::I32)
}

/// The type that a conversion names: "f64" in "i32.trunc_f64_s".
fn source(name: &str) -> ValType {
    name.split('_').skip(1).find_map(begins).unwrap_or(ValType::I32)
}

impl Code {
    /// Writes the instruction with its operands; the result is left on the stack.
    pub(super) fn emit(self, function: &mut Function, params: &[ValType]) {
        let first = if matches!(self, Code::Store(_)) { 1 } else { 0 };
        if let Code::Store(_) | Code::Load(_) = self {
            function.instructions().local_get(1);
        }
        if !matches!(self, Code::Load(_)) {
            for (number, ty) in (0..).zip(params).skip(first) {
                load(&mut function.instructions(), *ty, number);
            }
        }
        match self {
            Code::Plain(opcode) => function.raw([opcode]),
            Code::Saturating(opcode) => function.raw([0xFC, opcode]),
            // Alignment and offset are 0.
            Code::Load(opcode) => function.raw([opcode, 0, 0]),
            Code::Store(opcode) => {
                function.raw([opcode, 0, 0]);
                load(&mut function.instructions(), ValType::I64, 0);
                function
            }
            Code::Select => {
                function.instructions().select();
                function
            }
        };
    }
}
