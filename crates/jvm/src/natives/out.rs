//! The standard streams: `System.out` and `System.err` are objects of a spun subclass of `PrintStream` whose
//! printing goes to the path's output, `System.in` one of `InputStream` that cannot be read.
//!
//! Symbolic values are printed as pieces that are evaluated under the path's model at the end, so that
//! printing a number does not fork over its digits.

use super::Row;
use crate::classes::ClassId;
use crate::indy::assemble::{Assembler, PUBLIC, split};
use crate::machine::Jvm;
use crate::native::{Call, Done, Trap};
use crate::outcome::{Piece, Stream};
use crate::rope::Part;
use crate::state::State;
use crate::value::{Kind, Ref, Value};

/// Class of `System.out` and `System.err`.
const OUT_CLASS: &str = "evergreen/Out";
/// Class of `System.in`.
const IN_CLASS: &str = "evergreen/In";

pub(crate) const TABLE: &[Row] = &[
    (OUT_CLASS, "print", "(Ljava/lang/String;)V", print_text),
    (OUT_CLASS, "print", "(I)V", |c| print_value(c, Kind::Int)),
    (OUT_CLASS, "print", "(J)V", |c| print_value(c, Kind::Long)),
    (OUT_CLASS, "print", "(C)V", |c| print_value(c, Kind::Char)),
    (OUT_CLASS, "print", "(Z)V", |c| print_value(c, Kind::Boolean)),
    (OUT_CLASS, "println", "()V", |c| emit(c, &[10])),
    (OUT_CLASS, "write", "(I)V", write_byte),
    (OUT_CLASS, "write", "([BII)V", write_bytes),
    (IN_CLASS, "read", "()I", read),
    (IN_CLASS, "read", "([BII)I", read),
];

fn spin_in() -> Vec<u8> {
    let mut out = Assembler::new(IN_CLASS, "java/io/InputStream", &[]);
    out.native(PUBLIC, "read", "()I");
    out.native(PUBLIC, "read", "([BII)I");
    out.finish()
}

fn spin_out() -> Vec<u8> {
    let mut out = Assembler::new(OUT_CLASS, "java/io/PrintStream", &[]);
    out.field(PUBLIC, "stream", "I");
    for native in ["(Ljava/lang/String;)V", "(I)V", "(J)V", "(C)V", "(Z)V"] {
        out.native(PUBLIC, "print", native);
    }
    out.native(PUBLIC, "println", "()V");
    out.native(PUBLIC, "write", "(I)V");
    out.native(PUBLIC, "write", "([BII)V");
    for (descriptor, valued) in
        [("(F)V", "F"), ("(D)V", "D"), ("([C)V", "[C"), ("(Ljava/lang/Object;)V", "Ljava/lang/Object;")]
    {
        out.begin(PUBLIC, "print", descriptor);
        out.load("L", 0);
        out.load(valued, 1);
        out.call_static("java/lang/String", "valueOf", &format!("({valued})Ljava/lang/String;"));
        out.call_virtual(OUT_CLASS, "print", "(Ljava/lang/String;)V");
        out.give("V");
        out.end(0);
    }
    for descriptor in [
        "(Ljava/lang/String;)V",
        "(I)V",
        "(J)V",
        "(C)V",
        "(Z)V",
        "(F)V",
        "(D)V",
        "([C)V",
        "(Ljava/lang/Object;)V",
    ] {
        out.begin(PUBLIC, "println", descriptor);
        out.load("L", 0);
        out.load(split(descriptor).0[0], 1);
        out.call_virtual(OUT_CLASS, "print", descriptor);
        out.load("L", 0);
        out.call_virtual(OUT_CLASS, "println", "()V");
        out.give("V");
        out.end(0);
    }
    for descriptor in ["flush", "close"] {
        out.begin(PUBLIC, descriptor, "()V");
        out.give("V");
        out.end(0);
    }
    write_format(
        &mut out,
        "(Ljava/lang/String;[Ljava/lang/Object;)",
        &["Ljava/lang/String;", "[Ljava/lang/Object;"],
    );
    write_format(
        &mut out,
        "(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)",
        &["Ljava/util/Locale;", "Ljava/lang/String;", "[Ljava/lang/Object;"],
    );
    out.begin(PUBLIC, "checkError", "()Z");
    out.int(0);
    out.give("Z");
    out.end(0);
    out.finish()
}

/// `format`: the text of `String.format`, printed; `printf` calls it.
fn write_format(out: &mut Assembler, parameters: &str, types: &[&str]) {
    out.begin(PUBLIC, "format", &format!("{parameters}Ljava/io/PrintStream;"));
    out.load("L", 0);
    for (i, parameter) in types.iter().enumerate() {
        out.load(parameter, 1 + i as u16);
    }
    out.call_static("java/lang/String", "format", &format!("{parameters}Ljava/lang/String;"));
    out.call_virtual(OUT_CLASS, "print", "(Ljava/lang/String;)V");
    out.load("L", 0);
    out.give("Ljava/io/PrintStream;");
    out.end(0);
}

