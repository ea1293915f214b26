//! Symbolic paths against concrete runs: for all small inputs, the path that they take ends
//! as the concrete run does.
//!
//! Every branch on the way must have exactly one arm that holds ([`common::Program::along`] checks it), so
//! arms exclude each other and cover every case.

use std::collections::BTreeSet;

use crate::common::{Program, show};
use evergreen_jvm::{InputBound, Value};

const SOURCE: &str = r#"
class Sym {
    static int[] table = {5, 3, 8, 1, 9};
    static String[] names = {"zero", "one", "two"};

    static int divide(int a, int b) { return a / b + a % b; }
    static long divideLong(int a, int b) { return (long) a / b - (long) a % b; }
    static int caught(int a, int b) { try { return a / b; } catch (ArithmeticException e) { return -100; } }
    static int element(int a, int b) { return table[a] * 10 + b; }
    static String name(int a, int b) { return names[a]; }
    static int[] squares = new int[1200];
    static { for (int i = 0; i < squares.length; i++) squares[i] = i / 100 * i; }
    static int square(int a, int b) { return squares[a * 150 + 450 + b]; }
    static int store(int a, int b) {
        int[] cells = new int[4];
        cells[a] = 7;
        cells[b] = 9;
        return cells[0] * 1000 + cells[1] * 100 + cells[2] * 10 + cells[3];
    }
    static int bytes(int a, int b) {
        byte[] cells = new byte[2];
        cells[0] = (byte) (a * 100);
        char[] chars = {(char) (a - 1), (char) b};
        short[] shorts = {(short) (b * 20000)};
        boolean[] flags = {a > b, a == b};
        return cells[0] + chars[0] + chars[1] + shorts[0] + (flags[0] ? 1 : 0) + (flags[1] ? 2 : 0);
    }
    static int lengths(int a, int b) { return new int[a].length + new String[b].length; }
    static int fill(int a, int b) { int[] r = new int[a]; for (int i = 0; i < a; i++) r[i] = i * b; int s = 0; for (int x : r) s = s * 3 + x; return s; }
    static long places(int a, int b) { long[] r = new long[a]; r[0] = b; r[2] += 5; return r[0] * 10 + r[1] + r[2] + r.length; }
    static int copied(int a, int b) { int[] r = new int[a]; r[1] = 7; int[] c = r.clone(); int[] d = java.util.Arrays.copyOf(r, 3); System.arraycopy(r, 0, d, 1, 2); c[0] = b; return c.length * 100 + d[0] * 10 + d[1] + java.util.Arrays.hashCode(r) + (r == c ? 1 : 0); }
    static String part(int a, int b) { int[] all = {3, 4, 5}; try { int[] r = new int[a]; System.arraycopy(all, b, r, 0, a); int s = r.length; for (int x : r) s = s * 10 + x; return "" + s; } catch (ArrayIndexOutOfBoundsException e) { return e.getMessage(); } }
    static String into(int a, int b) { Object[] all = {"x", "y"}; try { Object[] r = new Object[a]; System.arraycopy(all, 0, r, b, 2); return "" + r.length + r[b]; } catch (ArrayIndexOutOfBoundsException e) { return e.getMessage(); } }
    static int indexed(int a, int b) { short[] r = new short[a]; r[1] = 4; r[b] = (short) (b + 65536); return r[b] + r[0] * 10 + r[1] * 100; }
    static String held(int a, int b) { Object[] r = new Object[a]; r[1] = "x" + b; Object[] s = r; s[0] = r; return (r[0] == s) + "" + r[1] + java.util.Arrays.asList(r).indexOf(r[1]); }
    static String outside(int a, int b) { char[] r = new char[a]; r[0] = (char) (b + 70); try { return "" + r[3] + r[b]; } catch (ArrayIndexOutOfBoundsException e) { return e.getMessage() + r.length; } }
    static String refused(int a, int b) { Object[] r = new String[a]; try { r[b] = 5; } catch (ArrayStoreException e) { return e.getMessage(); } return "no"; }
    static int[] made(int a, int b) { int[] r = new int[a]; if (b > 2) r[1] = b; return r; }
    static float mean(int a, int b) { float[] r = new float[a]; double[] s = new double[b]; boolean[] t = new boolean[a]; if (a > 2) { r[1] = 1.5f; s[0] = 2; t[1] = true; } return a > 1 && b > 1 ? r[1] + (float) s[0] + (float) s[1] + (t[1] ? 1 : 0) + (t[0] ? 2 : 0) : -1; }
    static int shared(int a, int b) { int[] r = new int[a]; int[][] rows = {r, new int[b]}; rows[0][1] = 3; int n = 0; for (int[] row : rows) for (int x : row) n = n * 2 + x + 1; return n; }
    static int nested(int a, int b) { int[][] grid = new int[a][b]; return grid.length * 10 + (a > 0 ? grid[0].length : 0); }
    static int dense(int a, int b) {
        switch (a) { case 0: return 10; case 1: case 2: return 20 + b; case 4: return 30; default: return 40; }
    }
    static int sparse(int a, int b) {
        switch (a * 100) { case -100: return 1; case 500: return 2; case 0: b++; case 200: return b; default: return 3; }
    }
    static int loop(int a, int b) { int sum = 0; for (int i = 0; i < a; i++) { if (i == b) continue; sum += i; } return sum; }
    static int shifts(int a, int b) { return (a << b) ^ (a >> 1) ^ (a >>> 28) ^ (b & 3) ^ (a | b); }
    static long mixed(int a, int b) { long x = a; x = x * 1000000007L + b; return x >> 3 ^ x; }
    static int compare(int a, int b) { return Long.compare(a, b) + (a < b ? 10 : 20) + (a != b ? 100 : 200); }
    static boolean logic(int a, int b) { return a > 2 && b < 1 || a == b && !(a < 0); }
    static int objects(int a, int b) {
        Sym x = new Sym(); x.value = a; Sym y = a > b ? x : new Sym(); y.value += b; return x.value * 10 + y.value;
    }
    int value;
    static int together;
    static int statics(int a, int b) { together = a; bump(b); return together; }
    static void bump(int by) { if (by > 2) together += by; else together -= by; }
    static String text(int a, int b) { return "a=" + a + ", b=" + b; }
    static int textLength(int a, int b) { return ("" + a * 37).length(); }
    static String message(int a, int b) { try { return "" + table[a * 3]; } catch (RuntimeException e) { return e.getMessage(); } }
    static int messageLength(int a, int b) { try { return table[a * 9]; } catch (RuntimeException e) { return e.getMessage().length(); } }
    static String builder(int a, int b) {
        return new StringBuilder("<").append(a).append(' ').append(b > 1).append((char) (a + 300)).append((Object) null).append(7L).toString();
    }
    static String builderRead(int a, int b) {
        StringBuilder s = new StringBuilder().append(a * 11).append("/").append((byte) (b * 70));
        s.setCharAt(0, '#');
        return s.append(b).append(1.5).reverse().toString() + s.length();
    }
    static String chars(int a, int b) { StringBuffer s = new StringBuffer("é"); s.append((char) (a + 252)).append(b); return s.insert(1, s.charAt(1)).toString(); }
    static int parse(int a, int b) { return Integer.parseInt("" + a * 13) + Integer.valueOf(b); }
    static boolean textEquals(int a, int b) { return ("k" + a).equals("k5") || String.valueOf(b).hashCode() == 48; }
    static boolean latinEquals(int a, int b) { return ("" + (char) (a + 230) + b).equals("é2") || ("" + (char) (a + 230)).compareTo("é") > 0; }
    static char digit(int a, int b) { return String.valueOf(a * 7 + 1).charAt(0); }
    static int custom(int a, int b) {
        try { check(a); check(b); return 0; }
        catch (IllegalStateException e) { return 1; }
        finally { together++; if (a == 5) return 9; }
    }
    static void check(int x) { if (x < 0) throw new IllegalStateException("bad"); if (x > 4) throw new IllegalArgumentException("x" + x); }
    static int asserts(int a, int b) { assert a <= b : "order"; return b - a; }
    static int doubles(int a, int b) { return 0.5 * a < b ? 1 : 2; }
}
"#;

