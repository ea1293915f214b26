//! Shared by the tests of suites: random suites of every kind of value, and short ways to make small ones.

use evergreen_java::classfile::{MethodDescriptor, Type};
use evergreen_java::replay::{
    Answer, Build, BuildCall, Built, Ending, Function, GraphBody, GraphField, GraphObject, JavaValue, Made,
    Message, Receiver, Target, TestCase,
};
use evergreen_java::suite::{Decision, MethodTests, Suite, Test};
use evergreen_testing::random::Random;
use std::sync::Arc;

const NAMES: [&str; 14] = [
    "x", "path", "this", "a b", "größe", "$this$x", "test", "v-1", "\"", "int", "q\\", "0x", "<init>", "null",
];
const CLASSES: [&str; 8] = [
    "Mid",
    "shop.Cart$Item",
    "a.package-info",
    "de.größe.Öl",
    "int",
    "with space.Odd",
    "java.lang.String",
    "object",
];
const DESCRIPTORS: [&str; 8] = [
    "()V",
    "(I)I",
    "(BSCJ)Z",
    "(FD)D",
    "([I[[Ljava/lang/String;)[J",
    "(Ljava/lang/Object;)Ljava/lang/Object;",
    "([B[C[Z)F",
    "(Lwith space/Odd;Lint;)V",
];

/// A random suite.
pub(super) fn suite(random: &mut Random) -> Suite {
    let class = random.choose(&CLASSES).to_string();
    let mut suite = Suite::of_class(&class);
    let mut number = 0;
    for (at, descriptor) in DESCRIPTORS.iter().enumerate().take(random.below(5)) {
        let target = target(random, &class, at, descriptor);
        let tests = (0..random.below(4)).map(|_| {
            number += 1;
            test(random, &target, format!("t{number}"))
        });
        let tests = tests.collect();
        suite.methods.push(MethodTests { target: Arc::new(target), tests, comments: Vec::new() });
    }
    suite
}

fn target(random: &mut Random, class: &str, at: usize, descriptor: &str) -> Target {
    let parsed = MethodDescriptor::parse(descriptor).expect("a descriptor");
    let start = random.below(NAMES.len());
    let name = |i: usize| NAMES[(start + i) % NAMES.len()].to_string();
    Target {
        class: class.into(),
        method: name(at),
        descriptor: descriptor.into(),
        receiver: if random.one_in(2) { Receiver::Static } else { Receiver::DefaultConstructor },
        hidden: random.one_in(3),
        parameters: (0..parsed.parameters.len()).map(name).collect(),
        exceptions: CLASSES[..random.below(3)].iter().map(|c| c.to_string()).collect(),
    }
}

fn test(random: &mut Random, target: &Target, name: String) -> Test {
    let parsed = MethodDescriptor::parse(&target.descriptor).expect("a descriptor");
    let objects = random.below(4);
    let receiver =
        (target.receiver != Receiver::Static && random.one_in(2)).then(|| reference(random, objects));
    let own = Target {
        receiver: if receiver.is_some() { Receiver::Given } else { target.receiver },
        ..target.clone()
    };
    let build = (objects > 0 && random.one_in(2)).then(|| build(random, objects));
    let case = TestCase {
        target: Arc::new(own),
        objects: (0..objects).map(|_| object(random, objects)).collect(),
        build,
        receiver,
        arguments: parsed.parameters.iter().map(|of| of_type(random, of, objects, 0)).collect(),
        draws: (0..random.below(3))
            .map(|_| (random.choose(&NAMES).to_string(), any(random, objects)))
            .collect(),
        ending: ending(random, parsed.result.as_ref()),
        output: match random.below(3) {
            0 => None,
            1 => Some(String::new()),
            _ => Some("é\n\"a\\b\" \u{1f600}\u{1}".into()),
        },
        title: String::new(),
        arms: None,
    };
    let path = (!random.one_in(4)).then(|| path(random, target));
    Test::new(name, case, path)
}

fn path(random: &mut Random, target: &Target) -> Vec<Decision> {
    let own = format!("{}{}", target.method, target.descriptor);
    let mut path = Vec::new();
    for _ in 0..random.below(6) {
        let (unit, function) = match random.below(4) {
            0 => (*random.choose(&CLASSES), "less(II)Z"),
            1 => (target.class.as_str(), "0 odd([Ljava/lang/String;)V"),
            _ => (target.class.as_str(), own.as_str()),
        };
        let (unit, function) = (unit.into(), function.into());
        let kind = [None, Some('f'), Some('i')][random.below(3)];
        let decision =
            Decision { unit, function, kind, ordinal: random.below(20) as u32, arm: random.below(4) as u32 };
        path.extend(std::iter::repeat_n(decision, 1 + random.below(3)));
    }
    path
}

