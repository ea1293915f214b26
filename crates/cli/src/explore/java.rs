//! Java programs for the command: flags become options of the machine, tests JUnit sources, objects pictures.

use super::draw::{Drawings, picture, svg};
use super::programs::{Known, Making, OwnSinks, Programs, Proved, Ranges, Recording, Targets, TestFiles};
use crate::again::{self, Given, Kept, Reproduced};
use crate::config::Settings;
use crate::flags::c::ProgramArgument;
use crate::flags::{Explore, Exploring, HeapFlag, InputFlags, IntsFlag, JunitFlag};
use evergreen_java::classfile::find_jdk;
use evergreen_java::heap::Technique;
use evergreen_java::replay::Junit;
use evergreen_java::report::More;
use evergreen_java::report::html::Pictures;
use evergreen_java::report::sarif::Location;
use evergreen_java::suite::JunitSources;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Exploration, Finding, InputLimits, Inputs, Java, JavaFrontend, JunitTests, JvmReplayer, MethodRef,
    Opened, PathEnd, Program, Sink, Tally, Within, check_scopes, covered, invariants, jvm, keeping, located,
    misread, prove,
};
use evergreen_service::{Sampling, TestId};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Branches of a path that are compared with those that the JVM takes; longer paths are compared by their
/// ends only.
const RECORDED: usize = 10_000;

/// `--draw`, and the JUnit sources of `--out`.
pub(crate) struct JavaSinks {
    drawings: Option<Drawings>,
    junit: Option<JunitTests>,
    targets: Vec<PathBuf>,
}

impl OwnSinks<JavaFrontend> for JavaSinks {
    fn all(&mut self) -> Vec<&mut dyn Sink<JavaFrontend>> {
        let mut all: Vec<&mut dyn Sink<JavaFrontend>> = Vec::new();
        all.extend(self.drawings.iter_mut().map(|sink| sink as &mut dyn Sink<JavaFrontend>));
        all.extend(self.junit.iter_mut().map(|sink| sink as &mut dyn Sink<JavaFrontend>));
        all
    }

    fn shows_all(&self) -> bool {
        self.drawings.is_some()
    }

    /// What tests cover, and what was drawn.
    fn more(&self, replayer: &JvmReplayer) -> More {
        let mut more = covered(replayer.coverage().as_ref(), &self.targets);
        let (structures, left_out) =
            self.drawings.as_ref().map_or((0, 0), |drawings| (drawings.drawn, drawings.left_out));
        let drawn = json!({ "structures": structures, "left_out": left_out });
        more.fields.insert("drawn".into(), drawn);
        more
    }

    fn leave_out(&mut self, tests: &BTreeSet<TestId>) {
        if let Some(junit) = &mut self.junit {
            junit.leave_out(tests);
        }
    }

    fn tests(&mut self) -> TestFiles {
        let written = self.junit.take().map(JunitTests::sources).unwrap_or_default();
        let left_out = (written.left_out > 0).then(|| {
            let count = written.left_out;
            format!("{count} tests are not written into the folder: a class has more than 10,000")
        });
        let files = written.files.into_iter().map(|file| (file.path, file.source.into_bytes())).collect();
        TestFiles { files, names: written.names, left_out }
    }

    fn told(&self) -> Vec<String> {
        self.drawings.iter().map(Drawings::told).collect()
    }
}

impl Programs for JavaFrontend {
    type Program = Program;
    type Opened = Opened;
    type Replayer = JvmReplayer;
    type Sinks = JavaSinks;

    const MERGES: bool = true;

    fn sampling(flags: &Exploring) -> Sampling {
        if flags.inputs.c.no_sampling { Sampling::Never } else { Sampling::Everywhere }
    }

    fn open(targets: &Targets<'_>) -> Result<Program, String> {
        let jdk = find_jdk().map_err(|e| e.to_string())?;
        Program::open(targets.files, targets.class_path, jdk).map_err(|e| e.to_string())
    }

    fn opened(program: &Program) -> Opened {
        program.opened()
    }

    fn reopen(opened: &Opened) -> Result<Program, String> {
        opened.open().map_err(|e| e.to_string())
    }

    fn entries(program: &Program, wanted: Option<&str>) -> Result<Vec<MethodRef>, String> {
        program.methods(wanted).map_err(|e| e.to_string())
    }

