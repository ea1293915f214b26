//! Flags, environment and configuration file, made into one set of settings.
//!
//! [`KEYS`] is the list of what can be set: the environment is read by it. A value that is one of a few names
//! is a value of its type from the moment it is read, wherever it comes from ([`crate::flags::choice`]).

pub(crate) mod keys;

use crate::flags::{
    Canon, CoreUse, Exploring, Mode, Rungs, Solve, SolvingFlags, Stages, Stores, Strict, Trusted,
};
use evergreen::solver::{Command, Limits};
use evergreen::store::{OpenOptions, SafeStores, Store, default_path, expand, open_layers};
use evergreen::{Cores, EngineOptions, SessionOptions, Trust};
use keys::KEYS;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Milliseconds for one answer of the solver while a program is explored, by default.
const ONE_ANSWER_MS: u64 = 10_000;

/// Everything that can be set, by whatever means.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Settings {
    /// Layers of stores.
    pub store: Vec<String>,
    /// Whether answers are recorded, and whether a miss is allowed.
    pub mode: Option<Mode>,
    /// Whose answers are used without evidence.
    pub trust: Option<Trusted>,
    /// The solver's command line.
    pub solver: Option<String>,
    /// Kept apart by this name.
    pub namespace: Option<String>,
    /// Milliseconds for one answer of the solver.
    pub timeout_ms: Option<u64>,
    /// Megabytes for the solver.
    pub memory_mb: Option<u64>,
    /// Milliseconds for one look-up in a network store.
    pub store_timeout_ms: Option<u64>,
    /// Where statistics are appended.
    pub stats: Option<String>,
    /// Where remarks go.
    pub log: Option<String>,
    /// The canonical form of queries.
    pub canon: Option<Canon>,
    /// The rungs of the reuse ladder that are used.
    pub reuse: Option<Rungs>,
    /// A technique of the papers, exactly.
    pub strict: Option<Strict>,
    /// When cores of scripts are found.
    pub cores: Option<CoreUse>,
    /// Cut queries into parts.
    pub slice: Option<bool>,
    /// Put what one constraint fixes into the others.
    pub propagate: Option<bool>,
    /// Evaluate models.
    pub check: Option<bool>,
    /// Decide linear integer constraints without a solver.
    pub native: Option<bool>,
    /// Try old models on new parts.
    pub models: Option<bool>,
    /// Let rungs that do not pay be tried rarely.
    pub regulate: Option<bool>,
    /// The share of reused answers that is solved again.
    #[serde(deserialize_with = "rate")]
    pub audit: Option<f64>,
    /// Certificates (PEM) to trust for rediss://.
    pub redis_ca: Option<PathBuf>,
    /// Directories of stores that are used although other users own them or can write to them; `*` is every
    /// one.
    pub safe_store: Vec<String>,
    /// Seconds that a JVM stays for the replays of later runs; 0: it ends with its run.
    pub warm_jvm_s: Option<u64>,
}

/// Seconds that a JVM stays where nothing else is set.
const WARM_JVM_S: u64 = 300;

/// The rate of the configuration file, held to what the flag takes.
fn rate<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let rate = f64::deserialize(deserializer)?;
    crate::audit::read_rate(&rate.to_string()).map(Some).map_err(serde::de::Error::custom)
}

