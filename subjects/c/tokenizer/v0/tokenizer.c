/* A JSON tokenizer: finds the tokens of a text without building a tree.
 * v0: the array of tokens is not checked for being full. */
#include <klee/klee.h>

#ifndef N
#define N 6
#endif
#define TOKENS 4

enum kind { PRIMITIVE, OBJECT, ARRAY, STRING };

struct token {
    enum kind kind;
    int start;
    int end;
};

struct tokenizer {
    int at;
    int count;
    int open;
};

static struct token *new_token(struct tokenizer *t, struct token *tokens, enum kind kind, int start,
                               int end) {
    struct token *token = &tokens[t->count++];
    token->kind = kind;
    token->start = start;
    token->end = end;
    return token;
}

static int string(struct tokenizer *t, struct token *tokens, const char *text, int length) {
    int start = t->at++;
    for (; t->at < length && text[t->at] != '\0'; t->at++) {
        char c = text[t->at];
        if (c == '"') {
            new_token(t, tokens, STRING, start + 1, t->at);
            return 0;
        }
        if (c == '\\' && t->at + 1 < length) t->at++;
    }
    return -1;
}

static int primitive(struct tokenizer *t, struct token *tokens, const char *text, int length) {
    int start = t->at;
    for (; t->at < length && text[t->at] != '\0'; t->at++) {
        char c = text[t->at];
        if (c == ' ' || c == ',' || c == ']' || c == '}' || c == ':') break;
        if (c < 32 || c == 127) return -1;
    }
    new_token(t, tokens, PRIMITIVE, start, t->at);
    t->at--;
    return 0;
}

/* Closes the innermost open object or array, which must be of this kind. */
static int close(struct tokenizer *t, struct token *tokens, enum kind kind) {
    for (int i = t->count - 1; i >= 0; i--) {
        if (tokens[i].end >= 0) continue;
        if (tokens[i].kind != kind) return -1;
        tokens[i].end = t->at + 1;
        t->open--;
        return 0;
    }
    return -1;
}

/* The number of tokens, or -1. */
static int tokenize(struct token *tokens, const char *text, int length) {
    struct tokenizer t = {0, 0, 0};
    for (; t.at < length && text[t.at] != '\0'; t.at++) {
        switch (text[t.at]) {
        case '{':
        case '[':
            new_token(&t, tokens, text[t.at] == '{' ? OBJECT : ARRAY, t.at, -1);
            t.open++;
            break;
        case '}':
            if (close(&t, tokens, OBJECT) < 0) return -1;
            break;
        case ']':
            if (close(&t, tokens, ARRAY) < 0) return -1;
            break;
        case '"':
            if (string(&t, tokens, text, length) < 0) return -1;
            break;
        case ' ':
        case ',':
        case ':':
            break;
        default:
            if (primitive(&t, tokens, text, length) < 0) return -1;
        }
    }
    return t.open == 0 ? t.count : -1;
}

int main(void) {
    char text[N];
    struct token tokens[TOKENS];
    klee_make_symbolic(text, sizeof text, "text");
    int count = tokenize(tokens, text, N);
    return count < 0 ? 1 : 0;
}
