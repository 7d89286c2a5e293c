// Where the arm is: the same chain of poses as in the library (docs/dynamics.md), from the coordinates q.
//
//   X_WR = X_WR(parent) * X_RN(eta of the parent) * X_NJ * X_JB(q) * X_BR
//
// A node N of a bent beam sits at r0 + s u(eta) and is turned by exp(s theta(eta)), s being the magnification: with
// s = 1 this is the arm as it is; with s = 0 its links are unbent.

import {floats, type ArmData, type LinkData, type PoseNumbers} from './data';

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
  readonly nodes: Pose[];
  readonly stations: number;
  readonly columns: number;
  private readonly position: Float32Array | null;
  private readonly rotation: Float32Array | null;
  private readonly strain: Float32Array | null;
  private readonly stiffness: Float32Array | null;
  private readonly products: Float64Array;
  /** Sections of a rigid link stand across it, wherever it goes. */
  private readonly across: Float64Array | null;

  constructor(readonly data: LinkData, secondOrder: boolean) {
    this.X_NJ = poseOf(data.X_NJ);
    this.X_BR = poseOf(data.X_BR);
    this.nodes = data.nodes.map(poseOf);
    this.stations = data.shape.stations;
    const m = data.elastic.count;
    this.columns = secondOrder ? m + (m * (m + 1)) / 2 : m;
    const matrix = (text?: string) => (text && m > 0 ? floats(text) : null);
    this.position = matrix(data.shape.position);
    this.rotation = matrix(data.shape.rotation);
    this.strain = matrix(data.shape.strain);
    this.stiffness = matrix(data.shape.stiffness);
    this.products = new Float64Array(this.columns);
    this.across = data.shape.position ? null : fromXTo(data.shape.rest[1]);
  }

  /** eta_1 .. eta_m, then eta_j eta_k with k <= j. */
  setElastic(q: ArrayLike<number>, offset: number) {
    const {q: first, count: m} = this.data.elastic;
    for (let j = 0; j < m; ++j) this.products[j] = q[offset + first + j];
    if (this.columns === m) return;
    for (let j = 0, at = m; j < m; ++j)
      for (let k = 0; k <= j; ++k) this.products[at++] = this.products[j] * this.products[k];
  }

  /** Station or node i in R, displaced s times as far and turned s times as much as it is. */
  placeAt(i: number, s: number, out: Pose) {
    const rest = this.data.shape.rest[i];
    out.p.set(rest);
    out.u[0] = out.u[1] = out.u[2] = 0;
    out.u[3] = 1;
    if (this.position && this.rotation && s !== 0) {
      const theta = [0, 0, 0];
      for (let axis = 0; axis < 3; ++axis) {
        const row = (3 * i + axis) * this.columns;
        let displacement = 0, turn = 0;
        for (let c = 0; c < this.columns; ++c) {
          displacement += this.position[row + c] * this.products[c];
          turn += this.rotation[row + c] * this.products[c];
        }
        out.p[axis] += s * displacement;
        theta[axis] = s * turn;
      }
      exponential(theta[0], theta[1], theta[2], out.u);
    }
    const node = i - this.stations;
    if (node >= 0) multiply(out.u, this.nodes[node].u, out.u);
    else if (this.across) out.u.set(this.across);
  }

  /** Curvature [1/m] and bending moment [N m] at a station. */
  bendingAt(i: number): {curvature: number; moment: number} {
    if (!this.strain || !this.stiffness) return {curvature: 0, moment: 0};
    const m = this.data.elastic.count, kappa = [0, 0];
    for (let axis = 0; axis < 2; ++axis)
      for (let j = 0; j < m; ++j) kappa[axis] += this.strain[(3 * i + axis) * m + j] * this.products[j];
    return {
      curvature: Math.hypot(kappa[0], kappa[1]),
      moment: Math.hypot(kappa[0] * this.stiffness[3 * i], kappa[1] * this.stiffness[3 * i + 1]),
    };
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
  endEffector: Pose;
}

export class Arm {
  readonly links: Link[];
  private readonly X_EE: Pose;
  private readonly motion = newPose();
  private readonly turn = new Float64Array(4);

