//! Programs of the comparative study before they are linearized: procedures of structured statements.
//!
//! The text is the language of `evergreen-lab study generate`; its lines are counted as cloc counts them in
//! the paper: every line that is neither blank nor a comment [Liu HVC'14, 4.7]. A program in
//! single-assignment form has the same statements; there, a choice names what its arms join in, and a loop
//! what it carries from round to round.

use crate::study::code::{Compare, Expr};
use std::fmt::Write as _;

/// Cells of each array. Loops that run over cells are unrolled less often.
pub(super) const CELLS: usize = 24;

/// A comparison.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub left: Expr,
    pub compare: Compare,
    pub right: Expr,
}

/// How several tests make one condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Joint {
    /// All have to hold.
    All,
    /// One has to hold.
    Any,
}

/// A condition: at least one test.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub tests: Vec<Test>,
    pub joint: Joint,
}

/// After a choice, a name has the value of a name of the arm that was taken.
#[derive(Clone, Debug)]
pub(super) struct Join {
    pub slot: usize,
    pub yes: usize,
    pub no: usize,
}

/// In each round of a loop, a name has the value from before the loop or from the round before.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    pub slot: usize,
    pub before: usize,
    pub after: usize,
}

/// A statement. `joins` and `carried` are empty unless the program is in single-assignment form.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Set { slot: usize, value: Expr },
    Store { array: usize, index: Expr, value: Expr },
    Call { method: usize, args: Vec<Expr>, into: usize },
    If { condition: Condition, yes: Vec<Statement>, no: Vec<Statement>, joins: Vec<Join> },
    While { condition: Condition, body: Vec<Statement>, carried: Vec<Carried> },
}

/// A procedure, which returns at its end.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub name: String,
    /// How many of the slots are parameters: the first ones.
    pub params: usize,
    /// The name of each slot.
    pub slots: Vec<String>,
    pub body: Vec<Statement>,
    pub result: Expr,
}

/// A program; its last procedure is the entry, whose parameters are the inputs.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub procedures: Vec<Procedure>,
    pub arrays: usize,
}

impl Program {
    /// The entry.
    pub(super) fn entry(&self) -> &Procedure {
        self.procedures.last().expect("a program has an entry")
    }

    /// Its text.
    pub(super) fn text(&self) -> String {
        let mut text: String = (0..self.arrays).map(|array| format!("array g{array};\n")).collect();
        for (number, procedure) in self.procedures.iter().enumerate() {
            let kind = if number + 1 == self.procedures.len() { "entry" } else { "method" };
            let params = procedure.slots[..procedure.params].join(", ");
            let _ = writeln!(text, "{kind} {}({params}) {{", procedure.name);
            let mut printer = Printer { program: self, slots: &procedure.slots, text: &mut text };
            printer.block(1, &procedure.body);
            printer.line(1, &format!("return {};", shown(&procedure.result, &procedure.slots)));
            text.push_str("}\n");
        }
        text
    }

    /// How many lines it has that are neither blank nor comments.
    pub(super) fn lines(&self) -> usize {
        self.text().lines().filter(|line| !line.trim().is_empty()).count()
    }
}

struct Printer<'p> {
    program: &'p Program,
    slots: &'p [String],
    text: &'p mut String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * depth);
    }

    fn block(&mut self, depth: usize, block: &[Statement]) {
        for statement in block {
            self.statement(depth, statement);
        }
    }

    fn statement(&mut self, depth: usize, statement: &Statement) {
        let name = |slot: &usize| self.slots[*slot].clone();
        let expr = |e: &Expr| shown(e, self.slots);
        match statement {
            Statement::Set { slot, value } => {
                let line = format!("{} = {};", name(slot), expr(value));
                self.line(depth, &line);
            }
            Statement::Store { array, index, value } => {
                let line = format!("g{array}[{}] = {};", expr(index), expr(value));
                self.line(depth, &line);
            }
            Statement::Call { method, args, into } => {
                let args: Vec<String> = args.iter().map(expr).collect();
                let called = &self.program.procedures[*method].name;
                let line = format!("{} = {called}({});", name(into), args.join(", "));
                self.line(depth, &line);
            }
            Statement::If { condition, yes, no, .. } => {
                let line = format!("if ({}) {{", condition.shown(self.slots));
                self.line(depth, &line);
                self.block(depth + 1, yes);
                if !no.is_empty() {
                    self.line(depth, "} else {");
                    self.block(depth + 1, no);
                }
                self.line(depth, "}");
            }
            Statement::While { condition, body, .. } => {
                let line = format!("while ({}) {{", condition.shown(self.slots));
                self.line(depth, &line);
                self.block(depth + 1, body);
                self.line(depth, "}");
            }
        }
    }
}

impl Condition {
    fn shown(&self, slots: &[String]) -> String {
        let test = |test: &Test| {
            format!("{} {} {}", shown(&test.left, slots), test.compare.symbol(), shown(&test.right, slots))
        };
        let joint = if self.joint == Joint::All { " && " } else { " || " };
        self.tests.iter().map(test).collect::<Vec<_>>().join(joint)
    }
}

fn shown(expr: &Expr, slots: &[String]) -> String {
    let inner = |e: &Expr| match e {
        Expr::Number(n) if *n >= 0 => n.to_string(),
        Expr::Slot(_) | Expr::Cell(..) => shown(e, slots),
        _ => format!("({})", shown(e, slots)),
    };
    match expr {
        Expr::Number(n) if *n < 0 => format!("0 - {}", n.unsigned_abs()),
        Expr::Number(n) => n.to_string(),
        Expr::Slot(slot) => slots[*slot].clone(),
        Expr::Cell(array, index) => format!("g{array}[{}]", shown(index, slots)),
        Expr::Add(a, b) => format!("{} + {}", inner(a), inner(b)),
        Expr::Sub(a, b) => format!("{} - {}", inner(a), inner(b)),
        Expr::Mul(a, b) => format!("{} * {}", inner(a), inner(b)),
    }
}
