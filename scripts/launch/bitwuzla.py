"""The command `bitwuzla` on top of PyPI's module, which comes without the program.

usage: bitwuzla.py MODULE_FOLDER [bitwuzla's options] [FILE]

Without FILE the input is read from stdin, command by command as it arrives, so that a client can talk to it over a
pipe. The module's own parser runs the script and prints the answers.
"""

import os
import sys

sys.path.insert(0, sys.argv[1])
import bitwuzla  # noqa: E402


def main(arguments):
    if "--version" in arguments:
        print(bitwuzla.version())
        return 0
    # The parser's own word for it: any other name, /dev/stdin too, is read ahead of the commands.
    source = "<stdin>"
    if arguments and not arguments[-1].startswith("-") and not is_number(arguments[-1]):
        source = arguments.pop()
    if source != "<stdin>" and not os.path.exists(source):
        return report(f"cannot open '{source}'")
    options = bitwuzla.Options()
    try:
        options.set_args(*[a for a in arguments if a not in OWN])
        bitwuzla.Parser(bitwuzla.TermManager(), options).parse(source, False, True)
    except bitwuzla.BitwuzlaException as error:
        return report(error)
    return 0


# Flags of the program, not of the library, that change nothing here.
OWN = ("-", "--lang=smt2", "--lang", "smt2")


def is_number(text):
    """The value of the option before it, not the name of a file."""
    return text.isdigit() and not os.path.exists(text)


def report(message):
    """As SMT-LIB wants it: on stdout, quotes doubled."""
    text = str(message).replace('"', '""')
    print(f'(error "{text}")', flush=True)
    return 1


status = main(sys.argv[2:])
sys.stdout.flush()
# The module's destructors take longer than a small query.
os._exit(status)
