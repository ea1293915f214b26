/* Counts lines, words and bytes of the standard input.
 * v1: the options -l, -w and -c choose. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    int want_lines = 0, want_words = 0, want_bytes = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-l") == 0) {
            want_lines = 1;
        } else if (strcmp(argv[i], "-w") == 0) {
            want_words = 1;
        } else if (strcmp(argv[i], "-c") == 0) {
            want_bytes = 1;
        } else {
            fprintf(stderr, "wc: unknown option\n");
            return 2;
        }
    }
    if (!want_lines && !want_words && !want_bytes) want_lines = want_words = want_bytes = 1;
    long lines = 0, words = 0, bytes = 0;
    int c, inside = 0;
    while ((c = getchar()) != EOF) {
        bytes++;
        if (c == '\n') lines++;
        if (c == ' ' || c == '\n' || c == '\t') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    if (want_lines) printf("%ld ", lines);
    if (want_words) printf("%ld ", words);
    if (want_bytes) printf("%ld ", bytes);
    putchar('\n');
    return 0;
}
