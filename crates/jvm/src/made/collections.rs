//! Inputs that hold others: arrays of references, collections of the JDK, what may be anything.
//!
//! A collection is made of an array: `new ArrayList(Arrays.asList(items))`, an optional by its factories.
//! Of an interface one class is taken: a list is an `ArrayList`, a set a `TreeSet`, a queue an
//! `ArrayDeque`. Sets that hash their elements would give a path for each place of their tables. What may be
//! anything is a number, a text, or an object of the class that is explored.

use super::{Generic, Input, Making, Target, What};
use crate::classes::{ClassId, MethodId};
use crate::describe::box_kind;
use crate::lazy::is_array_of_references;
use crate::lazy::{Offer, Offered};
use crate::machine::{Drawn, Jvm};
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::outcome::Ending;
use crate::state::State;
use crate::value::Value;
use std::rc::Rc;

/// The class that stands for a collection.
fn collection(descriptor: &str) -> Option<&'static str> {
    let name = descriptor.strip_prefix("Ljava/")?.strip_suffix(';')?;
    Some(match name {
        "lang/Iterable"
        | "util/Collection"
        | "util/SequencedCollection"
        | "util/List"
        | "util/AbstractList"
        | "util/AbstractCollection"
        | "util/ArrayList" => "java/util/ArrayList",
        "util/LinkedList" => "java/util/LinkedList",
        "util/Queue" | "util/Deque" | "util/ArrayDeque" => "java/util/ArrayDeque",
        "util/Set" | "util/AbstractSet" | "util/SortedSet" | "util/NavigableSet" | "util/TreeSet" => {
            "java/util/TreeSet"
        }
        _ => return None,
    })
}

/// Whether inputs of a class that holds others are objects of exactly that class.
pub(super) fn is_made_as(descriptor: &str) -> bool {
    let made = collection(descriptor).or_else(|| super::maps::map(descriptor));
    made.is_some_and(|class| *descriptor == *format!("L{class};"))
}

impl Jvm {
    /// An input that holds others; `None` if the type is none of these.
    pub(super) fn make_container(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        depth: u32,
        target: Target,
    ) -> Result<Option<Input>, Box<Trap>> {
        let descriptor = &*of.descriptor;
        let usual = match descriptor {
            "Ljava/lang/Number;" | "Ljava/lang/Comparable;" => Some("Ljava/lang/Integer;"),
            "Ljava/lang/CharSequence;" => Some("Ljava/lang/String;"),
            // Of all enums one.
            "Ljava/lang/Enum;" => Some(super::jdk::ENUM),
            _ => None,
        };
        let is_made = is_array_of_references(descriptor)
            || collection(descriptor).is_some()
            || super::maps::map(descriptor).is_some()
            || usual.is_some()
            || matches!(
                descriptor,
                "Ljava/lang/Object;"
                    | "Ljava/util/Optional;"
                    | "Ljava/util/Iterator;"
                    | "Ljava/lang/Class;"
                    | "Ljava/lang/reflect/Type;"
            );
        if !is_made {
            return Ok(None);
        }
        if depth >= self.options.nesting {
            self.note_bound(state, InputBound::Nesting);
            return Ok(Some(Input::Value(Value::Null)));
        }
        if let Some(usual) = usual {
            self.note_bound(state, InputBound::Classes);
            return Ok(Some(Input::Value(self.make_input(state, name, usual)?)));
        }
        match descriptor {
            "Ljava/lang/Object;" => self.make_anything(state, name, depth, target).map(Some),
            "Ljava/lang/Class;" | "Ljava/lang/reflect/Type;" => self.make_class(state, name, of).map(Some),
            "Ljava/util/Optional;" => self.make_optional(state, name, of, depth, target).map(Some),
            "Ljava/util/Iterator;" => self.make_iterator(state, name, of, depth, target).map(Some),
            _ if super::maps::map(descriptor).is_some() => {
                self.make_map(state, name, of, depth, target).map(Some)
            }
            _ => self.make_elements_of(state, name, of, depth, target).map(Some),
        }
    }

