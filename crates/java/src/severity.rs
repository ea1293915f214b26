//! How much an exception that leaves a method matters, and which are no exceptions of the program at all.
//!
//! A method that throws what its signature or its javadoc names, or what a statement of its own makes, keeps
//! its contract; so does one that dereferences a null that the caller passed. What the machine or a library
//! throws is a surprise. An exception around a failure of the machine is a surprise, too: `catch (Exception
//! e) { throw new RuntimeException(e); }` does not turn a bug into a contract.

use crate::{MethodRef, Program};
use evergreen_jvm::{Ending, Jvm, Origin, Outcome, Ref, State, Thrower};
use evergreen_service::Severity;
use std::sync::Arc;

/// What the machine throws by itself where a program is wrong.
const FAILURES: [&str; 6] = [
    "java/lang/NullPointerException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArithmeticException",
    "java/lang/ClassCastException",
    "java/lang/NegativeArraySizeException",
    "java/lang/ArrayStoreException",
];

/// Exceptions that are followed to their causes.
const CAUSES: usize = 8;

/// How much an exception matters that leaves a method.
pub(crate) fn severity(
    jvm: &Jvm,
    program: &Program,
    method: &MethodRef,
    (state, object): (&State, Ref),
) -> Severity {
    let lineage = jvm.lineage(state, object);
    let is_a = |class: &str| lineage.iter().any(|own| **own == *class);
    if is_a("java/lang/AssertionError") || is_a("evergreen/CheckFailed") {
        return Severity::Assertion;
    }
    if is_declared(program, method, &lineage) {
        return Severity::Declared;
    }
    let Some(origin) = jvm.origin(state, object) else { return Severity::Unexpected };
    let is_own = |class: &str| program.classes().iter().any(|own| *own.name == *class);
    let is_thrown_by_it = origin.by == Thrower::Statement && is_own(&origin.class);
    if origin.checked_by.as_deref().is_some_and(is_own) {
        Severity::Declared
    } else if origin.null_parameter.is_some() && !is_thrown_by_it {
        Severity::Null
    } else if is_thrown_by_it && !hides_failure(jvm, state, object) {
        Severity::Declared
    } else {
        Severity::Unexpected
    }
}

/// Whether the signature or the documentation of a method names an exception. `throws Exception` is about
/// checked exceptions: it has to be written for these, and says nothing of the others.
fn is_declared(program: &Program, method: &MethodRef, lineage: &[Arc<str>]) -> bool {
    let is_unchecked =
        lineage.iter().any(|c| matches!(&**c, "java/lang/RuntimeException" | "java/lang/Error"));
    let covers = |named: &str| {
        let simple = |class: &str| class.rsplit(['/', '.', '$']).next().unwrap_or(class).to_string();
        let whole = named.replace('.', "/");
        lineage
            .iter()
            .filter(|own| !(is_unchecked && matches!(&***own, "java/lang/Exception" | "java/lang/Throwable")))
            .any(|own| **own == *whole || (!named.contains(['.', '/']) && simple(own) == named))
    };
    let own = program.classes().iter().find(|class| class.name == method.class);
    let own = own.and_then(|class| class.method(&method.name, &method.descriptor));
    own.is_some_and(|own| own.exceptions.iter().any(|class| covers(class)))
        || program.documented(method).iter().any(|class| covers(class))
}

/// Whether an exception was made around a failure of the machine.
fn hides_failure(jvm: &Jvm, state: &State, object: Ref) -> bool {
    causes(jvm, state, object).any(|cause| {
        let by_machine = jvm.origin(state, cause).is_some_and(|origin| origin.by == Thrower::Machine);
        by_machine && jvm.lineage(state, cause).first().is_some_and(|class| FAILURES.contains(&&**class))
    })
}

fn causes<'s>(jvm: &'s Jvm, state: &'s State, object: Ref) -> impl Iterator<Item = Ref> + 's {
    std::iter::successors(jvm.cause(state, object), |cause| jvm.cause(state, *cause)).take(CAUSES)
}

/// Whether a reason is one that [`missing`] gives.
pub(crate) fn is_about_class_path(why: &str) -> bool {
    why.starts_with(OTHER_VERSION) || (why.starts_with("the class ") && why.ends_with(NOT_THERE))
}

const NOT_THERE: &str = " is not on the class path";
const OTHER_VERSION: &str = "the class path has another version of a class";

/// What is missing on the class path, if a path ends because of that: the program that is explored is not
/// the one that was meant.
pub(crate) fn missing(jvm: &Jvm, outcome: &Outcome) -> Option<(String, String)> {
    let Ending::Threw { class, object, origin, .. } = &outcome.ending else { return None };
    let is_link_error =
        |class: &str| class.starts_with("java/lang/NoSuch") || class == "java/lang/NoClassDefFoundError";
    // Errors of linking are wrapped on the way out of initializers and dynamic calls.
    let may_be = is_link_error(class)
        || matches!(&**class, "java/lang/ExceptionInInitializerError" | "java/lang/BootstrapMethodError");
    if !may_be {
        return None;
    }
    let by_machine = |origin: &Origin| origin.by == Thrower::Machine;
    let state = &*outcome.state;
    let own = origin.as_deref().is_some_and(by_machine).then_some(*object);
    own.into_iter().chain(causes(jvm, state, *object)).find_map(|thrown| {
        let class = jvm.lineage(state, thrown).into_iter().next()?;
        jvm.origin(state, thrown).filter(|origin| by_machine(origin))?;
        let message = String::from_utf16_lossy(&jvm.message_of(state, thrown)?);
        let help = "add what it needs with --class-path".to_string();
        match &*class {
            // The class is there, and its initializer failed before.
            "java/lang/NoClassDefFoundError" if message.starts_with("Could not initialize") => None,
            "java/lang/NoClassDefFoundError" => {
                Some((format!("the class {}{NOT_THERE}", message.replace('/', ".")), help))
            }
            "java/lang/NoSuchMethodError" | "java/lang/NoSuchFieldError" => {
                let what = if class.contains("Method") { "method" } else { "field" };
                Some((format!("{OTHER_VERSION}: it has no {what} {message}"), help))
            }
            _ => None,
        }
    })
}
