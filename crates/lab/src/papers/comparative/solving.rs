//! The five techniques of the study: how a path condition that grows and shrinks is decided [Liu HVC'14, 3].
//!
//! *baseline* sends the whole path in a new context; *caching* cuts it into independent parts and keeps their
//! answers by text; *cachingOpt* keeps the parts along the path; *stack* gives each decision a frame of the
//! solver's assertion stack; *stackOpt* does so with constraints over names that the program defines. Values
//! are read as in the paper's Figure 2: with each answer that is cached, and else at the end of a path.

use super::clock::{Clock, Phase, Spent};
use crate::study::link::Fresh;
use evergreen::solver::{Command, Limits, Mode, Process, Verdict, answer};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A technique.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Technique {
    Baseline,
    Caching,
    CachingOpt,
    Stack,
    StackOpt,
}

impl Technique {
    /// In the order of the paper.
    pub(super) const ALL: [Technique; 5] = [
        Technique::Baseline,
        Technique::Caching,
        Technique::CachingOpt,
        Technique::Stack,
        Technique::StackOpt,
    ];

    /// As the paper calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Technique::Baseline => "baseline",
            Technique::Caching => "caching",
            Technique::CachingOpt => "cachingOpt",
            Technique::Stack => "stack",
            Technique::StackOpt => "stackOpt",
        }
    }
}

/// A constraint of a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraint {
    /// Definitions that come before it, in the frame below.
    pub definitions: String,
    /// The assertion.
    pub text: String,
    /// The inputs that it depends on, a bit each.
    pub inputs: u64,
}

/// A path and a solver for it.
pub(super) trait Decider {
    /// Extends the path and says whether it is satisfiable.
    fn enter(&mut self, constraint: Constraint) -> Result<bool, String>;
    /// Takes the last constraint back.
    fn leave(&mut self);
    /// The inputs of the path that was satisfiable just now.
    fn model(&mut self) -> Result<Vec<i128>, String>;
    /// The solver.
    fn channel(&mut self) -> &mut Channel;
}

/// A decider for a technique.
///
/// # Errors
/// The solver does not start.
pub(super) fn decider(
    technique: Technique,
    command: &Command,
    fresh: Fresh,
    inputs: usize,
) -> Result<Box<dyn Decider>, String> {
    let channel = Channel::open(command, fresh, inputs)?;
    Ok(match technique {
        Technique::Baseline => Box::new(Baseline { channel, path: Vec::new() }),
        Technique::Caching => Box::new(Caching { cache: Cache::new(channel), path: Vec::new() }),
        Technique::CachingOpt => {
            Box::new(CachingOpt { cache: Cache::new(channel), path: Vec::new(), prefixes: vec![Vec::new()] })
        }
        Technique::Stack | Technique::StackOpt => Box::new(Stack { channel, to_pop: 0 }),
    })
}

/// A solver process, with declared inputs.
pub(super) struct Channel {
    command: Command,
    fresh: Fresh,
    process: Process,
    /// Options, logic and declarations.
    preamble: String,
    inputs: usize,
    pub clock: Clock,
    /// Questions that the solver was asked.
    pub issued: u64,
    /// Messages in the phase of construction, and in that of solving.
    pub messages: [u64; 2],
    /// Processor seconds of both sides for a message that says nothing.
    pub message: f64,
}

/// Messages from which the cost of one is taken.
const EMPTY_MESSAGES: u32 = 100;

impl Channel {
    fn open(command: &Command, fresh: Fresh, inputs: usize) -> Result<Channel, String> {
        let mut preamble = String::from("(set-option :produce-models true)\n");
        if let Some(logic) = command.kind.logic_to_name(Some("QF_LIA")) {
            preamble += &format!("(set-logic {logic})\n");
        }
        preamble.extend((0..inputs).map(|input| format!("(declare-const x{input} Int)\n")));
        let process = start(command, &preamble)?;
        let mut clock = Clock::start();
        clock.watch(process.pid());
        let (command, messages) = (command.clone(), [0; 2]);
        let mut channel =
            Channel { command, fresh, process, preamble, inputs, clock, issued: 0, messages, message: 0.0 };
        for _ in 0..EMPTY_MESSAGES {
            channel.ask("")?;
        }
        channel.clock.lap(Phase::Rest);
        channel.message = channel.clock.spent.total() / f64::from(EMPTY_MESSAGES);
        channel.clock.spent = Spent::default();
        Ok(channel)
    }

    fn ask(&mut self, text: &str) -> Result<String, String> {
        self.process.ask(text, None).map_err(|e| e.to_string())
    }

