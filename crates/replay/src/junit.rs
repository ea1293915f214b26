//! A suite as JUnit source: one method per path, to be read by people.
//!
//! JUnit 5 and JUnit 4.13 differ in little that is used here: imports, visibility, and how doubles are compared.
//! What does not fit into the source is left out of it and not out of the replay: a suite in which no case prints does
//! not look at `System.out`, and `assertThrows` also takes subclasses.

mod assertion;

use crate::layout::{Doc, fits, statement};
use crate::literal::{all_default, braces, expression};
use crate::names::{Names, has_name, identifier, is_reserved, test_name};
use crate::{Ending, JavaValue, Receiver, Target, TestCase};
use assertion::Assertions;
use evergreen_classfile::{MethodDescriptor, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Versions of JUnit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Junit {
    /// JUnit 5 (Jupiter), any.
    Five,
    /// JUnit 4, from 4.13 on.
    Four,
}

/// What the source file is to be.
#[derive(Clone, Debug)]
pub struct JunitOptions {
    /// For which JUnit.
    pub version: Junit,
    /// The package; empty for the unnamed one. That of the class under test sees most of it.
    pub package: String,
    /// Simple name of the test class.
    pub class_name: String,
}

/// How deep statements of a test are indented.
const INDENT: usize = 8;

/// The Java source of a test class with one method per case.
pub fn junit(cases: &[TestCase], options: &JunitOptions) -> String {
    let mut writer = Writer {
        version: options.version,
        names: Names::new(&options.package, &options.class_name),
        assertions: Assertions::new(options.version),
        taken: ["printed", "capture", "release", "invoke", "construct"].map(String::from).into(),
        captures: cases.iter().any(|case| case.output.as_ref().is_some_and(|output| !output.is_empty())),
        reflects: cases.iter().any(|case| case.target.hidden),
        disables: cases.iter().any(|case| matches!(case.ending, Ending::Exited(_))),
    };
    let tests: Vec<String> = cases.iter().map(|case| writer.test(case)).collect();
    let mut members = Vec::new();
    if writer.captures {
        members.push(writer.capture());
    }
    members.extend(tests);
    if writer.reflects {
        members.push(reflection());
    }
    let mut out = String::new();
    if !options.package.is_empty() {
        let _ = writeln!(out, "package {};\n", options.package);
    }
    out.push_str(&writer.imports());
    let _ = writeln!(out, "/** {} Written by Evergreen. */", summary(cases));
    let public = if options.version == Junit::Four { "public " } else { "" };
    let _ = writeln!(out, "{public}class {} {{", options.class_name);
    out.push_str(&members.join("\n"));
    out.push_str("}\n");
    out
}

/// What the suite is, in a sentence.
fn summary(cases: &[TestCase]) -> String {
    let simple =
        |case: &TestCase| case.target.class.rsplit(['.', '$']).next().unwrap_or_default().to_string();
    let classes: BTreeSet<String> = cases.iter().map(simple).collect();
    let methods: BTreeSet<&str> = cases.iter().map(|case| case.target.method.as_str()).collect();
    let count = if cases.len() == 1 { "One path".to_string() } else { format!("{} paths", cases.len()) };
    let of = match (classes.first(), methods.first()) {
        (Some(class), Some(method)) if classes.len() == 1 && methods.len() == 1 && *method != "<init>" => {
            format!(" of {{@code {class}.{method}}}")
        }
        (Some(class), _) if classes.len() == 1 => format!(" of {{@code {class}}}"),
        _ => String::new(),
    };
    format!("{count}{of}, a test for each.")
}

struct Writer {
    version: Junit,
    names: Names,
    assertions: Assertions,
    /// Names of methods that exist.
    taken: BTreeSet<String>,
    /// Whether some case prints, is not callable from source, cannot be run by JUnit.
    captures: bool,
    reflects: bool,
    disables: bool,
}

impl Writer {
    fn imports(&self) -> String {
        let mut names: BTreeSet<&str> = self.names.imports().map(String::as_str).collect();
        let five = self.version == Junit::Five;
        names.insert(if five { "org.junit.jupiter.api.Test" } else { "org.junit.Test" });
        if self.captures {
            names.extend(["java.io.ByteArrayOutputStream", "java.io.PrintStream"]);
            names.extend(match self.version {
                Junit::Five => ["org.junit.jupiter.api.AfterEach", "org.junit.jupiter.api.BeforeEach"],
                Junit::Four => ["org.junit.After", "org.junit.Before"],
            });
        }
        if self.disables {
            names.insert(if five { "org.junit.jupiter.api.Disabled" } else { "org.junit.Ignore" });
        }
        if self.reflects {
            names.extend([
                "java.lang.reflect.Constructor",
                "java.lang.reflect.InvocationTargetException",
                "java.lang.reflect.Method",
            ]);
        }
        let mut out = String::new();
        for name in self.assertions.imports() {
            let _ = writeln!(out, "import static {name};");
        }
        if !out.is_empty() {
            out.push('\n');
        }
        for name in names {
            let _ = writeln!(out, "import {name};");
        }
        out.push('\n');
        out
    }

    /// One test.
    fn test(&mut self, case: &TestCase) -> String {
        let mut out = String::new();
        let (name, says_all) = test_name(&case.target.method, &case.title, &mut self.taken);
        if !says_all {
            let _ = writeln!(out, "    // {}", one_line(&case.title));
        }
        if let Ending::Exited(status) = case.ending {
            let disabled = if self.version == Junit::Five { "Disabled" } else { "Ignore" };
            let _ = writeln!(out, "    @{disabled}(\"ends the JVM with status {status}\")");
        }
        let public = if self.version == Junit::Four { "public " } else { "" };
        let _ = writeln!(out, "    @Test\n    {public}void {name}(){} {{", throws(case));
        self.draws(&mut out, case);
        let call = self.call(&mut out, case);
        self.ending(&mut out, case, call);
        if let Some(output) = case.output.as_ref().filter(|output| !output.is_empty()) {
            let expected = expression(&JavaValue::string(output), &mut self.names);
            let check = self.assertions.equal(expected, Doc::text("printed()"));
            statement(&mut out, INDENT, &check);
        }
        out.push_str("    }\n");
        out
    }

    /// `Sym.replay(3, 4); // x, y`
    fn draws(&mut self, out: &mut String, case: &TestCase) {
        if case.draws.is_empty() {
            return;
        }
        let sym = self.names.class("evergreen.Sym");
        let values = case.draws.iter().map(|(_, value)| expression(value, &mut self.names)).collect();
        let call = Doc::call(&format!("{sym}.replay"), values);
        let is_short = fits(&call, INDENT);
        statement(out, INDENT, &call);
        let names: Vec<String> = case.draws.iter().map(|(name, _)| one_line(name)).collect();
        let comment = format!(" // {}", names.join(", "));
        if is_short && INDENT + call.flat().len() + 1 + comment.len() <= 110 {
            out.pop();
            let _ = writeln!(out, "{comment}");
        }
    }

    /// The call under test. Arrays that make it too long become variables first.
    fn call(&mut self, out: &mut String, case: &TestCase) -> Doc {
        let target = &case.target;
        let parameters =
            MethodDescriptor::parse(&target.descriptor).map(|parsed| parsed.parameters).unwrap_or_default();
        let mut arguments: Vec<Doc> = case
            .arguments
            .iter()
            .enumerate()
            .map(|(index, value)| argument(value, place(target, parameters.get(index)), &mut self.names))
            .collect();
        // Room for the assertion around the call.
        let room = INDENT + 40;
        if !fits(&Doc::call(&target.method, arguments.clone()), room) {
            let mut variables = BTreeSet::from(["result", "thrown"].map(String::from));
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
                    let cast = if target.hidden { "(Object) " } else { "" };
                    arguments[index] = Doc::text(format!("{cast}{name}"));
                }
            }
        }
        self.invocation(target, &parameters, arguments)
    }

    fn invocation(&mut self, target: &Target, parameters: &[Type], arguments: Vec<Doc>) -> Doc {
        let class = self.names.class(&target.class);
        if target.hidden {
            let types = parameters.iter().map(|of| Doc::text(format!("{}.class", self.names.type_name(of))));
            let types = Doc::seq(vec![Doc::text("new Class<?>[] "), Doc::list("{", types.collect(), "}")]);
            if target.method == "<init>" {
                let first = vec![Doc::text(format!("{class}.class")), types];
                return Doc::call("construct", first.into_iter().chain(arguments).collect());
            }
            let receiver = match target.receiver {
                Receiver::Static => Doc::text("null"),
                Receiver::DefaultConstructor => {
                    Doc::text(format!("construct({class}.class, new Class<?>[0])"))
                }
            };
            let name = Doc::text(format!("\"{}\"", target.method));
            let first = vec![Doc::text(format!("{class}.class")), receiver, name, types];
            let call = Doc::call("invoke", first.into_iter().chain(arguments).collect());
            return self.cast(target, call);
        }
        match (target.method.as_str(), target.receiver) {
            ("<init>", _) => Doc::call(&format!("new {class}"), arguments),
            (method, Receiver::Static) => Doc::call(&format!("{class}.{method}"), arguments),
            (method, Receiver::DefaultConstructor) => {
                Doc::call(&format!("new {class}().{method}"), arguments)
            }
        }
    }

    /// Reflection returns objects.
    fn cast(&mut self, target: &Target, call: Doc) -> Doc {
        match result_type(target) {
            Some(of) => Doc::seq(vec![Doc::text(format!("({}) ", self.names.type_name(&of))), call]),
            None => call,
        }
    }

    /// The assertion around the call.
    fn ending(&mut self, out: &mut String, case: &TestCase, call: Doc) {
        match &case.ending {
            Ending::Returned(None) | Ending::Exited(_) => statement(out, INDENT, &call),
            Ending::Returned(Some(value)) => {
                let call = self.named_result(out, case, value, call);
                let check = self.assertions.value(value, call, &mut self.names);
                statement(out, INDENT, &check);
            }
            Ending::Threw { class, message } => {
                let named = if has_name(class) { class } else { "java.lang.Throwable" };
                let name = self.names.class(named);
                let call = uncast(call);
                let throws = self.assertions.throws(&name, Doc::seq(vec![Doc::text("() -> "), call]));
                let checks =
                    self.assertions.thrown((!has_name(class)).then_some(class), message, &mut self.names);
                if checks.is_empty() {
                    return statement(out, INDENT, &throws);
                }
                statement(out, INDENT, &Doc::seq(vec![Doc::text(format!("{name} thrown = ")), throws]));
                for check in checks {
                    statement(out, INDENT, &check);
                }
            }
        }
    }

    /// A variable for the result where the call in the assertion could be read as another overload of it, or be too long.
    fn named_result(&mut self, out: &mut String, case: &TestCase, value: &JavaValue, call: Doc) -> Doc {
        let returned = result_type(&case.target).unwrap_or(Type::Class("java/lang/Object".into()));
        let is_plain = match &returned {
            Type::Class(name) => &**name == "java/lang/String",
            _ => true,
        };
        let expected = expression(value, &mut self.names).flat().len();
        if is_plain && fits(&call, INDENT + 24 + expected) {
            return call;
        }
        let declared = self.names.type_name(&returned);
        statement(out, INDENT, &Doc::seq(vec![Doc::text(format!("{declared} result = ")), call]));
        match value {
            // `assertArrayEquals` knows arrays only.
            JavaValue::Array { element, .. } if matches!(returned, Type::Class(_)) => {
                let array = self.names.type_name(&Type::Array(Box::new(element.clone())));
                Doc::text(format!("({array}) result"))
            }
            _ => Doc::text("result"),
        }
    }

    /// Members that catch what is printed.
    fn capture(&self) -> String {
        let (before, after, public) = match self.version {
            Junit::Five => ("@BeforeEach", "@AfterEach", ""),
            Junit::Four => ("@Before", "@After", "public "),
        };
        format!(
            r#"    private final PrintStream out = System.out;
    private final ByteArrayOutputStream caught = new ByteArrayOutputStream();

    {before}
    {public}void capture() throws Exception {{
        System.setOut(new PrintStream(caught, true, "UTF-8"));
    }}

    {after}
    {public}void release() {{
        System.setOut(out);
    }}

    private String printed() throws Exception {{
        return caught.toString("UTF-8");
    }}
"#
        )
    }
}

