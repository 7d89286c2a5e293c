// SPDX-License-Identifier: BSD-3-Clause
// The stage: camera, light, ground, gravity, and what all pages with an arm share.

import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {css} from './dom';

export type View = 'fit' | 'front' | 'side' | 'top';

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  private readonly up: THREE.Vector3;
  private ground: THREE.Object3D | null = null;
  private isBaseShown = true;
  private isDirty = true;
  private readonly box = new THREE.Box3();
  private places: THREE.Vector3[] = []; // all of them should be seen
  /** Called before each picture; true: the next one will differ too. */
  beforeFrame: (seconds: number) => boolean = () => false;
  private lastTime = 0;

  constructor(private readonly holder: HTMLElement, private readonly gravity: THREE.Vector3, private readonly reach: number, label: string) {
    this.renderer = new THREE.WebGLRenderer({antialias: true, preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    const canvas = this.renderer.domElement;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', label);
    canvas.tabIndex = 0;
    holder.prepend(canvas);
    this.up = gravity.lengthSq() > 0 ? gravity.clone().normalize().negate() : new THREE.Vector3(0, 0, 1);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.touch());
    const sky = new THREE.HemisphereLight(0xffffff, 0x8c93a0, 1.9);
    sky.position.copy(this.up);
    const sun = new THREE.DirectionalLight(0xffffff, 2.1);
    sun.position.copy(this.up).multiplyScalar(2).add(new THREE.Vector3(1, -1.4, 0.4));
    this.scene.add(sky, sun);
    new ResizeObserver(() => this.resize()).observe(holder);
    requestAnimationFrame((now) => this.frame(now));
  }

  /** Something changed: draw once more. */
  touch() {
    this.isDirty = true;
  }

  private frame(now: number) {
    const seconds = Math.min((now - this.lastTime) / 1000, 0.25);
    this.lastTime = now;
    if (this.beforeFrame(seconds)) this.isDirty = true;
    if (this.isDirty) this.render();
    requestAnimationFrame((next) => this.frame(next));
  }

  /** Draws at once. */
  render() {
    this.isDirty = false;
    this.renderer.render(this.scene, this.camera);
  }

  private resize() {
    const {clientWidth: width, clientHeight: height} = this.holder;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    const wasNarrow = this.camera.aspect;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (Math.abs(Math.log(this.camera.aspect / wasNarrow)) > 0.2 && !this.box.isEmpty()) this.look('fit');
    this.touch();
  }

  /** Ground, base and gravity around all places that the arm passes. */
  furnish(places: THREE.Vector3[]) {
    this.places = places;
    const box = this.box.setFromPoints(places);
    if (this.ground) this.scene.remove(this.ground);
    const group = new THREE.Group();
    const toUp = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up);
    const low = places.reduce((least, place) => Math.min(least, place.dot(this.up)), 0);
    const level = Math.min(0, low) - (this.isBaseShown ? 0.06 * this.reach : 0); // a base of the arm's own stands on the ground
    const extent = 2.2 * Math.max(...box.getSize(new THREE.Vector3()).toArray(), this.reach);
    const step = roundStep(extent / 16);
    const size = step * 2 * Math.ceil(extent / step / 2);
    const grid = new THREE.GridHelper(size, Math.round(size / step), css('--grid-strong'), css('--grid'));
    grid.quaternion.copy(toUp);
    grid.position.copy(this.up).multiplyScalar(level);
    group.add(grid);
    // The base: from the ground to the world's origin.
    const height = Math.abs(level);
    const base = new THREE.Mesh(new THREE.CylinderGeometry(0.022 * this.reach, 0.038 * this.reach, height, 32),
      new THREE.MeshStandardMaterial({color: css('--base'), roughness: 0.8}));
    base.quaternion.copy(toUp);
    base.position.copy(this.up).multiplyScalar(level / 2);
    if (this.isBaseShown) group.add(base);
    if (this.gravity.lengthSq() > 0) {
      const side = new THREE.Vector3(-1, -1, -1).projectOnPlane(this.up).normalize();
      const at = side.multiplyScalar(0.16 * this.reach).addScaledVector(this.up, level + 0.22 * this.reach);
      group.add(new THREE.ArrowHelper(this.gravity.clone().normalize(), at, 0.18 * this.reach, css('--gravity'), 0.05 * this.reach, 0.025 * this.reach));
    }
    this.scene.add((this.ground = group));
    this.scene.background = new THREE.Color(css('--stage'));
    this.scene.fog = new THREE.Fog(css('--stage'), 2.5 * extent, 5 * extent);
    this.touch();
  }

  /** Whether furnish() puts a column between the ground and the world's origin; an arm may have a base of its own. */
  showBase(isShown: boolean) {
    this.isBaseShown = isShown;
  }

  /** The size of one square of the ground. */
  get gridStep(): number {
    const extent = 2.2 * Math.max(...this.box.getSize(new THREE.Vector3()).toArray(), this.reach);
    return roundStep(extent / 16);
  }

  look(view: View) {
    const center = this.box.getCenter(new THREE.Vector3());
    const direction = this.directionOf(view);
    // All places must be inside the picture.
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    const right = new THREE.Vector3().crossVectors(this.up, direction);
    if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
    right.normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    let distance = 0.2 * this.reach;
    const from = new THREE.Vector3();
    for (const place of this.places) {
      from.copy(place).sub(center);
      const ahead = from.dot(direction);
      distance = Math.max(distance, ahead + Math.abs(from.dot(above)) / tangent, ahead + Math.abs(from.dot(right)) / (tangent * this.camera.aspect));
    }
    distance = 1.08 * distance + 0.09 * this.reach;
    this.camera.position.copy(center).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = 60 * distance;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.update();
    this.touch();
  }

  private directionOf(view: View): THREE.Vector3 {
    // Two level directions and up.
    const x = Math.abs(this.up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    x.projectOnPlane(this.up).normalize();
    const y = new THREE.Vector3().crossVectors(this.up, x);
    const mixed = (a: number, b: number, c: number) =>
      new THREE.Vector3().addScaledVector(x, a).addScaledVector(y, b).addScaledVector(this.up, c).normalize();
    if (view === 'front') return mixed(0, -1, 0.001);
    if (view === 'side') return mixed(1, 0, 0.001);
    if (view === 'top') return mixed(0, -0.001, 1);
    // From where most can be seen: an arm that stays in a plane is seen from in front of it, not quite straight.
    const size = this.box.getSize(new THREE.Vector3());
    const along = (direction: THREE.Vector3) => Math.abs(size.dot(new THREE.Vector3(Math.abs(direction.x), Math.abs(direction.y), Math.abs(direction.z))));
    const [sx, sy, su] = [along(x), along(y), along(this.up)];
    const most = Math.max(sx, sy, su);
    if (su < 0.2 * most) return mixed(-0.25, -0.75, 1);
    if (sy < 0.2 * most) return mixed(0.3, -1, 0.25);
    if (sx < 0.2 * most) return mixed(1, -0.3, 0.25);
    return mixed(0.75, -1, 0.6);
  }
}

/** 1, 2 or 5 times a power of ten, near `raw`. */
export function roundStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((f) => f * power).find((step) => step >= 0.99 * raw) ?? 10 * power;
}
