// SPDX-License-Identifier: BSD-3-Clause
// A link drawn by its own shapes. Those of a rigid link stand in its root frame R. On a link that bends a vertex p goes with the
// section at x = p_x, kept between 0 and the beam's length:
//
//   p' = c(x) + R(x) (p - [x, 0, 0])                                                                         (1)
//
// with c and R the bent axis and the turn of its sections, linear between the stations of the link. Triangles are cut where stations
// are, so that a box of twelve of them bends, too. The skin of a body of finite elements has its own modes: p' = p + modes eta in R.

import * as THREE from 'three';
import {toCreasedNormals} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import {rotate, type Pose} from './arm';
import type {LinkData, VisualData} from './data';

const crease = 0.6; // rad between two faces: above, there is an edge
const mostTriangles = 60000; // of a link, once it is cut

/** A body of finite elements: it deforms, and has no axis. */
export const isBody = (link: LinkData) => link.elastic.count > 0 && link.stiffness.length === 0;

/** Corners of triangles, one after the other: position and normal, six numbers each. */
type Corners = number[];

function cornersOf({vertices, triangles}: VisualData): Corners {
  const plain = new THREE.BufferGeometry();
  plain.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(vertices), 3));
  plain.setIndex(triangles);
  const creased = toCreasedNormals(plain, crease);
  const p = creased.attributes.position.array, n = creased.attributes.normal.array;
  const corners: Corners = [];
  for (let i = 0; i < p.length; i += 3) corners.push(p[i], p[i + 1], p[i + 2], n[i], n[i + 1], n[i + 2]);
  plain.dispose();
  return corners;
}

/** The polygon's part on one side of the plane x: side 1 above it, -1 below. */
function clipped(polygon: number[][], x: number, side: number): number[][] {
  const kept: number[][] = [];
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    const da = side * (a[0] - x), db = side * (b[0] - x);
    if (da >= 0) kept.push(a);
    if (da * db < 0) {
      const share = da / (da - db);
      kept.push(a.map((value, k) => (1 - share) * value + share * b[k]));
    }
  });
  return kept;
}

/** The same surface with no triangle on both sides of a plane; planes ascend. */
function cut(corners: Corners, planes: number[]): Corners {
  const result: Corners = [];
  const emit = (polygon: number[][]) => {
    for (let k = 1; k + 1 < polygon.length; ++k) result.push(...polygon[0], ...polygon[k], ...polygon[k + 1]);
  };
  for (let t = 0; t < corners.length; t += 18) {
    let rest = [0, 6, 12].map((at) => corners.slice(t + at, t + at + 6));
    const low = Math.min(rest[0][0], rest[1][0], rest[2][0]), high = Math.max(rest[0][0], rest[1][0], rest[2][0]);
    for (const x of planes) {
      if (x <= low || x >= high) continue;
      emit(clipped(rest, x, -1));
      rest = clipped(rest, x, 1);
    }
    emit(rest);
  }
  return result;
}

/** Rotation matrix of a unit quaternion, by rows. */
function matrixOf(u: Float64Array, out: Float64Array, at: number) {
  const column = new Float64Array(3);
  for (let k = 0; k < 3; ++k) {
    rotate(u, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, column);
    for (let i = 0; i < 3; ++i) out[at + 3 * i + k] = column[i];
  }
}

export type Rgb = [number, number, number];

export class ShapeSkin {
  readonly mesh: THREE.Mesh;
  /** Of all corners at rest, in R. */
  readonly box = new THREE.Box3();
  private readonly corners: Corners = [];
  /** The colour that each corner's shape has; null: the link's. */
  private readonly own: (Rgb | null)[] = [];
  private readonly bends: boolean;
  /** Corners from `first` on move with modes of their vertices. */
  private readonly moving: {first: number; vertices: number[]; modes: number[][]}[] = [];
  /** The station before each corner, and how far it is from there to the next. */
  private readonly station: Uint16Array;
  private readonly share: Float32Array;
  private readonly x: number[];

