//! Boxing symbolic values.
//!
//! `Integer.valueOf` looks into a cache of small values, by an index into an array of objects. For a symbolic
//! value that would be a path for each cached object, so it gets a box of its own, with a mark. Where the
//! *program* compares such a box by `==`, the answer is the condition under which the JVM would have one
//! object for both ([`Jvm::same_box`]). In the JDK's own code `==` between boxes is only ever a shortcut
//! before `equals`; there, two boxes are two.

use evergreen_symbolic::{Cond, Const, Expr, Rel};

use super::Row;
use crate::heap::Heap;
use crate::machine::Jvm;
use crate::native::{Call, Done, Trap};
use crate::pvec::PVec;
use crate::value::{Ref, Value};

pub(crate) const TABLE: &[Row] = &[
    ("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", box_value),
    ("java/lang/Long", "valueOf", "(J)Ljava/lang/Long;", box_value),
    ("java/lang/Short", "valueOf", "(S)Ljava/lang/Short;", box_value),
    ("java/lang/Byte", "valueOf", "(B)Ljava/lang/Byte;", box_value),
    ("java/lang/Character", "valueOf", "(C)Ljava/lang/Character;", box_value),
];

/// The mark, in the object's `extra`, of a box that `valueOf` made of a symbolic value.
const MARK: u32 = 1;

fn box_value(call: &mut Call) -> Result<Done, Trap> {
    if !call.args[0].is_symbolic() {
        return call.interpret();
    }
    let class = call.method.class;
    call.init(class)?;
    let object = call.blank(class);
    call.set_field(object, "value", call.args[0]);
    call.state.heap.get_mut(object).extra = MARK;
    Ok(Done::Value(Value::Ref(object)))
}

/// The class that has the cache of a box class, and the least value in it.
fn cache_of(class: &str) -> Option<(&'static str, i32)> {
    Some(match class {
        "java/lang/Integer" => ("java/lang/Integer$IntegerCache", -128),
        "java/lang/Long" => ("java/lang/Long$LongCache", -128),
        "java/lang/Short" => ("java/lang/Short$ShortCache", -128),
        "java/lang/Byte" => ("java/lang/Byte$ByteCache", -128),
        "java/lang/Character" => ("java/lang/Character$CharacterCache", 0),
        _ => return None,
    })
}

impl Jvm {
    /// The condition under which two different objects of the heap are one object on the JVM:
    /// boxes of equal small values.
    #[inline]
    pub(crate) fn same_box(&self, heap: &Heap, statics: &PVec<Value>, a: Ref, b: Ref) -> Cond {
        if heap.get(a).extra != MARK && heap.get(b).extra != MARK {
            return Cond::FALSE;
        }
        self.same_marked_box(heap, statics, a, b)
    }

    #[cold]
    fn same_marked_box(&self, heap: &Heap, statics: &PVec<Value>, a: Ref, b: Ref) -> Cond {
        let class = self.class(heap.class_of(a));
        let (Some((cache, least)), true) = (cache_of(&class.name), heap.class_of(b) == class.id) else {
            return Cond::FALSE;
        };
        let Some(slot) = class.instance_field("value").map(|field| field.slot as usize) else {
            return Cond::FALSE;
        };
        let marked = |object: Ref| heap.get(object).extra == MARK;
        let (symbolic, other) = if marked(a) { (a, b) } else { (b, a) };
        let (Value::Sym(expr), value) = (heap.load(symbolic, slot), heap.load(other, slot)) else {
            return Cond::FALSE;
        };
        match value {
            Value::Sym(value) if marked(other) => {
                let equal = self.exprs.borrow_mut().relate(Rel::Eq, expr, value);
                self.and_between(equal, expr, least)
            }
            Value::Int(_) | Value::Long(_) => {
                let number = value.as_int().map_or_else(|| value.as_long().unwrap_or(0), i64::from);
                if self.cached(heap, statics, cache, number - i64::from(least)) != Some(other) {
                    return Cond::FALSE;
                }
                let mut exprs = self.exprs.borrow_mut();
                let constant = match value {
                    Value::Long(value) => exprs.constant(Const::I64(value)),
                    _ => exprs.constant(Const::I32(number as i32)),
                };
                exprs.relate(Rel::Eq, expr, constant)
            }
            _ => Cond::FALSE,
        }
    }

    /// `equal`, and the value is one that the caches have.
    fn and_between(&self, equal: Cond, expr: Expr, least: i32) -> Cond {
        let mut exprs = self.exprs.borrow_mut();
        let wide = exprs.kind(expr) == evergreen_symbolic::Kind::I64;
        let constant = |value: i32| if wide { Const::I64(i64::from(value)) } else { Const::I32(value) };
        let (low, high) = (exprs.constant(constant(least)), exprs.constant(constant(127)));
        let from = exprs.relate(Rel::Ge, expr, low);
        let to = exprs.relate(Rel::Le, expr, high);
        let between = exprs.and(from, to);
        exprs.and(equal, between)
    }

    /// The object at a place of a cache, if the cache is there.
    fn cached(&self, heap: &Heap, statics: &PVec<Value>, cache: &str, index: i64) -> Option<Ref> {
        let field = self.class(self.loaded(cache)?).static_field("cache")?;
        let array = statics.get(field.slot as usize)?.as_ref()?;
        heap.get(array).body.get(usize::try_from(index).ok()?)?.as_ref()
    }
}
