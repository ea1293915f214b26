/* The interface of KLEE's harnesses, for programs that are explored or replayed by Evergreen.
 *
 * Only the interface is KLEE's: names, parameters and meaning, so that a harness runs as it is. In a
 * WebAssembly module the functions are imports of the module "env", and the machine implements them. A native
 * program links the runtime of crates/c/runtime/replay.c, which reads the values of one test from a file.
 *
 * Differences from KLEE: `klee_open_merge` and `klee_close_merge` do nothing (states are merged on demand, by
 * a flag of the exploration), `klee_set_forking`, `klee_alias_function`, `klee_mark_global` and
 * `klee_make_shared` do nothing.
 */
#ifndef EVERGREEN_KLEE_H
#define EVERGREEN_KLEE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. */

/* Makes `nbytes` bytes at `addr` an input. Their old values are lost. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* An int with begin <= result < end. */
int klee_range(int begin, int end, const char *name);

/* An int. */
int klee_int(const char *name);

/* A number below n. */
uintptr_t klee_choose(uintptr_t n);

/* What holds. */

/* Ends the path without a test if the condition is zero. */
void klee_assume(uintptr_t condition);

/* Values of tests that meet the condition are preferred; no path ends. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* A finding if the condition is zero, also where NDEBUG is defined. */
#define klee_assert(expr) ((expr) ? (void)0 : __assert_fail(#expr, __FILE__, __LINE__, __func__))

/* Ends. */

/* Ends the path without a test. */
__attribute__((noreturn)) void klee_silent_exit(int status);

/* A finding of its own kind: `suffix` is the kind, `message` what happened. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);
__attribute__((noreturn)) void klee_abort(void);

/* Questions about values. */

unsigned klee_is_symbolic(uintptr_t n);

/* Not zero in a replayed test, zero while exploring. */
unsigned klee_is_replay(void);

/* One possible value; the path condition stays as it is. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* The size of the object that `ptr` is the beginning of. */
size_t klee_get_obj_size(void *ptr);

/* A finding if `size` bytes at `address` are not all inside one object. */
void klee_check_memory_access(const void *address, size_t size);

int klee_get_errno(void);

/* Messages. */

void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_stack_trace(void);

/* Accepted, without effect. */

void klee_open_merge(void);
void klee_close_merge(void);
void klee_set_forking(unsigned enable);
void klee_alias_function(const char *name, const char *replacement);
void klee_mark_global(void *object);
void klee_make_shared(void *object, size_t nbytes);
void klee_define_fixed_object(void *address, size_t nbytes);

#ifdef __cplusplus
}
#endif

#endif
