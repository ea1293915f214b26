//! Functions that are done by the machine instead of by code: imports, the allocator, models of the C
//! library.
//!
//! They are found by name once, when the machine is made. What a harness calls (KLEE's intrinsics, those of
//! the verification community, our own) and what AddressSanitizer's instrumentation calls are imports.

use crate::code::To;
use crate::heap::{ALIGNMENT, Object, place};
use crate::load::Access;
use crate::machine::{Done, MOST_BYTES, Options, Stop, WasmMachine};
use crate::module::{Module, Signature, Type};
use crate::outcome::{FailureKind, OutByte, Outcome};
use crate::state::{Scalar, Slot, State};
use crate::{Trap, calc};
use evergreen_symbolic::{Const, Rel};
use std::rc::Rc;

/// What is done instead of a function's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Native {
    /// What.
    pub kind: NativeKind,
    /// The name by which it was found.
    pub name: String,
}

/// A function that the machine does itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum NativeKind {
    Malloc,
    Calloc,
    Realloc,
    ReallocArray,
    Free,
    AlignedAlloc,
    PosixMemalign,
    UsableSize,
    Abort,
    AssertFail,
    /// A model of a function of the C library, with the same result as its code.
    Model(Model),
    /// Bytes of memory become inputs.
    MakeSymbolic,
    /// A pointer becomes an input.
    MakePointer,
    /// A struct becomes an input.
    MakeStruct,
    /// A value is drawn; whether it is a truth value.
    Draw(Scalar, bool),
    /// An int from a range: whether the upper end belongs to it.
    Range {
        closed: bool,
    },
    /// An unsigned below a bound.
    Choose,
    Assume,
    Assert,
    SilentExit,
    ReachError,
    Report,
    /// A finding with a message.
    Fail,
    Identity,
    IsSymbolic,
    Nothing,
    /// Marks shadow bytes: 0 is valid, 1 to 7 so many of 8 bytes, others are red zones.
    SetShadow(u8),
    RegisterGlobals,
    AllocaPoison,
    AllocasUnpoison,
    /// A check of a sanitizer has failed.
    Sanitizer,
    /// A call of WASI.
    Wasi,
    /// Nothing is known of this import.
    Missing,
}

/// Functions of the C library that are done at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Model {
    Memcpy,
    Memset,
    Memcmp,
    Memchr,
    Strlen,
    Strcmp,
    Strncmp,
    Strchr,
    Strchrnul,
    Stpcpy,
    Stpncpy,
}

impl NativeKind {
    /// Whether a function with a body of its own is replaced altogether: its code has another effect.
    pub fn is_replaced(self) -> bool {
        !matches!(self, NativeKind::Model(_))
    }
}

/// The functions of the allocator and others that have a body.
fn defined(name: &str) -> Option<NativeKind> {
    Some(match name {
        "malloc" => NativeKind::Malloc,
        "calloc" => NativeKind::Calloc,
        "realloc" => NativeKind::Realloc,
        "reallocarray" => NativeKind::ReallocArray,
        "free" => NativeKind::Free,
        "aligned_alloc" | "memalign" => NativeKind::AlignedAlloc,
        "posix_memalign" => NativeKind::PosixMemalign,
        "malloc_usable_size" => NativeKind::UsableSize,
        "abort" => NativeKind::Abort,
        "__assert_fail" => NativeKind::AssertFail,
        _ => return None,
    })
}

fn model(name: &str) -> Option<Model> {
    Some(match name {
        "memcpy" | "memmove" | "__asan_memcpy" | "__asan_memmove" => Model::Memcpy,
        "memset" | "__asan_memset" => Model::Memset,
        "memcmp" => Model::Memcmp,
        "memchr" => Model::Memchr,
        "strlen" => Model::Strlen,
        "strcmp" => Model::Strcmp,
        "strncmp" => Model::Strncmp,
        "strchr" => Model::Strchr,
        "strchrnul" | "__strchrnul" => Model::Strchrnul,
        "stpcpy" | "__stpcpy" => Model::Stpcpy,
        "stpncpy" | "__stpncpy" => Model::Stpncpy,
        _ => return None,
    })
}

