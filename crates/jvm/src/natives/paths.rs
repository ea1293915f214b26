//! Files that are read by their paths: what `java.nio.file.Files` says of them.
//!
//! The JDK asks the system by dozens of natives here, where `java.io` has a few. So the methods that look and
//! read are answered at once, or by a stream of `java.io`; those that write, walk or watch end the path.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use super::Row;
use super::files::{MOST, note};
use crate::native::{Call, Done, Trap};
use crate::value::{Ref, Value};

const FILES: &str = "java/nio/file/Files";
const SYSTEM: &str = "sun/nio/fs/UnixNativeDispatcher";

pub(crate) const TABLE: &[Row] = &[
    (SYSTEM, "init", "()I", super::objects::no),
    (SYSTEM, "getcwd", "()[B", directory),
    (FILES, "exists", "*", |call| is(call, |_| true)),
    (FILES, "notExists", "*", is_missing),
    (FILES, "isRegularFile", "*", |call| is(call, Metadata::is_file)),
    (FILES, "isDirectory", "*", |call| is(call, Metadata::is_dir)),
    (FILES, "size", "(Ljava/nio/file/Path;)J", size),
    (FILES, "readAllBytes", "(Ljava/nio/file/Path;)[B", read),
    (FILES, "readString", "(Ljava/nio/file/Path;Ljava/nio/charset/Charset;)Ljava/lang/String;", read_text),
    (FILES, "newInputStream", "*", open),
    (FILES, "lines", "(Ljava/nio/file/Path;Ljava/nio/charset/Charset;)Ljava/util/stream/Stream;", lines),
];

/// The directory of the process.
fn directory(call: &mut Call) -> Result<Done, Trap> {
    let path = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let bytes = path.into_os_string().into_vec();
    Ok(Done::Value(Value::Ref(new_bytes(call, &bytes)?)))
}

fn new_bytes(call: &mut Call, bytes: &[u8]) -> Result<Ref, Trap> {
    let byte = call.class_named("byte")?;
    let array = call.make_array(byte, bytes.len())?;
    for (at, byte) in bytes.iter().enumerate() {
        call.state.heap.store(array, at, Value::Int(i32::from(*byte as i8)));
    }
    Ok(array)
}

/// The path of argument 0, which is one of the default file system.
fn path(call: &mut Call) -> Result<PathBuf, Trap> {
    let path = call.object(0)?;
    let Value::Ref(bytes) = call.field(path, "path") else {
        return Err(Trap::unsupported("a path of another file system", "use the default one"));
    };
    let unit = |value: &Value| value.as_int().map(|byte| byte as u8);
    let bytes: Option<Vec<u8>> = call.state.heap.get(bytes).body.values().iter().map(unit).collect();
    match bytes {
        Some(bytes) => {
            let path = PathBuf::from(std::ffi::OsStr::from_bytes(&bytes));
            note(call, &path);
            Ok(path)
        }
        None => Err(Trap::unsupported("a symbolic path of a file", "make the path concrete")),
    }
}

fn is(call: &mut Call, test: fn(&Metadata) -> bool) -> Result<Done, Trap> {
    let found = std::fs::metadata(path(call)?);
    Ok(Done::Value(Value::boolean(found.is_ok_and(|found| test(&found)))))
}

/// What cannot be looked at may be there.
fn is_missing(call: &mut Call) -> Result<Done, Trap> {
    let found = std::fs::metadata(path(call)?);
    Ok(Done::Value(Value::boolean(found.is_err_and(|error| error.kind() == ErrorKind::NotFound))))
}

/// A file that can be read, or what its reader throws.
fn file(call: &mut Call) -> Result<(PathBuf, Metadata), Trap> {
    let path = path(call)?;
    let text = path.display().to_string();
    match std::fs::metadata(&path).and_then(|found| std::fs::File::open(&path).map(|_| found)) {
        Ok(found) if found.is_file() && found.len() <= MOST => Ok((path, found)),
        Ok(_) => Err(Trap::unsupported(format!("reading {text}"), "only smaller files are read")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(Trap::throw("java/nio/file/NoSuchFileException", text))
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Err(Trap::throw("java/nio/file/AccessDeniedException", text))
        }
        Err(_) => Err(Trap::unsupported(format!("reading {text}"), "only smaller files are read")),
    }
}

fn size(call: &mut Call) -> Result<Done, Trap> {
    let (_, found) = file(call)?;
    Ok(Done::Value(Value::Long(found.len() as i64)))
}

fn read(call: &mut Call) -> Result<Done, Trap> {
    let (path, _) = file(call)?;
    let Ok(bytes) = std::fs::read(&path) else {
        return Err(Trap::unsupported(format!("reading {}", path.display()), ""));
    };
    Ok(Done::Value(Value::Ref(new_bytes(call, &bytes)?)))
}

/// The JDK looks at the module of the path's class first. Bytes that are no text are an exception.
fn read_text(call: &mut Call) -> Result<Done, Trap> {
    let Done::Value(bytes) = read(call)? else { return Err(Trap::unsupported("reading a file", "")) };
    let descriptor = "([BLjava/nio/charset/Charset;)Ljava/lang/String;";
    for owner in ["java/lang/String", "java/lang/StringCoding"] {
        let class = call.class_named(owner)?;
        call.init(class)?;
        if let Ok(method) = call.method_named(class, "newStringNoRepl", descriptor) {
            return Ok(Done::Tail { method, args: vec![bytes, call.args[1]] });
        }
    }
    Err(Trap::unsupported("a file as a text of this JDK", "use a JDK from 9 to 25"))
}

/// `newInputStream(path, options)`: a stream of `java.io`, if nothing but reading is asked for.
fn open(call: &mut Call) -> Result<Done, Trap> {
    let options = call.args.get(1).and_then(|options| options.as_ref());
    if options.is_some_and(|options| call.state.heap.array_length(options) != Some(0)) {
        return Err(Trap::unsupported("options of a file that is opened", "open it without options"));
    }
    let (path, _) = file(call)?;
    let class = call.class_named("java/io/FileInputStream")?;
    call.init(class)?;
    let method = call.method_named(class, "<init>", "(Ljava/lang/String;)V")?;
    let (stream, name) = (call.blank(class), call.jvm.new_text(call.state, &path.to_string_lossy()));
    let args = vec![Value::Ref(stream), Value::Ref(name)];
    Ok(Done::Call { method, args, then: made, saved: vec![Value::Ref(stream)] })
}

fn made(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    Ok(Done::Value(call.args[0]))
}

/// The JDK reads large files in parts, through a channel; its other way is a reader.
fn lines(call: &mut Call) -> Result<Done, Trap> {
    let class = call.method.class;
    let descriptor = "(Ljava/nio/file/Path;Ljava/nio/charset/Charset;)Ljava/io/BufferedReader;";
    let method = call.method_named(class, "newBufferedReader", descriptor)?;
    Ok(Done::Call { method, args: call.args.to_vec(), then: lines_of, saved: Vec::new() })
}

fn lines_of(call: &mut Call, reader: Option<Value>) -> Result<Done, Trap> {
    let class = call.class_named(FILES)?;
    let descriptor = "(Ljava/io/BufferedReader;)Ljava/util/stream/Stream;";
    let method = call.method_named(class, "createBufferedReaderLinesStream", descriptor)?;
    Ok(Done::Tail { method, args: reader.into_iter().collect() })
}
