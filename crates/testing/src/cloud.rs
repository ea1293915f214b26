//! Real servers of object storage for a test: on free loopback ports, stopped when dropped.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::tools::find;

/// A running program that listens on a port, and its directory.
struct Server {
    child: Child,
    port: u16,
    directory: PathBuf,
}

impl Server {
    /// Starts `command(port, directory)` and waits until it listens.
    ///
    /// # Panics
    /// If it does not: a test that needs a server must not pass without it.
    fn start(name: &str, command: &dyn Fn(u16, &Path) -> Command) -> Server {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("evg-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("create a directory for a server");
        // Another process may take the free port between our look and the server's start.
        for _ in 0..5 {
            let listener = TcpListener::bind(("127.0.0.1", 0)).expect("bind a loopback port");
            let port = listener.local_addr().expect("the address of a listener").port();
            drop(listener);
            let log = std::fs::File::create(directory.join("log")).expect("create a log file");
            let mut command = command(port, &directory);
            command.current_dir(&directory).stdin(Stdio::null());
            command.stdout(log.try_clone().expect("share the log file")).stderr(log);
            let child = command.spawn().unwrap_or_else(|error| panic!("start {name}: {error}"));
            let mut server = Server { child, port, directory: directory.clone() };
            if server.listens() {
                return server;
            }
            // Its directory goes with it.
            std::fs::rename(directory.join("log"), std::env::temp_dir().join("evg-last-log")).ok();
            drop(server);
            std::fs::create_dir_all(&directory).expect("create a directory for a server");
        }
        panic!("{name} does not start");
    }

    fn listens(&mut self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(120);
        while Instant::now() < deadline {
            if self.child.try_wait().expect("look at a server").is_some() {
                return false;
            }
            // Not only a connection: on a machine's own address a socket may connect to itself.
            if self.request("GET / HTTP/1.0").is_some_and(|reply| reply.starts_with("HTTP/")) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }

    /// Sends a request without a body and returns the whole reply.
    fn request(&self, line: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
        let head = format!("{line}\r\nHost: 127.0.0.1:{}\r\nContent-Length: 0\r\n\r\n", self.port);
        stream.write_all(head.as_bytes()).ok()?;
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).ok()?;
        Some(String::from_utf8_lossy(&reply).into_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// lighttpd on a folder.
pub struct WebServer(Server);

impl WebServer {
    /// A WebDAV server on an empty folder.
    ///
    /// # Panics
    /// If lighttpd is not installed or does not start.
    pub fn webdav() -> WebServer {
        WebServer::start(None, true)
    }

    /// A server that only serves the files of a folder, as a mirror does.
    ///
    /// # Panics
    /// As [`WebServer::webdav`].
    pub fn mirror(files: &Path) -> WebServer {
        WebServer::start(Some(files), false)
    }

    fn start(files: Option<&Path>, is_webdav: bool) -> WebServer {
        WebServer(Server::start("lighttpd", &|port, directory| {
            let root = files.map_or_else(|| directory.join("files"), Path::to_path_buf);
            std::fs::create_dir_all(&root).expect("create a folder to serve");
            let modules = if is_webdav { "server.modules = (\"mod_webdav\")" } else { "" };
            let activate = if is_webdav { "webdav.activate = \"enable\"" } else { "" };
            let conf = format!(
                "server.document-root = \"{root}\"\nserver.bind = \"127.0.0.1\"\nserver.port = {port}\n\
                 server.upload-dirs = (\"{directory}\")\n\
                 {modules}\n{activate}\n",
                root = root.display(),
                directory = directory.display()
            );
            let file = directory.join("conf");
            std::fs::write(&file, conf).expect("write a configuration");
            let mut command = Command::new(find("lighttpd"));
            command.arg("-D").arg("-f").arg(file);
            command
        }))
    }

    /// `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.0.port)
    }

    /// The loopback port.
    pub fn port(&self) -> u16 {
        self.0.port
    }

    /// The folder whose files a WebDAV server has.
    pub fn files(&self) -> PathBuf {
        self.0.directory.join("files")
    }
}

/// moto, with one empty bucket.
pub struct S3Server(Server);

impl S3Server {
    /// The name of its bucket.
    pub const BUCKET: &'static str = "answers";

    /// Starts a server.
    ///
    /// # Panics
    /// If moto is not installed or does not start.
    pub fn start() -> S3Server {
        let server = Server::start("moto", &|port, _| {
            let mut command = Command::new(find("moto-server"));
            command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
            command
        });
        let made = server.request(&format!("PUT /{} HTTP/1.0", S3Server::BUCKET)).expect("an answer of moto");
        assert!(made.lines().next().is_some_and(|line| line.contains("200")), "{made}");
        S3Server(server)
    }

    /// The loopback port.
    pub fn port(&self) -> u16 {
        self.0.port
    }
}

/// An emulator of Google's object storage, with one empty bucket.
pub struct GoogleServer(Server);

impl GoogleServer {
    /// The name of its bucket.
    pub const BUCKET: &'static str = "answers";

    /// Starts a server.
    ///
    /// # Panics
    /// If the emulator is not installed or does not start.
    pub fn start() -> GoogleServer {
        GoogleServer(Server::start("gcs", &|port, _| {
            let mut command = Command::new(find("gcs-server"));
            command.args(["start", "--host", "127.0.0.1", "--port", &port.to_string(), "--in-memory"]);
            command.args(["--default-bucket", GoogleServer::BUCKET]);
            command
        }))
    }

    /// `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.0.port)
    }
}
