//! Compares what we read with what cafebabe reads: every instruction and operand, handlers, lines, variables.

use cafebabe::attributes::{AttributeData, AttributeInfo, CodeData};
use cafebabe::bytecode::{Opcode, PrimitiveArrayType};
use cafebabe::constant_pool::{LiteralConstant, Loadable, MemberRef, ObjectArrayType};
use evergreen_classfile::Instruction as I;
use evergreen_classfile::*;

/// The opcodes without operands, in our words.
fn plain(opcode: &Opcode<'_>) -> Option<Instruction> {
    Some(match opcode {
        Opcode::Iaload => I::ArrayLoad(ArrayKind::Int),
        Opcode::Iastore => I::ArrayStore(ArrayKind::Int),
        Opcode::Laload => I::ArrayLoad(ArrayKind::Long),
        Opcode::Lastore => I::ArrayStore(ArrayKind::Long),
        Opcode::Faload => I::ArrayLoad(ArrayKind::Float),
        Opcode::Fastore => I::ArrayStore(ArrayKind::Float),
        Opcode::Daload => I::ArrayLoad(ArrayKind::Double),
        Opcode::Dastore => I::ArrayStore(ArrayKind::Double),
        Opcode::Aaload => I::ArrayLoad(ArrayKind::Ref),
        Opcode::Aastore => I::ArrayStore(ArrayKind::Ref),
        Opcode::Baload => I::ArrayLoad(ArrayKind::Byte),
        Opcode::Bastore => I::ArrayStore(ArrayKind::Byte),
        Opcode::Caload => I::ArrayLoad(ArrayKind::Char),
        Opcode::Castore => I::ArrayStore(ArrayKind::Char),
        Opcode::Saload => I::ArrayLoad(ArrayKind::Short),
        Opcode::Sastore => I::ArrayStore(ArrayKind::Short),
        Opcode::Ireturn => I::Return(Some(Kind::Int)),
        Opcode::Lreturn => I::Return(Some(Kind::Long)),
        Opcode::Freturn => I::Return(Some(Kind::Float)),
        Opcode::Dreturn => I::Return(Some(Kind::Double)),
        Opcode::Areturn => I::Return(Some(Kind::Ref)),
        Opcode::Return => I::Return(None),
        Opcode::Iadd => I::Arith(Kind::Int, Op::Add),
        Opcode::Isub => I::Arith(Kind::Int, Op::Sub),
        Opcode::Imul => I::Arith(Kind::Int, Op::Mul),
        Opcode::Idiv => I::Arith(Kind::Int, Op::Div),
        Opcode::Irem => I::Arith(Kind::Int, Op::Rem),
        Opcode::Ineg => I::Neg(Kind::Int),
        Opcode::Ladd => I::Arith(Kind::Long, Op::Add),
        Opcode::Lsub => I::Arith(Kind::Long, Op::Sub),
        Opcode::Lmul => I::Arith(Kind::Long, Op::Mul),
        Opcode::Ldiv => I::Arith(Kind::Long, Op::Div),
        Opcode::Lrem => I::Arith(Kind::Long, Op::Rem),
        Opcode::Lneg => I::Neg(Kind::Long),
        Opcode::Fadd => I::Arith(Kind::Float, Op::Add),
        Opcode::Fsub => I::Arith(Kind::Float, Op::Sub),
        Opcode::Fmul => I::Arith(Kind::Float, Op::Mul),
        Opcode::Fdiv => I::Arith(Kind::Float, Op::Div),
        Opcode::Frem => I::Arith(Kind::Float, Op::Rem),
        Opcode::Fneg => I::Neg(Kind::Float),
        Opcode::Dadd => I::Arith(Kind::Double, Op::Add),
        Opcode::Dsub => I::Arith(Kind::Double, Op::Sub),
        Opcode::Dmul => I::Arith(Kind::Double, Op::Mul),
        Opcode::Ddiv => I::Arith(Kind::Double, Op::Div),
        Opcode::Drem => I::Arith(Kind::Double, Op::Rem),
        Opcode::Dneg => I::Neg(Kind::Double),
        Opcode::Ishl => I::Arith(Kind::Int, Op::Shl),
        Opcode::Ishr => I::Arith(Kind::Int, Op::Shr),
        Opcode::Iushr => I::Arith(Kind::Int, Op::Ushr),
        Opcode::Iand => I::Arith(Kind::Int, Op::And),
        Opcode::Ior => I::Arith(Kind::Int, Op::Or),
        Opcode::Ixor => I::Arith(Kind::Int, Op::Xor),
        Opcode::Lshl => I::Arith(Kind::Long, Op::Shl),
        Opcode::Lshr => I::Arith(Kind::Long, Op::Shr),
        Opcode::Lushr => I::Arith(Kind::Long, Op::Ushr),
        Opcode::Land => I::Arith(Kind::Long, Op::And),
        Opcode::Lor => I::Arith(Kind::Long, Op::Or),
        Opcode::Lxor => I::Arith(Kind::Long, Op::Xor),
        Opcode::I2l => I::Convert(Conversion::IntToLong),
        Opcode::I2f => I::Convert(Conversion::IntToFloat),
        Opcode::I2d => I::Convert(Conversion::IntToDouble),
        Opcode::L2i => I::Convert(Conversion::LongToInt),
        Opcode::L2f => I::Convert(Conversion::LongToFloat),
        Opcode::L2d => I::Convert(Conversion::LongToDouble),
        Opcode::F2i => I::Convert(Conversion::FloatToInt),
        Opcode::F2l => I::Convert(Conversion::FloatToLong),
        Opcode::F2d => I::Convert(Conversion::FloatToDouble),
        Opcode::D2i => I::Convert(Conversion::DoubleToInt),
        Opcode::D2l => I::Convert(Conversion::DoubleToLong),
        Opcode::D2f => I::Convert(Conversion::DoubleToFloat),
        Opcode::I2b => I::Convert(Conversion::IntToByte),
        Opcode::I2c => I::Convert(Conversion::IntToChar),
        Opcode::I2s => I::Convert(Conversion::IntToShort),
        Opcode::Lcmp => I::Compare(Comparison::Long),
        Opcode::Fcmpl => I::Compare(Comparison::FloatLess),
        Opcode::Fcmpg => I::Compare(Comparison::FloatGreater),
        Opcode::Dcmpl => I::Compare(Comparison::DoubleLess),
        Opcode::Dcmpg => I::Compare(Comparison::DoubleGreater),
        Opcode::IconstM1 => I::Int(-1),
        Opcode::Iconst0 => I::Int(0),
        Opcode::Iconst1 => I::Int(1),
        Opcode::Iconst2 => I::Int(2),
        Opcode::Iconst3 => I::Int(3),
        Opcode::Iconst4 => I::Int(4),
        Opcode::Iconst5 => I::Int(5),
        Opcode::Lconst0 => I::Long(0),
        Opcode::Dconst0 => I::Double(0.0),
        Opcode::Lconst1 => I::Long(1),
        Opcode::Dconst1 => I::Double(1.0),
        Opcode::Fconst0 => I::Float(0.0),
        Opcode::Fconst1 => I::Float(1.0),
        Opcode::Fconst2 => I::Float(2.0),
        Opcode::Pop => I::Stack(StackOp::Pop),
        Opcode::Pop2 => I::Stack(StackOp::Pop2),
        Opcode::Dup => I::Stack(StackOp::Dup),
        Opcode::DupX1 => I::Stack(StackOp::DupX1),
        Opcode::DupX2 => I::Stack(StackOp::DupX2),
        Opcode::Dup2 => I::Stack(StackOp::Dup2),
        Opcode::Dup2X1 => I::Stack(StackOp::Dup2X1),
        Opcode::Dup2X2 => I::Stack(StackOp::Dup2X2),
        Opcode::Swap => I::Stack(StackOp::Swap),
        Opcode::Nop => I::Nop,
        Opcode::AconstNull => I::Null,
        Opcode::Arraylength => I::ArrayLength,
        Opcode::Athrow => I::Throw,
        Opcode::Monitorenter => I::MonitorEnter,
        Opcode::Monitorexit => I::MonitorExit,
        _ => return None,
    })
}

