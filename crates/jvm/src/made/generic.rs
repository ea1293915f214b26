//! Types with their arguments, as the Signature attribute has them (JVMS 4.7.9.1): what a `List<Integer>`
//! holds.
//!
//! Variables are replaced by their bounds. One that may be anything is an `Integer`: that is a type that
//! callers may choose, and its values can be compared and hashed.

use std::rc::Rc;
use std::sync::Arc;

use evergreen_classfile::{MethodDescriptor, Type};
use rustc_hash::FxHashMap;

use crate::classes::{ClassId, MethodId};
use crate::machine::Jvm;
use crate::state::State;

/// A type with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Generic {
    /// Without arguments: `Ljava/util/List;`.
    pub(crate) descriptor: Arc<str>,
    /// The arguments, if the class file has them.
    pub(crate) arguments: Vec<Generic>,
}

impl Generic {
    /// A type without arguments.
    pub(crate) fn plain(descriptor: &str) -> Generic {
        Generic { descriptor: descriptor.into(), arguments: Vec::new() }
    }

    /// The type of the elements of an array.
    pub(crate) fn element(&self) -> Option<Generic> {
        let element = self.descriptor.strip_prefix('[')?;
        // The arguments of an array are those of its elements.
        Some(Generic { descriptor: element.into(), arguments: self.arguments.clone() })
    }

    /// What a collection holds.
    pub(crate) fn held(&self) -> Generic {
        self.arguments.first().cloned().unwrap_or_else(|| Generic::plain(ANYTHING))
    }
}

/// What stands for a type that callers choose.
const ANYTHING: &str = "Ljava/lang/Integer;";

impl Jvm {
    /// The type of a field of a class, by its slot, with its arguments.
    pub(crate) fn field_type(&self, class: ClassId, slot: usize) -> Generic {
        let field = &self.class(class).instance_fields[slot];
        let owner = self.class(field.owner);
        let declared = owner.file().and_then(|file| file.fields.iter().find(|own| own.name == field.name));
        let signature = declared.and_then(|own| own.signature.as_deref());
        let mut reader = Reader { text: "", variables: FxHashMap::default() };
        if let Some(of_class) = owner.file().and_then(|file| file.signature.as_deref()) {
            reader.text = of_class;
            let _ = reader.formals();
        }
        reader.text = signature.unwrap_or_default();
        let read = reader.one().filter(|read| read.descriptor == field.descriptor);
        read.unwrap_or_else(|| Generic::plain(&field.descriptor))
    }

    /// The types of a method's parameters, with their arguments.
    pub(crate) fn parameter_types(&self, method: MethodId) -> Rc<[Generic]> {
        let read = self.read_parameters(method, &[]);
        let plain = self.erased_parameters(method).into_iter();
        match read {
            // What is not erased the same way was read wrongly.
            Some(all) => all
                .into_iter()
                .zip(plain)
                .map(|(read, plain)| if read.descriptor == plain.descriptor { read } else { plain })
                .collect(),
            None => plain.collect(),
        }
    }

    /// The types of the parameters of a call that makes an object of the type `of`: what a `Box<String>` is
    /// made of is a string.
    pub(crate) fn parameter_types_for(&mut self, method: MethodId, of: &Generic) -> Rc<[Generic]> {
        let known = self.parameter_types(method);
        let bound = self.variables_of(method, of).unwrap_or_default();
        if bound.is_empty() {
            return known;
        }
        let Some(read) = self.read_parameters(method, &bound) else { return known };
        let all = read.into_iter().zip(known.iter().cloned());
        all.map(|(read, known)| if self.is_narrower(&read, &known) { read } else { known }).collect()
    }

