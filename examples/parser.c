/* Reads a time such as 7:30 into minutes. The buffer for the digits of the hour is one byte too small.
 *
 *     evergreen explore examples/parser.c --method parse_time --input-length 6
 *     evergreen explore examples/parser.c --sym-arg 5
 */
#include <stdio.h>
#include <stdlib.h>

/* Minutes since midnight, or -1. */
int parse_time(const char *text) {
    char hour[2];
    int digits = 0;
    if (text == NULL) return -1;
    while (*text >= '0' && *text <= '9' && digits < 2) hour[digits++] = *text++;
    hour[digits] = '\0';
    if (digits == 0 || *text++ != ':') return -1;
    if (text[0] < '0' || text[0] > '5' || text[1] < '0' || text[1] > '9' || text[2] != '\0') return -1;
    int hours = atoi(hour), minutes = (text[0] - '0') * 10 + (text[1] - '0');
    return hours < 24 ? hours * 60 + minutes : -1;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int minutes = parse_time(argv[1]);
    if (minutes < 0) {
        puts("no time");
        return 1;
    }
    printf("%d minutes\n", minutes);
    return 0;
}
