/* Binary search in N sorted symbolic numbers.
 * v0: any index of the key. */
#include <klee/klee.h>

#ifndef N
#define N 64
#endif

static int search(const int *a, int n, int key) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a[middle] == key) return middle;
        if (a[middle] < key) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
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