    /// Whether what was read for a parameter can be passed where its erased type is expected.
    fn is_narrower(&mut self, read: &Generic, erased: &Generic) -> bool {
        if read.descriptor == erased.descriptor {
            return true;
        }
        if let (Some(read), Some(erased)) = (read.element(), erased.element()) {
            return self.is_narrower(&read, &erased);
        }
        let (Some(read), Some(erased)) = (self.class_of_type(read), self.class_of_type(erased)) else {
            return false;
        };
        self.class(read).is_assignable_to(erased)
    }

    /// The types of the parameters of the explored method on a path: the variables of its class are what
    /// its receiver was made of.
    pub(crate) fn entry_types(&mut self, state: &State, method: MethodId) -> Rc<[Generic]> {
        let known = self.parameter_types(method);
        let bound = self.receiver_variables(state, method).unwrap_or_default();
        if bound.is_empty() {
            return known;
        }
        let Some(read) = self.read_parameters(method, &bound) else { return known };
        let all = read.into_iter().zip(known.iter().cloned());
        all.map(|(read, known)| if self.is_narrower(&read, &known) { read } else { known }).collect()
    }

    /// What the variables of a method's class stand for, if a constructor has made the receiver of objects
    /// that say so: an `Integrator<T>` of a `Field<T>` that is a `Field<Real>`.
    fn receiver_variables(&mut self, state: &State, method: MethodId) -> Option<Vec<(String, Generic)>> {
        let method = self.method(method).clone();
        let signature = self.class(method.class).file()?.signature.clone()?;
        let mut reader = Reader { text: &signature, variables: FxHashMap::default() };
        let names: Vec<String> = reader.formal_names().into_iter().map(String::from).collect();
        if names.is_empty() {
            return None;
        }
        let (callee, arguments) = state.made.call_of(state.receiver?)?;
        let callee = self.method(callee).clone();
        if &*callee.name != "<init>" {
            return None;
        }
        let own = self.class(callee.class).clone();
        let file = own.file().cloned()?;
        let mut reader = Reader { text: file.signature.as_deref()?, variables: FxHashMap::default() };
        let marker = |name: &str| Generic::plain(&format!("T{name};"));
        let formals = reader.formal_names();
        reader.variables = formals.iter().map(|name| (*name, marker(name))).collect();
        reader.text = file.method(&callee.name, &callee.descriptor)?.signature.as_deref()?;
        let mut bound = Vec::new();
        for (declared, value) in reader.parameters()?.iter().zip(&arguments) {
            let made_by = value.as_ref().and_then(|object| state.made.call_of(object));
            let Some((made_by, _)) = made_by else { continue };
            if let Some(made) = self.made_type(made_by, declared) {
                unify(declared, &made, &mut bound);
            }
        }
        let of = |name: &&str| {
            let known = bound.iter().find(|(own, _)| own == name).map(|(_, of)| of.clone());
            known.unwrap_or_else(|| marker(name))
        };
        let arguments = formals.iter().map(of).collect();
        let made = Generic { descriptor: format!("L{};", own.name).into(), arguments };
        let made = self.as_ancestor(own.id, made, method.class)?;
        let is_known = |(_, of): &(String, Generic)| of.descriptor.starts_with('L');
        Some(names.into_iter().zip(made.arguments).filter(is_known).collect())
    }

    /// What the variables of a call stand for whose result is of the type `of`: those of a constructor's
    /// class, and those of a factory.
    fn variables_of(&mut self, method: MethodId, of: &Generic) -> Option<Vec<(String, Generic)>> {
        if of.arguments.is_empty() {
            return None;
        }
        let made = self.made_type(method, of)?;
        let mut bound = Vec::new();
        unify(&made, of, &mut bound);
        Some(bound)
    }

