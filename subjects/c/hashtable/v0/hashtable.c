/* A hash table with open addressing; N symbolic keys are put in.
 * v0: the slot of a negative key is negative. */
#include <klee/klee.h>
#include <string.h>

#ifndef N
#define N 4
#endif
#define SLOTS 8

struct table {
    int keys[SLOTS];
    char used[SLOTS];
    int count;
};

static int slot(int key) { return key % SLOTS; }

static int put(struct table *table, int key) {
    if (table->count == SLOTS) return -1;
    int at = slot(key);
    while (table->used[at]) {
        if (table->keys[at] == key) return at;
        at = (at + 1) % SLOTS;
    }
    table->used[at] = 1;
    table->keys[at] = key;
    table->count++;
    return at;
}

int main(void) {
    int keys[N];
    struct table table;
    memset(&table, 0, sizeof table);
    klee_make_symbolic(keys, sizeof keys, "keys");
    for (int i = 0; i < N; i++) put(&table, keys[i]);
    return table.count;
}
