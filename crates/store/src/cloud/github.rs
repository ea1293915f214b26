//! GitHub's cache of actions: entries that are made once and found by key, version and scope.
//!
//! An entry is reserved, uploaded and finalized; from then on it is found. A lookup gives the entry with the
//! key, or else the newest one whose key begins with it. It looks in the scope of the job first, then in that
//! of the base branch, then in that of the default branch; a job writes its own scope only. Two protocols are
//! there: github.com has the second (calls in JSON, data by signed addresses of Azure's storage), older
//! servers of GitHub's the first.
//!
//! opendal has this service, too. Its requests were not usable here: it passes over an error of the last one,
//! so that an entry counts as written that nobody finds; a broken upload is repeated from the reservation on,
//! which is then refused because of itself; and it uploads by a client of its own, without our time limits.
//! Here each request is repeated by itself, and what is not found afterwards was not written.
//!
//! What a server answers is taken from the public clients and from measurements of others, and tested on an
//! emulator (`crates/testing/src/github.rs`), since there is no server to test with outside a job.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::address::{folder, read_prefix};
use super::objects::{Listed, Naming, Objects, Size, Written};
use super::waiting::{PAUSES, Waiting};
use crate::{ErrorKind, OpenOptions, StoreError};

/// The space of names of this program: a digest, as the service wants it, of its name.
const VERSION: &str = "1ccc5212a30a1256c10c9d20c658c1099cd1a3d437b8a00add1e968bdcf7bd1c";
const CALLS: &str = "twirp/github.actions.results.api.v1.CacheService";
const CACHES: &str = "_apis/artifactcache";
/// Data is uploaded in pieces of this size, so that a broken connection costs one of them.
const PIECE_BYTES: usize = 16 << 20;
/// The longest reply that is not data.
const MAX_REPLY_BYTES: u64 = 64 << 10;
/// The longest key, by the service.
const MAX_KEY_BYTES: usize = 512;
/// What follows the prefix in the longest key: the folder, and a pack or an index.
const MAX_NAME_BYTES: usize = 80;
/// How long a writer waits for an entry that another one has begun, in multiples of the timeout.
const PATIENCE: u32 = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    /// Of servers that companies run.
    First,
    /// Of github.com.
    Second,
}

/// What a job knows of the cache. Not to be shown: the token is a secret.
pub(super) struct Job {
    protocol: Protocol,
    /// Without a slash at the end.
    url: String,
    token: String,
    /// The branch or pull request, which is what the service calls a scope.
    branch: String,
}

impl Job {
    /// From the variables of a job; `None` where there is none.
    pub(super) fn of(variable: impl Fn(&str) -> Option<String>) -> Option<Job> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let (caches, results) = (set("ACTIONS_CACHE_URL"), set("ACTIONS_RESULTS_URL"));
        let is_first = set("GITHUB_SERVER_URL").is_some_and(|url| is_own_server(&url))
            || set("ACTIONS_CACHE_SERVICE_V2").is_none() && caches.is_some();
        let (protocol, url) = match is_first {
            true => (Protocol::First, caches.or(results)?),
            false => (Protocol::Second, results?),
        };
        let url = url.trim_end_matches('/').to_owned();
        let branch = set("GITHUB_REF").unwrap_or_default();
        Some(Job { protocol, url, token: set("ACTIONS_RUNTIME_TOKEN")?, branch })
    }
}

/// Whether this is a server that a company runs: those have the first protocol only.
fn is_own_server(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', ':']).next().unwrap_or_default();
    host != "github.com" && !host.ends_with(".ghe.com") && !host.ends_with(".localhost")
}

/// Why a request gave nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Status(u16),
    Unconnected,
    Broken,
    Misunderstood,
    TooLong,
    TooLate,
    /// It was written, by its replies, and is not there.
    Lost,
}

impl Trouble {
    /// Whether another attempt may do better.
    fn is_passing(self) -> bool {
        matches!(self, Trouble::Status(500 | 502..=504) | Trouble::Unconnected | Trouble::Broken)
    }
}

impl From<reqwest::Error> for Trouble {
    fn from(error: reqwest::Error) -> Trouble {
        match error.is_connect() {
            true => Trouble::Unconnected,
            false => Trouble::Broken,
        }
    }
}

/// Where a reserved entry is uploaded to.
struct Reserved(String);

/// The cache of a job.
pub(super) struct GitHub {
    client: reqwest::Client,
    waiting: Waiting,
    job: Job,
    place: String,
    /// What all keys begin with.
    folder: String,
    /// What keys of indexes end with. Their numbers are those of a scope, so another scope's index of the
    /// same number must not be found in its place.
    scope: String,
    patience: Duration,
}

