#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A one-link flexible arm fitted to a real measurement in the frequency domain, beside an ARX model of the same order (docs/measurements.md).

    ./run python scripts/fit_flexible_arm.py daisy_robot_arm.csv        (or any Python with numpy; --limber PROGRAM)

The file: set 96-009 of DaISy (KU Leuven), "data from a flexible robot arm": reaction torque and acceleration, 1024 samples of a periodic sine sweep; sampling time and
units are not published. Frequencies are therefore in radians per sample, and the torque's unit is part of a gain.

Physical model: hub (inertia J), uniform beam (mass 1, length 1, EI), payload m at its tip, one damping ratio, an accelerometer at x, a gain; optionally an elastic drive between motor (inertia J_r)
and hub (stiffness k). Matrices of the beam are Limber's; in them all of these numbers are factors.
    M(J, m) q'' + C q' + K(EI, k) q = b torque,    acceleration = gain c(x)^T q''
Fitted by Gauss-Newton's method with Marquardt's damping to |Y - G U|^2, from several starts."""

import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODES = 4
BEAM = f"""limber: 1
gravity: [0, 0, 0]
kinematics: first
links:
  - name: arm
    joint: {{name: hub, type: revolute, axis: [0, 0, 1]}}
    beam:
      length: 1
      section: {{EI_y: 1, EI_z: 1, GJ: 1, EA: 1, mass_per_length: 1}}
      modes: {{y: {{shape: craig-bampton, count: {MODES}}}}}
end_effector: {{link: arm, at: AT}}
"""
PLACES = np.linspace(0.0, 1.0, 11)


def beam_matrices(program):
    """Mass and stiffness of a unit beam on a pin, and the rows that give the velocity across it at PLACES."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        model, state = pathlib.Path(folder, "arm.yaml"), pathlib.Path(folder, "state.json")
        state.write_text("{}")
        for place in PLACES:
            model.write_text(BEAM.replace("AT", repr(float(place))))
            text = subprocess.run([program, "eval", str(model), "--state", str(state), "--json"], check=True, capture_output=True, text=True).stdout
            everything = json.loads(text)
            rows.append(everything["jacobian"][1])
    return np.array(everything["mass_matrix"]), np.array(everything["stiffness"]), np.array(rows)


class Arm:
    """Frequency response by parameters; all positive ones by their logarithms."""

    def __init__(self, matrices, has_drive):
        self.beam_mass, self.beam_stiffness, self.rows = matrices
        self.has_drive = has_drive
        self.names = ["EI", "J_hub", "m_tip", "x", "damping", "gain"] + (["k_drive", "J_motor"] if has_drive else [])

    def unpack(self, p):
        values = np.exp(p)
        values[3] = 1.0 / (1.0 + np.exp(-p[3]))
        values[5] = p[5]
        return dict(zip(self.names, values))

    def matrices(self, p):
        v = self.unpack(p)
        n, extra = len(self.beam_mass), int(self.has_drive)
        M, K = np.zeros((n + extra,) * 2), np.zeros((n + extra,) * 2)
        tip = self.rows[-1]
        M[:n, :n] = self.beam_mass + v["m_tip"] * np.outer(tip, tip)
        M[0, 0] += v["J_hub"]
        K[:n, :n] = v["EI"] * self.beam_stiffness
        b = np.zeros(n + extra)
        b[-1 if extra else 0] = 1.0
        if extra:
            M[n, n] = v["J_motor"]
            K[np.ix_([0, n], [0, n])] += v["k_drive"] * np.array([[1.0, -1.0], [-1.0, 1.0]])
        c = np.zeros(n + extra)
        for j in range(n):
            c[j] = np.interp(v["x"], PLACES, self.rows[:, j])
        return M, K, b, v["gain"] * c, v["damping"]

    def modes(self, p):
        M, K, b, c, damping = self.matrices(p)
        L = np.linalg.cholesky(M)
        Li = np.linalg.inv(L)
        squares, V = np.linalg.eigh(Li @ K @ Li.T)
        shapes = Li.T @ V
        return np.sqrt(np.maximum(squares, 0.0)), shapes.T @ b, shapes.T @ c, damping

    def response(self, p, w):
        poles, into, out, damping = self.modes(p)
        s2 = -w[:, None] ** 2
        return (s2 / (s2 + 2j * damping * poles * w[:, None] + poles**2) * (into * out)).sum(axis=1)