/// Opens the standard streams of a state in which `System` is initialized, as `System.initPhase1` would.
pub(super) fn open(jvm: &mut Jvm, state: &mut State) -> Result<(), Trap> {
    let system = jvm.load("java/lang/System")?;
    let printer = spun(jvm, OUT_CLASS, spin_out)?;
    let reader = spun(jvm, IN_CLASS, spin_in)?;
    let number = jvm.known_field(printer, "stream")?;
    for (index, name) in ["out", "err"].into_iter().enumerate() {
        let stream = jvm.new_instance(state, printer);
        state.heap.store(stream, number, Value::Int(index as i32));
        set_static(jvm, state, system, name, stream);
    }
    let input = jvm.new_instance(state, reader);
    set_static(jvm, state, system, "in", input);
    let separator = jvm.intern(state, &[10]);
    set_static(jvm, state, system, "lineSeparator", separator);
    Ok(())
}

fn set_static(jvm: &Jvm, state: &mut State, class: ClassId, name: &str, object: Ref) {
    if let Some(field) = jvm.class(class).static_field(name) {
        state.set_static(field.slot, Value::Ref(object));
    }
}

fn spun(jvm: &mut Jvm, name: &str, spin: fn() -> Vec<u8>) -> Result<ClassId, Trap> {
    match jvm.loaded(name) {
        Some(class) => Ok(class),
        None => crate::indy::define(jvm, &spin()),
    }
}

fn target(call: &Call) -> Stream {
    let stream = call.args[0].as_ref().map(|object| call.field(object, "stream"));
    if stream == Some(Value::Int(1)) { Stream::Err } else { Stream::Out }
}

fn emit(call: &mut Call, units: &[u16]) -> Result<Done, Trap> {
    let piece = Piece::Text(target(call), units.into());
    call.state.output.push(piece);
    Ok(Done::Void)
}

fn print_text(call: &mut Call) -> Result<Done, Trap> {
    let Value::Ref(text) = call.args[1] else {
        return emit(call, &"null".encode_utf16().collect::<Vec<u16>>());
    };
    let Some(parts) = call.jvm.parts(call.state, text) else {
        return Err(Trap::unsupported(
            "printing a symbolic text that was made of bytes",
            "print its characters",
        ));
    };
    let stream = target(call);
    for part in parts.iter() {
        call.state.output.push(match part {
            Part::Text(units) => Piece::Text(stream, units.clone()),
            Part::Symbolic(kind, expr) => Piece::Symbolic(stream, *kind, *expr),
            Part::Input(open) => Piece::Input(stream, open.clone()),
        });
    }
    Ok(Done::Void)
}

fn print_value(call: &mut Call, kind: Kind) -> Result<Done, Trap> {
    let text = match (call.args[1], kind) {
        (Value::Int(unit), Kind::Char) => vec![unit as u16],
        (Value::Int(value), Kind::Boolean) => {
            (if value == 0 { "false" } else { "true" }).encode_utf16().collect()
        }
        (Value::Int(value), _) => value.to_string().encode_utf16().collect(),
        (Value::Long(value), _) => value.to_string().encode_utf16().collect(),
        (value, _) => {
            let piece = Piece::Symbolic(target(call), kind, call.as_expr(value));
            call.state.output.push(piece);
            return Ok(Done::Void);
        }
    };
    emit(call, &text)
}

fn write_byte(call: &mut Call) -> Result<Done, Trap> {
    let byte = call.int(1)? as u8;
    emit(call, &[u16::from(byte)])
}

/// Bytes are taken as UTF-8, the encoding that the machine's properties name.
fn write_bytes(call: &mut Call) -> Result<Done, Trap> {
    let array = call.object(1)?;
    let (from, count) = (call.int(2)?, call.int(3)?);
    let values = call.state.heap.get(array).body.values();
    let end = from.checked_add(count).filter(|end| from >= 0 && count >= 0 && *end as usize <= values.len());
    let Some(end) = end else {
        return Err(Trap::throw_plain("java/lang/IndexOutOfBoundsException"));
    };
    let bytes: Option<Vec<u8>> =
        values[from as usize..end as usize].iter().map(|v| v.as_int().map(|b| b as u8)).collect();
    match bytes {
        Some(bytes) => {
            let units: Vec<u16> = String::from_utf8_lossy(&bytes).encode_utf16().collect();
            emit(call, &units)
        }
        None => Err(Trap::unsupported("writing symbolic bytes", "print them as text")),
    }
}

fn read(_: &mut Call) -> Result<Done, Trap> {
    Err(Trap::unsupported("reading System.in", "give the method its input as parameters"))
}
