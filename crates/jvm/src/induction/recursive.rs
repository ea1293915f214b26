//! Which methods call themselves and depend on nothing but their arguments.

use evergreen_classfile::{Code, Instruction, InvokeKind, Kind as Slot, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::classes::{Method, MethodId, Resolved, access};
use crate::machine::Jvm;
use crate::value::Kind;

/// Methods that are looked at.
const MOST_METHODS: usize = 500;

/// The recursive methods that an entry can reach, and the constants in the code of the program.
#[derive(Debug, Default)]
pub(super) struct Recursive {
    /// Every cycle of calls goes through one of them.
    pub heads: Vec<MethodId>,
    pub constants: Vec<i64>,
}

impl Recursive {
    pub(super) fn find(jvm: &mut Jvm, entry: MethodId) -> Recursive {
        let mut calls: FxHashMap<MethodId, Option<Vec<MethodId>>> = FxHashMap::default();
        let (mut order, mut constants) = (vec![entry], Vec::new());
        let mut next = 0;
        while next < order.len().min(MOST_METHODS) {
            let id = order[next];
            next += 1;
            let method = jvm.method(id).clone();
            let Some(code) = method.code().filter(|_| method.user).cloned() else {
                calls.insert(id, None);
                continue;
            };
            let mut called = Vec::new();
            let mut is_known = true;
            for instruction in &code.instructions {
                match instruction {
                    Instruction::Int(value) => constants.push(i64::from(*value)),
                    Instruction::Long(value) => constants.push(*value),
                    Instruction::Iinc(_, by) => constants.push(i64::from(*by)),
                    Instruction::Invoke(InvokeKind::Static, index) => {
                        match jvm.resolve_method(&method.pool, *index) {
                            Ok(Resolved::Method { method, .. }) => called.push(method),
                            _ => is_known = false,
                        }
                    }
                    _ => {}
                }
            }
            for target in &called {
                if !order.contains(target) {
                    order.push(*target);
                }
            }
            calls.insert(id, (is_known && is_pure(&method, &code)).then_some(called));
        }
        let pure = pure_calls(calls);
        let mut heads: Vec<MethodId> = Vec::new();
        for id in order.iter().filter(|id| pure.contains_key(*id)) {
            if returns_to(*id, &pure, &heads) {
                heads.push(*id);
            }
        }
        let mut seen = FxHashSet::default();
        constants.retain(|value: &i64| value.unsigned_abs() < 1 << 20 && seen.insert(*value));
        Recursive { heads, constants }
    }
}

/// The calls of methods that call only methods of this kind.
fn pure_calls(calls: FxHashMap<MethodId, Option<Vec<MethodId>>>) -> FxHashMap<MethodId, Vec<MethodId>> {
    let known = calls.into_iter().filter_map(|(id, called)| Some((id, called?)));
    let mut pure: FxHashMap<MethodId, Vec<MethodId>> = known.collect();
    loop {
        let is_impure = |(_, called): &(&MethodId, &Vec<MethodId>)| {
            called.iter().any(|target| !pure.contains_key(target))
        };
        let impure: Vec<MethodId> = pure.iter().filter(is_impure).map(|(id, _)| *id).collect();
        if impure.is_empty() {
            return pure;
        }
        impure.iter().for_each(|id| drop(pure.remove(id)));
    }
}

/// Whether calls of a method lead back to it without one of the heads.
fn returns_to(id: MethodId, pure: &FxHashMap<MethodId, Vec<MethodId>>, heads: &[MethodId]) -> bool {
    let mut open: Vec<MethodId> = pure[&id].clone();
    let mut seen = FxHashSet::default();
    while let Some(here) = open.pop() {
        if here == id {
            return true;
        }
        if !heads.contains(&here) && seen.insert(here) {
            open.extend(pure.get(&here).into_iter().flatten());
        }
    }
    false
}

/// Whether a method computes with its arguments and calls static methods, and does nothing else: no field, no
/// object, no exception, nothing that is synchronized or handled.
fn is_pure(method: &Method, code: &Code) -> bool {
    let kind = method.arguments.first().copied();
    let of_one_kind = matches!(kind, Some(Kind::Int | Kind::Long))
        && method.result == kind
        && method.arguments.iter().all(|argument| Some(*argument) == kind);
    let whole = |kind: Slot| matches!(kind, Slot::Int | Slot::Long);
    let is_plain = |instruction: &Instruction| match *instruction {
        Instruction::Nop
        | Instruction::Int(_)
        | Instruction::Long(_)
        | Instruction::Iinc(..)
        | Instruction::Stack(_)
        | Instruction::If(..)
        | Instruction::IfIcmp(..)
        | Instruction::Goto(_)
        | Instruction::Switch(_)
        | Instruction::Invoke(InvokeKind::Static, _) => true,
        Instruction::Load(kind, _) | Instruction::Store(kind, _) | Instruction::Neg(kind) => whole(kind),
        // Divisions can throw.
        Instruction::Arith(kind, op) => whole(kind) && !matches!(op, Op::Div | Op::Rem),
        Instruction::Convert(conversion) => {
            use evergreen_classfile::Conversion as To;
            matches!(
                conversion,
                To::IntToLong | To::LongToInt | To::IntToByte | To::IntToChar | To::IntToShort
            )
        }
        Instruction::Compare(comparison) => comparison == evergreen_classfile::Comparison::Long,
        Instruction::Return(kind) => kind.is_some_and(whole),
        _ => false,
    };
    of_one_kind
        && method.is_static()
        && method.access & access::SYNCHRONIZED == 0
        && code.handlers.is_empty()
        && code.instructions.iter().all(is_plain)
}
