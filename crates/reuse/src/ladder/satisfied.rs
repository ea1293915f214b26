//! Satisfied: an old model satisfies the part.
//!
//! First the models that this process has met ([`crate::witness`]), then those of recorded sets that have
//! much in common with the part.

use crate::engine::{Engine, Found, Ground, Part};
use crate::ladder::{Index, New};
use crate::translate;
use crate::witness::Witness;
use evergreen_term::{Completion, Evaluator, Model, TermId, Terms, Value};
use std::rc::Rc;

/// How many old models are tried on a part.
const MODELS: usize = 12;
/// How many models of similar sets are tried.
const CANDIDATES: usize = 4;
/// How many old models the core of bit vectors starts from.
pub(super) const MODELS_NEAR: usize = 2;
/// Models of more bytes are not kept.
const LARGE: usize = 1 << 14;

impl Engine {
    /// The most promising old models, then those of similar sets.
    pub(super) fn satisfied(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        let model = self.model_met(terms, part).or_else(|| self.model_of_similar(terms, part))?;
        Some(New { found: Found::Sat(model), index: Index::All })
    }

    fn model_met(&mut self, terms: &mut Terms, part: &Part) -> Option<Model> {
        if self.witnesses.is_empty() {
            return None;
        }
        let keys = self.leaf_keys(terms, part);
        for witness in self.witnesses.candidates(&keys, MODELS) {
            let value = |i: usize| witness.iter().find(|(k, _)| *k == keys[i]).map(|(_, v)| &**v);
            let canonical = &part.canonical;
            let model = translate::from_some(terms, &canonical.leaves, &canonical.tables, value);
            let Some(model) = model else { continue };
            if satisfies(terms, &model, &part.constraints) == Some(true) {
                return Some(model);
            }
        }
        None
    }

    /// Old models that say something about a part, the most promising first. Any of them may be wrong for it.
    pub(super) fn models_near(&mut self, terms: &mut Terms, part: &Part, most: usize) -> Vec<Model> {
        if !self.options.models || self.witnesses.is_empty() {
            return Vec::new();
        }
        let keys = self.leaf_keys(terms, part);
        let old = self.witnesses.candidates(&keys, most);
        let model = |witness: Witness| {
            let value = |i: usize| witness.iter().find(|(k, _)| *k == keys[i]).map(|(_, v)| &**v);
            translate::from_some(terms, &part.canonical.leaves, &part.canonical.tables, value)
        };
        old.into_iter().filter_map(model).collect()
    }

    fn model_of_similar(&mut self, terms: &mut Terms, part: &Part) -> Option<Model> {
        for (_, set) in self.sets(terms, part) {
            for payload in self.logic.as_mut()?.candidates(&set, CANDIDATES) {
                let model = self.model_from(terms, part, &set.leaves, &payload, Ground::Guess);
                if model.is_some() {
                    return model;
                }
            }
        }
        None
    }

    /// Keeps the model of a part for later parts: the encoded values of its leaves.
    pub(crate) fn remember(&mut self, terms: &Terms, part: &Part, values: &[Vec<u8>]) {
        if !self.options.models || values.iter().map(Vec::len).sum::<usize>() > LARGE {
            return;
        }
        let known = part.canonical.leaves.iter().zip(values).filter(|(_, v)| !v.is_empty());
        let mut key = |leaf| self.canonizer.leaf_key(terms, leaf).unwrap_or(0);
        let witness: Witness = known.map(|(&leaf, v)| (key(leaf), Rc::from(&v[..]))).collect();
        self.witnesses.add(witness);
    }

    fn leaf_keys(&mut self, terms: &Terms, part: &Part) -> Vec<u128> {
        let canonizer = &mut self.canonizer;
        part.canonical.leaves.iter().map(|&leaf| canonizer.leaf_key(terms, leaf).unwrap_or(0)).collect()
    }
}

/// Whether all constraints hold under a model that has a value for everything in them; `None` when one cannot
/// be evaluated before another is false.
pub(super) fn satisfies(terms: &Terms, model: &Model, constraints: &[TermId]) -> Option<bool> {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::None);
    for &c in constraints {
        match evaluator.evaluate(c) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => return Some(false),
            Err(_) => return None,
        }
    }
    Some(true)
}