    /// An array, or a collection that is made of one.
    fn make_elements_of(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        depth: u32,
        target: Target,
    ) -> Result<Input, Box<Trap>> {
        let (class, element, array) = match collection(&of.descriptor) {
            Some(class) => (Some(class), of.held(), "[Ljava/lang/Object;".to_string()),
            None => (None, of.element().unwrap_or_else(|| of.clone()), of.descriptor.to_string()),
        };
        let array = self.load(&array)?;
        let Some(length) = self.choose_length(state, name)? else { return Ok(Input::Value(Value::Null)) };
        let Some(class) = class else {
            self.note_own_array(state, array);
            self.begin_array(state, name, (array, length), element, depth, target)?;
            return Ok(Input::Begun);
        };
        if *of.descriptor != *format!("L{class};") {
            self.note_bound(state, InputBound::Classes);
        }
        let class = self.load(class)?;
        let constructor = self.known_call(class, "<init>", "(Ljava/util/Collection;)V")?;
        let arrays = self.load("java/util/Arrays")?;
        let as_list = self.known_call(arrays, "asList", "([Ljava/lang/Object;)Ljava/util/List;")?;
        self.require_init(state, class)?;
        self.require_init(state, arrays)?;
        self.note_own_object(state, class);
        self.begin_call(state, constructor, name, depth, target);
        self.begin_call(state, as_list, name, depth, Target::Below);
        self.begin_array(state, name, (array, length), element, depth, Target::Below)?;
        Ok(Input::Begun)
    }

    /// Pushes the frame that makes an array.
    fn begin_array(
        &mut self,
        state: &mut State,
        name: &str,
        (class, length): (ClassId, u32),
        element: Generic,
        depth: u32,
        target: Target,
    ) -> Result<(), Box<Trap>> {
        let making = Making {
            what: What::Array(class, length),
            name: name.into(),
            arguments: Vec::new(),
            types: Rc::from([element]),
            depth: depth + 1,
            called: false,
            stage: 0,
            object: None,
            target,
        };
        // A frame has a method; this one runs none of its instructions.
        let method = state.top().map(|frame| frame.method.clone());
        let method = method.or_else(|| state.entry_method().map(|entry| self.method(entry).clone()));
        let Some(method) = method else {
            return Err(Trap::unsupported("an array without a method", "this is a bug of evergreen").into());
        };
        self.push_making(state, method, making);
        Ok(())
    }

    /// Pushes the frame of a call whose arguments come from the frames above it.
    fn begin_call(&mut self, state: &mut State, callee: MethodId, name: &str, depth: u32, target: Target) {
        let making = Making {
            what: What::Call(callee),
            name: name.into(),
            arguments: Vec::new(),
            types: self.parameter_types(callee),
            depth: depth + 1,
            called: false,
            stage: 0,
            object: None,
            target,
        };
        let method = self.method(callee).clone();
        self.push_making(state, method, making);
    }

