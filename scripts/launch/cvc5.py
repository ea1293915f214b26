"""The command `cvc5` on top of PyPI's module, for distributions that package no cvc5.

usage: cvc5.py MODULE_FOLDER [cvc5's options] [FILE]

Without FILE the input is read from stdin, command by command as it arrives, so that a client can talk to it over a
pipe.
"""

import os
import re
import sys

sys.path.insert(0, sys.argv[1])
import cvc5  # noqa: E402


# What a bracket may hide in (strings, quoted symbols, comments; the last of each unfinished), and brackets.
TOKEN = re.compile(r'"[^"]*("|$)|\|[^|]*(\||$)|;[^\n]*(\n|$)|[()]')


def split(text):
    """The commands that are whole, one string each, and the rest."""
    commands, depth, begin = [], 0, 0
    for token in TOKEN.finditer(text):
        if token.group() == "(":
            depth += 1
        elif token.group() == ")":
            depth -= 1
            if depth <= 0:
                commands.append(text[begin : token.end()])
                depth, begin = 0, token.end()
    return commands, text[begin:]


class Session:
    """A solver and its parser; `(reset)` replaces both."""

    def __init__(self, flags):
        self.flags = flags
        self.start()

    def start(self):
        terms = cvc5.TermManager()
        self.solver = cvc5.Solver(terms)
        self.symbols = cvc5.SymbolManager(terms)
        self.parser = cvc5.InputParser(self.solver, self.symbols)
        for name, value in self.flags:
            self.solver.setOption(name, value)

    def run(self, text):
        """One command; False after exit or an error, where cvc5 stops too."""
        # What was declared is in `symbols`, so each command may be an input of its own.
        self.parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "input")
        command = self.parser.nextCommand()
        if command.isNull():
            return True
        name = command.getCommandName()
        if name == "exit":
            return False
        if name == "reset":
            self.start()
            return True
        answer = command.invoke(self.solver, self.symbols)
        sys.stdout.write(answer)
        sys.stdout.flush()
        return not answer.startswith("(error")


def options(arguments):
    """The flags that are options of the library, as (name, value)."""
    names = {"i": "incremental", "m": "produce-models"}
    own = ("L", "lang", "q", "quiet", "interactive", "no-interactive")
    flags = []
    for argument in arguments:
        name, _, value = argument.lstrip("-").partition("=")
        name = names.get(name, name)
        if name not in own:
            flags.append((name, value or "true"))
    return flags


def main(arguments):
    flags = [a for a in arguments if a.startswith("-") and a != "-"]
    files = [a for a in arguments if not a.startswith("-")]
    if "--version" in flags or "-V" in flags:
        print(f"This is cvc5 version {cvc5.Solver(cvc5.TermManager()).getVersion().decode()}")
        return 0
    session = Session(options(flags))
    pending = ""
    with open(files[0], encoding="utf-8") if files else sys.stdin as source:
        for line in source:
            commands, pending = split(pending + line)
            if not all(session.run(command) for command in commands):
                return 0
    session.run(pending)
    return 0


try:
    status = main(sys.argv[2:])
except (RuntimeError, OSError) as error:
    text = str(error).replace('"', '""')
    print(f'(error "{text}")')
    status = 1
sys.stdout.flush()
# The module's destructors take longer than a small query.
os._exit(status)
