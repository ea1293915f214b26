//! What only the solver says of a script, remembered for the same script: that it gives a check up, and what
//! it prints for a file that it was run on as a whole.
//!
//! A proof that fails is `unknown` to z3 wherever there are quantifiers: it ran out of instances. Nothing of
//! the query is known by that, and it is no record of it. But the same program says the same of the same
//! script, and takes its time each night. So the reply is kept under the program's file, its flags and every
//! byte of every command since the last reset: another text before the check, a popped one as well, asks the
//! solver again.
//!
//! Only what a solver says of its own method is kept ("incomplete"), and nothing of limits, of time and
//! memory, which another run may not meet. The ladder is climbed before: what is known of the query by
//! now is an answer. An audit asks the solver.

use super::whole::{Rest, Whole};
use super::{Last, Session, SessionOptions};
use crate::identity;
use crate::stack::Unscoped;
use crate::verbatim::{Speaker, Text};
use evergreen_canon::{KeyBytes, digest};
use evergreen_reuse::Reuse;
use evergreen_solver::{Kind, Limits};
use evergreen_store::Key;
use std::cell::Cell;
use std::time::Duration;

/// Words of reasons that are the same in each run. cvc5 has other ones for its limits.
const LASTING: [&str; 2] = ["incomplete", "unknown_reason"];
/// The least time that z3's strategies give one of theirs.
const STRATEGY: Duration = Duration::from_secs(1);
/// Under this there is something, if the store has any of this: where it has none, no check that misses pays
/// for a look.
const ANY: &[u8] = b"evergreen surrendered any 1";
/// Text is digested in pieces of this length.
const PIECE: usize = 1 << 16;

/// Everything that was said since the session began, or since its last reset.
#[derive(Default)]
pub(super) struct Transcript {
    /// Whether the store has any of this, once that was looked for.
    any: Cell<Option<bool>>,
    /// The digest of what came before `open`.
    before: KeyBytes,
    open: Vec<u8>,
}

impl Transcript {
    /// Adds a command.
    pub(super) fn add(&mut self, command: &[u8]) {
        self.open.extend((command.len() as u64).to_le_bytes());
        self.open.extend(command);
        if self.open.len() >= PIECE {
            self.fold();
        }
    }

    /// The digest of all of it. Another run asks at other times, so asking leaves no trace.
    pub(super) fn digest(&self) -> KeyBytes {
        digest(&[&self.before[..], &self.open].concat())
    }

    /// Begins anew.
    pub(super) fn reset(&mut self) {
        self.open.clear();
        self.before = KeyBytes::default();
    }

    fn fold(&mut self) {
        self.before = self.digest();
        self.open.clear();
    }
}

/// The script up to here, and all that makes its solver say what it says.
#[derive(Clone, Copy)]
pub(super) struct Script<'a> {
    pub(super) options: &'a SessionOptions,
    pub(super) transcript: &'a Transcript,
    pub(super) speaker: &'a Speaker,
    /// What is in force and may have been said before the last reset.
    pub(super) introduction: &'a [Unscoped],
    pub(super) whole: Option<&'a Whole>,
}

/// What a solver says of a script.
#[derive(Clone, Copy)]
enum About {
    /// Why it gives up the last check.
    Reason,
    /// What it prints for the file, from here to its end.
    Rest,
}

/// What came of a look into the store.
#[derive(Default)]
pub(super) struct Looked {
    /// The solver was about to be asked.
    is_missing: bool,
    /// The reply to a question for the reason, if it was found.
    reply: Option<String>,
    /// What the solver prints for the rest of the file, if that was found.
    rest: Option<Rest>,
}

impl Looked {
    /// The reason, if the solver has given the check up in an earlier run, or nothing to wait for, if all
    /// that it prints from here on is known.
    pub(super) fn look(&mut self, script: &Script<'_>) -> Option<String> {
        self.rest = script.rest();
        if self.rest.is_some() {
            return Some(String::new());
        }
        self.is_missing = true;
        self.reply = script.remembered(&script.known_key(About::Reason)?);
        self.reply.as_deref().map(|reply| reason(reply).to_string())
    }