/// The opcodes with variables, numbers and targets, in our words; `to` turns a distance into an index.
fn numbered(opcode: &Opcode<'_>, to: impl Fn(i32) -> u32) -> Option<Instruction> {
    Some(match opcode {
        Opcode::Iload(slot) => I::Load(Kind::Int, *slot),
        Opcode::Istore(slot) => I::Store(Kind::Int, *slot),
        Opcode::Lload(slot) => I::Load(Kind::Long, *slot),
        Opcode::Lstore(slot) => I::Store(Kind::Long, *slot),
        Opcode::Fload(slot) => I::Load(Kind::Float, *slot),
        Opcode::Fstore(slot) => I::Store(Kind::Float, *slot),
        Opcode::Dload(slot) => I::Load(Kind::Double, *slot),
        Opcode::Dstore(slot) => I::Store(Kind::Double, *slot),
        Opcode::Aload(slot) => I::Load(Kind::Ref, *slot),
        Opcode::Astore(slot) => I::Store(Kind::Ref, *slot),
        Opcode::Ifeq(by) => I::If(Rel::Eq, to(*by)),
        Opcode::IfIcmpeq(by) => I::IfIcmp(Rel::Eq, to(*by)),
        Opcode::Ifne(by) => I::If(Rel::Ne, to(*by)),
        Opcode::IfIcmpne(by) => I::IfIcmp(Rel::Ne, to(*by)),
        Opcode::Iflt(by) => I::If(Rel::Lt, to(*by)),
        Opcode::IfIcmplt(by) => I::IfIcmp(Rel::Lt, to(*by)),
        Opcode::Ifge(by) => I::If(Rel::Ge, to(*by)),
        Opcode::IfIcmpge(by) => I::IfIcmp(Rel::Ge, to(*by)),
        Opcode::Ifgt(by) => I::If(Rel::Gt, to(*by)),
        Opcode::IfIcmpgt(by) => I::IfIcmp(Rel::Gt, to(*by)),
        Opcode::Ifle(by) => I::If(Rel::Le, to(*by)),
        Opcode::IfIcmple(by) => I::IfIcmp(Rel::Le, to(*by)),
        Opcode::IfAcmpeq(by) => I::IfAcmp(Rel::Eq, to(*by)),
        Opcode::IfAcmpne(by) => I::IfAcmp(Rel::Ne, to(*by)),
        Opcode::Ifnull(by) => I::IfNull(Rel::Eq, to(*by)),
        Opcode::Ifnonnull(by) => I::IfNull(Rel::Ne, to(*by)),
        Opcode::Goto(by) => I::Goto(to(*by)),
        Opcode::Jsr(by) => I::Jsr(to(*by)),
        Opcode::Bipush(value) => I::Int(i32::from(*value)),
        Opcode::Sipush(value) => I::Int(i32::from(*value)),
        Opcode::Iinc(slot, by) => I::Iinc(*slot, *by),
        Opcode::Ret(slot) => I::Ret(*slot),
        Opcode::Newarray(element) => I::NewArray(match element {
            PrimitiveArrayType::Boolean => Primitive::Boolean,
            PrimitiveArrayType::Char => Primitive::Char,
            PrimitiveArrayType::Float => Primitive::Float,
            PrimitiveArrayType::Double => Primitive::Double,
            PrimitiveArrayType::Byte => Primitive::Byte,
            PrimitiveArrayType::Short => Primitive::Short,
            PrimitiveArrayType::Int => Primitive::Int,
            PrimitiveArrayType::Long => Primitive::Long,
        }),
        _ => return None,
    })
}

