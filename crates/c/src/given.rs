//! Inputs of a C program from JSON: numbers, bytes as texts, and arrays of integers.

use crate::case::{Case, Drawn, Target};
use crate::harness::{Parameter, ParameterKind};
use crate::language::Function;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Widths that can be named, in bytes, and whether they are of floats.
const WIDTHS: [(&str, u8, bool); 6] = [
    ("int8", 1, false),
    ("int16", 2, false),
    ("int32", 4, false),
    ("int64", 8, false),
    ("float32", 4, true),
    ("float64", 8, true),
];

/// A test: what the harness or the parameters draw by name, and `arg1`, `stdin`, `env.NAME`, `file.NAME`.
pub(crate) fn case(
    function: &Function,
    target: &Arc<Target>,
    inputs: &Map<String, Value>,
) -> Result<Case, String> {
    let mut case = Case::new(target.clone());
    for parameter in &function.parameters {
        if !inputs.contains_key(&parameter.name) {
            let all: Vec<&str> = function.parameters.iter().map(|own| own.name.as_str()).collect();
            let (name, all) = (&parameter.name, all.join(", "));
            return Err(format!("no value for \"{name}\"\nhelp: the parameters of {function} are {all}"));
        }
    }
    for (name, given) in inputs {
        let wrong = |what: String| format!("input \"{name}\": {what}");
        let parameter = function.parameters.iter().find(|own| own.name == *name);
        match name.split_once('.') {
            None if name == "stdin" && parameter.is_none() => case.stdin = Some(bytes(given).map_err(wrong)?),
            Some(("env", own)) => case.env.push((own.into(), bytes(given).map_err(wrong)?)),
            Some(("file", own)) => case.files.push((own.into(), bytes(given).map_err(wrong)?)),
            _ if argument(name).is_some() && parameter.is_none() => {
                let at = argument(name).unwrap_or(1);
                case.args.resize(case.args.len().max(at), Vec::new());
                case.args[at - 1] = bytes(given).map_err(wrong)?;
            }
            _ => case.draws.push(draw(name, given, parameter).map_err(wrong)?),
        }
    }
    Ok(case)
}

/// The number of an argument: 2 of `arg2`.
fn argument(name: &str) -> Option<usize> {
    name.strip_prefix("arg")?.parse().ok().filter(|at| (1..=1000).contains(at))
}

/// Each character of a text is a byte; those beyond a byte are as UTF-8 has them.
fn bytes(given: &Value) -> Result<Vec<u8>, String> {
    let Value::String(text) = given else { return Err(format!("{given} is no text")) };
    let byte = |c: char| match u8::try_from(u32::from(c)) {
        Ok(byte) => vec![byte],
        Err(_) => c.to_string().into_bytes(),
    };
    Ok(text.chars().flat_map(byte).collect())
}

fn draw(name: &str, given: &Value, parameter: Option<&Parameter>) -> Result<Drawn, String> {
    if parameter.is_some_and(|own| !matches!(own.kind, ParameterKind::Integer(..) | ParameterKind::Float(_)))
    {
        return Err(format!(
            "{given} cannot be what it points to\nhelp: JSON has numbers and texts; pointers are in the \
             tests of a suite"
        ));
    }
    let float = |width: &u8| (*width, true);
    let wanted = match parameter.map(|own| &own.kind) {
        Some(ParameterKind::Float(width)) => Some(float(width)),
        Some(ParameterKind::Integer(width, _)) => Some((*width, false)),
        _ => None,
    };
    let (bytes, (width, float)) = match given {
        Value::String(_) => (bytes(given)?, (1, false)),
        Value::Number(n) => {
            // Of a draw the program says the width: the lowest bytes count.
            let of = wanted.unwrap_or(if n.is_f64() { (8, true) } else { (8, false) });
            (element(given, of, wanted.is_some())?, of)
        }
        Value::Array(items) => (elements(items, (4, false))?, (4, false)),
        Value::Object(typed) => typed_elements(given, typed)?,
        _ => return Err(format!("{given} is no number and no text")),
    };
    Ok(Drawn { name: name.into(), bytes, width, float, points: None, fields: Vec::new() })
}

/// `{"int16": [1, 2]}`
fn typed_elements(given: &Value, typed: &Map<String, Value>) -> Result<(Vec<u8>, (u8, bool)), String> {
    let named = typed.iter().next().filter(|_| typed.len() == 1);
    let found = named.and_then(|(name, value)| {
        let (_, width, float) = WIDTHS.iter().find(|(own, ..)| own == name)?;
        Some((value, (*width, *float)))
    });
    let Some((value, of)) = found else {
        let all = WIDTHS.map(|(name, ..)| name).join(", ");
        return Err(format!("{given} has no width\nhelp: write {{\"int16\": [1, 2]}}, with one of {all}"));
    };
    let bytes = match value {
        Value::Array(items) => elements(items, of)?,
        one => element(one, of, true)?,
    };
    Ok((bytes, of))
}

fn elements(items: &[Value], of: (u8, bool)) -> Result<Vec<u8>, String> {
    let all: Vec<Vec<u8>> = items.iter().map(|item| element(item, of, true)).collect::<Result<_, _>>()?;
    Ok(all.concat())
}

/// The bytes of a number, the lowest first.
fn element(given: &Value, (width, float): (u8, bool), checked: bool) -> Result<Vec<u8>, String> {
    let bits = 8 * u32::from(width);
    if float {
        let n = given.as_f64().ok_or_else(|| format!("{given} is no number"))?;
        return Ok(if width == 4 { (n as f32).to_le_bytes().to_vec() } else { n.to_le_bytes().to_vec() });
    }
    let wide = given.as_i64().map(i128::from).or_else(|| given.as_u64().map(i128::from));
    let n = wide.ok_or_else(|| format!("{given} is no integer"))?;
    let (least, greatest) = (-(1i128 << (bits - 1)), (1i128 << bits) - 1);
    if checked && !(least..=greatest).contains(&n) {
        return Err(format!("{n} has more than {bits} bits"));
    }
    Ok(n.to_le_bytes()[..usize::from(width)].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_have_the_bytes_that_the_program_reads() {
        let drawn = |given: Value| draw("x", &given, None).map(|drawn| (drawn.bytes, drawn.width));
        assert_eq!(drawn(json!(258)), Ok((vec![2, 1, 0, 0, 0, 0, 0, 0], 8)));
        assert_eq!(drawn(json!({ "int16": [1, -1] })), Ok((vec![1, 0, 255, 255], 2)));
        assert_eq!(drawn(json!("a\u{ff}")), Ok((vec![97, 255], 1)));
        assert_eq!(drawn(json!({ "int8": [256] })), Err("256 has more than 8 bits".into()));
        assert!(drawn(json!({ "int7": 1 })).expect_err("no width").contains("int16"));
        assert_eq!(drawn(json!([1])), Ok((vec![1, 0, 0, 0], 4)));
    }
}
