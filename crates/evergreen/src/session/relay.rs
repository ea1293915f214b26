//! What only the solver can answer.

use super::introduction::{Introduced, placed};
use super::places::has_place;
use super::unaided::own_identity;
use super::whole::may_be_ours;
use super::{Last, Next, Remark, Session};
use crate::live::Manner;
use crate::stack::Said;
use evergreen_reuse::Verdict;
use evergreen_smtlib::{Diagnostic, Piece, Position};
use evergreen_solver::{Kind, SolverError, answer};

/// Commands that ask and change nothing: they leave no trace in the stack.
const ASKING: [&str; 13] = [
    "get-value",
    "apply",
    "eval",
    "simplify",
    "get-objectives",
    "labels",
    "display",
    "help",
    "help-tactic",
    "dbg-",
    "get-interpolant",
    "get-qe",
    "get-difficulty",
];

impl Session {
    /// Brings the solver to the state after the last check, and asks it.
    pub(super) fn relay_after_check(&mut self, text: &str, out: &mut String) -> Next {
        if self.is_unaided() {
            return self.refuse(text, out);
        }
        let pinned = self.pinned();
        let key = if pinned.is_none() { self.told_key(text) } else { None };
        self.told.is_beyond = false;
        if let Some(reply) = self.told_before(key.as_ref(), text) {
            let is_refused = answer::error_message(reply.trim()).is_some();
            self.errors |= is_refused && self.counts_errors();
            out.push_str(&reply);
            return Next::Continue;
        }
        if pinned.is_some() && self.live.manner() == Manner::Once {
            // Values that were given out are asserted on a level of their own.
            self.live.set_manner(Manner::Many);
        }
        let starts = self.live.starts;
        let synced = self.live.sync(&self.stack);
        let ready = synced.and_then(|_| {
            let checked = self.live.checked == Some(self.check);
            if matches!(self.last, Last::None) || checked {
                return Ok(true);
            }
            if let Some(equalities) = pinned {
                self.live.pin(&equalities)?;
            }
            self.live.ask(&self.check_text)?;
            self.live.checked = Some(self.check);
            self.says_the_same()
        });
        let asked = match ready {
            Ok(true) => self.ask_in_place(text).map(Some),
            Ok(false) => Ok(None),
            Err(failure) => Err(failure),
        };
        if self.live.starts > starts {
            self.note_start();
        }
        match asked {
            Ok(None) => {
                self.live.checked = None;
                self.error("the solver has another model now than the one that values were given of", out);
                Next::Continue
            }
            Ok(Some(reply)) => {
                let refused = answer::error_message(reply.trim()).is_some();
                self.errors |= refused && self.counts_errors();
                let told = self.in_place(reply.clone());
                // An error that names a place is about this script only.
                if !refused || told == reply && !has_place(&reply) {
                    self.note_told(key.as_ref(), text, &reply);
                }
                if !refused {
                    self.learn_more();
                    self.follow_solver();
                }
                out.push_str(&told);
                Next::Continue
            }
            Err(failure) => self.failed(&failure, false, out),
        }
    }

    /// The solver has spoken of its own model, which agrees with the values that were given out before and
    /// with nothing else of the stored one: from here on the client gets the solver's.
    pub(super) fn follow_solver(&mut self) {
        if let Last::Sat { model, is_deferred, reused, .. } = &mut self.last {
            *model = None;
            (*is_deferred, *reused) = (false, false);
        }
    }

    /// The solver had to be asked after a reused verdict, because the record had no model or no core: next
    /// time it has.
    fn learn_more(&mut self) {
        let lacking = match &self.last {
            Last::Sat { model: None, is_deferred: false, reused: true, .. } => Verdict::Sat,
            Last::Unsat { core: None, reused: true } => Verdict::Unsat,
            _ => return,
        };
        let asides = !self.stack.asides().is_empty();
        if self.engine.options().require_hit || self.stack.is_opaque() || asides || self.is_verbatim() {
            return;
        }
        self.learn_from_solver(lacking);
    }

