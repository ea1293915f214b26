//! The instructions that are not control: what each of them takes and makes.

use crate::code::{Instruction, LoadOp, Reg, To};
use crate::number::{Bin, Un};
use crate::state::NULL_REFERENCE;
use wasmparser::{MemArg, Operator};

/// An instruction that is not control.
pub(super) enum Plain {
    Constant(u64),
    Unary(Un),
    Binary(Bin),
    Load(LoadOp, u32),
    Store {
        size: u8,
        from: To,
        offset: u32,
    },
    Select,
    GlobalGet(u32),
    GlobalSet(u32),
    /// Operands and results in consecutive registers.
    Rows {
        operands: usize,
        results: usize,
        make: Box<dyn Fn(Reg) -> Instruction>,
    },
    /// Without operands and results.
    Other(Box<dyn Fn() -> Instruction>),
}

fn load(size: u8, signed: bool, to: To, memarg: MemArg) -> Plain {
    Plain::Load(LoadOp { size, signed, to }, memarg.offset as u32)
}

fn store(size: u8, from: To, memarg: MemArg) -> Plain {
    Plain::Store { size, from, offset: memarg.offset as u32 }
}

fn rows(operands: usize, results: usize, make: impl Fn(Reg) -> Instruction + 'static) -> Plain {
    Plain::Rows { operands, results, make: Box::new(make) }
}

