//! Strings: the few methods without code. All others are interpreted.

use super::Row;
use super::objects::no;
use crate::native::{Call, Done, Trap};
use crate::value::Value;

pub(crate) const TABLE: &[Row] = &[
    ("java/lang/String", "intern", "()Ljava/lang/String;", intern),
    ("java/lang/StringUTF16", "isBigEndian", "()Z", no),
    ("java/lang/Double", "toString", "(D)Ljava/lang/String;", text_of_float),
    ("java/lang/Float", "toString", "(F)Ljava/lang/String;", text_of_float),
];

fn intern(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    match call.jvm.intern_object(call.state, object) {
        Some(object) => Ok(Done::Value(Value::Ref(object))),
        None => Err(Trap::unsupported("String.intern of a symbolic text", "make the text concrete")),
    }
}

/// The digits of a symbolic float would be a path for nearly each of its values.
fn text_of_float(call: &mut Call) -> Result<Done, Trap> {
    if call.args[0].is_symbolic() {
        let what = format!("{} of a symbolic value", call.method.full_name());
        return Err(Trap::unsupported(what, "print or compare the number itself"));
    }
    call.interpret()
}
