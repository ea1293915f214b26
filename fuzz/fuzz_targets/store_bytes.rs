//! Bytes from a store are not trusted: records, values, functions and packs are read without a panic, and a
//! value that is read is written back as the same bytes.
#![no_main]

use evergreen::store::{Accept, Choice, Memory, PackReader, Store, Taking, export, import};
use evergreen::{Record, check_record, identity};
use evergreen_term::{Sort, SortId, Terms, decode_function, decode_value, encode_function, encode_value};
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;

fn sorts(terms: &mut Terms) -> Vec<SortId> {
    let byte = terms.sort(Sort::BitVec(8));
    let mut sorts = vec![SortId::BOOL, SortId::INT, SortId::REAL, byte];
    let name = terms.name("U");
    let more = [
        Sort::BitVec(200),
        Sort::String,
        Sort::Float(5, 11),
        Sort::RoundingMode,
        Sort::Array(SortId::INT, SortId::INT),
        Sort::Array(byte, SortId::BOOL),
        Sort::Seq(SortId::INT),
        Sort::Uninterpreted(name, Box::new([])),
    ];
    sorts.extend(more.map(|s| terms.sort(s)));
    sorts
}

fn record(data: &[u8]) {
    let record = Record::decode(data);
    assert_eq!(record.is_some(), check_record(data));
    if let Some(record) = record {
        assert_eq!(Record::decode(&record.encode()), Some(record));
    }
    let _ = identity::decode(data);
}

fn values(which: u8, data: &[u8]) {
    let mut terms = Terms::new();
    let sorts = sorts(&mut terms);
    let sort = sorts[usize::from(which) % sorts.len()];
    let mut rest = data;
    if let Ok(value) = decode_value(&mut terms, sort, &mut rest) {
        assert!(value.fits(&terms, sort));
        let mut bytes = Vec::new();
        if encode_value(&terms, &value, &mut bytes).is_ok() {
            let again = decode_value(&mut terms, sort, &mut &bytes[..]);
            assert_eq!(again.as_ref().ok(), Some(&value));
        }
    }
    let params = [sort, SortId::INT];
    if let Ok(f) = decode_function(&mut terms, &params, SortId::INT, &mut &data[..]) {
        let mut bytes = Vec::new();
        if encode_function(&terms, &f, &mut bytes).is_ok() {
            let again = decode_function(&mut terms, &params, SortId::INT, &mut &bytes[..]);
            assert_eq!(again.ok().map(|a| a.body), Some(f.body));
        }
    }
}

fn pack(data: &[u8]) {
    if let Ok(mut reader) = PackReader::new("fuzz", data) {
        while let Ok(Some(_)) = reader.entry() {}
    }
    let store = Memory::new(1 << 20);
    let taking = Taking { accept: Accept::WithEvidence, has_evidence: &evergreen::has_evidence };
    if import(&store, "fuzz", std::io::Cursor::new(data), taking, &mut |_, _, _| Choice::Old).is_ok() {
        let mut bytes = Vec::new();
        export(&store, "fuzz", &mut bytes).expect("a store in memory can be exported");
        let mut entries = 0;
        store.visit(&mut |_, _| { entries += 1; ControlFlow::Continue(()) }).expect("memory can be visited");
        let mut reader = PackReader::new("fuzz", &bytes[..]).expect("our own pack");
        while reader.entry().expect("our own pack").is_some() {
            entries -= 1;
        }
        assert_eq!(entries, 0);
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&which, data)) = data.split_first() else { return };
    match which % 4 {
        0 => record(data),
        1 | 2 => values(which / 4, data),
        _ => pack(data),
    }
});
