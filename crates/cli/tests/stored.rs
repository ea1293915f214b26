//! Whose answers a store on disk may give: those of earlier builds, of other users and of file systems that
//! cannot be written.

use crate::common::{Folder, evergreen, find, run, stderr, stdout};
use evergreen::store::{Key, Memory, OpenOptions, Store, export, open};
use evergreen::{Record, RecordedVerdict};
use serde_json::Value;
use std::fs::Permissions;
use std::ops::ControlFlow;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::{Command, Output};

/// Satisfiable. A build of the first format called it unsatisfiable after it had met `a[0] = 7` in a query
/// without a core.
const QUERY: &str = "(declare-const a (Array Int Int))(declare-const i Int)(declare-const k Int)
(push 1)(assert (= (select a 0) 7))(assert (= (select a i) 8))(check-sat)(pop 1)
";
/// A store and a pack that a build of the first format wrote, with false records, sets and cores in them.
const OLD_STORE: &[u8] = include_bytes!("data/format-1.mdb");
const OLD_PACK: &[u8] = include_bytes!("data/format-1.pack");

fn is_root() -> bool {
    // SAFETY: a plain system call that cannot fail.
    unsafe { libc::geteuid() == 0 }
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
}

fn task(folder: &Folder, arguments: &[&str]) -> Output {
    run(evergreen(folder).arg("store").args(arguments), "")
}

