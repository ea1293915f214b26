//! A second front end: a language of four instructions over whole numbers.
//!
//! ```text
//! fn grade points
//! if points < 50 goto 3
//! set bonus = points + 5
//! return bonus
//! fail too-few
//! ```
//!
//! All that the service needs of a language is here: a machine, how an entry begins, how an outcome is sorted and
//! described, what a test is, how it is replayed, how it guides a path. The rest comes from the service.

use evergreen::Evergreen;
use evergreen::store::{Memory, Store};
use evergreen_deciding::probability::{Class, ShowInteger, Shown};
use evergreen_explore::{Arm, End, Machine, Pause, Site};
use evergreen_service::*;
use evergreen_suite::Decision;
use evergreen_symbolic::{Binary, Cond, Const, Expr, Exprs, InputKind, Ints, Rel};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// An instruction; operands are names or numbers.
#[derive(Clone, Debug)]
enum Code {
    If(String, String, usize),
    Set(String, String, Binary, String),
    Return(String),
    Fail(String),
}

/// A function: what can be explored.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    code: Vec<Code>,
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.parameters.join(", "))
    }
}

impl Entry for Function {
    fn key(&self) -> EntryKey {
        (String::new(), self.name.clone(), self.parameters.join(" "))
    }

    fn parameter_names(&self) -> Vec<&str> {
        self.parameters.iter().map(String::as_str).collect()
    }
}

/// Reads a program.
pub fn read(text: &str) -> Vec<Function> {
    let mut all: Vec<Function> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let code = match words[..] {
            ["fn", name, ..] => {
                let parameters = words[2..].iter().map(|word| word.to_string()).collect();
                all.push(Function { name: name.into(), parameters, code: Vec::new() });
                continue;
            }
            ["if", a, "<", b, "goto", to] => Code::If(a.into(), b.into(), to.parse().expect("a number")),
            ["set", name, "=", a, op, b] => {
                let op = if op == "+" { Binary::Add } else { Binary::Sub };
                Code::Set(name.into(), a.into(), op, b.into())
            }
            ["return", a] => Code::Return(a.into()),
            ["fail", why] => Code::Fail(why.into()),
            _ => panic!("no instruction: {line}"),
        };
        all.last_mut().expect("a function").code.push(code);
    }
    all
}

/// One path's state.
#[derive(Clone)]
pub struct State {
    at: usize,
    names: BTreeMap<String, Expr>,
    steps: u64,
    /// Where the arms of a branch lead.
    ways: [usize; 2],
}

/// The machine; sites are numbers of instructions of the function that is explored.
pub struct ToyMachine {
    exprs: Rc<RefCell<Exprs>>,
    code: Vec<Code>,
}

impl ToyMachine {
    fn value(&self, state: &State, text: &str) -> Expr {
        let number =
            || self.exprs.borrow_mut().constant(Const::I32(text.parse().expect("a name or a number")));
        state.names.get(text).copied().unwrap_or_else(number)
    }
}

impl Machine for ToyMachine {
    type State = State;
    type Constraint = Cond;
    type Outcome = Result<Expr, (usize, String)>;

