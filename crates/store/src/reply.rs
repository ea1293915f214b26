//! A connection to a Redis server whose replies are bounded: in bytes, in elements, in depth and in time.
//!
//! The client library reads a reply into memory however long it is, and its time limit starts anew with every
//! byte that arrives. A server that sends without end, or one byte in a while, then takes all memory or all
//! time. Here a reply is read against a budget, and a request against a deadline. Beyond either the reply is
//! an error, and the connection is not used again. Commands are still made, and replies still converted, by
//! the client library.
//!
//! Only what our commands get is read: protocol version 2, no pushed messages.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use ::redis::{Cmd, ConnectionAddr, ConnectionInfo, ConnectionLike, RedisError, RedisResult, Value, cmd};

use crate::MAX_VALUE_BYTES;
#[cfg(feature = "tls")]
use crate::tls::TlsStream;

/// The most that one reply may cost: the largest value, and as much again as all else that is asked for at
/// once.
const REPLY_BYTES: usize = MAX_VALUE_BYTES + (4 << 20);
/// The cost of an element of a reply beside its bytes: about its size in memory.
const ELEMENT_BYTES: usize = 64;
/// The longest line: a status, an error, a number.
const LINE_BYTES: u64 = 64 << 10;
/// Arrays in arrays: the replies of our commands have three.
const DEPTH: usize = 8;
/// A request as a whole may take this many times what each of its steps may.
const WHOLE: u32 = 4;

/// The stream under a connection.
enum Wire {
    Tcp(TcpStream),
    Unix(UnixStream),
    #[cfg(feature = "tls")]
    Tls(TlsStream),
}

/// A stream that ends at a deadline, however slowly bytes keep coming.
struct Timed {
    wire: Wire,
    deadline: Option<Instant>,
}

/// A connection to a server.
pub struct RedisConnection {
    reader: BufReader<Timed>,
    /// How long a request may take in all.
    limit: Option<Duration>,
    reply_bytes: usize,
    database: i64,
    is_open: bool,
}

impl Read for Timed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the reply takes too long"));
        }
        match &mut self.wire {
            Wire::Tcp(stream) => stream.read(bytes),
            Wire::Unix(stream) => stream.read(bytes),
            #[cfg(feature = "tls")]
            Wire::Tls(stream) => stream.read(bytes),
        }
    }
}

impl Wire {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Wire::Tcp(stream) => stream.write_all(bytes),
            Wire::Unix(stream) => stream.write_all(bytes),
            #[cfg(feature = "tls")]
            Wire::Tls(stream) => stream.write_all(bytes).and_then(|()| stream.flush()),
        }
    }

    fn set_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        match self {
            Wire::Unix(stream) => {
                stream.set_read_timeout(limit).and_then(|()| stream.set_write_timeout(limit))
            }
            Wire::Tcp(stream) => {
                stream.set_read_timeout(limit).and_then(|()| stream.set_write_timeout(limit))
            }
            #[cfg(feature = "tls")]
            Wire::Tls(stream) => {
                let stream = &stream.sock;
                stream.set_read_timeout(limit).and_then(|()| stream.set_write_timeout(limit))
            }
        }
    }
}

