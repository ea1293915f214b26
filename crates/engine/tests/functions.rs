//! Single functions: arguments, objects in memory before, memory read after.

use crate::common::{compile, compile_with};
use crate::natives::natives_of;
use evergreen_engine::{End, Entry, Limits, Natives, Probed, Test, Val, place};

const SOURCE: &str = r#"
    #include <stdlib.h>
    struct node { int value; struct node *next; };
    int total = 5;
    static long long sum(struct node *list) {
        long long all = total;
        for (; list; list = list->next) all += list->value++;
        return all;
    }
    float half(float x) { return x / 2; }
    int drop(char *text) { int first = text[0]; free(text); return first; }
    int main(void) { return (int)sum(0) + (int)half(1) + drop(0); }"#;

#[test]
fn objects_are_written_before_and_read_after() {
    let module = compile(SOURCE);
    let natives = natives_of(&module);
    let sum = Probed::plant(&module, &natives).unwrap().function("sum").unwrap();
    let probed = Probed::plant_for(&module, &natives, &[sum]).unwrap();
    let first = place(probed.heap_start(), 8, 16).unwrap();
    let second = place(first.next, 8, 16).unwrap();
    let node = |value: i32, next: u32| [value.to_le_bytes(), next.to_le_bytes()].concat();
    let test = Test {
        entry: Entry::Index(sum),
        args: vec![Val::I32(first.start as i32)],
        objects: vec![(first.start, node(30, second.start)), (second.start, node(-4, 0))],
        reads: vec![(first.start, 8), (second.start, 4)],
        ..Test::default()
    };
    let ran = probed.run(&test, &Limits::default()).unwrap();
    assert_eq!(ran.end, End::Returned(vec![Val::I64(31)]));
    assert_eq!(ran.memory, [node(31, second.start), (-3i32).to_le_bytes().to_vec()]);
    assert!(ran.arms.count >= 3);
    assert_eq!(ran.objects.len(), 2);
}

#[test]
fn objects_of_a_test_can_be_freed() {
    let module = compile(SOURCE);
    let natives = natives_of(&module);
    let drop = Probed::plant(&module, &natives).unwrap().function("drop").unwrap();
    let probed = Probed::plant_for(&module, &natives, &[drop]).unwrap();
    let at = place(probed.heap_start(), 2, 16).unwrap();
    let args = vec![Val::I32(at.start as i32)];
    let test = Test {
        entry: Entry::Index(drop),
        args,
        objects: vec![(at.start, b"x\0".to_vec())],
        ..Test::default()
    };
    let ran = probed.run(&test, &Limits::default()).unwrap();
    assert_eq!(ran.end, End::Returned(vec![Val::I32(i32::from(b'x'))]));
    assert!(!ran.objects[0].1.live);
    let beside = Test { objects: vec![(at.start + 1, vec![0])], ..test };
    let error = probed.run(&beside, &Limits::default()).unwrap_err().to_string();
    assert_eq!(error, format!("no object can lie at {:#x}", at.start + 1));
}

#[test]
fn exported_functions_are_called_by_name() {
    let module = compile_with(SOURCE, &["-Wl,--export=half"]);
    let probed = Probed::plant(&module, &Natives::default()).unwrap();
    let entry = Entry::Export("half".to_string());
    let args = vec![Val::F32(3.0f32.to_bits())];
    let ran = probed.run(&Test { entry, args, ..Test::default() }, &Limits::default()).unwrap();
    assert_eq!(ran.end, End::Returned(vec![Val::F32(1.5f32.to_bits())]));
}

#[test]
fn tests_that_do_not_fit_are_errors() {
    let module = compile_with(SOURCE, &["-Wl,--export=half"]);
    let probed = Probed::plant(&module, &Natives::default()).unwrap();
    let error = |test: Test| probed.run(&test, &Limits::default()).unwrap_err().to_string();
    let entry = || Entry::Export("half".to_string());
    assert_eq!(error(Test { entry: entry(), ..Test::default() }), "the entry has parameters [F32]");
    let none = Entry::Export("none".to_string());
    assert_eq!(error(Test { entry: none, ..Test::default() }), "the module has no entry Export(\"none\")");
    assert_eq!(error(Test { entry: Entry::Index(3), ..Test::default() }), "the module has no entry Index(3)");
    let args = vec![Val::F32(0)];
    let writes = vec![(u32::MAX - 3, vec![0; 4])];
    let error = error(Test { entry: entry(), args, writes, ..Test::default() });
    assert!(error.starts_with("no memory at"), "{error}");
}
