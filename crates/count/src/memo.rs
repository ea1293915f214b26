//! Known counts: parts by key.
//!
//! Counts that outlive a call are keyed by the canonical form (`form.rs`). Within one call a cheaper key
//! suffices: a part written down with its variables shifted to start at 0 and put into an order that depends
//! on names as little as is cheap: two rounds of colour refinement, ties in the order of occurrence. Parts
//! with equal keys have equal numbers of solutions, because the key is the whole part; parts that differ by a
//! renaming mostly have equal keys.

use crate::system::System;
use evergreen_term::Int;
use num_bigint::BigUint;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The role of a part in the problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rank {
    /// Constraints of the question that share variables with no others.
    Component,
    /// Something simpler that a component is counted by.
    SubCount,
}

/// Counts that outlive one call. A store that fails or forgets is a miss.
///
/// A form is the whole part with its domains, written so that renaming, shifting or mirroring variables does
/// not change it: equal forms have equal numbers of solutions.
pub trait Memo {
    /// The number of solutions of the part with this form, if it was put.
    fn get(&mut self, form: &[u8], rank: Rank) -> Option<BigUint>;
    /// Remembers an exact count. Called once, after `get` found nothing, unless the part has no exact count.
    fn put(&mut self, form: &[u8], rank: Rank, count: &BigUint);
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Ranges relative to the least value.
fn shifted(mut system: System) -> System {
    for var in 0..system.ranges.len() {
        let Some(lo) = system.ranges[var].lo.clone().filter(|lo| !lo.is_zero()) else { continue };
        for band in &mut system.bands {
            if let Some(a) = band.coefficient(var as u32) {
                let by = a.mul(&lo).neg();
                band.range = std::mem::take(&mut band.range).shifted(&by);
            }
        }
        let range = &mut system.ranges[var];
        *range = std::mem::take(range).shifted(&lo.neg());
    }
    system
}

/// The variables in canonical order, as far as two rounds distinguish them.
fn order(system: &System) -> Vec<u32> {
    let mut colours: Vec<u64> = system.ranges.iter().map(hash).collect();
    for _ in 0..2 {
        let mut next = colours.clone();
        for band in &system.bands {
            let sum = band.form.iter().map(|(v, a)| hash(&(colours[*v as usize], a)));
            let all = hash(&(&band.range, sum.fold(0u64, u64::wrapping_add)));
            for (v, a) in &band.form {
                let colour = &mut next[*v as usize];
                *colour = colour.wrapping_add(hash(&(all, a)));
            }
        }
        colours = next.iter().map(hash).collect();
    }
    let mut order: Vec<u32> = (0..system.ranges.len() as u32).collect();
    order.sort_by_key(|v| colours[*v as usize]);
    order
}

fn write(out: &mut Vec<u8>, value: Option<&Int>) {
    match value {
        Some(Int::Small(v)) if i8::try_from(*v).is_ok_and(|v| v > -100) => out.push(*v as u8),
        Some(v) => {
            let bytes = v.to_big().to_signed_bytes_le();
            out.push(0x80);
            out.extend((bytes.len() as u32).to_le_bytes());
            out.extend(bytes);
        }
        None => out.push(0x81),
    }
}

/// The key of a part that is simplified and not plainly empty.
pub(crate) fn key(system: &System) -> Option<Vec<u8>> {
    let mut system = shifted(system.clone());
    let order = order(&system);
    let mut place = vec![0u32; order.len()];
    order.iter().enumerate().for_each(|(at, v)| place[*v as usize] = at as u32);
    for band in &mut system.bands {
        band.form.iter_mut().for_each(|(v, _)| *v = place[*v as usize]);
    }
    let ranges = order.iter().map(|v| std::mem::take(&mut system.ranges[*v as usize])).collect();
    let mut system = System { ranges, bands: system.bands };
    system.merge().ok()?;
    let mut out = Vec::with_capacity(16 + 8 * system.bands.len());
    let small = |n: usize| Int::from(n as i64);
    write(&mut out, Some(&small(system.ranges.len())));
    let ranges = system.ranges.iter().map(|r| (None, r));
    for (form, range) in ranges.chain(system.bands.iter().map(|b| (Some(&b.form), &b.range))) {
        if let Some(form) = form {
            write(&mut out, Some(&small(form.len())));
            for (v, a) in form {
                write(&mut out, Some(&small(*v as usize)));
                write(&mut out, Some(a));
            }
        }
        write(&mut out, range.lo.as_ref());
        write(&mut out, range.hi.as_ref());
        write(&mut out, Some(&small(range.holes.len())));
        range.holes.iter().for_each(|h| write(&mut out, Some(h)));
    }
    Some(out)
}
