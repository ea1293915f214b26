//! What is to be explored: sources, class files, jars and folders become a class path, its classes and their
//! methods.

use crate::compile::{compile, missing_api};
use crate::javadoc::{Documented, documented};
use crate::{Java, ProgramError};
use evergreen_classfile::{ClassFile, ClassPath, Jdk, Method, MethodDescriptor, Type, access, read};
use evergreen_heap::diagnostic::nearest;
use evergreen_replay::Target as Tested;
use std::cell::OnceCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

pub(crate) fn trouble(place: &Path, what: impl fmt::Display) -> ProgramError {
    ProgramError(format!("{}: {what}", place.display()))
}

/// A program: where its classes are found, and which of them are to be explored.
pub struct Program {
    /// Folders and jars of the program, in order.
    pub places: Vec<PathBuf>,
    /// The installed JDK's folder.
    pub jdk_home: PathBuf,
    /// Its version.
    pub jdk_version: String,
    class_path: Option<ClassPath>,
    classes: Vec<ClassFile>,
    /// The sources among the targets.
    pub(crate) sources: Vec<PathBuf>,
    /// What the doc comments of sources name, read when it is first asked for.
    documented: OnceCell<Vec<(String, Documented)>>,
    /// The folder that sources were compiled into; deleted on drop.
    _scratch: Option<TempDir>,
}

/// A program that was opened, as data.
#[derive(Clone, Debug)]
pub struct Opened {
    places: Vec<PathBuf>,
    names: Vec<String>,
    sources: Vec<PathBuf>,
    jdk_home: PathBuf,
}

impl Opened {
    /// The internal names of the classes that are to be explored.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Opens it once more.
    pub fn open(&self) -> Result<Program, ProgramError> {
        let jdk = Jdk::open(&self.jdk_home).map_err(|e| ProgramError(e.to_string()))?;
        Program::with_places(self.places.clone(), self.names.clone(), self.sources.clone(), jdk, None)
    }
}

/// A method that can be explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodRef {
    /// Internal name of its class.
    pub class: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// Whether it has no receiver.
    pub is_static: bool,
    /// Names and types of its parameters: as in the source where the class file has the names, else `p0`,
    /// `p1`.
    pub parameters: Vec<(Arc<str>, Type)>,
}

impl fmt::Display for MethodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types: Vec<String> = self.parameters.iter().map(|(_, of)| of.to_java()).collect();
        write!(f, "{}.{}({})", self.class.replace('/', "."), self.name, types.join(", "))
    }
}

impl MethodRef {
    fn new(class: &ClassFile, method: &Method) -> Option<MethodRef> {
        let descriptor = MethodDescriptor::parse(&method.descriptor).ok()?;
        let is_static = method.is_static();
        let mut slot = u16::from(!is_static);
        let mut parameters = Vec::with_capacity(descriptor.parameters.len());
        for (i, of) in descriptor.parameters.into_iter().enumerate() {
            let variable = method.code.as_ref().and_then(|code| code.variable(slot, 0));
            let declared = method.parameters.get(i).and_then(|p| p.name.clone());
            let name = variable.map(|v| v.name.clone()).or(declared);
            slot += of.slots();
            parameters.push((name.unwrap_or_else(|| format!("p{i}").into()), of));
        }
        let (class, name) = (class.name.clone(), method.name.clone());
        Some(MethodRef { class, name, descriptor: method.descriptor.clone(), is_static, parameters })
    }

    /// Whether it is where a program begins.
    pub fn is_main(&self) -> bool {
        &*self.name == "main" && &*self.descriptor == "([Ljava/lang/String;)V"
    }

    /// As `--method` takes it, without the class: `name(II)I`.
    pub fn signature(&self) -> String {
        format!("{}{}", self.name, self.descriptor)
    }
}

