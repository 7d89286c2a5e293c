#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the text of files into Markdown pages, so that nothing is typed twice.

  include_examples.py [--check] PAGE.md...

A line `<!-- examples/NAME -->` in a page is followed by a fenced block: its content becomes that of the file. --check changes nothing, and
fails where a page and a file differ.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LANGUAGES = {".cpp": "cpp", ".yaml": "yaml", ".txt": "cmake"}
BLOCK = re.compile(r"^<!-- (examples/\S+) -->\n(?:```.*?^```\n)?", re.MULTILINE | re.DOTALL)


def included(page):
    def block(match):
        file = ROOT / match.group(1)
        if not file.is_file():
            sys.exit(f"{page}: expected a file {match.group(1)}, found none")
        text = file.read_text(encoding="utf-8").rstrip("\n")
        return f"<!-- {match.group(1)} -->\n```{LANGUAGES.get(file.suffix, '')}\n{text}\n```\n"

    return BLOCK.sub(block, page.read_text(encoding="utf-8"))


def main(arguments):
    check = "--check" in arguments
    pages = [pathlib.Path(name) for name in arguments if name != "--check"]
    if not pages:
        sys.exit(__doc__)
    for page in pages:
        text = included(page)
        if "<!-- examples/" not in text:
            sys.exit(f"{page}: expected a line `<!-- examples/NAME -->`, found none")
        if text == page.read_text(encoding="utf-8"):
            continue
        if check:
            sys.exit(f"{page} differs from examples/: run scripts/include_examples.py {page}")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
