//! The report of a path's end: inputs, outcome, places, test case.

use crate::case::test_case;
use crate::graph::RECEIVER;
use crate::language::{Java, JavaPath};
use crate::severity::{missing, severity};
use crate::{Detail, How, MethodRef, PathEnd, Program, Stop};
use evergreen_classfile::Type;
use evergreen_explore::{Bound, End, Found, Place, Trail};
use evergreen_jvm::{
    Bound as JvmBound, Described, Ending, Jvm, Kind, ObjectShape, Outcome, SawChoice, State, Stream, Value,
};
use evergreen_replay::{Answer, Ending as Expected, Function, JavaValue, Made, Message};
use evergreen_service::Subject;
use evergreen_symbolic::Assignment;

/// The name of a bound of the machine.
pub(crate) fn bound_name(bound: JvmBound) -> &'static str {
    match bound {
        JvmBound::ArrayLength => "array_length",
        JvmBound::Objects => "objects",
    }
}

/// Describes the end of a path.
pub(crate) fn describe(
    jvm: &Jvm,
    program: &Program,
    subject: &Subject<'_, Java>,
    found: Found<Jvm, Assignment>,
    input: Option<&State>,
    (number, detail): (u64, Detail),
) -> PathEnd {
    let Found { end, state, path, trail, model, .. } = found;
    let threw = matches!(&end, End::Outcome(outcome) if matches!(outcome.ending, Ending::Threw { .. }));
    let full = detail == Detail::Full || threw;
    let whole = input.unwrap_or(&state);
    let conditions = || path.constraints().iter().map(|&c| jvm.show(whole, c)).collect();
    let conditions: Vec<String> = if full { conditions() } else { Vec::new() };
    let stops = if full { stops(jvm, program, &trail) } else { Vec::new() };
    let mut described = PathEnd {
        number,
        position: subject.leftovers.position(&trail),
        decisions: Vec::new(),
        seeds: Vec::new(),
        how: How::Stuck(None),
        inputs: Vec::new(),
        conditions,
        stops,
        depth: trail.depth(),
        steps: state.steps,
        sampled: false,
        output: String::new(),
        case: None,
        likelihood: None,
        line: None,
        beyond: JavaPath {
            objects: jvm.input_objects(whole, &model),
            read: jvm.input_objects(&state, &model),
            shapes: if full { shapes(jvm, &state, input) } else { Vec::new() },
            taken: None,
            saw_choice: SawChoice::Nowhere,
        },
    };
    match end {
        End::Outcome(outcome) => {
            if let Some(expected) =
                describe_outcome(jvm, program, subject, (&outcome, &model), &mut described)
                && (input.is_some() || described.beyond.objects.is_empty())
            {
                if !subject.cases.is_due(&described) {
                    described.case = test_case(subject, &outcome, expected, &described);
                }
                described.beyond.saw_choice = outcome.state.saw_choice();
                described.beyond.taken =
                    Some(&outcome).filter(|o| !overflowed(o)).and_then(|o| jvm.arms_under(&o.state, &model));
            }
        }
        End::Cut(bound) => described.how = How::Cut(cut_name(bound)),
        End::Undecided(arm) => {
            let condition = jvm.show(&state, arm.constraint);
            described.how = How::Undecided { condition, place: jvm.place(arm.site) };
        }
        End::Stuck => described.how = How::Stuck(jvm.here(&state)),
    }
    if described.inputs.is_empty() {
        described.inputs = inputs(jvm, program, subject, &state, &model);
    }
    described
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

/// Describes how the program ended a path; returns what a test of it is to expect, if it did.
fn describe_outcome(
    jvm: &Jvm,
    program: &Program,
    subject: &Subject<'_, Java>,
    (outcome, model): (&Outcome, &Assignment),
    described: &mut PathEnd,
) -> Option<Expected> {
    let method = subject.entry;
    described.inputs = inputs(jvm, program, subject, &outcome.state, model);
    described.output = String::from_utf16_lossy(&jvm.printed(&outcome.output, Stream::Out, model));
    let result = method.descriptor.rsplit(')').next().unwrap_or("V");
    if let Some((what, help)) = missing(jvm, outcome) {
        described.how = How::Unsupported { what, place: thrown_at(outcome), help };
        return None;
    }
    match &outcome.ending {
        Ending::Returned(value) => {
            let value = value.map(|value| java_value(&jvm.describe(&outcome.state, value, result, model)));
            described.how = How::Returned(value.clone());
            Some(Expected::Returned(value))
        }
        Ending::Threw { class, object, place, .. } => {
            let class = class.replace('/', ".");
            let message = jvm.message_under(&outcome.state, *object, model);
            let text = message.as_ref().map(|units| String::from_utf16_lossy(units));
            let severity = severity(jvm, program, method, (&outcome.state, *object));
            described.how =
                How::Threw { class: class.clone(), message: text, place: place.clone(), severity };
            let message = message.filter(|_| !jvm.is_helpful(&outcome.state, *object));
            Some(Expected::Threw { class, message: message.map_or(Message::Unknown, Message::Text) })
        }
        Ending::Exited(status) => {
            described.how = How::Exited(*status);
            Some(Expected::Exited(*status))
        }
        Ending::Unsupported { what, place, help } => {
            described.how = How::Unsupported { what: what.clone(), place: place.clone(), help: help.clone() };
            None
        }
        Ending::Bound(bound) => {
            described.how = How::Cut(bound_name(*bound));
            None
        }
        Ending::Assumed | Ending::Refused | Ending::Invalid => None,
    }
}

/// Where the exception was thrown that ended a path.
fn thrown_at(outcome: &Outcome) -> Option<Place> {
    match &outcome.ending {
        Ending::Threw { place, .. } => place.clone(),
        _ => None,
    }
}

/// Whether the stack was full in the end: how deep that is differs from one JVM to the next, and with it the
/// branches.
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
    let is_own = |stop: &Stop| program.classes().iter().any(|class| class.name == stop.place.unit);
    if all.iter().any(is_own) { all.into_iter().filter(is_own).collect() } else { all }
}