impl GitHub {
    /// The cache behind `ghac://prefix`.
    pub(super) fn connect(prefix: &str, job: Option<Job>, options: &OpenOptions) -> Result<Self, StoreError> {
        let prefix = read_prefix("ghac", prefix)?;
        let place = format!("ghac://{prefix}");
        let wrong = |message: &str| StoreError::new(ErrorKind::Spec, &place, message);
        if prefix.contains(',') || prefix.len() > MAX_KEY_BYTES - MAX_NAME_BYTES {
            return Err(wrong("the service has no such names").help("write a short prefix without commas"));
        }
        let job = job.ok_or_else(|| {
            let help = "a step has to export ACTIONS_RESULTS_URL and ACTIONS_RUNTIME_TOKEN: see docs/ci.md";
            wrong("this is no job of GitHub's actions").help(help)
        })?;
        let failed = || StoreError::new(ErrorKind::Io, &place, "cannot start an HTTP client");
        let waiting = Waiting::new(options.timeout).ok_or_else(failed)?;
        let client = waiting.client().ok_or_else(failed)?;
        let scope = format!("-{:016x}", xxh3_64(job.branch.as_bytes()));
        let patience = options.timeout * PATIENCE;
        Ok(GitHub { client, waiting, job, folder: folder(&prefix), place, scope, patience })
    }

    /// The key of an object. Servers of others give it back in lower case, so a reader compares without case.
    fn key(&self, name: &str) -> String {
        let scope = if name.starts_with("index-") { &self.scope } else { "" };
        format!("{}{name}{scope}", self.folder)
    }

    /// The result of a request, attempted again after passing trouble.
    async fn attempt<T>(&self, request: impl AsyncFn() -> Result<T, Trouble>) -> Result<T, Trouble> {
        for pause in PAUSES {
            match request().await {
                Err(trouble) if trouble.is_passing() => tokio::time::sleep(pause).await,
                done => return done,
            }
        }
        request().await
    }

    /// A request to the service itself, with the token, and its reply.
    async fn ask(&self, method: Method, path: &str, body: &Value) -> Result<(StatusCode, Value), Trouble> {
        let mut request = self.client.request(method, format!("{}/{path}", self.job.url));
        request = request.bearer_auth(&self.job.token).header(
            "Accept",
            match self.job.protocol {
                Protocol::First => "application/json;api-version=6.0-preview.1",
                Protocol::Second => "application/json",
            },
        );
        if !body.is_null() {
            request = request.header("Content-Type", "application/json").body(body.to_string());
        }
        let reply = request.send().await?;
        let status = reply.status();
        let text = all_of(reply, MAX_REPLY_BYTES).await?;
        match serde_json::from_slice(&text) {
            Ok(value) => Ok((status, value)),
            // Without a body, or an error page of something in between.
            Err(_) if text.is_empty() || !status.is_success() => Ok((status, Value::Null)),
            Err(_) => Err(Trouble::Misunderstood),
        }
    }

    /// A call of the second protocol. One that the service refuses because of what is there is no trouble.
    async fn call(&self, method: &str, body: &Value) -> Result<(StatusCode, Value), Trouble> {
        self.attempt(async || {
            let (status, value) = self.ask(Method::POST, &format!("{CALLS}/{method}"), body).await?;
            match status {
                StatusCode::OK | StatusCode::NOT_FOUND | StatusCode::CONFLICT => Ok((status, value)),
                status => Err(Trouble::Status(status.as_u16())),
            }
        })
        .await
    }

    /// The key of the entry that a lookup gives, and where its data is.
    async fn locate(&self, key: &str) -> Result<Option<(String, String)>, Trouble> {
        let (key_field, url_field, value) = match self.job.protocol {
            Protocol::First => {
                let path = format!("{CACHES}/cache?keys={}&version={VERSION}", escaped(key));
                let found = self.attempt(async || {
                    let (status, value) = self.ask(Method::GET, &path, &Value::Null).await?;
                    match status {
                        StatusCode::OK => Ok(Some(value)),
                        StatusCode::NO_CONTENT | StatusCode::NOT_FOUND => Ok(None),
                        status => Err(Trouble::Status(status.as_u16())),
                    }
                });
                let Some(value) = found.await? else { return Ok(None) };
                ("cacheKey", "archiveLocation", value)
            }
            Protocol::Second => {
                let body = json!({ "key": key, "restore_keys": [], "version": VERSION });
                let (status, value) = self.call("GetCacheEntryDownloadURL", &body).await?;
                if status != StatusCode::OK || value["ok"] != true {
                    return Ok(None);
                }
                ("matched_key", "signed_download_url", value)
            }
        };
        let field = |name: &str| value[name].as_str().map(str::to_owned).ok_or(Trouble::Misunderstood);
        Ok(Some((field(key_field)?, field(url_field)?)))
    }

