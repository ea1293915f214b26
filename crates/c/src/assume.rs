//! Conditions that a user sets on inputs: `n <= len(a)`, `list != null`, `stdin[0] == 65`.
//!
//! Names are parameters of the function, elements of their buffers (`a[1]`), fields of the struct that they
//! point to (`list->value`), and what a program is given (`arg1[0]`, `stdin.length`). A pointer as a number
//! is 0 for null, or the number of its object among those of its type.

use crate::harness::{Parameter, ParameterKind};
use crate::language::Function;
use evergreen_deciding::{AssumeError, assume};
use evergreen_service::ProgramError;
use evergreen_symbolic::{Cast, Cond, Const, Expr, Exprs, InputKind, Rel};
use evergreen_wasm::WasmMachine;

/// The conditions of assumptions. What the program is given has been made before.
pub(crate) fn conditions(
    machine: &mut WasmMachine,
    function: &Function,
    texts: &[String],
) -> Result<Vec<Cond>, ProgramError> {
    let shared = machine.exprs().clone();
    let mut all = Vec::new();
    for text in texts {
        // The arena is borrowed while the text is read: inputs of the machine are made before.
        let mut made: Vec<(String, Expr)> = Vec::new();
        for name in names(text) {
            if let Some(e) = input(machine, function, &name) {
                made.push((name, e));
            }
        }
        let mut find = |exprs: &mut Exprs, name: &str| {
            let own = made.iter().find(|(known, _)| known == name).map(|(_, e)| *e);
            own.or_else(|| given(exprs, name))
        };
        let wrong = |e: AssumeError| ProgramError(format!("{e}\nhelp: {}", known(function)));
        all.push(assume(text, &mut shared.borrow_mut(), &mut find).map_err(wrong)?);
    }
    Ok(all)
}

/// Which names there are, in words.
pub(crate) fn known(function: &Function) -> String {
    let names: Vec<String> = function.parameters.iter().map(|p| p.name.clone()).collect();
    if function.name != "main" {
        let list = if names.is_empty() { "none".into() } else { names.join(", ") };
        return format!("the inputs of {} are {list}; len(a) is the number of elements of a", function.name);
    }
    "the inputs of a program are arg1[0], stdin[0], stdin.length, file.NAME[0], env.NAME[0]; what a harness \
     draws is assumed about in the harness"
        .into()
}

/// The words of a text that may be names, `len(a)` included.
fn names(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_$.[]".contains(c);
    let spaced = text.replace("->", "\u{1}");
    let words = spaced.split(|c: char| !is_part(c) && c != '\u{1}').filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(|word| word.replace('\u{1}', "->")).collect();
    let lengths = words.iter().map(|word| format!("len({word})"));
    words.iter().cloned().chain(lengths).collect()
}

/// Something that the program is given.
fn given(exprs: &mut Exprs, name: &str) -> Option<Expr> {
    let named = |exprs: &Exprs, name: &str| exprs.named(name).first().map(|input| exprs.expr_of(*input));
    match name {
        "null" | "NULL" => Some(exprs.constant(Const::I32(0))),
        _ => match name.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')) {
            Some(whole) => named(exprs, &format!("{whole}.length")),
            None => named(exprs, name),
        },
    }
}

/// An input of a function.
fn input(machine: &mut WasmMachine, function: &Function, name: &str) -> Option<Expr> {
    let of = |name: &str| function.parameters.iter().find(|parameter| parameter.name == name);
    if let Some(whole) = name.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')) {
        let (object, length) = pointer(machine, of(whole)?)?;
        let mut exprs = machine.exprs().borrow_mut();
        let zero = exprs.constant(Const::I32(0));
        let is_null = exprs.relate(Rel::Eq, object, zero);
        return Some(exprs.ite(is_null, zero, length));
    }
    if let Some(parameter) = of(name) {
        return match parameter.kind {
            ParameterKind::Integer(width, signed) => Some(integer(machine, name, (width, signed), None)),
            ParameterKind::Float(4) => Some(machine.limited(name, InputKind::Float, None)),
            ParameterKind::Float(_) => Some(machine.limited(name, InputKind::Double, None)),
            ParameterKind::Pointer { .. } => Some(pointer(machine, parameter)?.0),
            ParameterKind::Other => None,
        };
    }
    if let Some((whole, field)) = name.split_once("->") {
        let fields = &of(whole)?.fields;
        let (_, width, signed) = fields.iter().find(|(own, ..)| own == field)?;
        return Some(integer(machine, name, (*width, *signed), None));
    }
    let (whole, index) = name.strip_suffix(']')?.split_once('[')?;
    let ParameterKind::Pointer { most, element: Some((width, signed)), text, .. } = of(whole)?.kind else {
        return None;
    };
    let range = text.then_some((1, 255));
    (index.parse::<u32>().ok()? < most).then(|| integer(machine, name, (width, signed), range))
}

fn pointer(machine: &mut WasmMachine, parameter: &Parameter) -> Option<(Expr, Expr)> {
    let ParameterKind::Pointer { scope, least, most, .. } = parameter.kind else { return None };
    Some(machine.pointer_inputs(&parameter.name, scope, (least, most)))
}

/// An integer as C reads it; an unsigned one of four bytes is a long.
fn integer(
    machine: &mut WasmMachine,
    name: &str,
    (width, signed): (u8, bool),
    range: Option<(i64, i64)>,
) -> Expr {
    let kind = match width {
        1 => InputKind::Octet,
        2 => InputKind::Char,
        4 => InputKind::Int,
        _ => InputKind::Long,
    };
    let e = machine.limited(name, kind, range);
    let mut exprs = machine.exprs().borrow_mut();
    match (width, signed) {
        (1, true) => exprs.cast(Cast::I2B, e),
        (2, true) => exprs.cast(Cast::I2S, e),
        (4, false) => exprs.zero_extend(e),
        _ => e,
    }
}
