// SPDX-License-Identifier: BSD-3-Clause
// What happened, in one look: facts, warnings, peaks.

import {runStyle} from './colors';
import type {Peak, Run} from './data';
import {element, number} from './dom';
import {angleFactor, inAngleUnit, type AngleUnit} from './units';

const at = (peak: Peak, factor: number) =>
  peak.value > 0 ? element('span', {}, number(factor * peak.value), element('small', {}, ` at ${number(peak.time, 3)} s`)) : '–';

type Cell = string | Node;

/** Columns in which nothing happened are left out. */
function table(caption: string, allHead: Cell[], allRows: Cell[][]): HTMLElement {
  const isUsed = allHead.map((_, i) => allRows.some((row) => row[i] !== '–'));
  const head = allHead.filter((_, i) => isUsed[i]), rows = allRows.map((row) => row.filter((_, i) => isUsed[i]));
  return element('div', {class: 'scroll'},
    element('table', {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...head.map((text) => element('th', {scope: 'col'}, text)))),
      element('tbody', {}, ...rows.map((row) =>
        element('tr', {}, ...row.map((cell, i) => (i === 0 ? element('th', {scope: 'row'}, cell) : element('td', {}, cell))))))));
}

function facts({data: d}: Run): [string, string][] {
  const method = d.step > 0 ? `${d.integrator}, step ${number(d.step)} s` : `${d.integrator}, rtol ${number(d.rtol)}`;
  const share = d.energy_size > 0 ? d.energy_error / d.energy_size : 0;
  return [
    ['Scenario', d.sources[0]?.name ?? d.file],
    ['Model', `${d.model}: ${d.arm.links.length} links, ${d.coordinates} coordinates, ${number(d.mass)} kg`],
    ['Formulation', `${d.formulation}, ${d.kinematics}`],
    ['Integrator', method],
    ['Time', `${number(d.end)} s in ${number(d.wall_s, 3)} s (${d.steps} steps)`],
    ['Energy error', `${number(d.energy_error, 3)} J of ${number(d.energy_size)} J (${number(100 * share, 2)} %)`],
  ];
}

/** The strip below the title. */
export function factList(runs: Run[]): HTMLElement {
  const all = runs.map(facts);
  const values = (row: number) => [...new Set(all.map((list) => list[row][1]))].join(' | ');
  return element('dl', {class: 'facts'},
    runs.length > 1 && element('div', {}, element('dt', {}, 'Compared'), element('dd', {}, runs.map((run) => run.data.label).join(' | '))),
    ...all[0].map(([name], row) => element('div', {}, element('dt', {}, name), element('dd', {}, values(row)))));
}

/** Of what turns, and of what slides where that has another one. */
const units: Record<string, [string, string?]> = {
  settling_time: ['s'], residual_vibration: ['m'], targets_end: ['s'], way: ['m'], energy: ['J'], overshoot: ['rad', 'm'], peak_effort: ['N m', 'N'],
  rms_effort: ['N m', 'N'], position_margin: ['rad', 'm'], velocity_margin: ['rad/s', 'm/s'], effort_margin: ['N m', 'N'], largest_deflection: ['m'],
};

/** `joints.wrist.2.rms_effort` as `wrist.2: rms effort [N m]`. */
function metricWords(name: string, runs: Run[]): string {
  const last = name.slice(name.lastIndexOf('.') + 1), of = name.slice(0, -last.length - 1).replace(/^(joints|links)\./, '');
  const [turning, sliding] = units[last] ?? [''];
  const slides = runs.some((run) => run.data.joints.some((joint) => joint.name === of && joint.slides));
  const unit = slides ? sliding ?? turning : turning;
  return `${of === '' ? 'end effector' : of}: ${last.replace(/_/g, ' ')}${unit === '' ? '' : ` [${unit}]`}`;
}

/** A run's colour; Summary.repaint() gives it. */
const mark = (run: number) => element('i', {class: 'mark', 'data-run': run});

/** What motions were worth: a row for each number, a column for each run. */
function worth(runs: Run[]): HTMLElement {
  const names = [...new Set(runs.flatMap((run) => run.data.metrics.map(({name}) => name)))];
  if (names.length === 0) return element('div');
  const several = runs.length > 1;
  const value = (run: Run, name: string) => run.data.metrics.find((metric) => metric.name === name)?.value;
  const row = (name: string): Cell[] => {
    const values = runs.map((run) => value(run, name)), known = values.filter((x) => x !== undefined);
    const size = Math.max(...known.map(Math.abs)), differs = several && Math.max(...known) - Math.min(...known) > 0.01 * size;
    const shown = (x: number | undefined) => (x === undefined ? '–' : differs ? element('b', {}, number(x)) : number(x));
    return [metricWords(name, runs), ...values.map(shown)];
  };
  return element('details', several ? {open: ''} : {},
    element('summary', {}, 'What the motion was worth'),
    table(several ? 'Metrics; bold: runs differ by more than 1 %' : 'Metrics',
      ['', ...runs.map((run, i) => (several ? element('span', {}, mark(i), run.data.label) : 'value'))], names.map(row)));
}

