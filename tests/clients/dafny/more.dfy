// As right.dfy, and one method more at the end.

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

function Triangle(n: nat): nat { if n == 0 then 0 else n + Triangle(n - 1) }

lemma TriangleFormula(n: nat)
  ensures 2 * Triangle(n) == n * (n + 1)
{
}

class Counter {
  var value: int
  method Add(n: nat)
    modifies this
    ensures value >= old(value)
  {
    value := value + n;
  }
}

method Largest(a: array<int>) returns (largest: int)
  requires a.Length > 0
  ensures forall k :: 0 <= k < a.Length ==> a[k] <= largest
{
  largest := a[0];
  var i := 1;
  while i < a.Length
    invariant 1 <= i <= a.Length
    invariant forall k :: 0 <= k < i ==> a[k] <= largest
  {
    if a[i] > largest { largest := a[i]; }
    i := i + 1;
  }
}
