/* Splits a URL into scheme, host, port and path, and decodes the path.
 * v0: a percent sign at the end is decoded together with what follows the text. */
#include <klee/klee.h>
#include <string.h>

#ifndef N
#define N 8
#endif

struct url {
    const char *scheme, *host, *path;
    int scheme_length, host_length, port;
};

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int hex(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 0;
}

static const char *parse_port(struct url *url, const char *s) {
    if (!is_digit(*s)) return NULL;
    while (is_digit(*s)) {
        url->port = url->port * 10 + (*s++ - '0');
        if (url->port > 65535) return NULL;
    }
    return s;
}

static int parse(struct url *url, const char *s) {
    memset(url, 0, sizeof *url);
    url->scheme = s;
    while (is_letter(*s)) s++;
    url->scheme_length = s - url->scheme;
    if (url->scheme_length == 0 || s[0] != ':') return -1;
    s++;
    if (s[0] == '/' && s[1] == '/') {
        s += 2;
        url->host = s;
        while (is_letter(*s) || is_digit(*s) || *s == '.' || *s == '-') s++;
        url->host_length = s - url->host;
        if (*s == ':' && (s = parse_port(url, s + 1)) == NULL) return -1;
        if (*s != '/' && *s != '\0') return -1;
    }
    url->path = s;
    return 0;
}

/* Replaces %XX; returns the length. */
static int decode(char *to, const char *from) {
    int length = 0;
    while (*from != '\0') {
        if (*from == '%') {
            to[length++] = (char)(hex(from[1]) << 4 | hex(from[2]));
            from += 3;
        } else {
            to[length++] = *from++;
        }
    }
    return length;
}

int main(void) {
    char text[N + 1], path[N + 1];
    struct url url;
    klee_make_symbolic(text, sizeof text, "text");
    text[N] = '\0';
    if (parse(&url, text) < 0) return 1;
    return decode(path, url.path) > 0 ? 0 : 2;
}
