//! Measures the stages of reading on given files: `read_speed FILE…`.

use std::hint::black_box;
use std::time::Instant;

use evergreen_smtlib::{Command, Context, Splitter, Tape};
use evergreen_term::Terms;

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
        report(&path, "terms", text.len(), || elaborate(&path, &text));
    }
}

/// Reads all commands into one arena; a new script begins after each `exit`.
fn elaborate(path: &str, text: &[u8]) -> usize {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let mut splitter = Splitter::new();
    for chunk in text.chunks(1 << 16) {
        splitter.feed(chunk);
        while let Some(piece) = splitter.next_piece() {
            match context.read(&mut terms, piece.text) {
                Ok(Command::Exit) => context.reset(),
                Ok(Command::Opaque) => eprintln!("opaque: {}", String::from_utf8_lossy(piece.text)),
                Ok(_) => {}
                Err(error) => eprint!("{}", error.render(path, piece.text, piece.position())),
            }
        }
    }
    terms.len()
}

fn fail(path: &str, text: &[u8], error: &evergreen_smtlib::Diagnostic) -> ! {
    eprint!("{}", error.render(path, text, evergreen_smtlib::Position::START));
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
    // The clock ticks every few milliseconds.
    let repeats = 50_000_000 / bytes.max(1) + 1;
    for _ in 0..3 {
        let start = cpu_seconds();
        for _ in 0..repeats {
            items = black_box(run());
        }
        best = best.min((cpu_seconds() - start) / repeats as f64);
    }
    let rate = bytes as f64 / best / 1e6;
    println!("{path}: {stage}: {items} items, {rate:.0} MB/s");
}

/// Time that this thread has run, so that a busy machine does not matter; else the wall clock.
fn cpu_seconds() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |n| n / 1e9)
}