fn is_member(pool: &ConstantPool, index: u16, theirs: &MemberRef<'_>) -> bool {
    let ours = pool.member(index).unwrap();
    *ours.class == *theirs.class_name
        && *ours.name == *theirs.name_and_type.name
        && *ours.descriptor == *theirs.name_and_type.descriptor
}

fn is_class(pool: &ConstantPool, index: u16, theirs: &ObjectArrayType<'_>) -> bool {
    let ours = &**pool.class(index).unwrap();
    match theirs {
        ObjectArrayType::ArrayType(array) => ours == array.to_string(),
        ObjectArrayType::BinaryName(name) => ours == &**name,
    }
}

fn is_constant(pool: &ConstantPool, ours: Instruction, theirs: &Loadable<'_>) -> bool {
    let I::Ldc(index) = ours else {
        let Loadable::LiteralConstant(theirs) = theirs else { return false };
        return match (ours, theirs) {
            (I::Int(a), LiteralConstant::Integer(b)) => a == *b,
            (I::Long(a), LiteralConstant::Long(b)) => a == *b,
            (I::Float(a), LiteralConstant::Float(b)) => a.to_bits() == b.to_bits(),
            (I::Double(a), LiteralConstant::Double(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        };
    };
    match (pool.constant(index).unwrap(), theirs) {
        (Constant::String(a), Loadable::LiteralConstant(LiteralConstant::String(b))) => **a.name() == **b,
        // cafebabe cannot decode lone surrogates. Compare with our own decoding written backwards.
        (Constant::String(a), Loadable::LiteralConstant(LiteralConstant::StringBytes(b))) => {
            modified_utf8(&a.units()) == *b
        }
        (Constant::Class(a), Loadable::ClassInfo(b)) => *a == **b,
        (Constant::MethodType(a), Loadable::MethodType(b)) => *a == **b,
        (Constant::MethodHandle { kind, member }, Loadable::MethodHandle(b)) => {
            kind as u8 == b.kind as u8 + 1
                && *member.class == *b.class_name
                && *member.name == *b.member_ref.name
        }
        (Constant::Dynamic(a), Loadable::Dynamic(b)) => {
            a.bootstrap == b.attr_index && *a.name == *b.name_and_type.name
        }
        _ => false,
    }
}

fn modified_utf8(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &unit in units {
        match unit {
            1..=0x7F => bytes.push(unit as u8),
            0 | 0x80..=0x7FF => bytes.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8]),
            _ => {
                let middle = 0x80 | (unit >> 6 & 0x3F) as u8;
                bytes.extend([0xE0 | (unit >> 12) as u8, middle, 0x80 | (unit & 0x3F) as u8]);
            }
        }
    }
    bytes
}

