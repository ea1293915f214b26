//! Where the invariants of classes come from: files that were named, side files (`Class.inv` beside a source
//! or a class file), and for some collections of the JDK those that come with Evergreen. The machine reads
//! annotations where none of these applies.

use crate::ProgramError;
use crate::program::{Program, did_you_mean, is_class, trouble};
use evergreen_classfile::{ClassFile, ElementValue};
use evergreen_heap::diagnostic::nearest;
use evergreen_jvm::ClassInvariant;
use evergreen_jvm::guide::ANNOTATION;
use std::path::{Path, PathBuf};

/// Collections of the JDK.
const BUILT_IN: [(&str, &str); 3] = [
    ("java.util.LinkedList", include_str!("../invariants/java.util.LinkedList.inv")),
    ("java.util.TreeMap", include_str!("../invariants/java.util.TreeMap.inv")),
    ("java.util.TreeSet", include_str!("../invariants/java.util.TreeSet.inv")),
];

/// The invariant that comes with Evergreen for a class of the JDK, by its full or simple name.
pub fn built_in(class: &str) -> Option<ClassInvariant> {
    let named = |name: &str| name == class || name.rsplit('.').next() == Some(class);
    let (name, text) = BUILT_IN.iter().find(|(name, _)| named(name))?;
    Some(ClassInvariant {
        class: (*name).into(),
        text: (*text).into(),
        origin: format!("{name}.inv (built in)"),
    })
}

/// The invariants of the classes of a program: side files and annotations.
///
/// # Errors
/// A file that cannot be read.
pub fn declared(program: &Program) -> Result<Vec<ClassInvariant>, ProgramError> {
    let mut all = invariants(program, &[])?;
    all.retain(|known| program.classes().iter().any(|class| class.java_name() == known.class));
    for class in program.classes() {
        let name = class.java_name();
        let value = class.annotation(ANNOTATION).and_then(|a| a.element("value"));
        if let Some(ElementValue::Text(text)) = value
            && !all.iter().any(|known| known.class == name)
        {
            let origin = format!("@Invariant of {name}");
            all.push(ClassInvariant { class: name, text: text.to_string(), origin });
        }
    }
    Ok(all)
}

/// The invariants that a program's classes have; those in `files` first.
///
/// # Errors
/// A file that cannot be read, or whose root class is not there.
pub fn invariants(program: &Program, files: &[PathBuf]) -> Result<Vec<ClassInvariant>, ProgramError> {
    let mut all = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| trouble(file, e))?;
        let class = root_class(program, file, &text)?;
        all.push(ClassInvariant { class, text, origin: file.display().to_string() });
    }
    for class in program.classes() {
        for file in side_files(program, class) {
            let class = class.java_name();
            if all.iter().any(|known: &ClassInvariant| known.class == class) || !file.is_file() {
                continue;
            }
            let text = std::fs::read_to_string(&file).map_err(|e| trouble(&file, e))?;
            all.push(ClassInvariant { class, text, origin: file.display().to_string() });
        }
    }
    for (class, text) in BUILT_IN {
        if !all.iter().any(|known| known.class == class) && holds_integers(program, class) {
            let origin = format!("{class}.inv (built in)");
            all.push(ClassInvariant { class: class.into(), text: text.into(), origin });
        }
    }
    Ok(all)
}

/// The class of the program that a file's root class stands for.
fn root_class(program: &Program, file: &Path, text: &str) -> Result<String, ProgramError> {
    let invariant =
        evergreen_heap::parse(text).map_err(|e| ProgramError(format!("{}:{e}", file.display())))?;
    let Some(root) = invariant.shape.classes.first() else {
        return Err(trouble(file, "no root class"));
    };
    if let Some(full) = &root.program_name {
        return Ok(full.clone());
    }
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let find = |wanted: &str| program.classes().iter().find(|class| is_class(class, wanted));
    if let Some(class) = find(&stem).filter(|class| is_class(class, &root.name)).or_else(|| find(&root.name))
    {
        return Ok(class.java_name());
    }
    let names: Vec<String> = program.classes().iter().map(ClassFile::java_name).collect();
    let near = nearest(&root.name, names.iter().map(|name| name.rsplit(['.', '$']).next().unwrap_or(name)));
    let help = match &near[..] {
        [] => format!("write its whole name: root class {} = java.util.Name", root.name),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    let message = format!("no class \"{}\" among the targets", root.name);
    let place = evergreen_heap::Diagnostic::at(text, root.at, message, Some(&help));
    Err(ProgramError(format!("{}:{place}", file.display())))
}

/// Where a class's side file would be.
fn side_files(program: &Program, class: &ClassFile) -> Vec<PathBuf> {
    let (package, simple) = class.name.rsplit_once('/').unwrap_or(("", &class.name));
    let name = format!("{simple}.inv");
    let beside_source = program.sources.iter().filter(|source| {
        let file = source.file_name().and_then(|name| name.to_str());
        file.is_some() && file == class.source_file.as_deref()
    });
    let mut found: Vec<PathBuf> = beside_source.map(|source| source.with_file_name(&name)).collect();
    // Of two sources of one name the one in the class's package is meant.
    if found.len() > 1 {
        found.retain(|file| file.parent().is_some_and(|folder| folder.ends_with(package)));
    }
    found.extend(program.places.iter().map(|place| place.join(package).join(&name)));
    found
}

/// Whether no declaration in a program gives a collection of the JDK elements other than Integers: the
/// invariants that come with Evergreen are for Integers.
fn holds_integers(program: &Program, class: &str) -> bool {
    let opening = format!("L{}<", class.replace('.', "/"));
    // A collection that is explored by itself declares nothing about its elements.
    program.classes().iter().filter(|class| !class.name.starts_with("java/")).all(|class| {
        let fields = class.fields.iter().filter_map(|field| field.signature.as_deref());
        let methods = class.methods.iter().filter_map(|method| method.signature.as_deref());
        let own = class.signature.as_deref().into_iter();
        own.chain(fields).chain(methods).all(|signature| {
            signature.split(&*opening).skip(1).all(|rest| {
                let mut arguments = rest;
                while let Some(next) =
                    ["Ljava/lang/Integer;", "*"].iter().find_map(|a| arguments.strip_prefix(a))
                {
                    arguments = next;
                }
                arguments.starts_with('>')
            })
        })
    })
}

/// Checks that scopes are given for classes that there are: of the program, of the JDK, or of an invariant.
///
/// # Errors
/// The first name that is none.
pub fn check_scopes<'s>(
    program: &Program,
    invariants: &[ClassInvariant],
    classes: impl Iterator<Item = &'s str>,
) -> Result<(), ProgramError> {
    for wanted in classes {
        let stated = invariants.iter().filter_map(|known| evergreen_heap::parse(&known.text).ok());
        let is_stated = |known: evergreen_heap::Invariant| {
            known
                .shape
                .classes
                .iter()
                .any(|class| class.name == wanted || class.program_name.as_deref() == Some(wanted))
        };
        let is_there = program.classes().iter().any(|class| is_class(class, wanted))
            || wanted.starts_with("java.")
            || stated.into_iter().any(is_stated);
        if !is_there {
            let names: Vec<String> = program.classes().iter().map(ClassFile::java_name).collect();
            let near =
                nearest(wanted, names.iter().map(|name| name.rsplit(['.', '$']).next().unwrap_or(name)));
            let help = did_you_mean(&near);
            return Err(ProgramError(format!("--scope {wanted}: no class \"{wanted}\"{help}")));
        }
    }
    Ok(())
}