const mostEvents = 6; // at a glance

function eventList(texts: string[]): HTMLElement {
  const lines = texts.map((text) => element('p', {class: 'note event'}, element('b', {}, 'Event. '), text));
  const rest = lines.splice(mostEvents);
  return element('div', {}, ...lines, rest.length > 0 && element('details', {}, element('summary', {}, `${rest.length} more events`), ...rest));
}

/** What happened, and what to doubt. */
export class Summary {
  readonly section: HTMLElement;
  private joints: HTMLElement;

  constructor(private readonly runs: Run[], unit: AngleUnit) {
    const several = runs.length > 1;
    const of = (texts: (run: Run) => string[]) => runs.flatMap((run) => texts(run).map((text) => (several ? `${run.data.label}: ${text}` : text)));
    const warnings = of((run) => run.data.warnings), notes = of((run) => (run.data.note ? [run.data.note] : []));
    const links = this.together((run) => run.data.links).map(({names, part: link}): Cell[] => [
      ...names, link.bends ? at(link.deflection, 1e3) : 'rigid', link.bends ? at(link.slope, 180 / Math.PI) : '',
      at(link.force, 1), at(link.moment, 1)]);
    this.joints = this.jointTable(unit);
    this.section = element('section', {class: several ? 'card summary several' : 'card summary', 'aria-label': 'Summary'},
      element('header', {}, element('h2', {}, 'Summary')),
      ...warnings.map((text) => element('p', {class: 'warning', role: 'note'}, element('b', {}, 'Warning. '), text)),
      warnings.length === 0 && element('p', {class: 'good'}, 'No warnings: deflections within the model’s range, energy ledger closed.'),
      table('Largest of each link', [...this.heads('link'), 'deflection [mm]', 'slope [deg]', 'force [N]', 'moment [N m]'], links),
      this.joints,
      worth(runs),
      eventList(of((run) => run.data.events.map((event) => `${event.name} at ${number(event.time)} s`))),
      ...notes.map((text) => element('p', {class: 'note'}, text)),
      ...runs.map((run) => sources(run, several)));
    this.repaint();
  }

  private heads(kind: string): string[] {
    return this.runs.length > 1 ? [kind, 'run'] : [kind];
  }

  /** Parts of the same name, of all runs, below each other: they are to be compared. Each with its name, said once, and its run. */
  private together<Part extends {name: string}>(of: (run: Run) => Part[]): {names: Cell[]; part: Part}[] {
    const all = this.runs.flatMap((run, i) => of(run).map((part) => ({run, i, part})));
    return [...new Set(all.map(({part}) => part.name))].flatMap((name) => all.filter(({part}) => part.name === name).map(({run, i, part}, k) => ({
      part, names: this.runs.length > 1 ? [k === 0 ? name : '', element('span', {}, mark(i), run.data.label)] : [name]})));
  }

  /** Colours of the theme. */
  repaint() {
    for (const one of this.section.querySelectorAll<HTMLElement>('.mark')) one.style.background = runStyle(Number(one.dataset.run)).color;
  }

  setUnit(unit: AngleUnit) {
    const next = this.jointTable(unit);
    this.joints.replaceWith(next);
    this.joints = next;
    this.repaint();
  }

  private jointTable(unit: AngleUnit): HTMLElement {
    const all = this.together((run) => run.data.joints);
    if (all.length === 0) return element('div');
    const rows = all.map(({names, part: joint}): Cell[] => {
      const factor = joint.slides ? 1 : angleFactor(unit);
      return [...names, at(joint.deviation, factor), at(joint.rate, factor), at(joint.effort, 1)];
    });
    const slides = all.some(({part}) => part.slides);
    const label = (turning: string, sliding: string) => inAngleUnit(slides ? `[${turning} or ${sliding}]` : `[${turning}]`, unit);
    return table('Largest of each joint', [...this.heads('joint'), `deviation ${label('rad', 'm')}`, `rate ${label('rad/s', 'm/s')}`, `effort ${label('N m', 'N')}`], rows);
  }
}

function sources(run: Run, several: boolean): HTMLElement {
  return element('details', {},
    element('summary', {}, several ? `Scenario and model of ${run.data.label}` : 'Scenario and model, as they were run'),
    ...run.data.sources.map((source) => element('div', {}, element('h4', {}, source.name), element('pre', {tabindex: '0'}, source.text))),
    element('p', {class: 'note'}, `${run.data.file}, written by ${run.data.program}; ${run.data.rows} rows, ${run.data.status}.`));
}
