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


class WithCMake(build_ext):
    """One target, for the Python that runs this. LIMBER_BUILD_DIR names a build tree to go on with: that takes seconds."""

    def build_extension(self, extension):
        build = pathlib.Path(os.environ.get("LIMBER_BUILD_DIR", ROOT / "build" / "wheel")).resolve()
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DLIMBER_PRECOMPILE=ON", "-DLIMBER_WITH_PYTHON=ON", f"-DLIMBER_PYTHON_EXECUTABLE={sys.executable}"]
        if "LIMBER_BUILD_DIR" not in os.environ:
            options += ["-DLIMBER_BUILD_TESTS=OFF", "-DLIMBER_BUILD_BENCHMARKS=OFF", "-DLIMBER_WITH_PEERS=OFF"]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "limber_python"], check=True)
        subprocess.run(["cmake", "--install", build, "--component", "python", "--strip", "--prefix", target.parent.parent], check=True)


setup(version=VERSION, ext_modules=[Extension("limber._limber", sources=[])], cmdclass={"build_ext": WithCMake})
