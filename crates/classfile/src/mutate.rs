//! First-order mutants of a class: programs that differ from it in one instruction.
//!
//! The changes of Jumble in [Visser FSE'12, 4.1.1], comparisons and sums, and in addition constants, the
//! other operations on two numbers, and signs. Every change keeps the length of the code and the types on the
//! stack, so that jumps, handlers and stack maps stay as they are and the verifier accepts each mutant; a
//! constant that needs a longer instruction is not changed. A constant of the pool gets a new entry, for
//! others may use the old one. Cost: linear, and a mutant is made by copying the class once.
//!
//! Code that only the compiler wrote has no mutants: synthetic methods, the switch of `assert`.

use crate::bytes::{Cursor, ReadError};
use crate::class::{ClassFile, Method, access};
use crate::code::Code;
use crate::instruction::{Instruction, Kind};
use crate::pool::ConstantPool;
use crate::read::read;
use std::fmt;

/// Kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// A comparison becomes another one: every other relation of ints, the opposite of a comparison with zero
    /// for equality or with null, and of references.
    Relation,
    /// `+` and `-`, `*` and `/` change places, `%` becomes `*`, a sign and the direction of `i++` change.
    Arithmetic,
    /// `<<` and `>>`, `&` and `|` change places, `>>>` becomes `<<`, `^` becomes `&`.
    Bits,
    /// A constant becomes one more or one less; a value that is certainly a boolean becomes its opposite.
    Constant,
}

impl Operator {
    /// Every kind, in the order in which an instruction's mutants are listed.
    pub const ALL: [Operator; 4] =
        [Operator::Relation, Operator::Arithmetic, Operator::Bits, Operator::Constant];

    /// Its name in flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Relation => "relation",
            Operator::Arithmetic => "arithmetic",
            Operator::Bits => "bits",
            Operator::Constant => "constant",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One change of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Index into [`ClassFile::methods`].
    pub method: u32,
    /// Index into [`Code::instructions`].
    pub instruction: u32,
    /// The source line.
    pub line: Option<u16>,
    /// The kind of change.
    pub operator: Operator,
    /// The instruction as it is: `if_icmplt`, `iadd`, or a constant.
    pub from: String,
    /// The new instruction.
    pub to: String,
    /// Where in the class file bytes change, and what they become.
    at: usize,
    bytes: Vec<u8>,
    /// A new entry of the pool, its tag first, whose index `bytes` has.
    entry: Vec<u8>,
}

impl Mutant {
    /// The class with this change. `original` must be the class file that [`mutants`] was given.
    ///
    /// # Errors
    /// If it is another one, as far as that shows.
    pub fn of(&self, original: &[u8]) -> Result<Vec<u8>, ReadError> {
        let pool_end = pool_end(original)?;
        let end = self.at + self.bytes.len();
        if self.at < pool_end || end > original.len() {
            return Err(ReadError::at(self.at, "the change is not in the code of this class"));
        }
        let mut new = Vec::with_capacity(original.len() + self.entry.len());
        new.extend_from_slice(&original[..pool_end]);
        if !self.entry.is_empty() {
            let slots = if matches!(self.entry[0], 5 | 6) { 2 } else { 1 };
            let count = u16::from_be_bytes([original[8], original[9]]);
            let count = count.checked_add(slots).ok_or_else(|| ReadError::at(8, "the pool is full"))?;
            new[8..10].copy_from_slice(&count.to_be_bytes());
            new.extend_from_slice(&self.entry);
        }
        new.extend_from_slice(&original[pool_end..self.at]);
        new.extend_from_slice(&self.bytes);
        new.extend_from_slice(&original[end..]);
        Ok(new)
    }
}

/// Where the pool of a class file ends.
fn pool_end(bytes: &[u8]) -> Result<usize, ReadError> {
    let mut from = Cursor::new(bytes);
    from.take(8)?;
    ConstantPool::read(&mut from)?;
    Ok(from.offset())
}

