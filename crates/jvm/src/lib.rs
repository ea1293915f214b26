//! A symbolic machine for JVM bytecode: it runs states and offers arms; it never asks which are feasible.
//!
//! A [`Jvm`] holds what all paths share: classes, methods, resolved constants. A [`State`] is one path:
//! frames, heap, statics, output; cloning it is cheap. Together they are an [`evergreen_explore::Machine`].

mod blocked;
mod branch;
mod call;
pub mod classes;
mod collect;
mod concrete;
mod describe;
mod entry;
mod enums;
mod exceptions;
mod flow;
mod frame;
pub mod guide;
mod heap;
mod induction;
mod indy;
mod known;
pub mod lazy;
mod lengths;
mod log;
mod looked_at;
mod machine;
mod made;
mod merge;
mod narrowed;
mod native;
mod natives;
mod near;
mod null;
mod object;
mod outcome;
mod pvec;
mod rope;
mod shape;
mod state;
mod step;
mod text;
mod thrown;
mod valid;
mod value;
mod verify;
mod whole;

pub use classes::{Class, ClassId, Method, MethodId};
pub use describe::{Described, print};
pub use entry::Argument;
pub use frame::{Frame, Role};
pub use guide::{At, ClassInvariant, Guide, MakeLazy, Plan, Structure};
pub use heap::Heap;
pub use induction::Lemma;
pub use lazy::{
    CallName, InputObject, InputValue, LazyCounts, LazyOptions, Offer, Offered, Unread, input_place,
};
pub use log::{TakenArm, Way};
pub use machine::{Arguments, Drawn, Jvm, Options};
pub use made::{DescribedAnswer, DescribedCall, DescribedFunction, Making};
pub use narrowed::{InputBound, Narrowed};
pub use native::{Call, Done, NativeFn, ThenFn, Trap};
pub use natives::SawChoice;
pub use object::{Body, Elements, Object, OpenArray, Written};
pub use outcome::{Bound, Draw, Ending, Outcome, Parameter, Piece, Stream};
pub use pvec::PVec;
pub use rope::Part;
pub use shape::{FieldShape, Moment, ObjectShape, UNREAD};
pub use state::{ClassState, State, Trace};
pub use text::Open;
pub use thrown::{Origin, Thrower};
pub use value::{Kind, Ref, Value};
