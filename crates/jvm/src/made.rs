//! Inputs that calls make: an object is what a constructor or a factory of its class gives for arguments
//! that are inputs themselves.
//!
//! The machine runs the call as bytecode before the explored method begins, in a frame of [`Role::Making`]
//! that collects the arguments, calls and hands the result on. An argument that is an object is made the same
//! way, one level deeper, up to [`crate::Options::nesting`] levels. Where a type has several constructors,
//! factories or classes, the path is free to choose ([`recipes`] says among which). A call that throws
//! refuses its arguments: no input is made, and the path ends as after a failed assumption.
//!
//! Fields set at will, as lazy objects have them, would also reach objects that no program makes: a record
//! that its constructor refuses, a fraction whose denominator is 0.

mod builders;
mod collections;
mod describe;
mod effort;
mod functions;
mod generic;
mod jdk;
mod maps;
mod mutators;
mod recipes;

use std::rc::Rc;
use std::sync::Arc;

use evergreen_explore::Arm;
use evergreen_symbolic::Cond;

use crate::classes::{ClassId, Method, MethodId, access};
use crate::describe::box_kind;
use crate::frame::Role;
use crate::lazy::{Offer, Offered};
use crate::machine::{Drawn, Flow, Jvm};
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::object::Body;
use crate::outcome::{Ending, Parameter};
use crate::state::{Pending, State};
use crate::value::{Kind, Ref, Value};

pub use describe::DescribedCall;
pub(crate) use effort::Efforts;
pub(crate) use functions::Answered;
pub use functions::{DescribedAnswer, DescribedFunction};
pub(crate) use generic::Generic;
pub(crate) use recipes::Recipes;

/// A call that is being prepared: what [`Role::Making`] holds.
#[derive(Clone, Debug)]
pub struct Making {
    what: What,
    /// The way to the object, which begins the names of its inputs.
    name: Arc<str>,
    arguments: Vec<Parameter>,
    /// The types of the arguments.
    types: Rc<[Generic]>,
    /// How many objects it is nested in, itself included.
    depth: u32,
    /// Whether the call was made.
    called: bool,
    /// How many calls a map was made by so far.
    stage: u32,
    /// The new object, if the callee is a constructor.
    object: Option<Ref>,
    target: Target,
}

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// The result of a call.
    Call(MethodId),
    /// An array of this class and length, whose elements are the arguments.
    Array(ClassId, u32),
    /// A map of this class with so many entries: the arguments are keys and values in turn.
    Map(ClassId, u32),
    /// An iterator: the result of this method, called on the argument.
    Iterator(MethodId),
}

impl Making {
    /// Everything that must outlive collections.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        self.arguments.iter().map(|argument| argument.value).chain(self.object.map(Value::Ref))
    }
}

/// The receiver of the result of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// The entry of the method, or the call that needs an argument.
    Below,
    /// A field or element of a lazy object, by its place and slot.
    Field(usize, usize),
    /// The running call of a function that is an input, by its place.
    Answer(usize),
}

/// An object of the input and the call that made it.
#[derive(Clone, Debug)]
struct Recipe {
    /// The way to it.
    name: Arc<str>,
    object: Ref,
    callee: MethodId,
    arguments: Vec<Parameter>,
}

/// The objects of a path's input that calls have made.
#[derive(Clone, Debug, Default)]
pub(crate) struct MadeInputs {
    recipes: Vec<Recipe>,
    /// Arrays of the input, as they were at the start.
    arrays: Vec<(Ref, Body)>,
    /// The ways to the elements of arrays of references.
    elements: Vec<String>,
    /// Functions.
    pub(crate) functions: Vec<functions::Function>,
    /// What the method is called on, if there was another way to make it, or it has arguments.
    pub(crate) receiver: Option<Ref>,
    /// The package of the explored method: tests are in it.
    package: Arc<str>,
}

impl MadeInputs {
    /// None, for a method of a class of this package.
    pub(crate) fn of_package(package: &str) -> MadeInputs {
        MadeInputs { package: package.into(), ..MadeInputs::default() }
    }

