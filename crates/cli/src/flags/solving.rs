//! Flags of all that asks questions: the solver, the stores before it, and the stages between.

use super::choice::{by_name, one_of};
use clap::{Args, ValueEnum};
use evergreen::{CanonMode, Reuse, Technique, Trust};

/// What answers questions.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub(crate) struct SolvingFlags {
    /// The solver for queries that are not in the store: a name, a command line in quotes, or none [default:
    /// z3 or cvc5, if installed, else none]
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    #[command(flatten)]
    pub stores: Stores,
    #[command(flatten)]
    pub stages: Stages,
    /// Solve this share of the reused answers again and compare, such as 0.01; exit code 4 if one was wrong
    /// [default: 0]
    #[arg(long, value_name = "RATE", value_parser = crate::audit::read_rate)]
    pub audit: Option<f64>,
    /// Memory that the solver may use
    #[arg(long, value_name = "MB")]
    pub memory_mb: Option<u64>,
}

/// Which stores, and how they are used.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub(crate) struct Stores {
    /// A store: a directory, memory:, redis://host/db, rediss:// (TLS), redis+unix:///socket, or object
    /// storage: s3://bucket/prefix, gs://, azblob://, https://host/path (WebDAV), ghac://. Several are
    /// layers: looked up in order, written to the first at once and to the others in the background [default:
    /// the user's cache]
    #[arg(long = "store", value_name = "PATH|URL")]
    pub store: Vec<String>,
    /// Whether answers are recorded, and whether a miss is allowed
    #[arg(long, value_name = "MODE", value_parser = one_of::<Mode>())]
    pub mode: Option<Mode>,
    /// Stores whose answers need no evidence; others need a model that holds or a valid certificate [default:
    /// local]
    #[arg(long, value_name = "STORES", value_parser = one_of::<Trusted>())]
    pub trust: Option<Trusted>,
    /// Keep answers apart from those of other namespaces
    #[arg(long, value_name = "NAME")]
    pub namespace: Option<String>,
}

by_name!(Mode, Trusted, Canon, Rungs, Strict, CoreUse);

/// How stores are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Mode {
    /// Look up and record
    ReadWrite,
    /// Look up only
    ReadOnly,
    /// Look up only; what is not found is an error (exit code 2)
    RequireHit,
}

/// Which stores are trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Trusted {
    /// Those on this machine
    Local,
    /// All, networks too
    All,
    /// None: every answer is checked
    None,
}

impl From<Trusted> for Trust {
    fn from(trusted: Trusted) -> Trust {
        match trusted {
            Trusted::Local => Trust::Local,
            Trusted::All => Trust::All,
            Trusted::None => Trust::None,
        }
    }
}

/// Stages that can be turned off, for studies.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub(crate) struct Stages {
    /// Do not cut queries into independent parts
    #[arg(long)]
    pub no_slice: bool,
    /// Do not put what one constraint fixes into the others
    #[arg(long)]
    pub no_propagate: bool,
    /// Do not decide linear integers, bit vectors and arrays of bits without a solver process
    #[arg(long)]
    pub no_native: bool,
    /// Do not try old models on new parts
    #[arg(long)]
    pub no_models: bool,
    /// Try every rung on every part, also when it does not pay
    #[arg(long)]
    pub no_regulate: bool,
    /// Do not evaluate models before giving them out
    #[arg(long)]
    pub no_check: bool,
    /// How queries are brought into canonical form
    #[arg(long, value_name = "FORM", value_parser = one_of::<Canon>())]
    pub canon: Option<Canon>,
    /// Which rungs of the reuse ladder are used
    #[arg(long, value_name = "LEVEL", value_parser = one_of::<Rungs>())]
    pub reuse: Option<Rungs>,
    /// Do exactly what a technique of the papers does, in place of --canon and --reuse; needs a solver
    #[arg(long, value_name = "TECHNIQUE", value_parser = one_of::<Strict>())]
    #[arg(conflicts_with_all = ["canon", "reuse"])]
    pub strict: Option<Strict>,
    /// Whether a second solver process finds the core of each unsat, which answers later scripts that contain
    /// it; costs about as much again as the unsat [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = one_of::<CoreUse>())]
    pub cores: Option<CoreUse>,
}

/// Canonical forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Canon {
    /// Names and order as they are
    Off,
    /// Green's form for linear integer queries (FSE'12)
    Green,
    /// Invariant under renaming, reordering and notation
    Full,
}

impl From<Canon> for CanonMode {
    fn from(canon: Canon) -> CanonMode {
        match canon {
            Canon::Off => CanonMode::Off,
            Canon::Green => CanonMode::Green,
            Canon::Full => CanonMode::Full,
        }
    }
}

/// Rungs of the reuse ladder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Rungs {
    /// Solve everything, record nothing
    None,
    /// Same key, same answer (Green, FSE'12)
    Exact,
    /// And supersets and subsets of the same constraints (KLEE)
    Subset,
    /// And sets related by implication (GreenTrie, ISSTA'15)
    Logical,
    /// And old models, cores of whole scripts and more; what does not pay is tried rarely
    Full,
}

impl From<Rungs> for Reuse {
    fn from(rungs: Rungs) -> Reuse {
        match rungs {
            Rungs::None => Reuse::None,
            Rungs::Exact => Reuse::Exact,
            Rungs::Subset => Reuse::Subset,
            Rungs::Logical => Reuse::Logical,
            Rungs::Full => Reuse::Full,
        }
    }
}

/// Techniques of the papers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Strict {
    /// The canonical form and the store of Green (FSE'12)
    Green,
    /// Subsets and supersets of the same constraints, as KLEE's cache is measured there (ISSTA'15)
    Klee,
    /// The rules, reduction and algorithms of GreenTrie (ISSTA'15)
    #[value(name = "greentrie")]
    GreenTrie,
}

impl From<Strict> for Technique {
    fn from(strict: Strict) -> Technique {
        match strict {
            Strict::Green => Technique::Green,
            Strict::Klee => Technique::Klee,
            Strict::GreenTrie => Technique::GreenTrie,
        }
    }
}

/// What is done with cores of scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CoreUse {
    /// Looked up; found after each unsat that had to be solved, when the script has at least 16 assertions
    Auto,
    /// The same for any script
    Always,
    /// Neither found nor looked up
    Off,
}
