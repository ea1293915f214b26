//! What changed between two versions, with classes that the real javac made: noise changes nothing,
//! everything else is found, and so is what runs it.

use evergreen_java::classfile::find_jdk;
use evergreen_java::{Changes, Program, changes as changes_between};
use std::path::Path;

/// Many small classes, each with one thing that can change.
const BEFORE: &str = r#"
import java.util.function.IntSupplier;
class Constant { static int f(int x) { return x > 10 ? 1 : 0; } static int other(int x) { return x + 1; } }
class UsesConstant { static int g(int x) { return Constant.f(x) + 1; } static int h(int x) { return Constant.other(x); } }
class Twice { static int far(int x) { return UsesConstant.g(x); } }
class Callee { static int f(int x) { return Math.max(x, 3); } }
class Catches { static int f(int x) { try { return 10 / x; } catch (ArithmeticException e) { return 0; } } }
class Text { static String f(int x) { return "a" + x; } static double d() { return 0.0; } }
class Fresh { static int START; static { START = 4; } int n = 1; int f(int x) { return x + n; } static int g(int x) { return x; } }
class UsesStart { static int f(int x) { return x + Fresh.START; } }
interface Shape { int area(); }
class Square implements Shape { final int n; Square(int n) { this.n = n; } public int area() { return n * n; } }
class Flat implements Shape { public int area() { return 0; } }
class Sums { static int sum(Shape a, Shape b) { return a.area() + b.area(); } static int flat(Flat f) { return f.area(); } }
class Base { int v() { return 1; } int w() { return 2; } }
class Derived extends Base { int w() { return 3; } }
class CallsBase { static int f(Base b) { return b.v(); } static int g(Derived d) { return d.w(); } }
class Named { final int id; Named(int id) { this.id = id; } public String toString() { return "n" + id; } }
class Prints { static String f(int x) { return "is " + new Named(x); } static void g(Object o) { System.out.println(o); }
  static int h(int x) { return Math.abs(x) + "y".length(); } }
class Lambdas {
  static int first(int x) { IntSupplier s = () -> x + 1; return s.getAsInt(); }
  static int second(int x) { IntSupplier s = () -> x + 2; return s.getAsInt(); } }
class Gone { static int f(int x) { return x; } static int left(int x) { return x; } }
class UsesGone { static int f(int x) { return x; } }
class Switches { static int f(int x) { switch (x) { case 1: return 5; case 2: return 6; default: return 7; } } }
class Extends extends Base { static int f(int x) { return x; } }
class Synced { int f(int x) { return x; } }
class Holds { int a; static int f(Holds h) { return h.a; } static int g(int x) { return x; } }
"#;

/// The same code, written differently: comments, lines, order of members and classes, names of variables,
/// another order of constants, a lambda before the others is moved behind them.
fn noise() -> String {
    let moved = r#"class Lambdas {

  /** Comes first now. */
  static int second(int value) {
      IntSupplier supplier = () -> value + 2;
      return supplier.getAsInt();
  }
  static int first(int value) { IntSupplier s = () -> value + 1; return s.getAsInt(); } }
"#;
    let swapped = "class Constant { static int other(int much) { return much + 1; }\n\n \
        // moved\n static int f(int y)\n { return y > 10 ? 1 : 0; } }\n";
    let mut lines: Vec<String> = BEFORE.lines().map(|line| format!("// {}\n{line}", line.len())).collect();
    let import = lines.iter().position(|line| line.contains("import")).expect("an import");
    let import = lines.remove(import);
    lines.reverse();
    let all = format!("{import}\n{}\n", lines.join("\n"));
    // The lines are in the opposite order, so those of several lines are put in whole.
    let of = |name: &str| -> Vec<&str> {
        let from = BEFORE.lines().skip_while(|line| !line.starts_with(&format!("class {name} ")));
        let count = from.clone().skip(1).take_while(|line| line.starts_with(' ')).count() + 1;
        from.take(count).collect()
    };
    let mut text = all;
    for (name, new) in [("Constant", swapped), ("Lambdas", moved)] {
        for line in of(name) {
            text = text.replace(&format!("{line}\n"), "");
        }
        text.push_str(new);
    }
    let prints = of("Prints");
    prints.iter().for_each(|line| text = text.replace(&format!("{line}\n"), ""));
    text + &prints.join("\n")
}

/// One change for most of the classes.
const EDITS: [(&str, &str); 15] = [
    ("x > 10 ? 1", "x > 11 ? 1"),
    ("Math.max(x, 3)", "Math.min(x, 3)"),
    ("catch (ArithmeticException e)", "catch (RuntimeException e)"),
    ("\"a\" + x", "\"b\" + x"),
    ("return 0.0", "return -0.0"),
    ("START = 4", "START = 5"),
    ("return n * n", "return n * n + 0"),
    ("class Derived extends Base { ", "class Derived extends Base { int v() { return 9; } "),
    ("return \"n\" + id", "return \"m\" + id"),
    ("x + 2; return s", "x + 3; return s"),
    ("class Gone { static int f(int x) { return x; }", "class Gone {"),
    ("case 2: return 6", "case 3: return 6"),
    ("class Extends extends Base", "class Extends extends Derived"),
    ("class Synced { int", "class Synced { synchronized int"),
    ("class Holds { int a;", "class Holds { volatile int a;"),
];

fn program(folder: &Path, text: &str) -> Program {
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("All.java"), text).expect("a source");
    let jdk = find_jdk().expect("these tests need a JDK");
    Program::open(&[folder.to_path_buf()], None, jdk).expect("javac takes it")
}

fn names<T: ToString>(all: impl IntoIterator<Item = T>) -> Vec<String> {
    all.into_iter().map(|one| one.to_string()).collect()
}

