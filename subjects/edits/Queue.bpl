// A bounded queue over maps, with axioms of its own: all right.

type Ref;

type Field a;

const unique null: Ref;

const unique size: Field int;

const unique head: Field int;

type Heap = [Ref]int;

function Next(i: int, cap: int): int;

axiom (forall i, cap: int :: { Next(i, cap) } 0 <= i && i + 1 < cap ==> Next(i, cap) == i + 1);

axiom (forall i, cap: int :: { Next(i, cap) } 0 < cap && i + 1 == cap ==> Next(i, cap) == 0);

function Sum(a: [int]int, n: int): int;

axiom (forall a: [int]int :: { Sum(a, 0) } Sum(a, 0) == 0);

axiom (forall a: [int]int, n: int :: { Sum(a, n + 1) } 0 <= n ==> Sum(a, n + 1) == Sum(a, n) + a[n]);

function Small(x: int): bool { x < 100 }

function Fits(x: int): bool { Small(x) && 0 <= x }

var heap: Heap;

var items: [Ref][int]int;

procedure Step(i: int, cap: int) returns (j: int)
  requires 0 <= i && i < cap;
  ensures 0 <= j && j < cap;
{
  j := Next(i, cap);
}

procedure Total(a: [int]int, n: int) returns (s: int)
  requires 0 <= n;
  ensures s == Sum(a, n);
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant s == Sum(a, i);
  {
    s := s + a[i];
    assert Sum(a, i + 1) == s;
    i := i + 1;
  }
}

procedure Put(q: Ref, x: int, at: int)
  requires q != null;
  modifies items;
  ensures items[q][at] == x;
  ensures (forall r: Ref :: { items[r] } r != q ==> items[r] == old(items)[r]);
{
  items[q] := items[q][at := x];
}

procedure Grow(q: Ref)
  requires q != null;
  modifies heap;
  ensures heap[q] == old(heap)[q] + 1;
{
  heap := heap[q := heap[q] + 1];
}

procedure Append(q: Ref, x: int)
  requires q != null;
  modifies heap, items;
  ensures heap[q] == old(heap)[q] + 1;
  ensures items[q][old(heap)[q]] == x;
{
  call Put(q, x, heap[q]);
  call Grow(q);
}

procedure Clear(a: [int]int, n: int) returns (b: [int]int)
  ensures (forall k: int :: { b[k] } 0 <= k && k < n ==> b[k] == 0);
{
  var i: int;
  b := a;
  i := 0;
  while (i < n)
    invariant 0 <= i;
    invariant i <= n || n < 0;
    invariant (forall k: int :: { b[k] } 0 <= k && k < i ==> b[k] == 0);
  {
    b[i] := 0;
    i := i + 1;
  }
}

procedure Apart(f: Field int) returns (b: bool)
  ensures b ==> f != head;
{
  b := f == size;
}

procedure Check(x: int) returns (b: bool)
  ensures b ==> x < 1000;
{
  b := Fits(x);
}

procedure Largest(a: [int]int, n: int) returns (m: int)
  requires 0 < n;
  ensures (forall k: int :: { a[k] } 0 <= k && k < n ==> a[k] <= m);
{
  var i: int;
  m := a[0];
  i := 1;
  while (i < n)
    invariant 1 <= i && i <= n;
    invariant (forall k: int :: { a[k] } 0 <= k && k < i ==> a[k] <= m);
  {
    if (a[i] > m) {
      m := a[i];
    }
    i := i + 1;
  }
}
