/* As right.c, with a function and its harness more at the top, and another function changed. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PLACES 8u

int nondet_int(void);
unsigned nondet_unsigned(void);
size_t nondet_size(void);
float nondet_float(void);

/* The larger one of two. */
static int larger(int a, int b) { return a > b ? a : b; }

void check_larger(void) {
  int a = nondet_int(), b = nondet_int(), c = larger(a, b);
  assert(c >= a && c >= b && (c == a || c == b));
}

static uint8_t ring[PLACES];
static unsigned head, count;

static int put(uint8_t byte) {
  if (count == PLACES)
    return 0;
  ring[(head + count) % PLACES] = byte;
  count++;
  return 1;
}

static int take(uint8_t *byte) {
  if (count == 0)
    return 0;
  *byte = ring[head];
  head = (head + 1) % PLACES;
  count--;
  return 1;
}

void check_queue(void) {
  uint8_t a = nondet_unsigned(), b = nondet_unsigned(), got = 0;
  head = nondet_unsigned() % PLACES;
  count = 0;
  assert(put(a) && put(b));
  assert(take(&got) && got == a);
  assert(take(&got) && got == b);
  assert(!take(&got));
}

/* The first place in sorted data whose value is not below the wanted one. */
static unsigned search(const int *data, unsigned length, int wanted) {
  unsigned low = 0, high = length;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (data[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void check_search(void) {
  int data[6], wanted = nondet_int();
  data[0] = nondet_int();
  for (unsigned i = 1; i < 6; i++) {
    data[i] = nondet_int();
    if (data[i] < data[i - 1])
      return;
  }
  unsigned at = search(data, 6, wanted);
  assert(at <= 6);
  assert(at == 6 || data[at] >= wanted);
  assert(at == 0 || data[at - 1] < wanted);
}

static uint16_t sum(const uint8_t *bytes, unsigned length) {
  uint16_t a = 1, b = 0;
  for (unsigned i = 0; i < length; i++) {
    a = (a + bytes[i]) % 241;
    b = (b + a) % 251;
  }
  return (uint16_t)(b << 8 | a);
}

void check_sum(void) {
  uint8_t bytes[3];
  for (unsigned i = 0; i < 3; i++)
    bytes[i] = nondet_unsigned();
  uint16_t all = sum(bytes, 3);
  assert((all & 0xff) < 241 && all >> 8 < 251);
}

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  if (!node)
    return list;
  node->value = value;
  node->next = list;
  return node;
}

static int total(const struct node *list) {
  int all = 0;
  for (; list; list = list->next)
    all += list->value;
  return all;
}

void check_list(void) {
  struct node *list = 0;
  int a = nondet_int(), b = nondet_int();
  if (a < 0 || a > 1000 || b < 0 || b > 1000)
    return;
  list = push(push(list, a), b);
  if (list && list->next)
    assert(total(list) == a + b);
}

void check_bytes(void) {
  size_t length = nondet_size(), at = nondet_size();
  if (length < 1 || length > 16)
    return;
  char *bytes = malloc(length);
  if (!bytes)
    return;
  memset(bytes, 0, length);
  if (at < length) {
    bytes[at] = 'x';
    assert(bytes[at] == 'x');
  }
  free(bytes);
}

void check_square(void) {
  float x = nondet_float();
  if (x >= 1.0f && x <= 2.0f)
    assert(x + x >= 2.0f && x + x <= 4.0f);
}

void check_product(void) {
  uint8_t a = nondet_unsigned(), b = nondet_unsigned();
  if (a > 1 && b > 1)
    assert((unsigned)a * b / a == b);
}
