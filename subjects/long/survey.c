/* A survey: settings, then N answers, then a summary of them. */
#include <klee/klee.h>

#ifndef N
#define N 400
#endif

static unsigned char settings[6];
static unsigned char answers[N];

int main(void) {
    klee_make_symbolic(settings, sizeof settings, "settings");
    klee_make_symbolic(answers, sizeof answers, "answers");
    int weight = 1, yes = 0, no = 0, other = 0, score = 0;
    if (settings[0] == 'w') weight = 2;
    if (settings[1] > 'm') weight += settings[1] > 'x' ? 2 : 1;
    if (settings[2] == settings[3]) weight = 0;
    for (int i = 0; i < N; i++) {
        if (answers[i] == 'y') yes++;
        else if (answers[i] == 'n') no++;
        else other++;
    }
    if (other > 0) score -= weight;
    if (yes > no) score += weight;
    if (no == 2) score++;
    if (settings[4] == 'd') score *= 2;
    if (settings[5] == 'z' && answers[N - 1] == 'y') score = 0;
    if (answers[0] == answers[N - 1]) score++;
    if (answers[1] == 'q') score += answers[N - 2] == 'q' ? 3 : 5;
    if (settings[0] == answers[N - 3]) score--;
    return score > 3;
}
