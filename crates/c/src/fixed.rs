//! Values that a user fixes: `n=5`, `text="ab\n"`, `keys={1, 2}`, `list={value: 3, next: {value: 0, next:
//! list}}`.
//!
//! They are written as reports show them. A value becomes settings of single inputs by name, as the machine
//! names them: `keys[1]` is 2, `list->value` is 3, `list->next->next` is the object of `list`.

use evergreen_wasm::Fixed;

/// The settings of one value, or what is wrong with it.
pub(crate) fn read(name: &str, text: &str) -> Result<Vec<(String, Fixed)>, String> {
    let mut reader = Reader { text, at: 0, all: Vec::new() };
    reader.value(&[name.to_string()])?;
    reader.space();
    match reader.rest() {
        "" => Ok(reader.all),
        rest => Err(format!("\"{rest}\" is not expected behind the value of {name}")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    all: Vec<(String, Fixed)>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn takes(&mut self, sign: char) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    fn word(&mut self) -> &'t str {
        self.space();
        let rest = self.rest();
        // An arrow belongs to a way, and a sign to a number.
        let end = rest.find([',', '}', ']', ':']).map_or(rest.len(), |end| match rest[..end].find('[') {
            // `list[1].next`
            Some(open) if rest[open..].find(']') == Some(end - open) => {
                let from = end + 1;
                rest[from..].find([',', '}', ']', ':']).map_or(rest.len(), |more| from + more)
            }
            _ => end,
        });
        self.at += end;
        rest[..end].trim()
    }

    /// A value; inputs that it is about may have several names, one of which exists.
    fn value(&mut self, names: &[String]) -> Result<(), String> {
        self.space();
        let set = |all: &mut Vec<(String, Fixed)>, what: Fixed| {
            all.extend(names.iter().map(|name| (name.clone(), what.clone())));
        };
        match self.rest().chars().next() {
            Some('"') => {
                let bytes = self.bytes()?;
                self.row(names, bytes.iter().map(|byte| i64::from(*byte)).collect());
                // An argument ends at its first zero.
                let behind = names.iter().map(|name| (format!("{name}[{}]", bytes.len()), Fixed::Number(0)));
                self.all.extend(behind);
            }
            Some('{') => self.braces(names)?,
            Some('[') => {
                self.at += 1;
                let mut count = 0;
                while !self.takes(']') {
                    let elements: Vec<String> = names.iter().map(|name| format!("{name}[{count}]")).collect();
                    self.value(&elements)?;
                    count += 1;
                    if !self.takes(',') && !self.rest().trim_start().starts_with(']') {
                        return Err(format!("a list is not closed: \"{}\"", self.text));
                    }
                }
                self.sized(names, count);
            }
            _ => {
                let word = self.word();
                set(&mut self.all, scalar(word).ok_or_else(|| format!("\"{word}\" is no value"))?);
            }
        }
        Ok(())
    }

    /// Numbers in a row, or the fields of an object.
    fn braces(&mut self, names: &[String]) -> Result<(), String> {
        self.at += 1;
        let (mut numbers, mut is_record) = (Vec::new(), false);
        while !self.takes('}') {
            let start = self.at;
            let word = self.word();
            if self.takes(':') {
                is_record = true;
                let fields = names.iter().flat_map(|name| match name.ends_with(']') {
                    // The first of a row is met without its number.
                    true => {
                        let first = name.strip_suffix("[0]").map(|whole| format!("{whole}->{word}"));
                        vec![Some(format!("{name}.{word}")), first]
                    }
                    false => vec![Some(format!("{name}->{word}")), Some(format!("{name}.{word}"))],
                });
                let fields: Vec<String> = fields.flatten().collect();
                self.value(&fields)?;
            } else {
                match scalar(word) {
                    Some(Fixed::Number(n)) => numbers.push(n),
                    _ => return Err(format!("\"{}\" is no number", &self.text[start..self.at])),
                }
            }
            if !self.takes(',') && !self.rest().trim_start().starts_with('}') {
                return Err(format!("a brace is not closed: \"{}\"", self.text));
            }
        }
        match is_record {
            true => self.sized(names, 1),
            false => self.row(names, numbers),
        }
        Ok(())
    }

    /// A pointer leads to so many elements.
    fn sized(&mut self, names: &[String], count: u32) {
        for name in names {
            self.all.push((name.clone(), Fixed::New(count)));
            self.all.push((format!("{name}.length"), Fixed::Number(count.into())));
        }
    }

    fn row(&mut self, names: &[String], numbers: Vec<i64>) {
        self.sized(names, numbers.len() as u32);
        for name in names {
            let elements = numbers.iter().enumerate();
            self.all.extend(elements.map(|(i, n)| (format!("{name}[{i}]"), Fixed::Number(*n))));
        }
    }

    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        let open = || format!("a text is not closed: {}", self.text);
        let all = self.rest().as_bytes();
        let (mut bytes, mut at) = (Vec::new(), 1);
        loop {
            match all.get(at) {
                None => return Err(open()),
                Some(b'"') => break,
                Some(b'\\') => {
                    let octal: Vec<u8> = all[at + 1..]
                        .iter()
                        .take(3)
                        .copied()
                        .take_while(|b| (b'0'..=b'7').contains(b))
                        .collect();
                    if octal.is_empty() {
                        bytes.push(match all.get(at + 1) {
                            Some(b'n') => b'\n',
                            Some(b't') => b'\t',
                            Some(b'r') => b'\r',
                            Some(other) => *other,
                            None => return Err(open()),
                        });
                        at += 2;
                    } else {
                        bytes.push(octal.iter().fold(0u8, |n, d| n.wrapping_mul(8).wrapping_add(d - b'0')));
                        at += 1 + octal.len();
                    }
                }
                Some(other) => {
                    bytes.push(*other);
                    at += 1;
                }
            }
        }
        self.at += at + 1;
        Ok(bytes)
    }
}

