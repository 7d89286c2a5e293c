// SPDX-License-Identifier: BSD-3-Clause
// The pages in a real browser.

import assert from 'node:assert/strict';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {blank, checkLook, drawn, launch, limber, models, open, path, picture, screenshots, simulated, startBrowser, stopBrowser, table, written} from './browser.mjs';

let canadarm; // one page that several tests use

/** The shared page, as it was when it opened. */
async function again() {
  await canadarm.evaluate(() => {
    window.limber.player.play(false);
    window.limber.player.seek(0);
    window.limber.magnify(1);
  });
  return canadarm;
}

// Every joint type, second order, a branch in the middle of a beam, an offset end effector.
const everyJoint = `limber: 1
model:
  name: every joint
  links:
    - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 5, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [0, 0.2, 0.5], rpy: [0.1, 0.2, 0.3]}}}
    - {name: lift, joint: {name: spindle, type: screw, axis: [0, 1, 2], pitch: 0.1}, rigid: {mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], tip: {xyz: [0.1, 0, 0.2]}}}
    - {name: rod, joint: {name: sleeve, type: cylindrical, axis: [1, 1, 0]}, rigid: {mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], tip: {xyz: [0, 0.1, 0]}}}
    - name: boom
      joint: {name: shoulder, type: universal, axes: [[0, 0, 1], [0, 1, 0]]}
      root: {xyz: [0.1, 0, 0], rpy: [0.2, 0, 0.1], mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
      beam: {length: 2, section: {EI_y: 300, EI_z: 200, GJ: 150, EA: 1e5, mass_per_length: 2, rotary_inertia: [0.01, 0.005, 0.005]},
             modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}, axial: {count: 1}}}
    - name: side
      attach: 0.5
      joint: {name: ball, type: spherical}
      beam: {length: 1, section: {EI_y: 100, EI_z: 100, mass_per_length: 1, rotary_inertia: [0.01, 0.005, 0.005]}, modes: {y: {count: 2}, z: {count: 2}}}
      tip: {mass: 1}
    - {name: weld, parent: boom, joint: {type: fixed}, origin: {xyz: [0, 0.1, 0], rpy: [0, 0.4, 0]}, rigid: {mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], tip: {xyz: [0.3, 0, 0]}}}
    - {name: bird, parent: base, joint: {name: flight, type: free}, rigid: {mass: 1, inertia: [0.1, 0.2, 0.3, 0, 0, 0], tip: {xyz: [0.2, 0, 0]}}}
  end_effector: {link: side, xyz: [0.05, 0.1, 0], rpy: [0, 0, 0.5]}
initial: {q: {ball.1: 0.6, ball.2: 0, ball.3: 0, ball.4: 0.8, shoulder.2: 0.2}, v: {spindle: 1, sleeve.1: 0.7, sleeve.2: -0.3, shoulder.1: 0.5, flight.4: 2, flight.2: 1}}
duration: 1
output: {rate: 50}
`;

const evil = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><!--';
const evilScenario = `# ${evil}
limber: 1
model:
  name: "<img src=x onerror='window.hacked = 3'> & </title></script><script>window.hacked = 4</script>"
  links:
    - {name: boom, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, beam: {length: 1, section: {EI_z: 10, mass_per_length: 1}, modes: {y: {count: 2}}}}
duration: 0.2
`;

before(async () => {
  await startBrowser();
  canadarm = await open(simulated('canadarm', join(models, 'canadarm/manoeuvre.yaml')));
});

after(stopBrowser);

test('a report opens from a file, in silence, and asks for nothing', async () => {
  const page = await again();
  await drawn(page);
  assert.deepEqual(page.said, []);
  assert.match(await page.title(), /canadarm/);
  assert.ok(statSync(path('canadarm.html')).size < 2e6);
  const text = await page.textContent('body');
  for (const expected of ['manoeuvre.yaml', 'recursive', 'variable-radau (auto)', '152.8', 'No warnings']) assert.ok(text.includes(expected), expected);
});

