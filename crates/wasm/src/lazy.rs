//! Pointers that are inputs: null, an object that is there, or a new one, decided when they are first read.
//!
//! Lazy initialization [Khurshid, Pasareanu, Visser TACAS'03] on linear memory. A harness says where such a
//! pointer is and gives a table that describes what it points to (`struct evergreen_type` in evergreen.h):
//! the machine reads the table from memory and needs to know nothing of C. Until it is read a pointer is a
//! draw like others; its bytes can be copied. The first read is a decision over the input `NAME.object`: 0 is
//! null, k the k-th object of the type, the next number a new one. Objects of inputs lie in an *arena* of
//! their own, before the heap of the program, so that a test can put them there before it begins.
//!
//! How many elements an object has is decided when it is needed: an access behind the elements that are known
//! to exist asks whether `NAME.length` is large enough; a text has its length from the beginning.
//!
//! A decision of this kind changes the state, and the instruction begins anew without its earlier decisions
//! ([`Stop::Again`]): their conditions are on the path, so that they are decided as before.

mod make;
mod table;

use crate::machine::{Done, Stop, WasmMachine};
use crate::memory::{Byte, Cell};
use crate::outcome::Outcome;
use crate::state::{Draw, State};
use evergreen_symbolic::{Cond, Const, Expr, InputKind, Rel};
use std::rc::Rc;
use table::Described;

/// Bytes of the arena.
pub(crate) const ARENA: u32 = 1 << 18;

/// The imports by which a harness makes a pointer, or a struct with pointers, an input.
pub(crate) const IMPORTS: [&str; 2] = ["evergreen_pointer", "evergreen_struct"];

/// A pointer that is an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    /// The address of the description of what it points to.
    pub ty: u32,
    /// The input that says where it points to.
    pub object: Expr,
    /// The input that says how many elements there are.
    pub length: Expr,
    /// The number of the object, 0 if it is null; none while it is not decided.
    pub target: Option<u32>,
}

/// An object that inputs point to.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The way to it, such as `list->next`.
    pub name: Rc<str>,
    /// The name of its type.
    pub type_name: Rc<str>,
    /// The address of the description of its type.
    pub ty: u32,
    /// Its number among the objects of its type, 1 where each pointer has its own.
    pub number: u32,
    /// Its first byte, from the beginning of the arena on.
    pub start: u32,
    /// Bytes that were kept for it.
    pub room: u32,
    /// Bytes of an element.
    pub element: u32,
    /// Its number of elements; of a text, without the zero behind it.
    pub length: Expr,
    /// What its bytes are.
    pub form: Form,
    /// Elements that are known to exist.
    known: u32,
    /// Elements that it can have.
    most: u32,
}

/// What the bytes of an object are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Elements with fields.
    Fields,
    /// Characters other than zero, and a zero behind them.
    Text,
    /// Elements that are values.
    Values,
}

/// What a caller fixes of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// Its value.
    Number(i64),
    /// The value of a float, by the bits of a double.
    Float(u64),
    /// A pointer is null.
    Null,
    /// A pointer leads to a new object with so many elements.
    New(u32),
    /// A pointer leads to the object at the end of a way.
    Same(String),
}

/// Objects of inputs, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lazy {
    pub(crate) made: Vec<Made>,
    /// Nothing is in the arena from here on.
    next: u32,
    /// Whether a further object of a type would have been possible.
    pub(crate) scoped: bool,
}

impl WasmMachine {
    /// Adds a draw; a second one of the same name gets a number.
    pub(crate) fn add_draw(&mut self, state: &mut State, draw: Draw) -> u32 {
        let number = state.draws.len() as u32;
        let base = draw.name.clone();
        // A pointer and the row of elements that it leads to have one name.
        let is_alike = |d: &&Draw| d.pointer.is_some() == draw.pointer.is_some();
        let alike = state.draws.iter().filter(is_alike);
        let same = alike.filter(|d| d.name.split('#').next() == Some(&*base)).count();
        let name: Rc<str> = if same == 0 { base } else { format!("{base}#{}", same + 1).into() };
        Rc::make_mut(&mut state.draws).push(Draw { name, ..draw });
        number
    }

