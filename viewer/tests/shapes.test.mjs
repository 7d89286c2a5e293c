// SPDX-License-Identifier: BSD-3-Clause
// The page shows the robot: shapes of links move and bend with them.

import assert from 'node:assert/strict';
import {mkdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {drawn, limber, models, open, path, picture, screenshots, startBrowser, stopBrowser, simulated, table, written} from './browser.mjs';

// The end effector is a corner of the box on the beam, 0.1 m beside its tip; a sensor looks at its edge in the middle of the beam, where a station is. The hub
// is rigid, and drawn by a mesh.
const length = 1.5;
const bent = `limber: 1
model:
  name: drawn
  visuals: [{type: box, size: [0.4, 0.4, 0.1], xyz: [0, 0, -0.05]}]
  links:
    - {name: hub, joint: {name: pan, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], tip: {xyz: [0, 0, 0.5]}},
       visuals: [{type: mesh, file: hub.obj, color: [0.9, 0.3, 0.1]}]}
    - name: boom
      joint: {name: lift, type: revolute, axis: [0, 1, 0]}
      root: {rpy: [0.3, 0, 0]}
      beam: {length: ${length}, section: {EI_y: 30, EI_z: 20, GJ: 15, mass_per_length: 1, rotary_inertia: [0.01, 0.005, 0.005]},
             modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}}}
      visuals: [{type: box, size: [${length}, 0.1, 0.1], xyz: [${length / 2}, 0.05, 0.05], color: [0.2, 0.5, 0.8]}]
      tip: {mass: 0.5, com: [0, 0.1, 0]}
  end_effector: {link: boom, xyz: [0, 0.1, 0.1]}
initial: {v: {pan: 1.5}}
actuation: [{joint: lift, type: pd, kp: 60, kd: 2, target: {value: 0}}]
sensors:
${['x', 'y', 'z'].map((axis, i) => `  - {name: ${axis}, type: point, link: boom, at: 0.5, offset: [0, 0.1, 0.1], axis: [${[0, 1, 2].map((k) => Number(k === i))}]}`).join('\n')}
duration: 1
output: {rate: 100, shape_points: 21}
`;
const hub = 'v -0.1 -0.1 0\nv 0.1 -0.1 0\nv 0 0.1 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';

/** A small robot of its own, with a mesh that a package holds and one that is nowhere. */
const urdf = `<robot name="small">
<link name="stand"><visual><geometry><cylinder radius="0.1" length="0.1"/></geometry></visual></link>
<link name="arm"><inertial><origin xyz="0 0 0.3"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="package://small/hub.obj"/></geometry><material name="m"><color rgba="0.1 0.8 0.4 1"/></material></visual>
  <visual><geometry><mesh filename="package://elsewhere/none.stl"/></geometry></visual></link>
<joint name="turn" type="continuous"><parent link="stand"/><child link="arm"/><axis xyz="1 0 0"/></joint>
</robot>`;

let page;
before(async () => {
  await startBrowser();
  written('hub.obj', hub);
  page = await open(simulated('drawn', written('drawn.yaml', bent)));
});
after(stopBrowser);

/** Where the corner of a link's shapes is that is at `rest` in the root frame. */
const corner = (link, rest) => page.evaluate(([l, at]) => {
  for (let i = 0; ; ++i) {
    const found = window.limber.corner(l, i);
    if (!found || found.rest.length < 3) return null;
    if (Math.hypot(...found.rest.map((x, k) => x - at[k])) < 1e-6) return found.at;
  }
}, [link, rest]);

test('a shape bends with its beam: its corners are where the stored end effector and a sensor are', async () => {
  const stored = table(path('drawn.csv')), rows = stored.time.length;
  for (const row of [0, Math.floor(rows / 3), rows - 1]) {
    await page.evaluate((time) => window.limber.player.seek(time), stored.time[row]);
    for (const [at, column] of [[length, 'end_effector.'], [length / 2, 'sensor.']]) {
      const found = await corner(1, [at, 0.1, 0.1]);
      ['x', 'y', 'z'].forEach((axis, i) => assert.ok(Math.abs(found[i] - stored[column + axis][row]) < 3e-6,
        `${column}${axis} at row ${row}: ${found[i]}, stored ${stored[column + axis][row]}`));
    }
    // The hub turns about z.
    const top = await corner(0, [0.1, -0.1, 0]), angle = stored['q.pan'][row];
    [0.1 * Math.cos(angle) + 0.1 * Math.sin(angle), 0.1 * Math.sin(angle) - 0.1 * Math.cos(angle), 0].forEach((x, i) =>
      assert.ok(Math.abs(top[i] - x) < 1e-6, `${top[i]}, by hand ${x}`));
  }
  assert.deepEqual(page.said, []);
});

test('shapes can be put away, and have colours of loads', async () => {
  await page.evaluate(() => window.limber.player.seek(0.4));
  const drawnSo = await picture(page);
  await page.screenshot({path: join(screenshots, 'shapes.png')});
  await page.keyboard.press('s');
  const beams = await picture(page);
  await page.keyboard.press('s');
  assert.notEqual(beams, drawnSo);
  assert.equal(await picture(page), drawnSo);
  await page.keyboard.press('c');
  assert.notEqual(await picture(page), drawnSo);
  await page.keyboard.press('c');
  await page.keyboard.press('c');
  assert.equal(await picture(page), drawnSo);
  assert.deepEqual(page.said, []);
});

test('an arm without shapes has no button for them', async () => {
  const pendulum = 'limber: 1\nmodel: {links: [{name: rod, joint: {axis: [0, 1, 0]}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}]}\nduration: 0.1\n';
  const plain = await open(simulated('plain', written('plain.yaml', pendulum)));
  assert.equal(await plain.locator('[title^="Shapes"]').isVisible(), false);
  await plain.close();
  assert.equal(await page.locator('[title^="Shapes"]').isVisible(), true);
});

test('a URDF with meshes is a page of its modes and of its runs', async () => {
  mkdirSync(path('small'), {recursive: true});
  written('small/hub.obj', hub);
  const robot = written('small/small.urdf', urdf);
  assert.match(JSON.parse(limber('info', robot, '--json')).warnings.join(), /not drawn: package:\/\/elsewhere\/none.stl \(no such package\)/);
  const run = await open(simulated('small', written('small/swing.yaml', 'limber: 1\nmodel: small.urdf\ninitial: {q: {turn: 1}}\nduration: 0.5\n')));
  assert.equal(await run.evaluate(() => window.limber.runs[0].data.arm.links[0].visuals.length), 1);
  await run.close();
  limber('modes', join(models, 'ur10/ur10.yaml'), '--count', '4', '--report', path('ur10-modes.html'), '--quiet');
  const modes = await open(path('ur10-modes.html'));
  await modes.evaluate(() => window.limber.choose(1));
  const shapes = await picture(modes);
  await modes.screenshot({path: join(screenshots, 'ur10-modes.png')});
  await modes.keyboard.press('s');
  assert.notEqual(await picture(modes), shapes);
  assert.deepEqual(modes.said, []);
  await modes.close();
});

test('the UR10 swings 10 kg; its page is small, and three of them are told apart', async () => {
  const scenario = join(models, 'ur10/pick_and_place.yaml');
  for (const mass of [1, 5, 10])
    limber('simulate', scenario, '--set', `model.links.tool0.tip.mass=${mass}`, '--set', 'output.rate=200', '-o', path(`${mass}kg.h5`), '--quiet');
  limber('report', path('10kg.h5'), '-o', path('ur10.html'), '--quiet');
  assert.ok(statSync(path('ur10.html')).size < 1.5e6);
  const one = await open(path('ur10.html'));
  await one.evaluate(() => {
    window.limber.magnify(50);
    window.limber.player.seek(0.9);
  });
  await drawn(one);
  await one.screenshot({path: join(screenshots, 'ur10.png')});
  await one.locator('.stage').screenshot({path: join(screenshots, 'ur10-stage.png')});
  assert.deepEqual(one.said, []);
  await one.close();
  limber('report', path('1kg.h5'), path('5kg.h5'), path('10kg.h5'), '-o', path('three.html'), '--quiet');
  const three = await open(path('three.html'));
  await three.evaluate(() => {
    window.limber.magnify(50);
    window.limber.player.seek(0.9);
  });
  await drawn(three);
  await three.screenshot({path: join(screenshots, 'ur10-three.png')});
  // A part's name stands once, then its runs, each with its colour.
  const rows = await three.evaluate(() => [...document.querySelectorAll('.summary table')[0].querySelectorAll('tbody tr')].slice(3, 6)
    .map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)));
  assert.deepEqual(rows, [['upper_arm_link', '1kg'], ['', '5kg'], ['', '10kg']]);
  assert.deepEqual(three.said, []);
  await three.close();
});

