//! Cuts a stream of bytes into top-level commands, for files and for interactive pipes.
//!
//! Bytes arrive in chunks of any size ([`Splitter::feed`]); a command is handed out as soon as its last
//! parenthesis has arrived ([`Splitter::next_piece`]), so that a client that waits for an answer gets one.
//! The splitter knows just enough of the lexicon to find that parenthesis: comments, strings, quoted symbols.
//! It never fails: text that is not a command is handed out too, as a piece of another kind, so that the
//! caller can pass it on untouched. Every byte is looked at once, whatever the chunk sizes.
//!
//! Two extensions of z3 are honoured because the standard gives their text no other meaning:
//! `\|` inside a quoted symbol does not end it, and `#| … |#` is a comment.

use crate::diagnostic::{Diagnostic, Position};

/// The kind of a [`Piece`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A complete list `( … )`.
    Command,
    /// An atom outside of any command.
    Stray,
    /// A closing parenthesis that closes nothing.
    Unbalanced,
    /// The input ended inside of a command, string, quoted symbol or block comment.
    Unfinished,
}

/// One top-level piece of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'b> {
    /// Its kind.
    pub kind: PieceKind,
    /// Its bytes, from its first to its last character.
    pub text: &'b [u8],
    /// The byte offset at which it starts in the whole input.
    pub offset: u64,
    /// Text right before it, and where that starts in the whole input.
    before: &'b [u8],
    origin: Position,
}

impl Piece<'_> {
    /// Where it starts in the whole input. Only messages need to know, so it is counted when it is asked for.
    pub fn position(&self) -> Position {
        self.origin.after(self.before)
    }

    /// The same, counted from an earlier place and its offset, if the text from there on is still at hand.
    pub fn position_from(&self, (offset, position): (u64, Position)) -> Position {
        let start = self.offset - self.before.len() as u64;
        let skipped = offset.checked_sub(start).and_then(|skipped| self.before.get(skipped as usize..));
        skipped.map_or_else(|| self.position(), |between| position.after(between))
    }

    /// The complaint about a piece that is not a command; its offset is relative to the piece.
    pub fn complaint(&self) -> Option<Diagnostic> {
        let text = || String::from_utf8_lossy(&self.text[..self.text.len().min(40)]);
        match self.kind {
            PieceKind::Command => None,
            PieceKind::Stray => Some(
                Diagnostic::new(0, format!("\"{}\" outside of any command", text()))
                    .with_help("commands are lists, as in (check-sat)"),
            ),
            PieceKind::Unbalanced => Some(Diagnostic::new(0, "\")\" closes nothing")),
            PieceKind::Unfinished => Some(unfinished(self.text)),
        }
    }
}

