//! Everything that is printed. A closed pipe is no reason to fail.
//!
//! Much of it has a foreign source: names in class files, messages of exceptions, errors of solvers and
//! servers, names of workers. A terminal obeys escape sequences, and shows text with bidirectional overrides
//! in another order than it has. So nothing reaches a terminal but through this file, and what it prints is
//! one of three:
//!
//! - **Words** ([`say`], [`warn`], [`watch`]): control characters, other than the ends of lines, and
//!   characters that reorder or hide text are shown as `\u{1b}`. Texts from outside that are put into a
//!   sentence go through [`Foreign`] before, which also keeps them in their line.
//! - **JSON** ([`say_json`]): the same characters are escaped as JSON has it, so that the value stays what it
//!   is.
//! - **Answers of solvers** ([`verbatim`], and `run.rs`): a client's pipe gets them byte by byte. On a
//!   terminal they are shown as words are.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

pub use evergreen_structures::text::{Foreign, is_active, shown, shown_json};

/// Whether results alone are printed.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out progress, notes and remarks from now on.
pub fn set_quiet() {
    QUIET.store(true, Relaxed);
}

/// Whether results alone are printed.
pub fn is_quiet() -> bool {
    QUIET.load(Relaxed)
}

/// When output is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
    Auto,
    /// Also in files and pipes.
    Always,
    /// Nowhere.
    Never,
}

static COLOR: AtomicU8 = AtomicU8::new(0);

/// Sets when output is coloured; without this it is [`Color::Auto`].
pub fn set_color(color: Color) {
    COLOR.store(color as u8, Relaxed);
}

fn is_colored(out: &impl IsTerminal) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match COLOR.load(Relaxed) {
        color if color == Color::Always as u8 => true,
        color if color == Color::Never as u8 => false,
        _ => {
            out.is_terminal()
                && !is_set("NO_COLOR")
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// How a word stands out where output is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// What the lines below are about.
    Heading,
    /// Something was found.
    Found,
    /// A message's first word.
    Message,
    /// A way out.
    Help,
}

impl Style {
    /// The escape sequence that turns it on.
    fn code(self) -> &'static str {
        match self {
            Style::Heading => "\x1b[1m",
            Style::Found => "\x1b[1;31m",
            Style::Message => "\x1b[1;33m",
            Style::Help => "\x1b[1;36m",
        }
    }

    fn paint(self, text: &str, is_colored: bool) -> String {
        if is_colored { format!("{}{text}\x1b[0m", self.code()) } else { text.into() }
    }
}

/// A line on standard output whose beginning stands out.
pub fn say_styled(style: Style, head: &str, rest: &str) {
    let mut out = std::io::stdout().lock();
    let head = style.paint(&shown(head), is_colored(&out));
    let _ = writeln!(out, "{head}{}", shown(rest));
}

/// A line on standard output that is no result: `--quiet` leaves it out.
pub fn remark(line: &str) {
    if !is_quiet() {
        say(line);
    }
}

/// A heading on standard output: `--quiet` leaves it out.
pub fn heading(line: &str) {
    if !is_quiet() {
        say_styled(Style::Heading, line, "");
    }
}

/// A line on standard output.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{}", shown(line));
}

/// A line of JSON on standard output.
pub fn say_json(line: &impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{}", shown_json(&line.to_string()));
}

/// What a solver would have printed, as it would have.
pub fn verbatim(out: &mut (impl Write + IsTerminal), text: &str) -> std::io::Result<()> {
    let text = if out.is_terminal() { shown(text) } else { Cow::Borrowed(text) };
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// The name of the running program: the start of its messages.
static NAME: OnceLock<&str> = OnceLock::new();

/// Sets the name with which messages start; without this it is `evergreen`.
pub fn set_program(name: &'static str) {
    let _ = NAME.set(name);
}

/// A message on standard error, after the program's name.
pub fn warn(message: &str) {
    let mut out = std::io::stderr().lock();
    let text = message_text(NAME.get().unwrap_or(&"evergreen"), message, is_colored(&out));
    // One write, so that messages of processes that share a terminal do not mix.
    let _ = out.write_all(text.as_bytes());
}

/// A message with the program's name, and lines of help that stand out.
fn message_text(name: &str, message: &str, is_colored: bool) -> String {
    let mut text = format!("{} ", Style::Message.paint(&format!("{name}:"), is_colored));
    for line in shown(message).split_inclusive('\n') {
        match line.strip_prefix("help:") {
            Some(rest) => text.extend([&Style::Help.paint("help:", is_colored), rest]),
            None => text.push_str(line),
        }
    }
    text.push('\n');
    text
}

/// As [`warn`], but the same words only once: a store that is in trouble is so for every look-up and for the
/// last flush.
pub fn warn_once(message: &str) {
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut told = TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !told.iter().any(|t| t == message) {
        told.push(message.to_string());
        warn(message);
    }
}

/// A line on standard error, without the program's name: how far a long measurement is.
pub fn note(line: &str) {
    if is_quiet() {
        return;
    }
    let _ = std::io::stderr().lock().write_all(format!("{}\n", shown(line)).as_bytes());
}

/// Replaces the line of progress on standard error.
pub fn watch(line: &impl Display) {
    if is_quiet() {
        return;
    }
    let _ = std::io::stderr().lock().write_all(format!("\r{}\x1b[K", Foreign(line)).as_bytes());
}

/// Wipes the line of progress.
pub fn unwatch() {
    if is_quiet() {
        return;
    }
    let _ = std::io::stderr().lock().write_all(b"\r\x1b[K");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_coloured_only_where_that_is_wanted_and_never_by_their_text() {
        let message = "x.smt2:1: \u{1b}[31mbad\nhelp: good";
        assert_eq!(
            message_text("evergreen", message, false),
            "evergreen: x.smt2:1: \\u{1b}[31mbad\nhelp: good\n"
        );
        assert_eq!(
            message_text("evergreen", message, true),
            "\x1b[1;33mevergreen:\x1b[0m x.smt2:1: \\u{1b}[31mbad\n\x1b[1;36mhelp:\x1b[0m good\n"
        );
    }

    #[test]
    fn json_stays_json() {
        let value =
            serde_json::json!({ "a\u{202e}": "\u{1b}\u{7f}\u{9b}\u{e0001}\u{2028}\n", "b": ["\\", "\""] });
        let shown = shown_json(&value.to_string()).into_owned();
        assert!(!shown.chars().any(is_active), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