  constructor(readonly data: ArmData) {
    this.links = data.links.map((link) => new Link(link, data.second_order));
    this.X_EE = poseOf(data.end_effector.pose);
  }

  newPosture(): Posture {
    const poses = () => this.links.map(newPose);
    return {
      node: poses(), joint: poses(), body: poses(), root: poses(), tip: poses(),
      stations: this.links.map((link) => Array.from({length: link.stations}, newPose)),
      endEffector: newPose(),
    };
  }

  /** Fills `out` for the numbers q[offset ...]. `outline`: stations along the links too, not joints and tip alone. */
  place(q: ArrayLike<number>, offset: number, magnification: number, out: Posture, outline = true) {
    const place = newPose();
    this.links.forEach((link, i) => {
      const {parent, parent_node} = link.data;
      const N = out.node[i];
      if (parent < 0) {
        N.p.fill(0);
        N.u.set([0, 0, 0, 1]);
      } else {
        const on = this.links[parent];
        on.placeAt(on.stations + parent_node, magnification, place);
        compose(out.root[parent], place, N);
      }
      compose(N, link.X_NJ, out.joint[i]);
      this.jointMotion(link.data, q, offset);
      compose(out.joint[i], this.motion, out.body[i]);
      compose(out.body[i], link.X_BR, out.root[i]);
      link.setElastic(q, offset);
      link.placeAt(link.stations, magnification, place); // the first node is the tip
      compose(out.root[i], place, out.tip[i]);
      if (!outline) return;
      for (let k = 0; k < link.stations; ++k) {
        link.placeAt(k, magnification, place);
        compose(out.root[i], place, out.stations[i][k]);
      }
    });
    const {link, node} = this.data.end_effector;
    const on = this.links[link];
    on.placeAt(on.stations + node, magnification, place);
    compose(out.root[link], place, out.endEffector);
    compose(out.endEffector, this.X_EE, out.endEffector);
  }

  /** X_JB. */
  private jointMotion({joint}: LinkData, q: ArrayLike<number>, offset: number) {
    const {p, u} = this.motion;
    p.fill(0);
    u.set([0, 0, 0, 1]);
    const at = offset + joint.q;
    const [a, b] = joint.axes;
    switch (joint.type) {
      case 'revolute':
        exponential(a[0] * q[at], a[1] * q[at], a[2] * q[at], u);
        break;
      case 'prismatic':
        p.set([a[0] * q[at], a[1] * q[at], a[2] * q[at]]);
        break;
      case 'universal':
        exponential(a[0] * q[at], a[1] * q[at], a[2] * q[at], u);
        exponential(b[0] * q[at + 1], b[1] * q[at + 1], b[2] * q[at + 1], this.turn);
        multiply(u, this.turn, u);
        break;
      case 'spherical':
        setUnit(q, at, u);
        break;
      case 'free':
        p.set([q[at], q[at + 1], q[at + 2]]);
        setUnit(q, at + 3, u);
        break;
    }
  }

  /** q displaced by velocities delta (nv numbers) times `amount`: for modes. */
  displaced(q: ArrayLike<number>, delta: ArrayLike<number>, amount: number, out: Float64Array) {
    for (let i = 0; i < this.data.nq; ++i) out[i] = q[i];
    for (const {data} of this.links) {
      const {joint, elastic} = data;
      if (joint.type === 'spherical' || joint.type === 'free') {
        const free = joint.type === 'free' ? 3 : 0;
        const u = Float64Array.from({length: 4}, (_, k) => q[joint.q + free + k]);
        if (free > 0) {
          const moved = new Float64Array(3);
          rotate(u, delta[joint.v] * amount, delta[joint.v + 1] * amount, delta[joint.v + 2] * amount, moved);
          for (let k = 0; k < 3; ++k) out[joint.q + k] += moved[k];
        }
        const w = joint.v + free;
        exponential(delta[w] * amount, delta[w + 1] * amount, delta[w + 2] * amount, this.turn);
        multiply(u, this.turn, u);
        for (let k = 0; k < 4; ++k) out[joint.q + free + k] = u[k];
      } else {
        const count = joint.type === 'universal' ? 2 : joint.type === 'fixed' ? 0 : 1;
        for (let k = 0; k < count; ++k) out[joint.q + k] += amount * delta[joint.v + k];
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
