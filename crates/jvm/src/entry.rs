//! How a path begins: the class is initialized, the receiver made, the parameters become
//! inputs, the method is called.
//!
//! A primitive parameter is an input of its name. An array of primitives is null or has one of the lengths up
//! to [`crate::Options::input_length`]; an input `a.length` (-1 for null) says which, and the elements are
//! inputs `a[0]`, `a[1]`. The length is chosen where code looks at it ([`crate::lengths`]). A string has the
//! same inputs, but its length is chosen only where code looks at it ([`crate::text`]), and how its object
//! stores the characters as well ([`crate::rope`]). A box such as `Integer` is null (`x.isNull`) or has the
//! input of its name in it; an enum is null or one of its constants (`e.ordinal`, -1 for null). Other
//! references are lazy objects if [`crate::Options::lazy`] says so ([`crate::lazy`]), objects that calls make
//! ([`crate::made`]), or null. The receiver is a lazy object too, or made by a call. Inputs that no path has
//! are noted by reason ([`crate::Narrowed`]).

use std::rc::Rc;
use std::sync::Arc;

use evergreen_symbolic::{Cond, Expr, InputKind, Rel};

use crate::classes::{ClassId, Method, MethodId, access};
use crate::describe::box_kind;
use crate::lazy::{Candidate, Purpose, is_array_of_references};
use crate::lengths::{MOST_OPEN, is_made_lazily};
use crate::machine::{Arguments, Drawn, Flow, Jvm};
use crate::made::{Generic, Input, MadeInputs, Target};
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::object::Body;
use crate::outcome::{Ending, Parameter};
use crate::state::State;
use crate::value::{Kind, Ref, Value};

const STRING: &str = "Ljava/lang/String;";

/// The requested value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// An input, within a range if one is given.
    Symbolic(Option<(i64, i64)>),
    /// This value; an object must be of the state that the path begins with.
    Fixed(Value),
}

/// The entry of a path.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    method: MethodId,
    arguments: Vec<Argument>,
    /// The names of the parameters where they differ from the class file.
    names: Vec<Arc<str>>,
}

impl Entry {
    /// The requested values of the parameters.
    pub(crate) fn arguments(&self) -> &[Argument] {
        &self.arguments
    }
}

impl State {
    /// The method that is to be called.
    pub(crate) fn entry_method(&self) -> Option<MethodId> {
        self.entry.as_ref().map(|entry| entry.method)
    }
}

impl Jvm {
    /// A method by class (internal name), name and descriptor, searched as calls search it.
    pub fn find(&mut self, class: &str, name: &str, descriptor: &str) -> Result<Option<MethodId>, Trap> {
        let class = self.load(class)?;
        Ok(self.find_method(class, name, descriptor))
    }

    /// The parameters of a method without the receiver: names (`p0`, `p1` if the class file
    /// has none) and descriptors.
    pub fn parameters(&self, method: MethodId) -> Vec<(Arc<str>, Arc<str>)> {
        let method = self.method(method);
        let Ok(descriptor) = evergreen_classfile::MethodDescriptor::parse(&method.descriptor) else {
            return Vec::new();
        };
        let mut slot = u16::from(!method.is_static());
        let mut all = Vec::new();
        for (index, parameter) in descriptor.parameters.iter().enumerate() {
            let variable = method.code().and_then(|code| code.variable(slot, 0));
            let name = variable.map_or_else(|| format!("p{index}").into(), |variable| variable.name.clone());
            all.push((name, parameter.to_string().into()));
            slot += parameter.slots();
        }
        all
    }

    /// A state that will call `method`, beginning with the heap and statics of `base`;
    /// missing arguments are symbolic.
    pub fn start(&mut self, base: &State, method: MethodId, arguments: Vec<Argument>) -> State {
        self.start_named(base, method, arguments, Vec::new())
    }