    /// An input, within what the caller allows for it.
    pub fn limited(&mut self, name: &str, kind: InputKind, range: Option<(i64, i64)>) -> Expr {
        if let Some((low, high)) = self.limits.range(name, kind) {
            let within = range.map(|(least, most)| (low.max(least), high.min(most)));
            // What the program itself says of its input holds, too.
            let range = match within {
                Some((low, high)) if low > high => range.unwrap_or((low, high)),
                within => within.unwrap_or((low, high)),
            };
            return self.exprs.borrow_mut().input(name, kind, Some(range));
        }
        if let Some(value) = self.limits.float(name, kind) {
            return self.exprs.borrow_mut().constant(value);
        }
        self.exprs.borrow_mut().input(name, kind, range)
    }

    /// The inputs of a pointer: which object it leads to, and how many elements that has.
    pub fn pointer_inputs(&mut self, name: &str, scope: u32, (least, most): (u32, u32)) -> (Expr, Expr) {
        let kind = if most <= 255 { InputKind::Octet } else { InputKind::Int };
        let objects = (0, i64::from(scope.max(1)));
        let lengths = (least.into(), most.into());
        let object = self.limited(&format!("{name}.object"), InputKind::Octet, Some(objects));
        (object, self.limited(&format!("{name}.length"), kind, Some(lengths)))
    }

    /// Makes an input of bytes whose numbers have gaps between them: that it is one of them is a decision,
    /// after which the instruction begins anew.
    pub(crate) fn choose_values(&mut self, state: &mut State, bytes: &[Byte]) -> Done<()> {
        let Some(Byte::Symbolic(Cell::Drawn { draw, offset })) = bytes.first() else { return Ok(()) };
        let own = &state.draws[*draw as usize];
        let width = bytes.len() as u8;
        let Some(values) = own.values.clone().filter(|_| own.unit == width) else { return Ok(()) };
        let is_made = own
            .parts
            .iter()
            .any(|part| part.0 < offset + u32::from(width) && *offset < part.0 + u32::from(part.1));
        if is_made || range_of(&values).1 || offset % u32::from(width) != 0 {
            return Ok(());
        }
        let kind = if width == 1 { InputKind::Octet } else { InputKind::Int };
        let name = crate::load::part_name(own, *offset, width);
        let e = self.limited(&name, kind, Some(range_of(&values).0));
        let is_one = {
            let mut exprs = self.exprs.borrow_mut();
            let mut any = Cond::FALSE;
            for value in values.iter() {
                let value = exprs.constant(Const::I32(*value as i32));
                let same = exprs.relate(Rel::Eq, e, value);
                any = exprs.or(any, same);
            }
            any
        };
        if !self.is(state, is_one)? {
            return Err(Stop::end(Outcome::Assumed));
        }
        let own = &mut Rc::make_mut(&mut state.draws)[*draw as usize];
        let at = own.parts.partition_point(|part| part.0 < *offset);
        own.parts.insert(at, (*offset, width, e));
        Err(Stop::Again)
    }

    /// Whether a byte belongs to a pointer that is not decided: its draw.
    fn undecided(&self, state: &State, byte: Byte) -> Option<u32> {
        let Byte::Symbolic(Cell::Drawn { draw, .. }) = byte else { return None };
        let pointer = state.draws[draw as usize].pointer.as_ref()?;
        pointer.target.is_none().then_some(draw)
    }

    /// Decides all pointers of a range whose bytes are looked at.
    pub(crate) fn settle(&mut self, state: &mut State, address: u32, size: u32) -> Done<()> {
        if !self.has_arena() {
            return Ok(());
        }
        for at in address..address.saturating_add(size) {
            if state.memory.has(at.into(), 1)
                && let Some(draw) = self.undecided(state, state.memory.byte(at))
            {
                return self.decide_pointer(state, draw);
            }
        }
        Ok(())
    }

