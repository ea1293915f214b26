//! Existing objects that a reference cannot hold, found without evaluating the invariant.
//!
//! Most choices of lazy initialization are objects that are there already, and in trees and lists nearly all
//! of them are refused, for one of four reasons that invariants give in the same few forms. These forms are
//! recognized among the parts of an invariant:
//!
//! | part, for all n of a class | refused |
//! |---|---|
//! | `lone n.~r` | an object that another one holds already |
//! | `no (n.f & n.g)` | what the other field of the same object holds |
//! | `n !in n.^r` | an object from which the holder is reached |
//! | `no this.f.~r` | what `this.f` holds |
//!
//! A refused object makes that part false on the partial heap, so the invariant would have refused it, too:
//! only the time differs. At thirteen nodes a binary tree has twelve such candidates for two others.
//!
//! Null and new objects make none of these parts false. So a part of only this form that was not false before
//! a choice is *guaranteed* by the refusals here and need not be evaluated, which saves the closures.

use crate::eval::Guaranteed;
use crate::heap::{Heap, Object, Value};
use crate::invariant::{ClassId, Field, FieldId, Formula, Invariant, Kind, Many, Rel, RelId, Set, Var};

/// Some fields, one bit for each.
type Fields = u64;

/// The restrictions of an invariant on which objects can hold which.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    /// Objects of the class have one holder at most along the fields.
    lone: Vec<(ClassId, Fields)>,
    /// Two fields of objects of the class hold different objects.
    apart: Vec<(ClassId, Fields, Fields)>,
    /// Objects of the class are on no cycle of the fields.
    acyclic: Vec<(ClassId, Fields)>,
    /// An object in the root's field is not held along the fields.
    top: Vec<(FieldId, Fields)>,
    /// Parts of only this form, and whether the recursion of all functions follows fields without cycles.
    guaranteed: Guaranteed,
    /// The fields that lead back.
    back: Fields,
}

impl Holders {
    /// The forms recognized in an invariant.
    pub(crate) fn of(invariant: &Invariant) -> Holders {
        let mut holders = Holders::default();
        for (at, part) in invariant.parts.iter().enumerate() {
            if holders.learn(invariant, &part.formula) && at < 64 {
                holders.guaranteed.parts |= 1 << at;
            }
        }
        let along = invariant.functions.iter().filter_map(|function| function.along);
        holders.guaranteed.ends = along
            .into_iter()
            .all(|rel| fields(invariant, rel).is_some_and(|fields| holders.has_no_cycles(invariant, fields)));
        let leads_back = |field: &Field| matches!(field.kind, Kind::Reference { back: true, .. });
        let declared = invariant.shape.fields.iter().take(64).enumerate();
        let back = declared.filter(|(_, field)| leads_back(field));
        holders.back = back.fold(0, |all, (at, _)| all | 1 << at);
        holders
    }

    /// Whether all objects that some fields hold are on no cycle of them.
    fn has_no_cycles(&self, invariant: &Invariant, fields: Fields) -> bool {
        let shape = &invariant.shape;
        let held_by = |of: Fields, class: ClassId| {
            each(of).all(|field| shape.target(field).is_some_and(|target| shape.is(target, class)))
        };
        self.acyclic.iter().any(|(class, without)| fields & !without == 0 && held_by(*without, *class))
    }

    /// The guaranteed parts of a heap of which no part was false before the last choice, which was not
    /// refused; `known` fields have values.
    pub(crate) fn guaranteed(&self, known: u64) -> Guaranteed {
        // Objects come with what holds them, so one that is not reached is held by a field that leads back.
        Guaranteed { reached: known & self.back == 0, ..self.guaranteed }
    }

    /// Learns the forms in a formula; returns whether it consists of nothing else.
    fn learn(&mut self, invariant: &Invariant, formula: &Formula) -> bool {
        match formula {
            Formula::And(all) => all.iter().filter(|f| !self.learn(invariant, f)).count() == 0,
            Formula::All(var, Set::Class(class), body) => self.learn_of(invariant, *var, *class, body),
            Formula::Many(Many::No, Set::Join(of, back)) => {
                if let (Set::Join(this, to), Some(fields)) = (&**of, backwards(invariant, *back))
                    && **this == Set::This
                    && let Rel::Field(field) = invariant.relations[usize::from(to.0)]
                {
                    self.top.push((field, fields));
                    return fields & (1 << field.0) == 0;
                }
                false
            }
            _ => false,
        }
    }

