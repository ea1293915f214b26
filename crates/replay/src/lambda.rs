//! Functions of a test as Java source: a lambda with its table of answers,
//! `x -> Objects.equals(x, 5) ? 1 : 2`.
//!
//! Where a lambda cannot say it (arguments that are told apart as objects, answers that are objects, an
//! interface that source cannot name or that has several methods), a member of the test class makes the
//! function of a list of answers.

use crate::layout::Doc;
use crate::literal::{cast, expression, quoted};
use crate::names::Names;
use crate::{Answer, Function, JavaValue};
use evergreen_classfile::{MethodDescriptor, Type};

/// Names of a lambda's parameters.
const PARAMETER: &str = "given";

/// A function as an expression of its interface, without type arguments.
pub(crate) fn lambda(function: &Function, names: &mut Names) -> Doc {
    let of = Type::Class(function.interface.replace('.', "/").into());
    let parsed = MethodDescriptor::parse(&function.descriptor).ok();
    let (count, result) = parsed.map_or((0, None), |parsed| (parsed.parameters.len(), parsed.result));
    if function.hidden || function.has_several() || !names.can_name_type(&of) || !is_table(function) {
        return listed(function, &of, names);
    }
    let parameters: Vec<String> = (1..=count).map(|at| format!("{PARAMETER}{at}")).collect();
    let head = match &parameters[..] {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    };
    let calls: Vec<&Answer> = function.first_calls().collect();
    let body = match (result, calls.split_last()) {
        (None, _) => "{}".to_string(),
        (Some(of), None) => default(&of).to_string(),
        (Some(_), Some((last, others))) => {
            let mut text = String::new();
            for call in others {
                let test = |(name, value): (&String, &JavaValue)| is_equal(name, value, names);
                let tests: Vec<String> = parameters.iter().zip(&call.arguments).map(test).collect();
                let answer = expression(&call.answer, names).flat();
                text.push_str(&format!("{} ? {answer} : ", tests.join(" && ")));
            }
            text + &expression(&last.answer, names).flat()
        }
    };
    Doc::text(format!("({}) {head} -> {body}", names.type_name(&of)))
}

/// `answering("shop.Filter", new Object[] {true, false})`, of its type where source can name that.
fn listed(function: &Function, of: &Type, names: &mut Names) -> Doc {
    names.answer();
    let answers = function.first_calls().map(|call| expression(&call.answer, names)).collect::<Vec<Doc>>();
    // One null, or one array, would be all of the answers.
    let list = Doc::seq(vec![Doc::text("new Object[] "), Doc::list("{", answers, "}")]);
    let call = Doc::call("answering", vec![Doc::text(quoted(&function.interface)), list]);
    match !function.hidden && names.can_name_type(of) {
        true => Doc::seq(vec![Doc::text(format!("({}) ", names.type_name(of))), call]),
        false => call,
    }
}

/// Whether conditions on the arguments find the answer, and the answers are values.
fn is_table(function: &Function) -> bool {
    let is_value = |value: &JavaValue| {
        !matches!(
            value,
            JavaValue::Object { .. }
                | JavaValue::Ref(_)
                | JavaValue::Made(_)
                | JavaValue::Function(_)
                | JavaValue::Array { .. }
                | JavaValue::Static { .. }
        )
    };
    let calls: Vec<&Answer> = function.first_calls().collect();
    let Some((_, others)) = calls.split_last() else { return true };
    // Java makes numbers of two types in a conditional one of them.
    let kind = |value: &JavaValue| match value {
        JavaValue::Boxed(inner) => Some(std::mem::discriminant(&**inner)),
        _ => None,
    };
    let kinds: Vec<_> = calls.iter().filter_map(|call| kind(&call.answer)).collect();
    calls.iter().all(|call| is_value(&call.answer))
        && others.iter().all(|call| call.arguments.iter().all(is_value))
        && kinds.windows(2).all(|two| two[0] == two[1])
}

/// Whether a parameter has a value: as boxes and strings compare.
fn is_equal(parameter: &str, value: &JavaValue, names: &mut Names) -> String {
    if *value == JavaValue::Null {
        return format!("{parameter} == null");
    }
    let objects = names.known("java.util.Objects");
    format!("{objects}.equals({parameter}, {})", expression(value, names).flat())
}

/// An answer that nobody asks for.
fn default(of: &Type) -> &'static str {
    match of {
        Type::Boolean => "false",
        Type::Char => "'\\0'",
        of if of.is_reference() => "null",
        _ => "0",
    }
}

/// Whether a value as an argument needs its type before it.
pub(crate) fn argument(function: &Function, value: &JavaValue, of: &Type, names: &mut Names) -> Doc {
    let own = Type::Class(function.interface.replace('.', "/").into());
    match function.hidden || !names.can_name_type(&own) {
        true if names.can_name_type(of) => cast(of, value, names),
        _ => expression(value, names),
    }
}

/// The member that makes functions of lists.
pub(crate) const ANSWERING: &str = r#"    // A function that gives these answers in the order of its first calls, and the same for the same arguments.
    private static Object answering(String name, Object[] answers) {
        Class<?> type;
        try {
            type = Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
        java.util.List<Object[]> calls = new java.util.ArrayList<>();
        ClassLoader loader = type.getClassLoader() == null ? ClassLoader.getSystemClassLoader() : type.getClassLoader();
        return java.lang.reflect.Proxy.newProxyInstance(loader, new Class<?>[] {type}, (proxy, method, values) -> {
            Object[] arguments = values == null ? new Object[0] : values;
            if (method.getDeclaringClass() == Object.class) {
                if (method.getName().equals("equals")) return proxy == arguments[0];
                int hash = System.identityHashCode(proxy);
                return method.getName().equals("hashCode") ? (Object) hash : name + "@" + hash;
            }
            if (method.isDefault()) return runDefault(proxy, method, arguments);
            if (method.getReturnType() == void.class) return null;
            Object[] asked = new Object[arguments.length + 1];
            asked[0] = method;
            System.arraycopy(arguments, 0, asked, 1, arguments.length);
            for (int i = 0; i < calls.size(); i++) {
                if (isSame(calls.get(i), asked)) return answers[i];
            }
            calls.add(asked);
            return answers[calls.size() - 1];
        });
    }

    // Strings and boxes are the same if they are equal, other objects if they are one.
    private static boolean isSame(Object[] one, Object[] two) {
        java.util.List<Class<?>> values = java.util.Arrays.asList(String.class, Boolean.class, Byte.class,
                Character.class, Short.class, Integer.class, Long.class, Float.class, Double.class);
        if (!one[0].equals(two[0])) return false;
        for (int i = 1; i < one.length; i++) {
            boolean equal = one[i] != null && values.contains(one[i].getClass()) && one[i].equals(two[i]);
            if (one[i] != two[i] && !equal) return false;
        }
        return true;
    }

    private static Object runDefault(Object proxy, java.lang.reflect.Method method, Object[] arguments)
            throws Throwable {
        Class<?> owner = method.getDeclaringClass();
        if (owner.getClassLoader() != null) {
            return java.lang.invoke.MethodHandles.privateLookupIn(owner, java.lang.invoke.MethodHandles.lookup())
                    .unreflectSpecial(method, owner)
                    .bindTo(proxy)
                    .invokeWithArguments(arguments);
        }
        try {
            return java.lang.reflect.InvocationHandler.class
                    .getMethod("invokeDefault", Object.class, java.lang.reflect.Method.class, Object[].class)
                    .invoke(null, proxy, method, arguments);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
"#;
