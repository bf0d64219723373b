#!/usr/bin/env python3
"""Checks that the library knows nothing of the command line: check_messages.py ROOT

No text in the C++ sources of src/ and include/ may name an option (--budget) or a command (`ampere
profile`): an error carries a Remedy, and apps/ampere/remedies.cpp says which option or command that is.
Prints one line per problem and exits with 1 if there is any. Needs nothing but Python itself.
"""
import pathlib
import re
import sys

LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r"//[^\n]*")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
COMMAND = re.compile(r"`ampere |\bampere (doctor|estimate|evaluate|kernels|measure|models|profile|profiles|prune|run|score|show)\b")
# Options of other programs: how to start a container that may read RAPL, how to get a revision.
FOREIGN = {"--cap-add", "--security-opt", "--all", "--depth", "--full-tree", "--name-only",
           "--unshallow"}


def texts(source):
    """(line number, text) of every string literal; neighbours, which the compiler joins, as one."""
    joined, begin, end = "", 0, None
    for match in re.finditer(rf"{COMMENT.pattern}|{LITERAL.pattern}", source):
        if match.group().startswith("//"):
            continue
        if end is not None and source[end:match.start()].strip() == "":
            joined += match.group()[1:-1]
        else:
            if end is not None:
                yield source.count("\n", 0, begin) + 1, joined
            joined, begin = match.group()[1:-1], match.start()
        end = match.end()
    if end is not None:
        yield source.count("\n", 0, begin) + 1, joined


def faults(text):
    # An argument that is handed to another program is an option and nothing else.
    if not re.fullmatch(r"--[\w-]+", text):
        yield from (option for option in OPTION.findall(text) if option not in FOREIGN)
    if COMMAND.search(text):
        yield COMMAND.search(text).group().strip("`")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    problems = []
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            for number, text in texts(path.read_text(encoding="utf-8")):
                problems += [f"{path.relative_to(root)}:{number}: {fault}: {text}" for fault in faults(text)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
