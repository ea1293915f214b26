//! Boxing symbolic values.
//!
//! `Integer.valueOf` looks into a cache of small values, by an index into an array of objects. For a symbolic value that
//! would be a path for each cached object. Identity of boxes is hardly ever meant, so a symbolic value gets a box of
//! its own; comparing such a box by `==` is where the machine must take care.

use super::Row;
use crate::native::{Call, Done, Trap};
use crate::value::Value;

pub(crate) const TABLE: &[Row] = &[
    ("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", box_value),
    ("java/lang/Long", "valueOf", "(J)Ljava/lang/Long;", box_value),
    ("java/lang/Short", "valueOf", "(S)Ljava/lang/Short;", box_value),
    ("java/lang/Byte", "valueOf", "(B)Ljava/lang/Byte;", box_value),
    ("java/lang/Character", "valueOf", "(C)Ljava/lang/Character;", box_value),
];

fn box_value(call: &mut Call) -> Result<Done, Trap> {
    if !call.args[0].is_symbolic() {
        return call.interpret();
    }
    let class = call.method.class;
    call.init(class)?;
    let object = call.blank(class);
    call.set_field(object, "value", call.args[0]);
    Ok(Done::Value(Value::Ref(object)))
}
