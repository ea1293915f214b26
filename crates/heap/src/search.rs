//! Feasibility without a declarative invariant: runs repOK on the partial heap and searches for
//! values of the fields that it reads, the last one read changing first, until it returns true
//! [Boyapati ISSTA'02; Copia ASE'22].
//!
//! repOK that returns false without reading a field refuses all its values at once, which keeps the
//! search bounded in practice. Verdicts are remembered by the heap's canonical bytes. Worst case
//! exponential in the scope.

use crate::drive::{Fields, Stop, explore};
use crate::encode::Scope;
use crate::heap::{Heap, Value};
use crate::invariant::Invariant;
use crate::lazy::{Lazy, Partial, Technique};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Decides feasibility by repOK.
pub struct Search<'a, M> {
    invariant: Rc<Invariant>,
    lazy: Lazy<'a>,
    rep_ok: M,
    known: FxHashMap<Vec<u8>, bool>,
    /// Searches that were made.
    pub searches: u64,
}

/// The most verdicts that are remembered; beyond it all of them are dropped at once.
const MOST_KNOWN: usize = 1 << 20;

impl<'a, M: FnMut(&mut dyn Fields) -> Result<bool, Stop>> Search<'a, M> {
    /// A search in a scope; of the invariant only the shape is used.
    ///
    /// # Errors
    /// If the scope has too many objects.
    pub fn new(
        invariant: impl Into<Rc<Invariant>>,
        scope: &Scope,
        rep_ok: M,
    ) -> Result<Self, crate::TooLarge> {
        let invariant = invariant.into();
        let mut lazy = Lazy::new(invariant.clone(), scope, Technique::Li)?;
        lazy.set_precondition(Box::new(|_| true));
        Ok(Search { invariant, lazy, rep_ok, known: FxHashMap::default(), searches: 0 })
    }

    /// Whether some heap that extends this one satisfies repOK.
    pub fn feasible(&mut self, heap: &Heap) -> bool {
        let key = self.key(heap);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let feasible = self.complete(heap).is_some();
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, feasible);
        feasible
    }

    /// An extension of the heap that satisfies repOK; fields that it did not read stay unknown.
    pub fn complete(&mut self, heap: &Heap) -> Option<Heap> {
        self.searches += 1;
        let start = Partial { heap: heap.clone(), labels: vec![u64::MAX; heap.len()] };
        let mut found = None;
        explore(&mut self.lazy, start, &mut self.rep_ok, |partial| {
            found = Some(partial.heap.clone());
            false
        });
        found
    }

    /// The heap's bytes, with objects in the order in which a traversal of the known fields meets them.
    fn key(&self, heap: &Heap) -> Vec<u8> {
        let shape = &self.invariant.shape;
        let mut order = vec![crate::Object(0)];
        let mut label = [u8::MAX; 64];
        label[0] = 0;
        let mut key = Vec::new();
        let mut at = 0;
        while let Some(object) = order.get(at).copied() {
            at += 1;
            key.push(heap.class(object).0);
            for field in shape.fields_of(heap.class(object)) {
                match heap.get(object, *field) {
                    Value::Unknown => key.push(255),
                    Value::Null => key.push(254),
                    Value::Object(to) => {
                        let known = &mut label[usize::from(to.0)];
                        if *known == u8::MAX {
                            *known = order.len() as u8;
                            order.push(to);
                        }
                        key.push(*known);
                    }
                    Value::Int(n) => {
                        key.push(253);
                        key.extend(n.to_le_bytes());
                    }
                }
            }
        }
        key
    }
}
