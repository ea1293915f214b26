//! Tests run for real: on a WebAssembly engine, whose branches have to be those of the path, and natively.
//!
//! An access outside of an object does not stop an engine, which knows nothing of objects. Then the branches
//! up to there are compared; all other failures have to happen.
//!
//! A native program has pointers and `long` of 64 bits, its own C library and its own stack. What it does
//! differently is counted and shown, and is no divergence.

use crate::case::{Case, Ending, Object};
use crate::drawn;
use crate::language::{C, CPath};
use crate::native;
use crate::program::{CProgram, Opened};
use evergreen_engine::{self as engine, End, Limits, Natives, Probed, Ran, Test, World};
use evergreen_service::{Difference, Replayer};
use evergreen_symbolic::{Exprs, Ints};
use evergreen_wasm::{ALIGNMENT, Arms, NativeKind, Options, WasmMachine, place};
use std::cell::RefCell;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Tests that are also run natively, at most.
const MOST_NATIVE: u64 = 200;
/// How long a native test may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// What native runs came to.
#[derive(Clone, Debug, Default)]
pub struct NativeRuns {
    /// Tests that were run.
    pub ran: u64,
    /// Those that did something else, the first of them in words.
    pub differed: Vec<String>,
}

/// Runs tests of a program.
pub struct CReplayer {
    opened: Opened,
    options: Options,
    engine: Option<Engine>,
    native: Option<Result<NativeProgram, String>>,
    is_native: bool,
    runs: NativeRuns,
}

struct Engine {
    probed: Probed,
    heap_start: u32,
    arena_start: u32,
    unit: String,
}

struct NativeProgram {
    file: PathBuf,
    folder: tempfile::TempDir,
}

/// Kinds of failures that an engine does not notice.
const UNSEEN: [&str; 8] = [
    "use after scope",
    "use after return",
    "heap buffer overflow",
    "stack buffer overflow",
    "global buffer overflow",
    "use after free",
    "null dereference",
    "wild memory access",
];

impl CReplayer {
    /// For the tests of a program that was explored with these options.
    pub fn new(program: &CProgram, options: Options) -> CReplayer {
        let opened = program.opened();
        CReplayer {
            opened,
            options,
            engine: None,
            native: None,
            is_native: true,
            runs: NativeRuns::default(),
        }
    }

    /// Leaves native runs out.
    #[must_use]
    pub fn without_native(mut self) -> CReplayer {
        self.is_native = false;
        self
    }

    /// What native runs came to.
    pub fn native_runs(&self) -> &NativeRuns {
        &self.runs
    }

    fn run_natively(&mut self, case: &Case) {
        let Some(sources) = self.opened.sources.clone().filter(|_| self.is_native) else { return };
        if self.runs.ran >= MOST_NATIVE || matches!(&case.end, Ending::Fails(kind, _) if kind != "assertion")
        {
            return;
        }
        let harness = self.opened.harness.clone();
        let program = self.native.get_or_insert_with(|| {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let file = folder.path().join("program");
            let compiler = native::find(None).map_err(|e| e.to_string())?;
            let mut sources = (*sources).clone();
            if let Some(text) = &harness {
                let harness = folder.path().join("harness.c");
                std::fs::write(&harness, text.as_bytes()).map_err(|e| e.to_string())?;
                sources.files.push(harness);
            }
            native::compile(&compiler, &sources, &file).map_err(|e| e.to_string())?;
            Ok(NativeProgram { file, folder })
        });
        let Ok(program) = program else { return };
        if let Ok(difference) = program.run(case) {
            self.runs.ran += 1;
            self.runs.differed.extend(difference);
        }
    }
}

impl Replayer<C> for CReplayer {
    fn replay(&mut self, tests: Vec<(Case, CPath)>) -> Result<Vec<Option<Difference>>, String> {
        if self.engine.is_none() {
            self.engine = Some(Engine::new(&self.opened, &self.options)?);
        }
        let mut results = Vec::with_capacity(tests.len());
        for (case, path) in tests {
            let Some(engine) = &self.engine else { break };
            results.push(engine.replay(&case, path.arms)?.map(Difference::Divergence));
            self.run_natively(&case);
        }
        Ok(results)
    }
}

impl Engine {
    fn new(opened: &Opened, options: &Options) -> Result<Engine, String> {
        let program = CProgram::reopen(opened).map_err(|e| e.to_string())?;
        let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
        let machine = WasmMachine::new(program.module().clone(), exprs, options.clone());
        let mut natives = Natives::default();
        let imports = program.module().imports.len();
        for (function, native) in machine.natives().iter().enumerate().skip(imports) {
            let Some(native) = native else { continue };
            match native.kind {
                NativeKind::Model(_) => natives.pure.push(function as u32),
                _ => natives.replaced.extend(engine::Native::of(&native.name).map(|n| (function as u32, n))),
            }
        }
        let probed = Probed::plant(program.bytes(), &natives).map_err(|e| e.to_string())?;
        let heap_start = machine.heap_start();
        let arena_start = machine.arena_start().unwrap_or(heap_start);
        Ok(Engine { probed, heap_start, arena_start, unit: program.unit().to_string() })
    }

