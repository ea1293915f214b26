//! `(set-option :regular-output-channel "file")`: from there on, answers go to that file.
//!
//! The solver behind a session must not be told that: its answers are read here.

use super::Session;
use super::relay::value_place;
use evergreen_smtlib::Piece;
use evergreen_solver::Kind;
use std::fs::File;
use std::io::{Write, stderr};

/// Where answers go.
pub(super) enum Channel {
    Stderr,
    File(File),
}

impl Session {
    /// Has the answers go where an option says; false where this is not for us to do.
    pub(super) fn redirects(&mut self, value: &str, piece: &Piece<'_>, out: &mut String) -> bool {
        let kind = self.options.solver.kind;
        // cvc5 1.0 refuses the name of a file.
        let Some(name) = value.strip_prefix('"').and_then(|name| name.strip_suffix('"')) else {
            return false;
        };
        if !matches!(kind, Kind::Z3 | Kind::Yices | Kind::Bitwuzla) {
            return false;
        }
        let (mut options, name) = (File::options(), name.replace("\"\"", "\""));
        options.create(true);
        let channel = match name.as_str() {
            "stdout" => None,
            "stderr" => Some(Channel::Stderr),
            file => {
                // As they do: Bitwuzla begins anew, the others append.
                let opened = match kind {
                    Kind::Bitwuzla => options.write(true).truncate(true).open(file),
                    _ => options.append(true).open(file),
                };
                match opened {
                    Ok(file) => Some(Channel::File(file)),
                    Err(error) => {
                        let at = value_place(piece);
                        // A string's place is that of its first character, counted from 0.
                        let place = format!("line {} column {}", at.line, at.column - 1);
                        let said = match kind {
                            Kind::Z3 => format!("{place}: failed to set output stream '{name}'"),
                            Kind::Yices => format!("can't open file {name}"),
                            _ => format!("{name}: {error}"),
                        };
                        self.error(&said, out);
                        return true;
                    }
                }
            }
        };
        self.channel = channel;
        self.success(out);
        true
    }

    /// Moves what was printed since then to where it goes.
    pub(super) fn divert(&mut self, since: usize, out: &mut String) {
        let Some(channel) = &mut self.channel else { return };
        let said = out.split_off(since);
        // A file that takes no more is what the solver would not notice either.
        let _ = match channel {
            Channel::Stderr => stderr().write_all(said.as_bytes()),
            Channel::File(file) => file.write_all(said.as_bytes()),
        };
    }
}
