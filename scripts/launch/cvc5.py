"""The command `cvc5` on top of PyPI's module, for distributions that package no cvc5.

usage: cvc5.py MODULE_FOLDER [cvc5's options] [FILE]

Without FILE the input is read from stdin, command by command as it arrives, so that a client can talk to it over a
pipe.
"""

import os
import sys

sys.path.insert(0, sys.argv[1])
import cvc5  # noqa: E402


def complete(text):
    """Is `text` a whole number of commands? Brackets in strings, quoted symbols and comments do not count."""
    depth, i = 0, 0
    while i < len(text):
        c = text[i]
        if c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
        elif c in '"|;':
            end = text.find("\n" if c == ";" else c, i + 1)
            if end < 0:
                return c == ";" and depth <= 0
            i = end
        i += 1
    return depth <= 0


def run(parser, solver, symbols):
    """Every command that the parser has; whether to go on."""
    while True:
        try:
            command = parser.nextCommand()
            if command.isNull():
                return True
            if command.getCommandName() == "exit":
                return False
            answer = command.invoke(solver, symbols)
        except RuntimeError as error:
            text = str(error).replace('"', '""')
            answer = f'(error "{text}")\n'
            sys.stdout.write(answer)
            sys.stdout.flush()
            return False
        if answer:
            sys.stdout.write(answer)
            sys.stdout.flush()


def main(arguments):
    flags = [a for a in arguments if a.startswith("-") and a != "-"]
    files = [a for a in arguments if not a.startswith("-")]
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    if "--version" in flags or "-V" in flags:
        print(f"This is cvc5 version {solver.getVersion().decode()}")
        return 0
    for flag in flags:
        name, _, value = flag.lstrip("-").partition("=")
        if name in ("i", "incremental"):
            name = "incremental"
        elif name in ("m", "produce-models"):
            name = "produce-models"
        elif name in ("L", "lang", "q", "quiet", "interactive", "no-interactive", "force-logic"):
            continue
        try:
            solver.setOption(name, value or "true")
        except RuntimeError as error:
            print(f"(error \"{error}\")")
            return 1
    symbols = cvc5.SymbolManager(terms)
    parser = cvc5.InputParser(solver, symbols)
    language = cvc5.InputLanguage.SMT_LIB_2_6
    if files:
        parser.setFileInput(language, files[0])
        run(parser, solver, symbols)
        return 0
    pending = ""
    for line in sys.stdin:
        pending += line
        if complete(pending):
            # The declarations are in `symbols`, so each piece may be an input of its own.
            parser.setStringInput(language, pending, "stdin")
            pending = ""
            if not run(parser, solver, symbols):
                break
    return 0


status = main(sys.argv[2:])
sys.stdout.flush()
os._exit(status)