    /// The data at a signed address; `None` if it was evicted meanwhile.
    async fn fetch(&self, url: &str, most: u64) -> Result<Option<Vec<u8>>, Trouble> {
        self.attempt(async || {
            let reply = self.client.get(url).send().await?;
            match reply.status() {
                StatusCode::OK => all_of(reply, most).await.map(Some),
                StatusCode::NOT_FOUND => Ok(None),
                status => Err(Trouble::Status(status.as_u16())),
            }
        })
        .await
    }

    /// The data of the entry that a lookup gives, if its key is a right one.
    async fn get(
        &self,
        key: &str,
        most: u64,
        is_right: impl Fn(&str) -> bool,
    ) -> Result<Option<(String, Vec<u8>)>, Trouble> {
        match self.locate(key).await? {
            Some((found, url)) if is_right(&found) => {
                Ok(self.fetch(&url, most).await?.map(|bytes| (found, bytes)))
            }
            _ => Ok(None),
        }
    }

    /// Reserves an entry; `None` if it is there or somebody has reserved it.
    async fn reserve(&self, key: &str, bytes: usize) -> Result<Option<Reserved>, Trouble> {
        match self.job.protocol {
            Protocol::First => {
                let body = json!({ "key": key, "version": VERSION, "cacheSize": bytes });
                let reserved = self.attempt(async || {
                    let (status, value) = self.ask(Method::POST, &format!("{CACHES}/caches"), &body).await?;
                    match status {
                        StatusCode::CONFLICT => Ok(None),
                        status if status.is_success() => Ok(value["cacheId"].as_i64().filter(|id| *id > 0)),
                        status => Err(Trouble::Status(status.as_u16())),
                    }
                });
                Ok(reserved.await?.map(|id| Reserved(format!("{CACHES}/caches/{id}"))))
            }
            Protocol::Second => {
                let body = json!({ "key": key, "version": VERSION });
                let (status, value) = self.call("CreateCacheEntry", &body).await?;
                match status {
                    StatusCode::OK if value["ok"] == true => {
                        let url = value["signed_upload_url"].as_str().ok_or(Trouble::Misunderstood)?;
                        Ok(Some(Reserved(url.to_owned())))
                    }
                    StatusCode::OK | StatusCode::CONFLICT => Ok(None),
                    status => Err(Trouble::Status(status.as_u16())),
                }
            }
        }
    }

    async fn upload(&self, to: &Reserved, bytes: &[u8]) -> Result<(), Trouble> {
        let mut blocks = String::new();
        for (number, piece) in bytes.chunks(PIECE_BYTES).enumerate() {
            let start = number * PIECE_BYTES;
            // Digits are base 64, too; names of blocks have one length.
            let block = format!("{number:08}");
            self.put(piece, || match self.job.protocol {
                Protocol::First => {
                    let request = self.client.patch(format!("{}/{}", self.job.url, to.0));
                    let range = format!("bytes {start}-{}/*", start + piece.len() - 1);
                    request.bearer_auth(&self.job.token).header("Content-Range", range)
                }
                Protocol::Second if bytes.len() <= PIECE_BYTES => {
                    self.client.put(&to.0).header("x-ms-blob-type", "BlockBlob")
                }
                Protocol::Second => self.client.put(format!("{}&comp=block&blockid={block}", to.0)),
            })
            .await?;
            blocks.push_str(&format!("<Latest>{block}</Latest>"));
        }
        if self.job.protocol == Protocol::First || bytes.len() <= PIECE_BYTES {
            return Ok(());
        }
        let list = format!("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>{blocks}</BlockList>");
        self.put(list.as_bytes(), || self.client.put(format!("{}&comp=blocklist", to.0))).await
    }

    /// Sends some bytes.
    async fn put(&self, bytes: &[u8], request: impl Fn() -> RequestBuilder) -> Result<(), Trouble> {
        self.attempt(async || {
            let request = request().header("Content-Type", "application/octet-stream").body(bytes.to_vec());
            match request.send().await?.status() {
                status if status.is_success() => Ok(()),
                status => Err(Trouble::Status(status.as_u16())),
            }
        })
        .await
    }