const METHODS: &[(&str, &str)] = &[
    ("divide", "I"),
    ("divideLong", "J"),
    ("caught", "I"),
    ("element", "I"),
    ("name", "Ljava/lang/String;"),
    ("square", "I"),
    ("store", "I"),
    ("bytes", "I"),
    ("lengths", "I"),
    ("nested", "I"),
    ("fill", "I"),
    ("places", "J"),
    ("copied", "I"),
    ("part", "Ljava/lang/String;"),
    ("into", "Ljava/lang/String;"),
    ("indexed", "I"),
    ("held", "Ljava/lang/String;"),
    ("outside", "Ljava/lang/String;"),
    ("refused", "Ljava/lang/String;"),
    ("made", "[I"),
    ("mean", "F"),
    ("shared", "I"),
    ("dense", "I"),
    ("sparse", "I"),
    ("loop", "I"),
    ("shifts", "I"),
    ("mixed", "J"),
    ("compare", "I"),
    ("logic", "Z"),
    ("objects", "I"),
    ("statics", "I"),
    ("text", "Ljava/lang/String;"),
    ("textLength", "I"),
    ("message", "Ljava/lang/String;"),
    ("messageLength", "I"),
    ("builder", "Ljava/lang/String;"),
    ("builderRead", "Ljava/lang/String;"),
    ("chars", "Ljava/lang/String;"),
    ("parse", "I"),
    ("textEquals", "Z"),
    ("latinEquals", "Z"),
    ("digit", "C"),
    ("custom", "I"),
    ("asserts", "I"),
    ("doubles", "I"),
];