/// All mutants of the given kinds, in the order of the code.
///
/// # Errors
/// If it is no class file.
pub fn mutants(bytes: &[u8], operators: &[Operator]) -> Result<Vec<Mutant>, ReadError> {
    let class = read(bytes)?;
    let mut all = Vec::new();
    // Code had narrower fields before Java 1.1.
    if class.version < (45, 3) {
        return Ok(all);
    }
    for (index, method) in (0..).zip(&class.methods) {
        let (Some(code), Some(body)) = (&method.code, method.body) else { continue };
        if method.access & (access::SYNTHETIC | access::BRIDGE) != 0 {
            continue;
        }
        let place = Place { class: &class, method, code, bytes, start: body.offset as usize + 8 };
        for at in 0..code.instructions.len() {
            for change in place.changes(at) {
                if operators.contains(&change.operator) {
                    all.push(place.mutant(index, at, change));
                }
            }
        }
    }
    Ok(all)
}

/// The possible changes of an instruction.
struct Change {
    operator: Operator,
    from: String,
    to: String,
    /// Bytes from the instruction's start to where the change begins.
    skip: usize,
    bytes: Vec<u8>,
    entry: Vec<u8>,
}

fn change(operator: Operator, from: impl fmt::Display, to: impl fmt::Display, bytes: &[u8]) -> Change {
    let (from, to, bytes) = (from.to_string(), to.to_string(), bytes.to_vec());
    Change { operator, from, to, skip: 0, bytes, entry: Vec::new() }
}

/// The code of a method in its class file.
struct Place<'a> {
    class: &'a ClassFile,
    method: &'a Method,
    code: &'a Code,
    bytes: &'a [u8],
    /// Where the instructions begin.
    start: usize,
}