/// The type of a drawn value by the name of its C type.
fn drawn(c_type: &str) -> Option<NativeKind> {
    let int = |width, signed| NativeKind::Draw(Scalar { width, signed, float: false }, false);
    Some(match c_type {
        "bool" | "_Bool" => NativeKind::Draw(Scalar { width: 1, signed: false, float: false }, true),
        "char" | "schar" | "s8" | "int8" | "int8_t" => int(1, true),
        "uchar" | "unsigned_char" | "u8" | "uint8" | "uint8_t" => int(1, false),
        "short" | "s16" | "int16" | "int16_t" => int(2, true),
        "ushort" | "unsigned_short" | "u16" | "uint16" | "uint16_t" => int(2, false),
        "int" | "s32" | "int32" | "int32_t" | "long" => int(4, true),
        "uint" | "unsigned" | "unsigned_int" | "u32" | "uint32" | "uint32_t" | "ulong" | "unsigned_long"
        | "size_t" | "pointer" => int(4, false),
        "longlong" | "s64" | "int64" | "int64_t" | "loff_t" => int(8, true),
        "ulonglong" | "u64" | "uint64" | "uint64_t" => int(8, false),
        "float" => NativeKind::Draw(Scalar { width: 4, signed: true, float: true }, false),
        "double" => NativeKind::Draw(Scalar { width: 8, signed: true, float: true }, false),
        _ => return None,
    })
}

fn imported(module: &str, name: &str) -> NativeKind {
    if module == "wasi_snapshot_preview1" {
        return NativeKind::Wasi;
    }
    // The host of the official test suite.
    if module == "spectest" && name.starts_with("print") {
        return NativeKind::Nothing;
    }
    match name {
        "klee_make_symbolic" | "evergreen_bytes" => NativeKind::MakeSymbolic,
        "evergreen_pointer" => NativeKind::MakePointer,
        "evergreen_struct" => NativeKind::MakeStruct,
        "klee_int" | "evergreen_int" => drawn("int").unwrap_or(NativeKind::Missing),
        "evergreen_int64" => drawn("int64").unwrap_or(NativeKind::Missing),
        "evergreen_float" => drawn("float").unwrap_or(NativeKind::Missing),
        "evergreen_double" => drawn("double").unwrap_or(NativeKind::Missing),
        "klee_range" => NativeKind::Range { closed: false },
        "evergreen_range" => NativeKind::Range { closed: true },
        "klee_choose" => NativeKind::Choose,
        "klee_assume" | "__VERIFIER_assume" | "evergreen_assume" => NativeKind::Assume,
        "klee_assert" | "__VERIFIER_assert" | "evergreen_assert" => NativeKind::Assert,
        "klee_silent_exit" => NativeKind::SilentExit,
        "klee_abort" | "abort" => NativeKind::Abort,
        "reach_error" | "__VERIFIER_error" => NativeKind::ReachError,
        "klee_report_error" => NativeKind::Report,
        "evergreen_fail" => NativeKind::Fail,
        "klee_is_symbolic" => NativeKind::IsSymbolic,
        "__assert_fail" => NativeKind::AssertFail,
        "__asan_register_globals" => NativeKind::RegisterGlobals,
        "__asan_alloca_poison" => NativeKind::AllocaPoison,
        "__asan_allocas_unpoison" => NativeKind::AllocasUnpoison,
        _ => {
            if let Some(model) = model(name) {
                return NativeKind::Model(model);
            }
            if let Some(code) = name.strip_prefix("__asan_set_shadow_") {
                return u8::from_str_radix(code, 16).map_or(NativeKind::Missing, NativeKind::SetShadow);
            }
            if name.starts_with("klee_get_value") {
                return NativeKind::Identity;
            }
            if name.starts_with("__asan_report_") || name.starts_with("__ubsan_handle_") {
                return NativeKind::Sanitizer;
            }
            if name.starts_with("klee_") || name.starts_with("__asan_") {
                return NativeKind::Nothing;
            }
            let nondet = name.strip_prefix("__VERIFIER_nondet_").and_then(drawn);
            nondet.unwrap_or(NativeKind::Missing)
        }
    }
}

