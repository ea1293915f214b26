//! C programs for the command: flags become the program's world and options of the machine, tests become
//! folders.

use super::programs::{EntryOf, Known, Making, OwnSinks, Programs, Ranges, Targets, TestFiles};
use crate::again::{Given, Kept, Reproduced};
use crate::config::Settings;
use crate::flags::c::{CFlags, ProgramArgument};
use crate::flags::{Diff, Explore, Exploring, InputFlags};
use crate::language::Written;
use crate::work::package::{Package, Part, Unpacked};
use crate::work::ready::{Job, Place};
use crate::work::sent::Sent;
use crate::work::spec::Spec;
use evergreen_c::{
    Argument, C, CFrontend, CProgram, CReplayer, CValue, Checks, Compiling, Function, Inputs, Opened,
    Options, Sizes, Within, files,
};
use evergreen_service::report::sarif::Location;
use evergreen_service::report::{More, plural};
use evergreen_service::{Exploration, Finding, PathEnd, Sampling, Sink, Tally, TestId, Totals};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// The most objects of a struct among the inputs, unless a flag names another number.
const DEFAULT_SCOPE: u32 = 3;

/// Tests that are written into a folder, at most.
const MOST_WRITTEN: usize = 10_000;

/// `evergreen explore` of C programs.
pub(crate) fn explore(flags: &Explore, given: &Given) -> Result<ExitCode, String> {
    super::run::<CFrontend>(flags, given)
}

/// `evergreen diff` of C programs.
pub(crate) fn diff(flags: &Diff, given: &Given) -> Result<ExitCode, String> {
    crate::diff::run::<CFrontend>(flags, given)
}

/// The program of a job in C.
pub(crate) fn job(spec: &Spec, place: &Place<'_>) -> Result<Box<dyn Job>, String> {
    crate::work::ready::ready::<CFrontend>(spec, place)
}

/// What the flags say of the machine.
pub(crate) fn options(flags: &CFlags) -> Options {
    Options {
        models: !flags.no_libc_models,
        checks: !flags.no_memory_checks,
        leaks: flags.leaks,
        ..Options::default()
    }
}

/// How large the inputs of a function are.
fn sizes(flags: &InputFlags) -> Sizes {
    let is_general = |(name, _): &&(String, u32)| name.is_empty();
    let general = flags.scope.iter().rfind(is_general).map_or(DEFAULT_SCOPE, |(_, scope)| *scope);
    let scopes = flags.scope.iter().filter(|scope| !is_general(scope)).cloned().collect();
    Sizes { elements: flags.input_length, scope: general, scopes }
}

/// The tests of `--out`.
pub(crate) struct CSinks {
    tests: Option<Vec<(u64, evergreen_c::Case)>>,
    left_out: u64,
    harness: Option<String>,
    ktest: bool,
}

impl Sink<CFrontend> for CSinks {
    fn path(
        &mut self,
        _: &Function,
        _: &PathEnd<C>,
        test: Option<(TestId, &evergreen_c::Case)>,
    ) -> Result<(), String> {
        if let (Some(tests), Some((id, case))) = (&mut self.tests, test) {
            match tests.len() < MOST_WRITTEN {
                true => tests.push((id.0, case.clone())),
                false => self.left_out += 1,
            }
        }
        Ok(())
    }
}

impl OwnSinks<CFrontend> for CSinks {
    fn all(&mut self) -> Vec<&mut dyn Sink<CFrontend>> {
        if self.tests.is_some() { vec![self] } else { Vec::new() }
    }

    /// What the native program did.
    fn more(&self, replayer: &CReplayer) -> More {
        let runs = replayer.native_runs();
        let mut more = More::default();
        let shown: Vec<&String> = runs.differed.iter().take(20).collect();
        let native = json!({ "ran": runs.ran, "differed": runs.differed.len(), "differences": shown });
        more.fields.insert("native".into(), native);
        if runs.ran > 0 {
            let differed = runs.differed.len();
            more.cards.push((format!("{}/{}", runs.ran - differed as u64, runs.ran), "native runs agree"));
            more.facts.push(match runs.differed.first() {
                None => format!("the native program did the same in {}", plural(runs.ran, "test")),
                Some(first) => format!(
                    "the native program did something else in {differed} of {}; the first: {first}",
                    plural(runs.ran, "test")
                ),
            });
        }
        more
    }

    fn tests(&mut self) -> TestFiles {
        let Some(tests) = self.tests.take() else { return TestFiles::default() };
        let mut written = TestFiles::default();
        for (number, case) in &tests {
            let folder = files::folder_name(number + 1, case);
            written.files.extend(files::of_case(&folder, case));
            if self.ktest {
                let file = PathBuf::from(&folder).join(format!("test{:06}.ktest", number + 1));
                written.files.push((file, files::ktest(case)));
            }
            written.names.0.insert(TestId(*number), folder);
        }
        written.files.push((PathBuf::from("run.sh"), files::RUN.into()));
        written.files.extend(self.harness.take().map(|text| (PathBuf::from("harness.c"), text.into_bytes())));
        let left = self.left_out;
        written.left_out =
            (left > 0).then(|| format!("{left} tests are not written into the folder: {MOST_WRITTEN} are"));
        written
    }
}

