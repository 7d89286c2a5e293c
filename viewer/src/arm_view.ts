// SPDX-License-Identifier: BSD-3-Clause
// An arm in the scene: links as their own shapes, or as tubes or boxes that follow their stations; joints, payloads.

import * as THREE from 'three';
import type {Arm, Pose, Posture} from './arm';
import {rotate} from './arm';
import {heat, unknownLoad} from './colors';
import type {LinkData} from './data';
import {isBody, ShapeSkin, type Rgb} from './shape_skin';

export type Coloring = 'links' | 'moment' | 'curvature';

/** Corners of a section with half sizes 1, their normals, and which neighbours share a face. */
interface Outline {
  corners: {y: number; z: number; ny: number; nz: number}[];
  faces: [number, number][];
}

function roundOutline(count: number): Outline {
  const corners = Array.from({length: count}, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const y = Math.cos(angle), z = Math.sin(angle);
    return {y, z, ny: y, nz: z};
  });
  return {corners, faces: corners.map((_, i) => [i, (i + 1) % count])};
}

function boxOutline(): Outline {
  const corners: Outline['corners'] = [], faces: Outline['faces'] = [];
  for (const [ny, nz] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) {
    faces.push([corners.length, corners.length + 1]);
    corners.push({y: ny + nz, z: nz - ny, ny, nz}, {y: ny - nz, z: nz + ny, ny, nz});
  }
  return {corners, faces};
}

/** About and along which a joint moves; a joint that can turn every way has none. */
function axesOf({joint}: Arm['links'][number]['data']): number[][] {
  if (joint.nq !== joint.nv) return [];
  const axes = new Map<string, number[]>();
  for (const step of joint.steps) {
    if (step.kind === 'quaternion') continue;
    const length = Math.hypot(...step.axis); // a screw slides by its pitch
    if (length === 0) continue;
    const unit = step.axis.map((x) => x / length);
    axes.set(unit.map((x) => x.toFixed(9)).join(), unit);
  }
  return [...axes.values()];
}

/** One link's skin. */
class Skin {
  readonly mesh: THREE.Mesh;
  private readonly outline: Outline;
  private readonly position: THREE.BufferAttribute;
  private readonly normal: THREE.BufferAttribute;
  private readonly color: THREE.BufferAttribute;

