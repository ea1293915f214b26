//! The little language that the study's programs are written in, by hand or at random.
//!
//! ```text
//! array key;
//! method bigger(a, b) { if (a >= b) { return a; } return b; }
//! entry main(x, y) { m = bigger(x, y); while (m > 0 && m != x) { m = m - 1; } key[0] = m; }
//! ```
//!
//! Integers are unbounded, methods are called as statements, products need a number on one side, and indices
//! of arrays have to be numbers when they are met: whatever a program does, its conditions are linear over
//! the inputs. Why a language and not path trees in Rust: the random programs can be read and kept, and a
//! user can bring one.

use super::code::{Code, Compare, Expr, Instruction, Method};
use evergreen::smtlib::{Diagnostic, Position};
use std::collections::HashMap;

/// Reads a program; the message of what is wrong names the place.
pub(crate) fn read(file: &str, text: &str) -> Result<Code, String> {
    parse(text).map_err(|d| d.render(file, text.as_bytes(), Position::START).trim_end().to_string())
}

/// A condition, before it becomes branches.
enum Cond {
    Compare(Expr, Compare, Expr),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

/// Branches whose targets are not known yet: (instruction, whether the `yes` target is meant).
type Open = Vec<(usize, bool)>;

const SYMBOLS: [&str; 21] = [
    "&&", "||", "<=", ">=", "==", "!=", "<", ">", "=", "+", "-", "*", "(", ")", "{", "}", "[", "]", ",", ";",
    "!",
];
/// Nesting beyond this is refused, so that no text can exhaust the stack.
const DEPTH_BOUND: usize = 200;

struct Token<'t> {
    text: &'t str,
    offset: usize,
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    end: usize,
    at: usize,
    depth: usize,
    arrays: HashMap<&'t str, usize>,
    methods: HashMap<&'t str, usize>,
    /// Parameters of each method, as their heads are read before the bodies.
    arity: Vec<usize>,
    slots: HashMap<&'t str, usize>,
    body: Vec<Instruction>,
}

