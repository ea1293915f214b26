//! A `switch` on a string that is an input: a path for each case and one for none.
//!
//! javac switches on the hash code and then compares the string with the texts that have it. Hash codes are
//! polynomials in the characters, which no solver likes to invert, and other texts of the same hash code go
//! where those of no case go. So the string is compared with the texts of all cases, and its hash code is
//! that of the case, or one of no case. Nothing else sees it: the switch is the next instruction.

use evergreen_classfile::{Code, Constant, Instruction, InvokeKind, Kind as Slot, Rel, Switch};
use evergreen_symbolic::Cond;

use super::open;
use crate::classes::Method;
use crate::classes::resolve::constants;
use crate::native::{Call, Trap};
use crate::value::{Ref, Value};

/// Cases beyond which a switch is left to the hash code.
const MOST_CASES: usize = 64;

/// A hash code for the receiver of `hashCode` that leads the switch behind the call where the string goes;
/// `None` if there is no such switch, or if the string is no input.
pub(super) fn hash_for_switch(call: &mut Call) -> Result<Option<i32>, Trap> {
    let Some(&Value::Ref(text)) = call.args.first() else { return Ok(None) };
    if call.jvm.rope(call.state, text).is_none() {
        return Ok(None);
    }
    let Some(frame) = call.state.top().filter(|frame| frame.method.user) else { return Ok(None) };
    let Some(cases) = texts_of_switch(&frame.method, frame.pc) else { return Ok(None) };
    let mut arms = Vec::new();
    let mut none = Cond::TRUE;
    for (_, units) in &cases {
        let Some(same) = is_text(call, text, units) else { return Ok(None) };
        arms.push(same);
        none = call.exprs().and(none, same.negated());
    }
    arms.push(none);
    let chosen = call.choose(&arms)?;
    let is_case = |hash: &i32| cases.iter().any(|(case, _)| case == hash);
    let other = || (0..).find(|hash| !is_case(hash));
    Ok(cases.get(chosen).map(|(hash, _)| *hash).or_else(other))
}

/// Whether a string is a text, if that chooses no length.
pub(super) fn is_text(call: &Call, text: Ref, units: &[u16]) -> Option<Cond> {
    let known: Vec<Value> = units.iter().map(|unit| Value::Int(i32::from(*unit))).collect();
    let Some(own) = call.jvm.units(call.state, text) else { return open::is_known(call, text, units) };
    if own.len() != known.len() {
        return Some(Cond::FALSE);
    }
    let mut same = Cond::TRUE;
    for (own, known) in own.iter().zip(&known) {
        let equal = call.equal(*own, *known);
        same = call.exprs().and(same, equal);
    }
    Some(same)
}

/// The texts of the cases of a switch with their hash codes, if the instruction behind a call is a switch on
/// the string whose hash code was asked for, as javac writes it.
fn texts_of_switch(method: &Method, pc: u32) -> Option<Vec<(i32, Vec<u16>)>> {
    let code = method.code()?;
    let Instruction::Load(Slot::Ref, local) = instruction(code, pc.checked_sub(1)?)? else { return None };
    let Instruction::Switch(index) = instruction(code, pc + 1)? else { return None };
    let switch = code.switches.get(index as usize)?;
    let mut texts = Vec::new();
    for (hash, target) in switch.iter().filter(|(_, target)| *target != switch.default) {
        texts_of_case(method, code, switch, (hash, target, local), &mut texts)?;
    }
    (texts.len() <= MOST_CASES).then_some(texts)
}

/// Adds the texts that the code of a case compares the string with. Where all of them differ, that code has
/// done nothing and goes where other hash codes go.
fn texts_of_case(
    method: &Method,
    code: &Code,
    switch: &Switch,
    (hash, mut at, local): (i32, u32, u16),
    texts: &mut Vec<(i32, Vec<u16>)>,
) -> Option<()> {
    loop {
        let Instruction::Load(Slot::Ref, own) = instruction(code, at)? else { return None };
        let Instruction::Ldc(constant) = instruction(code, at + 1)? else { return None };
        let Instruction::Invoke(InvokeKind::Virtual, member) = instruction(code, at + 2)? else {
            return None;
        };
        let Instruction::If(Rel::Eq, other) = instruction(code, at + 3)? else { return None };
        let pool = constants(&method.pool).ok()?;
        let called = pool.member(member).ok()?;
        let is_equals = &*called.class == "java/lang/String"
            && &*called.name == "equals"
            && &*called.descriptor == "(Ljava/lang/Object;)Z";
        let Constant::String(text) = pool.constant(constant).ok()? else { return None };
        let units = text.units();
        if own != local || !is_equals || hash_of(&units) != hash {
            return None;
        }
        texts.push((hash, units.to_vec()));
        if other == switch.default {
            return Some(());
        }
        // A loop has no end.
        if other <= at {
            return None;
        }
        at = other;
    }
}

fn instruction(code: &Code, at: u32) -> Option<Instruction> {
    code.instructions.get(at as usize).copied()
}

/// As `String.hashCode` computes it.
fn hash_of(units: &[u16]) -> i32 {
    units.iter().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(*unit)))
}

#[cfg(test)]
mod tests {
    use super::hash_of;

    #[test]
    fn hash_codes_are_those_of_java() {
        let hash = |text: &str| hash_of(&text.encode_utf16().collect::<Vec<_>>());
        assert_eq!(hash(""), 0);
        assert_eq!(hash("Aa"), 2112);
        assert_eq!(hash("BB"), 2112);
        assert_eq!(hash("polygenelubricants"), i32::MIN);
    }
}
