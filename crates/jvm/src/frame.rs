//! Frames: a method's locals and operands while it runs.

use std::rc::Rc;

use crate::classes::{ClassId, Method};
use crate::made::Making;
use crate::native::Resume;
use crate::value::{Ref, Value};

/// One call of a method.
#[derive(Clone)]
pub struct Frame {
    /// The method.
    pub method: Rc<Method>,
    /// The instruction that runs; while the frame calls another one, the calling instruction.
    pub pc: u32,
    /// How many of `slots` are in use: locals, then operands.
    pub sp: u32,
    /// Locals, then operands.
    pub slots: Vec<Value>,
    /// The action when it returns.
    pub role: Role,
    /// The monitor of a synchronized method, released when the frame is popped.
    pub monitor: Option<Ref>,
    /// Answers that the running instruction has got to its choices, in order.
    pub choices: Vec<u32>,
}

/// Why a frame is there, and so what its end means.
#[derive(Clone)]
pub enum Role {
    /// An instruction called it: the result goes to the operands of the frame below, which continues.
    Call,
    /// It initializes a class. The frame below runs its instruction again.
    Init {
        /// The class.
        class: ClassId,
        /// How many of its superclass and superinterfaces have been looked at; `u32::MAX`
        /// once `<clinit>` itself runs.
        next: u32,
    },
    /// It constructs an exception, which is thrown in the frame below.
    Throw(Ref),
    /// A native that called a method and waits for its result.
    Native(Resume),
    /// Its result is dropped and the frame below runs its instruction again.
    Aside,
    /// It collects the arguments of a call that makes an object of the input.
    Making(Rc<Making>),
}

impl Frame {
    /// A slot above the top of the operands is free: pushes a value.
    #[inline]
    pub fn push(&mut self, value: Value) {
        self.slots[self.sp as usize] = value;
        self.sp += 1;
    }

    /// Pushes a value that takes one or two slots.
    pub fn push_wide(&mut self, value: Value, wide: bool) {
        self.push(value);
        if wide {
            self.push(Value::Pad);
        }
    }

    /// Takes the top slot.
    #[inline]
    pub fn pop(&mut self) -> Value {
        self.sp -= 1;
        self.slots[self.sp as usize]
    }

    /// Where the operands begin.
    pub fn base(&self) -> usize {
        self.method.code().map_or(0, |code| usize::from(code.max_locals))
    }
}
