// A method that forgets the empty sequence, and one that does not.

method Wrong(s: seq<int>) returns (first: int)
{
  first := s[0]; // s may be empty
}

method Right(s: seq<int>) returns (first: int)
  requires |s| > 0
  ensures first in s
{
  first := s[0];
}
