// What happened, in one look: facts, warnings, peaks.

import type {Peak, Run} from './data';
import {element, number} from './dom';

const at = (peak: Peak, factor: number) =>
  peak.value > 0 ? element('span', {}, number(factor * peak.value), element('small', {}, ` at ${number(peak.time)} s`)) : '–';

type Cell = string | Node;

/** Columns in which nothing happened are left out. */
function table(caption: string, allHead: string[], allRows: Cell[][]): HTMLElement {
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

export function summary(runs: Run[]): HTMLElement {
  const several = runs.length > 1;
  const named = (name: string, run: Run) => (several ? `${name}, ${run.data.label}` : name);
  const warnings = runs.flatMap((run) => run.data.warnings.map((warning) => (several ? `${run.data.label}: ${warning}` : warning)));
  const notes = runs.flatMap((run) => (run.data.note ? [several ? `${run.data.label}: ${run.data.note}` : run.data.note] : []));
  const links = runs.flatMap((run) => run.data.links.map((link): Cell[] => [
    named(link.name, run), link.bends ? at(link.deflection, 1e3) : 'rigid', link.bends ? at(link.slope, 180 / Math.PI) : '',
    at(link.force, 1), at(link.moment, 1)]));
  const joints = runs.flatMap((run) => run.data.joints.map((joint): Cell[] => [
    named(joint.name, run), at(joint.deviation, 1), at(joint.rate, 1), at(joint.effort, 1)]));
  const slides = runs.some((run) => run.data.joints.some((joint) => joint.slides));
  const unit = (turning: string, sliding: string) => (slides ? `[${turning} or ${sliding}]` : `[${turning}]`);
  return element('section', {class: 'card summary', 'aria-label': 'Summary'},
    element('header', {}, element('h2', {}, 'Summary')),
    ...warnings.map((text) => element('p', {class: 'warning', role: 'note'}, element('b', {}, 'Warning. '), text)),
    warnings.length === 0 && element('p', {class: 'good'}, 'No warnings: deflections within the model’s range, energy ledger closed.'),
    table('Largest of each link', ['link', 'deflection [mm]', 'slope [deg]', 'force [N]', 'moment [N m]'], links),
    joints.length > 0 && table('Largest of each joint', ['joint', `deviation ${unit('rad', 'm')}`, `rate ${unit('rad/s', 'm/s')}`, `effort ${unit('N m', 'N')}`], joints),
    ...notes.map((text) => element('p', {class: 'note'}, text)),
    ...runs.map((run) => sources(run, several)));
}

function sources(run: Run, several: boolean): HTMLElement {
  return element('details', {},
    element('summary', {}, several ? `Scenario and model of ${run.data.label}` : 'Scenario and model, as they were run'),
    ...run.data.sources.map((source) => element('div', {}, element('h4', {}, source.name), element('pre', {tabindex: '0'}, source.text))),
    element('p', {class: 'note'}, `${run.data.file}, written by ${run.data.program}; ${run.data.rows} rows, ${run.data.status}.`));
}
