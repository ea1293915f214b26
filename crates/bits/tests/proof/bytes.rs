//! Bytes that are no certificates, no forms, or more than a check may cost.

use super::{CLAUSES, VALUES, all, canonize};
use evergreen_bits::proof::{Attempt, FORM_VERSION, Flaw, MOST_BYTES, VERSION, check, positions, prove};
use evergreen_structures::Random;
use evergreen_term::{Fun, SortId, TermId, Terms};

#[test]
fn the_form_is_the_canonizers() {
    assert_eq!(FORM_VERSION, evergreen_canon::FORM_VERSION);
}

#[test]
fn random_bytes_are_no_certificates() {
    let mut terms = Terms::new();
    let constraints = contradiction(&mut terms);
    let form = canonize(&terms, &constraints).form;
    let mut random = Random::new(5);
    for _ in 0..200_000 {
        let mut bytes: Vec<u8> =
            (0..random.below(24)).map(|_| random.next() as u8 >> random.below(8)).collect();
        if bytes.len() > 2 && random.one_in(2) {
            bytes[0] = VERSION;
            bytes[1] = 1 + random.below(2) as u8;
        }
        if check(&form, None, &bytes).is_ok() {
            // Both constraints are needed, so a certificate by chance has found both.
            assert_eq!(positions(&bytes), Some(vec![0, 1]));
        }
        assert!(check(&bytes, None, &bytes).is_err());
        let _ = prove(&bytes, &[0, 1, 2], VALUES);
    }
}

/// `x < 3` and `x > 5`.
fn contradiction(terms: &mut Terms) -> Vec<TermId> {
    let sort = terms.bitvec_sort(8);
    let x = terms.constant("x", sort);
    let (three, five) = (terms.bv(8, 3), terms.bv(8, 5));
    let below = terms.app(Fun::BvUlt, &[x, three]).unwrap();
    let above = terms.app(Fun::BvUlt, &[five, x]).unwrap();
    vec![below, above]
}

fn proved(
    terms: &Terms,
    constraints: &[TermId],
    effort: evergreen_bits::proof::Effort,
) -> (Vec<u8>, Vec<u8>) {
    let canonical = canonize(terms, constraints);
    match prove(&canonical.form, &all(&canonical), effort) {
        Attempt::Proved(proved) => (canonical.form, proved.certificate),
        other => panic!("{other:?}"),
    }
}

/// The examples of docs/certificate-format.md.
#[test]
fn the_examples_of_the_manual_are_these() {
    let page = evergreen_testing::manual::read(std::path::Path::new("docs/certificate-format.md"));
    // What stands behind the bytes of a line explains them.
    let shown = page.lines().flat_map(|line| line.split(" | ").next().unwrap_or_default().split_whitespace());
    let shown: Vec<&str> = shown.collect();
    let mut terms = Terms::new();
    let by_values = contradiction(&mut terms);
    let bit = terms.bitvec_sort(1);
    let (x, y) = (terms.constant("y", bit), terms.constant("z", bit));
    let by_clauses = [[y, x], [x, y]].map(|args| terms.app(Fun::BvUlt, &args).unwrap());
    for (constraints, effort) in [(&by_values[..], VALUES), (&by_clauses, CLAUSES)] {
        let (form, certificate) = proved(&terms, constraints, effort);
        for bytes in [form, certificate] {
            let hex: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
            assert!(shown.windows(hex.len()).any(|w| w == hex), "not in the manual: {}", hex.join(" "));
        }
    }
}

