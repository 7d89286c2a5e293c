# SPDX-License-Identifier: BSD-3-Clause
"""Builds the compiled module with CMake for `pip install .`; everything else stands in pyproject.toml."""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(limber VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
BUILD = ROOT / "build" / "wheel"


def is_for_this_python(tree):
    """Whether a build tree already builds the package for the Python that runs this."""
    interpreter = tree / "python" / "interpreter"
    return interpreter.exists() and os.path.realpath(interpreter.read_text().strip()) == os.path.realpath(sys.executable)


class WithCMake(build_ext):
    """One target, for the Python that runs this. LIMBER_BUILD_DIR names a build tree to go on with, as build/release: that takes seconds."""

    def build_extension(self, extension):
        tree = pathlib.Path(os.environ.get("LIMBER_BUILD_DIR", BUILD / "tree")).resolve()
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        if not is_for_this_python(tree):
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DLIMBER_PRECOMPILE=ON", "-DLIMBER_WITH_PYTHON=ON", "-DLIMBER_BUILD_TESTS=OFF",
                       "-DLIMBER_BUILD_BENCHMARKS=OFF", "-DLIMBER_WITH_PEERS=OFF", f"-DLIMBER_PYTHON_EXECUTABLE={sys.executable}"]
            subprocess.run(["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", *options], check=True)
        subprocess.run(["cmake", "--build", tree, "--target", "limber_python"], check=True)
        subprocess.run(["cmake", "--install", tree, "--component", "python", "--strip", "--prefix", target.parent.parent], check=True)


# What setuptools writes besides stands in the build folder as well: nothing of it lies among the sources.
(BUILD / "setuptools").mkdir(parents=True, exist_ok=True)
folders = {"build": {"build_base": "build/wheel/setuptools"}, "egg_info": {"egg_base": "build/wheel/setuptools"}}
setup(version=VERSION, ext_modules=[Extension("limber._limber", sources=[])], cmdclass={"build_ext": WithCMake}, options=folders)
