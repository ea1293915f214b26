//! The reader against `yaspar`, an independent reader of SMT-LIB 2.7: both accept or both reject.
//!
//! Deliberate differences of the lexicon, each avoided by the generator below:
//! - `yaspar` reads `#| … |#` only when told to: it is told to.
//! - `yaspar` takes Unicode text (`&str`), the tape takes bytes: mutants that are not UTF-8 must be
//!   rejected by the tape unless the bad bytes are in a comment; `yaspar` is not asked.
//! - `yaspar` 2.7.2 does not return from a block comment that is never closed: it is not asked.
//! - `yaspar` rejects keywords that are a colon and a reserved word or command (`:let`, `:push`); the
//!   standard's grammar has no such exception for keywords.

use evergreen_smtlib::{Kind, Tape};
use yaspar::tokens::Token;

/// A small pseudo-random generator (xorshift): tests must repeat exactly.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound
    }
}

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
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
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
