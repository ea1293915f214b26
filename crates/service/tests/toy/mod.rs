//! A second front end: a language of four instructions over whole numbers, in less than three hundred
//! lines of code.
//!
//! All that the service needs of a language is here: a machine, how an entry begins, how an outcome is sorted
//! and described, what a test is, how it is written, replayed, and used as a seed. The rest comes from the
//! service.

use evergreen_deciding::probability::{Class, ShowInteger, Shown};
use evergreen_explore::{Arm, End, Machine, Pause, Site};
use evergreen_service::*;
use evergreen_suite::line::Line;
use evergreen_suite::{Decision, Flaw, Format};
use evergreen_symbolic::{Binary, Cond, Const, Expr, Exprs, InputKind, Ints, Rel};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// An instruction; an operand is a name or a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Code {
    /// If the first is less than the second, go there.
    If(&'static str, &'static str, usize),
    /// The first becomes the second minus the third.
    Subtract(&'static str, &'static str, &'static str),
    Return(&'static str),
    Fail(&'static str),
}

/// A function: what can be explored.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    pub name: &'static str,
    pub parameters: Vec<&'static str>,
    pub code: Vec<Code>,
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Entry for Function {
    fn key(&self) -> EntryKey {
        ("toy".into(), self.name.into(), String::new())
    }

    fn parameter_names(&self) -> Vec<&str> {
        self.parameters.clone()
    }
}

/// One path's state; `ways` are where the arms of its branch lead.
#[derive(Clone)]
pub(crate) struct State {
    at: usize,
    names: BTreeMap<&'static str, Expr>,
    steps: u64,
    ways: [usize; 2],
}

/// The machine. Sites are the instructions of the function that is explored.
pub(crate) struct ToyMachine {
    pub exprs: Rc<RefCell<Exprs>>,
    pub code: Vec<Code>,
}

impl ToyMachine {
    fn value(&self, state: &State, text: &str) -> Expr {
        let number = || self.exprs.borrow_mut().constant(Const::I32(text.parse().expect("a number")));
        state.names.get(text).copied().unwrap_or_else(number)
    }
}

impl Machine for ToyMachine {
    type State = State;
    type Constraint = Cond;
    type Outcome = Result<Expr, &'static str>;

    fn run(&mut self, state: &mut State, steps: u64, arms: &mut Vec<Arm<Cond>>) -> Pause<Self::Outcome> {
        for _ in 0..steps {
            state.steps += 1;
            match self.code[state.at] {
                Code::If(a, b, to) => {
                    let (a, b) = (self.value(state, a), self.value(state, b));
                    let holds = self.exprs.borrow_mut().relate(Rel::Lt, a, b);
                    state.ways = [to, state.at + 1];
                    match holds {
                        Cond::TRUE => state.at = to,
                        Cond::FALSE => state.at += 1,
                        holds => {
                            let not = self.exprs.borrow().not(holds);
                            let arm =
                                |(constraint, index)| Arm { constraint, site: Site(state.at as u32), index };
                            arms.extend([(holds, 0), (not, 1)].map(arm));
                            return Pause::Branch;
                        }
                    }
                }
                Code::Subtract(to, a, b) => {
                    let (a, b) = (self.value(state, a), self.value(state, b));
                    state.names.insert(to, self.exprs.borrow_mut().binary(Binary::Sub, a, b));
                    state.at += 1;
                }
                Code::Return(a) => return Pause::Ended(Ok(self.value(state, a))),
                Code::Fail(why) => return Pause::Ended(Err(why)),
            }
        }
        Pause::OutOfSteps
    }

    fn take(&mut self, state: &mut State, arm: usize) {
        state.at = state.ways[arm];
    }

    fn steps(&self, state: &State) -> u64 {
        state.steps
    }
}

/// A test: the function, its inputs by name, and the end.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Case {
    pub target: Arc<String>,
    pub inputs: Vec<(String, i64)>,
    pub end: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Toy;

impl Format for Toy {
    type Target = String;
    type Case = Case;
    type Body = Case;
    type SourceOptions = ();
    const WORDS: &'static [&'static str] = &["returns", "fails"];

    fn unit(_: &String) -> &str {
        "toy"
    }

    fn name(target: &String) -> &str {
        target
    }

    fn read_heading(_: &str, line: &mut Line<'_>) -> Result<String, Flaw> {
        line.name("the name of a function")
    }

    fn target(case: &Case) -> &Arc<String> {
        &case.target
    }

    fn inputs(case: &Case, _: &String) -> Vec<String> {
        case.inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect()
    }

    fn outcome(case: &Case) -> Vec<String> {
        vec![case.end.clone()]
    }

    fn body(section: &Arc<String>) -> Case {
        Case { target: section.clone(), inputs: Vec::new(), end: String::new() }
    }

    fn read_line(body: &mut Case, line: &mut Line<'_>) -> Result<(), Flaw> {
        if ["returns", "fails"].contains(&line.peek()) {
            body.end = line.until(|_| false).to_string();
            return Ok(());
        }
        let name = line.name("an input")?;
        line.need("=")?;
        body.inputs.push((name, line.integer("a number")?));
        Ok(())
    }

    fn end(body: Case) -> Result<Case, String> {
        if body.end.is_empty() { Err("no outcome".into()) } else { Ok(body) }
    }

    fn test_name(case: &Case) -> String {
        format!("{}_{}", case.target, case.end.replace([' ', '-'], "_"))
    }
}

impl Language for Toy {
    type Entry = Function;
    type Inputs = (i64, i64);
    type Value = i64;
    type Beyond = ();
    type Counts = ();
    type Within = ();

    fn json(value: &i64) -> Value {
        (*value).into()
    }

    fn called_with(case: &Case) -> Vec<(String, i64)> {
        case.inputs.clone()
    }
}

/// A program: some functions. Its tests are replayed by [`run`].
#[derive(Clone, Debug)]
pub(crate) struct ToyProgram(pub Vec<Function>);

impl Program<Toy> for ToyProgram {
    fn units(&self) -> Vec<String> {
        vec!["toy".into()]
    }

    fn entry(&self, target: &String) -> Option<Function> {
        self.0.iter().find(|function| function.name == *target).cloned()
    }

    fn target(&self, function: &Function) -> String {
        function.name.into()
    }
}

/// Without a symbol there is no branch, so the machine runs a test to its end.
impl Replayer<Toy> for ToyProgram {
    fn replay(&mut self, tests: Vec<(Case, ())>) -> Result<Vec<Option<Difference>>, String> {
        let differs = |(case, ()): (Case, ())| {
            let end = self.run(&self.entry(&case.target)?, &case.inputs)?;
            (end != case.end).then_some(Difference::Divergence(end))
        };
        Ok(tests.into_iter().map(differs).collect())
    }
}

impl ToyProgram {
    /// What a function does with these inputs.
    pub(crate) fn run(&self, function: &Function, inputs: &[(String, i64)]) -> Option<String> {
        let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
        let constant = |n: i64| exprs.borrow_mut().constant(Const::I32(n as i32));
        let own = |(&name, (_, n)): (&&'static str, &(String, i64))| (name, constant(*n));
        let names = function.parameters.iter().zip(inputs).map(own).collect();
        let mut state = State { at: 0, names, steps: 0, ways: [0, 0] };
        let mut machine = ToyMachine { exprs: exprs.clone(), code: function.code.clone() };
        match machine.run(&mut state, 1_000_000, &mut Vec::new()) {
            Pause::Ended(Ok(value)) => match exprs.borrow().as_const(value)? {
                Const::I32(n) => Some(format!("returns {n}")),
                _ => None,
            },
            Pause::Ended(Err(why)) => Some(format!("fails {why}")),
            _ => None,
        }
    }
}

/// Runs toy programs.
pub(crate) struct ToyFrontend {
    pub program: ToyProgram,
    pub machine: ToyMachine,
}

impl Frontend for ToyFrontend {
    type Language = Toy;
    type Machine = ToyMachine;
    type Seed = Case;

    fn machine(&mut self) -> &mut ToyMachine {
        &mut self.machine
    }

    fn as_machine(&self) -> &ToyMachine {
        &self.machine
    }

    fn begin(&mut self, function: &Function, range: &(i64, i64)) -> Result<Begun<State>, ProgramError> {
        self.machine.code.clone_from(&function.code);
        let mut exprs = self.machine.exprs.borrow_mut();
        let input = |&name: &&'static str| (name, exprs.input(name, InputKind::Int, Some(*range)));
        let names = function.parameters.iter().map(input).collect();
        let start = State { at: 0, names, steps: 0, ways: [0, 0] };
        Ok(Begun { start, conditions: Vec::new(), assumptions: String::new(), within: String::new() })
    }

    fn find(&self, (_, name, _): &EntryKey) -> Option<Function> {
        self.program.entry(name)
    }

    fn target(&self, function: &Function) -> String {
        function.name.into()
    }

    fn sort(&self, outcome: &Result<Expr, &'static str>) -> Sorted {
        outcome.map_or_else(|why| Sorted::Failed(why.into(), String::new()), |_| Sorted::Ended)
    }

    fn describe(
        &mut self,
        subject: &Subject<'_, Toy>,
        found: FoundOf<ToyFrontend>,
        _: &Whole<'_, State>,
        number: u64,
        _: Detail,
    ) -> Described<Toy> {
        let exprs = self.machine.exprs.borrow();
        let value = |name: &&str| exprs.named(name).first().map_or(0, |i| found.model.integer(&exprs, *i));
        let names = subject.entry.parameters.iter();
        let inputs: Vec<(String, i64)> = names.map(|name| (name.to_string(), value(name))).collect();
        let case = |end| Some(Case { target: subject.target.clone(), inputs: inputs.clone(), end });
        let (how, case) = match &found.end {
            End::Outcome(Ok(value)) => {
                let Const::I32(n) = exprs.eval(*value, &found.model) else { unreachable!("all are ints") };
                (How::Returned(Some(n.into())), case(format!("returns {n}")))
            }
            End::Outcome(Err(why)) => {
                let how = {
                    let severity = if *why == "declared" { Severity::Declared } else { Severity::Assertion };
                    How::Threw { class: why.to_string(), message: None, place: None, severity }
                };
                (how, case(format!("fails {why}")))
            }
            end => (How::stopped(end, |cond| exprs.show(cond)).unwrap_or(How::Stuck(None)), None),
        };
        let (position, depth) = (subject.leftovers.position(&found.trail), found.trail.depth());
        let path = PathEnd { number, position, how, inputs, case, depth, ..PathEnd::empty() };
        Described { path: Box::new(path), is_graph: false, is_built: false }
    }

    fn decisions(&self) -> Box<dyn FnMut(&ToyMachine, Site, u32) -> Option<Decision>> {
        // Which conditional jump it is outlives edits of everything else.
        let jump = |machine: &ToyMachine, site: Site, arm| {
            let before = machine.code[..site.0 as usize].iter();
            let ordinal = before.filter(|code| matches!(code, Code::If(..))).count() as u32;
            Some(Decision { unit: "toy".into(), function: "jump".into(), kind: None, ordinal, arm })
        };
        Box::new(jump)
    }

    fn shown(&self, _: &Function, outcome: &Result<Expr, &'static str>) -> Option<Shown> {
        let show = ShowInteger { write: |n| n.to_string().encode_utf16().collect(), is_character: false };
        let (class, value) = match outcome {
            Ok(value) => (Class::Varying, Some((*value, show))),
            Err(why) => (Class::Threw(why.to_string()), None),
        };
        Some(Shown { class, value, printed: Vec::new() })
    }

    fn seed(&self, _: &Function, case: &Case) -> Case {
        case.clone()
    }

    fn seed_value(
        _: &mut ToyMachine,
        case: &Case,
        name: &str,
        _: InputKind,
    ) -> Result<Option<Const>, String> {
        let value = case.inputs.iter().find(|(own, _)| own == name);
        Ok(value.map(|(_, value)| Const::I32(*value as i32)))
    }
}