    /// Has an entry be found from now on.
    async fn finish(&self, key: &str, reserved: &Reserved, bytes: usize) -> Result<(), Trouble> {
        match self.job.protocol {
            Protocol::First => {
                self.attempt(async || {
                    let body = json!({ "size": bytes });
                    match self.ask(Method::POST, &reserved.0, &body).await?.0 {
                        status if status.is_success() => Ok(()),
                        status => Err(Trouble::Status(status.as_u16())),
                    }
                })
                .await
            }
            Protocol::Second => {
                let body = json!({ "key": key, "version": VERSION, "size_bytes": bytes.to_string() });
                match self.call("FinalizeCacheEntryUpload", &body).await? {
                    (StatusCode::OK, value) if value["ok"] == true => Ok(()),
                    (StatusCode::OK, _) => Err(Trouble::Lost),
                    (status, _) => Err(Trouble::Status(status.as_u16())),
                }
            }
        }
    }

    async fn make(&self, key: &str, bytes: &[u8]) -> Result<Written, Trouble> {
        let Some(reserved) = self.reserve(key, bytes.len()).await? else { return Ok(Written::Exists) };
        self.upload(&reserved, bytes).await?;
        let Err(trouble) = self.finish(key, &reserved, bytes.len()).await else { return Ok(Written::Done) };
        // The reply may be lost, and not what was done: a second attempt is refused then.
        match self.locate(key).await {
            Ok(Some((found, _))) if found.eq_ignore_ascii_case(key) => Ok(Written::Done),
            _ => Err(trouble),
        }
    }

    fn error(&self, doing: &str, name: &str, trouble: Trouble) -> StoreError {
        let what = match trouble {
            Trouble::Status(status) => format!("status {status}"),
            Trouble::Unconnected => String::from("no connection"),
            Trouble::Broken => String::from("the connection broke"),
            Trouble::Misunderstood => String::from("the reply is not understood"),
            Trouble::TooLong => String::from("it is longer than it may be"),
            Trouble::TooLate => String::from("no answer in time"),
            Trouble::Lost => String::from("the service did not take it"),
        };
        let help = match trouble {
            Trouble::Status(401 | 403) => {
                "check ACTIONS_RUNTIME_TOKEN, and whether the job may write a cache"
            }
            Trouble::Status(429) => "too many entries were made at once; the next run writes what it finds",
            _ => "lookups go on without it",
        };
        let place = format!("{}/{name}", self.place);
        StoreError::new(ErrorKind::Unreachable, place, format!("cannot {doing}: {what}")).help(help)
    }
}

/// The body of a reply, up to a bound.
async fn all_of(mut reply: Response, most: u64) -> Result<Vec<u8>, Trouble> {
    let mut bytes: Vec<u8> = Vec::new();
    while let Some(piece) = reply.chunk().await? {
        if bytes.len() as u64 + piece.len() as u64 > most {
            return Err(Trouble::TooLong);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// Text as it may stand in the query of an address.
fn escaped(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let escape = |byte: u8| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

impl Objects for GitHub {
    fn place(&self) -> String {
        self.place.clone()
    }

    fn naming(&self) -> Naming {
        Naming::Numbered
    }

    fn read(&self, name: &str, most: u64, size: Size) -> Result<Option<Vec<u8>>, StoreError> {
        let key = self.key(name);
        let work = async || self.get(&key, most, |found| found.eq_ignore_ascii_case(&key)).await;
        let read = self.waiting.run(size, work).unwrap_or(Err(Trouble::TooLate));
        let found = read.map_err(|trouble| self.error("read it", name, trouble))?;
        Ok(found.map(|(_, bytes)| bytes))
    }

    fn newest(&self, prefix: &str, most: u64) -> Result<Option<(String, Vec<u8>)>, StoreError> {
        let key = format!("{}{prefix}", self.folder);
        let begins_so =
            |found: &str| found.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(&key));
        let work = async || self.get(&key, most, begins_so).await;
        let read = self.waiting.run(Size::Small, work).unwrap_or(Err(Trouble::TooLate));
        let found = read.map_err(|trouble| self.error("read it", prefix, trouble))?;
        Ok(found.map(|(key, bytes)| (key[self.folder.len()..].to_owned(), bytes)))
    }

    fn write(&self, name: &str, bytes: &[u8], size: Size) -> Result<Written, StoreError> {
        let key = self.key(name);
        let written = self.waiting.run(size, async || self.make(&key, bytes).await);
        written.unwrap_or(Err(Trouble::TooLate)).map_err(|trouble| self.error("write it", name, trouble))
    }

    fn list(&self, _folder: &str) -> Result<Option<Vec<Listed>>, StoreError> {
        Ok(None)
    }

    fn patience(&self) -> Duration {
        self.patience
    }

    /// The service deletes what was not read for a week, and the oldest where there is too much.
    fn delete(&self, _name: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
