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

/* Pointers as inputs, for harnesses that are made from debug information.
 *
 * evergreen_pointer makes the pointer at `to` an input: null, an object of the type that another pointer leads
 * to, or a new object. It is decided when the pointer is first read. The type describes an element by its
 * fields; numbers are offsets and sizes in WebAssembly. */
struct evergreen_type;

struct evergreen_field {
    unsigned offset;
    /* Bytes of an item, and how many items are in a row. */
    unsigned size, count;
    /* Of a pointer: what it points to. */
    const struct evergreen_type *type;
    /* The numbers that an item can be; none if it can be any. */
    const int *values;
    unsigned number_of_values;
    const char *name;
};

struct evergreen_type {
    const char *name;
    /* Bytes of an element, the least and the most elements. */
    unsigned size, least, most;
    /* The most objects that pointers share; 0 if each pointer has an object of its own. */
    unsigned scope;
    /* 0: elements with fields; 1: a text, with a zero behind its elements; 2: elements that are numbers. */
    unsigned form;
    unsigned number_of_fields;
    const struct evergreen_field *fields;
    /* For native programs: the size of an element, whether numbers have a sign, how an element is filled. */
    size_t native_size;
    int is_signed;
    void (*fill)(void *element);
};

void evergreen_pointer(void *to, const struct evergreen_type *type, const char *name);
void evergreen_struct(void *to, const struct evergreen_type *type, const char *name);

#ifdef __wasm__
#define EVERGREEN_NATIVE(size, is_signed, fill) 0, 0, 0
#define EVERGREEN_VALUE(variable, size, is_signed, name) evergreen_bytes(&(variable), size, name)
#else
#define EVERGREEN_NATIVE(size, is_signed, fill) size, is_signed, fill
#define EVERGREEN_VALUE(variable, size, is_signed, name) \
    evergreen_items(&(variable), sizeof(variable), size, 1, is_signed)
/* Reads `count` items of `recorded` bytes each into items of `size` bytes. */
void evergreen_items(void *to, size_t size, unsigned recorded, unsigned count, int is_signed);
unsigned long long evergreen_bits(const unsigned char *bytes, unsigned first, unsigned count);
#endif

#ifdef __cplusplus
}
#endif

#endif
