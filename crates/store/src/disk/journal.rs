//! The journal: entries that were put and not yet written in a batch, so that `kill -9` loses nothing.
//!
//! Clients kill their solver right after its last answer; a batch comes up to 10 ms later, and an fsync
//! before every answer costs more than many answers do. So each put is also appended to a file of this
//! process, with one `write(2)` and without fsync: a few microseconds, and the kernel keeps it whatever
//! happens to the process. The batch's fsync protects against a power cut. A process that opens the store for
//! writing takes over the journals of dead processes.
//!
//! A journal belongs to the process that holds its `flock`; the kernel releases the lock when the process
//! ends, in whatever way. Only the process that created a journal writes it, and only the holder of the
//! lock removes it. Names rise with time, so that of two values that one process put under one key the
//! later one is recovered last.
//!
//! # Why no put is lost
//! A put goes *P* into the queue, then *A* into the current file, then returns. A pass of the writer does *R*
//! rotate (later appends go to a new file; the files so far are due), *T* take the queue as a batch, *C*
//! commit, *D* delete the due files. Passes never overlap. Every entry in a due file has P < A < R < T: it is
//! in this batch or was in an earlier one. If the earlier batch failed, its entries returned to the queue
//! before this R, and are in this batch as well. So after C all of them are in the data file, and D loses
//! nothing. At each moment of a kill:
//! - before A ends: the put has not returned. The entry may still be found: it is in a
//!   batch, or whole in the file.
//! - A before R: in a due file until D, and in the data file since C, which came first.
//! - A after R, P before T: in the batch, and needlessly in the new file. Recovering it finds
//!   the same value in the store.
//! - A after R, P after T: in the new file, which this pass does not touch, and in the queue for the next.
//! - C fails: nothing is deleted; the files stay due, for the next pass that succeeds or for another process.
//!
//! The other order, A before P, would lose: A, R, T, P, C, D leaves the entry in the queue
//! alone. So would T before R.
//!
//! Taking over follows the same rule. The entries go into the queue, then the old file becomes due with the
//! next R; it stays until it is deleted, so a recovering process may be killed too. Of two processes that
//! open the store at once, `flock` admits one; the other sees the entries when the first has written them.
//! The process that gets the lock checks that the path still leads to that file: another process may have
//! recovered and removed it between opening and locking. The same holds for a newly created file, whose
//! creator then takes another name.
//!
//! # A batch that does not come
//! Another process may stop in the middle of its batch, and a flush must not wait for it. Then
//! [`Journal::secure`] makes the waiting entries durable, the process ends, and the next
//! process recovers its journal.
//!
//! # What a journal may bring back
//! A key that was removed (pruned) after it was put, or an older value than another process put meanwhile.
//! Both are harmless: the value was put under that key, and a record does not become untrue by age. The next
//! pruning removes it again.

#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::xxh3_64;

use crate::envelope::{FIRST_VERSION, FORMAT_VERSION, MAX_VALUE_BYTES};
use crate::memory::lock;
use crate::safety::Guard;
use crate::{Bytes, Key, OldEntries, Origin};

const PREFIX: &str = "journal-";
const MAGIC: &[u8; 8] = b"evg-jrnl";
const HEADER_BYTES: usize = 16;
/// An entry without its value: length, key, origin, checksum.
const ENTRY_BYTES: usize = 4 + 32 + 1 + 8;
/// The same in format 1.
const FIRST_ENTRY_BYTES: usize = 4 + 32 + 8;
/// Beyond either, in all files that this process holds, puts only wait for their batch: where batches fail
/// for ever, journals must not fill the disk.
const MAX_BYTES: u64 = 64 << 20;
const MAX_FILES: usize = 128;
/// How often another name is tried when another process took the first.
const ATTEMPTS: usize = 16;

pub(super) struct Journal {
    directory: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Where appends go.
    current: Option<Held>,
    /// Taken over since the last rotation.
    adopted: Vec<Held>,
    /// Deleted after the next batch that succeeds.
    due: Vec<Held>,
    /// An append failed: none is tried before the next rotation, since a reader stops at half an entry.
    stalled: bool,
    /// Whether entries were put since the last rotation, or before it and not yet written, that are in no
    /// journal.
    missed: bool,
    missed_due: bool,
}

impl State {
    fn held(&self) -> impl Iterator<Item = &Held> {
        self.current.iter().chain(&self.adopted).chain(&self.due)
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.held().map(|held| held.bytes).sum::<u64>() + bytes as u64 <= MAX_BYTES
            && self.held().count() < MAX_FILES + usize::from(self.current.is_some())
    }
}

/// A journal file that this process has locked; the lock ends with it.
pub(super) struct Held {
    file: File,
    path: PathBuf,
    bytes: u64,
}

/// How reading a journal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// At the end, or at the damage that hides the rest for good.
    Complete,
    /// Before the end: a file of another version, an unreadable disk, a callback that
    /// broke off. The journal stays.
    Early,
}

