//! `evergreen-lab bench reuse` measures everything it promises. What the times are is not tested.

use crate::common::{lab, product};
use evergreen_testing::tools;
use serde_json::Value;

#[test]
fn everything_is_measured() {
    let tools =
        tools::find("z3").parent().and_then(|bin| bin.parent()).expect("a folder of tools").to_path_buf();
    // It is found beside the laboratory.
    assert!(product().is_file());
    let output = lab()
        .args(["bench", "reuse", "--json", "--paths", "4", "--starts", "3", "--rounds", "1"])
        .env("EVERGREEN_TOOLS", tools)
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"));
    assert!(output.status.success(), "{said}");
    let queries = 4 * 9;
    for (name, samples) in [
        ("stage_slice", queries),
        ("stage_canonize", queries),
        ("stage_key", 4),
        ("stage_look_up", queries),
        ("stage_check", queries),
        ("hit_memory", queries),
        ("hit_disk", queries),
        ("hit_redis", queries),
        ("z3_fresh", 3),
        ("z3_reset", queries),
        ("z3_push_pop", queries),
        ("yices_push_pop", queries),
        ("shim_warm", 3),
        ("shim_bare", 3),
        ("boogie_read", 1),
        ("boogie_elaborate", 1),
        ("boogie_canonize", 1),
        ("boogie_further", 11),
        ("boogie_keyed", 1),
    ] {
        assert_eq!(report[name]["samples"], samples, "{name}: {report}");
    }
    for aim in ["memory_hit_us", "memory_hit_ratio", "shim_ms", "boogie_ms"] {
        assert!(report[format!("aim_{aim}")]["reached"].is_boolean(), "{aim}: {report}");
    }
}