    /// A command that we do not understand goes to the solver as it is. If the solver takes it, only the
    /// solver knows what the script means from here on.
    pub(super) fn not_understood(
        &mut self,
        text: &str,
        complaint: Option<(Diagnostic, Position)>,
        out: &mut String,
    ) -> Next {
        self.opaque_commands += 1;
        if self.is_unaided() {
            return self.refuse_command(text, complaint, out);
        }
        let mut place = None;
        if let Some((complaint, position)) = complaint {
            place = Some(complaint.position(text.as_bytes(), position));
            let rendered = complaint.render(&self.options.file, text.as_bytes(), position);
            self.remark(Remark::Complaint(format!("{rendered}\npassed to the solver as it is")));
        }
        let word =
            text.trim_start_matches('(').split(|c: char| c.is_whitespace() || c == ')').next().unwrap_or("");
        if ASKING.iter().any(|a| word == *a || (a.ends_with('-') && word.starts_with(a))) {
            return self.relay_after_check(text, out);
        }
        if self.can_wait() && !word.starts_with("check-sat") {
            self.is_waiting = true;
            return self.took_blindly(text, out);
        }
        if self.is_single_file()
            && let Some(rest) = self.rest_of_file("")
        {
            return self.end_with(rest, out);
        }
        self.is_entangled |= self.has_checked;
        if self.remembered_reply(text).is_some_and(|reply| reply.is_empty()) {
            return self.took_blindly(text, out);
        }
        let starts = self.live.starts;
        let mut sent = self.send_now(text);
        let is_less = sent.as_ref().is_err_and(may_be_ours);
        if is_less && let Some(manner) = self.own_manner() {
            if let Some(rest) = self.rest_of_file("") {
                return self.end_with(rest, out);
            }
            self.live.set_manner(manner);
            sent = self.send_now(text);
        }
        if self.live.starts > starts {
            self.note_start();
        }
        match sent {
            Ok((before, reply)) => {
                out.push_str(&before);
                if answer::error_message(reply.trim()).is_some() {
                    self.errors = true;
                    out.push_str(&place.map_or_else(|| reply.clone(), |at| placed(&reply, at)));
                    return Next::Continue;
                }
                out.push_str(&reply);
                if before.is_empty() && reply.trim().is_empty() {
                    self.remember_reply(text, "");
                }
                // It took effect in the solver; the replay log must have it, and it must not be sent twice.
                self.stack.top().opaque.set(true);
                self.last = Last::None;
                self.live.took(&mut self.stack, text);
                if reply.trim().is_empty() {
                    self.success(out);
                }
                Next::Continue
            }
            Err(failure) => self.failed(&failure, false, out),
        }
    }

    /// A command that is not understood and that the solver is known to take, or will say what it thinks of
    /// with the check that follows.
    fn took_blindly(&mut self, text: &str, out: &mut String) -> Next {
        self.stack.top().opaque.set(true);
        self.stack.top().commands.push(Said::Command(text.to_string()));
        self.last = Last::None;
        self.success(out);
        Next::Continue
    }

    /// Brings the solver up to date and sends a command: what it said to the stack, and to the command.
    fn send_now(&mut self, text: &str) -> Result<(String, String), SolverError> {
        let before = self.live.sync(&self.stack)?.errors;
        // It may speak of what the last check has found.
        let is_behind = !matches!(self.last, Last::None) && self.live.checked != Some(self.check);
        if is_behind && self.has_checked {
            self.live.ask(&self.check_text)?;
            self.live.checked = Some(self.check);
        }
        let reply = self.ask_in_place(text)?;
        Ok((before, reply))
    }

    /// An option that is not known to leave the meaning of the script alone. Set at the start it is part of
    /// every key. On a stack that has something on it already, it may count for some of it and not for the
    /// rest: it is sent to the solver now, in the client's order, and from here on only the solver answers.
    pub(super) fn set_odd_option(
        &mut self,
        (keyword, value): (&str, &str),
        text: &str,
        piece: &Piece<'_>,
        out: &mut String,
    ) -> Next {
        if !self.stack.is_begun() {
            match self.introduce(text, value_place(piece), out) {
                Introduced::Taken => {}
                Introduced::Refused => return Next::Continue,
                Introduced::Ended(next) => return next,
            }
        } else {
            let starts = self.live.starts;
            let is_behind = self.has_checked && self.live.checked != Some(self.check);
            let sent = self.live.sync(&self.stack).and_then(|_| {
                // z3 takes up some parameters with the first check, which may have been answered without it.
                if is_behind {
                    self.live.ask("(check-sat)")?;
                }
                self.live.ask(text)
            });
            if self.live.starts > starts {
                self.note_start();
            }
            match sent {
                Err(failure) => return self.failed(&failure, false, out),
                Ok(reply) if answer::error_message(reply.trim()).is_some() => {
                    self.errors = true;
                    out.push_str(&reply);
                    return Next::Continue;
                }
                Ok(_) => {}
            }
            self.is_mixed = true;
            self.last = Last::None;
            self.live.took_option();
        }
        self.speaker.set(keyword, value);
        self.stack.odd_option(text.to_string());
        self.success(out);
        Next::Continue
    }

