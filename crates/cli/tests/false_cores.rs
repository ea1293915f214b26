//! Cells of an array that stand beside an unsatisfiable rest were once recorded as a core of their own. Here
//! through a store on disk and several processes, as users met it; the scripts themselves are in the
//! library's `tests/soundness`.

use crate::common::{Folder, evergreen, find, run, stdout};
use std::process::Command;

fn solve(folder: &Folder, script: &str) -> String {
    let mut command = evergreen(folder);
    let command = command.env("EVERGREEN_REUSE", "full").env("EVERGREEN_NATIVE", "on");
    stdout(&run(command.args(["solve", "--solver", "z3"]), script))
}

fn bare(script: &str) -> String {
    stdout(&run(Command::new(find("z3")).arg("-in"), script))
}

const INTEGERS: &str = "(declare-const a (Array Int Int))(declare-const i Int)(declare-const k Int)\n";
const BYTES: &str = "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))\
    (declare-const i (_ BitVec 32))(declare-const k (_ BitVec 32))\n";

/// Declarations, a refuted query that has cells in it, and one that has the same cells and is satisfiable.
const CASES: [(&str, &str, &str); 2] = [
    (
        INTEGERS,
        "(assert (! (= (select a 0) 7) :named cell))(assert (! (= k 5) :named five))\
         (assert (! (= (select a i) k) :named read))(assert (! (= (* i i) 2) :named root))",
        "(assert (! (= (select a 0) 7) :named cell))(assert (! (= (select a i) 8) :named other))",
    ),
    (
        BYTES,
        "(assert (! (= (select a #x00000000) #x7b) :named cell))(assert (! (= k #x00000005) :named five))\
         (assert (! (bvult i k) :named below))(assert (! (= (select a i) #x41) :named read))\
         (assert (! (bvugt (bvmul i i) #x00000100) :named square))",
        "(assert (! (= (select a #x00000000) #x7b) :named cell))(assert (! (= (select a i) #x42) :named \
         other))",
    ),
];

#[test]
fn cells_are_no_core_in_the_next_process() {
    for (declared, refuted, open) in CASES {
        let folder = Folder::new();
        assert_eq!(solve(&folder, &format!("{declared}{refuted}(check-sat)")), "unsat\n");
        assert_eq!(solve(&folder, &format!("{declared}{open}(check-sat)")), "sat\n");
    }
}

#[test]
fn cores_from_the_store_are_unsatisfiable() {
    for (declared, refuted, _) in CASES {
        let folder = Folder::new();
        // Recorded without a core, then asked for one, then from the store.
        assert_eq!(solve(&folder, &format!("{declared}{refuted}(check-sat)")), "unsat\n");
        for round in 0..3 {
            let options = "(set-option :produce-unsat-cores true)";
            let printed = solve(&folder, &format!("{options}{declared}{refuted}(check-sat)(get-unsat-core)"));
            let core = printed.strip_prefix("unsat\n(").and_then(|rest| rest.strip_suffix(")\n"));
            let core: Vec<&str> = core.unwrap_or_else(|| panic!("{round}: {printed}")).split(' ').collect();
            let named: Vec<String> = refuted
                .split("(assert ")
                .filter(|a| core.iter().any(|name| a.contains(&format!(":named {name})"))))
                .map(|a| format!("(assert {a}"))
                .collect();
            assert_eq!(named.len(), core.len(), "{round}: {printed}");
            let alone = bare(&format!("{declared}{}(check-sat)", named.concat()));
            assert_eq!(alone, "unsat\n", "{round}: no core: {printed}");
        }
    }
}
