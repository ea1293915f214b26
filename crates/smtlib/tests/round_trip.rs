//! A printed term is read back as the same term: on the corpus and on random scripts.

use evergreen_smtlib::{Command, Context, print_declarations, print_term};
use evergreen_structures::Random;
use evergreen_term::{TermId, Terms};
use std::path::{Path, PathBuf};

/// All files of the corpus.
fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 100, "the corpus is missing");
    files
}

/// Prints and reads a term in the same context.
fn check_term(terms: &mut Terms, context: &mut Context, term: TermId) {
    let text = print_term(terms, term);
    let again = context.read_term(terms, text.as_bytes());
    assert_eq!(again, Ok(term), "{text}");
}

/// Reads a script; prints and reads again every term in it. Returns the assertions.
fn check_script(terms: &mut Terms, text: &str, origin: &str) -> Vec<TermId> {
    let mut context = Context::new(terms);
    let mut assertions = Vec::new();
    let script = context_free_commands(text);
    for command in script {
        match context.read(terms, command) {
            Ok(Command::Assert { term, .. }) => {
                check_term(terms, &mut context, term);
                assertions.push(term);
            }
            Ok(Command::GetValue(list) | Command::CheckSatAssuming(list)) => {
                for item in list {
                    check_term(terms, &mut context, item.term);
                }
            }
            Ok(_) => {}
            Err(error) if origin.contains("errors") => drop(error),
            Err(error) => {
                let at = evergreen_smtlib::Position::START;
                panic!("{}", error.render(origin, command, at))
            }
        }
    }
    assertions
}

fn context_free_commands(text: &str) -> Vec<&[u8]> {
    let mut splitter = evergreen_smtlib::Splitter::new();
    splitter.feed(text.as_bytes());
    splitter.finish();
    let mut commands = Vec::new();
    while let Some(piece) = splitter.next_piece() {
        let start = piece.offset as usize;
        commands.push(&text.as_bytes()[start..start + piece.text.len()]);
    }
    commands
}

#[test]
fn the_corpus_is_understood_and_printed_back() {
    for path in corpus() {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        check_script(&mut Terms::new(), &text, &path.display().to_string());
    }
}

/// The sorts of random terms.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Bool,
    Int,
    Real,
    Byte,
    Array,
    List,
    String,
}

const DECLARATIONS: &str = "(declare-sort U 0)(declare-const u U)(declare-fun g (U Int) U)
(declare-datatypes ((Lst 0)) (((nil) (cons (hd Int) (tl Lst)))))
(declare-const p Bool)(declare-const |q r| Bool)(declare-const x Int)(declare-const ?0 Int)
(declare-const ?l0 Real)(declare-const y Real)(declare-const b (_ BitVec 8))
(declare-const m (Array Int (_ BitVec 8)))(declare-const l Lst)(declare-const s String)
(declare-fun f (Int Bool) Int)
(define-fun twice ((a Int)) Int (+ a a))
(define-fun bigger ((a Int)) Bool (exists ((b Int)) (and (< a b) (forall ((c Int)) (< a (+ b c))))))
(define-fun all-bigger () Bool (forall ((c Int)) (bigger c)))
(define-fun-rec len ((l Lst)) Int (ite ((_ is nil) l) 0 (+ 1 (len (tl l)))))
";

/// A random term; `scope` holds the variables of enclosing binders and lets.
fn random_term(random: &mut Random, of: Of, fuel: usize, scope: &mut Vec<(String, Of)>) -> String {
    if fuel == 0 || random.below(8) == 0 {
        let local: Vec<&str> = scope.iter().filter(|v| v.1 == of).map(|v| v.0.as_str()).collect();
        if !local.is_empty() && random.below(3) > 0 {
            return local[random.below(local.len())].to_owned();
        }
        return leaf(random, of).to_owned();
    }
    if random.below(6) == 0 {
        return random_let(random, of, fuel, scope);
    }
    let mut sub = |random: &mut Random, of| {
        let less = random.below(fuel);
        random_term(random, of, less, scope)
    };
    match of {
        Of::Bool => match random.below(10) {
            0 => random_quantifier(random, fuel, scope),
            1 => format!("(bigger {})", sub(random, Of::Int)),
            2 => format!("(= {} {})", sub(random, Of::Byte), sub(random, Of::Byte)),
            3 => format!("(< {} {})", sub(random, Of::Int), sub(random, Of::Real)),
            4 => format!("(bvult {} {})", sub(random, Of::Byte), sub(random, Of::Byte)),
            5 => format!("((_ is cons) {})", sub(random, Of::List)),
            6 => format!("(str.<= {} {})", sub(random, Of::String), sub(random, Of::String)),
            7 => format!("(= {} {})", sub(random, Of::Array), sub(random, Of::Array)),
            _ => {
                let word = random.pick(&["and", "or", "=>", "xor", "=", "distinct"]);
                format!("({word} {} {})", sub(random, Of::Bool), sub(random, Of::Bool))
            }
        },
        Of::Int => match random.below(6) {
            0 => format!("(f {} {})", sub(random, Of::Int), sub(random, Of::Bool)),
            1 => format!("(twice {})", sub(random, Of::Int)),
            2 => format!("(- {})", sub(random, Of::Int)),
            3 => format!("(hd {})", sub(random, Of::List)),
            4 => format!("(len {})", sub(random, Of::List)),
            _ => {
                let word = random.pick(&["+", "-", "*", "div"]);
                format!("({word} {} {})", sub(random, Of::Int), sub(random, Of::Int))
            }
        },
        Of::Real => match random.below(3) {
            0 => format!("(/ {} {})", sub(random, Of::Int), sub(random, Of::Real)),
            1 => format!("(- {})", sub(random, Of::Real)),
            _ => format!("(+ {} {})", sub(random, Of::Int), sub(random, Of::Real)),
        },
        Of::Byte => match random.below(4) {
            0 => format!("(select {} {})", sub(random, Of::Array), sub(random, Of::Int)),
            1 => format!("((_ extract 9 2) ((_ sign_extend 3) {}))", sub(random, Of::Byte)),
            2 => format!("(bvnot {})", sub(random, Of::Byte)),
            _ => format!("(bvadd {} {})", sub(random, Of::Byte), sub(random, Of::Byte)),
        },
        Of::Array => {
            format!("(store {} {} {})", sub(random, Of::Array), sub(random, Of::Int), sub(random, Of::Byte))
        }
        Of::List => match random.below(3) {
            0 => format!("(tl {})", sub(random, Of::List)),
            1 => format!("((_ update-field hd) {} {})", sub(random, Of::List), sub(random, Of::Int)),
            _ => format!("(cons {} {})", sub(random, Of::Int), sub(random, Of::List)),
        },
        Of::String => format!("(str.++ {} {})", sub(random, Of::String), sub(random, Of::String)),
    }
}

