//! Names in generated source: of classes, with the imports that they need, and of tests.
//!
//! Names of class files may be nearly any text: the JVM forbids `.`, `;`, `[` and `/` in them and
//! nothing else. Source never has one as it is, unless it is an identifier of Java in every JDK. So the
//! name of a class in source is an `Option`, and a caller needs a fallback for `None`: `Class.forName`
//! with a literal, or `Object`.

use evergreen_classfile::Type;
use std::collections::{BTreeMap, BTreeSet};

/// Longest name of a test, without the number that makes it unique.
const TEST_NAME_BOUND: usize = 60;

/// Classes that a test class may import beside those of its tests.
const USED: [&str; 18] = [
    "After",
    "AfterEach",
    "Array",
    "Assume",
    "Assumptions",
    "Before",
    "BeforeEach",
    "ByteArrayOutputStream",
    "CallOn",
    "Constructor",
    "Disabled",
    "Field",
    "Ignore",
    "InvocationTargetException",
    "Method",
    "PrintStream",
    "Test",
    "Class",
];

/// Classes of `java.lang` that generated source names without their package.
const LANG: [&str; 18] = [
    "AssertionError",
    "Boolean",
    "Byte",
    "Character",
    "Class",
    "ClassNotFoundException",
    "Double",
    "Exception",
    "Float",
    "Integer",
    "Long",
    "Object",
    "ReflectiveOperationException",
    "Short",
    "String",
    "System",
    "Throwable",
    "Void",
];

/// Packages that generated source names outside of imports.
const ROOTS: [&str; 2] = ["java", "org"];

/// Whether Java would read the name of a class, as `Class.getName` has it, as something else: it is called as
/// a class of `java.lang`, or as a package, that generated source needs; or it has a `$` though it is inside
/// of no other class, which `is_flat` says.
pub fn is_misread(class: &str, is_flat: impl FnOnce() -> bool) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    LANG.contains(&simple) || ROOTS.contains(&simple) || (simple.contains('$') && is_flat())
}

/// The names of classes in one source file, and the imports that they need.
pub(crate) struct Names {
    package: String,
    /// Simple name to the full name that it stands for in this file.
    taken: BTreeMap<String, String>,
    imports: BTreeSet<String>,
    /// The variables of the objects of the test that is being written.
    objects: Vec<String>,
    /// Whether static fields are read by reflection.
    reads_constants: bool,
    /// Whether a function of the file gives answers from a list.
    answers: bool,
    /// Whether the file makes maps.
    maps: bool,
    /// Whether it changes objects before tests.
    changes: bool,
    /// Whether a class beside the file is called as a package that it needs.
    is_obscured: bool,
    /// Classes with a `$` in their names that are inside of no other.
    flat: BTreeSet<String>,
}

impl Names {
    /// For the file of the class `own` in `package`.
    pub(crate) fn new(package: &str, own: &str) -> Names {
        let full = if package.is_empty() { own.to_string() } else { format!("{package}.{own}") };
        // A class that generated members import keeps its simple name.
        let mut taken: BTreeMap<String, String> =
            USED.iter().map(|name| (name.to_string(), format!("another {name}"))).collect();
        taken.insert(own.to_string(), full);
        let imports = BTreeSet::new();
        Names {
            package: package.into(),
            taken,
            imports,
            objects: Vec::new(),
            reads_constants: false,
            answers: false,
            maps: false,
            changes: false,
            is_obscured: false,
            flat: BTreeSet::new(),
        }
    }

    /// Whether the file can name a class at all. One without a package is seen by others without one only,
    /// and not if the file means another class by its name.
    pub(crate) fn can_name(&self, class: &str) -> bool {
        let class = class.replace('/', ".");
        let is_clear = |name: &str| {
            let top = name.split('$').next().unwrap_or(name);
            self.package.is_empty() && !LANG.contains(&top) && !USED.contains(&top)
        };
        has_name(&class) && (class.contains('.') || is_clear(&class)) && !self.flat.contains(&class)
    }

