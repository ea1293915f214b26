//! Objects that a builder makes: `new Builder().name(n).size(s).build()`.
//!
//! A class whose constructors are private, and that has no factories, is often made by a method of another
//! class: one that is nested in it, or is called after it. That builder is made like any object, and each of
//! its methods that return the builder itself is called once, in the order of the class file, or none of them
//! is: the first leaves no field to its default, the second all. So a call on an object is a call whose first
//! argument is that object, under the name `this`, which no parameter has.

use std::rc::Rc;
use std::sync::Arc;

use evergreen_classfile::{MethodDescriptor, Type};

use super::{Making, Recipes};
use crate::classes::{Class, ClassId, MethodId, access};
use crate::machine::Jvm;
use crate::made::generic::Generic;
use crate::native::Trap;
use crate::state::State;

/// The name of the first argument of a call on an object.
pub(super) const RECEIVER: &str = "this";
/// Methods that set something, at most.
const SETTERS: usize = 8;

impl Jvm {
    /// Whether a call that makes an object is a call on another one.
    pub(super) fn is_on_object(&self, callee: MethodId) -> bool {
        let method = self.method(callee);
        method.user && !method.is_static() && &*method.name != "<init>"
    }

    /// The descriptor of a call, with the object that it is called on as its first parameter.
    pub(super) fn descriptor_with_receiver(&self, callee: MethodId) -> Arc<str> {
        let method = self.method(callee);
        match method.descriptor.strip_prefix('(') {
            Some(rest) if self.is_on_object(callee) => format!("(L{};{rest}", method.class_name).into(),
            _ => method.descriptor.clone(),
        }
    }

    /// Names and types of a call's arguments.
    pub(super) fn making_parameters(&self, callee: MethodId) -> Vec<(Arc<str>, Arc<str>)> {
        let mut all = self.parameters(callee);
        if self.is_on_object(callee) {
            let class = self.method(callee).class_name.clone();
            all.insert(0, (RECEIVER.into(), format!("L{class};").into()));
        }
        all
    }

    /// The types of a call's arguments.
    pub(super) fn making_types(&self, callee: MethodId) -> Rc<[Generic]> {
        let types = self.parameter_types(callee);
        if !self.is_on_object(callee) {
            return types;
        }
        let class = Generic::plain(&format!("L{};", self.method(callee).class_name));
        std::iter::once(class).chain(types.iter().cloned()).collect()
    }

    /// Methods without parameters of a builder that return an object of a class.
    pub(super) fn builders_of(&mut self, class: &Class) -> Vec<MethodId> {
        for name in self.builder_names(class) {
            let Ok(id) = self.load(&name) else { continue };
            let builder = self.class(id).clone();
            let is_one = builder.user && builder.id != class.id && builder.access & access::ABSTRACT == 0;
            if !is_one || self.recipes_of(id).callees.is_empty() {
                continue;
            }
            let returns = |id: &MethodId| self.returns(*id, &class.name) == Some(0);
            let found: Vec<MethodId> = builder.methods.iter().copied().filter(returns).take(1).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The classes that are nested in a class, and those of its package that are called after it.
    fn builder_names(&mut self, class: &Class) -> Vec<Arc<str>> {
        let file = class.file();
        let inner = file.iter().flat_map(|file| &file.inner_classes).map(|inner| inner.inner.clone());
        let mut names: Vec<Arc<str>> = inner.filter(|name| **name != *class.name).collect();
        let beside = format!("{}Builder", class.name.replace('$', ""));
        names.retain(|name| name.starts_with(&format!("{}$", class.name)));
        names.push(beside.into());
        names
    }

    /// How many parameters a method has that can be called on an object and returns one of a class.
    fn returns(&self, id: MethodId, class: &str) -> Option<usize> {
        let method = self.method(id);
        let hidden = access::PRIVATE | access::STATIC | access::SYNTHETIC | access::ABSTRACT;
        let parsed = MethodDescriptor::parse(&method.descriptor).ok()?;
        let is_result =
            parsed.result.as_ref().is_some_and(|of| matches!(of, Type::Class(name) if **name == *class));
        (is_result && method.access & hidden == 0).then_some(parsed.parameters.len())
    }

    /// The methods of a builder that set something and return it: of those with one name the first.
    fn setters_of(&self, builder: ClassId) -> Vec<MethodId> {
        let class = self.class(builder);
        let mut all: Vec<MethodId> = Vec::new();
        for id in class.methods.iter().copied() {
            let of_itself = format!("L{};", class.name);
            let is_setter = self.returns(id, &class.name).is_some_and(|parameters| parameters > 0)
                && !self.method(id).descriptor.split(')').next().is_some_and(|all| all.contains(&of_itself));
            let is_known = all.iter().any(|other| self.method(*other).name == self.method(id).name);
            if is_setter && !is_known && all.len() < SETTERS {
                all.push(id);
            }
        }
        all
    }

    /// Begins to make the object that a call is made on: behind the last setter, or new.
    pub(super) fn begin_builder(
        &mut self,
        state: &mut State,
        making: &Making,
        callee: MethodId,
        way: &str,
    ) -> Result<(), Box<Trap>> {
        if let Some(recipes) = self.before_mutator(state, making, callee, way) {
            if let Some(callee) = self.choose_recipe(state, way, &recipes, false)? {
                self.begin_making(state, callee, way, making.depth, super::Target::Below)?;
            }
            return Ok(());
        }
        let builder = self.method(callee).class;
        let setters = self.setters_of(builder);
        let made = self.recipes_of(builder).callees.clone();
        let callees = match setters.iter().position(|setter| *setter == callee) {
            Some(0) => made,
            Some(at) => vec![setters[at - 1]],
            None => made.into_iter().chain(setters.last().copied()).collect(),
        };
        let recipes = Recipes { callees, ..Recipes::default() };
        let Some(callee) = self.choose_recipe(state, way, &recipes, false)? else {
            return Err(
                Trap::unsupported("a builder that no call makes", "write a static driver method").into()
            );
        };
        self.begin_making(state, callee, way, making.depth, super::Target::Below)
    }
}