/// What is done instead of code, for each function of a module.
pub(crate) fn of(module: &Module, options: &Options) -> Vec<Option<Native>> {
    let mut all: Vec<Option<Native>> = Vec::with_capacity(module.functions.len());
    for (function, import) in (0..).zip(&module.imports) {
        let kind = imported(&import.module, &import.name);
        let fits = fits_import(module, function, kind, &import.name);
        all.push(Some(Native {
            kind: if fits { kind } else { NativeKind::Missing },
            name: import.name.clone(),
        }));
    }
    for function in module.imports.len()..module.functions.len() {
        let name = module.names[function].as_deref().unwrap_or("");
        let always = |kind: &NativeKind| matches!(kind, NativeKind::Abort | NativeKind::AssertFail);
        let kind = match defined(name).filter(|kind| options.checks || always(kind)) {
            Some(kind) => Some(kind),
            None => model(name).filter(|_| options.models).map(NativeKind::Model),
        };
        let kind = kind.filter(|kind| fits(module, function as u32, *kind));
        all.push(kind.map(|kind| Native { kind, name: name.to_string() }));
    }
    all
}

/// Whether a function that has the name also has the type: a program may have its own `free(int, int)`.
fn fits(module: &Module, function: u32, kind: NativeKind) -> bool {
    let signature = module.signature(function);
    let (params, results) = match kind {
        NativeKind::Malloc | NativeKind::UsableSize | NativeKind::Model(Model::Strlen) => (1, 1),
        NativeKind::Calloc
        | NativeKind::Realloc
        | NativeKind::AlignedAlloc
        | NativeKind::Model(Model::Strcmp | Model::Strchr | Model::Strchrnul | Model::Stpcpy) => (2, 1),
        NativeKind::ReallocArray | NativeKind::PosixMemalign | NativeKind::Model(_) => (3, 1),
        NativeKind::Free => (1, 0),
        NativeKind::Abort => (0, 0),
        NativeKind::AssertFail => (4, 0),
        _ => return true,
    };
    let is_int = |t: &Type| *t == Type::I32;
    signature.params.len() == params
        && signature.results.len() == results
        && signature.params.iter().chain(&signature.results).all(is_int)
}

/// A type as letters, such as "iI:i" for an i32 and an i64 as parameters and an i32 as the result.
fn letters(signature: &Signature) -> String {
    let letter = |t: &Type| match t {
        Type::I32 => 'i',
        Type::I64 => 'I',
        Type::F32 => 'f',
        Type::F64 => 'F',
        Type::Reference => 'r',
    };
    let letters = |types: &[Type]| types.iter().map(letter).collect::<String>();
    format!("{}:{}", letters(&signature.params), letters(&signature.results))
}

