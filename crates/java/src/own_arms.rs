//! The arms in the own code of a method, as numbers: random walks look for those that no path takes.

use crate::MethodRef;
use evergreen_classfile::Instruction;
use evergreen_jvm::{Jvm, TakenArm, Way};

/// All arms of a method; none where the user has said something of its inputs, or objects are lazy: random
/// walks would know nothing of it.
pub(crate) fn arms_of(jvm: &Jvm, method: &MethodRef) -> Vec<u64> {
    let options = &jvm.options;
    let is_plain = options.lazy.is_none() && options.drawn.is_empty() && options.main.is_none();
    if !is_plain || options.record == 0 || options.nesting == 0 {
        return Vec::new();
    }
    let class = jvm.loaded(&method.class);
    let own = class.and_then(|class| {
        let methods = &jvm.class(class).methods;
        methods
            .iter()
            .map(|id| jvm.method(*id))
            .find(|own| own.name == method.name && own.descriptor == method.descriptor)
    });
    let Some(code) = own.and_then(|own| own.code()) else { return Vec::new() };
    let mut all = Vec::new();
    for (instruction, offset) in code.instructions.iter().zip(&code.offsets) {
        match instruction {
            Instruction::If(..)
            | Instruction::IfIcmp(..)
            | Instruction::IfAcmp(..)
            | Instruction::IfNull(..) => {
                all.extend([Way::Taken, Way::Fallthrough].map(|way| number(*offset, way)));
            }
            Instruction::Switch(index) => {
                let switch = &code.switches[*index as usize];
                let cases = switch.iter().enumerate().filter(|(_, (_, target))| *target != switch.default);
                all.extend(cases.map(|(at, _)| number(*offset, Way::Case(at as u32))));
                all.push(number(*offset, Way::Default));
            }
            _ => {}
        }
    }
    all
}

/// The arms of a method among those that a path takes, each once.
pub(crate) fn taken_of(method: &MethodRef, taken: &[TakenArm]) -> Vec<u64> {
    let is_own = |arm: &&TakenArm| {
        arm.method == method.name && arm.class == method.class && arm.descriptor == method.descriptor
    };
    let mut all: Vec<u64> = taken.iter().filter(is_own).map(|arm| number(arm.offset, arm.way)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn number(offset: u32, way: Way) -> u64 {
    let way = match way {
        Way::Taken => 0,
        Way::Fallthrough => 1,
        Way::Default => 2,
        Way::Case(at) => 3 + u64::from(at),
    };
    u64::from(offset) << 32 | way
}
