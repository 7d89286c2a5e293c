// SPDX-License-Identifier: BSD-3-Clause
// One figure: curves of all runs over time or frequency, with a legend that reads out values.

import uPlot from 'uplot';
import {curveColor, lineBackground, referenceDash, runStyle, type LineStyle} from './colors';
import {doubles, type CurveData, type FigureData, type Run} from './data';
import {css, download, element, number} from './dom';
import {angleFactor, inAngleUnit, type AngleUnit} from './units';

interface Series {
  name: string; // of the curve
  fullName: string; // with its run, where there are several
  group: string;
  color: number; // index
  run: number;
  isReference: boolean;
  isShared: boolean; // a reference that all runs have
  isAngle: boolean;
  note: string;
  isOff: boolean; // by its reader
  chip: HTMLButtonElement;
  text: HTMLElement;
  value: HTMLElement;
}

type Column = ArrayLike<number | null>;

/** What a plot tells its neighbours. */
export interface PlotEvents {
  zoomed(from: Plot, min: number, max: number): void;
  picked(time: number): void;
}

/** What of a figure a reader wants to see. Empty: all of them. */
export interface PlotFilter {
  joint: string;
  link: string;
  hiddenRuns: Set<number>;
}

const mostCurves = 8; // at once, of one run

/** What was not measured is a gap. */
function withGaps(values: Float32Array): Column {
  return values.some(Number.isNaN) ? Array.from(values, (v) => (Number.isNaN(v) ? null : v)) : values;
}

export class Plot {
  readonly section: HTMLElement;
  readonly id: string;
  readonly overTime: boolean;
  data: Column[]; // as drawn, in the chosen unit
  private readonly inRadians: Column[];
  private readonly series: Series[] = [];
  private readonly chart: uPlot;
  private readonly playhead = element('div', {class: 'playhead', 'aria-hidden': 'true'});
  private readonly figure: FigureData;
  private readonly unitText = element('span', {class: 'unit'});
  private readonly choice: HTMLSelectElement;
  private chosen: string | null = null; // by the reader; empty: all
  private filter: PlotFilter = {joint: '', link: '', hiddenRuns: new Set()};
  private unit: AngleUnit = 'rad';
  private time = 0;
  private isHovered = false;
  isVisible = true;

  constructor(figures: (FigureData | undefined)[], private readonly runs: Run[], private readonly events: PlotEvents) {
    this.figure = figures.find((figure) => figure) as FigureData;
    this.id = this.figure.id;
    this.overTime = this.figure.over_time;
    this.data = this.inRadians = this.align(figures);
    const holder = element('div', {class: 'chart'});
    const legend = element('div', {class: 'legend', role: 'group', 'aria-label': `Curves of ${this.figure.title}`},
      ...this.series.map((series) => series.chip));
    this.choice = element('select', {'aria-label': `Which part of ${this.figure.title}`, change: () => {
      this.chosen = this.choice.value;
      this.showChosen();
    }});
    this.unitText.textContent = this.figure.y_label;
    this.section = element('section', {class: 'card plot', 'aria-label': `${this.figure.title} ${this.figure.y_label}`, 'data-figure': this.id},
      element('header', {},
        element('h3', {}, this.figure.title, ' ', this.unitText),
        this.choice,
        element('button', {type: 'button', title: 'Save as PNG', 'aria-label': `Save ${this.figure.title} as PNG`, click: () => this.savePng()}, 'PNG'),
        element('button', {type: 'button', title: 'Save as CSV', 'aria-label': `Save ${this.figure.title} as CSV`, click: () => this.saveCsv()}, 'CSV')),
      holder, legend);
    this.chart = new uPlot(this.options(), this.data as unknown as uPlot.AlignedData, holder);
    this.chart.over.append(this.playhead);
    if (!this.overTime) this.playhead.hidden = true;
    this.show(this.filter);
    this.listen(holder);
  }

