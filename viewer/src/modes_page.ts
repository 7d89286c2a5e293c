// SPDX-License-Identifier: BSD-3-Clause
// Natural modes: a list, and the chosen one in motion.

import * as THREE from 'three';
import {Arm} from './arm';
import {ArmView} from './arm_view';
import {fitBelowHeader, helpDialog, onKey, pageHeader, slider, switchTheme, type Keys} from './chrome';
import {curveColor} from './colors';
import type {ModeData, PageData} from './data';
import {css, element, number, toggle} from './dom';
import {measuredCard, MeasuredPoints} from './measured_points';
import {Recorder} from './recorder';
import {Stage, type View} from './scene';

const keys: Keys = [['Space', 'play or pause'], ['↑ ↓', 'mode before, next mode'], ['+ −', 'larger or smaller amplitude'],
  ['G', 'ghost at rest'], ['S', 'shapes of the links, or their beams'], ['V', 'next view'], ['R', 'save a video'], ['T', 'light or dark'], ['?', 'this help']];
const views: View[] = ['fit', 'front', 'side', 'top'];
const filmedPeriods = 2;
const slowestPeriod = 2.5, fastestPeriod = 0.9; // s on screen: low modes slower than high ones

type ModesData = Extract<PageData, {kind: 'modes'}>;

