//! Programs at random of a given number of lines, in the manner of RUGRAT: productions drawn by weight
//! [Hussain WODA'12; Liu HVC'14, 4.2].
//!
//! Methods have three parameters, four locals, ifs, loops, arrays and calls of methods of a lower level.
//! The entry is a row of sections; each chooses one of many methods by an input, as a program that
//! dispatches on a command does, and works with what the method returns. So a larger program has longer
//! paths, but a path does not see all of its lines. Only sums, differences and products with numbers occur,
//! so all conditions are linear, as the paper wants them.
//!
//! Coefficients must not explode along a path. Local `k` is a sum of at most two variables of lower numbers
//! or itself and a constant; results of calls are compared and returned, and only results of calls without
//! other results among their arguments are arguments.

use super::program::{Condition, Joint, Procedure, Program, Statement, Test};
use crate::bench::Random;
use crate::study::code::{Compare, Expr};

/// What the paper calls 5K, 10K and 20K, or a smaller one for tests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// Lines to reach; a program has up to 5% more.
    pub lines: usize,
    /// Inputs of the entry.
    pub inputs: usize,
    /// Sections of the entry.
    pub sections: usize,
}

/// Parameters of each method.
const PARAMS: usize = 3;
/// Locals of each method; they follow the parameters.
const LOCALS: usize = 4;
/// The slot for results of calls.
const RESULT: usize = PARAMS + LOCALS;
/// Arrays of a program.
const ARRAYS: usize = 4;
/// Ifs and loops are nested this deep at most.
const NESTING: usize = 3;

/// The program of a seed.
pub(super) fn generate(seed: u64, size: Size) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(size.lines as u64));
    let mut program = Program { procedures: Vec::new(), arrays: ARRAYS };
    let mut levels: [Vec<usize>; 3] = Default::default();
    let mut lines = ARRAYS;
    // A dispatch of the entry takes about four lines for each method.
    while lines + 4 * program.procedures.len() < size.lines {
        let number = program.procedures.len();
        let level = match random.below(10) {
            9 if !levels[1].is_empty() => 2,
            6..9 if !levels[0].is_empty() => 1,
            _ => 0,
        };
        let callable = if level == 0 { Vec::new() } else { levels[level - 1].clone() };
        let procedure = Writer::method(&mut random, number, callable);
        lines += count(&procedure.body) + 3;
        program.procedures.push(procedure);
        levels[level].push(number);
    }
    let entry = Writer::entry(&mut random, program.procedures.len(), size);
    program.procedures.push(entry);
    program
}

fn count(block: &[Statement]) -> usize {
    let one = |statement: &Statement| match statement {
        Statement::If { yes, no, .. } if no.is_empty() => 2 + count(yes),
        Statement::If { yes, no, .. } => 3 + count(yes) + count(no),
        Statement::While { body, .. } => 2 + count(body),
        _ => 1,
    };
    block.iter().map(one).sum()
}

struct Writer<'r> {
    random: &'r mut Random,
    slots: Vec<String>,
    /// Methods that may be called.
    callable: Vec<usize>,
    /// Counters of the loops around, whose values are numbers once the loops are unrolled.
    counters: Vec<usize>,
    calls: usize,
}

fn slot(slot: usize) -> Expr {
    Expr::Slot(slot)
}

fn add(a: Expr, b: Expr) -> Expr {
    Expr::Add(Box::new(a), Box::new(b))
}

fn sub(a: Expr, b: Expr) -> Expr {
    Expr::Sub(Box::new(a), Box::new(b))
}

