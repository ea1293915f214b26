//! Damaged modules give errors or ends, never a panic.

use crate::common::{compile, wat, world};
use evergreen_engine::{End, Limits, Native, Natives, Probed, Test};
use std::fmt::Write;

/// Numbers that look random, the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }
}

/// Runs mutants of a module; how many could be planted.
fn mutate(module: &[u8], natives: &Natives, count: usize, seed: u64) -> usize {
    let mut numbers = Numbers(seed);
    let limits = Limits { fuel: 100_000, memory_bytes: 4 << 20, output_bytes: 1 << 16 };
    let test = Test { world: world(&["p", "x"], "some input"), ..Test::default() };
    let mut planted = 0;
    for _ in 0..count {
        let mut mutant = module.to_vec();
        for _ in 0..=numbers.next(3) {
            let at = numbers.next(mutant.len());
            match numbers.next(4) {
                0 => mutant[at] ^= 1 << numbers.next(8),
                1 => mutant[at] = numbers.next(256) as u8,
                2 => mutant.truncate(at.max(8)),
                _ => mutant.insert(at, numbers.next(256) as u8),
            }
        }
        if let Ok(probed) = Probed::plant(&mutant, natives) {
            planted += 1;
            let _ = probed.run(&test, &limits);
        }
    }
    planted
}

#[test]
fn mutants_of_a_small_module() {
    let module = wat(r#"(module
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1)
        (table 2 funcref)
        (global $g (mut i32) (i32.const 0))
        (data (i32.const 0) "\08\00\00\00\04\00\00\00abcd")
        (elem (i32.const 0) $count $count)
        (func $count (param i32) (result i32)
            (block (loop (br_if 1 (i32.eqz (local.get 0)))
                (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br 0)))
            (local.get 0))
        (func (export "_start")
            (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 100)))
            (drop (call_indirect (param i32) (result i32) (i32.const 9) (i32.const 1)))
            (block (block (br_table 0 1 0 (global.get $g))))
            (if (call $count (i32.const 3)) (then (unreachable)))))"#);
    let planted = mutate(&module, &Natives::default(), 6_000, 1);
    assert!(planted > 300, "only {planted} mutants are modules");
    let natives = Natives { pure: vec![2], replaced: vec![(1, Native::UsableSize)] };
    let planted = mutate(&module, &natives, 3_000, 3);
    assert!(planted > 100, "only {planted} mutants have the natives");
}

#[test]
fn mutants_of_a_program() {
    let module = compile("#include <stdio.h>\nint main(void) { puts(\"hello\"); return getchar(); }");
    let planted = mutate(&module, &Natives::default(), 1_000, 2);
    assert!(planted > 50, "only {planted} mutants are modules");
}

/// Calls of WASI with their types, as the module that imports them declares them.
const CALLS: &str = "args_get ii, args_sizes_get ii, clock_res_get ii, clock_time_get iIi, environ_get ii, \
    environ_sizes_get ii, fd_advise iIIi, fd_allocate iII, fd_close i, fd_datasync i, fd_fdstat_get ii, \
    fd_fdstat_set_flags ii, fd_fdstat_set_rights iII, fd_filestat_get ii, fd_filestat_set_size iI, \
    fd_filestat_set_times iIIi, fd_pread iiiIi, fd_prestat_dir_name iii, fd_prestat_get ii, fd_pwrite iiiIi, \
    fd_read iiii, fd_readdir iiiIi, fd_renumber ii, fd_seek iIii, fd_sync i, fd_tell ii, fd_write iiii, \
    path_create_directory iii, path_filestat_get iiiii, path_filestat_set_times iiiiIIi, path_link iiiiiii, \
    path_open iiiiiIIii, path_readlink iiiiii, path_remove_directory iii, path_rename iiiiii, \
    path_symlink iiiii, path_unlink_file iii, poll_oneoff iiii, proc_raise i, random_get ii, sched_yield , \
    sock_accept iii, sock_recv iiiiii, sock_send iiiii, sock_shutdown ii";

/// Any arguments get an error number. Memory has names of files, a vector of buffers and subscriptions of
/// clocks at addresses that arguments often have.
#[test]
fn calls_of_wasi_with_any_arguments() {
    let calls: Vec<(&str, &str)> = CALLS.split(", ").map(|call| call.split_once(' ').unwrap()).collect();
    let mut head = String::from("(module\n");
    for (name, letters) in &calls {
        let params: String = letters.chars().map(|c| if c == 'I' { " i64" } else { " i32" }).collect();
        let param = if params.is_empty() { String::new() } else { format!("(param{params})") };
        let module = "wasi_snapshot_preview1";
        writeln!(head, "(import \"{module}\" \"{name}\" (func ${name} {param} (result i32)))").unwrap();
    }
    let data = r#"(memory 1) (data (i32.const 16) "d/e\00\00\00\00\00\40\00\00\00\10\00\00\00\f0\ff\00\00")
        (data (i32.const 36) "\10\00\00\00a/..")"#;
    let shorts = [
        "0",
        "1",
        "2",
        "3",
        "3",
        "4",
        "5",
        "8",
        "16",
        "24",
        "24",
        "64",
        "65532",
        "65536",
        "-1",
        "-8",
        "2147483647",
    ];
    let longs = ["0", "1", "66", "-1", "9223372036854775807", "-9223372036854775808", "70000", "4294967296"];
    let mut numbers = Numbers(7);
    let mut errors = 0;
    for _ in 0..400 {
        let mut body = String::new();
        for _ in 0..60 {
            let (name, letters) = calls[numbers.next(calls.len())];
            write!(body, "(drop (call ${name}").unwrap();
            for letter in letters.chars() {
                let (list, ty) = if letter == 'I' { (&longs[..], "i64") } else { (&shorts[..], "i32") };
                write!(body, " ({ty}.const {})", list[numbers.next(list.len())]).unwrap();
            }
            body.push_str("))\n");
        }
        let module = wat(&format!("{head}{data}\n(func (export \"_start\")\n{body}))"));
        let probed = Probed::plant(&module, &Natives::default()).unwrap();
        let mut test = Test { world: world(&["p", "x"], "some input"), ..Test::default() };
        test.world.files = vec![("d/e".to_string(), b"content".to_vec()), ("a/b".to_string(), vec![])];
        let limits = Limits { output_bytes: 1 << 20, ..Limits::default() };
        let ran = probed.run(&test, &limits).unwrap();
        assert_eq!(ran.end, End::Returned(vec![]));
        errors += usize::from(ran.files.is_empty());
    }
    assert!(errors < 400, "no call changed a file");
}
