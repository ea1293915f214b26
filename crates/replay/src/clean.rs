//! Programs that leave a JVM as they found it, and see nothing of who ran before them.
//!
//! Class loaders keep the static state of programs apart, not that of the JDK: a default locale, system
//! properties, loggers, threads. A program is clean if its classes, and all classes of the class path that
//! they name, use only what is listed here: classes of the JDK without state that others see, and some
//! methods of those that have it. What is not listed is not clean, reflection above all. Nor is a class
//! that cannot be read.

use evergreen_classfile::{ClassFile, Constant, Entry, Member};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Classes whose methods change nothing that lasts.
const CLASSES: [&str; 39] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/CharSequence",
    "java/lang/Comparable",
    "java/lang/Iterable",
    "java/lang/Cloneable",
    "java/lang/AutoCloseable",
    "java/lang/Runnable",
    "java/lang/Enum",
    "java/lang/Record",
    "java/lang/Number",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
    "java/lang/Void",
    "java/lang/Math",
    "java/lang/StrictMath",
    "java/lang/Throwable",
    "java/lang/Override",
    "java/lang/Deprecated",
    "java/lang/FunctionalInterface",
    "java/lang/SafeVarargs",
    "java/lang/invoke/LambdaMetafactory",
    "java/lang/invoke/StringConcatFactory",
    "java/lang/runtime/ObjectMethods",
    "java/lang/runtime/SwitchBootstraps",
    "java/io/PrintStream",
    "java/io/Serializable",
    "java/io/Closeable",
    "java/io/IOException",
    "java/io/UncheckedIOException",
    "java/io/NotSerializableException",
];

/// Packages all of whose classes are such, but for those below.
const PACKAGES: [&str; 7] = [
    "java/math/",
    "java/time/",
    "java/util/",
    "java/util/function/",
    "java/util/regex/",
    "java/util/stream/",
    "java/util/concurrent/atomic/",
];

/// Classes of these packages that are not: threads, defaults, files, whatever is looked up by name.
const EXCEPTIONS: [&str; 10] = [
    "java/util/Timer",
    "java/util/TimerTask",
    "java/util/TimeZone",
    "java/util/SimpleTimeZone",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "java/util/Scanner",
    "java/util/Formatter",
    "java/util/Properties",
    "java/util/Locale",
];

/// Members of classes with state that do not touch it.
const MEMBERS: [(&str, &[&str]); 4] = [
    ("java/lang/Class", &["desiredAssertionStatus", "getName", "getSimpleName", "isInstance", "cast"]),
    (
        "java/lang/System",
        &["out", "err", "arraycopy", "currentTimeMillis", "nanoTime", "identityHashCode", "lineSeparator"],
    ),
    ("java/util/Locale", &["ROOT", "ENGLISH", "US", "UK", "GERMAN", "FRENCH"]),
    // Every class with a lambda names them, for the JVM.
    ("java/lang/invoke/MethodHandles$Lookup", &[]),
];

/// Methods of listed classes that read properties. Those that start threads begin with `parallel`.
const METHODS: [&str; 3] = ["getInteger", "getLong", "getBoolean"];

/// What a class uses.
#[derive(Clone, Debug)]
pub(crate) struct Uses {
    /// Whether what it uses of the JDK is listed.
    is_clean: bool,
    /// The other classes, by internal name.
    others: Vec<Arc<str>>,
}

impl Uses {
    pub(crate) fn of(class: &ClassFile) -> Uses {
        let mut uses = Uses { is_clean: true, others: Vec::new() };
        let (mut named, mut members) = (BTreeSet::new(), Vec::new());
        for (index, entry) in class.pool.entries().iter().enumerate() {
            let index = index as u16;
            match entry {
                Entry::Class(_) => drop(class.pool.class(index).map(|name| named.insert(name.clone()))),
                Entry::Member(..) => members.extend(class.pool.member(index)),
                Entry::MethodHandle(..) => {
                    if let Ok(Constant::MethodHandle { member, .. }) = class.pool.constant(index) {
                        members.push(member);
                    }
                }
                _ => {}
            }
        }
        let is_native = |access: u16| access & evergreen_classfile::access::NATIVE != 0;
        uses.is_clean = !class.methods.iter().any(|method| is_native(method.access));
        named.extend(class.super_name.iter().cloned().chain(class.interfaces.iter().cloned()));
        for name in named {
            uses.class(&name);
        }
        members.iter().for_each(|member| uses.member(member));
        uses
    }

