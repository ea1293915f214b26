//! The objects of a test, as source: made by public calls where such are known, else by reflection.
//!
//! By reflection all objects are made first and filled then, one line each, so that they can point to each
//! other. Objects begin empty, so only fields other than zero and null are written.

use super::call::{is_hidden, parameter_types};
use super::{INDENT, Writer};
use crate::graph::build;
use crate::layout::{Doc, statement};
use crate::literal::{all_default, argument, braces, expression, quoted};
use crate::names::{Names, identifier, is_identifier, is_reserved};
use crate::{Build, GraphBody, GraphField, GraphObject, JavaValue, TestCase};
use evergreen_classfile::{MethodDescriptor, Type};
use std::collections::BTreeSet;

/// Longest name of a variable that is made of the way to its object.
const NAME_BOUND: usize = 24;

/// The calls that make the objects of a test, if source can name all that they call.
fn calls<'c>(case: &'c TestCase, names: &Names) -> Option<&'c Build> {
    let can_call = |descriptor: &str, method: Option<&String>| {
        let types = MethodDescriptor::parse(descriptor).map(|parsed| parsed.parameters).unwrap_or_default();
        types.iter().all(|of| names.can_name_type(of)) && method.is_none_or(|method| is_identifier(method))
    };
    build(case).filter(|build| {
        build.objects.iter().all(|built| {
            case.objects.get(built.object).is_some_and(|object| names.can_name(&object.class))
                && can_call(&built.constructor, None)
                && built.calls.iter().all(|call| can_call(&call.descriptor, Some(&call.method)))
        })
    })
}

/// Whether a test makes its objects by reflection.
pub(super) fn reflects(case: &TestCase, names: &Names) -> bool {
    !case.objects.is_empty() && calls(case, names).is_none()
}

/// Whether it makes one of the JDK's so.
pub(super) fn opens(case: &TestCase, names: &Names) -> bool {
    reflects(case, names) && case.objects.iter().any(|object| object.class.starts_with("java."))
}

impl Writer {
    /// The statements that make the objects of a test; the names of all variables of the
    /// test that are there then.
    pub(super) fn objects(&mut self, out: &mut String, case: &TestCase) -> BTreeSet<String> {
        let mut taken = BTreeSet::from(["result", "thrown", "out", "caught"].map(String::from));
        let variables = case.objects.iter().map(|object| variable(object, &mut taken)).collect();
        self.names.set_objects(variables);
        match calls(case, &self.names) {
            Some(build) => self.built(out, case, build),
            None => self.reflected(out, case),
        }
        taken
    }

    /// `TreeSet set = new TreeSet(); set.add(5);`
    fn built(&mut self, out: &mut String, case: &TestCase, build: &Build) {
        for built in &build.objects {
            let Some(object) = case.objects.get(built.object) else { continue };
            let name = self.names.object(built.object);
            let class = self.names.class(&object.class).unwrap_or_default();
            let arguments = self.arguments(&built.constructor, &built.arguments);
            let made = Doc::call(&format!("{class} {name} = new {class}"), arguments);
            statement(out, INDENT, &made);
            for call in &built.calls {
                let arguments = self.arguments(&call.descriptor, &call.arguments);
                statement(out, INDENT, &Doc::call(&format!("{name}.{}", call.method), arguments));
            }
        }
    }

    fn arguments(&mut self, descriptor: &str, values: &[JavaValue]) -> Vec<Doc> {
        let types = MethodDescriptor::parse(descriptor).map(|parsed| parsed.parameters).unwrap_or_default();
        let argument = |(index, value)| argument(value, types.get(index).cloned(), &mut self.names);
        values.iter().enumerate().map(argument).collect()
    }

    fn reflected(&mut self, out: &mut String, case: &TestCase) {
        for (index, object) in case.objects.iter().enumerate() {
            let needed = needed_type(case, index, &self.names);
            let made = self.made(needed, object);
            let declared = Doc::text(format!("{} {} = ", made.0, self.names.object(index)));
            statement(out, INDENT, &Doc::seq(vec![declared, made.1]));
        }
        for (index, object) in case.objects.iter().enumerate() {
            let (function, mut values) = match &object.body {
                GraphBody::Fields(fields) => ("set", self.fields(object, fields)),
                GraphBody::Elements { element, .. } if is_plain(element) => continue,
                GraphBody::Elements { items, .. } if items.iter().all(JavaValue::is_default) => continue,
                GraphBody::Elements { items, .. } => {
                    ("fill", items.iter().map(|item| self.field(item)).collect::<Vec<Doc>>())
                }
            };
            if values.is_empty() {
                continue;
            }
            if function == "fill" && values.len() == 1 {
                // Java would read an array by itself as all the values.
                values = vec![Doc::seq(vec![Doc::text("(Object) "), values.remove(0)])];
            }
            let first = Doc::text(self.names.object(index));
            statement(out, INDENT, &Doc::call(function, [first].into_iter().chain(values).collect()));
        }
    }

