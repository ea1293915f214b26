//! A proxy of HTTP for a test: counts requests, and delays, breaks and cuts them as the test says.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What happens to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: it passes.
    None,
    /// It passes after a while.
    Delay(Duration),
    /// The connection is closed before the server hears of it.
    Close,
    /// The server gets so many bytes of the body, then the connection is closed.
    HalfBody(usize),
    /// The client gets so many bytes of the reply, then the connection is closed.
    HalfReply(usize),
    /// Neither gets anything, and the connection stays open.
    Silence,
}

/// Decides, by the first line of a request (`GET /path`) and its number.
pub type Plan = Box<dyn Fn(&str, usize) -> Fault + Send + Sync>;

/// A running proxy. It ends with the process of the test; dropping it refuses new connections.
pub struct Proxy {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    server: u16,
    plan: Mutex<Arc<Plan>>,
    requests: Mutex<Vec<String>>,
    ended: AtomicBool,
}

impl Proxy {
    /// A proxy in front of a loopback port that changes nothing.
    ///
    /// # Panics
    /// If no port can be opened.
    pub fn start(server: u16) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("bind a loopback port");
        let port = listener.local_addr().expect("the address of a listener").port();
        let plan: Plan = Box::new(|_, _| Fault::None);
        let shared = Arc::new(Shared {
            server,
            plan: Mutex::new(Arc::new(plan)),
            requests: Mutex::default(),
            ended: AtomicBool::new(false),
        });
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
        Proxy { port, shared }
    }

    /// From now on requests fare as `plan` says.
    pub fn plan(&self, plan: impl Fn(&str, usize) -> Fault + Send + Sync + 'static) {
        *self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(Box::new(plan));
    }

    /// The requests since the last call: `GET /path`.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The loopback port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        // Wakes the listener, which sees that it ended.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

impl Shared {
    /// Passes the requests of one connection on, one after the other.
    fn serve(&self, client: TcpStream) -> std::io::Result<()> {
        let server = TcpStream::connect(("127.0.0.1", self.server))?;
        // A body that follows its head would wait 40 ms for the other side.
        server.set_nodelay(true)?;
        client.set_nodelay(true)?;
        let (mut replies, mut to_client) = (server.try_clone()?, client.try_clone()?);
        // How many more bytes of replies pass; none is no limit.
        let left: Arc<Mutex<Option<usize>>> = Arc::default();
        let limit = left.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 16 << 10];
            while let Ok(count @ 1..) = replies.read(&mut bytes) {
                let mut left = limit.lock().unwrap_or_else(PoisonError::into_inner);
                let pass = left.map_or(count, |left| left.min(count));
                if to_client.write_all(&bytes[..pass]).is_err() || pass < count {
                    break;
                }
                *left = left.map(|left| left - pass);
            }
            let _ = to_client.shutdown(Shutdown::Both);
            let _ = replies.shutdown(Shutdown::Both);
        });
        let mut server = server;
        let mut from_client = BufReader::new(client);
        while let Some((head, length)) = read_head(&mut from_client)? {
            let line: String = head.split(' ').take(2).collect::<Vec<_>>().join(" ");
            let number = {
                let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
                requests.push(line.clone());
                requests.len()
            };
            let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let mut body = length;
            match plan(&line, number) {
                Fault::None => {}
                Fault::Delay(time) => std::thread::sleep(time),
                Fault::Close => break,
                Fault::HalfBody(bytes) => body = body.min(bytes),
                Fault::HalfReply(bytes) => {
                    *left.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes);
                }
                Fault::Silence => {
                    // Until the client gives up.
                    let _ = from_client.read_to_end(&mut Vec::new());
                    break;
                }
            }
            server.write_all(head.as_bytes())?;
            std::io::copy(&mut (&mut from_client).take(body as u64), &mut server)?;
            if body < length {
                break;
            }
        }
        server.shutdown(Shutdown::Both)?;
        from_client.into_inner().shutdown(Shutdown::Both)
    }
}

/// The head of a request and the length of its body; `None` at the end of the connection.
fn read_head(from: &mut impl BufRead) -> std::io::Result<Option<(String, usize)>> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let start = head.len();
        if from.read_line(&mut head)? == 0 {
            return Ok(None);
        }
        let line = head[start..].to_ascii_lowercase();
        if let Some(digits) = line.strip_prefix("content-length:") {
            length = digits.trim().parse().unwrap_or(0);
        }
        if line == "\r\n" {
            return Ok(Some((head, length)));
        }
    }
}