/// The values of parameters and draws under a model. Arrays are shown as they were at the start, whatever the
/// program did to them: by their inputs.
pub(crate) fn inputs(
    jvm: &Jvm,
    program: &Program,
    subject: &Subject<'_, Java>,
    state: &State,
    model: &Assignment,
) -> Vec<(String, JavaValue)> {
    let mut all = subject.leftovers.inputs();
    if let Some(receiver) = jvm.described_receiver(state, model) {
        all.put(RECEIVER, java_value(&receiver));
    }
    for (i, (name, of)) in subject.entry.parameters.iter().enumerate() {
        let given = state.parameters.get(i).map(|parameter| parameter.value);
        // The path ended while its input was made.
        if given.is_none() && state.is_entering() {
            continue;
        }
        let value = match given {
            Some(Value::Ref(_)) => by_elements(jvm, program, subject, (name, of), model),
            _ => None,
        };
        let described =
            || java_value(&jvm.describe_input(state, given.unwrap_or(Value::Null), &of.to_string(), model));
        all.put(name, value.unwrap_or_else(described));
    }
    for i in 0..state.draws.len() {
        if let Some(draw) = state.draws.get(i) {
            let value = jvm.describe_input(state, draw.value, letter(draw.kind), model);
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
    program: &Program,
    subject: &Subject<'_, Java>,
    (name, of): (&str, &Type),
    model: &Assignment,
) -> Option<JavaValue> {
    let exprs = &mut *jvm.exprs.borrow_mut();
    let mut number = |name: &str| {
        use evergreen_symbolic::Const;
        // The name alone may be that of an input of another method.
        let classes = program.classes();
        let expr = subject.inputs.input(exprs, subject.entry, &jvm.options, classes, name)?;
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
        Described::Call(call) => JavaValue::Made(Box::new(Made {
            class: call.class.replace('/', "."),
            method: call.method.to_string(),
            descriptor: call.descriptor.to_string(),
            hidden: call.hidden,
            throws: call.throws,
            parameters: call.parameters.iter().map(ToString::to_string).collect(),
            arguments: call.arguments.iter().map(java_value).collect(),
        })),
        Described::Function(function) => JavaValue::Function(Box::new(Function {
            interface: function.interface.replace('/', "."),
            method: function.method.to_string(),
            descriptor: function.descriptor.to_string(),
            hidden: function.hidden,
            calls: function
                .calls
                .iter()
                .map(|call| Answer {
                    method: call.method.as_ref().map(ToString::to_string),
                    arguments: call.arguments.iter().map(java_value).collect(),
                    answer: java_value(&call.answer),
                    again: call.again,
                })
                .collect(),
        })),
        Described::Input(place) => JavaValue::Ref(*place),
        Described::Object { class } => {
            // The machine's own classes (lambdas) have names of its own.
            let known = !class.contains("$$Lambda") && !class.contains("Evergreen");
            JavaValue::Object { class: known.then(|| class.replace('/', ".")) }
        }
    }
}

// Workers send their paths to another thread.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<PathEnd>();
    is_send::<MethodRef>();
};
