//! Ends of paths that wait to be told, packed: a hundred bytes a path instead of some thirty pieces of memory.
//!
//! A path as it is told takes two kilobytes in thirty pieces. Thousands of them that wait are in no cache, and the allocator that gets them back has
//! to look for each: that made two threads take half as much time again as one, where paths take 5 µs. So whoever finds a path
//! writes down what is particular to it, in a buffer for many, and uses the path's own memory for its next one; whoever tells it makes it
//! again, in memory that it has at hand. Of most paths that is little: the way, the result and the values of the inputs. Names are
//! the same for all, and the test is made of the rest.
//!
//! What is large or rare is moved beside the buffer: lines of text, the arms that were taken, values with parts, and all of a path that has
//! objects, seeds, conditions to be shown, or an exception.

use super::super::case::plain_case;
use super::super::ending::{How, PathEnd};
use super::super::leftovers::Rewritten;
use super::super::line::PathLine;
use super::super::run::{One, Told};
use evergreen_jvm::TakenArm;
use evergreen_replay::{JavaValue, Target, TestCase};
use std::sync::Arc;

/// What a path weighs that is moved as it is; measured roughly.
const WHOLE: usize = 4 << 10;
/// What an arm weighs, or a value with parts.
const PIECE: usize = 64;

/// An end, and how many subtrees a single explorer would have open then.
pub(super) struct Ended {
    /// What is told, if it is the end of a path.
    pub(super) path: Option<Told>,
    pub(super) open: u64,
}

/// What the paths of a method have in common.
#[derive(Clone)]
pub(super) struct Common {
    /// What its tests call.
    pub(super) target: Arc<Target>,
    /// How many of the inputs are parameters.
    pub(super) parameters: usize,
}

/// Ends in the order in which they were found.
#[derive(Default)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    count: usize,
    weight: usize,
    /// Names of inputs; the bytes have their places here.
    names: Vec<String>,
    /// The place of the name of the first input of the last path, of the second, and so on: mostly those of the next.
    guesses: Vec<usize>,
    bounds: Vec<&'static str>,
    // In the order of the bytes that mention them.
    values: Vec<JavaValue>,
    lines: Vec<PathLine>,
    taken: Vec<Vec<TakenArm>>,
    whole: Vec<Told>,
}

/// What comes next in the bytes.
mod tag {
    pub(super) const NO_PATH: u8 = 0;
    pub(super) const PACKED: u8 = 1;
    pub(super) const WHOLE: u8 = 2;

    // What a packed path has.
    pub(super) const CASE: u8 = 1;
    pub(super) const LINE: u8 = 2;
    pub(super) const TAKEN: u8 = 4;
    pub(super) const OUTCOME: u8 = 8;

    // How it ended.
    pub(super) const RETURNED: u8 = 0;
    pub(super) const RETURNED_VALUE: u8 = 1;
    pub(super) const EXITED: u8 = 2;
    pub(super) const CUT: u8 = 3;

    // Values.
    pub(super) const FALSE: u8 = 0;
    pub(super) const TRUE: u8 = 1;
    pub(super) const BYTE: u8 = 2;
    pub(super) const CHAR: u8 = 3;
    pub(super) const SHORT: u8 = 4;
    pub(super) const INT: u8 = 5;
    pub(super) const LONG: u8 = 6;
    pub(super) const FLOAT: u8 = 7;
    pub(super) const DOUBLE: u8 = 8;
    pub(super) const NULL: u8 = 9;
    pub(super) const MOVED: u8 = 10;
}

