//! A strict reader of what solvers print.
//!
//! An answer is accepted only when the whole reply has the form that was asked for. Any other reply (an
//! error, a warning, half a line, two verdicts) is an error value with the text in it: z3 continues after an
//! error, so the `sat` that follows a refused assertion is the answer to another question.
//!
//! Nothing here builds a tree or recurses: a value can be a chain of a million `store`s.

use crate::error::{SolverError, excerpt};
use crate::problem::Verdict;

/// The top-level s-expressions of a text, as they are written; white space and comments between them are
/// passed over. `None` when the text is not a sequence of complete s-expressions.
pub fn expressions(text: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut at = skip_space(text.as_bytes(), 0);
    while at < text.len() {
        let end = expression_end(text.as_bytes(), at)?;
        found.push(text.get(at..end)?);
        at = skip_space(text.as_bytes(), end);
    }
    Some(found)
}

/// The items of a list, as they are written; `None` when the text is not one list.
pub fn items(list: &str) -> Option<Vec<&str>> {
    expressions(list.trim().strip_prefix('(')?.strip_suffix(')')?)
}

/// Whether a solver that has read this text waits for more of it: an open parenthesis, string or quoted
/// symbol. A superfluous closing parenthesis is left for the solver to reject.
pub fn is_open(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = next_mark(bytes, 0);
    while at < bytes.len() {
        let behind = match bytes[at] {
            b'(' => {
                depth += 1;
                at + 1
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            b';' => line_end(bytes, at),
            _ => match quoted_end(bytes, at) {
                Some(end) => end,
                None => return true,
            },
        };
        at = next_mark(bytes, behind);
    }
    depth > 0
}

/// Where the next parenthesis, quote, bar or comment is: a verifier's text is some megabytes, most of it
/// names.
fn next_mark(bytes: &[u8], at: usize) -> usize {
    const MARKS: [bool; 256] = {
        let mut marks = [false; 256];
        let mut i = 0;
        while i < MARKED.len() {
            marks[MARKED[i] as usize] = true;
            i += 1;
        }
        marks
    };
    const MARKED: &[u8] = b"()\"|;";
    bytes[at..].iter().position(|&b| MARKS[b as usize]).map_or(bytes.len(), |length| at + length)
}

/// The message of an `(error "…")`. The reply is an error even when its string is not well formed: some
/// solvers quote the offending line without escaping it.
pub fn error_message(reply: &str) -> Option<String> {
    let start = reply.find("(error").filter(|&at| at == 0 || reply[..at].ends_with(char::is_whitespace))?;
    let rest = &reply[start + "(error".len()..];
    if !rest.starts_with(|c: char| c.is_whitespace() || c == '"') {
        return None;
    }
    let end = expression_end(reply.as_bytes(), start).unwrap_or(reply.len());
    let message = reply[start..end].trim_start_matches("(error").trim();
    let message = message.strip_suffix(')').unwrap_or(message).trim();
    Some(match message.strip_prefix('"').and_then(|message| message.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => message.to_string(),
    })
}

/// Reads the reply to a `(check-sat)`: exactly one of `sat`, `unsat`, `unknown`, or z3's `timeout`. For
/// `unknown` the reason is left empty: it takes another question.
pub fn parse_verdict(reply: &str) -> Result<Verdict, SolverError> {
    match expressions(reply).as_deref() {
        Some(["sat"]) => Ok(Verdict::Sat),
        Some(["unsat"]) => Ok(Verdict::Unsat),
        Some(["unknown"]) => Ok(Verdict::Unknown(String::new())),
        Some(["timeout"]) => Ok(Verdict::Unknown("timeout".into())),
        _ => Err(not_an_answer(reply, "sat, unsat or unknown")),
    }
}

/// Reads the reply to a `(get-value (…))`: each term and its value, as the solver wrote them.
pub fn parse_values(reply: &str) -> Result<Vec<(&str, &str)>, SolverError> {
    let read = || {
        let [list] = expressions(reply)?[..] else {
            return None;
        };
        let pair = |item| match items(item)?[..] {
            [term, value] => Some((term, value)),
            _ => None,
        };
        items(list)?.into_iter().map(pair).collect::<Option<Vec<_>>>()
    };
    // An error is a list of two as well, but not a list of pairs.
    read().ok_or_else(|| not_an_answer(reply, "a list of values"))
}

/// Reads the reply to a `(get-unsat-core)` or `(get-unsat-assumptions)` as a list of names: symbols without
/// their bars. Assumptions that are not symbols, such as `(not a)`, are kept as they are written.
pub fn parse_names(reply: &str) -> Result<Vec<&str>, SolverError> {
    let bad = || not_an_answer(reply, "a list of names");
    if error_message(reply).is_some() {
        return Err(bad());
    }
    let all = expressions(reply).ok_or_else(bad)?;
    let [list] = all[..] else { return Err(bad()) };
    Ok(items(list).ok_or_else(bad)?.into_iter().map(without_bars).collect())
}

/// Reads the reply to a `(get-info :reason-unknown)`: the reason without quotes.
pub fn parse_reason(reply: &str) -> Option<String> {
    let [list] = expressions(reply)?[..] else {
        return None;
    };
    match items(list)?[..] {
        [":reason-unknown", reason] => {
            let inner = reason.strip_prefix('"').and_then(|reason| reason.strip_suffix('"'));
            Some(inner.map_or_else(|| reason.to_string(), |inner| inner.replace("\"\"", "\"")))
        }
        _ => None,
    }
}

/// The error for an unexpected reply.
fn not_an_answer(reply: &str, expected: &'static str) -> SolverError {
    match error_message(reply) {
        Some(message) => SolverError::Refused { message },
        None => SolverError::Garbage { expected, output: excerpt(reply.trim()) },
    }
}

fn without_bars(name: &str) -> &str {
    name.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(name)
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b';' => at = line_end(bytes, at),
            _ => break,
        }
    }
    at
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |length| at + length)
}

