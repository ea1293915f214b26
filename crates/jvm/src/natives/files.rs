//! Files that are read, and the environment of the process: the real ones.
//!
//! The JDK keeps time zones and the list of its security providers in files, and programs read
//! configuration. A file is read as a whole when it is opened; the place of the next byte is in the
//! descriptor's object, so that each path has its own. A path that looked at something outside of the JDK
//! notes that bound: with other files and variables the program may do something else. Nothing is written.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Row;
use super::numbers::{next_random, note_random};
use super::objects::nothing;
use super::system::null;
use crate::narrowed::InputBound;
use crate::native::{Call, Done, Trap};
use crate::value::{Ref, Value};

const STREAM: &str = "java/io/FileInputStream";
const FILES: &str = "java/io/UnixFileSystem";
const DESCRIPTOR: &str = "java/io/FileDescriptor";

/// Larger files are not read.
pub(super) const MOST: u64 = 16 << 20;

/// The first number of a descriptor that stands for a file here.
const FIRST: i32 = 1000;

pub(crate) const TABLE: &[Row] = &[
    (STREAM, "open0", "*", open),
    (STREAM, "read0", "*", read),
    (STREAM, "readBytes", "*", read_bytes),
    (STREAM, "available0", "*", available),
    (STREAM, "length0", "*", length),
    (STREAM, "position0", "*", position),
    (STREAM, "skip0", "*", skip),
    (STREAM, "isRegularFile0", "*", super::objects::yes),
    (DESCRIPTOR, "getHandle", "*", |_| Ok(Done::Value(Value::Long(-1)))),
    (DESCRIPTOR, "getAppend", "*", super::objects::no),
    (DESCRIPTOR, "close0", "*", nothing),
    ("java/io/FileCleanable", "register", "*", nothing),
    ("java/io/FileCleanable", "unregister", "*", nothing),
    (FILES, "getBooleanAttributes0", "*", attributes),
    (FILES, "checkAccess", "*", access),
    (FILES, "checkAccess0", "*", access),
    (FILES, "canonicalize0", "*", canonical),
    (FILES, "getLength", "*", file_length),
    (FILES, "getLength0", "*", file_length),
    ("java/lang/ProcessEnvironment", "environ", "*", environment),
    ("java/util/TimeZone", "getSystemTimeZoneID", "*", time_zone),
    ("java/util/TimeZone", "getSystemGMTOffsetID", "*", null),
];

/// The path notes that it looked at the machine that it runs on, unless that is a part of the JDK.
pub(super) fn note(call: &mut Call, path: &Path) {
    let jdk = call.jvm.java_home();
    if !jdk.is_some_and(|home| path.starts_with(home)) {
        call.jvm.note_bound(call.state, InputBound::Environment);
    }
}

fn path_argument(call: &Call, index: usize) -> Result<PathBuf, Trap> {
    Ok(PathBuf::from(String::from_utf16_lossy(&call.text_argument(index)?)))
}

/// The path of argument `index`, a `java.io.File`.
fn file_argument(call: &Call, index: usize) -> Result<PathBuf, Trap> {
    let file = call.object(index)?;
    let Value::Ref(path) = call.field(file, "path") else {
        return Err(Trap::unsupported("a file without a path", ""));
    };
    match call.jvm.string_units(call.state, path) {
        Some(units) => Ok(PathBuf::from(String::from_utf16_lossy(&units))),
        None => Err(Trap::unsupported("a file with a symbolic path", "make the path concrete")),
    }
}

fn open(call: &mut Call) -> Result<Done, Trap> {
    let stream = call.object(0)?;
    let path = path_argument(call, 1)?;
    note(call, &path);
    let missing =
        |why: &str| Err(Trap::throw("java/io/FileNotFoundException", format!("{} ({why})", path.display())));
    let found = match std::fs::metadata(&path) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return missing("Permission denied");
        }
        Err(_) => return missing("No such file or directory"),
    };
    if found.is_dir() {
        return missing("Is a directory");
    }
    let is_device = path.starts_with("/dev") && call.state.top().is_some_and(|frame| !frame.method.user);
    if !is_device && (!found.is_file() || found.len() > MOST) {
        return Err(Trap::unsupported(format!("reading {}", path.display()), "only smaller files are read"));
    }
    // The JDK opens its sources of randomness long before it reads them, if it does.
    let bytes = match is_device {
        true => None,
        false => match std::fs::read(&path) {
            Ok(bytes) => Some(Rc::from(bytes)),
            Err(_) => return missing("Permission denied"),
        },
    };
    let number = call.jvm.natives_data.files.len() as i32;
    call.jvm.natives_data.files.push(bytes);
    let Value::Ref(descriptor) = call.field(stream, "fd") else { return Ok(Done::Void) };
    call.set_field(descriptor, "fd", Value::Int(FIRST + number));
    call.set_field(descriptor, "handle", Value::Long(0));
    Ok(Done::Void)
}

