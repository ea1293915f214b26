//! C programs in a world: output, files, environment, exit codes, traps.

use crate::common::{compile, run_in, text, wat, world};
use evergreen_engine::{Clock, End, Limits, Natives, Probed, Test, TrapKind, World};

#[test]
fn hello_world() {
    let module = compile(
        r#"
        #include <stdio.h>
        int main(int argc, char **argv) {
            printf("hello %s, %d %.3f\n", argv[1], argc, 3.14159);
            fprintf(stderr, "bye\n");
            return 3;
        }"#,
    );
    let ran = run_in(&module, world(&["hello", "world"], ""));
    assert_eq!(ran.end, End::Exited(3));
    assert_eq!(text(&ran.stdout), "hello world, 2 3.142\n");
    assert_eq!(text(&ran.stderr), "bye\n");
    assert!(ran.arms.count > 100 && ran.fuel > 1000);
}

#[test]
fn main_that_returns_zero_returns_from_start() {
    let ran = run_in(&compile("int main(void) { return 0; }"), world(&["p"], ""));
    assert_eq!(ran.end, End::Returned(vec![]));
}

#[test]
fn standard_input_is_counted() {
    let module = compile(
        r#"
        #include <stdio.h>
        #include <ctype.h>
        #include <unistd.h>
        int main(void) {
            int c, lines = 0, words = 0, bytes = 0, inside = 0;
            while ((c = getchar()) != EOF) {
                bytes++;
                if (c == '\n') lines++;
                if (isspace(c)) inside = 0; else if (!inside) { inside = 1; words++; }
            }
            printf("%d %d %d tty %d%d\n", lines, words, bytes, isatty(0), isatty(1));
            return lseek(0, 0, SEEK_CUR) == -1 ? 0 : 9;
        }"#,
    );
    let ran = run_in(&module, world(&["wc"], "one two\nthree  four five\nsix"));
    assert_eq!(text(&ran.stdout), "2 6 28 tty 00\n");
    assert_eq!(ran.end, End::Returned(vec![]));
    let long = "word ".repeat(5000);
    assert_eq!(text(&run_in(&module, world(&["wc"], &long)).stdout), "0 5000 25000 tty 00\n");
}

#[test]
fn files_are_read_and_written() {
    let module = compile(
        r#"
        #include <stdio.h>
        #include <string.h>
        #include <errno.h>
        #include <sys/stat.h>
        #include <unistd.h>
        int main(void) {
            char line[100];
            FILE *in = fopen("data/in.txt", "r"), *out = fopen("/out.txt", "w");
            if (!in || !out) { perror("fopen"); return 1; }
            while (fgets(line, sizeof line, in)) fprintf(out, "[%.*s]", (int)strcspn(line, "\n"), line);
            fseek(in, 2, SEEK_SET);
            printf("%c %ld\n", fgetc(in), ftell(in));
            fclose(in); fclose(out);
            FILE *log = fopen("log", "a"); fputs("more", log); fclose(log);
            FILE *edit = fopen("edit", "r+"); fseek(edit, -1, SEEK_END); fputs("!!", edit); fclose(edit);
            struct stat s;
            printf("%d %lld %d\n", stat("/out.txt", &s), (long long)s.st_size, S_ISREG(s.st_mode));
            printf("%d %d\n", stat("data", &s), S_ISDIR(s.st_mode));
            printf("%d %s\n", fopen("none", "r") == NULL, strerror(errno));
            printf("%d %s\n", fopen("data", "w") == NULL, strerror(errno));
            printf("%d %s\n", fopen("log/x", "r") == NULL, strerror(errno));
            printf("%d %d\n", remove("gone"), truncate("cut", 2));
            return 0;
        }"#,
    );
    let mut world = world(&["p"], "");
    for (path, content) in [
        ("data/in.txt", "ab\ncd\n"),
        ("/log", "old "),
        ("edit", "abc"),
        ("gone", "x"),
        ("cut", "12345"),
        ("same", "s"),
    ] {
        world.files.push((path.to_string(), content.as_bytes().to_vec()));
    }
    let ran = run_in(&module, world);
    assert_eq!(
        text(&ran.stdout),
        "\n 3\n0 8 1\n0 1\n1 No such file or directory\n1 Is a directory\n1 Not a directory\n0 0\n"
    );
    let changed = |path: &str, content: &str| (path.to_string(), Some(content.as_bytes().to_vec()));
    let expected = [
        changed("cut", "12"),
        changed("edit", "ab!!"),
        ("gone".to_string(), None),
        changed("log", "old more"),
        changed("out.txt", "[ab][cd]"),
    ];
    assert_eq!(ran.files, expected);
}

