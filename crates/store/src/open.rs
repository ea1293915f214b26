//! Opening a store by name: a path, an address, or `memory:`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "cloud")]
use crate::Cloud;
#[cfg(feature = "disk")]
use crate::Disk;
#[cfg(feature = "redis")]
use crate::Redis;
use crate::{
    ErrorKind, Layered, Memory, Mode, OnTrouble, Origin, ReadOnly, SafeStores, Spread, Store, StoreError,
};

/// How to open a store.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Whether the store may be written.
    pub mode: Mode,
    /// The bound of a store in memory.
    pub memory_bytes: usize,
    /// The bound of the map in front of a store on disk.
    pub front_bytes: usize,
    /// How long a lookup in a network store may take: to connect, to send, to receive.
    pub timeout: Duration,
    /// How long a flush to a network store may take, and with it the end of the process.
    pub flush_timeout: Duration,
    /// Certificates (PEM) to trust for `rediss://` in place of the system's.
    pub redis_ca: Option<PathBuf>,
    /// Which entries are copied between layers when they are found.
    pub spread: Spread,
    /// Directories that are used even if other users can write to them.
    pub safe: SafeStores,
}

impl Default for OpenOptions {
    fn default() -> OpenOptions {
        OpenOptions {
            mode: Mode::ReadWrite,
            memory_bytes: 256 << 20,
            front_bytes: 64 << 20,
            timeout: Duration::from_millis(250),
            flush_timeout: Duration::from_secs(2),
            redis_ca: None,
            spread: Spread::Local,
            safe: SafeStores::default(),
        }
    }
}

/// The way out where a name is not understood.
const KINDS: &str = "use memory:, a directory, redis://, rediss://, redis+unix://, s3://, gs://, azblob://, \
                     https://, http:// or ghac://";

/// Opens `memory:`, a directory, `redis://…`, `rediss://…` (TLS), `redis+unix://…`, or object storage:
/// `s3://…`, `gs://…`, `azblob://…`, `http://…`, `https://…`, `ghac://…`.
pub fn open(spec: &str, options: &OpenOptions) -> Result<Arc<dyn Store>, StoreError> {
    let store: Arc<dyn Store> = match spec.split_once("://") {
        _ if spec == "memory:" => Arc::new(Memory::new(options.memory_bytes)),
        Some(("redis" | "rediss" | "redis+unix" | "unix" | "valkey" | "valkeys" | "valkey+unix", _)) => {
            open_redis(spec, options)?
        }
        Some(("s3" | "gs" | "gcs" | "azblob" | "http" | "https" | "ghac", _)) => open_cloud(spec, options)?,
        Some((scheme, _)) if !scheme.contains(['/', '.']) => {
            let error =
                StoreError::new(ErrorKind::Spec, "store", format!("no such kind of address '{scheme}://'"));
            return Err(error.help(KINDS));
        }
        _ if spec.is_empty() => {
            let error = StoreError::new(ErrorKind::Spec, "store", "the name is empty");
            return Err(error.help(KINDS));
        }
        _ if SCHEMES.iter().any(|scheme| spec.starts_with(scheme)) => {
            let error =
                StoreError::new(ErrorKind::Spec, "store", "an address has two slashes behind its colon");
            return Err(error.help("write redis://HOST, or ./NAME for a folder whose name has a colon"));
        }
        _ if spec == "memory" => {
            let error =
                StoreError::new(ErrorKind::Spec, "store", "is \"memory\" the store in memory, or a folder?");
            return Err(error.help("the store in memory is memory: and a folder of that name ./memory"));
        }
        _ if spec == "none" => {
            let error = StoreError::new(ErrorKind::Spec, "store", "is \"none\" no store, or a folder?");
            return Err(error.help("memory: keeps nothing after the end; a folder of that name is ./none"));
        }
        _ => open_disk(spec, options)?,
    };
    Ok(match options.mode {
        Mode::ReadWrite => store,
        Mode::ReadOnly => Arc::new(ReadOnly::new(store)),
    })
}

/// Starts of addresses. A text that begins with one and is no address was meant as one, and not as the name
/// of a folder.
const SCHEMES: [&str; 6] = ["redis:", "rediss:", "redis+unix:", "s3:", "http:", "https:"];

#[cfg(feature = "disk")]
fn open_disk(spec: &str, options: &OpenOptions) -> Result<Arc<dyn Store>, StoreError> {
    let (path, front, safe) = (expand(spec), options.front_bytes, &options.safe);
    Ok(Arc::new(match options.mode {
        Mode::ReadOnly => Disk::open_read_only_among(&path, front, safe)?,
        Mode::ReadWrite => Disk::open_among(&path, front, safe)?,
    }))
}

#[cfg(not(feature = "disk"))]
fn open_disk(spec: &str, _: &OpenOptions) -> Result<Arc<dyn Store>, StoreError> {
    Err(left_out(spec, "stores on disk", "disk"))
}

#[cfg(feature = "redis")]
fn open_redis(spec: &str, options: &OpenOptions) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(Redis::open(spec, options)?))
}

#[cfg(not(feature = "redis"))]
fn open_redis(spec: &str, _: &OpenOptions) -> Result<Arc<dyn Store>, StoreError> {
    // Not the whole address: it may have a password.
    let scheme = spec.split_once("://").map_or(spec, |(scheme, _)| scheme);
    Err(left_out(&format!("{scheme}://"), "Redis client", "redis"))
}

