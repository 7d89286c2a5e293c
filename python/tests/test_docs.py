# SPDX-License-Identifier: BSD-3-Clause
import os
import re

from conftest import SOURCE


def test_the_blocks_of_the_page_run(tmp_path, monkeypatch):
    page = (SOURCE / "docs" / "python.md").read_text()
    os.symlink(SOURCE / "models", tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(blocks) == 13
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
