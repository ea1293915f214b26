//! Functions as inputs: an object of an interface whose answers are inputs.
//!
//! An interface of the program may have several abstract methods, if nothing else makes objects of it: such
//! an object stands in for all classes that implement it, as a mock does in a test. One of the JDK has one
//! method; what several of them answer hangs together there (`size` and `isEmpty`).
//!
//! The class is made here, its methods are natives, and default methods of the interface are interpreted.
//! A function gives the same answer for the same arguments [Ackermann 1954]: numbers, strings and boxes are
//! the same if they are equal, other objects if they are one object. An answer that is a number is an
//! expression: the answer of the first call with equal arguments, else a new input. For an answer that is a
//! reference the path chooses whether a call has the arguments of an earlier one. What a function does not do
//! (throw, change something, answer differently) is left out, and results say so.

use std::rc::Rc;
use std::sync::Arc;

use evergreen_classfile::MethodDescriptor;
use evergreen_symbolic::{Assignment, Cond};

use super::{Generic, Input, Recipes, Target};
use crate::classes::link::NewClass;
use crate::classes::{ClassId, MethodBody, MethodId, access};
use crate::describe::{Described, box_kind};
use crate::lazy::{Offer, Offered};
use crate::machine::{Drawn, Jvm};
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::state::State;
use crate::value::{Ref, Value};

/// A function of the input.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// The way to it; its answers are `f[0]`, `f[1]`.
    pub(crate) name: Arc<str>,
    pub(crate) object: Ref,
    /// The interface, and its abstract methods.
    interface: ClassId,
    pub(crate) methods: Rc<[MethodId]>,
    /// Its type.
    pub(crate) of: Generic,
    /// How many objects an answer is nested in.
    pub(crate) depth: u32,
    /// The calls that got an answer of their own, in order.
    pub(crate) calls: Vec<Answered>,
    /// The answer to the running call, if that had to be made.
    pub(crate) ready: Option<Value>,
}

/// A call of a function of the input.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    /// The called method of the interface.
    pub(crate) method: MethodId,
    pub(crate) arguments: Vec<Value>,
    pub(crate) answer: Value,
    /// When an earlier call had the same arguments.
    pub(crate) again: Cond,
}

impl Function {
    /// Everything that must outlive collections.
    pub(super) fn values(&self) -> Vec<Value> {
        let calls = self.calls.iter().flat_map(|call| call.arguments.iter().copied().chain([call.answer]));
        calls.chain(self.ready).chain([Value::Ref(self.object)]).collect()
    }

    /// The ways to its answers.
    pub(super) fn ways(&self) -> impl Iterator<Item = String> {
        (0..self.calls.len()).map(|at| format!("{}[{at}]", self.name))
    }
}

/// A function of an input, under an assignment.
#[derive(Clone, PartialEq, Debug)]
pub struct DescribedFunction {
    /// Internal name of the interface.
    pub interface: Arc<str>,
    /// Its method; empty if it has several.
    pub method: Arc<str>,
    /// The method's descriptor; empty if it has several.
    pub descriptor: Arc<str>,
    /// Whether source in the package of the explored method cannot name the interface.
    pub hidden: bool,
    /// The calls, in order.
    pub calls: Vec<DescribedAnswer>,
}

/// A call of a function of an input, under an assignment.
#[derive(Clone, PartialEq, Debug)]
pub struct DescribedAnswer {
    /// The called method with its descriptor, if the interface has several.
    pub method: Option<Arc<str>>,
    /// Its arguments. Other objects than strings, boxes and constants of enums are only named.
    pub arguments: Vec<Described>,
    /// Its answer.
    pub answer: Described,
    /// Whether an earlier call had the same arguments.
    pub again: bool,
}

