//! Pages of one snapshot that were read and checked before: the upper levels of the
//! tree, or all pages of a batch.
//!
//! Until the next commit, a lookup then reads the meta pages and one leaf in place of four or five pages.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::page::Meta;
use crate::memory::lock;

/// Which pages to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// For lookups: leaves are too many, and their entries are in the map in front.
    Branches,
    /// For a batch in the order of the keys, which meets the same leaf several times.
    All,
}

/// More than 256 branches name some 20,000 leaves or half a million entries.
const MAX_PAGES: usize = 256;

pub(super) struct Pages {
    keep: Keep,
    kept: Mutex<Kept>,
}

struct Kept {
    /// The snapshot whose pages these are.
    of: Option<Meta>,
    pages: HashMap<u64, Arc<[u8]>>,
}

impl Pages {
    pub(super) fn new(keep: Keep) -> Pages {
        Pages { keep, kept: Mutex::new(Kept { of: None, pages: HashMap::new() }) }
    }

    /// A page of this snapshot that passed its check.
    pub(super) fn get(&self, of: &Meta, number: u64) -> Option<Arc<[u8]>> {
        let kept = lock(&self.kept);
        if kept.of.as_ref() == Some(of) { kept.pages.get(&number).cloned() } else { None }
    }

    pub(super) fn keeps(&self, is_leaf: bool) -> bool {
        self.keep == Keep::All || !is_leaf
    }

    /// Keeps a page that passed its check while `of` was the newest snapshot.
    pub(super) fn insert(&self, of: &Meta, number: u64, page: Arc<[u8]>) {
        let mut kept = lock(&self.kept);
        if kept.of.as_ref() != Some(of) || kept.pages.len() >= MAX_PAGES {
            kept.pages.clear();
            kept.of = Some(*of);
        }
        kept.pages.insert(number, page);
    }
}
