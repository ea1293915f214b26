//! What is known of an invariant, kept in a store: prefixes that can be completed (BLISSDB [Rosner TSE'15,
//! Algorithm 7]) and field bounds.
//!
//! Keys are digests of the format's version, the namespace, the invariant's text (which names the class) and,
//! for a verdict, the concrete prefix, for bounds the scope. Values begin with a byte that no record of an
//! answer begins with.
//!
//! | entry | bytes |
//! |---|---|
//! | verdict | `0xa0`, version, 1, the scope that found it: a byte for each class |
//! | bounds | `0xa0`, version, 2, class count, scope, a word for each label and field (null's bit lowest) |
//!
//! **Trust.** A verdict says that a prefix *can* be completed, so a wrong one keeps a choice that could have
//! been pruned and loses nothing. It is used from any store, unless no store is trusted. Bounds that are too
//! tight would hide valid structures, and nothing in them shows that they are right: bounds from untrusted
//! stores are ignored and computed again. Bounds of a smaller scope only add pairs, each of which would only
//! be looser than need be if wrong, but they come from the same place and are treated alike.

use evergreen::Trust;
use evergreen_heap::feasible::Verdicts;
use evergreen_heap::{Bounds, ClassId, Invariant, Lazy, Scope, Technique, TooLarge, bounds};
use evergreen_jvm::MakeLazy;
use evergreen_reuse::marking;
use evergreen_store::{Key, Store};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

/// The format, and the meaning of the language: what another meaning would make wrong must not be found.
const VERSION: u8 = 1;
/// First byte: no record of an answer starts with it.
const MARK: u8 = 0xa0;
const VERDICT: u8 = 1;
const BOUNDS: u8 = 2;
/// Keys that are remembered as stored.
const MOST_DONE: usize = 1 << 18;

/// Which kind of entry these bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeapEntry {
    /// A prefix that can be completed.
    Verdict,
    /// Field bounds.
    Bounds,
}

/// The kind of a stored entry, if it is one of a heap's; for `store stats` and `store verify`.
pub fn heap_entry(bytes: &[u8]) -> Option<HeapEntry> {
    match bytes {
        [MARK, VERSION, VERDICT, scope @ ..] if (1..=64).contains(&scope.len()) => Some(HeapEntry::Verdict),
        [MARK, VERSION, BOUNDS, classes, rest @ ..] => {
            let words = rest.len().checked_sub(usize::from(*classes))?;
            (*classes > 0 && words.is_multiple_of(8)).then_some(HeapEntry::Bounds)
        }
        _ => None,
    }
}

/// Whether an entry of any kind can be used without trust in its origin: a prefix wrongly called completable
/// costs time only; the rest is [`evergreen::has_evidence`].
pub fn has_evidence(key: &Key, bytes: &[u8]) -> bool {
    heap_entry(bytes) == Some(HeapEntry::Verdict) || evergreen::has_evidence(key, bytes)
}

/// A store, seen as what is known of one class's invariant.
#[derive(Clone)]
pub struct HeapStore {
    store: Arc<dyn Store>,
    trust: Trust,
    /// The digest of what all keys have in common.
    about: [u8; 32],
}

/// The counters of a store of heaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HeapStoreCounts {
    /// Verdicts looked up.
    pub asked: u64,
    /// Verdicts found.
    pub found: u64,
    /// Verdicts recorded.
    pub recorded: u64,
}

impl HeapStore {
    /// The knowledge about the class that an invariant's text names.
    pub fn new(store: Arc<dyn Store>, trust: Trust, namespace: &str, text: &str) -> HeapStore {
        let mut about = b"evergreen heap".to_vec();
        about.push(VERSION);
        for part in [namespace, text] {
            about.extend((part.len() as u64).to_le_bytes());
            about.extend(part.as_bytes());
        }
        HeapStore { store: marking(store, trust), trust, about: evergreen::digest(&about) }
    }

    fn key(&self, kind: u8, rest: &[u8]) -> Key {
        let mut text = Vec::with_capacity(33 + rest.len());
        text.extend(self.about);
        text.push(kind);
        text.extend(rest);
        Key(evergreen::digest(&text))
    }

    /// The bounds of a scope, if they are known and their origin is trusted.
    pub fn bounds(&self, invariant: &Invariant, scope: &Scope) -> Option<Bounds> {
        let (bytes, origin) =
            self.store.get_from(&self.key(BOUNDS, &scope_bytes(invariant, scope)?)).ok()??;
        if !self.trust.trusts(origin) {
            return None;
        }
        let head = bounds_head(invariant, scope)?;
        Bounds::from_bytes(invariant, scope, bytes.strip_prefix(head.as_slice())?)
    }

    /// The bounds of the nearest smaller scope: every class has one object less, two less and so on.
    pub fn smaller_bounds(&self, invariant: &Invariant, scope: &Scope) -> Option<Bounds> {
        let widest =
            (0..invariant.shape.classes.len() as u8).map(|c| scope.of(ClassId(c))).max().unwrap_or(0);
        (1..widest).find_map(|less| {
            let mut smaller = scope.clone();
            for class in (1..invariant.shape.classes.len() as u8).map(ClassId) {
                smaller = smaller.with(class, scope.of(class).saturating_sub(less));
            }
            self.bounds(invariant, &smaller)
        })
    }

