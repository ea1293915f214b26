//! Static single assignment form, procedure by procedure, before calls are inlined and loops unrolled
//! [Cytron TOPLAS'91; Liu HVC'14, 4.7].
//!
//! Statements are structured, so no dominance frontiers are needed: a choice joins the variables that an arm
//! assigns, a loop carries those that its body assigns. What follows a loop sees the names of its head. As in
//! the paper's Figure 1(b), a join is an assignment to the same name in both arms.

use super::program::{Carried, Condition, Join, Procedure, Program, Statement, Test};
use crate::study::code::Expr;

/// The program with each name assigned in one place.
pub(super) fn single_assignment(program: &Program) -> Program {
    Program { procedures: program.procedures.iter().map(procedure).collect(), arrays: program.arrays }
}

fn procedure(old: &Procedure) -> Procedure {
    let mut renamer = Renamer {
        old: &old.slots,
        slots: old.slots.clone(),
        versions: vec![0; old.slots.len()],
        now: (0..old.slots.len()).collect(),
    };
    let body = renamer.block(&old.body);
    let result = renamer.expr(&old.result);
    Procedure { name: old.name.clone(), params: old.params, slots: renamer.slots, body, result }
}

struct Renamer<'p> {
    old: &'p [String],
    /// The names of the new slots.
    slots: Vec<String>,
    /// How many names each old slot has been given.
    versions: Vec<usize>,
    /// The new slot that each old one is at this place.
    now: Vec<usize>,
}

impl Renamer<'_> {
    fn fresh(&mut self, old: usize) -> usize {
        self.versions[old] += 1;
        self.slots.push(format!("{}_{}", self.old[old], self.versions[old]));
        self.slots.len() - 1
    }

    fn define(&mut self, old: usize) -> usize {
        let new = self.fresh(old);
        self.now[old] = new;
        new
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let both = |a: &Expr, b: &Expr| (Box::new(self.expr(a)), Box::new(self.expr(b)));
        match expr {
            Expr::Number(n) => Expr::Number(*n),
            Expr::Slot(slot) => Expr::Slot(self.now[*slot]),
            Expr::Cell(array, index) => Expr::Cell(*array, Box::new(self.expr(index))),
            Expr::Add(a, b) => {
                let (a, b) = both(a, b);
                Expr::Add(a, b)
            }
            Expr::Sub(a, b) => {
                let (a, b) = both(a, b);
                Expr::Sub(a, b)
            }
            Expr::Mul(a, b) => {
                let (a, b) = both(a, b);
                Expr::Mul(a, b)
            }
        }
    }

    fn condition(&self, condition: &Condition) -> Condition {
        let test = |test: &Test| Test {
            left: self.expr(&test.left),
            compare: test.compare,
            right: self.expr(&test.right),
        };
        Condition { tests: condition.tests.iter().map(test).collect(), joint: condition.joint }
    }

    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        block.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Statement) -> Statement {
        match statement {
            Statement::Set { slot, value } => {
                let value = self.expr(value);
                Statement::Set { slot: self.define(*slot), value }
            }
            Statement::Store { array, index, value } => {
                Statement::Store { array: *array, index: self.expr(index), value: self.expr(value) }
            }
            Statement::Call { method, args, into } => {
                let args = args.iter().map(|arg| self.expr(arg)).collect();
                Statement::Call { method: *method, args, into: self.define(*into) }
            }
            Statement::If { condition, yes, no, .. } => {
                let condition = self.condition(condition);
                let before = self.now.clone();
                let yes = self.block(yes);
                let after_yes = std::mem::replace(&mut self.now, before);
                let no = self.block(no);
                let mut joins = Vec::new();
                for (old, of_yes) in after_yes.into_iter().enumerate() {
                    let of_no = self.now[old];
                    if of_yes != of_no {
                        joins.push(Join { slot: self.define(old), yes: of_yes, no: of_no });
                    }
                }
                Statement::If { condition, yes, no, joins }
            }
            Statement::While { condition, body, .. } => self.repetition(condition, body),
        }
    }

    fn repetition(&mut self, condition: &Condition, body: &[Statement]) -> Statement {
        let mut assigned = Vec::new();
        assigned_in(body, &mut assigned);
        assigned.sort_unstable();
        assigned.dedup();
        let before: Vec<usize> = assigned.iter().map(|old| self.now[*old]).collect();
        let heads: Vec<usize> = assigned.iter().map(|old| self.define(*old)).collect();
        let condition = self.condition(condition);
        let body = self.block(body);
        let mut carried = Vec::new();
        for ((old, before), head) in assigned.into_iter().zip(before).zip(heads) {
            carried.push(Carried { slot: head, before, after: self.now[old] });
            self.now[old] = head;
        }
        Statement::While { condition, body, carried }
    }
}

fn assigned_in(block: &[Statement], found: &mut Vec<usize>) {
    for statement in block {
        match statement {
            Statement::Set { slot, .. } | Statement::Call { into: slot, .. } => found.push(*slot),
            Statement::Store { .. } => {}
            Statement::If { yes, no, .. } => {
                assigned_in(yes, found);
                assigned_in(no, found);
            }
            Statement::While { body, .. } => assigned_in(body, found),
        }
    }
}

/// Names that are assigned in more than one place; none, if all is well.
#[cfg(test)]
pub(super) fn assigned_twice(program: &Program) -> Vec<String> {
    fn places(block: &[Statement], found: &mut Vec<usize>) {
        for statement in block {
            match statement {
                Statement::Set { slot, .. } | Statement::Call { into: slot, .. } => found.push(*slot),
                Statement::Store { .. } => {}
                Statement::If { yes, no, joins, .. } => {
                    places(yes, found);
                    places(no, found);
                    found.extend(joins.iter().map(|join| join.slot));
                }
                Statement::While { body, carried, .. } => {
                    places(body, found);
                    found.extend(carried.iter().map(|carried| carried.slot));
                }
            }
        }
    }
    let mut twice = Vec::new();
    for procedure in &program.procedures {
        let mut found: Vec<usize> = (0..procedure.params).collect();
        places(&procedure.body, &mut found);
        found.sort_unstable();
        let again = found.windows(2).filter(|pair| pair[0] == pair[1]);
        twice.extend(again.map(|pair| procedure.slots[pair[0]].clone()));
    }
    twice
}
