//! Runs a script from a file or from standard input, command by command.

use crate::config::Settings;
use crate::flags::Solve;
use crate::stats;
use evergreen::solver::{Command, Kind};
use evergreen::{Next, Remark, Session, SessionOptions, SessionStats};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// `evergreen solve`.
pub(crate) fn solve(flags: Solve) -> Result<ExitCode, String> {
    let settings = Settings::load()?.with_flags(&flags);
    let solver = settings.solver();
    settings.check_solver(&solver)?;
    let input = match flags.file.as_deref() {
        None => None,
        Some(path) if path == Path::new("-") => None,
        Some(path) => Some(path),
    };
    run(&settings, solver, input, Manner::Command { summary: flags.summary })
}

/// The solver's command. One that is not installed is no trouble before it is needed.
pub(crate) fn command(text: &str) -> Command {
    Command::parse_or_missing(text)
}

/// For whom a script is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// A person at a terminal: what is wrong with the script is pointed out on standard error.
    Command {
        /// Say at the end what was done.
        summary: bool,
    },
    /// A tool that expects a solver: only what a solver prints, as far as possible.
    Solver {
        /// Print the solver's counters at the end: its flags ask for them.
        counters: bool,
    },
}

/// Runs a script and returns the exit code that the solver would have returned.
pub(crate) fn run(
    settings: &Settings,
    solver: Command,
    input: Option<&Path>,
    manner: Manner,
) -> Result<ExitCode, String> {
    let start = Instant::now();
    let name = input.map_or("<stdin>".into(), |p| p.display().to_string());
    let mut reader: Box<dyn Read> = match input {
        Some(path) if path.is_dir() => {
            return Err(format!("{name}: is a folder\nhelp: name a script, or - for standard input"));
        }
        Some(path) => Box::new(File::open(path).map_err(|e| format!("{name}: {e}"))?),
        None => Box::new(std::io::stdin().lock()),
    };
    let options = settings.session(solver, &name)?;
    let store = options.store.clone();
    let account = Arc::new(Account::new(settings, start, &name));
    if store.is_some() || account.is_kept() {
        let (store, account) = (store.clone(), account.clone());
        crate::interrupt::flush_on_signal(move || {
            if let Some(store) = &store
                && let Err(e) = store.flush()
            {
                crate::say::warn_once(&e.to_string());
            }
            if let Err(message) = account.close(None) {
                crate::say::warn_once(&message);
            }
        });
    }
    if options.solver.kind == Kind::Z3 {
        // z3 says `unknown` when it is interrupted, and goes on.
        crate::interrupt::relay_interrupts(evergreen::solver::interrupt_waited);
    }
    let mut session = Session::new(options.clone());
    if let Some(path) = input {
        session.reads_file(path);
    }
    if let Some(log) = &settings.log {
        let mut sink = stats::sink(log)?;
        session.on_remark(move |remark| {
            match remark {
                Remark::Contradicted(report) => crate::audit::report(report),
                Remark::Said(text) => drop(crate::say::verbatim(&mut std::io::stderr(), text)),
                _ => {}
            }
            let _ = writeln!(sink, "evergreen: {}", crate::say::shown(&remark.to_string()));
        });
    } else {
        let to_person = !matches!(manner, Manner::Solver { .. });
        let mut is_undecided = false;
        session.on_remark(move |remark| match remark {
            Remark::Missed(_) => crate::say::warn(&remark.to_string()),
            Remark::Contradicted(report) => crate::audit::report(report),
            Remark::Said(text) => drop(crate::say::verbatim(&mut std::io::stderr(), text)),
            // A program to install is worth a line, to users of a shim too; the first one says enough.
            Remark::Undecided(_) if !std::mem::replace(&mut is_undecided, true) => {
                crate::say::warn(&remark.to_string());
            }
            // Nor does a client know why there is no answer.
            Remark::Died(text) => crate::say::warn_once(text),
            Remark::Complaint(_) | Remark::Trouble(_) if to_person => crate::say::warn(&remark.to_string()),
            _ => {}
        });
    }
    let counters = (manner == Manner::Solver { counters: true }).then_some(start);
    let exit = pump(&mut session, &mut *reader, input.is_some(), counters, &account)?;
    // The client has its answers; what is left to do must not be lost, and must not keep it waiting for its
    // exit code longer than the stores' own limits.
    if let Some(store) = &store
        && let Err(e) = store.flush()
    {
        crate::say::warn_once(&e.to_string());
    }
    account.close(Some(session.stats()))?;
    if manner == (Manner::Command { summary: true }) {
        stats::summary(&session.stats(), start.elapsed());
    }
    drop_quickly(session, options, store);
    Ok(ExitCode::from(u8::try_from(exit & 0xff).unwrap_or(1)))
}

