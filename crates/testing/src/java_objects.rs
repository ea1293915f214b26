//! The second family of random Java methods whose inputs can all be tried: every primitive type, objects with aliases,
//! virtual calls, strings, boxes, lambdas, enums, collections, `finally`, labels. See [`crate::java`] for the first,
//! which keeps to ints and arrays; its methods stay what they are.
//!
//! What one run leaves behind must not be seen by the next, since the JVM runs all inputs in one process: static fields are
//! reset first, and no initializer branches.

use crate::java::{Method, Parameter};
use crate::random::Random;
use std::fmt::Write;

/// The `index`-th method of `seed`.
pub fn method(seed: u64, index: u64) -> Method {
    let mut random = Random::for_index(seed ^ 0x0b1e_c75a, index);
    let class = format!("Objects{index}");
    let parameters = parameters(&mut random);
    let floats = random.one_in(6);
    let texts = random.one_in(2);
    let mut writer = Writer {
        random,
        class: class.clone(),
        text: String::new(),
        indent: 1,
        variables: Vec::new(),
        locals: 0,
        loops: 0,
        floats,
        texts,
        in_run: false,
    };
    writer.types();
    writer.run(&parameters);
    let source = format!("import java.util.*;\nimport java.util.function.*;\n\nfinal class {class} {{\n{}}}\n", writer.text);
    Method { class, parameters, source }
}

fn parameters(random: &mut Random) -> Vec<Parameter> {
    let count = 1 + random.below(2);
    let width: i64 = [15, 9][count - 1];
    (0..count)
        .map(|i| {
            let name = ["a", "b"][i].to_string();
            let (of, low, high) = match random.below(14) {
                0 => ("boolean", 0, 1),
                1 => ("char", 'a' as i64 - 2, 'a' as i64 + 5),
                2 => ("char", 0xfffa, 0xffff),
                3 => ("int", i32::MIN as i64, i32::MIN as i64 + width / 2),
                4 => ("int", i32::MAX as i64 - width / 2, i32::MAX as i64),
                5 => ("long", i64::MAX - width / 2, i64::MAX),
                6 => ("long", -width / 2, width / 2),
                7 => ("byte", -128, -128 + width / 2),
                8 => ("byte", -4, 4),
                9 => ("short", 32760, 32767),
                _ => ("int", -width / 2, width / 2),
            };
            Parameter { name, of, low, high }
        })
        .collect()
}

/// The types of variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Int,
    Long,
    Byte,
    Short,
    Char,
    Boolean,
    Float,
    Double,
    Text,
    Node,
    Boxed,
    Color,
    Ints,
    Bytes,
    Chars,
    Longs,
    Booleans,
    Table,
    Op,
    List,
    Map,
}

use Of::*;

impl Of {
    fn java(self) -> &'static str {
        match self {
            Int => "int",
            Long => "long",
            Byte => "byte",
            Short => "short",
            Char => "char",
            Boolean => "boolean",
            Float => "float",
            Double => "double",
            Text => "String",
            Node => "Node",
            Boxed => "Integer",
            Color => "Color",
            Ints => "int[]",
            Bytes => "byte[]",
            Chars => "char[]",
            Longs => "long[]",
            Booleans => "boolean[]",
            Table => "int[][]",
            Op => "Op",
            List => "List<Integer>",
            Map => "Map<Integer, String>",
        }
    }

    /// What its elements are, if it is an array.
    fn element(self) -> Option<Of> {
        Some(match self {
            Ints => Int,
            Bytes => Byte,
            Chars => Char,
            Longs => Long,
            Booleans => Boolean,
            Table => Ints,
            _ => return None,
        })
    }
}

#[derive(Clone)]
struct Variable {
    name: String,
    of: Of,
    writable: bool,
}

