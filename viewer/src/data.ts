// SPDX-License-Identifier: BSD-3-Clause
// What the program puts into the page (src/report/page.cpp writes it).

export type Vector = [number, number, number];
/** x, y, z, then a unit quaternion x, y, z, w. */
export type PoseNumbers = [number, number, number, number, number, number, number];

/** One motion of a joint: turned by the rotation vector axis q[i], moved by axis q[i], or turned by the quaternion q[i] .. q[i + 3]. */
export type JointStep = {kind: 'turn' | 'slide'; q: number; axis: Vector} | {kind: 'quaternion'; q: number};

/** A shape at rest: triangles, three numbers for each vertex, three vertices for each triangle. */
export interface VisualData {
  color: Vector | null; // each 0 .. 1; null: the link's
  vertices: number[];
  triangles: number[];
  modes?: number[][]; // of a body's skin: how far each vertex moves, three numbers each, for each elastic coordinate
}

/** The arm's outline as results hold it (include/limber/results/arm_outline.hpp). */
export interface LinkData {
  name: string;
  parent: number;
  parent_place: number;
  X_NJ: PoseNumbers;
  joint: {name: string; type: string; q: number; nq: number; v: number; nv: number; steps: JointStep[]};
  X_BR: PoseNumbers;
  elastic: {q: number; v: number; count: number};
  points: number; // the first places: along the axis, from root to tip; the next one is the tip as a node
  places: PoseNumbers[];
  terms: [component: number, j: number, k: number][];
  values: number[][]; // of each term, at each place
  stiffness: Vector[];
  half_sizes: [number, number][];
  is_round: boolean;
  payload: {mass: number; com: Vector} | null;
  visuals: VisualData[]; // in R; none: places and sizes are drawn
  // A beam that slides through a guide at R: its free length is free_length + q[i], its first place the inner end, and powers are those of the terms.
  telescope?: {q: number; free_length: number; length: number; powers: number[]};
}

/** An end of a cylinder or of a loop: p in a place of a link; link -1: in the world. */
export interface PlaceData {
  link: number;
  place: number;
  p: Vector;
}

export interface ArmData {
  name: string;
  gravity: Vector;
  kinematics: 'first' | 'second';
  mass: number;
  reach: number;
  nq: number;
  nv: number;
  positions: string[];
  coordinates: string[];
  links: LinkData[];
  end_effector: {link: number; place: number; X_NE: PoseNumbers};
  visuals: VisualData[]; // that stand still, in the world
  cylinders?: {name: string; from: PlaceData; to: PlaceData}[];
  loops?: {name: string; type: string; axis: Vector; a: PlaceData; b: PlaceData}[]; // axis in the place of a; zero: none
}

export interface CurveData {
  name: string;
  group: string;
  is_reference: boolean;
  is_angle: boolean; // in radians, or radians per second
  note: string; // beside its name, where no value is
  values: string;
}

export interface FigureData {
  id: string;
  title: string;
  x_label: string;
  y_label: string;
  /** What the curves' groups are; empty: they belong to the arm as a whole. */
  parts: 'joints' | 'links' | '';
  over_time: boolean;
  logarithmic: boolean;
  x?: string;
  curves: CurveData[];
  marks: {x: number; name: string}[];
}

export interface Peak {
  value: number;
  time: number;
}

export interface RunData {
  label: string;
  file: string;
  model: string;
  kinematics: string;
  program: string;
  formulation: string;
  integrator: string;
  rtol: number;
  atol: number;
  step: number;
  steps: number;
  rejected: number;
  wall_s: number;
  status: string;
  duration: number;
  end: number;
  rows: number;
  coordinates: number;
  mass: number;
  energy_error: number;
  energy_size: number;
  warnings: string[];
  metrics: {name: string; value: number}[];
  events: {name: string; time: number}[];
  note: string;
  links: {name: string; joint: string; bends: boolean; deflection: Peak; slope: Peak; force: Peak; moment: Peak}[];
  joints: {name: string; slides: boolean; deviation: Peak; effort: Peak; rate: Peak}[];
  sources: {name: string; text: string}[];
  arm: ArmData;
  time: string;
  q: string;
  figures: FigureData[];
}

export interface ModeData {
  angular_frequency: number;
  frequency_hz: number;
  shape: number[];
  quadrature?: number[];
  flutter?: {growth_rate: number; frequency_hz: number};
  participation: number[];
}

/** Modes that were measured: points of the arm at rest, and how far each goes for a computed shape as it stands. */
export interface MeasuredData {
  points: string[]; // as they are named
  places: Vector[]; // those of them that are places
  modes: {frequency_hz: number; mode: number; mac: number | null; motions: Vector[]}[]; // mode: the computed one that is most alike; -1: none was left
  mac: number[][]; // measured modes are rows
}

export type PageData =
  | {kind: 'run'; runs: RunData[]}
  | {
      kind: 'modes';
      model: string;
      conditions: string;
      warnings: string[];
      arm: ArmData;
      q: number[];
      modes: ModeData[];
      measured?: MeasuredData;
    };

function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) result[i] = text.charCodeAt(i);
  return result.buffer;
}

export const floats = (base64: string) => new Float32Array(bytes(base64));
export const doubles = (base64: string) => new Float64Array(bytes(base64));

export function readPageData(): PageData | null {
  const block = document.getElementById('limber-data');
  return block?.textContent ? (JSON.parse(block.textContent) as PageData) : null;
}

/** A run with its numbers unpacked. */
export class Run {
  readonly time: Float64Array;
  readonly q: Float32Array;
  private readonly curves = new Map<CurveData, Float32Array>();

  constructor(readonly data: RunData) {
    this.time = doubles(data.time);
    this.q = floats(data.q);
  }

  values(curve: CurveData): Float32Array {
    let found = this.curves.get(curve);
    if (!found) this.curves.set(curve, (found = floats(curve.values)));
    return found;
  }

  curve(figure: string, name: string): Float32Array | null {
    const curve = this.data.figures.find((f) => f.id === figure)?.curves.find((c) => c.name === name);
    return curve ? this.values(curve) : null;
  }

  /** The last row that is not after t. */
  rowAt(t: number): number {
    let low = 0, high = this.time.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  get end(): number {
    return this.time[this.time.length - 1];
  }
}
