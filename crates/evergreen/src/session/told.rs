//! What a solver said of its last answer and nobody else can say, remembered for the same script.
//!
//! Values of a stored model are put together here, without a solver. Some replies are not of that kind: the
//! best value of an objective, an algebraic number, a proof, a model in a layout that an option asks for. The
//! solver's own text is kept then, under everything that is in force, the check, and what was said since it,
//! so that a warm run says the same without a process.
//!
//! The key holds all questions before, with their replies, because they are about one model. A question that
//! is new needs the solver after all. It is asked the earlier ones again: where its model is another one by
//! now, the client is told so and is not given values of two.

use super::{Last, Session};
use crate::identity;
use crate::verbatim::Text;
use evergreen_solver::{SolverError, answer};
use evergreen_store::Key;

/// Questions whose replies stay the same while script and solver do.
const KEPT: [&str; 10] = [
    "get-value",
    "get-model",
    "get-objectives",
    "get-assignment",
    "get-assertions",
    "get-proof",
    "get-unsat-core",
    "get-unsat-assumptions",
    "eval",
    "labels",
];
/// So many questions of one check are kept: each is looked for under all before it.
const MOST: usize = 16;
/// The longest script that is digested for it.
const MOST_TEXT: usize = 1 << 22;

/// What was said since the last check.
#[derive(Default)]
pub(super) struct Told {
    /// The solver has decided the last check, and what more it says cannot be read.
    pub(super) is_unread: bool,
    /// What is asked now is in no model and no core that can be read.
    pub(super) is_beyond: bool,
    /// The digest of the script up to the last check.
    script: Option<[u8; 32]>,
    /// Questions and replies.
    said: Vec<(String, String)>,
    /// How many of them, the last, are not known to be what the process says that runs now.
    from_store: usize,
}

impl Session {
    /// Begins anew behind a check.
    pub(super) fn forget_told(&mut self, is_unread: bool) {
        self.told = Told { is_unread, ..Told::default() };
    }

    /// The key of a reply that is worth keeping.
    pub(super) fn told_key(&mut self, question: &str) -> Option<Key> {
        let is_beyond = self.told.is_beyond;
        let word = question.trim_start_matches('(').split(|c: char| c.is_whitespace() || c == ')').next()?;
        let is_alone = match &self.last {
            Last::Sat { model, is_deferred, reused, given } => {
                let is_first = given.is_none() && is_beyond;
                is_first || model.is_none() && !is_deferred && (*reused || self.told.is_unread)
            }
            Last::Unsat { core, reused } => is_beyond || core.is_none() && (*reused || self.told.is_unread),
            Last::Unknown { .. } => self.is_surrendered(),
            Last::None => false,
        };
        let is_odd = self.is_mixed || self.is_entangled || self.stack.text_length() > MOST_TEXT;
        if !is_alone || is_odd || !KEPT.contains(&word) || self.told.said.len() >= MOST {
            return None;
        }
        // What is said of a check that was given up is said of a search, which the whole script has led.
        let led_by = self.is_surrendered().then(|| self.transcript.digest());
        let script = *self.told.script.get_or_insert_with(|| {
            let mut text = self.speaker.introduction();
            self.stack.unscoped.iter().for_each(|unscoped| text.add(unscoped.command.as_bytes()));
            text.end();
            self.stack.write(&mut text);
            text.add(self.check_text.as_bytes());
            led_by.iter().for_each(|script| text.add(script));
            evergreen_canon::digest(&text.bytes())
        });
        let mut text = Text::default();
        text.add(&script);
        for (asked, reply) in &self.told.said {
            text.add(asked.as_bytes());
            text.add(reply.as_bytes());
        }
        text.end();
        text.add(question.as_bytes());
        let hex: String = evergreen_canon::digest(&text.bytes()).iter().map(|b| format!("{b:02x}")).collect();
        identity::key(&self.options.solver, &format!("told {hex}"))
    }

    /// The remembered reply, while no process has answered this check.
    pub(super) fn told_before(&mut self, key: Option<&Key>, question: &str) -> Option<String> {
        if self.live.checked == Some(self.check) {
            return None;
        }
        let reply = self.remembered(key?)?;
        // An error is about no model.
        if answer::error_message(reply.trim()).is_some() {
            return Some(reply);
        }
        self.told.said.push((question.to_string(), reply.clone()));
        self.told.from_store += 1;
        if let Last::Sat { model: Some(_), .. } = &self.last {
            // What is asked next is about the model of this reply.
            self.follow_solver();
            self.told.is_unread = true;
        }
        Some(reply)
    }

    /// Keeps a reply of the solver.
    pub(super) fn note_told(&mut self, key: Option<&Key>, question: &str, reply: &str) {
        if let (Some(key), Some(store)) = (key, &self.options.store) {
            let _ = store.put(key, &identity::encode(reply));
            if answer::error_message(reply.trim()).is_some() {
                return;
            }
            self.told.said.push((question.to_string(), reply.to_string()));
            // What is asked next is about the same model.
            self.told.is_unread = true;
        }
    }

    /// Whether the solver, which has just answered the last check once more, says what the client was told.
    pub(super) fn says_the_same(&mut self) -> Result<bool, SolverError> {
        let own = self.told.said.len() - self.told.from_store;
        for (question, reply) in &self.told.said[own..] {
            if self.live.ask(question)? != *reply {
                return Ok(false);
            }
        }
        self.told.from_store = 0;
        Ok(true)
    }
}
