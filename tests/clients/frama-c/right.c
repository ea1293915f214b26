/* A search, a bound, a swap and a copy, with contracts that WP proves. */

/*@ requires 0 <= length;
    requires \valid_read(data + (0 .. length - 1));
    assigns \nothing;
    ensures -1 <= \result < length;
    ensures 0 <= \result ==> data[\result] == wanted;
    ensures \result == -1 ==> \forall integer k; 0 <= k < length ==> data[k] != wanted;
*/
int find(const int *data, int length, int wanted) {
  /*@ loop invariant 0 <= i <= length;
      loop invariant \forall integer k; 0 <= k < i ==> data[k] != wanted;
      loop assigns i;
      loop variant length - i;
  */
  for (int i = 0; i < length; i++)
    if (data[i] == wanted)
      return i;
  return -1;
}

/*@ requires 0 < length;
    requires \valid_read(data + (0 .. length - 1));
    assigns \nothing;
    ensures \forall integer k; 0 <= k < length ==> data[k] <= \result;
*/
int bound(const int *data, int length) {
  int most = data[0];
  /*@ loop invariant 1 <= i <= length;
      loop invariant \forall integer k; 0 <= k < i ==> data[k] <= most;
      loop assigns i, most;
      loop variant length - i;
  */
  for (int i = 1; i < length; i++)
    if (data[i] > most)
      most = data[i];
  return most;
}

/*@ requires \valid(a) && \valid(b);
    assigns *a, *b;
    ensures *a == \old(*b) && *b == \old(*a);
*/
void swap(int *a, int *b) {
  int old = *a;
  *a = *b;
  *b = old;
}

/*@ requires 0 <= length;
    requires \valid(to + (0 .. length - 1)) && \valid_read(from + (0 .. length - 1));
    requires \separated(to + (0 .. length - 1), from + (0 .. length - 1));
    assigns to[0 .. length - 1];
    ensures \forall integer k; 0 <= k < length ==> to[k] == from[k];
*/
void copy(int *to, const int *from, int length) {
  /*@ loop invariant 0 <= i <= length;
      loop invariant \forall integer k; 0 <= k < i ==> to[k] == from[k];
      loop assigns i, to[0 .. length - 1];
      loop variant length - i;
  */
  for (int i = 0; i < length; i++)
    to[i] = from[i];
}
