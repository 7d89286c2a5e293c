// SPDX-License-Identifier: BSD-3-Clause
// Runs in the scene: bent arms, their unbent ghosts, traces, wrenches.

import * as THREE from 'three';
import {Line2} from 'three/examples/jsm/lines/Line2.js';
import {LineGeometry} from 'three/examples/jsm/lines/LineGeometry.js';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {Arm, type Posture} from './arm';
import {ArmView, type Coloring} from './arm_view';
import {curveColor, runStyle} from './colors';
import type {Run} from './data';
import {css} from './dom';
import {JointLoads} from './joint_loads';
import {Stage} from './scene';

const ghostRows = 60; // of each run, to find what the arms sweep
const mostTracePoints = 3000;

/** The largest of many numbers; but where a few of them tower above all others, the largest of those others. */
function withoutPeaks(values: Float64Array): {largest: number; hasPeaks: boolean} {
  const sorted = values.slice().sort(), last = sorted.length - 1;
  const usual = sorted[Math.floor(0.97 * last)], hasPeaks = sorted[last] > 2 * usual;
  return {largest: hasPeaks ? usual : sorted[last], hasPeaks};
}

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
  private readonly loads: JointLoads;
  hasPeaks = {moment: false, curvature: false}; // beyond the colours
  private isShown = true;
  private isTraceShown = true;
  isGhostShown = true;
  areWrenchesShown = false;

  /** `index`: among the runs that are compared; null where there is one only. */
  constructor(readonly run: Run, private readonly index: number | null, scene: THREE.Scene) {
    this.arm = new Arm(run.data.arm);
    this.loads = new JointLoads(run, this.arm);
    this.posture = this.arm.newPosture();
    this.unbent = this.arm.newPosture();
    this.q = new Float64Array(run.data.arm.nq);
    this.view = new ArmView(this.arm, {linkColors: [], opacity: index ? 0.55 : 1, scale: index ? 0.9 : 1, bare: false,
      isOneOfMany: index !== null, behind: 0.02 * (index ?? 0)});
    this.ghost = new ArmView(this.arm, {linkColors: [], opacity: 0.22, scale: 0.55, bare: true});
    scene.add(this.view.group, this.ghost.group);

    const stride = Math.ceil(run.time.length / mostTracePoints);
    const count = Math.ceil(run.time.length / stride);
    this.traceTimes = Float64Array.from({length: count}, (_, i) => run.time[i * stride]);
    this.trace.frustumCulled = false;
    scene.add(this.trace);

    const arrow = () => {
      const made = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1);
      made.visible = false;
      for (const {material} of [made.line, made.cone]) (material as THREE.Material).depthTest = false; // it begins inside of links
      made.renderOrder = 1;
      scene.add(made);
      return made;
    };
    for (const _ of this.arm.links) this.arrows.push({force: arrow(), moment: arrow()});
    this.findLargestBending();
    this.paint();
  }

  get hasWrenches(): boolean {
    return this.loads.areKnown;
  }

  /** Where the colours end. A step of a target jerks the arm for a moment: such peaks would make all else dark. */
  private findLargestBending() {
    const {time} = this.run, rows = Math.min(time.length, 400);
    const moments = new Float64Array(rows), curvatures = new Float64Array(rows);
    const hasRigid = this.arm.links.some(({data}) => data.elastic.count === 0);
    for (let k = 0; k < rows; ++k) {
      const row = Math.floor((k * (time.length - 1)) / Math.max(rows - 1, 1));
      if (hasRigid) this.arm.place(this.run.q, row * this.arm.data.nq, 1, this.posture, false);
      this.arm.links.forEach((link, i) => {
        link.setElastic(this.run.q, row * this.arm.data.nq);
        if (link.data.elastic.count === 0) moments[k] = Math.max(moments[k], ...(this.loads.bendingOfRigid(i, row, this.posture) ?? []));
        for (let s = 0; s < link.points; ++s) {
          const {moment, curvature} = link.bendingAt(s);
          moments[k] = Math.max(moments[k], moment);
          curvatures[k] = Math.max(curvatures[k], curvature);
        }
      });
    }
    const [moment, curvature] = [withoutPeaks(moments), withoutPeaks(curvatures)];
    this.view.largest = {moment: moment.largest, curvature: curvature.largest};
    this.hasPeaks = {moment: moment.hasPeaks, curvature: curvature.hasPeaks};
  }

  /** Colours of the theme. */
  paint() {
    const color = (i: number) => new THREE.Color(curveColor(i));
    const own = this.index === null ? null : runStyle(this.index).color;
    const many = this.arm.links.map((_, i) => (own ? new THREE.Color(own) : color(i)));
    this.view.setLinkColors(many);
    this.ghost.setLinkColors(many.map(() => new THREE.Color(css('--ghost'))));
    this.trace.material.color.set(own ?? css('--trace'));
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
      points.push(...this.view.extent(posture));
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
    this.ghost.group.visible = this.isShown && this.isGhostShown;
    this.view.group.visible = this.isShown;
    this.trace.visible = this.isShown && this.isTraceShown;
    this.arm.place(this.q, 0, magnification, this.posture);
    const row = this.run.rowAt(time);
    this.view.rigidMoments = this.arm.links.map(({data}, i) =>
      (this.view.coloring === 'moment' && data.elastic.count === 0 ? this.loads.bendingOfRigid(i, row, this.posture) : null));
    this.view.update(this.posture);
    let shown = 0;
    while (shown < this.traceTimes.length && this.traceTimes[shown] <= time) ++shown;
    this.trace.geometry.instanceCount = Math.max(shown - 1, 0);
    this.showWrenches(row);
  }

  private interpolate(time: number) {
    const {run, q} = this, nq = q.length;
    const row = run.rowAt(time), next = Math.min(row + 1, run.time.length - 1);
    const span = run.time[next] - run.time[row];
    const share = span > 0 ? Math.min(Math.max((time - run.time[row]) / span, 0), 1) : 0;
    for (let i = 0; i < nq; ++i) q[i] = (1 - share) * run.q[row * nq + i] + share * run.q[next * nq + i];
  }

  private showWrenches(row: number) {
    const world = new Float64Array(3), {reach} = this.arm.data;
    this.arrows.forEach((arrows, i) => {
      for (const kind of ['force', 'moment'] as const) {
        const arrow = arrows[kind], usual = this.loads.usual[kind];
        arrow.visible = false;
        if (!this.isShown || !this.areWrenchesShown || !(usual > 0) || !this.loads.inWorld(kind, i, row, this.posture, world)) continue;
        const size = Math.hypot(...world), length = Math.min((0.25 * reach * size) / usual, 0.4 * reach);
        if (length < 0.004 * reach) continue;
        const {p} = this.posture.body[i];
        arrow.visible = true;
        arrow.position.set(p[0], p[1], p[2]);
        arrow.setDirection(new THREE.Vector3(world[0], world[1], world[2]).divideScalar(size));
        const head = Math.min(0.035 * reach, 0.5 * length);
        arrow.setLength(length, head, 0.5 * head);
      }
    });
  }

  showShapes(areShown: boolean) {
    this.view.showShapes(areShown);
    this.ghost.showShapes(areShown);
  }

  showTrace(isShown: boolean) {
    this.isTraceShown = isShown;
  }

  show(isShown: boolean) {
    this.isShown = isShown;
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
    this.actors = runs.map((run, i) => new RunActor(run, runs.length > 1 ? i : null, this.stage.scene));
    this.stage.showBase(!this.hasOwnBase);
    this.sweep();
    this.stage.look('fit');
  }

  private get hasOwnBase(): boolean {
    return this.actors.some(({arm}) => arm.data.visuals.length > 0);
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

  /** Moment [N m] or curvature [1/m] at which the colours end, the same for all arms; and whether moments are beyond. */
  color(by: Coloring): {largest: number; hasPeaks: boolean} {
    if (by !== 'links') {
      const largest = Math.max(...this.actors.map((actor) => actor.view.largest[by]));
      for (const {view} of this.actors) view.largest[by] = largest;
    }
    for (const {view} of this.actors) view.coloring = by;
    this.showAt(this.time);
    if (by === 'links') return {largest: 0, hasPeaks: false};
    return {largest: this.actors[0].view.largest[by], hasPeaks: this.actors.some((actor) => actor.hasPeaks[by])};
  }

  /** Whether a link, or what stands around the arm, has shapes of its own. */
  get hasShapes(): boolean {
    return this.actors.some(({arm}) => arm.data.visuals.length > 0 || arm.data.links.some((link) => link.visuals.length > 0));
  }

  show(what: 'shapes' | 'ghost' | 'trace' | 'axes' | 'wrenches', isShown: boolean) {
    if (what === 'shapes') {
      this.stage.showBase(!isShown || !this.hasOwnBase);
      this.sweep();
    }
    for (const actor of this.actors) {
      if (what === 'shapes') actor.showShapes(isShown);
      if (what === 'ghost') actor.isGhostShown = isShown;
      if (what === 'trace') actor.showTrace(isShown);
      if (what === 'axes') actor.view.showAxes(isShown);
      if (what === 'wrenches') actor.areWrenchesShown = isShown;
    }
    this.showAt(this.time);
  }

  showRun(run: number, isShown: boolean) {
    this.actors[run].show(isShown);
    this.showAt(this.time);
  }

  /** Whether a colour by moment has links of which no moment is known. */
  get lacksMoments(): boolean {
    return this.actors.some(({arm, hasWrenches}) => !hasWrenches && arm.links.some(({data}) => data.elastic.count === 0));
  }

  repaint() {
    for (const actor of this.actors) actor.paint();
    this.sweep();
    this.showAt(this.time);
  }
}
