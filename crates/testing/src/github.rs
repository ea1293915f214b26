//! An emulator of GitHub's cache of actions, for tests: no server of it can be had outside a job.
//!
//! It knows both protocols, as far as an entry is reserved, uploaded, finalized, looked up and read: the
//! calls of the second in JSON, with data under signed addresses as in Azure's storage (Put Blob, Put Block,
//! Put Block List), and the requests of the first. The behaviour is that of public descriptions, not of
//! GitHub's own program: the clients of actions/toolkit, the servers of nektos/act and falcondev-oss, and
//! what philiptaron/gha-cache-fusefs measured on the service in September 2026.
//!
//! - An entry has a key of 1 to 512 characters, a version of 64 and a scope. It is made once: reserving it
//!   again is refused with 409, also if the reservation was never finished. It is found when it is finished.
//! - A lookup takes the scopes of the job in turn, and in each the entry with the key, or else the one that
//!   was finished last of those whose keys begin so.
//! - A finished size must be that of the data, and not 0. Data is read and written by its address alone, and
//!   everything else needs a token.
//! - In the first protocol keys are kept in lower case, as nektos/act does it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

const CALLS: &str = "/twirp/github.actions.results.api.v1.CacheService/";
const CACHES: &str = "/_apis/artifactcache/";
/// The scopes of the jobs that there are.
const MAIN: &str = "refs/heads/main";
const PULL: &str = "refs/pull/7/merge";
/// The longest piece that the first protocol's own client sends.
const MAX_PIECE_BYTES: usize = 32 << 20;

/// A running emulator. It ends with the process of the test; dropping it refuses new connections.
pub struct ActionsCache {
    port: u16,
    shared: Arc<Shared>,
}

/// What a job is allowed.
pub struct Job {
    /// Its token.
    pub token: &'static str,
    /// Its branch, which is the scope that it writes.
    pub branch: &'static str,
    /// The scopes that it reads, in turn.
    reads: &'static [&'static str],
    may_write: bool,
}

/// The jobs that there are.
const JOBS: [Job; 3] = [
    Job { token: "token-of-main", branch: MAIN, reads: &[MAIN], may_write: true },
    Job { token: "token-of-a-pull-request", branch: PULL, reads: &[PULL, MAIN], may_write: true },
    Job { token: "token-of-a-reader", branch: PULL, reads: &[PULL, MAIN], may_write: false },
];

struct Entry {
    scope: &'static str,
    key: String,
    version: String,
    /// What has to follow its address.
    signature: String,
    data: Vec<u8>,
    blocks: BTreeMap<String, Vec<u8>>,
    /// When it was finished, as a number that rises.
    finished: Option<usize>,
}

/// Answers a request (`POST Name key`, `PUT data`) with a status in place of doing it, by its number.
type Refusal = Box<dyn Fn(&str, usize) -> Option<u16> + Send + Sync>;

#[derive(Default)]
struct State {
    entries: Vec<Entry>,
    finished: usize,
    is_ordered_by_reservation: bool,
    log: Vec<String>,
    refusal: Option<Refusal>,
    longest_body: usize,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    ended: AtomicBool,
}

