/* An INI parser: sections, names with values, comments; counts what a handler is called for.
 * v1: the name of a section is cut. */
#include <klee/klee.h>
#include <string.h>

#ifndef N
#define N 6
#endif
#define LONGEST 4

struct ini {
    int sections, pairs;
    char section[LONGEST];
};

static char *strip(char *s) {
    char *end = s + strlen(s);
    while (end > s && (end[-1] == ' ' || end[-1] == '\t')) *--end = '\0';
    while (*s == ' ' || *s == '\t') s++;
    return s;
}

static int section(struct ini *ini, char *s) {
    char *end = strchr(s, ']');
    if (end == NULL) return -1;
    *end = '\0';
    strncpy(ini->section, s, LONGEST - 1);
    ini->section[LONGEST - 1] = '\0';
    ini->sections++;
    return 0;
}

static int pair(struct ini *ini, char *s) {
    char *equals = strchr(s, '=');
    if (equals == NULL) equals = strchr(s, ':');
    if (equals == NULL) return -1;
    *equals = '\0';
    if (*strip(s) == '\0') return -1;
    ini->pairs++;
    return 0;
}

/* The number of the first line with an error, or 0. */
static int parse(struct ini *ini, char *text) {
    int number = 0, error = 0;
    while (*text != '\0') {
        char *line = text, *end = strchr(text, '\n');
        text = end == NULL ? text + strlen(text) : end + 1;
        if (end != NULL) *end = '\0';
        number++;
        line = strip(line);
        int failed = 0;
        if (*line == ';' || *line == '#' || *line == '\0') continue;
        if (*line == '[') {
            failed = section(ini, line + 1);
        } else {
            failed = pair(ini, line);
        }
        if (failed && error == 0) error = number;
    }
    return error;
}

int main(void) {
    char text[N + 1];
    struct ini ini = {0, 0, ""};
    klee_make_symbolic(text, sizeof text, "text");
    text[N] = '\0';
    return parse(&ini, text);
}
