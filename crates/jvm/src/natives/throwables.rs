//! Exceptions: which frames they were made in. Helpful texts of null pointer
//! exceptions come from the machine.
//!
//! A trace is an `int[]` in the field that the virtual machine has for it: method and instruction of each
//! frame, innermost first. Names and lines are looked up on demand.

use std::sync::Arc;

use super::Row;
use super::objects::nothing;
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::value::{Kind, Ref, Value};

const THROWABLE: &str = "java/lang/Throwable";
const ELEMENT: &str = "java/lang/StackTraceElement";

/// Frames that a trace has at most, as on HotSpot.
const DEPTH: usize = 1024;

pub(crate) const TABLE: &[Row] = &[
    (THROWABLE, "fillInStackTrace", "(I)Ljava/lang/Throwable;", fill_in),
    ("java/lang/NullPointerException", "getExtendedNPEMessage", "*", null_message),
    (ELEMENT, "initStackTraceElements", "*", name_frames),
    (ELEMENT, "computeFormat", "()V", nothing),
];

fn fill_in(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    let ints = call.jvm.primitive(Kind::Int);
    let class = call.jvm.array_of(ints)?;
    let mut trace: Vec<i32> = Vec::new();
    let mut making = true;
    for frame in call.state.frames.iter().rev() {
        let method = &frame.method;
        making &= is_making(&method.name, frame.slots.first(), object);
        if making || method.code().is_none() || method.class_name.contains("$$") {
            continue;
        }
        trace.extend([method.id.0 as i32, frame.pc as i32]);
        if trace.len() >= 2 * DEPTH {
            break;
        }
    }
    let depth = trace.len() / 2;
    let trace = call.state.heap.new_object(class, Body::Ints(trace.into()));
    call.set_field(object, "backtrace", Value::Ref(trace));
    call.set_field(object, "depth", Value::Int(depth as i32));
    Ok(Done::Value(call.args[0]))
}

/// Whether a frame belongs to the making of the exception itself.
fn is_making(name: &str, receiver: Option<&Value>, object: Ref) -> bool {
    (name == "<init>" || name == "fillInStackTrace") && receiver == Some(&Value::Ref(object))
}

/// Fills an array of `StackTraceElement` from a trace, or from the exception that has it.
fn name_frames(call: &mut Call) -> Result<Done, Trap> {
    let (elements, source) = (call.object(0)?, call.object(1)?);
    let trace = match call.field(source, "backtrace") {
        Value::Ref(trace) => trace,
        _ => source,
    };
    let Body::Ints(trace) = call.state.heap.get(trace).body.clone() else { return Ok(Done::Void) };
    for (element, frame) in call.state.heap.get(elements).body.values().into_iter().zip(trace.chunks_exact(2))
    {
        if let Value::Ref(element) = element {
            name_frame(call, element, frame[0] as u32, frame[1] as u32)?;
        }
    }
    Ok(Done::Void)
}

fn name_frame(call: &mut Call, element: Ref, method: u32, pc: u32) -> Result<(), Trap> {
    let method = call.jvm.method(crate::classes::MethodId(method)).clone();
    let file = method.pool.file.as_ref().and_then(|file| file.source_file.clone());
    let mirror = call.mirror(method.class)?;
    call.set_field(element, "declaringClassObject", mirror);
    let class = method.class_name.replace('/', ".");
    let texts = [
        ("declaringClass", Some(Arc::from(class))),
        ("methodName", Some(method.name.clone())),
        ("fileName", file),
        ("moduleName", (!method.user).then(|| "java.base".into())),
    ];
    for (field, text) in texts {
        if let Some(text) = text {
            let units: Vec<u16> = text.encode_utf16().collect();
            let text = call.jvm.intern(call.state, &units);
            call.set_field(element, field, Value::Ref(text));
        }
    }
    let line = method.line(pc).map_or(-1, i32::from);
    call.set_field(element, "lineNumber", Value::Int(line));
    Ok(())
}

/// The text that the machine noted when it threw the exception itself.
fn null_message(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    match call.jvm.null_text(call.state, object) {
        Some(text) => call.done_text(&text),
        None => Ok(Done::Value(Value::Null)),
    }
}
