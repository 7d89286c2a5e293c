// SPDX-License-Identifier: BSD-3-Clause
// Several results on one page, parts of figures, degrees, colours by moment, and films.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {checkLook, drawn, limber, models, open, path, picture, screenshots, simulated, startBrowser, stopBrowser, table, written} from './browser.mjs';
import {read, sampled, watch} from './webm.mjs';

const degree = Math.PI / 180;
let three, crane; // pages that several tests use

// A rail that slides and a hinge that turns: one figure has metres and radians. Two rigid links and nothing that bends in the first.
const railAndHinge = `limber: 1
model:
  name: rail and hinge
  links:
    - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 5, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [0, 0, 0.5]}}}
    - {name: boom, joint: {name: hinge, type: revolute, axis: [0, 1, 0]}, rigid: {mass: 2, com: [1, 0, 0], inertia: [0.1, 0.7, 0.7, 0, 0, 0], tip: {xyz: [2, 0, 0]}}}
    - {name: tool, joint: {name: wrist, type: fixed}, rigid: {mass: 3, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0], tip: {xyz: [0.4, 0, 0]}}}
actuation:
  - {joint: rail, type: prescribed, target: {value: 0.25}}
  - {joint: hinge, type: prescribed, target: {value: 0.5}}
duration: 0.5
`;

before(async () => {
  await startBrowser();
  const scenario = join(models, 'canadarm/manoeuvre.yaml');
  for (const formulation of ['recursive', 'dense', 'dae']) limber('simulate', scenario, '-o', path(`${formulation}.h5`), '--formulation', formulation, '--quiet');
  limber('report', path('recursive.h5'), path('dense.h5'), path('dae.h5'), '-o', path('three.html'), '--quiet');
  three = await open(path('three.html'));
  limber('report', path('recursive.h5'), '-o', path('one.html'), '--quiet');
  crane = await open(simulated('crane', join(models, 'crane/manoeuvre.yaml')));
});

after(stopBrowser);

/** What is drawn in a figure: one entry for each curve that is seen. */
const shown = (page, id) => page.evaluate((figure) => window.limber.plots.find((plot) => plot.id === figure).styles, id);

test('a run has one colour and one dash, in every figure, in its legend and among the results', async () => {
  const chips = await three.evaluate(() => [...document.querySelectorAll('.filters .legend button')].map((chip) => ({
    label: chip.textContent, swatch: chip.querySelector('.swatch').style.background})));
  assert.deepEqual(chips.map(({label}) => label), ['recursive', 'dense', 'dae']);
  const styles = new Map();
  const ids = await three.evaluate(() => window.limber.plots.map(({id}) => id));
  for (const id of ids)
    for (const {name, color, dash, swatch} of await shown(three, id)) {
      if (name.endsWith('reference')) continue;
      const run = name.slice(name.lastIndexOf(', ') + 2), style = JSON.stringify({color, dash});
      styles.set(run, styles.get(run) ?? style);
      assert.equal(style, styles.get(run), `${id}: ${name}`);
      assert.equal(swatch, chips.find(({label}) => label === run).swatch, `${id}: ${name}`);
      // The swatch is made of the curve's own colour and dash.
      const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
      assert.ok(swatch.includes(`rgb(${r}, ${g}, ${b})`), swatch);
      assert.equal(swatch.includes('gradient'), dash.length > 0, swatch);
    }
  assert.equal(styles.size, 3);
  const parsed = [...styles.values()].map((style) => JSON.parse(style));
  assert.equal(new Set(parsed.map(({color}) => color)).size, 3);
  assert.equal(new Set(parsed.map(({dash}) => dash.join())).size, 3);
});