impl RedisConnection {
    /// Connects, authenticates and selects the database, each step within `timeout`. `certificates` (PEM) are
    /// trusted in place of the system's.
    pub(crate) fn open(
        info: &ConnectionInfo,
        certificates: Option<&[u8]>,
        timeout: Duration,
    ) -> RedisResult<RedisConnection> {
        // Without TLS there is nothing to trust, and an address that needs it has been refused.
        #[cfg(not(feature = "tls"))]
        let _ = certificates;
        let wire = match info.addr() {
            ConnectionAddr::Tcp(host, port) => Wire::Tcp(connect(host, *port, timeout)?),
            #[cfg(feature = "tls")]
            ConnectionAddr::TcpTls { host, port, .. } => {
                let client = crate::tls::client(host, certificates)?;
                Wire::Tls(Box::new(rustls::StreamOwned::new(client, connect(host, *port, timeout)?)))
            }
            ConnectionAddr::Unix(path) => Wire::Unix(UnixStream::connect(path)?),
            _ => return Err(io::Error::other("no such kind of address").into()),
        };
        let settings = info.redis_settings();
        let (reader, database) = (BufReader::new(Timed { wire, deadline: None }), settings.db());
        let mut connection =
            RedisConnection { reader, limit: None, reply_bytes: REPLY_BYTES, database, is_open: true };
        connection.set_timeout(Some(timeout))?;
        if let Some(password) = settings.password() {
            let mut auth = cmd("AUTH");
            if let Some(name) = settings.username() {
                auth.arg(name);
            }
            auth.arg(password).query::<()>(&mut connection)?;
        }
        if database != 0 {
            cmd("SELECT").arg(database).query::<()>(&mut connection)?;
        }
        connection.set_timeout(None)?;
        Ok(connection)
    }

    /// How long each step of a request may take, and four times that the whole; without one, for ever.
    pub fn set_timeout(&mut self, limit: Option<Duration>) -> RedisResult<()> {
        self.limit = limit;
        Ok(self.reader.get_ref().wire.set_timeout(limit)?)
    }

    /// The most that one reply may cost, in bytes.
    pub fn set_reply_bytes(&mut self, most: usize) {
        self.reply_bytes = most;
    }

    fn send(&mut self, bytes: &[u8]) -> RedisResult<()> {
        let timed = self.reader.get_mut();
        timed.deadline = self.limit.map(|limit| Instant::now() + limit * WHOLE);
        let sent = timed.wire.write_all(bytes);
        self.is_open &= sent.is_ok();
        Ok(sent?)
    }

    fn receive(&mut self) -> RedisResult<Value> {
        let mut budget = self.reply_bytes;
        let value = read_value(&mut self.reader, &mut budget, DEPTH);
        // After half a reply nothing that follows can be understood.
        self.is_open &= value.is_ok();
        value
    }
}

impl ConnectionLike for RedisConnection {
    fn req_packed_command(&mut self, command: &[u8]) -> RedisResult<Value> {
        self.send(command)?;
        self.receive()
    }

    fn req_packed_commands(
        &mut self,
        commands: &[u8],
        offset: usize,
        count: usize,
    ) -> RedisResult<Vec<Value>> {
        self.send(commands)?;
        let mut refused = None;
        for _ in 0..offset {
            // The replies that follow have to be read all the same.
            if let Value::ServerError(error) = self.receive()? {
                refused.get_or_insert(error);
            }
        }
        let values = (0..count).map(|_| self.receive()).collect::<RedisResult<Vec<Value>>>()?;
        match refused {
            Some(error) => Err(error.into()),
            None => Ok(values),
        }
    }

    fn get_db(&self) -> i64 {
        self.database
    }

    fn check_connection(&mut self) -> bool {
        Cmd::new().arg("PING").query::<String>(self).is_ok()
    }

    fn is_open(&self) -> bool {
        self.is_open
    }
}

fn connect(host: &str, port: u16, timeout: Duration) -> io::Result<TcpStream> {
    let mut last = None;
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, timeout) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the name has no address")))
}

/// Takes from a budget.
fn spend(budget: &mut usize, bytes: usize) -> RedisResult<()> {
    match budget.checked_sub(bytes) {
        Some(left) => {
            *budget = left;
            Ok(())
        }
        None => {
            Err(io::Error::new(io::ErrorKind::InvalidData, "a reply larger than any that was asked for")
                .into())
        }
    }
}

