//! Streams of path queries: from text to steps over terms. The format is described in docs/stream-format.md.
//!
//! Two shapes are read. A *script* has the path in it: `push`, `assert`, `check-sat`, `pop`. A *log* (KLEE's
//! `--use-query-log`) is a row of scripts, each after a line `; Query N`, that say the whole query each time;
//! there the path is recovered: constraints that the query before had as well, from the bottom up, stay where
//! they are. KLEE writes the new constraint first and the path after it, so of a single conjunction the first
//! member comes last.

use super::file;
use evergreen::smtlib::{Command, Context, Diagnostic, Position};
use evergreen::{TermId, Terms, split};
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// One step of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The path is extended by a constraint.
    Extend(TermId),
    /// So many constraints are taken back.
    Retract(usize),
    /// Is the path satisfiable?
    Check,
}

/// A stream over the terms of one arena.
#[derive(Default, Debug)]
pub(crate) struct Trace {
    /// The logic that the stream names.
    pub logic: Option<String>,
    /// What happens.
    pub steps: Vec<Step>,
    /// The line of each check.
    pub lines: Vec<usize>,
}

/// The text of a stream.
pub(crate) struct Stream {
    /// The file's name without its extensions.
    pub name: String,
    place: String,
    first: usize,
    text: Text,
}

enum Text {
    Script(Vec<u8>),
    /// Each script with the line that it starts at.
    Log(Vec<(usize, Vec<u8>)>),
}

impl Stream {
    /// Reads a file, plain or gzipped; no more of it than the first queries need.
    pub(crate) fn read(path: &Path, first: Option<usize>) -> Result<Stream, String> {
        let place = path.display().to_string();
        let file = path.file_name().and_then(|n| n.to_str()).unwrap_or(&place);
        let name = file.split('.').next().unwrap_or(file).to_string();
        let first = first.unwrap_or(usize::MAX);
        let text =
            read_text(BufReader::new(file::open(path)?), first).map_err(|e| format!("{place}: {e}"))?;
        Ok(Stream { name, place, first, text })
    }

    /// A stream that is in memory.
    pub(crate) fn of_text(text: &str) -> Stream {
        let read = read_text(text.as_bytes(), usize::MAX).unwrap_or(Text::Script(Vec::new()));
        Stream { name: "text".into(), place: "text".into(), first: usize::MAX, text: read }
    }

    /// Reads the stream into an arena.
    pub(crate) fn load(&self, terms: &mut Terms) -> Result<Trace, String> {
        let mut loader = Loader { first: self.first, trace: Trace::default(), frames: vec![0] };
        let render = |(text, line, complaint): (&[u8], usize, Diagnostic)| {
            complaint.render(&self.place, text, Position { line, column: 1 }).trim_end().to_string()
        };
        match &self.text {
            Text::Script(text) => loader.script(terms, text).map_err(|d| render((text, 1, d)))?,
            Text::Log(scripts) => {
                let mut path: Vec<TermId> = Vec::new();
                for (line, text) in scripts {
                    let query = loader.query(terms, text).map_err(|d| render((text, *line, d)))?;
                    loader.move_to(&mut path, query, *line);
                }
            }
        }
        if loader.trace.lines.is_empty() {
            return Err(format!("{}: no query\nhelp: a query is asked by (check-sat)", self.place));
        }
        Ok(loader.trace)
    }
}

fn read_text(mut reader: impl BufRead, first: usize) -> std::io::Result<Text> {
    let mut scripts: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut plain: Vec<u8> = Vec::new();
    let mut number = 0;
    let mut line: Vec<u8> = Vec::new();
    loop {
        line.clear();
        number += 1;
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.starts_with(b"; Query") {
            if scripts.len() == first {
                break;
            }
            scripts.push((number + 1, Vec::new()));
        } else {
            scripts.last_mut().map_or(&mut plain, |s| &mut s.1).extend(&line);
        }
    }
    Ok(if scripts.is_empty() { Text::Script(plain) } else { Text::Log(scripts) })
}

struct Loader {
    first: usize,
    trace: Trace,
    /// Constraints in each open frame.
    frames: Vec<usize>,
}

impl Loader {
    fn script(&mut self, terms: &mut Terms, text: &[u8]) -> Result<(), Diagnostic> {
        let mut context = Context::new(terms);
        let (mut read_to, mut position) = (0, Position::START);
        for located in context.read_script(terms, text)? {
            position = position.after(&text[read_to..located.span.start]);
            read_to = located.span.start;
            if let Some(complaint) = located.complaint {
                return Err(complaint);
            }
            match located.command {
                Command::Assert { term, .. } => self.extend(term),
                Command::Push(levels) => (0..levels).for_each(|_| self.frames.push(0)),
                Command::Pop(levels) => (0..levels).for_each(|_| self.close()),
                Command::Reset | Command::ResetAssertions => {
                    while self.frames.len() > 1 {
                        self.close();
                    }
                    self.close();
                    self.frames.push(0);
                }
                Command::CheckSat => self.check(position.line),
                Command::CheckSatAssuming(assumed) => {
                    self.frames.push(0);
                    assumed.iter().for_each(|a| self.extend(a.term));
                    self.check(position.line);
                    self.close();
                }
                Command::SetLogic(logic) => self.trace.logic = Some(logic),
                other if is_silent(&other) => {}
                _ => return Err(not_in_a_stream(located.span.start)),
            }
            if self.trace.lines.len() >= self.first {
                break;
            }
        }
        Ok(())
    }

    fn extend(&mut self, constraint: TermId) {
        self.trace.steps.push(Step::Extend(constraint));
        if let Some(count) = self.frames.last_mut() {
            *count += 1;
        }
    }

