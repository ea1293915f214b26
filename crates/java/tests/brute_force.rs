//! Completeness and soundness against brute force: generated methods are explored, and run on the real JVM on
//! every input of their ranges. A path of the JVM is the sequence of arms that it takes and how it ends. The
//! exploration has to find each of these paths and no others, and each input that it offers has to end as on
//! the JVM.

use crate::exploring::truth::{Observed, compile, kind, number, try_all};
use evergreen::solver::Limits;
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Exploration, How, Inputs, JavaFrontend, Options, Program};
use evergreen_testing::java::{self, Method, Parameter};
use evergreen_testing::java_objects;
use evergreen_testing::tools::{find, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many methods there are; a longer run sets EVERGREEN_BRUTE_FORCE.
fn count(usual: u64) -> u64 {
    std::env::var("EVERGREEN_BRUTE_FORCE").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

fn seed() -> u64 {
    std::env::var("EVERGREEN_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_261_115)
}

/// What a reason begins with that is no error.
const UNSUPPORTED: &str = "unsupported:";
/// What a reason begins with that is an error if there are more than a few.
const MISSED: &str = "missed:";

/// The result of exploring a method: inputs, and how they end.
fn explore(
    exploration: &mut Exploration,
    made: &Method,
    options: Options,
) -> Result<Vec<(Vec<i64>, String)>, String> {
    let wanted = format!("{}.run{}", made.class, made.descriptor());
    let found = exploration.front.program().methods(Some(&wanted)).map_err(|e| e.to_string())?;
    let [target] = &found[..] else { return Err(format!("{wanted}: {} methods", found.len())) };
    let ranges = made.parameters.iter().map(|p| (p.name.clone(), (p.low, p.high))).collect();
    let inputs = Inputs { ranges, ..Inputs::default() };
    let mut run = exploration.entry(target, &inputs, options).map_err(|e| e.to_string())?;
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        let ending = match &path.how {
            How::Returned(Some(value)) => format!("={}", number(value)),
            How::Threw { class, .. } => format!("!{class}"),
            How::Undecided { condition, .. } => return Err(format!("{UNSUPPORTED} undecided {condition}")),
            How::Unsupported { what, .. } => return Err(format!("{UNSUPPORTED} {what}")),
            other => return Err(format!("{other:?} with {:?}", path.inputs)),
        };
        paths.push((path.inputs.iter().map(|(_, value)| number(value)).collect(), ending));
    }
    Ok(paths)
}

/// The paths of exploration against those of the JVM: what is wrong, and how many paths there are.
fn compare(paths: &[(Vec<i64>, String)], all: &BTreeMap<Vec<i64>, Observed>) -> Result<usize, String> {
    let mut reached: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (input, ending) in paths {
        let Some((really, arms)) = all.get(input) else {
            return Err(format!("{input:?} is not an input"));
        };
        if ending != really {
            return Err(format!("{input:?} ends with {ending}, on the JVM with {really}"));
        }
        reached.insert((kind(really), arms));
    }
    let mut wanted: BTreeMap<(&str, &str), &Vec<i64>> = BTreeMap::new();
    for (input, (ending, arms)) in all {
        wanted.entry((kind(ending), arms)).or_insert(input);
    }
    match wanted.iter().find(|(path, _)| !reached.contains(*path)) {
        Some((_, input)) => Err(format!("the path of {input:?} was not found")),
        None => Ok(wanted.len()),
    }
}

/// The same where states were merged: inputs end as on the JVM, every kind of ending is reached, and so is
/// every arm that some input takes. An arm of a branch that is concrete in each state may be missed, if only
/// merged states took it: that is rare, and is told apart.
fn compare_merged(paths: &[(Vec<i64>, String)], all: &BTreeMap<Vec<i64>, Observed>) -> Result<usize, String> {
    let parts = |(ending, arms): &Observed| {
        let arms = arms.split(',').map(String::from).collect::<Vec<_>>();
        arms.into_iter().chain([kind(ending).to_string()]).collect::<Vec<String>>()
    };
    let mut reached: BTreeSet<String> = BTreeSet::new();
    for (input, ending) in paths {
        let Some(really) = all.get(input) else { return Err(format!("{input:?} is not an input")) };
        if *ending != really.0 {
            return Err(format!("{input:?} ends with {ending}, on the JVM with {}", really.0));
        }
        reached.extend(parts(really));
    }
    for (input, observed) in all {
        if !reached.contains(kind(&observed.0)) {
            return Err(format!("{} of {input:?} was not found", observed.0));
        }
    }
    let mut arms = all.values().flat_map(parts);
    match arms.find(|part| !reached.contains(part)) {
        Some(arm) => Err(format!("{MISSED} {arm}")),
        None => Ok(paths.len()),
    }
}

/// Asks a method's result some questions, so that merged values meet conditions.
fn questioned(made: Method) -> Method {
    let Method { class, parameters, source } = made;
    let names: Vec<&str> = parameters.iter().map(|parameter| &parameter.name[..]).collect();
    let list: Vec<String> =
        parameters.iter().map(|parameter| format!("{} {}", parameter.of, parameter.name)).collect();
    let asked = format!(
        "static int run({}) {{\n\
         int r = asked({}), s = 0;\n\
         if (r > 5) s += 1;\n\
         if ((r & 3) == 2) s += r; else s -= 1;\n\
         if (r == 0 || r == 7) s = -s;\n\
         if (s < 0 && r < 0) throw new ArrayStoreException();\n\
         if (s == r + 1) return 1;\n\
         if (s % 5 == 3) throw new UnsupportedOperationException();\n\
         return s;\n}}\nstatic int asked(",
        list.join(", "),
        names.join(", ")
    );
    assert!(source.contains("static int run("));
    Method { source: source.replacen("static int run(", &asked, 1), class, parameters }
}

#[test]
fn merged_states_reach_what_single_paths_do() {
    // Conditional products and quotients are more than a solver decides in a second, now and then.
    let methods = (0..count(80)).map(|index| questioned(java::method(seed() + 1, index)));
    check_by(methods.collect(), 5, Some(0), compare_merged);
    let methods = (0..count(30)).map(|index| questioned(java_objects::method(seed() + 1, index)));
    check_by(methods.collect(), 10, Some(0), compare_merged);
}

#[test]
fn exploration_finds_the_paths_of_the_jvm_and_no_others() {
    family(java::method, count(300), 0);
}

#[test]
fn objects_strings_and_collections_too() {
    // Some need what no solver decides in time, or the text of a symbolic double.
    family(java_objects::method, count(60), 10);
}

/// Methods that were written to be misunderstood; the first line of each lists its inputs.
#[test]
fn hostile_methods_too() {
    let folder = repository().join("crates/java/tests/java/hostile");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let methods = files.iter().map(|file| hostile(file)).collect();
    check(methods, 0);
}

fn hostile(file: &Path) -> Method {
    let source = std::fs::read_to_string(file).unwrap();
    let first = source.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default();
    let parameters = first.split(", ").map(|text| {
        let [of, name, low, high] = text.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{file:?}: {text}")
        };
        let kinds = ["int", "long", "char", "byte", "short", "boolean"];
        let of = kinds.into_iter().find(|kind| *kind == of).unwrap_or_else(|| panic!("{file:?}: {of}"));
        let (low, high) = (low.parse().unwrap(), high.parse().unwrap());
        Parameter { name: name.into(), of, low, high }
    });
    let parameters = parameters.collect();
    Method { class: file.file_stem().unwrap().to_str().unwrap().into(), parameters, source }
}

fn family(method: fn(u64, u64) -> Method, count: u64, unsupported_percent: usize) {
    check((0..count).map(|index| method(seed(), index)).collect(), unsupported_percent);
}

type Comparison = fn(&[(Vec<i64>, String)], &BTreeMap<Vec<i64>, Observed>) -> Result<usize, String>;

fn check(methods: Vec<Method>, unsupported_percent: usize) {
    check_by(methods, unsupported_percent, None, compare);
}

fn check_by(methods: Vec<Method>, unsupported_percent: usize, merging: Option<u64>, compare: Comparison) {
    let _ = find("z3");
    let jdk = find_jdk().unwrap_or_else(|e| panic!("{e}"));
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(&jdk, folder.path(), &methods);
    let all = try_all(&jdk, folder.path(), &methods);

    let program = Program::open(&[classes], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 28));
    // z3 alone may think for hours about one product of two numbers. Where none may be left undecided it gets
    // the time that a busy machine needs.
    let patience = match (unsupported_percent, merging) {
        (0, _) => 60_000,
        (_, None) => 5_000,
        (_, Some(_)) => 1_000,
    };
    let limits = Limits { time_ms: Some(patience), ..Limits::default() };
    let make = move || {
        let builder = Evergreen::builder().with_store(store.clone()).limits(limits.clone());
        builder.solver("z3").reuse(Reuse::Full).build()
    };
    let mut exploration =
        JavaFrontend::explore(program, Ints::Wrapped, JvmOptions::default(), Box::new(make)).unwrap();
    let (mut wrong, mut unsupported, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut paths, mut inputs) = (0, 0);
    for made in &methods {
        let observed = &all[&made.class];
        inputs += observed.len();
        let options = Options { merging, ..Options::default() };
        let compared = explore(&mut exploration, made, options).and_then(|found| compare(&found, observed));
        match compared {
            Ok(found) => paths += found,
            Err(reason) if reason.starts_with(UNSUPPORTED) => {
                unsupported.push(format!("{}: {reason}", made.class))
            }
            Err(reason) if reason.starts_with(MISSED) => missed.push(format!("{}: {reason}", made.class)),
            Err(reason) => wrong.push(format!("{}: {reason}", made.class)),
        }
    }
    println!("{} methods, {inputs} inputs, {paths} paths; {} unsupported", methods.len(), unsupported.len());
    if let Ok(keep) = std::env::var("EVERGREEN_KEEP") {
        for made in methods.iter().filter(|m| wrong.iter().any(|w| w.starts_with(&format!("{}:", m.class)))) {
            std::fs::write(Path::new(&keep).join(format!("{}.java", made.class)), &made.source).unwrap();
        }
    }
    let most = methods.len() * unsupported_percent / 100;
    assert!(unsupported.len() <= most, "{} unsupported:\n{}", unsupported.len(), unsupported.join("\n"));
    assert!(wrong.is_empty(), "{} of {} methods:\n{}", wrong.len(), methods.len(), wrong.join("\n"));
    assert!(missed.len() * 100 <= methods.len(), "{}", missed.join("\n"));
    assert!(exploration.oracle().trouble().wrong_models.is_empty());
}
