//! Maps as inputs: keys that are strings, boxes or constants of enums, and values of any type.
//!
//! A map is made by its constructor and `put`, in the order of its entries. Of an interface a `TreeMap` is
//! taken: one that hashes its keys would give a path for each place of its table. The keys of a sorted map
//! come in their order, since no program can see another one. A map with the same key twice is no input.

use std::rc::Rc;

use super::{Generic, Input, Making, Recipe, Target, What};
use crate::classes::{ClassId, access};
use crate::describe::box_kind;
use crate::frame::Role;
use crate::machine::{Flow, Jvm};
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::outcome::Ending;
use crate::state::State;
use crate::value::Value;

/// The class that stands for a map.
pub(super) fn map(descriptor: &str) -> Option<&'static str> {
    let name = descriptor.strip_prefix("Ljava/util/")?.strip_suffix(';')?;
    Some(match name {
        "Map" | "AbstractMap" | "SequencedMap" | "SortedMap" | "NavigableMap" | "TreeMap" => {
            "java/util/TreeMap"
        }
        "HashMap" => "java/util/HashMap",
        "LinkedHashMap" => "java/util/LinkedHashMap",
        _ => return None,
    })
}

/// The part of the way to a key or value.
pub(super) fn entry_name(at: usize) -> String {
    format!("{}[{}]", if at.is_multiple_of(2) { "key" } else { "value" }, at / 2)
}

/// Calls for each entry: `put`, and for sorted maps `lastKey`.
const CALLS: u32 = 3;

impl Making {
    /// The way to a key or value: `m.key[0]`.
    pub(super) fn entry_way(&self, at: usize) -> String {
        format!("{}.{}", self.name, entry_name(at))
    }
}

impl Jvm {
    /// A map with up to the most entries, or null.
    pub(super) fn make_map(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        depth: u32,
        target: Target,
    ) -> Result<Input, Box<Trap>> {
        let Some(class) = map(&of.descriptor) else { return Ok(Input::Value(Value::Null)) };
        let mut key = of.held();
        if &*key.descriptor == "Ljava/lang/Enum;" {
            self.note_bound(state, InputBound::Classes);
            key = Generic::plain(super::jdk::ENUM);
        }
        let value = of.arguments.get(1).cloned().unwrap_or_else(|| of.held());
        let can_be_key = self.can_be_key(&key);
        let count = self.choose_length(state, name)?;
        let Some(count) = count else { return Ok(Input::Value(Value::Null)) };
        if *of.descriptor != *format!("L{class};") {
            self.note_bound(state, InputBound::Classes);
        }
        if !can_be_key {
            // Maps with entries are not made.
            self.note_bound(state, InputBound::References);
            if count > 0 {
                return Err(Trap::End(Box::new(Ending::Assumed)).into());
            }
        }
        let class = self.load(class)?;
        self.require_init(state, class)?;
        self.note_own_object(state, class);
        let making = Making {
            what: What::Map(class, count),
            name: name.into(),
            arguments: Vec::new(),
            types: Rc::from([key, value]),
            depth: depth + 1,
            called: false,
            stage: 0,
            object: None,
            target,
        };
        let method = self.known_call(class, "<init>", "()V")?;
        let method = self.method(method).clone();
        self.push_making(state, method, making);
        Ok(Input::Begun)
    }

    /// Whether keys of a type are compared by their values.
    fn can_be_key(&mut self, of: &Generic) -> bool {
        let name = of.descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        let Some(name) = name else { return false };
        if matches!(
            name,
            "java/lang/String" | "java/lang/CharSequence" | "java/lang/Number" | "java/lang/Comparable"
        ) || box_kind(name).is_some()
        {
            return true;
        }
        self.load(name).is_ok_and(|class| self.class(class).access & access::ENUM != 0)
    }

    /// Whether the last key is none for a map of this class.
    pub(super) fn refuses_key(&self, making: &Making, class: ClassId) -> bool {
        let is_null = making.arguments.last().is_some_and(|key| key.value == Value::Null);
        is_null && &*self.class(class).name == "java/util/TreeMap"
    }

    /// All keys and values are there: puts them into the map, one after the other.
    pub(super) fn continue_map(
        &mut self,
        state: &mut State,
        making: &Making,
        (class, count): (ClassId, u32),
    ) -> Result<Flow, Box<Trap>> {
        let returned = state.top().filter(|frame| frame.sp > 0).map(|frame| frame.slots[0]);
        let refused = Ok(Flow::Ended(Ending::Refused));
        let Some(map) = making.object else {
            let map = self.new_instance(state, class);
            self.advance_map(state, Some(map));
            let constructor = self.known_call(class, "<init>", "()V")?;
            self.push_call(state, constructor, &[Value::Ref(map)])?;
            return Ok(Flow::Frames);
        };
        let put =
            self.known_call(class, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;")?;
        let at = (making.stage - 1) / CALLS;
        if at == count {
            state.frames.pop();
            state.leave_joins();
            let (name, arguments) = (making.name.clone(), making.arguments.clone());
            state.made_mut().recipes.push(Recipe { name, object: map, callee: put, arguments });
            self.hand_on(state, making, Value::Ref(map));
            return Ok(Flow::Frames);
        }
        let key = making.arguments[2 * at as usize].value;
        self.advance_map(state, None);
        match (making.stage - 1) % CALLS {
            0 => {
                let value = making.arguments[2 * at as usize + 1].value;
                self.push_call(state, put, &[Value::Ref(map), key, value])?;
            }
            1 => {
                let size = self.known_field(class, "size")?;
                if state.heap.load(map, size) != Value::Int(at as i32 + 1) {
                    return refused;
                }
                if let Some(last) = self.find_method(class, "lastKey", "()Ljava/lang/Object;") {
                    self.push_call(state, last, &[Value::Ref(map)])?;
                }
            }
            _ if returned.is_some_and(|last| last != key) => return refused,
            _ => {}
        }
        Ok(Flow::Frames)
    }

    /// One call more was begun.
    fn advance_map(&mut self, state: &mut State, map: Option<crate::value::Ref>) {
        if let Some(frame) = state.top_mut() {
            frame.sp = 0;
            frame.choices.clear();
            if let Role::Making(making) = &mut frame.role {
                let making = Rc::make_mut(making);
                making.stage += 1;
                making.object = making.object.or(map);
            }
        }
    }
}
