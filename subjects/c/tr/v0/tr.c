/* Replaces characters: tr SET1 SET2 for the standard input.
 * v0: a second set that is too short is read behind its end. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: tr SET1 SET2\n");
        return 2;
    }
    const char *from = argv[1], *to = argv[2];
    int c;
    while ((c = getchar()) != EOF) {
        const char *found = c == '\0' ? NULL : strchr(from, c);
        putchar(found == NULL ? c : to[found - from]);
    }
    return 0;
}