    /// A context that knows nothing. Its time is the solver's.
    fn renew(&mut self) -> Result<(), String> {
        match self.fresh {
            Fresh::Assertions => {
                self.messages[1] += 1;
                self.silent("(reset-assertions)")?;
            }
            Fresh::Reset => {
                let text = format!("(reset)\n(set-option :print-success false)\n{}", self.preamble);
                self.messages[1] += 1;
                self.silent(&text)?;
            }
            Fresh::Process => {
                self.clock.lap(Phase::Solving);
                self.process = start(&self.command, &self.preamble)?;
                self.clock.watch_from_start(self.process.pid());
            }
        }
        self.clock.lap(Phase::Solving);
        Ok(())
    }

    /// Sends commands without replies, and waits until they are read.
    fn silent(&mut self, text: &str) -> Result<(), String> {
        let reply = self.ask(text)?;
        if reply.trim().is_empty() { Ok(()) } else { Err(format!("the solver says \"{}\"", reply.trim())) }
    }

    /// Sends constraints.
    fn construct(&mut self, text: &str) -> Result<(), String> {
        self.messages[0] += 1;
        self.silent(text)?;
        self.clock.lap(Phase::Constructing);
        Ok(())
    }

    fn check(&mut self) -> Result<bool, String> {
        self.issued += 1;
        self.messages[1] += 1;
        let reply = self.ask("(check-sat)")?;
        self.clock.lap(Phase::Solving);
        match answer::parse_verdict(&reply).map_err(|e| e.to_string())? {
            Verdict::Sat => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown(why) => Err(format!("the solver does not know: {why}")),
        }
    }

    /// The values of some inputs.
    fn values(&mut self, inputs: u64) -> Result<Vec<(usize, i128)>, String> {
        let wanted: Vec<usize> = (0..self.inputs).filter(|input| inputs >> input & 1 == 1).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        self.messages[1] += 1;
        let names: String = wanted.iter().map(|input| format!(" x{input}")).collect();
        let reply = self.ask(&format!("(get-value ({names}))"))?;
        let values = answer::parse_values(&reply).map_err(|e| e.to_string())?;
        let numbers = values.iter().map(|(_, text)| integer(text));
        let found: Option<Vec<(usize, i128)>> =
            wanted.into_iter().zip(numbers).map(|(input, number)| Some((input, number?))).collect();
        self.clock.lap(Phase::Solving);
        found.ok_or_else(|| format!("\"{}\" has no integers", reply.trim()))
    }

    fn all_inputs(&self) -> u64 {
        (1 << self.inputs) - 1
    }
}

fn start(command: &Command, preamble: &str) -> Result<Process, String> {
    let mut process =
        Process::start(command, Mode::Interactive, &Limits::default()).map_err(|e| e.to_string())?;
    process.ask(preamble, None).map_err(|e| e.to_string())?;
    Ok(process)
}

/// `5` or `(- 5)`.
fn integer(text: &str) -> Option<i128> {
    match text.strip_prefix("(-") {
        Some(rest) => Some(-rest.strip_suffix(')')?.trim().parse::<i128>().ok()?),
        None => text.parse().ok(),
    }
}

fn model_of(inputs: usize, values: impl IntoIterator<Item = (usize, i128)>) -> Vec<i128> {
    let mut model = vec![0; inputs];
    for (input, value) in values {
        model[input] = value;
    }
    model
}

/// Every question in a new context.
struct Baseline {
    channel: Channel,
    path: Vec<String>,
}

impl Decider for Baseline {
    fn enter(&mut self, constraint: Constraint) -> Result<bool, String> {
        self.path.push(constraint.text);
        let text = self.path.concat();
        self.channel.clock.lap(Phase::Constructing);
        self.channel.renew()?;
        self.channel.construct(&text)?;
        self.channel.check()
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn model(&mut self) -> Result<Vec<i128>, String> {
        let all = self.channel.all_inputs();
        Ok(model_of(self.channel.inputs, self.channel.values(all)?))
    }

    fn channel(&mut self) -> &mut Channel {
        &mut self.channel
    }
}

/// The path on the solver's stack. With definitions among its constraints it is *stackOpt*.
struct Stack {
    channel: Channel,
    to_pop: usize,
}

impl Decider for Stack {
    fn enter(&mut self, constraint: Constraint) -> Result<bool, String> {
        let pop = match std::mem::take(&mut self.to_pop) {
            0 => String::new(),
            levels => format!("(pop {levels})\n"),
        };
        self.channel.construct(&format!("{pop}{}(push 1)\n{}", constraint.definitions, constraint.text))?;
        self.channel.check()
    }

    fn leave(&mut self) {
        self.to_pop += 1;
    }