    pub(super) fn get_info(&mut self, keyword: &str, text: &str, out: &mut String) -> Next {
        match keyword {
            ":reason-unknown" => {
                if let Last::Unknown { reason, reply } = &self.last
                    && self.live.checked != Some(self.check)
                {
                    let own = || format!("(:reason-unknown \"{}\")\n", reason.replace('"', "\"\""));
                    out.push_str(&reply.clone().unwrap_or_else(own));
                    return Next::Continue;
                }
                self.relay_after_check(text, out)
            }
            // Counters of a solver that did not have to run.
            ":all-statistics" | ":rlimit" | ":assertion-stack-levels" | ":error-behavior"
                if !self.live.is_running() =>
            {
                out.push_str(&self.own_info(keyword));
                Next::Continue
            }
            ":name" | ":version" | ":authors" if self.is_unaided() => {
                out.push_str(&own_identity(keyword));
                Next::Continue
            }
            // Every version says so, and verifiers ask it to hear that the solver is there: no need for a
            // process.
            ":name" if self.options.solver.kind == Kind::Z3 => {
                out.push_str("(:name \"Z3\")\n");
                Next::Continue
            }
            ":name" | ":version" | ":authors" => self.remembered_info(keyword, text, out),
            _ => self.relay_after_check(text, out),
        }
    }

    fn own_info(&self, keyword: &str) -> String {
        let stats = self.stats();
        match keyword {
            ":rlimit" => "(:rlimit 0)\n".into(),
            ":assertion-stack-levels" => {
                format!("(:assertion-stack-levels {})\n", self.stack.frames.len() - 1)
            }
            ":error-behavior" => match self.options.solver.kind {
                Kind::Z3 | Kind::None => "(:error-behavior continued-execution)\n".into(),
                _ => "(:error-behavior immediate-exit)\n".into(),
            },
            _ => format!(
                "(:evergreen-queries {} :evergreen-reused {} :evergreen-solved {} :evergreen-unknown {} \
                 :evergreen-slices {} :evergreen-solver-calls {})\n",
                stats.queries(),
                stats.engine.answered.without_solver(),
                stats.solved(),
                stats.engine.answered.open(),
                stats.engine.slices,
                stats.engine.solved + stats.passed_through
            ),
        }
    }

    /// Name, version and authors of the solver do not change while its file does not, nor do its options by
    /// themselves: asked once, then remembered.
    fn remembered_info(&mut self, question: &str, text: &str, out: &mut String) -> Next {
        let key = crate::identity::key(&self.options.solver, question);
        if let Some(reply) = key.as_ref().and_then(|key| self.remembered(key)) {
            out.push_str(&reply);
            return Next::Continue;
        }
        let start = out.len();
        let next = self.relay_after_check(text, out);
        let reply = &out[start..];
        if answer::error_message(reply.trim()).is_none()
            && let (Some(store), Some(key)) = (&self.options.store, &key)
        {
            let _ = store.put(key, &crate::identity::encode(reply));
        }
        next
    }

    pub(super) fn get_option(&mut self, keyword: &str, text: &str, out: &mut String) -> Next {
        if self.is_unaided() && keyword != ":print-success" {
            out.push_str(&self.own_option(keyword));
            return Next::Continue;
        }
        if keyword == ":print-success" {
            out.push_str(if self.print_success { "true\n" } else { "false\n" });
            return Next::Continue;
        }
        // Models are always asked of the process behind us: what it would say of that is not what the client
        // has set.
        let by_itself = match self.options.solver.kind {
            Kind::Z3 => Some(true),
            Kind::Cvc5 | Kind::Yices => Some(false),
            _ => None,
        };
        if let Some(by_itself) = by_itself.filter(|_| keyword == ":produce-models" && !self.says("model")) {
            let is_set = self.models_said.unwrap_or(by_itself);
            out.push_str(if is_set { "true\n" } else { "false\n" });
            return Next::Continue;
        }
        // What was set before tells the rest.
        let set: String = self.stack.unscoped.iter().map(|said| said.command.as_str()).collect();
        self.remembered_info(&format!("option {set}{keyword}"), text, out)
    }
}

/// Where z3 says that an option is wrong: at its value, counted from 1, one further than its keyword's end.
pub(super) fn value_place(piece: &Piece<'_>) -> Position {
    let text = piece.text.trim_ascii_end();
    let inside = text.strip_suffix(b")").unwrap_or(text).trim_ascii_end();
    let value = inside.iter().rposition(|b| b.is_ascii_whitespace()).map_or(0, |at| at + 1);
    piece.position().after(&text[..value])
}
