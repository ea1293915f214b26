//! A suite as JUnit source: one method per path, to be read by people.
//!
//! JUnit 5 and JUnit 4.13 differ in little that is used here: imports, visibility, and how doubles are
//! compared. The source leaves out some checks, which the replay still makes: a suite in which no case prints
//! does not look at `System.out`, and `assertThrows` also takes subclasses.

mod assertion;
mod call;
mod members;
mod objects;

use crate::layout::{Doc, fits, statement};
use crate::literal::{expression, is_reflective};
use crate::names::{Names, RESERVED_NAMES, class_beside, digest, is_identifier, test_name, without_number};
use crate::{Ending, JavaValue, Made, Suite, Target, TestCase};
use assertion::Assertions;
use call::is_hidden;
use evergreen_classfile::{MethodDescriptor, Type};
use evergreen_suite::TakenNames;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::resume_unwind;
use std::path::PathBuf;

/// Versions of JUnit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Junit {
    /// JUnit 5 (Jupiter), any.
    Five,
    /// JUnit 4, from 4.13 on.
    Four,
}

/// The options of the source file.
#[derive(Clone, Debug)]
pub struct JunitOptions {
    /// For which JUnit.
    pub version: Junit,
    /// The package; empty for the unnamed one. That of the class under test sees most of it.
    pub package: String,
    /// Simple name of the test class.
    pub class_name: String,
    /// Classes of the program whose names Java would read as something else: see
    /// [`is_misread`](crate::is_misread).
    pub misread: Vec<String>,
}

impl JunitOptions {
    /// The test class of a class under test, which is named as `Class.getName` has it: in its package, with
    /// its name and a word behind. Where Java does not allow these, names that are like them.
    pub fn beside(class: &str, word: &str, version: Junit) -> JunitOptions {
        let (package, class_name) = class_beside(class, word);
        JunitOptions { version, package, class_name, misread: Vec::new() }
    }

    /// The same for a program with these classes, see [`JunitOptions::misread`].
    pub fn avoiding(self, misread: &[String]) -> JunitOptions {
        JunitOptions { misread: misread.to_vec(), ..self }
    }

    /// The test class with this number, from 0, where one class does not hold all tests.
    pub fn numbered(&self, number: usize) -> JunitOptions {
        let behind = if number == 0 { String::new() } else { (number + 1).to_string() };
        JunitOptions { class_name: format!("{}{behind}", self.class_name), ..self.clone() }
    }

    /// The source file of the test class, below the root of the sources.
    pub fn file(&self) -> PathBuf {
        let folder: PathBuf = self.package.split('.').collect();
        folder.join(format!("{}.java", self.class_name))
    }

    /// The name of the test class with its package.
    pub fn full_name(&self) -> String {
        match self.package.as_str() {
            "" => self.class_name.clone(),
            package => format!("{package}.{}", self.class_name),
        }
    }
}

/// How deep statements of a test are indented.
const INDENT: usize = 8;

/// Tests in one class, where one with objects counts as several: javac and the JVM allow 65,535 constants, of
/// which a test needs about ten, and more for its objects.
const CLASS_BOUND: usize = 1000;

/// Objects in one test: javac and the JVM allow 65,535 bytes of code, of which an object with
/// many fields needs some 200.
const OBJECT_BOUND: usize = 250;

/// Test classes for any number of cases. The second one has a 2 behind its name, and so on.
pub fn junit_suites(cases: &[TestCase], options: &JunitOptions) -> Vec<Suite> {
    suites(cases, options)
}

/// The same by several threads: each writes some of the classes.
pub fn junit_suites_by(threads: usize, cases: &[TestCase], options: &JunitOptions) -> Vec<Suite> {
    let parts = chunks(cases);
    let threads = threads.clamp(1, parts.len().max(1));
    let write = |own: usize| -> Vec<Suite> {
        let chosen = parts.iter().enumerate().skip(own).step_by(threads);
        chosen.map(|(index, cases)| suite(index, cases, None, options)).collect()
    };
    let mut by_thread: Vec<_> = std::thread::scope(|scope| {
        let write = &write;
        let others: Vec<_> = (1..threads).map(|own| scope.spawn(move || write(own))).collect();
        let first = write(0);
        let rest = others.into_iter().map(|other| other.join().unwrap_or_else(|p| resume_unwind(p)));
        std::iter::once(first).chain(rest).map(Vec::into_iter).collect()
    });
    (0..parts.len()).filter_map(|index| by_thread[index % threads].next()).collect()
}