    fn close(&mut self) {
        let count = self.frames.pop().unwrap_or(0);
        self.retract(count);
    }

    fn retract(&mut self, count: usize) {
        match self.trace.steps.last_mut() {
            _ if count == 0 => {}
            Some(Step::Retract(before)) => *before += count,
            _ => self.trace.steps.push(Step::Retract(count)),
        }
    }

    fn check(&mut self, line: usize) {
        self.trace.steps.push(Step::Check);
        self.trace.lines.push(line);
    }

    /// The constraints of one script of a log, the new one last.
    fn query(&mut self, terms: &mut Terms, text: &[u8]) -> Result<Vec<TermId>, Diagnostic> {
        let mut context = Context::new(terms);
        let mut asserted: Vec<TermId> = Vec::new();
        for located in context.read_script(terms, text)? {
            if let Some(complaint) = located.complaint {
                return Err(complaint);
            }
            match located.command {
                Command::Assert { term, .. } => asserted.push(term),
                Command::SetLogic(logic) => self.trace.logic = Some(logic),
                Command::CheckSat => {}
                other if is_silent(&other) => {}
                _ => return Err(not_in_a_stream(located.span.start)),
            }
        }
        let single = asserted.len() == 1;
        let mut constraints: Vec<TermId> = asserted.iter().flat_map(|&a| split(terms, a)).collect();
        if single && !constraints.is_empty() {
            constraints.rotate_left(1);
        }
        let mut seen = HashSet::new();
        constraints.retain(|c| seen.insert(*c));
        Ok(constraints)
    }

    /// Goes from the path of the query before to this one.
    fn move_to(&mut self, path: &mut Vec<TermId>, query: Vec<TermId>, line: usize) {
        let wanted: HashSet<TermId> = query.iter().copied().collect();
        let kept = path.iter().take_while(|c| wanted.contains(c)).count();
        self.retract(path.len() - kept);
        path.truncate(kept);
        let there: HashSet<TermId> = path.iter().copied().collect();
        for constraint in query.into_iter().filter(|c| !there.contains(c)) {
            self.trace.steps.push(Step::Extend(constraint));
            path.push(constraint);
        }
        self.check(line);
    }
}

/// Commands that do not change what is asked.
fn is_silent(command: &Command) -> bool {
    matches!(
        command,
        Command::SetOption { .. }
            | Command::SetInfo { .. }
            | Command::DeclareSort { .. }
            | Command::DefineSort(_)
            | Command::DeclareFun(_)
            | Command::DefineFun { .. }
            | Command::DefineFunsRec(_)
            | Command::DeclareDatatypes(_)
            | Command::DeclareHeap
            | Command::GetValue(_)
            | Command::GetModel
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::GetAssertions
            | Command::GetProof
            | Command::GetAssignment
            | Command::Echo(_)
            | Command::Exit
    )
}

fn not_in_a_stream(offset: usize) -> Diagnostic {
    Diagnostic::new(offset, "this command has no place in a stream")
        .with_help("declarations, assert, push, pop, check-sat and check-sat-assuming do")
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen::smtlib::print_term;

    /// The steps in short: `+constraint`, `-count`, `?line`.
    fn steps(text: &str) -> Result<String, String> {
        let mut terms = Terms::new();
        let trace = Stream::of_text(text).load(&mut terms)?;
        let mut lines = trace.lines.iter();
        let said: Vec<String> = trace
            .steps
            .iter()
            .map(|step| match step {
                Step::Extend(c) => format!("+{}", print_term(&terms, *c)),
                Step::Retract(count) => format!("-{count}"),
                Step::Check => format!("?{}", lines.next().expect("a line")),
            })
            .collect();
        Ok(said.join(" "))
    }

    #[test]
    fn scripts_have_their_paths() {
        let text = "(declare-const p Bool)\n(declare-const q Bool)\n(push 1)\n(assert \
            p)\n(check-sat)\n(push 1)\n\
                    (assert q)\n(assert (not p))\n(check-sat)\n(pop 1)\n(pop 1)\n(check-sat-assuming \
                    (q))\n(reset-assertions)\n";
        assert_eq!(steps(text).unwrap(), "+p ?5 +q +(not p) ?9 -3 +q ?12 -1");
    }

    #[test]
    fn paths_of_logs_are_recovered() {
        let head = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)\n";
        let text = format!(
            "; by hand\n; Query 0\n{head}(assert p)\n(check-sat)\n;  OK\n; Query 1\n{head}(assert (and q \
             p))\n(check-sat)\n\
             ; Query 2\n{head}(assert (and (and (= false q) p) r))\n(check-sat)\n; Query 3\n{head}(assert \
             (and r p))(exit)\n"
        );
        // The first member of each conjunction is the new constraint.
        assert_eq!(steps(&text).unwrap(), "+p ?3 +q ?8 -1 +r +(not q) ?12 -1 ?16");
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let complaint = |text: &str| steps(text).expect_err("a complaint").lines().next().map(str::to_string);
        assert_eq!(complaint("(assert true)"), Some("text: no query".into()));
        assert_eq!(
            complaint("(check-sat)\n  (assert x)\n").as_deref(),
            Some("text:2:11: unknown symbol \"x\"")
        );
        assert_eq!(
            complaint("(check-sat)\n(pop 1)").as_deref(),
            Some("text:2:1: 1 levels cannot be popped: 0 are open")
        );
        assert_eq!(
            complaint("; Query 0\n(check-sat)\n; Query 1\n(push 1)\n").as_deref(),
            Some("text:4:1: this command has no place in a stream")
        );
        assert!(complaint("(check-sat").is_some_and(|c| c.starts_with("text:1:1: ")));
    }
}
