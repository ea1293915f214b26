//! Conjunctions in the words that every solver knows: yices has neither overflow predicates nor constant
//! arrays. The definitions are those of the standard, in wider vectors; the core has other ones.

use evergreen::{Fun, Indexed, Op, Sort, TermId, Terms};
use std::collections::HashMap;

/// The widest index of a constant array that is written out cell by cell.
const MOST_INDEX_BITS: u32 = 3;

/// The same constraint without overflow predicates and constant arrays; `None` when it has a constant array
/// of too many cells.
pub(super) fn plain(terms: &mut Terms, constraint: TermId) -> Option<TermId> {
    let mut made: HashMap<TermId, TermId> = HashMap::new();
    let mut stack = vec![constraint];
    while let Some(&top) = stack.last() {
        let missing: Vec<TermId> =
            terms.args(top).iter().copied().filter(|arg| !made.contains_key(arg)).collect();
        if !missing.is_empty() {
            stack.extend(missing);
            continue;
        }
        stack.pop();
        let args: Vec<TermId> = terms.args(top).iter().map(|arg| made[arg]).collect();
        let image = match terms.op(top) {
            Op::Fun(
                fun @ (Fun::BvNego
                | Fun::BvUaddo
                | Fun::BvSaddo
                | Fun::BvUmulo
                | Fun::BvSmulo
                | Fun::BvUsubo
                | Fun::BvSsubo
                | Fun::BvSdivo),
            ) => overflow(terms, fun, &args),
            Op::ConstArray => constant(terms, top, args[0])?,
            _ if args.is_empty() => top,
            _ => terms.with_args(top, &args),
        };
        made.insert(top, image);
    }
    Some(made[&constraint])
}

/// Whether the exact result does not fit.
fn overflow(terms: &mut Terms, fun: Fun, args: &[TermId]) -> TermId {
    let mut app = |fun: Fun, args: &[TermId]| terms.app(fun, args).expect("well sorted");
    let a = args[0];
    match fun {
        Fun::BvUsubo => return app(Fun::BvUlt, &[a, args[1]]),
        Fun::BvNego | Fun::BvSdivo => {
            let Sort::BitVec(width) = *terms.sort_kind(terms.sort_of(a)) else { unreachable!("a vector") };
            let least = terms.bv(width, 1 << (width - 1));
            let is_least = terms.app(Fun::Eq, &[a, least]).expect("well sorted");
            if fun == Fun::BvNego {
                return is_least;
            }
            let ones = terms.bv(width, u128::MAX >> (128 - width));
            let is_ones = terms.app(Fun::Eq, &[args[1], ones]).expect("well sorted");
            return terms.app(Fun::And, &[is_least, is_ones]).expect("well sorted");
        }
        _ => {}
    }
    let (extension, exact) = match fun {
        Fun::BvUaddo => (Indexed::ZeroExtend, Fun::BvAdd),
        Fun::BvUmulo => (Indexed::ZeroExtend, Fun::BvMul),
        Fun::BvSaddo => (Indexed::SignExtend, Fun::BvAdd),
        Fun::BvSsubo => (Indexed::SignExtend, Fun::BvSub),
        _ => (Indexed::SignExtend, Fun::BvMul),
    };
    let Sort::BitVec(width) = *terms.sort_kind(terms.sort_of(a)) else { unreachable!("a vector") };
    let more = if exact == Fun::BvMul { width } else { 1 };
    let wide: Vec<TermId> =
        args.iter().map(|&arg| terms.indexed(extension, more, 0, &[arg]).expect("well sorted")).collect();
    let result = terms.app(exact, &wide).expect("well sorted");
    let cut = terms.indexed(Indexed::Extract, width - 1, 0, &[result]).expect("well sorted");
    let again = terms.indexed(extension, more, 0, &[cut]).expect("well sorted");
    terms.app(Fun::Distinct, &[again, result]).expect("well sorted")
}

/// A constant array as writes to every cell of another array.
fn constant(terms: &mut Terms, array: TermId, value: TermId) -> Option<TermId> {
    let sort = terms.sort_of(array);
    let Sort::Array(index, _) = *terms.sort_kind(sort) else { return None };
    let Sort::BitVec(width) = *terms.sort_kind(index) else { return None };
    if width > MOST_INDEX_BITS {
        return None;
    }
    let mut written = terms.constant("any-array", sort);
    for at in 0..1u128 << width {
        let at = terms.bv(width, at);
        written = terms.app(Fun::Store, &[written, at, value]).expect("well sorted");
    }
    Some(written)
}
