//! A check of the user's bytecode before it runs: every operand and local is of the kind
//! that the instruction needs.
//!
//! The loop in [`crate::step`] trusts its code, as the JVM's interpreter does. javac's code deserves that; a
//! damaged class file does not. This is the old type-inferring verifier (JVMS 4.10.2) without classes: kinds
//! of slots, stack depths, bounds of locals, no falling off the end. Methods with subroutines (before Java 7)
//! are held to depths and bounds only, because the kind of a local after `ret` depends on the call site.
//! Cost: a few passes over the code, once.

use evergreen_classfile::{
    ArrayKind, ClassFile, Code, Comparison, Conversion, Instruction, InvokeKind, Kind as Slot,
    MethodDescriptor, Op, StackOp, Type,
};

/// The kind of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Unset,
    Int,
    Float,
    Long,
    Double,
    Ref,
    Return,
    /// The second slot of a long or double.
    Pad,
}

#[derive(Clone, PartialEq)]
struct Slots {
    locals: Vec<Kind>,
    stack: Vec<Kind>,
}

struct Verifier<'a> {
    file: &'a ClassFile,
    code: &'a Code,
    /// Whether kinds do not matter: there are subroutines.
    lenient: bool,
    result: Option<Kind>,
}

type Check<T = ()> = Result<T, String>;

/// Checks the code of a method; the error has the byte offset.
pub(crate) fn verify(file: &ClassFile, code: &Code, descriptor: &str, is_static: bool) -> Check {
    let parsed = MethodDescriptor::parse(descriptor).map_err(|error| error.to_string())?;
    let mut locals = vec![Kind::Unset; usize::from(code.max_locals)];
    let receiver = (!is_static).then_some(Kind::Ref);
    let mut at = 0;
    for kind in receiver.into_iter().chain(parsed.parameters.iter().map(kind_of)) {
        set(&mut locals, at, kind)?;
        at += size(kind);
    }
    let lenient = code.instructions.iter().any(|instruction| matches!(instruction, Instruction::Jsr(_)));
    let verifier = Verifier { file, code, lenient, result: parsed.result.as_ref().map(kind_of) };
    verifier.run(Slots { locals, stack: Vec::new() })
}

fn kind_of(parsed: &Type) -> Kind {
    match parsed {
        Type::Long => Kind::Long,
        Type::Double => Kind::Double,
        Type::Float => Kind::Float,
        Type::Class(_) | Type::Array(_) => Kind::Ref,
        _ => Kind::Int,
    }
}

fn kind_of_slot(slot: Slot) -> Kind {
    match slot {
        Slot::Int => Kind::Int,
        Slot::Long => Kind::Long,
        Slot::Float => Kind::Float,
        Slot::Double => Kind::Double,
        Slot::Ref => Kind::Ref,
    }
}

fn kind_of_element(kind: ArrayKind) -> Kind {
    match kind {
        ArrayKind::Long => Kind::Long,
        ArrayKind::Float => Kind::Float,
        ArrayKind::Double => Kind::Double,
        ArrayKind::Ref => Kind::Ref,
        _ => Kind::Int,
    }
}

fn size(kind: Kind) -> usize {
    if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 }
}

fn set(locals: &mut [Kind], at: usize, kind: Kind) -> Check {
    if at + size(kind) > locals.len() {
        return Err(format!("local {at} is beyond the {} that the method has", locals.len()));
    }
    // The first half of a long or double without its second half is invalid.
    if at > 0 && locals[at] == Kind::Pad {
        locals[at - 1] = Kind::Unset;
    }
    locals[at] = kind;
    if size(kind) == 2 {
        locals[at + 1] = Kind::Pad;
    }
    if let Some(next) = locals.get_mut(at + size(kind))
        && *next == Kind::Pad
    {
        *next = Kind::Unset;
    }
    Ok(())
}