/// The same for cases that have names already, one for each: see [`is_test_name`](crate::is_test_name). The
/// source does not contain their number, so that adding or removing a test changes no other line; and where
/// one class does not hold them, the name of a test decides which class it is in.
pub fn junit_named(cases: &[TestCase], names: &[String], options: &JunitOptions) -> Vec<Suite> {
    let mut shares = shares(cases, names);
    shares.retain(|share| !share.is_empty());
    if let [_] = shares[..] {
        return vec![suite(0, cases, Some(names), options)];
    }
    let share = |(index, places): (usize, Vec<usize>)| {
        let cases: Vec<TestCase> = places.iter().map(|&place| cases[place].clone()).collect();
        let names: Vec<String> = places.iter().map(|&place| names[place].clone()).collect();
        suite(index, &cases, Some(&names), options)
    };
    shares.into_iter().enumerate().map(share).collect()
}

fn suites(cases: &[TestCase], options: &JunitOptions) -> Vec<Suite> {
    chunks(cases).into_iter().enumerate().map(|(index, cases)| suite(index, cases, None, options)).collect()
}

/// One of the classes, by its place.
fn suite(index: usize, cases: &[TestCase], names: Option<&[String]>, options: &JunitOptions) -> Suite {
    let options = options.numbered(index);
    let (source, tests) = source(cases, names, &options);
    Suite { options, source, tests }
}

/// How many tests a case counts as.
fn weigh(case: &TestCase) -> usize {
    1 + case.objects.len().min(OBJECT_BOUND) / 4
}

/// The places of the cases of each class, by their names. There is a power of two of classes, so that a
/// test changes its class only when the suite has about doubled; cut by number, one test more would move
/// another in each later class.
fn shares(cases: &[TestCase], names: &[String]) -> Vec<Vec<usize>> {
    let mut count = 1;
    loop {
        let mut shares = vec![Vec::new(); count];
        let mut weights = vec![0; count];
        for (place, (case, name)) in cases.iter().zip(names).enumerate() {
            let own = digest(name) as usize & (count - 1);
            weights[own] += weigh(case);
            shares[own].push(place);
        }
        // A class of one test cannot be made smaller.
        let fits =
            weights.iter().zip(&shares).all(|(&weight, share)| weight <= CLASS_BOUND || share.len() == 1);
        if fits || count >= cases.len() {
            return shares;
        }
        count *= 2;
    }
}

/// The cases in parts that fit into a class each.
fn chunks(cases: &[TestCase]) -> Vec<&[TestCase]> {
    let mut parts = Vec::new();
    let (mut start, mut weight) = (0, 0);
    for (index, case) in cases.iter().enumerate() {
        let own = weigh(case);
        if weight + own > CLASS_BOUND {
            parts.push(&cases[start..index]);
            (start, weight) = (index, 0);
        }
        weight += own;
    }
    if start < cases.len() {
        parts.push(&cases[start..]);
    }
    parts
}

/// The Java source of a test class with one method per case.
pub fn junit(cases: &[TestCase], options: &JunitOptions) -> String {
    source(cases, None, options).0
}

/// The source, and the names of its tests.
fn source(cases: &[TestCase], given: Option<&[String]>, options: &JunitOptions) -> (String, Vec<String>) {
    let mut names = Names::new(&options.package, &options.class_name);
    names.set_misread(&options.misread);
    cases.iter().for_each(|case| names.meet(&case.target.class));
    let mut writer = Writer {
        version: options.version,
        assertions: Assertions::new(options.version),
        taken: TakenNames::of(RESERVED_NAMES),
        captures: cases.iter().any(|case| case.output.as_ref().is_some_and(|output| !output.is_empty())),
        reflects: cases
            .iter()
            .any(|case| is_hidden(&case.target, &names) || makes_by_reflection(case, &names)),
        disables: cases.iter().any(|case| why_disabled(case, &names).is_some()),
        names,
    };
    let name = |at: usize| given.and_then(|given| given.get(at));
    let (own, tests): (Vec<String>, Vec<String>) =
        cases.iter().enumerate().map(|(at, case)| writer.test(case, name(at))).unzip();
    let mut members = Vec::new();
    if writer.captures {
        members.push(members::capture(options.version));
    }
    members.extend(tests);
    if writer.reflects {
        members.push(members::reflection());
    }
    let graphs = |case: &TestCase| objects::reflects(case, &writer.names);
    if cases.iter().any(graphs) {
        let opens = cases.iter().any(|case| objects::opens(case, &writer.names));
        let mut graph = members::graph(options.version, opens);
        if writer.names.reads_constants() {
            graph.push_str(members::CONSTANT);
        }
        members.push(graph);
    } else if writer.names.reads_constants() {
        members.push(members::CONSTANT.trim_start_matches('\n').into());
    }
    if writer.names.puts_entries() {
        members.push(members::MAP.into());
    }
    if writer.names.changes() {
        members.push(members::CHANGE.into());
    }
    if writer.names.answers() {
        members.push(crate::lambda::ANSWERING.into());
    }
    let members = writer.names.unobscured(members.join("\n"));
    let mut out = String::new();
    if !options.package.is_empty() {
        let _ = writeln!(out, "package {};\n", options.package);
    }
    out.push_str(&writer.imports());
    let count = if given.is_some() { None } else { Some(cases.len()) };
    let _ = writeln!(out, "/** {} Written by Evergreen. */", summary(cases, count));
    let public = if options.version == Junit::Four { "public " } else { "" };
    let _ = writeln!(out, "{public}class {} {{", options.class_name);
    out.push_str(&members);
    out.push_str("}\n");
    (ascii(&out), own)
}

