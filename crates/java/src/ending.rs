//! The end of a path, told: inputs, outcome, places, test case.

use super::case::{Cases, test_case};
use super::decisions::Decision;
use super::inputs::Inputs;
use super::leftovers::Leftovers;
use super::line::PathLine;
use super::probability::Likelihood;
use super::program::{MethodRef, Program};
use evergreen_classfile::Type;
use evergreen_explore::{Bound, End, Found, Trail};
use evergreen_jvm::{
    Bound as JvmBound, Described, Ending, InputObject, Jvm, Kind, ObjectShape, Outcome, Place, State, Stream,
    TakenArm, Value,
};
use evergreen_replay::{Ending as Expected, JavaValue, Message, Target, TestCase};
use evergreen_symbolic::Assignment;
use std::sync::Arc;

/// How a path ended.
#[derive(Clone, PartialEq, Debug)]
pub enum How {
    /// The method returned; a value unless it is `void`.
    Returned(Option<JavaValue>),
    /// An exception left the method.
    Threw {
        /// Its class, as `Class.getName` has it.
        class: String,
        /// Its message, if that is known.
        message: Option<String>,
        /// Where it was thrown.
        place: Option<Place>,
    },
    /// The program ended the JVM with this status.
    Exited(i32),
    /// The machine could not follow the path.
    Unsupported {
        /// What it could not do.
        what: String,
        /// Where.
        place: Option<Place>,
        /// What can be done about it; may be empty.
        help: String,
    },
    /// A bound cut the path: its name.
    Cut(&'static str),
    /// Nobody could decide whether an arm is feasible; it was not explored.
    Undecided {
        /// The condition of the arm.
        condition: String,
        /// Where.
        place: Option<Place>,
    },
    /// Every arm of a branch was said to be infeasible: a bug of ours.
    Stuck(Option<Place>),
}

impl PathEnd {
    /// One of which nothing is told yet.
    pub(super) fn empty() -> PathEnd {
        PathEnd {
            number: 0,
            position: Vec::new(),
            decisions: Vec::new(),
            seeds: Vec::new(),
            how: How::Stuck(None),
            inputs: Vec::new(),
            objects: Vec::new(),
            read: Vec::new(),
            shapes: Vec::new(),
            conditions: Vec::new(),
            stops: Vec::new(),
            depth: 0,
            steps: 0,
            output: String::new(),
            case: None,
            taken: None,
            likelihood: None,
            line: None,
        }
    }
}

impl How {
    pub(super) fn bound_name(bound: JvmBound) -> &'static str {
        match bound {
            JvmBound::ArrayLength => "array_length",
            JvmBound::Objects => "objects",
        }
    }

    /// Whether this is what one looks for: an exception that nobody caught.
    pub fn is_finding(&self) -> bool {
        matches!(self, How::Threw { .. })
    }
}

/// One decision on a path, where the source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// Where.
    pub place: Place,
    /// Which way, as the machine numbers them.
    pub arm: u32,
}

/// The end of a path.
#[derive(Clone, PartialEq, Debug)]
pub struct PathEnd {
    /// How many paths had finished when this was found, with it.
    pub number: u64,
    /// Where it is in the tree of paths: which way it went at each branch and choice; see [`Trail::position`].
    pub position: Vec<u32>,
    /// Its decisions in the program's own classes, at places that outlive edits elsewhere; only of explorations with seeds.
    pub decisions: Vec<Decision>,
    /// The old tests that take this path; the inputs are those of the first.
    pub seeds: Vec<usize>,
    /// How it ended.
    pub how: How,
    /// Names and values of the parameters, then of what the driver drew.
    pub inputs: Vec<(String, JavaValue)>,
    /// The objects of the input, if there are lazy ones: whole and valid where there is a test, as the path has read it elsewhere.
    pub objects: Vec<InputObject>,
    /// The same as far as the path has read it: the first of `objects`, without the fields that completing the input has added.
    pub read: Vec<InputObject>,
    /// What `objects` are like beyond what their fields hold; empty where conditions are.
    pub shapes: Vec<ObjectShape>,
    /// The path condition, readable.
    pub conditions: Vec<String>,
    /// The branches on the way, in the program's own classes where there are any.
    pub stops: Vec<Stop>,
    /// Branches on the way, all of them.
    pub depth: usize,
    /// Instructions.
    pub steps: u64,
    /// What was printed on `System.out`.
    pub output: String,
    /// The test that goes this way, for paths that the program ended.
    pub case: Option<TestCase>,
    /// All branches of the program's own classes on the way, if the machine records them; the test is to take them too.
    pub taken: Option<Vec<TakenArm>>,
    /// How likely it is, if that is counted.
    pub likelihood: Option<Likelihood>,
    /// It as a line of text, if somebody wants lines: written by whoever found the path, on its thread.
    pub line: Option<PathLine>,
}

