//! Floats against brute force: over all inputs of small ranges the engine has as many different runs as the
//! exploration has paths, with a solver for floating point and without one.

use crate::programs::{OBJECTS, Program, compile};
use crate::replays::natives;
use evergreen_engine::{End, Limits, Probed, Test};
use evergreen_wasm::{Options, Outcome, Slot, World};
use std::collections::BTreeMap;

/// The declarations of the harness; ranges of `DRAW` are those of the test.
const HEAD: &str = "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\
                    int evergreen_range(int low, int high, const char *name);\n";

/// Runs by their branches: the status that each exits with, if all that go so have the same.
type Runs = BTreeMap<(u64, u64), Option<i32>>;

/// What the engine does for each of these draws.
fn brute_force(module: &[u8], program: &Program, draws: &[Vec<i32>]) -> Runs {
    let probed = Probed::plant(module, &natives(&program.machine)).unwrap();
    let mut runs = Runs::new();
    for values in draws {
        let draws = values.iter().map(|value| ("x".to_string(), value.to_le_bytes().to_vec())).collect();
        let heap_start = Some(program.machine.heap_start());
        let ran = probed.run(&Test { draws, heap_start, ..Test::default() }, &Limits::default()).unwrap();
        let status = match ran.end {
            End::Exited(status) => status,
            End::Returned(_) => 0,
            other => panic!("{values:?}: {other:?}"),
        };
        let kept = runs.entry((ran.arms.digest, ran.arms.count)).or_insert(Some(status));
        if *kept != Some(status) {
            *kept = None;
        }
    }
    runs
}

/// Explores a program and compares its paths with all runs. Draws are all numbers from `low` to `high`.
fn check(what: &str, body: &str, count: usize, (low, high): (i32, i32), solver: &'static str) -> usize {
    let names = ["a", "b", "c"];
    let drawn: String = names[..count]
        .iter()
        .map(|name| format!("int {name} = evergreen_range({low}, {high}, \"x\");\n"))
        .collect();
    let module = compile(&format!("{HEAD}int main(void) {{\n{drawn}{body}\n}}\n"), &[], OBJECTS);
    let mut program = Program::with_solver(&module, Options::default(), solver);
    let mut draws: Vec<Vec<i32>> = vec![Vec::new()];
    for _ in 0..count {
        draws = draws.iter().flat_map(|all| (low..=high).map(|n| [&all[..], &[n]].concat())).collect();
    }
    let expected = brute_force(&module, &program, &draws);
    let mut found = Runs::new();
    for path in program.paths("_start", World::default()) {
        let status = match path.ended.how {
            Outcome::Exited(Slot::Number(status)) => Some(status as i32),
            Outcome::Exited(Slot::Symbolic(_)) => None,
            Outcome::Returned(_) => Some(0),
            other => panic!("{what}: {other:?}"),
        };
        found.insert((path.ended.arms.digest, path.ended.arms.count), status);
    }
    let digests = |runs: &Runs| runs.keys().copied().collect::<Vec<_>>();
    assert_eq!(digests(&found), digests(&expected), "{what} with {solver}");
    for (run, status) in &found {
        assert!(status.is_none() || *status == expected[run], "{what} with {solver}: {status:?}");
    }
    found.len()
}

type Tried = (&'static str, &'static str, usize, (i32, i32), usize);