  /** Columns over one x: runs with other times are joined to it. */
  private align(figures: (FigureData | undefined)[]): Column[] {
    const tables: Column[][] = [];
    figures.forEach((figure, run) => {
      if (!figure) return;
      const x = figure.over_time ? this.runs[run].time : doubles(figure.x ?? '');
      const columns: Column[] = [x];
      let color = -1;
      for (const curve of figure.curves) {
        if (!curve.is_reference) ++color;
        if (curve.is_reference && this.hasSameReference(curve, run)) continue;
        this.series.push(this.makeSeries(curve, run, Math.max(color, 0)));
        const values = this.runs[run].values(curve);
        columns.push(figure.logarithmic ? Array.from(values, (v) => (v > 0 ? v : null)) : withGaps(values));
      }
      tables.push(columns);
    });
    const isSame = tables.every(([x]) => x.length === tables[0][0].length && x[0] === tables[0][0][0] && x[x.length - 1] === tables[0][0][x.length - 1]);
    if (isSame) return [tables[0][0], ...tables.flatMap((columns) => columns.slice(1))];
    return uPlot.join(tables.map((columns) => columns.map((column) => Array.from(column))) as unknown as uPlot.AlignedData[]) as unknown as Column[];
  }

  /** Whether an earlier run follows the same reference, at the same times: it is drawn once. */
  private hasSameReference(curve: CurveData, run: number): boolean {
    const [mine, times] = [this.runs[run].values(curve), this.runs[run].time];
    const same = this.series.find((series) => {
      if (!series.isReference || series.name !== curve.name) return false;
      const other = this.runs[series.run], values = other.curve(this.figure.id, curve.name);
      return values?.length === mine.length && times.every((t, i) => t === other.time[i]) && mine.every((v, i) => v === values[i]);
    });
    if (same) {
      same.isShared = true;
      same.fullName = same.name;
    }
    return same !== undefined;
  }

  private makeSeries(curve: CurveData, run: number, color: number): Series {
    const fullName = this.isCompared ? `${curve.name}, ${this.runs[run].data.label}` : curve.name;
    const value = element('output', {}), text = element('span', {}, fullName);
    const chip = element('button', {type: 'button', 'aria-pressed': 'true', title: `Show or hide ${fullName}`}, element('i', {class: 'swatch'}), text, value);
    const series: Series = {name: curve.name, fullName, group: curve.group, color, run, isReference: curve.is_reference, isShared: false,
      isAngle: curve.is_angle, note: curve.note, isOff: false, chip, text, value};
    chip.addEventListener('click', () => {
      series.isOff = !series.isOff;
      this.showChosen();
    });
    // What is pointed at stands out.
    chip.addEventListener('mouseenter', () => this.chart.setSeries(this.series.indexOf(series) + 1, {focus: true}));
    chip.addEventListener('mouseleave', () => this.chart.setSeries(null, {focus: false}));
    return series;
  }

  private get isCompared(): boolean {
    return this.runs.length > 1;
  }

  /** Runs that are compared are told apart by colour and dash; otherwise curves are told apart by colour. */
  private styleOf(series: Series): LineStyle {
    if (series.isShared) return {color: css('--ink-3'), dash: referenceDash, width: 1};
    const {color, dash, width} = this.isCompared ? runStyle(series.run) : {color: curveColor(series.color), dash: [], width: 1.6};
    return series.isReference ? {color, dash: referenceDash, width: 1} : {color, dash, width};
  }

  /** Which curves a reader wants to see; the figure goes where it has none of them. */
  show(filter: PlotFilter) {
    this.filter = filter;
    const wanted = this.series.filter((series) => this.isWanted(series));
    this.section.hidden = wanted.length === 0;
    // Compared runs: one quantity at a time, of all runs. One run with many curves: one joint or link at a time.
    const parts = [...new Set(wanted.filter((series) => !series.isReference).map((series) => this.partOf(series)))];
    const isNeeded = parts.length > 1 && (this.isCompared || wanted.length > mostCurves);
    const isThere = this.chosen !== null && (this.chosen === '' || parts.includes(this.chosen));
    this.choice.replaceChildren(...parts.map((part) => element('option', {value: part}, part)), element('option', {value: ''}, 'all'));
    this.choice.value = isNeeded ? (isThere ? (this.chosen as string) : parts[0]) : '';
    this.choice.hidden = !isNeeded;
    this.showChosen();
    if (this.runs.some((run) => run.data.events.length > 0)) this.chart.redraw(false);
  }

