/* Replaces or deletes characters: tr SET1 SET2 or tr -d SET1 for the standard input.
 * v2: the option -d. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: tr SET1 SET2\n");
        return 2;
    }
    int deletes = strcmp(argv[1], "-d") == 0;
    const char *from = deletes ? argv[2] : argv[1], *to = argv[2];
    size_t last = strlen(to);
    if (last == 0) {
        fprintf(stderr, "tr: SET2 is empty\n");
        return 2;
    }
    last--;
    int c;
    while ((c = getchar()) != EOF) {
        const char *found = c == '\0' ? NULL : strchr(from, c);
        if (deletes && found != NULL) continue;
        size_t at = found == NULL ? 0 : (size_t)(found - from);
        putchar(found == NULL ? c : to[at < last ? at : last]);
    }
    return 0;
}
