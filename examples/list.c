/* A linked list, for functions as entries:
 *
 *     evergreen explore examples/list.c --method drop
 *     evergreen explore examples/list.c --method sum --assume 'n <= len(a)'
 */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

/* Frees a list. A list that leads back to itself is freed while it is walked. */
void drop(struct node *list) {
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

/* The sum of the positive ones of n numbers. */
int sum(const int *a, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) total += a[i];
    }
    return total;
}