    /// Says which classes of the program have names that Java would read as something else.
    pub(crate) fn set_misread(&mut self, classes: &[String]) {
        classes.iter().for_each(|class| self.meet(class));
        self.flat = classes.iter().filter(|class| class.contains('$')).cloned().collect();
    }

    /// Whether it can name a type.
    pub(crate) fn can_name_type(&self, of: &Type) -> bool {
        match of {
            Type::Class(name) => self.can_name(name),
            Type::Array(element) => self.can_name_type(element),
            _ => true,
        }
    }

    /// Notes that there is such a class. If it lies beside the file and is called as one of `java.lang`,
    /// that one has to be imported.
    pub(crate) fn meet(&mut self, class: &str) {
        let class = class.replace('/', ".");
        let (package, rest) = class.rsplit_once('.').unwrap_or(("", &class));
        if package == self.package && LANG.contains(&rest) {
            self.imports.insert(format!("java.lang.{rest}"));
        }
        self.is_obscured |= package == self.package && ROOTS.contains(&rest);
    }

    /// Members of the file as it can have them: beside a class called `java`, that name means no
    /// package outside of imports.
    pub(crate) fn unobscured(&mut self, members: String) -> String {
        if !self.is_obscured {
            return members;
        }
        const WHOLE: [&str; 4] = [
            "java.lang.reflect.Array",
            "java.lang.reflect.Field",
            "org.junit.Assume",
            "org.junit.jupiter.api.Assumptions",
        ];
        WHOLE.iter().fold(members, |members, whole| {
            let uses = [' ', '.'].map(|after| format!("{whole}{after}"));
            if !uses.iter().any(|used| members.contains(used)) {
                return members;
            }
            self.imports.insert(whole.to_string());
            let simple = whole.rsplit('.').next().unwrap_or(whole);
            [' ', '.'].iter().fold(members, |members, after| {
                members.replace(&format!("{whole}{after}"), &format!("{simple}{after}"))
            })
        })
    }

    /// The name of a class that everybody has.
    pub(crate) fn known(&mut self, class: &'static str) -> String {
        self.class(class).unwrap_or_else(|| class.to_string())
    }

    /// The shortest name of a class that means it here; imports it if that helps.
    /// `None`: source cannot name it.
    pub(crate) fn class(&mut self, name: &str) -> Option<String> {
        if !self.can_name(name) {
            return None;
        }
        self.meet(name);
        let name = name.replace('/', ".");
        let (package, rest) = name.rsplit_once('.').unwrap_or(("", &name));
        let (top, nested) = rest.split_at(rest.find('$').filter(|at| *at > 0).unwrap_or(rest.len()));
        let full = if package.is_empty() { top.to_string() } else { format!("{package}.{top}") };
        let nested = nested.replace('$', ".");
        let is_visible = package == self.package || package == "java.lang" || package.is_empty();
        match self.taken.get(top) {
            Some(other) if *other != full => return Some(full + &nested),
            Some(_) => {}
            None if package != "java.lang" && LANG.contains(&top) => return Some(full + &nested),
            None => {
                self.taken.insert(top.to_string(), full.clone());
                if !is_visible {
                    self.imports.insert(full);
                }
            }
        }
        Some(format!("{top}{nested}"))
    }

    /// Says how the objects of the next test are called.
    pub(crate) fn set_objects(&mut self, variables: Vec<String>) {
        self.objects = variables;
    }

    /// The variable of an object of the test that is being written.
    pub(crate) fn object(&self, index: usize) -> String {
        self.objects.get(index).cloned().unwrap_or_else(|| format!("object{}", index + 1))
    }

    /// A type as source has it; `Object` stands for a class that it cannot name.
    pub(crate) fn type_name(&mut self, of: &Type) -> String {
        match of {
            Type::Class(name) => self.class(name).unwrap_or_else(|| "Object".into()),
            Type::Array(element) => self.type_name(element) + "[]",
            primitive => primitive.to_java(),
        }
    }

    /// Says that the file reads static fields by reflection.
    pub(crate) fn read_constant(&mut self) {
        self.reads_constants = true;
    }

