//! The calls that made the objects of an input, for people and tests.

use std::sync::Arc;

use evergreen_symbolic::Assignment;

use crate::classes::{Class, access};
use crate::describe::Described;
use crate::machine::Jvm;
use crate::object::Body;
use crate::state::State;
use crate::value::{Ref, Value};

/// A call that makes an object of an input.
#[derive(Clone, PartialEq, Debug)]
pub struct DescribedCall {
    /// Internal name of its class.
    pub class: Arc<str>,
    /// `<init>` of a constructor.
    pub method: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// Whether source in the package of the explored method cannot call it.
    pub hidden: bool,
    /// Whether it declares exceptions.
    pub throws: bool,
    /// Names of its parameters.
    pub parameters: Vec<Arc<str>>,
    /// Its arguments.
    pub arguments: Vec<Described>,
}

impl Jvm {
    /// The receiver under an assignment of the inputs, if a test has to say how it was made.
    pub fn described_receiver(&self, state: &State, inputs: &Assignment) -> Option<Described> {
        let object = state.made.receiver?;
        Some(self.describe_input(state, Value::Ref(object), "Ljava/lang/Object;", inputs))
    }

    /// A value of the input as it was at the start, of the type `descriptor`, under an assignment of the
    /// inputs: an object by the call that made it.
    pub fn describe_input(
        &self,
        state: &State,
        value: Value,
        descriptor: &str,
        inputs: &Assignment,
    ) -> Described {
        if state.made.arrays.is_empty() {
            return self.describe_made(state, value, descriptor, inputs);
        }
        let mut start = state.clone();
        for (array, body) in &state.made.arrays {
            start.heap.get_mut(*array).body = body.clone();
        }
        self.describe_made(&start, value, descriptor, inputs)
    }

    pub(super) fn describe_made(
        &self,
        start: &State,
        value: Value,
        descriptor: &str,
        inputs: &Assignment,
    ) -> Described {
        let Value::Ref(object) = value else { return self.describe(start, value, descriptor, inputs) };
        if let Some(place) = start.lazy.place(object) {
            return Described::Input(place);
        }
        if let Some(at) = start.made.recipe_before(object, usize::MAX) {
            return Described::Call(Box::new(self.described_call(start, at, inputs)));
        }
        if let Some(function) = start.made.functions.iter().find(|function| function.object == object) {
            return Described::Function(Box::new(self.described_function(start, function, inputs)));
        }
        if let Some(items) = self.references(start, object) {
            let element: Arc<str> = self.class(start.heap.class_of(object)).name[1..].into();
            let items = items.iter().map(|item| self.describe_made(start, *item, &element, inputs)).collect();
            return Described::Array { element, items };
        }
        self.describe(start, value, descriptor, inputs)
    }

    /// The elements of an array of the input that holds references.
    fn references(&self, start: &State, object: Ref) -> Option<Vec<Value>> {
        let is_own = start.made.arrays.iter().any(|(array, _)| *array == object);
        match &start.heap.get(object).body {
            Body::Refs(items) if is_own => Some(items.to_vec()),
            _ => None,
        }
    }

    fn described_call(&self, start: &State, at: usize, inputs: &Assignment) -> DescribedCall {
        let recipe = &start.made.recipes[at];
        let method = self.method(recipe.callee);
        let class = self.class(method.class);
        let arguments = recipe.arguments.iter().enumerate().map(|(place, argument)| {
            // A builder is what the call before this one has made of it.
            let before = argument.value.as_ref().and_then(|object| start.made.recipe_before(object, at));
            match before.filter(|_| place == 0 && self.is_on_object(recipe.callee)) {
                Some(before) => Described::Call(Box::new(self.described_call(start, before, inputs))),
                None => self.describe_made(start, argument.value, &argument.descriptor, inputs),
            }
        });
        if !method.user && !method.is_static() && &*method.name != "<init>" {
            let class = self.class(start.heap.class_of(recipe.object)).name.clone();
            return self.described_by_method(&method.name, class, arguments.collect());
        }
        let file = class.file();
        let declared = file.and_then(|file| file.method(&method.name, &method.descriptor));
        DescribedCall {
            class: class.name.clone(),
            method: method.name.clone(),
            descriptor: self.descriptor_with_receiver(recipe.callee),
            // An inner class has a syntax of its own, which names the object around before `new`.
            hidden: self.is_inner(recipe.callee) || !is_named(class, method.access, &start.made.package),
            throws: declared.is_some_and(|method| !method.exceptions.is_empty()),
            parameters: recipe.arguments.iter().map(|argument| argument.name.clone()).collect(),
            arguments: arguments.collect(),
        }
    }
}

impl Jvm {
    /// A map, as entries that are put into it, or an iterator, as the list below it.
    fn described_by_method(&self, method: &str, class: Arc<str>, arguments: Vec<Described>) -> DescribedCall {
        let (class, descriptor, parameter, arguments) = match method {
            "put" => {
                let element = "Ljava/lang/Object;".into();
                let descriptor = format!("([Ljava/lang/Object;)L{class};");
                (class, descriptor, "entries", vec![Described::Array { element, items: arguments }])
            }
            _ => {
                let descriptor = "(Ljava/util/List;)Ljava/util/Iterator;".to_string();
                ("java/util/Iterator".into(), descriptor, "list", arguments)
            }
        };
        DescribedCall {
            class,
            method: method.into(),
            descriptor: descriptor.as_str().into(),
            hidden: false,
            throws: false,
            parameters: vec![parameter.into()],
            arguments,
        }
    }
}

/// Whether source in a package can name a class and a method of it with these flags.
pub(super) fn is_named(class: &Class, method: u16, package: &str) -> bool {
    let inner =
        class.file().and_then(|file| file.inner_classes.iter().find(|inner| inner.inner == class.name));
    let own = inner.map_or(class.access, |inner| inner.access);
    let is_seen = |flags: u16| match class.package() == package {
        true => flags & access::PRIVATE == 0,
        false => flags & access::PUBLIC != 0,
    };
    is_seen(own) && is_seen(method)
}