impl<'r> Writer<'r> {
    fn method(random: &'r mut Random, number: usize, callable: Vec<usize>) -> Procedure {
        let params = (0..PARAMS).map(|i| format!("p{i}"));
        let locals = (0..LOCALS).map(|i| format!("l{i}"));
        let slots: Vec<String> = params.chain(locals).chain(["r".to_string()]).collect();
        let calls = if callable.is_empty() { 0 } else { 1 + random.below(2) as usize };
        let mut writer = Writer { random, slots, callable, counters: Vec::new(), calls };
        let mut body: Vec<Statement> = (PARAMS..=RESULT).map(|s| writer.initial(s)).collect();
        let lines = 14 + writer.below(36);
        while count(&body) < lines {
            body.extend(writer.statement(0));
        }
        while writer.calls > 0 {
            body.push(writer.call());
        }
        let back = [RESULT, RESULT - 1, PARAMS][writer.below(3)];
        let result = add(slot(back), Expr::Number(writer.below(9) as i64));
        Procedure { name: format!("m{number}"), params: PARAMS, slots: writer.slots, body, result }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound.max(1) as u64) as usize
    }

    fn number(&mut self) -> Expr {
        Expr::Number(self.below(90) as i64 - 30)
    }

    fn initial(&mut self, at: usize) -> Statement {
        let (a, b) = (self.below(PARAMS), self.below(PARAMS));
        let value = if self.below(2) == 0 { add(slot(a), slot(b)) } else { add(slot(a), self.number()) };
        Statement::Set { slot: at, value }
    }

    /// One statement, with what it needs before it.
    fn statement(&mut self, nesting: usize) -> Vec<Statement> {
        match self.below(100) {
            0..24 if nesting < NESTING => vec![self.choice(nesting)],
            24..30 if nesting < 2 && self.counters.len() < 2 => self.repetition(nesting),
            30..40 if self.calls > 0 && self.counters.is_empty() => vec![self.call()],
            40..50 => vec![self.store()],
            _ => vec![self.assignment()],
        }
    }

    /// A parameter, or a local of a lower number.
    fn lower(&mut self, than: usize) -> Expr {
        if self.below(8) == 0 {
            return Expr::Cell(self.below(ARRAYS), Box::new(self.index()));
        }
        slot(self.below(than))
    }

    fn index(&mut self) -> Expr {
        match self.counters.last().copied() {
            Some(counter) if self.below(2) == 0 => slot(counter),
            _ => Expr::Number(self.below(6) as i64),
        }
    }

    fn assignment(&mut self) -> Statement {
        let target = PARAMS + self.below(LOCALS);
        let value = match self.below(10) {
            0..3 => add(self.lower(target), self.lower(target)),
            3..5 => sub(self.lower(target), self.lower(target)),
            5 => {
                let twice = Expr::Mul(Box::new(Expr::Number(2)), Box::new(slot(self.below(PARAMS))));
                sub(twice, slot(self.below(PARAMS)))
            }
            6 => add(add(self.lower(target), slot(self.below(PARAMS))), self.number()),
            7..9 => add(slot(target), Expr::Number(1 + self.below(20) as i64)),
            _ => sub(self.lower(target), Expr::Number(1 + self.below(20) as i64)),
        };
        Statement::Set { slot: target, value }
    }

    fn store(&mut self) -> Statement {
        let (array, index) = (self.below(ARRAYS), self.index());
        let value = add(slot(self.below(PARAMS)), Expr::Number(self.below(20) as i64));
        Statement::Store { array, index, value }
    }

    fn test(&mut self, variables: &[usize]) -> Test {
        let one = |writer: &mut Self| slot(variables[writer.below(variables.len())]);
        let left = one(self);
        let left = if self.below(3) == 0 { add(left, one(self)) } else { left };
        let compare = match self.below(10) {
            0..2 => Compare::Lt,
            2..4 => Compare::Le,
            4..6 => Compare::Gt,
            6..8 => Compare::Ge,
            8 => Compare::Eq,
            _ => Compare::Ne,
        };
        let right = if self.below(2) == 0 { self.number() } else { add(one(self), self.number()) };
        Test { left, compare, right }
    }

    fn condition(&mut self) -> Condition {
        let all: Vec<usize> = (0..=RESULT).collect();
        let mut tests = vec![self.test(&all)];
        if self.below(5) == 0 {
            tests.push(self.test(&all));
        }
        let joint = if self.below(2) == 0 { Joint::All } else { Joint::Any };
        Condition { tests, joint }
    }

    fn block(&mut self, nesting: usize, most: usize) -> Vec<Statement> {
        let statements = 1 + self.below(most);
        (0..statements).flat_map(|_| self.statement(nesting)).collect()
    }

    fn choice(&mut self, nesting: usize) -> Statement {
        let condition = self.condition();
        let yes = self.block(nesting + 1, 5);
        let no = if self.below(2) == 0 { self.block(nesting + 1, 5) } else { Vec::new() };
        Statement::If { condition, yes, no, joins: Vec::new() }
    }

    /// A loop over a counter: up to a number of at most 3, or up to a parameter as long as a condition holds.
    fn repetition(&mut self, nesting: usize) -> Vec<Statement> {
        let counter = self.slots.len();
        self.slots.push(format!("i{counter}"));
        let few = Expr::Number(2 + self.below(2) as i64);
        let is_plain = self.below(3) == 0;
        let most = if is_plain { few } else { slot(self.below(PARAMS)) };
        let mut tests = vec![Test { left: slot(counter), compare: Compare::Lt, right: most }];
        if !is_plain {
            let all: Vec<usize> = (0..RESULT).collect();
            tests.push(self.test(&all));
        }
        self.counters.push(counter);
        let mut body = self.block(nesting + 2, 3);
        self.counters.pop();
        body.push(Statement::Set { slot: counter, value: add(slot(counter), Expr::Number(1)) });
        let condition = Condition { tests, joint: Joint::All };
        vec![
            Statement::Set { slot: counter, value: Expr::Number(0) },
            Statement::While { condition, body, carried: Vec::new() },
        ]
    }

    fn call(&mut self) -> Statement {
        self.calls -= 1;
        let method = self.below(self.callable.len());
        let method = self.callable[method];
        let args = (0..PARAMS).map(|_| slot(self.below(PARAMS + 2))).collect();
        Statement::Call { method, args, into: RESULT }
    }

    fn entry(random: &'r mut Random, methods: usize, size: Size) -> Procedure {
        let mut slots: Vec<String> = (0..size.inputs).map(|i| format!("x{i}")).collect();
        slots.extend((0..size.sections).map(|section| format!("v{section}")));
        let mut writer = Writer { random, slots, callable: Vec::new(), counters: Vec::new(), calls: 0 };
        let mut body = Vec::new();
        for section in 0..size.sections {
            let (from, to) = (section * methods / size.sections, (section + 1) * methods / size.sections);
            body.extend(writer.section(section, from..to, size));
        }
        let result = slot(size.inputs + size.sections - 1);
        Procedure { name: "main".into(), params: size.inputs, slots: writer.slots, body, result }
    }

    /// Chooses one of the methods by an input, then compares the result.
    fn section(&mut self, section: usize, methods: std::ops::Range<usize>, size: Size) -> Vec<Statement> {
        let value = size.inputs + section;
        let first = self.below(size.inputs);
        let window: Vec<usize> = (0..PARAMS).map(|i| (first + i) % size.inputs).collect();
        let selector = window[0];
        let mut args: Vec<Expr> = window.iter().map(|&input| slot(input)).collect();
        if section % 3 == 2 {
            args[PARAMS - 1] = slot(size.inputs + section - 1 - self.below(2));
        }
        let mut chain: Vec<Statement> = Vec::new();
        for method in methods.rev() {
            let call = Statement::Call { method, args: args.clone(), into: value };
            let test = Test {
                left: slot(selector),
                compare: Compare::Le,
                right: Expr::Number(method as i64 % 97 - 20),
            };
            let condition = Condition { tests: vec![test], joint: Joint::All };
            chain = vec![Statement::If { condition, yes: vec![call], no: chain, joins: Vec::new() }];
        }
        let start = Statement::Set { slot: value, value: add(slot(window[1]), slot(window[2])) };
        let mut statements = vec![start];
        statements.extend(chain);
        let test = self.test(&[value, window[0], window[1]]);
        let condition = Condition { tests: vec![test], joint: Joint::All };
        let yes = vec![Statement::Set { slot: value, value: add(slot(window[0]), self.number()) }];
        statements.push(Statement::If { condition, yes, no: Vec::new(), joins: Vec::new() });
        statements
    }
}
