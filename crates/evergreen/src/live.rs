//! The real solver behind a session: started when it is needed, and brought up to date with the live stack
//! when it is asked.
//!
//! Between two misses the client may have pushed, popped and asserted at will. [`Live::sync`] brings the
//! solver's stack to the client's with the least telling: it pops to the deepest frame that both have in
//! common and pushes the rest.
//!
//! A second such process finds cores ([`Telling::Named`]): there every assertion has a name. The first one
//! cannot do that on the side, because names and cores change how a solver goes about its work, and so what
//! the client sees.

use crate::stack::{Frame, Said, Stack};
use evergreen_solver::{Command, Kind, Limits, Mode, Process, SolverError, answer};
use evergreen_term::{Fun, Op, TermId, Terms};
use std::time::Duration;

/// A frame of the solver's stack.
#[derive(Clone, Debug)]
struct Sent {
    id: u64,
    commands: usize,
    /// The constants that its axioms hold under ([`guarded`]).
    guards: Vec<String>,
}

impl Sent {
    fn new(id: u64) -> Sent {
        Sent { id, commands: 0, guards: Vec::new() }
    }
}

/// The id of a frame that only the solver has: values that were given out already are asserted in it.
const PINNED: u64 = u64::MAX;
/// The id of a frame that the client's stack has no more, at the bottom of the solver's.
const GONE: u64 = u64::MAX - 1;

/// How a stack is sent to a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Telling {
    /// As the client wrote it.
    AsIs,
    /// With a name for every assertion and with cores, without what an unsat does not depend on.
    Named,
}

/// Options of a stack that is sent with names; the client's own setting of the first gives way.
const CORES: &str = ":produce-unsat-cores";
/// Commands that an unsat does not depend on.
const BESIDE: [&str; 3] = ["assert-soft", "minimize", "maximize"];

/// The name of an assertion that the client did not name.
pub(crate) fn assertion_name(frame: u64, command: usize) -> String {
    format!("evergreen!{frame}!{command}")
}

/// A solver process that mirrors a stack.
pub(crate) struct Live {
    command: Command,
    limits: Limits,
    telling: Telling,
    /// The time limit for each question, in place of the process's own.
    pub(crate) patience: Option<Duration>,
    process: Option<Process>,
    sent: Vec<Sent>,
    unscoped: usize,
    pub(crate) starts: u64,
    /// The check that the solver has answered last, if its state is still that of the answer.
    pub(crate) checked: Option<u64>,
    pub(crate) extras: Extras,
    /// The process has refused a question of ours, which the exit codes of some solvers tell.
    pub(crate) is_refused: bool,
    /// How the process is started, and what it is told first.
    manner: Manner,
    /// The line of the process's input where its last question began.
    began: Option<usize>,
    /// Called before the process is waited for.
    pub(crate) shows: Option<Box<dyn Fn()>>,
}

/// How a process is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// For any number of checks, with models.
    Many,
    /// For one check, with models.
    Once,
    /// Exactly as the client would have; whether the client wants models.
    AsClient { models: bool },
}

/// Whether the process was asked for what the client has not asked for: a model or a core that is kept with a
/// verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extras {
    /// Not yet.
    Unasked,
    /// It was.
    Asked,
    /// It must not be: a process that was asked has died in a later check.
    Forbidden,
}

/// What the solver printed while it read the stack.
#[derive(Default, Debug)]
pub(crate) struct Complaints {
    /// About declarations and assertions: they have no effect in the solver.
    pub(crate) errors: String,
    /// About options: noted, and otherwise ignored.
    pub(crate) remarks: String,
}

impl Live {
    pub(crate) fn new(command: Command, limits: Limits, telling: Telling) -> Live {
        Live {
            command,
            limits,
            telling,
            patience: None,
            process: None,
            sent: Vec::new(),
            unscoped: 0,
            starts: 0,
            checked: None,
            extras: Extras::Unasked,
            is_refused: false,
            manner: Manner::Many,
            began: None,
            shows: None,
        }
    }