impl Place<'_> {
    fn mutant(&self, method: u32, at: usize, change: Change) -> Mutant {
        Mutant {
            method,
            instruction: at as u32,
            line: self.code.line(at as u32),
            operator: change.operator,
            from: change.from,
            to: change.to,
            at: self.start + self.code.offsets[at] as usize + change.skip,
            bytes: change.bytes,
            entry: change.entry,
        }
    }

    /// The bytes of the code from an instruction on.
    fn raw(&self, at: usize) -> &[u8] {
        self.bytes.get(self.start + self.code.offsets[at] as usize..).unwrap_or_default()
    }

    fn changes(&self, at: usize) -> Vec<Change> {
        let raw = self.raw(at);
        let Some(&opcode) = raw.first() else { return Vec::new() };
        match opcode {
            153..=166 | 198 | 199 if !self.asks_for_assertions(at) => relations(opcode),
            96..=115 | 120..=131 => operations(opcode),
            116..=119 => vec![change(Operator::Arithmetic, name(opcode), "nop", &[0])],
            132 | 196 => self.increment(at),
            2..=20 if !self.sets_assertions(at) => self.constants(at, opcode),
            _ => Vec::new(),
        }
    }

    /// Whether a branch is the one before an `assert`.
    fn asks_for_assertions(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.code.instructions[before]);
        matches!(before, Some(Instruction::GetStatic(field)) if self.is_assertions(field))
            || self.sets_assertions(at)
    }

    /// Whether it is near the place where the compiler keeps whether assertions are on:
    /// `desired; if; 1; goto; 0; put`.
    fn sets_assertions(&self, at: usize) -> bool {
        &*self.method.name == "<clinit>"
            && self.code.instructions[at..]
                .iter()
                .take(5)
                .any(|i| matches!(i, Instruction::PutStatic(field) if self.is_assertions(*field)))
    }

    fn is_assertions(&self, field: u16) -> bool {
        self.class.pool.member(field).is_ok_and(|member| &*member.name == "$assertionsDisabled")
    }

    fn increment(&self, at: usize) -> Vec<Change> {
        let Instruction::Iinc(_, by) = self.code.instructions[at] else { return Vec::new() };
        let Some(opposite) = by.checked_neg().filter(|opposite| *opposite != by) else { return Vec::new() };
        let (skip, bytes) = match self.raw(at)[0] {
            196 => (4, opposite.to_be_bytes().to_vec()),
            _ => match i8::try_from(opposite) {
                Ok(opposite) => (2, vec![opposite as u8]),
                Err(_) => return Vec::new(),
            },
        };
        let change = change(Operator::Arithmetic, format!("iinc {by}"), format!("iinc {opposite}"), &bytes);
        vec![Change { skip, ..change }]
    }

    fn constants(&self, at: usize, opcode: u8) -> Vec<Change> {
        let constant = |from: String, to: String, bytes: &[u8]| change(Operator::Constant, from, to, bytes);
        match (self.code.instructions[at], opcode) {
            (Instruction::Int(n @ (0 | 1)), 3 | 4) if self.is_boolean(at) => {
                vec![constant(n.to_string(), (1 - n).to_string(), &[4 - n as u8])]
            }
            (Instruction::Int(n), 2..=8) => {
                let near = [n + 1, n - 1].into_iter().filter(|n| (-1..=5).contains(n));
                near.map(|new| constant(n.to_string(), new.to_string(), &[(3 + new) as u8])).collect()
            }
            (Instruction::Int(n), 16) => {
                let near = [n + 1, n - 1].into_iter().filter_map(|n| i8::try_from(n).ok());
                near.map(|new| constant(n.to_string(), new.to_string(), &[16, new as u8])).collect()
            }
            (Instruction::Int(n), 17) => {
                let near = [n + 1, n - 1].into_iter().filter_map(|n| i16::try_from(n).ok());
                let bytes = |new: i16| [&[17][..], &new.to_be_bytes()].concat();
                near.map(|new| constant(n.to_string(), new.to_string(), &bytes(new))).collect()
            }
            (Instruction::Long(n @ (0 | 1)), 9 | 10) => {
                vec![constant(format!("{n}L"), format!("{}L", 1 - n), &[10 - n as u8])]
            }
            (Instruction::Float(n), 11..=13) => {
                let to = if opcode == 11 { 12 } else { opcode - 1 };
                vec![constant(format!("{n:?}F"), format!("{}.0F", to - 11), &[to])]
            }
            (Instruction::Double(n), 14 | 15) => {
                vec![constant(format!("{n:?}"), format!("{}.0", 15 - opcode), &[29 - opcode])]
            }
            (_, 18..=20) => self.pool_constants(at, opcode),
            _ => Vec::new(),
        }
    }

    /// Mutants of a constant of the pool: a new entry each.
    fn pool_constants(&self, at: usize, opcode: u8) -> Vec<Change> {
        let count = u16::from_be_bytes([self.bytes[8], self.bytes[9]]);
        let index = match (opcode, u8::try_from(count)) {
            (18, Ok(short)) => vec![18, short],
            (18, Err(_)) => return Vec::new(),
            (_, _) => [&[opcode][..], &count.to_be_bytes()].concat(),
        };
        let entries: Vec<(String, String, Vec<u8>)> = match self.code.instructions[at] {
            Instruction::Int(n) => [n.checked_add(1), n.checked_sub(1)]
                .into_iter()
                .flatten()
                .map(|new| (n.to_string(), new.to_string(), [&[3][..], &new.to_be_bytes()].concat()))
                .collect(),
            Instruction::Long(n) => [n.checked_add(1), n.checked_sub(1)]
                .into_iter()
                .flatten()
                .map(|new| (format!("{n}L"), format!("{new}L"), [&[5][..], &new.to_be_bytes()].concat()))
                .collect(),
            Instruction::Float(n) if n + 1.0 != n => {
                let (new, tag) = (n + 1.0, &[4][..]);
                vec![(format!("{n:?}F"), format!("{new:?}F"), [tag, &new.to_bits().to_be_bytes()].concat())]
            }
            Instruction::Double(n) if n + 1.0 != n => {
                let (new, tag) = (n + 1.0, &[6][..]);
                vec![(format!("{n:?}"), format!("{new:?}"), [tag, &new.to_bits().to_be_bytes()].concat())]
            }
            _ => Vec::new(),
        };
        let constant = |(from, to, entry): (String, String, Vec<u8>)| Change {
            entry,
            ..change(Operator::Constant, from, to, &index)
        };
        entries.into_iter().map(constant).collect()
    }

    /// Whether 0 or 1 is certainly a boolean: it is returned as one, put into a field that is one, or one of
    /// a pair between which a condition chooses.
    fn is_boolean(&self, at: usize) -> bool {
        let is_bit = |i: usize| matches!(self.code.instructions.get(i), Some(Instruction::Int(0 | 1)));
        let next = self.code.instructions.get(at + 1);
        let before = at.checked_sub(1).and_then(|before| self.code.instructions.get(before));
        match (before, next) {
            (_, Some(Instruction::Return(Some(Kind::Int)))) if self.method.descriptor.ends_with(")Z") => true,
            (_, Some(Instruction::PutField(field) | Instruction::PutStatic(field)))
                if self.class.pool.member(*field).is_ok_and(|member| &*member.descriptor == "Z") =>
            {
                true
            }
            (_, Some(Instruction::Goto(to))) if is_bit(at + 2) => *to as usize == at + 3,
            (Some(Instruction::Goto(to)), _) if at >= 2 && is_bit(at - 2) => *to as usize == at + 1,
            _ => false,
        }
    }
}

