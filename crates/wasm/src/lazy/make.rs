//! Pointers, objects and fields become inputs.

use super::table::{Described, Field};
use super::{Form, Made, Pointer};
use crate::heap::{ALIGNMENT, Object, place};
use crate::machine::{Done, Stop, WasmMachine};
use crate::memory::{Byte, Cell};
use crate::outcome::Outcome;
use crate::state::{Draw, Slot, State};
use std::rc::Rc;

impl WasmMachine {
    /// Makes four bytes a pointer that is an input.
    pub(crate) fn make_pointer(
        &mut self,
        state: &mut State,
        address: u32,
        ty: u32,
        name: &str,
        at: Option<(u32, u32)>,
    ) -> Done<()> {
        let described = self.described(state, ty)?;
        let sizes = (described.least, described.most);
        let (object, length) = self.pointer_inputs(name, described.scope, sizes);
        let pointer = Pointer { ty, object, length, target: None };
        let draw = self.add_draw(
            state,
            Draw { name: name.into(), size: 4, at, pointer: Some(pointer), ..Draw::default() },
        );
        for offset in 0..4 {
            state.memory.set_byte(address + offset, Byte::Symbolic(Cell::Drawn { draw, offset }));
        }
        Ok(())
    }

    /// Makes a struct in memory an input, field by field.
    pub(crate) fn make_struct(&mut self, state: &mut State, address: u32, ty: u32, name: &str) -> Done<()> {
        let described = self.described(state, ty)?;
        let size = described.size;
        let whole =
            self.add_draw(state, Draw { name: name.into(), size, is_struct: true, ..Draw::default() });
        let way = |field: &str| format!("{name}.{field}");
        self.make_fields(state, (address, 0), &described.fields, None, &way)?;
        // Its fields follow it.
        let end = state.draws.len() as u32;
        Rc::make_mut(&mut state.draws)[whole as usize].fields = (whole + 1, end);
        Ok(())
    }

    /// A new object for a pointer: its number.
    pub(super) fn make_object(
        &mut self,
        state: &mut State,
        (pointer, name): (&Pointer, &Rc<str>),
        ty: &Described,
        chosen: u32,
    ) -> Done<u32> {
        let room = ty.size * ty.most + u32::from(ty.form == Form::Text);
        let from = self.layout.arena + state.lazy.next;
        let Some((start, next)) =
            place(from, room, ALIGNMENT).filter(|(_, next)| *next <= self.layout.first_object)
        else {
            return Err(Stop::end(Outcome::Cut("objects")));
        };
        let type_name = self.name(state, Slot::Number(ty.name.into()))?.into();
        let (_, length) = self.pointer_inputs(name, ty.scope, (ty.least, ty.most));
        let alike = state.lazy.made.iter().filter(|made| ty.scope > 0 && made.ty == pointer.ty).count();
        let lazy = Rc::make_mut(&mut state.lazy);
        lazy.next = next - self.layout.arena;
        lazy.made.push(Made {
            name: name.clone(),
            type_name,
            ty: pointer.ty,
            number: alike as u32 + 1,
            start: start - self.layout.arena,
            room,
            element: ty.size,
            length,
            form: ty.form,
            known: 0,
            most: ty.most,
        });
        let number = lazy.made.len() as u32;
        state.heap.insert(Object { start, size: 0, freed: false, by: 0 });
        match ty.form {
            Form::Fields => self.extend(state, number, ty, ty.least)?,
            Form::Values => {
                let values = ty.fields.first().and_then(|field| field.values.clone());
                let at = Some((number, 0));
                let draw = Draw {
                    name: name.clone(),
                    size: room,
                    at,
                    values,
                    unit: ty.size as u8,
                    is_row: true,
                    ..Draw::default()
                };
                self.add_draw(state, draw);
                self.extend(state, number, ty, ty.least)?;
            }
            Form::Text => {
                let draw = Draw {
                    name: name.clone(),
                    size: chosen,
                    at: Some((number, 0)),
                    unit: 1,
                    is_row: true,
                    range: Some((1, 255)),
                    ..Draw::default()
                };
                let draw = self.add_draw(state, draw);
                state.memory.poison(start, chosen + 1, false);
                for offset in 0..chosen {
                    state.memory.set_byte(start + offset, Byte::Symbolic(Cell::Drawn { draw, offset }));
                }
                state.memory.store(start + chosen, 1, 0);
                state.heap.resize(start, chosen + 1);
                Rc::make_mut(&mut state.lazy).made[number as usize - 1].known = ty.most;
            }
        }
        Ok(number)
    }

    /// Elements of an object come to exist.
    pub(super) fn extend(&mut self, state: &mut State, number: u32, ty: &Described, known: u32) -> Done<()> {
        let lazy = Rc::make_mut(&mut state.lazy);
        let made = &mut lazy.made[number as usize - 1];
        let before = std::mem::replace(&mut made.known, known);
        let (start, name) = (self.layout.arena + made.start, made.name.clone());
        state.memory.poison(start + before * ty.size, (known - before) * ty.size, false);
        state.heap.resize(start, known * ty.size);
        let whole = state.draws.iter().position(|d| d.at == Some((number, 0)) && d.pointer.is_none());
        for index in before..known {
            let offset = index * ty.size;
            if ty.form == Form::Values {
                let draw = whole.unwrap_or(0) as u32;
                for offset in offset..offset + ty.size {
                    state.memory.set_byte(start + offset, Byte::Symbolic(Cell::Drawn { draw, offset }));
                }
                continue;
            }
            let way = |field: &str| match (index, field) {
                (index, "") => format!("{name}[{index}]"),
                (0, field) => format!("{name}->{field}"),
                (index, field) => format!("{name}[{index}].{field}"),
            };
            self.make_fields(state, (start + offset, offset), &ty.fields, Some(number), &way)?;
        }
        Ok(())
    }

    /// Fields of one element become inputs.
    fn make_fields(
        &mut self,
        state: &mut State,
        (address, offset): (u32, u32),
        fields: &[Field],
        object: Option<u32>,
        way: &dyn Fn(&str) -> String,
    ) -> Done<()> {
        for field in fields {
            let name = way(&field.name);
            // Fields of a struct that is no object follow its draw.
            let at = |more: u32| Some((object.unwrap_or(0), offset + field.offset + more));
            if field.ty != 0 {
                for item in 0..field.count {
                    let name = if field.count == 1 { name.clone() } else { format!("{name}[{item}]") };
                    let place = address + field.offset + 4 * item;
                    self.make_pointer(state, place, field.ty, &name, at(4 * item))?;
                }
                continue;
            }
            let size = field.size * field.count;
            if size == 0 {
                continue;
            }
            let draw = Draw {
                name: name.into(),
                size,
                at: at(0),
                values: field.values.clone(),
                unit: field.size as u8,
                ..Draw::default()
            };
            let draw = self.add_draw(state, draw);
            for byte in 0..size {
                let cell = Cell::Drawn { draw, offset: byte };
                state.memory.set_byte(address + field.offset + byte, Byte::Symbolic(cell));
            }
        }
        Ok(())
    }
}