    /// A method of the JDK.
    pub(super) fn known_call(
        &mut self,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodId, Box<Trap>> {
        let found = self.find_method(class, name, descriptor);
        found.ok_or_else(|| {
            let what = format!("a JDK whose {} has no {name}{descriptor}", self.class(class).java_name());
            Trap::unsupported(what, "use a JDK from 9 to 25").into()
        })
    }

    /// An iterator over a list that is an input.
    fn make_iterator(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        depth: u32,
        target: Target,
    ) -> Result<Input, Box<Trap>> {
        let list = Generic { descriptor: "Ljava/util/ArrayList;".into(), arguments: of.arguments.clone() };
        let class = self.load("java/util/ArrayList")?;
        let callee = self.known_call(class, "iterator", "()Ljava/util/Iterator;")?;
        // The list chooses whether it is null; without a list there is no iterator.
        let base = state.frames.len();
        let made = self.make_elements_of(state, name, &list, depth, Target::Below)?;
        if let Input::Value(_) = made {
            return Ok(made);
        }
        self.note_bound(state, InputBound::Classes);
        let making = Making {
            what: What::Iterator(callee),
            name: name.into(),
            arguments: Vec::new(),
            types: Rc::from([list]),
            depth: depth + 1,
            called: false,
            stage: 0,
            object: None,
            target,
        };
        let method = self.method(callee).clone();
        self.push_making(state, method, making);
        // It waits below the frames that make the list.
        if let Some(frame) = state.frames.pop() {
            state.frames.insert(base, frame);
        }
        Ok(Input::Begun)
    }

    /// Null, empty, or with a value.
    fn make_optional(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        depth: u32,
        target: Target,
    ) -> Result<Input, Box<Trap>> {
        let class = self.load("java/util/Optional")?;
        self.require_init(state, class)?;
        let empty = self.known_call(class, "empty", "()Ljava/util/Optional;")?;
        let full = self.known_call(class, "of", "(Ljava/lang/Object;)Ljava/util/Optional;")?;
        let recipes = super::Recipes { callees: vec![empty, full], ..super::Recipes::default() };
        let Some(callee) = self.choose_recipe(state, name, &recipes, true)? else {
            return Ok(Input::Value(Value::Null));
        };
        self.begin_call(state, callee, name, depth, target);
        if let Some(frame) = state.top_mut()
            && let crate::frame::Role::Making(making) = &mut frame.role
        {
            Rc::make_mut(making).types = Rc::from([of.held()]);
        }
        Ok(Input::Begun)
    }

    /// Null, a number, a text, or an object of the explored class.
    fn make_anything(
        &mut self,
        state: &mut State,
        name: &str,
        depth: u32,
        target: Target,
    ) -> Result<Input, Box<Trap>> {
        self.note_bound(state, InputBound::Classes);
        let own = state.entry_method().map(|entry| self.method(entry).class);
        let own = own.filter(|own| self.class(*own).user);
        let calls = own.map(|own| self.recipes_of(own).callees.clone()).unwrap_or_default();
        let plain = ["java/lang/Integer", "java/lang/String"];
        let mut ways = vec![Offered::Null];
        ways.extend(plain.iter().map(|class| Offered::New((*class).into())));
        ways.extend(calls.iter().map(|callee| Offered::Call(self.call_name(*callee))));
        let drawn = &self.options.drawn;
        let is_said = |part: &str| drawn.contains_key(&format!("{name}{part}"));
        let said = match drawn.get(&format!("{name}.new")) {
            Some(Drawn::Name(said)) if said == "null" => Some(0),
            Some(Drawn::Name(said)) => {
                let said = said.replace(' ', "");
                let key = |callee: &MethodId| self.call_key(*callee).replace(' ', "") == said;
                let at = calls.iter().position(key);
                Some(3 + at.ok_or_else(|| Trap::End(Box::new(Ending::Assumed)))?)
            }
            _ if is_said("") => Some(1),
            _ if is_said(".length") => Some(2),
            _ => None,
        };
        let way = match said {
            Some(way) => way,
            None => self.choose_way(state, Offer { name: name.into(), ways })?,
        };
        match way {
            0 => Ok(Input::Value(Value::Null)),
            1 | 2 => {
                let value = self.make_present(state, name, plain[way - 1])?;
                Ok(Input::Value(value))
            }
            _ => {
                self.begin_making(state, calls[way - 3], name, depth + 1, target)?;
                Ok(Input::Begun)
            }
        }
    }

    /// A box or a string that is not null.
    fn make_present(&mut self, state: &mut State, name: &str, class: &str) -> Result<Value, Box<Trap>> {
        if let Some(kind) = box_kind(class) {
            let class = self.load(class)?;
            self.require_init(state, class)?;
            let value = self.number_input(name, kind, None)?;
            return self.boxed(state, class, value);
        }
        self.make_text(state, name)
    }
}
