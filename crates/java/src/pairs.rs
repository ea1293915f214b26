//! What is compared of the ends of Java methods in two versions: which way a path ends, results of primitive
//! types, classes of exceptions, what is printed. Results that are objects, and floats that are computed
//! otherwise, are compared only by the test of the pair.

use crate::JavaFrontend;
use evergreen_jvm::{Ending, Outcome, Piece, Stream, Value};
use evergreen_service::{Compares, Ends};
use evergreen_symbolic::Expr;
use std::sync::Arc;

/// How a path ended, as far as versions are compared.
#[derive(Clone, PartialEq, Debug)]
enum Ended {
    /// It returned nothing.
    Void,
    /// It returned a number.
    Number(Expr),
    /// It returned null.
    Null,
    /// It returned an object.
    Object,
    /// It threw.
    Threw(Arc<str>),
    /// It ended the JVM.
    Exited(i32),
}

/// The end of a path, kept for comparing.
#[derive(Clone, Debug)]
pub struct KeptEnd {
    ended: Ended,
    output: Vec<Piece>,
    /// Names and values of what a driver drew.
    draws: Vec<(Arc<str>, Value)>,
}

impl Compares for JavaFrontend {
    type KeptEnd = KeptEnd;

    fn kept_end(&mut self, outcome: &Outcome) -> Option<KeptEnd> {
        let ended = match &outcome.ending {
            Ending::Returned(None) => Ended::Void,
            Ending::Returned(Some(Value::Null)) => Ended::Null,
            Ending::Returned(Some(Value::Ref(_))) => Ended::Object,
            Ending::Returned(Some(value)) => Ended::Number(self.jvm.expr(*value)),
            Ending::Threw { class, .. } => Ended::Threw(class.clone()),
            Ending::Exited(status) => Ended::Exited(*status),
            _ => return None,
        };
        let draws = outcome.draws.iter().map(|draw| (draw.name.clone(), draw.value)).collect();
        Some(KeptEnd { ended, output: outcome.output.clone(), draws })
    }

    fn ends(old: &KeptEnd, new: &KeptEnd) -> Ends {
        if old.draws != new.draws {
            return Ends::Unknown("the versions draw other inputs".into());
        }
        let is_text = |output: &[Piece]| output.iter().all(|piece| matches!(piece, Piece::Text(..)));
        if old.output != new.output {
            // Text that is printed in other pieces may be the same.
            let texts = is_text(&old.output) && is_text(&new.output);
            return match texts && texts_of(&old.output) != texts_of(&new.output) {
                true => Ends::Differ,
                false => Ends::Unknown("what is printed depends on the inputs".into()),
            };
        }
        match (&old.ended, &new.ended) {
            (Ended::Number(a), Ended::Number(b)) => Ends::Values(vec![(*a, *b)]),
            (Ended::Object, Ended::Object) => {
                Ends::Unknown("results that are objects are compared by tests only".into())
            }
            (old, new) if old == new => Ends::Same,
            _ => Ends::Differ,
        }
    }
}

fn texts_of(output: &[Piece]) -> Vec<(bool, u16)> {
    let units = |piece: &Piece| match piece {
        Piece::Text(stream, units) => {
            let out = *stream == Stream::Out;
            units.iter().map(|unit| (out, *unit)).collect::<Vec<_>>()
        }
        Piece::Symbolic(..) | Piece::Input(..) => Vec::new(),
    };
    output.iter().flat_map(units).collect()
}