impl Program {
    /// Opens targets: `.java` files, which are compiled with the JDK's `javac`, `.class` files, jars, and
    /// folders of class files or, where there are none, of sources; or classes by their names, such as
    /// `java.util.TreeMap`. `class_path` is searched after them, as `java -cp` has it.
    pub fn open(targets: &[PathBuf], class_path: Option<&str>, jdk: Jdk) -> Result<Program, ProgramError> {
        let mut places: Vec<PathBuf> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut sources: Vec<PathBuf> = Vec::new();
        for target in targets {
            match kind_of(target)? {
                Target::Source => sources.push(target.clone()),
                Target::Name(name) => names.push(name),
                Target::Class => {
                    let (root, name) = root_of(target)?;
                    add_once(&mut places, root);
                    names.push(name);
                }
                Target::Place => {
                    let mut alone = ClassPath::new();
                    alone.add(target).map_err(|e| ProgramError(e.to_string()))?;
                    let found = alone.classes().map_err(|e| ProgramError(e.to_string()))?;
                    if !found.is_empty() {
                        names.extend(found);
                        add_once(&mut places, target.clone());
                        continue;
                    }
                    let inside = sources_in(target)?;
                    if inside.is_empty() {
                        return Err(trouble(
                            target,
                            "no class files and no sources in it\n\
                             help: give a .java file, a .class file, a jar \
                             or the folder where packages begin",
                        ));
                    }
                    sources.extend(inside);
                }
            }
        }
        let mut scratch = None;
        if !sources.is_empty() {
            let compiled = compile(&jdk, &sources, &places, class_path)?;
            names.extend(compiled.classes.iter().cloned());
            add_once(&mut places, compiled.folder);
            scratch = Some(compiled.scratch);
        }
        for path in class_path.into_iter().flat_map(std::env::split_paths) {
            jars_of(path)?.into_iter().for_each(|path| add_once(&mut places, path));
        }
        if sources.is_empty()
            && let Some(api) = missing_api(&jdk, &places, &names)?
        {
            places.insert(0, api.folder);
            scratch = Some(api.scratch);
        }
        Program::with_places(places, names, sources, jdk, scratch)
    }

    /// A program whose classes are in these folders and jars, in order; `classes` are the internal names of
    /// those to be explored.
    pub fn of_places(places: Vec<PathBuf>, classes: Vec<String>, jdk: Jdk) -> Result<Program, ProgramError> {
        Program::with_places(places, classes, Vec::new(), jdk, None)
    }

    fn with_places(
        places: Vec<PathBuf>,
        names: Vec<String>,
        sources: Vec<PathBuf>,
        jdk: Jdk,
        scratch: Option<TempDir>,
    ) -> Result<Program, ProgramError> {
        let (jdk_home, jdk_version) = (jdk.home.clone(), jdk.version.clone());
        let mut class_path = ClassPath::new();
        class_path.set_jdk(jdk);
        for place in &places {
            class_path.add(place).map_err(|e| ProgramError(e.to_string()))?;
        }
        let mut classes = Vec::with_capacity(names.len());
        for name in
            names.iter().filter(|name| !name.ends_with("module-info") && !name.ends_with("package-info"))
        {
            let found = class_path.find(name).map_err(|e| ProgramError(e.to_string()))?;
            let found = found.ok_or_else(|| {
                let name = name.replace('/', ".");
                ProgramError(format!(
                    "{name}: no such file or folder, and no such class in the JDK or on the class path"
                ))
            })?;
            let class = read(&found.bytes).map_err(|e| ProgramError(format!("class {name}: {e}")))?;
            if *class.name != **name {
                let own = &class.name;
                return Err(ProgramError(format!("class file {name}.class: it holds the class {own}")));
            }
            classes.push(class);
        }
        let class_path = Some(class_path);
        let documented = OnceCell::new();
        Ok(Program {
            places,
            jdk_home,
            jdk_version,
            class_path,
            classes,
            sources,
            documented,
            _scratch: scratch,
        })
    }

    /// What it takes to open the same program once more, on another thread: sources are not compiled again.
    /// The folder that they were compiled into is deleted when this program is dropped.
    pub fn opened(&self) -> Opened {
        Opened {
            places: self.places.clone(),
            names: self.classes.iter().map(|class| class.name.to_string()).collect(),
            sources: self.sources.clone(),
            jdk_home: self.jdk_home.clone(),
        }
    }

    /// The class path, for the machine that runs the program; there is one, so it can be taken once.
    pub fn take_class_path(&mut self) -> Option<ClassPath> {
        self.class_path.take()
    }

    /// The classes that were given to be explored.
    pub fn classes(&self) -> &[ClassFile] {
        &self.classes
    }

