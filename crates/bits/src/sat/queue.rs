//! The order of decisions: a list of variables, the last one that took part in a conflict in front.
//!
//! "Variable move to front" [Ryan MSc'04; Biere, Fröhlich SAT'15]. A heap by activity costs a logarithm for
//! each variable that is decided, and a query with thousands of variables and no conflict is all decisions. A
//! list costs a step. Variables without a conflict are in the order of their numbers, small ones first: a
//! blaster numbers inputs before gates, and once the inputs are decided propagation does the rest.

use super::Var;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Link {
    /// Towards the front.
    before: u32,
    after: u32,
    /// When the variable was moved to the front; larger is nearer to it.
    stamp: u32,
}

pub(super) struct Queue {
    links: Vec<Link>,
    front: u32,
    back: u32,
    /// All variables before this one are assigned.
    next: u32,
    stamp: u32,
    /// Memory of [`Queue::bump`].
    sorted: Vec<u64>,
}

/// Stamps of fresh variables fall from here, so that conflicts can rise above them.
const MIDDLE: u32 = u32::MAX / 2;

impl Queue {
    pub(super) fn new() -> Self {
        Queue { links: Vec::new(), front: NONE, back: NONE, next: NONE, stamp: MIDDLE, sorted: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.links.clear();
        (self.front, self.back, self.next, self.stamp) = (NONE, NONE, NONE, MIDDLE);
    }

    /// Puts fresh variables behind all others.
    pub(super) fn grow(&mut self, vars: usize) {
        for var in self.links.len() as u32..vars as u32 {
            self.links.push(Link { before: self.back, after: NONE, stamp: MIDDLE - var });
            match self.back {
                NONE => self.front = var,
                back => self.links[back as usize].after = var,
            }
            self.back = var;
        }
        self.next = self.front;
    }

    /// The foremost variable for which `is_open` holds.
    #[inline]
    pub(super) fn decide(&mut self, is_open: impl Fn(Var) -> bool) -> Option<Var> {
        let mut at = self.next;
        while at != NONE && !is_open(Var(at)) {
            at = self.links[at as usize].after;
        }
        self.next = at;
        (at != NONE).then_some(Var(at))
    }

    /// A variable is open again.
    #[inline]
    pub(super) fn reopen(&mut self, var: Var) {
        let is_before =
            self.next == NONE || self.links[var.index()].stamp > self.links[self.next as usize].stamp;
        if is_before {
            self.next = var.0;
        }
    }

    /// Moves variables to the front and keeps the order among them. All of them are assigned: conflicts bump
    /// before they backtrack.
    pub(super) fn bump(&mut self, vars: &[Var]) {
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        // Numbers without indirection sort faster.
        sorted
            .extend(vars.iter().map(|var| u64::from(self.links[var.index()].stamp) << 32 | u64::from(var.0)));
        sorted.sort_unstable();
        for &key in &sorted {
            self.move_to_front(Var(key as u32));
        }
        self.sorted = sorted;
    }

    fn move_to_front(&mut self, var: Var) {
        if self.front == var.0 {
            return;
        }
        if self.stamp == u32::MAX {
            self.renumber();
        }
        let link = self.links[var.index()];
        if self.next == var.0 {
            self.next = link.after;
        }
        self.links[link.before as usize].after = link.after;
        match link.after {
            NONE => self.back = link.before,
            after => self.links[after as usize].before = link.before,
        }
        self.links[self.front as usize].before = var.0;
        self.stamp += 1;
        self.links[var.index()] = Link { before: NONE, after: self.front, stamp: self.stamp };
        self.front = var.0;
    }

    /// Stamps are used up: numbers them again in the order of the list.
    #[cold]
    fn renumber(&mut self) {
        let mut at = self.front;
        let mut stamp = MIDDLE;
        self.stamp = MIDDLE;
        while at != NONE {
            self.links[at as usize].stamp = stamp;
            stamp -= 1;
            at = self.links[at as usize].after;
        }
    }
}
