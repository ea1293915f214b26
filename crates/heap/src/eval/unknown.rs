//! Parts of an invariant that cannot be false, because no object has a value of the
//! fields that they are about.
//!
//! While a structure is being made its keys, colours and degrees are mostly not known, and most of an
//! invariant's text is about them. The result holds for every heap in which no other fields have values, so
//! it is computed once for each set of fields, not once for each heap.
//!
//! A comparison is false where one side is *undefined* (a field of nothing), so it must be shown that both
//! sides are defined: fields of a quantifier's variable are, and `n.next.rank` is where `some n.next` is
//! known, as in `some n.next => n.rank < n.next.rank`.
//!
//! Some integers are known all the same: the black height of nothing is 0. So for each term the least
//! and the greatest of its known values is found, through functions too, and a comparison that holds of
//! all of them cannot be false.

use crate::eval::number::MAX_SCOPE;
use crate::invariant::{ClassId, FieldId, Formula, FunId, Int, Invariant, Many, Rel, Set, Var};

/// The parts of an invariant that are not false of any heap in which only the fields `known` have values, one
/// bit for each of the first 64 parts.
pub(super) fn cannot_fail(invariant: &Invariant, known: u64) -> u64 {
    let unknown = Unknown { invariant, known };
    let parts = invariant.parts.iter().take(64).enumerate();
    let parts = parts.filter(|(_, part)| unknown.formula(&part.formula, &mut Context::default()));
    parts.fold(0, |all, (at, _)| all | 1 << at)
}

struct Unknown<'a> {
    invariant: &'a Invariant,
    known: u64,
}

/// The facts known where a term is evaluated.
#[derive(Default)]
struct Context<'a> {
    /// Sets that are not empty there.
    some: Vec<&'a Set>,
    /// The first variable is a function's argument: it may be nothing.
    in_function: bool,
    /// Functions under analysis, with the assumed ranges of their values.
    calls: Vec<(FunId, Values)>,
}