/// A number, null, or the way to an object.
fn scalar(word: &str) -> Option<Fixed> {
    let number = match word.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => word.parse::<i64>().ok().or_else(|| word.parse::<u64>().ok().map(|n| n as i64)),
    };
    if let Some(number) = number {
        return Some(Fixed::Number(number));
    }
    let letter: Vec<char> = word.chars().collect();
    match (word, &letter[..]) {
        ("null" | "NULL", _) => Some(Fixed::Null),
        ("true", _) => Some(Fixed::Number(1)),
        ("false", _) => Some(Fixed::Number(0)),
        (_, ['\'', letter, '\'']) => Some(Fixed::Number(i64::from(u32::from(*letter)))),
        _ => match word.parse::<f64>() {
            Ok(value) => Some(Fixed::Float(value.to_bits())),
            Err(_) if letter.first().is_some_and(|c| c.is_alphabetic() || *c == '_') => {
                Some(Fixed::Same(word.into()))
            }
            Err(_) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, Fixed)]) {
        let all = read("x", text).unwrap_or_else(|e| panic!("{e}"));
        let expected: Vec<(String, Fixed)> =
            expected.iter().map(|(name, what)| (name.to_string(), what.clone())).collect();
        assert_eq!(all, expected, "{text}");
    }

    #[test]
    fn values_are_written_as_reports_show_them() {
        check("-5", &[("x", Fixed::Number(-5))]);
        check("0xff", &[("x", Fixed::Number(255))]);
        check("null", &[("x", Fixed::Null)]);
        check("1.5", &[("x", Fixed::Float(1.5f64.to_bits()))]);
        let row = |n: i64| [("x", Fixed::New(n as u32)), ("x.length", Fixed::Number(n))];
        let mut text = row(3).to_vec();
        text.extend([("x[0]", Fixed::Number(97)), ("x[1]", Fixed::Number(255)), ("x[2]", Fixed::Number(10))]);
        text.push(("x[3]", Fixed::Number(0)));
        check("\"a\\377\\n\"", &text);
        check("{}", &row(0));
        check(
            "{value: 3, next: x}",
            &[
                ("x->value", Fixed::Number(3)),
                ("x.value", Fixed::Number(3)),
                ("x->next", Fixed::Same("x".into())),
                ("x.next", Fixed::Same("x".into())),
                ("x", Fixed::New(1)),
                ("x.length", Fixed::Number(1)),
            ],
        );
        check(
            "[null, x[0]]",
            &[
                ("x[0]", Fixed::Null),
                ("x[1]", Fixed::Same("x[0]".into())),
                ("x", Fixed::New(2)),
                ("x.length", Fixed::Number(2)),
            ],
        );
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for wrong in ["", "{1", "\"a", "{a: }", "[1", "5 6", "@"] {
            assert!(read("x", wrong).is_err(), "{wrong}");
        }
    }
}