    /// The exceptions that the doc comment of a method names, as they are written; none without its source.
    pub(crate) fn documented(&self, method: &MethodRef) -> &[String] {
        let all = self.documented.get_or_init(|| {
            let sources =
                self.sources.iter().filter_map(|path| Some((path, std::fs::read_to_string(path).ok()?)));
            let each = sources.flat_map(|(path, text)| {
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                documented(&text).into_iter().map(move |own| (file.clone(), own))
            });
            each.collect()
        });
        let class = self.classes.iter().find(|class| class.name == method.class);
        let file = class.and_then(|class| class.source_file.as_deref());
        let simple = method.class.rsplit('/').next().unwrap_or(&method.class);
        let name = if &*method.name == "<init>" {
            simple.rsplit('$').next().unwrap_or(simple)
        } else {
            &method.name
        };
        let types: Vec<&Type> = method.parameters.iter().map(|(_, of)| of).collect();
        let is_it = |(own, found): &&(String, Documented)| {
            file == Some(&**own) && found.class == simple && found.name == name && found.takes(&types)
        };
        all.iter().find(is_it).map_or(&[], |(_, found)| &found.throws)
    }

    /// The methods to explore. `wanted` is `[Class.]name[(parameters)]`, with the parameters in the class
    /// file's or in Java's spelling; without it every public method that is worth it. Where no class is
    /// named, the main class of a file comes before the other classes in it.
    pub fn methods(&self, wanted: Option<&str>) -> Result<Vec<MethodRef>, ProgramError> {
        let Some(wanted) = wanted else { return self.public_methods() };
        let (front, parameters) = match wanted.find('(') {
            Some(at) => (&wanted[..at], Some(&wanted[at..])),
            None => (wanted, None),
        };
        let (class, name) = match front.rsplit_once(['.', '#']) {
            Some((class, name)) => (Some(class), name),
            None => (None, front),
        };
        let all = || {
            let pairs = self.classes.iter().flat_map(|c| c.methods.iter().map(move |m| (c, m)));
            pairs.filter(move |(c, m)| {
                &*m.name != "<clinit>" && class.is_none_or(|wanted| is_class(c, wanted))
            })
        };
        let named: Vec<MethodRef> = all()
            .filter(|(_, m)| &*m.name == name && m.code.is_some() && m.access & access::BRIDGE == 0)
            .filter_map(|(c, m)| MethodRef::new(c, m))
            .collect();
        let mut fitting: Vec<MethodRef> =
            named.iter().filter(|m| parameters.is_none_or(|p| has_parameters(m, p))).cloned().collect();
        if class.is_none() {
            fitting = self.of_main_classes(fitting);
        }
        match &fitting[..] {
            [] => Err(self.no_method(wanted, class, name, &named, all().map(|(_, m)| &*m.name).collect())),
            [_] => Ok(fitting),
            several => {
                let list: Vec<String> =
                    several.iter().map(|m| format!("\n  {m}  {}", m.signature())).collect();
                let hint = "say which, with its class and descriptor";
                Err(ProgramError(format!("method \"{wanted}\" is ambiguous:{}\nhelp: {hint}", list.concat())))
            }
        }
    }

    /// The methods without those of nested and secondary classes whose file has a main class, one of the
    /// file's own name, with a method among them, too: `add` of `TreeSet.java` is `TreeSet.add` and not
    /// `TreeSet$Seen.add`.
    fn of_main_classes(&self, methods: Vec<MethodRef>) -> Vec<MethodRef> {
        let main = |method: &MethodRef| -> Option<String> {
            let class = self.classes.iter().find(|class| class.name == method.class)?;
            let stem = class.source_file.as_deref()?.strip_suffix(".java")?;
            let package = class.name.rfind('/').map_or("", |at| &class.name[..=at]);
            Some(format!("{package}{stem}"))
        };
        let candidates: Vec<Arc<str>> = methods.iter().map(|method| method.class.clone()).collect();
        let is_beaten = |method: &MethodRef| {
            main(method)
                .is_some_and(|main| *main != *method.class && candidates.iter().any(|class| **class == *main))
        };
        methods.into_iter().filter(|method| !is_beaten(method)).collect()
    }

