// SPDX-License-Identifier: BSD-3-Clause
// Colours of curves, links and results; the same in the scene and in the plots.

/** Okabe and Ito: told apart by everyone. Those too dark or too pale for a theme are shifted there. */
const light = ['#0072b2', '#d55e00', '#009e73', '#b0568a', '#2f8fc4', '#b07800', '#444444', '#7a5cc9'];
const dark = ['#4aa8e8', '#ff8a4c', '#2fcf9f', '#e79ac4', '#8fd0f5', '#f0b83c', '#c9ced6', '#b39df5'];

export const isDark = () => document.documentElement.dataset.theme === 'dark';
export const curveColor = (index: number) => (isDark() ? dark : light)[index % light.length];

/** How a line is drawn: in a plot, in its legend, and in pictures of both. */
export interface LineStyle {
  color: string;
  dash: number[];
  width: number;
}

/** Of two or more results each has one colour and one dash, in every plot and in the scene. Eight colours and five dashes: 40 results. */
const runDashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 4]];
export const runStyle = (run: number): LineStyle => ({color: curveColor(run), dash: runDashes[run % runDashes.length], width: 1.8});
export const referenceDash = [3, 3];

/** A line of this style as a background, for a legend. */
export function lineBackground({color, dash}: LineStyle): string {
  if (dash.length === 0) return color;
  let at = 0;
  const stops = dash.map((length, i) => `${i % 2 === 0 ? color : 'transparent'} ${at}px ${(at += length)}px`);
  return `repeating-linear-gradient(to right, ${stops.join(', ')})`;
}

/** What is not known, where all else has colours by load. */
export const unknownLoad: [number, number, number] = [0.45, 0.47, 0.5];

/** Viridis, by five of its colours; share 0 .. 1. */
const stops = [[0.267, 0.005, 0.329], [0.229, 0.322, 0.546], [0.128, 0.567, 0.551], [0.369, 0.789, 0.383], [0.993, 0.906, 0.144]];
export function heat(share: number): [number, number, number] {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2), f = at - i;
  return [0, 1, 2].map((k) => stops[i][k] * (1 - f) + stops[i + 1][k] * f) as [number, number, number];
}
export const heatGradient = () =>
  `linear-gradient(to right, ${stops.map((c) => `rgb(${c.map((v) => Math.round(255 * v)).join(' ')})`).join(', ')})`;