for (const [name, scenario] of [['canadarm', null], ['ella', 'ella/reach.yaml'], ['crane', 'crane/manoeuvre.yaml'], ['every-joint', everyJoint]])
  test(`the tip in the scene is the stored one: ${name}`, async () => {
    if (scenario) simulated(name, scenario.includes('\n') ? written(`${name}.yaml`, scenario) : join(models, scenario));
    const stored = table(path(`${name}.csv`)), rows = stored.time.length;
    const page = scenario ? await open(path(`${name}.html`)) : await again();
    for (const row of [0, Math.floor(rows / 3), rows - 1]) {
      const tip = await page.evaluate((time) => {
        window.limber.player.seek(time);
        return window.limber.tip();
      }, stored.time[row]);
      ['x', 'y', 'z'].forEach((axis, i) =>
        assert.ok(Math.abs(tip[i] - stored[`end_effector.${axis}`][row]) < 3e-6, `${axis} at row ${row}: ${tip[i]}, stored ${stored[`end_effector.${axis}`][row]}`));
    }
    assert.deepEqual(page.said, []);
    await page.evaluate(() => window.limber.player.seek(0.4 * window.limber.player.end));
    if (name === 'crane') await checkLook(page, name);
    else {
      await drawn(page);
      await page.screenshot({path: join(screenshots, `${name}.png`)});
    }
    if (scenario) await page.close();
  });

test('plots have a point for every row, and the stored last values', async () => {
  const stored = table(path('canadarm.csv'));
  const page = await again();
  const plots = await page.evaluate(() => window.limber.plots.map(({id, names, data, overTime}) => ({
    id, names, overTime, points: data[0].length, last: data.map((column) => column[column.length - 1])})));
  const ids = plots.map(({id}) => id);
  assert.deepEqual(ids, ['joints', 'deviation', 'rates', 'efforts', 'deflection', 'error', 'end-effector', 'forces', 'moments', 'power', 'energy', 'energy-error', 'spectrum']);
  const last = (id, name) => {
    const plot = plots.find((one) => one.id === id);
    return plot.last[plot.names.indexOf(name) + 1];
  };
  for (const {id, points} of plots.filter(({overTime}) => overTime)) assert.equal(points, stored.time.length, id);
  const near = (value, expected, what) => assert.ok(Math.abs(value - expected) <= 1e-6 * Math.max(1, Math.abs(expected)), `${what}: ${value}, stored ${expected}`);
  const end = (column) => stored[column][stored.time.length - 1];
  near(last('joints', 'joint2'), end('q.joint2'), 'joint2');
  near(last('joints', 'joint3 reference'), 0.1 * (10 - (5 / Math.PI) * Math.sin(2 * Math.PI)), 'reference');
  near(last('deviation', 'joint3'), end('q.joint3') - 1, 'deviation');
  near(last('rates', 'joint1'), end('v.joint1'), 'rate');
  near(last('efforts', 'joint1'), end('effort.joint1'), 'effort');
  near(last('end-effector', 'y'), end('end_effector.y'), 'y');
  near(last('moments', 'joint2 mz'), end('wrench.joint2.mz'), 'moment');
  near(last('power', 'joint1'), end('effort.joint1') * end('v.joint1'), 'power');
  near(last('energy', 'kinetic'), end('energy.kinetic'), 'kinetic');
  // The largest deflection of the whole run stands in the summary too, found by the simulation itself.
  const most = await page.evaluate(() => Math.max(...window.limber.plots.find(({id}) => id === 'deflection').data[1].map(Math.abs)));
  assert.ok(Math.abs(most - 152.8) < 0.05, String(most));
});

