//! Garbage collection of one path's heap: mark the objects that the path can still reach, give the
//! other places to new objects.
//!
//! Most paths end before they need it. A long concrete loop that allocates does not, so a heap that has grown
//! past a threshold is collected before the next `new`. References are places in the heap and stay valid: the
//! collector moves nothing, and new objects fill the places of dead ones, the last first. Cost: the live
//! objects, and a pass over the places.

use std::rc::Rc;

use crate::entry::Argument;
use crate::frame::Role;
use crate::machine::Jvm;
use crate::native::Trap;
use crate::object::Body;
use crate::outcome::{Bound, Ending};
use crate::state::State;
use crate::value::{Ref, Value};

struct Marks {
    marked: Vec<bool>,
    open: Vec<Ref>,
}

impl Marks {
    fn value(&mut self, value: Value) {
        if let Value::Ref(object) = value {
            self.object(object);
        }
    }

    fn object(&mut self, object: Ref) {
        if let Some(marked) = self.marked.get_mut(object.0 as usize)
            && !*marked
        {
            *marked = true;
            self.open.push(object);
        }
    }
}

impl Jvm {
    /// Makes room before an instruction that allocates; the path ends if all of a large heap is alive.
    #[inline]
    pub(crate) fn make_room(&self, state: &mut State) -> Result<(), Box<Trap>> {
        let heap = &state.heap;
        if heap.used() < self.options.collect.max(heap.collect_at) && heap.bytes() < self.options.heap_bytes {
            return Ok(());
        }
        self.collect(state);
        let live = state.heap.used();
        state.heap.collect_at = 2 * live;
        if live >= self.options.objects || state.heap.bytes() >= self.options.heap_bytes {
            return Err(Trap::End(Box::new(Ending::Bound(Bound::Objects))).into());
        }
        Ok(())
    }

    /// Collects the garbage of a state that is between two instructions.
    pub fn collect(&self, state: &mut State) {
        let marked = self.marked(state);
        // Another object may get the place of a dead exception.
        let is_live = |object: &Ref| marked.get(object.0 as usize) == Some(&true);
        if state.thrown.iter().any(|(object, _)| !is_live(object)) {
            Rc::make_mut(&mut state.thrown).retain(|(object, _)| is_live(object));
        }
        state.heap.sweep(&marked);
    }

    /// Which objects a state reaches, or keeps in any case.
    pub(crate) fn marked(&self, state: &State) -> Vec<bool> {
        let mut marks = Marks { marked: vec![false; state.heap.len()], open: Vec::new() };
        mark_roots(state, &mut marks);
        (0..state.heap.pinned).for_each(|place| marks.object(Ref(place as u32)));
        while let Some(object) = marks.open.pop() {
            match &state.heap.get(object).body {
                Body::Fields(values) | Body::Refs(values) => {
                    values.iter().for_each(|value| marks.value(*value));
                }
                Body::Open(open) => open.items.iter().for_each(|value| marks.value(*value)),
                Body::Written(table) => table.values().for_each(|value| marks.value(value)),
                _ => {}
            }
        }
        marks.marked
    }
}

fn mark_roots(state: &State, marks: &mut Marks) {
    for frame in state.frames.iter().chain(state.threads.frames()) {
        for value in &frame.slots {
            marks.value(*value);
        }
        frame.monitor.into_iter().for_each(|object| marks.object(object));
        match &frame.role {
            Role::Throw(object) => marks.object(*object),
            Role::Native(resume) => resume.saved.iter().for_each(|value| marks.value(*value)),
            Role::Making(making) => making.values().for_each(|value| marks.value(value)),
            Role::Call | Role::Init { .. } | Role::Aside => {}
        }
    }
    state.statics.iter().for_each(|value| marks.value(*value));
    for object in state.mirrors.iter().chain(state.literals.iter()).flatten() {
        marks.object(*object);
    }
    state.monitors.keys().for_each(|object| marks.object(*object));
    state.parameters.iter().for_each(|parameter| marks.value(parameter.value));
    state.draws.iter().for_each(|draw| marks.value(draw.value));
    state.threads.refs().for_each(|object| marks.object(object));
    state.slots.values().for_each(|value| marks.value(*value));
    state.lazy.refs().for_each(|object| marks.object(object));
    state.receiver.into_iter().for_each(|object| marks.object(object));
    state.made.values().chain(state.delivered).for_each(|value| marks.value(value));
    for argument in state.entry.iter().flat_map(|entry| entry.arguments()) {
        if let Argument::Fixed(value) = argument {
            marks.value(*value);
        }
    }
}

/// Places of dead objects, shared by the paths that fork off.
#[derive(Clone, Default)]
pub(crate) struct Free {
    places: Rc<[u32]>,
    left: usize,
}

impl Free {
    pub(crate) fn new(places: Vec<u32>) -> Free {
        Free { left: places.len(), places: places.into() }
    }

    pub(crate) fn len(&self) -> usize {
        self.left
    }

    #[inline]
    pub(crate) fn take(&mut self) -> Option<u32> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        Some(self.places[self.left])
    }
}