    /// The number that bytes of pointers are, if all of them are such bytes; decides what is not decided.
    pub(crate) fn pointer_bytes(&mut self, state: &mut State, bytes: &[Byte]) -> Done<Option<u64>> {
        if !self.has_arena() {
            return Ok(None);
        }
        for byte in bytes {
            if let Some(draw) = self.undecided(state, *byte) {
                self.decide_pointer(state, draw)?;
            }
        }
        let mut bits = 0;
        for (place, byte) in bytes.iter().enumerate() {
            let Byte::Symbolic(Cell::Drawn { draw, offset }) = byte else { return Ok(None) };
            let Some(byte) = self.pointer_byte(state, *draw, *offset) else { return Ok(None) };
            bits |= u64::from(byte) << (8 * place);
        }
        Ok(Some(bits))
    }

    /// A byte of a pointer that is decided.
    pub(crate) fn pointer_byte(&self, state: &State, draw: u32, offset: u32) -> Option<u8> {
        let target = state.draws[draw as usize].pointer.as_ref()?.target?;
        let address = match target.checked_sub(1) {
            None => 0,
            Some(at) => self.layout.arena + state.lazy.made[at as usize].start,
        };
        Some(address.to_le_bytes()[offset as usize % 4])
    }

    /// Decides where a pointer points to; the instruction begins anew then.
    fn decide_pointer(&mut self, state: &mut State, draw: u32) -> Done<()> {
        let own = &state.draws[draw as usize];
        let (Some(pointer), name) = (own.pointer.clone(), own.name.clone()) else { return Ok(()) };
        let ty = self.described(state, pointer.ty)?;
        let is_shared = ty.scope > 0;
        let alike: Vec<u32> = (1u32..)
            .zip(&state.lazy.made)
            .filter(|(_, made)| is_shared && made.ty == pointer.ty)
            .map(|(number, _)| number)
            .collect();
        let there = alike.len() as u32;
        let is_bound_met = is_shared && there >= ty.scope;
        let arms = {
            let mut exprs = self.exprs.borrow_mut();
            let mut relate = |rel, e, n: u32| {
                let n = exprs.constant(Const::I32(n as i32));
                exprs.relate(rel, e, n)
            };
            let mut arms: Vec<Cond> = (0..=there).map(|n| relate(Rel::Eq, pointer.object, n)).collect();
            match ty.form {
                Form::Text => {
                    let is_new = relate(Rel::Gt, pointer.object, 0);
                    let lengths: Vec<Cond> =
                        (ty.least..=ty.most).map(|n| relate(Rel::Eq, pointer.length, n)).collect();
                    arms.extend(lengths.into_iter().map(|length| exprs.and(is_new, length)));
                }
                _ if is_bound_met => {}
                _ => {
                    // Objects are numbered without gaps: a greater number is no input.
                    arms.push(relate(Rel::Eq, pointer.object, there + 1));
                    arms.push(relate(Rel::Gt, pointer.object, there + 1));
                }
            }
            arms
        };
        let (arms, name) = self.wanted(state, &name, arms, (&alike, &ty));
        let site = self.site(state);
        let arm = self.decide(state, site, &arms)? as u32;
        let target = match arm {
            0 => 0,
            k if k <= there => alike[k as usize - 1],
            k if ty.form != Form::Text && k > there + 1 => return Err(Stop::end(Outcome::Assumed)),
            k => self.make_object(state, (&pointer, &name), &ty, k - there - 1)?,
        };
        Rc::make_mut(&mut state.lazy).scoped |= is_bound_met;
        if let Some(pointer) = &mut Rc::make_mut(&mut state.draws)[draw as usize].pointer {
            pointer.target = Some(target);
        }
        Err(Stop::Again)
    }

    /// The arms that are left if the caller has fixed where a pointer leads to, and the name of a new object.
    fn wanted(
        &mut self,
        state: &State,
        name: &Rc<str>,
        arms: Vec<Cond>,
        (alike, ty): (&[u32], &Described),
    ) -> (Vec<Cond>, Rc<str>) {
        let there = alike.len();
        // An object has the name that the caller gives it, also if another pointer leads to it first.
        let own: Rc<str> = match self.limits.fixed(name) {
            Some(Fixed::Same(way)) => way.as_str().into(),
            Some(Fixed::Null | Fixed::Number(0)) => "".into(),
            Some(Fixed::New(_)) => name.clone(),
            _ => return (arms, name.clone()),
        };
        let count = match self.limits.fixed(&own) {
            Some(Fixed::New(count)) => *count,
            _ => ty.least,
        };
        let known = alike.iter().position(|number| state.lazy.made[*number as usize - 1].name == own);
        let arm = match known {
            _ if own.is_empty() => 0,
            Some(at) => at + 1,
            None if ty.form == Form::Text => there + 1 + (count - ty.least.min(count)) as usize,
            None => there + 1,
        };
        if arm >= arms.len() {
            return (arms, name.clone());
        }
        ((0..arms.len()).map(|at| if at == arm { Cond::TRUE } else { Cond::FALSE }).collect(), own)
    }