    pub(crate) fn command(&self) -> &Command {
        &self.command
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    pub(crate) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::pid)
    }

    /// Has the next process started in that manner; one that was started in another is let go.
    pub(crate) fn set_manner(&mut self, manner: Manner) {
        if self.manner != manner {
            self.manner = manner;
            self.stop();
        }
    }

    pub(crate) fn manner(&self) -> Manner {
        self.manner
    }

    /// Lets go of the process; the next need starts another one.
    pub(crate) fn stop(&mut self) {
        self.process = None;
        self.sent.clear();
        self.unscoped = 0;
        self.checked = None;
        self.is_refused = false;
        if self.extras == Extras::Asked {
            self.extras = Extras::Unasked;
        }
    }

    /// Notes that the client has reset everything. The process stays, and is reset when it is needed again: a
    /// client that resets between its queries has one process, as it would without us.
    pub(crate) fn reset(&mut self) {
        if self.process.is_none() {
            return self.stop();
        }
        self.sent = vec![Sent::new(GONE)];
        self.unscoped = 0;
        self.checked = None;
    }

    /// Ends the process in an orderly way; its exit code, if it was running.
    pub(crate) fn finish(&mut self) -> Option<i32> {
        let process = self.process.take()?;
        let is_refused = self.is_refused;
        self.stop();
        process.finish().and_then(|status| status.code()).filter(|_| !is_refused)
    }

    /// Lets what was printed so far be seen.
    pub(crate) fn show(&self) {
        if let Some(show) = &self.shows {
            show();
        }
    }

    fn running(&mut self) -> Result<&mut Process, SolverError> {
        self.show();
        if self.process.is_none() {
            let mode = match self.manner {
                Manner::Many => Mode::Interactive,
                Manner::Once => Mode::Once,
                Manner::AsClient { .. } => Mode::AsGiven,
            };
            let mut process = Process::start(&self.command, mode, &self.limits)?;
            self.starts += 1;
            process.tell(self.setup())?;
            self.process = Some(process);
        }
        Ok(self.process.as_mut().expect("started just now"))
    }

    /// What a new solver reads first.
    fn setup(&self) -> &'static str {
        match self.telling {
            Telling::AsIs if self.manner == (Manner::AsClient { models: false }) => "",
            // Models are wanted after every sat; they cannot be asked for later than now.
            Telling::AsIs => "(set-option :produce-models true)\n",
            Telling::Named => "(set-option :produce-unsat-cores true)\n",
        }
    }

    /// Asks the solver as it is, and drops it when it fails.
    pub(crate) fn ask(&mut self, text: &str) -> Result<String, SolverError> {
        let answer = {
            let patience = self.patience;
            let process = self.running()?;
            let answer = process.ask(text, patience);
            self.began = self.process.as_ref().and_then(Process::began);
            answer
        };
        if answer.is_err() {
            self.stop();
        }
        answer
    }

    /// The line where the last question began, as the process counts them.
    pub(crate) fn began(&self) -> Option<usize> {
        self.began
    }

    /// Brings the solver's stack to the client's.
    pub(crate) fn sync(&mut self, stack: &Stack) -> Result<Complaints, SolverError> {
        let mut complaints = Complaints::default();
        self.running()?;
        let mut text = String::new();
        let keep = self.common(stack);
        if keep < self.sent.len() {
            // With nothing in common even the bottom frame differs: only a reset clears that one.
            if keep == 0 {
                text.push_str("(reset)\n(set-option :print-success false)\n");
                text.push_str(self.setup());
                self.sent.clear();
                self.unscoped = 0;
            } else {
                text.push_str(&format!("(pop {})\n", self.sent.len() - keep));
                self.sent.truncate(keep);
            }
            self.checked = None;
        }
        let unscoped = &stack.unscoped[self.unscoped..];
        self.unscoped = stack.unscoped.len();
        let (mut options, mut global) = (String::new(), String::new());
        for u in unscoped {
            if self.telling == Telling::Named && !u.declares && u.command.contains(CORES) {
                continue;
            }
            let target = if u.declares { &mut global } else { &mut options };
            target.push_str(&u.command);
            target.push('\n');
        }
        text.push_str(&options);
        if !text.is_empty() {
            complaints.remarks = self.ask(&text)?;
        }
        // The lowest frame that is sent something now; declarations that no `pop` undoes belong to the
        // bottom.
        let mut lowest = if global.is_empty() { usize::MAX } else { 0 };
        let mut text = global;
        for (depth, frame) in stack.frames.iter().enumerate() {
            if depth >= self.sent.len() {
                if depth > 0 {
                    text.push_str("(push 1)\n");
                }
                self.sent.push(Sent::new(frame.id));
            }
            let sent = self.sent[depth].commands;
            // Measured for z3, whose cores are known to have both.
            let mut guards = Some(&mut self.sent[depth].guards).filter(|_| self.command.kind == Kind::Z3);
            for (i, command) in frame.commands.iter().enumerate().skip(sent) {
                lowest = lowest.min(depth);
                match self.telling {
                    Telling::AsIs => text.push_str(command.text()),
                    Telling::Named => push_named(&mut text, frame, i, &mut guards),
                }
                text.push('\n');
            }
            self.sent[depth].commands = frame.commands.len();
        }
        if !text.is_empty() {
            self.checked = None;
            complaints.errors = self.ask(&text)?;
        }
        if self.telling == Telling::AsIs && !complaints.errors.trim().is_empty() {
            // From here on the solver answers about fewer assertions than we know: those answers are its own.
            stack.frames.iter().skip(lowest).for_each(|frame| frame.opaque.set(true));
        }
        Ok(complaints)
    }

    /// The command that checks what was sent with names.
    pub(crate) fn named_check(&self) -> String {
        let guards: Vec<&str> = self.sent.iter().flat_map(|sent| &sent.guards).map(String::as_str).collect();
        match guards[..] {
            [] => "(check-sat)".to_string(),
            _ => format!("(check-sat-assuming ({}))", guards.join(" ")),
        }
    }

    /// How many frames of the solver's stack can stay: same frames, all but the last of them sent completely.
    fn common(&self, stack: &Stack) -> usize {
        let mut keep = 0;
        for (sent, frame) in self.sent.iter().zip(&stack.frames) {
            if sent.id != frame.id || sent.commands > frame.commands.len() {
                break;
            }
            keep += 1;
            if sent.commands < frame.commands.len() {
                break;
            }
        }
        keep
    }

    /// Asserts values in a frame of their own, which the next sync removes.
    pub(crate) fn pin(&mut self, equalities: &str) -> Result<(), SolverError> {
        self.ask(&format!("(push 1)\n{equalities}"))?;
        self.sent.push(Sent::new(PINNED));
        self.checked = None;
        Ok(())
    }
}

