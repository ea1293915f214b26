//! Keys, values and randomness for the attack tests.

use evergreen_store::Key;
use evergreen_structures::Xorshift;

/// A key that looks like a digest and from which the number can be read.
pub(crate) fn key(number: u64) -> Key {
    let mut random = Xorshift::new(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_exact_mut(8) {
        chunk.copy_from_slice(&random.next().to_be_bytes());
    }
    bytes[16..24].copy_from_slice(&number.to_be_bytes());
    Key(bytes)
}

/// A value that belongs to a number: `is_value` knows all of them, whatever the round.
pub(crate) fn value(number: u64, round: u64) -> Vec<u8> {
    let mut random = Xorshift::new((number ^ round << 40).wrapping_mul(0xD134_2543_DE82_EF95) | 1);
    let bytes = match random.below(40) {
        0 => 2000 + random.below(20_000),
        _ => random.below(300),
    };
    let mut value = [number.to_le_bytes(), round.to_le_bytes()].concat();
    value.extend((0..bytes).map(|at| (at * 7 + number + round) as u8));
    value
}

pub(crate) fn is_value(number: u64, bytes: &[u8]) -> bool {
    bytes.len() >= 16 && {
        let round = u64::from_le_bytes(bytes[8..16].try_into().unwrap());
        bytes == value(number, round)
    }
}
