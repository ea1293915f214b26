//! Bad scripts, bad solvers, bad stores, bad moments: a clear message or a miss, the right exit code, and
//! nothing that was stored is lost.

use crate::common::{
    Folder, Talk, children, evergreen, find, is_alive, run, stderr, stdout, verify, wait_for_death,
};
use std::path::Path;
use std::process::{Command, Stdio};

const QUERY: &str = "(declare-const x Int)(assert (< 3 x 5))(check-sat)(get-value (x))\n";
const ANSWER: &str = "sat\n((x 4))\n";

/// Solves the query so that the store holds it.
fn seed(folder: &Folder) {
    let output = run(evergreen(folder).arg("solve"), QUERY);
    assert_eq!(stdout(&output), ANSWER, "{}", stderr(&output));
    assert_eq!(verify(folder), 1);
}

/// The seeded query is still answered, without a solver.
fn still_there(folder: &Folder) {
    let output =
        run(evergreen(folder).args(["solve", "--mode", "require-hit", "--solver", "/no/solver"]), QUERY);
    assert_eq!(stdout(&output), ANSWER, "{}", stderr(&output));
    verify(folder);
}

/// Runs a broken script in front of z3: the exit code, and what is printed, which is never a panic.
fn broken(script: impl AsRef<[u8]>) -> (Option<i32>, String) {
    let folder = Folder::new();
    let output = run(evergreen(&folder).args(["solve", "--store", "memory:"]), script);
    let errors = stderr(&output);
    assert!(!errors.contains("panicked") && !errors.contains("overflow"), "{errors}");
    (output.status.code(), stdout(&output))
}

#[test]
fn unbalanced_scripts() {
    let (code, printed) = broken("(declare-const x Int)\n(assert (> x 0)\n(check-sat)\n");
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.starts_with("(error \"line 2 column"), "{printed}");
    let (code, printed) = broken("(declare-const x Int))\n(assert (> x 0))\n(check-sat)\n");
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("(error \"line 1 column 22") && printed.ends_with("sat\n"), "{printed}");
}

#[test]
fn strings_and_symbols_that_do_not_end() {
    for script in ["(echo \"hello)\n(check-sat)\n", "(declare-const |x Int)\n(check-sat)\n"] {
        let (code, printed) = broken(script);
        assert_eq!(code, Some(1), "{printed}");
        assert!(printed.starts_with("(error \"line 1 column"), "{printed}");
    }
}

#[test]
fn garbage() {
    let noise: Vec<u8> = (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let (code, printed) = broken(&noise);
    assert_eq!(code, Some(1), "{printed}");
    let (code, printed) = broken("\u{0}\u{1}stray 12 :key \"text\" ) (check-sat)\n");
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.ends_with("sat\n"), "{printed}");
    let (code, printed) = broken(b"(declare-const \xff\xfe Int)(check-sat)\n");
    assert!(printed.contains("sat"), "{code:?} {printed}");
}

#[test]
fn nothing_at_all() {
    assert_eq!(broken(""), (Some(0), String::new()));
    assert_eq!(broken("; only a comment"), (Some(0), String::new()));
    assert_eq!(broken("()").0, Some(1));
}

