//! `System`, `Runtime` and what stands for the running virtual machine: properties, time, locale, privileges.
//!
//! The JDK's own start-up (`System.initPhase1` and on) is not run: it costs millions of instructions and
//! reads the real system. This file sets the results of the start-up that ordinary code reads. Each read of
//! the clock advances time by one microsecond, so that every run is the same.

use super::Row;
use super::objects::{no, nothing, yes};
use crate::native::{Call, Done, Trap};
use crate::outcome::Ending;
use crate::value::Value;

const SYSTEM: &str = "java/lang/System";
const RUNTIME: &str = "java/lang/Runtime";
const VM: &str = "jdk/internal/misc/VM";
const CDS: &str = "jdk/internal/misc/CDS";
const SECRETS: &str = "jdk/internal/access/SharedSecrets";
const CONTROLLER: &str = "java/security/AccessController";

pub(crate) const TABLE: &[Row] = &[
    (SYSTEM, "registerNatives", "()V", nothing),
    (SYSTEM, "currentTimeMillis", "()J", |c| {
        Ok(Done::Value(Value::Long(1_700_000_000_000 + ticks(c) / 1_000_000)))
    }),
    (SYSTEM, "nanoTime", "()J", |c| Ok(Done::Value(Value::Long(1_000_000_000 + ticks(c))))),
    (SYSTEM, "getProperty", "*", system_property),
    ("java/util/Properties", "getProperty", "(Ljava/lang/String;)Ljava/lang/String;", from_table),
    ("jdk/internal/util/StaticProperty", "getProperty", "*", |c| property(c, 1)),
    (SYSTEM, "getProperties", "*", properties),
    (SYSTEM, "getSecurityManager", "*", null),
    (SYSTEM, "allowSecurityManager", "*", no),
    (SYSTEM, "lineSeparator", "*", |c| {
        note_if_asked(c);
        c.done_text("\n")
    }),
    (SYSTEM, "exit", "(I)V", |c| exit(c, 0)),
    (SYSTEM, "gc", "()V", nothing),
    (SYSTEM, "setOut0", "*", |c| set_stream(c, "out")),
    (SYSTEM, "setErr0", "*", |c| set_stream(c, "err")),
    (SYSTEM, "setIn0", "*", |c| set_stream(c, "in")),
    (RUNTIME, "exit", "(I)V", |c| exit(c, 1)),
    (RUNTIME, "halt", "(I)V", |c| exit(c, 1)),
    (RUNTIME, "availableProcessors", "()I", |c| {
        note_if_asked(c);
        Ok(Done::Value(Value::Int(2)))
    }),
    (RUNTIME, "freeMemory", "()J", memory),
    (RUNTIME, "totalMemory", "()J", memory),
    (RUNTIME, "maxMemory", "()J", memory),
    (RUNTIME, "gc", "()V", nothing),
    (VM, "initialize", "*", nothing),
    (VM, "initializeFromArchive", "*", nothing),
    (VM, "getSavedProperty", "*", null),
    ("jdk/internal/loader/BootLoader", "loadLibrary", "*", nothing),
    // The signatures of the JDK's own providers are not verified.
    ("javax/crypto/JceSecurity", "canUseProvider", "*", yes),
    ("javax/crypto/JceSecurity", "getVerificationResult", "*", null),
    ("javax/crypto/JceSecurity", "getDefaultPolicy", "*", policy),
    ("javax/crypto/JceSecurity", "getExemptPolicy", "*", policy),
    (SYSTEM, "loadLibrary", "*", library),
    ("java/net/InetAddress", "init", "()V", nothing),
    ("java/net/Inet4Address", "init", "()V", nothing),
    ("java/net/Inet6Address", "init", "()V", nothing),
    ("java/net/InetAddressImplFactory", "isIPv6Supported", "()Z", yes),
    ("java/net/InetAddress", "isIPv6Supported", "()Z", yes),
    ("java/net/InetAddress", "isIPv4Available", "()Z", yes),
    (VM, "isBooted", "()Z", yes),
    (VM, "isModuleSystemInited", "()Z", yes),
    (VM, "isJavaLangInvokeInited", "()Z", yes),
    (VM, "initLevel", "()I", |_| Ok(Done::Value(Value::Int(4)))),
    (VM, "getNanoTimeAdjustment", "*", nano_time_adjustment),
    (CDS, "initializeFromArchive", "*", nothing),
    (CDS, "isDumpingClassList0", "*", no),
    (CDS, "isDumpingArchive0", "*", no),
    (CDS, "isSharingEnabled0", "*", no),
    (CDS, "getCDSConfigStatus", "*", no),
    (CDS, "getRandomSeedForDumping", "*", |_| Ok(Done::Value(Value::Long(0)))),
    (SECRETS, "getJavaLangAccess", "*", java_lang_access),
    (SECRETS, "ensureClassInitialized", "*", initialize),
    ("java/util/ServiceLoader", "load", "*", services),
    ("java/util/ServiceLoader", "loadInstalled", "*", services),
    ("java/util/ServiceLoader", "iterator", "*", no_services),
    ("java/lang/ClassLoader", "getSystemClassLoader", "*", system_loader),
    ("java/lang/ClassLoader", "getPlatformClassLoader", "*", system_loader),
    ("jdk/internal/reflect/Reflection", "getCallerClass", "*", caller),
    (CONTROLLER, "doPrivileged", "*", privileged),
    (CONTROLLER, "doPrivilegedWithCombiner", "*", privileged),
    (CONTROLLER, "checkPermission", "*", nothing),
    (CONTROLLER, "getContext", "*", null),
    (CONTROLLER, "getStackAccessControlContext", "*", null),
    ("java/util/Locale", "getDefault", "*", locale),
    ("java/nio/charset/Charset", "defaultCharset", "*", of_machine),
    ("java/lang/Thread", "activeCount", "*", of_machine),
    (
        "java/text/DecimalFormatSymbols",
        "getInstance",
        "(Ljava/util/Locale;)Ljava/text/DecimalFormatSymbols;",
        symbols,
    ),
    ("java/util/Scanner", "<init>", "*", scanner),
    ("java/util/Scanner", "useLocale", "*", scanner_locale),
    ("java/lang/ref/Reference", "clear0", "*", clear_reference),
    ("java/lang/ref/Reference", "refersTo0", "*", refers_to),
    ("java/lang/ref/Finalizer", "register", "*", nothing),
];