fn leaf(random: &mut Random, of: Of) -> &'static str {
    match of {
        Of::Bool => random.pick(&["p", "|q r|", "true", "all-bigger", "(= u (g u 1))"]),
        Of::Int => random.pick(&["x", "?0", "0", "17", "(- 3)", "123456789012345678901234567890"]),
        Of::Real => random.pick(&["y", "?l0", "1.5", "(/ 1 3)", "(- 2.0)"]),
        Of::Byte => random.pick(&["b", "#x0f", "#b00000001", "(_ bv200 8)"]),
        Of::Array => random.pick(&["m", "((as const (Array Int (_ BitVec 8))) #x00)"]),
        Of::List => random.pick(&["l", "nil"]),
        Of::String => random.pick(&["s", "\"a\"\"\\u{1F600}\\\"", "\"\""]),
    }
}

fn random_let(random: &mut Random, of: Of, fuel: usize, scope: &mut Vec<(String, Of)>) -> String {
    let bound = [Of::Bool, Of::Int, Of::Byte, Of::List][random.below(4)];
    let value = random_term(random, bound, fuel - 1, scope);
    let name = random.pick(&["x", "v", "w", "?l1", "f"]).to_owned();
    // A let variable may hide a function or a variable of another sort: those are then not used.
    let hidden = scope.iter().position(|v| v.0 == name);
    if hidden.is_some() || name == "f" || (name == "x" && bound != Of::Int) {
        return random_term(random, of, fuel - 1, scope);
    }
    scope.push((name.clone(), bound));
    let body = random_term(random, of, fuel - 1, scope);
    scope.pop();
    format!("(let (({name} {value})) {body})")
}

fn random_quantifier(random: &mut Random, fuel: usize, scope: &mut Vec<(String, Of)>) -> String {
    let word = random.pick(&["forall", "exists"]);
    let (name, of, sort) = match random.below(3) {
        0 => (format!("i{}", scope.len()), Of::Int, "Int"),
        1 => (format!("c{}", scope.len()), Of::Byte, "(_ BitVec 8)"),
        _ => (format!("k{}", scope.len()), Of::List, "Lst"),
    };
    scope.push((name.clone(), of));
    let body = random_term(random, Of::Bool, fuel - 1, scope);
    let text = if random.below(3) == 0 {
        let pattern = random_term(random, of, fuel / 2, scope);
        format!("({word} (({name} {sort})) (! {body} :pattern ({pattern})))")
    } else {
        format!("({word} (({name} {sort})) {body})")
    };
    scope.pop();
    text
}

#[test]
fn random_terms_are_printed_back() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    for round in 0..4000 {
        let mut terms = Terms::new();
        let term = random_term(&mut random, Of::Bool, 2 + round % 9, &mut Vec::new());
        let script = format!("{DECLARATIONS}(assert {term})");
        let assertions = check_script(&mut terms, &script, &script);
        check_declarations(&mut terms, &assertions);
    }
}

/// The printed declarations suffice to read the printed assertions, in a context of their own.
fn check_declarations(terms: &mut Terms, assertions: &[TermId]) {
    let declarations = print_declarations(terms, assertions).expect("no parametric datatypes");
    let mut context = Context::new(terms);
    for command in context_free_commands(&declarations) {
        if let Err(error) = context.read(terms, command) {
            panic!(
                "{}\n{declarations}",
                error.render("declarations", command, evergreen_smtlib::Position::START)
            );
        }
    }
    for &assertion in assertions {
        let text = print_term(terms, assertion);
        let again = context.read_term(terms, text.as_bytes()).expect("a printed term is read");
        // Datatypes and recursive functions are declared anew, so terms over them are new terms, and the lets
        // of their text may come in another order.
        assert_eq!(print_term(terms, again).len(), text.len(), "{text}");
    }
}

#[test]
fn shared_terms_are_printed_once() {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    context.read(&mut terms, b"(declare-const x Int)").expect("a declaration");
    let mut text = String::from("(assert (= 0 ");
    const DEPTH: usize = 200;
    for _ in 0..DEPTH {
        text += "(let ((x (+ x x))) ";
    }
    text += &format!("x{}))", ")".repeat(DEPTH));
    let Ok(Command::Assert { term, .. }) = context.read(&mut terms, text.as_bytes()) else {
        panic!("not understood")
    };
    // Written out, the term has 2^200 nodes.
    assert!(print_term(&terms, term).len() < 40 * DEPTH);
    check_term(&mut terms, &mut context, term);
}