    /// The same with other names for the parameters: inputs are called after them, and a version in which a
    /// parameter was renamed has the same inputs.
    pub fn start_named(
        &mut self,
        base: &State,
        method: MethodId,
        arguments: Vec<Argument>,
        names: Vec<Arc<str>>,
    ) -> State {
        let mut state = base.clone();
        (state.steps, state.init_steps) = (0, 0);
        state.parameters = Rc::default();
        let class = self.method(method).class;
        state.made = Rc::new(MadeInputs::of_package(self.class(class).package()));
        state.entry = Some(Rc::new(Entry { method, arguments, names }));
        state
    }

    /// A state that will initialize `class`, and do nothing else.
    pub fn start_init(&mut self, base: &State, class: crate::classes::ClassId) -> State {
        let mut state = base.clone();
        if let Err(Trap::Init(class)) = self.require_init(&mut state, class) {
            self.begin_init(&mut state, class);
        }
        state
    }

    /// Continues the beginning of a path, which has no frames.
    pub(crate) fn enter(&mut self, state: &mut State) -> Result<Flow, Box<Trap>> {
        let Some(entry) = state.entry.clone() else {
            return Ok(Flow::Ended(Ending::Returned(None)));
        };
        let method = self.method(entry.method).clone();
        if !method.is_static() && state.receiver.is_none() {
            match state.delivered.take() {
                Some(made) => state.receiver = made.as_ref(),
                None => self.make_receiver(state, &method)?,
            }
            return Ok(Flow::Frames);
        }
        if let Some((name, descriptor)) =
            self.parameters(entry.method).into_iter().nth(state.parameters.len())
        {
            let name = entry.names.get(state.parameters.len()).cloned().unwrap_or(name);
            let delivered = state.delivered.take();
            let made = match (delivered, entry.arguments.get(state.parameters.len())) {
                (Some(value), _) => Input::Value(value),
                (None, Some(Argument::Fixed(value))) => Input::Value(*value),
                (None, given) => {
                    let range = given.and_then(|given| match given {
                        Argument::Symbolic(range) => *range,
                        Argument::Fixed(_) => None,
                    });
                    let types = self.entry_types(state, entry.method);
                    let of = types.get(state.parameters.len()).cloned();
                    let of = of.unwrap_or_else(|| Generic::plain(&descriptor));
                    self.make_argument(state, &name, &of, range, 0)?
                }
            };
            let Input::Value(value) = made else { return Ok(Flow::Frames) };
            let is_given = matches!(entry.arguments.get(state.parameters.len()), Some(Argument::Fixed(_)));
            if self.options.non_null && !is_given && value == Value::Null {
                return Ok(Flow::Ended(Ending::Assumed));
            }
            Rc::make_mut(&mut state.parameters).push(Parameter { name, descriptor, value });
            state.choices.clear();
            state.used = 0;
            return Ok(Flow::Frames);
        }
        // A static method is called, and its class initialized, when the arguments are there.
        self.require_init(state, method.class)?;
        state.entry = None;
        let receiver = state.receiver.take().map(Value::Ref);
        let args: Vec<Value> =
            receiver.into_iter().chain(state.parameters.iter().map(|parameter| parameter.value)).collect();
        self.push_call(state, entry.method, &args)?;
        Ok(Flow::Frames)
    }

    // The receiver of an instance method: lazy, or made by a call.
    fn make_receiver(&mut self, state: &mut State, method: &Rc<Method>) -> Result<(), Box<Trap>> {
        // A factory initializes its class behind its arguments.
        let is_made = self.options.lazy.is_none() && self.class(method.class).access & access::ENUM == 0;
        if !is_made {
            self.require_init(state, method.class)?;
        }
        if self.class(method.class).access & access::ENUM != 0 {
            return self.constant_receiver(state, method);
        }
        if let Some(kind) = self.lazy_receiver(state, method)? {
            self.require_init(state, kind)?;
            self.prepare_guide(state, kind)?;
            state.receiver = Some(self.new_lazy(state, kind, "this"));
            state.choices.clear();
            state.used = 0;
            return Ok(());
        }
        let own = method.clone();
        let inherits = move |jvm: &mut Jvm, class: ClassId| {
            jvm.find_method(class, &own.name, &own.descriptor) == Some(own.id)
        };
        let begun = self.begin_receiver(state, method.class, inherits)?;
        state.choices.clear();
        state.used = 0;
        if begun {
            return Ok(());
        }
        Err(self.no_receiver(method))
    }