#[test]
fn folders_are_listed_made_moved_and_removed() {
    let module = compile(
        r#"
        #include <dirent.h>
        #include <errno.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <unistd.h>
        static void list(const char *path) {
            DIR *d = opendir(path);
            if (!d) { printf("%s: %s\n", path, strerror(errno)); return; }
            for (struct dirent *e; (e = readdir(d));) printf("%s%s ", e->d_name, e->d_type == DT_DIR ? "/" : "");
            puts("");
            closedir(d);
        }
        static void say(const char *what, int result) {
            printf("%s: %s\n", what, result ? strerror(errno) : "ok");
        }
        int main(void) {
            list("/"); list("d"); list("none"); list("f");
            say("mkdir", mkdir("new", 0777));
            say("mkdir again", mkdir("new", 0777));
            say("rename folder", rename("d", "new/e"));
            list("new/e");
            say("into itself", rename("new", "new/e/x"));
            say("rename file", rename("f", "new/e/a"));
            say("rmdir", rmdir("new"));
            say("unlink", unlink("new"));
            say("unlink a", unlink("new/e/a")); say("unlink b", unlink("new/e/b")); say("rmdir e", rmdir("new/e"));
            list("/");
            say("above", access("../x", F_OK));
            return 0;
        }"#,
    );
    let mut world = world(&["p"], "");
    for path in ["f", "d/b", "d/a", "empty/"] {
        world.files.push((path.to_string(), b"x".to_vec()));
    }
    let ran = run_in(&module, world);
    let expected = "\
./ ../ d/ empty/ f 
./ ../ a b 
none: No such file or directory
f: Not a directory
mkdir: ok
mkdir again: File exists
rename folder: ok
./ ../ a b 
into itself: Invalid argument
rename file: ok
rmdir: Directory not empty
unlink: Is a directory
unlink a: ok
unlink b: ok
rmdir e: ok
./ ../ empty/ new/ 
above: Operation not permitted
";
    assert_eq!(text(&ran.stdout), expected);
}

#[test]
fn environment_time_and_random_bytes_come_from_the_world() {
    let module = compile(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <time.h>
        #include <unistd.h>
        int main(void) {
            unsigned char r[4];
            printf("%s %s\n", getenv("HOME"), getenv("NONE") ? "set" : "unset");
            printf("%lld %lld ", (long long)time(0), (long long)time(0));
            struct timespec t = {5, 0};
            nanosleep(&t, 0);
            printf("%lld\n", (long long)time(0));
            getentropy(r, 4);
            printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
            return 0;
        }"#,
    );
    let mut world = world(&["p"], "");
    world.env = vec![(b"A".to_vec(), b"1".to_vec()), (b"HOME".to_vec(), b"/h=x".to_vec())];
    world.clock = Clock { values: vec![7_000_000_000], start_ns: 100_000_000_000, step_ns: 1_000_000_000 };
    world.random = vec![9, 8];
    let ran = run_in(&module, world);
    // Random bytes 2 and 3 are 167 k + 13 modulo 256.
    assert_eq!(text(&ran.stdout), "/h=x unset\n7 100 106\n9 8 91 2\n");
}

#[test]
fn runs_are_the_same_every_time() {
    let module = compile(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            char *text = malloc(100);
            for (int i = 0; i < 10; i++) printf("%d ", rand() % 10);
            printf("%p\n", (void *)text);
            free(text);
            return 0;
        }"#,
    );
    let first = run_in(&module, world(&["p"], ""));
    assert_eq!(first, run_in(&module, world(&["p"], "")));
}

