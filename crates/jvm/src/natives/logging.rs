//! `java.util.logging`: loggers are the JDK's own objects, but no configuration is read for them.
//!
//! A JVM reads `logging.properties`, starts a thread for its end, and prints records of the level INFO and
//! above to the error stream, with the time. Tests compare none of that. So a logger here has the usual
//! level, the handlers that the program adds, and no parent: levels, filters, handlers and resource bundles
//! of the program work as they do there.

use super::Row;
use super::objects::nothing;
use crate::native::{Call, Done, Trap};
use crate::value::{Ref, Value};

const LOGGER: &str = "java/util/logging/Logger";
const MANAGER: &str = "java/util/logging/LogManager";

/// The slot with the loggers that have names: an array.
const LOGGERS: &str = "loggers";

pub(crate) const TABLE: &[Row] = &[
    (LOGGER, "getLogger", "*", named),
    (LOGGER, "getAnonymousLogger", "()Ljava/util/logging/Logger;", anonymous),
    (LOGGER, "getGlobal", "*", global),
    (LOGGER, "checkPermission", "*", nothing),
    (LOGGER, "getParent", "*", parent),
    (LOGGER, "getHandlers", "*", handlers),
    (MANAGER, "getLogManager", "*", |_| {
        Err(Trap::unsupported("the configuration of loggers", "explore code that logs only"))
    }),
];

fn global(call: &mut Call) -> Result<Done, Trap> {
    let class = call.method.class;
    call.init(class)?;
    Ok(Done::Value(call.static_field(class, "global")))
}

fn anonymous(call: &mut Call) -> Result<Done, Trap> {
    make(call, Value::Null)
}

fn named(call: &mut Call) -> Result<Done, Trap> {
    if call.args.len() > 1 && call.args[1] != Value::Null {
        return Err(Trap::unsupported("a logger with a resource bundle", ""));
    }
    let name = call.text_argument(0)?;
    for logger in known(call) {
        if let Value::Ref(other) = call.field(logger, "name")
            && call.jvm.string_units(call.state, other).as_ref() == Some(&name)
        {
            return Ok(Done::Value(Value::Ref(logger)));
        }
    }
    make(call, call.args[0])
}

fn known(call: &Call) -> Vec<Ref> {
    let Some(Value::Ref(array)) = call.state.slot(LOGGERS) else { return Vec::new() };
    call.state.heap.get(array).body.values().into_iter().filter_map(Value::as_ref).collect()
}

fn make(call: &mut Call, name: Value) -> Result<Done, Trap> {
    let class = call.class_named(LOGGER)?;
    call.init(class)?;
    let descriptor =
        "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Module;Ljava/util/logging/LogManager;Z)V";
    let method = call.method_named(class, "<init>", descriptor)?;
    let logger = Value::Ref(call.blank(class));
    let args = vec![logger, name, Value::Null, Value::Null, Value::Null, Value::Int(0)];
    Ok(Done::Call { method, args, then: made, saved: vec![logger] })
}

fn made(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    let Value::Ref(logger) = call.args[0] else { return Ok(Done::Void) };
    if call.field(logger, "name") != Value::Null {
        let class = call.class_named(LOGGER)?;
        let before = known(call);
        let array = call.make_array(class, before.len() + 1)?;
        for (at, other) in before.into_iter().chain([logger]).enumerate() {
            call.state.heap.store(array, at, Value::Ref(other));
        }
        call.state.set_slot(LOGGERS, Value::Ref(array));
    }
    Ok(Done::Value(Value::Ref(logger)))
}

/// The program would see the root logger, which has a handler.
fn parent(call: &mut Call) -> Result<Done, Trap> {
    if call.state.top().is_some_and(|frame| frame.method.user) {
        return Err(Trap::unsupported("the root logger", "explore code that logs only"));
    }
    call.interpret()
}

fn handlers(call: &mut Call) -> Result<Done, Trap> {
    let logger = call.object(0)?;
    let is_root = match call.field(logger, "name") {
        Value::Ref(name) => call.jvm.string_units(call.state, name).is_some_and(|name| name.is_empty()),
        _ => false,
    };
    if is_root && call.state.top().is_some_and(|frame| frame.method.user) {
        return Err(Trap::unsupported("the handlers of the root logger", "explore code that logs only"));
    }
    call.interpret()
}