/// Programs, how many ints each draws, their range, and how many paths there are.
const PROGRAMS: [Tried; 6] = [
    (
        "quadratic",
        "double d = (double)b * b - 4.0 * a * c;
         if (a == 0) { if (b == 0) return 8; if (-(double)c / b > 0) return 1; return 2; }
         if (d < 0) return 3;
         if (d == 0) return 4;
         double x = (-b + sqrt(d)) / (2.0 * a), y = (-b - sqrt(d)) / (2.0 * a);
         if (x > y) return 5;
         return 6;",
        3,
        (-3, 3),
        7,
    ),
    (
        "rounding",
        "double d = a / 8.0;
         double r = nearbyint(d), t = trunc(d), f = floor(d), u = ceil(d);
         if (f == u) return 1;
         if (r == t) return t == f ? 2 : 3;
         if (copysign(1.0, d) < 0) return 4;
         if ((int)d != (int)t) return 5;
         return 6;",
        1,
        (-200, 200),
        4,
    ),
    (
        "singles",
        "float f = a / 7.0f, g = f * f;
         if (g == f) return 1;
         if (g - (float)(double)g != 0) return 2;
         if (sqrtf(g) != fabsf(f)) return 3;
         if ((float)(1.0 / 3.0 * a) == a / 3.0f) return 4;
         return 5;",
        1,
        (-100, 100),
        2,
    ),
    (
        "nan and infinity",
        "double d = (double)a / b;
         if (d != d) return 1;
         if (d == INFINITY) return 2;
         if (d == -INFINITY) return 3;
         if (d == 0 && copysign(1.0, d) < 0) return 4;
         if (fmin(d, 1.5) == 1.5 && fmax(d, 1.5) == d) return 5;
         return 0;",
        2,
        (-4, 4),
        7,
    ),
    (
        "conversions",
        "double d = a * 1e9;
         if (d < 0) return 1;
         uint32_t u = (uint32_t)(d < 4294967295.0 ? d : 0);
         uint64_t w = (uint64_t)(d * 4);
         float f = (float)w;
         if ((uint64_t)f != w) return 2;
         if (u == 0) return 3;
         return (int32_t)u < 0 ? 4 : 5;",
        1,
        (-2, 9),
        5,
    ),
    (
        "bits",
        "float f = (float)a / 16;
         uint32_t bits;
         memcpy(&bits, &f, 4);
         if (bits & 0x80000000u) return 1;
         if ((bits >> 23) == 127) return 2;
         if ((bits & 0x7fffff) == 0) return 3;
         return 4;",
        1,
        (-40, 40),
        4,
    ),
];

fn check_all(solver: &'static str) {
    let found = PROGRAMS.map(|(what, body, count, range, _)| (what, check(what, body, count, range, solver)));
    assert_eq!(found, PROGRAMS.map(|(what, .., paths)| (what, paths)), "{solver}");
}

#[test]
fn floats_of_small_ranges_with_a_solver() {
    check_all("bitwuzla");
}

#[test]
fn floats_of_small_ranges_without_a_solver() {
    check_all("none");
}

/// A drawn float is its bits: programs that look at those of a NaN have paths for them.
#[test]
fn nans_have_signs_and_payloads() {
    let text = "#include <stdint.h>\n#include <string.h>\ndouble evergreen_double(const char *name);\n\
                float evergreen_float(const char *name);\n\
                int main(void) {\n\
                    double d = evergreen_double(\"d\"); uint64_t b; memcpy(&b, &d, 8);\n\
                    if (d != d && b == 0x7ff8000000000001) return 1;\n\
                    if (d != d && b >> 63) return 2;\n\
                    if (d == 0 && b >> 63) return 3;\n\
                    float f = evergreen_float(\"f\"); uint32_t c; memcpy(&c, &f, 4);\n\
                    if (c == 0xffffffff) return f != f ? 4 : 5;\n\
                    return 0;\n\
                }\n";
    let module = compile(text, &[], OBJECTS);
    let mut program = Program::with_solver(&module, Options::default(), "bitwuzla");
    let mut all = Vec::new();
    for path in program.paths("_start", World::default()) {
        let exprs = program.machine.exprs().borrow();
        let bits = |number: usize| {
            let parts = path.ended.draws.get(number).map(|draw| draw.parts[0].2);
            parts.map_or(0, |e| crate::common::bits(&exprs, Slot::Symbolic(e), &path.model))
        };
        let status = match path.ended.how {
            Outcome::Exited(slot) => crate::common::bits(&exprs, slot, &path.model),
            _ => 0,
        };
        all.push((status, f64::from_bits(bits(0)), f32::from_bits(bits(1) as u32)));
    }
    let one = |status: u64| all.iter().find(|found| found.0 == status).unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!(one(1).1.to_bits(), 0x7ff8_0000_0000_0001);
    assert!(one(2).1.is_nan() && one(2).1.is_sign_negative());
    assert_eq!(one(3).1.to_bits(), 1 << 63);
    assert_eq!(one(4).2.to_bits(), u32::MAX);
    assert!(all.iter().all(|found| found.0 != 5), "{all:?}");
}
