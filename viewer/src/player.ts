// SPDX-License-Identifier: BSD-3-Clause
// Time: where it is, and how it goes on.

export class Player {
  time = 0;
  isPlaying = false;
  speed = 1;
  loops = true;
  /** Called with every new time. */
  readonly listeners: ((time: number) => void)[] = [];
  readonly stateListeners: (() => void)[] = [];

  constructor(readonly end: number) {}

  seek(time: number) {
    this.time = Math.min(Math.max(time, 0), this.end);
    for (const listener of this.listeners) listener(this.time);
  }

  play(isPlaying = true) {
    if (isPlaying && this.time >= this.end) this.seek(0);
    this.isPlaying = isPlaying;
    for (const listener of this.stateListeners) listener();
  }

  /** Goes on by seconds of a clock; false where nothing moves. */
  advance(seconds: number): boolean {
    if (!this.isPlaying) return false;
    let next = this.time + seconds * this.speed;
    if (next >= this.end) {
      if (this.loops && this.end > 0) next %= this.end;
      else {
        next = this.end;
        this.play(false);
      }
    }
    this.seek(next);
    return true;
  }
}