    /// The method of a class that was given to be explored, by internal name of the class, name and
    /// descriptor.
    pub fn method(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodRef> {
        let class = self.classes.iter().find(|known| &*known.name == class)?;
        let method = class.method(name, descriptor).filter(|method| method.code.is_some())?;
        MethodRef::new(class, method)
    }

    fn no_method(
        &self,
        wanted: &str,
        class: Option<&str>,
        name: &str,
        named: &[MethodRef],
        mut others: Vec<&str>,
    ) -> ProgramError {
        if let Some(class) = class
            && !self.classes.iter().any(|c| is_class(c, class))
        {
            let names: Vec<String> = self.classes.iter().map(ClassFile::java_name).collect();
            let near = nearest(class, names.iter().map(String::as_str));
            return ProgramError(format!("no class \"{class}\" among the targets{}", did_you_mean(&near)));
        }
        let is_it = |(c, m): &(&ClassFile, &Method)| {
            &*m.name == name && m.code.is_none() && class.is_none_or(|wanted| is_class(c, wanted))
        };
        let mut all = self.classes.iter().flat_map(|c| c.methods.iter().map(move |m| (c, m)));
        if named.is_empty()
            && let Some((class, method)) = all.find(is_it)
        {
            let is_native = method.access & access::NATIVE != 0;
            let what = if is_native { "native" } else { "abstract" };
            let hint = "explore a method that calls it";
            let class = class.java_name();
            return ProgramError(format!("method {class}.{name} is {what}: it has no code\nhelp: {hint}"));
        }
        if !named.is_empty() {
            let list: Vec<String> = named.iter().map(|m| format!("\n  {m}  {}", m.signature())).collect();
            return ProgramError(format!("no method \"{wanted}\"; of that name there are:{}", list.concat()));
        }
        others.retain(|other| !other.starts_with(['<', '$']) && !other.starts_with("lambda$"));
        let near = nearest(name, others.iter().copied());
        if near.is_empty() && !others.is_empty() {
            others.sort_unstable();
            others.dedup();
            others.truncate(12);
            return ProgramError(format!("no method \"{wanted}\"\nhelp: there are {}", others.join(", ")));
        }
        ProgramError(format!("no method \"{wanted}\"{}", did_you_mean(&near)))
    }

    fn public_methods(&self) -> Result<Vec<MethodRef>, ProgramError> {
        let mut found: Vec<MethodRef> = Vec::new();
        for class in self.classes.iter().filter(|class| !is_driver_api(&class.name)) {
            let is_enum = class.access & access::ENUM != 0;
            for method in &class.methods {
                let hidden = access::SYNTHETIC | access::BRIDGE | access::ABSTRACT | access::NATIVE;
                let of_enum = is_enum && matches!(&*method.name, "values" | "valueOf");
                let skipped = method.name.starts_with('<') || of_enum || method.code.is_none();
                if method.access & access::PUBLIC != 0 && method.access & hidden == 0 && !skipped {
                    found.extend(MethodRef::new(class, method));
                }
            }
        }
        // A command line is no input that can be explored; where there is no other method, it runs as it is.
        if !found.iter().all(MethodRef::is_main) {
            found.retain(|m| !m.is_main());
        }
        if found.is_empty() {
            return Err(ProgramError(
                "no public method to explore\nhelp: name one with --method; private ones can be explored too"
                    .into(),
            ));
        }
        Ok(found)
    }
}

/// What a part of a class path stands for: itself if it exists, and for `folder/*` the jars there.
fn jars_of(path: PathBuf) -> Result<Vec<PathBuf>, ProgramError> {
    if path.file_name().is_none_or(|name| name != "*") {
        return Ok(if path.exists() { vec![path] } else { Vec::new() });
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let files = std::fs::read_dir(folder).map_err(|e| trouble(folder, e))?;
    let mut jars: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    jars.retain(|file| file.extension().is_some_and(|e| e.eq_ignore_ascii_case("jar")));
    jars.sort();
    Ok(jars)
}

/// The driver API is compiled beside drivers; it is no part of the program.
pub(crate) fn is_driver_api(name: &str) -> bool {
    let top = name.split('$').next().unwrap_or(name);
    [
        "evergreen/Sym",
        "evergreen/CheckFailed",
        "evergreen/AssumptionViolated",
        "evergreen/Probe",
        "evergreen/Invariant",
        "org/sosy_lab/sv_benchmarks/Verifier",
    ]
    .contains(&top)
}

pub(crate) fn did_you_mean(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        near => format!("\nhelp: did you mean {}?", near.join(" or ")),
    }
}

fn add_once(places: &mut Vec<PathBuf>, place: PathBuf) {
    if !places.contains(&place) {
        places.push(place);
    }
}

/// Whether a class is called so: by its whole name or by the last part of it.
pub(crate) fn is_class(class: &ClassFile, wanted: &str) -> bool {
    let name = class.java_name();
    let simple = name.rsplit(['.', '$']).next().unwrap_or(&name);
    name == wanted || name.replace('$', ".") == wanted || simple == wanted || *class.name == *wanted
}

/// Whether a method has these parameters: `(II)I`, `(II)` or `(int, int)`.
fn has_parameters(method: &MethodRef, wanted: &str) -> bool {
    let wanted: String = wanted.chars().filter(|c| !c.is_whitespace()).collect();
    let own = &method.descriptor[..=method.descriptor.rfind(')').unwrap_or(0)];
    let java: Vec<String> = method.parameters.iter().map(|(_, of)| of.to_java()).collect();
    let simple: Vec<&str> = java.iter().map(|of| of.rsplit('.').next().unwrap_or(of)).collect();
    *method.descriptor == *wanted
        || own == wanted
        || format!("({})", java.join(",")) == wanted
        || format!("({})", simple.join(",")) == wanted
}

enum Target {
    Source,
    Class,
    Place,
    /// The internal name of a class of the JDK or of the class path.
    Name(String),
}

fn kind_of(target: &Path) -> Result<Target, ProgramError> {
    if target.is_dir() {
        return Ok(Target::Place);
    }
    if !target.exists() {
        let text = target.to_string_lossy();
        let is_name = |part: &str| {
            !part.is_empty()
                && !part.starts_with(|first: char| first.is_ascii_digit())
                && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        };
        let is_file = ["java", "class", "jar", "zip", "war"].iter().any(|e| text.ends_with(&format!(".{e}")));
        return match text.contains('.') && !is_file && text.split('.').all(is_name) {
            true => Ok(Target::Name(text.replace('.', "/"))),
            false => Err(trouble(target, "no such file or folder")),
        };
    }
    match target.extension().and_then(|e| e.to_str()) {
        Some("java") => Ok(Target::Source),
        Some("class") => Ok(Target::Class),
        Some("jar" | "zip" | "war") => Ok(Target::Place),
        _ => Err(trouble(target, "not a .java file, a .class file, a jar or a folder of class files")),
    }
}

/// The sources below a folder, sorted; for a jar none. Hidden folders and, beside `src/main`, `src/test` are
/// left out: tests need libraries that the program does not.
pub(crate) fn sources_in(folder: &Path) -> Result<Vec<PathBuf>, ProgramError> {
    let mut found = Vec::new();
    let mut open = if folder.is_dir() { vec![folder.to_path_buf()] } else { Vec::new() };
    while let Some(folder) = open.pop() {
        for file in std::fs::read_dir(&folder).map_err(|e| trouble(&folder, e))? {
            let file = file.map_err(|e| trouble(&folder, e))?;
            let (path, name) = (file.path(), file.file_name());
            let name = name.to_string_lossy();
            let is_test = name == "test" && folder.ends_with("src") && folder.join("main").is_dir();
            // A link to a folder above would never end.
            let is_folder = file.file_type().is_ok_and(|of| of.is_dir());
            if is_folder && !name.starts_with('.') && !is_test {
                open.push(path);
            } else if name.ends_with(".java") && name != "module-info.java" && name != "package-info.java" {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The folder where the packages of a class file begin, and the class's name.
fn root_of(file: &Path) -> Result<(PathBuf, String), ProgramError> {
    let bytes = std::fs::read(file).map_err(|e| trouble(file, e))?;
    let class = read(&bytes).map_err(|e| trouble(file, e))?;
    let mut root = file.with_extension("");
    // From inside of its package, a class file has no folders in its name.
    if root.components().count() <= class.name.matches('/').count() {
        root = std::path::absolute(&root).map_err(|e| trouble(file, e))?;
    }
    for part in class.name.rsplit('/') {
        if root.file_name().is_none_or(|name| name != part) {
            let name = class.java_name();
            return Err(trouble(
                file,
                format!("it holds the class {name}, which belongs into {}.class", class.name),
            ));
        }
        root.pop();
    }
    let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
    Ok((root, class.name.to_string()))
}

impl evergreen_service::Program<Java> for Program {
    fn units(&self) -> Vec<String> {
        self.classes().iter().map(ClassFile::java_name).collect()
    }

    fn has(&self, target: &Tested) -> bool {
        // Other classes do not belong to this program: their suites are left alone.
        let class = self.classes().iter().find(|class| class.java_name() == target.class);
        class.is_none_or(|class| {
            class.method(&target.method, &target.descriptor).is_some_and(|method| method.code.is_some())
        })
    }

    fn entry(&self, target: &Tested) -> Option<MethodRef> {
        let wanted = format!("{}.{}{}", target.class, target.method, target.descriptor);
        let found = self.methods(Some(&wanted)).ok()?;
        found.into_iter().find(|method| method.class.replace('/', ".") == target.class)
    }

    fn target(&self, method: &MethodRef) -> Tested {
        crate::target(self, method)
    }
}
