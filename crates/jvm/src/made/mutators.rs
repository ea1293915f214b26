//! Receivers on which other methods were called first: `new Regression(1).add(2.0)`.
//!
//! A path begins with a new object; what a method does with one that other calls have filled is on no path
//! (the bound `new_objects`). Where [`crate::Options::calls_before`] allows it, a receiver is also what a
//! public method leaves that returns nothing, or the object itself: the last call is chosen first, then the
//! one before it, down to a constructor. Such a call is one on an object, as those of builders are.

use evergreen_classfile::MethodDescriptor;

use super::builders::RECEIVER;
use super::{Making, Recipes, What};
use crate::classes::{ClassId, MethodBody, MethodId, access};
use crate::machine::Jvm;
use crate::state::State;

/// The most methods that one class is given.
const MOST: usize = 8;

/// What the parameters of one weigh at most.
const HEAVIEST: u32 = 12;

impl Jvm {
    /// Adds the calls that may come before the explored method to those that make its receiver.
    pub(super) fn add_mutators(&mut self, state: &State, way: &str, recipes: &mut Recipes) {
        // `this.this` is what the last call is made on.
        let before = way.split('.').count() as u32;
        let is_given = self.options.drawn.contains_key(&format!("{way}.new"));
        if !is_given && before > self.options.calls_before {
            return;
        }
        let Some(class) = recipes.callees.first().map(|callee| self.made_by(*callee)) else { return };
        let entry = state.entry_method();
        let mut found = self.mutators_of(class, entry);
        self.keep_lightest(&mut found, MOST);
        recipes.callees.extend(found);
    }

    /// Public methods of an object that may change it.
    fn mutators_of(&mut self, class: ClassId, entry: Option<MethodId>) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            let own = self.class(class).clone();
            if !own.user {
                break;
            }
            let is_one = |id: &MethodId| Some(*id) != entry && self.is_mutator(*id);
            let more: Vec<MethodId> = own.methods.iter().copied().filter(is_one).collect();
            let is_new = |id: &MethodId| {
                found.iter().all(|other| self.method(*other).signature != self.method(*id).signature)
            };
            let more: Vec<MethodId> = more.into_iter().filter(is_new).collect();
            found.extend(more);
            next = own.superclass;
        }
        found
    }

    fn is_mutator(&self, id: MethodId) -> bool {
        let method = self.method(id);
        let hidden = access::STATIC | access::SYNTHETIC | access::ABSTRACT;
        let own = format!("L{};", method.class_name);
        let result = method.descriptor.split(')').nth(1).unwrap_or_default();
        method.access & access::PUBLIC != 0
            && method.access & hidden == 0
            && matches!(method.body, MethodBody::Code(_))
            && !method.name.starts_with('<')
            && (result == "V" || result == own)
            && !method.descriptor[..method.descriptor.len() - result.len()].contains(&own)
            && self.weight(id) <= HEAVIEST
    }

    /// What a mutator is called on: what makes the receiver, or another mutator. `None` for the calls of a
    /// builder.
    pub(super) fn before_mutator(
        &mut self,
        state: &State,
        making: &Making,
        callee: MethodId,
        way: &str,
    ) -> Option<Recipes> {
        let is_receiver = making.name.split('.').all(|part| part == RECEIVER);
        let may_be_one = self.options.calls_before > 0 || self.options.drawn.contains_key("this.new");
        if !may_be_one || !is_receiver || !self.is_mutator(callee) {
            return None;
        }
        let entry = self.method(state.entry_method()?).clone();
        // A builder of the receiver is of another class.
        let changed = self.method(callee).class;
        let made = self.receiver_recipes(entry.class).callees.first().map(|callee| self.made_by(*callee))?;
        if !self.class(made).is_assignable_to(changed) {
            return None;
        }
        let mut recipes = self.receiver_recipes(entry.class);
        recipes.callees.retain(|callee| {
            let made = self.made_by(*callee);
            self.find_method(made, &entry.name, &entry.descriptor) == Some(entry.id)
                || self.class(made).access & access::ABSTRACT != 0
        });
        self.add_mutators(state, way, &mut recipes);
        Some(recipes)
    }

    /// Whether a call that returns nothing changes the object that it is made on.
    pub(super) fn is_mutation(&self, what: What) -> bool {
        let What::Call(callee) = what else { return false };
        let method = self.method(callee);
        self.is_on_object(callee)
            && MethodDescriptor::parse(&method.descriptor).is_ok_and(|parsed| parsed.result.is_none())
    }

    /// The method that a call on an object runs.
    pub(super) fn called_on(&mut self, state: &State, making: &Making, callee: MethodId) -> MethodId {
        let on = making.arguments.first().and_then(|first| first.value.as_ref());
        match on.filter(|_| making.what == What::Call(callee) && self.is_on_object(callee)) {
            Some(on) => {
                let (method, class) = (self.method(callee).clone(), state.heap.class_of(on));
                self.find_method(class, &method.name, &method.descriptor).unwrap_or(callee)
            }
            None => callee,
        }
    }
}
