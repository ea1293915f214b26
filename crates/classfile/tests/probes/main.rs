//! Probed classes on the real JVMs: they print what they printed before, and tell the branches that were taken.

mod structure;
#[path = "../support/mod.rs"]
mod support;

use evergreen_classfile::{
    Arm, ClassFile, Jdk, Lines, PROBED_JVM_FLAGS, ProbeOptions, Probed, find_jdk, installed_jdks,
    plant_probes, read,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

/// Compiles files of this folder for Java 17 into `out`.
fn compile(files: &[&str], out: &Path) {
    let mut javac = Command::new(find_jdk().unwrap().program("javac").expect("the JDK has no javac"));
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probes");
    javac.args(["-g", "--release", "17", "-d"]).arg(out);
    javac.args(files.iter().map(|file| sources.join(file)));
    succeed(javac);
}

/// What a program prints, and the numbers of the probes it hit.
fn run(jdk: &Jdk, folder: &Path, main: &str) -> (String, Vec<usize>) {
    let mut java = Command::new(jdk.program("java").expect("the JDK has no java"));
    java.args(PROBED_JVM_FLAGS).args(["-ea", "-Xint", "-cp"]).arg(folder).arg(main);
    let output = succeed(java);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let hits = errors.lines().find_map(|line| line.strip_prefix("hits")).unwrap_or_default();
    let hits = hits.split_whitespace().map(|n| n.parse().unwrap()).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), hits)
}

/// Both of the JDKs that we promise to work with.
fn jdks() -> Vec<Jdk> {
    let jdks = installed_jdks();
    for feature in [17, 25] {
        assert!(jdks.iter().any(|jdk| jdk.feature == feature), "JDK {feature} is not installed");
    }
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
    let out = folder("arms");
    compile(&["Arms.java", "Probe.java"], &out);
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
    let out = folder("lines");
    compile(&["Arms.java", "Probe.java"], &out);
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
    let out = folder("shapes");
    compile(&["Shapes.java", "Probe.java"], &out);
    let plain: Vec<_> = jdks().iter().map(|jdk| run(jdk, &out, "Shapes")).collect();
    assert!(plain[0].0.contains("zero at line 33") && plain[0].1.is_empty(), "{}", plain[0].0);
    let options = ProbeOptions { lines: Lines::Yes, ..ProbeOptions::default() };
    let mut count = 0;
    for class in ["Shapes", "Shapes$Color", "Shapes$Point", "Shapes$Shape", "Shapes$1"] {
        // Numbers beyond those that fit into an instruction, too.
        let first = [0, 100, 32_700, 70_000, 1 << 30][count];
        let (_, probed) = plant(&out, class, &ProbeOptions { first, ..options.clone() });
        assert!(probed.left.is_empty() && (count > 0 || probed.probes.len() > 100));
        count += 1;
    }
    for (jdk, plain) in jdks().iter().zip(plain) {
        let (printed, hits) = run(jdk, &out, "Shapes");
        assert_eq!(printed, plain.0, "JDK {}", jdk.feature);
        assert!(hits.len() > 300);
    }
}

/// Writes a class with a method of `count` branches, and a `main` that calls it.
fn many_branches(folder: &Path, count: usize) {
    let mut source = String::from(
        "public class Many {\n    static int f(int x) {\n        int s = 0;\n        for (;;) {\n",
    );
    for i in 0..count {
        writeln!(source, "            if (x == {i}) s += 3;").unwrap();
    }
    source += "            if (++x >= 3) return s;\n        }\n    }\n";
    source += "    public static void main(String[] a) { System.out.println(f(0)); }\n}\n";
    std::fs::write(folder.join("Many.java"), source).unwrap();
    let mut javac = Command::new(find_jdk().unwrap().program("javac").unwrap());
    javac.args(["-g:lines", "--release", "17", "-d"]).arg(folder).arg(folder.join("Many.java"));
    succeed(javac);
}

#[test]
fn long_methods_get_far_jumps_and_too_long_ones_no_probes() {
    let out = folder("long");
    compile(&["Probe.java"], &out);
    many_branches(&out, 1_500);
    let (class, probed) = plant(&out, "Many", &ProbeOptions::default());
    assert!(probed.left.is_empty() && class.methods[1].body.unwrap().size < 0x8000);
    let new = read(&probed.bytes).unwrap();
    assert!(new.methods[1].body.unwrap().size > 0x8000);
    for jdk in jdks() {
        let (printed, hits) = run(&jdk, &out, "Many");
        assert_eq!(printed, "9\n");
        assert_eq!(hits.len(), 3 * 1_501);
        let met = hits.iter().map(|&n| probed.probes[n]).filter(|p| p.arm == Arm::Fallthrough).count();
        // One for each of 0, 1, 2, and the last condition's, which javac turns around.
        assert_eq!(met, 3 + 1);
    }
    let long = folder("too_long");
    many_branches(&long, 4_000);
    let (class, probed) = plant(&long, "Many", &ProbeOptions::default());
    assert_eq!(probed.probes, []);
    assert_eq!(&*class.methods[probed.left[0].method as usize].name, "f");
    assert_eq!(probed.left[0].why, "with probes it would be longer than 64 KB");
    assert_eq!(run(&find_jdk().unwrap(), &long, "Many").0, "9\n");
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
    let out = folder("subroutines");
    std::fs::write(out.join("S.class"), assembler.finish("S")).unwrap();
    compile(&["Probe.java"], &out);
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
