//! Bytes of a method's code -> instructions.
//!
//! Two passes: the first decodes and notes where each instruction starts, targets still being byte
//! offsets; the second turns targets into instruction indices and refuses those inside an instruction.
//! Linear in the code's length.

use crate::bytes::{Cursor, ReadError};
use crate::code::{Switch, SwitchCases};
use crate::instruction::*;
use crate::pool::{ConstantPool, Entry, MemberKind};
use Instruction as I;

/// Instructions of one method, and where each started.
pub(crate) struct Decoded {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) offsets: Vec<u32>,
    pub(crate) switches: Vec<Switch>,
}

/// Byte offset in a method's code -> instruction index.
pub(crate) struct Starts {
    /// Index plus one; zero inside an instruction. One longer than the code.
    index: Vec<u32>,
}

impl Starts {
    fn new(offsets: &[u32], size: usize) -> Starts {
        let mut index = vec![0; size + 1];
        for (i, &offset) in (1..).zip(offsets) {
            index[offset as usize] = i;
        }
        index[size] = offsets.len() as u32 + 1;
        Starts { index }
    }

    /// The instruction that starts at `offset`; the code's end counts as one.
    pub(crate) fn exact(&self, offset: u32) -> Option<u32> {
        self.index.get(offset as usize)?.checked_sub(1)
    }

    /// The first instruction that starts at `offset` or later.
    pub(crate) fn from(&self, offset: u32) -> u32 {
        let at = (offset as usize).min(self.index.len() - 1);
        self.index[at..].iter().find(|&&i| i != 0).map_or(0, |i| i - 1)
    }
}

struct Decoder<'a, 'p> {
    from: Cursor<'a>,
    base: usize,
    pool: &'p ConstantPool,
    switches: Vec<Switch>,
}

/// Decodes the code that `from` covers.
pub(crate) fn decode(from: Cursor<'_>, pool: &ConstantPool) -> Result<(Decoded, Starts), ReadError> {
    let (base, size) = (from.offset(), from.left());
    let mut decoder = Decoder { from, base, pool, switches: Vec::new() };
    let mut instructions = Vec::with_capacity(size / 2);
    let mut offsets = Vec::with_capacity(size / 2);
    while decoder.from.left() > 0 {
        let pc = decoder.from.offset() - base;
        offsets.push(pc as u32);
        instructions.push(decoder.instruction(pc).map_err(|e| e.or_at(base + pc))?);
    }
    let starts = Starts::new(&offsets, size);
    let mut switches = decoder.switches;
    for (instruction, &pc) in instructions.iter_mut().zip(&offsets) {
        let place = |offset: u32| match starts.exact(offset) {
            Some(index) if (index as usize) < offsets.len() => Ok(index),
            _ => Err(ReadError::at(base + pc as usize, "a jump leads into the middle of an instruction")),
        };
        match instruction {
            I::If(_, t) | I::IfIcmp(_, t) | I::IfAcmp(_, t) | I::IfNull(_, t) | I::Goto(t) | I::Jsr(t) => {
                *t = place(*t)?;
            }
            I::Switch(index) => {
                for target in switches[*index as usize].targets_mut() {
                    *target = place(*target)?;
                }
            }
            _ => {}
        }
    }
    Ok((Decoded { instructions, offsets, switches }, starts))
}

const KINDS: [Kind; 5] = [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Ref];
const ARRAYS: [ArrayKind; 8] = [
    ArrayKind::Int,
    ArrayKind::Long,
    ArrayKind::Float,
    ArrayKind::Double,
    ArrayKind::Ref,
    ArrayKind::Byte,
    ArrayKind::Char,
    ArrayKind::Short,
];
const STACK: [StackOp; 9] = [
    StackOp::Pop,
    StackOp::Pop2,
    StackOp::Dup,
    StackOp::DupX1,
    StackOp::DupX2,
    StackOp::Dup2,
    StackOp::Dup2X1,
    StackOp::Dup2X2,
    StackOp::Swap,
];
const ARITH: [Op; 5] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem];
const BITS: [Op; 6] = [Op::Shl, Op::Shr, Op::Ushr, Op::And, Op::Or, Op::Xor];
const CONVERSIONS: [Conversion; 15] = [
    Conversion::IntToLong,
    Conversion::IntToFloat,
    Conversion::IntToDouble,
    Conversion::LongToInt,
    Conversion::LongToFloat,
    Conversion::LongToDouble,
    Conversion::FloatToInt,
    Conversion::FloatToLong,
    Conversion::FloatToDouble,
    Conversion::DoubleToInt,
    Conversion::DoubleToLong,
    Conversion::DoubleToFloat,
    Conversion::IntToByte,
    Conversion::IntToChar,
    Conversion::IntToShort,
];
const COMPARISONS: [Comparison; 5] = [
    Comparison::Long,
    Comparison::FloatLess,
    Comparison::FloatGreater,
    Comparison::DoubleLess,
    Comparison::DoubleGreater,
];
const RELS: [Rel; 6] = [Rel::Eq, Rel::Ne, Rel::Lt, Rel::Ge, Rel::Gt, Rel::Le];
const PRIMITIVES: [Primitive; 8] = [
    Primitive::Boolean,
    Primitive::Char,
    Primitive::Float,
    Primitive::Double,
    Primitive::Byte,
    Primitive::Short,
    Primitive::Int,
    Primitive::Long,
];

