// Runs in the scene: bent arms, their unbent ghosts, traces, wrenches.

import * as THREE from 'three';
import {Line2} from 'three/examples/jsm/lines/Line2.js';
import {LineGeometry} from 'three/examples/jsm/lines/LineGeometry.js';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {Arm, type Posture, rotate} from './arm';
import {ArmView, type Coloring} from './arm_view';
import {curveColor} from './colors';
import type {Run} from './data';
import {css} from './dom';
import {Stage} from './scene';

const ghostRows = 60; // of each run, to find what the arms sweep
const mostTracePoints = 3000;

/** One run's part of the scene. */
class RunActor {
  readonly arm: Arm;
  readonly posture: Posture;
  readonly view: ArmView;
  readonly ghost: ArmView;
  private readonly unbent: Posture;
  private readonly q: Float64Array;
  private readonly trace = new Line2(new LineGeometry(), new LineMaterial({linewidth: 2.2}));
  private readonly traceTimes: Float64Array;
  private readonly arrows: {force: THREE.ArrowHelper; moment: THREE.ArrowHelper}[] = [];
  private readonly wrenches: (Float32Array | null)[][];
  private readonly largest = {force: 0, moment: 0};
  isGhostShown = true;
  areWrenchesShown = false;

  constructor(readonly run: Run, private readonly index: number, scene: THREE.Scene) {
    this.arm = new Arm(run.data.arm);
    this.posture = this.arm.newPosture();
    this.unbent = this.arm.newPosture();
    this.q = new Float64Array(run.data.arm.nq);
    this.view = new ArmView(this.arm, {linkColors: [], opacity: index === 0 ? 1 : 0.55, scale: index === 0 ? 1 : 0.9, bare: false});
    this.ghost = new ArmView(this.arm, {linkColors: [], opacity: 0.22, scale: 0.55, bare: true});
    scene.add(this.view.group, this.ghost.group);

    const stride = Math.ceil(run.time.length / mostTracePoints);
    const count = Math.ceil(run.time.length / stride);
    this.traceTimes = Float64Array.from({length: count}, (_, i) => run.time[i * stride]);
    this.trace.frustumCulled = false;
    scene.add(this.trace);

    const names = run.data.arm.links.map((link) => link.joint.name);
    this.wrenches = names.map((name) => [
      ...['fx', 'fy', 'fz'].map((c) => run.curve('forces', `${name} ${c}`)),
      ...['mx', 'my', 'mz'].map((c) => run.curve('moments', `${name} ${c}`)),
    ]);
    for (const columns of this.wrenches) {
      this.noteLargest('force', columns.slice(0, 3));
      this.noteLargest('moment', columns.slice(3));
      const arrow = () => {
        const made = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1);
        made.visible = false;
        scene.add(made);
        return made;
      };
      this.arrows.push({force: arrow(), moment: arrow()});
    }
    this.findLargestBending();
    this.paint();
  }

  get hasWrenches(): boolean {
    return this.wrenches.some((columns) => columns[0] !== null);
  }

  private noteLargest(kind: 'force' | 'moment', columns: (Float32Array | null)[]) {
    const [x, y, z] = columns;
    if (!x || !y || !z) return;
    // But for the highest peaks, which would make all others invisible.
    const sizes = x.map((_, i) => Math.hypot(x[i], y[i], z[i])).sort();
    this.largest[kind] = Math.max(this.largest[kind], sizes[Math.floor(0.97 * (sizes.length - 1))]);
  }

  private findLargestBending() {
    const {time} = this.run, rows = Math.min(time.length, 400);
    for (let k = 0; k < rows; ++k) {
      const row = Math.floor((k * (time.length - 1)) / Math.max(rows - 1, 1));
      for (const link of this.arm.links) {
        link.setElastic(this.run.q, row * this.arm.data.nq);
        for (let s = 0; s < link.stations; ++s) {
          const {moment, curvature} = link.bendingAt(s);
          this.view.largest.moment = Math.max(this.view.largest.moment, moment);
          this.view.largest.curvature = Math.max(this.view.largest.curvature, curvature);
        }
      }
    }
  }

  /** Colours of the theme. */
  paint() {
    const color = (i: number) => new THREE.Color(curveColor(i));
    const many = this.arm.links.map((_, i) => (this.index === 0 ? color(i) : color(this.index + 3)));
    this.view.setLinkColors(many);
    this.ghost.setLinkColors(many.map(() => new THREE.Color(css('--ghost'))));
    this.trace.material.color.set(this.index === 0 ? css('--trace') : curveColor(this.index + 3));
    for (const {force, moment} of this.arrows) {
      force.setColor(css('--force'));
      moment.setColor(css('--moment'));
    }
  }

  /** Places that the arm passes. */
  sweep(points: THREE.Vector3[]) {
    const {time, q} = this.run, nq = this.arm.data.nq, posture = this.arm.newPosture();
    const rows = Math.min(time.length, ghostRows);
    for (let k = 0; k < rows; ++k) {
      const row = Math.floor((k * (time.length - 1)) / Math.max(rows - 1, 1));
      this.arm.place(q, row * nq, 1, posture);
      for (const stations of posture.stations)
        for (const {p} of stations) points.push(new THREE.Vector3(p[0], p[1], p[2]));
    }
  }

  tracePath(magnification: number) {
    const {q} = this.run, nq = this.arm.data.nq;
    const stride = Math.ceil(this.run.time.length / mostTracePoints);
    const places = new Float32Array(3 * this.traceTimes.length);
    for (let i = 0; i < this.traceTimes.length; ++i) {
      this.arm.place(q, i * stride * nq, magnification, this.posture, false);
      places.set(this.posture.endEffector.p, 3 * i);
    }
    this.trace.geometry.setPositions(places);
  }

  showAt(time: number, magnification: number) {
    this.interpolate(time);
    if (this.isGhostShown) {
      this.arm.place(this.q, 0, 0, this.unbent);
      this.ghost.update(this.unbent);
    }
    this.ghost.group.visible = this.isGhostShown;
    this.arm.place(this.q, 0, magnification, this.posture);
    this.view.update(this.posture);
    let shown = 0;
    while (shown < this.traceTimes.length && this.traceTimes[shown] <= time) ++shown;
    this.trace.geometry.instanceCount = Math.max(shown - 1, 0);
    this.showWrenches(time);
  }

  private interpolate(time: number) {
    const {run, q} = this, nq = q.length;
    const row = run.rowAt(time), next = Math.min(row + 1, run.time.length - 1);
    const span = run.time[next] - run.time[row];
    const share = span > 0 ? Math.min(Math.max((time - run.time[row]) / span, 0), 1) : 0;
    for (let i = 0; i < nq; ++i) q[i] = (1 - share) * run.q[row * nq + i] + share * run.q[next * nq + i];
  }

  private showWrenches(time: number) {
    const row = this.run.rowAt(time), world = new Float64Array(3), reach = this.arm.data.reach;
    this.wrenches.forEach((columns, i) => {
      const {p, u} = this.posture.body[i];
      (['force', 'moment'] as const).forEach((kind, k) => {
        const arrow = this.arrows[i][kind], [x, y, z] = columns.slice(3 * k, 3 * k + 3);
        arrow.visible = false;
        if (!this.areWrenchesShown || !x || !y || !z || !(this.largest[kind] > 0)) return;
        rotate(u, x[row], y[row], z[row], world);
        const size = Math.hypot(...world), length = Math.min((0.25 * reach * size) / this.largest[kind], 0.4 * reach);
        if (length < 0.004 * reach) return;
        arrow.visible = true;
        arrow.position.set(p[0], p[1], p[2]);
        arrow.setDirection(new THREE.Vector3(world[0], world[1], world[2]).divideScalar(size));
        const head = Math.min(0.035 * reach, 0.5 * length);
        arrow.setLength(length, head, 0.5 * head);
      });
    });
  }

  showTrace(isShown: boolean) {
    this.trace.visible = isShown;
  }
}