/// What is explored.
pub(super) struct Subject<'s> {
    pub(super) program: &'s Program,
    pub(super) method: &'s MethodRef,
    pub(super) inputs: &'s Inputs,
    /// What its tests call.
    pub(super) target: &'s Arc<Target>,
    /// What is left of paths that nobody looks at any more.
    pub(super) leftovers: &'s Leftovers,
    pub(super) cases: Cases,
}

/// How much is told of each path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Everything.
    Full,
    /// Conditions and stops only of findings.
    Brief,
}

/// Tells the end of a path.
pub(super) fn describe(
    jvm: &Jvm,
    subject: &Subject<'_>,
    found: Found<Jvm, Assignment>,
    input: Option<&State>,
    number: u64,
    detail: Detail,
) -> PathEnd {
    let Found { end, state, path, trail, model, .. } = found;
    let program = subject.program;
    let threw = matches!(&end, End::Outcome(outcome) if matches!(outcome.ending, Ending::Threw { .. }));
    let full = detail == Detail::Full || threw;
    let whole = input.unwrap_or(&state);
    let conditions = || path.constraints().iter().map(|&c| jvm.show(whole, c)).collect();
    let conditions: Vec<String> = if full { conditions() } else { Vec::new() };
    let stops = if full { stops(jvm, program, &trail) } else { Vec::new() };
    let mut told = PathEnd {
        number,
        position: subject.leftovers.position(&trail),
        decisions: Vec::new(),
        seeds: Vec::new(),
        how: How::Stuck(None),
        inputs: Vec::new(),
        objects: jvm.input_objects(whole, &model),
        read: jvm.input_objects(&state, &model),
        shapes: if full { shapes(jvm, &state, input) } else { Vec::new() },
        conditions,
        stops,
        depth: trail.depth(),
        steps: state.steps,
        output: String::new(),
        case: None,
        taken: None,
        likelihood: None,
        line: None,
    };
    match end {
        End::Outcome(outcome) => {
            if let Some(expected) = tell_outcome(jvm, subject, &outcome, &model, &mut told)
                && (input.is_some() || told.objects.is_empty())
            {
                if !subject.cases.is_due(&told) {
                    told.case = test_case(subject, &outcome, expected, &told);
                }
                told.taken =
                    Some(&outcome).filter(|o| !overflowed(o)).and_then(|o| jvm.arms_under(&o.state, &model));
            }
        }
        End::Cut(bound) => told.how = How::Cut(cut_name(bound)),
        End::Undecided(arm) => {
            let condition = jvm.show(&state, arm.constraint);
            told.how = How::Undecided { condition, place: jvm.place(arm.site) };
        }
        End::Stuck => told.how = How::Stuck(jvm.here(&state)),
    }
    if told.inputs.is_empty() {
        told.inputs = inputs(jvm, subject, &state, &model);
    }
    told
}

/// The shapes of the objects; their labels are those that the path knows.
fn shapes(jvm: &Jvm, read: &State, completed: Option<&State>) -> Vec<ObjectShape> {
    let own = jvm.object_shapes(read);
    let Some(completed) = completed else { return own };
    let mut all = jvm.object_shapes(completed);
    for (at, shape) in all.iter_mut().enumerate() {
        shape.labels = own.get(at).and_then(|own| own.labels);
    }
    all
}

