//! `explore --draw` and `--report` end to end: files, limits, hostile strings, trouble with places.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A list whose `find` reads as far as it must, and fails with a message that is no markup.
const CHAIN: &str = r#"
public class Chain {
    static class Link { Link next; int value; String name; }
    Link first;
    public boolean repOK() {
        Link slow = first;
        Link fast = first;
        while (fast != null && fast.next != null) {
            slow = slow.next;
            fast = fast.next.next;
            if (slow == fast) return false;
        }
        return true;
    }
    public int find(int value) {
        int at = 0;
        for (Link link = first; link != null; link = link.next, at++) {
            if (link.value == value) return at;
        }
        throw new IllegalStateException("<script>alert('none')</script>");
    }
}
"#;

fn explore(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", path).env("EVERGREEN_STORE", folder.path("store")).env("XDG_CACHE_HOME", cache);
    command.arg("explore").arg(folder.file("Chain.java", CHAIN));
    command.args(["--method", "find", "--heap", "li", "--scope", "2", "--fail-on", "declared"]);
    command
}

fn read(path: PathBuf) -> String {
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn structures_are_drawn_and_reported() {
    let folder = Folder::new();
    let (pictures, page, out) = (folder.text("pictures"), folder.text("page.html"), folder.text("out"));
    let output = run(explore(&folder).args(["--draw", &pictures, "--report", &page, "--out", &out]), "");
    let text = stdout(&output);
    // Lists of 0, 1 and 2 links: not found in three, found at 0 or 1.
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    assert!(text.contains("1 finding on 5 paths of 1 method"), "{text}");
    assert!(text.contains(&format!("5 structures are drawn in {pictures}")), "{text}");
    assert!(text.contains(&format!("the report is {page}")), "{text}");
    assert!(text.contains("    objects this {first: null}"), "{text}");
    let again = text.lines().find(|line| line.trim_start().starts_with("again")).expect("a command");
    assert!(again.contains("--heap li --scope 2"), "{again}");
    let mut names: Vec<String> = std::fs::read_dir(&pictures)
        .expect("a folder")
        .map(|file| file.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names.len(), 10);
    assert_eq!((names[0].as_str(), names[9].as_str()), ("path-0001.dot", "path-0005.svg"));
    let drawn: Vec<String> =
        (1..=5).map(|n| read(folder.path("pictures").join(format!("path-000{n}.svg")))).collect();
    assert!(
        drawn.iter().all(|svg| svg.contains(">this: Chain</text>") && !svg.contains("<script")),
        "{drawn:?}"
    );
    // Nobody reads names; of a link that was found at once, `next` is not read by the path either.
    assert!(drawn.iter().any(|svg| svg.contains(">name ?</text>")), "{drawn:?}");
    let report = read(folder.path("page.html"));
    assert!(report.starts_with("<!DOCTYPE html>") && report.ends_with("</html>\n"));
    assert!(
        report.contains("&lt;script&gt;alert(&#39;none&#39;)") && !report.contains("<script"),
        "{report}"
    );
    assert!(report.contains("<code>ChainTest.find_throwsIllegalStateExceptionAtLine20</code>"), "{report}");
    // Five rows and the finding.
    assert_eq!(report.matches("<svg").count(), 6, "{report}");
    assert_eq!(report.matches("<tr class=\"noted\">").count(), 3);
    assert_eq!(report.matches("<tr class=\"fine\">").count(), 2);
}

#[test]
fn too_many_are_not_drawn_and_places_must_exist() {
    let folder = Folder::new();
    let pictures = folder.text("pictures");
    let output = run(explore(&folder).args(["--no-replay", "--draw", &pictures, "--draw-most", "2"]), "");
    let told = format!("2 structures are drawn in {pictures}; 3 more are not (--draw-most)");
    assert!(stdout(&output).contains(&told), "{}", stdout(&output));
    assert_eq!(std::fs::read_dir(&pictures).expect("a folder").count(), 4);
    let output =
        run(explore(&folder).args(["--no-replay", "--json", "--draw", &pictures, "--draw-most", "2"]), "");
    let last = stdout(&output).lines().last().unwrap_or_default().to_string();
    assert!(last.contains(r#""drawn":{"left_out":3,"structures":2}"#), "{last}");
    let nowhere = folder.text("no/where.html");
    for wrong in [["--report", &nowhere], ["--draw", &folder.text("Chain.java")], ["--draw-most", "3"]] {
        let output = run(explore(&folder).arg("--no-replay").args(wrong), "");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", stdout(&output));
        assert!(
            stderr(&output).contains(wrong[1]) || stderr(&output).contains("--draw"),
            "{}",
            stderr(&output)
        );
    }
}
