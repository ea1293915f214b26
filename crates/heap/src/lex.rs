//! The text of an invariant as words: names, numbers and operators, each with its offset; comments run
//! from `//` to the line's end.

use crate::diagnostic::Diagnostic;

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word<'a> {
    /// A name or keyword.
    Name(&'a str),
    /// A number.
    Number(i64),
    /// An operator or bracket.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// Longest first, so that `<=>` is not read as `<=` and `>`.
const SIGNS: [&str; 32] = [
    "<=>", "=>", "!in", "!=", "<=", ">=", "&&", "||", "..", "{", "}", "(", ")", ":", ",", ".", "+", "-", "*",
    "^", "~", "&", "=", "<", ">", "!", "%", "#", "[", "]", ";", "?",
];

/// The words of `source`, each with the byte offset where it starts, `End` last.
pub(crate) fn words(source: &str) -> Result<Vec<(usize, Word<'_>)>, Diagnostic> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if first.is_ascii_digit() {
            // `0..5` is a range: a digit run ends at its first dot.
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let value = rest[..length].parse::<i32>().map_err(|_| {
                Diagnostic::at(source, at, format!("number {:?} is too large", &rest[..length]), None)
            })?;
            found.push((at, Word::Number(i64::from(value))));
            at += length;
        } else if first.is_alphabetic() || first == '_' {
            let length =
                rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
            found.push((at, Word::Name(&rest[..length])));
            at += length;
        } else {
            let sign = SIGNS.iter().find(|s| rest.starts_with(**s) && (**s != "!in" || ends_word(rest)));
            let Some(sign) = sign else {
                let message = format!("character {first:?} has no meaning here");
                return Err(Diagnostic::at(source, at, message, None));
            };
            found.push((at, Word::Sign(sign)));
            at += sign.len();
        }
    }
    found.push((source.len(), Word::End));
    Ok(found)
}

/// Whether the `!in` that `rest` starts with is a word of its own, and not the start of `!inner`.
fn ends_word(rest: &str) -> bool {
    !rest[3..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
}
