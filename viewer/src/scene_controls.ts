// SPDX-License-Identifier: BSD-3-Clause
// What the scene shows, and how: magnification, colours, ghost, trace, axes, wrenches, view.

import type {Coloring} from './arm_view';
import {slider} from './chrome';
import {heatGradient} from './colors';
import {element, number, toggle} from './dom';
import type {RunScene} from './run_scene';
import type {View} from './scene';

/** Steps of the magnification. */
const magnifications = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100];
const views: View[] = ['fit', 'front', 'side', 'top'];

export class SceneControls {
  /** Texts inside the picture. */
  readonly magnified = element('p', {class: 'magnified', 'aria-live': 'polite'});
  readonly heat = element('p', {class: 'heat', hidden: true}, element('span', {}), element('i', {}), element('span', {}));
  readonly unknown = element('p', {hidden: true}, 'grey: rigid, and the result holds no wrenches');
  readonly wrenchLegend = element('p', {class: 'wrench-legend', hidden: true},
    element('i', {class: 'force'}), 'force ', element('i', {class: 'moment'}), 'moment, by the parent on the child');
  readonly view = element('select', {'aria-label': 'View', title: 'View (V)'}, ...views.map((view) => element('option', {value: view}, `view: ${view}`)));
  readonly color = element('select', {'aria-label': 'Colours', title: 'Colours (C)'},
    ...['links', 'moment', 'curvature'].map((by) => element('option', {value: by}, `colour: ${by}`)));
  readonly ghost: HTMLButtonElement;
  readonly shapes: HTMLButtonElement;
  readonly wrenches: HTMLButtonElement;
  readonly controls: HTMLElement[];
  private readonly magnification;

  constructor(private readonly scene: RunScene | null) {
    this.magnification = slider('Deflections', {min: 0, max: magnifications.length - 1, step: 1, value: 0}, (i) => `${magnifications[i]}×`,
      (i) => this.showMagnification(magnifications[i]));
    this.ghost = toggle('Unbent ghost (G)', 'ghost', true, (isOn) => scene?.show('ghost', isOn));
    this.shapes = toggle('Shapes of the links (S)', 'shapes', true, (isOn) => scene?.show('shapes', isOn));
    this.shapes.hidden = !scene?.hasShapes;
    const trace = toggle('Path of the end effector', 'trace', true, (isOn) => scene?.show('trace', isOn));
    const axes = toggle('Joint axes', 'axes', true, (isOn) => scene?.show('axes', isOn));
    this.wrenches = toggle('Forces and moments in the joints (W)', 'wrenches', false, (isOn) => {
      scene?.show('wrenches', isOn);
      this.wrenchLegend.hidden = !isOn;
    });
    this.wrenches.disabled = !scene?.actors.some((actor) => actor.hasWrenches);
    (this.heat.querySelector('i') as HTMLElement).style.background = heatGradient();
    this.color.addEventListener('change', () => this.showColors(this.color.value as Coloring));
    this.view.addEventListener('change', () => scene?.stage.look(this.view.value as View));
    this.controls = [this.magnification.box, this.color, this.shapes, this.ghost, trace, axes, this.wrenches];
    this.magnification.set(0);
  }

  magnify(factor: number) {
    this.magnification.set(magnifications.indexOf(factor));
  }

  /** One step more or less. */
  shiftMagnification(by: number) {
    const now = magnifications.indexOf(this.scene?.magnification ?? 1);
    this.magnification.set(Math.min(Math.max(now + by, 0), magnifications.length - 1));
  }

  /** The next choice of a list, and the first after the last. */
  static next(choice: HTMLSelectElement) {
    choice.selectedIndex = (choice.selectedIndex + 1) % choice.options.length;
    choice.dispatchEvent(new Event('change'));
  }

  private showMagnification(factor: number) {
    this.magnified.textContent = factor === 1 ? 'deflections true to scale' : `deflections magnified ${factor}×`;
    this.magnified.classList.toggle('strong', factor > 1);
    this.scene?.magnify(factor);
  }

  private showColors(by: Coloring) {
    const {largest, hasPeaks} = this.scene?.color(by) ?? {largest: 0, hasPeaks: false};
    this.heat.hidden = by === 'links';
    this.unknown.hidden = by !== 'moment' || !this.scene?.lacksMoments;
    const [low, , high] = this.heat.children;
    low.textContent = '0';
    high.textContent = `${number(largest, 3)} ${by === 'moment' ? 'N m' : '1/m'}${hasPeaks ? ' and more' : ''}`;
  }
}
