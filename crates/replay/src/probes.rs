//! Probes in the classes of a class path: one number for every arm of every branch and for every source line.
//!
//! Probed classes are written into an archive in a temporary folder, which comes first on the class path of a
//! replay.
//! Planting happens once; any number of replays, one batch of paths after the other, can use the same probes.

use crate::clean::{self, Uses};
use crate::error::Doing;
use crate::stored::Stored;
use crate::{Hits, ReplayError};
use evergreen_classfile::{Arm, ClassPath, Jdk, Lines, Origin, Probe, ProbeOptions, plant_probes, read};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tempfile::TempDir;

/// Which classes get probes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probed {
    /// All classes of the class path.
    All,
    /// These, by `Class.getName`. Names that are not on the class path are passed over: the
    /// JDK's classes get no probes.
    These(Vec<String>),
}

/// Classes with probes, and what the numbers mean.
pub struct Probes {
    folder: TempDir,
    pub(crate) classes: Vec<ProbedClass>,
    /// From class, method with descriptor, and byte offset of a branch to its arms.
    branches: BTreeMap<(String, String, u32), Vec<(Arm, u32)>>,
    count: u32,
    /// The numbers that are arms.
    arms: Hits,
    /// What each class uses, by internal name.
    uses: BTreeMap<String, Uses>,
}

/// A class with probes.
pub(crate) struct ProbedClass {
    /// As `Class.getName` has it.
    pub(crate) name: String,
    pub(crate) source: Option<String>,
    /// Name and descriptor of each method.
    pub(crate) methods: Vec<String>,
    /// The number of the first probe; the others follow.
    pub(crate) first: u32,
    pub(crate) probes: Vec<Probe>,
    /// Methods without probes, and why.
    pub(crate) left: Vec<(String, String)>,
}

/// The place of a probe number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbePlace<'a> {
    /// The class, as `Class.getName` has it.
    pub class: &'a str,
    /// Name and descriptor of the method: `mid(III)I`.
    pub method: &'a str,
    /// The instruction, arm and line.
    pub probe: Probe,
}

impl Probes {
    /// Plants probes.
    pub fn plant(jdk: &Jdk, class_path: &[PathBuf], which: &Probed) -> Result<Probes, ReplayError> {
        let unreadable = |error| ReplayError::Io {
            doing: "reading the class path".into(),
            error: std::io::Error::other(error),
        };
        let mut path = ClassPath::new();
        path.add_jdk(&jdk.home).map_err(unreadable)?;
        for entry in class_path.iter().filter(|entry| entry.exists()) {
            path.add(entry).map_err(unreadable)?;
        }
        let names: Vec<String> = match which {
            Probed::All => path.classes().map_err(unreadable)?,
            Probed::These(names) => names.iter().map(|name| name.replace('.', "/")).collect(),
        };
        let folder = tempfile::tempdir().doing(|| "making a temporary folder".into())?;
        let mut probes = Probes {
            folder,
            classes: Vec::new(),
            branches: BTreeMap::new(),
            count: 0,
            arms: Hits::default(),
            uses: BTreeMap::new(),
        };
        let mut archive = Stored::default();
        for name in names.iter().filter(|name| !is_driver(name)) {
            // If the class cannot be read, the JVM will refuse it with its own message when it loads it.
            if let Ok(Some(found)) = path.find(name)
                && let Origin::Path(_) = found.origin
            {
                probes.add(name, &found.bytes, &mut archive)?;
            }
        }
        let file = probes.archive();
        std::fs::write(&file, archive.finish()).doing(|| format!("writing '{}'", file.display()))?;
        Ok(probes)
    }

    fn add(&mut self, name: &str, bytes: &[u8], archive: &mut Stored) -> Result<(), ReplayError> {
        let options = ProbeOptions { first: self.count, lines: Lines::Yes, ..ProbeOptions::default() };
        let (Ok(class), Ok(planted)) = (read(bytes), plant_probes(bytes, &options)) else { return Ok(()) };
        self.uses.insert(name.to_string(), Uses::of(&class));
        if !archive.add(&format!("{name}.class"), &planted.bytes) {
            let error = std::io::Error::other("more than 65,534 classes, or 4 GB");
            return Err(ReplayError::Io { doing: "planting probes".into(), error });
        }
        let methods: Vec<String> =
            class.methods.iter().map(|method| format!("{}{}", method.name, method.descriptor)).collect();
        let name = name.replace('/', ".");
        for (number, probe) in (self.count..).zip(&planted.probes) {
            if let Some(method) = methods.get(probe.method as usize)
                && probe.arm != Arm::Line
            {
                let branch = (name.clone(), method.clone(), probe.offset);
                self.arms.insert(number);
                self.branches.entry(branch).or_default().push((probe.arm, number));
            }
        }
        let left = planted
            .left
            .iter()
            .filter_map(|left| Some((methods.get(left.method as usize)?.clone(), left.why.clone())));
        let left = left.collect();
        let source = class.source_file.as_ref().map(|file| file.to_string());
        let first = self.count;
        self.count += planted.probes.len() as u32;
        self.classes.push(ProbedClass { name, source, methods, first, probes: planted.probes, left });
        Ok(())
    }

    /// The archive that must come first on the class path.
    pub(crate) fn archive(&self) -> PathBuf {
        self.folder.path().join("probed.jar")
    }

    /// Whether a JVM that runs these classes can run others after them: see [`clean`].
    pub(crate) fn are_clean<'n>(&self, roots: impl IntoIterator<Item = &'n str>) -> bool {
        clean::is_clean(&self.uses, roots)
    }

    /// How many probes there are: numbers are below this.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The arms of a branch with their numbers; empty if the class or the method has no probes.
    ///
    /// The class is named as `Class.getName` has it, the method with its descriptor, the branch by its byte
    /// offset in the class file without probes.
    pub fn arms(&self, class: &str, method: &str, offset: u32) -> &[(Arm, u32)] {
        self.branches.get(&(class.to_string(), method.to_string(), offset)).map_or(&[], Vec::as_slice)
    }

    /// The place of a probe number.
    pub fn place(&self, number: u32) -> Option<ProbePlace<'_>> {
        let index = self.classes.partition_point(|class| class.first <= number).checked_sub(1)?;
        let class = &self.classes[index];
        let probe = *class.probes.get((number - class.first) as usize)?;
        let method = class.methods.get(probe.method as usize)?;
        Some(ProbePlace { class: &class.name, method, probe })
    }

    /// Whether a number is an arm, not a line.
    pub(crate) fn is_arm(&self, number: u32) -> bool {
        self.arms.contains(number)
    }

    /// A place in words: `Mid.mid(III)I, line 4, offset 2: taken`.
    pub fn describe(&self, number: u32) -> String {
        let Some(place) = self.place(number) else { return format!("probe {number}, which was not planted") };
        let line = place.probe.line.map(|line| format!(", line {line}")).unwrap_or_default();
        format!("{}.{}{line}, offset {}: {}", place.class, place.method, place.probe.offset, place.probe.arm)
    }
}

/// The driver API is no part of the program under test.
pub(crate) fn is_driver(name: &str) -> bool {
    name.strip_prefix("evergreen/").is_some_and(|rest| !rest.contains('/'))
}
