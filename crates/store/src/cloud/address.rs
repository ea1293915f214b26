//! Addresses of object storage, and the services behind them.
//!
//! Credentials come from the variables that each provider's own tools read, never from messages: an address
//! is shown without them.

use std::env;

use opendal::{Operator, services};

use crate::{ErrorKind, FORMAT_VERSION, StoreError};

/// Where the objects are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    scheme: Scheme,
    /// The bucket or container; of a web server scheme, host and port.
    bucket: String,
    /// Folders within it, without slashes at the ends.
    prefix: String,
    /// Name and password that the address of a web server has.
    login: Option<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    S3,
    Google,
    Azure,
    Web,
}

impl Address {
    /// Reads an address.
    pub(super) fn read(spec: &str) -> Result<Address, StoreError> {
        let (name, rest) = spec.split_once("://").unwrap_or((spec, ""));
        let scheme = match name {
            "s3" => Scheme::S3,
            "gs" | "gcs" => Scheme::Google,
            "azblob" => Scheme::Azure,
            _ => Scheme::Web,
        };
        let (mut bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let mut login = None;
        if let (Scheme::Web, Some((before, host))) = (scheme, bucket.rsplit_once('@')) {
            let (user, password) = before.split_once(':').unwrap_or((before, ""));
            login = Some((decoded(user), decoded(password)));
            bucket = host;
        }
        // Not the whole text: it may have a password where none belongs.
        let wrong = |message: &str, help: &str| {
            Err(StoreError::new(ErrorKind::Spec, format!("{name}://"), message).help(help))
        };
        if bucket.contains(['?', '#', '@']) {
            return wrong(MORE, MORE_HELP);
        }
        let prefix = read_prefix(name, prefix)?;
        if bucket.is_empty() {
            let help = match scheme {
                Scheme::Web => format!("{name}://host/path"),
                _ => format!("{name}://bucket/prefix"),
            };
            return wrong("the address names no place", &format!("write {help}"));
        }
        let bucket = match scheme {
            Scheme::Web => format!("{name}://{bucket}"),
            _ => bucket.to_owned(),
        };
        Ok(Address { scheme, bucket, prefix, login })
    }

    /// The address without credentials.
    pub(super) fn shown(&self) -> String {
        let slash = if self.prefix.is_empty() || self.bucket.is_empty() { "" } else { "/" };
        let scheme = match self.scheme {
            Scheme::S3 => "s3://",
            Scheme::Google => "gs://",
            Scheme::Azure => "azblob://",
            Scheme::Web => "",
        };
        format!("{scheme}{}{slash}{}", self.bucket, self.prefix)
    }

    /// The service, before any request.
    pub(super) fn operator(&self) -> Result<Operator, StoreError> {
        let root = format!("/{}", folder(&self.prefix));
        let operator = match self.scheme {
            Scheme::S3 => Operator::new(self.s3(&root)).map(|builder| builder.finish()),
            Scheme::Google => Operator::new(self.google(&root)).map(|builder| builder.finish()),
            Scheme::Azure => Operator::new(self.azure(&root)?).map(|builder| builder.finish()),
            Scheme::Web => Operator::new(self.web(&root)).map(|builder| builder.finish()),
        };
        operator.map_err(|_| {
            let (what, help) = self.needs();
            StoreError::new(ErrorKind::Spec, self.shown(), what).help(help)
        })
    }

    /// What is missing when a service cannot even be named.
    fn needs(&self) -> (&'static str, &'static str) {
        match self.scheme {
            Scheme::S3 => ("not an S3 bucket", "set AWS_REGION, or AWS_ENDPOINT_URL for another server"),
            Scheme::Google => ("not a bucket of Google's", "set GOOGLE_APPLICATION_CREDENTIALS"),
            Scheme::Azure => (
                "no account of Azure's storage is known",
                "set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY",
            ),
            Scheme::Web => ("not an address of a web server", "write https://host/path"),
        }
    }

    /// Keys come from the environment, from `~/.aws`, from a role: the library looks as Amazon's own does.
    fn s3(&self, root: &str) -> services::S3 {
        let region = first(&["AWS_REGION", "AWS_DEFAULT_REGION"]);
        let mut builder = services::S3::default()
            .bucket(&self.bucket)
            .root(root)
            .region(region.as_deref().unwrap_or("us-east-1"))
            // A bucket that everyone may read needs no key.
            .allow_anonymous();
        if let Some(endpoint) = first(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]) {
            builder = builder.endpoint(&endpoint);
        }
        builder
    }

