#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the documentation of the C++ headers as constants for the binding: doc::forward_dynamics, doc::Model, doc::NaturalModes_shapes.

    extract_docs.py INCLUDE_DIR OUTPUT.hpp

So every docstring is the header's own text. A symbol that is gone no longer compiles. Of overloads the first one speaks,
and those for many arms (batch.hpp) last."""

import pathlib
import re
import sys

OPENING = re.compile(r"^(?:template\s*<[^>]*>\s*)?(?:enum\s+)?(?:class|struct|union)\s+(?:alignas\([^)]*\)\s*)?(\w+)(?!.*;)")
FUNCTION = re.compile(r"([A-Za-z_]\w*)\s*\(")
MEMBER = re.compile(r"(\w+)\s*(?:=|;|\{|,|$)")


def without_strings(line):
    return re.sub(r'"(?:\\.|[^"\\])*"', '""', line)


def name_of(declaration):
    """The name that a declaration introduces; None where it has none of its own."""
    opened = OPENING.match(declaration)
    if opened:
        return opened.group(1)
    text = re.sub(r"^template\s*<.*?>\s*(?=\w)", "", declaration)
    if text.startswith(("using", "#", "namespace", "public", "private", "friend", "static_assert", "return")) or "operator" in text:
        return None
    head = re.split(r"[={;]", text)[0]
    function = FUNCTION.search(head)
    if function:
        return function.group(1)
    head = text.split("=")[0].split("{")[0].split(";")[0].strip()
    words = re.findall(r"\w+", head.split(",")[0])
    return words[-1] if len(words) > 1 else None


class Header:
    """Reads a header line by line; `found` maps names (of members: Class_member) to texts."""

    def __init__(self, found):
        self.found = found
        self.scopes = []  # (name, depth of its body)
        self.depth = 0
        self.text, self.trailing = [], None
        self.declaration = ""

    def qualified(self, name):
        inside = [scope for scope, _ in self.scopes if scope]
        return "_".join(inside + [name])

    def keep(self, name, words):
        text = " ".join(words).strip()
        if name and text:
            self.found.setdefault(self.qualified(name), text)

    def line(self, line):
        stripped = line.strip()
        if stripped.startswith("///<"):
            if self.trailing:
                key = self.qualified(self.trailing)
                self.found[key] = f"{self.found.get(key, '')} {stripped[4:].strip()}".strip()
            return
        if stripped.startswith("///@"):
            self.text = []
            return
        if stripped.startswith("///"):
            self.text.append(stripped[3:].strip())
            return
        if stripped.startswith(("//", "#")) or not stripped:
            if not stripped:
                self.text = []
            return
        if stripped in ("public:", "private:", "protected:"):
            return
        code, _, comment = stripped.partition("///<")
        code = without_strings(code.split(" // ")[0]).strip()
        self.declaration = f"{self.declaration} {code}".strip()
        ends = code.endswith((";", "{", "}", ",")) and not (code.endswith(",") and "(" in self.declaration) or "{" in code
        if comment or ends or (self.scopes and code.endswith(",")):
            self.declared(comment)
        self.braces(code)

    def declared(self, comment):
        name = name_of(self.declaration)
        opened = OPENING.match(self.declaration)
        if name:
            self.keep(name, self.text)
        if comment:
            self.trailing = name
            self.keep(name, [comment])
        else:
            self.trailing = None
        self.opening = opened.group(1) if opened and "{" in self.declaration else None
        self.text, self.declaration = [], ""

    def braces(self, code):
        for character in code:
            if character == "{":
                self.scopes.append((getattr(self, "opening", None), self.depth))
                self.opening = None
                self.depth += 1
            elif character == "}":
                self.depth -= 1
                while self.scopes and self.scopes[-1][1] >= self.depth:
                    self.scopes.pop()


def extract(folder):
    found = {}
    for path in sorted(folder.rglob("*.hpp"), key=lambda path: (path.name == "batch.hpp", path)):
        if "detail" in path.parts or "math" in path.parts:
            continue
        header = Header(found)
        for line in path.read_text().splitlines():
            header.line(line)
    return found


def written(found):
    lines = ["// Written by python/tools/extract_docs.py from the headers: not to be edited.", "#pragma once", "",
             "namespace limber::python::doc {", ""]
    for name, text in sorted(found.items()):
        if re.fullmatch(r"[A-Za-z_]\w*", name):
            quoted = text.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'inline constexpr const char* {name} = "{quoted}";')
    return "\n".join(lines + ["", "}  // namespace limber::python::doc", ""])


def main():
    folder, output = map(pathlib.Path, sys.argv[1:])
    text = written(extract(folder))
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main()
