/* Calculates with two numbers: expr A OPERATOR B.
 * v0: divides by zero, and sums overflow. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int number(const char *text, int *value) {
    char *end;
    errno = 0;
    long parsed = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || parsed < INT_MIN || parsed > INT_MAX) return -1;
    *value = (int)parsed;
    return 0;
}

int main(int argc, char **argv) {
    int a, b, result;
    if (argc != 4 || number(argv[1], &a) < 0 || number(argv[3], &b) < 0) {
        fprintf(stderr, "usage: expr A OPERATOR B\n");
        return 2;
    }
    switch (argv[2][0]) {
    case '+':
        result = a + b;
        break;
    case '-':
        result = a - b;
        break;
    case '/':
        result = a / b;
        break;
    default:
        fprintf(stderr, "expr: unknown operator\n");
        return 2;
    }
    printf("%d\n", result);
    return result == 0 ? 1 : 0;
}
