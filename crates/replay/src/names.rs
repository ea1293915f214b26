//! Names in generated source: of classes, with the imports that they need, and of tests.

use evergreen_classfile::Type;
use std::collections::{BTreeMap, BTreeSet};

/// Longest name of a test, without the number that makes it unique.
const TEST_NAME_BOUND: usize = 60;

/// Classes that a test class may import beside those of its tests.
const USED: [&str; 13] = [
    "After",
    "AfterEach",
    "Before",
    "BeforeEach",
    "ByteArrayOutputStream",
    "Constructor",
    "Disabled",
    "Ignore",
    "InvocationTargetException",
    "Method",
    "PrintStream",
    "Test",
    "Class",
];

/// How the classes of one source file are called, and what it has to import for that.
pub(crate) struct Names {
    package: String,
    /// Simple name to the full name that it stands for in this file.
    taken: BTreeMap<String, String>,
    imports: BTreeSet<String>,
    /// The variables of the objects of the test that is being written.
    objects: Vec<String>,
}

impl Names {
    /// For the file of the class `own` in `package`.
    pub(crate) fn new(package: &str, own: &str) -> Names {
        let full = if package.is_empty() { own.to_string() } else { format!("{package}.{own}") };
        // What generated members import themselves keeps its simple name.
        let mut taken: BTreeMap<String, String> =
            USED.iter().map(|name| (name.to_string(), format!("another {name}"))).collect();
        taken.insert(own.to_string(), full);
        Names { package: package.into(), taken, imports: BTreeSet::new(), objects: Vec::new() }
    }

    /// The shortest name of a class that means it here; imports it if that helps.
    pub(crate) fn class(&mut self, name: &str) -> String {
        let name = name.replace('/', ".");
        let (package, rest) = name.rsplit_once('.').unwrap_or(("", &name));
        let (top, nested) = rest.split_at(rest.find('$').filter(|at| *at > 0).unwrap_or(rest.len()));
        let full = if package.is_empty() { top.to_string() } else { format!("{package}.{top}") };
        let nested = nested.replace('$', ".");
        let is_visible = package == self.package || package == "java.lang" || package.is_empty();
        match self.taken.get(top) {
            Some(other) if *other != full => return full + &nested,
            Some(_) => {}
            None => {
                self.taken.insert(top.to_string(), full.clone());
                if !is_visible {
                    self.imports.insert(full);
                }
            }
        }
        format!("{top}{nested}")
    }

    /// Says how the objects of the next test are called.
    pub(crate) fn set_objects(&mut self, variables: Vec<String>) {
        self.objects = variables;
    }

    /// The variable of an object of the test that is being written.
    pub(crate) fn object(&self, index: usize) -> String {
        self.objects.get(index).cloned().unwrap_or_else(|| format!("object{}", index + 1))
    }

    /// A type as source has it.
    pub(crate) fn type_name(&mut self, of: &Type) -> String {
        match of {
            Type::Class(name) => self.class(name),
            Type::Array(element) => self.type_name(element) + "[]",
            primitive => primitive.to_java(),
        }
    }

    /// What has to be imported, in order.
    pub(crate) fn imports(&self) -> impl Iterator<Item = &String> {
        self.imports.iter()
    }
}

