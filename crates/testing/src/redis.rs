//! A real Redis server for a test: on a free loopback port and on a Unix socket, stopped when dropped.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running `redis-server`.
pub struct RedisServer {
    child: Option<Child>,
    port: u16,
    directory: PathBuf,
    arguments: Vec<String>,
}

impl RedisServer {
    /// Starts a server.
    ///
    /// # Panics
    /// If `redis-server` is not installed or does not start: a test that needs it must not pass without it.
    pub fn start() -> RedisServer {
        RedisServer::start_with(&[])
    }

    /// Starts a server with further arguments, such as `["--requirepass", "secret"]`.
    ///
    /// # Panics
    /// As [`RedisServer::start`].
    pub fn start_with(arguments: &[&str]) -> RedisServer {
        let directory = fresh_directory();
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let mut server = RedisServer { child: None, port: 0, directory, arguments };
        // Another process may take the free port between our look and the server's start.
        for _ in 0..5 {
            server.port = free_port();
            if server.launch() {
                return server;
            }
        }
        panic!("redis-server does not start: see {}", server.directory.join("log").display());
    }

    /// `redis://127.0.0.1:port/0`.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/0", self.port)
    }

    /// `redis+unix:///path`.
    pub fn unix_url(&self) -> String {
        format!("redis+unix://{}", self.socket().display())
    }

    /// The loopback port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The server's own directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Kills the server at once, as `kill -9` does. Unsaved data is lost.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("kill redis-server");
            child.wait().expect("wait for redis-server");
        }
    }

    /// Starts the server again on the same port and socket.
    ///
    /// # Panics
    /// If it does not start.
    pub fn restart(&mut self) {
        self.kill();
        // A connection of another process may have the port for a moment.
        for _ in 0..50 {
            if self.launch() {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("redis-server does not start again: see {}", self.directory.join("log").display());
    }

    /// Sends one inline command and returns the raw beginning of the answer.
    ///
    /// # Panics
    /// If the server does not answer.
    pub fn command(&self, line: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connect to redis-server");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("set a timeout");
        stream.write_all(format!("{line}\r\n").as_bytes()).expect("send a command");
        let mut answer = [0; 4096];
        let count = stream.read(&mut answer).expect("read an answer");
        String::from_utf8_lossy(&answer[..count]).into_owned()
    }

    fn socket(&self) -> PathBuf {
        self.directory.join("redis.sock")
    }

    fn launch(&mut self) -> bool {
        let log = std::fs::File::create(self.directory.join("log")).expect("create a log file");
        let mut child = Command::new(find("redis-server"))
            .current_dir(&self.directory)
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"])
            .args(["--port", &self.port.to_string(), "--unixsocket"])
            .arg(self.socket())
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("share the log file"))
            .stderr(log)
            .spawn()
            .expect("start redis-server");
        let deadline = Instant::now() + Duration::from_secs(60);
        while Instant::now() < deadline {
            // The socket is the last that the server opens. The port is not tried before: on a
            // machine's own address, connecting to a port without a listener may connect the socket to
            // itself, which takes the port.
            let listens = UnixStream::connect(self.socket()).is_ok()
                && TcpStream::connect(("127.0.0.1", self.port)).is_ok();
            if child.try_wait().expect("look at redis-server").is_some() {
                return false;
            }
            if listens {
                self.child = Some(child);
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().expect("kill redis-server");
        child.wait().expect("wait for redis-server");
        false
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // A destructor cannot report an error.
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// A tool on `PATH`, in `$EVERGREEN_TOOLS/bin`, or in the repository's `.tools/bin`.
///
/// # Panics
/// If it is in none of them.
pub fn find(tool: &str) -> PathBuf {
    let mut places: Vec<PathBuf> = Vec::new();
    places.extend(std::env::var_os("EVERGREEN_TOOLS").map(|tools| Path::new(&tools).join("bin")));
    places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/bin"));
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let found = places.into_iter().map(|place| place.join(tool)).find(|path| path.is_file());
    found.unwrap_or_else(|| {
        panic!(
            "{tool} is not installed: this test needs it on PATH, in $EVERGREEN_TOOLS/bin or in .tools/bin"
        )
    })
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("bind a loopback port");
    listener.local_addr().expect("the address of a listener").port()
}

/// A new directory with a short name, since the path of a Unix socket is bounded to about 100 bytes.
fn fresh_directory() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("evg-redis-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("create a directory for redis-server");
    directory
}
