#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef unsigned int count_t;
typedef enum { RED = 1, GREEN = -2 } colour_t;

struct point {
    int x;
    const short y;
    unsigned low : 3;
    unsigned high : 7;
};

union either {
    float number;
    struct point *next;
};

typedef int (*compare_t)(const void *, const void *);

struct node {
    struct node *left;
    union either value;
    char name[2][5];
    compare_t compare;
};

struct node root;
static colour_t shades[3] = {RED, GREEN, RED};
double weight = 1.5;

static int area(const struct point *p, colour_t colour) {
    static long calls;
    calls++;
    return p->x * p->y + (int)colour;
}

count_t total(struct point *points, size_t n, volatile bool twice, char **names) {
    count_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (count_t)area(&points[i], shades[i % 3]);
    }
    return twice ? 2 * sum : sum;
}

void nothing(unsigned char c, long long wide, int many, ...) { (void)c, (void)wide, (void)many; }

static int dropped(void) { return 7; }

int main(int argc, char **argv) {
    struct point p = {argc, 2, 1, 1};
    printf("%u %g\n", total(&p, 1, false, argv), weight);
    nothing('x', 1, 2);
    return 0 && dropped();
}
