//! Symbolic execution of the study's programs: depth first, true arm first, both arms asked at each branch.
//!
//! What is asked is the stream. A branch whose sides do not depend on the inputs is taken without a question.
//! A path ends where its entry returns, where it has as many constraints as the depth bound allows, where it
//! has taken too many steps without a branch, or where a number grows too large; the exploration ends when
//! all paths have ended or enough has been asked, as the papers' do when their time is over.

use super::code::{Code, Expr, Instruction};
use super::symbolic::Symbolic;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Answers while a stream is being made: says whether the path can go on.
pub(super) trait Guide {
    /// Extends the path by a constraint and says whether it is satisfiable.
    fn enter(&mut self, constraint: &str) -> Result<bool, String>;
    /// Takes the last constraint back.
    fn leave(&mut self) -> Result<(), String>;
}

/// Limits of an exploration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The most constraints of a path.
    pub depth: usize,
    /// The most questions, over all entries.
    pub queries: usize,
}

/// The most instructions of a path between two questions.
const STEP_BOUND: usize = 20_000;

/// What an exploration gave.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(super) struct Explored {
    /// Declarations, frames and checks.
    pub text: String,
    /// How many checks.
    pub queries: usize,
    /// Of these, satisfiable.
    pub sat: usize,
    /// Paths that ran to the end of their entry.
    pub paths: usize,
    /// Paths that were cut at a bound.
    pub cut: usize,
    /// The most constraints of a query.
    pub deepest: usize,
}

#[derive(Clone)]
struct Frame {
    method: usize,
    at: usize,
    slots: Vec<Symbolic>,
    /// The caller's slot for what is returned.
    into: usize,
}

#[derive(Clone)]
struct State {
    frames: Vec<Frame>,
    arrays: Vec<HashMap<i128, Symbolic>>,
}

/// Where a state stops.
enum Stop {
    Returned,
    Cut,
    /// At a branch that depends on the inputs.
    Branch,
}

/// Explores every entry of a program, each with its share of the questions.
pub(super) fn explore(code: &Code, bounds: Bounds, guide: &mut dyn Guide) -> Result<Explored, String> {
    let entries: Vec<usize> = (0..code.methods.len()).filter(|&m| code.methods[m].entry).collect();
    let mut inputs: Vec<String> = Vec::new();
    for &entry in &entries {
        for param in &code.methods[entry].params {
            if !inputs.contains(param) {
                inputs.push(param.clone());
            }
        }
    }
    let mut explored = Explored { text: "(set-logic QF_LIA)\n".into(), ..Explored::default() };
    for input in &inputs {
        let _ = writeln!(explored.text, "(declare-const {input} Int)");
    }
    let mut explorer = Explorer { code, depth_bound: bounds.depth, enough: 0, inputs, guide, explored };
    for (i, &entry) in entries.iter().enumerate() {
        // What an earlier entry did not need, later ones may use.
        explorer.enough = bounds.queries * (i + 1) / entries.len();
        let start = explorer.start(entry);
        explorer.follow(start, 0)?;
    }
    Ok(explorer.explored)
}

struct Explorer<'a> {
    code: &'a Code,
    depth_bound: usize,
    enough: usize,
    inputs: Vec<String>,
    guide: &'a mut dyn Guide,
    explored: Explored,
}

impl Explorer<'_> {
    fn start(&self, entry: usize) -> State {
        let method = &self.code.methods[entry];
        let mut slots = vec![Symbolic::number(0); method.slots];
        for (slot, param) in slots.iter_mut().zip(&method.params) {
            let number = self.inputs.iter().position(|i| i == param).unwrap_or(0);
            *slot = Symbolic::input(number);
        }
        let frame = Frame { method: entry, at: 0, slots, into: 0 };
        State { frames: vec![frame], arrays: vec![HashMap::new(); self.code.arrays] }
    }

    /// Follows a path and, at its branches, both arms. The recursion is as deep as the depth bound.
    fn follow(&mut self, mut state: State, depth: usize) -> Result<(), String> {
        match state.run(self.code) {
            Stop::Returned => self.explored.paths += 1,
            Stop::Cut => self.explored.cut += 1,
            Stop::Branch if depth == self.depth_bound => self.explored.cut += 1,
            Stop::Branch => {
                self.arm(&state, true, depth)?;
                self.arm(&state, false, depth)?;
            }
        }
        Ok(())
    }

    fn arm(&mut self, state: &State, taken: bool, depth: usize) -> Result<(), String> {
        if self.explored.queries >= self.enough {
            return Ok(());
        }
        let Some((text, target)) = state.branch(self.code, taken, &self.inputs) else { return Ok(()) };
        let explored = &mut self.explored;
        explored.queries += 1;
        explored.deepest = explored.deepest.max(depth + 1);
        let _ = writeln!(explored.text, "(push 1)\n(assert {text})\n(check-sat)");
        if self.guide.enter(&text)? {
            self.explored.sat += 1;
            let mut next = state.clone();
            if let Some(frame) = next.frames.last_mut() {
                frame.at = target;
            }
            self.follow(next, depth + 1)?;
        }
        self.guide.leave()?;
        self.explored.text.push_str("(pop 1)\n");
        Ok(())
    }
}

