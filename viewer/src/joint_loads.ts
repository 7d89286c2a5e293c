// SPDX-License-Identifier: BSD-3-Clause
// Forces and moments in the joints, as the result holds them: by the parent on the child, about the origin of the child's
// body frame B, in its axes.

import {type Arm, type Posture, rotate} from './arm';
import type {Run} from './data';

export type Kind = 'force' | 'moment';
type Columns = (Float32Array | null)[];

const components = {force: ['fx', 'fy', 'fz'], moment: ['mx', 'my', 'mz']};

export class JointLoads {
  /** Sizes for arrows: but for the highest peaks, which would make all others invisible. */
  readonly usual = {force: 0, moment: 0};
  private readonly columns: Record<Kind, Columns>[];

  constructor(run: Run, private readonly arm: Arm) {
    const of = (joint: string, figure: string, kind: Kind) => components[kind].map((c) => run.curve(figure, `${joint} ${c}`));
    this.columns = arm.links.map(({data}) => ({force: of(data.joint.name, 'forces', 'force'), moment: of(data.joint.name, 'moments', 'moment')}));
    for (const columns of this.columns)
      for (const kind of ['force', 'moment'] as const) {
        const [x, y, z] = columns[kind];
        if (!x || !y || !z) continue;
        const sizes = x.map((_, i) => Math.hypot(x[i], y[i], z[i])).sort();
        this.usual[kind] = Math.max(this.usual[kind], sizes[Math.floor(0.97 * (sizes.length - 1))]);
      }
  }

  get areKnown(): boolean {
    return this.columns.some(({force}) => force[0] !== null);
  }

  /** In world axes; false where the result does not hold it. */
  inWorld(kind: Kind, link: number, row: number, posture: Posture, out: Float64Array): boolean {
    const [x, y, z] = this.columns[link][kind];
    if (!x || !y || !z) return false;
    rotate(posture.body[link].u, x[row], y[row], z[row], out);
    return true;
  }

  /** Bending moments [N m] at root and tip of a rigid link: what its own joint passes on to it, and what it passes on to the
   *  joints at its tip, across the link's direction. null: not known. */
  bendingOfRigid(link: number, row: number, posture: Posture): [number, number] | null {
    const root = new Float64Array(3), tip = new Float64Array(3), moment = new Float64Array(3), force = new Float64Array(3);
    if (!this.inWorld('moment', link, row, posture, root)) return null;
    const {p: place} = posture.tip[link];
    this.arm.links.forEach(({data}, child) => {
      if (data.parent !== link || data.parent_place !== this.arm.links[link].points) return; // the tip
      if (!this.inWorld('moment', child, row, posture, moment) || !this.inWorld('force', child, row, posture, force)) return;
      const {p} = posture.body[child], arm = [p[0] - place[0], p[1] - place[1], p[2] - place[2]];
      tip[0] += moment[0] + arm[1] * force[2] - arm[2] * force[1];
      tip[1] += moment[1] + arm[2] * force[0] - arm[0] * force[2];
      tip[2] += moment[2] + arm[0] * force[1] - arm[1] * force[0];
    });
    const from = posture.root[link].p;
    const along = [place[0] - from[0], place[1] - from[1], place[2] - from[2]], length = Math.hypot(...along);
    const across = (m: Float64Array) => {
      if (!(length > 0)) return Math.hypot(...m);
      const share = (m[0] * along[0] + m[1] * along[1] + m[2] * along[2]) / (length * length);
      return Math.hypot(m[0] - share * along[0], m[1] - share * along[1], m[2] - share * along[2]);
    };
    return [across(root), across(tip)];
  }
}
