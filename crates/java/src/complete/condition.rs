//! Ground formulas of invariants as conditions on the inputs of a path.

use evergreen_heap::ground::{Ground, Number};
use evergreen_heap::{FieldId, Object, Order};
use evergreen_symbolic::{Binary, Cast, Cond, Const, Expr, Exprs, Kind, Rel};

/// The conjuncts of a formula as conditions, without those that are always true; `field` gives the value of a
/// plain field. `None` if one is unknown.
pub(crate) fn conditions(
    exprs: &mut Exprs,
    formula: &Ground,
    field: &impl Fn(Object, FieldId) -> Option<Expr>,
) -> Option<Vec<Cond>> {
    let mut writing = Writing { exprs, field };
    let all = match formula {
        Ground::And(all) => all.iter().map(|each| writing.formula(each)).collect::<Option<Vec<_>>>()?,
        other => vec![writing.formula(other)?],
    };
    Some(all.into_iter().filter(|condition| *condition != Cond::TRUE).collect())
}

struct Writing<'w, F> {
    exprs: &'w mut Exprs,
    field: &'w F,
}

impl<F: Fn(Object, FieldId) -> Option<Expr>> Writing<'_, F> {
    fn formula(&mut self, formula: &Ground) -> Option<Cond> {
        Some(match formula {
            Ground::Constant(true) => Cond::TRUE,
            Ground::Constant(false) => Cond::FALSE,
            Ground::Not(inner) => self.formula(inner)?.negated(),
            Ground::And(all) => {
                let mut said = Cond::TRUE;
                for each in all {
                    let each = self.formula(each)?;
                    said = self.exprs.and(said, each);
                }
                said
            }
            Ground::Or(any) => {
                let mut said = Cond::FALSE;
                for each in any {
                    let each = self.formula(each)?;
                    said = self.exprs.or(said, each);
                }
                said
            }
            Ground::Compare(order, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                self.relate(rel(*order), a, b)
            }
        })
    }

    /// A number as it is; ints stay ints where they are only compared with each other.
    fn number(&mut self, number: &Number) -> Option<Expr> {
        Some(match number {
            Number::Constant(n) => self.exprs.constant(match i32::try_from(*n) {
                Ok(n) => Const::I32(n),
                Err(_) => Const::I64(*n),
            }),
            Number::Field(object, field) => {
                let field = (self.field)(*object, *field)?;
                matches!(self.exprs.kind(field), Kind::I32 | Kind::I64).then_some(field)?
            }
            Number::Add(a, b) => self.binary(Binary::Add, a, b)?,
            Number::Sub(a, b) => self.binary(Binary::Sub, a, b)?,
            Number::Mul(a, b) => self.binary(Binary::Mul, a, b)?,
            // The remainder by a power of two that is never negative is the low bits.
            Number::Mod(a, n) => self.binary(Binary::And, a, &Number::Constant(n - 1))?,
            Number::Max(a, b) => self.one_of(Rel::Ge, a, b)?,
            Number::Min(a, b) => self.one_of(Rel::Le, a, b)?,
            Number::If(condition, a, b) => {
                let condition = self.formula(condition)?;
                let (a, b) = (self.long(a)?, self.long(b)?);
                self.exprs.ite(condition, a, b)
            }
        })
    }

    fn long(&mut self, number: &Number) -> Option<Expr> {
        let expr = self.number(number)?;
        Some(self.widened(expr))
    }

    fn widened(&mut self, expr: Expr) -> Expr {
        match self.exprs.kind(expr) {
            Kind::I32 => self.exprs.cast(Cast::I2L, expr),
            _ => expr,
        }
    }

    fn binary(&mut self, op: Binary, a: &Number, b: &Number) -> Option<Expr> {
        let (a, b) = (self.long(a)?, self.long(b)?);
        Some(self.exprs.binary(op, a, b))
    }

    /// The first if it stands in a relation to the second, else the second.
    fn one_of(&mut self, rel: Rel, a: &Number, b: &Number) -> Option<Expr> {
        let (a, b) = (self.long(a)?, self.long(b)?);
        let first = self.exprs.relate(rel, a, b);
        Some(self.exprs.ite(first, a, b))
    }

    fn relate(&mut self, rel: Rel, a: Expr, b: Expr) -> Cond {
        if self.exprs.kind(a) == self.exprs.kind(b) {
            return self.exprs.relate(rel, a, b);
        }
        let (a, b) = (self.widened(a), self.widened(b));
        self.exprs.relate(rel, a, b)
    }
}

fn rel(order: Order) -> Rel {
    match order {
        Order::Less => Rel::Lt,
        Order::AtMost => Rel::Le,
        Order::Equal => Rel::Eq,
        Order::Unequal => Rel::Ne,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_symbolic::{Assignment, InputKind, Ints};

    #[test]
    fn conditions_hold_where_formulas_do() {
        use Number::{Constant as C, If, Max, Min, Mod, Mul, Sub};
        let field = |object, field| Number::Field(Object(object), FieldId(field));
        let (a, b) = (|| Box::new(field(0, 0)), || Box::new(field(1, 0)));
        let less = |x: Number, y: Number| Ground::Compare(Order::Less, x, y);
        let formulas = [
            less(*a(), *b()),
            Ground::Compare(Order::Equal, Number::Add(a(), b()), C(3)),
            Ground::Compare(Order::AtMost, Mul(a(), b()), Sub(a(), Box::new(C(2)))),
            Ground::Compare(Order::Equal, Mod(a(), 4), C(1)),
            Ground::Compare(Order::Unequal, Max(a(), Box::new(C(0))), Min(b(), a())),
            Ground::Compare(
                Order::AtMost,
                If(Box::new(less(*a(), C(0))), Box::new(Sub(Box::new(C(0)), a())), a()),
                *b(),
            ),
            Ground::Or(vec![
                Ground::Not(Box::new(less(*b(), *a()))),
                Ground::And(vec![less(C(-1), *a()), less(C(1), *b())]),
            ]),
            Ground::Constant(false),
        ];
        let mut exprs = Exprs::new(Ints::Wrapped);
        let inputs = [exprs.input("a", InputKind::Int, None), exprs.input("b", InputKind::Long, None)];
        for formula in &formulas {
            let all = conditions(&mut exprs, formula, &|o, _| inputs.get(usize::from(o.0)).copied()).unwrap();
            let mut seen = [false; 2];
            for x in -5..=5i64 {
                for y in -5..=5i64 {
                    let mut values = Assignment::new();
                    values.set(&exprs, exprs.as_input(inputs[0]).unwrap(), Const::I32(x as i32));
                    values.set(&exprs, exprs.as_input(inputs[1]).unwrap(), Const::I64(y));
                    let expected = formula.holds(&|object, _| if object.0 == 0 { x } else { y });
                    assert_eq!(all.iter().all(|c| exprs.holds(*c, &values)), expected, "{formula:?} {x} {y}");
                    seen[usize::from(expected)] = true;
                }
            }
            assert!(seen == [true; 2] || *formula == Ground::Constant(false), "{formula:?}");
        }
        let unknown = less(field(5, 0), C(1));
        assert_eq!(conditions(&mut exprs, &unknown, &|_, _| None), None);
    }
}
