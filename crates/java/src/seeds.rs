//! Old tests of Java methods as sources of values.
//!
//! A test fits a method if its arguments are those that the method takes. The test's value of an input is
//! looked up by the input's name (`values.rs`); at a free choice it takes what its objects have there. At the
//! end the input of the path is compared with that of the test once more (`compare.rs`).

mod compare;
mod values;

use crate::frontend::JavaFrontend;
use crate::graph::RECEIVER;
use crate::inputs::boxed;
use crate::{MethodRef, PathEnd};
use compare::{Said, compare};
use evergreen_classfile::{MethodDescriptor, Type};
use evergreen_explore::Arm;
use evergreen_heap::FieldId;
use evergreen_jvm::{ClassId, InputObject, Jvm, Offer, Offered, State};
use evergreen_replay::{GraphBody, JavaValue, Made, Receiver, TestCase};
use evergreen_service::TestGuide;
use evergreen_symbolic::Cond;
use values::At;

pub use values::TestInputs;

/// Why the arguments of a test are not those of a method; `None` if they are.
pub fn misfit(method: &MethodRef, case: &TestCase) -> Option<String> {
    let types = |descriptor: &str| MethodDescriptor::parse(descriptor).map(|parsed| parsed.parameters);
    let (Ok(now), Ok(then)) = (types(&method.descriptor), types(&case.target.descriptor)) else {
        return Some("its method's signature cannot be read".into());
    };
    let java = |types: &[Type]| types.iter().map(Type::to_java).collect::<Vec<_>>().join(", ");
    if now != then {
        let change = match now.len().cmp(&then.len()) {
            std::cmp::Ordering::Greater => "a parameter was added",
            std::cmp::Ordering::Less => "a parameter was removed",
            std::cmp::Ordering::Equal => "a parameter has another type",
        };
        return Some(format!("{change}: {}({}) was ({})", method.name, java(&now), java(&then)));
    }
    let static_then = case.target.receiver == Receiver::Static;
    if method.is_static != static_then {
        let now = if method.is_static { "static" } else { "an instance method" };
        return Some(format!("{} is {now} now", method.name));
    }
    if case.arguments.len() != now.len() {
        return Some(format!(
            "it has {} arguments, {} takes {}",
            case.arguments.len(),
            method.name,
            now.len()
        ));
    }
    let mut both = method.parameters.iter().zip(&case.arguments);
    both.find(|((_, of), value)| !is_of(value, of))
        .map(|((name, of), _)| format!("what it has for {name} is no {}", of.to_java()))
}

/// Whether a value can be of a type.
fn is_of(value: &JavaValue, of: &Type) -> bool {
    match (value, of) {
        (JavaValue::Boolean(_), of) => *of == Type::Boolean,
        (JavaValue::Byte(_), of) => *of == Type::Byte,
        (JavaValue::Char(_), of) => *of == Type::Char,
        (JavaValue::Short(_), of) => *of == Type::Short,
        (JavaValue::Int(_), of) => *of == Type::Int,
        (JavaValue::Long(_), of) => *of == Type::Long,
        (JavaValue::Float(_), of) => *of == Type::Float,
        (JavaValue::Double(_), of) => *of == Type::Double,
        (JavaValue::Array { element, .. }, Type::Array(other)) => *element == **other,
        (JavaValue::Array { .. }, _) => false,
        (JavaValue::Boxed(inner), of) => boxed(of).is_none_or(|of| is_of(inner, &of)) && of.is_reference(),
        (_, of) => of.is_reference(),
    }
}

/// The way that a test takes at a free choice.
pub(crate) fn choose(
    jvm: &mut Jvm,
    state: &State,
    arms: &[Arm<Cond>],
    inputs: &TestInputs,
) -> Result<usize, String> {
    let Some(offer) = jvm.offered(state) else { return Err("the offered choice is unknown".into()) };
    let wanted = match inputs.at(jvm, &offer.name) {
        At::Value(value) => match *value {
            JavaValue::Made(ref made) => return call(&offer, made, arms.len()),
            JavaValue::Function(ref function) => return plain(&offer, &function.interface.replace('.', "/")),
            JavaValue::Boxed(_) => return plain(&offer, "java/lang/Integer"),
            JavaValue::String(_) => return plain(&offer, "java/lang/String"),
            JavaValue::Ref(object) => Some(object),
            JavaValue::Null => None,
            _ => return Err(format!("its {} is no object that can be chosen", offer.name)),
        },
        // A new object, made by the constructor that needs nothing.
        At::Unsaid if &*offer.name == RECEIVER && offer.ways.iter().any(is_plain_call) => {
            return offer.ways.iter().position(is_plain_call).ok_or_else(String::new);
        }
        At::Unsaid => None,
        At::Number(_) | At::Nowhere => return Err(format!("it has no {}", offer.name)),
    };
    let there = state
        .lazy()
        .objects()
        .iter()
        .find(|lazy| wanted.is_some() && inputs.object(jvm, &lazy.name) == wanted);
    let there = there.map(|lazy| lazy.object);
    let class = wanted.and_then(|object| inputs.objects.get(object)).map(|object| &object.class);
    let way = offer.ways.iter().position(|way| match (way, wanted, there) {
        (Offered::Null, None, _) => true,
        (Offered::There(object), Some(_), Some(there)) => *object == there,
        (Offered::New(kind), Some(_), None) => class.is_some_and(|class| *class == kind.replace('/', ".")),
        _ => false,
    });
    way.filter(|way| *way < arms.len())
        .ok_or_else(|| format!("no input of the scope has {} as it has it", offer.name))
}