    /// Whether it does.
    pub(crate) fn reads_constants(&self) -> bool {
        self.reads_constants
    }

    /// Notes that a function of the file gives answers from a list.
    pub(crate) fn answer(&mut self) {
        self.answers = true;
    }

    /// Whether one does.
    pub(crate) fn answers(&self) -> bool {
        self.answers
    }

    /// Notes that the file makes a map.
    pub(crate) fn put_entries(&mut self) {
        self.maps = true;
    }

    /// Whether it makes one.
    pub(crate) fn puts_entries(&self) -> bool {
        self.maps
    }

    /// Notes that the file changes an object by a call.
    pub(crate) fn change(&mut self) {
        self.changes = true;
    }

    /// Whether it changes one.
    pub(crate) fn changes(&self) -> bool {
        self.changes
    }

    /// The imports, in order.
    pub(crate) fn imports(&self) -> impl Iterator<Item = &String> {
        self.imports.iter()
    }
}

/// Whether a name of a class is one in Java, too: anonymous and local ones have a number in their names.
pub(crate) fn has_name(class: &str) -> bool {
    const NO_TYPES: [&str; 5] = ["permits", "record", "sealed", "var", "yield"];
    class.split(['.', '$']).all(|part| is_identifier(part) && !NO_TYPES.contains(&part))
}

/// Whether a text is an identifier of Java, whatever the compiler. The JDKs know different versions of
/// Unicode, so of other scripts only those letters are taken that have been there from the beginning.
pub(crate) fn is_identifier(text: &str) -> bool {
    let is_letter = |c: char| match c {
        '_' | 'a'..='z' | 'A'..='Z' => true,
        '\u{d7}' | '\u{f7}' => false,
        '\u{c0}'..='\u{1f5}' | '\u{3b1}'..='\u{3c9}' | '\u{391}'..='\u{3a1}' | '\u{410}'..='\u{44f}' => true,
        '\u{3041}'..='\u{3094}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fa5}' => true,
        '\u{ac00}'..='\u{d7a3}' => true,
        _ => false,
    };
    text.starts_with(is_letter)
        && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        && !is_reserved(text)
}

/// Package and name of a class that is made for another one, as of its tests: its own package and its name
/// with a word behind. What is no name of Java is made one, with a number that tells it from others which
/// would come to the same.
pub(crate) fn class_beside(class: &str, word: &str) -> (String, String) {
    let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
    let plain = name.replace('$', "");
    let name = match is_identifier(&plain) {
        true => plain,
        false => mangled(name),
    };
    let parts = package.split('.').filter(|part| !part.is_empty());
    let parts: Vec<String> =
        parts.map(|part| if is_identifier(part) { part.into() } else { mangled(part) }).collect();
    // The JVM forbids programs to add classes to these packages.
    let front = if parts.first().is_some_and(|first| first == "java") { "tests." } else { "" };
    (format!("{front}{}", parts.join(".")), format!("{name}{word}"))
}

fn mangled(name: &str) -> String {
    format!("{}_{:08x}", identifier(name), digest(name) as u32)
}

/// FNV-1a, its upper half folded in: a number of a name that is the same for ever.
pub(crate) fn digest(name: &str) -> u64 {
    let mixed = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    mixed ^ (mixed >> 32)
}

/// A name for a test: the method and what the path covers, as one identifier; and whether it says all that
/// the title says.
pub fn test_name(method: &str, title: &str) -> (String, bool) {
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
    if is_reserved(&name) || OF_OBJECT.contains(&name.as_str()) {
        name.push('_');
    }
    (name, is_whole)
}

