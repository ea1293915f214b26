//! Real clients through the shim, cold and then warm: the results are those of the bare solver, and what was
//! answered once is answered without starting it.

use evergreen_testing::tools::{find, repository};
use std::path::{Path, PathBuf};
use std::process::Command;

struct Shim {
    dir: PathBuf,
}

impl Shim {
    fn new(client: &str) -> Shim {
        let dir = std::env::temp_dir().join(format!("evergreen-client-{client}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        let made = Command::new(env!("CARGO_BIN_EXE_evergreen"))
            .args(["shim", "install"])
            .arg(dir.join("bin"))
            .output();
        assert!(made.expect("evergreen starts").status.success());
        Shim { dir }
    }

    /// Runs a client through the shim: its result, and how often a solver was started behind it. Some clients
    /// kill their solver, so the log is asked, which is written at once, and not the statistics, which are
    /// written last.
    fn run(&self, client: &str) -> (String, usize) {
        let clients = repository().join("tests/clients");
        let log = self.dir.join("log");
        let _ = std::fs::remove_file(&log);
        let stats = self.dir.join("stats");
        let _ = std::fs::remove_file(&stats);
        let output = Command::new("bash")
            .arg(clients.join("run.sh"))
            .arg(client)
            .arg(self.dir.join("bin"))
            .env("EVERGREEN_STORE", self.dir.join("store"))
            .env("EVERGREEN_LOG", &log)
            .env("EVERGREEN_STATS", &stats)
            .env("EVERGREEN_Z3", find("z3"))
            .env("EVERGREEN_CONFIG", "/dev/null")
            .output()
            .expect("bash starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let log = std::fs::read_to_string(&log).unwrap_or_default();
        let starts = log.lines().filter(|l| l.contains("started solver")).count();
        (String::from_utf8_lossy(&output.stdout).into_owned(), starts)
    }

    /// A number of the statistics of the last run, over all its processes; `path` as in `/reused/core`.
    fn count(&self, path: &str) -> u64 {
        let stats = std::fs::read_to_string(self.dir.join("stats")).expect("statistics were written");
        let number = |line: &str| {
            let object: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
            object
                .pointer(path)
                .and_then(serde_json::Value::as_u64)
                .unwrap_or_else(|| panic!("{path}: {line}"))
        };
        stats.lines().map(number).sum()
    }

    fn verify(&self) {
        let checked = Command::new(env!("CARGO_BIN_EXE_evergreen"))
            .args(["store", "verify", "--store"])
            .arg(self.dir.join("store"))
            .output()
            .expect("evergreen starts");
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    }
}

impl Drop for Shim {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

fn expected(client: &str) -> String {
    let file: PathBuf = Path::new("tests/clients/expected").join(client).with_extension("txt");
    std::fs::read_to_string(repository().join(&file)).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// The warm run starts no solver.
fn check(client: &str) {
    let shim = Shim::new(client);
    let (cold, cold_starts) = shim.run(client);
    assert_eq!(cold, expected(client), "cold");
    assert!(cold_starts > 0, "the client did not come through the shim");
    let (warm, starts) = shim.run(client);
    assert_eq!(warm, expected(client), "warm");
    shim.verify();
    assert_eq!(starts, 0, "the warm run started a solver");
}

#[test]
fn pysmt() {
    check("pysmt");
}

#[test]
fn yosys_smtbmc() {
    check("yosys");
}

#[test]
fn boogie() {
    check("boogie");
}

#[test]
fn boogie_on_a_wrong_program() {
    // Boogie asks for z3's labels after a counterexample: the stored model explains them.
    check("boogie-wrong");
}

#[test]
fn dafny() {
    check("dafny");
}

/// Each condition has some 540 axioms, and a method more brings two to four new ones: by its core it is still
/// answered.
#[test]
fn dafny_on_a_program_with_a_method_more() {
    let shim = Shim::new("dafny-more");
    let (cold, _) = shim.run("dafny");
    assert_eq!(cold, expected("dafny"));
    let conditions = shim.count("/queries");
    assert_eq!((conditions, shim.count("/recorded_cores")), (6, 6));
    let (more, _) = shim.run("dafny-more");
    assert_eq!(more, expected("dafny-more"));
    assert_eq!(shim.count("/reused/core"), conditions, "the old methods' conditions start no solver");
    assert_eq!((shim.count("/queries"), shim.count("/solved")), (8, 2), "the new method's are solved");
    let (again, starts) = shim.run("dafny-more");
    assert_eq!((again, starts), (more, 0));
    shim.verify();
}

#[test]
fn dafny_on_a_wrong_program() {
    // The wrong method is `unknown`, and the labels of its path are only z3's to say: both are remembered.
    check("dafny-wrong");
}

#[test]
fn easy_smt() {
    check("easy-smt");
}

#[test]
fn rsmt2() {
    check("rsmt2");
}