    /// An access to a byte that does not exist yet: if an object of an input may have it, it is decided
    /// whether it has; then the instruction begins anew.
    pub(crate) fn grow(&mut self, state: &mut State, at: u32) -> Done<()> {
        if !self.has_arena() || at < self.layout.arena || at >= self.layout.first_object {
            return Ok(());
        }
        let place = at - self.layout.arena;
        let found =
            state.lazy.made.iter().position(|made| place >= made.start && place - made.start < made.room);
        let Some(found) = found else { return Ok(()) };
        let made = state.lazy.made[found].clone();
        let is_freed = state.heap.object(self.layout.arena + made.start).is_some_and(|object| object.freed);
        let index = (place - made.start) / made.element;
        if is_freed || made.form == Form::Text || index < made.known || index >= made.most {
            return Ok(());
        }
        let has = {
            let mut exprs = self.exprs.borrow_mut();
            let index = exprs.constant(Const::I32(index as i32));
            exprs.relate(Rel::Gt, made.length, index)
        };
        if !self.is(state, has)? {
            return Ok(());
        }
        let ty = self.described(state, made.ty)?;
        self.extend(state, found as u32 + 1, &ty, index + 1)?;
        Err(Stop::Again)
    }

    /// Before an address within no object is a finding: whether objects of inputs that it can reach go on.
    pub(crate) fn grow_in_reach(&mut self, state: &mut State, (least, greatest): (i64, i64)) -> Done<()> {
        for at in 0..state.lazy.made.len() {
            let made = &state.lazy.made[at];
            let start = self.layout.arena + made.start;
            let end = start + made.element * made.known;
            if least < i64::from(start + made.room) && greatest >= i64::from(end) {
                self.grow(state, end)?;
            }
        }
        Ok(())
    }

    /// The object of an input that an address belongs to: where it begins, and ends as far as is known.
    pub(crate) fn object_of_input(&self, state: &State, at: u32) -> Option<(u32, u32)> {
        if !self.has_arena() || at < self.layout.arena || at >= self.layout.first_object {
            return None;
        }
        let place = at - self.layout.arena;
        let made = &state.lazy.made;
        let made = made.iter().find(|made| place >= made.start && place - made.start < made.room)?;
        let object = state.heap.object(self.layout.arena + made.start)?;
        Some((object.start, object.start + object.size))
    }

    /// Decides all of an object's length: its size is looked at.
    pub(crate) fn fix_length(&mut self, state: &mut State, start: u32) -> Done<()> {
        let Some(made) = state.lazy.made.iter().find(|made| self.layout.arena + made.start == start) else {
            return Ok(());
        };
        let end = start + made.element * made.known;
        if made.known < made.most { self.grow(state, end) } else { Ok(()) }
    }

    /// Whether the program has pointers that are inputs.
    pub(crate) fn has_arena(&self) -> bool {
        self.layout.arena < self.layout.first_object && self.layout.arena > 0
    }
}

/// The range of some numbers, and whether it has no others.
pub(crate) fn range_of(values: &[i64]) -> ((i64, i64), bool) {
    let (least, most) = (values.iter().min().copied(), values.iter().max().copied());
    let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    ((least, most), most - least + 1 == distinct.len() as i64)
}

impl State {
    /// The objects that inputs point to, in the order in which they were made.
    pub fn made(&self) -> &[Made] {
        &self.lazy.made
    }

    /// Whether a bound on objects of a type was met: a pointer could have pointed to one more.
    pub fn is_scoped(&self) -> bool {
        self.lazy.scoped
    }
}