  constructor(private readonly halfSizes: [number, number][], isRound: boolean, material: THREE.Material, private readonly scale: number) {
    this.outline = isRound ? roundOutline(18) : boxOutline();
    const stations = halfSizes.length, corners = this.outline.corners.length;
    const vertices = (stations + 2) * corners; // the last two rings close the ends
    const attribute = () => new THREE.BufferAttribute(new Float32Array(3 * vertices), 3);
    this.position = attribute();
    this.normal = attribute();
    this.color = attribute();
    const indices: number[] = [];
    for (let s = 0; s + 1 < stations; ++s)
      for (const [a, b] of this.outline.faces) {
        const [p, q] = [s * corners + a, s * corners + b];
        indices.push(p, q, p + corners, q, q + corners, p + corners);
      }
    for (let c = 1; c + 1 < corners; ++c) {
      const root = stations * corners, tip = root + corners;
      indices.push(root, root + c + 1, root + c, tip, tip + c, tip + c + 1);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(indices);
    geometry.setAttribute('position', this.position);
    geometry.setAttribute('normal', this.normal);
    geometry.setAttribute('color', this.color);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  update(stations: Pose[], colorAt: (station: number) => [number, number, number]) {
    const last = stations.length - 1;
    for (let s = 0; s <= last; ++s) this.ring(s, stations[s], s, colorAt(s), 0);
    this.ring(last + 1, stations[0], 0, colorAt(0), -1);
    this.ring(last + 2, stations[last], last, colorAt(last), 1);
    for (const attribute of [this.position, this.normal, this.color]) attribute.needsUpdate = true;
  }

  private ring(index: number, pose: Pose, station: number, color: [number, number, number], alongX: number) {
    const {corners} = this.outline;
    const [hy, hz] = this.halfSizes[station];
    const position = this.position.array as Float32Array, normal = this.normal.array as Float32Array;
    const colors = this.color.array as Float32Array;
    corners.forEach((corner, c) => {
      const at = 3 * (index * corners.length + c);
      rotate(pose.u, 0, this.scale * hy * corner.y, this.scale * hz * corner.z, position, at);
      for (let k = 0; k < 3; ++k) position[at + k] += pose.p[k];
      if (alongX === 0) rotate(pose.u, 0, corner.ny, corner.nz, normal, at);
      else rotate(pose.u, alongX, 0, 0, normal, at);
      colors.set(color, at);
    });
  }
}

export interface ArmLook {
  linkColors: THREE.Color[];
  opacity: number;
  scale: number; // of thickness
  bare: boolean; // links alone, as for the ghost
  isOneOfMany?: boolean; // told from other arms by its colour
  behind?: number; // share of the reach by which its shapes give way to those of arms in the same place
}

export class ArmView {
  readonly group = new THREE.Group();
  coloring: Coloring = 'links';
  largest = {moment: 0, curvature: 0};
  /** Bending moments of rigid links at root and tip; beams have theirs from their curvature. null: not known. */
  rigidMoments: ([number, number] | null)[] = [];
  private readonly skins: Skin[];
  /** Links that have shapes of their own, which are drawn in place of skin, joint and connectors. */
  private readonly shapes: (ShapeSkin | null)[];
  private readonly around: ShapeSkin | null = null;
  private areShapesShown = true;
  private readonly joints: (THREE.Object3D | null)[] = [];
  private readonly axes: THREE.Object3D[][] = [];
  private readonly connectors: THREE.Mesh[][] = [];
  private readonly payloads: (THREE.Mesh | null)[] = [];
  /** Barrel and rod of each cylinder. */
  private readonly cylinders: [THREE.Mesh, THREE.Mesh][] = [];
  /** Of each loop the joint that closes it, and arms to it from what its two places sit on. */
  private readonly closures: {joint: THREE.Object3D | null; arms: [THREE.Mesh, THREE.Mesh, THREE.Mesh]}[] = [];
  private readonly tool: THREE.Group | null = null;
  private readonly neutral: THREE.MeshStandardMaterial;
  private readonly axisMaterial: THREE.LineBasicMaterial;

  constructor(private readonly arm: Arm, private look: ArmLook) {
    const isClear = look.opacity < 1;
    const common = {transparent: isClear, opacity: look.opacity, depthWrite: !isClear};
    const material = new THREE.MeshStandardMaterial({...common, vertexColors: true, roughness: 0.5, metalness: 0.05});
    this.neutral = new THREE.MeshStandardMaterial({...common, color: 0x8b95a3, roughness: 0.6});
    this.axisMaterial = new THREE.LineBasicMaterial({color: 0x8b95a3});
    this.skins = arm.links.map(({data}) => new Skin(data.half_sizes, data.is_round, material, look.scale));
    for (const skin of this.skins) this.group.add(skin.mesh);
    // Meshes are seen from both sides: files turn some of theirs inside out. Of a ghost the far side is drawn, which shows where it is beside
    // the arm and nowhere in the arm's own surface.
    const surface = material.clone();
    surface.side = look.bare ? THREE.BackSide : THREE.DoubleSide;
    if (look.bare) surface.opacity = Math.min(2 * look.opacity, 1);
    if (look.behind) standBehind(surface, look.behind * arm.data.reach);
    this.shapes = arm.data.links.map((link) => (link.visuals.length > 0 ? new ShapeSkin(link.visuals, link, surface) : null));
    for (const shape of this.shapes) if (shape) this.group.add(shape.mesh);
    if (!look.bare && arm.data.visuals.length > 0) {
      this.around = new ShapeSkin(arm.data.visuals, null, surface);
      this.group.add(this.around.mesh);
    }
    for (const {data} of arm.links) this.addParts(data);
    for (const _ of arm.data.cylinders ?? []) this.cylinders.push([this.makeConnector(), this.makeConnector()]);
    for (const loop of arm.data.loops ?? []) {
      const joint = look.bare ? null : this.makeClosure(loop);
      if (joint) this.group.add(joint);
      this.closures.push({joint, arms: [this.makeConnector(), this.makeConnector(), this.makeConnector()]});
    }
    if (!look.bare) this.group.add((this.tool = this.makeTool()));
  }

  /** A pin, a ball, a block where nothing is free, and a sleeve on its line. */
  private makeClosure({type, axis, a, b}: NonNullable<Arm['data']['loops']>[number]): THREE.Object3D {
    const size = this.closureSize([a.link, b.link]);
    if (type === 'spherical') return new THREE.Mesh(new THREE.SphereGeometry(1.7 * size, 24, 16), this.neutral);
    if (type === 'fixed') return new THREE.Mesh(new THREE.BoxGeometry(2.6 * size, 2.6 * size, 2.6 * size), this.neutral);
    const [radius, length] = type === 'revolute' ? [1.5 * size, 3.2 * size] : [0.5 * size, 12 * size];
    const drum = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 28), this.neutral);
    drum.quaternion.setFromUnitVectors(up, new THREE.Vector3(...axis));
    const holder = new THREE.Group();
    holder.add(drum);
    return holder;
  }

