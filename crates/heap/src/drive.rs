//! Runs a method over all heaps that lazy initialization makes for it.
//!
//! The method is a Rust closure that reads fields through [`Fields`]. It is run again from its start for
//! every path, with the choices so far: its state need not be saved, memory holds one path, and the order is
//! depth first. (The JVM forks states instead; it uses [`Lazy::candidates`] and [`Lazy::apply`] directly.)

use crate::heap::{Heap, Object, Value};
use crate::invariant::FieldId;
use crate::lazy::{Choice, Lazy, Partial, Undo};

/// The end of a path that cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// A method's view of the heap.
pub trait Fields {
    /// The value of a field; null, an object or an integer.
    ///
    /// # Errors
    /// If the field cannot have any value: the path ends.
    fn read(&mut self, object: Object, field: FieldId) -> Result<Value, Stop>;

    /// A decision that depends on symbolic values, such as a comparison of keys: one of `arms` arms.
    ///
    /// # Errors
    /// If there is no arm.
    fn decide(&mut self, arms: usize) -> Result<usize, Stop>;

    /// The object that a reference field holds.
    ///
    /// # Errors
    /// As `read`.
    fn follow(&mut self, object: Object, field: FieldId) -> Result<Option<Object>, Stop> {
        Ok(match self.read(object, field)? {
            Value::Object(to) => Some(to),
            _ => None,
        })
    }
}

enum Point {
    Read { object: Object, field: FieldId, choices: Vec<Choice>, next: usize, undo: Box<Undo> },
    Decide { arms: usize, taken: usize },
}

struct Run<'r, 'a> {
    lazy: &'r mut Lazy<'a>,
    partial: Partial,
    points: Vec<Point>,
    /// The next decision of this run.
    at: usize,
    /// Positions of the decisions among the points.
    decisions: Vec<usize>,
}

impl Fields for Run<'_, '_> {
    fn read(&mut self, object: Object, field: FieldId) -> Result<Value, Stop> {
        let value = self.partial.heap.get(object, field);
        if value != Value::Unknown {
            return Ok(value);
        }
        let choices = self.lazy.candidates(&mut self.partial, object, field);
        let first = *choices.first().ok_or(Stop)?;
        let (undo, _) = self.lazy.apply(&mut self.partial, object, field, first);
        self.points.push(Point::Read { object, field, choices, next: 1, undo: Box::new(undo) });
        Ok(self.partial.heap.get(object, field))
    }

    fn decide(&mut self, arms: usize) -> Result<usize, Stop> {
        if arms == 0 {
            return Err(Stop);
        }
        let known = self.decisions.get(self.at).map(|p| &self.points[*p]);
        let taken = match known {
            Some(Point::Decide { taken, .. }) => *taken,
            _ => {
                self.decisions.push(self.points.len());
                self.points.push(Point::Decide { arms, taken: 0 });
                0
            }
        };
        self.at += 1;
        Ok(taken)
    }
}

impl Run<'_, '_> {
    /// Moves on to the next path; false when there is none.
    fn advance(&mut self) -> bool {
        while let Some(point) = self.points.pop() {
            match point {
                Point::Decide { arms, taken } => {
                    if taken + 1 < arms {
                        self.points.push(Point::Decide { arms, taken: taken + 1 });
                        return true;
                    }
                    self.decisions.pop();
                }
                Point::Read { object, field, choices, next, undo } => {
                    self.lazy.undo(&mut self.partial, *undo);
                    if let Some(choice) = choices.get(next).copied() {
                        let (undo, _) = self.lazy.apply(&mut self.partial, object, field, choice);
                        self.points.push(Point::Read {
                            object,
                            field,
                            choices,
                            next: next + 1,
                            undo: Box::new(undo),
                        });
                        return true;
                    }
                }
            }
        }
        false
    }
}

/// Runs `method` on every heap from `start`; where it returns true the heap is collected: `collect` gets it
/// and returns whether to continue. Returns the number of collected heaps.
pub fn explore(
    lazy: &mut Lazy<'_>,
    start: Partial,
    mut method: impl FnMut(&mut dyn Fields) -> Result<bool, Stop>,
    mut collect: impl FnMut(&Partial) -> bool,
) -> u64 {
    let mut run = Run { lazy, partial: start, points: Vec::new(), at: 0, decisions: Vec::new() };
    let mut collected = 0;
    loop {
        run.at = 0;
        if method(&mut run) == Ok(true) {
            collected += 1;
            if !collect(&run.partial) {
                return collected;
            }
        }
        if !run.advance() {
            return collected;
        }
    }
}

/// Runs `method`, for instance repOK, on the known fields of a heap: none if it reads an unknown field, or
/// decides on symbolic values.
///
/// As a precondition this is weaker than evaluating the invariant: a breadth-first repOK ends at the first
/// unknown field and does not see a cycle behind it, so a method that traverses in another order may
/// follow that cycle for ever.
pub fn known(heap: &Heap, method: impl FnOnce(&mut dyn Fields) -> Result<bool, Stop>) -> Option<bool> {
    method(&mut Known(heap)).ok()
}

struct Known<'a>(&'a Heap);

impl Fields for Known<'_> {
    fn read(&mut self, object: Object, field: FieldId) -> Result<Value, Stop> {
        Some(self.0.get(object, field)).filter(|v| *v != Value::Unknown).ok_or(Stop)
    }

    fn decide(&mut self, _: usize) -> Result<usize, Stop> {
        Err(Stop)
    }
}