// The tip of the boom is a rigid interface: a corner of its face goes with the tip's frame, and so does an end effector that sits there.
test('the skin of a body of finite elements moves with its modes', async () => {
  const body = join(models, '../examples/finite_elements/boom.h5');
  const scenario = `limber: 1
model:
  links: [{name: boom, joint: {name: shoulder, axis: [0, 1, 0]}, body: {file: ${body}}, tip: {mass: 400}}]
  end_effector: {link: boom, xyz: [0, 0.05, 0.06]}
initial: {settle: true}
actuation: [{joint: shoulder, type: pd, kp: 1e6, kd: 1e4, target: {value: 0.2}}]
duration: 0.2
output: {rate: 100}
`;
  const other = await open(simulated('knee', written('knee.yaml', scenario)));
  const stored = table(path('knee.csv')), rows = stored.time.length;
  for (const row of [0, rows - 1]) {
    await other.evaluate((time) => window.limber.player.seek(time), stored.time[row]);
    const found = await other.evaluate((at) => {
      for (let i = 0; ; ++i) {
        const one = window.limber.corner(0, i);
        if (!one || one.rest.length < 3) return null;
        if (Math.hypot(...one.rest.map((x, k) => x - at[k])) < 1e-6) return one.at;
      }
    }, [1.8, 0.05, 0.62]);
    ['x', 'y', 'z'].forEach((axis, i) => assert.ok(Math.abs(found[i] - stored[`end_effector.${axis}`][row]) < 1e-5,
      `${axis} at row ${row}: ${found[i]}, stored ${stored[`end_effector.${axis}`][row]}`));
  }
  assert.ok(Math.abs(stored['q.boom.m2'][0]) > 1e-3); // it sags: at rest the corner would be elsewhere
  assert.deepEqual(other.said, []);
});