fn ending(random: &mut Random, result: Option<&Type>) -> Ending {
    match random.below(4) {
        0 => Ending::Exited(random.next() as i32),
        1 => Ending::Threw {
            class: random.choose(&CLASSES).to_string(),
            message: match random.below(3) {
                0 => Message::Unknown,
                1 => Message::Null,
                _ => Message::Text(units(random)),
            },
        },
        _ => Ending::Returned(result.map(|of| match of.is_reference() && random.one_in(3) {
            true => {
                let known = random.one_in(2);
                JavaValue::Object { class: known.then(|| random.choose(&CLASSES).to_string()) }
            }
            false => of_type(random, of, 0, 0),
        })),
    }
}

fn object(random: &mut Random, objects: usize) -> GraphObject {
    let name = ["this.root.left", "a[0].next", "", "odd (one)", "\"", " spaced"][random.below(6)].to_string();
    if random.one_in(3) {
        let element = [Type::Int, Type::Class("shop/Item".into()), Type::Array(Box::new(Type::Byte))]
            [random.below(3)]
        .clone();
        let items = (0..random.below(4)).map(|_| of_type(random, &element, objects, 1)).collect();
        let class = format!("[{element}").replace('/', ".");
        return GraphObject { class, name, body: GraphBody::Elements { element, items } };
    }
    let class = random.choose(&CLASSES).to_string();
    let field = |random: &mut Random| GraphField {
        owner: if random.one_in(2) { class.clone() } else { random.choose(&CLASSES).to_string() },
        name: random.choose(&NAMES).to_string(),
        value: any(random, objects),
    };
    let fields = (0..random.below(4)).map(|_| field(random)).collect();
    GraphObject { class: class.clone(), name, body: GraphBody::Fields(fields) }
}

fn build(random: &mut Random, objects: usize) -> Build {
    let arguments = |random: &mut Random, descriptor: &str| -> Vec<JavaValue> {
        let parsed = MethodDescriptor::parse(descriptor).expect("a descriptor");
        parsed.parameters.iter().map(|of| of_type(random, of, objects, 0)).collect()
    };
    let mut built = Vec::new();
    for object in 0..objects {
        let constructor = ["()V", "(I)V", "([JLshop/Item;)V"][random.below(3)].to_string();
        let calls = (0..random.below(3)).map(|_| {
            let descriptor = random.choose(&DESCRIPTORS).to_string();
            let arguments = arguments(random, &descriptor);
            BuildCall { method: random.choose(&["add", "new", "a b"]).to_string(), descriptor, arguments }
        });
        let calls = calls.collect();
        built.push(Built { object, arguments: arguments(random, &constructor), constructor, calls });
    }
    Build { objects: built }
}

fn reference(random: &mut Random, objects: usize) -> JavaValue {
    if objects == 0 || random.one_in(4) { JavaValue::Null } else { JavaValue::Ref(random.below(objects)) }
}

fn any(random: &mut Random, objects: usize) -> JavaValue {
    let all = [
        Type::Boolean,
        Type::Byte,
        Type::Char,
        Type::Short,
        Type::Int,
        Type::Long,
        Type::Float,
        Type::Double,
        Type::Class("java/lang/Object".into()),
        Type::Array(Box::new(Type::Array(Box::new(Type::Float)))),
    ];
    of_type(random, random.clone().choose(&all), objects, 0)
}

fn of_type(random: &mut Random, of: &Type, objects: usize, depth: usize) -> JavaValue {
    let bits = match random.below(4) {
        0 => *random.choose(&[0, 1, u64::MAX, i32::MIN as u64, 0x7ff8_0000_0000_0000, 0x7fc0_0000, 1 << 63]),
        1 => *random.choose(&[
            0xfff0_0000_0000_0001,
            0x7ff0_0000_0000_0000,
            0x7f80_0000,
            0xff80_0001,
            0xffc0_0000,
        ]),
        2 => random.below(100) as u64,
        _ => random.next(),
    };
    match of {
        Type::Boolean => JavaValue::Boolean(bits & 1 == 1),
        Type::Byte => JavaValue::Byte(bits as i8),
        Type::Char => JavaValue::Char(bits as u16),
        Type::Short => JavaValue::Short(bits as i16),
        Type::Int => JavaValue::Int(bits as i32),
        Type::Long => JavaValue::Long(bits as i64),
        Type::Float => JavaValue::Float(f32::from_bits(bits as u32)),
        Type::Double => JavaValue::Double(f64::from_bits(bits)),
        Type::Array(element) if depth < 3 && !random.one_in(4) => {
            let items = (0..random.below(4)).map(|_| of_type(random, element, objects, depth + 1)).collect();
            JavaValue::Array { element: (**element).clone(), items }
        }
        _ => match random.below(9) {
            0 | 1 => JavaValue::String(units(random)),
            2 => {
                let primitive =
                    [Type::Boolean, Type::Byte, Type::Char, Type::Long, Type::Float, Type::Double];
                let inner = random.clone().choose(&primitive).clone();
                JavaValue::Boxed(Box::new(of_type(random, &inner, objects, depth)))
            }
            3 => JavaValue::Enum {
                class: random.choose(&CLASSES).to_string(),
                name: random.choose(&NAMES).to_string(),
            },
            4 => JavaValue::Static { class: random.choose(&CLASSES).to_string(), name: "MAX".into() },
            5 if depth < 3 => {
                let element = Type::Class(random.choose(&CLASSES).replace('.', "/").into());
                let items =
                    (0..random.below(3)).map(|_| of_type(random, &element, objects, depth + 1)).collect();
                JavaValue::Array { element, items }
            }
            6 if depth < 3 => JavaValue::Made(Box::new(made(random, objects, depth))),
            7 if depth < 3 => JavaValue::Function(Box::new(function(random, objects, depth))),
            _ => reference(random, objects),
        },
    }
}