impl Journal {
    pub(super) fn new(directory: PathBuf) -> Journal {
        Journal { directory, state: Mutex::default() }
    }

    /// Appends an entry that is already in the queue. An error is reported once; then no append is
    /// tried until the rotation.
    pub(super) fn append(&self, key: &Key, value: &[u8], origin: Origin) -> io::Result<()> {
        let entry = entry(key, value, origin);
        let mut state = lock(&self.state);
        if state.stalled || !state.has_room(entry.len()) {
            state.missed = true;
            return Ok(());
        }
        let appended = match &mut state.current {
            Some(current) => current.append(&entry),
            none => Held::create(&self.directory).and_then(|held| none.insert(held).append(&entry)),
        };
        state.stalled = appended.is_err();
        state.missed |= state.stalled;
        appended
    }

    /// Before a batch is taken: all entries appended so far are in that batch or in an earlier one.
    pub(super) fn rotate(&self) {
        let state = &mut *lock(&self.state);
        state.due.append(&mut state.adopted);
        state.due.extend(state.current.take());
        state.stalled = false;
        state.missed_due |= std::mem::take(&mut state.missed);
    }

    /// After that batch was committed: deletes the files rotated before it.
    pub(super) fn delete_rotated(&self) {
        let mut state = lock(&self.state);
        state.missed_due = false;
        let due = std::mem::take(&mut state.due);
        drop(state);
        due.into_iter().for_each(Held::delete);
    }

    /// Makes the entries durable that wait for their batch, and returns whether all of them are. For callers
    /// that cannot wait for the batch.
    pub(super) fn secure(&self) -> bool {
        let state = lock(&self.state);
        !state.missed && !state.missed_due && state.held().all(|held| held.file.sync_data().is_ok())
    }

    /// Keeps a dead process's journal, whose entries are in the queue, until they are written.
    pub(super) fn adopt(&self, held: Held) {
        lock(&self.state).adopted.push(held);
    }

    /// Whether there is any file to delete.
    pub(super) fn in_use(&self) -> bool {
        lock(&self.state).held().next().is_some()
    }

    /// Whether nothing more can be taken over before a batch is written.
    pub(super) fn is_full(&self) -> bool {
        !lock(&self.state).has_room(0)
    }
}

impl Held {
    /// A new, empty journal.
    fn create(directory: &Path) -> io::Result<Held> {
        for _ in 0..ATTEMPTS {
            let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            let path = directory.join(format!("{PREFIX}{nanos:020}-{}", std::process::id()));
            let options = OpenOptions::new().append(true).create_new(true).mode(0o600).clone();
            let file = match options.open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                result => result?,
            };
            // Without the lock the file is left to the holder of the lock, which finds it empty.
            if let Some(mut held) = Held::lock(file, path)? {
                return match held.append(&header(FORMAT_VERSION)) {
                    Ok(()) => Ok(held),
                    Err(error) => {
                        held.delete();
                        Err(error)
                    }
                };
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Takes over the journal of a dead process. `None` if its owner is alive or another process was faster.
    pub(super) fn take_over(path: &Path, guard: Guard) -> io::Result<Option<Held>> {
        // Opening something else of that name must neither follow nor wait.
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file = match OpenOptions::new().read(true).write(true).custom_flags(flags).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            result => result?,
        };
        let data = file.metadata()?;
        if !data.is_file() || !guard.allows(&data) {
            return Ok(None);
        }
        Held::lock(file, path.to_path_buf())
    }

    fn lock(file: File, path: PathBuf) -> io::Result<Option<Held>> {
        // SAFETY: the descriptor is open for the whole call.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
            let error = io::Error::last_os_error();
            return if error.kind() == io::ErrorKind::WouldBlock { Ok(None) } else { Err(error) };
        }
        if !leads_to(&path, &file) {
            return Ok(None);
        }
        let bytes = file.metadata()?.len();
        Ok(Some(Held { file, path, bytes }))
    }