#[cfg(feature = "cloud")]
fn open_cloud(spec: &str, options: &OpenOptions) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(Cloud::open(spec, options)?))
}

#[cfg(not(feature = "cloud"))]
fn open_cloud(spec: &str, _: &OpenOptions) -> Result<Arc<dyn Store>, StoreError> {
    // Not the whole address: it may have a password.
    let scheme = spec.split_once("://").map_or(spec, |(scheme, _)| scheme);
    Err(left_out(&format!("{scheme}://"), "object storage", "cloud"))
}

/// A store whose code is not part of this build.
#[allow(dead_code)]
pub(crate) fn left_out(place: &str, what: &str, feature: &str) -> StoreError {
    let error = StoreError::new(ErrorKind::Spec, place, format!("this build has no {what}"));
    error.help(format!("enable the feature \"{feature}\""))
}

/// Opens several stores as layers, in order. One that cannot be opened is reported and left out, one that
/// cannot be written is reported and only read; only a name that is not understood is an error. Where all are
/// on a network and networks are not trusted, a store in memory comes first.
pub fn open_layers(
    specs: &[impl AsRef<str>],
    options: &OpenOptions,
    on_trouble: OnTrouble,
) -> Result<Layered, StoreError> {
    let mut layers = Vec::new();
    for spec in specs {
        match open(spec.as_ref(), options) {
            Ok(store) => layers.push(store),
            Err(error) if error.kind() == ErrorKind::Spec => return Err(error),
            Err(error) if error.kind() == ErrorKind::Unwritable => {
                let reading = OpenOptions { mode: Mode::ReadOnly, ..options.clone() };
                match open(spec.as_ref(), &reading) {
                    Ok(store) => {
                        on_trouble(&error.remark("; it is looked up, and nothing is recorded").to_string());
                        layers.push(store);
                    }
                    Err(error) => on_trouble(&error.to_string()),
                }
            }
            Err(error) => on_trouble(&error.to_string()),
        }
    }
    let only_networks = layers.iter().all(|layer| layer.origin() == Origin::Network);
    if only_networks
        && !layers.is_empty()
        && options.spread == Spread::Local
        && options.mode == Mode::ReadWrite
    {
        // This process trusts its own puts when it looks them up again.
        layers.insert(0, Arc::new(Memory::new(options.memory_bytes)));
    }
    Ok(Layered::new(layers, on_trouble).spreading(options.spread))
}

/// The path of a name: `~/` at the start is for names from configuration files that no shell has seen.
pub fn expand(spec: &str) -> PathBuf {
    match (spec.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(spec),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(spec: &str) -> String {
        match open(spec, &OpenOptions::default()) {
            Ok(store) => panic!("'{spec}' opened as {}", store.describe()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn names_that_are_not_understood_say_what_is() {
        let help = format!("\nhelp: {KINDS}");
        assert_eq!(failure("ftp://x"), format!("store: no such kind of address 'ftp://'{help}"));
        assert_eq!(failure(""), format!("store: the name is empty{help}"));
        // Without the colon it would quietly be a folder.
        let (asked, help) =
            ("is \"memory\" the store in memory, or a folder?", "the store in memory is memory: and");
        assert_eq!(failure("memory"), format!("store: {asked}\nhelp: {help} a folder of that name ./memory"));
        let help = "memory: keeps nothing after the end; a folder of that name is ./none";
        assert_eq!(failure("none"), format!("store: is \"none\" no store, or a folder?\nhelp: {help}"));
        let bad = failure("redis://user:secret@host/notanumber");
        assert!(bad.starts_with("redis://host/notanumber: not a Redis address: "), "{bad}");
        assert!(!bad.contains("secret"), "{bad}");
    }

    #[test]
    fn descriptions_hide_passwords() {
        let describe = |spec: &str| open(spec, &OpenOptions::default()).unwrap().describe();
        assert_eq!(describe("redis://u:secret@example.org:1234/2"), "redis redis://example.org:1234/2");
        assert_eq!(describe("rediss://:secret@example.org"), "redis rediss://example.org:6379/0");
        assert_eq!(describe("unix:///run/r.sock?pass=secret"), "redis redis+unix:///run/r.sock");
        assert_eq!(describe("redis+unix:///run/r.sock?db=3"), "redis redis+unix:///run/r.sock?db=3");
        assert_eq!(describe("memory:"), "memory");
    }

    #[cfg(not(feature = "cloud"))]
    #[test]
    fn a_build_without_object_storage_names_the_feature() {
        let text = "this build has no object storage\nhelp: enable the feature \"cloud\"";
        for scheme in ["s3", "gs", "gcs", "azblob", "http", "https", "ghac"] {
            assert_eq!(failure(&format!("{scheme}://u:secret@b/p")), format!("{scheme}://: {text}"));
        }
    }

    #[cfg(feature = "cloud")]
    #[test]
    fn object_storage_is_described_without_credentials() {
        let describe = |spec: &str| open(spec, &OpenOptions::default()).unwrap().describe();
        assert_eq!(describe("s3://bucket/prefix"), "packs s3://bucket/prefix");
        assert_eq!(describe("https://u:secret@example.org/dav"), "packs https://example.org/dav");
        let bad = failure("s3://b/p?secret");
        assert!(bad.starts_with("s3://: ") && !bad.contains("secret"), "{bad}");
    }
}