test('it plays, pauses, scrubs, loops and steps', async () => {
  const page = await again();
  const time = () => page.evaluate(() => window.limber.player.time);
  assert.equal(await time(), 0);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.limber.player.time > 0.2);
  await page.keyboard.press('Space');
  const paused = await time();
  await drawn(page);
  assert.equal(await time(), paused);
  await page.locator('.scrubber').fill('4');
  assert.equal(await time(), 4);
  assert.equal(await page.locator('.clock').textContent(), '4.00 s');
  await page.locator('.scrubber').blur();
  await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs((await time()) - 4.01) < 1e-9);
  await page.keyboard.press('Shift+ArrowLeft');
  assert.ok(Math.abs((await time()) - 3.91) < 1e-9);
  await page.keyboard.press('End');
  assert.equal(await time(), 10);
  const wrapped = await page.evaluate(() => {
    const {player} = window.limber;
    player.seek(9.9);
    player.isPlaying = true;
    player.advance(0.3);
    return player.time;
  });
  assert.ok(Math.abs(wrapped - 0.2) < 1e-9, String(wrapped));
  const stopped = await page.evaluate(() => {
    const {player} = window.limber;
    player.loops = false;
    player.seek(9.9);
    player.advance(0.3);
    return [player.time, player.isPlaying];
  });
  assert.deepEqual(stopped, [10, false]);
  assert.deepEqual(page.said, []);
});

test('it begins to move by itself, unless its reader wants less motion', async () => {
  const page = await open(path('canadarm.html'), {reducedMotion: 'no-preference'});
  await page.waitForFunction(() => window.limber.player.time > 0);
  await page.close();
});

test('magnification, ghost, colours and wrenches change the picture', async () => {
  const page = await again();
  await page.evaluate(() => window.limber.player.seek(3.03));
  const tip = () => page.evaluate(() => window.limber.tip());
  const [before, plain] = [await picture(page), await tip()];
  await page.evaluate(() => window.limber.magnify(10));
  assert.match(await page.locator('.magnified').textContent(), /10×/);
  const [after, magnified] = [await picture(page), await tip()];
  assert.notEqual(before, after);
  // Bending moves the tip by 0.46 m here; ten times as far, along the arc of its link.
  const way = Math.hypot(...magnified.map((value, i) => value - plain[i]));
  assert.ok(way > 2 && way < 6, String(way));
  let last = after;
  for (const change of ['ghost', 'wrenches', 'axes', 'trace']) {
    await page.getByRole('button', {name: change === 'ghost' ? 'Unbent ghost' : change === 'wrenches' ? 'Forces and moments' : change === 'axes' ? 'Joint axes' : 'Path of'}).click();
    const now = await picture(page);
    assert.notEqual(now, last, change);
    last = now;
  }
  await page.getByLabel('Colours').selectOption('moment');
  assert.notEqual(await picture(page), last);
  const largest = async () => Number.parseFloat((await page.locator('.heat span').last().textContent()));
  const moment = await largest();
  await page.getByLabel('Colours').selectOption('curvature');
  last = await picture(page);
  // This arm's beams have EI = 1e5 N m^2.
  assert.ok(Math.abs((await largest()) - moment / 1e5) < 0.01 * moment / 1e5, `${moment} ${await largest()}`);
  await page.getByLabel('View').selectOption('top');
  assert.notEqual(await picture(page), last);
});

test('plots zoom together, read out, and save', async () => {
  const page = await again();
  const first = page.locator('.plot .u-over').first();
  await first.scrollIntoViewIfNeeded();
  const box = await first.boundingBox();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 40, {steps: 4});
  await page.mouse.up();
  const ranges = await page.evaluate(() => window.limber.plots.filter(({overTime}) => overTime).map(({chart}) => [chart.scales.x.min, chart.scales.x.max]));
  for (const [min, max] of ranges) {
    assert.deepEqual([min, max], ranges[0]);
    assert.ok(min > 1 && max < 8, `${min} ${max}`);
  }
  // A click picks the time, and the legend shows the values there.
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 60);
  const time = await page.evaluate(() => window.limber.player.time);
  assert.ok(time > ranges[0][0] && time < ranges[0][1], String(time));
  await page.mouse.move(5, 5);
  const [shown, stored] = await page.evaluate(() => {
    const {plots, player, runs} = window.limber;
    return [Number(plots[0].section.querySelector('.legend output').textContent), plots[0].data[1][runs[0].rowAt(player.time)]];
  });
  assert.ok(Math.abs(shown - stored) <= 1e-3 * Math.abs(stored) + 1e-9, `${shown} ${stored}`);

  const csv = page.waitForEvent('download');
  await page.getByRole('button', {name: 'Save Joint positions as CSV'}).click();
  const lines = readFileSync(await (await csv).path(), 'utf8').trim().split('\n');
  assert.equal(lines.length, 1002);
  assert.ok(lines[0].startsWith('"time [s]","joint1 [rad]","joint1 reference [rad]"'), lines[0]);
  const png = page.waitForEvent('download');
  await page.getByRole('button', {name: 'Save Joint positions as PNG'}).click();
  assert.equal(readFileSync(await (await png).path()).subarray(1, 4).toString(), 'PNG');
  assert.deepEqual(page.said, []);
});

