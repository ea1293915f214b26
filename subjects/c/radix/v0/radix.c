/* A radix tree of N symbolic keys of 2 bytes: inner nodes name the first bit that differs.
 * v0: insertion and look-up. */
#include <klee/klee.h>
#include <stdlib.h>

#ifndef N
#define N 4
#endif
#define BITS 16

struct node {
    int bit; /* BITS in a leaf */
    unsigned key;
    struct node *child[2];
};

static int bit_of(unsigned key, int bit) { return key >> (BITS - 1 - bit) & 1; }

static struct node *leaf(unsigned key) {
    struct node *made = malloc(sizeof *made);
    if (made == NULL) exit(2);
    made->bit = BITS;
    made->key = key;
    made->child[0] = made->child[1] = NULL;
    return made;
}

static const struct node *closest(const struct node *at, unsigned key) {
    while (at->bit < BITS) at = at->child[bit_of(key, at->bit)];
    return at;
}

static int contains(const struct node *root, unsigned key) {
    return root != NULL && closest(root, key)->key == key;
}

static void insert(struct node **root, unsigned key) {
    if (*root == NULL) {
        *root = leaf(key);
        return;
    }
    unsigned other = closest(*root, key)->key;
    if (other == key) return;
    int bit = 0;
    while (bit_of(key, bit) == bit_of(other, bit)) bit++;
    struct node **at = root;
    while ((*at)->bit < bit) at = &(*at)->child[bit_of(key, (*at)->bit)];
    struct node *inner = leaf(key);
    inner->bit = bit;
    inner->child[bit_of(key, bit)] = leaf(key);
    inner->child[!bit_of(key, bit)] = *at;
    *at = inner;
}

static void delete(struct node *root) {
    if (root == NULL) return;
    delete(root->child[0]);
    delete(root->child[1]);
    free(root);
}

int main(void) {
    unsigned char keys[N][2];
    struct node *root = NULL;
    klee_make_symbolic(keys, sizeof keys, "keys");
    for (int i = 0; i < N; i++) {
        unsigned key = (unsigned)(keys[i][0] << 8 | keys[i][1]);
        insert(&root, key);
        klee_assert(contains(root, key));
    }
    delete(root);
    return 0;
}
