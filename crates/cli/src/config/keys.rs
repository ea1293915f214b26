//! The list of what can be set: its name in the configuration file, in the environment and among the flags.
//!
//! The environment is read by this list, the help and the manual page print it, and a test holds it against
//! the fields of [`Settings`].

use super::Settings;
use crate::flags::choice;

/// A key of the configuration file.
pub(crate) struct Key {
    /// Its name in the file.
    pub name: &'static str,
    /// The variable of the environment that sets it; none if there is none.
    pub variable: Option<&'static str>,
    /// The flag that sets it.
    pub flag: Option<&'static str>,
    /// What it sets.
    pub about: &'static str,
    /// Reads a text of the environment.
    pub(super) set: fn(&mut Settings, &str) -> Result<(), String>,
}

/// Everything that can be set. Flags win over the environment, the environment over the file.
pub(crate) const KEYS: [Key; 24] = [
    Key {
        name: "store",
        variable: Some("EVERGREEN_STORE"),
        flag: Some("--store"),
        about: "stores, looked up in order; with commas between",
        set: |s, text| {
            s.store = listed(text);
            Ok(())
        },
    },
    Key {
        name: "mode",
        variable: Some("EVERGREEN_MODE"),
        flag: Some("--mode"),
        about: "read-write, read-only, require-hit",
        set: |s, text| put(&mut s.mode, choice::read(text)),
    },
    Key {
        name: "trust",
        variable: Some("EVERGREEN_TRUST"),
        flag: Some("--trust"),
        about: "stores that need no evidence: local, all, none",
        set: |s, text| put(&mut s.trust, choice::read(text)),
    },
    Key {
        name: "solver",
        variable: Some("EVERGREEN_SOLVER"),
        flag: Some("--solver"),
        about: "the solver: a name, a command line, or none",
        set: |s, text| put(&mut s.solver, Ok(text.into())),
    },
    Key {
        name: "namespace",
        variable: Some("EVERGREEN_NAMESPACE"),
        flag: Some("--namespace"),
        about: "keeps answers apart from other namespaces",
        set: |s, text| put(&mut s.namespace, Ok(text.into())),
    },
    Key {
        name: "timeout-ms",
        variable: Some("EVERGREEN_TIMEOUT_MS"),
        flag: Some("--timeout-ms"),
        about: "milliseconds for one answer of the solver",
        set: |s, text| put(&mut s.timeout_ms, number(text)),
    },
    Key {
        name: "memory-mb",
        variable: Some("EVERGREEN_MEMORY_MB"),
        flag: Some("--memory-mb"),
        about: "megabytes for the solver",
        set: |s, text| put(&mut s.memory_mb, number(text)),
    },
    Key {
        name: "store-timeout-ms",
        variable: Some("EVERGREEN_STORE_TIMEOUT_MS"),
        flag: None,
        about: "milliseconds for a look-up in a network store",
        set: |s, text| put(&mut s.store_timeout_ms, number(text)),
    },
    Key {
        name: "stats",
        variable: Some("EVERGREEN_STATS"),
        flag: Some("--stats"),
        about: "a file for one JSON object about each run",
        set: |s, text| put(&mut s.stats, Ok(text.into())),
    },
    Key {
        name: "log",
        variable: Some("EVERGREEN_LOG"),
        flag: Some("--log"),
        about: "a file for remarks",
        set: |s, text| put(&mut s.log, Ok(text.into())),
    },
    Key {
        name: "canon",
        variable: Some("EVERGREEN_CANON"),
        flag: Some("--canon"),
        about: "the canonical form: off, green, full",
        set: |s, text| put(&mut s.canon, choice::read(text)),
    },
    Key {
        name: "reuse",
        variable: Some("EVERGREEN_REUSE"),
        flag: Some("--reuse"),
        about: "none, exact, subset, logical, full",
        set: |s, text| put(&mut s.reuse, choice::read(text)),
    },
    Key {
        name: "strict",
        variable: Some("EVERGREEN_STRICT"),
        flag: Some("--strict"),
        about: "exactly a technique of the papers: green, klee, greentrie",
        set: |s, text| put(&mut s.strict, choice::read(text)),
    },
    Key {
        name: "cores",
        variable: Some("EVERGREEN_CORES"),
        flag: Some("--cores"),
        about: "when cores of scripts are found: auto, always, off",
        set: |s, text| put(&mut s.cores, choice::read(text)),
    },
    Key {
        name: "slice",
        variable: None,
        flag: Some("--no-slice"),
        about: "cut queries into independent parts",
        set: |s, text| put(&mut s.slice, on_off(text)),
    },
    Key {
        name: "propagate",
        variable: None,
        flag: Some("--no-propagate"),
        about: "put fixed values into the other constraints",
        set: |s, text| put(&mut s.propagate, on_off(text)),
    },
    Key {
        name: "check",
        variable: None,
        flag: Some("--no-check"),
        about: "evaluate models before they are given out",
        set: |s, text| put(&mut s.check, on_off(text)),
    },
    Key {
        name: "native",
        variable: Some("EVERGREEN_NATIVE"),
        flag: Some("--no-native"),
        about: "decide linear integers and bits without a solver: on, off",
        set: |s, text| put(&mut s.native, on_off(text)),
    },
    Key {
        name: "models",
        variable: None,
        flag: Some("--no-models"),
        about: "try old models on new parts",
        set: |s, text| put(&mut s.models, on_off(text)),
    },
    Key {
        name: "regulate",
        variable: None,
        flag: Some("--no-regulate"),
        about: "try rungs rarely that do not pay",
        set: |s, text| put(&mut s.regulate, on_off(text)),
    },
    Key {
        name: "audit",
        variable: Some("EVERGREEN_AUDIT"),
        flag: Some("--audit"),
        about: "the share of reused answers to solve again",
        set: |s, text| put(&mut s.audit, crate::audit::read_rate(text)),
    },
    Key {
        name: "redis-ca",
        variable: Some("EVERGREEN_REDIS_CA"),
        flag: None,
        about: "certificates (PEM) to trust for rediss://",
        set: |s, text| put(&mut s.redis_ca, Ok(text.into())),
    },
    Key {
        name: "safe-store",
        variable: Some("EVERGREEN_SAFE_STORE"),
        flag: None,
        about: "stores that others may write to; * is all",
        set: |s, text| {
            s.safe_store.extend(text.split([',', '\n']).map(String::from));
            Ok(())
        },
    },
    Key {
        name: "warm-jvm-s",
        variable: Some("EVERGREEN_WARM_JVM_S"),
        flag: None,
        about: "seconds that the JVM of replays stays for later runs; 0 is never (as where CI is set)",
        set: |s, text| put(&mut s.warm_jvm_s, number(text)),
    },
];

