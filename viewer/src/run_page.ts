// The report of one or several runs.

import type {Coloring} from './arm_view';
import {fitBelowHeader, helpDialog, onKey, pageHeader, slider, switchTheme, type Keys} from './chrome';
import {heatGradient} from './colors';
import {Run, type RunData} from './data';
import {element, number, toggle} from './dom';
import {Player} from './player';
import {Plot} from './plot';
import {RunScene} from './run_scene';
import type {View} from './scene';
import {factList, summary} from './summary';

const keys: Keys = [
  ['Space', 'play or pause'], ['← →', 'one row back or on; with Shift ten'], ['Home End', 'first or last row'],
  ['+ −', 'magnify deflections more or less'], ['[ ]', 'slower, faster'], ['L', 'loop'], ['G', 'unbent ghost'],
  ['C', 'colours: links, bending moment, curvature'], ['W', 'wrenches in the joints'], ['V', 'next view'], ['T', 'light or dark'], ['?', 'this help'],
];

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
/** Steps of the magnification: 1 to 100. */
const magnifications = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100];
const views: View[] = ['fit', 'front', 'side', 'top'];

export function runPage(app: HTMLElement, data: RunData[]) {
  const runs = data.map((run) => new Run(run));
  const player = new Player(Math.max(...runs.map((run) => run.end)));
  document.title = `${data[0].model}: Limber report`;

  // The scene, or why there is none.
  const stageBox = element('div', {class: 'stage'});
  let scene: RunScene | null = null;
  try {
    scene = new RunScene(stageBox, runs);
  } catch (error) {
    stageBox.append(element('p', {class: 'no-stage'}, 'This browser shows no 3D pictures (WebGL is off), so the arm cannot be drawn. Plots and tables work. ',
      element('small', {}, String(error))));
  }

  // Plots: each figure once, with the curves of all runs that have it.
  let isZooming = false;
  const ids = [...new Set(data.flatMap((run) => run.figures.map((figure) => figure.id)))];
  const plots: Plot[] = ids.map((id) => new Plot(data.map((run) => run.figures.find((figure) => figure.id === id)), runs, {
    zoomed(from, min, max) {
      if (isZooming) return;
      isZooming = true;
      for (const plot of plots ?? []) if (plot !== from && plot.overTime) plot.zoom(min, max);
      isZooming = false;
    },
    picked: (time) => player.seek(time),
  }));

  // Time.
  const playButton = element('button', {type: 'button', class: 'play', 'aria-label': 'Play', title: 'Play or pause (Space)', click: () => player.play(!player.isPlaying)}, '▶');
  const scrubber = element('input', {type: 'range', min: 0, max: player.end, step: 'any', value: 0, 'aria-label': 'Time', class: 'scrubber'});
  const clock = element('output', {class: 'clock'});
  const speedChoice = element('select', {'aria-label': 'Speed', title: 'Speed ([ and ])'}, ...speeds.map((speed) => element('option', {value: speed}, `${speed}×`)));
  speedChoice.value = '1';
  speedChoice.addEventListener('change', () => (player.speed = Number(speedChoice.value)));
  const loop = toggle('Loop (L)', '⟳', player.loops, (isOn) => (player.loops = isOn));
  scrubber.addEventListener('input', () => player.seek(Number(scrubber.value)));
  player.stateListeners.push(() => {
    playButton.textContent = player.isPlaying ? '❚❚' : '▶';
    playButton.setAttribute('aria-label', player.isPlaying ? 'Pause' : 'Play');
  });
  const digits = player.end >= 10 ? 2 : 3;
  let valuesShown = 0;
  player.listeners.push((time) => {
    scrubber.value = String(time);
    const text = `${time.toFixed(digits)} s`;
    clock.textContent = text;
    scrubber.setAttribute('aria-valuetext', text);
    scene?.showAt(time);
    // Numbers that change sixty times a second cannot be read.
    const now = performance.now();
    const withValues = !player.isPlaying || now - valuesShown > 120;
    if (withValues) valuesShown = now;
    for (const plot of plots) plot.showTime(time, withValues);
  });
  const frameTimes: number[] = [];
  let lastFrame = 0;
  const advance = (seconds: number) => {
    const begin = performance.now();
    const moves = player.advance(seconds);
    if (moves) {
      frameTimes.push(performance.now() - begin);
      if (frameTimes.length > 600) frameTimes.shift();
    }
    lastFrame = begin;
    return moves;
  };
  if (scene) scene.stage.beforeFrame = advance;
  else {
    const step = (now: number) => {
      advance(Math.min((now - lastFrame) / 1000, 0.25));
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // What the scene shows.
  const magnified = element('p', {class: 'magnified', 'aria-live': 'polite'});
  const magnification = slider('Deflections', {min: 0, max: magnifications.length - 1, step: 1, value: 0}, (i) => `${magnifications[i]}×`, (i) => {
    const factor = magnifications[i];
    magnified.textContent = factor === 1 ? 'deflections true to scale' : `deflections magnified ${factor}×`;
    magnified.classList.toggle('strong', factor > 1);
    scene?.magnify(factor);
  });
  const legend = element('p', {class: 'heat', hidden: true}, element('span', {}), element('i', {}), element('span', {}));
  (legend.querySelector('i') as HTMLElement).style.background = heatGradient();
  const colorChoice = element('select', {'aria-label': 'Colours', title: 'Colours (C)'},
    element('option', {value: 'links'}, 'colour: links'), element('option', {value: 'moment'}, 'colour: moment'),
    element('option', {value: 'curvature'}, 'colour: curvature'));
  colorChoice.addEventListener('change', () => {
    const by = colorChoice.value as Coloring;
    const largest = scene?.color(by) ?? 0;
    legend.hidden = by === 'links';
    const [low, , high] = legend.children;
    low.textContent = '0';
    high.textContent = by === 'moment' ? `${number(largest, 3)} N m` : `${number(largest, 3)} 1/m`;
  });
  const ghost = toggle('Unbent ghost (G)', 'ghost', true, (isOn) => scene?.show('ghost', isOn));
  const trace = toggle('Path of the end effector', 'trace', true, (isOn) => scene?.show('trace', isOn));
  const axes = toggle('Joint axes', 'axes', true, (isOn) => scene?.show('axes', isOn));
  const wrenches = toggle('Forces and moments in the joints (W)', 'wrenches', false, (isOn) => {
    scene?.show('wrenches', isOn);
    wrenchLegend.hidden = !isOn;
  });
  wrenches.disabled = !scene?.actors.some((actor) => actor.hasWrenches);
  const wrenchLegend = element('p', {class: 'wrench-legend', hidden: true}, element('i', {class: 'force'}), 'force ', element('i', {class: 'moment'}), 'moment, by the parent on the child');
  const viewChoice = element('select', {'aria-label': 'View', title: 'View (V)'}, ...views.map((view) => element('option', {value: view}, `view: ${view}`)));
  viewChoice.addEventListener('change', () => scene?.stage.look(viewChoice.value as View));

  const who = runs.length > 1 && element('p', {}, `solid: ${data[0].label}; translucent: ${data.slice(1).map((run) => run.label).join(', ')}`);
  const g = Math.hypot(...data[0].arm.gravity);
  stageBox.append(
    element('div', {class: 'overlay'}, magnified, who, legend, wrenchLegend),
    element('p', {class: 'corner'}, g > 0 ? `g ${number(g, 3)} m/s² (arrow)` : 'no gravity', scene ? `, squares ${number(scene.stage.gridStep)} m` : ''));
  magnification.set(0);

  const repaint = () => {
    scene?.repaint();
    for (const plot of plots) plot.repaint();
  };
  const help = helpDialog(keys);
  app.replaceChildren(
    pageHeader(data[0].model, 'Limber report', repaint, help),
    factList(runs),
    element('main', {},
      element('div', {class: 'left'},
        stageBox,
        element('div', {class: 'controls', role: 'group', 'aria-label': 'Animation'},
          element('div', {class: 'row time'}, playButton, scrubber, clock, speedChoice, loop, viewChoice),
          element('div', {class: 'row wrap'}, magnification.box, colorChoice, ghost, trace, axes, wrenches))),
      element('div', {class: 'right'}, summary(runs), ...plots.map((plot) => plot.section))));

  fitBelowHeader();

  const step = (rows: number) => {
    player.play(false);
    const {time} = runs[0];
    const row = Math.min(Math.max(runs[0].rowAt(player.time + 1e-9) + rows, 0), time.length - 1);
    player.seek(time[row]);
  };
  const next = (choice: HTMLSelectElement) => {
    choice.selectedIndex = (choice.selectedIndex + 1) % choice.options.length;
    choice.dispatchEvent(new Event('change'));
  };
  const shiftSpeed = (by: number) => {
    speedChoice.selectedIndex = Math.min(Math.max(speedChoice.selectedIndex + by, 0), speeds.length - 1);
    speedChoice.dispatchEvent(new Event('change'));
  };
  const shiftMagnification = (by: number) => {
    const now = magnifications.indexOf(scene?.magnification ?? 1);
    magnification.set(Math.min(Math.max(now + by, 0), magnifications.length - 1));
  };
  onKey({
    ' ': () => player.play(!player.isPlaying),
    ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
    Home: () => player.seek(0),
    End: () => player.seek(player.end),
    '+': () => shiftMagnification(1),
    '=': () => shiftMagnification(1),
    '-': () => shiftMagnification(-1),
    '[': () => shiftSpeed(-1),
    ']': () => shiftSpeed(1),
    l: () => loop.click(),
    g: () => ghost.click(),
    w: () => wrenches.click(),
    c: () => next(colorChoice),
    v: () => next(viewChoice),
    t: () => {
      switchTheme();
      repaint();
    },
    '?': () => help.showModal(),
  });
  player.seek(0);

  // For scripts and tests: the same that buttons do, and what is on screen.
  Object.assign(window, {
    limber: {
      kind: 'run', player, plots, runs,
      tip: (run = 0) => (scene ? Array.from(scene.actors[run].posture.endEffector.p) : null),
      stations: (run: number, link: number) => scene?.actors[run].posture.stations[link].map((pose) => Array.from(pose.p)),
      magnify: (factor: number) => magnification.set(magnifications.indexOf(factor)),
      frameTimes, openedAfter: performance.now(),
    },
  });
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches && scene) player.play();
}
