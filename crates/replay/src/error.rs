//! Why a replay could not run. The failure of a single case is no error: its result reports it.

use std::fmt;
use std::path::PathBuf;

/// Why nothing could be compiled or run.
#[derive(Debug)]
pub enum ReplayError {
    /// There is a JVM and no compiler: a JRE.
    NoCompiler {
        /// Where it should have been.
        javac: PathBuf,
    },
    /// The compiler refused the source.
    Compile {
        /// The sources to compile.
        what: String,
        /// The output of javac.
        output: String,
    },
    /// The JVM did not start, or not as far as to take test cases.
    Start {
        /// The program.
        java: PathBuf,
        /// Its output.
        output: String,
    },
    /// JUnit is not there.
    NoJunit {
        /// The files looked for, and the folders.
        looked: String,
    },
    /// Files or processes failed.
    Io {
        /// The failed operation.
        doing: String,
        /// The error of the system.
        error: std::io::Error,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoCompiler { javac } => write!(
                f,
                "'{}' is not there: replay compiles its runner once\n\
                 help: install a JDK, not only a JRE, or point JAVA_HOME at one",
                javac.display()
            ),
            ReplayError::Compile { what, output } => write!(f, "javac refuses {what}\n{}", output.trim_end()),
            ReplayError::Start { java, output } => {
                write!(f, "'{}' does not run test cases\n{}", java.display(), output.trim_end())
            }
            ReplayError::NoJunit { looked } => {
                write!(
                    f,
                    "JUnit is not there: looked for {looked}\n\
                     help: run scripts/setup.sh java, or name its jars"
                )
            }
            ReplayError::Io { doing, error } => write!(f, "{doing}: {error}"),
        }
    }
}

impl std::error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReplayError::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Puts the failed operation before the error of the system.
pub(crate) trait Doing<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, ReplayError>;
}

impl<T> Doing<T> for std::io::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, ReplayError> {
        self.map_err(|error| ReplayError::Io { doing: what(), error })
    }
}