    fn inputs(flags: &Exploring) -> Result<Inputs, String> {
        let InputFlags { concrete, range, assume, .. } = &flags.inputs;
        let concrete =
            concrete.iter().map(|text| Inputs::read_concrete(text).map_err(|e| format!("--concrete {e}")));
        let ranges = range.iter().map(|text| Inputs::read_range(text).map_err(|e| format!("--range {e}")));
        Ok(Inputs {
            concrete: concrete.collect::<Result<_, _>>()?,
            ranges: ranges.collect::<Result<_, _>>()?,
            assumptions: assume.clone(),
        })
    }

    fn check_names(inputs: &Inputs, methods: &[MethodRef]) -> Result<(), String> {
        inputs.check_names(methods).map_err(|e| e.to_string())
    }

    fn ranges(inputs: &mut Inputs) -> &mut Ranges {
        &mut inputs.ranges
    }

    fn exploration(
        making: &Making<'_>,
        program: Program,
        known: Option<Known>,
        beside: Option<&Exploration>,
    ) -> Result<Exploration, String> {
        let flags = making.flags;
        let ints = match flags.ints {
            IntsFlag::Exact => Ints::Wrapped,
            IntsFlag::Math => Ints::Math,
        };
        // What the JVM does is compared branch by branch.
        let record = if making.recording == Recording::Off { 0 } else { RECORDED };
        let machine = jvm::Options {
            array_length: flags.inputs.array_length,
            input_length: flags.inputs.input_length,
            nesting: flags.inputs.nesting,
            answers: flags.inputs.answers,
            chars: flags.inputs.chars,
            record,
            non_null: flags.inputs.non_null,
            main: main_arguments(&flags.inputs)?,
            lazy: lazy(flags, &program, known)?,
            ..jvm::Options::default()
        };
        let settings = making.settings;
        let namespace = settings.namespace.clone().unwrap_or_default();
        let heaps = keeping(making.store.clone(), settings.trust(), namespace);
        let made = match beside {
            None => JavaFrontend::explore(program, ints, machine, making.maker()),
            Some(old) => old.front.beside(program, machine, making.maker()),
        };
        let mut exploration = made.map_err(|e| e.to_string())?;
        exploration.front.make_lazy(heaps);
        Ok(exploration)
    }

    fn replayer(program: &Program, methods: &[MethodRef], _: &Exploring, settings: &Settings) -> JvmReplayer {
        JvmReplayer::new(program).of(methods).warm(settings.warm_jvm())
    }

    fn sources(program: &Program, flags: &Explore) -> JunitSources {
        let version = match flags.junit {
            JunitFlag::Four => Junit::Four,
            JunitFlag::Five => Junit::Five,
        };
        JunitSources { version, misread: misread(program) }
    }

    fn sinks(program: &Program, flags: &Explore) -> Result<JavaSinks, String> {
        let drawings = |folder: &PathBuf| Drawings::create(folder, flags.draw_most);
        let junit = || JunitTests::new(JavaFrontend::sources(program, flags), super::jobs(flags));
        Ok(JavaSinks {
            drawings: flags.draw.as_ref().map(drawings).transpose()?,
            junit: flags.out.is_some().then(junit),
            targets: flags.targets.clone(),
        })
    }

    fn pictures() -> Option<Pictures<Java>> {
        let draw = |method: &MethodRef, end: &PathEnd| svg::draw(&picture(method, end), svg::Frame::Inline);
        Some(Pictures { style: svg::STYLE, draw })
    }

    fn located(program: &Program, targets: &[PathBuf], method: &MethodRef, finding: &Finding) -> Location {
        located(program, targets, method, finding)
    }

    fn within(flags: &InputFlags, tally: &Tally) -> Within {
        let given = [
            ("--concrete", flags.concrete.is_empty()),
            ("--range", flags.range.is_empty()),
            ("--assume", flags.assume.is_empty()),
            ("--non-null", !flags.non_null),
        ];
        let limits = InputLimits {
            length: flags.input_length,
            nesting: flags.nesting,
            answers: flags.answers,
            chars: flags.chars,
            scopes: flags.scope.clone(),
            given: given.iter().filter(|(_, is_empty)| !is_empty).map(|(flag, _)| *flag).collect(),
        };
        Within::new(limits, tally)
    }

