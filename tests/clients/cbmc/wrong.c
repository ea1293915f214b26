/* A sum that overflows, and a table that is long enough. */
#include <assert.h>

int nondet_int(void);

static int middle(int low, int high) { return (low + high) / 2; }

void check_middle(void) {
  int low = nondet_int(), high = nondet_int();
  if (low < 0 || high < low)
    return;
  int at = middle(low, high);
  assert(at >= low);
}

void check_table(void) {
  int table[4] = {1, 2, 4, 8};
  int index = nondet_int();
  if (index >= 0 && index < 5)
    assert(table[index & 3] <= 8);
}