/// Says what the input ended in the middle of.
fn unfinished(text: &[u8]) -> Diagnostic {
    let mut state = State::Between;
    let (mut depth, mut opened, mut outer) = (0usize, 0, 0);
    for (at, &byte) in text.iter().enumerate() {
        // The message names the construct that hides the end of the text, and its start.
        let before = state;
        state = state.step(byte);
        let continues = before == State::StringQuote && state == State::String && byte == b'"';
        if before.is_between() && !state.is_between() && !continues {
            opened = at;
        }
        if state == State::Between && before.is_between() {
            match byte {
                b'(' => {
                    if depth == 0 {
                        outer = at;
                    }
                    depth += 1;
                }
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    let (at, what, closer) = match state {
        State::String => (opened, "string", "\""),
        State::Quoted | State::QuotedEscape => (opened, "quoted symbol", "|"),
        State::Block | State::BlockBar => (opened.saturating_sub(1), "block comment", "|#"),
        _ => (outer, "command", ")"),
    };
    Diagnostic::new(at, format!("the input ends inside of this {what}"))
        .with_help(format!("close it with {closer}"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between or inside of plain tokens.
    Between,
    /// After `#`, which may begin a block comment.
    Hash,
    Comment,
    Block,
    /// In a block comment, after `|`.
    BlockBar,
    String,
    /// After a `"` inside of a string: the end, or the first half of `""`.
    StringQuote,
    Quoted,
    /// In a quoted symbol, after `\`.
    QuotedEscape,
}

impl State {
    /// True if the next byte is not hidden in a comment, string or quoted symbol.
    fn is_between(self) -> bool {
        matches!(self, State::Between | State::Hash | State::StringQuote)
    }

    #[inline]
    fn step(self, byte: u8) -> State {
        match (self, byte) {
            (State::Hash, b'|') => State::Block,
            (State::StringQuote, b'"') => State::String,
            (State::Between | State::Hash | State::StringQuote, _) => match byte {
                b'"' => State::String,
                b'|' => State::Quoted,
                b';' => State::Comment,
                b'#' => State::Hash,
                _ => State::Between,
            },
            (State::Comment, b'\n') => State::Between,
            (State::Comment, _) => State::Comment,
            (State::Block | State::BlockBar, b'|') => State::BlockBar,
            (State::BlockBar, b'#') => State::Between,
            (State::Block | State::BlockBar, _) => State::Block,
            (State::String, b'"') => State::StringQuote,
            (State::String, _) => State::String,
            (State::Quoted, b'|') => State::Between,
            (State::Quoted, b'\\') => State::QuotedEscape,
            (State::Quoted | State::QuotedEscape, _) => State::Quoted,
        }
    }
}

/// True if `byte` changes neither state nor depth.
#[inline]
fn is_plain(byte: u8) -> bool {
    const SPECIAL: [bool; 256] = {
        let mut table = [false; 256];
        let mut index = 0;
        while index < 6 {
            table[b"()\"|;#"[index] as usize] = true;
            index += 1;
        }
        table
    };
    !SPECIAL[byte as usize]
}

/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// By how much a block of bytes changes the depth, if nothing in it begins a comment, string or quoted symbol
/// and no parenthesis in it can close the command. Counting is what vector instructions are good at.
#[inline]
fn balance(block: &[u8; BLOCK], depth: usize) -> Option<isize> {
    let (mut opened, mut closed, mut hidden) = (0u8, 0u8, 0u8);
    for &b in block {
        opened += u8::from(b == b'(');
        closed += u8::from(b == b')');
        hidden |= u8::from((b == b'"') | (b == b'|') | (b == b';') | (b == b'#'));
    }
    (hidden == 0 && depth > usize::from(closed)).then(|| opened as isize - closed as isize)
}

/// The incremental command splitter.
#[derive(Debug)]
pub struct Splitter {
    buffer: Vec<u8>,
    /// Start of the part of the buffer that was not handed out yet.
    start: usize,
    /// Up to here the buffer was looked at.
    seen: usize,
    state: State,
    depth: usize,
    /// No piece has begun at `start` yet.
    between: bool,
    /// Position of `buffer[0]` in the whole input.
    position: Position,
    /// Offset of `buffer[start]` in the whole input.
    offset: u64,
    finished: bool,
}

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter::new()
    }
}

impl Splitter {
    /// A splitter that has seen nothing.
    pub fn new() -> Splitter {
        Splitter {
            buffer: Vec::new(),
            start: 0,
            seen: 0,
            state: State::Between,
            depth: 0,
            between: true,
            position: Position::START,
            offset: 0,
            finished: false,
        }
    }

    /// Adds the next bytes of the input.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.start > self.buffer.len() / 2 {
            self.position = self.position.after(&self.buffer[..self.start]);
            self.buffer.drain(..self.start);
            self.seen -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Marks the end of the input: the remaining bytes are handed out as they are.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// The next piece, or `None` until more bytes have been fed.
    pub fn next_piece(&mut self) -> Option<Piece<'_>> {
        if self.between {
            if !self.skip_blank() {
                return None;
            }
            self.between = false;
            self.seen = self.start;
            self.state = State::Between;
        }
        let kind = self.find_end()?;
        let (from, to) = (self.start, self.seen);
        let text = &self.buffer[from..to];
        let piece =
            Piece { kind, text, offset: self.offset, before: &self.buffer[..from], origin: self.position };
        self.offset += text.len() as u64;
        self.start = to;
        self.depth = 0;
        self.state = State::Between;
        self.between = true;
        Some(piece)
    }

    /// The text from the next piece on, as far as it has arrived; `None` inside of a piece and before one.
    pub fn rest(&mut self) -> Option<&[u8]> {
        (self.between && self.skip_blank()).then(|| &self.buffer[self.start..])
    }

    /// The command of a length that [`Splitter::rest`] begins with, found in another way.
    pub fn piece(&mut self, length: usize) -> Piece<'_> {
        let from = self.start;
        let offset = self.offset;
        self.skip(length);
        Piece {
            kind: PieceKind::Command,
            text: &self.buffer[from..from + length],
            offset,
            before: &self.buffer[..from],
            origin: self.position,
        }
    }

    /// Passes over text that [`Splitter::rest`] gave, and that was read in another way.
    pub fn skip(&mut self, length: usize) {
        self.start += length;
        self.seen = self.start;
        self.offset += length as u64;
        self.state = State::Between;
    }

    /// Whether no more bytes will arrive.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// True while a piece has begun and not ended.
    pub fn is_inside_command(&self) -> bool {
        !self.between
    }

    /// Drops white space and comments before a piece; true if a piece begins at `start`.
    ///
    /// Comments may arrive in several chunks. A block comment is kept until its end has come,
    /// because the input may end inside of it.
    fn skip_blank(&mut self) -> bool {
        let mut at = self.seen;
        let mut dropped = self.start;
        let mut found = false;
        while let Some(&byte) = self.buffer.get(at) {
            if self.state == State::Comment {
                // Everything up to the end of the line, at once.
                let rest = &self.buffer[at..];
                at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                dropped = at;
                if at == self.buffer.len() {
                    break;
                }
                self.state = State::Between;
                continue;
            }
            let blank = match self.state {
                State::Between => matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'#'),
                State::Hash => byte == b'|',
                _ => true,
            };
            if !blank {
                found = true;
                break;
            }
            self.state = self.state.step(byte);
            at += 1;
            if matches!(self.state, State::Between | State::Comment) {
                dropped = at;
            }
        }
        self.offset += (dropped - self.start) as u64;
        self.start = dropped;
        self.seen = at;
        // A lone `#` or an unfinished block comment is reported when the input ends.
        found || (self.finished && dropped < at)
    }

    /// Moves `seen` to the end of the piece at `start`, if it is there.
    fn find_end(&mut self) -> Option<PieceKind> {
        let mut state = self.state;
        let mut depth = self.depth;
        let mut at = self.seen;
        let mut found = None;
        // Most commands are shorter than a few blocks: these are looked at byte by byte.
        let mut next_block = at + 4 * BLOCK;
        while let Some(&byte) = self.buffer.get(at) {
            if depth > 0 && state == State::Between {
                if at >= next_block {
                    if let Some(balance) = self.buffer[at..].first_chunk().and_then(|b| balance(b, depth)) {
                        depth = depth.wrapping_add_signed(balance);
                        at += BLOCK;
                        continue;
                    }
                    next_block = at + BLOCK;
                }
                if is_plain(byte) {
                    at += 1;
                    continue;
                }
            }
            if depth == 0 && at > self.start && state.is_between() {
                // In a stray atom: it ends before a delimiter.
                let joined =
                    (state == State::Hash && byte == b'|') || (state == State::StringQuote && byte == b'"');
                if !joined && matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b';') {
                    found = Some(PieceKind::Stray);
                    break;
                }
            }
            let between = state.is_between();
            state = state.step(byte);
            at += 1;
            if between && state == State::Between {
                match byte {
                    b'(' => depth += 1,
                    b')' if depth <= 1 => {
                        found = Some(if depth == 1 { PieceKind::Command } else { PieceKind::Unbalanced });
                        break;
                    }
                    b')' => depth -= 1,
                    _ => {}
                }
            }
        }
        self.seen = at;
        self.state = state;
        self.depth = depth;
        if found.is_none() && self.finished && at > self.start {
            let whole = depth == 0 && state.is_between();
            found = Some(if whole { PieceKind::Stray } else { PieceKind::Unfinished });
        }
        found
    }
}
