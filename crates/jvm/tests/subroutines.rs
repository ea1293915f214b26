//! Instructions that javac no longer emits, `jsr`, `ret`, `swap`, `nop`, in a class file written
//! here, against the real JVM.

use crate::common;

use std::process::Command;

use evergreen_classfile::find_jdk;
use evergreen_explore::{Machine, Pause};
use evergreen_jvm::{Argument, Ending, Value};

/// `static int run(int x)` of class `Old`, version 49: `y = 2 - x; sub; y += 10; sub; return y`, where the
/// subroutine `sub` is `y = y * y + 300`.
fn old_class() -> Vec<u8> {
    let code: &[u8] = &[
        0x1a, // iload_0
        0x00, // nop
        0x05, // iconst_2
        0x5f, // swap
        0x64, // isub
        0x3c, // istore_1
        0xa8, 0, 11, // jsr sub
        0x84, 1, 10, // iinc 1 10
        0xa8, 0, 5,    // jsr sub
        0x1b, // iload_1
        0xac, // ireturn
        0x4d, // sub: astore_2
        0x1b, // iload_1
        0x59, // dup
        0x68, // imul
        0x3c, // istore_1
        0xc4, 0x84, 0, 1, 1, 44, // wide iinc 1 300
        0xa9, 2, // ret 2
    ];
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49, 0, 8];
    let mut text = |text: &str| {
        bytes.extend([1, 0, text.len() as u8]);
        bytes.extend(text.as_bytes());
    };
    for name in ["Old", "java/lang/Object", "run", "(I)I", "Code"] {
        text(name);
    }
    // Pool entries 6 and 7 are the classes; then flags, this, super, no interfaces, no fields, one method.
    bytes.extend([7, 0, 1, 7, 0, 2, 0, 0x21, 0, 6, 0, 7, 0, 0, 0, 0, 0, 1]);
    // public static run(I)I with a Code attribute: stack 3, locals 3, no handlers, no attributes.
    bytes.extend([0, 9, 0, 3, 0, 4, 0, 1, 0, 5, 0, 0, 0, 12 + code.len() as u8, 0, 3, 0, 3]);
    bytes.extend([0, 0, 0, code.len() as u8]);
    bytes.extend(code);
    bytes.extend([0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
fn subroutines_run_as_on_the_jvm() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("Old.class"), old_class()).expect("the folder can be written");
    let driver = "public class Driver { public static void main(String[] a) throws Exception {
        for (int x = -2; x < 3; x++)
            System.out.println(Class.forName(\"Old\").getMethod(\"run\", int.class).invoke(null, x)); } }";
    common::compile(folder.path(), "Driver", driver);
    let java = find_jdk().expect("this test needs a JDK").program("java").expect("this test needs java");
    let done = Command::new(java).arg("-cp").arg(folder.path()).arg("Driver").output().expect("java starts");
    assert!(done.status.success(), "java: {}", String::from_utf8_lossy(&done.stderr));
    let mut jvm = common::machine(folder.path());
    let base = jvm.base_state().expect("the JDK boots");
    let method = jvm.find("Old", "run", "(I)I").expect("the class loads").expect("it has the method");
    let mut found = String::new();
    for x in -2..3 {
        let mut state = jvm.start(&base, method, vec![Argument::Fixed(Value::Int(x))]);
        match jvm.run(&mut state, 1_000, &mut Vec::new()) {
            Pause::Ended(outcome) => match outcome.ending {
                Ending::Returned(Some(Value::Int(value))) => found += &format!("{value}\n"),
                other => panic!("{other:?}"),
            },
            _ => panic!("a straight program neither branches nor takes long"),
        }
    }
    assert_eq!(found, String::from_utf8_lossy(&done.stdout).replace("\r\n", "\n"));
    assert_eq!(found.lines().count(), 5);
}