impl Live {
    /// Notes that the next option of the stack is one that the solver has taken already.
    pub(crate) fn took_option(&mut self) {
        self.unscoped += 1;
        self.checked = None;
    }

    /// Notes a command that the solver has taken already, so that it is sent again only to a new process.
    pub(crate) fn took(&mut self, stack: &mut Stack, command: &str) {
        stack.top().commands.push(Said::Command(command.to_string()));
        if let Some(top) = self.sent.last_mut() {
            top.commands += 1;
        }
        self.checked = None;
    }
}

/// The term of an assertion, after a space.
fn asserted(command: &str) -> Option<String> {
    match answer::items(command)?[..] {
        ["assert", body] => Some(format!(" {body}")),
        _ => None,
    }
}

/// Conjunctions below so many others are not taken apart.
const MOST_NESTED: u32 = 48;
/// Longer texts are not taken apart.
const LONGEST_TAKEN_APART: usize = 1 << 16;

/// Where the constants of guarded axioms are noted; `None` where none are guarded.
type Guards<'g> = Option<&'g mut Vec<String>>;

/// Asserts a term with a name; of a conjunction each member, named after its place and how many there are.
/// Verifiers assert what they know of many functions as one conjunction, of which a proof needs little.
fn push_conjuncts(text: &mut String, body: &str, name: &str, nested: u32, guards: &mut Guards<'_>) {
    if nested > 0 && body.len() <= LONGEST_TAKEN_APART && body.starts_with("(and") {
        let items = answer::items(body).unwrap_or_default();
        if let ["and", conjuncts @ ..] = &items[..]
            && !conjuncts.is_empty()
        {
            for (i, conjunct) in conjuncts.iter().enumerate() {
                let name = format!("{name}!{i}.{}", conjuncts.len());
                push_conjuncts(text, conjunct, &name, nested - 1, guards);
            }
            return;
        }
    }
    match (guards.as_deref_mut(), guarded(body, name)) {
        (Some(guards), Some(axiom)) => {
            text.push_str(&format!("(declare-const {name} Bool)(assert {axiom})"));
            guards.push(name.to_string());
        }
        _ => text.push_str(&format!("(assert (! {body} :named {name}))")),
    }
}