test('three results are legible: one quantity at a time, the reference that all follow once', async () => {
  const first = await shown(three, 'joints');
  assert.deepEqual(first.map(({name}) => name), ['joint1, recursive', 'joint1 reference', 'joint1, dense', 'joint1, dae']);
  assert.deepEqual(first.map(({legend}) => legend), ['recursive', 'reference', 'dense', 'dae']);
  await three.getByLabel('Which part of Joint positions', {exact: true}).selectOption('joint3');
  assert.deepEqual((await shown(three, 'joints')).map(({name}) => name), ['joint3, recursive', 'joint3 reference', 'joint3, dense', 'joint3, dae']);
  await three.getByLabel('Which part of Joint positions', {exact: true}).selectOption('all');
  assert.equal((await shown(three, 'joints')).length, 12);
  // A run that is not wanted goes from all figures and from the scene.
  await three.evaluate(() => window.limber.player.seek(3.03));
  const before = await picture(three);
  await three.locator('.filters .legend button').nth(0).click();
  assert.deepEqual((await shown(three, 'deflection')).map(({legend}) => legend), ['dense', 'dae']);
  assert.notEqual(await picture(three), before);
  await three.locator('.filters .legend button').nth(0).click();
  assert.deepEqual(three.said, []);
  await checkLook(three, 'three-compared');
  await three.evaluate(() => document.querySelector('.filters').scrollIntoView());
  await drawn(three);
  await three.screenshot({path: join(screenshots, 'three-compared-plots.png')});
});

test('plots show one joint or one link', async () => {
  await crane.getByLabel('Joint', {exact: true}).selectOption('joint2');
  await crane.getByLabel('Link', {exact: true}).selectOption('link3');
  const names = async (id) => (await shown(crane, id)).map(({name}) => name);
  assert.deepEqual(await names('joints'), ['joint2', 'joint2 reference']);
  assert.deepEqual(await names('moments'), ['joint2 mx', 'joint2 my', 'joint2 mz']);
  assert.deepEqual(await names('deflection'), ['link3 y', 'link3 z']);
  assert.equal((await names('end-effector')).length, 3); // of the arm as a whole
  await crane.getByLabel('Joint', {exact: true}).selectOption('');
  await crane.getByLabel('Link', {exact: true}).selectOption('');
  assert.equal((await names('joints')).length, 8);
  assert.deepEqual(crane.said, []);
});

test('angles are in radians or degrees: curves, legend, tables and CSV', async () => {
  const page = await open(simulated('rail', written('rail.yaml', railAndHinge)));
  const state = () => page.evaluate(() => {
    const plot = window.limber.plots.find(({id}) => id === 'joints');
    const last = Object.fromEntries(plot.names.map((name, i) => [name, plot.data[i + 1].at(-1)]));
    return {...last, label: plot.section.querySelector('.unit').textContent, head: plot.csv().split('\n')[0]};
  });
  const radians = await state();
  assert.ok(Math.abs(radians.hinge - 0.5) < 1e-6 && Math.abs(radians.rail - 0.25) < 1e-6);
  assert.equal(radians.label, '[rad or m]');
  await page.keyboard.press('d');
  const degrees = await state();
  assert.ok(Math.abs(degrees.hinge - 0.5 / degree) < 1e-4, String(degrees.hinge));
  assert.equal(degrees.rail, radians.rail);
  assert.equal(degrees.label, '[deg or m]');
  assert.match(degrees.head, /"hinge \[deg or m\]"/);
  await page.getByLabel('Angles in').selectOption('rad');
  assert.deepEqual(await state(), radians);
  assert.deepEqual(page.said, []);
  await page.close();
  const joints = () => crane.evaluate(() => document.querySelectorAll('.summary table')[1].textContent);
  assert.match(await joints(), /deviation \[rad\]rate \[rad\/s\]effort \[N m\]joint10\.7854 at 3 s/);
  await crane.getByLabel('Angles in').selectOption('deg');
  assert.match(await joints(), /deviation \[deg\]rate \[deg\/s\]effort \[N m\]joint145 at 3 s/);
  await crane.getByLabel('Angles in').selectOption('rad');
});

