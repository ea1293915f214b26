//! Functions that are done by the machine instead of by code: imports, the allocator, models of the C
//! library.
//!
//! They are found by name once, when the machine is made. What a harness calls (KLEE's intrinsics, those of
//! the verification community, our own) and what AddressSanitizer's instrumentation calls are imports.

mod allocator;
mod harness;
mod shadow;

use crate::machine::{Done, Options, WasmMachine};
use crate::module::{Module, Signature, Type};
use crate::state::{Scalar, Slot, State};

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
            NativeKind::Malloc
            | NativeKind::AlignedAlloc
            | NativeKind::Calloc
            | NativeKind::Realloc
            | NativeKind::ReallocArray
            | NativeKind::Free
            | NativeKind::PosixMemalign
            | NativeKind::UsableSize => self.allocator(state, native, args),
            NativeKind::Model(model) => self.model(state, model, args),
            NativeKind::Wasi => self.wasi(state, &native.name, args),
            NativeKind::Nothing => number(0),
            NativeKind::Identity => Ok(args.first().copied()),
            NativeKind::IsSymbolic => number(args[0].number().is_none().into()),
            NativeKind::Missing => {
                let name = &native.name;
                self.unsupported(state, format!("the import '{name}' is not known"))
            }
            NativeKind::SetShadow(_)
            | NativeKind::RegisterGlobals
            | NativeKind::AllocaPoison
            | NativeKind::AllocasUnpoison => self.shadow(state, native.kind, args),
            _ => self.harness(state, native, args),
        }
    }
}