/// The same for imports: a harness may declare them wrongly.
fn fits_import(module: &Module, function: u32, kind: NativeKind, name: &str) -> bool {
    let signature = module.signature(function);
    let letters = letters(signature);
    let (params, results) = (&signature.params, &signature.results);
    match kind {
        NativeKind::Draw(scalar, _) => {
            let result = match (scalar.width, scalar.float) {
                (4, true) => Type::F32,
                (_, true) => Type::F64,
                (8, _) => Type::I64,
                _ => Type::I32,
            };
            params.iter().all(|t| *t == Type::I32) && **results == [result]
        }
        NativeKind::Range { .. } => letters == "iii:i",
        NativeKind::Choose => letters == "i:i",
        NativeKind::Assume | NativeKind::Assert => matches!(letters.as_str(), "i:" | "i:i"),
        NativeKind::SilentExit | NativeKind::Fail => letters == "i:",
        NativeKind::Report | NativeKind::AssertFail => letters == "iiii:",
        NativeKind::Identity => params.len() == 1 && params == results,
        NativeKind::IsSymbolic => params.len() == 1 && **results == [Type::I32],
        NativeKind::MakeSymbolic | NativeKind::MakePointer | NativeKind::MakeStruct => letters == "iii:",
        NativeKind::SetShadow(_)
        | NativeKind::RegisterGlobals
        | NativeKind::AllocaPoison
        | NativeKind::AllocasUnpoison => letters == "ii:",
        NativeKind::Nothing => results.len() < 2 && !results.contains(&Type::Reference),
        NativeKind::Wasi => crate::wasi::CALLS.contains(&(name, letters.as_str())),
        NativeKind::Model(_) => fits(module, function, kind),
        _ => true,
    }
}

impl WasmMachine {
    /// Does what a native function does.
    pub(crate) fn native(&mut self, state: &mut State, native: &Native, args: &[Slot]) -> Done<Option<Slot>> {
        let number = |n: u32| Ok(Some(Slot::Number(n.into())));
        match native.kind {
            NativeKind::Malloc | NativeKind::AlignedAlloc => {
                let size = self.pin_size(state, args[args.len() - 1])?;
                let alignment = if args.len() == 2 { self.pin(state, args[0])? as u32 } else { 1 };
                number(self.allocate(state, size, alignment))
            }
            NativeKind::Calloc => {
                let (count, each) = (self.pin_size(state, args[0])?, self.pin_size(state, args[1])?);
                let Some(size) = count.checked_mul(each) else { return number(0) };
                number(self.allocate(state, size, 1))
            }
            NativeKind::Realloc => self.reallocate(state, args[0], args[1]),
            NativeKind::ReallocArray => {
                let (count, each) = (self.pin_size(state, args[1])?, self.pin_size(state, args[2])?);
                let Some(size) = count.checked_mul(each) else { return number(0) };
                self.reallocate(state, args[0], Slot::Number(size.into()))
            }
            NativeKind::Free => {
                let address = self.pin(state, args[0])? as u32;
                self.free(state, address)?;
                Ok(None)
            }
            NativeKind::PosixMemalign => {
                let (to, alignment) = (self.pin(state, args[0])?, self.pin(state, args[1])? as u32);
                let size = self.pin_size(state, args[2])?;
                if !alignment.is_power_of_two() || alignment < 4 {
                    return number(28);
                }
                let address = self.allocate(state, size, alignment);
                if address == 0 {
                    return number(48);
                }
                self.store_at(state, (4, To::I32), Slot::Number(address.into()), to)?;
                number(0)
            }
            NativeKind::UsableSize => {
                let address = self.pin(state, args[0])? as u32;
                self.fix_length(state, address)?;
                number(state.heap.object(address).map_or(0, |object| object.size))
            }
            NativeKind::Model(model) => self.model(state, model, args),
            NativeKind::Wasi => self.wasi(state, &native.name, args),
            NativeKind::Nothing => number(0),
            NativeKind::Identity => Ok(args.first().copied()),
            NativeKind::IsSymbolic => number(args[0].number().is_none().into()),
            NativeKind::Missing => {
                let name = &native.name;
                self.unsupported(state, format!("the import '{name}' is not known"))
            }
            NativeKind::SetShadow(code) => {
                let (shadow, size) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                self.set_shadow(state, code, shadow, size);
                Ok(None)
            }
            NativeKind::RegisterGlobals => self.register_globals(state, args),
            NativeKind::AllocaPoison => {
                let (at, size) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                if self.options.checks {
                    let end = at.wrapping_add(size);
                    state.memory.poison(at.wrapping_sub(32), 32, true);
                    state.memory.poison(
                        end,
                        end.next_multiple_of(32).wrapping_sub(end).wrapping_add(32),
                        true,
                    );
                }
                Ok(None)
            }
            NativeKind::AllocasUnpoison => {
                let (top, bottom) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                if top != 0 && top <= bottom {
                    state.memory.poison(top, bottom - top, false);
                }
                Ok(None)
            }
            _ => self.harness(state, native, args),
        }
    }

