//! Damaged modules give an error or other tables, never a panic or an endless loop.

use crate::compiled::module;
use evergreen_debuginfo::DebugInfo;
use evergreen_structures::Random;

const MUTANTS: u64 = 10_000;

/// Where the custom sections with debug information are: most damage elsewhere ends at the first section.
fn debug_sections(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for payload in wasmparser::Parser::new(0).parse_all(bytes) {
        if let wasmparser::Payload::CustomSection(section) = payload.unwrap() {
            found.push(section.data_offset() as usize..section.range().end as usize);
        }
    }
    found
}

fn mutate(bytes: &mut Vec<u8>, sections: &[std::ops::Range<usize>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let section = random.choose(sections).clone();
        let at = section.start + random.below(section.len());
        match random.below(6) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = *random.choose(&[0, 1, 0x7f, 0x80, 0xff]),
            3 => {
                let end = (at + 1 + random.below(8)).min(section.end);
                bytes[at..end].fill(0xff);
            }
            4 => {
                let from = section.start + random.below(section.len());
                let length = random.below(16).min(section.end - at.max(from));
                bytes.copy_within(from..from + length, at);
            }
            _ => {
                let anywhere = random.below(bytes.len());
                bytes[anywhere] = random.next() as u8;
            }
        }
    }
    if random.one_in(50) {
        bytes.truncate(random.below(bytes.len()));
    }
}

/// Asks for everything that could go round in a cycle.
fn use_all(info: &DebugInfo) {
    for (id, _) in info.types().iter() {
        info.types().size(id);
        assert!(info.types().shown(id).len() < 1 << 20);
        info.types().resolve(id);
    }
    for function in info.functions() {
        assert!(info.function_at(function.start).is_some());
        info.line(function.start);
    }
    assert!(info.lines().windows(2).all(|pair| pair[0].end <= pair[1].start));
}

#[test]
fn no_mutant_makes_it_panic() {
    let sections = debug_sections(module());
    let (mut read, mut rejected) = (0, 0);
    for index in 0..MUTANTS {
        let mut random = Random::for_index(0xdeb6, index);
        let mut bytes = module().to_vec();
        mutate(&mut bytes, &sections, &mut random);
        match DebugInfo::read(&bytes) {
            Ok(info) => {
                use_all(&info);
                read += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                rejected += 1;
            }
        }
    }
    assert!(read > 1000 && rejected > 1000, "{read} read, {rejected} rejected");
}
