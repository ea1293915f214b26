//! Programs at random, in the manner of RUGRAT: grammar productions drawn by weight [Hussain WODA'12].
//!
//! A program has methods that call each other (lower numbers only, so calls end) and entries whose parameters
//! are the inputs. An entry is a row of sections, each over a window of two or three inputs and its own
//! locals, with now and then a variable of an earlier section: so there are paths with many constraints that
//! fall into a few parts, and variables that tie parts together later. Assignments build on what was assigned
//! before, so expressions grow and are shared. The same seed gives the same text everywhere.

use crate::bench::Random;
use std::fmt::Write as _;

/// What a program is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Methods that are called.
    pub methods: usize,
    /// Entries.
    pub entries: usize,
    /// Inputs of each entry.
    pub inputs: usize,
    /// Sections of each entry.
    pub sections: usize,
    /// Statements of each section and of each method.
    pub statements: usize,
}

/// The text of a program.
pub(super) fn random_program(seed: u64, shape: Shape) -> String {
    let mut writer = Writer { random: Random::new(seed), text: String::new(), loops: 0 };
    for method in 0..shape.methods {
        writer.method(method, shape);
    }
    for entry in 0..shape.entries {
        writer.entry(entry, shape);
    }
    writer.text
}

/// Parameters of every method.
const PARAMS: usize = 3;
/// Ifs and loops are nested this deep at most.
const NESTING: usize = 2;

struct Writer {
    random: Random,
    text: String,
    loops: usize,
}

