//! An allocator whose addresses can be predicted.
//!
//! Objects lie one after the other from a start address, with a red zone after each, and memory is never
//! reused: a freed object keeps its place, so that a later use of it is still the use of a known object. A
//! symbolic machine calls [`place`] in the same order with the same sizes and gets the same addresses; no
//! list of free blocks, no headers in memory that a program could damage.

use std::collections::BTreeMap;

/// Every object starts at a multiple of this: the alignment of C's `max_align_t` on wasm32.
pub const ALIGNMENT: u32 = 16;

/// At least so many bytes lie between the end of an object and the start of the next; less than twice as
/// many.
pub const RED_ZONE: u32 = 16;

/// Where an object lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its first byte.
    pub start: u32,
    /// Where the search for the next place begins: behind the red zone.
    pub next: u32,
}

/// The place of an object of `size` bytes if the last one ended its search at `next`:
///
/// ```text
/// start = align_up(next, max(alignment, 16))
/// next  = align_up(start + max(size, 1) + 16, 16)
/// ```
///
/// None if that is not below 2^32 or the alignment is not a power of two.
pub fn place(next: u32, size: u32, alignment: u32) -> Option<Place> {
    if !alignment.is_power_of_two() {
        return None;
    }
    let start = next.checked_next_multiple_of(alignment.max(ALIGNMENT))?;
    let end = start.checked_add(size.max(1))?;
    let next = end.checked_add(RED_ZONE)?.checked_next_multiple_of(ALIGNMENT)?;
    Some(Place { start, next })
}

/// An object of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its size in bytes, as asked for.
    pub size: u32,
    /// False once it was freed.
    pub live: bool,
}

/// The objects of one run.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    next: u32,
    objects: BTreeMap<u32, Object>,
}

impl Heap {
    /// An empty heap from `start` on.
    pub fn new(start: u32) -> Heap {
        Heap { next: start, objects: BTreeMap::new() }
    }

    /// Adds an object at its [`place`].
    pub fn add(&mut self, size: u32, alignment: u32) -> Option<Place> {
        let place = place(self.next, size, alignment)?;
        self.next = place.next;
        self.objects.insert(place.start, Object { size, live: true });
        Some(place)
    }

    /// Adds an object at a given address, as one that a test starts with; later objects lie behind it.
    pub fn add_at(&mut self, start: u32, size: u32) -> Option<Place> {
        let place = place(start, size, 1).filter(|place| place.start == start)?;
        self.next = self.next.max(place.next);
        self.objects.insert(start, Object { size, live: true });
        Some(place)
    }

    /// Where the search for the next place begins.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Takes back the last object, for which there was no memory.
    pub(crate) fn take_back(&mut self, place: Place, next: u32) {
        self.objects.remove(&place.start);
        self.next = next;
    }

    /// Marks an object as freed and says what it was before; none if no object starts there.
    pub fn free(&mut self, start: u32) -> Option<Object> {
        let object = self.objects.get_mut(&start)?;
        let before = *object;
        object.live = false;
        Some(before)
    }

    /// The object that starts at an address.
    pub fn object(&self, start: u32) -> Option<Object> {
        self.objects.get(&start).copied()
    }

    /// All objects, freed ones too, in the order of their addresses.
    pub fn objects(&self) -> impl Iterator<Item = (u32, Object)> + '_ {
        self.objects.iter().map(|(&start, &object)| (start, object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_the_formula() {
        assert_eq!(place(100, 5, 1), Some(Place { start: 112, next: 144 }));
        assert_eq!(place(112, 16, 16), Some(Place { start: 112, next: 144 }));
        assert_eq!(place(112, 17, 16), Some(Place { start: 112, next: 160 }));
        assert_eq!(place(112, 0, 16), Some(Place { start: 112, next: 144 }));
        assert_eq!(place(112, 1, 64), Some(Place { start: 128, next: 160 }));
        assert_eq!(place(16, u32::MAX - 40, 16), None);
        assert_eq!(place(u32::MAX, 1, 16), None);
        assert_eq!(place(16, 1, 24), None);
    }

    #[test]
    fn red_zones_have_16_to_31_bytes() {
        let mut next = 0;
        for size in 0..200 {
            let found = place(next, size, 1).unwrap();
            let gap = found.next - (found.start + size.max(1));
            assert!((RED_ZONE..2 * RED_ZONE).contains(&gap), "{size}: {gap}");
            next = found.next;
        }
    }
}