impl Decoder<'_, '_> {
    /// Decodes one instruction, which starts at byte `pc` of the code.
    fn instruction(&mut self, pc: usize) -> Result<Instruction, ReadError> {
        let opcode = self.from.u8()?;
        let n = usize::from(opcode);
        Ok(match opcode {
            0 => I::Nop,
            1 => I::Null,
            2..=8 => I::Int(i32::from(opcode) - 3),
            9..=10 => I::Long(i64::from(opcode - 9)),
            11..=13 => I::Float(f32::from(opcode - 11)),
            14..=15 => I::Double(f64::from(opcode - 14)),
            16 => I::Int(i32::from(self.from.i8()?)),
            17 => I::Int(i32::from(self.from.i16()?)),
            18 => {
                let index = self.from.u8()?;
                self.constant(u16::from(index))?
            }
            19 | 20 => {
                let index = self.from.u16()?;
                self.constant(index)?
            }
            21..=25 => I::Load(KINDS[n - 21], u16::from(self.from.u8()?)),
            26..=45 => I::Load(KINDS[(n - 26) / 4], (n as u16 - 26) % 4),
            46..=53 => I::ArrayLoad(ARRAYS[n - 46]),
            54..=58 => I::Store(KINDS[n - 54], u16::from(self.from.u8()?)),
            59..=78 => I::Store(KINDS[(n - 59) / 4], (n as u16 - 59) % 4),
            79..=86 => I::ArrayStore(ARRAYS[n - 79]),
            87..=95 => I::Stack(STACK[n - 87]),
            96..=115 => I::Arith(KINDS[(n - 96) % 4], ARITH[(n - 96) / 4]),
            116..=119 => I::Neg(KINDS[n - 116]),
            120..=131 => I::Arith(KINDS[(n - 120) % 2], BITS[(n - 120) / 2]),
            132 => I::Iinc(u16::from(self.from.u8()?), i16::from(self.from.i8()?)),
            133..=147 => I::Convert(CONVERSIONS[n - 133]),
            148..=152 => I::Compare(COMPARISONS[n - 148]),
            153..=171 | 198..=201 => self.jump(opcode, pc)?,
            172..=176 => I::Return(Some(KINDS[n - 172])),
            177 => I::Return(None),
            178..=186 => self.member(opcode)?,
            187 => I::New(self.class()?),
            188 => {
                let code = self.from.u8()?;
                let element = usize::from(code).checked_sub(4).and_then(|i| PRIMITIVES.get(i));
                let unknown = || ReadError::new(format!("'{code}' is no element type of newarray"));
                I::NewArray(*element.ok_or_else(unknown)?)
            }
            189 => I::ANewArray(self.class()?),
            190 => I::ArrayLength,
            191 => I::Throw,
            192 => I::CheckCast(self.class()?),
            193 => I::InstanceOf(self.class()?),
            194 => I::MonitorEnter,
            195 => I::MonitorExit,
            196 => self.wide()?,
            197 => {
                let class = self.class()?;
                match self.from.u8()? {
                    0 => return Err(ReadError::new("multianewarray of no dimensions")),
                    dimensions => I::MultiANewArray(class, dimensions),
                }
            }
            _ => return Err(ReadError::new(format!("'{opcode}' is no instruction"))),
        })
    }

    fn jump(&mut self, opcode: u8, pc: usize) -> Result<Instruction, ReadError> {
        let n = usize::from(opcode);
        Ok(match opcode {
            153..=158 => I::If(RELS[n - 153], self.near(pc)?),
            159..=164 => I::IfIcmp(RELS[n - 159], self.near(pc)?),
            165..=166 => I::IfAcmp(RELS[n - 165], self.near(pc)?),
            167 => I::Goto(self.near(pc)?),
            168 => I::Jsr(self.near(pc)?),
            169 => I::Ret(u16::from(self.from.u8()?)),
            170 => self.table_switch(pc)?,
            171 => self.lookup_switch(pc)?,
            198..=199 => I::IfNull(RELS[n - 198], self.near(pc)?),
            200 => I::Goto(self.far(pc)?),
            _ => I::Jsr(self.far(pc)?),
        })
    }

