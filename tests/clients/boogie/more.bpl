// As right.bpl, with a procedure more at the top, and another one changed.

function half(n: int): int;
axiom (forall n: int :: {half(n)} n >= 0 ==> 2 * half(n) <= n && n < 2 * half(n) + 2);

procedure Min(a: int, b: int) returns (m: int)
  ensures m <= a && m <= b;
{
  if (a < b) { m := a; } else { m := b; }
}

procedure Max(a: int, b: int) returns (m: int)
  ensures m >= a && m >= b;
  ensures m == a || m == b;
{
  if (a > b) { m := a; } else { m := b; }
}

procedure Max3(a: int, b: int, c: int) returns (m: int)
  ensures m >= a && m >= b && m >= c;
{
  call m := Max(a, b);
  call m := Max(m, c);
}

procedure Sum(n: int) returns (s: int)
  requires n >= 0;
  ensures s >= n;
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n)
    invariant 0 <= i && i <= n && s >= i;
  {
    i := i + 1;
    s := s + i;
  }
}

var heap: [int]int;

procedure Swap(p: int, q: int)
  modifies heap;
  ensures heap[p] == old(heap)[q] && heap[q] == old(heap)[p];
  ensures (forall r: int :: r != p && r != q ==> heap[r] == old(heap)[r]);
{
  var t: int;
  t := heap[p];
  heap[p] := heap[q];
  heap[q] := t;
}

procedure HalfIsNotBigger(n: int)
  requires n >= 0;
{
  assert half(n) <= n + 1;
}
