//! Calls of WASI with random arguments, on the machine and on the engine: the same errors, the same memory,
//! the same output and files.
//!
//! A program is a sequence of calls with constants. After each it folds the error number and all memory that
//! calls write to into a digest, which it returns. A difference is shrunk to the first call that makes it.

use crate::common::{Random, finish, machine, plain};
use evergreen_engine::{End, Entry, Limits, Natives, Probed, Test, Val};
use evergreen_wasm::{File, OutByte, Outcome, Slot, World, text};
use std::fmt::Write;

/// Calls with the roles of their arguments: f descriptor, o address, P path (two arguments), v buffers (two),
/// n number, N wide number, w whence, O flags of opening, R rights, F flags of descriptors, c clock, s
/// subscriptions (in, out, count).
const CALLS: [(&str, &str); 45] = [
    ("args_get", "oo"),
    ("args_sizes_get", "oo"),
    ("clock_res_get", "co"),
    ("clock_time_get", "cNo"),
    ("environ_get", "oo"),
    ("environ_sizes_get", "oo"),
    ("fd_advise", "fNNn"),
    ("fd_allocate", "fNN"),
    ("fd_close", "f"),
    ("fd_datasync", "f"),
    ("fd_fdstat_get", "fo"),
    ("fd_fdstat_set_flags", "fF"),
    ("fd_fdstat_set_rights", "fRR"),
    ("fd_filestat_get", "fo"),
    ("fd_filestat_set_size", "fN"),
    ("fd_filestat_set_times", "fNNn"),
    ("fd_pread", "fvNo"),
    ("fd_prestat_dir_name", "fon"),
    ("fd_prestat_get", "fo"),
    ("fd_pwrite", "fvNo"),
    ("fd_read", "fvo"),
    ("fd_readdir", "fonNo"),
    ("fd_renumber", "ff"),
    ("fd_seek", "fNwo"),
    ("fd_sync", "f"),
    ("fd_tell", "fo"),
    ("fd_write", "fvo"),
    ("path_create_directory", "fP"),
    ("path_filestat_get", "fnPo"),
    ("path_filestat_set_times", "fnPNNn"),
    ("path_link", "fnPfP"),
    ("path_open", "fnPORRFo"),
    ("path_readlink", "fPono"),
    ("path_remove_directory", "fP"),
    ("path_rename", "fPfP"),
    ("path_symlink", "PfP"),
    ("path_unlink_file", "fP"),
    ("poll_oneoff", "so"),
    ("proc_raise", "n"),
    ("random_get", "on"),
    ("sched_yield", ""),
    ("sock_accept", "fFo"),
    ("sock_recv", "fvnoo"),
    ("sock_send", "fvno"),
    ("sock_shutdown", "fn"),
];

const PATHS: [&[u8]; 22] = [
    b"A",
    b"dir",
    b"dir/B",
    b"dir/sub",
    b"dir/sub/C",
    b"empty",
    b"new",
    b"dir/new",
    b"new/x",
    b"A/x",
    b"A/",
    b"dir/",
    b"",
    b".",
    b"..",
    b"/",
    b"/A",
    b"dir/../A",
    b"./dir/./B",
    b"dir/../..",
    b"\xff\xfe",
    b"missing/x",
];
/// Where buffers, paths and subscriptions begin; results are below.
const VECTORS: usize = 1024;
const NAMES: usize = 1280;
const POLLS: usize = 1536;
const END: usize = 4096;

