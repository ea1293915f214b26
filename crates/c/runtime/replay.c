/* The intrinsics of harnesses for a native program: replays one test.
 *
 * The environment variable EVERGREEN_REPLAY names a text file with one line for each draw, in the order of
 * the draws:
 *
 *     LENGTH HEX NAME
 *
 * LENGTH is the number of bytes in decimal, HEX their two digits each from the lowest address on ("-" for
 * none), NAME the rest of the line. Numbers are little-endian. NAME is what the program gave as the name of
 * the draw; for the functions __VERIFIER_nondet_* it is the name of the function, for klee_choose
 * "klee_choose". An empty NAME fits any draw. A line break or a NUL in a name is written as "?".
 *
 * A test records what the WebAssembly program drew, where `long`, `size_t` and pointers have 4 bytes. Draws
 * of a number (all but klee_make_symbolic and evergreen_bytes) are extended to the native width by their
 * sign. A buffer of another size than the recorded one is a difference between the two programs.
 *
 * Exit status 120: the program draws something else than the file says (why is on stderr). 121: an assumption
 * does not hold. 122: the program ended by klee_silent_exit. Findings (evergreen_fail, klee_report_error,
 * reach_error, __VERIFIER_error) write a line and abort, as a failed assert does.
 *
 * The functions are weak: a program that defines one of them, as most programs define reach_error, keeps its
 * own.
 */
#include <evergreen.h>

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))
#define EXIT_DIFFERS 120
#define EXIT_ASSUMPTION 121
#define EXIT_SILENT 122

static FILE *record;
static unsigned long draws;

__attribute__((noreturn)) static void end(int status) {
    fflush(NULL);
    _Exit(status);
}

/* Reports that the program and the record differ. */
__attribute__((noreturn)) static void differs(const char *name, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "replay: draw %lu \"%s\": ", draws, name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    end(EXIT_DIFFERS);
}

static void open_record(const char *name) {
    const char *file = getenv("EVERGREEN_REPLAY");
    if (record != NULL) return;
    if (file == NULL) {
        differs(name, "no record\nhelp: EVERGREEN_REPLAY names the file with the values of a test");
    }
    record = fopen(file, "r");
    if (record == NULL) differs(name, "\"%s\": %s", file, strerror(errno));
}

static int digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Reads the rest of the line and compares it with the name of the draw. */
static void same_name(const char *name) {
    const char *rest = name;
    int c, same = 1, empty = 1;
    while ((c = getc(record)) != EOF && c != '\n') {
        int wanted = *rest == '\n' ? '?' : (unsigned char)*rest;
        empty = 0;
        if (*rest == '\0' || wanted != c) same = 0;
        if (*rest != '\0') rest++;
    }
    if (!empty && (!same || *rest != '\0')) differs(name, "the record has another name here");
}

/* Reads the next record into `bytes`, which has room for `room`, and returns its length. */
static size_t draw(unsigned char *bytes, size_t room, const char *name) {
    unsigned long length, i;
    draws++;
    open_record(name);
    if (fscanf(record, "%lu ", &length) != 1) differs(name, "the record ends before it");
    if (length > room) differs(name, "%lu bytes are recorded, %lu wanted", length, (unsigned long)room);
    for (i = 0; i < length; i++) {
        int high = digit(getc(record)), low = high < 0 ? -1 : digit(getc(record));
        if (low < 0) differs(name, "the record is damaged");
        bytes[i] = (unsigned char)(high << 4 | low);
    }
    if (length == 0 && getc(record) != '-') differs(name, "the record is damaged");
    if (getc(record) != ' ') differs(name, "the record is damaged");
    same_name(name);
    return length;
}

static int64_t draw_signed(const char *name) {
    unsigned char bytes[8] = {0};
    size_t length = draw(bytes, sizeof bytes, name), i;
    uint64_t value = 0;
    if (length == 0) differs(name, "the record is damaged");
    for (i = 0; i < 8; i++) {
        unsigned char fill = bytes[length - 1] & 0x80 ? 0xff : 0;
        value |= (uint64_t)(i < length ? bytes[i] : fill) << (8 * i);
    }
    return (int64_t)value;
}

