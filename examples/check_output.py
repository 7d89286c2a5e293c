#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs an example and compares what it prints with the lines after `// Prints` at the end of its source.

  check_output.py SOURCE.cpp PROGRAM

Words must be the same. Numbers may differ by a thousandth, or by one in the last digit; `<1e-9` stands for any number of smaller size,
where nothing but rounding is left.
"""
import re
import subprocess
import sys

TOLERANCE = 1e-3
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def expected_text(source):
    with open(source, encoding="utf-8") as file:
        _, marker, text = file.read().partition("\n// Prints\n")
    if not marker:
        sys.exit(f"{source}: expected its output at its end, after a line `// Prints`")
    return "\n".join(line.removeprefix("//").strip() for line in text.splitlines())


def number(word):
    """The word as a number and what stands around it (`15`, `0.4,`, `x:`): None where there is none."""
    match = NUMBER.search(word)
    if not match or word[: match.start()].strip("<(") or re.search(r"\w", word[match.end():]):
        return None
    return float(match.group()), word[match.end():]


def last_digit(word):
    """What one more in the last digit of `-1.07e-03` makes: 1e-05. None of a whole number's."""
    mantissa, _, exponent = NUMBER.search(word).group().lower().partition("e")
    _, point, decimals = mantissa.partition(".")
    return 10.0 ** (int(exponent or 0) - len(decimals)) if point else 0.0


def agree(expected, found):
    if expected == found:
        return True
    wanted, got = number(expected), number(found)
    if wanted is None or got is None or wanted[1] != got[1]:
        return False
    if expected.startswith("<"):
        return abs(got[0]) < wanted[0]
    return abs(got[0] - wanted[0]) <= max(TOLERANCE * abs(wanted[0]), 1.01 * last_digit(expected))


def main(source, program):
    run = subprocess.run([program], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{program}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
    print(run.stdout, end="")
    expected, found = (text.split() for text in (expected_text(source), run.stdout))
    for wanted, got in zip(expected, found):
        if not agree(wanted, got):
            sys.exit(f"{source}: expected `{wanted}`, found `{got}`")
    if len(expected) != len(found):
        sys.exit(f"{source}: expected {len(expected)} words, found {len(found)}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
