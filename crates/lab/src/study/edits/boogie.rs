//! Edits of `subjects/edits/Queue.bpl`, verified by Boogie.

use super::edit::Edit;
use super::edit::Kind::{Addition, Change, Removal, Renaming, Reordering};
use super::edit::Step::{Before, End, Move, Remove, Replace, Reverse};
use super::verifier::{Client, Program};

const PROCEDURE: &str = "procedure Later(a: [int]int, n: int) returns (i: int)
  requires 0 <= n;
  ensures 0 <= i && i <= n;
{
  i := 0;
  while (i < n && a[i] != 0)
    invariant 0 <= i && i <= n;
  {
    i := i + 1;
  }
}

";

const FUNCTION: &str = "function Double(x: int): int { x + x }\n\n";

const AXIOM: &str = "function Half(x: int): int;\n
axiom (forall x: int :: { Half(x) } 2 * Half(x) <= x && x < 2 * Half(x) + 2);\n\n";

/// Another file, with names of its own.
const OTHER: &str = "type Colour;

const unique red: Colour;

const unique green: Colour;

function Turn(c: Colour): Colour;

axiom Turn(red) == green && Turn(green) == red;

procedure Twice(c: Colour) returns (d: Colour)
  requires c == red || c == green;
  ensures d == c;
{
  d := Turn(Turn(c));
}

";

const TOP: &str = "type Ref";
const MIDDLE: &str = "procedure Append";

const EDITS: &[Edit] = &[
    Edit::new("procedure at the top", Addition, &[Before(TOP, PROCEDURE)]),
    Edit::new("procedure in the middle", Addition, &[Before(MIDDLE, PROCEDURE)]),
    Edit::new("procedure at the end", Addition, &[End(PROCEDURE)]),
    Edit::new("function at the top", Addition, &[Before(TOP, FUNCTION)]),
    Edit::new("axiom at the top", Addition, &[Before(TOP, AXIOM)]),
    Edit::new("axiom at the end", Addition, &[End(AXIOM)]),
    Edit::new("type at the top", Addition, &[Before(TOP, "type Other;\n\n")]),
    Edit::new("constant at the top", Addition, &[Before(TOP, "const unique tail: Field int;\n\n")]),
    Edit::new("variable at the top", Addition, &[Before(TOP, "var count: int;\n\n")]),
    Edit::new("another file before", Addition, &[Before(TOP, OTHER)]),
    Edit::new("another file behind", Addition, &[End(OTHER)]),
    Edit::new("all reversed", Reordering, &[Reverse]),
    Edit::new("procedures swapped", Reordering, &[Move("procedure Clear", "procedure Put")]),
    Edit::new("axioms swapped", Reordering, &[Move("axiom (forall a: [int]int, n: int", "axiom (forall i")]),
    Edit::new("function renamed", Renaming, &[Replace("Next", "Follow")]),
    Edit::new("constant renamed", Renaming, &[Replace("head", "front")]),
    Edit::new("type renamed", Renaming, &[Replace("Ref", "Object")]),
    Edit::new("variable renamed", Renaming, &[Replace("items", "content")]),
    Edit::new(
        "local renamed",
        Renaming,
        &[
            Replace("var i: int;", "var at0: int;"),
            Replace("i := 0;", "at0 := 0;"),
            Replace("(i < n)", "(at0 < n)"),
            Replace("0 <= i && i <= n;\n    invariant s", "0 <= at0 && at0 <= n;\n    invariant s"),
            Replace("Sum(a, i);", "Sum(a, at0);"),
            Replace("s + a[i];", "s + a[at0];"),
            Replace("Sum(a, i + 1)", "Sum(a, at0 + 1)"),
            Replace("    i := i + 1;", "    at0 := at0 + 1;"),
            Replace(
                "    invariant 0 <= i;\n    invariant i <= n ||",
                "    invariant 0 <= at0;\n    invariant at0 <= n ||",
            ),
            Replace("0 <= k && k < i ==>", "0 <= k && k < at0 ==>"),
            Replace("b[i] :=", "b[at0] :="),
            Replace("  i := 1;", "  at0 := 1;"),
            Replace("1 <= i && i <= n", "1 <= at0 && at0 <= n"),
            Replace("a[i] > m", "a[at0] > m"),
            Replace("m := a[i]", "m := a[at0]"),
        ],
    ),
    Edit::new("procedure removed", Removal, &[Remove("procedure Clear")]),
    Edit::new(
        "axioms removed",
        Removal,
        &[
            Remove("procedure Total"),
            Remove("axiom (forall a: [int]int ::"),
            Remove("axiom (forall a: [int]int, n"),
        ],
    ),
    Edit::new("body changed", Change, &[Replace("b := Fits(x);", "b := Small(x);")]).affects(&["Check"]),
    Edit::new(
        "contract changed",
        Change,
        &[Replace("  ensures items[q][at] == x;", "  ensures items[q][at] == x && q != null;")],
    )
    .affects(&["Put", "Append"]),
    Edit::new("function changed", Change, &[Replace("x < 100 }", "x < 90 }")]).affects(&["Check"]),
    Edit::new("types by arguments", Change, &[]).affects(&["*"]).options(&["/typeEncoding:a"]),
];

pub(super) const CLIENT: Client = Client {
    name: "boogie",
    title: "Boogie",
    command: "boogie",
    program: Program::Written("Queue.bpl"),
    options: &[],
    solver_flags: &["AUTO_CONFIG=false", "-smt2", "-in"],
    edits: EDITS,
};
