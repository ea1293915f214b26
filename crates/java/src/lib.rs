//! Java, as a language of the exploration service.
//!
//! A program ([`Program`]) is compiled if need be, its methods are run by the machine of `evergreen-jvm`, and
//! the service explores them: [`JavaFrontend`] implements [`evergreen_service::Frontend`], [`Java`] names the
//! values that travel. Tests are JUnit sources and are replayed on the real JVM ([`replay`]).

mod calls;
mod case;
mod changes;
mod compile;
mod complete;
mod counted;
mod decisions;
mod ending;
mod frontend;
mod given;
mod graph;
mod heap_store;
mod induction;
mod inputs;
mod invariants;
mod javadoc;
mod json;
mod junit;
mod language;
mod located;
mod own_arms;
mod pairs;
mod program;
mod replayer;
mod seeds;
mod severity;
mod shown;
mod source_text;
mod structures;
pub mod suite;
mod within;

pub use case::{misread, target};
pub use changes::{MethodKey, changes};
pub use counted::covered;
pub use ending::java_value;
pub use frontend::JavaFrontend;
pub use heap_store::{
    HeapEntry, HeapStore, HeapStoreCounts, StoredVerdicts, has_evidence, heap_entry, keeping,
};
pub use induction::{Proof, prove};
pub use inputs::Inputs;
pub use invariants::{built_in, check_scopes, declared, invariants};
pub use junit::{JunitTests, TestFile, TestSources};
pub use language::{Java, JavaCounts, JavaPath, Narrowings};
pub use located::{declared_at, located, source_of};
pub use pairs::KeptEnd;
pub use program::{MethodRef, Opened, Program};
pub use replayer::JvmReplayer;
pub use seeds::{TestInputs, misfit};
pub use structures::{Collected, Outlines, next_collected, next_outlined};
pub use within::{InputLimits, Within};

pub use evergreen_deciding::probability::{
    Bits, Class, Distribution, Leak, Likelihood, Mass, MassCounts, Masses, Measure, Profile, ProfileError,
    Publics, Region,
};
pub use evergreen_deciding::{AssumeError, BranchOracle, Maker, Trouble, answered, assume, shrink};
pub use evergreen_explore::{
    Answers, Arm, Asking, Bound, Bounds, End, Explorer, Feasibility, Limit, Machine, Old, Options, Oracle,
    Order, Path, Pause, Place, Range, Sampling, Shortcuts, Site, Summary,
};
pub use evergreen_service::report;
pub use evergreen_service::{
    Agreement, Detail, Effort, EntryEnd, Explored, Forward, Heard, Keeping, Language, PairCounts, Part,
    PathLine, ProgramError, RemoteEnd, RemotePath, Replayer, Retirement, Severity, Sink, Stop, SuiteSize,
    TestId, Unresumed, Untold, Untrue, read_inputs, with_workers,
};
pub use evergreen_suite::Decision;
pub use source_text::source_text;

/// A Java program ready to be explored.
pub type Exploration = evergreen_service::Exploration<JavaFrontend>;
/// The exploration of one method.
pub type Run<'e> = evergreen_service::Run<'e, JavaFrontend>;
/// The end of a path of a method.
pub type PathEnd = evergreen_service::PathEnd<Java>;
/// How a path of a method ended.
pub type How = evergreen_service::How<Java>;
/// What became of the paths of a method.
pub type Tally = evergreen_service::Tally<Java>;
/// Tests of an older version of a method.
pub type OldTests = evergreen_service::OldTests<Java>;
/// How paths are reported.
pub type Telling = evergreen_service::Telling<Java>;
/// How lines of paths are written.
pub type PathLines = evergreen_service::PathLines<Java>;
/// What is known after the paths of a method.
pub type Finished = evergreen_service::Finished<Java>;
/// The machines that explore.
pub type Team<'t> = evergreen_service::Team<'t, JavaFrontend>;
/// The paths of a method, one after the other.
pub type Paths<'e> = evergreen_service::Paths<'e, JavaFrontend>;
/// Methods whose paths workers have explored.
pub type Elsewhere = evergreen_service::Elsewhere<JavaFrontend>;
/// Paths that workers have explored, retraced.
pub type Retrace<'e> = evergreen_service::Retrace<'e, JavaFrontend>;
/// A whole run over methods.
pub type Campaign<'c> = evergreen_service::Campaign<'c, JavaFrontend>;
/// The paths of two versions of a method, path against path.
pub type Pairs<'e> = evergreen_service::Pairs<'e, JavaFrontend>;
/// The ends of paths of a run, kept for [`Pairs`].
pub type KeptEnds = evergreen_service::KeptEnds<JavaFrontend>;
/// What changed between two versions.
pub type Changes = evergreen_service::Changes<MethodKey>;
/// A method that may run what changed.
pub type Affected = evergreen_service::Affected<MethodKey>;
/// How much there is to read in inputs: how many values, then how far from zero.
pub fn size(inputs: &[(String, replay::JavaValue)]) -> (usize, u128) {
    evergreen_service::size::<Java>(inputs)
}

/// What was found, each thing once.
pub type Finding = evergreen_service::Finding<Java>;
/// The sums over all methods of a run.
pub type Totals = evergreen_service::Totals<Java>;
/// Which suites are kept, and how.
pub type SuiteOptions = evergreen_service::SuiteOptions<Java>;
/// The suites of a run.
pub type Suites = evergreen_service::Suites<Java>;
/// A test that the JVM took differently.
pub type Divergence = evergreen_service::Divergence<Java>;
/// Threads that explore.
pub type Workers = evergreen_service::Workers<JavaFrontend>;

/// Symbolic values and conditions.
pub mod symbolic {
    pub use evergreen_symbolic::{Assignment, Binary, Cond, Const, Expr, Exprs, InputKind, Ints, Rel};
}

/// Lazily initialized heaps.
pub mod heap {
    pub use evergreen_heap::{Bounds, FieldId, Invariant, Scope, Technique, bounds, feasible, lazy, parse};
}

/// The machine.
pub mod jvm {
    pub use evergreen_jvm::{
        Arguments, ClassInvariant, Described, Ending, FieldShape, InputBound, InputObject, InputValue,
        LazyCounts, LazyOptions, ObjectShape, Options, SawChoice, TakenArm, Unread, Value, Way,
    };
}

/// Test cases on the real JVM.
pub mod replay {
    pub use evergreen_replay::{
        Answer, Build, BuildCall, Built, CaseResult, ClassCoverage, Coverage, Ending, Fate, Function,
        GraphBody, GraphField, GraphObject, JavaValue, Junit, JunitJars, JunitOptions, Made, Message,
        Observed, Probed, Probes, Receiver, ReplayOptions, Replayed, Share, Suite, Target, TestCase,
        end_with_us, junit_suites, junit_suites_by, replay, run_junit, sources, stop_warm,
    };
}

/// Class files and where they are found.
pub mod classfile {
    pub use evergreen_classfile::{
        Arm, ClassFile, ClassPath, Jdk, MethodDescriptor, Mutant, Operator, Type, access, find_jdk,
        installed_jdks, mutants, read,
    };
}
