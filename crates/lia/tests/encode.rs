//! The byte form of certificates: one form each, read back exactly, and nothing else is read.

use evergreen_lia::{Certificate, Part, Step};
use evergreen_term::Int;
use evergreen_testing::random::Random;

fn part(line: u32, times: i64) -> Part {
    Part { line, times: Int::from(times) }
}

/// The example of docs/certificate-format.md.
fn example() -> (Certificate, Vec<u8>) {
    let certificate = Certificate {
        steps: vec![
            Step::Split { terms: vec![(1, Int::ONE)], at: Int::ZERO },
            Step::Close(vec![part(0, 1), part(3, 3), part(2, 2)]),
            Step::Split { terms: vec![(1, Int::ONE)], at: Int::ONE },
            Step::Cut { sum: vec![part(0, 1), part(4, 3)], divisor: Int::from(2) },
            Step::Cut { sum: vec![part(0, -1), part(3, 3)], divisor: Int::from(2) },
            Step::Close(vec![part(5, 1), part(6, 1)]),
            Step::Close(vec![part(0, -1), part(4, 3), part(1, 2)]),
        ],
    };
    let bytes = [
        &[1, 7][..],
        &[2, 1, 1, 2, 0],
        &[0, 3, 0, 2, 3, 6, 2, 4],
        &[2, 1, 1, 2, 2],
        &[1, 2, 0, 2, 4, 6, 4],
        &[1, 2, 0, 1, 3, 6, 4],
        &[0, 2, 5, 2, 6, 2],
        &[0, 3, 0, 1, 4, 6, 1, 4],
    ];
    (certificate, bytes.concat())
}

#[test]
fn the_documented_example() {
    let (certificate, bytes) = example();
    assert_eq!(certificate.encode(), bytes);
    assert_eq!(Certificate::decode(&bytes), Some(certificate));
    let document = evergreen_testing::tools::repository().join("docs/certificate-format.md");
    let text = std::fs::read_to_string(document).expect("the document exists");
    let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let shown = text.lines().filter_map(|line| line.split_once('|').map(|(bytes, _)| bytes.trim()));
    let shown = shown.filter(|bytes| bytes.len() > 1).collect::<Vec<_>>().join(" ");
    assert!(shown.contains(&hex), "the document shows\n{shown}\nbut the bytes are\n{hex}");
}

#[test]
fn numbers() {
    let form =
        |int: &Int| Certificate { steps: vec![Step::Split { terms: vec![], at: int.clone() }] }.encode();
    let start = [1, 1, 2, 0];
    for (value, bytes) in [
        (0, &[0][..]),
        (-1, &[1]),
        (1, &[2]),
        (63, &[0x7e]),
        (-64, &[0x7f]),
        (64, &[0x80, 1]),
        (i64::MAX, &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        (i64::MIN, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    ] {
        assert_eq!(form(&Int::from(value)), [&start, bytes].concat(), "{value}");
    }
    let power = Int::from(1i128 << 64);
    assert_eq!(form(&power), [&start[..], &[0x80; 9], &[4]].concat());
    assert_eq!(form(&power.neg()), [&start[..], &[0xff; 9], &[3]].concat());
    for text in ["9223372036854775808", "-9223372036854775809", "18446744073709551616", &"8".repeat(500)] {
        let at = Int::parse(text).expect("decimal digits");
        let certificate = Certificate { steps: vec![Step::Split { terms: vec![], at }] };
        assert_eq!(Certificate::decode(&certificate.encode()), Some(certificate));
    }
}

fn random_int(random: &mut Random) -> Int {
    let word = Int::from(random.next() as i64 >> random.below(64));
    if random.one_in(10) { word.mul(&word).mul(&Int::from(random.next() as i64)) } else { word }
}

fn random_certificate(random: &mut Random) -> Certificate {
    let number = |random: &mut Random| (random.next() as u32) >> random.below(32);
    let sum = |random: &mut Random| {
        let parts = (0..random.below(4)).map(|_| Part { line: number(random), times: random_int(random) });
        parts.collect::<Vec<Part>>()
    };
    let step = |random: &mut Random| match random.below(4) {
        0 => Step::Close(sum(random)),
        1 => Step::Cut { sum: sum(random), divisor: random_int(random) },
        2 => {
            let terms = (0..random.below(3)).map(|_| (number(random), random_int(random))).collect();
            Step::Split { terms, at: random_int(random) }
        }
        _ => Step::Apart { line: number(random) },
    };
    Certificate { steps: (0..random.below(8)).map(|_| step(random)).collect() }
}

#[test]
fn what_was_written_is_read() {
    for index in 0..5_000 {
        let certificate = random_certificate(&mut Random::for_index(1, index));
        assert_eq!(Certificate::decode(&certificate.encode()), Some(certificate));
    }
}

#[test]
fn nothing_else_is_read() {
    let (_, bytes) = example();
    for kept in 0..bytes.len() {
        assert_eq!(Certificate::decode(&bytes[..kept]), None, "cut after {kept} bytes");
    }
    assert_eq!(Certificate::decode(&[&bytes[..], &[0]].concat()), None, "a byte too many");
    assert_eq!(Certificate::decode(&[&[2], &bytes[1..]].concat()), None, "another version");
    for (bytes, what) in [
        (&[1, 1, 4, 0][..], "an unknown step"),
        (&[1, 1, 3, 0x80, 0], "a needless byte"),
        (&[1, 1, 3, 0x80, 0x80, 0x80, 0x80, 0x10], "a line beyond 32 bits"),
        (&[1, 1, 3, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2], "a line beyond 64 bits"),
        (&[1, 0x81, 0, 3, 0], "a needless byte in the count"),
        (&[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0], "a count beyond the bytes"),
        (&[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], "a count of 64 bits"),
        (&[1, 1, 0, 0xff, 0xff, 3, 0, 0], "more parts than bytes"),
        (&[1, 1, 2, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0], "a needless byte"),
    ] {
        assert_eq!(Certificate::decode(bytes), None, "{what}");
    }
    assert_eq!(Certificate::decode(&[1, 0]), Some(Certificate::default()));
}

#[test]
fn garbage_is_refused_or_has_exactly_that_form() {
    let mut read = 0;
    for index in 0..60_000 {
        let mut random = Random::for_index(2, index);
        let mut bytes = if random.one_in(2) {
            let mut bytes = random_certificate(&mut random).encode();
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
            bytes
        } else {
            let bytes = (0..random.below(12)).map(|_| (random.next() as u8) >> random.below(8));
            [1].into_iter().chain(bytes).collect()
        };
        bytes.truncate(200);
        if let Some(certificate) = Certificate::decode(&bytes) {
            read += 1;
            assert_eq!(certificate.encode(), bytes);
        }
    }
    assert!(read > 5_000, "{read}");
}
