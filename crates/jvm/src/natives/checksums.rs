//! Checksums whose loops the JDK has in C: of bytes that are known. Of others they are no expression that a
//! solver decides, so the path is blocked there, and goes on with numbers.

use super::Row;
use crate::native::{Call, Done, Trap};
use crate::value::Value;

const CRC: &str = "java/util/zip/CRC32";
const ADLER: &str = "java/util/zip/Adler32";
/// The largest prime below 2¹⁶ [RFC 1950, 9].
const PRIME: u32 = 65_521;

pub(crate) const TABLE: &[Row] = &[
    (CRC, "update", "(II)I", |call| one(call, crc32)),
    (CRC, "updateBytes0", "(I[BII)I", |call| many(call, crc32)),
    (CRC, "updateBytes", "(I[BII)I", |call| many(call, crc32)),
    (ADLER, "update", "(II)I", |call| one(call, adler32)),
    (ADLER, "updateBytes", "(I[BII)I", |call| many(call, adler32)),
];

/// `update(sum, byte)`
fn one(call: &mut Call, step: fn(u32, u8) -> u32) -> Result<Done, Trap> {
    let (sum, byte) = (call.int(0)?, call.int(1)?);
    Ok(Done::Value(Value::Int(step(sum as u32, byte as u8) as i32)))
}

/// `updateBytes(sum, bytes, from, count)`; the caller has checked the bounds.
fn many(call: &mut Call, step: fn(u32, u8) -> u32) -> Result<Done, Trap> {
    let (sum, bytes, from, count) = (call.int(0)?, call.object(1)?, call.int(2)?, call.int(3)?);
    let body = &call.state.heap.get(bytes).body;
    let mut sum = sum as u32;
    for at in from..from.saturating_add(count) {
        match body.get(at as usize) {
            Some(Value::Int(byte)) => sum = step(sum, byte as u8),
            _ => return Err(Trap::unsupported("a checksum of symbolic bytes", "make the bytes concrete")),
        }
    }
    Ok(Done::Value(Value::Int(sum as i32)))
}

/// The polynomial of Ethernet, bits reversed, a byte at a time.
fn crc32(sum: u32, byte: u8) -> u32 {
    let shifted = |sum: u32, _| (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
    !(0..8).fold(!sum ^ u32::from(byte), shifted)
}

fn adler32(sum: u32, byte: u8) -> u32 {
    let low = (sum % (1 << 16) + u32::from(byte)) % PRIME;
    let high = ((sum >> 16) + low) % PRIME;
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_check_values() {
        let of = |from, step: fn(u32, u8) -> u32, text: &str| text.bytes().fold(from, step);
        assert_eq!(of(0, crc32, "123456789"), 0xcbf4_3926);
        assert_eq!(of(1, adler32, "Wikipedia"), 0x11e6_0398);
    }
}