pub(super) fn null(_: &mut Call) -> Result<Done, Trap> {
    Ok(Done::Value(Value::Null))
}

/// The JDK's own libraries are what natives stand for.
fn library(call: &mut Call) -> Result<Done, Trap> {
    match call.state.top().is_some_and(|frame| frame.method.user) {
        true => Err(Trap::unsupported("a library of natives", "explore code without it")),
        false => Ok(Done::Void),
    }
}

/// Which ciphers and lengths of keys are allowed stands in files of the JDK that are not read.
fn policy(_: &mut Call) -> Result<Done, Trap> {
    Err(Trap::unsupported("the policy of ciphers", "explore code that does not encrypt"))
}

fn memory(call: &mut Call) -> Result<Done, Trap> {
    if is_called_by_program(call) {
        call.jvm.note_chosen_value(call.state);
    }
    Ok(Done::Value(Value::Long(1 << 30)))
}

/// The program asks for what other machines have, too. What the JDK's own code asks for it asks in order to
/// start.
fn note_if_asked(call: &mut Call) {
    if is_called_by_program(call) {
        call.jvm.note_machine(call.state);
    }
}

/// The JDK's own code answers, which depends on the machine or its settings.
fn of_machine(call: &mut Call) -> Result<Done, Trap> {
    note_if_asked(call);
    call.interpret()
}

/// Nanoseconds since the start of the path, as natives see them.
fn ticks(call: &mut Call) -> i64 {
    // The salt of immutable sets comes from the clock, too: few programs see it.
    let is_salt =
        call.state.top().is_some_and(|frame| &*frame.method.name == "<clinit>" && !frame.method.user);
    if !is_salt && call.state.frames.iter().any(|frame| frame.method.user) {
        call.jvm.note_chosen_value(call.state);
    }
    let now = call.state.slot("ticks").and_then(Value::as_long).unwrap_or(0) + 1000;
    call.state.set_slot("ticks", Value::Long(now));
    now
}

/// Nanoseconds since a time that the caller gives in seconds.
fn nano_time_adjustment(call: &mut Call) -> Result<Done, Trap> {
    ticks(call);
    Ok(Done::Value(Value::Long(0)))
}

