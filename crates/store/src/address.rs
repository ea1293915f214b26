//! A Redis or Valkey server by its address: read, named without its password,
//! connected to within a time limit.
//!
//! Stores and work queues share this; each handles an unreachable server in its own way.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use ::redis::{Client, ConnectionAddr, RedisError};

use crate::reply::RedisConnection;
#[cfg(feature = "tls")]
use crate::tls::check_certificates;
use crate::{ErrorKind, StoreError};

/// Where a server is.
#[derive(Clone)]
pub struct RedisAddress {
    name: String,
    client: Client,
    /// Certificates (PEM) that are trusted in place of the system's.
    certificates: Option<Arc<[u8]>>,
}

impl RedisAddress {
    /// Reads `redis://[:password@]host[:port][/database]`, `rediss://` for TLS, `redis+unix:///path`.
    ///
    /// `certificates` (PEM) are trusted for `rediss://` in place of the system's. No connection is made.
    pub fn read(url: &str, certificates: Option<&Path>) -> Result<RedisAddress, StoreError> {
        let spec = |what: String| {
            let error = StoreError::new(ErrorKind::Spec, hide_password(url), what);
            error.help(
                "an address looks like redis://:password@host:6379/0, rediss://host or \
                        redis+unix:///run/redis.sock",
            )
        };
        #[cfg(not(feature = "tls"))]
        if certificates.is_some() || url.starts_with("rediss:") || url.starts_with("valkeys:") {
            return Err(crate::open::left_out(&hide_password(url), "TLS", "tls"));
        }
        let client = Client::open(url)
            .map_err(|error| spec(format!("not a Redis address: {}", redis_text(&error))))?;
        let certificates = match certificates {
            None => None,
            Some(path) => {
                let pem = std::fs::read(path)
                    .map_err(|error| StoreError::io(path.display(), "read the certificates", &error))?;
                #[cfg(feature = "tls")]
                check_certificates(path, &pem).map_err(spec)?;
                Some(Arc::from(pem))
            }
        };
        let info = client.get_connection_info();
        let scheme = match info.addr() {
            ConnectionAddr::TcpTls { .. } => "rediss",
            ConnectionAddr::Unix(_) => "redis+unix",
            _ => "redis",
        };
        let database = info.redis_settings().db();
        let name = match info.addr() {
            ConnectionAddr::Unix(path) if database == 0 => format!("{scheme}://{}", path.display()),
            ConnectionAddr::Unix(path) => format!("{scheme}://{}?db={database}", path.display()),
            address => format!("{scheme}://{address}/{database}"),
        };
        Ok(RedisAddress { name, client, certificates })
    }

    /// The address without its password.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Connects in a thread of its own, because neither name resolution nor a TLS
    /// handshake knows a time limit.
    pub fn connect(&self, timeout: Duration) -> Result<RedisConnection, String> {
        let (sender, receiver) = mpsc::channel();
        let (info, certificates) = (self.client.get_connection_info().clone(), self.certificates.clone());
        let connecting = move || {
            // If this took too long, the receiver has given up.
            let _ = sender.send(RedisConnection::open(&info, certificates.as_deref(), timeout));
        };
        if std::thread::Builder::new().stack_size(512 << 10).spawn(connecting).is_err() {
            return Err("no thread can be started to connect".into());
        }
        match receiver.recv_timeout(timeout * 2) {
            Ok(Ok(connection)) => Ok(connection),
            Ok(Err(error)) => Err(redis_text(&error)),
            Err(_) => Err("no answer in time".into()),
        }
    }
}

/// The client's words in our form. They never contain the password, which the client keeps out of them.
pub fn redis_text(error: &RedisError) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// An address that cannot be parsed, without what looks like a password.
fn hide_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let rest = rest.split('?').next().unwrap_or(rest);
    if scheme.is_empty() { rest.to_owned() } else { format!("{scheme}://{rest}") }
}
