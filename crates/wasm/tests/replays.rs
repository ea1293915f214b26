//! Every path as a test on the engine: the same end, the same output, the same decisions in the same order.
//!
//! The engine has no red zones. Where the machine stops at a finding that it alone sees, the decisions up to
//! there have to be the first ones of the engine's run.

use crate::common::bits;
use crate::programs::{OBJECTS, PathFound, Program, compile, compile_file};
use evergreen_engine::{Arms, End, Failure, Limits, Native, Natives, Probed, Ran, Test};
use evergreen_symbolic::{Assignment, Exprs, InputKind};
use evergreen_testing::tools::repository;
use evergreen_wasm::{
    FailureKind, File, Options, OutByte, Outcome, Slot, Text, Trap, WasmMachine, World, text,
};
use std::collections::BTreeMap;

/// What the machine does itself has no decisions on the engine either.
pub(crate) fn natives(machine: &WasmMachine) -> Natives {
    let mut all = Natives::default();
    let imports = machine.module().imports.len();
    for (function, native) in (0..).zip(machine.natives()).skip(imports) {
        match native {
            Some(native) if native.kind.is_replaced() => {
                all.replaced.push((function, Native::of(&native.name).expect("a native of the engine")));
            }
            Some(_) => all.pure.push(function),
            None => {}
        }
    }
    all
}

