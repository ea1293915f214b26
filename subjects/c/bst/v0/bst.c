/* A search tree with N symbolic keys. As many paths as N keys have orders with ties: 1, 3, 13, 75, 541, 4683.
 * v0: insertion. */
#include <klee/klee.h>
#include <stdlib.h>

#ifndef N
#define N 5
#endif

struct node {
    int key;
    struct node *left, *right;
};

static struct node *insert(struct node *root, int key) {
    struct node **at = &root;
    while (*at != NULL) {
        if (key == (*at)->key) return root;
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    struct node *made = malloc(sizeof *made);
    if (made == NULL) exit(2);
    made->key = key;
    made->left = made->right = NULL;
    *at = made;
    return root;
}

static int size(const struct node *root) {
    return root == NULL ? 0 : size(root->left) + 1 + size(root->right);
}

static void delete(struct node *root) {
    if (root == NULL) return;
    delete(root->left);
    delete(root->right);
    free(root);
}

int main(void) {
    int keys[N];
    struct node *root = NULL;
    klee_make_symbolic(keys, sizeof keys, "keys");
    for (int i = 0; i < N; i++) root = insert(root, keys[i]);
    int nodes = size(root);
    delete(root);
    return nodes;
}