struct Writer {
    random: Random,
    class: String,
    text: String,
    indent: usize,
    variables: Vec<Variable>,
    locals: usize,
    loops: usize,
    floats: bool,
    texts: bool,
    in_run: bool,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = self.indent * 4);
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.locals += 1;
        format!("{stem}{}", self.locals)
    }

    /// The class's own types, the same for all but for the bodies of their methods.
    fn types(&mut self) {
        for line in [
            "interface Op { int apply(int x, long y); default int twice(int x) { return apply(apply(x, 1), x); } }",
            "enum Color { RED, GREEN { @Override int weight() { return 7; } }, BLUE; int weight() { return ordinal() + 1; } }",
            "record Pair(int left, byte right) { Pair { if (left == 3) throw new IllegalArgumentException(\"three\"); } }",
            "static int count; static long total = 5; static byte small; static Node shared; static final int[] TABLE = {3, 1, 4, 1, 5};",
        ] {
            self.line(line);
        }
        self.line("static class Node {");
        self.indent += 1;
        self.line("int value; byte tag; boolean flag; long wide; char letter; Node next;");
        self.line("Node(int value) { this.value = value; tag = (byte) value; letter = (char) (value + 'a'); wide = value; }");
        self.variables = fields();
        let (body, other) = (self.expression(Int, 1), self.expression(Boolean, 1));
        self.line(&format!("int weigh(int r) {{ return {body}; }}"));
        self.line(&format!("boolean test(int r) {{ flag ^= {other}; return flag; }}"));
        self.indent -= 1;
        self.line("}");
        self.line("static final class Leaf extends Node {");
        self.indent += 1;
        self.line("Leaf(int value) { super(value - 1); next = this; }");
        self.variables = fields();
        let body = self.expression(Int, 1);
        self.line(&format!("@Override int weigh(int r) {{ count++; return {body} + super.weigh(r); }}"));
        self.indent -= 1;
        self.line("}");
        self.line("final class Inner implements Op { final int base; Inner(int base) { this.base = base; }");
        self.line("    public int apply(int x, long y) { own += x; return base - x + own + (int) y; } }");
        self.line("int own = 2;");
        self.line("static int mix(int p, long q) { return (int) (q >> 1) - p; }");
        self.helper();
    }

    fn helper(&mut self) {
        self.line("static int recurse(int n, int r) {");
        self.indent += 1;
        self.variables = vec![
            Variable { name: "n".into(), of: Int, writable: false },
            Variable { name: "r".into(), of: Int, writable: true },
        ];
        let stop = self.expression(Boolean, 1);
        let value = self.expression(Int, 1);
        self.line(&format!("if (n <= 0 || n > 3 || {stop}) return {value};"));
        self.statement(2);
        let value = self.expression(Int, 2);
        self.line(&format!("return recurse(n - 1, {value}) + r;"));
        self.indent -= 1;
        self.line("}");
        self.line("");
    }

    fn run(&mut self, parameters: &[Parameter]) {
        let list: Vec<String> = parameters.iter().map(|p| format!("{} {}", p.of, p.name)).collect();
        self.line(&format!("static int run({}) {{", list.join(", ")));
        self.indent += 1;
        self.line("count = 0; total = 5; small = 0; shared = null;");
        self.variables.clear();
        self.in_run = true;
        for p in parameters {
            let of = [Int, Long, Byte, Short, Char, Boolean].into_iter().find(|of| of.java() == p.of);
            self.variables.push(Variable { name: p.name.clone(), of: of.unwrap_or(Int), writable: true });
        }
        let sum = parameters.iter().map(|p| match p.of {
            "boolean" => format!("({} ? 3 : -2)", p.name),
            _ => format!("(int) {}", p.name),
        });
        let sum: Vec<String> = sum.collect();
        self.line(&format!("int r = {};", sum.join(" - ")));
        self.variables.push(Variable { name: "r".into(), of: Int, writable: true });
        for _ in 0..2 + self.random.below(3) {
            self.declaration();
        }
        for _ in 0..3 + self.random.below(4) {
            self.statement(0);
        }
        let mut digest = String::from("r + count + (int) total + small");
        for variable in self.variables.clone() {
            let name = &variable.name;
            let part = match variable.of {
                Int | Byte | Short | Char => name.clone(),
                Long => format!("(int) ({name} ^ ({name} >>> 32))"),
                Boolean => format!("({name} ? 5 : 6)"),
                Float | Double => format!("(int) ({name} * 8)"),
                Text => format!("Objects.hashCode({name})"),
                Node => format!("({name} == null ? 1 : {name}.value + {name}.tag + {name}.letter + (int) {name}.wide)"),
                Color => format!("({name} == null ? -9 : {name}.weight())"),
                Boxed => format!("({name} == null ? 4 : {name})"),
                Ints => format!("Arrays.hashCode({name})"),
                Bytes | Chars | Longs | Booleans => format!("Arrays.hashCode({name})"),
                Table => format!("Arrays.deepHashCode({name})"),
                Op => format!("{name}.twice(2)"),
                List | Map => format!("{name}.size()"),
            };
            let _ = write!(digest, "\n                + 31 * {part}");
        }
        self.line(&format!("return {digest};"));
        self.indent -= 1;
        self.line("}");
    }

    fn declaration(&mut self) {
        let of = self.any_type();
        let value = self.initial(of);
        let name = self.fresh("v");
        self.line(&format!("{} {name} = {value};", of.java()));
        self.variables.push(Variable { name, of, writable: true });
    }

    fn any_type(&mut self) -> Of {
        let plain = [
            Int, Int, Long, Byte, Short, Char, Boolean, Boolean, Node, Node, Boxed, Color, Ints, Ints, Bytes, Chars,
            Longs, Booleans, Table, Op, List, Map,
        ];
        match self.random.below(8) {
            0 if self.floats => *self.random.choose(&[Float, Double]),
            1 if self.texts => Text,
            _ => *self.random.choose(&plain),
        }
    }

    /// A value of any type, arrays and objects too.
    fn initial(&mut self, of: Of) -> String {
        match of {
            Table => match self.random.below(2) {
                0 => "new int[2][3]".into(),
                _ => format!("{{{{1, {}}}, {{{}}}, TABLE}}", self.expression(Int, 2), self.expression(Int, 2)),
            },
            Op => match self.random.below(4) {
                0 => self.lambda(),
                1 => {
                    let base = self.expression(Int, 2);
                    format!("new {}().new Inner({base})", self.class)
                }
                2 => "(p, q) -> { count += p; return (int) (p * 3 + q); }".into(),
                _ => format!("{}::mix", self.class),
            },
            List => "new ArrayList<>()".into(),
            Map => (*self.random.choose(&["new HashMap<>()", "new TreeMap<>()"])).into(),
            of if of.element().is_some() => {
                let element = of.element().unwrap_or(Int);
                match self.random.below(4) {
                    0 => format!("new {}[{}]", element.java(), 1 + self.random.below(4)),
                    _ => {
                        let items: Vec<String> =
                            (0..2 + self.random.below(3)).map(|_| self.cast(element)).collect();
                        format!("{{{}}}", items.join(", "))
                    }
                }
            }
            of => self.cast(of),
        }
    }

    /// Captures only what is never assigned again.
    fn lambda(&mut self) -> String {
        let (x, y) = (self.fresh("x"), self.fresh("y"));
        let all = self.variables.clone();
        self.variables.retain(|v| !v.writable);
        self.variables.push(Variable { name: x.clone(), of: Int, writable: false });
        self.variables.push(Variable { name: y.clone(), of: Long, writable: false });
        let body = self.expression(Int, 1);
        self.variables = all;
        format!("({x}, {y}) -> {body}")
    }

    /// An expression of a type, cast where Java would not narrow by itself.
    fn cast(&mut self, of: Of) -> String {
        let value = self.expression(of, 1);
        match of {
            Byte | Short | Char => format!("({}) ({value})", of.java()),
            _ => value,
        }
    }
}