/// What an instruction is. The validator has refused all that are not listed.
#[rustfmt::skip]
pub(super) fn plain(operator: &Operator<'_>) -> Plain {
    match *operator {
        Operator::I32Const { value } => Plain::Constant(u64::from(value as u32)),
        Operator::I64Const { value } => Plain::Constant(value as u64),
        Operator::F32Const { value } => Plain::Constant(u64::from(value.bits())),
        Operator::F64Const { value } => Plain::Constant(value.bits()),
        Operator::RefNull { .. } => Plain::Constant(NULL_REFERENCE),
        Operator::RefFunc { function_index } => Plain::Constant(u64::from(function_index)),
        Operator::RefIsNull => Plain::Unary(Un::RefIsNull),
        Operator::Select | Operator::TypedSelect { .. } => Plain::Select,
        Operator::GlobalGet { global_index } => Plain::GlobalGet(global_index),
        Operator::GlobalSet { global_index } => Plain::GlobalSet(global_index),
        Operator::I32Clz => Plain::Unary(Un::I32Clz),
        Operator::I32Ctz => Plain::Unary(Un::I32Ctz),
        Operator::I32Popcnt => Plain::Unary(Un::I32Popcnt),
        Operator::I32Eqz => Plain::Unary(Un::I32Eqz),
        Operator::I64Clz => Plain::Unary(Un::I64Clz),
        Operator::I64Ctz => Plain::Unary(Un::I64Ctz),
        Operator::I64Popcnt => Plain::Unary(Un::I64Popcnt),
        Operator::I64Eqz => Plain::Unary(Un::I64Eqz),
        Operator::F32Abs => Plain::Unary(Un::F32Abs),
        Operator::F32Neg => Plain::Unary(Un::F32Neg),
        Operator::F32Ceil => Plain::Unary(Un::F32Ceil),
        Operator::F32Floor => Plain::Unary(Un::F32Floor),
        Operator::F32Trunc => Plain::Unary(Un::F32Trunc),
        Operator::F32Nearest => Plain::Unary(Un::F32Nearest),
        Operator::F32Sqrt => Plain::Unary(Un::F32Sqrt),
        Operator::F64Abs => Plain::Unary(Un::F64Abs),
        Operator::F64Neg => Plain::Unary(Un::F64Neg),
        Operator::F64Ceil => Plain::Unary(Un::F64Ceil),
        Operator::F64Floor => Plain::Unary(Un::F64Floor),
        Operator::F64Trunc => Plain::Unary(Un::F64Trunc),
        Operator::F64Nearest => Plain::Unary(Un::F64Nearest),
        Operator::F64Sqrt => Plain::Unary(Un::F64Sqrt),
        Operator::I32WrapI64 => Plain::Unary(Un::I32WrapI64),
        Operator::I32TruncF32S => Plain::Unary(Un::I32TruncF32S),
        Operator::I32TruncF32U => Plain::Unary(Un::I32TruncF32U),
        Operator::I32TruncF64S => Plain::Unary(Un::I32TruncF64S),
        Operator::I32TruncF64U => Plain::Unary(Un::I32TruncF64U),
        Operator::I64ExtendI32S => Plain::Unary(Un::I64ExtendI32S),
        Operator::I64ExtendI32U => Plain::Unary(Un::I64ExtendI32U),
        Operator::I64TruncF32S => Plain::Unary(Un::I64TruncF32S),
        Operator::I64TruncF32U => Plain::Unary(Un::I64TruncF32U),
        Operator::I64TruncF64S => Plain::Unary(Un::I64TruncF64S),
        Operator::I64TruncF64U => Plain::Unary(Un::I64TruncF64U),
        Operator::F32ConvertI32S => Plain::Unary(Un::F32ConvertI32S),
        Operator::F32ConvertI32U => Plain::Unary(Un::F32ConvertI32U),
        Operator::F32ConvertI64S => Plain::Unary(Un::F32ConvertI64S),
        Operator::F32ConvertI64U => Plain::Unary(Un::F32ConvertI64U),
        Operator::F32DemoteF64 => Plain::Unary(Un::F32DemoteF64),
        Operator::F64ConvertI32S => Plain::Unary(Un::F64ConvertI32S),
        Operator::F64ConvertI32U => Plain::Unary(Un::F64ConvertI32U),
        Operator::F64ConvertI64S => Plain::Unary(Un::F64ConvertI64S),
        Operator::F64ConvertI64U => Plain::Unary(Un::F64ConvertI64U),
        Operator::F64PromoteF32 => Plain::Unary(Un::F64PromoteF32),
        Operator::I32ReinterpretF32 => Plain::Unary(Un::I32ReinterpretF32),
        Operator::I64ReinterpretF64 => Plain::Unary(Un::I64ReinterpretF64),
        Operator::F32ReinterpretI32 => Plain::Unary(Un::F32ReinterpretI32),
        Operator::F64ReinterpretI64 => Plain::Unary(Un::F64ReinterpretI64),
        Operator::I32Extend8S => Plain::Unary(Un::I32Extend8S),
        Operator::I32Extend16S => Plain::Unary(Un::I32Extend16S),
        Operator::I64Extend8S => Plain::Unary(Un::I64Extend8S),
        Operator::I64Extend16S => Plain::Unary(Un::I64Extend16S),
        Operator::I64Extend32S => Plain::Unary(Un::I64Extend32S),
        Operator::I32TruncSatF32S => Plain::Unary(Un::I32TruncSatF32S),
        Operator::I32TruncSatF32U => Plain::Unary(Un::I32TruncSatF32U),
        Operator::I32TruncSatF64S => Plain::Unary(Un::I32TruncSatF64S),
        Operator::I32TruncSatF64U => Plain::Unary(Un::I32TruncSatF64U),
        Operator::I64TruncSatF32S => Plain::Unary(Un::I64TruncSatF32S),
        Operator::I64TruncSatF32U => Plain::Unary(Un::I64TruncSatF32U),
        Operator::I64TruncSatF64S => Plain::Unary(Un::I64TruncSatF64S),
        Operator::I64TruncSatF64U => Plain::Unary(Un::I64TruncSatF64U),
        Operator::I32Eq => Plain::Binary(Bin::I32Eq),
        Operator::I32Ne => Plain::Binary(Bin::I32Ne),
        Operator::I32LtS => Plain::Binary(Bin::I32LtS),
        Operator::I32LtU => Plain::Binary(Bin::I32LtU),
        Operator::I32GtS => Plain::Binary(Bin::I32GtS),
        Operator::I32GtU => Plain::Binary(Bin::I32GtU),
        Operator::I32LeS => Plain::Binary(Bin::I32LeS),
        Operator::I32LeU => Plain::Binary(Bin::I32LeU),
        Operator::I32GeS => Plain::Binary(Bin::I32GeS),
        Operator::I32GeU => Plain::Binary(Bin::I32GeU),
        Operator::I32Add => Plain::Binary(Bin::I32Add),
        Operator::I32Sub => Plain::Binary(Bin::I32Sub),
        Operator::I32Mul => Plain::Binary(Bin::I32Mul),
        Operator::I32DivS => Plain::Binary(Bin::I32DivS),
        Operator::I32DivU => Plain::Binary(Bin::I32DivU),
        Operator::I32RemS => Plain::Binary(Bin::I32RemS),
        Operator::I32RemU => Plain::Binary(Bin::I32RemU),
        Operator::I32And => Plain::Binary(Bin::I32And),
        Operator::I32Or => Plain::Binary(Bin::I32Or),
        Operator::I32Xor => Plain::Binary(Bin::I32Xor),
        Operator::I32Shl => Plain::Binary(Bin::I32Shl),
        Operator::I32ShrS => Plain::Binary(Bin::I32ShrS),
        Operator::I32ShrU => Plain::Binary(Bin::I32ShrU),
        Operator::I32Rotl => Plain::Binary(Bin::I32Rotl),
        Operator::I32Rotr => Plain::Binary(Bin::I32Rotr),
        Operator::I64Eq => Plain::Binary(Bin::I64Eq),
        Operator::I64Ne => Plain::Binary(Bin::I64Ne),
        Operator::I64LtS => Plain::Binary(Bin::I64LtS),
        Operator::I64LtU => Plain::Binary(Bin::I64LtU),
        Operator::I64GtS => Plain::Binary(Bin::I64GtS),
        Operator::I64GtU => Plain::Binary(Bin::I64GtU),
        Operator::I64LeS => Plain::Binary(Bin::I64LeS),
        Operator::I64LeU => Plain::Binary(Bin::I64LeU),
        Operator::I64GeS => Plain::Binary(Bin::I64GeS),
        Operator::I64GeU => Plain::Binary(Bin::I64GeU),
        Operator::I64Add => Plain::Binary(Bin::I64Add),
        Operator::I64Sub => Plain::Binary(Bin::I64Sub),
        Operator::I64Mul => Plain::Binary(Bin::I64Mul),
        Operator::I64DivS => Plain::Binary(Bin::I64DivS),
        Operator::I64DivU => Plain::Binary(Bin::I64DivU),
        Operator::I64RemS => Plain::Binary(Bin::I64RemS),
        Operator::I64RemU => Plain::Binary(Bin::I64RemU),
        Operator::I64And => Plain::Binary(Bin::I64And),
        Operator::I64Or => Plain::Binary(Bin::I64Or),
        Operator::I64Xor => Plain::Binary(Bin::I64Xor),
        Operator::I64Shl => Plain::Binary(Bin::I64Shl),
        Operator::I64ShrS => Plain::Binary(Bin::I64ShrS),
        Operator::I64ShrU => Plain::Binary(Bin::I64ShrU),
        Operator::I64Rotl => Plain::Binary(Bin::I64Rotl),
        Operator::I64Rotr => Plain::Binary(Bin::I64Rotr),
        Operator::F32Eq => Plain::Binary(Bin::F32Eq),
        Operator::F32Ne => Plain::Binary(Bin::F32Ne),
        Operator::F32Lt => Plain::Binary(Bin::F32Lt),
        Operator::F32Gt => Plain::Binary(Bin::F32Gt),
        Operator::F32Le => Plain::Binary(Bin::F32Le),
        Operator::F32Ge => Plain::Binary(Bin::F32Ge),
        Operator::F32Add => Plain::Binary(Bin::F32Add),
        Operator::F32Sub => Plain::Binary(Bin::F32Sub),
        Operator::F32Mul => Plain::Binary(Bin::F32Mul),
        Operator::F32Div => Plain::Binary(Bin::F32Div),
        Operator::F32Min => Plain::Binary(Bin::F32Min),
        Operator::F32Max => Plain::Binary(Bin::F32Max),
        Operator::F32Copysign => Plain::Binary(Bin::F32Copysign),
        Operator::F64Eq => Plain::Binary(Bin::F64Eq),
        Operator::F64Ne => Plain::Binary(Bin::F64Ne),
        Operator::F64Lt => Plain::Binary(Bin::F64Lt),
        Operator::F64Gt => Plain::Binary(Bin::F64Gt),
        Operator::F64Le => Plain::Binary(Bin::F64Le),
        Operator::F64Ge => Plain::Binary(Bin::F64Ge),
        Operator::F64Add => Plain::Binary(Bin::F64Add),
        Operator::F64Sub => Plain::Binary(Bin::F64Sub),
        Operator::F64Mul => Plain::Binary(Bin::F64Mul),
        Operator::F64Div => Plain::Binary(Bin::F64Div),
        Operator::F64Min => Plain::Binary(Bin::F64Min),
        Operator::F64Max => Plain::Binary(Bin::F64Max),
        Operator::F64Copysign => Plain::Binary(Bin::F64Copysign),
        Operator::I32Load { memarg } => load(4, false, To::I32, memarg),
        Operator::I64Load { memarg } => load(8, false, To::I64, memarg),
        Operator::F32Load { memarg } => load(4, false, To::F32, memarg),
        Operator::F64Load { memarg } => load(8, false, To::F64, memarg),
        Operator::I32Load8S { memarg } => load(1, true, To::I32, memarg),
        Operator::I32Load8U { memarg } => load(1, false, To::I32, memarg),
        Operator::I32Load16S { memarg } => load(2, true, To::I32, memarg),
        Operator::I32Load16U { memarg } => load(2, false, To::I32, memarg),
        Operator::I64Load8S { memarg } => load(1, true, To::I64, memarg),
        Operator::I64Load8U { memarg } => load(1, false, To::I64, memarg),
        Operator::I64Load16S { memarg } => load(2, true, To::I64, memarg),
        Operator::I64Load16U { memarg } => load(2, false, To::I64, memarg),
        Operator::I64Load32S { memarg } => load(4, true, To::I64, memarg),
        Operator::I64Load32U { memarg } => load(4, false, To::I64, memarg),
        Operator::I32Store { memarg } => store(4, To::I32, memarg),
        Operator::I64Store { memarg } => store(8, To::I64, memarg),
        Operator::F32Store { memarg } => store(4, To::F32, memarg),
        Operator::F64Store { memarg } => store(8, To::F64, memarg),
        Operator::I32Store8 { memarg } => store(1, To::I32, memarg),
        Operator::I32Store16 { memarg } => store(2, To::I32, memarg),
        Operator::I64Store8 { memarg } => store(1, To::I64, memarg),
        Operator::I64Store16 { memarg } => store(2, To::I64, memarg),
        Operator::I64Store32 { memarg } => store(4, To::I64, memarg),
        _ => bulk(operator),
    }
}