impl State {
    /// Runs up to the next branch that depends on the inputs.
    fn run(&mut self, code: &Code) -> Stop {
        for _ in 0..STEP_BOUND {
            match self.step(code) {
                Some(None) => {}
                Some(Some(stop)) => return stop,
                None => return Stop::Cut,
            }
        }
        Stop::Cut
    }

    /// One instruction; `None` when a value grows too large or is not a number where one is needed.
    fn step(&mut self, code: &Code) -> Option<Option<Stop>> {
        let frame = self.frames.last()?;
        match code.methods[frame.method].body.get(frame.at)? {
            Instruction::Set { slot, value } => {
                let value = self.value(value)?;
                self.advance(|frame| frame.slots[*slot] = value)
            }
            Instruction::Store { array, index, value } => {
                let (index, value) = (self.value(index)?.as_number()?, self.value(value)?);
                self.arrays[*array].insert(index, value);
                self.advance(|_| {})
            }
            Instruction::Jump(target) => {
                self.frames.last_mut()?.at = *target;
                Some(None)
            }
            Instruction::Branch { left, compare, right, yes, no } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match left.decide(*compare, &right) {
                    Some(holds) => self.frames.last_mut()?.at = if holds { *yes } else { *no },
                    None => return Some(Some(Stop::Branch)),
                }
                Some(None)
            }
            Instruction::Call { method, args, into } => {
                let mut slots = vec![Symbolic::number(0); code.methods[*method].slots];
                for (slot, arg) in slots.iter_mut().zip(args) {
                    *slot = self.value(arg)?;
                }
                self.advance(|_| {})?;
                if self.frames.len() > STEP_BOUND {
                    return None;
                }
                self.frames.push(Frame { method: *method, at: 0, slots, into: *into });
                Some(None)
            }
            Instruction::Return(value) => {
                let value = self.value(value)?;
                let into = self.frames.pop()?.into;
                match self.frames.last_mut() {
                    Some(caller) => caller.slots[into] = value,
                    None => return Some(Some(Stop::Returned)),
                }
                Some(None)
            }
        }
    }

    fn advance(&mut self, change: impl FnOnce(&mut Frame)) -> Option<Option<Stop>> {
        let frame = self.frames.last_mut()?;
        change(frame);
        frame.at += 1;
        Some(None)
    }

    /// The constraint of one arm of the branch at hand, and where it leads.
    fn branch(&self, code: &Code, taken: bool, inputs: &[String]) -> Option<(String, usize)> {
        let frame = self.frames.last()?;
        let Instruction::Branch { left, compare, right, yes, no } =
            code.methods[frame.method].body.get(frame.at)?
        else {
            return None;
        };
        let (left, right) = (self.value(left)?, self.value(right)?);
        let (compare, target) = if taken { (*compare, *yes) } else { (compare.negated(), *no) };
        Some((left.compare_text(compare, &right, inputs), target))
    }

    fn value(&self, expr: &Expr) -> Option<Symbolic> {
        match expr {
            Expr::Number(n) => Some(Symbolic::number(i128::from(*n))),
            Expr::Slot(slot) => self.frames.last()?.slots.get(*slot).cloned(),
            Expr::Cell(array, index) => {
                let index = self.value(index)?.as_number()?;
                Some(self.arrays[*array].get(&index).cloned().unwrap_or_else(|| Symbolic::number(0)))
            }
            Expr::Add(a, b) => self.value(a)?.add(&self.value(b)?),
            Expr::Sub(a, b) => self.value(a)?.sub(&self.value(b)?),
            Expr::Mul(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match (a.as_number(), b.as_number()) {
                    (Some(factor), _) => b.scale(factor),
                    (_, Some(factor)) => a.scale(factor),
                    _ => None,
                }
            }
        }
    }
}
