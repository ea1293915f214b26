//! The interface of methods that are not interpreted: natives, and methods that the
//! machine implements itself.
//!
//! A native is a function of a [`Call`]. It either finishes ([`Done`]) or returns a request that must be
//! served first or instead ([`Trap`]). After [`Trap::Init`] and [`Trap::Branch`] it is *called again from its
//! beginning*, so it must not change the state before its last such request: ask first ([`Call::choose`],
//! [`Call::init`]), write then.

use std::rc::Rc;
use std::sync::Arc;

use evergreen_symbolic::{Cond, Expr};

use crate::classes::{ClassId, Method, MethodId};
use crate::machine::Jvm;
use crate::outcome::Ending;
use crate::state::State;
use crate::value::{Ref, Value};

/// A native.
pub type NativeFn = fn(&mut Call<'_>) -> Result<Done, Trap>;

/// The continuation of a native after a call; `call.args` are the values that it saved.
pub type ThenFn = fn(&mut Call<'_>, Option<Value>) -> Result<Done, Trap>;

/// One call of a native.
pub struct Call<'a> {
    /// The machine.
    pub jvm: &'a mut Jvm,
    /// The path's state. The arguments are still on the caller's operand stack.
    pub state: &'a mut State,
    /// The method that was called.
    pub method: Rc<Method>,
    /// The arguments, receiver first; a `long` or `double` is one element.
    pub args: &'a [Value],
}

/// How a native finished.
#[derive(Clone, Debug)]
pub enum Done {
    /// Without a result.
    Void,
    /// With a result.
    Value(Value),
    /// The native's result is that of this call (the native checks for null receivers).
    Tail {
        /// The method, already selected.
        method: MethodId,
        /// Its arguments, receiver first.
        args: Vec<Value>,
    },
    /// A method must be called, and then the native continues.
    Call {
        /// The method, already selected.
        method: MethodId,
        /// Its arguments, receiver first.
        args: Vec<Value>,
        /// The continuation.
        then: ThenFn,
        /// The arguments of `then`.
        saved: Vec<Value>,
    },
}

/// A request that must be served before a native (or an instruction) can finish, or instead.
#[derive(Clone, Debug)]
pub enum Trap {
    /// This exception is thrown.
    Throw(Ref),
    /// A new exception of this class (internal name) is thrown.
    ThrowNew {
        /// Internal name.
        class: Arc<str>,
        /// Its message; without one the constructor without parameters is called.
        message: Option<String>,
    },
    /// A new exception of this class is thrown, its message having symbolic numbers in it.
    ThrowRope {
        /// Internal name.
        class: Arc<str>,
        /// Its message.
        message: Vec<crate::rope::Part>,
    },
    /// The running instruction met null: a NullPointerException with the text that the JVM computes for it.
    Null,
    /// This class must be initialized first; then the native is called again.
    Init(ClassId),
    /// The path has a choice; then the native is called again. Made by [`Call::choose`] only.
    Branch,
    /// The path has a choice that inputs do not decide. Made by lazy heaps only.
    Choice,
    /// The native is called again, with nothing chosen: it has read a field of an input for the first time.
    /// Made by [`Call::read_first`] only.
    Again,
    /// The path cannot be followed.
    Unsupported {
        /// The unsupported operation, e.g. `native method java.lang.Foo.bar()V`.
        what: String,
        /// Advice for the user; may be empty.
        help: String,
    },
    /// The path ends here.
    End(Box<Ending>),
}

/// A native that waits for a method's result.
#[derive(Clone)]
pub struct Resume {
    /// The continuation.
    pub then: ThenFn,
    /// Its arguments.
    pub saved: Rc<[Value]>,
}

impl Trap {
    /// A new exception with a message.
    pub fn throw(class: &str, message: impl Into<String>) -> Trap {
        Trap::ThrowNew { class: class.into(), message: Some(message.into()) }
    }

    /// A new exception without a message.
    pub fn throw_plain(class: &str) -> Trap {
        Trap::ThrowNew { class: class.into(), message: None }
    }

    /// The end of a path that cannot be followed.
    pub fn unsupported(what: impl Into<String>, help: impl Into<String>) -> Trap {
        Trap::Unsupported { what: what.into(), help: help.into() }
    }
}

impl Call<'_> {
    /// Gives a field of an input its value; then the native is called again, and finds it there.
    pub fn read_first(&mut self, object: Ref, slot: usize) -> Trap {
        match self.jvm.initialize_field(self.state, object, slot) {
            Ok(_) => Trap::Again,
            Err(trap) => *trap,
        }
    }

    /// Which of the cases holds on this path: the arms must exclude each other and cover everything.
    /// Arms that fold to false are never offered; if one is left, it is the answer. Otherwise the
    /// path branches, once per arm.
    pub fn choose(&mut self, arms: &[Cond]) -> Result<usize, Trap> {
        self.jvm.choose(self.state, arms)
    }

    /// Requires that `class` is initialized.
    pub fn init(&mut self, class: ClassId) -> Result<(), Trap> {
        self.jvm.require_init(self.state, class)
    }

    /// Argument `index` as a concrete `int`; unsupported if it is symbolic.
    pub fn int(&self, index: usize) -> Result<i32, Trap> {
        match self.args.get(index) {
            Some(Value::Int(value)) => Ok(*value),
            _ => Err(self.symbolic(index)),
        }
    }

    /// Argument `index` as a concrete `long`; unsupported if it is symbolic.
    pub fn long(&self, index: usize) -> Result<i64, Trap> {
        match self.args.get(index) {
            Some(Value::Long(value)) => Ok(*value),
            _ => Err(self.symbolic(index)),
        }
    }

    /// Argument `index` as an object; null throws NullPointerException.
    pub fn object(&self, index: usize) -> Result<Ref, Trap> {
        match self.args.get(index) {
            Some(Value::Ref(object)) => Ok(*object),
            _ => Err(Trap::throw_plain("java/lang/NullPointerException")),
        }
    }

    /// Argument `index` as an expression, if it is symbolic.
    pub fn expr(&self, index: usize) -> Option<Expr> {
        match self.args.get(index) {
            Some(Value::Sym(expr)) => Some(*expr),
            _ => None,
        }
    }

    fn symbolic(&self, index: usize) -> Trap {
        Trap::unsupported(
            format!("{} with a symbolic argument {}", self.method.full_name(), index),
            "make the argument concrete",
        )
    }
}