    fn wide(&mut self) -> Result<Instruction, ReadError> {
        let opcode = self.from.u8()?;
        let slot = self.from.u16()?;
        Ok(match opcode {
            21..=25 => I::Load(KINDS[usize::from(opcode) - 21], slot),
            54..=58 => I::Store(KINDS[usize::from(opcode) - 54], slot),
            132 => I::Iinc(slot, self.from.i16()?),
            169 => I::Ret(slot),
            _ => return Err(ReadError::new(format!("wide does not go with instruction '{opcode}'"))),
        })
    }

    fn constant(&mut self, index: u16) -> Result<Instruction, ReadError> {
        Ok(match *self.pool.entry(index) {
            Entry::Int(value) => I::Int(value),
            Entry::Float(value) => I::Float(value),
            Entry::Long(value) => I::Long(value),
            Entry::Double(value) => I::Double(value),
            Entry::String(_)
            | Entry::Class(_)
            | Entry::MethodHandle(..)
            | Entry::MethodType(_)
            | Entry::Dynamic(..) => I::Ldc(index),
            _ => return self.pool.constant(index).map(|_| I::Nop),
        })
    }

    fn class(&mut self) -> Result<PoolIndex, ReadError> {
        let index = self.from.u16()?;
        self.pool.class(index)?;
        Ok(index)
    }

    fn member(&mut self, opcode: u8) -> Result<Instruction, ReadError> {
        let index = self.from.u16()?;
        if opcode == 186 {
            self.pool.invoke_dynamic(index)?;
            self.from.u16()?;
            return Ok(I::InvokeDynamic(index));
        }
        let Entry::Member(kind, ..) = *self.pool.entry(index) else {
            return self.pool.member(index).map(|_| I::Nop);
        };
        if (kind == MemberKind::Field) != (opcode <= 181)
            || (opcode == 185 && kind != MemberKind::InterfaceMethod)
        {
            return Err(ReadError::new(format!("pool entry {index} is the wrong kind of member")));
        }
        Ok(match opcode {
            178 => I::GetStatic(index),
            179 => I::PutStatic(index),
            180 => I::GetField(index),
            181 => I::PutField(index),
            182 => I::Invoke(InvokeKind::Virtual, index),
            183 => I::Invoke(InvokeKind::Special, index),
            184 => I::Invoke(InvokeKind::Static, index),
            _ => {
                // A count of arguments that the descriptor already gives, and a zero.
                self.from.u16()?;
                I::Invoke(InvokeKind::Interface, index)
            }
        })
    }

    fn near(&mut self, pc: usize) -> Result<u32, ReadError> {
        let distance = self.from.i16()?;
        offset(pc, i32::from(distance))
    }

    fn far(&mut self, pc: usize) -> Result<u32, ReadError> {
        let distance = self.from.i32()?;
        offset(pc, distance)
    }

    /// Padding goes to the next multiple of four, counted from the code's start.
    fn padding(&mut self) -> Result<(), ReadError> {
        let pc = self.from.offset() - self.base;
        self.from.take(pc.wrapping_neg() % 4).map(drop)
    }

    fn table_switch(&mut self, pc: usize) -> Result<Instruction, ReadError> {
        self.padding()?;
        let default = self.far(pc)?;
        let (low, high) = (self.from.i32()?, self.from.i32()?);
        let count = i64::from(high) - i64::from(low) + 1;
        if count < 0 || count > (self.from.left() / 4) as i64 {
            return Err(ReadError::new(format!("a table switch from {low} to {high} does not fit")));
        }
        let targets = (0..count).map(|_| self.far(pc)).collect::<Result<_, _>>()?;
        Ok(self.switch(default, SwitchCases::Table { low, targets }))
    }

    fn lookup_switch(&mut self, pc: usize) -> Result<Instruction, ReadError> {
        self.padding()?;
        let default = self.far(pc)?;
        let count = self.from.u32()? as usize;
        if count > self.from.left() / 8 {
            return Err(ReadError::new(format!("a lookup switch of {count} cases does not fit")));
        }
        let mut pairs = Vec::with_capacity(count);
        for _ in 0..count {
            pairs.push((self.from.i32()?, self.far(pc)?));
        }
        if !pairs.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(ReadError::new("the cases of a lookup switch are not sorted"));
        }
        Ok(self.switch(default, SwitchCases::Lookup(pairs)))
    }

    fn switch(&mut self, default: u32, cases: SwitchCases) -> Instruction {
        self.switches.push(Switch { default, cases });
        I::Switch(self.switches.len() as u32 - 1)
    }
}

fn offset(pc: usize, distance: i32) -> Result<u32, ReadError> {
    let target = pc as i64 + i64::from(distance);
    u32::try_from(target).map_err(|_| ReadError::new("a jump leads out of the code"))
}
