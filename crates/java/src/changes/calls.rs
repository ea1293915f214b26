//! Which methods may run because of which: an over-approximation, so that a method that is not reached does
//! what it did before.
//!
//! A method leads to what it calls (a virtual call to every method of that name and descriptor that an object
//! of a subclass would run), to the initializers of the classes that it initializes, to the fields that it
//! names, and to the classes that it mentions. Code outside of the program may call back whatever it could
//! know: methods of the program with a supertype outside, and those that every object has. Reflection is not
//! seen.
//!
//! That would be a method of any class wherever a list is asked for its size. So the methods that lead to a
//! change in this way are followed once more, from each ([`Calls::reaches`]): code outside calls only objects
//! of classes that the method or its callees make, or that its inputs can have [Bacon and Sweeney OOPSLA'96].
//! Inputs are objects of the declared classes, of those below, and of the fields of all these; a parameter or
//! field whose class is outside of the program (`Object`, `List`) may hold an object of any class.

use super::MethodKey;
use evergreen_classfile::{
    ClassFile, Constant, DynamicRef, HandleKind, Instruction, InvokeKind, Member, MemberKind, Method,
    MethodDescriptor, Type, access,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Something that can change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Node {
    /// A method.
    Method(MethodKey),
    /// What a class is: its supertypes and flags.
    Class(String),
    /// A field of a class: class and name.
    Field(String, String),
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
    /// From a node to those that it leads to, whatever objects there are.
    to: BTreeMap<Node, BTreeSet<Node>>,
    /// The same, to methods of classes of which there must be an object.
    to_objects: BTreeMap<Node, BTreeSet<MethodKey>>,
    /// What code outside may call on objects of a class.
    called_back: BTreeMap<&'p str, Vec<MethodKey>>,
    /// The classes of the objects that a method makes.
    makes: BTreeMap<Node, BTreeSet<String>>,
}

impl<'p> Calls<'p> {
    /// Of these classes.
    pub(super) fn of(classes: &[&'p ClassFile]) -> Calls<'p> {
        let named = classes.iter().map(|class| (&*class.name, *class)).collect();
        let mut calls = Calls {
            classes: named,
            below: BTreeMap::new(),
            declared: BTreeMap::new(),
            from: BTreeMap::new(),
            to: BTreeMap::new(),
            to_objects: BTreeMap::new(),
            called_back: BTreeMap::new(),
            makes: BTreeMap::new(),
        };
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
        let mut open: VecDeque<Node> = VecDeque::new();
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
        self.to.entry(from.clone()).or_default().insert(to.clone());
        self.from.entry(to).or_default().insert(from.clone());
    }

    /// As an edge, if there is an object of the method's class.
    fn edge_to_object(&mut self, from: &Node, to: MethodKey) {
        self.to_objects.entry(from.clone()).or_default().insert(to.clone());
        self.from.entry(Node::Method(to)).or_default().insert(from.clone());
    }

    /// The first of `roots` that a method leads to, on objects that there can be. `candidates` lead to one if
    /// there is an object of every class. Static methods have no receiver, nor has a constructor.
    pub(super) fn reaches(
        &self,
        method: &MethodKey,
        has_receiver: bool,
        (roots, candidates): (&BTreeSet<Node>, &BTreeMap<Node, Node>),
    ) -> Option<Node> {
        let mut walk = Walk::default();
        walk.open.push_back(Node::Method(method.clone()));
        self.make_inputs(method, has_receiver, &mut walk);
        if !walk.open.iter().any(|start| candidates.contains_key(start)) {
            return None;
        }
        while let Some(node) = walk.open.pop_front() {
            if !walk.seen.insert(node.clone()) {
                continue;
            }
            if roots.contains(&node) {
                return Some(node);
            }
            if node == Node::Outside {
                walk.is_outside = true;
                let back = walk.known.iter().filter_map(|class| self.called_back.get(&**class)).flatten();
                walk.open.extend(back.cloned().map(Node::Method));
                continue;
            }
            walk.open.extend(self.to.get(&node).into_iter().flatten().cloned());
            for key in self.to_objects.get(&node).into_iter().flatten() {
                match walk.known.contains(&key.class) {
                    true => walk.open.push_back(Node::Method(key.clone())),
                    false => walk.waiting.entry(key.class.clone()).or_default().push(key.clone()),
                }
            }
            for class in self.makes.get(&node).into_iter().flatten() {
                self.knows(class, &mut walk);
            }
        }
        None
    }

    /// The objects that a method is called with, and what runs to make them: constructors, static methods
    /// that return one, initializers.
    fn make_inputs(&self, method: &MethodKey, has_receiver: bool, walk: &mut Walk) {
        let descriptor = MethodDescriptor::parse(&method.descriptor).ok();
        if method.name == "<init>" {
            self.knows(&method.class, walk);
        }
        let mut parameters = descriptor.iter().flat_map(|descriptor| &descriptor.parameters);
        let own = self.classes.get_key_value(&*method.class).filter(|_| has_receiver);
        let receiver = own.map_or(Some(()), |(name, class)| self.receiver(name, class, walk));
        if receiver.and_then(|()| parameters.try_for_each(|of| self.input(of, walk))).is_none() {
            self.classes.keys().for_each(|class| self.knows(class, walk));
        }
        for name in std::mem::take(&mut walk.inputs) {
            let Some(class) = self.classes.get(&*name) else { continue };
            let makes = format!(")L{name};");
            let is_maker = |method: &&Method| match &*method.name {
                "<init>" | "<clinit>" => true,
                _ => method.is_static() && method.descriptor.ends_with(&makes),
            };
            let makers = class.methods.iter().filter(is_maker);
            walk.open.extend(makers.map(|method| Node::Method(MethodKey::new(&name, method))));
        }
    }

    /// There may be an object of the class: code that knows it, or one of its ancestors, may call it.
    fn knows(&self, class: &str, walk: &mut Walk) {
        let Some((&class, _)) = self.classes.get_key_value(class) else { return };
        for above in self.above(class) {
            if !walk.known.insert(above.to_string()) {
                continue;
            }
            let waiting = walk.waiting.remove(above).unwrap_or_default();
            walk.open.extend(waiting.into_iter().map(Node::Method));
            let back = self.called_back.get(above).filter(|_| walk.is_outside).into_iter().flatten();
            walk.open.extend(back.cloned().map(Node::Method));
        }
    }

    /// Adds what the object can hold that a method is called on: one of its class, if there can be one.
    fn receiver(&self, name: &'p str, class: &ClassFile, walk: &mut Walk) -> Option<()> {
        match class.access & (access::ABSTRACT | access::INTERFACE) {
            0 => self.holds(name, walk),
            _ => self.input(&Type::Class(name.into()), walk),
        }
    }

    /// Adds what an input of the type can be and hold; `None` if that is anything.
    fn input(&self, of: &Type, walk: &mut Walk) -> Option<()> {
        let name = match of {
            Type::Array(element) => return self.input(element, walk),
            Type::Class(name) if is_plain(name) => return Some(()),
            Type::Class(name) => &**name,
            _ => return Some(()),
        };
        let below = self.below.get(name).filter(|_| self.classes.contains_key(name))?;
        below.iter().try_for_each(|class| self.holds(class, walk))
    }

    /// Adds an object of the class, and what its fields can hold; `None` if that is anything.
    fn holds(&self, class: &'p str, walk: &mut Walk) -> Option<()> {
        if !walk.inputs.insert(class.to_string()) {
            return Some(());
        }
        self.knows(class, walk);
        let above = self.above(class).into_iter().filter_map(|above| self.classes.get(above));
        let mut fields = above.flat_map(|class| &class.fields).filter(|field| !field.is_static());
        fields.try_for_each(|field| self.input(&Type::parse(&field.descriptor).ok()?, walk))
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
                let key = MethodKey::new(&class.name, method);
                self.called_back.entry(&class.name).or_default().push(key);
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
                    self.names_field(node, &field);
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
                    self.makes.entry(node.clone()).or_default().insert(name.to_string());
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

    /// A field is that of the class it is named with, or of one above.
    fn names_field(&mut self, node: &Node, field: &Member) {
        let known = self.classes.get_key_value(&*field.class).map(|(&name, _)| name);
        for class in known.map(|name| self.above(name)).unwrap_or_default() {
            self.edge(node, Node::Field(class.to_string(), field.name.to_string()));
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
                self.names_field(node, member);
            }
            Constant::MethodHandle { member, kind } => {
                // `Point::new` makes an object.
                if *kind == HandleKind::NewInvokeSpecial {
                    self.makes.entry(node.clone()).or_default().insert(member.class.to_string());
                }
                self.call(node, InvokeKind::Virtual, member);
            }
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
            same.into_iter().for_each(|method| self.edge_to_object(node, method));
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

/// What is reached from a method.
#[derive(Default)]
struct Walk {
    open: VecDeque<Node>,
    seen: BTreeSet<Node>,
    /// Classes that an object can have, and those above them.
    known: BTreeSet<String>,
    /// Classes of inputs.
    inputs: BTreeSet<String>,
    /// Methods that are called on objects of a class, by class, until there is one.
    waiting: BTreeMap<String, Vec<MethodKey>>,
    /// Whether code outside of the program runs.
    is_outside: bool,
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