#[test]
fn certificates_have_one_form() {
    let mut terms = Terms::new();
    let constraints = contradiction(&mut terms);
    let (form, certificate) = proved(&terms, &constraints, VALUES);
    let flaw = |bytes: &[u8]| check(&form, None, bytes).expect_err("a flaw");
    // Version, kind, one step, leaf 0, two positions: 0, and none left out.
    assert_eq!(certificate, [VERSION, 1, 1, 0, 2, 0, 0]);
    assert_eq!(flaw(&[]), Flaw::Malformed);
    assert_eq!(flaw(&[1, 1, 1, 0, 2, 0, 0]), Flaw::Malformed, "another version");
    assert_eq!(flaw(&[VERSION, 3, 1, 0, 2, 0, 0]), Flaw::Malformed, "another kind");
    assert_eq!(flaw(&[VERSION, 1, 0]), Flaw::Malformed, "no steps");
    assert_eq!(flaw(&[VERSION, 1, 1, 0, 0]), Flaw::Malformed, "no constraints");
    assert_eq!(flaw(&[VERSION, 1, 1, 0, 2, 0, 0, 0]), Flaw::Malformed, "something behind");
    assert_eq!(flaw(&[VERSION, 1, 1, 0, 2, 0x80, 0, 0]), Flaw::Malformed, "a longer zero");
    assert_eq!(flaw(&[VERSION, 1, 1, 0, 2, 0, 1]), Flaw::Position { position: 2 });
    assert_eq!(flaw(&[VERSION, 1, 1, 1, 2, 0, 0]), Flaw::Leaf { step: 0 }, "not a leaf");
    assert_eq!(flaw(&[VERSION, 1, 1, 99, 2, 0, 0]), Flaw::Leaf { step: 0 }, "not a node");
    assert!(matches!(flaw(&[VERSION, 1, 1, 0, 1, 0]), Flaw::Left { step: 0, .. }));
    assert!(matches!(flaw(&[VERSION, 1, 2, 0, 2, 0, 0, 0, 2, 0, 0]), Flaw::Left { step: 0, values: 0 }));
    assert_eq!(flaw(&[VERSION, 2, 2, 0, 0]), Flaw::Unproved);
    assert_eq!(flaw(&[VERSION, 2, 2, 0, 0, 7]), Flaw::Malformed, "no proof");
    assert_eq!(check(&form, Some(&[1]), &certificate), Err(Flaw::Position { position: 0 }));
    let mut long = vec![VERSION, 2, 2, 0, 0];
    long.resize(MOST_BYTES + 1, 0);
    assert_eq!(flaw(&long), Flaw::Malformed);
    let flaw = check(&form[..form.len() - 1], None, &certificate).expect_err("a flaw");
    assert_eq!(flaw.to_string(), "the query has no form that certificates can refer to");
}

/// A constraint that is false by itself, which canonizing does not see: `x & 0 = 1`.
#[test]
fn a_constraint_that_is_false_by_itself_needs_no_proof() {
    let mut terms = Terms::new();
    let sort = terms.bitvec_sort(32);
    let x = terms.constant("x", sort);
    let (zero, one) = (terms.bv(32, 0), terms.bv(32, 1));
    let masked = terms.app(Fun::BvAnd, &[x, zero]).unwrap();
    let never = terms.app(Fun::Eq, &[masked, one]).unwrap();
    let harmless = terms.app(Fun::BvUlt, &[x, one]).unwrap();
    let (form, certificate) = proved(&terms, &[harmless, never], CLAUSES);
    assert_eq!(certificate.len(), 4, "{certificate:?}");
    assert_eq!(check(&form, None, &certificate), Ok(()));
    // The other constraint is not false by itself.
    let mut mutant = certificate.clone();
    mutant[3] ^= 1;
    assert_eq!(check(&form, None, &mutant), Err(Flaw::Unproved));
}

/// What is outside does not keep the rest from being proved, and a constraint about it is never used.
#[test]
fn constraints_about_other_sorts_are_left_alone() {
    let mut terms = Terms::new();
    let mut constraints = contradiction(&mut terms);
    let n = terms.constant("n", SortId::INT);
    let wide = terms.bitvec_sort(100);
    let (w, v) = (terms.constant("w", wide), terms.constant("v", wide));
    let seven = terms.int(7);
    let sum = terms.app(Fun::Add, &[n, seven]).unwrap();
    let linear = terms.app(Fun::Le, &[sum, seven]).unwrap();
    let less = terms.app(Fun::BvUlt, &[w, v]).unwrap();
    let never = terms.app(Fun::BvUlt, &[v, w]).unwrap();
    constraints.extend([linear, less, never]);
    for effort in [VALUES, CLAUSES] {
        let (form, certificate) = proved(&terms, &constraints, effort);
        assert_eq!(check(&form, None, &certificate), Ok(()));
        assert_eq!(positions(&certificate).map(|p| p.len()), Some(2));
    }
    let canonical = canonize(&terms, &constraints[2..]);
    assert_eq!(prove(&canonical.form, &all(&canonical), CLAUSES), Attempt::Nothing);
    let claim = [VERSION, 2, 1, 0];
    assert_eq!(check(&canonical.form, None, &claim), Err(Flaw::Outside));
}