/// The end of a string (in which `""` stands for a quote) or quoted symbol that starts at `at`.
fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let mut at = at + 1;
    loop {
        at += bytes[at..].iter().position(|&b| b == quote)? + 1;
        if quote == b'|' || bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

/// The end of the expression that starts at `at`, which is not white space.
fn expression_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let is_end = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b'"' | b'|' | b';');
    match bytes.get(at)? {
        b'(' => {}
        b')' => return None,
        b'"' | b'|' => return quoted_end(bytes, at),
        _ => return Some(bytes[at..].iter().position(is_end).map_or(bytes.len(), |length| at + length)),
    }
    let mut depth = 0usize;
    loop {
        at = match bytes.get(at)? {
            b'(' => {
                depth += 1;
                at + 1
            }
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
                at + 1
            }
            b';' => line_end(bytes, at),
            _ => quoted_end(bytes, at)?,
        };
        at = next_mark(bytes, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_structures::Random;

    /// How a reply is read as a verdict, in one line.
    fn read(reply: &str) -> String {
        match parse_verdict(reply) {
            Ok(verdict) => format!("{verdict:?}"),
            Err(SolverError::Refused { message }) => format!("refused: {message}"),
            Err(SolverError::Garbage { output, .. }) => format!("garbage: {output}"),
            Err(other) => format!("{other:?}"),
        }
    }

    #[test]
    fn a_verdict_is_exactly_one_word() {
        assert_eq!(read("sat\n"), "Sat");
        assert_eq!(read("; a comment\nunsat\r\n"), "Unsat");
        assert_eq!(read("unknown"), "Unknown(\"\")");
        assert_eq!(read("timeout\n"), "Unknown(\"timeout\")");
        for garbage in
            ["", "SAT", "sat sat", "sat unsat", "(sat)", "success\nsat", "sat)", "\"sat\"", "|sat|", "satx"]
        {
            assert_eq!(read(garbage), format!("garbage: {garbage}"));
        }
    }

    #[test]
    fn an_error_before_a_verdict_is_no_verdict() {
        assert_eq!(
            read("(error \"line 1: unknown constant y\")\nsat\n"),
            "refused: line 1: unknown constant y"
        );
        assert_eq!(read("sat\n(error \"say \"\"no\"\"\")"), "refused: say \"no\"");
        assert_eq!(read("(error \"near \"x\" here\")"), "refused: near \"x\" here");
        assert_eq!(read("(error \"half"), "refused: \"half");
        assert_eq!(read("(errors)"), "garbage: (errors)");
    }

    #[test]
    fn values_are_kept_as_written() {
        let values = parse_values("((x (- 5))\n (|a b| #x0f)\n ((f 1) \"a\"\"(\"))").expect("values");
        assert_eq!(values, [("x", "(- 5)"), ("|a b|", "#x0f"), ("(f 1)", "\"a\"\"(\"")]);
        assert_eq!(parse_values("()").expect("no values"), []);
        for bad in ["((x 1)", "((x))", "(x 1)", "((x 1 2))", "", "sat", "((x 1)) ((y 2))"] {
            assert!(parse_values(bad).is_err(), "{bad}");
        }
        assert!(matches!(parse_values("(error \"no model\")"), Err(SolverError::Refused { .. })));
    }

    #[test]
    fn names_come_without_bars() {
        assert_eq!(parse_names("(\na1\n|b c|\n)\n").expect("names"), ["a1", "b c"]);
        assert_eq!(parse_names("(a (not b))").expect("names"), ["a", "(not b)"]);
        assert!(matches!(parse_names("(error \"none\")"), Err(SolverError::Refused { .. })));
        assert!(parse_names("a").is_err());
    }

    #[test]
    fn reasons_come_without_quotes() {
        assert_eq!(parse_reason("(:reason-unknown \"smt tactic\")").as_deref(), Some("smt tactic"));
        assert_eq!(parse_reason("(:reason-unknown incomplete)").as_deref(), Some("incomplete"));
        assert_eq!(parse_reason("unsupported"), None);
    }

    #[test]
    fn open_text_is_seen() {
        for open in ["(", "(assert", "\"abc", "|x", "(echo \"a\"\"", "(a (b)"] {
            assert!(is_open(open), "{open}");
        }
        for closed in ["", ")", "(a) ; (", "(echo \"(\")", "(a |(|)", "x", "; \"", "(a \"b\"\"c\")"] {
            assert!(!is_open(closed), "{closed}");
        }
    }

    #[test]
    fn deep_values_need_no_stack() {
        let deep = format!("((x {}1{}))", "(s ".repeat(1_000_000), ")".repeat(1_000_000));
        assert_eq!(parse_values(&deep).expect("values").len(), 1);
        assert!(parse_values(&deep[..deep.len() - 1]).is_err());
    }

    #[test]
    fn no_reply_makes_the_reader_panic() {
        let pieces = ["(", ")", "\"", "|", ";", "\n", " ", "sat", "error", "(error", "é", "x", "\\"];
        let mut random = Random::new(88172645463325252);
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..8 {
                text.push_str(random.pick(&pieces));
            }
            let _ = (
                parse_verdict(&text),
                parse_values(&text),
                parse_names(&text),
                parse_reason(&text),
                is_open(&text),
            );
        }
    }
}
