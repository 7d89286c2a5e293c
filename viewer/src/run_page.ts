// SPDX-License-Identifier: BSD-3-Clause
// The report of one or several runs.

import {fitBelowHeader, helpDialog, onKey, pageHeader, switchTheme, type Keys} from './chrome';
import {runStyle} from './colors';
import {Run, type RunData} from './data';
import {element, number} from './dom';
import {FilterBar} from './filter_bar';
import {Player} from './player';
import {Plot} from './plot';
import {Recorder, type CaptionLine} from './recorder';
import {RunScene} from './run_scene';
import {SceneControls} from './scene_controls';
import {factList, Summary} from './summary';
import {Transport} from './transport';
import type {AngleUnit} from './units';

const keys: Keys = [
  ['Space', 'play or pause'], ['← →', 'one row back or on; with Shift ten'], ['Home End', 'first or last row'],
  ['+ −', 'magnify deflections more or less'], ['[ ]', 'slower, faster'], ['L', 'loop'], ['G', 'unbent ghost'], ['S', 'shapes of the links, or their beams'],
  ['C', 'colours: links, bending moment, curvature'], ['W', 'wrenches in the joints'], ['V', 'next view'], ['D', 'angles in radians or degrees'], ['R', 'save a video'],
  ['T', 'light or dark'], ['?', 'this help'],
];

/** Numbers that change sixty times a second cannot be read. */
const millisecondsPerReadout = 120;

export function runPage(app: HTMLElement, data: RunData[]) {
  document.title = `${data[0].model}: Limber report`;
  const runs = data.map((run) => new Run(run));
  const player = new Player(Math.max(...runs.map((run) => run.end)));
  const stageBox = element('div', {class: 'stage'});
  const scene = makeScene(stageBox, runs);
  const plots = makePlots(data, runs, player);
  const transport = new Transport(player), controls = new SceneControls(scene);
  const filters = new FilterBar(runs, {
    filtered(filter) {
      for (const plot of plots) plot.show(filter);
      if (runs.length > 1) runs.forEach((_, run) => scene?.showRun(run, !filter.hiddenRuns.has(run)));
    },
    unitChosen: (unit) => showUnit(unit),
  });
  const overview = new Summary(runs, filters.unit.value as AngleUnit);
  const showUnit = (unit: AngleUnit) => {
    overview.setUnit(unit);
    for (const plot of plots) plot.setUnit(unit);
  };
  const who = runNames(data);
  stageBox.append(...captions(data, scene, controls, who));
  const recorder = makeRecorder(data, player, scene, controls);

  let lastReadout = 0;
  player.listeners.push((time) => {
    scene?.showAt(time);
    const now = performance.now(), withValues = !player.isPlaying || now - lastReadout > millisecondsPerReadout;
    if (withValues) lastReadout = now;
    for (const plot of plots) plot.showTime(time, withValues);
  });
  const frameTimes = animate(player, scene);

  const repaint = () => {
    scene?.repaint();
    for (const plot of plots) plot.repaint();
    filters.repaint();
    who.repaint();
    overview.repaint();
  };
  const help = helpDialog(keys);
  app.replaceChildren(
    pageHeader(data[0].model, 'Limber report', repaint, help),
    factList(runs),
    element('main', {},
      element('div', {class: 'left'},
        stageBox,
        element('div', {class: 'controls', role: 'group', 'aria-label': 'Animation'},
          element('div', {class: 'row time'}, ...transport.controls, controls.view, recorder.button),
          element('div', {class: 'row wrap'}, ...controls.controls),
          recorder.problem)),
      element('div', {class: 'right'}, overview.section, filters.box, ...plots.map((plot) => plot.section))));
  fitBelowHeader();
  listen(runs[0], player, transport, controls, repaint, help, {d: () => filters.switchUnit(), r: () => recorder.toggle()});
  for (const plot of plots) plot.setUnit(filters.unit.value as AngleUnit);
  player.seek(0);

  // For scripts and tests: the same that buttons do, and what is on screen.
  Object.assign(window, {
    limber: {
      kind: 'run', player, plots, runs, frameTimes, openedAfter: performance.now(),
      tip: (run = 0) => (scene ? Array.from(scene.actors[run].posture.endEffector.p) : null),
      /** Where corner i of a link's shapes is. */
      corner: (link: number, i: number, run = 0) => scene?.actors[run].view.corner(link, i),
      /** Where the two places of a loop are. */
      closure: (loop: number, run = 0) => scene && [scene.actors[run].posture.loops[loop].a, scene.actors[run].posture.loops[loop].b].map(({p}) => Array.from(p)),
      moments: (run = 0) => scene?.actors[run].view.rigidMoments,
      magnify: (factor: number) => controls.magnify(factor),
    },
  });
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches && scene) player.play();
}

/** The scene, or in its place why there is none. */
function makeScene(stageBox: HTMLElement, runs: Run[]): RunScene | null {
  try {
    return new RunScene(stageBox, runs);
  } catch (error) {
    stageBox.append(element('p', {class: 'no-stage'}, 'This browser shows no 3D pictures (WebGL is off), so the arm cannot be drawn. Plots and tables work. ',
      element('small', {}, String(error))));
    return null;
  }
}