impl<'a> Unknown<'a> {
    /// Whether a formula is true or unknown for sure.
    fn formula(&self, formula: &'a Formula, context: &mut Context<'a>) -> bool {
        match formula {
            Formula::Constant(b) => *b,
            Formula::And(all) => all.iter().all(|f| self.formula(f, context)),
            Formula::Or(any) => {
                // Each is looked at only where the others are false.
                let before = context.some.len();
                context.some.extend(any.iter().filter_map(some_if_false));
                let found = any.iter().any(|f| self.formula(f, context));
                context.some.truncate(before);
                found
            }
            // Sets of the body that are known not to be empty have no variable of the quantifier.
            Formula::All(_, _, body) => self.formula(body, &mut Context::default()),
            Formula::Compare(order, a, b) => match (self.values(a, context), self.values(b, context)) {
                (Some(a), Some(b)) => a.zip(b).is_none_or(|(a, b)| order.certain(a, b)),
                _ => false,
            },
            Formula::Many(Many::No | Many::Lone, set) | Formula::In(set, _) => self.unknown_step(set),
            Formula::Equal(set, Set::Var(_)) => self.unknown_step(set),
            Formula::Not(f) => match &**f {
                Formula::Many(Many::Some, set) => self.unknown_step(set),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a set is what an everywhere unknown field leads to from a variable: nothing must
    /// be in it, and anything may.
    fn unknown_step(&self, set: &Set) -> bool {
        match set {
            Set::Join(of, rel) => match (&**of, self.invariant.relations[usize::from(rel.0)]) {
                (Set::Var(_), Rel::Field(field)) => self.everywhere_unknown(field),
                _ => false,
            },
            _ => false,
        }
    }

    fn everywhere_unknown(&self, field: FieldId) -> bool {
        self.known & (1 << field.0) == 0 && self.is_simple()
    }

    /// Whether there is one class besides the root: there a variable cannot be of a class without the field.
    fn is_simple(&self) -> bool {
        self.invariant.shape.classes.len() <= 2
    }

    /// Whether every member of a set has the field.
    fn has(&self, set: &Set, field: FieldId, context: &Context<'_>) -> bool {
        self.is_simple()
            && match set {
                Set::Var(Var(0)) if context.in_function => context.some.contains(&set),
                Set::Var(_) => true,
                Set::This => self.invariant.shape.fields_of(ClassId(0)).contains(&field),
                _ => context.some.contains(&set),
            }
    }

    /// Whether the truth of a formula is unknown for sure.
    fn undecided(&self, formula: &'a Formula, context: &mut Context<'a>) -> bool {
        match formula {
            Formula::Compare(_, a, b) => {
                let sides = (self.values(a, context), self.values(b, context));
                matches!(sides, (Some(a), Some(b)) if a.is_none() || b.is_none())
            }
            _ => false,
        }
    }

    /// The range of an integer; none if it may be undefined.
    fn values(&self, int: &'a Int, context: &mut Context<'a>) -> Option<Values> {
        match int {
            Int::Number(n) => Some(Some((*n, *n))),
            Int::Field(set, field) => self
                .has(set, *field, context)
                .then(|| (!self.everywhere_unknown(*field)).then_some((i64::MIN, i64::MAX))),
            Int::Count(_) => Some(Some((0, i64::MAX))),
            Int::Add(a, b) => {
                self.both(a, b, context, |a, b| (a.0.saturating_add(b.0), a.1.saturating_add(b.1)))
            }
            Int::Sub(a, b) => {
                self.both(a, b, context, |a, b| (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)))
            }
            Int::Mul(a, b) => self.both(a, b, context, |_, _| (i64::MIN, i64::MAX)),
            Int::Max(a, b) => self.both(a, b, context, |a, b| (a.0.max(b.0), a.1.max(b.1))),
            Int::Min(a, b) => self.both(a, b, context, |a, b| (a.0.min(b.0), a.1.min(b.1))),
            Int::Mod(a, n) => Some(self.values(a, context)?.map(|_| (0, n - 1))),
            Int::If(condition, ..) if self.undecided(condition, context) => Some(None),
            Int::If(condition, a, b) => {
                let before = context.some.len();
                context.some.extend(some_if_true(condition));
                let first = self.values(a, context);
                context.some.truncate(before);
                context.some.extend(some_if_false(condition));
                let second = self.values(b, context);
                context.some.truncate(before);
                Some(either(first?, second?))
            }
            Int::Sum(..) => None,
            Int::Call(fun, _) => self.call(*fun, context),
        }
    }

    fn both(
        &self,
        a: &'a Int,
        b: &'a Int,
        context: &mut Context<'a>,
        f: impl Fn((i64, i64), (i64, i64)) -> (i64, i64),
    ) -> Option<Values> {
        let (a, b) = (self.values(a, context)?, self.values(b, context)?);
        Some(a.zip(b).map(|(a, b)| f(a, b)))
    }

    /// The values that a function can return. Recursion ends, so a property that each call passes on from its
    /// inner calls always holds: the least such range is found from below, in few steps.
    fn call(&self, fun: FunId, context: &mut Context<'a>) -> Option<Values> {
        // The value for nothing must not be made of itself, which would be undefined.
        if context.in_function && !context.some.contains(&&ARGUMENT) {
            return None;
        }
        if let Some((_, assumed)) = context.calls.iter().find(|(called, _)| *called == fun) {
            return Some(*assumed);
        }
        let function = &self.invariant.functions[usize::from(fun.0)];
        let within = |(low, high): (i64, i64)| function.low <= low && high <= function.high.value(MAX_SCOPE);
        let mut assumed = None;
        for _ in 0..STEPS {
            let mut calls = context.calls.clone();
            calls.push((fun, assumed));
            let mut inside = Context { some: Vec::new(), in_function: true, calls };
            let found = self.values(&function.body, &mut inside)?;
            if !found.is_none_or(within) {
                return None;
            }
            if found == assumed {
                return Some(found);
            }
            assumed = either(found, assumed);
        }
        None
    }
}

/// The least and the greatest value that an integer has where it is known; none if it never is.
type Values = Option<(i64, i64)>;

/// The argument of a function.
const ARGUMENT: Set = Set::Var(Var(0));

/// Rounds until the values of a function must be found.
const STEPS: usize = 4;

fn either(a: Values, b: Values) -> Values {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (one, other) => one.or(other),
    }
}

/// The set that is not empty if a formula is false.
fn some_if_false(formula: &Formula) -> Option<&Set> {
    match formula {
        Formula::Not(inside) => some_if_true(inside),
        Formula::Many(Many::No, set) => Some(set),
        _ => None,
    }
}

/// The set that is not empty if a formula is true.
fn some_if_true(formula: &Formula) -> Option<&Set> {
    match formula {
        Formula::Not(inside) => some_if_false(inside),
        Formula::Many(Many::Some | Many::One, set) => Some(set),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Eval, Scratch, Truth};
    use crate::heap::{Heap, Object, Value};
    use evergreen_testing::heap_subjects::{INVARIANTS, text as subject};

    /// The parts that can be false when only some fields have values.
    fn can_fail(class: &str, known: &[&str]) -> Vec<String> {
        let invariant = crate::parse(subject(class)).unwrap();
        let known = known.iter().fold(0, |all, name| all | 1 << invariant.shape.field(name).unwrap().0);
        let cannot = cannot_fail(&invariant, known);
        let parts = invariant.parts.iter().enumerate().filter(|(at, _)| cannot >> at & 1 == 0);
        parts.map(|(_, part)| part.name.clone()).collect()
    }

    #[test]
    fn what_is_about_references_can_fail_and_the_rest_only_with_its_fields() {
        let references = ["nodes", "child", "sibling"];
        let holders = ["first_unheld", "unshared", "acyclic", "halves"];
        assert_eq!(can_fail("BinomialHeap", &references), holders);
        let with = |more: &[&str]| {
            let mut failing = can_fail("BinomialHeap", &[&references[..], more].concat());
            failing.retain(|part| !holders.contains(&&**part));
            failing
        };
        assert_eq!(with(&["size"]), ["counted"]);
        assert_eq!(with(&["degree"]), ["degrees", "roots_rise"]);
        assert_eq!(with(&["key"]), [""; 0]);
        assert_eq!(with(&["parent"]), ["roots_have_no_parent", "children_know_their_parent"]);
        assert_eq!(with(&["parent", "key"]).len(), 3);
    }

    #[test]
    fn constants_are_compared_even_where_fields_are_unknown() {
        let known = ["root", "left", "right"];
        let references = ["root_has_no_parent", "unshared", "acyclic"];
        // The height of nothing is -1, whatever is known: as much on both sides, and more than one
        // less than that is not there.
        assert_eq!(can_fail("AvlTree", &known), references);
        assert_eq!(can_fail("TreeSet", &known), references);
        // The known value of the recursion is 0 on both sides, until there are colours.
        let coloured = ["root", "left", "right", "color"];
        assert!(can_fail("TreeSet", &coloured).contains(&"balanced".to_string()));
    }

    #[test]
    fn functions_are_looked_into_as_far_as_their_values_are_few() {
        let cannot = |function: &str, part: &str| {
            let text = format!(
                "root class Tree {{ root: Node }}\nclass Node {{ left: Node right: Node rank: int 0..scope \
                 }}\n\
                 fun f(n: Node): -1..9 = {function}\ninvariant it: all n in Node: {part}"
            );
            let invariant = crate::parse(&text).unwrap_or_else(|e| panic!("{e}"));
            cannot_fail(&invariant, 0b111) == 1
        };
        let nothing = "if no n then 0 else n.rank";
        assert!(cannot(nothing, "f(n.left) = f(n.right)") && cannot(nothing, "f(n.left) < f(n.right) + 1"));
        assert!(cannot(nothing, "f(n.left) != 1") && !cannot(nothing, "f(n.left) != 0"));
        assert!(!cannot(nothing, "f(n.left) < f(n.right)"));
        let sum = "if no n then 0 else f(n.left) + f(n.right) + n.rank";
        assert!(cannot(sum, "f(n.left) = f(n.right)") && !cannot(sum, "f(n.left) = 1"));
        // As many as there are nodes: any number.
        let size = "if no n then 0 else f(n.left) + f(n.right) + 1";
        assert!(!cannot(size, "f(n.left) = f(n.right)"));
        // A rank that is known to be outside of the range is undefined.
        assert!(!cannot("if no n then 0 - 2 else n.rank", "f(n.left) = f(n.right)"));
        // A field of nothing is undefined.
        assert!(!cannot("n.rank", "f(n.left) = f(n.right)"));
        assert!(!cannot("if no n then 0 else n.left.rank", "f(n.left) = f(n.right)"));
        let asked = "if no n then 0 else if n.rank = 3 then 1 else f(n.left)";
        assert!(cannot(asked, "f(n.left) = f(n.right)"));
    }

    /// Numbers that look random.
    struct Dice(u64);

    impl Dice {
        fn throw(&mut self, sides: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % sides
        }
    }

    /// A heap of up to five objects more, in which only the fields `known` have values.
    fn thrown(invariant: &Invariant, known: u64, dice: &mut Dice) -> Heap {
        let shape = &invariant.shape;
        let mut heap = Heap::new(shape);
        for _ in 0..dice.throw(6) {
            heap.add(ClassId(1));
        }
        for object in heap.objects() {
            for field in shape.fields_of(heap.class(object)) {
                let thrown = dice.throw(heap.len() + 2);
                if known >> field.0 & 1 == 0 || thrown == 0 {
                    continue;
                }
                let to = Object(thrown as u8 - 1);
                let value = match shape.target(*field) {
                    Some(target) if thrown <= heap.len() && shape.is(heap.class(to), target) => {
                        Value::Object(to)
                    }
                    Some(_) => Value::Null,
                    None => Value::Int(thrown as i32 % 2),
                };
                heap.set(object, *field, value);
            }
        }
        heap
    }

    #[test]
    fn what_cannot_fail_does_not() {
        let mut dice = Dice(7);
        let mut evaluated = 0;
        for (class, text) in INVARIANTS {
            let invariant = crate::parse(text).unwrap();
            for round in 0..4000 {
                let known = if round % 2 == 0 { 0b111 } else { dice.throw(256) as u64 };
                let heap = thrown(&invariant, known, &mut dice);
                let parts = cannot_fail(&invariant, known);
                let mut scratch = Scratch::default();
                let mut eval = Eval::new(&invariant, &heap, &mut scratch);
                if eval.well_founded() == Truth::False {
                    continue;
                }
                for (at, part) in invariant.parts.iter().enumerate().filter(|(at, _)| parts >> at & 1 == 1) {
                    let name = (class, &part.name, at);
                    let shown = heap.display(&invariant.shape).to_string();
                    assert_ne!(eval.formula(&part.formula), Truth::False, "{name:?}\n{shown}");
                    evaluated += 1;
                }
            }
        }
        assert!(evaluated > 50_000, "{evaluated}");
    }

    #[test]
    fn a_field_of_nothing_is_not_unknown() {
        let text = |part: &str| {
            format!(
                "root class Chain {{ first: Link }}\nclass Link {{ next: Link rank: int 0..scope }}\n\
                 fun bad(l: Link): 1..scope = if no l then 0 else l.rank\ninvariant it: all l in Link: {part}"
            )
        };
        let cannot = |part: &str| {
            let invariant = crate::parse(&text(part)).unwrap();
            cannot_fail(&invariant, 0b11) == 1
        };
        assert!(cannot("some l.next => l.rank < l.next.rank"));
        assert!(cannot("no l.next || l.rank < l.next.rank"));
        assert!(!cannot("l.rank < l.next.rank"));
        assert!(!cannot("no l.next => l.rank < l.next.rank"));
        // Its value for none is outside of its range, so undefined.
        assert!(!cannot("l.rank = bad(l.next)"));
        assert!(cannot("l.rank = 3") && cannot("l.rank + 1 < 3"));
        assert!(!cannot("l.rank < 3 && l = this.first"));
    }
}
