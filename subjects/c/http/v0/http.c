/* Parses lines of an HTTP header in place, as much as has arrived.
 * v0: names and values, lines that end with LF or CR LF. */
#include <klee/klee.h>
#include <string.h>

#ifndef N
#define N 9
#endif
#define HEADERS 4

struct header {
    const char *name, *value;
    int name_length, value_length;
};

enum { INCOMPLETE = -2, INVALID = -1 };

static int is_token(char c) {
    if (c <= ' ' || c == 127) return 0;
    return strchr("()<>@,;:\\\"/[]?={}", c) == NULL;
}

/* Behind the end of the line, or NULL; `length` without the end of the line. */
static const char *line_end(const char *s, const char *end, int *length, int *why) {
    const char *start = s;
    for (; s < end; s++) {
        if (*s == '\n') {
            *length = s - start;
            return s + 1;
        }
        if (*s == '\r') {
            if (s + 1 == end) break;
            *length = s - start;
            if (s[1] == '\n') return s + 2;
            *why = INVALID;
            return NULL;
        }
        if (*s >= 0 && *s < ' ' && *s != '\t') {
            *why = INVALID;
            return NULL;
        }
    }
    *why = INCOMPLETE;
    return NULL;
}

/* The number of headers, INCOMPLETE or INVALID. */
static int parse(struct header *headers, const char *s, const char *end) {
    for (int count = 0;; count++) {
        int why = INVALID, rest;
        if (s == end) return INCOMPLETE;
        if (*s == '\r' || *s == '\n') return line_end(s, end, &rest, &why) == NULL ? why : count;
        if (count == HEADERS) return INVALID;
        struct header *header = &headers[count];
        header->name = s;
        while (s < end && is_token(*s)) s++;
        if (s == end) return INCOMPLETE;
        header->name_length = s - header->name;
        if (*s++ != ':' || header->name_length == 0) return INVALID;
        while (s < end && (*s == ' ' || *s == '\t')) s++;
        header->value = s;
        s = line_end(s, end, &header->value_length, &why);
        if (s == NULL) return why;
    }
}

int main(void) {
    char text[N];
    struct header headers[HEADERS];
    klee_make_symbolic(text, sizeof text, "text");
    int count = parse(headers, text, text + N);
    if (count == INCOMPLETE) return 2;
    return count == INVALID ? 1 : 0;
}
