//! What changed between two versions of a program, as a front end finds it by comparing code: what has other
//! code, and what may behave otherwise because of that. All else does what it did, and needs no exploration.

/// A function that does not change but may run what did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affected<K> {
    /// The function.
    pub function: K,
    /// What changed that it may run, in words.
    pub through: String,
}

/// What changed between two versions; functions are known by keys that both versions share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changes<K> {
    /// Functions that only the new version has.
    pub added: Vec<K>,
    /// Functions that only the old version has.
    pub removed: Vec<K>,
    /// Functions whose code differs.
    pub changed: Vec<K>,
    /// Functions of both versions that may behave otherwise although their code is the same.
    pub affected: Vec<Affected<K>>,
    /// What changed beside functions, in words: supertypes, fields, global data.
    pub others: Vec<String>,
    /// Functions that are the same in both versions and run nothing that changed.
    pub unchanged: usize,
}

impl<K> Default for Changes<K> {
    fn default() -> Changes<K> {
        Changes {
            added: Vec::new(),
            removed: Vec::new(),
            changed: Vec::new(),
            affected: Vec::new(),
            others: Vec::new(),
            unchanged: 0,
        }
    }
}

impl<K: PartialEq> Changes<K> {
    /// Whether nothing changed that a run can see.
    pub fn is_empty(&self) -> bool {
        let Changes { added, removed, changed, affected, others, unchanged: _ } = self;
        added.is_empty()
            && removed.is_empty()
            && changed.is_empty()
            && affected.is_empty()
            && others.is_empty()
    }

    /// Whether a function of both versions may behave otherwise: it changed or is affected.
    pub fn touches(&self, function: &K) -> bool {
        self.changed.contains(function) || self.affected.iter().any(|one| one.function == *function)
    }
}