/// Names of classes may have other letters; Java takes escapes for them everywhere.
fn ascii(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    for character in source.chars() {
        match character.is_ascii() {
            true => out.push(character),
            false => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(out, "\\u{unit:04x}");
            }),
        }
    }
    out
}

/// A description of the suite, in a sentence.
fn summary(cases: &[TestCase], count: Option<usize>) -> String {
    let simple =
        |case: &TestCase| case.target.class.rsplit(['.', '$']).next().unwrap_or_default().to_string();
    let classes: BTreeSet<String> = cases.iter().map(simple).collect();
    let methods: BTreeSet<&str> = cases.iter().map(|case| case.target.method.as_str()).collect();
    let count = match count {
        None => "Paths".to_string(),
        Some(1) => "One path".to_string(),
        Some(count) => format!("{count} paths"),
    };
    let of = match (classes.first(), methods.first()) {
        (Some(class), Some(method)) if classes.len() == 1 && methods.len() == 1 && *method != "<init>" => {
            format!(" of {{@code {}.{}}}", word(class), word(method))
        }
        (Some(class), _) if classes.len() == 1 => format!(" of {{@code {}}}", word(class)),
        _ => String::new(),
    };
    format!("{count}{of}, a test for each.")
}

/// A name in a comment. Only letters and digits stand for themselves: a star and a slash would end the
/// comment, also as escapes.
pub(crate) fn word(name: &str) -> String {
    let is_plain = |c: char| {
        c.is_ascii_alphanumeric() || "_$.".contains(c) || (!c.is_ascii() && is_identifier(&c.to_string()))
    };
    name.chars().take(100).map(|c| if is_plain(c) { c } else { '?' }).collect()
}

struct Writer {
    version: Junit,
    names: Names,
    assertions: Assertions,
    /// Names of methods that exist.
    taken: TakenNames,
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

    /// One test: its name and its text.
    fn test(&mut self, case: &TestCase, given: Option<&String>) -> (String, String) {
        let mut out = String::new();
        let (own, mut says_all) = test_name(&case.target.method, &case.title);
        let own = self.taken.take(own);
        // A name that was given earlier may say what the test showed then.
        says_all &= given.is_none_or(|given| without_number(given) == without_number(&own));
        let name = given.cloned().unwrap_or(own);
        if !says_all {
            let _ = writeln!(out, "    // {}", one_line(&case.title));
        }
        if let Some(reason) = why_disabled(case, &self.names) {
            let disabled = if self.version == Junit::Five { "Disabled" } else { "Ignore" };
            let _ = writeln!(out, "    @{disabled}(\"{reason}\")");
        }
        let public = if self.version == Junit::Four { "public " } else { "" };
        let _ = writeln!(out, "    @Test\n    {public}void {name}(){} {{", throws(case, &self.names));
        if is_too_large(case, &self.names) || has_unknown_array(case, &self.names) {
            out.push_str("    }\n");
            return (name, out);
        }
        let variables = self.objects(&mut out, case);
        self.draws(&mut out, case);
        let call = self.call(&mut out, case, variables);
        self.ending(&mut out, case, call);
        if let Some(output) = case.output.as_ref().filter(|output| !output.is_empty()) {
            let expected = expression(&JavaValue::string(output), &mut self.names);
            let check = self.assertions.equal(expected, Doc::text("printed()"));
            statement(&mut out, INDENT, &check);
        }
        out.push_str("    }\n");
        (name, out)
    }