def fit_arm(arm, w, U, Y, starts):
    def residual(p):
        left = arm.response(p, w) * U - Y
        return np.r_[left.real, left.imag]

    best = None
    for p in starts:
        r, lam = residual(p), 1e-2
        for _ in range(200):
            J = np.array([(residual(p + 1e-6 * e) - residual(p - 1e-6 * e)) / 2e-6 for e in np.eye(len(p))]).T
            H = J.T @ J
            for _ in range(12):
                step = np.linalg.solve(H + lam * np.diag(np.diag(H) + 1e-12 * np.trace(H)), -J.T @ r)
                trial = residual(p + np.clip(step, -1.0, 1.0))
                if np.isfinite(trial).all() and trial @ trial < r @ r:
                    break
                lam *= 4.0
            else:
                break
            gain = 1.0 - (trial @ trial) / (r @ r)
            p, r, lam = p + np.clip(step, -1.0, 1.0), trial, lam / 6.0
            if gain < 1e-9:
                break
        if best is None or r @ r < best[1]:
            best = (p, r @ r)
    return best[0]


def fit_arx(order, w, U, Y):
    """A(z) Y = B(z) U at the lines w, by linear least squares."""
    z = np.exp(-1j * np.outer(w, np.arange(order + 1)))
    Phi = np.hstack([-z[:, 1:] * Y[:, None], z * U[:, None]])
    theta = np.linalg.lstsq(np.vstack([Phi.real, Phi.imag]), np.r_[Y.real, Y.imag], rcond=None)[0]
    a, b = np.r_[1.0, theta[:order]], theta[order:]

    def response(at):
        z_at = np.exp(-1j * np.outer(at, np.arange(order + 1)))
        return (z_at @ b) / (z_at @ a)

    return response


def percent(G, U, Y):
    return 100.0 * (1.0 - np.linalg.norm(Y - G * U) / np.linalg.norm(Y))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--limber", default=shutil.which("limber") or str(ROOT / "run"), help="the program (default: that of PATH, else ./run)")
    options = parser.parse_args()
    data = np.genfromtxt(options.file, delimiter=",", names=True)
    U, Y = np.fft.rfft(data["torque"]), np.fft.rfft(data["acceleration"])
    lines = np.flatnonzero(np.abs(U) > 0.02 * np.abs(U).max())
    lines = lines[lines > 0]
    odd = np.sum(np.abs(U[1::2]) ** 2) / np.sum(np.abs(U[1:]) ** 2)
    print(f"{len(data)} samples, {len(lines)} lines above 2 % of the largest, up to {2 * np.pi * lines[-1] / len(data):.3f} rad/sample; "
          f"{100 * odd:.2f} % of the torque's power is in odd lines")
    w = 2.0 * np.pi * lines / len(data)
    fitted, checked = np.arange(len(lines)) % 2 == 0, np.arange(len(lines)) % 2 == 1
    U, Y = U[lines], Y[lines]
    matrices = beam_matrices(options.limber)
    rng = np.random.default_rng(1)
    for has_drive in (False, True):
        arm = Arm(matrices, has_drive)
        starts = []
        for _ in range(30):
            p = np.r_[np.log(10 ** rng.uniform(-4, -1)), np.log(10 ** rng.uniform(-3, 0.5)), np.log(10 ** rng.uniform(-2, 0.5)), rng.uniform(-1, 3),
                      np.log(0.01), -0.05]
            if has_drive:
                p = np.r_[p, np.log(10 ** rng.uniform(-3, 0)), np.log(10 ** rng.uniform(-2, 0.5))]
            starts.append(p)
        p = fit_arm(arm, w[fitted], U[fitted], Y[fitted], starts)
        values = arm.unpack(p)
        poles = arm.modes(p)[0]
        order = 2 * len(poles)
        print(f"\none link{', elastic drive' if has_drive else ''}: {len(p)} parameters, order {order}")
        print("  " + ", ".join(f"{name} {value:.4g}" for name, value in values.items()))
        print("  resonances [rad/sample] " + ", ".join(f"{pole:.4f}" for pole in poles if 1e-6 < pole < 3.2))
        G = arm.response(p, w)
        print(f"  fit {percent(G[fitted], U[fitted], Y[fitted]):.1f} %, validation {percent(G[checked], U[checked], Y[checked]):.1f} %")
        for of in (6, order):
            G = fit_arx(of, w[fitted], U[fitted], Y[fitted])(w)
            print(f"  ARX of order {of} ({2 * of + 1} parameters): fit {percent(G[fitted], U[fitted], Y[fitted]):.1f} %, "
                  f"validation {percent(G[checked], U[checked], Y[checked]):.1f} %")


if __name__ == "__main__":
    main()
