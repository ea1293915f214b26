//! The same operations on values of which one depends on the inputs.

use evergreen_classfile as file;
use evergreen_symbolic::{Binary, Cast, Compare, Cond, Const, Expr, Rel};

use crate::machine::Jvm;
use crate::value::Value;

impl Jvm {
    /// A value as an expression. References have none: zero stands for what linked code never asks.
    pub fn expr(&mut self, value: Value) -> Expr {
        let constant = match value {
            Value::Sym(expr) => return expr,
            Value::Int(value) => Const::I32(value),
            Value::Long(value) => Const::I64(value),
            Value::Float(value) => Const::f32(value),
            Value::Double(value) => Const::f64(value),
            Value::Null | Value::Ref(_) | Value::Pad | Value::Unset | Value::ReturnAddress(_) => {
                Const::I32(0)
            }
        };
        self.exprs.borrow_mut().constant(constant)
    }

    /// An expression as a value: concrete if it is a constant.
    pub fn value(&self, expr: Expr) -> Value {
        match self.exprs.borrow().as_const(expr) {
            Some(constant) => from_const(constant),
            None => Value::Sym(expr),
        }
    }

    #[cold]
    pub(crate) fn symbolic_binary(&mut self, op: file::Op, a: Value, b: Value) -> Value {
        let (a, b) = (self.expr(a), self.expr(b));
        let result = self.exprs.borrow_mut().binary(binary(op), a, b);
        self.value(result)
    }

    #[cold]
    pub(crate) fn symbolic_neg(&mut self, value: Value) -> Value {
        let value = self.expr(value);
        let result = self.exprs.borrow_mut().neg(value);
        self.value(result)
    }

    #[cold]
    pub(crate) fn symbolic_cast(&mut self, conversion: file::Conversion, value: Value) -> Value {
        let value = self.expr(value);
        let result = self.exprs.borrow_mut().cast(cast(conversion), value);
        self.value(result)
    }

    #[cold]
    pub(crate) fn symbolic_compare(&mut self, comparison: file::Comparison, a: Value, b: Value) -> Value {
        let (a, b) = (self.expr(a), self.expr(b));
        let result = self.exprs.borrow_mut().compare(compare(comparison), a, b);
        self.value(result)
    }

    #[cold]
    pub(crate) fn symbolic_relation(&mut self, rel: file::Rel, a: Value, b: Value) -> Cond {
        let (a, b) = (self.expr(a), self.expr(b));
        self.exprs.borrow_mut().relate(relation(rel), a, b)
    }
}

/// A constant as a value.
pub(crate) fn from_const(constant: Const) -> Value {
    match constant {
        Const::I32(value) => Value::Int(value),
        Const::I64(value) => Value::Long(value),
        Const::F32(bits) => Value::Float(f32::from_bits(bits)),
        Const::F64(bits) => Value::Double(f64::from_bits(bits)),
    }
}

fn binary(op: file::Op) -> Binary {
    match op {
        file::Op::Add => Binary::Add,
        file::Op::Sub => Binary::Sub,
        file::Op::Mul => Binary::Mul,
        file::Op::Div => Binary::Div,
        file::Op::Rem => Binary::Rem,
        file::Op::Shl => Binary::Shl,
        file::Op::Shr => Binary::Shr,
        file::Op::Ushr => Binary::Ushr,
        file::Op::And => Binary::And,
        file::Op::Or => Binary::Or,
        file::Op::Xor => Binary::Xor,
    }
}

fn cast(conversion: file::Conversion) -> Cast {
    match conversion {
        file::Conversion::IntToLong => Cast::I2L,
        file::Conversion::IntToFloat => Cast::I2F,
        file::Conversion::IntToDouble => Cast::I2D,
        file::Conversion::LongToInt => Cast::L2I,
        file::Conversion::LongToFloat => Cast::L2F,
        file::Conversion::LongToDouble => Cast::L2D,
        file::Conversion::FloatToInt => Cast::F2I,
        file::Conversion::FloatToLong => Cast::F2L,
        file::Conversion::FloatToDouble => Cast::F2D,
        file::Conversion::DoubleToInt => Cast::D2I,
        file::Conversion::DoubleToLong => Cast::D2L,
        file::Conversion::DoubleToFloat => Cast::D2F,
        file::Conversion::IntToByte => Cast::I2B,
        file::Conversion::IntToChar => Cast::I2C,
        file::Conversion::IntToShort => Cast::I2S,
    }
}

fn compare(comparison: file::Comparison) -> Compare {
    match comparison {
        file::Comparison::Long => Compare::Lcmp,
        file::Comparison::FloatLess => Compare::Fcmpl,
        file::Comparison::FloatGreater => Compare::Fcmpg,
        file::Comparison::DoubleLess => Compare::Dcmpl,
        file::Comparison::DoubleGreater => Compare::Dcmpg,
    }
}

fn relation(rel: file::Rel) -> Rel {
    match rel {
        file::Rel::Eq => Rel::Eq,
        file::Rel::Ne => Rel::Ne,
        file::Rel::Lt => Rel::Lt,
        file::Rel::Ge => Rel::Ge,
        file::Rel::Gt => Rel::Gt,
        file::Rel::Le => Rel::Le,
    }
}