    fn google(&self, root: &str) -> services::Gcs {
        let mut builder = services::Gcs::default().bucket(&self.bucket).root(root).allow_anonymous();
        if let Some(endpoint) = first(&["STORAGE_EMULATOR_HOST"]) {
            builder = builder.endpoint(&endpoint).disable_vm_metadata();
        }
        builder
    }

    fn azure(&self, root: &str) -> Result<services::Azblob, StoreError> {
        if let Some(text) = first(&["AZURE_STORAGE_CONNECTION_STRING"]) {
            let builder = services::Azblob::from_connection_string(&text).map_err(|_| {
                let message = "AZURE_STORAGE_CONNECTION_STRING is not understood";
                StoreError::new(ErrorKind::Spec, self.shown(), message)
            })?;
            return Ok(builder.container(&self.bucket).root(root));
        }
        let mut builder = services::Azblob::default().container(&self.bucket).root(root);
        if let Some(account) = first(&["AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME"]) {
            builder = builder.account_name(&account);
            let usual = format!("https://{account}.blob.core.windows.net");
            let endpoint = first(&["AZURE_STORAGE_SERVICE_ENDPOINT"]).unwrap_or(usual);
            builder = builder.endpoint(&endpoint);
        }
        if let Some(key) = first(&["AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY"]) {
            builder = builder.account_key(&key);
        }
        if let Some(token) = first(&["AZURE_STORAGE_SAS_TOKEN"]) {
            builder = builder.sas_token(&token);
        }
        Ok(builder)
    }

    fn web(&self, root: &str) -> services::Webdav {
        let mut builder = services::Webdav::default().endpoint(&self.bucket).root(root);
        let named = first(&["WEBDAV_USERNAME"]).map(|user| {
            let password = first(&["WEBDAV_PASSWORD"]).unwrap_or_default();
            (user, password)
        });
        if let Some((user, password)) = self.login.clone().or(named) {
            builder = builder.username(&user).password(&password);
        } else if let Some(token) = first(&["WEBDAV_TOKEN"]) {
            builder = builder.token(&token);
        }
        builder
    }
}

const MORE: &str = "the address has more than a name and a path";
const MORE_HELP: &str = "credentials and options are variables";

/// The path of an address, without slashes at the ends; `scheme` is for messages.
pub(super) fn read_prefix(scheme: &str, prefix: &str) -> Result<String, StoreError> {
    let wrong = |message: &str, help: &str| {
        Err(StoreError::new(ErrorKind::Spec, format!("{scheme}://"), message).help(help))
    };
    if prefix.contains(['?', '#']) {
        return wrong(MORE, MORE_HELP);
    }
    if prefix.split('/').any(|part| part == "." || part == "..") {
        return wrong("the path has '.' or '..' in it", "write the path that is meant");
    }
    Ok(prefix.trim_matches('/').to_owned())
}

/// The folder of all objects under a prefix. Objects of other formats have other folders.
pub(super) fn folder(prefix: &str) -> String {
    let slash = if prefix.is_empty() { "" } else { "/" };
    format!("{prefix}{slash}evergreen-{FORMAT_VERSION}/")
}

/// The first of some variables that is set and not empty.
fn first(names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
}

/// Text with `%3A` and the like replaced; what is no such escape stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let byte = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        out.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown_without_credentials() {
        let shown =
            |spec: &str| Address::read(spec).map(|address| address.shown()).map_err(|e| e.to_string());
        for spec in ["s3://b/p/q", "gs://b", "azblob://c/p", "https://host:81/dav/x"] {
            assert_eq!(shown(spec).as_deref(), Ok(spec));
        }
        assert_eq!(shown("gcs://b/p/").as_deref(), Ok("gs://b/p"));
        assert_eq!(shown("http://u:s%3Acret@host/dav").as_deref(), Ok("http://host/dav"));
        let login = Address::read("http://u:s%3Acr%zt@host/dav").unwrap().login;
        assert_eq!(login, Some(("u".into(), "s:cr%zt".into())));
    }

    #[test]
    fn bad_addresses_name_the_way_out_and_no_secret() {
        let failure = |spec: &str| Address::read(spec).unwrap_err().to_string();
        assert_eq!(failure("s3://"), "s3://: the address names no place\nhelp: write s3://bucket/prefix");
        assert_eq!(
            failure("https:///x"),
            "https://: the address names no place\nhelp: write https://host/path"
        );
        for spec in ["s3://b/p?key=secret", "https://host/x#secret", "s3://secret@b/p", "gs://b?secret"] {
            let text = failure(spec);
            assert!(text.contains("more than a name and a path") && !text.contains("secret"), "{text}");
        }
        assert!(failure("s3://b/../c").contains("'..'"));
    }
}