fn memory(random: &mut Random) -> Vec<u8> {
    let mut bytes = vec![0; END];
    let put = |bytes: &mut Vec<u8>, at: usize, value: u64, size: usize| {
        bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    };
    for (at, byte) in bytes[2048..].iter_mut().enumerate() {
        *byte = b'a' + (at % 23) as u8;
    }
    for vector in 0..16 {
        let start = if random.one_in(12) { 65_530 } else { 2048 + random.below(1800) };
        put(&mut bytes, VECTORS + 8 * vector, start as u64, 4);
        put(&mut bytes, VECTORS + 8 * vector + 4, random.below(9) as u64, 4);
    }
    let mut at = NAMES;
    for path in PATHS {
        bytes[at..at + path.len()].copy_from_slice(path);
        at += path.len();
    }
    for poll in 0..5 {
        let at = POLLS + 48 * poll;
        put(&mut bytes, at, random.next(), 8);
        put(&mut bytes, at + 8, random.below(7).saturating_sub(3) as u64, 1);
        put(&mut bytes, at + 16, random.below(7) as u64, 4);
        put(
            &mut bytes,
            at + 24,
            random.below(1000) as u64 + random.below(2) as u64 * 1_577_836_800_000_000_000,
            8,
        );
        put(&mut bytes, at + 40, random.below(2) as u64, 2);
    }
    bytes
}

/// The constants of one argument's role.
fn arguments(random: &mut Random, role: char) -> Vec<String> {
    let short = |n: u64| format!("(i32.const {n})");
    let wide = |n: i64| format!("(i64.const {n})");
    match role {
        'f' => vec![short(if random.one_in(9) { random.next() % 1100 } else { random.next() % 8 })],
        'o' if random.one_in(15) => vec![short(*random.one_of(&[65_530, 65_536, 4_294_967_295]))],
        'o' => vec![short(8 * (random.next() % 100))],
        'P' => {
            let number = random.below(PATHS.len());
            let at = NAMES + PATHS[..number].iter().map(|path| path.len()).sum::<usize>();
            let at = if random.one_in(40) { 70_000 } else { at };
            vec![short(at as u64), short(PATHS[number].len() as u64)]
        }
        'v' => vec![short((VECTORS + 8 * random.below(12)) as u64), short(random.next() % 4)],
        'n' => vec![short(random.next() % 90)],
        'N' if random.one_in(30) => vec![wide(*random.one_of(&[i64::MAX, i64::MIN, -1, 1 << 40]))],
        'N' => vec![wide(random.below(25) as i64 - 4)],
        'w' => vec![short(random.next() % 4)],
        'O' => vec![short(if random.one_in(2) { 0 } else { random.next() % 16 })],
        'R' => vec![wide(*random.one_of(&[66, 2, 64, (1 << 30) - 1, 0, -1]))],
        'F' => vec![short(*random.one_of(&[0, 1, 4, 31, 32]))],
        'c' => vec![short(random.next() % 5)],
        _ => vec![
            short((POLLS + 48 * random.below(2)) as u64),
            short(8 * (random.next() % 40)),
            short(random.next() % 4),
        ],
    }
}

fn types(roles: &str) -> String {
    let of = |role| match role {
        'N' | 'R' => " i64",
        'P' | 'v' => " i32 i32",
        's' => " i32 i32 i32",
        _ => " i32",
    };
    roles.chars().map(of).collect()
}

