//! Class files whose names are meant to do harm, through every writer: what is written is compiled, parsed or
//! taken apart, and has to be what it should be; and nothing is written anywhere else.
//!
//! javac makes classes with harmless names, which are replaced in the constant pools: the JVM takes nearly
//! everything for a name. Each package has names of its own, drawn from a list with a fixed seed, so that one
//! run of each command sees them all.

use crate::common::{Folder, find, isolated, stderr, stdout};
use evergreen_java::classfile::find_jdk;
use evergreen_java::replay::{Fate, Junit, JunitJars, JunitOptions, Suite, run_junit};
use evergreen_testing::random::Random;
use evergreen_testing::tools::repository;
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::fd::FromRawFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// Packages, each with hostile names.
const PACKAGES: usize = 24;

/// Packages whose versions are compared.
const DIFFERENT: usize = 6;

/// What stands for a name in the template. None of them is part of another, or of anything else.
const CLASS: &str = "Qclassq";
const THROWN: &str = "Qthrownq";
const KIND: &str = "Qkindq";
const CONSTANT: &str = "Qconstantq";
const STATIC: &str = "Qstaticq";
const METHOD: &str = "Qmethodq";
const FIELD: &str = "Qfieldq";
const PARAMETER: &str = "Qparameterq";
const SOURCE: &str = "Qclassq.java";

