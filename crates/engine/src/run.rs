//! Runs: a module compiled once, and a new instance for each test.
//!
//! Compiling is lazy: a function is translated when it is first called, once for all tests. What a test pays
//! for is an instance: memory, data segments, globals, and the state of its world.

use crate::arms::Arms;
use crate::end::{End, TrapKind};
use crate::error::EngineError;
use crate::harness::Draws;
use crate::heap::{Heap, Object};
use crate::host::{Host, PAGE, Standard};
use crate::imports::{self, Import};
use crate::module::Shape;
use crate::probe::{Probed, entry_name, heap_start, helpers};
use crate::value::Val;
use crate::wasi::Wasi;
use crate::world::World;
use std::fmt;
use wasmi::{Caller, CompilationMode, Config, Engine, Func, Instance, Linker, Module, Store, StoreLimits};

/// Calls may nest so deep: deeper than in a machine that stops at 10,000. Helpers and moved natives count
/// too, so a run that comes near is no reference for the exact depth at which another engine would stop.
const DEPTH: usize = 10_400;
/// Bytes that the values of nested calls may take: 4 KB for a call at the greatest depth.
const STACK_BYTES: usize = 40 << 20;

/// The function where a run starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// An exported function.
    Export(String),
    /// A function by index, given to [`Probed::plant_for`].
    Index(u32),
}

impl Default for Entry {
    /// WASI's entry of a command, `_start`.
    fn default() -> Entry {
        Entry::Export("_start".to_string())
    }
}

/// A test: where it starts, with what, and what of its memory is wanted.
#[derive(Clone, Debug, Default)]
pub struct Test {
    /// Where the run starts.
    pub entry: Entry,
    /// The arguments of that function.
    pub args: Vec<Val>,
    /// The surroundings.
    pub world: World,
    /// The values that the harness draws, with their names, in the order of its calls.
    pub draws: Vec<(String, Vec<u8>)>,
    /// Heap objects that are there before the entry is called, by address: places behind
    /// [`heap_start`](Probed::heap_start). They can be freed and reallocated.
    pub objects: Vec<(u32, Vec<u8>)>,
    /// Other bytes to write into memory before the entry is called, such as global variables.
    pub writes: Vec<(u32, Vec<u8>)>,
    /// Parts of memory to read at the end: addresses and lengths.
    pub reads: Vec<(u32, u32)>,
    /// Where the heap starts, if not at [`heap_start`](Probed::heap_start).
    pub heap_start: Option<u32>,
    /// How many decisions to record with their sites.
    pub trace: u32,
}

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions of the engine, about; and bytes that WASI calls move.
    pub fuel: u64,
    /// Linear memory in bytes; `memory.grow` and allocations beyond it fail.
    pub memory_bytes: usize,
    /// Bytes of all files, standard output and standard error together; writes beyond it fail.
    pub output_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { fuel: 1_000_000_000, memory_bytes: 256 << 20, output_bytes: 64 << 20 }
    }
}

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Files that are new or different, and none for those that are gone, by path.
    pub files: Vec<(String, Option<Vec<u8>>)>,
    /// All decisions.
    pub arms: Arms,
    /// The first decisions as pairs of site and arm, as many as the test asked for.
    pub trace: Vec<(u32, u32)>,
    /// How many draws the harness took.
    pub draws: usize,
    /// The parts of memory that the test asked for; shorter where memory ends.
    pub memory: Vec<Vec<u8>>,
    /// The objects of the host's heap at the end, by address.
    pub objects: Vec<(u32, Object)>,
    /// Fuel used.
    pub fuel: u64,
}

/// The state of one run.
pub(crate) struct State {
    pub(crate) wasi: Wasi,
    pub(crate) draws: Draws,
    pub(crate) host: Option<Box<dyn Host>>,
    trace: Vec<(u32, u32)>,
    limits: StoreLimits,
}

/// How the host ends a run.
#[derive(Debug)]
pub(crate) struct Stop(pub(crate) End);

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl wasmi::errors::HostError for Stop {}

/// A planted module, compiled, with its imports.
pub(crate) struct Compiled {
    module: Module,
    linker: Linker<State>,
}

