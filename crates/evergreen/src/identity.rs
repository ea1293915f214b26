//! What a solver says of itself, remembered as long as its file stays the same.
//!
//! Clients ask for name and version before anything else; starting the solver only for that would cost more
//! than all the rest of a warm run. So would reading its file: z3 has 29 MB, which take 20 ms to digest.

use evergreen_solver::Command;
use evergreen_store::{Key, Origin, Store};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

const VERSION: u8 = 1;
/// First byte: no record of an answer starts with it.
const MARK: u8 = 0xe0;

/// The key under which a reply is remembered; `None` when the program's file cannot be looked at.
pub fn key(command: &Command, question: &str) -> Option<Key> {
    let meta = std::fs::metadata(&command.program).ok()?;
    let mut text = b"evergreen solver identity".to_vec();
    for part in [
        command.program.to_string_lossy().as_bytes(),
        question.as_bytes(),
        command.args.join("\0").as_bytes(),
    ] {
        text.extend((part.len() as u64).to_le_bytes());
        text.extend(part);
    }
    for number in [meta.dev(), meta.ino(), meta.len(), meta.mtime() as u64, meta.mtime_nsec() as u64] {
        text.extend(number.to_le_bytes());
    }
    Some(Key(evergreen_canon::digest(&text)))
}

/// How long a file must have been left alone before its digest is remembered: two changes within one tick of
/// the file system's clock look like one.
const QUIET: Duration = Duration::from_secs(2);

/// The digest of a file, remembered in this machine's own store while nothing about the file changes: neither
/// its place, its length and its times, nor the time of its last change of any kind, which no program can
/// set. None of a file that cannot be read.
pub(crate) fn digest(file: &Path, store: Option<&dyn Store>) -> Option<[u8; 32]> {
    let meta = std::fs::metadata(file).ok()?;
    let key = |meta: &std::fs::Metadata| {
        let path = file.to_string_lossy();
        let times = [meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec()];
        let numbers = [meta.dev(), meta.ino(), meta.len()].into_iter().chain(times.map(|t| t as u64));
        let numbers: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
        Key(evergreen_canon::digest(&[b"evergreen digest of a file", &numbers[..], path.as_bytes()].concat()))
    };
    let before = key(&meta);
    if let Some(store) = store
        && let Ok(Some((bytes, Origin::Local))) = store.get_from(&before)
        && let Some(known) = decode(&bytes).as_deref().and_then(from_hex)
    {
        return Some(known);
    }
    let found = evergreen_canon::digest(&std::fs::read(file).ok()?);
    let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(meta.ctime().max(meta.mtime()).max(0) as u64);
    let is_quiet = SystemTime::now().duration_since(changed).is_ok_and(|since| since > QUIET);
    let is_same = std::fs::metadata(file).is_ok_and(|now| key(&now) == before);
    if let (Some(store), true, true) = (store, is_quiet, is_same) {
        let hex: String = found.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = store.put(&before, &encode(&hex));
    }
    Some(found)
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

/// The stored bytes of a reply.
pub fn encode(reply: &str) -> Vec<u8> {
    [&[MARK, VERSION], reply.as_bytes()].concat()
}

/// Reads a stored reply.
pub fn decode(bytes: &[u8]) -> Option<String> {
    match bytes {
        [MARK, VERSION, rest @ ..] => String::from_utf8(rest.to_vec()).ok(),
        _ => None,
    }
}

/// Whether stored bytes are a reply: for `store verify`.
pub fn check_bytes(bytes: &[u8]) -> bool {
    decode(bytes).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_store::Memory;

    #[test]
    fn a_digest_is_remembered_while_the_file_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("solver");
        let store = Memory::new(1 << 20);
        std::fs::write(&file, "one").unwrap();
        let one = evergreen_canon::digest(b"one");
        assert_eq!(digest(&file, Some(&store)), Some(one));
        // It was written just now: another change could have the same times.
        assert_eq!(store.stats().unwrap().entries, 0);
        std::thread::sleep(QUIET + Duration::from_millis(1100));
        assert_eq!(digest(&file, Some(&store)), Some(one));
        assert_eq!(store.stats().unwrap().entries, 1);
        // Whoever changes the content and sets the old time has changed the file all the same.
        let time = std::fs::metadata(&file).unwrap().modified().unwrap();
        std::fs::write(&file, "two").unwrap();
        std::fs::File::options().append(true).open(&file).unwrap().set_modified(time).unwrap();
        assert_eq!(digest(&file, Some(&store)), Some(evergreen_canon::digest(b"two")));
        assert_eq!(digest(&folder.path().join("none"), Some(&store)), None);
    }
}
