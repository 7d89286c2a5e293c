// SPDX-License-Identifier: BSD-3-Clause
// Elements of the page. Texts of models and scenarios only ever become text nodes: nothing in them is markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false) made.setAttribute(name, String(value));
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

/** Four significant digits, without a tail of zeros. */
export function number(value: number, digits = 4): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 2).replace(/\.?0*e\+?/, 'e');
  return String(Number(value.toPrecision(digits)));
}

export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function download(name: string, content: Blob) {
  const address = URL.createObjectURL(content);
  element('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** A button that is on or off. */
export function toggle(label: string, text: string, isOn: boolean, change: (isOn: boolean) => void): HTMLButtonElement {
  const button = element('button', {type: 'button', 'aria-pressed': String(isOn), title: label, 'aria-label': label}, text);
  button.addEventListener('click', () => {
    const now = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(now));
    change(now);
  });
  return button;
}
