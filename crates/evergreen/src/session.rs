//! A script, command by command: behaves as the solver that it stands in for, and asks it only what is new.
//!
//! Declarations and assertions are kept ([`Stack`]); a check goes to the reuse engine; the real solver
//! ([`Live`]) is started when something misses, or when the client asks for what only a solver has (a proof,
//! a tactic's result, a command that we do not understand). From then on it is synced lazily, whenever it is
//! needed again.

mod channel;
mod check;
mod cores;
mod introduction;
mod labels;
mod late;
mod logics;
mod models;
mod places;
mod refusals;
mod relay;
mod renewal;
mod repeated;
mod statistics;
mod surrendered;
mod thrift;
mod told;
mod trail;
mod unaided;
mod whole;

pub use whole::asks_once;

use crate::backend::PartsBackend;
use crate::elements::Elements;
use crate::founded::is_axiom_among;
use crate::live::{Live, Manner, Telling};
use crate::stack::{Recursion, Said, Stack};
use crate::verbatim::Speaker;
use evergreen_canon::{Aside, FEWEST_CELLS, KeyBytes};
use evergreen_reuse::{Core, Engine, Stats};
use evergreen_smtlib::{
    Cells, Command, Context, Diagnostic, Input, Piece, PieceKind, Position, Run, Splitter, Tape,
};
use evergreen_solver::{Command as SolverCommand, Kind, Limits};
use evergreen_term::{Model, TermId, Terms, Value};
use introduction::Introduced;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// How a session behaves.
#[derive(Clone)]
pub struct SessionOptions {
    /// The solver that it stands in for.
    pub solver: SolverCommand,
    /// What the solver may use.
    pub limits: Limits,
    /// Stages of the reuse engine.
    pub engine: evergreen_reuse::Options,
    /// Where answers are kept.
    pub store: Option<Arc<dyn evergreen_store::Store>>,
    /// The name of the script in messages.
    pub file: String,
}

/// The last check and what is known of it.
enum Last {
    /// Nothing was checked since the assertions changed.
    None,
    Sat {
        /// Values, when the answer was reused with a model.
        model: Option<Model>,
        /// The answer was reused, and its values were not put together yet.
        is_deferred: bool,
        /// Whether values of this model have been given out, and of which terms, as the client wrote them: a
        /// solver is held to these.
        given: Option<Given>,
        /// Whether the verdict was reused: then a record without a model may learn one.
        reused: bool,
    },
    Unsat {
        /// Constraints of a core, when one is known.
        core: Option<Core>,
        /// Whether the verdict was reused: then a record without a core may learn one.
        reused: bool,
    },
    Unknown {
        /// Why, as the solver says it.
        reason: String,
        /// The solver's whole reply to a question for the reason, where it is remembered.
        reply: Option<String>,
    },
}

/// Values that were given out, with the texts of their terms.
#[derive(Default)]
struct Given {
    /// The texts, one behind the other.
    text: String,
    /// Where each of them ends, and the value.
    values: Vec<(usize, Value)>,
}

impl Given {
    fn push(&mut self, source: &str, value: Value) {
        if self.values.is_empty() {
            self.text.reserve(1 << 9);
            self.values.reserve(1 << 4);
        }
        self.text.push_str(source);
        self.values.push((self.text.len(), value));
    }

    fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let mut start = 0;
        self.values.iter().map(move |(end, value)| {
            let source = &self.text[start..*end];
            start = *end;
            (source, value)
        })
    }
}

/// Counters of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionStats {
    /// What the engine did.
    pub engine: Stats,
    /// Solver processes started.
    pub solver_starts: u64,
    /// Checks that went past the engine, because something in the script was not understood.
    pub passed_through: u64,
    /// Commands that were not understood.
    pub opaque_commands: u64,
}

impl SessionStats {
    /// All checks and counts: those that the engine was asked, each under who answered, and those that went
    /// past it.
    pub fn queries(&self) -> u64 {
        self.engine.answered.total() + self.passed_through
    }

    /// Checks that a solver answered.
    pub fn solved(&self) -> u64 {
        self.engine.answered.solved() + self.passed_through
    }
}

/// What a command leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The next command.
    Continue,
    /// The end, with that exit code.
    Exit(i32),
}

