/* A protocol as a table of states: greeting, name, data, end.
 * v3: the table of classes has all bytes. */
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

static unsigned char classes[256];

static void fill_classes(void) {
    for (int c = 0; c < 256; c++) classes[c] = OTHER;
    for (int c = 'a'; c <= 'z'; c++) classes[c] = classes[c - 'a' + 'A'] = LETTER;
    for (int c = '0'; c <= '9'; c++) classes[c] = DIGIT;
    classes[' '] = SPACE;
    classes['\n'] = NEWLINE;
    classes['+'] = classes['-'] = SIGN;
}

static enum class class_of(char c) { return classes[(unsigned char)c]; }

int main(void) {
    char text[N];
    klee_make_symbolic(text, sizeof text, "text");
    enum state state = START;
    fill_classes();
    int commands = 0;
    for (int i = 0; i < N && state != FAILED; i++) {
        enum state before = state;
        state = next[state][class_of(text[i])];
        if (state == DONE && before == NUMBER) commands++;
    }
    return state == DONE ? commands : 100;
}
