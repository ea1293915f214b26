//! Which calls make the objects of a type.
//!
//! Of a record the canonical constructor; of another class its public constructors, or, where there is none,
//! its public factories: static methods that return the class itself. A class without either is made by what
//! the other classes of its package may call. Of a type that has no objects of its own, and of one with
//! classes below it, the program's classes are taken, as far as they are known ([`crate::lazy`]).
//! Constructors that copy an object, and factories that derive one from another (`add(Money, Money)`), are
//! left out: what they make others make, too. Of many calls the plain ones are taken: what a constructor does
//! with an array of objects is a multiple of the paths of the method that is explored, which then ends at
//! its limit of time. Results name what is left out as the bound `classes`.

use std::rc::Rc;

use evergreen_classfile::{MethodDescriptor, Type};

use crate::classes::{Class, ClassId, Method, MethodId, access};
use crate::describe::box_kind;
use crate::lazy::CallName;
use crate::machine::Jvm;
use crate::made::Generic;

/// The most calls that one type is given.
const MOST: usize = 8;

/// The same for a type of an argument of another such call.
const MOST_BELOW: usize = 2;

/// The most that the calls of one class weigh together; the lightest is always taken.
const HEAVIEST: u32 = 6;

/// The calls that make the objects of a type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recipes {
    /// Constructors and factories, in the order of their classes and class files.
    pub(crate) callees: Vec<MethodId>,
    /// Whether there may be objects of other classes.
    pub(crate) others: bool,
    /// Whether calls are left out.
    pub(crate) fewer: bool,
}

impl Jvm {
    /// The calls that make the objects of a type.
    pub(crate) fn recipes_of(&mut self, class: ClassId) -> Rc<Recipes> {
        let key = (class, self.is_walking());
        if let Some(known) = self.recipes.get(&key) {
            return known.clone();
        }
        let recipes = Rc::new(self.find_recipes(class));
        self.recipes.insert(key, recipes.clone());
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
        let others = kinds.others || !own.user;
        let mut recipes = Recipes { callees: Vec::new(), others, fewer: false };
        for kind in kinds.concrete.iter().copied() {
            let found = self.class(kind).clone();
            if !found.user || found.name.starts_with("evergreen/") {
                continue;
            }
            let mut made = self.calls_of(&found);
            let all = made.len();
            if all > 1 {
                made.iter().for_each(|callee| self.judge(*callee));
            }
            self.keep_plain(&mut made);
            recipes.others |= made.is_empty();
            recipes.fewer |= made.len() < all;
            recipes.callees.extend(made);
        }
        if recipes.callees.is_empty() && own.user {
            recipes.callees = self.factories(&own, Seen::ByAll);
        }
        if recipes.callees.is_empty() && own.user {
            recipes.callees = self.factories_elsewhere(&own);
            recipes.fewer = true;
        }
        if recipes.callees.is_empty() && own.user {
            recipes.callees = self.builders_of(&own);
            recipes.fewer |= !recipes.callees.is_empty();
        }
        if !own.user {
            recipes.callees.extend(self.jdk_calls(class));
        }
        recipes.fewer |= self.keep_lightest(&mut recipes.callees, MOST);
        recipes
    }

    /// The calls that make objects of a type with its arguments; fewer for an argument of another such call.
    pub(super) fn recipes_for(&mut self, class: ClassId, of: &Generic, depth: u32) -> Rc<Recipes> {
        let recipes = self.recipes_of(class);
        let fits: Vec<bool> = recipes.callees.iter().map(|callee| self.may_be_of(*callee, of)).collect();
        // What is known of no call may hold for all of them.
        let recipes = match fits.contains(&true) && fits.contains(&false) {
            true => {
                let mut fitting = (*recipes).clone();
                let mut fits = fits.into_iter();
                fitting.callees.retain(|_| fits.next() == Some(true));
                fitting.fewer = true;
                Rc::new(fitting)
            }
            false => recipes,
        };
        if depth == 0 { recipes } else { self.fewer_below(recipes) }
    }

    /// The calls that make an argument of another such call.
    pub(super) fn recipes_below(&mut self, class: ClassId) -> Rc<Recipes> {
        let recipes = self.recipes_of(class);
        self.fewer_below(recipes)
    }

    fn fewer_below(&self, recipes: Rc<Recipes>) -> Rc<Recipes> {
        if recipes.callees.len() <= MOST_BELOW {
            return recipes;
        }
        let mut fewer = (*recipes).clone();
        fewer.fewer |= self.keep_lightest(&mut fewer.callees, MOST_BELOW);
        Rc::new(fewer)
    }