fn read_value(reader: &mut impl BufRead, budget: &mut usize, depth: usize) -> RedisResult<Value> {
    let line = read_line(reader)?;
    spend(budget, line.len() + ELEMENT_BYTES)?;
    let babble =
        || RedisError::from(io::Error::new(io::ErrorKind::InvalidData, "not a reply of a Redis server"));
    let (kind, rest) = line.split_first().ok_or_else(babble)?;
    let number = || std::str::from_utf8(rest).ok()?.parse::<i64>().ok();
    match kind {
        b'+' | b'-' | b':' => ::redis::parse_redis_value(&[&line[..], b"\r\n"].concat()),
        b'$' => match number().ok_or_else(babble)? {
            -1 => Ok(Value::Nil),
            length => {
                let length = usize::try_from(length).map_err(|_| babble())?;
                spend(budget, length)?;
                let mut bytes = Vec::new();
                reader.take(length as u64 + 2).read_to_end(&mut bytes)?;
                if bytes.len() != length + 2 {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                }
                bytes.truncate(length);
                Ok(Value::BulkString(bytes))
            }
        },
        b'*' => match number().ok_or_else(babble)? {
            -1 => Ok(Value::Nil),
            count => {
                let count = usize::try_from(count).map_err(|_| babble())?;
                let inside = depth.checked_sub(1).ok_or_else(babble)?;
                // Checked before any element is read; each element then pays for itself as it arrives.
                spend(&mut budget.clone(), count.saturating_mul(ELEMENT_BYTES))?;
                let mut values = Vec::new();
                for _ in 0..count {
                    values.push(read_value(reader, budget, inside)?);
                }
                Ok(Value::Array(values))
            }
        },
        _ => Err(babble()),
    }
}

/// A line without its end.
fn read_line(reader: &mut impl BufRead) -> RedisResult<Vec<u8>> {
    let mut line = Vec::new();
    reader.take(LINE_BYTES).read_until(b'\n', &mut line)?;
    match line.strip_suffix(b"\r\n") {
        Some(text) => Ok(text.to_vec()),
        None if line.is_empty() => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        None => Err(io::Error::new(io::ErrorKind::InvalidData, "a line without an end").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], budget: usize) -> RedisResult<Value> {
        read_value(&mut BufReader::new(bytes), &mut { budget }, DEPTH)
    }

    #[test]
    fn replies_are_read() {
        let bulk = |text: &str| Value::BulkString(text.into());
        assert_eq!(read(b"+OK\r\n", 999).unwrap(), Value::Okay);
        assert_eq!(read(b":-7\r\n", 999).unwrap(), Value::Int(-7));
        assert_eq!(read(b"$-1\r\n", 999).unwrap(), Value::Nil);
        assert_eq!(read(b"*-1\r\n", 999).unwrap(), Value::Nil);
        assert_eq!(read(b"$4\r\na\r\nb\r\n", 999).unwrap(), bulk("a\r\nb"));
        let nested = read(b"*2\r\n$1\r\n0\r\n*1\r\n$1\r\nk\r\n", 999).unwrap();
        assert_eq!(nested, Value::Array(vec![bulk("0"), Value::Array(vec![bulk("k")])]));
        let error = read(b"-WRONGTYPE no set\r\n", 999).unwrap().extract_error().unwrap_err();
        assert_eq!(error.code(), Some("WRONGTYPE"));
    }

    #[test]
    fn what_is_too_much_or_no_reply_is_an_error() {
        let long = [b"+".as_slice(), &[b'x'; 70_000]].concat();
        let deep = b"*1\r\n".repeat(20);
        let refused: [&[u8]; 10] = [
            b"$1000000000000\r\n",
            b"$9223372036854775807\r\n",
            b"*1000000000\r\n",
            b"*9223372036854775807\r\n",
            b"$-2\r\n",
            &long,
            &deep,
            b"?\r\n",
            b"\r\n",
            b"$5\r\nab",
        ];
        for bytes in refused {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(30)]).into_owned();
            assert!(read(bytes, 1 << 20).is_err(), "{text}");
        }
        // Many small elements take more memory than bytes.
        let many = [b"*10000\r\n".as_slice(), &b":1\r\n".repeat(10_000)].concat();
        assert!(read(&many, 1 << 20).is_ok() && read(&many, 1 << 19).is_err());
    }
}