static uint64_t draw_unsigned(const char *name) {
    unsigned char bytes[8] = {0};
    uint64_t value = 0;
    size_t i;
    draw(bytes, sizeof bytes, name);
    for (i = 0; i < 8; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void draw_bytes(void *buffer, size_t size, const char *name) {
    size_t length = draw((unsigned char *)buffer, size, name);
    if (length != size) {
        differs(name, "%lu bytes are recorded, %lu wanted", (unsigned long)length, (unsigned long)size);
    }
}

static float draw_float(const char *name) {
    float value;
    draw_bytes(&value, sizeof value, name);
    return value;
}

static double draw_double(const char *name) {
    double value;
    draw_bytes(&value, sizeof value, name);
    return value;
}

static void assume(int holds) {
    if (!holds) end(EXIT_ASSUMPTION);
}

__attribute__((noreturn)) static void finding(const char *what) {
    fflush(stdout);
    fprintf(stderr, "%s\n", what);
    abort();
}

/* evergreen.h */

WEAK int evergreen_int(const char *name) { return (int)draw_signed(name); }
WEAK int64_t evergreen_int64(const char *name) { return draw_signed(name); }
WEAK float evergreen_float(const char *name) { return draw_float(name); }
WEAK double evergreen_double(const char *name) { return draw_double(name); }
WEAK int evergreen_range(int low, int high, const char *name) {
    int value = (int)draw_signed(name);
    assume(low <= value && value <= high);
    return value;
}
WEAK void evergreen_bytes(void *buffer, size_t size, const char *name) { draw_bytes(buffer, size, name); }
WEAK void evergreen_assume(int condition) { assume(condition != 0); }
WEAK void evergreen_fail(const char *message) { finding(message); }

/* Pointers as inputs. The record of a pointer is the number of its object, 0 for null, and the number of
 * elements; where the number is new, the values of the object follow. */

#define MOST_OBJECTS 4096
static void *objects[MOST_OBJECTS];

WEAK void evergreen_items(void *to, size_t size, unsigned recorded, unsigned count, int is_signed) {
    unsigned char *out = to, *bytes = calloc((size_t)recorded * count + 1, 1);
    size_t i, k;
    draw_bytes(bytes, (size_t)recorded * count, "items");
    for (i = 0; i < count; i++) {
        unsigned char *item = bytes + i * recorded;
        unsigned char fill = is_signed && recorded > 0 && item[recorded - 1] & 0x80 ? 0xff : 0;
        for (k = 0; k < size; k++) out[i * size + k] = k < recorded ? item[k] : fill;
    }
    free(bytes);
}

WEAK unsigned long long evergreen_bits(const unsigned char *bytes, unsigned first, unsigned count) {
    unsigned long long value = 0;
    unsigned i;
    for (i = 0; i < count; i++) {
        value |= (unsigned long long)(bytes[(first + i) / 8] >> (first + i) % 8 & 1) << i;
    }
    return value;
}

WEAK void evergreen_struct(void *to, const struct evergreen_type *type, const char *name) {
    (void)name;
    memset(to, 0, type->native_size);
    type->fill(to);
}

WEAK void evergreen_pointer(void *to, const struct evergreen_type *type, const char *name) {
    unsigned char record[8];
    unsigned number, count, i;
    draw_bytes(record, sizeof record, name);
    number = record[0] | record[1] << 8 | record[2] << 16 | (unsigned)record[3] << 24;
    count = record[4] | record[5] << 8 | record[6] << 16 | (unsigned)record[7] << 24;
    if (number >= MOST_OBJECTS) differs(name, "the record is damaged");
    if (number != 0 && objects[number] == NULL) {
        /* A text has a zero behind it. */
        char *object = calloc(count + (type->form == 1), type->native_size);
        if (object == NULL) differs(name, "no memory");
        objects[number] = object;
        if (type->form == 0) {
            for (i = 0; i < count; i++) type->fill(object + i * type->native_size);
        } else if (count > 0) {
            evergreen_items(object, type->native_size, type->size, count, type->is_signed);
        }
    }
    memcpy(to, number == 0 ? &objects[0] : &objects[number], sizeof(void *));
}

/* klee/klee.h */

WEAK void klee_make_symbolic(void *addr, size_t nbytes, const char *name) { draw_bytes(addr, nbytes, name); }
WEAK int klee_range(int begin, int end, const char *name) {
    int value = (int)draw_signed(name);
    assume(begin <= value && value < end);
    return value;
}
WEAK int klee_int(const char *name) { return (int)draw_signed(name); }
WEAK uintptr_t klee_choose(uintptr_t n) {
    uintptr_t value = (uintptr_t)draw_unsigned("klee_choose");
    assume(value < n);
    return value;
}
WEAK void klee_assume(uintptr_t condition) { assume(condition != 0); }
WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_silent_exit(int status) { (void)status, end(EXIT_SILENT); }
WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    fprintf(stderr, "%s:%d: %s (%s)\n", file, line, message, suffix);
    finding("klee_report_error");
}
WEAK void klee_abort(void) { finding("klee_abort"); }
WEAK unsigned klee_is_symbolic(uintptr_t n) { return (void)n, 0; }
WEAK unsigned klee_is_replay(void) { return 1; }
WEAK float klee_get_valuef(float expr) { return expr; }
WEAK double klee_get_valued(double expr) { return expr; }
WEAK long klee_get_valuel(long expr) { return expr; }
WEAK long long klee_get_valuell(long long expr) { return expr; }
WEAK int32_t klee_get_value_i32(int32_t expr) { return expr; }
WEAK int64_t klee_get_value_i64(int64_t expr) { return expr; }
WEAK size_t klee_get_obj_size(void *ptr) {
    (void)ptr;
    differs("klee_get_obj_size", "a native program does not know the sizes of objects");
}
WEAK void klee_check_memory_access(const void *address, size_t size) { (void)address, (void)size; }
WEAK int klee_get_errno(void) { return errno; }
WEAK void klee_warning(const char *message) { fprintf(stderr, "warning: %s\n", message); }
WEAK void klee_warning_once(const char *message) { fprintf(stderr, "warning: %s\n", message); }
WEAK void klee_print_expr(const char *message, ...) { (void)message; }
WEAK void klee_print_range(const char *name, int value) { (void)name, (void)value; }
WEAK void klee_stack_trace(void) {}
WEAK void klee_open_merge(void) {}
WEAK void klee_close_merge(void) {}
WEAK void klee_set_forking(unsigned enable) { (void)enable; }
WEAK void klee_alias_function(const char *name, const char *replacement) { (void)name, (void)replacement; }
WEAK void klee_mark_global(void *object) { (void)object; }
WEAK void klee_make_shared(void *object, size_t nbytes) { (void)object, (void)nbytes; }
WEAK void klee_define_fixed_object(void *address, size_t nbytes) { (void)address, (void)nbytes; }

/* The verification competition. */

#define SIGNED(type, suffix) \
    WEAK type __VERIFIER_nondet_##suffix(void) { return (type)draw_signed("__VERIFIER_nondet_" #suffix); }
#define UNSIGNED(type, suffix) \
    WEAK type __VERIFIER_nondet_##suffix(void) { return (type)draw_unsigned("__VERIFIER_nondet_" #suffix); }

SIGNED(char, char)
SIGNED(short, short)
SIGNED(int, int)
SIGNED(long, long)
SIGNED(long long, longlong)
SIGNED(long long, loff_t)
UNSIGNED(_Bool, bool)
UNSIGNED(unsigned char, uchar)
UNSIGNED(unsigned char, u8)
UNSIGNED(unsigned short, ushort)
UNSIGNED(unsigned short, u16)
UNSIGNED(unsigned, uint)
UNSIGNED(unsigned, unsigned)
UNSIGNED(unsigned, u32)
UNSIGNED(unsigned long, ulong)
UNSIGNED(unsigned long long, ulonglong)
UNSIGNED(size_t, size_t)

WEAK float __VERIFIER_nondet_float(void) { return draw_float("__VERIFIER_nondet_float"); }
WEAK double __VERIFIER_nondet_double(void) { return draw_double("__VERIFIER_nondet_double"); }
WEAK void *__VERIFIER_nondet_pointer(void) {
    return (void *)(uintptr_t)draw_unsigned("__VERIFIER_nondet_pointer");
}
WEAK void __VERIFIER_nondet_memory(void *memory, size_t size) {
    draw_bytes(memory, size, "__VERIFIER_nondet_memory");
}
WEAK void __VERIFIER_assume(int condition) { assume(condition != 0); }
WEAK void __VERIFIER_assert(int condition) {
    if (!condition) finding("__VERIFIER_assert");
}
WEAK void __VERIFIER_error(void) { finding("__VERIFIER_error"); }
WEAK void reach_error(void) { finding("reach_error"); }