/// A call that makes an object, or a collection.
fn made(random: &mut Random, objects: usize, depth: usize) -> Made {
    let class = random.choose(&CLASSES).to_string();
    if random.one_in(3) {
        let of = Type::Class("java/lang/Object".into());
        let items = (0..random.below(3)).map(|_| of_type(random, &of, objects, depth + 1)).collect();
        return Made::collection(&class, items);
    }
    let own = class.replace('.', "/");
    let method = if random.one_in(2) { "<init>" } else { *random.choose(&NAMES) }.to_string();
    // A call on an object that returns nothing.
    let is_change = method != "<init>" && random.one_in(3);
    let result = if method == "<init>" || is_change { "V".to_string() } else { format!("L{own};") };
    let types = match is_change {
        true => [Type::Class(own.as_str().into()), Type::Long],
        false => [Type::Long, Type::Class(own.as_str().into())],
    };
    let first = if is_change { "this" } else { *random.choose(&NAMES) };
    Made {
        descriptor: format!("({}{}){result}", types[0], types[1]),
        class,
        method,
        hidden: random.one_in(3),
        throws: random.one_in(3),
        parameters: vec![first.into(), "x".into()],
        arguments: types.iter().map(|of| of_type(random, of, objects, depth + 1)).collect(),
    }
}

/// A function with some answers, or one without a result.
fn function(random: &mut Random, objects: usize, depth: usize) -> Function {
    let own = Type::Class(random.choose(&CLASSES).replace('.', "/").into());
    let types = [Type::Char, own.clone()];
    let (result, count) = if random.one_in(4) { (None, 0) } else { (Some(own.clone()), random.below(3)) };
    let has_several = random.one_in(3);
    let descriptor = format!("(C{own}){}", result.map_or("V".into(), |of| of.to_string()));
    let calls = (0..count).map(|_| Answer {
        method: has_several.then(|| format!("{}{descriptor}", random.choose(&NAMES))),
        arguments: types.iter().map(|of| of_type(random, of, objects, depth + 1)).collect(),
        answer: of_type(random, &own, objects, depth + 1),
        again: random.one_in(3),
    });
    let calls = calls.collect();
    Function {
        interface: random.choose(&CLASSES).to_string(),
        method: if has_several { String::new() } else { random.choose(&NAMES).to_string() },
        descriptor: if has_several { String::new() } else { descriptor },
        hidden: random.one_in(3),
        calls,
    }
}

fn units(random: &mut Random) -> Vec<u16> {
    let some = [0xd83d, 0xde00, 0xd800, 34, 39, 92, 10, 13, 9, 0, 0x2028, 0xe9, 65, 32, 117, 35, 0x661];
    (0..random.below(6))
        .map(|_| if random.one_in(4) { random.next() as u16 } else { *random.choose(&some) })
        .collect()
}

/// The method `mid(int x, int y)` of the class `Mid`.
pub(super) fn mid() -> Arc<Target> {
    Arc::new(Target {
        class: "Mid".into(),
        method: "mid".into(),
        descriptor: "(II)I".into(),
        receiver: Receiver::Static,
        hidden: false,
        parameters: vec!["x".into(), "y".into()],
        exceptions: vec![],
    })
}

/// A test case of it.
pub(super) fn case(target: &Arc<Target>, inputs: [i32; 2], returns: i32) -> TestCase {
    TestCase {
        target: target.clone(),
        objects: vec![],
        build: None,
        receiver: None,
        arguments: inputs.map(JavaValue::Int).to_vec(),
        draws: vec![],
        ending: Ending::Returned(Some(JavaValue::Int(returns))),
        output: Some(String::new()),
        title: String::new(),
        arms: None,
    }
}

/// Decisions in it: `0+` is `(0, 0)`.
pub(super) fn decisions(target: &Arc<Target>, all: &[(u32, u32)]) -> Vec<Decision> {
    let method = format!("{}{}", target.method, target.descriptor);
    let decision = |&(ordinal, arm): &(u32, u32)| Decision {
        unit: target.class.as_str().into(),
        function: method.as_str().into(),
        kind: None,
        ordinal,
        arm,
    };
    all.iter().map(decision).collect()
}
