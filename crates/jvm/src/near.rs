//! Runs that are tried behind a blocked operation: which jumps they take, how far these were from going the
//! other way, and what the program compares with.
//!
//! Texts have a distance, too: of two that differ in their numbers only it is that of the numbers, so that
//! the text of a number leads to the number; of others it is that of their characters. It belongs to the jump
//! on the result of the comparison.

use rustc_hash::FxHashSet;
use std::rc::Rc;

use evergreen_classfile::{Constant, Instruction, SwitchCases};
use evergreen_explore::{Fixing, Hint, Nearby, Site};
use evergreen_symbolic::Cond;

use crate::classes::{ClassId, Method};
use crate::machine::{Flow, Jvm};
use crate::outcome::Ending;
use crate::rope::Part;
use crate::state::State;
use crate::step::operand;
use crate::value::{Ref, Value};

/// Jumps of one run that are kept.
pub(crate) const MOST_JUMPS: usize = 4096;
/// Texts and numbers that are kept.
const MOST_HINTS: usize = 64;
/// Longer texts are not compared, and no hints.
const LONGEST: usize = 256;
/// How often a run is blocked again.
const AGAIN: usize = 8;
/// The ways of switches: two for each case, taken or not.
const CASES: u32 = 1 << 30;
/// A way that stands for an exception that leaves the method.
const THROWN: u32 = u32::MAX - 1;
/// What two characters more cost.
const LENGTH: f64 = 256.0;

/// Methods of strings that compare texts.
const COMPARISONS: [&str; 8] = [
    "equals",
    "equalsIgnoreCase",
    "contentEquals",
    "startsWith",
    "endsWith",
    "contains",
    "compareTo",
    "compareToIgnoreCase",
];

/// What is noted of a run that is tried.
#[derive(Default)]
pub(crate) struct Near {
    pub(crate) jumps: Vec<Nearby>,
    /// How far the numbers of the last comparison are apart.
    pub(crate) compared: f64,
    /// How far the texts of the last comparison are apart, until a jump asks for it.
    pub(crate) texts: Option<f64>,
}

impl Jvm {
    /// See [`evergreen_explore::Machine::nearby`]: a copy of the state runs, and is forgotten.
    pub(crate) fn try_values(
        &mut self,
        state: &State,
        conditions: &[Cond],
        more: Fixing<'_, Cond>,
        steps: &mut u64,
    ) -> Vec<Nearby> {
        let mut tried = state.clone();
        self.fix_inputs(&mut tried, conditions);
        let kept = (self.options.record, self.narrowed_steps, self.narrowed_checks);
        self.options.record = kept.0.max(1);
        self.near = Some(Box::default());
        let mut flow = self.run_flow(&mut tried, steps);
        for _ in 0..AGAIN {
            let Flow::Ended(ending @ Ending::Unsupported { .. }) = &flow else { break };
            let arm = self.blocked_in(&tried, ending);
            let Some(fixed) = arm.and_then(|arm| more(arm.constraint)) else { break };
            self.fix_inputs(&mut tried, &fixed);
            flow = self.run_flow(&mut tried, steps);
        }
        (self.options.record, self.narrowed_steps, self.narrowed_checks) = kept;
        let mut jumps = self.near.take().map(|near| near.jumps).unwrap_or_default();
        if let Flow::Ended(Ending::Threw { object, .. }) = flow {
            let site = Site(tried.heap.class_of(object).0);
            jumps.push(Nearby { site, arm: THROWN, distance: f64::INFINITY });
        }
        jumps
    }

    /// See [`evergreen_explore::Machine::hints`].
    pub(crate) fn hints_for(&mut self, state: &State) -> Vec<Hint> {
        let mut all = std::mem::take(&mut self.compared_texts);
        let mut seen = FxHashSet::<ClassId>::default();
        for frame in state.frames.iter().rev().filter(|frame| frame.method.user) {
            if seen.insert(frame.method.class) {
                self.literals(frame.method.class, &mut all);
            }
        }
        all
    }

    /// The texts and numbers in the code of a class.
    fn literals(&self, class: ClassId, all: &mut Vec<Hint>) {
        let class = self.class(class);
        let most = all.len() + MOST_HINTS;
        let mut add = |hint: Hint| {
            if all.len() < most && !all.contains(&hint) {
                all.push(hint);
            }
        };
        let pool = class.pool.file.as_ref().map(|file| &file.pool);
        for index in 1..pool.map_or(0, |pool| pool.len()) {
            match pool.and_then(|pool| pool.constant(index as u16).ok()) {
                Some(Constant::String(text)) if text.units().len() <= LONGEST => {
                    add(Hint::Text(text.units().into()));
                }
                Some(Constant::Int(number)) => add(Hint::Number(number.into())),
                Some(Constant::Float(number)) => add(Hint::Number(number.into())),
                Some(Constant::Long(number)) => add(Hint::Number(number as f64)),
                Some(Constant::Double(number)) => add(Hint::Number(number)),
                _ => {}
            }
        }
        for code in class.methods.iter().filter_map(|method| self.method(*method).code()) {
            for instruction in &code.instructions {
                match instruction {
                    Instruction::Int(number) => add(Hint::Number((*number).into())),
                    Instruction::Long(number) => add(Hint::Number(*number as f64)),
                    Instruction::Double(number) => add(Hint::Number(*number)),
                    Instruction::Float(number) => add(Hint::Number((*number).into())),
                    _ => {}
                }
            }
        }
    }