fn given(length: u32, what: &str) -> Result<evergreen_c::Given, String> {
    match length <= Inputs::MOST {
        true => Ok(evergreen_c::Given::Symbolic(length)),
        false => Err(format!("{what}: {length} bytes are more than {}", Inputs::MOST)),
    }
}

impl Programs for CFrontend {
    type Program = CProgram;
    type Opened = Opened;
    type Replayer = CReplayer;
    type Sinks = CSinks;

    // Path counts are compared with KLEE's.
    const MERGES: bool = false;

    fn sampling(flags: &Exploring) -> Sampling {
        if flags.inputs.c.no_sampling { Sampling::Never } else { Sampling::Undecided }
    }

    fn open(targets: &Targets<'_>) -> Result<CProgram, String> {
        let flags = &targets.inputs.c;
        let compiling = Compiling {
            compiler: flags.cc.as_ref().map(Into::into),
            args: flags.cc_arg.iter().map(Into::into).collect(),
            include: flags.include.iter().map(PathBuf::from).collect(),
            checks: Checks { objects: !flags.no_memory_checks, undefined: flags.ub },
            function: targets.method.map(String::from),
            sizes: sizes(targets.inputs),
        };
        let program = CProgram::open(targets.files, &compiling).map_err(|e| e.to_string())?;
        if !program.warnings().is_empty() {
            program.warnings().lines().for_each(crate::say::note);
        }
        Ok(program)
    }

    fn opened(program: &CProgram) -> Opened {
        program.opened()
    }

    fn reopen(opened: &Opened) -> Result<CProgram, String> {
        CProgram::reopen(opened).map_err(|e| e.to_string())
    }

    fn entries(program: &CProgram, _: Option<&str>) -> Result<Vec<Function>, String> {
        Ok(vec![program.entry()])
    }

    fn inputs(flags: &Exploring) -> Result<Inputs, String> {
        let InputFlags { concrete, range, assume, c, .. } = &flags.inputs;
        let fixed = |bytes: &[u8]| evergreen_c::Given::Fixed(bytes.to_vec());
        let mut inputs = Inputs { assumptions: assume.clone(), ..Inputs::default() };
        concrete.iter().try_for_each(|text| inputs.fix(text).map_err(|e| format!("--concrete {e}")))?;
        range.iter().try_for_each(|text| inputs.bound(text).map_err(|e| format!("--range {e}")))?;
        for argument in &c.argv.0 {
            inputs.args.push(match argument {
                ProgramArgument::Text(text) => Argument::One(fixed(text.as_bytes())),
                ProgramArgument::Symbolic(length) => Argument::One(given(*length, "--sym-arg")?),
                ProgramArgument::Several { min, max, len } => {
                    given(*len, "--sym-args")?;
                    Argument::Several { min: *min, max: *max, length: *len }
                }
            });
        }
        inputs.stdin = match (c.sym_stdin, &c.stdin) {
            (Some(length), _) => Some(given(length, "--sym-stdin")?),
            (None, Some(bytes)) => Some(fixed(&bytes.0)),
            (None, None) => None,
        };
        for (name, length) in &c.sym_file {
            inputs.files.push((name.clone(), given(*length, "--sym-file")?));
        }
        inputs.files.extend(c.file.iter().map(|(name, bytes)| (name.clone(), fixed(&bytes.0))));
        for (name, length) in &c.sym_env {
            inputs.env.push((name.clone(), given(*length, "--sym-env")?));
        }
        inputs.env.extend(c.env.iter().map(|(name, value)| (name.clone(), fixed(value.as_bytes()))));
        Ok(inputs)
    }

    fn check_names(inputs: &Inputs, functions: &[Function]) -> Result<(), String> {
        inputs.check_names(functions)
    }

    fn ranges(inputs: &mut Inputs) -> &mut Ranges {
        &mut inputs.ranges
    }

    fn exploration(
        making: &Making<'_>,
        program: CProgram,
        _: Option<Known>,
        beside: Option<&Exploration<CFrontend>>,
    ) -> Result<Exploration<CFrontend>, String> {
        let options = options(&making.flags.inputs.c);
        Ok(match beside {
            None => CFrontend::explore(program, options, making.maker()),
            Some(old) => old.front.beside(program, options, making.maker()),
        })
    }

    fn replayer(program: &CProgram, _: &[EntryOf<Self>], flags: &Exploring, _: &Settings) -> CReplayer {
        CReplayer::new(program, options(&flags.inputs.c))
    }

