//! Files of the study, plain or gzipped by their names.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "gz")
}

/// Everything in a file. Of a packed one `gzip` reads as much as is wanted.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, String> {
    let trouble = |e: std::io::Error| format!("{}: {e}", path.display());
    let file = File::open(path).map_err(trouble)?;
    if !is_packed(path) {
        return Ok(Box::new(file));
    }
    let mut child = Command::new("gzip")
        .arg("-dc")
        .stdin(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("gzip: {e}\nhelp: unpack {} yourself", path.display()))?;
    let output = child.stdout.take().ok_or("gzip: no output")?;
    Ok(Box::new(Unpacking { child, output, ended: false }))
}

struct Unpacking {
    child: std::process::Child,
    output: std::process::ChildStdout,
    ended: bool,
}

impl Read for Unpacking {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.output.read(buffer)?;
        if count == 0 && !buffer.is_empty() && !self.ended {
            self.ended = true;
            let status = self.child.wait()?;
            if !status.success() {
                return Err(std::io::Error::other(format!("gzip: {status}")));
            }
        }
        Ok(count)
    }
}

impl Drop for Unpacking {
    fn drop(&mut self) {
        if !self.ended {
            // Enough was read; gzip would wait for the rest to be taken.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Writes a file; packed ones carry no time and no name, so that the same text gives the same bytes.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let trouble = |e: std::io::Error| format!("{}: {e}", path.display());
    if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(trouble)?;
    }
    let mut file = File::create(path).map_err(trouble)?;
    if !is_packed(path) {
        return file.write_all(bytes).map_err(trouble);
    }
    let mut child = Command::new("gzip")
        .args(["-9", "-n", "-c"])
        .stdin(Stdio::piped())
        .stdout(file)
        .spawn()
        .map_err(|e| format!("gzip: {e}\nhelp: leave the .gz away"))?;
    let written = child.stdin.take().ok_or("gzip: no input")?.write_all(bytes);
    let status = child.wait().map_err(trouble)?;
    written.map_err(trouble)?;
    if status.success() { Ok(()) } else { Err(format!("{}: gzip: {status}", path.display())) }
}