test('a rigid link has the colour of the moment in its joints', async () => {
  const page = await open(path('rail.html'));
  await page.getByLabel('Colours').selectOption('moment');
  // At rest: about the hinge the weight of boom (2 kg, 1 m out) and tool (3 kg, 2.2 m out), at 0.5 rad below the horizon; the cart carries it on.
  const expected = 9.81 * Math.cos(0.5) * (2 * 1 + 3 * 2.2);
  const largest = Number.parseFloat(await page.locator('.heat span').last().textContent());
  assert.ok(Math.abs(largest - expected) < 0.01 * expected, `${largest}, expected ${expected}`);
  const stored = table(path('rail.csv'));
  assert.ok(Math.abs(Math.abs(stored['wrench.hinge.my'].at(-1)) - expected) < 1e-6);
  const ends = await page.evaluate(() => window.limber.moments(0));
  const near = (value, wanted, what) => assert.ok(Math.abs(value - wanted) < 1e-3 * expected, `${what}: ${value}, expected ${wanted}`);
  near(ends[1][0], expected, 'root of the boom');
  near(ends[1][1], 9.81 * Math.cos(0.5) * 3 * 0.2, 'tip of the boom');
  near(ends[0][1], expected, 'tip of the cart');
  near(ends[2][1], 0, 'tip of the tool');
  await page.close();
  // Nothing is claimed where the result holds no wrenches.
  const bare = await open(simulated('bare', written('bare.yaml', `${railAndHinge}output: {wrenches: false}\n`)));
  await bare.getByLabel('Colours').selectOption('moment');
  assert.ok(await bare.getByText('grey: rigid').isVisible());
  await bare.close();
});

const framesPerSecond = 30;
const near = (value, wanted, tolerance, what) => assert.ok(Math.abs(value - wanted) <= tolerance, `${what}: ${value}, expected ${wanted}`);

/** Films by the key, and takes what is saved. Without the browser's frames: nobody may be looking. */
async function filmed(page) {
  await page.evaluate(() => (window.requestAnimationFrame = () => 0));
  const downloaded = page.waitForEvent('download');
  await page.keyboard.press('r');
  const film = await downloaded;
  assert.match(film.suggestedFilename(), /^[\w-]+\.webm$/);
  return readFileSync(await film.path());
}

/** Frames, times, key frames, cues and size of a film. */
async function checkFilm(film, count, page) {
  assert.equal(film.frames.length, count);
  film.frames.forEach(({time, isKey}, i) => {
    near(time, i / framesPerSecond, 6e-4, `time of frame ${i}`);
    if (i % framesPerSecond === 0) assert.ok(isKey, `frame ${i}`);
  });
  near(film.duration, count / framesPerSecond, 1e-9, 'duration');
  assert.deepEqual(film.cues, film.frames.filter(({isKey}) => isKey).map(({time}) => time));
  const size = await page.evaluate(() => [document.querySelector('canvas').width, document.querySelector('canvas').height]);
  assert.deepEqual([film.width, film.height], size.map((pixels) => pixels - (pixels % 2)));
}

/** The same film by the browser's own demuxer and decoder, and some of its pictures. */
async function checkDecoded(bytes, film, picked) {
  const seen = await watch(bytes, film, picked);
  assert.deepEqual([seen.videoWidth, seen.videoHeight, seen.count, seen.pictures.length], [film.width, film.height, film.frames.length, picked.length]);
  near(seen.duration, film.duration, 1e-3, 'duration in a player');
  [0.6, 0.2, 0.95].forEach((share, i) => near(seen.reached[i], share * film.duration, 1e-3, 'sought'));
  return seen.pictures;
}

/** Root mean square of two pictures' differences, of 255. */
const difference = (a, b) => {
  assert.ok(a.length > 0 && a.length === b.length);
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0) / a.length);
};

/** Each picture of a film is the one on screen at its time, rather than at another's. */
async function checkPictures(page, film, pictures, show) {
  for (const [i] of pictures.entries()) {
    await show(i);
    const screen = await page.evaluate(`(${sampled})(document.querySelector('canvas'), ${film.width}, ${film.height})`);
    const away = pictures.map((one) => difference(one, screen));
    away.forEach((value, k) => assert.ok(k === i ? value < 10 : value > 2 * away[i], `picture ${i} of the screen is ${away} from those of the film`));
  }
}