    fn learn_of(&mut self, invariant: &Invariant, var: Var, class: ClassId, body: &Formula) -> bool {
        let is_var = |set: &Set| *set == Set::Var(var);
        match body {
            Formula::And(all) => all.iter().filter(|f| !self.learn_of(invariant, var, class, f)).count() == 0,
            Formula::Many(Many::Lone, Set::Join(of, back)) if is_var(of) => {
                let held = backwards(invariant, *back);
                self.lone.extend(held.map(|fields| (class, fields)));
                held.is_some()
            }
            Formula::Many(Many::No, Set::Both(a, b)) => {
                if let (Set::Join(x, f), Set::Join(y, g)) = (&**a, &**b)
                    && is_var(x)
                    && is_var(y)
                    && let (Some(f), Some(g)) = (fields(invariant, *f), fields(invariant, *g))
                {
                    self.apart.push((class, f, g));
                    return f & g == 0;
                }
                false
            }
            Formula::Not(inside) => {
                if let Formula::In(member, Set::Join(of, closure)) = &**inside
                    && is_var(member)
                    && is_var(of)
                    && let Rel::Closure(rel) = invariant.relations[usize::from(closure.0)]
                    && let Some(fields) = fields(invariant, rel)
                {
                    self.acyclic.push((class, fields));
                    // Otherwise a cycle may have a member of the class that is not the one which is chosen.
                    return self.has_no_cycles(invariant, fields);
                }
                false
            }
            _ => false,
        }
    }

    /// The objects, one bit for each, of which the invariant is false if an unknown field holds one of them;
    /// other objects may still be refused by evaluation.
    pub(crate) fn refused(&self, invariant: &Invariant, heap: &Heap, object: Object, field: FieldId) -> u64 {
        let shape = &invariant.shape;
        let bit = 1 << field.0;
        let is = |object: Object, class: ClassId| shape.is(heap.class(object), class);
        let of_class =
            |class: ClassId| heap.objects().filter(|o| is(*o, class)).fold(0u64, |all, o| all | 1 << o.0);
        let mut refused = 0;
        for (class, fields) in self.lone.iter().filter(|(_, fields)| fields & bit != 0) {
            let others = heap.objects().filter(|other| *other != object);
            refused |= others.fold(0, |all, other| all | held(heap, other, *fields)) & of_class(*class);
        }
        for (_, f, g) in self.apart.iter().filter(|(class, ..)| is(object, *class)) {
            for (one, other) in [(f, g), (g, f)] {
                refused |= if one & bit != 0 { held(heap, object, *other) } else { 0 };
            }
        }
        for (top, fields) in &self.top {
            if fields & bit != 0 {
                refused |= held(heap, Object(0), 1 << top.0);
            }
            if *top == field && object == Object(0) {
                refused |= heap.objects().fold(0, |all, holder| all | held(heap, holder, *fields));
            }
        }
        for (class, fields) in self.acyclic.iter().filter(|(_, fields)| fields & bit != 0) {
            let left = heap.objects().filter(|to| refused >> to.0 & 1 == 0 && is(*to, *class));
            let closing = left.filter(|to| reaches(heap, *to, *fields, object));
            refused |= closing.fold(0, |all, to| all | 1 << to.0);
        }
        refused
    }
}

/// The objects that some fields of an object hold.
fn held(heap: &Heap, holder: Object, fields: Fields) -> u64 {
    each(fields).fold(0, |all, field| match heap.get(holder, field) {
        Value::Object(to) => all | 1 << to.0,
        _ => all,
    })
}

/// The fields that a relation is the union of.
fn fields(invariant: &Invariant, rel: RelId) -> Option<Fields> {
    match invariant.relations[usize::from(rel.0)] {
        Rel::Field(field) => Some(1 << field.0),
        Rel::Union(a, b) => Some(fields(invariant, a)? | fields(invariant, b)?),
        _ => None,
    }
}

/// The same for an inverse relation.
fn backwards(invariant: &Invariant, rel: RelId) -> Option<Fields> {
    match invariant.relations[usize::from(rel.0)] {
        Rel::Transpose(rel) => fields(invariant, rel),
        Rel::Union(a, b) => Some(backwards(invariant, a)? | backwards(invariant, b)?),
        _ => None,
    }
}

fn each(fields: Fields) -> impl Iterator<Item = FieldId> {
    let mut left = fields;
    std::iter::from_fn(move || {
        let next = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        (next < 64).then_some(FieldId(next as u8))
    })
}

