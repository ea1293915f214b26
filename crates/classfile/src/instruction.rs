//! Instructions, one variant per meaning: `wide` and short forms are folded in,
//! targets are instruction indices.

/// Index into the class's [`ConstantPool`](crate::ConstantPool); the entry's tag was
/// checked when the code was read.
pub type PoolIndex = u16;

/// The kind of a local variable or a stack slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
    Ref,
}

/// The element type of an array instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ArrayKind {
    /// `byte` and `boolean`: the same instructions serve both.
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Ref,
}

/// The element type of `newarray`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Primitive {
    Boolean,
    Char,
    Float,
    Double,
    Byte,
    Short,
    Int,
    Long,
}

impl Primitive {
    /// Its descriptor.
    pub fn descriptor(self) -> &'static str {
        match self {
            Primitive::Boolean => "Z",
            Primitive::Char => "C",
            Primitive::Float => "F",
            Primitive::Double => "D",
            Primitive::Byte => "B",
            Primitive::Short => "S",
            Primitive::Int => "I",
            Primitive::Long => "J",
        }
    }
}

/// Operations on two numbers. The bit operations exist for int and long only; a shift's
/// distance is always an int.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    /// `>>`, with the sign.
    Shr,
    /// `>>>`, with zeros.
    Ushr,
    And,
    Or,
    Xor,
}

/// Conversions between the primitive types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Conversion {
    IntToLong,
    IntToFloat,
    IntToDouble,
    LongToInt,
    LongToFloat,
    LongToDouble,
    FloatToInt,
    FloatToLong,
    FloatToDouble,
    DoubleToInt,
    DoubleToLong,
    DoubleToFloat,
    IntToByte,
    IntToChar,
    IntToShort,
}

/// Comparisons that push -1, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `lcmp`
    Long,
    /// `fcmpl`: -1 for NaN.
    FloatLess,
    /// `fcmpg`: 1 for NaN.
    FloatGreater,
    /// `dcmpl`: -1 for NaN.
    DoubleLess,
    /// `dcmpg`: 1 for NaN.
    DoubleGreater,
}

/// Relations of conditional jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Rel {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

impl Rel {
    /// Whether `left` is so related to `right`.
    pub fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Rel::Eq => left == right,
            Rel::Ne => left != right,
            Rel::Lt => left < right,
            Rel::Ge => left >= right,
            Rel::Gt => left > right,
            Rel::Le => left <= right,
        }
    }

    /// The relation that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> Rel {
        match self {
            Rel::Eq => Rel::Ne,
            Rel::Ne => Rel::Eq,
            Rel::Lt => Rel::Ge,
            Rel::Ge => Rel::Lt,
            Rel::Gt => Rel::Le,
            Rel::Le => Rel::Gt,
        }
    }
}

/// Instructions that only rearrange stack slots (a long or double is two slots).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum StackOp {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

/// How a method is called by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum InvokeKind {
    Virtual,
    Special,
    Static,
    Interface,
}

/// One instruction. Jump targets are indices into
/// [`Code::instructions`](crate::Code::instructions) and always valid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    /// Does nothing.
    Nop,
    /// Pushes null.
    Null,
    /// Pushes an int: `iconst`, `bipush`, `sipush`, `ldc`.
    Int(i32),
    /// Pushes a long.
    Long(i64),
    /// Pushes a float.
    Float(f32),
    /// Pushes a double.
    Double(f64),
    /// Pushes any other constant: string, class, method handle, method type, or a dynamic one of any type.
    Ldc(PoolIndex),
    /// Pushes a local variable.
    Load(Kind, u16),
    /// Pops into a local variable; with `Ref` it may also be a return address.
    Store(Kind, u16),
    /// Adds to an int variable.
    Iinc(u16, i16),
    /// Pushes an element of an array.
    ArrayLoad(ArrayKind),
    /// Pops into an element of an array.
    ArrayStore(ArrayKind),
    /// Rearranges the stack.
    Stack(StackOp),
    /// Two numbers of the kind (a shift's right one is an int) become one.
    Arith(Kind, Op),
    /// Changes the sign.
    Neg(Kind),
    /// Converts a number.
    Convert(Conversion),
    /// Two numbers become -1, 0 or 1.
    Compare(Comparison),
    /// Jumps if the int on the stack is so related to zero.
    If(Rel, u32),
    /// Jumps if the lower int is so related to the upper one.
    IfIcmp(Rel, u32),
    /// Jumps if two references are the same (`Eq`) or not (`Ne`).
    IfAcmp(Rel, u32),
    /// Jumps if a reference is null (`Eq`) or not (`Ne`).
    IfNull(Rel, u32),
    /// Jumps.
    Goto(u32),
    /// Pushes the address of the next instruction and jumps (before Java 7).
    Jsr(u32),
    /// Jumps to the address in a local variable.
    Ret(u16),
    /// Jumps by an int: index into [`Code::switches`](crate::Code::switches).
    Switch(u32),
    /// Returns; `None` is void.
    Return(Option<Kind>),
    /// Pushes a static field.
    GetStatic(PoolIndex),
    /// Pops into a static field.
    PutStatic(PoolIndex),
    /// Pushes a field of an object.
    GetField(PoolIndex),
    /// Pops into a field of an object.
    PutField(PoolIndex),
    /// Calls a method.
    Invoke(InvokeKind, PoolIndex),
    /// Calls what a call site is linked to.
    InvokeDynamic(PoolIndex),
    /// Makes an object, not yet initialized.
    New(PoolIndex),
    /// Makes an array of primitives.
    NewArray(Primitive),
    /// Makes an array of references; the index names the class of the elements.
    ANewArray(PoolIndex),
    /// Makes nested arrays: the class of the outermost, and how many lengths are on the stack.
    MultiANewArray(PoolIndex, u8),
    /// Pushes the length of an array.
    ArrayLength,
    /// Throws.
    Throw,
    /// Throws unless the reference is null or of the class.
    CheckCast(PoolIndex),
    /// Pushes whether the reference is of the class, and not null.
    InstanceOf(PoolIndex),
    /// Enters a monitor.
    MonitorEnter,
    /// Leaves a monitor.
    MonitorExit,
}

impl Instruction {
    /// The target of a jump that has exactly one.
    pub fn target(self) -> Option<u32> {
        match self {
            Instruction::If(_, t)
            | Instruction::IfIcmp(_, t)
            | Instruction::IfAcmp(_, t)
            | Instruction::IfNull(_, t)
            | Instruction::Goto(t)
            | Instruction::Jsr(t) => Some(t),
            _ => None,
        }
    }

    /// Whether control never reaches the next instruction from here.
    pub fn ends_block(self) -> bool {
        use Instruction::*;
        matches!(self, Goto(_) | Ret(_) | Switch(_) | Return(_) | Throw | Jsr(_))
    }
}