impl Batch {
    /// An empty one that is likely to become as large as another.
    pub(super) fn like(other: &Batch) -> Batch {
        Batch { bytes: Vec::with_capacity(other.bytes.len() * 9 / 8), ..Batch::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// About how much memory it takes.
    pub(super) fn weight(&self) -> usize {
        self.weight + self.bytes.len()
    }

    /// Adds an end; the path if its memory is not needed any more.
    pub(super) fn add(&mut self, ended: Ended, common: &Common) -> Option<Box<PathEnd>> {
        self.count += 1;
        let Some(mut told) = ended.path else {
            self.bytes.push(tag::NO_PATH);
            self.number(ended.open);
            return None;
        };
        if !is_plain(&told, common) {
            let One { path, is_due, .. } = &mut told.end;
            if *is_due {
                path.case = plain_case(path, &common.target, common.parameters, None);
            }
            self.bytes.push(tag::WHOLE);
            self.number(ended.open);
            self.weight += WHOLE;
            self.whole.push(told);
            return None;
        }
        self.bytes.push(tag::PACKED);
        self.number(ended.open);
        self.path(&mut told);
        Some(told.end.path)
    }

    fn path(&mut self, told: &mut Told) {
        let Told { end: One { path, is_due, .. }, is_outcome, .. } = told;
        let has = |has: bool, flag: u8| if has { flag } else { 0 };
        self.bytes.push(
            has(*is_due || path.case.is_some(), tag::CASE)
                | has(path.line.is_some(), tag::LINE)
                | has(path.taken.is_some(), tag::TAKEN)
                | has(*is_outcome, tag::OUTCOME),
        );
        self.number(path.depth as u64);
        self.number(path.steps);
        self.number(path.position.len() as u64);
        path.position.iter().for_each(|&way| self.number(u64::from(way)));
        self.how(&mut path.how);
        self.number(path.inputs.len() as u64);
        for (at, (name, value)) in path.inputs.iter_mut().enumerate() {
            let place = self.name(at, name);
            self.number(place as u64);
            self.value(value);
        }
        self.number(path.output.len() as u64);
        self.bytes.extend_from_slice(path.output.as_bytes());
        if let Some(line) = path.line.take() {
            self.weight += line.text.len();
            self.lines.push(line);
        }
        if let Some(taken) = path.taken.take() {
            self.weight += PIECE * taken.len();
            self.taken.push(taken);
        }
    }

    fn how(&mut self, how: &mut How) {
        match how {
            How::Returned(None) => self.bytes.push(tag::RETURNED),
            How::Returned(Some(value)) => {
                self.bytes.push(tag::RETURNED_VALUE);
                self.value(value);
            }
            How::Exited(status) => {
                self.bytes.push(tag::EXITED);
                self.signed(i64::from(*status));
            }
            How::Cut(name) => {
                self.bytes.push(tag::CUT);
                let place = self.bounds.iter().position(|known| known == name).unwrap_or_else(|| {
                    self.bounds.push(name);
                    self.bounds.len() - 1
                });
                self.number(place as u64);
            }
            // Such paths are moved as they are.
            How::Threw { .. } | How::Unsupported { .. } | How::Undecided { .. } | How::Stuck(_) => {}
        }
    }

    /// The place of a name.
    fn name(&mut self, at: usize, name: &str) -> usize {
        if let Some(&guess) = self.guesses.get(at)
            && self.names[guess] == name
        {
            return guess;
        }
        let place = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        });
        self.guesses.truncate(at);
        self.guesses.resize(at + 1, place);
        place
    }

    fn value(&mut self, value: &mut JavaValue) {
        let (tag, number) = match value {
            JavaValue::Boolean(is) => (if *is { tag::TRUE } else { tag::FALSE }, None),
            JavaValue::Byte(n) => (tag::BYTE, Some(i64::from(*n))),
            JavaValue::Char(n) => (tag::CHAR, Some(i64::from(*n))),
            JavaValue::Short(n) => (tag::SHORT, Some(i64::from(*n))),
            JavaValue::Int(n) => (tag::INT, Some(i64::from(*n))),
            JavaValue::Long(n) => (tag::LONG, Some(*n)),
            JavaValue::Float(n) => (tag::FLOAT, Some(i64::from(n.to_bits()))),
            JavaValue::Double(n) => (tag::DOUBLE, Some(n.to_bits().cast_signed())),
            JavaValue::Null => (tag::NULL, None),
            _ => (tag::MOVED, None),
        };
        self.bytes.push(tag);
        if let Some(number) = number {
            self.signed(number);
        }
        if tag == tag::MOVED {
            self.weight += PIECE;
            self.values.push(std::mem::replace(value, JavaValue::Null));
        }
    }

