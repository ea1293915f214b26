//! Expressions of every type; the deeper, the simpler.

use super::Of::{self, *};
use super::Writer;

impl Writer {
    pub(super) fn expression(&mut self, of: Of, depth: usize) -> String {
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
                    let field = *self.random.choose(&[
                        "value",
                        "tag",
                        "letter",
                        "wide > 2 ? 1 : 2",
                        "weigh(2)",
                        "next.value",
                    ]);
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
            23 => format!(
                "({a} {} {})",
                self.random.choose(&["&", "|", "^"]),
                self.random.choose(&[1, 7, -8, 255])
            ),
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
            3 => {
                format!("new StringBuilder({a}).append({}).reverse().toString()", self.expression(Int, depth))
            }
            4 => format!("({a}).substring({})", self.index()),
            5 => format!("String.valueOf({})", self.expression(Boolean, depth)),
            6 => format!("Long.toString({})", self.expression(Long, depth)),
            7 => format!("Integer.toHexString({})", self.expression(Int, depth)),
            _ => {
                format!("new StringBuilder().append({a}).append({}).append('x').toString()", self.cast(Char))
            }
        }
    }

    pub(super) fn leaf(&mut self, of: Of) -> String {
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
            Int => &[
                "0",
                "1",
                "2",
                "-1",
                "7",
                "-3",
                "127",
                "128",
                "2147483647",
                "-2147483648",
                "97",
                "65535",
                "count",
            ],
            Long => &[
                "0L",
                "1L",
                "-1L",
                "5L",
                "9223372036854775807L",
                "-9223372036854775808L",
                "2147483648L",
                "total",
            ],
            Byte => &["(byte) 1", "(byte) -128", "(byte) 127", "small"],
            Short => &["(short) 2", "(short) -32768"],
            Char => &["'a'", "'0'", "'\\uffff'", "'\\0'"],
            Boolean => &["true", "false", "(count > 0)"],
            Float => &["1.5f", "-0.0f", "Float.NaN", "3e9f", "0.1f"],
            Double => {
                &["0.5", "-0.0", "Double.NaN", "1e300", "0.1", "Double.POSITIVE_INFINITY", "-2147483649.0"]
            }
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