    /// Everything that must outlive collections.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        let made = self.recipes.iter().flat_map(|recipe| {
            recipe.arguments.iter().map(|argument| argument.value).chain([Value::Ref(recipe.object)])
        });
        let kept = |(array, body): &(Ref, Body)| {
            let items = match body {
                Body::Refs(items) => items.to_vec(),
                Body::Open(open) => open.items.clone(),
                _ => Vec::new(),
            };
            items.into_iter().chain([Value::Ref(*array)]).collect::<Vec<_>>()
        };
        let functions = self.functions.iter().flat_map(functions::Function::values);
        made.chain(self.arrays.iter().flat_map(kept)).chain(functions).chain(self.receiver.map(Value::Ref))
    }

    /// The arrays of the input.
    pub(crate) fn array_refs(&self) -> impl Iterator<Item = Ref> {
        self.arrays.iter().map(|(array, _)| *array)
    }

    /// An element of an array of the input was made after the start, at its first read.
    pub(crate) fn add_element(&mut self, array: Ref, at: usize, value: Value, way: String) {
        if let Some((_, Body::Open(open))) = self.arrays.iter_mut().find(|(kept, _)| *kept == array) {
            Rc::make_mut(open).set(at, value);
        }
        self.elements.push(way);
    }

    /// The call that made an object, the first of several, and its arguments.
    fn call_of(&self, object: Ref) -> Option<(MethodId, Vec<Value>)> {
        let recipe = self.recipes.iter().find(|recipe| recipe.object == object)?;
        Some((recipe.callee, recipe.arguments.iter().map(|argument| argument.value).collect()))
    }

    /// The last of the calls before a place that made an object: a builder is made by several, one after the
    /// other.
    fn recipe_before(&self, object: Ref, place: usize) -> Option<usize> {
        self.recipes.iter().take(place).rposition(|recipe| recipe.object == object)
    }
}

/// A value that is there, or a call that has begun: its frame is on top.
pub(crate) enum Input {
    Value(Value),
    Begun,
}

impl State {
    pub(crate) fn made_mut(&mut self) -> &mut MadeInputs {
        Rc::make_mut(&mut self.made)
    }

    /// Whether the path has not called the explored method yet.
    pub fn is_entering(&self) -> bool {
        self.entry.is_some()
    }

    /// Whether an object of the input is being made.
    pub(crate) fn is_making(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame.role, Role::Making(_)))
    }

    /// Remembers an array of the input as it is at the start.
    pub(crate) fn keep_array(&mut self, array: Ref) {
        let body = self.heap.get(array).body.clone();
        self.made_mut().arrays.push((array, body));
    }
}

impl Jvm {
    /// The class of an input that calls make: no box, no enum, no string.
    fn made_class(&mut self, descriptor: &str) -> Option<ClassId> {
        let name = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'))?;
        if name == "java/lang/String" || box_kind(name).is_some() {
            return None;
        }
        self.load(name).ok()
    }

    /// An input of a class whose objects calls make, or null; `None` if no call makes such objects.
    pub(crate) fn make_object(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        depth: u32,
        target: Target,
    ) -> Result<Option<Input>, Box<Trap>> {
        // A field of a lazy object holds lazy objects, and records.
        let is_field = matches!(target, Target::Field(..));
        if !is_field && let Some(made) = self.make_container(state, name, of, depth, target)? {
            return Ok(Some(made));
        }
        let Some(class) = self.made_class(&of.descriptor) else { return Ok(None) };
        let recipes = self.recipes_for(class, of, depth);
        if recipes.callees.is_empty() {
            return if is_field { Ok(None) } else { self.make_function(state, name, of, depth, target) };
        }
        if depth >= self.options.nesting {
            self.note_bound(state, InputBound::Nesting);
            return Ok(Some(Input::Value(Value::Null)));
        }
        if !is_field && self.is_stood_in_for(class, &recipes, depth) {
            self.note_bound(state, InputBound::Nesting);
            return self.make_function(state, name, of, depth, target);
        }
        if recipes.others || recipes.fewer {
            self.note_bound(state, InputBound::Classes);
        }
        let chosen = self.choose_recipe(state, name, &recipes, true)?;
        let Some(callee) = chosen else { return Ok(Some(Input::Value(Value::Null))) };
        self.begin_making(state, callee, name, depth + 1, target)?;
        // An entry of any class of the program has parameters of its own.
        let types = match jdk::holds_its_arguments(&of.descriptor) && !self.method(callee).user {
            true => Rc::from([of.held(), of.arguments.get(1).cloned().unwrap_or_else(|| of.held())]),
            false => self.parameter_types_for(callee, of),
        };
        if let Some(frame) = state.top_mut()
            && let Role::Making(making) = &mut frame.role
        {
            Rc::make_mut(making).types = types;
        }
        Ok(Some(Input::Begun))
    }

