//! Random small Java methods whose inputs can all be enumerated: tests compare the findings of a symbolic
//! machine with the real JVM on every input.
//!
//! A method has one to three parameters with few values each (around zero, at the ends of `int`,
//! letters), so it has at most a thousand inputs; it assigns, branches, loops, indexes arrays out of
//! bounds, divides by zero, overflows, throws and catches, and calls its helpers. Every loop is bounded
//! by a counter, so every run ends.

use crate::random::Random;
use std::fmt::Write;

/// A parameter and the values it may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its Java type: `int`, `long`, `char`, `byte`, `short` or `boolean`.
    pub of: &'static str,
    /// The smallest value; `boolean` counts as 0 and 1.
    pub low: i64,
    /// The largest value.
    pub high: i64,
}

/// A class with a static method `run` that returns an `int`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// The class, in the default package.
    pub class: String,
    /// The parameters of `run`.
    pub parameters: Vec<Parameter>,
    /// The source of the whole class.
    pub source: String,
}

impl Method {
    /// The descriptor of `run`.
    pub fn descriptor(&self) -> String {
        let letters = self.parameters.iter().map(|p| match p.of {
            "int" => 'I',
            "long" => 'J',
            "char" => 'C',
            "byte" => 'B',
            "short" => 'S',
            _ => 'Z',
        });
        format!("({})I", letters.collect::<String>())
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> u64 {
        self.parameters.iter().map(|p| (p.high - p.low + 1) as u64).product()
    }
}

/// The `index`-th method of `seed`.
pub fn method(seed: u64, index: u64) -> Method {
    let mut random = Random::for_index(seed, index);
    let class = format!("Generated{index}");
    let parameters = parameters(&mut random);
    // Three of four keep to what integers say well; the others have products of variables and bit operations.
    let bits = random.one_in(4);
    let mut writer = Writer {
        random,
        text: String::new(),
        indent: 1,
        ints: Vec::new(),
        writable: Vec::new(),
        arrays: Vec::new(),
        helpers: 0,
        locals: 0,
        loops: 0,
        bits,
        can_call: false,
    };
    let helpers = writer.random.below(3);
    for _ in 0..helpers {
        writer.helper();
    }
    writer.run(&parameters);
    let source = format!("final class {class} {{\n{}}}\n", writer.text);
    Method { class, parameters, source }
}

fn parameters(random: &mut Random) -> Vec<Parameter> {
    let count = 1 + random.below(3);
    let width: i64 = [24, 13, 8][count - 1];
    (0..count)
        .map(|i| {
            let name = ["a", "b", "c"][i].to_string();
            let (of, low, high) = match random.below(12) {
                0 => ("boolean", 0, 1),
                1 => ("char", 'a' as i64 - 2, 'a' as i64 + width.min(8) - 3),
                2 => ("int", i32::MAX as i64 - width / 2, i32::MAX as i64),
                3 => ("int", i32::MIN as i64, i32::MIN as i64 + width / 2),
                4 => ("long", i32::MAX as i64 - 2, i32::MAX as i64 + width / 2),
                5 => ("byte", 120, 127),
                6 => ("short", -3, width / 2),
                7 => ("int", 0, width),
                _ => ("int", -width / 2, width / 2),
            };
            Parameter { name, of, low, high }
        })
        .collect()
}

struct Writer {
    random: Random,
    text: String,
    indent: usize,
    /// Variables of type `int` that can be read here.
    ints: Vec<String>,
    /// Those that can be written: no loop counters.
    writable: Vec<String>,
    /// Arrays and their lengths.
    arrays: Vec<(String, usize)>,
    helpers: usize,
    locals: usize,
    loops: usize,
    bits: bool,
    can_call: bool,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = self.indent * 4);
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.locals += 1;
        format!("{stem}{}", self.locals)
    }

    /// A helper that `run` may call: it has two parameters and no loops.
    fn helper(&mut self) {
        let name = format!("helper{}", self.helpers);
        self.line(&format!("static int {name}(int p, int q) {{"));
        self.indent += 1;
        self.ints = vec!["p".into(), "q".into()];
        self.writable = vec!["p".into()];
        self.arrays.clear();
        self.loops = 2;
        for _ in 0..1 + self.random.below(2) {
            self.statement(2);
        }
        let value = self.expression(2);
        self.line(&format!("return {value};"));
        self.indent -= 1;
        self.line("}");
        self.line("");
        self.helpers += 1;
    }

    fn run(&mut self, parameters: &[Parameter]) {
        let list: Vec<String> = parameters.iter().map(|p| format!("{} {}", p.of, p.name)).collect();
        self.line(&format!("static int run({}) {{", list.join(", ")));
        self.indent += 1;
        self.ints.clear();
        self.writable.clear();
        self.arrays.clear();
        self.loops = 0;
        self.can_call = true;
        self.line("int r = 0;");
        self.ints.push("r".into());
        self.writable.push("r".into());
        for p in parameters {
            let local = format!("{}0", p.name);
            let value = match p.of {
                "boolean" => format!("{} ? 3 : -2", p.name),
                "long" => format!("(int) ({} - 2147483640L)", p.name),
                _ => p.name.clone(),
            };
            self.line(&format!("int {local} = {value};"));
            self.ints.push(local);
            if p.of == "long" {
                let sum = format!("{} * 3 > 6442450950L", p.name);
                self.line(&format!("if ({sum}) r++;"));
            } else if p.of == "boolean" {
                self.line(&format!("if (!{}) r += 2;", p.name));
            }
        }
        if self.random.one_in(2) {
            self.array();
        }
        for _ in 0..3 + self.random.below(4) {
            self.statement(0);
        }
        let value = self.expression(2);
        self.line(&format!("return r + {value};"));
        self.indent -= 1;
        self.line("}");
    }

    fn array(&mut self) {
        let length = 2 + self.random.below(4);
        let name = self.fresh("array");
        let items: Vec<String> = (0..length).map(|_| self.expression(3)).collect();
        self.line(&format!("int[] {name} = {{{}}};", items.join(", ")));
        self.arrays.push((name, length));
    }

    fn block(&mut self, depth: usize) {
        let (ints, writable, arrays) = (self.ints.len(), self.writable.len(), self.arrays.len());
        self.indent += 1;
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth + 1);
        }
        self.indent -= 1;
        self.ints.truncate(ints);
        self.writable.truncate(writable);
        self.arrays.truncate(arrays);
    }

    fn statement(&mut self, depth: usize) {
        let simple = depth >= 3;
        match if simple { self.random.below(4) } else { self.random.below(16) } {
            0 | 1 => self.assignment(),
            2 => {
                let value = self.expression(1);
                let name = self.fresh("v");
                self.line(&format!("int {name} = {value};"));
                self.ints.push(name.clone());
                self.writable.push(name);
            }
            3 => self.array_store(),
            4..=8 => self.conditional(depth),
            9 | 10 => self.counted_loop(depth),
            11 => self.while_loop(depth),
            12 => self.switch(depth),
            13 => self.guarded(depth),
            14 => {
                let condition = self.condition(1);
                let value = self.expression(2);
                self.line(&format!("if ({condition}) return {value};"));
            }
            _ => {
                let condition = self.condition(1);
                let throws = *self.random.choose(&[
                    "throw new IllegalStateException(\"state\");",
                    "throw new IllegalArgumentException();",
                    "r = r / (r - r);",
                ]);
                self.line(&format!("if ({condition}) {{"));
                self.indent += 1;
                if throws.starts_with('r') && !self.writable.iter().any(|w| w == "r") {
                    self.line("p = p / (p - p);");
                } else {
                    self.line(throws);
                }
                self.indent -= 1;
                self.line("}");
            }
        }
    }

    fn assignment(&mut self) {
        let target = self.random.choose(&self.writable).clone();
        let value = self.expression(1);
        let op = *self.random.choose(&["=", "+=", "-=", "=", "+="]);
        if self.random.one_in(12) {
            let to = *self.random.choose(&["byte", "short", "char"]);
            self.line(&format!("{target} = ({to}) ({value});"));
        } else {
            self.line(&format!("{target} {op} {value};"));
        }
    }

    fn array_store(&mut self) {
        if self.arrays.is_empty() {
            return self.assignment();
        }
        let (name, length) = self.random.choose(&self.arrays).clone();
        let index = self.index(length);
        let value = self.expression(2);
        self.line(&format!("{name}[{index}] = {value};"));
    }

    /// Often in bounds, not always.
    fn index(&mut self, length: usize) -> String {
        let value = self.random.choose(&self.ints).clone();
        match self.random.below(4) {
            0 => self.random.below(length).to_string(),
            1 => value,
            2 => format!("Math.abs({value} % {length})"),
            _ => format!("({value} & 1)"),
        }
    }

    fn conditional(&mut self, depth: usize) {
        let condition = self.condition(0);
        self.line(&format!("if ({condition}) {{"));
        self.block(depth);
        if self.random.one_in(2) {
            self.line("} else {");
            self.block(depth);
        }
        self.line("}");
    }

    fn counted_loop(&mut self, depth: usize) {
        if self.loops >= 2 {
            return self.conditional(depth);
        }
        self.loops += 1;
        let counter = self.fresh("i");
        let bound = self.random.choose(&self.ints).clone();
        let most = 2 + self.random.below(3);
        let step = *self.random.choose(&["++", "++", " += 2"]);
        self.line(&format!(
            "for (int {counter} = 0; {counter} < {bound} && {counter} < {most}; {counter}{step}) {{"
        ));
        self.ints.push(counter);
        self.block(depth + 1);
        self.ints.pop();
        self.line("}");
    }

    fn while_loop(&mut self, depth: usize) {
        if self.loops >= 2 {
            return self.assignment();
        }
        self.loops += 1;
        let fuel = self.fresh("fuel");
        let most = 2 + self.random.below(3);
        self.line(&format!("int {fuel} = {most};"));
        let condition = self.condition(1);
        self.line(&format!("while ({condition} && {fuel}-- > 0) {{"));
        self.block(depth + 1);
        if self.random.one_in(3) {
            let stop = self.condition(2);
            self.indent += 1;
            let word = *self.random.choose(&["break", "continue"]);
            self.line(&format!("if ({stop}) {word};"));
            self.indent -= 1;
        }
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let on = self.expression(2);
        self.line(&format!("switch ({on}) {{"));
        self.indent += 1;
        let spread = self.random.one_in(2);
        for case in 0..2 + self.random.below(3) {
            let label = if spread { case as i64 * 7 - 3 } else { case as i64 - 1 };
            self.line(&format!("case {label}:"));
            self.block(depth + 1);
            if !self.random.one_in(4) {
                self.indent += 1;
                self.line("break;");
                self.indent -= 1;
            }
        }
        if self.random.one_in(2) {
            self.line("default:");
            self.block(depth + 1);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn guarded(&mut self, depth: usize) {
        self.line("try {");
        self.block(depth);
        let caught = *self.random.choose(&[
            "ArithmeticException",
            "ArrayIndexOutOfBoundsException",
            "RuntimeException",
        ]);
        let name = self.fresh("caught");
        self.line(&format!("}} catch ({caught} {name}) {{"));
        self.block(depth + 1);
        if self.random.one_in(3) {
            self.line("} finally {");
            self.indent += 1;
            self.assignment();
            self.indent -= 1;
        }
        self.line("}");
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth < 2 && self.random.one_in(4) {
            let (a, b) = (self.condition(depth + 1), self.condition(depth + 1));
            let op = *self.random.choose(&["&&", "||"]);
            let not = if self.random.one_in(4) { "!" } else { "" };
            return format!("{not}({a} {op} {b})");
        }
        let (a, b) = (self.expression(2), self.expression(3));
        let op = *self.random.choose(&["<", "<=", ">", ">=", "==", "!="]);
        format!("{a} {op} {b}")
    }

    /// An expression of type `int`; the deeper, the simpler.
    fn expression(&mut self, depth: usize) -> String {
        if depth >= 3 || self.random.one_in(4) {
            return self.leaf();
        }
        match self.random.below(if self.bits { 20 } else { 14 }) {
            0..=3 => self.two(depth, "+"),
            4..=6 => self.two(depth, "-"),
            7 => {
                let factor = *self.random.choose(&[2, 3, -1, 5, 1_000_000_007, 536_870_912]);
                format!("({} * {factor})", self.expression(depth + 1))
            }
            8 => {
                let divisor = *self.random.choose(&[2, 3, -2, 4, 7]);
                let op = *self.random.choose(&["/", "%"]);
                format!("({} {op} {divisor})", self.expression(depth + 1))
            }
            9 => {
                let (a, b, c) = (self.condition(2), self.expression(depth + 1), self.expression(depth + 1));
                format!("({a} ? {b} : {c})")
            }
            10 => self.call(depth),
            11 => match self.random.below(self.arrays.len() + 1) {
                0 => self.two(depth, "+"),
                n => {
                    let (name, length) = self.arrays[n - 1].clone();
                    format!("{name}[{}]", self.index(length))
                }
            },
            12 => format!("(- {})", self.leaf()),
            13 => {
                let op = *self.random.choose(&["/", "%"]);
                let divisor = self.random.choose(&self.ints).clone();
                format!("({} {op} {divisor})", self.random.between(-9, 40))
            }
            14 => self.two(depth, "*"),
            15 => {
                let op = *self.random.choose(&["&", "|", "^"]);
                self.two(depth, op)
            }
            16 => {
                let (op, by) = (*self.random.choose(&["<<", ">>", ">>>"]), self.random.below(35));
                format!("({} {op} {by})", self.expression(depth + 1))
            }
            17 => format!("(~ {})", self.leaf()),
            18 => {
                let (op, by) = (*self.random.choose(&["<<", ">>", ">>>"]), self.leaf());
                format!("({} {op} {by})", self.expression(depth + 1))
            }
            _ => format!("(int) ({} * (long) {})", self.expression(depth + 1), self.leaf()),
        }
    }

    fn two(&mut self, depth: usize, op: &str) -> String {
        let (a, b) = (self.expression(depth + 1), self.expression(depth + 1));
        format!("({a} {op} {b})")
    }

    fn call(&mut self, depth: usize) -> String {
        if !self.can_call || self.helpers == 0 {
            let (a, b) = (self.leaf(), self.leaf());
            let name = *self.random.choose(&["max", "min"]);
            return format!("Math.{name}({a}, {b})");
        }
        let name = self.random.below(self.helpers);
        let (a, b) = (self.expression(depth + 1), self.leaf());
        format!("helper{name}({a}, {b})")
    }

    fn leaf(&mut self) -> String {
        if self.random.one_in(3) {
            let constants = ["0", "1", "2", "-1", "7", "-3", "10", "2147483647", "-2147483648", "97"];
            return self.random.choose(&constants).to_string();
        }
        self.random.choose(&self.ints).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_method() {
        assert_eq!(method(3, 14), method(3, 14));
        assert_ne!(method(3, 14).source, method(3, 15).source);
    }

    #[test]
    fn every_method_can_be_tried_on_all_its_inputs() {
        for index in 0..500 {
            let made = method(1, index);
            assert!((2..=1500).contains(&made.inputs()), "{}", made.inputs());
            assert_eq!(made.descriptor().len(), made.parameters.len() + 3);
        }
    }
}