fn end_of(body: &str) -> End {
    let source = format!(
        "#include <stdlib.h>\n#include <assert.h>\n#include <unistd.h>\nvolatile int zero = 0;\n\
         int deep(int n) {{ volatile char b[16]; b[0] = n; return deep(n + 1) + b[0]; }}\n\
         int main(int argc, char **argv) {{ {body} return 0; }}"
    );
    run_in(&compile(&source), world(&["p"], "")).end
}

#[test]
fn ends_are_told_apart() {
    assert_eq!(end_of("exit(7);"), End::Exited(7));
    assert_eq!(end_of("_exit(300);"), End::Exited(300));
    assert_eq!(end_of("abort();"), End::Trapped(TrapKind::Unreachable));
    assert_eq!(end_of("assert(argc == 2);"), End::Trapped(TrapKind::Unreachable));
    assert_eq!(end_of("return 5 / zero;"), End::Trapped(TrapKind::DivisionByZero));
    assert_eq!(end_of("return (-2147483647 - 1) / (zero - 1);"), End::Trapped(TrapKind::IntegerOverflow));
    assert_eq!(end_of("__builtin_trap();"), End::Trapped(TrapKind::Unreachable));
    assert_eq!(end_of("return *(volatile int *)0x7fffffff;"), End::Trapped(TrapKind::MemoryOutOfBounds));
    assert_eq!(end_of("((void (*)(void))(zero + 9999))();"), End::Trapped(TrapKind::TableOutOfBounds));
    assert_eq!(end_of("((void (*)(void))(long)zero)();"), End::Trapped(TrapKind::NullElement));
    assert_eq!(
        end_of("void *volatile f = (void *)&deep; ((void (*)(double))f)(1.0);"),
        End::Trapped(TrapKind::BadSignature)
    );
    // A stack frame that reaches below address 0 traps first.
    assert_eq!(end_of("return deep(0);"), End::Trapped(TrapKind::MemoryOutOfBounds));
    assert_eq!(end_of("for (;;) zero++;"), End::OutOfFuel);
}

#[test]
fn calls_without_end_exhaust_the_stack() {
    let module = wat("(module (func $f (export \"_start\") (call $f)))");
    assert_eq!(run_in(&module, World::default()).end, End::Trapped(TrapKind::StackExhausted));
    // A depth that the engine has to reach: the linear stack of C ends long before.
    let module = wat(r#"(module (func $f (param i32)
        (if (local.get 0) (then (call $f (i32.sub (local.get 0) (i32.const 1))))))
        (func (export "_start") (call $f (i32.const 9000))))"#);
    let ran = run_in(&module, World::default());
    assert_eq!((ran.end, ran.arms.count), (End::Returned(vec![]), 9001));
}

/// wasmi's dispatch must not use the stack of the thread: see the profiles in the workspace's manifest.
#[test]
fn long_runs_need_little_stack() {
    let module = wat(r#"(module (func (export "_start") (local i32)
        (loop
            (local.set 0 (i32.add (local.get 0) (i32.const 1)))
            (br_if 0 (i32.lt_u (local.get 0) (i32.const 3000000))))))"#);
    let run = move || run_in(&module, World::default()).arms.count;
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap();
    assert_eq!(thread.join().unwrap(), 3_000_000);
}

#[test]
fn output_has_a_limit() {
    let module = compile(
        r#"
        #include <stdio.h>
        #include <errno.h>
        int main(void) {
            static char line[1000];
            while (fwrite(line, 1, sizeof line, stdout) == sizeof line) ;
            return errno == ENOSPC ? 28 : 1;
        }"#,
    );
    let probed = Probed::plant(&module, &Natives::default()).unwrap();
    let limits = Limits { output_bytes: 100_000, ..Limits::default() };
    let ran = probed.run(&Test::default(), &limits).unwrap();
    assert_eq!(ran.end, End::Exited(28));
    assert!(ran.stdout.len() <= 100_000);
}

#[test]
fn an_impossible_world_is_an_error() {
    let module = compile("int main(void) { return 0; }");
    let probed = Probed::plant(&module, &Natives::default()).unwrap();
    let files = vec![("a".to_string(), vec![]), ("a/b".to_string(), vec![])];
    let test = Test { world: World { files, ..World::default() }, ..Test::default() };
    let error = probed.run(&test, &Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "the file 'a/b' cannot be made");
}
