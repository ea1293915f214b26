//! The texts of implicit NullPointerExceptions (JEP 358): the failed operation, and the
//! expression that was null.
//!
//! The second half needs to know which instruction pushed the null. The method is run abstractly, each
//! operand being the instruction that pushed it; where paths meet with different ones, nothing is known. As
//! HotSpot does, the expression is followed through fields, array elements and calls, five steps at most, and
//! only when the program asks for the text.

use std::rc::Rc;

use evergreen_classfile::{
    ArrayKind, Code, Comparison, Instruction, InvokeKind, Kind as Slot, Member, MethodDescriptor, Op,
    StackOp, Type,
};

use crate::classes::{Method, MethodId};
use crate::machine::Jvm;
use crate::state::State;
use crate::step::arith::widths;
use crate::value::Ref;

/// How far an expression is followed.
const DETAIL: u32 = 5;

/// The instruction that pushed an operand, if it is known.
type Source = Option<u32>;

/// The operands before an instruction, the locals that were written by then, and the parameters that locals
/// still have, by the local that each began in.
#[derive(Clone, PartialEq)]
struct Before {
    stack: Vec<Source>,
    written: Vec<bool>,
    holds: Vec<Option<u16>>,
}

/// Where the operands of a method's instructions come from.
pub(crate) struct Sources {
    code: Rc<Code>,
    before: Vec<Option<Before>>,
}

impl Sources {
    /// Of a method with code.
    pub(crate) fn of(method: &Method) -> Option<Sources> {
        let code = method.code()?.clone();
        Some(Sources { before: analyze(method, &code), code })
    }

    /// The local of the parameter that an operand before `pc` is, so far below the top.
    pub(crate) fn parameter(&self, pc: u32, depth: usize) -> Option<u16> {
        let stack = &self.before.get(pc as usize)?.as_ref()?.stack;
        let source = *stack.get(stack.len().checked_sub(depth + 1)?)?;
        held(&self.code, &self.before, source)
    }

    /// The instruction that pushed an operand before `pc`, so far below the top.
    pub(crate) fn pushed_by(&self, pc: u32, depth: usize) -> Option<Instruction> {
        let stack = &self.before.get(pc as usize)?.as_ref()?.stack;
        let source = (*stack.get(stack.len().checked_sub(depth + 1)?)?)?;
        self.code.instructions.get(source as usize).copied()
    }

    /// Whether an operand before `pc`, so far below the top, is a number in the code.
    pub(crate) fn is_number(&self, pc: u32, depth: usize) -> bool {
        let source = || {
            let stack = &self.before.get(pc as usize)?.as_ref()?.stack;
            (*stack.get(stack.len().checked_sub(depth + 1)?)?).map(|source| source as usize)
        };
        source().is_some_and(|source| matches!(self.code.instructions.get(source), Some(Instruction::Int(_))))
    }
}

/// The local of the parameter that an instruction loads.
fn held(code: &Code, before: &[Option<Before>], source: Source) -> Option<u16> {
    let source = source? as usize;
    match code.instructions.get(source)? {
        Instruction::Load(_, local) => *before.get(source)?.as_ref()?.holds.get(usize::from(*local))?,
        _ => None,
    }
}

impl Jvm {
    /// The number of the text for a null met by an instruction; see [`crate::Object::extra`].
    pub(crate) fn null_site(&mut self, method: MethodId, pc: u32) -> u32 {
        let site = (method, pc);
        match self.null_sites.iter().position(|known| *known == site) {
            Some(at) => at as u32 + 1,
            None => {
                self.null_sites.push(site);
                self.null_sites.len() as u32
            }
        }
    }

    /// The operand that an instruction needs to be an object, by how far it is below the top.
    pub(crate) fn null_operand(&self, method: &Rc<Method>, instruction: Instruction) -> Option<usize> {
        let code = method.code()?;
        Writer { method, code, before: Vec::new() }.action(instruction).map(|(_, slot)| slot)
    }

    /// The text that the JVM computes for an exception that the machine threw because of a null.
    pub fn null_text(&self, state: &State, exception: Ref) -> Option<String> {
        let site = (state.heap.get(exception).extra as usize).checked_sub(1)?;
        let (method, pc) = *self.null_sites.get(site)?;
        let method = self.method(method);
        let code = method.code()?;
        let writer = Writer { method, code, before: analyze(method, code) };
        writer.text(pc)
    }
}

struct Writer<'a> {
    method: &'a Rc<Method>,
    code: &'a Rc<Code>,
    before: Vec<Option<Before>>,
}

