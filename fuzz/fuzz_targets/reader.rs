//! Any bytes: the reader never panics, pieces do not depend on chunks, and what it understands is
//! printed as text that it reads as the same term.
//!
//! Run with `RUSTC_BOOTSTRAP=1 cargo fuzz run reader`, or seeded by the corpus:
//! `cp corpus/*/*.smt2 fuzz/corpus/reader/`.

#![no_main]

use evergreen_smtlib::{Command, Context, Position, Splitter, Tape, print_declarations, print_term};
use evergreen_term::{TermId, Terms};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let pieces = split(bytes, bytes.len().max(1));
    assert_eq!(pieces, split(bytes, 1));
    if let Err(error) = Tape::read(bytes) {
        error.render("fuzz", bytes, Position::START);
    }
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let mut clean = true;
    for text in pieces {
        match context.read(&mut terms, &text) {
            Ok(Command::Assert { term, .. }) => round_trip(&mut context, &mut terms, term, clean),
            Ok(Command::GetValue(list) | Command::CheckSatAssuming(list)) => {
                for item in list {
                    round_trip(&mut context, &mut terms, item.term, clean);
                }
            }
            Ok(command) => clean &= command != Command::Opaque,
            Err(error) => {
                clean = false;
                assert!(error.offset <= text.len());
                error.render("fuzz", &text, Position::START);
            }
        }
    }
});

fn split(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
    let mut splitter = Splitter::new();
    let mut pieces = Vec::new();
    for chunk in bytes.chunks(size) {
        splitter.feed(chunk);
        while let Some(piece) = splitter.next_piece() {
            pieces.push(piece.text.to_vec());
        }
    }
    splitter.finish();
    while let Some(piece) = splitter.next_piece() {
        pieces.push(piece.text.to_vec());
    }
    pieces
}

/// After a command that was not understood some names are refused, also those of a term that got
/// in through a definition; but what is read is always the same term.
fn round_trip(context: &mut Context, terms: &mut Terms, term: TermId, clean: bool) {
    let text = print_term(terms, term);
    match context.read_term(terms, text.as_bytes()) {
        Ok(again) => assert_eq!(again, term, "{text}"),
        Err(error) => assert!(!clean, "{}\n{text}", error.message),
    }
    let _ = print_declarations(terms, &[term]);
}
