//! The reader against `yaspar`, an independent reader of SMT-LIB 2.7: both accept or both reject.
//!
//! Deliberate differences of the lexicon, each avoided by the generator below:
//! - `yaspar` reads `#| … |#` only with an option, which this test sets.
//! - `yaspar` takes Unicode text (`&str`), the tape takes bytes: mutants that are not UTF-8 must be
//!   rejected by the tape unless the bad bytes are in a comment; `yaspar` is not asked.
//! - `yaspar` 2.7.2 does not return from a block comment that is never closed: it is not asked.
//! - `yaspar` rejects keywords that are a colon and a reserved word or command (`:let`, `:push`); the
//!   standard's grammar has no such exception for keywords.
//!
//! The grammar: `yaspar` must accept every text that the reader understands. The reverse does not
//! hold, because the reader also checks sorts and scopes. Deliberate differences, where solvers
//! are laxer than the standard:
//! - `(push)`, `(pop)` and `(declare-sort S)` without their numeral;
//! - a constructor without fields may be written without parentheses;
//! - attribute values may be lists (the standard allows them, `yaspar` does not), `:no-pattern`;
//! - `(check-sat-assuming (t …))` and `(get-value ())` are read alike by both;
//! - names of commands may be used as symbols, as in z3;
//! - `minimize`, `maximize`, `assert-soft`, `check-sat-using` (z3's).

use evergreen_smtlib::{Command, Context, Kind, Tape};
use evergreen_structures::Random;
use evergreen_term::Terms;
use yaspar::tokens::Token;

const SEEDS: &[&str] = &[
    "(set-logic QF_AUFBV )\n(declare-fun json () (Array (_ BitVec 32) (_ BitVec 8) ) )",
    "(assert (let ( (?B1 (select  json (_ bv0 32) ) ) ) (=  false (=  (_ bv255 8) ?B1 ) ) ) )",
    "(set-info :source |a \"quoted\" symbol (with parens) ; and more|)",
    "(echo \"a \"\"string\"\" | with ; all\")(push 1)(pop 10) ; comment | \" (",
    "(assert (! (> x 1.50) :named a1 :pattern ((f x))))",
    "(assert (= #xDeadBeef #b0101 ((_ extract 31 0) y)))\n",
    "#| block ; comment |# (check-sat)(get-value (x))",
    "(set-option :smt.arith.nl false) (a ~!@$%^&*_-+=<>.?/ z0)",
    "(assert (str.in_re \"\\u{1F600}ä\" re.all))\r\n\t(exit)",
];

/// The kinds of all tokens of `text`, by the tape.
fn ours(text: &str) -> Option<Vec<(Kind, String)>> {
    let tape = Tape::read(text.as_bytes()).ok()?;
    let token = |index| {
        let atom = String::from_utf8_lossy(tape.atom(index));
        let text = match tape.kind(index) {
            Kind::Open => "(".into(),
            Kind::String => atom.replace("\"\"", "\""),
            _ => atom.into_owned(),
        };
        (tape.kind(index), text)
    };
    Some((0..tape.len()).map(token).collect())
}

/// The same by `yaspar`; parentheses are checked here because its tokenizer does not.
fn theirs(text: &str) -> Option<Vec<(Kind, String)>> {
    let mut depth = 0_i64;
    let mut out = Vec::new();
    for token in yaspar::tokenize_str(text, true) {
        let (_, token, _) = token.ok()?;
        let shown = token.to_string();
        out.push(match token {
            Token::Lparen => {
                depth += 1;
                (Kind::Open, shown)
            }
            Token::Rparen => {
                depth -= 1;
                (Kind::Close, shown)
            }
            Token::Numeral(_) => (Kind::Numeral, shown),
            Token::Decimal(_) => (Kind::Decimal, shown),
            Token::Hexadecimal(_) => (Kind::Hex, shown),
            Token::Binary(_) => (Kind::Binary, shown),
            Token::String(text) => (Kind::String, text),
            Token::QuotSymbol(text) => (Kind::Quoted, text),
            Token::Keyword(_) => (Kind::Keyword, shown),
            _ => (Kind::Symbol, shown),
        });
        if depth < 0 {
            return None;
        }
    }
    (depth == 0).then_some(out)
}

/// True if a keyword is one of those that only `yaspar` rejects.
fn has_reserved_keyword(tokens: &[(Kind, String)]) -> bool {
    tokens.iter().filter(|t| t.0 == Kind::Keyword).any(|t| {
        let word = &t.1[1..];
        yaspar::tokens::COMMAND_MAP.contains_key(word) || yaspar::tokens::is_reserved_special_symbol(word)
    })
}

/// Both readers must accept with the same tokens, or both reject.
fn compare(text: &str) -> bool {
    if text.rfind("#|").is_some_and(|at| !text[at + 2..].contains("|#")) {
        return false;
    }
    let (ours, theirs) = (ours(text), theirs(text));
    if ours.as_deref().is_some_and(has_reserved_keyword) {
        return false;
    }
    assert_eq!(ours.is_some(), theirs.is_some(), "{text:?}");
    let (Some(ours), Some(theirs)) = (&ours, &theirs) else {
        return false;
    };
    assert_eq!(ours.len(), theirs.len(), "{text:?}");
    for (our, their) in ours.iter().zip(theirs) {
        assert_eq!(our.0, their.0, "{our:?} {their:?} in {text:?}");
        // Numbers are printed from their value: 1.50 as 1.5, #xAF as #xaf.
        if !matches!(our.0, Kind::Decimal | Kind::Hex) {
            assert_eq!(our.1, their.1, "in {text:?}");
        }
    }
    true
}