    /// The type of what a call makes, as the class of the type `of`: variables of the call stay as they are.
    fn made_type(&mut self, method: MethodId, of: &Generic) -> Option<Generic> {
        let method = self.method(method).clone();
        let owner = self.class(method.class).clone();
        let file = owner.file().cloned()?;
        let marker = |name: &str| Generic::plain(&format!("T{name};"));
        let plain = || Generic::plain(&format!("L{};", owner.name));
        let made = if &*method.name == "<init>" {
            match file.signature.as_deref() {
                Some(signature) => {
                    let mut reader = Reader { text: signature, variables: FxHashMap::default() };
                    let arguments = reader.formal_names().into_iter().map(marker).collect();
                    Generic { arguments, ..plain() }
                }
                None => plain(),
            }
        } else {
            let declared = file.method(&method.name, &method.descriptor)?;
            match declared.signature.as_deref() {
                Some(signature) => {
                    let mut reader = Reader { text: signature, variables: FxHashMap::default() };
                    let names = reader.formal_names();
                    reader.text = &signature[signature.find(')')? + 1..];
                    reader.variables = names.into_iter().map(|name| (name, marker(name))).collect();
                    reader.one()?
                }
                None => Generic::plain(&method.descriptor[method.descriptor.find(')')? + 1..]),
            }
        };
        let (class, ancestor) = (self.class_of_type(&made)?, self.class_of_type(of)?);
        self.as_ancestor(class, made, ancestor)
    }

    fn class_of_type(&mut self, of: &Generic) -> Option<ClassId> {
        let name = of.descriptor.strip_prefix('L')?.strip_suffix(';')?;
        self.load(name).ok()
    }

    /// Whether what a call makes may be of a type: what a `Field<Fraction>` has is no `Field<Real>`, unless
    /// one of the two arguments is of the other's class.
    pub(super) fn may_be_of(&mut self, method: MethodId, of: &Generic) -> bool {
        if of.arguments.is_empty() {
            return true;
        }
        let Some(made) = self.made_type(method, of) else { return true };
        made.arguments.iter().zip(&of.arguments).all(|(made, of)| {
            let (Some(made), Some(of)) = (self.class_of_type(made), self.class_of_type(of)) else {
                return true;
            };
            self.class(made).is_assignable_to(of) || self.class(of).is_assignable_to(made)
        })
    }

    fn erased_parameters(&self, method: MethodId) -> Vec<Generic> {
        let erased = MethodDescriptor::parse(&self.method(method).descriptor).map(|parsed| parsed.parameters);
        let erased: Vec<Type> = erased.unwrap_or_default();
        erased.iter().map(|of| Generic::plain(&of.to_string())).collect()
    }

    /// The parameters as the Signature attribute has them, where some variables are known.
    fn read_parameters(&self, method: MethodId, bound: &[(String, Generic)]) -> Option<Vec<Generic>> {
        let count = self.erased_parameters(method).len();
        let method = self.method(method);
        let file = self.class(method.class).file()?;
        let signature = file.method(&method.name, &method.descriptor)?.signature.as_deref()?;
        let mut reader = Reader { text: "", variables: FxHashMap::default() };
        if let Some(class) = file.signature.as_deref() {
            reader.text = class;
            let _ = reader.formals();
        }
        reader.text = signature;
        reader.formals()?;
        reader.variables.extend(bound.iter().map(|(name, of)| (&**name, of.clone())));
        reader.parameters().filter(|all| all.len() == count)
    }
}

/// Finds what the variables of a type stand for where it is another type.
fn unify(made: &Generic, of: &Generic, bound: &mut Vec<(String, Generic)>) {
    if let Some(name) = made.descriptor.strip_prefix('T').and_then(|name| name.strip_suffix(';')) {
        if !bound.iter().any(|(known, _)| known == name) {
            bound.push((name.to_string(), of.clone()));
        }
        return;
    }
    if made.descriptor == of.descriptor {
        made.arguments.iter().zip(&of.arguments).for_each(|(made, of)| unify(made, of, bound));
    }
}