test('HTML in names and texts is text', async () => {
  const name = "<img src=x onerror='window.hacked=9'>";
  const file = simulated(name, written(`${name}.yaml`, evilScenario));
  for (const page of [await open(file), await open(modesOf(name))]) {
    await page.getByText('onerror').first().waitFor();
    await drawn(page);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('img, svg, b[onmouseover]').count(), 0);
    assert.deepEqual(page.said, []);
    // And if something of it became markup after all, the page's policy would not run it.
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 7';
      document.body.append(script);
      const holder = document.createElement('div');
      holder.innerHTML = '<img src="data:," onerror="window.hacked = 8">';
      document.body.append(holder);
    });
    await page.waitForTimeout(100);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await page.close();
  }
  limber('plot', path(`${name}.h5`), '--what', 'deflection', '-o', path('evil.svg'));
  const page = await again();
  const roots = await page.evaluate((text) => [...new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('script, parsererror, [onload], [onerror]')].length,
    readFileSync(path('evil.svg'), 'utf8'));
  assert.equal(roots, 0);
});

/** The modes of the model inside a scenario. */
function modesOf(name) {
  const text = readFileSync(path(`${name}.yaml`), 'utf8');
  const model = text.slice(text.indexOf('model:\n') + 7, text.indexOf('duration:')).replace(/^ {2}/gm, '');
  writeFileSync(path(`${name}-modes.yaml`), `limber: 1\n${model}`);
  limber('modes', path(`${name}-modes.yaml`), '--report', path(`${name}-modes.html`), '--quiet');
  return path(`${name}-modes.html`);
}

test('pictures are well-formed SVG with a curve for every column', async () => {
  const page = await again();
  for (const what of ['motion', 'joints', 'deviation', 'rates', 'efforts', 'deflection', 'error', 'end-effector', 'forces', 'moments', 'energy', 'energy-error', 'spectrum']) {
    limber('plot', path('canadarm.h5'), '--what', what, '-o', path(`${what}.svg`));
    const found = await page.evaluate((text) => {
      const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
      return {errors: svg.querySelectorAll('parsererror').length, curves: svg.querySelectorAll('path[clip-path]').length, text: svg.documentElement.textContent};
    }, readFileSync(path(`${what}.svg`), 'utf8'));
    assert.equal(found.errors, 0, what);
    const expected = await page.evaluate((id) => window.limber.plots.find((plot) => plot.id === id)?.names.length ?? 0, what);
    assert.equal(found.curves, expected, what);
    assert.ok(!/nan|inf\b/i.test(readFileSync(path(`${what}.svg`), 'utf8')), what);
  }
});

test('two results lie over each other', async () => {
  limber('simulate', join(models, 'canadarm/manoeuvre.yaml'), '-o', path('dense.h5'), '--formulation', 'dense', '--quiet');
  limber('report', path('canadarm.h5'), path('dense.h5'), '-o', path('both.html'), '--quiet');
  const page = await open(path('both.html'));
  const {names, arms, facts} = await page.evaluate(() => ({
    names: window.limber.plots[0].names, arms: [0, 1].map((run) => window.limber.tip(run)), facts: document.querySelector('.facts').textContent}));
  assert.equal(names.length, 9); // three joints of two runs, and the references that both follow
  assert.ok(names.includes('joint2, recursive') && names.includes('joint2, dense'), names.join());
  assert.match(facts, /recursive \| dense/);
  arms[0].forEach((value, i) => assert.ok(Math.abs(value - arms[1][i]) < 1e-5));
  assert.deepEqual(page.said, []);
  await page.evaluate(() => window.limber.player.seek(3.03));
  await checkLook(page, 'compared');
  await page.close();
});