/// Whether source can name the class at all: anonymous and local ones have a number in their names.
pub(crate) fn has_name(class: &str) -> bool {
    class.split(['.', '$']).all(|part| {
        part.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && !is_reserved(part)
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

/// Names that are taken. The number behind a name that many want is looked for from the last one on: thousands of tests may have one title.
#[derive(Clone, Debug, Default)]
pub struct TakenNames {
    names: BTreeSet<String>,
    /// For each name that was wanted more than once, the last number.
    numbers: BTreeMap<String, u64>,
}

impl TakenNames {
    /// Takes a name, or the first one with a number behind it that is free.
    fn take(&mut self, name: String) -> String {
        if self.names.insert(name.clone()) {
            return name;
        }
        let mut number = self.numbers.get(&name).copied().unwrap_or(1);
        loop {
            number += 1;
            let unique = format!("{name}_{number}");
            if self.names.insert(unique.clone()) {
                self.numbers.insert(name, number);
                return unique;
            }
        }
    }
}

impl Extend<String> for TakenNames {
    fn extend<I: IntoIterator<Item = String>>(&mut self, names: I) {
        self.names.extend(names);
    }
}

/// A name for a test: the method and what the path covers, as one identifier that is not in `taken` yet; and whether it
/// says all that the title says.
pub fn test_name(method: &str, title: &str, taken: &mut TakenNames) -> (String, bool) {
    let mut name = identifier(if method == "<init>" { "constructor" } else { method });
    let start = name.len();
    let mut is_whole = title.chars().all(|c| c.is_ascii_alphanumeric() || " -.".contains(c));
    for word in words(title) {
        let mut letters = word.chars();
        let first = letters.next().unwrap_or('x');
        let piece: String = match name.len() == start {
            true => first.to_lowercase().chain(letters).collect(),
            false => first.to_uppercase().chain(letters).collect(),
        };
        let separator = if name.len() == start { "_" } else { "" };
        if name.len() + separator.len() + piece.len() > TEST_NAME_BOUND {
            is_whole = false;
            break;
        }
        name.push_str(separator);
        name.push_str(&piece);
    }
    (taken.take(name), is_whole)
}

/// Names of methods that a test class may have beside its tests.
pub(crate) const MEMBERS: [&str; 11] = [
    "printed",
    "capture",
    "release",
    "invoke",
    "construct",
    "make",
    "makeArray",
    "set",
    "fill",
    "isRecord",
    "constant",
];

/// Names that no test may have because a test class may need them for itself.
pub fn reserved_names() -> TakenNames {
    TakenNames { names: MEMBERS.map(String::from).into(), numbers: BTreeMap::new() }
}

/// Whether a test can have this name: an identifier in ASCII that nothing else has in a test class.
pub fn is_test_name(name: &str) -> bool {
    identifier(name) == name && !is_reserved(name) && !MEMBERS.contains(&name)
}

/// A name without the number that makes it unique.
pub(crate) fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((front, number)) if !front.is_empty() && number.chars().all(|c| c.is_ascii_digit()) => front,
        _ => name,
    }
}

/// The words of a title that identifiers can hold; a minus is one of them, a point between digits too.
fn words(title: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let characters: Vec<char> = title.chars().collect();
    for (index, &character) in characters.iter().enumerate() {
        let next_is_digit = characters.get(index + 1).is_some_and(char::is_ascii_digit);
        let after_digit = word.ends_with(|c: char| c.is_ascii_digit());
        match character {
            c if c.is_ascii_alphanumeric() => word.push(c),
            '.' if after_digit && next_is_digit => word.push('_'),
            '\'' => {}
            '-' if next_is_digit && word.is_empty() => words.push("minus".to_string()),
            _ => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// `name` as far as it can be an identifier of Java in ASCII.
pub(crate) fn identifier(name: &str) -> String {
    let mut out: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || out == "_" {
        out.insert(0, 'x');
    }
    out.truncate(TEST_NAME_BOUND);
    out
}

/// Whether Java keeps the word to itself.
pub(crate) fn is_reserved(word: &str) -> bool {
    const RESERVED: [&str; 54] = [
        "_",
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "void",
        "volatile",
        "while",
    ];
    RESERVED.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_after_what_they_cover() {
        let mut taken = TakenNames::default();
        let mut name = |title: &str| test_name("kind", title, &mut taken).0;
        assert_eq!(name("returns 3 at line 14"), "kind_returns3AtLine14");
        assert_eq!(name("returns 3 at line 14"), "kind_returns3AtLine14_2");
        assert_eq!(name("returns 3 at line 14_3"), "kind_returns3AtLine143");
        assert_eq!(name("returns 3 at line 14"), "kind_returns3AtLine14_3");
        assert_eq!(name("returns -3"), "kind_returnsMinus3");
        assert_eq!(name("returns 1.5"), "kind_returns1_5");
        assert_eq!(name("throws ArithmeticException"), "kind_throwsArithmeticException");
        assert_eq!(name("doesn't \"*/ \u{e9}"), "kind_doesnt");
        assert_eq!(name(""), "kind");
        assert_eq!(name("..."), "kind_2");
        let long = name("returns a value that nobody could have thought of before the sun rose again");
        assert_eq!(long, "kind_returnsAValueThatNobodyCouldHaveThoughtOfBeforeTheSun");
        assert_eq!(test_name("<init>", "returns", &mut taken), ("constructor_returns".into(), true));
        assert_eq!(test_name("int", "returns 'a'", &mut taken), ("int_returnsA".into(), false));
    }

    #[test]
    fn a_number_that_somebody_has_is_passed_over() {
        let mut taken = reserved_names();
        taken.extend(["kind_2", "kind_4"].map(String::from));
        let names: Vec<String> = (0..4).map(|_| test_name("kind", "", &mut taken).0).collect();
        assert_eq!(names, ["kind", "kind_3", "kind_5", "kind_6"]);
        assert_eq!(test_name("make", "", &mut taken).0, "make_2");
    }

    #[test]
    fn classes_are_imported_where_that_is_shorter() {
        let mut names = Names::new("shop", "CartTest");
        assert_eq!(names.class("shop.Cart"), "Cart");
        assert_eq!(names.class("java.lang.String"), "String");
        assert_eq!(names.class("java/util/Map$Entry"), "Map.Entry");
        assert_eq!(names.class("other.Cart$Item"), "other.Cart.Item");
        assert_eq!(names.class("java.util.Map"), "Map");
        assert_eq!(names.class("shop.Test"), "shop.Test");
        assert_eq!(names.imports().collect::<Vec<_>>(), ["java.util.Map"]);
    }

    #[test]
    fn anonymous_classes_have_no_name() {
        assert!(has_name("a.B$C") && has_name("B"));
        assert!(!has_name("a.B$1") && !has_name("a.B$1Local") && !has_name("a.int") && !has_name("a.B$$x"));
    }
}