fn parse(text: &str) -> Result<Code, Diagnostic> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens,
        end: text.len(),
        at: 0,
        depth: 0,
        arrays: HashMap::new(),
        methods: HashMap::new(),
        arity: Vec::new(),
        slots: HashMap::new(),
        body: Vec::new(),
    };
    parser.heads()?;
    let mut methods = Vec::new();
    while parser.at < parser.tokens.len() {
        if parser.take("array") {
            parser.name()?;
            parser.expect(";")?;
        } else {
            methods.push(parser.method()?);
        }
    }
    if !methods.iter().any(|m| m.entry) {
        return Err(Diagnostic::new(text.len(), "no entry").with_help("one method begins with \"entry\""));
    }
    Ok(Code { methods, arrays: parser.arrays.len() })
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if c.is_ascii_alphanumeric() || c == '_' {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            let symbol = SYMBOLS.iter().find(|s| rest.starts_with(**s));
            symbol.ok_or_else(|| Diagnostic::new(at, format!("\"{c}\" means nothing here")))?.len()
        };
        tokens.push(Token { text: &rest[..length], offset: at });
        at += length;
    }
    Ok(tokens)
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t str {
        self.tokens.get(self.at).map_or("", |t| t.text)
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.tokens.get(self.at).map_or(self.end, |t| t.offset), message)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Diagnostic> {
        if self.take(text) {
            return Ok(());
        }
        Err(self.error(format!("\"{text}\" expected, not \"{}\"", self.peek())))
    }

    fn name(&mut self) -> Result<&'t str, Diagnostic> {
        let name = self.peek();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(self.error(format!("a name expected, not \"{name}\"")));
        }
        self.at += 1;
        Ok(name)
    }

    /// Finds arrays and methods, so that bodies may use what comes later.
    fn heads(&mut self) -> Result<(), Diagnostic> {
        let mut depth = 0usize;
        while self.at < self.tokens.len() {
            match self.peek() {
                "array" if depth == 0 => {
                    self.at += 1;
                    let (name, number) = (self.name()?, self.arrays.len());
                    self.arrays.insert(name, number);
                    continue;
                }
                "method" | "entry" if depth == 0 => {
                    self.at += 1;
                    let name = self.name()?;
                    if self.methods.insert(name, self.arity.len()).is_some() {
                        return Err(self.error(format!("\"{name}\" is there twice")));
                    }
                    let count = self.params()?.len();
                    self.arity.push(count);
                    continue;
                }
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
        self.at = 0;
        Ok(())
    }

    fn params(&mut self) -> Result<Vec<&'t str>, Diagnostic> {
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.take(")") {
            if !params.is_empty() {
                self.expect(",")?;
            }
            params.push(self.name()?);
        }
        Ok(params)
    }

    fn method(&mut self) -> Result<Method, Diagnostic> {
        let entry = self.take("entry");
        if !entry {
            self.expect("method")?;
        }
        let name = self.name()?;
        let params = self.params()?;
        self.slots = params.iter().enumerate().map(|(i, p)| (*p, i)).collect();
        if self.slots.len() != params.len() {
            return Err(self.error(format!("\"{name}\" has two parameters of one name")));
        }
        self.block()?;
        self.body.push(Instruction::Return(Expr::Number(0)));
        let params = params.into_iter().map(str::to_string).collect();
        Ok(Method { params, slots: self.slots.len(), entry, body: std::mem::take(&mut self.body) })
    }

    fn deeper(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > DEPTH_BOUND { Err(self.error("nested too deeply")) } else { Ok(()) }
    }

    fn block(&mut self) -> Result<(), Diagnostic> {
        self.deeper()?;
        self.expect("{")?;
        while !self.take("}") {
            self.statement()?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn statement(&mut self) -> Result<(), Diagnostic> {
        match self.peek() {
            "if" => self.choice(),
            "while" => self.repetition(),
            "return" => {
                self.at += 1;
                let value = if self.peek() == ";" { Expr::Number(0) } else { self.expr()? };
                self.body.push(Instruction::Return(value));
                self.expect(";")
            }
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> Result<(), Diagnostic> {
        let name = self.name()?;
        if let Some(&array) = self.arrays.get(name) {
            self.expect("[")?;
            let index = self.expr()?;
            self.expect("]")?;
            self.expect("=")?;
            let value = self.expr()?;
            self.body.push(Instruction::Store { array, index, value });
            return self.expect(";");
        }
        self.expect("=")?;
        let called = self.methods.get(self.peek()).copied();
        let instruction = match called {
            Some(method) => {
                self.at += 1;
                let args = self.args(method)?;
                Instruction::Call { method, args, into: self.slot(name) }
            }
            None => {
                let value = self.expr()?;
                Instruction::Set { slot: self.slot(name), value }
            }
        };
        self.body.push(instruction);
        self.expect(";")
    }

    /// The slot of a variable that is given a value.
    fn slot(&mut self, name: &'t str) -> usize {
        let next = self.slots.len();
        *self.slots.entry(name).or_insert(next)
    }

    fn args(&mut self, method: usize) -> Result<Vec<Expr>, Diagnostic> {
        self.expect("(")?;
        let mut args = Vec::new();
        while self.peek() != ")" {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.expr()?);
        }
        if args.len() != self.arity[method] {
            return Err(self.error(format!("{} arguments, not {}", self.arity[method], args.len())));
        }
        self.expect(")")?;
        Ok(args)
    }

    fn choice(&mut self) -> Result<(), Diagnostic> {
        self.expect("if")?;
        let no = self.condition()?;
        self.block()?;
        if !self.take("else") {
            self.close(no, self.body.len());
            return Ok(());
        }
        let jump = self.body.len();
        self.body.push(Instruction::Jump(0));
        self.close(no, self.body.len());
        self.deeper()?;
        if self.peek() == "if" {
            self.choice()?
        } else {
            self.block()?
        }
        self.depth -= 1;
        self.body[jump] = Instruction::Jump(self.body.len());
        Ok(())
    }

    fn repetition(&mut self) -> Result<(), Diagnostic> {
        self.expect("while")?;
        let start = self.body.len();
        let no = self.condition()?;
        self.block()?;
        self.body.push(Instruction::Jump(start));
        self.close(no, self.body.len());
        Ok(())
    }

    /// Reads a condition and branches on it; what follows is the place for "it holds", and the branches that
    /// have to go elsewhere are given back.
    fn condition(&mut self) -> Result<Open, Diagnostic> {
        self.expect("(")?;
        let cond = self.either()?;
        self.expect(")")?;
        let (yes, no) = self.branches(cond);
        self.close(yes, self.body.len());
        Ok(no)
    }

    fn branches(&mut self, cond: Cond) -> (Open, Open) {
        match cond {
            Cond::Compare(left, compare, right) => {
                let at = self.body.len();
                self.body.push(Instruction::Branch { left, compare, right, yes: 0, no: 0 });
                (vec![(at, true)], vec![(at, false)])
            }
            Cond::Not(inner) => {
                let (yes, no) = self.branches(*inner);
                (no, yes)
            }
            Cond::And(a, b) => {
                let (yes, mut no) = self.branches(*a);
                self.close(yes, self.body.len());
                let (yes, more) = self.branches(*b);
                no.extend(more);
                (yes, no)
            }
            Cond::Or(a, b) => {
                let (mut yes, no) = self.branches(*a);
                self.close(no, self.body.len());
                let (more, no) = self.branches(*b);
                yes.extend(more);
                (yes, no)
            }
        }
    }

    fn close(&mut self, open: Open, target: usize) {
        for (at, meant) in open {
            if let Instruction::Branch { yes, no, .. } = &mut self.body[at] {
                *if meant { yes } else { no } = target;
            }
        }
    }

    fn either(&mut self) -> Result<Cond, Diagnostic> {
        let mut cond = self.both()?;
        while self.take("||") {
            cond = Cond::Or(Box::new(cond), Box::new(self.both()?));
        }
        Ok(cond)
    }

    fn both(&mut self) -> Result<Cond, Diagnostic> {
        let mut cond = self.comparison()?;
        while self.take("&&") {
            cond = Cond::And(Box::new(cond), Box::new(self.comparison()?));
        }
        Ok(cond)
    }

    fn comparison(&mut self) -> Result<Cond, Diagnostic> {
        self.deeper()?;
        let cond =
            if self.take("!") { Cond::Not(Box::new(self.comparison()?)) } else { self.plain_or_nested()? };
        self.depth -= 1;
        Ok(cond)
    }

    /// A parenthesis may begin an expression or a condition: the first is tried first.
    fn plain_or_nested(&mut self) -> Result<Cond, Diagnostic> {
        let (start, depth) = (self.at, self.depth);
        let plain = self.compared();
        if plain.is_ok() || self.tokens.get(start).is_none_or(|t| t.text != "(") {
            return plain;
        }
        (self.at, self.depth) = (start + 1, depth);
        let cond = self.either()?;
        self.expect(")")?;
        Ok(cond)
    }

    fn compared(&mut self) -> Result<Cond, Diagnostic> {
        let left = self.expr()?;
        let compare = match self.peek() {
            "<" => Compare::Lt,
            "<=" => Compare::Le,
            ">" => Compare::Gt,
            ">=" => Compare::Ge,
            "==" => Compare::Eq,
            "!=" => Compare::Ne,
            other => return Err(self.error(format!("a comparison expected, not \"{other}\""))),
        };
        self.at += 1;
        Ok(Cond::Compare(left, compare, self.expr()?))
    }

    fn expr(&mut self) -> Result<Expr, Diagnostic> {
        let mut sum = self.product()?;
        loop {
            if self.take("+") {
                sum = Expr::Add(Box::new(sum), Box::new(self.product()?));
            } else if self.take("-") {
                sum = Expr::Sub(Box::new(sum), Box::new(self.product()?));
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Expr, Diagnostic> {
        let mut product = self.factor()?;
        while self.take("*") {
            product = Expr::Mul(Box::new(product), Box::new(self.factor()?));
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Expr, Diagnostic> {
        self.deeper()?;
        let factor = if self.take("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            inner
        } else if self.take("-") {
            Expr::Sub(Box::new(Expr::Number(0)), Box::new(self.factor()?))
        } else if self.peek().starts_with(|c: char| c.is_ascii_digit()) {
            let number = self.peek().parse();
            let number = number.map_err(|_| self.error(format!("\"{}\" is no number", self.peek())))?;
            self.at += 1;
            Expr::Number(number)
        } else {
            let at = self.at;
            let name = self.name()?;
            if let Some(&array) = self.arrays.get(name) {
                self.expect("[")?;
                let index = self.expr()?;
                self.expect("]")?;
                Expr::Cell(array, Box::new(index))
            } else if let Some(&slot) = self.slots.get(name) {
                Expr::Slot(slot)
            } else {
                self.at = at;
                return Err(self.error(format!("\"{name}\" has no value yet")));
            }
        };
        self.depth -= 1;
        Ok(factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        let said = read("p", text).expect_err("a complaint");
        said.lines().next().unwrap_or("").to_string()
    }

    #[test]
    fn conditions_become_branches() {
        let code = read("p", "entry main(x) { if (x < 1 || !(x == 3) && x != 2) { x = 0; } }").unwrap();
        let targets: Vec<(usize, usize)> = code.methods[0]
            .body
            .iter()
            .filter_map(|i| match i {
                Instruction::Branch { yes, no, .. } => Some((*yes, *no)),
                _ => None,
            })
            .collect();
        // x < 1: go in, or ask on; x == 3: go around, or ask on; x != 2: go in, or go around.
        assert_eq!(targets, [(3, 1), (4, 2), (3, 4)]);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        assert_eq!(complaint("method m() { }"), "p:1:15: no entry");
        assert_eq!(complaint("entry m() {\n  x = y;\n}"), "p:2:7: \"y\" has no value yet");
        assert_eq!(complaint("entry m(x) { if (x) { } }"), "p:1:19: a comparison expected, not \")\"");
        assert_eq!(complaint("entry m(x) { x = 3 $ 4; }"), "p:1:20: \"$\" means nothing here");
        assert_eq!(complaint("entry m(x) { x = 1;"), "p:1:20: a name expected, not \"\"");
        assert_eq!(complaint("method f(a) { } entry m(x) { y = f(x, x); }"), "p:1:40: 1 arguments, not 2");
        let deep = format!("entry m(x) {{ x = {}1; }}", "(".repeat(100_000));
        assert!(complaint(&deep).contains("nested too deeply"));
    }
}