/// The bytes of the stream in argument 0, the place of the next one, and the descriptor.
fn opened(call: &Call) -> Result<(Rc<[u8]>, usize, Ref), Trap> {
    let stream = call.object(0)?;
    let Value::Ref(descriptor) = call.field(stream, "fd") else {
        return Err(Trap::throw("java/io/IOException", "Stream Closed"));
    };
    let at = call.field(descriptor, "handle").as_long().unwrap_or(0).max(0) as usize;
    match call.field(descriptor, "fd") {
        Value::Int(-1) => Err(Trap::throw("java/io/IOException", "Stream Closed")),
        Value::Int(number) if number >= FIRST => {
            match call.jvm.natives_data.files.get((number - FIRST) as usize) {
                Some(Some(bytes)) => Ok((bytes.clone(), at, descriptor)),
                Some(None) => Err(Trap::unsupported("the length of a device", "read it")),
                None => Err(Trap::unsupported("a file that was not opened", "")),
            }
        }
        _ => Err(Trap::unsupported("reading System.in", "give the method its input as parameters")),
    }
}

fn advance(call: &mut Call, descriptor: Ref, at: usize) {
    call.set_field(descriptor, "handle", Value::Long(at as i64));
}

/// Whether the stream in argument 0 is one of the JDK's sources of randomness.
fn is_random(call: &Call) -> Result<bool, Trap> {
    let Value::Ref(descriptor) = call.field(call.object(0)?, "fd") else { return Ok(false) };
    let number = call.field(descriptor, "fd").as_int().unwrap_or(-1);
    let file = usize::try_from(number - FIRST).ok().and_then(|at| call.jvm.natives_data.files.get(at));
    Ok(matches!(file, Some(None)))
}

/// The next bytes of such a source.
fn random_bytes(call: &mut Call, count: usize) -> Vec<u8> {
    note_random(call);
    (0..count).map(|_| next_random(call) as u8).collect()
}

fn read(call: &mut Call) -> Result<Done, Trap> {
    if is_random(call)? {
        let byte = random_bytes(call, 1)[0];
        return Ok(Done::Value(Value::Int(i32::from(byte))));
    }
    let (bytes, at, descriptor) = opened(call)?;
    let Some(byte) = bytes.get(at) else { return Ok(Done::Value(Value::Int(-1))) };
    advance(call, descriptor, at + 1);
    Ok(Done::Value(Value::Int(i32::from(*byte))))
}

