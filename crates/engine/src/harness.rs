//! Functions that harnesses import: KLEE's, the verification community's, ours, and those of
//! AddressSanitizer.
//!
//! A symbolic machine gives such a program fresh symbols; a test has the values that it chose. They are drawn
//! from a list in the order of the calls. A value is the little-endian bytes of its C type: 4 for `int`, 1
//! for `char` and `bool`, `n` for `klee_make_symbolic(address, n, name)`.
//!
//! | function | here |
//! |---|---|
//! | `klee_make_symbolic`, `evergreen_bytes` | n bytes, drawn, to the address |
//! | `evergreen_pointer(to, type, name)` | 4 bytes, drawn, to the address |
//! | `evergreen_struct(to, type, name)` | as many bytes as the second word of the type says |
//! | `klee_int`, `evergreen_int`, `_int64`, `_float`, `_double` | a drawn value |
//! | `__VERIFIER_nondet_*` | a drawn value; `bool` is 1 unless the byte is 0 |
//! | `klee_range(lo, hi, name)` | a drawn `int`; rejected unless lo <= it < hi, signed |
//! | `evergreen_range(lo, hi, name)` | the same with lo <= it <= hi |
//! | `klee_choose(n)` | a drawn `unsigned`; rejected unless value < n |
//! | `klee_assume`, `__VERIFIER_assume`, `evergreen_assume` | rejected if the condition is 0 |
//! | `klee_assert`, `__VERIFIER_assert`, `evergreen_assert` | a failure if the condition is 0 |
//! | `klee_silent_exit`, `klee_abort`, `klee_report_error` | ends the run |
//! | `reach_error`, `__VERIFIER_error`, `evergreen_fail(message)` | ends the run |
//! | `klee_get_value*` | its argument |
//! | `klee_is_symbolic` | 0 |
//! | other `klee_*` of klee.h, other `__asan_*` | nothing; 0 if there is a result |
//! | `__asan_memcpy`, `__asan_memmove`, `__asan_memset` | what the name says |
//! | `__asan_report_*`, `__ubsan_handle_*` | a failure |

use crate::end::{End, Failure, TrapKind};
use crate::host::text;
use crate::value::{Signature, Val, ValType};

/// What an imported function of a harness does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Harness {
    /// Draws bytes into memory: address, count, name.
    Bytes,
    /// Draws a pointer into memory: address, type, name.
    Pointer,
    /// Draws a struct into memory: address, type, name.
    Struct,
    /// Draws a value.
    Draw(Drawn),
    /// Draws an int from a range: whether the upper end belongs to it.
    Range {
        closed: bool,
    },
    /// Draws an unsigned below a bound.
    Choose,
    Assume,
    Assert(String),
    SilentExit,
    Abort,
    ReachError,
    Report,
    /// A failure with a message.
    Fail,
    Identity,
    Nothing,
    Copy,
    Fill,
    Sanitizer(String),
}

/// A C type of a drawn value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    name: String,
    ty: ValType,
    size: usize,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Signed,
    Plain,
    Bool,
}

/// The values of a test and how many are used.
#[derive(Debug, Default)]
pub(crate) struct Draws {
    pub(crate) values: Vec<(String, Vec<u8>)>,
    pub(crate) used: usize,
}

impl Draws {
    /// The next value, which has to have `size` bytes.
    fn next(&mut self, size: usize, what: &str) -> Result<&[u8], End> {
        let number = self.used;
        let Some((name, bytes)) = self.values.get(number) else {
            return Err(End::Draw(format!("draw {number}: none left for '{what}' of {size} bytes")));
        };
        if bytes.len() != size {
            let found = bytes.len();
            return Err(End::Draw(format!(
                "draw {number}: '{what}' takes {size} bytes, the test has '{name}' of {found}"
            )));
        }
        self.used += 1;
        Ok(bytes)
    }

    /// The next value as bits, extended with zeros.
    fn bits(&mut self, size: usize, what: &str) -> Result<u64, End> {
        let mut bits = [0; 8];
        bits[..size].copy_from_slice(self.next(size, what)?);
        Ok(u64::from_le_bytes(bits))
    }
}

/// Functions of klee.h that have nothing to do in a replay.
const NOTHING: [&str; 18] = [
    "klee_prefer_cex",
    "klee_posix_prefer_cex",
    "klee_is_symbolic",
    "klee_warning",
    "klee_warning_once",
    "klee_print_expr",
    "klee_print_range",
    "klee_open_merge",
    "klee_close_merge",
    "klee_stack_trace",
    "klee_set_forking",
    "klee_mark_global",
    "klee_check_memory_access",
    "klee_alias_function",
    "klee_define_fixed_object",
    "klee_is_replay",
    "klee_get_errno",
    "klee_under_constrained",
];

