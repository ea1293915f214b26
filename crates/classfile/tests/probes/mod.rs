//! Probed classes on the real JVMs: their output is unchanged, and they report the branches that were taken.

mod structure;
use crate::support;

use evergreen_classfile::{
    Arm, ClassFile, Jdk, Lines, PROBED_JVM_FLAGS, ProbeOptions, Probed, find_jdk, installed_jdks,
    plant_probes, read,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A folder for one test, emptied first.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn succeed(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The sources of this folder and two long classes, compiled for Java 17; once for all tests.
fn compiled() -> &'static Path {
    static ONCE: OnceLock<PathBuf> = OnceLock::new();
    ONCE.get_or_init(|| {
        let out = folder("compiled");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probes");
        let mut javac = Command::new(find_jdk().unwrap().program("javac").expect("the JDK has no javac"));
        javac.args(["-g", "--release", "17", "-d"]).arg(&out);
        javac.args(["Arms.java", "Shapes.java", "Probe.java"].map(|file| sources.join(file)));
        for (class, count) in [("Long", 1_500), ("TooLong", 2_500)] {
            let file = out.join(format!("{class}.java"));
            std::fs::write(&file, many_branches(class, count)).unwrap();
            javac.arg(file);
        }
        succeed(javac);
        out
    })
}

/// A folder with the compiled classes whose names begin with `class`, and the one that probes call.
fn copies(name: &str, class: &str) -> PathBuf {
    let to = folder(name);
    std::fs::create_dir_all(to.join("evergreen")).unwrap();
    std::fs::copy(compiled().join("evergreen/Probe.class"), to.join("evergreen/Probe.class")).unwrap();
    for file in std::fs::read_dir(compiled()).unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_name().unwrap();
        if name.to_string_lossy().starts_with(class) && file.is_file() {
            std::fs::copy(&file, to.join(name)).unwrap();
        }
    }
    to
}

/// The output of a program, and the numbers of the probes it hit.
fn run(jdk: &Jdk, folder: &Path, main: &str) -> (String, Vec<usize>) {
    let mut java = Command::new(jdk.program("java").expect("the JDK has no java"));
    java.args(PROBED_JVM_FLAGS).args(["-ea", "-Xint", "-cp"]).arg(folder).arg(main);
    let output = succeed(java);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let hits = errors.lines().find_map(|line| line.strip_prefix("hits")).unwrap_or_default();
    let hits = hits.split_whitespace().map(|n| n.parse().unwrap()).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), hits)
}

/// The installed JDKs that we promise to work with; there must be one.
fn jdks() -> Vec<Jdk> {
    let jdks: Vec<Jdk> = installed_jdks().into_iter().filter(|jdk| jdk.feature >= 17).collect();
    assert!(!jdks.is_empty(), "no JDK of version 17 or later is installed\nhelp: run scripts/setup.sh java");
    jdks
}

/// Replaces a class in `folder` by one with probes.
fn plant(folder: &Path, class: &str, options: &ProbeOptions) -> (ClassFile, Probed) {
    let file = folder.join(format!("{class}.class"));
    let bytes = std::fs::read(&file).unwrap();
    let probed = plant_probes(&bytes, options).unwrap();
    std::fs::write(file, &probed.bytes).unwrap();
    read(&probed.bytes).unwrap();
    (read(&bytes).unwrap(), probed)
}

/// Branches as text: method, line and arm, a line per call of a method.
fn branches(class: &ClassFile, probed: &Probed, hits: &[usize]) -> String {
    let mut text = String::new();
    let mut before = "";
    for probe in hits.iter().map(|&n| probed.probes[n]) {
        let name = &*class.methods[probe.method as usize].name;
        if name != before {
            write!(text, "\n{name}:").unwrap();
            before = name;
        }
        write!(text, " {} {}", probe.line.unwrap(), probe.arm).unwrap();
        text.push(',');
    }
    text
}

#[test]
fn branches_are_told_as_they_were_taken() {
    let out = copies("arms", "Arms");
    let (class, probed) = plant(&out, "Arms", &ProbeOptions::default());
    assert!(probed.left.is_empty());
    let expected = "
sign: 3 not taken, 3 taken, 5 not taken, 3 taken, 5 taken,
table: 9 case 0, 9 default, 9 case 3,
lookup: 21 case 1, 21 default,
loop: 32 not taken, 32 not taken, 32 taken,
same: 38 not taken, 38 not taken, 38 taken, 38 not taken, 38 taken,";
    for jdk in jdks() {
        let (printed, hits) = run(&jdk, &out, "Arms");
        assert_eq!(printed, "0\noneothertwo or four\nhighbetween\n1\ntrue false false\n");
        assert_eq!(branches(&class, &probed, &hits), expected, "JDK {}", jdk.feature);
    }
}

