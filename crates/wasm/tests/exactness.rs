//! Every input lies on exactly one explored path, and a real engine takes the branches of that path.
//!
//! Replays run the tests that an exploration made; they cannot see a path that is missing. Here inputs come
//! from elsewhere: all of them where they are few, otherwise values of tests changed at random. Programs are
//! the subjects, and generated ones that read and write arrays, pointers and overlapping words at unknown
//! indices.

use crate::common::{Random, bits};
use crate::programs::{OBJECTS, PathFound, Program, compile, compile_file};
use crate::replays::{SUBJECTS, first, is_ours_alone, is_same, known, natives, versions};
use evergreen_engine::{Limits, Probed, Test};
use evergreen_symbolic::{Assignment, Const, Exprs, InputKind};
use evergreen_testing::tools::repository;
use evergreen_wasm::{Draw, FailureKind, Options, Outcome, Slot, Trap, World};
use std::fmt::Write;

/// The bytes of each draw.
type Drawn = Vec<(String, Vec<u8>)>;

fn value_of(kind: InputKind, raw: u64) -> Const {
    match kind {
        InputKind::Byte => Const::I32((raw as i8).into()),
        InputKind::Short => Const::I32((raw as i16).into()),
        InputKind::Boolean | InputKind::Octet | InputKind::Char | InputKind::Int => Const::I32(raw as i32),
        InputKind::Long => Const::I64(raw as i64),
        InputKind::Float => Const::F32(raw as u32),
        InputKind::Double => Const::F64(raw),
    }
}

/// Values of the inputs of a path's draws.
fn assigned(exprs: &Exprs, draws: &[Draw], drawn: &Drawn) -> Assignment {
    let mut values = Assignment::new();
    for draw in draws {
        let Some((_, bytes)) = drawn.iter().find(|(name, _)| **name == *draw.name) else { continue };
        for &(offset, width, e) in &draw.parts {
            let Some(input) = exprs.as_input(e) else { panic!("a part that is no input") };
            let mut word = [0; 8];
            let width = usize::from(width);
            word[..width].copy_from_slice(&bytes[offset as usize..][..width]);
            let raw = u64::from_le_bytes(word);
            values.set(exprs, input, value_of(exprs.input_of(input).kind, raw));
        }
    }
    values
}

/// The bytes that a path's test draws; what was not read is zero.
fn drawn_by(exprs: &Exprs, path: &PathFound) -> Drawn {
    let of = |draw: &Draw| {
        let mut bytes = vec![0; draw.size as usize];
        for (offset, width, e) in &draw.parts {
            let value = bits(exprs, Slot::Symbolic(*e), &path.model).to_le_bytes();
            bytes[*offset as usize..][..usize::from(*width)].copy_from_slice(&value[..usize::from(*width)]);
        }
        (draw.name.to_string(), bytes)
    };
    path.ended.draws.iter().map(of).collect()
}

/// All draws of all paths.
fn all_drawn(paths: &[PathFound]) -> Drawn {
    let mut all: Drawn = Vec::new();
    for draw in paths.iter().flat_map(|path| path.ended.draws.iter()) {
        if all.iter().all(|(name, _)| **name != *draw.name) {
            all.push((draw.name.to_string(), vec![0; draw.size as usize]));
        }
    }
    all
}

/// Inputs: some at random, most of them those of tests with a few bytes changed.
fn varied(random: &mut Random, exprs: &Exprs, paths: &[PathFound], count: usize) -> Vec<Drawn> {
    let plain = all_drawn(paths);
    let mut made = Vec::new();
    for number in 0..count {
        let mut drawn = plain.clone();
        let path = random.one_of(paths);
        if number % 8 != 0 {
            for (name, bytes) in drawn_by(exprs, path) {
                drawn.iter_mut().filter(|own| own.0 == name).for_each(|own| own.1.clone_from(&bytes));
            }
        }
        let changes = if number % 8 == 0 { 64 } else { 1 + random.below(3) };
        for _ in 0..changes {
            let at = random.below(drawn.len());
            let bytes = &mut drawn[at].1;
            if bytes.is_empty() {
                continue;
            }
            let (from, to) = (random.below(bytes.len()), random.below(bytes.len()));
            bytes[to] = match random.below(5) {
                0 => bytes[to].wrapping_add(1),
                1 => bytes[to].wrapping_sub(1),
                2 => bytes[from],
                3 => *random.one_of(b"\0 \t\n019azAZ_-+*/().,:;=[]{}\"\\\x7f\x80\xff"),
                _ => random.next() as u8,
            };
        }
        made.push(drawn);
    }
    made
}

