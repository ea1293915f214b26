//! Statements: branches, loops with labels, switches, `try`, and what changes arrays,
//! objects and collections.

use super::Of::*;
use super::{Variable, Writer};

impl Writer {
    pub(super) fn block(&mut self, depth: usize) {
        let variables = self.variables.len();
        self.indent += 1;
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth + 1);
        }
        self.indent -= 1;
        self.variables.truncate(variables);
    }

    pub(super) fn statement(&mut self, depth: usize) {
        if depth >= 3 {
            return self.assignment();
        }
        match self.random.below(24) {
            0..=2 => self.assignment(),
            3 => self.declaration(),
            4..=8 => {
                let condition = self.expression(Boolean, 0);
                self.line(&format!("if ({condition}) {{"));
                self.block(depth);
                if self.random.one_in(2) {
                    self.line("} else {");
                    self.block(depth);
                }
                self.line("}");
            }
            9..=11 => self.on_array(),
            12..=14 => self.on_object(),
            15 | 16 => self.on_collection(),
            17 | 18 => self.repeat(depth),
            19 | 20 => self.switch(depth),
            21 | 22 => self.guarded(depth),
            _ => {
                let (condition, value) = (self.expression(Boolean, 1), self.expression(Int, 1));
                let ending = match self.random.below(3) {
                    0 => format!("throw new IllegalStateException(\"at \" + ({value}))"),
                    1 => format!("throw new ArithmeticException(String.valueOf({value}))"),
                    _ => format!("return {value}"),
                };
                self.line(&format!("if ({condition}) {ending};"));
            }
        }
    }

    fn assignment(&mut self) {
        let all: Vec<Variable> = self.variables.iter().filter(|v| v.writable).cloned().collect();
        let Variable { name, of, .. } = self.random.choose(&all).clone();
        let compound = self.random.one_in(2);
        match of {
            Byte | Short | Char | Int | Long if compound => {
                let from = *self.random.choose(&[Int, Int, Long, Byte, Char]);
                let value = self.expression(from, 1);
                let op = *self.random.choose(&[
                    "+=", "-=", "+=", "-=", "*=", "^=", "|=", "&=", "<<=", ">>=", ">>>=", "/=", "%=",
                ]);
                self.line(&format!("{name} {op} {value};"));
            }
            Byte | Short | Char | Int | Long if self.random.one_in(3) => {
                let op = *self.random.choose(&["++", "--"]);
                self.line(&format!("{name}{op};"));
            }
            Boolean if compound => {
                let value = self.expression(Boolean, 1);
                let op = *self.random.choose(&["^=", "|=", "&="]);
                self.line(&format!("{name} {op} {value};"));
            }
            Text if compound => {
                let from = *self.random.choose(&[Int, Char, Boolean, Text, Byte]);
                let value = self.expression(from, 1);
                self.line(&format!("{name} += {value};"));
            }
            of if of.element().is_some() => {
                let other = self.of(of).map_or(name.clone(), |v| v.name);
                let copy = if self.random.one_in(2) { ".clone()" } else { "" };
                self.line(&format!("{name} = {other}{copy};"));
            }
            Op | List | Map => {
                let value = self.initial(of);
                self.line(&format!("{name} = {value};"));
            }
            of => {
                let value = self.cast(of);
                self.line(&format!("{name} = {value};"));
            }
        }
    }

    fn on_array(&mut self) {
        let kinds = [Ints, Bytes, Chars, Longs, Booleans, Table];
        let all: Vec<Variable> = self.variables.iter().filter(|v| kinds.contains(&v.of)).cloned().collect();
        if all.is_empty() {
            return self.assignment();
        }
        let Variable { name, of, .. } = self.random.choose(&all).clone();
        let index = self.index();
        if of == Table {
            let other = self.index();
            let value = self.expression(Int, 1);
            let line = match self.random.below(3) {
                0 => format!("{name}[{index}] = TABLE.clone();"),
                1 => format!("{name}[{index}][{other}] += {value};"),
                _ => format!("{name}[{index}][{other}] = {value};"),
            };
            return self.line(&line);
        }
        let element = of.element().unwrap_or(Int);
        let value = self.cast(element);
        let (from, to) = (self.random.below(3), self.random.below(3));
        let line = match self.random.below(6) {
            0 => format!("System.arraycopy({name}, {from}, {name}, {to}, 2);"),
            1 if of != Booleans => format!("Arrays.sort({name});"),
            2 if of != Booleans => format!("{name}[{index}] += {};", self.expression(Int, 1)),
            3 => format!("Arrays.fill({name}, {value});"),
            4 => format!("{name} = Arrays.copyOf({name}, {});", 1 + self.random.below(5)),
            _ => format!("{name}[{index}] = {value};"),
        };
        self.line(&line);
    }

    fn on_object(&mut self) {
        let Some(node) = self.of(Node) else { return self.assignment() };
        let name = node.name;
        let line = match self.random.below(9) {
            0 => format!("{name}.value = {};", self.expression(Int, 1)),
            1 => format!("{name}.tag += {};", self.expression(Int, 1)),
            2 => format!("{name}.letter++;"),
            3 => format!("{name}.wide = {};", self.expression(Long, 1)),
            4 => format!("{name}.flag = {};", self.expression(Boolean, 1)),
            5 => format!("{name}.next = {};", self.expression(Node, 1)),
            6 => format!("shared = {name};"),
            7 => format!("synchronized ({name}) {{ {name}.value -= {}; }}", self.expression(Int, 1)),
            _ => format!("small += {name}.weigh({});", self.expression(Int, 2)),
        };
        self.line(&line);
    }

    fn on_collection(&mut self) {
        let which = if self.random.one_in(2) { List } else { Map };
        let Some(Variable { name, .. }) = self.of(which) else { return self.on_array() };
        let (key, value) = (self.expression(Int, 2), self.expression(Int, 2));
        let key = format!("(int) ({key})");
        let line = match (which, self.random.below(6)) {
            (List, 0) => format!("Collections.sort({name});"),
            (List, 1) => format!("for (int item : {name}) r += item;"),
            (List, 2) => format!("{name}.remove(Integer.valueOf({key}));"),
            (List, 3) => format!("{name}.add(0, {key});"),
            (List, _) => format!("{name}.add({key});"),
            (_, 0) => format!("{name}.remove({key});"),
            (_, 1) => format!(
                "for (Map.Entry<Integer, String> e : {name}.entrySet()) r += e.getKey() * \
                 e.getValue().length();"
            ),
            (_, 2) => format!("{name}.merge({key}, \"m\", (p, q) -> p + q);"),
            (_, 3) => format!("{name}.put({key}, \"v\" + ({value}));"),
            _ => format!("{name}.put({key}, \"w\");"),
        };
        self.line(&line);
    }

    fn repeat(&mut self, depth: usize) {
        if self.loops >= 2 {
            return self.assignment();
        }
        self.loops += 1;
        let (fuel, label) = (self.fresh("fuel"), self.fresh("label"));
        let most = 2 + self.random.below(2);
        let (condition, stop) = (self.expression(Boolean, 1), self.expression(Boolean, 2));
        self.line(&format!("int {fuel} = {most};"));
        self.line(&format!("{label}: do {{"));
        self.block(depth + 1);
        self.indent += 1;
        let word = *self.random.choose(&["break", "continue"]);
        self.line(&format!(
            "for (int i = 0; i < 2; i++) {{ if (({stop}) && i + {fuel} > 1) {word} {label}; r += i; }}"
        ));
        self.indent -= 1;
        self.line(&format!("}} while (--{fuel} > 0 && {condition});"));
    }

    fn switch(&mut self, depth: usize) {
        let (on, labels): (String, [&str; 3]) = match self.random.below(4) {
            0 if self.texts => (self.expression(Text, 1), ["\"\"", "\"3\"", "\"ab\""]),
            1 => (self.expression(Color, 1), ["RED", "BLUE", "GREEN"]),
            2 => (self.cast(Char), ["'a'", "'b'", "'\\uffff'"]),
            _ => (self.cast(Byte), ["-1", "1", "100"]),
        };
        if self.random.one_in(2) {
            let values: Vec<String> = (0..3).map(|_| self.expression(Int, 1)).collect();
            return self.line(&format!(
                "r += switch ({on}) {{ case {}, {} -> {}; case {} -> {}; default -> {}; }};",
                labels[0], labels[1], values[0], labels[2], values[1], values[2]
            ));
        }
        self.line(&format!("switch ({on}) {{"));
        self.indent += 1;
        for label in &labels[..2] {
            self.line(&format!("case {label}: {{"));
            self.block(depth + 1);
            let fall = if self.random.one_in(3) { "}" } else { "break; }" };
            self.line(fall);
        }
        self.line("default: {");
        self.block(depth + 1);
        self.line("} }");
        self.indent -= 1;
    }

    fn guarded(&mut self, depth: usize) {
        self.line("try {");
        self.block(depth);
        let finally = self.random.one_in(2);
        let name = self.fresh("caught");
        let caught = *self.random.choose(&[
            "ArithmeticException",
            "ArrayIndexOutOfBoundsException | NullPointerException",
            "IndexOutOfBoundsException",
            "RuntimeException",
        ]);
        self.line(&format!("}} catch ({caught} {name}) {{"));
        self.block(depth + 1);
        if self.random.one_in(3) {
            self.line(&format!("    r += {name}.getMessage() == null ? 1 : {name}.getMessage().length();"));
        }
        if finally {
            self.line("} finally {");
            self.indent += 1;
            self.assignment();
            if self.random.one_in(3) {
                let (condition, value) = (self.expression(Boolean, 1), self.expression(Int, 2));
                self.line(&format!("if ({condition}) return {value};"));
            }
            self.indent -= 1;
        }
        self.line("}");
    }
}
