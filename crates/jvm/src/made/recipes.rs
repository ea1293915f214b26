//! Which calls make the objects of a type.
//!
//! Of a record the canonical constructor; of another class its public constructors, or, where there is none,
//! its public factories: static methods that return the class itself. A class without either is made by what
//! the other classes of its package may call. Of a type that has no objects of its own, and of one with
//! classes below it, the program's classes are taken, as far as they are known ([`crate::lazy`]).
//! Constructors that copy an object, and factories that derive one from another (`add(Money, Money)`), are
//! left out: what they make others make, too.

use std::rc::Rc;

use evergreen_classfile::{MethodDescriptor, Type};

use crate::classes::{Class, ClassId, Method, MethodId, access};
use crate::describe::box_kind;
use crate::lazy::CallName;
use crate::machine::Jvm;

/// The most calls that one type is given.
const MOST: usize = 12;

/// The calls that make the objects of a type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recipes {
    /// Constructors and factories, in the order of their classes and class files.
    pub(crate) callees: Vec<MethodId>,
    /// Whether there may be objects of other classes.
    pub(crate) others: bool,
}

impl Jvm {
    /// The calls that make the objects of a type.
    pub(crate) fn recipes_of(&mut self, class: ClassId) -> Rc<Recipes> {
        if let Some(known) = self.recipes.get(&class) {
            return known.clone();
        }
        let recipes = Rc::new(self.find_recipes(class));
        self.recipes.insert(class, recipes.clone());
        recipes
    }

    fn find_recipes(&mut self, class: ClassId) -> Recipes {
        let own = self.class(class).clone();
        if own.is_array() || own.access & (access::ENUM | access::ANNOTATION) != 0 {
            return Recipes::default();
        }
        // Anything is an Object.
        if &*own.name == "java/lang/Object" {
            return Recipes::default();
        }
        let kinds = self.kinds_of(class);
        let mut recipes = Recipes { callees: Vec::new(), others: kinds.others || !own.user };
        for kind in kinds.concrete.iter().copied() {
            let found = self.class(kind).clone();
            if !found.user || found.name.starts_with("evergreen/") {
                continue;
            }
            let made = self.calls_of(&found);
            recipes.others |= made.is_empty();
            recipes.callees.extend(made);
        }
        if recipes.callees.is_empty() && own.user {
            recipes.callees = self.factories(&own, Seen::ByAll);
        }
        recipes.others |= recipes.callees.len() > MOST;
        recipes.callees.truncate(MOST);
        recipes
    }

    /// The calls that make what a method is called on. An object of the JDK is made by the constructor that
    /// needs nothing: what its other constructors do is not what is explored.
    pub(crate) fn receiver_recipes(&mut self, class: ClassId) -> Recipes {
        let own = self.class(class).clone();
        let needs_nothing = |id: &MethodId| {
            let method = self.method(*id);
            &*method.name == "<init>" && &*method.descriptor == "()V"
        };
        if own.user && self.options.nesting > 0 {
            return (*self.recipes_of(class)).clone();
        }
        let is_abstract = own.access & (access::ABSTRACT | access::INTERFACE) != 0;
        let callees = own.methods.iter().copied().filter(|id| !is_abstract && needs_nothing(id)).collect();
        Recipes { callees, others: false }
    }

    /// The calls that make objects of exactly this class.
    fn calls_of(&self, class: &Class) -> Vec<MethodId> {
        // An object of an inner class needs one of the class around it, by a syntax of its own.
        if class.instance_fields.iter().any(|field| {
            field.owner == class.id
                && field.access & access::SYNTHETIC != 0
                && field.name.starts_with("this$")
        }) {
            return Vec::new();
        }
        let constructors = || class.methods.iter().copied().filter(|id| &*self.method(*id).name == "<init>");
        if let Some(components) = class.file().and_then(|file| file.record.as_ref()) {
            let types: String = components.iter().map(|component| &*component.descriptor).collect();
            let canonical = format!("({types})V");
            return constructors().filter(|id| *self.method(*id).descriptor == *canonical).collect();
        }
        for seen in [Seen::ByAll, Seen::InPackage] {
            let is_seen = |id: &MethodId| is_seen(self.method(*id), seen) && !is_copy(self.method(*id));
            let found: Vec<MethodId> = constructors().filter(is_seen).collect();
            if !found.is_empty() {
                return found;
            }
            let found = self.factories(class, seen);
            if !found.is_empty() {
                return found;
            }
        }
        // As a last resort, a private constructor that needs nothing.
        constructors().filter(|id| &*self.method(*id).descriptor == "()V").collect()
    }

