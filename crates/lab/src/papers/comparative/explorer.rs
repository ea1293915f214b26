//! Depth-first exploration of a linearized program with a technique, within a budget of processor time.
//!
//! The true arm comes first, both arms are asked at each branch, and a path that reaches the end of the entry
//! is complete; its inputs are read, as for a test. Every model is run through the program outside of the
//! budget: it has to take the arms of its path.

use super::clock::{Phase, Spent};
use super::linear::{CUT, Form, Linear};
use super::solving::{Constraint, Decider};
use crate::study::code::{Compare, Expr, Instruction};
use crate::study::symbolic::Symbolic;
use serde::{Deserialize, Serialize};

/// Samples of the number of complete paths over the budget.
pub(super) const SAMPLES: usize = 20;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Processor seconds.
    pub seconds: f64,
    /// Questions at branches.
    pub queries: usize,
}

/// What an exploration did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    /// Questions at branches that were answered.
    pub answered: u64,
    /// Of these, satisfiable.
    pub sat: u64,
    /// Questions that the solver was asked.
    pub issued: u64,
    /// Complete paths.
    pub paths: u64,
    /// Paths cut at the bound of loops.
    pub cut: u64,
    /// The most constraints of a path.
    pub deepest: usize,
    /// Whether all paths were explored within the budget.
    pub is_whole: bool,
    /// Processor seconds, without those of messages.
    pub spent: Spent,
    /// Processor seconds for the messages to and from the solver, as empty ones cost.
    pub pipe: f64,
    /// Complete paths at each twentieth of the budget.
    pub over_time: Vec<u64>,
}

/// A program as a technique runs it.
pub(super) enum Code<'l> {
    /// With states: values are expressions over the inputs.
    States(&'l Linear),
    /// Without: the text of each instruction is made before.
    Texts(&'l Linear, Vec<Text>),
}

/// What an instruction says to the solver.
pub(super) enum Text {
    Nothing,
    Definition { text: String, needs: Vec<usize> },
    Arms { yes: String, no: String, needs: Vec<usize> },
}

impl<'l> Code<'l> {
    /// For a form.
    pub(super) fn of(linear: &'l Linear, form: Form) -> Code<'l> {
        match form {
            Form::Mutable => Code::States(linear),
            Form::Single => Code::Texts(linear, texts(linear)),
        }
    }

    fn linear(&self) -> &'l Linear {
        match self {
            Code::States(linear) | Code::Texts(linear, _) => linear,
        }
    }
}

fn texts(linear: &Linear) -> Vec<Text> {
    let text = |instruction: &Instruction| match instruction {
        Instruction::Set { slot, value } => {
            let mut text = format!("(define-fun v{slot} () Int ");
            write(value, linear.inputs, &mut text);
            Text::Definition { text: text + ")\n", needs: slots_of(&[value]) }
        }
        Instruction::Branch { left, compare, right, .. } => {
            let arm = |compare: Compare| {
                let (open, close) = opened(compare);
                let mut text = format!("(assert {open}");
                write(left, linear.inputs, &mut text);
                text.push(' ');
                write(right, linear.inputs, &mut text);
                text + close + ")\n"
            };
            let (yes, no) = (arm(*compare), arm(compare.negated()));
            Text::Arms { yes, no, needs: slots_of(&[left, right]) }
        }
        _ => Text::Nothing,
    };
    linear.body.iter().map(text).collect()
}

fn opened(compare: Compare) -> (&'static str, &'static str) {
    match compare {
        Compare::Lt => ("(< ", ")"),
        Compare::Le => ("(<= ", ")"),
        Compare::Gt => ("(> ", ")"),
        Compare::Ge => ("(>= ", ")"),
        Compare::Eq => ("(= ", ")"),
        Compare::Ne => ("(not (= ", "))"),
    }
}

fn slots_of(exprs: &[&Expr]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut stack = exprs.to_vec();
    while let Some(expr) = stack.pop() {
        match expr {
            Expr::Slot(slot) => found.push(*slot),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) => stack.extend([&**a, &**b]),
            Expr::Number(_) | Expr::Cell(..) => {}
        }
    }
    found
}

fn write(expr: &Expr, inputs: usize, text: &mut String) {
    let mut both = |op: &str, a: &Expr, b: &Expr| {
        text.push_str(op);
        write(a, inputs, text);
        text.push(' ');
        write(b, inputs, text);
        text.push(')');
    };
    match expr {
        Expr::Number(n) if *n < 0 => text.push_str(&format!("(- {})", n.unsigned_abs())),
        Expr::Number(n) => text.push_str(&n.to_string()),
        Expr::Slot(slot) if *slot < inputs => text.push_str(&format!("x{slot}")),
        Expr::Slot(slot) => text.push_str(&format!("v{slot}")),
        Expr::Add(a, b) => both("(+ ", a, b),
        Expr::Sub(a, b) => both("(- ", a, b),
        Expr::Mul(a, b) => both("(* ", a, b),
        Expr::Cell(..) => {}
    }
}