    fn run(&mut self, state: &mut State, steps: u64, arms: &mut Vec<Arm<Cond>>) -> Pause<Self::Outcome> {
        for _ in 0..steps {
            state.steps += 1;
            let at = state.at;
            match self.code[at].clone() {
                Code::If(a, b, to) => {
                    let (a, b) = (self.value(state, &a), self.value(state, &b));
                    let condition = self.exprs.borrow_mut().relate(Rel::Lt, a, b);
                    state.ways = [to, at + 1];
                    match condition {
                        Cond::TRUE => state.at = to,
                        Cond::FALSE => state.at += 1,
                        condition => {
                            let (site, not) = (Site(at as u32), self.exprs.borrow().not(condition));
                            arms.push(Arm { constraint: condition, site, index: 0 });
                            arms.push(Arm { constraint: not, site, index: 1 });
                            return Pause::Branch;
                        }
                    }
                }
                Code::Set(name, a, op, b) => {
                    let (a, b) = (self.value(state, &a), self.value(state, &b));
                    let sum = self.exprs.borrow_mut().binary(op, a, b);
                    state.names.insert(name, sum);
                    state.at += 1;
                }
                Code::Return(a) => return Pause::Ended(Ok(self.value(state, &a))),
                Code::Fail(why) => return Pause::Ended(Err((at, why))),
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

/// A test: inputs by name, and what is expected.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub inputs: Vec<(String, i64)>,
    pub expected: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Toy;

impl Language for Toy {
    type Entry = Function;
    type Inputs = (i32, i32);
    type Value = i64;
    type Case = Case;
    type Target = String;
    type Beyond = ();
    type Counts = ();
}

/// Runs toy programs.
pub struct ToyFrontend {
    program: Vec<Function>,
    machine: ToyMachine,
}

/// A program, ready to be explored on a store.
pub fn explore(text: &str, store: &Arc<dyn Store>) -> Exploration<ToyFrontend> {
    let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let machine = ToyMachine { exprs: exprs.clone(), code: Vec::new() };
    let store = store.clone();
    let make = Box::new(move || Evergreen::builder().with_store(store.clone()).build());
    Exploration::new(ToyFrontend { program: read(text), machine }, exprs, make)
}

/// A store of its own.
pub fn store() -> Arc<dyn Store> {
    Arc::new(Memory::new(16 << 20))
}

/// What a function does with these inputs, computed by plain arithmetic: the instructions on the way, and the end.
pub fn run(function: &Function, inputs: &[(&str, i32)]) -> (Vec<usize>, String) {
    let mut names: BTreeMap<&str, i32> = inputs.iter().copied().collect();
    let (mut at, mut way) = (0, Vec::new());
    loop {
        way.push(at);
        let value = |text: &str| names.get(text).copied().unwrap_or_else(|| text.parse().expect("a number"));
        at = match &function.code[at] {
            Code::If(a, b, to) if value(a) < value(b) => *to,
            Code::If(..) => at + 1,
            Code::Set(name, a, op, b) => {
                let (a, b) = (value(a), value(b));
                names.insert(name, if *op == Binary::Add { a.wrapping_add(b) } else { a.wrapping_sub(b) });
                at + 1
            }
            Code::Return(a) => return (way, value(a).to_string()),
            Code::Fail(why) => return (way, why.clone()),
        };
    }
}

/// Replays a test: what happens.
pub fn replay(function: &Function, case: &Case) -> String {
    let inputs: Vec<(&str, i32)> = case.inputs.iter().map(|(name, n)| (name.as_str(), *n as i32)).collect();
    run(function, &inputs).1
}

impl ToyFrontend {
    fn inputs(&self, function: &Function, (low, high): (i32, i32)) -> BTreeMap<String, Expr> {
        let mut exprs = self.machine.exprs.borrow_mut();
        let range = ((low, high) != (0, 0)).then_some((low.into(), high.into()));
        let input = |name: &String| (name.clone(), exprs.input(name, InputKind::Int, range));
        function.parameters.iter().map(input).collect()
    }
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

    fn begin(&mut self, function: &Function, range: &(i32, i32)) -> Result<Begun<State>, ProgramError> {
        self.machine.code = function.code.clone();
        let start = State { at: 0, names: self.inputs(function, *range), steps: 0, ways: [0, 0] };
        Ok(Begun { start, conditions: Vec::new(), assumptions: String::new(), within: String::new() })
    }

    fn find(&self, key: &EntryKey) -> Option<Function> {
        self.program.iter().find(|function| function.key() == *key).cloned()
    }

    fn target(&self, function: &Function) -> String {
        function.name.clone()
    }

    fn sort(&self, outcome: &Result<Expr, (usize, String)>) -> Sorted {
        match outcome {
            Ok(_) => Sorted::Ended,
            Err((at, why)) => Sorted::Failed(why.as_str().into(), at.to_string()),
        }
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
        let number_of = |expr: Expr| match exprs.eval(expr, &found.model) {
            Const::I32(n) => i64::from(n),
            _ => 0,
        };
        let how = match &found.end {
            End::Outcome(Ok(value)) => How::Returned(Some(number_of(*value))),
            End::Outcome(Err((_, why))) => How::Threw { class: why.clone(), message: None, place: None },
            End::Cut(bound) => How::Cut(bound.name()),
            End::Undecided(arm) => How::Undecided { condition: exprs.show(arm.constraint), place: None },
            End::Stuck => How::Stuck(None),
        };
        let value = |name: &String| {
            (name.clone(), exprs.named(name).first().map_or(0, |&i| found.model.integer(&exprs, i)))
        };
        let mut path: PathEnd<Toy> = PathEnd {
            number,
            position: subject.leftovers.position(&found.trail),
            how,
            inputs: subject.entry.parameters.iter().map(value).collect(),
            conditions: found.path.constraints().iter().map(|&c| exprs.show(c)).collect(),
            depth: found.trail.depth(),
            steps: found.state.steps,
            ..PathEnd::empty()
        };
        let expected = match &path.how {
            How::Returned(Some(value)) => Some(value.to_string()),
            How::Threw { class, .. } => Some(class.clone()),
            _ => None,
        };
        path.case = expected.map(|expected| Case { inputs: path.inputs.clone(), expected });
        Described { path: Box::new(path), is_graph: false, is_built: false }
    }

    fn decisions(&self) -> Box<dyn FnMut(&ToyMachine, Site, u32) -> Option<Decision>> {
        // Which conditional jump it is outlives edits of everything else.
        Box::new(|machine, site, arm| {
            let before = &machine.code[..site.0 as usize];
            let ordinal = before.iter().filter(|code| matches!(code, Code::If(..))).count() as u32;
            Some(Decision { class: "toy".into(), method: "".into(), kind: None, ordinal, arm })
        })
    }

    fn shown(&self, _: &Function, outcome: &Result<Expr, (usize, String)>) -> Option<Shown> {
        let show = ShowInteger { write: |n| n.to_string().encode_utf16().collect(), is_character: false };
        let (class, value) = match outcome {
            Ok(value) => match self.machine.exprs.borrow().as_const(*value) {
                Some(Const::I32(n)) => (Class::Returned(n.to_string()), None),
                _ => (Class::Varying, Some((*value, show))),
            },
            Err((_, why)) => (Class::Threw(why.clone()), None),
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

    fn keep(&self, old: &Case, _: &State, _: &State, path: &mut PathEnd<Toy>) -> Result<(), String> {
        match path.inputs == old.inputs {
            true => Ok(()),
            false => Err("its inputs are others".into()),
        }
    }
}
