//! Recorded query streams: files in which each query is a script of its own.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The scripts of a stream, in order; comments are gone.
pub(super) struct Stream {
    /// The file's name without its extensions.
    pub name: String,
    /// The scripts.
    pub queries: Vec<String>,
}

impl Stream {
    /// Reads the first queries of a file, plain or gzipped.
    pub(super) fn read(path: &Path, first: usize) -> Result<Stream, String> {
        let place = path.display().to_string();
        let file = path.file_name().and_then(|n| n.to_str()).unwrap_or(&place);
        let name = file.split('.').next().unwrap_or(file).to_string();
        let trouble = |e: std::io::Error| format!("{place}: {e}");
        let queries = if path.extension().is_some_and(|e| e == "gz") {
            let mut child = Command::new("gzip")
                .arg("-dc")
                .arg(path)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|e| format!("gzip: {e}\nhelp: unpack {place} yourself"))?;
            let output = child.stdout.take().ok_or("gzip: no output")?;
            let read = split(BufReader::new(output), first).map_err(trouble)?;
            if read.complete {
                let status = child.wait().map_err(trouble)?;
                if !status.success() {
                    return Err(format!("{place}: gzip: {status}"));
                }
            } else {
                // Enough was read; gzip would wait for the rest to be taken.
                let _ = child.kill();
                child.wait().map_err(trouble)?;
            }
            read.queries
        } else {
            split(BufReader::new(File::open(path).map_err(trouble)?), first).map_err(trouble)?.queries
        };
        if queries.is_empty() {
            return Err(format!("{place}: no line begins with \"; Query\""));
        }
        Ok(Stream { name, queries })
    }
}

struct Split {
    queries: Vec<String>,
    /// The end was reached.
    complete: bool,
}

fn split(reader: impl BufRead, first: usize) -> std::io::Result<Split> {
    let mut queries: Vec<String> = Vec::new();
    for line in reader.lines() {
        let line = line?;
        if line.starts_with("; Query") {
            if queries.len() == first {
                return Ok(Split { queries, complete: false });
            }
            queries.push(String::new());
        } else if let Some(query) = queries.last_mut()
            && !line.starts_with(';')
            && !line.is_empty()
        {
            query.push_str(&line);
            query.push('\n');
        }
    }
    Ok(Split { queries, complete: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_lie_between_comment_lines() {
        let text = "; made by hand\n; Query 0 -- Type: Truth\n(check-sat)\n;  OK\n\n; Query 1\n(assert \
            true)\n(check-sat)\n";
        let all = split(text.as_bytes(), 10).unwrap();
        assert_eq!(all.queries, ["(check-sat)\n", "(assert true)\n(check-sat)\n"]);
        assert!(all.complete);
        let one = split(text.as_bytes(), 1).unwrap();
        assert_eq!(one.queries, ["(check-sat)\n"]);
        assert!(!one.complete);
    }
}