/// What a program is given.
#[derive(Clone, Debug, Default)]
struct Given {
    /// Symbolic arguments: how many bytes each has.
    args: Vec<usize>,
    stdin: usize,
    files: Vec<(&'static str, usize)>,
    env: Vec<(&'static str, usize)>,
}

fn octets(exprs: &mut Exprs, name: &str, count: usize) -> Vec<OutByte> {
    (0..count)
        .map(|i| OutByte::Symbolic(exprs.input(&format!("{name}[{i}]"), InputKind::Octet, None)))
        .collect()
}

fn file(exprs: &mut Exprs, name: &str, most: usize) -> File {
    let mut file = File::new(name, octets(exprs, name, most));
    file.length = Some(exprs.input(&format!("{name}.length"), InputKind::Octet, Some((0, most as i64))));
    file
}

fn world(exprs: &mut Exprs, given: &Given) -> World {
    let mut args: Vec<Text> = vec![text(b"prog")];
    args.extend(
        given.args.iter().enumerate().map(|(n, size)| octets(exprs, &format!("arg{n}"), *size).into()),
    );
    let stdin = file(exprs, "stdin", given.stdin);
    let files = given.files.iter().map(|(name, size)| Some(file(exprs, name, *size))).collect();
    let mut env: Vec<Text> = Vec::new();
    for (name, size) in &given.env {
        let value = octets(exprs, name, *size);
        env.push(text(format!("{name}=").as_bytes()).iter().copied().chain(value).collect());
    }
    let mut world = World::default();
    (world.args, world.stdin, world.files, world.env) = (args, stdin, files, env);
    world
}

pub(crate) fn known(exprs: &Exprs, bytes: &[OutByte], model: &Assignment) -> Vec<u8> {
    let byte = |byte: &OutByte| match byte {
        OutByte::Number(n) => *n,
        OutByte::Symbolic(e) => bits(exprs, Slot::Symbolic(*e), model) as u8,
    };
    bytes.iter().map(byte).collect()
}

fn contents(exprs: &Exprs, file: &File, model: &Assignment) -> Vec<u8> {
    let mut bytes = known(exprs, &file.bytes, model);
    if let Some(length) = file.length {
        bytes.truncate(bits(exprs, Slot::Symbolic(length), model) as usize);
    }
    bytes
}

/// The test of a path.
fn test(machine: &WasmMachine, world: &World, path: &PathFound) -> Test {
    let (exprs, model) = (&machine.exprs().borrow(), &path.model);
    let mut test = Test { heap_start: Some(machine.heap_start()), ..Test::default() };
    test.world.args = world.args.iter().map(|text| known(exprs, text, model)).collect();
    test.world.stdin = contents(exprs, &world.stdin, model);
    for variable in &world.env {
        let bytes = known(exprs, variable, model);
        let at = bytes.iter().position(|b| *b == b'=').unwrap();
        test.world.env.push((bytes[..at].to_vec(), bytes[at + 1..].to_vec()));
    }
    for file in world.files.iter().flatten() {
        test.world.files.push((file.path.to_string(), contents(exprs, file, model)));
    }
    for draw in path.ended.draws.iter() {
        let mut bytes = vec![0; draw.size as usize];
        for (offset, width, e) in &draw.parts {
            let value = bits(exprs, Slot::Symbolic(*e), model).to_le_bytes();
            bytes[*offset as usize..][..usize::from(*width)].copy_from_slice(&value[..usize::from(*width)]);
        }
        test.draws.push((draw.name.to_string(), bytes));
    }
    test.trace = if is_ours_alone(&path.ended.how) { path.ended.arms.count as u32 } else { 0 };
    test
}

/// Findings that an engine goes on after.
pub(crate) fn is_ours_alone(outcome: &Outcome) -> bool {
    use FailureKind::{
        GlobalOverflow, HeapOverflow, Leak, NullDereference, StackOverflow, UseAfterFree, WildAccess,
    };
    let Outcome::Failed(failure) = outcome else { return false };
    let kind = failure.kind;
    matches!(
        kind,
        HeapOverflow | StackOverflow | GlobalOverflow | UseAfterFree | NullDereference | Leak | WildAccess
    )
}

pub(crate) fn is_same(exprs: &Exprs, path: &PathFound, end: &End) -> bool {
    let value = |slot: &Slot| bits(exprs, *slot, &path.model);
    match (&path.ended.how, end) {
        (Outcome::Returned(values), End::Returned(theirs)) => {
            values.iter().map(value).eq(theirs.iter().map(|value| value.bits()))
        }
        (Outcome::Exited(status), End::Exited(theirs)) => value(status) as i32 == *theirs,
        (Outcome::Assumed, End::Rejected | End::Silent(_)) => true,
        (Outcome::Failed(ours), End::Trapped(theirs)) => {
            matches!(ours.kind, FailureKind::Trap(trap) if crate::numeric::trap_kind(trap) == *theirs)
        }
        (Outcome::Failed(ours), End::Failed(theirs)) => matches!(
            (ours.kind, theirs),
            (FailureKind::Assertion, Failure::Assert { .. })
                | (FailureKind::Abort, Failure::Abort | Failure::ReachError | Failure::Report { .. })
                | (FailureKind::DoubleFree, Failure::DoubleFree(_))
                | (FailureKind::InvalidFree, Failure::InvalidFree(_))
                | (FailureKind::Undefined, Failure::Sanitizer(_))
        ),
        _ => false,
    }
}

/// The digest of the first decisions.
pub(crate) fn first(ran: &Ran) -> Arms {
    let mut arms = Arms::default();
    ran.trace.iter().for_each(|(site, arm)| arms.take(*site, *arm));
    arms
}

/// Explores a program and replays each path; returns how many there are by end.
fn replay(what: &str, module: &[u8], given: &Given, options: Options) -> BTreeMap<&'static str, usize> {
    let mut program = Program::new(module, options);
    let world = world(&mut program.machine.exprs().borrow_mut(), given);
    let paths = program.paths("_start", world.clone());
    let probed = Probed::plant(module, &natives(&program.machine)).unwrap_or_else(|e| panic!("{what}: {e}"));
    let mut counts = BTreeMap::new();
    for path in &paths {
        let test = test(&program.machine, &world, path);
        let ran = probed.run(&test, &Limits::default()).unwrap_or_else(|e| panic!("{what}: {e}"));
        let exprs = program.machine.exprs().borrow();
        let (ours, how) = (path.ended.arms, &path.ended.how);
        let name = match how {
            Outcome::Returned(_) => "returned",
            Outcome::Exited(_) => "exited",
            Outcome::Assumed => "assumed",
            Outcome::Failed(failure) => failure.kind.name(),
            Outcome::Unsupported { .. } => "unsupported",
            other => panic!("{what}: {other:?}"),
        };
        *counts.entry(name).or_default() += 1;
        if name == "unsupported" {
            continue;
        }
        if let Outcome::Failed(failure) = how
            && failure.kind == FailureKind::Trap(Trap::StackOverflow)
        {
            continue;
        }
        let shown =
            || format!("{what}: {how:?}\n{test:?}\n{:?}, {:?} decisions against {ours:?}", ran.end, ran.arms);
        if is_ours_alone(how) {
            let first = first(&ran);
            assert_eq!((first.digest, first.count), (ours.digest, ours.count), "{}", shown());
            continue;
        }
        assert!(is_same(&exprs, path, &ran.end), "{}", shown());
        assert_eq!((ran.arms.digest, ran.arms.count), (ours.digest, ours.count), "{}", shown());
        assert_eq!(ran.stdout, known(&exprs, &path.ended.world.stdout(), &path.model), "{}", shown());
        assert_eq!(ran.stderr, known(&exprs, &path.ended.world.stderr(), &path.model), "{}", shown());
        assert_eq!(ran.draws, test.draws.len(), "{}", shown());
    }
    counts
}

/// The arms that tests of all paths take on the engine are those that the machine has noted, and no others.
#[test]
fn covered_arms_are_those_that_tests_take() {
    for (name, size) in [("json", 3), ("calc", 3), ("machine", 3), ("semver", 2), ("bst", 4)] {
        let file = repository().join(format!("subjects/c/{name}/v1/{name}.c"));
        let module = compile_file(&file, &[], OBJECTS, &[&format!("-DN={size}")]);
        let mut program = Program::new(&module, Options::default());
        let world = world(&mut program.machine.exprs().borrow_mut(), &Given::default());
        let paths = program.paths("_start", world.clone());
        let probed = Probed::plant(&module, &natives(&program.machine)).unwrap();
        let mut taken = std::collections::BTreeSet::new();
        for path in &paths {
            let test = Test { trace: path.ended.arms.count as u32, ..test(&program.machine, &world, path) };
            taken.extend(probed.run(&test, &Limits::default()).unwrap().trace);
        }
        let (flags, mut noted) = (program.machine.taken_flags(), std::collections::BTreeSet::new());
        let branches = program.machine.module().code.branches();
        for branch in &branches {
            let arms = (0..).zip(&flags[branch.first..branch.first + branch.arms.len()]);
            noted.extend(arms.filter(|(_, taken)| **taken).map(|(arm, _)| (branch.site, arm)));
        }
        assert_eq!(noted, taken, "{name}");
        let all: usize = branches.iter().map(|branch| branch.arms.len()).sum();
        assert!(noted.len() > 20 && noted.len() <= all, "{name}: {} of {all}", noted.len());
        assert_eq!(flags.len(), all, "{name}");
    }
}

/// Subjects with a size, and the paths that the first version then has.
pub(crate) const SUBJECTS: [(&str, u32, usize); 18] = [
    ("args", 3, 121),
    ("bst", 4, 75),
    ("calc", 3, 78),
    ("chunked", 3, 94),
    ("crc8", 4, 11),
    ("hashtable", 2, 6),
    ("http", 3, 67),
    ("ini", 3, 359),
    ("json", 3, 114),
    ("machine", 3, 169),
    ("numbers", 2, 25),
    ("radix", 2, 33),
    ("regex", 3, 175),
    ("search", 8, 24),
    ("semver", 2, 23),
    ("sort", 4, 24),
    ("tokenizer", 3, 159),
    ("url", 4, 115),
];

fn replay_subject(name: &str, version: &str, size: u32, models: bool) -> usize {
    let file = repository().join(format!("subjects/c/{name}/{version}/{name}.c"));
    let module = compile_file(&file, &[], OBJECTS, &[&format!("-DN={size}")]);
    let what = format!("{name} {version}, N={size}, models {models}");
    let counts = replay(&what, &module, &Given::default(), Options { models, ..Options::default() });
    println!("{what}: {counts:?}");
    assert!(!counts.contains_key("unsupported"), "{what}: {counts:?}");
    counts.values().sum()
}

pub(crate) fn versions(name: &str) -> Vec<String> {
    let folder = repository().join(format!("subjects/c/{name}"));
    let mut all: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    all.sort();
    all
}

#[test]
fn subjects() {
    let found = SUBJECTS.map(|(name, size, _)| (name, size, replay_subject(name, "v0", size, true)));
    assert_eq!(found, SUBJECTS);
}

/// All versions, with and without models.
#[test]
#[ignore = "takes a minute"]
fn all_versions() {
    let mut paths = 0;
    for (name, size, _) in SUBJECTS {
        for version in versions(name) {
            paths += replay_subject(name, &version, size, true) + replay_subject(name, &version, size, false);
        }
    }
    println!("{paths} paths");
}

/// A file, the environment, arguments, standard input; output to a file and to standard error.
const WORLD: &str = r#"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char *home = getenv("MODE"), line[8];
    FILE *in = fopen("/data", "r"), *out;
    struct stat status;
    if (!in) return 2;
    if (fgets(line, sizeof line, in) == NULL) printf("empty\n");
    else if (line[0] == 'x') printf("x %d\n", (int)strlen(line));
    fclose(in);
    if (stat("/data", &status) == 0 && status.st_size > 2) fprintf(stderr, "long\n");
    if (home && home[0] == 'q') return 3;
    if (argc > 1 && argv[1][0] == '-') { int c = getchar(); printf("%d\n", c == EOF ? -1 : c == 'y'); }
    if (fopen(argc > 1 ? argv[1] : "none", "r")) printf("there\n");
    else printf("%s\n", strerror(errno));
    out = fopen("/made", "w");
    fprintf(out, "%s", line);
    fclose(out);
    DIR *root = opendir("/");
    for (struct dirent *entry; (entry = readdir(root));) printf("%s ", entry->d_name);
    closedir(root);
    printf("%ld %d\n", (long)time(NULL), unlink("/data"));
    return rename("/made", "/again") == 0 ? 0 : 4;
}
"#;

