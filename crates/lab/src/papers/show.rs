//! What an exhibit shows: tables, pictures, and how it compares with the paper's.

use serde::{Deserialize, Serialize};

/// How our figures compare with the paper's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Mark {
    /// The same numbers.
    Equal,
    /// Other numbers, the same relations between them.
    SameShape,
    /// Something else: the reason says why.
    Differs,
}

impl Mark {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Mark::Equal => "equal",
            Mark::SameShape => "same shape",
            Mark::Differs => "differs",
        }
    }
}

/// A part of an exhibit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Block {
    /// A table; its first row is the head, and its first column stands left.
    Table {
        /// Above the table; may be empty.
        caption: String,
        /// All of one length.
        rows: Vec<Vec<String>>,
    },
    /// A picture.
    Picture {
        /// For readers who do not see it, and under it.
        caption: String,
        /// An `<svg>` element.
        svg: String,
    },
    /// A paragraph of Markdown without headings.
    Text(String),
}

/// What an exhibit shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Shown {
    /// What was run: solver, level of reuse, settings.
    pub technique: String,
    /// The programs, and where ours differ from the paper's.
    pub subjects: String,
    /// Tables and pictures, with the paper's numbers beside ours.
    pub blocks: Vec<Block>,
    /// How they compare.
    pub mark: Mark,
    /// Why it is not equal; for `Equal` what was compared.
    pub because: String,
}
