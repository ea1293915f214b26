//! Ends of paths that wait to be reported, packed: a hundred bytes a path instead of some thirty pieces of
//! memory.
//!
//! A path as it is reported takes two kilobytes in thirty pieces. Thousands of waiting paths are in no cache,
//! and the allocator that gets them back has to look for each: that made two threads take half as much time
//! again as one, where paths take 5 µs. So the worker that finds a path writes what is particular to it into
//! a buffer for many, and reuses the path's own memory for its next one; the reporting thread rebuilds it in
//! memory that it has at hand. For most paths that is little: the way, the result and the values of the
//! inputs. Names are the same for all paths, and the test is made of the rest.
//!
//! What is large or rare is moved beside the buffer: lines of text, the arms that were taken, values with
//! parts, and all of a path that has objects, seeds, conditions to be shown, or an exception.

use crate::run::{One, ReadyEnd};
use crate::{Beyond, How, Language, Packed, PathEnd, PathLine, Rewritten};
use std::sync::Arc;

/// What a path weighs that is moved as it is; measured roughly.
const WHOLE: usize = 4 << 10;
/// What an arm weighs, or a value with parts.
const PIECE: usize = 64;

/// An end, and how many subtrees a single explorer would have open then.
pub(super) struct Ended<L: Language> {
    /// What is reported, if it is the end of a path.
    pub(super) path: Option<ReadyEnd<L>>,
    pub(super) open: u64,
}

/// What the paths of a method have in common.
#[derive(Clone)]
pub(super) struct Common<L: Language> {
    /// What its tests call.
    pub(super) target: Arc<L::Target>,
    /// How many of the inputs are parameters.
    pub(super) parameters: usize,
}

/// Ends in the order in which they were found.
pub(super) struct Batch<L: Language> {
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
    values: Vec<L::Value>,
    lines: Vec<PathLine>,
    beyond: Vec<L::Beyond>,
    whole: Vec<ReadyEnd<L>>,
}

impl<L: Language> Default for Batch<L> {
    fn default() -> Batch<L> {
        Batch {
            bytes: Vec::new(),
            count: 0,
            weight: 0,
            names: Vec::new(),
            places: Vec::new(),
            position: Vec::new(),
            bounds: Vec::new(),
            values: Vec::new(),
            lines: Vec::new(),
            beyond: Vec::new(),
            whole: Vec::new(),
        }
    }
}

/// What comes next in the bytes.
mod tag {
    pub(super) const NO_PATH: u8 = 0;
    pub(super) const PACKED: u8 = 1;
    pub(super) const WHOLE: u8 = 2;

    // What a packed path has.
    pub(super) const CASE: u8 = 1;
    pub(super) const LINE: u8 = 2;
    pub(super) const BEYOND: u8 = 4;
    pub(super) const OUTCOME: u8 = 8;
    /// Other names than the path before it.
    pub(super) const NAMES: u8 = 16;

    // How it ended.
    pub(super) const RETURNED: u8 = 0;
    pub(super) const RETURNED_VALUE: u8 = 1;
    pub(super) const EXITED: u8 = 2;
    pub(super) const CUT: u8 = 3;

    // Values: a front end's own kinds are below, doubled, with one more if a number follows.
    pub(super) const MOVED: u8 = 255;
}