/// The way of an offer on which what may be anything is of a class of the JDK.
fn plain(offer: &Offer, class: &str) -> Result<usize, String> {
    let way = offer.ways.iter().position(|way| matches!(way, Offered::New(kind) if **kind == *class));
    way.ok_or_else(|| format!("no input has a {class} for {}", offer.name))
}

fn is_plain_call(way: &Offered) -> bool {
    matches!(way, Offered::Call(call) if &*call.method == "<init>" && &*call.descriptor == "()V")
}

/// The way of an offer on which a call makes the object.
fn call(offer: &Offer, made: &Made, arms: usize) -> Result<usize, String> {
    let is_it = |way: &Offered| match way {
        Offered::Call(call) => {
            call.class.replace('/', ".") == made.class
                && *call.method == *made.method
                && parameters(&call.descriptor) == parameters(&made.descriptor)
        }
        _ => false,
    };
    let way = offer.ways.iter().position(is_it).filter(|way| *way < arms);
    way.ok_or_else(|| format!("no call of {}.{} makes {} any more", made.class, made.method, offer.name))
}

/// Suites do not have what a call returns.
fn parameters(descriptor: &str) -> &str {
    descriptor.split(')').next().unwrap_or(descriptor)
}

/// The names of all inputs that a path which has ended may have.
pub(crate) fn input_names(jvm: &Jvm, method: &MethodRef, state: &State) -> Vec<String> {
    let read = jvm.read_inputs(state);
    let drawn = (0..state.draws.len()).filter_map(|at| state.draws.get(at)).map(|draw| draw.name.to_string());
    let parameters = method.parameters.iter().map(|(name, _)| name.to_string());
    let mut all = Vec::new();
    for name in parameters.chain(drawn).chain(read).chain(jvm.made_inputs(state)) {
        all.push(name.clone());
        all.extend(["length", "isNull", "ordinal"].iter().map(|part| format!("{name}.{part}")));
        all.extend((0..jvm.options.input_length).map(|at| format!("{name}[{at}]")));
    }
    all
}

/// Whether the input of a path, as far as the path has read it, is that of a test; where they differ, an
/// error.
pub(crate) fn arrives(
    case: &TestCase,
    state: &State,
    inputs: &[(String, JavaValue)],
    objects: &[InputObject],
) -> Result<(), String> {
    compare(case, state, inputs, objects).map(|_| ())
}

/// Keeps an old test on a path. The path's test is the old one as it was, unless the path has read something
/// of which that says nothing.
pub(crate) fn keep(old: &TestCase, read: &State, input: &State, path: &mut PathEnd) -> Result<(), String> {
    compare(old, input, &path.inputs, &path.beyond.objects)?;
    let said = compare(old, read, &path.inputs, &path.beyond.read)?;
    let Some(case) = &mut path.case else { return Err("its path has no test".into()) };
    case.build.clone_from(&old.build);
    if said == Said::All {
        case.objects.clone_from(&old.objects);
        case.receiver.clone_from(&old.receiver);
        case.arguments.clone_from(&old.arguments);
    }
    Ok(())
}

/// The object that a test has at the end of a way, by its number.
pub(crate) fn object(
    guide: &TestGuide<JavaFrontend>,
    jvm: &mut Jvm,
    seed: usize,
    way: &str,
) -> Option<usize> {
    guide.look(seed, |_, inputs| inputs.object(jvm, way))?
}

/// The machine's class of an object of a test.
pub(crate) fn class(
    guide: &TestGuide<JavaFrontend>,
    jvm: &mut Jvm,
    seed: usize,
    object: usize,
) -> Option<ClassId> {
    let name = guide.look(seed, |case, _| Some(case.objects.get(object)?.class.replace('.', "/")))??;
    jvm.find_class(&name).ok()
}

/// The object that a field of an object of a test holds, in the terms of a heap's guide; `None` if it is
/// null, or the test leaves it open.
pub(crate) fn reference(
    tests: &TestGuide<JavaFrontend>,
    jvm: &mut Jvm,
    (seed, object): (usize, usize),
    guide: usize,
    class: evergreen_heap::ClassId,
    field: FieldId,
) -> Result<Option<usize>, String> {
    let none = || "its objects are not those of the invariant".to_string();
    let slot = jvm.guide(guide).slot(class, field).ok_or_else(none)?;
    let class = jvm.guide(guide).class(class);
    let info = jvm.class(class).instance_fields.get(slot).ok_or_else(none)?.clone();
    let owner = jvm.class(info.owner).java_name();
    let held = |case: &TestCase, inputs: &TestInputs| {
        let GraphBody::Fields(fields) = &case.objects.get(object).ok_or_else(none)?.body else {
            return Err(none());
        };
        let held = fields.iter().find(|held| *held.name == *info.name && held.owner == owner);
        match held.map(|held| &held.value) {
            Some(JavaValue::Ref(to)) => Ok(Some(*to)),
            Some(JavaValue::Null) => Ok(None),
            Some(_) => Err(none()),
            None => {
                inputs.left_open.set(true);
                Ok(None)
            }
        }
    };
    tests.look(seed, held).unwrap_or_else(|| Err(none()))
}