const TEMPLATE: &str = "package Qpackageq;
public class Qclassq {
    public int Qfieldq;
    public Qclassq() {}
    public void set(int Qparameterq) { Qfieldq = Qparameterq; }
    public static int Qstaticq(int Qparameterq, Qclassq other) {
        if (Qparameterq == 7) throw new Qthrownq(\"Qparameterq\");
        return Qparameterq > 3 ? 1 : other == null ? 2 : 3;
    }
    public Object Qmethodq(Qkindq kind, Qclassq[] all) {
        if (Qfieldq == 5) throw new IllegalStateException(\"five\");
        if (kind == Qkindq.Qconstantq) return kind;
        return all == null ? \"none\" : this;
    }
}
";
const TEMPLATE_THROWN: &str = "package Qpackageq;
public class Qthrownq extends RuntimeException { public Qthrownq(String message) { super(message); } }
";
const TEMPLATE_KIND: &str = "package Qpackageq;
public enum Qkindq { Qconstantq, OTHER }
";

/// Names that the JVM takes, and somebody else might not.
const NAMES: &[&str] = &[
    "x*\\u002f class Evil {} \\u002f*",
    "x*\\u002f static { int evil } \\uuu002f*",
    "H\"-evil",
    "*\\u002f",
    "\\u0022 + Evil + \\u0022",
    "\\u000a class Evil {}",
    "\\",
    "a\\u",
    "a\nclass Evil {}",
    "a\r\nEvil",
    "\t",
    " ",
    "a b",
    "'",
    "\"",
    "`touch pwned`",
    "$(touch pwned)",
    "&& touch pwned",
    "& touch pwned &",
    "a' 'touch pwned",
    "-rf",
    "--out",
    "~",
    "*",
    "a|b",
    "||",
    "](http:\\\\evil)",
    "!](evil)",
    "{@link Evil}",
    "@Test",
    "&lt",
    "&",
    "]]",
    "%2e%2e",
    "%",
    // Behind the letters of a scheme the JVM's own class path does not find it.
    "\\C:evil",
    "\u{1b}cred\u{1b}]0 title\u{7}",
    "\u{9b}2J",
    "\u{202e}live\u{2066}",
    "\u{200b}",
    "\u{2028}",
    "\u{feff}",
    "\u{7f}",
    "\u{fffe}",
    "int",
    "class",
    "var",
    "record",
    "yield",
    "null",
    "_",
    "1",
    "1a",
    "a$b",
    "$",
    "a$",
    "$$a",
    "a$1",
    "\u{e9}t\u{e9}",
    "caf\u{e9}\u{301}",
    "\u{b2}",
    "\u{10400}",
    "\u{4f60}\u{597d}",
    "Object",
    "String",
    "System",
    "Throwable",
    "Class",
    "Test",
    "Method",
    "java",
    "hashCode",
    "toString",
    "wait",
    "make",
    "this",
    "result",
    "con",
    "=",
    "a=1",
    ",",
    "#",
    "\u{0}",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// More of them, for what may have `<` and `>` in it: classes, fields, not methods.
const TAGS: &[&str] = &["<script>alert(1)<", "<b>", "-->", "<!--", "]]>", "<img src=x onerror=y>"];

/// What class files say of their sources.
const SOURCES: &[&str] = &[
    "..",
    "../../../etc/passwd",
    "/etc/passwd",
    "..\\..\\evil",
    "C:\\evil.java",
    "http://evil/x.java",
    "file:///etc/passwd",
    "//host/share",
    "a/../../b",
    "%2e%2e/x",
    "\u{1b}[2J.java",
    "\u{202e}.java",
    "a\0.java",
    "a\n.java",
    "",
    "A b.java",
];

/// The names of a package.
struct Hostile {
    package: String,
    class: String,
    method: String,
    renamed: Vec<(&'static str, String)>,
}

fn hostile(number: usize, random: &mut Random) -> Hostile {
    let mut pick = |from: &[&[&str]]| {
        let all: Vec<&str> = from.concat();
        random.choose(&all).to_string()
    };
    let is_file = |name: &String| !name.contains('\0') && name.len() < 200;
    let mut file = |from: &[&[&str]]| loop {
        let name = pick(from);
        if is_file(&name) {
            return name;
        }
    };
    // Some classes have no package, which Java treats in its own way.
    let package = match number % 8 {
        0 => String::new(),
        _ => format!("{}{number}", file(&[NAMES, TAGS])),
    };
    let (class, thrown, kind) = (file(&[NAMES, TAGS]), file(&[NAMES]), file(&[NAMES, TAGS]));
    // Those of one package, and all without one, have to differ.
    let differ = |name: String, role: usize| {
        format!("{name}{}", if number.is_multiple_of(8) { number * 3 + role } else { role })
    };
    let (thrown, kind) = (differ(thrown, 1), differ(kind, 2));
    let class = if number.is_multiple_of(8) && number > 0 { format!("{class}{number}") } else { class };
    let method = pick(&[NAMES]);
    let renamed = vec![
        (SOURCE, SOURCES[number % SOURCES.len()].to_string()),
        (CLASS, class.clone()),
        (THROWN, thrown),
        (KIND, kind),
        (CONSTANT, pick(&[NAMES, TAGS])),
        (STATIC, method.clone()),
        (METHOD, format!("{}_", pick(&[NAMES]))),
        (FIELD, pick(&[NAMES, TAGS])),
        (PARAMETER, pick(&[NAMES, TAGS])),
    ];
    Hostile { package, class, method, renamed }
}

/// Modified UTF-8, as class files have it.
fn modified(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in text.encode_utf16() {
        match unit {
            0x01..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
            _ => bytes.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | ((unit >> 6) & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
    bytes
}

/// A class file with other names in its constant pool.
fn renamed(class: &[u8], names: &Hostile) -> Vec<u8> {
    let u16_at = |at: usize| usize::from(u16::from_be_bytes([class[at], class[at + 1]]));
    let (mut out, mut at) = (class[..10].to_vec(), 10);
    let (count, mut entry) = (u16_at(8), 1);
    while entry < count {
        let size = match class[at] {
            1 => {
                let text = std::str::from_utf8(&class[at + 3..at + 3 + u16_at(at + 1)]).expect("ASCII");
                let package =
                    if names.package.is_empty() { String::new() } else { format!("{}/", names.package) };
                let mut text = text.replace("Qpackageq/", &package);
                for (from, to) in &names.renamed {
                    text = text.replace(from, to);
                }
                let bytes = modified(&text);
                out.push(1);
                out.extend((bytes.len() as u16).to_be_bytes());
                out.extend(bytes);
                at += 3 + u16_at(at + 1);
                entry += 1;
                continue;
            }
            3 | 4 | 9 | 10 | 11 | 12 | 17 | 18 => 5,
            5 | 6 => 9,
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            tag => panic!("pool entry {tag}"),
        };
        entry += if size == 9 { 2 } else { 1 };
        out.extend(&class[at..at + size]);
        at += size;
    }
    out.extend(&class[at..]);
    out
}

/// Classes with names of the list, in a folder.
fn classes(folder: &Folder) -> Vec<Hostile> {
    let mut random = Random::new(5);
    let all: Vec<Hostile> = (0..PACKAGES).map(|number| hostile(number, &mut random)).collect();
    write_classes(folder, "classes", TEMPLATE, &all);
    all
}

/// Writes classes with these names.
fn write_classes(folder: &Folder, root: &str, template: &str, all: &[Hostile]) {
    let sources = [("Qclassq", template), ("Qthrownq", TEMPLATE_THROWN), ("Qkindq", TEMPLATE_KIND)];
    let mut javac = Command::new("javac");
    javac.args(["-g", "-nowarn", "-d"]).arg(folder.path("template"));
    for (name, text) in sources {
        javac.arg(folder.file(&format!("{name}.java"), text));
    }
    let done = javac.output().expect("these tests need javac on PATH");
    assert!(done.status.success(), "javac: {}", stderr(&done));
    for names in all {
        let place = match names.package.as_str() {
            "" => folder.path(root),
            package => folder.path(root).join(package),
        };
        std::fs::create_dir_all(&place).expect("a folder");
        for (name, _) in sources {
            let class = std::fs::read(folder.path("template/Qpackageq").join(format!("{name}.class")))
                .expect("a class");
            let own = names.renamed.iter().find(|(from, _)| *from == name).expect("its name");
            std::fs::write(place.join(format!("{}.class", own.1)), renamed(&class, names)).expect("a class");
        }
    }
}

/// A command that runs in a folder of its own, in which nothing is to appear.
fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", path).env("XDG_CACHE_HOME", cache).env("EVERGREEN_STORE", "memory:");
    std::fs::create_dir_all(folder.path("work")).expect("a folder");
    command.current_dir(folder.path("work"));
    command
}

fn explore(folder: &Folder, extra: &[&str]) -> Output {
    let mut command = evergreen(folder);
    command.args(["explore", "../classes", "--heap", "li", "--scope", "2", "--time", "0"]);
    command.args(["--fail-on", "null"]).args(extra);
    command.output().expect("explore")
}

/// All files below a folder.
fn files(root: &Path) -> BTreeSet<PathBuf> {
    let (mut all, mut open) = (BTreeSet::new(), vec![root.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for file in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = file.expect("a file").path();
            if path.is_dir() {
                open.push(path);
            } else {
                all.insert(path);
            }
        }
    }
    all
}

/// That nothing in a text is an order to a terminal.
fn assert_harmless(text: &str) {
    let active = |c: char| {
        (c.is_control() && c != '\n')
            || ('\u{202a}'..='\u{202e}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    let found = text.char_indices().find(|(_, c)| active(*c));
    assert!(found.is_none(), "{:?}", found.map(|(at, _)| text[..at + 4].lines().last()));
}

/// That tags of HTML or XML are ours, and closed.
fn assert_tags(text: &str, from: &str) {
    const KNOWN: &str = " html head meta title style body h1 h2 h3 p code table thead tbody tr th td \
        details summary article span dl dt dd ol li ul div a strong b i em small section figure figcaption \
        svg g rect text tspan path line circle marker defs polygon polyline desc ";
    const EMPTY: [&str; 3] = ["meta", "br", "hr"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').unwrap_or_else(|| panic!("{from}: a tag is open: {:.60}", rest));
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['!', '?']) {
            continue;
        }
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default();
        assert!(KNOWN.contains(&format!(" {name} ")), "{from}: <{tag}>");
        assert_eq!(tag.matches('"').count() % 2, 0, "{from}: <{tag}>");
        let unquoted: String = tag.split('"').step_by(2).collect();
        assert!(!unquoted.split(' ').any(|word| word.starts_with("on")), "{from}: <{tag}>");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{from}: <{tag}>");
        } else if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(name);
        }
        if name == "style" && !tag.starts_with('/') {
            let end = rest.find("</style>").expect("an end of the style");
            rest = &rest[end..];
        }
    }
    assert!(open.is_empty(), "{from}: {open:?}");
}

/// That rows of tables have as many cells as their heads.
fn assert_table(text: &str) {
    let mut cells = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            cells = None;
            continue;
        }
        let bars = line.replace("\\|", "").matches('|').count();
        assert_eq!(*cells.get_or_insert(bars), bars, "{line}");
        // Whatever comes from the program stands in code.
        let mut outside = String::new();
        for cell in line.replace("\\|", "/").split('|') {
            let cell = cell.trim();
            let fence = cell.len() - cell.trim_start_matches('`').len();
            match fence {
                0 => outside.push_str(cell),
                fence => assert!(
                    cell.len() >= 2 * fence
                        && cell.ends_with(&"`".repeat(fence))
                        && !cell[fence..cell.len() - fence].trim_matches(' ').contains(&"`".repeat(fence)),
                    "{line}"
                ),
            }
        }
        assert!(!outside.contains(['<', '[', '`']), "{line}");
    }
}

/// That a place is in the project: relative, without a scheme, and not above it. `../classes` is what the
/// command was called with.
fn assert_inside(uri: &str) {
    let rest = uri.strip_prefix("../classes/").unwrap_or(uri);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~$%/".contains(c);
    assert!(rest.chars().all(is_plain), "{uri}");
    assert!(!rest.is_empty() && !rest.starts_with('/'), "{uri}");
    assert!(rest.split('/').all(|part| !matches!(part, "" | "." | "..")), "{uri}");
}

/// What a shell makes of commands: their words.
fn words_of(commands: &[String], folder: &Folder) -> Vec<Vec<String>> {
    let script =
        format!("evergreen() {{ printf '%s\\0' \"$@\"; printf '\\1\\0'; }}\n{}\n", commands.join("\n"));
    let script = folder.file("again.sh", script);
    let mut bash = Command::new("bash");
    let run = bash.arg(script).current_dir(folder.path("work")).output().expect("these tests need bash");
    assert!(run.status.success() && run.stderr.is_empty(), "{}", stderr(&run));
    let text = String::from_utf8(run.stdout).expect("UTF-8");
    let mut all = vec![Vec::new()];
    for word in text.split('\0') {
        match word {
            "\u{1}" => all.push(Vec::new()),
            word => all.last_mut().expect("a list").push(word.to_string()),
        }
    }
    all.pop();
    all
}

#[test]
fn hostile_names_stay_names_in_all_that_is_written() {
    let folder = Folder::new();
    let all = classes(&folder);
    let before = files(&folder.path(""));
    let flags = [
        "--out",
        "../out",
        "--sarif",
        "../x.sarif",
        "--markdown",
        "../x.md",
        "--report",
        "../x.html",
        "--draw",
        "../drawn",
    ];
    let run = explore(&folder, &flags);
    assert_eq!(run.status.code(), Some(1), "{}{}", stdout(&run), stderr(&run));
    assert_harmless(&stdout(&run));
    assert_harmless(&stderr(&run));
    let last = stdout(&run);
    assert!(
        last.contains("0 divergences"),
        "{}{}",
        last.lines().rev().take(8).collect::<Vec<_>>().join("\n"),
        stderr(&run)
    );
    // Whatever was written is where it was wanted.
    for file in files(&folder.path("")).difference(&before) {
        let inside = file.strip_prefix(folder.path("")).expect("below it").to_path_buf();
        let first = inside.components().next().expect("a part").as_os_str().to_string_lossy().into_owned();
        assert!(
            ["out", "x.sarif", "x.md", "x.html", "drawn", "home"].contains(&first.as_str()),
            "{inside:?}"
        );
    }
    let read =
        |name: &str| std::fs::read_to_string(folder.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    // JSON.
    let findings: Value = serde_json::from_str(&read("out/findings.json")).expect("findings");
    let _: Value = serde_json::from_str(&read("out/summary.json")).expect("a summary");
    read("out/paths.jsonl")
        .lines()
        .for_each(|line| drop(serde_json::from_str::<Value>(line).expect("a path")));
    // SARIF.
    let sarif: Value = serde_json::from_str(&read("x.sarif")).expect("SARIF");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert!(results.len() >= all.len());
    for result in results {
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_inside(place["uri"].as_str().expect("a place"));
        assert_eq!(place["uriBaseId"], "%SRCROOT%");
        let message = result["message"]["text"].as_str().expect("a message");
        assert!(!message.replace("\\](", "").contains("]("), "{message}");
        assert_harmless(message);
    }
    // Markdown, HTML and pictures.
    assert_harmless(&read("x.md"));
    assert_table(&read("x.md"));
    assert_harmless(&read("x.html").replace('\t', " "));
    assert_tags(&read("x.html"), "x.html");
    let drawn = files(&folder.path("drawn"));
    assert!(drawn.iter().any(|file| file.extension().is_some_and(|e| e == "svg")));
    for file in drawn {
        let text = std::fs::read_to_string(&file).expect("a picture");
        assert_harmless(&text.replace('\t', " "));
        match file.extension().is_some_and(|e| e == "svg") {
            true => assert_tags(&text, &file.display().to_string()),
            false => assert_dot(&text, &file),
        }
    }
    // Commands that show findings again.
    let again: Vec<String> = findings
        .as_array()
        .expect("a list")
        .iter()
        .map(|f| f["again"].as_str().expect("a command").to_string())
        .collect();
    again.iter().for_each(|line| assert_harmless(line));
    assert!(again.iter().all(|line| !line.contains('\n')));
    let words = words_of(&again, &folder);
    assert_eq!(words.len(), again.len());
    for names in &all {
        let class = if names.package.is_empty() {
            names.class.clone()
        } else {
            format!("{}.{}", names.package, names.class)
        };
        let wanted = format!("{class}.{}(", names.method);
        let is_wanted = |word: &String| word.strip_prefix("--method=").unwrap_or(word).starts_with(&wanted);
        // A shell has no way to pass a zero.
        assert!(wanted.contains('\0') || words.iter().any(|words| words.iter().any(is_wanted)), "{wanted:?}");
    }
    assert_eq!(files(&folder.path("work")), BTreeSet::new(), "a name was run as a command");
    compiled(&folder.path("out/tests"), &folder, PACKAGES);
}

/// A comment that a method's name would end, a class that Java cannot name, a source outside of the project.
#[test]
fn a_name_ends_no_comment_and_a_source_is_in_the_project() {
    let folder = Folder::new();
    let (class, method) = ("H\"-evil".to_string(), "x*\\u002f class Evil {} \\u002f*".to_string());
    let renamed = vec![
        (SOURCE, "../../../etc/passwd".to_string()),
        (CLASS, class.clone()),
        (THROWN, "Thrown".into()),
        (KIND, "Kind".into()),
        (STATIC, method.clone()),
        (METHOD, "m".into()),
    ];
    write_classes(
        &folder,
        "classes",
        TEMPLATE,
        &[Hostile { package: String::new(), class, method: method.clone(), renamed }],
    );
    let selected = format!("H\"-evil.{method}(ILH\"-evil;)I");
    let flags = ["--method", &selected, "--out", "../out", "--sarif", "../x.sarif", "--no-replay"];
    let run = explore(&folder, &flags);
    assert_eq!(run.status.code(), Some(1), "{}{}", stdout(&run), stderr(&run));
    for file in files(&folder.path("out/tests")) {
        let source = std::fs::read_to_string(&file).expect("a source");
        assert!(source.contains("Written by Evergreen."), "{source}");
        let comments: String = source.lines().filter(|line| line.trim_start().starts_with("/**")).collect();
        assert!(!comments.contains("\\u") && !comments.contains("class Evil"), "{comments}");
    }
    compiled(&folder.path("out/tests"), &folder, 1);
    let sarif: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("x.sarif")).expect("SARIF")).expect("JSON");
    let place =
        &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_inside(place.as_str().expect("a place"));
}

/// The same through `evergreen diff`.
#[test]
fn differences_of_hostile_names_are_told_as_names() {
    let folder = Folder::new();
    let mut random = Random::new(3);
    let all: Vec<Hostile> = (0..DIFFERENT).map(|number| hostile(number, &mut random)).collect();
    write_classes(&folder, "old", TEMPLATE, &all);
    write_classes(&folder, "new", &TEMPLATE.replace("> 3 ? 1", "> 3 ? 4"), &all);
    let before = files(&folder.path(""));
    let mut command = evergreen(&folder);
    command.args(["diff", "../old", "../new", "--no-pairs", "--time", "0"]);
    command.args(["--out", "../tests", "--sarif", "../x.sarif", "--markdown", "../x.md"]);
    let run = command.output().expect("diff");
    assert_eq!(run.status.code(), Some(1), "{}{}", stdout(&run), stderr(&run));
    assert_harmless(&stdout(&run));
    assert_harmless(&stderr(&run));
    for file in files(&folder.path("")).difference(&before) {
        let inside = file.strip_prefix(folder.path("")).expect("below it").display().to_string();
        assert!(["tests/", "x.", "home/"].iter().any(|place| inside.starts_with(place)), "{inside}");
    }
    let read =
        |name: &str| std::fs::read_to_string(folder.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let sarif: Value = serde_json::from_str(&read("x.sarif")).expect("SARIF");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert!(results.len() >= DIFFERENT);
    results.iter().for_each(|result| {
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_inside(place["uri"].as_str().expect("a place").trim_start_matches("../new/"));
        assert_harmless(result["message"]["text"].as_str().expect("a message"));
    });
    assert_harmless(&read("x.md"));
    assert_table(&read("x.md"));
    let again = stdout(&run);
    let again: Vec<String> =
        again.lines().filter_map(|line| line.strip_prefix("    again   ")).map(str::to_string).collect();
    assert_eq!(words_of(&again, &folder).len(), again.len());
    assert_eq!(files(&folder.path("work")), BTreeSet::new(), "a name was run as a command");
    // The tests expect what the old version does.
    std::fs::rename(folder.path("old"), folder.path("classes")).expect("the old version");
    compiled(&folder.path("tests"), &folder, DIFFERENT);
}

/// That strings of DOT are closed, and what is beside them is ours.
fn assert_dot(text: &str, file: &Path) {
    let mut outside = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => loop {
                match letters.next().unwrap_or_else(|| panic!("{}: a string is open", file.display())) {
                    '\\' => drop(letters.next()),
                    '"' => break,
                    _ => {}
                }
            },
            '<' if outside.ends_with("label=") => {
                let mut label = String::new();
                let mut depth = 1;
                while depth > 0 {
                    let letter =
                        letters.next().unwrap_or_else(|| panic!("{}: a label is open", file.display()));
                    depth += i32::from(letter == '<') - i32::from(letter == '>');
                    label.push(letter);
                }
                label.pop();
                assert_tags(
                    &label.replace("<font", "<span").replace("</font", "</span"),
                    &file.display().to_string(),
                );
            }
            letter => outside.push(letter),
        }
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " \n{}[]=,;:->./".contains(c);
    assert!(outside.chars().all(is_plain), "{}: {outside}", file.display());
}

/// Compiles JUnit sources and runs them: each passes or is disabled, and there is no other class.
fn compiled(root: &Path, folder: &Folder, packages: usize) {
    let sources = files(root);
    assert!(sources.len() >= packages, "{} sources", sources.len());
    let suite = |file: &PathBuf| {
        let inside = file.strip_prefix(root).expect("below it");
        let package: Vec<String> = inside
            .parent()
            .expect("a folder")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        let class_name = inside.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(file).expect("a source");
        assert!(source.is_ascii(), "{}", file.display());
        let options = JunitOptions {
            version: Junit::Five,
            package: package.join("."),
            class_name,
            misread: Vec::new(),
        };
        Suite { options, source, tests: Vec::new() }
    };
    let suites: Vec<Suite> = sources.iter().map(suite).collect();
    let jdk = find_jdk().expect("a JDK");
    let jars = JunitJars::find(Junit::Five, &[]).expect("JUnit");
    let path = [folder.path("classes")];
    let tests =
        run_junit(&jdk, &path, &jars, &suites, Duration::from_secs(120)).unwrap_or_else(|e| panic!("{e}"));
    let failed: Vec<_> = tests.iter().filter(|test| test.fate == Fate::Failed).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(tests.iter().filter(|test| test.fate == Fate::Passed).count() >= packages, "{}", tests.len());
}

#[test]
fn suites_with_hostile_names_are_read_again() {
    let folder = Folder::new();
    classes(&folder);
    let before = files(&folder.path(""));
    let flags = ["--suite", "../suite", "--no-replay", "--json"];
    let first = explore(&folder, &flags);
    assert_eq!(first.status.code(), Some(1), "{}", stderr(&first));
    let written: BTreeSet<PathBuf> = files(&folder.path("suite"));
    let texts = || {
        files(&folder.path("suite"))
            .iter()
            .map(|file| std::fs::read(file).expect("a file"))
            .collect::<Vec<_>>()
    };
    let old = texts();
    assert!(written.len() >= 2 * PACKAGES, "{} files", written.len());
    // Every line is JSON, and nothing in it is an order to a terminal.
    assert_harmless(&stdout(&first));
    assert_harmless(&stderr(&first));
    stdout(&first).lines().for_each(|line| drop(serde_json::from_str::<Value>(line).expect("JSON")));
    let second = explore(&folder, &flags);
    assert_eq!((second.status.code(), stderr(&second)), (Some(1), String::new()));
    assert_eq!(texts(), old, "an unchanged program changes nothing");
    for file in files(&folder.path("")).difference(&before) {
        assert!(file.starts_with(folder.path("suite")) || file.starts_with(folder.path("home")), "{file:?}");
        assert_harmless(&file.display().to_string());
    }
    compiled(&folder.path("suite/tests"), &folder, PACKAGES);
}

/// A solver's answer is a client's: a pipe has it byte by byte. On a terminal it is text from outside.
#[test]
fn answers_of_solvers_are_escaped_on_terminals_only() {
    let folder = Folder::new();
    let script = "(echo \"a\u{202e}b\u{9b}\")\n(declare-const |\u{2066}c| Int)(assert (= |\u{2066}c| \
        1))(check-sat)(get-value (|\u{2066}c|))\n";
    let file = folder.file("x.smt2", script);
    let solve = || {
        let mut command = evergreen(&folder);
        command.arg("solve").arg(&file);
        command
    };
    let piped = solve().output().expect("solve");
    let bare = Command::new(find("z3")).arg(&file).output().expect("z3");
    assert_eq!(piped.stdout, bare.stdout, "{}", stdout(&piped));
    assert!(stdout(&piped).contains('\u{9b}'));
    let (mut ours, mut theirs) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: two places for descriptors, and no name, settings or size.
    let made = unsafe { libc::openpty(&mut ours, &mut theirs, none, none.cast(), none.cast()) };
    assert_eq!(made, 0, "a terminal");
    // SAFETY: these descriptors were just made, and are nobody else's.
    let (ours, theirs) = unsafe { (std::fs::File::from_raw_fd(ours), std::fs::File::from_raw_fd(theirs)) };
    let mut child = solve().stdout(theirs).spawn().expect("solve");
    let mut shown = Vec::new();
    // It ends with an error when nobody has the other side any more.
    let _ = std::io::Read::read_to_end(&mut &ours, &mut shown);
    assert!(child.wait().expect("its end").success());
    let shown = String::from_utf8(shown).expect("UTF-8").replace("\r\n", "\n");
    assert_harmless(&shown);
    assert!(shown.contains("a\\u{202e}b\\u{9b}\nsat\n((|\\u{2066}c| 1))"), "{shown}");
}

/// Nothing is printed but through `say.rs`, which escapes it.
#[test]
fn all_that_is_printed_goes_through_one_place() {
    let roots = ["crates/cli/src", "crates/host/src", "crates/lab/src"].map(|root| repository().join(root));
    // What looks whether there is a terminal, and what a solver's client reads.
    let allowed = [
        "stderr().is_terminal()",
        "let mut stdout = std::io::stdout().lock();",
        "verbatim(&mut std::io::stdout(), &version)",
        "verbatim(&mut std::io::stdout(), &text)",
        "verbatim(&mut std::io::stderr(), text)",
        "verbatim(&mut std::io::stderr(), &text)",
        "Ok(Box::new(std::io::stderr()))",
    ];
    let mut wrong = Vec::new();
    for file in roots.iter().flat_map(|root| files(root)).filter(|file| !file.ends_with("say.rs")) {
        let text = std::fs::read_to_string(&file).expect("a source");
        for line in text.lines().filter(|line| {
            ["print!(", "println!(", "stdout()", "stderr()"].iter().any(|word| line.contains(word))
        }) {
            if !line.trim_start().starts_with("//") && !allowed.iter().any(|allowed| line.contains(allowed)) {
                wrong.push(format!("{}: {}", file.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