/// Explores; also gives the verdict of each question.
///
/// # Errors
/// The solver fails, or a model does not lead along its path.
pub(super) fn explore(
    code: &Code<'_>,
    decider: &mut dyn Decider,
    budget: Budget,
) -> Result<(Run, Vec<bool>), String> {
    let linear = code.linear();
    let mut values = vec![Symbolic::number(0); linear.slots];
    for (input, value) in values.iter_mut().take(linear.inputs).enumerate() {
        *value = Symbolic::input(input);
    }
    let mut explorer = Explorer {
        code,
        linear,
        decider,
        budget,
        values,
        passed: vec![None; linear.slots],
        is_sent: vec![false; linear.slots],
        passing: Vec::new(),
        sent: Vec::new(),
        names: (0..linear.inputs).map(|input| format!("x{input}")).collect(),
        trail: Vec::new(),
        decisions: Vec::new(),
        verdicts: Vec::new(),
        is_over: false,
        run: Run { over_time: vec![0; SAMPLES], ..Run::default() },
    };
    explorer.decider.channel().clock.skip();
    explorer.follow(0, 0)?;
    let Explorer { mut run, verdicts, is_over, .. } = explorer;
    let channel = decider.channel();
    channel.clock.lap(Phase::Exploring);
    (run.is_whole, run.issued, run.spent) = (!is_over, channel.issued, channel.clock.spent);
    for (phase, messages) in [Phase::Constructing, Phase::Solving].into_iter().zip(channel.messages) {
        let spent = &mut run.spent.0[phase as usize];
        let pipe = (messages as f64 * channel.message).min(*spent);
        *spent -= pipe;
        run.pipe += pipe;
    }
    Ok((run, verdicts))
}

struct Explorer<'e> {
    code: &'e Code<'e>,
    linear: &'e Linear,
    decider: &'e mut dyn Decider,
    budget: Budget,
    values: Vec<Symbolic>,
    names: Vec<String>,
    /// What values were, to restore a state.
    trail: Vec<(usize, Symbolic)>,
    /// Where the path defined each slot, whether the solver knows it, and both to be undone.
    passed: Vec<Option<usize>>,
    is_sent: Vec<bool>,
    passing: Vec<(usize, Option<usize>)>,
    sent: Vec<usize>,
    /// The arms of the path.
    decisions: Vec<bool>,
    verdicts: Vec<bool>,
    is_over: bool,
    run: Run,
}