/// All inputs whose first bytes are any, and the others zero.
fn all_of(paths: &[PathFound], bytes: usize) -> Vec<Drawn> {
    let plain = all_drawn(paths);
    let value = |number: usize| {
        let mut drawn = plain.clone();
        let places = drawn.iter_mut().flat_map(|(_, bytes)| bytes.iter_mut()).take(bytes);
        places.enumerate().for_each(|(i, byte)| *byte = (number >> (8 * i)) as u8);
        drawn
    };
    (0..1 << (8 * bytes)).map(value).collect()
}

/// Checks that each input is on one path, and that the engine goes there. Returns on how many of the paths.
fn check(what: &str, module: &[u8], program: &Program, paths: &[PathFound], inputs: &[Drawn]) -> usize {
    let exprs = program.machine.exprs().borrow();
    let probed = Probed::plant(module, &natives(&program.machine)).unwrap_or_else(|e| panic!("{what}: {e}"));
    let mut used = vec![false; paths.len()];
    for drawn in inputs {
        let mut fitting = Vec::new();
        let mut last: Option<(&[Draw], Assignment)> = None;
        for (number, path) in paths.iter().enumerate() {
            let draws = &path.ended.draws[..];
            // Paths that follow one another have the same draws, most of the time.
            if last.as_ref().is_none_or(|(known, _)| *known != draws) {
                last = Some((draws, assigned(&exprs, draws, drawn)));
            }
            let Some((_, under)) = &last else { continue };
            if path.conditions.iter().all(|cond| exprs.holds(*cond, under)) {
                fitting.push((number, under.clone()));
            }
        }
        let [(only, under)] = &fitting[..] else { panic!("{what}: {drawn:?} is on {} paths", fitting.len()) };
        used[*only] = true;
        engine_agrees(what, &probed, program, &paths[*only], (under, drawn), &exprs);
    }
    used.iter().filter(|used| **used).count()
}

