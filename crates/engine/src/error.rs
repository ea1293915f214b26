//! What keeps a test from running.

use std::fmt;

/// Why a module cannot be run, or a test not be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The bytes are no valid module, or one with features that the engine does not have.
    Module {
        /// The byte where the module is wrong, if known.
        offset: Option<u64>,
        /// What is wrong.
        message: String,
    },
    /// An import that is no function, or a function whose values cannot be passed.
    Import {
        /// The module of the import.
        module: String,
        /// Its name.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// A native that cannot be planted.
    Native {
        /// The index of the function.
        function: u32,
        /// What is wrong.
        message: String,
    },
    /// A test whose entry, arguments or memory do not fit the module.
    Test(String),
}

impl EngineError {
    /// An error of wasmparser, with its place.
    pub(crate) fn invalid(error: &wasmparser::Error) -> EngineError {
        EngineError::Module { offset: Some(error.offset()), message: error.message().to_string() }
    }

    /// An error of the whole module.
    pub(crate) fn module(message: impl ToString) -> EngineError {
        EngineError::Module { offset: None, message: message.to_string() }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Module { offset: Some(offset), message } => write!(f, "byte {offset:#x}: {message}"),
            EngineError::Module { offset: None, message } => write!(f, "{message}"),
            EngineError::Import { module, name, message } => write!(f, "import '{module}.{name}': {message}"),
            EngineError::Native { function, message } => write!(f, "function {function}: {message}"),
            EngineError::Test(message) => write!(f, "{message}"),
        }
    }
}

impl std::error::Error for EngineError {}
