//! Natives of real programs: an allocator with known addresses, ends by name, libc functions that do not
//! count.

use crate::common::{compile, text, world};
use evergreen_engine::{
    End, Failure, Heap, Host, Limits, Linear, Native, Natives, Object, Probed, Ran, Standard, Test, Val,
};

/// All natives that a module has, by their names.
pub(crate) fn natives_of(module: &[u8]) -> Natives {
    let plain = Probed::plant(module, &Natives::default()).expect("planted");
    let mut natives = Natives::default();
    for name in ["memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strcmp", "strcpy", "strchr"] {
        natives.pure.extend(plain.function(name));
    }
    for name in [
        "malloc",
        "calloc",
        "realloc",
        "free",
        "aligned_alloc",
        "posix_memalign",
        "abort",
        "__assert_fail",
        "exit",
    ] {
        let native = Native::of(name).expect("a native");
        natives.replaced.extend(plain.function(name).map(|function| (function, native)));
    }
    natives
}

fn run(source: &str) -> (Ran, u32) {
    let module = compile(source);
    let probed = Probed::plant(&module, &natives_of(&module)).expect("planted");
    let test = Test { world: world(&["p"], ""), ..Test::default() };
    (probed.run(&test, &Limits::default()).expect("the test runs"), probed.heap_start())
}

#[test]
fn objects_lie_where_the_formula_says() {
    let (ran, start) = run(r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            char *a = malloc(5), *b = malloc(16), *c = calloc(3, 7), *d = malloc(0), *e;
            strcpy(a, "abcd");
            a = realloc(a, 100);
            printf("%p %p %p %p %s\n", a, b, c, d, a);
            int r = posix_memalign((void **)&e, 64, 10);
            printf("%d %p %p\n", r, e, malloc(200 * 1024));
            printf("%p %p %d\n", malloc(0x7fffffff), calloc(0x10000, 0x10000), posix_memalign((void **)&e, 3, 1));
            free(b); free(NULL);
            printf("%p\n", malloc(1));
            return 0;
        }"#);
    assert_eq!(ran.end, End::Returned(vec![]));
    let at = |offset: u32| format!("{:#x}", start + offset);
    // Sizes 5, 16, 21, 0 take 32, 32, 48, 32 bytes with their red zones, and 100 takes 128.
    let expected = format!(
        "{} {} {} {} abcd\n0 {} {}\n0 0 28\n{}\n",
        at(144),
        at(32),
        at(64),
        at(112),
        at(320),
        at(352),
        at(352 + 204_816)
    );
    assert_eq!(text(&ran.stdout), expected);
    let live: Vec<u32> =
        ran.objects.iter().filter(|(_, object)| object.live).map(|(at, _)| at - start).collect();
    assert_eq!(live, [64, 112, 144, 320, 352, 205_168]);
    assert_eq!(ran.objects[0], (start, Object { size: 5, live: false }));
}

#[test]
fn wrong_frees_are_failures() {
    let end = |body: &str| {
        let (ran, start) =
            run(&format!("#include <stdlib.h>\nint main(void) {{ char *p = malloc(9); {body} }}"));
        (ran.end, start)
    };
    let (found, start) = end("free(p); free(p);");
    assert_eq!(found, End::Failed(Failure::DoubleFree(start)));
    let (found, start) = end("free(p + 1);");
    assert_eq!(found, End::Failed(Failure::InvalidFree(start + 1)));
    let (found, start) = end("free(p); p = realloc(p, 8);");
    assert_eq!(found, End::Failed(Failure::DoubleFree(start)));
}

#[test]
fn ends_by_name_say_more() {
    let end = |body: &str| {
        let head = "#include <assert.h>\n#include <stdlib.h>\n";
        run(&format!("{head}int main(int argc, char **argv) {{ {body} return 0; }}")).0.end
    };
    assert_eq!(end("abort();"), End::Failed(Failure::Abort));
    assert_eq!(end("exit(3);"), End::Exited(3));
    let expected = Failure::Assert {
        condition: "argc == 2".to_string(),
        file: "<stdin>".to_string(),
        line: 3,
        function: "main".to_string(),
    };
    assert_eq!(end("assert(argc == 2);"), End::Failed(expected));
}

const TEXTS: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int main(int argc, char **argv) {
        char *copy = malloc(strlen(argv[1]) + 1);
        strcpy(copy, argv[1]);
        int same = strcmp(copy, argv[1]) == 0 && memcmp(copy, argv[1], strlen(copy)) == 0;
        if (same) puts("same"); else puts("different");
        printf("%s %s\n", copy, strchr(copy, 'l'));
        free(copy);
        return 0;
    }"#;

#[test]
fn decisions_of_libc_functions_do_not_depend_on_lengths() {
    let module = compile(TEXTS);
    let natives = natives_of(&module);
    assert!(natives.pure.len() > 5 && natives.replaced.len() >= 2);
    let counted = Probed::plant(&module, &Natives::default()).unwrap();
    let probed = Probed::plant(&module, &natives).unwrap();
    assert_eq!(counted.sites(), probed.sites());
    let test = Test { world: world(&["p", "hello"], ""), ..Test::default() };
    let all = counted.run(&test, &Limits::default()).unwrap();
    let some = probed.run(&test, &Limits::default()).unwrap();
    assert_eq!((&all.stdout, &all.end), (&some.stdout, &some.end));
    assert_eq!(text(&some.stdout), "same\nhello llo\n");
    assert!(some.arms.count < all.arms.count, "{} {}", some.arms.count, all.arms.count);
}

/// A host that counts calls and leaves them to the standard one.
struct Counting {
    calls: u32,
    inner: Standard,
}

impl Host for Counting {
    fn call(&mut self, native: &Native, args: &[Val], memory: &mut dyn Linear) -> Result<Option<Val>, End> {
        self.calls += 1;
        if self.calls == 3 {
            return Err(End::Exited(33));
        }
        self.inner.call(native, args, memory)
    }
}

#[test]
fn a_host_of_the_caller_can_be_given() {
    let source = "#include <stdlib.h>\nint main(void) { for (;;) free(malloc(4)); }";
    let module = compile(source);
    let probed = Probed::plant(&module, &natives_of(&module)).unwrap();
    let host = Counting { calls: 0, inner: Standard::new(Heap::new(probed.heap_start())) };
    let (ran, _) = probed.run_with(&Test::default(), &Limits::default(), Box::new(host)).unwrap();
    assert_eq!(ran.end, End::Exited(33));
}

#[test]
fn natives_that_do_not_fit_are_errors() {
    let module = compile("#include <stdlib.h>\nint main(void) { free(malloc(3)); return 0; }");
    let plain = Probed::plant(&module, &Natives::default()).unwrap();
    let malloc = plain.function("malloc").unwrap();
    let error = |natives: Natives| Probed::plant(&module, &natives).err().expect("an error").to_string();
    let natives = Natives { replaced: vec![(malloc, Native::Calloc)], ..Natives::default() };
    assert_eq!(error(natives), format!("function {malloc}: Calloc has type 'ii:i', this function 'i:i'"));
    let natives = Natives { pure: vec![9999], ..Natives::default() };
    assert_eq!(error(natives), "function 9999: not a function that the module defines");
    let natives = Natives { pure: vec![malloc], replaced: vec![(malloc, Native::Malloc)] };
    assert_eq!(error(natives), format!("function {malloc}: two natives for one function"));
}
