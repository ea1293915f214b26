//! Red zones: what the head of `compile.rs` says about the compiler's code is so.

use crate::modules::{clang, compile, edges};
use evergreen_c::{Checks, Entry, Sources};
use wasmparser::{DataKind, Operator, Parser, Payload};

const TEXT: &str = r#"
#include <stdlib.h>
struct big { int x; char y[100]; };
int table[3];
static char word[5] = "abcd";
void use(char *);
int by_value(struct big b) { use(b.y); return b.x; }
int frame(int n, int i) {
    char a[4], b[7];
    use(a), use(b);
    for (int k = 0; k < n; k++) { char inner[40]; use(inner); }
    char varying[n];
    use(varying);
    char *q = __builtin_alloca(i);
    use(q);
    if (n == 9) { use(word); abort(); }
    return a[i] + table[i];
}
int main(int argc, char **argv) { (void)argv; struct big b = {argc, {0}}; return frame(argc, 2) + by_value(b); }
"#;

#[test]
fn zones_are_told_by_calls() {
    for args in [vec![], vec!["-O1".into()], vec!["-O2".into()]] {
        let made = compile(&[TEXT], Sources { args, ..Sources::default() }).unwrap();
        let imports = edges(&made.module).0;
        for name in ["00", "04", "07", "f1", "f2", "f3", "f8"].map(|mark| format!("__asan_set_shadow_{mark}"))
        {
            assert!(imports.contains(&name), "{name} is not among {imports:?}");
        }
        let others = ["alloca_poison", "allocas_unpoison", "handle_no_return", "init", "register_globals"];
        for name in &imports {
            let known = name
                .strip_prefix("__asan_")
                .is_none_or(|rest| others.contains(&rest) || rest.starts_with("set_shadow_"));
            assert!(known, "{name} is new");
        }
        assert_eq!(shadow_accesses(&made.module), 0);
    }
}

/// Where red zones are off nothing of them is left.
#[test]
fn zones_can_be_left_out() {
    let checks = Checks { objects: false, undefined: false };
    let made = compile(&[TEXT], Sources { checks, ..Sources::default() }).unwrap();
    assert_eq!(edges(&made.module).0, ["use"]);
}

#[test]
fn an_old_clang_is_refused() {
    let mut old = clang();
    old.version = 14;
    let said = old.compile(&Sources::default()).unwrap_err().to_string();
    assert!(
        said.contains("clang 14 cannot mark the bounds of variables\nhelp: clang 15 or later can"),
        "{said}"
    );
}

/// Counts loads and stores whose address has the shadow's offset in it: follows the operand stack and the
/// locals through straight code, which is how the compiler writes such an access.
fn shadow_accesses(module: &[u8]) -> usize {
    let mut found = 0;
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CodeSectionEntry(body) = payload.unwrap() else { continue };
        let (mut stack, mut locals) = (Vec::<bool>::new(), std::collections::BTreeSet::new());
        for operator in body.get_operators_reader().unwrap() {
            let mut pop = || stack.pop().unwrap_or(false);
            match operator.unwrap() {
                Operator::I32Const { value } => stack.push(value == 0x2000_0000),
                Operator::LocalGet { local_index } => stack.push(locals.contains(&local_index)),
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } if pop() => {
                    locals.insert(local_index);
                }
                Operator::I32Or | Operator::I32Add => {
                    let marked = pop() | pop();
                    stack.push(marked);
                }
                Operator::I32Store { .. } | Operator::I32Store8 { .. } | Operator::I64Store { .. } => {
                    pop();
                    found += usize::from(pop());
                }
                Operator::I32Load { .. } | Operator::I32Load8U { .. } | Operator::I32Load8S { .. } => {
                    found += usize::from(pop());
                    stack.push(false);
                }
                _ => stack.clear(),
            }
        }
    }
    found
}

/// `__asan_register_globals(first, n)`: n times 8 words, of which the fourth is the name.
#[test]
fn globals_are_registered_by_a_constructor() {
    for entry in [Entry::Main, Entry::Functions(vec!["frame".into()])] {
        let made = compile(&[TEXT], Sources { entry, ..Sources::default() }).unwrap();
        let memory = initial_memory(&made.module);
        let word = |at: usize| u32::from_le_bytes(memory[at..at + 4].try_into().unwrap()) as usize;
        let text = |at: usize| {
            let end = memory[at..].iter().position(|&b| b == 0).unwrap();
            String::from_utf8_lossy(&memory[at..at + end]).into_owned()
        };
        let (first, count) = registered(&made.module);
        let mut globals = Vec::new();
        for at in (first..first + 32 * count).step_by(32) {
            assert_eq!((word(at) % 32, word(at + 8) % 32, word(at + 20), word(at + 24)), (0, 0, 0, 0));
            assert!(text(word(at + 16)).ends_with("prog0.c"));
            globals.push((text(word(at + 12)), word(at + 4), word(at + 8)));
        }
        globals.sort();
        assert_eq!(globals, [("table".to_string(), 12, 32), ("word".to_string(), 5, 32)]);
    }
}

/// The constants that are given to `__asan_register_globals`.
fn registered(module: &[u8]) -> (usize, usize) {
    let imports: Vec<String> = Parser::new(0)
        .parse_all(module)
        .filter_map(|payload| match payload.unwrap() {
            Payload::ImportSection(section) => Some(section.into_imports()),
            _ => None,
        })
        .flatten()
        .map(|import| import.unwrap().name.to_string())
        .collect();
    let register = imports.iter().position(|name| name == "__asan_register_globals").expect("the import");
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CodeSectionEntry(body) = payload.unwrap() else { continue };
        let mut constants = Vec::new();
        for operator in body.get_operators_reader().unwrap() {
            match operator.unwrap() {
                Operator::I32Const { value } => constants.push(value as usize),
                Operator::Call { function_index } if function_index as usize == register => {
                    // At -O0 constants go through locals, in the order of the arguments.
                    return (constants[constants.len() - 2], constants[constants.len() - 1]);
                }
                _ => {}
            }
        }
    }
    panic!("no call registers globals");
}

fn initial_memory(module: &[u8]) -> Vec<u8> {
    let mut memory = vec![0; 4 << 20];
    for payload in Parser::new(0).parse_all(module) {
        let Payload::DataSection(data) = payload.unwrap() else { continue };
        for segment in data {
            let segment = segment.unwrap();
            let DataKind::Active { offset_expr, .. } = segment.kind else { continue };
            let Ok(Operator::I32Const { value }) = offset_expr.get_operators_reader().read() else {
                continue;
            };
            memory[value as usize..][..segment.data.len()].copy_from_slice(segment.data);
        }
    }
    memory
}
