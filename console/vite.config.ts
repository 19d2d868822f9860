import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Folders of the packages that workers consist of, which are built before the pages. */
const packagesOfWorkers = new Set<string>();

/** Notes what a worker consists of. */
const inWorkers = (): Plugin => ({
  name: 'packages-of-workers',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'asset') continue;
      for (const id of chunk.moduleIds) {
        const [folder] = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id) ?? [];
        if (folder !== undefined) packagesOfWorkers.add(folder);
      }
    }
  },
});

/** Adds the packages of workers to the licences, which Vite lists for pages only, in the same form. */
const licensesOfWorkers = (): Plugin => ({
  name: 'licenses-of-workers',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const list = bundle[LICENSES];
      if (list?.type !== 'asset') throw new Error(`${LICENSES} is missing.`);
      for (const folder of [...packagesOfWorkers].sort()) {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
        const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
        list.source += `\n## ${name} - ${version} (${license})\n${text}`;
      }
    },
  },
});

/** The licences of what browsers get: see `scripts/build-console.ts`. */
const LICENSES = 'licenses.md';

/** The server puts the nonce of each response in place of `__NONCE__`: see `src/console/console-files.ts` of the server. */
export default defineConfig({
  base: '/console/',
  html: { cspNonce: '__NONCE__' },
  plugins: [licensesOfWorkers()],
  worker: { plugins: () => [inWorkers()] },
  build: {
    outDir: '../dist/console',
    assetsDir: 'files',
    emptyOutDir: true,
    // The Content-Security-Policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Directives for servers that render React; there is none here.
      onLog: (level, log, show) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log);
      },
    },
    license: { fileName: LICENSES },
  },
});