/// Members that call what source cannot name.
fn reflection() -> String {
    r#"    private static Object invoke(
            Class<?> owner, Object receiver, String name, Class<?>[] types, Object... values)
            throws Throwable {
        Method method = owner.getDeclaredMethod(name, types);
        method.setAccessible(true);
        try {
            return method.invoke(receiver, values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object construct(Class<?> owner, Class<?>[] types, Object... values) throws Throwable {
        Constructor<?> constructor = owner.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
"#
    .into()
}

/// The type that an argument is to have in the source. Reflection takes objects, and would take an array of them for all of
/// its arguments.
fn place(target: &Target, parameter: Option<&Type>) -> Option<Type> {
    match parameter? {
        of if target.hidden && of.is_reference() => Some(Type::Class("java/lang/Object".into())),
        of => Some(of.clone()),
    }
}

/// An argument. What could mean several overloads says its type: null always, and an array that is passed as an object.
fn argument(value: &JavaValue, place: Option<Type>, names: &mut Names) -> Doc {
    match (value, place) {
        (JavaValue::Null, Some(of)) => Doc::text(format!("({}) null", names.type_name(&of))),
        (JavaValue::Array { .. }, Some(of @ Type::Class(_))) => {
            Doc::seq(vec![Doc::text(format!("({}) ", names.type_name(&of))), expression(value, names)])
        }
        (value, _) => expression(value, names),
    }
}

/// A lambda's body is a statement, and a cast is none.
fn uncast(call: Doc) -> Doc {
    match call {
        Doc::Seq(mut parts) if parts.len() == 2 => parts.remove(1),
        call => call,
    }
}

fn result_type(target: &Target) -> Option<Type> {
    MethodDescriptor::parse(&target.descriptor).ok()?.result
}

/// The `throws` clause of a test.
fn throws(case: &TestCase) -> &'static str {
    let prints = case.output.as_ref().is_some_and(|output| !output.is_empty());
    let is_caught = matches!(case.ending, Ending::Threw { .. });
    let declared = if is_caught { &[][..] } else { &case.target.exceptions[..] };
    let is_exception = |name: &String| name != "java.lang.Throwable" && name.ends_with("Exception");
    if (case.target.hidden && !is_caught) || declared.iter().any(|name| !is_exception(name)) {
        " throws Throwable"
    } else if prints || !declared.is_empty() {
        " throws Exception"
    } else {
        ""
    }
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

/// Text for a comment: a line end would end it, and Java reads `\u` even there.
fn one_line(text: &str) -> String {
    let clean: String = text.chars().map(|c| if (' '..='~').contains(&c) { c } else { '?' }).collect();
    clean.replace("\\u", "\\ u").trim().chars().take(100).collect()
}