    /// Appends with one call: a second one could be cut off from the first by a kill.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        loop {
            match self.file.write(bytes) {
                Ok(written) if written == bytes.len() => break,
                // The disk filled up on the way.
                Ok(_) => return Err(io::ErrorKind::StorageFull.into()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Reads entries in their order up to the first damage, where a kill or a power
    /// cut has stopped the writer.
    pub(super) fn read(&self, each: EachEntry<'_>) -> Ending {
        read_entries(&self.file, each).unwrap_or(Ending::Early)
    }

    /// The entries of a journal of an earlier format; `None` if it is of another one.
    pub(super) fn old_entries(&self) -> Option<OldEntries> {
        count_old(&self.file).ok().flatten()
    }

    /// Deletes while the file is locked, so that no process recovers it in between.
    pub(super) fn delete(self) {
        // If this fails it is recovered once more, which changes nothing.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Called for each entry that was read.
type EachEntry<'a> = &'a mut dyn FnMut(Key, Bytes, Origin) -> ControlFlow<()>;

/// Reads a journal without taking it over, whether its owner is alive or not: every complete entry was put.
/// For readers without write access.
pub(super) fn look_into(path: &Path, guard: Guard, each: EachEntry<'_>) -> io::Result<()> {
    if let Some(file) = open(path, guard)? {
        read_entries(&file, each)?;
    }
    Ok(())
}

/// Counts the entries of a journal of an earlier format, whether its owner lives or not.
pub(super) fn look_for_old(path: &Path, guard: Guard) -> io::Result<Option<OldEntries>> {
    open(path, guard)?.map_or(Ok(None), |file| count_old(&file))
}

fn open(path: &Path, guard: Guard) -> io::Result<Option<File>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let data = file.metadata()?;
    Ok((data.is_file() && guard.allows(&data)).then_some(file))
}

fn read_entries(file: &File, each: EachEntry<'_>) -> io::Result<Ending> {
    let mut reader = BufReader::new(file);
    let mut head = [0; HEADER_BYTES];
    if !fill(&mut reader, &mut head)? {
        return Ok(Ending::Complete);
    }
    if head != header(FORMAT_VERSION) {
        let version = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        let other = version >= FIRST_VERSION && head == header(version);
        return Ok(if other { Ending::Early } else { Ending::Complete });
    }
    let mut bytes = Vec::new();
    while let Some(value_bytes) = read_entry(&mut reader, ENTRY_BYTES, &mut bytes)? {
        let Some((key, value, origin)) = open_entry(&bytes, value_bytes) else { break };
        if each(key, value, origin).is_break() {
            return Ok(Ending::Early);
        }
    }
    Ok(Ending::Complete)
}

/// Reads the bytes of an entry that has `overhead` bytes beside its value, as far as they are there. The
/// bytes that its value shall have; `None` at the end.
fn read_entry(reader: &mut impl Read, overhead: usize, bytes: &mut Vec<u8>) -> io::Result<Option<usize>> {
    let mut length = [0; 4];
    if !fill(reader, &mut length)? {
        return Ok(None);
    }
    let value_bytes = u32::from_le_bytes(length) as usize;
    if value_bytes > MAX_VALUE_BYTES {
        return Ok(None);
    }
    bytes.clear();
    bytes.extend_from_slice(&length);
    // Reads the bytes that exist, so that a wrong length costs no more memory than the file has bytes.
    let rest = (value_bytes + overhead - length.len()) as u64;
    reader.take(rest).read_to_end(bytes)?;
    Ok(Some(value_bytes))
}

/// The entries of a journal of format 1, which differ in that they have no origin.
fn count_old(file: &File) -> io::Result<Option<OldEntries>> {
    let mut reader = BufReader::new(file);
    let mut head = [0; HEADER_BYTES];
    if !fill(&mut reader, &mut head)? || head != header(FIRST_VERSION) {
        return Ok(None);
    }
    let (mut old, mut bytes) = (OldEntries::default(), Vec::new());
    while let Some(value_bytes) = read_entry(&mut reader, FIRST_ENTRY_BYTES, &mut bytes)? {
        if whole(&bytes).is_none_or(|content| content.len() != value_bytes + 36) {
            break;
        }
        old.count(value_bytes as u64);
    }
    Ok(Some(old))
}

/// The journals in a directory, the oldest first, of any owner. A directory that cannot be listed has none.
pub(super) fn list(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| is_name(name))
        .collect();
    names.sort_unstable();
    names.iter().map(|name| directory.join(name)).collect()
}

fn is_name(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(nanos, process)| nanos.len() == 20 && digits(nanos) && digits(process))
}

/// Whether a path names this very file.
pub(super) fn leads_to(path: &Path, file: &File) -> bool {
    let identity = |data: std::fs::Metadata| (data.dev(), data.ino());
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(ours), Ok(theirs)) => identity(ours) == identity(theirs),
        _ => false,
    }
}

fn header(version: u32) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&version.to_le_bytes());
    bytes
}

fn entry(key: &Key, value: &[u8], origin: Origin) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ENTRY_BYTES + value.len());
    // `check_size` has bounded it.
    bytes.extend_from_slice(&(value.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&key.0);
    bytes.push(origin.mark());
    bytes.extend_from_slice(value);
    let sum = xxh3_64(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

fn open_entry(bytes: &[u8], value_bytes: usize) -> Option<(Key, Bytes, Origin)> {
    let (key, rest) = whole(bytes)?.get(4..)?.split_first_chunk::<32>()?;
    let (mark, value) = rest.split_first()?;
    let origin = Origin::from_mark(*mark)?;
    (value.len() == value_bytes).then(|| (Key(*key), Bytes::from(value), origin))
}

/// The bytes of an entry without its checksum, if that is right.
fn whole(bytes: &[u8]) -> Option<&[u8]> {
    let (content, sum) = bytes.split_last_chunk::<8>()?;
    (xxh3_64(content) == u64::from_le_bytes(*sum)).then_some(content)
}

/// Reads a whole piece; `false` at the end of the file.
fn fill(reader: &mut impl Read, piece: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(piece) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        result => result.map(|()| true),
    }
}
