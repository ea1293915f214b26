/* A calculator: sums, products and parentheses by recursive descent.
 * v1: a division by zero is an error. */
#include <klee/klee.h>

#ifndef N
#define N 5
#endif

struct input {
    const char *at;
    int error;
};

static int sum(struct input *in);

static int factor(struct input *in) {
    if (*in->at == '-') {
        in->at++;
        return -factor(in);
    }
    if (*in->at == '(') {
        in->at++;
        int value = sum(in);
        if (*in->at == ')') {
            in->at++;
        } else {
            in->error = 1;
        }
        return value;
    }
    int value = 0, digits = 0;
    for (; *in->at >= '0' && *in->at <= '9'; in->at++, digits++) value = value * 10 + (*in->at - '0');
    if (digits == 0) in->error = 1;
    return value;
}

static int product(struct input *in) {
    int value = factor(in);
    while (!in->error) {
        if (*in->at == '*') {
            in->at++;
            value *= factor(in);
        } else if (*in->at == '/') {
            in->at++;
            int divisor = factor(in);
            if (divisor == 0) {
                in->error = 1;
            } else {
                value /= divisor;
            }
        } else {
            break;
        }
    }
    return value;
}

static int sum(struct input *in) {
    int value = product(in);
    while (!in->error) {
        if (*in->at == '+') {
            in->at++;
            value += product(in);
        } else if (*in->at == '-') {
            in->at++;
            value -= product(in);
        } else {
            break;
        }
    }
    return value;
}

int main(void) {
    char text[N + 1];
    klee_make_symbolic(text, sizeof text, "text");
    text[N] = '\0';
    struct input in = {text, 0};
    int value = sum(&in);
    if (in.error || *in.at != '\0') return 1;
    return value == 0 ? 2 : 0;
}