fn engine_agrees(
    what: &str,
    probed: &Probed,
    program: &Program,
    path: &PathFound,
    (under, drawn): (&Assignment, &Drawn),
    exprs: &Exprs,
) {
    let how = &path.ended.how;
    if matches!(how, Outcome::Failed(f) if f.kind == FailureKind::Trap(Trap::StackOverflow)) {
        return;
    }
    let mut test = Test { heap_start: Some(program.machine.heap_start()), ..Test::default() };
    test.world.args = vec![b"prog".to_vec()];
    for draw in path.ended.draws.iter() {
        test.draws.extend(drawn.iter().filter(|(name, _)| **name == *draw.name).cloned());
    }
    test.trace = if is_ours_alone(how) { path.ended.arms.count as u32 } else { 0 };
    let ran = probed.run(&test, &Limits::default()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let ours = path.ended.arms;
    let shown = || format!("{what}: {drawn:?}\n{how:?}\n{:?}, {:?} against {ours:?}", ran.end, ran.arms);
    if is_ours_alone(how) {
        let first = first(&ran);
        assert_eq!((first.digest, first.count), (ours.digest, ours.count), "{}", shown());
        return;
    }
    let as_found = PathFound { conditions: Vec::new(), ended: path.ended.clone(), model: under.clone() };
    assert!(is_same(exprs, &as_found, &ran.end), "{}", shown());
    assert_eq!((ran.arms.digest, ran.arms.count), (ours.digest, ours.count), "{}", shown());
    assert_eq!(ran.stdout, known(exprs, &path.ended.world.stdout(), under), "{}", shown());
}

/// A world in which the program has a name, and nothing else.
fn named() -> World {
    let mut world = World::default();
    world.args = vec![evergreen_wasm::text(b"prog")];
    world
}

fn check_subject(name: &str, version: &str, (size, models): (u32, bool), count: usize) -> usize {
    let file = repository().join(format!("subjects/c/{name}/{version}/{name}.c"));
    let module = compile_file(&file, &[], OBJECTS, &[&format!("-DN={size}")]);
    let what = format!("{name} {version}, N={size}, models {models}");
    let mut program = Program::new(&module, Options { models, ..Options::default() });
    let paths = program.paths("_start", named());
    let inputs = varied(&mut Random(7), &program.machine.exprs().borrow(), &paths, count);
    let used = check(&what, &module, &program, &paths, &inputs);
    println!("{what}: {used} of {} paths by {count} inputs", paths.len());
    paths.len()
}

#[test]
fn inputs_of_subjects_are_on_one_path() {
    for (name, size, _) in SUBJECTS {
        let last = versions(name).pop().expect("a version");
        check_subject(name, &last, (size.min(3), true), 150);
    }
}

/// All versions, with and without models, and more inputs.
#[test]
#[ignore = "takes minutes"]
fn many_inputs_of_all_versions_are_on_one_path() {
    for (name, size, _) in SUBJECTS {
        for version in versions(name) {
            for models in [true, false] {
                check_subject(name, &version, (size.min(3), models), 3000);
            }
        }
    }
}

/// The expressions of two bytes, all of them.
#[test]
#[ignore = "takes minutes"]
fn all_inputs_of_two_bytes_are_on_one_path() {
    for name in ["regex", "json", "url", "tokenizer", "ini", "args", "calc", "chunked", "http", "numbers"] {
        for version in versions(name) {
            for models in [true, false] {
                let file = repository().join(format!("subjects/c/{name}/{version}/{name}.c"));
                let module = compile_file(&file, &[], OBJECTS, &["-DN=2"]);
                let mut program = Program::new(&module, Options { models, ..Options::default() });
                let paths = program.paths("_start", named());
                let inputs = all_of(&paths, 2);
                let used = check(&format!("{name} {version} {models}"), &module, &program, &paths, &inputs);
                println!("{name} {version}, models {models}: {used} of {} paths", paths.len());
            }
        }
    }
}

/// A store that may change too many elements is one arm for each address, found by halving: several decisions
/// of one instruction, which is executed again after each of them.
const HALVED: &str = r#"
#include <klee/klee.h>
static unsigned char big[400];
int main(void) {
    unsigned char in[2];
    klee_make_symbolic(in, sizeof in, "in");
    klee_assume(in[1] < 64);
    big[in[0] + in[1]] = 1;
    for (int i = 0; i < 400; i++) if (big[i]) return i & 127;
    return 127;
}
"#;

#[test]
fn an_instruction_that_is_executed_again_decides_alike() {
    let module = compile(HALVED, &[], OBJECTS);
    let mut program = Program::new(&module, Options::default());
    let paths = program.paths("_start", named());
    let inputs = varied(&mut Random(3), &program.machine.exprs().borrow(), &paths, 300);
    check("halved", &module, &program, &paths, &inputs);
    let returned = |path: &&PathFound| path.ended.how != Outcome::Assumed;
    assert_eq!(paths.iter().filter(returned).count(), 255 + 63 + 1);
}

/// What generated programs begin with. Every index is masked, so nothing is out of bounds.
const HEAD: &str = r#"
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; unsigned char bytes[4]; struct node *two[2]; };
static unsigned char in[6];
static int word;
static unsigned char buf[16];
static int ints[8];
static uint16_t shorts[8];
static struct node nodes[3], *list[4];
static unsigned char *texts[4];
static const uint16_t table[16] = {1, 2, 4, 8, 65535, 32768, 77, 5, 0, 9, 300, 41, 7, 1000, 12345, 2};
static const char *const names[4] = {"a", "bcd", "", "xyzzy"};
int main(void) {
    unsigned char small[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *heap = malloc(8), *other = malloc(4);
    unsigned acc = 1, t = 0;
    struct node *p = &nodes[0];
    unsigned char *q = small;
    if (!heap || !other) return 99;
    klee_make_symbolic(in, sizeof in, "in");
    klee_make_symbolic(&word, sizeof word, "word");
    memset(heap, 7, 8);
    memset(other, 9, 4);
    for (int i = 0; i < 3; i++) {
        nodes[i].value = i * 5 + 1;
        nodes[i].next = &nodes[(i + 1) % 3];
        nodes[i].two[0] = &nodes[i];
        nodes[i].two[1] = &nodes[(i + 2) % 3];
    }
    for (int i = 0; i < 4; i++) list[i] = &nodes[i % 3];
    texts[0] = small; texts[1] = heap; texts[2] = buf + 3; texts[3] = other;
"#;

struct Statements<'a> {
    random: &'a mut Random,
    text: String,
    branches: usize,
}

impl Statements<'_> {
    /// A value that may depend on inputs.
    fn value(&mut self) -> String {
        let i = self.random.below(6);
        match self.random.below(13) {
            0..=2 => format!("in[{i}]"),
            3 => "(unsigned)word".into(),
            4 => "acc".into(),
            5 => format!("(in[{i}] ^ in[{}])", self.random.below(6)),
            6 => format!("(unsigned)(in[{i}] * {})", 1 + self.random.below(9)),
            7 => format!("(in[{i}] >> {})", self.random.below(8)),
            8 => format!("table[in[{i}] & 15]"),
            9 => "(unsigned)p->value".into(),
            10 => format!("(in[{i}] % {}u)", 2 + self.random.below(9)),
            11 => "t".into(),
            _ => format!("{}u", self.random.below(20)),
        }
    }

    fn index(&mut self, mask: u32) -> String {
        let i = self.random.below(6);
        match self.random.below(6) {
            0 => format!("{}", self.random.below(mask as usize + 1)),
            1 => format!("((unsigned)word >> {} & {mask})", self.random.below(20)),
            2 => format!("((in[{i}] + {}) & {mask})", self.random.below(9)),
            3 => format!("(t & {mask})"),
            _ => format!("(in[{i}] & {mask})"),
        }
    }

    fn statement(&mut self) {
        let (v, i) = (self.value(), self.random.below(6));
        let (i3, i7, j7) = (self.index(3), self.index(7), self.index(7));
        let line = match self.random.below(26) {
            0 => format!("buf[{}] = (unsigned char){v};", self.index(15)),
            1 => format!("t = buf[{}];", self.index(15)),
            2 => format!("ints[{i7}] = (int){v};"),
            3 => format!("t ^= (unsigned)ints[{i7}];"),
            4 => format!("{{ uint32_t w = {v}; memcpy(buf + {i7}, &w, 4); }}"),
            5 => format!("{{ uint32_t w; memcpy(&w, buf + {i7}, 4); t += w; }}"),
            6 => format!("*(uint16_t *)(void *)(buf + 2 * {i3}) = (uint16_t){v};"),
            7 => format!("t += *(uint32_t *)(void *)(buf + 4 * {i3});"),
            8 => format!("p = list[{i3}];"),
            9 => format!("list[{i3}] = p->next;"),
            10 => format!("p->value = (int){v};"),
            11 => format!("p->bytes[{i3}] = (unsigned char){v};"),
            12 => format!("t += p->bytes[{i3}];"),
            13 => format!("q = texts[{i3}];"),
            14 => format!("q[{i3}] = (unsigned char){v};"),
            15 => format!("t = q[{i3}] + t * 3;"),
            16 => format!("p = p->two[in[{i}] & 1];"),
            17 => format!("texts[{i3}] = in[{i}] & 1 ? heap : buf + 8;"),
            18 => format!("memcpy(small, buf + {i3}, in[{i}] & 3);"),
            19 => format!("memset(small + 1, (int){v}, {});", self.random.below(6)),
            20 => format!("shorts[{i7}] = shorts[{j7}] + (uint16_t){v};"),
            21 => "{ unsigned char *more = realloc(heap, 12); if (!more) return 98; \
                   for (int k = 0; k < 4; k++) if (texts[k] == heap) texts[k] = more; \
                   if (q == heap) q = more; heap = more; heap[9] = 1; }"
                .into(),
            22 => format!("t += (unsigned char)names[{i3}][0];"),
            23 => format!("p->two[in[{i}] >> 7] = &nodes[{}];", self.random.below(3)),
            24 => format!("acc = acc * 31 + {v};"),
            _ => format!("t = {v} {} {v};", self.random.one_of(&["+", "-", "*", "|"])),
        };
        let _ = writeln!(self.text, "    {line}");
    }

    fn branch(&mut self) {
        let (a, b) = (self.value(), self.value());
        let relation = *self.random.one_of(&["<", ">", "==", "!=", "<="]);
        let _ = writeln!(self.text, "    if ({a} {relation} {b}) {{");
        self.statement();
        let _ = writeln!(self.text, "    }} else {{ acc += {}; }}", self.random.below(100));
        self.branches += 1;
    }
}