    /// Whether a reason was found.
    pub(super) fn is_known(&self) -> bool {
        self.reply.is_some()
    }

    /// The rest of the file, if it was found.
    pub(super) fn take_rest(&mut self) -> Option<Rest> {
        self.rest.take()
    }
}

impl Script<'_> {
    /// Where it belongs, if the store may have it.
    fn known_key(&self, about: About) -> Option<Key> {
        let store = self.options.store.as_ref()?;
        let has_any = || matches!(store.get(&Key(digest(ANY))), Ok(Some(_)));
        let any = self.transcript.any.get().unwrap_or_else(has_any);
        self.transcript.any.set(Some(any));
        if any { self.key(about) } else { None }
    }

    /// Where it belongs.
    fn key(&self, about: About) -> Option<Key> {
        let (engine, solver) = (&self.options.engine, &self.options.solver);
        let is_reused = engine.reuse != Reuse::None && engine.strict.is_none() && engine.audit == 0.0;
        // Without a store there is nothing to digest for.
        if !is_reused || self.options.store.is_none() || solver.is_none() {
            return None;
        }
        let mut text = match about {
            About::Reason if !gives_reasons(solver.kind) => return None,
            About::Reason => Text::of("evergreen surrendered 1"),
            About::Rest => {
                let whole = self.whole.filter(|whole| whole.is_alone())?;
                let mut text = Text::of("evergreen rest 1");
                text.add(whole.digest());
                text.add(whole.shown().as_bytes());
                text
            }
        };
        text.add(&self.speaker.introduction().bytes());
        solver.args.iter().for_each(|arg| text.add(arg.as_bytes()));
        text.end();
        self.introduction.iter().for_each(|said| text.add(said.command.as_bytes()));
        text.end();
        text.add(&self.transcript.digest());
        Some(Key(digest(&text.bytes())))
    }

    fn remembered(&self, key: &Key) -> Option<String> {
        let (bytes, origin) = self.options.store.as_ref()?.get_from(key).ok()??;
        identity::decode(&bytes).filter(|_| self.options.engine.trust.trusts(origin))
    }

    fn remember(&self, key: &Key, text: &str) {
        if let (Some(store), false) = (&self.options.store, self.options.engine.require_hit) {
            let _ = store.put(key, &identity::encode(text));
            let _ = store.put(&Key(digest(ANY)), &identity::encode(""));
            self.transcript.any.set(Some(true));
        }
    }

    /// Whether time can have had no part in an answer that took so long: neither that of a limit, nor that
    /// which z3 gives its own strategies where there are no quantifiers.
    fn is_in_time(&self, reply: &str, took: Duration) -> bool {
        let said = self.introduction.iter().map(|said| said.command.as_str());
        let said = said.filter(|said| said.starts_with("(set-option"));
        let given = self.options.solver.args.iter().map(String::as_str);
        let limits = said.chain(given).filter_map(limit).chain(self.options.limits.time());
        let own = (!reply.contains("quantifiers")).then_some(STRATEGY);
        limits.chain(own).all(|limit| limit.is_zero() || took < limit / 4)
    }

    /// What the solver has printed for the rest of this file in an earlier run.
    pub(super) fn rest(&self) -> Option<Rest> {
        Rest::from_record(&self.remembered(&self.known_key(About::Rest)?)?)
    }

    /// Keeps what the solver prints for the rest of this file.
    pub(super) fn note_rest(&self, rest: &Rest) {
        let said = self.introduction.iter().map(|said| said.command.as_str());
        let said = said.filter(|said| said.starts_with("(set-option"));
        let given = self.options.solver.args.iter().map(String::as_str);
        let is_open = self.options.limits != Limits::default() || given.chain(said).any(is_open_ended);
        if !is_open
            && rest.lasts()
            && let Some(key) = self.key(About::Rest)
        {
            self.remember(&key, &rest.to_record());
        }
    }
}