impl Jvm {
    /// The type of what a method of an interface returns, where objects of the interface are of type `of`.
    pub(crate) fn answer_type(&mut self, of: &Generic, method: MethodId) -> Generic {
        let declared = self.method(method).clone();
        let erased = MethodDescriptor::parse(&declared.descriptor).ok().and_then(|parsed| parsed.result);
        let plain = Generic::plain(&erased.map_or("V".into(), |of| of.to_string()));
        let name = of.descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        let Some(class) = name.and_then(|name| self.load(name).ok()) else { return plain };
        let Some(of) = self.as_ancestor(class, of.clone(), declared.class) else { return plain };
        let owner = self.class(declared.class);
        let Some(file) = owner.file() else { return plain };
        let own = file.method(&declared.name, &declared.descriptor);
        let Some(signature) = own.and_then(|own| own.signature.as_deref()) else { return plain };
        let mut reader = Reader::of_class(file.signature.as_deref().unwrap_or_default(), &of);
        reader.text = signature;
        if reader.parameters().is_none() {
            return plain;
        }
        match reader.one() {
            // A variable that nothing bounds.
            Some(read) if of.arguments.is_empty() && *read.descriptor == *"Ljava/lang/Object;" => plain,
            Some(read) => read,
            None => plain,
        }
    }

    /// A type as one of the interfaces above it: a `UnaryOperator<String>` is a `Function<String, String>`.
    fn as_ancestor(&mut self, class: ClassId, of: Generic, ancestor: ClassId) -> Option<Generic> {
        if class == ancestor {
            return Some(of);
        }
        let own = self.class(class).clone();
        let file = own.file().cloned()?;
        let above: Vec<Generic> = match &file.signature {
            Some(signature) => {
                let mut reader = Reader::of_class(signature, &of);
                let mut all = Vec::new();
                while !reader.text.is_empty() {
                    all.push(reader.one()?);
                }
                all
            }
            None => file.interfaces.iter().map(|name| Generic::plain(&format!("L{name};"))).collect(),
        };
        above.into_iter().find_map(|above| {
            let name = above.descriptor.strip_prefix('L')?.strip_suffix(';')?;
            let class = self.load(name).ok()?;
            self.as_ancestor(class, above, ancestor)
        })
    }
}

impl<'s> Reader<'s> {
    /// Behind the variables of a class, which have the values that they have in `of`.
    fn of_class(signature: &'s str, of: &Generic) -> Reader<'s> {
        let mut reader = Reader { text: signature, variables: FxHashMap::default() };
        let names = reader.formal_names();
        for (name, argument) in names.into_iter().zip(&of.arguments) {
            reader.variables.insert(name, argument.clone());
        }
        reader
    }

    /// The names of the variables, which are read.
    fn formal_names(&mut self) -> Vec<&'s str> {
        let before = self.text;
        if self.formals().is_none() {
            return Vec::new();
        }
        let mut reader = Reader { text: before, variables: FxHashMap::default() };
        let mut names = Vec::new();
        if !reader.take('<') {
            return names;
        }
        while !reader.take('>') {
            let Some(name) = reader.until(&[':']) else { break };
            names.push(name);
            while reader.take(':') {
                if !reader.text.starts_with(':') && reader.one().is_none() {
                    return names;
                }
            }
        }
        names
    }
}

struct Reader<'s> {
    text: &'s str,
    /// The bounds of variables.
    variables: FxHashMap<&'s str, Generic>,
}

impl<'s> Reader<'s> {
    fn take(&mut self, prefix: char) -> bool {
        let rest = self.text.strip_prefix(prefix);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    fn until(&mut self, ends: &[char]) -> Option<&'s str> {
        let (word, rest) = self.text.split_at(self.text.find(ends)?);
        self.text = rest;
        Some(word)
    }