#[test]
fn the_seeds_are_accepted() {
    for seed in SEEDS {
        assert!(compare(seed), "{seed}");
    }
}

#[test]
fn mutants_are_accepted_or_rejected_alike() {
    let alphabet = "()\"|;#\\:\n \t0123456789abxyzABF.-_{}[]',`äbvlet\u{7f}\u{1}";
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    const ROUNDS: usize = 60_000;
    for round in 0..ROUNDS {
        let mut text: Vec<char> = SEEDS[round % SEEDS.len()].chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            let c = alphabet[random.below(alphabet.len())];
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 => text[at] = c,
                2 => text.insert(at, c),
                _ => text.swap(at, 0),
            }
            if text.is_empty() {
                text.push(' ');
            }
        }
        accepted += usize::from(compare(&text.iter().collect::<String>()));
    }
    // The comparison is worth something only if both outcomes are common.
    assert!(accepted > ROUNDS / 10 && accepted < ROUNDS * 9 / 10, "{accepted}");
}

/// Scripts of the corpus that the mutants below are made from.
const SCRIPTS: &[&str] = &[
    "(declare-fun x () Int)(declare-const y Int)(assert (! (< x (+ y 1)) :named a))(check-sat-assuming (a \
     (not a)))",
    "(declare-datatypes ((T 0)) (((leaf) (node (val Int) (left T)))))(declare-const t T)(assert (match t \
     ((leaf true) ((node v l) (> v 0)))))",
    "(declare-sort S 1)(define-sort I () Int)(declare-fun f ((S I)) Bool)(assert (forall ((z (S Int))) (! (f \
     z) :pattern ((f z)))))",
    "(declare-const b (_ BitVec 8))(assert (= ((_ extract 3 0) b) #xf (_ bv3 4)))(get-value (b (bvadd b \
     #x01)))",
    "(define-fun g ((u Int) (v Bool)) Int (ite v u 1))(assert (let ((q (g 1 true))) (= q 2)))(push 1)(pop \
     1)(echo \"x\")",
    "(define-funs-rec ((e ((n Int)) Bool)) ((ite (= n 0) true (e (- n 1)))))(assert (exists ((k Int)) (e \
     k)))(set-info :status sat)",
    "(declare-const m (Array Int Int))(assert (= m ((as const (Array Int Int)) 0)))(set-option \
     :produce-models true)(get-info :name)",
];

/// Whether the reader understands every command.
fn understood(text: &str) -> bool {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let script = context.read_script(&mut terms, text.as_bytes());
    script.is_ok_and(|script| script.iter().all(|item| item.command != Command::Opaque))
}

/// The tokens of a text, each as source.
fn tokens(text: &str) -> Vec<String> {
    let tape = Tape::read(text.as_bytes()).expect("a seed is well-formed");
    let token = |index| match tape.kind(index) {
        Kind::Open => "(".to_owned(),
        Kind::Close => ")".to_owned(),
        _ => String::from_utf8_lossy(tape.source(index)).into_owned(),
    };
    (0..tape.len()).map(token).collect()
}

#[test]
fn what_is_understood_is_grammatical() {
    let mut random = Random::new(0x0bad_cafe_dead_beef);
    let (mut accepted, mut rejected) = (0, 0);
    for script in SCRIPTS {
        assert!(understood(script), "{script}");
        assert!(yaspar::Parser::new().parse(script).is_ok(), "{script}");
        let seed = tokens(script);
        for _ in 0..4000 {
            let mut mutant = seed.clone();
            for _ in 0..1 + random.below(2) {
                let at = random.below(mutant.len());
                let other = random.below(mutant.len());
                match random.below(4) {
                    0 => drop(mutant.remove(at)),
                    1 => mutant[at] = mutant[other].clone(),
                    2 => mutant.insert(at, seed[random.below(seed.len())].clone()),
                    _ => mutant.swap(at, other),
                }
            }
            let text = mutant.join(" ");
            if !understood(&text) || is_known_difference(&text) {
                rejected += 1;
                continue;
            }
            accepted += 1;
            assert!(yaspar::Parser::new().parse(&text).is_ok(), "{text}");
        }
    }
    assert!(accepted > 500 && rejected > 500, "{accepted} accepted, {rejected} rejected");
}

/// Whether a text may be one of the differences named at the head of this file.
fn is_known_difference(text: &str) -> bool {
    let lax = ["( push )", "( pop )", "( declare-sort S )"].iter().any(|lax| text.contains(lax));
    let Ok(tape) = Tape::read(text.as_bytes()) else { return false };
    let commands: Vec<usize> = tape.roots().map(|root| root + 1).collect();
    let is_command = |index: &usize| {
        let atom = String::from_utf8_lossy(tape.atom(*index));
        yaspar::tokens::COMMAND_MAP.contains_key(&*atom) && !commands.contains(index)
    };
    lax || (0..tape.len()).any(|index| is_command(&index))
}
