#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What Doxygen reads in place of a header (docs/Doxyfile.in), line by line the same:

* kinds of trajectories, actuations and integrators say what they are in `type` and `meaning`: that is their documentation;
* the derivation at the top of a header is the documentation of the header;
* a comment behind several members of one declaration is that of each of them.
"""

import re
import sys

KIND = re.compile(r'(struct \w+ \{)(\s*static constexpr const char\* type = "[^"]*";)'
                  r'(\s*static constexpr const char\* meaning =\s*((?:"[^"]*"\s*)+);)')
TOP = re.compile(r"(#pragma once\n)\n((?://.*\n)+\n|)")
DECLARATION = re.compile(r'^( +)(\w[^;()/"\n]*); +///< (.*)$', re.MULTILINE)


def describe_kind(match):
    meaning = " ".join("".join(re.findall(r'"([^"]*)"', match[4])).split())
    return f'/** {meaning} */ {match[1]}{match[2]}  ///< its word in files{match[3]}  ///< its documentation'


def describe_file(match):
    lines = [line[3:] for line in match[2].splitlines()]
    if not lines:
        return f"{match[1]}/** \\file {name} */\n"
    first_paragraph = " ".join(lines).split("  ")[0].strip()
    brief = re.split(r"(?<=[.:])\s", first_paragraph)[0].rstrip(":")
    return "\n".join([match[1] + f"/** \\file {name} \\brief {brief} \\details \\verbatim", *lines[:-1], "\\endverbatim */", ""])


def split_at_commas(text):
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<({[") - (letter in ">)}]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def describe_each(match):
    indent, declaration, comment = match.groups()
    first, *others = split_at_commas(declaration)
    head = re.match(r"(.*[ >&*])\w+(?:$| =|\[|\{)", first)
    if not others or head is None:
        return match[0]
    members = [first] + [head[1].rstrip() + " " + other.strip() for other in others]
    return indent + " ".join(f"{member}; /**< {comment} */" for member in members)


name = sys.argv[1].split("/include/")[-1]
text = open(sys.argv[1], encoding="utf-8").read()
text = TOP.sub(describe_file, text, count=1)
print(DECLARATION.sub(describe_each, KIND.sub(describe_kind, text)), end="")