    /// Seven bits a byte, the lowest first; all but the last byte have the eighth bit.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Small numbers in few bytes, negative ones too.
    fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }
}

/// Whether a path can be made again of what is packed.
fn is_plain(told: &Told, common: &Common) -> bool {
    let Told { end: One { path, is_graph, is_built, .. }, smaller, kind, .. } = told;
    let PathEnd { decisions, seeds, objects, read, shapes, conditions, stops, likelihood, .. } = &**path;
    let is_usual = |case: &TestCase| Arc::ptr_eq(&case.target, &common.target) && case.build.is_none();
    matches!(path.how, How::Returned(_) | How::Exited(_) | How::Cut(_))
        && !(*is_graph || *is_built || smaller.is_some() || kind.is_some() || likelihood.is_some())
        && (decisions.is_empty() && seeds.is_empty() && conditions.is_empty() && stops.is_empty())
        && (objects.is_empty() && read.is_empty() && shapes.is_empty())
        && path.case.as_ref().is_none_or(is_usual)
}

/// A batch that is being told.
#[derive(Default)]
pub(super) struct Unpacking {
    bytes: Vec<u8>,
    at: usize,
    names: Vec<String>,
    bounds: Vec<&'static str>,
    values: std::vec::IntoIter<JavaValue>,
    lines: std::vec::IntoIter<PathLine>,
    taken: std::vec::IntoIter<Vec<TakenArm>>,
    whole: std::vec::IntoIter<Told>,
}

impl From<Batch> for Unpacking {
    fn from(batch: Batch) -> Unpacking {
        let Batch { bytes, names, bounds, values, lines, taken, whole, .. } = batch;
        let (values, lines) = (values.into_iter(), lines.into_iter());
        let (taken, whole) = (taken.into_iter(), whole.into_iter());
        Unpacking { bytes, at: 0, names, bounds, values, lines, taken, whole }
    }
}

