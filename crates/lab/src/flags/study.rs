//! Flags of `study`.

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// `study` and its verbs.
#[derive(Args)]
pub(crate) struct StudyTask {
    #[command(subcommand)]
    pub verb: StudyVerb,
}

/// What to study.
#[derive(Subcommand)]
pub(crate) enum StudyVerb {
    /// Explore a program, random or written by hand, and write the stream of questions that this asks
    #[command(after_help = "\
The program is executed symbolically, depth first, true arm first; at each branch both arms are asked, and \
the satisfiable ones are followed. The same flags give the same bytes. Names of programs: triangle, euclid, \
tree, sort, avoid, brake (trees and sorts are about --keys keys).

Examples:
  evergreen-lab study generate --seed 7 --size large --out target/large-7.smt2.gz
  evergreen-lab study generate --program tree --keys 5 --out target/tree5.smt2")]
    Generate(GenerateStudy),
    /// Run every technique over the same streams and print what each solved, reused and took
    #[command(after_help = "\
A stream is an SMT-LIB 2 script with push and pop, or a log in which a line `; Query N` begins a script of \
its own (as KLEE's --use-query-log writes them), plain or gzipped: docs/stream-format.md. Exit code 1 when \
two techniques disagree, a model does not hold, or a richer ladder solves more than a poorer one.

Examples:
  evergreen-lab study streams --solver z3 --solver yices-smt2 streams/*.gz
  evergreen-lab study streams --technique stack --technique combined --first 1000 klee.smt2.gz")]
    Streams(StreamsStudy),
    /// Explore the papers' subjects at every level of reuse and print how often a solver was called
    #[command(after_help = "\
Run it in the repository, whose folder `subjects` has the programs. Exit code 1 when a richer level calls \
the solver more often than a poorer one, or finds other paths.

Examples:
  evergreen-lab study explore
  evergreen-lab study explore --only tcas --only bintree --json")]
    Explore(ExploreStudy),
    /// Count the structures that lazy initialization collects, technique by technique, beside the tables of
    /// TSE'15
    #[command(after_help = "\
Each cell is a subject, a technique and a scope. Without --scope, scopes go up from the first of the paper's \
table for as long as a cell takes less than --time (5 s, with --full 10 minutes). Seconds do not include the \
field bounds, which the paper has from a cluster; they are printed apart. Exit code 1 when a count differs \
from the paper's or from an independent one.

Examples:
  evergreen-lab study bliss
  evergreen-lab study bliss --subject TreeSet.bfs --technique bliss --scope 13 --json
  evergreen-lab study bliss --full --out heap-study.md")]
    Bliss(BlissStudy),
    /// Count the solutions of all path conditions of containers, with and without a store, beside Green's
    /// Table 1
    #[command(after_help = "\
Run it in the repository, whose folder `subjects` has the programs. Every sequence of insertions and \
deletions is explored with symbolic keys; at each branch both arms are counted.

Examples:
  evergreen-lab study counting
  evergreen-lab study counting --only BinTree --operations 4 --json
  evergreen-lab study counting --out docs/studies/counting-study.md")]
    Counting(CountingStudy),
    /// Explore versions of programs: from nothing, from the store, from the suite of the version before
    #[command(after_help = "\
Run it in the repository, whose folder `subjects` has the programs. Exit code 1 when a suite after its \
update differs from that of a fresh exploration, or an unchanged program makes a solver call.

Examples:
  evergreen-lab study incremental
  evergreen-lab study incremental --only tcas --only bintree --json")]
    Incremental(IncrementalStudy),
    /// Explore all mutants of programs with what is known of the originals, and run the originals' tests on
    /// them
    #[command(after_help = "\
Run it in the repository, whose folder `subjects` has the programs. Exit code 1 when an exploration with old \
tests and the store finds other paths than one without, or the verifier refuses a mutant.

Examples:
  evergreen-lab study mutants --only trityp
  evergreen-lab study mutants --most 40 --out docs/studies/mutants.md --svg docs/studies/mutants.svg")]
    Mutants(MutantsStudy),
    /// Explore C programs of a plan, each for a while: paths, coverage, findings, what is unsupported
    #[command(after_help = "\
A plan is a text file with a line `NAME: WORDS` for each program; the words are arguments of `evergreen \
explore`, with quotes as in a shell, and files are found from the folder of the plan. Lines that begin with \
# are comments. Exit code 1 when a program cannot be explored or a replay diverges.

Examples:
  evergreen-lab study c subjects/c/plan.txt --time 20s
  evergreen-lab study c my-programs/plan.txt --only wc --json")]
    C(CStudy),
    /// Compare inputs that run first with plain exploration, where paths are long and inputs large
    Concolic(ConcolicStudy),
    /// Edit programs and print what is solved again: Dafny, Boogie, paths of a Java class
    #[command(after_help = "\
Run it in the repository, whose folder `subjects/edits` has the programs, with dafny, boogie and z3 on PATH. \
Two more programs are generated and have --methods methods. \
A client is run through `evergreen` over a copy of the store that the unedited program has filled. Exit code \
1 when an addition, a renaming, a reordering or a removal has a condition of an old method solved again, or \
a verdict differs from the bare solver's.

Examples:
  evergreen-lab study edits
  evergreen-lab study edits --client dafny --only top --json
  evergreen-lab study edits --client boogie-generated --methods 500
  evergreen-lab study edits --page docs/studies/edits.md")]
    Edits(EditsStudy),
    /// Run real clients bare, cold, warm and after an edit: results, processor time, solver starts
    #[command(after_help = "\
Run it in the repository, with z3, cvc5 and bitwuzla on PATH (.tools/bin). `scripts/setup.sh clients` \
installs the clients; one that is missing is an error. Inputs and their edits are in `tests/clients`. The \
warm run has the store that the cold one has filled, and so has the run after the edit. Exit code 1 when a \
client's result differs from the one that it has with the bare solver.

Examples:
  evergreen-lab study clients
  evergreen-lab study clients cbmc frama-c --json
  evergreen-lab study clients --page docs/studies/clients.md")]
    Clients(ClientsStudy),
    /// Run scripts of whole folders by a bare solver and through the command, cold and warm
    #[command(after_help = "\
Folders of scripts are yours: regression suites of solvers, recorded traffic. A line `; COMMAND-LINE:` of a \
script gives it flags. One store serves a folder: the cold pass begins with an empty one, the warm pass has \
what it left. Exit code 1 when a verdict of the bare solver is lost or contradicted; such scripts are named.

Examples:
  evergreen-lab study folders z3test/regressions/smt2 --sample 200
  evergreen-lab study folders cvc5/test/regress/cli --solver cvc5 --limit 5s --json
  evergreen-lab study folders corpus cvc5=cvc5/test/regress/cli --edits --out docs/studies/folders.md")]
    Folders(FoldersStudy),
    /// Explore public methods of Java libraries, each for a while: how many completely, why not the others
    #[command(after_help = "\
The jars are those of `scripts/setup.sh jars`, or those that are named. Of each jar the same methods are \
taken on each run; a larger sample has all methods of a smaller one. Each is explored by `evergreen explore` \
in a process of its own, is interrupted after --time of processor time, and its tests are replayed. What is \
done is kept in --work and not done again: a run that was interrupted continues. Exit code 1 after a \
divergence or a crash.

Examples:
  evergreen-lab study jars --sample 30
  evergreen-lab study jars --only guava --time 10s --again time
  evergreen-lab study jars --page docs/studies/jars.md")]
    Jars(super::JarsStudy),
}

/// Flags of `study c`.
#[derive(Args)]
pub(crate) struct CStudy {
    /// The plan
    pub plan: PathBuf,
    /// Only this program
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// How long each program is explored
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = evergreen_host::time)]
    pub time: Duration,
    /// The solver: a name, a command line in quotes, or none
    #[arg(long, value_name = "COMMAND", default_value = "none")]
    pub solver: String,
    /// The program `evergreen`; without this the one beside this program, then the one on PATH
    #[arg(long, value_name = "FILE")]
    pub product: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the table to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Flags of `study concolic`.
#[derive(Args)]
pub(crate) struct ConcolicStudy {
    /// How long each program is explored in each way
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = evergreen_host::time)]
    pub time: Duration,
    /// The folder of the subjects
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    pub subjects: PathBuf,
    /// The program `evergreen`; without this the one beside this program, then the one on PATH
    #[arg(long, value_name = "FILE")]
    pub product: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the table to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Flags of `study folders`.
#[derive(Args)]
pub(crate) struct FoldersStudy {
    /// Folders of scripts, with the folders in them; SOLVER=DIR runs one by another solver
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<String>,
    /// The solver, with flags for all scripts: z3, cvc5, yices-smt2, bitwuzla
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// Scripts that the bare solver does not end within this time are not compared
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = evergreen_host::time)]
    pub limit: Duration,
    /// At most so many scripts of each folder, evenly spread
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Edit programs besides, as `study edits` does, and add a table of what is solved again
    #[arg(long)]
    pub edits: bool,
    /// The folder of the programs that are edited
    #[arg(long, value_name = "DIR", default_value = "subjects", requires = "edits")]
    pub subjects: PathBuf,
    /// The program `evergreen`; without this the one beside this program, then the one on PATH
    #[arg(long, value_name = "FILE")]
    pub product: Option<PathBuf>,
    /// Print one JSON object for each script
    #[arg(long)]
    pub json: bool,
    /// Write the table to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Flags of `study clients`.
#[derive(Args)]
pub(crate) struct ClientsStudy {
    /// Only these clients
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// The folder of the clients' inputs, with the script that runs them
    #[arg(long, value_name = "DIR", default_value = "tests/clients")]
    pub clients: PathBuf,
    /// The program `evergreen`; without this the one beside this program, then the one on PATH
    #[arg(long, value_name = "FILE")]
    pub product: Option<PathBuf>,
    /// Print one JSON object for each client
    #[arg(long)]
    pub json: bool,
    /// Write the page of the study
    #[arg(long, value_name = "FILE.md")]
    pub page: Option<PathBuf>,
}

/// Flags of `study edits`.
#[derive(Args)]
pub(crate) struct EditsStudy {
    /// Only this client: dafny, boogie, dafny-generated, boogie-generated, java
    #[arg(long, value_name = "NAME")]
    pub client: Vec<String>,
    /// Methods of generated programs; without this 100 for Dafny, 2000 for Boogie
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(100..=9999).map(usize::from))]
    pub methods: Option<usize>,
    /// Only edits whose names contain this; several times for several
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,
    /// The folder of the subjects
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    pub subjects: PathBuf,
    /// The solver of the Java paths: a name, or a command line in quotes
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// The program `evergreen`; without this the one beside this program, then the one on PATH
    #[arg(long, value_name = "FILE")]
    pub product: Option<PathBuf>,
    /// Print one JSON object for each edit
    #[arg(long)]
    pub json: bool,
    /// Write the page of the study
    #[arg(long, value_name = "FILE.md")]
    pub page: Option<PathBuf>,
}

impl EditsStudy {
    /// All edits of all clients.
    pub(crate) fn all(subjects: PathBuf, product: Option<PathBuf>) -> EditsStudy {
        let (client, only, solver) = (Vec::new(), Vec::new(), String::from("z3"));
        EditsStudy { client, methods: None, only, subjects, solver, product, json: false, page: None }
    }

    /// Whether a client is asked for.
    pub(crate) fn wants(&self, client: &str) -> bool {
        self.client.is_empty() || self.client.iter().any(|name| name.eq_ignore_ascii_case(client))
    }

    /// Whether an edit is asked for.
    pub(crate) fn fits(&self, edit: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| edit.contains(part.as_str()))
    }
}

/// Flags of `study counting`.
#[derive(Args)]
pub(crate) struct CountingStudy {
    /// Only this container: BinomialHeap, BinTree, TreeMap
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// The most operations; there are cells from 2 on
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=7))]
    pub operations: u32,
    /// The folder of the subjects
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    pub subjects: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the tables to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Flags of `study mutants`.
#[derive(Args)]
pub(crate) struct MutantsStudy {
    /// Only subjects whose folders begin so
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// At most so many mutants of a subject, spread over all [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub most: Option<u32>,
    /// Kinds of changes [default: all]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KIND")]
    pub operators: Vec<super::OperatorFlag>,
    /// The folder of the subjects
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    pub subjects: PathBuf,
    /// The solver: a name, or a command line in quotes
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// Print JSON: one object for each mutant
    #[arg(long)]
    pub json: bool,
    /// Write the tables to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw what is saved per mutant into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Flags of `study incremental`.
#[derive(Args)]
pub(crate) struct IncrementalStudy {
    /// Only subjects whose folders begin so
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// The folder of the subjects
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    pub subjects: PathBuf,
    /// The solver: a name, or a command line in quotes
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the tables to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Flags of `study bliss`.
#[derive(Args)]
pub(crate) struct BlissStudy {
    /// Only this subject, or those of this class: TreeSet.bfs, AvlTree
    #[arg(long = "subject", value_name = "CLASS.METHOD")]
    pub subjects: Vec<String>,
    /// Only this technique
    #[arg(long = "technique", value_enum, value_name = "NAME")]
    pub techniques: Vec<HeapTechnique>,
    /// The scope, or scopes: 13, 7..13 (both ends included)
    #[arg(long, value_name = "N|A..B", value_parser = scopes)]
    pub scope: Option<(usize, usize)>,
    /// To the last scopes of the paper's tables, where the paper says OOM or TO too
    #[arg(long)]
    pub full: bool,
    /// What runs the methods
    #[arg(long, value_enum, default_value_t = Via::Jvm)]
    pub via: Via,
    /// The processor's time for one cell: 500ms, 30s, 5m; 0 is no limit [default: see below]
    #[arg(long, value_name = "TIME", value_parser = evergreen_host::time)]
    pub time: Option<std::time::Duration>,
    /// Keep field bounds and verdicts here [default: in memory while it runs]
    #[arg(long, value_name = "PATH|URL")]
    pub store: Option<String>,
    /// Print one JSON object for each cell
    #[arg(long)]
    pub json: bool,
    /// Run nothing: take cells that were printed with --json before; several files for several runs
    #[arg(long, value_name = "FILE")]
    pub from: Vec<PathBuf>,
    /// Write the tables to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What runs the methods of subjects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Via {
    /// The machine for bytecode
    Jvm,
    /// The same methods in Rust, without a machine
    Direct,
}

/// Techniques for lazily initialized heaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HeapTechnique {
    /// Lazy initialization (TACAS'03)
    Li,
    /// With field bounds (NFM'13)
    Bli,
    /// With labels refined along the breadth-first prefix (TSE'15)
    Rbli,
    /// With feasibility by SAT (TSE'15)
    Bliss,
    /// With stored verdicts (TSE'15)
    Blissdb,
}

/// A scope or a range of scopes.
pub(crate) fn scopes(text: &str) -> Result<(usize, usize), String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |part: &str| part.trim().trim_start_matches('=').parse::<usize>();
    match (number(from), number(to)) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok((from, to)),
        _ => Err(format!("\"{text}\" is no scope; write 13 or 7..13")),
    }
}

/// Flags of `study explore`.
#[derive(Args)]
pub(crate) struct ExploreStudy {
    /// Only subjects whose names begin so
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// The folder of the subjects
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    pub subjects: PathBuf,
    /// The solver: a name, or a command line in quotes
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the tables to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Flags of `study streams`.
#[derive(Args)]
pub(crate) struct StreamsStudy {
    /// The streams
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only these techniques
    #[arg(long = "technique", value_enum, value_name = "NAME")]
    pub techniques: Vec<TechniqueName>,
    /// A solver: a name, or a command line in quotes; each technique is run with each
    #[arg(long = "solver", value_name = "COMMAND", default_values_t = ["z3", "yices-smt2"].map(String::from))]
    pub solvers: Vec<String>,
    /// Only so many queries of each stream
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// Run each technique so many times and keep each query's best time: for machines that have other things
    /// to do
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub rounds: u16,
    /// Whether the model is read after every sat
    #[arg(long, value_enum, default_value_t = OnOff::On)]
    pub models: OnOff,
    /// Whether rungs that do not pay are tried rarely; then counts depend on the clock
    #[arg(long, value_enum, default_value_t = OnOff::Off)]
    pub regulate: OnOff,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the tables to this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OnOff {
    /// On
    On,
    /// Off
    Off,
}

/// Solving techniques.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TechniqueName {
    /// Each query alone (HVC'14)
    Baseline,
    /// Independent parts of each query, cached by their text (HVC'14)
    Caching,
    /// The same, with the parts kept along the path (HVC'14)
    CachingOpt,
    /// The path on the solver's assertion stack (HVC'14)
    Stack,
    /// The same, with shared sub-expressions named (HVC'14)
    StackOpt,
    /// Green as the paper has it: its canonical form, records with the same key (FSE'12)
    Green,
    /// KLEE's cache as GreenTrie's paper measures it: supersets and subsets in Green's form (ISSTA'15)
    Klee,
    /// GreenTrie as the paper has it: reduction, sets that imply or are implied (ISSTA'15)
    Greentrie,
    /// The library: our canonical form, records with the same key
    Exact,
    /// The same, and supersets that are sat, subsets that are unsat
    Subset,
    /// The same, and sets that imply or are implied
    Logical,
    /// The library with every rung of the ladder but the native core
    Ladder,
    /// Everything: the native core, old models, the whole ladder
    Combined,
}

impl TechniqueName {
    /// Every technique, in the order of the tables.
    pub(crate) const ALL: [TechniqueName; 13] = [
        TechniqueName::Baseline,
        TechniqueName::Caching,
        TechniqueName::CachingOpt,
        TechniqueName::Stack,
        TechniqueName::StackOpt,
        TechniqueName::Green,
        TechniqueName::Klee,
        TechniqueName::Greentrie,
        TechniqueName::Exact,
        TechniqueName::Subset,
        TechniqueName::Logical,
        TechniqueName::Ladder,
        TechniqueName::Combined,
    ];

    /// As it is written in flags.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TechniqueName::Baseline => "baseline",
            TechniqueName::Caching => "caching",
            TechniqueName::CachingOpt => "caching-opt",
            TechniqueName::Stack => "stack",
            TechniqueName::StackOpt => "stack-opt",
            TechniqueName::Green => "green",
            TechniqueName::Klee => "klee",
            TechniqueName::Greentrie => "greentrie",
            TechniqueName::Exact => "exact",
            TechniqueName::Subset => "subset",
            TechniqueName::Logical => "logical",
            TechniqueName::Ladder => "ladder",
            TechniqueName::Combined => "combined",
        }
    }
}

/// Flags of `study generate`.
#[derive(Args)]
pub(crate) struct GenerateStudy {
    /// Seed of a random program
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Size of a random program, and how far a program is explored
    #[arg(long, value_enum, default_value_t = Size::Small)]
    pub size: Size,
    /// A program written by hand
    #[arg(long, value_name = "NAME", conflicts_with_all = ["seed", "file"])]
    pub program: Option<String>,
    /// How many keys it is about
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub keys: usize,
    /// A program of your own, in the language of docs/stream-format.md
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub file: Option<PathBuf>,
    /// The most constraints of a path [default: by size 30, 70, 150]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=2000).map(usize::from))]
    pub depth: Option<usize>,
    /// The most questions [default: by size 300, 2000, 12000]
    #[arg(long, value_name = "N")]
    pub queries: Option<usize>,
    /// The solver that guides the exploration
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// Write the program here as well
    #[arg(long, value_name = "FILE")]
    pub source: Option<PathBuf>,
    /// The stream's file; packed if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Sizes of random programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Size {
    /// A few hundred questions, paths of up to 30 constraints
    Small,
    /// Some thousand, up to 70
    Medium,
    /// Twelve thousand, up to 150
    Large,
}

impl Size {
    /// As it is written in flags.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Size::Small => "small",
            Size::Medium => "medium",
            Size::Large => "large",
        }
    }
}