#[test]
fn a_program_that_looks_around() {
    let module = compile(WORLD, &[], OBJECTS);
    let given = Given { args: vec![1], stdin: 1, files: vec![("data", 3)], env: vec![("MODE", 1)] };
    let counts = replay("world", &module, &given, Options::default());
    assert_eq!(counts, BTreeMap::from([("exited", 260)]));
}

/// A path of three bytes from an argument, with any slashes; then folders of that name.
const NAMES: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
int main(int argc, char **argv) {
    struct stat status;
    (void)argc;
    if (stat(argv[1], &status) != 0) printf("error %d\n", errno);
    else printf("%s %d\n", S_ISDIR(status.st_mode) ? "folder" : "file", (int)status.st_size);
    return 0;
}
"#;

#[test]
fn paths_with_inputs_may_have_slashes() {
    let module = compile(NAMES, &[], OBJECTS);
    let files = vec![("a/b", 1), ("a/cd", 1), ("e", 1)];
    let given = Given { args: vec![3], files, ..Given::default() };
    let counts = replay("names", &module, &given, Options::default());
    assert_eq!(counts.keys().collect::<Vec<_>>(), [&"exited"]);
}

/// A folder with a name from the inputs is not made under another one.
#[test]
fn folders_are_not_made_under_unknown_names() {
    let text = r#"
#include <sys/stat.h>
int main(int argc, char **argv) { return argc > 2 && (mkdir(argv[1], 0777) || mkdir(argv[2], 0777)); }
"#;
    let module = compile(text, &[], OBJECTS);
    let given = Given { args: vec![1, 1], files: vec![("a", 1)], ..Given::default() };
    let counts = replay("folders", &module, &given, Options::default());
    assert!(counts.get("unsupported").is_some_and(|count| *count > 0), "{counts:?}");
}

#[test]
fn utilities() {
    let given = |args: &[usize], stdin| Given { args: args.to_vec(), stdin, ..Given::default() };
    let all = [
        ("wc", given(&[], 2)),
        ("tr", given(&[1, 1], 2)),
        ("cut", given(&[1], 2)),
        ("expr", given(&[1, 1, 1], 0)),
    ];
    for (name, given) in all {
        for version in versions(name) {
            let file = repository().join(format!("subjects/c/{name}/{version}/{name}.c"));
            let module = compile_file(&file, &[], OBJECTS, &[]);
            let counts = replay(&format!("{name} {version}"), &module, &given, Options::default());
            assert!(!counts.contains_key("unsupported"), "{name} {version}: {counts:?}");
            println!("{name} {version}: {counts:?}");
        }
    }
}
