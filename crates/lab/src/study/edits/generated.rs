//! Programs of any number of methods in the style of `subjects/edits`, and edits of them.
//!
//! A unit of a program declares what its methods use: in Boogie a field, a function and its axiom, in Dafny a
//! datatype, a function and a class. Methods are of a few forms; a constant of its own makes each a condition
//! that no other is in other words. All verify. The text depends on the number of methods alone.

use super::edit::Edit;
use super::edit::Kind::{Addition, Change, Removal, Renaming, Reordering};
use super::edit::Step::{Before, End, Move, Remove, Replace, Reverse};
use super::verifier::{Client, Program};
use std::fmt::Write as _;

/// Methods that share what a unit declares.
const UNIT: usize = 50;

/// A constant for each method.
fn constant(method: usize) -> usize {
    3 + 2 * method
}

fn boogie(methods: usize) -> String {
    let mut text = String::from(
        "// Generated.\n\ntype Ref;\n\ntype Field;\n\ntype Heap = [Ref][Field]int;\n\nvar heap: Heap;\n\n",
    );
    for method in 0..methods {
        let (unit, c) = (method / UNIT, constant(method));
        if method % UNIT == 0 {
            let _ = write!(
                text,
                "const unique field{unit:03}: Field;\n\n\
                 function Far{unit:03}(x: int): int;\n\n\
                 axiom (forall x: int :: {{ Far{unit:03}(x) }} Far{unit:03}(x) >= x + {});\n\n\
                 function Small{unit:03}(x: int): bool {{ x < {} }}\n\n",
                unit + 2,
                10 * unit + 100
            );
        }
        let _ = match method % 5 {
            0 => write!(
                text,
                "procedure Times{method:04}(n: int) returns (s: int)\n  requires 0 <= n;\n  \
                 ensures s == {c} * n;\n{{\n  var i: int;\n  i := 0;\n  s := 0;\n  while (i < n)\n    \
                 invariant 0 <= i && i <= n;\n    invariant s == {c} * i;\n  {{\n    s := s + {c};\n    \
                 i := i + 1;\n  }}\n}}\n\n"
            ),
            1 => write!(
                text,
                "procedure Fill{method:04}(a: [int]int, n: int) returns (b: [int]int)\n  \
                 ensures (forall k: int :: 0 <= k && k < n ==> b[k] == a[k] + {c});\n{{\n  var i: int;\n  \
                 i := 0;\n  b := a;\n  while (i < n)\n    invariant 0 <= i;\n    \
                 invariant i <= n || n < 0;\n    \
                 invariant (forall k: int :: 0 <= k && k < i ==> b[k] == a[k] + {c});\n  {{\n    \
                 b[i] := a[i] + {c};\n    i := i + 1;\n  }}\n}}\n\n"
            ),
            2 => write!(
                text,
                "procedure Raise{method:04}(r: Ref, q: Ref)\n  modifies heap;\n  requires r != q;\n  \
                 ensures heap[r][field{unit:03}] == old(heap[r][field{unit:03}]) + {c};\n  \
                 ensures heap[q] == old(heap[q]);\n{{\n  \
                 heap[r][field{unit:03}] := heap[r][field{unit:03}] + {c};\n}}\n\n"
            ),
            3 => write!(
                text,
                "procedure Away{method:04}(x: int) returns (y: int)\n  ensures y >= x + {};\n{{\n  \
                 y := Far{unit:03}(Far{unit:03}(x + {c}));\n}}\n\n",
                c + 2 * (unit + 2)
            ),
            _ => write!(
                text,
                "procedure Clamp{method:04}(x: int) returns (y: int)\n  \
                 ensures Small{unit:03}(y) && (x < {c} && Small{unit:03}(x) ==> y == x);\n{{\n  y := x;\n  \
                 if (!Small{unit:03}(y)) {{ y := 7; }}\n  if (y >= {c}) {{ y := {}; }}\n}}\n\n",
                c % 90
            ),
        };
    }
    text
}

