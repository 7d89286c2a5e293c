#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_reference.py DOXYGEN DOXYFILE SOURCE REFERENCE: makes the API reference, which fails for what is not documented, and looks whether every
type of the public headers is in it: what Doxygen cannot read it leaves out without a word."""

import pathlib
import re
import subprocess
import sys

doxygen, doxyfile, source, reference = sys.argv[1:]
if subprocess.run([doxygen, doxyfile], check=False).returncode != 0:
    sys.exit("check_reference: document what is named above, with /// before it or ///< behind it")

headers = [path for path in pathlib.Path(source, "include", "limber").rglob("*.hpp")
           if "detail" not in path.parts and not re.search(r"(_fields|/field_\w+|/variant_block|/choices)\.hpp$", str(path))]
INNER = re.compile(r"^namespace detail \{$.*?^\}  // namespace detail$", re.MULTILINE | re.DOTALL)
types = {name for path in headers
         for name in re.findall(r"^(?:struct|class) (\w+)[^;<]*\{", INNER.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)}
listed = pathlib.Path(reference, "annotated.html").read_text(encoding="utf-8")
missing = sorted(name for name in types if f">{name}</a>" not in listed)
if missing:
    sys.exit("check_reference: not in the reference: " + ", ".join(missing) + " (does docs/reference_filter.py damage their headers?)")
print(f"{len(types)} types in {len(headers)} headers, all in the reference")
