// SPDX-License-Identifier: BSD-3-Clause
// Play, pause, scrub, speed, loop.

import {element, toggle} from './dom';
import type {Player} from './player';

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Transport {
  readonly controls: HTMLElement[];
  readonly loop: HTMLButtonElement;
  private readonly speed = element('select', {'aria-label': 'Speed', title: 'Speed ([ and ])'},
    ...speeds.map((speed) => element('option', {value: speed}, `${speed}×`)));

  constructor(player: Player) {
    const play = element('button', {type: 'button', class: 'play', 'aria-label': 'Play', title: 'Play or pause (Space)', click: () => player.play(!player.isPlaying)}, '▶');
    const scrubber = element('input', {type: 'range', min: 0, max: player.end, step: 'any', value: 0, 'aria-label': 'Time', class: 'scrubber'});
    const clock = element('output', {class: 'clock'});
    this.loop = toggle('Loop (L)', '⟳', player.loops, (isOn) => (player.loops = isOn));
    this.speed.value = '1';
    this.speed.addEventListener('change', () => (player.speed = Number(this.speed.value)));
    scrubber.addEventListener('input', () => player.seek(Number(scrubber.value)));
    player.stateListeners.push(() => {
      play.textContent = player.isPlaying ? '❚❚' : '▶';
      play.setAttribute('aria-label', player.isPlaying ? 'Pause' : 'Play');
    });
    const digits = player.end >= 10 ? 2 : 3;
    player.listeners.push((time) => {
      scrubber.value = String(time);
      clock.textContent = `${time.toFixed(digits)} s`;
      scrubber.setAttribute('aria-valuetext', clock.textContent);
    });
    this.controls = [play, scrubber, clock, this.speed, this.loop];
  }

  shiftSpeed(by: number) {
    this.speed.selectedIndex = Math.min(Math.max(this.speed.selectedIndex + by, 0), speeds.length - 1);
    this.speed.dispatchEvent(new Event('change'));
  }
}
