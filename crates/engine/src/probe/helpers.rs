//! The functions and globals that probes need, appended to the module.
//!
//! The digest is kept inside the module, in globals: a decision costs 15 to 35 ns, and a call to the host
//! would add 60 (the example `speed` measures both). The host is only called while a run records its first
//! decisions, to show where two runs part.

use super::Indices;
use crate::arms::{MULTIPLIER, ROTATION, SITE_SHIFT};
use wasm_encoder::{
    BlockType, ConstExpr, ExportKind, ExportSection, Function, GlobalSection, GlobalType, ValType,
};

/// The names under which a planted module exports what the engine reads.
pub(crate) const DIGEST: &str = "evergreen.digest";
pub(crate) const COUNT: &str = "evergreen.count";
pub(crate) const TRACE: &str = "evergreen.trace";
pub(crate) const MEMORY: &str = "evergreen.memory";
pub(crate) const START: &str = "evergreen.start";

/// How many globals are added: digest, count, trace, depth.
pub(super) const GLOBALS: u32 = 4;

/// Adds the globals: a digest, a count, how many decisions the host still records, and the depth of natives.
pub(super) fn add_globals(section: &mut GlobalSection) {
    let mutable = |val_type| GlobalType { val_type, mutable: true, shared: false };
    section.global(mutable(ValType::I64), &ConstExpr::i64_const(0));
    section.global(mutable(ValType::I64), &ConstExpr::i64_const(0));
    section.global(mutable(ValType::I32), &ConstExpr::i32_const(0));
    section.global(mutable(ValType::I32), &ConstExpr::i32_const(0));
}

/// Exports the globals that the engine reads and writes.
pub(super) fn add_exports(section: &mut ExportSection, indices: &Indices) {
    section.export(DIGEST, ExportKind::Global, indices.digest());
    section.export(COUNT, ExportKind::Global, indices.count());
    section.export(TRACE, ExportKind::Global, indices.trace());
}

/// Takes a decision, unless inside of a native: the arm and the site come from locals 0 and 1.
fn take(function: &mut Function, indices: &Indices, is_condition: bool) {
    let mut code = function.instructions();
    let arm = |code: &mut wasm_encoder::InstructionSink<'_>| {
        code.local_get(0);
        if is_condition {
            code.i32_const(0).i32_ne();
        }
    };
    code.block(BlockType::Empty).global_get(indices.depth()).br_if(0);
    code.global_get(indices.digest()).i64_const(i64::from(ROTATION)).i64_rotl();
    code.local_get(1).i64_extend_i32_u().i64_const(i64::from(SITE_SHIFT)).i64_shl();
    arm(&mut code);
    code.i64_extend_i32_u().i64_or().i64_xor().i64_const(MULTIPLIER as i64).i64_mul();
    code.global_set(indices.digest());
    code.global_get(indices.count()).i64_const(1).i64_add().global_set(indices.count());
    code.global_get(indices.trace()).i32_eqz().br_if(0);
    code.global_get(indices.trace()).i32_const(1).i32_sub().global_set(indices.trace());
    code.local_get(1);
    arm(&mut code);
    code.call(indices.arm_import()).end();
}

/// `(condition, site) -> condition`: takes the decision of an `if` or a `br_if`.
pub(super) fn decide(indices: &Indices) -> Function {
    let mut function = Function::new([]);
    take(&mut function, indices, true);
    function.instructions().local_get(0).end();
    function
}

/// `(arm, site) -> ()`: takes a decision whose arm is known.
pub(super) fn arm(indices: &Indices) -> Function {
    let mut function = Function::new([]);
    take(&mut function, indices, false);
    function.instructions().end();
    function
}

/// `(selector) -> selector`: takes the decision of a `br_table`, whose labels lead to `arms`, the last by
/// default.
pub(super) fn switch(indices: &Indices, site: u32, arms: &[u32]) -> Function {
    let mut function = Function::new([]);
    let mut code = function.instructions();
    let distinct = arms.iter().max().map_or(1, |most| most + 1);
    for _ in 0..distinct {
        code.block(BlockType::Empty);
    }
    let (default, labels) = arms.split_last().map_or((0, arms), |(last, labels)| (*last, labels));
    // Block 0 is the innermost: a branch out of it continues with arm 0.
    code.local_get(0).br_table(labels.iter().copied(), default);
    for arm in 0..distinct {
        code.end().i32_const(arm as i32).i32_const(site as i32).call(indices.arm()).local_get(0).return_();
    }
    code.unreachable().end();
    function
}

/// A native that runs its own code, now in `moved`: counts the depth around it.
pub(super) fn around(indices: &Indices, params: u32, moved: u32) -> Function {
    let mut function = Function::new([]);
    let mut code = function.instructions();
    code.global_get(indices.depth()).i32_const(1).i32_add().global_set(indices.depth());
    for param in 0..params {
        code.local_get(param);
    }
    code.call(moved);
    code.global_get(indices.depth()).i32_const(1).i32_sub().global_set(indices.depth()).end();
    function
}

/// A native that the host executes through the import `host`.
pub(super) fn replaced(params: u32, host: u32) -> Function {
    let mut function = Function::new([]);
    let mut code = function.instructions();
    for param in 0..params {
        code.local_get(param);
    }
    code.call(host).end();
    function
}
