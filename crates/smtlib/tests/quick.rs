//! Commands that are read without a tape mean what the general reader says, whatever was read before them.
//!
//! `Context::read` takes the quick way where it can, and remembers texts; `Context::read_script` always makes
//! a tape and remembers nothing. Both read the same random scripts into one arena, so equal terms are equal
//! ids. What is asserted is compared constraint by constraint.

use evergreen_smtlib::{Command, Context};
use evergreen_structures::Random;
use evergreen_term::{Fun, Op, TermId, Terms};

/// Reads a command both ways and compares: the same command, or an error at the same place.
fn compare(terms: &mut Terms, quick: &mut Context, general: &mut Context, text: &str) {
    let found = quick.read(terms, text.as_bytes());
    let script = general.read_script(terms, text.as_bytes());
    let expected = match script {
        Ok(mut script) if script.len() == 1 => {
            let located = script.remove(0);
            match located.complaint {
                Some(complaint) => Err(complaint),
                None => Ok(located.command),
            }
        }
        Ok(script) => panic!("{} commands: {text}", script.len()),
        Err(complaint) => Err(complaint),
    };
    match (&found, &expected) {
        // Conjunctions on the surface of an assertion are one here.
        (Ok(Command::Assert { term: found, .. }), Ok(Command::Assert { term: expected, .. })) => {
            assert_eq!(surface(terms, *found), surface(terms, *expected), "{text}");
        }
        (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
        (Err(found), Err(expected)) => {
            assert_eq!((found.offset, &found.message), (expected.offset, &expected.message), "{text}");
        }
        _ => panic!("{text}\nquick: {found:?}\ngeneral: {expected:?}"),
    }
}

/// The constraints that an assertion is the conjunction of, in order.
fn surface(terms: &Terms, assertion: TermId) -> Vec<TermId> {
    match terms.op(assertion) {
        Op::Fun(Fun::And) => terms.args(assertion).iter().flat_map(|&arg| surface(terms, arg)).collect(),
        _ => vec![assertion],
    }
}

const ARRAYS: [&str; 3] = ["a", "buffer_of_the_program", "b"];

/// A random term of a width, over arrays, constants and variables of `let`s.
fn term(random: &mut Random, width: u32, variables: &[(String, u32)], depth: u32) -> String {
    let of_width: Vec<&String> = variables.iter().filter(|v| v.1 == width).map(|v| &v.0).collect();
    if !of_width.is_empty() && random.one_in(3) {
        return (*random.choose(&of_width)).clone();
    }
    let value = random.below(1 << width.min(7));
    if depth == 0 || random.one_in(5) {
        return match random.below(3) {
            0 if width == 8 => format!("(select  {} (_ bv{value} 32) )", random.pick(&ARRAYS)),
            1 if width == 8 => format!("#x{value:02x}"),
            _ => format!("(_ bv{value} {width})"),
        };
    }
    let sub = |random: &mut Random, width| term(random, width, variables, depth - 1);
    match (width, random.below(5)) {
        (8, 0) => format!("(select  {} {} )", random.pick(&ARRAYS), sub(random, 32)),
        (8, 1) => format!("((_ extract 15  8)  {} )", sub(random, 32)),
        (32, 0) => format!("((_ zero_extend 24)  {} )", sub(random, 8)),
        (32, 1) => {
            let bytes: Vec<String> = (0..4).map(|_| sub(random, 8)).collect();
            format!("(concat  {} (concat  {} (concat  {} {} ) ) )", bytes[0], bytes[1], bytes[2], bytes[3])
        }
        (_, 2) => format!(
            "(ite  {} {} {} )",
            truth(random, variables, depth - 1),
            sub(random, width),
            sub(random, width)
        ),
        (_, 3) => format!("(bvand {} {})", sub(random, width), sub(random, width)),
        _ => format!("(bvadd  {} {} )", sub(random, width), sub(random, width)),
    }
}

fn truth(random: &mut Random, variables: &[(String, u32)], depth: u32) -> String {
    let width = *random.choose(&[8, 32]);
    let sub = |random: &mut Random| term(random, width, variables, depth.saturating_sub(1));
    match random.below(7) {
        0 | 1 if depth > 0 => {
            let parts: Vec<String> = (0..2).map(|_| truth(random, variables, depth - 1)).collect();
            format!("(and  {} {} )", parts[0], parts[1])
        }
        2 => format!("(=  false {} )", truth(random, variables, depth.saturating_sub(1))),
        3 => format!("(bvslt {} {})", sub(random), sub(random)),
        4 => "true".into(),
        _ => format!("(=  {} {} )", sub(random), sub(random)),
    }
}

/// An assertion with nested `let`s, whose variables have the same few names every time. Now and then
/// something is wrong with it, or of a kind that only the general reader knows.
fn assertion(random: &mut Random) -> String {
    let mut variables: Vec<(String, u32)> = Vec::new();
    let (mut text, mut open) = (String::from("(assert "), 0);
    for _ in 0..random.below(3) {
        let mut bound: Vec<(String, u32)> = Vec::new();
        text += "(let ( ";
        for _ in 0..1 + random.below(3) {
            let width = *random.choose(&[8, 32]);
            let name = match random.below(12) {
                0 => "a".to_string(),
                1 => "|?B1|".to_string(),
                n => format!("?B{}", 1 + n % 5),
            };
            text += &format!("({name} {} ) ", term(random, width, &variables, 2));
            bound.push((name, width));
        }
        text += ") ";
        open += 1;
        variables.retain(|old| bound.iter().all(|new| new.0.trim_matches('|') != old.0.trim_matches('|')));
        variables.extend(bound);
    }
    text += &truth(random, &variables, 3);
    text += &" )".repeat(open + 1);
    match random.below(30) {
        0 => text.replace("select", "selct"),
        1 => text.replace("#x", "#y"),
        2 => text.replace("bv0 ", "bv00 "),
        3 => text.replace("(and", "(xor"),
        4 => text.replace("(_ bv", "( _  bv"),
        5 => text.replace("32)", "032)"),
        6 => text.replacen("(assert ", "(assert ; a remark\n", 1),
        7 => text.replace("(and  ", "(! (and  "),
        8 => text.replace(" )", " ) )"),
        9 => text.replace("?B1", "?B9"),
        10 => text.replace("(_ bv5 8)", "5"),
        11 => text.replace("true", "(forall ((?B1 (_ BitVec 8))) (= ?B1 ?B1))"),
        _ => text,
    }
}

/// What comes between assertions: declarations under the same names, with other sorts and other meanings.
fn between(random: &mut Random) -> Vec<String> {
    let (reset, array) = ("(reset)".to_string(), random.pick(&ARRAYS));
    let element = *random.choose(&[8, 8, 8, 16]);
    let declared = format!("(declare-fun {array} () (Array (_ BitVec 32) (_ BitVec {element})))");
    match random.below(14) {
        0 | 1 => vec![reset],
        2 => vec!["(push 1)".into(), declared],
        3 => vec!["(pop 1)".into()],
        4 => vec![format!(
            "(define-fun {array} () (Array (_ BitVec 32) (_ BitVec 8)) ((as const (Array \
             (_ BitVec 32) (_ BitVec 8))) #x07))"
        )],
        5 => vec![format!("(define-fun {array} ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x #x01))")],
        6 if random.one_in(4) => vec!["(declare-fun bvadd (Int) Int)".into()],
        7 => vec!["(declare-fun ?B1 () (_ BitVec 8))".into()],
        8 => vec![format!("(get-value ( {} {} ) )", term(random, 8, &[], 2), term(random, 32, &[], 1))],
        _ => vec![declared],
    }
}

#[test]
fn random_scripts_are_read_as_the_general_reader_reads_them() {
    let mut read = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let (mut quick, mut general) = (Context::new(&mut terms), Context::new(&mut terms));
        for array in ARRAYS {
            let declared = format!("(declare-fun {array} () (Array (_ BitVec 32) (_ BitVec 8)))");
            compare(&mut terms, &mut quick, &mut general, &declared);
        }
        // Few different assertions, asked again and again among changing declarations.
        let texts: Vec<String> = (0..25).map(|_| assertion(&mut random)).collect();
        for _ in 0..120 {
            if random.one_in(3) {
                for command in between(&mut random) {
                    compare(&mut terms, &mut quick, &mut general, &command);
                }
            }
            let text = random.choose(&texts).clone();
            compare(&mut terms, &mut quick, &mut general, &text);
            read +=
                usize::from(matches!(quick.read(&mut terms, text.as_bytes()), Ok(Command::Assert { .. })));
            let _ = general.read_script(&mut terms, text.as_bytes());
        }
    }
    assert!(read > 1_000, "only {read} assertions are right");
}