/// The function of a harness with this name.
pub(crate) fn find(name: &str) -> Option<Harness> {
    Some(match name {
        "klee_make_symbolic" | "evergreen_bytes" => Harness::Bytes,
        "evergreen_pointer" => Harness::Pointer,
        "evergreen_struct" => Harness::Struct,
        "klee_int" | "evergreen_int" => Harness::Draw(drawn(name, "int")?),
        "evergreen_int64" => Harness::Draw(drawn(name, "int64")?),
        "evergreen_float" => Harness::Draw(drawn(name, "float")?),
        "evergreen_double" => Harness::Draw(drawn(name, "double")?),
        "klee_range" => Harness::Range { closed: false },
        "evergreen_range" => Harness::Range { closed: true },
        "klee_choose" => Harness::Choose,
        "klee_assume" | "__VERIFIER_assume" | "evergreen_assume" => Harness::Assume,
        "klee_assert" | "__VERIFIER_assert" | "evergreen_assert" => Harness::Assert(name.to_string()),
        "klee_silent_exit" => Harness::SilentExit,
        "klee_abort" => Harness::Abort,
        "reach_error" | "__VERIFIER_error" => Harness::ReachError,
        "klee_report_error" => Harness::Report,
        "evergreen_fail" => Harness::Fail,
        "__asan_memcpy" | "__asan_memmove" => Harness::Copy,
        "__asan_memset" => Harness::Fill,
        _ if NOTHING.contains(&name) => Harness::Nothing,
        _ if name.starts_with("klee_get_value") => Harness::Identity,
        _ if name.starts_with("__asan_report_") || name.starts_with("__ubsan_handle_") => {
            Harness::Sanitizer(name.to_string())
        }
        _ if name.starts_with("__asan_") => Harness::Nothing,
        _ => {
            return name.strip_prefix("__VERIFIER_nondet_").and_then(|ty| drawn(name, ty)).map(Harness::Draw);
        }
    })
}

/// The type of a drawn value by the name of its C type on wasm32.
fn drawn(name: &str, c_type: &str) -> Option<Drawn> {
    use Form::{Bool, Plain, Signed};
    let (ty, size, form) = match c_type {
        "bool" | "_Bool" => (ValType::I32, 1, Bool),
        "char" | "schar" | "s8" | "int8" | "int8_t" => (ValType::I32, 1, Signed),
        "uchar" | "unsigned_char" | "u8" | "uint8" | "uint8_t" => (ValType::I32, 1, Plain),
        "short" | "s16" | "int16" | "int16_t" => (ValType::I32, 2, Signed),
        "ushort" | "unsigned_short" | "u16" | "uint16" | "uint16_t" => (ValType::I32, 2, Plain),
        "int" | "s32" | "int32" | "int32_t" | "long" | "uint" | "unsigned" | "unsigned_int" | "u32"
        | "uint32" | "uint32_t" | "ulong" | "unsigned_long" | "size_t" | "ssize_t" | "uintptr_t"
        | "intptr_t" | "pointer" | "pchar" | "charp" | "const_char_pointer" => (ValType::I32, 4, Plain),
        "longlong" | "s64" | "int64" | "int64_t" | "ulonglong" | "u64" | "uint64" | "uint64_t" | "loff_t" => {
            (ValType::I64, 8, Plain)
        }
        "float" => (ValType::F32, 4, Plain),
        "double" => (ValType::F64, 8, Plain),
        _ => return None,
    };
    Some(Drawn { name: name.to_string(), ty, size, form })
}

impl Harness {
    /// Whether a function of this type can be meant.
    pub(crate) fn fits(&self, signature: &Signature) -> bool {
        let letters = signature.letters();
        let (params, results) = (signature.params.as_slice(), signature.results.as_slice());
        match self {
            Harness::Bytes | Harness::Pointer | Harness::Struct => letters == "iii:",
            Harness::Draw(drawn) => results == [drawn.ty],
            Harness::Range { .. } => letters == "iii:i",
            Harness::Choose => letters == "i:i",
            Harness::Assume | Harness::Assert(_) => {
                matches!(params, [ValType::I32 | ValType::I64]) && results.len() < 2
            }
            Harness::SilentExit | Harness::Fail => letters == "i:",
            Harness::Report => letters == "iiii:",
            Harness::Identity => params.len() == 1 && params == results,
            Harness::Copy | Harness::Fill => letters == "iii:i",
            Harness::Abort | Harness::ReachError | Harness::Nothing | Harness::Sanitizer(_) => {
                results.len() < 2
            }
        }
    }