#[test]
fn deep_nesting() {
    let deep = |open: &str, inner: &str, close: &str, levels: usize| {
        format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
    };
    let scripts = [
        format!("(declare-const p Bool)(assert {})(check-sat)", deep("(not ", "p", ")", 200_000)),
        format!("(declare-const x Int)(assert (> {} 0))(check-sat)", deep("(+ 1 ", "x", ")", 100_000)),
        format!(
            "(declare-const a (_ BitVec 8))(assert (= a {}))(check-sat)",
            deep("(bvnot ", "a", ")", 100_000)
        ),
        deep("(", "", ")", 500_000),
        deep("(", "", "", 500_000),
        format!("(declare-const p Bool)(assert {})(check-sat)", deep("(let ((q p)) ", "q", ")", 50_000)),
        format!("(declare-const a {})(check-sat)", deep("(Array Int ", "Int", ")", 20_000)),
        format!("(assert {})(check-sat)", deep("(forall ((x Int)) ", "true", ")", 5_000)),
    ];
    for script in scripts {
        let folder = Folder::new();
        // z3 itself dies of some of these; a limit on its time is enough here.
        let mut command = evergreen(&folder);
        let output = run(command.args(["solve", "--store", "memory:", "--timeout-ms", "5000"]), &script);
        let start = &script[..script.len().min(60)];
        assert!(output.status.code().is_some(), "{start}… ends by a signal: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{start}… {}", stderr(&output));
    }
}

#[test]
fn too_many_levels() {
    let script =
        "(declare-const x Int)(push 1)(assert (> x 0))(push 4294967295)(pop 1)(assert (< x 0))(check-sat)\n";
    let (code, printed) = broken(script);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.starts_with("(error \"line 1 column") && printed.ends_with("\nsat\n"), "{printed}");
    let (_, printed) = broken("(push 99999999999999999999)(check-sat)\n");
    assert!(printed.ends_with("sat\n"), "{printed}");
    let (_, printed) = broken("(push -1)(push x)(pop)(check-sat)\n");
    assert!(printed.ends_with("sat\n"), "{printed}");
}