test('results with other rows and other models lie over each other', async () => {
  const text = readFileSync(join(models, 'canadarm/manoeuvre.yaml'), 'utf8')
    .replace('model: canadarm.yaml', `model: ${join(models, 'canadarm/canadarm_spatial.yaml')}`).replace('rate: 100', 'rate: 37');
  simulated('other', written('other.yaml', text));
  limber('report', path('canadarm.h5'), path('other.h5'), '-o', path('mixed.html'), '--quiet');
  const page = await open(path('mixed.html'));
  const joints = await page.evaluate(() => {
    const {data} = window.limber.plots[0];
    return {rows: data[0].length, first: data[1].filter((value) => value != null).length, other: data[7].filter((value) => value != null).length};
  });
  assert.equal(joints.first, 1001);
  assert.equal(joints.other, 371);
  assert.ok(joints.rows > 1001);
  assert.deepEqual(page.said, []);
  await page.close();
});

// A round shaft along x that turns from y to z, seen from axes that turn with it: its slow mode goes round the same way, the fast one against it.
test('modes of a shaft that turns go round as they do', async () => {
  writeFileSync(path('shaft.yaml'), `limber: 1
name: shaft
gravity: [0, 0, 0]
links:
  - name: shaft
    joint: {name: spin, type: revolute, axis: [1, 0, 0]}
    beam: {length: 1, section: {EI_y: 10, EI_z: 10, mass_per_length: 2}, modes: {y: {count: 1}, z: {count: 1}}}
`);
  limber('modes', path('shaft.yaml'), '--spin', 'spin=2', '--report', path('shaft.html'), '--quiet');
  const page = await open(path('shaft.html'));
  const turns = await page.evaluate(() => [0, 1].map((mode) => {
    const at = (phase) => {
      Object.assign(window.limber.state, {mode, phase});
      window.limber.play(false);
      window.limber.draw();
      return window.limber.tip();
    };
    const [, y0, z0] = at(0.3), [, y1, z1] = at(0.4);
    return Math.sign(y0 * z1 - z0 * y1);
  }));
  assert.deepEqual(turns, [1, -1]);
  await page.close();
});

test('modes move as their shapes say', async () => {
  limber('modes', join(models, 'ella/ella.yaml'), '--report', path('modes.html'), '--count', '6', '--quiet');
  const {frequencies_hz: frequencies} = JSON.parse(limber('modes', join(models, 'ella/ella.yaml'), '--count', '6', '--json', '--quiet'));
  const page = await open(path('modes.html'));
  const shown = await page.evaluate(() => window.limber.data.modes.map((mode) => mode.frequency_hz));
  assert.deepEqual(shown, frequencies);
  const still = await picture(page);
  for (const mode of [0, 3]) {
    const {moved, rest, reach} = await page.evaluate((index) => {
      window.limber.choose(index);
      return {moved: window.limber.tip(), rest: window.limber.rest(), reach: window.limber.data.arm.reach};
    }, mode);
    const way = Math.hypot(...moved.map((value, i) => value - rest[i]));
    assert.ok(way > 0.001 * reach && way < 0.2 * reach, `mode ${mode}: ${way}`);
  }
  assert.notEqual(await picture(page), still);
  await page.keyboard.press('Space');
  const phase = await page.evaluate(() => window.limber.state.phase);
  await page.waitForFunction((before) => window.limber.state.phase > before, phase);
  assert.deepEqual(page.said, []);
  await page.keyboard.press('Space');
  await checkLook(page, 'modes');
  await page.close();
});

