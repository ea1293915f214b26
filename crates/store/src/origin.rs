//! Where an entry came from, and the mark that stays with it wherever it is copied.
//!
//! A store cannot distinguish a true answer from a false one. It records the origin: an entry was solved or
//! checked on this machine, or it came from a pack, another store or a network. The second kind needs
//! evidence, which the layer above this crate checks. It loses its mark only by [`crate::Store::confirm`] or
//! by a put of an answer found here.

/// Where an entry came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Found or checked on this machine by this user.
    Local,
    /// Taken from a pack, another store or a network, and not checked since.
    Imported,
    /// On a server that other machines write to.
    Network,
}

const HERE: u8 = 0;
const ELSEWHERE: u8 = 1;

impl Origin {
    /// The byte that is stored with an entry. A copy of a network entry is imported.
    pub(crate) fn mark(self) -> u8 {
        match self {
            Origin::Local => HERE,
            Origin::Imported | Origin::Network => ELSEWHERE,
        }
    }

    /// Reads the byte back.
    pub(crate) fn from_mark(mark: u8) -> Option<Origin> {
        match mark {
            HERE => Some(Origin::Local),
            ELSEWHERE => Some(Origin::Imported),
            _ => None,
        }
    }

    /// The origin of a copy on this machine.
    pub(crate) fn copied(self) -> Origin {
        match self {
            Origin::Local => Origin::Local,
            Origin::Imported | Origin::Network => Origin::Imported,
        }
    }

    /// Whether an entry of this origin may take the place of one of another.
    pub(crate) fn may_replace(self, old: Origin) -> bool {
        self == Origin::Local || old != Origin::Local
    }
}