fn module(bytes: &[u8], calls: &[String]) -> Vec<u8> {
    let mut text = "(module\n".to_string();
    for (name, roles) in CALLS {
        let params = types(roles);
        let _ = writeln!(
            text,
            "(import \"wasi_snapshot_preview1\" \"{name}\" (func ${name} (param{params}) (result i32)))"
        );
    }
    let data: String = bytes.iter().map(|byte| format!("\\{byte:02x}")).collect();
    let _ = writeln!(text, "(memory (export \"memory\") 1) (data (i32.const 0) \"{data}\")");
    let _ = writeln!(
        text,
        "(func $fold (param $h i64) (param $errno i32) (result i64) (local $at i32)
           (local.set $h (i64.add (i64.mul (local.get $h) (i64.const 31))
                                  (i64.extend_i32_u (local.get $errno))))
           (loop $next
             (local.set $h (i64.mul (i64.xor (i64.rotl (local.get $h) (i64.const 5))
                                             (i64.load (local.get $at)))
                                    (i64.const 0x9E3779B97F4A7C15)))
             (local.set $at (i32.add (local.get $at) (i32.const 8)))
             (br_if $next (i32.lt_u (local.get $at) (i32.const {END}))))
           (local.get $h))
         (func (export \"f\") (result i64) (local $h i64)"
    );
    for call in calls {
        let _ = writeln!(text, "(local.set $h (call $fold (local.get $h) {call}))");
    }
    text.push_str("(local.get $h)))");
    wat::parse_str(&text).unwrap_or_else(|e| panic!("{e}"))
}

const FILES: [(&str, &[u8]); 4] =
    [("dir/sub/C", b"contents of C"), ("A", b"0123456789"), ("dir/B", b""), ("empty/", b"")];
const STDIN: &[u8] = b"standard input, some bytes";

/// What is left of a run: the digest, both streams, files by path.
type Left = (u64, Vec<u8>, Vec<u8>);

fn on_the_machine(bytes: &[u8]) -> Left {
    let mut machine = machine(bytes, plain());
    let mut world = World::default();
    world.args = vec![text(b"prog"), text(b"argument")];
    world.env = vec![text(b"NAME=value"), text(b"X=")];
    world.stdin = File::new("stdin", text(STDIN).to_vec());
    world.files = FILES.iter().map(|(path, bytes)| Some(File::new(path, text(bytes).to_vec()))).collect();
    let f = machine.module().function("f").unwrap();
    let mut state = machine.begin(f, &[], world).unwrap();
    let ended = finish(&mut machine, &mut state, 1 << 26).expect("ends");
    let Outcome::Returned(values) = &ended.how else { panic!("{:?}", ended.how) };
    let Some(Slot::Number(digest)) = values.first() else { panic!("no digest") };
    let known = |bytes: Vec<OutByte>| {
        let number = |byte| match byte {
            OutByte::Number(n) => n,
            OutByte::Symbolic(_) => panic!("no inputs"),
        };
        bytes.into_iter().map(number).collect()
    };
    (*digest, known(ended.world.stdout()), known(ended.world.stderr()))
}

fn on_the_engine(bytes: &[u8]) -> Left {
    let probed = Probed::plant(bytes, &Natives::default()).unwrap();
    let mut test = Test { entry: Entry::Export("f".into()), ..Test::default() };
    test.world.args = vec![b"prog".to_vec(), b"argument".to_vec()];
    test.world.env = vec![(b"NAME".to_vec(), b"value".to_vec()), (b"X".to_vec(), Vec::new())];
    test.world.stdin = STDIN.to_vec();
    test.world.files = FILES.iter().map(|(path, bytes)| (path.to_string(), bytes.to_vec())).collect();
    let ran = probed.run(&test, &Limits::default()).unwrap();
    let End::Returned(values) = ran.end else { panic!("{:?}", ran.end) };
    let [Val::I64(digest)] = values[..] else { panic!("no digest") };
    (digest as u64, ran.stdout, ran.stderr)
}

fn compare(seed: u64) {
    let mut random = Random(seed);
    let bytes = memory(&mut random);
    let mut calls = Vec::new();
    for _ in 0..60 {
        // Opening more often: otherwise most descriptors are not open.
        let (name, roles) = if random.one_in(5) { CALLS[31] } else { *random.one_of(&CALLS) };
        if name == "fd_close" && !random.one_in(4) {
            continue;
        }
        let args: String = roles.chars().flat_map(|role| arguments(&mut random, role)).collect();
        calls.push(format!("(call ${name} {args})"));
    }
    let differs = |count: usize| {
        let module = module(&bytes, &calls[..count]);
        on_the_machine(&module) != on_the_engine(&module)
    };
    if differs(calls.len()) {
        let first = (1..=calls.len()).find(|count| differs(*count)).unwrap();
        panic!("seed {seed}: the last one of {:#?}", &calls[..first]);
    }
}

#[test]
fn random_calls() {
    (1..=150).for_each(compare);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_calls() {
    (1000..11_000).for_each(compare);
}
