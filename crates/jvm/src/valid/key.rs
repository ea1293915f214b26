//! Partial structures in canonical form, so that a check is not run again on one that differs only in the
//! order in which it was found.
//!
//! Objects are numbered breadth first from the checked one, in the order of fields; those that it does not
//! reach follow, since a search may use them. Plain fields are symbols, read or not: a check asks no solver,
//! so the path's conditions on them do not matter. Everything else that a check could see must be plain, too:
//! with strings, arrays of primitives, boxes or enums in the structure, or with objects other than constants
//! in static variables of the program, there is no key, and the check runs.

use std::rc::Rc;

use crate::classes::access;
use crate::describe::box_kind;
use crate::lazy::Purpose;
use crate::machine::Jvm;
use crate::object::Body;
use crate::state::State;
use crate::value::{Ref, Value};

const NULL: u32 = u32::MAX;
const UNREAD: u32 = u32::MAX - 1;
const PLAIN: u32 = u32::MAX - 2;

impl Jvm {
    /// The canonical form of what a check of `object` can see, if it has one.
    pub(super) fn check_key(&self, state: &State, object: Ref, purpose: Purpose) -> Option<Rc<[u32]>> {
        let options = self.options.lazy.as_ref()?;
        if !self.options.drawn.is_empty() || !options.scopes.is_empty() {
            return None;
        }
        let mut key = vec![purpose as u32, options.scope, self.options.input_length];
        key.push(options.rep_ok.len() as u32);
        key.extend(options.rep_ok.bytes().map(u32::from));
        self.add_statics(state, &mut key)?;
        let lazy = &state.lazy.objects;
        let mut label = vec![NULL; lazy.len()];
        let mut order = vec![state.lazy.place(object)?];
        label[order[0]] = 0;
        let (mut at, mut rest) = (0, 0);
        loop {
            let Some(place) = order.get(at).copied() else {
                // Objects that the checked one does not reach.
                let Some(next) = (rest..lazy.len()).find(|place| label[*place] == NULL) else { break };
                rest = next;
                label[next] = order.len() as u32;
                order.push(next);
                continue;
            };
            at += 1;
            key.extend([state.heap.class_of(lazy[place].object).0, lazy[place].fields.len() as u32]);
            let elements = matches!(state.heap.get(lazy[place].object).body, Body::Refs(_));
            let fields = &self.class(state.heap.class_of(lazy[place].object)).instance_fields;
            for (slot, value) in lazy[place].fields.iter().enumerate() {
                key.push(match *value {
                    Value::Null => NULL,
                    Value::Ref(to) => {
                        let to = state.lazy.place(to)?;
                        if label[to] == NULL {
                            label[to] = order.len() as u32;
                            order.push(to);
                        }
                        label[to]
                    }
                    Value::Unset if elements || fields[slot].kind == crate::value::Kind::Reference => UNREAD,
                    Value::Unset | Value::Sym(_) => PLAIN,
                    _ => return None,
                });
            }
        }
        Some(key.into())
    }

    /// Static variables of the program that may have changed; a final one has not, but its object may have.
    fn add_statics(&self, state: &State, key: &mut Vec<u32>) -> Option<()> {
        for class in self.classes.iter().filter(|class| class.user) {
            for field in &class.static_fields {
                let is_final = field.access & access::FINAL != 0;
                match state.statics.get(field.slot as usize).copied().unwrap_or(Value::Null) {
                    Value::Ref(held) if is_final && self.never_changes(state, held) => {}
                    Value::Ref(_) => return None,
                    _ if is_final => {}
                    Value::Null => key.push(0),
                    Value::Int(n) => key.extend([1, n as u32]),
                    Value::Long(n) => key.extend([2, n as u32, (n >> 32) as u32]),
                    _ => return None,
                }
            }
        }
        Some(())
    }

    /// Whether an object is a string or a box.
    fn never_changes(&self, state: &State, object: Ref) -> bool {
        let class = &*self.class(state.heap.class_of(object)).name;
        class == "java/lang/String" || box_kind(class).is_some()
    }
}
