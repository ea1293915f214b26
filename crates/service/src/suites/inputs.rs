//! Inputs in a file of JSON, as seeds: `--tests inputs.json`.
//!
//! The file holds tests as objects, in an array or one after the other: what is called and its inputs by
//! name. So the lines that `explore --json` prints are such a file, too: of lines with an event only paths
//! count. What values a test can have is the language's ([`Language::case_of_json`]). docs/concolic.md shows
//! it.

use super::Program;
use crate::Language;
use evergreen_suite::{MethodTests, Suite, Test};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What a test is, for messages.
const TEST: &str = "a test is an object as {\"method\": \"Shop.total\", \"inputs\": {\"pieces\": 3}}";

/// The suites of a file, by unit.
///
/// # Errors
/// With file and test: the text is no JSON, or a test does not fit what is explored.
pub fn read_inputs<L: Language>(
    file: &Path,
    program: &dyn Program<L>,
    entries: &[L::Entry],
) -> Result<BTreeMap<String, Suite<L>>, String> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| format!("{name}: {e}"))?;
    let mut suites: BTreeMap<String, Suite<L>> = BTreeMap::new();
    for (at, value) in tests(&text).map_err(|e| format!("{name}:{e}"))?.into_iter().enumerate() {
        let number = at + 1;
        let wrong = |what: String| format!("{name}: test {number}: {what}");
        let Some((entry, inputs)) = one::<L>(&value, entries).map_err(wrong)? else { continue };
        let target = Arc::new(program.target(entry));
        let case = L::case_of_json(entry, &target, inputs).map_err(wrong)?;
        let unit = L::unit(&target).to_string();
        let suite = suites.entry(unit.clone()).or_insert_with(|| Suite::of_class(&unit));
        let test = Test::new(format!("test{number}"), case, None);
        match suite.methods.iter_mut().find(|own| *own.target == *target) {
            Some(own) => own.tests.push(test),
            None => suite.methods.push(MethodTests { target, tests: vec![test], comments: Vec::new() }),
        }
    }
    if suites.is_empty() {
        return Err(format!("{name}: no tests of what is explored\nhelp: {TEST}"));
    }
    Ok(suites)
}

/// The values of a text: one after the other, those of an array by themselves.
fn tests(text: &str) -> Result<Vec<Value>, String> {
    let mut all = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.map_err(|e| {
            let what = e.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            format!("{}:{}: {what}", e.line(), e.column())
        })?;
        match value {
            Value::Array(items) => all.extend(items),
            other => all.push(other),
        }
    }
    Ok(all)
}

/// What a test calls, and its inputs; none if it is of another event or of what is not explored.
#[allow(clippy::type_complexity)] // an entry and a map
fn one<'a, L: Language>(
    value: &'a Value,
    entries: &'a [L::Entry],
) -> Result<Option<(&'a L::Entry, &'a Map<String, Value>)>, String> {
    let Some(test) = value.as_object() else {
        return Err(format!("{} is no test\nhelp: {TEST}", shown(value)));
    };
    let is_printed = match test.get("event") {
        None => false,
        Some(event) if event == "path" => true,
        Some(_) => return Ok(None),
    };
    let known = |name: &&String| ["method", "function", "inputs", "name"].contains(&name.as_str());
    if let Some(odd) = test.keys().find(|name| !is_printed && !known(name)) {
        return Err(format!("\"{odd}\" means nothing here\nhelp: {TEST}"));
    }
    let inputs = match test.get("inputs") {
        Some(Value::Object(inputs)) => inputs,
        Some(other) => return Err(format!("its inputs are {}, no object\nhelp: {TEST}", shown(other))),
        None => return Err(format!("it has no \"inputs\"\nhelp: {TEST}")),
    };
    let called = match test.get("method").or_else(|| test.get("function")) {
        Some(Value::String(called)) => Some(called.as_str()),
        Some(other) => return Err(format!("{} names no {}\nhelp: {TEST}", shown(other), L::FUNCTION)),
        None => None,
    };
    let found: Vec<&L::Entry> = entries
        .iter()
        .filter(|entry| called.is_none_or(|called| is_called(&entry.to_string(), called)))
        .collect();
    match (&found[..], called) {
        ([entry], _) => Ok(Some((entry, inputs))),
        ([], Some(_)) if is_printed => Ok(None),
        ([], called) => {
            let all: Vec<String> = entries.iter().map(ToString::to_string).collect();
            let called = called.unwrap_or_default();
            Err(format!("no {} \"{called}\" is explored\nhelp: there are {}", L::FUNCTION, all.join(", ")))
        }
        (several, _) => {
            let all: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(format!(
                "it may call several\nhelp: say which with \"{}\": one of {}",
                L::FUNCTION,
                all.join(", ")
            ))
        }
    }
}

/// Whether a name is that of an entry: all of it, without its parameters, or its last part.
fn is_called(entry: &str, called: &str) -> bool {
    let plain = entry.split('(').next().unwrap_or(entry);
    let last = plain.rsplit(['.', ':']).next().unwrap_or(plain);
    let named = plain.rsplit(['.', '/']).take(2).collect::<Vec<_>>();
    let short = named.iter().rev().copied().collect::<Vec<_>>().join(".");
    [entry, plain, last, &short].contains(&called)
}

/// A value in a message.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_in_arrays_or_one_after_the_other() {
        let two = tests("[{\"inputs\": {}}, {\"inputs\": {}}]").expect("tests");
        assert_eq!(two, tests("{\"inputs\": {}}\n{\"inputs\": {}}\n").expect("tests"));
        assert_eq!(tests("[{}\n, }").expect_err("no JSON"), "2:3: expected value");
    }

    #[test]
    fn entries_have_long_and_short_names() {
        let is = |called| is_called("shop.Cart.total(int, int)", called);
        assert!(["shop.Cart.total(int, int)", "shop.Cart.total", "Cart.total", "total"].into_iter().all(is));
        assert!(!["art.total", "Cart", "total(int)"].into_iter().any(is));
        assert!(is_called("check:main", "main"));
    }
}
