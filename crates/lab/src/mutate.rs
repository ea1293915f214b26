//! `evergreen-lab mutate`: classes that differ from a program's in one instruction, a folder for each, and a
//! manifest.

mod verify;

pub(crate) use verify::refused;

use crate::flags::{Mutate, operators};
use crate::say::{say, say_json};
use evergreen_java::Program;
use evergreen_java::classfile::{ClassPath, Jdk, Mutant, Operator, find_jdk, mutants, read};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A mutant of a program.
pub(crate) struct Made {
    /// Its number, from 1.
    pub number: usize,
    /// Internal name of the class that differs.
    pub class: String,
    /// Name and descriptor of the method that differs.
    pub method: String,
    /// What differs.
    pub mutant: Mutant,
    /// The class file.
    pub bytes: Vec<u8>,
}

/// A class of a program.
pub(crate) struct Original {
    /// Its internal name.
    pub class: String,
    /// The class file.
    pub bytes: Vec<u8>,
}

/// Runs it.
pub(crate) fn task(flags: &Mutate) -> Result<ExitCode, String> {
    let jdk = || find_jdk().map_err(|e| e.to_string());
    let mut program =
        Program::open(&flags.targets, flags.class_path.as_deref(), jdk()?).map_err(|e| e.to_string())?;
    let originals = originals(&mut program)?;
    let made = make(&originals, flags.method.as_deref(), &operators(&flags.operators))?;
    if made.is_empty() {
        return Err(
            "there is nothing to change\nhelp: --list without --method and --operators shows everything"
                .into(),
        );
    }
    if let Some(out) = &flags.out {
        write(out, &originals, &made)?;
        verify::check(&jdk()?, out, &made, &program.places)?;
    }
    if flags.json {
        made.iter().for_each(|made| say_json(&manifest(made)));
    } else if flags.list {
        made.iter().for_each(|made| say(&line(made)));
    } else {
        say(&format!("{} mutants of {} classes; the verifier accepts each", made.len(), originals.len()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The classes that were given, as they are.
pub(crate) fn originals(program: &mut Program) -> Result<Vec<Original>, String> {
    let names: Vec<String> = program.classes().iter().map(|class| class.name.to_string()).collect();
    let path: ClassPath = program.take_class_path().ok_or("the classes were taken already")?;
    let find = |class: String| {
        let found = path.find(&class).map_err(|e| e.to_string())?;
        let bytes = found.ok_or_else(|| format!("{class}: no such class"))?.bytes.to_vec();
        Ok(Original { class, bytes })
    };
    names.into_iter().filter(|name| !is_driver(name)).map(find).collect()
}

/// The driver API is no part of the program.
fn is_driver(name: &str) -> bool {
    name.strip_prefix("evergreen/").is_some_and(|rest| !rest.contains('/'))
}

/// Every mutant of the classes, or of one method: `[Class.]name`.
pub(crate) fn make(
    originals: &[Original],
    wanted: Option<&str>,
    operators: &[Operator],
) -> Result<Vec<Made>, String> {
    let (class, method) = match wanted.map(|wanted| wanted.rsplit_once('.').unwrap_or(("", wanted))) {
        Some((class, method)) => (Some(class).filter(|class| !class.is_empty()), Some(method)),
        None => (None, None),
    };
    let mut made = Vec::new();
    for original in originals {
        let dotted = original.class.replace('/', ".");
        let is_wanted = |class: &str| dotted == class || dotted.ends_with(&format!(".{class}"));
        if !class.is_none_or(is_wanted) {
            continue;
        }
        let broken = |e| format!("class {dotted}: {e}");
        let read = read(&original.bytes).map_err(broken)?;
        for mutant in mutants(&original.bytes, operators).map_err(broken)? {
            let Some(of) = read.methods.get(mutant.method as usize) else { continue };
            if method.is_some_and(|name| name != &*of.name) {
                continue;
            }
            made.push(Made {
                number: made.len() + 1,
                class: original.class.clone(),
                method: format!("{}{}", of.name, of.descriptor),
                bytes: mutant.of(&original.bytes).map_err(broken)?,
                mutant,
            });
        }
    }
    Ok(made)
}

/// The folder of a mutant.
pub(crate) fn folder(out: &Path, made: &Made) -> PathBuf {
    out.join(format!("{:03}", made.number))
}

/// Writes originals, mutants and manifest.
pub(crate) fn write(out: &Path, originals: &[Original], made: &[Made]) -> Result<(), String> {
    let trouble = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    if std::fs::read_dir(out).is_ok_and(|mut listed| listed.next().is_some()) {
        return Err(format!(
            "{}: there is something in it\nhelp: name a folder that does not exist",
            out.display()
        ));
    }
    for original in originals {
        write_class(&out.join("original"), &original.class, &original.bytes)?;
    }
    let mut lines = String::new();
    for made in made {
        write_class(&folder(out, made), &made.class, &made.bytes)?;
        lines += &format!("{}\n", manifest(made));
    }
    let file = out.join("mutants.jsonl");
    std::fs::write(&file, lines).map_err(|e| trouble(&file, e))
}

fn write_class(folder: &Path, class: &str, bytes: &[u8]) -> Result<(), String> {
    let file = folder.join(format!("{class}.class"));
    let parent = file.parent().unwrap_or(folder);
    let trouble = |e: std::io::Error| format!("{}: {e}", file.display());
    std::fs::create_dir_all(parent).map_err(trouble)?;
    std::fs::write(&file, bytes).map_err(trouble)
}

/// A line of the manifest.
pub(crate) fn manifest(made: &Made) -> Value {
    json!({
        "number": made.number, "class": made.class.replace('/', "."), "method": made.method,
        "line": made.mutant.line, "operator": made.mutant.operator.name(),
        "from": made.mutant.from, "to": made.mutant.to,
    })
}

/// A mutant in words.
pub(crate) fn line(made: &Made) -> String {
    let line = made.mutant.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!(
        "{:03} {}.{}{line}: {} -> {}",
        made.number,
        made.class.replace('/', "."),
        made.method,
        made.mutant.from,
        made.mutant.to
    )
}

/// The JDK's programs that are needed.
fn program(jdk: &Jdk, name: &str) -> Result<PathBuf, String> {
    jdk.program(name).ok_or_else(|| format!("the JDK in {} has no {name}", jdk.home.display()))
}