test('measured points move beside the mode that is like theirs', async () => {
  // Shapes of the computed modes themselves, in another order and size: points must then lie on the arm that moves.
  const model = join(models, 'lab_link/lab_link.yaml'), places = ['strip@0.4.y', 'strip@0.7.y', 'strip@1.0.y'];
  writeFileSync(path('seen.csv'), `frequency_hz,${places}\n18.9,0.610,0.560,-0.309\n2.41,0.2165,0.5734,1.0\n`);
  limber('modes', model, '--joints', 'locked', '--measured', path('seen.csv'), '--report', path('seen.html'), '--quiet');
  const page = await open(path('seen.html'));
  const seen = await page.evaluate(() => [0, 1].map((mode) => {
    window.limber.play(false);
    window.limber.choose(mode);
    window.limber.state.phase = Math.PI / 2;
    window.limber.draw();
    return {points: window.limber.measured(), tip: window.limber.tip(), rest: window.limber.rest(), text: document.querySelector('.magnified').textContent};
  }));
  for (const [mode, {points, tip, rest, text}] of seen.entries()) {
    assert.equal(points.length, 3);
    assert.match(text, /measured .* Hz, MAC (0\.99|1\.0)/);
    // Across the strip, as it was measured; along it the magnified strip shortens, which a shape does not.
    const way = tip[1] - rest[1], off = tip[1] - points[2][1];
    assert.ok(Math.abs(way) > 0.02 && Math.abs(off) < 0.02 * Math.abs(way), `mode ${mode}: tip ${tip}, its measured point ${points[2]}`);
  }
  assert.equal(await page.locator('.card table').count(), 2);
  await page.evaluate(() => window.limber.choose(2));
  assert.equal(await page.evaluate(() => window.limber.measured().length), 0);
  await page.evaluate(() => window.limber.choose(0));
  assert.deepEqual(page.said, []);
  await checkLook(page, 'measured-modes');
  await page.close();
});

test('a browser without WebGL still shows plots and tables', async () => {
  const bare = await launch('--disable-3d-apis');
  try {
    const page = await blank({reducedMotion: 'reduce'}, bare);
    await page.goto(`file://${path('canadarm.html')}`);
    await page.getByText('shows no 3D pictures').waitFor();
    await page.evaluate(() => window.limber.player.seek(5));
    assert.equal(await page.locator('.plot').count(), await canadarm.locator('.plot').count());
  } finally {
    await bare.close(); // one that is left open keeps this program waiting
  }
});

test('a minute of 15 coordinates at 200 Hz opens and runs', async (context) => {
  const scenario = (duration, rate) => `limber: 1
model: ${join(models, 'canadarm/canadarm_spatial.yaml')}
actuation: [{joint: all, type: pd, kp: 8e3, kd: 3e3, target: {trajectory: ref}}]
trajectories: {ref: {type: quintic, from: 0, to: 0.8, duration: 6}}
loads: [{link: link3, force: [0, 0, 20], from: 8}]
duration: ${duration}
output: {rate: ${rate}}
`;
  const file = simulated('minute', written('minute.yaml', scenario(60, 200)));
  const page = await open(file, {reducedMotion: 'no-preference'});
  await page.waitForFunction(() => window.limber.frameTimes.length >= 30);
  const {openedAfter, frameTimes, points} = await page.evaluate(() => ({...window.limber, points: window.limber.plots[0].data[0].length, player: null, plots: null, runs: null}));
  assert.equal(points, 12001);
  const sorted = [...frameTimes].sort((a, b) => a - b);
  context.diagnostic(`opened after ${openedAfter.toFixed(0)} ms; work per frame: median ${sorted[sorted.length >> 1].toFixed(2)} ms, worst ${sorted.at(-1).toFixed(2)} ms`);
  await page.close();

  // And a result of over 100 MB is thinned out, and says so.
  limber('simulate', written('huge.yaml', scenario(75, 2500)), '-o', path('huge.h5'), '--quiet');
  const size = statSync(path('huge.h5')).size;
  assert.ok(size > 1e8);
  limber('report', path('huge.h5'), '-o', path('huge.html'), '--quiet');
  assert.ok(statSync(path('huge.html')).size < 12e6);
  const huge = await open(path('huge.html'));
  assert.match(await huge.textContent('.summary'), /187501 rows; the curves show one row in \d+/);
  assert.ok((await huge.evaluate(() => window.limber.runs[0].time.length)) > 10000);
  context.diagnostic(`${(1e-6 * size).toFixed(0)} MB of results: opened after ${(await huge.evaluate(() => window.limber.openedAfter)).toFixed(0)} ms`);
  assert.deepEqual(huge.said, []);
  await huge.close();
});