struct Request {
    method: String,
    path: String,
    query: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

struct Reply(u16, Vec<u8>);

impl ActionsCache {
    /// Starts with an empty cache.
    ///
    /// # Panics
    /// If no port can be opened.
    pub fn start() -> ActionsCache {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("bind a loopback port");
        let port = listener.local_addr().expect("the address of a listener").port();
        let shared: Arc<Shared> = Arc::default();
        let listening = shared.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if listening.ended.load(Ordering::SeqCst) {
                    break;
                }
                let shared = listening.clone();
                std::thread::spawn(move || drop(shared.serve(client)));
            }
        });
        ActionsCache { port, shared }
    }

    /// The loopback port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// A job of the default branch.
    pub fn main() -> &'static Job {
        &JOBS[0]
    }

    /// A job of a pull request: it reads what the default branch has, and writes what only it reads.
    pub fn pull_request() -> &'static Job {
        &JOBS[1]
    }

    /// A job of the same pull request that may only read.
    pub fn reader() -> &'static Job {
        &JOBS[2]
    }

    /// The requests since the last call: `POST CreateCacheEntry key`, `PUT data`, `GET data`.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state().log)
    }

    /// The longest body since the last call.
    pub fn longest_body(&self) -> usize {
        std::mem::take(&mut self.state().longest_body)
    }

    /// From now on some requests are answered with a status and not done; the number of a request is that
    /// since [`ActionsCache::requests`].
    pub fn refuse(&self, refusal: impl Fn(&str, usize) -> Option<u16> + Send + Sync + 'static) {
        self.state().refusal = Some(Box::new(refusal));
    }

    /// The keys of a branch that are found, oldest first.
    pub fn keys(&self, job: &Job) -> Vec<String> {
        let state = self.state();
        let mut found: Vec<&Entry> = state.entries.iter().filter(|entry| entry.scope == job.branch).collect();
        found.retain(|entry| entry.finished.is_some());
        found.sort_by_key(|entry| entry.finished);
        found.iter().map(|entry| entry.key.clone()).collect()
    }

    /// The keys that are reserved and not finished.
    pub fn reserved(&self) -> Vec<String> {
        let state = self.state();
        let open = state.entries.iter().filter(|entry| entry.finished.is_none() && !entry.scope.is_empty());
        open.map(|entry| entry.key.clone()).collect()
    }

    /// From now on the newest entry is the one that was reserved last, as on servers of others.
    pub fn order_by_reservation(&self) {
        self.state().is_ordered_by_reservation = true;
    }

    /// Removes the entries whose keys contain a text, as the service does when there is too much.
    pub fn evict(&self, part: &str) -> usize {
        let mut state = self.state();
        let evicted = state.entries.iter_mut().filter(|entry| entry.key.contains(part));
        // Addresses are by number, so it stays, in a scope that no job has.
        evicted.map(|entry| (entry.scope, entry.finished) = ("", None)).count()
    }

    /// Reserves an entry, as a job does that dies then.
    ///
    /// # Panics
    /// If it is there.
    pub fn reserve(&self, job: &Job, key: &str, version: &str) {
        let reserved = self.state().reserve(&json!({ "key": key, "version": version }), job);
        assert!(reserved.is_ok(), "{key} is taken");
    }

    /// Changes the data of the entries whose keys contain a text, as the service never does.
    pub fn damage(&self, part: &str, change: impl Fn(&mut Vec<u8>)) {
        let mut state = self.state();
        state
            .entries
            .iter_mut()
            .filter(|entry| entry.key.contains(part))
            .for_each(|entry| change(&mut entry.data));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }
}

impl Drop for ActionsCache {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        // Wakes the listener, which sees that it ended.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers the requests of one connection, one after the other.
    fn serve(&self, client: TcpStream) -> std::io::Result<()> {
        client.set_nodelay(true)?;
        let mut from = BufReader::new(client.try_clone()?);
        let mut to = client;
        while let Some(request) = Request::read(&mut from)? {
            let Reply(status, body) = self.state().answer(&request);
            let head = format!("HTTP/1.1 {status} -\r\nContent-Length: {}\r\n\r\n", body.len());
            to.write_all(&[head.as_bytes(), &body].concat())?;
        }
        Ok(())
    }
}

impl Request {
    fn read(from: &mut impl BufRead) -> std::io::Result<Option<Request>> {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            if from.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").and_then(|digits| digits.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        from.read_exact(&mut body)?;
        Ok(Some(Request { method, path: path.to_owned(), query: query.to_owned(), headers, body }))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// A value of the query, without its escapes.
    fn value(&self, name: &str) -> Option<String> {
        let mut pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        let text = pairs.find(|(found, _)| *found == name)?.1;
        let mut pieces = text.split('%');
        let mut bytes = pieces.next()?.as_bytes().to_vec();
        for piece in pieces {
            let (digits, rest) = piece.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            bytes.extend(rest.as_bytes());
        }
        String::from_utf8(bytes).ok()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    fn job(&self) -> Option<&'static Job> {
        let token = self.header("authorization").strip_prefix("Bearer ")?;
        JOBS.iter().find(|job| job.token == token)
    }
}

impl State {
    fn answer(&mut self, request: &Request) -> Reply {
        let what = match request.path.strip_prefix(CALLS) {
            Some(call) => format!("{call} {}", text(&request.json(), "key")),
            None => match request.path.strip_prefix(CACHES) {
                Some("cache") => format!("cache {}", request.value("keys").unwrap_or_default()),
                Some("caches") => format!("caches {}", text(&request.json(), "key")),
                Some(_) => String::from("caches"),
                None => String::from("data"),
            },
        };
        let line = format!("{} {what}", request.method);
        self.log.push(line.clone());
        self.longest_body = self.longest_body.max(request.body.len());
        let refused = self.refusal.as_ref().and_then(|refusal| refusal(&line, self.log.len()));
        if let Some(status) = refused {
            return fault(status, "unavailable", "the service is not available");
        }
        if request.path.starts_with("/data/") {
            return self.data(request);
        }
        // The service answers a wrong token with the token's own text in some of its versions.
        let Some(job) = request.job() else {
            let message = format!("no such token: {}", request.header("authorization"));
            return fault(401, "unauthenticated", &message);
        };
        match (request.method.as_str(), request.path.strip_prefix(CALLS), request.path.strip_prefix(CACHES)) {
            ("POST", Some("CreateCacheEntry"), _) => self.create(request, job),
            ("POST", Some("FinalizeCacheEntryUpload"), _) => self.finalize(request, job),
            ("POST", Some("GetCacheEntryDownloadURL"), _) => {
                let body = request.json();
                match self.find(job, &text(&body, "key"), &text(&body, "version")) {
                    None => done(&json!({ "ok": false })),
                    Some(number) => done(&json!({
                        "ok": true,
                        "signed_download_url": self.address(request, number, "r"),
                        "matched_key": self.entries[number].key,
                    })),
                }
            }
            ("GET", _, Some("cache")) => {
                let keys = request.value("keys").unwrap_or_default().to_ascii_lowercase();
                let version = request.value("version").unwrap_or_default();
                match keys.split(',').find_map(|key| self.find(job, key, &version)) {
                    None => Reply(204, Vec::new()),
                    Some(number) => done(&json!({
                        "archiveLocation": self.address(request, number, "r"),
                        "cacheKey": self.entries[number].key,
                        "scope": self.entries[number].scope,
                    })),
                }
            }
            ("POST", _, Some("caches")) => {
                let mut body = request.json();
                body["key"] = text(&body, "key").to_ascii_lowercase().into();
                match self.reserve(&body, job) {
                    Ok(number) => done(&json!({ "cacheId": number + 1 })),
                    Err(reply) => reply,
                }
            }
            (method, _, Some(rest)) => self.first_protocol(request, method, rest, job),
            _ => fault(404, "bad_route", "no such call"),
        }
    }

