//! What the text of a query does not say by itself, where only the text stands for it: who answers, and under
//! which options.
//!
//! The program is known by what is in its file: another version may know other options, and read definitions
//! in another way. Verdicts of such queries are shared between machines that have the same solver, and by no
//! others.

use crate::identity;
use evergreen_canon::digest;
use evergreen_solver::{Command, Dialect};
use evergreen_store::Store;
use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

/// A solver, and what its options make of scripts.
pub(crate) struct Speaker {
    command: Command,
    /// The options in force.
    dialect: Dialect,
    /// The digest of the program's file.
    program: OnceCell<[u8; 32]>,
    /// Where digests of files are remembered.
    store: Option<Arc<dyn Store>>,
}

impl Speaker {
    pub(crate) fn new(command: &Command, store: Option<Arc<dyn Store>>) -> Speaker {
        Speaker { command: command.clone(), dialect: Dialect::of(command), program: OnceCell::new(), store }
    }

    pub(crate) fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    pub(crate) fn set(&mut self, keyword: &str, value: &str) {
        self.dialect.set(keyword, value);
    }

    /// Forgets what a script has set.
    pub(crate) fn reset(&mut self) {
        self.dialect = Dialect::of(&self.command);
    }

    /// The beginning of every text that this solver answers.
    pub(crate) fn introduction(&self) -> Text {
        let program = self.program.get_or_init(|| {
            let digest = |file: PathBuf| identity::digest(&file, self.store.as_deref());
            // One that is not there answers nothing.
            self.command.file().ok().and_then(digest).unwrap_or_default()
        });
        let mut text = Text::default();
        text.add(format!("{:?}", self.command.kind).as_bytes());
        text.add(program);
        for option in self.dialect.options() {
            text.add(option.as_bytes());
        }
        for file in self.dialect.files() {
            text.add(&std::fs::read(file).map_or([0; 32], |bytes| digest(&bytes)));
        }
        text.end();
        text
    }
}

/// Bytes made of parts, such that other parts make other bytes.
#[derive(Default)]
pub(crate) struct Text(Vec<u8>);

impl Text {
    pub(crate) fn of(first: &str) -> Text {
        let mut text = Text::default();
        text.add(first.as_bytes());
        text
    }

    pub(crate) fn add(&mut self, part: &[u8]) {
        self.0.extend((part.len() as u64 + 1).to_le_bytes());
        self.0.extend(part);
    }

    /// The end of a list of parts.
    pub(crate) fn end(&mut self) {
        self.0.extend([0; 8]);
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        self.0
    }
}