/// Constants that later constraints need: the chain from one byte to the next.
#[test]
fn a_byte_that_has_one_value_is_known_to_the_next_step() {
    let mut terms = Terms::new();
    let sort = terms.bitvec_sort(8);
    let bytes: Vec<TermId> = (0..4).map(|i| terms.constant(&format!("b{i}"), sort)).collect();
    let (two, ten, limit) = (terms.bv(8, 2), terms.bv(8, 10), terms.bv(8, 18));
    let mut constraints = vec![terms.app(Fun::Eq, &[bytes[0], ten]).unwrap()];
    for pair in bytes.windows(2) {
        let next = terms.app(Fun::BvAdd, &[pair[0], two]).unwrap();
        constraints.push(terms.app(Fun::Eq, &[pair[1], next]).unwrap());
    }
    constraints.push(terms.app(Fun::BvUlt, &[limit, bytes[3]]).unwrap());
    let (form, certificate) = proved(&terms, &constraints, VALUES);
    assert_eq!(certificate[2], 4, "one step for each byte: {certificate:?}");
    assert_eq!(check(&form, None, &certificate), Ok(()));
}

/// A table is constraints about its cells; a read at a byte that nothing is known about keeps its value.
#[test]
fn cells_of_a_table_are_known_and_others_are_not() {
    let mut terms = Terms::new();
    let (byte, word) = (terms.bitvec_sort(8), terms.bitvec_sort(32));
    let sort = terms.array_sort(word, byte);
    let (table, x) = (terms.constant("table", sort), terms.constant("x", byte));
    let mut constraints = Vec::new();
    for i in 0..256u128 {
        let at = terms.bv(32, i);
        let cell = terms.app(Fun::Select, &[table, at]).unwrap();
        let value = terms.bv(8, i * 7 % 100);
        constraints.push(terms.app(Fun::Eq, &[cell, value]).unwrap());
    }
    let index = terms.indexed(evergreen_term::Indexed::ZeroExtend, 24, 0, &[x]).unwrap();
    let read = terms.app(Fun::Select, &[table, index]).unwrap();
    let hundred = terms.bv(8, 100);
    let below = terms.app(Fun::BvUlt, &[read, hundred]).unwrap();
    constraints.push(terms.app(Fun::Not, &[below]).unwrap());
    let (form, certificate) = proved(&terms, &constraints, VALUES);
    assert_eq!(positions(&certificate).map(|p| p.len()), Some(257), "every cell is needed");
    assert_eq!(check(&form, None, &certificate), Ok(()));
    assert!(certificate.len() < 300, "{}", certificate.len());
    // Without one of the cells the read may have any value there.
    constraints.remove(17);
    let canonical = canonize(&terms, &constraints);
    assert_eq!(prove(&canonical.form, &all(&canonical), VALUES), Attempt::Nothing);
    assert_eq!(prove(&canonical.form, &all(&canonical), CLAUSES), Attempt::Satisfiable);
    // Where the byte is small only the first cells are read.
    let four = terms.bv(8, 4);
    constraints.push(terms.app(Fun::BvUlt, &[x, four]).unwrap());
    let (_, small) = proved(&terms, &constraints, VALUES);
    assert_eq!(positions(&small).map(|p| p.len()), Some(6));
}

/// What lies below a store at a place that is not known is not known either, nor which of two arrays a
/// condition without a value chooses: `store(0…, y, 5)[x] = 5`.
#[test]
fn a_store_at_an_unknown_place_hides_what_is_below() {
    let mut terms = Terms::new();
    let byte = terms.bitvec_sort(8);
    let sort = terms.array_sort(byte, byte);
    let (x, y) = (terms.constant("x", byte), terms.constant("y", byte));
    let (zero, five) = (terms.bv(8, 0), terms.bv(8, 5));
    let nothing = terms.const_array(sort, zero).unwrap();
    let stored = terms.app(Fun::Store, &[nothing, y, five]).unwrap();
    let p = terms.constant("p", SortId::BOOL);
    let chosen = terms.app(Fun::Ite, &[p, nothing, stored]).unwrap();
    let reversed = terms.app(Fun::Ite, &[p, stored, nothing]).unwrap();
    for array in [stored, chosen, reversed] {
        let read = terms.app(Fun::Select, &[array, x]).unwrap();
        let holds = terms.app(Fun::Eq, &[read, five]).unwrap();
        let canonical = canonize(&terms, &[holds]);
        for leaf in 0..canonical.leaves.len() as u8 {
            let flaw =
                check(&canonical.form, None, &[VERSION, 1, 1, leaf, 1, 0]).expect_err("it has a model");
            assert!(matches!(flaw, Flaw::Left { step: 0, .. }), "leaf {leaf}: {flaw}");
        }
        assert_eq!(prove(&canonical.form, &[0], CLAUSES), Attempt::Satisfiable);
    }
}
