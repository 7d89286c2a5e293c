// SPDX-License-Identifier: BSD-3-Clause
// Where the arm is: the same chain of poses as in the library (docs/dynamics.md), from the coordinates q.
//
//   X_WR = X_WR(parent) * X_RN(eta of the parent) * X_NJ * X_JB(q) * X_BR
//
// The shape is the one that the result holds: a place N of a bent beam sits at p_RN + s u(eta) and is turned by exp(s theta(eta)),
// u and theta being sums of its terms, and s the magnification: with s = 1 this is the arm as it is; with s = 0 its links are
// unbent.

import type {ArmData, LinkData, PlaceData, PoseNumbers} from './data';

export interface Pose {
  p: Float64Array; // x, y, z
  u: Float64Array; // quaternion x, y, z, w
}

export const newPose = (): Pose => ({p: new Float64Array(3), u: new Float64Array([0, 0, 0, 1])});

function poseOf(numbers: PoseNumbers): Pose {
  return {p: Float64Array.from(numbers.slice(0, 3)), u: Float64Array.from(numbers.slice(3))};
}

export function rotate(u: ArrayLike<number>, x: number, y: number, z: number, out: Float64Array | Float32Array, at = 0) {
  const [a, b, c, w] = [u[0], u[1], u[2], u[3]];
  const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
  out[at] = x + w * tx + b * tz - c * ty;
  out[at + 1] = y + w * ty + c * tx - a * tz;
  out[at + 2] = z + w * tz + a * ty - b * tx;
}

