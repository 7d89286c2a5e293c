#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Root loci of an arm under u = -k (y + T y'), side by side for several outputs y, as SVG (docs/control.md, c).

    ./run linearize models/lab_link/lab_link.yaml --outputs hub,end_effector.y --json > build/linear.json
    scripts/root_locus.py build/linear.json -o docs/control-root-locus.svg --outputs hub,end_effector.y --derivative 0.1

With y = c x of x' = A x + b u, where b moves y by accelerations alone (c b = 0), y' = c A x: the closed loop has the poles of
A - k b (c + T c A).
"""
import argparse
import json

import numpy as np


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model")
    options.add_argument("-o", "--output", required=True)
    options.add_argument("--outputs", required=True)
    options.add_argument("--derivative", type=float, default=0.0, help="T [s]")
    options.add_argument("--gains", default="0.01:1e3")
    options.add_argument("--window", type=float, default=60.0, help="largest |re| that is shown [1/s]; im up to three times that")
    args = options.parse_args()
    with open(args.model) as file:
        model = json.load(file)
    A, B, C = (np.array(model[key], dtype=float) for key in "ABC")
    b = B[:, [0]]
    low, high = (float(x) for x in args.gains.split(":"))
    gains = np.geomspace(low, high, 400)
    names, W, top = args.outputs.split(","), args.window, 3.0 * args.window
    width, height, gap = 340, 380, 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(names) * (width + gap) + 20} {height + 80}" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for panel, name in enumerate(names):
        left = 50 + panel * (width + gap)
        x = lambda re: left + (re + W) / (2 * W) * width
        y = lambda im: 30 + (top - im) / top * height
        out += [f'<rect x="{x(0)}" y="30" width="{width / 2}" height="{height}" fill="#fbe9e7"/>',
                f'<rect x="{left}" y="30" width="{width}" height="{height}" fill="none" stroke="#555"/>',
                f'<line x1="{x(0)}" y1="30" x2="{x(0)}" y2="{30 + height}" stroke="#555"/>',
                f'<text x="{left}" y="20">u = -k (y + {args.derivative:g} y\'), y = {name}</text>',
                f'<text x="{x(0)}" y="{64 + height}" text-anchor="middle">Re s [1/s] (up: Im s [rad/s])</text>']
        out += [f'<text x="{x(t)}" y="{46 + height}" text-anchor="middle">{t:g}</text>' for t in (-W, -W / 2, 0, W / 2, W)]
        out += [f'<text x="{left - 6}" y="{y(t) + 4}" text-anchor="end">{t:g}</text>' for t in (0, W, 2 * W, top)]
        c = C[[model["outputs"].index(name)], :]
        feedback = c + args.derivative * c @ A
        unstable = None
        for k in gains:
            poles = np.linalg.eigvals(A - k * b @ feedback)
            if unstable is None and poles.real.max() > 1e-9:
                unstable = k
            out += [f'<circle cx="{x(s.real):.1f}" cy="{y(s.imag):.1f}" r="0.9" fill="#1565c0"/>'
                    for s in poles if abs(s.real) <= W and 0 <= s.imag <= top]
        out += [f'<path d="M{x(s.real) - 5:.1f} {y(s.imag) - 5:.1f} l10 10 m0 -10 l-10 10" stroke="#c62828" stroke-width="2"/>'
                for s in np.linalg.eigvals(A) if abs(s.real) <= W and 0 <= s.imag <= top]
        print(f"{name}: " + ("stable for all gains that are shown" if unstable is None else f"unstable from k = {unstable:.3g} on"))
    out.append("</svg>")
    with open(args.output, "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
