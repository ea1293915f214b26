//! Object storage by opendal, the library that sccache uses for the same services.
//!
//! Requests are made one at a time, each within a time limit that covers connecting, sending, receiving and
//! one more attempt after a passing failure. Replies are read piece by piece up to a bound. Messages are made
//! of status codes and error codes only: the library's own texts have whole addresses in them, which may be
//! signed.

use std::error::Error as _;

use futures_util::TryStreamExt;
use opendal::layers::HttpClientLayer;
use opendal::raw::HttpClient;
use opendal::{Buffer, Operator};

use super::address::Address;
use super::objects::{Listed, Naming, Objects, Size, Written};
use super::waiting::{PAUSES, Waiting};
use crate::{ErrorKind, OpenOptions, StoreError};

/// The most names that are taken from a listing.
const MAX_LISTED: usize = 10_000;

pub(super) struct Service {
    operator: Operator,
    waiting: Waiting,
    place: String,
}

/// Why a request gave nothing.
enum Failure {
    Service(opendal::Error),
    TooLong,
    TooLate,
}

impl From<opendal::Error> for Failure {
    fn from(error: opendal::Error) -> Failure {
        Failure::Service(error)
    }
}

impl Service {
    pub(super) fn connect(address: Address, options: &OpenOptions) -> Result<Service, StoreError> {
        let place = address.shown();
        let failed = |what: &str| StoreError::new(ErrorKind::Io, &place, format!("cannot start {what}"));
        let operator = address.operator()?;
        let waiting = Waiting::new(options.timeout).ok_or_else(|| failed("a runtime"))?;
        let client = HttpClient::with(waiting.client().ok_or_else(|| failed("an HTTP client"))?);
        let operator = operator.layer(HttpClientLayer::new(client));
        Ok(Service { operator, waiting, place })
    }

    /// Runs a request to its end, within its time.
    fn run<T: Send>(
        &self,
        size: Size,
        request: impl AsyncFn() -> Result<T, Failure> + Sync,
    ) -> Result<T, Failure> {
        let attempts = async || {
            for pause in PAUSES {
                match request().await {
                    Err(Failure::Service(error)) if error.is_temporary() => tokio::time::sleep(pause).await,
                    done => return done,
                }
            }
            request().await
        };
        self.waiting.run(size, attempts).unwrap_or(Err(Failure::TooLate))
    }

    fn error(&self, doing: &str, name: &str, failure: &Failure) -> StoreError {
        let (what, help) = match failure {
            Failure::TooLong => (String::from("it is longer than it may be"), None),
            Failure::TooLate => (String::from("no answer in time"), None),
            Failure::Service(error) => reason(error),
        };
        let place = format!("{}/{name}", self.place);
        let error = StoreError::new(ErrorKind::Unreachable, place, format!("cannot {doing}: {what}"));
        error.help(help.unwrap_or("lookups go on without it"))
    }
}

/// The status of a reply that was an error.
fn status(error: &opendal::Error) -> Option<u16> {
    let text = error.to_string();
    let digits = text.split_once("status: ")?.1;
    digits.get(..3)?.parse().ok()
}

/// Words for an error, without addresses: they may be signed, or have a password.
fn reason(error: &opendal::Error) -> (String, Option<&'static str>) {
    let text = error.to_string();
    let mut words: Vec<String> = Vec::new();
    words.extend(status(error).map(|status| format!("status {status}")));
    // Of Amazon's and Azure's replies.
    if let Some((_, rest)) = text.split_once("code: \"")
        && let Some((code, _)) = rest.split_once('"')
        && code.len() < 64
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
    {
        words.push(code.to_owned());
    }
    let mut source = error.source();
    while let Some(inner) = source.and_then(|source| source.source()) {
        source = Some(inner);
    }
    let inner = source.map(ToString::to_string).unwrap_or_default();
    let is_plain = !inner.is_empty() && inner.len() < 160 && !inner.contains(['?', '@', '=', '/']);
    words.extend(is_plain.then_some(inner));
    if words.is_empty() {
        words.push(error.kind().to_string());
    }
    let denied =
        matches!(status(error), Some(401 | 403)) || error.kind() == opendal::ErrorKind::PermissionDenied;
    (words.join(", "), denied.then_some("check the credentials in the environment; lookups go on without it"))
}

impl Objects for Service {
    fn place(&self) -> String {
        self.place.clone()
    }

    fn naming(&self) -> Naming {
        Naming::Listed
    }

    fn read(&self, name: &str, most: u64, size: Size) -> Result<Option<Vec<u8>>, StoreError> {
        let read = self.run(size, async || {
            let mut pieces = self.operator.reader(name).await?.into_stream(..).await?;
            let mut bytes: Vec<u8> = Vec::new();
            while let Some(piece) = pieces.try_next().await? {
                if bytes.len() as u64 + piece.len() as u64 > most {
                    return Err(Failure::TooLong);
                }
                piece.for_each(|part| bytes.extend_from_slice(&part));
            }
            Ok(bytes)
        });
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Failure::Service(error)) if error.kind() == opendal::ErrorKind::NotFound => Ok(None),
            Err(failure) => Err(self.error("read it", name, &failure)),
        }
    }

    fn write(&self, name: &str, bytes: &[u8], size: Size) -> Result<Written, StoreError> {
        let buffer = Buffer::from(bytes.to_vec());
        let written = self.run(size, async || {
            let write = self.operator.write_with(name, buffer.clone());
            // Some servers of Google's interface describe an object without a type in a way that is not read.
            match self.operator.info().full_capability().write_with_content_type {
                true => write.content_type("application/octet-stream").await?,
                false => write.await?,
            };
            Ok(())
        });
        match written {
            Ok(()) => Ok(Written::Done),
            Err(failure) => Err(self.error("write it", name, &failure)),
        }
    }

    fn list(&self, folder: &str) -> Result<Option<Vec<Listed>>, StoreError> {
        let listed = self.run(Size::Small, async || {
            let mut names = self.operator.lister(folder).await?;
            let mut listed = Vec::new();
            while let Some(entry) = names.try_next().await? {
                let modified = entry.metadata().last_modified().map(Into::into);
                listed.push(Listed { name: entry.name().to_owned(), modified });
                if listed.len() >= MAX_LISTED {
                    break;
                }
            }
            Ok(listed)
        });
        match listed {
            Ok(listed) => Ok(Some(listed)),
            Err(Failure::Service(error)) if cannot_list(&error) => Ok(None),
            Err(failure) => Err(self.error("list it", folder, &failure)),
        }
    }

    fn delete(&self, name: &str) -> Result<(), StoreError> {
        let deleted = self.run(Size::Small, async || Ok(self.operator.delete(name).await?));
        deleted.map_err(|failure| self.error("delete it", name, &failure))
    }
}

/// Whether the server has no listings, or none for this user.
fn cannot_list(error: &opendal::Error) -> bool {
    use opendal::ErrorKind::{PermissionDenied, Unsupported};
    matches!(error.kind(), PermissionDenied | Unsupported)
        || matches!(status(error), Some(400 | 403 | 405 | 501))
}