fn dafny(methods: usize) -> String {
    let mut text = String::from("// Generated.\n\n");
    for method in 0..methods {
        let (unit, c) = (method / UNIT, constant(method));
        if method % UNIT == 0 {
            let _ = write!(
                text,
                "datatype Kind{unit:03} = Credit{unit:03}(amount: nat) | Note{unit:03}\n\n\
                 function Value{unit:03}(k: Kind{unit:03}): int\n{{\n  match k\n  \
                 case Credit{unit:03}(a) => a + {}\n  case Note{unit:03} => 0\n}}\n\n\
                 class Purse{unit:03} {{\n  var due{unit:03}: int\n\n  method Pay{unit:03}(x: int)\n    \
                 modifies this\n    ensures due{unit:03} == old(due{unit:03}) + x\n  {{\n    \
                 due{unit:03} := due{unit:03} + x;\n  }}\n}}\n\n",
                unit + 1
            );
        }
        let _ = match method % 5 {
            0 => write!(
                text,
                "method Times{method:04}(n: nat) returns (s: int)\n  ensures s == {c} * n\n{{\n  s := 0;\n  \
                 var i := 0;\n  while i < n\n    invariant 0 <= i <= n\n    \
                 invariant s == {c} * i\n  {{\n    \
                 s := s + {c};\n    i := i + 1;\n  }}\n}}\n\n"
            ),
            1 => write!(
                text,
                "method Fill{method:04}(a: array<int>)\n  modifies a\n  \
                 ensures forall k :: 0 <= k < a.Length ==> a[k] == {c}\n{{\n  var i := 0;\n  \
                 while i < a.Length\n    invariant 0 <= i <= a.Length\n    \
                 invariant forall k :: 0 <= k < i ==> a[k] == {c}\n  {{\n    a[i] := {c};\n    \
                 i := i + 1;\n  }}\n}}\n\n"
            ),
            2 => write!(
                text,
                "method Shift{method:04}(x: int) returns (y: int)\n  ensures y == x + {}\n{{\n  \
                 var add := (z: int) => z + {c};\n  y := add(add(x));\n}}\n\n",
                2 * c
            ),
            3 => write!(
                text,
                "method Worth{method:04}(k: Kind{unit:03}) returns (v: int)\n  \
                 ensures v == Value{unit:03}(k) + {c}\n{{\n  match k {{\n    \
                 case Credit{unit:03}(a) => v := a + {};\n    case Note{unit:03} => v := {c};\n  }}\n}}\n\n",
                c + unit + 1
            ),
            _ => write!(
                text,
                "method Settle{method:04}(p: Purse{unit:03}, q: Purse{unit:03})\n  requires p != q\n  \
                 modifies p, q\n  ensures p.due{unit:03} == old(p.due{unit:03}) - {c}\n  \
                 ensures p.due{unit:03} + q.due{unit:03} == old(p.due{unit:03} + q.due{unit:03})\n{{\n  \
                 p.due{unit:03} := p.due{unit:03} - {c};\n  q.Pay{unit:03}({c});\n}}\n\n"
            ),
        };
    }
    text
}

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

/// Another file, with names of its own.
const OTHER_BOOGIE: &str = "type Colour;

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

const BOOGIE_EDITS: &[Edit] = &[
    Edit::new("procedure at the top", Addition, &[Before("type Ref", PROCEDURE)]),
    Edit::new("procedure in the middle", Addition, &[Before("procedure Away0058", PROCEDURE)]),
    Edit::new("procedure at the end", Addition, &[End(PROCEDURE)]),
    Edit::new(
        "function and axiom at the top",
        Addition,
        &[Before(
            "type Ref",
            "function Half(x: int): int;\n\naxiom (forall x: int :: { Half(x) } 2 * Half(x) <= x);\n\n",
        )],
    ),
    Edit::new(
        "field at the top",
        Addition,
        &[Before("const unique field000", "const unique first: Field;\n\n")],
    ),
    Edit::new("another file before", Addition, &[Before("type Ref", OTHER_BOOGIE)]),
    Edit::new("another file behind", Addition, &[End(OTHER_BOOGIE)]),
    Edit::new("all reversed", Reordering, &[Reverse]),
    Edit::new("procedures swapped", Reordering, &[Move("procedure Raise0052", "procedure Fill0001")]),
    Edit::new("function renamed", Renaming, &[Replace("Far001", "Wide")]),
    Edit::new("field renamed", Renaming, &[Replace("field000", "front")]),
    Edit::new("procedure removed", Removal, &[Remove("procedure Fill0001")]),
    Edit::new(
        "body changed",
        Change,
        &[Replace(
            "i := 0;\n  s := 0;\n  while (i < n)\n    invariant 0 <= i && i <= n;\n    invariant s == 3 *",
            "s := 0;\n  i := 0;\n  while (n > i)\n    invariant 0 <= i && i <= n;\n    invariant s == 3 *",
        )],
    )
    .affects(&["Times0000"]),
    Edit::new(
        "function changed",
        Change,
        &[Replace(
            "function Small001(x: int): bool { x < 110 }",
            "function Small001(x: int): bool { x < 109 }",
        )],
    )
    .affects(&[
        "Clamp0054",
        "Clamp0059",
        "Clamp0064",
        "Clamp0069",
        "Clamp0074",
        "Clamp0079",
        "Clamp0084",
        "Clamp0089",
        "Clamp0094",
        "Clamp0099",
    ]),
];

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

