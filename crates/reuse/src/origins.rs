//! Where the constraints of a query's parts came from, when propagation changed them or cells became a table:
//! cores are given, and taken, in the query's own constraints.

use crate::answer::Core;
use evergreen_canon::{Propagated, Table};
use evergreen_term::{TermId, Terms};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The cells that became one table, as constraints before that.
pub(crate) struct Gathered {
    /// The table, as a constraint of a part.
    pub(crate) term: TermId,
    /// The table that the query had already, if it had one.
    pub(crate) table: Option<Rc<Table>>,
    /// The cells that stood by themselves.
    pub(crate) loose: Vec<TermId>,
}

impl Gathered {
    fn cells(&self) -> impl Iterator<Item = TermId> {
        let of_table = self.table.iter().flat_map(|table| &table.constraints);
        of_table.chain(&self.loose).copied()
    }
}

/// The origins of the constraints of the current query.
#[derive(Default)]
pub(crate) struct Origins {
    propagated: Option<Propagated>,
    tables: Vec<Gathered>,
}

impl Origins {
    pub(crate) fn new(propagated: Option<Propagated>, tables: Vec<Gathered>) -> Origins {
        Origins { propagated, tables }
    }

    /// Whether propagation changed a constraint of the query.
    pub(crate) fn is_propagated(&self) -> bool {
        self.propagated.is_some()
    }

    /// Whether a constraint of a part is a table.
    pub(crate) fn is_table(&self, constraint: TermId) -> bool {
        self.gathered(constraint).is_some()
    }

    fn gathered(&self, constraint: TermId) -> Option<&Gathered> {
        self.tables.iter().find(|gathered| gathered.term == constraint)
    }

    /// The query's constraints that were changed.
    pub(crate) fn changed(&self) -> &[TermId] {
        self.propagated.as_ref().map_or(&[], |p| &p.changed)
    }

    /// A core of constraints of parts, as one of the query's constraints: what implies each of them.
    pub(crate) fn core_of_query(&self, terms: &mut Terms, core: Core) -> Option<Core> {
        if self.propagated.is_none() && self.tables.is_empty() {
            return Some(core);
        }
        let mut all: Vec<TermId> = Vec::with_capacity(core.len());
        for constraint in core.into_constraints() {
            match self.gathered(constraint) {
                Some(gathered) => all.extend(gathered.cells()),
                None => all.push(constraint),
            }
        }
        if let Some(propagated) = &self.propagated {
            all = all.into_iter().flat_map(|c| propagated.explain(terms, c)).collect();
        }
        all.sort_unstable();
        all.dedup();
        Core::new(all)
    }

    /// Whether a constraint of a part is one of these constraints of the query, or came from one.
    pub(crate) fn is_in(&self, core: &FxHashSet<TermId>, constraint: TermId) -> bool {
        match self.gathered(constraint) {
            Some(gathered) => gathered.cells().any(|cell| self.is_one_in(core, cell)),
            None => self.is_one_in(core, constraint),
        }
    }

    fn is_one_in(&self, core: &FxHashSet<TermId>, constraint: TermId) -> bool {
        let mut sources = self.propagated.iter().flat_map(|p| p.sources(constraint));
        core.contains(&constraint) || sources.any(|source| core.contains(&source))
    }
}
