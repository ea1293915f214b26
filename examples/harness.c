/* Two ways to ask whether a number is a power of two, compared on every number: a harness in KLEE's words.
 *
 *     evergreen explore examples/harness.c
 */
#include <klee/klee.h>

static int by_bits(unsigned n) { return (n & (n - 1)) == 0; }

static int by_halves(unsigned n) {
    while (n > 1 && n % 2 == 0) n /= 2;
    return n == 1;
}

int main(void) {
    unsigned n;
    klee_make_symbolic(&n, sizeof n, "n");
    klee_assert(by_bits(n) == by_halves(n));
    return 0;
}
