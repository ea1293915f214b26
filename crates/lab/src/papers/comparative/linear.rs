//! Linearization: calls inlined, loops unrolled to a bound, constants propagated [Liu HVC'14, 4.7].
//!
//! The result is a list of instructions whose jumps lead forward only: the decision graph. Array cells become
//! variables, because indices are numbers once loops are unrolled. A path that wants more rounds of a loop
//! than the bound is cut: the condition is assumed not to hold.
//!
//! There are two forms. In [`Form::Mutable`] every variable of every inlined call has one slot, which
//! assignments overwrite: what an executor with states runs. [`Form::Single`] takes a program in
//! single-assignment form; each slot is assigned once on every path, and arms that meet assign the same slot.
//! Both have the same branches in the same order, so that all techniques ask the same questions.

use super::clock::own_seconds;
use super::program::{CELLS, Carried, Condition, Join, Joint, Program, Statement, Test};
use crate::study::code::{Compare, Expr, Instruction};

/// The target of a jump that cuts the path.
pub(super) const CUT: usize = usize::MAX;

/// What slots are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Variables.
    Mutable,
    /// Values with a name.
    Single,
}

/// A linearized program.
pub(super) struct Linear {
    /// Slots; the first are the inputs.
    pub slots: usize,
    /// How many inputs.
    pub inputs: usize,
    /// `Set`, `Branch`, `Jump` and, at the end, `Return`.
    pub body: Vec<Instruction>,
    /// Processor seconds for the rounds of loops after the first.
    pub unrolling: f64,
}

/// Linearizes a program; loops have up to `bound` rounds.
///
/// # Errors
/// A loop needs more rounds whatever the inputs, an index is not a number, or there is recursion.
pub(super) fn linearize(program: &Program, form: Form, bound: usize) -> Result<Linear, String> {
    let inputs = program.entry().params;
    let cells = program.arrays * CELLS;
    let mut linearizer = Linearizer {
        program,
        form,
        bound,
        cell_base: inputs,
        linear: Linear { slots: inputs + cells, inputs, body: Vec::new(), unrolling: 0.0 },
        depth: 0,
        loops: 0,
    };
    let mut at_start = vec![Value::Number(0); cells];
    if form == Form::Mutable {
        // A join may need the slot although the value is known here.
        for (cell, value) in at_start.iter_mut().enumerate() {
            *value = linearizer.assign(inputs + cell, Expr::Number(0));
        }
    }
    let args = (0..inputs).map(Expr::Slot).collect();
    linearizer.inlined(program.procedures.len() - 1, args, at_start)?;
    linearizer.linear.body.push(Instruction::Return(Expr::Number(0)));
    Ok(linearizer.linear)
}

/// What is known of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Number(i64),
    Slot(usize),
}

impl Value {
    fn expr(self) -> Expr {
        match self {
            Value::Number(n) => Expr::Number(n),
            Value::Slot(slot) => Expr::Slot(slot),
        }
    }
}

/// The variables of a procedure, and the cells of all arrays.
#[derive(Clone)]
struct Env {
    /// The slot of the first variable; only for [`Form::Mutable`].
    base: usize,
    frame: Vec<Value>,
    cells: Vec<Value>,
}

/// A condition after it was emitted: known, or falling through when it holds, with the branches whose `no`
/// has to be set.
enum Emitted {
    Known(bool),
    Open(Vec<usize>),
}

/// A way out of a choice or a loop: the branches and jumps that take it, and what is known then.
struct Exit {
    from: Vec<usize>,
    env: Env,
}

struct Linearizer<'p> {
    program: &'p Program,
    form: Form,
    bound: usize,
    /// The slot of the first cell; only for [`Form::Mutable`].
    cell_base: usize,
    linear: Linear,
    /// Calls and loops around.
    depth: usize,
    loops: usize,
}

