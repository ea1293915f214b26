//! Names of what lazy objects hold: inputs are named by numbers, people read ways.
//!
//! The fields of the third lazy object of a path are inputs `#2.key`, `#2.left.length`, however the
//! object was found. There are as many inputs as objects and fields, then, and not as many as ways: a
//! search tree of 16 nodes has 65,535 of these, and each input costs memory and its own conditions for
//! as long as the exploration lasts. A path knows the ways to its objects, so reports replace the
//! numbers by ways: `this.root.key`.

use std::fmt::Write;

use evergreen_symbolic::Show;

use crate::classes::Shape;
use crate::machine::Jvm;
use crate::state::State;

/// The first character of the names of inputs that belong to lazy objects; no name in Java begins with it.
const MARK: char = '#';

/// The place of the lazy object that an input belongs to, by the input's name. Paths that have made the same
/// objects have them at the same places; the next one that each of them makes may be another.
pub fn input_place(name: &str) -> Option<usize> {
    let number = name.strip_prefix(MARK)?;
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number[..end].parse().ok()
}

impl Jvm {
    /// The way to a field or element of the lazy object at a place: `this.root.left`.
    pub(crate) fn way_to(&self, state: &State, place: usize, slot: usize) -> String {
        let mut way = state.lazy.objects[place].name.to_string();
        self.add_step(state, place, slot, &mut way);
        way
    }

    /// The name of the input that a field of the lazy object at a place is: `#2.key`.
    pub(crate) fn input_name(&self, state: &State, place: usize, slot: usize) -> String {
        let mut name = String::with_capacity(24);
        let _ = write!(name, "{MARK}{place}");
        self.add_step(state, place, slot, &mut name);
        name
    }

    /// The last step of a way: the field's name, with its class if another field hides it; an index.
    fn add_step(&self, state: &State, place: usize, slot: usize, way: &mut String) {
        let class = self.class(state.heap.class_of(state.lazy.objects[place].object));
        if let Shape::Array { .. } = class.shape {
            let _ = write!(way, "[{slot}]");
            return;
        }
        let field = &class.instance_fields[slot];
        way.push('.');
        if class.instance_fields.iter().rposition(|other| other.name == field.name) != Some(slot) {
            let owner = &self.class(field.owner).name;
            way.push_str(owner.rsplit(['/', '$']).next().unwrap_or(owner));
            way.push('.');
        }
        way.push_str(&field.name);
    }

    /// A condition or an expression of a path as text, with the ways to the path's objects.
    pub fn show(&self, state: &State, what: impl Show) -> String {
        self.with_ways(state, &self.exprs.borrow().show(what))
    }

    /// A text about a path, such as the name of an input, with ways in place of numbers.
    pub fn with_ways(&self, state: &State, text: &str) -> String {
        let mut parts = text.split(MARK);
        let mut shown = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let place = part[..digits].parse::<usize>().ok();
            match place.and_then(|place| state.lazy.objects.get(place)) {
                Some(object) => {
                    shown.push_str(&object.name);
                    shown.push_str(&part[digits..]);
                }
                None => {
                    shown.push(MARK);
                    shown.push_str(part);
                }
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::input_place;

    #[test]
    fn names_of_inputs_tell_the_places_of_their_objects() {
        assert_eq!(input_place("#12.key"), Some(12));
        assert_eq!(input_place("#0[3].length"), Some(0));
        for other in ["this.key", "key#1", "#", "#.key", "#x1"] {
            assert_eq!(input_place(other), None, "{other}");
        }
    }
}