#[test]
fn noise_changes_nothing_and_every_change_is_found_with_what_runs_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = program(&folder.path().join("before"), BEFORE);
    let same = program(&folder.path().join("same"), &noise());
    let changes = changes_between(&before, &same);
    assert!(changes.is_empty() && changes.unchanged > 50, "{changes:#?}");

    let after = EDITS.iter().fold(BEFORE.to_string(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let after = program(&folder.path().join("after"), &after);
    let changes = changes_between(&before, &after);
    assert_eq!(names(&changes.added), ["Derived.v()"]);
    assert_eq!(names(&changes.removed), ["Gone.f(int)"]);
    let changed = [
        "Callee.f(int)",
        "Catches.f(int)",
        "Constant.f(int)",
        "Extends.new()",
        "Fresh: static initializer",
        "Lambdas.second(int)",
        "Named.toString()",
        "Square.area()",
        "Switches.f(int)",
        "Synced.f(int)",
        "Text.d()",
        "Text.f(int)",
    ];
    assert_eq!(names(&changes.changed), changed);
    let affected: Vec<String> =
        changes.affected.iter().map(|one| format!("{} by {}", one.function, one.through)).collect();
    let expected = [
        "CallsBase.f(Base) by Extends.new()",
        "CallsBase.g(Derived) by Extends.new()",
        "Extends.f(int) by class Extends",
        "Fresh.new() by Fresh: static initializer",
        "Fresh.f(int) by Fresh: static initializer",
        "Fresh.g(int) by Fresh: static initializer",
        "Holds.f(Holds) by field Holds.a",
        "Prints.f(int) by Named.toString()",
        "Prints.g(java.lang.Object) by Named.toString()",
        "Sums.sum(Shape, Shape) by Square.area()",
        "Twice.far(int) by Constant.f(int)",
        "UsesConstant.g(int) by Constant.f(int)",
        "UsesStart.f(int) by Fresh: static initializer",
    ];
    assert_eq!(affected, expected);
    assert_eq!(
        changes.others,
        ["class Extends: its supertypes or modifiers", "field Holds.a is declared otherwise"]
    );
    // Whichever way round, the same methods are touched.
    let back = changes_between(&after, &before);
    assert_eq!(names(&back.changed), changed);
    let methods = |changes: &Changes| names(changes.affected.iter().map(|one| &one.function));
    assert_eq!(methods(&back), methods(&changes));
    // What neither changed nor runs what did is the rest of what both have.
    let all = changes_between(&before, &before).unchanged;
    assert_eq!(changes.unchanged + changed.len() + affected.len() + changes.removed.len(), all);
}

/// Classes whose methods code of the JDK calls, and methods that give objects to such code.
const LISTS: &str = r#"
import java.util.*;
class Key implements Comparable<Key> { int n; Key(int n) { this.n = n; }
  public int compareTo(Key o) { return n - o.n; } }
class Sized { public int size() { return 7; } }
class Size { int size = 3; }
class Other { int size = 4; int own() { return size; } }
class Uses {
  static int ints(int x) { List<Integer> all = new ArrayList<>(); all.add(x); Collections.sort(all); return all.size(); }
  static int keys(int x) { List<Key> all = new ArrayList<>(); all.add(new Key(x)); Collections.sort(all); return all.size(); }
  static int sizes(int x) { new Sized(); return new ArrayList<Integer>().size(); }
  static int makes(int x) { return sorted(make(x)); }
  static Key make(int x) { return new Key(x); }
  static int sorted(Object o) { Object[] all = { o, o }; Arrays.sort(all); return 2; }
  static int given(Key k) { return k == null ? 0 : 1; }
  static int held(Holder h) { return h == null ? 0 : Collections.max(Arrays.asList(1, 2)); }
  static int other(Other o) { return o.size; }
  static int sized(Size s) { return s.size; }
}
class Holder { Key key; }
"#;

#[test]
fn code_outside_calls_only_objects_that_there_can_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = program(&folder.path().join("before"), LISTS);
    let affected = |name: &str, edits: &[(&str, &str)]| {
        let text = edits.iter().fold(LISTS.to_string(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        });
        let after = program(&folder.path().join(name), &text);
        let methods = names(changes_between(&before, &after).affected.iter().map(|one| &one.function));
        assert_eq!(methods, names(changes_between(&after, &before).affected.iter().map(|one| &one.function)));
        methods
    };
    // Sorting numbers does not compare keys; an object of any class, a new key and a field may be keys.
    let compared = affected("compared", &[("return n - o.n", "return o.n - n")]);
    let expected = [
        "Key.compareTo(java.lang.Object)",
        "Uses.held(Holder)",
        "Uses.keys(int)",
        "Uses.makes(int)",
        "Uses.sorted(java.lang.Object)",
    ];
    assert_eq!(compared, expected);
    // A method that has the name of one of a list, which any list could be: of a class that is made, or not.
    assert_eq!(affected("sized", &[("return 7; }", "return 8; }")]), ["Uses.sizes(int)"]);
    // Inputs are made by constructors; fields of one name are those of their classes.
    let made = affected("made", &[("this.n = n;", "this.n = n + 1;"), ("size = 3", "size = 5")]);
    let expected = [
        "Key.compareTo(Key)",
        "Key.compareTo(java.lang.Object)",
        "Uses.given(Key)",
        "Uses.held(Holder)",
        "Uses.keys(int)",
        "Uses.make(int)",
        "Uses.makes(int)",
        "Uses.sized(Size)",
    ];
    assert_eq!(made, expected);
    let declared = affected("declared", &[("class Size { int size", "class Size { volatile int size")]);
    assert_eq!(declared, ["Size.new()", "Uses.sized(Size)"]);
}
