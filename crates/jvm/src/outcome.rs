//! The ending of a path, and its data for tests and reports.

use std::rc::Rc;
use std::sync::Arc;

use evergreen_explore::{Place, Site};
use evergreen_symbolic::Expr;

use crate::narrowed::Narrowed;
use crate::text::Open;
use crate::value::{Kind, Ref, Value};

/// How a path ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// The method returned; the value unless it is `void`.
    Returned(Option<Value>),
    /// An exception left the method.
    Threw {
        /// Internal name of its class.
        class: Arc<str>,
        /// The exception.
        object: Ref,
        /// Its detail message (UTF-16), if it has one and that is concrete.
        message: Option<Vec<u16>>,
        /// Where it was thrown first.
        place: Option<Place>,
        /// How it came about.
        origin: Option<Rc<crate::thrown::Origin>>,
    },
    /// The machine could not follow the path.
    Unsupported {
        /// The unsupported operation.
        what: String,
        /// Where.
        place: Option<Place>,
        /// Advice for the user; may be empty.
        help: String,
    },
    /// A bound of the machine cut the path: which one.
    Bound(Bound),
    /// `Sym.assume` did not hold: no path at all.
    Assumed,
    /// A constructor or factory threw while it made an input: there is no such input, and no path at all.
    Refused,
    /// No valid input has the structure that the path has read: no path at all.
    Invalid,
    /// `System.exit` was called.
    Exited(i32),
}

/// A bound of the machine itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// A symbolic array length beyond [`crate::Options::array_length`].
    ArrayLength,
    /// More live objects than [`crate::Options::objects`], or more bytes than [`crate::Options::heap_bytes`].
    Objects,
}

/// A path's end and all that tests and reports need to know of the path.
#[derive(Clone)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// The output, in order.
    pub output: Vec<Piece>,
    /// Values drawn through `Sym`, in call order.
    pub draws: Vec<Draw>,
    /// The method's parameters, as they were at the start.
    pub parameters: Vec<Parameter>,
    /// Symbolic branches in order, with the index of the arm taken.
    pub trace: Vec<(Site, u32)>,
    /// Instructions run.
    pub steps: u64,
    /// The bounds that its inputs have met.
    pub narrowed: Narrowed,
    /// The state, to look at objects in it; see [`crate::Jvm::describe`].
    pub state: Box<crate::State>,
}

impl Outcome {
    /// Whether the program itself ended the path.
    pub fn is_path(&self) -> bool {
        matches!(self.ending, Ending::Returned(_) | Ending::Threw { .. } | Ending::Exited(_))
    }
}

/// A parameter of the explored method.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in the source, or `p0`, `p1`.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// The initial value.
    pub value: Value,
}

/// A value drawn by the program through `Sym`.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The input's name.
    pub name: Arc<str>,
    /// The type that was asked for.
    pub kind: Kind,
    /// The drawn value.
    pub value: Value,
}

/// A piece of output.
#[derive(Clone, PartialEq, Debug)]
pub enum Piece {
    /// Text, UTF-16.
    Text(Stream, Rc<[u16]>),
    /// A symbolic value, printed as Java prints its type.
    Symbolic(Stream, Kind, Expr),
    /// A string that is an input.
    Input(Stream, Open),
}

/// An output stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// `System.out`
    Out,
    /// `System.err`
    Err,
}