impl Verifier<'_> {
    fn run(&self, start: Slots) -> Check {
        let mut before: Vec<Option<Slots>> = vec![None; self.code.instructions.len()];
        let mut open = vec![0u32];
        if let Some(first) = before.first_mut() {
            *first = Some(start);
        }
        while let Some(pc) = open.pop() {
            let Some(Some(mut slots)) = before.get(pc as usize).cloned() else { continue };
            let instruction = self.code.instructions[pc as usize];
            let at = |text: String| format!("{text} (offset {})", self.code.offsets[pc as usize]);
            for handler in
                self.code.handlers.iter().filter(|handler| (handler.from..handler.to).contains(&pc))
            {
                let caught = Slots { locals: slots.locals.clone(), stack: vec![Kind::Ref] };
                self.flow(&mut before, &mut open, handler.target, &caught).map_err(at)?;
            }
            self.step(instruction, &mut slots).map_err(at)?;
            if slots.stack.len() > usize::from(self.code.max_stack) {
                return Err(at(format!("more than {} operands", self.code.max_stack)));
            }
            // A store may leave a local as a handler of this instruction finds it.
            for handler in
                self.code.handlers.iter().filter(|handler| (handler.from..handler.to).contains(&pc))
            {
                let caught = Slots { locals: slots.locals.clone(), stack: vec![Kind::Ref] };
                self.flow(&mut before, &mut open, handler.target, &caught).map_err(at)?;
            }
            for next in self.successors(pc, instruction) {
                self.flow(&mut before, &mut open, next, &slots).map_err(at)?;
            }
        }
        Ok(())
    }

    fn successors(&self, pc: u32, instruction: Instruction) -> Vec<u32> {
        match instruction {
            Instruction::Switch(index) => {
                let switch = &self.code.switches[index as usize];
                switch.iter().map(|(_, target)| target).chain([switch.default]).collect()
            }
            // To wherever a subroutine was called from.
            Instruction::Ret(_) => {
                let calls = self.code.instructions.iter().enumerate();
                calls.filter(|(_, i)| matches!(i, Instruction::Jsr(_))).map(|(at, _)| at as u32 + 1).collect()
            }
            other => {
                let next = (!other.ends_block()).then_some(pc + 1);
                other.target().into_iter().chain(next).collect()
            }
        }
    }

    fn flow(&self, before: &mut [Option<Slots>], open: &mut Vec<u32>, to: u32, coming: &Slots) -> Check {
        let Some(place) = before.get_mut(to as usize) else {
            return Err("the code ends without a return".to_owned());
        };
        let merged = match place {
            None => coming.clone(),
            Some(known) => {
                if known.stack.len() != coming.stack.len() {
                    return Err(format!(
                        "{} or {} operands at a join",
                        known.stack.len(),
                        coming.stack.len()
                    ));
                }
                let join = |a: &[Kind], b: &[Kind]| -> Vec<Kind> {
                    a.iter().zip(b).map(|(a, b)| if a == b { *a } else { Kind::Unset }).collect()
                };
                Slots {
                    locals: join(&known.locals, &coming.locals),
                    stack: join(&known.stack, &coming.stack),
                }
            }
        };
        if place.as_ref() != Some(&merged) {
            *place = Some(merged);
            open.push(to);
        }
        Ok(())
    }

    fn pop(&self, slots: &mut Slots, kind: Kind) -> Check {
        if size(kind) == 2 {
            self.pop_slot(slots, Kind::Pad)?;
        }
        self.pop_slot(slots, kind)
    }

    fn pop_slot(&self, slots: &mut Slots, kind: Kind) -> Check {
        match slots.stack.pop() {
            None => Err("an operand is missing".to_owned()),
            Some(found) if found == kind || self.lenient => Ok(()),
            Some(found) => Err(format!("an operand is {found:?} instead of {kind:?}")),
        }
    }

    fn push(&self, slots: &mut Slots, kind: Kind) -> Check {
        slots.stack.push(kind);
        if size(kind) == 2 {
            slots.stack.push(Kind::Pad);
        }
        Ok(())
    }

    fn replace(&self, slots: &mut Slots, pops: &[Kind], push: Option<Kind>) -> Check {
        for kind in pops {
            self.pop(slots, *kind)?;
        }
        push.map_or(Ok(()), |kind| self.push(slots, kind))
    }

    fn step(&self, instruction: Instruction, slots: &mut Slots) -> Check {
        use Kind::{Int, Ref};
        match instruction {
            Instruction::Nop | Instruction::Goto(_) => Ok(()),
            Instruction::Null | Instruction::New(_) => self.push(slots, Ref),
            Instruction::Int(_) => self.push(slots, Int),
            Instruction::Long(_) => self.push(slots, Kind::Long),
            Instruction::Float(_) => self.push(slots, Kind::Float),
            Instruction::Double(_) => self.push(slots, Kind::Double),
            Instruction::Ldc(index) => self.push(slots, self.constant(index)?),
            Instruction::Load(kind, local) => self.load(slots, kind_of_slot(kind), usize::from(local)),
            Instruction::Store(kind, local) => self.store(slots, kind_of_slot(kind), usize::from(local)),
            Instruction::Iinc(local, _) => {
                self.load(slots, Int, usize::from(local)).and(self.pop(slots, Int))
            }
            Instruction::Ret(local) => {
                self.load(slots, Kind::Return, usize::from(local)).and(self.pop(slots, Kind::Return))
            }
            Instruction::Jsr(_) => self.push(slots, Kind::Return),
            Instruction::Stack(op) => self.rearrange(slots, op),
            Instruction::ArrayLoad(kind) => self.replace(slots, &[Int, Ref], Some(kind_of_element(kind))),
            Instruction::ArrayStore(kind) => self.replace(slots, &[kind_of_element(kind), Int, Ref], None),
            Instruction::ArrayLength | Instruction::InstanceOf(_) => self.replace(slots, &[Ref], Some(Int)),
            Instruction::CheckCast(_) => self.replace(slots, &[Ref], Some(Ref)),
            Instruction::NewArray(_) | Instruction::ANewArray(_) => self.replace(slots, &[Int], Some(Ref)),
            Instruction::MultiANewArray(_, dimensions) => {
                self.replace(slots, &vec![Int; usize::from(dimensions)], Some(Ref))
            }
            Instruction::MonitorEnter | Instruction::MonitorExit | Instruction::Throw => {
                self.replace(slots, &[Ref], None)
            }
            Instruction::If(..) | Instruction::Switch(_) => self.replace(slots, &[Int], None),
            Instruction::IfIcmp(..) => self.replace(slots, &[Int, Int], None),
            Instruction::IfAcmp(..) => self.replace(slots, &[Ref, Ref], None),
            Instruction::IfNull(..) => self.replace(slots, &[Ref], None),
            Instruction::Return(kind) => self.returns(slots, kind.map(kind_of_slot)),
            other => self.step_by_type(other, slots),
        }
    }

    fn step_by_type(&self, instruction: Instruction, slots: &mut Slots) -> Check {
        match instruction {
            Instruction::Arith(kind, op) => {
                let kind = kind_of_slot(kind);
                let shift = matches!(op, Op::Shl | Op::Shr | Op::Ushr);
                self.replace(slots, &[if shift { Kind::Int } else { kind }, kind], Some(kind))
            }
            Instruction::Neg(kind) => self.replace(slots, &[kind_of_slot(kind)], Some(kind_of_slot(kind))),
            Instruction::Convert(conversion) => {
                let (from, to) = converted(conversion);
                self.replace(slots, &[from], Some(to))
            }
            Instruction::Compare(comparison) => {
                let kind = match comparison {
                    Comparison::Long => Kind::Long,
                    Comparison::FloatLess | Comparison::FloatGreater => Kind::Float,
                    Comparison::DoubleLess | Comparison::DoubleGreater => Kind::Double,
                };
                self.replace(slots, &[kind, kind], Some(Kind::Int))
            }
            Instruction::GetStatic(index) => self.push(slots, self.field(index)?),
            Instruction::PutStatic(index) => self.replace(slots, &[self.field(index)?], None),
            Instruction::GetField(index) => self.replace(slots, &[Kind::Ref], Some(self.field(index)?)),
            Instruction::PutField(index) => self.replace(slots, &[self.field(index)?, Kind::Ref], None),
            Instruction::Invoke(kind, index) => {
                let called = self.file.pool.member(index).map_err(|error| error.to_string())?;
                self.invoke(slots, &called.descriptor, kind != InvokeKind::Static)
            }
            Instruction::InvokeDynamic(index) => {
                let site = self.file.pool.invoke_dynamic(index).map_err(|error| error.to_string())?;
                self.invoke(slots, &site.descriptor, false)
            }
            _ => Ok(()),
        }
    }

    fn invoke(&self, slots: &mut Slots, descriptor: &str, receiver: bool) -> Check {
        let parsed = MethodDescriptor::parse(descriptor).map_err(|error| error.to_string())?;
        for parameter in parsed.parameters.iter().rev() {
            self.pop(slots, kind_of(parameter))?;
        }
        if receiver {
            self.pop(slots, Kind::Ref)?;
        }
        parsed.result.as_ref().map_or(Ok(()), |result| self.push(slots, kind_of(result)))
    }

    fn returns(&self, slots: &mut Slots, kind: Option<Kind>) -> Check {
        if kind != self.result {
            return Err(format!("returns {kind:?} instead of {:?}", self.result));
        }
        kind.map_or(Ok(()), |kind| self.pop(slots, kind))
    }

    fn load(&self, slots: &mut Slots, kind: Kind, local: usize) -> Check {
        match slots.locals.get(local..local + size(kind)) {
            Some(found) if found[0] == kind || self.lenient => self.push(slots, kind),
            Some(found) => Err(format!("local {local} is {:?} instead of {kind:?}", found[0])),
            None => Err(format!("local {local} is beyond the {} that the method has", slots.locals.len())),
        }
    }

    fn store(&self, slots: &mut Slots, kind: Kind, local: usize) -> Check {
        let kind = match (kind, slots.stack.last()) {
            (Kind::Ref, Some(Kind::Return)) => Kind::Return,
            _ => kind,
        };
        self.pop(slots, kind)?;
        set(&mut slots.locals, local, kind)
    }

    fn field(&self, index: u16) -> Check<Kind> {
        let member = self.file.pool.member(index).map_err(|error| error.to_string())?;
        Type::parse(&member.descriptor).map(|parsed| kind_of(&parsed)).map_err(|error| error.to_string())
    }

    fn constant(&self, index: u16) -> Check<Kind> {
        use evergreen_classfile::Constant;
        Ok(match self.file.pool.constant(index).map_err(|error| error.to_string())? {
            Constant::Int(_) => Kind::Int,
            Constant::Float(_) => Kind::Float,
            Constant::Long(_) => Kind::Long,
            Constant::Double(_) => Kind::Double,
            Constant::Dynamic(dynamic) => {
                kind_of(&Type::parse(&dynamic.descriptor).map_err(|error| error.to_string())?)
            }
            _ => Kind::Ref,
        })
    }

    // No half of a long or double may be left behind.
    fn rearrange(&self, slots: &mut Slots, op: StackOp) -> Check {
        let (count, below) = match op {
            StackOp::Pop | StackOp::Dup => (1, 0),
            StackOp::Pop2 | StackOp::Dup2 => (2, 0),
            StackOp::DupX1 | StackOp::Swap => (1, 1),
            StackOp::DupX2 => (1, 2),
            StackOp::Dup2X1 => (2, 1),
            StackOp::Dup2X2 => (2, 2),
        };
        let stack = &mut slots.stack;
        let Some(from) = stack.len().checked_sub(count + below) else {
            return Err("an operand is missing".to_owned());
        };
        let split = |at: usize| stack.get(at) == Some(&Kind::Pad);
        if !self.lenient && (split(from) || split(from + below)) {
            return Err("half of a long or double".to_owned());
        }
        match op {
            StackOp::Pop | StackOp::Pop2 => stack.truncate(from),
            StackOp::Swap => stack.swap(from, from + 1),
            _ => {
                let top = stack[stack.len() - count..].to_vec();
                stack.splice(from..from, top);
            }
        }
        Ok(())
    }
}

fn converted(conversion: Conversion) -> (Kind, Kind) {
    use Kind::{Double, Float, Int, Long};
    match conversion {
        Conversion::IntToLong => (Int, Long),
        Conversion::IntToFloat => (Int, Float),
        Conversion::IntToDouble => (Int, Double),
        Conversion::LongToInt => (Long, Int),
        Conversion::LongToFloat => (Long, Float),
        Conversion::LongToDouble => (Long, Double),
        Conversion::FloatToInt => (Float, Int),
        Conversion::FloatToLong => (Float, Long),
        Conversion::FloatToDouble => (Float, Double),
        Conversion::DoubleToInt => (Double, Int),
        Conversion::DoubleToLong => (Double, Long),
        Conversion::DoubleToFloat => (Double, Float),
        Conversion::IntToByte | Conversion::IntToChar | Conversion::IntToShort => (Int, Int),
    }
}
