//! What becomes of one value in the code of one method.
//!
//! One pass gives each instruction's result a node. Copies share the node, joins make nodes one, and a result
//! that is computed of others has edges from them. The value reaches what its edges reach; conditions,
//! indices, lengths, divisors and the arguments of unknown calls among that look at it. The order of
//! instructions is ignored otherwise, so the answer errs to *looked at*.

use evergreen_classfile::{
    ArrayKind, ClassFile, Code, Comparison, Constant, Conversion, Instruction, InvokeKind, Kind, Member,
    MethodDescriptor, Op, StackOp, Type,
};
use evergreen_structures::UnionFind;

use crate::classes::{Method, access};

/// What becomes of a value in a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fate {
    /// A branch may depend on it.
    pub(crate) looked_at: bool,
    /// The method may return it.
    pub(crate) returned: bool,
}

const UNKNOWN: Fate = Fate { looked_at: true, returned: true };

/// The node of the value itself.
const VALUE: u32 = 0;

/// The fate of what instruction `source` gets.
pub(super) fn fate(method: &Method, source: u32, is_result: bool) -> Fate {
    let (Some(code), Some(file)) = (method.code(), &method.pool.file) else { return UNKNOWN };
    let locals = usize::from(code.max_locals);
    let mut flow = Flow {
        file,
        code,
        source,
        is_result,
        nodes: UnionFind::new(1 + locals + code.instructions.len()),
        edges: Vec::new(),
        looks: Vec::new(),
        returned: Vec::new(),
        outside: (1..=locals as u32).collect(),
        writes: Vec::new(),
        stack: Vec::new(),
        locals: Vec::new(),
    };
    flow.run().map_or(UNKNOWN, |()| flow.reach())
}

/// How a call treats its arguments.
enum Treats {
    /// They are printed.
    Prints,
    /// Its result is computed of them, and nothing else happens.
    Computes,
    /// They become a part of the receiver.
    Collects,
    /// Not known.
    Unknown,
}

struct Flow<'a> {
    file: &'a ClassFile,
    code: &'a Code,
    source: u32,
    is_result: bool,
    nodes: UnionFind,
    /// From a value to what is computed of it.
    edges: Vec<(u32, u32)>,
    /// Values that branches and unknown code see.
    looks: Vec<u32>,
    returned: Vec<u32>,
    /// Objects that other code may have, too.
    outside: Vec<u32>,
    /// Values that become a part of objects.
    writes: Vec<(u32, u32)>,
    stack: Vec<u32>,
    locals: Vec<u32>,
}

