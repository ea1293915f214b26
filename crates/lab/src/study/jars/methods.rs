//! The public methods of a jar, in an order that looks random and is the same on each run.

use evergreen_java::classfile::{ClassFile, Type, access, find_jdk};
use evergreen_java::{MethodRef, Program};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A method that a study may explore.
pub(super) struct Sampled {
    pub jar: PathBuf,
    pub method: MethodRef,
    /// Whether its parameters are primitives, strings, and arrays of these.
    pub is_simple: bool,
}

impl Sampled {
    /// Its name beside all others: `guava:com.google.common.math.IntMath.gcd(II)I`.
    pub(super) fn key(&self) -> String {
        format!("{}:{}", name_of(&self.jar), self.path())
    }

    /// As `--method` takes it.
    pub(super) fn path(&self) -> String {
        format!("{}.{}", self.method.class.replace('/', "."), self.method.signature())
    }
}

/// A jar's name: `guava` of `.tools/jars/guava.jar`.
pub(super) fn name_of(jar: &Path) -> String {
    jar.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// All public methods of public classes that have code of their own. The order is that of a hash of the
/// names: the first so many are a sample, and a larger sample has a smaller one in it.
pub(super) fn of_jar(jar: &Path) -> Result<Vec<Sampled>, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(&[jar.to_path_buf()], None, jdk).map_err(|e| e.to_string())?;
    let methods = program.methods(None).map_err(|e| e.to_string())?;
    let classes: BTreeMap<&str, &ClassFile> =
        program.classes().iter().map(|class| (&*class.name, class)).collect();
    let public = methods.into_iter().filter(|method| is_public(&classes, &method.class));
    let sampled = public.map(|method| {
        let is_simple = method.parameters.iter().all(|(_, of)| is_simple(of));
        Sampled { jar: jar.to_path_buf(), method, is_simple }
    });
    let mut all: Vec<Sampled> = sampled.collect();
    all.sort_by_cached_key(|method| (hash(&method.path()), method.path()));
    Ok(all)
}

/// Whether programs of others see a class: it and all around it are public.
fn is_public(classes: &BTreeMap<&str, &ClassFile>, name: &str) -> bool {
    let Some(class) = classes.get(name) else { return false };
    match class.inner_classes.iter().find(|inner| *inner.inner == *name) {
        None => class.access & access::PUBLIC != 0,
        Some(inner) => {
            let outer = inner.outer.as_deref().filter(|_| inner.access & access::PUBLIC != 0);
            outer.is_some_and(|outer| is_public(classes, outer))
        }
    }
}

fn is_simple(of: &Type) -> bool {
    let text = of.to_string();
    let element = text.trim_start_matches('[');
    !element.starts_with('L') || element == "Ljava/lang/String;"
}

/// FNV-1a with a last mix: the same on every machine and in every version of this program.
fn hash(text: &str) -> u64 {
    let fnv = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (fnv ^ fnv >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
