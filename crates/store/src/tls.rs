//! TLS for connections to Redis servers: which certificates are trusted, and the stream under a connection.

use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// A stream over TLS.
pub(crate) type TlsStream = Box<StreamOwned<ClientConnection, TcpStream>>;

/// The client's half of a session with a host. `certificates` (PEM) are trusted in place of the system's.
pub(crate) fn client(host: &str, certificates: Option<&[u8]>) -> io::Result<ClientConnection> {
    let config = Arc::new(configure(certificates)?);
    let name = ServerName::try_from(host.to_string()).map_err(io::Error::other)?;
    ClientConnection::new(config, name).map_err(io::Error::other)
}

fn configure(certificates: Option<&[u8]>) -> io::Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    match certificates {
        Some(pem) => {
            for certificate in read_certificates(pem)? {
                roots.add(certificate).map_err(io::Error::other)?;
            }
        }
        None => {
            // One that cannot be read is one that is not trusted.
            let (_added, _ignored) =
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    Ok(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

fn read_certificates(pem: &[u8]) -> io::Result<Vec<CertificateDer<'static>>> {
    CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(io::Error::other)
}

/// Reads certificates to see whether they are some.
pub(crate) fn check_certificates(path: &Path, pem: &[u8]) -> Result<(), String> {
    match read_certificates(pem) {
        Ok(certificates) if certificates.is_empty() => {
            Err(format!("{}: no certificate in it", path.display()))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