  private isWanted({group, run, isShared}: Series): boolean {
    const {joint, link, hiddenRuns} = this.filter;
    const name = this.figure.parts === 'joints' ? joint : this.figure.parts === 'links' ? link : '';
    const isOfShownRun = isShared ? hiddenRuns.size < this.runs.length : !hiddenRuns.has(run);
    return isOfShownRun && (name === '' || group === '' || group === name);
  }

  /** What the choice of a figure distinguishes. A reference belongs to the curve before it. */
  private partOf(series: Series): string {
    return this.isCompared ? series.name.replace(/ reference$/, '') : series.group;
  }

  private showChosen() {
    const chosen = this.choice.value;
    this.series.forEach((series, i) => {
      const isListed = this.isWanted(series) && (chosen === '' || this.partOf(series) === chosen);
      const isShown = isListed && !series.isOff;
      series.chip.hidden = !isListed;
      series.chip.setAttribute('aria-pressed', String(!series.isOff));
      series.text.textContent = this.isCompared && chosen !== '' ? this.runNameOf(series) : series.fullName;
      if (this.chart.series[i + 1].show !== isShown) this.chart.setSeries(i + 1, {show: isShown});
    });
    this.readOut(this.indexAt(this.time));
  }

  /** Where all curves are one quantity, what tells them apart is the run. */
  private runNameOf({run, isReference, isShared}: Series): string {
    if (isShared) return 'reference';
    const {label} = this.runs[run].data;
    return isReference ? `reference, ${label}` : label;
  }

  setUnit(unit: AngleUnit) {
    if (unit === this.unit) return;
    this.unit = unit;
    if (!this.series.some(({isAngle}) => isAngle)) return;
    const factor = angleFactor(unit);
    this.data = this.inRadians.map((column, i) =>
      (i > 0 && this.series[i - 1].isAngle && factor !== 1 ? Array.from(column, (v) => (v == null ? null : factor * v)) : column));
    this.unitText.textContent = inAngleUnit(this.figure.y_label, unit);
    const {min, max} = this.chart.scales.x;
    this.chart.setData(this.data as unknown as uPlot.AlignedData);
    if (min != null && max != null) this.chart.setScale('x', {min, max});
    this.readOut(this.indexAt(this.time));
  }

  private options(): uPlot.Options {
    const axis = {stroke: () => css('--ink-2'), grid: {stroke: () => css('--line'), width: 1}, ticks: {stroke: () => css('--line'), width: 1}, font: '11px system-ui, sans-serif'};
    const isLog = this.figure.logarithmic;
    return {
      width: 300,
      height: 190,
      legend: {show: false},
      focus: {alpha: 0.2},
      padding: [8, 10, 0, 0],
      scales: isLog
        ? {x: {time: false, distr: 3}, y: {distr: 3, range: (_u, _min, max) => [max * 1e-6, max * 2]}}
        : {x: {time: false}, y: {range: (_u, min, max) => (min === 0 && max === 0 ? [-1, 1] : min == null ? [null, null] : uPlot.rangeNum(min, max, 0.1, true))}},
      axes: [
        {...axis, size: 34, label: undefined, values: (_u, splits) => splits.map((v) => (v === null ? '' : number(v, 6)))},
        {...axis, size: (_u, values) => 18 + 7 * Math.max(4, ...(values ?? []).map((v) => String(v ?? '').length)),
          values: (_u, splits) => splits.map((v) => (v === null ? '' : Math.abs(v) < 1e-12 ? '0' : number(v, 6)))},
      ],
      series: [
        {},
        ...this.series.map((series): uPlot.Series => ({
          label: '',
          stroke: () => this.styleOf(series).color,
          width: this.styleOf(series).width,
          dash: this.styleOf(series).dash,
          spanGaps: true,
          pxAlign: 0,
          points: {show: false},
        })),
      ],
      cursor: {
        drag: {x: true, y: false},
        y: false,
        points: {size: 6},
        ...(this.overTime ? {sync: {key: 'limber-time', scales: ['x', null]}} : {}),
      },
      hooks: {
        setScale: [(u, key) => {
          this.movePlayhead();
          const {min, max} = u.scales.x;
          if (key === 'x' && min != null && max != null && this.overTime) this.events.zoomed(this, min, max);
        }],
        setCursor: [(u) => {
          this.isHovered = u.cursor.idx != null && (u.cursor.left ?? -1) >= 0;
          this.readOut(this.isHovered ? (u.cursor.idx as number) : this.indexAt(this.time));
        }],
        draw: [(u) => this.drawMarks(u)],
      },
    };
  }

