//! The divergence between the JVM's run and the expectation of a test case, in words.

use crate::literal::{expression, string_literal};
use crate::names::Names;
use crate::{Ending, JavaValue, Message, Observed, Probes, TestCase};

/// The first difference; `None` if there is none.
pub(crate) fn compare(case: &TestCase, observed: &Observed, output: &str) -> Option<String> {
    match observed {
        Observed::Ended(ending) if case.ending.admits(ending) => {}
        observed => {
            return Some(format!("expected: {}; the JVM: {}", ending_text(&case.ending), text(observed)));
        }
    }
    match &case.output {
        Some(expected) if expected != output => {
            let quoted = |text: &str| string_literal(&text.encode_utf16().collect::<Vec<u16>>());
            Some(format!("expected output: {}; the JVM: {}", quoted(expected), quoted(output)))
        }
        _ => None,
    }
}

/// The first arm that the JVM did not take as expected. If the recording is cut, the
/// comparison is cut there too.
pub(crate) fn compare_arms(expected: &[u32], seen: &[u32], cut: bool, probes: &Probes) -> Option<String> {
    let expected = if cut { &expected[..expected.len().min(seen.len())] } else { expected };
    let at = (0..expected.len().max(seen.len())).find(|at| expected.get(*at) != seen.get(*at))?;
    let text =
        |arms: &[u32]| arms.get(at).map_or("no more branches".into(), |number| probes.describe(*number));
    Some(format!("expected at branch {}: {}; the JVM: {}", at + 1, text(expected), text(seen)))
}

/// The JVM's ending, in words.
fn text(observed: &Observed) -> String {
    match observed {
        Observed::Ended(ending) => ending_text(ending),
        Observed::TimedOut => "times out".into(),
        Observed::Died(said) => format!("died: {}", said.trim_end()),
        Observed::Refused(reason) => format!("cannot call it: {reason}"),
    }
}

/// How a call ends, in words.
pub(crate) fn ending_text(ending: &Ending) -> String {
    match ending {
        Ending::Returned(None) => "returns".into(),
        Ending::Returned(Some(JavaValue::Object { class: None })) => "returns some object".into(),
        Ending::Returned(Some(JavaValue::Object { class: Some(class) })) => {
            format!("returns an object of {class}")
        }
        Ending::Returned(Some(value)) => {
            format!("returns {}", expression(value, &mut Names::new("", "")).flat())
        }
        Ending::Threw { class, message } => match message {
            Message::Unknown => format!("throws {class}"),
            Message::Null => format!("throws {class} without message"),
            Message::Text(units) => format!("throws {class} with message {}", string_literal(units)),
        },
        Ending::Exited(status) => format!("ends the JVM with status {status}"),
    }
}

/// Messages of the JVM name the class loader, `'app'` in an ordinary run. The runner's loaders have that name
/// too, but the JVM adds a hash to it, which means nothing and is different every time.
pub(crate) fn without_hash(text: &str) -> String {
    const NAME: &str = "loader 'app' @";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(NAME) {
        out.push_str(&rest[..at + NAME.len() - 2]);
        rest = rest[at + NAME.len()..].trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    out.push_str(rest);
    out
}

/// The same for the values inside an observed ending.
pub(crate) fn without_loader_hash(observed: Observed) -> Observed {
    match observed {
        Observed::Ended(Ending::Threw { class, message: Message::Text(units) }) => {
            // Lossless only if there are no lone surrogates, which the JVM's own messages do not have.
            let message = match String::from_utf16(&units) {
                Ok(text) => Message::text(&without_hash(&text)),
                Err(_) => Message::Text(units),
            };
            Observed::Ended(Ending::Threw { class, message })
        }
        observed => observed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_loader_is_nobodys_business() {
        assert_eq!(
            without_hash("(A and B are in unnamed module of loader 'app' @1b2c3d4e), loader 'app' @ff; @12"),
            "(A and B are in unnamed module of loader 'app'), loader 'app'; @12"
        );
        assert_eq!(without_hash(""), "");
    }
}
