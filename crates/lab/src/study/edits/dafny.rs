//! Edits of `subjects/edits/Ledger.dfy`, verified by Dafny.

use super::edit::Kind::{Addition, Change, Removal, Renaming, Reordering};
use super::edit::Step::{Before, End, Move, Remove, Replace, Reverse};
use super::edit::{Edit, Step};
use super::verifier::{Client, Program};

/// A method with a loop and a lambda, which Dafny numbers.
const METHOD: &str = "method Later(a: array<int>) returns (n: int)
  ensures 0 <= n <= a.Length
{
  var step := (z: int) => z + 1;
  n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length
  {
    if a[n] == 0 { return; }
    n := step(n);
  }
}

";

const FUNCTION: &str = "function Power(n: nat): nat { if n == 0 then 1 else 2 * Power(n - 1) }\n\n";

const DATATYPE: &str = "datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)\n\n";

const CLASS: &str = "class Box {
  var content: int

  method Put(x: int)
    modifies this
    ensures content == x
  {
    content := x;
  }
}

";

/// Another file, with names of its own.
const OTHER: &str = "datatype Colour = Red | Green | Blue

function method Next(c: Colour): Colour
{
  match c
  case Red => Green
  case Green => Blue
  case Blue => Red
}

method Thrice(c: Colour) returns (d: Colour)
  ensures d == c
{
  d := Next(Next(Next(c)));
}

class Cell {
  var colour: Colour

  method Turn()
    modifies this
    ensures colour == Next(old(colour))
  {
    colour := Next(colour);
  }
}

";

const TOP: &str = "datatype Kind";
const MIDDLE: &str = "method Fill";

const SWAP: &[Step] = &[Move("method Largest", "method Find"), Move("method Audit", "method Twice")];

const CLASS_FIRST: &[Step] = &[Move("class Account", TOP)];

const EDITS: &[Edit] = &[
    Edit::new("method at the top", Addition, &[Before(TOP, METHOD)]),
    Edit::new("method in the middle", Addition, &[Before(MIDDLE, METHOD)]),
    Edit::new("method at the end", Addition, &[End(METHOD)]),
    Edit::new(
        "method of the class",
        Addition,
        &[Before(
            "  method Apply",
            "  method Read() returns (b: int)
    ensures b == balance
  {
    b := balance;
  }

",
        )],
    ),
    Edit::new("function at the top", Addition, &[Before(TOP, FUNCTION)]),
    Edit::new("function at the end", Addition, &[End(FUNCTION)]),
    Edit::new("datatype at the top", Addition, &[Before(TOP, DATATYPE)]),
    Edit::new("datatype at the end", Addition, &[End(DATATYPE)]),
    Edit::new("class at the top", Addition, &[Before(TOP, CLASS)]),
    // The constructor has to set it.
    Edit::new("first field", Addition, &[Before("  var balance", "  var owner: int\n")]).affects(&["__ctor"]),
    Edit::new("last field", Addition, &[Before("\n  constructor", "  var owner: int\n")])
        .affects(&["__ctor"]),
    Edit::new(
        "lambda in a method",
        Addition,
        &[Replace("  y := g(g(x));", "  var h := (z: int) => z;\n  y := g(g(h(x)));")],
    )
    .affects(&["Twice"]),
    Edit::new("another file before", Addition, &[Before(TOP, OTHER)]),
    Edit::new("another file behind", Addition, &[End(OTHER)]),
    Edit::new("all reversed", Reordering, &[Reverse]),
    Edit::new("methods swapped", Reordering, SWAP),
    Edit::new("class first", Reordering, CLASS_FIRST),
    Edit::new(
        "fields swapped",
        Reordering,
        &[Replace("  var balance: int\n  var entries: nat\n", "  var entries: nat\n  var balance: int\n")],
    )
    .affects(&["__ctor"]),
    Edit::new("function renamed", Renaming, &[Replace("Triangle", "Pyramid")])
        .renamed(&[("Pyramid", "Triangle")]),
    Edit::new("field renamed", Renaming, &[Replace("balance", "due")]),
    Edit::new("datatype renamed", Renaming, &[Replace("Kind", "Entry")]),
    Edit::new("constructor renamed", Renaming, &[Replace("Debit", "Charge")]),
    Edit::new("method renamed", Renaming, &[Replace("Largest", "Biggest")])
        .renamed(&[("Biggest", "Largest")]),
    Edit::new("class renamed", Renaming, &[Replace("Account", "Purse")]).renamed(&[("Purse", "Account")]),
    Edit::new("lambda's variable renamed", Renaming, &[Replace("(z: int) => z +", "(w: int) => w +")]),
    Edit::new("function removed", Removal, &[Remove("lemma Triangle"), Remove("function Triangle")]),
    Edit::new("method removed", Removal, &[Remove("method Find")]),
    Edit::new(
        "lambda removed",
        Removal,
        &[Replace("  var g := (z: int) => f(z);\n  y := g(g(x));", "  y := f(f(x));")],
    )
    .affects(&["Twice"]),
    Edit::new("body changed", Change, &[Replace("all := s[i] + all;", "all := all + s[i];")])
        .affects(&["Impl$$_module.__default.Audit"]),
    Edit::new(
        "contract changed",
        Change,
        &[Replace("  ensures y == x + 7\n", "  ensures y == x + 7 && y != x\n")],
    )
    .affects(&["Shifted"]),
    // Who uses a function knows what it is.
    Edit::new("function changed", Change, &[Replace("case Note => 0\n", "case Note => 1 - 1\n")])
        .affects(&["Change", "Apply"]),
    Edit::new(
        "datatype changed",
        Change,
        &[
            Replace("| Note\n", "| Note | Mark\n"),
            Replace("  case Note => 0\n", "  case Note => 0\n  case Mark => 0\n"),
            Replace("      case Note =>\n", "      case Note =>\n      case Mark =>\n"),
        ],
    )
    .affects(&["Change", "Apply"]),
    Edit::new("without non-linear arithmetic", Change, &[Remove("lemma Triangle")])
        .affects(&["*"])
        .options(&["/noNLarith"]),
];

pub(super) const CLIENT: Client = Client {
    name: "dafny",
    title: "Dafny",
    command: "dafny",
    program: Program::Written("Ledger.dfy"),
    options: &["/compile:0"],
    solver_flags: &["AUTO_CONFIG=false", "-smt2", "-in"],
    edits: EDITS,
};
