//! Whether a path's branches may depend on what a machine or a run of a JVM answers: the clock, properties,
//! the memory, identity hash codes.
//!
//! The machine has one answer for each such question, so a branch on it has one arm, and "all paths explored"
//! would be wrong: the result has to name the bound *environment*. A time that is only printed, or a hash
//! code that only finds the place of a key, leads to no other path. What becomes of an answer is therefore
//! followed through the code of the method that asked ([`flow`]), and through its callers if it is returned.
//! Where that is not seen (an unknown call gets it, a field that is read keeps it), the bound is named.

mod flow;

use crate::classes::{Method, MethodId};
use crate::frame::Role;
use crate::machine::Jvm;
use crate::narrowed::InputBound;
use crate::state::State;
use crate::value::Value;
pub(crate) use flow::Fate;

/// The slot of a path on which a table has asked for an identity hash code: the order of its elements differs
/// from run to run.
const ORDER: &str = "order by identity";

/// What is done with an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    /// No branch depends on it.
    Nowhere,
    /// Only the order of a table does.
    InOrder,
    /// A branch may depend on it.
    AtBranches,
}

/// Tables that place their elements by hash codes.
const TABLES: [&str; 7] = [
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/WeakHashMap",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/ImmutableCollections",
];

fn is_table(method: &Method) -> bool {
    let outer = method.class_name.split('$').next().unwrap_or_default();
    TABLES.contains(&outer)
}

impl Jvm {
    /// The running code asked for what is another value elsewhere: notes the bound if a branch may depend on
    /// it.
    pub(crate) fn note_machine(&mut self, state: &mut State) {
        match self.seen(state) {
            Seen::Nowhere => {}
            Seen::InOrder => state.set_slot(ORDER, Value::Int(1)),
            Seen::AtBranches => self.note_bound(state, InputBound::Environment),
        }
    }

    /// The program goes through a table whose order may differ from run to run.
    pub(crate) fn note_order(&mut self, state: &mut State) {
        if state.slot(ORDER).is_some() && state.frames.iter().any(|frame| frame.method.user) {
            self.note_bound(state, InputBound::Environment);
        }
    }

    /// The program goes through an immutable set or map, whose order differs from run to run.
    pub(crate) fn note_salt(&mut self, state: &mut State) {
        self.note_bound(state, InputBound::Environment);
        self.note_own_choice(state);
    }

    fn seen(&mut self, state: &State) -> Seen {
        let Some(mut at) = state.frames.iter().rposition(|frame| frame.method.user) else {
            return Seen::AtBranches;
        };
        let above = &state.frames[at + 1..];
        if above.iter().any(|frame| is_table(&frame.method)) {
            return Seen::InOrder;
        }
        let mut is_result = above.is_empty();
        loop {
            let frame = &state.frames[at];
            match self.fate(frame.method.id, frame.pc, is_result) {
                Fate { looked_at: true, .. } => return Seen::AtBranches,
                Fate { returned: false, .. } => return Seen::Nowhere,
                _ => {}
            }
            let Some(below) = at.checked_sub(1) else { return Seen::Nowhere };
            if !matches!(frame.role, Role::Call) {
                return Seen::AtBranches;
            }
            let caller = &state.frames[below].method;
            match (caller.user, is_table(caller)) {
                (true, _) => (at, is_result) = (below, true),
                (false, true) => return Seen::InOrder,
                (false, false) => return Seen::AtBranches,
            }
        }
    }

    /// What becomes of the value that instruction `pc` of a method has got; `is_result`: it is the result of
    /// the call there, not something that code below the call has asked for.
    fn fate(&mut self, method: MethodId, pc: u32, is_result: bool) -> Fate {
        if let Some(known) = self.fates.get(&(method, pc, is_result)) {
            return *known;
        }
        let found = flow::fate(self.method(method), pc, is_result);
        self.fates.insert((method, pc, is_result), found);
        found
    }
}

/// Whether an instruction of the program reads a static field of the JDK that is another one on other
/// machines.
pub(crate) fn reads_machine(method: &Method, index: u16) -> bool {
    let member = || method.pool.file.as_ref().and_then(|file| file.pool.member(index).ok());
    method.user && member().is_some_and(|member| &*member.class == "java/io/File")
}