/** Each figure once, with the curves of all runs that have it. */
function makePlots(data: RunData[], runs: Run[], player: Player): Plot[] {
  const plots: Plot[] = [];
  let isZooming = false;
  const events = {
    zoomed(from: Plot, min: number, max: number) {
      if (isZooming) return;
      isZooming = true;
      for (const plot of plots) if (plot !== from && plot.overTime) plot.zoom(min, max);
      isZooming = false;
    },
    picked: (time: number) => player.seek(time),
  };
  for (const id of new Set(data.flatMap((run) => run.figures.map((figure) => figure.id))))
    plots.push(new Plot(data.map((run) => run.figures.find((figure) => figure.id === id)), runs, events));
  return plots;
}

/** Which arm is which, where several are compared. */
function runNames(data: RunData[]): {box: HTMLElement | null; repaint: () => void} {
  if (data.length < 2) return {box: null, repaint: () => {}};
  const marks = data.map(() => element('i', {class: 'mark'}));
  const repaint = () => marks.forEach((mark, run) => (mark.style.background = runStyle(run).color));
  repaint();
  return {box: element('p', {class: 'runs'}, ...data.map((run, i) => element('span', {}, marks[i], run.label))), repaint};
}

/** Texts inside the picture. */
function captions(data: RunData[], scene: RunScene | null, controls: SceneControls, who: {box: HTMLElement | null}): HTMLElement[] {
  const g = Math.hypot(...data[0].arm.gravity);
  return [
    element('div', {class: 'overlay'}, controls.magnified, who.box, controls.heat, controls.unknown, controls.wrenchLegend),
    element('p', {class: 'corner'}, g > 0 ? `g ${number(g, 3)} m/s² (arrow)` : 'no gravity', scene ? `, squares ${number(scene.stage.gridStep)} m` : ''),
  ];
}

/** Films the run from its begin to its end, at the chosen speed: pictures at 0, one frame of the film later, ..., and at the end. */
function makeRecorder(data: RunData[], player: Player, scene: RunScene | null, controls: SceneControls): Recorder {
  let before = {time: 0, isPlaying: false}, speed = 1, step = 0;
  const pass = {
    begin(framesPerSecond: number) {
      before = {time: player.time, isPlaying: player.isPlaying};
      player.play(false);
      speed = player.speed;
      step = speed / framesPerSecond;
      return Math.ceil(player.end / step - 1e-6) + 1;
    },
    show: (frame: number) => player.seek(frame * step),
    end() {
      player.seek(before.time);
      player.play(before.isPlaying);
    },
  };
  const lines = (): CaptionLine[] => [
    {text: `${data[0].model}, ${player.time.toFixed(2)} s${speed === 1 ? '' : `, ${speed}× real time`}`},
    ...((scene?.magnification ?? 1) > 1 ? [{text: controls.magnified.textContent ?? ''}] : []),
    ...(data.length > 1 ? data.map((run, i) => ({text: run.label, color: runStyle(i).color})) : []),
  ];
  return new Recorder(scene?.stage ?? null, data[0].model, pass, lines);
}

/** Lets time go on with the browser's frames; the work of the last ones, in milliseconds, besides drawing. */
function animate(player: Player, scene: RunScene | null): number[] {
  const frameTimes: number[] = [], most = 600;
  const advance = (seconds: number) => {
    const begin = performance.now();
    const moves = player.advance(seconds);
    if (moves && frameTimes.push(performance.now() - begin) > most) frameTimes.shift();
    return moves;
  };
  if (scene) {
    scene.stage.beforeFrame = advance;
    return frameTimes;
  }
  let last = 0;
  const step = (now: number) => {
    advance(Math.min((now - last) / 1000, 0.25));
    last = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return frameTimes;
}

function listen(run: Run, player: Player, transport: Transport, controls: SceneControls, repaint: () => void, help: HTMLDialogElement,
                more: Record<string, () => void>) {
  const step = (rows: number) => {
    player.play(false);
    const row = run.rowAt(player.time + 1e-9) + rows;
    player.seek(run.time[Math.min(Math.max(row, 0), run.time.length - 1)]);
  };
  onKey({
    ' ': () => player.play(!player.isPlaying),
    ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
    Home: () => player.seek(0),
    End: () => player.seek(player.end),
    '+': () => controls.shiftMagnification(1),
    '=': () => controls.shiftMagnification(1),
    '-': () => controls.shiftMagnification(-1),
    '[': () => transport.shiftSpeed(-1),
    ']': () => transport.shiftSpeed(1),
    l: () => transport.loop.click(),
    g: () => controls.ghost.click(),
    s: () => controls.shapes.click(),
    w: () => controls.wrenches.click(),
    c: () => SceneControls.next(controls.color),
    v: () => SceneControls.next(controls.view),
    t: () => {
      switchTheme();
      repaint();
    },
    '?': () => help.showModal(),
    ...more,
  });
}