const TREE: &str = "datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)\n\n";

/// Another file, with names of its own.
const OTHER_DAFNY: &str = "datatype Colour = Red | Green | Blue

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

";

const DAFNY_EDITS: &[Edit] = &[
    Edit::new("method at the top", Addition, &[Before("datatype Kind000", METHOD)]),
    Edit::new("method in the middle", Addition, &[Before("method Worth0058", METHOD)]),
    Edit::new("method at the end", Addition, &[End(METHOD)]),
    Edit::new("datatype at the top", Addition, &[Before("datatype Kind000", TREE)]),
    Edit::new(
        "function at the top",
        Addition,
        &[Before(
            "datatype Kind000",
            "function Power(n: nat): nat { if n == 0 then 1 else 2 * Power(n - 1) }\n\n",
        )],
    ),
    Edit::new("field of a class", Addition, &[Before("  var due000", "  var owner: int\n")]),
    Edit::new("another file before", Addition, &[Before("datatype Kind000", OTHER_DAFNY)]),
    Edit::new("all reversed", Reordering, &[Reverse]),
    Edit::new("methods swapped", Reordering, &[Move("method Shift0052", "method Fill0001")]),
    Edit::new("function renamed", Renaming, &[Replace("Value001", "Price")])
        .renamed(&[("Price", "Value001")]),
    Edit::new("field renamed", Renaming, &[Replace("due000", "debt")]),
    Edit::new("method removed", Removal, &[Remove("method Shift0002")]),
    Edit::new(
        "body changed",
        Change,
        &[Replace("    s := s + 3;\n    i := i + 1;", "    i := 1 + i;\n    s := 3 + s;")],
    )
    .affects(&["Times0000"]),
    Edit::new(
        "contract changed",
        Change,
        &[Replace("ensures v == Value001(k) + 109", "ensures v == 109 + Value001(k) && v >= 109")],
    )
    .affects(&["Worth0053"]),
];

pub(super) const BOOGIE: Client = Client {
    name: "boogie-generated",
    title: "Boogie, generated",
    command: "boogie",
    program: Program::Generated { file: "Generated.bpl", text: boogie, methods: 2000 },
    options: &[],
    solver_flags: &["AUTO_CONFIG=false", "-smt2", "-in"],
    edits: BOOGIE_EDITS,
};

pub(super) const DAFNY: Client = Client {
    name: "dafny-generated",
    title: "Dafny, generated",
    command: "dafny",
    program: Program::Generated { file: "Generated.dfy", text: dafny, methods: 100 },
    options: &["/compile:0"],
    solver_flags: &["AUTO_CONFIG=false", "-smt2", "-in"],
    edits: DAFNY_EDITS,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_the_methods_that_were_asked_for_and_all_edits_fit() {
        for (client, start) in [(&BOOGIE, "\nprocedure "), (&DAFNY, "\nmethod ")] {
            let Program::Generated { text, .. } = client.program else { unreachable!("generated") };
            let base = text(120);
            assert_eq!(base.matches(start).count(), 120, "{}", client.name);
            for edit in client.edits {
                let edited = edit.apply(&base).expect("the edit fits");
                assert_ne!(edited, base, "{}", edit.name);
            }
        }
    }
}
