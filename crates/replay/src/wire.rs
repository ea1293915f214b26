//! The bytes between here and the runner (`java/runner`, where `Wire.java` draws the values).
//!
//! To the runner: the token of this run, whether assertions are on, whether each answer is sent at once,
//! the class path; then cases, each after a 1, a 2 where all answers so far are wanted, and a 0. Back:
//! frames of token, number of the case, length and payload. Anything between two frames was not written by
//! the runner: code under test that writes to the file descriptor itself. It counts as printed by the case
//! that is answered next.

use crate::{Ending, GraphBody, GraphObject, JavaValue, Message, Observed, TestCase};
use evergreen_classfile::Type;
use std::io::Read;

/// Marks the frames of one run.
pub(crate) type Token = [u8; 8];

/// The number of the frame that reports a ready runner.
pub(crate) const READY: u32 = u32::MAX;

/// More than this is no frame of the runner.
const FRAME_BOUND: usize = 1 << 30;

/// The header of every run.
pub(crate) fn header(token: Token, assertions: bool, pace: Pace, class_path: &[String]) -> Vec<u8> {
    let mut out = token.to_vec();
    out.extend([assertions as u8, (pace == Pace::AtOnce) as u8]);
    put_count(&mut out, class_path.len());
    for entry in class_path {
        put_text(&mut out, entry);
    }
    out
}

/// When answers are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Each when its case has run, so that a JVM's end is that of the case without an answer.
    AtOnce,
    /// Several together, some times a second.
    Together,
}

/// Asks for the answers so far.
pub(crate) fn put_flush(out: &mut Vec<u8>) {
    out.push(2);
}

/// No more cases.
pub(crate) fn put_end(out: &mut Vec<u8>) {
    out.push(0);
}

/// One case.
pub(crate) fn put_case(out: &mut Vec<u8>, index: u32, limit_ms: u32, case: &TestCase) {
    out.push(1);
    out.extend(index.to_be_bytes());
    out.extend(limit_ms.to_be_bytes());
    put_text(out, &case.target.class);
    put_text(out, &case.target.method);
    put_text(out, &case.target.descriptor);
    put_count(out, case.objects.len());
    for object in &case.objects {
        put_object(out, object);
    }
    out.push(case.receiver.is_some() as u8);
    if let Some(receiver) = &case.receiver {
        put_value(out, receiver);
    }
    put_count(out, case.arguments.len());
    for value in &case.arguments {
        put_value(out, value);
    }
    put_count(out, case.draws.len());
    for (_, value) in &case.draws {
        put_value(out, value);
    }
}

/// An object: its class and its fields, or its elements.
fn put_object(out: &mut Vec<u8>, object: &GraphObject) {
    match &object.body {
        GraphBody::Fields(fields) => {
            out.push(b'{');
            put_text(out, &object.class);
            put_count(out, fields.len());
            for field in fields {
                put_text(out, &field.owner);
                put_text(out, &field.name);
                put_value(out, &field.value);
            }
        }
        GraphBody::Elements { element, items } => put_array(out, element, items),
    }
}

fn put_array(out: &mut Vec<u8>, element: &Type, items: &[JavaValue]) {
    out.push(b'[');
    put_text(out, &element.to_string().replace('/', "."));
    put_count(out, items.len());
    for item in items {
        put_value(out, item);
    }
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u32).to_be_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_count(out, text.len());
    out.extend(text.as_bytes());
}