    /// What harnesses call.
    fn harness(&mut self, state: &mut State, native: &Native, args: &[Slot]) -> Done<Option<Slot>> {
        match native.kind {
            NativeKind::MakeSymbolic => {
                let (address, size) = (self.pin(state, args[0])? as u32, self.pin_size(state, args[1])?);
                let name = self.name(state, args[2])?;
                self.check_range(state, Access::Write, address.into(), size.into())?;
                self.make_symbolic(state, address, size, &name);
                Ok(None)
            }
            NativeKind::MakePointer | NativeKind::MakeStruct => {
                if !self.has_arena() {
                    return self.unsupported(state, "pointers as inputs without checks of memory");
                }
                let (address, ty) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                let name = self.name(state, args[2])?;
                let is_pointer = native.kind == NativeKind::MakePointer;
                let size = if is_pointer { 4 } else { self.size_of(state, ty)? };
                self.check_range(state, Access::Write, address.into(), size.into())?;
                match is_pointer {
                    true => self.make_pointer(state, address, ty, &name, None)?,
                    false => self.make_struct(state, address, ty, &name)?,
                }
                Ok(None)
            }
            NativeKind::Draw(scalar, is_bool) => {
                let name = match args.first() {
                    Some(name) => self.name(state, *name)?,
                    None => native.name.trim_start_matches("__VERIFIER_nondet_").to_string(),
                };
                let value = self.draw_scalar(state, &name, scalar);
                if !is_bool {
                    return Ok(Some(value));
                }
                let holds = self.not_zero(value);
                Ok(Some(calc::truth(&mut self.exprs.borrow_mut(), holds)))
            }
            NativeKind::Range { closed } => self.draw_range(state, args, closed),
            NativeKind::Choose => {
                // The draw is made again when the instruction is: nothing else has changed by then.
                let draws = state.draws.clone();
                let scalar = Scalar { width: 4, signed: false, float: false };
                let value = self.draw_scalar(state, "choose", scalar);
                let fits = {
                    let mut exprs = self.exprs.borrow_mut();
                    let (value, limit) =
                        (calc::expr(&mut exprs, value, To::I32), calc::expr(&mut exprs, args[0], To::I32));
                    exprs.relate_unsigned(Rel::Lt, value, limit)
                };
                self.assumed(state, fits, draws)?;
                Ok(Some(value))
            }
            NativeKind::Assume => {
                let holds = self.truth_of(args[0]);
                let draws = state.draws.clone();
                self.assumed(state, holds, draws)?;
                Ok(None)
            }
            NativeKind::Assert => {
                let holds = self.truth_of(args[0]);
                if !self.is(state, holds)? {
                    return self.fail(state, FailureKind::Assertion, native.name.clone());
                }
                Ok(None)
            }
            NativeKind::SilentExit => Err(Stop::end(Outcome::Assumed)),
            NativeKind::Abort | NativeKind::ReachError => {
                self.fail(state, FailureKind::Abort, native.name.clone())
            }
            NativeKind::Report => {
                let message = self.name(state, args[2])?;
                self.fail(state, FailureKind::Abort, message)
            }
            NativeKind::AssertFail | NativeKind::Fail => {
                let condition = self.name(state, args[0])?;
                self.fail(state, FailureKind::Assertion, condition)
            }
            NativeKind::Sanitizer => {
                let name = native.name.trim_start_matches("__ubsan_handle_");
                let name = name.trim_end_matches("_abort").trim_end_matches("_minimal").replace('_', " ");
                self.fail(state, FailureKind::Undefined, name)
            }
            _ => self.unsupported(state, format!("the import '{}' is not known", native.name)),
        }
    }

