//! Generated Java methods: for many inputs, the symbolic path that they take ends as the real JVM says.
//!
//! 300 methods of three ints with loops, arrays, switches, handlers, calls and overflow are compiled by
//! one javac and run on one JVM for every combination of some small and extreme inputs. Along each
//! symbolic path exactly one arm of every branch holds, and result, exception and message under the
//! inputs are those of the JVM.

use evergreen_structures::Random;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

use crate::common::Program;
use evergreen_classfile::find_jdk;
use evergreen_jvm::{Ending, Value};

const METHODS: usize = 300;
const A: [i64; 6] = [-2, 0, 1, 3, 7, 2_147_483_647];
const B: [i64; 4] = [-1, 0, 2, -2_147_483_648];
const C: [i64; 3] = [0, 1, 100];

#[test]
fn paths_end_as_on_the_jvm() {
    let source = source(METHODS, 20_261_115);
    let mut program = Program::new("Gen", &source);
    let expected = run_on_java(&program);
    let mut lines = expected.lines();
    let mut paths = 0;
    let mut throwing = 0;
    for number in 0..METHODS {
        let method = format!("m{number}");
        let mut traces = BTreeSet::new();
        for (a, b, c) in inputs() {
            let given = [("a", a), ("b", b), ("c", c)];
            let (outcome, assignment) = program.along(&method, "(III)I", &given);
            let found = match &outcome.ending {
                Ending::Returned(Some(value)) => match program.jvm.evaluate(*value, &assignment) {
                    Value::Int(value) => value.to_string(),
                    other => format!("{other:?}"),
                },
                Ending::Threw { class, object, .. } => {
                    throwing += 1;
                    let message = program.jvm.message_under(&outcome.state, *object, &assignment);
                    let message = message.map(|units| String::from_utf16_lossy(&units));
                    format!("{}: {}", class.replace('/', "."), message.as_deref().unwrap_or("null"))
                }
                other => format!("{other:?}"),
            };
            let java = lines.next().expect("java ran as many");
            assert_eq!(found, java, "{method}({a}, {b}, {c}) in\n{}", method_source(&source, number));
            traces.insert(outcome.trace);
        }
        paths += traces.len();
    }
    assert_eq!(lines.next(), None);
    // The generator gives programs that are worth the name.
    assert!(paths > 2 * METHODS, "only {paths} paths");
    assert!(throwing > METHODS, "only {throwing} runs threw");
    println!("{paths} paths of {METHODS} methods, {throwing} runs ended by an exception");
}

fn inputs() -> impl Iterator<Item = (i64, i64, i64)> {
    A.into_iter().flat_map(|a| B.into_iter().flat_map(move |b| C.into_iter().map(move |c| (a, b, c))))
}

fn run_on_java(program: &Program) -> String {
    let jdk = find_jdk().expect("this test needs a JDK");
    let java = jdk.program("java").expect("this test needs java");
    let done = Command::new(java).arg("-cp").arg(program.folder()).arg("Gen").output().expect("java starts");
    assert!(done.status.success(), "java: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("the program prints ASCII")
}

fn method_source(source: &str, number: usize) -> &str {
    let start = source.find(&format!("static int m{number}(")).unwrap_or(0);
    let rest = &source[start..];
    &rest[..rest.find("\n    static").unwrap_or(rest.len())]
}

fn source(methods: usize, seed: u64) -> String {
    let mut text = String::from("public class Gen {\n");
    let mut writer = Writer {
        random: Random::new(seed),
        text: String::new(),
        method: 0,
        depth: 0,
        loops: 0,
        fresh: false,
    };
    for number in 0..methods {
        writer.method = number;
        writer.write_method();
    }
    text += &writer.text;
    text += "    static String run(int m, int a, int b, int c) {\n        switch (m) {\n";
    for number in 0..methods {
        let _ = writeln!(text, "            case {number}: return \"\" + m{number}(a, b, c);");
    }
    text += "            default: return null;\n        }\n    }\n";
    let list = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let _ = write!(
        text,
        "    public static void main(String[] args) {{
        StringBuilder out = new StringBuilder();
        for (int m = 0; m < {methods}; m++)
            for (int a : new int[] {{{}}}) for (int b : new int[] {{{}}}) for (int c : new int[] {{{}}}) {{
                try {{ out.append(run(m, a, b, c)); }}
                catch (Throwable e) {{ out.append(e.getClass().getName()).append(\": \
                \").append(e.getMessage()); }}
                out.append('\\n');
            }}
        System.out.print(out);
    }}
}}
",
        list(&A),
        list(&B),
        list(&C)
    );
    text
}