    /// Keeps the lightest of the calls of a class, in their order.
    fn keep_plain(&self, calls: &mut Vec<MethodId>) {
        let mut by_weight: Vec<(u32, MethodId)> = calls.iter().map(|id| (self.weight(*id), *id)).collect();
        by_weight.sort_by_key(|(weight, _)| *weight);
        let mut sum = 0;
        let is_light = |(at, (weight, id)): (usize, (u32, MethodId))| {
            sum += weight;
            (at == 0 || sum <= HEAVIEST).then_some(id)
        };
        let kept: Vec<MethodId> = by_weight.into_iter().enumerate().filter_map(is_light).collect();
        calls.retain(|id| kept.contains(id));
    }

    /// Keeps the `most` lightest calls, in their order; whether there were more.
    pub(super) fn keep_lightest(&self, calls: &mut Vec<MethodId>, most: usize) -> bool {
        let mut by_weight: Vec<(u32, MethodId)> = calls.iter().map(|id| (self.weight(*id), *id)).collect();
        by_weight.sort_by_key(|(weight, _)| *weight);
        by_weight.truncate(most);
        let all = calls.len();
        calls.retain(|id| by_weight.iter().any(|(_, kept)| kept == id));
        calls.len() < all
    }

    /// How much a call adds to the paths of what is explored, roughly: what its arguments are made of.
    pub(super) fn weight(&self, callee: MethodId) -> u32 {
        let method = self.method(callee);
        let parsed = MethodDescriptor::parse(&method.descriptor).map(|parsed| parsed.parameters);
        let of = |of: &Type| match of {
            Type::Array(element) if !element.is_reference() => 3,
            Type::Class(name) if &**name == "java/lang/String" => 2,
            Type::Class(name) if box_kind(name).is_some() => 1,
            of if of.is_reference() => 6,
            _ => 1,
        };
        // Texts that are parsed make a path for each kind of character.
        let parses = if method.name.starts_with("parse") { 6 } else { 0 };
        let is_laborious = if self.is_laborious(callee) { HEAVIEST + 1 } else { 0 };
        parses + is_laborious + parsed.unwrap_or_default().iter().map(of).sum::<u32>()
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
        Recipes { callees, others: false, fewer: false }
    }

    /// The calls that make objects of exactly this class.
    fn calls_of(&self, class: &Class) -> Vec<MethodId> {
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
        self.factories_in(class, class, seen)
    }

    /// Static methods that make objects of a class that has none of its own: of the class around it, of the
    /// class with the plural of its name, and of the other classes of its package.
    fn factories_elsewhere(&mut self, class: &Class) -> Vec<MethodId> {
        let mut found = Vec::new();
        let package = class.package().to_string();
        let outer = class.name.split('$').next().unwrap_or_default();
        let mut names: Vec<String> = vec![outer.to_string(), format!("{outer}s")];
        let inside = self.class_path.classes().unwrap_or_default();
        let is_beside = |name: &str| name.rsplit_once('/').map_or("", |(package, _)| package) == package;
        names.extend(
            inside.iter().filter(|name| is_beside(name) && !name.contains('$')).map(|n| n.to_string()),
        );
        for name in names {
            let Ok(id) = self.load(&name) else { continue };
            let beside = self.class(id).clone();
            if beside.user && beside.id != class.id && beside.access & access::PUBLIC != 0 {
                found.extend(self.factories_in(&beside, class, Seen::ByAll));
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Static methods of `class` that return an object of `made`.
    fn factories_in(&self, class: &Class, made: &Class, seen: Seen) -> Vec<MethodId> {
        let own = Type::Class(made.name.clone());
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

    /// The class of what a call makes, as its type has it.
    pub(super) fn made_by(&mut self, callee: MethodId) -> ClassId {
        let method = self.method(callee).clone();
        let result = MethodDescriptor::parse(&method.descriptor).ok().and_then(|parsed| parsed.result);
        match result {
            Some(Type::Class(name)) => self.load(&name).unwrap_or(method.class),
            _ => method.class,
        }
    }

    /// Whether a call makes an object of an inner class: its first argument is the object around it.
    pub(super) fn is_inner(&self, callee: MethodId) -> bool {
        let method = self.method(callee);
        let class = self.class(method.class);
        let is_outer = |field: &crate::classes::FieldInfo| {
            field.owner == class.id
                && field.access & access::SYNTHETIC != 0
                && field.name.starts_with("this$")
        };
        &*method.name == "<init>" && class.instance_fields.iter().any(is_outer)
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
            descriptor: self.descriptor_with_receiver(callee),
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