    fn model(&mut self) -> Result<Vec<i128>, String> {
        let all = self.channel.all_inputs();
        Ok(model_of(self.channel.inputs, self.channel.values(all)?))
    }

    fn channel(&mut self) -> &mut Channel {
        &mut self.channel
    }
}

/// What is known of a part: values of its inputs, or that it is unsatisfiable.
type Known = Option<Rc<Vec<(usize, i128)>>>;

struct Cache {
    channel: Channel,
    known: HashMap<String, Known>,
    /// The values of the last path that was satisfiable.
    last: Vec<Rc<Vec<(usize, i128)>>>,
}

impl Cache {
    fn new(channel: Channel) -> Cache {
        Cache { channel, known: HashMap::new(), last: Vec::new() }
    }

    /// The answer to a part of a path.
    fn answer(&mut self, path: &[Constraint], part: &Part) -> Result<Known, String> {
        if let Some(known) = part.known.get() {
            return Ok(known.clone());
        }
        let text: String = part.members.iter().map(|&member| path[member].text.as_str()).collect();
        let known = match self.known.get(&text) {
            Some(known) => known.clone(),
            None => {
                self.channel.renew()?;
                self.channel.construct(&text)?;
                let sat = self.channel.check()?;
                let known = if sat { Some(Rc::new(self.channel.values(part.inputs)?)) } else { None };
                self.known.insert(text, known.clone());
                known
            }
        };
        part.known.get_or_init(|| known.clone());
        Ok(known)
    }

    /// Whether all parts are satisfiable; the last ones are asked first.
    fn decide(&mut self, path: &[Constraint], parts: &[Rc<Part>]) -> Result<bool, String> {
        self.last.clear();
        for part in parts.iter().rev() {
            match self.answer(path, part)? {
                Some(values) => self.last.push(values),
                None => {
                    self.channel.clock.lap(Phase::Solving);
                    return Ok(false);
                }
            }
        }
        self.channel.clock.lap(Phase::Solving);
        Ok(true)
    }

    fn model(&self) -> Vec<i128> {
        let values = self.last.iter().flat_map(|values| values.iter().copied());
        model_of(self.channel.inputs, values)
    }
}

/// Constraints of a path that depend on each other.
struct Part {
    members: Vec<usize>,
    inputs: u64,
    known: OnceCell<Known>,
}

/// The parts of a path with one more constraint.
fn extended(parts: &[Rc<Part>], number: usize, inputs: u64) -> Vec<Rc<Part>> {
    let mut all: Vec<Rc<Part>> = Vec::with_capacity(parts.len() + 1);
    let mut joined = Part { members: Vec::new(), inputs, known: OnceCell::new() };
    for part in parts {
        if part.inputs & inputs == 0 {
            all.push(part.clone());
        } else {
            joined.members.extend(&part.members);
            joined.inputs |= part.inputs;
        }
    }
    joined.members.push(number);
    joined.members.sort_unstable();
    all.push(Rc::new(joined));
    all
}

/// Parts made anew for each question.
struct Caching {
    cache: Cache,
    path: Vec<Constraint>,
}

impl Decider for Caching {
    fn enter(&mut self, constraint: Constraint) -> Result<bool, String> {
        self.cache.channel.clock.lap(Phase::Constructing);
        self.path.push(constraint);
        let mut parts = Vec::new();
        for (number, constraint) in self.path.iter().enumerate() {
            parts = extended(&parts, number, constraint.inputs);
        }
        self.cache.decide(&self.path, &parts)
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn model(&mut self) -> Result<Vec<i128>, String> {
        Ok(self.cache.model())
    }

    fn channel(&mut self) -> &mut Channel {
        &mut self.cache.channel
    }
}

/// Parts kept along the path, with their answers.
struct CachingOpt {
    cache: Cache,
    path: Vec<Constraint>,
    /// The parts of each prefix of the path.
    prefixes: Vec<Vec<Rc<Part>>>,
}

impl Decider for CachingOpt {
    fn enter(&mut self, constraint: Constraint) -> Result<bool, String> {
        self.cache.channel.clock.lap(Phase::Constructing);
        let before = self.prefixes.last().map_or(&[][..], Vec::as_slice);
        let parts = extended(before, self.path.len(), constraint.inputs);
        self.path.push(constraint);
        let said = self.cache.decide(&self.path, &parts);
        self.prefixes.push(parts);
        said
    }

    fn leave(&mut self) {
        self.path.pop();
        self.prefixes.pop();
    }

    fn model(&mut self) -> Result<Vec<i128>, String> {
        Ok(self.cache.model())
    }

    fn channel(&mut self) -> &mut Channel {
        &mut self.cache.channel
    }
}
