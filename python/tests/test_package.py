# SPDX-License-Identifier: BSD-3-Clause
import inspect
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import SOURCE

import limber


def test_everything_public_is_documented():
    silent = []
    for name in limber.__all__:
        value = getattr(limber, name)
        if callable(value) and not (value.__doc__ or "").strip():
            silent.append(name)
        for member, item in inspect.getmembers(value) if inspect.isclass(value) else ():
            is_ours = not member.startswith("_") and member in vars(value)
            text = inspect.getdoc(item) or ""
            text = text.split("\n\n", 1)[-1] if text.startswith(f"{member}(") else text
            if is_ours and item is not None and not isinstance(item, (str, float)) and not text.strip():
                silent.append(f"{name}.{member}")
    assert silent == []


def test_docstrings_are_the_headers_text():
    header = (SOURCE / "include" / "limber" / "algorithms" / "forward_dynamics.hpp").read_text()
    assert "Prescribed joints (Workspace::prescribe) keep" in limber.forward_dynamics.__doc__
    assert "Prescribed joints (Workspace::prescribe) keep" in " ".join(header.replace("///", " ").split())


def test_all_names_are_there():
    modules = {path.stem for path in (SOURCE / "python" / "limber").glob("*.py")}
    public = {name for name in vars(limber) if not name.startswith("_") and name not in modules}
    assert public == set(limber.__all__) - {"__version__"}


def test_stubs_are_what_the_module_says():
    stub = SOURCE / "python" / "limber" / "_limber.pyi"
    subprocess.run([sys.executable, SOURCE / "python" / "tools" / "write_stubs.py", "--check", stub], check=True)


def test_types_are_right(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text("import limber\narm = limber.load('boom.yaml')\nn: int = arm.nv\nM = limber.mass_matrix(arm, arm.neutral())\n"
                       "run = limber.simulate('slew.yaml')\nlast: float = run.time[-1]\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", tmp_path / "cache",
                           "--strict", "--allow-untyped-calls", SOURCE / "python" / "limber", program],
                          capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(SOURCE / "python")})
    assert done.returncode == 0, done.stdout + done.stderr
    program.write_text("import limber\nlimber.load('boom.yaml').nv = 'many'\n")
    wrong = subprocess.run([sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", tmp_path / "cache",
                            program], capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(SOURCE / "python")})
    assert wrong.returncode == 1 and "read-only" in wrong.stdout


def test_the_version_is_the_projects():
    assert f"VERSION {limber.__version__} " in (SOURCE / "CMakeLists.txt").read_text()


def test_nothing_is_had_half_made():
    made = 0
    for name in dir(limber._limber):
        kind = getattr(limber._limber, name)
        if not inspect.isclass(kind) or issubclass(kind, Exception):
            continue
        try:
            half = kind.__new__(kind, 1)
        except TypeError as error:
            assert "it cannot be made by hand" in str(error)
            continue
        made += 1
        for attribute in dir(kind):
            if isinstance(getattr(kind, attribute), property):
                with pytest.raises(TypeError, match="never made"):
                    getattr(half, attribute)
    assert made > 3
    half = limber.Evaluation.__new__(limber.Evaluation)
    with pytest.raises(TypeError, match="never made"):
        half.acceleration()
    with pytest.raises((TypeError, RuntimeError)):
        limber.Evaluation(limber.Model.__new__(limber.Model))
    with pytest.raises(TypeError, match="what limber's functions give"):
        limber.Modes()
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        limber.Evaluation()
