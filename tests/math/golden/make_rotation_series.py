#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes rotation_series.csv: the small-angle quotients from 120-digit arithmetic (mpmath).

s = x^2 is rounded to a double first, and the quotients are those of that double, so that the table asks for what
the functions can give. Run it only to extend the table: the tests read the stored file.
"""
from mpmath import cos, cot, mp, mpf, nstr, sin, sqrt

mp.dps = 120  # the closed forms cancel up to 16 * 5 digits at x = 1e-8

def c1(s): return sin(sqrt(s)) / sqrt(s)
def c2(s): return (1 - cos(sqrt(s))) / s
def c3(s): return (sqrt(s) - sin(sqrt(s))) / sqrt(s) ** 3
def g(s): return (1 - sqrt(s) / 2 * cot(sqrt(s) / 2)) / s
def dc1(s): x = sqrt(s); return (x * cos(x) - sin(x)) / (2 * x**3)
def dc2(s): x = sqrt(s); return (x * sin(x) - 2 * (1 - cos(x))) / (2 * x**4)
def dc3(s): x = sqrt(s); return (3 * sin(x) - 2 * x - x * cos(x)) / (2 * x**5)
def dg(s):
    x = sqrt(s)
    return (x**2 / (4 * sin(x / 2) ** 2) + x / 2 * cot(x / 2) - 2) / (2 * s**2)

angles = [mpf(10) ** (-k / mpf(4)) for k in range(0, 37)] + [mpf(k) / 20 for k in range(21, 63)]
angles += [mpf("1.5811"), mpf("1.5812"), mpf("2.4494"), mpf("2.4495"), mpf("3.13"), mpf("3.14"), mpf("3.1415"),
           mpf("3.141592"), mpf("3.15"), mpf("3.5"), mpf("4")]
with open("rotation_series.csv", "w") as out:
    out.write("# s,c1,c2,c3,g,dc1,dc2,dc3,dg: see make_rotation_series.py\n")
    for x in sorted(angles):
        s = mpf(float(x * x))
        out.write(",".join([float(s).hex()] + [nstr(f(s), 20) for f in (c1, c2, c3, g, dc1, dc2, dc3, dg)]) + "\n")