/// Whether known fields lead from one object to another, in any number of steps.
fn reaches(heap: &Heap, from: Object, fields: Fields, to: Object) -> bool {
    let mut seen = 1u64 << from.0;
    let mut open = seen;
    while open != 0 {
        let object = Object(open.trailing_zeros() as u8);
        open &= open - 1;
        if object == to {
            return true;
        }
        for field in each(fields) {
            if let Value::Object(next) = heap.get(object, field)
                && seen & (1 << next.0) == 0
            {
                seen |= 1 << next.0;
                open |= 1 << next.0;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_testing::heap_subjects::text as subject;

    #[test]
    fn the_forms_that_trees_and_lists_use_are_recognized() {
        let found = |class: &str| {
            let invariant = crate::parse(subject(class)).unwrap();
            let Holders { lone, apart, acyclic, top, .. } = Holders::of(&invariant);
            [lone.len(), apart.len(), acyclic.len(), top.len()]
        };
        for class in ["BinTree", "SearchTree", "TreeSet", "AvlTree", "BinomialHeap"] {
            assert_eq!(found(class), [1, 1, 1, 1], "{class}");
        }
        // The parts are about cycles of these fields.
        assert_eq!(found("LinkedList"), [0; 4]);
    }

    #[test]
    fn only_what_makes_a_part_false_is_refused() {
        let invariant = crate::parse(subject("BinTree")).unwrap();
        let field = |name: &str| invariant.shape.field(name).unwrap();
        let (root, left, right) = (field("root"), field("left"), field("right"));
        let mut heap = Heap::new(&invariant.shape);
        let node = invariant.shape.class("Node").unwrap();
        let [a, b, c] = [heap.add(node), heap.add(node), heap.add(node)];
        heap.set(Object(0), root, Value::Object(a));
        heap.set(a, left, Value::Object(b));
        let holders = Holders::of(&invariant);
        let refused =
            |object, field, to: Object| holders.refused(&invariant, &heap, object, field) >> to.0 & 1 == 1;
        assert!(refused(a, right, a) && refused(a, right, b) && refused(b, left, a) && refused(b, left, b));
        assert!(refused(c, left, b) && refused(c, left, a) && refused(c, left, c));
        assert!(!refused(a, right, c) && !refused(b, left, c));
        heap.set(Object(0), root, Value::Unknown);
        let refused = |to: Object| holders.refused(&invariant, &heap, Object(0), root) >> to.0 & 1 == 1;
        assert!(refused(b) && !refused(a) && !refused(c));
    }

    #[test]
    fn a_part_is_guaranteed_if_choices_tell_all_that_it_says() {
        let guaranteed = |classes: &str, parts: &[&str]| {
            let numbered = parts.iter().enumerate();
            let parts = numbered.map(|(at, part)| format!("invariant part{at}: all n in Node: {part}\n"));
            let text = format!("root class Tree {{ root: Node }}\n{classes}\n{}", parts.collect::<String>());
            let invariant = crate::parse(&text).unwrap();
            let parts = Holders::of(&invariant).guaranteed(0).parts;
            (0..invariant.parts.len()).map(|at| parts >> at & 1 == 1).collect::<Vec<bool>>()
        };
        let plain = "class Node { left: Node right: Node }";
        assert_eq!(guaranteed(plain, &["lone n.~(left + right) && no (n.left & n.right)"]), [true]);
        assert_eq!(guaranteed(plain, &["lone n.~left && some n.left"]), [false]);
        assert_eq!(guaranteed(plain, &["no (n.left & n.left)", "n !in n.^left"]), [false, true]);
        // A cycle from an Other through a Node back to it is closed by either.
        let mixed = "class Other { next: Other }\nclass Node extends Other { more: Node }";
        assert_eq!(guaranteed(mixed, &["n !in n.^next", "n !in n.^more"]), [false, true]);
        for class in ["BinTree", "TreeSet", "AvlTree", "BinomialHeap", "TreeMap"] {
            let invariant = crate::parse(subject(class)).unwrap();
            let guaranteed = Holders::of(&invariant).guaranteed(0);
            let expected = if class == "TreeMap" { 0b110 } else { 0b111 };
            assert_eq!(
                (guaranteed.parts, guaranteed.ends, guaranteed.reached),
                (expected, true, true),
                "{class}"
            );
        }
        let invariant = crate::parse(subject("TreeMap")).unwrap();
        let parent = invariant.shape.field("parent").unwrap();
        assert!(!Holders::of(&invariant).guaranteed(1 << parent.0).reached);
    }
}
