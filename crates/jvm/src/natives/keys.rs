//! Lookups of a string that is an input in maps whose keys are known, and the tables of concurrent maps.
//!
//! A map goes from the hash code of a key to a place in its table. Hash codes are polynomials in the
//! characters, which no solver likes to invert, and a table of a thousand places would be a path for each.
//! So the string is compared with the texts that the map has: a path for each that it can be, and one for
//! none of them, as for a `switch` on a string (`switches.rs`). A string equals no object of another class.
//! A map that has symbolic texts as keys is followed as the JDK has written it.
//!
//! `ConcurrentHashMap` reads and writes its table by addresses of memory. What is known of the tables of
//! `HashMap` (`crate::step`) holds for it as well, so its three accesses to the table are done as those are.

use evergreen_symbolic::Cond;

use super::Row;
use super::switches::is_text;
use crate::classes::Method;
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::value::{Ref, Value};

/// Maps with more texts as keys are followed as the JDK has written them.
const MOST_KEYS: usize = 512;

const CONCURRENT: &str = "java/util/concurrent/ConcurrentHashMap";

pub(crate) const TABLE: &[Row] = &[
    ("java/util/HashMap", "getNode", "(Ljava/lang/Object;)Ljava/util/HashMap$Node;", hash_node),
    (CONCURRENT, "get", "(Ljava/lang/Object;)Ljava/lang/Object;", concurrent_value),
    ("sun/util/PreHashedMap", "get", "(Ljava/lang/Object;)Ljava/lang/Object;", prepared_value),
    (CONCURRENT, "tabAt", "*", table_at),
    (CONCURRENT, "casTabAt", "*", exchange_at),
    (CONCURRENT, "setTabAt", "*", set_at),
];

/// Whether a native is an access of a concurrent map to its table.
pub(crate) fn keeps_table(method: &Method) -> bool {
    matches!(&*method.name, "tabAt" | "casTabAt" | "setTabAt") && &*method.class_name == CONCURRENT
}

/// The known texts among the keys of a map, each with what the map has for it.
type Keys = Vec<(Vec<u16>, Value)>;

fn hash_node(call: &mut Call) -> Result<Done, Trap> {
    look_up(call, |call, map| {
        let mut keys = Keys::new();
        for first in references(call, map, "table")? {
            chain(call, first, "java/util/HashMap$", &mut keys, Value::Ref)?;
        }
        Some(keys)
    })
}

fn concurrent_value(call: &mut Call) -> Result<Done, Trap> {
    look_up(call, |call, map| {
        let mut keys = Keys::new();
        for node in references(call, map, "table")? {
            let first = match &*call.class(call.state.heap.class_of(node)).name {
                "java/util/concurrent/ConcurrentHashMap$Node" => node,
                "java/util/concurrent/ConcurrentHashMap$TreeBin" => call.field(node, "first").as_ref()?,
                _ => return None,
            };
            chain(call, first, CONCURRENT, &mut keys, |node| call.field(node, "val"))?;
        }
        Some(keys)
    })
}

/// A map that never changes: a place of its table holds key, value and the next such row.
fn prepared_value(call: &mut Call) -> Result<Done, Trap> {
    look_up(call, |call, map| {
        let mut keys = Keys::new();
        for first in references(call, map, "ht")? {
            let mut row = Some(first);
            while let Some(here) = row {
                let Body::Refs(items) = &call.state.heap.get(here).body else { return None };
                if let Some(text) = known_text(call, *items.first()?)? {
                    keys.push((text, *items.get(1)?));
                }
                row = items.get(2).and_then(|next| next.as_ref());
            }
        }
        Some(keys)
    })
}

/// What a map has for a key that is a string of the input, or null; its own code for all other keys.
fn look_up(call: &mut Call, keys: impl Fn(&Call, Ref) -> Option<Keys>) -> Result<Done, Trap> {
    let (Some(&Value::Ref(map)), Some(&Value::Ref(key))) = (call.args.first(), call.args.get(1)) else {
        return call.interpret();
    };
    let is_input = Some(call.state.heap.class_of(key)) == call.jvm.known.string
        && call.jvm.rope(call.state, key).is_some();
    let keys = if is_input { keys(call, map).filter(|keys| keys.len() <= MOST_KEYS) } else { None };
    let Some(keys) = keys else { return call.interpret() };
    let (mut arms, mut none) = (Vec::with_capacity(keys.len() + 1), Cond::TRUE);
    for (text, _) in &keys {
        let Some(same) = is_text(call, key, text) else { return call.interpret() };
        arms.push(same);
        none = call.exprs().and(none, same.negated());
    }
    arms.push(none);
    let chosen = call.choose(&arms)?;
    Ok(Done::Value(keys.get(chosen).map_or(Value::Null, |(_, value)| *value)))
}

