//! Models that nobody asks for, as long as they are cheap.
//!
//! A fresh `sat` is asked for its model at once: it is evidence, later runs answer `get-value` from it, and
//! it may satisfy the next query. For a client that checks a growing stack again and again and never asks
//! for values that is dear, since a solver makes each model from all that is in force, and each check adds
//! a line: 2,000 checks took 29 times as long as with the bare solver. So what models are made from may be
//! some times as long as what the client has said, and models are left out beyond that, until the client
//! asks. What is counted is text and not time: the same script is recorded in the same way on each machine.

/// Bytes from which models are made in any case.
const FREE: u64 = 1 << 16;
/// So many times what was read.
const SHARE: u64 = 4;

/// What was read and fetched so far.
#[derive(Default)]
pub(super) struct Thrift {
    read: u64,
    /// What models were made from that nobody has asked about.
    fetched: u64,
    /// Of the last one.
    last: u64,
    /// The client has asked for values of the last check that had some.
    is_asked: bool,
    /// The last check's model was left out.
    pub(super) is_left_out: bool,
}

impl Thrift {
    /// The client has said something.
    pub(super) fn read(&mut self, bytes: usize) {
        self.read += bytes as u64;
    }

    /// Whether the model of a check is fetched now.
    pub(super) fn takes_model(&mut self) -> bool {
        let is_wanted = std::mem::take(&mut self.is_asked);
        self.last = 0;
        self.is_left_out = !is_wanted && self.fetched > FREE + SHARE * self.read;
        !self.is_left_out
    }

    /// A model has come that was made from so much.
    pub(super) fn fetched(&mut self, bytes: usize) {
        self.last = bytes as u64;
        self.fetched += self.last;
    }

    /// The client asks for values: this model was worth it.
    pub(super) fn asked(&mut self) {
        self.fetched -= std::mem::take(&mut self.last);
        self.is_asked = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_left_out_when_nobody_asks() {
        let mut thrift = Thrift::default();
        let taken = |thrift: &mut Thrift, asks: bool| {
            (0..1000)
                .filter(|_| {
                    thrift.read(50);
                    let takes = thrift.takes_model();
                    if takes {
                        thrift.fetched(4000);
                    }
                    if asks {
                        thrift.asked();
                    }
                    takes
                })
                .count()
        };
        assert_eq!(taken(&mut Thrift::default(), true), 1000);
        // 64 KB and four times 50 bytes for each check, at 4,000 bytes a model.
        assert_eq!(taken(&mut thrift, false), 67);
        assert_eq!(taken(&mut thrift, true), 999);
        // Where little is in force they are always taken.
        assert!((0..1000).all(|_| {
            thrift.read(50);
            let takes = thrift.takes_model();
            thrift.fetched(150);
            takes
        }));
    }
}
