"""pySMT as a client: each problem is given to a generic SMT-LIB solver, a process that pySMT talks to over a pipe.

usage: client.py SOLVER

Prints one line per answer. A model is not printed but checked (pySMT evaluates the formula under it), since two right
solvers may differ in it; forced values are printed. Values are asked for last: pySMT 0.9.6 leaves the end of the line
after a value unread and takes it for the answer to its next command.
"""

import sys

from pysmt.logics import QF_ABV, QF_AUFLIA, QF_BV, QF_LIA, QF_LRA, QF_UFLIA
from pysmt.shortcuts import (
    BV, And, BVAdd, BVExtract, BVMul, BVULT, BVXor, Equals, Function, GE, GT, Int, LE, LT, Minus, Not,
    Plus, Real, Select, Solver, Store, Symbol, Times, get_env,
)
from pysmt.typing import ArrayType, BVType, FunctionType, INT, REAL

NAME = "under-test"


def solver(logic):
    return Solver(name=NAME, logic=logic)


def report(problem, *results):
    print(f"{problem}: {' '.join(str(result) for result in results)}", flush=True)


def ask(solver, formula, *symbols):
    """sat with a checked model, or unsat."""
    if not solver.solve():
        return "unsat"
    values = {symbol: solver.get_value(symbol) for symbol in symbols}
    holds = formula.substitute(values).simplify()
    return "sat, model holds" if holds.is_true() else f"sat, WRONG MODEL {values}"


def linear():
    x, y, z = (Symbol(n, INT) for n in "xyz")
    with solver(QF_LIA) as s:
        system = And(Equals(Plus(x, y, z), Int(6)), Equals(Minus(x, y), Int(-1)), GT(z, Int(2)), GE(x, Int(0)))
        s.add_assertion(system)
        s.push()
        s.add_assertion(LT(z, Int(3)))
        report("linear, too small", ask(s, system, x, y, z))
        s.pop()
        report("linear", ask(s, system, x, y, z), s.get_py_value(x), s.get_py_value(y), s.get_py_value(z))


def rationals():
    x, y = Symbol("r", REAL), Symbol("t", REAL)
    with solver(QF_LRA) as s:
        system = And(Equals(Times(Real(3), x), Real(1)), LT(y, x), GT(Times(Real(2), y), x))
        s.add_assertion(system)
        report("rationals", ask(s, system, x, y), s.get_py_value(x))


def bit_vectors():
    a, b = Symbol("a", BVType(16)), Symbol("b", BVType(16))
    with solver(QF_BV) as s:
        system = And(Equals(BVXor(a, b), BV(0xFF00, 16)), BVULT(a, b), Equals(BVExtract(a, 0, 7), BV(0x2A, 8)))
        s.add_assertion(system)
        report("bit-vectors", ask(s, system, a, b))
    with solver(QF_BV) as s:
        system = Equals(BVMul(a, BV(2, 16)), BVAdd(BV(1, 16), BVMul(b, BV(4, 16))))
        s.add_assertion(system)
        report("bit-vectors, parity", ask(s, system, a, b))


def arrays():
    m = Symbol("m", ArrayType(BVType(8), BVType(8)))
    i, j = Symbol("i", BVType(8)), Symbol("j", BVType(8))
    read_back = Equals(Select(Store(m, i, BV(1, 8)), j), BV(2, 8))
    with solver(QF_ABV) as s:
        s.add_assertion(read_back)
        s.push()
        s.add_assertion(Equals(i, j))
        report("arrays, same place", "sat" if s.solve() else "unsat")
        s.pop()
        report("arrays", "sat" if s.solve() else "unsat", "apart" if s.get_value(i) != s.get_value(j) else "WRONG MODEL")


def functions():
    f = Symbol("f", FunctionType(INT, [INT]))
    x = Symbol("x", INT)
    with solver(QF_UFLIA) as s:
        s.add_assertion(And(Equals(Function(f, [x]), Plus(x, Int(1))), Equals(Function(f, [Int(3)]), Int(9))))
        report("functions", "sat" if s.solve() else "unsat")
        s.push()
        s.add_assertion(Equals(x, Int(3)))
        report("functions, clash", "sat" if s.solve() else "unsat")
        s.pop()
        s.add_assertion(And(LE(Int(7), x), LT(x, Int(8))))
        report("functions, again", "sat" if s.solve() else "unsat", s.get_py_value(x))


def scopes():
    """A search as a symbolic executor does it: one scope per branch."""
    x, y = Symbol("x", INT), Symbol("y", INT)
    conditions = [GT(x, y), GT(y, Int(0)), LT(x, Int(2)), Equals(Plus(x, y), Int(5))]
    with solver(QF_LIA) as s:

        def explore(depth, path):
            for name, arm in (("T", conditions[depth]), ("F", Not(conditions[depth]))):
                s.push()
                s.add_assertion(arm)
                feasible = s.solve()
                if depth + 1 < len(conditions) and feasible:
                    explore(depth + 1, path + name)
                else:
                    report(f"path {path + name}", "sat" if feasible else "unsat")
                s.pop()

        explore(0, "")


def main():
    logics = [QF_LIA, QF_LRA, QF_BV, QF_ABV, QF_AUFLIA, QF_UFLIA]
    get_env().factory.add_generic_solver(NAME, [sys.argv[1], "-smt2", "-in"], logics)
    for problem in (linear, rationals, bit_vectors, arrays, functions, scopes):
        problem()


main()
