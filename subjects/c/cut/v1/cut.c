/* Prints one field of each line of the standard input: cut FIELD (from 1). Fields end with a colon.
 * v1: room for the end of the line. */
#include <stdio.h>
#include <stdlib.h>

#define LONGEST 8

static void print_field(const char *line, int field) {
    while (field > 1) {
        while (*line != '\0' && *line != ':') line++;
        if (*line == '\0') break;
        line++;
        field--;
    }
    if (field == 1) {
        while (*line != '\0' && *line != ':') putchar(*line++);
    }
    putchar('\n');
}

int main(int argc, char **argv) {
    int field = argc == 2 ? atoi(argv[1]) : 2;
    if (field < 1) {
        fprintf(stderr, "cut: fields count from 1\n");
        return 2;
    }
    char line[LONGEST + 1];
    int c, length = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            line[length] = '\0';
            print_field(line, field);
            length = 0;
        } else if (length < LONGEST) {
            line[length++] = (char)c;
        }
    }
    return length == 0 ? 0 : 1;
}
