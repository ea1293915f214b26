//! Which worker has which part, and in which order results are reported: the data, without threads.
//!
//! Parts are segments of the order of paths. A worker gives away the last of its open subtrees, so a new
//! segment belongs right behind its giver's: the list of segments is the order of paths, and no positions are
//! compared. Results wait with their segment until all segments before it have ended; those of the first
//! segment are reported at once.
//!
//! Results come in batches, and each batch has a weight: about how much memory it takes. Memory is bounded:
//! if too much waits, workers that are far from the first segment park their work ([`Task::Parked`]) and help
//! with what comes first: with a segment before which little waits. For that there has to be one. So while
//! much waits, the worker at the front gives away small subtrees, not the largest it has (`worker.rs`).

use std::collections::VecDeque;

/// How many times the room there is may be used by segments near the first one: parked work leaves its
/// results behind.
const ROOMS: usize = 4;

/// A segment, by number.
pub(super) type SegmentId = usize;

/// What becomes of a segment.
enum Task<P> {
    /// It waits for a worker.
    Parked(P),
    /// A worker explores it.
    Running,
    /// It has ended.
    Ended,
}

struct Segment<P, B> {
    task: Task<P>,
    /// Batches that wait.
    batches: VecDeque<B>,
    /// What they weigh.
    weight: usize,
    next: Option<SegmentId>,
    /// Subtrees that are open to the right of all of its paths.
    beyond: u64,
    /// Subtrees that it has given away.
    given: u64,
}

/// The segments of an exploration, in the order of paths.
pub(super) struct Board<P, B> {
    segments: Vec<Segment<P, B>>,
    /// Numbers of segments that were reported to their end, to be reused.
    free: Vec<SegmentId>,
    first: Option<SegmentId>,
    /// What all batches weigh that wait, and how much that should be at most.
    waiting: usize,
    most: usize,
    running: usize,
    parked: usize,
}

impl<P, B> Board<P, B> {
    /// One part or none, with room for results that wait.
    pub(super) fn new(part: Option<P>, most: usize) -> Board<P, B> {
        let mut board = Board {
            segments: Vec::new(),
            free: Vec::new(),
            first: None,
            waiting: 0,
            most,
            running: 0,
            parked: usize::from(part.is_some()),
        };
        board.first = part.map(|part| board.segment(part, None, 0));
        board
    }

    fn segment(&mut self, part: P, next: Option<SegmentId>, beyond: u64) -> SegmentId {
        let segment =
            Segment { task: Task::Parked(part), batches: VecDeque::new(), weight: 0, next, beyond, given: 0 };
        match self.free.pop() {
            Some(id) => {
                self.segments[id] = segment;
                id
            }
            None => {
                self.segments.push(segment);
                self.segments.len() - 1
            }
        }
    }

    /// Puts a part that was given away behind the segment of its giver.
    pub(super) fn give(&mut self, giver: SegmentId, part: P) {
        let (next, beyond) = {
            let segment = &mut self.segments[giver];
            segment.given += 1;
            (segment.next, segment.beyond + segment.given - 1)
        };
        let id = self.segment(part, next, beyond);
        self.segments[giver].next = Some(id);
        self.parked += 1;
    }

    /// A part to work on: the first that waits. None if none does, or if it should wait longer because there
    /// is no room.
    pub(super) fn take(&mut self) -> Option<(SegmentId, P)> {
        let (id, before) = self.parked_segments().next()?;
        // At least one worker has to run.
        if !self.has_room(id, before) && self.running > 0 {
            return None;
        }
        let Task::Parked(part) = std::mem::replace(&mut self.segments[id].task, Task::Running) else {
            return None;
        };
        self.parked -= 1;
        self.running += 1;
        Some((id, part))
    }

    /// The segments that wait for a worker, in order, each with what waits up to its end.
    fn parked_segments(&self) -> impl Iterator<Item = (SegmentId, usize)> {
        let mut here = self.first.filter(|_| self.parked > 0);
        let mut sum = 0;
        std::iter::from_fn(move || {
            while let Some(id) = here {
                let segment = &self.segments[id];
                sum += segment.weight;
                here = segment.next;
                if matches!(segment.task, Task::Parked(_)) {
                    return Some((id, sum));
                }
            }
            None
        })
    }

    /// Whether a segment may be worked on, if so much waits up to its end: it is the first, little waits at
    /// all, or little of it is before it.
    fn has_room(&self, id: SegmentId, before: usize) -> bool {
        let near = before * 2 <= self.most && self.waiting < ROOMS * self.most;
        self.first == Some(id) || self.waiting * 2 <= self.most || near
    }

    /// Adds results of a segment; whether they are next in the order of paths.
    pub(super) fn add(&mut self, id: SegmentId, batch: B, weight: usize) -> bool {
        self.waiting += weight;
        self.segments[id].weight += weight;
        self.segments[id].batches.push_back(batch);
        self.first == Some(id)
    }