    /// Answers a call; the bits of the result, 0 if there is none.
    pub(crate) fn call(&self, args: &[Val], draws: &mut Draws, memory: &mut [u8]) -> Result<u64, End> {
        let arg = |at: usize| args.get(at).map_or(0, |value: &Val| value.bits());
        let short = |at: usize| arg(at) as u32;
        match self {
            Harness::Bytes => {
                let what = text(memory, short(2));
                let to = range(memory, short(0), short(1))?;
                to.copy_from_slice(draws.next(to.len(), &what)?);
            }
            Harness::Pointer | Harness::Struct => {
                let what = text(memory, short(2));
                let size = match self {
                    Harness::Pointer => 4,
                    _ => {
                        let word = range(memory, short(1).wrapping_add(4), 4)?;
                        u32::from_le_bytes([word[0], word[1], word[2], word[3]])
                    }
                };
                let to = range(memory, short(0), size)?;
                to.copy_from_slice(draws.next(to.len(), &what)?);
            }
            Harness::Draw(drawn) => return drawn.take(draws, args, memory),
            Harness::Range { closed } => {
                let value = draws.bits(4, &text(memory, short(2)))?;
                let (low, high, drawn) = (short(0) as i32, short(1) as i32, value as i32);
                let fits = low <= drawn && (drawn < high || *closed && drawn == high);
                return if fits { Ok(value) } else { Err(End::Rejected) };
            }
            Harness::Choose => {
                let value = draws.bits(4, "klee_choose")?;
                return if value < arg(0) { Ok(value) } else { Err(End::Rejected) };
            }
            Harness::Assume if arg(0) == 0 => return Err(End::Rejected),
            Harness::Assert(name) if arg(0) == 0 => {
                let (condition, file, function) = (name.clone(), String::new(), String::new());
                return Err(End::Failed(Failure::Assert { condition, file, line: 0, function }));
            }
            Harness::Assume | Harness::Assert(_) | Harness::Nothing => {}
            Harness::SilentExit => return Err(End::Silent(short(0) as i32)),
            Harness::Abort => return Err(End::Failed(Failure::Abort)),
            Harness::ReachError => return Err(End::Failed(Failure::ReachError)),
            Harness::Report => {
                let (file, message, suffix) =
                    (text(memory, short(0)), text(memory, short(2)), text(memory, short(3)));
                return Err(End::Failed(Failure::Report { file, line: short(1), message, suffix }));
            }
            Harness::Fail => {
                let condition = text(memory, short(0));
                let (file, function) = (String::new(), String::new());
                return Err(End::Failed(Failure::Assert { condition, file, line: 0, function }));
            }
            Harness::Sanitizer(name) => return Err(End::Failed(Failure::Sanitizer(name.clone()))),
            Harness::Identity => return Ok(arg(0)),
            Harness::Copy => {
                let from = range(memory, short(1), short(2))?.to_vec();
                range(memory, short(0), short(2))?.copy_from_slice(&from);
                return Ok(arg(0));
            }
            Harness::Fill => {
                range(memory, short(0), short(2))?.fill(short(1) as u8);
                return Ok(arg(0));
            }
        }
        Ok(0)
    }
}

impl Drawn {
    fn take(&self, draws: &mut Draws, args: &[Val], memory: &[u8]) -> Result<u64, End> {
        // Ours and KLEE's have a name as their argument; the community's have none.
        let what = args.first().map_or_else(|| self.name.clone(), |name| text(memory, name.bits() as u32));
        let bits = draws.bits(self.size, &what)?;
        Ok(match (self.form, self.size) {
            (Form::Bool, _) => u64::from(bits != 0),
            (Form::Signed, 1) => bits as u8 as i8 as i64 as u64,
            (Form::Signed, 2) => bits as u16 as i16 as i64 as u64,
            _ => bits,
        })
    }
}

/// A part of memory; a trap if it is not all there.
fn range(memory: &mut [u8], start: u32, length: u32) -> Result<&mut [u8], End> {
    let rest = memory.get_mut(start as usize..).and_then(|rest| rest.get_mut(..length as usize));
    rest.ok_or(End::Trapped(TrapKind::MemoryOutOfBounds))
}
