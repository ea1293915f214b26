//! How a run ended.

use crate::value::Val;

/// How a run ended. Each is an ordinary outcome of a test; what keeps a test from running is an
/// [`EngineError`](crate::EngineError).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// `proc_exit`, or a replaced `exit`, with this code.
    Exited(i32),
    /// `klee_silent_exit` with this code: the harness wants no test for this path.
    Silent(i32),
    /// The entry function returned these values.
    Returned(Vec<Val>),
    /// The engine stopped at an instruction.
    Trapped(TrapKind),
    /// The program called a function that reports a failure.
    Failed(Failure),
    /// An assumption of the harness does not hold: the test is not an input of the program.
    Rejected,
    /// The list of draws does not fit what the harness asked for: which draw, and why.
    Draw(String),
    /// An import was called that no host provides: its name, and why.
    Missing(String),
    /// The limit of fuel was reached.
    OutOfFuel,
}

/// A failure that the program itself reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A replaced `abort`.
    Abort,
    /// An assertion does not hold.
    Assert {
        /// The text of the condition.
        condition: String,
        /// The source file.
        file: String,
        /// The line in the file.
        line: u32,
        /// The function.
        function: String,
    },
    /// `reach_error` or `__VERIFIER_error`.
    ReachError,
    /// `klee_report_error`.
    Report {
        /// The source file.
        file: String,
        /// The line in the file.
        line: u32,
        /// What is wrong.
        message: String,
        /// The kind of the error, as the suffix of KLEE's file name.
        suffix: String,
    },
    /// A check of a sanitizer failed: the name of the reporting function.
    Sanitizer(String),
    /// `free` or `realloc` of an address that no allocation returned.
    InvalidFree(u32),
    /// `free` or `realloc` of an object that was freed before.
    DoubleFree(u32),
}

/// Why an engine stopped at an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrapKind {
    /// The instruction `unreachable`.
    Unreachable,
    /// A load, a store or a bulk instruction outside of the memory, or a harness buffer outside of it.
    MemoryOutOfBounds,
    /// A table access outside of the table, `call_indirect` included.
    TableOutOfBounds,
    /// `call_indirect` of an element that is null.
    NullElement,
    /// `call_indirect` of a function of another type.
    BadSignature,
    /// A division or remainder by zero.
    DivisionByZero,
    /// The quotient of the least integer and -1.
    IntegerOverflow,
    /// A truncation of a float that is NaN or out of range.
    BadConversion,
    /// Calls nest deeper than the engine allows.
    StackExhausted,
}

impl TrapKind {
    /// The kind of a trap of wasmi; none for its limits.
    pub(crate) fn of(code: wasmi::TrapCode) -> Option<TrapKind> {
        use wasmi::TrapCode as Code;
        Some(match code {
            Code::UnreachableCodeReached => TrapKind::Unreachable,
            Code::MemoryOutOfBounds => TrapKind::MemoryOutOfBounds,
            Code::TableOutOfBounds => TrapKind::TableOutOfBounds,
            Code::IndirectCallToNull => TrapKind::NullElement,
            Code::BadSignature => TrapKind::BadSignature,
            Code::IntegerDivisionByZero => TrapKind::DivisionByZero,
            Code::IntegerOverflow => TrapKind::IntegerOverflow,
            Code::BadConversionToInteger => TrapKind::BadConversion,
            Code::StackOverflow => TrapKind::StackExhausted,
            Code::OutOfFuel | Code::GrowthOperationLimited | Code::OutOfSystemMemory => return None,
        })
    }
}
