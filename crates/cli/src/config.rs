//! Flags, environment and configuration file, made into one set of settings.

use crate::flags::{Canon, CoreUse, Mode, Rungs, Solve, SolvingFlags, Stages, Stores, Trusted};
use clap::ValueEnum;
use evergreen::solver::{Command, Limits};
use evergreen::store::{OpenOptions, SafeStores, Store, default_path, expand, open_layers};
use evergreen::{Cores, EngineOptions, SessionOptions, Trust};
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that can be set, by whatever means.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// Layers of stores.
    pub store: Vec<String>,
    /// read-write, read-only or require-hit.
    pub mode: Option<String>,
    /// local, all or none.
    pub trust: Option<String>,
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
    /// off, green or full.
    pub canon: Option<String>,
    /// none, exact, subset, logical or full.
    pub reuse: Option<String>,
    /// auto or off.
    pub cores: Option<String>,
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
    pub audit: Option<f64>,
    /// Certificates (PEM) to trust for rediss://.
    pub redis_ca: Option<PathBuf>,
    /// Directories of stores that are used whoever owns them and can write to them; `*` is every one.
    pub safe_store: Vec<String>,
}

fn parse<T: ValueEnum>(what: &str, text: &str) -> Result<T, String> {
    T::from_str(text, true).map_err(|_| {
        let names: Vec<String> = T::value_variants()
            .iter()
            .filter_map(|v| v.to_possible_value().map(|p| p.get_name().to_string()))
            .collect();
        format!("{what}: \"{text}\" is not one of {}", names.join(", "))
    })
}

/// The name of a value, as flags have it.
fn name<T: ValueEnum>(value: &T) -> Option<String> {
    value.to_possible_value().map(|possible| possible.get_name().to_string())
}

fn number(name: &str) -> Result<Option<u64>, String> {
    match std::env::var(name) {
        Ok(text) if !text.is_empty() => {
            text.parse().map(Some).map_err(|_| format!("{name}: \"{text}\" is no number"))
        }
        _ => Ok(None),
    }
}

fn on_off(name: &str) -> Result<Option<bool>, String> {
    match text(name).as_deref() {
        None => Ok(None),
        Some("on" | "1" | "true") => Ok(Some(true)),
        Some("off" | "0" | "false") => Ok(Some(false)),
        Some(other) => Err(format!("{name}: \"{other}\" is not one of on, off")),
    }
}

