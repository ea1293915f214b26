//! Words for a shell: what is printed as a command can be pasted into one.

use crate::say::is_active;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// A word, so that any POSIX shell reads it as it is.
///
/// Most words are plain or go between single quotes. Control characters, bidirectional marks and bytes that
/// are no text are written by `printf` as octal numbers: names come from class files, and a terminal must not
/// obey them.
pub(crate) fn quoted(word: impl AsRef<OsStr>) -> String {
    let bytes = word.as_ref().as_bytes();
    match std::str::from_utf8(bytes) {
        Ok(text) if is_plain(text) => text.into(),
        Ok(text) if !text.chars().any(is_active) => format!("'{}'", text.replace('\'', "'\\''")),
        _ => printed(bytes),
    }
}

/// Nothing in it means something to a shell. A `=` at the beginning is expanded by some.
fn is_plain(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    !word.is_empty() && word.chars().all(plain) && !word.starts_with('=')
}

/// Through `printf`, whose format has octal numbers. A command substitution drops line breaks at the end:
/// those are quoted.
fn printed(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|b| *b != b'\n').map_or(0, |last| last + 1);
    let (body, breaks) = bytes.split_at(end);
    let mut format = String::new();
    for chunk in body.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '%' => format.push_str("%%"),
                '\\' => format.push_str("\\\\"),
                '\'' => format.push_str("'\\''"),
                // No word of a command line can have it: the command names something else, and says so.
                '\0' => format.push('\u{fffd}'),
                c if is_active(c) => octal(&mut format, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => format.push(c),
            }
        }
        octal(&mut format, chunk.invalid());
    }
    let breaks = if breaks.is_empty() { String::new() } else { format!("'{}'", "\n".repeat(breaks.len())) };
    // A format that begins with a dash would be an option.
    if body.is_empty() { breaks } else { format!("\"$(printf -- '{format}')\"{breaks}") }
}

fn octal(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        out.push_str(&format!("\\{byte:03o}"));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::process::Command;

    /// What a shell makes of a line: its words.
    pub(crate) fn words(shell: &str, line: &str) -> Vec<Vec<u8>> {
        let script = format!("for word in {line}; do printf '%s\\0' \"$word\"; done");
        let output = Command::new(shell).args(["-c", &script]).output().expect("a shell");
        assert!(output.status.success(), "{shell}: {line}: {}", String::from_utf8_lossy(&output.stderr));
        let mut words: Vec<Vec<u8>> = output.stdout.split(|b| *b == 0).map(<[u8]>::to_vec).collect();
        assert_eq!(words.pop(), Some(Vec::new()), "{shell}: {line}");
        words
    }

    #[test]
    fn plain_words_are_left_alone_and_others_quoted() {
        assert_eq!(quoted("src/A.java"), "src/A.java");
        assert_eq!(quoted("x=-3"), "x=-3");
        assert_eq!(quoted("f(II)I"), "'f(II)I'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("=ls"), "'=ls'");
        assert_eq!(quoted("a\u{1b}[2J\u{202e}b"), r#""$(printf -- 'a\033[2J\342\200\256b')""#);
    }

    #[test]
    fn shells_read_words_as_they_were() {
        let odd: [&[u8]; 19] = [
            b"",
            b"plain",
            b"two words",
            b"it's \"quoted\" `id` $(id) $HOME ${HOME} \\n !! ~",
            b"~root",
            b"=ls",
            b"-n",
            b"*?[a-z]{a,b}",
            b"a;b|c&d<e>f#g",
            b"#comment",
            b"line\nbreak",
            b"ends\n\n",
            b"\n",
            b"\x1b]0;title\x07 50% '\\'",
            b"--\x01",
            b"\xff\xfe not text \xc3",
            "\u{202e}drow \u{20ac} \u{1f332}".as_bytes(),
            b"tab\there\r",
            b"%s %d \\0 \x02",
        ];
        let line = odd.map(|word| quoted(OsStr::from_bytes(word))).join(" ");
        let hidden = line.chars().filter(|c| is_active(*c) && *c != '\n').count();
        assert_eq!(hidden, 0, "{line:?}");
        for shell in ["sh", "bash"] {
            assert_eq!(words(shell, &line), odd.map(<[u8]>::to_vec), "{shell}: {line}");
        }
        // Every byte that a word can have, alone and between letters.
        let all: Vec<Vec<u8>> = (1..=255u8).flat_map(|b| [vec![b], vec![b'a', b, b'z']]).collect();
        let line: Vec<String> = all.iter().map(|word| quoted(OsStr::from_bytes(word))).collect();
        assert_eq!(words("sh", &line.join(" ")), all);
    }
}
