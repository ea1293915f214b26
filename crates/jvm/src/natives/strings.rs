//! Strings: the few methods without code, and the texts of symbolic numbers, which are ropes.
//! All others are interpreted.

use super::Row;
use super::objects::no;
use crate::native::{Call, Done, Trap};
use crate::rope::Part;
use crate::value::{Kind, Ref, Value};

const STRING: &str = "java/lang/String";

pub(crate) const TABLE: &[Row] = &[
    (STRING, "intern", "()Ljava/lang/String;", intern),
    ("java/lang/StringUTF16", "isBigEndian", "()Z", no),
    ("java/lang/Integer", "toString", "(I)Ljava/lang/String;", |c| text_of(c, Kind::Int)),
    ("java/lang/Long", "toString", "(J)Ljava/lang/String;", |c| text_of(c, Kind::Long)),
    ("java/lang/Float", "toString", "(F)Ljava/lang/String;", |c| text_of(c, Kind::Float)),
    ("java/lang/Double", "toString", "(D)Ljava/lang/String;", |c| text_of(c, Kind::Double)),
    ("java/lang/Character", "toString", "(C)Ljava/lang/String;", |c| text_of(c, Kind::Char)),
    (STRING, "valueOf", "(C)Ljava/lang/String;", |c| text_of(c, Kind::Char)),
    ("jdk/internal/util/Preconditions", "outOfBoundsMessage", "*", out_of_bounds),
];

fn intern(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    match call.jvm.intern_object(call.state, object) {
        Some(object) => Ok(Done::Value(Value::Ref(object))),
        None => Err(Trap::unsupported("String.intern of a symbolic text", "make the text concrete")),
    }
}

/// The text of a symbolic number is a rope; the JDK's own code makes that of a concrete one,
/// except for whole numbers.
fn text_of(call: &mut Call, kind: Kind) -> Result<Done, Trap> {
    let value = call.args[0];
    match value {
        Value::Sym(_) | Value::Int(_) | Value::Long(_) => {
            let parts = [Part::of(kind, value)];
            Ok(Done::Value(Value::Ref(call.jvm.new_rope(call.state, &parts))))
        }
        _ => call.interpret(),
    }
}

/// The text of a failed `Objects.checkIndex` and its like, which the JDK makes by `String.format`.
fn out_of_bounds(call: &mut Call) -> Result<Done, Trap> {
    let check = call.text_argument(0)?;
    let numbers = match call.args[1] {
        Value::Ref(list) => numbers(call, list),
        _ => None,
    };
    let text = Part::text;
    let parts = match (String::from_utf16_lossy(&check).as_str(), numbers.as_deref()) {
        ("checkIndex", Some([index, length])) => {
            vec![text("Index "), index.clone(), text(" out of bounds for length "), length.clone()]
        }
        ("checkFromToIndex", Some([from, to, length])) => vec![
            text("Range ["),
            from.clone(),
            text(", "),
            to.clone(),
            text(") out of bounds for length "),
            length.clone(),
        ],
        ("checkFromIndexSize", Some([from, size, length])) => vec![
            text("Range ["),
            from.clone(),
            text(", "),
            from.clone(),
            text(" + "),
            size.clone(),
            text(") out of bounds for length "),
            length.clone(),
        ],
        _ => return call.interpret(),
    };
    Ok(Done::Value(Value::Ref(call.jvm.new_rope(call.state, &parts))))
}

/// The numbers in a small immutable list.
fn numbers(call: &Call, list: Ref) -> Option<Vec<Part>> {
    let values = match call.field(list, "elements") {
        Value::Ref(elements) => call.state.heap.get(elements).body.values(),
        _ => vec![call.field(list, "e0"), call.field(list, "e1")],
    };
    values.into_iter().map(|value| number(call, value.as_ref()?)).collect()
}

/// A boxed whole number as a part.
pub(crate) fn number(call: &Call, boxed: Ref) -> Option<Part> {
    let kind = match &*call.class(call.state.heap.class_of(boxed)).name {
        "java/lang/Integer" => Kind::Int,
        "java/lang/Long" => Kind::Long,
        "java/lang/Short" => Kind::Short,
        "java/lang/Byte" => Kind::Byte,
        "java/lang/Character" => Kind::Char,
        "java/lang/Boolean" => Kind::Boolean,
        _ => return None,
    };
    Some(Part::of(kind, call.field(boxed, "value")))
}