/// Writes methods. Every loop counts, and a method calls earlier ones outside of loops
/// only, so every method ends.
struct Writer {
    random: Random,
    text: String,
    method: usize,
    depth: usize,
    loops: usize,
    /// Whether the locals do not exist yet.
    fresh: bool,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn pick(&mut self, choices: &[&str]) -> String {
        let at = self.below(choices.len());
        choices[at].to_owned()
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth + 2));
    }

    fn write_method(&mut self) {
        let _ = writeln!(self.text, "    static int m{}(int a, int b, int c) {{", self.method);
        self.depth = 0;
        self.loops = 0;
        self.fresh = true;
        let (x, w) = (self.int(1), self.long(1));
        self.fresh = false;
        self.line(&format!(
            "int x = {x}, y = 1; long w = {w}; double d = a; float f = b; int[] arr = {{3, 1, 4, 1}};"
        ));
        for _ in 0..2 + self.below(3) {
            self.statement();
        }
        let result = self.int(2);
        self.line(&format!("return x + {result};"));
        self.text += "    }\n";
    }

    fn block(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        for _ in 0..1 + self.below(2) {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self) {
        let choice = if self.depth > 2 { self.below(5) } else { self.below(13) };
        match choice {
            0 | 1 => {
                let (to, op) = (self.pick(&["x", "y"]), self.pick(&["=", "+=", "-=", "*=", "^=", ">>="]));
                let value = self.int(2);
                self.line(&format!("{to} {op} {value};"));
            }
            2 => {
                let (index, value) = (self.index(), self.int(2));
                self.line(&format!("arr[{index}] = {value};"));
            }
            3 => match self.below(3) {
                0 => {
                    let value = self.long(2);
                    self.line(&format!("w = {value};"));
                }
                1 => {
                    let value = self.double(2);
                    self.line(&format!("d = {value};"));
                }
                _ => {
                    let value = self.double(1);
                    self.line(&format!("f {} (float) {value};", if value.len() > 9 { "=" } else { "+=" }));
                }
            },
            4 => {
                let (condition, value) = (self.condition(1), self.int(1));
                self.line(&format!("if ({condition}) return {value};"));
            }
            5..8 => {
                let condition = self.condition(2);
                self.block(&format!("if ({condition})"));
                if self.below(2) == 0 {
                    self.block("else");
                }
            }
            8 | 9 => {
                self.loops += 1;
                let (name, bound) = (format!("i{}", self.loops), self.pick(&["3", "(x & 3)", "(a & 1) + 1"]));
                self.block(&format!("for (int {name} = 0; {name} < {bound}; {name}++)"));
            }
            10 => self.switch(),
            11 => {
                let kind = self.pick(&["ArithmeticException", "RuntimeException", "IllegalStateException"]);
                self.block("try");
                let message = self.pick(&["y++", "x = e.getMessage().length()", "y = -7"]);
                self.line(&format!("catch ({kind} e) {{ {message}; }}"));
            }
            _ => {
                let (condition, value) = (self.condition(1), self.int(1));
                self.line(&format!("if ({condition}) throw new IllegalStateException(\"v\" + {value});"));
            }
        }
    }

    fn switch(&mut self) {
        let value = self.int(1);
        let first = self.below(3);
        self.line(&format!("switch ({value} + 0) {{"));
        self.depth += 1;
        for case in [first as i32 - 1, first as i32 + 1, 7, i32::MIN] {
            self.line(&format!("case {case}:"));
            if self.below(3) > 0 {
                self.statement();
                if self.below(3) > 0 {
                    self.line("break;");
                }
            }
        }
        self.line("default: y += 2;");
        self.depth -= 1;
        self.line("}");
    }

    fn index(&mut self) -> String {
        match self.below(3) {
            0 => self.pick(&["a", "x", "b + 1", "c"]),
            1 => self.pick(&["0", "1", "2", "3"]),
            _ => format!("{} & 3", self.pick(&["x", "a", "(y >> 1)"])),
        }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            let all = ["a", "b", "c", "x", "y", "0", "1", "-3", "7", "100", "Integer.MAX_VALUE", "0x55"];
            let known = if self.fresh { 3 } else { all.len() };
            return self.pick(&all[..known]);
        }
        if self.fresh {
            return self.pick(&["a - b", "a * 3 + c", "(b ^ c)", "a + b + c", "~c", "(byte) a", "c - a"]);
        }
        let (left, right) = (self.int(depth - 1), self.int(depth - 1));
        match self.below(14) {
            0..3 => format!("({left} + {right})"),
            3 => format!("({left} - {right})"),
            4 => format!("({left} * {right})"),
            5 => format!("({left} {} {right})", self.pick(&["/", "%"])),
            6 => format!("({left} {} {right})", self.pick(&["&", "|", "^"])),
            7 => format!("({left} {} {right})", self.pick(&["<<", ">>", ">>>"])),
            8 => format!("({}) ({left})", self.pick(&["byte", "char", "short", "int"])),
            9 => format!("{}({left})", self.pick(&["-", "~"])),
            10 => format!("arr[{}]", self.index()),
            11 => {
                let condition = self.condition(depth - 1);
                format!("({condition} ? {left} : {right})")
            }
            12 if self.method > 0 && self.loops == 0 => {
                let callee = self.below(self.method.min(20));
                format!("m{callee}({left}, {right}, 1)")
            }
            12 => format!("Math.max({left}, {right})"),
            _ if self.below(3) == 0 => {
                format!("({}) {}", self.pick(&["int", "short", "char"]), self.double(1))
            }
            _ => format!("(int) {}", self.long(depth - 1)),
        }
    }

    fn long(&mut self, depth: usize) -> String {
        if self.fresh {
            return self.pick(&["a", "(long) a * b", "5000000000L - b"]);
        }
        let value = self.int(depth.saturating_sub(1));
        match self.below(6) {
            0 => "w".to_owned(),
            1 => format!("(w + {value})"),
            2 => format!("(w * {})", self.pick(&["3", "1000003L", "-1"])),
            3 => format!("((long) {value} << {})", self.pick(&["3", "33", "x"])),
            4 => format!("(w {} 7)", self.pick(&["/", "%", "&", ">>", ">>>"])),
            _ => format!("(long) ({value})"),
        }
    }

    fn double(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["d", "f", "w", "x", "0.5", "-3.0", "1e300", "a"]);
        }
        let (left, right) = (self.double(depth - 1), self.double(depth - 1));
        match self.below(5) {
            0 => format!("((double) {left} {} {right})", self.pick(&["+", "-", "*", "/", "%"])),
            1 => format!("((float) {left} {} 3)", self.pick(&["+", "-", "*", "/"])),
            2 => format!("-(double) {left}"),
            3 => format!("(double) (long) {left}"),
            _ => format!("(d + {right})"),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let (left, right) = (self.int(depth.min(1)), self.int(0));
        match self.below(8) {
            0 if depth > 1 => format!("{left} > {right} && {}", self.condition(depth - 1)),
            1 if depth > 1 => format!("{left} != {right} || {}", self.condition(depth - 1)),
            2 => format!("w {} {left}", self.pick(&["<", ">=", "==", "!="])),
            3 => {
                let value = self.double(1);
                format!(
                    "{value} {} {}",
                    self.pick(&["<", ">=", "==", "!=", ">"]),
                    self.pick(&["0", "d", "f", "1.5f"])
                )
            }
            _ => format!("{left} {} {right}", self.pick(&["<", "<=", ">", ">=", "==", "!="])),
        }
    }
}