    /// The type that the variable of an object is declared with, and what makes the object: `Tree` and
    /// `make(Tree.class)` where the call under test needs the type, else `Object` and
    /// `make("shop.Tree$Node")`, because the class may be private.
    fn made(&mut self, needed: Option<Type>, object: &GraphObject) -> (String, Doc) {
        let made = match &object.body {
            GraphBody::Elements { element, items } if is_plain(element) => {
                return self.plain_array(needed, element, items);
            }
            GraphBody::Elements { element, items } => {
                let class = quoted(&format!("[{element}").replace('/', "."));
                Doc::call("makeArray", vec![Doc::text(class), Doc::text(items.len().to_string())])
            }
            GraphBody::Fields(_) => Doc::call("make", vec![Doc::text(quoted(&object.class))]),
        };
        match needed {
            // A needed type has a name: else the call is by reflection, and needs none.
            Some(Type::Class(class)) if class.replace('/', ".") == object.class => {
                let class = self.names.class(&object.class).unwrap_or_default();
                let made = Doc::text(format!("make({class}.class)"));
                (class, made)
            }
            Some(of) => {
                let declared = self.names.type_name(&of);
                let cast = Doc::text(format!("({declared}) "));
                (declared, Doc::seq(vec![cast, made]))
            }
            None => ("Object".into(), made),
        }
    }

    fn plain_array(&mut self, needed: Option<Type>, element: &Type, items: &[JavaValue]) -> (String, Doc) {
        let array = Type::Array(Box::new(element.clone()));
        if needed.as_ref() == Some(&array) && !all_default(items) {
            return (self.names.type_name(&array), braces(element, items, &mut self.names));
        }
        let value = JavaValue::Array { element: element.clone(), items: items.to_vec() };
        let declared = needed.map_or("Object".into(), |of| self.names.type_name(&of));
        (declared, expression(&value, &mut self.names))
    }

    /// `"key", 5, "left", rootLeft`
    fn fields(&mut self, object: &GraphObject, fields: &[GraphField]) -> Vec<Doc> {
        let mut all = Vec::new();
        for field in fields.iter().filter(|field| !field.value.is_default()) {
            let name = match field.owner == object.class {
                true => quoted(&field.name),
                // A class below may have a field of the same name.
                false => quoted(&format!("{}.{}", field.owner, field.name)),
            };
            let value = self.field(&field.value);
            all.push(Doc::seq(vec![Doc::text(format!("{name}, ")), value]));
        }
        all
    }

    /// A value where an object is wanted: Java puts primitives into boxes by itself.
    fn field(&mut self, value: &JavaValue) -> Doc {
        match value {
            JavaValue::Boxed(inner) => expression(inner, &mut self.names),
            value => expression(value, &mut self.names),
        }
    }
}

/// The type that the call under test needs an object to have in the source; `None` if `Object` suffices.
fn needed_type(case: &TestCase, index: usize, names: &Names) -> Option<Type> {
    if is_hidden(&case.target, names) {
        return None;
    }
    let is_this = |value: &JavaValue| *value == JavaValue::Ref(index);
    let receiver = Type::Class(case.target.class.replace('.', "/").into());
    let receiver = case.receiver.iter().map(|value| (value, receiver.clone()));
    let mut uses = receiver.chain(case.arguments.iter().zip(parameter_types(&case.target)));
    let (_, of) = uses.find(|(value, of)| is_this(value) && *of != Type::Class("java/lang/Object".into()))?;
    Some(of)
}

/// Whether source can write an array of these where it stands: no objects of the graph are in it, and source
/// can name the type everywhere.
fn is_plain(element: &Type) -> bool {
    match element {
        Type::Class(class) => matches!(&**class, "java/lang/String" | "java/lang/Integer" | "java/lang/Long"),
        Type::Array(inner) => is_plain(inner),
        _ => true,
    }
}

/// A name for the variable of an object: the way to it, or its class and a number.
fn variable(object: &GraphObject, taken: &mut BTreeSet<String>) -> String {
    let simple = object.class.trim_end_matches(';').rsplit(['.', '$', '[']).next().unwrap_or_default();
    let class = lower(&identifier(simple));
    let way: Vec<&str> = object.name.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect();
    let way = if way.first() == Some(&"this") { &way[1..] } else { &way[..] };
    let mut name = String::new();
    for part in way {
        let part = part.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "");
        let mut letters = part.chars();
        match letters.next() {
            Some(first) if !name.is_empty() => name.extend(first.to_uppercase().chain(letters)),
            _ => name.push_str(&part),
        }
    }
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name != "_";
    if !is_name || name.len() > NAME_BOUND {
        name = class;
    }
    if is_reserved(&name) {
        name.push('_');
    }
    let mut unique = name.clone();
    let mut number = 1;
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{name}{number}");
    }
    unique
}

/// With its first letter small, as variables are.
fn lower(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