impl Compiled {
    pub(crate) fn new(
        planted: &[u8],
        shape: &Shape,
        hosted: Vec<(Import, u32)>,
    ) -> Result<Compiled, EngineError> {
        let engine = Engine::new(&configuration());
        let module = Module::new(&engine, planted).map_err(EngineError::module)?;
        let mut linker = Linker::<State>::new(&engine);
        for (number, (import, ty)) in hosted.into_iter().enumerate() {
            let signature = shape.types.get(ty as usize).cloned().flatten();
            let signature = signature.ok_or_else(|| EngineError::module("an import with references"))?;
            let ty = signature.to_engine();
            let answer = move |caller: Caller<'_, State>, args: &[wasmi::Val], results: &mut [wasmi::Val]| {
                import.call(caller, args, results, &signature)
            };
            linker.func_new(imports::MODULE, &number.to_string(), ty, answer).map_err(EngineError::module)?;
        }
        let record =
            |mut caller: Caller<'_, State>, site: u32, arm: u32| caller.data_mut().trace.push((site, arm));
        linker.func_wrap(imports::MODULE, imports::ARM, record).map_err(EngineError::module)?;
        Ok(Compiled { module, linker })
    }
}

/// How wasmi is set: fuel is counted, functions are translated when first called.
pub(crate) fn configuration() -> Config {
    let mut config = Config::default();
    config
        .consume_fuel(true)
        .compilation_mode(CompilationMode::LazyTranslation)
        .ignore_custom_sections(true)
        .set_max_recursion_depth(DEPTH)
        .set_max_stack_height(STACK_BYTES);
    config
}

impl Probed {
    /// Runs a test with the standard host.
    pub fn run(&self, test: &Test, limits: &Limits) -> Result<Ran, EngineError> {
        let mut heap = Heap::new(test.heap_start.unwrap_or_else(|| heap_start(&self.shape)));
        for (address, bytes) in &test.objects {
            let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            let added = heap.add_at(*address, size);
            added.ok_or_else(|| EngineError::Test(format!("no object can lie at {address:#x}")))?;
        }
        self.run_with(test, limits, Box::new(Standard::new(heap))).map(|(ran, _)| ran)
    }

    /// Runs a test with a host of the caller, which is given back.
    pub fn run_with(
        &self,
        test: &Test,
        limits: &Limits,
        host: Box<dyn Host>,
    ) -> Result<(Ran, Box<dyn Host>), EngineError> {
        let state = State {
            wasi: Wasi::new(&test.world, limits.output_bytes)?,
            draws: Draws { values: test.draws.clone(), used: 0 },
            host: Some(host),
            trace: Vec::new(),
            limits: wasmi::StoreLimitsBuilder::new().memory_size(limits.memory_bytes).build(),
        };
        let mut store = Store::new(self.compiled.module.engine(), state);
        store.limiter(|state| &mut state.limits);
        store.set_fuel(limits.fuel).map_err(EngineError::module)?;
        let instance = self.compiled.linker.instantiate_and_start(&mut store, &self.compiled.module);
        let mut run = match instance {
            Ok(instance) => Run { store, instance },
            // Data or elements that do not fit, or a memory above the limit.
            Err(error) => return Err(EngineError::module(error)),
        };
        let end = run.go(self, test)?;
        let (mut ran, mut state) = run.report(test, end, limits.fuel);
        let host = state.host.take().ok_or_else(|| EngineError::module("the host is gone"))?;
        ran.objects = host.heap().map(|heap| heap.objects().collect()).unwrap_or_default();
        Ok((ran, host))
    }
}

/// An instance in its store.
struct Run {
    store: Store<State>,
    instance: Instance,
}

