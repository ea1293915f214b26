//! Compares what we read with what ristretto_classfile reads: counts, jump targets, handlers and lines.
//!
//! Its known defect is allowed for: a handler range that ends at the code's end lacks
//! its last instruction there.

use evergreen_classfile::{ClassFile, Code, Instruction as I};
use ristretto_classfile::attributes::{Attribute, Instruction as R};

/// The targets of a jump as ristretto has them.
fn targets(index: usize, instruction: &R) -> Vec<i64> {
    let relative = |by: i32| index as i64 + i64::from(by);
    match instruction {
        R::Ifeq(t) | R::Ifne(t) | R::Iflt(t) | R::Ifge(t) | R::Ifgt(t) | R::Ifle(t) => vec![i64::from(*t)],
        R::If_icmpeq(t) | R::If_icmpne(t) | R::If_icmplt(t) | R::If_icmpge(t) => vec![i64::from(*t)],
        R::If_icmpgt(t) | R::If_icmple(t) | R::If_acmpeq(t) | R::If_acmpne(t) => vec![i64::from(*t)],
        R::Ifnull(t) | R::Ifnonnull(t) | R::Goto(t) | R::Jsr(t) => vec![i64::from(*t)],
        R::Goto_w(t) | R::Jsr_w(t) => vec![i64::from(*t)],
        R::Tableswitch(s) => {
            std::iter::once(s.default).chain(s.offsets.iter().copied()).map(relative).collect()
        }
        R::Lookupswitch(s) => {
            std::iter::once(s.default).chain(s.pairs.values().copied()).map(relative).collect()
        }
        _ => Vec::new(),
    }
}

fn own_targets(code: &Code, instruction: I) -> Vec<i64> {
    match instruction {
        I::Switch(i) => {
            let switch = &code.switches[i as usize];
            std::iter::once(switch.default).chain(switch.iter().map(|p| p.1)).map(i64::from).collect()
        }
        other => other.target().into_iter().map(i64::from).collect(),
    }
}

fn compare_code(ours: &Code, theirs: &Attribute) -> Result<usize, String> {
    let Attribute::Code { max_stack, max_locals, code, exception_table, attributes, .. } = theirs else {
        return Err("no code".into());
    };
    if (ours.max_stack, ours.max_locals, ours.instructions.len()) != (*max_stack, *max_locals, code.len()) {
        return Err(format!("{} instructions, ristretto has {}", ours.instructions.len(), code.len()));
    }
    for (i, (own, other)) in ours.instructions.iter().zip(code).enumerate() {
        if own_targets(ours, *own) != targets(i, other) {
            return Err(format!("targets of {own:?}, ristretto has {other:?} at {i}"));
        }
    }
    let last = ours.instructions.len() as u32 - 1;
    let same = ours.handlers.len() == exception_table.len()
        && ours.handlers.iter().zip(exception_table).all(|(own, other)| {
            let end = u32::from(other.range_pc.end);
            own.from == u32::from(other.range_pc.start)
                && own.target == u32::from(other.handler_pc)
                && (own.to == end || (own.to > last && end == last))
        });
    if !same {
        return Err(format!("handlers {:?}, ristretto has {exception_table:?}", ours.handlers));
    }
    let mut lines: Vec<(u32, u16)> = Vec::new();
    for attribute in attributes {
        if let Attribute::LineNumberTable { line_numbers, .. } = attribute {
            lines.extend(line_numbers.iter().map(|l| (u32::from(l.start_pc), l.line_number)));
        }
    }
    lines.sort_by_key(|l| l.0);
    if lines != ours.lines {
        return Err(format!("lines {:?}, ristretto has {lines:?}", ours.lines));
    }
    Ok(code.len())
}

/// Compares a class; the number of instructions compared, or what differs.
pub(super) fn compare(bytes: &[u8], ours: &ClassFile) -> Result<usize, String> {
    let theirs =
        ristretto_classfile::ClassFile::from_bytes(bytes).map_err(|e| format!("ristretto refuses: {e}"))?;
    if (ours.fields.len(), ours.methods.len()) != (theirs.fields.len(), theirs.methods.len()) {
        return Err("fields or methods".into());
    }
    let mut compared = 0;
    for (own, other) in ours.methods.iter().zip(&theirs.methods) {
        let place = |e: String| format!("{}{}: {e}", own.name, own.descriptor);
        let code = other.attributes.iter().find(|a| matches!(a, Attribute::Code { .. }));
        match (&own.code, code) {
            (Some(own), Some(other)) => compared += compare_code(own, other).map_err(place)?,
            (None, None) => {}
            _ => return Err(place("code or none".into())),
        }
    }
    Ok(compared)
}
