//! Which methods may run because of which: an over-approximation, so that a method that is not reached does
//! what it did before.
//!
//! A method leads to what it calls (a virtual call to every method of that name and descriptor that an object
//! of a subclass would run), to the initializers of the classes that it initializes, to the fields that it
//! names, and to the classes that it mentions. Code outside of the program may call back whatever it could
//! know: methods of the program with a supertype outside, and those that every object has. Reflection is not
//! seen.

use super::MethodKey;
use evergreen_classfile::{
    ClassFile, Constant, DynamicRef, Instruction, InvokeKind, Member, MemberKind, Method, MethodDescriptor,
    Type, access,
};
use std::collections::{BTreeMap, BTreeSet};

/// Something that can change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Node {
    /// A method.
    Method(MethodKey),
    /// What a class is: its supertypes and flags.
    Class(String),
    /// The fields of a name, in whatever class.
    Field(String),
    /// What the world outside may call.
    Outside,
}

/// Which code leads to which.
pub(super) struct Calls<'p> {
    classes: BTreeMap<&'p str, &'p ClassFile>,
    /// From a class to its subclasses in the program, itself included.
    below: BTreeMap<&'p str, BTreeSet<&'p str>>,
    /// The methods of a name and descriptor.
    declared: BTreeMap<(&'p str, &'p str), Vec<MethodKey>>,
    /// Reversed: from a node to those that lead to it.
    from: BTreeMap<Node, BTreeSet<Node>>,
}

