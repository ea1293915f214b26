//! Strings as inputs: for strings of every kind of character, the path that they take ends as the concrete
//! run does; and paths do not split where the program cannot see a difference.

use std::collections::BTreeSet;

use crate::common::{Program, show};
use evergreen_jvm::{Ending, InputBound, Value};

const SOURCE: &str = r#"
class Strings {
    static int length(String s) { return s.isEmpty() ? -1 : s.length(); }
    static boolean first(String s) { return s.length() > 0 && s.charAt(0) == '\u20ac'; }
    static char at(String s) { return s.charAt(1); }
    static int sum(String s) { int n = 0; for (char c : s.toCharArray()) n = n * 7 + c; return n; }
    static int hash(String s) { return s.hashCode() + ("x" + s).hashCode(); }
    static boolean equal(String s) { return s.equals("a\u20ac") || "\u00e9".equals(s) || s.equals(null) || s.equals((Object) 5) || !s.equals(s); }
    static int select(String s) { switch (s) { case "a": return 1; case "\u20ac": return 2; case "aa": return 3; default: return 4; } }
    static int collide(String s) { switch ("x" + s) { case "xAa": return 1; case "xBB": return 2; case "x7\u20ac": return 3; default: break; } switch (s.hashCode()) { case 2112: if (s.equals("Aa")) return 4; return 5; default: return 6; } }
    static int compare(String s) { return s.compareTo("a\u20ac") + 3 * "\u00e9".compareTo(s); }
    static int starts(String s) { return (s.startsWith("a") ? 1 : 0) + (s.endsWith("\u20ac") ? 2 : 0) + (s.startsWith("\u00e9", 1) ? 4 : 0) + ("a\u20ac".startsWith(s) ? 8 : 0); }
    static int indices(String s) { return s.indexOf('a') * 100 + s.indexOf(0x20ac) * 10 + s.indexOf(0x10000); }
    static int indexOfText(String s) { return s.indexOf("\u20ac") * 10 + s.lastIndexOf('a') + (s.contains("\u00e9") ? 100 : 0); }
    static String parts(String s) { return s.substring(1) + "|" + s.substring(0, 1) + "|" + s.substring(0); }
    static String beyond(String s) { return s.substring(1, 3); }
    static String built(String s) { return new StringBuilder("<").append(s).append('>').reverse().append(s.length()).toString(); }
    static String trimmed(String s) { return "[" + s.trim() + "]"; }
    static String replaced(String s) { return s.replace('a', '\u20ac') + s.replace('\u20ac', 'a'); }
    static String copied(String s) { return new String(s.toCharArray()) + new String(s).length() + String.valueOf(s.toCharArray(), 0, s.length() / 2); }
    static int codePoints(String s) { return s.codePointAt(0) + s.codePointCount(0, s.length()); }
    static int bytes(String s) { return s.getBytes(java.nio.charset.StandardCharsets.UTF_16LE).length; }
    static int parsed(String s) { return Integer.parseInt(s); }
    static int letters(String s) {
        int n = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            n = n * 64 + (Character.isLetter(c) ? 1 : 0) + (Character.isDigit(c) ? 2 : 0) + (Character.isWhitespace(c) ? 4 : 0)
                + (Character.isLetterOrDigit(c) ? 8 : 0) + (Character.isUpperCase(c) ? 16 : 0) + Character.digit(c, 16);
        }
        return n;
    }
    static int ignoring(String s) { return (s.equalsIgnoreCase("AI") ? 1 : 0) + ("\u00c9k".equalsIgnoreCase(s) ? 2 : 0) + (s.equalsIgnoreCase(null) ? 4 : 0) + (s.equalsIgnoreCase("\u00b5") ? 8 : 0); }
    static int searched(String s) { return (s.contains("\u20aca") ? 1 : 0) + (s.contains("") ? 2 : 0) + (("<" + s + "a>").contains("aa") ? 4 : 0) + 8 * s.indexOf("a\u20ac") + 64 * ("\u20aca" + s).lastIndexOf('a'); }
    static String lower(String s) { String l = s.toLowerCase(); return l + (l == s) + s.toLowerCase(java.util.Locale.ROOT).length(); }
    static String upper(String s) { String u = s.toUpperCase(java.util.Locale.UK); return u + (u == s); }
    static String turkish(String s) { return s.toLowerCase(new java.util.Locale("tr")) + s.toUpperCase(new java.util.Locale("tr")); }
    static String joined(String s) { String t = s.concat("\u00e9").concat(s), u = "".concat(s), v = s.concat(""); return t + (v == s) + (u == s) + t.equals(s + "\u00e9" + s) + u.equals(s) + (s + s).equals(s) + (s + "a").equals("a" + s); }
    static String swapped(String s) { String r = s.replace('a', '\u20ac'); return r + (r == s) + s.replace('a', 'a').length() + (s.replace('7', s.isEmpty() ? '7' : s.charAt(0)) == s); }
    static String cut(String s) { String t = s.trim(); return t + (t == s) + ("  " + s).trim().length(); }
    static String buffered(String s) { StringBuffer b = new StringBuffer(s); b.append('-').append(s).append(1).append("\u00e9"); String first = b.toString(); b.append(true); return first + "|" + b + b.length() + new StringBuilder(s).length(); }
    static int room(String s) { return new StringBuilder(s).capacity() + 100 * new StringBuffer(s).append('x').length(); }
    static String edited(String s) { StringBuilder b = new StringBuilder(s); b.insert(1, "xy").setCharAt(0, '\u20ac'); b.deleteCharAt(b.length() - 1).insert(0, b.charAt(1)); return b + "" + new StringBuffer(s).insert(2, 'c'); }
    static String tail(String s) { String t = s.substring(2); return t.substring(1) + t.equals("\u20ac") + t.isEmpty() + s.substring(0, 2).equals(s) + (s.substring(0, 2) == s) + s.substring(s.length() - 1); }
    static int behind(String s) { String t = "ab" + s + "c"; return (t.startsWith("aba") ? 1 : 0) + (t.startsWith("b", 1) ? 2 : 0) + t.length() + t.charAt(1) + t.substring(1, 2).length() + t.substring(1).length() + (t.isEmpty() ? 1000 : 0); }
    static char third(String s) { return ("a" + s).charAt(2); }
    static int cases(String s) { return s.isEmpty() ? 0 : Character.toUpperCase(s.charAt(0)) * 3 + Character.toLowerCase(s.charAt(0)) + Character.getType(s.charAt(0)); }
}
"#;