impl Writer {
    fn of(&mut self, of: Of) -> Option<Variable> {
        let all: Vec<&Variable> = self.variables.iter().filter(|v| v.of == of).collect();
        if all.is_empty() { None } else { Some((*self.random.choose(&all)).clone()) }
    }

    fn block(&mut self, depth: usize) {
        let variables = self.variables.len();
        self.indent += 1;
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth + 1);
        }
        self.indent -= 1;
        self.variables.truncate(variables);
    }

    fn statement(&mut self, depth: usize) {
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
                let op = *self
                    .random
                    .choose(&["+=", "-=", "+=", "-=", "*=", "^=", "|=", "&=", "<<=", ">>=", ">>>=", "/=", "%="]);
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

    fn index(&mut self) -> String {
        match self.random.below(4) {
            0 => self.random.below(2).to_string(),
            1 if self.random.one_in(2) => self.expression(Int, 2),
            1 | 2 => format!("Math.floorMod({}, 2)", self.expression(Int, 2)),
            _ => format!("(({}) & 1)", self.expression(Int, 2)),
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
            (_, 1) => format!("for (Map.Entry<Integer, String> e : {name}.entrySet()) r += e.getKey() * e.getValue().length();"),
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
        self.line(&format!("for (int i = 0; i < 2; i++) {{ if (({stop}) && i + {fuel} > 1) {word} {label}; r += i; }}"));
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

    fn expression(&mut self, of: Of, depth: usize) -> String {
        if depth >= 3 || self.random.one_in(4) {
            return self.leaf(of);
        }
        let next = depth + 1;
        match of {
            Int => self.int(next),
            Long => self.long(next),
            Boolean => self.boolean(next),
            Byte | Short | Char => {
                let from = *self.random.choose(&[Int, Int, Long]);
                format!("({}) ({})", of.java(), self.expression(from, next))
            }
            Float | Double => {
                let (a, b) = (self.expression(of, next), self.leaf(of));
                match self.random.below(5) {
                    0 => format!("(({}) ({}))", of.java(), self.expression(Int, next)),
                    1 => format!("({a} * {b})"),
                    2 => format!("({a} - {b})"),
                    3 => format!("(- {a})"),
                    _ => format!("({a} + {b})"),
                }
            }
            Text => self.string(next),
            Node => match (self.of(Node), self.random.below(5)) {
                (Some(node), 0 | 1) => node.name,
                (Some(node), 2) => format!("{}.next", node.name),
                (_, 3) => format!("new Leaf({})", self.expression(Int, next)),
                _ => format!("new Node({})", self.expression(Int, next)),
            },
            Boxed => format!("(Integer) (0 + {})", self.expression(Int, next)),
            Color => match self.random.below(3) {
                0 => format!("({} ? Color.RED : Color.BLUE)", self.expression(Boolean, next)),
                1 => format!("Color.values()[Math.floorMod({}, 3)]", self.expression(Int, next)),
                _ => self.leaf(of),
            },
            _ => self.leaf(of),
        }
    }

    fn int(&mut self, depth: usize) -> String {
        let (a, b) = (self.expression(Int, depth), self.leaf(Int));
        match self.random.below(26) {
            0..=2 => format!("({a} + {b})"),
            3 => format!("({a} - {b})"),
            4 => format!("({a} * {})", self.random.choose(&[3, -1, 5, 1_000_003])),
            5 => format!("({a} {} {})", self.random.choose(&["/", "%"]), self.random.choose(&[2, 3, -2, 7])),
            6 => format!("({a} / {b})"),
            7 => format!("(int) ({})", self.expression(Long, depth)),
            8 => format!("({} ? {a} : {b})", self.expression(Boolean, depth)),
            9 => {
                let of = *self.random.choose(&[Byte, Char, Short]);
                self.cast(of)
            }
            10 | 11 => match self.of(Node) {
                Some(node) => {
                    let field = *self.random.choose(&["value", "tag", "letter", "wide > 2 ? 1 : 2", "weigh(2)", "next.value"]);
                    format!("({}.{field})", node.name)
                }
                None => format!("Integer.compare({a}, {b})"),
            },
            12 | 13 => {
                let kinds = [Ints, Bytes, Chars];
                let kind = *self.random.choose(&kinds);
                match self.of(kind) {
                    Some(array) => format!("{}[{}]", array.name, self.index()),
                    None => format!("TABLE[{}]", self.index()),
                }
            }
            14 => match self.of(Op) {
                Some(op) => format!("{}.apply({a}, {})", op.name, self.leaf(Long)),
                None => format!("Math.abs({a})"),
            },
            15 if self.in_run => format!("recurse({}, {a})", self.random.below(3)),
            16 if self.in_run => format!("new Pair({a}, (byte) {b}).left()"),
            17 => match self.of(List) {
                Some(list) => format!("(int) {}.get({})", list.name, self.index()),
                None => format!("Integer.bitCount({a})"),
            },
            18 => match self.of(Map) {
                Some(map) => format!("({}.containsKey({a}) ? 1 : 2)", map.name),
                None => format!("Math.floorDiv({a}, 3)"),
            },
            19 if self.texts => format!("({}).length()", self.expression(Text, depth)),
            20 if self.texts => format!("({}).charAt({})", self.expression(Text, depth), self.index()),
            21 if self.texts => format!("({}).hashCode()", self.expression(Text, depth)),
            22 => format!("(int) ({a} * (long) {b} >> {})", self.random.below(40)),
            23 => format!("({a} {} {})", self.random.choose(&["&", "|", "^"]), self.random.choose(&[1, 7, -8, 255])),
            24 => format!("({a} {} {})", self.random.choose(&["<<", ">>", ">>>"]), self.random.below(34)),
            _ if self.floats => format!("(int) ({})", self.expression(Double, depth)),
            _ => format!("Long.compare({}, {})", self.expression(Long, depth), self.leaf(Long)),
        }
    }

    fn long(&mut self, depth: usize) -> String {
        let (a, b) = (self.expression(Long, depth), self.leaf(Long));
        match self.random.below(10) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {}L)", self.random.choose(&[3, -5, 4_294_967_297i64])),
            4 => format!("({a} {} {})", self.random.choose(&["<<", ">>", ">>>"]), self.random.below(66)),
            5 => format!("({a} {} {}L)", self.random.choose(&["/", "%"]), self.random.choose(&[2, -3, 10])),
            6 => format!("({a} {} {b})", self.random.choose(&["&", "|", "^"])),
            7 => match self.of(Longs) {
                Some(array) => format!("{}[{}]", array.name, self.index()),
                None => format!("Math.max({a}, {b})"),
            },
            _ => format!("(long) ({})", self.expression(Int, depth)),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        let relation = *self.random.choose(&["<", "<=", ">", ">=", "==", "!="]);
        match self.random.below(16) {
            0 | 1 => {
                let op = *self.random.choose(&["&&", "||", "^", "&", "|", "=="]);
                format!("({} {op} {})", self.expression(Boolean, depth), self.expression(Boolean, depth))
            }
            2 => format!("!({})", self.expression(Boolean, depth)),
            3 | 4 => format!("({} {relation} {})", self.expression(Long, depth), self.leaf(Long)),
            5 => {
                let of = *self.random.choose(&[Byte, Short, Char]);
                format!("({} {relation} {})", self.leaf(of), self.expression(Int, depth))
            }
            6 => match (self.of(Node), self.of(Node)) {
                (Some(a), Some(b)) => {
                    let test = *self.random.choose(&["==", "!="]);
                    format!("({}.next {test} {})", a.name, b.name)
                }
                _ => format!("({} instanceof Leaf)", self.expression(Node, depth)),
            },
            7 if self.texts => format!("({}).equals({})", self.expression(Text, depth), self.leaf(Text)),
            8 => match self.of(Boxed) {
                Some(boxed) => format!("{}.equals({})", boxed.name, self.expression(Int, depth)),
                None => format!("({} == Color.RED)", self.expression(Color, depth)),
            },
            9 => match self.of(Booleans) {
                Some(array) => format!("{}[{}]", array.name, self.index()),
                None => format!("Character.isLetter((char) (({}) & 127))", self.expression(Int, depth)),
            },
            10 => match self.of(Node) {
                Some(node) => format!("{}.test({})", node.name, self.leaf(Int)),
                None => format!("Character.isDigit((char) (({}) & 127))", self.expression(Int, depth)),
            },
            11 if self.floats => {
                format!("({} {relation} {})", self.expression(Double, depth), self.leaf(Float))
            }
            _ => format!("({} {relation} {})", self.expression(Int, depth), self.leaf(Int)),
        }
    }

    fn string(&mut self, depth: usize) -> String {
        let a = self.leaf(Text);
        match self.random.below(9) {
            0 | 1 => format!("{a} + ({})", self.expression(Int, depth)),
            2 => format!("{a} + {}", self.cast(Char)),
            3 => format!("new StringBuilder({a}).append({}).reverse().toString()", self.expression(Int, depth)),
            4 => format!("({a}).substring({})", self.index()),
            5 => format!("String.valueOf({})", self.expression(Boolean, depth)),
            6 => format!("Long.toString({})", self.expression(Long, depth)),
            7 => format!("Integer.toHexString({})", self.expression(Int, depth)),
            _ => format!("new StringBuilder().append({a}).append({}).append('x').toString()", self.cast(Char)),
        }
    }

    fn leaf(&mut self, of: Of) -> String {
        if !self.random.one_in(5)
            && let Some(variable) = self.of(of)
        {
            return variable.name;
        }
        if of == Long && !self.random.one_in(3) {
            return format!("(long) {}", self.leaf(Int));
        }
        if of == Int && !self.random.one_in(4) {
            let all = [Byte, Char, Short, Boxed];
            let kind = *self.random.choose(&all);
            if let Some(variable) = self.of(kind) {
                return if kind == Boxed { format!("(int) {}", variable.name) } else { variable.name };
            }
        }
        let constants: &[&str] = match of {
            Int => &["0", "1", "2", "-1", "7", "-3", "127", "128", "2147483647", "-2147483648", "97", "65535", "count"],
            Long => &["0L", "1L", "-1L", "5L", "9223372036854775807L", "-9223372036854775808L", "2147483648L", "total"],
            Byte => &["(byte) 1", "(byte) -128", "(byte) 127", "small"],
            Short => &["(short) 2", "(short) -32768"],
            Char => &["'a'", "'0'", "'\\uffff'", "'\\0'"],
            Boolean => &["true", "false", "(count > 0)"],
            Float => &["1.5f", "-0.0f", "Float.NaN", "3e9f", "0.1f"],
            Double => &["0.5", "-0.0", "Double.NaN", "1e300", "0.1", "Double.POSITIVE_INFINITY", "-2147483649.0"],
            Text => &["\"\"", "\"ab\"", "\"3\"", "\"\\u00e9\"", "\"\\u4e2d!\""],
            Node => &["new Node(r)", "new Node(1)", "new Leaf(4)", "new Leaf(2)", "shared"],
            Boxed => &["(Integer) 3", "(Integer) 1000", "(Integer) 127"],
            Color => &["Color.RED", "Color.GREEN", "Color.BLUE"],
            Ints => &["TABLE", "TABLE.clone()", "new int[2]"],
            _ => &["null"],
        };
        (*self.random.choose(constants)).into()
    }
}

/// The fields of a node and a parameter, as a method of it sees them.
fn fields() -> Vec<Variable> {
    let all = [("value", Int), ("tag", Byte), ("flag", Boolean), ("wide", Long), ("letter", Char), ("r", Int)];
    all.map(|(name, of)| Variable { name: name.into(), of, writable: true }).to_vec()
}
