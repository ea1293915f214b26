//! Certificates and forms are bytes that others write: they are read without a panic, and no bytes prove
//! that a query with a model has none.
#![no_main]

use evergreen_bits::proof::{Attempt, Effort, check, positions, prove};
use evergreen_canon::{Canonizer, Mode};
use evergreen_term::{Fun, TermId, Terms};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// Forms of queries that have a model: comparisons, a product, a table that is read at a byte, stores.
static FORMS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut terms = Terms::new();
    let byte = terms.bitvec_sort(8);
    let sort = terms.array_sort(byte, byte);
    let (x, y, table) =
        (terms.constant("x", byte), terms.constant("y", byte), terms.constant("table", sort));
    let literals: Vec<TermId> = (0..8).map(|value| terms.bv(8, value)).collect();
    let mut app = |fun: Fun, args: &[TermId]| terms.app(fun, args).expect("well sorted");
    let below = app(Fun::BvUlt, &[x, literals[5]]);
    let above = app(Fun::BvUlt, &[literals[3], x]);
    let product = app(Fun::BvMul, &[x, y]);
    let is_four = app(Fun::Eq, &[product, literals[4]]);
    let cells: Vec<TermId> = (0..4)
        .map(|i| {
            let cell = app(Fun::Select, &[table, literals[i]]);
            app(Fun::Eq, &[cell, literals[i + 2]])
        })
        .collect();
    let stored = app(Fun::Store, &[table, x, y]);
    let read = app(Fun::Select, &[stored, literals[2]]);
    let small = app(Fun::BvSlt, &[read, y]);
    let queries = [vec![below, above], vec![below, above, is_four], [&cells[..], &[below, small]].concat()];
    let mut canonizer = Canonizer::new(Mode::Full);
    let forms: Vec<Vec<u8>> = queries.iter().map(|query| canonizer.canonize(&terms, query).form).collect();
    for form in &forms {
        let all: Vec<u32> = (0..8).collect();
        assert!(!matches!(prove(form, &all, Effort::default()), Attempt::Proved(_)));
    }
    forms
});

fuzz_target!(|data: &[u8]| {
    for form in FORMS.iter() {
        assert!(check(form, None, data).is_err(), "a query that has a model was refuted");
    }
    let Some((&cut, data)) = data.split_first() else { return };
    let (form, certificate) = data.split_at(usize::from(cut).min(data.len()));
    let accepted = check(form, None, certificate).is_ok();
    assert!(!accepted || positions(certificate).is_some());
    if let Attempt::Proved(proved) = prove(form, &[0, 1, 2, 3], Effort::default()) {
        assert_eq!(check(form, Some(&proved.core), &proved.certificate), Ok(()));
    }
});