/// Whether our instruction means the same as theirs, at byte `at`.
fn same(class: &ClassFile, code: &Code, ours: Instruction, at: usize, theirs: &Opcode<'_>) -> bool {
    let to = |by: i32| code.at_offset((at as i64 + i64::from(by)) as u32).unwrap_or(u32::MAX);
    if let Some(theirs) = plain(theirs).or_else(|| numbered(theirs, to)) {
        return ours == theirs;
    }
    let pool = &class.pool;
    match (ours, theirs) {
        (_, Opcode::Ldc(c) | Opcode::LdcW(c) | Opcode::Ldc2W(c)) => is_constant(pool, ours, c),
        (I::GetStatic(i), Opcode::Getstatic(m)) => is_member(pool, i, m),
        (I::PutStatic(i), Opcode::Putstatic(m)) => is_member(pool, i, m),
        (I::GetField(i), Opcode::Getfield(m)) => is_member(pool, i, m),
        (I::PutField(i), Opcode::Putfield(m)) => is_member(pool, i, m),
        (I::Invoke(InvokeKind::Virtual, i), Opcode::Invokevirtual(m)) => is_member(pool, i, m),
        (I::Invoke(InvokeKind::Special, i), Opcode::Invokespecial(m)) => is_member(pool, i, m),
        (I::Invoke(InvokeKind::Static, i), Opcode::Invokestatic(m)) => is_member(pool, i, m),
        (I::Invoke(InvokeKind::Interface, i), Opcode::Invokeinterface(m, _)) => is_member(pool, i, m),
        (I::InvokeDynamic(i), Opcode::Invokedynamic(site)) => {
            let ours = pool.invoke_dynamic(i).unwrap();
            ours.bootstrap == site.attr_index
                && *ours.name == *site.name_and_type.name
                && *ours.descriptor == *site.name_and_type.descriptor
        }
        (I::New(i), Opcode::New(name)) => **pool.class(i).unwrap() == **name,
        (I::ANewArray(i), Opcode::Anewarray(c)) => is_class(pool, i, c),
        (I::CheckCast(i), Opcode::Checkcast(c)) => is_class(pool, i, c),
        (I::InstanceOf(i), Opcode::Instanceof(c)) => is_class(pool, i, c),
        (I::MultiANewArray(i, n), Opcode::Multianewarray(c, m)) => n == *m && is_class(pool, i, c),
        (I::Switch(i), Opcode::Tableswitch(table)) => {
            let pairs = (table.low..=table.high).zip(table.jumps.iter().map(|&by| to(by)));
            same_switch(&code.switches[i as usize], to(table.default), pairs.collect())
        }
        (I::Switch(i), Opcode::Lookupswitch(table)) => {
            let pairs = table.match_offsets.iter().map(|&(value, by)| (value, to(by)));
            same_switch(&code.switches[i as usize], to(table.default), pairs.collect())
        }
        _ => false,
    }
}