    /// A segment has ended; whether it was the first.
    pub(super) fn end(&mut self, id: SegmentId) -> bool {
        self.segments[id].task = Task::Ended;
        self.running -= 1;
        self.first == Some(id)
    }

    /// All results that are next in the order of paths.
    pub(super) fn next(&mut self) -> VecDeque<B> {
        let mut all = VecDeque::new();
        while let Some(id) = self.first {
            let segment = &mut self.segments[id];
            self.waiting -= std::mem::take(&mut segment.weight);
            all.append(&mut segment.batches);
            if !matches!(segment.task, Task::Ended) {
                break;
            }
            self.first = segment.next;
            self.free.push(id);
        }
        all
    }

    /// The segment whose paths are reported next.
    pub(super) fn first(&self) -> Option<SegmentId> {
        self.first
    }

    /// Whether everything has ended and was reported.
    pub(super) fn is_done(&self) -> bool {
        self.first.is_none()
    }

    /// Whether nothing is left to work on.
    pub(super) fn is_over(&self) -> bool {
        self.running == 0 && self.parked == 0
    }

    /// Whether the worker of a segment should park it: too much waits, and others come first.
    pub(super) fn should_park(&self, id: SegmentId) -> bool {
        if !self.is_full() {
            return false;
        }
        let mut before = 0;
        let mut here = self.first;
        while let Some(at) = here {
            before += self.segments[at].weight;
            if at == id {
                break;
            }
            here = self.segments[at].next;
        }
        !self.has_room(id, before)
    }

    /// Whether too much waits.
    pub(super) fn is_full(&self) -> bool {
        self.waiting > self.most
    }

    /// Whether so much waits that it matters where workers continue.
    pub(super) fn is_crowded(&self) -> bool {
        self.waiting * 2 > self.most
    }

    /// How many parts wait for a worker and may be taken.
    pub(super) fn offered(&self) -> usize {
        self.parked_segments().filter(|(id, before)| self.has_room(*id, *before)).count()
    }

    /// No worker is left: ends everything, so that what was found can be reported. Returns how many parts
    /// were never begun.
    pub(super) fn abandon(&mut self) -> usize {
        self.segments.iter_mut().for_each(|segment| segment.task = Task::Ended);
        self.running = 0;
        std::mem::take(&mut self.parked)
    }

    /// Subtrees that were open behind a segment when it was given away, and those that it has given away
    /// itself: with its own open ones, all that a single explorer would have open.
    pub(super) fn beyond(&self, id: SegmentId) -> u64 {
        self.segments[id].beyond + self.segments[id].given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of numbers: a part is a range of them, results are numbers.
    #[test]
    fn results_come_in_order_whichever_worker_finds_them() {
        let mut random = evergreen_explore::Random::new(3);
        for round in 0..200 {
            let most = [2, 10, 1_000][round % 3];
            let mut board: Board<(u32, u32), Vec<(u32, u64)>> = Board::new(Some((0, 60)), most);
            // Workers: segment and range that is left.
            let mut workers: Vec<Option<(SegmentId, u32, u32)>> = vec![None; 3];
            let mut reported = Vec::new();
            while !board.is_done() {
                let at = random.below(3);
                match workers[at].take() {
                    None => workers[at] = board.take().map(|(id, (from, to))| (id, from, to)),
                    Some((id, from, to)) if from == to => assert_eq!(board.first == Some(id), board.end(id)),
                    Some((id, from, to)) if board.should_park(id) => {
                        // Two pieces, the last one first.
                        let middle = from + (to - from) / 2;
                        [(middle, to), (from, middle)].iter().for_each(|piece| board.give(id, *piece));
                        board.end(id);
                    }
                    Some((id, from, to)) if random.below(3) == 0 && to - from > 1 => {
                        let middle = from + (to - from) / 2;
                        board.give(id, (middle, to));
                        workers[at] = Some((id, from, middle));
                    }
                    Some((id, from, to)) => {
                        let found = vec![(from, board.beyond(id))];
                        assert_eq!(board.add(id, found, 1), board.first == Some(id));
                        workers[at] = Some((id, from + 1, to));
                    }
                }
                reported.extend(board.next().into_iter().flatten());
                assert!(board.waiting <= (ROOMS + 1) * most + 60);
            }
            assert!(board.is_over());
            assert!(reported.iter().map(|(n, _)| *n).eq(0..60), "{reported:?}");
        }
    }

    #[test]
    fn what_is_open_beyond_is_known() {
        let mut board: Board<&str, ()> = Board::new(Some("root"), 10);
        let (root, _) = board.take().expect("the root");
        board.give(root, "last");
        board.give(root, "middle");
        assert_eq!(board.beyond(root), 2);
        let (middle, name) = board.take().expect("given");
        assert_eq!((name, board.beyond(middle)), ("middle", 1), "the last one is open behind it");
        let (last, name) = board.take().expect("given");
        assert_eq!((name, board.beyond(last)), ("last", 0));
        assert!(board.take().is_none());
    }
}
