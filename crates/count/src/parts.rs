//! Independent parts: variables that no band connects are counted apart.

use crate::range::Range;
use crate::system::{Band, System};
use evergreen_structures::UnionFind;

/// Variables in no band, and the connected parts, each with its variables numbered from 0.
pub(crate) struct Parts {
    pub free: Vec<Range>,
    pub connected: Vec<System>,
}

/// Cuts a system where nothing connects it.
pub(crate) fn parts(system: System) -> Parts {
    let n = system.ranges.len();
    let mut sets = UnionFind::new(n);
    let mut bound = vec![false; n];
    for band in &system.bands {
        for (var, _) in &band.form {
            bound[*var as usize] = true;
            sets.union(band.form[0].0, *var);
        }
    }
    let top = system.bands.first().map(|band| sets.find(band.form[0].0));
    if top.is_some_and(|top| (0..n as u32).all(|var| bound[var as usize] && sets.find(var) == top)) {
        return Parts { free: Vec::new(), connected: vec![system] };
    }
    let mut number = vec![u32::MAX; n];
    let mut part = vec![u32::MAX; n];
    let mut connected: Vec<System> = Vec::new();
    let mut free = Vec::new();
    for (var, range) in system.ranges.into_iter().enumerate() {
        if !bound[var] {
            free.push(range);
            continue;
        }
        let top = sets.find(var as u32) as usize;
        if part[top] == u32::MAX {
            part[top] = connected.len() as u32;
            connected.push(System::default());
        }
        let ranges = &mut connected[part[top] as usize].ranges;
        number[var] = ranges.len() as u32;
        ranges.push(range);
    }
    for Band { mut form, range } in system.bands {
        let top = sets.find(form[0].0) as usize;
        form.iter_mut().for_each(|(var, _)| *var = number[*var as usize]);
        connected[part[top] as usize].bands.push(Band { form, range });
    }
    Parts { free, connected }
}
