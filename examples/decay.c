/* A condition on floats that only a solver for floating point decides; without one two paths are sampled.
 *
 *     evergreen explore examples/decay.c
 *     evergreen explore examples/decay.c --solver none
 */
#include <evergreen.h>
#include <math.h>

int main(void) {
    double dose = evergreen_double("dose");
    int hours = evergreen_range(1, 12, "hours");
    if (!(dose > 0 && dose < 1000)) return 2;
    if (dose * dose - 12.75 * dose == 98.5) return 3;
    return hours > 8 ? 0 : 1;
}