impl Writer<'_> {
    fn text(&self, pc: u32) -> Option<String> {
        let instruction = *self.code.instructions.get(pc as usize)?;
        let (action, slot) = self.action(instruction)?;
        Some(action + &self.cause(pc, slot).unwrap_or_default())
    }

    // The failed operation, and how far below the top the null is.
    fn action(&self, instruction: Instruction) -> Option<(String, usize)> {
        Some(match instruction {
            Instruction::ArrayLoad(kind) => (format!("Cannot load from {} array", array(kind)), 1),
            Instruction::ArrayStore(kind) => {
                let wide = matches!(kind, ArrayKind::Long | ArrayKind::Double);
                (format!("Cannot store to {} array", array(kind)), 2 + usize::from(wide))
            }
            Instruction::ArrayLength => ("Cannot read the array length".to_owned(), 0),
            Instruction::Throw => ("Cannot throw exception".to_owned(), 0),
            Instruction::MonitorEnter => ("Cannot enter synchronized block".to_owned(), 0),
            Instruction::MonitorExit => ("Cannot exit synchronized block".to_owned(), 0),
            Instruction::GetField(index) => {
                (format!("Cannot read field \"{}\"", self.member(index)?.name), 0)
            }
            Instruction::PutField(index) => {
                let field = self.member(index)?;
                let slots = Type::parse(&field.descriptor).ok()?.slots();
                (format!("Cannot assign field \"{}\"", field.name), usize::from(slots))
            }
            Instruction::Invoke(kind, index) if kind != InvokeKind::Static => {
                let called = self.member(index)?;
                let slots = MethodDescriptor::parse(&called.descriptor).ok()?.parameter_slots();
                (format!("Cannot invoke \"{}\"", method_name(&called)), usize::from(slots))
            }
            _ => return None,
        })
    }

    fn cause(&self, pc: u32, slot: usize) -> Option<String> {
        let source = self.source(pc, slot)?;
        let text = self.expression(pc, slot, DETAIL)?;
        Some(match self.code.instructions[source as usize] {
            Instruction::Invoke(..) => format!(" because the return value of \"{text}\" is null"),
            _ => format!(" because \"{text}\" is null"),
        })
    }

    fn source(&self, pc: u32, slot: usize) -> Source {
        let stack = &self.before.get(pc as usize)?.as_ref()?.stack;
        *stack.get(stack.len().checked_sub(slot + 1)?)?
    }

    // The source text of the operand `slot` below the top before `pc`.
    fn expression(&self, pc: u32, slot: usize, detail: u32) -> Option<String> {
        let source = self.source(pc, slot).filter(|_| detail > 0)?;
        Some(match self.code.instructions[source as usize] {
            Instruction::Null => "null".to_owned(),
            // Larger constants come from the pool, which is not looked at.
            Instruction::Int(value) if i16::try_from(value).is_ok() => value.to_string(),
            Instruction::Load(Slot::Int | Slot::Ref, local) => self.local(source, local),
            Instruction::GetStatic(index) => {
                let field = self.member(index)?;
                format!("{}.{}", class_name(&field.class), field.name)
            }
            Instruction::GetField(index) => {
                let name = self.member(index)?.name;
                match self.expression(source, 0, detail - 1) {
                    Some(object) => format!("{object}.{name}"),
                    None => name.to_string(),
                }
            }
            Instruction::Invoke(_, index) => method_name(&self.member(index)?),
            Instruction::ArrayLoad(ArrayKind::Ref | ArrayKind::Int) => {
                let array = self.expression(source, 1, detail - 1);
                let index = self.expression(source, 0, detail);
                format!("{}[{}]", array.as_deref().unwrap_or("<array>"), index.as_deref().unwrap_or("..."))
            }
            _ => return None,
        })
    }

    fn local(&self, pc: u32, local: u16) -> String {
        if let Some(variable) = self.code.variable(local, pc) {
            return variable.name.to_string();
        }
        let written =
            self.before[pc as usize].as_ref().is_some_and(|before| before.written[usize::from(local)]);
        let mut at = u16::from(!self.method.is_static());
        if at == 1 && local == 0 && !written {
            return "this".to_owned();
        }
        let parsed = MethodDescriptor::parse(&self.method.descriptor);
        for (number, parameter) in parsed.iter().flat_map(|parsed| parsed.parameters.iter()).enumerate() {
            if !written && (at..at + parameter.slots()).contains(&local) {
                return format!("<parameter{}>", number + 1);
            }
            at += parameter.slots();
        }
        format!("<local{local}>")
    }

    fn member(&self, index: u16) -> Option<Member> {
        self.method.pool.file.as_ref()?.pool.member(index).ok()
    }
}