/// Methods with the type of their result; and how many paths these strings and null take, where the JDK's
/// own code has no part in it.
const METHODS: &[(&str, &str, Option<usize>)] = &[
    ("length", "I", Some(3)),
    ("first", "Z", Some(4)),
    ("sum", "I", Some(5)),
    ("hash", "I", Some(5)),
    ("letters", "I", None),
    ("at", "C", None),
    ("equal", "Z", Some(3)),
    ("select", "I", Some(5)),
    ("collide", "I", Some(9)),
    ("compare", "I", Some(10)),
    ("starts", "I", Some(11)),
    ("indices", "I", None),
    ("indexOfText", "I", None),
    ("parts", "Ljava/lang/String;", Some(4)),
    ("beyond", "Ljava/lang/String;", Some(5)),
    ("built", "Ljava/lang/String;", None),
    ("trimmed", "Ljava/lang/String;", None),
    ("replaced", "Ljava/lang/String;", None),
    ("copied", "Ljava/lang/String;", None),
    ("codePoints", "I", None),
    ("bytes", "I", None),
    ("parsed", "I", None),
    ("cases", "I", Some(3)),
    ("ignoring", "I", None),
    ("searched", "I", Some(12)),
    ("lower", "Ljava/lang/String;", None),
    ("upper", "Ljava/lang/String;", None),
    ("turkish", "Ljava/lang/String;", None),
    ("joined", "Ljava/lang/String;", Some(7)),
    ("swapped", "Ljava/lang/String;", Some(10)),
    ("cut", "Ljava/lang/String;", Some(10)),
    ("buffered", "Ljava/lang/String;", Some(2)),
    ("room", "I", None),
    ("edited", "Ljava/lang/String;", Some(6)),
    ("tail", "Ljava/lang/String;", Some(5)),
    ("behind", "I", Some(8)),
    ("third", "C", Some(5)),
];

