//! Shorthands that natives share: classes, fields, texts, arrays and expressions by short names.

use std::cell::RefMut;
use std::rc::Rc;

use evergreen_symbolic::{Cond, Const, Expr, Exprs, Rel};

use crate::classes::{Class, ClassId, MethodId, Shape};
use crate::native::{Call, Done, Trap};
use crate::object::Body;
use crate::value::{Kind, Ref, Value};

impl Call<'_> {
    /// The intercepted method's own code runs instead; it must have some.
    pub(super) fn interpret(&self) -> Result<Done, Trap> {
        match self.method.data.checked_sub(1) {
            Some(own) => Ok(Done::Tail { method: MethodId(own), args: self.args.to_vec() }),
            None => Err(Trap::unsupported(format!("native method {}", self.method.full_name()), "")),
        }
    }

    /// A class by internal name, loaded if need be.
    pub(super) fn class_named(&mut self, name: &str) -> Result<ClassId, Trap> {
        self.jvm.load(name)
    }

    /// A class.
    pub(super) fn class(&self, id: ClassId) -> Rc<Class> {
        self.jvm.class(id).clone()
    }

    /// The `java.lang.Class` object of a class.
    pub(super) fn mirror(&mut self, class: ClassId) -> Result<Value, Trap> {
        Ok(Value::Ref(self.jvm.mirror(self.state, class)))
    }

    /// The class that argument `index`, a `java.lang.Class` object, stands for.
    pub(super) fn mirrored(&self, index: usize) -> Result<ClassId, Trap> {
        let object = self.object(index)?;
        self.jvm
            .class_of_mirror(self.state, object)
            .ok_or_else(|| Trap::unsupported("a class object that stands for no class", ""))
    }

    /// A new object whose constructor does not run.
    pub(super) fn blank(&mut self, class: ClassId) -> Ref {
        self.jvm.new_instance(self.state, class)
    }

    /// A new object of a class given by name, whose constructor does not run.
    pub(super) fn blank_named(&mut self, class: &str) -> Result<Ref, Trap> {
        let class = self.class_named(class)?;
        Ok(self.blank(class))
    }

    /// An instance field by name; null if there is none.
    pub(super) fn field(&self, object: Ref, name: &str) -> Value {
        let class = self.jvm.class(self.state.heap.class_of(object));
        match class.instance_field(name) {
            Some(field) => self.state.heap.load(object, field.slot as usize),
            None => Value::Null,
        }
    }

    /// Writes an instance field by name; nothing happens if there is none.
    pub(super) fn set_field(&mut self, object: Ref, name: &str, value: Value) {
        let class = self.jvm.class(self.state.heap.class_of(object));
        if let Some(slot) = class.instance_field(name).map(|field| field.slot) {
            self.state.heap.store(object, slot as usize, value);
        }
    }

    /// A static field of an initialized class by name.
    pub(super) fn static_field(&self, class: ClassId, name: &str) -> Value {
        match self.jvm.class(class).static_field(name) {
            Some(field) => self.state.get_static(field.slot),
            None => Value::Null,
        }
    }

    /// Writes a static field by name; nothing happens if there is none.
    pub(super) fn set_static_field(&mut self, class: ClassId, name: &str, value: Value) {
        if let Some(slot) = self.jvm.class(class).static_field(name).map(|field| field.slot) {
            self.state.set_static(slot, value);
        }
    }

    /// A new array of `length` default elements of a class or primitive type.
    pub(super) fn make_array(&mut self, element: ClassId, length: usize) -> Result<Ref, Trap> {
        let class = self.jvm.array_of(element)?;
        let kind = match self.jvm.class(class).shape {
            Shape::Array { kind, .. } => kind,
            _ => Kind::Reference,
        };
        if length > self.jvm.options.elements {
            return Err(Trap::throw("java/lang/OutOfMemoryError", "Java heap space"));
        }
        Ok(self.state.heap.new_object(class, Body::array(kind, length)))
    }

    /// The units of argument `index`, a string; unsupported if they are symbolic.
    pub(super) fn text_argument(&self, index: usize) -> Result<Vec<u16>, Trap> {
        let object = self.object(index)?;
        self.jvm.string_units(self.state, object).ok_or_else(|| {
            Trap::unsupported(
                format!("{} with a symbolic text", self.method.full_name()),
                "make the text concrete",
            )
        })
    }

    /// The result is a string.
    pub(super) fn done_text(&mut self, text: &str) -> Result<Done, Trap> {
        let units: Vec<u16> = text.encode_utf16().collect();
        Ok(Done::Value(Value::Ref(self.jvm.intern(self.state, &units))))
    }

    /// The expressions.
    pub(crate) fn exprs(&self) -> RefMut<'_, Exprs> {
        self.jvm.exprs.borrow_mut()
    }

    /// A primitive value as an expression.
    pub(crate) fn as_expr(&self, value: Value) -> Expr {
        let constant = match value {
            Value::Sym(expr) => return expr,
            Value::Int(value) => Const::I32(value),
            Value::Long(value) => Const::I64(value),
            Value::Float(value) => Const::f32(value),
            Value::Double(value) => Const::f64(value),
            _ => Const::I32(0),
        };
        self.exprs().constant(constant)
    }

    /// An expression as a value; constants become concrete.
    pub(super) fn value_of(&self, expr: Expr) -> Value {
        match self.exprs().as_const(expr) {
            Some(Const::I32(value)) => Value::Int(value),
            Some(Const::I64(value)) => Value::Long(value),
            Some(Const::F32(bits)) => Value::Float(f32::from_bits(bits)),
            Some(Const::F64(bits)) => Value::Double(f64::from_bits(bits)),
            None => Value::Sym(expr),
        }
    }

    /// The condition that two primitive values of one type are the same.
    pub(super) fn equal(&self, a: Value, b: Value) -> Cond {
        if a.same(b) {
            return Cond::TRUE;
        }
        if !a.is_symbolic() && !b.is_symbolic() {
            return Cond::FALSE;
        }
        let (a, b) = (self.as_expr(a), self.as_expr(b));
        self.exprs().relate(Rel::Eq, a, b)
    }

    /// Whether two primitive values of one type are the same; the path branches if
    /// that depends on the inputs.
    pub(super) fn are_equal(&mut self, a: Value, b: Value) -> Result<bool, Trap> {
        let equal = self.equal(a, b);
        Ok(self.choose(&[equal, equal.negated()])? == 0)
    }

    /// The method of `object` that answers to an interface's or class's method.
    pub(super) fn selected(
        &mut self,
        object: Ref,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodId, Trap> {
        let declared = self.class_named(class)?;
        let method = self.jvm.find_method(declared, name, descriptor);
        let method = method.ok_or_else(|| Trap::unsupported(format!("a JDK without {class}.{name}"), ""))?;
        let receiver = self.state.heap.class_of(object);
        self.jvm.select(receiver, method).map_err(|trap| *trap)
    }

    /// A method that a class declares or inherits.
    pub(super) fn method_named(
        &mut self,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodId, Trap> {
        self.jvm.find_method(class, name, descriptor).ok_or_else(|| {
            Trap::unsupported(format!("a JDK without {}.{name}", self.jvm.class(class).name), "")
        })
    }
}