function multiply(a: ArrayLike<number>, b: ArrayLike<number>, out: Float64Array) {
  const [ax, ay, az, aw] = [a[0], a[1], a[2], a[3]], [bx, by, bz, bw] = [b[0], b[1], b[2], b[3]];
  out[0] = aw * bx + ax * bw + ay * bz - az * by;
  out[1] = aw * by - ax * bz + ay * bw + az * bx;
  out[2] = aw * bz + ax * by - ay * bx + az * bw;
  out[3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** out = a * b; out may be a or b. */
export function compose(a: Pose, b: Pose, out: Pose) {
  const [x, y, z] = a.p;
  rotate(a.u, b.p[0], b.p[1], b.p[2], out.p);
  out.p[0] += x;
  out.p[1] += y;
  out.p[2] += z;
  multiply(a.u, b.u, out.u);
}

/** The quaternion of a rotation vector. */
function exponential(x: number, y: number, z: number, out: Float64Array) {
  const angle = Math.hypot(x, y, z);
  const share = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  out[0] = share * x;
  out[1] = share * y;
  out[2] = share * z;
  out[3] = Math.cos(angle / 2);
}

const turn = new Float64Array(4);

/** The shortest rotation of the x axis into a direction. */
function fromXTo([x, y, z]: readonly [number, number, number]): Float64Array {
  const size = Math.hypot(x, y, z) || 1, w = size + x;
  if (w < 1e-9 * size) return Float64Array.of(0, 0, 1, 0);
  const norm = Math.hypot(w, y, z);
  return Float64Array.of(0, -z / norm, y / norm, w / norm);
}

/** One link: constants. */
class Link {
  readonly X_NJ: Pose;
  readonly X_BR: Pose;
  readonly places: Pose[];
  readonly points: number;
  /** eta_j or eta_j eta_k of each term. */
  private readonly products: Float64Array;
  /** Sections of a rigid link stand across it, wherever it goes. */
  private readonly across: Float64Array | null;
  private readonly sum = new Float64Array(9);
  /** Of a beam that slides through a guide: what is free of it, against the same at q = 0. */
  private stretch = 1;

  constructor(readonly data: LinkData) {
    this.X_NJ = poseOf(data.X_NJ);
    this.X_BR = poseOf(data.X_BR);
    this.places = data.places.map(poseOf);
    this.points = data.points;
    this.products = new Float64Array(data.terms.length);
    this.across = data.stiffness.length > 0 ? null : fromXTo([data.places[1][0], data.places[1][1], data.places[1][2]]);
  }

  setElastic(q: ArrayLike<number>, offset: number) {
    const first = offset + this.data.elastic.q;
    this.data.terms.forEach(([, j, k], t) => {
      this.products[t] = q[first + j] * (k < 0 ? 1 : q[first + k]);
    });
    const {telescope} = this.data;
    if (!telescope) return;
    this.stretch = 1 + q[offset + telescope.q] / telescope.free_length;
    telescope.powers.forEach((power, t) => {
      this.products[t] *= this.stretch ** -power;
    });
  }

  /** Displacement, rotation vector, curvatures at a place: sums of its terms. */
  private sumAt(i: number): Float64Array {
    const {terms, values} = this.data;
    this.sum.fill(0);
    for (let t = 0; t < terms.length; ++t) this.sum[terms[t][0]] += values[t][i] * this.products[t];
    return this.sum;
  }

  /** Place i in R, displaced s times as far and turned s times as much as it is. */
  placeAt(i: number, s: number, out: Pose) {
    const rest = this.places[i];
    out.p.set(rest.p);
    const {telescope} = this.data;
    if (telescope) out.p[0] = i === 0 ? telescope.free_length * this.stretch - telescope.length : rest.p[0] * this.stretch;
    if (i < this.points && this.across) out.u.set(this.across);
    else out.u.set(rest.u);
    if (this.products.length === 0 || s === 0) return;
    const sum = this.sumAt(i);
    for (let axis = 0; axis < 3; ++axis) out.p[axis] += s * sum[axis];
    exponential(s * sum[3], s * sum[4], s * sum[5], turn);
    multiply(turn, out.u, out.u);
  }

  /** Curvature [1/m] and bending moment [N m] at a point. */
  bendingAt(i: number): {curvature: number; moment: number} {
    if (this.products.length === 0 || this.data.stiffness.length === 0) return {curvature: 0, moment: 0};
    const sum = this.sumAt(i), [EI_y, EI_z] = this.data.stiffness[i];
    return {curvature: Math.hypot(sum[6], sum[7]), moment: Math.hypot(sum[6] * EI_y, sum[7] * EI_z)};
  }
}

/** A configuration of the arm in the world. */
export interface Posture {
  node: Pose[]; // of the parent, on which each link sits
  joint: Pose[]; // J
  body: Pose[]; // B
  root: Pose[]; // R
  stations: Pose[][];
  tip: Pose[];
  eta: Float64Array[]; // elastic coordinates, magnified: of what is drawn vertex by vertex
  endEffector: Pose;
  cylinders: {from: Float64Array; to: Float64Array}[]; // their ends
  /** The places that coincide: where they are, with the axes of what they sit on, and where that is. */
  loops: {a: Pose; b: Pose; onA: Float64Array; onB: Float64Array}[];
}

export class Arm {
  readonly links: Link[];
  private readonly X_NE: Pose;
  private readonly motion = newPose();

  constructor(readonly data: ArmData) {
    this.links = data.links.map((link) => new Link(link));
    this.X_NE = poseOf(data.end_effector.X_NE);
  }

  newPosture(): Posture {
    const poses = () => this.links.map(newPose);
    return {
      node: poses(), joint: poses(), body: poses(), root: poses(), tip: poses(),
      stations: this.links.map((link) => Array.from({length: link.points}, newPose)),
      eta: this.links.map(({data}) => new Float64Array(data.elastic.count)),
      endEffector: newPose(),
      cylinders: (this.data.cylinders ?? []).map(() => ({from: new Float64Array(3), to: new Float64Array(3)})),
      loops: (this.data.loops ?? []).map(() => ({a: newPose(), b: newPose(), onA: new Float64Array(3), onB: new Float64Array(3)})),
    };
  }

  /** Fills `out` for the numbers q[offset ...]. `outline`: stations along the links too, not joints and tip alone. */
  place(q: ArrayLike<number>, offset: number, magnification: number, out: Posture, outline = true) {
    const place = newPose();
    this.links.forEach((link, i) => {
      const {parent, parent_place} = link.data;
      const N = out.node[i];
      if (parent < 0) {
        N.p.fill(0);
        N.u.set([0, 0, 0, 1]);
      } else {
        this.links[parent].placeAt(parent_place, magnification, place);
        compose(out.root[parent], place, N);
      }
      compose(N, link.X_NJ, out.joint[i]);
      this.jointMotion(link.data, q, offset);
      compose(out.joint[i], this.motion, out.body[i]);
      compose(out.body[i], link.X_BR, out.root[i]);
      link.setElastic(q, offset);
      link.placeAt(link.points, magnification, place); // the first node is the tip
      compose(out.root[i], place, out.tip[i]);
      if (!outline) return;
      const {elastic} = link.data;
      for (let k = 0; k < elastic.count; ++k) out.eta[i][k] = magnification * q[offset + elastic.q + k];
      for (let k = 0; k < link.points; ++k) {
        link.placeAt(k, magnification, place);
        compose(out.root[i], place, out.stations[i][k]);
      }
    });
    const {link, place: at} = this.data.end_effector;
    this.links[link].placeAt(at, magnification, place);
    compose(out.root[link], place, out.endEffector);
    compose(out.endEffector, this.X_NE, out.endEffector);
    this.data.cylinders?.forEach(({from, to}, i) => {
      out.cylinders[i].from.set(this.frameAt(from, magnification, out, place).p);
      out.cylinders[i].to.set(this.frameAt(to, magnification, out, place).p);
    });
    this.data.loops?.forEach(({a, b}, i) => {
      const loop = out.loops[i];
      this.frameAt(a, magnification, out, loop.a, loop.onA);
      this.frameAt(b, magnification, out, loop.b, loop.onB);
    });
  }

  /** A place's point, with the axes of what it sits on; `on`: where that is, of the ground the point itself. */
  private frameAt({link, place: at, p}: PlaceData, magnification: number, posture: Posture, out: Pose, on?: Float64Array): Pose {
    const moved = newPose();
    moved.p.set(p);
    out.p.fill(0);
    out.u.set([0, 0, 0, 1]);
    if (link >= 0) {
      this.links[link].placeAt(at, magnification, out);
      compose(posture.root[link], out, out);
    }
    on?.set(link >= 0 ? out.p : p);
    compose(out, moved, out);
    return out;
  }

  /** X_JB: one step after another. */
  private jointMotion({joint}: LinkData, q: ArrayLike<number>, offset: number) {
    const {p, u} = this.motion, moved = new Float64Array(3);
    p.fill(0);
    u.set([0, 0, 0, 1]);
    for (const step of joint.steps) {
      const at = offset + step.q;
      if (step.kind === 'quaternion') {
        setUnit(q, at, turn);
        multiply(u, turn, u);
        continue;
      }
      const [x, y, z] = step.axis;
      if (step.kind === 'turn') {
        exponential(x * q[at], y * q[at], z * q[at], turn);
        multiply(u, turn, u);
      } else {
        rotate(u, x * q[at], y * q[at], z * q[at], moved);
        for (let k = 0; k < 3; ++k) p[k] += moved[k];
      }
    }
  }

  /** q displaced by velocities delta (nv numbers) times `amount`: for modes. */
  displaced(q: ArrayLike<number>, delta: ArrayLike<number>, amount: number, out: Float64Array) {
    for (let i = 0; i < this.data.nq; ++i) out[i] = q[i];
    for (const {data} of this.links) {
      const {joint, elastic} = data;
      if (joint.nq !== joint.nv) {
        // The quaternion stands last; what slides before it has its velocity in body axes.
        const slides = joint.nq - 4, at = joint.q + slides;
        const u = Float64Array.from({length: 4}, (_, k) => q[at + k]);
        if (slides > 0) {
          const moved = new Float64Array(3);
          rotate(u, delta[joint.v] * amount, delta[joint.v + 1] * amount, delta[joint.v + 2] * amount, moved);
          for (let k = 0; k < 3; ++k) out[joint.q + k] += moved[k];
        }
        const w = joint.v + slides;
        exponential(delta[w] * amount, delta[w + 1] * amount, delta[w + 2] * amount, turn);
        multiply(u, turn, u);
        for (let k = 0; k < 4; ++k) out[at + k] = u[k];
      } else {
        for (let k = 0; k < joint.nq; ++k) out[joint.q + k] += amount * delta[joint.v + k];
      }
      for (let k = 0; k < elastic.count; ++k) out[elastic.q + k] += amount * delta[elastic.v + k];
    }
  }
}

// Between two rows a quaternion is not quite unit.
function setUnit(q: ArrayLike<number>, at: number, u: Float64Array) {
  const size = Math.hypot(q[at], q[at + 1], q[at + 2], q[at + 3]) || 1;
  for (let k = 0; k < 4; ++k) u[k] = q[at + k] / size;
}
