//! A line to a warm solver process: text out, verdict and values back.
//!
//! z3 goes on after an error, so there the values are asked for together with the verdict, in one round trip;
//! a solver that ends at its first error is asked for them once it has said sat.

use super::technique::{Models, Verdict};
use super::wanted::Wanted;
use evergreen::solver::{Command, Kind, Limits, Mode, Process, Verdict as Answered, answer};

/// What a new context is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Fresh {
    /// `(reset-assertions)`: a new solver object; declarations stay.
    Assertions,
    /// `(reset)`: everything is made again.
    #[default]
    Reset,
    /// A new process.
    Process,
}

impl Fresh {
    /// The cheapest one that gives a new solver object.
    pub(crate) fn cheapest(kind: Kind) -> Fresh {
        // z3's (reset) makes the memory of terms and all tactics again, for 2 ms. Other solvers may forget
        // declarations with assertions, and their (reset) is cheap.
        if kind == Kind::Z3 { Fresh::Assertions } else { Fresh::Reset }
    }

    /// In words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Fresh::Assertions => "(reset-assertions)",
            Fresh::Reset => "(reset)",
            Fresh::Process => "new process",
        }
    }
}

/// The line.
pub(crate) struct Link {
    process: Process,
    kind: Kind,
    /// What a process needs first, also after a reset.
    pub preamble: String,
    /// Questions answered so far.
    pub calls: u64,
}

/// A verdict, and the text of the values if they were asked for.
pub(crate) type Reply = (Verdict, Option<String>);

impl Link {
    /// Starts a process and lets it answer a first question, so that starting is over when this returns.
    pub(crate) fn start(command: &Command, logic: Option<&str>) -> Result<Link, String> {
        let mut process =
            Process::start(command, Mode::Interactive, &Limits::default()).map_err(|e| e.to_string())?;
        let logic = command.kind.logic_to_name(logic).map_or(String::new(), |l| format!("(set-logic {l})\n"));
        let preamble =
            format!("(set-option :print-success false)\n(set-option :produce-models true)\n{logic}");
        process.ask(&format!("{preamble}(check-sat)"), None).map_err(|e| e.to_string())?;
        Ok(Link { process, kind: command.kind, preamble, calls: 0 })
    }

    /// The id of the process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// The text that opens a new context for a question with these declarations. Of contexts that keep
    /// declarations, all of the stream's are told at the start.
    pub(crate) fn fresh(&self, fresh: Fresh, declarations: &str) -> String {
        match fresh {
            Fresh::Assertions => "(reset-assertions)\n".into(),
            Fresh::Reset | Fresh::Process => format!("(reset)\n{}{declarations}", self.preamble),
        }
    }

    /// Sends what is not answered.
    pub(crate) fn tell(&mut self, text: &str) -> Result<(), String> {
        self.process.tell(text).map_err(|e| e.to_string())
    }

    /// Sends text, then asks whether what is asserted is satisfiable and, if so, for values.
    pub(crate) fn check(
        &mut self,
        text: &mut String,
        wanted: &Wanted,
        models: Models,
    ) -> Result<Reply, String> {
        self.calls += 1;
        let with_values = models == Models::Read && !wanted.is_empty();
        text.push_str("(check-sat)\n");
        if with_values && self.kind == Kind::Z3 {
            wanted.write(text);
        }
        let reply = self.ask(text)?;
        let verdict = first_word(&reply);
        let verdict = match answer::parse_verdict(verdict).map_err(|_| refused(&reply))? {
            Answered::Sat => Verdict::Sat,
            Answered::Unsat => Verdict::Unsat,
            Answered::Unknown(_) => Verdict::Unknown,
        };
        if verdict != Verdict::Sat || !with_values {
            return Ok((verdict, None));
        }
        if self.kind == Kind::Z3 {
            let values = reply.trim_start().strip_prefix("sat").unwrap_or_default();
            return Ok((verdict, Some(values.to_string())));
        }
        let mut question = String::new();
        wanted.write(&mut question);
        Ok((verdict, Some(self.ask(&question)?)))
    }

    fn ask(&mut self, text: &str) -> Result<String, String> {
        self.process.ask(text, None).map_err(|e| e.to_string())
    }
}

fn first_word(reply: &str) -> &str {
    reply.split_whitespace().next().unwrap_or("")
}

fn refused(reply: &str) -> String {
    match answer::error_message(reply) {
        Some(message) => format!("the solver refuses: {message}"),
        None => format!("the solver says \"{}\"", reply.lines().next().unwrap_or("")),
    }
}
