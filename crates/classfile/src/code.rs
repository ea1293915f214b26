//! The code of a method: instructions, handlers, and what debuggers know.

use crate::bytes::{Cursor, ReadError};
use crate::decode::{Starts, decode};
use crate::instruction::Instruction;
use crate::pool::ConstantPool;
use std::sync::Arc;

/// The body of a method. All positions are instruction indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// Most stack slots in use.
    pub max_stack: u16,
    /// Local variable slots.
    pub max_locals: u16,
    /// The instructions; never empty.
    pub instructions: Vec<Instruction>,
    /// The switches that [`Instruction::Switch`] refers to.
    pub switches: Vec<Switch>,
    /// Exception handlers; the first that fits is taken.
    pub handlers: Vec<Handler>,
    /// Where source lines start: (instruction, line), sorted by instruction.
    pub lines: Vec<(u32, u16)>,
    /// Names of local variables (`javac -g`).
    pub variables: Vec<LocalVariable>,
    /// The byte offset of each instruction: what `javap` and the JVM call the bci.
    pub offsets: Vec<u32>,
}

impl Code {
    /// The source line of an instruction.
    pub fn line(&self, instruction: u32) -> Option<u16> {
        let after = self.lines.partition_point(|&(start, _)| start <= instruction);
        after.checked_sub(1).map(|i| self.lines[i].1)
    }

    /// The name of the variable in `slot` at an instruction.
    pub fn variable(&self, slot: u16, instruction: u32) -> Option<&LocalVariable> {
        self.variables.iter().find(|v| v.slot == slot && (v.from..v.to).contains(&instruction))
    }

    /// The instruction at a byte offset.
    pub fn at_offset(&self, offset: u32) -> Option<u32> {
        self.offsets.binary_search(&offset).ok().map(|i| i as u32)
    }
}

/// The jumps of `tableswitch` or `lookupswitch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Where other values go.
    pub default: u32,
    /// Where the listed values go.
    pub cases: SwitchCases,
}

/// The cases of a switch, sorted by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SwitchCases {
    /// `tableswitch`: `targets[v - low]`.
    Table {
        /// The first value.
        low: i32,
        /// One target per value.
        targets: Vec<u32>,
    },
    /// `lookupswitch`: value and target.
    Lookup(Vec<(i32, u32)>),
}

impl Switch {
    /// The target of `value`.
    pub fn target(&self, value: i32) -> u32 {
        let found = match &self.cases {
            SwitchCases::Table { low, targets } => {
                usize::try_from(i64::from(value) - i64::from(*low)).ok().and_then(|i| targets.get(i).copied())
            }
            SwitchCases::Lookup(pairs) => {
                pairs.binary_search_by_key(&value, |p| p.0).ok().map(|i| pairs[i].1)
            }
        };
        found.unwrap_or(self.default)
    }

    /// Number of listed values.
    pub fn len(&self) -> usize {
        match &self.cases {
            SwitchCases::Table { targets, .. } => targets.len(),
            SwitchCases::Lookup(pairs) => pairs.len(),
        }
    }

    /// Whether every value has the default's target.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Each listed value and its target, in order of values.
    pub fn iter(&self) -> impl Iterator<Item = (i32, u32)> + '_ {
        (0..self.len()).map(|i| match &self.cases {
            // A table's values all fit, or it would not have been read.
            SwitchCases::Table { low, targets } => (low.wrapping_add(i as i32), targets[i]),
            SwitchCases::Lookup(pairs) => pairs[i],
        })
    }

    pub(crate) fn targets_mut(&mut self) -> Vec<&mut u32> {
        let mut all = vec![&mut self.default];
        match &mut self.cases {
            SwitchCases::Table { targets, .. } => all.extend(targets),
            SwitchCases::Lookup(pairs) => all.extend(pairs.iter_mut().map(|p| &mut p.1)),
        }
        all
    }
}

/// An exception handler for the instructions `from..to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// First instruction covered.
    pub from: u32,
    /// First one no longer covered; may be the number of instructions.
    pub to: u32,
    /// Where it starts.
    pub target: u32,
    /// The class it catches; `None` catches everything (`finally`).
    pub catch: Option<Arc<str>>,
}

