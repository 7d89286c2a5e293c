// SPDX-License-Identifier: BSD-3-Clause
// A browser, and results to show in it. CTest sets LIMBER_PROGRAM, LIMBER_MODELS, LIMBER_SCREENSHOTS and LIMBER_BROWSER.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

const program = process.env.LIMBER_PROGRAM;
export const models = process.env.LIMBER_MODELS, screenshots = process.env.LIMBER_SCREENSHOTS;
const folder = mkdtempSync(join(tmpdir(), 'limber-viewer-'));
export const path = (name) => join(folder, name);
export const limber = (...words) => execFileSync(program, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});

const laptop = {width: 1366, height: 768}, phone = {width: 390, height: 844};
const patience = 300_000; // ms: a busy machine is slow, not wrong; CTest ends what hangs
let browser;

export const launch = (...args) => chromium.launch({executablePath: process.env.LIMBER_BROWSER, args: ['--no-sandbox', ...args], timeout: patience});

export async function startBrowser() {
  browser = await launch('--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist');
  mkdirSync(screenshots, {recursive: true});
}

export async function stopBrowser() {
  await browser?.close();
  rmSync(folder, {recursive: true, force: true});
}

/** Simulates and reports; the CSV is what the pages are held to. */
export function simulated(name, scenario) {
  limber('simulate', scenario, '-o', path(`${name}.h5`), '--csv', path(`${name}.csv`), '--quiet');
  limber('report', path(`${name}.h5`), '-o', path(`${name}.html`), '--quiet');
  return path(`${name}.html`);
}

export function written(name, text) {
  writeFileSync(path(name), text);
  return path(name);
}

/** Columns of a CSV by name. */
export function table(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(head.map((name, i) => [name, lines.map((cells) => Number(cells[i]))]));
}

/** An empty page. */
export async function blank(options, one = browser) {
  const page = await one.newPage(options);
  page.setDefaultTimeout(patience);
  return page;
}

// A browser without a graphics card remarks how fast it draws, as it sees fit.
const isAboutSpeed = (text) => /GL Driver Message \(OpenGL, Performance/.test(text);

/** A page from a file, with everything that it says, asks for, or pops up. `first` runs before the page's own script. */
export async function open(file, {viewport = laptop, colorScheme = 'light', reducedMotion = 'reduce', first} = {}) {
  const page = await blank({viewport, colorScheme, reducedMotion});
  if (first) await page.addInitScript(first);
  page.said = [];
  page.on('console', (message) => {
    if (!isAboutSpeed(message.text())) page.said.push(message.text());
  });
  page.on('pageerror', (error) => page.said.push(String(error)));
  page.on('dialog', (dialog) => {
    page.said.push(`dialog ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) page.said.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => window.limber);
  return page;
}

/** Fits a laptop, and in the dark a phone; every control has a name. */
export async function checkLook(page, name) {
  for (const [size, viewport, theme] of [['laptop', laptop, 'light'], ['phone', phone, 'dark']]) {
    await page.setViewportSize(viewport);
    if (theme === 'dark') await page.keyboard.press('t');
    await drawn(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wide <= 0, `${name} on a ${size} is ${wide} px too wide`);
    assert.ok(await page.locator('.play').isVisible());
    await page.screenshot({path: join(screenshots, `${name}-${size}-${theme}.png`)});
  }
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas[role]')]
    .filter((control) => !(control.getAttribute('aria-label') || control.textContent.trim())).map((control) => control.outerHTML));
  assert.deepEqual(nameless, []);
}

/** Waits until what was asked for has been drawn. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
export const picture = async (page) => {
  await drawn(page);
  const data = await page.evaluate(() => document.querySelector('canvas').toDataURL());
  return createHash('sha256').update(data).digest('hex');
};