  constructor(visuals: VisualData[], link: LinkData | null, material: THREE.Material) {
    this.bends = link !== null && link.elastic.count > 0 && !isBody(link);
    this.x = link ? link.places.slice(0, link.points).map(([x]) => x) : [0, 0];
    for (const visual of visuals) {
      let corners = cornersOf(visual);
      if (this.bends && corners.length < 18 * mostTriangles) corners = cut(corners, this.x);
      if (visual.modes) this.moving.push({first: this.own.length, vertices: visual.triangles, modes: visual.modes});
      const color = visual.color && new THREE.Color().setRGB(...visual.color, THREE.SRGBColorSpace);
      for (let i = 0; i < corners.length; ++i) this.corners.push(corners[i]);
      for (let i = 0; i < corners.length; i += 6) this.own.push(color ? [color.r, color.g, color.b] : null);
    }
    const count = this.own.length, geometry = new THREE.BufferGeometry();
    this.station = new Uint16Array(count);
    this.share = new Float32Array(count);
    for (const name of ['position', 'normal', 'color']) geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * count), 3));
    const position = geometry.attributes.position.array, normal = geometry.attributes.normal.array;
    for (let i = 0; i < count; ++i) {
      for (let k = 0; k < 3; ++k) {
        position[3 * i + k] = this.corners[6 * i + k];
        normal[3 * i + k] = this.corners[6 * i + 3 + k];
      }
      this.box.expandByPoint(new THREE.Vector3(position[3 * i], position[3 * i + 1], position[3 * i + 2]));
      this.findStation(i, link);
    }
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  /** Where along the link a corner is: on a beam by its x, on a rigid link by its way from root to tip. */
  private findStation(i: number, link: LinkData | null) {
    const [x, y, z] = this.corners.slice(6 * i, 6 * i + 3), last = this.x.length - 1;
    if (!this.bends) {
      const [tx, ty, tz] = link ? link.places[1] : [0, 0, 0], length = tx * tx + ty * ty + tz * tz;
      this.share[i] = length > 0 ? Math.min(Math.max((x * tx + y * ty + z * tz) / length, 0), 1) : 0;
      return;
    }
    let k = 0;
    while (k + 2 <= last && this.x[k + 1] <= x) ++k;
    this.station[i] = k;
    this.share[i] = Math.min(Math.max((x - this.x[k]) / (this.x[k + 1] - this.x[k]), 0), 1);
  }

  /** `colors`: of the stations, or of shapes that have none of their own where `isLoad` is false. */
  update(root: Pose, stations: Pose[], eta: Float64Array, colors: Rgb[], isLoad: boolean) {
    if (this.bends) this.bend(stations);
    else {
      this.mesh.position.set(root.p[0], root.p[1], root.p[2]);
      this.mesh.quaternion.set(root.u[0], root.u[1], root.u[2], root.u[3]);
      if (this.moving.length > 0) this.move(eta);
    }
    this.paint(colors, isLoad);
  }

  paint(colors: Rgb[], isLoad: boolean) {
    const attribute = this.mesh.geometry.attributes.color, color = attribute.array;
    for (let i = 0; i < this.own.length; ++i) {
      const own = isLoad ? null : this.own[i], k = this.station[i], f = this.share[i];
      for (let c = 0; c < 3; ++c) color[3 * i + c] = own ? own[c] : (1 - f) * colors[k][c] + f * colors[Math.min(k + 1, colors.length - 1)][c];
    }
    attribute.needsUpdate = true;
  }

  private move(eta: Float64Array) {
    const {position} = this.mesh.geometry.attributes, p = position.array;
    for (const {first, vertices, modes} of this.moving)
      vertices.forEach((vertex, i) => {
        for (let k = 0; k < 3; ++k) {
          let x = this.corners[6 * (first + i) + k];
          for (let j = 0; j < modes.length; ++j) x += modes[j][3 * vertex + k] * eta[j];
          p[3 * (first + i) + k] = x;
        }
      });
    position.needsUpdate = true;
  }

  // (1)
  private bend(stations: Pose[]) {
    const R = new Float64Array(9 * stations.length), B = new Float64Array(9);
    stations.forEach(({u}, k) => matrixOf(u, R, 9 * k));
    const {position, normal} = this.mesh.geometry.attributes, p = position.array, n = normal.array;
    for (let i = 0; i < this.own.length; ++i) {
      const k = this.station[i], f = this.share[i], g = 1 - f, at = 6 * i;
      for (let m = 0; m < 9; ++m) B[m] = g * R[9 * k + m] + f * R[9 * k + 9 + m];
      const a = stations[k].p, b = stations[k + 1].p;
      const x = this.corners[at] - (g * this.x[k] + f * this.x[k + 1]), y = this.corners[at + 1], z = this.corners[at + 2];
      const nx = this.corners[at + 3], ny = this.corners[at + 4], nz = this.corners[at + 5];
      for (let r = 0; r < 3; ++r) {
        p[3 * i + r] = g * a[r] + f * b[r] + B[3 * r] * x + B[3 * r + 1] * y + B[3 * r + 2] * z;
        n[3 * i + r] = B[3 * r] * nx + B[3 * r + 1] * ny + B[3 * r + 2] * nz;
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
  }

  place(i: number): THREE.Vector3 {
    return new THREE.Vector3().fromBufferAttribute(this.mesh.geometry.attributes.position, i);
  }
  restOf(i: number): number[] {
    return this.corners.slice(6 * i, 6 * i + 3);
  }
  get count(): number {
    return this.own.length;
  }

  /** Corners of the box around it, in the world. */
  extent(root: Pose): THREE.Vector3[] {
    const u = new THREE.Quaternion(root.u[0], root.u[1], root.u[2], root.u[3]);
    return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
      const {min, max} = this.box;
      return new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).applyQuaternion(u)
        .add(new THREE.Vector3(root.p[0], root.p[1], root.p[2]));
    });
  }
}