impl<'p> Calls<'p> {
    /// Of these classes.
    pub(super) fn of(classes: &[&'p ClassFile]) -> Calls<'p> {
        let named = classes.iter().map(|class| (&*class.name, *class)).collect();
        let (below, declared, from) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut calls = Calls { classes: named, below, declared, from };
        for class in classes {
            for method in &class.methods {
                let same = calls.declared.entry((&method.name, &method.descriptor)).or_default();
                same.push(MethodKey::new(&class.name, method));
            }
            for above in calls.above(&class.name) {
                calls.below.entry(above).or_default().insert(&class.name);
            }
        }
        for class in classes {
            calls.add_class(class);
        }
        calls
    }

    /// Everything that leads to one of these, each with the one that it leads to first.
    pub(super) fn reaching(&self, roots: impl IntoIterator<Item = Node>) -> BTreeMap<Node, Node> {
        let mut because: BTreeMap<Node, Node> = BTreeMap::new();
        let mut open: std::collections::VecDeque<Node> = std::collections::VecDeque::new();
        for root in roots {
            because.insert(root.clone(), root.clone());
            open.push_back(root);
        }
        while let Some(node) = open.pop_front() {
            let root = because[&node].clone();
            for caller in self.from.get(&node).into_iter().flatten() {
                if !because.contains_key(caller) {
                    because.insert(caller.clone(), root.clone());
                    open.push_back(caller.clone());
                }
            }
        }
        because
    }

    fn edge(&mut self, from: &Node, to: Node) {
        self.from.entry(to).or_default().insert(from.clone());
    }

    /// A class and its ancestors, as far as the program knows them; the names of unknown ancestors end the
    /// list.
    fn above(&self, class: &'p str) -> BTreeSet<&'p str> {
        let (mut found, mut open) = (BTreeSet::new(), vec![class]);
        while let Some(name) = open.pop() {
            if found.insert(name)
                && let Some(class) = self.classes.get(name)
            {
                open.extend(class.super_name.iter().chain(&class.interfaces).map(|name| &**name));
            }
        }
        found
    }

    fn add_class(&mut self, class: &'p ClassFile) {
        let own = Node::Class(class.name.to_string());
        for above in class.super_name.iter().chain(&class.interfaces) {
            self.edge(&own, Node::Class(above.to_string()));
        }
        let meets_world = self.meets_world(class);
        for method in &class.methods {
            let node = Node::Method(MethodKey::new(&class.name, method));
            self.edge(&node, own.clone());
            self.wakes(&node, &class.name);
            let is_instance = !method.is_static() && method.access & access::PRIVATE == 0;
            if is_instance && &*method.name != "<init>" && (meets_world || every_object_has(method)) {
                self.edge(&Node::Outside, node.clone());
            }
            self.add_code(class, method, &node);
        }
    }

    /// Whether code outside of the program may know objects of the class by a type of its own.
    fn meets_world(&self, class: &'p ClassFile) -> bool {
        let plain = ["java/lang/Object", "java/lang/Record", "java/lang/Enum"];
        self.above(&class.name)
            .into_iter()
            .any(|name| !self.classes.contains_key(name) && !plain.contains(&name))
    }

    /// The class is initialized before it is used, and with it those above it.
    fn wakes(&mut self, node: &Node, class: &str) {
        let Some((&name, _)) = self.classes.get_key_value(class) else { return };
        for above in self.above(name) {
            let Some(initializer) = self.classes.get(above).and_then(|c| c.method("<clinit>", "()V")) else {
                continue;
            };
            let initializer = Node::Method(MethodKey::new(above, initializer));
            self.edge(node, initializer);
        }
    }

    fn add_code(&mut self, class: &ClassFile, method: &Method, node: &Node) {
        let Some(code) = &method.code else {
            if method.is_native() {
                self.edge(node, Node::Outside);
            }
            return;
        };
        for handler in &code.handlers {
            handler.catch.iter().for_each(|caught| self.mentions(node, caught));
        }
        for instruction in &code.instructions {
            use Instruction::*;
            match *instruction {
                GetStatic(index) | PutStatic(index) | GetField(index) | PutField(index) => {
                    let Ok(field) = class.pool.member(index) else { continue };
                    self.edge(node, Node::Field(field.name.to_string()));
                    self.mentions(node, &field.class);
                    if matches!(instruction, GetStatic(_) | PutStatic(_)) {
                        self.wakes(node, &field.class);
                    }
                }
                Invoke(kind, index) => {
                    if let Ok(member) = class.pool.member(index) {
                        self.call(node, kind, &member);
                    }
                }
                InvokeDynamic(index) => {
                    if let Ok(site) = class.pool.invoke_dynamic(index) {
                        self.dynamic(class, node, &site);
                    }
                }
                Ldc(index) => {
                    if let Ok(constant) = class.pool.constant(index) {
                        self.constant(class, node, &constant);
                    }
                }
                New(index) => {
                    let Ok(name) = class.pool.class(index) else { continue };
                    self.mentions(node, name);
                    self.wakes(node, name);
                }
                ANewArray(index) | CheckCast(index) | InstanceOf(index) | MultiANewArray(index, _) => {
                    if let Ok(name) = class.pool.class(index) {
                        self.mentions(node, name);
                    }
                }
                _ => {}
            }
        }
    }

    fn mentions(&mut self, node: &Node, class: &str) {
        let class = class.trim_start_matches('[');
        let class = class.strip_prefix('L').and_then(|c| c.strip_suffix(';')).unwrap_or(class);
        self.edge(node, Node::Class(class.to_string()));
    }

    /// A site gets what its bootstrap method makes of its arguments: handles among them are as good as
    /// called. Strings are made of objects by their own methods.
    fn dynamic(&mut self, class: &ClassFile, node: &Node, site: &DynamicRef) {
        let Some(bootstrap) = class.bootstrap.get(usize::from(site.bootstrap)) else { return };
        let maker = match &bootstrap.method {
            Constant::MethodHandle { member, .. } => Some(member),
            _ => None,
        };
        // What a lambda keeps is called by its body, if at all.
        let is_lambda = maker.is_some_and(|maker| &*maker.class == "java/lang/invoke/LambdaMetafactory");
        if !is_lambda && may_call_back(&site.descriptor) {
            self.edge(node, Node::Outside);
        }
        let own_maker = maker.is_some_and(|maker| self.classes.contains_key(&*maker.class));
        let maker = Some(&bootstrap.method).filter(|_| own_maker);
        for constant in bootstrap.arguments.iter().chain(maker) {
            self.constant(class, node, constant);
        }
    }

    fn constant(&mut self, class: &ClassFile, node: &Node, constant: &Constant) {
        match constant {
            Constant::Class(name) => self.mentions(node, name),
            Constant::MethodHandle { member, .. } if member.kind == MemberKind::Field => {
                self.edge(node, Node::Field(member.name.to_string()));
            }
            Constant::MethodHandle { member, .. } => self.call(node, InvokeKind::Virtual, member),
            // A dynamic constant may be an argument of another one, but not of itself.
            Constant::Dynamic(constant) => self.dynamic(class, node, constant),
            _ => {}
        }
    }

    fn call(&mut self, node: &Node, kind: InvokeKind, member: &Member) {
        self.mentions(node, &member.class);
        if kind == InvokeKind::Static {
            self.wakes(node, &member.class);
        }
        let Some((&known, _)) = self.classes.get_key_value(&*member.class) else {
            return self.call_outside(node, member);
        };
        let receivers: BTreeSet<&'p str> = match kind {
            InvokeKind::Static | InvokeKind::Special => BTreeSet::from([known]),
            _ => self.below.get(known).cloned().unwrap_or_default(),
        };
        for receiver in receivers {
            match self.resolve(receiver, &member.name, &member.descriptor) {
                Some(found) => self.edge(node, Node::Method(found)),
                // Inherited from a class out there.
                None if receiver == known => self.call_outside(node, member),
                None => {}
            }
        }
    }

    /// A call of a method that is none of the program's. Which of the program's classes are below its class
    /// is not known: any may be.
    fn call_outside(&mut self, node: &Node, member: &Member) {
        let same = self.declared.get(&(&*member.name, &*member.descriptor)).cloned().unwrap_or_default();
        // A constructor or static method outside of the program cannot be overridden.
        if &*member.name != "<init>" {
            same.into_iter().for_each(|method| self.edge(node, Node::Method(method)));
        }
        // The method that made the lambda leads to its body.
        let is_function = member.class.starts_with("java/util/function/");
        if !is_function && (!is_leaf(&member.class) || may_call_back(&member.descriptor)) {
            self.edge(node, Node::Outside);
        }
    }

    /// The method that a call on an object of the class runs, if that is one of the program.
    fn resolve(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodKey> {
        let mut next = self.classes.get(class);
        while let Some(class) = next {
            if let Some(method) = class.method(name, descriptor) {
                return Some(MethodKey::new(&class.name, method));
            }
            next = class.super_name.as_ref().and_then(|above| self.classes.get(&**above));
        }
        let (start, _) = self.classes.get_key_value(class)?;
        self.above(start).into_iter().find_map(|above| {
            let above = self.classes.get(above).filter(|class| class.is_interface())?;
            above.method(name, descriptor).map(|method| MethodKey::new(&above.name, method))
        })
    }
}

/// What code outside of the program may call on any object.
fn every_object_has(method: &Method) -> bool {
    let own = ["toString", "hashCode", "equals", "compareTo", "clone", "finalize", "close", "run"];
    own.contains(&&*method.name)
}

/// Whether something of this type brings code of the program along.
fn brings_code(of: &Type) -> bool {
    match of {
        Type::Class(name) => !is_plain(name),
        Type::Array(element) => brings_code(element),
        _ => false,
    }
}

fn may_call_back(descriptor: &str) -> bool {
    let Ok(descriptor) = MethodDescriptor::parse(descriptor) else { return true };
    descriptor.parameters.iter().any(brings_code)
}

/// Classes whose objects hold no objects of the program.
fn is_plain(name: &str) -> bool {
    let plain = [
        "String",
        "StringBuilder",
        "StringBuffer",
        "Integer",
        "Long",
        "Short",
        "Byte",
        "Character",
        "Boolean",
        "Float",
        "Double",
        "Class",
    ];
    name.strip_prefix("java/lang/").is_some_and(|name| plain.contains(&name))
}

/// Classes whose methods call nothing of the program but what they are given.
fn is_leaf(name: &str) -> bool {
    let own = ["Math", "StrictMath", "System", "Object"];
    let exception = |name: &str| name.ends_with("Exception") || name.ends_with("Error");
    is_plain(name)
        || name == "java/io/PrintStream"
        || name.strip_prefix("java/lang/").is_some_and(|name| own.contains(&name) || exception(name))
}
