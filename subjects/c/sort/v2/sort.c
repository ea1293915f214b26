/* Sorts N symbolic numbers and checks the order.
 * v2: quicksort. */
#include <klee/klee.h>

#ifndef N
#define N 6
#endif

static void sort(int *a, int n) {
    if (n < 2) return;
    int pivot = a[0], low = 1, high = n - 1;
    for (;;) {
        while (low < n && a[low] < pivot) low++;
        while (a[high] > pivot) high--;
        if (low >= high) break;
        int swapped = a[low];
        a[low++] = a[high];
        a[high--] = swapped;
    }
    a[0] = a[high];
    a[high] = pivot;
    sort(a, high);
    sort(a + high + 1, n - high - 1);
}

int main(void) {
    int numbers[N];
    klee_make_symbolic(numbers, sizeof numbers, "numbers");
    sort(numbers, N);
    for (int i = 1; i < N; i++) klee_assert(numbers[i - 1] <= numbers[i]);
    return 0;
}
