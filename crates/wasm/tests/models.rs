//! Models of the C library against its code: the same results on all inputs, and not more paths.

use crate::common::{Random, bits};
use crate::programs::{OBJECTS, PathFound, Program, compile};
use evergreen_symbolic::{Assignment, Const, Exprs};
use evergreen_wasm::{Options, Outcome, World};
use std::fmt::Write;

/// Values that a symbolic byte may have.
const FEW: [u8; 4] = [0, b'a', b'b', 0xe1];

/// One call: symbolic bytes are at random places of the two buffers.
struct Case {
    name: String,
    text: String,
    symbolic: usize,
}

/// The statements that fill a buffer: random letters, and `symbolic` draws among them.
fn filled(random: &mut Random, buffer: &str, size: usize, symbolic: &mut usize) -> String {
    let mut text = String::new();
    for at in 0..size {
        if *symbolic < 3 && random.one_in(3) {
            let _ = writeln!(text, "    {buffer}[{at}] = draw(\"s{symbolic}\");");
            *symbolic += 1;
        } else {
            let byte = *random.one_of(&[b'a', b'a', b'b', 0xe1]);
            let _ = writeln!(text, "    {buffer}[{at}] = (char){byte};");
        }
    }
    text
}

fn case(random: &mut Random, number: usize) -> Case {
    let name = format!("case{number}");
    let sizes = [1 + random.below(9), 1 + random.below(9)];
    let mut symbolic = 0;
    let mut text = format!("int {name}(void) {{\n    char a[{}], b[{}];\n", sizes[0] + 1, sizes[1] + 1);
    text += &filled(random, "a", sizes[0], &mut symbolic);
    text += &filled(random, "b", sizes[1], &mut symbolic);
    let _ = writeln!(text, "    a[{}] = b[{}] = 0;", sizes[0], sizes[1]);
    let least = sizes[0].min(sizes[1]) + 1;
    let n = random.below(least + 1);
    let byte = *random.one_of(&["'a'", "'b'", "0xe1", "0", "'a' + 256", "draw(\"s9\")"]);
    let (at, from) = (random.below(least), random.below(sizes[0] + 1));
    let rest = sizes[0] + 1 - at.max(from);
    let moved = random.below(rest + 1);
    text += &match number % 8 {
        0 => format!("    memcpy(a, b, {n});\n    return sum(a, sizeof a) + 7 * sum(b, sizeof b);\n"),
        1 => format!(
            "    char *r = memmove(a + {at}, a + {from}, {moved});\n    \
             return sum(a, sizeof a) + (int)(r - a);\n"
        ),
        2 => format!("    memset(a, {byte}, {n});\n    return sum(a, sizeof a);\n"),
        3 => format!("    return memcmp(a, b, {n});\n"),
        4 => {
            format!("    char *r = memchr(a, {byte}, {});\n    return r ? (int)(r - a) : -1;\n", sizes[0] + 1)
        }
        5 => "    return (int)strlen(a) + 10 * (int)strlen(b + 1);\n".to_string(),
        6 => "    return strcmp(a, b);\n".to_string(),
        _ => format!("    return strncmp(a, b, {});\n", random.below(12)),
    };
    text += "}\n";
    if byte.contains("draw") && matches!(number % 8, 2 | 4) {
        symbolic = symbolic.max(1);
    }
    Case { name, text, symbolic }
}

/// Bitwise `|`: a path for all values that a byte may have.
const HEAD: &str = r"
#include <evergreen.h>
#include <string.h>
static char draw(const char *name) {
    int byte = evergreen_range(0, 255, name);
    evergreen_assume((byte == 0) | (byte == 'a') | (byte == 'b') | (byte == 0xe1));
    return (char)byte;
}
static int sum(const char *bytes, int size) {
    int sum = 0;
    for (int i = 0; i < size; i++) sum = 31 * sum + bytes[i];
    return sum;
}
";

/// What the paths say of one assignment; `None` where an assumption does not hold.
fn result(exprs: &Exprs, paths: &[PathFound], under: &Assignment, name: &str) -> i32 {
    let holds = |path: &&PathFound| path.conditions.iter().all(|cond| exprs.holds(*cond, under));
    let fitting: Vec<&PathFound> = paths.iter().filter(holds).collect();
    let [only] = fitting[..] else { panic!("{name}: an input is on {} paths", fitting.len()) };
    match &only.ended.how {
        Outcome::Returned(values) => bits(exprs, values[0], under) as i32,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn models_do_what_the_code_does() {
    let mut random = Random(5);
    let cases: Vec<Case> = (0..400).map(|number| case(&mut random, number)).collect();
    let exports: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
    let text = cases.iter().fold(HEAD.to_string(), |text, case| text + &case.text);
    let module = compile(&text, &exports, OBJECTS);
    let mut both =
        [true, false].map(|models| Program::new(&module, Options { models, ..Options::default() }));
    let (mut with, mut without, mut compared) = (0, 0, 0);
    for case in &cases {
        let [a, b] = [0, 1].map(|at: usize| both[at].paths(&case.name, World::default()));
        assert!(a.len() <= b.len(), "{} > {} paths of\n{}", a.len(), b.len(), case.text);
        let returning =
            |paths: &[PathFound]| paths.iter().filter(|p| p.ended.how != Outcome::Assumed).count();
        (with, without) = (with + returning(&a), without + returning(&b));
        let exprs = [0, 1].map(|at: usize| both[at].machine.exprs().borrow());
        let names = ["s0", "s1", "s2", "s9"];
        for number in 0..FEW.len().pow(4) {
            let results = [(&exprs[0], &a), (&exprs[1], &b)].map(|(exprs, paths)| {
                let mut under = Assignment::new();
                for (at, name) in names.iter().enumerate() {
                    let value = FEW[number / FEW.len().pow(at as u32) % FEW.len()];
                    for input in exprs.named(name) {
                        under.set(exprs, *input, Const::I32(value.into()));
                    }
                }
                result(exprs, paths, &under, &case.name)
            });
            assert_eq!(results[0], results[1], "{number} in\n{}", case.text);
            compared += 1;
            if case.symbolic == 0 {
                break;
            }
        }
    }
    assert_eq!((with, without, compared), (614, 814, 97_300));
}
