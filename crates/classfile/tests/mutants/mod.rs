//! Mutants of classes: one instruction differs, the JVM's verifier accepts each,
//! compiler-generated code has none.

use crate::support::Assembler;
use evergreen_classfile::{Instruction, Kind, Mutant, Operator, Rel, find_jdk, mutants, read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for one test, emptied first.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn own(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

/// A class of Java 6, which needs no stack maps, with one method.
fn class_of(code: &[u8]) -> Vec<u8> {
    let mut assembler = Assembler::new((50, 0));
    assembler.method("m", "()V", code, &[]);
    assembler.finish("T")
}

/// `from -> to` of each mutant.
fn changes(bytes: &[u8]) -> Vec<String> {
    let all = mutants(bytes, &Operator::ALL).unwrap();
    all.iter().map(|mutant| format!("{} -> {}", mutant.from, mutant.to)).collect()
}

/// Only the instruction that a mutant names differs, and everything else of the class is as it was.
fn differs_in_one_place(original: &[u8], mutant: &Mutant) {
    let changed = mutant.of(original).unwrap();
    let (old, new) = (read(original).unwrap(), read(&changed).unwrap());
    assert_ne!(original, changed);
    for (index, (before, after)) in old.methods.iter().zip(&new.methods).enumerate() {
        let (Some(before), Some(after)) = (&before.code, &after.code) else { continue };
        assert_eq!(before.offsets, after.offsets);
        assert_eq!((&before.lines, &before.handlers), (&after.lines, &after.handlers));
        for (at, pair) in before.instructions.iter().zip(&after.instructions).enumerate() {
            let is_here = index == mutant.method as usize && at == mutant.instruction as usize;
            // As text, in which NaN equals itself.
            assert_eq!(format!("{:?}", pair.0) != format!("{:?}", pair.1), is_here, "{mutant:?}");
        }
    }
    assert_eq!(old.methods.len(), new.methods.len());
    assert_eq!(old.pool.entries(), &new.pool.entries()[..old.pool.len()]);
}

#[test]
fn comparisons_of_ints_become_all_others_and_of_references_their_opposite() {
    // if_icmplt, ifeq, if_acmpne, ifnull; targets are the return at the end.
    let code = [3, 4, 161, 0, 16, 3, 153, 0, 12, 1, 1, 166, 0, 7, 1, 198, 0, 3, 177];
    let bytes = class_of(&code);
    let found = mutants(&bytes, &[Operator::Relation]).unwrap();
    let named: Vec<String> = found.iter().map(|m| format!("{} {}", m.from, m.to)).collect();
    let others = ["eq", "ne", "ge", "gt", "le"].map(|to| format!("if_icmplt if_icmp{to}"));
    assert_eq!(named[..5], others);
    assert_eq!(named[5..], ["ifeq ifne", "if_acmpne if_acmpeq", "ifnull ifnonnull"]);
    for mutant in &found {
        differs_in_one_place(&bytes, mutant);
    }
    let second = read(&found[2].of(&bytes).unwrap()).unwrap();
    let code = second.methods[0].code.as_ref().unwrap();
    assert_eq!(code.instructions[2], Instruction::IfIcmp(Rel::Ge, 10));
}

#[test]
fn constants_stay_within_the_length_of_their_instruction() {
    // iconst_m1, iconst_5, bipush 127, sipush -32768, wide iinc, iinc -128, iinc 0.
    let code = [2, 8, 16, 127, 17, 0x80, 0, 196, 132, 1, 0, 0x12, 0x34, 132, 1, 0x80, 132, 1, 0, 177];
    let expected =
        ["-1 -> 0", "5 -> 4", "127 -> 126", "-32768 -> -32767", "iinc 4660 -> iinc -4660"].map(String::from);
    assert_eq!(changes(&class_of(&code)), expected);
}

#[test]
fn constants_of_the_pool_get_entries_of_their_own() {
    let mut assembler = Assembler::new((50, 0));
    let int = assembler.entry(&[3, 0x7F, 0xFF, 0xFF, 0xFF]);
    let long = assembler.wide_entry(5, 41);
    assembler.method("m", "()V", &[18, int as u8, 18, int as u8, 20, 0, long as u8, 177], &[]);
    let bytes = assembler.finish("T");
    let all = mutants(&bytes, &Operator::ALL).unwrap();
    // The greatest int has no successor.
    assert_eq!(
        changes(&bytes),
        ["2147483647 -> 2147483646", "2147483647 -> 2147483646", "41L -> 42L", "41L -> 40L"]
    );
    for mutant in &all {
        differs_in_one_place(&bytes, mutant);
    }
    // A short index has no room beyond 255.
    let mut assembler = Assembler::new((50, 0));
    let int = assembler.entry(&[3, 0, 0, 0, 9]);
    for n in 0..300 {
        assembler.utf8(&n.to_string());
    }
    assembler.method("m", "()V", &[18, int as u8, 19, 0, int as u8, 177], &[]);
    assert_eq!(changes(&assembler.finish("T")), ["9 -> 10", "9 -> 8"]);
}

#[test]
fn every_mutant_of_every_kind_is_accepted_by_the_verifier() {
    let root = folder("mutants");
    let classes = root.join("classes");
    let jdk = find_jdk().unwrap();
    let mut javac = Command::new(jdk.program("javac").expect("the JDK has no javac"));
    javac.arg("-g").arg("-d").arg(&classes).arg(own("tests/mutants/Every.java"));
    let output = javac.arg(own("../../java/mutants/Load.java")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let original = std::fs::read(classes.join("Every.class")).unwrap();
    let all = mutants(&original, &Operator::ALL).unwrap();
    let mut java = Command::new(jdk.program("java").expect("the JDK has no java"));
    java.arg("-cp").arg(&classes).arg("Load");
    for (number, mutant) in all.iter().enumerate() {
        differs_in_one_place(&original, mutant);
        let folder = root.join(format!("{number:03}"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("Every.class"), mutant.of(&original).unwrap()).unwrap();
        java.arg(folder);
    }
    // A change that the verifier must see: a sum of ints where there are longs.
    let broken = root.join("broken");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("Every.class"), with_wrong_sum(&original)).unwrap();
    let output = java.arg(&broken).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let refused: Vec<&str> = said.lines().filter(|line| line.contains('\t')).collect();
    assert!(refused.len() == 1 && refused[0].contains("VerifyError"), "{said}");
    assert!(said.ends_with("done\n"), "{}", String::from_utf8_lossy(&output.stderr));
    counts(&original, &all);
}

/// How many there are in each method: of `assert` only its condition, nothing in what a lambda became.
fn counts(original: &[u8], all: &[Mutant]) {
    let class = read(original).unwrap();
    let mut of: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for mutant in all {
        let name = class.methods[mutant.method as usize].name.to_string();
        of.entry(name).or_default()[mutant.operator as usize] += 1;
    }
    let text: Vec<String> = of.iter().map(|(name, counts)| format!("{name} {counts:?}")).collect();
    let expected = [
        "both [2, 0, 0, 2]",
        "choose [2, 0, 0, 4]",
        "constants [0, 5, 0, 13]",
        "doubles [0, 7, 0, 3]",
        "floats [0, 8, 0, 4]",
        "ints [0, 6, 6, 12]",
        "longs [0, 6, 6, 12]",
        "references [3, 0, 0, 2]",
        "relations [52, 12, 0, 2]",
    ];
    assert_eq!(text, expected);
}

/// The first `ladd` becomes an `iadd`.
fn with_wrong_sum(original: &[u8]) -> Vec<u8> {
    let class = read(original).unwrap();
    let method = class.methods.iter().find(|method| &*method.name == "longs").unwrap();
    let code = method.code.as_ref().unwrap();
    let is_sum = |i: &Instruction| matches!(i, Instruction::Arith(Kind::Long, evergreen_classfile::Op::Add));
    let at = code.offsets[code.instructions.iter().position(is_sum).unwrap()];
    let mut bytes = original.to_vec();
    bytes[method.body.unwrap().offset as usize + 8 + at as usize] = 96;
    bytes
}

#[test]
fn bytes_of_another_class_are_refused() {
    let mutant = &mutants(&class_of(&[3, 4, 96, 87, 177]), &Operator::ALL).unwrap()[0];
    assert!(mutant.of(&[0xCA, 0xFE]).is_err());
    assert!(mutants(b"no class", &Operator::ALL).is_err());
    let other = Assembler::new((50, 0)).finish("T");
    assert!(mutant.of(&other).is_err());
}
