/* A hash table with open addressing; N symbolic keys are put in, the first is removed.
 * v2: removed keys leave a mark. */
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

static int slot(int key) { return (int)((unsigned)key % SLOTS); }

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

#define REMOVED 2

static void remove_key(struct table *table, int key) {
    int at = slot(key);
    for (int i = 0; i < SLOTS && table->used[at]; i++, at = (at + 1) % SLOTS) {
        if (table->used[at] != REMOVED && table->keys[at] == key) {
            table->used[at] = REMOVED;
            table->count--;
            return;
        }
    }
}

int main(void) {
    int keys[N];
    struct table table;
    memset(&table, 0, sizeof table);
    klee_make_symbolic(keys, sizeof keys, "keys");
    for (int i = 0; i < N; i++) put(&table, keys[i]);
    remove_key(&table, keys[0]);
    return table.count;
}
