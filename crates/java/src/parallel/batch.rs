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
    // Of the last path that was packed: the next one mostly has the same names, and begins alike.
    places: Vec<usize>,
    position: Vec<u32>,
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
    /// Other names than the path before it.
    pub(super) const NAMES: u8 = 16;

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
        let has_names = !self.has_same_names(path);
        let has = |has: bool, flag: u8| if has { flag } else { 0 };
        self.bytes.push(
            has(*is_due || path.case.is_some(), tag::CASE)
                | has(path.line.is_some(), tag::LINE)
                | has(path.taken.is_some(), tag::TAKEN)
                | has(*is_outcome, tag::OUTCOME)
                | has(has_names, tag::NAMES),
        );
        self.number(path.depth as u64);
        self.number(path.steps);
        let alike = self.position.iter().zip(&path.position).take_while(|(one, other)| one == other).count();
        let rest = &path.position[alike..];
        self.number(alike as u64);
        self.number(rest.len() as u64);
        rest.iter().for_each(|&way| self.number(u64::from(way)));
        self.position.truncate(alike);
        self.position.extend_from_slice(rest);
        self.how(&mut path.how);
        if has_names {
            self.names(path);
        }
        path.inputs.iter_mut().for_each(|(_, value)| self.value(value));
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

    /// Whether the inputs of a path have the names of those of the last one.
    fn has_same_names(&self, path: &PathEnd) -> bool {
        let mut both = self.places.iter().zip(&path.inputs);
        self.places.len() == path.inputs.len() && both.all(|(&place, (name, _))| self.names[place] == *name)
    }

    fn names(&mut self, path: &PathEnd) {
        self.number(path.inputs.len() as u64);
        self.places.clear();
        for (name, _) in &path.inputs {
            let place = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
                self.names.push(name.clone());
                self.names.len() - 1
            });
            self.places.push(place);
            self.number(place as u64);
        }
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
    // All of them, so that a field that is added cannot be forgotten here: those without a name are packed.
    let Told { end: One { path, is_graph, is_built, is_due: _ }, smaller, kind, is_outcome: _ } = told;
    let PathEnd {
        decisions,
        seeds,
        objects,
        read,
        shapes,
        conditions,
        stops,
        likelihood,
        case,
        how,
        // Told anew.
        number: _,
        position: _,
        inputs: _,
        depth: _,
        steps: _,
        output: _,
        taken: _,
        line: _,
    } = &**path;
    let is_usual = |case: &TestCase| Arc::ptr_eq(&case.target, &common.target) && case.build.is_none();
    matches!(how, How::Returned(_) | How::Exited(_) | How::Cut(_))
        && !(*is_graph || *is_built || smaller.is_some() || kind.is_some() || likelihood.is_some())
        && (decisions.is_empty() && seeds.is_empty() && conditions.is_empty() && stops.is_empty())
        && (objects.is_empty() && read.is_empty() && shapes.is_empty())
        && case.as_ref().is_none_or(is_usual)
}

/// A batch that is being told.
#[derive(Default)]
pub(super) struct Unpacking {
    bytes: Vec<u8>,
    at: usize,
    names: Vec<String>,
    // Of the last path.
    places: Vec<usize>,
    position: Vec<u32>,
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
        Unpacking { bytes, names, bounds, values, lines, taken, whole, ..Unpacking::default() }
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
        let old = path.case.take();
        let has = self.byte();
        self.write(&mut path, has);
        if has & tag::CASE != 0 {
            path.case = plain_case(&path, &common.target, common.parameters, old);
        }
        let end = One { path, is_graph: false, is_built: false, is_due: false };
        Told { end, smaller: None, is_outcome: has & tag::OUTCOME != 0, kind: None }
    }

    /// Writes a path over another one, but for its test.
    fn write(&mut self, path: &mut PathEnd, has: u8) {
        // Without two dots: a new field is not to be forgotten.
        #[rustfmt::skip]
        let PathEnd {
            number, position, decisions, seeds, how, inputs, objects, read, shapes, conditions, stops, depth, steps, output,
            case: _, taken, likelihood, line,
        } = path;
        *number = 0;
        *depth = self.number() as usize;
        *steps = self.number();
        let alike = self.number() as usize;
        self.position.truncate(alike);
        for _ in 0..self.number() {
            let way = self.number() as u32;
            self.position.push(way);
        }
        position.clone_from(&self.position);
        *how = self.how();
        if has & tag::NAMES != 0 {
            self.places.clear();
            for _ in 0..self.number() {
                let place = self.number() as usize;
                self.places.push(place);
            }
        }
        let mut rewritten = Rewritten::over(std::mem::take(inputs));
        for at in 0..self.places.len() {
            let value = self.value();
            let name = self.places.get(at).and_then(|&place| self.names.get(place));
            rewritten.put(name.map_or("", String::as_str), value);
        }
        *inputs = rewritten.end();
        let length = self.number() as usize;
        output.clear();
        output.push_str(self.text(length));
        *line = if has & tag::LINE != 0 { self.lines.next() } else { None };
        *taken = if has & tag::TAKEN != 0 { self.taken.next() } else { None };
        decisions.clear();
        seeds.clear();
        objects.clear();
        read.clear();
        shapes.clear();
        conditions.clear();
        stops.clear();
        *likelihood = None;
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
mod tests;
