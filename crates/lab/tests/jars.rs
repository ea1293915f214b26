//! Methods of libraries: what is explored completely, why others are not, and what a second run does not do
//! again.

use crate::common::{Folder, lab, product};
use evergreen_java::classfile::find_jdk;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

const SOURCE: &str = "\
public class Shelf {
    public static int most(int a, int b) { return a < b ? b : a; }
    public static int sum(int[] all) { int sum = 0; for (int one : all) sum += one; return sum; }
    public static void read(String name) throws Exception { new java.io.FileReader(name).read(); }
    public static int other(Shelf other) { return other.hashCode() == 3 ? 1 : 2; }
    public static class Book { public int pages(boolean all) { return all ? 100 : 1; } }
    static class Hidden { public int pages() { return 0; } }
    int own() { return 1; }
}
";

/// A jar with these classes.
fn jar(folder: &Folder) -> PathBuf {
    let jdk = find_jdk().expect("a JDK");
    let tool = |name: &str| Command::new(jdk.program(name).expect("a program of the JDK"));
    let (source, classes, jar) =
        (folder.file("Shelf.java", SOURCE), folder.path("classes"), folder.path("shelf.jar"));
    let compiled = tool("javac").arg("-d").arg(&classes).arg(source).status().expect("javac starts");
    let packed = tool("jar").arg("--create").arg("--file").arg(&jar).arg("-C").arg(classes).arg(".").status();
    assert!(compiled.success() && packed.expect("jar starts").success());
    jar
}

/// Runs the study: the results by method, and the sums.
fn run(folder: &Folder, jar: &PathBuf, flags: &[&str]) -> (Vec<Value>, Value) {
    let mut command = lab();
    command.args(["study", "jars"]).arg(jar).args(["--time", "60s", "--json", "--work"]);
    command.arg(folder.path("work")).arg("--evergreen").arg(product()).args(flags);
    let output = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    let (sums, results) = all.split_last().unwrap_or_else(|| panic!("nothing was printed: {said}"));
    assert!(output.status.success(), "{said}");
    (results.to_vec(), sums.clone())
}

#[test]
fn methods_are_explored_once_and_reasons_are_counted() {
    let folder = Folder::new();
    let jar = jar(&folder);
    let (results, sums) = run(&folder, &jar, &[]);
    let of = |name: &str| {
        let is_it =
            |result: &&Value| result["method"].as_str().is_some_and(|method| method.starts_with(name));
        results.iter().find(is_it).unwrap_or_else(|| panic!("no {name} in {results:?}"))
    };
    assert_eq!(results.len(), 5, "{results:?}");
    let most = of("Shelf.most(II)I");
    assert_eq!((&most["kind"], &most["simple"], &most["paths"]), (&"all".into(), &true.into(), &2.into()));
    assert_eq!(
        (&most["covered"], &most["branches"], &most["divergences"]),
        (&2.into(), &2.into(), &0.into())
    );
    let sum = of("Shelf.sum([I)I");
    assert_eq!((&sum["kind"], &sum["bounds"]), (&"within".into(), &serde_json::json!(["input_length"])));
    assert_eq!(of("Shelf$Book.pages(Z)I")["simple"], true);
    assert_eq!(of("Shelf.other")["simple"], false);
    let read = of("Shelf.read");
    assert!(read["kind"] != "all" && read["kind"] != "within", "{read}");
    assert_eq!(
        read["reasons"].as_array().map_or(0, Vec::len),
        sums["reasons"].as_object().map_or(0, |r| r.len())
    );
    assert_eq!((&sums["all"]["methods"], &sums["simple"]["methods"]), (&5.into(), &4.into()));
    let file = folder.path("work/results-60000ms.jsonl");
    let lines = || std::fs::read_to_string(&file).expect("results").lines().count();
    assert_eq!(lines(), 5);
    // A smaller sample is in the larger one; nothing of it is explored again.
    let page = folder.text("page.md");
    let (fewer, _) = run(&folder, &jar, &["--sample", "2", "--page", &page]);
    assert_eq!((&fewer[..], lines()), (&results[..2], 5));
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("| shelf |      5 |       2 |"), "{page}");
    let reason = read["reasons"][0].as_str().expect("a reason");
    run(&folder, &jar, &["--again", reason]);
    assert_eq!(lines(), 6);
}