test('a run is filmed frame by frame, without a network', async () => {
  const page = await open(path('one.html'));
  await page.getByLabel('Speed').selectOption('8');
  await page.evaluate(() => window.limber.player.seek(2.5));
  const bytes = await filmed(page), film = read(bytes);
  // 10 s at eight times their speed: 37.5 steps of a film, and its first picture.
  await checkFilm(film, 39, page);
  const pictures = await checkDecoded(bytes, film, [0, 19, 38]);
  // Afterwards the page is as it was.
  await page.locator('.record:not(.recording)').waitFor();
  assert.equal(await page.locator('.record').textContent(), '● video');
  assert.deepEqual(await page.evaluate(() => [window.limber.player.time, window.limber.player.isPlaying, window.limber.player.loops]), [2.5, false, true]);
  assert.deepEqual(page.said, []);
  await page.close();
  const beside = await open(path('one.html'));
  await checkPictures(beside, film, pictures, async (i) => {
    await beside.evaluate((time) => window.limber.player.seek(time), [0, 19 * 8 / framesPerSecond, 10][i]);
    await drawn(beside);
  });
  await beside.close();
});

test('a mode is filmed for whole periods', async () => {
  limber('modes', join(models, 'ella/ella.yaml'), '--report', path('modes.html'), '--quiet');
  const page = await open(path('modes.html'));
  const before = await page.evaluate(() => window.limber.state.phase);
  // The lowest mode takes 2.5 s on screen.
  const bytes = await filmed(page), film = read(bytes), count = 2 * 2.5 * framesPerSecond;
  await checkFilm(film, count, page);
  const pictures = await checkDecoded(bytes, film, [0, 19, 131]);
  await page.locator('.record:not(.recording)').waitFor();
  assert.deepEqual(await page.evaluate(() => [window.limber.state.phase, window.limber.state.isPlaying]), [before, false]);
  assert.deepEqual(page.said, []);
  await page.close();
  const beside = await open(path('modes.html'));
  await checkPictures(beside, film, pictures, async (i) => {
    await beside.evaluate((phase) => {
      window.limber.state.phase = phase;
      window.limber.draw();
    }, 4 * Math.PI * [0, 19, 131][i] / count);
    await drawn(beside);
  });
  await beside.close();
});

test('a film that is ended early is what was filmed until then', async () => {
  const page = await open(path('one.html'));
  // Pressed again after the twelfth of 301 pictures: the observer is told before anything else happens.
  await page.evaluate(() => {
    const button = document.querySelector('.record');
    let shown = 0;
    new MutationObserver(() => {
      if (button.textContent.startsWith('■') && ++shown === 13) button.click();
    }).observe(button, {childList: true});
  });
  const film = read(await filmed(page));
  await checkFilm(film, 12, page);
  await page.locator('.record:not(.recording)').waitFor();
  assert.deepEqual(page.said, []);
  await page.close();
});

test('a browser that encodes no video says so', async () => {
  const page = await open(path('one.html'), {first: () => delete window.VideoEncoder});
  assert.ok(await page.locator('.record').isDisabled());
  assert.match(await page.locator('.record').getAttribute('title'), /encodes no video/);
  await page.keyboard.press('r');
  assert.equal(await page.locator('.record').textContent(), '● video');
  assert.deepEqual(page.said, []);
  await page.close();
});

test('a codec that fails is reported, and the page goes on', async () => {
  const page = await open(path('one.html'), {first: () => {
    const Good = window.VideoEncoder;
    window.VideoEncoder = class extends Good {
      constructor(init) {
        super(init);
        this.fail = init.error;
      }
      encode(frame, options) {
        super.encode(frame, options);
        if (frame.timestamp > 150000) this.fail(new DOMException('the encoder has no ink'));
      }
    };
  }});
  await page.evaluate(() => window.limber.player.seek(1.5));
  await page.keyboard.press('r');
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').textContent(), /No video: the encoder has no ink/);
  assert.equal(await page.locator('.record').textContent(), '● video');
  assert.equal(await page.evaluate(() => window.limber.player.time), 1.5);
  assert.deepEqual(page.said, []);
  await page.close();
});
