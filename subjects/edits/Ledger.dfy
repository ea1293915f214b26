// A ledger: sums, searches, a class with fields, a datatype, functions as values. All right.

datatype Kind = Credit(amount: nat) | Debit(amount: nat) | Note

function Triangle(n: nat): nat { if n == 0 then 0 else n + Triangle(n - 1) }

function Sum(s: seq<int>): int { if |s| == 0 then 0 else s[0] + Sum(s[1..]) }

function Change(k: Kind): int
{
  match k
  case Credit(a) => a
  case Debit(a) => 0 - a
  case Note => 0
}

lemma TriangleFormula(n: nat)
  ensures 2 * Triangle(n) == n * (n + 1)
{
}

method Find(a: array<int>, key: int) returns (index: int)
  ensures 0 <= index ==> index < a.Length && a[index] == key
  ensures index < 0 ==> forall k :: 0 <= k < a.Length ==> a[k] != key
{
  index := 0;
  while index < a.Length
    invariant 0 <= index <= a.Length
    invariant forall k :: 0 <= k < index ==> a[k] != key
  {
    if a[index] == key { return; }
    index := index + 1;
  }
  index := -1;
}

method Largest(a: array<int>) returns (most: int)
  requires a.Length > 0
  ensures forall k :: 0 <= k < a.Length ==> a[k] <= most
{
  most := a[0];
  var i := 1;
  while i < a.Length
    invariant 1 <= i <= a.Length
    invariant forall k :: 0 <= k < i ==> a[k] <= most
  {
    if a[i] > most { most := a[i]; }
    i := i + 1;
  }
}

method Fill(a: array<int>, value: int)
  modifies a
  ensures forall k :: 0 <= k < a.Length ==> a[k] == value
{
  var i := 0;
  while i < a.Length
    invariant 0 <= i <= a.Length
    invariant forall k :: 0 <= k < i ==> a[k] == value
  {
    a[i] := value;
    i := i + 1;
  }
}

method Twice(f: int -> int, x: int) returns (y: int)
  ensures y == f(f(x))
{
  var g := (z: int) => f(z);
  y := g(g(x));
}

method Shifted(x: int) returns (y: int)
  ensures y == x + 7
{
  var add := (z: int) => z + 3;
  var more := (z: int) => z + 4;
  y := more(add(x));
}

class Account {
  var balance: int
  var entries: nat

  constructor ()
    ensures balance == 0 && entries == 0
  {
    balance := 0;
    entries := 0;
  }

  method Apply(k: Kind)
    modifies this
    ensures balance == old(balance) + Change(k)
    ensures entries == old(entries) + 1
  {
    match k {
      case Credit(a) => balance := balance + a;
      case Debit(a) => balance := balance - a;
      case Note =>
    }
    entries := entries + 1;
  }

  method Move(other: Account, amount: nat)
    requires other != this
    modifies this, other
    ensures balance + other.balance == old(balance + other.balance)
  {
    balance := balance - amount;
    other.balance := other.balance + amount;
  }
}

method Audit(s: seq<int>) returns (all: int)
  ensures all == Sum(s)
{
  all := 0;
  var i := |s|;
  while i > 0
    invariant 0 <= i <= |s|
    invariant all == Sum(s[i..])
  {
    i := i - 1;
    assert s[i..][1..] == s[i + 1..];
    all := s[i] + all;
  }
}
