"""pySMT's own test suite, with a solver process behind everything that asks for a solver.

usage: suite.py SOLVER [MODULE...]

The solver is added to each environment under the name "process", so that the tests that take any solver of a logic take
it. Tests of solvers that pySMT links are skipped by pySMT itself. Prints what each test came to, and the sums.
"""

import importlib
import signal
import sys
import types
import unittest

try:
    import pytest  # noqa: F401
except ImportError:  # Only its marks are used; what it parametrizes are functions, which unittest does not collect.
    stub = types.ModuleType("pytest")
    stub.mark = types.SimpleNamespace(slow=lambda test: test, parametrize=lambda *_, **__: lambda test: test)
    sys.modules["pytest"] = stub

import pysmt.environment
import pysmt.logics

# Far above what a test takes; pySMT waits for ever when it has lost count of a solver's answers.
LIMIT_S = 20


class Late(Exception):
    pass


def late(_signal, _frame):
    raise Late()


def add_process(command):
    """Each environment gets the solver, as `reset_env` makes a new one for each test."""
    made = pysmt.environment.Environment.__init__
    quantifier_free = [
        logic
        for logic in pysmt.logics.SMTLIB2_LOGICS
        if logic.quantifier_free and not logic.theory.strings
    ]

    def with_process(self, *args, **kwargs):
        made(self, *args, **kwargs)
        self.factory.add_generic_solver("process", command, quantifier_free)

    pysmt.environment.Environment.__init__ = with_process
    pysmt.environment.reset_env()


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.came = {}

    def startTest(self, test):
        super().startTest(test)
        self.came[test.id()] = "passed"
        signal.alarm(LIMIT_S)

    def stopTest(self, test):
        signal.alarm(0)
        super().stopTest(test)

    def addSkip(self, test, reason):
        self.came[test.id()] = "skipped"

    def addFailure(self, test, err):
        self.came[test.id()] = "failed"

    def addError(self, test, err):
        self.came[test.id()] = f"error {err[0].__name__}"

    def addExpectedFailure(self, test, err):
        self.came[test.id()] = "failed as expected"


def main():
    signal.signal(signal.SIGALRM, late)
    add_process([sys.argv[1], "-smt2", "-in"])
    import pkgutil

    import pysmt.test
    import pysmt.test.smtlib

    names = [m.name for m in pkgutil.iter_modules(pysmt.test.__path__, "pysmt.test.")]
    names += [m.name for m in pkgutil.iter_modules(pysmt.test.smtlib.__path__, "pysmt.test.smtlib.")]
    wanted = sys.argv[2:]
    result = Result()
    for name in names:
        short = name.rpartition(".")[2]
        if not short.startswith("test_") or (wanted and short not in wanted):
            continue
        tests = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name))
        tests.run(result)
    sums = {}
    for test, came in sorted(result.came.items()):
        sums[came] = sums.get(came, 0) + 1
        if came != "skipped":
            print(f"{test.removeprefix('pysmt.test.')}: {came}")
    print("; ".join(f"{came}: {count}" for came, count in sorted(sums.items())))


main()