    /// The bounds of a scope: known, or computed from those of a smaller one and recorded. Known bounds
    /// report that they took no questions.
    ///
    /// # Errors
    /// If the scope has too many objects.
    pub fn known_or_computed(
        &self,
        invariant: &Invariant,
        scope: &Scope,
        watch: bounds::Watch<'_>,
    ) -> Result<Bounds, TooLarge> {
        if let Some(known) = self.bounds(invariant, scope) {
            return Ok(known);
        }
        let smaller = self.smaller_bounds(invariant, scope);
        let found = bounds::bounds_watched(invariant, scope, smaller.as_ref(), watch)?;
        self.record_bounds(invariant, &found);
        Ok(found)
    }

    /// Keeps bounds, if they are the tightest. A store that fails keeps nothing.
    pub fn record_bounds(&self, invariant: &Invariant, bounds: &Bounds) {
        let Some(mut bytes) = bounds_head(invariant, bounds.scope()).filter(|_| bounds.tightest) else {
            return;
        };
        let Some(scope) = scope_bytes(invariant, bounds.scope()) else { return };
        bytes.extend(bounds.to_bytes());
        let _ = self.store.put(&self.key(BOUNDS, &scope), &bytes);
    }

    /// The verdicts of a scope: those that it or a smaller one found.
    pub fn verdicts(&self, invariant: &Invariant, scope: &Scope) -> Option<StoredVerdicts> {
        let bytes = scope_bytes(invariant, scope)?;
        let (counts, done) = (HeapStoreCounts::default(), FxHashSet::default());
        Some(StoredVerdicts { about: self.clone(), scope: bytes, done, counts })
    }
}

/// Techniques that take field bounds and verdicts from a store, and put them there.
pub fn keeping(store: Arc<dyn Store>, trust: Trust, namespace: String) -> MakeLazy {
    Box::new(move |stated, invariant, scope, technique| {
        let known = HeapStore::new(store.clone(), trust, &namespace, &stated.text);
        known.lazy(invariant, scope, technique)
    })
}

impl HeapStore {
    /// A technique that takes what it needs from the store.
    ///
    /// # Errors
    /// If the scope has too many objects.
    pub fn lazy(
        &self,
        invariant: Rc<Invariant>,
        scope: &Scope,
        technique: Technique,
    ) -> Result<Lazy<'static>, TooLarge> {
        let bounds = match technique {
            Technique::Li => None,
            _ => Some(self.known_or_computed(&invariant, scope, &mut |_, _| true)?),
        };
        let mut lazy = Lazy::with_bounds(invariant.clone(), scope, technique, bounds.as_ref())?;
        if technique == Technique::BlissDb
            && let Some(verdicts) = self.verdicts(&invariant, scope)
        {
            lazy.set_verdicts(Box::new(verdicts));
        }
        Ok(lazy)
    }
}

fn scope_bytes(invariant: &Invariant, scope: &Scope) -> Option<Vec<u8>> {
    (0..invariant.shape.classes.len() as u8).map(|c| u8::try_from(scope.of(ClassId(c))).ok()).collect()
}

fn bounds_head(invariant: &Invariant, scope: &Scope) -> Option<Vec<u8>> {
    let scope = scope_bytes(invariant, scope)?;
    Some([&[MARK, VERSION, BOUNDS, scope.len() as u8], scope.as_slice()].concat())
}

/// Verdicts of one scope in a store.
pub struct StoredVerdicts {
    about: HeapStore,
    scope: Vec<u8>,
    /// Keys that are in the store for sure: prefixes are met again and again.
    done: FxHashSet<Key>,
    /// Its counters.
    pub counts: HeapStoreCounts,
}

impl StoredVerdicts {
    /// Whether a stored scope is within this one: then what it found holds here.
    fn holds(&self, bytes: &[u8]) -> bool {
        match bytes {
            [MARK, VERSION, VERDICT, found @ ..] => {
                found.len() == self.scope.len() && found.iter().zip(&self.scope).all(|(a, b)| a <= b)
            }
            _ => false,
        }
    }
}

impl Verdicts for StoredVerdicts {
    fn known(&mut self, key: &[u8]) -> bool {
        self.counts.asked += 1;
        if self.about.trust == Trust::None {
            return false;
        }
        let found = self.about.store.get(&self.about.key(VERDICT, key)).ok().flatten();
        let known = found.is_some_and(|bytes| self.holds(&bytes));
        self.counts.found += u64::from(known);
        known
    }

    fn record(&mut self, key: &[u8]) {
        let key = self.about.key(VERDICT, key);
        if self.done.len() >= MOST_DONE {
            self.done.clear();
        }
        if !self.done.insert(key) {
            return;
        }
        // A verdict of a smaller scope is stronger.
        if self.about.store.get(&key).ok().flatten().is_some_and(|bytes| self.holds(&bytes)) {
            return;
        }
        self.counts.recorded += 1;
        let value = [&[MARK, VERSION, VERDICT], self.scope.as_slice()].concat();
        let _ = self.about.store.put(&key, &value);
    }
}