fn cut_name(bound: Bound) -> &'static str {
    bound.name()
}

/// Tells how the program ended a path; what a test of it is to expect, if it did.
fn tell_outcome(
    jvm: &Jvm,
    subject: &Subject<'_>,
    outcome: &Outcome,
    model: &Assignment,
    told: &mut PathEnd,
) -> Option<Expected> {
    let method = subject.method;
    told.inputs = inputs(jvm, subject, &outcome.state, model);
    told.output = String::from_utf16_lossy(&jvm.printed(&outcome.output, Stream::Out, model));
    let result = method.descriptor.rsplit(')').next().unwrap_or("V");
    match &outcome.ending {
        Ending::Returned(value) => {
            let value = value.map(|value| java_value(&jvm.describe(&outcome.state, value, result, model)));
            told.how = How::Returned(value.clone());
            Some(Expected::Returned(value))
        }
        Ending::Threw { class, object, place, .. } => {
            let class = class.replace('/', ".");
            let message = jvm.message_under(&outcome.state, *object, model);
            let text = message.as_ref().map(|units| String::from_utf16_lossy(units));
            told.how = How::Threw { class: class.clone(), message: text, place: place.clone() };
            Some(Expected::Threw { class, message: message.map_or(Message::Unknown, Message::Text) })
        }
        Ending::Exited(status) => {
            told.how = How::Exited(*status);
            Some(Expected::Exited(*status))
        }
        Ending::Unsupported { what, place, help } => {
            told.how = How::Unsupported { what: what.clone(), place: place.clone(), help: help.clone() };
            None
        }
        Ending::Bound(bound) => {
            told.how = How::Cut(How::bound_name(*bound));
            None
        }
        Ending::Assumed | Ending::Invalid => None,
    }
}

/// Whether the stack was full in the end: how deep that is differs from one JVM to the next, and with it the branches.
fn overflowed(outcome: &Outcome) -> bool {
    matches!(&outcome.ending, Ending::Threw { class, .. } if &**class == "java/lang/StackOverflowError")
}

/// The branches of a trail: those in the program's own classes, or all if there are none.
fn stops(jvm: &Jvm, program: &Program, trail: &Trail) -> Vec<Stop> {
    let all: Vec<Stop> = trail
        .constraints()
        .iter()
        .filter_map(|step| Some(Stop { place: jvm.place(step.site)?, arm: step.index }))
        .collect();
    let is_own = |stop: &Stop| program.classes().iter().any(|class| class.name == stop.place.class);
    if all.iter().any(is_own) { all.into_iter().filter(is_own).collect() } else { all }
}

/// The values of parameters and draws under a model. Arrays are told as they were at the start, whatever the program did
/// to them: by their inputs.
pub(super) fn inputs(
    jvm: &Jvm,
    subject: &Subject<'_>,
    state: &State,
    model: &Assignment,
) -> Vec<(String, JavaValue)> {
    let mut all = subject.leftovers.inputs();
    for (i, (name, of)) in subject.method.parameters.iter().enumerate() {
        let given = state.parameters.get(i).map(|parameter| parameter.value);
        let value = match given {
            Some(Value::Ref(_)) => by_elements(jvm, subject, name, of, model),
            _ => None,
        };
        let told = || java_value(&jvm.describe(state, given.unwrap_or(Value::Null), &of.to_string(), model));
        all.put(name, value.unwrap_or_else(told));
    }
    for i in 0..state.draws.len() {
        if let Some(draw) = state.draws.get(i) {
            let value = jvm.describe(state, draw.value, letter(draw.kind), model);
            all.put(&draw.name, java_value(&value));
        }
    }
    all.end()
}

/// The descriptor of a primitive.
fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "Z",
        Kind::Byte => "B",
        Kind::Char => "C",
        Kind::Short => "S",
        Kind::Int => "I",
        Kind::Long => "J",
        Kind::Float => "F",
        Kind::Double => "D",
        Kind::Reference => "Ljava/lang/Object;",
    }
}

