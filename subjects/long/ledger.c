/* A ledger: options, then N entries, then a report that depends on all of them. */
#include <klee/klee.h>

#ifndef N
#define N 400
#endif

static unsigned char options[8];
static signed char entries[N];

static int limit(void) {
    int limit = 100;
    if (options[0] == 'b') limit = 200;
    if (options[1] == 'c') limit += 50;
    if (options[2] > 9) limit -= options[2] > 99 ? 50 : 10;
    if (options[3] == options[4]) limit++;
    return limit;
}

static int report(int balance, int low, int deposits) {
    int lines = 1;
    if (options[5] == 'v') lines++;
    if (options[6] == 's') lines += 2;
    if (balance < 0) lines++;
    if (low < -100) lines++;
    if (deposits > N / 2) lines++;
    if (entries[N - 1] == 7) lines++;
    if (entries[N - 2] == entries[0] + 3) lines++;
    if (options[7] == 'q' && entries[N - 1] == -7) lines = 0;
    return lines;
}

int main(void) {
    klee_make_symbolic(options, sizeof options, "options");
    klee_make_symbolic(entries, sizeof entries, "entries");
    int most = limit();
    int balance = 0, low = 0, deposits = 0;
    for (int i = 0; i < N; i++) {
        if (entries[i] > 0) {
            deposits++;
            balance += entries[i];
        } else if (entries[i] < -90) {
            balance -= 90;
        } else {
            balance += entries[i];
        }
        if (balance < low) low = balance;
        if (balance > most) balance = most;
    }
    return report(balance, low, deposits) > 4;
}
