//! Objects that the program allocates: where they are, whether they live, and who made them.
//!
//! The allocator is followed by name (`malloc` and its relatives do not run their own code): memory is never
//! used again, and between two objects there are poisoned bytes. So an access past the end of an object, or
//! to one that was freed, meets poison and can be named. The arithmetic of addresses is that of `place`: a
//! replay on a real engine gives out the same addresses.

use std::rc::Rc;

/// Objects begin at multiples of this.
pub const ALIGNMENT: u32 = 16;

/// One allocated object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its first byte.
    pub start: u32,
    /// How many bytes were asked for.
    pub size: u32,
    /// Whether it was freed.
    pub freed: bool,
    /// The instruction that allocated it, as an offset in the code section; of a freed one, that freed it.
    pub by: u32,
}

/// Where an object of a size begins, and where the next one begins, if nothing begins before `next`.
///
/// Both are multiples of the alignment, and at least 16 bytes are between the end of one object and the next.
/// `None` if the address space ends before, or the alignment is no power of two.
pub fn place(next: u32, size: u32, alignment: u32) -> Option<(u32, u32)> {
    if !alignment.is_power_of_two() {
        return None;
    }
    let alignment = alignment.max(ALIGNMENT);
    let start = next.checked_add(alignment - 1)? & !(alignment - 1);
    let end = start.checked_add(size.max(1))?.checked_add(ALIGNMENT)?;
    Some((start, end.checked_add(ALIGNMENT - 1)? & !(ALIGNMENT - 1)))
}

/// The objects of a path, by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    objects: Rc<Vec<Object>>,
    /// Nothing was given out from here on.
    pub(crate) next: u32,
    /// Memory up to here belongs to the heap.
    pub(crate) limit: u32,
    /// Objects that the C library has made for itself, by address.
    library: Rc<Vec<u32>>,
}

impl Heap {
    pub(crate) fn new(start: u32) -> Heap {
        let next = start.next_multiple_of(ALIGNMENT);
        Heap { objects: Rc::default(), next, limit: next, library: Rc::default() }
    }

    /// Whether another one has the same objects.
    pub(crate) fn is(&self, other: &Heap) -> bool {
        let same = |a: &Rc<Vec<Object>>, b: &Rc<Vec<Object>>| Rc::ptr_eq(a, b) || a == b;
        same(&self.objects, &other.objects)
            && (self.next, self.limit) == (other.next, other.limit)
            && (Rc::ptr_eq(&self.library, &other.library) || self.library == other.library)
    }

    /// Adds an object behind all others.
    pub(crate) fn add(&mut self, object: Object, next: u32) {
        Rc::make_mut(&mut self.objects).push(object);
        self.next = next;
    }

    /// Adds an object among others.
    pub(crate) fn insert(&mut self, object: Object) {
        let objects = Rc::make_mut(&mut self.objects);
        let at = objects.partition_point(|other| other.start < object.start);
        objects.insert(at, object);
    }

    /// An object gets another size.
    pub(crate) fn resize(&mut self, start: u32, size: u32) {
        if let Some(at) = self.at(start) {
            Rc::make_mut(&mut self.objects)[at].size = size;
        }
    }

    /// The newest object is one that the C library has made for itself.
    pub(crate) fn disown(&mut self, start: u32) {
        Rc::make_mut(&mut self.library).push(start);
    }

    /// Whether the program made an object, or had it made.
    pub(crate) fn is_own(&self, object: &Object) -> bool {
        self.library.binary_search(&object.start).is_err()
    }

    fn at(&self, start: u32) -> Option<usize> {
        self.objects.binary_search_by_key(&start, |object| object.start).ok()
    }

    /// The object that begins at an address.
    pub(crate) fn object(&self, start: u32) -> Option<Object> {
        self.at(start).map(|at| self.objects[at])
    }

    /// The object that has an address, or the last one before it.
    pub(crate) fn near(&self, address: u32) -> Option<Object> {
        let after = self.objects.partition_point(|object| object.start <= address);
        after.checked_sub(1).map(|at| self.objects[at])
    }

    /// Marks an object as freed.
    pub(crate) fn free(&mut self, start: u32, by: u32) {
        if let Some(at) = self.at(start) {
            let object = &mut Rc::make_mut(&mut self.objects)[at];
            (object.freed, object.by) = (true, by);
        }
    }

    /// All objects, by address.
    pub(crate) fn objects(&self) -> &[Object] {
        &self.objects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_apart() {
        let mut next = 1000;
        for size in [0, 1, 15, 16, 17, 100] {
            let (start, after) = place(next, size, 1).unwrap();
            assert!(start % 16 == 0 && start >= next && after >= start + size + 16 && after % 16 == 0);
            next = after;
        }
        assert_eq!(place(1000, 8, 64).unwrap().0, 1024);
        assert_eq!(place(u32::MAX - 40, 32, 16), None);
        assert_eq!(place(1000, 8, 24), None);
    }
}