impl Unpacking {
    /// The next end, in the memory of a path that nobody looks at any more, if there is one.
    pub(super) fn next(&mut self, spare: &mut Option<Box<PathEnd>>, common: &Common) -> Option<Ended> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let tag = self.byte();
        let open = self.number();
        let path = match tag {
            tag::PACKED => Some(self.path(spare.take(), common)),
            tag::WHOLE => self.whole.next(),
            _ => None,
        };
        Some(Ended { path, open })
    }

    fn path(&mut self, spare: Option<Box<PathEnd>>, common: &Common) -> Told {
        let mut path = spare.unwrap_or_else(|| Box::new(PathEnd::empty()));
        let has = self.byte();
        let mut old = std::mem::replace(&mut *path, PathEnd::empty());
        path.depth = self.number() as usize;
        path.steps = self.number();
        path.position = std::mem::take(&mut old.position);
        path.position.clear();
        let branches = self.number() as usize;
        path.position.extend((0..branches).map(|_| self.number() as u32));
        path.how = self.how();
        let mut inputs = Rewritten::over(std::mem::take(&mut old.inputs));
        for _ in 0..self.number() {
            let place = self.number() as usize;
            let value = self.value();
            inputs.put(self.names.get(place).map_or("", String::as_str), value);
        }
        path.inputs = inputs.end();
        let length = self.number() as usize;
        path.output = self.text(length).to_string();
        if has & tag::LINE != 0 {
            path.line = self.lines.next();
        }
        if has & tag::TAKEN != 0 {
            path.taken = self.taken.next();
        }
        if has & tag::CASE != 0 {
            path.case = plain_case(&path, &common.target, common.parameters, old.case.take());
        }
        let end = One { path, is_graph: false, is_built: false, is_due: false };
        Told { end, smaller: None, is_outcome: has & tag::OUTCOME != 0, kind: None }
    }

    fn how(&mut self) -> How {
        match self.byte() {
            tag::RETURNED => How::Returned(None),
            tag::RETURNED_VALUE => How::Returned(Some(self.value())),
            tag::EXITED => How::Exited(self.signed() as i32),
            _ => {
                let place = self.number() as usize;
                How::Cut(self.bounds.get(place).copied().unwrap_or_default())
            }
        }
    }

    fn value(&mut self) -> JavaValue {
        match self.byte() {
            tag::FALSE => JavaValue::Boolean(false),
            tag::TRUE => JavaValue::Boolean(true),
            tag::BYTE => JavaValue::Byte(self.signed() as i8),
            tag::CHAR => JavaValue::Char(self.signed() as u16),
            tag::SHORT => JavaValue::Short(self.signed() as i16),
            tag::INT => JavaValue::Int(self.signed() as i32),
            tag::LONG => JavaValue::Long(self.signed()),
            tag::FLOAT => JavaValue::Float(f32::from_bits(self.signed() as u32)),
            tag::DOUBLE => JavaValue::Double(f64::from_bits(self.signed().cast_unsigned())),
            tag::MOVED => self.values.next().unwrap_or(JavaValue::Null),
            _ => JavaValue::Null,
        }
    }

    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        byte
    }

    fn text(&mut self, length: usize) -> &str {
        let from = self.at;
        self.at += length;
        self.bytes.get(from..self.at).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default()
    }

    fn number(&mut self) -> u64 {
        let first = self.byte();
        let mut number = u64::from(first & 0x7f);
        let mut shift = 0;
        let mut byte = first;
        while byte & 0x80 != 0 && shift < 63 {
            byte = self.byte();
            shift += 7;
            number |= u64::from(byte & 0x7f) << shift;
        }
        number
    }

    fn signed(&mut self) -> i64 {
        let number = self.number();
        (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_classfile::Type;
    use evergreen_replay::Receiver;

    fn common() -> Common {
        let target = Target {
            class: "a.B".into(),
            method: "m".into(),
            descriptor: "(I)I".into(),
            receiver: Receiver::Static,
            hidden: false,
            parameters: vec!["x".into()],
            exceptions: Vec::new(),
        };
        Common { target: Arc::new(target), parameters: 1 }
    }

    /// Values of all kinds, those at the edges too.
    fn values() -> Vec<JavaValue> {
        let array =
            JavaValue::Array { element: Type::Int, items: vec![JavaValue::Int(-1), JavaValue::Int(4)] };
        let mut all = vec![JavaValue::Null, array, JavaValue::String(vec![0xd800, 7]), JavaValue::Ref(3)];
        all.extend([true, false].map(JavaValue::Boolean));
        all.extend([i8::MIN, 0, i8::MAX].map(JavaValue::Byte));
        all.extend([0, u16::MAX].map(JavaValue::Char));
        all.extend([i16::MIN, i16::MAX].map(JavaValue::Short));
        all.extend([i32::MIN, -65, -1, 0, 63, 64, i32::MAX].map(JavaValue::Int));
        all.extend([i64::MIN, -1, 0, i64::MAX].map(JavaValue::Long));
        all.extend([-0.0, 0.0, f32::NAN, f32::NEG_INFINITY].map(JavaValue::Float));
        all.extend([-0.0, 0.0, f64::NAN, -f64::NAN, f64::MIN].map(JavaValue::Double));
        all
    }

    /// An end of a path that some number determines.
    fn path(n: usize, common: &Common) -> PathEnd {
        let values = values();
        let value = |at: usize| values[at % values.len()].clone();
        let how = match n % 7 {
            0 => How::Returned(None),
            1 => How::Exited(-3),
            2 => How::Cut(["depth", "loops"][n / 7 % 2]),
            3 => How::Threw { class: "E".into(), message: None, place: None },
            _ => How::Returned(Some(value(n / 7))),
        };
        let mut path = PathEnd {
            how,
            position: (0..n as u32 % 20).map(|way| way * 50).collect(),
            inputs: (0..n % 5).map(|at| (format!("name{}", at * (n % 3 + 1)), value(n + at))).collect(),
            depth: n,
            steps: u64::MAX - n as u64,
            output: if n % 3 == 0 { format!("{n}\n") } else { String::new() },
            taken: (n % 4 == 0).then(Vec::new),
            line: (n % 5 == 0).then(|| PathLine { text: format!("line {n}"), number_at: Some(2) }),
            ..PathEnd::empty()
        };
        if n % 11 == 0 {
            path.conditions = vec![format!("x > {n}")];
        }
        if n % 6 != 0 {
            path.case = plain_case(&path, &common.target, common.parameters, None);
        }
        path
    }

    fn told(path: PathEnd) -> Told {
        let end = One { path: Box::new(path), is_graph: false, is_built: false, is_due: false };
        Told { end, smaller: None, is_outcome: true, kind: None }
    }

    /// NaN is no NaN, but has the same text.
    fn same(one: &PathEnd, other: &PathEnd) -> bool {
        format!("{one:?}") == format!("{other:?}")
    }

    #[test]
    fn what_is_unpacked_is_what_was_packed() {
        let common = common();
        let mut spare = Some(Box::new(path(12, &common)));
        let mut packed = 0;
        for from in [0, 1_000, 5] {
            let mut batch = Batch::default();
            for n in from..from + 400 {
                let ended =
                    Ended { path: (n % 9 != 0).then(|| told(path(n, &common))), open: n as u64 * 1_000 };
                packed += u64::from(batch.add(ended, &common).is_some());
            }
            assert_eq!(batch.len(), 400);
            let mut unpacking = Unpacking::from(batch);
            for n in from..from + 400 {
                let ended = unpacking.next(&mut spare, &common).expect("as many as were added");
                assert_eq!(ended.open, n as u64 * 1_000);
                assert_eq!(ended.path.is_some(), n % 9 != 0);
                if let Some(told) = ended.path {
                    let expected = path(n, &common);
                    assert!(same(&told.end.path, &expected), "{:?}\n{expected:?}", told.end.path);
                    assert!(told.is_outcome);
                    // Its memory is used for the next; not always.
                    spare = Some(told.end.path).filter(|_| n % 17 != 0);
                }
            }
            assert!(unpacking.next(&mut spare, &common).is_none());
        }
        assert!(packed > 800, "{packed} were packed");
    }

    #[test]
    fn a_test_that_is_due_is_made() {
        let common = common();
        for n in 0..400 {
            let expected = PathEnd { case: None, ..path(n, &common) };
            let case = plain_case(&expected, &common.target, common.parameters, None);
            let mut due = told(expected.clone());
            due.end.is_due = matches!(expected.how, How::Returned(_) | How::Exited(_));
            let mut batch = Batch::default();
            batch.add(Ended { path: Some(due), open: 0 }, &common);
            let ended = Unpacking::from(batch).next(&mut None, &common).expect("one");
            let told = ended.path.expect("a path").end.path;
            assert!(same(&told, &PathEnd { case, ..expected }), "{told:?}");
        }
    }

    #[test]
    fn a_packed_path_weighs_little() {
        let common = common();
        let mut batch = Batch::default();
        for n in 0..1_000 {
            let inputs = (0..10).map(|at| (format!("pedal{at}"), JavaValue::Int(n * at))).collect();
            let how = How::Returned(Some(JavaValue::Int(n)));
            let path = PathEnd { inputs, how, position: vec![1; 30], ..PathEnd::empty() };
            assert!(batch.add(Ended { path: Some(told(path)), open: 3 }, &common).is_some());
        }
        assert!(batch.weight() < 100 * 1_000, "{}", batch.weight());
    }
}