    /// A method whose class has no objects that a test can make.
    pub(crate) fn no_receiver(&self, method: &Method) -> Box<Trap> {
        let class = self.class(method.class).java_name();
        Trap::unsupported(
            format!("an object of {class}, which no constructor or factory that a test can call makes"),
            "write a static driver method that makes the object",
        )
        .into()
    }

    /// The class of a lazy receiver: the method's own or, if that has no objects, one below it
    /// that inherits the method.
    fn lazy_receiver(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
    ) -> Result<Option<ClassId>, Box<Trap>> {
        let class = self.class(method.class).clone();
        if !self.can_be_lazy(class.id) {
            return Ok(None);
        }
        if class.access & (access::ABSTRACT | access::INTERFACE) == 0 {
            return Ok(Some(class.id));
        }
        let mut all = self.new_candidates(state, class.id)?;
        all.retain(|candidate| match candidate {
            Candidate::New(kind) => {
                self.find_method(*kind, &method.name, &method.descriptor) == Some(method.id)
            }
            Candidate::There(_) => false,
        });
        if all.is_empty() {
            return Ok(None);
        }
        let chosen = self.choose_candidate(state, &all, "this", |jvm, state, candidate| {
            jvm.take_candidate(state, candidate, "this");
        })?;
        match chosen {
            Candidate::New(kind) => Ok(Some(kind)),
            Candidate::There(_) => Ok(None),
        }
    }

    // The choice first, objects then: this runs again from the beginning after each choice.
    pub(crate) fn make_argument(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        range: Option<(i64, i64)>,
        depth: u32,
    ) -> Result<Input, Box<Trap>> {
        self.make_argument_for(state, name, of, range, depth, Target::Below)
    }

    /// The same; what is made by calls goes to `target`.
    pub(crate) fn make_argument_for(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
        range: Option<(i64, i64)>,
        depth: u32,
        target: Target,
    ) -> Result<Input, Box<Trap>> {
        let descriptor = &*of.descriptor;
        if let (Some(arguments), "[Ljava/lang/String;") = (self.options.main.clone(), descriptor) {
            let array = match arguments {
                Arguments::Given(texts) => self.main_arguments(state, &texts)?,
                Arguments::Any => Value::Ref(self.draw_input_array(state, name, descriptor)?),
            };
            return Ok(Input::Value(array));
        }
        if self.options.lazy.is_some() && is_array_of_references(descriptor) {
            return Ok(Input::Value(self.lazy_array(state, name, name, descriptor)?));
        }
        if let Some(class) = self.lazy_class(descriptor) {
            let all = self.candidates(state, class)?;
            let chosen = self.choose_candidate(state, &all, name, |jvm, state, candidate| {
                jvm.take_candidate(state, candidate, name);
            })?;
            return Ok(Input::Value(self.take_candidate(state, chosen, name)));
        }
        if target == Target::Below && self.is_open_array(name, descriptor) {
            if !is_array_of_references(descriptor) {
                return Ok(Input::Value(self.choose_input_array(state, name, descriptor, range, depth)?));
            }
            // Deeper ones are null, as all objects are.
            if depth < self.options.nesting {
                return Ok(Input::Value(self.choose_input_array(state, name, descriptor, range, depth)?));
            }
        }
        if let Some(made) = self.make_object(state, name, of, depth, target)? {
            return Ok(made);
        }
        let chosen = self.choose_parameter(state, name, descriptor)?;
        let value = self.make_parameter(state, name, descriptor, range, chosen)?;
        if let Value::Ref(array) = value
            && state.heap.array_length(array).is_some()
        {
            state.keep_array(array);
        }
        Ok(Input::Value(value))
    }