fn put<T>(slot: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *slot = Some(value?);
    Ok(())
}

fn listed(text: &str) -> Vec<String> {
    text.split([',', '\n']).map(|s| s.trim().to_string()).filter(|s| !s.is_empty()).collect()
}

fn number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("\"{text}\" is no number"))
}

fn on_off(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "on" | "1" | "true" => Ok(true),
        "off" | "0" | "false" => Ok(false),
        _ => Err(format!("\"{text}\" is not one of on, off")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect_file;

    /// docs/settings.md is this list; `UPDATE_EXPECT=1` writes it.
    #[test]
    fn the_page_of_settings_is_the_list() {
        let code = |text: Option<&str>| text.map_or(String::new(), |text| format!("`{text}`"));
        let rows: Vec<Vec<String>> = KEYS
            .iter()
            .map(|key| {
                vec![code(Some(key.name)), code(key.variable), code(key.flag), key.about.replace('|', "\\|")]
            })
            .collect();
        let table = crate::markdown::table(&["key", "variable", "flag", "what it sets"], &rows);
        expect_file!["../../../../docs/settings.md"].assert_eq(&format!(
            "# Settings\n\n\
             A flag wins over a variable of the environment, a variable over the configuration file\n\
             `~/.config/evergreen/config.toml`. Names such as `read-only` mean the same in upper and lower \
             case. This page is\n\
             made from the list in `crates/cli/src/config/keys.rs`; `evergreen --help` and `evergreen man` \
             print it, too.\n\n\
             {table}\n\
             Variables without a key: `EVERGREEN_CONFIG` names another configuration file; \
             `EVERGREEN_OFF=1` makes shims hand\n\
             everything to the real solver; `EVERGREEN_Z3`, `EVERGREEN_CVC5`, `EVERGREEN_YICES_SMT2` and \
             `EVERGREEN_BITWUZLA`\n\
             name the solver behind one shim; `EVERGREEN_TOOLS` names a folder whose `bin` is searched for \
             solvers before `PATH`.\n"
        ));
    }
}