    /// A signed address of an entry's data, on the host that the client asked, which may be a proxy.
    fn address(&self, request: &Request, number: usize, rights: &str) -> String {
        let signature = &self.entries[number].signature;
        format!("http://{}/data/{number}?sv=2025-11-05&sp={rights}&sig={signature}", request.header("host"))
    }

    fn find(&self, job: &Job, key: &str, version: &str) -> Option<usize> {
        let found = |scope: &str, is_key: &dyn Fn(&str) -> bool| {
            let entries = self.entries.iter().enumerate();
            let fits = entries
                .filter(|(_, entry)| entry.scope == scope && entry.version == version && is_key(&entry.key));
            let finished = fits.filter_map(|(number, entry)| Some((entry.finished?, number)));
            finished.max_by_key(|(at, number)| if self.is_ordered_by_reservation { *number } else { *at })
        };
        let found = |scope| {
            found(scope, &|other| other == key).or_else(|| found(scope, &|other| other.starts_with(key)))
        };
        job.reads.iter().find_map(|scope| found(scope)).map(|(_, number)| number)
    }

    fn reserve(&mut self, body: &Value, job: &Job) -> Result<usize, Reply> {
        let (key, version) = (text(body, "key"), text(body, "version"));
        if !job.may_write {
            return Err(fault(403, "permission_denied", "the cache is read only for this job"));
        }
        if !(1..=512).contains(&key.chars().count()) || version.len() != 64 {
            return Err(fault(400, "invalid_argument", "no such key or version"));
        }
        let is_taken =
            |entry: &Entry| entry.scope == job.branch && entry.key == key && entry.version == version;
        if self.entries.iter().any(is_taken) {
            let message = "cache entry with the same key, version, and scope already exists";
            return Err(fault(409, "already_exists", message));
        }
        // Nobody attacks: it only has to be another one for each entry.
        let signature =
            format!("{:032x}", (self.entries.len() as u128 + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (data, blocks) = (Vec::new(), BTreeMap::new());
        self.entries.push(Entry { scope: job.branch, key, version, signature, data, blocks, finished: None });
        Ok(self.entries.len() - 1)
    }

    fn create(&mut self, request: &Request, job: &Job) -> Reply {
        match self.reserve(&request.json(), job) {
            Ok(number) => {
                let url = self.address(request, number, "cw");
                done(&json!({ "ok": true, "signed_upload_url": url }))
            }
            Err(reply) => reply,
        }
    }

    fn finalize(&mut self, request: &Request, job: &Job) -> Reply {
        let body = request.json();
        let (key, version) = (text(&body, "key"), text(&body, "version"));
        let open = self.entries.iter().position(|entry| {
            entry.scope == job.branch
                && entry.key == key
                && entry.version == version
                && entry.finished.is_none()
        });
        let Some(number) = open else { return fault(404, "not_found", "no such upload") };
        let size = text(&body, "size_bytes").parse().unwrap_or(0);
        match self.finish(number, size) {
            None => done(&json!({ "ok": true, "entry_id": (number + 1).to_string() })),
            Some(reply) => reply,
        }
    }

    /// Has an entry be found from now on; `None` if that went well.
    fn finish(&mut self, number: usize, size: usize) -> Option<Reply> {
        if size == 0 {
            return Some(fault(400, "invalid_argument", "the size must be at least 1"));
        }
        if self.entries[number].data.len() != size {
            return Some(fault(404, "not_found", "the data has another size"));
        }
        self.finished += 1;
        self.entries[number].finished = Some(self.finished);
        None
    }

    /// Data by a signed address.
    fn data(&mut self, request: &Request) -> Reply {
        let number = request.path.strip_prefix("/data/").and_then(|digits| digits.parse::<usize>().ok());
        let Some(entry) = number.and_then(|number| self.entries.get_mut(number)) else {
            return Reply(404, Vec::new());
        };
        if request.value("sig").as_deref() != Some(&entry.signature) {
            return Reply(403, b"<Error><Code>AuthenticationFailed</Code></Error>".to_vec());
        }
        let may = request.value("sp").unwrap_or_default();
        match (request.method.as_str(), request.value("comp").as_deref(), entry.finished) {
            ("GET", None, Some(_)) if may == "r" => Reply(200, entry.data.clone()),
            ("PUT", None, None) if may == "cw" && request.header("x-ms-blob-type") == "BlockBlob" => {
                entry.data.clone_from(&request.body);
                Reply(201, Vec::new())
            }
            ("PUT", Some("block"), None) if may == "cw" => {
                let id = request.value("blockid").unwrap_or_default();
                if entry.blocks.keys().any(|other| other.len() != id.len()) || !id.len().is_multiple_of(4) {
                    return Reply(400, b"<Error><Code>InvalidBlobOrBlock</Code></Error>".to_vec());
                }
                entry.blocks.insert(id, request.body.clone());
                Reply(201, Vec::new())
            }
            ("PUT", Some("blocklist"), None) if may == "cw" => {
                let list = String::from_utf8_lossy(&request.body);
                let ids =
                    list.split("<Latest>").skip(1).map(|rest| rest.split('<').next().unwrap_or_default());
                match ids.map(|id| entry.blocks.get(id).cloned()).collect::<Option<Vec<_>>>() {
                    Some(blocks) => {
                        entry.data = blocks.concat();
                        Reply(201, Vec::new())
                    }
                    None => Reply(400, b"<Error><Code>InvalidBlockList</Code></Error>".to_vec()),
                }
            }
            _ => Reply(403, b"<Error><Code>AuthorizationPermissionMismatch</Code></Error>".to_vec()),
        }
    }

    /// `PATCH caches/7` with a piece of the data, and `POST caches/7` at its end.
    fn first_protocol(&mut self, request: &Request, method: &str, rest: &str, job: &Job) -> Reply {
        let id = rest.strip_prefix("caches/").and_then(|digits| digits.parse::<usize>().ok());
        let number = id.and_then(|id| id.checked_sub(1)).unwrap_or(usize::MAX);
        let Some(entry) = self.entries.get_mut(number).filter(|entry| entry.scope == job.branch) else {
            return fault(404, "not_found", "no such entry");
        };
        if entry.finished.is_some() {
            return fault(400, "already_exists", "the entry is complete");
        }
        match method {
            "PATCH" => {
                let range = request.header("content-range").strip_prefix("bytes ").unwrap_or_default();
                let bounds = range.split_once("/*").and_then(|(range, _)| range.split_once('-'));
                let bounds = bounds.and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)));
                let (start, end): (usize, usize) = bounds.unwrap_or((1, 0));
                if start + request.body.len() != end + 1 || request.body.len() > MAX_PIECE_BYTES {
                    return fault(400, "invalid_argument", "no such range");
                }
                entry.data.resize(entry.data.len().max(end + 1), 0);
                entry.data[start..=end].copy_from_slice(&request.body);
                Reply(204, Vec::new())
            }
            "POST" => {
                let size = request.json()["size"].as_u64().unwrap_or(0) as usize;
                self.finish(number, size).unwrap_or(Reply(204, Vec::new()))
            }
            _ => fault(404, "bad_route", "no such call"),
        }
    }
}

/// A field of a body that is text.
fn text(body: &Value, field: &str) -> String {
    body[field].as_str().unwrap_or_default().to_owned()
}

fn done(body: &Value) -> Reply {
    Reply(200, body.to_string().into_bytes())
}

fn fault(status: u16, code: &str, message: &str) -> Reply {
    Reply(status, json!({ "code": code, "msg": message }).to_string().into_bytes())
}