  /** No thicker than the thinner one of the links that it joins. */
  private closureSize(links: number[]): number {
    const halves = links.filter((link) => link >= 0).map((link) => this.look.scale * Math.max(...this.arm.links[link].data.half_sizes[0]));
    return Math.min(0.01 * this.arm.data.reach, ...halves);
  }

  /** The joint stands at a. Arms go to both places from what they sit on, and from a to b where these are apart: on a line, or of magnified links. */
  private updateClosures(posture: Posture) {
    posture.loops.forEach(({a, b, onA, onB}, i) => {
      const loop = this.arm.data.loops![i], thin = 0.4 * this.closureSize([loop.a.link, loop.b.link]);
      const {joint, arms} = this.closures[i];
      if (joint) placeObject(joint, a);
      placeBetween(arms[0], onA, a.p, thin);
      placeBetween(arms[1], onB, b.p, thin);
      placeBetween(arms[2], a.p, b.p, 0.6 * thin);
    });
  }

  private addParts(data: Arm['links'][number]['data']) {
    const {reach} = this.arm.data;
    const half = Math.max(...data.half_sizes[0]) * this.look.scale;
    this.connectors.push([this.makeConnector(), this.makeConnector()]);
    if (this.look.bare) {
      this.joints.push(null);
      this.axes.push([]);
      this.payloads.push(null);
      return;
    }
    const [root, tip] = [data.places[0], data.places[data.points - 1]];
    const length = Math.hypot(tip[0] - root[0], tip[1] - root[1], tip[2] - root[2]);
    const size = Math.max(half, length > 0 ? Math.min(0.006 * reach, 0.15 * length) : 0.006 * reach);
    const joint = this.makeJoint(data.joint, axesOf(data), size);
    if (joint) this.group.add(joint);
    this.joints.push(joint);
    this.axes.push(axesOf(data).map((axis) => this.makeAxis(axis, Math.max(5 * size, Math.min(0.045 * reach, length > 0 ? length : reach)))));
    this.payloads.push(data.payload ? this.makePayload(data.payload.mass) : null);
  }

