/* Decodes chunks: a size in hexadecimal, a newline, so many bytes, a newline; size 0 ends.
 * v1: a size that is greater than the rest is an error. */
#include <klee/klee.h>
#include <string.h>

#ifndef N
#define N 6
#endif

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* The length of the decoded bytes, or -1. */
static int decode(char *to, const char *from, int length) {
    int at = 0, decoded = 0;
    while (at < length) {
        int size = 0, digits = 0, digit;
        for (; at < length && (digit = hex(from[at])) >= 0; at++, digits++) size = size * 16 + digit;
        if (digits == 0 || at == length || from[at++] != '\n') return -1;
        if (size == 0) return decoded;
        if (size > length - at) return -1;
        memcpy(to + decoded, from + at, (size_t)size);
        decoded += size;
        at += size;
        if (at >= length || from[at++] != '\n') return -1;
    }
    return -1;
}

int main(void) {
    char text[N], decoded[N];
    klee_make_symbolic(text, sizeof text, "text");
    return decode(decoded, text, N) < 0 ? 1 : 0;
}
