/* A search tree with N symbolic keys.
 * v2: a node that is freed is forgotten. */
#include <klee/klee.h>
#include <stdlib.h>

#ifndef N
#define N 5
#endif

struct node {
    int key;
    struct node *left, *right;
};

/* The node that was made last. */
static struct node *recent;

static int contains(const struct node *root, int key) {
    if (recent != NULL && recent->key == key) return 1;
    while (root != NULL && root->key != key) root = key < root->key ? root->left : root->right;
    return root != NULL;
}

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
    *at = recent = made;
    return root;
}

static void remove_key(struct node **root, int key) {
    struct node **at = root;
    while (*at != NULL && (*at)->key != key) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    struct node *old = *at;
    if (old == NULL) return;
    if (old->left == NULL) {
        *at = old->right;
        if (recent == old) recent = NULL;
        free(old);
        return;
    }
    /* The greatest key on the left takes the place. */
    struct node **greatest = &old->left;
    while ((*greatest)->right != NULL) greatest = &(*greatest)->right;
    struct node *moved = *greatest;
    *greatest = moved->left;
    old->key = moved->key;
    if (recent == moved) recent = NULL;
    free(moved);
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
    remove_key(&root, keys[0]);
    klee_assert(!contains(root, keys[0]));
    int nodes = size(root);
    delete(root);
    return nodes;
}