fn array(kind: ArrayKind) -> &'static str {
    match kind {
        ArrayKind::Byte => "byte/boolean",
        ArrayKind::Char => "char",
        ArrayKind::Short => "short",
        ArrayKind::Int => "int",
        ArrayKind::Long => "long",
        ArrayKind::Float => "float",
        ArrayKind::Double => "double",
        ArrayKind::Ref => "object",
    }
}

// The JVM leaves out the package of these two only.
fn class_name(internal: &str) -> String {
    match internal {
        "java/lang/Object" => "Object".to_owned(),
        "java/lang/String" => "String".to_owned(),
        other => other.replace('/', "."),
    }
}

fn type_name(named: &Type) -> String {
    match named {
        Type::Class(name) => class_name(name),
        Type::Array(element) => type_name(element) + "[]",
        other => other.to_java(),
    }
}

fn method_name(called: &Member) -> String {
    let parsed = MethodDescriptor::parse(&called.descriptor);
    let parameters: Vec<String> =
        parsed.iter().flat_map(|parsed| parsed.parameters.iter().map(type_name)).collect();
    format!("{}.{}({})", class_name(&called.class), called.name, parameters.join(", "))
}

/// Runs a method abstractly: the abstract state before each reachable instruction.
fn analyze(method: &Method, code: &Code) -> Vec<Option<Before>> {
    let mut before: Vec<Option<Before>> = vec![None; code.instructions.len()];
    let written = vec![false; usize::from(code.max_locals)];
    let holds = (0..code.max_locals).map(|local| (local < method.argument_slots).then_some(local)).collect();
    let mut open = vec![(0, Before { stack: Vec::new(), written, holds })];
    while let Some((pc, coming)) = open.pop() {
        let Some(place) = before.get_mut(pc as usize) else { continue };
        let merged = match place {
            Some(known) => merge(known, &coming),
            None => coming,
        };
        if place.as_ref() == Some(&merged) {
            continue;
        }
        *place = Some(merged.clone());
        let instruction = code.instructions[pc as usize];
        for handler in code.handlers.iter().filter(|handler| (handler.from..handler.to).contains(&pc)) {
            let (written, holds) = (merged.written.clone(), merged.holds.clone());
            let caught = Before { stack: vec![None], written, holds };
            open.push((handler.target, caught));
        }
        let mut after = merged;
        if let Instruction::Store(_, local) = instruction
            && let Some(holds) = after.holds.get_mut(usize::from(local))
        {
            *holds = held(code, &before, after.stack.last().copied().flatten());
        }
        step(method, pc, instruction, &mut after);
        match instruction {
            Instruction::Switch(index) => {
                let switch = &code.switches[index as usize];
                open.extend(switch.iter().map(|(_, target)| (target, after.clone())));
                open.push((switch.default, after));
            }
            other => {
                if let Some(target) = other.target() {
                    open.push((target, after.clone()));
                }
                if !other.ends_block() || matches!(other, Instruction::Jsr(_)) {
                    open.push((pc + 1, after));
                }
            }
        }
    }
    before
}

fn merge(a: &Before, b: &Before) -> Before {
    let stack = a.stack.iter().zip(&b.stack).map(|(a, b)| if a == b { *a } else { None }).collect();
    let written = a.written.iter().zip(&b.written).map(|(a, b)| *a || *b).collect();
    let holds = a.holds.iter().zip(&b.holds).map(|(a, b)| if a == b { *a } else { None }).collect();
    Before { stack, written, holds }
}