    /// `<T:Ljava/lang/Object;U::Ljava/lang/Comparable<TU;>;>`
    fn formals(&mut self) -> Option<()> {
        if !self.take('<') {
            return Some(());
        }
        while !self.take('>') {
            let name = self.until(&[':'])?;
            // A variable may be bounded by itself: `T extends Element<T>` is an element of elements.
            self.variables.insert(name, Generic::plain("Ljava/lang/Object;"));
            let mut bound = None;
            while self.take(':') {
                if !self.text.starts_with(':') {
                    let before = self.text;
                    let mut read = self.one()?;
                    let of_itself = format!("<T{name};>;");
                    if before[..before.len() - self.text.len()].ends_with(&of_itself) {
                        read.arguments = vec![Generic::plain(&read.descriptor)];
                    }
                    bound = bound.or(Some(read));
                }
            }
            self.variables.insert(name, bound?);
        }
        Some(())
    }

    fn parameters(&mut self) -> Option<Vec<Generic>> {
        self.formals()?;
        if !self.take('(') {
            return None;
        }
        let mut all = Vec::new();
        while !self.take(')') {
            all.push(self.one()?);
        }
        Some(all)
    }

    fn one(&mut self) -> Option<Generic> {
        let first = self.text.chars().next()?;
        self.text = &self.text[first.len_utf8()..];
        match first {
            '[' => {
                let element = self.one()?;
                Some(Generic { descriptor: format!("[{}", element.descriptor).into(), ..element })
            }
            'T' => {
                let name = self.until(&[';'])?;
                self.take(';');
                Some(
                    self.variables.get(name).cloned().unwrap_or_else(|| Generic::plain("Ljava/lang/Object;")),
                )
            }
            'L' => {
                let mut name = self.until(&[';', '<', '.'])?.to_string();
                let mut arguments = self.arguments()?;
                while self.take('.') {
                    name = format!("{name}${}", self.until(&[';', '<', '.'])?);
                    arguments = self.arguments()?;
                }
                self.take(';');
                Some(Generic { descriptor: format!("L{name};").into(), arguments })
            }
            primitive => Some(Generic::plain(&primitive.to_string())),
        }
    }

    fn arguments(&mut self) -> Option<Vec<Generic>> {
        let mut all = Vec::new();
        if !self.take('<') {
            return Some(all);
        }
        while !self.take('>') {
            if self.take('*') {
                all.push(Generic::plain(ANYTHING));
                continue;
            }
            let _ = self.take('+') || self.take('-');
            let is_variable = self.text.starts_with('T');
            let read = self.one()?;
            let is_open = matches!(&*read.descriptor, "Ljava/lang/Object;" | "Ljava/lang/Comparable;");
            all.push(if is_variable && is_open { Generic::plain(ANYTHING) } else { read });
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(signature: &'static str) -> Vec<String> {
        let mut reader = Reader { text: signature, variables: FxHashMap::default() };
        let all = reader.parameters().unwrap_or_default();
        fn show(of: &Generic) -> String {
            let arguments: Vec<String> = of.arguments.iter().map(show).collect();
            match arguments.is_empty() {
                true => of.descriptor.to_string(),
                false => format!("{}<{}>", of.descriptor, arguments.join(",")),
            }
        }
        all.iter().map(show).collect()
    }

    #[test]
    fn signatures_say_what_collections_hold() {
        let list = read("(Ljava/util/List<Ljava/lang/String;>;I[Ljava/util/Set<*>;)V");
        assert_eq!(
            list,
            ["Ljava/util/List;<Ljava/lang/String;>", "I", "[Ljava/util/Set;<Ljava/lang/Integer;>"]
        );
        let bounded = read(
            "<T::Ljava/lang/Comparable<TT;>;U:La/Shape;>(Ljava/util/List<TT;>;Ljava/util/List<+TU;>;TU;)V",
        );
        assert_eq!(
            bounded,
            ["Ljava/util/List;<Ljava/lang/Integer;>", "Ljava/util/List;<La/Shape;>", "La/Shape;"]
        );
        assert_eq!(read("(La/Outer<TX;>.Inner<Ljava/lang/Long;>;)V"), ["La/Outer$Inner;<Ljava/lang/Long;>"]);
        assert!(read("(Ljava/util/List<").is_empty());
    }
}