/// Names of methods that a test class may have beside its tests, and that no test may have.
pub const RESERVED_NAMES: &[&str] = &[
    "printed",
    "map",
    "answering",
    "isSame",
    "runDefault",
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

/// Methods without parameters that every object has: a test returns nothing, and some of them do.
const OF_OBJECT: [&str; 8] =
    ["clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"];

/// Whether a test can have this name: an identifier in ASCII that nothing else has in a test class.
pub fn is_test_name(name: &str) -> bool {
    is_identifier(name) && name.is_ascii() && !RESERVED_NAMES.contains(&name) && !OF_OBJECT.contains(&name)
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
    use evergreen_suite::TakenNames;

    #[test]
    fn tests_are_named_after_what_they_cover() {
        let mut taken = TakenNames::default();
        let mut name = |title: &str| taken.take(test_name("kind", title).0);
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
        assert_eq!(test_name("<init>", "returns"), ("constructor_returns".into(), true));
        assert_eq!(test_name("int", "returns 'a'"), ("int_returnsA".into(), false));
    }

    #[test]
    fn every_name_that_is_given_can_be_one() {
        let mut taken = TakenNames::of(RESERVED_NAMES);
        for method in ["a".repeat(90).as_str(), "hashCode", "int", "1", "\u{202e}", "make", "_"] {
            for title in ["", "", "returns 3", "throws \u{e9}"] {
                let name = taken.take(test_name(method, title).0);
                assert!(is_test_name(&name), "{name}");
            }
        }
    }

    #[test]
    fn classes_are_imported_where_that_is_shorter() {
        let mut names = Names::new("shop", "CartTest");
        let mut class = |name: &str| names.class(name).unwrap_or_default();
        assert_eq!(class("shop.Cart"), "Cart");
        assert_eq!(class("java.lang.String"), "String");
        assert_eq!(class("java/util/Map$Entry"), "Map.Entry");
        assert_eq!(class("other.Cart$Item"), "other.Cart.Item");
        assert_eq!(class("java.util.Map"), "Map");
        assert_eq!(class("shop.Test"), "shop.Test");
        assert_eq!(names.imports().collect::<Vec<_>>(), ["java.util.Map"]);
    }

    #[test]
    fn names_that_mean_something_else_are_not_used() {
        let mut names = Names::new("", "CartTest");
        assert_eq!(
            (names.class("Object"), names.class("Test$A"), names.class("java.lang.Object")),
            (None, None, Some("Object".into()))
        );
        names.meet("Object");
        assert_eq!(names.imports().collect::<Vec<_>>(), ["java.lang.Object"]);
        let mut names = Names::new("shop", "CartTest");
        assert_eq!((names.class("Cart"), names.class("shop.System")), (None, Some("shop.System".into())));
        assert_eq!(names.imports().collect::<Vec<_>>(), ["java.lang.System"]);
        assert_eq!(names.type_name(&Type::Array(Box::new(Type::Class("a/H\"-evil".into())))), "Object[]");
    }

    #[test]
    fn classes_of_tests_have_names_of_java() {
        let beside = |class: &str| class_beside(class, "Test");
        assert_eq!(beside("shop.Cart$Item"), ("shop".into(), "CartItemTest".into()));
        assert_eq!(beside("java.util.Map"), ("tests.java.util".into(), "MapTest".into()));
        let hostile =
            ["H\"-evil", "Hevil", "H evil", "*/", "\\u002f", "1", "", "int", "a\u{0}b", "\u{b2}", "\u{202e}"];
        let names: BTreeSet<String> = hostile.iter().map(|name| beside(name).1).collect();
        assert_eq!(names.len(), hostile.len(), "{names:?}");
        assert!(names.iter().all(|name| is_identifier(name)), "{names:?}");
        for part in hostile.iter().filter(|part| !part.is_empty()) {
            let (package, name) = beside(&format!("a.{part}.B"));
            assert!(package.split('.').all(is_identifier) && name == "BTest", "{package}");
        }
    }

    #[test]
    fn anonymous_classes_have_no_name() {
        assert!(has_name("a.B$C") && has_name("B"));
        for odd in
            ["a\u{b2}", "a\u{200b}", "\u{10400}", "a b", "record", "a.var", "", "a..b", "caf\u{e9}\u{301}"]
        {
            assert!(!has_name(odd), "{odd:?}");
        }
        assert!(has_name("caf\u{e9}.\u{4f60}\u{597d}"));
        assert!(!has_name("a.B$1") && !has_name("a.B$1Local") && !has_name("a.int") && !has_name("a.B$$x"));
    }
}