/// A variable of the source, in `slot` during the instructions `from..to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// First instruction.
    pub from: u32,
    /// First one no longer covered; may be the number of instructions.
    pub to: u32,
    /// Its name.
    pub name: Arc<str>,
    /// Its type's descriptor.
    pub descriptor: Arc<str>,
    /// Its local variable slot.
    pub slot: u16,
}

/// Reads a `Code` attribute. `old`: the narrow fields of class files before 45.3.
pub(crate) fn read_code(from: &mut Cursor<'_>, pool: &ConstantPool, old: bool) -> Result<Code, ReadError> {
    let (max_stack, max_locals, size) = if old {
        (u16::from(from.u8()?), u16::from(from.u8()?), u32::from(from.u16()?))
    } else {
        (from.u16()?, from.u16()?, from.u32()?)
    };
    let size_offset = from.offset();
    if size == 0 || size > 0xFFFF {
        return Err(ReadError::at(size_offset, format!("code of {size} bytes")));
    }
    let (decoded, starts) = decode(from.part(size as usize)?, pool)?;
    let handlers = read_handlers(from, pool, &starts, decoded.instructions.len() as u32)?;
    let mut code = Code {
        max_stack,
        max_locals,
        instructions: decoded.instructions,
        switches: decoded.switches,
        handlers,
        lines: Vec::new(),
        variables: Vec::new(),
        offsets: decoded.offsets,
    };
    for _ in 0..from.u16()? {
        let name = from.u16()?;
        let name = pool.utf8(name).map_err(|e| e.or_at(from.offset() - 2))?;
        let size = from.u32()?;
        let mut body = from.part(size as usize)?;
        match &**name {
            "LineNumberTable" => read_lines(&mut body, &starts, &mut code.lines)?,
            "LocalVariableTable" => read_variables(&mut body, pool, &starts, &mut code.variables)?,
            _ => {}
        }
    }
    // Several tables may take turns; where two lines claim an instruction, the later
    // entry stays, as in the JVM.
    code.lines.sort_by_key(|&(start, _)| start);
    Ok(code)
}

fn read_handlers(
    from: &mut Cursor<'_>,
    pool: &ConstantPool,
    starts: &Starts,
    count: u32,
) -> Result<Vec<Handler>, ReadError> {
    let entries = from.u16()?;
    let mut handlers = Vec::with_capacity(usize::from(entries).min(from.left() / 8));
    for _ in 0..entries {
        let place = from.offset();
        let mut next = || Ok(starts.exact(u32::from(from.u16()?)));
        let (first, to, target) = (next()?, next()?, next()?);
        let catch = from.u16()?;
        let catch = match catch {
            0 => None,
            index => Some(pool.class(index).map_err(|e| e.or_at(place))?.clone()),
        };
        match (first, to, target) {
            (Some(from), Some(to), Some(target)) if from < to && target < count => {
                handlers.push(Handler { from, to, target, catch });
            }
            _ => return Err(ReadError::at(place, "a handler's range is empty or splits an instruction")),
        }
    }
    Ok(handlers)
}

fn read_lines(from: &mut Cursor<'_>, starts: &Starts, lines: &mut Vec<(u32, u16)>) -> Result<(), ReadError> {
    let entries = from.u16()?;
    lines.reserve(usize::from(entries).min(from.left() / 4));
    for _ in 0..entries {
        // Debug information that splits an instruction does not make a class unreadable.
        let start = starts.from(u32::from(from.u16()?));
        lines.push((start, from.u16()?));
    }
    Ok(())
}

fn read_variables(
    from: &mut Cursor<'_>,
    pool: &ConstantPool,
    starts: &Starts,
    variables: &mut Vec<LocalVariable>,
) -> Result<(), ReadError> {
    let entries = from.u16()?;
    variables.reserve(usize::from(entries).min(from.left() / 10));
    for _ in 0..entries {
        let place = from.offset();
        let (start, length) = (u32::from(from.u16()?), u32::from(from.u16()?));
        let (name, descriptor) = (from.u16()?, from.u16()?);
        variables.push(LocalVariable {
            from: starts.from(start),
            to: starts.from(start + length),
            name: pool.utf8(name).map_err(|e| e.or_at(place))?.clone(),
            descriptor: pool.utf8(descriptor).map_err(|e| e.or_at(place))?.clone(),
            slot: from.u16()?,
        });
    }
    Ok(())
}