#[test]
fn a_file_that_is_not_there() {
    let folder = Folder::new();
    let output = run(evergreen(&folder).args(["solve", "/no/such/file.smt2"]), "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("evergreen: /no/such/file.smt2: "), "{}", stderr(&output));
    let output = run(evergreen(&folder).args(["solve", "/"]), "");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

/// A solver that is a shell script: what is printed for the query, and the exit code.
fn with_solver(folder: &Folder, body: &str, flags: &[&str]) -> (Option<i32>, String, String) {
    let solver = folder.program("z3", &format!("#!/bin/sh\n{body}\n"));
    let output = run(evergreen(folder).args(["solve", "--solver"]).arg(solver).args(flags), QUERY);
    (output.status.code(), stdout(&output), stderr(&output))
}

#[test]
fn solvers_that_misbehave() {
    for (body, flags) in [
        ("exec cat /dev/zero | head -c 100000", &[][..]),
        ("echo 'sat sat unsat'; cat > /dev/null", &["--timeout-ms", "300"]),
        ("exit 3", &[]),
        ("kill -9 $$", &[]),
        ("echo sat; exit 0", &[]),
        ("exec sleep 1000", &["--timeout-ms", "300"]),
        ("while true; do echo unsat; done", &["--timeout-ms", "300"]),
    ] {
        let folder = Folder::new();
        let (code, printed, errors) = with_solver(&folder, body, flags);
        assert!(
            printed.starts_with("unknown\n") || printed.starts_with("(error"),
            "{body}: {printed:?} {errors}"
        );
        assert!(code.is_some() && !errors.contains("panicked"), "{body}: {code:?} {errors}");
        // Nothing of it is kept as an answer.
        let output = run(evergreen(&folder).args(["solve", "--mode", "require-hit"]), QUERY);
        assert_eq!(output.status.code(), Some(2), "{body}: {}", stdout(&output));
        seed(&folder);
    }
}

#[test]
fn a_solver_that_answers_nonsense_between_marks() {
    let folder = Folder::new();
    // Speaks the protocol, but its verdicts are none.
    let body = r#"while read -r line; do case "$line" in *'(echo "'*) m=${line#*\"}; echo "${m%%\"*}";;
        *check-sat*) echo "satt";; esac; done"#;
    let (_, printed, _) = with_solver(&folder, body, &["--timeout-ms", "5000"]);
    assert!(!printed.lines().any(|l| l == "sat" || l == "unsat"), "{printed}");
    let output = run(evergreen(&folder).args(["solve", "--mode", "require-hit"]), QUERY);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_solver_that_is_missing() {
    let folder = Folder::new();
    seed(&folder);
    for solver in ["no-such-solver", "/no/such/solver", "/etc/passwd", "/"] {
        // It is not needed for what is known, and named when it is.
        let known = run(evergreen(&folder).args(["solve", "--solver", solver]), QUERY);
        assert_eq!(stdout(&known), ANSWER);
        let new = run(evergreen(&folder).args(["solve", "--solver", solver]), QUERY.replace('5', "6"));
        assert_eq!(new.status.code(), Some(2), "{}", stdout(&new));
        assert!(stdout(&new).contains(solver), "{}", stdout(&new));
    }
    still_there(&folder);
}

fn store_files(folder: &Folder) -> Vec<std::path::PathBuf> {
    fn collect(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the store's folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { collect(&path, into) } else { into.push(path) }
        }
    }
    let mut files = Vec::new();
    collect(&folder.path("store"), &mut files);
    files.sort();
    files
}

#[test]
fn half_a_store_file() {
    let count = {
        let folder = Folder::new();
        seed(&folder);
        store_files(&folder).len()
    };
    for which in 0..count {
        for damage in ["half", "empty", "noise", "gone"] {
            let folder = Folder::new();
            seed(&folder);
            let file = store_files(&folder)[which].clone();
            let content = std::fs::read(&file).expect("a store file");
            match damage {
                "half" => std::fs::write(&file, &content[..content.len() / 2]).expect("half a file"),
                "empty" => std::fs::write(&file, []).expect("an empty file"),
                "noise" => std::fs::write(&file, vec![0xa5; content.len()]).expect("noise"),
                _ => std::fs::remove_file(&file).expect("no file"),
            }
            let what = format!("{} ({damage})", file.display());
            let output = run(evergreen(&folder).arg("solve"), QUERY);
            assert_eq!(stdout(&output), ANSWER, "{what}: {}", stderr(&output));
            assert_eq!(output.status.code(), Some(0), "{what}: {}", stderr(&output));
            assert!(!stderr(&output).contains("panicked"), "{what}: {}", stderr(&output));
            // Whatever happened to the old entries, new ones can be found again or the trouble is told.
            let again = run(evergreen(&folder).arg("solve"), QUERY);
            assert_eq!(stdout(&again), ANSWER, "{what}: {}", stderr(&again));
            let verified = run(evergreen(&folder).args(["store", "verify"]), "");
            assert!(matches!(verified.status.code(), Some(0..=2)), "{what}: {}", stderr(&verified));
        }
    }
}

/// Says in a store's file that its format is one that nobody knows yet.
fn make_newer(folder: &Folder) {
    let file = folder.path("store").join("data.mdb");
    let mut content = std::fs::read(&file).expect("the store's file");
    let key = b"evergreen.store";
    let places: Vec<usize> = (0..content.len() - key.len() - 11)
        .filter(|&i| content[i..].starts_with(key))
        .map(|i| i + key.len())
        .collect();
    assert!(!places.is_empty(), "the version is in the file");
    for place in places {
        content[place..place + 4].copy_from_slice(&99u32.to_le_bytes());
        let hash = xxhash_rust::xxh3::xxh3_64(&[&key[..], &99u32.to_le_bytes()].concat());
        content[place + 4..place + 12].copy_from_slice(&hash.to_le_bytes());
    }
    std::fs::write(&file, content).expect("the file can be written");
}

#[test]
fn a_store_of_a_newer_format() {
    let folder = Folder::new();
    seed(&folder);
    make_newer(&folder);
    let before = std::fs::read(folder.path("store").join("data.mdb")).expect("the store's file");
    // Answers come from the solver, and the store is left for the newer program that wrote it.
    let output = run(evergreen(&folder).arg("solve"), QUERY);
    assert_eq!(stdout(&output), ANSWER, "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("99") && stderr(&output).contains("help:"), "{}", stderr(&output));
    for verb in ["stats", "verify"] {
        let output = run(evergreen(&folder).args(["store", verb]), "");
        assert_eq!(output.status.code(), Some(2), "{verb}: {}", stdout(&output));
        assert!(stderr(&output).contains("99"), "{verb}: {}", stderr(&output));
    }
    assert_eq!(std::fs::read(folder.path("store").join("data.mdb")).expect("the store's file"), before);
}

#[test]
fn a_store_of_another_kind_or_none() {
    let folder = Folder::new();
    folder.file("file", "this is no store");
    let odd = [folder.text("file"), "/proc/no".to_string(), "/dev/null".to_string()];
    for store in &odd {
        let output = run(evergreen(&folder).args(["solve", "--store", store]), QUERY);
        assert_eq!(stdout(&output), ANSWER, "{store}: {}", stderr(&output));
        assert!(stderr(&output).contains(store.as_str()), "{store}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(0));
        if !Path::new(store).exists() {
            continue;
        }
        let stats = run(evergreen(&folder).args(["store", "stats", "--store", store]), "");
        assert_eq!(stats.status.code(), Some(2), "{store}: {}", stdout(&stats));
        assert!(stderr(&stats).contains(store.as_str()), "{store}: {}", stderr(&stats));
    }
    let output = run(evergreen(&folder).args(["solve", "--store", "gopher://x"]), QUERY);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("gopher"), "{}", stderr(&output));
}

#[test]
fn a_pack_that_is_cut_or_newer() {
    let folder = Folder::new();
    seed(&folder);
    let pack = folder.text("pack");
    assert!(run(evergreen(&folder).args(["store", "export", &pack]), "").status.success());
    let content = std::fs::read(&pack).expect("a pack");
    let other = Folder::new();
    for (name, bytes) in [
        ("cut", content[..content.len() - 3].to_vec()),
        ("empty", Vec::new()),
        ("noise", vec![0x5a; 500]),
        ("newer", {
            let mut newer = content.clone();
            let version = newer.windows(4).position(|w| w == [1, 0, 0, 0]).expect("the version");
            newer[version] = 99;
            newer
        }),
    ] {
        let file = other.file(name, bytes).display().to_string();
        let output = run(evergreen(&other).args(["store", "import", &file]), "");
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stdout(&output));
        assert!(stderr(&output).contains(name), "{name}: {}", stderr(&output));
    }
    verify(&folder);
    still_there(&folder);
}

#[test]
fn a_folder_that_cannot_be_written() {
    let folder = Folder::new();
    seed(&folder);
    // As root nothing is unwritable but what the kernel makes so.
    let output = run(evergreen(&folder).args(["solve", "--store", "/proc/self/evergreen"]), QUERY);
    assert_eq!(stdout(&output), ANSWER);
    assert!(stderr(&output).contains("/proc/self/evergreen"), "{}", stderr(&output));
    still_there(&folder);
}

#[test]
fn a_full_disk() {
    let folder = Folder::new();
    seed(&folder);
    // A limit on the size of files is a disk that is full at the next write.
    let program = env!("CARGO_BIN_EXE_evergreen");
    for limit in ["0", "4", "16"] {
        let mut command = evergreen(&folder);
        let line = format!("trap '' XFSZ; ulimit -f {limit}; exec {program} solve");
        let shell = Command::new("bash");
        let mut limited = shell;
        limited.arg("-c").arg(line);
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => limited.env(name, value),
                None => limited.env_remove(name),
            };
        }
        let script: String = (0..300)
            .map(|i| {
                format!(
                    "(push)(declare-const y Int)(declare-const z Int)(assert (< {i} (+ y z) \
                {}))(check-sat)(pop)\n",
                    i + 2
                )
            })
            .collect();
        let output = run(&mut limited, script);
        let printed = stdout(&output);
        assert_eq!(printed.lines().filter(|l| *l == "sat").count(), 300, "{printed} {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
        still_there(&folder);
        let _ = command.arg("--version");
    }
}

