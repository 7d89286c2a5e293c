// SPDX-License-Identifier: BSD-3-Clause
// What every page has around its content: title, theme, help.

import {element} from './dom';

export function initialTheme() {
  let theme = '';
  try {
    theme = localStorage.getItem('limber-theme') ?? '';
  } catch {
    // A page from a file may have no storage.
  }
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = theme || (prefersDark ? 'dark' : 'light');
}

export function switchTheme() {
  const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem('limber-theme', next);
  } catch {
    // Not kept, then.
  }
}

export type Keys = [key: string, meaning: string][];

export function helpDialog(keys: Keys): HTMLDialogElement {
  const dialog = element('dialog', {'aria-label': 'Keys'},
    element('h2', {}, 'Keys'),
    element('dl', {class: 'keys'}, ...keys.flatMap(([key, meaning]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, meaning)])),
    element('h2', {}, 'Mouse and touch'),
    element('p', {}, 'Drag turns the view, right button or two fingers move it, wheel or pinch zoom. In a plot, a click goes to a time, a drag zooms all plots, a double click shows everything again.'),
    element('form', {method: 'dialog'}, element('button', {type: 'submit'}, 'Close')));
  document.body.append(dialog);
  return dialog;
}

export function pageHeader(title: string, subtitle: string, repaint: () => void, help: HTMLDialogElement): HTMLElement {
  return element('header', {class: 'top'},
    element('h1', {}, title, ' ', element('small', {}, subtitle)),
    element('span', {class: 'space'}),
    element('button', {type: 'button', title: 'Light or dark (T)', 'aria-label': 'Switch between light and dark', click: () => {
      switchTheme();
      repaint();
    }}, '◐'),
    element('button', {type: 'button', title: 'Keys (?)', 'aria-label': 'Keys and help', click: () => help.showModal()}, '?'));
}

/** The scene and its controls fit below what stands above them. */
export function fitBelowHeader() {
  const main = document.querySelector('main') as HTMLElement;
  const fit = () => document.documentElement.style.setProperty('--above', `${main.offsetTop}px`);
  fit();
  new ResizeObserver(fit).observe(document.body);
}

/** Keys act unless a person is typing or choosing. */
export function onKey(handlers: Record<string, (event: KeyboardEvent) => void>) {
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (['SELECT', 'TEXTAREA'].includes(target.tagName)) return;
    const isControl = target.tagName === 'BUTTON' || target.tagName === 'INPUT' || target.tagName === 'SUMMARY';
    if (isControl && (event.key === ' ' || event.key === 'Enter')) return;
    if (target.tagName === 'INPUT' && (event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End')) return;
    const handler = handlers[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!handler) return;
    event.preventDefault();
    handler(event);
  });
}

/** A slider with its value in words. */
export function slider(label: string, range: {min: number; max: number; step: number; value: number}, text: (value: number) => string,
                       change: (value: number) => void): {box: HTMLElement; set: (value: number) => void} {
  const input = element('input', {type: 'range', 'aria-label': label, ...range});
  const shown = element('output', {});
  const show = () => {
    shown.textContent = text(Number(input.value));
    input.setAttribute('aria-valuetext', shown.textContent);
  };
  input.addEventListener('input', () => {
    show();
    change(Number(input.value));
  });
  show();
  return {
    box: element('label', {class: 'slider'}, element('span', {}, label), input, shown),
    set: (value) => {
      input.value = String(value);
      show();
      change(Number(input.value));
    },
  };
}