    fn sources(_: &CProgram, _: &Explore) {}

    fn sinks(program: &CProgram, flags: &Explore) -> Result<CSinks, String> {
        let harness = program.opened().harness.map(|text| text.to_string());
        Ok(CSinks { tests: flags.out.is_some().then(Vec::new), left_out: 0, harness, ktest: flags.ktest })
    }

    fn located(program: &CProgram, targets: &[PathBuf], _: &Function, finding: &Finding<C>) -> Location {
        let place = finding.place();
        let file = place.and_then(|place| place.file.as_deref());
        let path = file.map(|file| {
            let own = targets.iter().find(|target| target.file_name().is_some_and(|name| name == file));
            own.cloned().or_else(|| program.source_path(file)).unwrap_or_else(|| PathBuf::from(file))
        });
        (path, place.and_then(|place| place.line))
    }

    fn within(flags: &InputFlags, tally: &Tally<C>) -> Within {
        let exploring = Exploring { inputs: flags.clone(), ..Exploring::default() };
        let inputs = CFrontend::inputs(&exploring).unwrap_or_default();
        Within::of(&inputs, &tally.machine)
    }

    fn remarks(totals: &Totals<C>) -> Vec<String> {
        let unmet = totals.machine.unmet();
        unmet.map(|name| format!("no input was called \"{name}\" on any path")).collect()
    }

    /// What the program was given as it was found; the rest by `--concrete`.
    fn again(given: &Given, function: &Function, inputs: Reproduced<'_, C>, kept: &[(&str, Kept)]) -> String {
        let Reproduced::Values(all) = inputs else { return given.again(&[], kept) };
        let text = |value: &CValue| match value {
            CValue::Bytes(bytes) => String::from_utf8(bytes.clone()).ok().filter(|text| !text.contains('\0')),
            _ => None,
        };
        let is_arg = |name: &str| name.strip_prefix("arg").is_some_and(|n| n.parse::<u32>().is_ok());
        let args: Option<Vec<String>> =
            all.iter().filter(|(name, _)| is_arg(name)).map(|(_, value)| text(value)).collect();
        let stdin = all.iter().find(|(name, _)| name == "stdin").and_then(|(_, value)| text(value));
        let is_said = |name: &str| is_arg(name) && args.is_some() || name == "stdin" && stdin.is_some();
        // Fixed files and variables are given again as they were.
        let symbolic = [("file.", given.values("sym_file")), ("env.", given.values("sym_env"))];
        let is_fixed = |name: &str| {
            symbolic.iter().any(|(start, names)| {
                let own =
                    |given: &String| given.rsplit_once(':').map(|(own, _)| own) == name.strip_prefix(start);
                name.starts_with(start) && !names.iter().any(own)
            })
        };
        let concrete = concrete(all.iter().filter(|(name, _)| !is_said(name) && !is_fixed(name)));
        let mut fixed: Vec<(&str, Vec<String>)> = Vec::new();
        if let Some(args) = args {
            fixed.extend([("sym_arg", Vec::new()), ("sym_args", Vec::new()), ("arg", args)]);
        }
        if let Some(stdin) = stdin {
            // A text that begins with @ names a file.
            let stdin = if stdin.starts_with('@') { format!("@{stdin}") } else { stdin };
            fixed.extend([("sym_stdin", Vec::new()), ("stdin", vec![stdin])]);
        }
        if !concrete.is_empty() {
            fixed.push(("concrete", concrete));
        }
        if function.name != "main" {
            fixed.push(("method", vec![function.name.clone()]));
        }
        given.again(&fixed, kept)
    }
}

/// Values of `--concrete`: a second input of a name has a number behind it.
fn concrete<'v>(all: impl Iterator<Item = &'v (String, CValue)>) -> Vec<String> {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let mut texts = Vec::new();
    for (name, value) in all {
        let number = seen.entry(name).or_insert(0);
        *number += 1;
        if !name.contains('=') && *value != CValue::Nothing {
            let number = if *number == 1 { String::new() } else { format!("#{number}") };
            texts.push(format!("{name}{number}={}", value.show()));
        }
    }
    texts
}

impl Sent for CFrontend {
    const WRITTEN: Written = Written::C;

    fn packed(front: &CFrontend) -> Result<Package, String> {
        let program = front.program();
        Ok(Package {
            units: vec![program.unit().to_string()],
            parts: vec![Part::Module(program.bytes().to_vec())],
        })
    }

    fn unpacked(unpacked: &Unpacked) -> Result<CProgram, String> {
        let [module] = unpacked.places() else { return Err("a C program is one module".into()) };
        let bytes = std::fs::read(module).map_err(|e| format!("{}: {e}", module.display()))?;
        let unit = unpacked.units().first().cloned().unwrap_or_default();
        CProgram::of_bytes(unit, bytes.into()).map_err(|e| e.to_string())
    }
}
