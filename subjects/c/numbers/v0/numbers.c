/* Reads numbers with commas between them by strtol, and adds them as fractions of 65536.
 * v0: the sum overflows. */
#include <klee/klee.h>
#include <stdlib.h>

#ifndef N
#define N 5
#endif

static int add(const char *text, int *sum) {
    for (;;) {
        char *end;
        long value = strtol(text, &end, 0);
        if (end == text) return -1;
        *sum += (int)value * 65536;
        if (*end == '\0') return 0;
        if (*end != ',') return -1;
        text = end + 1;
    }
}

int main(void) {
    char text[N + 1];
    int sum = 0;
    klee_make_symbolic(text, sizeof text, "text");
    text[N] = '\0';
    if (add(text, &sum) < 0) return 1;
    return sum > 0 ? 0 : 2;
}
