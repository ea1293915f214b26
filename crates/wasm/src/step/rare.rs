//! Instructions that programs seldom have: bulk memory, tables, selections among expressions.

use super::{Next, set};
use crate::Trap;
use crate::calc;
use crate::code::{Instruction, Reg};
use crate::machine::{Done, WasmMachine};
use crate::module::Module;
use crate::state::{NULL_REFERENCE, Slot, State};
use std::rc::Rc;

impl WasmMachine {
    pub(super) fn rare(
        &mut self,
        state: &mut State,
        module: &Module,
        instruction: Instruction,
    ) -> Done<Next> {
        let get = |state: &State, register: Reg| state.registers[state.base + register as usize];
        match instruction {
            Instruction::Select { to, a, b, condition } => {
                let (a, b) = (get(state, a), get(state, b));
                let value = match get(state, condition) {
                    Slot::Number(n) if n as u32 != 0 => a,
                    Slot::Number(_) => b,
                    symbolic => {
                        let holds = self.not_zero(symbolic);
                        calc::select(&mut self.exprs.borrow_mut(), holds, a, b)
                    }
                };
                set(state, to, value);
            }
            Instruction::CallIndirect { signature, table, index, at } => {
                let index = get(state, index);
                return self.call_indirect(state, module, (signature, table), index, at);
            }
            Instruction::Unreachable => return self.trap(state, Trap::Unreachable),
            Instruction::MemorySize { to } => {
                let size = state.memory.size();
                set(state, to, Slot::Number(size.into()));
            }
            Instruction::MemoryGrow { to, pages } => {
                let pages = self.pin(state, get(state, pages))? as u32;
                let old = state.memory.grow(pages);
                set(state, to, Slot::Number(old.unwrap_or(u32::MAX).into()));
            }
            Instruction::MemoryFill { at } => {
                let (to, value) = (get(state, at), get(state, at + 1));
                self.fill(state, to, value, get(state, at + 2))?;
            }
            Instruction::MemoryCopy { at } => {
                let (to, from) = (get(state, at), get(state, at + 1));
                self.copy(state, to, from, get(state, at + 2))?;
            }
            Instruction::MemoryInit { data, at } => self.memory_init(state, module, data, at)?,
            Instruction::DataDrop { data } => Rc::make_mut(&mut state.dropped).0[data as usize] = true,
            Instruction::ElementsDrop { elements } => {
                Rc::make_mut(&mut state.dropped).1[elements as usize] = true;
            }
            other => self.table_instruction(state, module, other)?,
        }
        Ok(Next::Follow)
    }

    fn memory_init(&mut self, state: &mut State, module: &Module, data: u32, at: Reg) -> Done<()> {
        let [to, from, size] = self.pin_three(state, at)?;
        let empty: &[u8] = &[];
        let gone = state.dropped.0[data as usize];
        let bytes = if gone { empty } else { &module.data[data as usize].bytes[..] };
        let Some(bytes) = bytes.get(from as usize..(from + size) as usize) else {
            return self.trap(state, Trap::OutOfMemory);
        };
        if !state.memory.has(to, size) {
            return self.trap(state, Trap::OutOfMemory);
        }
        state.memory.write(to as u32, bytes);
        Ok(())
    }

    /// Three numbers in consecutive registers.
    fn pin_three(&mut self, state: &mut State, at: Reg) -> Done<[u64; 3]> {
        let mut all = [0; 3];
        for (i, number) in all.iter_mut().enumerate() {
            let slot = state.registers[state.base + at as usize + i];
            *number = u64::from(self.pin(state, slot)? as u32);
        }
        Ok(all)
    }

    fn table_instruction(
        &mut self,
        state: &mut State,
        module: &Module,
        instruction: Instruction,
    ) -> Done<()> {
        let get = |state: &State, register: Reg| state.registers[state.base + register as usize];
        let reference = |slot: Slot| slot.number().unwrap_or(NULL_REFERENCE);
        match instruction {
            Instruction::TableGet { table, to, index } => {
                let index = self.pin(state, get(state, index))? as u32;
                let Some(&value) = state.tables[table as usize].get(index as usize) else {
                    return self.trap(state, Trap::OutOfTable);
                };
                set(state, to, Slot::Number(value));
            }
            Instruction::TableSet { table, index, value } => {
                let index = self.pin(state, get(state, index))? as u32;
                let value = reference(get(state, value));
                if index as usize >= state.tables[table as usize].len() {
                    return self.trap(state, Trap::OutOfTable);
                }
                Rc::make_mut(&mut state.tables)[table as usize][index as usize] = value;
            }
            Instruction::TableSize { table, to } => {
                let size = state.tables[table as usize].len() as u64;
                set(state, to, Slot::Number(size));
            }
            Instruction::TableGrow { table, at } => {
                let by = self.pin(state, get(state, at + 1))? as u32;
                let value = reference(get(state, at));
                let old = state.tables[table as usize].len() as u64;
                let fits =
                    old + u64::from(by) <= u64::from(module.tables[table as usize].most).min(10_000_000);
                if fits {
                    Rc::make_mut(&mut state.tables)[table as usize].resize(old as usize + by as usize, value);
                }
                set(state, at, Slot::Number(if fits { old } else { u32::MAX.into() }));
            }
            Instruction::TableFill { table, at } => {
                let (index, size) = (self.pin(state, get(state, at))?, self.pin(state, get(state, at + 2))?);
                let (value, end) = (reference(get(state, at + 1)), index as usize + size as usize);
                if end > state.tables[table as usize].len() {
                    return self.trap(state, Trap::OutOfTable);
                }
                Rc::make_mut(&mut state.tables)[table as usize][index as usize..end].fill(value);
            }
            Instruction::TableCopy { to, from, at } => {
                let [target, source, size] = self.pin_three(state, at)?;
                let items = &state.tables[from as usize];
                let Some(items) = items.get(source as usize..(source + size) as usize) else {
                    return self.trap(state, Trap::OutOfTable);
                };
                let items = items.to_vec();
                self.put_items(state, to, target, &items)?;
            }
            Instruction::TableInit { table, elements, at } => {
                let [target, source, size] = self.pin_three(state, at)?;
                let gone = state.dropped.1[elements as usize];
                let items = if gone { &[][..] } else { &module.elements[elements as usize].items[..] };
                let Some(items) = items.get(source as usize..(source + size) as usize) else {
                    return self.trap(state, Trap::OutOfTable);
                };
                let globals = state.globals.clone();
                let items: Vec<u64> =
                    items.iter().map(|item| crate::machine::initial(*item, &globals)).collect();
                self.put_items(state, table, target, &items)?;
            }
            other => unreachable!("{other:?} is handled elsewhere"),
        }
        Ok(())
    }

    fn put_items(&mut self, state: &mut State, table: u32, at: u64, items: &[u64]) -> Done<()> {
        let end = at as usize + items.len();
        if end > state.tables[table as usize].len() {
            return self.trap(state, Trap::OutOfTable);
        }
        Rc::make_mut(&mut state.tables)[table as usize][at as usize..end].copy_from_slice(items);
        Ok(())
    }
}