    /// A new object of a class of the JDK for a field that is never null: a collection has elements, an
    /// object of another class is what its constructor without parameters makes. `None` if it has none.
    pub(crate) fn make_new(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        class: ClassId,
        target: Target,
    ) -> Result<Option<Input>, Box<Trap>> {
        self.note_bound(state, InputBound::Classes);
        if collections::is_made_as(&of.descriptor)
            && let Some(made) = self.make_container(state, name, of, 0, target)?
        {
            return Ok(Some(made));
        }
        let is_plain = |id: &MethodId| {
            let method = self.method(*id);
            &*method.name == "<init>" && &*method.descriptor == "()V" && method.access & access::PUBLIC != 0
        };
        let Some(callee) = self.class(class).methods.iter().copied().find(is_plain) else { return Ok(None) };
        self.begin_making(state, callee, name, 1, target)?;
        Ok(Some(Input::Begun))
    }

    /// Begins to make the receiver of a method; `false` if no call makes one.
    pub(crate) fn begin_receiver(
        &mut self,
        state: &mut State,
        class: ClassId,
        inherits: impl Fn(&mut Jvm, ClassId) -> bool,
    ) -> Result<bool, Box<Trap>> {
        let mut recipes = self.receiver_recipes(class);
        if recipes.fewer {
            self.note_bound(state, InputBound::Classes);
        }
        // A class below may have another method of that name.
        recipes.callees.retain(|callee| {
            let made = self.made_by(*callee);
            inherits(self, made) || self.class(made).access & access::ABSTRACT != 0
        });
        if recipes.callees.is_empty() {
            return Ok(false);
        }
        self.add_mutators(state, "this", &mut recipes);
        let Some(callee) = self.choose_recipe(state, "this", &recipes, false)? else { return Ok(false) };
        self.begin_making(state, callee, "this", 1, Target::Below)?;
        Ok(true)
    }

    /// Whether a test has to say how the receiver was made: the only constructor needs nothing else.
    fn is_plain_receiver(&mut self, state: &State, callee: MethodId) -> bool {
        let method = self.method(callee).clone();
        let own = state.entry_method().map(|entry| self.method(entry).class);
        own == Some(method.class)
            && &*method.name == "<init>"
            && &*method.descriptor == "()V"
            && self.receiver_recipes(method.class).callees.len() == 1
    }

    /// Which call makes an object on this path; `None` is null. Inputs are free to take any.
    fn choose_recipe(
        &mut self,
        state: &mut State,
        name: &str,
        recipes: &Recipes,
        or_null: bool,
    ) -> Result<Option<MethodId>, Box<Trap>> {
        let null = or_null.then_some(None);
        let all: Vec<Option<MethodId>> =
            null.into_iter().chain(recipes.callees.iter().map(|callee| Some(*callee))).collect();
        if let Some(said) = self.options.drawn.get(&format!("{name}.new")) {
            let Drawn::Name(said) = said else { return Err(Trap::End(Box::new(Ending::Assumed)).into()) };
            let said = said.replace(' ', "");
            let key = |callee: &Option<MethodId>| match callee {
                Some(callee) => self.call_key(*callee).replace(' ', ""),
                None => "null".into(),
            };
            let found = all.iter().find(|callee| key(callee) == said);
            return found.copied().ok_or_else(|| Trap::End(Box::new(Ending::Assumed)).into());
        }
        if let [only] = all[..] {
            return Ok(only);
        }
        let ways = all.iter().map(|callee| match callee {
            Some(callee) => Offered::Call(self.call_name(*callee)),
            None => Offered::Null,
        });
        let offer = Offer { name: name.into(), ways: ways.collect() };
        Ok(all[self.choose_way(state, offer)?])
    }

