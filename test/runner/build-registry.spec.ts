import { execFileSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import yazl from 'yazl';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { BuildBench, readZip } from '../support/runners/build-bench.js';
import { hasRegistry } from '../support/runners/registry.js';

/** A small app with real dependencies. */
const FILES = {
  'package.json': JSON.stringify({
    name: 'shop',
    version: '1.0.0',
    private: true,
    type: 'module',
    scripts: { build: 'vite build' },
    dependencies: { react: '19.2.0', 'react-dom': '19.2.0' },
    devDependencies: { vite: '7.1.12', '@vitejs/plugin-react': '5.1.0', typescript: '5.9.3' },
    // A version whose packages for all systems are in the registry: otherwise npm looks for them again each time.
    overrides: { rollup: '4.52.5' },
  }),
  'index.html': '<!doctype html><div id="app"></div><script type="module" src="/main.jsx"></script>',
  'main.jsx': `import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('app')).render(<h1>Shop</h1>);`,
  'vite.config.js': `import react from '@vitejs/plugin-react';
export default { plugins: [react()] };`,
};

async function project(): Promise<Buffer> {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(FILES)) await writeFile(join(folder, path), content);
  // As people write it, whatever the settings of this machine.
  const env = { ...process.env, npm_config_userconfig: '/dev/null' };
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit'], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  const zip = new yazl.ZipFile();
  for (const path of await readdir(folder)) zip.addFile(join(folder, path), path);
  zip.end();
  return buffer(zip.outputStream);
}

(hasRegistry ? it : it.skip)('builds a Vite app, and downloads nothing the second time', async () => {
  const source = await project();
  const bench = await BuildBench.create();
  const first = await bench.build({ source, isDefaultBranch: true });
  expect(first.error).toBeNull();
  expect(first.log).toMatch(/added \d+ packages/);
  const second = await bench.build({ source, isDefaultBranch: true });
  expect(second.error).toBeNull();
  expect(second.log).toContain('Found a cache of the app: packages, node_modules\n');
  expect(second.log).toMatch(/up to date/);
  const names = Object.keys(await readZip(second.files[0]!.path));
  expect(names).toEqual([expect.stringMatching(/^assets\/index-.*\.js$/), 'index.html']);
});
