//! Equalities of arrays, wherever they stand.
//!
//! An equality is a truth value of its own, a leaf. What it means is added to a query that mentions it
//! (`crate::ties`).

use super::{ArrayId, Translator, width_of};
use crate::Beyond;
use crate::form::{Form, Node, Origin};
use crate::marks::empty;
use evergreen_term::{Fun, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

/// Two arrays that are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equality {
    pub(crate) arrays: [ArrayId; 2],
    /// The width of their indices.
    pub(crate) index: u8,
}

/// All equalities of a core, by the arrays.
#[derive(Default)]
pub(crate) struct Equalities {
    all: Vec<Equality>,
    made: FxHashMap<[ArrayId; 2], u32>,
}

impl Equalities {
    pub(super) fn forget(&mut self) {
        self.all.clear();
        empty(&mut self.made);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn get(&self, number: u32) -> Equality {
        self.all[number as usize]
    }
}

impl Translator {
    /// `=` or `distinct` of arrays.
    pub(super) fn compare(
        &mut self,
        form: &mut Form,
        terms: &Terms,
        fun: Fun,
        args: &[TermId],
    ) -> Result<Node, Beyond> {
        let arrays = args.iter().map(|&a| self.array(a)).collect::<Result<Vec<_>, _>>()?;
        let Sort::Array(index, _) = terms.sort_kind(terms.sort_of(args[0])) else {
            return Err(super::outside("an array of another kind"));
        };
        let index = width_of(terms, *index)?;
        let mut all = Node::TRUE;
        for (i, &a) in arrays.iter().enumerate() {
            for &b in &arrays[i + 1..] {
                let same = self.same(form, [a, b], index);
                let wanted = if fun == Fun::Eq { same } else { form.not(same) };
                all = form.and(all, wanted);
                // Of several that are equal each is equal to the next.
                if fun == Fun::Eq {
                    break;
                }
            }
        }
        Ok(all)
    }

    fn same(&mut self, form: &mut Form, mut arrays: [ArrayId; 2], index: u8) -> Node {
        if arrays[0] == arrays[1] {
            return Node::TRUE;
        }
        arrays.sort_unstable();
        let Equalities { all, made } = &mut self.equalities;
        let number = *made.entry(arrays).or_insert_with(|| {
            all.push(Equality { arrays, index });
            all.len() as u32 - 1
        });
        form.leaf_of(Origin::Same(number), 1)
    }
}