    fn run(&self, case: &Case, trace: u32) -> Result<Ran, String> {
        let name = std::iter::once(self.unit.as_bytes().to_vec());
        let bytes = |text: &String| text.as_bytes().to_vec();
        let world = World {
            args: name.chain(case.args.iter().cloned()).collect(),
            env: case.env.iter().map(|(name, value)| (bytes(name), value.clone())).collect(),
            stdin: case.stdin.clone().unwrap_or_default(),
            files: case.files.clone(),
            ..World::default()
        };
        let addresses = self.addresses(case)?;
        let draws = case.draws.iter().map(|drawn| (drawn.name.clone(), drawn.placed(&addresses))).collect();
        let objects = case.objects.iter().zip(&addresses);
        let objects = objects.map(|(object, address)| (*address, object.placed(&addresses))).collect();
        let heap_start = Some(self.heap_start);
        let test = Test { world, draws, objects, heap_start, trace, ..Test::default() };
        self.probed.run(&test, &Limits::default()).map_err(|e| e.to_string())
    }

    /// Where the objects of a test are: in the machine they have the same places.
    fn addresses(&self, case: &Case) -> Result<Vec<u32>, String> {
        let mut next = self.arena_start;
        let mut place = |object: &Object| {
            let (start, after) =
                place(next, object.room, ALIGNMENT).filter(|(_, end)| *end <= self.heap_start)?;
            next = after;
            Some(start)
        };
        let all: Option<Vec<u32>> = case.objects.iter().map(&mut place).collect();
        all.ok_or_else(|| "the objects of a test have no place".into())
    }

    /// How a run differed from its path.
    fn replay(&self, case: &Case, arms: Option<Arms>) -> Result<Option<String>, String> {
        let unseen = matches!(&case.end, Ending::Fails(kind, _) if UNSEEN.contains(&kind.as_str()));
        // The engine has room for some more calls.
        let deep = matches!(&case.end, Ending::Fails(kind, _) if kind == "stack overflow");
        let count = arms.map_or(0, |arms| arms.count);
        let trace = if unseen || deep { count.min(1 << 20) as u32 } else { 0 };
        let ran = self.run(case, trace)?;
        if deep && !same_end(&case.end, &ran.end) {
            return Ok(Some(format!("expected {}, but it {}", case.end, told(&ran.end))));
        }
        if unseen || deep {
            let mut prefix = Arms::default();
            ran.trace.iter().for_each(|(site, arm)| prefix.take(*site, *arm));
            return Ok(arms.filter(|arms| *arms != prefix).map(|_| "takes other branches".into()));
        }
        if !same_end(&case.end, &ran.end) {
            return Ok(Some(format!("expected {}, but it {}", case.end, told(&ran.end))));
        }
        let is_leak = matches!(&case.end, Ending::Fails(kind, _) if kind == "memory leak");
        if case.stdout != ran.stdout && !is_leak {
            let printed = String::from_utf8_lossy(&ran.stdout);
            return Ok(Some(format!("expected the output {}, but it printed {printed:?}", case.printed())));
        }
        let took = Arms { digest: ran.arms.digest, count: ran.arms.count };
        match arms {
            Some(arms) if arms != took => {
                Ok(Some(format!("takes other branches: {} in place of {}", took.count, arms.count)))
            }
            _ => Ok(None),
        }
    }
}

/// What a case does on an engine, for comparing versions.
pub struct Platform(Engine);

impl Platform {
    /// For a program.
    ///
    /// # Errors
    /// The engine refuses it.
    pub fn new(program: &CProgram, options: &Options) -> Result<Platform, String> {
        Engine::new(&program.opened(), options).map(Platform)
    }

    /// Runs a test.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn run(&self, case: &Case) -> Result<Ran, String> {
        self.0.run(case, 0)
    }
}

/// What a run did, in words that follow "it".
pub fn told(end: &End) -> String {
    match end {
        End::Exited(status) => format!("exits with {status}"),
        End::Returned(_) => "exits with 0".into(),
        End::Silent(_) | End::Rejected => "rejects the input".into(),
        End::Trapped(kind) => format!("traps ({})", spaced(&format!("{kind:?}"))),
        End::Failed(failure) => match failure {
            engine::Failure::Assert { condition, file, line, .. } => {
                format!("fails the assertion \"{condition}\" at {file}:{line}")
            }
            engine::Failure::Abort => "aborts".into(),
            engine::Failure::Report { message, .. } => format!("reports \"{message}\""),
            engine::Failure::Sanitizer(name) => format!("fails the check {name}"),
            engine::Failure::DoubleFree(_) => "frees an object twice".into(),
            engine::Failure::InvalidFree(_) => "frees what was not allocated".into(),
            other => format!("fails ({})", spaced(&format!("{other:?}"))),
        },
        End::Draw(what) => format!("draws something else: {what}"),
        End::Missing(what) => format!("calls what no host provides: {what}"),
        End::OutOfFuel => "does not end".into(),
    }
}