/// What a verb says as JSON.
fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let output = task(folder, &[&["--json"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

fn solve(folder: &Folder, more: &[&str]) -> Output {
    run(evergreen(folder).env("EVERGREEN_REUSE", "full").arg("solve").args(more), QUERY)
}

fn old_store(folder: &Folder) {
    std::fs::create_dir(folder.path("store")).expect("a folder");
    mode(&folder.path("store"), 0o700);
    let data = folder.file("store/data.mdb", OLD_STORE);
    mode(&data, 0o600);
}

#[test]
fn answers_of_earlier_builds_are_counted_and_pruned_and_never_used() {
    let folder = Folder::new();
    old_store(&folder);
    for level in ["exact", "subset", "logical", "full"] {
        let output = solve(&folder, &["--reuse", level, "--mode", "read-only"]);
        assert_eq!((stdout(&output).trim(), stderr(&output).trim()), ("sat", ""), "{level}");
    }
    assert_eq!(json(&folder, &["stats"])["old"], 3);
    assert_eq!(json(&folder, &["verify"])["old"], 3);
    assert_eq!(json(&folder, &["verify"])["clean"], true);
    let text = stdout(&task(&folder, &["stats"]));
    assert!(text.contains("of earlier builds, not used: 3 (50 bytes)"), "{text}");
    let text = stdout(&task(&folder, &["verify"]));
    assert!(
        text.contains("3 entries of earlier builds are not used; `evergreen store prune` removes them"),
        "{text}"
    );
    // New answers lie beside the old ones.
    let output = solve(&folder, &[]);
    assert_eq!((stdout(&output).trim(), stderr(&output).trim()), ("sat", ""));
    let output = solve(&folder, &["--mode", "require-hit"]);
    assert_eq!((stdout(&output).trim(), output.status.code()), ("sat", Some(0)));
    let pruned = json(&folder, &["prune"]);
    assert!(pruned["old"].as_u64().is_some_and(|old| old > 0) && pruned["removed"] == 0, "{pruned}");
    assert_eq!(json(&folder, &["stats"])["old"], 0);
    let output = solve(&folder, &["--mode", "require-hit"]);
    assert_eq!((stdout(&output).trim(), output.status.code()), ("sat", Some(0)));
    // A pack, too, and whatever is trusted.
    let (folder, pack) = (Folder::new(), folder.file("old.pack", OLD_PACK));
    for trust in ["local", "all"] {
        let said = json(&folder, &["import", "--trust", trust, &pack.display().to_string()]);
        assert_eq!((said["old"].as_u64(), said["added"].as_u64()), (Some(3), Some(0)), "{said}");
    }
    let other = Folder::new();
    old_store(&other);
    let said = json(&folder, &["merge", "--trust", "all", &other.text("store")]);
    assert_eq!((said["old"].as_u64(), said["added"].as_u64()), (Some(3), Some(0)), "{said}");
    assert_eq!(stdout(&solve(&folder, &[])).trim(), "sat");
}

/// Every record of a store, turned into its opposite, without evidence.
fn lies(store: &dyn Store) -> Vec<(Key, Vec<u8>)> {
    let mut lies = Vec::new();
    let each = &mut |key: &Key, value: &[u8]| {
        if let Some(record) = Record::decode(value) {
            let verdict = match record.is_sat() {
                true => RecordedVerdict::Unsat { core: None, certificate: None },
                false => RecordedVerdict::Sat(None),
            };
            lies.push((*key, Record { verdict, ..record }.encode()));
        }
        ControlFlow::Continue(())
    };
    store.visit(each).expect("the store can be read");
    lies
}

#[test]
fn an_import_says_what_it_proves_and_is_used_for_no_more() {
    let honest = Folder::new();
    assert_eq!(stdout(&solve(&honest, &["--reuse", "exact"])).trim(), "sat");
    let lies = lies(&*open(&honest.text("store"), &OpenOptions::default()).expect("a store"));
    assert_eq!(lies.len(), 1, "the query is one part");
    let memory = Memory::new(1 << 20);
    lies.iter().for_each(|(key, lie)| memory.put(key, lie).expect("a lie"));
    let folder = Folder::new();
    let mut pack = Vec::new();
    export(&memory, "pack", &mut pack).expect("a pack");
    let pack = folder.file("forged.pack", pack).display().to_string();
    let output = task(&folder, &["import", &pack]);
    let expected = format!(
        "from {pack}: 1 added, 0 replaced, 0 kept, 0 the same\n0 carry evidence, which is checked before \
         they are used; 1 carry \
         none and are solved again\n"
    );
    assert_eq!(stdout(&output), expected);
    assert_eq!(json(&folder, &["stats"])["imported_without_evidence"], 1);
    // Once per process, until it was solved here; whoever trusts all is told the lie.
    let verdict =
        |more: &[&str]| stdout(&solve(&folder, &[&["--reuse", "exact"], more].concat())).trim().to_string();
    assert_eq!(verdict(&["--trust", "all", "--mode", "read-only"]), "unsat");
    assert_eq!(verdict(&["--mode", "read-only"]), "sat");
    let output = solve(&folder, &["--reuse", "exact", "--mode", "require-hit"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert_eq!(verdict(&[]), "sat");
    assert_eq!(verdict(&["--mode", "require-hit"]), "sat");
    assert_eq!(json(&folder, &["stats"])["imported"], 0);
    // What was found here is not replaced by what comes later.
    let said = json(&folder, &["import", &pack]);
    assert_eq!((said["kept"].as_u64(), said["added"].as_u64()), (Some(1), Some(0)), "{said}");
    assert_eq!(verdict(&["--mode", "require-hit"]), "sat");
}

#[test]
fn a_true_import_is_used_after_a_look() {
    let honest = Folder::new();
    assert_eq!(stdout(&solve(&honest, &["--reuse", "exact"])).trim(), "sat");
    let folder = Folder::new();
    let said = json(&folder, &["merge", &honest.text("store")]);
    assert!(said["with_evidence"].as_u64().is_some_and(|count| count > 0), "{said}");
    for imported in [true, false] {
        assert_eq!(json(&folder, &["stats"])["imported"].as_u64() > Some(0), imported);
        // The first time the model is evaluated, and the answer is one of this machine from then on.
        let output = solve(&folder, &["--reuse", "exact", "--cores", "off"]);
        assert_eq!((stdout(&output).trim(), stderr(&output).trim()), ("sat", ""));
        let output = solve(&folder, &["--reuse", "exact", "--mode", "require-hit"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[test]
fn a_store_that_others_can_write_is_refused_and_the_answer_is_right() {
    let folder = Folder::new();
    assert_eq!(stdout(&solve(&folder, &["--reuse", "exact"])).trim(), "sat");
    let store = folder.path("store");
    {
        let store = open(&folder.text("store"), &OpenOptions::default()).expect("a store");
        lies(&*store).iter().for_each(|(key, lie)| store.put(key, lie).expect("a lie"));
    }
    // The lie is one of this user's own as long as nobody else can write.
    let exact = |extra: Option<&str>| {
        let mut command = evergreen(&folder);
        command.args(["solve", "--reuse", "exact"]);
        if let Some(safe) = extra {
            command.env("EVERGREEN_SAFE_STORE", safe);
        }
        run(&mut command, QUERY)
    };
    assert_eq!(stdout(&exact(None)).trim(), "unsat");
    mode(&store, 0o777);
    let output = exact(None);
    assert_eq!(stdout(&output).trim(), "sat");
    assert!(
        stderr(&output).contains("store: the store is not used: other users can write to it (mode 0777)")
    );
    assert!(
        stderr(&output).contains("help: if only you have written to it: chmod go-w '"),
        "{}",
        stderr(&output)
    );
    for verb in [&["stats"][..], &["verify"], &["export", "/dev/null"], &["prune"], &["import", "/dev/null"]]
    {
        let output = task(&folder, verb);
        assert_eq!(output.status.code(), Some(2), "{verb:?}");
        assert!(stderr(&output).contains("the store is not used"), "{verb:?}: {}", stderr(&output));
    }
    // Its entries may be taken over as what they are: of somebody, and without evidence.
    let from = task(&Folder::new(), &["merge", "--trust", "all", &folder.text("store")]);
    assert!(from.status.code() == Some(2) && stderr(&from).contains("the store is not used"));
    let own = Folder::new();
    assert_eq!(json(&own, &["merge", &folder.text("store")])["without_evidence"], 1);
    assert_eq!(stdout(&solve(&own, &["--reuse", "exact"])).trim(), "sat");
    // The way out, by variable and by configuration.
    assert_eq!(stdout(&exact(Some(&folder.text("store")))).trim(), "unsat");
    let config = folder.file("config.toml", format!("safe-store = [\"{}\"]", store.display()));
    let output = run(evergreen(&folder).args(["store", "stats"]).env("EVERGREEN_CONFIG", config), "");
    assert!(output.status.success(), "{}", stderr(&output));
    mode(&store, 0o700);
    assert_eq!(stdout(&exact(None)).trim(), "unsat");
}

#[test]
fn nothing_is_written_into_the_directory_of_another_user() {
    if !is_root() {
        return;
    }
    let folder = Folder::new();
    let store = folder.path("store");
    std::fs::create_dir(&store).expect("a folder");
    // A trap: what the tally of a run would overwrite.
    let precious = folder.file("precious", "{}");
    std::os::unix::fs::symlink(&precious, store.join("rungs.json")).expect("a link");
    chown(&store, Some(54_321), None).expect("another owner");
    let output = solve(&folder, &[]);
    assert_eq!(stdout(&output).trim(), "sat");
    assert!(stderr(&output).contains("it belongs to user 54321, not to you (user 0)"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&precious).expect("a file"), "{}");
    assert_eq!(std::fs::read_dir(&store).expect("a folder").count(), 1);
    chown(&store, Some(0), None).expect("the owner");
    assert_eq!(stdout(&solve(&folder, &[])).trim(), "sat");
    assert_eq!(std::fs::read_to_string(&precious).expect("a file"), "{}", "nor through a link in one's own");
}

#[test]
fn a_filled_store_on_a_read_only_file_system_gives_hits() {
    if !is_root() {
        return;
    }
    let folder = Folder::new();
    assert_eq!(stdout(&solve(&folder, &["--reuse", "exact"])).trim(), "sat");
    let file = folder.file("query.smt2", QUERY);
    let stats = folder.text("stats");
    let script = format!(
        "mount --bind '{0}' '{0}' && mount -o remount,ro,bind '{0}' && exec '{1}' solve --solver '{2}' \
         --reuse exact --stats '{3}' '{4}'",
        folder.text("store"),
        env!("CARGO_BIN_EXE_evergreen"),
        find("z3").display(),
        stats,
        file.display()
    );
    let shell = evergreen(&folder);
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", &script]);
    command.envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = run(&mut command, "");
    if stderr(&output).contains("Operation not permitted") || stderr(&output).contains("mount:") {
        // No right to mount, in a container say.
        return;
    }
    assert_eq!(stdout(&output).trim(), "sat");
    let remark = "cannot write to the store: read-only file system; it is looked up, and nothing is recorded";
    assert!(stderr(&output).contains(remark), "{}", stderr(&output));
    let counts: Value =
        serde_json::from_str(&std::fs::read_to_string(&stats).expect("counts")).expect("JSON");
    assert_eq!(
        (&counts["reused"]["exact"], &counts["solved"]),
        (&Value::from(1), &Value::from(0)),
        "{counts}"
    );
}
