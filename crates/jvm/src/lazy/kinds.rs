//! Which classes the objects of a type can have: the class itself and those of the program below it.
//!
//! The program is the part of the class path outside of the JDK. Its classes are read once, without their
//! code, for the inheritance relation. The search ignores JDK classes below a type, and anonymous and local
//! classes, which only their own code can make: where there may be such, the outcome is marked `partial`.

use std::rc::Rc;
use std::sync::Arc;

use evergreen_classfile::read_outline;
use rustc_hash::FxHashMap;

use crate::classes::{ClassId, access};
use crate::machine::Jvm;

/// Classes outside of the JDK before they are no longer all read.
const MOST: usize = 20_000;

/// The classes that a type's objects can have.
#[derive(Debug)]
pub(crate) struct Kinds {
    /// Classes that have objects, the type itself first.
    pub(crate) concrete: Vec<ClassId>,
    /// Whether there may be others.
    pub(crate) others: bool,
}

/// The inheritance relation outside of the JDK.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// Direct subclasses, by the name of the class or interface above.
    below: FxHashMap<Arc<str>, Vec<Arc<str>>>,
    /// Whether there were too many classes to read.
    cut: bool,
}

impl Jvm {
    /// The classes that objects of a type can have.
    pub(crate) fn kinds_of(&mut self, class: ClassId) -> Rc<Kinds> {
        if let Some(known) = self.kinds.get(&class) {
            return known.clone();
        }
        let kinds = Rc::new(self.find_kinds(class));
        self.kinds.insert(class, kinds.clone());
        kinds
    }

    fn find_kinds(&mut self, class: ClassId) -> Kinds {
        let is_abstract = |access: u16| access & (access::ABSTRACT | access::INTERFACE) != 0;
        let own = self.class(class).clone();
        let mut concrete = if is_abstract(own.access) { Vec::new() } else { vec![class] };
        if own.access & access::FINAL != 0 {
            return Kinds { concrete, others: false };
        }
        let family = self.family();
        // Of an abstract class of the JDK there are other classes in the JDK.
        let mut others = family.cut || !own.user && is_abstract(own.access);
        let mut open: Vec<Arc<str>> = family.below.get(&own.name).cloned().unwrap_or_default();
        let mut seen = open.clone();
        while let Some(name) = open.pop() {
            for below in family.below.get(&name).into_iter().flatten() {
                if !seen.contains(below) {
                    seen.push(below.clone());
                    open.push(below.clone());
                }
            }
        }
        seen.sort_unstable();
        for name in seen {
            let Ok(found) = self.load(&name) else {
                others = true;
                continue;
            };
            let found = self.class(found).clone();
            if is_abstract(found.access) || found.access & access::ENUM != 0 {
                continue;
            }
            match found.file().is_some_and(|file| file.enclosing_method.is_some()) {
                true => others = true,
                false => concrete.push(found.id),
            }
        }
        Kinds { concrete, others }
    }

    fn family(&mut self) -> Rc<Family> {
        if let Some(family) = &self.family {
            return family.clone();
        }
        let mut family = Family::default();
        let names = self.class_path.classes().unwrap_or_default();
        family.cut = names.len() > MOST;
        for name in names.into_iter().take(MOST) {
            let Ok(Some(found)) = self.class_path.find(&name) else { continue };
            // A class that cannot be read cannot be loaded either, and has no objects.
            let Ok(file) = read_outline(&found.bytes) else { continue };
            for above in file.super_name.iter().chain(&file.interfaces) {
                family.below.entry(above.clone()).or_default().push(file.name.clone());
            }
        }
        let family = Rc::new(family);
        self.family = Some(family.clone());
        family
    }
}