/// `DivisionByZero` as words.
fn spaced(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(c.to_lowercase());
    }
    text
}

fn same_end(expected: &Ending, end: &End) -> bool {
    use engine::{Failure, TrapKind};
    match (expected, end) {
        (Ending::Exits(status), End::Exited(other)) => status == other,
        (Ending::Exits(0), End::Returned(_)) => true,
        (Ending::Fails(kind, _), End::Failed(failure)) => matches!(
            (kind.as_str(), failure),
            ("assertion", Failure::Assert { .. })
                | ("abort", Failure::Abort | Failure::ReachError | Failure::Report { .. })
                | ("undefined behaviour", Failure::Sanitizer(_))
                | ("double free", Failure::DoubleFree(_))
                | ("invalid free", Failure::InvalidFree(_))
        ),
        (Ending::Fails(kind, _), End::Trapped(trap)) => matches!(
            (kind.as_str(), trap),
            ("unreachable", TrapKind::Unreachable)
                | ("division by zero", TrapKind::DivisionByZero)
                | ("integer overflow", TrapKind::IntegerOverflow)
                | ("invalid conversion to integer", TrapKind::BadConversion | TrapKind::IntegerOverflow)
                | ("memory access out of bounds", TrapKind::MemoryOutOfBounds)
                | ("table access out of bounds", TrapKind::TableOutOfBounds)
                | ("indirect call of nothing", TrapKind::NullElement)
                | ("indirect call of another type", TrapKind::BadSignature)
                | ("stack overflow", TrapKind::StackExhausted | TrapKind::MemoryOutOfBounds)
        ),
        (Ending::Fails(kind, _), End::Exited(_) | End::Returned(_)) => kind == "memory leak",
        _ => false,
    }
}

impl NativeProgram {
    /// Runs a test; how it differed, if it did.
    fn run(&self, case: &Case) -> Result<Option<String>, String> {
        let trouble = |e: std::io::Error| e.to_string();
        let folder = tempfile::tempdir_in(self.folder.path()).map_err(trouble)?;
        let record = folder.path().join("record");
        let values = drawn::native_records(case);
        let draws: Vec<native::Draw<'_>> =
            values.iter().map(|bytes| native::Draw { name: "", bytes }).collect();
        std::fs::write(&record, native::record(&draws)).map_err(trouble)?;
        let work = folder.path().join("work");
        std::fs::create_dir(&work).map_err(trouble)?;
        for (name, bytes) in &case.files {
            let file = work.join(Path::new(name).file_name().unwrap_or_default());
            std::fs::write(file, bytes).map_err(trouble)?;
        }
        use std::os::unix::ffi::OsStrExt;
        let mut command = Command::new(&self.file);
        command
            .args(case.args.iter().map(|arg| std::ffi::OsStr::from_bytes(arg)))
            .current_dir(&work)
            .env_clear();
        for (name, value) in &case.env {
            command.env(name, std::ffi::OsStr::from_bytes(value));
        }
        // Memory that is not freed at the end is no difference, and would change the exit status.
        command
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .env(native::REPLAY, &record)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(trouble)?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read ends the pipe.
            let _ = stdin.write_all(case.stdin.as_deref().unwrap_or_default());
        }
        // A program that prints more than a pipe holds waits for a reader.
        let mut stdout = child.stdout.take();
        let reader = std::thread::spawn(move || {
            let mut printed = Vec::new();
            stdout.as_mut().map_or(Ok(0), |stdout| stdout.read_to_end(&mut printed)).map(|_| printed)
        });
        let until = Instant::now() + PATIENCE;
        while child.try_wait().map_err(trouble)?.is_none() {
            if Instant::now() > until {
                let _ = child.kill();
                break;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        let status = child.wait().map_err(trouble)?;
        let printed =
            reader.join().map_err(|_| "its output could not be read".to_string())?.map_err(trouble)?;
        let expected = match case.end {
            Ending::Exits(status) => Some(status & 0xff),
            Ending::Fails(..) => None,
        };
        if status.code() != expected {
            return Ok(Some(format!("expected {}, natively {status}", case.end)));
        }
        let differs = expected.is_some() && printed != case.stdout;
        Ok(differs.then(|| {
            format!(
                "expected the output {}, natively {:?}",
                case.printed(),
                String::from_utf8_lossy(&printed)
            )
        }))
    }
}
