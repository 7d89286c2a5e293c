// SPDX-License-Identifier: BSD-3-Clause
// What all plots of a page show: which runs, which joint, which link, angles in which unit.

import {lineBackground, runStyle} from './colors';
import type {Run} from './data';
import {element} from './dom';
import type {PlotFilter} from './plot';
import {initialAngleUnit, keepAngleUnit, type AngleUnit} from './units';

export interface FilterEvents {
  filtered(filter: PlotFilter): void;
  unitChosen(unit: AngleUnit): void;
}

export class FilterBar {
  readonly box: HTMLElement;
  readonly unit: HTMLSelectElement;
  readonly joint: HTMLSelectElement;
  readonly link: HTMLSelectElement;
  private readonly chips: HTMLButtonElement[];

  constructor(runs: Run[], private readonly events: FilterEvents) {
    const names = (of: (run: Run) => string[]) => [...new Set(runs.flatMap(of))];
    this.joint = this.choice('Joint', 'all joints', names((run) => run.data.links.map((link) => link.joint)));
    this.link = this.choice('Link', 'all links', names((run) => run.data.links.filter((link) => link.bends).map((link) => link.name)));
    this.unit = element('select', {'aria-label': 'Angles in', title: 'Angles in radians or degrees (D)', change: () => this.chooseUnit()},
      element('option', {value: 'rad'}, 'angles: rad'), element('option', {value: 'deg'}, 'angles: deg'));
    this.unit.value = initialAngleUnit();
    this.chips = runs.length > 1 ? runs.map((run, i) => this.runChip(run, i)) : [];
    this.box = element('section', {class: 'card filters', 'aria-label': 'What the plots show'},
      this.chips.length > 0 && element('div', {class: 'legend runs', role: 'group', 'aria-label': 'Results'}, ...this.chips),
      element('div', {class: 'row wrap'}, this.joint, this.link, this.unit));
    this.repaint();
  }

  private choice(label: string, all: string, names: string[]): HTMLSelectElement {
    const made = element('select', {'aria-label': label, title: `${label} to which the plots are limited`, change: () => this.tell()},
      element('option', {value: ''}, all), ...names.map((name) => element('option', {value: name}, name)));
    made.hidden = names.length < 2;
    return made;
  }

  private runChip(run: Run, index: number): HTMLButtonElement {
    const chip = element('button', {type: 'button', 'aria-pressed': 'true', 'data-run': index, title: `Show or hide ${run.data.label}`},
      element('i', {class: 'swatch'}), element('span', {}, run.data.label));
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      this.tell();
    });
    return chip;
  }

  private tell() {
    const hiddenRuns = new Set(this.chips.flatMap((chip, i) => (chip.getAttribute('aria-pressed') === 'true' ? [] : [i])));
    this.events.filtered({joint: this.joint.value, link: this.link.value, hiddenRuns});
  }

  private chooseUnit() {
    const unit = this.unit.value as AngleUnit;
    keepAngleUnit(unit);
    this.events.unitChosen(unit);
  }

  switchUnit() {
    this.unit.value = this.unit.value === 'rad' ? 'deg' : 'rad';
    this.chooseUnit();
  }

  /** Colours of the theme. */
  repaint() {
    this.chips.forEach((chip, run) => ((chip.querySelector('.swatch') as HTMLElement).style.background = lineBackground(runStyle(run))));
  }
}