fn text(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

impl Settings {
    /// The configuration file, overridden by the environment.
    pub(crate) fn load() -> Result<Settings, String> {
        Settings::from_file()?.with_environment(text)
    }

    /// What the environment sets wins.
    fn with_environment(mut self, value: impl Fn(&str) -> Option<String>) -> Result<Settings, String> {
        for key in &KEYS {
            let Some(variable) = key.variable else { continue };
            if let Some(text) = value(variable) {
                (key.set)(&mut self, &text).map_err(|why| format!("{variable}: {why}"))?;
            }
        }
        Ok(self)
    }

    fn from_file() -> Result<Settings, String> {
        let (path, must_exist) = match text("EVERGREEN_CONFIG") {
            Some(path) => (PathBuf::from(path), true),
            None => {
                let base = text("XDG_CONFIG_HOME").map(PathBuf::from);
                let base = base.or_else(|| text("HOME").map(|h| PathBuf::from(h).join(".config")));
                match base {
                    Some(base) => (base.join("evergreen/config.toml"), false),
                    None => return Ok(Settings::default()),
                }
            }
        };
        match std::fs::read_to_string(&path) {
            Ok(content) => toml::from_str(&content).map_err(|e| format!("{}: {e}", path.display())),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && !must_exist => Ok(Settings::default()),
            Err(e) => Err(format!("{}: {e}", path.display())),
        }
    }

    /// Flags win.
    pub(crate) fn with_flags(self, flags: &Solve) -> Settings {
        let mut settings = self.with_solving(&flags.solving);
        settings.timeout_ms = flags.timeout_ms.or(settings.timeout_ms);
        settings.stats = flags.stats.clone().or(settings.stats);
        settings.log = flags.log.clone().or(settings.log);
        settings
    }

    /// Flags about what answers questions win.
    pub(crate) fn with_solving(self, flags: &SolvingFlags) -> Settings {
        let mut settings = self.with_stores(&flags.stores).with_stages(&flags.stages);
        settings.solver = flags.solver.clone().or(settings.solver);
        settings.memory_mb = flags.memory_mb.or(settings.memory_mb);
        settings.audit = flags.audit.or(settings.audit);
        settings
    }

    /// The settings of an exploration. Unless one is set, an answer of the solver has a deadline: --time
    /// could not end an exploration that waits for one. 0 is no limit.
    pub(crate) fn exploring(
        exploring: &Exploring,
        solving: &SolvingFlags,
        timeout_ms: Option<u64>,
    ) -> Result<Settings, String> {
        let mut settings = Settings::load()?.with_solving(solving);
        let time = u64::try_from(exploring.inputs.bounds.time.as_millis()).unwrap_or(u64::MAX);
        let within_time = if time == 0 { ONE_ANSWER_MS } else { time.min(ONE_ANSWER_MS) };
        let timeout_ms = timeout_ms.or(settings.timeout_ms).unwrap_or(within_time);
        settings.timeout_ms = Some(timeout_ms).filter(|&ms| ms > 0);
        Ok(settings)
    }

    /// Flags of `count` win.
    pub(crate) fn with_count_flags(self, flags: &crate::flags::Count) -> Settings {
        let mut settings = self.with_stores(&flags.stores);
        settings.stats = flags.stats.clone().or(settings.stats);
        settings.reuse = flags.reuse.or(settings.reuse);
        settings
    }

    /// Flags about stores win.
    pub(crate) fn with_stores(mut self, flags: &Stores) -> Settings {
        if !flags.store.is_empty() {
            self.store = flags.store.clone();
        }
        self.mode = flags.mode.or(self.mode);
        self.trust = flags.trust.or(self.trust);
        self.namespace = flags.namespace.clone().or(self.namespace);
        self
    }

    /// Flags about stages win.
    pub(crate) fn with_stages(mut self, flags: &Stages) -> Settings {
        self.canon = flags.canon.or(self.canon);
        self.reuse = flags.reuse.or(self.reuse);
        // A flag that says otherwise wins over a technique from the file.
        let otherwise = flags.canon.is_some() || flags.reuse.is_some();
        self.strict = flags.strict.or(self.strict.filter(|_| !otherwise));
        self.cores = flags.cores.or(self.cores);
        let turned_off = [
            (flags.no_slice, &mut self.slice),
            (flags.no_propagate, &mut self.propagate),
            (flags.no_native, &mut self.native),
            (flags.no_models, &mut self.models),
            (flags.no_regulate, &mut self.regulate),
            (flags.no_check, &mut self.check),
        ];
        for (_, stage) in turned_off.into_iter().filter(|(off, _)| *off) {
            *stage = Some(false);
        }
        self
    }

    fn mode(&self) -> Mode {
        self.mode.unwrap_or(Mode::ReadWrite)
    }

    fn reuse(&self) -> Rungs {
        self.reuse.unwrap_or(Rungs::Full)
    }

    /// Finding cores is for stores that are written to.
    fn cores(&self) -> Cores {
        match (self.cores.unwrap_or(CoreUse::Auto), self.mode()) {
            (CoreUse::Off, _) => Cores::Off,
            (_, Mode::ReadOnly | Mode::RequireHit) => Cores::LookUp,
            (CoreUse::Auto, Mode::ReadWrite) => Cores::Auto,
            (CoreUse::Always, Mode::ReadWrite) => Cores::Always,
        }
    }

    /// Whose answers are used without evidence.
    pub(crate) fn trust(&self) -> Trust {
        self.trust.unwrap_or(Trusted::Local).into()
    }

    /// The store beside which runs are tallied: the first, if it is written to.
    pub(crate) fn tallied(&self) -> Option<String> {
        if self.reuse() == Rungs::None || self.mode() != Mode::ReadWrite {
            return None;
        }
        let first = match self.store.first() {
            Some(first) => first.clone(),
            None => default_path().ok()?.to_string_lossy().into_owned(),
        };
        // Nothing is written into a directory that is not used as a store.
        self.safe().check(&expand(&first)).is_ok().then_some(first)
    }

    /// Directories that are used although other users can write to them.
    pub(crate) fn safe(&self) -> SafeStores {
        SafeStores::read(&self.safe_store)
    }

    /// How long a JVM stays for later runs. A machine that builds and tests should be left without processes.
    pub(crate) fn warm_jvm(&self) -> Option<Duration> {
        let default =
            if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) { 0 } else { WARM_JVM_S };
        Some(self.warm_jvm_s.unwrap_or(default)).filter(|seconds| *seconds > 0).map(Duration::from_secs)
    }

    /// Opens the stores; trouble with one of them is reported and it is left out.
    pub(crate) fn open_store(&self) -> Result<Option<Arc<dyn Store>>, String> {
        if self.reuse() == Rungs::None {
            return Ok(None);
        }
        let specs = match &self.store[..] {
            [] => vec![default_path().map_err(|e| e.to_string())?.to_string_lossy().into_owned()],
            given => given.to_vec(),
        };
        let mut options = OpenOptions {
            mode: match self.mode() {
                Mode::ReadWrite => evergreen::store::Mode::ReadWrite,
                Mode::ReadOnly | Mode::RequireHit => evergreen::store::Mode::ReadOnly,
            },
            redis_ca: self.redis_ca.clone(),
            spread: self.trust().into(),
            safe: self.safe(),
            ..OpenOptions::default()
        };
        if let Some(ms) = self.store_timeout_ms {
            options.timeout = std::time::Duration::from_millis(ms);
        }
        let trouble = Arc::new(|message: &str| crate::say::warn_once(message));
        let layers = open_layers(&specs, &options, trouble).map_err(|e| e.to_string())?;
        Ok(Some(Arc::new(layers)))
    }

    /// Which stages of answering are on.
    pub(crate) fn engine(&self) -> EngineOptions {
        EngineOptions {
            slice: self.slice.unwrap_or(true),
            propagate: self.propagate.unwrap_or(true),
            check: self.check.unwrap_or(true),
            trust: self.trust(),
            canon: self.canon.unwrap_or(Canon::Full).into(),
            reuse: self.reuse().into(),
            strict: self.strict.map(Into::into),
            cores: self.cores(),
            require_hit: self.mode() == Mode::RequireHit,
            namespace: self.namespace.clone().unwrap_or_default(),
            native: self.native.unwrap_or(true),
            models: self.models.unwrap_or(true),
            regulate: self.regulate.unwrap_or(true),
            audit: self.audit.unwrap_or(0.0),
            log: false,
        }
    }

    /// The solver's command: the configured one, else one that is installed, else none.
    pub(crate) fn solver(&self) -> Command {
        self.solver.as_deref().map_or_else(Command::installed, crate::run::command)
    }

    /// Audits solve again what was reused, and strict techniques decide nothing: both take a solver.
    pub(crate) fn check_solver(&self, solver: &Command) -> Result<(), String> {
        if let Some(strict) = self.strict.filter(|_| solver.is_none()) {
            let help = "install z3 or cvc5, or omit --strict";
            let name = evergreen::Technique::from(strict).name();
            return Err(format!(
                "--strict {name} leaves everything to a solver, and there is none\nhelp: {help}"
            ));
        }
        match self.audit {
            Some(rate) if rate > 0.0 && solver.is_none() => {
                let help = "install z3 or cvc5, or omit --audit";
                Err(format!("--audit compares with a solver, and there is none\nhelp: {help}"))
            }
            _ => Ok(()),
        }
    }

    /// What one answer of the solver may use.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time_ms: self.timeout_ms, memory_mb: self.memory_mb }
    }

    /// What a session needs.
    pub(crate) fn session(&self, solver: Command, file: &str) -> Result<SessionOptions, String> {
        Ok(SessionOptions {
            solver,
            limits: self.limits(),
            engine: self.engine(),
            store: self.open_store()?,
            file: file.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::{Cli, Task};
    use clap::{CommandFactory, Parser};

    /// Each key with a value that is no default: as the file has it, as the environment has it, and as flags
    /// have it.
    const VALUES: [(&str, &str, &str); 24] = [
        ("store", "[\"memory:\"]", "memory:"),
        ("mode", "\"READ-only\"", "Read-Only"),
        ("trust", "\"All\"", "ALL"),
        ("solver", "\"cvc5\"", "cvc5"),
        ("namespace", "\"n\"", "n"),
        ("timeout-ms", "5", "5"),
        ("memory-mb", "6", "6"),
        ("store-timeout-ms", "7", "7"),
        ("stats", "\"s\"", "s"),
        ("log", "\"l\"", "l"),
        ("canon", "\"Green\"", "GREEN"),
        ("reuse", "\"NONE\"", "None"),
        ("strict", "\"GreenTrie\"", "GREENTRIE"),
        ("cores", "\"Off\"", "OFF"),
        ("slice", "false", "off"),
        ("propagate", "false", "off"),
        ("check", "false", "off"),
        ("native", "false", "OFF"),
        ("models", "false", "off"),
        ("regulate", "false", "off"),
        ("audit", "0.5", "0.5"),
        ("redis-ca", "\"ca.pem\"", "ca.pem"),
        ("safe-store", "[\"/s\"]", "/s"),
        ("warm-jvm-s", "9", "9"),
    ];

    fn file(text: &str) -> Result<Settings, String> {
        toml::from_str(text).map_err(|e| e.to_string())
    }

    /// Taken apart without `..`: a field that is added has to be named here.
    fn given(settings: &Settings) -> Vec<(&'static str, bool)> {
        let plain = Settings::default();
        macro_rules! fields {
            ($($field:ident),*) => {{
                let Settings { $($field),* } = settings;
                vec![$((stringify!($field), *$field != plain.$field)),*]
            }};
        }
        fields!(
            store,
            mode,
            trust,
            solver,
            namespace,
            timeout_ms,
            memory_mb,
            store_timeout_ms,
            stats,
            log,
            canon,
            reuse,
            strict,
            cores,
            slice,
            propagate,
            check,
            native,
            models,
            regulate,
            audit,
            redis_ca,
            safe_store,
            warm_jvm_s
        )
    }

    #[test]
    fn every_field_is_set_by_the_file_the_environment_and_flags() {
        let text: String = VALUES.iter().map(|(key, value, _)| format!("{key} = {value}\n")).collect();
        let whole = file(&text).expect("settings");
        let fields = given(&whole);
        assert!(fields.iter().all(|(_, is_given)| *is_given), "{fields:?}");
        let names: Vec<String> = fields.iter().map(|(name, _)| name.replace('_', "-")).collect();
        assert_eq!(names, KEYS.map(|key| key.name), "the list of keys is that of the fields");
        for (key, (name, in_file, value)) in KEYS.iter().zip(VALUES) {
            let only = file(&format!("{name} = {in_file}")).expect("settings");
            let mut set = Settings::default();
            (key.set)(&mut set, value).expect("a value");
            assert_eq!(set, only, "{name}");
            let Some(variable) = key.variable else { continue };
            let environment = |asked: &str| (asked == variable).then(|| value.to_string());
            assert_eq!(Settings::default().with_environment(environment), Ok(only), "{variable}");
        }
    }

    #[test]
    fn every_flag_sets_what_its_key_sets() {
        let mut command = Cli::command();
        command.build();
        let solve = command.find_subcommand("solve").expect("a task");
        for (key, (name, in_file, value)) in KEYS.iter().zip(VALUES) {
            let Some(flag) = key.flag else {
                assert!(!solve.get_arguments().any(|arg| arg.get_long() == Some(name)), "--{name} is a flag");
                continue;
            };
            let switch = flag.starts_with("--no-").then(|| flag.to_string());
            let flag = switch.unwrap_or_else(|| format!("{flag}={value}"));
            let Task::Solve(flags) = Cli::try_parse_from(["evergreen", "solve", &flag]).expect("flags").task
            else {
                unreachable!()
            };
            let only = file(&format!("{name} = {in_file}")).expect("settings");
            assert_eq!(Settings::default().with_flags(&flags), only, "{flag}");
        }
    }

    #[test]
    fn a_name_that_is_none_is_refused_with_the_same_words_everywhere() {
        let words = "\"some\" is not one of none, exact, subset, logical, full";
        let flag = Cli::try_parse_from(["evergreen", "solve", "--reuse", "some"]).err().expect("an error");
        assert!(flag.to_string().starts_with(&format!("error: --reuse: {words}\n")), "{flag}");
        let variable = |name: &str| (name == "EVERGREEN_REUSE").then(|| "some".to_string());
        let refused = Settings::default().with_environment(variable);
        assert_eq!(refused, Err(format!("EVERGREEN_REUSE: {words}")));
        let refused = file("reuse = \"some\"").expect_err("an error");
        assert!(refused.contains("reuse") && refused.contains(words), "{refused}");
        assert!(file("audit = 2.0").expect_err("an error").contains("\"2\" is no share between 0 and 1"));
        assert!(file("rouse = \"full\"").expect_err("an error").contains("unknown field `rouse`"));
    }
}