impl Flow<'_> {
    fn run(&mut self) -> Option<()> {
        let mut before: Vec<Option<(Vec<u32>, Vec<u32>)>> = vec![None; self.code.instructions.len()];
        let start = (1..=u32::from(self.code.max_locals)).collect();
        let mut open = vec![0u32];
        *before.first_mut()? = Some((start, Vec::new()));
        while let Some(pc) = open.pop() {
            let instruction = self.code.instructions[pc as usize];
            (self.locals, self.stack) = before[pc as usize].clone()?;
            let covers = |from: u32, to: u32| (from..to).contains(&pc);
            let code = self.code;
            for handler in code.handlers.iter().filter(|handler| covers(handler.from, handler.to)) {
                let caught = self.node(handler.target);
                let state = (self.locals.clone(), vec![caught]);
                self.join(&mut before, &mut open, handler.target, state)?;
            }
            self.step(pc, instruction)?;
            let next = (!instruction.ends_block()).then_some(pc + 1);
            let mut targets: Vec<u32> = instruction.target().into_iter().chain(next).collect();
            if let Instruction::Switch(index) = instruction {
                let switch = &code.switches[index as usize];
                targets.extend(switch.iter().map(|(_, target)| target).chain([switch.default]));
            }
            for target in targets {
                let state = (self.locals.clone(), self.stack.clone());
                self.join(&mut before, &mut open, target, state)?;
            }
        }
        Some(())
    }

    fn join(
        &mut self,
        before: &mut [Option<(Vec<u32>, Vec<u32>)>],
        open: &mut Vec<u32>,
        to: u32,
        coming: (Vec<u32>, Vec<u32>),
    ) -> Option<()> {
        let place = before.get_mut(to as usize)?;
        match place {
            None => {
                *place = Some(coming);
                open.push(to);
            }
            Some((locals, stack)) => {
                for (known, new) in locals.iter().chain(&*stack).zip(coming.0.iter().chain(&coming.1)) {
                    self.nodes.union(*known, *new);
                }
            }
        }
        Some(())
    }

    /// The node of the result of an instruction.
    fn node(&self, pc: u32) -> u32 {
        1 + u32::from(self.code.max_locals) + pc
    }

    fn push(&mut self, node: u32, is_wide: bool) {
        self.stack.push(node);
        if is_wide {
            self.stack.push(node);
        }
    }

    fn pop(&mut self, is_wide: bool) -> Option<u32> {
        if is_wide {
            self.stack.pop()?;
        }
        self.stack.pop()
    }

    /// Pops operands, of which a result is computed.
    fn compute(&mut self, pc: u32, operands: &[bool], result: bool) -> Option<()> {
        let node = self.node(pc);
        for is_wide in operands {
            let operand = self.pop(*is_wide)?;
            self.edges.push((operand, node));
        }
        self.push(node, result);
        Some(())
    }

    /// Pops operands that are looked at.
    fn look(&mut self, count: usize) -> Option<()> {
        for _ in 0..count {
            let operand = self.pop(false)?;
            self.looks.push(operand);
        }
        Some(())
    }

    fn step(&mut self, pc: u32, instruction: Instruction) -> Option<()> {
        let node = self.node(pc);
        match instruction {
            Instruction::Nop | Instruction::Goto(_) | Instruction::Iinc(..) => {}
            Instruction::Int(_) | Instruction::Float(_) | Instruction::Null | Instruction::New(_) => {
                self.push(node, false);
            }
            Instruction::Long(_) | Instruction::Double(_) => self.push(node, true),
            Instruction::Ldc(index) => {
                let constant = self.file.pool.constant(index).ok()?;
                self.push(node, matches!(constant, Constant::Long(_) | Constant::Double(_)));
            }
            Instruction::Load(kind, local) => {
                let held = *self.locals.get(usize::from(local))?;
                self.push(held, is_wide(kind));
            }
            Instruction::Store(kind, local) => {
                let held = self.pop(is_wide(kind))?;
                *self.locals.get_mut(usize::from(local))? = held;
            }
            Instruction::Stack(op) => self.rearrange(op)?,
            Instruction::Arith(kind, op) => self.arith(pc, kind, op)?,
            Instruction::Neg(kind) => self.compute(pc, &[is_wide(kind)], is_wide(kind))?,
            Instruction::Convert(conversion) => {
                let (from, to) = converted(conversion);
                self.compute(pc, &[from], to)?;
            }
            Instruction::Compare(comparison) => {
                let wide = !matches!(comparison, Comparison::FloatLess | Comparison::FloatGreater);
                self.compute(pc, &[wide, wide], false)?;
            }
            Instruction::If(..) | Instruction::IfNull(..) | Instruction::Switch(_) => self.look(1)?,
            Instruction::IfIcmp(..) | Instruction::IfAcmp(..) => self.look(2)?,
            Instruction::ArrayLength | Instruction::InstanceOf(_) => self.compute(pc, &[false], false)?,
            Instruction::CheckCast(_) => {}
            Instruction::NewArray(_) | Instruction::ANewArray(_) => {
                self.look(1)?;
                self.push(node, false);
            }
            Instruction::MultiANewArray(_, lengths) => {
                self.look(usize::from(lengths))?;
                self.push(node, false);
            }
            Instruction::MonitorEnter | Instruction::MonitorExit => drop(self.pop(false)?),
            Instruction::Throw => self.look(1)?,
            Instruction::Return(kind) => {
                if let Some(kind) = kind {
                    let result = self.pop(is_wide(kind))?;
                    self.returned.push(result);
                }
            }
            Instruction::Jsr(_) | Instruction::Ret(_) => return None,
            other => self.step_to_memory(pc, other)?,
        }
        Some(())
    }

    fn arith(&mut self, pc: u32, kind: Kind, op: Op) -> Option<()> {
        let wide = is_wide(kind);
        let is_shift = matches!(op, Op::Shl | Op::Shr | Op::Ushr);
        let divides = matches!((kind, op), (Kind::Int | Kind::Long, Op::Div | Op::Rem));
        if divides {
            self.looks.push(*self.stack.last()?);
        }
        self.compute(pc, &[wide && !is_shift, wide], wide)
    }

    fn step_to_memory(&mut self, pc: u32, instruction: Instruction) -> Option<()> {
        let node = self.node(pc);
        match instruction {
            Instruction::ArrayLoad(kind) => {
                self.look(1)?;
                self.outside.push(node);
                self.compute(pc, &[false], matches!(kind, ArrayKind::Long | ArrayKind::Double))
            }
            Instruction::ArrayStore(kind) => {
                let value = self.pop(matches!(kind, ArrayKind::Long | ArrayKind::Double))?;
                self.look(1)?;
                let array = self.pop(false)?;
                self.writes.push((value, array));
                Some(())
            }
            Instruction::GetStatic(index) => {
                let wide = self.is_wide_field(index)?;
                self.outside.push(node);
                if pc == self.source {
                    self.edges.push((VALUE, node));
                }
                self.push(node, wide);
                Some(())
            }
            Instruction::GetField(index) => {
                let wide = self.is_wide_field(index)?;
                self.outside.push(node);
                self.compute(pc, &[false], wide)
            }
            Instruction::PutStatic(index) => self.put(index),
            Instruction::PutField(index) => {
                self.put(index)?;
                self.pop(false).map(drop)
            }
            Instruction::Invoke(kind, index) => {
                let called = self.file.pool.member(index).ok()?;
                let treats = treats(&called);
                self.invoke(pc, &called.descriptor, kind != InvokeKind::Static, treats, &called.name)
            }
            Instruction::InvokeDynamic(index) => {
                let site = self.file.pool.invoke_dynamic(index).ok()?;
                let joins = &*site.name == "makeConcatWithConstants" || &*site.name == "makeConcat";
                let treats = if joins { Treats::Computes } else { Treats::Unknown };
                self.invoke(pc, &site.descriptor, false, treats, &site.name)
            }
            _ => None,
        }
    }

    fn is_wide_field(&self, index: u16) -> Option<bool> {
        let member = self.file.pool.member(index).ok()?;
        Some(matches!(&*member.descriptor, "J" | "D"))
    }

    /// A field that no code reads keeps a value from being seen.
    fn put(&mut self, index: u16) -> Option<()> {
        let wide = self.is_wide_field(index)?;
        let value = self.pop(wide)?;
        let member = self.file.pool.member(index).ok()?;
        let is_private = |name: &str| {
            self.file.fields.iter().any(|field| *field.name == *name && field.access & access::PRIVATE != 0)
        };
        let is_read = |instruction: &Instruction| match instruction {
            Instruction::GetField(at) | Instruction::GetStatic(at) => {
                self.file.pool.member(*at).map_or(true, |read| read.name == member.name)
            }
            _ => false,
        };
        let codes = self.file.methods.iter().filter_map(|method| method.code.as_ref());
        let is_kept = member.class == self.file.name
            && is_private(&member.name)
            && self.file.inner_classes.is_empty()
            && !codes.flat_map(|code| &code.instructions).any(is_read);
        if !is_kept {
            self.looks.push(value);
        }
        Some(())
    }

    fn invoke(
        &mut self,
        pc: u32,
        descriptor: &str,
        has_receiver: bool,
        treats: Treats,
        name: &str,
    ) -> Option<()> {
        let parsed = MethodDescriptor::parse(descriptor).ok()?;
        let mut arguments = Vec::new();
        for parameter in parsed.parameters.iter().rev() {
            arguments.push(self.pop(matches!(parameter, Type::Long | Type::Double))?);
        }
        let receiver = if has_receiver { Some(self.pop(false)?) } else { None };
        let node = self.node(pc);
        if pc == self.source {
            let gets = if name == "<init>" { receiver? } else { node };
            if !matches!(treats, Treats::Prints) {
                self.edges.push((VALUE, gets));
            }
            let is_simple = |of: &Type| match of {
                Type::Class(class) => &**class == "java/lang/String",
                Type::Array(_) => false,
                _ => true,
            };
            let is_alone = (!has_receiver || name == "<init>") && parsed.parameters.iter().all(is_simple);
            match treats {
                Treats::Prints | Treats::Computes => {}
                Treats::Collects => self.writes.push((VALUE, receiver?)),
                Treats::Unknown if self.is_result || is_alone => {}
                Treats::Unknown if matches!(name, "toString" | "hashCode" | "getProperty") => {}
                Treats::Unknown => self.looks.push(VALUE),
            }
        }
        let all = arguments.into_iter().chain(receiver);
        match treats {
            Treats::Prints => {}
            Treats::Computes => self.edges.extend(all.map(|argument| (argument, node))),
            Treats::Collects => {
                let receiver = receiver?;
                self.writes.extend(all.map(|argument| (argument, receiver)));
                if parsed.result.is_some() {
                    self.nodes.union(node, receiver);
                }
            }
            Treats::Unknown => {
                self.looks.extend(all);
                self.outside.push(node);
            }
        }
        if let Some(result) = &parsed.result {
            self.push(node, matches!(result, Type::Long | Type::Double));
        }
        Some(())
    }

    fn rearrange(&mut self, op: StackOp) -> Option<()> {
        let (count, below) = match op {
            StackOp::Pop | StackOp::Dup => (1, 0),
            StackOp::Pop2 | StackOp::Dup2 => (2, 0),
            StackOp::DupX1 | StackOp::Swap => (1, 1),
            StackOp::DupX2 => (1, 2),
            StackOp::Dup2X1 => (2, 1),
            StackOp::Dup2X2 => (2, 2),
        };
        let from = self.stack.len().checked_sub(count + below)?;
        match op {
            StackOp::Pop | StackOp::Pop2 => self.stack.truncate(from),
            StackOp::Swap => self.stack.swap(from, from + 1),
            _ => {
                let top = self.stack[self.stack.len() - count..].to_vec();
                self.stack.splice(from..from, top);
            }
        }
        Some(())
    }

    fn reach(mut self) -> Fate {
        let outside: Vec<u32> = self.outside.iter().map(|node| self.nodes.find(*node)).collect();
        for (value, object) in std::mem::take(&mut self.writes) {
            self.edges.push((value, object));
            if outside.contains(&self.nodes.find(object)) {
                self.looks.push(value);
            }
        }
        let mut reached = vec![self.nodes.find(VALUE)];
        let mut next = 0;
        while let Some(from) = reached.get(next).copied() {
            next += 1;
            for (one, other) in &self.edges {
                let (one, other) = (self.nodes.find(*one), self.nodes.find(*other));
                if one == from && !reached.contains(&other) {
                    reached.push(other);
                }
            }
        }
        let mut is_reached = |all: &[u32]| all.iter().any(|node| reached.contains(&self.nodes.find(*node)));
        Fate { looked_at: is_reached(&self.looks), returned: is_reached(&self.returned) }
    }
}