export function modesPage(app: HTMLElement, data: ModesData) {
  document.title = `${data.model}: natural modes`;
  const arm = new Arm(data.arm);
  const stageBox = element('div', {class: 'stage'});
  const state = {mode: 0, amplitude: 0.12, phase: Math.PI / 2, isPlaying: false, ghost: true};
  const posture = arm.newPosture(), rest = arm.newPosture();
  const q = new Float64Array(data.arm.nq);
  arm.place(data.q, 0, 1, rest);

  const colors = () => arm.links.map((_, i) => new THREE.Color(curveColor(i)));
  const view = new ArmView(arm, {linkColors: colors(), opacity: 1, scale: 1, bare: false});
  const ghost = new ArmView(arm, {linkColors: [new THREE.Color(css('--ghost'))], opacity: 0.25, scale: 0.55, bare: true});
  const measured = data.measured ? new MeasuredPoints(data.measured, data.arm.reach) : null;
  let stage: Stage | null = null;
  try {
    stage = new Stage(stageBox, new THREE.Vector3(...data.arm.gravity), data.arm.reach, `Natural modes of the arm ${data.model}`);
    stage.scene.add(view.group, ghost.group);
    if (measured) stage.scene.add(measured.group);
    stage.showBase(data.arm.visuals.length === 0);
  } catch (error) {
    stageBox.append(element('p', {class: 'no-stage'}, `This browser shows no 3D pictures (WebGL is off): ${error}`));
  }

  // How far the mode moves the arm for amplitude 1: what is drawn is a share of the reach.
  const sizes = data.modes.map((mode) => largestMotion(arm, data.q, mode, rest));
  const displace = (mode: ModeData, size: number, phase: number) => {
    const factor = (state.amplitude * data.arm.reach) / (size || 1);
    const delta = mode.shape.map((value, i) => value * Math.sin(phase) + (mode.quadrature?.[i] ?? 0) * Math.cos(phase));
    arm.displaced(data.q, delta, factor, q);
    measured?.update(state.mode, factor * Math.sin(phase));
  };
  const draw = () => {
    const mode = data.modes[state.mode];
    if (mode) displace(mode, sizes[state.mode], state.phase);
    arm.place(mode ? q : data.q, 0, 1, posture);
    view.update(posture);
    arm.place(data.q, 0, 1, rest);
    ghost.update(rest);
    ghost.group.visible = state.ghost;
    stage?.touch();
  };
  const furnish = () => {
    const places = [new THREE.Vector3()], room = 0.1 * data.arm.reach;
    for (const {p} of rest.stations.flat())
      for (const [x, y, z] of [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        for (const side of [-room, room]) places.push(new THREE.Vector3(p[0] + side * x, p[1] + side * y, p[2] + side * z));
    places.push(...view.extent(rest));
    stage?.furnish(places);
  };
  furnish();
  stage?.look('fit');

  const highest = Math.max(...data.modes.map((mode) => Math.abs(mode.frequency_hz)), 1e-9);
  const lowest = Math.min(...data.modes.map((mode) => Math.abs(mode.frequency_hz)).filter((f) => f > 1e-4), highest);
  const period = (mode: ModeData) => {
    const f = Math.max(Math.abs(mode.frequency_hz), lowest);
    const share = highest > lowest ? Math.log(f / lowest) / Math.log(highest / lowest) : 0;
    return slowestPeriod + (fastestPeriod - slowestPeriod) * share;
  };
  if (stage)
    stage.beforeFrame = (seconds) => {
      if (!state.isPlaying || !data.modes[state.mode]) return false;
      state.phase += (2 * Math.PI * seconds) / period(data.modes[state.mode]);
      draw();
      return true;
    };

  const caption = element('p', {class: 'magnified strong', 'aria-live': 'polite'});
  const buttons = data.modes.map((mode, i) => modeButton(data, mode, i, () => choose(i)));
  const choose = (i: number) => {
    state.mode = Math.min(Math.max(i, 0), data.modes.length - 1);
    buttons.forEach((button, k) => button.setAttribute('aria-pressed', String(k === state.mode)));
    buttons[state.mode]?.scrollIntoView({block: 'nearest'});
    const mode = data.modes[state.mode];
    const seen = data.measured?.modes.find((one) => one.mode === state.mode);
    const beside = seen ? `, measured ${number(seen.frequency_hz)} Hz, MAC ${(seen.mac ?? 0).toFixed(3)}` : '';
    caption.textContent = mode ? `mode ${state.mode + 1}: ${frequencyText(mode)}${beside}; amplitude not to scale, slowed down` : 'no modes';
    draw();
  };
  const playButton = element('button', {type: 'button', class: 'play', 'aria-label': 'Play', title: 'Play or pause (Space)'}, '▶');
  const play = (isPlaying: boolean) => {
    state.isPlaying = isPlaying;
    playButton.textContent = isPlaying ? '❚❚' : '▶';
    playButton.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
  };
  playButton.addEventListener('click', () => play(!state.isPlaying));
  const amplitude = slider('Amplitude', {min: 0, max: 40, step: 1, value: 12}, (v) => `${v} % of the reach`, (v) => {
    state.amplitude = v / 100;
    draw();
  });
  const ghostButton = toggle('Ghost at rest (G)', 'ghost', true, (isOn) => {
    state.ghost = isOn;
    draw();
  });
  const shapesButton = toggle('Shapes of the links (S)', 'shapes', true, (isOn) => {
    for (const one of [view, ghost]) one.showShapes(isOn);
    stage?.showBase(!isOn || data.arm.visuals.length === 0);
    furnish();
    draw();
  });
  shapesButton.hidden = !stage || (data.arm.visuals.length === 0 && data.arm.links.every((link) => link.visuals.length === 0));
  const viewChoice = element('select', {'aria-label': 'View'}, ...views.map((name) => element('option', {value: name}, `view: ${name}`)));
  viewChoice.addEventListener('change', () => stage?.look(viewChoice.value as View));
  let before = {phase: 0, isPlaying: false}, filmed = 1;
  const recorder = new Recorder(stage, `${data.model}-modes`, {
    // Whole periods: the picture after the last one is the first.
    begin(framesPerSecond: number) {
      const {phase, isPlaying} = state, mode = data.modes[state.mode];
      before = {phase, isPlaying};
      play(false);
      return (filmed = mode ? filmedPeriods * Math.round(framesPerSecond * period(mode)) : 1);
    },
    show(frame: number) {
      state.phase = (2 * Math.PI * filmedPeriods * frame) / filmed;
      draw();
    },
    end() {
      state.phase = before.phase;
      draw();
      play(before.isPlaying);
    },
  }, () => [{text: `${data.model}, ${caption.textContent}`}]);
  const repaint = () => {
    view.setLinkColors(colors());
    ghost.setLinkColors([new THREE.Color(css('--ghost'))]);
    measured?.repaint();
    furnish();
    draw();
  };
  const help = helpDialog(keys);
  stageBox.append(element('div', {class: 'overlay'}, caption));
  app.replaceChildren(
    pageHeader(data.model, `natural modes, ${data.conditions}`, repaint, help),
    element('main', {},
      element('div', {class: 'left'}, stageBox,
        element('div', {class: 'controls', role: 'group', 'aria-label': 'Animation'},
          element('div', {class: 'row wrap'}, playButton, amplitude.box, viewChoice, shapesButton, ghostButton, recorder.button),
          recorder.problem)),
      element('div', {class: 'right'},
        ...(data.measured ? [measuredCard(data.measured, data.modes, (i) => choose(i))] : []),
        element('section', {class: 'card', 'aria-label': 'Modes'},
          element('header', {}, element('h2', {}, `${data.modes.length} modes`)),
          ...data.warnings.map((text) => element('p', {class: 'warning', role: 'note'}, element('b', {}, 'Warning. '), text)),
          element('p', {class: 'note'}, 'Bars: each coordinate’s share of a mode’s kinetic energy. They add up to 100 %; coupling makes some negative.'),
          element('div', {class: 'modes', role: 'group', 'aria-label': 'Choose a mode'}, ...buttons)))));
  fitBelowHeader();
  onKey({
    ' ': () => play(!state.isPlaying),
    ArrowUp: () => choose(state.mode - 1),
    ArrowDown: () => choose(state.mode + 1),
    '+': () => amplitude.set(100 * state.amplitude + 2),
    '=': () => amplitude.set(100 * state.amplitude + 2),
    '-': () => amplitude.set(100 * state.amplitude - 2),
    g: () => ghostButton.click(),
    s: () => shapesButton.click(),
    v: () => {
      viewChoice.selectedIndex = (viewChoice.selectedIndex + 1) % views.length;
      viewChoice.dispatchEvent(new Event('change'));
    },
    r: () => recorder.toggle(),
    t: () => {
      switchTheme();
      repaint();
    },
    '?': () => help.showModal(),
  });
  choose(0);
  Object.assign(window, {limber: {kind: 'modes', data, choose, state, play, draw, tip: () => Array.from(posture.endEffector.p), rest: () => Array.from(rest.endEffector.p), measured: () => measured?.places() ?? [],
    closure: (loop: number) => [posture.loops[loop].a, posture.loops[loop].b].map(({p}) => Array.from(p))}});
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches && stage) play(true);
}

const frequencyText = (mode: ModeData) =>
  mode.flutter ? `flutter at ${number(mode.flutter.frequency_hz)} Hz, ${mode.flutter.growth_rate > 0 ? 'grows' : 'falls'} as e^(${number(mode.flutter.growth_rate)} t)`
  : Math.abs(mode.frequency_hz) < 1e-5 ? '0 Hz: moves freely'
  : mode.frequency_hz < 0 ? `unstable, grows as e^(${number(-mode.angular_frequency)} t)` : `${number(mode.frequency_hz)} Hz`;

function modeButton(data: ModesData, mode: ModeData, index: number, choose: () => void): HTMLElement {
  const shares = mode.participation.map((share, i) => ({share, name: data.arm.coordinates[i]}))
    .filter(({share}) => Math.abs(share) >= 0.01).sort((a, b) => Math.abs(b.share) - Math.abs(a.share)).slice(0, 5);
  return element('button', {type: 'button', class: 'mode', 'aria-pressed': 'false', click: choose},
    element('b', {}, `${index + 1}`),
    element('span', {class: 'frequency'}, frequencyText(mode), element('small', {}, ` ${number(mode.angular_frequency)} rad/s`)),
    element('span', {class: 'shares'}, ...shares.map(({share, name}) => {
      const bar = element('i', {});
      bar.style.width = `${Math.min(100 * Math.abs(share), 100)}%`;
      bar.classList.toggle('negative', share < 0);
      return element('span', {class: 'share'}, element('span', {title: name}, name), element('span', {class: 'bar'}, bar), element('span', {}, `${Math.round(100 * share)} %`));
    })));
}

/** The largest way that a place of the arm goes for a small amplitude, per amplitude. */
function largestMotion(arm: Arm, q: number[], mode: ModeData, rest: ReturnType<Arm['newPosture']>): number {
  const small = 1e-5, moved = new Float64Array(q.length), posture = arm.newPosture();
  let largest = 0;
  for (const shape of [mode.shape, mode.quadrature]) {
    if (!shape) continue;
    arm.displaced(q, shape, small, moved);
    arm.place(moved, 0, 1, posture);
    posture.stations.forEach((stations, i) => stations.forEach(({p}, k) => {
      const at = rest.stations[i][k].p;
      largest = Math.max(largest, Math.hypot(p[0] - at[0], p[1] - at[1], p[2] - at[2]) / small);
    }));
  }
  return largest;
}