/// Something worth telling a person, beside what the solver would print.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// A solver process was started: its command.
    Started(String),
    /// Something in the script was not understood: the place, with a caret.
    Complaint(String),
    /// A solver failed.
    Trouble(String),
    /// A solver ended in place of answering.
    Died(String),
    /// There is no solver program and a check was not decided: the theory that it needs.
    Undecided(String),
    /// Only reuse was allowed and did not suffice: the query.
    Missed(String),
    /// An audit found a reused answer that the solver contradicts: the query.
    Contradicted(String),
    /// What the solver wrote to its standard error, where it ran in the client's own manner.
    Said(String),
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Remark::Started(command) => write!(f, "started solver {command}"),
            Remark::Undecided(reason) => {
                write!(f, "a check is unknown, since there is no solver program: {reason}")
            }
            Remark::Complaint(text)
            | Remark::Trouble(text)
            | Remark::Died(text)
            | Remark::Missed(text)
            | Remark::Said(text)
            | Remark::Contradicted(text) => f.write_str(text),
        }
    }
}

/// What the script begins with that has arrived.
enum Start {
    /// A run of cells of one array.
    Cells(Rc<Cells>),
    /// A command, and its length.
    Command(Command, usize),
    /// A run of cells that may go on in what has not arrived.
    Cut,
    /// Something else, or not all of it.
    Other,
}

/// Where remarks go.
type Log = Box<dyn FnMut(&Remark)>;

/// A script being run.
pub struct Session {
    /// What has arrived of the script and is not run yet.
    arrived: Splitter,
    terms: Terms,
    context: Context,
    engine: Engine,
    stack: Stack,
    live: Live,
    /// What was satisfiable at an earlier check.
    trail: trail::Trail,
    /// Finds cores of what the solver has found unsatisfiable.
    finder: cores::Finder,
    side: Option<PartsBackend>,
    options: SessionOptions,
    /// The solver's name in records.
    solver_name: String,
    last: Last,
    /// Counts checks; `Live::checked` refers to it.
    check: u64,
    /// The text of the last check command, to be repeated to the solver when it is needed after all.
    check_text: String,
    /// The assumptions of the last check, with their source texts.
    assumptions: Vec<(TermId, String)>,
    print_success: bool,
    /// The flags say so already.
    begins_with_success: bool,
    /// The verdict that the script expects.
    status: Option<&'static str>,
    thrift: thrift::Thrift,
    produce_cores: bool,
    produce_models: bool,
    /// What the client has said of that.
    models_said: Option<bool>,
    /// The client asks for values, also where it did not say before that it would.
    asks_values: bool,
    /// The solver, and what its options make of the script.
    speaker: Speaker,
    repeated: repeated::Repeated,
    renewal: renewal::Renewal,
    told: told::Told,
    transcript: surrendered::Transcript,
    /// Where answers go, if the script has said that they go elsewhere.
    channel: Option<channel::Channel>,
    /// Where the last command began that asks: its offset and its place.
    origin: (u64, Position),
    /// The line of the solver's input where that command was sent.
    asked_at: Option<usize>,
    /// The names of elements in answers about the last check.
    elements: Option<Elements>,
    /// The solver was asked whether it takes its flags.
    has_begun: bool,
    /// An option that may change the meaning was set when there was something on the stack already: only the
    /// solver knows what that means.
    is_mixed: bool,
    /// A command that is not understood came after a check, and may speak of what the solver found there.
    /// Then the text of the script does not say what later checks mean.
    is_entangled: bool,
    /// The solver was not asked yet what it thinks of a command that is not understood: the check will.
    is_waiting: bool,
    /// Whether something was checked since the last reset.
    has_checked: bool,
    /// Whether a level was opened since then: z3 goes about its work in another way from there on.
    is_incremental: bool,
    /// The script as a file, if it is one that the solver may be run on by itself.
    whole: Option<whole::Whole>,
    /// The script is a file, whose end the client awaits.
    is_file: bool,
    errors: bool,
    /// The exit code of a solver that ended in place of answering.
    death: Option<i32>,
    passed_through: u64,
    opaque_commands: u64,
    log: Option<Log>,
}

