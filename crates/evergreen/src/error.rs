//! What can go wrong outside.

use std::fmt;

/// Trouble of the outside world, or a misuse of terms.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A store whose name is not understood.
    Store(evergreen_store::StoreError),
    /// A solver that cannot be found or started.
    Solver(evergreen_solver::SolverError),
    /// Arguments that do not fit their function.
    Sort(evergreen_term::SortError),
    /// A term of another instance, or one that was made before [`crate::Evergreen::renew`].
    ForeignTerm,
    /// What should be a constraint is not of sort Bool: the term and its sort, in SMT-LIB.
    NotBoolean {
        /// The term.
        term: String,
        /// Its sort.
        sort: String,
    },
    /// The path has no model: it is unsatisfiable, or undecided for this reason.
    NoModel(String),
    /// What is asked to be counted is not linear integer arithmetic: which term, and why.
    Uncountable(String),
    /// Only reuse was allowed, and this query (in SMT-LIB) was not in the store.
    Miss(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Store(e) => e.fmt(f),
            Error::Solver(e) => e.fmt(f),
            Error::Sort(e) => e.fmt(f),
            Error::ForeignTerm => f.write_str(
                "a term of another instance, or of before `renew`: terms belong to the arena that made them",
            ),
            Error::NotBoolean { term, sort } => {
                write!(f, "constraint \"{term}\" has sort {sort}, not Bool")
            }
            Error::NoModel(why) => write!(f, "the path has no model: {why}"),
            Error::Uncountable(what) => f.write_str(what),
            Error::Miss(query) => write!(f, "not in the store, and only reuse is allowed: {query}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<evergreen_store::StoreError> for Error {
    fn from(e: evergreen_store::StoreError) -> Error {
        Error::Store(e)
    }
}

impl From<evergreen_solver::SolverError> for Error {
    fn from(e: evergreen_solver::SolverError) -> Error {
        Error::Solver(e)
    }
}

impl From<evergreen_term::SortError> for Error {
    fn from(e: evergreen_term::SortError) -> Error {
        Error::Sort(e)
    }
}
