//! Edits of `subjects/edits/Orders.java`, whose paths are explored.

use super::edit::Edit;
use super::edit::Kind::{Addition, Change, Removal, Renaming, Reordering};
use super::edit::Step::{Before, Move, Remove, Replace};

/// The class.
pub(super) const CLASS: &str = "Orders";

const METHOD: &str = "public static int sign(int x) {
        if (x < -3) {
            return -1;
        }
        return x > 40 ? 1 : 0;
    }

    ";

const TOP: &str = "public static int price";
const MIDDLE: &str = "public static int code";
const LAST: &str = "public static int steps";

/// Edits; methods are named as in the program.
pub(super) const EDITS: &[Edit] = &[
    Edit::new("method at the top", Addition, &[Before(TOP, METHOD)]),
    Edit::new("method in the middle", Addition, &[Before(MIDDLE, METHOD)]),
    Edit::new("method at the end", Addition, &[Before(LAST, METHOD)]),
    Edit::new(
        "field added",
        Addition,
        &[Before("private static final", "private static int calls;\n\n    ")],
    ),
    Edit::new(
        "lambda added",
        Addition,
        &[Replace(
            "int low = text",
            "java.util.function.IntUnaryOperator same = z -> z;\n        int low = text",
        )],
    ),
    Edit::new("methods reordered", Reordering, &[Move(LAST, TOP), Move("public static int stock", MIDDLE)]),
    Edit::new("operands swapped", Reordering, &[Replace("amount * 3 + unit * 2", "unit * 2 + amount * 3")]),
    Edit::new("comparison turned", Reordering, &[Replace("sum > LIMIT", "LIMIT < sum")]),
    Edit::new(
        "parameters swapped",
        Reordering,
        &[Replace("price(int amount, int unit)", "price(int unit, int amount)")],
    ),
    Edit::new("parameter renamed", Renaming, &[Replace("sold", "gone")]),
    Edit::new("local renamed", Renaming, &[Replace("length = ", "days = "), Replace("<= length", "<= days")]),
    Edit::new("method renamed", Renaming, &[Replace("rank", "winner")]).renamed(&[("winner", "rank")]),
    Edit::new("field renamed", Renaming, &[Replace("LIMIT", "MOST")]),
    Edit::new(
        "part made a method",
        Renaming,
        &[
            Replace("int sum = amount * 3 + unit * 2;", "int sum = sum(amount, unit);"),
            Before(
                LAST,
                "private static int sum(int a, int b) {\n        return a * 3 + b * 2;\n    }\n\n    ",
            ),
        ],
    ),
    Edit::new("method removed", Removal, &[Remove("public static int stock")]),
    Edit::new("constant changed", Change, &[Replace("LIMIT = 500", "LIMIT = 600")]).affects(&["price"]),
    Edit::new("condition changed", Change, &[Replace("left > have", "left >= have")]).affects(&["stock"]),
    Edit::new(
        "branch added",
        Change,
        &[Replace(
            "if (month == 2)",
            "if (month == 5 && day == 31) {\n            return 2;\n        }\n        if (month == 2)",
        )],
    )
    .affects(&["date"]),
    Edit::new("bits changed", Change, &[Replace("0x5a", "0x5b")]).affects(&["code"]),
    Edit::new("loop's bound changed", Change, &[Replace("count < 4", "count < 6")]).affects(&["steps"]),
    Edit::new(
        "parameter widened",
        Change,
        &[Replace("steps(int from, int to)", "steps(long from, long to)")],
    )
    .affects(&["steps"]),
    Edit::new("result changed", Change, &[Replace("return sum - 50;", "return sum - 60;")])
        .affects(&["price"]),
];