/// What a run adds to statistics when it ends. Clients end their solver by a signal when they have what they
/// want (pySMT, CBMC), so that what was counted so far stands ready for the thread that takes signals.
struct Account {
    tallied: Option<String>,
    stats: Option<String>,
    start: Instant,
    name: String,
    /// `None` when it was written.
    counted: Mutex<Option<SessionStats>>,
}

impl Account {
    fn new(settings: &Settings, start: Instant, name: &str) -> Account {
        let (tallied, stats) = (settings.tallied(), settings.stats.clone());
        let counted = Mutex::new(Some(SessionStats::default()));
        Account { tallied, stats, start, name: name.to_string(), counted }
    }

    fn is_kept(&self) -> bool {
        self.tallied.is_some() || self.stats.is_some()
    }

    /// Notes what was counted so far.
    fn note(&self, session: &Session) {
        if self.is_kept()
            && let Some(counted) = &mut *self.counted.lock().unwrap_or_else(PoisonError::into_inner)
        {
            *counted = session.stats();
        }
    }

    /// Writes it, once; the lock is held meanwhile, so that a signal waits for what is being written.
    fn close(&self, last: Option<SessionStats>) -> Result<(), String> {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(noted) = counted.take() else { return Ok(()) };
        let stats = last.unwrap_or(noted);
        if let Some(folder) = &self.tallied {
            crate::tally::add(folder, &stats.engine);
        }
        match &self.stats {
            Some(place) => stats::append(place, &stats, self.start.elapsed(), &self.name),
            None => Ok(()),
        }
    }
}

/// Everything is flushed and the solver is gone: the arenas go with the process.
fn drop_quickly(
    session: Session,
    options: SessionOptions,
    store: Option<std::sync::Arc<dyn evergreen::store::Store>>,
) {
    std::mem::forget(session);
    drop(options);
    drop(store);
}

/// What is printed, and not written yet. Of a file the answers are written together: nobody waits between two
/// commands of it. They are written before a message, before a solver is waited for, and every few
/// milliseconds.
#[derive(Default)]
struct Output {
    pending: RefCell<String>,
    is_closed: Cell<bool>,
}

/// Answers of a file are kept for so long, or until they are so many bytes.
const KEPT: Duration = Duration::from_millis(10);
const MOST_KEPT: usize = 64 * 1024;

impl Output {
    /// Writes what is pending. False when the reader of our output is gone.
    fn write(&self) -> bool {
        let mut pending = self.pending.borrow_mut();
        if !pending.is_empty() && !self.is_closed.get() {
            let mut stdout = std::io::stdout().lock();
            self.is_closed.set(crate::say::verbatim(&mut stdout, &pending).is_err());
        }
        pending.clear();
        !self.is_closed.get()
    }
}

/// Bytes that are read at once. More would be pages that a short script touches and never needs.
const CHUNK: usize = 128 * 1024;

/// Feeds the session as bytes arrive and prints as soon as there is nothing left to read at once.
/// `counters`: when the run began, if the solver's counters are to be printed at the end.
fn pump(
    session: &mut Session,
    reader: &mut dyn Read,
    whole_file: bool,
    counters: Option<Instant>,
    account: &Account,
) -> Result<i32, String> {
    let count = |session: &mut Session| {
        let Some(start) = counters else { return };
        let text = session.counters(start.elapsed());
        let _ = match session.counts_apart() {
            true => crate::say::verbatim(&mut std::io::stderr(), &text),
            false => crate::say::verbatim(&mut std::io::stdout(), &text),
        };
    };
    let mut chunk = vec![0; CHUNK];
    let mut out = String::new();
    let output = Rc::new(Output::default());
    session.on_show({
        let output = output.clone();
        move || {
            output.write();
        }
    });
    let mut last = Instant::now();
    loop {
        let read = match reader.read(&mut chunk) {
            Ok(n) => n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(format!("input: {e}")),
        };
        if read == 0 {
            session.end_of_input();
        } else {
            session.feed(&chunk[..read]);
        }
        while let Some(next) = session.step(&mut out) {
            if !out.is_empty() {
                output.pending.borrow_mut().push_str(&out);
                out.clear();
                let is_due = whole_file && last.elapsed() > KEPT;
                if is_due || output.pending.borrow().len() > MOST_KEPT {
                    last = Instant::now();
                    if !output.write() {
                        return Ok(session.finish());
                    }
                }
            }
            if let Next::Exit(code) = next {
                output.write();
                count(session);
                session.finish();
                return Ok(code);
            }
        }
        // Before the client reads the answer, with which it may have what it wants.
        account.note(session);
        if !output.write() {
            return Ok(session.finish());
        }
        if read == 0 {
            // cvc5 is run on the file at its end, and counts by itself then.
            let is_late = session.counts_apart();
            if !is_late {
                count(session);
            }
            let code = session.end(&mut out);
            output.pending.borrow_mut().push_str(&out);
            output.write();
            if is_late {
                count(session);
            }
            return Ok(code);
        }
        session.find_last_core();
    }
}