    fn class(&mut self, name: &Arc<str>) {
        let name = match name.strip_prefix('[') {
            None => name.clone(),
            Some(rest) => match rest.trim_start_matches('[').strip_prefix('L') {
                Some(element) => element.trim_end_matches(';').into(),
                None => return,
            },
        };
        match is_of_jdk(&name) {
            true => self.is_clean &= is_listed(&name) || members_of(&name).is_some(),
            false => self.others.push(name),
        }
    }

    fn member(&mut self, member: &Member) {
        if !is_of_jdk(&member.class) || member.class.starts_with('[') {
            return;
        }
        let name = &*member.name;
        self.is_clean &= match members_of(&member.class) {
            Some(members) => members.contains(&name),
            None => is_listed(&member.class) && !METHODS.contains(&name) && !name.starts_with("parallel"),
        };
    }
}

fn is_of_jdk(name: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/", "com/sun/"].iter().any(|prefix| name.starts_with(prefix))
}

fn is_listed(name: &str) -> bool {
    let outer = name.split('$').next().unwrap_or(name);
    if CLASSES.contains(&outer) {
        return true;
    }
    let Some((package, simple)) = outer.rsplit_once('/') else { return false };
    if package == "java/lang" {
        // They carry a text and a cause.
        return simple.ends_with("Exception") || simple.ends_with("Error");
    }
    let is_package = PACKAGES.iter().any(|of| of.strip_suffix('/') == Some(package));
    is_package && !EXCEPTIONS.contains(&outer)
}

fn members_of(name: &str) -> Option<&'static [&'static str]> {
    if name == "java/lang/invoke/MethodHandles" {
        return Some(&[]);
    }
    MEMBERS.iter().find(|(class, _)| *class == name).map(|(_, members)| *members)
}

/// Whether these classes and all that they name are clean. Names are internal ones.
pub(crate) fn is_clean<'n>(known: &BTreeMap<String, Uses>, roots: impl IntoIterator<Item = &'n str>) -> bool {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<String> = roots.into_iter().map(str::to_string).collect();
    while let Some(name) = open.pop() {
        if crate::probes::is_driver(&name) || seen.contains(&name) {
            continue;
        }
        match known.get(&name) {
            Some(uses) if uses.is_clean => open.extend(uses.others.iter().map(|name| name.to_string())),
            None if is_of_jdk(&name) && is_listed(&name) => {}
            _ => return false,
        }
        seen.insert(name);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_that_others_see_is_not_listed() {
        for name in ["java/util/HashMap$Node", "java/lang/ArithmeticException", "java/util/function/Function"]
        {
            assert!(is_listed(name), "{name}");
        }
        let with_state = [
            "java/lang/Thread",
            "java/lang/Runtime",
            "java/lang/ThreadLocal",
            "java/lang/reflect/Method",
            "java/util/Timer",
            "java/util/Locale$Builder",
            "java/util/logging/Logger",
            "java/util/concurrent/Executors",
            "java/io/File",
            "java/nio/file/Files",
            "java/net/URL",
            "java/lang/System",
        ];
        for name in with_state {
            assert!(!is_listed(name), "{name}");
        }
        assert_eq!(
            members_of("java/lang/System").map(|members| members.contains(&"setProperty")),
            Some(false)
        );
        assert_eq!(
            members_of("java/util/Locale").map(|members| members.contains(&"setDefault")),
            Some(false)
        );
    }

    #[test]
    fn what_is_named_counts_as_used() {
        let uses = |is_clean, others: &[&str]| Uses {
            is_clean,
            others: others.iter().map(|name| Arc::from(*name)).collect(),
        };
        let known = BTreeMap::from([
            ("A".to_string(), uses(true, &["B", "evergreen/Sym"])),
            ("B".to_string(), uses(true, &["A"])),
            ("C".to_string(), uses(true, &["A", "D"])),
            ("D".to_string(), uses(false, &[])),
            ("E".to_string(), uses(true, &["missing/Class"])),
        ]);
        let clean: Vec<bool> =
            ["A", "C", "E", "java/util/TreeMap"].map(|root| is_clean(&known, [root])).to_vec();
        assert_eq!(clean, [true, false, false, true]);
    }
}