  private listen(holder: HTMLElement) {
    const resize = () => {
      const width = holder.clientWidth;
      if (width > 0) this.chart.setSize({width, height: window.innerWidth < 640 ? 170 : 190});
      this.movePlayhead();
    };
    new ResizeObserver(resize).observe(holder);
    new IntersectionObserver(([entry]) => {
      this.isVisible = entry.isIntersecting;
      if (this.isVisible) this.showTime(this.time, true);
    }).observe(this.section);
    // A click that is no drag picks a time.
    let downAt = 0;
    this.chart.over.addEventListener('mousedown', (event) => (downAt = event.clientX));
    this.chart.over.addEventListener('mouseup', (event) => {
      if (this.overTime && Math.abs(event.clientX - downAt) < 3)
        this.events.picked(this.chart.posToVal(event.clientX - this.chart.over.getBoundingClientRect().left, 'x'));
    });
    this.repaint();
    this.readOut(0);
  }

  private indexAt(time: number): number {
    const x = this.data[0];
    let low = 0, high = x.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((x[middle] as number) <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private readOut(index: number) {
    if (!this.overTime && !this.isHovered) {
      for (const series of this.series) series.value.textContent = series.note;
      return;
    }
    this.series.forEach((series, i) => {
      if (series.chip.hidden) return;
      const value = this.data[i + 1][index];
      series.value.textContent = value == null ? '' : number(value);
    });
  }

  /** The time cursor. `withValues`: the legend too, which costs more. */
  showTime(time: number, withValues: boolean) {
    this.time = time;
    if (!this.isVisible || !this.overTime) return;
    this.movePlayhead();
    if (withValues && !this.isHovered) this.readOut(this.indexAt(time));
  }

  private movePlayhead() {
    if (!this.chart || !this.overTime) return;
    const at = this.chart.valToPos(this.time, 'x');
    const isInside = at >= 0 && at <= this.chart.over.clientWidth;
    this.playhead.style.display = isInside ? '' : 'none';
    if (isInside) this.playhead.style.transform = `translateX(${at}px)`;
  }

  zoom(min: number, max: number) {
    const {x} = this.chart.scales;
    if (x.min !== min || x.max !== max) this.chart.setScale('x', {min, max});
  }

  /** What happened in runs that are shown, in their colours where several are compared. */
  private happened(): {x: number; name: string; color: string}[] {
    if (!this.overTime) return [];
    return this.runs.flatMap((run, i) => (this.filter.hiddenRuns.has(i) ? [] : run.data.events.map((event) => ({
      x: event.time, name: event.name, color: this.isCompared ? runStyle(i).color : css('--ink-3')}))));
  }

  private drawMarks(u: uPlot) {
    const {ctx, bbox} = u, ratio = uPlot.pxRatio;
    ctx.save();
    ctx.lineWidth = ratio;
    ctx.font = `${10 * ratio}px system-ui, sans-serif`;
    let last = -100;
    for (const mark of [...this.figure.marks.map((one) => ({...one, color: css('--ink-3')})), ...this.happened()].sort((a, b) => a.x - b.x)) {
      const x = u.valToPos(mark.x, 'x', true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.strokeStyle = ctx.fillStyle = mark.color;
      ctx.setLineDash(mark.name.startsWith('held') ? [5 * ratio, 3 * ratio] : [ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      if (Math.abs(x - last) < 12 * ratio) continue;
      last = x;
      ctx.save();
      ctx.translate(x - 3 * ratio, bbox.top + 4 * ratio);
      ctx.rotate(-Math.PI / 2);
      ctx.textAlign = 'right';
      ctx.fillText(mark.name, 0, 0);
      ctx.restore();
    }
    ctx.restore();
  }

  /** Colours of the theme. */
  repaint() {
    for (const series of this.series) (series.chip.querySelector('.swatch') as HTMLElement).style.background = lineBackground(this.styleOf(series));
    this.chart.redraw(false);
  }

  /** Title, curves and legend on one picture. */
  private savePng() {
    const ratio = uPlot.pxRatio, source = this.chart.ctx.canvas, line = 18 * ratio, margin = 10 * ratio;
    const shown = this.series.filter((series) => !series.chip.hidden && !series.isOff);
    const canvas = element('canvas', {width: source.width + 2 * margin, height: source.height + line * (2 + shown.length) + margin});
    const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
    ctx.fillStyle = css('--card');
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.fillStyle = css('--ink');
    ctx.font = `600 ${14 * ratio}px system-ui, sans-serif`;
    const part = this.choice.value === '' ? '' : `, ${this.choice.value}`;
    ctx.fillText(`${this.figure.title}${part} ${this.unitText.textContent} over ${this.figure.x_label}`, margin, 1.2 * line);
    ctx.drawImage(source, margin, 1.7 * line);
    ctx.font = `${12 * ratio}px system-ui, sans-serif`;
    shown.forEach((series, i) => {
      const y = source.height + (2.4 + i) * line;
      const {color, dash, width} = this.styleOf(series);
      ctx.strokeStyle = color;
      ctx.lineWidth = width * ratio;
      ctx.setLineDash(dash.map((d) => d * ratio));
      ctx.beginPath();
      ctx.moveTo(margin, y - 4 * ratio);
      ctx.lineTo(margin + 26 * ratio, y - 4 * ratio);
      ctx.stroke();
      ctx.fillText(series.fullName, margin + 34 * ratio, y);
    });
    canvas.toBlob((blob) => blob && download(`${this.fileName()}.png`, blob));
  }

  csv(): string {
    const quoted = (text: string) => `"${text.replace(/"/g, '""')}"`;
    const lines = [[this.figure.x_label, ...this.series.map((s) => `${s.fullName} ${this.unitText.textContent}`)].map(quoted).join(',')];
    for (let i = 0; i < this.data[0].length; ++i) lines.push(this.data.map((column) => column[i] ?? '').join(','));
    return lines.join('\n') + '\n';
  }

  private saveCsv() {
    download(`${this.fileName()}.csv`, new Blob([this.csv()], {type: 'text/csv'}));
  }

  private fileName(): string {
    return `${this.runs[0].data.model.replace(/[^\w.-]+/g, '_')}-${this.id}`;
  }

  /** For scripts and tests: all curves, and how those that are shown are drawn. */
  get styles(): {name: string; legend: string; color: string; dash: number[]; swatch: string}[] {
    return this.series.flatMap((series, i) => {
      const drawn = this.chart.series[i + 1];
      if (!drawn.show) return [];
      const stroke = drawn.stroke as unknown as (u: uPlot, i: number) => string;
      return [{name: series.fullName, legend: series.text.textContent ?? '', color: stroke(this.chart, i + 1), dash: drawn.dash ?? [],
        swatch: (series.chip.querySelector('.swatch') as HTMLElement).style.background}];
    });
  }
  get names(): string[] {
    return this.series.map((series) => series.fullName);
  }
}