#[test]
fn lines_are_told_as_they_were_entered() {
    let out = copies("lines", "Arms");
    let options = ProbeOptions { lines: Lines::Yes, ..ProbeOptions::default() };
    let (class, probed) = plant(&out, "Arms", &options);
    let (_, hits) = run(&find_jdk().unwrap(), &out, "Arms");
    let lines = hits.iter().map(|&n| probed.probes[n]).filter(|p| p.arm == Arm::Line);
    let of = |name: &str| {
        let own = lines.clone().filter(|p| &*class.methods[p.method as usize].name == name);
        own.map(|p| p.line.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(of("sign"), [3, 4, 3, 5, 3, 5]);
    assert_eq!(of("loop"), [31, 32, 33, 32, 33, 32, 34]);
    assert_eq!(of("main"), [42, 43, 44, 45, 46, 47]);
}

#[test]
fn programs_print_what_they_printed() {
    let out = copies("shapes", "Shapes");
    let plain: Vec<_> = jdks().iter().map(|jdk| run(jdk, &out, "Shapes")).collect();
    assert!(plain[0].0.contains("zero at line 33") && plain[0].1.is_empty(), "{}", plain[0].0);
    let options = ProbeOptions { lines: Lines::Yes, ..ProbeOptions::default() };
    // Numbers beyond those that fit into an instruction, too.
    let firsts = [("Shapes", 32_700), ("Shapes$Color", 0), ("Shapes$Point", 100), ("Shapes$Shape", 1 << 30)];
    for (class, first) in firsts {
        let (_, probed) = plant(&out, class, &ProbeOptions { first, ..options.clone() });
        assert!(probed.left.is_empty() && (class != "Shapes" || probed.probes.len() > 100));
    }
    for (jdk, plain) in jdks().iter().zip(plain) {
        let (printed, hits) = run(jdk, &out, "Shapes");
        assert_eq!(printed, plain.0, "JDK {}", jdk.feature);
        assert!(hits.len() > 300);
    }
}

/// The source of a class with a method of `count` branches, and a `main` that calls it.
fn many_branches(class: &str, count: usize) -> String {
    let mut source = format!("public class {class} {{ static int f(int x) {{ int s = 0; for (;;) {{\n");
    for i in 0..count {
        writeln!(source, "if (x == {i}) s += 3;").unwrap();
    }
    source += "if (++x >= 3) return s; } }\n";
    source + "public static void main(String[] a) { System.out.println(f(0)); } }\n"
}

#[test]
fn long_methods_get_far_jumps() {
    let out = copies("long", "Long");
    let (class, probed) = plant(&out, "Long", &ProbeOptions::default());
    let new = read(&probed.bytes).unwrap();
    let size = |class: &ClassFile| {
        *class.method("f", "(I)I").unwrap().code.as_ref().unwrap().offsets.last().unwrap()
    };
    assert!(probed.left.is_empty() && size(&class) < 0x7000 && size(&new) > 0x9000);
    for jdk in jdks() {
        let (printed, hits) = run(&jdk, &out, "Long");
        assert_eq!(printed, "9\n");
        assert_eq!(hits.len(), 3 * 1_501);
        let met = hits.iter().map(|&n| probed.probes[n]).filter(|p| p.arm == Arm::Fallthrough).count();
        // One for each of 0, 1, 2, and the last condition's, which javac turns around.
        assert_eq!(met, 3 + 1);
    }
}

#[test]
fn too_long_methods_get_no_probes() {
    let out = copies("too_long", "TooLong");
    let (class, probed) = plant(&out, "TooLong", &ProbeOptions::default());
    assert_eq!(probed.probes, []);
    assert_eq!(&*class.methods[probed.left[0].method as usize].name, "f");
    assert_eq!(probed.left[0].why, "with probes it would be longer than 64 KB");
    assert_eq!(run(&find_jdk().unwrap(), &out, "TooLong").0, "9\n");
}

#[test]
fn subroutines_survive() {
    // main: a subroutine prints its argument unless it is zero; it is called with 0 and 1.
    let mut assembler = support::Assembler::new((49, 0));
    let out_field = assembler.member(9, "java/lang/System", "out", "Ljava/io/PrintStream;").to_be_bytes();
    let print = assembler.member(10, "java/io/PrintStream", "println", "(I)V").to_be_bytes();
    let mut code = vec![3, 60, 168, 0, 11, 4, 60, 201, 0, 0, 0, 6, 177];
    // The subroutine starts at 13.
    code.extend([77, 27, 153, 0, 10, 178, out_field[0], out_field[1], 27, 182, print[0], print[1], 169, 2]);
    assembler.method("main", "([Ljava/lang/String;)V", &code, &[]);
    let out = copies("subroutines", "S.");
    std::fs::write(out.join("S.class"), assembler.finish("S")).unwrap();
    assert_eq!(run(&find_jdk().unwrap(), &out, "S").0, "1\n");
    let (_, probed) = plant(&out, "S", &ProbeOptions::default());
    for jdk in jdks() {
        let (printed, hits) = run(&jdk, &out, "S");
        assert_eq!(printed, "1\n");
        assert_eq!(
            hits.iter().map(|&n| probed.probes[n].arm).collect::<Vec<_>>(),
            [Arm::Taken, Arm::Fallthrough]
        );
    }
}