/// A quantified term that holds under a constant, which the check assumes: `forall x. n => p` for `p` named
/// `n`. A core is a set of these constants then. With a name z3 makes a literal of the whole quantifier,
/// which costs it more: 17 conditions of Dafny take 1.21 times as long with names and 1.10 times in this way.
fn guarded(body: &str, name: &str) -> Option<String> {
    let inside = body.strip_prefix("(forall")?.strip_suffix(')')?;
    let [variables, scope] = answer::expressions(inside)?[..] else { return None };
    let is_annotated = |rest: &&str| rest.starts_with(|c: char| c.is_whitespace() || c == '(');
    let Some(annotated) = scope.strip_prefix("(!").filter(is_annotated) else {
        return Some(format!("(forall {variables} (=> {name} {scope}))"));
    };
    let term = *answer::expressions(annotated.strip_suffix(')')?)?.first()?;
    // The attributes are what comes after the term, up to the end.
    let attributes = &scope[term.as_ptr() as usize - scope.as_ptr() as usize + term.len()..];
    Some(format!("(forall {variables} (! (=> {name} {term}){attributes})"))
}

/// The term behind the name of a conjunct, given the term of the assertion and the name's rest; `None` unless
/// the term has the structure of the name.
pub(crate) fn conjunct(terms: &Terms, mut term: TermId, path: &str) -> Option<TermId> {
    for step in path.split('!').skip(1) {
        let (place, count) = step.split_once('.')?;
        let (place, count): (usize, usize) = (place.parse().ok()?, count.parse().ok()?);
        let args = terms.args(term);
        if terms.op(term) != Op::Fun(Fun::And) || args.len() != count {
            return None;
        }
        term = *args.get(place)?;
    }
    Some(term)
}

/// Appends a command of a frame, an assertion with a name or under a constant of that name.
fn push_named(text: &mut String, frame: &Frame, command: usize, guards: &mut Guards<'_>) {
    let source = match &frame.commands[command] {
        Said::Command(source) => source,
        Said::Cells(cells) => {
            let bodies: String = cells.commands().filter_map(asserted).collect();
            let name = assertion_name(frame.id, command);
            text.push_str(&format!("(assert (! (and{bodies}) :named {name}))"));
            return;
        }
    };
    if frame.is_unnamed(command)
        && let Some(body) = body_of(source)
    {
        return push_conjuncts(text, body, &assertion_name(frame.id, command), MOST_NESTED, guards);
    }
    if !BESIDE.iter().any(|word| source.starts_with('(') && source[1..].trim_start().starts_with(word)) {
        text.push_str(source);
    }
}

/// The text of an assertion's term, with any comments around it. That it is an assertion of one term is
/// known; reading it once more would cost as much as all else about a script with 500 of them.
fn body_of(source: &str) -> Option<&str> {
    let inside = source.trim_end().strip_prefix("(assert")?.strip_suffix(')')?;
    let body = inside.trim();
    // The last line may be a comment; the parenthesis that was cut off stood on one of its own.
    let is_plain = !inside.contains(';') && inside.starts_with([' ', '\t', '\r', '\n', '(']);
    if is_plain {
        return Some(body);
    }
    match answer::items(source)?[..] {
        ["assert", body] => Some(body),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axioms_hold_under_a_constant() {
        for (axiom, expected) in [
            ("(forall ((x Int)) (p x))", "(forall ((x Int)) (=> n (p x)))"),
            (
                "(forall ((x Int) (y |a (b|)) (! (p x y) :pattern ((f x)) :qid |q(|))",
                "(forall ((x Int) (y |a (b|)) (! (=> n (p x y)) :pattern ((f x)) :qid |q(|))",
            ),
            (
                "(forall ((x Int)) (!\n(p x) ; so (\n:weight 3 ))",
                "(forall ((x Int)) (! (=> n (p x)) ; so (\n:weight 3 ))",
            ),
            ("(forall ((x Bool)) (! x :qid q))", "(forall ((x Bool)) (! (=> n x) :qid q))"),
            ("(forall ((x Int)) (!p x))", "(forall ((x Int)) (=> n (!p x)))"),
            (
                "(forall ((x Int))\n  ; none\n  (let ((a x)) (p a)))",
                "(forall ((x Int)) (=> n (let ((a x)) (p a))))",
            ),
        ] {
            assert_eq!(guarded(axiom, "n").as_deref(), Some(expected));
        }
        for other in
            ["(forallx ((x Int)) (p x))", "(exists ((x Int)) (p x))", "(p x)", "p", "(forall ((x Int)))"]
        {
            assert_eq!(guarded(other, "n"), None, "{other}");
        }
    }
}