/// The time limit that a flag or an option sets, one that cannot be read as none at all. z3's `-T:` counts
/// seconds.
fn limit(said: &str) -> Option<Duration> {
    let said = said.to_ascii_lowercase();
    let is_limit = ["timeout", "tlimit", "time-limit"].iter().any(|word| said.contains(word));
    if !is_limit && !said.starts_with("-t:") {
        return None;
    }
    let number = said.trim_end_matches(|c: char| !c.is_ascii_digit());
    let digits = number.len() - number.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    Some(Duration::from_millis(number[number.len() - digits..].parse().unwrap_or(1)))
}

/// Whether a flag or an option makes what a solver prints depend on the run, or has it write elsewhere.
fn is_open_ended(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    ["limit", "time", "memory", "stat", "verb", "channel", "file", "dump", "trace"]
        .iter()
        .any(|word| said.contains(word))
        || said == "-v"
        || said.starts_with("-t")
}

impl Session {
    /// Notes that the last check is unknown, after the store was looked into for that: what it has, or what
    /// the solver says now.
    pub(super) fn surrender(&mut self, reason: String, looked: Looked, took: Duration) {
        let is_new = looked.is_missing && looked.reply.is_none();
        self.last = Last::Unknown { reason, reply: looked.reply };
        if !is_new || self.live.checked != Some(self.check) || !gives_reasons(self.options.solver.kind) {
            return;
        }
        // A solver that does not say why has no reason that lasts.
        let Ok(reply) = self.live.ask("(get-info :reason-unknown)") else { return };
        let lasts = LASTING.iter().any(|word| reply.contains(word)) && self.script().is_in_time(&reply, took);
        if reply.starts_with("(:reason-unknown") && lasts {
            let Some(key) = self.script().key(About::Reason) else { return };
            self.script().remember(&key, &reply);
            if let Last::Unknown { reply: known, .. } = &mut self.last {
                *known = Some(reply);
            }
        }
    }

    /// The script up to here.
    pub(super) fn script(&self) -> Script<'_> {
        Script {
            options: &self.options,
            transcript: &self.transcript,
            speaker: &self.speaker,
            introduction: &self.stack.unscoped,
            whole: self.whole.as_ref(),
        }
    }

    /// Whether the last check is one that the solver gives up in each run.
    pub(super) fn is_surrendered(&self) -> bool {
        matches!(&self.last, Last::Unknown { reply: Some(_), .. })
    }
}

/// Whether a solver says why it has given up, and its method is the same in each run.
fn gives_reasons(kind: Kind) -> bool {
    matches!(kind, Kind::Z3 | Kind::Cvc5)
}

/// The reason within a reply: `(:reason-unknown "(incomplete quantifiers)")`, `(:reason-unknown incomplete)`.
fn reason(reply: &str) -> &str {
    let inside = reply.trim().trim_start_matches("(:reason-unknown").trim_end_matches(')').trim();
    inside.trim_matches('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_from_options_and_flags() {
        let of = |said| limit(said).map(|limit| limit.as_millis());
        assert_eq!(of("(set-option :timeout 30000)"), Some(30_000));
        assert_eq!(of("--tlimit-per=50"), Some(50));
        assert_eq!(of("-t:20"), Some(20));
        // In seconds, so it is longer than this: nothing is kept that might be kept.
        assert_eq!(of("-T:20"), Some(20));
        assert_eq!(of("--tlimit"), Some(1));
        assert_eq!(of("(set-option :rlimit 5000)"), None);
        assert_eq!(of("smt.random_seed=7"), None);
    }

    #[test]
    fn a_transcript_is_the_same_however_it_is_cut() {
        let (mut one, mut other) = (Transcript::default(), Transcript::default());
        let long = vec![b'x'; PIECE / 3];
        for n in 0..10 {
            one.add(&long);
            other.add(&long);
            // Asking in between changes nothing.
            assert_eq!(one.digest(), one.digest());
            assert_eq!(one.digest(), other.digest(), "{n}");
        }
        one.add(b"(check-sat)");
        other.add(b"(check-sat");
        assert_ne!(one.digest(), other.digest());
        one.reset();
        assert_eq!(one.digest(), Transcript::default().digest());
    }
}