    fn truth_of(&mut self, value: Slot) -> evergreen_symbolic::Cond {
        match value {
            Slot::Number(0) => evergreen_symbolic::Cond::FALSE,
            Slot::Number(_) => evergreen_symbolic::Cond::TRUE,
            Slot::Symbolic(_) => self.not_zero(value),
        }
    }

    /// Ends the path where a condition does not hold; until that is decided, `draws` are what was drawn.
    fn assumed(
        &mut self,
        state: &mut State,
        holds: evergreen_symbolic::Cond,
        draws: Rc<Vec<crate::Draw>>,
    ) -> Done<()> {
        let now = std::mem::replace(&mut state.draws, draws);
        let holds = self.is(state, holds)?;
        state.draws = now;
        if holds { Ok(()) } else { Err(Stop::end(Outcome::Assumed)) }
    }

    fn draw_range(&mut self, state: &mut State, args: &[Slot], closed: bool) -> Done<Option<Slot>> {
        let name = self.name(state, args[2])?;
        let scalar = Scalar { width: 4, signed: true, float: false };
        // Between two numbers the input itself has the range: nothing is refused, and shares of inputs are
        // those of the range.
        if let [Slot::Number(low), Slot::Number(high), _] = args[..] {
            let (low, high) = (i64::from(low as i32), i64::from(high as i32) - i64::from(!closed));
            if low > high {
                return Err(Stop::end(Outcome::Assumed));
            }
            return Ok(Some(self.draw_within(state, &name, scalar, Some((low, high)))));
        }
        let draws = state.draws.clone();
        let value = self.draw_scalar(state, &name, scalar);
        let fits = {
            let mut exprs = self.exprs.borrow_mut();
            let [value, low, high] =
                [value, args[0], args[1]].map(|slot| calc::expr(&mut exprs, slot, To::I32));
            let above = exprs.relate(Rel::Ge, value, low);
            let below = exprs.relate(if closed { Rel::Le } else { Rel::Lt }, value, high);
            exprs.and(above, below)
        };
        self.assumed(state, fits, draws)?;
        Ok(Some(value))
    }

