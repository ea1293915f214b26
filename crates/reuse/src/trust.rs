//! Whom to believe: which records are used as they are, and which only with evidence that is checked here.
//!
//! Everyone who can write to a shared store can write a wrong verdict into it. A satisfiable verdict carries
//! its own evidence, the model, which is evaluated. An unsatisfiable one can carry a certificate, which a
//! small checker follows line by line (`evergreen_lia::check`, `evergreen_bits::proof::check`). What has
//! neither is not used when its origin is not trusted, so a poisoned store costs time and never an answer.
//!
//! What was imported from a pack or another store is on this machine and still not of this machine: each
//! entry carries its origin, until it was checked or solved here.

use evergreen_store::{Origin, Spread};

/// The origins whose records are used without evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trust {
    /// What was found or checked on this machine.
    #[default]
    Local,
    /// All.
    All,
    /// None: every record is checked.
    None,
}

impl Trust {
    /// Whether records from there are used as they are.
    pub fn trusts(self, origin: Origin) -> bool {
        match self {
            Trust::Local => origin == Origin::Local,
            Trust::All => true,
            Trust::None => false,
        }
    }
}

impl From<Trust> for Spread {
    /// Only what is trusted wherever it comes from may be copied without a look.
    fn from(trust: Trust) -> Spread {
        match trust {
            Trust::All => Spread::All,
            Trust::Local | Trust::None => Spread::Local,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_believed() {
        let origins = [Origin::Local, Origin::Imported, Origin::Network];
        let trusted = |trust: Trust| origins.map(|origin| trust.trusts(origin));
        assert_eq!(trusted(Trust::Local), [true, false, false]);
        assert_eq!(trusted(Trust::All), [true, true, true]);
        assert_eq!(trusted(Trust::None), [false, false, false]);
    }
}