const near = (found, wanted, what) => found.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]) < 3e-6, `${what}: ${found}, expected ${wanted}`));

test('a four-bar is closed in the scene, and what its pin carries is plotted', async () => {
  const bar = await open(simulated('bar', join(models, 'four_bar/swing.yaml')));
  const stored = table(path('bar.csv')), rows = stored.time.length;
  for (const row of [0, Math.floor(rows / 3), rows - 1]) {
    const [a, b] = await bar.evaluate((time) => {
      window.limber.player.seek(time);
      return window.limber.closure(0);
    }, stored.time[row]);
    // The coupler's tip is the end effector; the rocker of 0.7 m turns about a pivot at 0.8 m.
    near(a, ['x', 'y', 'z'].map((axis) => stored[`end_effector.${axis}`][row]), 'coupler');
    const angle = stored['q.rocker'][row];
    near(b, [0.8 + 0.7 * Math.cos(angle), 0.7 * Math.sin(angle), 0], 'rocker');
  }
  const plots = await bar.evaluate(() => window.limber.plots.filter(({id}) => id.startsWith('loop-')).map(({id, names, data}) => ({id, names, last: data.map((column) => column.at(-1))})));
  assert.deepEqual(plots.map(({id, names}) => [id, names]),
    [['loop-forces', ['pin fx', 'pin fy', 'pin fz']], ['loop-moments', ['pin mx', 'pin my', 'pin mz']]]);
  for (const {names, last} of plots)
    names.forEach((name, i) => {
      const value = stored[`loop.${name.replace(' ', '.')}`].at(-1);
      assert.ok(Math.abs(last[i + 1] - value) < 1e-6 * Math.max(1, Math.abs(value)), `${name}: ${last[i + 1]}, stored ${value}`);
    });
  assert.ok(Math.hypot(...plots[0].last.slice(1)) > 1); // N: it carries something
  await drawn(bar);
  await bar.locator('.stage').screenshot({path: join(screenshots, 'four-bar.png')});
  assert.deepEqual(bar.said, []);
  await bar.close();
});

// A beam whose end hangs on the ground by a ball beside its tip: the place has an offset, and bends with the beam.
test('places of loops bend with their links, in runs and modes', async () => {
  const arm = `name: propped
  links:
    - name: boom
      joint: {name: lift, type: revolute, axis: [0, 1, 0]}
      beam: {length: 1, section: {EI_y: 20, EI_z: 20, mass_per_length: 2}, modes: {y: {count: 2}, z: {count: 2}}}
    - {name: stay, joint: {name: knee, type: revolute, axis: [0, 1, 0]}, rigid: {mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], tip: {xyz: [0.6, 0, 0]}}}
  loops: [{name: ball, type: point-on-line, axis: [1, 0, 0], a: {link: base, xyz: [0, 0, -0.3]}, b: {link: stay, xyz: [0, 0, 0.1], rpy: [0.2, 0, 0]}}]
`;
  const page = await open(simulated('propped', written('propped.yaml', `limber: 1\nmodel:\n  ${arm}initial: {q: {lift: 0, knee: 0.8}}\nduration: 0.3\noutput: {rate: 100}\n`)));
  for (const time of [0, 0.15, 0.3]) {
    const [a, b] = await page.evaluate((at) => {
      window.limber.player.seek(at);
      return window.limber.closure(0);
    }, time);
    near(a, [0, 0, -0.3], 'ground');
    near(b.slice(1), [0, -0.3], 'on the line'); // along x it goes where it likes
    assert.ok(b[0] > 0.5);
  }
  await drawn(page);
  await page.locator('.stage').screenshot({path: join(screenshots, 'propped.png')});
  assert.deepEqual(page.said, []);
  await page.close();
  limber('modes', join(models, 'four_bar/four_bar.yaml'), '--joints', 'free', '--report', path('bar-modes.html'), '--quiet');
  const modes = await open(path('bar-modes.html'));
  const gap = (amplitude) => modes.evaluate((size) => {
    Object.assign(window.limber.state, {amplitude: size, phase: Math.PI / 2});
    window.limber.draw();
    const [a, b] = window.limber.closure(0);
    return Math.hypot(...a.map((x, i) => x - b[i]));
  }, amplitude);
  assert.ok((await gap(0)) < 3e-6);
  // A shape is straight, the loop's way is not: the gap grows as the square.
  const [small, large] = [await gap(0.02), await gap(0.04)];
  assert.ok(large > 1e-5 && large / small > 3 && large / small < 5, `${small} ${large}`);
  assert.deepEqual(modes.said, []);
  await modes.close();
});