fn read_bytes(call: &mut Call) -> Result<Done, Trap> {
    let (array, from, count) = (call.object(1)?, call.int(2)?, call.int(3)?);
    let (bytes, at, descriptor) = match is_random(call)? {
        true => (Rc::from(random_bytes(call, count.max(0) as usize)), 0, None),
        false => opened(call).map(|(bytes, at, descriptor)| (bytes, at, Some(descriptor)))?,
    };
    let room = call.state.heap.get(array).body.array_length().unwrap_or(0) as i64;
    if from < 0 || count < 0 || i64::from(from) + i64::from(count) > room {
        return Err(Trap::throw_plain("java/lang/IndexOutOfBoundsException"));
    }
    if count == 0 {
        return Ok(Done::Value(Value::Int(0)));
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let rest = &rest[..rest.len().min(count as usize)];
    if rest.is_empty() {
        return Ok(Done::Value(Value::Int(-1)));
    }
    for (place, byte) in rest.iter().enumerate() {
        call.state.heap.store(array, from as usize + place, Value::Int(i32::from(*byte as i8)));
    }
    if let Some(descriptor) = descriptor {
        advance(call, descriptor, at + rest.len());
    }
    Ok(Done::Value(Value::Int(rest.len() as i32)))
}

fn available(call: &mut Call) -> Result<Done, Trap> {
    let (bytes, at, _) = opened(call)?;
    Ok(Done::Value(Value::Int(bytes.len().saturating_sub(at) as i32)))
}

fn length(call: &mut Call) -> Result<Done, Trap> {
    let (bytes, _, _) = opened(call)?;
    Ok(Done::Value(Value::Long(bytes.len() as i64)))
}

fn position(call: &mut Call) -> Result<Done, Trap> {
    let (_, at, _) = opened(call)?;
    Ok(Done::Value(Value::Long(at as i64)))
}

fn skip(call: &mut Call) -> Result<Done, Trap> {
    let (_, at, descriptor) = opened(call)?;
    let count = call.long(1)?;
    let next = (at as i64).saturating_add(count).max(0);
    advance(call, descriptor, next as usize);
    Ok(Done::Value(Value::Long(next - at as i64)))
}

/// Exists (1), is a regular file (2), is a directory (4).
fn attributes(call: &mut Call) -> Result<Done, Trap> {
    let path = file_argument(call, 1)?;
    note(call, &path);
    let found = std::fs::metadata(&path);
    let flags = found.map_or(0, |found| 1 + 2 * i32::from(found.is_file()) + 4 * i32::from(found.is_dir()));
    Ok(Done::Value(Value::Int(flags)))
}

/// Whether a file can be read (4); other ways of access are not looked at.
fn access(call: &mut Call) -> Result<Done, Trap> {
    let (path, wanted) = (file_argument(call, 1)?, call.int(2)?);
    if wanted != 4 {
        return Err(Trap::unsupported("whether a file can be written or run", ""));
    }
    note(call, &path);
    let can = std::fs::File::open(&path).is_ok() || std::fs::read_dir(&path).is_ok();
    Ok(Done::Value(Value::boolean(can)))
}

fn file_length(call: &mut Call) -> Result<Done, Trap> {
    let path = file_argument(call, 1)?;
    note(call, &path);
    let length = std::fs::metadata(&path).map_or(0, |found| found.len());
    Ok(Done::Value(Value::Long(length as i64)))
}

fn canonical(call: &mut Call) -> Result<Done, Trap> {
    let path = path_argument(call, 1)?;
    note(call, &path);
    match std::fs::canonicalize(&path) {
        Ok(found) => call.done_text(&found.to_string_lossy()),
        Err(_) => Err(Trap::unsupported("the canonical path of a file that does not exist", "")),
    }
}

/// Names and values in turn, as bytes.
fn environment(call: &mut Call) -> Result<Done, Trap> {
    use std::os::unix::ffi::OsStrExt;
    call.jvm.note_bound(call.state, InputBound::Environment);
    let (bytes, byte) = (call.class_named("[B")?, call.class_named("byte")?);
    // Tests run under this locale.
    let locale = ("LC_ALL".into(), "C.UTF-8".into());
    let own = std::env::vars_os().filter(|(name, _)| name != "LC_ALL").chain([locale]);
    let all: Vec<std::ffi::OsString> = own.flat_map(|(name, value)| [name, value]).collect();
    let array = call.make_array(bytes, all.len())?;
    for (at, text) in all.iter().enumerate() {
        let inner = call.make_array(byte, text.len())?;
        for (place, byte) in text.as_bytes().iter().enumerate() {
            call.state.heap.store(inner, place, Value::Int(i32::from(*byte as i8)));
        }
        call.state.heap.store(array, at, Value::Ref(inner));
    }
    Ok(Done::Value(Value::Ref(array)))
}

/// What the JVM finds: the variable `TZ`, the link `/etc/localtime`, the file `/etc/timezone`.
fn time_zone(call: &mut Call) -> Result<Done, Trap> {
    call.jvm.note_bound(call.state, InputBound::Environment);
    let variable = std::env::var("TZ").ok().map(|zone| zone.trim_start_matches(':').to_string());
    let written = || {
        let text = std::fs::read_to_string("/etc/timezone").ok()?;
        let first = text.lines().next()?.trim().to_string();
        (!first.is_empty()).then_some(first)
    };
    let linked = || {
        let target = std::fs::canonicalize("/etc/localtime").ok()?;
        let text = target.to_string_lossy().into_owned();
        text.split_once("/zoneinfo/").map(|(_, zone)| zone.to_string())
    };
    match variable.filter(|zone| !zone.is_empty()).or_else(written).or_else(linked) {
        Some(zone) => call.done_text(&zone),
        None => Ok(Done::Value(Value::Null)),
    }
}