impl Jvm {
    /// The abstract methods of an interface whose objects are functions: one, or several of an interface of
    /// the program.
    pub(super) fn function_methods(&mut self, class: ClassId) -> Option<Rc<[MethodId]>> {
        let own = self.class(class).clone();
        let is_sealed = own.file().is_some_and(|file| !file.permitted.is_empty());
        if !own.is_interface() || own.access & access::ANNOTATION != 0 || is_sealed {
            return None;
        }
        let object = self.known_class("java/lang/Object")?;
        let mut found: Vec<MethodId> = Vec::new();
        for ancestor in own.ancestors.iter().copied().chain([class]) {
            for id in self.class(ancestor).methods.clone() {
                let method = self.method(id).clone();
                if !matches!(method.body, MethodBody::Abstract)
                    || self.class(object).by_signature.contains_key(&method.signature)
                {
                    continue;
                }
                // A default method below implements it.
                let selected = self.find_method(class, &method.name, &method.descriptor);
                if selected.is_some_and(|id| !matches!(self.method(id).body, MethodBody::Abstract)) {
                    continue;
                }
                if found.iter().all(|other| self.method(*other).signature != method.signature) {
                    found.push(id);
                }
            }
        }
        match found[..] {
            [] => None,
            // What a method with types of its own returns depends on its arguments.
            [only] => (!self.has_own_types(only)).then(|| found.into()),
            _ => own.user.then(|| found.into()),
        }
    }

    /// Whether a stand-in takes the place of the calls that make objects of an interface of the program:
    /// those are nested deeper than objects are made, so each of them would be given null.
    pub(super) fn is_stood_in_for(&mut self, class: ClassId, recipes: &Recipes, depth: u32) -> bool {
        let own = self.class(class).clone();
        let left = self.options.nesting.saturating_sub(depth + 1);
        own.user
            && own.is_interface()
            && !recipes.callees.iter().any(|callee| self.has_arguments(*callee, left))
            && self.function_methods(class).is_some()
    }

    /// Whether each argument of a call is more than null where objects are nested `left` levels deep.
    fn has_arguments(&mut self, callee: MethodId, left: u32) -> bool {
        self.parameter_types(callee).iter().all(|of| self.has_objects(of, left))
    }

