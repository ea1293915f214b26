//! What changed between two versions of a program: methods with other code, and methods that may behave
//! otherwise because of them. All other methods do what they did, and need no exploration.
//!
//! Methods are known by class, name and descriptor. Code is compared as `changes/code.rs` writes it:
//! comments, lines, order of members and numbers of constants change nothing. A method is *affected* if it
//! may run something that changed, in the old version or in the new one (`changes/calls.rs`). Cost: one pass
//! over the instructions of each version.

mod calls;
mod code;

use super::program::{MethodRef, Program, is_driver_api};
use crate::{Affected, Changes};
use calls::{Calls, Node};
use evergreen_classfile::{ClassFile, Field, Method, MethodDescriptor, access};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A method in both versions, or in one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MethodKey {
    /// Internal name of its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

impl MethodKey {
    fn new(class: &str, method: &Method) -> MethodKey {
        MethodKey {
            class: class.into(),
            name: method.name.to_string(),
            descriptor: method.descriptor.to_string(),
        }
    }
}

impl From<&MethodRef> for MethodKey {
    fn from(method: &MethodRef) -> MethodKey {
        MethodKey {
            class: method.class.to_string(),
            name: method.name.to_string(),
            descriptor: method.descriptor.to_string(),
        }
    }
}

impl fmt::Display for MethodKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = self.class.replace('/', ".");
        match (&*self.name, MethodDescriptor::parse(&self.descriptor)) {
            ("<clinit>", _) => write!(f, "{class}: static initializer"),
            (name, Ok(descriptor)) => {
                let types: Vec<String> = descriptor.parameters.iter().map(|of| of.to_java()).collect();
                let name = if name == "<init>" { "new" } else { name };
                write!(f, "{class}.{name}({})", types.join(", "))
            }
            (name, Err(_)) => write!(f, "{class}.{name}{}", self.descriptor),
        }
    }
}

/// What changed between two programs: of the classes that were given to be explored.
pub fn changes(old: &Program, new: &Program) -> Changes {
    let (old, new) = (Version::of(old.classes()), Version::of(new.classes()));
    let mut changes = Changes::default();
    let mut old_roots: Vec<Node> = Vec::new();
    let mut new_roots: Vec<Node> = Vec::new();
    for (key, code) in &new.code {
        match old.code.get(key) {
            None => changes.added.push(key.clone()),
            Some(before) if before != code => changes.changed.push(key.clone()),
            Some(_) => {}
        }
    }
    changes.removed = old.code.keys().filter(|key| !new.code.contains_key(key)).cloned().collect();
    let method = |key: &MethodKey| Node::Method(key.clone());
    old_roots.extend(changes.removed.iter().chain(&changes.changed).map(method));
    new_roots.extend(changes.added.iter().chain(&changes.changed).map(method));
    let others = compare_classes(&mut changes, &old, &new);
    old_roots.extend(others.iter().cloned());
    new_roots.extend(others);
    let both = [Reaching::new(&old, old_roots), Reaching::new(&new, new_roots)];
    spread(&mut changes, &old, &new, &both);
    changes
}

/// What leads to the changes in a version.
struct Reaching<'p> {
    calls: Calls<'p>,
    roots: BTreeSet<Node>,
    /// What may do so, whatever objects there are.
    candidates: BTreeMap<Node, Node>,
}

