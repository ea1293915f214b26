//! Measures the stages of reading on given files: `read_speed FILE…`.

use std::hint::black_box;
use std::time::Instant;

use evergreen_smtlib::{Splitter, Tape};

fn main() {
    for path in std::env::args().skip(1) {
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                std::process::exit(2);
            }
        };
        report(&path, "split", text.len(), || split(&text));
        report(&path, "tape", text.len(), || match Tape::read(&text) {
            Ok(tape) => tape.len(),
            Err(error) => fail(&path, &text, &error),
        });
    }
}

fn fail(path: &str, text: &[u8], error: &evergreen_smtlib::Diagnostic) -> ! {
    eprint!(
        "{}",
        error.render(path, text, evergreen_smtlib::Position::START)
    );
    std::process::exit(2);
}

fn split(text: &[u8]) -> usize {
    let mut splitter = Splitter::new();
    let mut pieces = 0;
    for chunk in text.chunks(1 << 16) {
        splitter.feed(chunk);
        while let Some(piece) = splitter.next_piece() {
            pieces += black_box(piece.text.len()).min(1);
        }
    }
    pieces
}

fn report(path: &str, stage: &str, bytes: usize, run: impl Fn() -> usize) {
    let mut best = f64::INFINITY;
    let mut items = 0;
    for _ in 0..3 {
        let start = Instant::now();
        items = black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
    }
    let rate = bytes as f64 / best / 1e6;
    println!("{path}: {stage}: {items} items, {rate:.0} MB/s");
}