fn step(method: &Method, pc: u32, instruction: Instruction, at: &mut Before) {
    let wide = |kind: Slot| if matches!(kind, Slot::Long | Slot::Double) { 2 } else { 1 };
    let array_wide = |kind| if matches!(kind, ArrayKind::Long | ArrayKind::Double) { 2 } else { 1 };
    let (pops, pushes) = match instruction {
        Instruction::Stack(op) => return rearrange(op, &mut at.stack),
        Instruction::Store(kind, local) => {
            for slot in 0..wide(kind) {
                if let Some(written) = at.written.get_mut(usize::from(local) + slot) {
                    *written = true;
                }
            }
            (wide(kind), 0)
        }
        Instruction::Iinc(local, _) => {
            if let Some(written) = at.written.get_mut(usize::from(local)) {
                *written = true;
            }
            (0, 0)
        }
        Instruction::Nop | Instruction::Goto(_) | Instruction::Ret(_) | Instruction::CheckCast(_) => (0, 0),
        Instruction::Null | Instruction::Int(_) | Instruction::Float(_) | Instruction::New(_) => (0, 1),
        Instruction::Long(_) | Instruction::Double(_) => (0, 2),
        Instruction::Ldc(index) => (0, constant_slots(method, index)),
        Instruction::Load(kind, _) => (0, wide(kind)),
        Instruction::ArrayLoad(kind) => (2, array_wide(kind)),
        Instruction::ArrayStore(kind) => (2 + array_wide(kind), 0),
        Instruction::Arith(kind, Op::Shl | Op::Shr | Op::Ushr) => (wide(kind) + 1, wide(kind)),
        Instruction::Arith(kind, _) => (2 * wide(kind), wide(kind)),
        Instruction::Neg(kind) => (wide(kind), wide(kind)),
        Instruction::Convert(conversion) => widths(conversion),
        Instruction::Compare(Comparison::FloatLess | Comparison::FloatGreater) => (2, 1),
        Instruction::Compare(_) => (4, 1),
        Instruction::If(..) | Instruction::IfNull(..) | Instruction::Switch(_) | Instruction::Throw => (1, 0),
        Instruction::IfIcmp(..) | Instruction::IfAcmp(..) => (2, 0),
        Instruction::Jsr(_) => (0, 1),
        Instruction::Return(_) => (0, 0),
        Instruction::NewArray(_) | Instruction::ANewArray(_) => (1, 1),
        Instruction::ArrayLength | Instruction::InstanceOf(_) => (1, 1),
        Instruction::MultiANewArray(_, dimensions) => (usize::from(dimensions), 1),
        Instruction::MonitorEnter | Instruction::MonitorExit => (1, 0),
        Instruction::GetStatic(index) => (0, field_slots(method, index)),
        Instruction::PutStatic(index) => (field_slots(method, index), 0),
        Instruction::GetField(index) => (1, field_slots(method, index)),
        Instruction::PutField(index) => (1 + field_slots(method, index), 0),
        Instruction::Invoke(kind, index) => {
            let (arguments, result) = call_slots(method, index, false);
            (arguments + usize::from(kind != InvokeKind::Static), result)
        }
        Instruction::InvokeDynamic(index) => call_slots(method, index, true),
    };
    at.stack.truncate(at.stack.len().saturating_sub(pops));
    at.stack.extend((0..pushes).map(|_| Some(pc)));
}

fn rearrange(op: StackOp, stack: &mut Vec<Source>) {
    let (count, below) = match op {
        StackOp::Pop => return stack.truncate(stack.len().saturating_sub(1)),
        StackOp::Pop2 => return stack.truncate(stack.len().saturating_sub(2)),
        StackOp::Swap => {
            if let Some(under) = stack.len().checked_sub(2) {
                stack.swap(under, under + 1);
            }
            return;
        }
        StackOp::Dup => (1, 0),
        StackOp::DupX1 => (1, 1),
        StackOp::DupX2 => (1, 2),
        StackOp::Dup2 => (2, 0),
        StackOp::Dup2X1 => (2, 1),
        StackOp::Dup2X2 => (2, 2),
    };
    if let Some(from) = stack.len().checked_sub(count + below) {
        let top: Vec<Source> = stack[stack.len() - count..].to_vec();
        stack.splice(from..from, top);
    }
}

fn constant_slots(method: &Method, index: u16) -> usize {
    use evergreen_classfile::Constant;
    let constant = method.pool.file.as_ref().and_then(|file| file.pool.constant(index).ok());
    match constant {
        Some(Constant::Long(_) | Constant::Double(_)) => 2,
        Some(Constant::Dynamic(dynamic)) => {
            Type::parse(&dynamic.descriptor).map_or(1, |t| usize::from(t.slots()))
        }
        _ => 1,
    }
}

fn field_slots(method: &Method, index: u16) -> usize {
    let member = method.pool.file.as_ref().and_then(|file| file.pool.member(index).ok());
    let parsed = member.and_then(|member| Type::parse(&member.descriptor).ok());
    parsed.map_or(1, |parsed| usize::from(parsed.slots()))
}

fn call_slots(method: &Method, index: u16, dynamic: bool) -> (usize, usize) {
    let pool = method.pool.file.as_ref().map(|file| &file.pool);
    let descriptor = pool.and_then(|pool| match dynamic {
        true => pool.invoke_dynamic(index).ok().map(|site| site.descriptor),
        false => pool.member(index).ok().map(|member| member.descriptor),
    });
    let Some(parsed) = descriptor.and_then(|descriptor| MethodDescriptor::parse(&descriptor).ok()) else {
        return (0, 0);
    };
    let result = parsed.result.as_ref().map_or(0, |result| usize::from(result.slots()));
    (usize::from(parsed.parameter_slots()), result)
}