    /// A text that ends with a zero, as far as it is known.
    pub(crate) fn name(&mut self, state: &mut State, address: Slot) -> Done<String> {
        let address = self.pin(state, address)? as u32;
        let mut bytes = Vec::new();
        for at in (address..).take(4096) {
            if address == 0 || !state.memory.has(at.into(), 1) {
                break;
            }
            match self.text_byte(state, at) {
                OutByte::Number(0) => break,
                OutByte::Number(n) => bytes.push(n),
                OutByte::Symbolic(_) => bytes.push(b'?'),
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    // The allocator.

    /// A size that an allocation is asked for. All that are larger than the memory can be are one.
    fn pin_size(&mut self, state: &mut State, size: Slot) -> Done<u32> {
        if let Slot::Symbolic(e) = size {
            let large = {
                let mut exprs = self.exprs.borrow_mut();
                let limit = exprs.constant(Const::I32(MOST_BYTES as i32));
                exprs.relate_unsigned(Rel::Gt, e, limit)
            };
            if self.is(state, large)? {
                return Ok(u32::MAX);
            }
        }
        Ok(self.pin(state, size)? as u32)
    }

    /// A new object: its address, or 0 if there is no room.
    pub(crate) fn allocate(&mut self, state: &mut State, size: u32, alignment: u32) -> u32 {
        let end = state.memory.bytes().min(u32::MAX.into()) as u32;
        // Somebody else has taken the memory behind the heap.
        if state.heap.limit > self.layout.heap && state.heap.limit < end && state.heap.next + ALIGNMENT > end
        {
            state.heap.next = end;
        }
        let Some((start, next)) = place(state.heap.next, size, alignment) else { return 0 };
        let bytes = state.memory.bytes();
        if u64::from(next) > bytes {
            let pages = (u64::from(next) - bytes).div_ceil(1 << 16) as u32;
            if state.memory.grow(pages).is_none() {
                return 0;
            }
            state.memory.poison(bytes as u32, pages << 16, true);
        }
        state.memory.poison(start, size, false);
        let by = self.module.code.offsets.get(state.pc as usize).copied().unwrap_or(0);
        state.heap.add(Object { start, size, freed: false, by }, next);
        if self.options.leaks && !self.is_own(state) {
            state.heap.disown(start);
        }
        state.heap.limit = state.memory.bytes().min(u32::MAX.into()) as u32;
        start
    }

    fn reallocate(&mut self, state: &mut State, old: Slot, size: Slot) -> Done<Option<Slot>> {
        let (old, size) = (self.pin(state, old)? as u32, self.pin_size(state, size)?);
        if old != 0 {
            self.check_free(state, old)?;
            self.fix_length(state, old)?;
        }
        let new = self.allocate(state, size, 1);
        if new != 0
            && let Some(object) = state.heap.object(old)
        {
            state.memory.copy(new, old, object.size.min(size));
            self.free(state, old)?;
        }
        Ok(Some(Slot::Number(new.into())))
    }

    fn check_free(&mut self, state: &mut State, address: u32) -> Done<()> {
        match state.heap.object(address) {
            None => self.fail(state, FailureKind::InvalidFree, format!("address 0x{address:x}")),
            Some(object) if object.freed => {
                let message = format!("an object of {} bytes", object.size);
                self.fail(state, FailureKind::DoubleFree, message)
            }
            Some(_) => Ok(()),
        }
    }

    fn free(&mut self, state: &mut State, address: u32) -> Done<()> {
        if address == 0 {
            return Ok(());
        }
        self.check_free(state, address)?;
        if let Some(object) = state.heap.object(address) {
            let by = self.module.code.offsets.get(state.pc as usize).copied().unwrap_or(0);
            state.memory.poison(object.start, object.size, true);
            state.heap.free(address, by);
        }
        Ok(())
    }

    // What instrumentation says of objects.

    fn set_shadow(&mut self, state: &mut State, code: u8, shadow: u32, size: u32) {
        if !self.options.checks {
            return;
        }
        let (start, bytes) = ((shadow & !0x2000_0000) << 3, size << 3);
        if !state.memory.has(start.into(), bytes.into()) {
            return;
        }
        match code {
            0 => state.memory.poison(start, bytes, false),
            1..8 => {
                for group in 0..size {
                    let at = start + 8 * group;
                    state.memory.poison(at, code.into(), false);
                    state.memory.poison(at + u32::from(code), 8 - u32::from(code), true);
                }
            }
            _ => state.memory.poison(start, bytes, true),
        }
        state.marked(code, (start, bytes));
    }

    /// Red zones behind globals: eight words each, of which the first three are address, size, size with
    /// zone.
    fn register_globals(&mut self, state: &mut State, args: &[Slot]) -> Done<Option<Slot>> {
        let (first, count) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
        if !state.memory.has(first.into(), u64::from(count) * 32) {
            return self.trap(state, Trap::OutOfMemory);
        }
        for global in 0..count {
            let word = |n: u32| {
                let bytes = state.memory.read(first + global * 32 + 4 * n, 4);
                u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
            };
            let (start, size, whole) = (word(0), word(1), word(2));
            if self.options.checks && size <= whole && state.memory.has(start.into(), whole.into()) {
                state.memory.poison(start + size, whole - size, true);
                let known = Rc::make_mut(&mut state.known_globals);
                known.push((start, size));
            }
        }
        Rc::make_mut(&mut state.known_globals).sort_unstable();
        Ok(None)
    }
}