/// What keeps a command from being handed to a solver. Bytes that are no part of any token can make the
/// solver lose track of where commands end, and it would never answer. Names that are not UTF-8 would become
/// equal in our text where they are not in the client's; in comments and remarks that does no harm.
fn unsendable(text: &[u8]) -> Option<Diagnostic> {
    // In blocks, without an early end: so it takes vector instructions.
    let is_odd = |b: u8| !matches!(b, b' '..=b'~' | b'\t' | b'\n' | b'\r' | b'\x0c');
    if !text.chunks(64).any(|block| block.iter().fold(false, |odd, &b| odd | is_odd(b))) {
        return None;
    }
    let inside = text.strip_prefix(b"(").unwrap_or(text).trim_ascii_start();
    if inside.starts_with(b"set-info") {
        return None;
    }
    Tape::read(text).err()
}

/// Bytes as text. Nearly all of it is ASCII, which takes a fraction of the time this way.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The name of a solver in records.
fn name_of(solver: &SolverCommand) -> String {
    solver.program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether the solver may have to answer a command.
fn is_question(command: &Command) -> bool {
    !matches!(
        command,
        Command::Assert { .. }
            | Command::DeclareFun(_)
            | Command::DefineFun { .. }
            | Command::Push(_)
            | Command::Pop(_)
            | Command::CheckSat
            | Command::SetInfo { .. }
    )
}

/// Whether a command that could not be read opens levels.
fn is_push(text: &[u8]) -> bool {
    Tape::read(text).is_ok_and(|tape| tape.len() > 1 && tape.is_word(1, "push"))
}

impl Session {
    /// A session at the start of a script.
    pub fn new(mut options: SessionOptions) -> Session {
        let begins_with_success = late::takes_success(&mut options.solver);
        let mut terms = Terms::new();
        let context = renewal::context_for(&options.solver, &mut terms);
        Session {
            arrived: Splitter::new(),
            context,
            terms,
            engine: Engine::new(options.store.clone(), options.engine.clone()),
            stack: Stack::new(),
            live: Live::new(options.solver.clone(), options.limits.clone(), Telling::AsIs),
            trail: trail::Trail::default(),
            repeated: repeated::Repeated::new(),
            renewal: renewal::Renewal::default(),
            told: told::Told::default(),
            transcript: surrendered::Transcript::default(),
            channel: None,
            origin: (0, Position::START),
            asked_at: None,
            elements: None,
            has_begun: false,
            finder: cores::Finder::new(&options),
            side: None,
            speaker: Speaker::new(&options.solver, options.store.clone()),
            is_mixed: false,
            is_entangled: false,
            is_waiting: false,
            has_checked: false,
            is_incremental: false,
            solver_name: name_of(&options.solver),
            options,
            last: Last::None,
            check: 0,
            check_text: String::new(),
            assumptions: Vec::new(),
            print_success: begins_with_success,
            begins_with_success,
            status: None,
            thrift: thrift::Thrift::default(),
            produce_cores: false,
            produce_models: false,
            models_said: None,
            asks_values: false,
            whole: None,
            is_file: false,
            errors: false,
            death: None,
            passed_through: 0,
            opaque_commands: 0,
            log: None,
        }
    }

    /// Sends remarks to a function.
    pub fn on_remark(&mut self, log: impl FnMut(&Remark) + 'static) {
        self.log = Some(Box::new(log));
    }

    /// Calls a function where what earlier commands printed should be seen: before a remark, and before the
    /// solver that the session stands in for is waited for.
    pub fn on_show(&mut self, call: impl Fn() + 'static) {
        self.live.shows = Some(Box::new(call));
    }

    /// Counters so far.
    pub fn stats(&self) -> SessionStats {
        SessionStats {
            engine: self.engine.stats().clone(),
            solver_starts: self.live.starts
                + self.finder.starts()
                + self.side.as_ref().map_or(0, PartsBackend::starts),
            passed_through: self.passed_through,
            opaque_commands: self.opaque_commands,
        }
    }

    /// The events since the last call, if the engine keeps a log.
    pub fn take_events(&mut self) -> Vec<evergreen_reuse::Event> {
        self.engine.take_events()
    }

    /// The process id of the solver, while one is running.
    pub fn solver_process(&self) -> Option<u32> {
        self.live.process_id()
    }

    /// Starting a solver is what a warm run avoids: worth a line in the log.
    fn note_start(&mut self) {
        let command = self.live.command().to_string();
        self.remark(Remark::Started(command));
    }

    fn remark(&mut self, remark: Remark) {
        self.live.show();
        if let Some(log) = &mut self.log {
            log(&remark);
        }
    }

    /// Takes bytes of the script, as they arrive.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.arrived.feed(bytes);
    }

    /// No more bytes will arrive.
    pub fn end_of_input(&mut self) {
        self.arrived.finish();
    }

    /// The keys of the independent parts of what is asserted now; nothing is looked up or solved.
    pub fn keys(&mut self) -> Vec<KeyBytes> {
        let constraints = self.constraints();
        self.engine.keys(&mut self.terms, &constraints)
    }

    /// Runs the next command that has arrived whole; `None` if there is none yet.
    pub fn step(&mut self, out: &mut String) -> Option<Next> {
        if let Some(end) = self.begin(out) {
            return Some(end);
        }
        let mut arrived = std::mem::take(&mut self.arrived);
        let printed = out.len();
        let input = if arrived.is_finished() { Input::Ended } else { Input::Open };
        let start = arrived.rest().map_or(Start::Other, |text| self.read_start(text, input));
        let next = match start {
            Start::Cells(cells) => Some(self.assert_cells(&mut arrived, &cells)),
            Start::Command(command, length) => Some(self.run_read(command, &arrived.piece(length), out)),
            Start::Other => arrived.next_piece().map(|piece| self.run(&piece, out)),
            Start::Cut => None,
        };
        self.arrived = arrived;
        self.divert(printed, out);
        self.note_shown(&out[printed..]);
        next
    }

    /// What has arrived next, if it is read without looking for its end before.
    fn read_start(&mut self, text: &[u8], input: Input) -> Start {
        if let Some((term, length)) = self.repeated.assertion(text) {
            let (names, labelled) = (Vec::new(), Vec::new());
            return Start::Command(Command::Assert { term, label: None, names, labelled }, length);
        }
        match self.read_cells(text, input) {
            Run::Whole(cells) => Start::Cells(cells),
            Run::Cut => Start::Cut,
            Run::None => match self.context.read_start(&mut self.terms, text) {
                Some((command, length)) => Start::Command(command, length),
                None => Start::Other,
            },
        }
    }

    /// Runs a command that was read already. All of its bytes are of tokens that solvers know.
    fn run_read(&mut self, command: Command, piece: &Piece<'_>, out: &mut String) -> Next {
        self.find_last_core();
        self.transcript.add(piece.text);
        self.repeated.note(piece.text, &command);
        self.command(command, &text_of(piece.text), piece, out)
    }

    /// The run of cells of one array that has arrived next. A client that waits for `success` gets one for
    /// each command, as it arrives.
    fn read_cells(&mut self, text: &[u8], input: Input) -> Run {
        match self.print_success {
            true => Run::None,
            false => self.context.read_cells(&mut self.terms, text, input, FEWEST_CELLS),
        }
    }

    /// Asserts a run of cells: as a table, or one by one where they make none, because two of them contradict
    /// each other or because another form than the full one is asked for.
    fn assert_cells(&mut self, arrived: &mut Splitter, cells: &Rc<Cells>) -> Next {
        self.find_last_core();
        self.transcript.add(cells.text.as_bytes());
        self.repeated.lose();
        arrived.skip(cells.text.len());
        let (terms, canonizer) = (&mut self.terms, self.engine.canonizer());
        let gather = || canonizer.gather(terms, &cells.constraints).map(|table| table.term);
        match *cells.table.get_or_init(gather) {
            Some(table) => self.stack.assert_table(cells.clone(), table),
            None => {
                for (command, &term) in cells.commands().zip(&cells.constraints) {
                    self.stack.assert(command.to_string(), term, None, &[]);
                }
            }
        }
        self.last = Last::None;
        Next::Continue
    }

    /// Runs one piece of a script; what is to be printed is appended to `out`.
    fn run(&mut self, piece: &Piece<'_>, out: &mut String) -> Next {
        self.find_last_core();
        if piece.kind != PieceKind::Command {
            if let Some(complaint) = piece.complaint() {
                self.complain(&complaint, piece.text, piece.position(), out);
            }
            return Next::Continue;
        }
        if let Some(complaint) = unsendable(piece.text) {
            self.complain(&complaint, piece.text, piece.position(), out);
            return Next::Continue;
        }
        let text = text_of(piece.text);
        self.transcript.add(piece.text);
        self.thrift.read(piece.text.len());
        let read = self.context.read(&mut self.terms, piece.text);
        match &read {
            Ok(command) => self.repeated.note(piece.text, command),
            Err(_) => self.repeated.lose(),
        }
        match read {
            Ok(command) => self.command(command, &text, piece, out),
            // A solver that took such a command would count other levels than we do.
            Err(complaint) if is_push(piece.text) => {
                self.complain(&complaint, piece.text, piece.position(), out);
                Next::Continue
            }
            Err(complaint) => {
                self.begin_at(piece);
                self.not_understood(&text, Some((complaint, self.origin.1)), out)
            }
        }
    }

    /// Notes where a command begins that the solver may have to answer.
    fn begin_at(&mut self, piece: &Piece<'_>) {
        self.origin = (piece.offset, piece.position_from(self.origin));
        self.asked_at = None;
    }

    /// An error in the client's text that no solver needs to be asked about.
    fn complain(&mut self, complaint: &Diagnostic, text: &[u8], origin: Position, out: &mut String) {
        self.errors = true;
        let at = complaint.position(text, origin);
        let message = complaint.message.replace('"', "\"\"");
        out.push_str(&format!("(error \"line {} column {}: {message}\")\n", at.line, at.column));
        let rendered = complaint.render(&self.options.file.clone(), text, origin);
        self.remark(Remark::Complaint(rendered));
    }

    fn error(&mut self, message: &str, out: &mut String) {
        self.errors = true;
        out.push_str(&format!("(error \"{}\")\n", message.replace('"', "\"\"")));
    }

    fn success(&self, out: &mut String) {
        if self.print_success {
            out.push_str("success\n");
        }
    }

    fn command(&mut self, command: Command, text: &str, piece: &Piece<'_>, out: &mut String) -> Next {
        if is_question(&command) {
            self.begin_at(piece);
        }
        if let Some(next) = self.refused(&command, piece, out) {
            return next;
        }
        if self.lacks_logic(&command) {
            // It refuses this, and what it has in force from here on is its own.
            self.begin_at(piece);
            self.is_mixed = true;
            return self.not_understood(text, None, out);
        }
        match command {
            Command::SetOption { keyword, value } => {
                return self.set_option((&keyword, &value), text, piece, out);
            }
            Command::SetLogic(logic) => return self.set_logic(logic, text, piece, out),
            Command::SetInfo { keyword, value } => {
                // The solver would compare its own checks with it, and not ours.
                match keyword == ":status" && self.options.solver.kind != Kind::Other {
                    true => self.expect_status(&value),
                    false => self.stack.option(self.in_one_line(text)),
                }
                self.success(out);
            }
            Command::DeclareFun(symbol) => self.declare(text, &[symbol], out),
            Command::DeclareSort { .. }
            | Command::DefineSort(_)
            | Command::DefineFun { .. }
            | Command::DeclareDatatypes(_)
            | Command::DeclareHeap => self.declare(text, &[], out),
            Command::DefineFunsRec(symbols) => {
                self.declare(text, &[], out);
                let is_axiom = is_axiom_among(&self.terms, symbols);
                self.stack.note_recursive(if is_axiom { Recursion::Axiom } else { Recursion::Founded });
            }
            Command::Assert { term, label, names, labelled } => {
                self.stack.top().labelled.extend(labelled);
                self.stack.assert(text.to_string(), term, label, &names);
                self.last = Last::None;
                self.success(out);
            }
            Command::Minimize(term) | Command::Maximize(term) => {
                let kind = if matches!(command, Command::Minimize(_)) { "min" } else { "max" };
                self.stack.top().asides.push(Aside { role: kind.into(), term });
                self.send(text, out);
            }
            Command::AssertSoft(term) => {
                // Weight and identifier are in the text, and so is the term: sound, if less canonical.
                let role = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ").into_bytes();
                self.stack.top().asides.push(Aside { role, term });
                self.send(text, out);
            }
            Command::Push(levels) => {
                self.stack.push(levels);
                self.is_incremental = true;
                self.last = Last::None;
                self.success(out);
            }
            Command::Pop(levels) => {
                if self.stack.defines_above(levels) {
                    // A sort or function of the same name may come back with another meaning.
                    self.trail.clear();
                }
                if self.stack.pop(levels) {
                    self.success(out);
                } else {
                    self.error("pop: there are not that many levels", out);
                }
                self.last = Last::None;
                self.renew_if_large();
            }
            Command::Reset => {
                self.reset(out);
                self.renew_if_large();
            }
            Command::ResetAssertions => {
                if self.options.solver.kind == Kind::Z3 && self.stack.is_scoped() {
                    return self.reset_unknown(text, out);
                }
                self.stack.reset_assertions();
                self.trail.clear();
                self.live.stop();
                self.finder.stop();
                self.last = Last::None;
                self.success(out);
            }
            Command::CheckSat | Command::CheckSatUsing => {
                return self.check_as_expected(Vec::new(), text, piece, out);
            }
            Command::CheckSatAssuming(literals) => {
                let literals = literals
                    .into_iter()
                    .map(|s| (s.term, String::from_utf8_lossy(&piece.text[s.span]).into_owned()))
                    .collect();
                return self.check_as_expected(literals, text, piece, out);
            }
            Command::GetValue(asked) => return self.get_value(&asked, piece.text, text, out),
            Command::GetModel => return self.get_model(text, out),
            Command::Labels => return self.labels(text, out),
            Command::GetUnsatCore => return self.get_unsat_core(text, out),
            Command::GetUnsatAssumptions => return self.get_unsat_assumptions(text, out),
            Command::GetInfo(keyword) => return self.get_info(&keyword, text, out),
            Command::GetOption(keyword) => return self.get_option(&keyword, text, out),
            Command::Echo(message) => {
                // z3 and yices print the text, cvc5 and bitwuzla the string literal.
                match self.options.solver.kind {
                    Kind::Cvc5 | Kind::Bitwuzla => {
                        out.push_str(&format!("\"{}\"\n", message.replace('"', "\"\"")))
                    }
                    _ => out.push_str(&format!("{message}\n")),
                }
            }
            Command::Exit => {
                self.success(out);
                return Next::Exit(self.end(out));
            }
            Command::GetAssertions | Command::GetProof | Command::GetAssignment => {
                self.told.is_beyond = true;
                return self.relay_after_check(text, out);
            }
            Command::Opaque => return self.not_understood(text, None, out),
        }
        Next::Continue
    }

    fn declare(&mut self, text: &str, symbols: &[evergreen_term::SymbolId], out: &mut String) {
        self.stack.declare(text.to_string(), symbols);
        self.last = Last::None;
        self.success(out);
    }

    fn send(&mut self, text: &str, out: &mut String) {
        self.stack.top().commands.push(Said::Command(text.to_string()));
        self.last = Last::None;
        self.success(out);
    }

    fn reset(&mut self, out: &mut String) {
        let before = std::mem::take(&mut self.stack);
        self.trail.clear();
        self.repeated.reset();
        self.transcript.reset();
        (self.is_mixed, self.has_checked, self.is_entangled) = (false, false, false);
        self.is_incremental = false;
        match self.options.solver.kind {
            // z3's parameters belong to the process, and outlive a reset.
            Kind::Z3 => before.odd_options().for_each(|option| self.stack.odd_option(option.to_string())),
            _ => self.speaker.reset(),
        }
        // A process that was started for one check, or as the client would have, is none for what follows;
        // and Bitwuzla 0.9 fails over what it had before a reset.
        let resets = matches!(self.options.solver.kind, Kind::Z3 | Kind::Cvc5 | Kind::Yices);
        match resets && self.live.manner() == Manner::Many {
            true => {
                self.live.reset();
                self.finder.reset();
            }
            false => {
                self.live.stop();
                self.finder.stop();
            }
        }
        self.last = Last::None;
        (self.produce_cores, self.produce_models, self.models_said) = (false, false, None);
        self.status = None;
        let success = std::mem::replace(&mut self.print_success, self.begins_with_success);
        if success {
            out.push_str("success\n");
        }
    }

    /// The standard has `reset-assertions` close all levels and forget their declarations. z3 keeps both, in
    /// some of its versions: from here on only the solver knows what is in force, in every frame.
    fn reset_unknown(&mut self, text: &str, out: &mut String) -> Next {
        let next = self.not_understood(text, None, out);
        self.stack.frames.iter().for_each(|frame| frame.opaque.set(true));
        self.last = Last::None;
        next
    }

    fn set_option(
        &mut self,
        (keyword, value): (&str, &str),
        text: &str,
        piece: &Piece<'_>,
        out: &mut String,
    ) -> Next {
        if keyword == ":regular-output-channel" && self.redirects(value, piece, out) {
            return Next::Continue;
        }
        if let Some(channel) = self.default_channel(keyword) {
            // The solver's own answers must come here, and cvc5 1.0 takes even `"stdout"` for a file's name.
            match channel == value {
                true => self.success(out),
                false => out.push_str("unsupported\n"),
            }
            return Next::Continue;
        }
        if !self.speaker.dialect().is_neutral(keyword, value) {
            return self.set_odd_option((keyword, value), text, piece, out);
        }
        match keyword {
            // Emulated here: the solver itself always runs without.
            ":print-success" => self.print_success = value == "true",
            // It has none, and says so.
            ":produce-proofs" if self.options.solver.kind == Kind::Yices => {
                out.push_str("unsupported\n");
                return Next::Continue;
            }
            // The solver always makes models; setting it later makes no difference.
            ":produce-models" => {
                self.produce_models = value == "true";
                self.models_said = Some(self.produce_models);
            }
            ":produce-unsat-cores" => {
                self.produce_cores = value == "true";
                self.stack.option(text.to_string());
            }
            ":global-declarations" if self.stack.is_begun() => {
                self.late_global_declarations(text, out);
                return Next::Continue;
            }
            ":global-declarations" => {
                self.stack.global_declarations = value == "true";
                self.stack.option(text.to_string());
            }
            // Versions of a solver differ in what they know: Dafny 2.3 sets an option of z3 that z3 5
            // refuses.
            _ => match self.introduced_option((keyword, value), text, piece, out) {
                Introduced::Taken => self.stack.option(text.to_string()),
                Introduced::Refused => return Next::Continue,
                Introduced::Ended(next) => return next,
            },
        }
        self.success(out);
        Next::Continue
    }

    /// Where the solver prints, or reads, without an option that says where. `None` for other options.
    fn default_channel(&self, keyword: &str) -> Option<&'static str> {
        let is_cvc5 = self.options.solver.kind == Kind::Cvc5;
        match keyword {
            ":regular-output-channel" => Some("\"stdout\""),
            ":out" if is_cvc5 => Some("\"stdout\""),
            ":in" if is_cvc5 => Some("\"stdin\""),
            ":diagnostic-output-channel" | ":err" if is_cvc5 => Some("\"stderr\""),
            _ => None,
        }
    }

    /// Whether declarations are global has to be said before the first one. Solvers that refuse it later are
    /// believed; with one that does not, only the solver knows from here on which declarations are in force.
    fn late_global_declarations(&mut self, text: &str, out: &mut String) {
        let before = if self.stack.global_declarations { "true" } else { "false" };
        let undo = format!("(set-option :global-declarations {before})");
        // The reader took the option at its word already.
        let _ = self.context.read(&mut self.terms, undo.as_bytes());
        self.not_understood(text, None, out);
    }

    /// Ends the session after its last command: prints what the solver would still print, and returns its
    /// exit code.
    pub fn end(&mut self, out: &mut String) -> i32 {
        let printed = out.len();
        let code = self.end_printing(out);
        self.divert(printed, out);
        code
    }

    fn end_printing(&mut self, out: &mut String) -> i32 {
        if self.is_waiting
            && let Some(rest) = self.rest_of_file("")
        {
            let code = rest.code;
            let _ = self.end_with(rest, out);
            self.finish();
            return code;
        }
        self.finish()
    }

    /// Ends the session: the exit code of the solver that it stands in for.
    pub fn finish(&mut self) -> i32 {
        self.find_last_core();
        self.finder.stop();
        let code = self.live.finish();
        match code {
            // Yices goes on after errors and does not count them.
            Some(0) | None => match self.death {
                Some(code) => code,
                None => i32::from(self.errors && self.options.solver.kind != Kind::Yices),
            },
            Some(other) => other,
        }
    }
}