    /// `Sym.replay(3, 4); // x, y`
    fn draws(&mut self, out: &mut String, case: &TestCase) {
        if case.draws.is_empty() {
            return;
        }
        let sym = self.names.known("evergreen.Sym");
        let mut values: Vec<Doc> =
            case.draws.iter().map(|(_, value)| expression(value, &mut self.names)).collect();
        // An array of references alone would be taken for all of the values.
        if let [(_, JavaValue::Array { element, .. })] = &case.draws[..]
            && element.is_reference()
        {
            values = vec![Doc::seq(vec![Doc::text("(Object) "), values.remove(0)])];
        }
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
                // One inside of another may be private, or be called so without being inside of anything.
                let named = if class.contains('$') { None } else { self.names.class(class) };
                let unnamed = named.is_none().then_some(class);
                let name = named.unwrap_or_else(|| self.names.known("java.lang.Throwable"));
                let call = uncast(call);
                let throws = self.assertions.throws(&name, Doc::seq(vec![Doc::text("() -> "), call]));
                let checks = self.assertions.thrown(unnamed, message, &mut self.names);
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

    /// A variable for the result where the call in the assertion could be read as another
    /// overload of it, or be too long.
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
        let declared = self.nameable(&case.target, &returned);
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
}

/// Why JUnit cannot run it.
fn why_disabled(case: &TestCase, names: &Names) -> Option<String> {
    let is_object = |value: &JavaValue| matches!(value, JavaValue::Object { .. });
    match case.ending {
        Ending::Exited(status) => Some(format!("ends the JVM with status {status}")),
        _ if is_too_large(case, names) => {
            Some(format!("{} objects are too many for a method of Java", case.objects.len()))
        }
        _ if has_unknown_array(case, names) => {
            Some("an argument is an array of a class that no source can name".into())
        }
        _ if case.arguments.iter().any(is_object) => {
            Some("an argument is an object that no source can make".into())
        }
        _ => None,
    }
}

/// Whether its objects do not fit into a method.
fn is_too_large(case: &TestCase, names: &Names) -> bool {
    objects::reflects(case, names) && case.objects.len() > OBJECT_BOUND
}

/// Whether it is given an array, where it stands, of a class that source cannot name.
fn has_unknown_array(case: &TestCase, names: &Names) -> bool {
    fn is_unknown(value: &JavaValue, names: &Names) -> bool {
        match value {
            JavaValue::Array { element, items } => {
                !names.can_name_type(element) || items.iter().any(|item| is_unknown(item, names))
            }
            _ => false,
        }
    }
    let draws = case.draws.iter().map(|(_, value)| value);
    case.arguments.iter().chain(draws).any(|value| is_unknown(value, names))
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

/// The calls that make its objects.
fn made(case: &TestCase) -> Vec<&Made> {
    let mut all = Vec::new();
    let draws = case.draws.iter().map(|(_, value)| value);
    for value in case.receiver.iter().chain(&case.arguments).chain(draws) {
        value.visit(&mut |part| {
            if let JavaValue::Made(made) = part {
                all.push(&**made);
            }
        });
    }
    all
}

/// Whether source needs reflection to make one of its objects.
fn makes_by_reflection(case: &TestCase, names: &Names) -> bool {
    made(case).into_iter().any(|made| is_reflective(made, names))
}

/// The `throws` clause of a test.
fn throws(case: &TestCase, names: &Names) -> &'static str {
    let prints = case.output.as_ref().is_some_and(|output| !output.is_empty());
    let is_caught = matches!(case.ending, Ending::Threw { .. });
    let declared = if is_caught { &[][..] } else { &case.target.exceptions[..] };
    let is_exception = |name: &String| name != "java.lang.Throwable" && name.ends_with("Exception");
    let throws = |made: &Made| made.throws || made.is_change() || is_reflective(made, names);
    let makers_throw = made(case).into_iter().any(throws);
    if ((is_hidden(&case.target, names) || makers_throw) && !is_caught)
        || declared.iter().any(|name| !is_exception(name))
    {
        " throws Throwable"
    } else if prints || !declared.is_empty() {
        " throws Exception"
    } else {
        ""
    }
}

/// Text for a comment: a line end would end it, and Java reads `\u` even there.
fn one_line(text: &str) -> String {
    let clean: String = text.chars().map(|c| if (' '..='~').contains(&c) { c } else { '?' }).collect();
    clean.replace("\\u", "\\ u").trim().chars().take(100).collect()
}