#[test]
fn symbolic_paths_end_as_concrete_runs() {
    let mut program = Program::new("Sym", SOURCE);
    for (method, result) in METHODS {
        let descriptor = format!("(II){result}");
        for a in -3..8 {
            for b in -2..6 {
                let concrete = program.concrete(method, &descriptor, &[Value::Int(a), Value::Int(b)]);
                let inputs = [("a", i64::from(a)), ("b", i64::from(b))];
                let (outcome, assignment) = program.along(method, &descriptor, &inputs);
                let expected = show(&program, &concrete, &assignment);
                assert!(!expected.starts_with("Unsupported"), "{method}({a}, {b}): {expected}");
                assert_eq!(show(&program, &outcome, &assignment), expected, "{method}({a}, {b})");
            }
        }
    }
}

#[test]
fn short_arrays_are_selected_from_without_a_fork() {
    let mut program = Program::new("Sym", SOURCE);
    let traces = |program: &mut Program, method: &str, descriptor: &str| {
        let mut traces = BTreeSet::new();
        for a in -1..7 {
            traces.insert(program.along(method, descriptor, &[("a", a), ("b", 0)]).0.trace);
        }
        traces.len()
    };
    // Inside, too small, too large: three paths. A reference array has one for each index inside.
    assert_eq!(traces(&mut program, "element", "(II)I"), 3);
    assert_eq!(traces(&mut program, "name", "(II)Ljava/lang/String;"), 5);
    // An array of symbolic length: negative or not; the first element and the third one there or not.
    assert_eq!(traces(&mut program, "lengths", "(II)I"), 2);
    assert_eq!(traces(&mut program, "places", "(II)J"), 4);
    // A message with a symbolic number in it is not a branch until it is read.
    assert_eq!(traces(&mut program, "text", "(II)Ljava/lang/String;"), 1);
    assert_eq!(traces(&mut program, "builder", "(II)Ljava/lang/String;"), 1);
    assert_eq!(traces(&mut program, "message", "(II)Ljava/lang/String;"), 3);
    // Each case of a switch is an arm, two with one target too.
    assert_eq!(traces(&mut program, "dense", "(II)I"), 5);
}