    /// A method is called while values are tried: notes what texts it compares, if it does.
    #[cold]
    pub(crate) fn note_texts(&mut self, state: &State, method: &Method, receiver: Ref) {
        let is_own = state.frames.iter().rev().take(2).any(|frame| frame.method.user);
        if !is_own || &*method.class_name != "java/lang/String" || !COMPARISONS.contains(&&*method.name) {
            return;
        }
        let Value::Ref(argument) = operand(state, usize::from(method.argument_slots) - 2) else { return };
        let (Some(text), Some(other)) = (self.whole_text(state, receiver), self.whole_text(state, argument))
        else {
            return;
        };
        if let Some(near) = &mut self.near {
            near.texts = Some(distance(&text, &other, &method.name));
        }
        for text in [other, text] {
            let hint = Hint::Text(text.into());
            if self.compared_texts.len() < MOST_HINTS && !self.compared_texts.contains(&hint) {
                self.compared_texts.push(hint);
            }
        }
    }

    fn whole_text(&self, state: &State, object: Ref) -> Option<Vec<u16>> {
        let mut units = Vec::new();
        for part in self.parts(state, object)?.iter() {
            match part {
                Part::Text(text) => units.extend_from_slice(text),
                _ => return None,
            }
        }
        (units.len() <= LONGEST).then_some(units)
    }

    /// A number goes one way of a switch while values are tried.
    #[cold]
    pub(crate) fn note_switch(
        &mut self,
        state: &State,
        method: &Rc<Method>,
        cases: &SwitchCases,
        value: i32,
    ) {
        let Some(pc) = state.top().map(|frame| frame.pc) else { return };
        let site = self.site(method.id, pc);
        let Some(near) = &mut self.near else { return };
        let keys: Vec<i32> = match cases {
            SwitchCases::Table { low, targets } => (*low..).take(targets.len().min(MOST_HINTS)).collect(),
            SwitchCases::Lookup(pairs) => pairs.iter().take(MOST_HINTS).map(|(key, _)| *key).collect(),
        };
        for (at, case) in keys.into_iter().enumerate() {
            if near.jumps.len() < MOST_JUMPS {
                let distance = (f64::from(case) - f64::from(value)).abs() + 1.0;
                let arm = CASES + 2 * at as u32 + u32::from(case == value);
                near.jumps.push(Nearby { site, arm, distance });
            }
        }
    }
}

/// How far a text is from what it is compared with.
fn distance(text: &[u16], other: &[u16], comparison: &str) -> f64 {
    let window = match comparison {
        "startsWith" => &text[..text.len().min(other.len())],
        "endsWith" => &text[text.len() - text.len().min(other.len())..],
        "contains" => {
            let windows = text.windows(other.len().max(1));
            let nearest = windows.min_by(|a, b| of_units(a, other).total_cmp(&of_units(b, other)));
            nearest.unwrap_or(text)
        }
        _ => text,
    };
    let units = of_units(window, other);
    let numbers = match (numbers_in(text), numbers_in(other)) {
        ((shape, a), (other_shape, b)) if shape == other_shape && !a.is_empty() => {
            a.iter().zip(&b).map(|(a, b)| (a - b).abs()).sum()
        }
        _ => f64::INFINITY,
    };
    // Numbers that are equal may be written in two ways.
    if numbers > 0.0 && numbers.is_finite() { numbers } else { units }
}

fn of_units(a: &[u16], b: &[u16]) -> f64 {
    let apart = |(a, b): (&u16, &u16)| (f64::from(*a) - f64::from(*b)).abs().min(LENGTH);
    a.iter().zip(b).map(apart).sum::<f64>() + a.len().abs_diff(b.len()) as f64 * LENGTH
}

/// The numbers in a text, and the text without them.
fn numbers_in(text: &[u16]) -> (String, Vec<f64>) {
    let text = String::from_utf16_lossy(text);
    let (mut shape, mut numbers) = (String::new(), Vec::new());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let length = number_at(rest);
        match rest[..length].parse() {
            Ok(number) => {
                numbers.push(number);
                shape.push('0');
                rest = &rest[length..];
            }
            Err(_) => {
                shape.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    (shape, numbers)
}

/// How long the number is with which a text begins; 0 if it begins with none.
fn number_at(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = |from: usize| usize::from(bytes.get(from) == Some(&b'-'));
    let mut length = sign(0);
    let whole = digits(length);
    if whole == 0 {
        return 0;
    }
    length += whole;
    if bytes.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if bytes.get(length).is_some_and(|byte| matches!(byte, b'e' | b'E')) {
        let exponent = length + 1 + sign(length + 1);
        if digits(exponent) > 0 {
            length = exponent + digits(exponent);
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_numbers_are_as_far_apart_as_the_numbers() {
        let check = |a: &str, b: &str, comparison: &str, apart: f64| {
            let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
            let got = distance(&units(a), &units(b), comparison);
            assert!((got - apart).abs() < 1e-9, "{a} {comparison} {b}: {got}");
        };
        check("0.0", "6.25", "equals", 6.25);
        check("v=-1.5E1;", "v=2;", "equals", 17.0);
        check("10,20", "11,18", "equals", 3.0);
        check("1.00", "1.0", "equals", LENGTH);
        check("12.53", "12.5", "startsWith", 0.03);
        check("abc", "abd", "equals", 1.0);
        check("xxabcxx", "abd", "contains", 1.0);
        check("a", "", "contains", LENGTH);
        check("same", "same", "equals", 0.0);
    }
}