    fn proved(
        mut exploration: Exploration,
        methods: &[MethodRef],
        inputs: &Inputs,
    ) -> Result<Option<Proved>, String> {
        let [method] = methods else { return Ok(None) };
        let Some(proof) = prove(&mut exploration, method, inputs).map_err(|e| e.to_string())? else {
            return Ok(None);
        };
        let name = |all: &[(String, Vec<String>)]| {
            all.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(", ")
        };
        let mut lines = vec![format!("nothing fails: proved by induction over {}", name(&proof.lemmas))];
        lines.extend(proof.lemmas.iter().flat_map(|(_, lemmas)| lemmas).map(|lemma| format!("  {lemma}")));
        if proof.computed > 0 {
            lines.push(format!("  {} results of inner calls were computed", proof.computed));
        }
        let over = proof.lemmas.iter().map(|(name, lemmas)| json!({ "method": name, "lemmas": lemmas }));
        let json = json!({ "over": over.collect::<Vec<_>>(), "computed": proof.computed });
        Ok(Some(Proved { lines, json, paths: proof.paths }))
    }

    /// Concrete values wrap around: a finding that needs unbounded integers is reproduced by exploring the
    /// method.
    fn is_reproduced(flags: &Exploring) -> bool {
        flags.ints != IntsFlag::Math
    }

    fn again(
        given: &Given,
        method: &MethodRef,
        inputs: Reproduced<'_, Java>,
        kept: &[(&str, Kept)],
    ) -> String {
        let name = format!("{}.{}", method.class.replace('/', "."), method.signature());
        again::of_function(given, (method, name), inputs, evergreen_java::source_text, kept)
    }
}

/// The arguments of a program that is called by its `main`.
fn main_arguments(flags: &InputFlags) -> Result<Option<jvm::Arguments>, String> {
    let texts = flags.c.argv.0.iter().map(|argument| match argument {
        ProgramArgument::Text(text) => text.encode_utf16().collect(),
        ProgramArgument::Symbolic(_) | ProgramArgument::Several { .. } => Vec::new(),
    });
    let texts: Vec<Vec<u16>> = texts.collect();
    match (flags.main, flags.sym_main) {
        (_, true) if !texts.is_empty() => {
            Err("--sym-main gives any arguments, and --arg these\nhelp: omit one of them".into())
        }
        (_, true) => Ok(Some(jvm::Arguments::Any)),
        (true, false) => Ok(Some(jvm::Arguments::Given(texts))),
        (false, false) if !texts.is_empty() => {
            Err("--arg says nothing without --main\nhelp: add --main".into())
        }
        (false, false) => Ok(None),
    }
}

/// How objects as inputs are made.
fn lazy(
    flags: &Exploring,
    program: &Program,
    known: Option<Known>,
) -> Result<Option<jvm::LazyOptions>, String> {
    let Some(heap) = flags.inputs.heap else {
        if !flags.inputs.invariant.is_empty() || !flags.inputs.scope.is_empty() {
            let flag = if flags.inputs.scope.is_empty() { "--invariant" } else { "--scope" };
            return Err(format!("{flag} says nothing without --heap\nhelp: add --heap bliss or --heap li"));
        }
        return Ok(None);
    };
    if heap == HeapFlag::Search && !flags.inputs.invariant.is_empty() {
        return Err("--heap search uses repOK alone\nhelp: omit --invariant, or use --heap bliss".into());
    }
    let unread = match heap {
        HeapFlag::Search => jvm::Unread::Search,
        _ => jvm::Unread::Unknown,
    };
    let technique = match heap {
        HeapFlag::Li | HeapFlag::Search => Technique::Li,
        HeapFlag::Bli => Technique::Bli,
        HeapFlag::Rbli => Technique::Rbli,
        HeapFlag::Bliss => Technique::Bliss,
        HeapFlag::Blissdb => Technique::BlissDb,
    };
    let invariants = match known {
        Some(known) => {
            let all = known.into_iter();
            all.map(|(class, text, origin)| jvm::ClassInvariant { class, text, origin }).collect()
        }
        None => invariants(program, &flags.inputs.invariant).map_err(|e| e.to_string())?,
    };
    let classes = flags.inputs.scope.iter().map(|(class, _)| &**class).filter(|class| !class.is_empty());
    check_scopes(program, &invariants, classes).map_err(|e| e.to_string())?;
    let rep_ok = flags.rep_ok.clone();
    let mut options =
        jvm::LazyOptions { unread, technique, invariants, rep_ok, ..jvm::LazyOptions::default() };
    for (class, scope) in &flags.inputs.scope {
        if class.is_empty() {
            options.scope = *scope;
        } else {
            options.scopes.insert(class.clone(), *scope);
        }
    }
    Ok(Some(options))
}