/// An array or string parameter, if it was made of inputs.
fn by_elements(
    jvm: &Jvm,
    subject: &Subject<'_>,
    name: &str,
    of: &Type,
    model: &Assignment,
) -> Option<JavaValue> {
    let exprs = &mut *jvm.exprs.borrow_mut();
    let mut number = |name: &str| {
        use evergreen_symbolic::Const;
        // The name alone may be that of an input of another method.
        let classes = subject.program.classes();
        let expr = subject.inputs.input(exprs, subject.method, &jvm.options, classes, name)?;
        Some(match exprs.eval(expr, model) {
            Const::I32(n) => Value::Int(n),
            Const::I64(n) => Value::Long(n),
            Const::F32(bits) => Value::Float(f32::from_bits(bits)),
            Const::F64(bits) => Value::Double(f64::from_bits(bits)),
        })
    };
    if !matches!(of, Type::Array(_)) && !matches!(of, Type::Class(class) if &**class == "java/lang/String") {
        return None;
    }
    if subject.inputs.is_fixed(name) {
        return None;
    }
    let Value::Int(length) = number(&format!("{name}.length"))? else { return None };
    let items = (0..length).map(|i| number(&format!("{name}[{i}]"))).collect::<Option<Vec<Value>>>()?;
    let primitive = |value: &Value, of: &Type| match (*value, of) {
        (Value::Int(n), Type::Boolean) => JavaValue::Boolean(n != 0),
        (Value::Int(n), Type::Byte) => JavaValue::Byte(n as i8),
        (Value::Int(n), Type::Char) => JavaValue::Char(n as u16),
        (Value::Int(n), Type::Short) => JavaValue::Short(n as i16),
        (Value::Int(n), _) => JavaValue::Int(n),
        (Value::Long(n), _) => JavaValue::Long(n),
        (Value::Float(n), _) => JavaValue::Float(n),
        (Value::Double(n), _) => JavaValue::Double(n),
        _ => JavaValue::Null,
    };
    match of {
        Type::Array(element) => {
            let items = items.iter().map(|item| primitive(item, element)).collect();
            Some(JavaValue::Array { element: (**element).clone(), items })
        }
        Type::Class(_) => {
            let units = items.iter().map(|item| if let Value::Int(n) = item { *n as u16 } else { 0 });
            Some(JavaValue::String(units.collect()))
        }
        _ => None,
    }
}

/// A value as test cases have it.
pub fn java_value(value: &Described) -> JavaValue {
    match value {
        Described::Boolean(b) => JavaValue::Boolean(*b),
        Described::Byte(n) => JavaValue::Byte(*n),
        Described::Char(n) => JavaValue::Char(*n),
        Described::Short(n) => JavaValue::Short(*n),
        Described::Int(n) => JavaValue::Int(*n),
        Described::Long(n) => JavaValue::Long(*n),
        Described::Float(n) => JavaValue::Float(*n),
        Described::Double(n) => JavaValue::Double(*n),
        Described::Null => JavaValue::Null,
        Described::String(units) => JavaValue::String(units.clone()),
        Described::Array { element, items } => JavaValue::Array {
            element: Type::parse(element).unwrap_or(Type::Class("java/lang/Object".into())),
            items: items.iter().map(java_value).collect(),
        },
        Described::Boxed(inner) => JavaValue::Boxed(Box::new(java_value(inner))),
        Described::Enum { class, name } => {
            JavaValue::Enum { class: class.replace('/', "."), name: name.clone() }
        }
        Described::Static { class, name } => {
            JavaValue::Static { class: class.replace('/', "."), name: name.to_string() }
        }
        Described::Object { class } => {
            // The machine's own classes (lambdas) have names of its own.
            let known = !class.contains("$$Lambda") && !class.contains("Evergreen");
            JavaValue::Object { class: known.then(|| class.replace('/', ".")) }
        }
    }
}

// Workers tell their paths to another thread.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<PathEnd>();
    is_send::<MethodRef>();
};
