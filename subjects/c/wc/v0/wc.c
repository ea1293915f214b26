/* Counts lines, words and bytes of the standard input.
 * v0: all three, always. */
#include <stdio.h>

int main(void) {
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
    printf("%ld %ld %ld\n", lines, words, bytes);
    return 0;
}