fn put_value(out: &mut Vec<u8>, value: &JavaValue) {
    match value {
        JavaValue::Boolean(value) => out.extend([b'Z', *value as u8]),
        JavaValue::Byte(value) => out.extend([b'B', *value as u8]),
        JavaValue::Char(value) => put_tagged(out, b'C', &value.to_be_bytes()),
        JavaValue::Short(value) => put_tagged(out, b'S', &value.to_be_bytes()),
        JavaValue::Int(value) => put_tagged(out, b'I', &value.to_be_bytes()),
        JavaValue::Long(value) => put_tagged(out, b'J', &value.to_be_bytes()),
        JavaValue::Float(value) => put_tagged(out, b'F', &value.to_bits().to_be_bytes()),
        JavaValue::Double(value) => put_tagged(out, b'D', &value.to_bits().to_be_bytes()),
        JavaValue::Null => out.push(b'N'),
        JavaValue::String(units) => {
            out.push(b'T');
            put_count(out, units.len());
            out.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
        }
        JavaValue::Array { element, items } => put_array(out, element, items),
        JavaValue::Boxed(value) => {
            out.push(b'X');
            put_value(out, value);
        }
        JavaValue::Enum { class, name } => {
            out.push(b'E');
            put_text(out, class);
            put_text(out, name);
        }
        JavaValue::Static { class, name } => {
            out.push(b'G');
            put_text(out, class);
            put_text(out, name);
        }
        JavaValue::Ref(object) => put_tagged(out, b'R', &(*object as u32).to_be_bytes()),
        JavaValue::Made(made) => {
            out.push(b'M');
            put_text(out, &made.class);
            let dot = if made.on().is_some() { "." } else { "" };
            put_text(out, &format!("{dot}{}", made.method));
            put_text(out, &made.descriptor);
            put_count(out, made.arguments.len());
            made.arguments.iter().for_each(|argument| put_value(out, argument));
        }
        JavaValue::Function(function) => {
            out.push(b'L');
            put_text(out, &function.interface);
            put_count(out, function.first_calls().count());
            function.first_calls().for_each(|call| put_value(out, &call.answer));
        }
        JavaValue::Object { class } => {
            out.push(b'O');
            put_text(out, class.as_deref().unwrap_or("an unknown class"));
        }
    }
}

fn put_tagged(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    out.extend(bytes);
}

/// A frame, and the standard output before it.
pub(crate) struct Frame {
    pub(crate) index: u32,
    pub(crate) payload: Vec<u8>,
    pub(crate) stray: Vec<u8>,
}

/// The next frame; `None` where the stream ends, even within a frame.
pub(crate) fn read_frame(input: &mut impl Read, token: Token) -> Option<Frame> {
    let mut stray = Vec::new();
    let mut byte = [0];
    while !stray.ends_with(&token) {
        input.read_exact(&mut byte).ok()?;
        stray.push(byte[0]);
    }
    stray.truncate(stray.len() - token.len());
    let mut word = [0; 4];
    input.read_exact(&mut word).ok()?;
    let index = u32::from_be_bytes(word);
    input.read_exact(&mut word).ok()?;
    let length = u32::from_be_bytes(word) as usize;
    if length > FRAME_BOUND {
        return None;
    }
    let mut payload = Vec::new();
    input.take(length as u64).read_to_end(&mut payload).ok()?;
    (payload.len() == length).then_some(Frame { index, payload, stray })
}

/// The content of a frame.
pub(crate) struct Reply {
    /// `None`: it exited, and only the process knows with what status.
    pub(crate) observed: Option<Observed>,
    pub(crate) output: Vec<u8>,
    pub(crate) hits: Sequence,
}

/// Probes that were hit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sequence {
    /// In order.
    pub(crate) probes: Vec<u32>,
    /// Set if there was no room for all: those that came later, each once.
    pub(crate) late: Option<Vec<u32>>,
}