export class RunScene {
  readonly stage: Stage;
  readonly actors: RunActor[];
  magnification = 1;
  private time = 0;

  constructor(holder: HTMLElement, runs: Run[]) {
    const first = runs[0].data.arm;
    const reach = Math.max(...runs.map((run) => run.data.arm.reach));
    this.stage = new Stage(holder, new THREE.Vector3(...first.gravity), reach,
      `The arm ${first.name} moving in three dimensions. Its numbers are in the tables and plots of this page.`);
    this.actors = runs.map((run, i) => new RunActor(run, i, this.stage.scene));
    this.sweep();
    this.stage.look('fit');
  }

  private sweep() {
    const points = [new THREE.Vector3()];
    for (const actor of this.actors) {
      actor.sweep(points);
      actor.tracePath(this.magnification);
    }
    this.stage.furnish(points);
  }

  showAt(time: number) {
    this.time = time;
    for (const actor of this.actors) actor.showAt(time, this.magnification);
    this.stage.touch();
  }

  magnify(factor: number) {
    this.magnification = factor;
    for (const actor of this.actors) actor.tracePath(factor);
    this.showAt(this.time);
  }

  /** Largest moment [N m] and curvature [1/m] of all arms: where the colours end. */
  color(by: Coloring): number {
    const largest = by === 'links' ? 0 : Math.max(...this.actors.map((actor) => actor.view.largest[by]));
    for (const {view} of this.actors) {
      view.coloring = by;
      if (by !== 'links') view.largest[by] = largest;
    }
    this.showAt(this.time);
    return largest;
  }

  show(what: 'ghost' | 'trace' | 'axes' | 'wrenches', isShown: boolean) {
    for (const actor of this.actors) {
      if (what === 'ghost') actor.isGhostShown = isShown;
      if (what === 'trace') actor.showTrace(isShown);
      if (what === 'axes') actor.view.showAxes(isShown);
      if (what === 'wrenches') actor.areWrenchesShown = isShown;
    }
    this.showAt(this.time);
  }

  repaint() {
    for (const actor of this.actors) actor.paint();
    this.sweep();
    this.showAt(this.time);
  }
}