  private makeConnector(): THREE.Mesh {
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 12), this.neutral);
    mesh.visible = false;
    this.group.add(mesh);
    return mesh;
  }

  /** A thick barrel over a little more than half of it, and the rod. */
  private updateCylinders(posture: Posture) {
    const thick = 0.009 * this.arm.data.reach;
    posture.cylinders.forEach(({from, to}, i) => {
      const [barrel, rod] = this.cylinders[i], half = from.map((x, k) => x + 0.55 * (to[k] - x));
      placeBetween(barrel, from, half, thick);
      placeBetween(rod, half, to, 0.55 * thick);
    });
  }

  private makeJoint({steps}: LinkData['joint'], axes: number[][], size: number): THREE.Object3D | null {
    if (steps.length === 0) return null;
    if (steps.every(({kind}) => kind === 'slide')) return new THREE.Mesh(new THREE.BoxGeometry(2.6 * size, 2.6 * size, 2.6 * size), this.neutral);
    if (axes.length !== 1) return new THREE.Mesh(new THREE.SphereGeometry(1.7 * size, 24, 16), this.neutral);
    const drum = new THREE.Mesh(new THREE.CylinderGeometry(1.5 * size, 1.5 * size, 3.2 * size, 28), this.neutral);
    drum.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...(axes[0] as [number, number, number])));
    const holder = new THREE.Group();
    holder.add(drum);
    return holder;
  }

  private makeAxis(axis: number[], length: number): THREE.Object3D {
    const end = new THREE.Vector3(...(axis as [number, number, number])).multiplyScalar(length);
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([end.clone().negate(), end]), this.axisMaterial);
    this.group.add(line);
    return line;
  }

  private makePayload(mass: number): THREE.Mesh {
    // Volume in proportion to mass; the heaviest is as large as can be without hiding the arm.
    const heaviest = Math.max(...this.arm.data.links.map((link) => link.payload?.mass ?? 0));
    const radius = this.arm.data.reach * Math.max(0.01, 0.026 * Math.cbrt(mass / heaviest));
    const ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 28, 18),
      new THREE.MeshStandardMaterial({color: 0xc9952b, roughness: 0.35, metalness: 0.3, transparent: true, opacity: 0.9 * this.look.opacity}));
    this.group.add(ball);
    return ball;
  }

  /** The end effector's frame: x red, y green, z blue. */
  private makeTool(): THREE.Group {
    const tool = new THREE.Group();
    const length = 0.05 * this.arm.data.reach;
    [0xd9483b, 0x3da35d, 0x3b7dd9].forEach((color, axis) => {
      const end = new THREE.Vector3().setComponent(axis, length);
      tool.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), end]), new THREE.LineBasicMaterial({color})));
    });
    return tool;
  }

  /** Shapes of links, or what they are computed of. */
  showShapes(areShown: boolean) {
    this.areShapesShown = areShown;
    if (this.around) this.around.mesh.visible = areShown;
  }

  private hasShape(link: number): boolean {
    return this.areShapesShown && (link < 0 ? this.arm.data.visuals.length > 0 : this.shapes[link] !== null);
  }

  /** Where corner i of a link's shapes is in the world, and where in R at rest. */
  corner(link: number, i: number): {at: number[]; rest: number[]} | null {
    const shape = this.shapes[link];
    shape?.mesh.updateMatrixWorld();
    return shape && {at: shape.place(i).applyMatrix4(shape.mesh.matrixWorld).toArray(), rest: shape.restOf(i)};
  }

  /** Places that must be seen for all of the shapes to be. */
  extent(posture: Posture): THREE.Vector3[] {
    const still: Pose = {p: new Float64Array(3), u: Float64Array.of(0, 0, 0, 1)};
    return [...this.shapes.flatMap((shape, i) => shape?.extent(posture.root[i]) ?? []), ...(this.around?.extent(still) ?? [])];
  }

  showAxes(isShown: boolean) {
    for (const line of this.axes.flat()) line.visible = isShown;
  }

  setLinkColors(colors: THREE.Color[]) {
    this.look = {...this.look, linkColors: colors};
  }

  /** Bending moment [N m] or curvature [1/m]; linear along a rigid link. null: not known. */
  private loadAt(link: number, station: number, kind: 'moment' | 'curvature'): number | null {
    const {data, points} = this.arm.links[link];
    if (isBody(data)) return null;
    if (data.elastic.count > 0 || kind === 'curvature') return this.arm.links[link].bendingAt(station)[kind];
    const ends = this.rigidMoments[link];
    const share = station / (points - 1);
    return ends ? (1 - share) * ends[0] + share * ends[1] : null;
  }

  update(posture: Posture) {
    this.arm.links.forEach((link, i) => {
      const plain = this.look.linkColors[i % this.look.linkColors.length];
      const plainColor: [number, number, number] = [plain.r, plain.g, plain.b];
      const kind = this.coloring;
      const largest = kind === 'links' ? 0 : this.largest[kind];
      const srgb = new THREE.Color();
      const isLoad = kind !== 'links' && !this.look.bare;
      const colorAt = (station: number): Rgb => {
        if (kind === 'links' || this.look.bare) return plainColor;
        const load = this.loadAt(i, station, kind);
        const [r, g, b] = load === null ? unknownLoad : heat(largest > 0 ? load / largest : 0);
        srgb.setRGB(r, g, b, THREE.SRGBColorSpace);
        return [srgb.r, srgb.g, srgb.b];
      };
      const shape = this.shapes[i], joint = this.joints[i], isShaped = this.hasShape(i);
      if (shape) shape.mesh.visible = isShaped;
      this.skins[i].mesh.visible = !isShaped;
      // Shapes have the colours of their authors, unless one colour tells this arm from others, or the ghost from the arm.
      if (shape && isShaped)
        shape.update(posture.root[i], posture.stations[i], posture.eta[i], posture.stations[i].map((_, k) => colorAt(k)), isLoad || this.look.bare || this.look.isOneOfMany === true);
      else this.skins[i].update(posture.stations[i], colorAt);
      if (joint) {
        joint.visible = !isShaped;
        placeObject(joint, posture.body[i]);
      }
      for (const line of this.axes[i]) placeObject(line, posture.joint[i]);
      const thin = 0.6 * Math.max(...link.data.half_sizes[0]) * this.look.scale;
      // What flies freely hangs on nothing.
      const held = link.data.joint.type === 'free' ? posture.joint[i] : posture.body[i];
      placeBetween(this.connectors[i][0], posture.node[i].p, held.p, thin);
      placeBetween(this.connectors[i][1], posture.body[i].p, posture.root[i].p, thin);
      if (isShaped || this.hasShape(link.data.parent)) this.connectors[i][0].visible = false;
      if (isShaped) this.connectors[i][1].visible = false;
      const payload = this.payloads[i], com = link.data.payload?.com;
      if (payload && com) {
        placeObject(payload, posture.tip[i]);
        payload.translateX(com[0]).translateY(com[1]).translateZ(com[2]);
      }
    });
    this.updateCylinders(posture);
    this.updateClosures(posture);
    if (this.tool) placeObject(this.tool, posture.endEffector);
    this.around?.paint([groundColor, groundColor], false);
  }
}