#[test]
fn nobody_reads_the_output() {
    let folder = Folder::new();
    let script: String = (0..5000).map(|i| format!("(echo \"{i}\")\n")).collect::<String>() + QUERY;
    let file = folder.file("many.smt2", &script);
    for arguments in [vec!["solve", file.to_str().expect("text")], vec!["--help"], vec!["store", "stats"]] {
        let mut child = evergreen(&folder)
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(!stderr(&output).contains("panicked"), "{arguments:?}: {}", stderr(&output));
        assert!(output.status.code().is_some_and(|c| c != 101), "{arguments:?}: {}", output.status);
    }
}

#[test]
fn nobody_reads_the_errors() {
    let folder = Folder::new();
    let mut child = evergreen(&folder)
        .args(["solve", "--store", "/proc/self/evergreen", "--summary", "--log", "-", "--stats", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stderr.take());
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), QUERY.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(stdout(&output), ANSWER);
    assert_ne!(output.status.code(), Some(101));
}

#[test]
fn the_input_ends_early() {
    let folder = Folder::new();
    seed(&folder);
    let mut talk = Talk::start(evergreen(&folder).arg("solve"));
    assert!(talk.send("(declare-const x Int)(assert (< 3 x 6))(check-sat)(get-val"));
    assert_eq!(talk.line(), "sat");
    let (status, rest, _) = talk.end();
    assert_eq!(status.code(), Some(1), "{rest:?}");
    assert!(rest.join("\n").contains("(error"), "{rest:?}");
    assert_eq!(verify(&folder), 2);
}