    fn has_objects(&mut self, of: &Generic, left: u32) -> bool {
        let element = of.descriptor.trim_start_matches('[');
        let Some(name) = element.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            return true;
        };
        if name == "java/lang/String" || box_kind(name).is_some() {
            return true;
        }
        let Ok(class) = self.load(name) else { return false };
        let own = self.class(class).clone();
        if own.access & access::ENUM != 0 || left == 0 {
            return own.access & access::ENUM != 0;
        }
        // Of the JDK's objects those that hold others can be empty; the others are made of numbers and texts.
        let recipes = self.recipes_below(class);
        let is_made = recipes.callees.iter().any(|callee| self.has_arguments(*callee, left - 1));
        is_made || !own.user || self.function_methods(class).is_some()
    }

    /// Whether a method declares types.
    pub(crate) fn has_own_types(&self, method: MethodId) -> bool {
        let method = self.method(method);
        let file = self.class(method.class).file();
        let declared = file.and_then(|file| file.method(&method.name, &method.descriptor));
        declared.and_then(|declared| declared.signature.as_deref()).is_some_and(|text| text.starts_with('<'))
    }

    fn known_class(&mut self, name: &str) -> Option<ClassId> {
        self.load(name).ok()
    }

    /// The class of the functions that implement an interface.
    fn function_class(&mut self, interface: ClassId, methods: &[MethodId]) -> Result<ClassId, Trap> {
        if let Some(known) = self.functions.get(&interface) {
            return Ok(*known);
        }
        let superclass = self.load("java/lang/Object")?;
        let methods = methods.iter().map(|id| {
            let method = self.method(*id);
            (
                method.name.clone(),
                method.descriptor.clone(),
                crate::natives::answer as crate::native::NativeFn,
                0,
            )
        });
        let methods = methods.collect();
        let package = self.class(interface).package().to_string();
        let slash = if package.is_empty() { "" } else { "/" };
        let class = self.define(NewClass {
            name: format!("{package}{slash}Evergreen$$Function${}", self.functions.len()).into(),
            superclass,
            interfaces: vec![interface],
            fields: Vec::new(),
            methods,
            user: false,
        })?;
        self.functions.insert(interface, class);
        Ok(class)
    }

    /// A function that is an input, or null; `None` if the type is no functional interface.
    pub(super) fn make_function(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        depth: u32,
        target: Target,
    ) -> Result<Option<Input>, Box<Trap>> {
        let Some(interface) = self.made_class(&of.descriptor) else { return Ok(None) };
        let Some(methods) = self.function_methods(interface) else { return Ok(None) };
        if depth >= self.options.nesting {
            self.note_bound(state, InputBound::Nesting);
            return Ok(Some(Input::Value(Value::Null)));
        }
        let class = self.function_class(interface, &methods)?;
        self.require_init(state, class)?;
        let ways = vec![Offered::Null, Offered::New(self.class(interface).name.clone())];
        let is_null = match self.options.drawn.get(&format!("{name}.new")) {
            Some(Drawn::Name(said)) => said == "null",
            _ => self.choose_way(state, Offer { name: name.into(), ways })? == 0,
        };
        if is_null {
            return Ok(Some(Input::Value(Value::Null)));
        }
        let others = state.made.functions.iter().map(|other| other.interface).collect::<Vec<_>>();
        let fits = |other: &ClassId| {
            self.class(*other).is_assignable_to(interface) || self.class(interface).is_assignable_to(*other)
        };
        if others.iter().any(fits) {
            self.note_bound(state, InputBound::Sharing);
        }
        if methods.len() > 1 {
            // Called or not, it is no object of a class that implements the interface elsewhere.
            self.note_bound(state, InputBound::Functions);
        }
        let object = self.new_instance(state, class);
        let function = Function {
            name: name.into(),
            object,
            interface,
            methods,
            of: of.clone(),
            // What a constructor's argument answers is made as what a parameter answers: a service whose
            // repository is a mock gets objects from it. The answers of an answer are nested in it.
            depth: if matches!(target, Target::Answer(_)) { depth + 1 } else { depth.max(1) },
            calls: Vec::new(),
            ready: None,
        };
        state.made_mut().functions.push(function);
        Ok(Some(Input::Value(Value::Ref(object))))
    }

    /// The answer to the running call of a function was made.
    pub(super) fn give_answer(&mut self, state: &mut State, function: usize, made: Value) {
        if let Some(function) = state.made_mut().functions.get_mut(function) {
            function.ready = Some(made);
        }
        state.forget_choices();
    }

    /// A function of the input under an assignment.
    pub(super) fn described_function(
        &self,
        start: &State,
        function: &Function,
        inputs: &Assignment,
    ) -> DescribedFunction {
        let interface = self.class(function.interface);
        let (name, descriptor) = match function.methods[..] {
            [only] => (self.method(only).name.clone(), self.method(only).descriptor.clone()),
            _ => ("".into(), "".into()),
        };
        let is_one = function.methods.len() == 1;
        let answered = |call: &Answered| {
            let method = self.method(call.method);
            let parsed = MethodDescriptor::parse(&method.descriptor).ok();
            let types = parsed.iter().flat_map(|p| p.parameters.iter().map(ToString::to_string));
            let argument = |(value, of): (&Value, String)| match self.describe(start, *value, &of, inputs) {
                Described::Array { element, .. } => Described::Object { class: format!("[{element}").into() },
                other => other,
            };
            let arguments = call.arguments.iter().zip(types).map(argument).collect();
            let result = parsed.as_ref().and_then(|parsed| parsed.result.as_ref());
            let result = result.map(ToString::to_string).unwrap_or_default();
            DescribedAnswer {
                method: (!is_one).then(|| format!("{}{}", method.name, method.descriptor).into()),
                arguments,
                answer: self.describe_made(start, call.answer, &result, inputs),
                again: self.exprs.borrow().holds(call.again, inputs),
            }
        };
        DescribedFunction {
            interface: interface.name.clone(),
            method: name,
            descriptor,
            hidden: !super::describe::is_named(interface, access::PUBLIC, &start.made.package),
            calls: function.calls.iter().map(answered).collect(),
        }
    }
}
