//! What the programs of the study are made of once they are read: a flat list of instructions.
//!
//! Flat, because the machine then keeps one number as its place in a method, and taking both arms of a branch
//! is copying a state.

/// An expression over the slots of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Expr {
    /// A number.
    Number(i64),
    /// A variable of the method.
    Slot(usize),
    /// A cell of an array; the index has to be a number when it is met.
    Cell(usize, Box<Expr>),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
    /// A difference.
    Sub(Box<Expr>, Box<Expr>),
    /// A product; one side has to be a number when it is met.
    Mul(Box<Expr>, Box<Expr>),
}

/// How two expressions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
}

impl Compare {
    /// What holds when this does not.
    pub(crate) fn negated(self) -> Compare {
        match self {
            Compare::Lt => Compare::Ge,
            Compare::Le => Compare::Gt,
            Compare::Gt => Compare::Le,
            Compare::Ge => Compare::Lt,
            Compare::Eq => Compare::Ne,
            Compare::Ne => Compare::Eq,
        }
    }

    /// As programs write it.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Compare::Lt => "<",
            Compare::Le => "<=",
            Compare::Gt => ">",
            Compare::Ge => ">=",
            Compare::Eq => "==",
            Compare::Ne => "!=",
        }
    }

    /// Whether it holds for a number compared with zero.
    pub(crate) fn holds(self, difference: i128) -> bool {
        match self {
            Compare::Lt => difference < 0,
            Compare::Le => difference <= 0,
            Compare::Gt => difference > 0,
            Compare::Ge => difference >= 0,
            Compare::Eq => difference == 0,
            Compare::Ne => difference != 0,
        }
    }
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    /// A variable is given a value.
    Set {
        /// The variable.
        slot: usize,
        /// The value.
        value: Expr,
    },
    /// A cell of an array is given a value.
    Store {
        /// The array.
        array: usize,
        /// The index.
        index: Expr,
        /// The value.
        value: Expr,
    },
    /// Goes on at one of two places.
    Branch {
        /// The left side.
        left: Expr,
        /// The comparison.
        compare: Compare,
        /// The right side.
        right: Expr,
        /// Where to go when it holds.
        yes: usize,
        /// Where to go when it does not.
        no: usize,
    },
    /// Goes on elsewhere.
    Jump(usize),
    /// Calls a method.
    Call {
        /// Which.
        method: usize,
        /// The values of its parameters.
        args: Vec<Expr>,
        /// The variable for what it returns.
        into: usize,
    },
    /// Leaves the method.
    Return(Expr),
}

/// A method.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// Its parameters; they are its first slots.
    pub params: Vec<String>,
    /// How many slots it has.
    pub slots: usize,
    /// Whether exploration starts here, with symbols for parameters.
    pub entry: bool,
    /// What it does; the last instruction is a return.
    pub body: Vec<Instruction>,
}

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// Its methods.
    pub methods: Vec<Method>,
    /// How many arrays it has; all cells are 0 at first.
    pub arrays: usize,
}
