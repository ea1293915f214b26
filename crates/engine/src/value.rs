//! Values of WebAssembly as bits, so that equal means identical, for NaNs too.

use std::fmt;

/// A value of a number type. Floats are their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Val {
    /// An `i32`.
    I32(i32),
    /// An `i64`.
    I64(i64),
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
}

/// A number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValType {
    /// 32-bit integers.
    I32,
    /// 64-bit integers.
    I64,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Val {
    /// The bits, those of 32-bit values in the lower half below zeros.
    pub fn bits(self) -> u64 {
        match self {
            Val::I32(value) => u64::from(value as u32),
            Val::I64(value) => value as u64,
            Val::F32(bits) => u64::from(bits),
            Val::F64(bits) => bits,
        }
    }

    /// The value of a type with these bits; the upper half does not matter for 32-bit types.
    pub fn from_bits(ty: ValType, bits: u64) -> Val {
        match ty {
            ValType::I32 => Val::I32(bits as i32),
            ValType::I64 => Val::I64(bits as i64),
            ValType::F32 => Val::F32(bits as u32),
            ValType::F64 => Val::F64(bits),
        }
    }

    /// The type of the value.
    pub fn ty(self) -> ValType {
        match self {
            Val::I32(_) => ValType::I32,
            Val::I64(_) => ValType::I64,
            Val::F32(_) => ValType::F32,
            Val::F64(_) => ValType::F64,
        }
    }

    pub(crate) fn from_engine(value: &wasmi::Val) -> Option<Val> {
        Some(match value {
            wasmi::Val::I32(value) => Val::I32(*value),
            wasmi::Val::I64(value) => Val::I64(*value),
            wasmi::Val::F32(value) => Val::F32(value.to_bits()),
            wasmi::Val::F64(value) => Val::F64(value.to_bits()),
            _ => return None,
        })
    }

    pub(crate) fn to_engine(self) -> wasmi::Val {
        match self {
            Val::I32(value) => wasmi::Val::I32(value),
            Val::I64(value) => wasmi::Val::I64(value),
            Val::F32(bits) => wasmi::Val::F32(wasmi::F32::from_bits(bits)),
            Val::F64(bits) => wasmi::Val::F64(wasmi::F64::from_bits(bits)),
        }
    }
}

impl ValType {
    /// The number type that a parser read; none for references and vectors.
    pub(crate) fn parsed(ty: wasmparser::ValType) -> Option<ValType> {
        Some(match ty {
            wasmparser::ValType::I32 => ValType::I32,
            wasmparser::ValType::I64 => ValType::I64,
            wasmparser::ValType::F32 => ValType::F32,
            wasmparser::ValType::F64 => ValType::F64,
            _ => return None,
        })
    }

    pub(crate) fn to_engine(self) -> wasmi::ValType {
        match self {
            ValType::I32 => wasmi::ValType::I32,
            ValType::I64 => wasmi::ValType::I64,
            ValType::F32 => wasmi::ValType::F32,
            ValType::F64 => wasmi::ValType::F64,
        }
    }

    /// The type as a letter: i, I, f, F for `i32`, `i64`, `f32`, `f64`.
    pub(crate) fn letter(self) -> char {
        match self {
            ValType::I32 => 'i',
            ValType::I64 => 'I',
            ValType::F32 => 'f',
            ValType::F64 => 'F',
        }
    }

    /// The size of a value in bytes.
    pub fn size(self) -> usize {
        match self {
            ValType::I32 | ValType::F32 => 4,
            ValType::I64 | ValType::F64 => 8,
        }
    }
}

impl fmt::Display for ValType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValType::I32 => "i32",
            ValType::I64 => "i64",
            ValType::F32 => "f32",
            ValType::F64 => "f64",
        })
    }
}

/// The type of a function over numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) params: Vec<ValType>,
    pub(crate) results: Vec<ValType>,
}

impl Signature {
    /// The types as letters, such as "iI:i" for two parameters and a result.
    pub(crate) fn letters(&self) -> String {
        let letters = |types: &[ValType]| types.iter().map(|ty| ty.letter()).collect::<String>();
        format!("{}:{}", letters(&self.params), letters(&self.results))
    }

    pub(crate) fn to_engine(&self) -> wasmi::FuncType {
        let types = |types: &[ValType]| types.iter().map(|ty| ty.to_engine()).collect::<Vec<_>>();
        wasmi::FuncType::new(types(&self.params), types(&self.results))
    }
}