/** Solid, and hidden by whatever is less than so far behind it: surfaces of several arms that nearly coincide show the first one's. */
function standBehind(material: THREE.MeshStandardMaterial, distance: number) {
  Object.assign(material, {transparent: false, opacity: 1, depthWrite: true});
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', `#include <project_vertex>
      vec4 behind = projectionMatrix * vec4(mvPosition.xy, mvPosition.z - ${distance.toExponential(6)}, 1.0);
      gl_Position.z = behind.z / behind.w * gl_Position.w;`);
  };
  material.customProgramCacheKey = () => `behind ${distance}`;
}

const groundColor: Rgb = [0.25, 0.28, 0.32];

export function placeObject(object: THREE.Object3D, pose: Pose) {
  object.position.set(pose.p[0], pose.p[1], pose.p[2]);
  object.quaternion.set(pose.u[0], pose.u[1], pose.u[2], pose.u[3]);
}

const up = new THREE.Vector3(0, 1, 0);

/** A unit cylinder from a to b; hidden where they meet. */
function placeBetween(mesh: THREE.Mesh, a: Float64Array, b: Float64Array, radius: number) {
  const way = new THREE.Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  const length = way.length();
  mesh.visible = length > 0.5 * radius;
  if (!mesh.visible) return;
  mesh.position.set((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
  mesh.scale.set(radius, length, radius);
  mesh.quaternion.setFromUnitVectors(up, way.divideScalar(length));
}
