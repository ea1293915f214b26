//! Decisions of a path, at places that outlive edits elsewhere.
//!
//! Offsets and lines move with every edit. The index of a conditional jump in its method moves only when
//! jumps of the same method come or go; the same holds for field reads, calls and so on, each kind counted by
//! itself. So a recorded path shows the way of tests of an older version, and a comparison shows where they
//! left it.

use crate::Program;
use evergreen_classfile::{Code, Instruction};
use evergreen_explore::Site;
use evergreen_jvm::Jvm;
use evergreen_suite::Decision;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What kind of instruction decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DecisionKind {
    /// A conditional jump or a switch.
    Jump,
    /// What an input of the method is, before its first instruction.
    Input,
    /// An access to a field.
    Field,
    /// An access to an array.
    Array,
    /// A call.
    Call,
    /// Anything else: a division, a cast, a new array.
    Other,
}

impl DecisionKind {
    /// A letter for it; jumps, the usual kind, have none.
    fn letter(self) -> Option<char> {
        match self {
            DecisionKind::Jump => None,
            DecisionKind::Input => Some('i'),
            DecisionKind::Field => Some('f'),
            DecisionKind::Array => Some('a'),
            DecisionKind::Call => Some('c'),
            DecisionKind::Other => Some('o'),
        }
    }

    fn of(instruction: Instruction) -> DecisionKind {
        use Instruction as I;
        match instruction {
            I::If(..) | I::IfIcmp(..) | I::IfAcmp(..) | I::IfNull(..) | I::Switch(_) => DecisionKind::Jump,
            I::GetField(_) | I::PutField(_) | I::GetStatic(_) | I::PutStatic(_) => DecisionKind::Field,
            I::ArrayLoad(_) | I::ArrayStore(_) | I::ArrayLength => DecisionKind::Array,
            I::Invoke(..) | I::InvokeDynamic(_) => DecisionKind::Call,
            _ => DecisionKind::Other,
        }
    }
}

/// Finds decisions, each place once.
#[derive(Default)]
pub(crate) struct Decisions {
    known: FxHashMap<Site, Option<Decision>>,
    own: Vec<Arc<str>>,
}

impl Decisions {
    /// Of the classes of a program; decisions in other classes are not reported.
    pub(crate) fn of(program: &Program) -> Decisions {
        let own = program.classes().iter().map(|class| class.name.clone()).collect();
        Decisions { known: FxHashMap::default(), own }
    }

    /// The decision at a site, if it is in one of the program's own classes.
    pub(crate) fn at(&mut self, jvm: &Jvm, site: Site, arm: u32) -> Option<Decision> {
        let own = &self.own;
        let found = self.known.entry(site).or_insert_with(|| {
            let (method, pc) = jvm.instruction(site)?;
            if !own.contains(&method.class_name) {
                return None;
            }
            let (kind, ordinal) = match pc {
                None => (DecisionKind::Input, 0),
                Some(pc) => ordinal(method.code()?, pc)?,
            };
            let unit = method.class_name.replace('/', ".").into();
            let function = format!("{}{}", method.name, method.descriptor).into();
            Some(Decision { unit, function, kind: kind.letter(), ordinal, arm: 0 })
        });
        found.as_ref().map(|decision| Decision { arm, ..decision.clone() })
    }
}

/// What kind of instruction it is, and how many of the kind are before it.
fn ordinal(code: &Code, pc: u32) -> Option<(DecisionKind, u32)> {
    let kind = DecisionKind::of(*code.instructions.get(pc as usize)?);
    let before = code.instructions[..pc as usize].iter().filter(|i| DecisionKind::of(**i) == kind).count();
    Some((kind, before as u32))
}
