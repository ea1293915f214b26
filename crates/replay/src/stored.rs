//! A zip archive whose entries are not compressed: the probed classes of a program as one file.
//!
//! A library has thousands of classes, and a run makes and removes them all: as files of their own they cost
//! more than the tests that use a few of them.

use evergreen_classfile::crc32;

/// An archive that is being written.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    /// The entries, each behind its header.
    bytes: Vec<u8>,
    /// Their headers again, as the end of the archive has them.
    directory: Vec<u8>,
    count: u64,
}

/// The most entries and bytes of an archive without the extensions for more.
const MOST: (u64, usize) = (u16::MAX as u64 - 1, u32::MAX as usize - 1);

impl Stored {
    /// Adds a file; `false` if no more fits.
    pub(crate) fn add(&mut self, name: &str, content: &[u8]) -> bool {
        let end = self.bytes.len() + self.directory.len() + 2 * name.len() + content.len() + 200;
        if self.count >= MOST.0 || end >= MOST.1 || name.len() > usize::from(u16::MAX) {
            return false;
        }
        let start = self.bytes.len() as u32;
        let (sum, size) = (crc32(content), content.len() as u32);
        // Version 1.0, names in UTF-8, stored, 1980-01-01 0:00; sum, sizes, length of the name, no extras.
        let mut header = Vec::new();
        for half in [10_u16, 1 << 11, 0, 0, 0x21] {
            header.extend(half.to_le_bytes());
        }
        for word in [sum, size, size] {
            header.extend(word.to_le_bytes());
        }
        header.extend((name.len() as u16).to_le_bytes());
        header.extend([0, 0]);
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&header);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(content);
        self.directory.extend(b"PK\x01\x02\x0a\x00");
        self.directory.extend(&header);
        // No comment, the first disk, no attributes; where the entry is.
        self.directory.extend([0; 10]);
        self.directory.extend(start.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
        true
    }

    /// The archive.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len() as u32;
        let (count, size) = (self.count as u16, self.directory.len() as u32);
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(count.to_le_bytes());
        self.bytes.extend(count.to_le_bytes());
        self.bytes.extend(size.to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0, 0]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::Stored;
    use evergreen_classfile::Zip;

    #[test]
    fn an_archive_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("all.jar");
        let mut stored = Stored::default();
        assert!(stored.add("a/B.class", b"first") && stored.add("c/\u{e4}.class", b""));
        std::fs::write(&file, stored.finish()).expect("written");
        let zip = Zip::open(&file).expect("an archive");
        assert_eq!(zip.names().collect::<Vec<_>>().len(), 2);
        assert_eq!(zip.find("a/B.class").expect("read").as_deref(), Some(&b"first"[..]));
        assert_eq!(zip.find("c/\u{e4}.class").expect("read").as_deref(), Some(&b""[..]));
    }
}
