//! The driver API as Java source: programs that are explored, and the runner that replays them, are compiled
//! with it.

/// `evergreen.Sym`: symbolic inputs, assumptions and checks.
pub const SYM: &str = include_str!("../java/sym/evergreen/Sym.java");
/// `evergreen.AssumptionViolated`: how a path ends that an assumption excludes.
pub const ASSUMPTION_VIOLATED: &str = include_str!("../java/sym/evergreen/AssumptionViolated.java");
/// `evergreen.CheckFailed`: how a path ends whose check fails.
pub const CHECK_FAILED: &str = include_str!("../java/sym/evergreen/CheckFailed.java");
/// `evergreen.Invariant`: the annotation that carries a class's invariant.
pub const INVARIANT: &str = include_str!("../java/sym/evergreen/Invariant.java");
/// `org.sosy_lab.sv_benchmarks.Verifier`: how verification tasks draw inputs, by `evergreen.Sym`.
pub const VERIFIER: &str = include_str!("../java/verifier/org/sosy_lab/sv_benchmarks/Verifier.java");
/// `evergreen.Probe`: what planted probes call.
pub(crate) const PROBE: &str = include_str!("../java/sym/evergreen/Probe.java");
