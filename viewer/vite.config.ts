// SPDX-License-Identifier: BSD-3-Clause
// One HTML file: script and style are put into the page, and the page's own policy lets nothing else run.

import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {defineConfig, type Plugin} from 'vite';

/** The page holds copies of these libraries, and so their licences. */
function licences(): string {
  return ['three', 'uplot'].map((name) => `${name}: ${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').replace(/--/g, '- -')}`).join('\n');
}

function inOneFile(): Plugin {
  return {
    name: 'in-one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (!page || page.type !== 'asset') throw new Error('no index.html');
      let script = '', style = '';
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script += part.code;
        else if (name.endsWith('.css')) style += String(part.source);
        else continue;
        delete bundle[name];
      }
      // A script's text may not hold what would end it.
      script = script.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '\\x3c!--');
      const hash = createHash('sha256').update(script).digest('base64');
      const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:`;
      page.source = String(page.source)
        .replace(/<script[^>]*type="module"[^>]*><\/script>/, '')
        .replace(/<link[^>]*rel="stylesheet"[^>]*>/, '')
        .replace('<!--policy-->', () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('<!--style-->', () => `<style>${style}</style>`)
        .replace('<!--licences-->', () => `<!--\n${licences()}\n-->`)
        .replace('<!--script-->', () => `<script>${script}</script>`);
    },
  };
}

export default defineConfig({
  plugins: [inOneFile()],
  build: {
    target: 'es2020',
    modulePreload: false,
    assetsInlineLimit: 1 << 20,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {output: {format: 'iife'}},
  },
  logLevel: 'warn',
});