/// Every other relation, or only the opposite.
fn relations(opcode: u8) -> Vec<Change> {
    let others: Vec<u8> = match opcode {
        153 | 154 => vec![153, 154],
        155..=158 => (153..=158).collect(),
        159..=164 => (159..=164).collect(),
        165 | 166 => vec![165, 166],
        _ => vec![198, 199],
    };
    let others = others.into_iter().filter(|&other| other != opcode);
    others.map(|other| change(Operator::Relation, name(opcode), name(other), &[other])).collect()
}

/// The operation that takes the place of another one on the same kind of numbers.
fn operations(opcode: u8) -> Vec<Change> {
    let (operator, to) = match opcode {
        96..=99 => (Operator::Arithmetic, opcode + 4),
        100..=103 => (Operator::Arithmetic, opcode - 4),
        104..=107 => (Operator::Arithmetic, opcode + 4),
        108..=111 => (Operator::Arithmetic, opcode - 4),
        112..=115 => (Operator::Arithmetic, opcode - 8),
        120 | 121 => (Operator::Bits, opcode + 2),
        122 | 123 => (Operator::Bits, opcode - 2),
        124 | 125 => (Operator::Bits, opcode - 4),
        126 | 127 => (Operator::Bits, opcode + 2),
        128 | 129 => (Operator::Bits, opcode - 2),
        _ => (Operator::Bits, opcode - 4),
    };
    vec![change(operator, name(opcode), name(to), &[to])]
}

/// The JVM's names of the changed instructions.
fn name(opcode: u8) -> &'static str {
    const OPERATIONS: [&str; 36] = [
        "iadd", "ladd", "fadd", "dadd", "isub", "lsub", "fsub", "dsub", "imul", "lmul", "fmul", "dmul",
        "idiv", "ldiv", "fdiv", "ddiv", "irem", "lrem", "frem", "drem", "ineg", "lneg", "fneg", "dneg",
        "ishl", "lshl", "ishr", "lshr", "iushr", "lushr", "iand", "land", "ior", "lor", "ixor", "lxor",
    ];
    const JUMPS: [&str; 14] = [
        "ifeq",
        "ifne",
        "iflt",
        "ifge",
        "ifgt",
        "ifle",
        "if_icmpeq",
        "if_icmpne",
        "if_icmplt",
        "if_icmpge",
        "if_icmpgt",
        "if_icmple",
        "if_acmpeq",
        "if_acmpne",
    ];
    match opcode {
        96..=131 => OPERATIONS[usize::from(opcode) - 96],
        153..=166 => JUMPS[usize::from(opcode) - 153],
        198 => "ifnull",
        199 => "ifnonnull",
        _ => "nop",
    }
}