fn generated(random: &mut Random) -> String {
    let mut made = Statements { random, text: HEAD.to_string(), branches: 0 };
    for _ in 0..7 + made.random.below(6) {
        if made.branches < 3 && made.random.one_in(4) {
            made.branch();
        } else {
            made.statement();
        }
    }
    let last = made.index(7);
    let _ = write!(
        made.text,
        "    acc = acc * 7 + t + (unsigned)ints[{last}] + buf[5] + q[0];\n    \
         acc += (unsigned)p->value + shorts[2];\n    \
         if (buf[3] == 7) acc++;\n    if (ints[1] > 5) acc += 2;\n    if (small[2] < 3) acc += 4;\n    \
         return (int)(acc & 0x7f);\n}}\n"
    );
    made.text
}

/// Programs that write and read at unknown places; returns how many paths they have.
fn check_generated(seed: u64, programs: usize, count: usize) -> usize {
    let mut random = Random(seed);
    let mut all = 0;
    for number in 0..programs {
        let text = generated(&mut random);
        let module = compile(&text, &[], OBJECTS);
        let mut program = Program::new(&module, Options::default());
        let paths = program.paths("_start", named());
        for path in &paths {
            assert!(!matches!(path.ended.how, Outcome::Failed(_)), "{:?}\n{text}", path.ended.how);
        }
        let inputs = varied(&mut random, &program.machine.exprs().borrow(), &paths, count);
        check(&format!("program {number} of seed {seed}\n{text}"), &module, &program, &paths, &inputs);
        all += paths.len();
    }
    all
}

#[test]
fn inputs_of_generated_programs_are_on_one_path() {
    assert!(check_generated(1, 25, 60) > 100);
}

/// Some hundreds of programs.
#[test]
#[ignore = "takes minutes"]
fn inputs_of_many_generated_programs_are_on_one_path() {
    for seed in 100..120 {
        println!("seed {seed}: {} paths", check_generated(seed, 25, 200));
    }
}
