//! The totals of a run.

use evergreen_java::{Explored, Totals};
use std::collections::BTreeMap;

/// Every kind of missing path keeps a run from reporting that all paths were explored.
#[test]
fn all_is_said_only_when_nothing_is_missing() {
    assert_eq!(
        (Totals::default().explored(), Totals::default().whole()),
        (Explored::All, "all paths explored".into())
    );
    let missing: [fn(&mut Totals); 12] = [
        |t| t.failed = 1,
        |t| t.not_begun = 1,
        |t| t.empty = 1,
        |t| t.undecided = 1,
        |t| t.stuck = 1,
        |t| t.unsupported = 1,
        |t| t.doubtful = 1,
        |t| t.disagrees = 1,
        |t| t.trusted = 1,
        |t| t.out_of_range = 1,
        |t| t.cut = BTreeMap::from([("depth", 1)]),
        |t| t.error = Some("why".into()),
    ];
    for (at, spoil) in missing.iter().enumerate() {
        let mut totals = Totals { methods: 2, ..Totals::default() };
        spoil(&mut totals);
        assert_eq!(totals.explored(), Explored::Part, "{at}");
        assert_eq!(totals.whole(), "not all paths explored", "{at}");
    }
    let empty = Totals { methods: 2, empty: 2, ..Totals::default() };
    assert_eq!(empty.whole(), "nothing to explore");
}
