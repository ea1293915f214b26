/* Replaces characters: tr SET1 SET2 for the standard input.
 * v1: the last character of the second set is used for the rest. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: tr SET1 SET2\n");
        return 2;
    }
    const char *from = argv[1], *to = argv[2];
    size_t last = strlen(to);
    if (last == 0) {
        fprintf(stderr, "tr: SET2 is empty\n");
        return 2;
    }
    last--;
    int c;
    while ((c = getchar()) != EOF) {
        const char *found = c == '\0' ? NULL : strchr(from, c);
        size_t at = found == NULL ? 0 : (size_t)(found - from);
        putchar(found == NULL ? c : to[at < last ? at : last]);
    }
    return 0;
}
