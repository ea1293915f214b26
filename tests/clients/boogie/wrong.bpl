// Two procedures with a wrong assertion, for which the solver finds counterexamples, and one that is right.

procedure Square(a: int) returns (r: int)
  ensures r > 0; // not for 0
{
  r := a * a;
}

procedure Shrink(n: int)
  requires n >= 0;
{
  assert n - 1 < n;
  assert n div 2 < n; // not for 0
}

procedure Clamp(x: int, low: int, high: int) returns (y: int)
  requires low <= high;
  ensures low <= y && y <= high;
{
  y := x;
  if (y < low) { y := low; }
  if (y > high) { y := high; }
}