/// Where a statement stands: which variables it may use and which methods it may call.
struct Scope {
    variables: Vec<String>,
    callable: usize,
    nesting: usize,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound.max(1) as u64) as usize
    }

    fn line(&mut self, nesting: usize, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * (nesting + 1));
    }

    fn method(&mut self, number: usize, shape: Shape) {
        let variables: Vec<String> = (0..PARAMS).map(|i| format!("p{i}")).collect();
        let _ = writeln!(self.text, "method m{number}({}) {{", variables.join(", "));
        let mut scope = Scope { variables, callable: number, nesting: 0 };
        for _ in 0..shape.statements.div_ceil(2) {
            self.statement(&mut scope);
        }
        let result = self.expression(&scope);
        self.line(0, &format!("return {result};"));
        self.text.push_str("}\n");
    }

    fn entry(&mut self, number: usize, shape: Shape) {
        let inputs: Vec<String> = (0..shape.inputs).map(|i| format!("x{i}")).collect();
        let _ = writeln!(self.text, "entry main{number}({}) {{", inputs.join(", "));
        let mut earlier: Vec<String> = Vec::new();
        for section in 0..shape.sections {
            let first = self.below(inputs.len());
            let window = 2 + self.below(2);
            let mut variables: Vec<String> =
                (0..window).map(|i| inputs[(first + i) % inputs.len()].clone()).collect();
            if !earlier.is_empty() && self.below(3) == 0 {
                let old = self.below(earlier.len());
                variables.push(earlier[old].clone());
            }
            let mut scope = Scope { variables, callable: shape.methods, nesting: 0 };
            let local = format!("v{section}");
            let value = self.expression(&scope);
            self.line(0, &format!("{local} = {value};"));
            scope.variables.push(local.clone());
            for _ in 0..shape.statements {
                self.statement(&mut scope);
            }
            earlier.push(local);
        }
        self.text.push_str("}\n");
    }

    fn statement(&mut self, scope: &mut Scope) {
        let nested = scope.nesting < NESTING;
        match self.below(100) {
            0..40 => self.choice(scope),
            40..48 if nested => self.repetition(scope),
            48..64 if scope.callable > 0 && scope.nesting == 0 => self.call(scope),
            _ => self.assignment(scope),
        }
    }

    fn variable(&mut self, scope: &Scope) -> String {
        let at = self.below(scope.variables.len());
        scope.variables[at].clone()
    }

    fn number(&mut self) -> String {
        let value = self.below(90) as i64 - 30;
        if value < 0 { format!("(0 - {})", -value) } else { value.to_string() }
    }

    fn expression(&mut self, scope: &Scope) -> String {
        let first = self.below(scope.variables.len());
        let other = (first + 1 + self.below(scope.variables.len() - 1)) % scope.variables.len();
        let (a, b) = (scope.variables[first].clone(), scope.variables[other].clone());
        match self.below(10) {
            0..3 => format!("{a} + {b}"),
            3..5 => format!("{a} - {b}"),
            5 => format!("2 * {a} - {b}"),
            6 => format!("{a} + {b} + {}", 1 + self.below(9)),
            7..9 => format!("{a} + {}", 1 + self.below(20)),
            _ => format!("{a} - {}", 1 + self.below(20)),
        }
    }

    fn condition(&mut self, scope: &Scope) -> String {
        let left = if self.below(3) == 0 { self.expression(scope) } else { self.variable(scope) };
        let compare = ["<", "<=", ">", ">=", "<", "<=", ">", ">=", "==", "!="][self.below(10)];
        let right = if self.below(2) == 0 { self.number() } else { self.expression(scope) };
        format!("{left} {compare} {right}")
    }

    fn assignment(&mut self, scope: &Scope) {
        // Inputs stay as they are: only locals and parameters change.
        let targets: Vec<String> = scope.variables.iter().filter(|v| !v.starts_with('x')).cloned().collect();
        let target = targets[self.below(targets.len())].clone();
        let value = self.expression(scope);
        self.line(scope.nesting, &format!("{target} = {value};"));
    }

    fn choice(&mut self, scope: &mut Scope) {
        let mut condition = self.condition(scope);
        if self.below(4) == 0 {
            let joint = ["&&", "||"][self.below(2)];
            let second = self.condition(scope);
            condition = format!("{condition} {joint} {second}");
        }
        self.line(scope.nesting, &format!("if ({condition}) {{"));
        self.arm(scope);
        if self.below(2) == 0 {
            self.line(scope.nesting, "} else {");
            self.arm(scope);
        }
        self.line(scope.nesting, "}");
    }

    fn arm(&mut self, scope: &mut Scope) {
        scope.nesting += 1;
        for _ in 0..1 + self.below(2) {
            if scope.nesting <= NESTING && self.below(4) == 0 {
                self.choice(scope);
            } else {
                self.assignment(scope);
            }
        }
        scope.nesting -= 1;
    }

    fn repetition(&mut self, scope: &mut Scope) {
        self.loops += 1;
        let (counter, rounds) = (format!("i{}", self.loops), 2 + self.below(3));
        let condition = self.condition(scope);
        self.line(scope.nesting, &format!("{counter} = 0;"));
        self.line(scope.nesting, &format!("while ({counter} < {rounds} && {condition}) {{"));
        self.arm(scope);
        self.line(scope.nesting + 1, &format!("{counter} = {counter} + 1;"));
        self.line(scope.nesting, "}");
    }

    fn call(&mut self, scope: &mut Scope) {
        let method = self.below(scope.callable);
        let args: Vec<String> = (0..PARAMS).map(|_| self.expression(scope)).collect();
        let targets: Vec<String> = scope.variables.iter().filter(|v| !v.starts_with('x')).cloned().collect();
        let target = targets[self.below(targets.len())].clone();
        self.line(scope.nesting, &format!("{target} = m{method}({});", args.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::language;

    #[test]
    fn every_seed_gives_a_program_and_always_the_same() {
        let shape = Shape { methods: 4, entries: 2, inputs: 5, sections: 4, statements: 6 };
        for seed in 0..200 {
            let text = random_program(seed, shape);
            assert_eq!(text, random_program(seed, shape));
            language::read("random", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
        assert_ne!(random_program(1, shape), random_program(2, shape));
    }
}
