/* A protocol as a table of states: greeting, name, data, end.
 * v1: a number may have a sign. */
#include <klee/klee.h>

#ifndef N
#define N 7
#endif

enum class { LETTER, DIGIT, SPACE, NEWLINE, SIGN, OTHER, CLASSES };
enum state { START, WORD, GAP, SIGNED, NUMBER, DONE, FAILED, STATES };

static const unsigned char next[STATES][CLASSES] = {
    [START] = {WORD, FAILED, START, START, FAILED, FAILED},
    [WORD] = {WORD, WORD, GAP, FAILED, FAILED, FAILED},
    [GAP] = {FAILED, NUMBER, GAP, FAILED, SIGNED, FAILED},
    [SIGNED] = {FAILED, NUMBER, FAILED, FAILED, FAILED, FAILED},
    [NUMBER] = {FAILED, NUMBER, FAILED, DONE, FAILED, FAILED},
    [DONE] = {WORD, FAILED, DONE, DONE, FAILED, FAILED},
    [FAILED] = {FAILED, FAILED, FAILED, FAILED, FAILED, FAILED},
};

static enum class class_of(char c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return LETTER;
    if (c >= '0' && c <= '9') return DIGIT;
    if (c == ' ') return SPACE;
    if (c == '\n') return NEWLINE;
    if (c == '+' || c == '-') return SIGN;
    return OTHER;
}

int main(void) {
    char text[N];
    klee_make_symbolic(text, sizeof text, "text");
    enum state state = START;
    int commands = 0;
    for (int i = 0; i < N && state != FAILED; i++) {
        enum state before = state;
        state = next[state][class_of(text[i])];
        if (state == DONE && before == NUMBER) commands++;
    }
    return state == DONE ? commands : 100;
}
