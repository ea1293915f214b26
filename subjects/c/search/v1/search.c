/* Binary search in N sorted symbolic numbers.
 * v1: the first index of the key, which is read behind the end for the greatest key. */
#include <klee/klee.h>

#ifndef N
#define N 64
#endif

static int search(const int *a, int n, int key) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return a[low] == key ? low : -1;
}

int main(void) {
    int numbers[N], key;
    klee_make_symbolic(numbers, sizeof numbers, "numbers");
    klee_make_symbolic(&key, sizeof key, "key");
    for (int i = 1; i < N; i++) klee_assume(numbers[i - 1] <= numbers[i]);
    int found = search(numbers, N, key);
    klee_assert(found < 0 || numbers[found] == key);
    return found < 0;
}