    /// Which way of an offer this path takes. Inputs are free to take any.
    fn choose_way(&mut self, state: &mut State, offer: Offer) -> Result<usize, Box<Trap>> {
        let used = state.used;
        if let Some(answer) = state.choices().get(used).copied() {
            state.used += 1;
            return Ok(answer as usize);
        }
        let count = offer.ways.len();
        let site = self.site_here(state);
        self.arms.clear();
        let arm = |index: usize| Arm { constraint: Cond::TRUE, site, index: index as u32 };
        self.arms.extend((0..count).map(arm));
        let kept: Rc<[u32]> = (0..count as u32).collect();
        state.pending = Some(Pending::Object(site, kept, Rc::new(offer)));
        state.used = 0;
        Err(Trap::Choice.into())
    }

    /// Pushes the frame that makes an object.
    fn begin_making(
        &mut self,
        state: &mut State,
        callee: MethodId,
        name: &str,
        depth: u32,
        target: Target,
    ) -> Result<(), Box<Trap>> {
        let method = self.method(callee).clone();
        // `new` comes before the arguments, the call of a factory behind them.
        if &*method.name == "<init>" {
            self.require_init(state, method.class)?;
        }
        let made = self.made_by(callee);
        // Of the JDK's constructors only some are taken; what a call of another class gives may be anything.
        if made != method.class || !method.user || !self.is_whole(made) {
            self.note_bound(state, InputBound::Receiver);
        }
        // A builder is the same one after each call on it.
        if !self.is_on_object(callee) || made != method.class {
            self.note_own_object(state, made);
        }
        let making = Making {
            what: What::Call(callee),
            name: name.into(),
            arguments: Vec::new(),
            types: self.making_types(callee),
            depth,
            called: false,
            stage: 0,
            object: None,
            target,
        };
        self.push_making(state, method, making);
        Ok(())
    }

    fn push_making(&mut self, state: &mut State, method: Rc<Method>, making: Making) {
        let mut frame = self.new_frame(method, Role::Making(Rc::new(making)));
        // The arguments are chosen before the first instruction of the callee.
        (frame.pc, frame.sp) = (u32::MAX, 0);
        frame.slots.resize(2, Value::Pad);
        state.frames.push(Rc::new(frame));
    }

    /// Notes that an object of the input is a new one, although it could be one of the existing objects.
    fn note_own_object(&mut self, state: &mut State, class: ClassId) {
        let is_other = |recipe: &Recipe| {
            let other = self.class(state.heap.class_of(recipe.object));
            other.is_assignable_to(class) || self.class(class).is_assignable_to(other.id)
        };
        if state.made.recipes.iter().any(is_other) {
            self.note_bound(state, InputBound::Sharing);
        }
    }

    /// Continues the frame on top, which makes an object.
    pub(crate) fn continue_making(
        &mut self,
        state: &mut State,
        making: &Rc<Making>,
    ) -> Result<Flow, Box<Trap>> {
        if making.called {
            return self.end_making(state, making);
        }
        let at = making.arguments.len();
        let callee = match making.what {
            What::Call(callee) => callee,
            What::Array(class, length) if at == length as usize => {
                return Ok(self.end_array(state, making, class));
            }
            What::Array(..) => return self.next_argument(state, making, &format!("{}[{at}]", making.name)),
            What::Map(class, count) if at == 2 * count as usize => {
                return self.continue_map(state, making, (class, count));
            }
            // A sorted map takes no null.
            What::Map(class, _) if at % 2 == 1 && self.refuses_key(making, class) => {
                return Ok(Flow::Ended(Ending::Refused));
            }
            What::Map(..) => return self.next_argument(state, making, &making.entry_way(at)),
            What::Iterator(callee) => return self.call_maker(state, making, callee),
        };
        match self.making_parameters(callee).get(at) {
            Some((name, _)) if at == 0 && self.is_on_object(callee) => {
                self.begin_builder(state, making, callee, &format!("{}.{name}", making.name))?;
                state.used = 0;
                Ok(Flow::Frames)
            }
            Some((name, _)) => match self.given_argument(state, callee, at) {
                Some(value) => {
                    self.add_argument(state, value);
                    Ok(Flow::Frames)
                }
                None => self.next_argument(state, making, &format!("{}.{name}", making.name)),
            },
            None => self.call_maker(state, making, callee),
        }
    }

