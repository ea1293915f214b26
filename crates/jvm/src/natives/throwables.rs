//! Exceptions: no stack traces are kept. Helpful texts of null pointer exceptions come from the machine.

use super::Row;
use crate::native::{Call, Done, Trap};
use crate::value::Value;

const THROWABLE: &str = "java/lang/Throwable";

pub(crate) const TABLE: &[Row] = &[
    (THROWABLE, "fillInStackTrace", "()Ljava/lang/Throwable;", itself),
    (THROWABLE, "fillInStackTrace", "(I)Ljava/lang/Throwable;", itself),
    (THROWABLE, "getOurStackTrace", "()[Ljava/lang/StackTraceElement;", no_trace),
    (THROWABLE, "getStackTrace", "()[Ljava/lang/StackTraceElement;", no_trace),
    (THROWABLE, "setStackTrace", "([Ljava/lang/StackTraceElement;)V", nothing),
    ("java/lang/NullPointerException", "getExtendedNPEMessage", "*", null_message),
    ("java/lang/StackTraceElement", "initStackTraceElements", "*", nothing),
    ("java/lang/StackTraceElement", "initStackTraceElement", "*", nothing),
];

fn itself(call: &mut Call) -> Result<Done, Trap> {
    Ok(Done::Value(call.args[0]))
}

fn nothing(_: &mut Call) -> Result<Done, Trap> {
    Ok(Done::Void)
}

fn no_trace(call: &mut Call) -> Result<Done, Trap> {
    let element = call.class_named("java/lang/StackTraceElement")?;
    let array = call.make_array(element, 0)?;
    Ok(Done::Value(Value::Ref(array)))
}

/// The text that the machine noted when it threw the exception itself.
fn null_message(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    match call.jvm.null_text(call.state, object) {
        Some(text) => call.done_text(&text),
        None => Ok(Done::Value(Value::Null)),
    }
}
