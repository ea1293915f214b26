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
    for text in pieces {
        match context.read(&mut terms, &text) {
            Ok(Command::Assert { term, .. }) => round_trip(&mut context, &mut terms, term),
            Ok(Command::GetValue(list) | Command::CheckSatAssuming(list)) => {
                for item in list {
                    round_trip(&mut context, &mut terms, item.term);
                }
            }
            Ok(_) => {}
            Err(error) => {
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

fn round_trip(context: &mut Context, terms: &mut Terms, term: TermId) {
    let text = print_term(terms, term);
    if let Ok(again) = context.read_term(terms, text.as_bytes()) {
        assert_eq!(again, term, "{text}");
    } else {
        panic!("not read back: {text}");
    }
    let _ = print_declarations(terms, &[term]);
}