    /// The arguments of a program: never null.
    fn main_arguments(&mut self, state: &mut State, texts: &[Vec<u16>]) -> Result<Value, Box<Trap>> {
        let class = self.load("[Ljava/lang/String;")?;
        let mut body = Body::array(Kind::Reference, texts.len());
        for (at, units) in texts.iter().enumerate() {
            let text = self.new_string(state, units);
            body.set(at, Value::Ref(text));
        }
        Ok(Value::Ref(state.heap.new_object(class, body)))
    }

    /// An input that is no lazy object: an array, a string, a box, an enum; null if it is anything else.
    pub(crate) fn make_input(
        &mut self,
        state: &mut State,
        name: &str,
        descriptor: &str,
    ) -> Result<Value, Box<Trap>> {
        let chosen = self.choose_parameter(state, name, descriptor)?;
        self.make_parameter(state, name, descriptor, None, chosen)
    }

    fn choose_parameter(
        &mut self,
        state: &mut State,
        name: &str,
        descriptor: &str,
    ) -> Result<Chosen, Box<Trap>> {
        if descriptor == STRING && !self.is_closed(name) {
            return self.choose_open(state, name);
        }
        if element_kind(descriptor).is_some() {
            let length = self.choose_length(state, name)?;
            return Ok(length.map_or(Chosen::Value(Value::Null), Chosen::Length));
        }
        let Some(class) = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            return Ok(Chosen::Input);
        };
        // A class that is not there has no objects.
        let Ok(class) = self.load(class) else { return Ok(Chosen::Input) };
        if box_kind(&self.class(class).name).is_some() {
            self.require_init(state, class)?;
            // A box that is given a value is there.
            if !self.options.drawn.contains_key(name)
                && self.choose_boolean(state, &format!("{name}.isNull"))?
            {
                return Ok(Chosen::Value(Value::Null));
            }
            // There are two objects of Boolean, and programs compare them.
            if &*self.class(class).name == "java/lang/Boolean" {
                let constant = if self.choose_boolean(state, name)? { "TRUE" } else { "FALSE" };
                let field = self.class(class).static_field(constant);
                return Ok(Chosen::Value(field.map_or(Value::Null, |field| state.get_static(field.slot))));
            }
            return Ok(Chosen::Boxed(class));
        }
        if self.class(class).access & access::ENUM != 0 {
            self.require_init(state, class)?;
            let constants = self.enum_constants(state, class);
            let Some(last) = constants.len().checked_sub(1) else { return Ok(Chosen::Value(Value::Null)) };
            if let Some(Drawn::Name(said)) = self.options.drawn.get(name).cloned() {
                return self.named_constant(state, class, &constants, &said).map(Chosen::Value);
            }
            let ordinal = self.choose_from(state, &format!("{name}.ordinal"), last as u32)?;
            return Ok(Chosen::Value(ordinal.map_or(Value::Null, |at| constants[at as usize])));
        }
        Ok(Chosen::Input)
    }

    // Whether an input holds: a choice of the path, unless the caller of the exploration has fixed it.
    fn choose_boolean(&mut self, state: &mut State, name: &str) -> Result<bool, Box<Trap>> {
        match self.number_input(name, Kind::Boolean, None)? {
            Value::Sym(input) => {
                let fails = self.relate_to(Rel::Eq, input, 0);
                Ok(!self.choose_whether(state, fails)?)
            }
            fixed => Ok(fixed != Value::Int(0)),
        }
    }

    /// The length of an array or string on this path; `None` is null.
    pub(crate) fn choose_length(&mut self, state: &mut State, name: &str) -> Result<Option<u32>, Box<Trap>> {
        let name = format!("{name}.length");
        if !self.options.whole_lengths.contains(&name) {
            self.note_bound(state, InputBound::Length);
        }
        self.choose_from(state, &name, self.options.input_length)
    }

    /// Notes that a bound excludes inputs. A bound met in a check of objects may exclude all
    /// valid inputs, on every path.
    pub(crate) fn note_bound(&mut self, state: &mut State, bound: InputBound) {
        state.narrowed.add(bound);
        if state.lazy.purpose != Purpose::Path {
            self.narrowed_checks.add(bound);
        }
    }

    /// Notes that an array of the input is a new one, although it could be one of the existing arrays.
    pub(crate) fn note_own_array(&mut self, state: &mut State, class: ClassId) {
        let fits = |other: Ref| {
            let other = self.class(state.heap.class_of(other));
            let own = self.class(class);
            other.is_array() && (other.is_assignable_to(class) || own.is_assignable_to(other.id))
        };
        let of_parameters = state.parameters.iter().filter_map(|parameter| parameter.value.as_ref());
        let of_fields = state.lazy.arrays.iter().map(|(array, _)| *array);
        let lazy = state.lazy.objects.iter().map(|lazy| lazy.object);
        let made = state.made.array_refs();
        if of_parameters.chain(of_fields).chain(lazy).chain(made).any(fits) {
            self.note_bound(state, InputBound::Sharing);
        }
    }

    // Which of `0..=most` an input is on this path; -1 is `None`.
    fn choose_from(&mut self, state: &mut State, name: &str, most: u32) -> Result<Option<u32>, Box<Trap>> {
        let most = i64::from(most);
        let input = match self.number_input(name, Kind::Int, Some((-1, most)))? {
            Value::Sym(input) => input,
            fixed => return Ok(fixed.as_int().unwrap_or(-1).try_into().ok()),
        };
        let cases: Vec<Cond> = (-1..=most).map(|case| self.relate_to(Rel::Eq, input, case)).collect();
        Ok((self.choose(state, &cases)? as u32).checked_sub(1))
    }

    fn make_parameter(
        &mut self,
        state: &mut State,
        name: &str,
        descriptor: &str,
        range: Option<(i64, i64)>,
        chosen: Chosen,
    ) -> Result<Value, Box<Trap>> {
        let kind = Kind::of_descriptor(descriptor).unwrap_or(Kind::Int);
        match chosen {
            Chosen::Value(value) => Ok(value),
            Chosen::Input if kind != Kind::Reference => Ok(self.number_input(name, kind, range)?),
            Chosen::Input => {
                state.narrowed.add(InputBound::References);
                Ok(Value::Null)
            }
            Chosen::Boxed(class) => {
                let kind = box_kind(&self.class(class).name).unwrap_or(Kind::Int);
                let value = self.number_input(name, kind, range)?;
                self.boxed(state, class, value)
            }
            Chosen::Length(length) => self.make_elements(state, name, descriptor, range, length),
            Chosen::Open(length) => Ok(Value::Ref(self.new_open_text(state, name, length))),
        }
    }

    /// A string of any length, not null.
    pub(crate) fn make_text(&mut self, state: &mut State, name: &str) -> Result<Value, Box<Trap>> {
        if !self.is_closed(name) {
            return Ok(Value::Ref(self.new_input_text(state, name)));
        }
        let length = format!("{name}.length");
        if !self.options.whole_lengths.contains(&length) {
            self.note_bound(state, InputBound::Length);
        }
        let most = i64::from(self.options.input_length);
        let length = match self.number_input(&length, Kind::Int, Some((0, most)))? {
            Value::Sym(input) => {
                let cases: Vec<Cond> = (0..=most).map(|case| self.relate_to(Rel::Eq, input, case)).collect();
                self.choose(state, &cases)? as u32
            }
            fixed => fixed.as_int().unwrap_or(0).max(0) as u32,
        };
        self.make_elements(state, name, STRING, None, length)
    }

    /// Whether the length of a string is chosen at the beginning, since the caller of the exploration has
    /// said something of it or of its characters.
    pub(crate) fn is_closed(&self, name: &str) -> bool {
        if self.options.closed_strings {
            return true;
        }
        let is_part = |part: &str| part.strip_prefix(name).is_some_and(|part| part.starts_with(['.', '[']));
        self.options
            .drawn
            .range(name.to_string()..)
            .take_while(|(part, _)| part.starts_with(name))
            .any(|(part, _)| part == name || is_part(part))
    }

    /// Whether the path chooses the length of an array of the input when it looks at it.
    fn is_open_array(&self, name: &str, descriptor: &str) -> bool {
        self.options.lazy.is_none()
            && (1..=MOST_OPEN).contains(&self.options.input_length)
            && is_made_lazily(descriptor)
            && !self.is_closed(name)
    }

    /// A string that is null or of any length.
    fn choose_open(&mut self, state: &mut State, name: &str) -> Result<Chosen, Box<Trap>> {
        let range = Some((-1, i64::from(i32::MAX)));
        let length = self.exprs.borrow_mut().input(&format!("{name}.length"), InputKind::Int, range);
        let is_null = self.relate_to(Rel::Eq, length, -1);
        let is_there = self.relate_to(Rel::Ge, length, 0);
        Ok(match self.choose(state, &[is_null, is_there])? {
            0 => Chosen::Value(Value::Null),
            _ => Chosen::Open(length),
        })
    }

    /// A box with an input in it.
    pub(crate) fn boxed(
        &mut self,
        state: &mut State,
        class: ClassId,
        value: Value,
    ) -> Result<Value, Box<Trap>> {
        let slot = self.known_field(class, "value")?;
        let object = self.new_instance(state, class);
        state.heap.store(object, slot, value);
        // As if made by `valueOf`: small values are one object.
        state.heap.get_mut(object).extra = 1;
        Ok(Value::Ref(object))
    }

    fn make_elements(
        &mut self,
        state: &mut State,
        name: &str,
        descriptor: &str,
        range: Option<(i64, i64)>,
        length: u32,
    ) -> Result<Value, Box<Trap>> {
        let element = element_kind(descriptor).unwrap_or(Kind::Int);
        let is_string = descriptor.starts_with('L');
        let range = match is_string {
            true => Some((i64::from(self.options.chars.0), i64::from(self.options.chars.1))),
            false => range,
        };
        let items: Vec<Value> = (0..length)
            .map(|at| self.number_input(&format!("{name}[{at}]"), element, range))
            .collect::<Result<_, Trap>>()?;
        let object: Ref = if is_string {
            if self.options.chars != (0, u16::MAX) && length > 0 {
                self.note_bound(state, InputBound::Characters);
            }
            let text = self.new_units(state, &items);
            self.input_strings.insert(text);
            text
        } else {
            let class = self.load(descriptor)?;
            self.note_own_array(state, class);
            let body = if items.is_empty() { Body::array(element, 0) } else { Body::Values(items.into()) };
            state.heap.new_object(class, body)
        };
        Ok(Value::Ref(object))
    }
}

/// The value of a parameter on one path.
enum Chosen {
    /// A value that is there already.
    Value(Value),
    /// An input of its type; null if there is no such input.
    Input,
    /// An array or string of this length.
    Length(u32),
    /// A string whose length is chosen when the path looks at it.
    Open(Expr),
    /// A box with an input in it.
    Boxed(ClassId),
}

// The elements of the arrays and strings that parameters can be.
fn element_kind(descriptor: &str) -> Option<Kind> {
    match descriptor.strip_prefix('[') {
        Some(element) => Kind::of_descriptor(element).filter(|kind| *kind != Kind::Reference),
        None => (descriptor == STRING).then_some(Kind::Char),
    }
}

/// The type of an input.
pub(crate) fn input_kind(kind: Kind) -> InputKind {
    match kind {
        Kind::Boolean => InputKind::Boolean,
        Kind::Byte => InputKind::Byte,
        Kind::Char => InputKind::Char,
        Kind::Short => InputKind::Short,
        Kind::Int | Kind::Reference => InputKind::Int,
        Kind::Long => InputKind::Long,
        Kind::Float => InputKind::Float,
        Kind::Double => InputKind::Double,
    }
}
