/* Sorts N symbolic numbers and checks the order.
 * v0: insertion. */
#include <klee/klee.h>

#ifndef N
#define N 6
#endif

static void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int value = a[i], j = i;
        for (; j > 0 && a[j - 1] > value; j--) a[j] = a[j - 1];
        a[j] = value;
    }
}

int main(void) {
    int numbers[N];
    klee_make_symbolic(numbers, sizeof numbers, "numbers");
    sort(numbers, N);
    for (int i = 1; i < N; i++) klee_assert(numbers[i - 1] <= numbers[i]);
    return 0;
}