impl<L: Language> Batch<L> {
    /// An empty one that is likely to become as large as another.
    pub(super) fn like(other: &Batch<L>) -> Batch<L> {
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
    pub(super) fn add(&mut self, ended: Ended<L>, common: &Common<L>) -> Option<Box<PathEnd<L>>> {
        self.count += 1;
        let Some(mut ready) = ended.path else {
            self.bytes.push(tag::NO_PATH);
            self.number(ended.open);
            return None;
        };
        if !is_plain(&ready, common) {
            let One { path, is_due, .. } = &mut ready.end;
            if *is_due {
                path.case = L::plain_case(path, &common.target, common.parameters, None);
            }
            self.bytes.push(tag::WHOLE);
            self.number(ended.open);
            self.weight += WHOLE;
            self.whole.push(ready);
            return None;
        }
        self.bytes.push(tag::PACKED);
        self.number(ended.open);
        self.path(&mut ready);
        Some(ready.end.path)
    }

    fn path(&mut self, ready: &mut ReadyEnd<L>) {
        let ReadyEnd { end: One { path, is_due, .. }, is_outcome, .. } = ready;
        let has_names = !self.has_same_names(path);
        let has = |has: bool, flag: u8| if has { flag } else { 0 };
        self.bytes.push(
            has(*is_due || path.case.is_some(), tag::CASE)
                | has(path.line.is_some(), tag::LINE)
                | has(!path.beyond.is_empty(), tag::BEYOND)
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
        if !path.beyond.is_empty() {
            self.weight += path.beyond.weight();
            self.beyond.push(std::mem::take(&mut path.beyond));
        }
    }

    fn how(&mut self, how: &mut How<L>) {
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
    fn has_same_names(&self, path: &PathEnd<L>) -> bool {
        let mut both = self.places.iter().zip(&path.inputs);
        self.places.len() == path.inputs.len() && both.all(|(&place, (name, _))| self.names[place] == *name)
    }

    fn names(&mut self, path: &PathEnd<L>) {
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

    fn value(&mut self, value: &mut L::Value) {
        match L::pack(value) {
            Some(Packed { tag, number }) => {
                self.bytes.push(tag << 1 | u8::from(number.is_some()));
                if let Some(number) = number {
                    self.signed(number);
                }
            }
            None => {
                self.bytes.push(tag::MOVED);
                self.weight += PIECE;
                self.values.push(std::mem::take(value));
            }
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

/// Whether a path can be rebuilt from what is packed.
fn is_plain<L: Language>(ready: &ReadyEnd<L>, common: &Common<L>) -> bool {
    // All of them, so that a field that is added cannot be forgotten here: those without a name are packed.
    let ReadyEnd { end: One { path, is_graph, is_built, is_due: _ }, smaller, kind, is_outcome: _ } = ready;
    let PathEnd {
        decisions,
        seeds,
        conditions,
        stops,
        likelihood,
        case,
        how,
        sampled,
        beyond,
        // Packed.
        number: _,
        position: _,
        inputs: _,
        depth: _,
        steps: _,
        output: _,
        line: _,
    } = &**path;
    matches!(how, How::Returned(_) | How::Exited(_) | How::Cut(_))
        && !(*is_graph || *is_built || smaller.is_some() || kind.is_some() || likelihood.is_some())
        && (decisions.is_empty() && seeds.is_empty() && conditions.is_empty() && stops.is_empty())
        && beyond.is_plain()
        && !sampled
        && case.as_ref().is_none_or(|case| L::is_plain_case(case, &common.target))
}

/// A batch that is being reported.
pub(super) struct Unpacking<L: Language> {
    bytes: Vec<u8>,
    at: usize,
    names: Vec<String>,
    // Of the last path.
    places: Vec<usize>,
    position: Vec<u32>,
    bounds: Vec<&'static str>,
    values: std::vec::IntoIter<L::Value>,
    lines: std::vec::IntoIter<PathLine>,
    beyond: std::vec::IntoIter<L::Beyond>,
    whole: std::vec::IntoIter<ReadyEnd<L>>,
}

impl<L: Language> Default for Unpacking<L> {
    fn default() -> Unpacking<L> {
        Unpacking::from(Batch::default())
    }
}

impl<L: Language> From<Batch<L>> for Unpacking<L> {
    fn from(batch: Batch<L>) -> Unpacking<L> {
        let Batch { bytes, names, bounds, values, lines, beyond, whole, .. } = batch;
        Unpacking {
            bytes,
            at: 0,
            names,
            places: Vec::new(),
            position: Vec::new(),
            bounds,
            values: values.into_iter(),
            lines: lines.into_iter(),
            beyond: beyond.into_iter(),
            whole: whole.into_iter(),
        }
    }
}

impl<L: Language> Unpacking<L> {
    /// The next end, in the memory of a consumed path, if there is one.
    pub(super) fn next(
        &mut self,
        spare: &mut Option<Box<PathEnd<L>>>,
        common: &Common<L>,
    ) -> Option<Ended<L>> {
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

    fn path(&mut self, spare: Option<Box<PathEnd<L>>>, common: &Common<L>) -> ReadyEnd<L> {
        let mut path = spare.unwrap_or_else(|| Box::new(PathEnd::empty()));
        let old = path.case.take();
        let has = self.byte();
        self.write(&mut path, has);
        if has & tag::CASE != 0 {
            path.case = L::plain_case(&path, &common.target, common.parameters, old);
        }
        let end = One { path, is_graph: false, is_built: false, is_due: false };
        ReadyEnd { end, smaller: None, is_outcome: has & tag::OUTCOME != 0, kind: None }
    }

    /// Writes a path over another one, but for its test.
    fn write(&mut self, path: &mut PathEnd<L>, has: u8) {
        // Without two dots: a new field is not to be forgotten.
        #[rustfmt::skip]
        let PathEnd {
            number, position, decisions, seeds, how, inputs, conditions, stops, depth, steps, output, case: _,
            likelihood, line, beyond, sampled,
        } = path;
        (*number, *sampled) = (0, false);
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
        let moved = if has & tag::BEYOND != 0 { self.beyond.next() } else { None };
        *beyond = moved.unwrap_or_default();
        decisions.clear();
        seeds.clear();
        conditions.clear();
        stops.clear();
        *likelihood = None;
    }

    fn how(&mut self) -> How<L> {
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

    fn value(&mut self) -> L::Value {
        match self.byte() {
            tag::MOVED => self.values.next().unwrap_or_default(),
            byte => {
                let number = (byte & 1 != 0).then(|| self.signed());
                L::unpack(Packed { tag: byte >> 1, number })
            }
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
