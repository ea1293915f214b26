"""Counts the integer points of sets with barvinok, through PyPI's islpy-barvinok: a process of its own, for comparison.

usage: barvinok.py MODULE_FOLDER [MILLISECONDS]

Reads a set in isl's notation per line and answers each with a line: the number of its points, a tab, and the least time
in microseconds of CPU that counting took among repetitions within so many milliseconds (30). Reading the set is not timed.
"""

import sys
import time

sys.path.insert(0, sys.argv[1])
import islpy  # noqa: E402


def count(text):
    points = islpy.Set(text)
    cpu, begin = time.thread_time_ns(), time.perf_counter_ns()
    number = points.card()
    # Time that others had the processor does not count; for the shortest, asking for that takes longer than it saves.
    took = time.perf_counter_ns() - begin
    took = min(took, time.thread_time_ns() - cpu)
    return number.eval(islpy.Point.zero(number.get_domain_space())), took


def main():
    patience = int(sys.argv[2] if len(sys.argv) > 2 else 30) * 1_000_000
    for line in sys.stdin:
        begin = time.perf_counter_ns()
        number, least = count(line)
        while time.perf_counter_ns() - begin < patience:
            least = min(least, count(line)[1])
        print(f"{number}\t{least / 1000:.3f}", flush=True)


main()