fn same_switch(ours: &Switch, default: u32, pairs: Vec<(i32, u32)>) -> bool {
    ours.default == default
        && ours.iter().collect::<Vec<_>>() == pairs
        && pairs.iter().all(|&(value, target)| ours.target(value) == target)
}

fn compare_code(class: &ClassFile, ours: &Code, theirs: &CodeData<'_>) -> Result<usize, String> {
    let opcodes = &theirs.bytecode.as_ref().ok_or("no bytecode")?.opcodes;
    if ours.instructions.len() != opcodes.len() {
        return Err(format!("{} instructions, cafebabe has {}", ours.instructions.len(), opcodes.len()));
    }
    if (ours.max_stack, ours.max_locals) != (theirs.max_stack, theirs.max_locals) {
        return Err("stack and locals".into());
    }
    for (i, (at, opcode)) in opcodes.iter().enumerate() {
        if ours.offsets[i] as usize != *at || !same(class, ours, ours.instructions[i], *at, opcode) {
            return Err(format!(
                "instruction {i}: {:?}, cafebabe has {opcode:?} at {at}",
                ours.instructions[i]
            ));
        }
    }
    let size = theirs.code.len() as u32;
    let offset = |index: u32| ours.offsets.get(index as usize).map_or(size, |&o| o);
    let handlers: Vec<_> = ours
        .handlers
        .iter()
        .map(|h| (offset(h.from), offset(h.to), offset(h.target), h.catch.as_deref().map(str::to_owned)))
        .collect();
    let others: Vec<_> = theirs
        .exception_table
        .iter()
        .map(|h| {
            let catch = h.catch_type.as_ref().map(|c| c.to_string());
            (u32::from(h.start_pc), u32::from(h.end_pc), u32::from(h.handler_pc), catch)
        })
        .collect();
    if handlers != others {
        return Err(format!("handlers {handlers:?}, cafebabe has {others:?}"));
    }
    compare_debug(ours, &theirs.attributes, &offset)?;
    Ok(opcodes.len())
}