/// Memory and tables as a whole.
fn bulk(operator: &Operator<'_>) -> Plain {
    match *operator {
        Operator::MemorySize { .. } => rows(0, 1, |to| Instruction::MemorySize { to }),
        Operator::MemoryGrow { .. } => rows(1, 1, |at| Instruction::MemoryGrow { to: at, pages: at }),
        Operator::MemoryFill { .. } => rows(3, 0, |at| Instruction::MemoryFill { at }),
        Operator::MemoryCopy { .. } => rows(3, 0, |at| Instruction::MemoryCopy { at }),
        Operator::MemoryInit { data_index: data, .. } => {
            rows(3, 0, move |at| Instruction::MemoryInit { data, at })
        }
        Operator::DataDrop { data_index: data } => {
            Plain::Other(Box::new(move || Instruction::DataDrop { data }))
        }
        Operator::TableGet { table } => {
            rows(1, 1, move |at| Instruction::TableGet { table, to: at, index: at })
        }
        Operator::TableSet { table } => {
            rows(2, 0, move |at| Instruction::TableSet { table, index: at, value: at + 1 })
        }
        Operator::TableSize { table } => rows(0, 1, move |to| Instruction::TableSize { table, to }),
        Operator::TableGrow { table } => rows(2, 1, move |at| Instruction::TableGrow { table, at }),
        Operator::TableFill { table } => rows(3, 0, move |at| Instruction::TableFill { table, at }),
        Operator::TableCopy { dst_table: to, src_table: from } => {
            rows(3, 0, move |at| Instruction::TableCopy { to, from, at })
        }
        Operator::TableInit { elem_index: elements, table } => {
            rows(3, 0, move |at| Instruction::TableInit { table, elements, at })
        }
        Operator::ElemDrop { elem_index: elements } => {
            Plain::Other(Box::new(move || Instruction::ElementsDrop { elements }))
        }
        ref other => unreachable!("{other:?} was not refused by the validator"),
    }
}