    /// Static methods of a class that return an object of it.
    fn factories(&self, class: &Class, seen: Seen) -> Vec<MethodId> {
        let own = Type::Class(class.name.clone());
        let is_factory = |id: &MethodId| {
            let method = self.method(*id);
            let Ok(descriptor) = MethodDescriptor::parse(&method.descriptor) else { return false };
            method.is_static()
                && is_seen(method, seen)
                && descriptor.result.as_ref() == Some(&own)
                && !descriptor.parameters.iter().any(|of| holds(of, &own))
        };
        class.methods.iter().copied().filter(is_factory).collect()
    }

    /// Whether calls make all objects of a class: nothing in them changes after that.
    pub(crate) fn is_whole(&mut self, class: ClassId) -> bool {
        self.is_whole_beside(class, &mut Vec::new())
    }

    /// The same, where `above` are whole if nothing below them is not.
    fn is_whole_beside(&mut self, class: ClassId, above: &mut Vec<ClassId>) -> bool {
        if above.contains(&class) {
            return true;
        }
        above.push(class);
        let own = self.class(class).clone();
        if own.instance_fields.is_empty() {
            return true;
        }
        let made = self.calls_of(&own);
        let is_made = |id: &MethodId| &*self.method(*id).name != "<init>" || made.contains(id);
        // A record's other constructors call the canonical one.
        let is_record = own.file().is_some_and(|file| file.record.is_some());
        if !is_record && !own.methods.iter().all(is_made) {
            return false;
        }
        own.instance_fields
            .iter()
            .all(|field| field.access & access::FINAL != 0 && self.is_constant(&field.descriptor, above))
    }

    /// Whether values of a type cannot change.
    fn is_constant(&mut self, descriptor: &str, above: &mut Vec<ClassId>) -> bool {
        let Some(name) = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            return !descriptor.starts_with('[');
        };
        if name == "java/lang/String" || box_kind(name).is_some() {
            return true;
        }
        let Ok(class) = self.load(name) else { return false };
        let class = self.class(class).clone();
        class.access & access::ENUM != 0
            || class.access & access::FINAL != 0 && class.user && self.is_whole_beside(class.id, above)
    }

    /// How a call is told apart from others: `Fraction(int, int)`, `Money.of(long)`.
    pub(crate) fn call_key(&self, callee: MethodId) -> String {
        self.call_name(callee).key()
    }

    pub(crate) fn call_name(&self, callee: MethodId) -> CallName {
        let method = self.method(callee);
        CallName {
            class: method.class_name.clone(),
            method: method.name.clone(),
            descriptor: method.descriptor.clone(),
        }
    }
}

impl CallName {
    /// `Fraction(int, int)`, `Money.of(long)`.
    pub fn key(&self) -> String {
        let simple = |name: &str| name.rsplit(['/', '.', '$']).next().unwrap_or(name).to_string();
        let own = match &*self.method {
            "<init>" => simple(&self.class),
            method => format!("{}.{method}", simple(&self.class)),
        };
        let types = MethodDescriptor::parse(&self.descriptor).map(|parsed| parsed.parameters);
        let types: Vec<String> = types.unwrap_or_default().iter().map(|of| simple(&of.to_java())).collect();
        format!("{own}({})", types.join(", "))
    }
}

/// Who can call a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    ByAll,
    InPackage,
}

/// Whether a method can be called; what javac adds is no method of the program.
fn is_seen(method: &Method, seen: Seen) -> bool {
    let flags = method.access;
    let visible = match seen {
        Seen::ByAll => flags & access::PUBLIC != 0,
        Seen::InPackage => flags & access::PRIVATE == 0,
    };
    visible && flags & access::SYNTHETIC == 0
}

/// Whether a constructor takes an object of its own class, and nothing else.
fn is_copy(method: &Method) -> bool {
    *method.descriptor == *format!("(L{};)V", method.class_name)
}

fn holds(of: &Type, own: &Type) -> bool {
    match of {
        Type::Array(element) => holds(element, own),
        of => of == own,
    }
}
