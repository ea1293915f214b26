/* Compares two versions of N bytes, such as 1.2.
 * v0: numbers between dots. */
#include <klee/klee.h>

#ifndef N
#define N 4
#endif

struct version {
    int part[3];
};

static int parse(struct version *version, const char *s) {
    for (int i = 0; i < 3; i++) {
        version->part[i] = 0;
        if (i > 0 && *s != '.') continue;
        if (i > 0) s++;
        if (*s < '0' || *s > '9') return -1;
        while (*s >= '0' && *s <= '9') version->part[i] = version->part[i] * 10 + (*s++ - '0');
    }
    return *s == '\0' ? 0 : -1;
}

static int compare(const struct version *a, const struct version *b) {
    for (int i = 0; i < 3; i++) {
        if (a->part[i] != b->part[i]) return a->part[i] < b->part[i] ? -1 : 1;
    }
    return 0;
}

int main(void) {
    char first[N + 1], second[N + 1];
    struct version a, b;
    klee_make_symbolic(first, sizeof first, "first");
    klee_make_symbolic(second, sizeof second, "second");
    first[N] = second[N] = '\0';
    if (parse(&a, first) < 0 || parse(&b, second) < 0) return 100;
    klee_assert(compare(&a, &b) == -compare(&b, &a));
    return compare(&a, &b) + 1;
}