fn exit(call: &mut Call, index: usize) -> Result<Done, Trap> {
    let code = call.int(index)?;
    Err(Trap::End(Box::new(Ending::Exited(code))))
}

fn set_stream(call: &mut Call, name: &str) -> Result<Done, Trap> {
    let (system, stream) = (call.method.class, call.args[0]);
    call.set_static_field(system, name, stream);
    Ok(Done::Void)
}

/// What the program has set comes first.
fn system_property(call: &mut Call) -> Result<Done, Trap> {
    let table = call.static_field(call.method.class, "props");
    let Value::Ref(_) = table else { return property(call, 0) };
    let class = call.class_named("java/util/Properties")?;
    let descriptor = call.method.descriptor.clone();
    let method = call.method_named(class, "getProperty", &descriptor)?;
    Ok(Done::Tail { method, args: [table].into_iter().chain(call.args.iter().copied()).collect() })
}

/// A property of a table. That of all properties has only those that the program has set; the others are
/// known here.
fn from_table(call: &mut Call) -> Result<Done, Trap> {
    let system = call.class_named(SYSTEM)?;
    if call.args[0] != call.static_field(system, "props") || call.args[1] == Value::Null {
        return call.interpret();
    }
    match call.interpret()? {
        Done::Tail { method, args } => {
            Ok(Done::Call { method, args, then: from_system, saved: call.args.to_vec() })
        }
        other => Ok(other),
    }
}

fn from_system(call: &mut Call, found: Option<Value>) -> Result<Done, Trap> {
    match found {
        Some(Value::Ref(text)) => Ok(Done::Value(Value::Ref(text))),
        _ => property(call, 1),
    }
}

fn is_called_by_program(call: &Call) -> bool {
    let caller = call.state.frames.iter().rev().find(|frame| frame.method.code().is_some());
    caller.is_some_and(|frame| frame.method.user)
}

/// `Boolean.getBoolean` and its like read a property for the program.
fn is_called_by_getter(call: &Call) -> bool {
    let mut callers = call.state.frames.iter().rev().filter(|frame| frame.method.code().is_some());
    let is_getter = |name: &str| matches!(name, "java/lang/Boolean" | "java/lang/Integer" | "java/lang/Long");
    let getter = callers.find(|frame| !is_getter(&frame.method.class_name));
    getter.is_some_and(|frame| frame.method.user)
}

/// The JDK looks for services that programs may add to its own: there are none.
fn services(call: &mut Call) -> Result<Done, Trap> {
    if is_called_by_program(call) {
        return Err(Trap::unsupported("services", "classes are not in modules here; make the object itself"));
    }
    Ok(Done::Value(Value::Ref(call.blank_named("java/util/ServiceLoader")?)))
}

fn no_services(call: &mut Call) -> Result<Done, Trap> {
    let class = call.class_named("java/util/Collections")?;
    call.init(class)?;
    let method = call.method_named(class, "emptyIterator", "()Ljava/util/Iterator;")?;
    Ok(Done::Tail { method, args: Vec::new() })
}

fn system_loader(call: &mut Call) -> Result<Done, Trap> {
    match is_called_by_program(call) {
        true => Err(Trap::unsupported("a class loader", "name the class itself")),
        false => Ok(Done::Value(Value::Null)),
    }
}

/// Prefixes of properties that a JVM has, or may have, beyond those that are known here.
const OF_THE_JVM: [&str; 6] = ["java.", "sun.", "jdk.", "user.", "os.", "native."];