fn text(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

impl Settings {
    /// The configuration file, overridden by the environment.
    pub fn load() -> Result<Settings, String> {
        let mut settings = Settings::from_file()?;
        if let Some(stores) = text("EVERGREEN_STORE") {
            settings.store =
                stores.split([',', '\n']).map(|s| s.trim().to_string()).filter(|s| !s.is_empty()).collect();
        }
        if let Some(safe) = text("EVERGREEN_SAFE_STORE") {
            settings.safe_store.extend(safe.split([',', '\n']).map(String::from));
        }
        let takes = [
            ("EVERGREEN_MODE", &mut settings.mode),
            ("EVERGREEN_TRUST", &mut settings.trust),
            ("EVERGREEN_SOLVER", &mut settings.solver),
            ("EVERGREEN_NAMESPACE", &mut settings.namespace),
            ("EVERGREEN_STATS", &mut settings.stats),
            ("EVERGREEN_LOG", &mut settings.log),
            ("EVERGREEN_CANON", &mut settings.canon),
            ("EVERGREEN_REUSE", &mut settings.reuse),
            ("EVERGREEN_CORES", &mut settings.cores),
        ];
        for (name, slot) in takes {
            *slot = text(name).or(slot.take());
        }
        settings.native = on_off("EVERGREEN_NATIVE")?.or(settings.native);
        settings.timeout_ms = number("EVERGREEN_TIMEOUT_MS")?.or(settings.timeout_ms);
        settings.memory_mb = number("EVERGREEN_MEMORY_MB")?.or(settings.memory_mb);
        settings.store_timeout_ms = number("EVERGREEN_STORE_TIMEOUT_MS")?.or(settings.store_timeout_ms);
        if let Some(rate) = text("EVERGREEN_AUDIT") {
            let rate = crate::audit::read_rate(&rate).map_err(|e| format!("EVERGREEN_AUDIT: {e}"))?;
            settings.audit = Some(rate);
        }
        if let Some(ca) = text("EVERGREEN_REDIS_CA") {
            settings.redis_ca = Some(ca.into());
        }
        Ok(settings)
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
    pub fn with_flags(self, flags: &Solve) -> Settings {
        let mut settings = self.with_solving(&flags.solving);
        settings.timeout_ms = flags.timeout_ms.or(settings.timeout_ms);
        settings.stats = flags.stats.clone().or(settings.stats);
        settings.log = flags.log.clone().or(settings.log);
        settings
    }

    /// Flags about what answers questions win.
    pub fn with_solving(self, flags: &SolvingFlags) -> Settings {
        let mut settings = self.with_stores(&flags.stores).with_stages(&flags.stages);
        settings.solver = flags.solver.clone().or(settings.solver);
        settings.memory_mb = flags.memory_mb.or(settings.memory_mb);
        settings.audit = flags.audit.or(settings.audit);
        settings
    }

    /// Flags of `count` win.
    pub fn with_count_flags(self, flags: &crate::flags::Count) -> Settings {
        let mut settings = self.with_stores(&flags.stores);
        settings.stats = flags.stats.clone().or(settings.stats);
        if let Some(reuse) = flags.reuse {
            settings.reuse = name(&reuse);
        }
        settings
    }

    /// Flags about stores win.
    pub fn with_stores(mut self, flags: &Stores) -> Settings {
        if !flags.store.is_empty() {
            self.store = flags.store.clone();
        }
        if let Some(mode) = flags.mode {
            self.mode = name(&mode);
        }
        if let Some(trust) = flags.trust {
            self.trust = name(&trust);
        }
        self.namespace = flags.namespace.clone().or(self.namespace);
        self
    }

    /// Flags about stages win.
    pub fn with_stages(mut self, flags: &Stages) -> Settings {
        if let Some(canon) = flags.canon {
            self.canon = name(&canon);
        }
        if let Some(reuse) = flags.reuse {
            self.reuse = name(&reuse);
        }
        if let Some(cores) = flags.cores {
            self.cores = name(&cores);
        }
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

    fn mode(&self) -> Result<Mode, String> {
        self.mode.as_deref().map_or(Ok(Mode::ReadWrite), |m| parse("mode", m))
    }

    /// Finding cores is for stores that are written to.
    fn cores(&self) -> Result<Cores, String> {
        let used = self.cores.as_deref().map_or(Ok(CoreUse::Auto), |c| parse("cores", c))?;
        Ok(match (used, self.mode()?) {
            (CoreUse::Off, _) => Cores::Off,
            (_, Mode::ReadOnly | Mode::RequireHit) => Cores::LookUp,
            (CoreUse::Auto, Mode::ReadWrite) => Cores::Auto,
            (CoreUse::Always, Mode::ReadWrite) => Cores::Always,
        })
    }

    /// The share of reused answers that is solved again. The configuration file is not read by the flag's own parser.
    fn audit(&self) -> Result<f64, String> {
        let rate = self.audit.unwrap_or(0.0);
        crate::audit::read_rate(&rate.to_string()).map_err(|e| format!("audit: {e}"))
    }

    /// Whose answers are used without evidence.
    pub fn trust(&self) -> Result<Trust, String> {
        Ok(self.trust.as_deref().map_or(Ok(Trusted::Local), |t| parse("trust", t))?.into())
    }

    /// The store beside which runs are tallied: the first, if it is written to.
    pub fn tallied(&self) -> Option<String> {
        if self.reuse.as_deref() == Some("none") || self.mode() != Ok(Mode::ReadWrite) {
            return None;
        }
        let first = match self.store.first() {
            Some(first) => first.clone(),
            None => default_path().ok()?.to_string_lossy().into_owned(),
        };
        // Nothing is written into a directory that is not used as a store.
        self.safe().check(&expand(&first)).is_ok().then_some(first)
    }

    /// Directories that are used whoever can write to them.
    pub fn safe(&self) -> SafeStores {
        SafeStores::read(&self.safe_store)
    }

    /// Opens the stores; trouble with one of them is reported and it is left out.
    pub fn open_store(&self) -> Result<Option<Arc<dyn Store>>, String> {
        if self.reuse.as_deref() == Some("none") {
            return Ok(None);
        }
        let specs = match &self.store[..] {
            [] => vec![default_path().map_err(|e| e.to_string())?.to_string_lossy().into_owned()],
            given => given.to_vec(),
        };
        let mut options = OpenOptions {
            mode: match self.mode()? {
                Mode::ReadWrite => evergreen::store::Mode::ReadWrite,
                Mode::ReadOnly | Mode::RequireHit => evergreen::store::Mode::ReadOnly,
            },
            redis_ca: self.redis_ca.clone(),
            spread: self.trust()?.into(),
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
    pub fn engine(&self) -> Result<EngineOptions, String> {
        Ok(EngineOptions {
            slice: self.slice.unwrap_or(true),
            propagate: self.propagate.unwrap_or(true),
            check: self.check.unwrap_or(true),
            trust: self.trust()?,
            canon: self.canon.as_deref().map_or(Ok(Canon::Full), |c| parse("canon", c))?.into(),
            reuse: self.reuse.as_deref().map_or(Ok(Rungs::Full), |r| parse("reuse", r))?.into(),
            cores: self.cores()?,
            require_hit: self.mode()? == Mode::RequireHit,
            namespace: self.namespace.clone().unwrap_or_default(),
            native: self.native.unwrap_or(true),
            models: self.models.unwrap_or(true),
            regulate: self.regulate.unwrap_or(true),
            audit: self.audit()?,
            log: false,
        })
    }

    /// What one answer of the solver may use.
    pub fn limits(&self) -> Limits {
        Limits { time_ms: self.timeout_ms, memory_mb: self.memory_mb }
    }

    /// What a session needs.
    pub fn session(&self, solver: Command, file: &str) -> Result<SessionOptions, String> {
        Ok(SessionOptions {
            solver,
            limits: self.limits(),
            engine: self.engine()?,
            store: self.open_store()?,
            file: file.to_string(),
        })
    }
}
