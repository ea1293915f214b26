//! Variables and linear forms by number. A form is kept for ever once it was seen: along a path the same few
//! forms recur at every branch, and finding one again costs one look-up and no allocation.

use crate::row::Var;
use crate::tableau::{Id, NONE};
use rustc_hash::FxHashMap;

/// Variables below this are found by index.
const DENSE: Var = 1 << 16;

/// The table of quantities.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quantities {
    dense: Vec<Id>,
    sparse: FxHashMap<Var, Id>,
    /// The variable; not used for forms.
    names: Vec<Var>,
    /// Where a form's terms are; empty for variables.
    spans: Vec<(u32, u32)>,
    arena: Vec<(Id, i64)>,
    forms: FxHashMap<Box<[(Id, i64)]>, Id>,
}

impl Quantities {
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// The number of a variable, if it ever occurred.
    #[inline]
    pub(crate) fn find(&self, var: Var) -> Option<Id> {
        if var < DENSE {
            self.dense.get(var as usize).copied().filter(|id| *id != NONE)
        } else {
            self.sparse.get(&var).copied()
        }
    }

    /// The number of a variable, and whether it is new.
    pub(crate) fn variable(&mut self, var: Var) -> (Id, bool) {
        if let Some(id) = self.find(var) {
            return (id, false);
        }
        let id = self.spans.len() as Id;
        if var < DENSE {
            if self.dense.len() <= var as usize {
                self.dense.resize(var as usize + 1, NONE);
            }
            self.dense[var as usize] = id;
        } else {
            self.sparse.insert(var, id);
        }
        self.names.push(var);
        self.spans.push((0, 0));
        (id, true)
    }

    /// The number of a form over at least two variables, and whether it is new.
    pub(crate) fn form(&mut self, terms: &[(Id, i64)]) -> (Id, bool) {
        if let Some(id) = self.forms.get(terms) {
            return (*id, false);
        }
        let id = self.spans.len() as Id;
        let start = self.arena.len() as u32;
        self.arena.extend_from_slice(terms);
        self.spans.push((start, self.arena.len() as u32));
        self.names.push(NONE);
        self.forms.insert(terms.into(), id);
        (id, true)
    }

    pub(crate) fn is_form(&self, id: Id) -> bool {
        self.spans[id as usize].1 != 0
    }

    /// The terms of a form; none for a variable.
    pub(crate) fn terms(&self, id: Id) -> &[(Id, i64)] {
        let (start, end) = self.spans[id as usize];
        &self.arena[start as usize..end as usize]
    }

    pub(crate) fn name(&self, id: Id) -> Var {
        self.names[id as usize]
    }
}
