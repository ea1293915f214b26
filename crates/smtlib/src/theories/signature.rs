//! Signatures: `(Set a) (Set a)+ -> (Set a)`.
//!
//! Small letters stand for any sort, the same letter for the same one. Capital letters stand for any sort of
//! a
//! kind: `V` and `W` bit vectors, `F` finite fields, `N` integers or reals. `Bit` is a bit vector of one bit.
//! A parameter with `+` takes one argument or more.

use super::fields;
use super::fitting;
use evergreen_term::{Sort, SortId, TermId, Terms};

/// What the letters of a signature stand for.
type Letters = [Option<SortId>; 128];

/// The sort of the result and the arguments, with integers made real where the signature wants that.
pub(super) fn result(terms: &mut Terms, signature: &str, args: &[TermId]) -> Option<(SortId, Vec<TermId>)> {
    let (params, result) = signature.rsplit_once("-> ").map(|(p, r)| (items(p), r))?;
    let repeated = params.iter().filter(|param| param.ends_with('+')).count();
    let extra = args.len().checked_sub(params.len())?;
    if extra > 0 && repeated != 1 {
        return None;
    }
    let mut letters: Letters = [None; 128];
    let mut fitted = Vec::with_capacity(args.len());
    let mut rest = args.iter().copied();
    for param in params {
        let (param, count) = match param.strip_suffix('+') {
            Some(param) => (param, 1 + extra),
            None => (param, 1),
        };
        for arg in rest.by_ref().take(count) {
            fitted.push(fit(terms, param, arg, &mut letters)?);
        }
    }
    Some((build(terms, result, &letters)?, fitted))
}

/// The argument, if its sort is of the pattern's kind.
fn fit(terms: &mut Terms, pattern: &str, arg: TermId, letters: &mut Letters) -> Option<TermId> {
    if matches(terms, pattern, terms.sort_of(arg), letters) {
        return Some(arg);
    }
    let wanted = build(terms, pattern, letters)?;
    fitting(terms, arg, wanted)
}

fn matches(terms: &Terms, pattern: &str, sort: SortId, letters: &mut Letters) -> bool {
    if let Some(inner) = inside(pattern) {
        let parts = items(inner);
        let Some((&head, parts)) = parts.split_first() else { return false };
        let args: Vec<SortId> = match (head, terms.sort_kind(sort)) {
            ("Array", Sort::Array(index, element)) => vec![*index, *element],
            ("Seq", Sort::Seq(element)) => vec![*element],
            (_, Sort::Opaque(name, args)) if terms.text(*name) == head => args.to_vec(),
            _ => return false,
        };
        return args.len() == parts.len()
            && parts.iter().zip(args).all(|(part, arg)| matches(terms, part, arg, letters));
    }
    match pattern.as_bytes() {
        &[letter] => {
            let kind = match letter {
                b'V' | b'W' => matches!(terms.sort_kind(sort), Sort::BitVec(_)),
                b'F' => fields::is_field(terms, sort),
                b'N' => matches!(sort, SortId::INT | SortId::REAL),
                letter => letter.is_ascii_lowercase(),
            };
            kind && *letters[usize::from(letter & 127)].get_or_insert(sort) == sort
        }
        _ => named(pattern) == Some(sort) || pattern == "Bit" && *terms.sort_kind(sort) == Sort::BitVec(1),
    }
}

fn named(pattern: &str) -> Option<SortId> {
    Some(match pattern {
        "Bool" => SortId::BOOL,
        "Int" => SortId::INT,
        "Real" => SortId::REAL,
        "String" => SortId::STRING,
        "RegLan" => SortId::REGLAN,
        _ => return None,
    })
}

fn build(terms: &mut Terms, pattern: &str, letters: &Letters) -> Option<SortId> {
    if let Some(inner) = inside(pattern) {
        let parts = items(inner);
        let (&head, parts) = parts.split_first()?;
        let mut args = Vec::with_capacity(parts.len());
        for part in parts {
            args.push(build(terms, part, letters)?);
        }
        return Some(match (head, &args[..]) {
            ("Array", &[index, element]) => terms.array_sort(index, element),
            ("Seq", &[element]) => terms.sort(Sort::Seq(element)),
            _ => {
                let name = terms.name(head);
                terms.sort(Sort::Opaque(name, args.into()))
            }
        });
    }
    match pattern.as_bytes() {
        &[letter] => letters[usize::from(letter & 127)],
        b"Bit" => Some(terms.bitvec_sort(1)),
        _ => named(pattern),
    }
}

fn inside(pattern: &str) -> Option<&str> {
    pattern.strip_prefix('(')?.strip_suffix(')')
}

/// The parts of a text, which are separated by blanks outside of parentheses.
fn items(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b' ' if depth == 0 => {
                if at > start {
                    found.push(&text[start..at]);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}
