//! Any bytes are a script: nothing may panic, pieces do not depend on where the input is cut, and a term that
//! was read is read back from its own print as the same term.
#![no_main]

use evergreen_smtlib::{Command, Context, PieceKind, Position, Splitter, print_term};
use evergreen_term::Terms;
use libfuzzer_sys::fuzz_target;

/// Kind and text of every piece, when the input arrives in two halves.
fn pieces(text: &[u8], cut: usize) -> Vec<(PieceKind, Vec<u8>)> {
    let mut splitter = Splitter::new();
    let mut found = Vec::new();
    for part in [&text[..cut], &text[cut..]] {
        splitter.feed(part);
        while let Some(piece) = splitter.next_piece() {
            found.push((piece.kind, piece.text.to_vec()));
        }
    }
    splitter.finish();
    while let Some(piece) = splitter.next_piece() {
        let _ = piece.complaint().map(|c| c.render("fuzz", piece.text, piece.position()));
        found.push((piece.kind, piece.text.to_vec()));
    }
    found
}

fuzz_target!(|data: &[u8]| {
    let cut = data.first().map_or(0, |&b| usize::from(b) % (data.len() + 1));
    let whole = pieces(data, data.len());
    assert_eq!(whole, pieces(data, cut), "cut at {cut}");
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    // After a declaration that was refused, a definition may mean what its own text no longer can.
    let mut refused = false;
    for (kind, text) in &whole {
        if *kind != PieceKind::Command {
            continue;
        }
        match context.read(&mut terms, text) {
            Ok(Command::Assert { term, .. } | Command::Minimize(term)) => {
                let printed = print_term(&terms, term);
                match context.read_term(&mut terms, printed.as_bytes()) {
                    Ok(again) => assert_eq!(again, term, "{printed}"),
                    Err(_) if refused => {}
                    Err(e) => panic!("{printed}\n{}", e.render("print", printed.as_bytes(), Position::START)),
                }
            }
            Ok(_) => {}
            Err(complaint) => refused |= !complaint.render("fuzz", text, Position::START).is_empty(),
        }
    }
});
