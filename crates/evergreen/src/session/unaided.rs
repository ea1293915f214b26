//! A session without a solver program: the cores in Evergreen and the store answer, and what only a solver
//! has is refused.

use super::{Last, Next, Session};
use evergreen_smtlib::{Diagnostic, Position};

/// What a solver is told about itself, where there is none.
pub(super) fn own_identity(keyword: &str) -> String {
    let value = match keyword {
        ":name" => "evergreen",
        ":version" => env!("CARGO_PKG_VERSION"),
        _ => "the authors of Evergreen",
    };
    format!("({keyword} \"{value}\")\n")
}

impl Session {
    /// Whether there is no solver program to ask.
    pub(super) fn is_unaided(&self) -> bool {
        self.live.command().is_none()
    }

    /// Refuses a command that asks for what only a solver has.
    pub(super) fn refuse(&mut self, text: &str, out: &mut String) -> Next {
        let word = text.trim_start_matches('(').split(|c: char| c.is_whitespace() || c == ')').next();
        let word = word.unwrap_or("");
        match word {
            "get-info" => out.push_str("unsupported\n"),
            "get-value" | "get-model" => {
                let why = match &self.last {
                    Last::None => "there is no answer of check-sat",
                    Last::Unsat { .. } => "the last answer is unsat",
                    Last::Unknown { .. } => "the last answer is unknown",
                    Last::Sat { .. } => "the values are not known, and there is no solver program to ask",
                };
                self.error(&format!("{word}: {why}"), out);
            }
            "get-unsat-core" if !self.produce_cores => {
                self.error("get-unsat-core: the option :produce-unsat-cores is not set", out);
            }
            "get-unsat-core" | "get-unsat-assumptions" => {
                self.error(&format!("{word}: there is no answer unsat"), out);
            }
            _ => self.error(&format!("{word}: there is no solver program to ask"), out),
        }
        Next::Continue
    }

    /// Refuses a command that could not be read, or is not part of the standard.
    pub(super) fn refuse_command(
        &mut self,
        text: &str,
        complaint: Option<(Diagnostic, Position)>,
        out: &mut String,
    ) -> Next {
        match complaint {
            Some((complaint, position)) => self.complain(&complaint, text.as_bytes(), position, out),
            None => out.push_str("unsupported\n"),
        }
        Next::Continue
    }

    /// The value of an option.
    pub(super) fn own_option(&self, keyword: &str) -> String {
        match keyword {
            ":produce-models" => "true\n".into(),
            ":produce-unsat-cores" => format!("{}\n", self.produce_cores),
            ":global-declarations" => format!("{}\n", self.stack.global_declarations),
            _ => "unsupported\n".into(),
        }
    }
}
