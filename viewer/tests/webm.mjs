// SPDX-License-Identifier: BSD-3-Clause
// Reads a WebM film, by RFC 8794 and 9559, and has a browser decode it.

import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';
import {blank, written} from './browser.mjs';

// EBML, Segment, Info, Tracks, TrackEntry, Video, Cues, CuePoint, CueTrackPositions, Cluster
const parents = new Set([0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1c53bb6b, 0xbb, 0xb7, 0x1f43b675]);

/** A number with its own length in front; an identifier keeps the mark of its length. */
function variable(bytes, at, keepsMark) {
  const length = Math.clz32(bytes[at]) - 23;
  assert.ok(length <= 8, `no length at byte ${at}`);
  let value = keepsMark ? bytes[at] : bytes[at] & (0xff >> length);
  for (let i = 1; i < length; ++i) value = 256 * value + bytes[at + i];
  return {value, next: at + length};
}

/** Elements one after the other: where each begins, and its content. */
function elements(bytes, begin, end) {
  const found = [];
  for (let at = begin; at < end;) {
    const id = variable(bytes, at, true), size = variable(bytes, id.next, false), after = size.next + size.value;
    assert.ok(after <= end, `element ${id.value.toString(16)} at byte ${at} is longer than what holds it`);
    found.push({id: id.value, at, inside: size.next, bytes: bytes.subarray(size.next, after),
      parts: parents.has(id.value) ? elements(bytes, size.next, after) : []});
    at = after;
  }
  return found;
}

const all = (element, ...way) => way.reduce((level, id) => level.flatMap(({parts}) => parts.filter((part) => part.id === id)), [element]);
const one = (element, ...way) => {
  const found = all(element, ...way);
  assert.equal(found.length, 1, `${found.length} elements ${way.map((id) => id.toString(16))}`);
  return found[0];
};
const unsigned = ({bytes}) => bytes.reduce((value, byte) => 256 * value + byte, 0);

/** What a film says of itself, and its encoded frames. Times in seconds. */
export function read(bytes) {
  const [ebml, segment, ...more] = elements(bytes, 0, bytes.length);
  assert.deepEqual([ebml.id, segment.id, more.length], [0x1a45dfa3, 0x18538067, 0]);
  assert.equal(one(ebml, 0x4282).bytes.toString(), 'webm');
  const unit = 1e-9 * unsigned(one(segment, 0x1549a966, 0x2ad7b1));
  const duration = unit * one(segment, 0x1549a966, 0x4489).bytes.readDoubleBE();
  const track = one(segment, 0x1654ae6b, 0xae), number = unsigned(one(track, 0xd7));
  const frames = all(segment, 0x1f43b675).flatMap((cluster) => all(cluster, 0xa3).map(({bytes: block}) => {
    assert.equal(variable(block, 0, false).value, number);
    return {time: unit * (unsigned(one(cluster, 0xe7)) + block.readInt16BE(1)), isKey: (block[3] & 0x80) !== 0, data: block.subarray(4)};
  }));
  // A cue points at a cluster of its time, which begins with a key frame.
  const cues = all(segment, 0x1c53bb6b, 0xbb).map((cue) => {
    const at = segment.inside + unsigned(one(cue, 0xb7, 0xf1)), cluster = segment.parts.find((part) => part.at === at && part.id === 0x1f43b675);
    assert.ok(cluster, `no cluster at byte ${at}`);
    assert.equal(unsigned(one(cue, 0xb3)), unsigned(one(cluster, 0xe7)));
    assert.ok(all(cluster, 0xa3)[0].bytes[3] & 0x80, 'a cluster begins with a key frame');
    return unit * unsigned(one(cue, 0xb3));
  });
  return {duration, frames, cues, codec: one(track, 0x86).bytes.toString(), width: unsigned(one(track, 0xe0, 0xb0)), height: unsigned(one(track, 0xe0, 0xba))};
}

/** Runs in a page: every fourth pixel of every fourth row below the captions, as red, green, blue, one after the other. */
export function sampled(source, width, height) {
  const ctx = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
  ctx.drawImage(source, 0, 0, width, height);
  const {data} = ctx.getImageData(0, 0, width, height), samples = [];
  for (let y = Math.floor(height / 4); y < height; y += 4)
    for (let x = 0; x < width; x += 4) samples.push(...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3));
  return samples;
}

/** The film in a browser: as a player sees the file, how many pictures are decoded, and samples of those that are picked. */
export async function watch(bytes, {codec, frames}, picked) {
  const page = await blank(); // our pages' own policy plays no films
  await page.goto(pathToFileURL(written('cinema.html', '<!doctype html><title>cinema</title>')).href);
  await page.evaluate(`window.sampled = ${sampled}`);
  const seen = await page.evaluate(async ({film, codec, frames, picked}) => {
    const decoded = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const video = document.createElement('video');
    video.muted = true;
    const heard = (name) => new Promise((done, fail) => {
      video.addEventListener(name, done, {once: true});
      video.addEventListener('error', () => fail(new Error(video.error.message)), {once: true});
    });
    const loaded = heard('loadeddata');
    video.src = URL.createObjectURL(new Blob([decoded(film)], {type: 'video/webm'}));
    await loaded;
    const {videoWidth, videoHeight, duration} = video, reached = [];
    for (const share of [0.6, 0.2, 0.95]) {
      const sought = heard('seeked');
      video.currentTime = share * duration;
      await sought;
      reached.push(video.currentTime);
    }
    // Every frame by itself: which are decoded does not depend on when a player shows them.
    const pictures = [];
    let count = 0;
    const decoder = new VideoDecoder({
      output(frame) {
        if (picked.includes(count++)) pictures.push(window.sampled(frame, frame.displayWidth, frame.displayHeight));
        frame.close();
      },
      error(error) { throw error; },
    });
    decoder.configure({codec: codec === 'V_VP9' ? 'vp09.00.51.08' : 'vp8'});
    for (const {time, isKey, data} of frames) decoder.decode(new EncodedVideoChunk({type: isKey ? 'key' : 'delta', timestamp: Math.round(1e6 * time), data: decoded(data)}));
    await decoder.flush();
    return {videoWidth, videoHeight, duration, reached, count, pictures};
  }, {film: bytes.toString('base64'), codec, frames: frames.map((frame) => ({...frame, data: frame.data.toString('base64')})), picked});
  await page.close();
  return seen;
}
