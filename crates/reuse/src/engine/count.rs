//! Count: how many solutions a query has, each component from the store where it is known.

use super::Engine;
use crate::answered::AnsweredBy;
use crate::count::{Counted, Stored, Uncountable, Way, count};
use crate::stats::Stage;
use evergreen_count::{Budget, Count, Counter, Domain, Memo};
use evergreen_term::{TermId, Terms};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

impl Engine {
    /// Counts the solutions of a conjunction: the values of all variables that occur in it or have a domain.
    /// A variable with several domains has the values that all of them allow; one without is any integer.
    ///
    /// Constraints are linear integer arithmetic with any Boolean structure. Counting is native:
    /// `require_hit` asks for nothing here, and no solver is started.
    pub fn count(
        &mut self,
        terms: &Terms,
        constraints: &[TermId],
        domains: &[(TermId, Domain)],
        budget: Budget,
    ) -> Result<Counted, Uncountable> {
        let start = Instant::now();
        self.stats.counts.queries += 1;
        let before = self.stats.counts.components;
        let mut spent = Duration::ZERO;
        let mut counter = self.counter.take();
        let own = counter.as_mut().map(|counter| &mut **counter as &mut dyn Counter);
        let by = own.as_ref().map_or(String::new(), |own| own.name().to_string());
        let counted = match self.store.clone() {
            None => count(terms, constraints, domains, budget, Way { memo: None, counter: own }),
            Some(store) => {
                let mut stored = Stored {
                    store: &*store,
                    trust: self.options.trust,
                    namespace: &self.options.namespace,
                    by: &by,
                    stats: &mut self.stats,
                    events: self.options.log.then_some(&mut self.events),
                    missed: FxHashMap::default(),
                    spent: Duration::ZERO,
                };
                let way = Way { memo: Some(&mut stored as &mut dyn Memo), counter: own };
                let counted = count(terms, constraints, domains, budget, way);
                spent = stored.spent;
                counted
            }
        };
        self.counter = counter;
        self.stats.slices += self.stats.counts.components - before;
        if let Ok(counted) = &counted {
            self.stats.counts.cases += counted.cases;
            self.stats.counts.steps += counted.did.steps;
        }
        let by = match counted.as_ref().map(|counted| &counted.count) {
            Ok(Count::Exact(_) | Count::Bounds { .. } | Count::Unbounded) => AnsweredBy::Counter,
            Ok(Count::GaveUp(_)) | Err(_) => AnsweredBy::Unknown,
        };
        self.stats.queries += 1;
        self.stats.answered.count(by);
        self.stats.add(Stage::Solve, start.elapsed().saturating_sub(spent));
        counted
    }
}