fn treats(called: &Member) -> Treats {
    let name = &*called.name;
    match &*called.class {
        "java/io/PrintStream" => Treats::Prints,
        "java/lang/StringBuilder" | "java/lang/StringBuffer" => match name {
            "append" | "<init>" => Treats::Collects,
            "toString" | "length" | "hashCode" => Treats::Computes,
            _ => Treats::Unknown,
        },
        "java/lang/Long"
        | "java/lang/Integer"
        | "java/lang/Short"
        | "java/lang/Byte"
        | "java/lang/Double"
        | "java/lang/Float"
        | "java/lang/Boolean"
        | "java/lang/Character" => {
            // Those that read texts throw.
            if name.starts_with("parse")
                || name == "decode"
                || called.descriptor.contains("(Ljava/lang/String")
            {
                Treats::Unknown
            } else {
                Treats::Computes
            }
        }
        "java/lang/Math" if !name.ends_with("Exact") && !name.starts_with("floor") => Treats::Computes,
        "java/lang/String" => match name {
            "valueOf" | "concat" | "toString" | "length" | "isEmpty" | "equals" | "equalsIgnoreCase"
            | "hashCode" | "startsWith" | "endsWith" | "contains" | "indexOf" | "toLowerCase" | "trim"
            | "toUpperCase" | "compareTo" => Treats::Computes,
            _ => Treats::Unknown,
        },
        "java/util/Date" if matches!(name, "<init>" | "getTime" | "toString") => match name {
            "<init>" => Treats::Collects,
            _ => Treats::Computes,
        },
        "java/util/concurrent/TimeUnit" if name.starts_with("to") => Treats::Computes,
        _ => Treats::Unknown,
    }
}

fn is_wide(kind: Kind) -> bool {
    matches!(kind, Kind::Long | Kind::Double)
}

/// Whether a conversion is from and to a number of two slots.
fn converted(conversion: Conversion) -> (bool, bool) {
    let (from, to) = crate::step::arith::widths(conversion);
    (from == 2, to == 2)
}
