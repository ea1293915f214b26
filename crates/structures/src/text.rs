//! Text from outside, made harmless: names in class files, messages of exceptions, errors of solvers.
//!
//! A terminal obeys escape sequences, and a reader sees text with bidirectional overrides in another order
//! than it has. Every report that shows such text, on a terminal or in a file, escapes it by these functions.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};

/// Whether a character does something to a terminal, or to the order or visibility of the text around it.
pub fn is_active(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            // Marks and overrides of direction, separators of lines, what has no width, tags.
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn escape(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(|letter| is_active(letter) && !is_kept(letter)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            letter if !is_active(letter) || is_kept(letter) => shown.push(letter),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            letter => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(letter));
            }
        }
    }
    Cow::Owned(shown)
}

/// A text from outside, in a sentence of ours: on one line, and nothing but shown.
pub struct Foreign<T>(pub T);

impl<T: Display> Display for Foreign<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(&self.0.to_string(), |_| false))
    }
}

/// Words, as a terminal may have them: ends of lines are ours.
pub fn shown(text: &str) -> Cow<'_, str> {
    escape(text, |letter| matches!(letter, '\n' | '\t'))
}

/// Whether a text is printable ASCII and ends of lines, as most are. No early end, so that it takes many
/// bytes at a time: an exploration prints a line for every path.
fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |plain, byte| plain & (matches!(byte, b' '..=b'~') | (byte == b'\n')))
}

/// JSON, as a terminal may have it: what is escaped stands in strings, so the value is the same.
pub fn shown_json(json: &str) -> Cow<'_, str> {
    if is_plain(json) || !json.chars().any(is_active) {
        return Cow::Borrowed(json);
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if is_active(letter) && letter != '\n' {
            letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(shown, "\\u{unit:04x}");
            });
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_plain_where_no_character_of_it_is_escaped() {
        for letter in (0..=0xff).filter_map(char::from_u32) {
            let is_escaped = is_active(letter) && letter != '\n';
            let text = format!("\"plain {letter} text\"");
            assert_eq!(is_plain(&text), letter.is_ascii() && !is_escaped, "{letter:?}");
            assert_eq!(shown_json(&text) == text, !is_escaped, "{letter:?}");
        }
    }

    #[test]
    fn nothing_active_is_left() {
        let hostile = "a\u{1b}[2J\u{9b}1m\u{7}\r\u{202e}b\u{2066}\u{200b}\u{7f}\n\tc";
        assert_eq!(
            Foreign(hostile).to_string(),
            "a\\u{1b}[2J\\u{9b}1m\\u{7}\\r\\u{202e}b\\u{2066}\\u{200b}\\u{7f}\\n\\tc"
        );
        assert!(shown(hostile).ends_with("\\u{7f}\n\tc"), "ends of lines are kept in words");
        // Every character: none is left that is active, and none that is not is touched.
        for letter in (0..=0x10_ffff).filter_map(char::from_u32) {
            let text = Foreign(letter).to_string();
            assert_eq!(is_active(letter), text != letter.to_string(), "{letter:?}");
            assert!(!text.chars().any(is_active), "{letter:?}");
        }
        for letter in (0x202a..=0x202e).chain(0x2066..=0x2069).filter_map(char::from_u32) {
            assert!(is_active(letter), "{letter:?}");
        }
    }

    #[test]
    fn plain_text_is_left_alone() {
        let plain = "Grüße, κόσμε: 你好 🦀 \\ \"quoted\"";
        assert_eq!(Foreign(plain).to_string(), plain);
        assert!(matches!(shown(plain), Cow::Borrowed(_)));
    }
}
