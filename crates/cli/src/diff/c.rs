//! Two versions of a C program: functions by name, tests on the WebAssembly engine.

use super::versions::{Values, Verdict, Versions};
use crate::explore::programs::TestFiles;
use crate::language::Written;
use evergreen_c::{
    CFrontend, CProgram, Case, End, Ending, Function, Options, Platform, Ran, Target, files, is_source, told,
};
use evergreen_service::{Affected, Changes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Versions for CFrontend {
    const SOURCES: &'static [&'static str] = &["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "inc", "def"];
    const COMPARED: &'static str =
        "compared are the status, failures and standard output; not standard error and files";

    type Key = String;
    type Platform = Platform;
    type Ran = Ran;

    /// `a.c,b.c`.
    fn listed(name: &Path) -> Option<Vec<PathBuf>> {
        if name.is_file() {
            return Written::of(name).is_c().then(|| vec![name.to_path_buf()]);
        }
        let all: Vec<PathBuf> = name.to_str()?.split(',').map(PathBuf::from).collect();
        all.iter().all(|file| file.is_file() && Written::of(file).is_c()).then_some(all)
    }

    /// All sources below folders.
    fn files(places: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        let mut all = Vec::new();
        for place in places {
            match place.is_dir() {
                true => all.extend(crate::language::below(place).into_iter().filter(|file| is_source(file))),
                false => all.push(place.clone()),
            }
        }
        match all.is_empty() {
            false => Ok(all),
            true => Err(format!("{}: no C source in it", places[0].display())),
        }
    }

    /// What changed in one function may show wherever the program runs: its entry is affected.
    fn changes(old: &CProgram, new: &CProgram) -> Changes<String> {
        let (was, is) = (old.function_bodies(), new.function_bodies());
        let mut changes = Changes::default();
        for (name, body) in &is {
            match was.get(name) {
                None => changes.added.push(name.clone()),
                Some(before) if before != body => changes.changed.push(name.clone()),
                Some(_) => changes.unchanged += 1,
            }
        }
        changes.removed.extend(was.keys().filter(|name| !is.contains_key(*name)).cloned());
        let entry = new.entry().name;
        if old.bytes() != new.bytes() && !changes.changed.contains(&entry) {
            let through = changes.changed.first().cloned().unwrap_or_else(|| "its data".into());
            changes.affected.push(Affected { function: entry, through });
        }
        changes
    }

    fn key(function: &Function) -> String {
        function.name.clone()
    }

    fn key_of_target(target: &Target) -> String {
        target.name.clone()
    }

    fn matched(_: &Function, new: &Function) -> Option<Function> {
        Some(new.clone())
    }

    fn platform(program: &CProgram) -> Result<Platform, String> {
        Platform::new(program, &Options::default())
    }

    fn run(platform: &Platform, cases: &[Case]) -> Result<Vec<Ran>, String> {
        cases.iter().map(|case| platform.run(case)).collect()
    }

    fn verdict(old: &Ran, new: &Ran) -> Verdict {
        let unfit = |ran: &Ran| matches!(ran.end, End::Rejected | End::Silent(_) | End::Draw(_));
        let exit = |end: &End| match end {
            End::Returned(_) => End::Exited(0),
            other => other.clone(),
        };
        match () {
            () if unfit(old) || unfit(new) => Verdict::Unfit,
            () if exit(&old.end) == exit(&new.end) && old.stdout == new.stdout => Verdict::Same,
            () => Verdict::Differs,
        }
    }

    fn told(old: &Ran, new: &Ran) -> (String, String) {
        let (was, is) = (told(&old.end), told(&new.end));
        if was != is {
            return (was, is);
        }
        let printed =
            |what: String, ran: &Ran| format!("{what} and prints {:?}", String::from_utf8_lossy(&ran.stdout));
        (printed(was, old), printed(is, new))
    }

    fn values(case: &Case) -> Values<CFrontend> {
        case.inputs()
    }

    fn identity(case: &Case) -> String {
        case.identity()
    }

    fn expecting(case: &Case, old: &Ran, _: &str) -> Case {
        let end = match &old.end {
            End::Exited(status) => Ending::Exits(*status),
            End::Returned(_) => Ending::Exits(0),
            other => Ending::Fails(told(other), String::new()),
        };
        Case { end, stdout: old.stdout.clone(), ..case.clone() }
    }

    fn declared(program: &CProgram) -> BTreeMap<String, (String, u32)> {
        program.declared()
    }

    fn source(sources: &[PathBuf], _: &String, file: &str) -> PathBuf {
        let own = sources.iter().find(|source| source.file_name().is_some_and(|name| name == file));
        own.cloned().unwrap_or_else(|| PathBuf::from(file))
    }

    fn test_sources(_: &CProgram) {}

    fn write_tests(folder: &Path, cases: &[Case], (): &()) -> Result<(), String> {
        let mut written = TestFiles::default();
        for (number, case) in (1..).zip(cases) {
            written.files.extend(files::of_case(&files::folder_name(number, case), case));
        }
        written.files.push((PathBuf::from("run.sh"), files::RUN.into()));
        written.write(folder)
    }
}