    /// An argument of a call of the JDK that is no input.
    fn given_argument(&mut self, state: &mut State, callee: MethodId, at: usize) -> Option<Value> {
        let method = self.method(callee);
        if method.user {
            return None;
        }
        Some(match jdk::given(&method.class_name, &method.name, &method.descriptor, at)? {
            jdk::Given::Text(text) => Value::Ref(self.new_text(state, text)),
            jdk::Given::Int(number) => Value::Int(number),
            jdk::Given::NoTexts => {
                let class = self.load("[Ljava/lang/String;").ok()?;
                Value::Ref(state.heap.new_object(class, Body::array(Kind::Reference, 0)))
            }
        })
    }

    /// Makes the next argument or element.
    fn next_argument(&mut self, state: &mut State, making: &Making, way: &str) -> Result<Flow, Box<Trap>> {
        // Elements are all of one type, keys and values of two.
        let at = match making.what {
            What::Map(..) => making.arguments.len() % 2,
            _ => making.arguments.len(),
        };
        let of = making.types.get(at).or(making.types.first()).cloned();
        let of = of.unwrap_or_else(|| Generic::plain("Ljava/lang/Object;"));
        let made = self.make_argument(state, way, &of, None, making.depth)?;
        // The answers are used up; a frame that has begun has none yet.
        state.used = 0;
        if let Input::Value(value) = made {
            // Null where nothing else can be made says what was left out, and stays.
            let is_chosen = state.top().is_some_and(|frame| !frame.choices.is_empty());
            if value == Value::Null && is_chosen && self.is_never_null(&of.descriptor, making.depth) {
                return Ok(Flow::Ended(Ending::Assumed));
            }
            self.add_argument(state, value);
        }
        Ok(Flow::Frames)
    }

    /// What is prepared on top has one more argument.
    fn add_argument(&mut self, state: &mut State, value: Value) {
        let Some(Role::Making(making)) = state.top().map(|frame| frame.role.clone()) else { return };
        let at = making.arguments.len();
        let (name, descriptor) = match making.what {
            What::Call(callee) => match self.making_parameters(callee).into_iter().nth(at) {
                Some(parameter) => parameter,
                None => return,
            },
            What::Array(class, _) => (format!("[{at}]").into(), self.class(class).name[1..].into()),
            What::Map(..) => (maps::entry_name(at).into(), "Ljava/lang/Object;".into()),
            What::Iterator(_) => ("list".into(), "Ljava/util/List;".into()),
        };
        let Some(frame) = state.top_mut() else { return };
        frame.choices.clear();
        if let Role::Making(making) = &mut frame.role {
            Rc::make_mut(making).arguments.push(Parameter { name, descriptor, value });
        }
    }

    fn call_maker(
        &mut self,
        state: &mut State,
        making: &Making,
        callee: MethodId,
    ) -> Result<Flow, Box<Trap>> {
        // An object around is never null.
        let is_alone = || making.arguments.first().is_some_and(|outer| outer.value == Value::Null);
        if making.what == What::Call(callee) && self.is_inner(callee) && is_alone() {
            return Ok(Flow::Ended(Ending::Refused));
        }
        let method = self.method(callee).clone();
        self.require_init(state, method.class)?;
        let object = (&*method.name == "<init>").then(|| self.new_instance(state, method.class));
        let callee = self.called_on(state, making, callee);
        if let Some(frame) = state.top_mut()
            && let Role::Making(making) = &mut frame.role
        {
            let making = Rc::make_mut(making);
            (making.called, making.object) = (true, object);
        }
        let arguments = making.arguments.iter().map(|argument| argument.value);
        let arguments: Vec<Value> = object.map(Value::Ref).into_iter().chain(arguments).collect();
        self.push_call(state, callee, &arguments)?;
        Ok(Flow::Frames)
    }

