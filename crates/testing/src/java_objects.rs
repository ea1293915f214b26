//! The second family of random Java methods whose inputs can all be tried: every primitive type, objects with
//! aliases, virtual calls, strings, boxes, lambdas, enums, collections, `finally`, labels. See
//! [`crate::java`] for the first, which keeps to ints and arrays; its methods do not change.
//!
//! The JVM runs all inputs in one process, so one run must not see the effects of another: static fields are
//! reset first, and no initializer branches.

mod expressions;
mod statements;

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
    let source = format!(
        "import java.util.*;\nimport java.util.function.*;\n\nfinal class {class} {{\n{}}}\n",
        writer.text
    );
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

    /// The type of its elements, if it is an array.
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
            "interface Op { int apply(int x, long y); \
             default int twice(int x) { return apply(apply(x, 1), x); } }",
            "enum Color { RED, GREEN { @Override int weight() { return 7; } }, BLUE; \
             int weight() { return ordinal() + 1; } }",
            "record Pair(int left, byte right) \
             { Pair { if (left == 3) throw new IllegalArgumentException(\"three\"); } }",
            "static int count; static long total = 5; static byte small; static Node shared; \
             static final int[] TABLE = {3, 1, 4, 1, 5};",
        ] {
            self.line(line);
        }
        self.line("static class Node {");
        self.indent += 1;
        self.line("int value; byte tag; boolean flag; long wide; char letter; Node next;");
        self.line(
            "Node(int value) { this.value = value; tag = (byte) value; letter = (char) (value + 'a'); \
             wide = value; }",
        );
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
                Node => format!(
                    "({name} == null ? 1 : {name}.value + {name}.tag + {name}.letter + (int) {name}.wide)"
                ),
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
            Int, Int, Long, Byte, Short, Char, Boolean, Boolean, Node, Node, Boxed, Color, Ints, Ints, Bytes,
            Chars, Longs, Booleans, Table, Op, List, Map,
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
                _ => {
                    format!("{{{{1, {}}}, {{{}}}, TABLE}}", self.expression(Int, 2), self.expression(Int, 2))
                }
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

    /// Captures only variables that are never assigned again.
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

    fn of(&mut self, of: Of) -> Option<Variable> {
        let all: Vec<&Variable> = self.variables.iter().filter(|v| v.of == of).collect();
        if all.is_empty() { None } else { Some((*self.random.choose(&all)).clone()) }
    }

    fn index(&mut self) -> String {
        match self.random.below(4) {
            0 => self.random.below(2).to_string(),
            1 if self.random.one_in(2) => self.expression(Int, 2),
            1 | 2 => format!("Math.floorMod({}, 2)", self.expression(Int, 2)),
            _ => format!("(({}) & 1)", self.expression(Int, 2)),
        }
    }
}

/// The fields of a node and a parameter, as a method of it sees them.
fn fields() -> Vec<Variable> {
    let all =
        [("value", Int), ("tag", Byte), ("flag", Boolean), ("wide", Long), ("letter", Char), ("r", Int)];
    all.map(|(name, of)| Variable { name: name.into(), of, writable: true }).to_vec()
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
        assert!((0..500).all(|index| (2..=300).contains(&method(1, index).inputs())));
    }
}
