//! Reads a script and prints it again from its terms: `reprint FILE`.
//!
//! Declarations are copied, every term is printed from the arena with definitions expanded. A
//! solver must give the same verdicts on both texts.

use evergreen_smtlib::{Command, Context, Splitter, print_symbol, print_term};
use evergreen_term::Terms;

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: reprint FILE");
        std::process::exit(2);
    };
    let text = std::fs::read(&path).unwrap_or_else(|error| {
        eprintln!("{path}: {error}");
        std::process::exit(2);
    });
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let mut splitter = Splitter::new();
    splitter.feed(&text);
    splitter.finish();
    while let Some(piece) = splitter.next_piece() {
        match context.read(&mut terms, piece.text) {
            Ok(Command::Assert { term, label, .. }) => {
                let body = print_term(&terms, term);
                match label {
                    Some(name) => println!("(assert (! {body} :named {}))", print_symbol(terms.text(name))),
                    None => println!("(assert {body})"),
                }
            }
            Ok(Command::CheckSatAssuming(list)) => {
                let list: Vec<String> = list.iter().map(|s| print_term(&terms, s.term)).collect();
                println!("(check-sat-assuming ({}))", list.join(" "));
            }
            Ok(Command::DefineFun { .. } | Command::GetValue(_)) => {}
            Ok(command) => {
                if command == Command::Exit {
                    context.reset();
                }
                println!("{}", String::from_utf8_lossy(piece.text));
            }
            Err(error) => {
                eprint!("{}", error.render(&path, piece.text, piece.position()));
                println!("{}", String::from_utf8_lossy(piece.text));
            }
        }
    }
}