#[test]
fn arrays_and_strings_as_parameters() {
    let mut program = Program::new(
        "Params",
        "class Params { \
           static int sum(int[] values) { int sum = 0; for (int v : values) sum += v; return sum; }
           static boolean vowel(String s) { return s.length() > 1 && s.charAt(1) == 'o'; } }",
    );
    let mut check = |method: &str, descriptor: &str, inputs: &[(&str, i64)], expected: &str| {
        let (outcome, assignment) = program.along(method, descriptor, inputs);
        assert_eq!(show(&program, &outcome, &assignment), expected, "{method} {inputs:?}");
        // Longer arrays are on no path where one is looked at; the other method asks for one character.
        let is_looked_at = method == "sum" && inputs[0].1 >= 0;
        let bounds: &[InputBound] = if is_looked_at { &[InputBound::Length] } else { &[] };
        assert_eq!(outcome.narrowed.iter().collect::<Vec<_>>(), bounds);
    };
    let null = "java/lang/NullPointerException: Some(\"Cannot read the array length because \\\"<local2>\\\" \
                is null\")";
    check("sum", "([I)I", &[("values.length", -1)], null);
    check("sum", "([I)I", &[("values.length", 0)], "0");
    check(
        "sum",
        "([I)I",
        &[("values.length", 3), ("values[0]", 4), ("values[1]", 5), ("values[2]", -1)],
        "8",
    );
    check("vowel", "(Ljava/lang/String;)Z", &[("s.length", 2), ("s[1]", 111)], "1");
    check("vowel", "(Ljava/lang/String;)Z", &[("s.length", 2), ("s[1]", 112)], "0");
    check("vowel", "(Ljava/lang/String;)Z", &[("s.length", 1), ("s[0]", 111)], "0");
}

#[test]
fn boxes_and_enums_as_parameters() {
    let mut program = Program::new(
        "Boxes",
        "class Boxes { enum Color { RED, GREEN { int n() { return 7; } }; int n() { return 3; } }
           static int box(Integer x) { return x == 100 ? 1 : x.equals(5) ? 2 : 3; }
           static int same(Integer x, Integer y) { return x == y ? 1 : 2; }
           static int truth(Boolean b) { return b == Boolean.TRUE ? 1 : b ? 2 : 3; }
           static int color(Color c) { switch (c) { case RED: return 10 + c.n(); default: return c.n(); } }
           static int other(Object o) { return o == null ? 1 : 2; } }",
    );
    // Objects are null: what calls make is chosen freely.
    program.jvm.options.nesting = 0;
    let mut check = |method: &str, descriptor: &str, inputs: &[(&str, i64)], expected: &str| {
        let (outcome, assignment) = program.along(method, descriptor, inputs);
        let found = show(&program, &outcome, &assignment);
        assert!(found.starts_with(expected), "{method} {inputs:?}: {found}");
        !outcome.narrowed.is_empty()
    };
    check("box", "(Ljava/lang/Integer;)I", &[("x", 100)], "1");
    check("box", "(Ljava/lang/Integer;)I", &[("x", 5)], "2");
    check("box", "(Ljava/lang/Integer;)I", &[("x", -5)], "3");
    check("box", "(Ljava/lang/Integer;)I", &[("x.isNull", 1)], "java/lang/NullPointerException");
    let two = "(Ljava/lang/Integer;Ljava/lang/Integer;)I";
    check("same", two, &[("x", 9), ("y", 9)], "1");
    check("same", two, &[("x", 9), ("y", 8)], "2");
    // Large values are boxed apart.
    check("same", two, &[("x", 999), ("y", 999)], "2");
    check("same", two, &[("x.isNull", 1), ("y.isNull", 1)], "1");
    check("truth", "(Ljava/lang/Boolean;)I", &[("b", 1)], "1");
    check("truth", "(Ljava/lang/Boolean;)I", &[("b", 0)], "3");
    check("truth", "(Ljava/lang/Boolean;)I", &[("b.isNull", 1)], "java/lang/NullPointerException");
    check("color", "(LBoxes$Color;)I", &[("c.ordinal", 0)], "13");
    check("color", "(LBoxes$Color;)I", &[("c.ordinal", 1)], "7");
    assert!(!check("color", "(LBoxes$Color;)I", &[("c.ordinal", -1)], "java/lang/NullPointerException"));
    // An outcome that is not explored in full reports its bound.
    assert!(check("other", "(Ljava/lang/Object;)I", &[], "1"));
}
