// SPDX-License-Identifier: BSD-3-Clause
// Points of an arm whose motion was measured: they move beside the computed mode, in front of everything, each on a thread from where it rests.

import * as THREE from 'three';
import type {MeasuredData, ModeData} from './data';
import {css, element, number} from './dom';

export class MeasuredPoints {
  readonly group = new THREE.Group();
  private readonly paint = new THREE.MeshBasicMaterial({depthTest: false, transparent: true});
  private readonly ink = new THREE.LineBasicMaterial({depthTest: false, transparent: true});
  private readonly balls: THREE.Mesh[];
  private readonly threads: THREE.Line[];

  constructor(private readonly data: MeasuredData, reach: number) {
    const ball = new THREE.SphereGeometry(0.013 * reach, 20, 14);
    this.balls = data.places.map(() => new THREE.Mesh(ball, this.paint));
    this.threads = data.places.map(() => new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]), this.ink));
    for (const one of [...this.threads, ...this.balls]) {
      one.renderOrder = 10;
      one.frustumCulled = false;
    }
    this.group.add(...this.threads, ...this.balls);
    this.repaint();
  }

  repaint() {
    this.paint.color.set(css('--play'));
    this.ink.color.set(css('--play'));
  }

  /** `factor`: of the computed mode's shape, now. Modes that nobody measured have no points. */
  update(mode: number, factor: number) {
    const measured = this.data.modes.find((one) => one.mode === mode);
    this.group.visible = measured !== undefined && this.data.places.length > 0;
    measured?.motions.forEach((motion, i) => {
      const rest = new THREE.Vector3(...this.data.places[i]), moved = new THREE.Vector3(...motion).multiplyScalar(factor).add(rest);
      this.balls[i].position.copy(moved);
      this.threads[i].geometry.setFromPoints([rest, moved]);
    });
  }

  places(): number[][] {
    return this.group.visible ? this.balls.map(({position}) => position.toArray()) : [];
  }
}

/** Measured modes beside their computed ones, and how alike all of them are. */
export function measuredCard(data: MeasuredData, modes: ModeData[], choose: (mode: number) => void): HTMLElement {
  const pairs = data.modes.map((one) => {
    const computed = modes[one.mode];
    const button = element('button', {type: 'button', click: () => choose(one.mode)}, computed ? `mode ${one.mode + 1}` : 'none');
    button.disabled = !computed;
    return element('tr', {}, element('td', {}, `${number(one.frequency_hz)} Hz`), element('td', {}, computed ? `${number(computed.frequency_hz)} Hz` : 'none left'),
      element('td', {}, computed ? `${signed((100 * (computed.frequency_hz - one.frequency_hz)) / one.frequency_hz)} %` : ''),
      element('td', {}, one.mac === null ? '' : one.mac.toFixed(3)), element('td', {}, button));
  });
  const headings = (...names: string[]) => element('tr', {}, ...names.map((name) => element('th', {}, name)));
  const rows = data.mac.map((row, i) => element('tr', {}, element('th', {}, `${number(data.modes[i].frequency_hz)} Hz`), ...row.map((value, k) => {
    const cell = element('td', {title: `MAC of the measured mode at ${number(data.modes[i].frequency_hz)} Hz and mode ${k + 1}`}, value.toFixed(2));
    cell.style.background = `color-mix(in srgb, var(--accent) ${Math.round(60 * value)}%, transparent)`;
    if (data.modes[i].mode === k) cell.style.outline = '2px solid var(--play)';
    return cell;
  })));
  const unseen = data.places.length === 0 ? ' Coordinates have no place: nothing of them is drawn.' : '';
  return element('section', {class: 'card', 'aria-label': 'Measured modes'},
    element('header', {}, element('h2', {}, `${data.modes.length} measured modes`)),
    element('p', {class: 'note'}, `Points that were measured move beside the mode that is most like theirs (${data.points.join(', ')}), with its size and sign.${unseen}`),
    element('table', {}, element('thead', {}, headings('measured', 'computed', 'difference', 'MAC', '')), element('tbody', {}, ...pairs)),
    element('p', {class: 'note'}, 'Modal assurance (MAC) of every measured mode with every computed one: 1 for the same shape.'),
    element('div', {class: 'mac'}, element('table', {}, element('thead', {}, headings('', ...modes.map((_, k) => `${k + 1}`))), element('tbody', {}, ...rows))));
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
