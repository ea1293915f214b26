//! The beginning of a state: a module is instantiated, initialized, and entered at a function.

use super::{MOST_BYTES, Stop, WasmMachine};
use crate::base::Bases;
use crate::heap::Heap;
use crate::memory::Memory;
use crate::module::{ExportKind, Initial};
use crate::outcome::Outcome;
use crate::state::{Arms, NULL_REFERENCE, Slot, State};
use crate::world::World;
use evergreen_explore::Path;
use std::rc::Rc;

impl WasmMachine {
    /// The state in which a function begins, in a world.
    ///
    /// # Errors
    /// The module cannot be initialized, or the function is an import or takes other arguments.
    pub fn begin(&mut self, function: u32, arguments: &[Slot], mut world: World) -> Result<State, String> {
        if (function as usize) < self.module.imports.len() {
            return Err(format!("'{}' is an import", self.module.name(function)));
        }
        let takes = self.module.signature(function).params.len();
        if takes != arguments.len() {
            let name = self.module.name(function);
            return Err(format!("'{name}' takes {takes} arguments, not {}", arguments.len()));
        }
        let mut state = self.instance()?;
        world.lay_out();
        state.world = Rc::new(world);
        self.enter(&mut state, function, arguments);
        Ok(state)
    }

    /// The state after initialization, in an empty world: [`enter`](WasmMachine::enter) begins a function in
    /// it.
    ///
    /// # Errors
    /// The module cannot be initialized.
    pub fn instance(&mut self) -> Result<State, String> {
        if let Some(begun) = &self.begun {
            return Ok(begun.clone());
        }
        let begun = self.initialized()?;
        Ok(self.begun.insert(begun).clone())
    }

    /// Puts a state at the beginning of a function that the module defines. Memory, globals, tables and the
    /// world stay as they are, so that calls can follow one another in one instance.
    pub fn enter(&self, state: &mut State, function: u32, arguments: &[Slot]) {
        let code = &self.module.code.functions[function as usize];
        state.registers.clear();
        state.registers.extend_from_slice(arguments);
        state.registers.resize(code.registers as usize, Slot::Number(0));
        (state.base, state.pc, state.function, state.depth) = (0, code.entry, function, 0);
        state.callers.clear();
        state.made.clear();
        (state.frozen, state.cursor) = (None, 0);
    }

    fn initialized(&mut self) -> Result<State, String> {
        let mut state = self.instantiate()?;
        let module = self.module.clone();
        let own = |name: &str| module.export(name, ExportKind::Function);
        let mut first: Vec<u32> = module.start.into_iter().collect();
        if own("_start").is_none() {
            first.extend(own("_initialize").or_else(|| module.function("__wasm_call_ctors")));
        }
        for function in first {
            if let Some(native) = self.natives.clone().get(function as usize).cloned().flatten() {
                match self.native(&mut state, &native, &[]) {
                    Ok(_) => continue,
                    Err(_) => return Err(format!("initialization calls '{}'", native.name)),
                }
            }
            self.enter(&mut state, function, &[]);
            match self.go_on(&mut state, 1 << 32) {
                Err(Stop::End(end)) if matches!(*end, Outcome::Returned(_)) => {}
                Err(Stop::End(end)) => return Err(format!("initialization ends with {end:?}")),
                _ => return Err("initialization does not end".into()),
            }
        }
        (state.steps, state.arms) = (0, Arms::default());
        Ok(state)
    }

    /// Memory, globals and tables as the module has them.
    fn instantiate(&mut self) -> Result<State, String> {
        let module = self.module.clone();
        let mut globals: Vec<Slot> = Vec::with_capacity(module.globals.len());
        for global in &module.globals {
            globals.push(Slot::Number(initial(global.begins, &globals)));
        }
        let (least, most) = module.memory.unwrap_or((0, 0));
        let most = if self.options.checks { most.min((MOST_BYTES >> 16).max(least)) } else { most };
        let mut memory = Memory::new(least, most);
        let mut dropped = (vec![false; module.data.len()], vec![false; module.elements.len()]);
        let mut tables: Vec<Vec<u64>> = (module.tables.iter())
            .map(|table| vec![initial(table.begins, &globals); table.least as usize])
            .collect();
        for (number, elements) in module.elements.iter().enumerate() {
            if let Some((table, at)) = elements.at {
                let at = initial(at, &globals) as u32 as usize;
                let items = elements.items.iter().map(|item| initial(*item, &globals));
                let places = tables[table as usize].get_mut(at..at.saturating_add(elements.items.len()));
                let places = places.ok_or("elements beyond the end of a table")?;
                places.iter_mut().zip(items).for_each(|(place, item)| *place = item);
            }
            dropped.1[number] = elements.at.is_some() || elements.is_declared;
        }
        for (number, data) in module.data.iter().enumerate() {
            if let Some(at) = data.at {
                let at = initial(at, &globals) as u32;
                if !memory.has(at.into(), data.bytes.len() as u64) {
                    return Err("data beyond the end of memory".into());
                }
                memory.write(at, &data.bytes);
                dropped.0[number] = true;
            }
        }
        if self.has_arena() {
            let missing = u64::from(self.layout.first_object).saturating_sub(memory.bytes());
            if memory.grow(missing.div_ceil(1 << 16) as u32).is_none() {
                return Err("no memory for objects of inputs".into());
            }
        }
        let heap = Heap::new(self.layout.first_object);
        if self.options.checks && memory.size() > 0 && self.follows_allocator() {
            let end = memory.bytes().min(u32::MAX.into()) as u32;
            memory.poison(self.layout.heap, end.saturating_sub(self.layout.heap), true);
            // Compilers put nothing there.
            memory.poison(0, 1024.min(self.layout.heap), true);
        }
        Ok(State {
            registers: Vec::new(),
            base: 0,
            pc: 0,
            function: 0,
            callers: Vec::new(),
            frozen: None,
            depth: 0,
            memory,
            globals: Rc::new(globals),
            tables: Rc::new(tables),
            dropped: Rc::new(dropped),
            heap,
            world: Rc::new(World::default()),
            draws: Rc::default(),
            lazy: Rc::default(),
            ended: Rc::default(),
            known_globals: Rc::default(),
            steps: 0,
            arms: Arms::default(),
            made: Vec::new(),
            cursor: 0,
            open: Vec::new(),
            known: Path::new(),
            bases: Bases::default(),
            joins: Vec::new(),
        })
    }
}

/// The value of a constant expression.
pub(crate) fn initial(of: Initial, globals: &[Slot]) -> u64 {
    match of {
        Initial::Number(n) => n,
        Initial::Global(global) => globals.get(global as usize).and_then(|slot| slot.number()).unwrap_or(0),
        Initial::Function(function) => function.into(),
        Initial::Null => NULL_REFERENCE,
    }
}