impl Run {
    fn go(&mut self, probed: &Probed, test: &Test) -> Result<End, EngineError> {
        let entry = match &test.entry {
            Entry::Export(name) => self.instance.get_func(&self.store, name),
            Entry::Index(index) => self.instance.get_func(&self.store, &entry_name(*index)),
        };
        let entry =
            entry.ok_or_else(|| EngineError::Test(format!("the module has no entry {:?}", test.entry)))?;
        if test.trace > 0
            && let Some(trace) = self.instance.get_global(&self.store, helpers::TRACE)
        {
            let value = wasmi::Val::I32(test.trace.min(i32::MAX as u32) as i32);
            trace.set(&mut self.store, value).map_err(EngineError::module)?;
        }
        if probed.shape.start.is_some()
            && let Some(start) = self.instance.get_func(&self.store, helpers::START)
        {
            match self.call(start, &[])? {
                End::Returned(_) => {}
                end => return Ok(end),
            }
        }
        self.write(test)?;
        self.call(entry, &test.args)
    }

    /// Writes the objects and bytes of a test into memory, which grows as far as they need.
    fn write(&mut self, test: &Test) -> Result<(), EngineError> {
        let pieces = || test.objects.iter().chain(&test.writes);
        let Some(end) = pieces().map(|(at, bytes)| u64::from(*at) + bytes.len() as u64).max() else {
            return Ok(());
        };
        let error = |address: u32| EngineError::Test(format!("no memory at {address:#x}"));
        let memory = self.instance.get_memory(&self.store, helpers::MEMORY).ok_or_else(|| error(0))?;
        let missing = end.saturating_sub(memory.data_size(&self.store) as u64).div_ceil(PAGE);
        if missing > 0 {
            memory.grow(&mut self.store, missing).map_err(|_| error(end as u32))?;
        }
        for (address, bytes) in pieces() {
            memory.write(&mut self.store, *address as usize, bytes).map_err(|_| error(*address))?;
        }
        Ok(())
    }

    /// Calls a function. wasmi's limits are errors of the test, its traps are ends.
    fn call(&mut self, function: Func, args: &[Val]) -> Result<End, EngineError> {
        let ty = function.ty(&self.store);
        let args: Vec<wasmi::Val> = args.iter().map(|value| value.to_engine()).collect();
        if ty.params().len() != args.len() || ty.params().iter().zip(&args).any(|(ty, arg)| *ty != arg.ty()) {
            return Err(EngineError::Test(format!("the entry has parameters {:?}", ty.params())));
        }
        let mut results: Vec<wasmi::Val> =
            ty.results().iter().map(|&ty| wasmi::Val::default_for_ty(ty)).collect();
        match function.call(&mut self.store, &args, &mut results) {
            Ok(()) => Ok(End::Returned(results.iter().filter_map(Val::from_engine).collect())),
            Err(error) => end_of(error),
        }
    }

    fn report(self, test: &Test, end: End, fuel: u64) -> (Ran, State) {
        let Run { store, instance } = self;
        let global = |name: &str| match instance.get_global(&store, name).map(|global| global.get(&store)) {
            Some(wasmi::Val::I64(value)) => value as u64,
            _ => 0,
        };
        let arms = Arms { digest: global(helpers::DIGEST), count: global(helpers::COUNT) };
        let fuel = fuel - store.get_fuel().unwrap_or(0).min(fuel);
        let bytes = instance.get_memory(&store, helpers::MEMORY).map(|memory| memory.data(&store));
        let bytes = bytes.unwrap_or_default();
        let read = |&(start, length): &(u32, u32)| {
            let end = bytes.len().min(start as usize + length as usize);
            bytes.get(start as usize..end).unwrap_or_default().to_vec()
        };
        let memory = test.reads.iter().map(read).collect();
        let mut state = store.into_data();
        let draws = state.draws.used;
        let trace = std::mem::take(&mut state.trace);
        let (stdout, stderr, files) = state.wasi.take_output();
        let objects = Vec::new();
        (Ran { end, stdout, stderr, files, arms, trace, draws, memory, objects, fuel }, state)
    }
}

/// How a call ended that did not return.
pub(crate) fn end_of(error: wasmi::Error) -> Result<End, EngineError> {
    if let Some(code) = error.as_trap_code() {
        if code == wasmi::TrapCode::OutOfFuel {
            return Ok(End::OutOfFuel);
        }
        return TrapKind::of(code).map(End::Trapped).ok_or_else(|| EngineError::Test(error.to_string()));
    }
    let text = error.to_string();
    error.downcast::<Stop>().map(|stop| stop.0).ok_or(EngineError::Test(text))
}