/// Reads the payload of a frame.
pub(crate) fn read_reply(payload: &[u8]) -> Option<Reply> {
    let mut bytes = Bytes(payload);
    let observed = match bytes.byte()? {
        1 => Some(Observed::Ended(Ending::Returned(None))),
        2 => Some(Observed::Ended(Ending::Returned(Some(bytes.value(0)?)))),
        3 => {
            let class = bytes.text()?;
            let message = match bytes.value(0)? {
                JavaValue::String(units) => Message::Text(units),
                _ => Message::Null,
            };
            Some(Observed::Ended(Ending::Threw { class, message }))
        }
        4 => Some(Observed::TimedOut),
        5 => None,
        6 => Some(Observed::Refused(bytes.text()?)),
        _ => return None,
    };
    let length = bytes.count()?;
    let output = bytes.take(length)?.to_vec();
    let probes = bytes.numbers()?;
    let is_cut = bytes.byte()? != 0;
    let late = bytes.numbers()?;
    Some(Reply { observed, output, hits: Sequence { probes, late: is_cut.then_some(late) } })
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn count(&mut self) -> Option<usize> {
        self.array().map(|bytes| u32::from_be_bytes(bytes) as usize)
    }

    fn numbers(&mut self) -> Option<Vec<u32>> {
        let count = self.count()?;
        let bytes = self.take(count.checked_mul(4)?)?;
        Some(bytes.chunks_exact(4).map(|c| u32::from_be_bytes([c[0], c[1], c[2], c[3]])).collect())
    }

    fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    fn value(&mut self, depth: u32) -> Option<JavaValue> {
        // The runner nests less deep; bytes that nest deeper are not from it.
        if depth > 32 {
            return None;
        }
        Some(match self.byte()? {
            b'Z' => JavaValue::Boolean(self.byte()? != 0),
            b'B' => JavaValue::Byte(self.byte()? as i8),
            b'C' => JavaValue::Char(u16::from_be_bytes(self.array()?)),
            b'S' => JavaValue::Short(i16::from_be_bytes(self.array()?)),
            b'I' => JavaValue::Int(i32::from_be_bytes(self.array()?)),
            b'J' => JavaValue::Long(i64::from_be_bytes(self.array()?)),
            b'F' => JavaValue::Float(f32::from_bits(u32::from_be_bytes(self.array()?))),
            b'D' => JavaValue::Double(f64::from_bits(u64::from_be_bytes(self.array()?))),
            b'N' => JavaValue::Null,
            b'T' => {
                let count = self.count()?;
                let bytes = self.take(count.checked_mul(2)?)?;
                let units = bytes.chunks_exact(2).map(|c| u16::from_be_bytes([c[0], c[1]]));
                JavaValue::String(units.collect())
            }
            b'X' => JavaValue::Boxed(Box::new(self.value(depth + 1)?)),
            b'[' => {
                let element = Type::parse(&self.text()?.replace('.', "/")).ok()?;
                let count = self.count()?;
                let items: Option<Vec<JavaValue>> = (0..count).map(|_| self.value(depth + 1)).collect();
                JavaValue::Array { element, items: items? }
            }
            b'E' => JavaValue::Enum { class: self.text()?, name: self.text()? },
            b'O' => JavaValue::Object { class: Some(self.text()?) },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stray_bytes_are_told_from_frames() {
        let token = *b"\x01token\x02\x03";
        let mut bytes = b"noise \x01token".to_vec();
        bytes.extend(token);
        bytes.extend([0, 0, 0, 7, 0, 0, 0, 2, 9, 8]);
        let mut input = &bytes[..];
        let frame = read_frame(&mut input, token).unwrap();
        assert_eq!(
            (frame.index, &frame.payload[..], &frame.stray[..]),
            (7, &[9, 8][..], &b"noise \x01token"[..])
        );
        assert!(read_frame(&mut input, token).is_none());
        assert!(read_frame(&mut &bytes[..bytes.len() - 1], token).is_none());
    }

    #[test]
    fn values_come_back_as_they_went() {
        let values = [
            JavaValue::Boolean(true),
            JavaValue::Byte(-1),
            JavaValue::Char(0xd800),
            JavaValue::Short(-2),
            JavaValue::Int(i32::MIN),
            JavaValue::Long(i64::MIN + 1),
            JavaValue::Float(-0.0),
            JavaValue::Double(1e-300),
            JavaValue::Null,
            JavaValue::String(vec![0xdc00, 65, 0]),
            JavaValue::Boxed(Box::new(JavaValue::Int(3))),
            JavaValue::Enum { class: "a.B$C".into(), name: "RED".into() },
            JavaValue::Object { class: Some("a.B".into()) },
            JavaValue::Array {
                element: Type::Class("java/lang/String".into()),
                items: vec![JavaValue::string("x"), JavaValue::Null],
            },
        ];
        for value in values {
            let mut bytes = Vec::new();
            put_value(&mut bytes, &value);
            assert_eq!(Bytes(&bytes).value(0), Some(value.clone()));
            for cut in 0..bytes.len() {
                assert_eq!(Bytes(&bytes[..cut]).value(0), None, "{value:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn a_payload_that_lies_about_its_size_is_no_reply() {
        assert!(read_reply(&[1, 0xff, 0xff, 0xff, 0xff]).is_none());
        assert!(read_reply(&[1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]).is_none());
        assert!(read_reply(&[99]).is_none() && read_reply(&[]).is_none());
        let whole = [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7];
        assert_eq!(read_reply(&whole).unwrap().hits, Sequence { probes: vec![], late: Some(vec![7]) });
        assert!((0..whole.len()).all(|cut| read_reply(&whole[..cut]).is_none()));
    }
}
