/* A JSON parser that builds a tree of arrays, numbers, strings and words.
 * v0: an element before a wrong separator is freed twice. */
#include <klee/klee.h>
#include <stdlib.h>

#ifndef N
#define N 7
#endif

enum kind { NUMBER, STRING, ARRAY, TRUE, FALSE, NUL };

struct node {
    enum kind kind;
    int value;
    struct node *child;
    struct node *next;
};

static struct node *parse(const char **at);

static struct node *node(enum kind kind) {
    struct node *made = calloc(1, sizeof *made);
    if (made == NULL) exit(2);
    made->kind = kind;
    return made;
}

static void delete(struct node *tree) {
    while (tree != NULL) {
        struct node *next = tree->next;
        delete(tree->child);
        free(tree);
        tree = next;
    }
}

static void skip_space(const char **at) {
    while (**at == ' ') (*at)++;
}

static struct node *number(const char **at) {
    int sign = 1;
    if (**at == '-') sign = -1, (*at)++;
    if (**at < '0' || **at > '9') return NULL;
    struct node *made = node(NUMBER);
    while (**at >= '0' && **at <= '9') made->value = made->value * 10 + sign * (*(*at)++ - '0');
    return made;
}

static struct node *string(const char **at) {
    struct node *made = node(STRING);
    for ((*at)++; **at != '"'; (*at)++) {
        if (**at == '\0') {
            delete(made);
            return NULL;
        }
        made->value++;
    }
    (*at)++;
    return made;
}

static struct node *word(const char **at, const char *text, enum kind kind) {
    for (; *text != '\0'; text++, (*at)++) {
        if (**at != *text) return NULL;
    }
    return node(kind);
}

static struct node *array(const char **at) {
    struct node *made = node(ARRAY), **last = &made->child;
    (*at)++;
    skip_space(at);
    if (**at == ']') {
        (*at)++;
        return made;
    }
    for (;;) {
        struct node *element = parse(at);
        if (element == NULL) break;
        *last = element;
        last = &element->next;
        made->value++;
        skip_space(at);
        if (**at == ']') {
            (*at)++;
            return made;
        }
        if (**at != ',') {
            delete(element);
            break;
        }
        (*at)++;
    }
    delete(made);
    return NULL;
}

static struct node *parse(const char **at) {
    skip_space(at);
    switch (**at) {
    case '[':
        return array(at);
    case '"':
        return string(at);
    case 't':
        return word(at, "true", TRUE);
    case 'f':
        return word(at, "false", FALSE);
    case 'n':
        return word(at, "null", NUL);
    default:
        return number(at);
    }
}

int main(void) {
    char text[N + 1];
    klee_make_symbolic(text, sizeof text, "text");
    text[N] = '\0';
    const char *at = text;
    struct node *tree = parse(&at);
    if (tree == NULL) return 1;
    skip_space(&at);
    int whole = *at == '\0';
    delete(tree);
    return whole ? 0 : 1;
}