impl Linearizer<'_> {
    fn here(&self) -> usize {
        self.linear.body.len()
    }

    fn fresh(&mut self) -> usize {
        self.linear.slots += 1;
        self.linear.slots - 1
    }

    /// Gives a value to the variable of a slot.
    fn assign(&mut self, home: usize, value: Expr) -> Value {
        let (slot, known) = match (self.form, &value) {
            (Form::Single, Expr::Number(n)) => return Value::Number(*n),
            (Form::Single, Expr::Slot(slot)) => return Value::Slot(*slot),
            (Form::Single, _) => {
                let slot = self.fresh();
                (slot, Value::Slot(slot))
            }
            (Form::Mutable, Expr::Number(n)) => (home, Value::Number(*n)),
            (Form::Mutable, _) => (home, Value::Slot(home)),
        };
        self.linear.body.push(Instruction::Set { slot, value });
        known
    }

    /// Inlines a call; gives back what it returns, and the cells.
    fn inlined(
        &mut self,
        method: usize,
        args: Vec<Expr>,
        cells: Vec<Value>,
    ) -> Result<(Expr, Vec<Value>), String> {
        let procedure = &self.program.procedures[method];
        if self.depth > self.program.procedures.len() {
            return Err(format!("\"{}\" is recursive", procedure.name));
        }
        self.depth += 1;
        let base = self.linear.slots;
        if self.form == Form::Mutable {
            self.linear.slots += procedure.slots.len();
        }
        let mut env = Env { base, frame: vec![Value::Number(0); procedure.slots.len()], cells };
        for (param, arg) in args.into_iter().enumerate() {
            env.frame[param] = self.assign(base + param, arg);
        }
        self.block(&procedure.body, &mut env)?;
        self.depth -= 1;
        Ok((mapped(&procedure.result, &env)?, env.cells))
    }

    fn block(&mut self, block: &[Statement], env: &mut Env) -> Result<(), String> {
        block.iter().try_for_each(|statement| self.statement(statement, env))
    }

    fn statement(&mut self, statement: &Statement, env: &mut Env) -> Result<(), String> {
        match statement {
            Statement::Set { slot, value } => {
                let value = mapped(value, env)?;
                env.frame[*slot] = self.assign(env.base + slot, value);
            }
            Statement::Store { array, index, value } => {
                let (cell, value) = (cell(*array, &mapped(index, env)?)?, mapped(value, env)?);
                env.cells[cell] = self.assign(self.cell_base + cell, value);
            }
            Statement::Call { method, args, into } => {
                let args = args.iter().map(|arg| mapped(arg, env)).collect::<Result<_, _>>()?;
                let (result, cells) = self.inlined(*method, args, std::mem::take(&mut env.cells))?;
                env.cells = cells;
                env.frame[*into] = self.assign(env.base + into, result);
            }
            Statement::If { condition, yes, no, joins } => self.choice(condition, (yes, no), joins, env)?,
            Statement::While { condition, body, carried } => {
                self.repetition(condition, body, carried, env)?;
            }
        }
        Ok(())
    }

    fn condition(&mut self, condition: &Condition, env: &Env) -> Result<Emitted, String> {
        let is_all = condition.joint == Joint::All;
        let mut open: Vec<(Expr, Compare, Expr)> = Vec::new();
        for Test { left, compare, right } in &condition.tests {
            let (left, right) = (mapped(left, env)?, mapped(right, env)?);
            match (&left, &right) {
                (Expr::Number(a), Expr::Number(b)) => {
                    let holds = compare.holds(i128::from(*a) - i128::from(*b));
                    if holds != is_all {
                        return Ok(Emitted::Known(holds));
                    }
                }
                _ => open.push((left, *compare, right)),
            }
        }
        if open.is_empty() {
            return Ok(Emitted::Known(is_all));
        }
        // Behind the last test the condition holds.
        let (first, holds) = (self.here(), self.here() + open.len());
        let last = open.len() - 1;
        for (i, (left, compare, right)) in open.into_iter().enumerate() {
            let next = first + i + 1;
            let yes = if is_all { next } else { holds };
            self.linear.body.push(Instruction::Branch { left, compare, right, yes, no: next });
        }
        let failing = if is_all { first..=first + last } else { first + last..=first + last };
        Ok(Emitted::Open(failing.collect()))
    }

    fn jump(&mut self) -> usize {
        self.linear.body.push(Instruction::Jump(0));
        self.here() - 1
    }

    fn choice(
        &mut self,
        condition: &Condition,
        (yes, no): (&[Statement], &[Statement]),
        joins: &[Join],
        env: &mut Env,
    ) -> Result<(), String> {
        let failing = match self.condition(condition, env)? {
            Emitted::Known(holds) => {
                self.block(if holds { yes } else { no }, env)?;
                for join in joins {
                    env.frame[join.slot] = env.frame[if holds { join.yes } else { join.no }];
                }
                return Ok(());
            }
            Emitted::Open(failing) => failing,
        };
        let mut of_no = env.clone();
        self.block(yes, env)?;
        let leave_yes = self.jump();
        self.patch(&failing, self.here());
        self.block(no, &mut of_no)?;
        let leave_no = self.jump();
        for join in joins {
            env.frame[join.slot] = env.frame[join.yes];
            of_no.frame[join.slot] = of_no.frame[join.no];
        }
        let names: Vec<usize> = joins.iter().map(|join| join.slot).collect();
        let exits = vec![
            Exit { from: vec![leave_no], env: of_no },
            Exit { from: vec![leave_yes], env: std::mem::replace(env, Env::empty()) },
        ];
        *env = self.meet(exits, &names);
        Ok(())
    }

    fn repetition(
        &mut self,
        condition: &Condition,
        body: &[Statement],
        carried: &[Carried],
        env: &mut Env,
    ) -> Result<(), String> {
        let mut exits: Vec<Exit> = Vec::new();
        for carried in carried {
            env.frame[carried.slot] = env.frame[carried.before];
        }
        self.loops += 1;
        let mut since = None;
        for round in 0..=self.bound {
            if round == 1 && self.loops == 1 {
                since = Some(own_seconds());
            }
            match self.condition(condition, env)? {
                Emitted::Known(false) => {
                    let from = vec![self.jump()];
                    exits.push(Exit { from, env: env.clone() });
                    break;
                }
                Emitted::Known(true) => {}
                Emitted::Open(from) => exits.push(Exit { from, env: env.clone() }),
            }
            if round == self.bound {
                self.linear.body.push(Instruction::Jump(CUT));
                break;
            }
            self.block(body, env)?;
            let next: Vec<Value> = carried.iter().map(|carried| env.frame[carried.after]).collect();
            for (carried, value) in carried.iter().zip(next) {
                env.frame[carried.slot] = value;
            }
        }
        self.loops -= 1;
        self.linear.unrolling += since.map_or(0.0, |since| own_seconds() - since);
        if exits.is_empty() {
            return Err(format!("a loop needs more than {} rounds", self.bound));
        }
        let names: Vec<usize> = carried.iter().map(|carried| carried.slot).collect();
        *env = self.meet(exits, &names);
        Ok(())
    }

    fn patch(&mut self, from: &[usize], to: usize) {
        for &at in from {
            match &mut self.linear.body[at] {
                Instruction::Branch { no, .. } => *no = to,
                Instruction::Jump(target) => *target = to,
                _ => {}
            }
        }
    }

    /// Lets several ways meet here. `names` may differ between them in the single-assignment form.
    fn meet(&mut self, exits: Vec<Exit>, names: &[usize]) -> Env {
        let mut met = exits[0].env.clone();
        if self.form == Form::Mutable {
            let here = self.here();
            for exit in &exits {
                self.patch(&exit.from, here);
                let home = |base: usize| {
                    move |(at, value): (usize, (&mut Value, &Value))| {
                        if *value.0 != *value.1 {
                            *value.0 = Value::Slot(base + at);
                        }
                    }
                };
                met.frame.iter_mut().zip(&exit.env.frame).enumerate().for_each(home(met.base));
                met.cells.iter_mut().zip(&exit.env.cells).enumerate().for_each(home(self.cell_base));
            }
            return met;
        }
        let differ = |of: &dyn Fn(&Env) -> Value| exits.iter().any(|exit| of(&exit.env) != of(&exits[0].env));
        let names: Vec<usize> =
            names.iter().copied().filter(|name| differ(&|env: &Env| env.frame[*name])).collect();
        let cells: Vec<usize> =
            (0..met.cells.len()).filter(|cell| differ(&|env: &Env| env.cells[*cell])).collect();
        for &name in &names {
            met.frame[name] = Value::Slot(self.fresh());
        }
        for &cell in &cells {
            met.cells[cell] = Value::Slot(self.fresh());
        }
        let mut leaving = Vec::new();
        for exit in &exits {
            let here = self.here();
            self.patch(&exit.from, here);
            let of_names = names.iter().map(|&name| (met.frame[name], exit.env.frame[name]));
            let of_cells = cells.iter().map(|&cell| (met.cells[cell], exit.env.cells[cell]));
            for (to, value) in of_names.chain(of_cells) {
                if let Value::Slot(slot) = to {
                    self.linear.body.push(Instruction::Set { slot, value: value.expr() });
                }
            }
            leaving.push(self.jump());
        }
        let here = self.here();
        self.patch(&leaving, here);
        met
    }
}

