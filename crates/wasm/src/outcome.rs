//! How paths end.

use crate::number::Trap;
use crate::state::{Arms, Draw, Slot};
use crate::world::World;
use evergreen_symbolic::Expr;
use std::rc::Rc;

/// Why a program failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum FailureKind {
    /// `assert`, `klee_assert`, `__VERIFIER_assert` by their own means.
    Assertion,
    /// `abort`, `reach_error`, `klee_report_error`.
    Abort,
    Trap(Trap),
    NullDereference,
    HeapOverflow,
    StackOverflow,
    GlobalOverflow,
    UseAfterFree,
    /// A variable outside of its block.
    UseAfterScope,
    /// A variable of a function that has returned.
    UseAfterReturn,
    DoubleFree,
    InvalidFree,
    Leak,
    /// An access to memory that belongs to no object.
    WildAccess,
    /// Undefined behaviour that a check of the compiler found.
    Undefined,
}

impl FailureKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::Abort => "abort",
            FailureKind::Trap(trap) => trap.name(),
            FailureKind::NullDereference => "null dereference",
            FailureKind::HeapOverflow => "heap buffer overflow",
            FailureKind::StackOverflow => "stack buffer overflow",
            FailureKind::GlobalOverflow => "global buffer overflow",
            FailureKind::UseAfterFree => "use after free",
            FailureKind::UseAfterScope => "use after scope",
            FailureKind::UseAfterReturn => "use after return",
            FailureKind::DoubleFree => "double free",
            FailureKind::InvalidFree => "invalid free",
            FailureKind::Leak => "memory leak",
            FailureKind::WildAccess => "wild memory access",
            FailureKind::Undefined => "undefined behaviour",
        }
    }
}

/// A failure of the program.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// More, for people; may be empty.
    pub message: String,
    /// The functions that were running, the innermost first: function and offset in the code section.
    pub stack: Vec<(u32, u32)>,
}

/// The end of a path.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The entry returned these.
    Returned(Vec<Slot>),
    /// The program ended its process with a status.
    Exited(Slot),
    /// The program failed.
    Failed(Box<Failure>),
    /// An assumption does not hold, or the harness gave the path up.
    Assumed,
    /// The machine cannot follow.
    Unsupported {
        /// What it cannot do.
        what: String,
        /// The functions that were running, the innermost first.
        stack: Vec<(u32, u32)>,
    },
    /// A bound of the machine cut the path.
    Cut(&'static str),
}

/// The end of a path, with what the path left behind.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How.
    pub how: Outcome,
    /// The world outside.
    pub world: Rc<World>,
    /// What was drawn, in order.
    pub draws: Rc<Vec<Draw>>,
    /// The branches taken.
    pub arms: Arms,
}

/// A byte that the program wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutByte {
    /// A number.
    Number(u8),
    /// The low bits of a value.
    Symbolic(Expr),
}
