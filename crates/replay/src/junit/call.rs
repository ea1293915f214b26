//! The call under test, as source or by reflection.

use super::{INDENT, Writer, result_type};
use crate::layout::{Doc, fits, statement};
use crate::literal::{
    CHANGED, all_default, argument, braces, class_of, expression, is_constant, is_reflective, quoted,
};
use crate::names::{Names, identifier, is_identifier, is_reserved};
use crate::{JavaValue, Receiver, Target, TestCase};
use evergreen_classfile::{MethodDescriptor, Type};
use std::collections::BTreeSet;

impl Writer {
    /// The call under test. Arrays that make it too long become variables first.
    pub(super) fn call(&mut self, out: &mut String, case: &TestCase, mut variables: BTreeSet<String>) -> Doc {
        let target = &case.target;
        let hidden = is_hidden(target, &self.names);
        let parameters = parameter_types(target);
        let mut arguments: Vec<Doc> = case
            .arguments
            .iter()
            .enumerate()
            .map(|(index, value)| argument(value, place(hidden, parameters.get(index)), &mut self.names))
            .collect();
        // Room for the assertion around the call.
        let room = INDENT + 40;
        variables.insert(CHANGED.into());
        if !fits(&Doc::call(&identifier(&target.method), arguments.clone()), room) {
            for (index, value) in case.arguments.iter().enumerate() {
                if let JavaValue::Array { element, items } = value {
                    if arguments[index].flat().len() <= 24 {
                        continue;
                    }
                    let name = variable(target, index, &mut variables);
                    let array = Type::Array(Box::new(element.clone()));
                    let declared = self.names.type_name(&array);
                    let value = match all_default(items) {
                        true => expression(value, &mut self.names),
                        false => braces(element, items, &mut self.names),
                    };
                    statement(
                        out,
                        INDENT,
                        &Doc::seq(vec![Doc::text(format!("{declared} {name} = ")), value]),
                    );
                    let cast = if hidden { "(Object) " } else { "" };
                    arguments[index] = Doc::text(format!("{cast}{name}"));
                }
            }
        }
        match hidden {
            true => self.reflective(case, &parameters, arguments),
            false => self.plain(case, arguments),
        }
    }

    fn plain(&mut self, case: &TestCase, arguments: Vec<Doc>) -> Doc {
        let target = &case.target;
        // A method that is not hidden has a name.
        let class = self.names.class(&target.class).unwrap_or_default();
        match (target.method.as_str(), target.receiver) {
            ("<init>", _) => Doc::call(&format!("new {class}"), arguments),
            (method, Receiver::Static) => Doc::call(&format!("{class}.{method}"), arguments),
            (method, Receiver::Given) => {
                let receiver = self.receiver(case);
                Doc::call(&format!("{receiver}.{method}"), arguments)
            }
            (method, Receiver::DefaultConstructor) => {
                Doc::call(&format!("new {class}().{method}"), arguments)
            }
        }
    }

    /// `(int) invoke(Cart.class, null, "total", new Class<?>[] {int.class}, 3)`
    fn reflective(&mut self, case: &TestCase, parameters: &[Type], arguments: Vec<Doc>) -> Doc {
        let target = &case.target;
        let class = match self.names.class(&target.class).filter(|_| !target.class.contains('$')) {
            Some(class) => format!("{class}.class"),
            None => format!("Class.forName({})", quoted(&target.class)),
        };
        let types = parameters.iter().map(|of| Doc::text(class_of(of, &mut self.names)));
        let types = Doc::seq(vec![Doc::text("new Class<?>[] "), Doc::list("{", types.collect(), "}")]);
        if target.method == "<init>" {
            let first = vec![Doc::text(class), types];
            return Doc::call("construct", first.into_iter().chain(arguments).collect());
        }
        let receiver = match target.receiver {
            Receiver::Static => "null".into(),
            Receiver::Given => self.receiver(case),
            Receiver::DefaultConstructor => format!("construct({class}, new Class<?>[0])"),
        };
        let first = vec![Doc::text(class), Doc::text(receiver), Doc::text(quoted(&target.method)), types];
        let call = Doc::call("invoke", first.into_iter().chain(arguments).collect());
        self.cast(target, call)
    }

    /// The receiver of the call.
    fn receiver(&mut self, case: &TestCase) -> String {
        match &case.receiver {
            Some(value @ JavaValue::Ref(_)) => expression(value, &mut self.names).flat(),
            Some(value @ JavaValue::Made(made)) => {
                let made_by = expression(value, &mut self.names).flat();
                match is_reflective(made, &self.names) && !is_hidden(&case.target, &self.names) {
                    true => {
                        let class = self.names.class(&case.target.class).unwrap_or_default();
                        format!("(({class}) {made_by})")
                    }
                    false => made_by,
                }
            }
            Some(value @ JavaValue::Enum { class, name }) => {
                let constant = expression(value, &mut self.names).flat();
                match is_constant(class, name, &self.names) || is_hidden(&case.target, &self.names) {
                    true => constant,
                    false => {
                        let class = self.names.class(&case.target.class).unwrap_or_default();
                        format!("(({class}) {constant})")
                    }
                }
            }
            _ => match self.names.class(&case.target.class) {
                Some(class) => format!("(({class}) null)"),
                None => "null".into(),
            },
        }
    }

    /// Reflection returns objects.
    fn cast(&mut self, target: &Target, call: Doc) -> Doc {
        match result_type(target) {
            Some(of) => Doc::seq(vec![Doc::text(format!("({}) ", self.nameable(target, &of))), call]),
            None => call,
        }
    }

    /// A type in the source; `Object` if it may be one that source cannot name.
    pub(super) fn nameable(&mut self, target: &Target, of: &Type) -> String {
        match is_hidden(target, &self.names) && of.to_string().contains('$') {
            true => "Object".into(),
            false => self.names.type_name(of),
        }
    }
}

/// The type that an argument is to have in the source. Reflection takes objects, and would take an array of
/// them for all of its arguments.
fn place(hidden: bool, parameter: Option<&Type>) -> Option<Type> {
    match parameter? {
        of if hidden && of.is_reference() => Some(Type::Class("java/lang/Object".into())),
        of => Some(of.clone()),
    }
}

/// Whether source cannot call it: it is private, or a name of its class, its own or one of its types is not
/// Java's (other languages have their own).
pub(super) fn is_hidden(target: &Target, names: &Names) -> bool {
    let is_name = target.method == "<init>" || is_identifier(&target.method.replace('$', "_"));
    let types = parameter_types(target).into_iter().chain(super::result_type(target));
    target.hidden
        || !is_name
        || !names.can_name(&target.class)
        || types.into_iter().any(|of| !names.can_name_type(&of))
}

/// The types of a method's parameters.
pub(super) fn parameter_types(target: &Target) -> Vec<Type> {
    MethodDescriptor::parse(&target.descriptor).map(|parsed| parsed.parameters).unwrap_or_default()
}

/// A name for the variable that holds an argument.
fn variable(target: &Target, index: usize, taken: &mut BTreeSet<String>) -> String {
    let given = target.parameters.get(index).map(|name| identifier(name));
    let name = given.filter(|name| !is_reserved(name)).unwrap_or(format!("argument{}", index + 1));
    let mut unique = name.clone();
    while !taken.insert(unique.clone()) {
        unique.push('_');
    }
    unique
}
