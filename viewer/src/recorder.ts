// SPDX-License-Identifier: BSD-3-Clause
// A film of the scene, made by the browser itself: the picture and its captions are painted on a canvas, whose stream the
// browser's own recorder encodes. Nothing leaves the page.

import {css, download, element} from './dom';
import type {Stage} from './scene';

/** What is filmed: one pass. */
export interface Pass {
  begin(): void;
  /** 0 .. 1 */
  progress(): number;
  isRunning(): boolean;
  end(): void;
}

export interface CaptionLine {
  text: string;
  color?: string; // of a mark before it
}

const types = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];
const framesPerSecond = 30, bitsPerSecond = 8e6;
const idleText = '● video';

/** One film: a canvas while it changes. */
class Take {
  private readonly recorder: MediaRecorder;
  private readonly parts: Blob[] = [];
  // A page in the background draws nothing.
  private readonly onVisibility = () => (document.hidden ? this.recorder.pause() : this.recorder.resume());

  constructor(canvas: HTMLCanvasElement, type: string) {
    this.recorder = new MediaRecorder(canvas.captureStream(framesPerSecond), {mimeType: type, videoBitsPerSecond: bitsPerSecond});
    this.recorder.addEventListener('dataavailable', (event) => this.parts.push(event.data));
    document.addEventListener('visibilitychange', this.onVisibility);
    this.recorder.start();
  }

  stop(): Promise<Blob> {
    document.removeEventListener('visibilitychange', this.onVisibility);
    return new Promise((done) => {
      this.recorder.addEventListener('stop', () => done(new Blob(this.parts, {type: this.recorder.mimeType})));
      this.recorder.stop();
    });
  }
}

export class Recorder {
  readonly button: HTMLButtonElement;
  private readonly canvas = element('canvas', {});
  private readonly type: string | undefined;
  private take: Take | null = null;

  constructor(private readonly stage: Stage | null, private readonly name: string, private readonly pass: Pass, private readonly captions: () => CaptionLine[]) {
    this.type = typeof MediaRecorder === 'undefined' ? undefined : types.find((type) => MediaRecorder.isTypeSupported(type));
    const why = !stage ? 'No 3D picture, no video' : !this.type ? 'This browser records no video' : 'Save a video of one pass, as it is seen (R)';
    this.button = element('button', {type: 'button', class: 'record', title: why, 'aria-label': 'Save a video', click: () => this.toggle()}, idleText);
    this.button.disabled = !stage || !this.type;
  }

  /** Begins, or ends before the pass does; what was filmed is saved. */
  toggle() {
    if (!this.stage || !this.type) return;
    if (this.take) void this.finish();
    else this.start(this.stage, this.type);
  }

  private start(stage: Stage, type: string) {
    const source = stage.renderer.domElement;
    // Codecs halve the resolution of colours.
    this.canvas.width = source.width - (source.width % 2);
    this.canvas.height = source.height - (source.height % 2);
    this.paint(stage);
    this.take = new Take(this.canvas, type);
    this.button.classList.add('recording');
    stage.afterFrame = () => {
      this.paint(stage);
      this.button.textContent = `■ ${Math.round(100 * this.pass.progress())} %`;
      if (this.pass.isRunning()) return;
      // The last picture is to be seen for a moment.
      stage.afterFrame = () => {};
      setTimeout(() => void this.finish(), 2000 / framesPerSecond);
    };
    this.pass.begin();
  }

  private async finish() {
    const take = this.take;
    if (!take || !this.stage) return;
    this.take = null;
    this.stage.afterFrame = () => {};
    this.pass.end();
    this.button.textContent = idleText;
    this.button.classList.remove('recording');
    const film = await take.stop();
    download(`${this.name.replace(/[^\w.-]+/g, '_')}.${film.type.includes('webm') ? 'webm' : 'mp4'}`, film);
  }

  private paint(stage: Stage) {
    const {canvas} = this, ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
    ctx.drawImage(stage.renderer.domElement, 0, 0, canvas.width, canvas.height);
    const size = Math.max(13, Math.round(canvas.height / 40));
    ctx.font = `${size}px system-ui, 'DejaVu Sans', sans-serif`;
    ctx.textBaseline = 'top';
    this.captions().forEach(({text, color}, i) => {
      const y = size * (0.8 + 1.4 * i), x = 0.9 * size;
      if (color) {
        ctx.fillStyle = color;
        ctx.fillRect(x, y + 0.4 * size, 1.2 * size, 0.25 * size);
      }
      ctx.fillStyle = css('--ink');
      ctx.fillText(text, color ? x + 1.6 * size : x, y);
    });
  }
}