#[test]
fn signals_lose_nothing() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let folder = Folder::new();
        let mut talk = Talk::start(evergreen(&folder).arg("solve"));
        for n in 0..50 {
            let query = format!(
                "(push)(declare-const x Int)(declare-const y Int)(assert (< {n} (+ x y) \
                 {}))(check-sat)(pop)\n",
                n + 2
            );
            assert_eq!(talk.ask(&query), "sat");
        }
        // At once, before any batch is due; and while the solver is busy with something that takes forever.
        assert!(talk.send(HARD));
        std::thread::sleep(std::time::Duration::from_millis(50));
        let solvers = children(talk.child.id());
        assert!(!solvers.is_empty(), "the solver runs");
        talk.signal(signal);
        let (status, printed, errors) = talk.end();
        let by = std::os::unix::process::ExitStatusExt::signal(&status);
        if number == libc::SIGINT {
            // z3 gives up the check and goes on with its script, here to the end of the input.
            assert!(status.success() && printed == ["unknown"], "{status} {printed:?} {errors:?}");
        } else {
            assert_eq!(by, Some(number), "{signal}: {status} {errors:?}");
        }
        wait_for_death(&solvers);
        assert!(verify(&folder) >= 50, "{signal}");
    }
}

/// The solver is stopped and answers no signal: the second interrupt ends the program.
#[test]
fn a_second_interrupt_of_a_check_ends_the_program() {
    let folder = Folder::new();
    let mut talk = Talk::start(evergreen(&folder).arg("solve"));
    assert_eq!(talk.ask("(declare-const x Int)(assert (< 3 (* x x) 6))(check-sat)\n"), "sat");
    assert!(talk.send(HARD));
    std::thread::sleep(std::time::Duration::from_millis(200));
    let solvers = children(talk.child.id());
    for &pid in &solvers {
        // SAFETY: a signal to a child of this test.
        unsafe { libc::kill(i32::try_from(pid).unwrap(), libc::SIGSTOP) };
    }
    talk.signal("-INT");
    std::thread::sleep(std::time::Duration::from_millis(200));
    talk.signal("-INT");
    let (status, _, errors) = talk.end();
    let by = std::os::unix::process::ExitStatusExt::signal(&status);
    assert_eq!(by, Some(libc::SIGINT), "{status} {errors:?}");
    wait_for_death(&solvers);
    assert!(verify(&folder) >= 1);
}