impl Explorer<'_> {
    fn stop(&mut self) -> bool {
        let spent = self.decider.channel().clock.spent.total();
        self.is_over |= spent >= self.budget.seconds || self.run.answered >= self.budget.queries as u64;
        self.is_over
    }

    /// Follows a path and, at its next branch, both arms.
    fn follow(&mut self, mut at: usize, depth: usize) -> Result<(), String> {
        let marks = (self.trail.len(), self.passing.len(), self.sent.len());
        loop {
            match &self.linear.body[at] {
                Instruction::Jump(CUT) => {
                    self.run.cut += 1;
                    break;
                }
                Instruction::Jump(target) => at = *target,
                Instruction::Set { slot, value } => {
                    match self.code {
                        Code::States(_) => {
                            let value = self.value(value).ok_or("a coefficient grows too large")?;
                            let old = std::mem::replace(&mut self.values[*slot], value);
                            self.trail.push((*slot, old));
                        }
                        Code::Texts(..) => {
                            let old = self.passed[*slot].replace(at);
                            self.passing.push((*slot, old));
                        }
                    }
                    at += 1;
                }
                Instruction::Branch { yes, no, .. } => {
                    let arms = [(true, *yes), (false, *no)];
                    for (taken, target) in arms {
                        self.arm(at, (taken, target), depth)?;
                    }
                    break;
                }
                _ => {
                    self.complete()?;
                    break;
                }
            }
        }
        self.restore(marks);
        Ok(())
    }

    /// The state as it was, back to front.
    fn restore(&mut self, (trail, passing, sent): (usize, usize, usize)) {
        for (slot, old) in self.trail.drain(trail..).rev() {
            self.values[slot] = old;
        }
        for (slot, old) in self.passing.drain(passing..).rev() {
            self.passed[slot] = old;
        }
        for slot in self.sent.drain(sent..) {
            self.is_sent[slot] = false;
        }
    }

    /// The definitions that some slots need and that the solver does not have, in their order. They are sent
    /// before the frame of the arm is opened, so that both arms have them.
    fn definitions(&mut self, texts: &[Text], needs: &[usize], out: &mut String) {
        for &slot in needs {
            let Some(at) = self.passed[slot].filter(|_| !self.is_sent[slot]) else { continue };
            if let Text::Definition { text, needs } = &texts[at] {
                self.is_sent[slot] = true;
                self.sent.push(slot);
                self.definitions(texts, needs, out);
                out.push_str(text);
            }
        }
    }

    fn arm(&mut self, at: usize, (taken, target): (bool, usize), depth: usize) -> Result<(), String> {
        let is_cut = matches!(self.linear.body[target], Instruction::Jump(CUT));
        if is_cut {
            self.run.cut += 1;
        }
        if is_cut || self.stop() {
            return Ok(());
        }
        self.decider.channel().clock.lap(Phase::Exploring);
        let constraint = self.constraint(at, taken)?;
        self.decisions.push(taken);
        let sat = self.decider.enter(constraint)?;
        self.run.answered += 1;
        self.run.deepest = self.run.deepest.max(depth + 1);
        self.verdicts.push(sat);
        if sat {
            self.run.sat += 1;
            self.follow(target, depth + 1)?;
        }
        self.decisions.pop();
        self.decider.leave();
        Ok(())
    }

    /// The constraint of an arm of the branch at hand.
    fn constraint(&mut self, at: usize, taken: bool) -> Result<Constraint, String> {
        let mut definitions = String::new();
        if let Code::Texts(_, texts) = self.code {
            let Text::Arms { yes, no, needs } = &texts[at] else { return Err("not a branch".into()) };
            let text = if taken { yes } else { no };
            self.definitions(texts, needs, &mut definitions);
            return Ok(Constraint { definitions, text: text.clone(), inputs: 0 });
        }
        let Instruction::Branch { left, compare, right, .. } = &self.linear.body[at] else {
            return Err("not a branch".into());
        };
        let values = self.value(left).zip(self.value(right));
        let (left, right) = values.ok_or("a coefficient grows too large")?;
        let compare = if taken { *compare } else { compare.negated() };
        let text = format!("(assert {})\n", left.compare_text(compare, &right, &self.names));
        let inputs = left.inputs().chain(right.inputs()).fold(0, |all, input| all | 1 << input);
        Ok(Constraint { definitions, text, inputs })
    }

    fn value(&self, expr: &Expr) -> Option<Symbolic> {
        match expr {
            Expr::Number(n) => Some(Symbolic::number(i128::from(*n))),
            Expr::Slot(slot) => Some(self.values[*slot].clone()),
            Expr::Add(a, b) => self.value(a)?.add(&self.value(b)?),
            Expr::Sub(a, b) => self.value(a)?.sub(&self.value(b)?),
            Expr::Mul(a, b) => match (self.value(a)?, self.value(b)?) {
                (a, b) if a.as_number().is_some() => b.scale(a.as_number()?),
                (a, b) => a.scale(b.as_number()?),
            },
            Expr::Cell(..) => None,
        }
    }

    /// A path has reached the end.
    fn complete(&mut self) -> Result<(), String> {
        let channel = self.decider.channel();
        channel.clock.lap(Phase::Exploring);
        let model = if self.run.answered > 0 { self.decider.model()? } else { vec![0; self.linear.inputs] };
        let clock = &mut self.decider.channel().clock;
        clock.lap(Phase::Solving);
        let share = clock.spent.total() / self.budget.seconds;
        self.run.paths += 1;
        let first = (share * SAMPLES as f64).ceil().max(1.0) as usize - 1;
        for sample in self.run.over_time.iter_mut().skip(first) {
            *sample += 1;
        }
        replay(self.linear, &model, &self.decisions)?;
        self.decider.channel().clock.skip();
        Ok(())
    }
}

/// Runs a program on inputs.
///
/// # Errors
/// It does not take these arms to the end.
fn replay(linear: &Linear, inputs: &[i128], decisions: &[bool]) -> Result<(), String> {
    let mut values = vec![0i128; linear.slots];
    values[..inputs.len()].copy_from_slice(inputs);
    fn value(expr: &Expr, values: &[i128]) -> i128 {
        match expr {
            Expr::Number(n) => i128::from(*n),
            Expr::Slot(slot) => values[*slot],
            Expr::Add(a, b) => value(a, values) + value(b, values),
            Expr::Sub(a, b) => value(a, values) - value(b, values),
            Expr::Mul(a, b) => value(a, values) * value(b, values),
            Expr::Cell(..) => 0,
        }
    }
    let (mut at, mut decisions) = (0, decisions.iter());
    loop {
        match &linear.body[at] {
            Instruction::Set { slot, value: expr } => {
                values[*slot] = value(expr, &values);
                at += 1;
            }
            Instruction::Jump(CUT) => return Err("a model leads to a cut path".into()),
            Instruction::Jump(target) => at = *target,
            Instruction::Branch { left, compare, right, yes, no } => {
                let holds = compare.holds(value(left, &values) - value(right, &values));
                if decisions.next() != Some(&holds) {
                    return Err(format!("the model {inputs:?} does not lead along its path"));
                }
                at = if holds { *yes } else { *no };
            }
            _ if decisions.next().is_none() => return Ok(()),
            _ => return Err("a model leads to the end of a shorter path".into()),
        }
    }
}