impl Env {
    fn empty() -> Env {
        Env { base: 0, frame: Vec::new(), cells: Vec::new() }
    }
}

/// The number of a cell.
fn cell(array: usize, index: &Expr) -> Result<usize, String> {
    match index {
        Expr::Number(n) if (0..CELLS as i64).contains(n) => Ok(array * CELLS + *n as usize),
        _ => Err(format!("an index is {index:?}, not a number below {CELLS}")),
    }
}

/// An expression over slots, with what is known put in.
fn mapped(expr: &Expr, env: &Env) -> Result<Expr, String> {
    Ok(match expr {
        Expr::Number(n) => Expr::Number(*n),
        Expr::Slot(slot) => env.frame[*slot].expr(),
        Expr::Cell(array, index) => env.cells[cell(*array, &mapped(index, env)?)?].expr(),
        Expr::Add(a, b) => match (mapped(a, env)?, mapped(b, env)?) {
            (Expr::Number(a), Expr::Number(b)) => Expr::Number(a + b),
            (a, Expr::Number(0)) | (Expr::Number(0), a) => a,
            (a, b) => Expr::Add(Box::new(a), Box::new(b)),
        },
        Expr::Sub(a, b) => match (mapped(a, env)?, mapped(b, env)?) {
            (Expr::Number(a), Expr::Number(b)) => Expr::Number(a - b),
            (a, Expr::Number(0)) => a,
            (a, b) => Expr::Sub(Box::new(a), Box::new(b)),
        },
        Expr::Mul(a, b) => match (mapped(a, env)?, mapped(b, env)?) {
            (Expr::Number(a), Expr::Number(b)) => Expr::Number(a * b),
            (a, b) => Expr::Mul(Box::new(a), Box::new(b)),
        },
    })
}