fn compare_debug(
    ours: &Code,
    theirs: &[AttributeInfo<'_>],
    offset: &dyn Fn(u32) -> u32,
) -> Result<(), String> {
    let (mut lines, mut variables) = (Vec::new(), Vec::new());
    for attribute in theirs {
        match &attribute.data {
            AttributeData::LineNumberTable(table) => {
                lines.extend(table.iter().map(|l| (u32::from(l.start_pc), l.line_number)));
            }
            AttributeData::LocalVariableTable(table) => variables.extend(table.iter().map(|v| {
                let (start, end) = (u32::from(v.start_pc), u32::from(v.start_pc) + u32::from(v.length));
                (start, end, v.name.to_string(), v.descriptor.to_string(), v.index)
            })),
            _ => {}
        }
    }
    lines.sort_by_key(|l| l.0);
    if !ours.lines.iter().map(|l| (offset(l.0), l.1)).eq(lines.iter().copied()) {
        return Err(format!("lines {:?}, cafebabe has {lines:?}", ours.lines));
    }
    let own = ours.variables.iter();
    let own: Vec<_> = own
        .map(|v| (offset(v.from), offset(v.to), v.name.to_string(), v.descriptor.to_string(), v.slot))
        .collect();
    if own == variables { Ok(()) } else { Err(format!("variables {own:?}, cafebabe has {variables:?}")) }
}

/// Compares a class; the number of instructions compared, or what differs.
pub(super) fn compare(bytes: &[u8], ours: &ClassFile) -> Result<usize, String> {
    let theirs = cafebabe::parse_class(bytes).map_err(|e| format!("cafebabe refuses: {e}"))?;
    if *ours.name != *theirs.this_class
        || ours.super_name.as_deref() != theirs.super_class.as_deref()
        || !ours.interfaces.iter().map(|i| &**i).eq(theirs.interfaces.iter().map(|i| &**i))
        || ours.access & theirs.access_flags.bits() != theirs.access_flags.bits()
        || ours.version != (theirs.major_version, theirs.minor_version)
    {
        return Err("name, superclass, interfaces, access or version".into());
    }
    let fields = theirs.fields.iter().map(|f| (f.name.to_string(), f.descriptor.to_string()));
    if !ours.fields.iter().map(|f| (f.name.to_string(), f.descriptor.to_string())).eq(fields) {
        return Err("fields".into());
    }
    compare_class_attributes(ours, &theirs.attributes)?;
    if ours.methods.len() != theirs.methods.len() {
        return Err(format!("{} methods, cafebabe has {}", ours.methods.len(), theirs.methods.len()));
    }
    let mut compared = 0;
    for (own, other) in ours.methods.iter().zip(&theirs.methods) {
        let place = |e: String| format!("{}{}: {e}", own.name, own.descriptor);
        if *own.name != *other.name || *own.descriptor != *other.descriptor.to_string() {
            return Err(place(format!("cafebabe has {}", other.name)));
        }
        let code = other.attributes.iter().find_map(|a| match &a.data {
            AttributeData::Code(code) => Some(code),
            _ => None,
        });
        match (&own.code, code) {
            (Some(own), Some(other)) => compared += compare_code(ours, own, other).map_err(place)?,
            (None, None) => {}
            _ => return Err(place("code or none".into())),
        }
    }
    Ok(compared)
}

fn compare_class_attributes(ours: &ClassFile, theirs: &[AttributeInfo<'_>]) -> Result<(), String> {
    for attribute in theirs {
        let same = match &attribute.data {
            AttributeData::SourceFile(file) => ours.source_file.as_deref() == Some(&**file),
            AttributeData::Signature(text) => ours.signature.as_deref() == Some(&**text),
            AttributeData::NestHost(name) => ours.nest_host.as_deref() == Some(&**name),
            AttributeData::NestMembers(names) => {
                ours.nest_members.iter().map(|n| &**n).eq(names.iter().map(|n| &**n))
            }
            AttributeData::PermittedSubclasses(names) => {
                ours.permitted.iter().map(|n| &**n).eq(names.iter().map(|n| &**n))
            }
            AttributeData::InnerClasses(all) => {
                ours.inner_classes.iter().map(|i| &*i.inner).eq(all.iter().map(|i| &*i.inner_class_info))
            }
            AttributeData::Record(parts) => ours
                .record
                .as_ref()
                .is_some_and(|own| own.iter().map(|c| &*c.name).eq(parts.iter().map(|c| &*c.name))),
            AttributeData::RuntimeVisibleAnnotations(all) => ours
                .annotations
                .iter()
                .map(|a| a.descriptor.to_string())
                .eq(all.iter().map(|a| a.type_descriptor.to_string())),
            AttributeData::BootstrapMethods(all) => {
                ours.bootstrap.iter().map(|b| b.arguments.len()).eq(all.iter().map(|b| b.arguments.len()))
            }
            _ => true,
        };
        if !same {
            return Err(format!("attribute {}", attribute.name));
        }
    }
    Ok(())
}
