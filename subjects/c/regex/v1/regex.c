/* Matches a text against a regular expression by backtracking: . * ^ $ and backslash.
 * v1: a backslash at the end is itself. */
#include <klee/klee.h>

#ifndef N
#define N 5
#endif

static int match_here(const char *re, const char *text);

/* The length of the first item. */
static int item(const char *re) { return re[0] == '\\' && re[1] != '\0' ? 2 : 1; }

static int match_one(const char *re, char c) {
    if (c == '\0') return 0;
    if (item(re) == 2) return re[1] == c;
    return re[0] == '.' || re[0] == c;
}

static int match_star(const char *one, const char *re, const char *text) {
    do {
        if (match_here(re, text)) return 1;
    } while (match_one(one, *text++));
    return 0;
}

static int match_here(const char *re, const char *text) {
    if (re[0] == '\0') return 1;
    int length = item(re);
    if (re[length] == '*') return match_star(re, re + length + 1, text);
    if (re[0] == '$' && re[1] == '\0') return *text == '\0';
    return match_one(re, *text) && match_here(re + length, text + 1);
}

static int match(const char *re, const char *text) {
    if (re[0] == '^') return match_here(re + 1, text);
    do {
        if (match_here(re, text)) return 1;
    } while (*text++ != '\0');
    return 0;
}

int main(void) {
    char re[N + 1];
    klee_make_symbolic(re, sizeof re, "re");
    re[N] = '\0';
    return match(re, "hello") ? 0 : 1;
}
