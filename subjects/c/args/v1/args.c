/* Splits a command line into arguments, with quotes, in place.
 * v1: a quote that is not closed is an error. */
#include <klee/klee.h>

#ifndef N
#define N 6
#endif
#define ARGUMENTS 4

/* The number of arguments, or -1. */
static int split(char *s, char **arguments) {
    int count = 0;
    for (;;) {
        while (*s == ' ' || *s == '\t') s++;
        if (*s == '\0') return count;
        if (count == ARGUMENTS) return -1;
        char *to = s;
        arguments[count++] = to;
        while (*s != '\0' && *s != ' ' && *s != '\t') {
            if (*s == '"' || *s == '\'') {
                char quote = *s++;
                while (*s != quote) {
                    if (*s == '\0') return -1;
                    *to++ = *s++;
                }
                s++;
            } else {
                *to++ = *s++;
            }
        }
        int last = *s == '\0';
        *to = '\0';
        if (last) return count;
        s++;
    }
}

int main(void) {
    char text[N + 1], *arguments[ARGUMENTS];
    klee_make_symbolic(text, sizeof text, "text");
    text[N] = '\0';
    int count = split(text, arguments);
    if (count < 0) return 100;
    int length = 0;
    for (int i = 0; i < count; i++) {
        if (arguments[i][0] == '-') length++;
    }
    return length;
}
