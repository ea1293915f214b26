//! Concrete values of C programs, as reports and tests have them.

use serde_json::Value;

/// A value of an input or a result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum CValue {
    /// None: what was not looked at.
    #[default]
    Nothing,
    /// An integer.
    Int(i64),
    /// Several integers in a row.
    Ints(Vec<i64>),
    /// A float or double, by the bits of the double.
    Double(u64),
    /// Bytes: a text, mostly.
    Bytes(Vec<u8>),
    /// A null pointer.
    Null,
    /// A pointer to an object that another input has led to: the way to it.
    Way(String),
    /// An object: its fields.
    Record(Vec<(String, CValue)>),
    /// Several objects or pointers in a row.
    List(Vec<CValue>),
}

impl CValue {
    /// As a C program would write it.
    pub fn show(&self) -> String {
        match self {
            CValue::Nothing => "nothing".into(),
            CValue::Int(n) => n.to_string(),
            CValue::Ints(all) => {
                let all: Vec<String> = all.iter().map(i64::to_string).collect();
                format!("{{{}}}", all.join(", "))
            }
            CValue::Double(bits) => {
                let value = f64::from_bits(*bits);
                let is_plain = !value.is_nan() || *bits == f64::NAN.to_bits();
                if is_plain { format!("{value:?}") } else { format!("NaN ({bits:#x})") }
            }
            CValue::Bytes(bytes) => literal(bytes),
            CValue::Null => "null".into(),
            CValue::Way(way) => way.clone(),
            CValue::Record(fields) => {
                let all: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{name}: {}", value.show())).collect();
                format!("{{{}}}", all.join(", "))
            }
            CValue::List(all) => {
                let all: Vec<String> = all.iter().map(CValue::show).collect();
                format!("[{}]", all.join(", "))
            }
        }
    }

    /// As JSON has it; bytes are a text with a character for each, and a pointer to an object that was shown
    /// before is `{"same": WAY}`.
    pub fn json(&self) -> Value {
        match self {
            CValue::Nothing => Value::Null,
            CValue::Int(n) => (*n).into(),
            CValue::Ints(all) => all.clone().into(),
            CValue::Double(bits) => {
                let value = f64::from_bits(*bits);
                serde_json::Number::from_f64(value).map_or(Value::String(self.show()), Value::Number)
            }
            CValue::Bytes(bytes) => bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
            CValue::Null => Value::Null,
            CValue::Way(way) => serde_json::json!({ "same": way }),
            CValue::Record(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), value.json())).collect::<Value>()
            }
            CValue::List(all) => all.iter().map(CValue::json).collect(),
        }
    }

    /// How much there is to read in it.
    pub fn size(&self) -> (usize, u128) {
        match self {
            CValue::Nothing | CValue::Null => (0, 0),
            CValue::Way(_) => (1, 0),
            CValue::Record(fields) => sum(fields.iter().map(|(_, value)| value)),
            CValue::List(all) => sum(all.iter()),
            CValue::Int(n) => (1, n.unsigned_abs().into()),
            CValue::Ints(all) => (all.len(), all.iter().map(|n| u128::from(n.unsigned_abs())).sum()),
            CValue::Double(bits) => (1, f64::from_bits(*bits).abs().min(1e30) as u128),
            CValue::Bytes(bytes) => (bytes.len(), bytes.iter().map(|b| u128::from(*b)).sum()),
        }
    }
}

/// How much there is to read in an object of these.
fn sum<'v>(values: impl Iterator<Item = &'v CValue>) -> (usize, u128) {
    values.map(CValue::size).fold((1, 0), |all, one| (all.0 + one.0, all.1.saturating_add(one.1)))
}

/// Bytes as a literal of C. An octal escape has three digits, so that a digit may follow.
pub(crate) fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'"' | b'\\' => {
                text.push('\\');
                text.push(byte.into());
            }
            b' '..=b'~' => text.push(byte.into()),
            other => text.push_str(&format!("\\{other:03o}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_literals_of_c() {
        assert_eq!(literal(b"a\"\n\0" as &[u8]), "\"a\\\"\\n\\000\"");
        assert_eq!(CValue::Ints(vec![1, -2]).show(), "{1, -2}");
        assert_eq!(CValue::Bytes(vec![255]).json(), "ÿ");
    }
}