/// An ASCII letter, a space, a sign, digits of two scripts, zero, the micro sign, capital letters within and
/// beyond Latin-1, a sign beyond it, both halves of a pair.
const UNITS: [u16; 12] = [0x61, 0x20, 0x2d, 0x37, 0x0663, 0, 0xb5, 0xc9, 0x130, 0x20ac, 0xd83d, 0xde00];

fn all_strings() -> Vec<Vec<u16>> {
    let mut all: Vec<Vec<u16>> = vec![Vec::new()];
    for one in UNITS {
        all.push(vec![one]);
        all.extend(UNITS.iter().map(|two| vec![one, *two]));
    }
    all.extend(
        [[0x61, 0x20ac, 0x61], [0x20, 0x61, 0x20], [0xd83d, 0xde00, 0x37], [0x2d, 0x37, 0x0663]]
            .map(Vec::from),
    );
    // Letters that are alike but for their case, some of them beyond Latin-1 only: the Kelvin sign,
    // Greek mu, i without a dot.
    all.extend(
        [
            &[0x41, 0x61][..],
            &[0x42, 0x42],
            &[0x43, 0x23],
            &[0x41, 0x69],
            &[0x61, 0x131],
            &[0xe9, 0x212a],
            &[0xe9, 0x4b],
            &[0x3bc],
            &[0x39c],
        ]
        .map(Vec::from),
    );
    // Longer than the bound.
    all.push(vec![0x61, 0x20ac, 0x61, 0x37]);
    all.push(vec![0x61; LONGEST + 6]);
    all
}

/// A sigma, which ends a word or does not. These strings count for no number of paths.
const SIGMAS: [&[u16]; 12] = [
    &[0x3a3],
    &[0x61, 0x3a3],
    &[0x3a3, 0x61],
    &[0x61, 0x3a3, 0x61],
    &[0x61, 0x3a3, 0x2d],
    &[0x61, 0x2d, 0x3a3],
    &[0x20, 0x3a3, 0x61],
    &[0x3a3, 0x3a3, 0x3a3],
    &[0x3a3, 0x130, 0x20],
    &[0x3a3, 0xd801, 0xdc00],
    &[0xd801, 0xdc00, 0x3a3],
    &[0xd83d, 0xde00, 0x3a3],
];

/// The default bound on the lengths of inputs.
const LONGEST: usize = 3;

#[test]
fn strings_of_every_character_end_as_concrete_runs() {
    let mut program = Program::new("Strings", SOURCE);
    let mut wrong = Vec::new();
    for (method, result, paths) in METHODS {
        let descriptor = format!("(Ljava/lang/String;){result}");
        let mut traces = BTreeSet::new();
        let (outcome, _) = program.along(method, &descriptor, &[("s.length", -1)]);
        traces.insert(outcome.trace);
        let sigmas = SIGMAS.iter().filter(|_| paths.is_none()).map(|units| units.to_vec());
        for units in all_strings().into_iter().chain(sigmas) {
            let text = program.jvm.new_string(&mut program.base, &units);
            let concrete = program.concrete(method, &descriptor, &[Value::Ref(text)]);
            let names: Vec<String> = (0..units.len()).map(|at| format!("s[{at}]")).collect();
            let mut inputs = vec![("s.length", units.len() as i64)];
            inputs.extend(names.iter().zip(&units).map(|(name, unit)| (&**name, i64::from(*unit))));
            let (outcome, assignment) = program.along(method, &descriptor, &inputs);
            let expected = show(&program, &concrete, &assignment);
            assert!(!expected.starts_with("Unsupported"), "{method} {units:x?}: {expected}");
            // A path that looked at the length of a longer string is left out, and says so.
            if units.len() > LONGEST && outcome.narrowed.has(InputBound::Length) {
                assert!(matches!(outcome.ending, Ending::Assumed), "{method} {units:x?}");
                continue;
            }
            assert_eq!(show(&program, &outcome, &assignment), expected, "{method} {units:x?}");
            assert!(!outcome.narrowed.has(InputBound::Length), "{method} {units:x?}");
            traces.insert(outcome.trace);
        }
        if paths.is_some_and(|paths| paths != traces.len()) {
            wrong.push(format!("{method} has {} paths, not {paths:?}", traces.len()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
