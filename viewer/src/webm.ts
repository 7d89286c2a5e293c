// SPDX-License-Identifier: BSD-3-Clause
// Films in WebM, a subset of Matroska (RFC 9559), which is EBML (RFC 8794): a tree of elements, each one
//
//     identifier | size of what follows | content                                                              (1)
//
// with the size in a variable number of bytes: as many leading zero bits as bytes follow the first one, then a one, then
// the number. We write 8 bytes always, so that an element's size does not depend on the numbers in it. A film is
//
//     EBML     which kind of file this is
//     Segment  Info     unit of time (1 ms), duration
//              Tracks   one track: codec, size of the picture, time per frame
//              Cues     for each cluster its time and where it begins, from the Segment's content
//              Cluster* its time, then SimpleBlocks: track, time since the cluster's in 16 bits, flags, encoded frame    (2)
//
// Each cluster begins with a key frame, so a player that looks for a time reads from the cue before it. The Cues stand in
// front, and so a player needs nothing of the end to find its way.

type Bytes = Uint8Array<ArrayBuffer>;

/** As many bytes as it takes, the most significant first. */
function bigEndian(value: number, count: number): Bytes {
  const bytes = new Uint8Array(count);
  for (let i = count - 1, rest = value; i >= 0; --i, rest = Math.floor(rest / 256)) bytes[i] = rest % 256;
  return bytes;
}

function joined(parts: Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Identifier and size, Eq. (1). */
function head(id: number, size: number): Bytes {
  const length = bigEndian(size, 8);
  length[0] = 0x01;
  return joined([bigEndian(id, Math.ceil(Math.log2(id + 1) / 8)), length]);
}

function tree(id: number, ...content: Bytes[]): Bytes {
  const inside = joined(content);
  return joined([head(id, inside.length), inside]);
}

const unsigned = (id: number, value: number) => tree(id, bigEndian(value, 8));
const text = (id: number, value: string) => tree(id, new TextEncoder().encode(value));

function float(id: number, value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return tree(id, bytes);
}

/** One encoded picture. */
export interface Frame {
  data: Bytes;
  time: number; // s
  isKey: boolean;
}

export interface Track {
  codec: 'V_VP9' | 'V_VP8';
  width: number;
  height: number;
  framesPerSecond: number;
}

const toMilliseconds = (seconds: number) => Math.round(1000 * seconds);

/** Takes frames in the order of their times, the first of them a key frame. */
export class WebmWriter {
  private readonly clusters: {time: number; size: number; content: Blob}[] = [];
  private open: Frame[] = []; // of the cluster that is not whole yet
  frames = 0;

  constructor(private readonly track: Track) {}

  add(frame: Frame) {
    if (frame.isKey) this.close();
    this.open.push(frame);
    ++this.frames;
  }

  /** Eq. (2) of the frames since the last key frame. A Blob: the browser may keep it out of its memory. */
  private close() {
    if (this.open.length === 0) return;
    const time = toMilliseconds(this.open[0].time);
    const blocks = this.open.map((frame) => tree(0xa3, Uint8Array.of(0x81), bigEndian(toMilliseconds(frame.time) - time, 2),
      Uint8Array.of(frame.isKey ? 0x80 : 0), frame.data));
    const cluster = tree(0x1f43b675, unsigned(0xe7, time), ...blocks);
    this.clusters.push({time, size: cluster.length, content: new Blob([cluster])});
    this.open = [];
  }

  finish(): Blob {
    this.close();
    const {codec, width, height, framesPerSecond} = this.track;
    const ebml = tree(0x1a45dfa3, unsigned(0x4286, 1), unsigned(0x42f7, 1), unsigned(0x42f2, 4), unsigned(0x42f3, 8), text(0x4282, 'webm'),
      unsigned(0x4287, 4), unsigned(0x4285, 2));
    const info = tree(0x1549a966, unsigned(0x2ad7b1, 1e6), float(0x4489, (1000 * this.frames) / framesPerSecond), text(0x4d80, 'Limber'),
      text(0x5741, 'Limber'));
    const tracks = tree(0x1654ae6b, tree(0xae, unsigned(0xd7, 1), unsigned(0x73c5, 1), unsigned(0x83, 1), unsigned(0x9c, 0), text(0x86, codec),
      unsigned(0x23e383, Math.round(1e9 / framesPerSecond)), tree(0xe0, unsigned(0xb0, width), unsigned(0xba, height))));
    // Where clusters are depends on how long their list is, and that not on what it says.
    const cues = (begin: number) => {
      let at = begin;
      return tree(0x1c53bb6b, ...this.clusters.map(({time, size}) => {
        const cue = tree(0xbb, unsigned(0xb3, time), tree(0xb7, unsigned(0xf7, 1), unsigned(0xf1, at)));
        at += size;
        return cue;
      }));
    };
    const begin = info.length + tracks.length + cues(0).length;
    const size = this.clusters.reduce((sum, cluster) => sum + cluster.size, begin);
    return new Blob([ebml, head(0x18538067, size), info, tracks, cues(begin), ...this.clusters.map(({content}) => content)], {type: 'video/webm'});
  }
}