    /// All elements are there: hands the array on.
    fn end_array(&mut self, state: &mut State, making: &Making, class: ClassId) -> Flow {
        state.frames.pop();
        state.leave_joins();
        let items = making.arguments.iter().map(|argument| argument.value);
        let array = state.heap.new_object(class, Body::Refs(items.collect()));
        state.keep_array(array);
        let ways = (0..making.arguments.len()).map(|at| format!("{}[{at}]", making.name));
        state.made_mut().elements.extend(ways);
        self.hand_on(state, making, Value::Ref(array));
        Flow::Frames
    }

    /// The call has returned: hands its object on.
    fn end_making(&mut self, state: &mut State, making: &Making) -> Result<Flow, Box<Trap>> {
        let Some(frame) = state.frames.pop() else { return Ok(Flow::Frames) };
        state.leave_joins();
        let returned = (frame.sp > 0).then(|| frame.slots[0]);
        let on = making.arguments.first().filter(|_| self.is_mutation(making.what)).map(|first| first.value);
        let made = making.object.map(Value::Ref).or(returned).or(on).unwrap_or(Value::Null);
        // A factory that returns null has made nothing: null is an input of its own.
        let Value::Ref(object) = made else { return Ok(Flow::Ended(Ending::Refused)) };
        let is_receiver =
            &*making.name == "this" && state.frames.is_empty() && making.target == Target::Below;
        if is_receiver && !self.is_called_on(state, object) {
            return Ok(Flow::Ended(Ending::Refused));
        }
        // A factory may return the same object again; any call that does is its recipe.
        if let What::Call(callee) | What::Iterator(callee) = making.what
            && (state.made.recipe_before(object, usize::MAX).is_none() || self.is_on_object(callee))
        {
            let (name, arguments) = (making.name.clone(), making.arguments.clone());
            state.made_mut().recipes.push(Recipe { name, object, callee, arguments });
            if is_receiver && !self.is_plain_receiver(state, callee) {
                state.made_mut().receiver = Some(object);
            }
        }
        self.hand_on(state, making, made);
        Ok(Flow::Frames)
    }

    /// Whether a call on an object runs the explored method: a factory may return an object of a class
    /// below, which has another method of that name.
    fn is_called_on(&mut self, state: &State, object: Ref) -> bool {
        let Some(entry) = state.entry_method() else { return true };
        let (method, class) = (self.method(entry).clone(), state.heap.class_of(object));
        method.is_static() || self.find_method(class, &method.name, &method.descriptor) == Some(entry)
    }

    /// Gives what was made, whose frame is gone, to whom it was made for.
    fn hand_on(&mut self, state: &mut State, making: &Making, made: Value) {
        state.used = 0;
        match making.target {
            Target::Field(place, slot) => {
                state.set_lazily(place, slot, made);
                state.forget_choices();
            }
            Target::Answer(function) => self.give_answer(state, function, made),
            Target::Below if state.frames.is_empty() => state.delivered = Some(made),
            Target::Below => self.add_argument(state, made),
        }
    }

    /// The names of the inputs that the calls of a path have as arguments.
    pub fn made_inputs(&self, state: &State) -> Vec<String> {
        let names = |recipe: &Recipe| {
            let name = |argument: &Parameter| format!("{}.{}", recipe.name, argument.name);
            recipe.arguments.iter().map(name).collect::<Vec<_>>()
        };
        let answers = state.made.functions.iter().flat_map(functions::Function::ways);
        let elements = state.made.elements.iter().cloned();
        state.made.recipes.iter().flat_map(names).chain(elements).chain(answers).collect()
    }

    /// A number that is an input, or the value that the caller of the exploration has fixed.
    pub(crate) fn number_input(
        &mut self,
        name: &str,
        kind: Kind,
        range: Option<(i64, i64)>,
    ) -> Result<Value, Trap> {
        crate::natives::fixed_or_input(self, name, kind, range)
    }
}
