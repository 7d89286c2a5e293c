# SPDX-License-Identifier: BSD-3-Clause
"""`pip wheel .` and `pip install`, without a network, into a Python of its own. The build tree of these tests is gone on with: CMake has nothing left to compile."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import SOURCE

import limber

if any(importlib.util.find_spec(module) is None for module in ("pip", "setuptools", "wheel", "venv")):
    pytest.skip("no pip, setuptools, wheel or venv", allow_module_level=True)

PROGRAM = """
import pathlib, sys
import limber
arm = limber.load({"limber": 1, "name": "boom", "links": [{"name": "boom", "joint": {"name": "shoulder"}, "rigid": {"mass": 2, "inertia": [1, 1, 1, 0, 0, 0], "tip": {"xyz": [1, 0, 0]}}}]})
run = limber.simulate({"model": arm, "duration": 0.1})
print(pathlib.Path(limber.__file__).is_relative_to(sys.prefix), limber.__version__, arm.nv, run.status)
"""


def test_a_wheel_is_built_and_imported_where_nothing_else_is(tmp_path):
    tree = pathlib.Path(limber._limber.__file__).resolve().parents[2]  # build/release
    if not (tree / "CMakeCache.txt").exists():
        pytest.skip("limber does not stand in a build tree")
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
    environment.update(LIMBER_BUILD_DIR=str(tree), PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")

    def call(*command):
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=environment, cwd=tmp_path)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    call(sys.executable, "-m", "pip", "wheel", SOURCE, "--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path)
    wheel, = tmp_path.glob("limber-*.whl")
    call(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    call(python, "-m", "pip", "install", "--no-deps", wheel)
    assert call(python, "-c", PROGRAM).split() == ["True", limber.__version__, "1", "complete"]
    listed = call(python, "-m", "pip", "show", "--files", "limber")
    assert "limber/_limber.pyi" in listed and "limber/py.typed" in listed and "egg-info" not in listed
