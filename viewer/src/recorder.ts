// SPDX-License-Identifier: BSD-3-Clause
// A film of the scene, made frame by frame: each picture is set, drawn, captioned and encoded by the browser, however long that
// takes, and has its place in the film's own time. A slow machine makes the same film as a fast one, only later. Nothing leaves the page.

import {css, download, element} from './dom';
import type {Stage} from './scene';
import {WebmWriter, type Track} from './webm';

/** What is filmed: one pass, a picture at a time. */
export interface Pass {
  /** How many pictures it has. */
  begin(framesPerSecond: number): number;
  show(frame: number): void;
  /** The page is as it was before. */
  end(): void;
}

export interface CaptionLine {
  text: string;
  color?: string; // of a mark before it
}

const codecs: {name: string; track: Track['codec']}[] = [{name: 'vp09.00.51.08', track: 'V_VP9'}, {name: 'vp8', track: 'V_VP8'}];
const framesPerSecond = 30, bitsPerSecond = 8e6;
const framesPerKey = 30; // a player finds its way to a second
const mostWaiting = 4; // frames
const idleText = '● video';

/** Lets the browser do what else there is. Timers would do so once a second in a page that is in the background. */
function pause(): Promise<void> {
  return new Promise((done) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

/** One film: pictures of a canvas, as they come. */
class Take {
  private readonly writer: WebmWriter;
  private readonly encoder: VideoEncoder;
  private error: DOMException | null = null;
  private wake: () => void = () => {};
  private frames = 0;

  private constructor(private readonly canvas: HTMLCanvasElement, config: VideoEncoderConfig, track: Track) {
    this.writer = new WebmWriter(track);
    this.encoder = new VideoEncoder({
      output: (chunk) => {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        this.writer.add({data, time: 1e-6 * chunk.timestamp, isKey: chunk.type === 'key'});
      },
      error: (error) => {
        this.error = error;
        this.wake();
      },
    });
    this.encoder.addEventListener('dequeue', () => this.wake());
    this.encoder.configure(config);
  }

  /** With the first codec that this browser has for pictures of this size. */
  static async of(canvas: HTMLCanvasElement): Promise<Take> {
    const {width, height} = canvas;
    for (const {name, track} of codecs) {
      const config = {codec: name, width, height, bitrate: bitsPerSecond, framerate: framesPerSecond};
      if ((await VideoEncoder.isConfigSupported(config)).supported) return new Take(canvas, config, {codec: track, width, height, framesPerSecond});
    }
    throw new Error(`this browser encodes neither VP9 nor VP8 of ${width} x ${height} pixels`);
  }

  /** The canvas as the next picture. */
  async add() {
    while (!this.error && this.encoder.encodeQueueSize >= mostWaiting) await new Promise<void>((done) => (this.wake = done));
    if (this.error) throw this.error;
    const at = (frame: number) => Math.round((1e6 * frame) / framesPerSecond); // microseconds
    const picture = new VideoFrame(this.canvas, {timestamp: at(this.frames), duration: at(this.frames + 1) - at(this.frames)});
    this.encoder.encode(picture, {keyFrame: this.frames % framesPerKey === 0});
    picture.close();
    ++this.frames;
  }

  async finish(): Promise<Blob> {
    await this.encoder.flush();
    if (this.error) throw this.error;
    if (this.writer.frames !== this.frames) throw new Error(`${this.frames} pictures were encoded as ${this.writer.frames}`);
    return this.writer.finish();
  }

  close() {
    if (this.encoder.state !== 'closed') this.encoder.close();
  }
}

export class Recorder {
  readonly button: HTMLButtonElement;
  /** Why there is no film, if there is none. */
  readonly problem = element('p', {class: 'warning', role: 'alert', hidden: true});
  private readonly canvas = element('canvas', {});
  private running: AbortController | null = null;

  constructor(private readonly stage: Stage | null, private readonly name: string, private readonly pass: Pass, private readonly captions: () => CaptionLine[]) {
    const canEncode = typeof VideoEncoder !== 'undefined';
    const why = !stage ? 'No 3D picture, no video' : !canEncode ? 'This browser encodes no video (it has no VideoEncoder)' : 'Save a video of one pass, as it is seen (R)';
    this.button = element('button', {type: 'button', class: 'record', title: why, 'aria-label': 'Save a video', click: () => this.toggle()}, idleText);
    this.button.disabled = !stage || !canEncode;
  }

  /** Begins, or ends before the pass does; what was filmed is saved. */
  toggle() {
    if (!this.stage || this.button.disabled) return;
    if (this.running) this.running.abort();
    else void this.film(this.stage, (this.running = new AbortController()).signal);
  }

  private async film(stage: Stage, ending: AbortSignal) {
    this.problem.hidden = true;
    this.button.classList.add('recording');
    this.showProgress(0);
    const count = this.pass.begin(framesPerSecond);
    let take: Take | null = null;
    try {
      const source = stage.renderer.domElement;
      // Codecs halve the resolution of colours.
      this.canvas.width = Math.max(source.width - (source.width % 2), 2);
      this.canvas.height = Math.max(source.height - (source.height % 2), 2);
      take = await Take.of(this.canvas);
      for (let frame = 0; frame < count; ++frame) {
        this.pass.show(frame);
        stage.render();
        this.paint(source);
        await take.add();
        this.showProgress((frame + 1) / count);
        await pause();
        if (ending.aborted) break;
      }
      const film = await take.finish();
      download(`${this.name.replace(/[^\w.-]+/g, '_')}.webm`, film);
    } catch (error) {
      this.problem.textContent = `No video: ${error instanceof Error ? error.message : String(error)}.`;
      this.problem.hidden = false;
    } finally {
      take?.close();
      this.pass.end();
      this.button.textContent = idleText;
      this.button.classList.remove('recording');
      this.running = null;
    }
  }

  private showProgress(share: number) {
    this.button.textContent = `■ ${Math.round(100 * share)} %`;
  }

  private paint(source: HTMLCanvasElement) {
    const {canvas} = this, ctx = canvas.getContext('2d', {alpha: false}) as CanvasRenderingContext2D;
    ctx.drawImage(source, 0, 0, canvas.width, canvas.height);
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