/// The key is argument `at`, the default for an unknown key the argument after it.
fn property(call: &mut Call, at: usize) -> Result<Done, Trap> {
    if call.args[at] == Value::Null {
        return Err(Trap::throw("java/lang/NullPointerException", "key can't be null"));
    }
    let key = String::from_utf16_lossy(&call.text_argument(at)?);
    let is_asked_by_program = is_called_by_program(call);
    if is_asked_by_program || is_called_by_getter(call) {
        call.jvm.note_machine(call.state);
    }
    let default = call.args.get(at + 1).copied().unwrap_or(Value::Null);
    let value = match key.as_str() {
        "" => return Err(Trap::throw("java/lang/IllegalArgumentException", "key can't be empty")),
        "line.separator" => "\n",
        "file.separator" => "/",
        "path.separator" => ":",
        "file.encoding" | "native.encoding" | "sun.jnu.encoding" | "stdout.encoding" | "stderr.encoding" => {
            "UTF-8"
        }
        "user.language" => "en",
        // Tests run in this zone, whatever that of the machine is.
        "user.timezone" => {
            call.jvm.note_bound(call.state, crate::narrowed::InputBound::Environment);
            "UTC"
        }
        "os.name" => "Linux",
        "os.arch" => "amd64",
        "java.home" => {
            let home = call.jvm.java_home().map(|home| home.to_string_lossy().into_owned());
            return call.done_text(home.as_deref().unwrap_or("/"));
        }
        "java.version" | "java.specification.version" => {
            let jdk = call.jvm.jdk().map(|jdk| (jdk.version.clone(), jdk.feature.to_string()));
            let (version, feature) = jdk.unwrap_or_default();
            return call.done_text(if key == "java.version" { &version } else { &feature });
        }
        // No JVM has them, unless somebody sets them.
        "java.awt.fonts"
        | "java.awt.graphicsenv"
        | "java.awt.headless"
        | "java.awt.printerjob"
        | "java.compiler"
        | "java.endorsed.dirs"
        | "java.ext.dirs" => return Ok(Done::Value(default)),
        "java.class.version" => {
            let feature = call.jvm.jdk().map_or(0, |jdk| jdk.feature);
            return call.done_text(&format!("{}.0", feature + 44));
        }
        known if is_asked_by_program && OF_THE_JVM.iter().any(|prefix| known.starts_with(prefix)) => {
            // Each JVM has its own: whatever depends on it shows when the test is replayed.
            call.jvm.note_own_choice(call.state);
            let text = call.jvm.new_text(call.state, known);
            return Ok(Done::Value(Value::Ref(text)));
        }
        "user.dir" | "user.home" => "/",
        "java.io.tmpdir" => "/tmp",
        "user.name" => "user",
        "os.version" => "1",
        _ => return Ok(Done::Value(default)),
    };
    call.done_text(value)
}

/// The table of all properties: empty but for what the program puts into it.
fn properties(call: &mut Call) -> Result<Done, Trap> {
    let system = call.method.class;
    call.init(system)?;
    let known = call.static_field(system, "props");
    if known != Value::Null {
        return Ok(Done::Value(known));
    }
    let class = call.class_named("java/util/Properties")?;
    call.init(class)?;
    let method = call.method_named(class, "<init>", "()V")?;
    let table = Value::Ref(call.blank(class));
    Ok(Done::Call { method, args: vec![table], then: made_properties, saved: vec![table] })
}

fn made_properties(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    let system = call.class_named(SYSTEM)?;
    call.set_static_field(system, "props", call.args[0]);
    Ok(Done::Value(call.args[0]))
}

/// `System$2`, through which other packages reach into `java.lang`; made when first asked for.
fn java_lang_access(call: &mut Call) -> Result<Done, Trap> {
    let secrets = call.method.class;
    call.init(secrets)?;
    let access = call.static_field(secrets, "javaLangAccess");
    if access != Value::Null {
        return Ok(Done::Value(access));
    }
    let system = call.class_named(SYSTEM)?;
    call.init(system)?;
    let method = call.method_named(system, "setJavaLangAccess", "()V")?;
    Ok(Done::Call { method, args: Vec::new(), then: made_access, saved: Vec::new() })
}

fn made_access(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    let secrets = call.class_named(SECRETS)?;
    Ok(Done::Value(call.static_field(secrets, "javaLangAccess")))
}

fn initialize(call: &mut Call) -> Result<Done, Trap> {
    let class = call.mirrored(0)?;
    call.init(class)?;
    Ok(Done::Void)
}

fn caller(call: &mut Call) -> Result<Done, Trap> {
    let frames = &call.state.frames;
    let Some(frame) = frames.len().checked_sub(2).and_then(|at| frames.get(at)) else {
        return Ok(Done::Value(Value::Null));
    };
    let class = frame.method.class;
    Ok(Done::Value(call.mirror(class)?))
}

/// There are no restrictions: the action just runs.
fn privileged(call: &mut Call) -> Result<Done, Trap> {
    let action = call.object(0)?;
    let interface = if call.method.descriptor.contains("PrivilegedExceptionAction") {
        "java/security/PrivilegedExceptionAction"
    } else {
        "java/security/PrivilegedAction"
    };
    let method = call.selected(action, interface, "run", "()Ljava/lang/Object;")?;
    Ok(Done::Tail { method, args: vec![Value::Ref(action)] })
}

