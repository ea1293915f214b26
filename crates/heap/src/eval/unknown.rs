//! Parts of an invariant that cannot be false, because no object has a value of the fields that they are about.
//!
//! While a structure is being made its keys, colours and degrees are mostly not known, and most of an invariant's text is about them. What is found here
//! holds of every heap in which no other fields have values, so it is found once for each set of fields, not once for each heap.
//!
//! A comparison is false where one side is *undefined* (a field of nothing), so it must be shown that both sides are defined: fields of a quantifier's
//! variable are, and `n.next.rank` is where `some n.next` is known, as in `some n.next => n.rank < n.next.rank`.

use crate::eval::number::MAX_SCOPE;
use crate::invariant::{ClassId, FieldId, Formula, Function, Int, Invariant, Many, Rel, Set, Var};

/// The parts of an invariant that are not false of any heap in which only the fields `known` have values, one bit for each of the first 64 parts.
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

/// What is known where a term is evaluated.
#[derive(Default)]
struct Context<'a> {
    /// Sets that are not empty there.
    some: Vec<&'a Set>,
    /// The first variable is a function's argument: it may be nothing.
    in_function: bool,
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
            Formula::Compare(_, a, b) => {
                self.unknown(a, context) && self.defined(b, context)
                    || self.defined(a, context) && self.unknown(b, context)
            }
            Formula::Many(Many::No | Many::Lone, set) | Formula::In(set, _) => self.unknown_step(set),
            Formula::Equal(set, Set::Var(_)) => self.unknown_step(set),
            Formula::Not(f) => match &**f {
                Formula::Many(Many::Some, set) => self.unknown_step(set),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a set is what an everywhere unknown field leads to from a variable: nothing must be in it, and anything may.
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

    /// Whether reading a field of what is in a set finds a field.
    fn has(&self, set: &Set, field: FieldId, context: &Context<'_>) -> bool {
        self.is_simple()
            && match set {
                Set::Var(Var(0)) if context.in_function => context.some.contains(&set),
                Set::Var(_) => true,
                Set::This => self.invariant.shape.fields_of(ClassId(0)).contains(&field),
                _ => context.some.contains(&set),
            }
    }

    /// Whether an integer is unknown for sure, and so not undefined.
    fn unknown(&self, int: &'a Int, context: &mut Context<'a>) -> bool {
        match int {
            Int::Field(set, field) => self.everywhere_unknown(*field) && self.has(set, *field, context),
            Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) | Int::Max(a, b) | Int::Min(a, b) => {
                self.unknown(a, context) && self.defined(b, context)
                    || self.defined(a, context) && self.unknown(b, context)
            }
            Int::Mod(a, _) => self.unknown(a, context),
            Int::If(condition, a, b) => self.both(condition, a, b, context, Self::unknown),
            Int::Number(_) | Int::Count(_) | Int::Sum(..) | Int::Call(..) => false,
        }
    }

    /// Whether an integer is not undefined for sure.
    fn defined(&self, int: &'a Int, context: &mut Context<'a>) -> bool {
        match int {
            Int::Number(_) | Int::Count(_) => true,
            Int::Field(set, field) => self.has(set, *field, context),
            Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) | Int::Max(a, b) | Int::Min(a, b) => {
                self.defined(a, context) && self.defined(b, context)
            }
            Int::Mod(a, _) => self.defined(a, context),
            Int::If(condition, a, b) => self.both(condition, a, b, context, Self::defined),
            Int::Sum(..) => false,
            Int::Call(fun, _) => {
                let function = &self.invariant.functions[usize::from(fun.0)];
                let mut context = Context { some: Vec::new(), in_function: true };
                function.along.is_none() && self.in_range(function, &function.body, &mut context)
            }
        }
    }

    /// Whether the value of a function is unknown or within its range; outside it is undefined.
    fn in_range(&self, function: &Function, body: &'a Int, context: &mut Context<'a>) -> bool {
        match body {
            Int::Number(n) => (function.low..=function.high.value(MAX_SCOPE)).contains(n),
            Int::If(condition, a, b) => self.both(condition, a, b, context, |unknown, int, context| {
                unknown.in_range(function, int, context)
            }),
            _ => self.unknown(body, context),
        }
    }

    /// Whether something is said of both sides of a choice, each where it is chosen.
    fn both(
        &self,
        condition: &'a Formula,
        a: &'a Int,
        b: &'a Int,
        context: &mut Context<'a>,
        mut says: impl FnMut(&Self, &'a Int, &mut Context<'a>) -> bool,
    ) -> bool {
        let before = context.some.len();
        context.some.extend(some_if_true(condition));
        let first = says(self, a, context);
        context.some.truncate(before);
        context.some.extend(some_if_false(condition));
        let both = first && says(self, b, context);
        context.some.truncate(before);
        both
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

    /// The parts that can be false when only some fields have values.
    fn can_fail(class: &str, known: &[&str]) -> Vec<String> {
        let invariant = crate::subjects::invariant(class).unwrap().unwrap();
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
        // The height of nothing is -1, whatever is known.
        let known = ["root", "left", "right"];
        assert!(can_fail("AvlTree", &known).contains(&"balanced".to_string()));
        assert!(!can_fail("AvlTree", &known).contains(&"heights".to_string()));
        // Recursion is not looked into.
        assert!(can_fail("TreeSet", &known).contains(&"balanced".to_string()));
        assert!(!can_fail("TreeSet", &known).contains(&"root_is_black".to_string()));
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