/// The objects in an array that a field holds; none in a field that is null. `None` if some are not known.
fn references(call: &Call, object: Ref, field: &str) -> Option<Vec<Ref>> {
    let Value::Ref(array) = call.field(object, field) else { return Some(Vec::new()) };
    let Body::Refs(items) = &call.state.heap.get(array).body else { return None };
    let known = items.iter().all(|item| matches!(item, Value::Ref(_) | Value::Null));
    known.then(|| items.iter().filter_map(|item| item.as_ref()).collect())
}

/// Adds the keys of a chain of nodes, whose classes have names that begin so.
fn chain(
    call: &Call,
    first: Ref,
    classes: &str,
    keys: &mut Keys,
    value: impl Fn(Ref) -> Value,
) -> Option<()> {
    let mut node = Some(first);
    while let Some(here) = node {
        let class = call.class(call.state.heap.class_of(here));
        // A `LinkedHashMap` has nodes of its own.
        if !class.name.starts_with(classes) && !class.name.starts_with("java/util/LinkedHashMap$") {
            return None;
        }
        if let Some(text) = known_text(call, call.field(here, "key"))? {
            keys.push((text, value(here)));
        }
        node = match call.field(here, "next") {
            Value::Null => None,
            Value::Ref(next) => Some(next),
            _ => return None,
        };
    }
    Some(())
}

/// The text of a key, if it is a string; `None` if its characters are not known.
#[allow(clippy::option_option, reason = "what is not known is no answer")]
fn known_text(call: &Call, key: Value) -> Option<Option<Vec<u16>>> {
    let Value::Ref(key) = key else { return (key == Value::Null).then_some(None) };
    if Some(call.state.heap.class_of(key)) != call.jvm.known.string {
        return Some(None);
    }
    let unit = |value: &Value| match value {
        Value::Int(unit) => u16::try_from(*unit).ok(),
        _ => None,
    };
    Some(Some(call.jvm.units(call.state, key)?.iter().map(unit).collect::<Option<Vec<u16>>>()?))
}

/// The table and the place of an access of a concurrent map, if it is symbolic, or other places were written
/// at symbolic ones.
fn open_place(call: &Call) -> Option<(Ref, evergreen_symbolic::Expr)> {
    let (Value::Ref(table), index) = (call.args[0], call.args[1]) else { return None };
    let is_written = match &call.state.heap.get(table).body {
        Body::Refs(items) if !items.contains(&Value::Unset) => false,
        Body::Written(_) => true,
        _ => return None,
    };
    match index {
        Value::Sym(place) => Some((table, place)),
        Value::Int(at) if is_written => Some((table, call.jvm.place_in(usize::try_from(at).ok()?))),
        _ => None,
    }
}

fn table_at(call: &mut Call) -> Result<Done, Trap> {
    let Some((table, place)) = open_place(call) else { return call.interpret() };
    let found = call.jvm.read_table(call.state, table, place).map_err(|trap| *trap)?;
    Ok(Done::Value(found))
}

fn exchange_at(call: &mut Call) -> Result<Done, Trap> {
    let Some((table, place)) = open_place(call) else { return call.interpret() };
    let found = call.jvm.read_table(call.state, table, place).map_err(|trap| *trap)?;
    let is_same = found.same(call.args[2]);
    if is_same {
        call.jvm.write_table(call.state, table, place, call.args[3]);
    }
    Ok(Done::Value(Value::boolean(is_same)))
}

fn set_at(call: &mut Call) -> Result<Done, Trap> {
    let Some((table, place)) = open_place(call) else { return call.interpret() };
    call.jvm.write_table(call.state, table, place, call.args[2]);
    Ok(Done::Void)
}
