/* Inputs of a C program that Evergreen explores.
 *
 *     #include <evergreen.h>
 *
 *     int main(void) {
 *         char text[8];
 *         evergreen_text(text, sizeof text, "text");
 *         int limit = evergreen_range(1, 100, "limit");
 *         evergreen_check(count(text, limit) <= limit);
 *     }
 *
 * Each draw is one input of the test, in the order of the calls; `name` is how reports and tests call it.
 * Names need not differ. In a WebAssembly module the functions that are declared here are imports of the
 * module "env", and the machine implements them; the functions that are defined here are made of those. A
 * native program links the runtime of crates/c/runtime/replay.c, which reads the values of one test from a
 * file.
 */
#ifndef EVERGREEN_H
#define EVERGREEN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Any int. */
int evergreen_int(const char *name);

/* Any 64-bit integer. */
int64_t evergreen_int64(const char *name);

/* Any float or double; infinities and NaN are among them. */
float evergreen_float(const char *name);
double evergreen_double(const char *name);

/* An int with low <= result <= high. No path goes on if low > high. */
int evergreen_range(int low, int high, const char *name);

/* Makes `size` bytes at `buffer` inputs. Their old values are lost. */
void evergreen_bytes(void *buffer, size_t size, const char *name);

/* Ends the path, without a test, if the condition is zero. */
void evergreen_assume(int condition);

/* A finding with this message. */
__attribute__((noreturn)) void evergreen_fail(const char *message);

/* A finding if the condition is zero. */
#define evergreen_check(condition) ((condition) ? (void)0 : evergreen_fail(#condition))

/* Integers of other widths. */
static inline unsigned evergreen_uint(const char *name) { return (unsigned)evergreen_int(name); }
static inline uint64_t evergreen_uint64(const char *name) { return (uint64_t)evergreen_int64(name); }
static inline signed char evergreen_char(const char *name) {
    return (signed char)evergreen_range(-128, 127, name);
}
static inline unsigned char evergreen_uchar(const char *name) {
    return (unsigned char)evergreen_range(0, 255, name);
}
static inline short evergreen_short(const char *name) { return (short)evergreen_range(-32768, 32767, name); }
static inline unsigned short evergreen_ushort(const char *name) {
    return (unsigned short)evergreen_range(0, 65535, name);
}
static inline int evergreen_bool(const char *name) { return evergreen_range(0, 1, name); }

/* Makes `buffer` a text: `size` - 1 bytes that are inputs, and a NUL behind them. An input may be a NUL too,
 * so the text has from 0 to `size` - 1 bytes. `size` is at least 1. */
static inline void evergreen_text(char *buffer, size_t size, const char *name) {
    evergreen_bytes(buffer, size - 1, name);
    buffer[size - 1] = 0;
}

#ifdef __cplusplus
}
#endif

#endif