fn locale(call: &mut Call) -> Result<Done, Trap> {
    note_if_asked(call);
    let class = call.method.class;
    call.init(class)?;
    Ok(Done::Value(call.static_field(class, "ENGLISH")))
}

/// Locales other than English ones and the root have data that is not in the class files.
pub(super) fn require_english(call: &Call, locale: Value) -> Result<(), Trap> {
    let language = locale
        .as_ref()
        .and_then(|locale| call.field(locale, "baseLocale").as_ref())
        .and_then(|base| call.field(base, "language").as_ref())
        .and_then(|language| call.jvm.string_text(call.state, language));
    match language.as_deref() {
        Some("en" | "") => Ok(()),
        _ => Err(Trap::unsupported("the data of a locale", "use Locale.ROOT or Locale.US")),
    }
}

/// The signs of numbers in English.
pub(super) fn symbols(call: &mut Call) -> Result<Done, Trap> {
    require_english(call, call.args[0])?;
    let class = call.method.class;
    call.init(class)?;
    let object = call.blank(class);
    let signs = [
        ("zeroDigit", '0'),
        ("groupingSeparator", ','),
        ("decimalSeparator", '.'),
        ("monetarySeparator", '.'),
        ("monetaryGroupingSeparator", ','),
        ("perMill", '\u{2030}'),
        ("percent", '%'),
        ("digit", '#'),
        ("patternSeparator", ';'),
        ("minusSign", '-'),
        ("exponential", 'E'),
    ];
    for (field, sign) in signs {
        call.set_field(object, field, Value::Int(sign as i32));
    }
    let texts = [
        ("infinity", "\u{221e}"),
        ("NaN", "NaN"),
        ("perMillText", "\u{2030}"),
        ("percentText", "%"),
        ("minusSignText", "-"),
        ("exponentialSeparator", "E"),
    ];
    for (field, text) in texts {
        let text = call.jvm.new_text(call.state, text);
        call.set_field(object, field, Value::Ref(text));
    }
    call.set_field(object, "locale", call.args[0]);
    Ok(Done::Value(Value::Ref(object)))
}

fn scanner(call: &mut Call) -> Result<Done, Trap> {
    if call.method.descriptor.starts_with("(Ljava/lang/String;)")
        || call.method.descriptor.starts_with("(Ljava/lang/Readable;")
    {
        return call.interpret();
    }
    // Bytes that are known are read as they are.
    let of = call.args.get(1).and_then(|source| source.as_ref());
    let class = of.map(|source| call.class(call.state.heap.class_of(source)).name.clone());
    if class.as_deref() == Some("java/io/ByteArrayInputStream") {
        return call.interpret();
    }
    Err(Trap::unsupported("java.util.Scanner over a stream", "give the method its input as parameters"))
}

/// Patterns for numbers in English; the JDK takes them from data that is not in the class files.
fn scanner_locale(call: &mut Call) -> Result<Done, Trap> {
    let scanner = call.object(0)?;
    require_english(call, call.args[1])?;
    call.set_field(scanner, "locale", call.args[1]);
    let patterns = [
        ("groupSeparator", "\\,"),
        ("decimalSeparator", "\\."),
        ("nanString", "\\QNaN\\E"),
        ("infinityString", "\\Q\u{221e}\\E"),
        ("positivePrefix", ""),
        ("positiveSuffix", ""),
        ("negativePrefix", "\\-"),
        ("negativeSuffix", ""),
    ];
    for (field, pattern) in patterns {
        let pattern = call.jvm.new_text(call.state, pattern);
        call.set_field(scanner, field, Value::Ref(pattern));
    }
    Ok(Done::Value(call.args[0]))
}

fn clear_reference(call: &mut Call) -> Result<Done, Trap> {
    let reference = call.object(0)?;
    call.set_field(reference, "referent", Value::Null);
    Ok(Done::Void)
}

fn refers_to(call: &mut Call) -> Result<Done, Trap> {
    let reference = call.object(0)?;
    let same = call.field(reference, "referent").same(call.args[1]);
    Ok(Done::Value(Value::boolean(same)))
}