impl<'p> Reaching<'p> {
    fn new(version: &Version<'p>, roots: Vec<Node>) -> Reaching<'p> {
        let calls = Calls::of(&version.classes());
        let candidates = calls.reaching(roots.iter().cloned());
        Reaching { calls, roots: roots.into_iter().collect(), candidates }
    }

    /// What a method leads to.
    fn from(&self, key: &MethodKey, is_static: bool) -> Option<Node> {
        self.calls.reaches(key, !is_static, (&self.roots, &self.candidates))
    }
}

/// Supertypes, flags and fields.
fn compare_classes(changes: &mut Changes, old: &Version<'_>, new: &Version<'_>) -> Vec<Node> {
    let mut roots = Vec::new();
    let both = old.classes.keys().chain(new.classes.keys()).collect::<BTreeSet<_>>();
    for name in both {
        let (before, after) = (old.classes.get(name), new.classes.get(name));
        let java = name.replace('/', ".");
        if before.map(|c| outline(c)) != after.map(|c| outline(c)) {
            roots.push(Node::Class(name.to_string()));
            changes.others.push(match (before, after) {
                (None, _) => format!("class {java} is new"),
                (_, None) => format!("class {java} is gone"),
                _ => format!("class {java}: its supertypes or modifiers"),
            });
        }
        let is_whole = before.is_some() && after.is_some();
        let fields = |class: Option<&&ClassFile>| -> BTreeMap<String, String> {
            let all = class.into_iter().flat_map(|class| &class.fields);
            all.map(|own| (own.name.to_string(), field(own))).collect()
        };
        let (before, after) = (fields(before), fields(after));
        let names = before.keys().chain(after.keys()).collect::<BTreeSet<_>>();
        for field in names.into_iter().filter(|name| before.get(*name) != after.get(*name)) {
            roots.push(Node::Field(name.to_string(), field.clone()));
            if is_whole {
                let how = match (before.contains_key(field), after.contains_key(field)) {
                    (false, _) => "is new",
                    (_, false) => "is gone",
                    _ => "is declared otherwise",
                };
                changes.others.push(format!("field {java}.{field} {how}"));
            }
        }
    }
    roots
}

/// Finds the methods that lead to what changed.
fn spread(changes: &mut Changes, old: &Version<'_>, new: &Version<'_>, both: &[Reaching<'_>; 2]) {
    let changed: BTreeSet<&MethodKey> = changes.changed.iter().collect();
    for key in new.code.keys().filter(|key| old.code.contains_key(key) && !changed.contains(key)) {
        let is_static = new.statics.contains(key) || key.name == "<init>";
        match both.iter().find_map(|version| version.from(key, is_static)) {
            None => changes.unchanged += 1,
            Some(root) => changes.affected.push(Affected { function: key.clone(), through: shown(&root) }),
        }
    }
}

fn shown(node: &Node) -> String {
    match node {
        Node::Method(key) => key.to_string(),
        Node::Class(name) => format!("class {}", name.replace('/', ".")),
        Node::Field(class, name) => format!("field {}.{name}", class.replace('/', ".")),
        Node::Outside => "code outside of the program".into(),
    }
}

/// What a class is, beside its members.
fn outline(class: &ClassFile) -> String {
    // How the class file was made does not change its behaviour.
    let flags = class.access & !(access::SUPER | access::SYNTHETIC);
    format!("{flags:#x} {:?} {:?} {:?}", class.super_name, class.interfaces, class.record)
}

fn field(field: &Field) -> String {
    let constant = match &field.constant {
        Some(evergreen_classfile::Constant::Float(value)) => format!("{:#x}", value.to_bits()),
        Some(evergreen_classfile::Constant::Double(value)) => format!("{:#x}", value.to_bits()),
        constant => format!("{constant:?}"),
    };
    format!("{:#x} {} {constant}", field.access, field.descriptor)
}

/// One version.
struct Version<'p> {
    classes: BTreeMap<&'p str, &'p ClassFile>,
    /// The code of every method, but for bodies of lambdas, which are parts of others.
    code: BTreeMap<MethodKey, String>,
    statics: BTreeSet<MethodKey>,
}

impl<'p> Version<'p> {
    fn of(classes: &'p [ClassFile]) -> Version<'p> {
        let own = || classes.iter().filter(|class| !is_driver_api(&class.name));
        let mut version = Version {
            classes: own().map(|class| (&*class.name, class)).collect(),
            code: BTreeMap::new(),
            statics: BTreeSet::new(),
        };
        for class in own() {
            for method in class.methods.iter().filter(|method| !code::is_lambda(method)) {
                let key = MethodKey::new(&class.name, method);
                if method.is_static() {
                    version.statics.insert(key.clone());
                }
                version.code.insert(key, code::text(class, method));
            }
        }
        version
    }

    fn classes(&self) -> Vec<&'p ClassFile> {
        self.classes.values().copied().collect()
    }
}