/// Factors a product of two primes: nothing that a solver does while a test waits.
const HARD: &str = "(declare-const a (_ BitVec 128))(declare-const b (_ BitVec 128))\
    (assert (= (bvmul a b) (_ bv1000000000000000000000000000057000000000000000000000000000000807 128)))\
    (assert (bvult #x00000000000000000000000000000001 a))(assert (bvult a b))\
    (assert (= (bvurem a #x00000000000000000000000000000003) \
    #x00000000000000000000000000000001))(check-sat)\n";

#[test]
fn a_closed_client_leaves_no_solver_behind() {
    let folder = Folder::new();
    let mut talk = Talk::start(evergreen(&folder).arg("solve"));
    assert_eq!(talk.ask("(declare-const x Int)(assert (< 3 x 6))(check-sat)\n"), "sat");
    let solvers = children(talk.child.id());
    assert!(solvers.iter().all(|&pid| is_alive(pid)) && !solvers.is_empty());
    assert!(talk.end().0.success());
    wait_for_death(&solvers);
}

#[test]
fn bad_flags_and_settings() {
    let folder = Folder::new();
    for (arguments, variable, words) in [
        (vec!["solve", "--mode", "sideways"], None, "sideways"),
        (vec!["solve"], Some(("EVERGREEN_MODE", "sideways")), "sideways"),
        (vec!["solve"], Some(("EVERGREEN_TIMEOUT_MS", "soon")), "soon"),
        (vec!["solve"], Some(("EVERGREEN_CONFIG", "/no/such/config")), "/no/such/config"),
        (vec!["store", "frobnicate"], None, "frobnicate"),
        (vec!["store", "import", "x.pack", "--trust", "sideways"], None, "sideways"),
        (vec!["shim", "install", "/proc/self/shims"], None, "/proc/self/shims"),
    ] {
        let mut command = evergreen(&folder);
        command.args(&arguments);
        if let Some((name, value)) = variable {
            command.env(name, value);
        }
        let output = run(&mut command, QUERY);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {variable:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
    let config = folder.file("config.toml", "store = [\nnonsense");
    let output = run(evergreen(&folder).arg("solve").env("EVERGREEN_CONFIG", &config), QUERY);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("config.toml"), "{}", stderr(&output));
    let _ = find("z3");
}

#[test]
fn looking_at_a_store_that_is_not_there() {
    let folder = Folder::new();
    let nowhere = folder.text("nowhere/at/all");
    let pack = folder.text("pack");
    for verb in [&["stats"][..], &["verify"], &["export", &pack]] {
        let mut command = evergreen(&folder);
        let output = run(command.arg("store").args(verb).args(["--store", &nowhere]), "");
        assert_eq!(output.status.code(), Some(2), "{verb:?}");
        assert!(stderr(&output).contains(&format!("{nowhere}: there is no store")), "{}", stderr(&output));
    }
    assert!(!folder.path("nowhere").exists() && !folder.path("pack").exists());
    // One that is to be written is made.
    folder.file("empty", "");
    let output =
        run(evergreen(&folder).args(["store", "import", "--store", &nowhere, &folder.text("empty")]), "");
    assert!(stderr(&output).contains("not an evergreen pack"), "{}", stderr(&output));
}

#[test]
fn trust_in_something_else() {
    let folder = Folder::new();
    let output = run(evergreen(&folder).env("EVERGREEN_TRUST", "everyone").arg("solve"), QUERY);
    assert_eq!(output.status.code(), Some(2));
    let expected = "evergreen: EVERGREEN_TRUST: \"everyone\" is not one of local, all, none\n";
    assert_eq!(stderr(&output), expected);
}
